//! Checking a derivation: its script is run again, every step is made again, every condition asked again, every version
//! put before the front end, every pair of versions compared by the interpreter. Spec: [rule: audit].

use super::accepted::{FrontEnd, Own};
use super::replay::Replay;
use super::used::unused;
use super::{Alike, Chain, Derivation, FORMAT, differing, each_version, of_script, shown, shown_lines};
use crate::left_open::is_left_open;
use crate::registry::Registry;
use crate::script::{self, Run};
use crate::version::session::Session;
use rewright_semantics::ast::Module;
use rewright_semantics::diag::{Severity, has_errors};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::{FileId, SourceMap};
use rewright_semantics::typecheck::check_proc;
use std::collections::BTreeSet;
use std::fmt;

/// A solver's answer to an SMT-LIB script.
pub type Ask<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// How thorough an audit is.
pub struct Options<'a> {
    /// Inputs of small sizes that each pair of versions is compared on.
    pub inputs: u64,
    /// Statements of one run, where small sizes do not do.
    pub statements: u64,
    /// Another solver's answer to an SMT-LIB script, asked beside z3.
    pub second: Option<Ask<'a>>,
    /// What the definitions may use by name.
    pub prelude: &'a Prelude,
    /// The primitives that its steps may be of.
    pub primitives: &'a Registry,
    /// Versions are made again in fresh ones like this.
    pub session: Session,
    /// Hears how many steps are done, and how many there are.
    pub progress: Option<&'a dyn Fn(u64, u64)>,
}

impl<'a> Options<'a> {
    /// A thorough audit, without a second solver.
    pub fn new(prelude: &'a Prelude, primitives: &'a Registry) -> Options<'a> {
        Options {
            inputs: 20,
            statements: 2_000_000,
            second: None,
            prelude,
            primitives,
            session: Session::new(),
            progress: None,
        }
    }
}

/// What an audit has checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Whether the schedules are those of a script in the definitions.
    pub script: bool,
    /// Schedules.
    pub chains: u64,
    /// Steps made again; what schedules begin with in common is made once.
    pub steps: u64,
    /// Conditions compared.
    pub conditions: u64,
    /// Questions answered `unsat` by z3.
    pub solved: u64,
    /// Questions that the second solver did not decide.
    pub undecided: u64,
    /// Inputs on which two versions ran to their ends and left the same.
    pub compared: u64,
    /// Those among them where some fields were never set.
    pub unset: u64,
    /// The steps whose versions could not be compared on any input, and why.
    pub open: Vec<Finding>,
}

/// Something that was written down is not so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", shown(place), shown_lines(what))]
pub struct Finding {
    /// Which chain and step.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl Finding {
    fn whole(what: impl Into<String>) -> Finding {
        Finding { place: "derivation".to_owned(), what: what.into() }
    }
}

/// Checks a derivation, in sessions of its own: nothing is believed that was found out before.
///
/// # Errors
/// The first thing in it that is not so; or nothing could be compared.
pub fn audit(d: &Derivation, options: &Options<'_>) -> Result<Summary, Finding> {
    if d.format != FORMAT {
        let other = format!("its format is {}, not {FORMAT}: record the schedule again", d.format);
        return Err(Finding::whole(other));
    }
    if d.digest != d.digest_of_content() {
        return Err(Finding::whole("it was changed after it was written: its digest is another one"));
    }
    whole(d)?;
    let Read { module, mut front_end, sources, file } = definitions(d, options.prelude)?;
    let ran = rerun(&d.definitions, &module, options, &sources, file)?;
    match &ran {
        Some(ran) => {
            accepted(&mut front_end, &module, Own::Closed)?;
            held_to_script(d, ran)?;
        }
        None => well_named(&d.chains)?,
    }
    // What the file defines comes after what it finds, and hides it.
    let prelude = options.prelude;
    let beside = prelude.procs_beside_file(&module);
    let procs = beside.into_iter().chain(module.procs).collect();
    let configs = prelude.configs.iter().cloned().chain(module.configs).collect();
    let module = Module { procs, configs, ..module };
    let mut replay = Replay::new(&module, options, front_end);
    let total = d.versions.iter().chain(&d.chains).map(|c| count(c.steps.len())).sum();
    let told = |done| {
        if let Some(progress) = options.progress {
            progress(done, total);
        }
    };
    let mut done = 0;
    told(done);
    let mut told_of_step = || {
        done += 1;
        told(done);
    };
    for chain in &d.versions {
        replay.version(chain, &mut told_of_step)?;
    }
    for chain in &d.chains {
        replay.summary.chains += 1;
        replay.chain(chain, &mut told_of_step)?;
    }
    let summary = Summary { script: ran.is_some(), ..replay.summary };
    if summary.compared == 0 || summary.chains == 0 {
        return Err(Finding::whole(nothing_compared(&summary)));
    }
    Ok(summary)
}

/// Nothing is missing that a chain has, and nothing is there that plays no part. Spec: [rule: audit.versions].
fn whole(d: &Derivation) -> Result<(), Finding> {
    if let Some(finding) = lacking(d) {
        return Err(finding);
    }
    let unused = unused(d).and_then(|number| Some((number, d.versions.get(number)?)));
    unused.map_or(Ok(()), |(number, c)| {
        let what = "no schedule takes it, or was extracted from it".to_owned();
        Err(Finding { place: place_of_version(number, c), what })
    })
}

/// The first thing that a schedule stands on and that is not there: a version that it takes, which must be before it, or
/// the text that it begins with.
pub fn lacking(d: &Derivation) -> Option<Finding> {
    let versions = d.versions.iter().enumerate();
    let versions = versions.map(|(number, c)| (place_of_version(number, c), c, Some(number)));
    let chains = d.chains.iter().map(|c| (c.binding.clone(), c, None));
    versions.chain(chains).find_map(|(place, c, own)| lacking_in(&place, c, own, d.versions.len()))
}

/// The same of a chain, which may be one of the versions itself.
fn lacking_in(place: &str, c: &Chain, own: Option<usize>, among: usize) -> Option<Finding> {
    let finding = |what: String| Some(Finding { place: place.to_owned(), what });
    if c.source.is_some() && c.source == own {
        return finding("it is its own source: it would have been extracted from itself".to_owned());
    }
    if let Some(what) = c.source.and_then(|number| out_of_reach(Some(number), &number, own, among)) {
        return finding(what);
    }
    if c.lacks_beginning() {
        return finding(format!(
            "its `begins` is missing, the text of `{}` as it was extracted",
            shown(&c.root)
        ));
    }
    c.steps.iter().enumerate().find_map(|(k, step)| {
        let mut what = None;
        let mut look = |v: &serde_json::Value| {
            let number = v.as_u64().and_then(|n| usize::try_from(n).ok());
            what = what.take().or_else(|| out_of_reach(number, v, own, among));
        };
        step.args.iter().for_each(|(_, v)| each_version(v, &mut look));
        Some(Finding { place: format!("{place}, step {} ({})", k + 1, step.primitive), what: what? })
    })
}

/// Why a chain cannot take the version of a number; it may be one of the versions itself.
fn out_of_reach(
    number: Option<usize>,
    written: &impl fmt::Display,
    own: Option<usize>,
    among: usize,
) -> Option<String> {
    let Some(number) = number.filter(|number| *number < among) else {
        return Some(format!(
            "there is no version {written}: the derivation has {among}, numbered from 0 on"
        ));
    };
    let own = own.filter(|own| *own <= number)?;
    Some(if own == number {
        format!("it takes version {number}, which is itself")
    } else {
        format!("it takes version {number}, which comes after it")
    })
}

/// What one of the versions is called.
pub(super) fn place_of_version(number: usize, chain: &Chain) -> String {
    format!("version {number} of `{}`", chain.root)
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

fn nothing_compared(summary: &Summary) -> String {
    if summary.chains == 0 {
        return "there is nothing in it to be checked".to_owned();
    }
    match summary.open.first() {
        None => "there is no step in it, and so nothing to be compared".to_owned(),
        Some(first) => format!("the versions of no step could be compared by the interpreter: {first}"),
    }
}

/// Definitions that the front end has accepted.
struct Read {
    module: Module,
    front_end: FrontEnd,
    sources: SourceMap,
    file: FileId,
}

fn definitions(d: &Derivation, prelude: &Prelude) -> Result<Read, Finding> {
    let mut sources = SourceMap::new();
    let file = sources.add("definitions", d.definitions.as_str());
    let parsed = parse_module(file, &sources, prelude);
    let mut diagnostics = parsed.diagnostics;
    for p in &parsed.module.procs {
        diagnostics.extend(check_proc(p).into_iter().filter(|d| !is_left_open(p, d)));
    }
    if has_errors(&diagnostics) {
        diagnostics.retain(|d| d.severity == Severity::Error);
        let shown = render(&diagnostics, &sources, false);
        return Err(Finding::whole(format!("the definitions are wrong\n{shown}")));
    }
    let module = d.called.restored(parsed.module);
    let module = module.map_err(|what| Finding { place: "called".to_owned(), what })?;
    let mut front_end = FrontEnd::default();
    front_end.trust(&prelude.procs);
    accepted(&mut front_end, &module, Own::MayBeOpen)?;
    Ok(Read { module, front_end, sources, file })
}

/// The front end accepts the definitions. A script takes none with open calls. Spec: [rule: left-open].
fn accepted(front_end: &mut FrontEnd, module: &Module, own: Own) -> Result<(), Finding> {
    let found = module.procs.iter().try_for_each(|p| front_end.check(p, own));
    found.map_err(|what| Finding { place: "definitions".to_owned(), what })
}

/// Runs the script that stands in the definitions; `None` where there is none: no line binds a procedure.
/// Spec: [rule: audit.script].
fn rerun(
    text: &str,
    module: &Module,
    options: &Options<'_>,
    sources: &SourceMap,
    file: FileId,
) -> Result<Option<Run>, Finding> {
    let stopped = |e: &script::ScriptError| {
        let shown = render(&[e.diagnostic()], sources, false);
        Finding::whole(format!("its script does not come to an end\n{shown}"))
    };
    let lines = script::parse(file, text).map_err(|e| stopped(&e))?;
    let ran = script::run_with(&options.session.fresh(), options.primitives, module, options.prelude, &lines);
    match &ran.error {
        Some(e) => Err(stopped(e)),
        None => Ok((!ran.bindings.is_empty()).then_some(ran)),
    }
}

/// The schedules are those that the script makes, under the names that it binds.
fn held_to_script(d: &Derivation, ran: &Run) -> Result<(), Finding> {
    let made = of_script(d.definitions.as_str(), ran);
    let names = |chains: &[Chain]| {
        let names: Vec<String> = chains.iter().map(|c| format!("`{}`", shown(&c.binding))).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    if names(&made.chains) != names(&d.chains) {
        let (bound, written) = (names(&made.chains), names(&d.chains));
        return Err(Finding::whole(format!(
            "its script binds {bound}, and schedules are written for {written}"
        )));
    }
    let (n, m) = (made.versions.len(), d.versions.len());
    if n != m {
        return Err(Finding::whole(format!("its script takes {n} versions as arguments, not {m}")));
    }
    for (number, (made, written)) in made.versions.iter().zip(&d.versions).enumerate() {
        held_to_chain(&place_of_version(number, written), made, written)?;
    }
    for (made, written) in made.chains.iter().zip(&d.chains) {
        held_to_chain(&written.binding, made, written)?;
    }
    Ok(())
}

fn held_to_chain(place: &str, made: &Chain, written: &Chain) -> Result<(), Finding> {
    let finding = |what: String| Finding { place: place.to_owned(), what };
    let same = made.root == written.root && made.source == written.source && made.begins == written.begins;
    if !same || made.binding != written.binding {
        return Err(finding(format!("it does not begin with what the script makes it of, `{}`", made.root)));
    }
    for (k, (step, other)) in made.steps.iter().zip(&written.steps).enumerate() {
        if let Some(what) = differing(step, other, Alike::ToTheLetter) {
            let place = format!("{place}, step {} ({})", k + 1, other.primitive);
            return Err(Finding { place, what: format!("{what} is not what the script makes") });
        }
    }
    let (n, m) = (made.steps.len(), written.steps.len());
    if n == m { Ok(()) } else { Err(finding(format!("the script makes it in {n} steps, not in {m}"))) }
}

/// Schedules that no script tells of have names, each its own.
fn well_named(chains: &[Chain]) -> Result<(), Finding> {
    let mut names = BTreeSet::new();
    for c in chains {
        if c.binding.is_empty() || !names.insert(&c.binding) {
            return Err(Finding::whole(format!(
                "two schedules are called `{}`, or one has no name",
                shown(&c.binding)
            )));
        }
    }
    Ok(())
}

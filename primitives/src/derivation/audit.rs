//! Checking a derivation: every step is made again, every condition asked again, every pair of versions compared
//! by the interpreter. Spec: [rule: audit].

use super::values::Known;
use super::{Because, Chain, Derivation, FORMAT, Recorded, recorded, values};
use crate::ops::extract_subproc::extracted;
use crate::registry::{Args, Registry, Value};
use crate::tools::declared::with_types_of;
use crate::version::{Proc, Relation};
use rewright_effects::solver::answer_of_script;
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::diag::has_errors;
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::inputs::{Given, Search};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::typecheck::check_module;
use std::cell::RefCell;

/// A solver's answer to an SMT-LIB script.
pub type Ask<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// How thorough an audit is.
pub struct Options<'a> {
    /// Inputs that each pair of versions is compared on.
    pub inputs: u64,
    /// Another solver's answer to an SMT-LIB script, asked beside z3.
    pub second: Option<Ask<'a>>,
    /// What the definitions may use by name.
    pub prelude: &'a Prelude,
    /// The primitives that its steps may be of.
    pub primitives: &'a Registry,
}

/// What an audit has checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Procedures.
    pub chains: u64,
    /// Steps made again.
    pub steps: u64,
    /// Conditions compared.
    pub conditions: u64,
    /// Questions answered `unsat` by z3.
    pub solved: u64,
    /// Questions that the second solver did not decide.
    pub undecided: u64,
    /// Comparisons of two versions on an input.
    pub compared: u64,
}

/// Something that was written down is not so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct Finding {
    /// Which chain and step.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

/// Steps of z3 per question.
const STEPS: u32 = 50_000_000;

/// Checks a derivation.
///
/// # Errors
/// The first thing in it that is not so.
pub fn audit(d: &Derivation, options: &Options<'_>) -> Result<Summary, Finding> {
    let finding = |what: String| Finding { place: "derivation".to_owned(), what };
    if d.format != FORMAT {
        return Err(finding(format!("its format is {}, not {FORMAT}", d.format)));
    }
    if d.digest != d.digest_of_content() {
        return Err(finding("it was changed after it was written: its digest is another one".to_owned()));
    }
    let module = definitions(&d.definitions, options.prelude).map_err(finding)?;
    let mut summary = Summary::default();
    for chain in &d.chains {
        audit_chain(chain, &module, options, &mut summary)?;
    }
    Ok(summary)
}

fn definitions(text: &str, prelude: &Prelude) -> Result<Module, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("definitions", text);
    let mut parsed = parse_module(file, &sources, prelude);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(check_module(&parsed.module));
    if has_errors(&diagnostics) {
        return Err(format!("the definitions are wrong\n{}", render(&diagnostics, &sources, false)));
    }
    // What the file defines comes after what it finds, and hides it.
    parsed.module.procs = prelude.procs.iter().cloned().chain(parsed.module.procs).collect();
    parsed.module.configs = prelude.configs.iter().cloned().chain(parsed.module.configs).collect();
    Ok(parsed.module)
}

fn audit_chain(
    chain: &Chain,
    m: &Module,
    options: &Options<'_>,
    summary: &mut Summary,
) -> Result<Proc, Finding> {
    summary.chains += 1;
    let mut p = root(chain, m, options, summary)?;
    for (k, step) in chain.steps.iter().enumerate() {
        let place = format!("{}, step {} ({})", chain.binding, k + 1, step.primitive);
        p = audit_step(&p, step, m, options, summary).map_err(|what| Finding { place, what })?;
    }
    Ok(p)
}

/// The procedure that a chain begins with.
fn root(chain: &Chain, m: &Module, options: &Options<'_>, summary: &mut Summary) -> Result<Proc, Finding> {
    let found = match &chain.source {
        Some(caller) => extracted(&audit_chain(caller, m, options, summary)?),
        None => m.proc(&chain.root).map(|p| Proc::root_among(p.clone(), m.configs.iter().cloned())),
    };
    found.filter(|p| p.name().as_str() == chain.root).ok_or_else(|| {
        let what = format!("there is no definition `{}`", chain.root);
        Finding { place: chain.binding.clone(), what }
    })
}

fn audit_step(
    p: &Proc,
    step: &Recorded,
    m: &Module,
    options: &Options<'_>,
    summary: &mut Summary,
) -> Result<Proc, String> {
    summary.steps += 1;
    // A primitive may take several steps; what is written down is the first of those that are left.
    let last = again(p, step, m, options, summary)?;
    let new = last.history().get(p.depth() + 1).cloned().ok_or("it changes nothing")?;
    let made = new.origin().map(|o| recorded(&o.step, &new)).ok_or("it changes nothing")?;
    if made.after != step.after {
        return Err(format!("the procedure after it is another one:\n{}", made.after));
    }
    for (found, written) in made.conditions.iter().zip(&step.conditions) {
        if found != written {
            return Err(format!("condition `{}` is not what was required: `{}`", written.id, found.id));
        }
    }
    if made != *step {
        return Err("its arguments, conditions or relation are not those of the rewrite".to_owned());
    }
    for c in &step.conditions {
        summary.conditions += 1;
        if let Because::Solver { smt2, .. } = &c.because {
            solve(&c.id, smt2, options, summary)?;
        }
    }
    compare(p, &new, options.inputs, summary)?;
    Ok(new)
}

/// Makes a step again.
fn again(
    p: &Proc,
    step: &Recorded,
    m: &Module,
    options: &Options<'_>,
    summary: &mut Summary,
) -> Result<Proc, String> {
    let primitive = options.primitives.by_name(&step.primitive).ok_or("there is no such primitive")?;
    let names = |name: &str| {
        let proc = m.proc(name).map(|p| Value::Proc(Proc::root_among(p.clone(), m.configs.iter().cloned())));
        proc.or_else(|| {
            m.configs.iter().rev().find(|c| c.name.as_str() == name).map(|c| Value::Config(c.clone()))
        })
    };
    // What a procedure among the arguments is, is checked as well.
    let summary = RefCell::new(summary);
    let wrong = RefCell::new(None);
    let version = |chain: &Chain| match audit_chain(chain, m, options, &mut summary.borrow_mut()) {
        Ok(p) => Some(p),
        Err(finding) => {
            wrong.borrow_mut().get_or_insert(finding);
            None
        }
    };
    let known = Known { names: &names, version: &version };
    let read = |(name, json): &(String, serde_json::Value)| {
        let value = values::of_json(json, p, &known);
        value.map(|v| (name.clone(), v)).ok_or_else(|| format!("argument `{name}` cannot be read: {json}"))
    };
    let args = step.args.iter().map(read).collect::<Result<Vec<_>, String>>();
    let args = args.map_err(|what| wrong.borrow().as_ref().map_or(what, ToString::to_string))?;
    let args = Args::bind(primitive, Vec::new(), args).map_err(|e| e.to_string())?;
    (primitive.run)(p, &args).map_err(|e| format!("it is refused: {e}"))
}

fn solve(id: &str, smt2: &str, options: &Options<'_>, summary: &mut Summary) -> Result<(), String> {
    match answer_of_script(smt2, STEPS) {
        "unsat" => summary.solved += 1,
        answer => return Err(format!("z3 answers `{answer}` to condition `{id}`")),
    }
    if let Some(ask) = options.second {
        match ask(smt2)?.as_str() {
            "unsat" => {}
            "sat" => return Err(format!("the second solver answers `sat` to condition `{id}`")),
            _ => summary.undecided += 1,
        }
    }
    Ok(())
}

/// Holds two versions against the interpreter.
fn compare(old: &Proc, new: &Proc, inputs: u64, summary: &mut Summary) -> Result<(), String> {
    let Some(origin) = new.origin() else { return Ok(()) };
    let modulo = origin.step.modulo.iter().map(|f| ConfigKey { config: f.config, field: f.field }).collect();
    // A restriction is compared where the new version is defined.
    let (first, second) = match origin.step.relation {
        Relation::Equivalent | Relation::Rounded => (old, new),
        Relation::Restricted => (new, old),
        Relation::Specialised => return Ok(()),
    };
    let limits = Limits { statements: Some(200_000), cells: 1 << 20 };
    let comparer: Comparer<'_, RationalDomain> =
        Comparer::new(first.ast(), &with_types_of(second.ast(), first.ast()), modulo, limits)
            .map_err(|e| e.to_string())?;
    for seed in 0..inputs {
        let search = Search { max_cells: 256, budget: 2_000 };
        let Ok(input) = comparer.subject().generate(&Given::default(), seed, search) else { continue };
        if let Verdict::Differs(difference) = comparer.compare(&input) {
            return Err(format!("the two versions differ on {input}: {difference:?}"));
        }
        summary.compared += 1;
    }
    Ok(())
}

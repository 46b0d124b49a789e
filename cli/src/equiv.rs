//! `rewright equiv`.

use crate::args::Equiv;
use crate::load::load_with_script;
use crate::output::{Outcome, error, no_answer, put, say, short};
use crate::versions::{Version, Versions};
use rewright_primitives::equivalence::Equivalence;
use rewright_primitives::registry::Registry;
use rewright_primitives::tools::buffers::declared::with_types_of;
use rewright_semantics::ast::{Arg, Module, Proc, StmtKind};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Interpreted, Limits};
use rewright_semantics::equiv::{Comparer, Difference, Verdict};
use rewright_semantics::inputs::{Given, Input, Search, Subject};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::walk::{each_expr, each_stmt};
use rewright_semantics::types::ArgType;
use std::collections::BTreeSet;

/// Candidates tried to make a counterexample smaller.
const SHRINKS: u64 = 2_000;
/// After trials that took too many statements, and so many together, nobody waits for more.
const PATIENCE: u64 = 100_000_000;
/// Inputs of at most so many cells are also compared for all data at once.
const SYMBOLIC_CELLS: u64 = 64;

/// What came of all trials.
#[derive(Default)]
struct Tally {
    equal: u64,
    refined: u64,
    for_all_data: u64,
    /// Where fields were never set.
    unset: u64,
    skipped: u64,
    /// Of those skipped, the ones that took too many statements.
    gave_up: u64,
    first_refinement: Option<String>,
    /// Why an input was skipped, for the first of them.
    first_skip: Option<String>,
}

/// Compares two procedures on random inputs.
pub(crate) fn equiv(args: &Equiv, primitives: &Registry) -> Outcome {
    let Some(mut loaded) = load_with_script(&args.file) else { return Outcome::WrongInput };
    if args.refused {
        return Versions::of(&mut loaded, primitives).map_or_else(|outcome| outcome, |mut v| refused(&mut v));
    }
    match Versions::of(&mut loaded, primitives).and_then(|mut versions| pair(args, &mut versions)) {
        Ok(pair) => compare(args, &loaded.module, &pair),
        Err(outcome) => outcome,
    }
}

/// The program at which the script stops, and what would have come of it without the condition that does not hold.
fn refused(versions: &mut Versions<'_>) -> Outcome {
    let error_of = match versions.refusal() {
        Ok(e) => e,
        Err(outcome) => return outcome,
    };
    let Some(attempt) = error_of.attempt.as_ref() else {
        versions.tell(&error_of);
        return error("the script stops, but no condition refuses the line");
    };
    let condition = attempt.condition();
    let Some(tentative) = attempt.tentative() else {
        return no_answer(&format!("without `{condition}` the step makes no program"));
    };
    let [before, after] = [&tentative.before, &tentative.after].map(|p| proc_to_string(p));
    say(&format!("# Before\n{before}\n# Without `{condition}` the step would make\n{after}"));
    put("before", before);
    put("after", after);
    match attempt.difference(&tentative) {
        Some(difference) => {
            let difference = difference.to_string();
            error(&difference);
            put("verdict", "different");
            put("difference", difference);
            Outcome::Difference
        }
        None => {
            put("verdict", "none");
            no_answer("no input was found on which it differs from the program before")
        }
    }
}

/// Two procedures to compare.
struct Pair {
    first: Version,
    second: Version,
    /// Where the second was made from the first, what its steps promise.
    promised: Option<Equivalence>,
}

/// The two that are asked for; one alone, or the last one that the script binds, beside the definition that it was made
/// from.
fn pair(args: &Equiv, versions: &mut Versions<'_>) -> Result<Pair, Outcome> {
    let second = match (&args.first, &args.second) {
        (Some(a), Some(b)) => {
            let (first, second) = (versions.named(a)?, versions.named(b)?);
            return Ok(Pair { first, second, promised: None });
        }
        (Some(only), None) | (None, Some(only)) => versions.named(only)?,
        (None, None) => versions.last()?,
    };
    if second.proc.origin().is_none() {
        return Err(error(&format!("{} is a definition: what is it to be compared with?", second.name)));
    }
    let first = versions.definition_of(&second);
    match Equivalence::of_versions(&first.proc, &second.proc) {
        Ok(promised) => Ok(Pair { first, second, promised: Some(promised) }),
        Err(why) => {
            put("first", first.name.as_str());
            put("second", second.name.as_str());
            put("verdict", "none");
            let (first, second) = (&first.name, &second.name);
            Err(no_answer(&format!("{first} and {second} cannot be compared: {why}")))
        }
    }
}

fn compare(args: &Equiv, module: &Module, Pair { first, second, promised }: &Pair) -> Outcome {
    let old = first.proc.ast();
    let new: &Proc = &as_promised(second.proc.ast(), old, promised.as_ref());
    let strict = Equivalence::default();
    let promised = promised.as_ref().unwrap_or(&strict);
    let names = [first.name.as_str(), second.name.as_str()];
    let mut modulo = match fields(module, &args.modulo) {
        Ok(modulo) => modulo,
        Err(why) => return error(&why),
    };
    modulo.extend(promised.modulo.iter().map(|f| ConfigKey { config: f.config, field: f.field }));
    let rational = match comparer::<RationalDomain>(old, new, &modulo, args.steps) {
        Ok(c) => c,
        Err(why) => return error(&why),
    };
    let symbolic = match comparer::<SymbolicDomain>(old, new, &modulo, args.steps) {
        Ok(c) => c,
        Err(why) => return error(&why),
    };
    // Where the second admits fewer inputs, these are the ones that are tried.
    let admitted = Subject::pair(new, old);
    let subject = if promised.restricted { &admitted } else { rational.subject() };
    let exact = arithmetic(old, new);
    put("first", first.name.as_str());
    put("second", second.name.as_str());
    let mut tally = Tally::default();
    for trial in 0..args.trials {
        if tally.gave_up.saturating_mul(args.steps) >= PATIENCE {
            break;
        }
        let seed = args.seed.wrapping_add(trial);
        let input = match subject.generate(
            &Given::default(),
            seed,
            Search { max_cells: 1 << 16, ..Search::default() },
        ) {
            Ok(input) => input,
            Err(why) => return no_answer(&why.to_string()),
        };
        if let Some(text) = trial_in(&rational, subject, &input, &mut tally, Trial::Numbers) {
            return different(names, trial, &text, exact);
        }
        if let Some(input) = unset_fields(subject, new, promised, &input, seed)
            && let Some(text) = trial_in(&rational, subject, &input, &mut tally, Trial::Unset)
        {
            return different(names, trial, &text, exact);
        }
        if input.cells() <= SYMBOLIC_CELLS
            && let Some(text) = trial_in(&symbolic, subject, &input, &mut tally, Trial::AllData)
        {
            return different(names, trial, &text, exact);
        }
    }
    same(names, &tally, promised, exact)
}

/// What is to be said of the numbers: integers of the machine wrap, and these are those of mathematics.
fn arithmetic(old: &Proc, new: &Proc) -> &'static str {
    let of_arg = |a: &Arg| matches!(&a.typ, ArgType::Data { typ, mem: _ } if typ.elem.is_integer());
    let mut integers = [old, new].iter().any(|p| p.args.iter().any(of_arg));
    for p in [old, new] {
        each_stmt(&p.body, &mut |s| {
            integers |= matches!(s.kind.as_ref(), StmtKind::Alloc { typ, .. } if typ.elem.is_integer())
        });
    }
    if integers { " in exact arithmetic" } else { "" }
}

/// The input without its fields. Where the second is restricted by an assertion that reads a field, it admits none.
fn unset_fields(
    subject: &Subject<'_>,
    new: &Proc,
    promised: &Equivalence,
    input: &Input,
    seed: u64,
) -> Option<Input> {
    let mut reads = false;
    new.preds.iter().for_each(|e| each_expr(e, &mut |e| reads |= e.kind.field_read().is_some()));
    if promised.restricted && reads { None } else { subject.with_fields_unset(input, seed) }
}

/// The second as it can be run beside the first: that its steps changed the types of arguments, which are notes in exact
/// arithmetic, does not make it another procedure.
fn as_promised(new: &Proc, old: &Proc, promised: Option<&Equivalence>) -> Proc {
    if promised.is_some() { with_types_of(new, old) } else { new.clone() }
}

fn comparer<'p, D: Interpreted>(
    old: &'p Proc,
    new: &'p Proc,
    modulo: &BTreeSet<ConfigKey>,
    steps: u64,
) -> Result<Comparer<'p, D>, String> {
    Comparer::new(old, new, modulo.clone(), Limits::statements(steps)).map_err(|why| why.to_string())
}

/// What a trial is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trial {
    /// An input of numbers.
    Numbers,
    /// The same where some fields were never set.
    Unset,
    /// Data as variables.
    AllData,
}

/// One comparison; a description where the two differ.
fn trial_in<D: Interpreted>(
    comparer: &Comparer<'_, D>,
    subject: &Subject<'_>,
    input: &Input,
    tally: &mut Tally,
    trial: Trial,
) -> Option<String> {
    match comparer.compare(input) {
        Verdict::Equal => match trial {
            Trial::Numbers => tally.equal += 1,
            Trial::Unset => tally.unset += 1,
            Trial::AllData => tally.for_all_data += 1,
        },
        Verdict::Refines { first, .. } => {
            match trial {
                Trial::Numbers => tally.refined += 1,
                Trial::Unset => tally.unset += 1,
                Trial::AllData => {}
            }
            tally.first_refinement.get_or_insert_with(|| format!("{first} on {input}"));
        }
        Verdict::Differs(_) => {
            let mut still = |i: &Input| matches!(comparer.compare(i), Verdict::Differs(_));
            let small = subject.shrink(input, &mut still, SHRINKS);
            if let Verdict::Differs(difference) = comparer.compare(&small) {
                return Some(describe(&difference, &small, trial == Trial::AllData));
            }
        }
        // Polynomials decide less than numbers do, and what reads a field that is not set fails: what they leave open
        // was compared with numbers.
        skipped @ (Verdict::Undecided { .. }
        | Verdict::InputRejected(_)
        | Verdict::OldFails(_)
        | Verdict::GaveUp(_)) => {
            if trial == Trial::Numbers
                && let Some(why) = why_skipped(&skipped)
            {
                tally.skipped += 1;
                tally.gave_up += u64::from(matches!(skipped, Verdict::GaveUp(_)));
                tally.first_skip.get_or_insert(why);
            }
        }
    }
    None
}

/// Why an input says nothing about the two.
fn why_skipped<V: std::fmt::Display>(verdict: &Verdict<V>) -> Option<String> {
    match verdict {
        Verdict::Equal | Verdict::Refines { .. } | Verdict::Differs(_) => None,
        Verdict::Undecided { at, old, new } => {
            Some(format!("it cannot be told whether {at} is the same: {old}, {new}"))
        }
        Verdict::InputRejected(fault) => Some(format!("the input is not one of the first: {fault}")),
        Verdict::OldFails(fault) => Some(format!("the first fails: {fault}")),
        Verdict::GaveUp(fault) => Some(fault.to_string()),
    }
}

fn describe<V: std::fmt::Display>(difference: &Difference<V>, input: &Input, all_data: bool) -> String {
    let what = match difference {
        Difference::Values { at, old, new } => format!("{at} is {old} in the first and {new} in the second"),
        Difference::NewFails(fault) => format!("the second fails: {fault}"),
    };
    let scope = if all_data { " (data as variables)" } else { "" };
    format!("{what}{scope}\n  input: {input}")
}

fn different([first, second]: [&str; 2], trial: u64, text: &str, exact: &str) -> Outcome {
    error(&format!("{first} and {second} differ{exact}: {}", short(text)));
    put("verdict", "different");
    put("trial", trial);
    put("difference", text);
    Outcome::Difference
}

fn same([first, second]: [&str; 2], tally: &Tally, promised: &Equivalence, exact: &str) -> Outcome {
    let Tally { equal, refined, for_all_data, unset, skipped, gave_up, first_refinement, first_skip } = tally;
    put("compared", equal + refined);
    put("refined", *refined);
    put("equal_for_all_data", *for_all_data);
    put("equal_with_fields_unset", *unset);
    put("skipped", *skipped);
    if equal + refined == 0 {
        put("verdict", "none");
        let why = first_skip.as_ref().map_or(String::new(), |why| format!("; on the first, {why}"));
        return no_answer(&format!("none of {skipped} inputs could be compared{why}"));
    }
    put("verdict", if *refined > 0 { "refines" } else { "equal" });
    let unset = match unset {
        0 => String::new(),
        n => format!(" and on {n} with fields that were never set"),
    };
    say(&format!(
        "{first} and {second} agree{exact} on {} inputs ({for_all_data} of them also for all data; {skipped} skipped){unset}",
        equal + refined,
    ));
    if !promised.modulo.is_empty() {
        let fields: Vec<String> = promised.modulo.iter().map(|f| f.var().to_string()).collect();
        say(&format!("its steps may leave other values in {}: not compared", fields.join(", ")));
        put("modulo", fields);
    }
    if promised.restricted {
        say(&format!("only inputs that {second} admits were tried"));
    }
    if *gave_up > 0 {
        say(&format!(
            "{gave_up} inputs took too many statements: fewer are looked at with --trials, more done with --steps"
        ));
    }
    if let Some(first) = first_refinement {
        put("refinement", first.as_str());
        let often = if *refined > 0 { format!(" on {refined} of them") } else { String::new() };
        say(&format!("the second defines what the first leaves ⊥{often}, such as {first}"));
    }
    Outcome::Fine
}

fn fields(m: &Module, texts: &[String]) -> Result<BTreeSet<ConfigKey>, String> {
    texts.iter().map(|text| field(m, text)).collect()
}

fn field(m: &Module, text: &str) -> Result<ConfigKey, String> {
    let (config, field) = text
        .split_once('.')
        .ok_or_else(|| format!("--modulo takes fields such as Cfg.stride, not {text}"))?;
    let key = ConfigKey { config: Name::new(config), field: Name::new(field) };
    let known = m.configs.iter().any(|c| c.name == key.config && c.field(key.field).is_some());
    if known { Ok(key) } else { Err(format!("the file has no configuration field {text}")) }
}

//! `rewright equiv`.

use crate::args::Equiv;
use crate::load::load_with_script;
use crate::output::{Outcome, error, no_answer, put, say, short};
use crate::versions::{Version, Versions};
use rewright_primitives::equivalence::Equivalence;
use rewright_primitives::registry::Registry;
use rewright_primitives::tools::buffers::declared::with_types_of;
use rewright_semantics::ast::{Arg, Module, Proc, StmtKind};
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Compared, Found, NotCompared, Tally, Trials, on_trials};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::ArgType;
use std::collections::BTreeSet;

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
    put("first", first.name.as_str());
    put("second", second.name.as_str());
    let trials = Trials {
        count: args.trials,
        seed: args.seed,
        limits: Limits::statements(args.steps),
        restricted: promised.restricted,
    };
    let exact = arithmetic(old, new);
    match on_trials(old, new, &modulo, trials) {
        Ok(Compared::Agree(tally)) => same(names, &tally, promised, exact),
        Ok(Compared::Differ(found)) => different(names, &found, exact),
        Err(NotCompared::Signature(why)) => error(&why.to_string()),
        Err(NotCompared::Input(why)) => no_answer(&why.to_string()),
    }
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

/// The second as it can be run beside the first: that its steps changed the types of arguments, which are notes in exact
/// arithmetic, does not make it another procedure.
fn as_promised(new: &Proc, old: &Proc, promised: Option<&Equivalence>) -> Proc {
    if promised.is_some() { with_types_of(new, old) } else { new.clone() }
}

fn different([first, second]: [&str; 2], found: &Found, exact: &str) -> Outcome {
    let Found { trial, what, input, all_data } = found;
    let scope = if *all_data { " (data as variables)" } else { "" };
    let text = format!("{what}{scope}\n  input: {input}");
    error(&format!("{first} and {second} differ{exact}: {}", short(&text)));
    put("verdict", "different");
    put("trial", *trial);
    put("difference", text);
    Outcome::Difference
}

fn same([first, second]: [&str; 2], tally: &Tally, promised: &Equivalence, exact: &str) -> Outcome {
    let Tally { equal, refined, for_all_data, unset, skipped, gave_up, first_refinement, first_skip, .. } =
        tally;
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

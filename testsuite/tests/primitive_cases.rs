//! The cases of every primitive: accepted and equivalent, or refused for the reason given; and every condition
//! that guards the meaning has a case that goes wrong without it. Spec: [rule: cases], [rule: buffers], [rule: buffers.precision], [rule: numbers].

use libtest_mimic::{Arguments, Failed, Trial};
use rewright_campaign::corpus::{Case, Expect, Mutant, Ran, mutant, read, verify};
use rewright_primitives::ops::{self, extract_subproc::extracted};
use rewright_primitives::registry::{Guards, Primitive};
use rewright_primitives::version::Reason;
use rewright_primitives::version::session::Session;
use rewright_semantics::pretty::proc_to_string;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

fn main() {
    let trials = ops::ALL.iter().map(|p| Trial::test(p.name, || primitive(p))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The least number of accepted and of refused cases.
const LEAST: usize = 6;

fn primitive(p: &'static Primitive) -> Result<(), Failed> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/primitives").join(p.name).with_extension("py");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let cases = read(&text)?;
    let mut wrong = Vec::new();
    let mut golden = String::new();
    for case in &cases {
        match verify(case) {
            Ok(ran) => describe(case, &ran, &mut golden),
            Err(what) => wrong.push(format!("{}: {what}", case.name)),
        }
    }
    let accepted = cases.iter().filter(|c| c.expect == Expect::Accept).count();
    let refused = cases.len() - accepted;
    // What takes no arguments and has no conditions cannot refuse: twice as many then show what it leaves alone.
    let (least, wanted) = if p.params.is_empty() && refused == 0 { (2 * LEAST, 0) } else { (LEAST, LEAST) };
    if accepted < least || refused < wanted {
        wrong.push(format!("only {accepted} cases are accepted and {refused} refused"));
    }
    wrong.extend(unbroken(p, &cases));
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../corpus/primitives/golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(p.name, golden));
    Ok(())
}

/// The conditions that no case shows to be needed.
fn unbroken(p: &'static Primitive, cases: &[Case]) -> Vec<String> {
    let mut out = Vec::new();
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for case in cases {
        let Some(condition) = case.breaks.as_deref().and_then(|id| p.condition(id)) else {
            if let Some(id) = &case.breaks {
                out.push(format!("{}: `{id}` is not a condition of {}", case.name, p.name));
            }
            continue;
        };
        match mutant(case, &Session::for_mutants([(p.name, condition.id)])) {
            Ok(Mutant::Killed(_)) => drop(shown.insert(condition.id)),
            Ok(Mutant::Refused(why)) => {
                out.push(format!("{}: refused without `{}` too: {why}", case.name, condition.id))
            }
            Ok(Mutant::Survived) => {
                out.push(format!("{}: nothing breaks without `{}`", case.name, condition.id))
            }
            Err(what) => out.push(format!("{}: {what}", case.name)),
        }
    }
    let needed = p.conditions.iter().filter(|c| c.guards == Guards::Meaning && !shown.contains(c.id));
    out.extend(needed.map(|c| format!("no case shows that `{}` is needed", c.id)));
    out
}

/// What came of a case, for review.
fn describe(case: &Case, ran: &Ran, out: &mut String) {
    let _ = writeln!(out, "== {}", case.name);
    match (&ran.error, &ran.after) {
        (Some(e), _) => {
            let d = e.diagnostic();
            let _ = writeln!(out, "{}: {}", d.primary.text, d.message);
            for more in d.notes.iter().chain(&d.help) {
                let _ = writeln!(out, "  {more}");
            }
            if let Some((_, difference)) = e.confirmed() {
                let _ = writeln!(out, "  without the condition, {difference}");
            }
        }
        (None, Some(new)) => {
            let _ = write!(out, "{}", proc_to_string(new.ast()));
            if let Some(sub) = extracted(new) {
                let _ = write!(out, "{}", proc_to_string(sub.ast()));
            }
            for done in new.origin().iter().flat_map(|o| &o.step.discharged) {
                let why = match &done.by {
                    Reason::Syntax => "by syntax".to_owned(),
                    Reason::Omitted => "not asked for".to_owned(),
                    Reason::Solver { obligation, .. } => obligation.sentence.clone(),
                };
                let _ = writeln!(out, "  {}: {why}", done.condition);
            }
        }
        (None, None) => {}
    }
    out.push('\n');
}

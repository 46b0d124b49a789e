//! The cases of every primitive: accepted and equivalent, or refused for the reason given; and every condition
//! that guards the meaning has a case that goes wrong without it. One named test per case:
//! `cargo test --test primitive_cases 'lift_alloc::out of a loop'`. What comes of all cases of a primitive is a snapshot:
//! `… lift_alloc::golden`. Spec: [rule: cases], [rule: buffers], [rule: buffers.precision], [rule: numbers].

use libtest_mimic::{Arguments, Failed, Trial};
use rewright_campaign::corpus::{Case, Expect, Mutant, Ran, mutant, read, run, verify};
use rewright_primitives::Proc;
use rewright_primitives::ops::{self, extract_subproc::extracted};
use rewright_primitives::registry::{ArgKind, Guards, Primitive};
use rewright_primitives::version::Reason;
use rewright_primitives::version::session::Session;
use rewright_semantics::pretty::proc_to_string;
use similar::TextDiff;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let trials = ops::ALL.iter().copied().flat_map(trials).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The tests of a primitive: one for each of its cases, one for all of them together.
fn trials(p: &'static Primitive) -> Vec<Trial> {
    let cases: Arc<[Case]> = match cases(p) {
        Ok(cases) => cases.into(),
        Err(what) => return vec![Trial::test(format!("{}::cases", p.name), || Err(what.into()))],
    };
    let each = |case: &Case| {
        let (name, case) = (format!("{}::{}", p.name, case.name), case.clone());
        Trial::test(name, move || comes_out(p, &case))
    };
    let mut trials: Vec<Trial> = cases.iter().map(each).collect();
    let among = cases.clone();
    trials.push(Trial::test(format!("{}::cases", p.name), move || enough(p, &among)));
    trials.push(Trial::test(format!("{}::golden", p.name), move || golden(p, &cases)));
    trials
}

fn cases(p: &Primitive) -> Result<Vec<Case>, String> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/primitives").join(p.name).with_extension("py");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    read(&text)
}

/// A case comes out as it must; and the condition that it needs, it needs.
fn comes_out(p: &'static Primitive, case: &Case) -> Result<(), Failed> {
    verify(case)?;
    let Some(id) = &case.breaks else { return Ok(()) };
    let condition = p.condition(id).ok_or_else(|| format!("`{id}` is not a condition of {}", p.name))?;
    match mutant(case, &Session::for_mutants([(p.name, condition.id)]))? {
        Mutant::Killed(_) => Ok(()),
        Mutant::Refused(why) => Err(format!("refused without `{id}` too: {why}").into()),
        Mutant::Survived => Err(format!("nothing breaks without `{id}`").into()),
    }
}

/// The least number of accepted and of refused cases.
const LEAST: usize = 6;

/// A primitive has cases of all kinds: accepted ones, refused ones, one for each condition that guards the meaning.
fn enough(p: &Primitive, cases: &[Case]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    let accepted = cases.iter().filter(|c| c.expect == Expect::Accept).count();
    let refused = cases.len() - accepted;
    // What takes nothing but flags and has no conditions cannot refuse: twice as many then show what it leaves alone.
    let has_flags_alone = p.params.iter().all(|x| matches!(x.kind, ArgKind::Bool));
    let (least, wanted) = if has_flags_alone && refused == 0 { (2 * LEAST, 0) } else { (LEAST, LEAST) };
    if accepted < least || refused < wanted {
        wrong.push(format!("only {accepted} cases are accepted and {refused} refused"));
    }
    let mut names = BTreeSet::new();
    let twice = cases.iter().filter(|c| !names.insert(&c.name));
    wrong.extend(twice.map(|c| format!("two cases have the name `{}`", c.name)));
    let shown = |id: &str| cases.iter().any(|c| c.breaks.as_deref() == Some(id));
    let needed = p.conditions.iter().filter(|c| c.guards == Guards::Meaning && !shown(c.id));
    wrong.extend(needed.map(|c| format!("no case shows that `{}` is needed", c.id)));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// What came of the cases, for review: of the smallest accepted one the program, of the others what changed.
fn golden(p: &Primitive, cases: &[Case]) -> Result<(), Failed> {
    let ran = cases.iter().map(|c| run(c).map_err(|what| format!("{}: {what}", c.name)));
    let ran: Vec<Ran> = ran.collect::<Result<_, _>>()?;
    let accepted = ran.iter().enumerate().filter_map(|(k, ran)| Some((k, ran.after.as_ref()?)));
    let smallest = accepted.min_by_key(|(_, new)| printed(new).lines().count()).map(|(k, _)| k);
    let mut out = String::new();
    for (k, (case, ran)) in cases.iter().zip(&ran).enumerate() {
        let _ = writeln!(out, "== {}", case.name);
        match (&ran.error, &ran.after) {
            (Some(_), _) | (None, None) => refusal(ran, &mut out),
            (None, Some(new)) => {
                out.push_str(&if Some(k) == smallest { printed(new) } else { change(&ran.before, new) });
                proofs(new, &mut out);
            }
        }
        out.push('\n');
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../corpus/primitives/golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(p.name, out));
    Ok(())
}

fn refusal(ran: &Ran, out: &mut String) {
    let Some(e) = &ran.error else { return };
    let d = e.diagnostic();
    let _ = writeln!(out, "{}: {}", d.primary.text, d.message);
    for more in d.notes.iter().chain(&d.help) {
        let _ = writeln!(out, "  {more}");
    }
    if let Some((_, difference)) = e.confirmed() {
        let _ = writeln!(out, "  without the condition, {difference}");
    }
}

/// A version, and what was extracted when it was made.
fn printed(new: &Proc) -> String {
    let mut out = proc_to_string(new.ast());
    if let Some(sub) = extracted(new) {
        out.push_str(&proc_to_string(sub.ast()));
    }
    out
}

/// The lines that the last line of a script changed, with what is around them; the whole where that is shorter.
fn change(before: &Proc, new: &Proc) -> String {
    let (whole, versions) = (printed(new), new.history());
    // A script may go back to an older version, or on to another procedure.
    let old = proc_to_string(before.ast());
    let old = match versions.iter().any(|v| proc_to_string(v.ast()) == old) {
        true => old,
        false => versions.first().map(|v| proc_to_string(v.ast())).unwrap_or_default(),
    };
    if old == whole {
        return "unchanged\n".to_owned();
    }
    let lines = TextDiff::from_lines(&old, &whole).unified_diff().context_radius(1).to_string();
    if lines.lines().count() < whole.lines().count() { lines } else { whole }
}

/// What was required and how it was found true, each once.
fn proofs(new: &Proc, out: &mut String) {
    let mut without_proof: [(&str, Vec<(&str, usize)>); 3] =
        [("by syntax", Vec::new()), ("not asked for", Vec::new()), ("postponed", Vec::new())];
    let mut solved: Vec<(String, usize)> = Vec::new();
    for done in new.origin().iter().flat_map(|o| &o.step.discharged) {
        match &done.by {
            Reason::Syntax => count(&mut without_proof[0].1, done.condition),
            Reason::Omitted => count(&mut without_proof[1].1, done.condition),
            Reason::Postponed { .. } => count(&mut without_proof[2].1, done.condition),
            Reason::Solver { obligation, .. } => {
                count(&mut solved, format!("{}: {}", done.condition, obligation.sentence));
            }
        }
    }
    for (how, conditions) in without_proof.iter().filter(|(_, conditions)| !conditions.is_empty()) {
        let conditions: Vec<String> = conditions.iter().map(|(c, n)| times(c, *n)).collect();
        let _ = writeln!(out, "  {how}: {}", conditions.join(", "));
    }
    for (sentence, n) in &solved {
        let _ = writeln!(out, "  {}", times(sentence, *n));
    }
}

fn count<T: PartialEq>(counted: &mut Vec<(T, usize)>, item: T) {
    match counted.iter_mut().find(|(known, _)| *known == item) {
        Some((_, n)) => *n += 1,
        None => counted.push((item, 1)),
    }
}

fn times(what: &str, n: usize) -> String {
    if n == 1 { what.to_owned() } else { format!("{what} (×{n})") }
}

//! Cases of primitives as data: programs with a script, and what must come of its last line. Spec: [rule: cases].
//!
//! A file holds several, each from a line `# case: …` to the next. `# expect: accept`, `refuse CONDITION`,
//! `invalid` (a cursor or pattern that leads nowhere) or `argument` (an argument that makes no sense).
//! `# family: N …` names the families of faults that the program belongs to, `# exo-refuses` says that Exo refuses
//! what is sound here.
//! `# breaks: CONDITION` says that the last line changes the program's meaning when the condition is dropped.

use crate::check;
use rewright_primitives::Proc;
use rewright_primitives::error::{ARGUMENT, Error};
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{self, Cause, Run, ScriptError};
use rewright_primitives::version::session::Session;
use rewright_semantics::diag::{Severity, has_errors};
use rewright_semantics::parse::parse_module;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// What must come of it.
    pub expect: Expect,
    /// The condition whose absence it shows to be wrong.
    pub breaks: Option<String>,
    /// The families of faults in other systems that it belongs to. Spec: [rule: cases.families].
    pub families: Vec<u32>,
    /// Whether Exo refuses it, though it is sound.
    pub exo_refuses: bool,
    /// Definitions and script.
    pub text: String,
}

/// What must come of a case's last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// It is accepted, and equivalent.
    Accept,
    /// It is refused by this condition.
    Refuse(String),
    /// It is refused, or accepted and equivalent: all that can be said of a case that was found at random.
    Sound,
    /// A cursor or pattern leads nowhere.
    Invalid,
    /// An argument makes no sense.
    Argument,
}

/// The cases of a file.
///
/// # Errors
/// A case without a proper expectation.
pub fn read(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("# case:") {
            let name = name.trim().to_owned();
            cases.push(Case {
                name,
                expect: Expect::Accept,
                breaks: None,
                families: Vec::new(),
                exo_refuses: false,
                text: String::new(),
            });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        if let Some(expect) = line.strip_prefix("# expect:") {
            case.expect = match expect.trim().split_once(' ').unwrap_or((expect.trim(), "")) {
                ("accept", "") => Expect::Accept,
                ("refuse", condition) if !condition.is_empty() => Expect::Refuse(condition.trim().to_owned()),
                ("sound", "") => Expect::Sound,
                ("invalid", "") => Expect::Invalid,
                ("argument", "") => Expect::Argument,
                _ => return Err(format!("{}: `{expect}` is no expectation", case.name)),
            };
        } else if let Some(condition) = line.strip_prefix("# breaks:") {
            case.breaks = Some(condition.trim().to_owned());
        } else if let Some(families) = line.strip_prefix("# family:") {
            let numbers = families.split_whitespace().map(str::parse);
            case.families = numbers
                .collect::<Result<_, _>>()
                .map_err(|_| format!("{}: `{families}` are no numbers of families", case.name))?;
        } else if line.trim_end() == "# exo-refuses" {
            case.exo_refuses = true;
        } else {
            case.text.push_str(line);
            case.text.push('\n');
        }
    }
    Ok(cases)
}

/// A case that was run.
#[derive(Debug)]
pub struct Ran {
    /// The procedure that the last line was applied to, or the last one bound before it.
    pub before: Proc,
    /// What the last line bound; `None` when it was refused.
    pub after: Option<Proc>,
    /// Why it stopped.
    pub error: Option<ScriptError>,
}

/// Runs a case: every line but the last must go through.
///
/// # Errors
/// The case itself is wrong: its definitions, or a line before the last.
pub fn run(case: &Case) -> Result<Ran, String> {
    run_in(&Session::new(), case)
}

/// The same in a session.
///
/// # Errors
/// As [`run`].
pub fn run_in(session: &Session, case: &Case) -> Result<Ran, String> {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add("case.py", case.text.as_str());
    let mut parsed = parse_module(file, &sources, &prelude);
    parsed.diagnostics.extend(check_module(&parsed.module));
    if has_errors(&parsed.diagnostics) {
        parsed.diagnostics.retain(|d| d.severity == Severity::Error);
        return Err(render(&parsed.diagnostics, &sources, false));
    }
    let shown = |e: &ScriptError| render(&[e.diagnostic()], &sources, false);
    let lines = script::parse(file, &case.text).map_err(|e| shown(&e))?;
    let Some((_, earlier)) = lines.split_last() else { return Err("there is no line to run".to_owned()) };
    let primitives = Registry::standard();
    let prepared = script::run_with(session, &primitives, &parsed.module, &prelude, earlier);
    if let Some(error) = &prepared.error {
        return Err(format!("a line before the last is refused\n{}", shown(error)));
    }
    let Run { bindings, error, .. } =
        script::run_with(session, &primitives, &parsed.module, &prelude, &lines);
    let root = parsed.module.procs.last().map(|p| session.root(p.clone()));
    let before = prepared.bindings.last().map(|b| b.proc.clone()).or(root).ok_or("there is no procedure")?;
    // Of a line that binds two procedures, the one that was rewritten.
    let last = bindings.iter().rev().find(|b| b.proc.origin().is_some()).or(bindings.last());
    let after = if error.is_none() { last.map(|b| b.proc.clone()) } else { None };
    if error.is_none() && after.is_none() {
        return Err("the last line binds no procedure".to_owned());
    }
    Ok(Ran { before, after, error })
}

/// Whether a case comes out as it must.
///
/// # Errors
/// It does not: how.
pub fn verify(case: &Case) -> Result<Ran, String> {
    let ran = run(case)?;
    let found = match (&ran.error, &ran.after) {
        (None, _) => Expect::Accept,
        (Some(e), _) => match &e.cause {
            Cause::Refused(Error::Scheduling(e)) if e.condition == ARGUMENT => Expect::Argument,
            Cause::Refused(Error::Scheduling(e)) => Expect::Refuse(e.condition.to_owned()),
            Cause::Refused(Error::InvalidCursor(_)) => Expect::Invalid,
            Cause::Refused(e @ Error::Internal { .. }) => return Err(e.to_string()),
            Cause::Wrong { message, .. } => return Err(message.clone()),
        },
    };
    let is_fine = match (&case.expect, &found) {
        (Expect::Sound, Expect::Accept | Expect::Refuse(_)) => true,
        (expected, found) => expected == found,
    };
    if !is_fine {
        let why = ran.error.as_ref().map(|e| e.diagnostic().message).unwrap_or_default();
        return Err(format!("expected {:?}, found {found:?}: {why}", case.expect));
    }
    if let Some(new) = &ran.after {
        // From the version the script began with: all of its lines at once, and each step on its own.
        let versions = new.history();
        for pair in versions.windows(2) {
            let [old, new] = pair else { continue };
            check(old, new, 7, 12).map_err(|what| format!("wrong: {what}\n{new}"))?;
        }
    }
    Ok(ran)
}

/// What becomes of a case when a condition is dropped.
#[derive(Debug, PartialEq, Eq)]
pub enum Mutant {
    /// The rewrite is accepted and wrong: the condition is needed.
    Killed(String),
    /// The rewrite is still refused.
    Refused(String),
    /// The rewrite is accepted, and no difference was found.
    Survived,
}

/// Runs a case in a session in which a condition of the primitive its last line applies is left out.
///
/// # Errors
/// The case itself is wrong.
pub fn mutant(case: &Case, session: &Session) -> Result<Mutant, String> {
    let ran = run_in(session, case)?;
    match (&ran.error, &ran.after) {
        (Some(e), _) => Ok(Mutant::Refused(e.diagnostic().message)),
        (None, None) => Ok(Mutant::Survived),
        (None, Some(new)) => Ok(difference(new).map_or(Mutant::Survived, Mutant::Killed)),
    }
}

/// A difference between a version and one it was made from.
fn difference(new: &Proc) -> Option<String> {
    let versions = new.history();
    versions.windows(2).find_map(|pair| match pair {
        [old, new] => check(old, new, 7, 120).err(),
        _ => None,
    })
}

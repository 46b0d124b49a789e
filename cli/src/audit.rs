//! `rewright audit`.

use crate::args::Audit;
use crate::input::{name_of, read};
use crate::output::{Outcome, error, put, say};
use rewright_backends::machines;
use rewright_primitives::derivation::Derivation;
use rewright_primitives::derivation::audit::{Options, audit as check};
use rewright_primitives::registry::Registry;
use rewright_semantics::span::SourceMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Checks a derivation.
pub(crate) fn audit(args: &Audit, primitives: &Registry) -> Outcome {
    let name = name_of(&args.derivation);
    let text = match read(&args.derivation) {
        Ok(text) => text,
        Err(why) => return error(&why),
    };
    let derivation: Derivation = match serde_json::from_str(&text) {
        Ok(derivation) => derivation,
        Err(why) => return error(&format!("{name} is not a derivation: {why}")),
    };
    let prelude = machines::prelude(&mut SourceMap::new());
    let ask = |smt2: &str| match &args.solver {
        Some(solver) => second_opinion(solver, smt2),
        None => Err("there is no second solver".to_owned()),
    };
    let second = args.solver.as_ref().map(|_| -> &dyn Fn(&str) -> Result<String, String> { &ask });
    match check(&derivation, &Options { inputs: args.trials, second, prelude: &prelude, primitives }) {
        Ok(s) => {
            put("schedules", s.chains);
            put("steps", s.steps);
            put("conditions", s.conditions);
            put("solved", s.solved);
            put("undecided", s.undecided);
            put("compared", s.compared);
            let undecided = if s.undecided > 0 {
                format!(", {} undecided by the second solver", s.undecided)
            } else {
                String::new()
            };
            say(&format!(
                "{name}: ok ({} schedules, {} steps, {} conditions, {} of them solved{undecided}, {} comparisons by the interpreter)",
                s.chains, s.steps, s.conditions, s.solved, s.compared
            ));
            Outcome::Fine
        }
        Err(finding) => {
            error(&format!("{name}: {finding}"));
            Outcome::Difference
        }
    }
}

/// What another solver prints about a script: its first line.
fn second_opinion(solver: &Path, smt2: &str) -> Result<String, String> {
    let mut file = tempfile::Builder::new().suffix(".smt2").tempfile().map_err(|e| e.to_string())?;
    file.write_all(smt2.as_bytes()).map_err(|e| e.to_string())?;
    let out = Command::new(solver).arg(file.path()).output();
    let out = out.map_err(|e| format!("{} cannot be run: {e}", solver.display()))?;
    let text = String::from_utf8_lossy(&out.stdout);
    match text.lines().next().map(str::trim) {
        Some(answer @ ("sat" | "unsat" | "unknown")) => Ok(answer.to_owned()),
        Some(_) | None => Ok("unknown".to_owned()),
    }
}

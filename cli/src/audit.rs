//! `rewright audit`.

use crate::args::Audit;
use crate::input::{name_of, read};
use crate::output::{Outcome, complain, draws_progress, error, put, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rewright_primitives::derivation::Derivation;
use rewright_primitives::derivation::audit::{Options, Summary, audit as check};
use rewright_primitives::registry::Registry;
use rewright_semantics::span::SourceMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Checks a derivation.
pub(crate) fn audit(args: &Audit, primitives: &Registry) -> Outcome {
    let name = name_of(&args.derivation);
    let text = match read(&args.derivation) {
        Ok(text) => text,
        Err(why) => return error(&why),
    };
    let derivation = match Derivation::of_json(&text) {
        Ok(derivation) => derivation,
        Err(why) => return error(&format!("{name} is not a derivation: {why}")),
    };
    if let Some(why) = args.solver.as_ref().and_then(|solver| no_solver(solver)) {
        return error(&why);
    }
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let ask = |smt2: &str| match &args.solver {
        Some(solver) => second_opinion(solver, smt2),
        None => Err("there is no second solver".to_owned()),
    };
    let second = args.solver.as_ref().map(|_| -> &dyn Fn(&str) -> Result<String, String> { &ask });
    let bar = Bar::new();
    let progress = |done, all| bar.show(done, all);
    let options = Options {
        inputs: args.trials,
        statements: args.steps,
        second,
        progress: Some(&progress),
        ..Options::new(&prelude, primitives)
    };
    let result = check(&derivation, &options);
    bar.bar.finish_and_clear();
    match result {
        Ok(summary) => {
            tell(&name, &summary);
            Outcome::Fine
        }
        Err(finding) => {
            error(&format!("{name}: {finding}"));
            Outcome::Difference
        }
    }
}

fn tell(name: &str, s: &Summary) {
    put("script", s.script);
    put("schedules", s.chains);
    put("steps", s.steps);
    put("conditions", s.conditions);
    put("solved", s.solved);
    put("undecided", s.undecided);
    put("compared", s.compared);
    put("compared_with_fields_unset", s.unset);
    put("not_compared", s.open.iter().map(ToString::to_string).collect::<Vec<String>>());
    let by = if s.script { "" } else { " of a program" };
    let undecided = match s.undecided {
        0 => String::new(),
        n => format!(", {n} undecided by the second solver"),
    };
    let unset = match s.unset {
        0 => String::new(),
        n => format!(", {n} of them with fields that were never set"),
    };
    say(&format!(
        "{name}: ok ({} schedules{by}, {} steps, {} conditions, {} of them solved{undecided}, {} comparisons by the interpreter{unset})",
        s.chains, s.steps, s.conditions, s.solved, s.compared
    ));
    for open in &s.open {
        complain(&format!("not compared: {open}"));
    }
}

/// How far an audit has come, where it takes more than a second.
struct Bar {
    bar: ProgressBar,
    since: Instant,
}

impl Bar {
    fn new() -> Bar {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} steps, {elapsed}");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar { bar, since: Instant::now() }
    }

    fn show(&self, done: u64, all: u64) {
        self.bar.set_length(all);
        self.bar.set_position(done);
        if self.bar.is_hidden() && self.since.elapsed() > Duration::from_secs(1) && draws_progress() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }
}

/// Why a program is no second solver: it does not see that a contradiction is one.
fn no_solver(solver: &Path) -> Option<String> {
    match second_opinion(solver, "(set-logic ALL)\n(assert false)\n(check-sat)\n") {
        Ok(answer) if answer == "unsat" => None,
        Ok(_) => Some(format!(
            "`{}` is no second solver: given a file with `(assert false) (check-sat)`, it does not answer `unsat`",
            solver.display()
        )),
        Err(why) => Some(why),
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

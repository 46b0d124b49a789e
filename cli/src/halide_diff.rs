//! `rewright halide diff`: the Python module `rewright.halide` runs a pipeline here and in Halide. Spec:
//! [rule: halide.peer.diff].

use crate::args::HalideDiff;
use crate::input::read;
use crate::output::{Outcome, complain, error, no_answer, put, say};
use serde_json::Value;
use std::process::{Command, Output};

/// What the module is called.
const MODULE: &str = "rewright.halide";

pub(crate) fn diff(args: &HalideDiff) -> Outcome {
    if let Err(why) = read(&args.file) {
        return error(&why);
    }
    let run = Command::new(&args.python).args(["-m", MODULE, "diff", "--json"]).arg(&args.file).output();
    match run {
        Ok(output) => told(args, &output),
        Err(why) => no_answer(&format!(
            "`{}` cannot be run: {why}; `--python` names an interpreter that has the module `{MODULE}`",
            args.python
        )),
    }
}

/// What the module says; without an answer, why there is none.
fn told(args: &HalideDiff, output: &Output) -> Outcome {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let last = out.lines().last().unwrap_or_default();
    let Ok(answer) = serde_json::from_str::<Value>(last) else {
        return unanswered(args, output.status.code(), err.trim());
    };
    for key in ["verdict", "reason", "kind", "regions", "smallest"] {
        put(key, answer.get(key).cloned().unwrap_or_default());
    }
    let text = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default();
    let (verdict, reason) = (text("verdict"), text("reason"));
    let line = if reason.is_empty() { verdict.to_owned() } else { format!("{verdict}: {reason}") };
    for (func, region) in answer.get("regions").and_then(Value::as_object).into_iter().flatten() {
        if let Some(shown) = shown(region) {
            complain(&format!("region of `{func}`: {shown}"));
        }
    }
    match output.status.code() {
        Some(0) => {
            say(&line);
            Outcome::Fine
        }
        Some(3) => {
            error(&line);
            let small = text("smallest");
            if !small.is_empty() {
                say(&format!("smaller:\n{}", small.trim_end()));
            }
            Outcome::Difference
        }
        _ => no_answer(&line),
    }
}

/// How a region lies to Halide's, where it is not the same.
fn shown(region: &Value) -> Option<String> {
    let word = region.get(0)?.as_str().filter(|w| *w != "equal")?;
    Some(format!("{word}, {} here, {} in Halide", region.get(1)?, region.get(2)?))
}

fn unanswered(args: &HalideDiff, code: Option<i32>, err: &str) -> Outcome {
    let last = err.lines().last().unwrap_or_default();
    if err.contains("No module named") {
        let why = format!("`{}` does not have the Python module `{MODULE}`: {last}", args.python);
        return no_answer(&format!(
            "{why}; `pip install` the wheel of Rewright, or name another interpreter by `--python`"
        ));
    }
    let why = last.strip_prefix("error: ").unwrap_or(last);
    if code == Some(1) { error(why) } else { no_answer(why) }
}

//! Confluence of completed programs with their algorithm. Thesis Def. 2.3; spec: [rule: halide.confluence].

use crate::alg::{Algorithm, Input};
use crate::bounds::complete::{complete, failed};
use crate::bounds::interval::baseline;
use crate::bounds::oracle::oracle;
use crate::bounds::query::{Query, query};
use crate::bounds::tight::tight;
use crate::bounds::{NoBounds, Solution};
use crate::eval::{EvalError, memo};
use crate::exec::fast::Compiled;
use crate::exec::watch::{Race, Recorder, Watch};
use crate::exec::{Outputs, Stuck, small};
use crate::slide::slide;
use crate::tgt::Program;
use crate::typed::Overflow;
use crate::value::Value;
use rewright_base::sym::Name;
use std::fmt;

/// A bounds engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// β₀
    Baseline,
    /// The tight one.
    Tight,
    /// Synthesis with z3.
    Oracle,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 3] = [Engine::Baseline, Engine::Tight, Engine::Oracle];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Baseline => "baseline",
            Engine::Tight => "tight",
            Engine::Oracle => "oracle",
        }
    }

    /// Its answer to a query.
    ///
    /// # Errors
    /// The first region that it cannot bound.
    pub fn solve(self, t: &Program, q: &Query) -> Result<Solution, NoBounds> {
        match self {
            Engine::Baseline => baseline(t, q),
            // At least as good as the baseline (Def. 2.5): where it gives up, the baseline may know.
            Engine::Tight => tight(t, q).or_else(|none| baseline(t, q).map_err(|_| none)),
            Engine::Oracle => oracle(t),
        }
    }

    /// `β(T)`: the completed program; one that fails when there are no bounds. What can slide does; what cannot is among
    /// the program's `slides`.
    pub fn complete(self, t: &Program) -> (Program, Option<NoBounds>) {
        match self.solve(t, &query(t)) {
            Ok(solution) => (slide(&complete(t, &solution)).0, None),
            Err(none) => (failed(t), Some(none)),
        }
    }
}

/// How a completed program compares with its algorithm on one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `P ≃_z P'`
    Equal,
    /// `P(z)` contains an error value: all bets are off.
    AlgorithmError,
    /// `P'(z)` fails an assertion check.
    AssertionFails(Stuck),
    /// Neither: the program is not confluent.
    Different(Difference),
    /// The comparison could not be made.
    Unknown(String),
}

/// A counterexample to confluence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The program is stuck.
    Stuck(Stuck),
    /// A point of the window has another value.
    Value {
        /// The output, where there are several.
        output: Option<Name>,
        /// The point.
        point: Vec<i64>,
        /// What the algorithm says.
        expected: Value,
        /// What the program computes; nothing outside its output.
        found: Option<Value>,
    },
    /// What it computes may depend on the order of iterations. [rule: halide.race]
    Race(Race),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Stuck(s) => write!(f, "the program is stuck: {s}"),
            Difference::Value { output, point, expected, found } => {
                let of = output.map_or_else(String::new, |f| format!(" of `{f}`"));
                write!(f, "at {point:?}{of} the algorithm gives {expected}, the program ")?;
                match found {
                    Some(v) => write!(f, "{v}"),
                    None => f.write_str("nothing"),
                }
            }
            Difference::Race(race) => race.fmt(f),
        }
    }
}

/// The algorithm's values over the window.
///
/// # Errors
/// The algorithm is not valid or too large to evaluate.
pub fn reference(p: &Algorithm, z: &Input) -> Result<Vec<Value>, EvalError> {
    memo::realize(p, z, Overflow::Wrap)
}

/// Runs a completed program: fast, or step by step where numbers are large.
///
/// # Errors
/// The state in which it is stuck.
pub fn execute(t: &Program, z: &Input, recorder: &mut Recorder) -> Result<Outputs, Stuck> {
    let fast = Compiled::new(t).and_then(|c| c.run_watched(z, 1 << 28, recorder));
    match fast {
        Err(Stuck::Overflow) => {
            let mut allocated = Vec::new();
            let run = small::run_watched(t, z, 1 << 26, &mut |_| 0, &mut allocated);
            *recorder = Recorder::default();
            for (id, (func, bounds)) in allocated.iter().enumerate() {
                recorder.allocate(*func, id, bounds);
            }
            run
        }
        other => {
            recorder.race = race(t, z, &other, recorder);
            other
        }
    }
}

/// The race of a run, if one matters. Where iterations store different values to a cell, its value is unsettled: they
/// race unless the program computes the same without it, as with points that are computed and not asked for.
/// [rule: halide.race]
pub fn race(t: &Program, z: &Input, run: &Result<Outputs, Stuck>, recorder: &Recorder) -> Option<Race> {
    let found = recorder.race.clone()?;
    let Ok(outputs) = run else { return Some(found) };
    if recorder.read_early {
        return Some(found);
    }
    let Ok(without) = small::run_without(t, z, 1 << 24, &recorder.unsettled) else { return Some(found) };
    let same = outputs.iter().zip(&without).all(|(a, b)| {
        a.points(z).iter().all(|point| {
            let value = a.buffer.get(point);
            value == b.buffer.get(point) && value.is_some_and(|v| !v.is_error())
        })
    });
    (!same).then_some(found)
}

/// Runs a completed program, and compares its values with the algorithm's; a race is a difference, too.
pub fn judge(t: &Program, z: &Input, expected: &[Value]) -> Verdict {
    let mut recorder = Recorder::default();
    let verdict = compare(z, expected, &execute(t, z, &mut recorder));
    match (verdict, recorder.race) {
        (Verdict::Equal, Some(race)) => Verdict::Different(Difference::Race(race)),
        (verdict, _) => verdict,
    }
}

/// Compares a run with the algorithm's values.
pub fn compare(z: &Input, expected: &[Value], run: &Result<Outputs, Stuck>) -> Verdict {
    if expected.iter().any(Value::is_error) {
        return Verdict::AlgorithmError;
    }
    let outputs = match run {
        Ok(outputs) => outputs,
        Err(stuck) => {
            return match stuck {
                Stuck::Assertion(_) | Stuck::Input(..) => Verdict::AssertionFails(stuck.clone()),
                Stuck::TooMuch | Stuck::Overflow => Verdict::Unknown(stuck.to_string()),
                Stuck::Rdom | Stuck::Read(..) | Stuck::Write(..) => {
                    Verdict::Different(Difference::Stuck(stuck.clone()))
                }
                Stuck::ErrorValue | Stuck::Unbound(_) => Verdict::Different(Difference::Stuck(stuck.clone())),
            };
        }
    };
    let asked = outputs.iter().flat_map(|r| r.points(z).into_iter().map(move |y| (r, y)));
    for ((r, point), value) in asked.zip(expected) {
        let found = r.buffer.get(&point);
        if found != Some(value) {
            let (expected, found) = (value.clone(), found.cloned());
            let output = (outputs.len() > 1).then_some(r.func);
            return Verdict::Different(Difference::Value { output, point, expected, found });
        }
    }
    Verdict::Equal
}

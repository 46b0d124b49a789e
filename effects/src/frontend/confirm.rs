//! Running a counterexample: the interpreter says whether a refusal is about something that happens.
//! Spec: [rule: frontend.confirm].
//!
//! Nothing is decided here. A refusal that is not confirmed stays a refusal: the counterexample may be about
//! a state that only the analysis takes for possible, or about what the interpreter lets pass.

use super::{
    BOUNDS_ACCESS, BOUNDS_EXTENT, BOUNDS_WINDOW, CALL_ASSERT, CALL_DENSE, CALL_SHAPE, Finding, PAR_RACE,
    SIZE_POSITIVE,
};
use crate::effexpr::Var;
use crate::obligation::{Model, ModelValue, Verdict};
use rewright_semantics::ast::Proc;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{Denotation, Fault, Limits};
use rewright_semantics::inputs::{Given, Input, InputValue, Search, Subject};
use rewright_semantics::shell;
use rewright_semantics::span::Span;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::types::ArgType;
use std::fmt::Write;

/// Statements that a run may take.
const STEPS: u64 = 20_000;
/// Numbers of a counterexample that are worth running.
const LARGEST: i64 = 1 << 12;
/// Inputs around the counterexample that are tried, and inputs that have nothing to do with it.
const TRIALS: (u64, u64) = (4, 32);
/// Seeds of such a command.
const SEEDS: u64 = 16;
/// Inputs that fail for which a command is looked for that fails as well: it says nothing of data and strides.
const FAILING: usize = 6;
/// Questions asked while an input is made smaller.
const SHRINKING: u64 = 60;

/// A run that fails as a refusal says.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// The procedure.
    pub proc: String,
    /// `n=3`, `Cfg.a=2`, `--seed 1`: what is given on the command line; the rest is chosen as `run` does.
    pub args: Vec<String>,
    /// What happens.
    pub fault: Box<Fault>,
}

impl Confirmation {
    /// The command line that shows it, as a shell takes it.
    pub fn command(&self, file: &str) -> String {
        let mut out = format!("rewright run {} {}", shell::word(file), self.proc);
        for arg in &self.args {
            // Writing to a string cannot fail.
            let _ = write!(out, " {arg}");
        }
        out
    }
}

/// A run of the procedure that fails at the place of this finding and in its way; `None` when none was found.
pub fn confirm(p: &Proc, finding: &Finding) -> Option<Confirmation> {
    let attempt = Attempt { p, finding, subject: Subject::of(p), denotation: Denotation::of(p) };
    let search = Search { max_cells: 1 << 12, budget: 2_000 };
    let given = match &finding.verdict {
        Verdict::Refuted { model } => attempt.given(model),
        Verdict::Proved { .. } | Verdict::Unknown { .. } => None,
    };
    let near = given.iter().flat_map(|given| (0..TRIALS.0).map(move |seed| (given.clone(), seed)));
    let far = (0..TRIALS.1).map(|seed| (Given::default(), seed));
    let failing = near.chain(far).filter_map(|(given, seed)| {
        let input = attempt.subject.generate(&given, seed, search).ok()?;
        attempt.fault(&input).map(|_| (given, input))
    });
    failing.take(FAILING).find_map(|(kept, found)| {
        // Smaller, but with the values of the counterexample.
        let mut still = |input: &Input| agrees(input, &kept) && attempt.fault(input).is_some();
        let small = attempt.subject.shrink(&found, &mut still, SHRINKING);
        [small, found].into_iter().find_map(|input| attempt.retyped(&input))
    })
}

/// Whether an input has all the values that are given.
fn agrees(input: &Input, given: &Given) -> bool {
    let has = Given::from(input);
    given.args.iter().all(|(x, v)| has.args.get(x) == Some(v))
        && given.fields.iter().all(|(f, v)| has.fields.get(f) == Some(v))
}

struct Attempt<'a> {
    p: &'a Proc,
    finding: &'a Finding,
    subject: Subject<'a>,
    denotation: Denotation<RationalDomain>,
}

impl Attempt<'_> {
    /// What a counterexample says of the input.
    fn given(&self, model: &Model) -> Option<Given> {
        let mut given = Given::default();
        for (v, value) in &model.values {
            let value = match value {
                ModelValue::Int(n) if n.saturating_abs() <= LARGEST => InputValue::Int(*n),
                ModelValue::Int(_) => return None,
                ModelValue::Bool(b) => InputValue::Bool(*b),
            };
            match v {
                Var::Local(x) => {
                    if self.p.args.iter().any(|a| a.name == *x && matches!(a.typ, ArgType::Control(_))) {
                        given.args.insert(x.name(), value);
                    }
                }
                Var::Global(config, field) => {
                    given.fields.insert(ConfigKey { config: *config, field: *field }, value);
                }
                Var::Stride(..) => {}
            }
        }
        Some(given)
    }

    /// How a run on this input fails, if that is what the finding says.
    fn fault(&self, input: &Input) -> Option<Box<Fault>> {
        let (args, st) = input.store_for::<RationalDomain>(&self.subject);
        let fault = self.denotation.call(&args, st, Limits::statements(STEPS)).err()?;
        (!fault.rejects_input() && self.is_meant(&fault)).then_some(fault)
    }

    fn is_meant(&self, fault: &Fault) -> bool {
        let ob = &self.finding.requirement.obligation;
        let rule = match ob.id {
            BOUNDS_ACCESS | BOUNDS_WINDOW => "run.bounds",
            BOUNDS_EXTENT => "run.extent",
            SIZE_POSITIVE => "run.size",
            CALL_ASSERT => "run.assert",
            CALL_SHAPE | CALL_DENSE => "run.shape",
            PAR_RACE => "run.race",
            _ => return false,
        };
        let of_a_call =
            matches!(rule, "run.assert" | "run.shape") || (rule == "run.size" && !fault.calls.is_empty());
        let depth = fault.calls.len();
        let deep_enough = if of_a_call { depth == 1 } else { depth == 0 || rule == "run.race" };
        let at = fault.calls.last().map_or(fault.span, |(_, at)| *at);
        fault.kind.rule() == rule && deep_enough && ob.locations.iter().any(|(here, _)| overlap(*here, at))
    }

    /// The run that results when only the control values are given again, as on a command line.
    fn retyped(&self, input: &Input) -> Option<Confirmation> {
        let (mut given, mut texts) = (Given::default(), Vec::new());
        for (name, value) in &input.args {
            if is_control(value) {
                given.args.insert(*name, value.clone());
                texts.push(format!("{name}={value}"));
            }
        }
        for (key, value) in &input.fields {
            if is_control(value) {
                given.fields.insert(*key, value.clone());
                texts.push(format!("{key}={value}"));
            }
        }
        let (seed, fault) = (0..SEEDS).find_map(|seed| {
            let again = self.subject.generate(&given, seed, Search::COMMAND).ok()?;
            Some((seed, self.fault(&again)?))
        })?;
        if seed > 0 {
            texts.push(format!("--seed {seed}"));
        }
        Some(Confirmation { proc: self.p.name.to_string(), args: texts, fault })
    }
}

fn is_control(value: &InputValue) -> bool {
    match value {
        InputValue::Int(_) | InputValue::Bool(_) => true,
        InputValue::Data(_) => false,
    }
}

/// Whether two places have text in common; programs that no one wrote have no places.
fn overlap(a: Span, b: Span) -> bool {
    a.is_none() || b.is_none() || (a.file == b.file && a.start < b.end && b.start < a.end)
}

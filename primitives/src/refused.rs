//! Why a rewrite was refused, shown by a run: the program that it would have made, and an input on which that one does
//! something else. Spec: [rule: refusals.confirmed].
//!
//! Nothing is decided here. A refusal that no run confirms stays one: the condition may be stricter than it need be, or
//! the input that shows it rare.

use crate::compare::{Differ, Effort, compare};
use crate::cursor::Cursor;
use crate::error::{Error, Found, SchedulingError};
use crate::ops;
use crate::registry::{Args, Guards, Primitive, Value};
use crate::version::session::Session;
use crate::version::{Proc, Step};
use rewright_effects::obligation::ModelValue;
use rewright_semantics::ast;
use rewright_semantics::inputs::{Given, InputValue};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_semantics::types::ArgType;
use std::fmt;
use std::sync::Arc;

/// Numbers of a counterexample that are worth running: what is too large for [`CELLS`] or [`WORK`] is found to be so.
const LARGEST: i64 = 1 << 20;
/// Inputs around the counterexample, and inputs that have nothing to do with it.
const INPUTS: (u64, u64) = (8, 64);
/// Statements that one run may take.
const STATEMENTS: u64 = 50_000;
/// Cells of one argument.
const CELLS: u64 = 1 << 16;
/// Statements and cells of all runs. Nobody waits for a run to be told why a line is refused.
const WORK: u64 = 1 << 20;

/// A call of a primitive that was refused.
#[derive(Clone, Debug)]
pub struct Attempt {
    proc: Proc,
    args: Args,
    primitive: &'static Primitive,
    refusal: SchedulingError,
}

/// A program that no rewrite may make: it can be looked at and run, but it is no version of anything.
#[derive(Clone, Debug)]
pub struct Tentative {
    /// The program before: for a primitive that takes several steps, before the one that was refused.
    pub before: Arc<ast::Proc>,
    /// What would have come of that step.
    pub after: Arc<ast::Proc>,
    step: Arc<Step>,
}

/// How the program before and the tentative one differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference(Differ);

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Attempt {
    /// Applies a primitive; a refusal comes with what was tried.
    ///
    /// # Errors
    /// Those of the primitive.
    pub fn make(
        proc: &Proc,
        primitive: &'static Primitive,
        args: &Args,
    ) -> Result<Proc, (Error, Option<Box<Attempt>>)> {
        (primitive.run)(proc, args).map_err(|error| {
            let attempt = match &error {
                Error::Scheduling(refusal) => Some(Box::new(Attempt {
                    proc: proc.clone(),
                    args: args.clone(),
                    primitive,
                    refusal: SchedulingError::clone(refusal),
                })),
                Error::InvalidCursor(_) | Error::Internal { .. } => None,
            };
            (error, attempt)
        })
    }

    /// The condition that does not hold, with its primitive: `fission.commute`, of `autofission` too.
    pub fn condition(&self) -> String {
        format!("{}.{}", self.refusal.primitive, self.refusal.condition)
    }

    /// The program that would have come of it without the condition that does not hold. `None` where another condition
    /// does not hold either, or where the rewrite cannot be stated without it.
    pub fn tentative(&self) -> Option<Tentative> {
        let SchedulingError { primitive: name, condition, depth, .. } = self.refusal;
        // A primitive that is made of others has none of its own.
        let mut known = std::iter::once(self.primitive).chain(ops::ALL.iter().copied());
        let condition = known.find(|p| p.name == name)?.condition(condition)?;
        if condition.guards != Guards::Meaning {
            return None;
        }
        let steps = depth.checked_sub(self.proc.depth())?;
        let session = Session::omitting((name, condition.id), steps);
        let root = session.root_among(self.proc.ast().clone(), self.proc.configs().iter().cloned());
        let args = self.args.try_map(&|value| self.moved(value, &root))?;
        let made = (self.primitive.run)(&root, &args).ok()?;
        let history = made.history();
        let (before, after) = (history.get(steps)?, history.get(steps + 1)?);
        let step = after.origin()?.step.clone();
        Some(Tentative { before: before.ast().clone(), after: after.ast().clone(), step })
    }

    /// The same argument, of the same program in another session.
    fn moved(&self, value: &Value, to: &Proc) -> Option<Value> {
        Some(match value {
            Value::Cursor(c) => {
                Value::Cursor(Cursor::new(to, self.proc.forward(c).ok()?.place().clone()).ok()?)
            }
            Value::List(items) => {
                Value::List(items.iter().map(|v| self.moved(v, to)).collect::<Option<_>>()?)
            }
            Value::Named(items) => {
                let moved = items.iter().map(|(name, v)| Some((name.clone(), self.moved(v, to)?)));
                Value::Named(moved.collect::<Option<_>>()?)
            }
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Text(_)
            | Value::Proc(_)
            | Value::Config(_) => value.clone(),
        })
    }

    /// How the tentative program differs from the one before; `None` when no run shows it.
    pub fn difference(&self, tentative: &Tentative) -> Option<Difference> {
        let Tentative { before, after, step } = tentative;
        let run = |inputs, given| {
            let effort = Effort { inputs, statements: STATEMENTS, cells: CELLS, work: WORK, given };
            compare(before, after, step, &effort).err().map(Difference)
        };
        let near = self.given().and_then(|given| run(INPUTS.0, given));
        near.or_else(|| run(INPUTS.1, Given::default()))
    }

    /// What a counterexample says of the input.
    fn given(&self) -> Option<Given> {
        let Found::Refuted { values, .. } = &self.refusal.found else { return None };
        let is_control = |name: &str| {
            let arg = |a: &&ast::Arg| a.name.name().as_str() == name;
            let found = self.proc.ast().args.iter().find(arg);
            found.is_some_and(|a| matches!(a.typ, ArgType::Control(_)))
        };
        let mut given = Given::default();
        for (name, value) in values {
            let value = match value {
                ModelValue::Int(n) if n.saturating_abs() <= LARGEST => InputValue::Int(*n),
                ModelValue::Int(_) => return None,
                ModelValue::Bool(b) => InputValue::Bool(*b),
            };
            if let Some((config, field)) = name.split_once('.') {
                let key = ConfigKey { config: Name::new(config), field: Name::new(field) };
                given.fields.insert(key, value);
            } else if is_control(name) {
                given.args.insert(Name::new(name), value);
            }
        }
        Some(given)
    }
}

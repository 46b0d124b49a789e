//! Code held against the standard semantics. Spec: [rule: perceus.optimise.oracle].

use crate::code::machine::{Machine, Outcome};
use crate::code::value::{Content, Counters, Fault, Value};
use crate::code::{Code, owned};
use crate::standard::{self, Run, Shape};
use crate::stuck;
use crate::syntax::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a run of code says that agrees with the standard semantics.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// How it ended.
    pub end: Ended,
    /// What was executed, the drop of the result left out.
    pub counters: Counters,
    /// What was executed, with it.
    pub dropped: Counters,
    /// States that were audited.
    pub audited: u64,
    /// Those of them where a cycle was alive that nothing needed.
    pub cycles: u64,
    /// Cells that are left at the end: on cycles, or below.
    pub left: usize,
    /// States where a cell was alive that nothing needed: only where functions borrow.
    pub garbage: u64,
    /// Most frames at once.
    pub deepest: usize,
}

/// How both ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this value.
    Value(String),
    /// For this reason.
    Stuck(stuck::Stuck),
    /// At least one not within its steps.
    Unfinished,
}

/// How many times as many steps the source gets where the code ended with its own.
const LONGER: u64 = 50;

/// Runs both. States of the code are audited (counts, garbage): the first `audits`.
///
/// # Errors
/// In words: what does not agree.
pub fn agree(source: &Program, code: &Code, limit: u64, audits: u64) -> Result<Agreed, String> {
    owned::check(code)?;
    let mut machine = Machine::new(code);
    let (mut audited, mut garbage, mut cycles) = (0, 0, 0);
    let borrows = !code.borrows().is_empty();
    let outcome = machine.run(limit, |m| {
        if audited >= audits {
            return Ok(());
        }
        audited += 1;
        match m.audit() {
            Err(Fault::Garbage) if borrows => {
                garbage += 1;
                Ok(())
            }
            other => {
                cycles += u64::from(other? > 0);
                Ok(())
            }
        }
    });
    let mut run = standard::run(source, limit);
    // Code that was inlined and has nothing to build takes fewer steps.
    if run.outcome == stuck::Outcome::Unfinished && outcome != Outcome::Unfinished {
        run = standard::run(source, limit.saturating_mul(LONGER));
    }
    let mut left = 0;
    let counters = machine.counters();
    let end = match (run.outcome, outcome) {
        (stuck::Outcome::Value(v), Outcome::Value(w)) => {
            if !same(&run, v, &machine, w) {
                return Err(format!("the value is {}, and not {}", machine.text(w), run.shown(v)));
            }
            let text = machine.text(w);
            left = machine.finish(w).map_err(|fault| format!("when the result is dropped: {fault}"))?;
            Ended::Value(text)
        }
        (stuck::Outcome::Stuck(a), Outcome::Fault(Fault::Stuck(b))) if a == b => Ended::Stuck(a),
        (_, Outcome::Fault(fault)) => {
            return Err(format!(
                "{fault} after {} steps, where the standard semantics says {:?}",
                machine.steps, run.outcome
            ));
        }
        (stuck::Outcome::Unfinished, _) | (_, Outcome::Unfinished) => Ended::Unfinished,
        (a, b) => return Err(format!("{a:?} in the standard semantics, {b:?} in the code")),
    };
    let (dropped, deepest) = (machine.counters(), machine.deepest);
    Ok(Agreed { end, counters, dropped, audited, cycles, left, garbage, deepest })
}

/// Whether two values are equal; closures are, where closures are; references are where there is one for each, which holds the same.
fn same(run: &Run<'_>, v: standard::Value, machine: &Machine<'_>, w: Value) -> bool {
    let (mut rest, mut seen) = (vec![(v, w)], FxHashSet::default());
    let (mut to, mut from) = (FxHashMap::default(), FxHashMap::default());
    while let Some((v, w)) = rest.pop() {
        if !seen.insert((v, w)) {
            continue;
        }
        let equal = match (run.shape(v), w) {
            (Shape::Int(a), Value::Int(b)) => *a == b,
            (Shape::Con(a, args), Value::Con(b)) => *a == b && args.is_empty(),
            (Shape::Con(a, args), Value::Static(s)) => match machine.fixed(s) {
                Some((b, fields)) => {
                    rest.extend(args.iter().copied().zip(fields.iter().copied()));
                    *a == b && args.len() == fields.len()
                }
                None => false,
            },
            (Shape::Con(a, args), Value::Cell(id)) => match machine.heap.get(id).map(|c| &c.content) {
                Ok(Content::Con(b, fields)) => {
                    rest.extend(args.iter().copied().zip(fields.iter().copied()));
                    a == b && args.len() == fields.len()
                }
                Ok(Content::Lam(..) | Content::Ref(_)) | Err(_) => false,
            },
            (Shape::Lam(..), Value::Cell(id)) => {
                matches!(machine.heap.get(id).map(|c| &c.content), Ok(Content::Lam(..)))
            }
            (Shape::Ref(_), Value::Cell(id)) => match machine.heap.get(id).map(|c| &c.content) {
                Ok(Content::Ref(held)) => {
                    rest.push((run.held(v), *held));
                    *to.entry(v).or_insert(id) == id && *from.entry(id).or_insert(v) == v
                }
                Ok(Content::Lam(..) | Content::Con(..)) | Err(_) => false,
            },
            (Shape::Int(_) | Shape::Con(..) | Shape::Lam(..) | Shape::Ref(_), _) => false,
        };
        if !equal {
            return false;
        }
    }
    true
}

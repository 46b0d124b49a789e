//! What holds at a place of a completed program, and what follows from it.

use super::{Prover, STEPS, Verification, with_z3};
use crate::bounds::values::Ranges;
use crate::expr::{Expr, Interval, Var};
use crate::text::print;
use crate::tgt::Program;
use goal::Part;
use z3::ast::Bool;

use super::goal;

/// Something that is known at a place.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// A variable ranges over an interval.
    Ranges(Var, Interval),
    /// A variable has a value.
    Is(Var, Expr),
    /// A condition holds.
    Holds(Expr),
}

/// Whether a condition holds wherever all of this does, for all inputs. Of what is read from memory nothing is known, for it
/// may have changed in between.
pub(crate) fn follows(t: &Program, known: &[Known], cond: &Expr) -> Verification {
    let ranges = Ranges::default();
    let lasts = |e: &Expr| e.accesses().is_empty();
    with_z3(|| {
        let mut prover = Prover::new(&ranges, STEPS, None);
        prover.inputs(t);
        for one in known {
            match one {
                Known::Ranges(var, Interval { min, len }) => {
                    let ends = (lasts(min) && lasts(len)).then(|| (prover.int(min), prover.int(len)));
                    let v = prover.bind(*var);
                    if let Some((first, count)) = ends {
                        let inside = Bool::and(&[v.ge(&first), v.lt(first + count)]);
                        prover.assume(&inside, Some(*var), &min.vars() | &len.vars());
                    }
                }
                Known::Is(var, value) => {
                    let is = lasts(value).then(|| prover.int(value));
                    let v = prover.bind(*var);
                    if let Some(is) = is {
                        prover.assume(&v.eq(is), Some(*var), value.vars());
                    }
                }
                Known::Holds(e) if lasts(e) => {
                    let says = prover.truth(e);
                    prover.assume(&says, None, e.vars());
                }
                Known::Holds(_) => {}
            }
        }
        let part = Part { says: prover.truth(cond), vars: cond.vars() };
        match prover.goal(&[part], || print::expr(cond)) {
            Ok(()) => Verification::Verified(prover.proved),
            Err(found) => found,
        }
    })
}

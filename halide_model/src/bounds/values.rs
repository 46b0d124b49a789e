//! What values a func can have: the range of its expressions, whatever the point. Spec: [rule: halide.values-range].
//!
//! A store puts a value of its stage's expression into memory, whatever it reads, so every cell that was written holds a
//! value in the range; a cell that was not holds ε_mem, which is no index. The ranges are found with the tight engine's
//! arithmetic and are used by it; verification asks z3 about each before it is assumed.

use super::extreme::Path;
use super::normal::Normalizer;
use crate::alg::{Algorithm, Func};
use crate::expr::Expr;
use crate::typed::Scalar;
use rewright_base::sym::Name;
use std::collections::BTreeMap;

/// The least and greatest value of each func, in terms of parameters.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    of: BTreeMap<Name, (Option<Expr>, Option<Expr>)>,
}

impl Ranges {
    /// The ranges of an algorithm's funcs.
    pub fn of(p: &Algorithm) -> Ranges {
        let (mut out, terms) = (Ranges::default(), Normalizer::default());
        for i in &p.inputs {
            out.of.insert(i.name, (held(i.scalar, false), held(i.scalar, true)));
        }
        for f in &p.funcs {
            let range = (out.bound(f, false, &terms), out.bound(f, true, &terms));
            out.of.insert(f.name, range);
        }
        out
    }

    /// Says what the values of a func are.
    pub(super) fn set(&mut self, f: Name, ends: (Option<Expr>, Option<Expr>)) {
        self.of.insert(f, ends);
    }

    /// The greatest (`up`) or least value of a func, if it is known.
    pub fn end(&self, f: Name, up: bool) -> Option<Expr> {
        let (lo, hi) = self.of.get(&f)?;
        if up { hi.clone() } else { lo.clone() }
    }

    /// The hull of what all stages store; a stage that uses the func's own values stores anything.
    fn bound(&self, f: &Func, up: bool, terms: &Normalizer) -> Option<Expr> {
        if f.scalar != Scalar::Integer {
            return held(f.scalar, up);
        }
        // Which of several values is read is not looked at.
        if !f.parts.is_empty() {
            return None;
        }
        let values = |f, up| self.end(f, up);
        let path = Path::open(&values, terms);
        let stages = std::iter::once(&f.pure).chain(f.updates.iter().map(|u| &u.rhs));
        let ends = stages.map(|e| path.extreme(e, up)).collect::<Option<Vec<_>>>()?;
        let op = if up { crate::op::Op::Max } else { crate::op::Op::Min };
        let hull = ends.into_iter().reduce(|a, b| Expr::binary(op, a, b))?;
        Some(terms.simplify(&hull))
    }
}

/// The least or the greatest value that a type of integers holds. Coordinates have 32 bits themselves: that much bounds
/// nothing.
fn held(scalar: Scalar, up: bool) -> Option<Expr> {
    let (lo, hi) = scalar.narrow_range()?;
    (if up { hi } else { lo }).to_i64().map(Expr::int)
}

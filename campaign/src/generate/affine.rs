//! Affine forms over control variables and a small prover for `e ≥ 0`, with which the generator picks
//! indices that are in bounds for every input.

use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal};
use rewright_semantics::sym::Sym;
use std::collections::BTreeMap;
use std::sync::Arc;

/// `Σ cᵢ·xᵢ + k`. Coefficients are never zero.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Affine {
    terms: BTreeMap<Sym, i64>,
    constant: i64,
}

impl Affine {
    /// The constant `k`.
    pub fn constant(k: i64) -> Affine {
        Affine { terms: BTreeMap::new(), constant: k }
    }

    /// The variable `x`.
    pub fn var(x: Sym) -> Affine {
        Affine { terms: BTreeMap::from([(x, 1)]), constant: 0 }
    }

    /// The value, when no variable occurs.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + k·other`.
    #[must_use]
    pub fn plus(&self, k: i64, other: &Affine) -> Affine {
        let mut sum = self.clone();
        sum.constant += k * other.constant;
        for (&x, &c) in &other.terms {
            let entry = sum.terms.entry(x).or_insert(0);
            *entry += k * c;
            if *entry == 0 {
                sum.terms.remove(&x);
            }
        }
        sum
    }

    /// `self + k`.
    #[must_use]
    pub fn shifted(&self, k: i64) -> Affine {
        Affine { terms: self.terms.clone(), constant: self.constant + k }
    }

    /// `self` with `x` replaced.
    #[must_use]
    pub fn substitute(&self, x: Sym, by: &Affine) -> Affine {
        let Some(&c) = self.terms.get(&x) else { return self.clone() };
        let mut rest = self.clone();
        rest.terms.remove(&x);
        rest.plus(c, by)
    }

    fn coefficient(&self, x: Sym) -> i64 {
        self.terms.get(&x).copied().unwrap_or(0)
    }

    /// As an expression of the language.
    pub fn to_expr(&self) -> Expr {
        let mut out: Option<Expr> = None;
        for (&x, &c) in &self.terms {
            let factor = if c.abs() == 1 { var(x) } else { bin(BinOp::Mul, int(c.abs()), var(x)) };
            out = Some(match (out, c > 0) {
                (None, true) => factor,
                (None, false) => Expr::new(ExprKind::Neg(Arc::new(factor))),
                (Some(sum), true) => bin(BinOp::Add, sum, factor),
                (Some(sum), false) => bin(BinOp::Sub, sum, factor),
            });
        }
        match (out, self.constant) {
            (None, k) => int(k),
            (Some(sum), 0) => sum,
            (Some(sum), k) if k > 0 => bin(BinOp::Add, sum, int(k)),
            (Some(sum), k) => bin(BinOp::Sub, sum, int(-k)),
        }
    }
}

/// A control variable and what is known of it.
#[derive(Clone, Debug)]
pub enum Known {
    /// At least 1.
    Size(Sym),
    /// In `lo..hi`, both over variables that come earlier.
    Range {
        /// The variable.
        var: Sym,
        /// Least value.
        lo: Affine,
        /// One past the greatest value.
        hi: Affine,
    },
    /// An arbitrary integer.
    Any(Sym),
    /// Not a variable: a guard around this place says that this is ≥ 0.
    Fact(Affine),
}

/// Whether `e ≥ 0` follows from what is known, innermost last. Sound, not complete: replaces each
/// ranged variable by the bound that makes `e` least, then asks that no size has a negative
/// coefficient.
pub fn nonnegative(e: &Affine, known: &[Known]) -> bool {
    known.iter().any(|k| matches!(k, Known::Fact(f) if least(&e.plus(-1, f), known))) || least(e, known)
}

fn least(e: &Affine, known: &[Known]) -> bool {
    let mut e = e.clone();
    for k in known.iter().rev() {
        match k {
            Known::Range { var, lo, hi } => {
                let by = if e.coefficient(*var) > 0 { lo.clone() } else { hi.shifted(-1) };
                e = e.substitute(*var, &by);
            }
            Known::Any(x) if e.coefficient(*x) != 0 => return false,
            Known::Any(_) | Known::Size(_) | Known::Fact(_) => {}
        }
    }
    e.terms.values().all(|&c| c >= 0) && e.terms.values().sum::<i64>() + e.constant >= 0
}

/// A control integer literal.
pub fn int(k: i64) -> Expr {
    Expr::new(ExprKind::Lit(Literal::Int(k)))
}

/// A variable.
pub fn var(x: Sym) -> Expr {
    Expr::new(ExprKind::Read { name: x, idx: Arc::from([]) })
}

/// A binary operation.
pub fn bin(op: BinOp, lhs: Expr, rhs: Expr) -> Expr {
    Expr::new(ExprKind::Bin { op, lhs: Arc::new(lhs), rhs: Arc::new(rhs) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_a_triangular_nest() {
        let (n, i, j) = (Sym::fresh("n"), Sym::fresh("i"), Sym::fresh("j"));
        let v = Affine::var;
        let known = [
            Known::Size(n),
            Known::Range { var: i, lo: Affine::constant(0), hi: v(n) },
            Known::Range { var: j, lo: Affine::constant(0), hi: v(i) },
        ];
        assert!(nonnegative(&v(j), &known));
        assert!(nonnegative(&v(n).plus(-1, &v(j)).shifted(-2), &known), "j < n - 1");
        assert!(!nonnegative(&v(n).plus(-1, &v(j)).shifted(-3), &known), "j < n - 2 is false at n = 2");
        assert!(nonnegative(&v(i).plus(-1, &v(j)).shifted(-1), &known), "j < i");
        assert!(!nonnegative(&v(j).plus(-1, &v(i)), &known));
    }

    #[test]
    fn a_guard_is_used() {
        let (m, i) = (Sym::fresh("m"), Sym::fresh("i"));
        let e = Affine::var(m).plus(-1, &Affine::var(i)).shifted(-1);
        let known = [Known::Size(m), Known::Any(i)];
        assert!(!nonnegative(&e, &known));
        assert!(nonnegative(&e, &[known.as_slice(), &[Known::Fact(e.clone())]].concat()));
    }
}

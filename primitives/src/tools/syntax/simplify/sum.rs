//! Sums of multiples of expressions, as written.

use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal};
use rewright_semantics::build::{add, int, mul, neg, sub};

/// `k * e + … + c`: no `e` is a sum or a multiple, no two are alike, and no `k` is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) terms: Vec<(i64, Expr)>,
    pub(super) constant: i64,
}

impl Sum {
    /// The sum that an expression is; `None` when a number does not fit.
    pub(super) fn of(e: &Expr) -> Option<Sum> {
        let mut sum = Sum::default();
        sum.add(1, e)?;
        Some(sum)
    }

    /// The value, when there are no terms.
    pub(super) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + k * e`
    pub(super) fn add(&mut self, k: i64, e: &Expr) -> Option<()> {
        match &e.kind {
            ExprKind::Lit(Literal::Int(c)) => {
                self.constant = self.constant.checked_add(c.checked_mul(k)?)?;
                Some(())
            }
            ExprKind::Neg(a) => self.add(k.checked_neg()?, a),
            ExprKind::Bin { op: BinOp::Add, lhs, rhs } => {
                self.add(k, lhs)?;
                self.add(k, rhs)
            }
            ExprKind::Bin { op: BinOp::Sub, lhs, rhs } => {
                self.add(k, lhs)?;
                self.add(k.checked_neg()?, rhs)
            }
            ExprKind::Bin { op: BinOp::Mul, lhs, rhs } => {
                let (a, b) = (Sum::of(lhs)?, Sum::of(rhs)?);
                match (a.as_constant(), b.as_constant()) {
                    (Some(c), _) => self.add_sum(k.checked_mul(c)?, &b),
                    (None, Some(c)) => self.add_sum(k.checked_mul(c)?, &a),
                    (None, None) => self.add_term(k, e),
                }
            }
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => self.add_term(k, e),
        }
    }

    /// `self + k * other`
    pub(super) fn add_sum(&mut self, k: i64, other: &Sum) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(k)?)?;
        other.terms.iter().try_for_each(|(j, e)| self.add_term(j.checked_mul(k)?, e))
    }

    fn add_term(&mut self, k: i64, e: &Expr) -> Option<()> {
        match self.terms.iter_mut().find(|(_, other)| other == e) {
            Some((j, _)) => *j = j.checked_add(k)?,
            None => self.terms.push((k, e.clone())),
        }
        self.terms.retain(|(k, _)| *k != 0);
        Some(())
    }

    /// `self - other`
    pub(super) fn minus(&self, other: &Sum) -> Option<Sum> {
        let mut out = self.clone();
        out.add_sum(-1, other)?;
        Some(out)
    }

    /// `self = m * quotient + rest`, with each coefficient divided as `divide` says.
    pub(super) fn split(&self, m: i64, divide: impl Fn(i64, i64) -> i64) -> Option<(Sum, Sum)> {
        let (mut quotient, mut rest) = (Sum::default(), Sum::default());
        let part = |k: i64| -> Option<(i64, i64)> {
            let q = divide(k, m);
            Some((q, k.checked_sub(q.checked_mul(m)?)?))
        };
        for (k, e) in &self.terms {
            let (q, r) = part(*k)?;
            quotient.add_term(q, e)?;
            rest.add_term(r, e)?;
        }
        (quotient.constant, rest.constant) = part(self.constant)?;
        Some((quotient, rest))
    }

    /// As an expression: terms in the order in which they were met, one that is not subtracted first.
    pub(super) fn expr(&self) -> Expr {
        let mut terms = self.terms.clone();
        if let Some(first) = terms.iter().position(|(k, _)| *k > 0) {
            let first = terms.remove(first);
            terms.insert(0, first);
        }
        let start = match terms.first() {
            None => return int(self.constant),
            // `5 - i`, not `-i + 5`.
            Some((k, _)) if *k < 0 && self.constant > 0 => Some(int(self.constant)),
            Some(_) => None,
        };
        let rest = if start.is_some() { 0 } else { self.constant };
        let sum = terms.iter().fold(start, |sum, (k, e)| {
            Some(match sum {
                None if *k == -1 => neg(e.clone()),
                None => multiple(*k, e),
                Some(sum) => match k.checked_neg() {
                    Some(minus) if *k < 0 => sub(sum, multiple(minus, e)),
                    Some(_) | None => add(sum, multiple(*k, e)),
                },
            })
        });
        match (sum, rest) {
            (None, c) => int(c),
            (Some(sum), 0) => sum,
            (Some(sum), c) => match c.checked_neg() {
                Some(minus) if c < 0 => sub(sum, minus),
                Some(_) | None => add(sum, c),
            },
        }
    }
}

fn multiple(k: i64, e: &Expr) -> Expr {
    if k == 1 { e.clone() } else { mul(k, e.clone()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::sym::Sym;
    use rewright_semantics::types::linear::Linear;

    /// -2^63 has no negation among 64 bits: it is added, not subtracted as something else.
    #[test]
    fn the_least_number_is_added() {
        let (n, m) = (Sym::fresh("n"), Sym::fresh("m"));
        let least = || sub(i64::MIN + 1, 1);
        for e in [add(n, least()), add(n, mul(least(), m)), add(mul(least(), m), 5), sub(least(), n)] {
            let again = Sum::of(&e).expect("it fits").expr();
            assert_eq!(Linear::of(&again), Linear::of(&e), "{again:?}");
        }
        assert!(Sum::of(&sub(n, least())).is_none());
    }
}

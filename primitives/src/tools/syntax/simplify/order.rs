//! Sums in one order: a constant, then the variables by their factors, and by their names where these are equal.
//! `4 * (i + 1) - n` becomes `4 - n + 4 * i`. A sum in which there is anything but variables keeps its order; those
//! inside of it do not.

use super::affine::is_affine;
use super::sum::Sum;
use rewright_semantics::ast::{BinOp, Expr, ExprKind};
use rewright_semantics::build::{add, int, mul, neg, sub};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::map_children;

/// A control expression of the same value, with each sum of variables in order.
pub(super) fn ordered(e: &Expr) -> Expr {
    if is_arithmetic(e)
        && is_affine(e)
        && let Some(new) = variables(e)
    {
        return new;
    }
    map_children(e, &mut |_, child| ordered(child))
}

/// Whether it is a sum, a difference or a multiple.
fn is_arithmetic(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Neg(_) | ExprKind::Bin { op: BinOp::Add | BinOp::Sub | BinOp::Mul, .. })
}

/// The largest constant that comes first: of a larger one, what is subtracted from it may not fit in 64 bits.
const MOST: u64 = 1 << 62;

/// The sum in order, where all its terms are multiples of variables.
fn variables(e: &Expr) -> Option<Expr> {
    let sum = Sum::of(e).filter(|sum| sum.constant.unsigned_abs() <= MOST)?;
    let mut terms: Vec<(i64, Sym)> = Vec::new();
    for (k, term) in &sum.terms {
        let (name, idx) = term.kind.read()?;
        if !idx.is_empty() {
            return None;
        }
        terms.push((*k, name));
    }
    terms.sort_by_key(|(k, x)| (*k, x.name().as_str(), *x));
    let start = (sum.constant != 0 || terms.is_empty()).then(|| int(sum.constant));
    terms.into_iter().try_fold(start, |sum, (k, x)| {
        let multiple = |k: i64| if k == 1 { Expr::from(x) } else { mul(k, x) };
        let minus = k.checked_neg()?;
        Some(Some(match (sum, k < 0) {
            (None, true) => neg(multiple(minus)),
            (None, false) => multiple(k),
            (Some(sum), true) => sub(sum, multiple(minus)),
            (Some(sum), false) => add(sum, multiple(k)),
        }))
    })?
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::build::{div, rem};
    use rewright_semantics::types::linear::Linear;

    #[test]
    fn constants_come_first_and_then_small_factors() {
        let (i, n) = (Sym::fresh("i"), Sym::fresh("n"));
        let e = sub(mul(4, add(i, 1)), n);
        let expected = add(sub(int(4), Expr::from(n)), mul(4, i));
        assert_eq!(ordered(&e), expected);
        assert_eq!(Linear::of(&ordered(&e)), Linear::of(&e));
        assert_eq!(ordered(&expected), expected);
        // Of what is no sum of variables, the parts are ordered.
        let e = add(div(add(i, 3), 4), rem(add(n, 1), 2));
        assert_eq!(ordered(&e), add(div(add(int(3), Expr::from(i)), 4), rem(add(int(1), Expr::from(n)), 2)));
        assert_eq!(ordered(&sub(i, i)), int(0));
    }
}

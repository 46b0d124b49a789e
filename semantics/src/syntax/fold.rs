//! Control arithmetic as a careful person would write it: `e + 0` is `e`, `8 / 4` is `2`, `i + 2 - i` is `2`.
//! Values are those of the plain operators, always.

use crate::ast::{BinOp, Expr, ExprKind, Literal};
use crate::build::{bin, int, var};
use crate::types::linear::{Atom, Linear};

/// How control arithmetic is written that a rewrite makes. Spec: [rule: forms].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As short as the functions of this module make it.
    #[default]
    Short,
    /// Operator by operator, for `simplify` to make it short: `8 - 0`, `4 * 2`.
    Literal,
}

impl Form {
    /// `a + b`
    pub fn add(self, a: Expr, b: Expr) -> Expr {
        match self {
            Form::Short => add(a, b),
            Form::Literal => bin(BinOp::Add, a, b),
        }
    }

    /// `a - b`
    pub fn sub(self, a: Expr, b: Expr) -> Expr {
        match self {
            Form::Short => sub(a, b),
            Form::Literal => bin(BinOp::Sub, a, b),
        }
    }

    /// `k * e`
    pub fn scale(self, k: i64, e: Expr) -> Expr {
        match self {
            Form::Short => scale(k, e),
            Form::Literal => bin(BinOp::Mul, k, e),
        }
    }

    /// `e * k`, which is short as `k * e`.
    pub fn times(self, e: Expr, k: i64) -> Expr {
        match self {
            Form::Short => scale(k, e),
            Form::Literal => bin(BinOp::Mul, e, k),
        }
    }

    /// `e / k`, for `k ≥ 1`
    pub fn quotient(self, e: Expr, k: i64) -> Expr {
        match self {
            Form::Short => quotient(e, k),
            Form::Literal => bin(BinOp::Div, e, k),
        }
    }

    /// `e % k`, for `k ≥ 1`
    pub fn remainder(self, e: Expr, k: i64) -> Expr {
        match self {
            Form::Short => remainder(e, k),
            Form::Literal => bin(BinOp::Mod, e, k),
        }
    }
}

/// The value of a literal.
pub fn as_int(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Lit(Literal::Int(n)) => Some(*n),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

/// The value of an expression in which only numbers occur, or all else cancels.
pub fn constant(e: &Expr) -> Option<i64> {
    as_int(e).or_else(|| Linear::of(e).ok().and_then(|l| l.as_constant()))
}

/// `a + b`
pub fn add(a: Expr, b: Expr) -> Expr {
    short(&bin(BinOp::Add, a.clone(), b.clone())).unwrap_or_else(|| match (as_int(&a), as_int(&b)) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        (_, Some(n)) if n < 0 => match n.checked_neg() {
            Some(n) => bin(BinOp::Sub, a, n),
            None => bin(BinOp::Add, a, b),
        },
        _ => bin(BinOp::Add, a, b),
    })
}

/// `a - b`
pub fn sub(a: Expr, b: Expr) -> Expr {
    short(&bin(BinOp::Sub, a.clone(), b.clone())).unwrap_or_else(|| match as_int(&b) {
        Some(0) => a,
        Some(_) | None => bin(BinOp::Sub, a, b),
    })
}

/// `k * e`
pub fn scale(k: i64, e: Expr) -> Expr {
    match (k, as_int(&e)) {
        (0, _) => int(0),
        (1, _) => e,
        (_, Some(n)) if k.checked_mul(n).is_some() => int(k * n),
        _ => bin(BinOp::Mul, k, e),
    }
}

/// `e / k`, for `k ≥ 1`
pub fn quotient(e: Expr, k: i64) -> Expr {
    match as_int(&e) {
        _ if k == 1 => e,
        Some(n) => int(n.div_euclid(k)),
        None => whole_quotient(&e, k).unwrap_or_else(|| bin(BinOp::Div, e, k)),
    }
}

/// `e % k`, for `k ≥ 1`
pub fn remainder(e: Expr, k: i64) -> Expr {
    match as_int(&e) {
        _ if k == 1 => int(0),
        Some(n) => int(n.rem_euclid(k)),
        None => constant_remainder(&e, k).map_or_else(|| bin(BinOp::Mod, e, k), int),
    }
}

/// `e / k` where it is short: `4 * i / 4` is `i`.
fn whole_quotient(e: &Expr, k: i64) -> Option<Expr> {
    written(&Linear::of(e).ok()?.floor_div(k).ok()?)
}

/// `e % k` where it is a number: `(4 * i + 1) % 4` is `1`.
fn constant_remainder(e: &Expr, k: i64) -> Option<i64> {
    let l = Linear::of(e).ok()?;
    let whole = l.floor_div(k).ok()?.times(k).ok()?;
    l.minus(&whole).ok()?.as_constant()
}

/// A number, a variable, or a variable and a number, where that is all there is to it.
fn short(e: &Expr) -> Option<Expr> {
    written(&Linear::of(e).ok()?)
}

fn written(l: &Linear) -> Option<Expr> {
    let mut terms = l.terms();
    let Some((atom, coefficient)) = terms.next() else { return Some(int(l.offset())) };
    let Atom::Var(x) = atom else { return None };
    if coefficient != 1 || terms.next().is_some() {
        return None;
    }
    Some(match l.offset() {
        0 => var(*x),
        n if n < 0 => bin(BinOp::Sub, *x, n.checked_neg()?),
        n => bin(BinOp::Add, *x, n),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretty::expr_to_string;
    use crate::sym::Sym;

    #[test]
    fn sums_are_short_where_they_can_be() {
        let (i, n) = (Sym::fresh("i"), Sym::fresh("n"));
        let show = |e: Expr| expr_to_string(&e);
        assert_eq!(show(sub(add(var(i), int(2)), var(i))), "2");
        assert_eq!(show(sub(add(var(i), var(n)), var(n))), "i");
        assert_eq!(show(sub(var(i), int(3))), "i - 3");
        assert_eq!(show(sub(var(i), var(n))), "i - n");
        assert_eq!(show(add(int(0), var(i))), "i");
        assert_eq!(show(quotient(int(-3), 2)), "-2");
        assert_eq!(show(remainder(int(-3), 2)), "1");
        assert_eq!(show(scale(4, var(i))), "4 * i");
        let tile = add(scale(4, var(i)), int(1));
        assert_eq!(show(quotient(tile.clone(), 4)), "i");
        assert_eq!(show(remainder(tile.clone(), 4)), "1");
        assert_eq!(show(quotient(tile, 3)), "(4 * i + 1) / 3");
    }

    #[test]
    fn literal_forms_keep_every_operator_and_the_value() {
        let (n, by) = (Sym::fresh("n"), Form::Literal);
        let show = |e: Expr| expr_to_string(&e);
        let all = |form: Form| {
            let sum = form.add(form.sub(int(8), int(0)), form.scale(1, var(n)));
            [form.quotient(form.times(sum.clone(), 1), 1), form.remainder(sum, 1)]
        };
        let [quotient, remainder] = all(by);
        assert_eq!(show(quotient.clone()), "(8 - 0 + 1 * n) * 1 / 1");
        assert_eq!(show(remainder.clone()), "(8 - 0 + 1 * n) % 1");
        for (literal, short) in [quotient, remainder].into_iter().zip(all(Form::Short)) {
            assert_eq!(Linear::of(&literal), Linear::of(&short));
        }
    }
}

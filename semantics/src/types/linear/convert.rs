//! From control expressions to normal forms and back.

use super::{Atom, ConfigAtom, EpochOf, Linear, NotLinear};
use crate::ast::{BinOp, Expr, ExprKind, Literal};
use crate::build;
use crate::types::deep;
use std::fmt;
use std::sync::Arc;

impl Linear {
    /// Adds `k * e`.
    pub(super) fn accumulate(&mut self, e: &Expr, k: i64, epoch: EpochOf<'_>) -> Result<(), NotLinear> {
        deep(|| match &e.kind {
            ExprKind::Read { name, idx } if idx.is_empty() => self.add_term(Atom::Var(*name), k),
            ExprKind::Lit(Literal::Int(n)) => self.add_constant(*n, k),
            ExprKind::Stride { name, dim } => self.add_term(Atom::Stride(*name, *dim), k),
            ExprKind::ReadConfig { config, field } => {
                let epoch = epoch(config, *field);
                self.add_term(
                    Atom::Config(ConfigAtom { config: Arc::clone(config), field: *field, epoch }),
                    k,
                )
            }
            ExprKind::Neg(e) => self.accumulate(e, k.checked_neg().ok_or(NotLinear::Overflow)?, epoch),
            ExprKind::Bin { op, lhs, rhs } => self.accumulate_bin(*op, lhs, rhs, k, epoch),
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
            | ExprKind::Not(_)
            | ExprKind::Extern { .. } => Err(NotLinear::NotControl),
        })
    }

    fn accumulate_bin(
        &mut self,
        op: BinOp,
        lhs: &Expr,
        rhs: &Expr,
        k: i64,
        epoch: EpochOf<'_>,
    ) -> Result<(), NotLinear> {
        match op {
            BinOp::Add => {
                self.accumulate(lhs, k, epoch)?;
                self.accumulate(rhs, k, epoch)
            }
            BinOp::Sub => {
                self.accumulate(lhs, k, epoch)?;
                self.accumulate(rhs, k.checked_neg().ok_or(NotLinear::Overflow)?, epoch)
            }
            BinOp::Mul => {
                let (l, r) = (Linear::of_at(lhs, epoch)?, Linear::of_at(rhs, epoch)?);
                let (c, e) = match (l.as_constant(), r.as_constant()) {
                    (Some(c), _) => (c, r),
                    (None, Some(c)) => (c, l),
                    (None, None) => return Err(NotLinear::Product),
                };
                self.add_scaled(c.checked_mul(k).ok_or(NotLinear::Overflow)?, &e)
            }
            BinOp::Div | BinOp::Mod => {
                let (l, r) = (Linear::of_at(lhs, epoch)?, Linear::of_at(rhs, epoch)?);
                let c = r.as_constant().filter(|c| *c >= 1).ok_or(NotLinear::Divisor)?;
                let quotient = l.floor_div(c)?;
                if op == BinOp::Div {
                    return self.add_scaled(k, &quotient);
                }
                self.add_scaled(k, &l.plus(-c, &quotient)?)
            }
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => {
                Err(NotLinear::NotControl)
            }
        }
    }

    /// An expression with this normal form: what is added first, in the order of the atoms. Remainders
    /// are written `e % c` where they can be seen. Epochs are forgotten, so it stands for the same
    /// value only where the fields have not changed.
    pub fn to_expr(&self) -> Expr {
        let (rest, mut summands) = self.remainders();
        summands.extend(rest.terms().map(|(a, k)| (k, a.to_expr())));
        if rest.constant != 0 || summands.is_empty() {
            summands.push((rest.constant, build::int(1)));
        }
        summands.sort_by_key(|(k, _)| *k < 0);
        let first = summands.remove(0);
        summands.into_iter().fold(product(first), |sum, (k, e)| match k.checked_neg() {
            Some(minus) if k < 0 => build::sub(sum, product((minus, e))),
            Some(_) | None => build::add(sum, product((k, e))),
        })
    }

    /// The form operator by operator: remainders and quotients, variables, and the constant, 0 or not, where it is not all.
    /// Spec: [rule: forms].
    pub fn to_literal_expr(&self) -> Expr {
        let (rest, mut summands) = self.remainders();
        summands.extend(rest.terms().map(|(a, k)| (k, a.to_expr())));
        let is_variable = |e: &Expr| matches!(e.kind, ExprKind::Read { .. });
        summands.sort_by_key(|(_, e)| is_variable(e));
        let terms = summands.into_iter().map(|(k, e)| if k == 1 { e } else { build::mul(k, e) });
        let constant = build::int(rest.constant);
        terms.reduce(build::add).map_or(constant.clone(), |sum| build::add(sum, constant))
    }

    /// Takes out what is `k * (l % c)`, that is `k * l - k * c * (l / c)`: what is left, and these.
    fn remainders(&self) -> (Linear, Vec<(i64, Expr)>) {
        let (mut rest, mut found) = (self.clone(), Vec::new());
        for (a, coefficient) in self.terms() {
            let Atom::Div(l, c) = a else { continue };
            let Some(k) = coefficient.checked_neg().filter(|n| n % c == 0).map(|n| n / c) else { continue };
            let whole = l.terms().all(|(b, m)| m.checked_mul(k).is_some_and(|n| rest.coefficient(b) == n));
            let remainder = Linear::atom(a.clone()).times(-c).and_then(|d| d.plus(1, l));
            if let (true, Ok(Ok(left))) = (whole, remainder.map(|r| rest.clone().plus(-k, &r))) {
                rest = left;
                found.push((k, build::rem(l.to_expr(), *c)));
            }
        }
        (rest, found)
    }
}

/// `k * e`; the constant `k` where `e` is the literal 1.
fn product((k, e): (i64, Expr)) -> Expr {
    match (k, &e.kind) {
        (_, ExprKind::Lit(Literal::Int(1))) => build::int(k),
        (1, _) => e,
        (-1, _) => build::neg(e),
        (_, _) => build::mul(k, e),
    }
}

impl Atom {
    fn to_expr(&self) -> Expr {
        match self {
            Atom::Var(x) => build::var(*x),
            Atom::Stride(x, dim) => build::stride(*x, *dim),
            Atom::Config(ConfigAtom { config, field, epoch: _ }) => build::read_config(config, *field),
            Atom::Div(l, c) => build::div(l.to_expr(), *c),
        }
    }
}

/// As [`Linear::to_expr`] is written, every name as in the source: for messages. (The printer of
/// programs would rename one of two variables of the same name.)
impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.to_expr(), Level::Sum))
    }
}

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Product,
    Operand,
}

/// The text of what [`Linear::to_expr`] makes, in parentheses where it binds less tightly than this.
fn shown(e: &Expr, level: Level) -> String {
    let (own, text) = match &e.kind {
        ExprKind::Bin { op: op @ (BinOp::Add | BinOp::Sub), lhs, rhs } => {
            let (l, r) = (shown(lhs, Level::Sum), shown(rhs, Level::Product));
            (Level::Sum, format!("{l} {} {r}", op.symbol()))
        }
        ExprKind::Bin { op, lhs, rhs } => {
            let (l, r) = (shown(lhs, Level::Product), shown(rhs, Level::Operand));
            (Level::Product, format!("{l} {} {r}", op.symbol()))
        }
        ExprKind::Neg(e) => (Level::Operand, format!("-{}", shown(e, Level::Operand))),
        ExprKind::Read { name, idx: _ } => (Level::Operand, name.to_string()),
        ExprKind::Lit(Literal::Int(n)) => (Level::Operand, n.to_string()),
        ExprKind::Stride { name, dim } => (Level::Operand, format!("stride({name}, {dim})")),
        ExprKind::ReadConfig { config, field } => (Level::Operand, format!("{}.{field}", config.name)),
        ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
        | ExprKind::Window(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. } => (Level::Operand, "?".to_owned()),
    };
    if own < level { format!("({text})") } else { text }
}

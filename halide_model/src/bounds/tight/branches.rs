//! Demands of branches that only some inputs take: each branch of a specialization asks for its own. Spec:
//! [rule: halide.not-larger].

use super::super::normal::{Normal, Normalizer, Sum};
use crate::expr::Expr;
use crate::op::Op;
use crate::valid::is_startup;
use crate::value::Value;

/// A condition that is known at startup, and whether it holds.
pub(in crate::bounds) type Branch = (Expr, bool);

/// How many conditions tell the ends of one region apart; of others, all branches count at once.
const MOST: usize = 3;

/// The branch that a condition stands for, when it is decided by integers at startup.
pub(super) fn branch(cond: &Expr) -> Option<Branch> {
    if !is_startup(cond) || !is_integral(cond) {
        return None;
    }
    let (mut cond, mut holds) = (cond, true);
    while let Expr::Op(Op::Not, args) = cond
        && let [inner] = args.as_ref()
    {
        (cond, holds) = (inner, !holds);
    }
    Some((cond.clone(), holds))
}

/// Whether nothing is left to mathematics and floating point.
pub(in crate::bounds) fn is_integral(e: &Expr) -> bool {
    let mut integral = true;
    e.visit(&mut |e| {
        integral &= match e {
            Expr::Const(Value::Int(_)) | Expr::Var(_) => true,
            Expr::Const(Value::Float(_) | Value::Tuple(_) | Value::Error(_)) | Expr::Access(_) => false,
            Expr::Op(op, _) => match op {
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select => true,
                Op::Not | Op::Or | Op::And | Op::Lt | Op::Gt | Op::Eq => true,
                Op::Cast(to) => to.range().is_some(),
                Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => false,
            },
        };
    });
    integral
}

/// An end that is asked for where all of some conditions are as they say.
#[derive(Clone)]
pub(super) struct End {
    pub(super) when: Vec<Branch>,
    pub(super) end: Normal,
}

/// What bounds all that is asked for: by conditions, where that makes a difference. Nothing where nothing is asked.
pub(super) fn hull(all: Vec<End>, up: bool, terms: &Normalizer) -> Option<Normal> {
    apart(all, up, terms, MOST)
}

fn apart(all: Vec<End>, up: bool, terms: &Normalizer, left: usize) -> Option<Normal> {
    if all.is_empty() {
        return None;
    }
    let cond = all.iter().find_map(|e| e.when.first()).map(|(cond, _)| cond.clone());
    let Some(cond) = cond.filter(|_| left > 0) else {
        let ends = all.into_iter().map(|e| e.end).collect();
        return Some(terms.trimmed(&if up { terms.maximum(ends) } else { terms.minimum(ends) }, up));
    };
    let side = |holds: bool| {
        let mut mine: Vec<End> =
            all.iter().filter(|e| !e.when.contains(&(cond.clone(), !holds))).cloned().collect();
        for e in &mut mine {
            e.when.retain(|(c, _)| *c != cond);
            let end = e.end.to_expr();
            if mentions(&end, &cond) {
                e.end = terms.normalize(&decided(&end, &cond, holds));
            }
        }
        apart(mine, up, terms, left - 1)
    };
    match (side(true), side(false)) {
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), Some(b)) => Some(either(&cond, &a, &b, terms)),
        // Nothing is asked in the other one.
        (one, other) => one.or(other),
    }
}

/// `select(cond, a, b)`, with the terms that both have outside: they cancel with what the other end has.
fn either(cond: &Expr, a: &Normal, b: &Normal, terms: &Normalizer) -> Normal {
    let both = match (a, b) {
        (Normal::Sum(a), Normal::Sum(b)) => a.common(b),
        (Normal::Sum(_) | Normal::Min(_) | Normal::Max(_), _) => Sum::default(),
    };
    let both = Normal::Sum(both);
    let rest = |n: &Normal| terms.add(n, &terms.scale(&both, -1)).to_expr();
    let select = Expr::op(Op::Select, [cond.clone(), rest(a), rest(b)]);
    terms.add(&both, &Normal::opaque(select))
}

fn mentions(e: &Expr, part: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| found |= e == part);
    found
}

/// What an end is where a condition holds or does not: ends of regions around are told apart by it, too.
fn decided(e: &Expr, cond: &Expr, holds: bool) -> Expr {
    match e {
        Expr::Op(Op::Select, args) if args.first() == Some(cond) => {
            let taken = args.get(if holds { 1 } else { 2 });
            taken.map_or_else(|| e.clone(), |taken| decided(taken, cond, holds))
        }
        Expr::Op(op, args) => Expr::op(*op, args.iter().map(|a| decided(a, cond, holds)).collect::<Vec<_>>()),
        Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => e.clone(),
    }
}

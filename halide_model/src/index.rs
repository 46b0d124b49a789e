//! Indices that are truncated numbers of floating point and whose ends depend on inputs without dimensions.
//! Spec: [rule: halide.float-index].
//!
//! Where such an index has ends, they are those of its corners: the numbers with each part that varies at one of its ends.
//! The ends are parameters of the lowered program that are computed at its start, and it is asserted of all corners that they
//! are numbers of 32 bits. Then all numbers between them are, and truncation keeps the order.

use crate::alg::{Algorithm, Input};
use crate::bounds::float_range::corners;
use crate::expr::{Access, Expr, Var};
use crate::float::{Float, Precision};
use crate::op::Op;
use crate::op::math::Math;
use crate::tgt::{Block, Claim, Program, Stmt};
use crate::typed::{Scalar, Width};
use crate::value::{Value, apply};
use rewright_base::sym::Name;
use std::sync::Arc;

/// One more than the greatest number of 32 bits, and the least one less its sign.
const BEYOND: f64 = 2_147_483_648.0;

/// A corner of an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Corner {
    /// The parameter that stands for its integer.
    pub var: Var,
    /// The number.
    number: Expr,
    /// The integer: `truncate(e)` of a number that fits, or 0.
    pub value: Expr,
}

/// What is asserted of the indices of an algorithm: of each corner that its number is one of 32 bits.
pub fn assertions(p: &Algorithm) -> Block {
    let mut out = Block::new();
    let mut look = |index: &Expr| {
        index.visit(&mut |e| {
            for corner in truncated(e).and_then(|e| corners(e, &|a| is_scalar(p, a))).into_iter().flatten() {
                let check = Stmt::Assert { cond: fits(&corner), claim: Claim::Index };
                if !out.contains(&check) {
                    out.push(check);
                }
            }
        });
    };
    for u in p.funcs.iter().flat_map(|f| f.all_stages()) {
        u.lhs.iter().for_each(&mut look);
        for e in u.lhs.iter().chain([&u.cond, &u.rhs]) {
            e.visit(&mut |e| {
                if let Expr::Access(a) = e {
                    a.args.iter().for_each(&mut look);
                }
            });
        }
    }
    out
}

/// The corners of which a program asserts that they fit.
pub fn asserted(t: &Program) -> Vec<Corner> {
    let mut out: Vec<Corner> = Vec::new();
    let mut add = |s: &Stmt| {
        if let Stmt::Assert { cond, claim: Claim::Index } = s
            && let Expr::Op(Op::And, both) = cond
            && let Some(Expr::Op(Op::Math(Math::Less), args)) = both.get(1)
            && let Some(number) = args.first()
        {
            let var = Var::Param(Name::new(&format!("index.{}", out.len())));
            let integer = Expr::op(Op::Math(Math::Truncate), [number.clone()]);
            let value = Expr::op(Op::Select, [cond.clone(), integer, Expr::int(0)]);
            out.push(Corner { var, number: number.clone(), value });
        }
    };
    t.body.iter().for_each(|s| s.visit(&mut add));
    out
}

/// An index with each such number in it cut off at its ends, between which it lies. A cast to 32 bits leaves it what it is.
pub fn within_ends(index: &Expr, p: &Algorithm, known: &[Corner]) -> Expr {
    index.rewrite(&mut |e| {
        let e = uncast(e);
        let found = corners(truncated(e)?, &|a| is_scalar(p, a))?;
        let ends =
            found.iter().map(|number| known.iter().find(|k| k.number == *number).map(|k| Expr::Var(k.var)));
        let ends = ends.collect::<Option<Vec<Expr>>>()?;
        let end = |op| ends.iter().cloned().reduce(|a, b| Expr::binary(op, a, b));
        let below = Expr::binary(Op::Min, e.clone(), end(Op::Max)?);
        Some(Expr::binary(Op::Max, below, end(Op::Min)?))
    })
}

/// What the corners of a program are, given its inputs; nothing of those whose inputs are not given.
pub fn values(t: &Program, z: &Input) -> Vec<(Var, Value)> {
    let known = asserted(t).into_iter();
    known.filter_map(|c| Some((c.var, value(&c.value, &t.algorithm, z)?))).collect()
}

fn value(e: &Expr, p: &Algorithm, z: &Input) -> Option<Value> {
    match e {
        Expr::Const(v) => Some(v.clone()),
        Expr::Var(Var::Param(name)) => {
            let at = p.params.iter().position(|q| q == name)?;
            z.params.get(at).map(|v| Value::int(*v))
        }
        Expr::Var(Var::Local(_) | Var::Loop(..) | Var::Window(..) | Var::Hole(_)) => None,
        Expr::Access(a) => {
            let at = p.inputs.iter().position(|i| i.name == a.func)?;
            z.buffers.get(at)?.values.first().cloned()
        }
        Expr::Op(op, args) => {
            let args = args.iter().map(|e| value(e, p, z)).collect::<Option<Vec<Value>>>()?;
            apply(*op, &args)
        }
    }
}

fn uncast(e: &Expr) -> &Expr {
    match e {
        Expr::Op(Op::Cast(Scalar::Signed(Width::W32 | Width::W64)), args) => args.first().unwrap_or(e),
        Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => e,
    }
}

fn truncated(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Op(Op::Math(Math::Truncate), args) => args.first(),
        Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => None,
    }
}

/// Whether it is an input without dimensions, which never changes.
fn is_scalar(p: &Algorithm, a: &Access) -> bool {
    p.input(a.func).is_some_and(|i| i.rank == 0)
}

/// `-2³¹ < e < 2³¹`, which no NaN is.
fn fits(e: &Expr) -> Expr {
    let number = |v| Expr::Const(Value::Float(Float::new(Precision::Double, v)));
    let less = |a: Expr, b: Expr| Expr::op(Op::Math(Math::Less), Arc::from([a, b]));
    Expr::binary(Op::And, less(number(-BEYOND), e.clone()), less(e.clone(), number(BEYOND)))
}

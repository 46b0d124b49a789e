//! What directives of the bounds phase make of a region.

use super::super::normal::{simplify, simplify_interval};
use super::last;
use crate::expr::{End, Expr, Hole, Interval, Region, Var};
use crate::tgt::Claim;
use crate::value::Op;

pub(super) struct Given {
    pub(super) bounds: Vec<Interval>,
    pub(super) checks: Vec<Expr>,
}

/// What the claims say of one dimension.
#[derive(Default)]
struct Claims {
    min: Option<Expr>,
    len: Option<Expr>,
    align: Option<(Expr, Expr)>,
}

/// Windows that are given replace the required ones, and a check says that they cover them; aligned ones are widened.
pub(super) fn apply(region: Region, required: Vec<Interval>, claims: &[(Claim, Expr)]) -> Given {
    let mut out = Given { bounds: Vec::new(), checks: Vec::new() };
    for (dim, needed) in required.into_iter().enumerate() {
        let said = said(region, dim, claims);
        let needed = match (&said.align, &said.min, &said.len) {
            (Some((m, r)), None, None) => aligned(&needed, m, r),
            _ => needed,
        };
        let given = Interval {
            min: said.min.clone().unwrap_or_else(|| needed.min.clone()),
            len: said.len.clone().unwrap_or_else(|| needed.len.clone()),
        };
        if said.min.is_some() || said.len.is_some() {
            let not_more = |a: Expr, b: Expr| Expr::op(Op::Not, [Expr::binary(Op::Gt, simplify(&a), simplify(&b))]);
            out.checks.push(not_more(given.min.clone(), needed.min.clone()));
            out.checks.push(not_more(last(&needed), last(&given)));
            out.checks.push(not_more(Expr::int(0), given.len.clone()));
        }
        out.bounds.push(simplify_interval(&given));
    }
    out
}

fn said(region: Region, dim: usize, claims: &[(Claim, Expr)]) -> Claims {
    let mut out = Claims::default();
    let is = |e: &Expr, end| *e == Expr::Var(Var::Hole(Hole { region, dim, end }));
    for (_, cond) in claims.iter().filter(|(c, _)| *c == Claim::Bounds) {
        let Expr::Op(Op::Eq, sides) = cond else { continue };
        let [a, b] = sides.as_ref() else { continue };
        match (a, b) {
            (Expr::Op(Op::Mod, x), Expr::Op(Op::Mod, r)) => {
                if let ([x, m], [r, _]) = (x.as_ref(), r.as_ref())
                    && is(x, End::Min)
                {
                    out.align = Some((m.clone(), r.clone()));
                }
            }
            (a, b) if is(a, End::Min) => out.min = Some(b.clone()),
            (a, b) if is(a, End::Len) => out.len = Some(b.clone()),
            _ => {}
        }
    }
    out
}

/// The least window around `i` that starts at `r` modulo `m` and whose length `m` divides.
fn aligned(i: &Interval, m: &Expr, r: &Expr) -> Interval {
    let sub = |a: Expr, b: Expr| Expr::binary(Op::Sub, a, b);
    let min = sub(i.min.clone(), Expr::binary(Op::Mod, sub(i.min.clone(), r.clone()), m.clone()));
    let wanted = sub(Expr::binary(Op::Add, last(i), m.clone()), min.clone());
    let len = Expr::binary(Op::Mul, m.clone(), Expr::binary(Op::Div, wanted, m.clone()));
    simplify_interval(&Interval { min, len: Expr::binary(Op::Max, len, Expr::int(0)) })
}

//! What directives of the bounds phase make of a region.

use super::super::demand::{Ends, last};
use super::super::normal::Normalizer;
use crate::expr::{End, Expr, Hole, Interval, Region, Var};
use crate::op::Op;
use crate::tgt::Claim;

pub(super) struct Given {
    pub(super) ends: Vec<Ends>,
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
pub(super) fn apply(
    region: Region,
    required: Vec<Ends>,
    claims: &[(Claim, Expr)],
    terms: &Normalizer,
) -> Given {
    let mut out = Given { ends: Vec::new(), bounds: Vec::new(), checks: Vec::new() };
    for (dim, ends) in required.into_iter().enumerate() {
        let said = said(region, dim, claims);
        let (lo, hi) = (ends.lo.to_expr(), ends.hi.to_expr());
        let given = match &said {
            Claims { min: None, len: None, align: None } => {
                out.bounds.push(ends.interval(region, dim, terms));
                out.ends.push(ends);
                continue;
            }
            Claims { min: None, len: None, align: Some((m, r)) } => aligned(&lo, &hi, m, r, terms),
            Claims { min, len, align: _ } => {
                let min = min.clone().unwrap_or_else(|| lo.clone());
                let needed =
                    Expr::binary(Op::Sub, Expr::binary(Op::Add, hi.clone(), Expr::int(1)), min.clone());
                let given = Interval { len: len.clone().unwrap_or(needed), min };
                let not_more = |a: Expr, b: Expr| {
                    Expr::op(Op::Not, [Expr::binary(Op::Gt, terms.simplify(&a), terms.simplify(&b))])
                };
                out.checks.push(not_more(given.min.clone(), lo));
                out.checks.push(not_more(hi, last(&given, terms)));
                out.checks.push(not_more(Expr::int(0), given.len.clone()));
                terms.simplify_interval(&given)
            }
        };
        out.ends.push(Ends::new(terms.normalize(&given.min), terms.normalize(&last(&given, terms))));
        out.bounds.push(given);
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

/// The least window around `lo..=hi` that starts at `r` modulo `m` and whose length `m` divides.
fn aligned(lo: &Expr, hi: &Expr, m: &Expr, r: &Expr, terms: &Normalizer) -> Interval {
    let sub = |a: Expr, b: Expr| Expr::binary(Op::Sub, a, b);
    let min = sub(lo.clone(), Expr::binary(Op::Mod, sub(lo.clone(), r.clone()), m.clone()));
    let wanted = sub(Expr::binary(Op::Add, hi.clone(), m.clone()), min.clone());
    let len = Expr::binary(Op::Mul, m.clone(), Expr::binary(Op::Div, wanted, m.clone()));
    terms.simplify_interval(&Interval { min, len: Expr::binary(Op::Max, len, Expr::int(0)) })
}

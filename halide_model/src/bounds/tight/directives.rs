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
            Claims { min: None, len: None, align: Some(to) } => {
                let ends = aligned(&ends, to, terms);
                out.bounds.push(ends.interval(region, dim, terms));
                out.ends.push(ends);
                continue;
            }
            Claims { min, len, align } => {
                let rounded = || align.as_ref().map_or_else(|| lo.clone(), |to| rounded(&lo, to));
                let min = min.clone().unwrap_or_else(rounded);
                let needed = needed(&min, &hi, align.as_ref().map(|(m, _)| m));
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
                    out.align = Some(both(out.align.take(), m, r));
                }
            }
            (a, b) if is(a, End::Min) => out.min = Some(b.clone()),
            (a, b) if is(a, End::Len) => out.len = Some(b.clone()),
            _ => {}
        }
    }
    out
}

/// The length of a window from `min` on that reaches `hi`, and that a modulus divides.
fn needed(min: &Expr, hi: &Expr, modulus: Option<&Expr>) -> Expr {
    let steps = Expr::binary(Op::Sub, hi.clone(), min.clone());
    let Some(m) = modulus else { return Expr::binary(Op::Add, steps, Expr::int(1)) };
    let whole = Expr::binary(Op::Mul, m.clone(), Expr::binary(Op::Div, steps, m.clone()));
    Expr::binary(Op::Add, whole, m.clone())
}

/// Rounds an end down to what is `r` modulo `m`: the step of `end`, which grows with it. In `end - (end - r) mod m` the
/// two parts would be bounded apart from each other.
fn rounded(end: &Expr, (m, r): &(Expr, Expr)) -> Expr {
    let steps = Expr::binary(Op::Div, Expr::binary(Op::Sub, end.clone(), r.clone()), m.clone());
    Expr::binary(Op::Add, Expr::binary(Op::Mul, m.clone(), steps), r.clone())
}

/// The least window around the required one that starts at `r` modulo `m` and whose length `m` divides. One that is certainly
/// empty stays so.
fn aligned(required: &Ends, to: &(Expr, Expr), terms: &Normalizer) -> Ends {
    let first = rounded(&required.lo.to_expr(), to);
    let behind = Expr::binary(Op::Add, required.hi.to_expr(), Expr::int(1));
    let next = if terms.at_most(&behind, &required.lo.to_expr()) {
        first.clone()
    } else {
        Expr::binary(Op::Add, rounded(&required.hi.to_expr(), to), to.0.clone())
    };
    let last = Expr::binary(Op::Sub, next, Expr::int(1));
    Ends::new(terms.normalize(&first), terms.normalize(&last)).aligned(&to.0)
}

/// What meets two alignments: of constants, the points of both; of others, the later one, and the program's assertion
/// about the earlier may fail.
fn both(before: Option<(Expr, Expr)>, m: &Expr, r: &Expr) -> (Expr, Expr) {
    let constants = |(m, r): &(Expr, Expr)| Some((m.as_i64()?, r.as_i64()?));
    let later = (m.clone(), r.clone());
    let joined =
        before.as_ref().and_then(constants).zip(constants(&later)).and_then(|(a, b)| congruent(a, b));
    joined.map_or(later, |(m, r)| (Expr::int(m), Expr::int(r)))
}

/// The least positive common multiple of two moduli, and what has both remainders.
fn congruent((m, r): (i64, i64), (n, q): (i64, i64)) -> Option<(i64, i64)> {
    const MOST: i64 = 1 << 16;
    if !(1..=MOST).contains(&m) || !(1..=MOST).contains(&n) {
        return None;
    }
    let multiple = (1..=n).map(|k| m * k).find(|x| x % n == 0)?;
    let both = (0..n).map(|k| r.rem_euclid(m) + m * k).find(|x| x.rem_euclid(n) == q.rem_euclid(n))?;
    Some((multiple, both % multiple))
}

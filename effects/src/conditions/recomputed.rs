//! Recomputation: loops that write the same values again, as a fused producer does for each consumer. ASPLOS'25
//! Fig. 10, [E-34]; spec: [rule: conditions.loop-fusion-again].
//!
//! After `divide_with_recompute`, neighbouring pieces of a loop compute some cells twice. A piece then changes
//! cells that the consumer of the piece before has read, but only from a value to itself.

use super::formulas::bd;
use super::iteration::{Loop, copy_of, eff_at};
use super::writes::{Search, Write};
use crate::context::Context;
use crate::effexpr::EffExpr;
use crate::locset::Base;

/// A buffer that a first loop fills, and a second loop reads.
pub(super) struct Recomputed {
    /// Its root.
    pub(super) base: Base,
    /// Where it is, for any two iterations of the first loop, that a cell which both write gets one value; and a
    /// cell that iteration x2 of the second loop reads and x1 of the first writes is written by x2 of the first.
    pub(super) harmless: EffExpr,
}

/// What is asked where the second loop's iteration `x2` comes to run before the first loop's iteration `x1`, for
/// each buffer of which it makes sense: the first loop writes it by one assignment whose value depends on nothing that
/// either loop changes, and the second one only reads it. Neither loop writes a field.
pub(super) fn recomputed(
    ctx: &Context,
    l1: &Loop<'_>,
    l2: &Loop<'_>,
    [x1, x2]: [&EffExpr; 2],
) -> Vec<Recomputed> {
    let an = &ctx.analysis;
    if !an.written_fields(l1.body).is_empty() || !an.written_fields(l2.body).is_empty() {
        return Vec::new();
    }
    let first = |x: &EffExpr| eff_at(ctx, &ctx.env, &[(l1.iter, x)], l1.body);
    let (at_x1, at_x2) = (first(x1), first(x2));
    let second = eff_at(ctx, &ctx.env, &[(l2.iter, x2)], l2.body);
    let changed: Vec<Base> =
        at_x1.modified().bases().into_keys().chain(second.modified().bases().into_keys()).collect();
    let read = second.reads().bases();
    let filled = at_x1
        .wr()
        .bases()
        .into_keys()
        .filter(|b| !b.is_field() && read.contains_key(b) && !second.modified().bases().contains_key(b));
    filled
        .filter_map(|base| {
            let same = one_value(ctx, l1, base, &changed)?;
            let complete = second.reads().only(base).for_all(|cell, is_read| {
                let both = EffExpr::and([is_read, at_x1.wr().contains(cell)]);
                EffExpr::implies(EffExpr::maybe(both), EffExpr::definitely(at_x2.wr().contains(cell)))
            });
            Some(Recomputed { base, harmless: EffExpr::and([same, complete]) })
        })
        .collect()
}

/// Any two writes to one cell of the buffer by the loop write one value.
fn one_value(ctx: &Context, l: &Loop<'_>, base: Base, changed: &[Base]) -> Option<EffExpr> {
    let search = Search { an: &ctx.analysis, outside: &ctx.env, base, changed };
    let write = || {
        let x = copy_of(l.iter);
        let mut env = ctx.env.clone();
        env.bind(l.iter, x.clone());
        let found = search.writes(&env, bd(&l.bounds(&ctx.env), &x), l.body)?;
        <[Write; 1]>::try_from(found).ok().map(|[write]| write)
    };
    write()?.agrees_with(&write()?)
}

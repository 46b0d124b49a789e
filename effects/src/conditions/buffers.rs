//! Conditions on how long the values of a buffer live. Spec: [rule: conditions.buffers].

use super::loops::{Loop, bd, copy_of, eff_at, not_a_loop, primed};
use super::stmts::span_of;
use super::{BUFFER_CARRY, BUFFER_ORDER, BUFFER_UNTOUCHED};
use crate::context::Context;
use crate::eff::eff_block;
use crate::effect::Effect;
use crate::effexpr::{EffExpr, Substitution, Var};
use crate::locset::{Base, Loc, LocSet};
use crate::obligation::Obligation;
use crate::valg::havoc;
use rewright_semantics::ast::Stmt;
use rewright_semantics::sym::Sym;
use std::collections::BTreeMap;

/// The root that a name shows; one that nothing else shows when the name is not in scope.
fn base_of(ctx: &Context, x: Sym) -> Base {
    ctx.env.view(x).map_or(Base::Buffer(x), |v| v.base)
}

/// The statements in the hole do not touch what `x` shows a part of, by whatever name.
/// Spec: [rule: conditions.buffer-untouched].
pub fn untouched(ctx: &Context, x: Sym) -> Obligation {
    let touched = eff_block(&ctx.analysis, &ctx.env, &ctx.hole).all().only(base_of(ctx, x));
    let sentence = format!("nothing touches `{x}` here");
    ctx.obligation(BUFFER_UNTOUCHED, sentence, EffExpr::definitely(touched.is_empty()))
        .at(span_of(&ctx.hole), "these statements")
}

/// No iteration of the loop reads or reduces a cell of `x` that an earlier one has changed, before it writes the
/// cell itself. The iterations run in different states. Spec: [rule: conditions.buffer-carry].
pub fn no_carry(ctx: &Context, s: &Stmt, x: Sym) -> Vec<Obligation> {
    let Some(l) = Loop::of(s) else { return not_a_loop(ctx, s) };
    let base = base_of(ctx, x);
    let (x1, x2) = (copy_of(l.iter), primed(l.iter));
    let at = |v: &EffExpr| {
        let (any, _) = havoc(&ctx.analysis, &ctx.env, l.body);
        eff_at(ctx, &any, &[(l.iter, v)], l.body)
    };
    let changed = at(&x1).modified().only(base);
    let needed = at(&x2).uses().only(base);
    let bounds = l.bounds(&ctx.env);
    let run = EffExpr::maybe(EffExpr::and([bd(&bounds, &x1), bd(&bounds, &x2), EffExpr::lt(x1, x2)]));
    let apart = EffExpr::definitely(changed.inter(needed).is_empty());
    let sentence = format!("no iteration needs what an earlier one has left in `{x}`");
    vec![ctx.obligation(BUFFER_CARRY, sentence, EffExpr::implies(run, apart)).at(s.span, "this loop")]
}

/// After a cell of `x` has been changed in the hole, no cell is touched there that is `size` or more below it along
/// dimension `dim`, all other indices being equal. Then cells that are `size` apart are never needed at the same
/// time: of two such cells, the lower is not touched once the higher has been changed, and the higher is not
/// changed as long as the lower is needed. ASPLOS'25 App. A.5 (resize_dim); spec: [rule: conditions.buffer-order].
pub fn upward(ctx: &Context, x: Sym, dim: usize, size: i64) -> Vec<Obligation> {
    let effect = eff_block(&ctx.analysis, &ctx.env, &ctx.hole).only(base_of(ctx, x));
    let mut pairs = Vec::new();
    collect_pairs(&effect, &mut Vec::new(), &mut pairs);
    let sentence = format!("no cell of `{x}` is touched that is {size} or more below one changed before");
    let stated = pairs.into_iter().map(|(known, before, after)| {
        let formula =
            EffExpr::implies(EffExpr::maybe(EffExpr::and(known)), above(&before, &after, dim, size));
        ctx.obligation(BUFFER_ORDER, sentence.clone(), formula).at(span_of(&ctx.hole), "these statements")
    });
    stated.collect()
}

/// What is known, what is changed, and what is touched afterwards.
type Pair = (Vec<EffExpr>, LocSet, LocSet);

/// All pairs of a change and a later access in an effect.
fn collect_pairs(a: &Effect, known: &mut Vec<EffExpr>, out: &mut Vec<Pair>) {
    let mut note = |known: &[EffExpr], before: LocSet, after: LocSet| {
        if before != LocSet::Empty && after != LocSet::Empty {
            out.push((known.to_vec(), before, after));
        }
    };
    match a {
        Effect::Empty | Effect::Access(..) | Effect::Alloc(_) => {}
        Effect::Seq(parts) => {
            let mut changed = LocSet::Empty;
            for part in parts.iter() {
                note(known, changed.clone(), part.all());
                changed = LocSet::union([changed, part.modified()]);
            }
            parts.iter().for_each(|part| collect_pairs(part, known, out));
        }
        Effect::Guard(ee, inner) => {
            known.push(ee.clone());
            collect_pairs(inner, known, out);
            known.pop();
        }
        Effect::Loop(x, inner) => {
            let (x1, x2) = (copy_of(*x), primed(*x));
            known.push(EffExpr::lt(x1.clone(), x2.clone()));
            note(known, at_value(inner, *x, x1).modified(), at_value(inner, *x, x2).all());
            known.pop();
            collect_pairs(inner, known, out);
        }
    }
}

fn at_value(a: &Effect, x: Sym, value: EffExpr) -> Effect {
    let mut sub = Substitution::default();
    sub.insert(Var::Local(x), value);
    a.substitute(&sub, &BTreeMap::new())
}

/// `∀ c ∈ before, d ∈ after. (all other indices equal) ⇒ c[dim] - d[dim] < size`
fn above(before: &LocSet, after: &LocSet, dim: usize, size: i64) -> EffExpr {
    before.for_all(|c: &Loc, in_before| {
        after.for_all(|d: &Loc, in_after| {
            let pairs = || c.idx.iter().zip(d.idx.iter()).enumerate();
            let others =
                pairs().filter(|(k, _)| *k != dim).map(|(_, (i, j))| EffExpr::eq(i.clone(), j.clone()));
            let both = EffExpr::and(others.chain([in_before.clone(), in_after]).collect::<Vec<_>>());
            let near = pairs()
                .filter(|(k, _)| *k == dim)
                .map(|(_, (i, j))| EffExpr::lt(EffExpr::sub(i.clone(), j.clone()), EffExpr::int(size)));
            EffExpr::implies(
                EffExpr::maybe(both),
                EffExpr::definitely(EffExpr::and(near.collect::<Vec<_>>())),
            )
        })
    })
}

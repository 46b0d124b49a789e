//! Conditions on how long the values of a buffer live. Spec: [rule: conditions.buffers].

use super::formulas::bd;
use super::iteration::{Loop, copy_of, eff_at, not_a_loop, primed};
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
    ordered(ctx, x, (dim, size), Way::Up)
}

/// The mirror image of [`upward`]: after a cell has been changed, no cell is touched that is `size` or more above it.
/// Spec: [rule: conditions.buffer-order].
pub fn downward(ctx: &Context, x: Sym, dim: usize, size: i64) -> Vec<Obligation> {
    ordered(ctx, x, (dim, size), Way::Down)
}

/// The way that accesses take through a dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

fn ordered(ctx: &Context, x: Sym, (dim, size): (usize, i64), way: Way) -> Vec<Obligation> {
    let effect = eff_block(&ctx.analysis, &ctx.env, &ctx.hole).only(base_of(ctx, x));
    let mut pairs = Vec::new();
    let parts = Parts { before: &Effect::modified, after: &Effect::all };
    parts.collect(&effect, &mut Vec::new(), &mut pairs);
    let side = match way {
        Way::Up => "below",
        Way::Down => "above",
    };
    let sentence = format!("no cell of `{x}` is touched that is {size} or more {side} one changed before");
    let stated = pairs.into_iter().map(|(known, before, after)| {
        let formula =
            EffExpr::implies(EffExpr::maybe(EffExpr::and(known)), near(&before, &after, (dim, size), way));
        ctx.obligation(BUFFER_ORDER, sentence.clone(), formula).at(span_of(&ctx.hole), "these statements")
    });
    stated.collect()
}

/// What is known, what is changed, and what is touched afterwards.
type Pair = (Vec<EffExpr>, LocSet, LocSet);

/// Which accesses of an effect are meant as the earlier and as the later one of a pair.
struct Parts<'a> {
    before: &'a dyn Fn(&Effect) -> LocSet,
    after: &'a dyn Fn(&Effect) -> LocSet,
}

impl Parts<'_> {
    /// All pairs of a change and a later access in an effect.
    fn collect(&self, a: &Effect, known: &mut Vec<EffExpr>, out: &mut Vec<Pair>) {
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
                    note(known, changed.clone(), (self.after)(part));
                    changed = LocSet::union([changed, (self.before)(part)]);
                }
                parts.iter().for_each(|part| self.collect(part, known, out));
            }
            Effect::Guard(ee, inner) => {
                known.push(ee.clone());
                self.collect(inner, known, out);
                known.pop();
            }
            Effect::Loop(x, inner) => {
                let (x1, x2) = (copy_of(*x), primed(*x));
                known.push(EffExpr::lt(x1.clone(), x2.clone()));
                note(known, (self.before)(&at_value(inner, *x, x1)), (self.after)(&at_value(inner, *x, x2)));
                known.pop();
                self.collect(inner, known, out);
            }
        }
    }
}

/// `new` may lie where `old` does, while the hole runs: `old` is not changed there, and no cell of it is read once the
/// cell of `new` in its place has been changed. Both are roots of one shape. Spec: [rule: conditions.buffer-share].
pub fn share(ctx: &Context, old: Sym, new: Sym) -> Vec<Obligation> {
    let effect = eff_block(&ctx.analysis, &ctx.env, &ctx.hole);
    let (of_old, of_new) = (base_of(ctx, old), base_of(ctx, new));
    let at = span_of(&ctx.hole);
    let unchanged = EffExpr::definitely(effect.modified().only(of_old).is_empty());
    let sentence = format!("nothing changes `{old}` here");
    let mut out = vec![ctx.obligation(BUFFER_UNTOUCHED, sentence, unchanged).at(at, "these statements")];
    let mut pairs = Vec::new();
    let parts = Parts { before: &|a| a.modified().only(of_new), after: &|a| a.reads().only(of_old) };
    parts.collect(&effect, &mut Vec::new(), &mut pairs);
    let sentence = format!("no cell of `{old}` is read after the cell of `{new}` in its place is changed");
    out.extend(pairs.into_iter().map(|(known, changed, read)| {
        let unread = changed.for_all(|c: &Loc, is_changed| {
            let place = Loc { base: of_old, idx: c.idx.clone() };
            EffExpr::implies(EffExpr::maybe(is_changed), EffExpr::not(EffExpr::maybe(read.contains(&place))))
        });
        let formula = EffExpr::implies(EffExpr::maybe(EffExpr::and(known)), unread);
        ctx.obligation(BUFFER_ORDER, sentence.clone(), formula).at(at, "these statements")
    }));
    out
}

fn at_value(a: &Effect, x: Sym, value: EffExpr) -> Effect {
    let mut sub = Substitution::default();
    sub.insert(Var::Local(x), value);
    a.substitute(&sub, &BTreeMap::new())
}

/// `∀ c ∈ before, d ∈ after. (all other indices equal) ⇒ c[dim] - d[dim] < size`; on the way down `d[dim] - c[dim]`.
fn near(before: &LocSet, after: &LocSet, (dim, size): (usize, i64), way: Way) -> EffExpr {
    let beyond = |i: &EffExpr, j: &EffExpr| match way {
        Way::Up => EffExpr::sub(i.clone(), j.clone()),
        Way::Down => EffExpr::sub(j.clone(), i.clone()),
    };
    before.for_all(|c: &Loc, in_before| {
        after.for_all(|d: &Loc, in_after| {
            let pairs = || c.idx.iter().zip(d.idx.iter()).enumerate();
            let others =
                pairs().filter(|(k, _)| *k != dim).map(|(_, (i, j))| EffExpr::eq(i.clone(), j.clone()));
            let both = EffExpr::and(others.chain([in_before.clone(), in_after]).collect::<Vec<_>>());
            let near = pairs()
                .filter(|(k, _)| *k == dim)
                .map(|(_, (i, j))| EffExpr::lt(beyond(i, j), EffExpr::int(size)));
            EffExpr::implies(
                EffExpr::maybe(both),
                EffExpr::definitely(EffExpr::and(near.collect::<Vec<_>>())),
            )
        })
    })
}

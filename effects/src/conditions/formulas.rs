//! The formulas of PLDI'22 §5.7 and §5.8, under the paper's names and with its operands; spec: [rule: conditions].
//!
//! A formula is about effects and values. Where they come from, and what else a rewrite asks, say the conditions that
//! call it. What is printed as `∀x. M Bd(x) ⇒ …` is here an implication in which x is free: an obligation holds for all
//! values of its free variables.

use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::Field;
use crate::locset::{Base, Loc, LocSet};
use std::collections::BTreeMap;

/// Commutes a1 a2. Def. 5.6; spec: [rule: conditions.commutes].
///
/// R+_H stands where the paper has R+, and reads that a write hides are kept: both differ only in places
/// where another conjunct fails anyway [E-8], and no quantifier is left.
pub fn commutes(a1: &Effect, a2: &Effect) -> EffExpr {
    EffExpr::definitely(EffExpr::and([
        apart(a1.wr(), a2.all()),
        apart(a2.wr(), a1.all()),
        apart(a1.red_h(), a2.reads()),
        apart(a2.red_h(), a1.reads()),
    ]))
}

/// Commutes_Σ a1 a2. Σ says of a field when it may be written by both [E-31].
pub fn commutes_but_for(overwritten: &BTreeMap<Field, EffExpr>, a1: &Effect, a2: &Effect) -> EffExpr {
    if overwritten.is_empty() {
        return commutes(a1, a2);
    }
    let others = |b: Base| match b {
        Base::Buffer(_) => true,
        Base::Global(f) => !overwritten.contains_key(&f),
    };
    let each = overwritten.iter().map(|(field, harmless)| {
        let base = Base::Global(*field);
        EffExpr::or([commutes(&a1.only(base), &a2.only(base)), harmless.clone()])
    });
    let apart = commutes(&a1.on(&others), &a2.on(&others));
    EffExpr::and([apart].into_iter().chain(each).collect::<Vec<_>>())
}

/// Disjoint a1 a2: no place is changed by one and touched by the other. Commutes, where reductions count as changes
/// too: what two threads may do at once. Spec: [rule: conditions.loop-parallel].
pub fn disjoint(a1: &Effect, a2: &Effect) -> EffExpr {
    EffExpr::definitely(EffExpr::and([apart(a1.modified(), a2.all()), apart(a2.modified(), a1.all())]))
}

/// Shadows a1 a2: `∀x ∈ M Mod(a1). x ∉ M Rd(a2) ∧ x ∈ D Wr(a2)`. Def. 5.7, [E-14];
/// spec: [rule: conditions.shadows].
pub fn shadows(a1: &Effect, a2: &Effect) -> EffExpr {
    let (read, written) = (a2.rd(), a2.wr());
    a1.modified().for_all(|x: &Loc, changed| {
        let unread = EffExpr::not(EffExpr::maybe(read.contains(x)));
        let overwritten = EffExpr::definitely(written.contains(x));
        EffExpr::implies(EffExpr::maybe(changed), EffExpr::and([unread, overwritten]))
    })
}

/// `𝓛1 ∩ 𝓛2 = ∅`
fn apart(l1: LocSet, l2: LocSet) -> EffExpr {
    l1.inter(l2).is_empty()
}

/// `lo ≤ x < hi`
pub type Bounds = (EffExpr, EffExpr);

/// Bd(x): the iteration runs. §5.8.
pub fn bd((lo, hi): &Bounds, x: &EffExpr) -> EffExpr {
    EffExpr::and([EffExpr::le(lo.clone(), x.clone()), EffExpr::lt(x.clone(), hi.clone())])
}

/// The same bounds, as values: what is asked where the paper asks that the bounds commute with statements [E-16].
pub fn same_bounds(a: &Bounds, b: &Bounds) -> EffExpr {
    EffExpr::and([EffExpr::surely_equal(&a.0, &b.0), EffExpr::surely_equal(&a.1, &b.1)])
}

/// Loop reordering: `M Bd(x, y, x', y') ∧ x < x' ∧ y' < y ⇒ Commutes(a, a')`. §5.8;
/// spec: [rule: conditions.loop-reorder].
pub fn reorder_loops(
    bd: EffExpr,
    [x, y]: [&EffExpr; 2],
    [x1, y1]: [&EffExpr; 2],
    commutes: EffExpr,
) -> EffExpr {
    let crossed =
        [EffExpr::maybe(bd), EffExpr::lt(x.clone(), x1.clone()), EffExpr::lt(y1.clone(), y.clone())];
    EffExpr::implies(EffExpr::and(crossed), commutes)
}

/// Loop fission: `M Bd(x, x') ∧ x' < x ⇒ Commutes(a1, a2')`. §5.8; spec: [rule: conditions.loop-fission].
pub fn fission(bd: EffExpr, x: &EffExpr, x1: &EffExpr, commutes: EffExpr) -> EffExpr {
    let earlier = EffExpr::lt(x1.clone(), x.clone());
    EffExpr::implies(EffExpr::and([EffExpr::maybe(bd), earlier]), commutes)
}

/// What else admits a fission: the first part does nothing when it runs again, and the second does not change what
/// it touches. `again` is the effect of the first part in any state, which need not be that of `a1`: it may have been run in one state,
/// and run again in another. Spec: [rule: conditions.loop-fission].
pub fn once(again: &Effect, a1: &Effect, a2: &Effect) -> EffExpr {
    EffExpr::and([shadows(again, again), EffExpr::definitely(apart(a2.modified(), a1.all()))])
}

/// Loop fusion, which is fission "in reverse": the same pairs change places. §5.8; spec: [rule: conditions.loop-fusion].
pub fn fusion(bd: EffExpr, x: &EffExpr, x1: &EffExpr, commutes: EffExpr) -> EffExpr {
    fission(bd, x, x1, commutes)
}

/// Iterations of a parallel loop: `M Bd(x, x') ∧ x ≠ x' ⇒ Disjoint(a, a')`. Spec: [rule: conditions.loop-parallel].
pub fn parallel(bd: EffExpr, x: &EffExpr, x1: &EffExpr, disjoint: EffExpr) -> EffExpr {
    let differ = EffExpr::not(EffExpr::eq(x.clone(), x1.clone()));
    EffExpr::implies(EffExpr::and([EffExpr::maybe(bd), differ]), disjoint)
}

/// Loop removal, its first conjunct: `∃x. D Bd(x)`. §5.8; spec: [rule: conditions.loop-runs].
pub fn runs((lo, hi): &Bounds) -> EffExpr {
    EffExpr::definitely(EffExpr::lt(lo.clone(), hi.clone()))
}

/// Loop removal, its second conjunct: `Shadows(a, a)`, if there is a second iteration. §5.8;
/// spec: [rule: conditions.loop-removal].
pub fn repeats((lo, hi): &Bounds, a: &Effect) -> EffExpr {
    let again = EffExpr::lt(EffExpr::add(lo.clone(), EffExpr::int(1)), hi.clone());
    EffExpr::implies(EffExpr::maybe(again), shadows(a, a))
}

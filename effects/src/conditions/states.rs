//! The states in which parts of loops meet when they change places. Spec: [rule: conditions.loops].
//!
//! That need not be the state before the loop: other iterations have run [E-9]. So every
//! field that the loop writes holds an arbitrary value, but for those that no part changes [E-30].

use crate::analysis::Analysis;
use crate::eff::eff_block;
use crate::effexpr::{EffExpr, Sort, Substitution, Var};
use crate::env::{Env, Field};
use crate::lift::lift;
use crate::locset::Loc;
use crate::valg::{MAX_VALUE, havoc, val_g_block};
use rewright_semantics::ast::{Block, Expr};
use rewright_semantics::sym::Sym;
use std::collections::{BTreeMap, BTreeSet};

/// A piece of program that runs for all values of some loop variables, in any order.
pub(super) struct Part<'a> {
    /// The variables, outermost first, each with its bounds.
    pub(super) iters: Vec<(Sym, &'a Expr, &'a Expr)>,
    /// What runs.
    pub(super) body: &'a Block,
}

/// Fresh variables for the fields that the parts write.
type Fresh = BTreeMap<Field, (Sym, Sort)>;

/// What a part does to the fields, in terms of the fresh variables.
struct Effect {
    /// Its loop variables.
    iters: Vec<Sym>,
    /// Whether it runs.
    runs: EffExpr,
    /// The fields after it.
    after: BTreeMap<Field, EffExpr>,
}

/// Any state in which a part may begin, when the first begins in γ.
///
/// A field has the value that it has in γ if every part, begun in γ, keeps it *and every field on which its
/// value depends*, directly or not, or on which depends whether the part runs: then no order of the parts
/// ever changes one of them. Otherwise its value is a fresh variable.
pub(super) fn any_state(an: &Analysis, env: &Env, parts: &[Part<'_>]) -> Env {
    let all: Block = parts.iter().flat_map(|p| p.body.iter().cloned()).collect();
    let (mut any, fresh) = havoc(an, env, &all);
    if fresh.is_empty() {
        return any;
    }
    let effects: Vec<Effect> = parts.iter().map(|p| effect_of(an, env, &any, &fresh, p)).collect();
    let start: Substitution =
        fresh.iter().map(|(f, (x, sort))| (Var::Local(*x), env.globals.get(*f, *sort))).collect();
    for (field, (own, sort)) in &fresh {
        let kept = EffExpr::and(
            effects.iter().map(|e| keeps(e, &fresh, &closure(&effects, &fresh, *field), &start)),
        );
        let (before, arbitrary) = (env.globals.get(*field, *sort), EffExpr::var(Var::Local(*own), *sort));
        if kept.size() > MAX_VALUE {
            continue;
        }
        any.globals.set(*field, EffExpr::ite(kept, before, arbitrary));
    }
    any
}

fn effect_of(an: &Analysis, env: &Env, any: &Env, fresh: &Fresh, part: &Part<'_>) -> Effect {
    let mut inside = any.clone();
    let mut iters = Vec::new();
    let mut runs = Vec::new();
    for (iter, lo, hi) in &part.iters {
        // The outermost bounds are evaluated once, in γ.
        let at = if iters.is_empty() { env } else { &inside };
        let (lo, hi) = (lift(at, lo), lift(at, hi));
        let x = iter.renewed();
        let value = EffExpr::int_var(x);
        runs.extend([EffExpr::le(lo, value.clone()), EffExpr::lt(value.clone(), hi)]);
        inside.bind(*iter, value);
        iters.push(x);
    }
    let globals = val_g_block(an, &inside, part.body).globals;
    let after = fresh.iter().map(|(f, (_, sort))| (*f, globals.get(*f, *sort))).collect();
    Effect { iters, runs: EffExpr::and(runs), after }
}

/// The fields on which the value of a field depends, itself among them.
fn closure(effects: &[Effect], fresh: &Fresh, field: Field) -> BTreeSet<Field> {
    let mut out = BTreeSet::from([field]);
    let mut todo = vec![field];
    while let Some(f) = todo.pop() {
        for e in effects {
            let Some(after) = e.after.get(&f) else { continue };
            // A part that leaves the field alone may run or not.
            let untouched = fresh.get(&f).is_some_and(|(x, s)| *after == EffExpr::var(Var::Local(*x), *s));
            if untouched {
                continue;
            }
            let mut free = after.free_vars();
            free.extend(e.runs.free_vars());
            let more = fresh.iter().filter(|(_, (x, _))| free.contains(&Var::Local(*x))).map(|(g, _)| *g);
            todo.extend(more.filter(|g| out.insert(*g)).collect::<Vec<_>>());
        }
    }
    out
}

/// Begun in γ, the part changes none of these fields.
fn keeps(e: &Effect, fresh: &Fresh, fields: &BTreeSet<Field>, start: &Substitution) -> EffExpr {
    let same = fields.iter().filter_map(|f| {
        let (after, (x, sort)) = (e.after.get(f)?, fresh.get(f)?);
        let before = EffExpr::var(Var::Local(*x), *sort);
        // A field that the part does not touch is kept even where its value is not known.
        (*after != before).then(|| EffExpr::surely_equal(&after.substitute(start), &before.substitute(start)))
    });
    let same = EffExpr::and(same.collect::<Vec<_>>());
    let body = EffExpr::or([EffExpr::definitely(EffExpr::not(e.runs.substitute(start))), same]);
    e.iters.iter().rev().fold(body, |ee, x| EffExpr::forall(*x, ee))
}

/// Σ: the fields that may be written by both of two parts that change places, if neither reads what the other
/// wrote: each leaves the field at a value that does not depend on what it held. Statements (no `iters`) must
/// leave it at one value; of the parts of loops the same one runs last in either order. Where a value
/// mentions another field, the part reads that, and a write of it by the other is a conflict of its own. A data field, of
/// which no value is known, is among them where each of two parts of loops writes it under no guard and in no loop of its own that may be
/// empty. [E-31].
pub(super) fn redefined(an: &Analysis, env: &Env, iters: &[Sym], parts: [&Block; 2]) -> BTreeSet<Field> {
    let mut out = anew(an, env, iters, parts, !iters.is_empty());
    if iters.is_empty() {
        out.data.clear();
    }
    out.control.into_iter().chain(out.data).collect()
}

/// The registers that each of two statements sets: fields of classes without direct access, which nothing but instructions sets.
/// Which statement runs last then decides what such a field holds, and nothing else, if neither reads what the other wrote.
pub(super) fn registers(an: &Analysis, env: &Env, parts: [&Block; 2]) -> BTreeSet<Field> {
    let [one, two] = parts.map(|b| an.registers(b));
    let both: BTreeSet<Field> = one.intersection(&two).copied().collect();
    if both.is_empty() {
        return both;
    }
    let Anew { control, data } = anew(an, env, &[], parts, true);
    control.into_iter().chain(data).filter(|f| both.contains(f)).collect()
}

/// Fields that two parts leave at values that do not depend on what the fields held.
struct Anew {
    control: BTreeSet<Field>,
    data: BTreeSet<Field>,
}

/// These fields; of control, those alone that both parts leave at one value, unless another will do.
fn anew(an: &Analysis, env: &Env, iters: &[Sym], parts: [&Block; 2], another_will_do: bool) -> Anew {
    let all: Block = parts.into_iter().flatten().cloned().collect();
    let (any, fresh) = havoc(an, env, &all);
    let data = overwritten(an, &any, iters, parts);
    if fresh.is_empty() {
        return Anew { control: BTreeSet::new(), data };
    }
    let [one, two] = parts.map(|b| {
        let mut inside = any.clone();
        // Each part has its own iteration, so a value that depends on it is not the other's.
        iters.iter().for_each(|x| inside.bind(*x, EffExpr::int_var(x.renewed())));
        val_g_block(an, &inside, b).globals
    });
    let same = fresh.iter().filter(|(f, (own, sort))| {
        let (a, b) = (one.get(**f, *sort), two.get(**f, *sort));
        let is_new = |ee: &EffExpr| ee.is_definite() && !ee.mentions(Var::Local(*own));
        is_new(&a) && is_new(&b) && (another_will_do || a == b)
    });
    Anew { control: same.map(|(f, _)| *f).collect(), data }
}

/// The data fields that both parts write under no guard, and in no loop of their own that may be empty.
fn overwritten(an: &Analysis, any: &Env, iters: &[Sym], parts: [&Block; 2]) -> BTreeSet<Field> {
    let [one, two] = parts.map(|b| an.written_data_fields(b));
    let mut both: BTreeSet<Field> = one.intersection(&two).copied().collect();
    if both.is_empty() {
        return both;
    }
    let mut inside = any.clone();
    iters.iter().for_each(|x| inside.bind(*x, EffExpr::int_var(x.renewed())));
    let written = parts.map(|b| eff_block(an, &inside, b).wr());
    let certain =
        |f: Field| written.iter().all(|wr| EffExpr::definitely(wr.contains(&Loc::field(f))).is_true());
    both.retain(|f| certain(*f));
    both
}

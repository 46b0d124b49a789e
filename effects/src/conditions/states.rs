//! The states in which parts of loops meet when they change places. Spec: [rule: conditions.loops].
//!
//! That need not be the state before the loop: other iterations have run [E-9]. So every
//! field that the loop writes holds an arbitrary value, but for those that no part changes [E-30].

use super::formulas::{Bounds, bd};
use crate::analysis::Analysis;
use crate::effexpr::{EffExpr, Sort, Substitution, Var};
use crate::env::{Env, Field};
use crate::lift::lift;
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

impl Part<'_> {
    /// `any` inside the loops, which begin in γ, each variable at a value chosen within its bounds.
    pub(super) fn enter(&self, env: &Env, any: &Env, mut choose: impl FnMut(Sym, Bounds) -> EffExpr) -> Env {
        let mut inside = any.clone();
        for (depth, (iter, lo, hi)) in self.iters.iter().enumerate() {
            // The outermost bounds are evaluated once, in γ.
            let at = if depth == 0 { env } else { &inside };
            let bounds = (lift(at, lo), lift(at, hi));
            inside.bind(*iter, choose(*iter, bounds));
        }
        inside
    }
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
    let mut iters = Vec::new();
    let mut runs = Vec::new();
    let inside = part.enter(env, any, |iter, bounds| {
        let x = iter.renewed();
        let value = EffExpr::int_var(x);
        runs.push(bd(&bounds, &value));
        iters.push(x);
        value
    });
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

//! Σ: fields that two pieces of program both write and that yet do not keep them apart [E-31]. Spec:
//! [rule: conditions.commutes].

use super::formulas::bd;
use super::iteration::copy_of;
use super::piece::Piece;
use super::states::{Part, any_state};
use crate::analysis::Analysis;
use crate::context::Context;
use crate::eff::eff_block;
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::{Env, Field};
use crate::locset::{Base, Loc};
use crate::valg::val_g_block;
use std::collections::BTreeMap;

/// Σ: for each field that both pieces write, when that is of no consequence. Where a reason would be a question with
/// quantifiers it is left out: most nests that set fields would come with one.
pub(super) type Overwritten = BTreeMap<Field, EffExpr>;

/// Σ of two pieces that change places in loops. `parts` are all that runs in these loops; the last iteration of the last of
/// them runs last before and after.
pub(super) fn overwritten(ctx: &Context, pieces: [&Piece<'_>; 2], parts: &[Part<'_>]) -> Overwritten {
    let fields = by_both(pieces);
    let mut out = left_alike(&ctx.analysis, pieces);
    let Some(last) = parts.last().filter(|_| !fields.is_empty()) else { return out };
    let last = last_of(ctx, parts, last);
    let every: Vec<Each> = Each::of(ctx, parts);
    for f in fields {
        let alike = out.remove(&f).unwrap_or_else(|| EffExpr::bool(false));
        out.insert(f, EffExpr::or([alike, set_by_the_last(f, &every, &last)]));
    }
    out
}

/// The rest of a sentence on pieces of loops that change places: what is asked of the fields that both set.
pub(super) fn but_for(fields: &Overwritten) -> String {
    let names: Vec<String> = fields.keys().map(|f| format!("`{}`", f.var())).collect();
    if names.is_empty() {
        return String::new();
    }
    let them = if names.len() == 1 { "it" } else { "them" };
    format!(
        "; both may set {}, if no iteration reads {them} first and the last one sets {them}",
        names.join(", ")
    )
}

/// A part in any one iteration.
struct Each {
    /// The iteration runs.
    runs: EffExpr,
    /// What the part does in it.
    effect: Effect,
}

impl Each {
    /// One of each part. No other iteration that is spoken of need meet the fields in a state of this one's.
    fn of(ctx: &Context, parts: &[Part<'_>]) -> Vec<Each> {
        let any = any_state(&ctx.analysis, &ctx.env, parts);
        let each = parts.iter().map(|part| {
            let mut runs = Vec::new();
            let inside = part.enter(&ctx.env, &any, |iter, bounds| {
                let x = copy_of(iter);
                runs.push(bd(&bounds, &x));
                x
            });
            Each { runs: EffExpr::and(runs), effect: eff_block(&ctx.analysis, &inside, part.body) }
        });
        each.collect()
    }
}

/// The effect of the last iteration of a part, in any state again.
fn last_of(ctx: &Context, parts: &[Part<'_>], part: &Part<'_>) -> Effect {
    let any = any_state(&ctx.analysis, &ctx.env, parts);
    let inside = part.enter(&ctx.env, &any, |_, (_, hi)| EffExpr::sub(hi, EffExpr::int(1)));
    eff_block(&ctx.analysis, &inside, part.body)
}

/// Neither piece reads the control field, and in either order they leave it at one value.
pub(super) fn left_alike(an: &Analysis, pieces: [&Piece<'_>; 2]) -> Overwritten {
    let [one, two] = pieces;
    let fields = by_both(pieces);
    if fields.is_empty() {
        return Overwritten::new();
    }
    let (forth, back) = (after_both(an, [one, two]), after_both(an, [two, one]));
    let alike = |f: &Field, sort| {
        let equal = EffExpr::surely_equal(&forth.globals.get(*f, sort), &back.globals.get(*f, sort));
        if equal.is_quantified() { EffExpr::bool(false) } else { equal }
    };
    let control = an.written_fields(one.body).into_iter().filter(|(f, _)| fields.contains(f));
    control.map(|(f, sort)| (f, EffExpr::and([unread_by_both(f, pieces), alike(&f, sort)]))).collect()
}

/// No iteration reads the field before it sets it, and the last one sets it if any does. So the field holds the same in the
/// end, and nothing else depends on it.
fn set_by_the_last(f: Field, every: &[Each], last: &Effect) -> EffExpr {
    let place = Loc::field(f);
    let set = EffExpr::definitely(last.wr().contains(&place));
    let set = if set.is_quantified() { EffExpr::bool(false) } else { set };
    let each = every.iter().map(|Each { runs, effect }| {
        let unread = EffExpr::not(EffExpr::maybe(effect.uses().contains(&place)));
        let written = EffExpr::maybe(effect.wr().contains(&place));
        let harmless = EffExpr::and([unread, EffExpr::implies(written, set.clone())]);
        EffExpr::implies(EffExpr::maybe(runs.clone()), harmless)
    });
    EffExpr::and(each.collect::<Vec<_>>())
}

/// Neither piece reads the field: what is left in it is all that the order decides.
pub(super) fn unread(pieces: [&Piece<'_>; 2], fields: &[Field]) -> Overwritten {
    fields.iter().map(|f| (*f, unread_by_both(*f, pieces))).collect()
}

/// Either of two reasons.
pub(super) fn either(mut a: Overwritten, b: Overwritten) -> Overwritten {
    for (f, harmless) in b {
        let known = a.remove(&f).unwrap_or_else(|| EffExpr::bool(false));
        a.insert(f, EffExpr::or([known, harmless]));
    }
    a
}

fn unread_by_both(f: Field, pieces: [&Piece<'_>; 2]) -> EffExpr {
    let place = Loc::field(f);
    EffExpr::and(pieces.map(|p| EffExpr::not(EffExpr::maybe(p.effect.uses().contains(&place)))))
}

/// The fields that both pieces may write.
fn by_both([one, two]: [&Piece<'_>; 2]) -> Vec<Field> {
    let [one, two] = [one, two].map(|p| p.effect.modified().bases());
    let both = one.into_keys().filter(|b| two.contains_key(b));
    both.filter_map(|b| match b {
        Base::Global(f) => Some(f),
        Base::Buffer(_) => None,
    })
    .collect()
}

/// γ after the one and then the other.
fn after_both(an: &Analysis, [one, two]: [&Piece<'_>; 2]) -> Env {
    let between = val_g_block(an, &one.env, one.body).globals;
    val_g_block(an, &two.env.with_globals(between), two.body)
}

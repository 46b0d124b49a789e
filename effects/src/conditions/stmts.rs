//! Conditions on statements one after another.

use super::formulas;
use super::overwritten::{either, left_alike, unread};
use super::piece::Piece;
use super::same::commutes_or_same;
use super::{COMMUTES, DEAD_AFTER, EQUAL, IDEMPOTENT, SCOPE, UNREAD_AFTER};
use crate::context::Context;
use crate::eff::eff_block;
use crate::effexpr::{EffExpr, Sort};
use crate::env::{Field, View};
use crate::locset::{Base, Loc, LocSet};
use crate::names::{bound_names, free_names};
use crate::obligation::Obligation;
use crate::valg::{havoc, val_g_block};
use rewright_semantics::ast::Block;
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;

/// `s1; s2 ⇝ s2; s1`. PLDI'22 §5.7, Def. 5.6; spec: [rule: conditions.commutes].
pub fn commutes(ctx: &Context, s1: &Block, s2: &Block) -> Vec<Obligation> {
    commutes_but_for(ctx, s1, s2, &[])
}

/// The registers that each of two statements may set: fields of classes without direct access, which nothing but instructions
/// sets. If neither statement reads such a field, which of them runs last decides what it holds, and nothing else.
pub fn registers_of_both(ctx: &Context, s1: &Block, s2: &Block) -> Vec<Field> {
    let [one, two] = [s1, s2].map(|s| ctx.analysis.registers(s));
    one.intersection(&two).copied().collect()
}

/// The same as [`commutes`], but that these fields may hold other values afterwards. Spec: [rule: conditions.commutes].
pub fn commutes_but_for(ctx: &Context, s1: &Block, s2: &Block, registers: &[Field]) -> Vec<Obligation> {
    let mut out = scope(ctx, s1, s2);
    out.extend(scope(ctx, s2, s1));
    out.extend(one_binder(ctx, s1, s2));
    let sentence = "neither statement touches a place that the other changes";
    let [one, two] = [s1, s2].map(|s| Piece::of(ctx, ctx.env.clone(), s));
    let pieces = [&one, &two];
    let overwritten = either(left_alike(&ctx.analysis, pieces), unread(pieces, registers));
    let formula = commutes_or_same(ctx, &overwritten, &one, &two);
    out.push(
        ctx.obligation(COMMUTES, sentence, formula)
            .at(span_of(s1), "the first")
            .at(span_of(s2), "the second"),
    );
    out
}

/// `s; s ⇝ s`: what `s` changes it overwrites, unread, when it runs again. PLDI'22 §5.8 (loop removal);
/// spec: [rule: conditions.idempotent].
pub fn idempotent(ctx: &Context, s: &Block) -> Obligation {
    let a = eff_block(&ctx.analysis, &ctx.env, s);
    let sentence = "running the statement again changes nothing";
    ctx.obligation(IDEMPOTENT, sentence, formulas::shadows(&a, &a)).at(span_of(s), "this statement")
}

/// No name that the statements bind occurs in what follows the hole. An obligation, failed, for each that
/// does. Spec: [rule: conditions.scope].
pub(super) fn unneeded(ctx: &Context, binder: &Block) -> Vec<Obligation> {
    let needed = bound_names(binder).into_iter().filter(|x| ctx.later().contains(x));
    needed
        .map(|x| {
            let sentence = format!("the `{x}` defined by the statement is not the one used afterwards");
            ctx.obligation(SCOPE, sentence, EffExpr::bool(false)).at(span_of(binder), "defined here")
        })
        .collect()
}

/// No name is bound by both: what follows would see the other one. An obligation, failed, for each that is.
/// Spec: [rule: conditions.scope]; [E-33].
fn one_binder(ctx: &Context, s1: &Block, s2: &Block) -> Vec<Obligation> {
    let (first, second) = (bound_names(s1), bound_names(s2));
    first
        .intersection(&second)
        .map(|x| {
            let sentence = format!("`{x}` is not defined by both statements");
            ctx.obligation(SCOPE, sentence, EffExpr::bool(false))
                .at(span_of(s1), "defined here")
                .at(span_of(s2), "and here")
        })
        .collect()
}

/// No name that `binder` binds occurs in `user`. An obligation, failed, for each that does.
/// Effects do not say so [E-15]. Spec: [rule: conditions.scope].
pub(super) fn scope(ctx: &Context, binder: &Block, user: &Block) -> Vec<Obligation> {
    let used = free_names(user);
    let shared = bound_names(binder).into_iter().filter(|x| used.contains(x));
    shared
        .map(|x| {
            let sentence = format!("`{x}` is not defined by one statement and used by the other");
            ctx.obligation(SCOPE, sentence, EffExpr::bool(false))
                .at(span_of(binder), "defined here")
                .at(span_of(user), "used here")
        })
        .collect()
}

/// Whatever the cells that `x` shows hold after the hole, no one can tell: they are not read or reduced
/// before they are overwritten, and are overwritten or cease to exist. Spec: [rule: conditions.dead-after].
pub fn dead_after(ctx: &Context, x: Sym) -> Obligation {
    let sentence = format!("nothing after this place needs the value of `{x}`");
    let formula = match ctx.env.view(x) {
        Some(view) => dead_formula(ctx, &cells_of(view)),
        None => EffExpr::bool(false),
    };
    ctx.obligation(DEAD_AFTER, sentence, formula).at(span_of(&ctx.hole), "this place")
}

/// Nothing that follows the hole needs what these statements change if they run there: the cells are not read or added to before
/// they are overwritten, and are overwritten or cease to exist. Spec: [rule: conditions.dead-after].
pub fn dead_changes(ctx: &Context, b: &Block) -> Obligation {
    let changed = eff_block(&ctx.analysis, &ctx.env, b).modified();
    let sentence = "nothing after this place needs what is changed";
    ctx.obligation(DEAD_AFTER, sentence, dead_formula(ctx, &changed)).at(span_of(b), "this")
}

/// A buffer of which, if these statements ran at the hole, two iterations of a parallel loop around it would touch a cell that one of
/// them changes, for all that is known of the cells: it is there outside of the loop.
pub fn shared_by_iterations(ctx: &Context, b: &Block, outside: &Context, body: &Block) -> Option<Sym> {
    let own = eff_block(&ctx.analysis, &ctx.env, b);
    let (touched, changed) = (own.all().bases(), own.modified().bases());
    let others = eff_block(&ctx.analysis, &ctx.env, body).modified().bases();
    let meets = |base: &Base| changed.contains_key(base) || others.contains_key(base);
    touched.into_keys().filter(meets).find_map(|base| match base {
        Base::Buffer(root) => outside.env.has_root(root).then_some(root),
        Base::Global(_) => None,
    })
}

fn dead_formula(ctx: &Context, cells: &LocSet) -> EffExpr {
    let (used, written) = (ctx.post_eff().uses(), ctx.post_eff().wr());
    cells.for_all(|loc, inside| {
        let unused = EffExpr::not(EffExpr::maybe(used.contains(loc)));
        let gone = if ctx.outlives(loc.base) {
            EffExpr::definitely(written.contains(loc))
        } else {
            EffExpr::bool(true)
        };
        EffExpr::implies(EffExpr::maybe(inside), EffExpr::and([unused, gone]))
    })
}

/// The cells that a view shows.
pub fn cells_of(view: &View) -> LocSet {
    let xs: Vec<Sym> = (0..view.extents.len()).map(|_| Sym::fresh("k")).collect();
    let idx: Vec<EffExpr> = xs.iter().map(|x| EffExpr::int_var(*x)).collect();
    let within = idx.iter().zip(&view.extents).map(|(i, extent)| {
        EffExpr::and([EffExpr::le(EffExpr::int(0), i.clone()), EffExpr::lt(i.clone(), extent.clone())])
    });
    let one = LocSet::filter(EffExpr::and(within.collect::<Vec<_>>()), LocSet::Cell(view.locate(&idx)));
    xs.into_iter().rev().fold(one, |l, x| LocSet::big_union(x, l))
}

/// No field of `fields` is read after the hole before it is overwritten: statements equal modulo these
/// fields may stand for each other here. PLDI'22 §6.2; spec: [rule: conditions.context-extension].
pub fn unread_after(ctx: &Context, fields: &[Field]) -> Vec<Obligation> {
    let read = ctx.post_eff().rd_g();
    fields
        .iter()
        .map(|f| {
            let sentence = format!("`{}` is not read after this place before it is overwritten", f.var());
            let formula = EffExpr::definitely(EffExpr::not(read.contains(&Loc::field(*f))));
            ctx.obligation(UNREAD_AFTER, sentence, formula).at(span_of(&ctx.hole), "this place")
        })
        .collect()
}

/// No field of `fields` is read by statements that are put at the hole when they run again, in a later iteration of a loop around it:
/// what they leave otherwise than it was they would find there. `around` is the body of the outermost loop, and `before` are statements
/// that run before the hole in each iteration of the innermost. Spec: [rule: conditions.context-extension].
pub fn unread_again(
    ctx: &Context,
    around: &Block,
    [before, new]: [&Block; 2],
    fields: &[Field],
) -> Vec<Obligation> {
    let all = around.iter().chain(new).cloned().collect();
    let (any, _) = havoc(&ctx.analysis, &ctx.env, &all);
    let iteration = before.iter().chain(new).cloned().collect();
    let read = eff_block(&ctx.analysis, &any, &iteration).rd_g();
    fields
        .iter()
        .map(|f| {
            let sentence = format!("`{}` is not read by what is put here, in a later iteration", f.var());
            let unread = EffExpr::definitely(EffExpr::not(read.contains(&Loc::field(*f))));
            ctx.obligation(UNREAD_AFTER, sentence, unread).at(span_of(&ctx.hole), "this place")
        })
        .collect()
}

/// A control field holds the same value after either of two blocks. Spec: [rule: conditions.same-after-either].
pub fn same_after_either(ctx: &Context, (field, sort): (Field, Sort), blocks: [&Block; 2]) -> Obligation {
    let [one, two] = blocks.map(|b| val_g_block(&ctx.analysis, &ctx.env, b).globals.get(field, sort));
    let sentence = format!("`{}` holds the same value after either", field.var());
    ctx.obligation(EQUAL, sentence, EffExpr::surely_equal(&one, &two)).at(span_of(blocks[0]), "after this")
}

/// `𝓛 - Wr_G(PostEff)`, one obligation per field: where it is proved, the procedures are equal in that
/// field again; elsewhere they are equal modulo the field. PLDI'22 §6.2, [E-18].
pub fn remaining_globals(ctx: &Context, fields: &[Field]) -> Vec<(Field, Obligation)> {
    let written = ctx.post_eff().wr_g();
    fields
        .iter()
        .map(|f| {
            let sentence = format!("`{}` is overwritten after this place", f.var());
            let formula = EffExpr::definitely(written.contains(&Loc::field(*f)));
            (*f, ctx.obligation(UNREAD_AFTER, sentence, formula).at(span_of(&ctx.hole), "this place"))
        })
        .collect()
}

/// From the first statement to the last.
pub(super) fn span_of(b: &Block) -> Span {
    b.iter().fold(Span::NONE, |span, s| span.to(s.span))
}

//! Effect extraction. PLDI'22 App. E (Eff_e, Eff); spec: [rule: eff].
//!
//! Reads of fields count wherever they stand: in an index, a bound, an extent, a window's offset, a
//! stride's buffer, an argument of a call, a callee's assertion [E-10]. Data in fields is read and written as cells are
//! [E-12]. Else branches have a guard of their own [E-1]; an allocation is an effect, and not only what its extents
//! read [E-2].

use crate::analysis::Analysis;
use crate::effect::{Access, Effect};
use crate::effexpr::EffExpr;
use crate::env::{Env, Field};
use crate::lift::lift;
use crate::locset::{Base, Loc};
use crate::valg::{LoopFlow, unknown_view, val_g};
use rewright_semantics::ast::{Block, Expr, ExprKind, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::ArgType;
use std::sync::Arc;

/// `γ(Eff_e⟦e⟧)`, appended to `out`.
pub fn eff_expr(env: &Env, e: &Expr, out: &mut Vec<Effect>) {
    match &e.kind {
        ExprKind::Read { name, idx } => {
            idx.iter().for_each(|i| eff_expr(env, i, out));
            let at: Vec<EffExpr> = idx.iter().map(|i| lift(env, i)).collect();
            match env.view(*name) {
                Some(view) if view.extents.len() == idx.len() => {
                    out.push(Effect::access(Access::Read, view.locate(&at)));
                }
                // A whole buffer is no value.
                Some(_) => {}
                None if env.binds(*name) => {}
                None => out.push(Effect::access(Access::Read, unknown_view(*name, idx.len()).locate(&at))),
            }
        }
        ExprKind::Window(w) => eff_window(env, w, out),
        ExprKind::Lit(_) | ExprKind::Stride { .. } => {}
        ExprKind::Neg(a) | ExprKind::Not(a) => eff_expr(env, a, out),
        ExprKind::Bin { op: _, lhs, rhs } => {
            eff_expr(env, lhs, out);
            eff_expr(env, rhs, out);
        }
        ExprKind::Extern { func: _, args } => args.iter().for_each(|a| eff_expr(env, a, out)),
        ExprKind::ReadConfig { config, field } => {
            out.push(on_field(Access::Read, Field::of(config, *field)));
        }
    }
}

/// The effect of making a window: its coordinates are evaluated, its cells are not touched.
pub fn eff_window(env: &Env, w: &WindowExpr, out: &mut Vec<Effect>) {
    for c in w.idx.iter() {
        match c {
            WinCoord::Point(e) => eff_expr(env, e, out),
            WinCoord::Interval(lo, hi) => {
                eff_expr(env, lo, out);
                eff_expr(env, hi, out);
            }
        }
    }
}

fn on_field(kind: Access, field: Field) -> Effect {
    Effect::access(kind, Loc::field(field))
}

/// `γ(Eff⟦s1; s2; …⟧)`.
pub fn eff_block(an: &Analysis, env: &Env, b: &Block) -> Effect {
    eff_stmts(an, env, b).0
}

/// `γ(Eff⟦s1; s2; …⟧)` and the environment after it.
pub fn eff_stmts<'a>(an: &Analysis, env: &Env, b: impl IntoIterator<Item = &'a Stmt>) -> (Effect, Env) {
    let mut env = env.clone();
    let mut parts = Vec::new();
    for s in b {
        let (a, after) = eff_stmt(an, &env, s);
        parts.push(a);
        env = after;
    }
    (Effect::seq(parts), env)
}

/// `γ(Eff⟦s⟧)` and the environment after it.
pub fn eff_stmt(an: &Analysis, env: &Env, s: &Stmt) -> (Effect, Env) {
    let after = val_g(an, env, s);
    let mut parts = Vec::new();
    match s.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs } => eff_store(env, Access::Write, *name, idx, rhs, &mut parts),
        StmtKind::Reduce { name, idx, rhs } => eff_store(env, Access::Reduce, *name, idx, rhs, &mut parts),
        StmtKind::WriteConfig { config, field, rhs } => {
            eff_expr(env, rhs, &mut parts);
            parts.push(on_field(Access::Write, Field::of(config, *field)));
        }
        StmtKind::Pass => {}
        StmtKind::If { cond, body, orelse } => {
            eff_expr(env, cond, &mut parts);
            let c = lift(env, cond);
            parts.push(Effect::guard(c.clone(), eff_block(an, env, body)));
            parts.push(Effect::guard(EffExpr::not(c), eff_block(an, env, orelse)));
        }
        StmtKind::For { iter, lo, hi, body, mode: _ } => {
            eff_expr(env, lo, &mut parts);
            eff_expr(env, hi, &mut parts);
            parts.push(eff_iterations(an, env, *iter, (&lift(env, lo), &lift(env, hi)), body));
        }
        StmtKind::Alloc { name, typ, mem: _ } => {
            typ.shape.iter().for_each(|e| eff_expr(env, e, &mut parts));
            if let Some(Base::Buffer(root)) = after.view(*name).map(|v| v.base) {
                parts.push(Effect::Alloc(root));
            }
        }
        StmtKind::WindowStmt { name: _, rhs } => eff_window(env, rhs, &mut parts),
        StmtKind::Call { proc, args } => {
            eff_arguments(env, proc, args, &mut parts);
            parts.push(an.instantiate(env, proc, args).effect);
        }
    }
    (Effect::seq(parts), after)
}

/// The effect of the iterations `lo..hi` of a loop from γ, bounds already evaluated.
pub fn eff_iterations(
    an: &Analysis,
    env: &Env,
    iter: Sym,
    (lo, hi): (&EffExpr, &EffExpr),
    body: &Block,
) -> Effect {
    let fresh = iter.renewed();
    let x = EffExpr::int_var(fresh);
    // Not the values after the whole loop, as printed: those at the start of iteration x [E-6].
    let mut inside = LoopFlow::of(an, env, iter, lo, body).before(env, &x);
    inside.bind(iter, x.clone());
    let runs = EffExpr::and([EffExpr::le(lo.clone(), x.clone()), EffExpr::lt(x, hi.clone())]);
    Effect::over(fresh, Effect::guard(runs, eff_block(an, &inside, body)))
}

fn eff_store(env: &Env, kind: Access, name: Sym, idx: &[Expr], rhs: &Expr, parts: &mut Vec<Effect>) {
    eff_expr(env, rhs, parts);
    idx.iter().for_each(|e| eff_expr(env, e, parts));
    let at: Vec<EffExpr> = idx.iter().map(|i| lift(env, i)).collect();
    let view = env.view(name).cloned().unwrap_or_else(|| unknown_view(name, idx.len()));
    parts.push(Effect::access(kind, view.locate(&at)));
}

/// The evaluation of a call's arguments: data is passed by reference, so it is not read here.
fn eff_arguments(env: &Env, p: &Arc<Proc>, args: &[Expr], parts: &mut Vec<Effect>) {
    for (k, e) in args.iter().enumerate() {
        let data = p.args.get(k).is_some_and(|a| matches!(a.typ, ArgType::Data { .. }));
        match &e.kind {
            ExprKind::Read { name: _, idx } if data => idx.iter().for_each(|i| eff_expr(env, i, parts)),
            ExprKind::Window(w) => eff_window(env, w, parts),
            ExprKind::ReadConfig { .. } if data => {}
            ExprKind::Read { .. }
            | ExprKind::ReadConfig { .. }
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. } => eff_expr(env, e, parts),
        }
    }
}

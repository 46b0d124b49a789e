//! Accesses and windows in bounds, extents positive. Spec: [rule: frontend.bounds].

use super::{BOUNDS_ACCESS, BOUNDS_EXTENT, BOUNDS_WINDOW, Checker, SIZE_POSITIVE};
use crate::conditions::within;
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::lift::lift;
use rewright_semantics::ast::{Config, Expr, ExprKind, WinCoord, WindowExpr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ControlType, FieldType};

impl Checker<'_> {
    /// `x[e, …]`: every index is at least 0 and below its extent.
    pub(super) fn access(&mut self, env: &Env, x: Sym, idx: &[Expr], at: Span) {
        idx.iter().for_each(|e| self.expr(env, e));
        let Some(view) = env.view(x).filter(|v| v.extents.len() == idx.len()) else { return };
        let extents = view.extents.clone();
        for (d, (e, extent)) in idx.iter().zip(extents).enumerate() {
            let i = lift(env, e);
            let sentence = format!("index {d} of `{x}`, {i}, is at least 0 and below {extent}");
            let span = if e.span.is_none() { at } else { e.span };
            self.require(BOUNDS_ACCESS, sentence, within(&i, &extent), span, "this index");
        }
    }

    /// `x[w, …]`: points are within, and intervals `lo:hi` have `0 ≤ lo ≤ hi ≤ extent`.
    pub(super) fn window(&mut self, env: &Env, w: &WindowExpr, at: Span) {
        let Some(view) = env.view(w.name).filter(|v| v.extents.len() == w.idx.len()) else { return };
        let extents = view.extents.clone();
        for (d, (c, extent)) in w.idx.iter().zip(extents).enumerate() {
            let x = w.name;
            match c {
                WinCoord::Point(e) => {
                    let i = lift(env, e);
                    let sentence = format!("index {d} of `{x}`, {i}, is at least 0 and below {extent}");
                    self.require(BOUNDS_WINDOW, sentence, within(&i, &extent), at, "this window");
                }
                WinCoord::Interval(lo, hi) => {
                    let (lo, hi) = (lift(env, lo), lift(env, hi));
                    let sentence =
                        format!("the interval {lo}:{hi} is within dimension {d} of `{x}`, 0:{extent}");
                    let inside = EffExpr::and([
                        EffExpr::le(EffExpr::int(0), lo.clone()),
                        EffExpr::le(lo, hi.clone()),
                        EffExpr::le(hi, extent),
                    ]);
                    self.require(BOUNDS_WINDOW, sentence, inside, at, "this window");
                }
            }
        }
    }

    /// All accesses and windows in an expression.
    pub(super) fn expr(&mut self, env: &Env, e: &Expr) {
        match &e.kind {
            ExprKind::Read { name, idx } => {
                if !idx.is_empty() {
                    self.access(env, *name, idx, e.span);
                }
            }
            ExprKind::Window(w) => self.window(env, w, e.span),
            ExprKind::Lit(_) | ExprKind::Stride { .. } | ExprKind::ReadConfig { .. } => {}
            ExprKind::Neg(a) | ExprKind::Not(a) => self.expr(env, a),
            ExprKind::Bin { op: _, lhs, rhs } => {
                self.expr(env, lhs);
                self.expr(env, rhs);
            }
            ExprKind::Extern { func: _, args } => args.iter().for_each(|a| self.expr(env, a)),
        }
    }

    /// `x: f32[e, …]`: every extent is at least 1.
    pub(super) fn extents(&mut self, env: &Env, x: Sym, shape: &[Expr]) {
        for (d, e) in shape.iter().enumerate() {
            let extent = lift(env, e);
            let sentence = format!("extent {d} of `{x}`, {extent}, is at least 1");
            self.require(
                BOUNDS_EXTENT,
                sentence,
                EffExpr::ge(extent, EffExpr::int(1)),
                e.span,
                "this extent",
            );
        }
    }

    /// `Cfg.f = e` where `f` is a size: `e` is at least 1.
    pub(super) fn size_field(&mut self, env: &Env, config: &Config, field: Name, e: &Expr) {
        if config.field(field).is_some_and(|f| f.typ == FieldType::Control(ControlType::Size)) {
            let value = lift(env, e);
            let sentence = format!("`{}.{field}`, {value}, is at least 1", config.name);
            self.require(SIZE_POSITIVE, sentence, EffExpr::ge(value, EffExpr::int(1)), e.span, "this value");
        }
    }
}

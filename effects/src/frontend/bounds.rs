//! Accesses and windows in bounds, extents positive. Spec: [rule: frontend.bounds].

use super::{BOUNDS_ACCESS, BOUNDS_EXTENT, BOUNDS_WINDOW, Checker, SIZE_POSITIVE, Subject, Words};
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::lift::lift;
use rewright_semantics::ast::{Config, Expr, ExprKind, WinCoord, WindowExpr};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ControlType, FieldType};

/// The place of an expression, or of what it stands in.
fn place(e: &Expr, otherwise: Span) -> Span {
    if e.span.is_none() { otherwise } else { e.span }
}

impl Checker<'_> {
    /// `x[e, …]`: every index is at least 0 and below its extent.
    pub(super) fn access(&mut self, env: &Env, x: Sym, idx: &[Expr], at: Span) {
        idx.iter().for_each(|e| self.expr(env, e));
        let Some(view) = env.view(x).filter(|v| v.extents.len() == idx.len()) else { return };
        for (d, (e, extent)) in idx.iter().zip(view.extents.clone()).enumerate() {
            self.index(env, BOUNDS_ACCESS, x, (d, e, extent), at);
        }
    }

    fn index(
        &mut self,
        env: &Env,
        id: crate::obligation::ConditionId,
        x: Sym,
        (d, e, extent): (usize, &Expr, EffExpr),
        at: Span,
    ) {
        let index = lift(env, e);
        let words = || Words {
            id,
            sentence: format!("index {d} of `{x}`, {index}, is at least 0 and below {extent}"),
            danger: format!("index {d} of `{x}` may be out of bounds: `{}`", expr_to_string(e)),
            at: place(e, at),
            role: "this index",
        };
        self.require(Subject::Index { index: index.clone(), extent: extent.clone() }, words);
    }

    /// `x[w, …]`: points are within, and intervals `lo:hi` have `0 ≤ lo ≤ hi ≤ extent`.
    pub(super) fn window(&mut self, env: &Env, w: &WindowExpr, at: Span) {
        for c in w.idx.iter() {
            match c {
                WinCoord::Point(e) => self.expr(env, e),
                WinCoord::Interval(lo, hi) => {
                    self.expr(env, lo);
                    self.expr(env, hi);
                }
            }
        }
        let Some(view) = env.view(w.name).filter(|v| v.extents.len() == w.idx.len()) else { return };
        for (d, (c, extent)) in w.idx.iter().zip(view.extents.clone()).enumerate() {
            match c {
                WinCoord::Point(e) => self.index(env, BOUNDS_WINDOW, w.name, (d, e, extent), at),
                WinCoord::Interval(lo, hi) => self.interval(env, w.name, (d, lo, hi, extent), at),
            }
        }
    }

    fn interval(&mut self, env: &Env, x: Sym, (d, lo, hi, extent): (usize, &Expr, &Expr, EffExpr), at: Span) {
        let text = format!("{}:{}", expr_to_string(lo), expr_to_string(hi));
        let span = lo.span.to(hi.span);
        let (lo, hi) = (lift(env, lo), lift(env, hi));
        let words = || Words {
            id: BOUNDS_WINDOW,
            sentence: format!("the interval {lo}:{hi} is within dimension {d} of `{x}`, 0:{extent}"),
            danger: format!("the interval `{text}` may leave dimension {d} of `{x}`"),
            at: if span.is_none() { at } else { span },
            role: "this interval",
        };
        self.require(Subject::Interval { lo: lo.clone(), hi: hi.clone(), extent: extent.clone() }, words);
    }

    /// All accesses and windows in an expression.
    pub(super) fn expr(&mut self, env: &Env, e: &Expr) {
        match &e.kind {
            ExprKind::Read { name, idx } => {
                if !idx.is_empty() {
                    self.access(env, *name, idx, e.span);
                }
                self.touch_buffer(env, *name, false, e.span);
            }
            ExprKind::Window(w) => self.window(env, w, e.span),
            ExprKind::Lit(_) | ExprKind::Stride { .. } => {}
            ExprKind::ReadConfig { config, field } => self.touch_field(config, *field, false, e.span),
            ExprKind::Neg(a) | ExprKind::Not(a) => self.expr(env, a),
            ExprKind::Bin { op: _, lhs, rhs } => {
                self.expr(env, lhs);
                self.expr(env, rhs);
            }
            ExprKind::Extern { func: _, args } => args.iter().for_each(|a| self.expr(env, a)),
        }
    }

    /// An argument of a call: a buffer, cell or field that is passed is not read by that.
    pub(super) fn argument(&mut self, env: &Env, e: &Expr) {
        match &e.kind {
            ExprKind::Read { name, idx } if !idx.is_empty() => self.access(env, *name, idx, e.span),
            ExprKind::Read { .. } | ExprKind::ReadConfig { .. } => {}
            ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. } => self.expr(env, e),
        }
    }

    /// Extents are at least `least`: 0 for an allocation, 1 for every buffer in the strict mode.
    pub(super) fn extents(&mut self, env: &Env, x: Sym, shape: &[Expr], least: i64, at: Span) {
        for (d, e) in shape.iter().enumerate() {
            self.expr(env, e);
            let value = lift(env, e);
            let words = || Words {
                id: BOUNDS_EXTENT,
                sentence: format!("extent {d} of `{x}`, {value}, is at least {least}"),
                danger: format!("extent {d} of `{x}` may be below {least}: `{}`", expr_to_string(e)),
                at: place(e, at),
                role: "this extent",
            };
            self.require(Subject::AtLeast(value.clone(), least), words);
        }
    }

    /// `Cfg.f = e` where `f` is a size: `e` is at least 1.
    pub(super) fn size_field(&mut self, env: &Env, config: &Config, field: Name, e: &Expr) {
        if config.field(field).is_some_and(|f| f.typ == FieldType::Control(ControlType::Size)) {
            let value = lift(env, e);
            let name = config.name;
            let words = || Words {
                id: SIZE_POSITIVE,
                sentence: format!("`{name}.{field}`, {value}, is at least 1"),
                danger: format!("the size `{name}.{field}` may be below 1: `{}`", expr_to_string(e)),
                at: e.span,
                role: "this value",
            };
            self.require(Subject::AtLeast(value.clone(), 1), words);
        }
    }
}

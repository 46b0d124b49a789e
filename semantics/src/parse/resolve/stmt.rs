//! Statements, and which names they bind. Spec: [rule: stmt.pass], [rule: stmt.for], [rule: stmt.if].

use super::super::Refusal;
use super::super::error::SyntaxErrorKind;
use super::super::tree::{self, Ident, LValue, TypeKind};
use super::Resolver;
use super::expr::Want;
use super::globals::Callee;
use super::scope::{Buffer, Variable};
use crate::ast::{Block, Expr, Stmt, StmtKind, WindowExpr};
use crate::span::Span;
use crate::sym::Sym;
use crate::types::{ArrayKind, BufferType, DataType};

impl Resolver<'_> {
    /// A block; its bindings end with it.
    pub(super) fn block(&mut self, stmts: &[tree::Stmt]) -> Block {
        let mark = self.scope.mark();
        let block = stmts.iter().filter_map(|s| self.stmt(s)).collect();
        self.scope.close(mark);
        block
    }

    /// A block that stands where one statement at least must.
    fn full_block(&mut self, stmts: &[tree::Stmt], span: Span) -> Block {
        let mut block = self.block(stmts);
        if block.is_empty() {
            block.push_back(Stmt::at(StmtKind::Pass, span));
        }
        block
    }

    /// A statement.
    fn stmt(&mut self, s: &tree::Stmt) -> Option<Stmt> {
        let kind = match &s.kind {
            tree::StmtKind::Broken(names) => {
                names.iter().for_each(|name| self.scope.bind(*name, Variable::Broken));
                None
            }
            tree::StmtKind::Pass => Some(StmtKind::Pass),
            tree::StmtKind::Assign(LValue::Cell(x, idx), rhs) => self.assign(x, idx, rhs),
            tree::StmtKind::Reduce(LValue::Cell(x, idx), rhs) => self.reduce(x, idx, rhs),
            tree::StmtKind::Assign(LValue::Field(config, field), rhs)
            | tree::StmtKind::Reduce(LValue::Field(config, field), rhs) => {
                self.write_config(config, field, rhs)
            }
            tree::StmtKind::Declare(x, typ, None) => self.alloc(x, typ),
            tree::StmtKind::Declare(x, typ, Some(value)) => self.initialised(x, typ, value, s.span),
            tree::StmtKind::For { iter, lo, hi, mode, body } => {
                let lo = self.expr(lo, Want::Control);
                let hi = self.expr(hi, Want::Control);
                let mark = self.scope.mark();
                let sym = Sym::fresh(iter.name);
                self.scope.bind(iter.name, Variable::Control(sym));
                let body = self.full_block(body, s.span);
                self.scope.close(mark);
                lo.zip(hi).map(|(lo, hi)| StmtKind::For { iter: sym, lo, hi, body, mode: *mode })
            }
            tree::StmtKind::If { cond, body, orelse } => {
                let cond = self.expr(cond, Want::Control);
                let body = self.full_block(body, s.span);
                let orelse = if orelse.is_empty() { Block::new() } else { self.full_block(orelse, s.span) };
                cond.map(|cond| StmtKind::If { cond, body, orelse })
            }
            tree::StmtKind::Call(func, args) => self.call(func, args),
        };
        kind.map(|kind| Stmt::at(kind, s.span))
    }

    /// `x[i] = e`, or `x = y[0:4]` where `x` is new. Spec: [rule: stmt.assign], [rule: name.window-rebinds].
    fn assign(&mut self, x: &Ident, idx: &[tree::Expr], rhs: &tree::Expr) -> Option<StmtKind> {
        let sliced = self.is_window(rhs);
        match self.scope.get(x.name).cloned() {
            None if idx.is_empty() && sliced => self.window_stmt(x, rhs),
            Some(Variable::Control(_) | Variable::Buffer(_))
                if idx.is_empty() && sliced && has_range(rhs) =>
            {
                self.report(x.span, SyntaxErrorKind::WindowRebinds(x.name));
                let _ = self.expr(rhs, Want::Data);
                None
            }
            // What was reported may have been a window, which would bind the name.
            None if idx.is_empty() && is_broken(rhs) => {
                self.scope.bind(x.name, Variable::Broken);
                let _ = self.expr(rhs, Want::Data);
                None
            }
            None => {
                self.report(x.span, SyntaxErrorKind::UnboundTarget(x.name));
                self.scope.bind_outermost(x.name, Variable::Broken);
                self.target(x, idx, rhs);
                None
            }
            Some(_) => {
                let (name, idx, rhs) = self.target(x, idx, rhs)?;
                Some(StmtKind::Assign { name, idx, rhs })
            }
        }
    }

    /// `x[i] += e`. Spec: [rule: stmt.reduce].
    fn reduce(&mut self, x: &Ident, idx: &[tree::Expr], rhs: &tree::Expr) -> Option<StmtKind> {
        if self.scope.get(x.name).is_none() {
            self.report(x.span, SyntaxErrorKind::UnboundTarget(x.name));
            self.scope.bind_outermost(x.name, Variable::Broken);
        }
        let (name, idx, rhs) = self.target(x, idx, rhs)?;
        Some(StmtKind::Reduce { name, idx, rhs })
    }

    /// The parts of an assignment or a reduction to a bound name.
    fn target(
        &mut self,
        x: &Ident,
        idx: &[tree::Expr],
        rhs: &tree::Expr,
    ) -> Option<(Sym, std::sync::Arc<[Expr]>, Expr)> {
        let (sym, want) = match self.scope.get(x.name) {
            Some(Variable::Buffer(buffer)) => (Some(buffer.sym), Want::Data),
            Some(Variable::Control(sym)) => (Some(*sym), Want::Control),
            Some(Variable::Broken) | None => (None, Want::Data),
        };
        let idx = self.exprs(idx, Want::Control);
        let rhs = self.expr(rhs, want);
        Some((sym?, idx?, rhs?))
    }

    /// `y = x[0:4, j]`. Spec: [rule: stmt.window].
    fn window_stmt(&mut self, y: &Ident, rhs: &tree::Expr) -> Option<StmtKind> {
        let window = self.window_of(rhs);
        let Some(window) = window else {
            self.scope.bind(y.name, Variable::Broken);
            return None;
        };
        let elem = self.element(&window, rhs);
        Some(self.bind_window(y, window, elem))
    }

    /// The element type of what a window shows.
    fn element(&self, window: &WindowExpr, rhs: &tree::Expr) -> DataType {
        let base = if let tree::ExprKind::Index(base, _) = &rhs.kind { Some(base.name) } else { None };
        match base.and_then(|name| self.scope.get(name)) {
            Some(Variable::Buffer(buffer)) if buffer.sym == window.name => buffer.elem,
            Some(Variable::Buffer(_) | Variable::Control(_) | Variable::Broken) | None => DataType::R,
        }
    }

    /// Binds a window's name.
    fn bind_window(&mut self, y: &Ident, window: WindowExpr, elem: DataType) -> StmtKind {
        let sym = Sym::fresh(y.name);
        let shape = super::window::shape(&window);
        self.scope.bind(y.name, Variable::Buffer(Buffer { sym, elem, shape }));
        StmtKind::WindowStmt { name: sym, rhs: window }
    }

    /// `x: t = e`: a window of one cell, or nothing of the language.
    fn initialised(
        &mut self,
        x: &Ident,
        typ: &tree::Type,
        value: &tree::Expr,
        span: Span,
    ) -> Option<StmtKind> {
        if let TypeKind::Data(elem, shape, ArrayKind::Window) = &typ.kind
            && shape.is_empty()
            && typ.mem.is_none()
        {
            return self.cell_window(x, (*elem, typ.span), value);
        }
        if let TypeKind::Data(..) = &typ.kind {
            self.report(span, SyntaxErrorKind::Statement(Refusal {
                what: "a declaration has no initial value",
                instead: "declare `x: f32`, then assign `x = e`; windows are `y = x[0:4]` and `y: [f32] = x[i]`",
            }));
        }
        let _ = self.expr(value, Want::Data);
        self.alloc(x, typ)
    }

    /// `y: [f32] = A[i, j]`: a window of rank 0. Spec: [rule: stmt.cell-window], [rule: type.window-annotation].
    fn cell_window(
        &mut self,
        y: &Ident,
        (declared, at): (DataType, Span),
        value: &tree::Expr,
    ) -> Option<StmtKind> {
        let Some(window) = self.cell(value) else {
            self.scope.bind(y.name, Variable::Broken);
            return None;
        };
        let found = self.element(&window, value);
        if found != declared {
            self.report(at, SyntaxErrorKind::WindowAnnotation { declared, found });
        }
        Some(self.bind_window(y, window, found))
    }

    /// `x: f32[n] @ DRAM`. Spec: [rule: stmt.alloc].
    fn alloc(&mut self, x: &Ident, typ: &tree::Type) -> Option<StmtKind> {
        let (elem, shape, kind) = match &typ.kind {
            TypeKind::Broken => {
                self.scope.bind(x.name, Variable::Broken);
                return None;
            }
            TypeKind::Control(_) => {
                self.report(typ.span, SyntaxErrorKind::Type(Refusal {
                    what: "control values are not allocated",
                    instead: "control comes from arguments, loops and configuration fields; allocate data, as in `x: f32`",
                }));
                self.scope.bind(x.name, Variable::Broken);
                return None;
            }
            TypeKind::Data(elem, shape, kind) => (*elem, shape, *kind),
        };
        let mem = self.memory(typ.mem);
        let Some(shape) = self.shape(shape) else {
            self.scope.bind(x.name, Variable::Broken);
            return None;
        };
        let sym = Sym::fresh(x.name);
        self.scope.bind(x.name, Variable::Buffer(Buffer { sym, elem, shape: shape.clone() }));
        Some(StmtKind::Alloc { name: sym, typ: BufferType { elem, shape, kind }, mem })
    }

    /// `Cfg.field = e`. Spec: [rule: stmt.write-config].
    fn write_config(&mut self, config: &Ident, field: &Ident, rhs: &tree::Expr) -> Option<StmtKind> {
        match self.config_field(config, field) {
            Some((config, field, want)) => {
                let rhs = self.expr(rhs, want)?;
                Some(StmtKind::WriteConfig { config, field, rhs })
            }
            None => {
                let _ = self.expr(rhs, Want::Control);
                None
            }
        }
    }

    /// `p(e, …)`. Spec: [rule: stmt.call], [rule: name.unknown-procedure].
    fn call(&mut self, func: &Ident, args: &[tree::Expr]) -> Option<StmtKind> {
        let proc = match self.globals.callee(func.name, self.current) {
            Ok(Callee::Known(proc)) => Some(proc.clone()),
            Ok(Callee::Broken) => None,
            Err(why) => {
                self.report(func.span, SyntaxErrorKind::UnknownProcedure { name: func.name, why });
                None
            }
        };
        let mut resolved = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            let formal = proc.as_ref().and_then(|p| p.args.get(at)).map(|a| &a.typ);
            resolved.push(self.argument(arg, formal));
        }
        let args: Option<Vec<Expr>> = resolved.into_iter().collect();
        Some(StmtKind::Call { proc: proc?, args: args?.into() })
    }
}

/// Whether a right-hand side is written with a slice.
fn has_range(e: &tree::Expr) -> bool {
    matches!(&e.kind, tree::ExprKind::Index(_, coords) if coords.iter().any(tree::Coord::is_range))
}

/// Whether a coordinate was reported: it may have been a slice.
fn is_broken(e: &tree::Expr) -> bool {
    let is_broken =
        |c: &tree::Coord| matches!(c, tree::Coord::Point(tree::Expr { kind: tree::ExprKind::Broken, .. }));
    matches!(&e.kind, tree::ExprKind::Index(_, coords) if coords.iter().any(is_broken))
}

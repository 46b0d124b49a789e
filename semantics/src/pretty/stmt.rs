//! Statements.

use super::expr::{Level, listed};
use super::{Branches, Printer, grown};
use crate::ast::{Block, Expr, LoopMode, Stmt, StmtKind, WinCoord, WindowExpr};
use crate::sym::Sym;
use crate::types::{ArrayKind, BufferType, DataType};
use pretty::{Arena, DocAllocator};
use std::sync::Arc;

impl Printer {
    /// A block; names end with it. An empty one is a `pass`.
    pub(super) fn block(&mut self, b: &Block) {
        if b.is_empty() {
            self.plain("pass");
        }
        let mark = self.names.mark();
        for s in b {
            grown(|| self.stmt(s));
        }
        self.names.close(mark);
    }

    /// A statement.
    fn stmt(&mut self, s: &Stmt) {
        if self.trace.passes(s) {
            self.pass_by(s);
            return;
        }
        let number = self.trace.open(self.out.len());
        match &*s.kind {
            StmtKind::Assign { name, idx, rhs } => self.once(s, |p| p.assignment(*name, idx, " = ", rhs)),
            StmtKind::Reduce { name, idx, rhs } => self.once(s, |p| p.assignment(*name, idx, " += ", rhs)),
            StmtKind::WriteConfig { config, field, rhs } => self.once(s, |p| {
                let arena = Arena::new();
                let head = arena.text(format!("{}.{field} = ", config.name));
                let rhs = p.wrapped(&arena, rhs);
                p.line(head.append(rhs));
            }),
            StmtKind::Pass => self.plain("pass"),
            StmtKind::If { cond, body, orelse } => self.branches(cond, body, orelse),
            StmtKind::For { iter, lo, hi, body, mode } => self.for_loop(*iter, (lo, hi), body, *mode),
            StmtKind::Alloc { name, typ, mem } => {
                let arena = Arena::new();
                let typ_doc = self.buffer_type(&arena, typ);
                let name = self.declare(*name, typ.elem);
                self.line(arena.text(format!("{name}: ")).append(typ_doc).append(format!(" @ {mem}")));
            }
            StmtKind::WindowStmt { name, rhs } => self.window_stmt(*name, rhs),
            StmtKind::Call { proc, args } => self.once(s, |p| {
                let arena = Arena::new();
                let args = args.iter().map(|e| p.expr(&arena, e, Level::LOWEST)).collect();
                p.line(arena.text(proc.name.as_str()).append(listed(&arena, "(", args, ")")));
            }),
        }
        self.trace.close(number, self.out.len());
    }

    /// What a statement without a text leaves for those after it: the name that it binds.
    fn pass_by(&mut self, s: &Stmt) {
        match &*s.kind {
            StmtKind::Alloc { name, typ, mem: _ } => {
                self.declare(*name, typ.elem);
            }
            StmtKind::WindowStmt { name, rhs } => {
                self.declare(*name, self.elem_of(rhs));
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Call { .. } => {}
        }
    }

    /// The element type of what a window shows.
    fn elem_of(&self, w: &WindowExpr) -> DataType {
        self.elems.get(&w.name).copied().unwrap_or(DataType::R)
    }

    /// Names a buffer and notes its element type.
    pub(super) fn declare(&mut self, x: Sym, elem: DataType) -> crate::sym::Name {
        self.elems.insert(x, elem);
        self.names.bind(x)
    }

    /// `x[i] = e` and `x[i] += e`.
    fn assignment(&mut self, name: Sym, idx: &Arc<[Expr]>, op: &'static str, rhs: &Expr) {
        let arena = Arena::new();
        let target = self.cell(&arena, name, idx);
        let rhs = self.wrapped(&arena, rhs);
        self.line(target.append(op).append(rhs));
    }

    /// `if`, `elif`, `else`. An `else` that holds one `if` and nothing more is an `elif`, where [`Branches`] says so.
    fn branches(&mut self, cond: &Expr, body: &Block, orelse: &Block) {
        let (mut cond, mut body, mut orelse) = (cond, body, orelse);
        let mut word = "if ";
        let mut merged = Vec::new();
        loop {
            let arena = Arena::new();
            let test = self.wrapped(&arena, cond);
            self.line(arena.text(word).append(test).append(":"));
            self.indented(|p| p.block(body));
            let is_elif = orelse.len() == 1 && self.branches == Branches::Elif;
            let only = if is_elif { orelse.front().map(|s| &*s.kind) } else { None };
            if let Some(StmtKind::If { cond: c, body: b, orelse: o }) = only {
                merged.push(self.trace.open(self.out.len()));
                (cond, body, orelse, word) = (c, b, o, "elif ");
            } else {
                break;
            }
        }
        if !orelse.is_empty() {
            self.plain("else:");
            self.indented(|p| p.block(orelse));
        }
        let end = self.out.len();
        merged.into_iter().for_each(|number| self.trace.close(number, end));
    }

    /// `for i in seq(lo, hi):`.
    fn for_loop(&mut self, iter: Sym, (lo, hi): (&Expr, &Expr), body: &Block, mode: LoopMode) {
        let arena = Arena::new();
        let bounds = vec![self.expr(&arena, lo, Level::LOWEST), self.expr(&arena, hi, Level::LOWEST)];
        let mark = self.names.mark();
        let name = self.names.bind(iter);
        let head = arena.text(format!("for {name} in {}", mode.keyword()));
        self.line(head.append(listed(&arena, "(", bounds, ")")).append(":"));
        self.indented(|p| p.block(body));
        self.names.close(mark);
    }

    /// `y = x[0:4, j]`; of one cell, `y: [f32] = x[i, j]`.
    fn window_stmt(&mut self, name: Sym, rhs: &WindowExpr) {
        let arena = Arena::new();
        let elem = self.elem_of(rhs);
        let window = self.window(&arena, rhs);
        let name = self.declare(name, elem);
        let is_point = |w: &WinCoord| match w {
            WinCoord::Point(_) => true,
            WinCoord::Interval(..) => false,
        };
        let head = match rhs.idx.iter().all(is_point) {
            true => arena.text(format!("{name}: [{elem}] = ")),
            false => arena.text(format!("{name} = ")),
        };
        self.line(head.append(window));
    }

    /// `f32[n, m]`, `[f32][n, m]`.
    pub(super) fn buffer_type<'d>(&mut self, arena: &'d Arena<'d>, typ: &BufferType) -> super::Doc<'d> {
        let BufferType { elem, shape, kind } = typ;
        let elem = match kind {
            ArrayKind::Tensor => arena.text(elem.keyword()),
            ArrayKind::Window => arena.text(format!("[{elem}]")),
        };
        if shape.is_empty() {
            return elem;
        }
        let shape = shape.iter().map(|e| self.expr(arena, e, Level::LOWEST)).collect();
        elem.append(listed(arena, "[", shape, "]"))
    }
}

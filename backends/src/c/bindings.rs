//! What each variable of a procedure is: control, or a buffer of some element type, shape and memory.

use rewright_semantics::ast::{Block, Expr, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::sub;
use rewright_semantics::types::{ArgType, ArrayKind, ControlType, DataType, MemName};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A buffer variable.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The type of a cell.
    pub elem: DataType,
    /// Number of dimensions.
    pub rank: usize,
    /// Its extents.
    pub shape: Arc<[Expr]>,
    /// Tensor or window.
    pub kind: ArrayKind,
    /// Where it lives.
    pub mem: MemName,
    /// What it is a window of, for window statements.
    pub source: Option<WindowExpr>,
    /// Whether it is an argument.
    pub is_argument: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A variable.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A control argument or a loop variable.
    Control(ControlType),
    /// A buffer.
    Buffer(Buffer),
}

/// All variables of one procedure. Symbols are unique, so scopes need not be kept.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    map: BTreeMap<Sym, Binding>,
}

impl Bindings {
    /// The variables of a procedure.
    pub fn of(p: &Proc) -> Bindings {
        let mut all = Bindings::default();
        for a in &p.args {
            let binding = match &a.typ {
                ArgType::Control(t) => Binding::Control(*t),
                ArgType::Data { typ, mem } => Binding::Buffer(Buffer {
                    elem: typ.elem,
                    rank: typ.rank(),
                    shape: typ.shape.clone(),
                    kind: typ.kind,
                    mem: *mem,
                    source: None,
                    is_argument: true,
                    span: a.span,
                }),
            };
            all.map.insert(a.name, binding);
        }
        all.add_block(&p.body);
        all
    }

    fn add_block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.add_stmt(s));
    }

    fn add_stmt(&mut self, s: &Stmt) {
        match &*s.kind {
            StmtKind::Alloc { name, typ, mem } => {
                let buffer = Buffer {
                    elem: typ.elem,
                    rank: typ.rank(),
                    shape: typ.shape.clone(),
                    kind: typ.kind,
                    mem: *mem,
                    source: None,
                    is_argument: false,
                    span: s.span,
                };
                self.map.insert(*name, Binding::Buffer(buffer));
            }
            StmtKind::WindowStmt { name, rhs } => {
                if let Some(buffer) = self.window_of(rhs, s.span) {
                    self.map.insert(*name, Binding::Buffer(buffer));
                }
            }
            StmtKind::For { iter, body, .. } => {
                self.map.insert(*iter, Binding::Control(ControlType::Index));
                self.add_block(body);
            }
            StmtKind::If { body, orelse, .. } => {
                self.add_block(body);
                self.add_block(orelse);
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Call { .. } => {}
        }
    }

    /// What a window of a known buffer is.
    fn window_of(&self, w: &WindowExpr, span: Span) -> Option<Buffer> {
        let base = self.buffer(w.name)?;
        let extents = w.idx.iter().filter_map(|c| match c {
            WinCoord::Interval(lo, hi) => Some(sub(hi.clone(), lo.clone())),
            WinCoord::Point(_) => None,
        });
        let shape: Arc<[Expr]> = extents.collect();
        Some(Buffer {
            elem: base.elem,
            rank: shape.len(),
            shape,
            kind: ArrayKind::Window,
            mem: base.mem,
            source: Some(w.clone()),
            is_argument: false,
            span,
        })
    }

    /// The variable, if it is one of the procedure's.
    pub fn get(&self, x: Sym) -> Option<&Binding> {
        self.map.get(&x)
    }

    /// The buffer, if the variable is one.
    pub fn buffer(&self, x: Sym) -> Option<&Buffer> {
        match self.get(x)? {
            Binding::Buffer(b) => Some(b),
            Binding::Control(_) => None,
        }
    }

    /// The buffer that a window, or a window of a window, is part of.
    pub fn root(&self, x: Sym) -> Sym {
        let mut x = x;
        while let Some(source) = self.buffer(x).and_then(|b| b.source.as_ref()) {
            x = source.name;
        }
        x
    }
}

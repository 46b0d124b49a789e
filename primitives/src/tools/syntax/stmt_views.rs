//! Statements taken apart, for primitives that ask for one sort of statement.

use rewright_semantics::ast::{Block, Expr, LoopMode, Stmt, StmtKind};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;

/// `for iter in mode(lo, hi): body`
#[derive(Clone, Debug)]
pub struct For {
    /// The loop variable.
    pub iter: Sym,
    /// First value.
    pub lo: Expr,
    /// One past the last value.
    pub hi: Expr,
    /// The body.
    pub body: Block,
    /// Sequential or parallel.
    pub mode: LoopMode,
    /// Its place in the source.
    pub span: Span,
}

impl For {
    /// The loop that a statement is.
    pub fn of(s: &Stmt) -> Option<For> {
        match s.kind.as_ref() {
            StmtKind::For { iter, lo, hi, body, mode } => Some(For {
                iter: *iter,
                lo: lo.clone(),
                hi: hi.clone(),
                body: body.clone(),
                mode: *mode,
                span: s.span,
            }),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// The statement.
    pub fn stmt(self) -> Stmt {
        let For { iter, lo, hi, body, mode, span } = self;
        Stmt::at(StmtKind::For { iter, lo, hi, body, mode }, span)
    }
}

/// `if cond: body else: orelse`
#[derive(Clone, Debug)]
pub struct If {
    /// The condition.
    pub cond: Expr,
    /// Runs when it holds.
    pub body: Block,
    /// Runs when it does not; empty when there is no `else`.
    pub orelse: Block,
    /// Its place in the source.
    pub span: Span,
}

impl If {
    /// The guard that a statement is.
    pub fn of(s: &Stmt) -> Option<If> {
        match s.kind.as_ref() {
            StmtKind::If { cond, body, orelse } => {
                Some(If { cond: cond.clone(), body: body.clone(), orelse: orelse.clone(), span: s.span })
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// The statement.
    pub fn stmt(self) -> Stmt {
        let If { cond, body, orelse, span } = self;
        Stmt::at(StmtKind::If { cond, body, orelse }, span)
    }
}

/// Whether an `=` or a `+=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteKind {
    /// `x[i] = e`
    Assign,
    /// `x[i] += e`
    Reduce,
}

/// `x[i, …] = e` or `x[i, …] += e`
#[derive(Clone, Debug)]
pub struct Write {
    /// Which of the two.
    pub kind: WriteKind,
    /// The buffer.
    pub name: Sym,
    /// The indices.
    pub idx: std::sync::Arc<[Expr]>,
    /// The value.
    pub rhs: Expr,
    /// Its place in the source.
    pub span: Span,
}

impl Write {
    /// The write that a statement is.
    pub fn of(s: &Stmt) -> Option<Write> {
        let (kind, name, idx, rhs) = match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs } => (WriteKind::Assign, name, idx, rhs),
            StmtKind::Reduce { name, idx, rhs } => (WriteKind::Reduce, name, idx, rhs),
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => return None,
        };
        Some(Write { kind, name: *name, idx: idx.clone(), rhs: rhs.clone(), span: s.span })
    }

    /// The statement.
    pub fn stmt(self) -> Stmt {
        let Write { kind, name, idx, rhs, span } = self;
        let kind = match kind {
            WriteKind::Assign => StmtKind::Assign { name, idx, rhs },
            WriteKind::Reduce => StmtKind::Reduce { name, idx, rhs },
        };
        Stmt::at(kind, span)
    }
}

/// `f(e, …)`
#[derive(Clone, Debug)]
pub struct Call {
    /// The callee.
    pub proc: std::sync::Arc<rewright_semantics::ast::Proc>,
    /// What it is given.
    pub args: std::sync::Arc<[Expr]>,
    /// Its place in the source.
    pub span: Span,
}

impl Call {
    /// The call that a statement is.
    pub fn of(s: &Stmt) -> Option<Call> {
        match s.kind.as_ref() {
            StmtKind::Call { proc, args } => {
                Some(Call { proc: proc.clone(), args: args.clone(), span: s.span })
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => None,
        }
    }

    /// The statement.
    pub fn stmt(self) -> Stmt {
        let Call { proc, args, span } = self;
        Stmt::at(StmtKind::Call { proc, args }, span)
    }
}

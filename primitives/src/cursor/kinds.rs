//! What a cursor points at, in a word. ASPLOS'25 §5.2; Exo's cursor classes.

use super::Cursor;
use super::path::{Place, expr_at, stmt_at};
use crate::error::InvalidCursor;
use rewright_semantics::ast::{Arg, Expr, ExprKind, Stmt, StmtKind};
use rewright_semantics::pretty;
use std::fmt;

/// The kinds of cursors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CursorKind {
    /// A loop.
    For,
    /// An `if`.
    If,
    /// `x[i] = e`
    Assign,
    /// `x[i] += e`
    Reduce,
    /// `Cfg.field = e`
    WriteConfig,
    /// `pass`
    Pass,
    /// `x: f32[n]`
    Alloc,
    /// `y = x[0:4]`
    WindowStmt,
    /// `p(e, …)`
    Call,
    /// A run of statements.
    Block,
    /// A place between statements.
    Gap,
    /// A formal argument.
    Arg,
    /// `x`, `x[i]`
    Read,
    /// `x[0:4]`, as an argument.
    Window,
    /// A number or a truth value.
    Literal,
    /// `-e`
    Negation,
    /// `not e`
    Not,
    /// `e op e`
    Binary,
    /// `sin(e)`
    Extern,
    /// `stride(x, 0)`
    Stride,
    /// `Cfg.field`
    ReadConfig,
}

impl CursorKind {
    /// In words, with an article.
    pub fn words(self) -> &'static str {
        match self {
            CursorKind::For => "a loop",
            CursorKind::If => "an `if`",
            CursorKind::Assign => "an assignment",
            CursorKind::Reduce => "a reduction",
            CursorKind::WriteConfig => "a write to a configuration field",
            CursorKind::Pass => "a `pass`",
            CursorKind::Alloc => "an allocation",
            CursorKind::WindowStmt => "a window statement",
            CursorKind::Call => "a call",
            CursorKind::Block => "a run of statements",
            CursorKind::Gap => "a gap between statements",
            CursorKind::Arg => "an argument",
            CursorKind::Read => "a read",
            CursorKind::Window => "a window",
            CursorKind::Literal => "a literal",
            CursorKind::Negation => "a negation",
            CursorKind::Not => "a `not`",
            CursorKind::Binary => "an operation",
            CursorKind::Extern => "a call of an extern",
            CursorKind::Stride => "a stride",
            CursorKind::ReadConfig => "a read of a configuration field",
        }
    }

    /// Whether this is one statement.
    pub fn is_stmt(self) -> bool {
        match self {
            CursorKind::For
            | CursorKind::If
            | CursorKind::Assign
            | CursorKind::Reduce
            | CursorKind::WriteConfig
            | CursorKind::Pass
            | CursorKind::Alloc
            | CursorKind::WindowStmt
            | CursorKind::Call => true,
            CursorKind::Block
            | CursorKind::Gap
            | CursorKind::Arg
            | CursorKind::Read
            | CursorKind::Window
            | CursorKind::Literal
            | CursorKind::Negation
            | CursorKind::Not
            | CursorKind::Binary
            | CursorKind::Extern
            | CursorKind::Stride
            | CursorKind::ReadConfig => false,
        }
    }

    /// Whether this is an expression.
    pub fn is_expr(self) -> bool {
        !self.is_stmt() && !matches!(self, CursorKind::Block | CursorKind::Gap | CursorKind::Arg)
    }
}

impl fmt::Display for CursorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// The kind of a statement.
pub fn kind_of_stmt(s: &Stmt) -> CursorKind {
    match s.kind.as_ref() {
        StmtKind::For { .. } => CursorKind::For,
        StmtKind::If { .. } => CursorKind::If,
        StmtKind::Assign { .. } => CursorKind::Assign,
        StmtKind::Reduce { .. } => CursorKind::Reduce,
        StmtKind::WriteConfig { .. } => CursorKind::WriteConfig,
        StmtKind::Pass => CursorKind::Pass,
        StmtKind::Alloc { .. } => CursorKind::Alloc,
        StmtKind::WindowStmt { .. } => CursorKind::WindowStmt,
        StmtKind::Call { .. } => CursorKind::Call,
    }
}

/// The kind of an expression.
pub fn kind_of_expr(e: &Expr) -> CursorKind {
    match &e.kind {
        ExprKind::Read { .. } => CursorKind::Read,
        ExprKind::Window(_) => CursorKind::Window,
        ExprKind::Lit(_) => CursorKind::Literal,
        ExprKind::Neg(_) => CursorKind::Negation,
        ExprKind::Not(_) => CursorKind::Not,
        ExprKind::Bin { .. } => CursorKind::Binary,
        ExprKind::Extern { .. } => CursorKind::Extern,
        ExprKind::Stride { .. } => CursorKind::Stride,
        ExprKind::ReadConfig { .. } => CursorKind::ReadConfig,
    }
}

/// What stands at a place.
pub(super) enum Node<'a> {
    /// A statement.
    Stmt(&'a Stmt),
    /// An expression.
    Expr(&'a Expr),
    /// A formal argument.
    Arg(&'a Arg),
    /// A run of so many statements.
    Block(usize),
    /// A place between statements.
    Gap,
}

impl Cursor {
    /// What stands there. A cursor's place exists, since it is checked when the cursor is made.
    pub(super) fn node(&self) -> Option<Node<'_>> {
        let p = self.proc().ast();
        match self.place() {
            Place::Stmt(path) => stmt_at(p, path).map(Node::Stmt),
            Place::Expr(at) => expr_at(p, at).map(Node::Expr),
            Place::Arg(i) => p.args.get(*i).map(Node::Arg),
            Place::Block(run) => Some(Node::Block(run.len)),
            Place::Gap(_) => Some(Node::Gap),
        }
    }

    /// What the cursor points at, in a word.
    pub fn kind(&self) -> CursorKind {
        match self.node() {
            Some(Node::Stmt(s)) => kind_of_stmt(s),
            Some(Node::Expr(e)) => kind_of_expr(e),
            Some(Node::Arg(_)) => CursorKind::Arg,
            Some(Node::Block(_)) => CursorKind::Block,
            Some(Node::Gap) | None => CursorKind::Gap,
        }
    }

    /// Whether this is a loop.
    pub fn is_loop(&self) -> bool {
        self.kind() == CursorKind::For
    }

    /// Whether this is an `if`.
    pub fn is_if(&self) -> bool {
        self.kind() == CursorKind::If
    }

    /// What the cursor points at, with its name or first line: ``the loop `for i in seq(0, n):` ``.
    pub fn describe(&self) -> String {
        match self.node() {
            Some(Node::Stmt(s)) => format!("`{}`", pretty::first_line_of_stmt(s).trim_end()),
            Some(Node::Expr(e)) => format!("`{}`", pretty::expr_to_string(e)),
            Some(Node::Arg(a)) => format!("the argument `{}`", a.name),
            Some(Node::Block(n)) => format!("a run of {n} statement{}", if n == 1 { "" } else { "s" }),
            Some(Node::Gap) | None => "a gap between statements".to_owned(),
        }
    }

    /// An error about a move or a question that makes no sense here.
    pub(super) fn lacks(&self, what: &str) -> InvalidCursor {
        InvalidCursor::new(format!("{} has no {what}", self.describe()))
    }
}

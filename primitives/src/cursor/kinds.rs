//! What a cursor points at, in a word. ASPLOS'25 §5.2; Exo's cursor classes.

use super::Cursor;
use super::path::{Place, expr_at, stmt_at};
use crate::error::InvalidCursor;
use rewright_semantics::ast::{Arg, Expr, ExprKind, Stmt, StmtKind};
use rewright_semantics::pretty;
use std::fmt;

/// The kinds of cursors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
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

impl Kind {
    /// In words, with an article.
    pub fn words(self) -> &'static str {
        match self {
            Kind::For => "a loop",
            Kind::If => "an `if`",
            Kind::Assign => "an assignment",
            Kind::Reduce => "a reduction",
            Kind::WriteConfig => "a write to a configuration field",
            Kind::Pass => "a `pass`",
            Kind::Alloc => "an allocation",
            Kind::WindowStmt => "a window statement",
            Kind::Call => "a call",
            Kind::Block => "a run of statements",
            Kind::Gap => "a gap between statements",
            Kind::Arg => "an argument",
            Kind::Read => "a read",
            Kind::Window => "a window",
            Kind::Literal => "a literal",
            Kind::Negation => "a negation",
            Kind::Not => "a `not`",
            Kind::Binary => "an operation",
            Kind::Extern => "a call of an extern",
            Kind::Stride => "a stride",
            Kind::ReadConfig => "a read of a configuration field",
        }
    }

    /// Whether this is one statement.
    pub fn is_stmt(self) -> bool {
        match self {
            Kind::For
            | Kind::If
            | Kind::Assign
            | Kind::Reduce
            | Kind::WriteConfig
            | Kind::Pass
            | Kind::Alloc
            | Kind::WindowStmt
            | Kind::Call => true,
            Kind::Block
            | Kind::Gap
            | Kind::Arg
            | Kind::Read
            | Kind::Window
            | Kind::Literal
            | Kind::Negation
            | Kind::Not
            | Kind::Binary
            | Kind::Extern
            | Kind::Stride
            | Kind::ReadConfig => false,
        }
    }

    /// Whether this is an expression.
    pub fn is_expr(self) -> bool {
        !self.is_stmt() && !matches!(self, Kind::Block | Kind::Gap | Kind::Arg)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// The kind of a statement.
pub fn kind_of_stmt(s: &Stmt) -> Kind {
    match s.kind.as_ref() {
        StmtKind::For { .. } => Kind::For,
        StmtKind::If { .. } => Kind::If,
        StmtKind::Assign { .. } => Kind::Assign,
        StmtKind::Reduce { .. } => Kind::Reduce,
        StmtKind::WriteConfig { .. } => Kind::WriteConfig,
        StmtKind::Pass => Kind::Pass,
        StmtKind::Alloc { .. } => Kind::Alloc,
        StmtKind::WindowStmt { .. } => Kind::WindowStmt,
        StmtKind::Call { .. } => Kind::Call,
    }
}

/// The kind of an expression.
pub fn kind_of_expr(e: &Expr) -> Kind {
    match &e.kind {
        ExprKind::Read { .. } => Kind::Read,
        ExprKind::Window(_) => Kind::Window,
        ExprKind::Lit(_) => Kind::Literal,
        ExprKind::Neg(_) => Kind::Negation,
        ExprKind::Not(_) => Kind::Not,
        ExprKind::Bin { .. } => Kind::Binary,
        ExprKind::Extern { .. } => Kind::Extern,
        ExprKind::Stride { .. } => Kind::Stride,
        ExprKind::ReadConfig { .. } => Kind::ReadConfig,
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
    pub fn kind(&self) -> Kind {
        match self.node() {
            Some(Node::Stmt(s)) => kind_of_stmt(s),
            Some(Node::Expr(e)) => kind_of_expr(e),
            Some(Node::Arg(_)) => Kind::Arg,
            Some(Node::Block(_)) => Kind::Block,
            Some(Node::Gap) | None => Kind::Gap,
        }
    }

    /// Whether this is a loop.
    pub fn is_loop(&self) -> bool {
        self.kind() == Kind::For
    }

    /// Whether this is an `if`.
    pub fn is_if(&self) -> bool {
        self.kind() == Kind::If
    }

    /// What the cursor points at, with its name or first line: ``the loop `for i in seq(0, n):` ``.
    pub fn describe(&self) -> String {
        match self.node() {
            Some(Node::Stmt(s)) => {
                let text = pretty::stmt_to_string(s);
                format!("`{}`", text.lines().next().unwrap_or("").trim_end())
            }
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

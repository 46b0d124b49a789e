//! Sorts of places.

use rewright_semantics::ast::StmtKind;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A loop. A bare name is its variable's.
    Loop,
    /// A guard.
    If,
    /// A loop or a guard. A bare name is a loop variable's.
    Scope,
    /// Any statement.
    Stmt,
    /// An allocation. A bare name is the buffer's.
    Alloc,
    /// An allocation or a data argument. A bare name is the buffer's.
    Buffer,
    /// An assignment. A bare name is the buffer's.
    Assign,
    /// A reduction. A bare name is the buffer's.
    Reduce,
    /// An assignment or a reduction. A bare name is the buffer's.
    Write,
    /// A call. A bare name is the callee's.
    Call,
    /// A window statement. A bare name is the window's.
    WindowStmt,
    /// A write to a configuration field.
    WriteConfig,
    /// A run of statements.
    Block,
    /// A place between statements.
    Gap,
    /// An expression.
    Expr,
}

impl Sort {
    /// In words, with an article.
    pub fn words(self) -> &'static str {
        match self {
            Sort::Loop => "a loop",
            Sort::If => "an `if`",
            Sort::Scope => "a loop or an `if`",
            Sort::Stmt => "a statement",
            Sort::Alloc => "an allocation",
            Sort::Buffer => "an allocation or a data argument",
            Sort::Assign => "an assignment",
            Sort::Reduce => "a reduction",
            Sort::Write => "an assignment or a reduction",
            Sort::Call => "a call",
            Sort::WindowStmt => "a window statement",
            Sort::WriteConfig => "a write to a configuration field, or a call",
            Sort::Block => "a run of statements",
            Sort::Gap => "a gap between statements",
            Sort::Expr => "an expression",
        }
    }

    /// Whether a statement is of this sort.
    pub fn admits(self, s: &StmtKind) -> bool {
        match self {
            Sort::Loop => matches!(s, StmtKind::For { .. }),
            Sort::If => matches!(s, StmtKind::If { .. }),
            Sort::Scope => matches!(s, StmtKind::For { .. } | StmtKind::If { .. }),
            Sort::Stmt | Sort::Block => true,
            Sort::Alloc | Sort::Buffer => matches!(s, StmtKind::Alloc { .. }),
            Sort::Assign => matches!(s, StmtKind::Assign { .. }),
            Sort::Reduce => matches!(s, StmtKind::Reduce { .. }),
            Sort::Write => matches!(s, StmtKind::Assign { .. } | StmtKind::Reduce { .. }),
            Sort::Call => matches!(s, StmtKind::Call { .. }),
            Sort::WindowStmt => matches!(s, StmtKind::WindowStmt { .. }),
            Sort::WriteConfig => matches!(s, StmtKind::WriteConfig { .. } | StmtKind::Call { .. }),
            Sort::Gap | Sort::Expr => false,
        }
    }
}

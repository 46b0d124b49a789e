//! Statements that do nothing.

use rewright_semantics::ast::{Stmt, StmtKind};

/// Whether a statement is `pass`, or a loop or guard in which there is nothing else.
pub fn does_nothing(s: &Stmt) -> bool {
    match s.kind.as_ref() {
        StmtKind::Pass => true,
        StmtKind::For { body, .. } => body.iter().all(does_nothing),
        StmtKind::If { cond: _, body, orelse } => body.iter().chain(orelse).all(does_nothing),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => false,
    }
}

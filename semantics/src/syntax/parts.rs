//! Which part of a program a node touches: each question is answered here for every node, so that a new one cannot be
//! passed over in silence.

use crate::ast::{Config, Expr, ExprKind, Proc, StmtKind};
use crate::sym::{Name, Sym};
use std::sync::Arc;

impl StmtKind {
    /// The procedure that the statement calls, and with what.
    pub fn called(&self) -> Option<(&Arc<Proc>, &[Expr])> {
        match self {
            StmtKind::Call { proc, args } => Some((proc, args)),
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

    /// The configuration field that the statement itself writes.
    pub fn field_written(&self) -> Option<(&Arc<Config>, Name)> {
        match self {
            StmtKind::WriteConfig { config, field, rhs: _ } => Some((config, *field)),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// The variable that the statement binds in its own blocks.
    pub fn bound_inside(&self) -> Option<Sym> {
        match self {
            StmtKind::For { iter, .. } => Some(*iter),
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
}

impl ExprKind {
    /// The variable, scalar, cell or whole buffer that the expression is, with its indices.
    pub fn read(&self) -> Option<(Sym, &[Expr])> {
        match self {
            ExprKind::Read { name, idx } => Some((*name, idx)),
            ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => None,
        }
    }

    /// The variable that the expression is, and nothing more.
    pub fn variable(&self) -> Option<Sym> {
        self.read().filter(|(_, idx)| idx.is_empty()).map(|(name, _)| name)
    }

    /// The buffer of which the expression, an argument, passes a cell, a window or all.
    pub fn passed_buffer(&self) -> Option<Sym> {
        match self {
            ExprKind::Read { name, idx: _ } => Some(*name),
            ExprKind::Window(w) => Some(w.name),
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => None,
        }
    }

    /// The configuration field that the expression is.
    pub fn field_read(&self) -> Option<(&Arc<Config>, Name)> {
        match self {
            ExprKind::ReadConfig { config, field } => Some((config, *field)),
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. } => None,
        }
    }

    /// The buffer whose stride the expression is, and the dimension.
    pub fn stride_of(&self) -> Option<(Sym, usize)> {
        match self {
            ExprKind::Stride { name, dim } => Some((*name, *dim)),
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::ReadConfig { .. } => None,
        }
    }
}

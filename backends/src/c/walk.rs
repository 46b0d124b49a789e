//! Going through a procedure's statements and expressions, for the questions that only collect.

use rewright_semantics::ast::{Block, Expr, ExprKind, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::sym::Sym;

/// Calls `f` on every statement of a block, outer before inner, in order.
pub fn each_stmt<'a>(b: &'a Block, f: &mut impl FnMut(&'a Stmt)) {
    for s in b {
        f(s);
        match &*s.kind {
            StmtKind::If { body, orelse, .. } => {
                each_stmt(body, f);
                each_stmt(orelse, f);
            }
            StmtKind::For { body, .. } => each_stmt(body, f),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }
}

/// The expressions that stand directly in a statement, without those of its blocks. Windows are given
/// by their coordinates.
pub fn exprs_of(s: &Stmt) -> Vec<&Expr> {
    match &*s.kind {
        StmtKind::Assign { idx, rhs, .. } | StmtKind::Reduce { idx, rhs, .. } => {
            idx.iter().chain([rhs]).collect()
        }
        StmtKind::WriteConfig { rhs, .. } => vec![rhs],
        StmtKind::Pass => Vec::new(),
        StmtKind::If { cond, .. } => vec![cond],
        StmtKind::For { lo, hi, .. } => vec![lo, hi],
        StmtKind::Alloc { typ, .. } => typ.shape.iter().collect(),
        StmtKind::WindowStmt { rhs, .. } => coords(rhs),
        StmtKind::Call { args, .. } => args.iter().collect(),
    }
}

/// The expressions in a window's coordinates.
pub fn coords(w: &WindowExpr) -> Vec<&Expr> {
    w.idx
        .iter()
        .flat_map(|c| match c {
            WinCoord::Point(e) => vec![e],
            WinCoord::Interval(lo, hi) => vec![lo, hi],
        })
        .collect()
}

/// What an expression is a part of a buffer by.
#[derive(Clone, Copy, Debug)]
pub enum PartExpr<'a> {
    /// `x`, `x[i, j]`: a cell, or all of a buffer. A control variable looks the same.
    Read(Sym, &'a [Expr]),
    /// `x[i, lo:hi]`
    Window(&'a WindowExpr),
}

impl PartExpr<'_> {
    /// The variable.
    pub fn name(self) -> Sym {
        match self {
            PartExpr::Read(name, _) => name,
            PartExpr::Window(w) => w.name,
        }
    }
}

/// The part of a buffer that an expression is, if it can be one.
pub fn part_of(e: &Expr) -> Option<PartExpr<'_>> {
    match &e.kind {
        ExprKind::Read { name, idx } => Some(PartExpr::Read(*name, idx)),
        ExprKind::Window(w) => Some(PartExpr::Window(w)),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

/// Calls `f` on an expression and all its parts, outer before inner.
pub fn each_expr<'a>(e: &'a Expr, f: &mut impl FnMut(&'a Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Read { idx, .. } => idx.iter().for_each(|e| each_expr(e, f)),
        ExprKind::Window(w) => coords(w).into_iter().for_each(|e| each_expr(e, f)),
        ExprKind::Neg(e) | ExprKind::Not(e) => each_expr(e, f),
        ExprKind::Bin { lhs, rhs, .. } => {
            each_expr(lhs, f);
            each_expr(rhs, f);
        }
        ExprKind::Extern { args, .. } => args.iter().for_each(|e| each_expr(e, f)),
        ExprKind::Lit(_) | ExprKind::Stride { .. } | ExprKind::ReadConfig { .. } => {}
    }
}

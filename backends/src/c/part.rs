//! Parts of buffers: cells, windows, and buffers as a whole.

use rewright_semantics::ast::{Expr, ExprKind, WindowExpr};
use rewright_semantics::sym::Sym;

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

//! Windows: ends and dimensions that are left out are taken from the shape. Spec: [rule: expr.window].

use super::super::error::SyntaxErrorKind;
use super::super::tree::{self, Coord, Ident};
use super::super::{MAX_DEPTH, Refusal};
use super::Resolver;
use super::expr::Want;
use super::scope::{Buffer, Variable};
use crate::ast::{BinOp, Expr, ExprKind, Literal, WinCoord, WindowExpr};
use crate::span::Span;
use std::sync::Arc;

impl Resolver<'_> {
    /// Whether an expression shows a part of a buffer rather than a cell of it.
    pub(super) fn is_window(&self, e: &tree::Expr) -> bool {
        let tree::ExprKind::Index(base, coords) = &e.kind else { return false };
        let rank = match self.scope.get(base.name) {
            Some(Variable::Buffer(buffer)) => buffer.shape.len(),
            Some(Variable::Control(_) | Variable::Broken) | None => 0,
        };
        coords.len() < rank || coords.iter().any(Coord::is_range)
    }

    /// The window that an indexed expression is.
    pub(super) fn window_of(&mut self, e: &tree::Expr) -> Option<WindowExpr> {
        match &e.kind {
            tree::ExprKind::Index(base, coords) => self.window(base, coords, e.span),
            tree::ExprKind::Broken => None,
            tree::ExprKind::Name(_)
            | tree::ExprKind::Int(_)
            | tree::ExprKind::Float(_)
            | tree::ExprKind::Bool(_)
            | tree::ExprKind::Neg(_)
            | tree::ExprKind::Not(_)
            | tree::ExprKind::Bin(..)
            | tree::ExprKind::Chain(..)
            | tree::ExprKind::Field(..)
            | tree::ExprKind::Call(..) => {
                self.report(
                    e.span,
                    SyntaxErrorKind::Expression(Refusal {
                        what: "a window shows cells of a buffer",
                        instead: "write `x[0:4, j]`, or `x[i, j]` for one cell",
                    }),
                );
                None
            }
        }
    }

    /// The window of one cell.
    pub(super) fn cell(&mut self, e: &tree::Expr) -> Option<WindowExpr> {
        if self.is_window(e) {
            self.report(
                e.span,
                SyntaxErrorKind::Expression(Refusal {
                    what: "a window of rank 0 shows one cell",
                    instead: "write an index for each dimension; other windows are made by `y = x[0:4, j]`",
                }),
            );
            return None;
        }
        self.window_of(e)
    }

    /// `x[i, lo:hi]`, every dimension written out.
    pub(super) fn window(&mut self, base: &Ident, coords: &[Coord], span: Span) -> Option<WindowExpr> {
        let buffer = self.buffer(base);
        let mut idx = Vec::with_capacity(coords.len());
        for (dim, coord) in coords.iter().enumerate() {
            idx.push(self.coord(coord, dim, buffer.as_ref()));
        }
        let buffer = buffer?;
        if coords.len() > buffer.shape.len() {
            let kind =
                SyntaxErrorKind::Rank { name: base.name, rank: buffer.shape.len(), given: coords.len() };
            self.report(span, kind);
            return None;
        }
        for dim in coords.len()..buffer.shape.len() {
            let hi = self.extent(&buffer, dim, span);
            idx.push(hi.map(|hi| WinCoord::Interval(int(0, span), hi)));
        }
        let idx: Option<Vec<WinCoord>> = idx.into_iter().collect();
        Some(WindowExpr { name: buffer.sym, idx: idx?.into() })
    }

    /// The buffer of a name.
    fn buffer(&mut self, base: &Ident) -> Option<Buffer> {
        match self.variable(base)? {
            Variable::Buffer(buffer) => Some(buffer),
            Variable::Control(_) => {
                self.report(base.span, SyntaxErrorKind::NotABuffer(base.name));
                None
            }
            Variable::Broken => None,
        }
    }

    /// One coordinate.
    fn coord(&mut self, coord: &Coord, dim: usize, buffer: Option<&Buffer>) -> Option<WinCoord> {
        match coord {
            Coord::Point(e) => self.expr(e, Want::Control).map(WinCoord::Point),
            Coord::Range(lo, hi, span) => {
                let lo = lo.as_ref().map_or_else(|| Some(int(0, *span)), |e| self.expr(e, Want::Control));
                let hi = match hi {
                    Some(e) => self.expr(e, Want::Control),
                    None => buffer.and_then(|b| self.extent(b, dim, *span)),
                };
                Some(WinCoord::Interval(lo?, hi?))
            }
        }
    }

    /// The extent of a dimension; `None` beyond the rank, which is reported by the caller.
    fn extent(&mut self, buffer: &Buffer, dim: usize, span: Span) -> Option<Expr> {
        let extent = buffer.shape.get(dim)?;
        let refused = match scan(extent, 0) {
            Scan::Fine => return Some(extent.clone()),
            Scan::ReadsConfig => SyntaxErrorKind::Expression(Refusal {
                what: "the extent depends on a configuration, which may have changed",
                instead: "write the ends of the slice out",
            }),
            Scan::TooDeep => SyntaxErrorKind::Nesting,
        };
        self.report(span, refused);
        None
    }
}

/// The shape of a window: the extents of its intervals.
pub(super) fn shape(window: &WindowExpr) -> Arc<[Expr]> {
    let extents = window.idx.iter().filter_map(|w| match w {
        WinCoord::Point(_) => None,
        WinCoord::Interval(lo, hi) => Some(difference(hi, lo)),
    });
    extents.collect()
}

/// `hi - lo`, computed where both are literals or `lo` is 0.
fn difference(hi: &Expr, lo: &Expr) -> Expr {
    match (&hi.kind, &lo.kind) {
        (_, ExprKind::Lit(Literal::Int(0))) => hi.clone(),
        (ExprKind::Lit(Literal::Int(h)), ExprKind::Lit(Literal::Int(l))) if h.checked_sub(*l).is_some() => {
            int(h.saturating_sub(*l), hi.span)
        }
        (ExprKind::Bin { op: BinOp::Add, lhs, rhs }, _) if **lhs == *lo => (**rhs).clone(),
        (ExprKind::Bin { op: BinOp::Add, lhs, rhs }, _) if **rhs == *lo => (**lhs).clone(),
        (_, _) => {
            let (lhs, rhs) = (Arc::new(hi.clone()), Arc::new(lo.clone()));
            Expr::at(ExprKind::Bin { op: BinOp::Sub, lhs, rhs }, hi.span.to(lo.span))
        }
    }
}

/// An integer literal.
fn int(value: i64, span: Span) -> Expr {
    Expr::at(ExprKind::Lit(Literal::Int(value)), span)
}

/// Whether an extent may be written out elsewhere.
enum Scan {
    Fine,
    ReadsConfig,
    TooDeep,
}

/// Looks for configuration reads and for too much depth.
fn scan(e: &Expr, depth: usize) -> Scan {
    if depth > MAX_DEPTH / 2 {
        return Scan::TooDeep;
    }
    let both = |a: &Expr, b: &Expr| match scan(a, depth + 1) {
        Scan::Fine => scan(b, depth + 1),
        found @ (Scan::ReadsConfig | Scan::TooDeep) => found,
    };
    match &e.kind {
        ExprKind::ReadConfig { .. } => Scan::ReadsConfig,
        ExprKind::Neg(e) | ExprKind::Not(e) => scan(e, depth + 1),
        ExprKind::Bin { op: _, lhs, rhs } => both(lhs, rhs),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. } => Scan::Fine,
    }
}

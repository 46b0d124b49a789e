//! The children of statements and expressions, one list for reading and one for rebuilding.

use crate::ast::{Block, Expr, ExprKind, LoopMode, Stmt, StmtKind, WinCoord, WindowExpr};
use crate::types::BufferType;
use std::sync::Arc;

/// One step from a statement or an expression to an expression in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExprStep {
    /// The right-hand side of a statement, or of an operator.
    Rhs,
    /// The left operand of an operator.
    Lhs,
    /// The operand of `-` or `not`.
    Operand,
    /// The condition of a guard.
    Cond,
    /// The lower bound of a loop.
    Lo,
    /// The upper bound of a loop.
    Hi,
    /// An index of an access, or a point of a window.
    Idx(usize),
    /// The lower end of an interval of a window.
    From(usize),
    /// The upper end of an interval of a window.
    To(usize),
    /// An extent of an allocation.
    Extent(usize),
    /// An argument of a call or an extern.
    Arg(usize),
}

/// Visits the expressions of which a statement itself is made; not those of the blocks in it.
pub fn each_operand<'a>(s: &'a Stmt, f: &mut impl FnMut(ExprStep, &'a Expr)) {
    match s.kind.as_ref() {
        StmtKind::Assign { name: _, idx, rhs } | StmtKind::Reduce { name: _, idx, rhs } => {
            idx.iter().enumerate().for_each(|(k, e)| f(ExprStep::Idx(k), e));
            f(ExprStep::Rhs, rhs);
        }
        StmtKind::WriteConfig { config: _, field: _, rhs } => f(ExprStep::Rhs, rhs),
        StmtKind::Pass => {}
        StmtKind::If { cond, body: _, orelse: _ } => f(ExprStep::Cond, cond),
        StmtKind::For { iter: _, lo, hi, body: _, mode: _ } => {
            f(ExprStep::Lo, lo);
            f(ExprStep::Hi, hi);
        }
        StmtKind::Alloc { name: _, typ, mem: _ } => {
            typ.shape.iter().enumerate().for_each(|(k, e)| f(ExprStep::Extent(k), e));
        }
        StmtKind::WindowStmt { name: _, rhs } => each_coord(rhs, f),
        StmtKind::Call { proc: _, args } => {
            args.iter().enumerate().for_each(|(k, e)| f(ExprStep::Arg(k), e));
        }
    }
}

/// The expressions of which a statement itself is made, in order; not those of the blocks in it.
pub fn operands(s: &Stmt) -> Vec<&Expr> {
    let mut out = Vec::new();
    each_operand(s, &mut |_, e| out.push(e));
    out
}

/// The expressions in the coordinates of a window, in order.
pub fn coords(w: &WindowExpr) -> Vec<&Expr> {
    let mut out = Vec::new();
    each_coord(w, &mut |_, e| out.push(e));
    out
}

/// Visits an expression and all that it is made of, outer ones first.
pub fn each_expr<'a>(e: &'a Expr, f: &mut impl FnMut(&'a Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Read { name: _, idx } => idx.iter().for_each(|e| each_expr(e, f)),
        ExprKind::Window(w) => coords(w).into_iter().for_each(|e| each_expr(e, f)),
        ExprKind::Neg(e) | ExprKind::Not(e) => each_expr(e, f),
        ExprKind::Bin { op: _, lhs, rhs } => {
            each_expr(lhs, f);
            each_expr(rhs, f);
        }
        ExprKind::Extern { func: _, args } => args.iter().for_each(|e| each_expr(e, f)),
        ExprKind::Lit(_) | ExprKind::Stride { .. } | ExprKind::ReadConfig { .. } => {}
    }
}

/// The expression that is a child of another.
pub fn child_of(e: &Expr, step: ExprStep) -> Option<&Expr> {
    let mut found = None;
    each_child(e, &mut |here, child| {
        if here == step {
            found = Some(child);
        }
    });
    found
}

/// Visits the expressions of which an expression is made, one level down.
pub fn each_child<'a>(e: &'a Expr, f: &mut impl FnMut(ExprStep, &'a Expr)) {
    match &e.kind {
        ExprKind::Read { name: _, idx } => idx.iter().enumerate().for_each(|(k, e)| f(ExprStep::Idx(k), e)),
        ExprKind::Window(w) => each_coord(w, f),
        ExprKind::Lit(_) | ExprKind::Stride { .. } | ExprKind::ReadConfig { .. } => {}
        ExprKind::Neg(a) | ExprKind::Not(a) => f(ExprStep::Operand, a),
        ExprKind::Bin { op: _, lhs, rhs } => {
            f(ExprStep::Lhs, lhs);
            f(ExprStep::Rhs, rhs);
        }
        ExprKind::Extern { func: _, args } => {
            args.iter().enumerate().for_each(|(k, e)| f(ExprStep::Arg(k), e));
        }
    }
}

fn each_coord<'a>(w: &'a WindowExpr, f: &mut impl FnMut(ExprStep, &'a Expr)) {
    for (k, coord) in w.idx.iter().enumerate() {
        match coord {
            WinCoord::Point(e) => f(ExprStep::Idx(k), e),
            WinCoord::Interval(lo, hi) => {
                f(ExprStep::From(k), lo);
                f(ExprStep::To(k), hi);
            }
        }
    }
}

/// The statement with every expression it is made of replaced; the blocks in it stay as they are.
pub fn map_operands(s: &Stmt, f: &mut impl FnMut(ExprStep, &Expr) -> Expr) -> Stmt {
    let kind = match s.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs } => {
            StmtKind::Assign { name: *name, idx: map_list(idx, ExprStep::Idx, f), rhs: f(ExprStep::Rhs, rhs) }
        }
        StmtKind::Reduce { name, idx, rhs } => {
            StmtKind::Reduce { name: *name, idx: map_list(idx, ExprStep::Idx, f), rhs: f(ExprStep::Rhs, rhs) }
        }
        StmtKind::WriteConfig { config, field, rhs } => {
            StmtKind::WriteConfig { config: config.clone(), field: *field, rhs: f(ExprStep::Rhs, rhs) }
        }
        StmtKind::Pass => return s.clone(),
        StmtKind::If { cond, body, orelse } => {
            StmtKind::If { cond: f(ExprStep::Cond, cond), body: body.clone(), orelse: orelse.clone() }
        }
        StmtKind::For { iter, lo, hi, body, mode } => StmtKind::For {
            iter: *iter,
            lo: f(ExprStep::Lo, lo),
            hi: f(ExprStep::Hi, hi),
            body: body.clone(),
            mode: *mode,
        },
        StmtKind::Alloc { name, typ, mem } => {
            let BufferType { elem, shape, kind } = typ;
            let shape = map_list(shape, ExprStep::Extent, f);
            StmtKind::Alloc { name: *name, typ: BufferType { elem: *elem, shape, kind: *kind }, mem: *mem }
        }
        StmtKind::WindowStmt { name, rhs } => StmtKind::WindowStmt { name: *name, rhs: map_coords(rhs, f) },
        StmtKind::Call { proc, args } => {
            StmtKind::Call { proc: proc.clone(), args: map_list(args, ExprStep::Arg, f) }
        }
    };
    Stmt::at(kind, s.span)
}

/// The expression with each of its children replaced.
pub fn map_children(e: &Expr, f: &mut impl FnMut(ExprStep, &Expr) -> Expr) -> Expr {
    let kind = match &e.kind {
        ExprKind::Read { name, idx } => ExprKind::Read { name: *name, idx: map_list(idx, ExprStep::Idx, f) },
        ExprKind::Window(w) => ExprKind::Window(map_coords(w, f)),
        ExprKind::Lit(_) | ExprKind::Stride { .. } | ExprKind::ReadConfig { .. } => return e.clone(),
        ExprKind::Neg(a) => ExprKind::Neg(Arc::new(f(ExprStep::Operand, a))),
        ExprKind::Not(a) => ExprKind::Not(Arc::new(f(ExprStep::Operand, a))),
        ExprKind::Bin { op, lhs, rhs } => ExprKind::Bin {
            op: *op,
            lhs: Arc::new(f(ExprStep::Lhs, lhs)),
            rhs: Arc::new(f(ExprStep::Rhs, rhs)),
        },
        ExprKind::Extern { func, args } => {
            ExprKind::Extern { func: *func, args: map_list(args, ExprStep::Arg, f) }
        }
    };
    Expr::at(kind, e.span)
}

fn map_list(
    es: &[Expr],
    step: impl Fn(usize) -> ExprStep,
    f: &mut impl FnMut(ExprStep, &Expr) -> Expr,
) -> Arc<[Expr]> {
    es.iter().enumerate().map(|(k, e)| f(step(k), e)).collect()
}

fn map_coords(w: &WindowExpr, f: &mut impl FnMut(ExprStep, &Expr) -> Expr) -> WindowExpr {
    let coord = |(k, c): (usize, &WinCoord)| match c {
        WinCoord::Point(e) => WinCoord::Point(f(ExprStep::Idx(k), e)),
        WinCoord::Interval(lo, hi) => WinCoord::Interval(f(ExprStep::From(k), lo), f(ExprStep::To(k), hi)),
    };
    WindowExpr { name: w.name, idx: w.idx.iter().enumerate().map(coord).collect() }
}

/// The statement with one of its expressions replaced.
pub fn with_operand(s: &Stmt, at: ExprStep, new: Expr) -> Stmt {
    map_operands(s, &mut |step, e| if step == at { new.clone() } else { e.clone() })
}

/// The expression with one of its children replaced.
pub fn with_child(e: &Expr, at: ExprStep, new: Expr) -> Expr {
    map_children(e, &mut |step, child| if step == at { new.clone() } else { child.clone() })
}

/// The statement with other blocks in it. A statement without blocks stays as it is.
pub fn map_blocks(s: &Stmt, f: &mut impl FnMut(&Block) -> Block) -> Stmt {
    let kind = match s.kind.as_ref() {
        StmtKind::If { cond, body, orelse } => {
            StmtKind::If { cond: cond.clone(), body: f(body), orelse: f(orelse) }
        }
        StmtKind::For { iter, lo, hi, body, mode } => {
            StmtKind::For { iter: *iter, lo: lo.clone(), hi: hi.clone(), body: f(body), mode: *mode }
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => return s.clone(),
    };
    Stmt::at(kind, s.span)
}

/// Whether iterations of a loop in a block, or in one inside of it, may run at once.
pub fn has_parallel_loop(b: &Block) -> bool {
    let mut found = false;
    each_stmt(b, &mut |s| {
        found = found || matches!(s.kind.as_ref(), StmtKind::For { mode: LoopMode::Par, .. })
    });
    found
}

/// Visits every statement of a block and of the blocks in it, outer ones first.
pub fn each_stmt<'a>(b: &'a Block, f: &mut impl FnMut(&'a Stmt)) {
    for s in b {
        f(s);
        match s.kind.as_ref() {
            StmtKind::If { cond: _, body, orelse } => {
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

/// The expression with `f` applied from the leaves up; where `f` says nothing, the node is kept.
pub fn rebuild(e: &Expr, f: &mut impl FnMut(&Expr) -> Option<Expr>) -> Expr {
    let inner = map_children(e, &mut |_, child| rebuild(child, f));
    f(&inner).unwrap_or(inner)
}

/// The block with `f` applied to every expression in it, from the leaves up.
pub fn rebuild_block(b: &Block, f: &mut impl FnMut(&Expr) -> Option<Expr>) -> Block {
    b.iter().map(|s| rebuild_stmt(s, f)).collect()
}

/// The statement with `f` applied to every expression in it, from the leaves up.
pub fn rebuild_stmt(s: &Stmt, f: &mut impl FnMut(&Expr) -> Option<Expr>) -> Stmt {
    let own = map_operands(s, &mut |_, e| rebuild(e, f));
    map_blocks(&own, &mut |b| rebuild_block(b, f))
}

//! Accesses: which cells are read and written, how their indices go with a loop.

use crate::target::mentions;
use rewright_primitives::Cursor;
use rewright_primitives::cursor::CursorKind;
use rewright_semantics::ast::{self, BinOp, Expr, ExprKind, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;
use rewright_semantics::syntax::walk::each_stmt;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A cell that is read, assigned or added to.
#[derive(Clone, Debug)]
pub struct Access {
    /// The buffer.
    pub name: Sym,
    /// The indices.
    pub idx: Arc<[Expr]>,
    /// Whether it is added to.
    pub is_reduce: bool,
    /// Whether it is written: assigned or added to.
    pub is_write: bool,
    /// The expression, or the statement that writes.
    pub at: Cursor,
}

/// The accesses of data in what is pointed at, in the order in which they are written down. What a call does to the
/// buffers that it is passed is not among them.
pub fn accesses(at: &Cursor) -> Vec<Access> {
    let mut out = Vec::new();
    collect(at, &mut out);
    out
}

fn collect(at: &Cursor, out: &mut Vec<Access>) {
    let kind = at.kind();
    let (is_reduce, is_write) = (kind == CursorKind::Reduce, kind == CursorKind::Assign);
    if (is_reduce || is_write || kind == CursorKind::Read)
        && let Ok(name) = at.sym()
        && super::buffer(at.proc(), name).is_some()
    {
        let idx = at.idx().unwrap_or_default().iter().filter_map(|c| c.expr().ok()).collect();
        out.push(Access { name, idx, is_reduce, is_write: is_reduce || is_write, at: at.clone() });
    }
    for child in at.children() {
        collect(&child, out);
    }
}

/// The statements in what is pointed at that write a buffer, in the order in which they are written down: assignments,
/// additions, and calls of procedures that write what they are passed.
pub fn writers(at: &Cursor, buffer: &str) -> Vec<Cursor> {
    let mut out = Vec::new();
    let writes = match at.stmt().ok().as_ref().map(|s| s.kind.as_ref()) {
        Some(StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. }) => is_called(*name, buffer),
        Some(StmtKind::Call { proc, args }) => is_passed(proc, args, buffer),
        Some(
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. },
        )
        | None => false,
    };
    if writes {
        out.push(at.clone());
    }
    out.extend(at.children().iter().flat_map(|child| writers(child, buffer)));
    out
}

fn is_called(x: Sym, name: &str) -> bool {
    x.name().as_str() == name
}

/// Whether a procedure writes a buffer of this name that it is passed.
fn is_passed(callee: &ast::Proc, args: &[Expr], buffer: &str) -> bool {
    let given = |e: &Expr| match &e.kind {
        ExprKind::Read { name, .. } => Some(*name),
        ExprKind::Window(w) => Some(w.name),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    };
    let passed = callee.args.iter().zip(args).filter(|(_, e)| given(e).is_some_and(|x| is_called(x, buffer)));
    passed.into_iter().any(|(formal, _)| is_written(callee, formal.name))
}

fn is_written(p: &ast::Proc, x: Sym) -> bool {
    let mut found = false;
    each_stmt(&p.body, &mut |s| {
        found |= match s.kind.as_ref() {
            StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => *name == x,
            StmtKind::Call { proc, args } => is_passed(proc, args, x.name().as_str()),
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => false,
        };
    });
    found
}

/// The variables that occur in what is pointed at: control and data.
pub fn names_in(at: &Cursor) -> BTreeSet<Sym> {
    let mut out = BTreeSet::new();
    let mut open = vec![at.clone()];
    while let Some(c) = open.pop() {
        out.extend(c.sym());
        open.extend(c.children());
    }
    out
}

/// The additions in a loop that go to one cell in all its iterations: those whose indices do not change with any loop
/// from it inwards, in buffers that an iteration does not have for itself.
pub fn accumulators(at: &Cursor) -> Vec<Access> {
    let Ok(iter) = at.sym() else { return Vec::new() };
    let inside = |a: &Access| {
        let mut around = super::enclosing_loops(&a.at);
        around.truncate(around.iter().position(|c| c == at).map_or(0, |k| k + 1));
        around.into_iter().filter_map(|c| c.sym().ok()).collect::<Vec<_>>()
    };
    let settled = |a: &Access| {
        let loops = inside(a);
        loops.contains(&iter) && !loops.iter().any(|x| a.idx.iter().any(|e| mentions(e, *x)))
    };
    accesses(at).into_iter().filter(|a| a.is_reduce && settled(a) && super::is_live(at, a.name)).collect()
}

/// The cells that a loop reads in all its iterations alike and never writes.
pub fn invariants(at: &Cursor) -> Vec<Access> {
    let all = accesses(at);
    let written: BTreeSet<Sym> = all.iter().filter(|a| a.is_write).map(|a| a.name).collect();
    let inner: BTreeSet<Sym> =
        std::iter::once(at.clone()).chain(super::inner_loops(at)).filter_map(|c| c.sym().ok()).collect();
    let settled = |a: &Access| !a.idx.iter().any(|e| inner.iter().any(|x| mentions(e, *x)));
    all.into_iter().filter(|a| !a.is_write && !written.contains(&a.name) && settled(a)).collect()
}

/// Whether the cells of successive iterations of a loop lie beside each other: the variable occurs in the last index
/// alone, and there with the factor 1.
pub fn is_unit_stride(access: &Access, iter: Sym) -> bool {
    let Some((last, others)) = access.idx.split_last() else { return false };
    !others.iter().any(|e| mentions(e, iter)) && factor(last, iter) == Some(1)
}

/// The factor of a variable in an index. `None` where it is in a quotient or a remainder.
fn factor(e: &Expr, x: Sym) -> Option<i64> {
    match &e.kind {
        ExprKind::Read { name, idx } => Some(i64::from(*name == x && idx.is_empty())),
        ExprKind::Lit(_) | ExprKind::Stride { .. } | ExprKind::ReadConfig { .. } => Some(0),
        ExprKind::Neg(a) => factor(a, x)?.checked_neg(),
        ExprKind::Bin { op, lhs, rhs } => match op {
            BinOp::Add => factor(lhs, x)?.checked_add(factor(rhs, x)?),
            BinOp::Sub => factor(lhs, x)?.checked_sub(factor(rhs, x)?),
            BinOp::Mul => {
                let scaled = |k: &Expr, e: &Expr| factor(e, x)?.checked_mul(fold::as_int(k)?);
                scaled(lhs, rhs).or_else(|| scaled(rhs, lhs))
            }
            BinOp::Div | BinOp::Mod => (!mentions(e, x)).then_some(0),
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => None,
        },
        ExprKind::Window(_) | ExprKind::Not(_) | ExprKind::Extern { .. } => None,
    }
}

//! Two statements, or two data expressions, side by side: whether their heads are the same, and which of their parts
//! stand opposite each other. What is asked of these decides who walks: unification states equations, congruence
//! compares. Spec: [rule: unification.match], [rule: unification.congruent].

use rewright_semantics::alpha::alpha_eq;
use rewright_semantics::ast::{Arg, Expr, ExprKind, Stmt, StmtKind, WinCoord};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, ControlType, FieldType};
use std::sync::Arc;

/// Parts that stand opposite each other.
#[derive(Debug)]
pub enum Pair<'a> {
    /// Cells, or whole scalars.
    Cell((Sym, &'a [Expr]), (Sym, &'a [Expr])),
    /// Windows.
    Window((Sym, &'a [WinCoord]), (Sym, &'a [WinCoord])),
    /// Data.
    Data(&'a Expr, &'a Expr),
    /// Integers.
    Int(&'a Expr, &'a Expr),
    /// Truth values.
    Truth(&'a Expr, &'a Expr),
    /// Data that is passed by reference.
    Place(&'a Expr, &'a Expr),
    /// Variables that are bound from here on.
    Bound(Sym, Sym),
}

/// The parts of two statements, in order; those of blocks are not among them. `None` where the heads differ. Which memory a buffer
/// is in, and whether iterations may run at once, is no part of what statements do.
pub fn heads<'a>(s: &'a Stmt, t: &'a Stmt) -> Option<Vec<Pair<'a>>> {
    match (s.kind.as_ref(), t.kind.as_ref()) {
        (StmtKind::Assign { name: x, idx: i, rhs: e }, StmtKind::Assign { name: y, idx: j, rhs: d })
        | (StmtKind::Reduce { name: x, idx: i, rhs: e }, StmtKind::Reduce { name: y, idx: j, rhs: d }) => {
            Some(vec![Pair::Cell((*x, i), (*y, j)), Pair::Data(e, d)])
        }
        (
            StmtKind::WriteConfig { config: c, field: x, rhs: e },
            StmtKind::WriteConfig { config: d, field: y, rhs: g },
        ) => {
            let pair = match c.field(*x)?.typ {
                FieldType::Control(ControlType::Bool) => Pair::Truth(e, g),
                FieldType::Control(_) => Pair::Int(e, g),
                FieldType::Data(_) => Pair::Data(e, g),
            };
            (c == d && x == y).then(|| vec![pair])
        }
        (StmtKind::Pass, StmtKind::Pass) => Some(Vec::new()),
        (StmtKind::If { cond: e, body: _, orelse: _ }, StmtKind::If { cond: d, body: _, orelse: _ }) => {
            Some(vec![Pair::Truth(e, d)])
        }
        (
            StmtKind::For { iter: x, lo: l, hi: h, body: _, mode: _ },
            StmtKind::For { iter: y, lo: k, hi: g, body: _, mode: _ },
        ) => Some(vec![Pair::Int(l, k), Pair::Int(h, g), Pair::Bound(*x, *y)]),
        (StmtKind::Alloc { name: x, typ: t, mem: _ }, StmtKind::Alloc { name: y, typ: u, mem: _ }) => {
            let same = t.elem == u.elem && t.kind == u.kind && t.rank() == u.rank();
            let extents = t.shape.iter().zip(u.shape.iter()).map(|(e, d)| Pair::Int(e, d));
            same.then(|| extents.chain([Pair::Bound(*x, *y)]).collect())
        }
        (StmtKind::WindowStmt { name: x, rhs: v }, StmtKind::WindowStmt { name: y, rhs: w }) => {
            Some(vec![Pair::Window((v.name, &v.idx), (w.name, &w.idx)), Pair::Bound(*x, *y)])
        }
        (StmtKind::Call { proc: f, args: a }, StmtKind::Call { proc: g, args: b }) => {
            let args = f.args.iter().zip(a.iter().zip(b.iter()));
            let pair = |(formal, (e, d)): (&Arg, _)| argument(&formal.typ, e, d);
            (Arc::ptr_eq(f, g) || alpha_eq(f, g)).then(|| args.map(pair).collect())
        }
        (
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. },
            _,
        ) => None,
    }
}

fn argument<'a>(formal: &ArgType, e: &'a Expr, d: &'a Expr) -> Pair<'a> {
    match formal {
        ArgType::Control(ControlType::Bool) => Pair::Truth(e, d),
        ArgType::Control(_) => Pair::Int(e, d),
        ArgType::Data { .. } => Pair::Place(e, d),
    }
}

/// The parts of two data expressions. `None` where they are not the same operation.
pub fn data<'a>(e: &'a Expr, d: &'a Expr) -> Option<Vec<Pair<'a>>> {
    match (&e.kind, &d.kind) {
        (ExprKind::Read { name: x, idx: i }, ExprKind::Read { name: y, idx: j }) => {
            Some(vec![Pair::Cell((*x, i), (*y, j))])
        }
        (ExprKind::Lit(a), ExprKind::Lit(b)) => (a == b).then(Vec::new),
        (ExprKind::Neg(a), ExprKind::Neg(b)) => Some(vec![Pair::Data(a, b)]),
        (ExprKind::Bin { op, lhs: a, rhs: b }, ExprKind::Bin { op: other, lhs: c, rhs: g }) => {
            (op == other).then(|| vec![Pair::Data(a, c), Pair::Data(b, g)])
        }
        (ExprKind::Extern { func, args: a }, ExprKind::Extern { func: other, args: b }) => {
            let pairs = a.iter().zip(b.iter()).map(|(a, b)| Pair::Data(a, b));
            (func == other && a.len() == b.len()).then(|| pairs.collect())
        }
        (ExprKind::ReadConfig { config: c, field: x }, ExprKind::ReadConfig { config: g, field: y }) => {
            (c == g && x == y).then(Vec::new)
        }
        (
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. },
            _,
        ) => None,
    }
}

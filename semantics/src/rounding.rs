//! What the hardware computes where an instruction rounds otherwise than its body. Spec: [rule: instructions.rounding].

use crate::ast::{Arg, BinOp, Block, Expr, ExprKind, Proc, Rounds, Stmt, StmtKind};
use crate::denote::deeper;
use crate::externs::Extern;
use crate::types::ArgType;
use std::sync::Arc;

/// The procedure whose body says how the instruction rounds, operation by operation; `None` where its own does.
pub fn as_rounded(p: &Proc) -> Option<Proc> {
    match &p.instr.as_ref()?.rounds {
        Rounds::AsWritten => None,
        Rounds::Fused => Some(Proc { body: fused(&p.body), instr: None, ..p.clone() }),
        // `q` may itself round otherwise than its body.
        Rounds::Like(q) => Some(Proc { name: p.name, ..as_rounded(q).unwrap_or_else(|| Proc::clone(q)) }),
    }
}

/// What an instruction rounds otherwise than its body, in a clause.
pub fn difference(p: &Proc) -> Option<String> {
    match &p.instr.as_ref()?.rounds {
        Rounds::AsWritten => None,
        Rounds::Fused => Some(format!("`{}` rounds a product and its sum once", p.name)),
        Rounds::Like(q) => Some(format!("`{}` rounds as `{}` does", p.name, q.name)),
    }
}

/// Whether two procedures take the same arguments, wherever these live.
pub fn same_arguments(p: &[Arg], q: &[Arg]) -> bool {
    let same = |a: &Arg, b: &Arg| match (&a.typ, &b.typ) {
        (ArgType::Control(s), ArgType::Control(t)) => s == t,
        (ArgType::Data { typ: s, .. }, ArgType::Data { typ: t, .. }) => {
            s.elem == t.elem && s.kind == t.kind && s.rank() == t.rank()
        }
        (ArgType::Control(_), ArgType::Data { .. }) | (ArgType::Data { .. }, ArgType::Control(_)) => false,
    };
    p.len() == q.len() && p.iter().zip(q).all(|(a, b)| same(a, b))
}

/// A block in which every product that something is added to is part of an `fma`.
///
/// `x += a * b` is `x = fma(a, b, x)`; `a * b + c`, `c + a * b`, `a * b - c` and `c - a * b` are `fma` with signs moved to
/// `a` or `c`. Of two products that are added, the first is the one that is not rounded.
pub fn fused(b: &Block) -> Block {
    b.iter().map(|s| deeper(|| fused_stmt(s))).collect()
}

fn fused_stmt(s: &Stmt) -> Stmt {
    let kind = match &*s.kind {
        StmtKind::Assign { name, idx, rhs } => {
            StmtKind::Assign { name: *name, idx: idx.clone(), rhs: fused_expr(rhs) }
        }
        StmtKind::Reduce { name, idx, rhs } => match product(rhs) {
            Some((a, b)) => {
                let cell = Expr::at(ExprKind::Read { name: *name, idx: idx.clone() }, s.span);
                StmtKind::Assign { name: *name, idx: idx.clone(), rhs: fma(a, b, cell) }
            }
            None => StmtKind::Reduce { name: *name, idx: idx.clone(), rhs: fused_expr(rhs) },
        },
        StmtKind::If { cond, body, orelse } => {
            StmtKind::If { cond: cond.clone(), body: fused(body), orelse: fused(orelse) }
        }
        StmtKind::For { iter, lo, hi, body, mode } => {
            StmtKind::For { iter: *iter, lo: lo.clone(), hi: hi.clone(), body: fused(body), mode: *mode }
        }
        StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => return s.clone(),
    };
    Stmt::at(kind, s.span)
}

fn fused_expr(e: &Expr) -> Expr {
    let kind = match &e.kind {
        ExprKind::Bin { op: BinOp::Add, lhs, rhs } => match (product(lhs), product(rhs)) {
            (Some((a, b)), _) => return fma(a, b, fused_expr(rhs)),
            (None, Some((a, b))) => return fma(a, b, fused_expr(lhs)),
            (None, None) => both(BinOp::Add, lhs, rhs),
        },
        ExprKind::Bin { op: BinOp::Sub, lhs, rhs } => match (product(lhs), product(rhs)) {
            (Some((a, b)), _) => return fma(a, b, negated(fused_expr(rhs))),
            (None, Some((a, b))) => return fma(negated(a), b, fused_expr(lhs)),
            (None, None) => both(BinOp::Sub, lhs, rhs),
        },
        ExprKind::Bin { op, lhs, rhs } => both(*op, lhs, rhs),
        ExprKind::Neg(e) => ExprKind::Neg(Arc::new(deeper(|| fused_expr(e)))),
        ExprKind::Extern { func, args } => {
            ExprKind::Extern { func: *func, args: args.iter().map(|e| deeper(|| fused_expr(e))).collect() }
        }
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Not(_)
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => return e.clone(),
    };
    Expr::at(kind, e.span)
}

fn both(op: BinOp, lhs: &Expr, rhs: &Expr) -> ExprKind {
    ExprKind::Bin { op, lhs: Arc::new(deeper(|| fused_expr(lhs))), rhs: Arc::new(deeper(|| fused_expr(rhs))) }
}

/// The factors of a product, a sign of the whole moved to the first. Signs are exact.
fn product(e: &Expr) -> Option<(Expr, Expr)> {
    match &e.kind {
        ExprKind::Bin { op: BinOp::Mul, lhs, rhs } => Some((fused_expr(lhs), fused_expr(rhs))),
        ExprKind::Neg(e) => product(e).map(|(a, b)| (negated(a), b)),
        ExprKind::Bin { .. }
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

fn negated(e: Expr) -> Expr {
    Expr { span: e.span, kind: ExprKind::Neg(Arc::new(e)) }
}

fn fma(a: Expr, b: Expr, c: Expr) -> Expr {
    Expr::new(ExprKind::Extern { func: Extern::Fma, args: [a, b, c].into() })
}

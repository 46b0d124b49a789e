//! Names that occur in programs, by syntax: for questions of scope, which effects do not answer [E-15].
//! Spec: [rule: names.occur].

use rewright_semantics::ast::{Block, Config, Expr, ExprKind, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::sym::{Name, Sym};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The names that occur in an expression.
pub fn expr_names(e: &Expr) -> BTreeSet<Sym> {
    let mut out = BTreeSet::new();
    in_expr(e, &mut out);
    out
}

/// The names that occur free in a block.
pub fn free_names(b: &Block) -> BTreeSet<Sym> {
    let mut out = BTreeSet::new();
    in_block(b, &mut out);
    out
}

/// The names that statements of the block bind for what follows them: allocations and windows.
pub fn bound_names<'a>(b: impl IntoIterator<Item = &'a Stmt>) -> BTreeSet<Sym> {
    b.into_iter()
        .filter_map(|s| match s.kind.as_ref() {
            StmtKind::Alloc { name, .. } | StmtKind::WindowStmt { name, .. } => Some(*name),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Call { .. } => None,
        })
        .collect()
}

fn in_block(b: &Block, out: &mut BTreeSet<Sym>) {
    let mut bound: BTreeSet<Sym> = BTreeSet::new();
    for s in b {
        let mut here = BTreeSet::new();
        in_stmt(s, &mut here);
        out.extend(here.difference(&bound));
        bound.extend(bound_names([s]));
    }
}

fn in_stmt(s: &Stmt, out: &mut BTreeSet<Sym>) {
    match s.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs } | StmtKind::Reduce { name, idx, rhs } => {
            out.insert(*name);
            idx.iter().for_each(|e| in_expr(e, out));
            in_expr(rhs, out);
        }
        StmtKind::WriteConfig { rhs, .. } => in_expr(rhs, out),
        StmtKind::Pass => {}
        StmtKind::If { cond, body, orelse } => {
            in_expr(cond, out);
            in_block(body, out);
            in_block(orelse, out);
        }
        StmtKind::For { iter, lo, hi, body, mode: _ } => {
            in_expr(lo, out);
            in_expr(hi, out);
            let mut inside = BTreeSet::new();
            in_block(body, &mut inside);
            inside.remove(iter);
            out.extend(inside);
        }
        StmtKind::Alloc { typ, .. } => typ.shape.iter().for_each(|e| in_expr(e, out)),
        StmtKind::WindowStmt { rhs, .. } => in_window(rhs, out),
        StmtKind::Call { args, .. } => args.iter().for_each(|e| in_expr(e, out)),
    }
}

fn in_window(w: &WindowExpr, out: &mut BTreeSet<Sym>) {
    out.insert(w.name);
    for c in w.idx.iter() {
        match c {
            WinCoord::Point(e) => in_expr(e, out),
            WinCoord::Interval(lo, hi) => {
                in_expr(lo, out);
                in_expr(hi, out);
            }
        }
    }
}

fn in_expr(e: &Expr, out: &mut BTreeSet<Sym>) {
    match &e.kind {
        ExprKind::Read { name, idx } => {
            out.insert(*name);
            idx.iter().for_each(|e| in_expr(e, out));
        }
        ExprKind::Window(w) => in_window(w, out),
        ExprKind::Lit(_) | ExprKind::ReadConfig { .. } => {}
        ExprKind::Neg(a) | ExprKind::Not(a) => in_expr(a, out),
        ExprKind::Bin { op: _, lhs, rhs } => {
            in_expr(lhs, out);
            in_expr(rhs, out);
        }
        ExprKind::Extern { func: _, args } => args.iter().for_each(|e| in_expr(e, out)),
        ExprKind::Stride { name, dim: _ } => {
            out.insert(*name);
        }
    }
}

/// Calls `f` on each configuration field that is read in an expression.
pub fn fields_in_expr(e: &Expr, f: &mut impl FnMut(&Config, Name)) {
    match &e.kind {
        ExprKind::Read { name: _, idx } => idx.iter().for_each(|e| fields_in_expr(e, f)),
        ExprKind::Window(w) => fields_in_window(w, f),
        ExprKind::Lit(_) | ExprKind::Stride { .. } => {}
        ExprKind::ReadConfig { config, field } => f(config, *field),
        ExprKind::Neg(a) | ExprKind::Not(a) => fields_in_expr(a, f),
        ExprKind::Bin { op: _, lhs, rhs } => {
            fields_in_expr(lhs, f);
            fields_in_expr(rhs, f);
        }
        ExprKind::Extern { func: _, args } => args.iter().for_each(|e| fields_in_expr(e, f)),
    }
}

fn fields_in_window(w: &WindowExpr, f: &mut impl FnMut(&Config, Name)) {
    for c in w.idx.iter() {
        match c {
            WinCoord::Point(e) => fields_in_expr(e, f),
            WinCoord::Interval(lo, hi) => {
                fields_in_expr(lo, f);
                fields_in_expr(hi, f);
            }
        }
    }
}

/// Calls `f` on each configuration field that is read or written in a block; calls are not entered.
pub fn fields_in_block(b: &Block, f: &mut impl FnMut(&Config, Name)) {
    b.iter().for_each(|s| fields_in_stmt(s, f));
}

/// The same of one statement.
pub fn fields_in_stmt(s: &Stmt, f: &mut impl FnMut(&Config, Name)) {
    match s.kind.as_ref() {
        StmtKind::Assign { name: _, idx, rhs } | StmtKind::Reduce { name: _, idx, rhs } => {
            idx.iter().for_each(|e| fields_in_expr(e, f));
            fields_in_expr(rhs, f);
        }
        StmtKind::WriteConfig { config, field, rhs } => {
            f(config, *field);
            fields_in_expr(rhs, f);
        }
        StmtKind::Pass => {}
        StmtKind::If { cond, body, orelse } => {
            fields_in_expr(cond, f);
            fields_in_block(body, f);
            fields_in_block(orelse, f);
        }
        StmtKind::For { iter: _, lo, hi, body, mode: _ } => {
            fields_in_expr(lo, f);
            fields_in_expr(hi, f);
            fields_in_block(body, f);
        }
        StmtKind::Alloc { typ, .. } => typ.shape.iter().for_each(|e| fields_in_expr(e, f)),
        StmtKind::WindowStmt { name: _, rhs } => fields_in_window(rhs, f),
        StmtKind::Call { proc: _, args } => args.iter().for_each(|e| fields_in_expr(e, f)),
    }
}

/// Calls `f` on each field that a statement of a block writes.
pub fn fields_written(b: &Block, f: &mut impl FnMut(&Config, Name)) {
    for s in b {
        match s.kind.as_ref() {
            StmtKind::WriteConfig { config, field, rhs: _ } => f(config, *field),
            StmtKind::If { cond: _, body, orelse } => {
                fields_written(body, f);
                fields_written(orelse, f);
            }
            StmtKind::For { body, .. } => fields_written(body, f),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }
}

/// Calls `f` on each procedure that is called in a block.
pub fn callees<'a>(b: &'a Block, f: &mut impl FnMut(&'a Arc<Proc>)) {
    for s in b {
        match s.kind.as_ref() {
            StmtKind::Call { proc, args: _ } => f(proc),
            StmtKind::If { cond: _, body, orelse } => {
                callees(body, f);
                callees(orelse, f);
            }
            StmtKind::For { body, .. } => callees(body, f),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => {}
        }
    }
}

//! Substitution and renaming. Symbols are unique, so nothing is captured; a copy of a statement that will stand
//! beside the original gets binders of its own ([`fresh_copy`]).

use super::walk::{map_operands, rebuild, rebuild_block};
use crate::ast::{Arg, Block, Expr, ExprKind, Proc, Stmt, StmtKind, WindowExpr};
use crate::sym::Sym;
use crate::types::{ArgType, BufferType};
use rustc_hash::FxHashMap;

/// `[x ↦ by]e`, for a control variable or a scalar read without indices.
pub fn subst_expr(e: &Expr, x: Sym, by: &Expr) -> Expr {
    rebuild(e, &mut |e| replaced(e, x, by))
}

/// `[x ↦ by]b`, for a control variable. A binding of `x` itself inside the block hides it as usual.
pub fn subst_block(b: &Block, x: Sym, by: &Expr) -> Block {
    let mut out = Block::new();
    let mut hidden = false;
    for s in b {
        out.push_back(if hidden { s.clone() } else { subst_stmt(s, x, by) });
        hidden = hidden || binds_after(s) == Some(x);
    }
    out
}

fn subst_stmt(s: &Stmt, x: Sym, by: &Expr) -> Stmt {
    let own = map_operands(s, &mut |_, e| subst_expr(e, x, by));
    let bound = match s.kind.as_ref() {
        StmtKind::For { iter, .. } => *iter == x,
        StmtKind::If { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => false,
    };
    if bound { own } else { super::walk::map_blocks(&own, &mut |b| subst_block(b, x, by)) }
}

/// The name that a statement binds for what follows it.
pub fn binds_after(s: &Stmt) -> Option<Sym> {
    match s.kind.as_ref() {
        StmtKind::Alloc { name, .. } | StmtKind::WindowStmt { name, .. } => Some(*name),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Call { .. } => None,
    }
}

fn replaced(e: &Expr, x: Sym, by: &Expr) -> Option<Expr> {
    match &e.kind {
        ExprKind::Read { name, idx } if *name == x && idx.is_empty() => Some(by.clone()),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

/// The block with symbols renamed, bound ones and free ones alike.
pub fn rename_block(b: &Block, by: &FxHashMap<Sym, Sym>) -> Block {
    if by.is_empty() {
        return b.clone();
    }
    let exprs = rebuild_block(b, &mut |e| renamed_expr(e, by));
    rename_heads(&exprs, by)
}

/// The expression with symbols renamed.
pub fn rename_expr(e: &Expr, by: &FxHashMap<Sym, Sym>) -> Expr {
    rebuild(e, &mut |e| renamed_expr(e, by))
}

fn new_name(x: Sym, by: &FxHashMap<Sym, Sym>) -> Sym {
    by.get(&x).copied().unwrap_or(x)
}

fn renamed_expr(e: &Expr, by: &FxHashMap<Sym, Sym>) -> Option<Expr> {
    let kind = match &e.kind {
        ExprKind::Read { name, idx } => ExprKind::Read { name: new_name(*name, by), idx: idx.clone() },
        ExprKind::Window(w) => {
            ExprKind::Window(WindowExpr { name: new_name(w.name, by), idx: w.idx.clone() })
        }
        ExprKind::Stride { name, dim } => ExprKind::Stride { name: new_name(*name, by), dim: *dim },
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::ReadConfig { .. } => return None,
    };
    Some(Expr::at(kind, e.span))
}

fn rename_heads(b: &Block, by: &FxHashMap<Sym, Sym>) -> Block {
    b.iter().map(|s| rename_head(s, by)).collect()
}

fn rename_head(s: &Stmt, by: &FxHashMap<Sym, Sym>) -> Stmt {
    let kind = match s.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs } => {
            StmtKind::Assign { name: new_name(*name, by), idx: idx.clone(), rhs: rhs.clone() }
        }
        StmtKind::Reduce { name, idx, rhs } => {
            StmtKind::Reduce { name: new_name(*name, by), idx: idx.clone(), rhs: rhs.clone() }
        }
        StmtKind::WriteConfig { .. } | StmtKind::Pass | StmtKind::Call { .. } => return s.clone(),
        StmtKind::If { cond, body, orelse } => StmtKind::If {
            cond: cond.clone(),
            body: rename_heads(body, by),
            orelse: rename_heads(orelse, by),
        },
        StmtKind::For { iter, lo, hi, body, mode } => StmtKind::For {
            iter: new_name(*iter, by),
            lo: lo.clone(),
            hi: hi.clone(),
            body: rename_heads(body, by),
            mode: *mode,
        },
        StmtKind::Alloc { name, typ, mem } => {
            StmtKind::Alloc { name: new_name(*name, by), typ: typ.clone(), mem: *mem }
        }
        StmtKind::WindowStmt { name, rhs } => StmtKind::WindowStmt {
            name: new_name(*name, by),
            rhs: WindowExpr { name: new_name(rhs.name, by), idx: rhs.idx.clone() },
        },
    };
    Stmt::at(kind, s.span)
}

/// A copy of the block whose binders are equal to no others.
pub fn fresh_copy(b: &Block) -> Block {
    rename_block(b, &fresh_binders(b))
}

/// A copy of a procedure whose arguments and binders are equal to no others.
pub fn fresh_proc(p: &Proc) -> Proc {
    let mut by = fresh_binders(&p.body);
    by.extend(p.args.iter().map(|a| (a.name, a.name.renewed())));
    rename_proc(p, &by)
}

/// The procedure with other names for some of its arguments and of what its body binds.
pub fn rename_proc(p: &Proc, by: &FxHashMap<Sym, Sym>) -> Proc {
    let in_expr = |e: &Expr| rebuild(e, &mut |e| renamed_expr(e, by));
    let args = p.args.iter().map(|a| {
        let typ = match &a.typ {
            ArgType::Control(_) => a.typ.clone(),
            ArgType::Data { typ, mem } => {
                let shape = typ.shape.iter().map(in_expr).collect();
                ArgType::Data { typ: BufferType { elem: typ.elem, shape, kind: typ.kind }, mem: *mem }
            }
        };
        Arg { name: new_name(a.name, by), typ, span: a.span }
    });
    Proc {
        args: args.collect(),
        preds: p.preds.iter().map(in_expr).collect(),
        body: rename_block(&p.body, by),
        ..p.clone()
    }
}

/// From what one block binds to what another binds in the same place, for blocks that are equal but for names.
pub fn paired_binders(from: &Block, to: &Block) -> FxHashMap<Sym, Sym> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    super::walk::each_stmt(from, &mut |s| old.extend(bound_by(s)));
    super::walk::each_stmt(to, &mut |s| new.extend(bound_by(s)));
    old.into_iter().zip(new).collect()
}

/// What a statement itself binds.
fn bound_by(s: &Stmt) -> Option<Sym> {
    match s.kind.as_ref() {
        StmtKind::For { iter, .. } => Some(*iter),
        StmtKind::Alloc { name, .. } | StmtKind::WindowStmt { name, .. } => Some(*name),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::Call { .. } => None,
    }
}

/// The arguments of a procedure, and what its body binds, in order.
pub fn binders_of_proc(p: &Proc) -> Vec<Sym> {
    let mut out: Vec<Sym> = p.args.iter().map(|a| a.name).collect();
    super::walk::each_stmt(&p.body, &mut |s| out.extend(bound_by(s)));
    out
}

/// A new name for everything that a block binds.
fn fresh_binders(b: &Block) -> FxHashMap<Sym, Sym> {
    let mut by = FxHashMap::default();
    super::walk::each_stmt(b, &mut |s| {
        if let Some(x) = bound_by(s) {
            by.entry(x).or_insert_with(|| x.renewed());
        }
    });
    by
}

//! Making a failing program small: statement by statement, as long as it still fails.

use rewright_semantics::ast::{Block, Expr, ExprKind, Module, Proc, Stmt, StmtKind};
use rewright_semantics::syntax::subst::subst_block;
use std::sync::Arc;

/// The smallest module reachable from `module` by removing definitions and statements, unwrapping guards and
/// the first iterations of loops, and cutting expressions, on which `fails` still holds; at most
/// `budget` candidates are tried. `fails` must be false on ill-formed programs.
pub fn shrink(module: &Module, budget: usize, fails: &mut dyn FnMut(&Module) -> bool) -> Module {
    let mut best = module.clone();
    let mut left = budget;
    'again: loop {
        for candidate in candidates(&best) {
            if left == 0 {
                return best;
            }
            left -= 1;
            if fails(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

fn candidates(m: &Module) -> Vec<Module> {
    let mut out = Vec::new();
    for k in 0..m.procs.len() {
        let mut fewer = m.clone();
        fewer.procs.remove(k);
        out.push(fewer);
    }
    for (k, p) in m.procs.iter().enumerate() {
        for body in smaller_blocks(&p.body) {
            let changed = Arc::new(Proc { body, ..Proc::clone(p) });
            out.push(with_proc(m, k, changed));
        }
        for drop in 0..p.preds.len() {
            let mut preds = p.preds.clone();
            preds.remove(drop);
            out.push(with_proc(m, k, Arc::new(Proc { preds, ..Proc::clone(p) })));
        }
    }
    out
}

/// `m` with its `k`-th procedure changed, in calls as well.
fn with_proc(m: &Module, k: usize, changed: Arc<Proc>) -> Module {
    let mut out = m.clone();
    let old = m.procs[k].clone();
    out.procs[k] = changed.clone();
    let mut renewed = vec![(old, changed)];
    for later in out.procs.iter_mut().skip(k + 1) {
        let body = relink(&later.body, &renewed);
        if body != later.body {
            let next = Arc::new(Proc { body, ..Proc::clone(later) });
            renewed.push((later.clone(), next.clone()));
            *later = next;
        }
    }
    out
}

fn relink(b: &Block, renewed: &[(Arc<Proc>, Arc<Proc>)]) -> Block {
    b.iter()
        .map(|s| {
            let kind = match s.kind.as_ref() {
                StmtKind::Call { proc, args } => {
                    let found = renewed.iter().find(|(old, _)| Arc::ptr_eq(old, proc));
                    let proc = found.map_or(proc, |(_, new)| new).clone();
                    StmtKind::Call { proc, args: args.clone() }
                }
                StmtKind::If { cond, body, orelse } => StmtKind::If {
                    cond: cond.clone(),
                    body: relink(body, renewed),
                    orelse: relink(orelse, renewed),
                },
                StmtKind::For { iter, lo, hi, body, mode } => StmtKind::For {
                    iter: *iter,
                    lo: lo.clone(),
                    hi: hi.clone(),
                    body: relink(body, renewed),
                    mode: *mode,
                },
                other @ (StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. }) => other.clone(),
            };
            Stmt::at(kind, s.span)
        })
        .collect()
}

fn smaller_blocks(b: &Block) -> Vec<Block> {
    let mut out = Vec::new();
    if b.len() == 1 && *b[0].kind != StmtKind::Pass {
        out.push(Block::unit(Stmt::new(StmtKind::Pass)));
    }
    for k in 0..b.len() {
        if b.len() > 1 {
            let mut fewer = b.clone();
            fewer.remove(k);
            out.push(fewer);
        }
        for replacement in smaller_stmts(&b[k]) {
            let mut changed = b.take(k);
            changed.append(replacement);
            changed.append(b.skip(k + 1));
            out.push(changed);
        }
    }
    out
}

/// Blocks to put in the place of one statement.
fn smaller_stmts(s: &Stmt) -> Vec<Block> {
    let one = |kind| Block::unit(Stmt::at(kind, s.span));
    match s.kind.as_ref() {
        StmtKind::If { cond, body, orelse } => {
            let mut out = vec![body.clone()];
            if !orelse.is_empty() {
                out.push(orelse.clone());
                out.push(one(StmtKind::If { cond: cond.clone(), body: body.clone(), orelse: Block::new() }));
            }
            let rebuild = |body, orelse| one(StmtKind::If { cond: cond.clone(), body, orelse });
            out.extend(smaller_blocks(body).into_iter().map(|b| rebuild(b, orelse.clone())));
            out.extend(smaller_blocks(orelse).into_iter().map(|b| rebuild(body.clone(), b)));
            out
        }
        StmtKind::For { iter, lo, hi, body, mode } => {
            let rebuild =
                |body| StmtKind::For { iter: *iter, lo: lo.clone(), hi: hi.clone(), body, mode: *mode };
            let smaller = smaller_blocks(body).into_iter().map(|body| one(rebuild(body)));
            std::iter::once(subst_block(body, *iter, lo)).chain(smaller).collect()
        }
        StmtKind::Assign { name, idx, rhs } => smaller_exprs(rhs)
            .into_iter()
            .map(|rhs| one(StmtKind::Assign { name: *name, idx: idx.clone(), rhs }))
            .collect(),
        StmtKind::Reduce { name, idx, rhs } => smaller_exprs(rhs)
            .into_iter()
            .map(|rhs| one(StmtKind::Reduce { name: *name, idx: idx.clone(), rhs }))
            .collect(),
        StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => Vec::new(),
    }
}

/// An expression's operands.
fn smaller_exprs(e: &Expr) -> Vec<Expr> {
    match &e.kind {
        ExprKind::Neg(e) => vec![Expr::clone(e)],
        ExprKind::Bin { lhs, rhs, .. } => vec![Expr::clone(lhs), Expr::clone(rhs)],
        ExprKind::Extern { args, .. } => args.to_vec(),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Not(_)
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => Vec::new(),
    }
}

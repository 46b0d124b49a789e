//! Where the buffers of a block are last used, themselves or through windows: there they are given back.
//! Spec: [rule: c.buffers].

use rewright_semantics::ast::{Block, Expr, ExprKind, Stmt, StmtKind, WindowExpr};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_expr, each_stmt, operands};
use std::collections::BTreeMap;

/// For each buffer that the block itself allocates, the last of its statements that uses it: the allocation, if none does.
pub(crate) fn last_uses(b: &Block) -> BTreeMap<Sym, usize> {
    let mut last: BTreeMap<Sym, usize> = BTreeMap::new();
    let allocates = |s: &Stmt| matches!(&*s.kind, StmtKind::Alloc { .. });
    if !b.iter().any(allocates) {
        return last;
    }
    // What a name of this block or of an inner one is a window of.
    let mut windows: BTreeMap<Sym, Sym> = BTreeMap::new();
    for (k, s) in b.iter().enumerate() {
        if let StmtKind::Alloc { name, .. } = &*s.kind {
            last.insert(*name, k);
        }
        each_mention(s, &mut |x| {
            let mut root = x;
            while let Some(of) = windows.get(&root) {
                root = *of;
            }
            if let Some(used) = last.get_mut(&root) {
                *used = k;
            }
        });
        if let StmtKind::WindowStmt { name, rhs } = &*s.kind {
            windows.insert(*name, rhs.name);
        }
    }
    last
}

/// Calls `f` with each name that a statement, or one inside it, reads, writes or takes a window of.
fn each_mention(s: &Stmt, f: &mut impl FnMut(Sym)) {
    each_stmt(&Block::unit(s.clone()), &mut |s| {
        match &*s.kind {
            StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => f(*name),
            StmtKind::WindowStmt { rhs, .. } => f(rhs.name),
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Call { .. } => {}
        }
        operands(s).into_iter().for_each(|e| each_expr(e, &mut |e| mention(e, f)));
    });
}

fn mention(e: &Expr, f: &mut impl FnMut(Sym)) {
    match &e.kind {
        ExprKind::Read { name, .. }
        | ExprKind::Window(WindowExpr { name, .. })
        | ExprKind::Stride { name, .. } => {
            f(*name);
        }
        ExprKind::ReadConfig { .. }
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. } => {}
    }
}

//! On which variables the contents of a buffer depend, by syntax. Spec: [rule: buffers].

use rewright_effects::names::{expr_names, free_names};
use rewright_semantics::ast::{Block, Proc, Stmt, StmtKind};
use rewright_semantics::build::block;
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;

/// The names on which it depends what is in a buffer and which of its cells are used, anywhere in a procedure: those
/// in the statements that mention it and in the guards and loop bounds around them, and so on for the buffers among
/// these.
pub fn dependences(p: &Proc, x: Sym) -> BTreeSet<Sym> {
    let mut known = BTreeSet::from([x]);
    loop {
        let before = known.len();
        follow(&p.body, &BTreeSet::new(), &mut known);
        if known.len() == before {
            known.remove(&x);
            return known;
        }
    }
}

fn follow(b: &Block, around: &BTreeSet<Sym>, known: &mut BTreeSet<Sym>) {
    for s in b {
        let (control, blocks) = parts(s);
        if blocks.is_empty() {
            let mentioned = free_names(&block([s.clone()]));
            if changed_by(s).any(|x| known.contains(&x)) {
                known.extend(mentioned);
                known.extend(around.iter().copied());
            }
        } else {
            let inside: BTreeSet<Sym> = around.union(&control).copied().collect();
            blocks.into_iter().for_each(|inner| follow(inner, &inside, known));
        }
    }
}

/// The names in the guard or the bounds of a statement, and its blocks.
fn parts(s: &Stmt) -> (BTreeSet<Sym>, Vec<&Block>) {
    match s.kind.as_ref() {
        StmtKind::If { cond, body, orelse } => (expr_names(cond), vec![body, orelse]),
        StmtKind::For { iter: _, lo, hi, body, mode: _ } => {
            (expr_names(lo).union(&expr_names(hi)).copied().collect(), vec![body])
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => (BTreeSet::new(), Vec::new()),
    }
}

/// The buffers that a statement may change or rename: of a call, all that it mentions.
fn changed_by(s: &Stmt) -> impl Iterator<Item = Sym> {
    let out: Vec<Sym> = match s.kind.as_ref() {
        StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => vec![*name],
        StmtKind::WindowStmt { name, rhs } => vec![*name, rhs.name],
        StmtKind::Call { proc: _, args } => args.iter().flat_map(expr_names).collect(),
        StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. } => Vec::new(),
    };
    out.into_iter()
}

//! What procedures do with what they are given for an argument, by syntax.

use rewright_effects::names::expr_names;
use rewright_semantics::ast::{Block, Proc, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_operand, each_stmt};
use std::collections::BTreeMap;

/// Whether a procedure may change what it is given for an argument.
pub fn changes(callee: &Proc, formal: Sym) -> bool {
    let roots = roots(&callee.body);
    let is_formal = |x: Sym| *roots.get(&x).unwrap_or(&x) == formal;
    let mut found = false;
    each_stmt(&callee.body, &mut |s| {
        found = found
            || match s.kind.as_ref() {
                StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => is_formal(*name),
                StmtKind::Call { proc, args } => proc
                    .args
                    .iter()
                    .zip(args.iter())
                    .any(|(a, e)| expr_names(e).into_iter().any(is_formal) && changes(proc, a.name)),
                StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. } => false,
            }
    });
    found
}

/// Whether a procedure may read what it is given for an argument, be it to add to it.
pub fn reads(callee: &Proc, formal: Sym) -> bool {
    let roots = roots(&callee.body);
    let is_formal = |x: Sym| *roots.get(&x).unwrap_or(&x) == formal;
    let mut found = false;
    each_stmt(&callee.body, &mut |s| match s.kind.as_ref() {
        StmtKind::Call { proc, args } => {
            let passed = proc.args.iter().zip(args.iter());
            found = found
                || passed
                    .into_iter()
                    .any(|(a, e)| expr_names(e).into_iter().any(is_formal) && reads(proc, a.name));
        }
        StmtKind::Reduce { name, .. } if is_formal(*name) => found = true,
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => {
            each_operand(s, &mut |_, e| found = found || expr_names(e).into_iter().any(is_formal));
        }
    });
    found
}

/// The buffer of each window, through windows of windows.
pub fn roots(b: &Block) -> BTreeMap<Sym, Sym> {
    let mut out = BTreeMap::new();
    each_stmt(b, &mut |s| {
        if let StmtKind::WindowStmt { name, rhs } = s.kind.as_ref() {
            let root = *out.get(&rhs.name).unwrap_or(&rhs.name);
            out.insert(*name, root);
        }
    });
    out
}

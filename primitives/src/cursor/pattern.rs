//! The pattern language. ASPLOS'25 §3.1; spec: [rule: patterns].

use super::path::{Place, Step, child};
use super::resolve::Sort;
use crate::error::InvalidCursor;
use crate::version::Proc;
use rewright_semantics::ast::{Block, Stmt, StmtKind};

/// The first place of the wanted sort that matches a pattern.
///
/// # Errors
/// The pattern cannot be read, or nothing matches it.
pub fn find(p: &Proc, sort: Sort, pattern: &str) -> Result<Place, InvalidCursor> {
    let mut found = Vec::new();
    search(&p.ast().body, &[], false, &mut |s, path| {
        if sort.admits(&s.kind) && name_of(s) == Some(pattern) {
            found.push(path.to_vec());
        }
    });
    let first = found.into_iter().next();
    first
        .map(Place::Stmt)
        .ok_or_else(|| InvalidCursor::new(format!("nothing in `{}` matches `{pattern}`", p.name())))
}

fn search(b: &Block, up: &[Step], orelse: bool, f: &mut impl FnMut(&Stmt, &[Step])) {
    for (k, s) in b.iter().enumerate() {
        let path = child(up, if orelse { Step::Orelse(k) } else { Step::Body(k) });
        f(s, &path);
        match s.kind.as_ref() {
            StmtKind::For { body, .. } => search(body, &path, false, f),
            StmtKind::If { cond: _, body, orelse } => {
                search(body, &path, false, f);
                search(orelse, &path, true, f);
            }
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

fn name_of(s: &Stmt) -> Option<&'static str> {
    match s.kind.as_ref() {
        StmtKind::For { iter, .. } => Some(iter.name().as_str()),
        StmtKind::Assign { name, .. }
        | StmtKind::Reduce { name, .. }
        | StmtKind::Alloc { name, .. }
        | StmtKind::WindowStmt { name, .. } => Some(name.name().as_str()),
        StmtKind::Call { proc, .. } => Some(proc.name.as_str()),
        StmtKind::WriteConfig { .. } | StmtKind::Pass | StmtKind::If { .. } => None,
    }
}

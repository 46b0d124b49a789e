//! ```text
//! s1; pass; for i in seq(a, b): pass; s2   ~>   s1; s2
//! ```
//! Every `pass` goes, and every loop and guard in which there is nothing but `pass`. A body that would be empty
//! keeps one. No conditions: evaluating bounds and conditions changes nothing.
//!
//! Source: Exo. Spec: [rule: delete_pass].

use crate::cursor::path::{Hole, Step, child};
use crate::error::Result;
use crate::registry::{Exact, Primitive};
use crate::rewrite::Rewrite;
use crate::tools::requires::noop::does_nothing;
use crate::version::Proc;
use rewright_semantics::ast::{Block, Stmt, StmtKind};
/// The entry of [`delete_pass`].
pub static DELETE_PASS: Primitive = Primitive {
    name: "delete_pass",
    summary: "deletes every `pass`, and the loops and guards that hold nothing else",
    source: "Exo",
    params: &[],
    conditions: &[],
    exact: Exact::WithoutFields,
    run: |p, _| delete_pass(p),
};

/// Deletes every `pass`, and the loops and guards that hold nothing else.
///
/// # Errors
/// None but bugs.
pub fn delete_pass(p: &Proc) -> Result<Proc> {
    let mut rw = Rewrite::new(p, &DELETE_PASS);
    let mut runs = Vec::new();
    noop_runs(&p.ast().body, &mut |k| vec![Step::Body(k)], true, &mut runs);
    for path in runs {
        rw.delete_branch(&Hole::stmt(path));
    }
    rw.finish()
}

impl Proc {
    /// Deletes every `pass`, and the loops and guards that hold nothing else: [`delete_pass`](fn@delete_pass).
    ///
    /// # Errors
    /// As the function.
    pub fn delete_pass(&self) -> Result<Proc> {
        delete_pass(self)
    }
}

/// The statements to delete, from the last to the first, so that the paths of those to come stay as they are.
fn noop_runs(b: &Block, at: &mut dyn FnMut(usize) -> Vec<Step>, body: bool, out: &mut Vec<Vec<Step>>) {
    let all = b.iter().all(does_nothing);
    for (k, s) in b.iter().enumerate().rev() {
        // The last one left of a body stands for all; a loop becomes a `pass` there.
        let stays = body && all && k == 0;
        if does_nothing(s) {
            if !stays || !is_pass(s) {
                out.push(at(k));
            }
            continue;
        }
        let path = at(k);
        match s.kind.as_ref() {
            StmtKind::For { body, .. } => noop_runs(body, &mut |k| child(&path, Step::Body(k)), true, out),
            StmtKind::If { cond: _, body, orelse } => {
                noop_runs(orelse, &mut |k| child(&path, Step::Orelse(k)), false, out);
                noop_runs(body, &mut |k| child(&path, Step::Body(k)), true, out);
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

fn is_pass(s: &Stmt) -> bool {
    matches!(s.kind.as_ref(), StmtKind::Pass)
}

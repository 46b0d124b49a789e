//! The program that edits would make, for conditions that are about it: what runs in parallel must not come to
//! share what each iteration had for itself. Spec: [rule: buffers].

use crate::cursor::path::{Step, stmt_at};
use crate::edit::{Edit, apply};
use crate::version::session::Session;
use rewright_effects::conditions::parallel_from_outside;
use rewright_effects::context::{Context, Hole};
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{LoopMode, Proc, StmtKind};

/// The procedure after some edits; `None` when one does not fit.
pub fn tentative<'a>(p: &Proc, edits: impl IntoIterator<Item = &'a Edit>) -> Option<Proc> {
    edits.into_iter().try_fold(p.clone(), |p, edit| apply(&p, edit))
}

/// The paths of the parallel loops around the statement at a path, outermost first.
pub fn parallel_around(p: &Proc, path: &[Step]) -> Vec<Vec<Step>> {
    let above = (1..path.len()).filter_map(|len| path.get(..len));
    above.filter(|up| is_parallel(p, up)).map(<[Step]>::to_vec).collect()
}

fn is_parallel(p: &Proc, path: &[Step]) -> bool {
    match stmt_at(p, path).map(|s| s.kind.as_ref()) {
        Some(StmtKind::For { mode, .. }) => *mode == LoopMode::Par,
        Some(
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. },
        )
        | None => false,
    }
}

/// No two iterations of these loops of a procedure touch a place that one of them changes.
pub fn races(session: &Session, p: &Proc, loops: &[Vec<Step>]) -> Vec<Obligation> {
    let of = |path: &Vec<Step>| {
        let ctx = Context::of(session.analysis(), p, &Hole::stmt(path.clone()))?;
        Some(parallel_from_outside(&ctx, stmt_at(p, path)?, |ob| session.decide(ob).is_proved()))
    };
    loops.iter().filter_map(of).flatten().collect()
}

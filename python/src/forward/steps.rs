//! Steps that are made of other edits in Exo, which shows in where cursors go.

use super::{blocks, places};
use rewright_primitives::cursor::CursorKind;
use rewright_primitives::cursor::path::{ExprPath, Gap, Hole, Place, Step as At, block_of, child, shifted};
use rewright_primitives::edit::{Edit, Wrapper};
use rewright_primitives::forward::forward_stmt;
use rewright_primitives::ops::add_loop::ADD_LOOP;
use rewright_primitives::ops::eliminate_dead_code::ELIMINATE_DEAD_CODE;
use rewright_primitives::ops::fission::FISSION;
use rewright_primitives::ops::fuse::FUSE;
use rewright_primitives::ops::join_loops::JOIN_LOOPS;
use rewright_primitives::ops::lift_scope::LIFT_SCOPE;
use rewright_primitives::ops::merge_writes::MERGE_WRITES;
use rewright_primitives::ops::remove_loop::REMOVE_LOOP;
use rewright_primitives::ops::specialize::SPECIALIZE;
use rewright_primitives::ops::split_write::SPLIT_WRITE;
use rewright_primitives::ops::unroll_loop::UNROLL_LOOP;
use rewright_primitives::version::Origin;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::ast::Block;
use rewright_semantics::build::{boolean, pass};

/// Where a place is after a step.
pub(super) enum Moved {
    /// Here.
    As(Place),
    /// It is gone.
    Gone,
    /// Where the edits of the step say.
    AsHere,
}

/// Where a cursor is after a step that is made of other edits in Exo.
pub(super) fn moved(origin: &Origin, made: &Proc, there: &Cursor) -> Moved {
    let Some(target) = target(origin) else { return Moved::AsHere };
    match there.place() {
        Place::Block(run) if blocks::same_list(&target.path, &run.path) => {
            let Some(edits) = of_blocks(origin, made, &target) else { return Moved::AsHere };
            let run = edits.iter().try_fold(run.clone(), |run, edit| blocks::forward(edit, &run));
            run.map_or(Moved::Gone, |run| Moved::As(Place::Block(run)))
        }
        Place::Stmt(path) => {
            of_stmt(origin, &target, path).map_or(Moved::AsHere, |p| Moved::As(Place::Stmt(p)))
        }
        Place::Gap(gap) => of_stmt(origin, &target, &gap.anchor)
            .map_or(Moved::AsHere, |anchor| Moved::As(Place::Gap(Gap { anchor, side: gap.side }))),
        Place::Expr(at) if origin.step.primitive == FISSION.name => of_stmt(origin, &target, &at.stmt)
            .map_or(Moved::AsHere, |stmt| Moved::As(Place::Expr(ExprPath { stmt, steps: at.steps.clone() }))),
        Place::Block(_) | Place::Expr(_) | Place::Arg(_) => Moved::AsHere,
    }
}

/// The statements of a block that a step makes others of: what its first place is, or what is around it, where that changes.
fn target(origin: &Origin) -> Option<Hole> {
    let first = places(&origin.step).next()?;
    let around = |path: &[At]| {
        path.split_last().map(|(_, up)| Hole::stmt(up.to_vec())).filter(|up| !up.path.is_empty())
    };
    match first.place() {
        Place::Gap(gap) => around(&gap.anchor),
        Place::Block(run) => Some(run.clone()),
        Place::Stmt(path) if origin.step.primitive == LIFT_SCOPE.name => around(path),
        Place::Stmt(path) => Some(Hole::stmt(path.clone())),
        Place::Expr(_) | Place::Arg(_) => None,
    }
}

/// The edits of a step in Exo, as far as they are of the block that it is in.
fn of_blocks(origin: &Origin, made: &Proc, target: &Hole) -> Option<Vec<Edit>> {
    let is = |name: &str| origin.step.primitive == name;
    let path = &target.path;
    let ours = || Some(origin.step.edits.clone());
    let replaced = |run: &Hole, count: usize| Edit::Replace {
        run: run.clone(),
        stmts: (0..count).map(|_| pass()).collect(),
        as_whole: false,
    };
    let deleted = |path: &[At]| Edit::Delete { run: Hole::stmt(path.to_vec()) };
    if is(SPECIALIZE.name) {
        Some(vec![replaced(target, 1)])
    } else if is(SPLIT_WRITE.name) || is(UNROLL_LOOP.name) {
        let (before, after) = (block_of(origin.parent.ast(), path)?.len(), block_of(made.ast(), path)?.len());
        Some(vec![replaced(target, (after + target.len).checked_sub(before)?)])
    } else if is(ADD_LOOP.name) {
        // The guard is around them already when the loop is made.
        Some(origin.step.edits.last().into_iter().cloned().collect())
    } else if is(REMOVE_LOOP.name) || is(ELIMINATE_DEAD_CODE.name) {
        Some(emptied(origin, path))
    } else if is(FUSE.name) || is(JOIN_LOOPS.name) {
        Some(vec![deleted(&shifted(path, 1))])
    } else if is(MERGE_WRITES.name) {
        Some(vec![deleted(path), replaced(&Hole::stmt(path.clone()), 1)])
    } else if is(LIFT_SCOPE.name) {
        let Place::Stmt(inner) = places(&origin.step).next()?.place() else { return None };
        if kind(origin, inner) == Some(CursorKind::For) {
            return ours();
        }
        Some(vec![Edit::Move { run: Hole::stmt(inner.clone()), to: shifted(path, 1) }, deleted(path)])
    } else if is(FISSION.name) {
        first_half(origin, target).or_else(ours)
    } else {
        ours()
    }
}

/// The statements of a block go to after what they are in, which goes.
fn emptied(origin: &Origin, path: &[At]) -> Vec<Edit> {
    let moved = origin.step.edits.iter().find_map(|edit| match edit {
        Edit::Move { run, to: _ } => Some(run.clone()),
        Edit::Insert { .. }
        | Edit::Delete { .. }
        | Edit::Replace { .. }
        | Edit::Reshape { .. }
        | Edit::ReplaceExpr { .. }
        | Edit::Wrap { .. }
        | Edit::Head { .. }
        | Edit::Redirect { .. }
        | Edit::RedirectExpr { .. } => None,
    });
    let out = moved.map(|run| Edit::Move { run, to: shifted(path, 1) });
    out.into_iter().chain([Edit::Delete { run: Hole::stmt(path.to_vec()) }]).collect()
}

/// Of a guard that is split in its first branch, the first half is made anew, before it.
fn first_half(origin: &Origin, target: &Hole) -> Option<Vec<Edit>> {
    let Place::Gap(gap) = places(&origin.step).next()?.place() else { return None };
    let position = gap.position();
    let (step, up) = position.split_last()?;
    if !matches!(step, At::Body(_)) || kind(origin, up) != Some(CursorKind::If) {
        return None;
    }
    let run = Hole { path: child(up, At::Body(0)), len: step.index() };
    let in_ = Wrapper::If { cond: boolean(true), orelse: Block::new() };
    let first = Hole::stmt(run.path.clone());
    Some(vec![Edit::Wrap { run, in_ }, Edit::Move { run: first, to: target.path.clone() }])
}

/// Where a statement is, where Exo's edits say something else of it than ours.
fn of_stmt(origin: &Origin, target: &Hole, path: &[At]) -> Option<Vec<At>> {
    if path != target.path {
        return None;
    }
    let edits = if origin.step.primitive == ADD_LOOP.name {
        of_blocks(origin, &origin.parent, target)?
    } else if origin.step.primitive == FISSION.name {
        first_half(origin, target)?
    } else {
        return None;
    };
    edits.iter().try_fold(path.to_vec(), |path, edit| forward_stmt(edit, &path))
}

/// What the statement at a path is.
fn kind(origin: &Origin, path: &[At]) -> Option<CursorKind> {
    Some(Cursor::new(&origin.parent, Place::Stmt(path.to_vec())).ok()?.kind())
}

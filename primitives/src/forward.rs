//! Forwarding: where an edit sends each place. ASPLOS'25 §5.2; spec: [rule: forwarding].
//!
//! Canonical, one function per edit. A statement that an edit does not touch keeps its node. What was deleted
//! or replaced is gone, and stays gone.

use crate::cursor::path::{ExprPath, ExprStep, Gap, Hole, Place, Step, child, expr_in, member, shifted};
use crate::edit::Edit;
use rewright_semantics::ast::Block;

/// Where a place of the procedure before the edit is after it; `None` when it is no more.
pub fn forward(edit: &Edit, place: &Place) -> Option<Place> {
    match place {
        Place::Stmt(path) => forward_stmt(edit, path).map(Place::Stmt),
        Place::Block(run) => forward_run(edit, run).map(Place::Block),
        Place::Gap(Gap { anchor, side }) => {
            forward_stmt(edit, anchor).map(|anchor| Place::Gap(Gap { anchor, side: *side }))
        }
        Place::Expr(at) => forward_expr(edit, at).map(Place::Expr),
        Place::Arg(i) => match edit {
            Edit::Head { head: _, args } => args.get(*i).copied().flatten().map(Place::Arg),
            Edit::Insert { .. }
            | Edit::Delete { .. }
            | Edit::Replace { .. }
            | Edit::Reshape { .. }
            | Edit::ReplaceExpr { .. }
            | Edit::Move { .. }
            | Edit::Wrap { .. }
            | Edit::Redirect { .. } => Some(Place::Arg(*i)),
        },
    }
}

/// How a path lies to a run of statements of some block.
enum Relation {
    /// Not through that block, or before the run.
    Apart,
    /// Through the run's statement number `nth`.
    Inside { nth: usize },
    /// Through that block, after the run.
    After,
}

/// How `path` lies to the `len` statements from `first` on.
fn relation(path: &[Step], first: &[Step], len: usize) -> Relation {
    let Some((last, up)) = first.split_last() else { return Relation::Apart };
    let (Some(here), Some(prefix)) = (path.get(up.len()), path.get(..up.len())) else {
        return Relation::Apart;
    };
    if prefix != up || !here.same_block(*last) || here.index() < last.index() {
        return Relation::Apart;
    }
    let nth = here.index() - last.index();
    if nth < len { Relation::Inside { nth } } else { Relation::After }
}

/// The path with the index at depth `depth` moved by `by`.
fn moved_at(path: &[Step], depth: usize, by: isize) -> Vec<Step> {
    let mut out = path.to_vec();
    if let Some(step) = out.get_mut(depth) {
        *step = step.moved(by);
    }
    out
}

fn signed(n: usize) -> isize {
    isize::try_from(n).unwrap_or(isize::MAX)
}

/// Where a statement goes.
pub fn forward_stmt(edit: &Edit, path: &[Step]) -> Option<Vec<Step>> {
    match edit {
        Edit::Insert { at, stmts } => Some(after_insert(path, at, stmts.len())),
        Edit::Delete { run } => after_splice(path, run, 0),
        Edit::Replace { run, stmts } => after_splice(path, run, stmts.len()),
        Edit::Reshape { .. } | Edit::ReplaceExpr { .. } | Edit::Head { .. } => Some(path.to_vec()),
        Edit::Move { run, to } => after_move(path, run, to),
        Edit::Wrap { run, in_ } => Some(after_wrap(path, run, in_.step())),
        Edit::Redirect { from, to } => Some(match path.strip_prefix(from.as_slice()) {
            Some([]) => to.clone(),
            Some(rest) => to.iter().chain(rest).copied().collect(),
            None => path.to_vec(),
        }),
    }
}

fn after_insert(path: &[Step], at: &[Step], count: usize) -> Vec<Step> {
    match relation(path, at, 0) {
        Relation::Apart => path.to_vec(),
        Relation::Inside { .. } | Relation::After => moved_at(path, at.len() - 1, signed(count)),
    }
}

fn after_splice(path: &[Step], run: &Hole, count: usize) -> Option<Vec<Step>> {
    match relation(path, &run.path, run.len) {
        Relation::Apart => Some(path.to_vec()),
        Relation::Inside { .. } => None,
        Relation::After => Some(moved_at(path, run.path.len() - 1, signed(count) - signed(run.len))),
    }
}

fn after_move(path: &[Step], run: &Hole, to: &[Step]) -> Option<Vec<Step>> {
    let target = gap_after_delete(to, run)?;
    match relation(path, &run.path, run.len) {
        Relation::Inside { nth } => {
            let mut out = shifted(&target, signed(nth));
            out.extend(path.iter().skip(run.path.len()));
            Some(out)
        }
        Relation::Apart => Some(after_insert(path, &target, run.len)),
        Relation::After => {
            let left = moved_at(path, run.path.len() - 1, -signed(run.len));
            Some(after_insert(&left, &target, run.len))
        }
    }
}

/// The gap before the statement at `to`, once the run is gone; `None` when it is inside the run.
pub fn gap_after_delete(to: &[Step], run: &Hole) -> Option<Vec<Step>> {
    match relation(to, &run.path, run.len) {
        Relation::Apart => Some(to.to_vec()),
        // Before a statement of the run itself: where the run was.
        Relation::Inside { nth } if to.len() == run.path.len() => Some(shifted(to, -signed(nth))),
        Relation::Inside { .. } => None,
        Relation::After => Some(moved_at(to, run.path.len() - 1, -signed(run.len))),
    }
}

fn after_wrap(path: &[Step], run: &Hole, hole: Step) -> Vec<Step> {
    match relation(path, &run.path, run.len) {
        Relation::Apart => path.to_vec(),
        Relation::Inside { nth } => {
            let mut out = child(&run.path, hole.at(nth));
            out.extend(path.iter().skip(run.path.len()));
            out
        }
        Relation::After => moved_at(path, run.path.len() - 1, 1 - signed(run.len)),
    }
}

/// Where a run of statements goes: its members that are left, when they are still of one block, with whatever
/// has come between them.
fn forward_run(edit: &Edit, run: &Hole) -> Option<Hole> {
    let (mut first, mut last): (Option<Vec<Step>>, Option<Vec<Step>>) = (None, None);
    let ends = cuts(edit, run);
    for piece in ends.windows(2) {
        let (&[from, to], true) = (piece, piece.first() < piece.last()) else { continue };
        // The members of a piece keep their distances, so that its ends tell all.
        for k in [from, to - 1] {
            let Some(path) = forward_stmt(edit, &member(run, k)) else { continue };
            match &last {
                None => first = Some(path.clone()),
                Some(before) => {
                    let (at, up) = path.split_last()?;
                    let (was, up_before) = before.split_last()?;
                    if up != up_before || !at.same_block(*was) || at.index() <= was.index() {
                        return None;
                    }
                }
            }
            last = Some(path);
            if to - from == 1 {
                break;
            }
        }
    }
    let (first, last) = (first?, last?);
    let len = last.last()?.index() - first.last()?.index() + 1;
    Some(Hole { path: first, len })
}

/// The members of a run before which an edit may part it, with both ends: between two of them all members fare alike.
fn cuts(edit: &Edit, run: &Hole) -> Vec<usize> {
    let mut out = vec![0, run.len];
    let mut cut = |at: &[Step], len: usize| {
        let (Some((here, up)), Some((start, block))) = (at.split_last(), run.path.split_last()) else {
            return;
        };
        if up == block && here.same_block(*start) {
            let places = [here.index(), here.index() + len];
            out.extend(places.map(|k| k.saturating_sub(start.index()).min(run.len)));
        }
    };
    match edit {
        Edit::Insert { at, stmts: _ } => cut(at, 0),
        Edit::Delete { run } | Edit::Replace { run, stmts: _ } | Edit::Wrap { run, in_: _ } => {
            cut(&run.path, run.len);
        }
        Edit::Move { run, to } => {
            cut(&run.path, run.len);
            cut(to, 0);
        }
        Edit::Redirect { from, to: _ } => cut(from, 1),
        Edit::Reshape { .. } | Edit::ReplaceExpr { .. } | Edit::Head { .. } => {}
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn forward_expr(edit: &Edit, at: &ExprPath) -> Option<ExprPath> {
    let kept = |stmt: Vec<Step>| ExprPath { stmt, steps: at.steps.clone() };
    match edit {
        Edit::ReplaceExpr { at: changed, with: _ } => {
            (changed.stmt != at.stmt || !strictly_inside(&at.steps, &changed.steps)).then(|| at.clone())
        }
        Edit::Reshape { run, stmts } => survives(at, run, stmts).then(|| at.clone()),
        Edit::Insert { .. }
        | Edit::Delete { .. }
        | Edit::Replace { .. }
        | Edit::Move { .. }
        | Edit::Wrap { .. }
        | Edit::Head { .. }
        | Edit::Redirect { .. } => forward_stmt(edit, &at.stmt).map(kept),
    }
}

fn strictly_inside(inner: &[ExprStep], outer: &[ExprStep]) -> bool {
    inner.len() > outer.len() && inner.starts_with(outer)
}

/// Whether the place still exists in statements of the same shape.
fn survives(at: &ExprPath, run: &Hole, stmts: &Block) -> bool {
    match relation(&at.stmt, &run.path, run.len) {
        Relation::Apart | Relation::After => true,
        Relation::Inside { nth } => {
            let below = at.stmt.get(run.path.len()..).unwrap_or(&[]);
            let found = below.iter().try_fold(stmts.get(nth), |s, step| {
                Some(crate::cursor::path::child_block(s?, *step)?.get(step.index()))
            });
            found.flatten().is_some_and(|s| expr_in(s, &at.steps).is_some())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Wrapper;
    use rewright_semantics::build::{block, boolean, pass};

    /// A run forwarded member by member: what [`forward_run`] must say.
    fn one_by_one(edit: &Edit, run: &Hole) -> Option<Hole> {
        let left: Vec<Vec<Step>> = (0..run.len).filter_map(|k| forward_stmt(edit, &member(run, k))).collect();
        let follows = |pair: &[Vec<Step>]| match pair {
            [a, b] => {
                let ((at, up), (then, up_then)) = (a.split_last()?, b.split_last()?);
                (up == up_then && at.same_block(*then) && at.index() < then.index()).then_some(())
            }
            _ => Some(()),
        };
        left.windows(2).try_for_each(follows)?;
        let (first, last) = (left.first()?, left.last()?);
        let len = last.last()?.index() - first.last()?.index() + 1;
        Some(Hole { path: first.clone(), len })
    }

    fn edits() -> Vec<Edit> {
        let at = |k| vec![Step::Body(k)];
        let within = |k, j| vec![Step::Body(k), Step::Body(j)];
        let stmts = |n: usize| block((0..n).map(|_| pass()));
        let mut out = Vec::new();
        for k in 0..6 {
            out.extend([1, 2].map(|n| Edit::Insert { at: at(k), stmts: stmts(n) }));
            out.push(Edit::Insert { at: within(k, 0), stmts: stmts(1) });
            out.push(Edit::Redirect { from: at(k), to: at(5 - k) });
            out.push(Edit::Redirect { from: at(k), to: within(0, 2) });
            for len in 1..=6 - k {
                let run = Hole { path: at(k), len };
                out.push(Edit::Delete { run: run.clone() });
                out.extend([1, 2].map(|n| Edit::Replace { run: run.clone(), stmts: stmts(n) }));
                let in_ = Wrapper::If { cond: boolean(true), orelse: Block::new() };
                out.push(Edit::Wrap { run: run.clone(), in_ });
                out.extend((0..=6).map(|to| Edit::Move { run: run.clone(), to: at(to) }));
                out.push(Edit::Move { run: run.clone(), to: within(0, 1) });
                out.push(Edit::Move { run: Hole { path: within(k, 0), len }, to: at(3) });
            }
        }
        out
    }

    #[test]
    fn a_run_goes_where_its_members_go() {
        let (mut kept, mut gone) = (0, 0);
        for edit in edits() {
            for start in 0..6 {
                for len in 1..=6 - start {
                    let run = Hole { path: vec![Step::Body(start)], len };
                    let wanted = one_by_one(&edit, &run);
                    assert_eq!(forward_run(&edit, &run), wanted, "{edit:?} of {run:?}");
                    kept += usize::from(wanted.is_some());
                    gone += usize::from(wanted.is_none());
                }
            }
        }
        assert!(kept > 1_000 && gone > 300, "{kept} {gone}");
    }
}

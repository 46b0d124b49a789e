//! Forwarding: where an edit sends each place. ASPLOS'25 §5.2; spec: [rule: forwarding].
//!
//! Canonical, one function per edit, of the edit alone. A statement that an edit does not touch keeps its node; an
//! expression is where the edit says that it is kept ([`crate::kept`]), and nowhere else. What was deleted or replaced
//! is gone, and stays gone.

use crate::cursor::path::{ExprPath, ExprStep, Gap, Hole, Place, Step, child, child_block, member, shifted};
use crate::edit::{Edit, same_shape_stmt};
use crate::kept::Parts;
use rewright_semantics::ast::Stmt;

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
            | Edit::Redirect { .. }
            | Edit::RedirectExpr { .. } => Some(Place::Arg(*i)),
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
        // One statement for one is what it was.
        Edit::Replace { run, stmts, as_whole: true }
            if run.len == 1 && stmts.len() == 1 && path == run.path =>
        {
            Some(path.to_vec())
        }
        Edit::Replace { run, stmts, as_whole: _ } => after_splice(path, run, stmts.len()),
        Edit::Reshape { .. } | Edit::ReplaceExpr { .. } | Edit::Head { .. } | Edit::RedirectExpr { .. } => {
            Some(path.to_vec())
        }
        Edit::Move { run, to } => after_move(path, run, to),
        Edit::Wrap { run, in_ } => Some(after_wrap(path, run, in_.step())),
        Edit::Redirect { from, to, old, new, kept: _ } => match path.strip_prefix(from.as_slice()) {
            Some([]) => Some(to.clone()),
            Some(rest) => same_shape_stmt(old, new).then(|| to.iter().chain(rest).copied().collect()),
            None => Some(path.to_vec()),
        },
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
/// has come between them. Statements that are replaced as a whole are left as what they have become.
fn forward_run(edit: &Edit, run: &Hole) -> Option<Hole> {
    if let Edit::Replace { run: old, stmts, as_whole: true } = edit
        && let Relation::Inside { nth } = relation(&old.path, &run.path, run.len)
        && old.path.len() == run.path.len()
        && nth + old.len <= run.len
    {
        return Some(Hole { path: run.path.clone(), len: run.len - old.len + stmts.len() });
    }
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
                    if up != up_before || !at.same_block(*was) || at.index() < was.index() {
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
        Edit::Delete { run } | Edit::Replace { run, .. } | Edit::Wrap { run, in_: _ } => {
            cut(&run.path, run.len);
        }
        Edit::Move { run, to } => {
            cut(&run.path, run.len);
            cut(to, 0);
        }
        Edit::Redirect { from, .. } => cut(from, 1),
        Edit::Reshape { .. } | Edit::ReplaceExpr { .. } | Edit::Head { .. } | Edit::RedirectExpr { .. } => {}
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn forward_expr(edit: &Edit, at: &ExprPath) -> Option<ExprPath> {
    let kept = |stmt: Vec<Step>| ExprPath { stmt, steps: at.steps.clone() };
    match edit {
        Edit::ReplaceExpr { at: changed, with: _, kept } => after_replace_expr(at, changed, kept),
        Edit::Reshape { run, old, stmts, kept } => {
            let Relation::Inside { nth } = relation(&at.stmt, &run.path, run.len) else {
                return Some(at.clone());
            };
            let below = at.stmt.get(run.path.len()..)?;
            let (before, after) = (below_stmt(old.get(nth)?, below)?, below_stmt(stmts.get(nth)?, below)?);
            Some(ExprPath { stmt: at.stmt.clone(), steps: kept.forward(before, after, &at.steps)? })
        }
        Edit::Redirect { from, old, new, kept, .. } => {
            let stmt = forward_stmt(edit, &at.stmt)?;
            let steps = match at.stmt.strip_prefix(from.as_slice()) {
                Some(below) => kept.forward(below_stmt(old, below)?, below_stmt(new, below)?, &at.steps)?,
                None => at.steps.clone(),
            };
            Some(ExprPath { stmt, steps })
        }
        Edit::RedirectExpr { from, to } => {
            let inside = at.steps.strip_prefix(from.steps.as_slice()).filter(|_| at.stmt == from.stmt);
            let moved = |rest: &[ExprStep]| to.steps.iter().chain(rest).copied().collect();
            Some(
                inside.map_or_else(
                    || at.clone(),
                    |rest| ExprPath { stmt: to.stmt.clone(), steps: moved(rest) },
                ),
            )
        }
        Edit::Replace { run, .. } => match relation(&at.stmt, &run.path, run.len) {
            Relation::Inside { .. } => None,
            Relation::Apart | Relation::After => forward_stmt(edit, &at.stmt).map(kept),
        },
        Edit::Insert { .. }
        | Edit::Delete { .. }
        | Edit::Move { .. }
        | Edit::Wrap { .. }
        | Edit::Head { .. } => forward_stmt(edit, &at.stmt).map(kept),
    }
}

/// An expression beside the one that is replaced is kept; one around it as long as it has its value; one in it where
/// the edit says so.
fn after_replace_expr(at: &ExprPath, changed: &ExprPath, kept: &Parts) -> Option<ExprPath> {
    if at.stmt != changed.stmt {
        return Some(at.clone());
    }
    match at.steps.strip_prefix(changed.steps.as_slice()) {
        Some(below) => {
            let steps = changed.steps.iter().copied().chain(kept.forward(below)?).collect();
            Some(ExprPath { stmt: at.stmt.clone(), steps })
        }
        None => (kept.whole || !changed.steps.starts_with(&at.steps)).then(|| at.clone()),
    }
}

/// The statement below another at the end of some steps; the statement itself where there are none.
fn below_stmt<'a>(s: &'a Stmt, steps: &[Step]) -> Option<&'a Stmt> {
    steps.iter().try_fold(s, |s, step| child_block(s, *step)?.get(step.index()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Wrapper;
    use crate::kept::Kept;
    use rewright_semantics::ast::Block;
    use rewright_semantics::build::{block, boolean, pass};

    /// A run forwarded member by member: what [`forward_run`] must say.
    fn one_by_one(edit: &Edit, run: &Hole) -> Option<Hole> {
        let left: Vec<Vec<Step>> = (0..run.len).filter_map(|k| forward_stmt(edit, &member(run, k))).collect();
        let follows = |pair: &[Vec<Step>]| match pair {
            [a, b] => {
                let ((at, up), (then, up_then)) = (a.split_last()?, b.split_last()?);
                (up == up_then && at.same_block(*then) && at.index() <= then.index()).then_some(())
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
            for to in [at(5 - k), within(0, 2)] {
                let (old, new, kept) = (pass(), pass(), Kept::unchanged());
                out.push(Edit::Redirect { from: at(k), to, old, new, kept });
            }
            for len in 1..=6 - k {
                let run = Hole { path: at(k), len };
                out.push(Edit::Delete { run: run.clone() });
                out.extend([1, 2].map(|n| Edit::Replace {
                    run: run.clone(),
                    stmts: stmts(n),
                    as_whole: false,
                }));
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

    /// Statements that become others as a whole stay in each block that has them all, and in no other.
    #[test]
    fn a_run_that_is_replaced_as_a_whole_stays_in_what_contains_it() {
        let hole = |start, len| Hole { path: vec![Step::Body(start)], len };
        let edit = Edit::Replace { run: hole(2, 2), stmts: block((0..3).map(|_| pass())), as_whole: true };
        let cases = [
            (hole(2, 2), Some(hole(2, 3))),
            (hole(1, 4), Some(hole(1, 5))),
            (hole(0, 2), Some(hole(0, 2))),
            (hole(4, 2), Some(hole(5, 2))),
            (hole(3, 1), None),
            (hole(1, 2), Some(hole(1, 1))),
            (hole(3, 3), Some(hole(5, 2))),
        ];
        for (run, wanted) in cases {
            assert_eq!(forward_run(&edit, &run), wanted, "{run:?}");
        }
        // One for one: the statement goes along, what is in it does not.
        let one = Edit::Replace { run: hole(2, 1), stmts: block([pass()]), as_whole: true };
        let at = |path: &[Step]| forward_stmt(&one, path);
        assert_eq!(at(&[Step::Body(2)]), Some(vec![Step::Body(2)]));
        assert_eq!(at(&[Step::Body(2), Step::Body(0)]), None);
        assert_eq!(at(&[Step::Body(3)]), Some(vec![Step::Body(3)]));
    }
}

//! Forwarding: what an edit does not touch is found again, where it is now; what is gone stays gone; and it does
//! not matter in how many steps one goes. Spec: [rule: forwarding].

use rewright_campaign::rng::Rng;
use rewright_campaign::{arguments, program};
use rewright_primitives::cursor::path::{
    ExprPath, ExprStep, Gap, Hole, Place, Side, Step, block_of, child, exists, expr_at, member, run_at,
    stmt_at,
};
use rewright_primitives::edit::{Edit, Head, Wrapper, apply};
use rewright_primitives::forward::forward;
use rewright_primitives::kept::{Kept, Parts, part};
use rewright_primitives::{Cursor, Proc, ops};
use rewright_semantics::ast::{self, Block, LoopMode, Stmt, StmtKind};
use rewright_semantics::build;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_child, map_operands};
use rewright_testsuite::marks::{Marker, mark, places};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many random programs; `REWRIGHT_PROGRAMS` for more.
fn programs(default: u64) -> u64 {
    std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The paths of all statements.
fn stmts(p: &ast::Proc) -> Vec<Vec<Step>> {
    rewright_campaign::holes::paths(p)
}

/// All expressions.
fn exprs(p: &ast::Proc) -> Vec<ExprPath> {
    let all = places(p).into_values().flatten();
    all.filter_map(|place| if let Place::Expr(at) = place { Some(at) } else { None }).collect()
}

struct Random<'a> {
    rng: &'a mut Rng,
    marker: &'a mut Marker,
}

impl Random<'_> {
    /// An edit that may or may not fit.
    fn edit(&mut self, p: &ast::Proc) -> Option<Edit> {
        let path = self.rng.pick(&stmts(p))?.clone();
        Some(match self.rng.below(9) {
            0 | 1 => Edit::Insert { at: self.gap(p, &path), stmts: self.fresh() },
            2 => Edit::Delete { run: self.run(p, path) },
            3 => Edit::Replace { run: self.run(p, path), stmts: self.fresh(), as_whole: false },
            4 => {
                let run = self.run(p, path);
                let old = run_at(p, &run)?;
                let stmts = self.reshaped(&old);
                Edit::Reshape { run, old, stmts, kept: Kept::unchanged() }
            }
            5 => {
                let at = self.rng.pick(&exprs(p))?.clone();
                let span = expr_at(p, &at)?.span;
                // What takes the place of an expression is known by its mark, and one in it by its own.
                let old = expr_at(p, &at)?.clone();
                let steps = inner(&old);
                let moved = self.rng.pick(&steps).map(|step| (vec![*step], vec![ExprStep::Operand]));
                let inner = moved.as_ref().and_then(|(from, _)| part(&old, from)).cloned();
                let with = inner.map_or(build::int(7), build::neg);
                if at.steps.len() == 1 && self.rng.chance(50) {
                    Edit::ReplaceExpr { at, with, kept: Parts::only(moved) }
                } else {
                    Edit::ReplaceExpr { at, with: ast::Expr { span, ..with }, kept: Parts::value_and(moved) }
                }
            }
            6 => {
                let run = self.run(p, path);
                let to = self.rng.pick(&stmts(p))?.clone();
                Edit::Move { run, to: self.gap(p, &to) }
            }
            7 => Edit::Wrap { run: self.run(p, path), in_: self.wrapper() },
            _ => {
                let mut order: Vec<Option<usize>> = (0..p.args.len()).map(Some).collect();
                let mut args = p.args.clone();
                if !args.is_empty() {
                    order.rotate_right(1);
                    args.rotate_left(1);
                    args.push(build::size_arg(Sym::fresh("z")));
                }
                Edit::Head { head: Head { args, ..Head::of(p) }, args: order }
            }
        })
    }

    /// A run that starts at a statement.
    fn run(&mut self, p: &ast::Proc, path: Vec<Step>) -> Hole {
        let left = block_of(p, &path).map_or(1, |b| b.len()) - path.last().map_or(0, |s| s.index());
        Hole { path, len: 1 + self.rng.below(left.min(3)) }
    }

    /// Before a statement, at the end of its block, or in an empty else branch below it.
    fn gap(&mut self, p: &ast::Proc, path: &[Step]) -> Vec<Step> {
        match (self.rng.below(3), path.split_last()) {
            (0, Some((last, up))) => child(up, last.at(block_of(p, path).map_or(0, |b| b.len()))),
            (1, _) if matches!(stmt_at(p, path).map(|s| s.kind.as_ref()), Some(StmtKind::If { .. })) => {
                child(path, Step::Orelse(0))
            }
            _ => path.to_vec(),
        }
    }

    fn fresh(&mut self) -> Block {
        let one = |k: usize| match k {
            0 => build::pass(),
            1 => build::for_(Sym::fresh("q"), 0, 4, [build::pass(), build::pass()]),
            _ => build::if_(build::boolean(true), [build::pass()], [build::pass()]),
        };
        let count = 1 + self.rng.below(3);
        let stmts: Block = (0..count).map(|_| one(self.rng.below(3))).collect();
        self.marker.block(&stmts)
    }

    fn wrapper(&mut self) -> Wrapper {
        match self.rng.below(3) {
            0 => Wrapper::For {
                iter: Sym::fresh("w"),
                lo: build::int(0),
                hi: build::int(1),
                mode: LoopMode::Seq,
            },
            1 => Wrapper::If { cond: build::boolean(true), orelse: Block::new() },
            _ => Wrapper::Else { cond: build::boolean(false), body: self.fresh() },
        }
    }

    /// Statements with other expressions in some places: they are not what they were.
    fn reshaped(&mut self, b: &Block) -> Block {
        let stmt = |s: &Stmt| {
            map_operands(s, &mut |_, e| {
                if e.kind != build::int(3).kind && self.rng.chance(50) { build::int(3) } else { e.clone() }
            })
        };
        b.iter().map(stmt).collect()
    }
}

/// The ways to what an expression is made of.
fn inner(e: &ast::Expr) -> Vec<ExprStep> {
    let mut out = Vec::new();
    each_child(e, &mut |step, _| out.push(step));
    out
}

fn kind(edit: &Edit) -> &'static str {
    match edit {
        Edit::Insert { .. } => "insert",
        Edit::Delete { .. } => "delete",
        Edit::Replace { .. } => "replace",
        Edit::Reshape { .. } => "reshape",
        Edit::ReplaceExpr { .. } => "replace an expression",
        Edit::Move { .. } => "move",
        Edit::Wrap { .. } => "wrap",
        Edit::Head { .. } => "head",
        Edit::Redirect { .. } => "redirect",
        Edit::RedirectExpr { .. } => "redirect an expression",
    }
}

/// [rule: edits], [rule: forwarding]: random lists of edits. Every statement and every expression is forwarded to where its mark is, and to nowhere
/// exactly when its mark is gone; runs and gaps go with their statements.
#[test]
fn random_edits_forward_every_place() {
    let (mut applied, mut checked) = (BTreeMap::<&str, u64>::new(), 0_u64);
    let (mut kept, mut gone, mut runs) = (0_u64, 0_u64, 0_u64);
    for seed in 0..programs(80) {
        let mut rng = Rng::new(seed);
        let mut marker = Marker::default();
        let start = marker.proc(program(seed).ast());
        let mut p = start.clone();
        let mut edits: Vec<Edit> = Vec::new();
        for _ in 0..40 {
            let Some(edit) = (Random { rng: &mut rng, marker: &mut marker }).edit(&p) else { continue };
            let Some(next) = apply(&p, &edit).map(|next| marker.proc(&next)) else { continue };
            *applied.entry(kind(&edit)).or_default() += 1;
            let after = places(&next);
            for (mark, at) in places(&p) {
                let expected = after.get(&mark).map(Vec::as_slice);
                let got = forward(&edit, &at[0]);
                assert_eq!(
                    got.as_ref().map(std::slice::from_ref),
                    expected,
                    "seed {seed}: {edit:?} sends {:?} elsewhere",
                    at[0]
                );
                checked += 1;
                if got.is_some() {
                    kept += 1
                } else {
                    gone += 1
                }
                if let Place::Stmt(path) = &at[0] {
                    runs += u64::from(check_run(&p, &next, &edit, path, &mut rng));
                }
            }
            for i in 0..p.args.len() {
                let to = forward(&edit, &Place::Arg(i)).map(|place| {
                    let Place::Arg(k) = place else { panic!("an argument stays one") };
                    next.args[k].name
                });
                assert!(to.is_none_or(|x| x == p.args[i].name));
            }
            edits.push(edit);
            p = next;
        }
        // From the first program to the last at once.
        let last = places(&p);
        for (mark, at) in places(&start) {
            let through = edits.iter().try_fold(at[0].clone(), |place, edit| forward(edit, &place));
            assert_eq!(through.as_ref().map(std::slice::from_ref), last.get(&mark).map(Vec::as_slice));
        }
    }
    println!("edits: {applied:?}; places forwarded: {checked} ({kept} kept, {gone} gone); runs: {runs}");
    assert!(
        ["insert", "delete", "replace", "reshape", "replace an expression", "move", "wrap", "head"]
            .iter()
            .all(|k| applied.get(k).is_some_and(|n| *n > 50))
    );
}

/// A run of statements from here: what is left of it, when it is still in one block and in order. A gap: with its
/// anchor.
fn check_run(p: &ast::Proc, next: &ast::Proc, edit: &Edit, path: &[Step], rng: &mut Rng) -> bool {
    for side in [Side::Before, Side::After] {
        let gap = forward(edit, &Place::Gap(Gap { anchor: path.to_vec(), side }));
        let anchor = forward(edit, &Place::Stmt(path.to_vec()));
        match (gap, anchor) {
            (Some(Place::Gap(gap)), Some(Place::Stmt(anchor))) => assert_eq!(gap, Gap { anchor, side }),
            (gap, anchor) => assert_eq!(gap, anchor),
        }
    }
    let left = block_of(p, path).map_or(1, |b| b.len()) - path.last().map_or(0, |s| s.index());
    let run = Hole { path: path.to_vec(), len: 1 + rng.below(left) };
    let members: Vec<Vec<Step>> = (0..run.len).map(|k| member(&run, k)).collect();
    let after = places(next);
    let survivors: Vec<Vec<Step>> = members
        .iter()
        .filter_map(|m| mark(stmt_at(p, m)?.span))
        .filter_map(|m| after.get(&m))
        .filter_map(|at| if let Place::Stmt(path) = &at[0] { Some(path.clone()) } else { None })
        .collect();
    let together = survivors.windows(2).all(|two| match (two[0].split_last(), two[1].split_last()) {
        (Some((a, up)), Some((b, other))) => up == other && a.same_block(*b) && a.index() < b.index(),
        (None, _) | (_, None) => false,
    });
    let expected = match (survivors.first(), survivors.last()) {
        (Some(first), Some(last)) if together => {
            let len = last.last().map_or(0, |s| s.index()) - first.last().map_or(0, |s| s.index()) + 1;
            Some(Place::Block(Hole { path: first.clone(), len }))
        }
        _ => None,
    };
    assert_eq!(forward(edit, &Place::Block(run.clone())), expected, "{run:?} {edit:?}");
    true
}

/// [rule: forwarding]: random rewrites. Forwarding over several versions is forwarding from one to the next, what is invalid stays so,
/// what is forwarded exists, and a node of which one copy is left is found.
#[test]
fn random_rewrites_forward_every_place() {
    let (mut steps, mut checked, mut gone) = (0_u64, 0_u64, 0_u64);
    let mut lost = BTreeMap::<&str, (u64, u64)>::new();
    for seed in 0..programs(300) {
        let mut rng = Rng::new(seed);
        let root = Proc::root(Marker::default().proc(program(seed).ast()));
        let mut versions = vec![root.clone()];
        for _ in 0..12 {
            let p = versions.last().cloned().unwrap_or_else(|| root.clone());
            let Some(primitive) = rng.pick(ops::ALL).copied() else { break };
            let Some(args) = arguments(&mut rng, &p, primitive) else { continue };
            let Ok(next) = (primitive.run)(&p, &args) else { continue };
            if next.id() == p.id() {
                continue;
            }
            steps += 1;
            let after = places(next.ast());
            let single: BTreeSet<u32> =
                places(p.ast()).into_iter().filter(|(_, at)| at.len() == 1).map(|(m, _)| m).collect();
            for (m, at) in places(p.ast()) {
                let Ok(c) = Cursor::new(&p, at[0].clone()) else { panic!("a place that exists") };
                let to = next.forward(&c);
                let Some([only]) = after.get(&m).map(Vec::as_slice) else { continue };
                // A call has the place of what it stands for, and is no copy of it.
                let is_call_of_another =
                    primitive.name == "inline" && callee(&p, &at[0]) != callee(&next, only);
                if single.contains(&m) && same_form(&p, &at[0], &next, only) && !is_call_of_another {
                    let row = lost.entry(primitive.name).or_default();
                    row.0 += 1;
                    if to.as_ref().map(Cursor::place) != Ok(only) {
                        row.1 += 1;
                    }
                }
            }
            versions.push(next);
        }
        let (Some(first), Some(last)) = (versions.first(), versions.last()) else { continue };
        let mut all: Vec<Place> = places(first.ast()).into_values().flatten().collect();
        all.extend(
            stmts(first.ast()).into_iter().map(|path| Place::Gap(Gap { anchor: path, side: Side::After })),
        );
        all.extend((0..first.ast().args.len()).map(Place::Arg));
        for place in all {
            let Ok(c) = Cursor::new(first, place) else { panic!("a place that exists") };
            let direct = last.forward(&c);
            let stepwise = versions.iter().try_fold(c.clone(), |c, p| p.forward(&c));
            assert_eq!(direct.is_ok(), stepwise.is_ok(), "seed {seed}");
            checked += 1;
            match (direct, stepwise) {
                (Ok(direct), Ok(stepwise)) => {
                    assert_eq!(direct, stepwise, "seed {seed}");
                    assert!(exists(last.ast(), direct.place()));
                }
                _ => gone += 1,
            }
        }
        if versions.len() > 1 {
            // Not a version that this one comes from.
            let Ok(other) = Cursor::new(last, Place::Stmt(vec![Step::Body(0)])) else { continue };
            assert!(first.forward(&other).is_err());
        }
    }
    println!("rewrites: {steps}; cursors over whole histories: {checked} ({gone} gone)");
    println!("statements of which one copy is left, and that are not found: {lost:?}");
    for (primitive, (_, lost)) in lost {
        assert!(lost == 0, "{primitive} loses {lost} statements");
    }
}

/// The procedure that a statement calls: what is called may consist of a call.
fn callee(p: &Proc, place: &Place) -> Option<Arc<ast::Proc>> {
    let Place::Stmt(path) = place else { return None };
    stmt_at(p.ast(), path)?.kind.called().map(|(callee, _)| callee.clone())
}

/// Whether both places are of statements of one form.
fn same_form(p: &Proc, place: &Place, q: &Proc, other: &Place) -> bool {
    let form = |p: &Proc, place: &Place| match place {
        Place::Stmt(path) => stmt_at(p.ast(), path).map(|s| std::mem::discriminant(s.kind.as_ref())),
        Place::Block(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => None,
    };
    form(p, place).is_some_and(|form_here| form(q, other) == Some(form_here))
}

/// A heuristic that an edit does not imply is said by [`Edit::Redirect`].
#[test]
fn cursors_are_redirected_where_that_is_said() {
    let (a, b) = (vec![Step::Body(0)], vec![Step::Body(1)]);
    let same = build::for_(Sym::fresh("i"), 0, 4, [build::pass(), build::pass(), build::pass()]);
    let (old, new) = (same.clone(), same.clone());
    let edit = Edit::Redirect { from: a.clone(), to: b.clone(), old, new, kept: Kept::unchanged() };
    let inside = |up: &[Step]| Place::Stmt(child(up, Step::Body(2)));
    assert_eq!(forward(&edit, &Place::Stmt(a.clone())), Some(Place::Stmt(b.clone())));
    assert_eq!(forward(&edit, &inside(&a)), Some(inside(&b)));
    assert_eq!(forward(&edit, &Place::Stmt(b.clone())), Some(Place::Stmt(b.clone())));
    // Where the two have not the same blocks, what is in the one is nowhere in the other.
    let edit =
        Edit::Redirect { from: a.clone(), to: b, old: same, new: build::pass(), kept: Kept::unchanged() };
    assert_eq!(forward(&edit, &inside(&a)), None);
}

/// [rule: versions]: a tree of them. A cursor of the trunk is good in every branch, one of a branch in no other.
#[test]
fn time_branches() {
    let p = program(1);
    let run = |name: &str, seed: u64| {
        let primitive = ops::by_name(name).expect("a primitive");
        (0..500).find_map(|k| {
            let args = arguments(&mut Rng::new(seed * 1000 + k), &p, primitive)?;
            (primitive.run)(&p, &args).ok().filter(|q| q.id() != p.id())
        })
    };
    let (Some(left), Some(right)) = (run("add_loop", 1), run("add_loop", 2)) else {
        panic!("nothing was accepted");
    };
    let first = p.body().and_then(|b| b.at(0)).expect("a statement");
    assert!(left.forward(&first).is_ok() && right.forward(&first).is_ok());
    let of_left = left.body().expect("a body");
    assert!(right.forward(&of_left).is_err() && p.forward(&of_left).is_err());
    assert_eq!(first.proc().id(), p.id(), "a cursor stays in its version");
}

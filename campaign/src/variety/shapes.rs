//! Shapes that single primitives ask for: loops that start elsewhere than at 0, branches that do alike, buffers computed
//! from others, fields that are written again.

use super::{copy, places, sizes};
use crate::holes::{edit, insert, replace};
use crate::rng::Rng;
use rewright_primitives::Proc;
use rewright_primitives::cursor::path::{Step, stmt_at};
use rewright_primitives::tools::syntax::stmt_views::{For, Write, WriteKind};
use rewright_semantics::ast::{Config, ConfigField, Expr, LoopMode, Stmt, StmtKind};
use rewright_semantics::build::{
    add, alloc, assign, data, eq, for_, if_, int, lt, read, read_config, reduce, sub, var, write_config,
};
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::subst::subst_block;
use rewright_semantics::types::{ControlType, FieldType};
use std::sync::Arc;

/// One of the statements that a question is answered with.
fn some<T: Clone>(p: &Proc, rng: &mut Rng, f: impl Fn(&Stmt) -> Option<T>) -> Option<(Vec<Step>, T)> {
    let all = places(p, f);
    rng.pick(&all).cloned()
}

fn instead(p: &Proc, path: &[Step], stmts: &[Stmt]) -> Option<Proc> {
    Some(p.session().root(edit(p.ast(), path, &|b, i| replace(b, i, 1, stmts))))
}

/// A size of the program, or a small number.
fn moderate(p: &Proc, rng: &mut Rng) -> Expr {
    match rng.pick(&sizes(p)) {
        Some(n) if rng.chance(60) => var(*n),
        _ => int(rng.between(-2, 3)),
    }
}

/// A condition that is sometimes true.
fn sometimes(p: &Proc, rng: &mut Rng) -> Option<Expr> {
    let all = sizes(p);
    rng.pick(&all).map(|n| lt(var(*n), rng.between(1, 4)))
}

/// A loop that begins elsewhere and does the same; or a few iterations from somewhere, perhaps of none.
pub(super) fn started(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let from = moderate(p, rng);
    if rng.chance(50) {
        let (path, l) = some(p, rng, For::of)?;
        let q = l.iter.renewed();
        let body = subst_block(&l.body, l.iter, &sub(var(q), from.clone()));
        let (lo, hi) = (add(from.clone(), l.lo.clone()), add(from, l.hi.clone()));
        return instead(p, &path, &[For { iter: q, lo, hi, body, ..l }.stmt()]);
    }
    let (path, w) = some(p, rng, Write::of)?;
    let q = Sym::fresh("q");
    let once = w.clone().stmt();
    let body = match rng.below(3) {
        0 => vec![once],
        1 => vec![if_(lt(q, add(from.clone(), 1)), [once.clone()], copy(&once))],
        _ => vec![if_(lt(add(from.clone(), 1), q), [once], [])],
    };
    let length = match rng.below(4) {
        0 => moderate(p, rng),
        _ => int(rng.between(0, 4)),
    };
    instead(p, &path, &[for_(q, from.clone(), add(from, length), body)])
}

/// A loop with a field as one of its bounds, which some iteration moves; perhaps each one begins by putting it back. It marks
/// its iterations in a buffer, of which one cell is added to the result.
pub(super) fn moved(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let (config, field) = some(p, rng, integer_field).map_or_else(counter, |(_, found)| found);
    let (path, w) = some(p, rng, Write::of)?;
    if is_in_parallel(p, &path) {
        return None;
    }
    let elem = p.env_at(&path)?.buffer(w.name)?.elem;
    let [q, r, marks] = ["q", "r", "marks"].map(Sym::fresh);
    let held = |n: i64| write_config(&config, field, int(n));
    let (first, length) = (rng.between(1, 3), rng.between(1, 3));
    let bound = read_config(&config, field);
    let (lo, hi) = if rng.chance(70) { (int(0), bound) } else { (bound, int(first + length)) };
    let moves = if_(eq(var(q), rng.between(0, 4)), [held(rng.between(1, 5))], []);
    let mark = reduce(marks, [var(q)], data(1, 0));
    let mut body = if rng.chance(70) { vec![mark, moves] } else { vec![moves, mark] };
    if rng.chance(25) {
        body.insert(0, held(first));
    }
    let seen = read(marks, [int(rng.between(0, MARKS - 1))]);
    let stmts = [
        alloc(marks, elem, [int(MARKS)]),
        for_(r, 0, MARKS, [assign(marks, [var(r)], data(0, 0))]),
        held(first),
        for_(q, lo, hi, body),
        w.clone().stmt(),
        Write { kind: WriteKind::Reduce, rhs: seen, ..w }.stmt(),
    ];
    instead(p, &path, &stmts)
}

/// More than such a loop has iterations.
const MARKS: i64 = 6;

/// A field of integers that a statement writes.
fn integer_field(s: &Stmt) -> Option<(Arc<Config>, Name)> {
    let StmtKind::WriteConfig { config, field, .. } = s.kind.as_ref() else { return None };
    let typ = &config.fields.named(*field)?.typ;
    let is_integer =
        matches!(typ, FieldType::Control(ControlType::Size | ControlType::Index | ControlType::Int));
    is_integer.then(|| (config.clone(), *field))
}

/// A field for a program that writes none.
fn counter() -> (Arc<Config>, Name) {
    let field = Name::new("count");
    let typ = FieldType::Control(ControlType::Index);
    let fields = vec![ConfigField { name: field, typ, span: Span::NONE }];
    let name = Name::new("Counter");
    (Arc::new(Config { name, fields: fields.into(), direct_access: true, span: Span::NONE }), field)
}

/// Whether a parallel loop is around a place: no iteration of one writes a field.
fn is_in_parallel(p: &Proc, path: &[Step]) -> bool {
    let around = (1..path.len()).filter_map(|k| stmt_at(p.ast(), path.get(..k)?));
    around.filter_map(For::of).any(|l| l.mode == LoopMode::Par)
}

/// Two loops, one in the other, from anywhere, around a write: of one cell, or guarded.
pub(super) fn nest(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let (path, w) = some(p, rng, Write::of)?;
    let (q, r) = (Sym::fresh("q"), Sym::fresh("r"));
    let (from, length) = (moderate(p, rng), int(rng.between(0, 3)));
    let inner_from = match rng.below(4) {
        0 => int(0),
        1 => var(q),
        _ => moderate(p, rng),
    };
    let s = w.stmt();
    let body = if rng.chance(60) {
        vec![s]
    } else {
        vec![if_(lt(add(var(q), var(r)), add(from.clone(), rng.between(0, 3))), [s.clone()], copy(&s))]
    };
    let inner = for_(r, inner_from.clone(), add(inner_from, rng.between(1, 3)), body);
    instead(p, &path, &[for_(q, from.clone(), add(from, length), [inner])])
}

/// A guard with a loop in each branch, or in one of them.
pub(super) fn branched(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let (path, l) = some(p, rng, For::of)?;
    let cond = sometimes(p, rng)?;
    let (first, iter) = (l.clone().stmt(), l.iter);
    let second = match rng.below(6) {
        0 => For { hi: sub(l.hi.clone(), 1), ..l }.stmt(),
        1 => For { lo: add(l.lo.clone(), 0), ..l }.stmt(),
        2 => Stmt::new(StmtKind::Pass),
        3 => l.body.get(0).filter(|s| !matches!(s.kind.as_ref(), StmtKind::Alloc { .. }))?.clone(),
        _ => first.clone(),
    };
    // What stands alone must not ask for the loop's variable.
    let alone = rewright_effects::names::free_names(&std::iter::once(second.clone()).collect());
    if alone.contains(&iter) {
        return None;
    }
    let branches = if rng.chance(50) { (vec![first], copy(&second)) } else { (copy(&second), vec![first]) };
    instead(p, &path, &[if_(cond, branches.0, branches.1)])
}

/// A guard with two statements in each branch.
pub(super) fn both_branches(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let (path, w) = some(p, rng, Write::of)?;
    let (cond, s) = (sometimes(p, rng)?, w.clone().stmt());
    let other = Write { rhs: add(w.rhs.clone(), data(1, 0)), ..w }.stmt();
    let twice = |a: &Stmt, b: &Stmt| copy(a).into_iter().chain(copy(b)).collect::<Vec<_>>();
    instead(p, &path, &[if_(cond, twice(&s, &other), twice(&other, &s))])
}

/// A write to a field once more, right after the first or in a loop.
pub(super) fn written_twice(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let written = |s: &Stmt| matches!(s.kind.as_ref(), StmtKind::WriteConfig { .. }).then(|| s.clone());
    let (path, s) = some(p, rng, written)?;
    let again = if rng.chance(60) { s } else { for_(Sym::fresh("q"), 0, moderate(p, rng), [s]) };
    Some(p.session().root(edit(p.ast(), &path, &|b, i| insert(b, i + 1, std::slice::from_ref(&again)))))
}

/// A value by way of two buffers, the second computed from the first: cell by cell, backwards, or from a neighbour.
pub(super) fn chained(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let (path, w) = some(p, rng, Write::of)?;
    let elem = p.env_at(&path)?.buffer(w.name)?.elem;
    let [a, b] = ["a", "b"].map(Sym::fresh);
    let n: i64 = rng.between(1, 4);
    let q = Sym::fresh("q");
    let at = match rng.below(10) {
        0..=5 => var(q),
        6 | 7 => sub(int(n - 1), var(q)),
        _ => int(rng.between(0, n - 1)),
    };
    let mode = if rng.chance(25) { LoopMode::Par } else { LoopMode::Seq };
    let next = assign(b, [var(q)], add(read(a, [at]), data(1, 0)));
    let made = For { mode, ..For::of(&for_(q, 0, int(n), [next]))? }.stmt();
    let ends = add(read(b, [int(0)]), read(b, [int(n - 1)]));
    let rhs = if rng.chance(15) { add(ends, read(a, [int(0)])) } else { ends };
    let r = Sym::fresh("r");
    let mut stmts = vec![alloc(a, elem, [int(n)]), for_(r, 0, int(n), [assign(a, [var(r)], w.rhs.clone())])];
    stmts.extend((0..n).map(|k| assign(a, [int(k)], data(3 * k + 1, 0))));
    let mut second = vec![alloc(b, elem, [int(n)]), made];
    if rng.chance(10) {
        second.push(assign(a, [int(0)], data(9, 0)));
    }
    second.push(Write { rhs, kind: WriteKind::Reduce, ..w }.stmt());
    if rng.chance(20) {
        second = vec![for_(Sym::fresh("k"), 0, int(2), second)];
    }
    stmts.extend(second);
    instead(p, &path, &stmts)
}

/// A buffer that a loop or a guard uses, some statements later.
pub(super) fn used_later(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let (path, w) = some(p, rng, Write::of)?;
    let elem = p.env_at(&path)?.buffer(w.name)?.elem;
    let t = Sym::fresh("t");
    let through =
        |w: &Write| vec![assign(t, [], w.rhs.clone()), Write { rhs: read(t, []), ..w.clone() }.stmt()];
    let mut stmts = vec![alloc(t, elem, [])];
    stmts.extend((0..rng.below(3)).flat_map(|_| copy(&w.clone().stmt())));
    let user = match (rng.below(3), sometimes(p, rng)) {
        (0, Some(cond)) => if_(cond, through(&w), through(&w)),
        (1, Some(cond)) => if_(cond, through(&w), []),
        _ => for_(Sym::fresh("q"), 0, int(rng.between(0, 3)), through(&w)),
    };
    stmts.push(user);
    if rng.chance(10) {
        stmts.push(Write { rhs: read(t, []), ..w }.stmt());
    }
    instead(p, &path, &stmts)
}

//! Programs with what random ones seldom hold: statements twice, sums by a constant factor, conditions that are
//! decided, expressions that could be shorter. Each change makes a program that may mean something else, and is
//! in bounds where the one before was.

pub(crate) mod instructions;
mod shapes;

use crate::holes::{edit, insert, paths, replace};
use crate::rng::Rng;
use rewright_primitives::Proc;
use rewright_primitives::cursor::path::{ExprPath, ExprStep, Step, stmt_at, with_expr_in};
use rewright_primitives::registry::{ArgKind, Primitive};
use rewright_primitives::tools::syntax::stmt_views::{For, Write, WriteKind};
use rewright_semantics::ast::{BinOp, Block, Expr, Stmt, StmtKind};
use rewright_semantics::build::{
    add, alloc, assign, bin, data, div, for_, if_, int, le, lt, mul, read, sub, var,
};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::subst::fresh_copy;
use rewright_semantics::types::{ArgType, ControlType};

/// The program with a few such changes.
pub(super) fn varied(p: Proc, rng: &mut Rng) -> Proc {
    let mut p = p;
    for _ in 0..rng.below(4) {
        let all = paths(p.ast());
        let Some(path) = rng.pick(&all) else { break };
        let Some(s) = stmt_at(p.ast(), path).cloned() else { break };
        p = match rng.below(9) {
            8 => instructions::planted(&p, path, rng).unwrap_or(p),
            0..=2 => doubled(&p, path, &s),
            3 => guarded(&p, path, &s, rng),
            4 => with_writes(&p, rng, &|w, rng| vec![unfolded(w, rng)]),
            5 => with_writes(&p, rng, &|w, rng| vec![nested(w, rng)]),
            6 => {
                let sizes = sizes(&p);
                with_writes(&p, rng, &|w, rng| scaled(w, &sizes, rng))
            }
            _ => obscured(&p, path, &s, rng),
        };
    }
    p
}

/// The program with a piece in it of the shape that a primitive asks for, going by the kinds of its parameters;
/// `None` when there is no such shape, or no place for it.
pub(super) fn aimed(p: &Proc, primitive: &Primitive, rng: &mut Rng) -> Option<Proc> {
    let count = |kind: &ArgKind| primitive.params.iter().filter(|param| param.kind == *kind).count();
    let dims =
        count(&ArgKind::Dim).max(primitive.params.iter().filter(|p| p.kind == ArgKind::Permutation).count());
    if count(&ArgKind::Accumulation) > 0 {
        let sizes = sizes(p);
        return Some(with_writes(p, rng, &|w, rng| scaled(w, &sizes, rng)));
    }
    if count(&ArgKind::Proc) + count(&ArgKind::Version) > 0 {
        let all = paths(p.ast());
        return instructions::planted(p, rng.pick(&all)?, rng);
    }
    if count(&ArgKind::Scope) > 1 && rng.chance(40) {
        return produced(p, rng);
    }
    match (count(&ArgKind::Loop).max(count(&ArgKind::Scope)), count(&ArgKind::Alloc), count(&ArgKind::Assign))
    {
        (2.., _, _) => parted(p, rng),
        (_, 2.., _) if rng.chance(50) => shapes::chained(p, rng),
        (_, 2.., _) => repeated(p, rng),
        (_, 1, _) if dims == 0 && rng.chance(40) => shapes::used_later(p, rng),
        (_, 1, _) => buffered(p, dims + usize::from(rng.chance(30)), rng),
        (_, _, 1..) => buffered(p, 0, rng),
        _ if count(&ArgKind::Scope) > 0 => shapes::branched(p, rng),
        _ if count(&ArgKind::Loop) > 0 && rng.chance(25) => shapes::moved(p, rng),
        _ if count(&ArgKind::Loop) > 0 => shapes::started(p, rng),
        _ if count(&ArgKind::LoopPair) > 0 => shapes::nest(p, rng),
        _ if count(&ArgKind::Gap) > 0 => shapes::both_branches(p, rng),
        _ if count(&ArgKind::WriteConfig) > 0 => shapes::written_twice(p, rng),
        _ => None,
    }
}

/// The paths of statements for which a question is answered with something.
fn places<T>(p: &Proc, f: impl Fn(&Stmt) -> Option<T>) -> Vec<(Vec<Step>, T)> {
    let at = |path: Vec<Step>| stmt_at(p.ast(), &path).and_then(&f).map(|found| (path, found));
    paths(p.ast()).into_iter().filter_map(at).collect()
}

/// A loop in two: one up to some iteration, the other from there on.
fn parted(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let loops = places(p, For::of);
    let (path, l) = rng.pick(&loops)?.clone();
    let (lo, hi) = (l.lo.clone(), l.hi.clone());
    let cut = match rng.below(6) {
        0 => lo,
        1 => hi,
        2 | 3 => add(lo, 1),
        _ => sub(hi, 1),
    };
    let from = if rng.chance(90) { cut.clone() } else { add(cut.clone(), 1) };
    let first = For { hi: cut, ..l.clone() }.stmt();
    let second = copy(&For { lo: from, ..l }.stmt());
    let both: Vec<Stmt> = std::iter::once(first).chain(second).collect();
    Some(p.session().root(edit(p.ast(), &path, &|b, i| replace(b, i, 1, &both))))
}

/// A loop that fills a buffer, some cells of it several times, and a loop that sums it up.
fn produced(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let writes = places(p, Write::of);
    let (path, w) = rng.pick(&writes)?.clone();
    let elem = p.env_at(&path)?.buffer(w.name)?.elem;
    let n: Expr = match rng.pick(&sizes(p)) {
        Some(n) if rng.chance(60) => var(*n),
        _ => int(rng.between(1, 4)),
    };
    let extent = || add(n.clone(), 4);
    let [source, t, s, q, r] = ["source", "t", "s", "q", "r"].map(Sym::fresh);
    let filled = |x: Sym, e: Expr| for_(s, 0, extent(), [assign(x, [var(s)], e)]);
    let at = |rng: &mut Rng| match rng.below(10) {
        0 => var(q),
        1 => var(r),
        2 => add(var(r), 1),
        _ => add(var(q), var(r)),
    };
    let (to, from, seen) = (at(rng), at(rng), add(var(q), rng.between(0, 3)));
    let value = read(if rng.chance(90) { source } else { t }, [from]);
    let inner = Write { name: t, idx: vec![to].into(), rhs: value, kind: WriteKind::Assign, ..w.clone() };
    let kind = if rng.chance(90) { WriteKind::Assign } else { WriteKind::Reduce };
    let mut body = vec![Write { kind, ..inner }.stmt()];
    if rng.chance(20) {
        body = vec![if_(lt(var(r), rng.between(0, 3)), body, [])];
    }
    let producer = for_(q, 0, n.clone(), [for_(r, 0, rng.between(1, 4), body)]);
    let sum = Write { rhs: read(t, [seen]), kind: WriteKind::Reduce, ..w.clone() }.stmt();
    let mut consumer = vec![sum];
    if rng.chance(10) {
        consumer.push(assign(source, [add(var(q), 1)], data(3, 0)));
    }
    let stmts: Vec<Stmt> = [alloc(source, elem, [extent()]), filled(source, w.rhs)]
        .into_iter()
        .chain([(0, 5), (1, 7), (2, 11)].map(|(k, v)| assign(source, [int(k)], data(v, 0))))
        .chain([alloc(t, elem, [extent()])])
        .chain(copy(&filled(t, data(1, 0))))
        .chain([producer])
        .chain(copy(&for_(q, 0, n.clone(), consumer)))
        .collect();
    Some(p.session().root(edit(p.ast(), &path, &|b, i| replace(b, i, 1, &stmts))))
}

/// An allocation with what follows it in its block, and the same once more: another buffer of its type when it is
/// no longer needed.
fn repeated(p: &Proc, rng: &mut Rng) -> Option<Proc> {
    let allocs = places(p, |s| matches!(s.kind.as_ref(), StmtKind::Alloc { .. }).then_some(()));
    let (path, ()) = match rng.pick(&allocs) {
        Some(found) => found.clone(),
        None => return buffered(p, rng.below(2), rng),
    };
    let again = |b: &Block, i: usize| {
        let run = b.clone().slice(i..b.len().min(i + 6));
        let end = i + run.len();
        insert(b, end, &fresh_copy(&run).iter().cloned().collect::<Vec<_>>())
    };
    Some(p.session().root(edit(p.ast(), &path, &again)))
}

/// A write of a value by way of a new buffer of so many dimensions, most of a known extent.
fn buffered(p: &Proc, rank: usize, rng: &mut Rng) -> Option<Proc> {
    let writes = places(p, Write::of);
    let (path, w) = rng.pick(&writes)?.clone();
    let elem = p.env_at(&path)?.buffer(w.name)?.elem;
    let all = sizes(p);
    let t = Sym::fresh("t");
    let extents: Vec<(Expr, i64)> = (0..rank)
        .map(|_| match rng.pick(&all) {
            Some(n) if rng.chance(15) => (var(*n), 1),
            _ => {
                let n = rng.between(1, 4);
                (int(n), n)
            }
        })
        .collect();
    let cell = |rng: &mut Rng| extents.iter().map(|(_, n)| int(rng.between(0, n - 1))).collect::<Vec<_>>();
    let value = w.rhs.clone();
    let mut stmts = vec![alloc(t, elem, extents.iter().map(|(e, _)| e.clone()).collect::<Vec<_>>())];
    let at = cell(rng);
    stmts.push(assign(t, at.clone(), value.clone()));
    // Perhaps along a dimension, in a loop.
    if rank > 0 && rng.chance(40) {
        let (q, d) = (Sym::fresh("q"), rng.below(rank));
        let mut along = at.clone();
        if let (Some(slot), Some((extent, _))) = (along.get_mut(d), extents.get(d)) {
            *slot = var(q);
            stmts.push(for_(q, 0, extent.clone(), [assign(t, along, value.clone())]));
        }
    }
    if rng.chance(40) {
        let more = cell(rng);
        stmts.push(assign(t, more.clone(), value));
        stmts.push(assign(t, at.clone(), add(read(t, at.clone()), read(t, more))));
    }
    stmts.push(Write { rhs: read(t, at), ..w }.stmt());
    Some(p.session().root(edit(p.ast(), &path, &|b, i| replace(b, i, 1, &stmts))))
}

/// A statement once more, right after itself: programs then have loops with equal bodies, writes to one cell
/// after another, and the like, side by side.
fn doubled(p: &Proc, path: &[Step], s: &Stmt) -> Proc {
    p.session().root(edit(p.ast(), path, &|b, i| insert(b, i + 1, &copy(s))))
}

fn copy(s: &Stmt) -> Vec<Stmt> {
    fresh_copy(&Block::unit(s.clone())).iter().cloned().collect()
}

fn sizes(p: &Proc) -> Vec<Sym> {
    let size = |typ: &ArgType| *typ == ArgType::Control(ControlType::Size);
    p.ast().args.iter().filter(|a| size(&a.typ)).map(|a| a.name).collect()
}

/// A statement under a condition that always holds, with another branch beside it; or a loop that never runs
/// before it.
fn guarded(p: &Proc, path: &[Step], s: &Stmt, rng: &mut Rng) -> Proc {
    let binds = matches!(s.kind.as_ref(), StmtKind::Alloc { .. } | StmtKind::WindowStmt { .. });
    let all = sizes(p);
    let (false, Some(n)) = (binds, rng.pick(&all).copied()) else { return p.clone() };
    let instead = match rng.below(5) {
        0 => vec![if_(le(1, n), [s.clone()], copy(s))],
        1 => vec![if_(lt(n, 1), copy(s), [s.clone()])],
        2 => vec![if_(lt(1, n), [s.clone()], copy(s))],
        3 => vec![for_(Sym::fresh("q"), n, int(rng.between(0, 1)), copy(s)), s.clone()],
        _ => vec![for_(Sym::fresh("q"), n, add(n, -1), copy(s)), s.clone()],
    };
    p.session().root(edit(p.ast(), path, &|b, i| replace(b, i, 1, &instead)))
}

/// A write replaced by others.
fn with_writes(p: &Proc, rng: &mut Rng, f: &dyn Fn(Write, &mut Rng) -> Vec<Stmt>) -> Proc {
    let writes: Vec<(Vec<Step>, Write)> = paths(p.ast())
        .into_iter()
        .filter_map(|at| Some((at.clone(), Write::of(stmt_at(p.ast(), &at)?)?)))
        .collect();
    let Some((path, write)) = rng.pick(&writes).cloned() else { return p.clone() };
    let instead = f(write, rng);
    p.session().root(edit(p.ast(), &path, &|b, i| replace(b, i, 1, &instead)))
}

/// `x[i] = x[i] + e`
fn unfolded(w: Write, rng: &mut Rng) -> Stmt {
    let own = read(w.name, w.idx.clone());
    let e = w.rhs.clone();
    let rhs = match rng.below(4) {
        0 => add(own, e),
        1 => add(e, own),
        2 => sub(own, e),
        _ => add(add(e.clone(), own), e),
    };
    Write { kind: WriteKind::Assign, rhs, ..w }.stmt()
}

/// `x[i] = e + (e + e)`
fn nested(w: Write, rng: &mut Rng) -> Stmt {
    let (e, op) = (w.rhs.clone(), if rng.chance(80) { BinOp::Add } else { BinOp::Mul });
    let rhs = bin(op, e.clone(), bin(op, data(rng.between(0, 3), 0), e));
    Write { rhs, ..w }.stmt()
}

/// `x[i] = 0.0; for q in seq(0, n): x[i] += c * e`
fn scaled(w: Write, sizes: &[Sym], rng: &mut Rng) -> Vec<Stmt> {
    let cells = cells_of(&w.rhs);
    let factor = match rng.pick(&cells) {
        Some(cell) if rng.chance(70) => cell.clone(),
        _ => data(rng.between(1, 3), 0),
    };
    let product = |e: &Expr, rng: &mut Rng| match rng.below(3) {
        0 => mul(e.clone(), factor.clone()),
        _ => mul(factor.clone(), e.clone()),
    };
    let sum =
        |rng: &mut Rng| Write { kind: WriteKind::Reduce, rhs: product(&w.rhs, rng), ..w.clone() }.stmt();
    let q = Sym::fresh("q");
    let mut body = vec![sum(rng)];
    if rng.chance(30) {
        body = vec![if_(lt(q, rng.between(0, 2)), body, [sum(rng)])];
    }
    let hi: Expr = match rng.pick(sizes) {
        Some(n) if rng.chance(60) => sub(*n, rng.between(0, 1)),
        _ => int(rng.between(0, 3)),
    };
    let start = data(if rng.chance(90) { 0 } else { 1 }, 0);
    vec![Write { kind: WriteKind::Assign, rhs: start, ..w.clone() }.stmt(), for_(q, 0, hi, body)]
}

/// The cells that a data expression reads.
fn cells_of(e: &Expr) -> Vec<Expr> {
    let mut out = Vec::new();
    rewright_primitives::tools::syntax::operand::each_data_read(e, &mut |cell| out.push(cell.clone()));
    out
}

/// A control expression of a statement, longer than it need be.
fn obscured(p: &Proc, path: &[Step], s: &Stmt, rng: &mut Rng) -> Proc {
    let places = super::arguments::places_in(s, false);
    let Some(steps) = rng.pick(&places).cloned() else { return p.clone() };
    let at = ExprPath { stmt: path.to_vec(), steps };
    let Some(e) = rewright_primitives::cursor::path::expr_at(p.ast(), &at).cloned() else { return p.clone() };
    let control = is_integer(at.steps.last().copied());
    let k = rng.between(0, 3);
    let longer = match rng.below(4) {
        _ if !control => return p.clone(),
        0 => sub(add(e, k), k),
        1 => div(add(mul(4, e), k), 4),
        2 => div(mul(2, e), 2),
        _ => add(mul(0, e.clone()), e),
    };
    match with_expr_in(s, &at.steps, longer) {
        Some(new) => {
            p.session().root(edit(p.ast(), path, &|b, i| replace(b, i, 1, std::slice::from_ref(&new))))
        }
        None => p.clone(),
    }
}

/// Whether a control integer stands at such a place.
pub(super) fn is_integer(last: Option<ExprStep>) -> bool {
    matches!(
        last,
        Some(
            ExprStep::Idx(_)
                | ExprStep::Lo
                | ExprStep::Hi
                | ExprStep::From(_)
                | ExprStep::To(_)
                | ExprStep::Extent(_)
        )
    )
}

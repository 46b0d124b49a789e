//! Programs that may well be wrong: one thing changed in one that is right. What the front end is held
//! against.

use crate::holes::{block_at, edit, paths, replace};
use crate::rng::Rng;
use rewright_semantics::ast::{
    BinOp, Block, Config, Expr, ExprKind, LoopMode, Proc, Stmt, StmtKind, WinCoord, WindowExpr,
};
use rewright_semantics::build::{add, bin, div, int, mul, not, rem, var};
use rewright_semantics::types::{ArgType, ControlType, FieldType};
use std::sync::Arc;

/// What was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// An index of a write or reduction, by a few.
    WriteIndex,
    /// An index of a read.
    ReadIndex,
    /// A bound of a loop.
    Bound,
    /// A guard is gone: what it guarded always runs.
    GuardDropped,
    /// The branches have changed places.
    GuardNegated,
    /// An assertion of the procedure is gone.
    AssertionDropped,
    /// An extent of an argument.
    ArgumentExtent,
    /// An extent of an allocation.
    AllocationExtent,
    /// A loop has become parallel.
    Parallel,
    /// An end of a window.
    Window,
    /// A value written to a field.
    FieldValue,
    /// A control argument of a call.
    CallArgument,
    /// A callee asserts one thing more.
    CalleeAsserts,
    /// Two statements have changed places.
    Order,
}

/// The procedure with something changed; `None` where the change that was drawn does not apply.
pub fn perturb(p: &Proc, rng: &mut Rng) -> Option<(Change, Proc)> {
    if rng.chance(12) {
        return signature(p, rng);
    }
    let mut all = paths(p);
    if rng.chance(20) {
        let is_call = |at: &Vec<_>| {
            let s = block_at(p, at).and_then(|(b, i)| b.get(i));
            s.is_some_and(|s| matches!(s.kind.as_ref(), StmtKind::Call { .. }))
        };
        all.retain(is_call);
    }
    let at = rng.pick(&all).cloned()?;
    let (b, i) = block_at(p, &at)?;
    let (change, new, count) = statement(b, i, rng)?;
    let out = edit(p, &at, &|b: &Block, i| replace(b, i, count, &new));
    Some((change, out))
}

fn signature(p: &Proc, rng: &mut Rng) -> Option<(Change, Proc)> {
    let mut out = p.clone();
    if !p.preds.is_empty() && rng.chance(50) {
        out.preds.remove(rng.below(p.preds.len()));
        return Some((Change::AssertionDropped, out));
    }
    let k = rng.below(p.args.len());
    let ArgType::Data { typ, mem: _ } = &mut out.args.get_mut(k)?.typ else { return None };
    let mut shape = typ.shape.to_vec();
    let d = rng.below(shape.len().max(1));
    let e = shape.get_mut(d)?;
    *e = shift(e, rng);
    typ.shape = shape.into();
    Some((Change::ArgumentExtent, out))
}

/// By one or a few, in either direction; now and then by a factor, which no type rules out.
fn shift(e: &Expr, rng: &mut Rng) -> Expr {
    if rng.chance(12) {
        return if rng.chance(50) { mul(2, e.clone()) } else { div(e.clone(), 2) };
    }
    let by = [-1, 1, -1, 1, -2, 2, 3, -4][rng.below(8)];
    add(e.clone(), int(by))
}

/// What takes the place of `count` statements from the `i`th on.
fn statement(b: &Block, i: usize, rng: &mut Rng) -> Option<(Change, Vec<Stmt>, usize)> {
    let s = b.get(i)?;
    if rng.chance(8) {
        let next = b.get(i + 1)?;
        return Some((Change::Order, vec![next.clone(), s.clone()], 2));
    }
    let one = |change, kind| Some((change, vec![Stmt::new(kind)], 1));
    match s.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs } | StmtKind::Reduce { name, idx, rhs } => {
            let (mut idx, mut rhs) = (idx.to_vec(), rhs.clone());
            let change = if idx.is_empty() || rng.chance(40) {
                rhs = in_expr(&rhs, rng)?;
                Change::ReadIndex
            } else {
                let d = rng.below(idx.len());
                idx[d] = shift(&idx[d], rng);
                Change::WriteIndex
            };
            let (name, idx) = (*name, idx.into());
            if matches!(s.kind.as_ref(), StmtKind::Assign { .. }) {
                one(change, StmtKind::Assign { name, idx, rhs })
            } else {
                one(change, StmtKind::Reduce { name, idx, rhs })
            }
        }
        StmtKind::WriteConfig { config, field, rhs } => {
            is_number(config, *field).then_some(())?;
            let rhs = shift(rhs, rng);
            one(Change::FieldValue, StmtKind::WriteConfig { config: config.clone(), field: *field, rhs })
        }
        StmtKind::Pass => None,
        StmtKind::If { cond, body, orelse } => {
            if rng.chance(50) {
                return Some((Change::GuardDropped, body.iter().cloned().collect(), 1));
            }
            let (cond, body, orelse) = (not(cond.clone()), body.clone(), orelse.clone());
            one(Change::GuardNegated, StmtKind::If { cond, body, orelse })
        }
        StmtKind::For { iter, lo, hi, body, mode } => {
            let (iter, body) = (*iter, body.clone());
            if *mode == LoopMode::Seq && rng.chance(45) {
                let (lo, hi, mode) = (lo.clone(), hi.clone(), LoopMode::Par);
                return one(Change::Parallel, StmtKind::For { iter, lo, hi, body, mode });
            }
            let low = rng.chance(40);
            let lo = if low { shift(lo, rng) } else { lo.clone() };
            let hi = if low { hi.clone() } else { shift(hi, rng) };
            one(Change::Bound, StmtKind::For { iter, lo, hi, body, mode: *mode })
        }
        StmtKind::Alloc { name, typ, mem } => {
            let mut typ = typ.clone();
            let mut shape = typ.shape.to_vec();
            let d = rng.below(shape.len().max(1));
            *shape.get_mut(d)? = shift(shape.get(d)?, rng);
            typ.shape = shape.into();
            one(Change::AllocationExtent, StmtKind::Alloc { name: *name, typ, mem: *mem })
        }
        StmtKind::WindowStmt { name, rhs } => {
            one(Change::Window, StmtKind::WindowStmt { name: *name, rhs: in_window(rhs, rng) })
        }
        StmtKind::Call { proc, args } => call(proc, args, rng),
    }
}

fn is_number(config: &Config, field: rewright_semantics::sym::Name) -> bool {
    config.field(field).is_some_and(|f| match f.typ {
        FieldType::Control(ControlType::Int | ControlType::Index | ControlType::Size) => true,
        FieldType::Control(ControlType::Bool | ControlType::Stride) | FieldType::Data(_) => false,
    })
}

fn call(proc: &Arc<Proc>, args: &[Expr], rng: &mut Rng) -> Option<(Change, Vec<Stmt>, usize)> {
    let sizes: Vec<usize> = (0..args.len())
        .filter(|k| proc.args.get(*k).is_some_and(|a| a.typ == ArgType::Control(ControlType::Size)))
        .collect();
    if rng.chance(35) {
        let x = proc.args.get(*rng.pick(&sizes)?)?.name;
        let k = rng.between(2, 4);
        let more = if rng.chance(50) {
            bin(BinOp::Eq, rem(var(x), int(k)), int(0))
        } else {
            bin(BinOp::Le, var(x), int(4 * k))
        };
        let mut stricter = proc.as_ref().clone();
        stricter.preds.push(more);
        let kind = StmtKind::Call { proc: Arc::new(stricter), args: args.into() };
        return Some((Change::CalleeAsserts, vec![Stmt::new(kind)], 1));
    }
    let mut args = args.to_vec();
    let k = rng.below(args.len());
    let e = args.get_mut(k)?;
    let change = if let ExprKind::Window(w) = &e.kind {
        *e = Expr::new(ExprKind::Window(in_window(w, rng)));
        Change::Window
    } else if sizes.contains(&k) {
        *e = shift(e, rng);
        Change::CallArgument
    } else {
        *e = in_expr(e, rng)?;
        Change::ReadIndex
    };
    Some((change, vec![Stmt::new(StmtKind::Call { proc: proc.clone(), args: args.into() })], 1))
}

fn in_window(w: &WindowExpr, rng: &mut Rng) -> WindowExpr {
    let mut idx = w.idx.to_vec();
    let d = rng.below(idx.len());
    if let Some(c) = idx.get_mut(d) {
        *c = match &*c {
            WinCoord::Point(e) => WinCoord::Point(shift(e, rng)),
            WinCoord::Interval(lo, hi) if rng.chance(50) => WinCoord::Interval(shift(lo, rng), hi.clone()),
            WinCoord::Interval(lo, hi) => WinCoord::Interval(lo.clone(), shift(hi, rng)),
        };
    }
    WindowExpr { name: w.name, idx: idx.into() }
}

/// The expression with one index of its first access shifted; `None` without any.
fn in_expr(e: &Expr, rng: &mut Rng) -> Option<Expr> {
    let kind = match &e.kind {
        ExprKind::Read { name, idx } if !idx.is_empty() => {
            let mut idx = idx.to_vec();
            let d = rng.below(idx.len());
            idx[d] = shift(&idx[d], rng);
            ExprKind::Read { name: *name, idx: idx.into() }
        }
        ExprKind::Neg(a) => ExprKind::Neg(Arc::new(in_expr(a, rng)?)),
        ExprKind::Bin { op, lhs, rhs } => match in_expr(lhs, rng) {
            Some(lhs) => ExprKind::Bin { op: *op, lhs: Arc::new(lhs), rhs: rhs.clone() },
            None => ExprKind::Bin { op: *op, lhs: lhs.clone(), rhs: Arc::new(in_expr(rhs, rng)?) },
        },
        ExprKind::Extern { func, args } => {
            let (k, new) = args.iter().enumerate().find_map(|(k, a)| Some((k, in_expr(a, rng)?)))?;
            let mut args = args.to_vec();
            args[k] = new;
            ExprKind::Extern { func: *func, args: args.into() }
        }
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Not(_)
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => return None,
    };
    Some(Expr::new(kind))
}

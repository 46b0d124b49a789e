//! A window of a buffer that statements are to use through a buffer of its own. Spec: [rule: buffers].

use crate::cursor::path::{ExprStep, Step, stmt_at};
use crate::kept::Dims;
use crate::tools::buffers::relayout::reads_config;
use crate::tools::buffers::uses::rest_of_block;
use crate::tools::buffers::uses::{Spelling, Use, What};
use crate::tools::buffers::views::{observations, strides_asked};
use rewright_effects::context::Context;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::env::{Selected, View};
use rewright_effects::lift::lift_coord;
use rewright_semantics::ast::{Expr, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::build::{
    and, assign, block, data, for_, if_, int, interval, le, lt, point, read, reduce, var,
};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::{self, Form};
use rewright_semantics::types::env::TypeEnv;
use rewright_semantics::types::{BufferType, MemName};
use std::collections::BTreeSet;

/// A window, and the buffer that stands for it.
#[derive(Clone, Debug)]
pub struct Staged {
    /// The buffer.
    pub from: Sym,
    /// The window.
    pub coords: Vec<WinCoord>,
    /// Its coordinates as values, where the statements begin.
    pub values: Vec<Selected>,
    /// The buffer's type; its extents are in the names of the place.
    pub typ: BufferType,
    /// The buffer's memory.
    pub mem: MemName,
    /// What the buffer shows, as values.
    pub view: View,
    /// The new buffer.
    pub tmp: Sym,
    /// How indices are written.
    pub form: Form,
}

/// What the cells of one buffer become on the way to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copy {
    /// `tmp[…] = x[…]`
    Load,
    /// `tmp[…] = 0.0`
    Clear,
    /// `x[…] = tmp[…]`
    Store,
    /// `x[…] += tmp[…]`
    Accumulate,
}

impl Staged {
    /// The window at a place; `None` when the buffer is not in scope there.
    pub fn at(ctx: &Context, types: &TypeEnv, w: &WindowExpr, tmp: Sym, form: Form) -> Option<Staged> {
        let (typ, mem) = (types.buffer(w.name)?.clone(), types.memory(w.name)?);
        let view = ctx.env.view(w.name).filter(|v| v.extents.len() == w.idx.len())?.clone();
        let values = w.idx.iter().map(|c| lift_coord(&ctx.env, c)).collect();
        Some(Staged { from: w.name, coords: w.idx.to_vec(), values, typ, mem, view, tmp, form })
    }

    /// The part of the buffer, as values.
    pub fn part(&self) -> View {
        self.view.select(&self.values)
    }

    /// The numbers of the dimensions that the window keeps.
    fn kept(&self) -> impl Iterator<Item = usize> {
        let kept = self.coords.iter().enumerate().filter(|(_, c)| matches!(c, WinCoord::Interval(..)));
        kept.map(|(d, _)| d)
    }

    /// Where each dimension of the buffer is in the new one.
    pub fn dims(&self) -> Dims {
        Dims::new(self.coords.len(), |d| self.kept().position(|kept| kept == d))
    }

    /// The extents of the new buffer.
    pub fn shape(&self) -> Vec<Expr> {
        let extent = |c: &WinCoord| match c {
            WinCoord::Point(_) => None,
            WinCoord::Interval(lo, hi) => Some(self.form.sub(hi.clone(), lo.clone())),
        };
        self.coords.iter().filter_map(extent).collect()
    }

    /// The allocation of the new buffer.
    pub fn alloc(&self) -> Stmt {
        let typ = BufferType::tensor(self.typ.elem, self.shape());
        Stmt::new(StmtKind::Alloc { name: self.tmp, typ, mem: self.mem })
    }

    /// Every expression in the coordinates.
    pub fn ends(&self) -> impl Iterator<Item = &Expr> {
        self.coords.iter().flat_map(|c| match c {
            WinCoord::Point(e) => vec![e],
            WinCoord::Interval(lo, hi) => vec![lo, hi],
        })
    }

    /// Whether what a use means is all in the window; `None` when the new buffer cannot express it.
    pub fn holds(&self, ctx: &Context, u: &Use) -> Option<EffExpr> {
        let each = self.values.iter().zip(self.meant(ctx, u)?);
        let inside = each.map(|(staged, used)| match (staged, used) {
            (Selected::Point(e), Selected::Point(i)) => Some(EffExpr::eq(e.clone(), i)),
            (Selected::Interval(lo, hi), Selected::Point(i)) => {
                Some(EffExpr::and([EffExpr::le(lo.clone(), i.clone()), EffExpr::lt(i, hi.clone())]))
            }
            (Selected::Interval(lo, hi), Selected::Interval(p, q)) => {
                Some(EffExpr::and([EffExpr::le(lo.clone(), p), EffExpr::le(q, hi.clone())]))
            }
            (Selected::Point(_), Selected::Interval(..)) => None,
        });
        let inside: Vec<EffExpr> = inside.collect::<Option<_>>()?;
        Some(EffExpr::definitely(EffExpr::and(inside)))
    }

    /// Whether what a use means has no cell in the window.
    pub fn misses(&self, ctx: &Context, u: &Use) -> EffExpr {
        let Some(used) = self.meant(ctx, u) else { return EffExpr::bool(false) };
        let apart = self.values.iter().zip(used).map(|(staged, used)| {
            let ((lo, hi), (p, q)) = (ends(staged), ends(&used));
            EffExpr::or([EffExpr::le(hi, p.clone()), EffExpr::le(q.clone(), lo), EffExpr::le(q, p)])
        });
        EffExpr::definitely(EffExpr::or(apart.collect::<Vec<_>>()))
    }

    /// The cells that a use means, as coordinates of the buffer.
    fn meant(&self, ctx: &Context, u: &Use) -> Option<Vec<Selected>> {
        Some(match &u.what {
            What::Assigned(idx) | What::Reduced(idx) | What::Read(idx) | What::CellPassed(idx) => {
                idx.iter().map(|e| Selected::Point(ctx.lift(e))).collect()
            }
            What::PartPassed(w) | What::Viewed(_, w) => {
                w.idx.iter().map(|c| lift_coord(&ctx.env, c)).collect()
            }
            What::Passed { .. } => {
                let whole = |n: &EffExpr| Selected::Interval(EffExpr::int(0), n.clone());
                self.view.extents.iter().map(whole).collect()
            }
            What::Stride(_) => return None,
        })
    }

    /// A use that is within the window in terms of the new buffer; `None` when it cannot be expressed.
    pub fn spelling(&self, u: &Use) -> Option<Spelling> {
        match &u.what {
            What::Assigned(idx) | What::Reduced(idx) | What::Read(idx) | What::CellPassed(idx) => {
                let at = self.coords.iter().zip(idx.iter()).filter_map(|(c, i)| match c {
                    WinCoord::Point(_) => None,
                    WinCoord::Interval(lo, _) => Some(self.form.sub(i.clone(), lo.clone())),
                });
                Some(Spelling::Cell(self.tmp, at.collect()))
            }
            What::PartPassed(w) | What::Viewed(_, w) => self.window(&w.idx),
            What::Passed { as_window } => {
                if self.is_whole() {
                    return Some(Spelling::Whole(self.tmp));
                }
                let stable = !self.typ.shape.iter().any(reads_config);
                let all: Vec<WinCoord> = self.typ.shape.iter().map(|n| interval(int(0), n.clone())).collect();
                (*as_window && stable).then(|| self.window(&all))?
            }
            What::Stride(_) => None,
        }
    }

    /// Whether a cell of the new buffer, at these indices, stands for a cell of the old one.
    pub fn stands_for_a_cell(&self, idx: &[EffExpr]) -> EffExpr {
        let mut offsets = idx.iter();
        let within = self.values.iter().zip(&self.view.extents).map(|(c, extent)| {
            let i = match c {
                Selected::Point(e) => e.clone(),
                Selected::Interval(lo, _) => {
                    offsets.next().map_or(lo.clone(), |k| EffExpr::add(lo.clone(), k.clone()))
                }
            };
            EffExpr::and([EffExpr::le(EffExpr::int(0), i.clone()), EffExpr::lt(i, extent.clone())])
        });
        EffExpr::and(within.collect::<Vec<_>>())
    }

    /// Whether the window plainly is all of the buffer.
    fn is_whole(&self) -> bool {
        self.values.iter().zip(&self.view.extents).all(|(c, n)| match c {
            Selected::Point(_) => false,
            Selected::Interval(lo, hi) => *lo == EffExpr::int(0) && hi == n,
        })
    }

    fn window(&self, w: &[WinCoord]) -> Option<Spelling> {
        let at = self.coords.iter().zip(w).filter_map(|(c, used)| match (c, used) {
            (WinCoord::Point(_), _) => None,
            (WinCoord::Interval(lo, _), WinCoord::Point(i)) => {
                Some(point(self.form.sub(i.clone(), lo.clone())))
            }
            (WinCoord::Interval(lo, _), WinCoord::Interval(p, q)) => {
                Some(interval(self.form.sub(p.clone(), lo.clone()), self.form.sub(q.clone(), lo.clone())))
            }
        });
        let idx: Vec<WinCoord> = at.collect();
        let clash = self
            .coords
            .iter()
            .zip(w)
            .any(|pair| matches!(pair, (WinCoord::Point(_), WinCoord::Interval(..))));
        (!clash).then(|| Spelling::Part(WindowExpr { name: self.tmp, idx: idx.into() }))
    }

    /// The dimensions of the buffer whose strides are asked for through a use that is now one of the new buffer.
    pub fn strides_seen(&self, p: &Proc, u: &Use) -> BTreeSet<usize> {
        let all: Vec<usize> = (0..self.coords.len()).collect();
        let kept = |w: &WindowExpr| -> Vec<usize> {
            let intervals = w.idx.iter().enumerate().filter(|(_, c)| matches!(c, WinCoord::Interval(..)));
            intervals.map(|(d, _)| d).collect()
        };
        let (dims, asked) = match &u.what {
            What::Passed { .. } => (all, self.asked_by_callee(p, &u.stmt, &u.steps)),
            What::PartPassed(w) => (kept(w), self.asked_by_callee(p, &u.stmt, &u.steps)),
            What::Viewed(name, w) => {
                let dims = kept(w);
                let seen = observations(p, &rest_of_block(p, &u.stmt), *name, dims.len());
                (dims, seen.into_iter().map(|o| o.dim).collect())
            }
            What::Assigned(_) | What::Reduced(_) | What::Read(_) | What::CellPassed(_) | What::Stride(_) => {
                return BTreeSet::new();
            }
        };
        asked.into_iter().filter_map(|d| dims.get(d).copied()).collect()
    }

    fn asked_by_callee(&self, p: &Proc, stmt: &[Step], steps: &[ExprStep]) -> BTreeSet<usize> {
        match (stmt_at(p, stmt).map(|s| s.kind.as_ref()), steps.first()) {
            (Some(StmtKind::Call { proc, .. }), Some(ExprStep::Arg(k))) => strides_asked(proc, *k),
            _ => BTreeSet::new(),
        }
    }

    /// The stride of the buffer along one of its dimensions, and that of the new one along the same.
    pub fn strides(&self, tmp: &View, dim: usize) -> Option<(EffExpr, EffExpr)> {
        let nth = self.kept().position(|d| d == dim)?;
        Some((self.view.strides.get(dim)?.clone(), tmp.strides.get(nth)?.clone()))
    }

    /// What an index of the buffer must be asked: whether it is at least 0, and below the extent. Only dimensions
    /// of which `safe` does not say so.
    fn guards(&self, at: &[Expr], safe: &[[bool; 2]]) -> Option<Expr> {
        let each = at.iter().zip(self.typ.shape.iter()).zip(safe).flat_map(|((i, n), [above, below])| {
            let low = (!above).then(|| le(int(0), i.clone()));
            let high = (!below).then(|| lt(i.clone(), n.clone()));
            [low, high]
        });
        each.flatten().reduce(and)
    }

    /// The loops that copy the window, or clear what stands for it.
    pub fn copy(&self, how: Copy, safe: &[[bool; 2]]) -> Stmt {
        let iters: Vec<Sym> =
            self.kept().enumerate().map(|(k, _)| Sym::fresh(format!("i{k}").as_str())).collect();
        let (mut next, here) = (iters.iter(), |lo: &Expr, i: &Sym| match self.form {
            Form::Short => fold::add(lo.clone(), var(*i)),
            Form::Literal => self.form.add(var(*i), lo.clone()),
        });
        let at: Vec<Expr> = self
            .coords
            .iter()
            .map(|c| match c {
                WinCoord::Point(e) => e.clone(),
                WinCoord::Interval(lo, _) => next.next().map_or(lo.clone(), |i| here(lo, i)),
            })
            .collect();
        let place: Vec<Expr> = iters.iter().map(|i| var(*i)).collect();
        let (x, tmp) = (|| read(self.from, at.clone()), || read(self.tmp, place.clone()));
        let one = match how {
            Copy::Load => assign(self.tmp, place.clone(), x()),
            Copy::Clear => assign(self.tmp, place.clone(), data(0, 0)),
            Copy::Store => assign(self.from, at.clone(), tmp()),
            Copy::Accumulate => reduce(self.from, at.clone(), tmp()),
        };
        let guard = if how == Copy::Clear { None } else { self.guards(&at, safe) };
        let inner = guard.map_or(one.clone(), |cond| if_(cond, [one], []));
        let loops = iters.into_iter().zip(self.shape()).rev();
        loops.fold(inner, |s, (i, n)| for_(i, int(0), n, block([s])))
    }
}

/// The first value, and one past the last.
fn ends(c: &Selected) -> (EffExpr, EffExpr) {
    match c {
        Selected::Point(e) => (e.clone(), EffExpr::add(e.clone(), EffExpr::int(1))),
        Selected::Interval(lo, hi) => (lo.clone(), hi.clone()),
    }
}

//! Which cells a statement touches, in terms of the buffer that owns them.

use crate::c::affine::Affine;
use crate::c::bindings::Bindings;
use crate::c::usage::{Program, passed_name};
use rewright_semantics::ast::{Expr, ExprKind, Proc, WinCoord, WindowExpr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use std::sync::Arc;

/// How a cell is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccessKind {
    Read,
    Write,
    Reduce,
}

impl AccessKind {
    pub(super) fn writes(self) -> bool {
        match self {
            AccessKind::Read => false,
            AccessKind::Write | AccessKind::Reduce => true,
        }
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            AccessKind::Read => "read here",
            AccessKind::Write => "written here",
            AccessKind::Reduce => "added to here",
        }
    }
}

/// Cells touched by one iteration: per dimension the least and the greatest index, in terms of what is
/// bound outside the loop's body; `None` for any index.
#[derive(Clone, Debug)]
pub(super) struct AccessRange {
    pub(super) root: Sym,
    pub(super) kind: AccessKind,
    pub(super) ranges: Vec<Option<(Affine, Affine)>>,
    pub(super) span: Span,
}

/// The least and the greatest index, both inclusive; `None` for any.
type Interval = Option<(Affine, Affine)>;

/// The buffer that an expression is a part of, and the interval of indices it covers in each dimension.
pub(super) fn coordinates(e: &Expr, bindings: &Bindings) -> Option<(Sym, Vec<Interval>)> {
    let (name, local) = match &e.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => {
            let rank = bindings.buffer(*name)?.rank;
            (*name, vec![None; rank])
        }
        ExprKind::Read { name, idx } => {
            let point = |e: &Expr| Affine::of(e).ok().map(|a| (a.clone(), a));
            (*name, idx.iter().map(point).collect())
        }
        ExprKind::Window(w) => (w.name, w.idx.iter().map(interval).collect()),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => return None,
    };
    bindings.buffer(name)?;
    Some(through_windows(name, local, bindings))
}

fn interval(c: &WinCoord) -> Interval {
    match c {
        WinCoord::Point(e) => fixed(e).map(|a| (a.clone(), a)),
        WinCoord::Interval(lo, hi) => {
            let last = Affine::of(hi).ok()?.plus_scaled(-1, &Affine::constant(1)).ok()?;
            Some((fixed(lo)?, last)).filter(|(_, last)| !last.reads_config())
        }
    }
}

/// A coordinate of a window that means the same wherever the window is used: a configuration field may
/// have changed since.
fn fixed(e: &Expr) -> Option<Affine> {
    Affine::of(e).ok().filter(|a| !a.reads_config())
}

/// Coordinates of a window of a window … as coordinates of the buffer.
fn through_windows(name: Sym, local: Vec<Interval>, bindings: &Bindings) -> (Sym, Vec<Interval>) {
    let (mut name, mut coords) = (name, local);
    while let Some(source) = bindings.buffer(name).and_then(|b| b.source.as_ref()) {
        coords = through_window(source, coords);
        name = source.name;
    }
    (name, coords)
}

fn through_window(source: &WindowExpr, inner: Vec<Interval>) -> Vec<Interval> {
    let mut inner = inner.into_iter();
    let shifted = |lo: &Expr, i: Interval| {
        let (lo, (first, last)) = (fixed(lo)?, i?);
        Some((lo.plus_scaled(1, &first).ok()?, lo.plus_scaled(1, &last).ok()?))
    };
    source
        .idx
        .iter()
        .map(|c| match c {
            WinCoord::Point(_) => interval(c),
            // Where any index of the window may be meant, the window's own bounds hold.
            WinCoord::Interval(lo, _) => match inner.next() {
                Some(Some(i)) => shifted(lo, Some(i)),
                Some(None) | None => interval(c),
            },
        })
        .collect()
}

/// The buffers that a call touches, and how: what the callee writes counts as written.
pub(super) fn of_call<'a>(p: &Arc<Proc>, args: &'a [Expr], program: &Program) -> Vec<(&'a Expr, AccessKind)> {
    let kind = |k: usize| if program.writes_argument(p, k) { AccessKind::Write } else { AccessKind::Read };
    args.iter().enumerate().filter(|(_, e)| passed_name(e).is_some()).map(|(k, e)| (e, kind(k))).collect()
}

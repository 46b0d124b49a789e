//! Window expressions taken apart and put together. Spec: [rule: inline_window].

use rewright_semantics::ast::{Expr, WinCoord, WindowExpr};
use rewright_semantics::build::{interval, point};
use rewright_semantics::syntax::fold::{self, Form};

/// `w[idx]` as a cell of the buffer.
pub fn cell(form: Form, shown: &WindowExpr, idx: &[Expr]) -> Vec<Expr> {
    let mut inner = idx.iter();
    shown
        .idx
        .iter()
        .map(|c| match c {
            WinCoord::Point(e) => e.clone(),
            WinCoord::Interval(lo, _) => inner.next().map_or(lo.clone(), |i| shifted(form, lo, i)),
        })
        .collect()
}

/// `w[coords]` as a window of the buffer.
pub fn composed(form: Form, shown: &WindowExpr, coords: &[WinCoord]) -> Vec<WinCoord> {
    let mut inner = coords.iter();
    let shifted = |lo: &Expr, e: &Expr| shifted(form, lo, e);
    shown
        .idx
        .iter()
        .map(|c| match c {
            WinCoord::Point(e) => point(e.clone()),
            WinCoord::Interval(lo, hi) => match inner.next() {
                Some(WinCoord::Point(e)) => point(shifted(lo, e)),
                Some(WinCoord::Interval(from, to)) => interval(shifted(lo, from), shifted(lo, to)),
                None => interval(lo.clone(), hi.clone()),
            },
        })
        .collect()
}

/// An index of the window as one of the buffer.
fn shifted(form: Form, lo: &Expr, e: &Expr) -> Expr {
    match form {
        Form::Short => fold::add(lo.clone(), e.clone()),
        Form::Literal => form.add(e.clone(), lo.clone()),
    }
}

/// The expressions in a window.
pub fn ends(w: &WindowExpr) -> Vec<&Expr> {
    let mut out = Vec::new();
    for c in w.idx.iter() {
        match c {
            WinCoord::Point(e) => out.push(e),
            WinCoord::Interval(lo, hi) => out.extend([lo, hi]),
        }
    }
    out
}

/// The dimension of the buffer along which dimension `d` of the window runs.
pub fn kept(w: &WindowExpr, d: usize) -> Option<usize> {
    let kept = w.idx.iter().enumerate().filter(|(_, c)| matches!(c, WinCoord::Interval(..)));
    kept.map(|(k, _)| k).nth(d)
}

/// The indices, where all coordinates are points.
pub fn points(w: &WindowExpr) -> Option<Vec<Expr>> {
    let point = |c: &WinCoord| match c {
        WinCoord::Point(e) => Some(e.clone()),
        WinCoord::Interval(..) => None,
    };
    w.idx.iter().map(point).collect()
}

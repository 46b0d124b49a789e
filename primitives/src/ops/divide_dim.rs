//! ```text
//! a: T[12, m]             a: T[3, 4, m]            # dim_idx = 0, quotient = 4
//! s[a[i, j]]      ~>      s[a[i / 4, i % 4, j]]
//! ```
//! The cells stay where they are in memory, so that no stride changes. A window may cut the dimension as long as it
//! stays within one of the new rows.
//!
//! Source: ASPLOS'25 App. A.5, which asks for a constant extent and refuses windows. Spec: [rule: divide_dim].

use crate::cursor::At;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Dims;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::relayout::{Buffer, Cells, Contexts, WINDOWS, part};
use crate::tools::buffers::uses::Spelling;
use crate::version::Proc;
use rewright_effects::context::Context;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Expr, WinCoord};
use rewright_semantics::build::{interval, point, stride};
use rewright_semantics::syntax::fold;

const DIVIDES: Condition = condition("divides", "the extent is a multiple of the quotient")
    .advise("`resize_dim` makes the extent a multiple first");
const ONE_ROW: Condition =
    condition("one_row", "a window that keeps the dimension is within one row of the new ones");

/// The entry of [`divide_dim`].
pub static DIVIDE_DIM: Primitive = Primitive {
    name: "divide_dim",
    summary: "splits a dimension of a buffer into rows of constant length",
    source: "ASPLOS'25 App. A.5",
    params: &[
        required("alloc_cursor", ArgKind::Alloc),
        required("dim_idx", ArgKind::Dim),
        required("quotient", ArgKind::Int),
    ],
    conditions: &[DIVIDES, ONE_ROW, WINDOWS],
    exact: Exact::Never,
    run: |p, args| divide_dim(p, args.at("alloc_cursor")?, args.int("dim_idx")?, args.int("quotient")?),
};

/// Splits a dimension into two, the inner one of extent `quotient`.
///
/// # Errors
/// A condition fails, the quotient is below 1, or there is no such dimension.
pub fn divide_dim(p: &Proc, at: impl Into<At>, dim: i64, quotient: i64) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &DIVIDE_DIM);
    rw.at_stmt("alloc_cursor", &path);
    rw.arg("dim_idx", dim);
    rw.arg("quotient", quotient);
    if quotient < 1 {
        return Err(rw.wrong_argument(format!("the quotient must be at least 1, not {quotient}")));
    }
    let a = Buffer::at(&rw, p.ast(), &path)?;
    let dim = a.dim(&rw, dim)?;
    let extent = a.typ.shape.get(dim).cloned().ok_or_else(|| rw.internal("no such dimension"))?;
    let ctx = rw.context_of(&path)?;
    let size = ctx.lift(&extent);
    let form = rw.form();
    let (mut one_row, mut contexts) = (Vec::new(), Contexts::default());
    let spellings = a.respell(&rw, |u, access| {
        Ok(match access {
            Cells::Cell(idx) => {
                let split =
                    |e: &Expr| vec![form.quotient(e.clone(), quotient), form.remainder(e.clone(), quotient)];
                Some(Spelling::Cell(a.name, replaced(idx, dim, split)))
            }
            Cells::Part(w) => {
                if let Some(WinCoord::Interval(lo, hi)) = w.get(dim) {
                    let here = contexts.at(&rw, &u.stmt)?;
                    one_row.push(within_row(here, (lo, hi), &size, quotient).at(u.span, "this window"));
                }
                Some(part(a.name, replaced(w, dim, |c| split_coord(c, quotient))))
            }
            Cells::Whole { .. } => None,
            Cells::Stride(d) => Some(Spelling::Value(stride(a.name, if d < dim { d } else { d + 1 }))),
        })
    })?;
    let whole = EffExpr::eq(EffExpr::modulo(size.clone(), quotient), EffExpr::int(0));
    let sentence = format!("the extent {size} is a multiple of {quotient}");
    let divides = ctx.obligation(ConditionId("holds"), sentence, EffExpr::definitely(whole));
    rw.require(&DIVIDES, [divides.at(a.span, "this buffer")])?;
    rw.require(&ONE_ROW, one_row)?;
    let rows = |e: &Expr| {
        let count = match fold::as_int(e) {
            Some(_) => fold::quotient(e.clone(), quotient),
            None => form.quotient(e.clone(), quotient),
        };
        vec![count, quotient.into()]
    };
    let dims = Dims::new(a.typ.rank(), |d| (d != dim).then_some(if d < dim { d } else { d + 1 }));
    a.reshape(&mut rw, replaced(&a.typ.shape, dim, rows), spellings, &dims);
    rw.finish()
}

impl Proc {
    /// Splits a dimension of a buffer into rows of constant length: [`divide_dim`](fn@divide_dim).
    ///
    /// # Errors
    /// As the function.
    pub fn divide_dim(&self, at: impl Into<At>, dim: i64, quotient: i64) -> Result<Proc> {
        divide_dim(self, at, dim, quotient)
    }
}

/// `e` is a row, and `lo:hi` is within it.
fn split_coord(c: &WinCoord, quotient: i64) -> Vec<WinCoord> {
    let row = |e: &Expr| fold::quotient(e.clone(), quotient);
    let column = |e: &Expr| fold::remainder(e.clone(), quotient);
    match c {
        WinCoord::Point(e) => vec![point(row(e)), point(column(e))],
        WinCoord::Interval(lo, hi) => {
            let end = fold::add(column(lo), fold::sub(hi.clone(), lo.clone()));
            vec![point(row(lo)), interval(column(lo), end)]
        }
    }
}

/// `lo < extent and lo % c + (hi - lo) ≤ c`: the first, so that an empty window at the end has a row too.
fn within_row(ctx: &Context, (lo, hi): (&Expr, &Expr), extent: &EffExpr, quotient: i64) -> Obligation {
    let (lo, hi) = (ctx.lift(lo), ctx.lift(hi));
    let sentence = format!("the window {lo}:{hi} is within one row of {quotient}");
    let column = EffExpr::modulo(lo.clone(), quotient);
    let end = EffExpr::add(column, EffExpr::sub(hi, lo.clone()));
    let formula = EffExpr::and([EffExpr::lt(lo, extent.clone()), EffExpr::le(end, EffExpr::int(quotient))]);
    ctx.obligation(ConditionId("holds"), sentence, EffExpr::definitely(formula))
}

/// The list with what `f` makes of one of its members in its place.
fn replaced<T: Clone>(old: &[T], at: usize, f: impl Fn(&T) -> Vec<T>) -> Vec<T> {
    old.iter().enumerate().flat_map(|(d, x)| if d == at { f(x) } else { vec![x.clone()] }).collect()
}

//! ```text
//! a: T[n, …]              a: T[size, n, …]
//! s[a[i, …]]      ~>      s[a[e, i, …]]
//! ```
//! `size` and `e` are control expressions in the names in scope at the allocation. Windows and arguments made from
//! `a` get the point `e` in front; the strides of the old dimensions do not change.
//!
//! Source: ASPLOS'25 App. A.5. Spec: [rule: expand_dim].

use crate::cursor::At;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Dims;
use crate::registry::{ArgKind, Condition, Exact, ExprArg, Primitive, condition, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::buffers::relayout::{Buffer, Cells, Contexts, WINDOWS, index_within, part, same_value};
use crate::tools::buffers::uses::Spelling;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::ast::{Expr, WinCoord};
use rewright_semantics::build::{point, stride};

const POSITIVE: Condition = condition("positive", "the size of the new dimension is at least 1");
const IN_BOUNDS: Condition =
    condition("in_bounds", "the place in the new dimension is within it wherever the buffer is used");
const STABLE: Condition =
    condition("stable", "the place in the new dimension is the same at every use of the buffer");

/// The entry of [`expand_dim`].
pub static EXPAND_DIM: Primitive = Primitive {
    name: "expand_dim",
    summary: "gives a buffer one more dimension, of which one place is used",
    source: "ASPLOS'25 App. A.5",
    params: &[
        required("buf_cursor", ArgKind::Alloc),
        required("alloc_dim", ArgKind::Control),
        required("indexing_expr", ArgKind::Control),
    ],
    conditions: &[POSITIVE, IN_BOUNDS, STABLE, READABLE, WINDOWS],
    exact: Exact::Never,
    run: |p, args| {
        expand_dim(p, args.at("buf_cursor")?, &args.text("alloc_dim")?, &args.text("indexing_expr")?)
    },
};

/// Puts a dimension of `size` in front of a buffer's others, and uses the place `index` of it.
///
/// # Errors
/// A condition fails, an expression cannot be read, or there is no allocation.
pub fn expand_dim(
    p: &Proc,
    at: impl Into<At>,
    size: impl Into<ExprArg>,
    index: impl Into<ExprArg>,
) -> Result<Proc> {
    let size: &str = &size.into().0;
    let index: &str = &index.into().0;
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &EXPAND_DIM);
    rw.at_stmt("buf_cursor", &path);
    rw.arg("alloc_dim", size);
    rw.arg("indexing_expr", index);
    let size = rw.control(&path, size)?;
    let e = rw.control(&path, index)?;
    let a = Buffer::at(&rw, p.ast(), &path)?;
    let ctx = rw.context_of(&path)?;
    let (extent, value) = (ctx.lift(&size), ctx.lift(&e));
    let (mut within, mut same, mut contexts) = (Vec::new(), Vec::new(), Contexts::default());
    let spellings = a.respell(&rw, |u, access| {
        let front = |rest: &[WinCoord]| -> Vec<WinCoord> {
            std::iter::once(point(e.clone())).chain(rest.iter().cloned()).collect()
        };
        let new = match access {
            Cells::Stride(d) => return Ok(Some(Spelling::Value(stride(a.name, d + 1)))),
            Cells::Cell(idx) => Spelling::Cell(a.name, prepended(&e, idx)),
            Cells::Part(w) => part(a.name, front(w)),
            // Whole behind one place, it is dense, as a tensor is.
            Cells::Whole { all, as_window: _ } => part(a.name, front(&all)),
        };
        let here = contexts.at(&rw, &u.stmt)?;
        within.push(index_within(here, u, &e, &extent));
        same.extend(same_value(here, u, &e, &value));
        Ok(Some(new))
    })?;
    rw.require_readable(&path, &[&size, &e], &a.typ.shape, None)?;
    rw.require(&POSITIVE, [conditions::positive(&ctx, &size)])?;
    rw.require(&IN_BOUNDS, within)?;
    rw.require(&STABLE, same)?;
    for u in &a.uses {
        rw.require_no_race(&u.stmt, &[&e])?;
    }
    let behind = Dims::new(a.typ.rank(), |d| Some(d + 1));
    a.reshape(&mut rw, prepended(&size, &a.typ.shape), spellings, &behind);
    rw.finish()
}

impl Proc {
    /// Gives a buffer one more dimension, of which one place is used: [`expand_dim`](fn@expand_dim).
    ///
    /// # Errors
    /// As the function.
    pub fn expand_dim(
        &self,
        at: impl Into<At>,
        size: impl Into<ExprArg>,
        index: impl Into<ExprArg>,
    ) -> Result<Proc> {
        expand_dim(self, at, size, index)
    }
}

fn prepended(first: &Expr, rest: &[Expr]) -> Vec<Expr> {
    std::iter::once(first).chain(rest).cloned().collect()
}

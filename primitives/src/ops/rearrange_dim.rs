//! ```text
//! a: T[n, m, k]           a: T[k, n, m]            # permute_vector = [2, 0, 1]
//! s[a[i, j, l]]   ~>      s[a[l, i, j]]
//! ```
//! Source: ASPLOS'25 App. A.5, which refuses all windows and calls. Spec: [rule: rearrange_dim].

use crate::cursor::At;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Dims;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::relayout::{Buffer, Cells, WINDOWS, part};
use crate::tools::buffers::uses::Spelling;
use crate::version::Proc;
use rewright_semantics::ast::WinCoord;
use rewright_semantics::build::stride;

const STRIDES: Condition = condition("strides", "no stride that the program asks for changes");

/// The entry of [`rearrange_dim`].
pub static REARRANGE_DIM: Primitive = Primitive {
    name: "rearrange_dim",
    summary: "puts the dimensions of a buffer in another order",
    source: "ASPLOS'25 App. A.5",
    params: &[required("buf_cursor", ArgKind::Alloc), required("permute_vector", ArgKind::Permutation)],
    conditions: &[WINDOWS, STRIDES],
    exact: Exact::Never,
    run: |p, args| rearrange_dim(p, args.at("buf_cursor")?, &args.ints("permute_vector")?),
};

/// Puts the dimensions of a buffer in another order: the new dimension `k` is the old one `order[k]`.
///
/// # Errors
/// A condition fails, the numbers are not those of the dimensions, or there is no allocation.
pub fn rearrange_dim(p: &Proc, at: impl Into<At>, order: &[i64]) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &REARRANGE_DIM);
    rw.at_stmt("buf_cursor", &path);
    rw.arg("permute_vector", order);
    let a = Buffer::at(&rw, p.ast(), &path)?;
    let order = permutation(order, a.typ.rank()).ok_or_else(|| {
        rw.wrong_argument(format!("{order:?} is no order of the numbers below {}", a.typ.rank()))
    })?;
    let to = |d: usize| order.iter().position(|from| *from == d);
    let spellings = a.respell(&rw, |_, access| {
        Ok(match access {
            Cells::Cell(idx) => Some(Spelling::Cell(a.name, permuted(idx, &order))),
            Cells::Part(w) => kept_in_order(w, &order).then(|| part(a.name, permuted(w, &order))),
            Cells::Whole { all, as_window: _ } => {
                kept_in_order(&all, &order).then_some(Spelling::Whole(a.name))
            }
            Cells::Stride(d) => to(d).map(|d| Spelling::Value(stride(a.name, d))),
        })
    })?;
    let shape = permuted(&a.typ.shape, &order);
    let strides = a.same_strides(&rw, p.ast(), &shape, to)?;
    rw.require(&STRIDES, strides)?;
    a.reshape(&mut rw, shape, spellings, &Dims::new(a.typ.rank(), to));
    rw.finish()
}

impl Proc {
    /// Puts the dimensions of a buffer in another order: [`rearrange_dim`](fn@rearrange_dim).
    ///
    /// # Errors
    /// As the function.
    pub fn rearrange_dim(&self, at: impl Into<At>, order: &[i64]) -> Result<Proc> {
        rearrange_dim(self, at, order)
    }
}

/// The order, when each number below `rank` occurs in it once.
fn permutation(order: &[i64], rank: usize) -> Option<Vec<usize>> {
    let out: Vec<usize> = order.iter().filter_map(|d| usize::try_from(*d).ok()).collect();
    let complete = (0..rank).all(|d| out.contains(&d)) && out.len() == rank && order.len() == rank;
    complete.then_some(out)
}

fn permuted<T: Clone>(old: &[T], order: &[usize]) -> Vec<T> {
    order.iter().filter_map(|from| old.get(*from)).cloned().collect()
}

/// Whether the dimensions that a window keeps stay in order.
fn kept_in_order(w: &[WinCoord], order: &[usize]) -> bool {
    let kept = |d: &&usize| matches!(w.get(**d), Some(WinCoord::Interval(..)));
    order.iter().filter(kept).is_sorted()
}

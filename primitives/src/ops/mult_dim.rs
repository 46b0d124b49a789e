//! ```text
//! a: T[n, m, 4]           a: T[4 * n, m]           # hi_dim_idx = 0, lo_dim_idx = 2
//! s[a[i, j, k]]   ~>      s[a[4 * i + k, j]]
//! ```
//! Source: ASPLOS'25 App. A.5, which refuses all windows and calls. Spec: [rule: mult_dim].

use crate::cursor::At;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Dims;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::relayout::{Buffer, Cells, WINDOWS, part};
use crate::tools::buffers::uses::Spelling;
use crate::version::Proc;
use rewright_semantics::ast::{Expr, WinCoord};
use rewright_semantics::build::{interval, point, stride};
use rewright_semantics::syntax::fold::{self, Form};

const CONSTANT: Condition = form("constant", "the extent of the lower dimension is a number");
const STRIDES: Condition = condition("strides", "no stride that the program asks for changes");

/// The entry of [`mult_dim`].
pub static MULT_DIM: Primitive = Primitive {
    name: "mult_dim",
    summary: "makes one dimension of a buffer out of two",
    source: "ASPLOS'25 App. A.5",
    params: &[
        required("alloc_cursor", ArgKind::Alloc),
        required("hi_dim_idx", ArgKind::Dim),
        required("lo_dim_idx", ArgKind::Dim),
    ],
    conditions: &[CONSTANT, WINDOWS, STRIDES],
    exact: Exact::Never,
    run: |p, args| mult_dim(p, args.at("alloc_cursor")?, args.int("hi_dim_idx")?, args.int("lo_dim_idx")?),
};

/// Makes one dimension out of two: the place of the old dimension `hi`.
///
/// # Errors
/// A condition fails, or there are no two such dimensions.
pub fn mult_dim(p: &Proc, at: impl Into<At>, hi: i64, lo: i64) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &MULT_DIM);
    rw.at_stmt("alloc_cursor", &path);
    rw.arg("hi_dim_idx", hi);
    rw.arg("lo_dim_idx", lo);
    let a = Buffer::at(&rw, p.ast(), &path)?;
    let (hi, lo) = (a.dim(&rw, hi)?, a.dim(&rw, lo)?);
    if hi == lo {
        return Err(rw.wrong_argument(format!("dimension {hi} cannot be multiplied by itself")));
    }
    let factor = a.typ.shape.get(lo).and_then(fold::constant);
    let why = || format!("the extent of dimension {lo} of `{}` is not a number", a.name);
    let factor = factor.ok_or_else(|| rw.refuse(&CONSTANT, why(), a.span))?;
    rw.require_that(&CONSTANT, true, || "")?;
    let pair = Pair { hi, lo, factor, form: rw.form() };

    let spellings = a.respell(&rw, |_, access| {
        Ok(match access {
            Cells::Cell(idx) => Some(Spelling::Cell(a.name, pair.merged(idx, |i, j| pair.index(i, j)))),
            Cells::Part(w) => pair.window(w).map(|w| part(a.name, w)),
            Cells::Whole { .. } => None,
            // The stride of the higher one is that of several cells of the new dimension.
            Cells::Stride(d) => pair.to(d).map(|d| Spelling::Value(stride(a.name, d))),
        })
    })?;
    let shape = pair.merged(&a.typ.shape, |n, _| pair.form.scale(factor, n.clone()));
    let strides = a.same_strides(&rw, p.ast(), &shape, |d| pair.to(d))?;
    rw.require(&STRIDES, strides)?;
    let others = Dims::new(a.typ.rank(), |d| pair.to(d).filter(|_| d != pair.lo));
    a.reshape(&mut rw, shape, spellings, &others);
    rw.finish()
}

impl Proc {
    /// Makes one dimension of a buffer out of two: [`mult_dim`](fn@mult_dim).
    ///
    /// # Errors
    /// As the function.
    pub fn mult_dim(&self, at: impl Into<At>, hi: i64, lo: i64) -> Result<Proc> {
        mult_dim(self, at, hi, lo)
    }
}

/// Two dimensions that become one, and the extent of the lower one.
struct Pair {
    hi: usize,
    lo: usize,
    factor: i64,
    form: Form,
}

impl Pair {
    /// `factor * i + j`
    fn index(&self, i: &Expr, j: &Expr) -> Expr {
        self.form.add(self.form.scale(self.factor, i.clone()), j.clone())
    }

    /// The list with one member in the place of the higher of the two, and none in that of the lower.
    fn merged<T: Clone>(&self, old: &[T], f: impl Fn(&T, &T) -> T) -> Vec<T> {
        let (Some(x), Some(y)) = (old.get(self.hi), old.get(self.lo)) else { return old.to_vec() };
        let one = |(d, z): (usize, &T)| if d == self.hi { f(x, y) } else { z.clone() };
        old.iter().enumerate().filter(|(d, _)| *d != self.lo).map(one).collect()
    }

    /// The window of the new buffer, if there is one with the same cells in the same order.
    fn window(&self, w: &[WinCoord]) -> Option<Vec<WinCoord>> {
        let new = match (w.get(self.hi)?, w.get(self.lo)?) {
            (WinCoord::Point(i), WinCoord::Point(j)) => point(self.index(i, j)),
            (WinCoord::Point(i), WinCoord::Interval(from, to)) if self.apart(w) => {
                interval(self.index(i, from), self.index(i, to))
            }
            (WinCoord::Point(_) | WinCoord::Interval(..), WinCoord::Point(_) | WinCoord::Interval(..)) => {
                return None;
            }
        };
        Some(self.merged(w, |_, _| new.clone()))
    }

    /// Whether the window keeps no dimension between the two.
    fn apart(&self, w: &[WinCoord]) -> bool {
        let (first, last) = (self.hi.min(self.lo), self.hi.max(self.lo));
        let between = w.iter().take(last).skip(first + 1);
        between.into_iter().all(|c| matches!(c, WinCoord::Point(_)))
    }

    /// The new dimension that runs along an old one; none along the higher of the two.
    fn to(&self, d: usize) -> Option<usize> {
        let kept = if d == self.lo { self.hi } else { d };
        (d != self.hi).then(|| if kept > self.lo { kept - 1 } else { kept })
    }
}

//! ```text
//! a: T[2, m]              a_0: T[m]                # dimension = 0
//!                 ~>      a_1: T[m]
//! s[a[1, j]]              s[a_1[j]]
//! ```
//! There is a buffer for each place that is used.
//!
//! Source: ASPLOS'25 App. A.5. Spec: [rule: unroll_buffer].

use crate::cursor::At;
use crate::cursor::path::{Hole, shifted};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Dims;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::relayout::{Buffer, Cells, WINDOWS, part, respell_all};
use crate::tools::buffers::uses::Spelling;
use crate::version::Proc;
use rewright_semantics::ast::{Block, Expr, WinCoord};
use rewright_semantics::build::alloc_in;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;
use rewright_semantics::types::BufferType;
use std::collections::BTreeSet;

const CONSTANT: Condition = form("constant", "the extent of the dimension is a number");
const CONSTANT_INDEX: Condition = form("constant_index", "every index in the dimension is a number");
const STRIDES: Condition = condition("strides", "no stride that the program asks for changes");

/// The entry of [`unroll_buffer`].
pub static UNROLL_BUFFER: Primitive = Primitive {
    name: "unroll_buffer",
    summary: "makes a buffer out of each place of a dimension of constant extent",
    source: "ASPLOS'25 App. A.5",
    params: &[required("alloc_cursor", ArgKind::Alloc), required("dimension", ArgKind::Dim)],
    conditions: &[CONSTANT, CONSTANT_INDEX, WINDOWS, STRIDES],
    exact: Exact::Never,
    run: |p, args| unroll_buffer(p, args.at("alloc_cursor")?, args.int("dimension")?),
};

/// No buffer is unrolled into more than so many.
const MOST: i64 = 4096;

/// Makes a buffer out of each place of a dimension.
///
/// # Errors
/// A condition fails, or there is no such dimension.
pub fn unroll_buffer(p: &Proc, at: impl Into<At>, dim: i64) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &UNROLL_BUFFER);
    rw.at_stmt("alloc_cursor", &path);
    rw.arg("dimension", dim);
    let a = Buffer::at(&rw, p.ast(), &path)?;
    let dim = a.dim(&rw, dim)?;
    let extent = a.typ.shape.get(dim).and_then(fold::constant).filter(|n| (1..=MOST).contains(n));
    let why =
        || format!("the extent of dimension {dim} of `{}` is not a number between 1 and {MOST}", a.name);
    let extent = extent.ok_or_else(|| rw.refuse(&CONSTANT, why(), a.span))?;
    rw.require_that(&CONSTANT, true, || "")?;

    let names: Vec<Sym> = (0..extent).map(|k| Sym::fresh(format!("{}_{k}", a.name).as_str())).collect();
    let mut used = BTreeSet::new();
    let spellings = a.respell(&rw, |u, access| {
        let mut chosen = |e: &Expr| {
            let k = fold::constant(e).and_then(|k| usize::try_from(k).ok());
            let name = k.and_then(|k| names.get(k).copied());
            let why = || format!("this index of `{}` is not a number below {extent}", a.name);
            used.extend(name);
            name.ok_or_else(|| rw.refuse(&CONSTANT_INDEX, why(), u.span))
        };
        Ok(match access {
            Cells::Cell(idx) => match idx.get(dim) {
                Some(e) => Some(Spelling::Cell(chosen(e)?, without(idx, dim))),
                None => None,
            },
            Cells::Part(w) => match w.get(dim) {
                Some(WinCoord::Point(e)) => Some(part(chosen(e)?, without(w, dim))),
                Some(WinCoord::Interval(..)) | None => None,
            },
            Cells::Whole { .. } => None,
            Cells::Stride(d) => {
                let first = names.first().filter(|_| d != dim);
                used.extend(first);
                first.map(|x| Spelling::Value(rewright_semantics::build::stride(*x, below(d, dim))))
            }
        })
    })?;
    rw.require_that(&CONSTANT_INDEX, true, || "")?;
    let shape = without(&a.typ.shape, dim);
    let strides = a.same_strides(&rw, p.ast(), &shape, |d| (d != dim).then(|| below(d, dim)))?;
    rw.require(&STRIDES, strides)?;

    let others = Dims::new(a.typ.rank(), |d| (d != dim).then(|| below(d, dim)));
    respell_all(&mut rw, spellings, &others);
    let typ = BufferType { shape: shape.into(), ..a.typ.clone() };
    let allocs: Block =
        names.iter().filter(|x| used.contains(x)).map(|x| alloc_in(*x, typ.clone(), a.mem)).collect();
    rw.insert(&shifted(&path, 1), allocs);
    rw.delete(&Hole::stmt(path));
    rw.finish()
}

impl Proc {
    /// Makes a buffer out of each place of a dimension of constant extent: [`unroll_buffer`](fn@unroll_buffer).
    ///
    /// # Errors
    /// As the function.
    pub fn unroll_buffer(&self, at: impl Into<At>, dim: i64) -> Result<Proc> {
        unroll_buffer(self, at, dim)
    }
}

fn without<T: Clone>(old: &[T], at: usize) -> Vec<T> {
    old.iter().enumerate().filter(|(d, _)| *d != at).map(|(_, x)| x.clone()).collect()
}

/// The number of a dimension when the one at `gone` is no more.
fn below(d: usize, gone: usize) -> usize {
    if d > gone { d - 1 } else { d }
}

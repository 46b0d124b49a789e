//! ```text
//! a: T[_, …]              a: T[size, …]
//! s[a[i, …]]      ~>      s[a[i - off, …]]                 # fold = False
//! s[a[i, …]]      ~>      s[a[(i - off) % size, …]]        # fold = True: a circular buffer
//! ```
//! Windows move with their cells.
//!
//! Source: ASPLOS'25 App. A.5. Spec: [rule: resize_dim].

use crate::cursor::At;
use crate::cursor::path::Step;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Dims;
use crate::registry::{
    ArgKind, Condition, Default, Exact, ExprArg, Primitive, condition, optional, required,
};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::buffers::relayout::{
    Buffer, Cells, Contexts, WINDOWS, index_within, interval_within, part, same_value,
};
use crate::tools::buffers::uses::{Spelling, uses_of};
use crate::tools::buffers::views::views_of;
use crate::tools::requires::tentative::parallel_around;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{Expr, WinCoord};
use rewright_semantics::build::{interval, point, stride};
use rewright_semantics::syntax::fold;

const POSITIVE: Condition = condition("positive", "the new extent is at least 1");
const IN_BOUNDS: Condition = condition("in_bounds", "every index is within the new extent");
const STABLE: Condition = condition("stable", "the offset is the same at every use of the buffer");
const ORDER: Condition = condition(
    "order",
    "after a cell has been changed, none is touched that lies a whole turn or more below it; or none that lies so far above",
);
const PARALLEL: Condition = condition("parallel", "no parallel loop touches a buffer that is folded");
const STRIDES: Condition = condition("strides", "no stride that the program asks for changes");

/// What becomes of the indices of a resized dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indices {
    /// The offset is taken from them.
    Shifted,
    /// They are taken modulo its extent: a circular buffer.
    Folded,
}

/// The entry of [`resize_dim`].
pub static RESIZE_DIM: Primitive = Primitive {
    name: "resize_dim",
    summary: "gives a dimension of a buffer another extent, where fewer or folded cells are enough",
    source: "ASPLOS'25 App. A.5",
    params: &[
        required("buf_cursor", ArgKind::Alloc),
        required("dim_idx", ArgKind::Dim),
        required("size", ArgKind::Control),
        required("offset", ArgKind::Control),
        optional("fold", ArgKind::Bool, Default::Bool(false)),
    ],
    conditions: &[POSITIVE, IN_BOUNDS, STABLE, ORDER, PARALLEL, READABLE, WINDOWS, STRIDES],
    exact: Exact::Never,
    run: |p, args| {
        let (size, offset) = (args.text("size")?, args.text("offset")?);
        let indices = if args.bool("fold")? { Indices::Folded } else { Indices::Shifted };
        resize_dim(p, args.at("buf_cursor")?, args.int("dim_idx")?, &size, &offset, indices)
    },
};

/// Gives a dimension the extent `size`; `offset` is the old index of what becomes its first place.
///
/// # Errors
/// A condition fails, an expression cannot be read, or there is no such dimension.
pub fn resize_dim(
    p: &Proc,
    at: impl Into<At>,
    dim: i64,
    size: impl Into<ExprArg>,
    offset: impl Into<ExprArg>,
    indices: Indices,
) -> Result<Proc> {
    let fold = indices == Indices::Folded;
    let size: &str = &size.into().0;
    let offset: &str = &offset.into().0;
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &RESIZE_DIM);
    rw.at_stmt("buf_cursor", &path);
    rw.arg("dim_idx", dim);
    rw.arg("size", size);
    rw.arg("offset", offset);
    rw.arg("fold", fold);
    let (size, offset) = (rw.control(&path, size)?, rw.control(&path, offset)?);
    let a = Buffer::at(&rw, p.ast(), &path)?;
    let dim = a.dim(&rw, dim)?;
    let turn = match fold::constant(&size) {
        _ if !fold => None,
        Some(n) if n >= 1 => Some(n),
        Some(_) | None => {
            return Err(rw.wrong_argument("a buffer is folded to a number of places that is at least 1"));
        }
    };
    let form = rw.form();
    let moved = |e: &Expr| match turn {
        None => form.sub(e.clone(), offset.clone()),
        Some(n) => form.remainder(fold::sub(e.clone(), offset.clone()), n),
    };

    let ctx = rw.context_of(&path)?;
    let (extent, value) = (ctx.lift(&size), ctx.lift(&offset));
    let (mut within, mut same, mut contexts) = (Vec::new(), Vec::new(), Contexts::default());
    let spellings = a.respell(&rw, |u, access| {
        let here = contexts.at(&rw, &u.stmt)?;
        same.extend(same_value(here, u, &offset, &value));
        let mut coord = |c: &WinCoord| match c {
            WinCoord::Point(e) => {
                if turn.is_none() {
                    within.push(index_within(here, u, &moved(e), &extent));
                }
                Some(point(moved(e)))
            }
            WinCoord::Interval(lo, hi) => {
                let (lo, hi) = (moved(lo), moved(hi));
                within.push(interval_within(here, u, (&lo, &hi), &extent));
                turn.is_none().then(|| interval(lo, hi))
            }
        };
        let mut window = |w: &[WinCoord]| -> Option<Vec<WinCoord>> {
            w.iter().enumerate().map(|(d, c)| if d == dim { coord(c) } else { Some(c.clone()) }).collect()
        };
        Ok(match access {
            Cells::Cell(idx) => {
                let as_window: Vec<WinCoord> = idx.iter().cloned().map(WinCoord::Point).collect();
                window(&as_window).map(|w| Spelling::Cell(a.name, points(&w)))
            }
            Cells::Part(w) => window(w).map(|w| part(a.name, w)),
            Cells::Whole { all, as_window } => window(&all).filter(|_| as_window).map(|w| part(a.name, w)),
            Cells::Stride(d) => Some(Spelling::Value(stride(a.name, d))),
        })
    })?;
    let mut shape = a.typ.shape.to_vec();
    if let Some(slot) = shape.get_mut(dim) {
        *slot = size.clone();
    }
    rw.require_readable(&path, &[&size, &offset], &a.typ.shape, None)?;
    rw.require(&POSITIVE, [conditions::positive(&ctx, &size)])?;
    if let Some(turn) = turn {
        let rest = rw.context(&a.rest)?;
        let order = [conditions::upward, conditions::downward].map(|way| way(&rest, a.name, dim, turn));
        let holds = |way: &&Vec<Obligation>| way.iter().all(|ob| p.session().decide(ob).is_proved());
        let [up, down] = &order;
        rw.require(&ORDER, Some(down).filter(|_| !holds(&up)).filter(holds).unwrap_or(up).clone())?;
        let shared = touched_in_parallel(p, &a);
        rw.require_apart(&PARALLEL, !shared, || format!("a parallel loop touches `{}`", a.name))?;
    } else {
        rw.require(&IN_BOUNDS, within)?;
    }
    rw.require(&STABLE, same)?;
    for u in &a.uses {
        rw.require_no_race(&u.stmt, &[&offset])?;
    }
    let strides = a.same_strides(&rw, p.ast(), &shape, Some)?;
    rw.require(&STRIDES, strides)?;
    a.reshape(&mut rw, shape, spellings, &Dims::new(a.typ.rank(), Some));
    rw.finish()
}

impl Proc {
    /// Gives a dimension of a buffer another extent, where fewer or folded cells are enough: [`resize_dim`](fn@resize_dim).
    ///
    /// # Errors
    /// As the function.
    pub fn resize_dim(
        &self,
        at: impl Into<At>,
        dim: i64,
        size: impl Into<ExprArg>,
        offset: impl Into<ExprArg>,
        indices: Indices,
    ) -> Result<Proc> {
        resize_dim(self, at, dim, size, offset, indices)
    }
}

/// Whether a parallel loop in the scope of the buffer touches it, by whatever name.
fn touched_in_parallel(p: &Proc, a: &Buffer) -> bool {
    let depth = a.path.len();
    let around = |path: &[Step]| parallel_around(p.ast(), path).iter().any(|l| l.len() >= depth);
    let views = views_of(p.ast(), &a.rest, a.name, a.typ.rank());
    views.iter().any(|v| uses_of(p.ast(), &a.rest, v.name).iter().any(|u| around(&u.stmt)))
}

fn points(w: &[WinCoord]) -> Vec<Expr> {
    w.iter()
        .map(|c| match c {
            WinCoord::Point(e) | WinCoord::Interval(e, _) => e.clone(),
        })
        .collect()
}

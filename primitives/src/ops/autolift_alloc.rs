//! ```text
//! for i in seq(0, n):              a: T[n + 1, sz]         # keep_dims = True, mode = "row"
//!     a: T[sz]             ~>      for i in seq(0, n):
//!     s[a[j]]                          s[a[i, j]]
//! ```
//! [`lift_alloc`], and with `keep_dims` before each step out of a loop on whose variable the buffer depends an
//! [`expand_dim`] by that loop, or by `size` places: as Exo does, by its upper bound where that is a number, else by one
//! place more, at the loop's variable; where that cannot be shown to be right, by its length, counted from its lower
//! bound. With `mode = "col"` the new dimensions come after the old ones. No
//! more loops and guards are left than there are. The steps are recorded as what they are, and their conditions are
//! theirs.
//!
//! Source: Exo (`autolift_alloc`). Spec: [rule: autolift_alloc].

use super::expand_dim::expand_dim;
use super::lift_alloc::lift_alloc;
use super::rearrange_dim::rearrange_dim;
use crate::cursor::At;
use crate::cursor::path::{Place, Step};
use crate::cursor::resolve::{self, Sort};
use crate::cursor::{Cursor, path};
use crate::error::Result;
use crate::registry::{ArgKind, Default, Exact, Primitive, Value, argument_error, optional, required};
use crate::tools::buffers::depends::dependences;
use crate::tools::buffers::relayout::alloc_parts;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_semantics::ast::{Expr, ExprKind};
use rewright_semantics::build::{add, int, var};
use rewright_semantics::pretty::{expr_to_string, names_of_proc};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::{self, Form};
use rewright_semantics::syntax::walk::rebuild;
/// What an allocation becomes outside of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dims {
    /// One buffer for all iterations.
    Shared,
    /// A new dimension for each loop on which it depends.
    Kept,
}

/// The entry of [`autolift_alloc`].
pub static AUTOLIFT_ALLOC: Primitive = Primitive {
    name: "autolift_alloc",
    summary: "moves an allocation out of loops, with a dimension for each when asked to",
    source: "Exo",
    params: &[
        required("alloc_cursor", ArgKind::Alloc),
        optional("n_lifts", ArgKind::Int, Default::Int(1)),
        optional("mode", ArgKind::Choice(&["row", "col"]), Default::Text("row")),
        optional("size", ArgKind::Int, Default::None),
        optional("keep_dims", ArgKind::Bool, Default::Bool(false)),
    ],
    conditions: &[],
    exact: Exact::Never,
    run: |p, args| {
        let dims = if args.bool("keep_dims")? { Dims::Kept } else { Dims::Shared };
        let size = if matches!(args.get("size")?, Value::None) { None } else { Some(args.int("size")?) };
        let mode = args.choice("mode", Mode::WORDS)?;
        autolift_alloc(p, args.at("alloc_cursor")?, args.int("n_lifts")?, mode, size, dims)
    },
};

/// Where new dimensions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Before the old ones.
    Row,
    /// After the old ones.
    Col,
}

impl Mode {
    /// The names of scripts.
    pub const WORDS: &[(&str, Mode)] = &[("row", Mode::Row), ("col", Mode::Col)];
}

/// Moves an allocation out of at most `n_lifts` loops or guards, with new dimensions where `keep_dims` asks for them.
///
/// # Errors
/// A condition of one of the steps fails, or there is nothing to lift the allocation out of.
pub fn autolift_alloc(
    p: &Proc,
    at: impl Into<At>,
    n_lifts: i64,
    mode: Mode,
    size: Option<i64>,
    dims: Dims,
) -> Result<Proc> {
    let keep_dims = dims == Dims::Kept;
    let start = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let around = start.len() - 1;
    let levels = usize::try_from(n_lifts).unwrap_or(0).min(around);
    if levels == 0 {
        let why = format!("there are {around} loops and guards around it, and n_lifts is {n_lifts}");
        return Err(argument_error(&AUTOLIFT_ALLOC, why));
    }
    let alloc = Cursor::new(p, Place::Stmt(start))?;
    let (first, mut p, mut added) = (p, p.clone(), 0);
    for _ in 0..levels {
        p = p.going_on(first);
        let here = resolve::stmt(&p, &At::from(&alloc), Sort::Alloc)?;
        p = match enclosing(&p, &here).filter(|l| keep_dims && depends(&p, &here, l.iter)) {
            Some(l) => {
                let before = added;
                added += 1;
                let lifted = |dim| expanded(&p, &alloc, dim, (mode, before));
                let [exo, counted] = places(&l, size, first.session().form());
                lifted(exo).or_else(|refused| lifted(counted).map_err(|_| refused))?
            }
            None => lift_alloc(&p, &alloc, 1)?,
        };
    }
    Ok(p)
}

/// The extent and index of a new dimension.
type NewDim = (Expr, Expr);

/// The dimensions that a loop may become: that of Exo, and one that begins with the loop.
fn places(l: &For, size: Option<i64>, form: Form) -> [NewDim; 2] {
    let given = |extent: Expr| size.map_or(extent, int);
    let beyond = match form {
        Form::Short if fold::constant(&l.hi).is_some() => l.hi.clone(),
        Form::Short => fold::add(l.hi.clone(), int(1)),
        Form::Literal if matches!(l.hi.kind, ExprKind::Lit(_)) => l.hi.clone(),
        Form::Literal => add(l.hi.clone(), 1),
    };
    let length = fold::sub(l.hi.clone(), l.lo.clone());
    [(given(beyond), var(l.iter)), (given(length), fold::sub(var(l.iter), l.lo.clone()))]
}

/// The allocation with a new dimension, after `added` others, out of its loop.
fn expanded(p: &Proc, alloc: &Cursor, (extent, index): NewDim, (mode, added): (Mode, usize)) -> Result<Proc> {
    let mut made = expand_dim(p, alloc, shown(p, &extent), shown(p, &index))?;
    if mode == Mode::Col {
        let here = resolve::stmt(&made, &At::from(alloc), Sort::Alloc)?;
        made = rearrange_dim(&made.going_on(p), alloc, &behind(rank(&made, &here), added))?;
    }
    lift_alloc(&made.going_on(p), alloc, 1)
}

impl Proc {
    /// Moves an allocation out of loops, with a dimension for each when asked to: [`autolift_alloc`](fn@autolift_alloc).
    ///
    /// # Errors
    /// As the function.
    pub fn autolift_alloc(
        &self,
        at: impl Into<At>,
        n_lifts: i64,
        mode: Mode,
        size: Option<i64>,
        dims: Dims,
    ) -> Result<Proc> {
        autolift_alloc(self, at, n_lifts, mode, size, dims)
    }
}

fn enclosing(p: &Proc, here: &[Step]) -> Option<For> {
    let (_, up) = here.split_last()?;
    For::of(path::stmt_at(p.ast(), up)?)
}

fn depends(p: &Proc, here: &[Step], iter: Sym) -> bool {
    let alloc = path::stmt_at(p.ast(), here).and_then(alloc_parts);
    alloc.is_some_and(|(x, ..)| dependences(p.ast(), x).contains(&iter))
}

fn rank(p: &Proc, here: &[Step]) -> usize {
    path::stmt_at(p.ast(), here).and_then(alloc_parts).map_or(0, |(_, typ, _)| typ.rank())
}

/// The order in which the first of `rank` dimensions comes before the last `added` ones, of which the outer loops'
/// come first.
fn behind(rank: usize, added: usize) -> Vec<i64> {
    let mut order: Vec<i64> = (1..rank).filter_map(|d| i64::try_from(d).ok()).collect();
    order.insert(order.len().saturating_sub(added), 0);
    order
}

/// An expression as it reads in the procedure, where names may have been told apart.
fn shown(p: &Proc, e: &Expr) -> String {
    let names = names_of_proc(p.ast());
    let renamed = rebuild(e, &mut |e| match &e.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => names.get(name).map(|n| var(Sym::fresh(*n))),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    });
    expr_to_string(&renamed)
}

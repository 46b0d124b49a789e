//! What an edit keeps of expressions, as data. Spec: [rule: edits], [rule: forwarding.values].
//!
//! Nothing is kept by being in the same place. An expression that an edit touches is kept where it is known to be the
//! same one: what stands there now is it, spelt as the edit says ([`Kept`]), or it is a part that the edit says has
//! gone elsewhere, and is there unchanged ([`Parts`]).

use crate::cursor::path::{ExprPath, ExprStep, expr_in};
use crate::edit::Edit;
use rewright_semantics::ast::{Expr, Stmt};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::subst::{rename_expr, subst_expr};
use rewright_semantics::syntax::walk::{child_of, each_child};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How statements that take the place of others of the same shape are spelt otherwise. An operand is kept when it is
/// what the spelling makes of the old one, in the same role; with it all that is in it.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    spelling: Spelt,
    /// Where the operands have gone that belong to a dimension: indices, ends of windows, extents. In place when
    /// nothing is said.
    dims: Option<Dims>,
}

/// How names are spelt otherwise.
#[derive(Clone, Debug, Default)]
enum Spelt {
    /// As they were.
    #[default]
    Same,
    /// Variables stand for expressions, one after the other.
    Values(Vec<(Sym, Expr)>),
    /// Names have changed.
    Names(FxHashMap<Sym, Sym>),
}

/// Where each dimension of a buffer has gone; `None` for one that is no more, or part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dims(Arc<[Option<usize>]>);

impl Dims {
    /// For each of so many dimensions, where it is.
    pub fn new(rank: usize, to: impl Fn(usize) -> Option<usize>) -> Dims {
        Dims((0..rank).map(to).collect())
    }

    /// The same operand of the same dimension, where that is; what belongs to no dimension stays.
    fn step(&self, step: ExprStep) -> Option<ExprStep> {
        let to = |d: usize| self.0.get(d).copied().flatten();
        match step {
            ExprStep::Idx(d) => to(d).map(ExprStep::Idx),
            ExprStep::From(d) => to(d).map(ExprStep::From),
            ExprStep::To(d) => to(d).map(ExprStep::To),
            ExprStep::Extent(d) => to(d).map(ExprStep::Extent),
            ExprStep::Rhs
            | ExprStep::Lhs
            | ExprStep::Operand
            | ExprStep::Cond
            | ExprStep::Lo
            | ExprStep::Hi
            | ExprStep::Arg(_) => Some(step),
        }
    }
}

impl Kept {
    /// What is spelt as before.
    pub fn unchanged() -> Kept {
        Kept::default()
    }

    /// What is as before but for a variable, which now is an expression.
    pub fn substituted(x: Sym, by: Expr) -> Kept {
        Kept::all_substituted([(x, by)])
    }

    /// What is as before but for variables, which now are expressions, replaced one after the other.
    pub fn all_substituted(by: impl IntoIterator<Item = (Sym, Expr)>) -> Kept {
        Kept { spelling: Spelt::Values(by.into_iter().collect()), dims: None }
    }

    /// What is as before but for names.
    pub fn renamed(by: &FxHashMap<Sym, Sym>) -> Kept {
        Kept { spelling: Spelt::Names(by.clone()), dims: None }
    }

    /// What is as before in a dimension, wherever that is now.
    pub fn along(dims: Dims) -> Kept {
        Kept { spelling: Spelt::Same, dims: Some(dims) }
    }

    /// In a few words, for the table of [rule: forwarding.primitives].
    pub fn word(&self) -> &'static str {
        match (&self.spelling, &self.dims) {
            (_, Some(_)) => "moved along dimensions",
            (Spelt::Same, None) => "unchanged",
            (Spelt::Values(_), None) => "substituted",
            (Spelt::Names(_), None) => "renamed",
        }
    }

    fn spelt(&self, e: &Expr) -> Expr {
        match &self.spelling {
            Spelt::Same => e.clone(),
            Spelt::Values(by) => by.iter().fold(e.clone(), |e, (x, value)| subst_expr(&e, *x, value)),
            Spelt::Names(by) => rename_expr(e, by),
        }
    }

    /// Where an expression of the statement `old` is in `new`; `None` when its operand is not kept.
    pub fn forward(&self, old: &Stmt, new: &Stmt, steps: &[ExprStep]) -> Option<Vec<ExprStep>> {
        let (first, rest) = steps.split_first()?;
        let to = match &self.dims {
            Some(dims) => dims.step(*first)?,
            None => *first,
        };
        let same = self.spelt(expr_in(old, &[*first])?) == *expr_in(new, &[to])?;
        same.then(|| std::iter::once(to).chain(rest.iter().copied()).collect())
    }
}

/// What is kept of an expression that gives way to another.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Whether the new one has the value of the old one, so that cursors to it, and to what it is a part of, stay.
    pub whole: bool,
    /// Parts of the old one, with the place of the same expression in the new one.
    pub moved: Vec<(Vec<ExprStep>, Vec<ExprStep>)>,
}

impl Parts {
    /// The expression, which has another form, and no part of it.
    pub fn value() -> Parts {
        Parts { whole: true, moved: Vec::new() }
    }

    /// The expression, and the parts of it that are found elsewhere.
    pub fn value_and(moved: impl IntoIterator<Item = (Vec<ExprStep>, Vec<ExprStep>)>) -> Parts {
        Parts { whole: true, moved: moved.into_iter().collect() }
    }

    /// Some parts of it only: it has another value.
    pub fn only(moved: impl IntoIterator<Item = (Vec<ExprStep>, Vec<ExprStep>)>) -> Parts {
        Parts { whole: false, moved: moved.into_iter().collect() }
    }

    /// The value, and of an access the indices that are the same in the same dimension, wherever that is now.
    pub fn along(dims: &Dims, old: &Expr, new: &Expr) -> Parts {
        let mut moved = Vec::new();
        each_child(old, &mut |step, e| {
            if let Some(to) = dims.step(step).filter(|to| child_of(new, *to) == Some(e)) {
                moved.push((vec![step], vec![to]));
            }
        });
        Parts { whole: true, moved }
    }

    /// Whether each part is found where it is said to be.
    pub fn are_found(&self, old: &Expr, new: &Expr) -> bool {
        self.moved.iter().all(|(from, to)| {
            part(old, from).zip(part(new, to)).is_some_and(|(before, after)| before == after)
        })
    }

    /// Where a part of the old expression is in the new one.
    pub fn forward(&self, steps: &[ExprStep]) -> Option<Vec<ExprStep>> {
        if steps.is_empty() && self.whole {
            return Some(Vec::new());
        }
        let moved = self.moved.iter().find_map(|(from, to)| Some((to, steps.strip_prefix(from.as_slice())?)));
        moved.map(|(to, rest)| to.iter().chain(rest).copied().collect())
    }
}

/// The edits that say that what an expression is made of goes with it to another place where it stands, of which the
/// expression itself is no part: it stays where it is.
pub fn parts_go(e: &Expr, from: &ExprPath, to: &ExprPath) -> Vec<Edit> {
    let mut out = Vec::new();
    let below = |at: &ExprPath, step: ExprStep| {
        let steps = at.steps.iter().copied().chain([step]).collect();
        ExprPath { stmt: at.stmt.clone(), steps }
    };
    each_child(e, &mut |step, _| {
        out.push(Edit::RedirectExpr { from: below(from, step), to: below(to, step) });
    });
    out
}

/// The part of an expression at the end of some steps; all of it where there are none.
pub fn part<'a>(e: &'a Expr, steps: &[ExprStep]) -> Option<&'a Expr> {
    steps.iter().try_fold(e, |e, step| child_of(e, *step))
}

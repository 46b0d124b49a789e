//! ```text
//! for i in seq(0, I): s
//! ~> perfect          for io in seq(0, I / c):
//!                         for ii in seq(0, c): s[i ↦ c * io + ii]
//! ~> guard            for io in seq(0, (I + c - 1) / c):
//!                         for ii in seq(0, c):
//!                             if c * io + ii < I: s[i ↦ c * io + ii]
//! ~> cut              for io in seq(0, I / c):
//!                         for ii in seq(0, c): s[i ↦ c * io + ii]
//!                     for ii in seq(0, I % c): s[i ↦ ii + c * (I / c)]
//! ~> cut_and_guard    as cut, with the last loop inside `if I % c > 0:`
//! ```
//! Of a loop that starts at `a`, `I` is `b - a`, and `a` is added to what stands for `i`.
//!
//! Source: ASPLOS'25 App. A.1. Spec: [rule: divide_loop].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child, shifted, stmt_at};
use crate::cursor::resolve::{self, Sort};
use crate::edit::Wrapper;
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Default, Exact, Primitive, condition, optional, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::invariant::{invariant_at_uses, invariant_throughout};
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::ast::{Block, Expr, LoopMode, Stmt, StmtKind};
use rewright_semantics::build::{block, div, eq, ge, gt, if_, int, lt, mul, or, rem, var};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::{self, Form};
use rewright_semantics::syntax::subst::{fresh_copy, subst_block};

/// What becomes of the iterations left over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// There are none.
    Perfect,
    /// Each iteration asks whether it is one.
    Guard,
    /// They have a loop of their own.
    Cut,
    /// They have a loop of their own, which is skipped when there are none.
    CutAndGuard,
}

impl Tail {
    /// The names of scripts.
    pub const WORDS: &[(&str, Tail)] = &[
        ("perfect", Tail::Perfect),
        ("guard", Tail::Guard),
        ("cut", Tail::Cut),
        ("cut_and_guard", Tail::CutAndGuard),
    ];

    /// The name of scripts.
    pub fn word(self) -> &'static str {
        match self {
            Tail::Perfect => "perfect",
            Tail::Guard => "guard",
            Tail::Cut => "cut",
            Tail::CutAndGuard => "cut_and_guard",
        }
    }
}
const LOWER_BOUND: Condition =
    condition("lower_bound", "the loop starts at 0, where nothing is added to the new variables");
const DIVIDES: Condition = condition("divides", "the length of the loop is a multiple of the factor").advise(
            "`tail=\"cut\"` puts what is left over into a loop of its own, `tail=\"guard\"` guards it; or assert that \
             nothing is left over",
        );
const NOT_NEGATIVE: Condition = condition("not_negative", "the length of the loop is not negative");
const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "the bounds are the same wherever they are evaluated");

/// The entry of [`divide_loop`].
pub static DIVIDE_LOOP: Primitive = Primitive {
    name: "divide_loop",
    summary: "splits a loop into two nested ones, the inner one of constant length",
    source: "ASPLOS'25 App. A.1",
    params: &[
        required("loop_cursor", ArgKind::Loop),
        required("div_const", ArgKind::Int),
        required("new_iters", ArgKind::NewNames(2)),
        optional(
            "tail",
            ArgKind::Choice(&["guard", "cut", "cut_and_guard", "perfect"]),
            Default::Text("guard"),
        ),
        optional("perfect", ArgKind::Bool, Default::Bool(false)),
    ],
    conditions: &[LOWER_BOUND, DIVIDES, NOT_NEGATIVE, BOUNDS_STABLE, READABLE],
    exact: Exact::WithoutFields,
    run: |p, args| {
        let tail = if args.bool("perfect")? { Tail::Perfect } else { args.choice("tail", Tail::WORDS)? };
        let [outer, inner] = args.names::<2>("new_iters")?;
        divide_loop(p, args.at("loop_cursor")?, args.int("div_const")?, [&outer, &inner], tail)
    },
};

/// Splits a loop by a constant factor.
///
/// # Errors
/// A condition fails, the factor is below 1, or there is no loop.
pub fn divide_loop(p: &Proc, at: impl Into<At>, factor: i64, names: [&str; 2], tail: Tail) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &DIVIDE_LOOP);
    rw.at_stmt("loop_cursor", &path);
    rw.arg("div_const", factor);
    rw.arg("new_iters", names);
    rw.arg("tail", tail.word());
    if factor < 1 {
        return Err(rw.wrong_argument(format!("the factor must be at least 1, not {factor}")));
    }
    let s = stmt_at(p.ast(), &path).ok_or_else(|| rw.internal("the loop is gone"))?.clone();
    let StmtKind::For { iter, lo, hi, body, mode } = s.kind.as_ref() else {
        return Err(rw.internal("the loop is no loop"));
    };
    let ctx = rw.context_of(&path)?;
    let zero_based = rw.holds(&LOWER_BOUND, [conditions::equal_exprs(&ctx, lo, &int(0))])?;
    let (start, length) =
        if zero_based { (int(0), hi.clone()) } else { (lo.clone(), fold::sub(hi.clone(), lo.clone())) };
    let split = Split {
        iter: *iter,
        start: &start,
        length: &length,
        body,
        mode: *mode,
        factor,
        io: Sym::fresh(names[0]),
        ii: Sym::fresh(names[1]),
        form: rw.form(),
    };
    require(&mut rw, &path, &s, (&start, &length), factor, tail)?;

    let form = rw.form();
    let io_count = match tail {
        Tail::Guard => form.quotient(form.add(length.clone(), int(factor - 1)), factor),
        Tail::Cut | Tail::CutAndGuard => form.quotient(length.clone(), factor),
        Tail::Perfect if fold::as_int(&length).is_some() => fold::quotient(length.clone(), factor),
        Tail::Perfect => form.quotient(length.clone(), factor),
    };
    let inside = child(&path, Step::Body(0));
    let all = Hole { path: inside.clone(), len: body.len() };
    if tail == Tail::Guard {
        rw.wrap(&all, Wrapper::If { cond: lt(split.number(), length.clone()), orelse: Block::new() });
        rw.wrap(&Hole::stmt(inside.clone()), split.inner_loop());
    } else {
        rw.wrap(&all, split.inner_loop());
    }
    rw.reshape_with(&Hole::stmt(path.clone()), split.kept(), |b| split.outer_loop(b, io_count));
    match tail {
        Tail::Perfect | Tail::Guard => {}
        Tail::Cut => rw.insert(&shifted(&path, 1), block([split.tail_loop()])),
        Tail::CutAndGuard => {
            let guarded = if_(gt(form.remainder(length.clone(), factor), 0), [split.tail_loop()], []);
            rw.insert(&shifted(&path, 1), block([guarded]));
        }
    }
    rw.finish()
}

impl Proc {
    /// Splits a loop into two nested ones, the inner one of constant length: [`divide_loop`](fn@divide_loop).
    ///
    /// # Errors
    /// As the function.
    pub fn divide_loop(&self, at: impl Into<At>, factor: i64, names: [&str; 2], tail: Tail) -> Result<Proc> {
        divide_loop(self, at, factor, names, tail)
    }
}

fn require(
    rw: &mut Rewrite,
    path: &[Step],
    s: &Stmt,
    (start, length): (&Expr, &Expr),
    factor: i64,
    tail: Tail,
) -> Result<()> {
    let ctx = rw.context_of(path)?;
    let l = rw.given_loop(path)?;
    let mut stable = invariant_at_uses(rw, path, &l, start)?;
    match tail {
        Tail::Perfect => {
            let whole = or(eq(rem(length.clone(), factor), 0), lt(length.clone(), 1));
            rw.require(&DIVIDES, [conditions::holds(&ctx, &whole)])?;
        }
        Tail::Guard => stable.extend(invariant_throughout(rw, path, s, length)?),
        Tail::Cut | Tail::CutAndGuard => {
            rw.require(&NOT_NEGATIVE, [conditions::holds(&ctx, &ge(length.clone(), 0))])?;
            stable.extend(invariant_at_uses(rw, path, &l, length)?);
            let end = fold::add(start.clone(), mul(factor, div(length.clone(), factor)));
            let whole = block([For { hi: end, ..l }.stmt()]);
            stable.push(conditions::same_after(&ctx, length, &whole));
        }
    }
    if tail == Tail::Perfect && fold::as_int(start) == Some(0) {
        return Ok(());
    }
    rw.require(&BOUNDS_STABLE, stable)?;
    let anew = if tail == Tail::Perfect { vec![start] } else { vec![start, length] };
    rw.require_no_race(&child(path, Step::Body(0)), &anew)
}

struct Split<'a> {
    iter: Sym,
    start: &'a Expr,
    length: &'a Expr,
    body: &'a Block,
    mode: LoopMode,
    factor: i64,
    io: Sym,
    ii: Sym,
    form: Form,
}

impl Split<'_> {
    /// The number of an iteration: `c * io + ii`
    fn number(&self) -> Expr {
        self.form.add(self.form.scale(self.factor, var(self.io)), var(self.ii))
    }

    /// `for ii in seq(0, c): _`
    fn inner_loop(&self) -> Wrapper {
        Wrapper::For { iter: self.ii, lo: int(0), hi: int(self.factor), mode: self.mode }
    }

    /// What `i` becomes: `c * io + ii + a`
    fn value(&self) -> Expr {
        beyond(self.start, self.number())
    }

    fn kept(&self) -> Kept {
        Kept::substituted(self.iter, self.value())
    }

    /// `for io in seq(0, count): …[i ↦ c * io + ii + a]`
    fn outer_loop(&self, old: &Block, count: Expr) -> Block {
        let inner = old.iter().find_map(|s| match s.kind.as_ref() {
            StmtKind::For { body, .. } => Some(body.clone()),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => None,
        });
        let body = subst_block(&inner.unwrap_or_default(), self.iter, &self.value());
        let kind = StmtKind::For { iter: self.io, lo: int(0), hi: count, body, mode: self.mode };
        block([Stmt::new(kind)])
    }

    /// `for ii in seq(0, I % c): s[i ↦ ii + c * (I / c) + a]`
    fn tail_loop(&self) -> Stmt {
        let ii = self.ii.renewed();
        let done = self.form.times(self.form.quotient(self.length.clone(), self.factor), self.factor);
        let at = beyond(self.start, self.form.add(var(ii), done));
        let body = subst_block(&fresh_copy(self.body), self.iter, &at);
        let hi = self.form.remainder(self.length.clone(), self.factor);
        Stmt::new(StmtKind::For { iter: ii, lo: int(0), hi, body, mode: self.mode })
    }
}

/// `e + a`, which is `e` where the loop starts at 0.
fn beyond(a: &Expr, e: Expr) -> Expr {
    if fold::as_int(a) == Some(0) { e } else { fold::add(e, a.clone()) }
}

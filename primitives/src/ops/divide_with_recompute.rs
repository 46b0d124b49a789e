//! ```text
//! for i in seq(0, I): s     ~>    for io in seq(0, N):
//!                                     for ii in seq(0, c + (I - N * c)): s[i ↦ c * io + ii]
//! ```
//! Iterations of the original loop run more than once, unless the pieces do not overlap: `N ≤ 1` or `N * c = I`; and again
//! after later ones have run, unless they overlap by one iteration.
//!
//! Source: ASPLOS'25 App. A.1. Spec: [rule: divide_with_recompute].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child};
use crate::cursor::resolve::{self, Sort};
use crate::edit::Wrapper;
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, ExprArg, Primitive, condition, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::env::Field;
use rewright_effects::names::fields_in_expr;
use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal, LoopMode};
use rewright_semantics::build::{add, and, ge, int, le, lt, mul, or, rem, var};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::Form;
use rewright_semantics::syntax::subst::subst_block;

const LOWER_BOUND: Condition = condition("lower_bound", "the loop starts at 0");
const COVERED: Condition =
    condition("covered", "the pieces begin within the loop, and there is one if the loop runs");
const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "the loop writes no field that its bound or the number of pieces reads");
const SEQUENTIAL: Condition = condition("sequential", "the loop is not parallel");
const IDEMPOTENT: Condition = condition("idempotent", "running an iteration again changes nothing");
const APART: Condition = condition("apart", "no iteration reads what a later one changes");

/// The entry of [`divide_with_recompute`].
pub static DIVIDE_WITH_RECOMPUTE: Primitive = Primitive {
    name: "divide_with_recompute",
    summary: "splits a loop into overlapping pieces, whose common iterations run again",
    source: "ASPLOS'25 App. A.1",
    params: &[
        required("loop_cursor", ArgKind::Loop),
        required("outer_hi", ArgKind::Control),
        required("outer_stride", ArgKind::Int),
        required("new_iters", ArgKind::NewNames(2)),
    ],
    conditions: &[LOWER_BOUND, COVERED, BOUNDS_STABLE, SEQUENTIAL, IDEMPOTENT, APART, READABLE],
    exact: Exact::Never,
    run: |p, args| {
        let [outer, inner] = args.names::<2>("new_iters")?;
        let (hi, stride) = (args.text("outer_hi")?, args.int("outer_stride")?);
        divide_with_recompute(p, args.at("loop_cursor")?, &hi, stride, [&outer, &inner])
    },
};

/// Splits a loop into `outer_hi` pieces that begin `stride` apart and all reach as far past the next one's begin
/// as the last one must to reach the end.
///
/// # Errors
/// A condition fails, an argument makes no sense, or there is no loop.
pub fn divide_with_recompute(
    p: &Proc,
    at: impl Into<At>,
    outer_hi: impl Into<ExprArg>,
    stride: i64,
    names: [&str; 2],
) -> Result<Proc> {
    let outer_hi: &str = &outer_hi.into().0;
    let path = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &DIVIDE_WITH_RECOMPUTE);
    rw.at_stmt("loop_cursor", &path);
    rw.arg("outer_hi", outer_hi);
    rw.arg("outer_stride", stride);
    rw.arg("new_iters", names);
    if stride < 1 {
        return Err(rw.wrong_argument(format!("`outer_stride` must be at least 1, not {stride}")));
    }
    let l = rw.given_loop(&path)?;
    let pieces = rw.control(&path, outer_hi)?;
    require(&mut rw, &path, &l, &pieces, stride)?;

    let [io, ii] = names.map(Sym::fresh);
    let inside = child(&path, Step::Body(0));
    let form = rw.form();
    let length = form.add(int(stride), form.sub(l.hi.clone(), covered(form, &pieces, stride)));
    rw.wrap(
        &Hole { path: inside, len: l.body.len() },
        Wrapper::For { iter: ii, lo: int(0), hi: length, mode: LoopMode::Seq },
    );
    let at = add(form.times(var(io), stride), ii);
    rw.reshape_stmt(&path, Kept::substituted(l.iter, at.clone()), |s| {
        let body = For::of(s).map(|outer| outer.body).unwrap_or_default();
        let body = subst_block(&body, l.iter, &at);
        For { iter: io, lo: int(0), hi: pieces, body, ..l }.stmt()
    });
    rw.finish()
}

/// `N * c`, and of `N = e / c` it is `e - e % c`: what an assertion says of a remainder shows in the bound.
fn covered(form: Form, pieces: &Expr, stride: i64) -> Expr {
    match &pieces.kind {
        ExprKind::Bin { op: BinOp::Div, lhs, rhs } if rhs.kind == ExprKind::Lit(Literal::Int(stride)) => {
            let whole = lhs.as_ref().clone();
            form.sub(whole.clone(), rem(whole, stride))
        }
        ExprKind::Bin { .. }
        | ExprKind::Lit(_)
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => form.times(pieces.clone(), stride),
    }
}

impl Proc {
    /// Splits a loop into overlapping pieces, whose common iterations run again: [`divide_with_recompute`](fn@divide_with_recompute).
    ///
    /// # Errors
    /// As the function.
    pub fn divide_with_recompute(
        &self,
        at: impl Into<At>,
        outer_hi: impl Into<ExprArg>,
        stride: i64,
        names: [&str; 2],
    ) -> Result<Proc> {
        divide_with_recompute(self, at, outer_hi, stride, names)
    }
}

fn require(rw: &mut Rewrite, path: &[Step], l: &For, pieces: &Expr, stride: i64) -> Result<()> {
    let ctx = rw.context_of(path)?;
    rw.require(&LOWER_BOUND, [conditions::equal_exprs(&ctx, &l.lo, &int(0))])?;
    let within = le(mul(stride, pieces.clone()), l.hi.clone());
    let some = or(ge(pieces.clone(), 1), lt(l.hi.clone(), 1));
    rw.require(&COVERED, [conditions::holds(&ctx, &and(within, some))])?;
    let written = ctx.analysis.written_fields(&l.body);
    let mut changed = None;
    for e in [&l.hi, pieces] {
        fields_in_expr(e, &mut |config, field| {
            let field = Field::of(config, field);
            changed = changed.or(written.contains_key(&field).then_some(field));
        });
    }
    rw.require_that(&BOUNDS_STABLE, changed.is_none(), || match changed {
        Some(field) => format!("the loop writes `{}`, which is read again", field.var()),
        None => String::new(),
    })?;
    rw.require_apart(&SEQUENTIAL, l.mode == LoopMode::Seq, || "the loop is parallel")?;
    let (one, steps) = (EffExpr::int(1), EffExpr::scale(stride, ctx.lift(pieces)));
    // The pieces overlap by more than so many iterations.
    let overlap = |by: i64| {
        let beyond = EffExpr::lt(EffExpr::add(steps.clone(), EffExpr::int(by)), ctx.lift(&l.hi));
        EffExpr::maybe(EffExpr::and([EffExpr::lt(one.clone(), ctx.lift(pieces)), beyond]))
    };
    let [mut again, mut apart] = conditions::recompute(&ctx, &l.clone().stmt());
    again.formula = EffExpr::implies(overlap(0), again.formula);
    // One iteration that two pieces share runs twice in a row.
    apart.formula = EffExpr::implies(overlap(1), apart.formula);
    rw.require(&IDEMPOTENT, [again])?;
    rw.require(&APART, [apart])?;
    rw.require_readable(path, &[pieces], &[l.lo.clone(), l.hi.clone()], None)
}

//! ```text
//! x[j] = 0.0                        x[j] = 0.0
//! for i in seq(a, b):               for i in seq(a, b):
//!     x[j] += c * e         ~>          x[j] += e
//!                                   x[j] = c * x[j]
//! ```
//! The reductions may stand deeper, in loops and guards, and there may be several; `c` is a literal, a cell or a
//! data field, and any factor of the product. May round differently.
//!
//! Source: Exo. Spec: [rule: lift_reduce_constant].

use crate::cursor::path::{ExprPath, ExprStep, Place, Step, child, member, shifted};
use crate::cursor::{At, resolve};
use crate::error::Result;
use crate::kept::Parts;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::within;
use crate::tools::syntax::operand::{MIXED, common, target};
use crate::tools::syntax::stmt_views::{For, If, Write, WriteKind};
use crate::tools::syntax::without::{Without, factors};
use crate::version::Proc;
use crate::version::session::Session;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::locset::Loc;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{Block, Expr, ExprKind, Literal, Stmt, StmtKind};
use rewright_semantics::build::{block, mul, read};
use rewright_semantics::sym::Sym;

const ZERO: Condition = condition("zero", "the first statement assigns zero");
const SCALED: Condition =
    form("scaled", "the second statement is a loop with a reduction by a multiple of something outside");
const SAME_CELL: Condition =
    condition("same_cell", "the reductions are into the cell, which is the same after the loop");
const SAME_FACTOR: Condition =
    condition("same_factor", "the factor is the same in each of them and after the loop");
const ONLY: Condition = condition("only", "nothing else in the loop touches the cell");
const UNCHANGED: Condition = condition("unchanged", "the loop does not change the factor");
const EVALUATED: Condition =
    condition("evaluated", "the loop reads the factor in any case, or it is a literal");
const PRECISION: Condition =
    condition("precision", "all that is read and written is floating, or all is integer");

/// The entry of [`lift_reduce_constant`].
pub static LIFT_REDUCE_CONSTANT: Primitive = Primitive {
    name: "lift_reduce_constant",
    summary: "multiplies a sum by a constant once, after the loop; may round differently",
    source: "Exo",
    params: &[required("block_cursor", ArgKind::Accumulation)],
    conditions: &[ZERO, SCALED, SAME_CELL, SAME_FACTOR, ONLY, UNCHANGED, EVALUATED, PRECISION],
    exact: Exact::Never,
    run: |p, args| lift_reduce_constant(p, args.at("block_cursor")?),
};

/// Multiplies a sum by a constant once, after the loop.
///
/// # Errors
/// A condition fails, or there are not two statements.
pub fn lift_reduce_constant(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let pair = resolve::pair(p, &at.into())?;
    let mut rw = Rewrite::new(p, &LIFT_REDUCE_CONSTANT);
    rw.at("block_cursor", Place::Block(pair.clone()));
    let at_loop = member(&pair, 1);
    let (s, t) = (rw.given(&pair.path)?, rw.given(&at_loop)?);
    let Some(zero) = Write::of(&s).filter(|w| w.kind == WriteKind::Assign) else {
        return Err(rw.refuse(&ZERO, "the first statement is no assignment", s.span));
    };
    rw.require_that(&ZERO, is_zero(&zero.rhs), || "the first statement does not assign zero")?;
    let Some(l) = For::of(&t) else {
        return Err(rw.refuse(&SCALED, "the second statement is no loop", t.span));
    };

    let ctx = rw.context_of(&at_loop)?;
    let cell = conditions::cell(&ctx.env, zero.name, &zero.idx);
    let cell = cell.ok_or_else(|| rw.internal("a write to no cell"))?;
    let Some(scaled) = scaled(p.session(), &ctx, &cell, &at_loop, &l) else {
        let why =
            format!("no reduction into `{}` in the loop is by a multiple of something outside", zero.name);
        return Err(rw.refuse(&SCALED, why, t.span));
    };
    rw.require_that(&SCALED, true, || "")?;
    require(&mut rw, p, &ctx, &zero, &cell, &t, &scaled)?;

    for sum in &scaled.sums {
        let rhs = ExprPath { stmt: sum.path.clone(), steps: vec![ExprStep::Rhs] };
        let Without { operand: _, rest, moved } = sum.without.clone();
        rw.replace_expr(&rhs, rest, Parts::only(moved));
    }
    let product = mul(scaled.factor.clone(), read(zero.name, zero.idx.clone()));
    rw.insert(&shifted(&at_loop, 1), block([Write { rhs: product, ..zero }.stmt()]));
    rw.finish()
}

impl Proc {
    /// Multiplies a sum by a constant once, after the loop; may round differently: [`lift_reduce_constant`](fn@lift_reduce_constant).
    ///
    /// # Errors
    /// As the function.
    pub fn lift_reduce_constant(&self, at: impl Into<At>) -> Result<Proc> {
        lift_reduce_constant(self, at)
    }
}

fn require(
    rw: &mut Rewrite,
    p: &Proc,
    before: &Context,
    zero: &Write,
    cell: &Loc,
    t: &Stmt,
    scaled: &Scaled,
) -> Result<()> {
    let after = within::after(before, t);
    let mut cells: Vec<Obligation> = scaled.sums.iter().map(|sum| sum.same_cell.clone()).collect();
    let cell_after = conditions::cell(&after.env, zero.name, &zero.idx);
    cells.extend(cell_after.and_then(|there| conditions::same_place(&after, cell, &there)));
    rw.require(&SAME_CELL, cells)?;

    let factor = conditions::place(&before.env, &scaled.factor);
    let mut factors: Vec<Obligation> = scaled.sums.iter().filter_map(|sum| sum.same_factor.clone()).collect();
    if let Some(factor) = &factor {
        let there = conditions::place(&after.env, &scaled.factor);
        factors.extend(there.and_then(|there| conditions::same_place(&after, factor, &there)));
    }
    rw.require(&SAME_FACTOR, factors)?;

    let whole = block([t.clone()]);
    let aside = block([aside(t, &scaled.at_loop, &scaled.sums)]);
    rw.require(&ONLY, [conditions::not_touched_by(before, cell, &aside)])?;
    let changed = factor.iter().map(|factor| conditions::not_changed_by(before, factor, &whole));
    rw.require(&UNCHANGED, changed)?;
    let evaluated = factor.iter().map(|factor| conditions::read_by(before, factor, &whole));
    rw.require(&EVALUATED, evaluated)?;

    let mut numbers = true;
    for sum in &scaled.sums {
        let env = p.env_at(&sum.path).ok_or_else(|| rw.internal("no names"))?;
        let s = rw.given(&sum.path)?;
        numbers &= target(&env, &s).is_some_and(|t| common(&env, t, [&sum.rhs]).is_some());
    }
    rw.require_that(&PRECISION, numbers, || MIXED)
}

/// A reduction `x[j] += c * e`.
struct Sum {
    path: Vec<Step>,
    rhs: Expr,
    /// `c` and `e`
    without: Without,
    /// It is into the cell.
    same_cell: Obligation,
    /// `c` is the factor of the first reduction; `None` when it is the same literal.
    same_factor: Option<Obligation>,
}

/// The reductions by multiples of one factor.
struct Scaled {
    at_loop: Vec<Step>,
    factor: Expr,
    sums: Vec<Sum>,
}

/// The first factor of the first reduction into the buffer that every other one has too. Where there is none,
/// the first of those that are read outside: what is refused is then about that one.
fn scaled(session: &Session, before: &Context, cell: &Loc, at_loop: &[Step], l: &For) -> Option<Scaled> {
    let mut places = Vec::new();
    reductions(&within::iteration(before, l), &l.body, &mut |k| child(at_loop, Step::Body(k)), &mut places);
    let mut all = Vec::new();
    for (path, write, ctx) in places {
        let there = conditions::cell(&ctx.env, write.name, &write.idx);
        if let Some(same) = there.and_then(|there| conditions::same_place(&ctx, cell, &there)) {
            all.push((path, write, ctx, same));
        }
    }
    // Those that are elsewhere for all that is known are no business of this rewrite, unless there are no others.
    let is_here = |same: &Obligation| session.decide(same).is_proved();
    if all.iter().any(|(_, _, _, same)| is_here(same)) {
        all.retain(|(_, _, _, same)| is_here(same));
    }
    let (_, first, _, _) = all.first()?;
    let outside =
        |e: &Expr| is_literal(e) || conditions::place(&before.env, e).is_some_and(|loc| is_known(&loc));
    let mut fallback = None;
    for factor in factors(&first.rhs).into_iter().map(|w| w.operand).filter(outside) {
        let sums: Option<Vec<Sum>> = all
            .iter()
            .map(|(path, write, ctx, same)| {
                let (without, same_factor) = without_factor(session, before, ctx, &factor, &write.rhs)?;
                let (path, rhs, same_cell) = (path.clone(), write.rhs.clone(), same.clone());
                Some(Sum { path, rhs, without, same_cell, same_factor })
            })
            .collect();
        let Some(sums) = sums else { continue };
        let proved = |sum: &Sum| sum.same_factor.iter().all(|ob| session.decide(ob).is_proved());
        let complete = sums.iter().all(proved);
        let found = Scaled { at_loop: at_loop.to_vec(), factor, sums };
        if complete {
            return Some(found);
        }
        fallback = fallback.or(Some(found));
    }
    fallback
}

/// Whether the indices of a place mean something where it was asked for: no name in them is out of scope.
fn is_known(loc: &Loc) -> bool {
    loc.idx.iter().all(|i| !i.is_unknown())
}

/// Every reduction in a block, with its path and context.
fn reductions(
    ctx: &Context,
    b: &Block,
    at: &mut dyn FnMut(usize) -> Vec<Step>,
    out: &mut Vec<(Vec<Step>, Write, Context)>,
) {
    let mut ctx = ctx.clone();
    for (k, s) in b.iter().enumerate() {
        let path = at(k);
        if let Some(write) = Write::of(s).filter(|w| w.kind == WriteKind::Reduce) {
            out.push((path, write, ctx.clone()));
        } else if let Some(l) = For::of(s) {
            let inside = within::iteration(&ctx, &l);
            reductions(&inside, &l.body, &mut |k| child(&path, Step::Body(k)), out);
        } else if let Some(guard) = If::of(s) {
            for (body, block, step) in
                [(true, &guard.body, Step::Body(0)), (false, &guard.orelse, Step::Orelse(0))]
            {
                let inside = within::branch(&ctx, &guard, body);
                reductions(&inside, block, &mut |k| child(&path, step.at(k)), out);
            }
        }
        ctx = within::after(&ctx, s);
    }
}

/// The product without a factor that is `factor`, with what is left to prove; one that is proved, if there is one.
fn without_factor(
    session: &Session,
    before: &Context,
    ctx: &Context,
    factor: &Expr,
    product: &Expr,
) -> Option<(Without, Option<Obligation>)> {
    let mut found = None;
    for without in factors(product) {
        let candidate = &without.operand;
        if is_literal(factor) || is_literal(candidate) {
            if candidate == factor {
                return Some((without, None));
            }
            continue;
        }
        let wanted = conditions::place(&before.env, factor)?;
        let Some(there) = conditions::place(&ctx.env, candidate) else { continue };
        let Some(same) = conditions::same_place(ctx, &wanted, &there) else { continue };
        let same = same.at(factor.span, "this factor").at(candidate.span, "and this one");
        if session.decide(&same).is_proved() {
            return Some((without, Some(same)));
        }
        found = found.or(Some((without, Some(same))));
    }
    found
}

/// The statement with each of the sums into some other place instead: what is left touches the cell for other
/// reasons.
fn aside(s: &Stmt, path: &[Step], sums: &[Sum]) -> Stmt {
    let inner = |b: &Block, step: Step| -> Block {
        b.iter().enumerate().map(|(k, s)| aside(s, &child(path, step.at(k)), sums)).collect()
    };
    let kind = match s.kind.as_ref() {
        StmtKind::Reduce { name: _, idx: _, rhs } if sums.iter().any(|sum| sum.path == path) => {
            StmtKind::Assign { name: Sym::fresh("elsewhere"), idx: [].into(), rhs: rhs.clone() }
        }
        StmtKind::For { iter, lo, hi, body, mode } => StmtKind::For {
            iter: *iter,
            lo: lo.clone(),
            hi: hi.clone(),
            body: inner(body, Step::Body(0)),
            mode: *mode,
        },
        StmtKind::If { cond, body, orelse } => StmtKind::If {
            cond: cond.clone(),
            body: inner(body, Step::Body(0)),
            orelse: inner(orelse, Step::Orelse(0)),
        },
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => return s.clone(),
    };
    Stmt::at(kind, s.span)
}

fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(Literal::Data(_)) => true,
        ExprKind::Neg(a) => is_literal(a),
        ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => false,
    }
}

fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(Literal::Data(value)) => *value.mantissa() == 0.into(),
        ExprKind::Neg(a) => is_zero(a),
        ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => false,
    }
}

//! ```text
//!                 t: T
//! s       ~>      t = e
//!                 s[e ↦ t]
//! ```
//! The buffer comes right before the first of the statements of one block in which the given occurrences of `e` are,
//! in the memory `DRAM` and with the precision of `e`. Equal occurrences are in the scope of the same variables, and so
//! is that place. With `cse`, all occurrences of `e` in these statements are bound.
//!
//! Source: ASPLOS'25 App. A.5, which asks for nothing. Spec: [rule: bind_expr].

use crate::cursor::At;
use crate::cursor::path::{ExprPath, ExprStep, Hole, Place, Step, expr_at, member, run_at, shifted};
use crate::cursor::resolve;
use crate::edit::Edit;
use crate::error::Result;
use crate::kept::{Parts, parts_go};
use crate::registry::{ArgKind, Condition, Default, Exact, Primitive, condition, optional, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::definitely_assigned::is_definitely_assigned;
use crate::tools::requires::precision::{kept_by, natural_at};
use crate::tools::requires::tentative::{parallel_around, races, tentative};
use crate::tools::requires::values::{each_cell, in_bounds, unchanged_by};
use crate::tools::syntax::occurrences::{common_run, occurrences};
use crate::version::Proc;
use rewright_effects::eff::eff_block;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Expr, ExprKind, StmtKind};
use rewright_semantics::build::{alloc, assign, block, read};
use rewright_semantics::sym::Sym;
use rewright_semantics::typecheck::Type;

const BOUNDS: Condition =
    condition("bounds", "the cells that the expression reads exist where it is computed");
const PARALLEL: Condition =
    condition("parallel", "the expression is not read where another thread changes what it reads");
const UNCHANGED: Condition =
    condition("unchanged", "what the expression reads is not changed before its last occurrence");
const BY_VALUE: Condition = condition("by_value", "no callee changes an occurrence that is passed to it");
const PRECISION: Condition =
    condition("precision", "a buffer of the precision of the expression holds what is used of its value");

/// Which occurrences of an expression are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrences {
    /// Those that are pointed at.
    These,
    /// All in these statements.
    All,
}

/// The entry of [`bind_expr`].
pub static BIND_EXPR: Primitive = Primitive {
    name: "bind_expr",
    summary: "computes an expression into a new scalar first",
    source: "ASPLOS'25 App. A.5",
    params: &[
        required("expr_cursors", ArgKind::Exprs),
        required("new_name", ArgKind::NewName),
        optional("cse", ArgKind::Bool, Default::Bool(false)),
    ],
    conditions: &[BOUNDS, PARALLEL, UNCHANGED, BY_VALUE, PRECISION],
    exact: Exact::Never,
    run: |p, args| {
        let occurrences = if args.bool("cse")? { Occurrences::All } else { Occurrences::These };
        let name = args.text("new_name")?;
        bind_expr(p, args.ats("expr_cursors")?, &name, occurrences)
    },
};

/// Computes equal expressions into one new scalar.
///
/// # Errors
/// A condition fails, the expressions are not equal or not data, or there are none.
pub fn bind_expr(p: &Proc, at: Vec<At>, name: &str, bound: Occurrences) -> Result<Proc> {
    let cse = bound == Occurrences::All;
    let mut places = at.iter().map(|at| resolve::expr(p, at)).collect::<Result<Vec<ExprPath>>>()?;
    let mut rw = Rewrite::new(p, &BIND_EXPR);
    rw.at_all("expr_cursors", places.iter().cloned().map(Place::Expr));
    rw.arg("new_name", name);
    rw.arg("cse", cse);
    let e = one_expression(&rw, p, &places)?;
    let run = common_run(&places).ok_or_else(|| rw.wrong_argument("there is no expression to bind"))?;
    if cse {
        let all = occurrences(p.ast(), &run, &e).into_iter().filter(|at| !is_reference(p, at));
        places.extend(all.collect::<Vec<_>>());
    }
    places.sort();
    places.dedup();
    let t = Sym::fresh(name);
    require(&mut rw, p, &e, &run, &places)?;
    let elem = element_type(&mut rw, p, &e, &places)?;

    let stmts = block([alloc(t, elem, []), assign(t, [], e.clone())]);
    let mut edits = vec![Edit::Insert { at: run.path.clone(), stmts }];
    let bound = ExprPath { stmt: shifted(&run.path, 1), steps: vec![ExprStep::Rhs] };
    let depth = run.path.len();
    for at in &places {
        let here = ExprPath { stmt: later(&at.stmt, depth, 2), steps: at.steps.clone() };
        edits.extend(parts_go(&e, &here, &bound));
        let with = Expr::at(read(t, []).kind, e.span);
        edits.push(Edit::ReplaceExpr { at: here, with, kept: Parts::value() });
    }
    let loops = parallel_around(p.ast(), &run.path);
    if !loops.is_empty() && !certainly_evaluated(&run, &places) {
        let new = tentative(p.ast(), &edits).ok_or_else(|| rw.internal("an edit does not fit"))?;
        rw.require(&PARALLEL, races(p.session(), &new, &loops))?;
    }
    edits.into_iter().for_each(|edit| rw.edit(edit));
    rw.finish()
}

impl Proc {
    /// Computes an expression into a new scalar first: [`bind_expr`](fn@bind_expr).
    ///
    /// # Errors
    /// As the function.
    pub fn bind_expr(&self, at: Vec<At>, name: &str, bound: Occurrences) -> Result<Proc> {
        bind_expr(self, at, name, bound)
    }
}

/// The path with its index at a depth so many further on.
fn later(path: &[Step], depth: usize, by: isize) -> Vec<Step> {
    let mut out = path.to_vec();
    if let Some(step) = depth.checked_sub(1).and_then(|d| out.get_mut(d)) {
        *step = step.moved(by);
    }
    out
}

/// Whether the first of the statements evaluates the expression in any case.
fn certainly_evaluated(run: &Hole, places: &[ExprPath]) -> bool {
    places.iter().any(|at| at.stmt == run.path)
}

/// The expression that stands at all the places.
fn one_expression(rw: &Rewrite, p: &Proc, places: &[ExprPath]) -> Result<Expr> {
    let mut found = places.iter().filter_map(|at| expr_at(p.ast(), at));
    let Some(e) = found.next() else { return Err(rw.wrong_argument("there is no expression to bind")) };
    if found.any(|other| other != e) {
        return Err(rw.wrong_argument("the expressions to bind are not equal"));
    }
    let at = places.first().map(|at| at.stmt.as_slice()).unwrap_or_default();
    let typ = p.env_at(at).map(|env| env.type_of(e));
    let scalar = match typ {
        Some(Type::Data(_)) => true,
        Some(Type::Buffer(b)) => b.rank() == 0,
        Some(Type::Control(_) | Type::Error) | None => false,
    };
    if scalar { Ok(e.clone()) } else { Err(rw.wrong_argument("only an expression of data can be bound")) }
}

fn require(rw: &mut Rewrite, p: &Proc, e: &Expr, run: &Hole, places: &[ExprPath]) -> Result<()> {
    let ctx = rw.context_of(&run.path)?;
    if !certainly_evaluated(run, places) {
        let mut set = true;
        each_cell(e, &mut |_, idx| {
            set = set && idx.iter().all(|i| is_definitely_assigned(p.ast(), &run.path, i, &[]))
        });
        rw.refuse_unless(&BOUNDS, set, || "an index reads a field that may not be set")?;
        rw.require(&BOUNDS, in_bounds(&ctx, e))?;
    }
    // A statement evaluates before it writes, so what the last one writes itself comes too late to matter.
    let direct = places.last().is_some_and(|at| at.stmt == member(run, run.len - 1));
    let between = Hole { path: run.path.clone(), len: if direct { run.len - 1 } else { run.len } };
    let between = run_at(p.ast(), &between).unwrap_or_default();
    rw.require(&UNCHANGED, [unchanged_by(&ctx, e, &between)])?;
    let passed: Vec<&ExprPath> = places.iter().filter(|at| is_reference(p, at)).collect();
    let kept =
        passed.into_iter().map(|at| not_changed_by_callee(rw, &at.stmt, e)).collect::<Result<Vec<_>>>()?;
    rw.require(&BY_VALUE, kept)
}

/// Whether the place is an argument of a call: data is passed by reference.
fn is_reference(p: &Proc, at: &ExprPath) -> bool {
    let call = crate::cursor::path::stmt_at(p.ast(), &at.stmt);
    call.is_some_and(|s| matches!(s.kind.as_ref(), StmtKind::Call { .. })) && at.steps.len() == 1
}

fn not_changed_by_callee(rw: &Rewrite, stmt: &[Step], e: &Expr) -> Result<Obligation> {
    let ctx = rw.context_of(stmt)?;
    let changed = eff_block(&ctx.analysis, &ctx.env, &ctx.hole).modified();
    let formula =
        EffExpr::definitely(changed.inter(crate::tools::requires::values::reads(&ctx, e)).is_empty());
    let sentence = "the callee does not change what is passed to it here";
    Ok(ctx.obligation(ConditionId("unchanged"), sentence, formula).at(e.span, "passed by reference"))
}

/// The precision that the expression has at all the places.
fn element_type(
    rw: &mut Rewrite,
    p: &Proc,
    e: &Expr,
    places: &[ExprPath],
) -> Result<rewright_semantics::types::DataType> {
    let env = places.first().and_then(|at| p.env_at(&at.stmt));
    let of_name = |e: &Expr| match (&e.kind, &env) {
        (ExprKind::Read { name, .. }, Some(env)) => env.buffer(*name).map(|b| b.elem),
        _ => None,
    };
    let types: Vec<_> =
        places.iter().map(|at| if is_reference(p, at) { of_name(e) } else { kept_by(p, at, e) }).collect();
    let first = types.first().copied().flatten();
    let holds = first.is_some() && types.iter().all(|other| *other == first);
    rw.require_that(
        &PRECISION,
        holds,
        || "a buffer of its precision does not hold all that is used of the value of the expression",
    )?;
    let nearest = || places.first().and_then(|at| natural_at(p, at, e));
    first.or_else(nearest).ok_or_else(|| rw.internal("an expression without a precision"))
}

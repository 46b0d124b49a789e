//! ```text
//! s    ~>    f(e, A[lo:hi, j])
//! ```
//! where `s` is the body of `f` for these arguments, which are found by unification modulo linear equalities
//! ([`crate::unify`]). Statements that commute may stand in another order than in `f`.
//!
//! An instruction may round otherwise than its body. Where `s` rounds as the instruction does (`y = fma(a, b, y)`), the
//! versions are equivalent; where it is the body (`y += a * b`), they are related as
//! [`Rounded`](crate::version::Relation::Rounded).
//!
//! Source: ASPLOS'25 App. A.4; PLDI'22 §3.4. Spec: [rule: replace], [rule: instructions.rounding].

use crate::cursor::path::{Hole, Place, Step, member, run_at};
use crate::cursor::resolve;
use crate::cursor::{At, Cursor};
use crate::edit::{Edit, apply};
use crate::error::{Error, Result};
use crate::registry::{
    ArgKind, Condition, Default, Exact, Primitive, Value, condition, form, optional, required,
};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::calls::{Required, safely};
use crate::tools::requires::definitely_assigned::assigned_first;
use crate::tools::requires::precision::{computed_otherwise, require_numbers};
use crate::tools::syntax::congruent::congruent;
use crate::tools::syntax::inlining::{actuals, body_with};
use crate::tools::syntax::scope;
use crate::unify::{Candidate, Mismatch, Order, unify};
use crate::version::Proc;
use crate::version::session::Session;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::env::Field;
use rewright_effects::names::fields_in_expr;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{self, Arg, Expr, ExprKind, Stmt, WinCoord};
use rewright_semantics::build::{block, call, window_arg};
use rewright_semantics::pretty::{expr_to_string, head_to_string};
use rewright_semantics::rounding;
use rewright_semantics::span::Span;
use rewright_semantics::syntax::fold::Form;
use rewright_semantics::types::linear::Linear;
use rewright_semantics::types::{ArgType, ControlType};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

const MATCH: Condition = form("match", "the statements are the body of the procedure for some arguments");
const COMMUTE: Condition = condition("commute", "statements that stand in another order commute");
const STABLE: Condition = condition("stable", "no argument reads a field that the procedure changes");
const SIZES: Condition = condition("sizes", "the sizes that are passed are at least 1");
const WINDOWS: Condition = condition("windows", "the parts of buffers that are passed exist");
const ASSERTS: Condition = condition("asserts", "the assertions of the procedure hold");
const BOUNDS: Condition = condition("bounds", "the procedure accesses only what it is given");
const PRECISION: Condition =
    form("precision", "no buffer of integers is passed for one of `R`, or conversely");
const ALIASING: Condition = form("aliasing", "what the procedure changes is passed to it once");

/// The entry of [`replace`].
pub static REPLACE: Primitive = Primitive {
    name: "replace",
    summary: "puts a call in place of statements that are the body of a procedure or instruction",
    source: "ASPLOS'25 App. A.4",
    params: &[
        required("block_cursor", ArgKind::Block),
        required("subproc", ArgKind::Proc),
        optional("quiet", ArgKind::Bool, Default::Bool(false)),
    ],
    conditions: &[MATCH, COMMUTE, STABLE, READABLE, SIZES, WINDOWS, ASSERTS, BOUNDS, PRECISION, ALIASING],
    exact: Exact::WithoutFields,
    run: |p, args| {
        let found = replace(p, args.at("block_cursor")?, &args.proc("subproc")?)?;
        // It only says how much is printed, and nothing is.
        args.bool("quiet")?;
        Ok(found)
    },
};

/// Puts a call in place of statements.
///
/// # Errors
/// The statements are not the body of the procedure, or a condition fails.
pub fn replace(p: &Proc, at: impl Into<At>, subproc: &Proc) -> Result<Proc> {
    let run = resolve::block(p, &at.into())?;
    replace_run(p, &run, subproc)
}

impl Proc {
    /// Puts a call in place of statements that are the body of a procedure or instruction: [`replace`](fn@replace).
    ///
    /// # Errors
    /// As the function.
    pub fn replace(&self, at: impl Into<At>, subproc: &Proc) -> Result<Proc> {
        replace(self, at, subproc)
    }
}

/// Whether statements have the form of the body of a procedure: where they have not, [`replace`](fn@replace) refuses. It puts no
/// refusal into words, for those who try many procedures.
///
/// # Errors
/// The cursor leads nowhere.
pub fn has_form_of(p: &Proc, at: impl Into<At>, subproc: &Proc) -> Result<bool> {
    let run = resolve::block(p, &at.into())?;
    Ok(is_of_form(p, &run, subproc))
}

fn is_of_form(p: &Proc, run: &Hole, subproc: &Proc) -> bool {
    let rounded = rounding::as_rounded(subproc.ast());
    rounded.is_some_and(|stated| candidates(p, run, subproc, Some(&stated)).is_ok())
        || candidates(p, run, subproc, None).is_ok()
}

/// The next match of a pattern, from this one on, where statements begin that have the form of the body of a procedure: which it
/// is, and the statements.
///
/// # Errors
/// None but bugs.
pub fn next_of_form(p: &Proc, pattern: &str, from: usize, subproc: &Proc) -> Result<Option<(usize, Cursor)>> {
    let Ok(found) = p.find_all(pattern) else { return Ok(None) };
    let len = subproc.ast().body.len();
    for (k, first) in found.into_iter().enumerate().skip(from) {
        let statements = first.expand(Some(0), len.checked_sub(1))?;
        let run = resolve::block(p, &At::from(statements.clone()))?;
        if run.len == len && is_of_form(p, &run, subproc) {
            return Ok(Some((k, statements)));
        }
    }
    Ok(None)
}

/// What was unified last: whoever asks for the form of statements puts a call in their place then.
struct Unified {
    p: Arc<ast::Proc>,
    run: Hole,
    callee: Arc<ast::Proc>,
    as_rounded: bool,
    found: Vec<Candidate>,
}

thread_local! {
    static LAST: RefCell<Option<Unified>> = const { RefCell::new(None) };
}

/// The calls that statements may be: of a procedure as it is written, or as an instruction rounds it.
fn candidates(
    p: &Proc,
    run: &Hole,
    subproc: &Proc,
    rounded: Option<&ast::Proc>,
) -> std::result::Result<Vec<Candidate>, Mismatch> {
    let as_rounded = rounded.is_some();
    let is_last = |last: &&Unified| {
        Arc::ptr_eq(&last.p, p.ast())
            && Arc::ptr_eq(&last.callee, subproc.ast())
            && last.as_rounded == as_rounded
            && last.run == *run
    };
    let known = LAST.with_borrow(|last| last.as_ref().filter(is_last).map(|last| last.found.clone()));
    if let Some(found) = known {
        return Ok(found);
    }
    let found = unify(p, run, rounded.unwrap_or(subproc.ast()))?;
    let (p, callee) = (p.ast().clone(), subproc.ast().clone());
    LAST.set(Some(Unified { p, run: run.clone(), callee, as_rounded, found: found.clone() }));
    Ok(found)
}

fn replace_run(p: &Proc, run: &Hole, subproc: &Proc) -> Result<Proc> {
    let rw = Rewrite::new(p, &REPLACE);
    if subproc.name() == p.name() {
        return Err(rw.wrong_argument(format!("`{}` would call a procedure of its own name", p.name())));
    }
    if let Some(new) = replace_as_rounded(p, run, subproc)? {
        return Ok(new);
    }
    match candidates(p, run, subproc, None) {
        Ok(candidates) => replace_by(p, run, subproc, &candidates),
        Err(e) => Err(rw.refuse(&MATCH, e.why(), e.at)),
    }
}

/// Puts a call in place of statements that round as the instruction does; `None` where they do not.
pub(crate) fn replace_as_rounded(p: &Proc, run: &Hole, subproc: &Proc) -> Result<Option<Proc>> {
    let Some(stated) = rounding::as_rounded(subproc.ast()) else { return Ok(None) };
    if run.len != stated.body.len() {
        return Ok(None);
    }
    let Ok(found) = candidates(p, run, subproc, Some(&stated)) else { return Ok(None) };
    for candidate in &found {
        match attempt(p, run, subproc, candidate, &stated) {
            Ok(new) => return Ok(Some(new)),
            Err(bug @ Error::Internal { .. }) => return Err(bug),
            Err(Error::Scheduling(_) | Error::InvalidCursor(_)) => {}
        }
    }
    Ok(None)
}

/// Puts one of these calls in place of a run of statements. The procedure must have another name.
pub(crate) fn replace_by(p: &Proc, run: &Hole, subproc: &Proc, candidates: &[Candidate]) -> Result<Proc> {
    let mut first = None;
    for candidate in candidates {
        match attempt(p, run, subproc, candidate, subproc.ast()) {
            Ok(new) => return Ok(new),
            Err(bug @ Error::Internal { .. }) => return Err(bug),
            Err(e @ (Error::Scheduling(_) | Error::InvalidCursor(_))) => drop(first.get_or_insert(e)),
        }
    }
    let rw = Rewrite::new(p, &REPLACE);
    Err(first.unwrap_or_else(|| rw.refuse(&MATCH, "no arguments make the statements a call", Span::NONE)))
}

/// The call with these arguments, in place of the body that is stated: its own, or how the instruction rounds it.
fn attempt(p: &Proc, run: &Hole, subproc: &Proc, found: &Candidate, stated: &ast::Proc) -> Result<Proc> {
    let mut rw = Rewrite::new(p, &REPLACE);
    rw.at("block_cursor", Place::Block(run.clone()));
    rw.arg("subproc", Value::Proc(subproc.clone()));
    let args = &match rw.form() {
        Form::Short => found.args.clone(),
        Form::Literal => subproc.ast().args.iter().zip(&found.args).map(|(a, e)| literal(a, e)).collect(),
    };
    let callee = subproc.ast();
    let (swaps, ordered) = in_order(p, run, &found.orders).ok_or_else(|| rw.internal("no such order"))?;
    verify(&mut rw, &ordered, run, stated, args)?;
    rw.require(&COMMUTE, swaps)?;

    let ctx = rw.context(run)?;
    let written = ctx.analysis.touched_fields(&callee.body);
    let unstable = args.iter().find(|e| reads_any(e, &written));
    rw.require_that(&STABLE, unstable.is_none(), || match unstable {
        Some(e) => format!("`{}` reads a field that `{}` changes", expr_to_string(e), callee.name),
        None => String::new(),
    })?;
    let asked: Vec<&Expr> = args.iter().chain(&callee.preds).chain(shapes(callee)).collect();
    rw.require_readable(&run.path, &asked, &assigned_first(&ctx.hole), None)?;

    let at = ctx.hole.iter().fold(Span::NONE, |span, s| span.to(s.span));
    let Required { sizes, windows, asserts, aliasing } = Required::of(&ctx, callee, args, at);
    rw.require(&SIZES, sizes)?;
    rw.require(&WINDOWS, windows)?;
    rw.require(&ASSERTS, asserts)?;
    rw.require(&BOUNDS, safely(p.session(), &ctx, callee, args))?;
    let otherwise = p.env_at(&run.path).and_then(|env| computed_otherwise(&env, callee, args));
    require_numbers(&mut rw, &PRECISION, otherwise)?;
    rw.require(&ALIASING, aliasing)?;
    let new = Stmt { span: at, ..call(callee, args.clone()) };
    rw.replace(run, block([new]));
    let is_body = std::ptr::eq(stated, &**callee);
    if let Some(what) = rounding::difference(callee).filter(|_| is_body) {
        rw.rounds(format!("{what}, and the statements it stands for after each operation"));
    }
    rw.finish()
}

/// An argument whose arithmetic is written operator by operator. Spec: [rule: forms].
fn literal(formal: &Arg, e: &Expr) -> Expr {
    let number = |e: &Expr| Linear::of(e).map_or_else(|_| e.clone(), |l| l.to_literal_expr());
    let coord = |c: &WinCoord| match c {
        WinCoord::Point(e) => WinCoord::Point(number(e)),
        WinCoord::Interval(lo, hi) => WinCoord::Interval(number(lo), number(hi)),
    };
    match &e.kind {
        ExprKind::Window(w) => window_arg(w.name, w.idx.iter().map(coord).collect::<Vec<_>>()),
        ExprKind::Read { .. } | ExprKind::Bin { .. } if is_number(&formal.typ) => number(e),
        ExprKind::Read { .. }
        | ExprKind::Bin { .. }
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => e.clone(),
    }
}

fn is_number(t: &ArgType) -> bool {
    match t {
        ArgType::Control(ControlType::Int | ControlType::Index | ControlType::Size) => true,
        ArgType::Control(ControlType::Bool | ControlType::Stride) | ArgType::Data { .. } => false,
    }
}

/// The body of the procedure, with the arguments put in, is the run of statements.
fn verify(rw: &mut Rewrite, p: &ast::Proc, run: &Hole, callee: &ast::Proc, args: &[Expr]) -> Result<()> {
    let (given, env) = (run_at(p, run), scope::env_at(rw.session().analysis(), p, &run.path));
    let body = actuals(callee, args).map(|by| body_with(callee, &by));
    let (Some(given), Some(env), Some(body)) = (given, env, body) else {
        return Err(rw.internal("what is unified is gone"));
    };
    let same = congruent(&env, &given, &body);
    rw.require_that(&MATCH, same.is_ok(), || match &same {
        Err(pair) => {
            let (s, f) = pair.as_ref();
            format!("`{}` would be `{}` in a call of `{}`", head_to_string(s), head_to_string(f), callee.name)
        }
        Ok(()) => String::new(),
    })
}

fn shapes(p: &ast::Proc) -> impl Iterator<Item = &Expr> {
    rewright_effects::analysis::shapes(p)
}

fn reads_any(e: &Expr, fields: &BTreeSet<Field>) -> bool {
    let mut found = false;
    fields_in_expr(e, &mut |config, field| found = found || fields.contains(&Field::of(config, field)));
    found
}

/// The procedure with statements in other orders, and why neighbours may change places on the way: inner blocks
/// first, so that no path changes.
fn in_order(p: &Proc, run: &Hole, orders: &[Order]) -> Option<(Vec<Obligation>, ast::Proc)> {
    let (session, mut p, mut why) = (p.session(), p.ast().as_ref().clone(), Vec::new());
    for order in orders.iter().rev() {
        let mut now: Vec<usize> = (0..order.of.len()).collect();
        for (k, wanted) in order.of.iter().enumerate() {
            let mut at = now.iter().position(|j| j == wanted)?;
            while at > k {
                why.extend(swap(session, &p, &order.first, at - 1)?);
                let edit =
                    Edit::Move { run: Hole::stmt(index(&order.first, at)), to: index(&order.first, at - 1) };
                p = apply(&p, &edit)?;
                now.swap(at - 1, at);
                at -= 1;
            }
        }
    }
    debug_assert!(run_at(&p, run).is_some(), "the run stays where it is");
    Some((why, p))
}

fn index(first: &[Step], k: usize) -> Vec<Step> {
    member(&Hole::stmt(first), k)
}

/// Why two neighbours may change places.
fn swap(session: &Session, p: &ast::Proc, first: &[Step], k: usize) -> Option<Vec<Obligation>> {
    let (a, b) = (index(first, k), index(first, k + 1));
    let ctx = Context::of(session.analysis(), p, &Hole { path: a.clone(), len: 2 })?;
    Some(conditions::commutes(&ctx, &run_at(p, &Hole::stmt(a))?, &run_at(p, &Hole::stmt(b))?))
}

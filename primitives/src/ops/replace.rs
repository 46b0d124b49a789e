//! ```text
//! s    ~>    f(e, A[lo:hi, j])
//! ```
//! where `s` is the body of `f` for these arguments, which are found by unification modulo linear equalities
//! ([`crate::unify`]). Statements that commute may stand in another order than in `f`.
//!
//! Where `f` begins with writes of configuration fields that `s` lacks, the step is two: [`write_config`](fn@super::write_config::write_config)
//! puts them before `s`, under its conditions, and the call takes the place of both. So a load that configures itself can be put in
//! place of loops. Spec: [rule: replace.state].
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
use crate::tools::requires::context_extension::{differing, require_no_races, require_unread};
use crate::tools::requires::definitely_assigned::assigned_first;
use crate::tools::requires::precision::{computed_otherwise, require_numbers};
use crate::tools::syntax::congruent::congruent;
use crate::tools::syntax::inlining::{actuals, body_with};
use crate::tools::syntax::leading_writes::{Lacking, forms};
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
const SAME: Condition = condition(
    "same",
    "a field that the procedure sets first holds the value already, where it may be read afterwards",
);
const UNREAD: Condition = condition(
    "unread",
    "neither the statements nor what follows them read a field that the procedure sets first, before it is overwritten",
);
const PARALLEL: Condition =
    condition("parallel", "no other thread touches a field that only the procedure sets");
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
    conditions: &[
        MATCH, COMMUTE, STABLE, READABLE, SIZES, WINDOWS, ASSERTS, BOUNDS, PRECISION, ALIASING, SAME, UNREAD,
        PARALLEL,
    ],
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
    stated(subproc, run.len).iter().any(|stated| candidates(p, run, subproc, stated).is_ok())
}

/// The next match of a pattern, from this one on, where statements begin that have the form of the body of a procedure: which it
/// is, and the statements.
///
/// # Errors
/// None but bugs.
pub fn next_of_form(p: &Proc, pattern: &str, from: usize, subproc: &Proc) -> Result<Option<(usize, Cursor)>> {
    let Ok(found) = p.find_all(pattern) else { return Ok(None) };
    for (k, first) in found.into_iter().enumerate().skip(from) {
        for len in lengths(subproc) {
            let statements = first.expand(Some(0), len.checked_sub(1))?;
            let run = resolve::block(p, &At::from(statements.clone()))?;
            if run.len == len && is_of_form(p, &run, subproc) {
                return Ok(Some((k, statements)));
            }
        }
    }
    Ok(None)
}

/// How many statements may be a call of a procedure: those of its body, most first.
pub(crate) fn lengths(subproc: &Proc) -> impl Iterator<Item = usize> {
    let body = &subproc.ast().body;
    forms(body).map(|lacking| body.len() - lacking)
}

/// What so many statements may be, if they are a call.
struct Stated {
    /// The statements, as a body.
    body: ast::Proc,
    /// They round as the instruction does.
    as_rounded: bool,
    /// What the procedure does before them.
    lacking: Lacking,
}

/// What a run of so many statements may be, if it is a call of a procedure: what rounds as an instruction does comes first.
fn stated(subproc: &Proc, len: usize) -> Vec<Stated> {
    let of = |whole: &ast::Proc, as_rounded| {
        Lacking::before(whole, len).map(|(lacking, body)| Stated { body, as_rounded, lacking })
    };
    let rounded = rounding::as_rounded(subproc.ast()).and_then(|whole| of(&whole, true));
    rounded.into_iter().chain(of(subproc.ast(), false)).collect()
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

/// The calls that statements may be.
fn candidates(
    p: &Proc,
    run: &Hole,
    subproc: &Proc,
    stated: &Stated,
) -> std::result::Result<Vec<Candidate>, Mismatch> {
    let as_rounded = stated.as_rounded;
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
    let found = unify(p, run, &stated.body)?;
    let (p, callee) = (p.ast().clone(), subproc.ast().clone());
    LAST.set(Some(Unified { p, run: run.clone(), callee, as_rounded, found: found.clone() }));
    Ok(found)
}

fn replace_run(p: &Proc, run: &Hole, subproc: &Proc) -> Result<Proc> {
    let rw = Rewrite::new(p, &REPLACE);
    if subproc.name() == p.name() {
        return Err(rw.wrong_argument(format!("`{}` would call a procedure of its own name", p.name())));
    }
    if let Some(new) = replace_if_of_form(p, run, subproc)? {
        return new;
    }
    // Why the statements are not the body, and not why they are not how it rounds.
    let whole =
        Stated { body: subproc.ast().as_ref().clone(), as_rounded: false, lacking: Lacking::default() };
    let stated = stated(subproc, run.len).pop().unwrap_or(whole);
    match candidates(p, run, subproc, &stated) {
        Ok(_) => Err(rw.internal("it was of that form")),
        Err(e) => Err(rw.refuse(&MATCH, e.why(), e.at)),
    }
}

/// Puts a call in place of a run of statements, or says which condition fails; `None` where they have not the form of the
/// body. The procedure must have another name.
pub(crate) fn replace_if_of_form(p: &Proc, run: &Hole, subproc: &Proc) -> Result<Option<Result<Proc>>> {
    let mut refused = None;
    for stated in stated(subproc, run.len) {
        let Ok(found) = candidates(p, run, subproc, &stated) else { continue };
        let mut first = None;
        for candidate in &found {
            match attempt(p, run, subproc, candidate, &stated) {
                Ok(new) => return Ok(Some(Ok(new))),
                Err(bug @ Error::Internal { .. }) => return Err(bug),
                Err(e @ (Error::Scheduling(_) | Error::InvalidCursor(_))) => drop(first.get_or_insert(e)),
            }
        }
        // What is the body, and not how it rounds, says why.
        if !stated.as_rounded {
            let rw = Rewrite::new(p, &REPLACE);
            let none = || rw.refuse(&MATCH, "no arguments make the statements a call", Span::NONE);
            refused = Some(first.unwrap_or_else(none));
        }
    }
    Ok(refused.map(Err))
}

/// The call with these arguments, in place of the body that is stated: its own, or how the instruction rounds it.
fn attempt(p: &Proc, run: &Hole, subproc: &Proc, found: &Candidate, stated: &Stated) -> Result<Proc> {
    let mut rw = Rewrite::new(p, &REPLACE);
    rw.at("block_cursor", Place::Block(run.clone()));
    rw.arg("subproc", Value::Proc(subproc.clone()));
    let args = &match rw.form() {
        Form::Short => found.args.clone(),
        Form::Literal => subproc.ast().args.iter().zip(&found.args).map(|(a, e)| literal(a, e)).collect(),
    };
    let callee = subproc.ast();
    let unsaid = stated.lacking.unsaid(&stated.body);
    rw.refuse_unless(&MATCH, unsaid.is_none(), || match unsaid {
        Some(a) => format!(
            "nothing says what to pass for `{}`: only what `{}` sets first mentions it",
            a.name, callee.name
        ),
        None => String::new(),
    })?;
    let (swaps, ordered) = in_order(p, run, &found.orders).ok_or_else(|| rw.internal("no such order"))?;
    verify(&mut rw, &ordered, run, &stated.body, args)?;
    rw.require(&COMMUTE, swaps)?;

    let ctx = rw.context(run)?;
    let written = ctx.analysis.touched_fields(&callee.body);
    let unstable = args.iter().find(|e| reads_any(e, &written));
    rw.require_that(&STABLE, unstable.is_none(), || match unstable {
        Some(e) => format!("`{}` reads a field that `{}` changes", expr_to_string(e), callee.name),
        None => String::new(),
    })?;
    let asked: Vec<&Expr> =
        args.iter().chain(&callee.preds).chain(shapes(callee)).chain(stated.lacking.values()).collect();
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
    require_state(&mut rw, p, run, stated, (callee, args))?;
    let new = Stmt { span: at, ..call(callee, args.clone()) };
    rw.replace(run, block([new]));
    if let Some(what) = rounding::difference(callee).filter(|_| !stated.as_rounded) {
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

/// Requires that what the procedure does before the statements may be done there: the conditions of a new write of each field.
fn require_state(
    rw: &mut Rewrite,
    p: &Proc,
    run: &Hole,
    stated: &Stated,
    (callee, args): (&Arc<ast::Proc>, &[Expr]),
) -> Result<()> {
    let Some(by) = actuals(&stated.body, args) else { return Err(rw.internal("an argument is no place")) };
    let writes = stated.lacking.with(&stated.body, &by);
    if writes.is_empty() {
        rw.require(&SAME, [])?;
        rw.require(&UNREAD, [])?;
        return rw.require(&PARALLEL, []);
    }
    let ctx = rw.context(&Hole { path: run.path.clone(), len: 0 })?;
    let fields = stated.lacking.fields();
    let left = differing(rw, &SAME, p.ast(), (&run.path, &ctx), fields, [&block([]), &writes])?;
    if !left.is_empty() {
        let new = block([call(callee, args.to_vec())]);
        require_unread(rw, &UNREAD, (&run.path, &ctx), &left, &[new])?;
    }
    let edit = Edit::Insert { at: run.path.clone(), stmts: writes };
    require_no_races(rw, &PARALLEL, p.ast(), &run.path, std::slice::from_ref(&edit))
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

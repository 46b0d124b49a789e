//! ```text
//! f(e, …)    ~>    g(e, …)
//! ```
//! where `f` and `g` are versions of one procedure. What lies between them says modulo which fields they are
//! equivalent, and so are the versions of the caller.
//!
//! Source: ASPLOS'25 App. A.4; PLDI'22 §3.3, §6.2. Spec: [rule: call_eqv].

use crate::cursor::At;
use crate::cursor::resolve::{self, Sort};
use crate::edit::{Edit, apply};
use crate::equivalence::equivalent_modulo;
use crate::error::Result;
use crate::kept::Kept;
use crate::left_open::{ill_typed, stands_on_strides};
use crate::registry::{ArgKind, Condition, Exact, Primitive, Value, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::calls::{Required, safely};
use crate::tools::requires::context_extension::{differing, require_no_races, require_unread};
use crate::tools::requires::definitely_assigned::is_definitely_assigned;
use crate::tools::syntax::stmt_views::Call;
use crate::version::Proc;
use rewright_effects::analysis::shapes;
use rewright_effects::context::Hole;
use rewright_effects::frontend::CALL_DENSE;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{self, Block, Expr};
use rewright_semantics::build::block;
use rewright_semantics::pretty::expr_to_string;
use std::sync::Arc;

const EQUIVALENT: Condition =
    condition("equivalent", "the new callee is a version that stands for the one that is called");
const SAME: Condition =
    condition("same", "a field holds the same after either, where it may be read afterwards");
const UNREAD: Condition =
    condition("unread", "no field in which they differ is read afterwards before it is overwritten");
const ASSERTS: Condition = condition("asserts", "what the new callee asserts holds at the call");
const BOUNDS: Condition =
    condition("bounds", "nothing goes wrong in the new callee that does not in the old one");
const PARALLEL: Condition = condition("parallel", "no other thread touches what only the new callee does");
const ALIASING: Condition = form("aliasing", "what the new callee changes is passed to it once");

/// The entry of [`call_eqv`].
pub static CALL_EQV: Primitive = Primitive {
    name: "call_eqv",
    summary: "calls another version of a procedure; equivalent modulo the fields that the versions are",
    source: "ASPLOS'25 App. A.4",
    params: &[required("call_cursor", ArgKind::Call), required("eqv_proc", ArgKind::Version)],
    conditions: &[EQUIVALENT, SAME, UNREAD, ASSERTS, BOUNDS, PARALLEL, ALIASING],
    exact: Exact::Never,
    run: |p, args| call_eqv(p, args.at("call_cursor")?, &args.proc("eqv_proc")?),
};

/// Calls another version of a procedure.
///
/// # Errors
/// The versions are not equivalent, a condition fails, or there is no call.
pub fn call_eqv(p: &Proc, at: impl Into<At>, eqv_proc: &Proc) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Call)?;
    let mut rw = Rewrite::new(p, &CALL_EQV);
    rw.at_stmt("call_cursor", &path);
    rw.arg("eqv_proc", Value::Proc(eqv_proc.clone()));
    let call = Call::of(&rw.given(&path)?).ok_or_else(|| rw.internal("no call"))?;
    if eqv_proc.name() == p.name() {
        return Err(rw.wrong_argument(format!("`{}` would call a procedure of its own name", p.name())));
    }
    let found = equivalent_modulo(&call.proc, eqv_proc);
    rw.require_that(&EQUIVALENT, found.is_ok(), || match &found {
        Err(apart) => apart.to_string(),
        Ok(_) => String::new(),
    })?;
    let between = found.unwrap_or_default();
    if between.assumed {
        rw.stands_on_assumptions(&EQUIVALENT);
    }

    let ctx = rw.context_of(&path)?;
    let of = |callee| Required::of(&ctx, callee, &call.args, call.span);
    let new = of(eqv_proc.ast());
    let stmt = |callee: &Arc<ast::Proc>| Call { proc: callee.clone(), ..call.clone() }.stmt();
    let either = [block([call.clone().stmt()]), block([stmt(eqv_proc.ast())])];
    let fields = between.modulo.iter().copied();
    let left = differing(&mut rw, &SAME, p.ast(), (&path, &ctx), fields, [&either[0], &either[1]])?;
    if !left.is_empty() {
        let callees = between.admitting.iter().chain([eqv_proc.ast()]);
        let new: Vec<Block> = callees.map(|callee| block([stmt(callee)])).collect();
        require_unread(&mut rw, &UNREAD, (&path, &ctx), &left, &new)?;
    }
    let edit = |callee| Edit::Reshape {
        run: Hole::stmt(path.clone()),
        old: block([call.clone().stmt()]),
        stmts: block([stmt(callee)]),
        kept: Kept::unchanged(),
    };
    for callee in &between.admitting {
        let there = apply(p.ast(), &edit(callee)).ok_or_else(|| rw.internal("an edit does not fit"))?;
        let wrong = ill_typed(p.session(), &there);
        rw.refuse_unless(&ASSERTS, wrong.is_none(), || match wrong {
            Some(fault) => format!("a version between the two does not admit this call: {fault}"),
            None => String::new(),
        })?;
    }
    // A version that takes a tensor may have been made by what is known of a tensor's strides, and is given a window.
    let asserts: Vec<Obligation> =
        between.admitting.iter().flat_map(|callee| of(callee).asserts).chain(new.asserts).collect();
    let (open, asserts): (Vec<_>, Vec<_>) = asserts.into_iter().partition(|ob| is_left_open(p, ob));
    let is_open = p.open().calls || !open.is_empty();
    let stands = if is_open { between.passed.iter().find(|v| stands_on_strides(v)) } else { None };
    rw.refuse_unless(&ASSERTS, stands.is_none(), || match stands {
        Some(v) => format!("a call is open, and `{}` asks for the strides of tensors", v.name),
        None => String::new(),
    })?;
    let asked: Vec<&Expr> = eqv_proc.ast().preds.iter().chain(shapes(eqv_proc.ast())).collect();
    let unset = asked.iter().find(|e| !is_definitely_assigned(p.ast(), &path, e, &asked_before(&call.proc)));
    rw.refuse_unless(&ASSERTS, unset.is_none(), || match unset {
        Some(e) => format!("`{}` reads a field that may not be set", expr_to_string(e)),
        None => String::new(),
    })?;
    open.iter().for_each(|ob| rw.postpones(format!("this is not known: {}", ob.sentence)));
    rw.require(&ASSERTS, asserts.into_iter().chain(new.sizes))?;
    if between.took_back {
        rw.require(&BOUNDS, safely(p.session(), &ctx, eqv_proc.ast(), &call.args))?;
    }
    rw.require(&ALIASING, new.aliasing)?;
    let edit = edit(eqv_proc.ast());
    require_no_races(&mut rw, &PARALLEL, p.ast(), &path, std::slice::from_ref(&edit))?;
    p.session().calls(eqv_proc);
    rw.edit(edit);
    between.rounding.iter().for_each(|what| rw.rounds(what));
    rw.finish()
}

impl Proc {
    /// Calls another version of a procedure; equivalent modulo the fields that the versions are: [`call_eqv`](fn@call_eqv).
    ///
    /// # Errors
    /// As the function.
    pub fn call_eqv(&self, at: impl Into<At>, eqv_proc: &Proc) -> Result<Proc> {
        call_eqv(self, at, eqv_proc)
    }
}

/// Whether an obligation is that a window is dense, and is left for a later step: [rule: left-open].
fn is_left_open(p: &Proc, ob: &Obligation) -> bool {
    p.session().postpones() && ob.id == CALL_DENSE && !p.session().decide(ob).is_proved()
}

/// What a call evaluates before the body of the callee.
fn asked_before(callee: &ast::Proc) -> Vec<Expr> {
    callee.preds.iter().chain(shapes(callee)).cloned().collect()
}

//! What a step leaves open, for a later one to put right. Exo asks for it no sooner than when it makes C. Spec: [rule: left-open].
//!
//! Calls: a buffer that is passed has another precision than the callee's argument, or it is a window, and the callee takes a
//! tensor. A later step gives the buffer or another version of the callee the type that is missing, or inlines. Such a call has
//! the meaning of the callee's body with the arguments put in, in exact arithmetic, where a precision is a note; so each step from
//! or to such a version is one in exact arithmetic ([`Relation::Rounded`](crate::version::Relation::Rounded)).
//!
//! Races: iterations of a parallel loop meet. The loop has the meaning of the same loop, `seq`. So a step that takes iterations to be
//! apart asks whether they are ([`Proc::open`]); conditions on races are all that may be left open.
//!
//! [`stand_in`] is the program that says so. Neither C nor the interpreter takes what is open.

mod stand_in;

pub(crate) use stand_in::stand_in;

use crate::version::session::Session;
use crate::version::{Discharged, Proc, Reason};
use rewright_effects::conditions::LOOP_PARALLEL;
use rewright_effects::frontend::{
    CALL_DENSE, Finding, PAR_RACE, Requirement, check_call_shapes, check_races_from_outside, confirm,
};
use rewright_effects::names::callees;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{self, Block, ExprKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::syntax::walk::{each_expr, each_operand, each_stmt, has_parallel_loop};
use rewright_semantics::typecheck::{self, Fault, IllTyped};
use rewright_semantics::types::{ArgType, ArrayKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Whether a condition of a step, or of what it calls, is that iterations of a parallel loop are apart.
pub(crate) fn is_race(condition: ConditionId) -> bool {
    condition == LOOP_PARALLEL || condition == PAR_RACE
}

/// Whether a fault leaves a call open, and is nothing worse: integers in the place of floats, or the other way round, are no
/// matter of rounding.
pub(crate) fn leaves_open(fault: &IllTyped) -> bool {
    matches!(fault.kind, Fault::ArgumentPrecision { expected, found, .. }
        if !expected.is_integer() && !found.is_integer())
}

/// Whether what the front end finds in a procedure may be left open, and is nothing worse.
pub fn is_left_open(p: &ast::Proc, found: &Diagnostic) -> bool {
    let of_precision = |f: &IllTyped| matches!(f.kind, Fault::ArgumentPrecision { .. });
    match found.rule {
        ARGUMENT_PRECISION => typecheck::faults(p).iter().filter(|f| of_precision(f)).all(leaves_open),
        rule if rule == CALL_DENSE.0 => !asks_tensors_for_strides(&p.body),
        rule => rule == PAR_RACE.0,
    }
}

/// The rule that a buffer of another precision breaks.
const ARGUMENT_PRECISION: &str = "type.argument-precision";

/// Whether a version takes tensors and asks for strides, itself or in what it calls: what it does with a window, whose strides
/// are others, is not what it does with a tensor.
pub(crate) fn stands_on_strides(p: &ast::Proc) -> bool {
    (takes_tensors(p) && asks_for_strides(p)) || asks_tensors_for_strides(&p.body)
}

/// The first thing that is ill typed in a procedure, but for calls that the session lets a step leave open.
pub(crate) fn ill_typed(session: &Session, p: &ast::Proc) -> Option<IllTyped> {
    first_worse(session, &typecheck::faults(p)).cloned()
}

/// The first of these faults that is worse than a call that the session lets a step leave open.
pub(crate) fn first_worse<'f>(session: &Session, faults: &'f [IllTyped]) -> Option<&'f IllTyped> {
    faults.iter().find(|f| !(session.postpones() && leaves_open(f)))
}

/// Whether what is not proved of a call in a procedure may be left open: that a window is as dense as a tensor, where no
/// callee that takes tensors asks for strides. Those of the tensor that it declares are not those of the window.
pub(crate) fn may_be_open(session: &Session, requirement: &Requirement, p: &ast::Proc) -> bool {
    session.postpones() && requirement.obligation.id == CALL_DENSE && !asks_tensors_for_strides(&p.body)
}

pub(crate) fn asks_tensors_for_strides(b: &Block) -> bool {
    let mut found = false;
    callees(b, &mut |callee| found = found || stands_on_strides(callee));
    found
}

fn takes_tensors(p: &ast::Proc) -> bool {
    p.args.iter().any(|a| match &a.typ {
        ArgType::Data { typ, mem: _ } => typ.kind == ArrayKind::Tensor && typ.rank() > 0,
        ArgType::Control(_) => false,
    })
}

/// Whether a procedure, or one that it calls, mentions a stride.
fn asks_for_strides(p: &ast::Proc) -> bool {
    let mut found = false;
    let mut look =
        |e: &ast::Expr| each_expr(e, &mut |e| found = found || matches!(e.kind, ExprKind::Stride { .. }));
    p.preds.iter().for_each(&mut look);
    each_stmt(&p.body, &mut |s| each_operand(s, &mut |_, e| look(e)));
    callees(&p.body, &mut |callee| found = found || asks_for_strides(callee));
    found
}

/// What is open in a version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOpen {
    pub(crate) calls: bool,
    pub(crate) races: bool,
}

impl LeftOpen {
    /// Whether anything is.
    pub(crate) fn any(self) -> bool {
        self.calls || self.races
    }

    /// What is open in one of two.
    pub(crate) fn or(self, other: LeftOpen) -> LeftOpen {
        LeftOpen { calls: self.calls || other.calls, races: self.races || other.races }
    }
}

/// The races of a procedure's own parallel loops that are not excluded.
fn races(session: &Session, p: &ast::Proc) -> Vec<Finding> {
    if !has_parallel_loop(&p.body) {
        return Vec::new();
    }
    let holds = |ob: &Obligation| session.decide(ob).is_proved();
    let required = check_races_from_outside(session.analysis(), p, holds).into_iter();
    let decided = required.map(|requirement| {
        let verdict = session.decide(&requirement.obligation);
        Finding { requirement, verdict }
    });
    decided.filter(|f| !f.verdict.is_proved()).collect()
}

/// Races in what a block calls, which a version that comes to call it leaves open: in words.
pub(crate) fn races_of_callees(session: &Session, b: &Block) -> Vec<String> {
    let (mut todo, mut seen, mut found) = (Vec::new(), FxHashSet::default(), Vec::new());
    callees(b, &mut |callee| todo.push(callee.clone()));
    while let Some(callee) = todo.pop() {
        if session.is_parallel(&callee) && seen.insert(Arc::as_ptr(&callee)) && !session.is_closed(&callee) {
            let of = |f: Finding| format!("in `{}`, {}", callee.name, f.requirement.danger);
            found.extend(races(session, &callee).into_iter().map(of));
            callees(&callee.body, &mut |callee| todo.push(callee.clone()));
        }
    }
    found
}

/// Races of a procedure and of what it calls: in words.
pub(crate) fn races_within(session: &Session, p: &ast::Proc) -> Vec<String> {
    let own = races(session, p).into_iter().map(|f| f.requirement.danger);
    own.chain(races_of_callees(session, &p.body)).collect()
}

/// Something that is open.
enum Found {
    Call(Diagnostic),
    /// Of a loop of this procedure.
    Race(Arc<ast::Proc>, Finding),
}

impl Found {
    /// In words; a race with a run in which it happens, where one is found.
    fn told(self) -> Diagnostic {
        match self {
            Found::Call(wrong) => wrong,
            Found::Race(p, f) => f.refusal(&p, confirm(&p, &f).as_ref(), None),
        }
    }
}

impl Proc {
    /// What the step that made this version left open; of a root, what is open in it, or in what it calls.
    pub(crate) fn open(&self) -> LeftOpen {
        if self.step_leaves_none_open() { LeftOpen::default() } else { self.found_open() }
    }

    /// Whether this version was made by a step after which nothing is open, in it or in what it calls.
    pub(crate) fn step_leaves_none_open(&self) -> bool {
        let postponed = |d: &Discharged| matches!(d.by, Reason::Postponed { .. });
        self.origin().is_some_and(|origin| !origin.step.discharged.iter().any(postponed))
    }

    /// What is open in this version, or in what it calls.
    pub(crate) fn found_open(&self) -> LeftOpen {
        let mut open = LeftOpen::default();
        for found in self.left_open_where(|_| true) {
            match found {
                Found::Call(_) => open.calls = true,
                Found::Race(..) => open.races = true,
            }
        }
        open
    }

    /// What is open in this version, and in what it calls: nothing is to be made of it before that is put right.
    pub fn left_open(&self) -> Vec<Diagnostic> {
        self.left_open_where(|_| true).into_iter().map(Found::told).collect()
    }

    /// What would be open in its C, in which a call of an instruction is a text, and the instruction's body is nowhere.
    pub fn left_open_in_c(&self) -> Vec<Diagnostic> {
        self.left_open_where(|p| p.instr.is_none()).into_iter().map(Found::told).collect()
    }

    /// What is open in the bodies that count.
    fn left_open_where(&self, counts: impl Fn(&ast::Proc) -> bool) -> Vec<Found> {
        let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
        self.left_open_of(self.ast(), &counts, &mut seen, &mut found);
        found
    }

    fn left_open_of(
        &self,
        p: &Arc<ast::Proc>,
        counts: &impl Fn(&ast::Proc) -> bool,
        seen: &mut FxHashSet<*const ast::Proc>,
        found: &mut Vec<Found>,
    ) {
        if !counts(p) || !seen.insert(Arc::as_ptr(p)) {
            return;
        }
        let faults = typecheck::faults(p);
        found.extend(faults.iter().filter(|f| leaves_open(f)).map(|f| Found::Call(f.diagnostic())));
        let required = check_call_shapes(self.session().analysis(), p).into_iter();
        let dense = required.filter(|r| r.obligation.id == CALL_DENSE);
        found.extend(dense.filter(|r| !self.session().decide(&r.obligation).is_proved()).map(|r| {
            let at = r.obligation.locations.first().map_or(Span::NONE, |(at, _)| *at);
            Found::Call(Diagnostic::error(CALL_DENSE.0, at, r.danger))
        }));
        found.extend(races(self.session(), p).into_iter().map(|f| Found::Race(p.clone(), f)));
        callees(&p.body, &mut |callee| self.left_open_of(callee, counts, seen, found));
    }
}

//! The front end's check of whatever a derivation names. Spec: [rule: audit].

use crate::open_calls::{asks_tensors_for_strides, leaves_open};
use crate::tools::syntax::scope;
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::{CALL_DENSE, Finding, decide};
use rewright_effects::names::callees;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::Proc;
use rewright_semantics::typecheck::{self, IllTyped};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Whether a procedure's own calls may be open. Spec: [rule: open-calls].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Calls {
    /// They must be right.
    Closed,
    /// A step is to put them right, or to put something in the procedure's place.
    MayBeOpen,
}

/// Checks procedures, each once.
#[derive(Default)]
pub(super) struct FrontEnd {
    an: Analysis,
    solver: Solver,
    /// By address; each is kept alive, so that no other can have its address.
    accepted: FxHashMap<(*const Proc, Calls), Arc<Proc>>,
}

impl FrontEnd {
    /// Accepts procedures without a check: those that come with Rewright.
    pub(super) fn trust<'p>(&mut self, procs: impl IntoIterator<Item = &'p Arc<Proc>>) {
        for p in procs {
            self.accept(p, Calls::Closed);
        }
    }

    fn accept(&mut self, p: &Arc<Proc>, calls: Calls) {
        self.accepted.insert((Arc::as_ptr(p), calls), p.clone());
    }

    fn has_accepted(&self, p: &Arc<Proc>, calls: Calls) -> bool {
        let is = |calls| self.accepted.contains_key(&(Arc::as_ptr(p), calls));
        is(Calls::Closed) || is(calls)
    }

    /// Checks a procedure and all that it calls: names, types, and what must be proved of it. Calls in what it calls may be
    /// open: whether they are in the end is asked of what a schedule ends with.
    ///
    /// # Errors
    /// The first thing that is not so.
    pub(super) fn check(&mut self, p: &Arc<Proc>, calls: Calls) -> Result<(), String> {
        if self.has_accepted(p, calls) {
            return Ok(());
        }
        let mut called = Vec::new();
        callees(&p.body, &mut |callee| called.push(callee.clone()));
        for callee in called {
            self.check(&callee, Calls::MayBeOpen)?;
        }
        self.check_itself(p, calls)?;
        self.accept(p, calls);
        Ok(())
    }

    fn check_itself(&self, p: &Arc<Proc>, calls: Calls) -> Result<(), String> {
        let may_be_open = calls == Calls::MayBeOpen;
        let typed = |f: &IllTyped| may_be_open && leaves_open(f);
        let asks_for_strides = asks_tensors_for_strides(&p.body);
        let proved =
            |f: &Finding| may_be_open && f.requirement.obligation.id == CALL_DENSE && !asks_for_strides;
        let name = p.name;
        scope::check(p).map_err(|what| format!("`{name}` is not well scoped: {what}"))?;
        if let Some(fault) = typecheck::faults(p).iter().find(|f| !typed(f)) {
            return Err(format!("`{name}` is not well typed: {fault}"));
        }
        let findings = decide(&self.an, &self.solver, p);
        if let Some(f) = findings.iter().find(|f| !f.verdict.is_proved() && !proved(f)) {
            let example = f.counterexample().map(|text| format!(" ({text})")).unwrap_or_default();
            let (rule, danger) = (f.requirement.obligation.id.0, &f.requirement.danger);
            return Err(format!("`{name}` is refused by the front end, {rule}: {danger}{example}"));
        }
        Ok(())
    }
}

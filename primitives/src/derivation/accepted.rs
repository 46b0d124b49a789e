//! The front end's check of whatever a derivation names. Spec: [rule: audit].

use crate::left_open::{asks_tensors_for_strides, leaves_open};
use crate::tools::syntax::scope;
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::{CALL_DENSE, Finding, PAR_RACE, decide};
use rewright_effects::names::callees;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::Proc;
use rewright_semantics::typecheck::{self, IllTyped};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Whether a procedure's own calls, and its parallel loops, may be open. Spec: [rule: left-open].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Own {
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
    accepted: FxHashMap<(*const Proc, Own), Arc<Proc>>,
}

impl FrontEnd {
    /// Accepts procedures without a check: those that come with Rewright.
    pub(super) fn trust<'p>(&mut self, procs: impl IntoIterator<Item = &'p Arc<Proc>>) {
        for p in procs {
            self.accept(p, Own::Closed);
        }
    }

    fn accept(&mut self, p: &Arc<Proc>, own: Own) {
        self.accepted.insert((Arc::as_ptr(p), own), p.clone());
    }

    fn has_accepted(&self, p: &Arc<Proc>, own: Own) -> bool {
        let is = |own| self.accepted.contains_key(&(Arc::as_ptr(p), own));
        is(Own::Closed) || is(own)
    }

    /// Checks a procedure and all that it calls: names, types, and what must be proved of it. What it calls may have
    /// something open: whether it has in the end is asked of what a schedule ends with.
    ///
    /// # Errors
    /// The first thing that is not so.
    pub(super) fn check(&mut self, p: &Arc<Proc>, own: Own) -> Result<(), String> {
        if self.has_accepted(p, own) {
            return Ok(());
        }
        let mut called = Vec::new();
        callees(&p.body, &mut |callee| called.push(callee.clone()));
        for callee in called {
            self.check(&callee, Own::MayBeOpen)?;
        }
        self.check_itself(p, own)?;
        self.accept(p, own);
        Ok(())
    }

    fn check_itself(&self, p: &Arc<Proc>, own: Own) -> Result<(), String> {
        let may_be_open = own == Own::MayBeOpen;
        let typed = |f: &IllTyped| may_be_open && leaves_open(f);
        let asks_for_strides = asks_tensors_for_strides(&p.body);
        let proved = |f: &Finding| match f.requirement.obligation.id {
            CALL_DENSE => may_be_open && !asks_for_strides,
            id => may_be_open && id == PAR_RACE,
        };
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

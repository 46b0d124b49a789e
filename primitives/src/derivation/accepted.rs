//! The front end's check of whatever a derivation names. Spec: [rule: audit].

use crate::open_calls::leaves_open;
use crate::tools::syntax::scope;
use crate::version::Proc as Version;
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::{CALL_DENSE, Finding, decide};
use rewright_effects::solver::Solver;
use rewright_semantics::ast::Proc;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::typecheck::{self, IllTyped};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Checks procedures, each once.
#[derive(Default)]
pub(super) struct FrontEnd {
    an: Analysis,
    solver: Solver,
    /// By address; each is kept alive, so that no other can have its address.
    accepted: FxHashMap<*const Proc, Arc<Proc>>,
}

impl FrontEnd {
    /// Accepts procedures without a check: those that come with Rewright.
    pub(super) fn trust<'p>(&mut self, procs: impl IntoIterator<Item = &'p Arc<Proc>>) {
        self.accepted.extend(procs.into_iter().map(|p| (Arc::as_ptr(p), p.clone())));
    }

    /// Checks a procedure and all that it calls: names, types, and what must be proved of it.
    ///
    /// # Errors
    /// The first thing that is not so.
    pub(super) fn check(&mut self, p: &Arc<Proc>) -> Result<(), String> {
        if self.accepted.contains_key(&Arc::as_ptr(p)) {
            return Ok(());
        }
        self.check_but(p, |_| false, |_| false)?;
        self.accepted.insert(Arc::as_ptr(p), p.clone());
        Ok(())
    }

    /// The same of a version whose own calls may be open. Spec: [rule: open-calls].
    ///
    /// # Errors
    /// The first thing that is not so.
    pub(super) fn check_open(&mut self, version: &Version) -> Result<(), String> {
        self.check_but(version.ast(), leaves_open, |f| f.requirement.obligation.id == CALL_DENSE)
    }

    fn check_but(
        &mut self,
        p: &Arc<Proc>,
        typed: impl Fn(&IllTyped) -> bool,
        proved: impl Fn(&Finding) -> bool,
    ) -> Result<(), String> {
        let mut called = Vec::new();
        each_stmt(&p.body, &mut |s| {
            if let Some((proc, _)) = s.kind.called() {
                called.push(proc.clone());
            }
        });
        for callee in called {
            self.check(&callee)?;
        }
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

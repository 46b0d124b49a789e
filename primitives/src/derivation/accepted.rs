//! The front end's check of whatever a derivation names. Spec: [rule: audit].

use crate::tools::syntax::scope;
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::decide;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::Proc;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::typecheck;
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
        if let Some(fault) = typecheck::check_proc(p).first() {
            return Err(format!("`{name}` is not well typed: {}", fault.message));
        }
        let findings = decide(&self.an, &self.solver, p);
        if let Some(f) = findings.iter().find(|f| !f.verdict.is_proved()) {
            let example = f.counterexample().map(|text| format!(" ({text})")).unwrap_or_default();
            let (rule, danger) = (f.requirement.obligation.id.0, &f.requirement.danger);
            return Err(format!("`{name}` is refused by the front end, {rule}: {danger}{example}"));
        }
        self.accepted.insert(Arc::as_ptr(p), p.clone());
        Ok(())
    }
}

//! What a thread keeps between rewrites: the solver with its cache, the summaries of callees, and which
//! conditions are switched off by a test. None of it can be seen in a verdict, but for the last.

use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::check_proc;
use rewright_effects::obligation::{Obligation, Verdict};
use rewright_effects::solver::{Counts, Solver};
use rewright_semantics::ast::Proc;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static SOLVER: RefCell<Solver> = RefCell::new(Solver::new());
    static ANALYSIS: RefCell<Analysis> = RefCell::new(Analysis::new());
    /// Procedures by address, each kept alive beside the answer.
    static SAFE: RefCell<FxHashMap<usize, (Arc<Proc>, bool)>> = RefCell::default();
    static DISABLED: RefCell<Vec<(&'static str, &'static str)>> = const { RefCell::new(Vec::new()) };
}

/// Whether the obligation is valid.
pub fn decide(ob: &Obligation) -> Verdict {
    SOLVER.with_borrow_mut(|solver| solver.decide(ob))
}

/// How many obligations each stage of this thread's solver has decided.
pub fn counts() -> Counts {
    SOLVER.with_borrow(Solver::counts)
}

/// The summaries of this thread.
pub fn analysis() -> Analysis {
    ANALYSIS.with_borrow(Clone::clone)
}

/// Whether nothing goes wrong in a procedure on any input that it admits: what the front end asks of it is proved.
pub fn is_safe(p: &Arc<Proc>) -> bool {
    let key = Arc::as_ptr(p).addr();
    if let Some((_, known)) = SAFE.with_borrow(|safe| safe.get(&key).cloned()) {
        return known;
    }
    let safe = check_proc(&analysis(), p).iter().all(|r| decide(&r.obligation).is_proved());
    SAFE.with_borrow_mut(|known| known.insert(key, (p.clone(), safe)));
    safe
}

/// Forgets all that is cached: for long campaigns over many unrelated programs.
pub fn reset() {
    SOLVER.with_borrow_mut(|solver| *solver = Solver::new());
    ANALYSIS.with_borrow_mut(|analysis| *analysis = Analysis::new());
    SAFE.with_borrow_mut(FxHashMap::clear);
}

/// Runs `f` while a condition is not asked for: a mutant of the primitive, which tests must tell from it.
/// Spec: [rule: mutants].
pub fn without_condition<R>(primitive: &'static str, condition: &'static str, f: impl FnOnce() -> R) -> R {
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            DISABLED.with_borrow_mut(|off| off.truncate(off.len().saturating_sub(1)));
        }
    }
    DISABLED.with_borrow_mut(|off| off.push((primitive, condition)));
    let _restore = Restore;
    f()
}

/// Whether a test has switched the condition off.
pub(crate) fn is_disabled(primitive: &str, condition: &str) -> bool {
    DISABLED.with_borrow(|off| off.iter().any(|(p, c)| *p == primitive && *c == condition))
}

//! What a thread keeps between rewrites: the solver with its cache, the summaries of callees, and which
//! conditions are switched off by a test. None of it can be seen in a verdict, but for the last.

use rewright_effects::analysis::Analysis;
use rewright_effects::obligation::{Obligation, Verdict};
use rewright_effects::solver::{Counts, Solver};
use std::cell::RefCell;

thread_local! {
    static SOLVER: RefCell<Solver> = RefCell::new(Solver::new());
    static ANALYSIS: RefCell<Analysis> = RefCell::new(Analysis::new());
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

/// Forgets all that is cached: for long campaigns over many unrelated programs.
pub fn reset() {
    SOLVER.with_borrow_mut(|solver| *solver = Solver::new());
    ANALYSIS.with_borrow_mut(|analysis| *analysis = Analysis::new());
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

//! A failure made small.

use super::arguments::arguments;
use super::trial::{Failure, Outcome, apply};
use crate::rng::Rng;
use crate::shrink::shrink;
use rewright_primitives::Proc;
use rewright_primitives::registry::Primitive;
use rewright_semantics::ast::Module;
use rewright_semantics::typecheck::check_module;

/// A failure of the same primitive on a smaller program, looked for among at most `budget` programs.
pub fn shrunk(failure: Failure, budget: usize) -> Failure {
    let whole = Module { procs: vec![failure.old.ast().clone()], ..Module::default() };
    let mut best = failure;
    let (primitive, session) = (best.primitive, best.old.session().fresh());
    shrink(&whole, budget, &mut |m| match m.procs.last() {
        Some(p) if check_module(m).is_empty() => match fails(&session.root(p.clone()), primitive) {
            Some(smaller) => {
                best = smaller;
                true
            }
            None => false,
        },
        Some(_) | None => false,
    });
    best
}

/// Whether some arguments make the primitive go wrong on this program.
fn fails(p: &Proc, primitive: &'static Primitive) -> Option<Failure> {
    (0..60).find_map(|seed| {
        let args = arguments(&mut Rng::new(seed), p, primitive)?;
        match apply(p, primitive, &args, seed, 4) {
            Outcome::Wrong(failure) => Some(*failure),
            Outcome::NoTarget
            | Outcome::Refused { .. }
            | Outcome::InvalidCursor
            | Outcome::Accepted { .. } => None,
        }
    })
}

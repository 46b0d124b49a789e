//! Unification of statements with the body of a procedure, modulo linear equalities and windows. PLDI'22 §3.4;
//! spec: [rule: unification].
//!
//! [`matching`] walks both in step and says what must be equal; [`choices`] enumerates which dimensions of a buffer
//! a window keeps; [`solve`] finds what the unknowns are, and [`arguments`] makes a call of that. None of it is trusted: what it proposes is put into the body of the
//! procedure, and that is compared with the statements ([`crate::tools::syntax::congruent`]).

mod arguments;
mod choices;
mod integer;
mod matching;
mod problem;
mod solve;

pub use problem::{Mismatch, Order};

use crate::cursor::path::{Hole, run_at};
use crate::version::Proc;
use rewright_semantics::ast::{self, Expr};
use rewright_semantics::span::Span;
use rewright_semantics::syntax::subst::fresh_proc;
use std::cell::OnceCell;

/// Arguments that may make a call of a procedure out of statements.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// One for each formal argument.
    pub args: Vec<Expr>,
    /// The blocks in which the procedure has the statements in another order, outermost first.
    pub orders: Vec<Order>,
}

/// How many ways to order statements are tried.
const MOST_ORDERS: usize = 64;
/// How many candidates are proposed.
const MOST_CANDIDATES: usize = 24;

/// The ways in which a run of statements of `p` may be a call of `callee`, likely ones first.
///
/// # Errors
/// There is none: which statement does not match, or which equation has no solution.
pub fn unify(p: &Proc, run: &Hole, callee: &ast::Proc) -> Result<Vec<Candidate>, Mismatch> {
    let lost = || Mismatch::new(Span::NONE, "there are no such statements");
    let block = run_at(p.ast(), run).ok_or_else(lost)?;
    matching::alike(callee, &block)?;
    // What does not match needs no names in scope.
    let env = OnceCell::new();
    // A procedure that was made from this one may share names with it.
    let callee = &fresh_proc(callee);
    let solved = |orders: bool| {
        let problems = matching::matches(callee, &block, &run.path, orders)?;
        let env = env.get_or_init(|| p.env_at(&run.path)).as_ref().ok_or_else(lost)?;
        let mut found = Vec::new();
        let mut first = None;
        for problem in problems.into_iter().take(MOST_ORDERS) {
            match solve::solutions(callee, env, &problem) {
                Ok(all) => {
                    found.extend(all.into_iter().map(|args| Candidate { args, orders: problem.moved() }))
                }
                Err(e) => drop(first.get_or_insert(e)),
            }
            if found.len() >= MOST_CANDIDATES {
                break;
            }
        }
        match first {
            Some(e) if found.is_empty() => Err(e),
            Some(_) | None => Ok(found),
        }
    };
    // In the order in which they stand, and only then in others, where there are any.
    solved(false)
        .or_else(|e| if matching::has_orders(&callee.body) { solved(true).map_err(|_| e) } else { Err(e) })
}

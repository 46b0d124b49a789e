//! Effects, contexts and the conditions of rewriting. PLDI'22 §5, §6 and App. B-F.
//!
//! What must stay true at this boundary: everything here is about *what a program may do*, derived from
//! syntax alone. Nothing here rewrites a program, and none is run on the way to a verdict: only
//! [`frontend::confirm`] runs one, to show what a refusal means. A condition is stated as an
//! [`obligation::Obligation`]; only the verdict `Proved` admits a rewrite.
//!
//! One letter per sort, as in the papers: `ee` [`effexpr::EffExpr`], `g` or γ an effect environment,
//! `a` an effect, `l` a location set. Where the paper cannot be taken literally, `spec/errata.md` says so
//! under a number `E-…`, which the code cites.

pub mod analysis;
pub mod conditions;
pub mod context;
pub mod digest;
pub mod eff;
pub mod effect;
pub mod effexpr;
pub mod env;
pub mod frontend;
pub mod hypotheses;
pub mod lift;
pub mod locset;
pub mod names;
pub mod obligation;
pub mod runs;
pub mod solver;
pub mod ternary;
pub mod valg;

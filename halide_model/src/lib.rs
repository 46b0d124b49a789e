//! The Halide model: algorithms, the target language, lowering, scheduling directives, bounds inference and
//! confluence, executable and checked.
//!
//! What must stay true at this boundary: [`eval`] is the oracle and shares with the rest the syntax and the
//! operations on values alone; no bounds engine is trusted ([`bounds::verify`] checks what each returns); every
//! refusal names the rule.
//!
//! Metavariables, as in the paper: `e` [`expr::Expr`], `f` a func's name, `s` [`tgt::Stmt`], `t` [`tgt::Program`],
//! `i` a stage, `j` a specialization, `l` a loop name, `z` [`alg::Input`].
//!
//! Sources: Thesis is Reinking's dissertation of 2022, chapter 2; TR'20 is *Formal Semantics for the Halide
//! Language*. Where they differ the Thesis wins. The specification is in `spec/halide/`.

#![expect(
    clippy::result_large_err,
    reason = "refusals and diagnostics carry all there is to tell; they end a run and are not made in loops"
)]

pub mod alg;
pub mod bounds;
pub mod buffer;
pub mod c;
pub mod case;
pub mod combine;
pub mod confluence;
pub mod eval;
pub mod exec;
pub mod explain;
pub mod expr;
pub mod float;
pub mod fold;
pub mod index;
pub mod int;
pub mod lower;
pub mod op;
pub mod promote;
pub mod range;
pub mod scalar;
pub mod schedule;
pub mod slide;
pub mod text;
pub mod tgt;
pub mod typed;
pub mod typed_case;
pub mod unmet;
pub mod valid;
pub mod value;

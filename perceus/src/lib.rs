//! Perceus: precise reference counting, from the linear resource calculus λ¹.
//!
//! What must stay true at this boundary: nothing here knows of Exo's language or of the Halide model. The two
//! semantics ([`standard`], [`heap`]) are the oracles; they share with the translations the syntax and nothing else.
//!
//! One module per figure of Thesis ch. 4:
//!
//! | figure | module |
//! | --- | --- |
//! | 4.4 syntax | [`syntax`] |
//! | 4.5 declarative rules | [`declarative`] |
//! | 4.6 standard semantics | [`standard`] |
//! | 4.7 reference-counted heap semantics | [`heap`] |
//! | 4.8 Perceus | [`algorithm`] |
//!
//! [`reuse`] is the analysis of §4.2.4; [`case`](mod@case) reads reference cases.
//!
//! One letter per sort: `e` [`syntax::Expr`] (`e'` a translation), `x y z` variables, `ys` what a closure
//! captures, `p` [`syntax::Pattern`], `Δ` `delta` and `Γ` `gamma` environments, `H` [`heap::Heap`].
//!
//! Sources: Thesis is Reinking's dissertation of 2022; the specification is in `spec/perceus/`.

#![expect(
    clippy::result_large_err,
    reason = "diagnostics carry all there is to tell; they end a run and are not made in loops"
)]

pub mod algorithm;
pub mod c;
pub mod canon;
pub mod case;
pub mod choice;
pub mod code;
pub mod cycles;
pub mod declarative;
pub mod env;
pub mod explain;
pub mod heap;
pub mod optimise;
pub mod reuse;
pub mod standard;
pub mod stuck;
pub mod surface;
pub mod syntax;
pub mod tally;
pub mod theorems;
pub mod vars;

/// Runs one step of a recursion on syntax, on as much stack as it takes.
fn deep<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, step)
}

/// Runs something whose recursion is not ours, on as much stack as the deepest file takes.
fn deep_enough<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(16 << 20, 64 << 20, work)
}

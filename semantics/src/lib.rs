//! The object language of Rewright: syntax, parsing, printing, types, values and denotation.
//!
//! What must stay true at this boundary: nothing here knows of effects, rewrites, solvers or C. The
//! interpreter ([`denote`]) is the oracle that all other crates are held against, so it shares with
//! them the syntax and nothing else.
//!
//! One letter per sort, as in the papers: `e` [`ast::Expr`], `s` [`ast::Stmt`], `b` [`ast::Block`],
//! `p` [`ast::Proc`], `x` [`sym::Sym`], `w` [`ast::WinCoord`], `st` a store.
//!
//! Sources: PLDI'22 is "Exocompilation for Productive Programming of Hardware Accelerators"; the
//! written specification is in `spec/`, whose rules are cited as `[rule: …]`.

pub mod alpha;
pub mod ast;
pub mod build;
pub mod data;
pub mod denote;
pub mod equiv;
pub mod externs;
pub mod inputs;
pub mod parse;
pub mod pretty;
pub mod rounding;
pub mod store;
pub mod syntax;
pub mod typecheck;
pub mod types;
pub mod value;

pub use rewright_base::{diag, render, shell, span, sym};

//! Text: algorithms, schedules and realizations, close to the papers' notation. Spec: [rule: halide.text].
//!
//! ```text
//! pipeline f(w):
//!   fun g(x) = x * x + 1;
//!   fun f(x) = {g[x]; rdom(r = (0, w)) in (x) <- f[x] + g[x + r] if r < 3};
//! schedule:
//!   split(<f, 0, 0, x>, xo, xi, 4, guard);
//!   compute-at(g, <f, 0, 0, xo>);
//! realize((0, 6); w = 3)
//! ```

pub mod lex;
mod parse;
pub mod print;

pub use parse::{Parsed, parse, parse_directive};

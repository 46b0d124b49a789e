//! ```text
//! s1; s2  ~>  s1; pass; s2
//! ```
//! No conditions.
//!
//! Source: Exo. Spec: [rule: insert_pass].

use crate::cursor::path::Place;
use crate::cursor::{At, resolve};
use crate::error::Result;
use crate::registry::{ArgKind, Exact, Primitive, required};
use crate::rewrite::Rewrite;
use crate::version::Proc;
use rewright_semantics::build::{block, pass};
/// The entry of [`insert_pass`].
pub static INSERT_PASS: Primitive = Primitive {
    name: "insert_pass",
    summary: "puts a `pass` between statements",
    source: "Exo",
    params: &[required("gap_cursor", ArgKind::Gap)],
    conditions: &[],
    exact: Exact::Always,
    run: |p, args| insert_pass(p, args.at("gap_cursor")?),
};

/// Puts a `pass` into a gap.
///
/// # Errors
/// There is no gap.
pub fn insert_pass(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let gap = resolve::gap(p, &at.into())?;
    let mut rw = Rewrite::new(p, &INSERT_PASS);
    rw.at("gap_cursor", Place::Gap(gap.clone()));
    rw.insert(&gap.position(), block([pass()]));
    rw.finish()
}

impl Proc {
    /// Puts a `pass` between statements: [`insert_pass`](fn@insert_pass).
    ///
    /// # Errors
    /// As the function.
    pub fn insert_pass(&self, at: impl Into<At>) -> Result<Proc> {
        insert_pass(self, at)
    }
}

//! ```text
//! def p(…): s   ~>   def p(…): assert e; s
//! ```
//! The new version does the same on the inputs that it still admits: the two are related as
//! [`Relation::Restricted`], and the new one may not stand for the old one at a call.
//!
//! No conditions. In the practical system this is a method: `p.add_assertion("n % 8 == 0")`.
//!
//! Source: Exo. Spec: [rule: add_assertion].

use crate::edit::Head;
use crate::error::Result;
use crate::registry::{Kind, Primitive, required};
use crate::rewrite::Rewrite;
use crate::version::{Proc, Relation};

/// The entry of [`add_assertion`].
pub static ADD_ASSERTION: Primitive = Primitive {
    name: "add_assertion",
    summary: "adds a precondition: the new version admits fewer inputs",
    source: "Exo",
    params: &[required("assertion", Kind::Cond)],
    conditions: &[],
    run: |p, args| add_assertion(p, &args.text("assertion")?),
};

/// Adds a precondition.
///
/// # Errors
/// The text is no condition on the arguments.
pub fn add_assertion(p: &Proc, assertion: &str) -> Result<Proc> {
    let mut rw = Rewrite::new(p, &ADD_ASSERTION);
    let e = rw.cond(&[], assertion)?;
    rw.arg("assertion", assertion);
    let mut head = Head::of(p.ast());
    head.preds.push(e);
    let same = (0..p.ast().args.len()).map(Some).collect();
    rw.set_head(head, same);
    rw.relation(Relation::Restricted);
    rw.finish()
}

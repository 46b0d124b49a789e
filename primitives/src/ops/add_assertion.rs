//! ```text
//! def p(…): s   ~>   def p(…): assert e; s
//! ```
//! The new version does the same on the inputs that it still admits: the two are related as
//! [`Relation::Restricted`], and the new one may not stand for the old one at a call.
//!
//! In the practical system this is a method: `p.add_assertion("n % 8 == 0")`.
//!
//! Source: Exo. Spec: [rule: add_assertion].

use crate::edit::Head;
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, ExprArg, Primitive, form, required};
use crate::rewrite::Rewrite;
use crate::version::session::Session;
use crate::version::{Proc, Relation};
use rewright_effects::analysis::{entry, entry_facts};
use rewright_effects::effexpr::EffExpr;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast;

const SATISFIABLE: Condition = form("satisfiable", "the assertion does not contradict those that are there");

/// The entry of [`add_assertion`].
pub static ADD_ASSERTION: Primitive = Primitive {
    name: "add_assertion",
    summary: "adds a precondition: the new version admits fewer inputs",
    source: "Exo",
    params: &[required("assertion", ArgKind::Cond)],
    conditions: &[SATISFIABLE],
    exact: Exact::Always,
    run: |p, args| add_assertion(p, &args.text("assertion")?),
};

/// Adds a precondition.
///
/// # Errors
/// The text is no condition on the arguments, or no input satisfies it.
pub fn add_assertion(p: &Proc, assertion: impl Into<ExprArg>) -> Result<Proc> {
    let assertion: &str = &assertion.into().0;
    let mut rw = Rewrite::new(p, &ADD_ASSERTION);
    let e = rw.cond(&[], assertion)?;
    rw.arg("assertion", assertion);
    let mut head = Head::of(p.ast());
    head.preds.push(e);
    let restricted = ast::Proc { preds: head.preds.clone(), ..p.ast().as_ref().clone() };
    let contradictory = admits_nothing(p.session(), &restricted);
    rw.require_that(&SATISFIABLE, !contradictory, || {
        format!("no input satisfies `{assertion}` and what is asserted already")
    })?;
    let same = (0..p.ast().args.len()).map(Some).collect();
    rw.set_head(head, same);
    rw.relation(Relation::Restricted);
    rw.finish()
}

impl Proc {
    /// Adds a precondition: the new version admits fewer inputs: [`add_assertion`](fn@add_assertion).
    ///
    /// # Errors
    /// As the function.
    pub fn add_assertion(&self, assertion: impl Into<ExprArg>) -> Result<Proc> {
        add_assertion(self, assertion)
    }
}

/// Whether what is assumed on entry is contradictory.
fn admits_nothing(session: &Session, p: &ast::Proc) -> bool {
    let facts = entry_facts(session.analysis(), p, &entry(p));
    let never = Obligation::new(ConditionId("satisfiable"), "no input is admitted", EffExpr::bool(false));
    session.decide(&never.assuming(facts)).is_proved()
}

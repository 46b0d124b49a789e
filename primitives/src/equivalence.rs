//! Which version of a procedure may stand for which. PLDI'22 §3.3 and §6.2; spec: [rule: equivalence].
//!
//! Versions form a tree, and every step says how the two versions that it is between are related. What lies between
//! two versions of one tree is what their steps say together: the sets of fields modulo which procedures are
//! equivalent form a lattice, and the path from one to the other is modulo the union.
//!
//! A step is a refinement: the new version may define what the old one leaves ⊥. So a version stands for those that
//! it was made from; for another one only if the steps back to their common origin are [`Exact`].

use crate::registry::Exact;
use crate::version::{Proc, Reason, Relation, Step};
use rewright_effects::analysis;
use rewright_effects::env::Field;
use rewright_effects::names::{callees, fields_in_block, fields_in_expr};
use rewright_semantics::alpha::alpha_eq;
use rewright_semantics::ast;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether a step that was made from `old` defines no more than `old`.
fn is_exact(step: &Step, old: &ast::Proc) -> bool {
    match step.exact {
        Exact::Always => true,
        Exact::WithoutFields => !reads_fields(old),
        Exact::Never => false,
    }
}

/// Whether the procedure or one that it calls reads a field.
fn reads_fields(p: &ast::Proc) -> bool {
    let mut found = false;
    let mut note = |_: &ast::Config, _| found = true;
    analysis::shapes(p).chain(p.preds.iter()).for_each(|e| fields_in_expr(e, &mut note));
    fields_in_block(&p.body, &mut note);
    callees(&p.body, &mut |callee| found = found || reads_fields(callee));
    found
}

/// How one version may stand for another.
#[derive(Clone, Debug, Default)]
pub struct Equivalence {
    /// They agree in everything but these fields.
    pub modulo: BTreeSet<Field>,
    /// They agree but for rounding.
    pub rounded: bool,
    /// What is rounded otherwise, a clause each.
    pub rounding: Vec<String>,
    /// Some step on the way admits fewer inputs than the version before it.
    pub restricted: bool,
    /// Some step is taken back: what the new version is called with may be more than it is good for.
    pub took_back: bool,
    /// Some step on the way assumes what was not proved.
    pub assumed: bool,
    /// What a caller must satisfy: these versions, on the way, may admit fewer inputs than the others.
    pub admitting: Vec<Arc<ast::Proc>>,
    /// All versions on the way, the two included.
    pub passed: Vec<Arc<ast::Proc>>,
}

/// Why one version may not stand for another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Apart {
    /// They do not come from one procedure.
    #[error("`{old}` and `{new}` were not made from one procedure")]
    Unrelated {
        /// The one that is called.
        old: String,
        /// The one that is to be called.
        new: String,
    },
    /// A step made a procedure of other arguments.
    #[error("`{0}` made a procedure that takes other arguments")]
    Specialised(&'static str),
    /// A step may have defined what was not.
    #[error("it would take back `{0}`, which may have defined what was not defined before")]
    Inexact(&'static str),
}

/// `old ≅_𝓛 new`, the fields 𝓛 being those of the answer: how the version `new` may stand for the procedure `old`.
/// PLDI'22 §6.2.
///
/// # Errors
/// It may not.
pub fn equivalent_modulo(old: &Arc<ast::Proc>, new: &Proc) -> Result<Equivalence, Apart> {
    let version = new.session().version_of(old);
    Equivalence::of_versions(&version.unwrap_or_else(|| new.session().root(old.clone())), new)
}

impl Equivalence {
    /// How one version may stand for another.
    ///
    /// # Errors
    /// It may not.
    pub fn of_versions(old: &Proc, new: &Proc) -> Result<Equivalence, Apart> {
        let (from, to) = (old.history(), new.history());
        let mut out = Equivalence { passed: vec![old.ast().clone()], ..Equivalence::default() };
        // The youngest version that both come from.
        let met = from.iter().enumerate().rev().find_map(|(k, v)| Some((k, position(&to, v.ast())?)));
        let Some((back, forth)) = met else {
            let (old, new) = (old.name().to_string(), new.name().to_string());
            return Err(Apart::Unrelated { old, new });
        };
        for v in from.iter().skip(back + 1) {
            let Some(origin) = v.origin() else { continue };
            if !is_exact(&origin.step, origin.parent.ast()) {
                return Err(Apart::Inexact(origin.step.primitive));
            }
            out.took_back = true;
            out.add(&origin.step, v, &origin.parent)?;
        }
        for v in to.iter().skip(forth + 1) {
            if let Some(origin) = v.origin() {
                out.add(&origin.step, &origin.parent, v)?;
            }
        }
        Ok(out)
    }

    fn add(&mut self, step: &Step, from: &Proc, to: &Proc) -> Result<(), Apart> {
        self.assumed |= step.discharged.iter().any(|d| matches!(d.by, Reason::Omitted));
        for clause in &step.rounding {
            self.rounded = true;
            if !self.rounding.contains(clause) {
                self.rounding.push(clause.clone());
            }
        }
        match step.relation {
            Relation::Equivalent => {}
            Relation::Rounded => self.rounded = true,
            Relation::Restricted => self.restricted = true,
            Relation::Specialised => return Err(Apart::Specialised(step.primitive)),
        }
        // Two steps on, it may be a window again that a tensor was made of.
        if from.ast().args != to.ast().args || from.ast().preds != to.ast().preds {
            self.admitting.push(to.ast().clone());
        }
        self.passed.push(to.ast().clone());
        self.modulo.extend(&step.modulo);
        Ok(())
    }

    /// Whether the two are the same on every input.
    pub fn is_strict(&self) -> bool {
        self.modulo.is_empty() && !self.rounded && !self.restricted
    }
}

fn position(history: &[Proc], p: &Arc<ast::Proc>) -> Option<usize> {
    history.iter().rposition(|v| Arc::ptr_eq(v.ast(), p) || alpha_eq(v.ast(), p))
}

impl Proc {
    /// Whether this version and another one do the same on every input, as far as the steps between them say.
    pub fn is_eq(&self, other: &Proc) -> bool {
        let strict = |a: &Proc, b: &Proc| Equivalence::of_versions(a, b).is_ok_and(|e| e.is_strict());
        strict(self, other) || strict(other, self)
    }
}

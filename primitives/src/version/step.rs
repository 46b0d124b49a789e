//! What a version records of how it was made.

use super::Value;
use crate::edit::Edit;
use rewright_effects::env::Field;
use rewright_effects::obligation::{Obligation, Verdict};
use rewright_semantics::syntax::fold::Form;
use std::collections::BTreeSet;
use std::time::Duration;

/// One application of a primitive: what a derivation records.
#[derive(Clone, Debug)]
pub struct Step {
    /// The primitive's name.
    pub primitive: &'static str,
    /// Whether it can be taken back.
    pub exact: Exact,
    /// Its arguments by name; places are of the version that was rewritten.
    pub args: Vec<(&'static str, Value)>,
    /// The conditions, in the order in which they were required.
    pub discharged: Vec<Discharged>,
    /// The edits.
    pub edits: Vec<Edit>,
    /// The configuration fields in which the two versions may differ afterwards. PLDI'22 §3.3, §6.
    pub modulo: BTreeSet<Field>,
    /// How the two versions are related.
    pub relation: Relation,
    /// What is rounded otherwise, a clause each; with another relation than [`Relation::Rounded`] as well.
    pub rounding: Vec<String>,
    /// How the arithmetic is written that it made.
    pub form: Form,
    /// How long it took, conditions included; no derivation says it.
    pub took: Duration,
}

/// How a version is related to the one it was made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// On every input the new one does what the old one does, or defines more.
    #[default]
    Equivalent,
    /// The same, on the inputs that the new one still admits.
    Restricted,
    /// One program with other roundings: the same in exact arithmetic, where a precision is only a note, that of an
    /// integer too; in the machine, values are rounded, or cut off, elsewhere. Spec: [rule: rounding].
    Rounded,
    /// The new one takes other arguments.
    Specialised,
}

/// A condition that was found to hold.
#[derive(Clone, Debug)]
pub struct Discharged {
    /// Its id, one of the primitive's.
    pub condition: &'static str,
    /// How.
    pub by: Reason,
}

/// Why a condition holds.
#[derive(Clone, Debug)]
pub enum Reason {
    /// By the syntax of program and arguments.
    Syntax,
    /// Nobody says that it does: it was not asked for, in a session that is made to show what happens then, or the step
    /// assumes it ([`Proc::assuming`](super::Proc::assuming)).
    Omitted,
    /// It does not yet: a call is given a buffer of another precision, or with other strides, than its callee takes, or
    /// iterations of a parallel loop may meet, which a later step is to put right ([`Proc::postponing`](super::Proc::postponing)).
    Postponed {
        /// What is wrong.
        what: String,
    },
    /// By the solver.
    Solver {
        /// What was asked.
        obligation: Obligation,
        /// The answer.
        verdict: Verdict,
    },
}

/// Whether the new version of a primitive defines no more than the old one, so that `call_eqv` may take the step back.
/// Spec: [rule: equivalence].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// It does not.
    Always,
    /// Not where the old version reads no field: the new one may drop a read, and a field that was never set is an
    /// error only for who reads it.
    WithoutFields,
    /// It may define what the old one leaves ⊥.
    Never,
}

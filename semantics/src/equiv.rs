//! Equivalence of two procedures on given inputs, modulo globals. PLDI'22 Def. 4.1 and 4.2;
//! spec: [rule: equiv].
//!
//! Two procedures are equal on an input when they leave equal values in all that outlives them: the cells
//! of their arguments and the configuration fields, but for a set of fields that is left out. The new one
//! may define what the old one left ⊥: that is refinement, and reported apart.

mod trials;

pub use trials::{Compared, Found, NotCompared, Tally, Trials, on_trials};

use crate::ast::Proc;
use crate::data::{Comparison, Datum};
use crate::denote::{Denotation, Fault, FaultClass, Interpreted, Limits, Outcome};
use crate::inputs::{Input, Subject};
use crate::store::{ConfigKey, Store};
use crate::sym::Name;
use crate::types::{ArgType, ArrayKind, ControlType};
use crate::value::{Exceptional, Val};
use std::collections::BTreeSet;
use std::fmt;

/// How two procedures compare on one input.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<V> {
    /// The same values everywhere.
    Equal,
    /// The same values, and the new procedure defines this many places that the old one leaves ⊥.
    Refines {
        /// The first such place.
        first: Spot,
        /// How many there are.
        count: usize,
    },
    /// Not the same.
    Differs(Box<Difference<V>>),
    /// The domain cannot tell whether two values are the same.
    Undecided {
        /// Where.
        at: Spot,
        /// The old procedure's value.
        old: V,
        /// The new one's.
        new: V,
    },
    /// The input does not satisfy the old procedure's preconditions: it says nothing.
    InputRejected(Box<Fault>),
    /// The old procedure is in error on this input; nothing is asked of the new one.
    OldFails(Box<Fault>),
    /// The interpreter gave up on one of the two.
    GaveUp(Box<Fault>),
}

/// How two procedures differ on one input.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference<V> {
    /// They leave different values at a place.
    Values {
        /// The place.
        at: Spot,
        /// What the old procedure leaves there.
        old: Val<V>,
        /// What the new one leaves there.
        new: Val<V>,
    },
    /// The new procedure is in error, and the old one is not.
    NewFails(Box<Fault>),
}

/// A place that outlives a procedure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// A cell of an argument, named as in the old procedure.
    Cell {
        /// The argument.
        arg: Name,
        /// The cell's indices.
        index: Vec<i64>,
    },
    /// A configuration field.
    Field(ConfigKey),
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::Cell { arg, index } if index.is_empty() => arg.fmt(f),
            Spot::Cell { arg, index } => {
                let index: Vec<String> = index.iter().map(ToString::to_string).collect();
                write!(f, "{arg}[{}]", index.join(", "))
            }
            Spot::Field(key) => key.fmt(f),
        }
    }
}

/// Two procedures that cannot be compared, since they do not take the same arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureMismatch {
    /// Different numbers of arguments.
    #[error("`{old}` takes {old_count} arguments and `{new}` takes {new_count}")]
    Count {
        /// The old procedure.
        old: Name,
        /// Its number of arguments.
        old_count: usize,
        /// The new procedure.
        new: Name,
        /// Its number of arguments.
        new_count: usize,
    },
    /// An argument of another type.
    #[error("argument {} is `{old_arg}: {old_type}` in `{old}` and `{new_arg}: {new_type}` in `{new}`", .place + 1)]
    Argument {
        /// Which argument, from 0.
        place: usize,
        /// The old procedure.
        old: Name,
        /// Its argument.
        old_arg: Name,
        /// The argument's type, in words.
        old_type: String,
        /// The new procedure.
        new: Name,
        /// Its argument.
        new_arg: Name,
        /// The argument's type, in words.
        new_type: String,
    },
}

/// Two procedures to be compared on any number of inputs.
pub struct Comparer<'p, D: Interpreted> {
    subject: Subject<'p>,
    denotations: [Denotation<D>; 2],
    modulo: BTreeSet<ConfigKey>,
    limits: Limits,
}

impl<'p, D: Interpreted> Comparer<'p, D> {
    /// Compares two procedures of equal signature; fields in `modulo` are left out.
    ///
    /// # Errors
    /// Their signatures differ. Names of arguments and shapes may: shapes are compared by running.
    pub fn new(
        old: &'p Proc,
        new: &Proc,
        modulo: BTreeSet<ConfigKey>,
        limits: Limits,
    ) -> Result<Comparer<'p, D>, SignatureMismatch> {
        same_signature(old, new)?;
        let denotations = [Denotation::of(old), Denotation::of(new)];
        Ok(Comparer { subject: Subject::pair(old, new), denotations, modulo, limits })
    }

    /// What inputs are for these two: to generate and to shrink them.
    pub fn subject(&self) -> &Subject<'p> {
        &self.subject
    }

    /// How the two compare on an input.
    pub fn compare(&self, input: &Input) -> Verdict<D::Value> {
        self.compare_counting(input).0
    }

    /// The same, and about how many statements were executed for it: a run that is cut off counts as many as it may have,
    /// one that fails as many as the other.
    pub fn compare_counting(&self, input: &Input) -> (Verdict<D::Value>, u64) {
        let most = self.limits.statements.unwrap_or(u64::MAX);
        let (args, st) = input.store_for::<D>(&self.subject);
        let old = match self.denotations[0].call(&args, st.clone(), self.limits) {
            Ok(outcome) => outcome,
            Err(fault) if fault.class() == FaultClass::Limit => return (Verdict::GaveUp(fault), most),
            Err(fault) if fault.rejects_input() => return (Verdict::InputRejected(fault), 0),
            Err(fault) => return (Verdict::OldFails(fault), 0),
        };
        let new = match self.denotations[1].call(&args, st, self.limits) {
            Ok(outcome) => outcome,
            Err(fault) if fault.class() == FaultClass::Limit => return (Verdict::GaveUp(fault), most),
            Err(fault) => {
                let verdict = Verdict::Differs(Box::new(Difference::NewFails(fault)));
                return (verdict, old.statements.saturating_mul(2));
            }
        };
        let spent = old.statements.saturating_add(new.statements);
        (self.compare_stores(input, &args, &old, &new), spent)
    }

    fn compare_stores(
        &self,
        input: &Input,
        args: &[Val<D::Value>],
        old: &Outcome<D::Value>,
        new: &Outcome<D::Value>,
    ) -> Verdict<D::Value> {
        let mut places = Places { refined: None, count: 0, undecided: None };
        for ((arg, _), value) in input.args.iter().zip(args) {
            let Val::Window(window) = value else { continue };
            for index in window.indices() {
                let values = [&old.store, &new.store].map(|st| cell(st.read(window, &index)));
                if let Some(difference) =
                    places.add::<D>(|| Spot::Cell { arg: *arg, index: index.clone() }, values)
                {
                    return Verdict::Differs(Box::new(difference));
                }
            }
        }
        let keys: BTreeSet<ConfigKey> =
            old.store.globals().chain(new.store.globals()).map(|(key, _)| key).collect();
        for key in keys.difference(&self.modulo) {
            let values = [&old.store, &new.store].map(|st| field(st, *key));
            if let Some(difference) = places.add::<D>(|| Spot::Field(*key), values) {
                return Verdict::Differs(Box::new(difference));
            }
        }
        places.verdict()
    }
}

fn cell<V: Clone>(datum: Option<&Datum<V>>) -> Val<V> {
    datum.cloned().map_or(Val::Exceptional(Exceptional::MemError), Val::from)
}

fn field<V: Clone>(st: &Store<V>, key: ConfigKey) -> Val<V> {
    st.global(key).cloned().unwrap_or(Val::Exceptional(Exceptional::Unknown))
}

/// What comparing has shown so far, apart from differences.
struct Places<V> {
    refined: Option<Spot>,
    count: usize,
    undecided: Option<(Spot, V, V)>,
}

impl<V: Clone + PartialEq> Places<V> {
    /// Takes in the two values at one place; a difference, if they differ.
    fn add<D: Interpreted<Value = V>>(
        &mut self,
        at: impl FnOnce() -> Spot,
        [old, new]: [Val<V>; 2],
    ) -> Option<Difference<V>> {
        let unknown = Val::Exceptional(Exceptional::Unknown);
        match (&old, &new) {
            (Val::Data(a), Val::Data(b)) => match D::compare(a, b) {
                Comparison::Same => None,
                Comparison::Different => Some(Difference::Values { at: at(), old, new }),
                Comparison::Undecided => {
                    if self.undecided.is_none() {
                        self.undecided = Some((at(), a.clone(), b.clone()));
                    }
                    None
                }
            },
            _ if old == new => None,
            _ if old == unknown => {
                self.count += 1;
                if self.refined.is_none() {
                    self.refined = Some(at());
                }
                None
            }
            _ => Some(Difference::Values { at: at(), old, new }),
        }
    }

    fn verdict(self) -> Verdict<V> {
        match (self.undecided, self.refined) {
            (Some((at, old, new)), _) => Verdict::Undecided { at, old, new },
            (None, Some(first)) => Verdict::Refines { first, count: self.count },
            (None, None) => Verdict::Equal,
        }
    }
}

/// Whether two procedures take the same arguments, up to names and shapes.
///
/// # Errors
/// The first difference.
pub fn same_signature(old: &Proc, new: &Proc) -> Result<(), SignatureMismatch> {
    if old.args.len() != new.args.len() {
        return Err(SignatureMismatch::Count {
            old: old.name,
            old_count: old.args.len(),
            new: new.name,
            new_count: new.args.len(),
        });
    }
    for (place, (a, b)) in old.args.iter().zip(&new.args).enumerate() {
        let (old_type, new_type) = (in_words(&a.typ), in_words(&b.typ));
        if old_type != new_type {
            let (old_arg, new_arg) = (a.name.name(), b.name.name());
            let (old, new) = (old.name, new.name);
            return Err(SignatureMismatch::Argument {
                place,
                old,
                old_arg,
                old_type,
                new,
                new_arg,
                new_type,
            });
        }
    }
    Ok(())
}

/// A type without its extents; all integers that are not sizes are one, as they hold the same values.
fn in_words(typ: &ArgType) -> String {
    match typ {
        ArgType::Control(ControlType::Int | ControlType::Index) => "index".to_owned(),
        ArgType::Control(typ @ (ControlType::Size | ControlType::Bool | ControlType::Stride)) => {
            typ.to_string()
        }
        ArgType::Data { typ, mem: _ } => match typ.kind {
            ArrayKind::Tensor if typ.rank() == 0 => typ.elem.to_string(),
            ArrayKind::Tensor => format!("{}[{}]", typ.elem, dots(typ.rank())),
            ArrayKind::Window => format!("[{}][{}]", typ.elem, dots(typ.rank())),
        },
    }
}

fn dots(rank: usize) -> String {
    vec!["…"; rank].join(", ")
}

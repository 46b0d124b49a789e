//! Obligations: what must be valid for a rewrite or a program to be accepted, and what became of it.
//! Spec: [rule: obligation].

use crate::effexpr::{EffExpr, Sort, Var};
use crate::hypotheses::Hypotheses;
use rewright_semantics::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The stable name of a condition, such as `commutes` or `bounds.upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConditionId(pub &'static str);

impl fmt::Display for ConditionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A question of validity.
///
/// It holds when, for all values of all free variables (integers or truth values, never ⊥), if every
/// hypothesis *may* hold then the formula *definitely* holds: `⋀ M(h) ⇒ D(formula)`.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Which condition this is.
    pub id: ConditionId,
    /// What it asks, in one plain sentence.
    pub sentence: String,
    /// Its formula, of sort bool. Free variables are meant to be under ∀.
    pub formula: EffExpr,
    /// What may be assumed, each of sort bool.
    pub hypotheses: Hypotheses,
    /// The places it is about, each with a word on its role.
    pub locations: Vec<(Span, String)>,
}

impl Obligation {
    /// An obligation with no hypotheses and no locations.
    pub fn new(id: ConditionId, sentence: impl Into<String>, formula: EffExpr) -> Obligation {
        Obligation {
            id,
            sentence: sentence.into(),
            formula,
            hypotheses: Hypotheses::new(),
            locations: Vec::new(),
        }
    }

    /// Adds something to assume.
    #[must_use]
    pub fn assuming(mut self, hypotheses: impl IntoIterator<Item = EffExpr>) -> Obligation {
        self.hypotheses.extend(hypotheses);
        self
    }

    /// Under these hypotheses, and no others.
    #[must_use]
    pub fn under(self, hypotheses: Hypotheses) -> Obligation {
        Obligation { hypotheses, ..self }
    }

    /// Adds a place.
    #[must_use]
    pub fn at(mut self, span: Span, role: impl Into<String>) -> Obligation {
        self.locations.push((span, role.into()));
        self
    }

    /// The two-valued sentence whose validity is asked: `⋀ M(h) ⇒ D(formula)`.
    pub fn sentence_formula(&self) -> EffExpr {
        let assumed = EffExpr::and(self.hypotheses.iter().cloned().map(EffExpr::maybe));
        EffExpr::implies(assumed, EffExpr::definitely(self.formula.clone()))
    }

    /// The free variables of formula and hypotheses.
    pub fn free_vars(&self) -> BTreeSet<(Var, Sort)> {
        let mut out = self.formula.free_vars_sorted();
        out.extend(self.hypotheses.iter().flat_map(EffExpr::free_vars_sorted));
        out
    }
}

/// Which stage of the solver decided. Cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Syntactic equality and intervals.
    Fast,
    /// Quantifier-free linear integer arithmetic.
    Linear,
    /// With quantifiers.
    Quantified,
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tier::Fast => "fast",
            Tier::Linear => "linear",
            Tier::Quantified => "quantified",
        })
    }
}

/// What became of an obligation. Only [`Verdict::Proved`] admits a rewrite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is valid.
    Proved {
        /// Who found out.
        by: Tier,
    },
    /// It is not valid: these values break it.
    Refuted {
        /// A value for each free variable that matters.
        model: Model,
    },
    /// The solver gave up.
    Unknown {
        /// What stopped it.
        why: String,
    },
}

impl Verdict {
    /// Whether it is [`Verdict::Proved`].
    pub fn is_proved(&self) -> bool {
        match self {
            Verdict::Proved { .. } => true,
            Verdict::Refuted { .. } | Verdict::Unknown { .. } => false,
        }
    }
}

/// A value in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelValue {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
}

impl fmt::Display for ModelValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelValue::Int(v) => v.fmt(f),
            ModelValue::Bool(v) => v.fmt(f),
        }
    }
}

/// Values of variables under which an obligation fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The values.
    pub values: BTreeMap<Var, ModelValue>,
    /// The variables whose values break it; those of the others might be any.
    pub decisive: BTreeSet<Var>,
}

impl Model {
    /// The value of a variable.
    pub fn get(&self, v: Var) -> Option<ModelValue> {
        self.values.get(&v).copied()
    }
}

/// `n = 3, i = 0`, in the order of the variables.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (var, value)) in self.values.iter().enumerate() {
            write!(f, "{}{var} = {value}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

//! The declarative rules. Thesis Fig. 4.5. Spec: [rule: perceus.declarative].
//!
//! Δ | Γ ⊢ e ⇝ e' where Δ, a set, is borrowed and Γ, a multiset, is owned: each occurrence is consumed exactly once.
//! A derivation is data. [`derive()`] finds the one that there is for given e and e'; [`check`] looks at each rule of a
//! derivation by itself, whoever made it.

mod check;
mod derive;
pub mod random;
pub mod sound;

pub use check::check;
pub use derive::{derive, derive_program};

use crate::syntax::Expr;
use crate::vars::{Bag, Vars};
use std::fmt;

/// The rules of Fig. 4.5, and those of the extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Δ | x ⊢ x ⇝ x
    Var,
    /// Δ | Γ ⊢ e ⇝ dup x; e' from Δ | Γ, x ⊢ e ⇝ e', for x ∈ Δ, Γ
    Dup,
    /// Δ | Γ, x ⊢ e ⇝ drop x; e' from Δ | Γ ⊢ e ⇝ e'
    Drop,
    /// Application.
    App,
    /// Abstraction.
    Lam,
    /// `val`.
    Bind,
    /// Match.
    Match,
    /// Constructor.
    Con,
    /// Integer.
    Int,
    /// Primitive.
    Prim,
    /// Call.
    Call,
}

impl Rule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Var => "VAR",
            Rule::Dup => "DUP",
            Rule::Drop => "DROP",
            Rule::App => "APP",
            Rule::Lam => "LAM",
            Rule::Bind => "BIND",
            Rule::Match => "MATCH",
            Rule::Con => "CON",
            Rule::Int => "INT",
            Rule::Prim => "PRIM",
            Rule::Call => "CALL",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Δ | Γ ⊢ e ⇝ e', and the derivations above it.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The rule at the bottom.
    pub rule: Rule,
    /// Δ
    pub delta: Vars,
    /// Γ
    pub gamma: Bag,
    /// e
    pub source: Expr,
    /// e'
    pub output: Expr,
    /// In the order in which the rule lists them.
    pub premises: Vec<Derivation>,
}

/// Why there is no derivation, or why this is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule that does not apply.
    pub rule: Rule,
    /// What it asks for and does not get.
    pub why: String,
    /// The translation it was to derive.
    pub output: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}, at `{}`", self.rule, self.why, self.output)
    }
}

impl Refusal {
    fn new(rule: Rule, output: &Expr, why: impl Into<String>) -> Refusal {
        const SHOWN: usize = 120;
        let mut output = output.to_string();
        if let Some((cut, _)) = output.char_indices().nth(SHOWN) {
            output.truncate(cut);
            output.push('…');
        }
        Refusal { rule, why: why.into(), output }
    }
}

//! On which values a counterexample hangs. Of a conjunction that is false one false part is enough, and of a disjunction
//! that is true one true part: what the others ask of has any value.

use crate::effexpr::{EffExpr, Node, Sort, Var};
use crate::ternary::{Assignment, TernaryValue, Truth, eval_within};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::Range;

/// How much may be evaluated, in nodes visited.
const BUDGET: u64 = 500_000;

/// Variables whose values make a classical formula false, whatever the others are. Quantifiers range over `domain`;
/// where it is `None`, what is quantified is not looked into.
pub(super) fn decisive(
    formula: &EffExpr,
    assignment: &Assignment,
    domain: Option<Range<i64>>,
) -> BTreeSet<Var> {
    let seen = FxHashSet::default();
    let mut search = Search { assignment, domain, budget: BUDGET, seen, out: BTreeSet::new() };
    search.why(formula, false);
    search.out
}

struct Search<'a> {
    assignment: &'a Assignment,
    domain: Option<Range<i64>>,
    budget: u64,
    /// Shared parts that are explained, with their values.
    seen: FxHashSet<(usize, bool)>,
    out: BTreeSet<Var>,
}

impl Search<'_> {
    /// Adds what a formula hangs on that has this value.
    fn why(&mut self, ee: &EffExpr, value: bool) {
        if !self.seen.insert((ee.address(), value)) {
            return;
        }
        match ee.node() {
            Node::Not(a) => self.why(a, !value),
            Node::And(es) if value => es.iter().for_each(|e| self.why(e, true)),
            Node::Or(es) if !value => es.iter().for_each(|e| self.why(e, false)),
            Node::And(es) | Node::Or(es) => match es.iter().find(|e| self.value(e) == Some(value)) {
                Some(enough) => self.why(enough, value),
                None => self.out.extend(ee.free_vars()),
            },
            Node::If(c, a, b) if ee.sort() == Sort::Bool => match self.value(c) {
                Some(taken) => {
                    self.why(c, taken);
                    self.why(if taken { a } else { b }, value);
                }
                None => self.out.extend(ee.free_vars()),
            },
            Node::Var(..)
            | Node::Int(_)
            | Node::Bool(_)
            | Node::Unknown(_)
            | Node::Neg(_)
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Scale(..)
            | Node::Div(..)
            | Node::Mod(..)
            | Node::Cmp(..)
            | Node::Iff(..)
            | Node::If(..)
            | Node::Forall(..)
            | Node::Exists(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => self.out.extend(ee.free_vars()),
        }
    }

    /// The value of a formula, where it can be told.
    fn value(&mut self, ee: &EffExpr) -> Option<bool> {
        let cost = ee.size();
        if cost > self.budget {
            return None;
        }
        let domain = match &self.domain {
            Some(domain) => domain.clone(),
            None if ee.is_quantified() => return None,
            None => 0..1,
        };
        let value = eval_within(ee, self.assignment, domain, self.budget);
        self.budget -= cost;
        match value {
            TernaryValue::Bool(Truth::True) => Some(true),
            TernaryValue::Bool(Truth::False) => Some(false),
            TernaryValue::Bool(Truth::Unknown) | TernaryValue::Int(_) => None,
        }
    }
}

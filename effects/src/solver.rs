//! Deciding obligations: three tiers, a cache, and counterexamples that were checked.
//! Spec: [rule: solving].
//!
//! 1. The obligation is encoded classically ([`encode`], PLDI'22 App. B), outer quantifiers are dropped, and
//!    the negation is brought into normal form; alpha-equal questions meet in the cache there.
//! 2. **Fast**: the quantifiers that are left are eliminated exactly where that is cheap, and a search with
//!    linear arithmetic over the integers looks for values that satisfy the negation. None: proved.
//! 3. **Linear**: z3 is asked about the quantifier-free formula; **Quantified**: about the original, where
//!    elimination gave up.
//!
//! A verdict never depends on what was asked before, on time, or on the identity of symbols. `Refuted` is
//! reported only when the direct evaluator finds the formula false under the model; where the quantifiers that
//! are left are too many to enumerate, the formula without them is evaluated instead.

mod cache;
mod cube;
mod decisive;
mod eliminate;
pub mod encode;
mod fast;
mod linear;
mod patience;
mod prop;
mod skolem;
pub mod smtlib;
#[cfg(test)]
mod tests;
mod z3;

pub use patience::{nobody_waits, with_patience};
pub use z3::answer_of_script;

use crate::effexpr::{EffExpr, Sort, Var};
use crate::obligation::{Model, ModelValue, Obligation, Tier, Verdict};
use crate::ternary::{Assignment, TernaryValue, Truth, eval_within};
use cache::{Cache, Key, Known};
use decisive::decisive;
use encode::encode_bool;
use prop::Normal;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use z3::Outcome;

/// How large a formula with quantifiers may be, written out as a tree: they are taken out of it as from one.
const MAX_SIZE: u64 = 2_000_000;

/// How far hypotheses may be from the formula, one question after the other, where there are many.
const NEAR: [usize; 2] = [1, 3];

/// How much work an answer may cost, and which stages take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of z3 per question: its own count, the same on every machine.
    pub steps: u32,
    /// The first stage to ask. From [`Tier::Quantified`] on, z3 gets the formula as the encoding left it.
    pub first: Tier,
    /// Whether answers are kept.
    pub cache: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000, first: Tier::Fast, cache: true }
    }
}

/// How many obligations each stage decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Decided by the fast tier.
    pub fast: u64,
    /// Decided by z3 without quantifiers.
    pub linear: u64,
    /// Decided by z3 with quantifiers.
    pub quantified: u64,
    /// Not decided.
    pub unknown: u64,
    /// Answered from the cache; counted under the stage that decided as well.
    pub cached: u64,
}

/// Decides obligations. Threads may share one: what it keeps is locked while it is looked up, not while a question is
/// decided.
#[derive(Debug, Default)]
pub struct Solver {
    limits: Limits,
    kept: Mutex<Kept>,
}

/// What a solver remembers of the questions so far. No verdict depends on it.
#[derive(Debug, Default)]
struct Kept {
    cache: Cache,
    counts: Counts,
}

impl Kept {
    /// What is known of this formula, word for word.
    fn decided(&mut self, formula: &EffExpr) -> Option<Decision> {
        let decision = self.cache.decided(formula)?;
        self.counts.cached += 1;
        Some(decision)
    }

    /// The verdict of a formula in normal form.
    fn get(&mut self, key: &Key) -> Option<Known> {
        let known = self.cache.get(key)?.clone();
        self.counts.cached += 1;
        Some(known)
    }
}

/// A verdict, and the stage that reached it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decision {
    verdict: Verdict,
    tier: Option<Tier>,
}

impl Solver {
    /// A solver with the usual limits and nothing in its cache.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// A solver with other limits.
    pub fn with_limits(limits: Limits) -> Solver {
        Solver { limits, ..Solver::default() }
    }

    /// How many obligations each stage has decided so far.
    pub fn counts(&self) -> Counts {
        self.kept().counts
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the obligation is valid.
    ///
    /// Hypotheses with quantifiers are seldom needed and dear. So the question without them comes first; a
    /// counterexample to it that satisfies them too is one to the whole.
    ///
    /// Of many hypotheses, those that have to do with the formula come first: what follows from them follows from all.
    pub fn decide(&self, obligation: &Obligation) -> Verdict {
        for rounds in NEAR {
            let near = obligation.hypotheses.near(&obligation.formula, rounds);
            let Some(near) = near.filter(|_| self.limits.first != Tier::Quantified) else { break };
            let decision = self.decide_whole(&Obligation { hypotheses: near, ..obligation.clone() });
            if decision.verdict.is_proved() {
                return self.counted(decision);
            }
        }
        let decision = self.decide_whole(obligation);
        self.counted(decision)
    }

    fn decide_whole(&self, obligation: &Obligation) -> Decision {
        let formula = obligation.sentence_formula();
        let (dear, cheap): (Vec<_>, Vec<_>) =
            obligation.hypotheses.iter().cloned().partition(EffExpr::is_quantified);
        if !dear.is_empty() && self.limits.first != Tier::Quantified {
            let weaker = obligation.clone().under(cheap.into_iter().collect());
            let decision = self.answer(&weaker.sentence_formula());
            let holds = match &decision.verdict {
                Verdict::Proved { .. } => true,
                Verdict::Refuted { model } => refutes(model, &formula),
                Verdict::Unknown { .. } => false,
            };
            if holds {
                return decision;
            }
        }
        self.answer(&formula)
    }

    /// Whether a formula is definitely true for all values of its free variables.
    pub fn decide_formula(&self, formula: &EffExpr) -> Verdict {
        let decision = self.answer(formula);
        self.counted(decision)
    }

    fn answer(&self, formula: &EffExpr) -> Decision {
        if !self.limits.cache {
            return self.examine(formula);
        }
        if let Some(known) = self.kept().decided(formula) {
            return known;
        }
        let decision = self.examine(formula);
        match decision.verdict {
            Verdict::Proved { .. } | Verdict::Refuted { .. } => {
                self.kept().cache.insert_decided(formula, decision.clone());
            }
            Verdict::Unknown { .. } => {}
        }
        decision
    }

    fn examine(&self, formula: &EffExpr) -> Decision {
        let classical = encode_bool(formula).t;
        if classical.size() > MAX_SIZE && classical.is_quantified() {
            return Decision {
                verdict: Verdict::Unknown { why: "the formula is too large".to_owned() },
                tier: None,
            };
        }
        let open = skolem::strip(&classical);
        match prop::negation_of(&open) {
            Ok(normal) => self.remembered(&open, normal),
            Err(_) => self.by_z3(&open, &EffExpr::not(open.clone()), Tier::Quantified),
        }
    }

    fn counted(&self, Decision { verdict, tier }: Decision) -> Verdict {
        let counts = &mut self.kept().counts;
        match tier {
            Some(Tier::Fast) => counts.fast += 1,
            Some(Tier::Linear) => counts.linear += 1,
            Some(Tier::Quantified) => counts.quantified += 1,
            None => counts.unknown += 1,
        }
        verdict
    }

    fn remembered(&self, open: &EffExpr, normal: Normal) -> Decision {
        if !self.limits.cache {
            return self.compute(open, normal);
        }
        let key = Key::of(&normal);
        let known = self.kept().get(&key);
        if let Some(known) = known {
            return recall(&known, open, &normal);
        }
        let free = normal.free.clone();
        let decision = self.compute(open, normal);
        let known = match (&decision.verdict, decision.tier) {
            (Verdict::Proved { by }, _) => Known::Proved(*by),
            (Verdict::Refuted { model }, tier) => {
                let values = free.iter().filter_map(|(v, _, id)| Some((*id, model.get(*v)?))).collect();
                Known::Refuted(values, tier)
            }
            (Verdict::Unknown { why }, _) => Known::Unknown(Arc::from(why.as_str())),
        };
        if !patience::is_over() {
            self.kept().cache.insert(key, known);
        }
        decision
    }

    fn compute(&self, open: &EffExpr, mut normal: Normal) -> Decision {
        if self.limits.first == Tier::Quantified {
            return self.by_z3_alone(open);
        }
        let original = normal.prop.clone();
        let Ok(plain) = eliminate::eliminate(&mut normal.table, &original) else {
            return self.by_z3_alone(open);
        };
        if self.limits.first == Tier::Fast
            && let Some(decision) = by_search(open, &normal, &plain)
        {
            return decision;
        }
        match normal.to_effexpr(&plain) {
            Ok(negation) => self.by_z3(open, &skolem::open_witnesses(&negation), Tier::Linear),
            Err(_) => self.by_z3_alone(open),
        }
    }

    /// z3 on the formula as it came from the encoding.
    fn by_z3_alone(&self, open: &EffExpr) -> Decision {
        let tier = if open.is_quantified() { Tier::Quantified } else { Tier::Linear };
        self.by_z3(open, &EffExpr::not(open.clone()), tier)
    }

    fn by_z3(&self, open: &EffExpr, negation: &EffExpr, tier: Tier) -> Decision {
        let unknown = |why: String| Decision { verdict: Verdict::Unknown { why }, tier: None };
        match z3::satisfiable(negation, self.limits.steps) {
            Outcome::Unsatisfiable => Decision { verdict: Verdict::Proved { by: tier }, tier: Some(tier) },
            Outcome::Unknown(why) => unknown(why),
            Outcome::Satisfiable(values) => match checked(open, &values) {
                Checked::False(verdict) => Decision { verdict, tier: Some(tier) },
                Checked::TooLong | Checked::Otherwise => {
                    unknown("the solver's counterexample could not be confirmed".to_owned())
                }
            },
        }
    }
}

/// The fast tier's decision, if it has one.
fn by_search(open: &EffExpr, normal: &Normal, plain: &prop::Prop) -> Option<Decision> {
    let verdict = match fast::search(&normal.table, plain) {
        fast::Answer::Unsatisfiable => Verdict::Proved { by: Tier::Fast },
        fast::Answer::Candidate { ints, bools } => {
            let mut values = Vec::new();
            for (v, sort, id) in &normal.free {
                let value = match sort {
                    Sort::Int => ModelValue::Int(i64::try_from(ints.get(id).copied().unwrap_or(0)).ok()?),
                    Sort::Bool => ModelValue::Bool(bools.get(id).copied().unwrap_or(false)),
                };
                values.push((*v, value));
            }
            match checked(open, &values) {
                Checked::False(verdict) => verdict,
                // The formula without quantifiers was evaluated by the search.
                Checked::TooLong => Verdict::Refuted { model: explained(open, complete(open, &values)) },
                Checked::Otherwise => return None,
            }
        }
        fast::Answer::Open => return None,
    };
    Some(Decision { verdict, tier: Some(Tier::Fast) })
}

/// A remembered verdict in the names of this question.
fn recall(known: &Known, open: &EffExpr, normal: &Normal) -> Decision {
    match known {
        Known::Proved(by) => Decision { verdict: Verdict::Proved { by: *by }, tier: Some(*by) },
        Known::Unknown(why) => Decision { verdict: Verdict::Unknown { why: why.to_string() }, tier: None },
        Known::Refuted(values, tier) => {
            let named = normal.free.iter().filter_map(|(v, _, id)| {
                values.iter().find(|(known, _)| known == id).map(|(_, value)| (*v, *value))
            });
            let model = explained(open, complete(open, &named.collect::<Vec<_>>()));
            Decision { verdict: Verdict::Refuted { model }, tier: *tier }
        }
    }
}

/// These values, and zero or false for the variables of the formula that they leave out.
fn complete(open: &EffExpr, values: &[(Var, ModelValue)]) -> Model {
    let mut model = Model::default();
    for (v, sort) in open.free_vars_sorted() {
        let nothing = match sort {
            Sort::Int => ModelValue::Int(0),
            Sort::Bool => ModelValue::Bool(false),
        };
        model.values.insert(v, nothing);
    }
    for (v, value) in values {
        if model.values.contains_key(v) {
            model.values.insert(*v, *value);
        }
    }
    model
}

/// The model of a counterexample, with the variables on which it hangs.
fn explained(open: &EffExpr, model: Model) -> Model {
    let assignment: Assignment = model.values.iter().map(|(v, value)| (*v, ternary(*value))).collect();
    let decisive = decisive(open, &assignment, domain(open, &model));
    Model { decisive, ..model }
}

/// What the direct evaluator says of a counterexample.
enum Checked {
    /// The formula is false there, as it should be.
    False(Verdict),
    /// It is not false.
    Otherwise,
    /// The quantifiers that are left nest too deeply to be enumerated.
    TooLong,
}

/// Whether a formula, quantifiers and all, is false in a counterexample to a stronger one.
fn refutes(model: &Model, formula: &EffExpr) -> bool {
    let given = |v: &(Var, Sort)| model.get(v.0).is_some();
    let assignment: Assignment = model.values.iter().map(|(v, value)| (*v, ternary(*value))).collect();
    formula.free_vars_sorted().iter().all(given)
        && domain(formula, model).is_some_and(|domain| {
            eval_within(formula, &assignment, domain, MAX_EVALUATION) == TernaryValue::Bool(Truth::False)
        })
}

/// Evaluates the formula under these values.
fn checked(open: &EffExpr, values: &[(Var, ModelValue)]) -> Checked {
    let model = complete(open, values);
    let assignment: Assignment = model.values.iter().map(|(v, value)| (*v, ternary(*value))).collect();
    let Some(domain) = domain(open, &model) else { return Checked::TooLong };
    if eval_within(open, &assignment, domain, MAX_EVALUATION) == TernaryValue::Bool(Truth::False) {
        Checked::False(Verdict::Refuted { model: explained(open, model) })
    } else {
        Checked::Otherwise
    }
}

fn ternary(value: ModelValue) -> TernaryValue {
    match value {
        ModelValue::Int(v) => TernaryValue::Int(Some(i128::from(v))),
        ModelValue::Bool(b) => TernaryValue::Bool(Truth::from(b)),
    }
}

/// How much the evaluation of one counterexample may cost, in nodes visited.
const MAX_EVALUATION: u64 = 3_000_000;

/// Where the quantifiers that are left range while a counterexample is evaluated: around its own numbers.
/// `None` when that would take too long.
fn domain(open: &EffExpr, model: &Model) -> Option<std::ops::Range<i64>> {
    let depth = depth(open, &mut FxHashMap::default());
    if depth == 0 {
        return Some(0..1);
    }
    let ints = model.values.values().filter_map(|v| match v {
        ModelValue::Int(i) => Some(*i),
        ModelValue::Bool(_) => None,
    });
    let (low, high) = ints.fold((0, 0), |(low, high), i| (low.min(i), high.max(i)));
    for margin in [24_i64, 8, 3, 1] {
        let range = low.checked_sub(margin)?..high.checked_add(margin)?;
        let width = u64::try_from(range.end.checked_sub(range.start)?).ok()?;
        let cost = width.checked_pow(depth).and_then(|c| c.checked_mul(open.size()));
        if cost.is_some_and(|c| c <= MAX_EVALUATION) {
            return Some(range);
        }
    }
    None
}

/// How deeply quantifiers are nested.
fn depth(ee: &EffExpr, known: &mut FxHashMap<usize, u32>) -> u32 {
    if let Some(depth) = known.get(&ee.address()) {
        return *depth;
    }
    let mut deepest = 0;
    ee.children(|c| deepest = deepest.max(depth(c, known)));
    let depth = deepest + u32::from(ee.node().bound_variable().is_some());
    known.insert(ee.address(), depth);
    depth
}

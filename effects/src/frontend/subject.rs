//! What a requirement compares, and how its failure reads in one state.

use crate::conditions::within;
use crate::effexpr::{CmpOp, EffExpr, Node};
use crate::locset::{Base, Loc};
use crate::ternary::{Assignment, TernaryValue, Truth, eval_within};
use rewright_semantics::sym::Sym;
use std::ops::Range;

/// What a requirement is about, as values on entry to the procedure.
#[derive(Clone, Debug)]
pub enum Subject {
    /// `0 ≤ index < extent`
    Index {
        /// The index.
        index: EffExpr,
        /// The extent of its dimension.
        extent: EffExpr,
    },
    /// `0 ≤ lo ≤ hi ≤ extent`
    Interval {
        /// The lower end.
        lo: EffExpr,
        /// The upper end.
        hi: EffExpr,
        /// The extent of its dimension.
        extent: EffExpr,
    },
    /// The value is at least so much.
    AtLeast(EffExpr, i64),
    /// A callee's assertion, about the caller's values.
    Holds(EffExpr),
    /// Strides are those of a tensor.
    Dense {
        /// Of each dimension, what the stride is and what it would be in a tensor.
        strides: Vec<(EffExpr, EffExpr)>,
    },
    /// Two extents are equal.
    Equal {
        /// That of the formal argument.
        expected: EffExpr,
        /// That of what is passed.
        found: EffExpr,
    },
    /// An arbitrary place is not in two arguments.
    Apart {
        /// The place.
        place: Loc,
        /// It is in the one, and in the other.
        shown: (EffExpr, EffExpr),
    },
    /// Some state satisfies an assertion and those above it.
    Satisfiable,
    /// What a field is given depends on no iteration of a loop.
    Dependent {
        /// What the value depends on, what that depends on, …, the variable of a loop.
        path: Vec<String>,
    },
    /// What holds of no program.
    Never,
    /// Two iterations do not meet in an arbitrary place of one root.
    Race {
        /// The loop variable.
        iter: Sym,
        /// Its two values.
        iterations: (EffExpr, EffExpr),
        /// These two run, in this order.
        run: EffExpr,
        /// The one changes the place, and the other does.
        changes: (EffExpr, EffExpr),
        /// The one touches the place, and the other does.
        touches: (EffExpr, EffExpr),
        /// The place.
        place: Loc,
    },
}

impl Subject {
    /// What must be valid.
    pub fn formula(&self) -> EffExpr {
        match self {
            Subject::Index { index, extent } => within(index, extent),
            Subject::Interval { lo, hi, extent } => EffExpr::and([
                EffExpr::le(EffExpr::int(0), lo.clone()),
                EffExpr::le(lo.clone(), hi.clone()),
                EffExpr::le(hi.clone(), extent.clone()),
            ]),
            Subject::AtLeast(value, least) => EffExpr::ge(value.clone(), EffExpr::int(*least)),
            Subject::Holds(pred) => pred.clone(),
            Subject::Equal { expected, found } => EffExpr::eq(expected.clone(), found.clone()),
            Subject::Dense { strides } => {
                let same = strides.iter().map(|(found, dense)| EffExpr::eq(found.clone(), dense.clone()));
                EffExpr::and(same.collect::<Vec<_>>())
            }
            Subject::Apart { place: _, shown: (a, b) } => EffExpr::not(EffExpr::and([a.clone(), b.clone()])),
            Subject::Satisfiable | Subject::Dependent { .. } | Subject::Never => EffExpr::bool(false),
            Subject::Race { iter: _, iterations: _, run, changes, touches, place: _ } => {
                let apart = |a: &EffExpr, b: &EffExpr| EffExpr::not(EffExpr::and([a.clone(), b.clone()]));
                let both = EffExpr::and([apart(&changes.0, &touches.1), apart(&changes.1, &touches.0)]);
                EffExpr::implies(run.clone(), EffExpr::definitely(both))
            }
        }
    }

    /// A race of iterations that touch every place: it is excluded where no two run.
    pub(super) fn without_what_iterations_do(&self) -> Option<Subject> {
        let everywhere = (EffExpr::bool(true), EffExpr::bool(true));
        let Subject::Race { iter, iterations, run, place, changes: _, touches: _ } = self.clone() else {
            return None;
        };
        Some(Subject::Race { iter, iterations, run, place, changes: everywhere.clone(), touches: everywhere })
    }

    /// The variables that stand for the failure itself and not for the state: the words name them.
    pub(super) fn own(&self) -> Vec<EffExpr> {
        match self {
            Subject::Apart { place, shown: _ } => place.idx.to_vec(),
            Subject::Race { iterations, place, .. } => {
                [&iterations.0, &iterations.1].into_iter().chain(place.idx.iter()).cloned().collect()
            }
            Subject::Index { .. }
            | Subject::Interval { .. }
            | Subject::AtLeast(..)
            | Subject::Holds(_)
            | Subject::Equal { .. }
            | Subject::Dense { .. }
            | Subject::Satisfiable
            | Subject::Dependent { .. }
            | Subject::Never => Vec::new(),
        }
    }

    /// How it fails in a state, in a few words.
    pub(super) fn failure(&self, state: &State) -> String {
        match self {
            Subject::Index { index, extent } => {
                format!("the index is {}, the extent {}", state.int(index), state.int(extent))
            }
            Subject::Interval { lo, hi, extent } => {
                let (lo, hi, extent) = (state.int(lo), state.int(hi), state.int(extent));
                format!("the interval is {lo}:{hi}, the extent {extent}")
            }
            Subject::AtLeast(value, _) => format!("it is {}", state.int(value)),
            Subject::Holds(pred) => state.broken(pred),
            Subject::Equal { expected, found } => {
                format!("{} is expected, {} given", state.int(expected), state.int(found))
            }
            Subject::Dense { strides } => {
                let shown = strides.iter().map(|(found, dense)| (state.int(found), state.int(dense)));
                let wrong = shown.enumerate().find(|(_, (found, dense))| found != dense || found == UNKNOWN);
                match wrong {
                    Some((d, (found, dense))) => format!("stride {d} is {found}, and {dense} in a tensor"),
                    None => "the strides are those of a tensor".to_owned(),
                }
            }
            Subject::Apart { place, shown: _ } => format!("both show {}", state.place(place)),
            Subject::Satisfiable => "no state satisfies it and those above it".to_owned(),
            Subject::Dependent { path } => {
                let path: Vec<String> = path.iter().map(|place| format!("`{place}`")).collect();
                format!("this depends on {}", path.join(", which depends on "))
            }
            Subject::Never => "it always does".to_owned(),
            Subject::Race { iter, iterations, run: _, changes, touches: _, place } => {
                let (a, b) = (state.int(&iterations.0), state.int(&iterations.1));
                let verbs = match (state.holds(&changes.0), state.holds(&changes.1)) {
                    (true, true) => "both change it",
                    (true, false) => "the first changes it, the second reads it",
                    (false, true | false) => "the first reads it, the second changes it",
                };
                format!("iterations {iter} = {a} and {iter} = {b} meet in {}: {verbs}", state.place(place))
            }
        }
    }
}

/// The values of a counterexample.
pub(super) struct State {
    pub(super) values: Assignment,
    pub(super) domain: Range<i64>,
}

/// A number that is not known.
const UNKNOWN: &str = "unknown";

/// How many nodes are visited to find a word.
const FUEL: u64 = 200_000;

impl State {
    fn eval(&self, ee: &EffExpr) -> TernaryValue {
        eval_within(ee, &self.values, self.domain.clone(), FUEL)
    }

    /// A number, or `unknown`.
    fn int(&self, ee: &EffExpr) -> String {
        match self.eval(ee) {
            TernaryValue::Int(Some(v)) => v.to_string(),
            TernaryValue::Int(None) | TernaryValue::Bool(_) => UNKNOWN.to_owned(),
        }
    }

    fn holds(&self, ee: &EffExpr) -> bool {
        self.eval(ee) != TernaryValue::Bool(Truth::False)
    }

    fn place(&self, place: &Loc) -> String {
        let idx: Vec<String> = place.idx.iter().map(|i| self.int(i)).collect();
        let base = match place.base {
            Base::Buffer(x) => x.to_string(),
            Base::Global(field) => field.var().to_string(),
        };
        if idx.is_empty() { format!("`{base}`") } else { format!("`{base}[{}]`", idx.join(", ")) }
    }

    /// The part of a condition that is not true, with its numbers.
    fn broken(&self, pred: &EffExpr) -> String {
        match pred.node() {
            Node::And(es) => {
                let culprit = es.iter().find(|e| self.eval(e) != TernaryValue::Bool(Truth::True));
                culprit.map_or_else(|| "its value is unknown".to_owned(), |e| self.broken(e))
            }
            Node::Cmp(op, a, b) => {
                let op = if *op == CmpOp::Eq { "==" } else { op.symbol() };
                format!("it reads {} {op} {}", self.int(a), self.int(b))
            }
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
            | Node::Iff(..)
            | Node::Not(_)
            | Node::Or(_)
            | Node::If(..)
            | Node::Forall(..)
            | Node::Exists(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => match self.eval(pred) {
                TernaryValue::Bool(Truth::False) => "it is False".to_owned(),
                TernaryValue::Bool(Truth::True) => "it is True".to_owned(),
                TernaryValue::Bool(Truth::Unknown) | TernaryValue::Int(_) => {
                    "its value is unknown".to_owned()
                }
            },
        }
    }
}

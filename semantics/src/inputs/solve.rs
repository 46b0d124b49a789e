//! Values for control variables that satisfy a procedure's assertions: search with propagation.
//!
//! The variables are the control arguments, the control fields of configurations, and the strides of
//! window arguments that an assertion mentions. A variable gets its value when its turn comes, from a list
//! of candidates: small numbers, numbers made of the literals at hand, and what would solve the
//! constraints in which it is the only variable left. A candidate that makes a constraint false is
//! dropped; when none is left, the search steps back. The work is bounded.

use crate::ast::{BinOp, Expr, ExprKind, Proc};
use crate::denote::deeper;
use crate::inputs::partial::{as_int, as_variable, conjuncts, eval, is_of_type, mentions};
use crate::inputs::survey::Survey;
use crate::store::{ConfigKey, cell_count};
use crate::sym::{Name, Sym};
use crate::types::{ArgType, ArrayKind, ControlType, FieldType};
use crate::value::Control;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A control variable of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    /// A control argument.
    Arg(Sym),
    /// A control field of a configuration.
    Field(ConfigKey),
    /// `stride(x, d)` of a window argument.
    Stride(Sym, usize),
}

/// A variable, its type, and its value where that is given.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub key: Key,
    pub typ: ControlType,
    pub fixed: Option<Control>,
}

/// What must hold.
#[derive(Clone, Debug)]
pub(crate) enum Constraint {
    /// A part of an assertion, and the number of the assertion.
    Pred(Expr, usize),
    /// An extent of this argument is not negative.
    NotNegative(Expr, Sym),
    /// The extent of a dimension of this argument is that of the data given.
    Extent(Expr, i64, (Sym, usize)),
    /// This argument has at most so many cells.
    Cells(Arc<[Expr]>, u64, Sym),
}

/// Values of the variables, as far as they are known.
pub(crate) type Assignment = FxHashMap<Key, Control>;

/// Variables and constraints.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub variables: Vec<Variable>,
    pub constraints: Vec<Constraint>,
    /// Literals of the procedure and of all it calls.
    pub literals: BTreeSet<i64>,
    /// The shapes of tensor arguments: their strides follow.
    tensors: FxHashMap<Sym, Arc<[Expr]>>,
    /// For each constraint, the variables in it.
    mentions: Vec<Vec<Key>>,
}

/// No values were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    /// How many values were tried.
    pub tried: u64,
    /// What stood in the way.
    pub because: Option<Obstacle>,
}

/// What stands in the way of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obstacle {
    /// This assertion, counted from 0.
    Assertion(usize),
    /// An extent of this argument would be negative.
    Negative(Name),
    /// The extent of this dimension of this argument would not be that of the data given.
    Extent(Name, usize),
    /// This argument would have more cells than this.
    Cells(Name, u64),
    /// No layout has the strides asked for.
    Strides,
}

impl Problem {
    /// The problem of a procedure: assertions hold and extents are not negative.
    pub(crate) fn of(p: &Proc, survey: &Survey, max_cells: u64) -> Problem {
        let mut problem = Problem {
            variables: Vec::new(),
            constraints: Vec::new(),
            literals: survey.literals.iter().copied().filter(|n| *n <= LARGEST).collect(),
            tensors: FxHashMap::default(),
            mentions: Vec::new(),
        };
        let mut free = |key, typ| problem.variables.push(Variable { key, typ, fixed: None });
        for arg in &p.args {
            match &arg.typ {
                ArgType::Control(typ) => free(Key::Arg(arg.name), *typ),
                ArgType::Data { typ, mem: _ } => {
                    let extents = typ.shape.iter().cloned();
                    problem.constraints.extend(extents.map(|e| Constraint::NotNegative(e, arg.name)));
                    problem.constraints.push(Constraint::Cells(typ.shape.clone(), max_cells, arg.name));
                    match typ.kind {
                        ArrayKind::Tensor => {
                            problem.tensors.insert(arg.name, typ.shape.clone());
                        }
                        ArrayKind::Window => {}
                    }
                }
            }
        }
        for (key, typ) in &survey.fields {
            match typ {
                FieldType::Control(typ) => free(Key::Field(*key), *typ),
                FieldType::Data(_) => {}
            }
        }
        for (number, pred) in p.preds.iter().enumerate() {
            conjuncts(pred, &mut |e| problem.constraints.push(Constraint::Pred(e.clone(), number)));
        }
        problem.find_variables();
        problem
    }

    /// Adds a constraint.
    pub(crate) fn require(&mut self, constraint: Constraint) {
        self.constraints.push(constraint);
        self.find_variables();
    }

    /// Gives a variable its value; `false` when there is no such variable.
    pub(crate) fn fix(&mut self, key: Key, value: Control) -> bool {
        let variable = self.variables.iter_mut().find(|v| v.key == key);
        variable.map(|v| v.fixed = Some(value)).is_some()
    }

    /// Notes which variables each constraint mentions, and makes strides variables where they occur.
    fn find_variables(&mut self) {
        self.mentions.clear();
        for constraint in &self.constraints {
            let mut found = FxHashSet::default();
            let mut mention = |key| {
                found.insert(key);
            };
            for e in constraint.exprs() {
                mentions(e, &self.tensors, &mut mention);
            }
            let mut found: Vec<Key> = found.into_iter().collect();
            found.sort_unstable();
            for key in &found {
                if let Key::Stride(..) = key
                    && !self.variables.iter().any(|v| v.key == *key)
                {
                    self.variables.push(Variable { key: *key, typ: ControlType::Stride, fixed: None });
                }
            }
            self.mentions.push(found);
        }
    }

    /// Values for all variables. `prefer` puts the candidates of a variable in the order in which they
    /// are tried; `budget` bounds how many are.
    pub(crate) fn solve(
        &self,
        prefer: &mut dyn FnMut(&Variable, Vec<Control>) -> Vec<Control>,
        budget: u64,
    ) -> Result<Assignment, Stuck> {
        let mut search = Search {
            problem: self,
            values: Assignment::default(),
            tried: 0,
            budget,
            blame: FxHashMap::default(),
        };
        let order = self.order();
        let done = search.assign(&order, prefer);
        if done {
            return Ok(search.values);
        }
        let mut blame: Vec<(Obstacle, u64)> = search.blame.into_iter().collect();
        blame.sort_by_key(|(obstacle, count)| (std::cmp::Reverse(*count), *obstacle));
        let alone = blame.iter().find(|(obstacle, _)| self.can_do_without(*obstacle));
        Err(Stuck { tried: search.tried, because: alone.or(blame.first()).map(|(obstacle, _)| *obstacle) })
    }

    /// Whether there soon is a solution of all other constraints.
    fn can_do_without(&self, obstacle: Obstacle) -> bool {
        let mut others = self.clone();
        others.constraints.clear();
        others.mentions.clear();
        for (constraint, mentions) in self.constraints.iter().zip(&self.mentions) {
            if constraint.obstacle() != obstacle {
                others.constraints.push(constraint.clone());
                others.mentions.push(mentions.clone());
            }
        }
        let (values, blame) = (Assignment::default(), FxHashMap::default());
        let mut search = Search { problem: &others, values, tried: 0, budget: BUDGET_WITHOUT, blame };
        search.assign(&others.order(), &mut |_, candidates| candidates)
    }

    /// Given values first; last, what an equation defines: then its value is computed, not guessed.
    fn order(&self) -> Vec<usize> {
        let mut defined = Vec::new();
        for constraint in &self.constraints {
            let Constraint::Pred(e, _) = constraint else { continue };
            let ExprKind::Bin { op: BinOp::Eq, lhs, rhs } = &e.kind else { continue };
            for side in [lhs, rhs] {
                if let Some(key) = as_variable(side, &self.tensors)
                    && !defined.contains(&key)
                {
                    defined.push(key);
                    break;
                }
            }
        }
        let mut order: Vec<usize> = (0..self.variables.len()).collect();
        order.sort_by_key(|n| {
            let variable = &self.variables[*n];
            let stride = matches!(variable.key, Key::Stride(..));
            (variable.fixed.is_none(), stride, defined.contains(&variable.key))
        });
        order
    }

    /// The value of an expression; ⊥ where it hangs on a variable that has none yet.
    pub(crate) fn eval(&self, e: &Expr, values: &Assignment) -> Control {
        eval(e, &|key| values.get(&key).copied().unwrap_or(Control::Unknown), &self.tensors)
    }

    /// Whether a constraint holds; ⊥ where that is open.
    fn holds(&self, constraint: &Constraint, values: &Assignment) -> Control {
        match constraint {
            Constraint::Pred(e, _) => self.eval(e, values),
            Constraint::NotNegative(e, _) => match self.eval(e, values) {
                Control::Int(n) => Control::Bool(n >= 0),
                Control::Bool(_) | Control::Unknown => Control::Unknown,
            },
            Constraint::Extent(e, extent, _) => match self.eval(e, values) {
                Control::Int(n) => Control::Bool(n == *extent),
                Control::Bool(_) | Control::Unknown => Control::Unknown,
            },
            Constraint::Cells(shape, limit, _) => {
                let extents: Option<Vec<i64>> = shape.iter().map(|e| as_int(self.eval(e, values))).collect();
                match extents {
                    Some(extents) => Control::Bool(cell_count(&extents).is_some_and(|n| n <= *limit)),
                    None => Control::Unknown,
                }
            }
        }
    }
}

impl Constraint {
    fn obstacle(&self) -> Obstacle {
        match self {
            Constraint::Pred(_, number) => Obstacle::Assertion(*number),
            Constraint::NotNegative(_, x) => Obstacle::Negative(x.name()),
            Constraint::Extent(_, _, (x, d)) => Obstacle::Extent(x.name(), *d),
            Constraint::Cells(_, limit, x) => Obstacle::Cells(x.name(), *limit),
        }
    }

    fn exprs(&self) -> &[Expr] {
        match self {
            Constraint::Pred(e, _) | Constraint::NotNegative(e, _) | Constraint::Extent(e, ..) => {
                std::slice::from_ref(e)
            }
            Constraint::Cells(shape, ..) => shape,
        }
    }
}

/// Literals above this are not worth trying.
const LARGEST: i64 = 1 << 20;
/// Most values tried to see whether one constraint is to blame.
const BUDGET_WITHOUT: u64 = 2_000;

/// A search under way.
struct Search<'p> {
    problem: &'p Problem,
    values: Assignment,
    tried: u64,
    budget: u64,
    /// How often each obstacle has ruled out a candidate.
    blame: FxHashMap<Obstacle, u64>,
}

impl Search<'_> {
    /// Gives values to the variables at these places, in this order.
    fn assign(
        &mut self,
        order: &[usize],
        prefer: &mut dyn FnMut(&Variable, Vec<Control>) -> Vec<Control>,
    ) -> bool {
        let Some((first, rest)) = order.split_first() else { return self.consistent(None) };
        let variable = &self.problem.variables[*first];
        let candidates = match variable.fixed {
            Some(value) => vec![value],
            None => prefer(variable, self.candidates(variable)),
        };
        for value in candidates {
            if self.tried >= self.budget {
                break;
            }
            self.tried += 1;
            self.values.insert(variable.key, value);
            let fits = is_of_type(variable.typ, value) && self.consistent(Some(variable.key));
            if fits && deeper(|| self.assign(rest, prefer)) {
                return true;
            }
        }
        self.values.remove(&variable.key);
        false
    }

    /// Whether no constraint (of those that mention the variable) is false. With all values given, whether
    /// all are true.
    fn consistent(&mut self, about: Option<Key>) -> bool {
        for (constraint, mentions) in self.problem.constraints.iter().zip(&self.problem.mentions) {
            if about.is_some_and(|key| !mentions.contains(&key)) {
                continue;
            }
            let holds = self.problem.holds(constraint, &self.values);
            let fine = match about {
                Some(_) => holds != Control::Bool(false),
                None => holds == Control::Bool(true),
            };
            if !fine {
                *self.blame.entry(constraint.obstacle()).or_default() += 1;
                return false;
            }
        }
        true
    }

    /// Values worth trying, in ascending order of magnitude.
    fn candidates(&self, variable: &Variable) -> Vec<Control> {
        if variable.typ == ControlType::Bool {
            return vec![Control::Bool(false), Control::Bool(true)];
        }
        let least = match variable.typ {
            ControlType::Size | ControlType::Stride => 1,
            ControlType::Int | ControlType::Index | ControlType::Bool => -8,
        };
        let mut found: BTreeSet<i64> = (least..=24).collect();
        for n in self.problem.literals.iter().take(24) {
            found.extend((1..=4).filter_map(|k| n.checked_mul(k)));
            found.extend([n.saturating_sub(1), n.saturating_add(1)]);
        }
        let key = variable.key;
        for (constraint, mentions) in self.problem.constraints.iter().zip(&self.problem.mentions) {
            let alone =
                mentions.contains(&key) && mentions.iter().all(|k| *k == key || self.values.contains_key(k));
            if alone {
                self.solving(constraint, key, &mut found);
            }
        }
        let mut found: Vec<i64> = found.into_iter().filter(|n| *n >= least || least < 1).collect();
        found.sort_by_key(|n| (n.unsigned_abs(), *n < 0));
        found.into_iter().map(Control::Int).collect()
    }

    /// Values that would solve a constraint in which one variable is left: where its two sides would meet
    /// if they were linear, and combinations of its literals, for remainders.
    fn solving(&self, constraint: &Constraint, key: Key, found: &mut BTreeSet<i64>) {
        for e in constraint.exprs() {
            let literals: Vec<i64> = Survey::of_expr(e).literals.into_iter().collect();
            for a in &literals {
                for b in &literals {
                    let products = (1..=8).filter_map(|k| a.checked_mul(k));
                    found.extend(products.flat_map(|n| [n.saturating_sub(*b), n, n.saturating_add(*b)]));
                }
            }
            self.meeting_points(e, constraint, key, found);
        }
    }

    fn meeting_points(&self, e: &Expr, constraint: &Constraint, key: Key, found: &mut BTreeSet<i64>) {
        match (constraint, &e.kind) {
            (Constraint::Extent(_, extent, _), _) => self.meet(e, None, *extent, key, found),
            (Constraint::NotNegative(..) | Constraint::Cells(..), _) => self.meet(e, None, 0, key, found),
            (Constraint::Pred(..), ExprKind::Bin { op: _, lhs, rhs }) => {
                for side in [lhs, rhs] {
                    if let ExprKind::Bin { .. } = side.kind {
                        self.meeting_points(side, constraint, key, found);
                    }
                }
                self.meet(lhs, Some(rhs), 0, key, found);
            }
            (Constraint::Pred(..), _) => {}
        }
    }

    /// Where `lhs - rhs` (`lhs` alone, without a `rhs`) would be `target`, were it linear.
    fn meet(&self, lhs: &Expr, rhs: Option<&Expr>, target: i64, key: Key, found: &mut BTreeSet<i64>) {
        let mut values = self.values.clone();
        let mut at = |n: i64| {
            values.insert(key, Control::Int(n));
            let left = as_int(self.problem.eval(lhs, &values))?;
            let right = rhs.map_or(Some(0), |e| as_int(self.problem.eval(e, &values)))?;
            left.checked_sub(right)?.checked_sub(target)
        };
        let (Some(one), Some(two)) = (at(1), at(2)) else { return };
        let slope = two.saturating_sub(one);
        if slope == 0 {
            return;
        }
        if let Some(root) = one.checked_div(slope).and_then(|q| 1i64.checked_sub(q)) {
            found.extend((-2..=8).filter_map(|d| root.checked_add(d)));
        }
    }
}

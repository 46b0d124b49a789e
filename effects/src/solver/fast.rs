//! The first tier: search through the disjunctions of a formula in normal form, with linear arithmetic at
//! the leaves. Everything here may say that it does not know; "unsatisfiable" is always right, and a model
//! is only a candidate.

use super::cube::{self, Cube, Order, Values};
use super::linear::{GiveUp, Id, Res, Table};
use super::prop::{Atom, Prop};
use std::collections::BTreeMap;

/// How many conjunctions may be decided for one formula.
const MAX_CUBES: usize = 300;
/// How many of them may be looked at once more, with the variables in another order.
const MAX_AGAIN: usize = 12;

/// What is known about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// No values satisfy it.
    Unsatisfiable,
    /// These are believed to.
    Candidate {
        /// Of integer variables.
        ints: Values,
        /// Of boolean variables.
        bools: BTreeMap<Id, bool>,
    },
    /// Too hard for this tier.
    Open,
}

/// Searches for values that satisfy a formula without ∀.
pub(super) fn search(table: &Table, prop: &Prop) -> Answer {
    let mut search = Search { table, cubes: 0, again: 0 };
    search.branch(State { todo: vec![prop], ..State::default() }).unwrap_or(Answer::Open)
}

struct Search<'a> {
    table: &'a Table,
    cubes: usize,
    again: usize,
}

/// One branch: literals collected, disjunctions still to be chosen from.
#[derive(Clone, Default)]
struct State<'a> {
    todo: Vec<&'a Prop>,
    choices: Vec<&'a Vec<Prop>>,
    atoms: Vec<Atom>,
    bools: BTreeMap<Id, bool>,
    opened: Vec<Id>,
}

impl<'a> Search<'_> {
    fn branch(&mut self, mut state: State<'a>) -> Res<Answer> {
        if !collect(&mut state)? {
            return Ok(Answer::Unsatisfiable);
        }
        self.cubes += 1;
        if self.cubes > MAX_CUBES {
            return Err(GiveUp);
        }
        let cube = match self.decide(&state.atoms) {
            Ok(Cube::Contradiction) => return Ok(Answer::Unsatisfiable),
            Ok(found) => found,
            Err(GiveUp) if state.choices.is_empty() => return Ok(Answer::Open),
            Err(GiveUp) => Cube::Open,
        };
        let Some(at) = self.next_choice(&state, &cube) else {
            return Ok(match cube {
                Cube::Candidate(ints) if self.all_hold(&state.atoms, &ints) => {
                    Answer::Candidate { ints, bools: state.bools }
                }
                Cube::Candidate(_) | Cube::Contradiction | Cube::Open => Answer::Open,
            });
        };
        let choice = state.choices.remove(at);
        let mut result = Answer::Unsatisfiable;
        for p in choice {
            let mut next = state.clone();
            next.todo.push(p);
            match self.branch(next)? {
                Answer::Unsatisfiable => {}
                found @ Answer::Candidate { .. } => return Ok(found),
                Answer::Open => result = Answer::Open,
            }
        }
        Ok(result)
    }
}

impl Search<'_> {
    /// A conjunction. Where the cheapest order leaves a variable no integer, another one may not.
    fn decide(&mut self, atoms: &[Atom]) -> Res<Cube> {
        let found = cube::decide(self.table, atoms, Order::Cheapest)?;
        if found != Cube::Open || self.again == MAX_AGAIN {
            return Ok(found);
        }
        self.again += 1;
        Ok(cube::decide(self.table, atoms, Order::Exact).unwrap_or(Cube::Open))
    }

    /// The smallest disjunction that the values at hand do not satisfy already.
    fn next_choice(&self, state: &State<'_>, cube: &Cube) -> Option<usize> {
        let violated = |ps: &[Prop]| match cube {
            Cube::Candidate(ints) => !ps.iter().any(|p| self.satisfied(p, ints, &state.bools)),
            Cube::Contradiction | Cube::Open => true,
        };
        let open = state.choices.iter().enumerate().filter(|(_, ps)| violated(ps));
        open.min_by_key(|(_, ps)| ps.len()).map(|(i, _)| i)
    }

    fn all_hold(&self, atoms: &[Atom], ints: &Values) -> bool {
        atoms.iter().all(|a| self.satisfied(&Prop::Atom(a.clone()), ints, &BTreeMap::new()))
    }

    /// Whether a formula holds under these values; a truth value not chosen yet counts as neither.
    fn satisfied(&self, p: &Prop, ints: &Values, bools: &BTreeMap<Id, bool>) -> bool {
        match p {
            Prop::Atom(a) => self.table.value(a.lin(), ints).is_some_and(|v| match a {
                Atom::Le(_) => v <= 0,
                Atom::Eq(_) => v == 0,
                Atom::Ne(_) => v != 0,
            }),
            Prop::Bool(x, b) => bools.get(x) == Some(b),
            Prop::And(ps) => ps.iter().all(|q| self.satisfied(q, ints, bools)),
            Prop::Or(ps) => ps.iter().any(|q| self.satisfied(q, ints, bools)),
            Prop::Forall(..) | Prop::Exists(..) => false,
        }
    }
}

/// Takes conjunctions apart; false when two literals contradict.
fn collect(state: &mut State<'_>) -> Res<bool> {
    while let Some(p) = state.todo.pop() {
        match p {
            Prop::Atom(a) => state.atoms.push(a.clone()),
            Prop::Bool(x, b) => {
                if *state.bools.entry(*x).or_insert(*b) != *b {
                    return Ok(false);
                }
            }
            Prop::And(ps) => state.todo.extend(ps.iter().rev()),
            Prop::Or(ps) if ps.is_empty() => return Ok(false),
            Prop::Or(ps) => state.choices.push(ps),
            // A witness is a variable like any other, once: a second use of its number in the same
            // branch would wrongly be the same witness.
            Prop::Exists(x, _) if state.opened.contains(x) => return Err(GiveUp),
            Prop::Exists(x, q) => {
                state.opened.push(*x);
                state.todo.push(q);
            }
            Prop::Forall(..) => return Err(GiveUp),
        }
    }
    Ok(true)
}

//! Conjunctions of linear atoms over integers: the fast tier's decision procedure.
//!
//! Equations are solved over the integers, inequalities are eliminated after Fourier and Motzkin with their
//! constants rounded to integers. A contradiction found this way is one; where none is found, the
//! eliminations are walked back to build a model near zero, and when that fails nothing is claimed.

use super::linear::{GiveUp, Id, Lin, Res, Table};
use super::prop::{Atom, Literal, ceil_div, eq, le};
use rustc_hash::FxHashMap;

/// How many inequalities may be alive at once.
const MAX_INEQUALITIES: usize = 160;
/// How many `!=` are split into `<` and `>`.
const MAX_SPLITS: usize = 24;

/// How many values are tried while a model is built.
const MAX_TRIES: usize = 400;

/// Integer values by variable. Absent means any value will do.
pub(super) type Values = FxHashMap<Id, i128>;

/// What is known about a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cube {
    /// No integers satisfy it.
    Contradiction,
    /// These do, unless a mistake was made: callers check.
    Candidate(Values),
    /// Neither was found.
    Open,
}

/// Decides a conjunction, with the variables in this order.
pub(super) fn decide(table: &Table, atoms: &[Atom], order: Order) -> Res<Cube> {
    let mut system = System::default();
    for a in atoms {
        if !system.add(a.with(a.lin().clone())?)? {
            return Ok(Cube::Contradiction);
        }
    }
    if !system.add_quotients(table)? {
        return Ok(Cube::Contradiction);
    }
    system.decide(&mut table.clone(), &mut 0, order)
}

/// A conjunction, taken apart, and what was done to it.
#[derive(Clone, Debug, Default)]
struct System {
    equations: Vec<Lin>,
    inequations: Vec<Lin>,
    /// `lin + constant <= 0`, by `lin`: only the greatest constant counts.
    inequalities: FxHashMap<Vec<(Id, i128)>, i128>,
    /// The keys of `inequalities` in order of arrival, so that nothing depends on hashing.
    order: Vec<Vec<(Id, i128)>>,
    done: Vec<Step>,
}

/// Which variables are removed first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    /// Those whose removal leaves the fewest inequalities.
    Cheapest,
    /// Those whose coefficients are 1 or -1: with them no integers are lost. Of these, and of the others, the cheapest.
    Exact,
}

/// How to find a removed variable's value from those of the others.
#[derive(Clone, Debug)]
enum Step {
    /// It is this.
    Is(Id, Lin),
    /// It lies between: `a*x >= l` and `b*x <= u`.
    Between(Id, Vec<(i128, Lin)>, Vec<(i128, Lin)>),
}

impl System {
    /// Adds a literal; false when it contradicts at once.
    fn add(&mut self, literal: Literal) -> Res<bool> {
        match literal {
            Literal::Atom(Atom::Eq(l)) => self.equations.push(l),
            Literal::Atom(Atom::Ne(l)) => self.inequations.push(l),
            Literal::Atom(Atom::Le(l)) => return self.add_le(l),
            Literal::Truth(b) => return Ok(b),
        }
        Ok(true)
    }

    /// Adds `l <= 0`; false when the opposite bound contradicts.
    fn add_le(&mut self, l: Lin) -> Res<bool> {
        let opposite: Vec<(Id, i128)> = l.terms.iter().map(|(x, c)| (*x, -c)).collect();
        if let Some(o) = self.inequalities.get(&opposite) {
            match l.constant.checked_add(*o).ok_or(GiveUp)? {
                1.. => return Ok(false),
                0 => {
                    // t + c <= 0 and -t - c <= 0
                    self.forget(&opposite);
                    return self.add(eq(l, true)?);
                }
                _ => {}
            }
        }
        match self.inequalities.get_mut(&l.terms) {
            Some(c) => *c = (*c).max(l.constant),
            None => {
                self.order.push(l.terms.clone());
                self.inequalities.insert(l.terms, l.constant);
                if self.order.len() > MAX_INEQUALITIES {
                    return Err(GiveUp);
                }
            }
        }
        Ok(true)
    }

    fn forget(&mut self, terms: &Vec<(Id, i128)>) {
        self.inequalities.remove(terms);
        self.order.retain(|t| t != terms);
    }

    fn lins(&self) -> impl Iterator<Item = Lin> + '_ {
        let le = self
            .order
            .iter()
            .filter_map(|t| Some(Lin { terms: t.clone(), constant: *self.inequalities.get(t)? }));
        self.equations.iter().cloned().chain(self.inequations.iter().cloned()).chain(le)
    }

    /// Adds what holds of each quotient that occurs.
    fn add_quotients(&mut self, table: &Table) -> Res<bool> {
        let mut seen: Vec<Id> = Vec::new();
        let mut todo: Vec<Id> = self.lins().flat_map(|l| l.terms).map(|(x, _)| x).collect();
        while let Some(x) = todo.pop() {
            if seen.contains(&x) {
                continue;
            }
            seen.push(x);
            for bound in table.quotient_bounds(x)?.into_iter().flatten() {
                todo.extend(bound.terms.iter().map(|(y, _)| *y));
                if !self.add(le(bound)?)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn decide(mut self, table: &mut Table, splits: &mut usize, order: Order) -> Res<Cube> {
        if !self.solve_equations(table)? {
            return Ok(Cube::Contradiction);
        }
        let mut plain = self.clone();
        plain.inequations.clear();
        let found = plain.eliminate(table, splits, order)?;
        if found == Cube::Contradiction || self.inequations.is_empty() {
            return Ok(found);
        }
        if let Cube::Candidate(values) = &found
            && self.inequations.iter().all(|l| value(l, values).is_some_and(|v| v != 0))
        {
            return Ok(found);
        }
        self.split(table, splits, order)
    }

    /// Both sides of the first `!=`.
    fn split(mut self, table: &mut Table, splits: &mut usize, order: Order) -> Res<Cube> {
        *splits += 1;
        if *splits > MAX_SPLITS {
            return Err(GiveUp);
        }
        let lin = self.inequations.swap_remove(0);
        let mut result = Cube::Contradiction;
        for side in [lin.clone().shifted(1)?, lin.scaled(-1)?.shifted(1)?] {
            let mut half = self.clone();
            if !half.add(le(side)?)? {
                continue;
            }
            match half.decide(table, splits, order)? {
                Cube::Contradiction => {}
                Cube::Candidate(values) => return Ok(Cube::Candidate(values)),
                Cube::Open => result = Cube::Open,
            }
        }
        Ok(result)
    }

    /// Uses up all equations; false when they contradict.
    fn solve_equations(&mut self, table: &mut Table) -> Res<bool> {
        let mut rounds = 0;
        while let Some(lin) = self.equations.pop() {
            rounds += 1;
            if rounds > 200 {
                return Err(GiveUp);
            }
            let mut unknowns = lin.terms.clone();
            unknowns.sort_by_key(|(x, c)| (c.abs(), *x));
            let Some(&(x, a)) = unknowns.first() else { return Ok(lin.constant == 0) };
            let by = match unknowns.get(1) {
                Some(&(y, b)) if a.abs() != 1 => {
                    // A step of Euclid's algorithm; the equation stays, with a smaller coefficient.
                    self.equations.push(lin);
                    Lin::var(table.fresh()?).plus(-(b / a), &Lin::var(y))?
                }
                _ => {
                    // The content is 1: a single unknown has coefficient 1 or -1.
                    lin.without(x).scaled(-a.signum())?
                }
            };
            if !self.substitute(x, &by)? {
                return Ok(false);
            }
            self.done.push(Step::Is(x, by));
        }
        Ok(true)
    }

    fn substitute(&mut self, x: Id, by: &Lin) -> Res<bool> {
        let (equations, inequations) =
            (std::mem::take(&mut self.equations), std::mem::take(&mut self.inequations));
        let touched: Vec<_> = self.order.iter().filter(|t| t.iter().any(|(y, _)| *y == x)).cloned().collect();
        let mut again = Vec::new();
        for terms in touched {
            if let Some(constant) = self.inequalities.get(&terms).copied() {
                self.forget(&terms);
                again.push(Lin { terms, constant });
            }
        }
        for l in equations {
            if !self.add(eq(l.replaced(x, by)?, true)?)? {
                return Ok(false);
            }
        }
        for l in inequations {
            if !self.add(eq(l.replaced(x, by)?, false)?)? {
                return Ok(false);
            }
        }
        for l in again {
            if !self.add(le(l.replaced(x, by)?)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes the variables of the inequalities one by one.
    fn eliminate(mut self, table: &mut Table, splits: &mut usize, order: Order) -> Res<Cube> {
        while let Some(x) = self.next(order) {
            let (mut lower, mut upper) = (Vec::new(), Vec::new());
            for terms in std::mem::take(&mut self.order) {
                let Some(constant) = self.inequalities.get(&terms).copied() else { continue };
                let l = Lin { terms, constant };
                match l.coefficient(x) {
                    0 => {
                        self.order.push(l.terms);
                        continue;
                    }
                    c if c < 0 => lower.push((c.abs(), l.without(x))),
                    c => upper.push((c, l.without(x).scaled(-1)?)),
                }
                self.inequalities.remove(&l.terms);
            }
            for (a, l) in &lower {
                for (b, u) in &upper {
                    // l <= a*x and b*x <= u
                    if !self.add(le(l.scaled(*b)?.plus(-*a, u)?)?)? {
                        return Ok(Cube::Contradiction);
                    }
                }
            }
            self.done.push(Step::Between(x, lower, upper));
            if !self.equations.is_empty() {
                return self.decide(table, splits, order);
            }
        }
        Ok(self.model().map_or(Cube::Open, Cube::Candidate))
    }

    /// The variable to remove next.
    fn next(&self, order: Order) -> Option<Id> {
        let mut counts: std::collections::BTreeMap<Id, (usize, usize, bool)> = Default::default();
        for (x, c) in self.order.iter().flatten() {
            let entry = counts.entry(*x).or_insert((0, 0, true));
            if *c < 0 {
                entry.0 += 1
            } else {
                entry.1 += 1
            }
            entry.2 &= c.abs() == 1;
        }
        let price = |(lower, upper, exact): &(usize, usize, bool)| match order {
            Order::Cheapest => (0, lower * upper, !exact),
            Order::Exact => (usize::from(!exact), lower * upper, false),
        };
        counts.iter().min_by_key(|(x, n)| (price(n), **x)).map(|(x, _)| *x)
    }

    /// Values for all removed variables, each as near to zero as its bounds allow. Bounds that were combined
    /// over the rationals may leave a later variable no integer: then the next values are tried.
    fn model(&self) -> Option<Values> {
        let steps: Vec<&Step> = self.done.iter().rev().collect();
        let mut tries = 0;
        walk_back(&steps, Values::default(), &mut tries)
    }
}

fn walk_back(steps: &[&Step], mut values: Values, tries: &mut usize) -> Option<Values> {
    let Some((step, rest)) = steps.split_first() else { return Some(values) };
    match step {
        Step::Is(x, by) => {
            let v = value(by, &values)?;
            // Variables that no bound mentions may be zero.
            for (y, _) in &by.terms {
                values.entry(*y).or_insert(0);
            }
            values.insert(*x, v);
            walk_back(rest, values, tries)
        }
        Step::Between(x, lower, upper) => {
            let (least, most) = range(lower, upper, &values)?;
            for v in candidates(least, most) {
                *tries += 1;
                if *tries > MAX_TRIES {
                    return None;
                }
                let mut next = values.clone();
                next.insert(*x, v);
                if let Some(found) = walk_back(rest, next, tries) {
                    return Some(found);
                }
            }
            None
        }
    }
}

type Bounds = [(i128, Lin)];

/// The least and the greatest value that `a*x >= l` and `b*x <= u` leave.
fn range(lower: &Bounds, upper: &Bounds, values: &Values) -> Option<(Option<i128>, Option<i128>)> {
    let (mut least, mut most) = (None::<i128>, None::<i128>);
    for (a, l) in lower {
        let bound = ceil_div(value(l, values)?, *a).ok()?;
        least = Some(least.map_or(bound, |m| m.max(bound)));
    }
    for (b, u) in upper {
        let bound = value(u, values)?.div_euclid(*b);
        most = Some(most.map_or(bound, |m| m.min(bound)));
    }
    Some((least, most))
}

/// A few values between these bounds, those near zero first.
fn candidates(least: Option<i128>, most: Option<i128>) -> Vec<i128> {
    let start = least.map_or(0, |l| l.max(0));
    let start = most.map_or(start, |m| start.min(m));
    let inside = |v: &i128| least.is_none_or(|l| l <= *v) && most.is_none_or(|m| *v <= m);
    let around = (0..12_i128).flat_map(|d| [start.checked_add(d), start.checked_sub(d)]).flatten();
    let mut out: Vec<i128> = around.filter(inside).collect();
    out.dedup();
    out
}

/// The value of a term, absent variables being zero.
pub(super) fn value(lin: &Lin, values: &Values) -> Option<i128> {
    lin.terms.iter().try_fold(lin.constant, |sum, (x, c)| {
        let v = values.get(x).copied().unwrap_or(0);
        c.checked_mul(v).and_then(|p| sum.checked_add(p))
    })
}

//! How one demand is proved: end by end, first from the facts that bear on it, then from all.
//! Spec: [rule: halide.verify.share].

use super::{Proof, Prover, Verification};
use crate::expr::Var;
use crate::text::print;
use std::collections::BTreeSet;
use std::time::Instant;
use z3::ast::Bool;
use z3::{Params, SatResult, Solver};

/// An assumption.
pub(super) struct Fact {
    says: Bool,
    /// The variable of which it says what it is.
    defines: Option<Var>,
    /// What it says that in terms of.
    vars: BTreeSet<Var>,
}

/// A part of a demand.
pub(super) struct Part {
    /// What must hold.
    pub(super) says: Bool,
    /// What it speaks of.
    pub(super) vars: BTreeSet<Var>,
}

/// How many times more steps the last try has.
const MORE: u32 = 10;

/// A solver that gives up after so many steps.
pub(super) fn solver(steps: u32) -> Solver {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", steps);
    params.set_u32("random_seed", 0);
    solver.set_params(&params);
    solver
}

impl Prover<'_> {
    /// Assumes something to the end of the scope.
    pub(super) fn assume(&mut self, says: &Bool, defines: Option<Var>, vars: BTreeSet<Var>) {
        self.solver.assert(says);
        self.facts.push(Fact { says: says.clone(), defines, vars });
    }

    /// Proves all parts of a demand.
    pub(super) fn goal(&mut self, parts: &[Part], demand: impl Fn() -> String) -> Proof {
        self.proved += 1;
        for part in parts {
            // The same is asked for values and for memory, and again by each access.
            if !self.shown.contains(&part.says) {
                self.part(part, &demand)?;
                self.shown.push(part.says.clone());
            }
        }
        Ok(())
    }

    /// Proves one part: from what bears on it, from all facts, and last from what bears on it with many steps. What refutes
    /// it must meet all facts.
    fn part(&mut self, part: &Part, demand: &impl Fn() -> String) -> Proof {
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(Verification::Unknown(demand()));
        }
        let near = self.near(part);
        let asked = (near.iter().copied().cloned().collect(), part.says.clone());
        if self.known.contains(&asked) {
            return Ok(());
        }
        if !self.follows(&near, part, self.steps) {
            if let Some(decided) = self.by_all(part, self.steps, demand) {
                return decided;
            }
            if !self.follows(&near, part, self.steps.saturating_mul(MORE)) {
                return Err(Verification::Unknown(demand()));
            }
        }
        self.known.insert(asked);
        Ok(())
    }

    /// Whether a part follows from all facts, if z3 knows in so many steps.
    fn by_all(&self, part: &Part, steps: u32, demand: &impl Fn() -> String) -> Option<Proof> {
        self.limit(&self.solver, steps);
        self.solver.push();
        self.solver.assert(part.says.not());
        let answer = self.solver.check();
        let model = if answer == SatResult::Sat { self.model() } else { Vec::new() };
        self.solver.pop(1);
        match answer {
            SatResult::Unsat => Some(Ok(())),
            SatResult::Sat => Some(Err(Verification::Refuted { demand: demand(), model })),
            SatResult::Unknown => None,
        }
    }

    /// What bears on a part: what defines its variables, and theirs, and conditions on them. What follows from some of
    /// the facts follows from all.
    fn near(&self, part: &Part) -> Vec<&Bool> {
        let mut about = part.vars.clone();
        let mut near = Vec::new();
        // A definition stands after those of what it is made of.
        for fact in self.facts.iter().rev() {
            let bears = match fact.defines {
                Some(v) => about.contains(&v),
                None => fact.vars.is_empty() || !fact.vars.is_disjoint(&about),
            };
            if bears {
                about.extend(&fact.vars);
                near.push(&fact.says);
            }
        }
        near.reverse();
        near
    }

    /// Whether a part follows from these facts, if z3 knows in so many steps. Outside of any scope it uses its tactics.
    fn follows(&self, facts: &[&Bool], part: &Part, steps: u32) -> bool {
        let solver = solver(steps);
        self.limit(&solver, steps);
        facts.iter().for_each(|f| solver.assert(*f));
        solver.assert(part.says.not());
        solver.check() == SatResult::Unsat
    }

    /// Gives a solver so many steps, and no more than what is left of the time.
    fn limit(&self, solver: &Solver, steps: u32) {
        let mut params = Params::new();
        params.set_u32("rlimit", steps);
        if let Some(end) = self.deadline {
            let left = end.saturating_duration_since(Instant::now()).as_millis();
            // 0 would mean as long as it takes.
            params.set_u32("timeout", u32::try_from(left).unwrap_or(u32::MAX).max(1));
        }
        solver.set_params(&params);
    }

    fn model(&self) -> Vec<(String, i64)> {
        let Some(model) = self.solver.get_model() else { return Vec::new() };
        let value = |x: &z3::ast::Int| model.eval(x, true).and_then(|v| v.as_i64());
        self.vars.iter().filter_map(|(v, x)| Some((print::var(*v), value(x)?))).collect()
    }
}

//! How one demand is proved: end by end, first from the facts that bear on it, then from all.
//! Spec: [rule: halide.verify.share].

use super::{Proof, Prover, Verification};
use crate::expr::{Expr, Var};
use crate::op::Op;
use crate::text::print;
use std::collections::BTreeSet;
use std::time::Instant;
use z3::ast::{Bool, Int};
use z3::{Params, SatResult, Solver};

/// An assumption.
pub(super) struct Fact {
    says: Bool,
    /// The variable of which it says what it is.
    defines: Option<Var>,
    /// What it says that in terms of.
    vars: BTreeSet<Var>,
    /// What follows from it without cases: of a minimum that it is at most each of its operands.
    loose: Option<Bool>,
}

/// A part of a demand.
pub(super) struct Part {
    /// What must hold.
    pub(super) says: Bool,
    /// What it speaks of.
    pub(super) vars: BTreeSet<Var>,
}

/// How many times more steps the last try has than the one from all facts.
const MORE: u32 = 10;

/// How many times more those have for what bears on a part: all facts rarely show what these do not.
const NEAR: u32 = 4;

/// How many times fewer the first try has.
pub(super) const LESS: u32 = 3;

/// The operands of a minimum or a maximum, with what is added to it.
fn operands(e: &Expr, op: Op) -> Vec<Expr> {
    match e {
        Expr::Op(o, args) if *o == op => args.iter().flat_map(|a| operands(a, op)).collect(),
        Expr::Op(o @ (Op::Add | Op::Sub), args) => match &**args {
            [a, b] => operands(a, op).into_iter().map(|a| Expr::binary(*o, a, b.clone())).collect(),
            _ => vec![e.clone()],
        },
        Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => vec![e.clone()],
    }
}

/// A solver that gives up after so many steps.
pub(super) fn solver(steps: u32) -> Solver {
    let solver = Solver::new();
    let mut params = limited(steps);
    params.set_u32("random_seed", 0);
    solver.set_params(&params);
    solver
}

/// So many steps, without cuts by Hermite's normal form: with many minima and quotients they cost more than they cut off.
fn limited(steps: u32) -> Params {
    let mut params = Params::new();
    params.set_u32("rlimit", steps);
    // An interrupt from the keyboard is the process's.
    params.set_bool("ctrl_c", false);
    params.set_bool("smt.arith.enable_hnf", false);
    params
}

impl Prover<'_> {
    /// Assumes something to the end of the scope.
    pub(super) fn assume(&mut self, says: &Bool, defines: Option<Var>, vars: BTreeSet<Var>) {
        self.facts.push(Fact { says: says.clone(), defines, vars, loose: None });
    }

    /// Assumes that a variable has a value.
    pub(super) fn define(&mut self, var: Var, x: &Int, is: &Int, value: &Expr) {
        let mut ends = Vec::new();
        for op in [Op::Max, Op::Min] {
            let parts = operands(value, op);
            if parts.len() > 1 {
                let parts = parts.iter().map(|part| self.int(part));
                ends.extend(parts.map(|part| if op == Op::Min { x.le(part) } else { x.ge(part) }));
            }
        }
        self.assume(&x.eq(is), Some(var), value.vars());
        if let Some(fact) = self.facts.last_mut().filter(|_| !ends.is_empty()) {
            fact.loose = Some(Bool::and(&ends));
        }
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

    /// Proves one part: from what bears on it, first without the cases of the ends that it is about, from all facts, and last
    /// from what bears on it with many steps. What refutes it must meet all facts.
    fn part(&mut self, part: &Part, demand: &impl Fn() -> String) -> Proof {
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(Verification::Unknown(demand()));
        }
        let near = self.near(part, false);
        let asked = (near.iter().copied().cloned().collect(), part.says.clone());
        if self.known.contains(&asked) {
            return Ok(());
        }
        let loose = self.near(part, true);
        let is_quick = self.follows_soon(&loose, part);
        let steps = |times: u32| self.steps.saturating_mul(times);
        if !is_quick && !self.follows(&near, part, steps(NEAR)) {
            if let Some(decided) = self.by_all(part, demand) {
                return decided;
            }
            if !self.follows(&near, part, steps(MORE)) {
                return Err(Verification::Unknown(demand()));
            }
        }
        self.known.insert(asked);
        Ok(())
    }

    /// Whether a part follows from all facts, if z3 knows.
    fn by_all(&self, part: &Part, demand: &impl Fn() -> String) -> Option<Proof> {
        self.with_all(&[part.says.not()], |solver, answer| match answer {
            SatResult::Unsat => Some(Ok(())),
            SatResult::Sat => {
                Some(Err(Verification::Refuted { demand: demand(), model: self.model(solver) }))
            }
            SatResult::Unknown => None,
        })
    }

    /// What z3's core says of all facts and these.
    pub(super) fn with_all<T>(&self, more: &[Bool], then: impl FnOnce(&Solver, SatResult) -> T) -> T {
        let facts: Vec<&Bool> = self.facts.iter().map(|f| &f.says).chain(more).collect();
        self.core(&self.whole, self.steps, &facts, then)
    }

    /// What z3's core says of some facts: inside of a scope it leaves its tactics out. It is quick where there is little to do,
    /// and one serves for all that is asked, where tactics are made anew for each question.
    fn core<T>(
        &self,
        solver: &Solver,
        steps: u32,
        facts: &[&Bool],
        then: impl FnOnce(&Solver, SatResult) -> T,
    ) -> T {
        if self.deadline.is_some() {
            self.limit(solver, steps);
        }
        solver.push();
        facts.iter().for_each(|f| solver.assert(*f));
        let out = then(solver, solver.check());
        solver.pop(1);
        out
    }

    /// What bears on a part: what defines its variables, and theirs, and conditions on them; with `loose`, of what it speaks of
    /// itself what needs no cases. What follows from some of the facts, or from what follows from them, follows from all.
    fn near(&self, part: &Part, loose: bool) -> Vec<&Bool> {
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
                let own = fact.defines.is_some_and(|v| part.vars.contains(&v));
                near.push(fact.loose.as_ref().filter(|_| loose && own).unwrap_or(&fact.says));
            }
        }
        near.reverse();
        near
    }

    /// Whether a part follows from these facts, if z3's core knows in a few steps.
    fn follows_soon(&self, facts: &[&Bool], part: &Part) -> bool {
        let not = part.says.not();
        let facts: Vec<&Bool> = facts.iter().copied().chain([&not]).collect();
        self.core(&self.quick, self.steps / LESS, &facts, |_, answer| answer == SatResult::Unsat)
    }

    /// Whether a part follows from these facts, if z3 knows in so many steps.
    fn follows(&self, facts: &[&Bool], part: &Part, steps: u32) -> bool {
        let solver = solver(steps);
        if self.deadline.is_some() {
            self.limit(&solver, steps);
        }
        facts.iter().for_each(|f| solver.assert(*f));
        solver.assert(part.says.not());
        solver.check() == SatResult::Unsat
    }

    /// Gives a solver so many steps, and no more than what is left of the time.
    fn limit(&self, solver: &Solver, steps: u32) {
        let mut params = limited(steps);
        if let Some(end) = self.deadline {
            let left = end.saturating_duration_since(Instant::now()).as_millis();
            // 0 would mean as long as it takes.
            params.set_u32("timeout", u32::try_from(left).unwrap_or(u32::MAX).max(1));
        }
        solver.set_params(&params);
    }

    fn model(&self, solver: &Solver) -> Vec<(String, i64)> {
        let Some(model) = solver.get_model() else { return Vec::new() };
        let value = |x: &z3::ast::Int| model.eval(x, true).and_then(|v| v.as_i64());
        self.vars.iter().filter_map(|(v, x)| Some((print::var(*v), value(x)?))).collect()
    }
}

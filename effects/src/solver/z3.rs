//! The second and third tier: z3. Each query runs in a context of its own, so that no answer depends on
//! what was asked before. Work is limited by z3's own count of steps. Time and memory stop what z3 does without counting;
//! both are a last resort. Spec: [rule: solving].

use super::patience::patiently;
use crate::effexpr::{CmpOp, EffExpr, Node, Sort, Var};
use crate::obligation::ModelValue;
use rustc_hash::FxHashMap;
use std::sync::Once;
use z3::ast::{Bool, Int, exists_const, forall_const};
use z3::{Config, Params, SatResult, set_global_param, with_z3_config};

/// What z3 says about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// No values satisfy it.
    Unsatisfiable,
    /// These do.
    Satisfiable(Vec<(Var, ModelValue)>),
    /// It gave up, for this reason.
    Unknown(String),
}

/// How many different terms a question may have: what z3 does before it counts steps takes time, too.
const MAX_TERMS: usize = 20_000;

/// Milliseconds after which a question with quantifiers is given up: its steps take seconds.
const WATCHDOG: u32 = 600_000;

/// Megabytes of z3 in this process at which it gives up the question at hand.
const MEMORY_TO_STOP_AT: &str = "2000";

/// Megabytes that z3 never exceeds in this process.
const MOST_MEMORY: &str = "4000";

/// Boxes in which a small counterexample is looked for first.
const BOXES: [i64; 3] = [4, 16, 64];

/// How many questions a formula may be taken apart into.
const QUESTIONS: u32 = 100;

/// What users are told where the budget was spent.
const OUT_OF_STEPS: &str = "the solver's step limit was reached";

/// Asks whether a classical formula is satisfiable, spending at most `limit` steps per question. One without quantifiers that takes
/// more is asked case by case.
pub(super) fn satisfiable(formula: &EffExpr, limit: u32) -> Outcome {
    bound_memory();
    let mut left = QUESTIONS;
    in_cases(formula, limit, &mut left)
}

/// The same, with so many questions left.
fn in_cases(formula: &EffExpr, limit: u32, left: &mut u32) -> Outcome {
    if *left == 0 {
        return Outcome::Unknown(OUT_OF_STEPS.to_owned());
    }
    *left -= 1;
    let found =
        patiently(|| ask(formula, limit)).unwrap_or_else(|| Outcome::Unknown("it was given up".to_owned()));
    let spent = found == Outcome::Unknown(OUT_OF_STEPS.to_owned());
    // Steps with quantifiers take long: what is hopeless is to be known soon.
    let all = if spent && !formula.is_quantified() { cases(formula) } else { Vec::new() };
    if all.is_empty() {
        return found;
    }
    for case in all {
        match in_cases(&case, limit, left) {
            Outcome::Unsatisfiable => {}
            other @ (Outcome::Satisfiable(_) | Outcome::Unknown(_)) => return other,
        }
    }
    Outcome::Unsatisfiable
}

/// A conjunction for each case of the disjunction in it that has the most; none where there is no disjunction.
fn cases(formula: &EffExpr) -> Vec<EffExpr> {
    let Node::And(parts) = formula.node() else { return Vec::new() };
    let disjunctions = parts.iter().enumerate().filter_map(|(at, part)| {
        let Node::Or(cases) = part.node() else { return None };
        Some((at, cases))
    });
    let Some((at, all)) = disjunctions.max_by_key(|(_, cases)| cases.len()) else { return Vec::new() };
    let others = |case: &EffExpr| {
        let with = |(i, part): (usize, &EffExpr)| if i == at { case.clone() } else { part.clone() };
        parts.iter().enumerate().map(with).collect::<Vec<_>>()
    };
    all.iter().map(|case| EffExpr::and(others(case))).collect()
}

/// Bounds what z3 takes in this process.
fn bound_memory() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        set_global_param("memory_high_watermark_mb", MEMORY_TO_STOP_AT);
        set_global_param("memory_max_size", MOST_MEMORY);
    });
}

/// An interrupt from the keyboard is the process's: z3 would take it for an end of its search alone, and no one else would hear of it.
fn leave_interrupts(params: &mut Params) {
    params.set_bool("ctrl_c", false);
}

fn ask(formula: &EffExpr, limit: u32) -> Outcome {
    let mut translation = Translation::default();
    let Some(query) = translation.boolean(formula) else {
        let large = translation.terms() > MAX_TERMS;
        let why = if large { "the formula is too large" } else { "the formula is not a classical one" };
        return Outcome::Unknown(why.to_owned());
    };
    let solver = z3::Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", limit);
    params.set_u32("random_seed", 0);
    leave_interrupts(&mut params);
    if formula.is_quantified() {
        // Instances of quantifiers make very many terms, and z3 looks for equalities between them without counting
        // steps.
        params.set_bool("smt.arith.propagate_eqs", false);
        params.set_u32("timeout", WATCHDOG);
    }
    solver.set_params(&params);
    solver.assert(&query);
    match solver.check() {
        SatResult::Unsat => Outcome::Unsatisfiable,
        SatResult::Unknown => Outcome::Unknown(reason(&solver)),
        SatResult::Sat => {
            let free: Vec<(Var, Sort)> = formula.free_vars_sorted().into_iter().collect();
            small_model(&solver, &translation, &free)
        }
    }
}

fn reason(solver: &z3::Solver) -> String {
    let why = solver.get_reason_unknown().unwrap_or_default();
    // z3 names its budget in several ways; users need to know only that it was spent.
    if why.contains("resource") || why.contains("canceled") || why.contains("max.") {
        OUT_OF_STEPS.to_owned()
    } else {
        format!("the solver gave up: {why}")
    }
}

/// A model with numbers as small as the boxes allow: people have to read it, and to run it.
fn small_model(solver: &z3::Solver, translation: &Translation, free: &[(Var, Sort)]) -> Outcome {
    let mut best = read_model(solver, translation, free);
    for size in BOXES {
        solver.push();
        for (v, sort) in free {
            if let (Sort::Int, Some(name)) = (sort, translation.names.get(v)) {
                let x = Int::new_const(name.as_str());
                solver.assert(x.ge(Int::from_i64(-size)));
                solver.assert(x.le(Int::from_i64(size)));
            }
        }
        let found = solver.check() == SatResult::Sat;
        if found {
            best = read_model(solver, translation, free);
        }
        solver.pop(1);
        if found {
            break;
        }
    }
    best.map_or_else(
        || Outcome::Unknown("the solver's counterexample is too large".to_owned()),
        Outcome::Satisfiable,
    )
}

fn read_model(
    solver: &z3::Solver,
    translation: &Translation,
    free: &[(Var, Sort)],
) -> Option<Vec<(Var, ModelValue)>> {
    let model = solver.get_model()?;
    let mut out = Vec::new();
    for (v, sort) in free {
        let name = translation.names.get(v)?.as_str();
        let value = match sort {
            Sort::Int => ModelValue::Int(model.eval(&Int::new_const(name), true)?.as_i64()?),
            Sort::Bool => ModelValue::Bool(model.eval(&Bool::new_const(name), true)?.as_bool()?),
        };
        out.push((*v, value));
    }
    Some(out)
}

/// From classical effect expressions to z3's terms. Variables are named by number, in the order in which
/// they are met: z3's choices may depend on names, and must not depend on the program's.
#[derive(Default)]
struct Translation {
    names: FxHashMap<Var, String>,
    bools: FxHashMap<usize, Bool>,
    ints: FxHashMap<usize, Int>,
}

impl Translation {
    fn name(&mut self, v: Var) -> String {
        let next = self.names.len();
        self.names.entry(v).or_insert_with(|| format!("v{next}")).clone()
    }

    fn terms(&self) -> usize {
        self.bools.len() + self.ints.len()
    }

    fn boolean(&mut self, ee: &EffExpr) -> Option<Bool> {
        if let Some(done) = self.bools.get(&ee.address()) {
            return Some(done.clone());
        }
        if self.terms() > MAX_TERMS {
            return None;
        }
        let out = self.boolean_form(ee)?;
        self.bools.insert(ee.address(), out.clone());
        Some(out)
    }

    fn boolean_form(&mut self, ee: &EffExpr) -> Option<Bool> {
        Some(match ee.node() {
            Node::Var(v, Sort::Bool) => Bool::new_const(self.name(*v)),
            Node::Bool(b) => Bool::from_bool(*b),
            Node::Cmp(op, a, b) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                match op {
                    CmpOp::Eq => a.eq(&b),
                    CmpOp::Lt => a.lt(&b),
                    CmpOp::Le => a.le(&b),
                }
            }
            Node::Iff(a, b) => self.boolean(a)?.iff(&self.boolean(b)?),
            Node::Not(a) => self.boolean(a)?.not(),
            Node::And(es) => Bool::and(&self.booleans(es)?),
            Node::Or(es) => Bool::or(&self.booleans(es)?),
            Node::If(c, a, b) => {
                let (c, a, b) = (self.boolean(c)?, self.boolean(a)?, self.boolean(b)?);
                c.ite(&a, &b)
            }
            Node::Forall(x, a) => {
                let x = Int::new_const(self.name(Var::Local(*x)));
                forall_const(&[&x], &[], &self.boolean(a)?)
            }
            Node::Exists(x, a) => {
                let x = Int::new_const(self.name(Var::Local(*x)));
                exists_const(&[&x], &[], &self.boolean(a)?)
            }
            Node::Var(_, Sort::Int)
            | Node::Int(_)
            | Node::Unknown(_)
            | Node::Neg(_)
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Scale(..)
            | Node::Div(..)
            | Node::Mod(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => return None,
        })
    }

    fn booleans(&mut self, es: &[EffExpr]) -> Option<Vec<Bool>> {
        es.iter().map(|e| self.boolean(e)).collect()
    }

    fn integer(&mut self, ee: &EffExpr) -> Option<Int> {
        if let Some(done) = self.ints.get(&ee.address()) {
            return Some(done.clone());
        }
        let out = self.integer_form(ee)?;
        self.ints.insert(ee.address(), out.clone());
        Some(out)
    }

    fn integer_form(&mut self, ee: &EffExpr) -> Option<Int> {
        Some(match ee.node() {
            Node::Var(v, Sort::Int) => Int::new_const(self.name(*v)),
            Node::Int(c) => Int::from_i64(*c),
            Node::Neg(a) => self.integer(a)?.unary_minus(),
            Node::Add(a, b) => self.integer(a)? + self.integer(b)?,
            Node::Sub(a, b) => self.integer(a)? - self.integer(b)?,
            Node::Scale(k, a) => Int::from_i64(*k) * self.integer(a)?,
            // For a positive divisor z3's `div` rounds down and its `mod` is not negative.
            Node::Div(a, k) => self.integer(a)?.div(Int::from_i64(*k)),
            Node::Mod(a, k) => self.integer(a)?.modulo(Int::from_i64(*k)),
            Node::If(c, a, b) => {
                let (c, a, b) = (self.boolean(c)?, self.integer(a)?, self.integer(b)?);
                c.ite(&a, &b)
            }
            Node::Var(_, Sort::Bool)
            | Node::Bool(_)
            | Node::Unknown(_)
            | Node::Cmp(..)
            | Node::Iff(..)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Forall(..)
            | Node::Exists(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => return None,
        })
    }
}

/// What z3's own reader makes of an SMT-LIB script: `unsat`, `sat` or `unknown`.
pub fn answer_of_script(script: &str, limit: u32) -> &'static str {
    with_z3_config(&Config::new(), || {
        let solver = z3::Solver::new();
        let mut params = Params::new();
        params.set_u32("rlimit", limit);
        leave_interrupts(&mut params);
        solver.set_params(&params);
        solver.from_string(script);
        match solver.check() {
            SatResult::Unsat => "unsat",
            SatResult::Sat => "sat",
            SatResult::Unknown => "unknown",
        }
    })
}

#[cfg(test)]
mod tests;

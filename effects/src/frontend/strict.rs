//! What the strict front end asks besides, as Exo 1.0.0 does. Spec: [rule: frontend.strict].

use super::iterations::{self, CONFIG_ITERATION};
use super::{Checker, Finding, Requirement, Subject, Words};
use crate::analysis::{Analysis, entry, size_facts};
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::hypotheses::Hypotheses;
use crate::lift::lift;
use crate::obligation::{ConditionId, Model, Obligation, Verdict};
use crate::solver::Solver;
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::ArgType;

/// A loop that may end before it begins.
pub const LOOP_BOUNDS: ConditionId = ConditionId("loop.bounds");
/// An assertion that no state satisfies.
pub const ASSERT_SATISFIABLE: ConditionId = ConditionId("assert.satisfiable");

/// The ids of what is asked in the strict mode alone.
pub const STRICT_REQUIREMENTS: [ConditionId; 3] = [LOOP_BOUNDS, ASSERT_SATISFIABLE, CONFIG_ITERATION];

impl Checker<'_> {
    /// Extents of arguments are at least 1. The body may assume that they are not negative; here that is not known.
    pub(super) fn argument_extents(&mut self, env: &Env, p: &Proc) {
        let mut known = size_facts(p, env, self.an.size_fields(p));
        known.extend(p.preds.iter().map(|e| lift(env, e)));
        let inside = std::mem::replace(&mut self.known, known.into());
        for arg in &p.args {
            if let ArgType::Data { typ, mem: _ } = &arg.typ {
                self.extents(env, arg.name, &typ.shape, 1, arg.span);
            }
        }
        self.known = inside;
    }

    /// The upper bound of a loop is not below the lower one.
    pub(super) fn ordered(&mut self, iter: Sym, (lo, hi): (&Expr, &Expr), bounds: &(EffExpr, EffExpr)) {
        let words = || Words {
            id: LOOP_BOUNDS,
            sentence: format!(
                "the loop over `{iter}` does not end before it begins: {} <= {}",
                bounds.0, bounds.1
            ),
            danger: format!(
                "the loop over `{iter}` may end before it begins: `{}` to `{}`",
                expr_to_string(lo),
                expr_to_string(hi)
            ),
            at: lo.span.to(hi.span),
            role: "these bounds",
        };
        self.require(Subject::Holds(EffExpr::le(bounds.0.clone(), bounds.1.clone())), words);
    }
}

/// What is refused in the strict mode without a look at what holds on the way.
pub(super) fn refused(an: &Analysis, solver: &Solver, p: &Proc) -> Vec<Finding> {
    let mut out = unsatisfiable(an, solver, p);
    out.extend(iterations::fields_by_iteration(p));
    out
}

/// The assertions that no state satisfies in which those above them hold and sizes are at least 1.
fn unsatisfiable(an: &Analysis, solver: &Solver, p: &Proc) -> Vec<Finding> {
    let env = entry(p);
    let mut known: Hypotheses = size_facts(p, &env, an.size_fields(p)).into();
    let mut out = Vec::new();
    for (k, pred) in p.preds.iter().enumerate() {
        let holds = lift(&env, pred);
        let never = EffExpr::definitely(EffExpr::not(holds.clone()));
        let text = expr_to_string(pred);
        let asked = Obligation::new(ASSERT_SATISFIABLE, format!("no state satisfies `{text}`"), never)
            .under(known.clone());
        if solver.decide(&asked).is_proved() {
            let sentence = format!("some state satisfies the assertion `{text}` and those above it");
            let obligation = Obligation::new(ASSERT_SATISFIABLE, sentence, EffExpr::bool(false))
                .under(known.clone())
                .at(pred.span, "this assertion");
            let danger = format!("assertion {} of `{}` never holds: `{text}`", k + 1, p.name);
            let requirement = Requirement { obligation, subject: Subject::Satisfiable, danger };
            out.push(Finding { requirement, verdict: Verdict::Refuted { model: Model::default() } });
        }
        known.extend([holds]);
    }
    out
}

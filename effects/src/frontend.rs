//! The static checks of the front end that need reasoning: bounds, positivity, preconditions and shapes at
//! calls, aliasing, races. PLDI'22 §3.1; spec: [rule: frontend].
//!
//! Each check states obligations; a solver decides them, and [`diagnose`] turns a failure into words.

mod aliasing;
mod asserts;
mod bounds;

use crate::analysis::{Analysis, entry, entry_facts};
use crate::conditions::parallel;
use crate::context::Context;
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::lift::lift;
use crate::obligation::{ConditionId, Obligation, Verdict};
use crate::valg::{LoopFlow, after_stmt};
use rewright_semantics::ast::{Block, LoopMode, Module, Proc, Stmt, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;

/// An access outside of its buffer.
pub const BOUNDS_ACCESS: ConditionId = ConditionId("bounds.access");
/// A window that leaves its buffer.
pub const BOUNDS_WINDOW: ConditionId = ConditionId("bounds.window");
/// An allocation with an extent below 1.
pub const BOUNDS_EXTENT: ConditionId = ConditionId("bounds.extent");
/// A size below 1: an argument of a call, or a field.
pub const SIZE_POSITIVE: ConditionId = ConditionId("size.positive");
/// A callee's assertion.
pub const CALL_ASSERT: ConditionId = ConditionId("call.assert");
/// A shape at a call.
pub const CALL_SHAPE: ConditionId = ConditionId("call.shape");
/// Two arguments that overlap.
pub const CALL_ALIAS: ConditionId = ConditionId("call.alias");

/// What must be valid for a module to be accepted.
pub fn check_module(an: &Analysis, m: &Module) -> Vec<Obligation> {
    m.procs.iter().flat_map(|p| check_proc(an, p)).collect()
}

/// What must be valid for a procedure to be accepted, in the order of its text.
pub fn check_proc(an: &Analysis, p: &Proc) -> Vec<Obligation> {
    let env = entry(p);
    let facts = entry_facts(p, &env);
    let mut checker = Checker { an, facts, ctrl: Vec::new(), out: Vec::new() };
    checker.block(&env, &p.body);
    checker.out
}

/// What is known on the way through a procedure, and what has been found to be obliged.
struct Checker<'a> {
    an: &'a Analysis,
    facts: Vec<EffExpr>,
    ctrl: Vec<EffExpr>,
    out: Vec<Obligation>,
}

impl Checker<'_> {
    /// Adds an obligation, unless its formula is plainly true.
    fn require(
        &mut self,
        id: ConditionId,
        sentence: impl Into<String>,
        formula: EffExpr,
        at: Span,
        role: &str,
    ) {
        let formula = EffExpr::definitely(formula);
        if !formula.is_true() {
            let known = self.facts.iter().chain(&self.ctrl).cloned();
            self.out.push(Obligation::new(id, sentence, formula).assuming(known).at(at, role));
        }
    }

    fn block(&mut self, env: &Env, b: &Block) {
        let mut env = env.clone();
        for s in b {
            self.stmt(&env, s);
            env = after_stmt(self.an, &env, s);
        }
    }

    fn under(&mut self, known: impl IntoIterator<Item = EffExpr>, env: &Env, b: &Block) {
        let before = self.ctrl.len();
        self.ctrl.extend(known);
        self.block(env, b);
        self.ctrl.truncate(before);
    }

    fn stmt(&mut self, env: &Env, s: &Stmt) {
        match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs } | StmtKind::Reduce { name, idx, rhs } => {
                self.access(env, *name, idx, s.span);
                self.expr(env, rhs);
            }
            StmtKind::WriteConfig { config, field, rhs } => {
                self.expr(env, rhs);
                self.size_field(env, config, *field, rhs);
            }
            StmtKind::Pass => {}
            StmtKind::If { cond, body, orelse } => {
                let c = lift(env, cond);
                self.under([c.clone()], env, body);
                self.under([EffExpr::not(c)], env, orelse);
            }
            StmtKind::For { iter, lo, hi, body, mode } => {
                if *mode == LoopMode::Par {
                    let ctx = Context::known(self.an, env, &self.facts, &self.ctrl);
                    self.out.extend(parallel(&ctx, s).into_iter().filter(|ob| !ob.formula.is_true()));
                }
                let (lo, hi) = (lift(env, lo), lift(env, hi));
                let at = EffExpr::int_var(if env.binds(*iter) { iter.renewed() } else { *iter });
                let mut inside = LoopFlow::of(self.an, env, *iter, &lo, body).before(env, &at);
                inside.bind(*iter, at.clone());
                self.under([EffExpr::le(lo, at.clone()), EffExpr::lt(at, hi)], &inside, body);
            }
            StmtKind::Alloc { name, typ, mem: _ } => self.extents(env, *name, &typ.shape),
            StmtKind::WindowStmt { name: _, rhs } => self.window(env, rhs, s.span),
            StmtKind::Call { proc, args } => {
                args.iter().for_each(|e| self.expr(env, e));
                self.call(env, proc, args, s.span);
                self.aliasing(env, proc, args, s.span);
            }
        }
    }
}

/// A diagnostic for an obligation that was not proved.
pub fn diagnose(ob: &Obligation, verdict: &Verdict) -> Option<Diagnostic> {
    let (at, role) = ob.locations.first().cloned().unwrap_or((Span::NONE, String::new()));
    let (message, label) = match verdict {
        Verdict::Proved { .. } => return None,
        Verdict::Refuted { model } if model.values.is_empty() => {
            (format!("it does not hold that {}", ob.sentence), format!("{role} never does"))
        }
        Verdict::Refuted { model } => {
            (format!("it does not always hold that {}", ob.sentence), format!("{role} does not when {model}"))
        }
        Verdict::Unknown { why } => {
            (format!("it could not be shown that {}", ob.sentence), format!("{role}: {why}"))
        }
    };
    let mut out = Diagnostic::error(ob.id.0, at, message).label(label);
    for (span, role) in ob.locations.iter().skip(1) {
        out = out.also(*span, role.clone());
    }
    Some(out.help("strengthen the assertions of the procedure, or guard this place"))
}

//! Fields whose value the dataflow analysis cannot express. Spec: [rule: frontend.havoc].
//!
//! After a loop such a field is ⊥ for [`crate::valg`], and no guard can make ⊥ anything else. But the field
//! holds *some* value: for one walk through one procedure it gets a variable of its own, with what is known of
//! it, as verifiers havoc a variable and assume. So `if Cfg.n <= 8:` helps, and `Cfg.n` equals itself.

use super::Checker;
use crate::effexpr::{EffExpr, Var};
use crate::env::{Env, Field};
use crate::lift::lift;
use crate::valg::{LoopFlow, same_value};
use rewright_semantics::ast::{Stmt, StmtKind};
use rewright_semantics::sym::Sym;

/// Values with more nodes are not worth assuming: quantifiers nest in them, one for each loop.
const LARGEST: u64 = 40;

impl Checker<'_> {
    /// The environment after a statement, havocked; what is known then holds to the end of the block.
    pub(super) fn havocked_after(&mut self, before: &Env, s: &Stmt, after: Env) -> Env {
        if after.globals.unknown().next().is_none() {
            return after;
        }
        let (env, known) = match s.kind.as_ref() {
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                let flow = LoopFlow::of(self.an, before, *iter, &lift(before, lo), body);
                self.havocked(&flow, before, after, &lift(before, hi))
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => self.havoc(after, |_, _| None),
        };
        self.known.extend(known);
        env
    }

    /// The environment at the start of iteration `at` of a loop, havocked, and what is known there.
    pub(super) fn havocked(
        &self,
        flow: &LoopFlow,
        before: &Env,
        here: Env,
        at: &EffExpr,
    ) -> (Env, Vec<EffExpr>) {
        self.havoc(here, |f, value| flow.written(before, f, value, at))
    }

    fn havoc(&self, mut env: Env, more: impl Fn(Field, &EffExpr) -> Option<EffExpr>) -> (Env, Vec<EffExpr>) {
        let mut known = Vec::new();
        let fields: Vec<Field> = env.globals.unknown().collect();
        for f in fields {
            let Some(value) = env.globals.changed(f).cloned() else { continue };
            let x = EffExpr::var(Var::Local(Sym::fresh(f.var().to_string().as_str())), value.sort());
            if value.size() <= LARGEST {
                // Says nothing where the value is ⊥: a hypothesis is what may hold.
                known.push(same_value(&x, &value));
            }
            if self.sizes.contains(&f) {
                known.push(EffExpr::ge(x.clone(), EffExpr::int(1)));
            }
            known.extend(more(f, &x));
            env.globals.set(f, x);
        }
        (env, known)
    }
}

//! Procedures, versions of procedures, and fields that fit what is pointed at.

use super::Draw;
use crate::procs;
use crate::variety::instructions::of_form;
use rewright_primitives::cursor::path::{Hole, Place, expr_in, run_at, stmt_at};
use rewright_primitives::registry::Value;
use rewright_primitives::tools::syntax::stmt_views::Call;
use rewright_semantics::ast::Proc;
use rewright_semantics::typecheck::{Type, check_proc};
use rewright_semantics::types::{ControlType, MemName};
use std::sync::Arc;

impl Draw<'_> {
    /// A field of the type of the expression that is pointed at.
    pub(super) fn fitting_field(&mut self) -> Option<&'static str> {
        let Some(Place::Expr(at)) = &self.target else { return None };
        let e = stmt_at(self.p.ast(), &at.stmt).and_then(|s| expr_in(s, &at.steps))?;
        let fields: &[&str] = match self.p.env_at(&at.stmt)?.type_of(e) {
            Type::Control(ControlType::Bool) => &["flag"],
            Type::Control(ControlType::Stride) => &["pitch"],
            Type::Control(_) => &["count", "offset", "whole"],
            Type::Data(_) => &["scale"],
            Type::Buffer(_) | Type::Error => &[],
        };
        self.rng.pick(fields).copied()
    }

    /// A procedure for the place that is pointed at: one that a run of statements may be a call of, one that does
    /// nothing, or one that the program calls.
    pub(super) fn proc(&mut self) -> Option<Value> {
        let found = match self.target.clone() {
            Some(Place::Block(run)) => match self.rng.below(10) {
                0 => procs::called(self.rng, self.p.ast())?,
                1..=6 => match self.instruction(&run) {
                    Some(instr) => return Some(Value::Proc(self.p.session().root(instr))),
                    None => Arc::new(procs::abstracted(self.rng, self.p, &run)?),
                },
                _ => Arc::new(procs::abstracted(self.rng, self.p, &run)?),
            },
            _ => {
                let env = self.p.env_at(&self.near())?;
                let (noop, texts) = procs::noop(self.rng, &env);
                self.texts = texts;
                Arc::new(noop)
            }
        };
        check_proc(&found).is_empty().then(|| Value::Proc(self.p.session().root(found)))
    }

    /// A statement, or several, that an instruction may do: what is in the memory of a machine.
    pub(super) fn instruction_body(&mut self) -> Option<Hole> {
        let mut left = self.stmts.clone();
        while !left.is_empty() {
            let path = left.swap_remove(self.rng.below(left.len()));
            for len in 1..=2 {
                let run = Hole { path: path.clone(), len };
                if self.on_a_machine(&run) && self.instruction(&run).is_some() {
                    return Some(run);
                }
            }
        }
        None
    }

    fn on_a_machine(&self, run: &Hole) -> bool {
        let (Some(body), Some(env)) = (run_at(self.p.ast(), run), self.p.env_at(&run.path)) else {
            return false;
        };
        let names = rewright_effects::names::free_names(&body);
        names.iter().any(|x| env.memory(*x).is_some_and(|mem| mem != MemName::dram()))
    }

    /// An instruction that a run of statements may be a call of.
    fn instruction(&mut self, run: &Hole) -> Option<Arc<Proc>> {
        let (body, env) = (run_at(self.p.ast(), run)?, self.p.env_at(&run.path)?);
        let names = rewright_effects::names::free_names(&body);
        let cells = names.iter().filter_map(|x| Some((env.buffer(*x)?.elem, env.memory(*x)?))).collect();
        of_form(self.rng, &body, &cells)
    }

    /// Procedures that runs of statements may be calls of.
    pub(super) fn procs(&mut self) -> Option<Value> {
        let mut out = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let Some(Place::Block(run)) = self.run(1, 2) else { continue };
            if let Some(found) =
                procs::abstracted(self.rng, self.p, &run).filter(|q| check_proc(q).is_empty())
            {
                out.push(Value::Proc(self.p.session().root(found)));
            }
        }
        Some(Value::List(out))
    }

    /// A version of the procedure that is called.
    pub(super) fn version(&mut self) -> Option<Value> {
        let Some(Place::Stmt(path)) = &self.target else { return None };
        let callee = Call::of(stmt_at(self.p.ast(), path)?)?.proc;
        procs::version(self.rng, self.p.session(), &callee).map(Value::Proc)
    }
}

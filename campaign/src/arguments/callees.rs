//! Procedures, versions of procedures, and fields that fit what is pointed at.

use super::Draw;
use crate::procs;
use rewright_primitives::cursor::path::{Place, expr_in, stmt_at};
use rewright_primitives::registry::Value;
use rewright_primitives::tools::syntax::stmt_views::Call;
use rewright_semantics::typecheck::{Type, check_proc};
use rewright_semantics::types::ControlType;
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

//! The end of a rewrite: what is well typed of the new version, what its calls ask of shapes, and which races are left. Of a version that was checked,
//! only what changed is looked at. Spec: [rule: rewrite.local], [rule: left-open].

use super::{Rewrite, WELL_TYPED};
use crate::error::{Found, Result};
use crate::left_open::{self, LeftOpen};
use crate::tools::syntax::changed::Changed;
use crate::tools::syntax::scope;
use crate::version::{Discharged, Proc, Reason};
use rewright_effects::context::Context;
use rewright_effects::frontend::{PAR_RACE, Requirement, check_call_shapes, check_call_shapes_at};
use rewright_effects::names::callees;
use rewright_semantics::ast::{self, Block};
use rewright_semantics::rounding;
use rewright_semantics::span::Span;
use rewright_semantics::typecheck;
use std::sync::Arc;

impl Rewrite {
    /// Without its arguments a step could not be made again.
    fn check_recorded(&self) -> Result<()> {
        let recorded = |name: &str| self.step.args.iter().any(|(n, _)| *n == name);
        let missing = self.primitive.params.iter().find(|p| p.default.is_none() && !recorded(p.name));
        match missing {
            Some(param) => Err(self.internal(format!("the argument `{}` is not recorded", param.name))),
            None => Ok(()),
        }
    }

    /// The new version.
    ///
    /// # Errors
    /// The result is ill typed or ill scoped: a refusal. An edit did not fit: a bug.
    pub fn finish(mut self) -> Result<Proc> {
        if let Some(what) = &self.broken {
            return Err(self.internal(what.clone()));
        }
        self.check_recorded()?;
        self.drop_instruction();
        let was_open = self.base.open();
        let changed = self.locally_changed().filter(|_| !was_open.any());
        // A version that a rewrite made was checked then. Spec: [rule: rewrite.local].
        let inherited = changed.is_some() && self.base.origin().is_some();
        let whole = if inherited { Vec::new() } else { self.check_whole()? };
        let discharged = match &changed {
            Some(changed) => self.check_shapes(self.shapes_at(changed))?,
            None => whole,
        };
        let of_calls = discharged.iter().any(|d| matches!(d.by, Reason::Postponed { .. }));
        if was_open.calls || of_calls {
            self.rounds(format!(
                "calls in `{}` are open, and mean what exact arithmetic says",
                self.base.name()
            ));
        }
        self.step.discharged.extend(discharged);
        let races = self.check_races(was_open, changed.as_ref())?;
        self.step.discharged.extend(races);
        self.step.took = self.since.elapsed();
        Ok(Proc::derived(self.base, self.ast, self.step))
    }

    /// The C text of an instruction is that of its arguments and its body. A version with others is a procedure.
    /// Spec: [rule: instructions.edited].
    fn drop_instruction(&mut self) {
        let old = self.base.ast();
        let is_kept = old.instr.is_some() && old.instr == self.ast.instr;
        if is_kept && (old.args != self.ast.args || old.body != self.ast.body) {
            let otherwise = rounding::difference(old);
            self.ast = Arc::new(ast::Proc { instr: None, ..ast::Proc::clone(&self.ast) });
            if let Some(what) = otherwise {
                self.rounds(format!("{what}, and this version after each operation"));
            }
        }
    }

    /// Says that a later step is to put right what a call is given, one of this version or one in what it calls.
    /// Spec: [rule: left-open].
    pub fn postpones(&mut self, what: impl Into<String>) {
        self.step.discharged.push(postponed(WELL_TYPED.id, what.into()));
    }

    /// Scopes and types of the whole; what its calls ask of shapes.
    fn check_whole(&self) -> Result<Vec<Discharged>> {
        if let Err(what) = scope::check(&self.ast) {
            return Err(self.refusal(&WELL_TYPED, Found::Form { why: what }, Vec::new()));
        }
        let faults = typecheck::faults(&self.ast);
        if let Some(fault) = left_open::first_worse(self.session(), &faults) {
            let why = format!("the result is not well typed: {fault}");
            return Err(self.refuse(&WELL_TYPED, why, fault.span));
        }
        // Where one may not be left open, there is none.
        let mut out: Vec<Discharged> =
            faults.iter().map(|open| postponed(WELL_TYPED.id, open.to_string())).collect();
        out.extend(self.check_shapes(self.call_shapes())?);
        Ok(out)
    }

    fn check_shapes(&self, required: Vec<Requirement>) -> Result<Vec<Discharged>> {
        let mut out = Vec::new();
        for requirement in required {
            let verdict = self.session().decide(&requirement.obligation);
            if !verdict.is_proved() && left_open::may_be_open(self.session(), &requirement, &self.ast) {
                out.push(postponed(WELL_TYPED.id, requirement.danger));
                continue;
            }
            let Requirement { obligation, danger, .. } = requirement;
            if !verdict.is_proved() {
                let at = obligation.locations.first().map_or(Span::NONE, |(at, _)| *at);
                return Err(self.refuse(&WELL_TYPED, danger, at));
            }
            out.push(Discharged { condition: WELL_TYPED.id, by: Reason::Solver { obligation, verdict } });
        }
        Ok(out)
    }

    /// The races that are left: of a version in which something was open, those of the whole; of any other, those in what its new
    /// statements call, since all else is what conditions have asked for.
    fn check_races(&self, was_open: LeftOpen, changed: Option<&Changed>) -> Result<Vec<Discharged>> {
        let session = self.session();
        let left = if was_open.any() {
            left_open::races_within(session, &self.ast)
        } else {
            left_open::races_of_callees(session, changed.map_or(&self.ast.body, |changed| &changed.new))
        };
        match left.first() {
            Some(first) if !session.postpones() => Err(self.refuse(&WELL_TYPED, first.clone(), Span::NONE)),
            Some(_) | None => Ok(left.into_iter().map(|what| postponed(PAR_RACE.0, what)).collect()),
        }
    }

    /// The statements that differ from those of the version given, where they are well typed, and what is outside of
    /// them means what it meant.
    fn locally_changed(&self) -> Option<Changed> {
        let an = self.session().analysis();
        let changed = Changed::between(self.base.ast(), &self.ast).filter(|c| c.is_local(an))?;
        let env = scope::env_at(an, &self.ast, &changed.run.path)?;
        let fine = changed.binds_once(an, &self.ast) && typecheck::faults_in(&env, &changed.new).is_empty();
        fine.then_some(changed)
    }

    /// What is to be proved of the shapes at calls: part of being well typed, but for a proof to say.
    fn call_shapes(&self) -> Vec<Requirement> {
        if !has_calls(&self.ast.body) {
            return Vec::new();
        }
        let mut required = check_call_shapes(self.session().analysis(), &self.ast);
        required.retain(|r| !r.obligation.formula.is_true());
        required
    }

    /// The same of the statements that changed; of all, where the value of a field is not known.
    fn shapes_at(&self, changed: &Changed) -> Vec<Requirement> {
        if !has_calls(&changed.new) {
            return Vec::new();
        }
        let ctx = Context::of(self.session().analysis(), &self.ast, &changed.run);
        let Some(ctx) = ctx.filter(|ctx| ctx.env.globals.unknown().next().is_none()) else {
            return self.call_shapes();
        };
        let mut required = check_call_shapes_at(&ctx);
        required.retain(|r| !r.obligation.formula.is_true());
        required
    }
}

/// That something is open, for a later step to put right.
fn postponed(condition: &'static str, what: String) -> Discharged {
    Discharged { condition, by: Reason::Postponed { what } }
}

fn has_calls(b: &Block) -> bool {
    let mut found = false;
    callees(b, &mut |_| found = true);
    found
}

//! Blocks `effect`: a program and what the analysis finds in it.
//!
//! Without a mark, quantities are those of the last procedure's body; with statements marked `# here`, of these in their
//! context. `ValG Cfg.a` is what the field holds afterwards, `Lift` the value of the marked statement's condition, bound or
//! index, `w[k] =` the place that an access to a window shows, `x[1] ∈ Wr when n = 3` a question of membership,
//! `Written Cfg.a` what is known of a value `v` of the field at the start of iteration `k` of the marked loop.

use crate::blocks::{Block, program};
use crate::lines::{compare, lines};
use crate::program::Program;
use crate::sets::{member, set};
use rewright_effects::analysis::{Analysis, entry, entry_facts};
use rewright_effects::context::Context;
use rewright_effects::eff::eff_block;
use rewright_effects::effect::Effect;
use rewright_effects::effexpr::{EffExpr, Var};
use rewright_effects::env::{EffEnv, Env};
use rewright_effects::lift::lift;
use rewright_effects::locset::LocSet;
use rewright_effects::valg::{LoopFlow, val_g_block};
use rewright_semantics::ast::{Expr, StmtKind};
use rewright_semantics::sym::Sym;

/// What is looked at.
struct Subject {
    program: Program,
    an: Analysis,
    /// The context, when there is a mark.
    ctx: Option<Context>,
    effect: Effect,
    /// The environment after the statements.
    after: Env,
}

pub(crate) fn run(block: &Block) -> Result<(), String> {
    let (text, said) = block.parts()?;
    let subject = Subject::of(Program::read(&program(text))?)?;
    compare(&lines(said, &[" is ", " = "])?, |quantity, _| subject.quantity(quantity))
}

impl Subject {
    fn of(program: Program) -> Result<Subject, String> {
        let an = Analysis::new();
        let ctx = program.context(&an)?;
        let (env, body) = match &ctx {
            Some(ctx) => (ctx.env.clone(), ctx.hole.clone()),
            None => (entry(&program.proc), program.proc.body.clone()),
        };
        let (effect, after) = (eff_block(&an, &env, &body), val_g_block(&an, &env, &body));
        Ok(Subject { program, an, ctx, effect, after })
    }

    fn quantity(&self, name: &str) -> Result<String, String> {
        if let Some((place, rest)) = name.split_once(" ∈ ") {
            let (of, values) = rest.split_once(" when ").unwrap_or((rest, ""));
            return member(place, &self.set(of)?, values);
        }
        if let Some(field) = name.strip_prefix("ValG ") {
            return field_of(&self.after.globals, field);
        }
        if let Some(field) = name.strip_prefix("PreValG ") {
            return field_of(&self.context()?.env.globals, field);
        }
        if let Some(field) = name.strip_prefix("Written ") {
            return self.written(field);
        }
        if let Some((window, idx)) = name.strip_suffix(']').and_then(|n| n.split_once('[')) {
            return self.located(window, idx);
        }
        match name {
            "Eff" => Ok(self.effect.to_string()),
            "Summary" => Ok(self.an.effect(&self.program.proc).to_string()),
            "A" => Ok(self.effect.allocated().iter().map(Sym::to_string).collect::<Vec<_>>().join(", ")),
            "CtrlPred" => Ok(EffExpr::and(self.context()?.ctrl_pred.clone()).to_string()),
            "PostEff" => Ok(self.context()?.post_eff().to_string()),
            "Lift" => self.lifted(),
            "facts" => {
                let p = &self.program.proc;
                let facts = entry_facts(&self.an, p, &entry(p));
                Ok(facts.iter().map(EffExpr::to_string).collect::<Vec<_>>().join(", "))
            }
            _ => self.set(name).map(|l| set(&l)),
        }
    }

    fn context(&self) -> Result<&Context, String> {
        self.ctx.as_ref().ok_or_else(|| "nothing is marked `# here`".to_owned())
    }

    /// A location set by its name in the chapter.
    fn set(&self, name: &str) -> Result<LocSet, String> {
        let (of, name) = match name.split_once(" PostEff") {
            Some((name, "")) => (self.context()?.post_eff(), name),
            _ => (&self.effect, name),
        };
        Ok(match name {
            "Rd" => of.rd(),
            "Wr" => of.wr(),
            "R+_H" => of.red_h(),
            "R+" => of.red_h().minus(of.wr()),
            "Mod" => of.modified(),
            "All" => of.all(),
            "RW" => LocSet::union([of.rd(), of.wr()]),
            "Use" => of.uses(),
            "Rd*" => of.reads(),
            "Rd_G" => of.rd_g(),
            "Wr_G" => of.wr_g(),
            "Rd_H" => of.rd().on(&|b| !b.is_field()),
            "Wr_H" => of.wr().on(&|b| !b.is_field()),
            _ => return Err(format!("there is no quantity `{name}`")),
        })
    }

    /// The place of the root that an access to a buffer or window shows.
    fn located(&self, name: &str, idx: &str) -> Result<String, String> {
        let views = self.after.views().find(|(x, _)| x.name().as_str() == name);
        let (_, view) = views.ok_or_else(|| format!("`{name}` is not in scope"))?;
        let idx: Vec<EffExpr> = idx.split(',').map(|i| EffExpr::int_var(Sym::fresh(i.trim()))).collect();
        Ok(view.locate(&idx).to_string())
    }

    /// What the marked loop makes known of a field.
    fn written(&self, field: &str) -> Result<String, String> {
        let (ctx, stmt) = self.program.marked(&self.an)?;
        let StmtKind::For { iter, lo, body, .. } = stmt.kind.as_ref() else {
            return Err("the marked statement is not a loop".to_owned());
        };
        let fields = self.an.written_fields(body);
        let found = fields.iter().find(|(f, _)| f.var().to_string() == field);
        let (field, sort) = found.ok_or_else(|| format!("the loop does not write `{field}`"))?;
        let value = EffExpr::var(Var::Local(Sym::fresh("v")), *sort);
        let flow = LoopFlow::of(&self.an, &ctx.env, *iter, &lift(&ctx.env, lo), body);
        let known = flow.written(&ctx.env, *field, &value, &EffExpr::int_var(Sym::fresh("k")));
        Ok(known.map_or_else(|| "nothing".to_owned(), |ee| ee.to_string()))
    }

    /// The value of the control expression that the marked statement is about.
    fn lifted(&self) -> Result<String, String> {
        let (ctx, stmt) = self.program.marked(&self.an)?;
        let e: Option<&Expr> = match stmt.kind.as_ref() {
            StmtKind::If { cond, .. } => Some(cond),
            StmtKind::For { hi, .. } => Some(hi),
            StmtKind::Assign { idx, rhs, .. } | StmtKind::Reduce { idx, rhs, .. } => {
                idx.first().or(Some(rhs))
            }
            StmtKind::WriteConfig { rhs, .. } => Some(rhs),
            StmtKind::Pass | StmtKind::Alloc { .. } | StmtKind::WindowStmt { .. } | StmtKind::Call { .. } => {
                None
            }
        };
        let e = e.ok_or("the marked statement has no control expression")?;
        Ok(lift(&ctx.env, e).to_string())
    }
}

/// What a field holds under γ: itself, where γ does not say otherwise.
fn field_of(g: &EffEnv, name: &str) -> Result<String, String> {
    let found = g.fields().find(|f| f.var().to_string() == name);
    Ok(found.and_then(|f| g.changed(f)).map_or_else(|| name.to_owned(), EffExpr::to_string))
}

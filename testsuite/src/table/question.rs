//! From a program with marks to the obligations of a condition, and to the pairs of procedures that must
//! agree when it holds.

use super::Program;
use crate::probe::{Probe, is_boolean};
use crate::rewrites::{in_mode, joined, reordered, reversed, shadows, split, unlooped};
use rewright_campaign::holes::{block_at, edit, insert, replace};
use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{
    commutes, dead_after, equal_exprs, fission, fuse_loops, holds, idempotent, in_bounds, nonnegative,
    parallel, positive, remaining_globals, remove_loop, reorder_loops, reverse_loop, runs_at_least_once,
    same_after, unread_after,
};
use rewright_effects::context::{Context, Hole};
use rewright_effects::env::Field;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{BinOp, Block, Config, Expr, ExprKind, LoopMode, Proc, Stmt, StmtKind};
use rewright_semantics::build::{assign, boolean, data, int, lt, not, pass, reduce, write_config};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{ControlType, FieldType};
use std::collections::BTreeSet;

/// What a case asks.
pub struct Question {
    /// What must be valid.
    pub obligations: Vec<Obligation>,
    /// What the condition admits: procedures that agree when it holds; some do not when it fails.
    pub pairs: Vec<Pair>,
}

/// Two procedures to be compared.
pub struct Pair {
    /// Before the rewrite.
    pub old: Proc,
    /// After it.
    pub new: Proc,
    /// Fields in which they may differ.
    pub modulo: BTreeSet<ConfigKey>,
}

/// The id that a condition is refuted under, unless the case names another.
pub fn main_id(condition: &str) -> &'static str {
    match condition {
        "commutes" => "commutes",
        "shadows" => "shadows",
        "idempotent" => "idempotent",
        "reorder_loops" | "reverse_loop" => "loop.iterations-commute",
        "fission" => "loop.fission",
        "fuse_loops" => "loop.fusion",
        "remove_loop" => "idempotent",
        "runs_at_least_once" => "loop.runs",
        "parallel" => "loop.parallel",
        "dead_after" => "dead-after",
        "unread_after" | "remaining_globals" => "unread-after",
        "equal_exprs" | "same_after" => "equal",
        "holds" => "holds",
        "in_bounds" => "bounds",
        "nonnegative" => "nonnegative",
        "positive" => "positive",
        _ => "?",
    }
}

impl Program {
    /// What the condition of this name asks at the marked place.
    ///
    /// # Errors
    /// The marks do not fit the condition, or there is no such condition.
    pub fn question(&self, condition: &str) -> Result<Question, String> {
        let an = Analysis::new();
        match condition {
            "commutes" | "shadows" => self.on_two_blocks(&an, condition),
            "fuse_loops" => self.on_two_loops(&an),
            "same_after" => self.on_values_around(&an),
            "fission" => self.on_a_split(&an),
            "idempotent" | "reorder_loops" | "reverse_loop" | "remove_loop" | "parallel" | "dead_after"
            | "unread_after" | "remaining_globals" | "in_bounds" => self.on_one_block(&an, condition),
            "runs_at_least_once" | "equal_exprs" | "holds" | "nonnegative" | "positive" => {
                self.on_values(&an, condition)
            }
            _ => Err(format!("there is no condition `{condition}`")),
        }
    }

    fn context(&self, an: &Analysis, hole: &Hole) -> Result<Context, String> {
        Context::of(an, &self.proc, hole)
            .ok_or_else(|| "the marked statements do not stand side by side".into())
    }

    fn stmts(&self, hole: &Hole) -> Result<Block, String> {
        let (b, i) = block_at(&self.proc, &hole.path).ok_or("the path leads nowhere")?;
        Ok(b.clone().slice(i..i + hole.len))
    }

    /// The procedure as it is, and with other statements in the hole.
    fn pair(&self, hole: &Hole, by: &[Stmt]) -> Pair {
        let new = edit(&self.proc, &hole.path, &|b, i| replace(b, i, hole.len, by));
        Pair { old: self.proc.as_ref().clone(), new, modulo: BTreeSet::new() }
    }

    fn on_two_blocks(&self, an: &Analysis, condition: &str) -> Result<Question, String> {
        let (one, two) = self.two_holes()?;
        let (s1, s2) = (self.stmts(&one)?, self.stmts(&two)?);
        let both = Hole { len: one.len + two.len, ..one };
        let ctx = self.context(an, &both)?;
        let (obligations, by): (_, Vec<Stmt>) = match condition {
            "commutes" => (commutes(&ctx, &s1, &s2), s2.iter().chain(&s1).cloned().collect()),
            _ => (shadows(&ctx, &s1, &s2), s2.iter().cloned().collect()),
        };
        Ok(Question { obligations, pairs: vec![self.pair(&both, &by)] })
    }

    fn on_two_loops(&self, an: &Analysis) -> Result<Question, String> {
        let (one, two) = self.two_holes()?;
        let (s1, s2) = (self.stmts(&one)?, self.stmts(&two)?);
        let both = Hole { len: 2, ..one };
        let ctx = self.context(an, &both)?;
        let (Some(s1), Some(s2)) = (s1.get(0), s2.get(0)) else { return Err("no loops".into()) };
        let by = joined(s1, s2).ok_or("the marked statements are not loops")?;
        Ok(Question { obligations: fuse_loops(&ctx, s1, s2), pairs: vec![self.pair(&both, &[by])] })
    }

    fn on_a_split(&self, an: &Analysis) -> Result<Question, String> {
        let (hole, second) = (self.hole("here")?, self.hole("second")?);
        let at = second.path.last().ok_or("an empty path")?.index();
        let ctx = self.context(an, &hole)?;
        let s = only(&self.stmts(&hole)?)?;
        let by = split(&s, at).ok_or("the marked statement is not a loop")?;
        Ok(Question { obligations: fission(&ctx, &s, at), pairs: vec![self.pair(&hole, &by)] })
    }

    fn on_one_block(&self, an: &Analysis, condition: &str) -> Result<Question, String> {
        let hole = self.hole("here")?;
        let (ctx, block) = (self.context(an, &hole)?, self.stmts(&hole)?);
        if condition == "idempotent" {
            let twice: Vec<Stmt> = block.iter().chain(&block).cloned().collect();
            return Ok(Question {
                obligations: vec![idempotent(&ctx, &block)],
                pairs: vec![self.pair(&hole, &twice)],
            });
        }
        let s = only(&block)?;
        let no_loop = "the marked statement is not a loop";
        let (obligations, pairs) = match condition {
            "reorder_loops" => {
                let by = reordered(&s).ok_or("the marked statement is not a loop nest")?;
                (reorder_loops(&ctx, &s), vec![self.pair(&hole, &[by])])
            }
            "reverse_loop" => {
                let by = reversed(&s).ok_or(no_loop)?;
                (reverse_loop(&ctx, &s), vec![self.pair(&hole, &[by])])
            }
            "remove_loop" => (remove_loop(&ctx, &s), vec![self.pair(&hole, &unlooped(&s).ok_or(no_loop)?)]),
            "parallel" => {
                let seq = in_mode(&s, LoopMode::Seq).ok_or(no_loop)?;
                let par = in_mode(&s, LoopMode::Par).ok_or(no_loop)?;
                let Pair { new: old, .. } = self.pair(&hole, &[seq]);
                (parallel(&ctx, &s), vec![Pair { old, ..self.pair(&hole, &[par]) }])
            }
            "dead_after" | "in_bounds" => self.on_a_cell(&ctx, &hole, &s, condition)?,
            _ => self.on_a_field(&ctx, &hole, &s, condition)?,
        };
        Ok(Question { obligations, pairs })
    }

    /// The marked statement writes a cell.
    fn on_a_cell(
        &self,
        ctx: &Context,
        hole: &Hole,
        s: &Stmt,
        condition: &str,
    ) -> Result<(Vec<Obligation>, Vec<Pair>), String> {
        let (StmtKind::Assign { name, idx, .. } | StmtKind::Reduce { name, idx, .. }) = s.kind.as_ref()
        else {
            return Err("the marked statement writes no cell".into());
        };
        if condition == "in_bounds" {
            // An access that changes nothing: out of bounds it is an error, and nothing else it can be.
            let access = reduce(*name, idx.clone(), data(0, 0));
            let Pair { new: old, .. } = self.pair(hole, &[pass()]);
            let pair = Pair { old, ..self.pair(hole, &[access]) };
            return Ok((vec![in_bounds(ctx, *name, idx)], vec![pair]));
        }
        let other = assign(*name, idx.clone(), data(4711, 0));
        let pairs = [pass(), other].map(|by| self.pair(hole, &[by]));
        Ok((vec![dead_after(ctx, *name)], pairs.into()))
    }

    /// The marked statement writes a field.
    fn on_a_field(
        &self,
        ctx: &Context,
        hole: &Hole,
        s: &Stmt,
        condition: &str,
    ) -> Result<(Vec<Obligation>, Vec<Pair>), String> {
        let StmtKind::WriteConfig { config, field, .. } = s.kind.as_ref() else {
            return Err("the marked statement writes no field".into());
        };
        let place = Field::of(config, *field);
        let (obligations, modulo) = if condition == "unread_after" {
            let key = ConfigKey { config: config.name, field: *field };
            (unread_after(ctx, &[place]), BTreeSet::from([key]))
        } else {
            let found = remaining_globals(ctx, &[place]);
            (found.into_iter().map(|(_, ob)| ob).collect(), BTreeSet::new())
        };
        let pair = |value| {
            let by = write_config(config, *field, value);
            Pair { modulo: modulo.clone(), ..self.pair(hole, &[by]) }
        };
        Ok((obligations, other_values(config, *field).into_iter().map(pair).collect()))
    }

    /// The condition is about values at the marked statement: each time it is reached, they are looked at.
    fn on_values(&self, an: &Analysis, condition: &str) -> Result<Question, String> {
        let hole = self.hole("here")?;
        let (ctx, s) = (self.context(an, &hole)?, only(&self.stmts(&hole)?)?);
        let (obligation, fails) = match (condition, s.kind.as_ref()) {
            ("runs_at_least_once", StmtKind::For { lo, hi, .. }) => {
                (runs_at_least_once(&ctx, &s), not(lt(lo.clone(), hi.clone())))
            }
            ("holds", StmtKind::If { cond, .. }) => (holds(&ctx, cond), not(cond.clone())),
            ("equal_exprs", StmtKind::If { cond, .. }) => {
                let (lhs, rhs) = sides(cond).ok_or("the marked guard is no equation")?;
                (equal_exprs(&ctx, lhs, rhs), not(cond.clone()))
            }
            ("nonnegative", _) => {
                let e = value_of(&s).ok_or("the marked statement has no extent and no bound")?;
                (nonnegative(&ctx, &e), lt(e, int(0)))
            }
            ("positive", _) => {
                let e = value_of(&s).ok_or("the marked statement has no extent and no bound")?;
                (positive(&ctx, &e), lt(e, int(1)))
            }
            _ => return Err("the marked statement is not of the kind that the condition is about".into()),
        };
        let probe = Probe::default();
        let seen = probe.hit_if(fails);
        let new = edit(&self.proc, &hole.path, &|b, i| insert(b, i, std::slice::from_ref(&seen)));
        Ok(Question { obligations: vec![obligation], pairs: vec![self.probed(&probe, &new)] })
    }

    /// The value of an expression of the second statement is the same before and after the first.
    fn on_values_around(&self, an: &Analysis) -> Result<Question, String> {
        let (one, two) = self.two_holes()?;
        let ctx = self.context(an, &one)?;
        let between = self.stmts(&one)?;
        let e = value_of(&only(&self.stmts(&two)?)?).ok_or("the second statement has no value to look at")?;
        let probe = Probe::default();
        let (note, differs) = probe.note_and_compare(&e, is_boolean(&e));
        let after = edit(&self.proc, &two.path, &|b, i| insert(b, i, std::slice::from_ref(&differs)));
        let new = edit(&after, &one.path, &|b, i| insert(b, i, std::slice::from_ref(&note)));
        let mut pair = self.probed(&probe, &new);
        pair.modulo.insert(probe.value());
        Ok(Question { obligations: vec![same_after(&ctx, &e, &between)], pairs: vec![pair] })
    }

    /// The procedure, and one that notes that a condition failed.
    fn probed(&self, probe: &Probe, new: &Proc) -> Pair {
        Pair { old: probe.start(&self.proc), new: probe.start(new), modulo: BTreeSet::new() }
    }
}

/// The sides of an equation.
fn sides(e: &Expr) -> Option<(&Expr, &Expr)> {
    if let ExprKind::Bin { op: BinOp::Eq, lhs, rhs } = &e.kind { Some((lhs, rhs)) } else { None }
}

fn only(b: &Block) -> Result<Stmt, String> {
    b.get(0).filter(|_| b.len() == 1).cloned().ok_or_else(|| "exactly one statement must be marked".into())
}

/// The control expression that a statement is about: its condition, its upper bound, its extent.
fn value_of(s: &Stmt) -> Option<Expr> {
    match s.kind.as_ref() {
        StmtKind::If { cond, .. } => Some(cond.clone()),
        StmtKind::For { hi, .. } => Some(hi.clone()),
        StmtKind::Alloc { typ, .. } => typ.shape.first().cloned(),
        StmtKind::Assign { idx, .. } | StmtKind::Reduce { idx, .. } => idx.first().cloned(),
        StmtKind::WriteConfig { rhs, .. } => Some(rhs.clone()),
        StmtKind::Pass | StmtKind::WindowStmt { .. } | StmtKind::Call { .. } => None,
    }
}

/// Values that the field may hold instead.
fn other_values(config: &Config, field: Name) -> Vec<Expr> {
    match config.field(field).map(|f| f.typ) {
        Some(FieldType::Control(ControlType::Bool)) => vec![boolean(false), boolean(true)],
        Some(FieldType::Control(ControlType::Size)) => [1, 2, 3, 7].map(int).into(),
        Some(FieldType::Control(_)) => [1, 0, 2, 3, 7].map(int).into(),
        Some(FieldType::Data(_)) | None => vec![data(4711, 0)],
    }
}

/// The names of the conditions that the table covers.
pub const CONDITIONS: [&str; 19] = [
    "commutes",
    "dead_after",
    "equal_exprs",
    "fission",
    "fuse_loops",
    "holds",
    "idempotent",
    "in_bounds",
    "nonnegative",
    "parallel",
    "positive",
    "remaining_globals",
    "remove_loop",
    "reorder_loops",
    "reverse_loop",
    "runs_at_least_once",
    "same_after",
    "shadows",
    "unread_after",
];

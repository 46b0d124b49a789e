//! The assignments to a buffer in some statements, each with the cells that its value is computed from. For conditions
//! under which writes may be made once more, or change places, since they write one value.

use super::formulas::bd;
use super::iteration::copy_of;
use super::values::{Form, Scalars, Value};
use crate::analysis::Analysis;
use crate::eff::eff_stmt;
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::lift::lift;
use crate::locset::{Base, Loc};
use crate::valg::val_g;
use rewright_semantics::ast::{Block, Expr, ExprKind, Stmt, StmtKind};

/// An assignment to a cell of the buffer, in some iteration of the loops inside.
pub(super) struct Write {
    /// It happens.
    pub(super) known: EffExpr,
    /// The cell.
    pub(super) at: Loc,
    /// What is assigned.
    value: Value,
}

impl Write {
    /// Where both happen and meet, they write one value: they compute the same of the same cells. `None` when they
    /// compute something else.
    pub(super) fn agrees_with(&self, other: &Write) -> Option<EffExpr> {
        let (own, others) = (&self.value.reads, &other.value.reads);
        let alike =
            self.value.form == other.value.form && own.iter().zip(others).all(|(a, b)| a.base == b.base);
        let same = |(a, b): (&Loc, &Loc)| {
            let each = a.idx.iter().zip(b.idx.iter()).map(|(i, j)| EffExpr::eq(i.clone(), j.clone()));
            EffExpr::and(each.collect::<Vec<_>>())
        };
        let met = EffExpr::and([self.known.clone(), other.known.clone(), same((&self.at, &other.at))]);
        let equal = EffExpr::and(own.iter().zip(others).map(same).collect::<Vec<_>>());
        alike.then(|| EffExpr::implies(EffExpr::maybe(met), EffExpr::definitely(equal)))
    }
}

/// Values of more cells than this are not compared: one that is used twice by the next is there twice.
const MOST_READS: usize = 128;

/// Where writes are looked for.
pub(super) struct Search<'a> {
    /// The summaries in use.
    pub(super) an: &'a Analysis,
    /// What is in scope around the statements.
    pub(super) outside: &'a Env,
    /// The root that is written.
    pub(super) base: Base,
    /// The roots whose cells have no lasting values.
    pub(super) changed: &'a [Base],
}

impl Search<'_> {
    /// All changes of the buffer by some statements that run in a state, if `known` holds; `None` when one of them is
    /// no assignment of a value that lasts.
    pub(super) fn writes(&self, env: &Env, known: EffExpr, b: &Block) -> Option<Vec<Write>> {
        let mut found = Walk { of: self, known: vec![known], scalars: Scalars::default(), found: Vec::new() };
        found.block(env, b)?;
        Some(found.found)
    }
}

struct Walk<'a> {
    of: &'a Search<'a>,
    known: Vec<EffExpr>,
    scalars: Scalars,
    found: Vec<Write>,
}

impl Walk<'_> {
    /// `None` when the buffer is changed in a way of which nothing is known here.
    fn block(&mut self, env: &Env, b: &Block) -> Option<()> {
        let mut env = env.clone();
        for s in b {
            self.stmt(&env, s)?;
            env = val_g(self.of.an, &env, s);
        }
        Some(())
    }

    fn stmt(&mut self, env: &Env, s: &Stmt) -> Option<()> {
        let changes = |a: &Effect| a.modified().bases().contains_key(&self.of.base);
        match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs } => {
                if self.scalars.get(*name).is_some() {
                    self.scalars.assign(*name, self.value(env, rhs));
                    return Some(());
                }
                let view = env.view(*name)?;
                if view.base == self.of.base {
                    let at = view.locate(&idx.iter().map(|e| lift(env, e)).collect::<Vec<_>>());
                    let value = self.value(env, rhs)?;
                    let known = EffExpr::and(self.known.iter().cloned());
                    self.found.push(Write { known, at, value });
                }
                Some(())
            }
            StmtKind::If { cond, body, orelse } => {
                let c = lift(env, cond);
                let before = self.scalars.clone();
                self.under([c.clone()], |search| search.block(env, body))?;
                self.scalars = before;
                self.under([EffExpr::not(c)], |search| search.block(env, orelse))?;
                // Which branch ran, nobody knows.
                [body, orelse].into_iter().for_each(|b| self.scalars.forget_changed(b));
                Some(())
            }
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                let x = copy_of(*iter);
                let runs = bd(&(lift(env, lo), lift(env, hi)), &x);
                let mut inside = env.clone();
                inside.bind(*iter, x);
                // An iteration before, or none at all, may have left something else.
                self.scalars.forget_changed(body);
                self.under([runs], |search| search.block(&inside, body))?;
                self.scalars.forget_changed(body);
                Some(())
            }
            StmtKind::Reduce { name, rhs, .. } => {
                self.scalars.add(*name, self.value(env, rhs));
                (!changes(&eff_stmt(self.of.an, env, s).0)).then_some(())
            }
            StmtKind::Call { args, .. } => {
                self.scalars.forget_passed(args);
                (!changes(&eff_stmt(self.of.an, env, s).0)).then_some(())
            }
            StmtKind::Alloc { name, typ, mem: _ } => {
                if typ.rank() == 0 {
                    self.scalars.allocate(*name, typ.elem);
                }
                Some(())
            }
            StmtKind::WriteConfig { .. } | StmtKind::Pass | StmtKind::WindowStmt { .. } => Some(()),
        }
    }

    fn under(
        &mut self,
        more: impl IntoIterator<Item = EffExpr>,
        f: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let before = self.known.len();
        self.known.extend(more);
        let done = f(self);
        self.known.truncate(before);
        done
    }

    /// How a value is computed; `None` when it depends on something else than cells, or on a cell that changes or is not
    /// there outside of the loop.
    fn value(&self, env: &Env, e: &Expr) -> Option<Value> {
        let mut reads = Vec::new();
        let form = self.form(env, e, &mut reads)?;
        (reads.len() <= MOST_READS).then_some(Value { form, reads })
    }

    fn form(&self, env: &Env, e: &Expr, out: &mut Vec<Loc>) -> Option<Form> {
        match &e.kind {
            ExprKind::Read { name, idx } => {
                if let Some(held) = self.scalars.get(*name) {
                    let Value { form, reads } = held?;
                    out.extend(reads);
                    return Some(form);
                }
                let view = env.view(*name).filter(|view| view.extents.len() == idx.len())?;
                if !self.lasts(view.base) || self.of.changed.contains(&view.base) {
                    return None;
                }
                out.push(view.locate(&idx.iter().map(|i| lift(env, i)).collect::<Vec<_>>()));
                Some(Form::Cell)
            }
            ExprKind::Lit(x) => Some(Form::Literal(x.clone())),
            ExprKind::Neg(a) => Some(Form::Neg(Box::new(self.form(env, a, out)?))),
            ExprKind::Bin { op, lhs, rhs } => {
                let both = [self.form(env, lhs, out)?, self.form(env, rhs, out)?];
                Some(Form::Bin(*op, Box::new(both)))
            }
            ExprKind::Extern { func, args } => {
                let args = args.iter().map(|a| self.form(env, a, out)).collect::<Option<Vec<_>>>()?;
                Some(Form::Extern(*func, args))
            }
            ExprKind::Not(_)
            | ExprKind::Window(_)
            | ExprKind::ReadConfig { .. }
            | ExprKind::Stride { .. } => None,
        }
    }

    /// Whether it is a root that is there around the statements.
    fn lasts(&self, base: Base) -> bool {
        match base {
            Base::Buffer(root) => self.of.outside.has_root(root),
            Base::Global(_) => false,
        }
    }
}

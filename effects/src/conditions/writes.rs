//! The assignments to a buffer in some statements, each with the cells that its value is computed from. For conditions
//! under which writes may be made once more, or change places, since they write one value.

use super::formulas::bd;
use super::iteration::copy_of;
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
    /// The value, as it is written.
    rhs: Expr,
    /// The cells that the value is computed from, in the order of the text.
    reads: Vec<Loc>,
}

impl Write {
    /// Where both happen and meet, they write one value: they compute the same of the same cells. `None` when they
    /// compute something else.
    pub(super) fn agrees_with(&self, other: &Write) -> Option<EffExpr> {
        let alike = same_form(&self.rhs, &other.rhs)
            && self.reads.iter().zip(&other.reads).all(|(a, b)| a.base == b.base);
        let same = |(a, b): (&Loc, &Loc)| {
            let each = a.idx.iter().zip(b.idx.iter()).map(|(i, j)| EffExpr::eq(i.clone(), j.clone()));
            EffExpr::and(each.collect::<Vec<_>>())
        };
        let met = EffExpr::and([self.known.clone(), other.known.clone(), same((&self.at, &other.at))]);
        let equal = EffExpr::and(self.reads.iter().zip(&other.reads).map(same).collect::<Vec<_>>());
        alike.then(|| EffExpr::implies(EffExpr::maybe(met), EffExpr::definitely(equal)))
    }
}

/// Whether two data expressions are equal up to the cells that they read.
fn same_form(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Read { .. }, ExprKind::Read { .. }) => true,
        (ExprKind::Lit(m), ExprKind::Lit(n)) => m == n,
        (ExprKind::Neg(a), ExprKind::Neg(b)) => same_form(a, b),
        (ExprKind::Bin { op, lhs, rhs }, ExprKind::Bin { op: o, lhs: l, rhs: r }) => {
            op == o && same_form(lhs, l) && same_form(rhs, r)
        }
        (ExprKind::Extern { func, args }, ExprKind::Extern { func: f, args: bs }) => {
            func == f && args.len() == bs.len() && args.iter().zip(bs.iter()).all(|(a, b)| same_form(a, b))
        }
        (
            ExprKind::Read { .. }
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Window(_)
            | ExprKind::Not(_)
            | ExprKind::ReadConfig { .. }
            | ExprKind::Stride { .. },
            _,
        ) => false,
    }
}

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
        let mut found = Walk { of: self, known: vec![known], found: Vec::new() };
        found.block(env, b)?;
        Some(found.found)
    }
}

struct Walk<'a> {
    of: &'a Search<'a>,
    known: Vec<EffExpr>,
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
                let view = env.view(*name)?;
                if view.base == self.of.base {
                    let at = view.locate(&idx.iter().map(|e| lift(env, e)).collect::<Vec<_>>());
                    let mut reads = Vec::new();
                    self.value(env, rhs, &mut reads)?;
                    let known = EffExpr::and(self.known.iter().cloned());
                    self.found.push(Write { known, at, rhs: rhs.clone(), reads });
                }
                Some(())
            }
            StmtKind::If { cond, body, orelse } => {
                let c = lift(env, cond);
                self.under([c.clone()], |search| search.block(env, body))?;
                self.under([EffExpr::not(c)], |search| search.block(env, orelse))
            }
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                let x = copy_of(*iter);
                let runs = bd(&(lift(env, lo), lift(env, hi)), &x);
                let mut inside = env.clone();
                inside.bind(*iter, x);
                self.under([runs], |search| search.block(&inside, body))
            }
            StmtKind::Reduce { .. } | StmtKind::Call { .. } => {
                (!changes(&eff_stmt(self.of.an, env, s).0)).then_some(())
            }
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => Some(()),
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

    /// Notes the cells that a value is computed from; `None` when it depends on something else, or on a cell that
    /// changes or is not there outside of the loop.
    fn value(&self, env: &Env, e: &Expr, out: &mut Vec<Loc>) -> Option<()> {
        match &e.kind {
            ExprKind::Read { name, idx } => {
                let view = env.view(*name).filter(|view| view.extents.len() == idx.len())?;
                if !self.lasts(view.base) || self.of.changed.contains(&view.base) {
                    return None;
                }
                out.push(view.locate(&idx.iter().map(|i| lift(env, i)).collect::<Vec<_>>()));
                Some(())
            }
            ExprKind::Lit(_) => Some(()),
            ExprKind::Neg(a) => self.value(env, a, out),
            ExprKind::Bin { op: _, lhs, rhs } => {
                self.value(env, lhs, out)?;
                self.value(env, rhs, out)
            }
            ExprKind::Extern { func: _, args } => args.iter().try_for_each(|a| self.value(env, a, out)),
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

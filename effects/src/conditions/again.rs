//! Loops that write the same values again: what a fused producer computes once more for each consumer. ASPLOS'25
//! Fig. 10; spec: [rule: conditions.loop-fusion-again].
//!
//! After `divide_with_recompute`, neighbouring pieces of a loop compute some cells twice. A piece then changes
//! cells that the consumer of the piece before has read, but only from a value to itself.

use super::loops::{Loop, bd, copy_of, eff_at};
use crate::context::Context;
use crate::eff::eff_stmt;
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::lift::lift;
use crate::locset::{Base, Loc};
use crate::valg::after_stmt;
use rewright_semantics::ast::{Block, Expr, ExprKind, Stmt, StmtKind};
use rewright_semantics::sym::Sym;

/// A buffer that a first loop fills, and a second loop reads.
pub(super) struct Again {
    /// Its root.
    pub(super) base: Base,
    /// Where it is, for any two iterations of the first loop, that a cell which both write gets one value; and a
    /// cell that iteration x2 of the second loop reads and x1 of the first writes is written by x2 of the first.
    pub(super) harmless: EffExpr,
}

/// What is asked where the second loop's iteration `x2` comes to run before the first loop's iteration `x1`, for
/// each buffer of which it makes sense: the first loop writes it by one assignment whose value depends on nothing that
/// either loop changes, and the second one only reads it. Neither loop writes a field.
pub(super) fn again(ctx: &Context, l1: &Loop<'_>, l2: &Loop<'_>, [x1, x2]: [&EffExpr; 2]) -> Vec<Again> {
    let an = &ctx.analysis;
    if !an.written_fields(l1.body).is_empty() || !an.written_fields(l2.body).is_empty() {
        return Vec::new();
    }
    let first = |x: &EffExpr| eff_at(ctx, &ctx.env, &[(l1.iter, x)], l1.body);
    let (at_x1, at_x2) = (first(x1), first(x2));
    let second = eff_at(ctx, &ctx.env, &[(l2.iter, x2)], l2.body);
    let changed: Vec<Base> =
        at_x1.modified().bases().into_keys().chain(second.modified().bases().into_keys()).collect();
    let read = second.reads().bases();
    let filled = at_x1.wr().bases().into_keys().filter(|b| {
        matches!(b, Base::Buffer(_)) && read.contains_key(b) && !second.modified().bases().contains_key(b)
    });
    filled
        .filter_map(|base| {
            let same = one_value(ctx, l1, base, &changed)?;
            let again = second.reads().only(base).for_all(|cell, is_read| {
                let both = EffExpr::and([is_read, at_x1.wr().contains(cell)]);
                EffExpr::implies(EffExpr::maybe(both), EffExpr::definitely(at_x2.wr().contains(cell)))
            });
            Some(Again { base, harmless: EffExpr::and([same, again]) })
        })
        .collect()
}

/// Any two writes to one cell of the buffer by the loop write one value.
fn one_value(ctx: &Context, l: &Loop<'_>, base: Base, changed: &[Base]) -> Option<EffExpr> {
    let write = || {
        let x = copy_of(l.iter);
        let mut env = ctx.env.clone();
        env.bind(l.iter, x.clone());
        let mut search =
            Search { ctx, base, changed, known: vec![bd(&l.bounds(&ctx.env), &x)], found: Vec::new() };
        search.block(&env, l.body)?;
        <[Write; 1]>::try_from(search.found).ok().map(|[write]| write)
    };
    let (one, other) = (write()?, write()?);
    let same = |(a, b): (&Loc, &Loc)| {
        let each = a.idx.iter().zip(b.idx.iter()).map(|(i, j)| EffExpr::eq(i.clone(), j.clone()));
        EffExpr::and(each.collect::<Vec<_>>())
    };
    let met = EffExpr::and([one.known, other.known, same((&one.at, &other.at))]);
    let equal = EffExpr::and(one.reads.iter().zip(&other.reads).map(same).collect::<Vec<_>>());
    Some(EffExpr::implies(EffExpr::maybe(met), EffExpr::definitely(equal)))
}

/// An assignment to a cell of the buffer, in some iteration.
struct Write {
    known: EffExpr,
    at: Loc,
    /// The cells that the value is computed from, in the order of the text.
    reads: Vec<Loc>,
}

struct Search<'a> {
    ctx: &'a Context,
    base: Base,
    changed: &'a [Base],
    known: Vec<EffExpr>,
    found: Vec<Write>,
}

impl Search<'_> {
    /// `None` when the buffer is changed in a way of which nothing is known here.
    fn block(&mut self, env: &Env, b: &Block) -> Option<()> {
        let mut env = env.clone();
        for s in b {
            self.stmt(&env, s)?;
            env = after_stmt(&self.ctx.analysis, &env, s);
        }
        Some(())
    }

    fn stmt(&mut self, env: &Env, s: &Stmt) -> Option<()> {
        let changes = |a: &Effect| a.modified().bases().contains_key(&self.base);
        match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs } => {
                let view = env.view(*name)?;
                if view.base == self.base {
                    let at = view.locate(&idx.iter().map(|e| lift(env, e)).collect::<Vec<_>>());
                    let mut reads = Vec::new();
                    self.value(env, rhs, &mut reads)?;
                    self.found.push(Write { known: EffExpr::and(self.known.iter().cloned()), at, reads });
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
                (!changes(&eff_stmt(&self.ctx.analysis, env, s).0)).then_some(())
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
                let lasting = matches!(view.base, Base::Buffer(root) if self.lasts(root));
                if !lasting || self.changed.contains(&view.base) {
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

    /// Whether the root is there before the loop.
    fn lasts(&self, root: Sym) -> bool {
        self.ctx.env.has_root(root)
    }
}

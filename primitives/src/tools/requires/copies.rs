//! Parts of a loop of which one run is enough: copies of cells that are copied back, and copies that are overwritten by the next
//! run. Spec: [rule: fission].
//!
//! What is asked of syntax here keeps the places that are copied the same in every state: no field is read, and nothing but
//! variables of loops and sizes says which cells they are.

use crate::tools::requires::within;
use crate::tools::syntax::operand;
use crate::tools::syntax::stmt_views::{For, If};
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::eff::eff_block;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::locset::Base;
use rewright_effects::names::{fields_in_block, free_names};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Block, Expr, ExprKind, LoopMode, Stmt, StmtKind};
use rewright_semantics::build::{and, boolean, eq, not, or};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::subst::rename_expr;
use rewright_semantics::types::env::TypeEnv;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Of `for x: s1; s2`, why only the last run of `s2` does anything: it does not mention `x` and reads nothing that it changes,
/// what it assigns it assigns in every run, and `s1` touches nothing of that.
pub fn only_last_runs(ctx: &Context, l: &For, first: &Block, second: &Block) -> Option<Obligation> {
    let mut assigned = BTreeSet::new();
    if free_names(second).contains(&l.iter) || reads_field(second) || !assigns_alone(second, &mut assigned) {
        return None;
    }
    let env = within::iteration(ctx, l).env;
    let touched = eff_block(&ctx.analysis, &env, first).all().bases();
    let read = eff_block(&ctx.analysis, &env, second).reads().bases();
    let bases = assigned.iter().map(|x| Some(env.view(*x)?.base)).collect::<Option<BTreeSet<Base>>>()?;
    let apart = bases.iter().all(|b| !touched.contains_key(b) && !read.contains_key(b));
    let sentence =
        "the second part assigns the same cells in every iteration, and the first does not touch them";
    apart.then(|| ctx.obligation(ConditionId("loop.fission"), sentence, EffExpr::bool(true)))
}

/// Of `for x: s1; s2`, why only the first run of `s1` does anything: it copies cells, which `s2` copies back at its end, and what
/// `s2` changes of the copies in between it changes right before. What is left to prove: the places that are copied from are
/// the same where those that are copied to are.
pub fn only_first_runs(
    ctx: &Context,
    env: &TypeEnv,
    l: &For,
    first: &Block,
    second: &Block,
) -> Option<Obligation> {
    let load = Nest::of(first);
    let store = Nest::deep(second.last()?, load.levels.len())?;
    let (last, between) = store.body.split_last()?;
    let (to, from) = (copy(load.body.first()?)?, copy(last)?);
    let by: FxHashMap<Sym, Sym> = load.iters().zip(store.iters()).collect();
    let apart = by.len() == load.iters().count();
    let same_levels = load.levels.iter().zip(&store.levels).all(|(a, b)| match (a, b) {
        (Level::Loop(a), Level::Loop(b)) => {
            rename_expr(&a.lo, &by) == b.lo && rename_expr(&a.hi, &by) == b.hi
        }
        (Level::Guard(a), Level::Guard(b)) => rename_expr(&a.cond, &by) == b.cond,
        (Level::Loop(_), Level::Guard(_)) | (Level::Guard(_), Level::Loop(_)) => false,
    });
    let there = |es: &[Expr]| es.iter().map(|e| rename_expr(e, &by)).collect::<Vec<_>>();
    let mirrored = (to.from, to.into) == (from.into, from.from)
        && there(to.into_idx) == from.from_idx
        && there(to.from_idx) == from.into_idx;
    let same_type = operand::target(env, load.body.first()?)? == operand::target(env, last)?;
    let one_body = load.body.len() == 1 && l.mode == LoopMode::Seq;
    let stable = !free_names(first).contains(&l.iter) && !reads_field(first);
    if !(apart && same_levels && mirrored && same_type && one_body && stable) {
        return None;
    }
    let inside = within::iteration(ctx, l);
    let base = |x: Sym| inside.env.view(x).map(|view| view.base);
    let (copies, originals) = (base(to.into)?, base(to.from)?);
    let keeps = |s: &Stmt| {
        changes_only(s, &store.iters().collect(), &|x, idx| {
            (x == to.into && idx == from.from_idx) || base(x).is_some_and(|b| b != copies && b != originals)
        })
    };
    if copies == originals || !between.iter().all(keeps) {
        return None;
    }
    Some(one_place_for_one(&inside, &load, &to))
}

/// Two iterations of a nest copy to one place exactly if they copy from one.
fn one_place_for_one(ctx: &Context, load: &Nest, copied: &Copy<'_>) -> Obligation {
    let (ctx, one) = load.anew(ctx);
    let (ctx, two) = load.anew(&ctx);
    let same = |es: &[Expr]| {
        let pairs = es.iter().map(|e| eq(rename_expr(e, &one), rename_expr(e, &two)));
        pairs.reduce(and).unwrap_or_else(|| boolean(true))
    };
    let (into, from) = (same(copied.into_idx), same(copied.from_idx));
    let sentence = "two iterations of the load copy to one place exactly if they copy from one";
    let holds = conditions::holds(&ctx, &and(or(not(into.clone()), from.clone()), or(not(from), into)));
    Obligation { sentence: sentence.to_owned(), ..holds }
}

/// Sequential loops and guards without `else`, each alone in the one around it, and what is in the innermost.
struct Nest {
    levels: Vec<Level>,
    body: Vec<Stmt>,
}

enum Level {
    Loop(For),
    Guard(If),
}

impl Level {
    fn of(s: &Stmt) -> Option<Level> {
        let guard = || If::of(s).filter(|g| g.orelse.is_empty()).map(Level::Guard);
        For::of(s).filter(|l| l.mode == LoopMode::Seq).map(Level::Loop).or_else(guard)
    }

    fn body(&self) -> &Block {
        match self {
            Level::Loop(l) => &l.body,
            Level::Guard(g) => &g.body,
        }
    }
}

impl Nest {
    /// As deep as it goes.
    fn of(b: &Block) -> Nest {
        let mut nest = Nest { levels: Vec::new(), body: b.iter().cloned().collect() };
        while nest.enter().is_some() {}
        nest
    }

    /// So many levels deep.
    fn deep(s: &Stmt, levels: usize) -> Option<Nest> {
        let mut nest = Nest { levels: Vec::new(), body: vec![s.clone()] };
        while nest.levels.len() < levels {
            nest.enter()?;
        }
        Some(nest)
    }

    /// One level deeper, where there is one.
    fn enter(&mut self) -> Option<()> {
        let [s] = self.body.as_slice() else { return None };
        let level = Level::of(s)?;
        self.body = level.body().iter().cloned().collect();
        self.levels.push(level);
        Some(())
    }

    fn loops(&self) -> impl Iterator<Item = &For> + '_ {
        self.levels.iter().filter_map(|level| match level {
            Level::Loop(l) => Some(l),
            Level::Guard(_) => None,
        })
    }

    fn iters(&self) -> impl Iterator<Item = Sym> + '_ {
        self.loops().map(|l| l.iter)
    }

    /// Any iteration, with variables of its own, whatever the guards say.
    fn anew(&self, ctx: &Context) -> (Context, FxHashMap<Sym, Sym>) {
        let (mut ctx, mut by) = (ctx.clone(), FxHashMap::default());
        for l in self.loops() {
            let (lo, hi) = (rename_expr(&l.lo, &by), rename_expr(&l.hi, &by));
            let iter = l.iter.renewed();
            ctx = within::iteration(&ctx, &For { iter, lo, hi, body: Block::new(), ..l.clone() });
            by.insert(l.iter, iter);
        }
        (ctx, by)
    }
}

/// `r[i] = c[j]`
struct Copy<'a> {
    into: Sym,
    into_idx: &'a [Expr],
    from: Sym,
    from_idx: &'a [Expr],
}

fn copy(s: &Stmt) -> Option<Copy<'_>> {
    let StmtKind::Assign { name: into, idx: into_idx, rhs } = s.kind.as_ref() else { return None };
    let ExprKind::Read { name: from, idx: from_idx } = &rhs.kind else { return None };
    Some(Copy { into: *into, into_idx, from: *from, from_idx })
}

fn reads_field(b: &Block) -> bool {
    let mut found = false;
    fields_in_block(b, &mut |_, _| found = true);
    found
}

/// Whether statements are assignments in sequential loops and guards; what they assign.
fn assigns_alone(b: &Block, out: &mut BTreeSet<Sym>) -> bool {
    b.iter().all(|s| match s.kind.as_ref() {
        StmtKind::Assign { name, .. } => {
            out.insert(*name);
            true
        }
        StmtKind::For { body, mode: LoopMode::Seq, .. } => assigns_alone(body, out),
        StmtKind::If { cond: _, body, orelse } => assigns_alone(body, out) && assigns_alone(orelse, out),
        StmtKind::For { mode: LoopMode::Par, .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => false,
    })
}

/// Whether a statement changes cells that are allowed, and nothing else, and no loop in it hides a variable of those around it.
fn changes_only(s: &Stmt, around: &BTreeSet<Sym>, allowed: &dyn Fn(Sym, &[Expr]) -> bool) -> bool {
    let all = |b: &Block| b.iter().all(|s| changes_only(s, around, allowed));
    match s.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs: _ } | StmtKind::Reduce { name, idx, rhs: _ } => {
            allowed(*name, idx)
        }
        StmtKind::For { iter, body, .. } => !around.contains(iter) && all(body),
        StmtKind::If { cond: _, body, orelse } => all(body) && all(orelse),
        StmtKind::Pass => true,
        StmtKind::WriteConfig { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => false,
    }
}

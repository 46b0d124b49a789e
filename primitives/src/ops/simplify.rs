//! ```text
//! x[(4 * io + ii) / 4] = 1.0 * y    ~>   x[io] = y         where 0 <= ii < 4
//! for i in seq(n, n): s             ~>
//! if i < n: s else: t               ~>   s                 where i < n
//! if e: pass                        ~>
//! ```
//! All over the procedure, under what is known at each place from assertions, guards, loops and fields: control
//! expressions become shorter ones of the same value, loops that never run and branches that are never taken go,
//! and so do loops and guards in which there is nothing but `pass`, and assertions of literals alone. Of data,
//! `0 + e`, `1 * e`, `e / 1` and `-(-e)` become `e`, `0 - e` becomes `-e`, and arithmetic on small literals is done:
//! exact in every precision, but for the sign of a zero. `0 * e` stays. What the rules find stays found: simplifying
//! twice is simplifying once. With `ordered`, sums of variables are written in one order, a constant first: `x[1 + i]`,
//! other sums stay, loops and branches go only where literals show that they do not run, guards are equations that are read word for
//! word, and all is done once, as in Exo. Never refuses.
//!
//! Source: ASPLOS'25 App. A.6. Spec: [rule: simplify].

use super::eliminate_dead_code::{always_holds, keep_branch, never_holds, never_runs};
use crate::cursor::path::{ExprPath, ExprStep, Hole, Step, child};
use crate::edit::Head;
use crate::error::{Error, Result};
use crate::kept::Parts;
use crate::registry::{self, ArgKind, Condition, Exact, Primitive, condition, optional};
use crate::rewrite::{Rewrite, WELL_TYPED};
use crate::tools::requires::equal::{equal_here, fields};
use crate::tools::requires::noop::does_nothing;
use crate::tools::requires::within;
use crate::tools::syntax::operand::{Numbers, common, target};
use crate::tools::syntax::simplify::{Simplifier, differences, equations};
use crate::tools::syntax::stmt_views::{For, If};
use crate::version::Proc;
use crate::version::session::Session;
use rewright_effects::context::Context;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::env::Field;
use rewright_effects::names::expr_names;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{self, BinOp, Block, Expr, ExprKind, Stmt, StmtKind};
use rewright_semantics::build::boolean;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_child, each_operand};
use rewright_semantics::types::{ArgType, DataType};
use std::cell::RefCell;
use std::collections::BTreeSet;

const EQUAL: Condition = condition("equal", "each control expression has the value of the one it stands for");
const DECIDED: Condition = condition("decided", "each branch that goes is never taken");
const NEVER_RUNS: Condition = condition("never_runs", "each loop that goes has no iterations");
const PRECISION: Condition = condition("precision", "where data changes, all is floating or all is integer");

/// The entry of [`simplify`].
pub static SIMPLIFY: Primitive = Primitive {
    name: "simplify",
    summary: "shortens expressions and removes what never runs, all over the procedure",
    source: "ASPLOS'25 App. A.6",
    params: &[optional("ordered", ArgKind::Bool, registry::Default::Bool(false))],
    conditions: &[EQUAL, DECIDED, NEVER_RUNS, PRECISION],
    exact: Exact::Never,
    run: |p, args| passes(p, args.bool("ordered")?),
};

/// Each pass may show something to the next: a branch that goes, and with it a write to a field. Few programs
/// need more than two.
const MOST_PASSES: usize = 16;

/// Shortens expressions and removes what never runs.
///
/// # Errors
/// None but bugs.
pub fn simplify(p: &Proc) -> Result<Proc> {
    passes(p, false)
}

fn passes(p: &Proc, ordered: bool) -> Result<Proc> {
    let mut p = p.clone();
    // Exo makes one.
    let most = if ordered { 1 } else { MOST_PASSES };
    for n in 0..most {
        match pass(&p, ordered)? {
            Some(next) => p = next,
            None if n == 0 => {
                let mut rw = Rewrite::new(&p, &SIMPLIFY);
                if ordered {
                    rw.arg("ordered", ordered);
                }
                return rw.finish();
            }
            None => break,
        }
    }
    Ok(p)
}

impl Proc {
    /// Shortens expressions and removes what never runs, all over the procedure: [`simplify`](fn@simplify).
    ///
    /// # Errors
    /// As the function.
    pub fn simplify(&self) -> Result<Proc> {
        simplify(self)
    }
}

/// How much may be changed. The type checker knows less than the solver, and may not follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Indices, bounds, conditions, and right-hand sides.
    Values,
    /// Also branches and loops.
    Statements,
    /// Also extents, windows and arguments.
    Shapes,
}

/// One pass over the procedure; nothing when there is nothing to shorten.
fn pass(p: &Proc, ordered: bool) -> Result<Option<Proc>> {
    for reach in [Reach::Shapes, Reach::Statements, Reach::Values] {
        let mut rw = Rewrite::new(p, &SIMPLIFY);
        if ordered {
            rw.arg("ordered", ordered);
        }
        let start = if ordered { unasserted(p, &rw)? } else { rw.context(&entry())? };
        let mut found = Found::default();
        if !ordered {
            for e in &p.ast().preds {
                equations(e, &mut found.known);
            }
        }
        let guards = Vec::new();
        let mut walk = Walk { p, reach, ordered, found, guards, shortened: RefCell::default() };
        let preds = if reach == Reach::Shapes { walk.assertions(&rw)? } else { None };
        walk.block(&start, &p.ast().body, &mut |k| vec![Step::Body(k)]);
        let Found { changes, equal, decided, never_runs, precision, known: _ } = walk.found;
        if changes.is_empty() && preds.is_none() {
            return Ok(None);
        }
        rw.require(&EQUAL, equal)?;
        rw.require(&DECIDED, decided)?;
        rw.require(&NEVER_RUNS, never_runs)?;
        rw.require_that(&PRECISION, precision, || crate::tools::syntax::operand::MIXED)?;
        // From the last to the first, inner ones before outer ones: no change moves the place of one to come.
        for change in changes.into_iter().rev() {
            change.make(&mut rw);
        }
        if let Some(preds) = preds {
            let same = (0..p.ast().args.len()).map(Some).collect();
            rw.set_head(Head { preds, ..Head::of(p.ast()) }, same);
        }
        match rw.finish() {
            Err(Error::Scheduling(e)) if e.condition == WELL_TYPED.id => {}
            done => return done.map(Some),
        }
    }
    Ok(None)
}

fn entry() -> Hole {
    Hole { path: vec![Step::Body(0)], len: 0 }
}

/// Where the body begins, with nothing known of what is asserted.
fn unasserted(p: &Proc, rw: &Rewrite) -> Result<Context> {
    if p.ast().preds.is_empty() {
        return rw.context(&entry());
    }
    let bare = ast::Proc { preds: Vec::new(), ..p.ast().as_ref().clone() };
    let found = Context::of(p.session().analysis(), &bare, &entry());
    found.ok_or_else(|| rw.internal("a procedure without a beginning"))
}

/// The fields and strides that an expression reads. An assertion goes on reading them: it says that a field is set, and
/// `set_window` changes what is known of a stride.
fn reads(e: &Expr) -> (BTreeSet<Field>, BTreeSet<(Sym, usize)>) {
    let mut strides = BTreeSet::new();
    strides_in(e, &mut strides);
    (fields(e).into_iter().collect(), strides)
}

fn strides_in(e: &Expr, out: &mut BTreeSet<(Sym, usize)>) {
    out.extend(e.kind.stride_of());
    each_child(e, &mut |_, inner| strides_in(inner, out));
}

/// A change, in the places of the procedure as given.
enum Change {
    Expr(ExprPath, Expr),
    Branch(Vec<Step>, bool),
    Delete(Vec<Step>),
}

impl Change {
    fn make(self, rw: &mut Rewrite) {
        match self {
            Change::Expr(at, new) => rw.replace_expr(&at, new, Parts::value()),
            Change::Branch(path, body) => keep_branch(rw, &path, body),
            Change::Delete(path) => rw.delete(&Hole::stmt(path)),
        }
    }
}

struct Found {
    changes: Vec<Change>,
    equal: Vec<Obligation>,
    decided: Vec<Obligation>,
    never_runs: Vec<Obligation>,
    precision: bool,
    /// Equations with a constant that may hold at the place.
    known: Vec<(Expr, i64)>,
}

impl Default for Found {
    fn default() -> Found {
        Found {
            changes: Vec::new(),
            equal: Vec::new(),
            decided: Vec::new(),
            never_runs: Vec::new(),
            precision: true,
            known: Vec::new(),
        }
    }
}

/// Whether the condition holds, or is not asked for.
fn granted(session: &Session, condition: &Condition, ob: &Obligation) -> bool {
    session.omits(SIMPLIFY.name, condition.id) || session.decide(ob).is_proved()
}

struct Walk<'a> {
    p: &'a Proc,
    reach: Reach,
    /// Whether sums of variables are brought into one order, and what literals do not decide stays.
    ordered: bool,
    found: Found,
    /// What the guards around the place say.
    guards: Vec<EffExpr>,
    /// What control expressions of the statement at hand become, each with what that rests on.
    shortened: RefCell<Vec<(Expr, Expr, Vec<Obligation>)>>,
}

/// From the index of a statement in its block to its path.
type At<'a> = &'a mut dyn FnMut(usize) -> Vec<Step>;

impl Walk<'_> {
    /// Shorter assertions, each by itself; nothing where all stay.
    fn assertions(&mut self, rw: &Rewrite) -> Result<Option<Vec<Expr>>> {
        let old = &self.p.ast().preds;
        if old.is_empty() {
            return Ok(None);
        }
        let ctx = unasserted(self.p, rw)?;
        let mut preds = Vec::new();
        for e in old {
            let (new, used) = self.control(&ctx, e);
            let holds = new.kind == boolean(true).kind;
            // What holds of all sizes is worth saying to readers and to C compilers.
            let is_said = !self.ordered && holds && !expr_names(e).is_empty();
            if new == *e || is_said || reads(&new) != reads(e) {
                preds.push(e.clone());
                continue;
            }
            self.found.equal.extend(used);
            if self.ordered || !holds {
                preds.push(new);
            }
        }
        self.shortened.take();
        Ok((preds != *old).then_some(preds))
    }

    fn block(&mut self, ctx: &Context, b: &Block, at: At<'_>) {
        let mut ctx = ctx.clone();
        for (k, s) in b.iter().enumerate() {
            self.stmt(&ctx, s, &at(k));
            ctx = within::after(&ctx, s);
        }
    }

    fn stmt(&mut self, ctx: &Context, s: &Stmt, path: &[Step]) {
        let structural = self.reach >= Reach::Statements;
        self.shortened.take();
        match (For::of(s), If::of(s)) {
            (None, None) => self.operands(ctx, s, path),
            _ if structural && !self.ordered && does_nothing(s) => {
                self.found.changes.push(Change::Delete(path.to_vec()))
            }
            (Some(l), _) => {
                if structural && (!self.ordered || self.same_number(ctx, &l.lo, &l.hi)) {
                    let empty = never_runs(ctx, &l);
                    if granted(self.p.session(), &NEVER_RUNS, &empty) {
                        self.found.never_runs.push(empty);
                        self.found.changes.push(Change::Delete(path.to_vec()));
                        return;
                    }
                }
                self.operands(ctx, s, path);
                self.iteration(ctx, &l, path);
            }
            (None, Some(guard)) => self.guard(ctx, s, &guard, path, structural),
        }
    }

    fn guard(&mut self, ctx: &Context, s: &Stmt, guard: &If, path: &[Step], structural: bool) {
        let branch = |walk: &mut Self, body: bool| {
            let (known, around) = (walk.found.known.len(), walk.guards.len());
            if body {
                walk.told(ctx, &guard.cond);
            }
            let said = ctx.ctrl_pred.len();
            let ctx = within::branch(ctx, guard, body);
            walk.guards.extend(ctx.ctrl_pred.iter().skip(said).cloned());
            let (b, step) =
                if body { (&guard.body, Step::Body(0)) } else { (&guard.orelse, Step::Orelse(0)) };
            walk.block(&ctx, b, &mut |k| child(path, step.at(k)));
            walk.found.known.truncate(known);
            walk.guards.truncate(around);
        };
        let literal = (structural && self.ordered).then(|| self.control(ctx, &guard.cond).0);
        for body in [true, false] {
            if !structural || literal.as_ref().is_some_and(|l| l.kind != boolean(body).kind) {
                continue;
            }
            let decided = if body { always_holds(ctx, &guard.cond) } else { never_holds(ctx, &guard.cond) };
            if granted(self.p.session(), &DECIDED, &decided) {
                self.found.decided.push(decided);
                self.found.changes.push(Change::Branch(path.to_vec(), body));
                branch(self, body);
                return;
            }
        }
        self.operands(ctx, s, path);
        branch(self, true);
        branch(self, false);
    }

    /// Notes the equations of a guard. Where sums are to be in order, one that is all of it, also as it comes out.
    fn told(&mut self, ctx: &Context, cond: &Expr) {
        if !self.ordered {
            equations(cond, &mut self.found.known);
            return;
        }
        let shortened = self.control(ctx, cond).0;
        for cond in [&shortened, cond] {
            if let ExprKind::Bin { op: BinOp::Eq, .. } = cond.kind {
                equations(cond, &mut self.found.known);
            }
        }
    }

    /// What is known at a place but for the guards around it, where sums are to be in order.
    fn but_for_guards(&self, ctx: &Context) -> Option<Context> {
        self.ordered.then(|| {
            let mut bare = ctx.clone();
            for said in self.guards.iter().rev() {
                if let Some(k) = bare.ctrl_pred.iter().rposition(|known| known == said) {
                    bare.ctrl_pred.remove(k);
                }
            }
            bare
        })
    }

    /// A shorter control expression, and what that rests on.
    fn control(&self, ctx: &Context, e: &Expr) -> (Expr, Vec<Obligation>) {
        if let Some((_, new, used)) = self.shortened.borrow().iter().find(|(of, _, _)| of == e) {
            return (new.clone(), used.clone());
        }
        let decide = |ob: &Obligation| granted(self.p.session(), &EQUAL, ob);
        let simplifier = Simplifier::new(self.p.session(), ctx, &decide, &self.found.known);
        let simplifier = simplifier.ordering(self.but_for_guards(ctx));
        let new = simplifier.checked(e);
        let used = simplifier.used();
        self.shortened.borrow_mut().push((e.clone(), new.clone(), used.clone()));
        (new, used)
    }

    /// Whether two bounds are seen to be one number.
    fn same_number(&self, ctx: &Context, lo: &Expr, hi: &Expr) -> bool {
        let (lo, _) = self.control(ctx, lo);
        matches!(lo.kind, ExprKind::Lit(_)) && lo.kind == self.control(ctx, hi).0.kind
    }

    fn iteration(&mut self, ctx: &Context, l: &For, path: &[Step]) {
        let ctx = within::iteration(ctx, l);
        self.block(&ctx, &l.body, &mut |k| child(path, Step::Body(k)));
    }

    /// The expressions of a statement itself.
    fn operands(&mut self, ctx: &Context, s: &Stmt, path: &[Step]) {
        let shapes = match s.kind.as_ref() {
            StmtKind::Alloc { .. } | StmtKind::WindowStmt { .. } | StmtKind::Call { .. } => true,
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. } => false,
        };
        if shapes && self.reach < Reach::Shapes {
            return;
        }
        let mut operands = Vec::new();
        each_operand(s, &mut |step, e| operands.push((step, e)));
        for (step, e) in operands {
            self.operand(ctx, s, path, step, e);
        }
    }

    fn operand(&mut self, ctx: &Context, s: &Stmt, path: &[Step], step: ExprStep, e: &Expr) {
        let known = self.found.known.clone();
        let session = self.p.session();
        let decide = |ob: &Obligation| granted(session, &EQUAL, ob);
        let simplifier = Simplifier::new(session, ctx, &decide, &known).ordering(self.but_for_guards(ctx));
        let sort = self.numbers(s, path, step, e);
        let new = match sort {
            Sort::Control => {
                let (new, used) = self.control(ctx, e);
                self.found.equal.extend(used);
                new
            }
            Sort::Reference => simplifier.data(e, None),
            Sort::Data { common, target } => {
                let omitted = session.omits(SIMPLIFY.name, PRECISION.id).then(|| Numbers::of(target));
                self.found.precision &= common.is_some() || omitted.is_none();
                simplifier.data(e, common.or(omitted))
            }
        };
        let stmt = path.to_vec();
        // The whole has its value; a part of it need not have that of what stands in its place.
        let plain = Simplifier::new(session, ctx, &decide, &known).ordering(self.but_for_guards(ctx));
        let mut same = |a: &Expr, b: &Expr| match sort {
            Sort::Control => granted(session, &EQUAL, &equal_here(session, ctx, a, b)),
            Sort::Reference => plain.data(a, None) == *b,
            Sort::Data { common, target: _ } => plain.data(a, common) == *b || plain.checked(a) == *b,
        };
        for (mut steps, with) in differences(e, &new, &mut same) {
            steps.insert(0, step);
            self.found.changes.push(Change::Expr(ExprPath { stmt: stmt.clone(), steps }, with));
        }
        self.found.equal.extend(simplifier.used());
    }

    fn numbers(&self, s: &Stmt, path: &[Step], step: ExprStep, e: &Expr) -> Sort {
        match (s.kind.as_ref(), step) {
            (StmtKind::Call { proc, args: _ }, ExprStep::Arg(k)) => match proc.args.get(k).map(|a| &a.typ) {
                Some(ArgType::Control(_)) => Sort::Control,
                Some(ArgType::Data { .. }) | None => Sort::Reference,
            },
            (_, ExprStep::Rhs) => {
                let written = self.p.env_at(path).and_then(|env| Some((target(&env, s)?, env)));
                written.map_or(Sort::Control, |(target, env)| Sort::Data {
                    common: common(&env, target, [e]),
                    target,
                })
            }
            _ => Sort::Control,
        }
    }
}

/// What an operand is.
enum Sort {
    Control,
    /// A buffer or cell that is passed.
    Reference,
    Data {
        /// What is computed with; nothing where integers and floating-point numbers mix.
        common: Option<Numbers>,
        /// The type of what it is written to.
        target: DataType,
    },
}

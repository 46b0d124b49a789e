//! What App. F derives from a context: CtrlPred, PreValG and PostEff, each by cases on the context.
//! Spec: [rule: contexts].
//!
//! Each takes γ at the start of the context and yields its result in terms of the values on entry, like the analyses
//! that it stands on. What is in the hole belongs to the context.

use super::Step;
use crate::analysis::Analysis;
use crate::eff::{eff_iterations, eff_stmts};
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::lift::lift;
use crate::valg::{LoopFlow, val_g, val_g_block, val_g_first};
use rewright_semantics::ast::{Block, Expr, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use std::ops::Range;
use std::sync::OnceLock;

/// C: a statement with a hole, and what is in the hole. Def. 6.1.
#[derive(Debug)]
pub(super) enum Ctxt {
    /// `•`
    Hole(Block),
    /// `s1; C; s2`: of a block, what stands before a range and after it.
    Seq { block: Block, range: Range<usize>, inner: Inner },
    /// `if e: C else: s`
    If { cond: Expr, inner: Inner },
    /// `if e: s else: C`
    Else { cond: Expr, inner: Inner },
    /// `for x in lo..hi: C`
    For { x: Sym, lo: Expr, hi: Expr, inner: Inner, whole: Stmt, body: Block },
}

/// The C inside.
#[derive(Debug)]
pub(super) struct Inner {
    ctxt: Box<Ctxt>,
    /// γ at its start, once someone has asked: all who ask do so from one γ, that on entry to the procedure.
    start: OnceLock<Env>,
}

impl Inner {
    fn start(&self, make: impl FnOnce() -> Env) -> &Env {
        self.start.get_or_init(make)
    }
}

/// CtrlPred⟦C⟧γ: the condition under which the hole is reached, as conjuncts, outermost first. Def. F.1.
pub(super) fn ctrl_pred(an: &Analysis, c: &Ctxt, g: &Env) -> Vec<EffExpr> {
    let (mut known, inner, start) = match c {
        Ctxt::Hole(_) => return Vec::new(),
        Ctxt::Seq { block, range, inner } => {
            (Vec::new(), inner, inner.start(|| val_g_first(an, g, block, range.start)))
        }
        Ctxt::If { cond, inner } => (vec![lift(g, cond)], inner, g),
        Ctxt::Else { cond, inner } => (vec![EffExpr::not(lift(g, cond))], inner, g),
        Ctxt::For { x, lo, hi, inner, body, whole: _ } => {
            let start = inner.start(|| start_of_iteration(an, g, *x, lo, body));
            let at = start.local(*x);
            let bd = vec![EffExpr::le(lift(g, lo), at.clone()), EffExpr::lt(at, lift(g, hi))];
            (bd, inner, start)
        }
    };
    known.extend(ctrl_pred(an, &inner.ctxt, start));
    known
}

/// PreValG⟦C⟧γ: the fields just before the hole, with the names in scope there. Def. F.2.
pub(super) fn pre_val_g(an: &Analysis, c: &Ctxt, g: &Env) -> Env {
    match c {
        Ctxt::Hole(_) => g.clone(),
        Ctxt::Seq { block, range, inner } => {
            pre_val_g(an, &inner.ctxt, inner.start(|| val_g_first(an, g, block, range.start)))
        }
        Ctxt::If { cond: _, inner } | Ctxt::Else { cond: _, inner } => pre_val_g(an, &inner.ctxt, g),
        Ctxt::For { x, lo, hi: _, inner, body, whole: _ } => {
            pre_val_g(an, &inner.ctxt, inner.start(|| start_of_iteration(an, g, *x, lo, body)))
        }
    }
}

/// PostEff⟦C⟧γ: the effect of what runs after the hole, given that the hole runs; and γ at the end of C. Def. F.3, but
/// for what [E-13] says.
pub(super) fn post_eff(an: &Analysis, c: &Ctxt, g: &Env) -> (Effect, Env) {
    match c {
        Ctxt::Hole(s) => (Effect::Empty, val_g_block(an, g, s)),
        Ctxt::Seq { block, range, inner } => {
            let start = inner.start(|| val_g_first(an, g, block, range.start));
            let (a, after) = post_eff(an, &inner.ctxt, start);
            let (later, end) = eff_stmts(an, &after, stmts_after(block, range));
            (Effect::seq([a, later]), end)
        }
        Ctxt::If { cond: _, inner } | Ctxt::Else { cond: _, inner } => {
            let (a, after) = post_eff(an, &inner.ctxt, g);
            (scoped(a), g.with_globals(after.globals))
        }
        Ctxt::For { x, lo, hi, inner, body, whole } => {
            let start = inner.start(|| start_of_iteration(an, g, *x, lo, body));
            let (a, after) = post_eff(an, &inner.ctxt, start);
            // The iterations to come start from where this one ends.
            let next = EffExpr::add(start.local(*x), EffExpr::int(1));
            let from = g.with_globals(after.globals);
            let others = eff_iterations(an, &from, *x, (&next, &lift(g, hi)), body);
            (Effect::seq([scoped(a), others]), val_g(an, g, whole))
        }
    }
}

/// γ at the start of one iteration of a loop, any one: its number is a free variable from here on, and the value of the
/// loop's variable.
fn start_of_iteration(an: &Analysis, g: &Env, x: Sym, lo: &Expr, body: &Block) -> Env {
    // The program's own variable, for the reader's sake, unless it is taken.
    let at = EffExpr::int_var(if g.binds(x) { x.renewed() } else { x });
    let mut start = LoopFlow::of(an, g, x, &lift(g, lo), body).before(g, &at);
    start.bind(x, at);
    start
}

/// A block of its own: what it allocates ends with it.
fn scoped(a: Effect) -> Effect {
    Effect::guard(EffExpr::bool(true), a)
}

fn stmts_after<'a>(block: &'a Block, range: &Range<usize>) -> impl Iterator<Item = &'a Stmt> {
    block.focus().narrow(range.end..block.len()).into_iter()
}

impl Ctxt {
    /// The context of so many statements at the end of a path into the body of a procedure; `None` when the path leads
    /// nowhere.
    pub(super) fn of(body: &Block, path: &[Step], len: usize) -> Option<Ctxt> {
        Ctxt::in_block(body, true, path, len)
    }

    /// In a body, or in an else branch.
    fn in_block(b: &Block, is_body: bool, path: &[Step], len: usize) -> Option<Ctxt> {
        let (step, path) = path.split_first()?;
        if step.is_body() != is_body {
            return None;
        }
        let i = step.index();
        let (range, inner) = if path.is_empty() {
            let end = i.checked_add(len).filter(|end| *end <= b.len())?;
            (i..end, Ctxt::Hole(b.focus().narrow(i..end).into_iter().cloned().collect()))
        } else {
            (i..i + 1, Ctxt::in_stmt(b.get(i)?, path, len)?)
        };
        Some(Ctxt::Seq { block: b.clone(), range, inner: inner.into() })
    }

    fn in_stmt(s: &Stmt, path: &[Step], len: usize) -> Option<Ctxt> {
        match s.kind.as_ref() {
            StmtKind::If { cond, body, orelse } => {
                let (cond, is_body) = (cond.clone(), path.first()?.is_body());
                let branch = if is_body { body } else { orelse };
                let inner = Ctxt::in_block(branch, is_body, path, len)?.into();
                Some(if is_body { Ctxt::If { cond, inner } } else { Ctxt::Else { cond, inner } })
            }
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                let inner = Ctxt::in_block(body, true, path, len)?.into();
                let (lo, hi, body) = (lo.clone(), hi.clone(), body.clone());
                Some(Ctxt::For { x: *iter, lo, hi, inner, whole: s.clone(), body })
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// What is in the hole.
    pub(super) fn hole(&self) -> &Block {
        match self {
            Ctxt::Hole(s) => s,
            Ctxt::Seq { inner, .. }
            | Ctxt::If { inner, .. }
            | Ctxt::Else { inner, .. }
            | Ctxt::For { inner, .. } => inner.ctxt.hole(),
        }
    }

    /// What comes after the hole in its block.
    pub(super) fn rest(&self) -> Block {
        match self {
            Ctxt::Hole(_) => Block::new(),
            Ctxt::Seq { block, range, inner } => match inner.ctxt.as_ref() {
                Ctxt::Hole(_) => stmts_after(block, range).cloned().collect(),
                Ctxt::Seq { .. } | Ctxt::If { .. } | Ctxt::Else { .. } | Ctxt::For { .. } => {
                    inner.ctxt.rest()
                }
            },
            Ctxt::If { inner, .. } | Ctxt::Else { inner, .. } | Ctxt::For { inner, .. } => inner.ctxt.rest(),
        }
    }
}

impl From<Ctxt> for Inner {
    fn from(c: Ctxt) -> Inner {
        Inner { ctxt: Box::new(c), start: OnceLock::new() }
    }
}

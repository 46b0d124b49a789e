//! Which names are in scope where; and the invariant of all programs here: a symbol is bound once, and is used
//! only where it is in scope. With it, neither capture nor shadowing can be met by a rewrite.

use crate::cursor::path::{Step, child_block};
use rewright_effects::analysis::Analysis;
use rewright_semantics::ast::{Block, Expr, ExprKind, Proc, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::subst::binds_after;
use rewright_semantics::syntax::walk::{each_child, each_operand};
use rewright_semantics::types::ArgType;
use rewright_semantics::types::env::{Part, TypeEnv};
use std::collections::BTreeSet;

/// The names in scope just before the statement at a path, with their types; `None` when the path leads nowhere.
pub fn env_at(an: &Analysis, p: &Proc, path: &[Step]) -> Option<TypeEnv> {
    let mut env = TypeEnv::of_proc(p);
    let mut block = &p.body;
    let mut steps = path.iter().peekable();
    while let Some(step) = steps.next() {
        let before = an.before(block, step.index(), |held| held.binds);
        before.into_iter().for_each(|s| env.pass(s));
        let Some(next) = steps.peek() else { break };
        let s = block.get(step.index())?;
        block = child_block(s, **next)?;
        env = env.within(s, part_of(**next));
    }
    Some(env)
}

fn part_of(step: Step) -> Part {
    match step {
        Step::Body(_) => Part::Body,
        Step::Orelse(_) => Part::Orelse,
    }
}

/// Whether every symbol is bound once and used in scope.
///
/// # Errors
/// The first that is not, in a sentence.
pub fn check(p: &Proc) -> Result<(), String> {
    let mut all = BTreeSet::new();
    let mut scope = im::OrdSet::new();
    for arg in &p.args {
        bind(arg.name, &mut scope, &mut all)?;
    }
    for arg in &p.args {
        if let ArgType::Data { typ, mem: _ } = &arg.typ {
            typ.shape.iter().try_for_each(|e| uses(e, &scope))?;
        }
    }
    p.preds.iter().try_for_each(|e| uses(e, &scope))?;
    block(&p.body, scope, &mut all)
}

fn bind(x: Sym, scope: &mut im::OrdSet<Sym>, all: &mut BTreeSet<Sym>) -> Result<(), String> {
    scope.insert(x);
    if all.insert(x) { Ok(()) } else { Err(format!("`{x}` would be bound twice")) }
}

fn used(x: Sym, scope: &im::OrdSet<Sym>) -> Result<(), String> {
    if scope.contains(&x) { Ok(()) } else { Err(format!("`{x}` would be used where it is not in scope")) }
}

fn uses(e: &Expr, scope: &im::OrdSet<Sym>) -> Result<(), String> {
    match &e.kind {
        ExprKind::Read { name, idx: _ } | ExprKind::Stride { name, dim: _ } => used(*name, scope)?,
        ExprKind::Window(w) => used(w.name, scope)?,
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::ReadConfig { .. } => {}
    }
    let mut found = Ok(());
    each_child(e, &mut |_, inner| {
        if found.is_ok() {
            found = uses(inner, scope);
        }
    });
    found
}

fn block(b: &Block, mut scope: im::OrdSet<Sym>, all: &mut BTreeSet<Sym>) -> Result<(), String> {
    b.iter().try_for_each(|s| stmt(s, &mut scope, all))
}

fn stmt(s: &Stmt, scope: &mut im::OrdSet<Sym>, all: &mut BTreeSet<Sym>) -> Result<(), String> {
    let mut found = Ok(());
    each_operand(s, &mut |_, e| {
        if found.is_ok() {
            found = uses(e, scope);
        }
    });
    found?;
    match s.kind.as_ref() {
        StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => used(*name, scope),
        StmtKind::WriteConfig { .. } | StmtKind::Pass | StmtKind::Call { .. } => Ok(()),
        StmtKind::If { cond: _, body, orelse } => {
            block(body, scope.clone(), all)?;
            block(orelse, scope.clone(), all)
        }
        StmtKind::For { iter, body, .. } => {
            let mut inside = scope.clone();
            bind(*iter, &mut inside, all)?;
            block(body, inside, all)
        }
        StmtKind::Alloc { name, .. } => bind(*name, scope, all),
        StmtKind::WindowStmt { name, rhs } => {
            used(rhs.name, scope)?;
            bind(*name, scope, all)
        }
    }
}

/// The symbols in scope just before the statement at a path, outermost first; `None` when it leads nowhere.
/// The index may be the block's length.
pub fn visible_at(an: &Analysis, p: &Proc, path: &[Step]) -> Option<Vec<Sym>> {
    let mut out: Vec<Sym> = p.args.iter().map(|a| a.name).collect();
    let mut block = &p.body;
    let mut steps = path.iter().peekable();
    while let Some(step) = steps.next() {
        let before = an.before(block, step.index(), |held| held.binds);
        out.extend(before.into_iter().filter_map(binds_after));
        let Some(next) = steps.peek() else { break };
        let s = block.get(step.index())?;
        if let Some(iter) = s.kind.bound_inside() {
            out.push(iter);
        }
        block = child_block(s, **next)?;
    }
    Some(out)
}

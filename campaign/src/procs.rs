//! Procedures for primitives that take one: of which a run of statements is a call, or nearly.

use crate::holes::{edit, paths, replace};
use crate::rng::Rng;
use rewright_primitives::cursor::path::{ExprPath, Hole, expr_at, run_at, stmt_at, with_expr_in};
use rewright_primitives::kept::Dims;
use rewright_primitives::tools::buffers::uses::{Spelling, Use, uses_of};
use rewright_primitives::version::session::Session;
use rewright_primitives::{Proc, ops};
use rewright_semantics::ast::{self, Arg, Block, Expr, Stmt, StmtKind};
use rewright_semantics::build::{add, data, int, le, stride, sub, var};
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::subst::fresh_proc;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::env::{TypeEnv, VarType};
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, ControlType};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A procedure that a run of statements may be a call of: made of the run, with parts of buffers as windows, with
/// values as arguments, with what makes it another one now and then.
pub fn abstracted(rng: &mut Rng, p: &Proc, run: &Hole) -> Option<ast::Proc> {
    let env = p.env_at(&run.path)?;
    let mut made = Abstract { rng: &mut *rng, env, p: p.ast().as_ref().clone(), run: run.clone() };
    let buffers: Vec<Sym> = made.free().into_iter().filter(|x| made.env.buffer(*x).is_some()).collect();
    for x in buffers {
        if made.rng.chance(60) {
            made.window(x);
        }
    }
    let sub = made.finish()?;
    let sub = vary(rng, fresh_proc(&sub));
    Some(sub)
}

struct Abstract<'a> {
    rng: &'a mut Rng,
    env: TypeEnv,
    /// The procedure, with the run rewritten in place.
    p: ast::Proc,
    run: Hole,
}

impl Abstract<'_> {
    fn body(&self) -> Block {
        run_at(&self.p, &self.run).unwrap_or_default()
    }

    fn free(&self) -> BTreeSet<Sym> {
        rewright_effects::names::free_names(&self.body())
    }

    /// Makes the run use a part of a buffer: dimensions that are always at one place are dropped, others are shifted.
    fn window(&mut self, x: Sym) {
        let Some(typ) = self.env.buffer(x).cloned() else { return };
        let uses = uses_of(&self.p, &self.run, x);
        let cells: Vec<Arc<[Expr]>> = uses.iter().filter_map(Use::cell).cloned().collect();
        if cells.len() != uses.len() || cells.is_empty() || typ.rank() == 0 {
            return;
        }
        let outer =
            |e: &Expr| rewright_effects::names::expr_names(e).iter().all(|y| self.env.control(*y).is_some());
        let mut kept: Vec<(usize, Expr)> = Vec::new();
        let mut extents = Vec::new();
        for d in 0..typ.rank() {
            let all: Vec<&Expr> = cells.iter().filter_map(|c| c.get(d)).collect();
            let same = all.windows(2).all(|w| w[0] == w[1]) && all.first().is_some_and(|e| outer(e));
            if same && self.rng.chance(70) {
                continue;
            }
            let start = if same && self.rng.chance(60) { all[0].clone() } else { int(0) };
            let extent = match self.rng.below(4) {
                0 => int(self.rng.between(1, 4)),
                _ => sub(typ.shape[d].clone(), start.clone()),
            };
            kept.push((d, start));
            extents.push(extent);
        }
        let w = x.renewed();
        for u in uses {
            let Some(idx) = u.cell() else { continue };
            let moved = kept.iter().map(|(d, start)| sub(idx[*d].clone(), start.clone())).collect();
            let Some(change) = u.respell(&self.p, Spelling::Cell(w, moved), &Dims::new(0, Some)) else {
                return;
            };
            match rewright_primitives::edit::apply(&self.p, &change) {
                Some(p) => self.p = p,
                None => return,
            }
        }
        self.env.bind_buffer(
            w,
            BufferType {
                elem: typ.elem,
                shape: extents.into(),
                kind: if kept.is_empty() { ArrayKind::Tensor } else { ArrayKind::Window },
            },
            rewright_semantics::types::MemName::dram(),
            Span::NONE,
        );
    }

    fn finish(self) -> Option<ast::Proc> {
        let body = self.body();
        let Abstract { rng, env, .. } = self;
        let mut names = rewright_effects::names::free_names(&body);
        let extents: Vec<Expr> =
            names.iter().filter_map(|x| env.buffer(*x)).flat_map(|t| t.shape.to_vec()).collect();
        names.extend(extents.iter().flat_map(rewright_effects::names::expr_names));
        let mut args = Vec::new();
        for x in names {
            let typ = match env.get(x)? {
                VarType::Control(t) if t.is_indexable() => {
                    let t = if rng.chance(30) { ControlType::Size } else { ControlType::Index };
                    ArgType::Control(t)
                }
                VarType::Control(t) => ArgType::Control(*t),
                VarType::Buffer { typ, mem } => ArgType::Data { typ: typ.clone(), mem: *mem },
            };
            args.push(Arg { name: x, typ, span: Span::NONE });
        }
        let name = Name::new("made");
        let mut preds = Vec::new();
        let asserts = rng.chance(20);
        if let Some(arg) = rng.pick(&args).filter(|_| asserts) {
            match &arg.typ {
                ArgType::Control(t) if t.is_indexable() => {
                    preds.push(le(arg.name, int(rng.between(1, 6))));
                }
                ArgType::Data { typ, .. } if typ.rank() > 0 => {
                    preds.push(rewright_semantics::build::eq(stride(arg.name, typ.rank() - 1), 1));
                }
                ArgType::Control(_) | ArgType::Data { .. } => {}
            }
        }
        Some(ast::Proc { name, args, preds, body, instr: None, span: Span::NONE })
    }
}

/// The procedure written otherwise, and now and then another one.
fn vary(rng: &mut Rng, p: ast::Proc) -> ast::Proc {
    let mut p = p;
    if rng.chance(40) {
        p = obscured(rng, &p);
    }
    if rng.chance(30) {
        p = swapped(rng, &p);
    }
    if rng.chance(15)
        && let Some((_, other)) = crate::perturb::perturb(&p, rng)
    {
        p = other;
    }
    p
}

/// An index or bound in another form.
pub fn obscured(rng: &mut Rng, p: &ast::Proc) -> ast::Proc {
    let all = paths(p);
    let Some(path) = rng.pick(&all) else { return p.clone() };
    let Some(s) = stmt_at(p, path).cloned() else { return p.clone() };
    let places = super::arguments::places_in(&s, false);
    let Some(steps) = rng.pick(&places).cloned() else { return p.clone() };
    let control = super::variety::is_integer(steps.last().copied());
    let at = ExprPath { stmt: path.clone(), steps };
    let (true, Some(e)) = (control, expr_at(p, &at).cloned()) else { return p.clone() };
    let k = rng.between(1, 3);
    let other = match rng.below(4) {
        0 => sub(add(e, k), k),
        1 => add(int(k), sub(e, k)),
        2 => sub(add(e.clone(), e.clone()), e),
        _ => sub(rewright_semantics::build::mul(2, e.clone()), e),
    };
    match with_expr_in(&s, &at.steps, other) {
        Some(new) => edit(p, path, &|b, i| replace(b, i, 1, std::slice::from_ref(&new))),
        None => p.clone(),
    }
}

/// Two neighbouring statements in the other order, whether they commute or not.
pub fn swapped(rng: &mut Rng, p: &ast::Proc) -> ast::Proc {
    let all: Vec<_> = paths(p);
    let Some(path) = rng.pick(&all) else { return p.clone() };
    edit(p, path, &|b: &Block, i| match (b.get(i), b.get(i + 1)) {
        (Some(s), Some(t)) if !binds(s) && !binds(t) => replace(b, i, 2, &[t.clone(), s.clone()]),
        (Some(_), _) | (None, _) => b.clone(),
    })
}

fn binds(s: &Stmt) -> bool {
    matches!(s.kind.as_ref(), StmtKind::Alloc { .. } | StmtKind::WindowStmt { .. })
}

/// A procedure that the program calls.
pub fn called(rng: &mut Rng, p: &ast::Proc) -> Option<Arc<ast::Proc>> {
    let mut found = Vec::new();
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Call { proc, .. } = s.kind.as_ref() {
            found.push(proc.clone());
        }
    });
    rng.pick(&found).cloned()
}

/// A version of a procedure, some random rewrites later.
pub fn version(rng: &mut Rng, session: &Session, callee: &Arc<ast::Proc>) -> Option<Proc> {
    let root = session.version_of(callee).unwrap_or_else(|| session.root(callee.clone()));
    // Back in the tree, now and then.
    let history = root.history();
    let mut v = if rng.chance(30) { rng.pick(&history)?.clone() } else { root };
    for _ in 0..1 + rng.below(4) {
        let configs: Vec<_> =
            ops::ALL.iter().filter(|p| p.name.ends_with("_config") || p.name == "add_assertion").collect();
        let primitive = if rng.chance(50) { *rng.pick(&configs)? } else { rng.pick(ops::ALL)? };
        // What an instruction's text means in C is for its writer to say.
        if matches!(primitive.name, "call_eqv" | "replace_all" | "rename" | "make_instr") {
            continue;
        }
        let Some(args) = super::arguments::arguments(rng, &v, primitive) else { continue };
        if let Ok(new) = (primitive.run)(&v, &args) {
            v = new;
        }
    }
    rewright_primitives::ops::rename::rename(&v, &format!("{}_v", callee.name)).ok()
}

/// A procedure that does nothing, and arguments for a call of it as text.
pub fn noop(rng: &mut Rng, env: &TypeEnv) -> (ast::Proc, Vec<String>) {
    let (n, x) = (Sym::fresh("n"), Sym::fresh("x"));
    let control = |t| Arg { name: n, typ: ArgType::Control(t), span: Span::NONE };
    let mut args = vec![control(if rng.chance(50) { ControlType::Size } else { ControlType::Index })];
    let mut names: Vec<Sym> = env.names().collect();
    names.sort();
    let controls: Vec<Sym> =
        names.iter().copied().filter(|x| env.control(*x).is_some_and(|t| t.is_indexable())).collect();
    let mut texts = vec![match rng.pick(&controls) {
        Some(i) if rng.chance(80) => format!("{i} + {}", rng.between(-1, 2)),
        _ => rng.between(-1, 3).to_string(),
    }];
    let buffers: Vec<Sym> =
        names.into_iter().filter(|x| env.buffer(*x).is_some_and(|t| t.rank() == 1)).collect();
    if let Some(y) = rng.pick(&buffers)
        && let Some(typ) = env.buffer(*y)
    {
        let shape: Vec<Expr> = vec![int(1)];
        let typ = BufferType { elem: typ.elem, shape: shape.into(), kind: ArrayKind::Window };
        args.push(Arg {
            name: x,
            typ: ArgType::Data { typ, mem: rewright_semantics::types::MemName::dram() },
            span: Span::NONE,
        });
        let at = texts[0].clone();
        texts.push(format!("{y}[{at}:{at} + 1]"));
    }
    let body = if rng.chance(90) {
        Block::unit(rewright_semantics::build::pass())
    } else if args.len() > 1 {
        Block::unit(rewright_semantics::build::assign(x, [int(0)], data(1, 0)))
    } else {
        Block::unit(rewright_semantics::build::for_(Sym::fresh("i"), 0, var(n), []))
    };
    let preds = if rng.chance(30) { vec![le(n, int(3))] } else { Vec::new() };
    (ast::Proc { name: Name::new("noop"), args, preds, body, instr: None, span: Span::NONE }, texts)
}

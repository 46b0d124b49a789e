//! The definitions that a derivation stands on, where no text has them. Spec: [rule: derivations].

use crate::env::Env;
use crate::failure::Failure;
use crate::handles::Proc;
use crate::world::World;
use rewright_primitives::registry::Value;
use rewright_primitives::version;
use rewright_semantics::ast::{self, ExprKind, Module, Rounds, StmtKind};
use rewright_semantics::externs::Extern;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::syntax::walk::{each_expr, each_operand, each_stmt};
use std::sync::Arc;

/// The definitions that the versions of a procedure stand on, as text: what they begin with, what that calls, and what is
/// an argument of their steps.
///
/// # Errors
/// Two of them have one name: a derivation goes by names.
pub(crate) fn definitions(of: &Proc) -> Result<String, Failure> {
    let mut procs = Vec::new();
    roots(&of.proc, &mut procs);
    for (k, p) in procs.iter().enumerate() {
        if procs.iter().take(k).any(|q| q.name == p.name) {
            return Err(Failure::argument(format!(
                "a derivation of `{}` would have two definitions of `{}`, and goes by names: give one of them another name",
                of.proc.name(),
                p.name
            )));
        }
    }
    if let Some(f) = procs.iter().find_map(|p| unnamed(p)) {
        return Err(Failure::argument(format!(
            "a derivation of `{}` would have `{f}`, which texts take for another extern: give it another name",
            of.proc.name()
        )));
    }
    let Env { configs, memories, text: _, machines: _, assumed: _ } = of.env.as_ref();
    Ok(module_to_string(&Module { configs: configs.clone(), memories: memories.clone(), procs }))
}

/// An extern in a procedure whose name stands for another one in texts.
fn unnamed(p: &ast::Proc) -> Option<Extern> {
    let mut found = None;
    each_stmt(&p.body, &mut |s| {
        each_operand(s, &mut |_, e| {
            each_expr(e, &mut |e| {
                if let ExprKind::Extern { func, .. } = &e.kind
                    && Extern::from_name(func.name()) != Some(*func)
                {
                    found = Some(*func);
                }
            });
        });
    });
    found
}

/// What the versions up to this one begin with.
fn roots(p: &version::Proc, out: &mut Vec<Arc<ast::Proc>>) {
    let history = p.history();
    match history.first() {
        Some(first) => match first.source() {
            Some(caller) => roots(caller, out),
            None => callees_first(first.ast(), out),
        },
        None => callees_first(p.ast(), out),
    }
    for origin in history.iter().filter_map(version::Proc::origin) {
        origin.step.args.iter().for_each(|(_, value)| roots_in(value, out));
    }
}

fn roots_in(value: &Value, out: &mut Vec<Arc<ast::Proc>>) {
    match value {
        Value::Proc(q) => roots(q, out),
        Value::List(items) => items.iter().for_each(|v| roots_in(v, out)),
        Value::Named(items) => items.iter().for_each(|(_, v)| roots_in(v, out)),
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Text(_)
        | Value::Cursor(_)
        | Value::Config(_) => {}
    }
}

/// A procedure after those that it calls, but for what is known everywhere.
fn callees_first(p: &Arc<ast::Proc>, out: &mut Vec<Arc<ast::Proc>>) {
    let known = out.iter().chain(&World::get().prelude().procs).any(|q| Arc::ptr_eq(q, p));
    if known {
        return;
    }
    if let Some(instr) = &p.instr
        && let Rounds::Like(other) = &instr.rounds
    {
        callees_first(other, out);
    }
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Call { proc, args: _ } = s.kind.as_ref() {
            callees_first(proc, out);
        }
    });
    out.push(p.clone());
}

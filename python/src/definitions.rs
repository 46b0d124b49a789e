//! The definitions that a derivation stands on, where no text has them. Spec: [rule: derivations].

use crate::env::Env;
use crate::failure::Failure;
use crate::handles::Proc;
use crate::world::World;
use rewright_primitives::derivation::called::Called;
use rewright_primitives::derivation::lineage::Lineages;
use rewright_primitives::registry::Value;
use rewright_primitives::version;
use rewright_semantics::ast::{self, ExprKind, Module, Rounds, StmtKind};
use rewright_semantics::externs::Extern;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::syntax::walk::{each_expr, each_operand, each_stmt};
use std::sync::Arc;

/// The text of the definitions that the versions of a procedure stand on, and what variables in it are called.
///
/// # Errors
/// There is none, and none can be printed.
pub(crate) fn written(of: &Proc) -> Result<(String, Called), Failure> {
    match of.env.text.as_deref() {
        Some(text) if holds_all(text, of) => Ok((text.to_owned(), Called::default())),
        Some(_) | None => definitions(of),
    }
}

/// Whether a text defines all that versions begin with: what was extracted and read off a call is in none.
fn holds_all(text: &str, of: &Proc) -> bool {
    let mut procs = Vec::new();
    roots(&of.proc, &Lineages::of(&of.proc), &mut procs);
    procs.iter().all(|p| text.contains(&format!("def {}(", p.name)))
}

/// The definitions that the versions of a procedure stand on, as text, and what their variables are called: what the versions begin
/// with, what that calls, and what is an argument of their steps.
///
/// # Errors
/// Two of them have one name: a derivation goes by names.
fn definitions(of: &Proc) -> Result<(String, Called), Failure> {
    let mut procs = Vec::new();
    roots(&of.proc, &Lineages::of(&of.proc), &mut procs);
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
    let called = Called::of(&procs);
    Ok((module_to_string(&Module { configs: configs.clone(), memories: memories.clone(), procs }), called))
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
fn roots(p: &version::Proc, lineages: &Lineages, out: &mut Vec<Arc<ast::Proc>>) {
    let history = lineages.history(p);
    match history.first() {
        Some(first) => match first.source() {
            Some(caller) => roots(caller, lineages, out),
            None => callees_first(first.ast(), out),
        },
        None => callees_first(p.ast(), out),
    }
    for origin in history.iter().filter_map(version::Proc::origin) {
        origin.step.args.iter().for_each(|(_, value)| roots_in(value, lineages, out));
    }
}

fn roots_in(value: &Value, lineages: &Lineages, out: &mut Vec<Arc<ast::Proc>>) {
    match value {
        Value::Proc(q) => roots(q, lineages, out),
        Value::List(items) => items.iter().for_each(|v| roots_in(v, lineages, out)),
        Value::Named(items) => items.iter().for_each(|(_, v)| roots_in(v, lineages, out)),
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

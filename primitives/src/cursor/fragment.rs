//! Arguments that are expressions as text, read in the names of a place: `"8 * io + ii"`, `"A[0:4, j]"`.
//! Spec: [rule: fragments].
//!
//! A name means what the printed procedure calls so: where two variables in scope share a name, it tells them apart (`i`, `i_1`),
//! the outer one keeping the name. What a window is of is the innermost buffer whose own name it is.

use super::path::Step;
use crate::version::Proc;
use rewright_semantics::ast::{self, Config, Expr, WindowExpr};
use rewright_semantics::parse::Prelude;
use rewright_semantics::parse::fragment::{self, Names};
use rewright_semantics::pretty;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::configs::configs_of;
use rewright_semantics::types::ArgType;
use rustc_hash::FxHashSet;
use std::sync::Arc;

pub use rewright_semantics::parse::fragment::{Sort, Unreadable};

/// What a text may mention just before the statement at a path: the variables in scope and, where it has a dot as fields have,
/// the configuration classes of the procedure, of what it calls, of the module that it stands in, and of the list. With no such path,
/// the arguments alone.
pub fn names(p: &Proc, at: &[Step], text: &str, configs: &[Arc<Config>]) -> Names {
    names_but(p, at, text, configs, None)
}

/// The same, where one name means the innermost buffer that has it as its own.
fn names_but(p: &Proc, at: &[Step], text: &str, configs: &[Arc<Config>], innermost: Option<&str>) -> Names {
    let configs = if text.contains('.') { all_configs(p, configs) } else { Vec::new() };
    let places = (p.env_at(at), p.visible_at(at));
    let p = p.ast();
    let (env, visible) = match places {
        (Some(env), Some(visible)) => (env, visible),
        (None, _) | (_, None) => {
            let args = p.args.iter().map(|a| a.name).collect();
            (rewright_semantics::types::env::TypeEnv::of_proc(p), args)
        }
    };
    let prelude = Prelude { configs, ..Prelude::standard() };
    let mut called = called(p, &visible, text);
    let is_meant = |x: &&Sym| innermost == Some(x.name().as_str()) && env.buffer(**x).is_some();
    called.extend(visible.iter().rev().find(is_meant).map(|x| (x.name(), *x)));
    Names::called(env, &called, &prelude)
}

/// The configuration classes of a procedure, of what it calls, of the list and of the module.
fn all_configs(p: &Proc, configs: &[Arc<Config>]) -> Vec<Arc<Config>> {
    let mut known = configs_of(p.ast());
    known.extend(configs.iter().cloned());
    // What the procedure itself says comes first: an older class of the same name is another one.
    let others = p.configs().iter().filter(|c| known.iter().all(|k| k.name != c.name)).cloned();
    let others: Vec<_> = others.collect();
    known.extend(others);
    known
}

/// The variables with the names they can be called by, their own and those that they are printed by; what comes later hides what
/// comes before.
fn called(p: &ast::Proc, visible: &[Sym], text: &str) -> Vec<(Name, Sym)> {
    let own = visible.iter().map(|x| x.name());
    // Only a number makes a printed name another one than the variable's own.
    let numbered = text.split('_').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let printed = if numbered { printed_names(p, visible) } else { printed_if_hidden(p, visible) };
    own.chain(printed).zip(visible.iter().chain(visible).copied()).collect()
}

/// What variables that are visible at one place are called in the printed procedure, where two of them share a name; otherwise
/// their own names.
pub fn printed_if_hidden(p: &ast::Proc, visible: &[Sym]) -> Vec<Name> {
    let own: FxHashSet<Name> = visible.iter().map(|x| x.name()).collect();
    if own.len() == visible.len() {
        visible.iter().map(|x| x.name()).collect()
    } else {
        printed_names(p, visible)
    }
}

fn printed_names(p: &ast::Proc, visible: &[Sym]) -> Vec<Name> {
    let printed = pretty::names_of_proc(p);
    visible.iter().map(|x| printed.get(x).copied().unwrap_or_else(|| x.name())).collect()
}

/// An expression of a sort, in the names just before a statement.
///
/// # Errors
/// It cannot be read there, in a sentence.
pub fn expr(p: &Proc, at: &[Step], text: &str, sort: Sort) -> Result<Expr, Unreadable> {
    fragment::expr(text, &names(p, at, text, &[]), sort)
}

/// A control integer.
///
/// # Errors
/// As [`expr`].
pub fn control(p: &Proc, at: &[Step], text: &str) -> Result<Expr, Unreadable> {
    expr(p, at, text, Sort::Control)
}

/// A truth value.
///
/// # Errors
/// As [`expr`].
pub fn cond(p: &Proc, at: &[Step], text: &str) -> Result<Expr, Unreadable> {
    expr(p, at, text, Sort::Bool)
}

/// A data value.
///
/// # Errors
/// As [`expr`].
pub fn data(p: &Proc, at: &[Step], text: &str) -> Result<Expr, Unreadable> {
    expr(p, at, text, Sort::Data)
}

/// A window `A[0:4, j]`; all indices may be points, and a name alone means all of the buffer.
///
/// # Errors
/// As [`expr`].
pub fn window(p: &Proc, at: &[Step], text: &str) -> Result<WindowExpr, Unreadable> {
    let buffer = text.split('[').next().map(str::trim);
    fragment::window(text, &names_but(p, at, text, &[], buffer))
}

/// An argument for a call, given what the callee declares.
///
/// # Errors
/// As [`expr`].
pub fn argument(p: &Proc, at: &[Step], text: &str, formal: &ArgType) -> Result<Expr, Unreadable> {
    fragment::argument(text, &names(p, at, text, &[]), formal)
}

#[cfg(test)]
mod tests;

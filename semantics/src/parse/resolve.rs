//! From the surface tree to the abstract syntax: names become symbols, constants their values, and sugar
//! that depends on types is spelt out. Spec: [rule: names].
//!
//! [`scope`] knows the variables, [`globals`] everything that a file defines; [`procs`], [`stmt`] and
//! [`expr`] go through a procedure. `None` stands for something that was reported.

mod expr;
pub(super) mod fragment;
mod globals;
mod procs;
mod scope;
mod stmt;
mod window;

use super::discard::discard;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::surface::{Entry, Reader};
use super::tree::Item;
use super::{Damage, Prelude};
use crate::ast::Module;
use crate::span::{FileId, Span};
use globals::Globals;
pub use procs::wrong_placeholder;
use ruff_python_ast as py;
use ruff_text_size::{Ranged, TextRange};
use scope::Scope;

/// Reads and resolves a file, one definition after the other; each is freed when it is done.
pub(super) fn module(
    file: FileId,
    text: &str,
    body: py::Suite,
    damage: Damage<'_>,
    prelude: &Prelude,
    errors: &mut Vec<SyntaxError>,
) -> Module {
    let mut globals = Globals::new(prelude, super::surface::defined_names(&body));
    let mut module = Module::default();
    let mut skipped = Skipped { lines: 0, first: Span::NONE };
    for s in body {
        if damage.touches(s.range()) {
            super::surface::defined_names(std::slice::from_ref(&s)).for_each(|name| globals.break_name(name));
            free(s, damage.deep);
            continue;
        }
        let mut reader = Reader { file, text, consts: &globals.consts, errors, depth: 0, too_deep: false };
        let items = match reader.entry(&s) {
            Entry::Items(items) => items,
            Entry::Skipped(items) => {
                skipped.add(file, text, s.range());
                items
            }
        };
        free(s, damage.deep);
        items.into_iter().for_each(|item| define(item, &mut globals, &mut module, errors));
    }
    if skipped.lines > 0 {
        let kind = SyntaxErrorKind::Skipped { lines: skipped.lines };
        errors.push(SyntaxError { kind, span: skipped.first, first: None });
    }
    module
}

/// Frees a statement, without recursion where it may be deep.
fn free(s: py::Stmt, deep: bool) {
    if deep {
        discard(s);
    }
}

/// Takes one definition into the module and its names into the globals.
fn define(item: Item, globals: &mut Globals, module: &mut Module, errors: &mut Vec<SyntaxError>) {
    match item {
        Item::Proc(proc) => {
            globals.claim(proc.name, errors);
            let mut resolver = Resolver { globals, scope: Scope::default(), errors, current: proc.name.name };
            let callable = proc.callable;
            let name = proc.name.name;
            let (resolved, whole) = resolver.procedure(proc);
            globals.add_proc(name, resolved.clone(), callable && whole);
            module.procs.push(resolved);
        }
        Item::Config(config) => {
            globals.claim(config.name, errors);
            module.configs.push(globals.add_config(config));
        }
        Item::Memory(memory) => {
            let name = super::tree::Ident { name: memory.name.0, span: memory.span };
            globals.claim(name, errors);
            globals.memories.insert(memory.name.0);
            module.memories.push(std::sync::Arc::new(memory));
        }
        Item::Constant(name, value) => {
            globals.consts.insert(name.name, value);
        }
        Item::Alias { here, there } => globals.alias(here, there),
        Item::Opaque(names, why) => names.into_iter().for_each(|name| globals.opaque(name, why)),
    }
}

/// The lines that are Python's alone.
struct Skipped {
    lines: usize,
    first: Span,
}

impl Skipped {
    /// Counts a statement.
    fn add(&mut self, file: FileId, text: &str, range: TextRange) {
        let covered = text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or("");
        self.lines += covered.matches('\n').count() + 1;
        if self.first.is_none() {
            let line = covered.lines().next().unwrap_or("").len();
            let start: u32 = range.start().into();
            self.first = Span::new(file, start, start + u32::try_from(line).unwrap_or(0));
        }
    }
}

/// Goes through one procedure.
struct Resolver<'a> {
    globals: &'a Globals,
    scope: Scope,
    errors: &'a mut Vec<SyntaxError>,
    /// The procedure being defined.
    current: crate::sym::Name,
}

impl Resolver<'_> {
    /// Reports an error.
    fn report(&mut self, span: Span, kind: SyntaxErrorKind) {
        self.errors.push(SyntaxError { kind, span, first: None });
    }
}

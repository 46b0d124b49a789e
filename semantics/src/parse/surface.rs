//! From Python's syntax tree to the surface tree: each construct of Python is either one of the object
//! language's, or refused with a sentence that says what to write instead.
//!
//! One file per level: [`items`] of a file, [`procs`] and their [`types`], [`classes`], statements
//! ([`stmt`]), expressions ([`expr`]), and the [`consts`] that stand for literals.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "Python's syntax is another project's; the two dispatchers, for statements and expressions, list it in full"
)]

mod classes;
mod consts;
mod expr;
mod items;
mod memory;
mod procs;
mod stmt;
mod types;

pub(super) use items::{Entry, defined_names};
pub(crate) use memory::method_parameters;

use super::MAX_DEPTH;
use super::error::{Refusal, SyntaxError, SyntaxErrorKind};
use super::tree::{Constant, Expr, ExprKind, Ident};
use crate::span::{FileId, Span};
use crate::sym::Name;
use ruff_python_ast as py;
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashMap;

/// Reads Python's syntax; holds what every part needs.
pub(super) struct Reader<'a> {
    pub(super) file: FileId,
    pub(super) text: &'a str,
    /// The constants above.
    pub(super) consts: &'a FxHashMap<Name, Constant>,
    pub(super) errors: &'a mut Vec<SyntaxError>,
    /// How deep blocks and expressions nest here.
    pub(super) depth: usize,
    /// Whether that was too deep already: it is reported once for each definition.
    pub(super) too_deep: bool,
}

impl Reader<'_> {
    /// A place of this file.
    fn span(&self, at: &impl Ranged) -> Span {
        let range: TextRange = at.range();
        Span::new(self.file, range.start().into(), range.end().into())
    }

    /// The expression that a text consists of; anything else is reported.
    pub(super) fn only_expr(&mut self, body: &[py::Stmt]) -> Option<Expr> {
        if let [py::Stmt::Expr(only)] = body {
            return Some(self.expr(&only.value));
        }
        let place = body.first().map_or_else(TextRange::default, Ranged::range);
        let refused = refusal("this is not an expression", "write one expression, such as `8 * io + ii`");
        self.report(&place, SyntaxErrorKind::Expression(refused));
        None
    }

    /// Reports an error.
    fn report(&mut self, at: &impl Ranged, kind: SyntaxErrorKind) {
        let span = self.span(at);
        self.errors.push(SyntaxError { kind, span, first: None });
    }

    /// Reports an error in the place of an expression.
    fn broken(&mut self, at: &impl Ranged, kind: SyntaxErrorKind) -> Expr {
        self.report(at, kind);
        Expr { kind: ExprKind::Broken, span: self.span(at) }
    }

    /// Reads one level deeper; `None` when that is too deep.
    fn deeper<T>(&mut self, at: &impl Ranged, levels: usize, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if !self.enter(at, levels) {
            return None;
        }
        let result = read(self);
        self.depth -= levels;
        Some(result)
    }

    /// Goes some levels deeper; reports where that is too deep, and does not.
    fn enter(&mut self, at: &impl Ranged, levels: usize) -> bool {
        let fits = self.depth + levels <= MAX_DEPTH;
        if fits {
            self.depth += levels;
        } else if !std::mem::replace(&mut self.too_deep, true) {
            self.report(at, SyntaxErrorKind::Nesting);
        }
        fits
    }

    /// A name and its place.
    fn ident(&self, id: &py::Identifier) -> Ident {
        Ident { name: Name::new(id.as_str()), span: self.span(id) }
    }

    /// The name that an expression is, and its place.
    fn ident_of(&self, e: &py::Expr) -> Option<Ident> {
        e.as_name_expr().map(|n| Ident { name: Name::new(n.id.as_str()), span: self.span(n) })
    }
}

/// A refusal.
fn refusal(what: &'static str, instead: &'static str) -> Refusal {
    Refusal { what, instead }
}

/// The last part of `a.b.c`, or the name itself.
fn last_name(e: &py::Expr) -> Option<&str> {
    match (e.as_name_expr(), e.as_attribute_expr()) {
        (Some(name), _) => Some(name.id.as_str()),
        (None, Some(attribute)) => Some(attribute.attr.as_str()),
        (None, None) => None,
    }
}

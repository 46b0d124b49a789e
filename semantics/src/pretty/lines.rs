//! Printing versions of one procedure, which have most statements in common.

use super::Printer;
use crate::ast::{Proc, Stmt, StmtKind};
use crate::sym::{Name, Sym};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Prints procedures one after another, each as [`super::proc_to_string`] does. A statement without blocks that several of them
/// share is laid out once for each column, and again where its variables are called otherwise.
#[derive(Debug, Default)]
pub struct VersionPrinter {
    lines: Lines,
}

impl VersionPrinter {
    /// The text of a procedure.
    pub fn print(&mut self, p: &Proc) -> String {
        let mut printer = Printer { lines: Some(std::mem::take(&mut self.lines)), ..Printer::default() };
        printer.procedure(p);
        self.lines = printer.lines.unwrap_or_default();
        printer.out
    }
}

/// What statements were laid out as, by address and column.
pub(super) type Lines = FxHashMap<(usize, usize), Lined>;

/// A statement that was laid out.
#[derive(Debug)]
pub(super) struct Lined {
    /// Held, so that no other statement comes to its address.
    _stmt: Arc<StmtKind>,
    /// What its variables were called.
    names: Vec<(Sym, Name)>,
    text: String,
}

impl Printer {
    /// Writes a statement that binds nothing: as before, where it was laid out here and its variables are called the same.
    pub(super) fn once(&mut self, s: &Stmt, lay_out: impl FnOnce(&mut Self)) {
        let key = (Arc::as_ptr(&s.kind).addr(), self.indent);
        let Some(lines) = &self.lines else { return lay_out(self) };
        let known = lines.get(&key);
        if let Some(line) = known.filter(|l| l.names.iter().all(|(x, name)| self.names.is_called(*x, *name)))
        {
            self.out.push_str(&line.text);
            return;
        }
        let start = self.out.len();
        self.names.note();
        lay_out(self);
        let names = self.names.noted();
        let text = self.out.get(start..).unwrap_or_default().to_owned();
        if let Some(lines) = &mut self.lines {
            lines.insert(key, Lined { _stmt: s.kind.clone(), names, text });
        }
    }
}

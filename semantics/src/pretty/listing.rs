//! Where things stand in a printed procedure.

use super::{Branches, Printer};
use crate::ast::{Block, Proc, Stmt};
use crate::syntax::walk::each_stmt;
use pretty::{Render, RenderAnnotated};
use std::fmt;
use std::ops::Range;

/// A printed procedure, with the places of its statements.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// As [`super::proc_to_string`] prints it, but for [`Branches`].
    pub text: String,
    /// The bytes of each statement, whole lines; a statement before those in it, body before else branch.
    pub stmts: Vec<Range<usize>>,
    /// The bytes of the expression that was asked for.
    pub expr: Option<Range<usize>>,
}

/// Prints a procedure; looks out for an expression, by the number of its statement in [`Listing::stmts`] and its
/// number there, an expression before its parts, from left to right.
pub fn proc_listing(p: &Proc, expr: Option<(usize, usize)>, branches: Branches) -> Listing {
    let trace = Trace { wanted: expr, ..Trace::default() };
    let mut printer = Printer { trace, branches, ..Printer::default() };
    printer.procedure(p);
    Listing { text: printer.out, stmts: printer.trace.stmts, expr: printer.trace.found }
}

/// The listing of a procedure in which nothing but the statements of these numbers, with what they are in, is laid out: names are
/// the same, other statements have no text.
pub fn part_listing(p: &Proc, stmts: Range<usize>, expr: Option<usize>) -> Listing {
    let wanted = expr.map(|expr| (stmts.start, expr));
    let trace = Trace { wanted, part: Some(stmts), ..Trace::default() };
    let mut printer = Printer { trace, ..Printer::default() };
    printer.procedure(p);
    Listing { text: printer.out, stmts: printer.trace.stmts, expr: printer.trace.found }
}

/// What is noted while printing.
#[derive(Debug, Default)]
pub(super) struct Trace {
    stmts: Vec<Range<usize>>,
    /// How many expressions of the last statement have been met.
    exprs: usize,
    wanted: Option<(usize, usize)>,
    found: Option<Range<usize>>,
    /// The statements that are laid out; all of them where there is nothing.
    part: Option<Range<usize>>,
}

impl Trace {
    /// A statement starts; its number.
    pub(super) fn open(&mut self, at: usize) -> usize {
        self.stmts.push(at..at);
        self.exprs = 0;
        self.stmts.len() - 1
    }

    /// A statement ends.
    pub(super) fn close(&mut self, number: usize, at: usize) {
        if let Some(range) = self.stmts.get_mut(number) {
            range.end = at;
        }
    }

    /// Whether the next statement, with what is in it, is not laid out. It gets its numbers then.
    pub(super) fn passes(&mut self, s: &Stmt) -> bool {
        let Some(part) = &self.part else { return false };
        let (first, at) = (self.stmts.len(), self.stmts.last().map_or(0, |r| r.end));
        let end = first + if first < part.end { count(s) } else { 1 };
        let is_beside = end <= part.start || first >= part.end;
        if is_beside {
            self.stmts.resize(end, at..at);
        }
        is_beside
    }

    /// The next expression, in order; whether it is the one to look out for.
    pub(super) fn expr(&mut self) -> bool {
        self.exprs += 1;
        self.wanted == Some((self.stmts.len().wrapping_sub(1), self.exprs - 1))
    }
}

/// How many statements one is, with those in it.
fn count(s: &Stmt) -> usize {
    let mut n = 0;
    each_stmt(&Block::unit(s.clone()), &mut |_| n += 1);
    n
}

/// Writes to the end of a text, and notes where what is marked begins and ends.
pub(super) struct Marker<'o> {
    pub(super) out: &'o mut String,
    pub(super) trace: &'o mut Trace,
}

impl Render for Marker<'_> {
    type Error = fmt::Error;

    fn write_str(&mut self, s: &str) -> Result<usize, fmt::Error> {
        self.out.push_str(s);
        Ok(s.len())
    }

    fn fail_doc(&self) -> fmt::Error {
        fmt::Error
    }
}

impl RenderAnnotated<'_, ()> for Marker<'_> {
    fn push_annotation(&mut self, (): &()) -> fmt::Result {
        self.trace.found = Some(self.out.len()..self.out.len());
        Ok(())
    }

    fn pop_annotation(&mut self) -> fmt::Result {
        if let Some(range) = &mut self.trace.found {
            range.end = self.out.len();
        }
        Ok(())
    }
}

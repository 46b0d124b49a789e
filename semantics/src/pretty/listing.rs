//! Where things stand in a printed procedure.

use super::Printer;
use crate::ast::Proc;
use pretty::{Render, RenderAnnotated};
use std::fmt;
use std::ops::Range;

/// A printed procedure, with the places of its statements.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// As [`super::proc_to_string`] prints it.
    pub text: String,
    /// The bytes of each statement, whole lines; a statement before those in it, body before else branch.
    pub stmts: Vec<Range<usize>>,
    /// The bytes of the expression that was asked for.
    pub expr: Option<Range<usize>>,
}

/// Prints a procedure; looks out for an expression, by the number of its statement in [`Listing::stmts`] and its
/// number there, an expression before its parts, from left to right.
pub fn proc_listing(p: &Proc, expr: Option<(usize, usize)>) -> Listing {
    let mut printer = Printer { trace: Trace { wanted: expr, ..Trace::default() }, ..Printer::default() };
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

    /// The next expression, in order; whether it is the one to look out for.
    pub(super) fn expr(&mut self) -> bool {
        self.exprs += 1;
        self.wanted == Some((self.stmts.len().wrapping_sub(1), self.exprs - 1))
    }
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

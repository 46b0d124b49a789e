//! What the iterations of a procedure's own loops touch, in the order in which they do. Spec: [rule: run.trace].
//!
//! A callee's accesses are those of the iteration that calls it; its loops are not told apart.

use super::fault::Location;
use super::race::{AccessMode, Touched};
use crate::span::Span;
use crate::sym::Name;
use rustc_hash::FxHashMap;

/// What a run touched.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The iterations, in the order in which they began.
    pub iterations: Vec<Iteration>,
    /// The cells and fields; a buffer that is allocated again has other cells.
    pub places: Vec<Location>,
    /// The accesses, in their order.
    pub accesses: Vec<Access>,
}

/// An iteration of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The iteration around it, by its place in [`Trace::iterations`].
    pub around: Option<usize>,
    /// The loop, by where it stands.
    pub span: Span,
    /// Its variable.
    pub iter: Name,
    /// The variable's value.
    pub value: i64,
}

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The innermost iteration, by its place in [`Trace::iterations`]; `None` outside of all loops.
    pub iteration: Option<usize>,
    /// What was touched, by its place in [`Trace::places`].
    pub place: usize,
    /// How.
    pub mode: AccessMode,
}

/// A trace while the program runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracer {
    pub trace: Trace,
    /// The iteration under way.
    at: Option<usize>,
    /// Calls under way.
    calls: usize,
    /// The buffers of the heap, each by a number of its own.
    buffers: Vec<usize>,
    next: usize,
    known: FxHashMap<(Touched, usize), usize>,
}

impl Tracer {
    /// An iteration begins; what [`Tracer::end`] is told at its end.
    pub(crate) fn begin(&mut self, span: Span, iter: Name, value: i64) -> Option<usize> {
        let around = self.at;
        if self.calls == 0 {
            self.trace.iterations.push(Iteration { around, span, iter, value });
            self.at = Some(self.trace.iterations.len() - 1);
        }
        around
    }

    /// The iteration ends that this one is around.
    pub(crate) fn end(&mut self, around: Option<usize>) {
        if self.calls == 0 {
            self.at = around;
        }
    }

    /// A call begins.
    pub(crate) fn call(&mut self) {
        self.calls += 1;
    }

    /// A call ends.
    pub(crate) fn back(&mut self) {
        self.calls -= 1;
    }

    /// Buffers are freed, down to this many.
    pub(crate) fn free_down_to(&mut self, buffers: usize) {
        self.buffers.truncate(buffers);
    }

    /// Records an access; the heap has this many buffers.
    pub(crate) fn touch(
        &mut self,
        touched: Touched,
        mode: AccessMode,
        buffers: usize,
        name: impl FnOnce() -> Location,
    ) {
        while self.buffers.len() < buffers {
            self.buffers.push(self.next);
            self.next += 1;
        }
        let number = match touched {
            Touched::Cell(buffer, _) => self.buffers.get(buffer).copied().unwrap_or(usize::MAX),
            Touched::Field(_) => 0,
        };
        let places = &mut self.trace.places;
        let place = *self.known.entry((touched, number)).or_insert_with(|| {
            places.push(name());
            places.len() - 1
        });
        self.trace.accesses.push(Access { iteration: self.at, place, mode });
    }
}

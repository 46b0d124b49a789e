//! The store while a program runs: the heap, the fields, and the locals of the procedure under way.

use super::Limits;
use super::code::Unit;
use super::fault::{Fault, FaultKind, Location, Run};
use super::race::{AccessMode, Conflict, ParLoop, Touched};
use super::trace::Tracer;
use crate::data::DataDomain;
use crate::span::Span;
use crate::store::{Buffer, Loc, Store, Window};
use crate::sym::Name;
use crate::value::{Control, Exceptional, Val};

/// Statements between two questions whether to stop.
const BETWEEN: u64 = 1 << 16;

/// The locals of one procedure: `σ_local`, by slot. What is not bound yet is never read.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub controls: Vec<Control>,
    pub windows: Vec<Window>,
}

impl Frame {
    pub(crate) fn new(controls: usize, windows: usize) -> Frame {
        let nowhere = Window { loc: Loc(usize::MAX), offset: 0, dims: Vec::new() };
        Frame { controls: vec![Control::Unknown; controls], windows: vec![nowhere; windows] }
    }
}

/// A store in use: `σ` of the rules.
pub(crate) struct State<'u, D: DataDomain> {
    pub unit: &'u Unit<D::Value>,
    /// `σ_data`. Buffers are freed at the end of the block that allocates them, last first.
    pub heap: Vec<Buffer<D::Value>>,
    /// `σ_global`, by slot.
    pub fields: Vec<Val<D::Value>>,
    pub frame: Frame,
    /// The `par` loops under way, outermost first.
    pub par: Vec<ParLoop>,
    /// What is touched, where someone wants to know.
    pub tracer: Option<Box<Tracer>>,
    /// Statement instances executed.
    pub statements: u64,
    /// Cells allocated and not freed.
    pub cells: u64,
    pub limits: Limits,
    /// The windows that whoever started the run knows, to name cells by.
    pub known: Vec<(Name, Window)>,
}

impl<'u, D: DataDomain> State<'u, D> {
    /// The state of a store.
    pub(crate) fn enter(unit: &'u Unit<D::Value>, st: &mut Store<D::Value>, limits: Limits) -> State<'u, D> {
        let heap: Vec<Buffer<D::Value>> = st.take_data().into_iter().collect();
        let unset = || Val::Exceptional(Exceptional::Unknown);
        let fields =
            unit.fields.iter().map(|(key, _)| st.global(*key).cloned().unwrap_or_else(unset)).collect();
        let frame = Frame::new(0, 0);
        State {
            unit,
            heap,
            fields,
            frame,
            par: Vec::new(),
            tracer: None,
            statements: 0,
            cells: 0,
            limits,
            known: Vec::new(),
        }
    }

    /// Puts heap and fields back into the store.
    pub(crate) fn leave(self, st: &mut Store<D::Value>) {
        st.set_data(self.heap.into_iter().collect());
        for ((key, _), value) in self.unit.fields.iter().zip(self.fields) {
            if st.global(*key).is_some() || value != Val::Exceptional(Exceptional::Unknown) {
                st.set_global(*key, value);
            }
        }
    }

    /// Counts a statement instance.
    #[inline]
    pub(crate) fn step(&mut self, span: Span) -> Run<()> {
        self.statements += 1;
        let stopped = || self.limits.stop.is_some_and(|stop| stop());
        match self.limits.statements {
            Some(limit) if self.statements > limit => Err(Fault::at(span, FaultKind::OutOfFuel { limit })),
            Some(_) | None if self.statements.is_multiple_of(BETWEEN) && stopped() => {
                Err(Fault::at(span, FaultKind::OutOfFuel { limit: self.statements }))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Records an access in the trace, and with all `par` loops under way; ε_race on a conflict.
    #[inline]
    pub(crate) fn touch(&mut self, touched: Touched, access: AccessMode, span: Span) -> Run<()> {
        if self.par.is_empty() && self.tracer.is_none() {
            return Ok(());
        }
        if let Some(mut tracer) = self.tracer.take() {
            tracer.touch(touched, access, self.heap.len(), || self.location(touched));
            self.tracer = Some(tracer);
        }
        self.touch_in_par(touched, access, span)
    }

    fn touch_in_par(&mut self, touched: Touched, access: AccessMode, span: Span) -> Run<()> {
        for n in 0..self.par.len() {
            if let Some(conflict) = self.par[n].touch(touched, access) {
                return Err(self.race(n, touched, conflict, span));
            }
        }
        Ok(())
    }

    #[cold]
    fn race(&self, n: usize, touched: Touched, conflict: Conflict, span: Span) -> Box<Fault> {
        let place = self.location(touched);
        let Conflict { first, first_writes, second, second_writes } = conflict;
        let iter = self.par[n].iter;
        Fault::at(span, FaultKind::Race { iter, first, second, place, first_writes, second_writes })
    }

    fn location(&self, touched: Touched) -> Location {
        match touched {
            Touched::Cell(buffer, cell) => self.cell_by_name(buffer, cell),
            Touched::Field(field) => Location::Field(self.unit.fields[field.0].0),
        }
    }

    /// A cell as whoever started the run would call it: through a window given, if one shows it.
    fn cell_by_name(&self, buffer: usize, cell: usize) -> Location {
        for (name, window) in &self.known {
            if window.loc.0 == buffer
                && let Some(indices) = window.indices_of(cell)
            {
                return Location::Cell { buffer: *name, indices };
            }
        }
        let buffer = &self.heap[buffer];
        Location::Cell { buffer: buffer.name, indices: buffer.indices_of(cell) }
    }

    /// Frees the buffers allocated since there were this many.
    pub(crate) fn free_down_to(&mut self, buffers: usize) {
        if let Some(tracer) = &mut self.tracer {
            tracer.free_down_to(buffers);
        }
        for buffer in self.heap.drain(buffers..) {
            self.cells -= u64::try_from(buffer.cells().len()).unwrap_or(0).min(self.cells);
        }
    }
}

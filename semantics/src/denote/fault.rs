//! Error stores, with what a person needs to know about them. Spec: [rule: faults].

use crate::ast::Expr;
use crate::diag::Diagnostic;
use crate::pretty::expr_to_string;
use crate::span::Span;
use crate::store::ConfigKey;
use crate::sym::Name;
use crate::value::Exceptional;
use std::fmt;

/// The result of a rule: a value, or the error store that the whole run becomes. PLDI'22 Def. A.9.
pub type Run<T> = Result<T, Box<Fault>>;

/// An error store: why a run ended, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The statement or expression at which it happened.
    pub span: Span,
    /// The calls it happened in, innermost first: callee and place of the call.
    pub calls: Vec<(Name, Span)>,
}

/// The error values of stores. Spec: [rule: faults].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultClass {
    /// ε_m.
    MemError,
    /// ε_τ.
    TypeError,
    /// ε_race: two iterations of a `par` loop are in each other's way.
    Race,
    /// The interpreter gave up: the program may well have a meaning.
    Limit,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FaultKind {
    /// A cell that is not there. ε_m.
    #[error("`{buffer}{}` is outside of `{buffer}`, whose shape is {}", list(.indices), list(.shape))]
    OutOfBounds {
        /// The buffer or window, as named where it is accessed.
        buffer: Name,
        /// The indices.
        indices: Vec<i64>,
        /// Its extents.
        shape: Vec<i64>,
    },
    /// A window that leaves its buffer. ε_m.
    #[error("the window {lo}:{hi} leaves dimension {dim} of `{buffer}`, whose extent is {extent}")]
    WindowOutOfBounds {
        /// The buffer or window it is taken of.
        buffer: Name,
        /// The dimension.
        dim: usize,
        /// First index.
        lo: i64,
        /// One past the last index.
        hi: i64,
        /// The extent.
        extent: i64,
    },
    /// A window's point coordinate outside its buffer. ε_m. Spec: [rule: run.bounds].
    #[error("index {index} leaves dimension {dim} of `{buffer}`, whose extent is {extent}")]
    PointOutOfBounds {
        /// The buffer or window.
        buffer: Name,
        /// The dimension.
        dim: usize,
        /// The index.
        index: i64,
        /// The extent.
        extent: i64,
    },
    /// An assertion that is not true at entry. ε_m. Spec: [rule: run.assert].
    #[error("assertion {} of `{proc}` does not hold: {}", .number + 1, expr_to_string(.pred))]
    AssertFailed {
        /// The procedure.
        proc: Name,
        /// Which of its assertions, from 0.
        number: usize,
        /// The assertion.
        pred: Expr,
    },
    /// A size argument below 1. ε_m. Spec: [rule: run.size].
    #[error("`{name}` is a size, and {value} is below 1")]
    SizeNotPositive {
        /// The argument.
        name: Name,
        /// Its value.
        value: i64,
    },
    /// A value below 1 written to a field that is a size. ε_m. Spec: [rule: run.size].
    #[error("`{field}` is a size, and {value} is below 1")]
    FieldNotPositive {
        /// The field.
        field: ConfigKey,
        /// The value.
        value: i64,
    },
    /// A buffer of another shape than the formal argument's. ε_m. Spec: [rule: run.shape].
    #[error("`{arg}` of `{proc}` has shape {}, and {} is given", list(.expected), list(.found))]
    ShapeMismatch {
        /// The procedure.
        proc: Name,
        /// The formal argument.
        arg: Name,
        /// The formal's extents.
        expected: Vec<i64>,
        /// The actual's extents.
        found: Vec<i64>,
    },
    /// A window with gaps for an argument that is a tensor. ε_m. Spec: [rule: run.shape].
    #[error("`{arg}` of `{proc}` is a tensor, and the cells of what is given are not dense")]
    NotDense {
        /// The procedure.
        proc: Name,
        /// The formal argument.
        arg: Name,
    },
    /// An allocation with a negative extent. ε_m. Spec: [rule: run.extent].
    #[error("`{buffer}` cannot have shape {}", list(.shape))]
    NegativeExtent {
        /// The buffer.
        buffer: Name,
        /// Its extents.
        shape: Vec<i64>,
    },
    /// A decision that hangs on ⊥. ε_m. Spec: [rule: run.unknown].
    #[error("{what} is not known: it hangs on a configuration field that was never set")]
    UnknownControl {
        /// What was to be decided.
        what: String,
    },
    /// An operation on values of the wrong sort, or a name that is not bound. ε_τ. Spec: [rule: run.type].
    #[error("{what}")]
    IllTyped {
        /// What is wrong.
        what: String,
    },
    /// Two iterations of a `par` loop touch one place, and one writes it. ε_race. Spec: [rule: run.race].
    #[error(
        "iterations {iter} = {first} and {iter} = {second} of a par loop both touch {place}: {}",
        race_verbs(*.first_writes, *.second_writes)
    )]
    Race {
        /// The loop variable.
        iter: Name,
        /// One iteration.
        first: i64,
        /// A later one.
        second: i64,
        /// The cell or field.
        place: Location,
        /// Whether the one writes.
        first_writes: bool,
        /// Whether the other writes.
        second_writes: bool,
    },
    /// Control arithmetic beyond 64 bits. Spec: [rule: run.overflow].
    #[error("control arithmetic leaves 64 bits: {lhs} {op} {rhs}")]
    Overflow {
        /// The operator.
        op: &'static str,
        /// Left operand.
        lhs: i64,
        /// Right operand.
        rhs: i64,
    },
    /// More statement instances than allowed. Spec: [rule: run.limit].
    #[error("more than {limit} statements were executed")]
    OutOfFuel {
        /// The limit.
        limit: u64,
    },
    /// More cells than allowed. Spec: [rule: run.limit].
    #[error("`{buffer}` of shape {} has more cells than the interpreter is allowed ({limit} in all)", list(.shape))]
    OutOfMemory {
        /// The buffer.
        buffer: Name,
        /// Its extents.
        shape: Vec<i64>,
        /// The limit.
        limit: u64,
    },
}

/// A place that two iterations may fight over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A cell of a buffer.
    Cell {
        /// The buffer at the root of all windows.
        buffer: Name,
        /// The cell's indices there.
        indices: Vec<i64>,
    },
    /// A configuration field.
    Field(ConfigKey),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Cell { buffer, indices } if indices.is_empty() => write!(f, "`{buffer}`"),
            Location::Cell { buffer, indices } => write!(f, "`{buffer}{}`", list(indices)),
            Location::Field(key) => write!(f, "`{key}`"),
        }
    }
}

fn list(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("[{}]", numbers.join(", "))
}

fn race_verbs(first_writes: bool, second_writes: bool) -> &'static str {
    match (first_writes, second_writes) {
        (true, true) => "both write",
        (true, false) => "the first writes, the second reads",
        (false, true) => "the first reads, the second writes",
        (false, false) => "both read",
    }
}

impl FaultKind {
    /// Which error value it is.
    pub fn class(&self) -> FaultClass {
        match self {
            FaultKind::OutOfBounds { .. }
            | FaultKind::WindowOutOfBounds { .. }
            | FaultKind::PointOutOfBounds { .. }
            | FaultKind::AssertFailed { .. }
            | FaultKind::SizeNotPositive { .. }
            | FaultKind::FieldNotPositive { .. }
            | FaultKind::ShapeMismatch { .. }
            | FaultKind::NotDense { .. }
            | FaultKind::NegativeExtent { .. }
            | FaultKind::UnknownControl { .. } => FaultClass::MemError,
            FaultKind::IllTyped { .. } => FaultClass::TypeError,
            FaultKind::Race { .. } => FaultClass::Race,
            FaultKind::Overflow { .. } | FaultKind::OutOfFuel { .. } | FaultKind::OutOfMemory { .. } => {
                FaultClass::Limit
            }
        }
    }

    /// Whether it is a precondition of a procedure that does not hold where it is entered.
    fn is_precondition(&self) -> bool {
        match self {
            FaultKind::AssertFailed { .. }
            | FaultKind::SizeNotPositive { .. }
            | FaultKind::ShapeMismatch { .. }
            | FaultKind::NotDense { .. } => true,
            FaultKind::OutOfBounds { .. }
            | FaultKind::WindowOutOfBounds { .. }
            | FaultKind::PointOutOfBounds { .. }
            | FaultKind::FieldNotPositive { .. }
            | FaultKind::NegativeExtent { .. }
            | FaultKind::UnknownControl { .. }
            | FaultKind::IllTyped { .. }
            | FaultKind::Race { .. }
            | FaultKind::Overflow { .. }
            | FaultKind::OutOfFuel { .. }
            | FaultKind::OutOfMemory { .. } => false,
        }
    }

    /// Its rule in `spec/`, the identity of the diagnostic.
    pub fn rule(&self) -> &'static str {
        match self {
            FaultKind::OutOfBounds { .. }
            | FaultKind::WindowOutOfBounds { .. }
            | FaultKind::PointOutOfBounds { .. } => "run.bounds",
            FaultKind::AssertFailed { .. } => "run.assert",
            FaultKind::SizeNotPositive { .. } | FaultKind::FieldNotPositive { .. } => "run.size",
            FaultKind::ShapeMismatch { .. } | FaultKind::NotDense { .. } => "run.shape",
            FaultKind::NegativeExtent { .. } => "run.extent",
            FaultKind::UnknownControl { .. } => "run.unknown",
            FaultKind::IllTyped { .. } => "run.type",
            FaultKind::Race { .. } => "run.race",
            FaultKind::Overflow { .. } => "run.overflow",
            FaultKind::OutOfFuel { .. } | FaultKind::OutOfMemory { .. } => "run.limit",
        }
    }
}

impl Fault {
    /// A fault at a place.
    pub fn at(span: Span, kind: FaultKind) -> Box<Fault> {
        Box::new(Fault { kind, span, calls: Vec::new() })
    }

    /// An ε_τ at a place.
    pub(crate) fn ill_typed(span: Span, what: impl Into<String>) -> Box<Fault> {
        Fault::at(span, FaultKind::IllTyped { what: what.into() })
    }

    /// The same, seen from the caller.
    pub(crate) fn inside(mut self: Box<Fault>, callee: Name, call: Span) -> Box<Fault> {
        self.calls.push((callee, call));
        self
    }

    /// Which error value it is.
    pub fn class(&self) -> FaultClass {
        self.kind.class()
    }

    /// Whether it says that the input itself was not valid: a precondition of the procedure that was
    /// called from outside does not hold. PLDI'22 Def. 4.1 ("valid input stores").
    pub fn rejects_input(&self) -> bool {
        self.calls.is_empty() && self.kind.is_precondition()
    }

    /// The value this error is to an expression; `None` for what the paper has no value for.
    pub fn value(&self) -> Option<Exceptional> {
        match self.class() {
            FaultClass::MemError => Some(Exceptional::MemError),
            FaultClass::TypeError => Some(Exceptional::TypeError),
            FaultClass::Race | FaultClass::Limit => None,
        }
    }

    /// As a diagnostic, with the calls as further places.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.kind.rule(), self.span, self.kind.to_string());
        for (callee, span) in &self.calls {
            diagnostic = diagnostic.also(*span, format!("in this call of `{callee}`"));
        }
        diagnostic
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        for (callee, _) in &self.calls {
            write!(f, ", in a call of `{callee}`")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

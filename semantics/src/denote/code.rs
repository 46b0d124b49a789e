//! Programs with names resolved to slots: the abstract syntax again, sort by sort.
//!
//! Each node is one node of [`crate::ast`]; nothing is reordered, simplified or shared. What resolving
//! decides once, so that running need not: which slot a name has, whether an expression is control or
//! data, and the precision that literals take. What cannot be resolved becomes `Ill`, and is ε_τ when
//! it is reached, not before.

use crate::ast::{BinOp, Expr, LoopMode};
use crate::data::Arith;
use crate::externs::Extern;
use crate::span::Span;
use crate::store::ConfigKey;
use crate::sym::{Name, Sym};
use crate::types::{ArrayKind, ControlType, DataType, FieldType};
use crate::value::Control;

/// A place in a frame for a control value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CtlSlot(pub usize);

/// A place in a frame for a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufSlot(pub usize);

/// A place among the configuration fields of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FieldSlot(pub usize);

/// A place among the procedures of a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcSlot(pub usize);

/// Why a node has no meaning.
#[derive(Clone, Debug)]
pub(crate) struct Ill {
    pub what: String,
    pub span: Span,
}

/// Control expressions.
#[derive(Clone, Debug)]
pub(crate) enum CtlExpr {
    Lit(Control),
    Local(CtlSlot),
    Neg(Box<CtlExpr>, Span),
    Not(Box<CtlExpr>, Span),
    Bin { op: BinOp, lhs: Box<CtlExpr>, rhs: Box<CtlExpr>, span: Span },
    Stride { buf: BufSlot, dim: usize, span: Span },
    Field(FieldSlot, Span),
    Ill(Box<Ill>),
}

/// Data expressions.
#[derive(Clone, Debug)]
pub(crate) enum DataExpr<V> {
    Lit(V),
    Read(CellRef),
    Field(FieldSlot, Span),
    Neg(Box<DataExpr<V>>),
    Bin { op: Arith, lhs: Box<DataExpr<V>>, rhs: Box<DataExpr<V>> },
    Extern { func: Extern, args: Box<[DataExpr<V>]> },
    Ill(Box<Ill>),
}

/// `x[i, j]`: one cell.
#[derive(Clone, Debug)]
pub(crate) struct CellRef {
    pub buf: BufSlot,
    pub name: Name,
    pub idx: Box<[CtlExpr]>,
    pub span: Span,
}

/// Expressions whose values are windows.
#[derive(Clone, Debug)]
pub(crate) enum WinExpr {
    Whole(BufSlot),
    Cell(CellRef),
    Part { buf: BufSlot, name: Name, coords: Box<[Coord]>, span: Span },
    Ill(Box<Ill>),
}

/// One coordinate of a window.
#[derive(Clone, Debug)]
pub(crate) enum Coord {
    Point(CtlExpr),
    Interval(CtlExpr, CtlExpr),
}

/// An expression of any sort.
#[derive(Clone, Debug)]
pub(crate) enum AnyExpr<V> {
    Control(CtlExpr),
    Data(DataExpr<V>),
    Window(WinExpr),
}

/// Statements.
#[derive(Clone, Debug)]
pub(crate) enum Code<V> {
    Assign { dst: CellRef, elem: DataType, rhs: DataExpr<V> },
    Reduce { dst: CellRef, elem: DataType, rhs: DataExpr<V> },
    WriteControl { field: FieldSlot, typ: ControlType, rhs: CtlExpr },
    WriteData { field: FieldSlot, typ: DataType, rhs: DataExpr<V> },
    Pass,
    If { cond: CtlExpr, body: Body<V>, orelse: Body<V> },
    For { slot: CtlSlot, iter: Sym, lo: CtlExpr, hi: CtlExpr, body: Body<V>, mode: LoopMode },
    Alloc { slot: BufSlot, name: Name, elem: DataType, shape: Box<[CtlExpr]> },
    Window { slot: BufSlot, rhs: WinExpr },
    Call { proc: ProcSlot, args: Box<[AnyExpr<V>]> },
    Ill(Box<Ill>),
}

/// A statement and its place.
#[derive(Clone, Debug)]
pub(crate) struct CodeStmt<V> {
    pub code: Code<V>,
    pub span: Span,
}

/// A block.
#[derive(Clone, Debug)]
pub(crate) struct Body<V> {
    pub stmts: Vec<CodeStmt<V>>,
    /// Whether the block itself allocates, so that its end frees something.
    pub allocates: bool,
}

/// A formal argument.
#[derive(Clone, Debug)]
pub(crate) enum Formal {
    Control { name: Name, slot: CtlSlot, typ: ControlType, span: Span },
    Data { name: Name, slot: BufSlot, elem: DataType, shape: Box<[CtlExpr]>, kind: ArrayKind, span: Span },
}

impl Formal {
    pub(crate) fn name(&self) -> Name {
        match self {
            Formal::Control { name, .. } | Formal::Data { name, .. } => *name,
        }
    }
}

/// A procedure.
#[derive(Clone, Debug)]
pub(crate) struct ProcCode<V> {
    pub name: Name,
    pub formals: Vec<Formal>,
    pub preds: Vec<(CtlExpr, Expr)>,
    pub body: Body<V>,
    pub ctl_slots: usize,
    pub buf_slots: usize,
    pub span: Span,
}

/// A procedure with all it calls, and the fields they touch.
#[derive(Clone, Debug)]
pub(crate) struct Unit<V> {
    pub procs: Vec<ProcCode<V>>,
    pub fields: Vec<(ConfigKey, FieldType)>,
}

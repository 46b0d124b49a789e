//! Patterns as data: statements and expressions with holes.

use rewright_semantics::ast::{BinOp, Decimal, LoopMode};
use rewright_semantics::sym::Name;
use rewright_semantics::types::DataType;

/// A name, or `_` for any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// `_`
    Any,
    /// This one.
    Is(Name),
}

/// What a text asks for.
#[derive(Debug)]
pub(super) enum Pattern {
    /// Names alone: what they name depends on the sort that is wanted. Several are loops inside each other.
    Names(Vec<Word>),
    /// One statement or several.
    Stmts(Vec<StmtPat>),
    /// An expression.
    Expr(ExprPat),
}

/// A statement with holes.
#[derive(Debug)]
pub(super) enum StmtPat {
    /// `_`: a run of statements.
    Hole,
    /// `x[i] = e`; also `y = x[…]`, a window statement.
    Assign { name: Word, idx: Vec<CoordPat>, rhs: ExprPat },
    /// `x[i] += e`
    Reduce { name: Word, idx: Vec<CoordPat>, rhs: ExprPat },
    /// `y: [f32] = x[i]`
    Window { name: Word, rhs: ExprPat },
    /// `Cfg.field = e`
    WriteConfig { config: Word, field: Word, rhs: ExprPat },
    /// `a: f32[n] @ DRAM`
    Alloc { name: Word, typ: TypePat },
    /// `for i in seq(lo, hi): …`
    For { iter: Word, bounds: Option<(LoopMode, ExprPat, ExprPat)>, body: Vec<StmtPat> },
    /// `if e: … else: …`
    If { cond: ExprPat, body: Vec<StmtPat>, orelse: Vec<StmtPat> },
    /// `f(e, …)`
    Call { callee: Word, args: Vec<ExprPat> },
    /// `pass`
    Pass,
}

/// The type of a declaration; what is not said may be anything.
#[derive(Debug, Default)]
pub(super) struct TypePat {
    pub(super) elem: Option<DataType>,
    pub(super) shape: Vec<ExprPat>,
    pub(super) mem: Option<Name>,
}

/// An expression with holes.
#[derive(Debug)]
pub(super) enum ExprPat {
    /// `_`
    Any,
    /// `x`, `x[i, 0:4]`
    Access { name: Word, idx: Vec<CoordPat> },
    /// A number; when it is written as a fraction, data only.
    Number { value: Decimal, fraction: bool },
    /// `True` or `False`
    Bool(bool),
    /// `-e`; of a number, also the negative number.
    Neg(Box<ExprPat>),
    /// `not e`
    Not(Box<ExprPat>),
    /// `e op e`
    Bin(BinOp, Box<ExprPat>, Box<ExprPat>),
    /// `f(e, …)`, `stride(x, 0)`
    Call { func: Word, args: Vec<ExprPat> },
    /// `Cfg.field`
    Field { config: Word, field: Word },
}

/// A coordinate between brackets.
#[derive(Debug)]
pub(super) enum CoordPat {
    /// `e`; `_` is any coordinate.
    Point(ExprPat),
    /// `lo:hi`; what is left out may be anything.
    Interval(ExprPat, ExprPat),
}

/// Whether every statement is a hole, so that everything would match.
pub(super) fn says_nothing(pats: &[StmtPat]) -> bool {
    pats.iter().all(|s| matches!(s, StmtPat::Hole))
}

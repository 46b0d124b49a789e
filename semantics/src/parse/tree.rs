//! The surface tree: what was written, freed of Python, before any name is looked up.
//!
//! Nothing here is wrong in itself: what the object language does not have was reported while the tree
//! was made and is a `Broken` node, so that the rest of the file is still looked at.

use crate::ast::{BinOp, Decimal, LoopMode, MemoryDef};
use crate::span::Span;
use crate::sym::Name;
use crate::types::{ArrayKind, ControlType, DataType, FieldType};
use indexmap::IndexMap;
use num_bigint::BigInt;
use std::sync::Arc;

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ident {
    pub(super) name: Name,
    pub(super) span: Span,
}

/// An expression.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

/// The expressions.
#[derive(Debug)]
pub(super) enum ExprKind {
    /// Reported already.
    Broken,
    /// `x`
    Name(Name),
    /// `x[i, lo:hi]`
    Index(Ident, Vec<Coord>),
    /// An integer literal, its sign included.
    Int(i64),
    /// One of more than 64 bits.
    Long(BigInt),
    /// Any other number.
    Float(Decimal),
    /// `True` or `False`
    Bool(bool),
    /// `-e`
    Neg(Box<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// `e op e`
    Bin(BinOp, Box<Expr>, Box<Expr>),
    /// `e < e <= e`: two comparisons or more.
    Chain(Box<Expr>, Vec<(BinOp, Expr)>),
    /// `Cfg.field`
    Field(Box<(Ident, Ident)>),
    /// `f(e, …)`: an extern or `stride`.
    Call(Ident, Vec<Expr>),
}

/// One coordinate between brackets.
#[derive(Debug)]
pub(super) enum Coord {
    /// `e`
    Point(Expr),
    /// `lo:hi`, each end possibly left out.
    Range(Option<Expr>, Option<Expr>, Span),
}

impl Coord {
    /// Whether this is a slice.
    pub(super) fn is_range(&self) -> bool {
        match self {
            Coord::Point(_) => false,
            Coord::Range(..) => true,
        }
    }
}

/// What a declaration says after the colon.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) kind: TypeKind,
    pub(super) mem: Option<Ident>,
    pub(super) span: Span,
}

/// The types.
#[derive(Debug)]
pub(super) enum TypeKind {
    /// Reported already.
    Broken,
    /// `size`, `index`, …
    Control(ControlType),
    /// `f32`, `f32[n]`, `[f32][n]`
    Data(DataType, Vec<Expr>, ArrayKind),
}

/// A statement.
#[derive(Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) span: Span,
}

/// The statements.
#[derive(Debug)]
pub(super) enum StmtKind {
    /// Reported already. Names that it may have meant to declare are listed, so that they are not
    /// reported once more where they are used.
    Broken(Vec<Name>),
    /// `x = e`, `x[i] = e`, `Cfg.f = e`, `y = x[0:4]`
    Assign(LValue, Expr),
    /// `x[i] += e`
    Reduce(LValue, Expr),
    /// `x: t` or `x: t = e`
    Declare(Ident, Type, Option<Expr>),
    /// `for i in seq(lo, hi): …`
    For { iter: Ident, lo: Expr, hi: Expr, mode: LoopMode, body: Vec<Stmt> },
    /// `if e: … else: …`
    If { cond: Expr, body: Vec<Stmt>, orelse: Vec<Stmt> },
    /// `p(e, …)`
    Call(Ident, Vec<Expr>),
    /// `pass`
    Pass,
}

/// What may be assigned.
#[derive(Debug)]
pub(super) enum LValue {
    /// `x` or `x[i, j]`
    Cell(Ident, Vec<Expr>),
    /// `Cfg.field`
    Field(Ident, Ident),
}

/// A procedure or an instruction.
#[derive(Debug)]
pub(super) struct Proc {
    pub(super) name: Ident,
    pub(super) args: Vec<(Ident, Type)>,
    pub(super) preds: Vec<Expr>,
    pub(super) body: Vec<Stmt>,
    pub(super) instr: Option<Instr>,
    /// Whether calls can be checked against what is known of the arguments.
    pub(super) callable: bool,
}

/// The arguments of `@instr`.
#[derive(Debug)]
pub(super) struct Instr {
    pub(super) c_instr: Arc<str>,
    pub(super) c_global: Arc<str>,
    pub(super) cflags: Arc<str>,
    /// How it rounds.
    pub(super) rounds: Rounds,
    /// Where the template stands.
    pub(super) span: Span,
}

/// How an instruction rounds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rounds {
    /// As its body says; or what was written was reported.
    AsWritten,
    /// `rounds="fused"`, and where that stands.
    Fused(Span),
    /// `rounds=p`
    Like(Ident),
}

/// A configuration class.
#[derive(Debug)]
pub(super) struct Config {
    pub(super) name: Ident,
    pub(super) fields: IndexMap<Name, (Span, FieldType)>,
    pub(super) direct_access: bool,
    /// Names of fields whose declaration was wrong.
    pub(super) broken: Vec<Name>,
}

/// What one statement of the file defines.
#[derive(Debug)]
pub(super) enum Item {
    /// A procedure or an instruction.
    Proc(Proc),
    /// A configuration class.
    Config(Config),
    /// A memory class.
    Memory(MemoryDef),
    /// A constant.
    Constant(Ident, Constant),
    /// `import … x as y`.
    Alias {
        /// The name used here.
        here: Name,
        /// The name at home.
        there: Name,
    },
    /// Names bound by something that is skipped or wrong.
    Opaque(Vec<Name>, WhyOpaque),
}

/// Why nothing is known of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhyOpaque {
    /// It was reported where it is defined.
    Broken,
    /// It is made by a scheduling line.
    Scheduled,
    /// It comes from elsewhere.
    Imported,
}

/// The value of a constant.
#[derive(Clone, Debug)]
pub(super) enum Constant {
    /// `16`
    Int(BigInt),
    /// `0.5`
    Float(Decimal),
    /// `True`
    Bool(bool),
    /// `"…"`
    Text(Arc<str>),
}

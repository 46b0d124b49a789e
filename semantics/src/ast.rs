//! Abstract syntax of the object language. PLDI'22 Fig. 3, extended by else branches, parallel loops,
//! window statements, strides, externs, configuration fields and `pass`; spec: [rule: syntax].
//!
//! Nodes are immutable and shared: cloning any of them is O(1), and a changed program shares all that
//! did not change. A node does not know where it stands, and may stand in several places.
//!
//! `==` compares programs symbol by symbol and ignores spans. Equality up to the choice of symbols is
//! the printer's business: two programs are alpha-equal when they print alike.

use crate::externs::Extern;
use crate::span::Span;
use crate::sym::{Name, Sym};
use crate::types::{ArgType, BufferType, FieldType, MemName};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

pub use rewright_base::decimal::Decimal;

/// A file's definitions, in order of definition. Later ones may refer to earlier ones.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Configuration classes.
    pub configs: Vec<Arc<Config>>,
    /// Memories that the file declares itself.
    pub memories: Vec<Arc<MemoryDef>>,
    /// Procedures and instructions.
    pub procs: Vec<Arc<Proc>>,
}

impl Module {
    /// The procedure of this name: the last, where several have it.
    pub fn proc(&self, name: &str) -> Option<&Arc<Proc>> {
        self.procs.iter().rev().find(|p| p.name.as_str() == name)
    }
}

/// A procedure: `@proc def p(args): assert preds; body`, or an instruction when `instr` is present.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Proc {
    /// Its name.
    pub name: Name,
    /// Its arguments, in order; later ones may mention earlier and later control arguments.
    pub args: Vec<Arg>,
    /// Asserted preconditions, each of type `bool`.
    pub preds: Vec<Expr>,
    /// What it does. Never empty: an empty body is a `pass`.
    pub body: Block,
    /// The C text that a call becomes, for an instruction.
    pub instr: Option<Instr>,
    /// The definition's name in the source.
    pub span: Span,
}

/// A formal argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arg {
    /// The variable.
    pub name: Sym,
    /// Its type.
    pub typ: ArgType,
    /// Where it is declared.
    pub span: Span,
}

/// An instruction's C: `@instr(c_instr, c_global, cflags=…)`. PLDI'22 §3.2.2.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instr {
    /// Template of a call: `{x}`, `{x_data}`, `{x.strides[0]}`, `{{` and `}}` stand for braces.
    pub c_instr: Arc<str>,
    /// C to stand once at the head of a unit that uses the instruction; may be empty.
    pub c_global: Arc<str>,
    /// What a compiler must be told to accept it, separated by blanks: `-mavx2 -mfma`; may be empty.
    pub cflags: Arc<str>,
    /// How the hardware rounds.
    pub rounds: Rounds,
}

/// How an instruction rounds what its body computes. Spec: [rule: instructions.rounding].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rounds {
    /// As the body: after each operation.
    #[default]
    AsWritten,
    /// As the body, but a product that something is added to is not rounded by itself: `rounds="fused"`.
    Fused,
    /// As another procedure, of the same arguments: `rounds=p`. In exact arithmetic it does what the body does.
    Like(Arc<Proc>),
}

/// A configuration class: named global state of the hardware. PLDI'22 §2.4, §3.2.3.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Its name.
    pub name: Name,
    /// Its fields, in order.
    pub fields: Fields,
    /// Whether C may read and write the fields directly. When not (`@config(readwrite=False)`), no
    /// struct is generated and only instructions change the state.
    pub direct_access: bool,
    /// The class's name in the source.
    pub span: Span,
}

impl Config {
    /// The field of this name.
    pub fn field(&self, name: Name) -> Option<&ConfigField> {
        self.fields.named(name)
    }
}

/// The fields of a class, in order, and where each name stands among them.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    all: Vec<ConfigField>,
    places: FxHashMap<Name, usize>,
}

impl Fields {
    /// The first of this name.
    pub fn named(&self, name: Name) -> Option<&ConfigField> {
        self.all.get(*self.places.get(&name)?)
    }
}

impl From<Vec<ConfigField>> for Fields {
    fn from(all: Vec<ConfigField>) -> Fields {
        all.into_iter().collect()
    }
}

impl FromIterator<ConfigField> for Fields {
    fn from_iter<I: IntoIterator<Item = ConfigField>>(all: I) -> Fields {
        let all: Vec<ConfigField> = all.into_iter().collect();
        let mut places = FxHashMap::default();
        for (k, field) in all.iter().enumerate() {
            places.entry(field.name).or_insert(k);
        }
        Fields { all, places }
    }
}

impl Deref for Fields {
    type Target = [ConfigField];

    fn deref(&self) -> &[ConfigField] {
        &self.all
    }
}

impl<'a> IntoIterator for &'a Fields {
    type Item = &'a ConfigField;
    type IntoIter = std::slice::Iter<'a, ConfigField>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Fields) -> bool {
        self.all == other.all
    }
}

impl Eq for Fields {}

impl Hash for Fields {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.all.hash(state);
    }
}

/// A field of a configuration class.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConfigField {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub typ: FieldType,
    /// Where it is declared.
    pub span: Span,
}

/// A memory that a file declares: `class ACC(Memory): …`. Each method is a template, a refusal, or
/// Python that Rewright does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryDef {
    /// Its name.
    pub name: MemName,
    /// Its methods: `alloc`, `free`, `window`, `read`, `write`, `reduce`, `global_`, `can_read`, ….
    pub methods: Vec<(Name, MemoryMethod)>,
    /// The class's name in the source.
    pub span: Span,
}

/// What a method of a [`MemoryDef`] does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryMethod {
    /// `return "…"` or `return f"…"`: a template over the method's parameters.
    Template(Arc<str>),
    /// `return True` or `return False`.
    Flag(bool),
    /// `raise MemGenError("…")`.
    Refuse(Arc<str>),
    /// Anything else: known to exist, not understood.
    Opaque,
}

/// A sequence of statements.
pub type Block = im::Vector<Stmt>;

/// A statement and where it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stmt {
    /// What it is.
    pub kind: Arc<StmtKind>,
    /// Its place in the source, or [`Span::NONE`].
    pub span: Span,
}

impl Stmt {
    /// A statement that no one wrote.
    pub fn new(kind: StmtKind) -> Stmt {
        Stmt { kind: Arc::new(kind), span: Span::NONE }
    }

    /// A statement at a place.
    pub fn at(kind: StmtKind, span: Span) -> Stmt {
        Stmt { kind: Arc::new(kind), span }
    }
}

/// The statements. Spec: one rule each, `[rule: stmt.…]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StmtKind {
    /// `x[i, j] = e`, or `x = e` for a scalar.
    Assign {
        /// The buffer, tensor or window.
        name: Sym,
        /// As many indices as the buffer has dimensions.
        idx: Arc<[Expr]>,
        /// Data of any precision; cast when written.
        rhs: Expr,
    },
    /// `x[i, j] += e`.
    Reduce {
        /// The buffer, tensor or window.
        name: Sym,
        /// As many indices as the buffer has dimensions.
        idx: Arc<[Expr]>,
        /// Data of any precision; cast when written.
        rhs: Expr,
    },
    /// `Cfg.field = e`.
    WriteConfig {
        /// The configuration class.
        config: Arc<Config>,
        /// The field, one of the class's.
        field: Name,
        /// The value.
        rhs: Expr,
    },
    /// `pass`.
    Pass,
    /// `if cond: body else: orelse`.
    If {
        /// Of type `bool`.
        cond: Expr,
        /// Runs when `cond` holds. Never empty.
        body: Block,
        /// Runs when `cond` does not hold; empty when there is no `else`.
        orelse: Block,
    },
    /// `for iter in seq(lo, hi): body`. Bounds are evaluated once, before the first iteration; no
    /// iteration runs when `hi ≤ lo`.
    For {
        /// The loop variable, of type `index`; bound in `body` only.
        iter: Sym,
        /// First value.
        lo: Expr,
        /// One past the last value.
        hi: Expr,
        /// The body. Never empty.
        body: Block,
        /// Sequential or parallel.
        mode: LoopMode,
    },
    /// `x: f32[n, m] @ MEM`. In scope to the end of the enclosing block; cells start as ⊥.
    Alloc {
        /// The new buffer.
        name: Sym,
        /// A tensor type: windows cannot be allocated.
        typ: BufferType,
        /// Where it lives.
        mem: MemName,
    },
    /// `y = x[2:5, j]`: a new name for a part of a buffer. In scope to the end of the enclosing block.
    WindowStmt {
        /// The new window.
        name: Sym,
        /// What it shows.
        rhs: WindowExpr,
    },
    /// `p(e, …)`.
    Call {
        /// The callee.
        proc: Arc<Proc>,
        /// One per formal argument: control expressions; buffers and windows for data.
        args: Arc<[Expr]>,
    },
}

/// How iterations of a loop may be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopMode {
    /// `seq`: one after another, upwards.
    Seq,
    /// `par`: in any order or at once; no two iterations touch one cell when one of them writes it.
    Par,
}

impl LoopMode {
    /// The keyword of the surface language.
    pub fn keyword(self) -> &'static str {
        match self {
            LoopMode::Seq => "seq",
            LoopMode::Par => "par",
        }
    }
}

/// An expression and where it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place in the source, or [`Span::NONE`].
    pub span: Span,
}

impl Expr {
    /// An expression that no one wrote.
    pub fn new(kind: ExprKind) -> Expr {
        Expr { kind, span: Span::NONE }
    }

    /// An expression at a place.
    pub fn at(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, span }
    }
}

/// The expressions. Spec: one rule each, `[rule: expr.…]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// `x` or `x[i, j]`: a control variable, a scalar, a cell; or, as an argument and with no index, a
    /// whole buffer. With indices there are as many as the buffer has dimensions.
    Read {
        /// The variable.
        name: Sym,
        /// The indices.
        idx: Arc<[Expr]>,
    },
    /// `x[2:5, j]`: as an argument of a call only (see [`StmtKind::WindowStmt`] for the statement).
    Window(WindowExpr),
    /// A literal.
    Lit(Literal),
    /// `-e`, of control integers or data.
    Neg(Arc<Expr>),
    /// `not e`, of booleans.
    Not(Arc<Expr>),
    /// `e op e`.
    Bin {
        /// The operator.
        op: BinOp,
        /// Left operand.
        lhs: Arc<Expr>,
        /// Right operand.
        rhs: Arc<Expr>,
    },
    /// `f(e, …)`: an extern function of data.
    Extern {
        /// The function.
        func: Extern,
        /// As many as its arity.
        args: Arc<[Expr]>,
    },
    /// `stride(x, d)`.
    Stride {
        /// A buffer.
        name: Sym,
        /// The dimension, counted from 0.
        dim: usize,
    },
    /// `Cfg.field`.
    ReadConfig {
        /// The configuration class.
        config: Arc<Config>,
        /// The field, one of the class's.
        field: Name,
    },
}

/// `x[w, …]`: a part of a buffer. PLDI'22 Def. A.4 (windows). Its rank is the number of intervals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WindowExpr {
    /// The buffer, itself a tensor or a window.
    pub name: Sym,
    /// One per dimension of the buffer.
    pub idx: Arc<[WinCoord]>,
}

/// One coordinate of a window.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WinCoord {
    /// `e`: this dimension is fixed, and gone from the window.
    Point(Expr),
    /// `lo:hi`: this dimension is kept, shifted by `lo`; its extent is `hi - lo`.
    Interval(Expr, Expr),
}

/// A literal. Whether an integer is control or data is decided where it is parsed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// A control integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A data value.
    Data(Decimal),
}

/// Binary operators. On control integers `/` and `%` are floor division and its remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `==`
    Eq,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `and`
    And,
    /// `or`
    Or,
}

impl BinOp {
    /// Every operator, in the order of the specification.
    pub const ALL: [BinOp; 12] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Mod,
        BinOp::Eq,
        BinOp::Lt,
        BinOp::Le,
        BinOp::Gt,
        BinOp::Ge,
        BinOp::And,
        BinOp::Or,
    ];

    /// As written in the surface language.
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Mod => "%",
            BinOp::Eq => "==",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::And => "and",
            BinOp::Or => "or",
        }
    }

    /// Which kind of operator it is.
    pub fn class(self) -> OpClass {
        match self {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod => OpClass::Arithmetic,
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => OpClass::Comparison,
            BinOp::And | BinOp::Or => OpClass::Logical,
        }
    }
}

/// The kinds of binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpClass {
    /// Integers to integer, or data to data (not `%`).
    Arithmetic,
    /// Integers to bool; `==` also on strides and booleans.
    Comparison,
    /// Booleans to bool.
    Logical,
}

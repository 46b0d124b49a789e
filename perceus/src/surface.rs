//! The surface language: a small Koka. Spec: [rule: perceus.surface].
//!
//! ```text
//! type list { Nil; Cons(head, tail) }
//! fun map(xs, f) {
//!   match(xs) {
//!     Cons(x, xx) -> Cons(f(x), map(xx, f))
//!     Nil -> Nil
//!   }
//! }
//! fun main() { map(Cons(1, Nil), fn(x) { x + 1 }) }
//! ```
//!
//! Types may be written, as in Koka, and are not looked at: λ¹ is untyped. What is checked ([`check`]): names, arities,
//! exhaustive patterns, branches that nothing reaches. [`desugar`] makes a program of λ¹.

pub mod check;
pub mod desugar;
pub mod lex;
pub mod parse;
pub mod print;
pub mod throws;

use crate::syntax::Program;
use rewright_base::diag::{Diagnostic, has_errors};
use rewright_base::span::{FileId, SourceMap, Span};
use rewright_base::sym::Name;

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// Data types.
    pub types: Vec<TypeDecl>,
    /// Functions, which may all call one another.
    pub funs: Vec<Fun>,
}

/// `type t { C(a, b); D }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDecl {
    /// t
    pub name: Name,
    /// In order.
    pub constructors: Vec<Constructor>,
    /// Of the name.
    pub span: Span,
}

/// `C(a, b)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    /// C
    pub name: Name,
    /// In order.
    pub fields: Vec<Field>,
    /// Of the name.
    pub span: Span,
}

/// A field of a constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Where.
    pub span: Span,
}

/// `fun f(x, y) { e }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fun {
    /// f
    pub name: Name,
    /// x, y
    pub params: Vec<Param>,
    /// e
    pub body: Expr,
    /// Of the name.
    pub span: Span,
}

/// A parameter, a bound name, or `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name; `None` for `_`.
    pub name: Option<Name>,
    /// Where.
    pub span: Span,
}

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `x`
    Var(Name),
    /// `5`
    Int(i64),
    /// `C(e, …)`
    Con(Name, Vec<Expr>),
    /// `e(e, …)`
    Call(Box<Expr>, Vec<Expr>),
    /// `fn(x, …) e`
    Fn(Vec<Param>, Box<Expr>),
    /// `if e then e else e`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match(e) { p -> e … }`
    Match(Box<Expr>, Vec<Arm>),
    /// `{ val x = e; e; … e }`
    Block(Vec<Stmt>, Box<Expr>),
    /// `e + e`
    Op(Op, Box<Expr>, Box<Expr>),
    /// `ref(e)`
    Ref(Box<Expr>),
    /// `!e`
    Get(Box<Expr>),
    /// `e := e`
    Set(Box<Expr>, Box<Expr>),
    /// `throw e`
    Throw(Box<Expr>),
    /// `try { e } catch x { e }`
    Try(Box<Expr>, Param, Box<Expr>),
}

impl Expr {
    /// The expressions right below this one, in order of evaluation.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Var(_) | ExprKind::Int(_) => Vec::new(),
            ExprKind::Con(_, args) => args.iter().collect(),
            ExprKind::Call(f, args) => std::iter::once(f.as_ref()).chain(args).collect(),
            ExprKind::Fn(_, e) | ExprKind::Ref(e) | ExprKind::Get(e) | ExprKind::Throw(e) => vec![e],
            ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::Match(x, arms) => {
                std::iter::once(x.as_ref()).chain(arms.iter().map(|a| &a.body)).collect()
            }
            ExprKind::Block(stmts, last) => stmts.iter().map(|s| &s.value).chain([last.as_ref()]).collect(),
            ExprKind::Op(_, a, b) | ExprKind::Set(a, b) | ExprKind::Try(a, _, b) => vec![a, b],
        }
    }
}

/// A statement of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// What the value is bound to; `_` where it is not.
    pub bound: Param,
    /// The value.
    pub value: Expr,
}

/// `p -> e`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// p
    pub pattern: Pattern,
    /// e
    pub body: Expr,
}

/// A pattern and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its form.
    pub kind: PatternKind,
    /// Where.
    pub span: Span,
}

/// The forms of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// `_`
    Wild,
    /// `x`
    Var(Name),
    /// `C(p, …)`
    Con(Name, Vec<Pattern>),
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounding down
    Div,
    /// `%`
    Mod,
}

impl Op {
    /// All of them.
    pub const ALL: [Op; 13] = [
        Op::Or,
        Op::And,
        Op::Eq,
        Op::Ne,
        Op::Lt,
        Op::Le,
        Op::Gt,
        Op::Ge,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Div,
        Op::Mod,
    ];

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Op::Or => "||",
            Op::And => "&&",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Mod => "%",
        }
    }

    /// How tightly it binds. All associate to the left; comparisons do not associate.
    pub fn level(self) -> u8 {
        match self {
            Op::Or => 1,
            Op::And => 2,
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => 3,
            Op::Add | Op::Sub => 4,
            Op::Mul | Op::Div | Op::Mod => 5,
        }
    }
}

/// Reads, checks and desugars a file: the program of λ¹, and warnings.
///
/// # Errors
/// What is wrong, with places.
pub fn load(file: FileId, sources: &SourceMap) -> Result<Program, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |f| &f.text);
    let parsed = parse::parse(file, text).map_err(|d| vec![d])?;
    let found = check::check(&parsed);
    if has_errors(&found) {
        return Err(found);
    }
    desugar::desugar(&parsed).map_err(|d| vec![d])
}

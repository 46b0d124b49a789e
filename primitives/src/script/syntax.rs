//! The lines of a script, from Python's syntax.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "Python's syntax is another project's; what is not listed is refused"
)]

use super::ScriptError;
use rewright_semantics::span::{FileId, Span};
use ruff_python_ast::{self as py, Expr, Stmt};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;
use std::fmt;

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// The names that it binds: `p = …`, `p, q = …`.
    pub targets: Vec<String>,
    /// What it computes.
    pub value: Term,
}

/// An expression of the script language, at its place.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where.
    pub span: Span,
}

/// The expressions of the script language.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// `p`
    Name(String),
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// `8`, `-1`
    Int(i64),
    /// `"i"`
    Text(String),
    /// `f"{x}_outer"`
    Joined(Vec<Part>),
    /// `[a, b]`, `(a, b)`
    List(Vec<Term>),
    /// `-a`
    Minus(Box<Term>),
    /// `a + b`
    Binary(Operator, Box<Term>, Box<Term>),
    /// `f(a, k=b)`
    Call {
        /// What is called.
        func: Box<Term>,
        /// Arguments by position.
        args: Vec<Term>,
        /// Arguments by name.
        named: Vec<(String, Term)>,
    },
    /// `a.b`
    Attribute(Box<Term>, String),
    /// `a[i]`
    Index(Box<Term>, Box<Term>),
    /// `a[i:j]`
    Slice(Box<Term>, Option<Box<Term>>, Option<Box<Term>>),
}

/// A part of an f-string.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text as it stands.
    Text(String),
    /// `{x}`
    Value(Term),
}

/// The operators of the script language, with Python's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`, also of strings and of lists.
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `//`, rounded down.
    Div,
    /// `%`, with the sign of the divisor.
    Mod,
}

impl Operator {
    fn of(op: py::Operator) -> Option<Operator> {
        match op {
            py::Operator::Add => Some(Operator::Add),
            py::Operator::Sub => Some(Operator::Sub),
            py::Operator::Mult => Some(Operator::Mul),
            py::Operator::FloorDiv => Some(Operator::Div),
            py::Operator::Mod => Some(Operator::Mod),
            _ => None,
        }
    }
}

/// As it is written.
impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operator::Add => "+",
            Operator::Sub => "-",
            Operator::Mul => "*",
            Operator::Div => "//",
            Operator::Mod => "%",
        })
    }
}

/// The scheduling lines of a file. Definitions, imports and docstrings are someone else's to read.
///
/// # Errors
/// The first line that is neither a definition nor in the language of scripts. A file that is not Python has no
/// lines: whoever reads its definitions reports it.
pub fn parse(file: FileId, text: &str) -> Result<Vec<Line>, ScriptError> {
    let Ok(parsed) = parse_module(text) else { return Ok(Vec::new()) };
    let mut lines = Vec::new();
    for s in &parsed.syntax().body {
        if let Some(line) = read_line(file, s)? {
            lines.push(line);
        }
    }
    Ok(lines)
}

fn span_of(file: FileId, at: &impl Ranged) -> Span {
    Span::new(file, at.range().start().into(), at.range().end().into())
}

fn read_line(file: FileId, s: &Stmt) -> Result<Option<Line>, ScriptError> {
    match s {
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Pass(_) => {
            Ok(None)
        }
        Stmt::Expr(e) if e.value.is_string_literal_expr() => Ok(None),
        Stmt::If(branch) if branch.test.as_compare_expr().is_some_and(|test| is_dunder(&test.left)) => {
            Ok(None)
        }
        Stmt::Expr(e) => Ok(Some(Line { targets: Vec::new(), value: term(file, &e.value)? })),
        Stmt::AnnAssign(a) => match &a.value {
            Some(value) => Ok(Some(Line { targets: target(file, &a.target)?, value: term(file, value)? })),
            None => Ok(None),
        },
        Stmt::Assign(a) => match a.targets.as_slice() {
            [one] if is_dunder(one) => Ok(None),
            [one] => Ok(Some(Line { targets: target(file, one)?, value: term(file, &a.value)? })),
            _ => Err(ScriptError::wrong(span_of(file, s), "a line of a script binds one thing")),
        },
        Stmt::AugAssign(a) if is_dunder(&a.target) => Ok(None),
        Stmt::AugAssign(a) => {
            let kind = binary(file, &a.target, a.op, &a.value)?;
            let value = Term { kind, span: span_of(file, s) };
            Ok(Some(Line { targets: target(file, &a.target)?, value }))
        }
        _ => Err(ScriptError::with_help(span_of(file, s), "a script is a sequence of calls", COMPUTED)),
    }
}

/// Where schedules that compute are written. Spec: [rule: scripts.computed].
const COMPUTED: &str = "scripts have no loops, conditions or functions of their own: a schedule that computes is written in Python with the module `rewright` (spec/python.md), or in Rust with the crate `rewright-primitives`";

fn is_dunder(e: &Expr) -> bool {
    e.as_name_expr().is_some_and(|n| n.id.starts_with("__"))
}

fn target(file: FileId, e: &Expr) -> Result<Vec<String>, ScriptError> {
    match e {
        Expr::Name(n) => Ok(vec![n.id.to_string()]),
        Expr::Tuple(t) => {
            let names = t.elts.iter().map(|e| target(file, e)).collect::<Result<Vec<_>, _>>()?;
            Ok(names.into_iter().flatten().collect())
        }
        _ => Err(ScriptError::wrong(span_of(file, e), "only a name can be bound here")),
    }
}

fn term(file: FileId, e: &Expr) -> Result<Term, ScriptError> {
    let span = span_of(file, e);
    let terms = |es: &[Expr]| es.iter().map(|e| term(file, e)).collect::<Result<Vec<_>, _>>();
    let kind = match e {
        Expr::Name(n) => TermKind::Name(n.id.to_string()),
        Expr::NoneLiteral(_) => TermKind::None,
        Expr::BooleanLiteral(b) => TermKind::Bool(b.value),
        Expr::StringLiteral(s) => TermKind::Text(s.value.to_str().to_owned()),
        Expr::FString(text) => TermKind::Joined(joined(file, text)?),
        Expr::NumberLiteral(_) => TermKind::Int(integer(e).ok_or_else(|| not_a_number(span))?),
        Expr::UnaryOp(u) if u.op == py::UnaryOp::USub => match u.operand.as_number_literal_expr() {
            Some(_) => TermKind::Int(negated(&u.operand).ok_or_else(|| not_a_number(span))?),
            None => TermKind::Minus(Box::new(term(file, &u.operand)?)),
        },
        Expr::BinOp(b) => binary(file, &b.left, b.op, &b.right)?,
        Expr::List(l) => TermKind::List(terms(&l.elts)?),
        Expr::Tuple(t) => TermKind::List(terms(&t.elts)?),
        Expr::Attribute(a) => TermKind::Attribute(Box::new(term(file, &a.value)?), a.attr.to_string()),
        Expr::Subscript(s) => subscript(file, s)?,
        Expr::Call(c) => call(file, c)?,
        Expr::Lambda(_)
        | Expr::If(_)
        | Expr::ListComp(_)
        | Expr::SetComp(_)
        | Expr::DictComp(_)
        | Expr::Generator(_)
        | Expr::Compare(_)
        | Expr::BoolOp(_) => {
            return Err(ScriptError::with_help(span, "a script is a sequence of calls", COMPUTED));
        }
        _ => {
            let help = "write names, strings, numbers, `+ - * // %`, lists, calls, methods and indices";
            return Err(ScriptError::with_help(span, "this is not part of the language of scripts", help));
        }
    };
    Ok(Term { kind, span })
}

fn not_a_number(span: Span) -> ScriptError {
    ScriptError::wrong(span, "only integers of 64 bits are used in scripts")
}

fn integer(e: &Expr) -> Option<i64> {
    match &e.as_number_literal_expr()?.value {
        py::Number::Int(n) => n.as_i64(),
        py::Number::Float(_) | py::Number::Complex { .. } => None,
    }
}

/// The least number of 64 bits has no counterpart above 0.
fn negated(e: &Expr) -> Option<i64> {
    match &e.as_number_literal_expr()?.value {
        py::Number::Int(n) => format!("-{n}").parse().ok(),
        py::Number::Float(_) | py::Number::Complex { .. } => None,
    }
}

fn binary(file: FileId, left: &Expr, op: py::Operator, right: &Expr) -> Result<TermKind, ScriptError> {
    let known = Operator::of(op).ok_or_else(|| {
        let help = match op {
            py::Operator::Div => "`/` makes a float in Python: write `//`",
            _ => "there are `+ - * // %`",
        };
        ScriptError::with_help(
            span_of(file, left).to(span_of(file, right)),
            "this operator is not part of the language of scripts",
            help,
        )
    })?;
    Ok(TermKind::Binary(known, Box::new(term(file, left)?), Box::new(term(file, right)?)))
}

/// The parts of an f-string.
fn joined(file: FileId, text: &py::ExprFString) -> Result<Vec<Part>, ScriptError> {
    let mut parts = Vec::new();
    for part in &text.value {
        match part {
            py::FStringPart::Literal(literal) => parts.push(Part::Text(literal.as_str().to_owned())),
            py::FStringPart::FString(inner) => {
                for element in &inner.elements {
                    parts.push(match element {
                        py::InterpolatedStringElement::Literal(literal) => Part::Text(literal.to_string()),
                        py::InterpolatedStringElement::Interpolation(hole) => {
                            Part::Value(filled(file, hole)?)
                        }
                    });
                }
            }
        }
    }
    Ok(parts)
}

/// `{x}`, without a format.
fn filled(file: FileId, hole: &py::InterpolatedElement) -> Result<Term, ScriptError> {
    let plain = hole.debug_text.is_none() && hole.format_spec.is_none() && hole.conversion.is_none();
    if plain {
        return term(file, &hole.expression);
    }
    let help = "write `{x}` alone, without `=`, `!` or `:`";
    Err(ScriptError::with_help(span_of(file, hole), "values are not formatted in scripts", help))
}

fn subscript(file: FileId, s: &py::ExprSubscript) -> Result<TermKind, ScriptError> {
    let of = Box::new(term(file, &s.value)?);
    let end = |e: &Option<Box<Expr>>| e.as_ref().map(|e| term(file, e).map(Box::new)).transpose();
    match s.slice.as_ref() {
        Expr::Slice(range) => match &range.step {
            None => Ok(TermKind::Slice(of, end(&range.lower)?, end(&range.upper)?)),
            Some(step) => Err(ScriptError::wrong(span_of(file, step.as_ref()), "a slice has no step")),
        },
        index => Ok(TermKind::Index(of, Box::new(term(file, index)?))),
    }
}

fn call(file: FileId, c: &py::ExprCall) -> Result<TermKind, ScriptError> {
    let func = Box::new(term(file, &c.func)?);
    let args = c.arguments.args.iter().map(|e| term(file, e)).collect::<Result<_, _>>()?;
    let named = c.arguments.keywords.iter().map(|k| match &k.arg {
        Some(name) => Ok((name.to_string(), term(file, &k.value)?)),
        None => Err(ScriptError::wrong(span_of(file, &k.value), "arguments are not unpacked in scripts")),
    });
    Ok(TermKind::Call { func, args, named: named.collect::<Result<_, _>>()? })
}

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
    /// `[a, b]`, `(a, b)`
    List(Vec<Term>),
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
    const HELP: &str = "loops, conditions and functions over schedules are written in Rust";
    match s {
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Pass(_) => {
            Ok(None)
        }
        Stmt::Expr(e) if e.value.is_string_literal_expr() => Ok(None),
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
        _ => Err(ScriptError::with_help(span_of(file, s), "a script is a sequence of calls", HELP)),
    }
}

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
        Expr::NumberLiteral(_) => TermKind::Int(integer(e).ok_or_else(|| not_a_number(span))?),
        Expr::UnaryOp(u) if u.op == py::UnaryOp::USub => {
            let n = integer(&u.operand).and_then(i64::checked_neg);
            TermKind::Int(n.ok_or_else(|| not_a_number(span))?)
        }
        Expr::List(l) => TermKind::List(terms(&l.elts)?),
        Expr::Tuple(t) => TermKind::List(terms(&t.elts)?),
        Expr::Attribute(a) => TermKind::Attribute(Box::new(term(file, &a.value)?), a.attr.to_string()),
        Expr::Subscript(s) => subscript(file, s)?,
        Expr::Call(c) => call(file, c)?,
        _ => {
            let help = "write names, strings, numbers, lists, calls, methods and indices";
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

//! Expressions and windows given as text, for a place inside a procedure: `8 * io + ii`, `A[0:4, j]`.
//! Spec: [rule: fragments].
//!
//! The grammar, the sugar and the rules of types are those of a file. What comes back has no spans, since no
//! file has its text; spans of errors count in the text itself.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::resolve::fragment::Surroundings;
use super::surface::Reader;
use super::{Prelude, discard, nesting, python_errors, tree};
use crate::ast::{Expr, ExprKind, WindowExpr};
use crate::diag::{Diagnostic, has_errors};
use crate::span::{FileId, Span};
use crate::sym::{Name, Sym};
use crate::typecheck::{IllTyped, Type};
use crate::types::env::TypeEnv;
use crate::types::{ArgType, ControlType, FieldType};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use rustc_hash::FxHashMap;
use std::fmt;

/// The file of no file.
const NOWHERE: FileId = Span::NONE.file;

/// The names that a fragment may use, with their types.
#[derive(Debug)]
pub struct Names {
    env: TypeEnv,
    surroundings: Surroundings,
}

impl Names {
    /// These variables, outermost first: a later one hides an earlier one of the same name. Those that the
    /// environment has no type for are left out. Configurations and procedures come from the prelude.
    pub fn new(env: TypeEnv, visible: &[Sym], prelude: &Prelude) -> Names {
        let named: Vec<(Name, Sym)> = visible.iter().map(|x| (x.name(), *x)).collect();
        Names::called(env, &named, prelude)
    }

    /// As [`Names::new`], with other names than the variables' own.
    pub fn called(env: TypeEnv, visible: &[(Name, Sym)], prelude: &Prelude) -> Names {
        let surroundings = Surroundings::new(&env, visible, prelude);
        Names { env, surroundings }
    }

    /// The types.
    pub fn env(&self) -> &TypeEnv {
        &self.env
    }
}

/// What a fragment must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A control integer: `int`, `index` or `size`.
    Control,
    /// A truth value.
    Bool,
    /// A stride, or an integer to compare one with.
    Stride,
    /// A data value.
    Data,
}

impl Sort {
    /// What may be written to a configuration field of this type.
    pub fn of_field(t: FieldType) -> Sort {
        match t {
            FieldType::Control(ControlType::Bool) => Sort::Bool,
            FieldType::Control(ControlType::Stride) => Sort::Stride,
            FieldType::Control(ControlType::Int | ControlType::Index | ControlType::Size) => Sort::Control,
            FieldType::Data(_) => Sort::Data,
        }
    }

    /// The sort of a value of this type; `None` for whole buffers and ill-typed expressions.
    pub fn of_type(t: &Type) -> Option<Sort> {
        match t {
            Type::Control(t) => Some(Sort::of_field(FieldType::Control(*t))),
            Type::Data(_) => Some(Sort::Data),
            Type::Buffer(_) | Type::Error => None,
        }
    }

    fn admits(self, t: &Type) -> bool {
        match self {
            Sort::Control => matches!(t, Type::Control(c) if c.is_indexable()),
            Sort::Bool => matches!(t, Type::Control(ControlType::Bool)),
            Sort::Stride => matches!(t, Type::Control(ControlType::Stride | ControlType::Int)),
            Sort::Data => matches!(t, Type::Data(_)),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Control => "a control integer",
            Sort::Bool => "a truth value",
            Sort::Stride => "a stride",
            Sort::Data => "a data value",
        })
    }
}

/// A fragment that cannot be understood.
#[derive(Clone, Debug)]
pub struct Unreadable {
    /// The text.
    pub text: String,
    /// What is wrong with it; not empty. Places count bytes of the text.
    pub errors: Vec<Diagnostic>,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read `{}`", self.text)?;
        let Some(first) = self.errors.first() else { return Ok(()) };
        let at = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
        let Span { file, start, end } = first.primary.span;
        let part = self.text.get(at(start)..at(end)).filter(|_| file == NOWHERE).unwrap_or("");
        if part.is_empty() || part == self.text {
            write!(f, ": {}", first.message)?;
        } else {
            write!(f, ": in `{part}`: {}", first.message)?;
        }
        match &first.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Unreadable {}

/// The sentence.
impl From<Unreadable> for String {
    fn from(e: Unreadable) -> String {
        e.to_string()
    }
}

/// An expression of a sort.
///
/// # Errors
/// It is not Python, not of the object language, mentions an unknown name, or is ill typed.
pub fn expr(text: &str, names: &Names, sort: Sort) -> Result<Expr, Unreadable> {
    let e = read(text, |tree, errors| names.surroundings.expr(tree, sort == Sort::Data, errors))?;
    let typ = typed(text, names, &e)?;
    if sort.admits(&typ) {
        return Ok(e);
    }
    let message = format!("expected {sort}, found {typ}");
    Err(unreadable(text, vec![Diagnostic::error("type.fragment", e.span, message)]))
}

/// A window: `A[0:4, j]`. All indices may be points; a name alone, and dimensions and ends that are left out,
/// mean all there is.
///
/// # Errors
/// As [`expr`].
pub fn window(text: &str, names: &Names) -> Result<WindowExpr, Unreadable> {
    let w = read(text, |tree, errors| names.surroundings.window(tree, errors))?;
    typed(text, names, &Expr::new(ExprKind::Window(w.clone())))?;
    Ok(w)
}

/// An argument for a call. Whether it fits the formal is not checked here, but that it is well typed in itself.
///
/// # Errors
/// As [`expr`].
pub fn argument(text: &str, names: &Names, formal: &ArgType) -> Result<Expr, Unreadable> {
    let e = read(text, |tree, errors| names.surroundings.argument(tree, formal, errors))?;
    typed(text, names, &e)?;
    Ok(e)
}

/// The type of an expression.
fn typed(text: &str, names: &Names, e: &Expr) -> Result<Type, Unreadable> {
    let (typ, faults) = names.env.infer(e);
    if faults.is_empty() {
        Ok(typ)
    } else {
        Err(unreadable(text, faults.iter().map(IllTyped::diagnostic).collect()))
    }
}

fn unreadable(text: &str, errors: Vec<Diagnostic>) -> Unreadable {
    Unreadable { text: text.trim().to_owned(), errors }
}

/// Reads one expression of Python's and resolves it.
fn read<T>(
    text: &str,
    resolve: impl FnOnce(&tree::Expr, &mut Vec<SyntaxError>) -> Option<T>,
) -> Result<T, Unreadable> {
    let mut errors = Vec::new();
    // It is one expression, on however many lines.
    let line = text.trim().replace(['\n', '\r'], " ");
    let found = surface(&line, &mut errors).and_then(|tree| resolve(&tree, &mut errors));
    let diagnostics: Vec<Diagnostic> = errors.into_iter().map(Diagnostic::from).collect();
    match found {
        Some(found) if !has_errors(&diagnostics) => Ok(found),
        Some(_) | None => Err(unreadable(text, diagnostics)),
    }
}

/// The surface tree of an expression.
fn surface(text: &str, errors: &mut Vec<SyntaxError>) -> Option<tree::Expr> {
    if let Err(at) = nesting::check(text) {
        let span = Span::new(NOWHERE, at, at);
        errors.push(SyntaxError { kind: SyntaxErrorKind::Nesting, span, first: None });
        return None;
    }
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    if !python_errors(NOWHERE, text, &parsed, errors).is_empty() {
        return None;
    }
    let parsed = parsed.try_into_module()?;
    let deep = discard::may_be_deep(parsed.tokens());
    let consts = FxHashMap::default();
    let body = parsed.into_syntax().body;
    let mut reader = Reader { file: NOWHERE, text, consts: &consts, errors, depth: 0, too_deep: false };
    let tree = reader.only_expr(&body);
    if deep {
        body.into_iter().for_each(discard::discard);
    }
    tree
}

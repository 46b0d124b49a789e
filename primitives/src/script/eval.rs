//! Running a script, line by line.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of any other sort, of today or tomorrow, does not fit here"
)]

use super::methods::{call_method, index, slice};
use super::syntax::{Line, Part, Term, TermKind};
use super::{Cause, ScriptError, values};
use crate::error::{Error, InvalidCursor};
use crate::ops::extract_subproc::{EXTRACT_SUBPROC, extracted};
use crate::refused::Attempt;
use crate::registry::{ArgKind, Args, Primitive, Registry, Value, argument_error};
use crate::version::Proc;
use crate::version::session::Session;
use rewright_semantics::ast::Module;
use rewright_semantics::parse::Prelude;
use rewright_semantics::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A procedure that a line has bound at the top level.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The version.
    pub proc: Proc,
}

/// What came of a script.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The procedures bound by its lines, in order; a name may occur several times.
    pub bindings: Vec<Binding>,
    /// What was printed.
    pub printed: Vec<String>,
    /// Why it stopped before the end.
    pub error: Option<ScriptError>,
    /// All names at the end.
    pub names: BTreeMap<String, Value>,
}

impl Run {
    /// The last procedure bound to each name, in the order of the names' last lines.
    pub fn last_of_each(&self) -> Vec<&Binding> {
        let mut seen = BTreeSet::new();
        let mut last: Vec<&Binding> = self.bindings.iter().rev().filter(|b| seen.insert(&b.name)).collect();
        last.reverse();
        last
    }
}

/// Runs the lines after the definitions of a module. Never fails: an error is part of what comes of it.
///
/// Beside the module's own, the definitions of the prelude have their names: the instructions of machines.
pub fn run(module: &Module, prelude: &Prelude, lines: &[Line]) -> Run {
    run_with(&Session::new(), &Registry::standard(), module, prelude, lines)
}

/// As [`run`], in a session, with these primitives.
pub fn run_with(
    session: &Session,
    primitives: &Registry,
    module: &Module,
    prelude: &Prelude,
    lines: &[Line],
) -> Run {
    let memories = prelude.memories.iter().copied().chain(module.memories.iter().map(|m| m.name));
    let known = Known { primitives, memories: memories.map(|m| m.to_string()).collect() };
    let mut eval = Eval { known, names: BTreeMap::new(), out: Run::default() };
    let declared = module.memories.iter().map(|m| m.name);
    for name in prelude.memories.iter().copied().chain(declared) {
        eval.names.insert(name.to_string(), Value::Text(name.to_string()));
    }
    let configs = || prelude.configs.iter().chain(&module.configs);
    let beside = prelude.procs_beside_file(module);
    for p in beside.iter().chain(&module.procs) {
        let root = session.root_among(p.clone(), configs().cloned());
        eval.names.insert(p.name.to_string(), Value::Proc(root));
    }
    for config in configs() {
        eval.names.insert(config.name.to_string(), Value::Config(config.clone()));
    }
    for line in lines {
        if let Err(error) = eval.line(line) {
            eval.out.error = Some(error);
            break;
        }
    }
    Run { names: eval.names, ..eval.out }
}

struct Eval<'a> {
    known: Known<'a>,
    names: BTreeMap<String, Value>,
    out: Run,
}

/// What a script is given besides its definitions.
pub(super) struct Known<'a> {
    pub(super) primitives: &'a Registry,
    memories: BTreeSet<String>,
}

impl Known<'_> {
    /// Applies a primitive; a memory among its arguments must be one. Spec: [rule: scripts.memories].
    pub(super) fn apply(
        &self,
        primitive: &'static Primitive,
        p: &Proc,
        args: &Args,
    ) -> std::result::Result<Proc, Refused> {
        for (param, value) in args.iter() {
            match value {
                Value::Text(name) if param.kind == ArgKind::Memory && !self.memories.contains(name) => {
                    let why = format!("`{name}` is not a memory; there are {}", self.memory_names());
                    return Err(argument_error(primitive, why).into());
                }
                _ => {}
            }
        }
        Attempt::make(p, primitive, args).map_err(|(error, attempt)| Refused { error, attempt })
    }

    fn memory_names(&self) -> String {
        self.memories.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// A call that came to nothing, before its place in the script is known.
#[derive(Debug)]
pub(super) struct Refused {
    error: Error,
    attempt: Option<Box<Attempt>>,
}

impl Refused {
    fn at(self, span: Span) -> ScriptError {
        ScriptError { span, cause: Cause::Refused(self.error), attempt: self.attempt }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused { error, attempt: None }
    }
}

impl From<InvalidCursor> for Refused {
    fn from(error: InvalidCursor) -> Refused {
        Error::from(error).into()
    }
}

type Result<T> = std::result::Result<T, ScriptError>;

/// Arguments by name.
type Named = Vec<(String, Value)>;

impl Eval<'_> {
    fn line(&mut self, line: &Line) -> Result<()> {
        let value = self.term(&line.value)?;
        match (line.targets.as_slice(), value) {
            ([], _) => {}
            ([name], Value::List(items)) if is_call(&line.value) && items.iter().any(is_proc) => {
                let names: Vec<String> = (1..=items.len()).map(|k| format!("{name}{k}")).collect();
                let message = format!("this makes {} procedures, and binds one name", items.len());
                let help = format!("write `{} = …`", names.join(", "));
                return Err(ScriptError::wrong(line.value.span, format!("{message}: {help}")));
            }
            ([name], value) => self.bind(name, value),
            (names, Value::List(items)) if items.len() == names.len() => {
                names.iter().zip(items).for_each(|(name, item)| self.bind(name, item));
            }
            (names, _) => {
                let message = format!("this is not a list of {} things", names.len());
                return Err(ScriptError::wrong(line.value.span, message));
            }
        }
        Ok(())
    }

    fn bind(&mut self, name: &str, value: Value) {
        if let Value::Proc(proc) = &value {
            self.out.bindings.push(Binding { name: name.to_owned(), proc: proc.clone() });
        }
        self.names.insert(name.to_owned(), value);
    }

    fn term(&mut self, t: &Term) -> Result<Value> {
        match &t.kind {
            TermKind::None => Ok(Value::None),
            TermKind::Bool(b) => Ok(Value::Bool(*b)),
            TermKind::Int(n) => Ok(Value::Int(*n)),
            TermKind::Text(text) => Ok(Value::Text(text.clone())),
            TermKind::List(items) => {
                Ok(Value::List(items.iter().map(|i| self.term(i)).collect::<Result<Vec<Value>>>()?))
            }
            TermKind::Joined(parts) => self.joined(parts),
            TermKind::Minus(of) => {
                let of = self.term(of)?;
                values::minus(&of).map_err(|why| ScriptError::wrong(t.span, why))
            }
            TermKind::Binary(op, left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                values::binary(*op, left, right).map_err(|why| ScriptError::wrong(t.span, why))
            }
            TermKind::Name(name) => self.name(name, t),
            TermKind::Attribute(of, field) => self.attribute(of, field, t),
            TermKind::Index(of, at) => {
                let (of_value, at) = (self.term(of)?, self.term(at)?);
                index(&of_value, &at).map_err(|e| stopped(t, e))
            }
            TermKind::Slice(of, from, to) => {
                let of = self.term(of)?;
                let from = from.as_ref().map(|e| self.term(e)).transpose()?;
                let to = to.as_ref().map(|e| self.term(e)).transpose()?;
                slice(&of, from.as_ref(), to.as_ref()).map_err(|e| stopped(t, e))
            }
            TermKind::Call { func, args, named } => self.call(t, func, args, named),
        }
    }

    fn joined(&mut self, parts: &[Part]) -> Result<Value> {
        let mut out = String::new();
        for part in parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Value(t) => out.push_str(&values::text(&self.term(t)?)),
            }
        }
        Ok(Value::Text(out))
    }

    /// A name that is bound, or the name of a memory or a type.
    fn name(&self, name: &str, t: &Term) -> Result<Value> {
        if let Some(value) = self.names.get(name) {
            return Ok(value.clone());
        }
        if self.known.primitives.by_name(name).is_some() {
            let message = format!("`{name}` is a primitive, and is called: `{name}(p, …)`");
            return Err(ScriptError::wrong(t.span, message));
        }
        // A data type, by its own name.
        if rewright_semantics::types::DataType::from_keyword(name).is_some() {
            return Ok(Value::Text(name.to_owned()));
        }
        let near = self.names.keys().find(|k| k.eq_ignore_ascii_case(name));
        match near {
            Some(near) => Err(ScriptError::with_help(
                t.span,
                format!("nothing is called `{name}`"),
                &format!("there is a `{near}`"),
            )),
            None if name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_') => {
                Err(ScriptError::with_help(
                    t.span,
                    format!("nothing is called `{name}`"),
                    &format!("the memories are {}", self.known.memory_names()),
                ))
            }
            None => Err(ScriptError::wrong(t.span, format!("nothing is called `{name}`"))),
        }
    }

    /// `Cfg.field` stands for the field's text; other attributes are methods, and are called.
    fn attribute(&mut self, of: &Term, field: &str, t: &Term) -> Result<Value> {
        match self.term(of)? {
            Value::Config(c) => Ok(Value::Text(format!("{}.{field}", c.name))),
            _ => Err(ScriptError::with_help(t.span, format!("`{field}` is a method"), "write `()` after it")),
        }
    }

    fn call(&mut self, t: &Term, func: &Term, args: &[Term], named: &[(String, Term)]) -> Result<Value> {
        match &func.kind {
            TermKind::Name(name) if name == "print" && !self.names.contains_key(name) => {
                for arg in args {
                    let text = values::text(&self.term(arg)?);
                    self.out.printed.push(text);
                }
                Ok(Value::None)
            }
            TermKind::Name(name) if values::is_builtin(name) && !self.names.contains_key(name) => {
                let (args, named) = self.arguments(args, named)?;
                values::call_builtin(name, &args, &named).map_err(|why| ScriptError::wrong(t.span, why))
            }
            TermKind::Name(name) => {
                let Some(primitive) = self.known.primitives.by_name(name) else {
                    return Err(ScriptError::with_help(
                        func.span,
                        self.known.primitives.missing(name),
                        "`rewright primitives` lists them",
                    ));
                };
                let (mut args, named) = self.arguments(args, named)?;
                if args.is_empty() || !matches!(args.first(), Some(Value::Proc(_))) {
                    let message = format!("the first argument of `{name}` is a procedure");
                    return Err(ScriptError::wrong(t.span, message));
                }
                let Value::Proc(p) = args.remove(0) else { return Ok(Value::None) };
                let args = Args::bind(primitive, args, named).map_err(|e| stopped(t, e))?;
                let made = self.known.apply(primitive, &p, &args);
                made.map(|p| result(primitive, p)).map_err(|refused| refused.at(t.span))
            }
            TermKind::Attribute(of, method) => {
                let of = self.term(of)?;
                let (args, named) = self.arguments(args, named)?;
                call_method(&self.known, &of, method, args, named).map_err(|e| match e {
                    MethodError::Unknown(what) => ScriptError::wrong(func.span, what),
                    MethodError::Stopped(refused) => refused.at(t.span),
                })
            }
            _ => Err(ScriptError::wrong(func.span, "only primitives and methods are called")),
        }
    }

    fn arguments(&mut self, args: &[Term], named: &[(String, Term)]) -> Result<(Vec<Value>, Named)> {
        let args = args.iter().map(|a| self.term(a)).collect::<Result<_>>()?;
        let named = named.iter().map(|(k, v)| Ok((k.clone(), self.term(v)?))).collect::<Result<_>>()?;
        Ok((args, named))
    }
}

/// What a primitive gives back: the new version, and the procedure that was extracted to make it.
pub(super) fn result(primitive: &Primitive, p: Proc) -> Value {
    match extracted(&p).filter(|_| primitive.name == EXTRACT_SUBPROC.name) {
        Some(sub) => Value::List(vec![Value::Proc(p), Value::Proc(sub)]),
        None => Value::Proc(p),
    }
}

/// A method that does not exist, or that stopped.
#[derive(Debug)]
pub(super) enum MethodError {
    /// There is none of this name.
    Unknown(String),
    /// It failed.
    Stopped(Refused),
}

impl<E: Into<Refused>> From<E> for MethodError {
    fn from(e: E) -> MethodError {
        MethodError::Stopped(e.into())
    }
}

fn is_call(t: &Term) -> bool {
    matches!(t.kind, TermKind::Call { .. })
}

fn is_proc(value: &Value) -> bool {
    matches!(value, Value::Proc(_))
}

fn stopped(t: &Term, e: Error) -> ScriptError {
    ScriptError { span: t.span, cause: Cause::Refused(e), attempt: None }
}

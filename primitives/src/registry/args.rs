//! Arguments by name, as scripts, derivations and campaigns give them.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each accessor asks for one sort of value and refuses every other, of today or tomorrow, alike"
)]

use super::{ArgKind, Default, Param, Primitive};
use crate::cursor::At;
use crate::error::{ARGUMENT, Error, Found, Result, SchedulingError};
use crate::version::{Proc, Value};
use rewright_semantics::ast::Config;
use rewright_semantics::syntax::naming::is_name;
use std::sync::Arc;

/// The arguments of one call, one for each parameter.
#[derive(Clone, Debug)]
pub struct Args {
    primitive: &'static Primitive,
    values: Vec<Value>,
}

impl Args {
    /// Matches arguments with parameters as Python does: by position, then by name, then defaults.
    ///
    /// # Errors
    /// Too many arguments, an unknown name, one given twice, or one missing.
    pub fn bind(
        primitive: &'static Primitive,
        given: Vec<Value>,
        named: Vec<(String, Value)>,
    ) -> Result<Args> {
        let refuse = |why: String| -> Error { argument_error(primitive, why) };
        if let [only] = primitive.params
            && only.kind == ArgKind::Values
            && named.iter().all(|(name, _)| name != only.name)
        {
            return values_of(primitive, given, named);
        }
        if given.len() > primitive.params.len() {
            let most = primitive.params.len();
            return Err(refuse(format!(
                "takes at most {most} arguments after the procedure, got {}",
                given.len()
            )));
        }
        let mut values: Vec<Option<Value>> = given.into_iter().map(Some).collect();
        values.resize(primitive.params.len(), None);
        for (name, value) in named {
            let at = primitive.params.iter().position(|p| p.name == name);
            let Some(slot) = at.and_then(|at| values.get_mut(at)) else {
                let known: Vec<&str> = primitive.params.iter().map(|p| p.name).collect();
                return Err(refuse(format!("has no parameter `{name}`; it has {}", known.join(", "))));
            };
            if slot.replace(value).is_some() {
                return Err(refuse(format!("got `{name}` twice")));
            }
        }
        let filled = primitive.params.iter().zip(values).map(|(param, value)| match (value, param.default) {
            (Some(value), _) => Ok(value),
            (None, Some(default)) => Ok(default_value(default)),
            (None, None) => Err(refuse(format!("needs an argument for `{}`", param.name))),
        });
        let args = Args { primitive, values: filled.collect::<Result<Vec<Value>>>()? };
        if let Some(text) = args.iter().find_map(|(param, value)| no_name(param, value)) {
            return Err(refuse(format!("`{text}` is no name")));
        }
        Ok(args)
    }

    /// The arguments with other values; `None` where `f` finds none for one of them.
    pub(crate) fn try_map(&self, f: &dyn Fn(&Value) -> Option<Value>) -> Option<Args> {
        let values = self.values.iter().map(f).collect::<Option<_>>()?;
        Some(Args { primitive: self.primitive, values })
    }

    /// Parameters with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Param, &Value)> {
        self.primitive.params.iter().zip(&self.values)
    }

    /// The value of a parameter.
    ///
    /// # Errors
    /// There is no such parameter: a bug of the primitive's entry.
    pub fn get(&self, name: &str) -> Result<&Value> {
        let found = self.iter().find(|(param, _)| param.name == name);
        found.map(|(_, value)| value).ok_or_else(|| Error::Internal {
            primitive: self.primitive.name,
            what: format!("the entry has no parameter `{name}`"),
        })
    }

    fn wrong(&self, name: &str, expected: &str, got: &Value) -> Error {
        argument_error(self.primitive, format!("`{name}` must be {expected}, not {got}"))
    }

    /// A pattern or a cursor.
    ///
    /// # Errors
    /// It is neither.
    pub fn at(&self, name: &str) -> Result<At> {
        match self.get(name)? {
            Value::Text(pattern) => Ok(At::Pattern(pattern.clone())),
            Value::Cursor(c) => Ok(At::Cursor(c.clone())),
            other => Err(self.wrong(name, "a cursor or a pattern", other)),
        }
    }

    /// One pattern or cursor, or a list of them.
    ///
    /// # Errors
    /// It is neither.
    pub fn ats(&self, name: &str) -> Result<Vec<At>> {
        let Value::List(items) = self.get(name)? else { return Ok(vec![self.at(name)?]) };
        items
            .iter()
            .map(|item| match item {
                Value::Text(pattern) => Ok(At::Pattern(pattern.clone())),
                Value::Cursor(c) => Ok(At::Cursor(c.clone())),
                other => Err(self.wrong(name, "cursors or patterns", other)),
            })
            .collect()
    }

    /// An integer.
    ///
    /// # Errors
    /// It is none.
    pub fn int(&self, name: &str) -> Result<i64> {
        match self.get(name)? {
            Value::Int(n) => Ok(*n),
            other => Err(self.wrong(name, "an integer", other)),
        }
    }

    /// A list of integers.
    ///
    /// # Errors
    /// It is none.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>> {
        let value = self.get(name)?;
        let Value::List(items) = value else { return Err(self.wrong(name, "a list of integers", value)) };
        items
            .iter()
            .map(|item| match item {
                Value::Int(n) => Ok(*n),
                other => Err(self.wrong(name, "a list of integers", other)),
            })
            .collect()
    }

    /// A truth value.
    ///
    /// # Errors
    /// It is none.
    pub fn bool(&self, name: &str) -> Result<bool> {
        match self.get(name)? {
            Value::Bool(b) => Ok(*b),
            other => Err(self.wrong(name, "True or False", other)),
        }
    }

    /// A string; a number stands for its digits, so that `8` may be given for `"8"`.
    ///
    /// # Errors
    /// It is neither.
    pub fn text(&self, name: &str) -> Result<String> {
        match self.get(name)? {
            Value::Text(t) => Ok(t.clone()),
            Value::Int(n) => Ok(n.to_string()),
            other => Err(self.wrong(name, "a string", other)),
        }
    }

    /// A string, or nothing.
    ///
    /// # Errors
    /// It is neither.
    pub fn optional_text(&self, name: &str) -> Result<Option<String>> {
        match self.get(name)? {
            Value::None => Ok(None),
            _ => self.text(name).map(Some),
        }
    }

    /// One string, or a list of them.
    ///
    /// # Errors
    /// It is neither.
    pub fn texts(&self, name: &str) -> Result<Vec<String>> {
        match self.get(name)? {
            Value::List(items) => items
                .iter()
                .map(|item| match item {
                    Value::Text(t) => Ok(t.clone()),
                    Value::Int(n) => Ok(n.to_string()),
                    other => Err(self.wrong(name, "a list of strings", other)),
                })
                .collect(),
            _ => Ok(vec![self.text(name)?]),
        }
    }

    /// Exactly so many strings.
    ///
    /// # Errors
    /// There are more or fewer.
    pub fn names<const N: usize>(&self, name: &str) -> Result<[String; N]> {
        let texts = self.texts(name)?;
        let count = texts.len();
        texts.try_into().map_err(|_| {
            argument_error(self.primitive, format!("`{name}` must be a list of {N} names, got {count}"))
        })
    }

    /// One of the words of a choice.
    ///
    /// # Errors
    /// It is none of them.
    pub fn choice<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T> {
        let value = self.get(name)?;
        if let Value::Text(t) = value
            && let Some((_, found)) = words.iter().find(|(word, _)| word == t)
        {
            return Ok(*found);
        }
        let known: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
        Err(self.wrong(name, &format!("one of {}", known.join(", ")), value))
    }

    /// A configuration class.
    ///
    /// # Errors
    /// It is none.
    pub fn config(&self, name: &str) -> Result<Arc<Config>> {
        match self.get(name)? {
            Value::Config(c) => Ok(c.clone()),
            other => Err(self.wrong(name, "a configuration class", other)),
        }
    }

    /// One procedure, or a list of them.
    ///
    /// # Errors
    /// It is neither.
    pub fn procs(&self, name: &str) -> Result<Vec<Proc>> {
        let Value::List(items) = self.get(name)? else { return Ok(vec![self.proc(name)?]) };
        items
            .iter()
            .map(|item| match item {
                Value::Proc(p) => Ok(p.clone()),
                other => Err(self.wrong(name, "a list of procedures", other)),
            })
            .collect()
    }

    /// A procedure.
    ///
    /// # Errors
    /// It is none.
    pub fn proc(&self, name: &str) -> Result<Proc> {
        match self.get(name)? {
            Value::Proc(p) => Ok(p.clone()),
            other => Err(self.wrong(name, "a procedure", other)),
        }
    }
}

/// The arguments of a primitive that takes values for the arguments of a procedure: by name or in order.
fn values_of(primitive: &'static Primitive, given: Vec<Value>, named: Vec<(String, Value)>) -> Result<Args> {
    let value = match (given.is_empty(), named.is_empty()) {
        (false, false) => {
            return Err(argument_error(primitive, "takes values by name or in order, not both"));
        }
        (false, true) => Value::List(given),
        (true, _) => Value::Named(named),
    };
    Ok(Args { primitive, values: vec![value] })
}

fn default_value(d: Default) -> Value {
    match d {
        Default::None => Value::None,
        Default::Bool(b) => Value::Bool(b),
        Default::Int(n) => Value::Int(n),
        Default::Text(t) => Value::Text(t.to_owned()),
    }
}

/// An argument that makes no sense, whatever the program.
pub(crate) fn argument_error(primitive: &Primitive, why: impl Into<String>) -> Error {
    SchedulingError {
        primitive: primitive.name,
        condition: ARGUMENT,
        found: Found::Form { why: why.into() },
        advice: None,
        places: Vec::new(),
        depth: 0,
    }
    .into()
}

/// A text that is no name among those that a parameter binds.
fn no_name<'v>(param: &Param, value: &'v Value) -> Option<&'v str> {
    if !matches!(param.kind, ArgKind::NewName | ArgKind::NewNames(_)) {
        return None;
    }
    let texts = match value {
        Value::List(items) => items.as_slice(),
        value => std::slice::from_ref(value),
    };
    texts.iter().find_map(|text| {
        if let Value::Text(text) = text { Some(text.as_str()) } else { None }.filter(|t| !is_name(t))
    })
}

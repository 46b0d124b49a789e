//! Failures as exceptions that carry data. The classes are in `rewright/_errors.py`.

use crate::env::Clash;
use crate::world::World;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rewright_effects::obligation::ModelValue;
use rewright_primitives::error::{ARGUMENT, Error, Found, InvalidCursor, SchedulingError};
use rewright_semantics::diag::{Diagnostic, Severity};
use rewright_semantics::span::{SourceMap, Span};
use serde_json::{Map, Value, json};

/// An exception before it is raised.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The class.
    class: &'static str,
    /// What `str` of it says.
    message: String,
    /// Its attributes.
    data: Map<String, Value>,
}

impl Failure {
    /// One that has only a message.
    pub(crate) fn new(class: &'static str, message: impl Into<String>) -> Failure {
        Failure { class, message: message.into(), data: Map::new() }
    }

    /// An argument that makes no sense.
    pub(crate) fn argument(message: impl Into<String>) -> Failure {
        Failure::new("ArgumentError", message)
    }

    /// Rewright is wrong.
    pub(crate) fn internal(what: &str) -> Failure {
        Failure::new("RewrightInternalError", format!("this is a bug in Rewright, please report it: {what}"))
    }

    /// What is wrong with a text.
    pub(crate) fn findings(class: &'static str, found: &[Diagnostic]) -> Failure {
        let sources = World::get().sources();
        let message = rendered(found, &sources);
        let rows = found.iter().map(|d| finding(d, &sources)).collect();
        let data = Map::from_iter([("findings".to_owned(), Value::Array(rows))]);
        Failure { class, message, data }
    }

    /// The exception.
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        self.made(py).unwrap_or_else(|e| e)
    }

    fn made(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py.import("rewright._errors")?.getattr(self.class)?;
        let made = class.call1((self.message,))?;
        for (name, value) in &self.data {
            made.setattr(name.as_str(), to_py(py, value)?)?;
        }
        Ok(PyErr::from_value(made))
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        match e {
            Error::Scheduling(e) => refusal(&e),
            Error::InvalidCursor(e) => e.into(),
            Error::Internal { .. } => Failure::new("RewrightInternalError", e.to_string()),
        }
    }
}

impl From<Clash> for Failure {
    fn from(e: Clash) -> Failure {
        Failure::argument(e.to_string())
    }
}

impl From<InvalidCursor> for Failure {
    fn from(e: InvalidCursor) -> Failure {
        Failure::new("InvalidCursorError", e.what)
    }
}

/// A refusal, with what was found.
fn refusal(e: &SchedulingError) -> Failure {
    if e.condition == ARGUMENT {
        return Failure::argument(format!("{}: {}", e.primitive, e.found));
    }
    let sources = World::get().sources();
    let (values, cell) = match &e.found {
        Found::Refuted { values, cell, .. } => (values.as_slice(), cell.as_ref()),
        Found::Unknown { .. } | Found::Form { .. } => (&[][..], None),
    };
    let kind = match &e.found {
        Found::Refuted { .. } => "refuted",
        Found::Unknown { .. } => "unknown",
        Found::Form { .. } => "form",
    };
    let values = values.iter().map(|(name, value)| {
        let value = match value {
            ModelValue::Int(n) => json!(n),
            ModelValue::Bool(b) => json!(b),
        };
        (name.clone(), value)
    });
    let counterexample: Map<String, Value> = values.collect();
    let places: Vec<Value> =
        e.places.iter().filter_map(|(span, role)| place(*span, role, &sources)).collect();
    let data = [
        ("primitive", json!(e.primitive)),
        ("condition", json!(e.condition)),
        ("rewright_condition", json!(format!("{}.{}", e.primitive, e.condition))),
        ("found", json!(kind)),
        ("counterexample", Value::Object(counterexample)),
        ("cell", cell.map_or(Value::Null, |c| json!([c.buffer, c.at]))),
        ("places", Value::Array(places)),
        ("advice", json!(e.advice)),
    ];
    let data = data.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Failure { class: "SchedulingError", message: told(e, &sources), data }
}

/// The refusal with the places in the program that it is about.
fn told(e: &SchedulingError, sources: &SourceMap) -> String {
    let mut places = e.places.iter().filter(|(span, _)| sources.get(span.file).is_some());
    let Some((first, role)) = places.next() else {
        let advice = e.advice.map(|a| format!("\n  = help: {a}")).unwrap_or_default();
        return format!("{e}{advice}");
    };
    let message = format!("{}: {} [{}.{}]", e.primitive, e.found, e.primitive, e.condition);
    let mut d = Diagnostic::error("script.refused", *first, message).label(role.clone());
    for (span, role) in places {
        d = d.also(*span, role.clone());
    }
    if let Some(example) = e.found.example() {
        d = d.note(format!("it fails, for example, {example}"));
    }
    if let Some(advice) = e.advice {
        d = d.help(advice);
    }
    rendered(&[d], sources)
}

/// Findings as text.
fn rendered(found: &[Diagnostic], sources: &SourceMap) -> String {
    rewright_semantics::render::render(found, sources, false).trim_end().to_owned()
}

/// A finding as data.
fn finding(d: &Diagnostic, sources: &SourceMap) -> Value {
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut row = json!({ "rule": d.rule, "severity": severity, "message": d.message, "help": d.help });
    if let Some(at) = place(d.primary.span, &d.primary.text, sources) {
        row["place"] = at;
    }
    row
}

/// A place as data; `None` for what no one wrote.
fn place(span: Span, role: &str, sources: &SourceMap) -> Option<Value> {
    let (line, column) = sources.line_col(span)?;
    let file = &sources.get(span.file)?.name;
    Some(json!({ "file": file, "line": line, "column": column, "role": role, "text": sources.slice(span) }))
}

/// JSON as Python's objects.
pub(crate) fn to_py<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(b) => b.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(n) => match n.as_i64() {
            Some(n) => n.into_pyobject(py)?.into_any(),
            None => n.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_py(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, item) in fields {
                dict.set_item(name, to_py(py, item)?)?;
            }
            dict.into_any()
        }
    })
}

//! Running a procedure in the interpreter.

use crate::failure::{Failure, to_py};
use crate::handles::Proc;
use crate::task::work;
use crate::world::World;
use pyo3::prelude::*;
use rewright_effects::solver::nobody_waits;
use rewright_semantics::ast;
use rewright_semantics::data::Datum;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Denotation, FaultClass, Interpreted, Limits};
use rewright_semantics::inputs::{Input, InputValue, Search, Subject};
use rewright_semantics::types::ArgType;
use rewright_semantics::value::Val;
use serde_json::{Map, Value, json};

/// Runs a procedure on arguments and fields, `name=value` each; what it leaves, by name: type, extents, and cells as text.
///
/// # Errors
/// The input is none of the procedure's, or the run fails.
#[pyfunction]
pub(crate) fn run<'py>(
    py: Python<'py>,
    proc: &Proc,
    inputs: Vec<String>,
    domain: &str,
    steps: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let left = work(py, || {
        let p = proc.proc.ast();
        let open = proc.proc.left_open();
        if !open.is_empty() {
            return Err(Failure::findings("RunError", &open));
        }
        let input = input(p, &inputs)?;
        let limits = Limits { statements: steps, stop: Some(nobody_waits), ..Limits::default() };
        match domain {
            "exact" => run_in::<RationalDomain>(p, &input, limits),
            "machine" => run_in::<MachineDomain>(p, &input, limits),
            "symbolic" => run_in::<SymbolicDomain>(p, &input, limits),
            other => Err(Failure::argument(format!(
                "there is no domain `{other}`: \"exact\", \"machine\" or \"symbolic\""
            ))),
        }
    })?;
    to_py(py, &left)
}

/// The input that is written; all arguments must be given, and a field that is not is unset.
fn input(p: &ast::Proc, texts: &[String]) -> Result<Input, Failure> {
    let subject = Subject::of(p);
    let mut given = subject.parse_args(texts).map_err(|e| Failure::argument(format!("{}: {e}", p.name)))?;
    let missing = p.args.iter().find(|a| !given.args.contains_key(&a.name.name()));
    if let Some(a) = missing {
        return Err(Failure::argument(format!("{}: there is no value for `{}`", p.name, a.name)));
    }
    for (key, _) in subject.fields() {
        given.fields.entry(key).or_insert_with(InputValue::unset);
    }
    subject.generate(&given, 0, Search::COMMAND).map_err(|e| Failure::argument(e.to_string()))
}

fn run_in<D: Interpreted>(p: &ast::Proc, input: &Input, limits: Limits) -> Result<Value, Failure> {
    let (values, st) = input.store::<D>(p);
    let outcome = Denotation::<D>::of(p).call(&values, st, limits).map_err(|fault| {
        let limit = fault.kind.class() == FaultClass::Limit;
        let sources = World::get().sources();
        let text = rewright_semantics::render::render(&[fault.diagnostic()], &sources, false);
        Failure::new(if limit { "LimitError" } else { "RunError" }, text.trim_end())
    })?;
    let mut left = Map::new();
    for (formal, actual) in p.args.iter().zip(&values) {
        let (Val::Window(w), ArgType::Data { typ, .. }) = (actual, &formal.typ) else { continue };
        let cells = w.indices().map(|at| match outcome.store.read(w, &at) {
            Some(Datum::Known(v)) => json!(v.to_string()),
            Some(Datum::Unknown) | None => Value::Null,
        });
        let cells: Vec<Value> = cells.collect();
        let row = json!({ "type": typ.elem.keyword(), "shape": w.shape(), "cells": cells });
        left.insert(formal.name.name().to_string(), row);
    }
    for (key, value) in outcome.store.globals() {
        let value = match value {
            Val::Int(n) => json!(n),
            Val::Bool(b) => json!(b),
            Val::Data(v) => json!({ "cells": [v.to_string()] }),
            Val::Window(_) | Val::Exceptional(_) => Value::Null,
        };
        left.insert(key.to_string(), value);
    }
    Ok(Value::Object(left))
}

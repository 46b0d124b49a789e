//! The primitives: what is known of them, and the one function that applies any.

use crate::env::Env;
use crate::failure::{Failure, to_py};
use crate::handles::Proc;
use crate::task::work;
use crate::value::Reader;
use crate::world::World;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rewright_primitives::ops::{self, extracted};
use rewright_primitives::registry::{ArgKind, Args, Default, Param, Primitive, Value};
use rewright_primitives::version::session::Assumed;
use rewright_semantics::syntax::fold::Form;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Applies the primitive of a name to a procedure. What comes of it is the new version; of `extract_subproc`, the new
/// version and the procedure that was extracted.
///
/// What cannot be proved of the meaning is assumed, and recorded as such, where `assuming` names the condition; the empty
/// list is all of them. `exo` makes
/// what Exo makes: calls may be left open for later steps to put right, and arithmetic is written operator by operator.
///
/// # Errors
/// The primitive refuses, or an argument makes no sense.
#[pyfunction]
#[pyo3(signature = (name, proc, given, named, assuming=None, exo=false))]
pub(crate) fn apply(
    py: Python<'_>,
    name: &str,
    proc: &Bound<'_, Proc>,
    given: &Bound<'_, PyTuple>,
    named: &Bound<'_, PyDict>,
    assuming: Option<Vec<String>>,
    exo: bool,
) -> PyResult<Vec<Proc>> {
    let Some(primitive) = ops::by_name(name).or_else(|| ops::of_exo(name)) else {
        return Err(Failure::argument(format!("there is no primitive `{name}`")).raised(py));
    };
    let Proc { proc, env } = proc.get();
    let mut reader = Reader { env: Env::clone(env) };
    let given = given.iter().map(|v| reader.value(&v)).collect::<PyResult<Vec<Value>>>()?;
    let named = named.iter().map(|(k, v)| Ok((k.extract::<String>()?, reader.value(&v)?)));
    let named = named.collect::<PyResult<Vec<_>>>()?;
    let env = Arc::new(reader.env);
    work(py, move || {
        let args = Args::bind(primitive, given, named)?;
        memories_are_known(primitive, &args, &env)?;
        let proc = if exo { proc.postponing().writing(Form::Literal) } else { proc.clone() };
        let made = match assuming {
            None => (primitive.run)(&proc, &args)?,
            Some(ids) if ids.is_empty() => (primitive.run)(&proc.assuming(Assumed::Everything), &args)?,
            Some(ids) => (primitive.run)(&proc.assuming(Assumed::These(ids.into())), &args)?,
        };
        let also = extracted(&made).filter(|_| name == ops::extract_subproc::EXTRACT_SUBPROC.name);
        let made = std::iter::once(made).chain(also);
        Ok(made.map(|proc| Proc { proc, env: env.clone() }).collect())
    })
}

/// A memory is one of the surroundings', or one that is known everywhere.
fn memories_are_known(primitive: &Primitive, args: &Args, env: &Env) -> Result<(), Failure> {
    let declared = env.memories.iter().map(|m| m.name);
    let known: Vec<&str> =
        World::get().prelude().memories.iter().copied().chain(declared).map(|m| m.0.as_str()).collect();
    for (param, value) in args.iter().filter(|(param, _)| param.kind == ArgKind::Memory) {
        let found = if let Value::Text(name) = value { known.contains(&name.as_str()) } else { true };
        if !found {
            let (p, x) = (primitive.name, param.name);
            let known = known.join(", ");
            return Err(Failure::argument(format!(
                "{p}: `{x}` is {value}, which is no memory; there are {known}"
            )));
        }
    }
    Ok(())
}

/// What is known of every primitive, in the order of the papers.
#[pyfunction]
pub(crate) fn registry(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_py(py, &Json::Array(ops::ALL.iter().map(|p| row(p)).collect()))
}

fn row(p: &Primitive) -> Json {
    let conditions = p.conditions.iter().map(|c| {
        json!({ "id": c.id, "sentence": c.sentence, "guards": format!("{:?}", c.guards), "advice": c.advice })
    });
    json!({
        "name": p.name,
        "summary": p.summary,
        "source": p.source,
        "params": p.params.iter().map(param).collect::<Vec<_>>(),
        "conditions": conditions.collect::<Vec<_>>(),
    })
}

fn param(p: &Param) -> Json {
    let default = p.default.map(|d| match d {
        Default::None => json!([null]),
        Default::Bool(b) => json!([b]),
        Default::Int(n) => json!([n]),
        Default::Text(t) => json!([t]),
    });
    // What a kind is of is a field of its own.
    let kind = format!("{:?}", p.kind);
    let kind = kind.split('(').next().unwrap_or(&kind);
    let of = if let ArgKind::NewNames(count) = p.kind {
        json!(count)
    } else if let ArgKind::Choice(words) = p.kind {
        json!(words)
    } else {
        Json::Null
    };
    json!({ "name": p.name, "kind": kind, "of": of, "default": default })
}

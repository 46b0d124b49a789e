//! Python's objects as arguments of primitives, and as what names of the surroundings stand for.

use crate::env::Env;
use crate::failure::Failure;
use crate::handles::{Handle, handle, surroundings};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use rewright_primitives::registry::Value;

/// How deep lists may nest: a list may hold itself.
const DEEPEST: usize = 8;

/// Arguments of one call.
pub(crate) struct Reader {
    /// What surrounds everything that was read.
    pub(crate) env: Env,
}

impl Reader {
    /// An argument's value.
    ///
    /// # Errors
    /// The object is of another type.
    pub(crate) fn value(&mut self, of: &Bound<'_, PyAny>) -> PyResult<Value> {
        self.at_depth(of, DEEPEST)
    }

    fn at_depth(&mut self, of: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
        let deeper = || {
            depth.checked_sub(1).ok_or_else(|| PyTypeError::new_err("an argument of lists in lists in lists"))
        };
        if of.is_none() {
            return Ok(Value::None);
        }
        if let Ok(b) = of.cast::<PyBool>() {
            return Ok(Value::Bool(b.is_true()));
        }
        if let Ok(text) = of.cast::<PyString>() {
            return Ok(Value::Text(text.extract::<String>()?));
        }
        if of.is_instance_of::<PyInt>() {
            // What has more than 64 bits is left to who reads expressions.
            return Ok(of.extract::<i64>().map_or_else(|_| Value::Text(of.to_string()), Value::Int));
        }
        if let Ok(x) = of.cast::<PyFloat>() {
            return Ok(Value::Text(float_text(x)?));
        }
        if of.is_instance_of::<PyList>() || of.is_instance_of::<PyTuple>() {
            let depth = deeper()?;
            let items = of.try_iter()?.map(|item| self.at_depth(&item?, depth));
            return Ok(Value::List(items.collect::<PyResult<_>>()?));
        }
        if let Ok(dict) = of.cast::<PyDict>() {
            let depth = deeper()?;
            let items = dict.iter().map(|(k, v)| Ok((k.extract::<String>()?, self.at_depth(&v, depth)?)));
            return Ok(Value::Named(items.collect::<PyResult<_>>()?));
        }
        match handle(of) {
            Some(known) => {
                self.env =
                    self.env.with(&surroundings(&known)).map_err(|e| Failure::from(e).raised(of.py()))?;
                Ok(match known {
                    Handle::Proc(p, _) => Value::Proc(p),
                    Handle::Cursor(c, _) => Value::Cursor(c),
                    Handle::Config(c) => Value::Config(c),
                    Handle::Memory(m) => Value::Text(m.name.0.to_string()),
                    Handle::Extern(f) => Value::Text(f.name().to_owned()),
                })
            }
            None if let Some(word) = text_under(of, pyo3::intern!(of.py(), "_raw")) => Ok(Value::Text(word)),
            // A move that led nowhere.
            None if let Some(why) = text_under(of, pyo3::intern!(of.py(), "_why")) => {
                Err(Failure::new("InvalidCursorError", why).raised(of.py()))
            }
            // Numbers of other libraries.
            None if let Some(scalar) = plain(of)? => self.at_depth(&scalar, depth),
            None => of.extract::<i64>().map(Value::Int).map_err(|_| {
                let class = of.get_type().name().map_or_else(|_| "?".to_owned(), |n| n.to_string());
                PyTypeError::new_err(format!("`{class}` is nothing that a primitive takes"))
            }),
        }
    }
}

/// The text that an object has under a name: the word of a type.
fn text_under(of: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> Option<String> {
    of.getattr_opt(name).ok()??.extract().ok()
}

/// A float as Python writes one, whatever its class.
pub(crate) fn float_text(x: &Bound<'_, PyFloat>) -> PyResult<String> {
    Ok(PyFloat::new(x.py(), x.value()).repr()?.to_string())
}

/// The number or truth value of Python that a scalar of numpy is.
pub(crate) fn plain<'py>(of: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let class = of.get_type();
    let scalar =
        class.module()? == "numpy" && of.getattr_opt("ndim")?.is_some_and(|n| n.eq(0).unwrap_or(false));
    if !scalar {
        return Ok(None);
    }
    let item = of.call_method0("item")?;
    let known = item.is_instance_of::<PyBool>()
        || item.is_instance_of::<PyInt>()
        || item.is_exact_instance_of::<PyFloat>();
    Ok(known.then_some(item))
}

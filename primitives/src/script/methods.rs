//! The methods of procedures and cursors, by name.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of any other sort, of today or tomorrow, has no such method"
)]

use super::eval::MethodError;
use crate::error::{Error, InvalidCursor};
use crate::ops;
use crate::registry::{Args, Value};
use crate::version::Proc;

type Result<T> = std::result::Result<T, MethodError>;

/// Calls a method.
pub(super) fn call_method(
    of: &Value,
    method: &str,
    args: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value> {
    match of {
        Value::Proc(p) => proc_method(p, method, args, named),
        _ => Err(MethodError::Unknown(format!("{of} has no method `{method}`"))),
    }
}

fn proc_method(p: &Proc, method: &str, args: Vec<Value>, named: Vec<(String, Value)>) -> Result<Value> {
    match (method, args.as_slice()) {
        ("forward", [Value::Cursor(c)]) => Ok(Value::Cursor(p.forward(c)?)),
        ("name", []) => Ok(Value::Text(p.name().to_string())),
        // Some primitives are methods of procedures in the practical system.
        _ => match ops::by_name(method) {
            Some(primitive) => {
                let args = Args::bind(primitive, args, named)?;
                Ok(Value::Proc((primitive.run)(p, &args)?))
            }
            None => Err(MethodError::Unknown(format!("a procedure has no method `{method}`"))),
        },
    }
}

/// `of[at]`
pub(super) fn index(of: &Value, at: &Value) -> std::result::Result<Value, Error> {
    match (of, at) {
        (Value::List(items), Value::Int(n)) => {
            let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let at = usize::try_from(if *n < 0 { n + count } else { *n }).ok();
            let found = at.and_then(|at| items.get(at));
            found
                .cloned()
                .ok_or_else(|| InvalidCursor::new(format!("there is no element {n} of {count}")).into())
        }
        _ => Err(InvalidCursor::new(format!("{of} cannot be indexed by {at}")).into()),
    }
}

/// `of[from:to]`
pub(super) fn slice(
    of: &Value,
    from: Option<&Value>,
    to: Option<&Value>,
) -> std::result::Result<Value, Error> {
    let _ = (from, to);
    Err(InvalidCursor::new(format!("{of} cannot be sliced")).into())
}

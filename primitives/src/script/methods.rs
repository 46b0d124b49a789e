//! The methods of procedures and cursors, by name.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of any other sort, of today or tomorrow, has no such method"
)]

use super::eval::{Known, MethodError, result};
use crate::cursor::Cursor;
use crate::error::{Error, InvalidCursor};
use crate::registry::{Args, Value};
use crate::version::Proc;
use rewright_semantics::ast::Literal;
use rewright_semantics::pretty::expr_to_string;

type Result<T> = std::result::Result<T, MethodError>;

/// Calls a method.
pub(super) fn call_method(
    known: &Known<'_>,
    of: &Value,
    method: &str,
    args: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value> {
    match of {
        Value::Proc(p) => proc_method(known, p, method, args, named),
        Value::Cursor(c) => cursor_method(c, method, &by_position(method, args, named)?),
        _ => Err(MethodError::Unknown(format!("{of} has no method `{method}`"))),
    }
}

/// The parameters of a cursor's methods that may be given by name.
fn parameters(method: &str) -> &'static [&'static str] {
    match method {
        "expand" => &["delta_lo", "delta_hi"],
        "next" | "prev" => &["dist"],
        "find" | "find_all" | "find_loop" => &["pattern"],
        _ => &[],
    }
}

/// The arguments of a cursor's method in order; what is left out before one that is given is `None`.
fn by_position(method: &str, mut args: Vec<Value>, named: Vec<(String, Value)>) -> Result<Vec<Value>> {
    let first = args.len();
    let mut given = vec![false; parameters(method).len().max(first)];
    for (name, value) in named {
        let place = parameters(method).iter().position(|p| *p == name).filter(|k| *k >= first);
        let Some(slot) = place.and_then(|k| given.get_mut(k)).filter(|taken| !**taken) else {
            return Err(MethodError::Unknown(format!("`{method}` takes no `{name}` here")));
        };
        *slot = true;
        let place = place.unwrap_or_default();
        if args.len() <= place {
            args.resize(place + 1, Value::None);
        }
        if let Some(arg) = args.get_mut(place) {
            *arg = value;
        }
    }
    Ok(args)
}

fn proc_method(
    known: &Known<'_>,
    p: &Proc,
    method: &str,
    args: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value> {
    let cursors = |cs: Vec<Cursor>| Value::List(cs.into_iter().map(Value::Cursor).collect());
    match (method, args.as_slice()) {
        ("forward", [Value::Cursor(c)]) => Ok(Value::Cursor(p.forward(c)?)),
        ("name", []) => Ok(Value::Text(p.name().to_string())),
        ("is_eq", [Value::Proc(other)]) => Ok(Value::Bool(p.is_eq(other))),
        ("is_instr", []) => Ok(Value::Bool(p.is_instr())),
        ("body", []) => Ok(Value::Cursor(p.body()?)),
        ("find", [Value::Text(pattern)]) => match named.as_slice() {
            [(name, Value::Bool(true))] if name == "many" => Ok(cursors(p.find_all(pattern)?)),
            _ => Ok(Value::Cursor(p.find(pattern)?)),
        },
        ("find_all", [Value::Text(pattern)]) => Ok(cursors(p.find_all(pattern)?)),
        ("find_loop", [Value::Text(pattern)]) => Ok(Value::Cursor(p.find_loop(pattern)?)),
        ("find_alloc_or_arg", [Value::Text(pattern)]) => Ok(Value::Cursor(p.find_alloc_or_arg(pattern)?)),
        ("args", []) => Ok(cursors(p.args())),
        ("get_arg", [Value::Text(name)]) => Ok(Value::Cursor(p.get_arg(name)?)),
        // Some primitives are methods of procedures in the practical system: `p.partial_eval(n=8)`.
        _ => match known.primitives.by_name(method) {
            Some(primitive) => {
                let args = method_args(primitive.params, args, named);
                let args = Args::bind(primitive, args.0, args.1)?;
                Ok(result(primitive, known.apply(primitive, p, &args)?))
            }
            None => Err(MethodError::Unknown(format!("a procedure has no method `{method}`"))),
        },
    }
}

/// The arguments of a primitive called as a method: one that takes values by name takes all that are not its own.
fn method_args(
    params: &[crate::registry::Param],
    args: Vec<Value>,
    named: Vec<(String, Value)>,
) -> (Vec<Value>, Vec<(String, Value)>) {
    let values = params.iter().find(|p| p.kind == crate::registry::ArgKind::Values);
    let Some(values) = values else { return (args, named) };
    let (own, free): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|(k, _)| params.iter().any(|p| p.name == k));
    if free.is_empty() {
        return (args, own);
    }
    let mut named = own;
    named.push((values.name.to_owned(), Value::Named(free)));
    (args, named)
}

fn cursor_method(c: &Cursor, method: &str, args: &[Value]) -> Result<Value> {
    let one = |c: Cursor| Ok(Value::Cursor(c));
    let many = |cs: Vec<Cursor>| Ok(Value::List(cs.into_iter().map(Value::Cursor).collect()));
    let distance = |args: &[Value]| match args {
        [] => Ok(1),
        [Value::Int(n)] => usize::try_from(*n).map_err(|_| InvalidCursor::new(format!("{n} is no distance"))),
        _ => Err(InvalidCursor::new("a distance is an integer")),
    };
    match (method, args) {
        ("parent", []) => one(c.parent()?),
        ("next", args) => one(c.next(distance(args)?)?),
        ("prev", args) => one(c.prev(distance(args)?)?),
        ("before", []) => one(c.before()?),
        ("after", []) => one(c.after()?),
        ("anchor", []) => one(c.anchor()?),
        ("body", []) => one(c.body()?),
        ("orelse", []) => one(c.orelse()?),
        ("lo", []) => one(c.lo()?),
        ("hi", []) => one(c.hi()?),
        ("cond", []) => one(c.cond()?),
        ("rhs", []) => one(c.rhs()?),
        ("lhs", []) => one(c.lhs()?),
        ("arg", []) => one(c.arg()?),
        ("idx", []) => many(c.idx()?),
        ("args", []) => many(c.args()?),
        ("shape", []) => many(c.shape()?),
        ("children", []) => many(c.children()),
        ("as_block", []) => one(c.as_block()?),
        ("expand", []) => one(c.expand(None, None)?),
        ("expand", [before]) => one(c.expand(amount(before)?, None)?),
        ("expand", [before, after]) => one(c.expand(amount(before)?, amount(after)?)?),
        ("find", [Value::Text(pattern)]) => one(c.find(pattern)?),
        ("find_all", [Value::Text(pattern)]) => many(c.find_all(pattern)?),
        ("find_loop", [Value::Text(pattern)]) => one(c.find_loop(pattern)?),
        ("proc", []) => Ok(Value::Proc(c.proc().clone())),
        ("subproc", []) => Ok(Value::Proc(c.subproc()?)),
        ("name", []) => Ok(Value::Text(c.name()?.to_string())),
        ("mem", []) => Ok(Value::Text(c.mem()?.to_string())),
        ("is_tensor", []) => Ok(Value::Bool(c.is_tensor()?)),
        ("op", []) => Ok(Value::Text(c.op()?.symbol().to_owned())),
        ("config", []) => Ok(Value::Config(c.config()?)),
        ("field", []) => Ok(Value::Text(c.field()?.to_string())),
        ("value", []) => Ok(match c.value()? {
            Literal::Int(n) => Value::Int(n),
            Literal::Bool(b) => Value::Bool(b),
            Literal::Data(d) => Value::Text(d.to_string()),
        }),
        ("text", []) => Ok(Value::Text(expr_to_string(&c.expr()?))),
        _ => Err(MethodError::Unknown(format!("{} has no method `{method}` that takes these", c.describe()))),
    }
}

/// How far a run is expanded: `None` means as far as it goes.
fn amount(v: &Value) -> std::result::Result<Option<usize>, InvalidCursor> {
    match v {
        Value::None => Ok(None),
        Value::Int(n) => usize::try_from(*n)
            .map(Some)
            .map_err(|_| InvalidCursor::new(format!("{n} is no number of statements"))),
        other => Err(InvalidCursor::new(format!("{other} is no number of statements"))),
    }
}

/// `of[at]`
pub(super) fn index(of: &Value, at: &Value) -> std::result::Result<Value, Error> {
    match (of, at) {
        (Value::Cursor(c), Value::Int(n)) => Ok(Value::Cursor(c.at(offset(*n)?)?)),
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
    let end = |v: Option<&Value>| match v {
        None | Some(Value::None) => Ok(None),
        Some(Value::Int(n)) => offset(*n).map(Some),
        Some(other) => Err(InvalidCursor::new(format!("{other} is no index"))),
    };
    match of {
        Value::Cursor(c) => Ok(Value::Cursor(c.slice(end(from)?, end(to)?)?)),
        Value::List(items) => {
            // Python's: counted from the end where negative, and never out of range.
            let place = |at: isize| match usize::try_from(at) {
                Ok(at) => at.min(items.len()),
                Err(_) => items.len().saturating_sub(at.unsigned_abs()),
            };
            let from = end(from)?.map_or(0, place);
            let to = end(to)?.map_or(items.len(), place);
            Ok(Value::List(items.get(from..to).unwrap_or_default().to_vec()))
        }
        _ => Err(InvalidCursor::new(format!("{of} cannot be sliced")).into()),
    }
}

fn offset(n: i64) -> std::result::Result<isize, InvalidCursor> {
    isize::try_from(n).map_err(|_| InvalidCursor::new(format!("{n} is no index")))
}

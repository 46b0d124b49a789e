//! What the values of scripts do by themselves: arithmetic, strings and lists, as in Python. Spec: [rule: scripts.values].
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of any other sort, of today or tomorrow, is not computed with"
)]

use super::syntax::Operator;
use crate::registry::Value;
use num_integer::Integer;

/// Most characters of a string, most elements of a list.
const LONGEST: usize = 1 << 16;

/// `a op b`, or why there is no such value.
pub(super) fn binary(op: Operator, a: Value, b: Value) -> Result<Value, String> {
    match (op, a, b) {
        (op, Value::Int(a), Value::Int(b)) => integer(op, a, b).map(Value::Int),
        (Operator::Add, Value::Text(a), Value::Text(b)) => {
            fits(a.len().saturating_add(b.len()))?;
            Ok(Value::Text(a + &b))
        }
        (Operator::Add, Value::List(mut a), Value::List(b)) => {
            fits(a.len().saturating_add(b.len()))?;
            a.extend(b);
            Ok(Value::List(a))
        }
        (Operator::Mul, Value::Text(text), Value::Int(n))
        | (Operator::Mul, Value::Int(n), Value::Text(text)) => {
            let n = times(text.len(), n)?;
            Ok(Value::Text(text.repeat(n)))
        }
        (Operator::Mul, Value::List(items), Value::Int(n))
        | (Operator::Mul, Value::Int(n), Value::List(items)) => {
            let n = times(items.len(), n)?;
            Ok(Value::List(items.iter().cycle().take(items.len() * n).cloned().collect()))
        }
        (op, a, b) => Err(format!("`{op}` does not take {} and {}", sort(&a), sort(&b))),
    }
}

fn integer(op: Operator, a: i64, b: i64) -> Result<i64, String> {
    let value = match op {
        Operator::Add => a.checked_add(b),
        Operator::Sub => a.checked_sub(b),
        Operator::Mul => a.checked_mul(b),
        Operator::Div | Operator::Mod if b == 0 => return Err(format!("{a} {op} 0 has no value")),
        Operator::Div | Operator::Mod if b == -1 => match op {
            Operator::Mod => Some(0),
            _ => a.checked_neg(),
        },
        Operator::Div => Some(Integer::div_floor(&a, &b)),
        Operator::Mod => Some(Integer::mod_floor(&a, &b)),
    };
    value.ok_or_else(|| format!("{a} {op} {b} does not fit into 64 bits"))
}

/// `-a`
pub(super) fn minus(a: &Value) -> Result<Value, String> {
    match a {
        Value::Int(n) => {
            n.checked_neg().map(Value::Int).ok_or_else(|| format!("-({n}) does not fit into 64 bits"))
        }
        other => Err(format!("`-` does not take {}", sort(other))),
    }
}

/// How often something of this length is repeated; less than once is never.
fn times(length: usize, n: i64) -> Result<usize, String> {
    let n = usize::try_from(n.max(0)).map_err(|_| too_long())?;
    fits(length.checked_mul(n).ok_or_else(too_long)?)?;
    Ok(n)
}

fn fits(length: usize) -> Result<(), String> {
    if length <= LONGEST { Ok(()) } else { Err(too_long()) }
}

fn too_long() -> String {
    format!("this is longer than {LONGEST}")
}

/// What `str` makes of a value, what an f-string puts in, and what `print` prints.
pub(super) fn text(v: &Value) -> String {
    match v {
        Value::Text(text) => text.clone(),
        Value::Proc(p) => p.to_string(),
        Value::Cursor(c) => c.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(in_list).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// As Python shows a value in a list.
fn in_list(v: &Value) -> String {
    match v {
        Value::Text(text) => {
            let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
            let escaped = text.replace('\\', "\\\\").replace('\n', "\\n");
            let escaped = if quote == '\'' { escaped.replace('\'', "\\'") } else { escaped };
            format!("{quote}{escaped}{quote}")
        }
        other => text(other),
    }
}

/// Whether a name is one of Python's functions that scripts have.
pub(super) fn is_builtin(name: &str) -> bool {
    matches!(name, "str" | "len")
}

/// `str(x)`, `len(x)`
pub(super) fn call_builtin(name: &str, args: &[Value], named: &[(String, Value)]) -> Result<Value, String> {
    if let Some((given, _)) = named.first() {
        return Err(format!("`{name}` takes no `{given}`"));
    }
    match (name, args) {
        ("str", [v]) => Ok(Value::Text(text(v))),
        ("len", [Value::List(items)]) => Ok(Value::Int(i64::try_from(items.len()).unwrap_or(i64::MAX))),
        ("len", [Value::Text(text)]) => {
            Ok(Value::Int(i64::try_from(text.chars().count()).unwrap_or(i64::MAX)))
        }
        ("len", [other]) => Err(format!("{} has no length", sort(other))),
        (name, args) => Err(format!("`{name}` takes one argument, not {}", args.len())),
    }
}

/// What a value is, for a message.
fn sort(v: &Value) -> &'static str {
    match v {
        Value::None => "None",
        Value::Bool(_) => "a truth value",
        Value::Int(_) => "an integer",
        Value::Text(_) => "a string",
        Value::List(_) => "a list",
        Value::Cursor(_) => "a cursor",
        Value::Proc(_) => "a procedure",
        Value::Config(_) => "a configuration class",
        Value::Named(_) => "named values",
    }
}

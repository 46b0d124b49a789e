//! Values of the script language: what a step records of its arguments.

use super::{Cursor, Proc};
use rewright_semantics::ast::Config;
use std::fmt;
use std::sync::Arc;

/// A value of the script language.
#[derive(Clone, Debug)]
pub enum Value {
    /// `None`
    None,
    /// `True` or `False`
    Bool(bool),
    /// A number.
    Int(i64),
    /// A string, or a bare name such as `DRAM`.
    Text(String),
    /// A list or a tuple.
    List(Vec<Value>),
    /// A cursor.
    Cursor(Cursor),
    /// A procedure.
    Proc(Proc),
    /// A configuration class.
    Config(Arc<Config>),
    /// Names with values: `n=8`.
    Named(Vec<(String, Value)>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::None => f.write_str("None"),
            Value::Bool(true) => f.write_str("True"),
            Value::Bool(false) => f.write_str("False"),
            Value::Int(n) => n.fmt(f),
            Value::Text(t) => write!(f, "{t:?}"),
            Value::List(items) => {
                f.write_str("[")?;
                for (k, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if k > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Value::Cursor(c) => write!(f, "{c:?}"),
            Value::Proc(p) => p.name().fmt(f),
            Value::Config(c) => c.name.fmt(f),
            Value::Named(items) => {
                for (k, (name, item)) in items.iter().enumerate() {
                    write!(f, "{}{name}={item}", if k > 0 { ", " } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<Proc> for Value {
    fn from(p: Proc) -> Value {
        Value::Proc(p)
    }
}

impl From<Cursor> for Value {
    fn from(c: Cursor) -> Value {
        Value::Cursor(c)
    }
}

impl<const N: usize> From<[&str; N]> for Value {
    fn from(names: [&str; N]) -> Value {
        Value::from(names.as_slice())
    }
}

impl From<&[&str]> for Value {
    fn from(names: &[&str]) -> Value {
        Value::List(names.iter().map(|n| Value::from(*n)).collect())
    }
}

impl From<&[i64]> for Value {
    fn from(numbers: &[i64]) -> Value {
        Value::List(numbers.iter().map(|n| Value::Int(*n)).collect())
    }
}

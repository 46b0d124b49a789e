//! Arguments in a derivation: places as text, everything else as itself.

use crate::cursor::Cursor;
use crate::cursor::text::{place_of_text, place_to_text};
use crate::registry::Value;
use crate::version::Proc;
use serde_json::{Value as Json, json};

/// What is written down of a value. `number` says which of the versions of the derivation one is; none is what is defined.
pub(super) fn to_json(v: &Value, number: &mut dyn FnMut(&Proc) -> Option<usize>) -> Json {
    match v {
        Value::None => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(n) => json!(n),
        Value::Text(t) => json!(t),
        Value::List(items) => Json::Array(items.iter().map(|v| to_json(v, number)).collect()),
        Value::Cursor(c) => json!({ "at": place_to_text(c.place()) }),
        Value::Proc(p) => match number(p) {
            Some(number) => json!({ "version": number }),
            None => json!({ "proc": p.name().as_str() }),
        },
        Value::Config(c) => json!({ "config": c.name.as_str() }),
        Value::Named(items) => {
            let items = items.iter().map(|(name, v)| json!([name, to_json(v, number)]));
            json!({ "named": items.collect::<Vec<Json>>() })
        }
    }
}

/// What the names in a derivation stand for.
pub(super) struct Known<'a> {
    /// Procedures and configurations of the definitions.
    pub(super) names: &'a dyn Fn(&str) -> Option<Value>,
    /// The versions, by their numbers.
    pub(super) version: &'a dyn Fn(usize) -> Option<Proc>,
}

/// The value that was written down, for a version.
pub(super) fn of_json(json: &Json, p: &Proc, known: &Known<'_>) -> Option<Value> {
    match json {
        Json::Null => Some(Value::None),
        Json::Bool(b) => Some(Value::Bool(*b)),
        Json::Number(n) => n.as_i64().map(Value::Int),
        Json::String(t) => Some(Value::Text(t.clone())),
        Json::Array(items) => {
            items.iter().map(|item| of_json(item, p, known)).collect::<Option<Vec<_>>>().map(Value::List)
        }
        Json::Object(fields) => {
            let (key, inner) = fields.iter().next()?;
            match key.as_str() {
                "at" => Cursor::new(p, place_of_text(inner.as_str()?)?).ok().map(Value::Cursor),
                "proc" | "config" => (known.names)(inner.as_str()?),
                "version" => {
                    let number = usize::try_from(inner.as_u64()?).ok()?;
                    (known.version)(number).map(Value::Proc)
                }
                "named" => {
                    let items = inner.as_array()?.iter().map(|pair| {
                        let name = pair.get(0)?.as_str()?.to_owned();
                        Some((name, of_json(pair.get(1)?, p, known)?))
                    });
                    items.collect::<Option<Vec<_>>>().map(Value::Named)
                }
                _ => None,
            }
        }
    }
}

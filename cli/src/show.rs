//! Values as text and as JSON.

use rewright_semantics::ast::Proc;
use rewright_semantics::data::{DataDomain, Datum};
use rewright_semantics::store::{Store, Window};
use rewright_semantics::value::Val;
use serde_json::{Map, Value, json};

/// How many entries of a dimension text shows before and after `…`.
const EDGE: usize = 6;

/// What outlives a run: data arguments and configuration fields, by name.
pub(crate) fn results<D: DataDomain>(
    p: &Proc,
    args: &[Val<D::Value>],
    st: &Store<D::Value>,
) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    for (formal, actual) in p.args.iter().zip(args) {
        if let Val::Window(w) = actual {
            out.push((formal.name.to_string(), cells(st, w, &mut Vec::new())));
        }
    }
    for (key, value) in st.globals() {
        out.push((key.to_string(), scalar(value)));
    }
    out
}

fn cells<V: Clone + std::fmt::Display>(st: &Store<V>, w: &Window, at: &mut Vec<i64>) -> Value {
    let Some(dim) = w.dims.get(at.len()) else {
        return match st.read(w, at) {
            Some(Datum::Known(v)) => number(&v.to_string()),
            Some(Datum::Unknown) | None => Value::Null,
        };
    };
    let mut row = Vec::new();
    for i in 0..dim.extent {
        at.push(i);
        row.push(cells(st, w, at));
        at.pop();
    }
    Value::Array(row)
}

fn scalar<V: std::fmt::Display>(value: &Val<V>) -> Value {
    match value {
        Val::Int(n) => json!(n),
        Val::Bool(b) => json!(b),
        Val::Data(v) => number(&v.to_string()),
        Val::Window(_) | Val::Exceptional(_) => Value::Null,
    }
}

/// A JSON number where that is exact, else a string such as `1/3` or `2*x[0] + 1`.
fn number(text: &str) -> Value {
    if let Ok(n) = text.parse::<i64>() {
        return json!(n);
    }
    match text.parse::<f64>() {
        Ok(f) if f.is_finite() && !text.contains(['/', 'n']) => json!(f),
        _ => json!(text),
    }
}

/// `[[1, 2], [3, ⊥]]`, long dimensions cut short.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::Null => "⊥".to_owned(),
        Value::String(s) => s.clone(),
        Value::Bool(b) => if *b { "True" } else { "False" }.to_owned(),
        Value::Number(n) => n.to_string(),
        Value::Array(row) => {
            let show = |part: &[Value]| part.iter().map(text).collect::<Vec<_>>().join(", ");
            if row.len() <= 2 * EDGE {
                return format!("[{}]", show(row));
            }
            format!("[{}, …, {}]", show(&row[..EDGE]), show(&row[row.len() - EDGE..]))
        }
        Value::Object(_) => value.to_string(),
    }
}

/// Pairs as a JSON object.
pub(crate) fn object(pairs: Vec<(String, Value)>) -> Value {
    Value::Object(pairs.into_iter().collect::<Map<_, _>>())
}

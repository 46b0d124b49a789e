//! A specialised procedure behind the arguments of the general one, so that the two can be compared.

use rewright_primitives::registry::Value;
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::build::{block, boolean, call, eq, int, var};
use std::sync::Arc;

/// `def p(n, x): assert n == 8; new(x)`, where `values` says `n=8`.
pub(super) fn general(old: &Proc, new: &Arc<Proc>, values: Option<&Value>) -> Proc {
    let value = |k: usize, name: &str| match values {
        Some(Value::Named(named)) => named.iter().find(|(n, _)| n == name).map(|(_, v)| v),
        Some(Value::List(items)) => items.get(k),
        _ => None,
    };
    let (mut args, mut preds): (Vec<Expr>, Vec<Expr>) = (Vec::new(), old.preds.clone());
    for (k, arg) in old.args.iter().enumerate() {
        match value(k, arg.name.name().as_str()) {
            Some(Value::Bool(b)) => preds.push(eq(arg.name, boolean(*b))),
            Some(Value::Int(n)) => preds.push(eq(arg.name, int(*n))),
            Some(_) | None => args.push(var(arg.name)),
        }
    }
    Proc { preds, body: block([call(new, args)]), ..old.clone() }
}

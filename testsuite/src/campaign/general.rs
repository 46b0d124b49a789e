//! A specialised procedure behind the arguments of the general one, so that the two can be compared.

use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::build::{block, boolean, call, eq, int, var};
use std::sync::Arc;

/// `def p(n, x): assert n == 8; new(x)`, where `values` says `n=8`.
pub(super) fn general(old: &Proc, new: &Arc<Proc>, values: &str) -> Proc {
    let fixed: Vec<(&str, &str)> = values.split(", ").filter_map(|pair| pair.split_once('=')).collect();
    let value = |name: &str| fixed.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
    let (mut args, mut preds): (Vec<Expr>, Vec<Expr>) = (Vec::new(), old.preds.clone());
    for arg in &old.args {
        match value(arg.name.name().as_str()) {
            Some("True") => preds.push(eq(arg.name, boolean(true))),
            Some("False") => preds.push(eq(arg.name, boolean(false))),
            Some(number) => preds.push(eq(arg.name, int(number.parse().unwrap_or(0)))),
            None => args.push(var(arg.name)),
        }
    }
    Proc { preds, body: block([call(new, args)]), ..old.clone() }
}

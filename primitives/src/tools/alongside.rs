//! Running two versions beside each other: what stands for one of them where they take other arguments, and which
//! differences are no more than rounding. Spec: [rule: audit.compare].

use crate::registry::Value;
use rewright_semantics::ast::{self, Arg, Expr, StmtKind};
use rewright_semantics::build::{block, boolean, call, eq, int, var};
use rewright_semantics::equiv::Difference;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::ArgType;
use rewright_semantics::value::Val;
use std::fmt;
use std::sync::Arc;

/// A specialised procedure behind the arguments of the general one: `def p(n, x): assert n == 8; new(x)`, where
/// `values` says `n=8`.
pub fn general(old: &ast::Proc, new: &Arc<ast::Proc>, values: Option<&Value>) -> ast::Proc {
    let value = |k: usize, name: &str| match values {
        Some(Value::Named(named)) => named.iter().find(|(n, _)| n == name).map(|(_, v)| v),
        Some(Value::List(items)) => items.get(k),
        Some(
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Text(_)
            | Value::Cursor(_)
            | Value::Proc(_)
            | Value::Config(_),
        )
        | None => None,
    };
    let (mut args, mut preds): (Vec<Expr>, Vec<Expr>) = (Vec::new(), old.preds.clone());
    for (k, arg) in old.args.iter().enumerate() {
        match value(k, arg.name.name().as_str()) {
            Some(Value::Bool(b)) => preds.push(eq(arg.name, boolean(*b))),
            Some(Value::Int(n)) => preds.push(eq(arg.name, int(*n))),
            Some(
                Value::None
                | Value::Text(_)
                | Value::List(_)
                | Value::Cursor(_)
                | Value::Proc(_)
                | Value::Config(_)
                | Value::Named(_),
            )
            | None => args.push(var(arg.name)),
        }
    }
    ast::Proc { preds, body: block([call(new, args)]), ..old.clone() }
}

/// How many arguments and allocations of a procedure are of integers.
pub fn integers(p: &ast::Proc) -> usize {
    let arg = |a: &&Arg| matches!(&a.typ, ArgType::Data { typ, .. } if typ.elem.is_integer());
    let mut found = p.args.iter().filter(arg).count();
    each_stmt(&p.body, &mut |s| {
        found += usize::from(matches!(s.kind.as_ref(), StmtKind::Alloc { typ, .. } if typ.elem.is_integer()));
    });
    found
}

/// Whether two values differ only as floating-point numbers may that were rounded in another order.
pub fn is_rounding<V: fmt::Display>(difference: &Difference<V>) -> bool {
    let Difference::Values { at: _, old: Val::Data(old), new: Val::Data(new) } = difference else {
        return false;
    };
    // In the machine's domain; exact values print as fractions.
    let (Ok(old), Ok(new)) = (old.to_string().parse::<f64>(), new.to_string().parse::<f64>()) else {
        return false;
    };
    let whole = old.fract() == 0.0 && new.fract() == 0.0;
    !old.is_finite() || !new.is_finite() || (!whole && (old - new).abs() <= 1e-3 * old.abs().max(new.abs()))
}

//! Running two versions beside each other: what stands for one of them where they take other arguments, and which
//! differences are no more than rounding. Spec: [rule: audit.compare].

use crate::registry::Value;
use rewright_semantics::ast::{self, Arg, Expr, StmtKind};
use rewright_semantics::build::{block, boolean, call, eq, int, var};
use rewright_semantics::equiv::{Difference, Spot};
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ArgType, DataType};
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

/// Whether two values that versions of a procedure leave differ only as floating-point numbers may that were rounded in another
/// order. Whole numbers are exact as long as every floating type of the procedure holds them.
pub fn is_rounding<V: fmt::Display>(difference: &Difference<V>, old: &ast::Proc) -> bool {
    let Difference::Values { at, old: Val::Data(before), new: Val::Data(after) } = difference else {
        return false;
    };
    // In the machine's domain; exact values print as fractions.
    let (Ok(a), Ok(b)) = (before.to_string().parse::<f64>(), after.to_string().parse::<f64>()) else {
        return false;
    };
    if !a.is_finite() || !b.is_finite() {
        return true;
    }
    let largest = a.abs().max(b.abs());
    let whole = a.fract() == 0.0 && b.fract() == 0.0;
    let is_exact = whole && (largest < least_inexact(old) || !is_floating(old, at));
    !is_exact && (a - b).abs() <= 1e-3 * largest
}

/// The first power of two from which some floating type of a procedure does not hold every whole number.
fn least_inexact(p: &ast::Proc) -> f64 {
    let mut least = whole_below(DataType::F64);
    let mut see = |t: DataType| least = least.min(whole_below(t));
    for arg in &p.args {
        if let ArgType::Data { typ, .. } = &arg.typ {
            see(typ.elem);
        }
    }
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Alloc { typ, .. } = s.kind.as_ref() {
            see(typ.elem);
        }
    });
    least
}

/// Where a type stops to hold every whole number. `R` is computed with as `f32`, or finer.
fn whole_below(t: DataType) -> f64 {
    let digits = match t {
        DataType::BF16 => 8,
        DataType::F16 => 11,
        DataType::R | DataType::F32 => 24,
        DataType::F64 | DataType::I8 | DataType::UI8 | DataType::UI16 | DataType::I32 => 53,
    };
    f64::from(digits).exp2()
}

/// Whether a place is a cell of a floating type.
fn is_floating(p: &ast::Proc, at: &Spot) -> bool {
    match at {
        Spot::Cell { arg, index: _ } => p.args.iter().any(|a| {
            a.name.name() == *arg && matches!(&a.typ, ArgType::Data { typ, .. } if !typ.elem.is_integer())
        }),
        Spot::Field(_) => false,
    }
}

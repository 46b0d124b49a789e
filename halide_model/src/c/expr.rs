//! C expressions, with the parentheses that C needs and no others.

use super::names::Names;
use crate::expr::{End, Expr, Hole, Region, Var};
use crate::float::Precision;
use crate::int::Int;
use crate::op::Op;
use crate::typed::{Scalar, Width};
use crate::value::Value;
use rewright_base::sym::Name;

/// What the loops that copy the window are called.
pub(super) const ITEM: &str = "item";

/// How tightly an operand must bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Top,
    Or,
    And,
    Equal,
    Compare,
    Sum,
    Product,
    Unary,
}

/// An expression as an operand of this level.
pub(super) fn at(e: &Expr, level: Level, names: &mut Names<'_>) -> String {
    let (text, mine) = leveled(e, names);
    if mine < level { format!("({text})") } else { text }
}

/// A control expression as an operand of this level. Where it may leave the range of 64 bits, it is computed with checks.
pub(super) fn control(e: &Expr, level: Level, names: &mut Names<'_>) -> String {
    if names.may_overflow(e) { checked(e, level, names) } else { at(e, level, names) }
}

fn checked(e: &Expr, level: Level, names: &mut Names<'_>) -> String {
    let (op, args) = match e {
        Expr::Op(op, args) => (op, args),
        Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => return at(e, level, names),
    };
    let helper = match op {
        Op::Add => "checked_add",
        Op::Sub => "checked_sub",
        Op::Mul => "checked_mul",
        Op::Div => "checked_div",
        Op::Mod => "remainder_of",
        Op::Min => "least",
        Op::Max => "greatest",
        Op::Select => "pick",
        Op::Lt | Op::Gt | Op::Eq | Op::And | Op::Or | Op::Not => "",
    };
    let parts: Vec<String> = args.iter().map(|a| checked(a, Level::Unary, names)).collect();
    match (op, parts.as_slice()) {
        // Compilers warn of what is always true.
        (Op::Eq, [a, b]) if a == b => "1".to_owned(),
        (Op::Lt | Op::Gt, [a, b]) if a == b => "0".to_owned(),
        (Op::Lt, [a, b]) => format!("({a} < {b})"),
        (Op::Gt, [a, b]) => format!("({a} > {b})"),
        (Op::Eq, [a, b]) => format!("({a} == {b})"),
        (Op::And, [a, b]) => format!("({a} != 0 && {b} != 0)"),
        (Op::Or, [a, b]) => format!("({a} != 0 || {b} != 0)"),
        (Op::Not, [a]) => format!("({a} == 0)"),
        _ => format!("{helper}({})", parts.join(", ")),
    }
}

/// An expression as a condition. Compilers warn of a product, and of a constant, that stands for a truth value.
pub(super) fn condition(e: &Expr, level: Level, names: &mut Names<'_>) -> String {
    if names.may_overflow(e) {
        return checked(e, level, names);
    }
    if is_truth(e) {
        return at(e, level, names);
    }
    let text = format!("{} != 0", wide(e, Level::Sum, names));
    if Level::Equal < level { format!("({text})") } else { text }
}

/// Whether C computes it as 0 or 1.
fn is_truth(e: &Expr) -> bool {
    match e {
        Expr::Op(op, _) => op.is_truth(),
        Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => false,
    }
}

/// Whether its type in C may be `int`, too narrow to compute with.
fn is_narrow(e: &Expr) -> bool {
    match e {
        Expr::Const(Value::Int(_) | Value::Error(_)) => true,
        Expr::Const(Value::Float(_)) | Expr::Var(_) | Expr::Access(_) => false,
        Expr::Op(op, _) => op.is_truth(),
    }
}

/// An operand of an operation on 64 bits: compilers warn of comparisons with truth values.
fn wide(e: &Expr, level: Level, names: &mut Names<'_>) -> String {
    if is_truth(e) { format!("pick({}, 1, 0)", at(e, Level::Top, names)) } else { at(e, level, names) }
}

/// An operand of an operation in this precision: compilers warn of a division by the integer 0.
fn operand(e: &Expr, float: Option<Precision>, level: Level, names: &mut Names<'_>) -> String {
    let (Expr::Const(Value::Int(v)), Some(precision)) = (e, float) else { return at(e, level, names) };
    let suffix = match precision {
        Precision::Single => ".0f",
        Precision::Double => ".0",
    };
    let (text, mine) = literal(v);
    if text == "INT64_MIN" {
        return at(e, level, names);
    }
    if mine < level { format!("({text}{suffix})") } else { format!("{text}{suffix}") }
}

fn leveled(e: &Expr, names: &mut Names<'_>) -> (String, Level) {
    match e {
        Expr::Const(Value::Int(v)) => literal(v),
        Expr::Const(Value::Float(v)) if v.value().is_sign_negative() => (v.to_string(), Level::Sum),
        Expr::Const(Value::Float(v)) => (v.to_string(), Level::Unary),
        Expr::Const(Value::Error(_)) => ("0".to_owned(), Level::Unary),
        Expr::Var(v) => (names.of(*v), Level::Unary),
        Expr::Access(a) => {
            let text = place(a.func, &a.args, names);
            // C computes with narrow and with unsigned integers in their own way.
            let wide = match names.scalar(a.func) {
                Scalar::Integer | Scalar::Signed(Width::W64) | Scalar::Float(_) => text,
                Scalar::Signed(_) | Scalar::Unsigned(_) => format!("(int64_t){text}"),
            };
            (wide, Level::Unary)
        }
        Expr::Op(op, args) => operation(*op, args, names),
    }
}

/// A number, modulo 2^64: what does not fit wraps around, as all arithmetic of the unit does.
fn literal(v: &Int) -> (String, Level) {
    let digits = v.to_big().iter_u64_digits().next().unwrap_or(0);
    let v = if v.is_negative() { digits.wrapping_neg() } else { digits }.cast_signed();
    match v {
        i64::MIN => ("INT64_MIN".to_owned(), Level::Unary),
        v if v < 0 => (v.to_string(), Level::Sum),
        v => (v.to_string(), Level::Unary),
    }
}

fn operation(op: Op, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    let float = args.iter().filter_map(|e| precision(e, names)).max();
    let helper = |name: &str| match float {
        None => name.to_owned(),
        Some(Precision::Single) => format!("{name}_float"),
        Some(Precision::Double) => format!("{name}_double"),
    };
    match op {
        Op::Add => arithmetic("+", Level::Sum, Level::Product, args, names),
        Op::Sub => arithmetic("-", Level::Sum, Level::Product, args, names),
        Op::Mul => arithmetic("*", Level::Product, Level::Unary, args, names),
        Op::Lt => comparison("<", Level::Compare, args, names),
        Op::Gt => comparison(">", Level::Compare, args, names),
        Op::Eq => comparison("==", Level::Equal, args, names),
        Op::And => logic(Op::And, "&&", Level::And, args, names),
        Op::Or => logic(Op::Or, "||", Level::Or, args, names),
        Op::Not => match args {
            [e] if is_truth(e) => (format!("!{}", at(e, Level::Unary, names)), Level::Unary),
            [e] => (format!("{} == 0", wide(e, Level::Sum, names)), Level::Equal),
            _ => ("0".to_owned(), Level::Unary),
        },
        Op::Div if float.is_some() => arithmetic("/", Level::Product, Level::Unary, args, names),
        Op::Div => call("quotient", args, names),
        Op::Mod => call("remainder_of", args, names),
        Op::Min => call(&helper("least"), args, names),
        Op::Max => call(&helper("greatest"), args, names),
        Op::Select => call(&helper("pick"), args, names),
    }
}

/// Where both operands may be of type `int`, the first is made wide.
fn arithmetic(
    sign: &str,
    mine: Level,
    right: Level,
    args: &[Expr],
    names: &mut Names<'_>,
) -> (String, Level) {
    let narrow = args.iter().all(is_narrow);
    let float = args.iter().filter_map(|e| precision(e, names)).max();
    let parts = args.iter().enumerate().map(|(i, e)| match i {
        0 if narrow => format!("(int64_t){}", at(e, Level::Unary, names)),
        0 => operand(e, float, mine, names),
        _ => operand(e, float, right, names),
    });
    (parts.collect::<Vec<_>>().join(&format!(" {sign} ")), mine)
}

/// Compilers warn of chains, and of comparisons that are always true: those of an operand with itself, or of constants.
fn comparison(sign: &str, mine: Level, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    let parts: Vec<String> = args.iter().map(|e| wide(e, Level::Sum, names)).collect();
    let integers = args.iter().all(|e| precision(e, names).is_none());
    match parts.as_slice() {
        [a, b] if a == b && integers => (if sign == "==" { "1" } else { "0" }.to_owned(), Level::Unary),
        _ => (parts.join(&format!(" {sign} ")), mine),
    }
}

/// Compilers warn of `&&` inside `||` without parentheses.
fn logic(op: Op, sign: &str, mine: Level, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    let same = |e: &Expr| matches!(e, Expr::Op(inner, _) if *inner == op);
    let parts = args.iter().enumerate().map(|(i, e)| {
        let level = if i == 0 && same(e) { mine } else { Level::Equal };
        condition(e, level, names)
    });
    (parts.collect::<Vec<_>>().join(&format!(" {sign} ")), mine)
}

/// The precision of an expression's value; nothing for integers.
fn precision(e: &Expr, names: &Names<'_>) -> Option<Precision> {
    match e {
        Expr::Const(Value::Float(v)) => Some(v.precision),
        Expr::Const(Value::Int(_) | Value::Error(_)) | Expr::Var(_) => None,
        Expr::Access(a) => match names.scalar(a.func) {
            Scalar::Float(p) => Some(p),
            Scalar::Integer | Scalar::Signed(_) | Scalar::Unsigned(_) => None,
        },
        Expr::Op(op, _) if op.is_truth() => None,
        Expr::Op(_, args) => args.iter().filter_map(|e| precision(e, names)).max(),
    }
}

fn call(name: &str, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    let args: Vec<String> = args.iter().map(|e| at(e, Level::Top, names)).collect();
    (format!("{name}({})", args.join(", ")), Level::Unary)
}

/// A cell of an array. Where an index depends on a value that may have wrapped around, it is checked.
pub(super) fn place(f: Name, args: &[Expr], names: &mut Names<'_>) -> String {
    let mut distances = Vec::with_capacity(args.len());
    for (d, e) in args.iter().enumerate() {
        let doubtful = e.accesses().iter().any(|a| names.is_wrapped(a.func));
        let text = control(e, if doubtful { Level::Top } else { Level::Sum }, names);
        let [min, len] = ends(f, d, names);
        distances.push(if doubtful {
            format!("inside({text}, {min}, {len})")
        } else {
            format!("{text} - {min}")
        });
    }
    cell(f, &distances, names)
}

fn ends(f: Name, dim: usize, names: &mut Names<'_>) -> [String; 2] {
    [End::Min, End::Len].map(|end| names.of(Var::Hole(Hole { region: Region::Mem(f), dim, end })))
}

/// A cell of an array at these coordinates: `f[x - x_min + x_len * (y - y_min)]`.
pub(super) fn place_of(f: Name, point: &[String], names: &mut Names<'_>) -> String {
    let distances: Vec<String> =
        point.iter().enumerate().map(|(d, e)| format!("{e} - {}", ends(f, d, names)[0])).collect();
    cell(f, &distances, names)
}

/// A cell of an array this far from the first in each dimension.
fn cell(f: Name, distances: &[String], names: &mut Names<'_>) -> String {
    let array = names.array(f);
    let mut index = String::new();
    for (d, here) in distances.iter().enumerate().rev() {
        let [_, len] = ends(f, d, names);
        index = if index.is_empty() { here.clone() } else { format!("{here} + {len} * ({index})") };
    }
    if index.is_empty() { format!("{array}[0]") } else { format!("{array}[{index}]") }
}

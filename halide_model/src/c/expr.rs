//! C expressions, with the parentheses that C needs and no others.

use super::names::Names;
use crate::expr::{Expr, Hole, Region, Var};
use crate::float::Precision;
use crate::typed::{Scalar, Width};
use crate::value::{Op, Value};
use rewright_semantics::sym::Name;

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

fn leveled(e: &Expr, names: &mut Names<'_>) -> (String, Level) {
    match e {
        Expr::Const(Value::Int(v)) => match v.to_i64() {
            Some(v) if v == i64::MIN => ("INT64_MIN".to_owned(), Level::Unary),
            Some(v) if v < 0 => (v.to_string(), Level::Sum),
            // What does not fit wraps around, as all arithmetic of the unit does.
            _ => (v.to_string(), Level::Unary),
        },
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

fn operation(op: Op, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    let float = args.iter().filter_map(|e| precision(e, names)).max();
    let helper = |name: &str| match float {
        None => name.to_owned(),
        Some(Precision::Single) => format!("{name}_float"),
        Some(Precision::Double) => format!("{name}_double"),
    };
    let mut infix = |sign: &str, mine: Level, right: Level| {
        let parts: Vec<String> =
            args.iter().enumerate().map(|(i, e)| at(e, if i == 0 { mine } else { right }, names)).collect();
        (parts.join(&format!(" {sign} ")), mine)
    };
    match op {
        Op::Add => infix("+", Level::Sum, Level::Product),
        Op::Sub => infix("-", Level::Sum, Level::Product),
        Op::Mul => infix("*", Level::Product, Level::Unary),
        Op::Lt => infix("<", Level::Compare, Level::Sum),
        Op::Gt => infix(">", Level::Compare, Level::Sum),
        Op::Eq => infix("==", Level::Equal, Level::Compare),
        // Compilers warn of && inside || without parentheses.
        Op::And => infix("&&", Level::And, Level::Equal),
        Op::Or => infix("||", Level::Or, Level::Equal),
        Op::Not => {
            let inner = args.first().map_or_else(String::new, |e| at(e, Level::Unary, names));
            (format!("!{inner}"), Level::Unary)
        }
        Op::Div if float.is_some() => infix("/", Level::Product, Level::Unary),
        Op::Div => call("quotient", args, names),
        Op::Mod => call("remainder_of", args, names),
        Op::Min => call(&helper("least"), args, names),
        Op::Max => call(&helper("greatest"), args, names),
        Op::Select => call(&helper("pick"), args, names),
    }
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

/// A cell of an array.
pub(super) fn place(f: Name, args: &[Expr], names: &mut Names<'_>) -> String {
    let args: Vec<String> = args.iter().map(|e| at(e, Level::Sum, names)).collect();
    place_of(f, &args, names)
}

/// A cell of an array at these coordinates: `f[x - x_min + x_len * (y - y_min)]`.
pub(super) fn place_of(f: Name, point: &[String], names: &mut Names<'_>) -> String {
    let array = names.array(f);
    let mut index = String::new();
    for (d, e) in point.iter().enumerate().rev() {
        let hole = |end| Var::Hole(Hole { region: Region::Mem(f), dim: d, end });
        let (min, len) = (names.of(hole(crate::expr::End::Min)), names.of(hole(crate::expr::End::Len)));
        let here = format!("{e} - {min}");
        index = if index.is_empty() { here } else { format!("{here} + {len} * ({index})") };
    }
    if index.is_empty() { format!("{array}[0]") } else { format!("{array}[{index}]") }
}

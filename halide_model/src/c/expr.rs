//! C expressions, with the parentheses that C needs and no others.

mod exact;
mod math;

use super::c_type;
use super::names::Names;
use crate::expr::{End, Expr, Hole, Region, Var};
use crate::float::{Float, Precision};
use crate::int::Int;
use crate::op::{Bits, Op};
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
        Op::Bits(Bits::Shl) => "checked_shl",
        Op::Bits(Bits::Shr) => "shr",
        Op::Abs => "magnitude",
        Op::Cast(_) | Op::Math(_) | Op::Bits(Bits::And | Bits::Or | Bits::Xor) => "",
        Op::Tuple(_) | Op::Elem(_) => return at(e, level, names),
    };
    let unsigned = args.iter().any(|a| is_u64(a, names));
    match op {
        // The number itself is wanted, and not the signed one of the same bits.
        Op::Cast(Scalar::Integer) if unsigned => {
            let number = args.first().map_or_else(String::new, |a| at(a, Level::Top, names));
            return format!("checked_u64({number})");
        }
        // A cast, and what is compared of unsigned integers, is exact as it is.
        Op::Cast(scalar) if names.typed() && *scalar != Scalar::Integer => return at(e, level, names),
        Op::Lt | Op::Gt | Op::Eq if names.typed() && unsigned => return at(e, level, names),
        Op::Lt
        | Op::Gt
        | Op::Eq
        | Op::Cast(_)
        | Op::Bits(_)
        | Op::Abs
        | Op::Math(_)
        | Op::Tuple(_)
        | Op::Elem(_) => {}
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Or | Op::And | Op::Not => {}
        Op::Select | Op::Min | Op::Max => {}
    }
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
        (Op::Cast(scalar), [a]) => narrowed(*scalar, a),
        (Op::Bits(bits), [a, b]) if helper.is_empty() => format!("({a} {} {b})", bits.name()),
        (Op::Math(_), _) => at(e, level, names),
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
    if !exact::fits(e, false, names) {
        return format!("({} != 0)", exact::text(e, false, names));
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
        Expr::Const(Value::Int(_) | Value::Tuple(_) | Value::Error(_)) => true,
        Expr::Const(Value::Float(_)) | Expr::Var(_) | Expr::Access(_) => false,
        Expr::Op(Op::Cast(scalar), _) => is_short(*scalar),
        Expr::Op(op, _) => op.is_truth(),
    }
}

/// Whether C computes with the type in fewer than 64 bits.
fn is_short(scalar: Scalar) -> bool {
    match scalar {
        Scalar::Bool => true,
        Scalar::Signed(w) | Scalar::Unsigned(w) => w != Width::W64,
        Scalar::Integer | Scalar::Float(_) => false,
    }
}

/// An operand of an operation on 64 bits: compilers warn of comparisons with truth values.
fn wide(e: &Expr, level: Level, names: &mut Names<'_>) -> String {
    match e {
        Expr::Op(op, _) if op.is_truth() => format!("pick({}, 1, 0)", at(e, Level::Top, names)),
        Expr::Op(Op::Cast(scalar), _) if is_short(*scalar) => {
            format!("(int64_t){}", at(e, Level::Unary, names))
        }
        Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => at(e, level, names),
    }
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
        Expr::Const(Value::Float(v)) if v.value().is_sign_negative() => (float_literal(*v), Level::Sum),
        Expr::Const(Value::Float(v)) => (float_literal(*v), Level::Unary),
        Expr::Const(Value::Tuple(_) | Value::Error(_)) => ("0".to_owned(), Level::Unary),
        Expr::Var(v) => (names.of(*v), Level::Unary),
        Expr::Access(a) => {
            let text = place(a.func, 0, &a.args, names);
            (widened(names.scalar(a.func), text), Level::Unary)
        }
        Expr::Op(Op::Elem(k), args) => match (names.element(e), args.as_ref()) {
            (Some((f, _, of)), [Expr::Access(a)]) => {
                let text = place(f, *k, &a.args, names);
                (widened(of, text), Level::Unary)
            }
            _ => ("0".to_owned(), Level::Unary),
        },
        Expr::Op(op, args) => operation(*op, args, names),
    }
}

/// C computes with narrow and with unsigned integers in their own way.
fn widened(scalar: Scalar, text: String) -> String {
    match scalar {
        Scalar::Integer | Scalar::Signed(Width::W64) | Scalar::Float(_) => text,
        Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => format!("(int64_t){text}"),
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

/// A number of floating point, with the suffix of its precision.
fn float_literal(v: Float) -> String {
    let x = v.value();
    match v.precision {
        _ if x.is_nan() => "NAN".to_owned(),
        _ if x.is_infinite() => if x > 0.0 { "INFINITY" } else { "-INFINITY" }.to_owned(),
        Precision::Single => format!("{:?}f", crate::float::to_single(x)),
        Precision::Double => v.to_string(),
    }
}

fn operation(op: Op, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    let float = args.iter().filter_map(|e| precision(e, names)).max();
    let helper = |name: &str| match float {
        None => name.to_owned(),
        Some(Precision::Single) => format!("{name}_float"),
        Some(Precision::Double) => format!("{name}_double"),
    };
    if let Some(name) =
        compared(op).filter(|_| names.typed() && float.is_none() && !exact::alike(args, names))
    {
        return (exact::compared(name, args, names), Level::Unary);
    }
    if let Some(name) = unsigned(op).filter(|_| args.iter().any(|e| is_u64(e, names))) {
        return call(name, args, names);
    }
    match op {
        Op::Add => arithmetic("+", Level::Sum, Level::Product, args, names),
        Op::Sub => arithmetic("-", Level::Sum, Level::Product, args, names),
        Op::Mul => arithmetic("*", Level::Product, Level::Unary, args, names),
        Op::Cast(scalar) => cast(scalar, args, names),
        Op::Bits(bits) => self::bits(bits, args, names),
        Op::Abs => match float {
            None => call("magnitude", args, names),
            Some(Precision::Single) => call("fabsf", args, names),
            Some(Precision::Double) => call("fabs", args, names),
        },
        Op::Math(m) => math::function(m, args, float.unwrap_or(Precision::Single), names),
        Op::Mod if float.is_some() => call(&helper("remainder"), args, names),
        Op::Lt => comparison("<", Level::Compare, args, names),
        Op::Gt => comparison(">", Level::Compare, args, names),
        Op::Eq => comparison("==", Level::Equal, args, names),
        Op::And => logic(Op::And, "&&", Level::And, args, names),
        Op::Or => logic(Op::Or, "||", Level::Or, args, names),
        Op::Not => match args {
            [e] if is_truth(e) => (format!("!{}", at(e, Level::Unary, names)), Level::Unary),
            [e] if !exact::fits(e, false, names) => {
                (format!("{} == 0", exact::text(e, false, names)), Level::Equal)
            }
            [e] => (format!("{} == 0", wide(e, Level::Sum, names)), Level::Equal),
            _ => ("0".to_owned(), Level::Unary),
        },
        Op::Div if float.is_some() => arithmetic("/", Level::Product, Level::Unary, args, names),
        Op::Div => call("quotient", args, names),
        Op::Mod => call("remainder_of", args, names),
        Op::Min => call(&helper("least"), args, names),
        Op::Max => call(&helper("greatest"), args, names),
        Op::Select => call(&helper("pick"), args, names),
        // Values of several are stored one by one, and read by number.
        Op::Tuple(_) | Op::Elem(_) => ("0".to_owned(), Level::Unary),
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
    let always = match args {
        [a, b] => decided(sign, limits(a, names), limits(b, names)),
        _ => None,
    };
    match parts.as_slice() {
        _ if always.is_some() => (if always == Some(true) { "1" } else { "0" }.to_owned(), Level::Unary),
        [a, b] if a == b && integers => (if sign == "==" { "1" } else { "0" }.to_owned(), Level::Unary),
        _ => (parts.join(&format!(" {sign} ")), mine),
    }
}

/// What a comparison gives, where the types say it already.
fn decided(sign: &str, a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<bool> {
    let ((a, b), (c, d)) = (a?, b?);
    match sign {
        "<" if b < c => Some(true),
        "<" if a >= d => Some(false),
        ">" if a > d => Some(true),
        ">" if b <= c => Some(false),
        "==" if b < c || d < a => Some(false),
        _ => None,
    }
}

/// The least and the greatest value that C sees an expression to have; of those that are not typed it sees nothing.
fn limits(e: &Expr, names: &Names<'_>) -> Option<(i64, i64)> {
    let of = |s: Scalar| s.range().and_then(|(lo, hi)| Some((lo.to_i64()?, hi.to_i64()?)));
    match e {
        Expr::Const(Value::Int(v)) => v.to_i64().map(|v| (v, v)),
        Expr::Const(Value::Float(_) | Value::Tuple(_) | Value::Error(_)) | Expr::Var(_) => None,
        Expr::Access(a) => of(names.scalar(a.func)),
        Expr::Op(Op::Cast(Scalar::Integer), args) => args.first().and_then(|e| limits(e, names)),
        Expr::Op(Op::Cast(scalar), args) => {
            let whole = of(*scalar)?;
            let inner = args.first().and_then(|e| limits(e, names));
            Some(inner.filter(|(lo, hi)| whole.0 <= *lo && *hi <= whole.1).unwrap_or(whole))
        }
        Expr::Op(..) => None,
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
pub(super) fn precision(e: &Expr, names: &Names<'_>) -> Option<Precision> {
    match e {
        Expr::Const(Value::Float(v)) => Some(v.precision),
        Expr::Const(Value::Int(_) | Value::Tuple(_) | Value::Error(_)) | Expr::Var(_) => None,
        Expr::Access(a) => of_float(names.scalar(a.func)),
        Expr::Op(Op::Elem(_), _) => names.element(e).and_then(|(_, _, of)| of_float(of)),
        Expr::Op(op, _) if op.is_truth() => None,
        Expr::Op(Op::Cast(Scalar::Float(p)), _) => Some(*p),
        Expr::Op(Op::Cast(_), _) => None,
        Expr::Op(Op::Math(m), args) => m
            .is_float()
            .then(|| args.iter().filter_map(|e| precision(e, names)).max().unwrap_or(Precision::Single)),
        Expr::Op(_, args) => args.iter().filter_map(|e| precision(e, names)).max(),
    }
}

fn of_float(scalar: Scalar) -> Option<Precision> {
    match scalar {
        Scalar::Float(p) => Some(p),
        Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => None,
    }
}

/// Comparisons of 128 bits.
fn compared(op: Op) -> Option<&'static str> {
    match op {
        Op::Lt => Some("below_128"),
        Op::Gt => Some("above_128"),
        Op::Eq => Some("equal_128"),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select => None,
        Op::Or
        | Op::And
        | Op::Not
        | Op::Cast(_)
        | Op::Bits(_)
        | Op::Abs
        | Op::Math(_)
        | Op::Tuple(_)
        | Op::Elem(_) => None,
    }
}

/// What is another function on unsigned integers of 64 bits.
fn unsigned(op: Op) -> Option<&'static str> {
    match op {
        Op::Div => Some("quotient_u64"),
        Op::Mod => Some("remainder_u64"),
        Op::Min => Some("least_u64"),
        Op::Max => Some("greatest_u64"),
        Op::Gt => Some("above_u64"),
        Op::Lt => Some("below_u64"),
        Op::Add | Op::Sub | Op::Mul | Op::Or | Op::And | Op::Not | Op::Eq | Op::Select => None,
        Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => None,
    }
}

/// Whether it is an unsigned integer of 64 bits: it is kept as the signed one of the same bits.
fn is_u64(e: &Expr, names: &Names<'_>) -> bool {
    const U64: Scalar = Scalar::Unsigned(Width::W64);
    match e {
        Expr::Const(_) | Expr::Var(_) => false,
        Expr::Access(a) => names.scalar(a.func) == U64,
        Expr::Op(op, args) => match op {
            Op::Cast(scalar) => *scalar == U64,
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Bits(_) => {
                args.iter().any(|e| is_u64(e, names))
            }
            Op::Select => args.iter().skip(1).any(|e| is_u64(e, names)),
            Op::Elem(_) => names.element(e).is_some_and(|(_, _, of)| of == U64),
            Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => false,
            Op::Abs | Op::Math(_) | Op::Tuple(_) => false,
        },
    }
}

/// A value as it is stored.
pub(super) fn stored(scalar: Scalar, value: &Expr, names: &mut Names<'_>) -> String {
    match (scalar, value) {
        (Scalar::Integer, _) if !exact::fits(value, true, names) => {
            format!("(int64_t){}", exact::text(value, true, names))
        }
        (Scalar::Integer, _) => at(value, Level::Top, names),
        (Scalar::Unsigned(Width::W64), _) => {
            format!("(uint64_t){}", cast(scalar, std::slice::from_ref(value), names).0)
        }
        // The cast is that of the store.
        (_, Expr::Op(Op::Cast(s), args)) if *s == scalar => cast(scalar, args, names).0,
        (Scalar::Bool, _) => cast(scalar, std::slice::from_ref(value), names).0,
        (Scalar::Signed(_) | Scalar::Unsigned(_) | Scalar::Float(_), _) => {
            format!("({})({})", c_type(scalar), at(value, Level::Top, names))
        }
    }
}

/// A value made to fit a type.
fn cast(scalar: Scalar, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    let [e] = args else { return ("0".to_owned(), Level::Unary) };
    let (unsigned, float) = (is_u64(e, names), precision(e, names));
    let text = if float.is_some() && !scalar.is_float() {
        format!("truncated({})", at(e, Level::Top, names))
    } else if !exact::fits(e, !scalar.is_float(), names) {
        exact::text(e, !scalar.is_float(), names)
    } else {
        wide(e, Level::Unary, names)
    };
    match scalar {
        Scalar::Float(_) if unsigned && exact::fits(e, false, names) => {
            (format!("({})(uint64_t){text}", c_type(scalar)), Level::Unary)
        }
        Scalar::Float(_) => (format!("({}){text}", c_type(scalar)), Level::Unary),
        Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => {
            (narrowed(scalar, &text), Level::Unary)
        }
    }
}

/// An integer made to fit a type of integers.
fn narrowed(scalar: Scalar, text: &str) -> String {
    match scalar {
        Scalar::Bool => format!("(uint8_t)({text} & 1)"),
        Scalar::Integer | Scalar::Signed(Width::W64) | Scalar::Unsigned(Width::W64) => {
            format!("(int64_t){text}")
        }
        Scalar::Signed(_) | Scalar::Unsigned(_) | Scalar::Float(_) => format!("({}){text}", c_type(scalar)),
    }
}

/// Compilers warn of operations on bits among others without parentheses.
fn bits(bits: Bits, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    match (bits, args) {
        (Bits::And | Bits::Or | Bits::Xor, [a, b]) => {
            let (a, b) = (wide(a, Level::Unary, names), wide(b, Level::Unary, names));
            (format!("({a} {} {b})", bits.name()), Level::Unary)
        }
        (Bits::Shl, _) => {
            call(if args.iter().take(1).any(|e| is_u64(e, names)) { "shl_u64" } else { "shl" }, args, names)
        }
        (Bits::Shr, _) => {
            call(if args.iter().take(1).any(|e| is_u64(e, names)) { "shr_u64" } else { "shr" }, args, names)
        }
        (Bits::And | Bits::Or | Bits::Xor, _) => ("0".to_owned(), Level::Unary),
    }
}

fn call(name: &str, args: &[Expr], names: &mut Names<'_>) -> (String, Level) {
    let args: Vec<String> = args.iter().map(|e| at(e, Level::Top, names)).collect();
    (format!("{name}({})", args.join(", ")), Level::Unary)
}

/// A cell of the array of value `k`. Where an index depends on a value that may have wrapped around, it is checked.
pub(super) fn place(f: Name, k: usize, args: &[Expr], names: &mut Names<'_>) -> String {
    let mut distances = Vec::with_capacity(args.len());
    for (d, e) in args.iter().enumerate() {
        let doubtful = e.accesses().iter().any(|a| names.is_wrapped(a.func));
        // Any number has a place on a circle: nothing would tell one that wrapped around.
        if let Some(n) = names.circle(f, d) {
            if doubtful {
                names.doubtful_circle();
            }
            distances.push(format!("remainder_of({}, {n})", control(e, Level::Top, names)));
            continue;
        }
        let text = control(e, if doubtful { Level::Top } else { Level::Sum }, names);
        let [min, len] = ends(f, d, names);
        distances.push(if doubtful {
            format!("inside({text}, {min}, {len})")
        } else {
            format!("{text} - {min}")
        });
    }
    cell(f, k, &distances, names)
}

fn ends(f: Name, dim: usize, names: &mut Names<'_>) -> [String; 2] {
    if names.is_input(f) {
        let of = names.box_of(f);
        return [2 * dim, 2 * dim + 1].map(|i| format!("{of}[{i}]"));
    }
    [End::Min, End::Len].map(|end| names.of(Var::Hole(Hole { region: Region::Mem(f), dim, end })))
}

/// A cell of an array at these coordinates: `f[x - x_min + x_len * (y - y_min)]`.
pub(super) fn place_of(f: Name, k: usize, point: &[String], names: &mut Names<'_>) -> String {
    let distances: Vec<String> =
        point.iter().enumerate().map(|(d, e)| format!("{e} - {}", ends(f, d, names)[0])).collect();
    cell(f, k, &distances, names)
}

/// A cell of an array this far from the first in each dimension.
fn cell(f: Name, k: usize, distances: &[String], names: &mut Names<'_>) -> String {
    let array = names.array(f, k);
    let mut index = String::new();
    for (d, here) in distances.iter().enumerate().rev() {
        let [_, len] = ends(f, d, names);
        let len = names.circle(f, d).map_or(len, |n| n.to_string());
        index = if index.is_empty() { here.clone() } else { format!("{here} + {len} * ({index})") };
    }
    if index.is_empty() { format!("{array}[0]") } else { format!("{array}[{index}]") }
}

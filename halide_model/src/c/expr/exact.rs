//! Numbers of typed programs that 64 bits do not hold: exact operations between values and the cast that makes the result
//! fit. They are computed in 128 bits, and only where 64 do not do. Spec: [rule: halide.c-exact].

use super::super::names::Names;
use super::super::value_range::{ValueRange, operation};
use super::{Level, at, is_u64, precision};
use crate::bounds::float_range;
use crate::expr::Expr;
use crate::int::FARTHEST_SHIFT;
use crate::int::Int;
use crate::op::math::Math;
use crate::op::{Bits, Op};
use crate::typed::{Scalar, Width};
use crate::value::Value;
use num_traits::ToPrimitive;

/// Unsigned integers of 64 bits.
const U64: ValueRange = ValueRange { lo: 0, hi: (1 << 64) - 1 };

/// Whether an expression can be computed in 64 bits: every part of it that is no value of its own fits.
///
/// `ring`: the result is wanted modulo 2^64 only. An unsigned integer of 64 bits is fine: it is kept as the signed one of
/// the same bits, and those who use it look. Untyped programs compute modulo 2^64 everywhere.
pub(super) fn fits(e: &Expr, ring: bool, names: &Names<'_>) -> bool {
    let Expr::Op(op, args) = e else { return ring || within_word(e, names) || is_u64(e, names) };
    if !names.typed() || precision(e, names).is_some() {
        return true;
    }
    let all = |ring: bool| args.iter().all(|a| fits(a, ring, names));
    let enough = || ring || within_word(e, names);
    match op {
        // What is cast, and what is compared, is looked at when that is written.
        Op::Cast(Scalar::Integer) => all(ring) && (ring || args.iter().all(|a| !is_u64(a, names))),
        Op::Cast(_) | Op::Lt | Op::Gt | Op::Eq | Op::Or | Op::And | Op::Not => true,
        Op::Add | Op::Sub | Op::Mul => {
            all(ring) && (ring || !args.iter().any(|a| is_u64(a, names))) && enough()
        }
        Op::Div | Op::Mod | Op::Min | Op::Max => alike(args, names) && (is_u64(e, names) || enough()),
        Op::Abs => alike(args, names) && !args.iter().any(|a| is_u64(a, names)) && enough(),
        Op::Select => {
            let arms = args.get(1..).unwrap_or_default();
            if ring { arms.iter().all(|a| fits(a, true, names)) } else { alike(arms, names) }
        }
        Op::Bits(Bits::And | Bits::Or | Bits::Xor) => {
            if ring {
                all(true)
            } else {
                alike(args, names) && (is_u64(e, names) || enough())
            }
        }
        Op::Bits(Bits::Shl | Bits::Shr) => {
            let amount = args.iter().skip(1).all(|a| within_word(a, names) && !is_u64(a, names));
            all(false) && amount && (enough() || is_u64(e, names) && reach(e, names).within(U64))
        }
        Op::Math(Math::Truncate) => enough(),
        Op::Math(_) | Op::Tuple(_) => true,
        Op::Elem(_) => ring || is_u64(e, names) || enough(),
    }
}

/// Whether operands can be computed in 64 bits, and are all signed or all not below zero where one is unsigned.
pub(super) fn alike(args: &[Expr], names: &Names<'_>) -> bool {
    let unsigned = args.iter().any(|e| is_u64(e, names));
    args.iter().all(|e| match e {
        Expr::Const(_) if unsigned => reach(e, names).within(U64),
        Expr::Const(_) | Expr::Var(_) | Expr::Access(_) | Expr::Op(..) => {
            fits(e, false, names) && (!unsigned || is_u64(e, names) || reach(e, names).lo >= 0)
        }
    })
}

fn within_word(e: &Expr, names: &Names<'_>) -> bool {
    reach(e, names).fits()
}

/// The values that an expression can have, in ℤ.
fn reach(e: &Expr, names: &Names<'_>) -> ValueRange {
    let Expr::Op(op, args) = e else {
        return match e {
            Expr::Const(Value::Int(v)) => around(v),
            Expr::Access(a) => of_type(names.scalar(a.func)),
            Expr::Var(v) => names.reach_of(*v),
            Expr::Const(_) | Expr::Op(..) => ValueRange::WORD,
        };
    };
    let parts = |i: usize| args.get(i).map_or(ValueRange::WORD, |a| reach(a, names));
    let all = || operation(*op, &args.iter().map(|a| reach(a, names)).collect::<Vec<_>>());
    match op {
        Op::Cast(Scalar::Integer) => parts(0),
        Op::Cast(to @ (Scalar::Signed(Width::W64) | Scalar::Unsigned(Width::W64))) => {
            let (all, value) = (of_type(*to), parts(0));
            if value.within(all) { value } else { all }
        }
        Op::Cast(to) => of_type(*to),
        Op::Bits(Bits::Shl) => shifted(parts(0), parts(1)),
        Op::Bits(Bits::Shr) => shifted(parts(0), ValueRange::new(-parts(1).hi, -parts(1).lo)),
        Op::Bits(Bits::And | Bits::Or | Bits::Xor) => bitwise(parts(0), parts(1)),
        Op::Math(Math::Truncate) => match args.first().map(float_range::truncated) {
            Some(Some((lo, hi))) => ValueRange::new(lo.into(), hi.into()),
            Some(None) | None => ValueRange::WORD.hull(U64),
        },
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select | Op::Abs => all(),
        Op::Elem(_) => names.element(e).map_or(ValueRange::WORD, |(_, _, of)| of_type(of)),
        Op::Lt | Op::Gt | Op::Eq | Op::Or | Op::And | Op::Not | Op::Math(_) | Op::Tuple(_) => all(),
    }
}

fn around(v: &Int) -> ValueRange {
    let far = if v.is_negative() { i128::MIN } else { i128::MAX };
    let v = v.to_big().to_i128().unwrap_or(far);
    ValueRange::new(v, v)
}

fn of_type(s: Scalar) -> ValueRange {
    s.range().map_or(ValueRange::WORD, |(lo, hi)| around(&lo).hull(around(&hi)))
}

/// Times 2 to the power of the second, rounded down.
fn shifted(a: ValueRange, b: ValueRange) -> ValueRange {
    let most = i128::from(FARTHEST_SHIFT);
    let end = |v: i128, by: i128| {
        let by = by.clamp(-most, most);
        let power = 1_i128.checked_shl(u32::try_from(by.unsigned_abs()).unwrap_or(0)).unwrap_or(1);
        if by >= 0 { v.saturating_mul(power) } else { v.div_euclid(power) }
    };
    let ends = [end(a.lo, b.lo), end(a.lo, b.hi), end(a.hi, b.lo), end(a.hi, b.hi)];
    ends.into_iter().map(|v| ValueRange::new(v, v)).reduce(ValueRange::hull).unwrap_or(ValueRange::ANY)
}

/// No more bits than those of the operands.
fn bitwise(a: ValueRange, b: ValueRange) -> ValueRange {
    let most = a.hull(b);
    let size = most.lo.unsigned_abs().max(most.hi.unsigned_abs().saturating_add(1)).next_power_of_two();
    let size = i128::try_from(size).unwrap_or(i128::MAX);
    ValueRange::new(if most.lo < 0 { -size } else { 0 }, size - 1)
}

/// An expression of integers in 128 bits, in parentheses. `ring`: its low bits are all that is wanted.
pub(super) fn text(e: &Expr, ring: bool, names: &mut Names<'_>) -> String {
    if !matches!(e, Expr::Const(_)) && fits(e, false, names) {
        let unsigned = if is_u64(e, names) { "(uint64_t)" } else { "" };
        return format!("(int128){unsigned}{}", at(e, Level::Unary, names));
    }
    let (op, args) = match e {
        Expr::Op(op, args) => (op, args),
        Expr::Const(Value::Int(v)) => return literal(v, names),
        Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => {
            return format!("(int128){}", at(e, Level::Unary, names));
        }
    };
    if !ring && !reach(e, names).near() {
        names.too_wide();
    }
    match op {
        Op::Cast(_) => args.first().map_or_else(String::new, |a| text(a, ring, names)),
        Op::Add => infix("+", args, ring, names),
        Op::Sub => infix("-", args, ring, names),
        Op::Mul => infix("*", args, ring, names),
        Op::Bits(bits @ (Bits::And | Bits::Or | Bits::Xor)) => infix(bits.name(), args, ring, names),
        Op::Div => call("quotient_128", args, names),
        Op::Mod => call("remainder_128", args, names),
        Op::Min => call("least_128", args, names),
        Op::Max => call("greatest_128", args, names),
        Op::Abs => call("magnitude_128", args, names),
        Op::Bits(Bits::Shl) => call("shl_128", args, names),
        Op::Bits(Bits::Shr) => call("shr_128", args, names),
        Op::Math(Math::Truncate) => {
            let number = args.first().map_or_else(String::new, |a| at(a, Level::Top, names));
            format!("truncated_128({number})")
        }
        Op::Select => match args.as_ref() {
            [c, a, b] => {
                let c = super::condition(c, Level::Top, names);
                format!("(({c}) ? {} : {})", text(a, ring, names), text(b, ring, names))
            }
            _ => "0".to_owned(),
        },
        Op::Lt | Op::Gt | Op::Eq | Op::Or | Op::And | Op::Not | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => {
            format!("(int128){}", at(e, Level::Unary, names))
        }
    }
}

fn infix(sign: &str, args: &[Expr], ring: bool, names: &mut Names<'_>) -> String {
    let parts: Vec<String> = args.iter().map(|a| text(a, ring, names)).collect();
    format!("({})", parts.join(&format!(" {sign} ")))
}

fn call(name: &str, args: &[Expr], names: &mut Names<'_>) -> String {
    let parts: Vec<String> = args.iter().map(|a| text(a, false, names)).collect();
    format!("{name}({})", parts.join(", "))
}

fn literal(v: &Int, names: &mut Names<'_>) -> String {
    if !around(v).near() {
        names.too_wide();
    }
    let size = v.abs().to_big();
    let mut digits = size.iter_u64_digits();
    let (low, high) = (digits.next().unwrap_or(0), digits.next().unwrap_or(0));
    let size = match high {
        0 => format!("(int128){low}u"),
        _ => format!("((int128){high} << 64 | (int128){low}u)"),
    };
    if v.is_negative() { format!("(-{size})") } else { size }
}

/// A comparison, where its operands do not have 64 bits. Compilers warn of what is always true: it is a function.
pub(super) fn compared(name: &str, args: &[Expr], names: &mut Names<'_>) -> String {
    call(name, args, names)
}

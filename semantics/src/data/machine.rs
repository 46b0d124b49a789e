//! The domain Machine: what the generated C computes. Spec: [rule: data.machine].
//!
//! - `bf16`: each operation in `f32`, and its result rounded to `bf16`.
//! - `f16`, `f32`, `f64`: IEEE arithmetic, rounded to the precision after each operation; `R` is `f32`.
//! - `i8`, `ui8`, `ui16`, `i32`: promoted to `int` (32 bits) and computed there, wrapping; cut down to the
//!   type only when written.
//! - Operands of two precisions follow C's usual arithmetic conversions.
//! - Where C has no defined result (an integer quotient by zero, a float outside the integer's range)
//!   the value is ⊥.

use crate::ast::Decimal;
use crate::data::{Arith, Comparison, DataDomain, Datum};
use crate::externs::Extern;
use crate::sym::Name;
use crate::types::DataType;
use half::{bf16, f16};
use num_bigint::BigInt;
use num_traits::{AsPrimitive, Float, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Sub};

/// The domain.
#[derive(Clone, Copy, Debug)]
pub struct MachineDomain;

/// A C value of arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Machine {
    /// `_Float16`.
    F16(f16),
    /// A `float` that has 8 significant bits.
    BF16(bf16),
    /// `float`.
    F32(f32),
    /// `double`.
    F64(f64),
    /// `int`: also what the narrower integers are promoted to.
    Int(i32),
}

impl Machine {
    /// The nearest `double`; exact for all types.
    pub fn to_f64(self) -> f64 {
        match self {
            Machine::F16(x) => x.to_f64(),
            Machine::BF16(x) => x.to_f64(),
            Machine::F32(x) => f64::from(x),
            Machine::F64(x) => x,
            Machine::Int(x) => f64::from(x),
        }
    }

    fn to_f32(self) -> f32 {
        match self {
            Machine::F16(x) => x.to_f32(),
            Machine::BF16(x) => x.to_f32(),
            Machine::F32(x) => x,
            Machine::F64(x) => x.as_(),
            Machine::Int(x) => x.as_(),
        }
    }

    fn to_f16(self) -> f16 {
        match self {
            Machine::F16(x) => x,
            Machine::F32(x) => f16::from_f32(x),
            Machine::BF16(x) => f16::from_f32(x.to_f32()),
            // Directly from the double: through a float it would be rounded twice.
            Machine::F64(_) | Machine::Int(_) => half_of(self.to_f64()),
        }
    }

    fn to_bf16(self) -> bf16 {
        match self {
            Machine::BF16(x) => x,
            Machine::F16(_) | Machine::F32(_) => bf16::from_f32(self.to_f32()),
            Machine::F64(_) | Machine::Int(_) => bfloat_of(self.to_f64()),
        }
    }

    /// C's conversion to an integer type of the given range: floats are truncated and must then lie in
    /// range; integers wrap.
    fn to_integer(self, truncate: fn(f64) -> Option<i32>, wrap: fn(i32) -> i32) -> Datum<Machine> {
        let value = match self {
            Machine::Int(x) => Some(wrap(x)),
            Machine::F16(_) | Machine::BF16(_) | Machine::F32(_) | Machine::F64(_) => truncate(self.to_f64()),
        };
        value.map_or(Datum::Unknown, |x| Datum::Known(Machine::Int(x)))
    }

    /// The value as a cell of this type holds it.
    pub fn cast(self, typ: DataType) -> Datum<Machine> {
        match typ {
            DataType::R | DataType::F32 => Datum::Known(Machine::F32(self.to_f32())),
            DataType::F16 => Datum::Known(Machine::F16(self.to_f16())),
            DataType::BF16 => Datum::Known(Machine::BF16(self.to_bf16())),
            DataType::F64 => Datum::Known(Machine::F64(self.to_f64())),
            DataType::I8 => {
                self.to_integer(|x| x.to_i8().map(i32::from), |x| i32::from(AsPrimitive::<i8>::as_(x)))
            }
            DataType::UI8 => {
                self.to_integer(|x| x.to_u8().map(i32::from), |x| i32::from(AsPrimitive::<u8>::as_(x)))
            }
            DataType::UI16 => {
                self.to_integer(|x| x.to_u16().map(i32::from), |x| i32::from(AsPrimitive::<u16>::as_(x)))
            }
            DataType::I32 => self.to_integer(|x| x.to_i32(), |x| x),
        }
    }

    /// A literal, as it stands in an expression of this precision: the nearest value of the type. An
    /// integer precision takes the literal's integer part.
    pub fn literal(decimal: &Decimal, typ: DataType) -> Machine {
        let text = decimal.scientific();
        let single = || text.parse().map_or(Machine::F32(f32::NAN), Machine::F32);
        match typ {
            DataType::R | DataType::F32 => single(),
            DataType::F16 => Machine::F16(half_of_decimal(decimal)),
            DataType::BF16 => Machine::BF16(bfloat_of_decimal(decimal)),
            DataType::F64 => Machine::F64(decimal.to_f64()),
            DataType::I8 | DataType::UI8 | DataType::UI16 | DataType::I32 => {
                Machine::Int(decimal.to_f64().to_i32().unwrap_or(0))
            }
        }
    }
}

/// The nearest `_Float16`. (`f16::from_f64` rounds to `float` first, or forgets the last 32 bits.)
fn half_of(x: f64) -> f16 {
    f16::from_f32(to_odd(x))
}

/// The nearest `bf16`.
fn bfloat_of(x: f64) -> bf16 {
    bf16::from_f32(to_odd(x))
}

/// A `float` rounded to odd: the last bit says that something was left out, so that a second rounding sees no false middle.
fn to_odd(x: f64) -> f32 {
    let nearest: f32 = x.as_();
    let back = f64::from(nearest);
    if back == x || !nearest.is_finite() || x.is_nan() {
        return nearest;
    }
    let towards_zero = if back.abs() > x.abs() { nearest.to_bits() - 1 } else { nearest.to_bits() };
    f32::from_bits(towards_zero | 1)
}

/// The `_Float16` that is nearest to a decimal number.
pub fn half_of_decimal(d: &Decimal) -> f16 {
    let nearest = d.to_f64();
    // Beyond these every `double` and every number near it round to the same half.
    half_of(if (1e-9..1e6).contains(&nearest.abs()) { decimal_to_odd(d, nearest) } else { nearest })
}

/// The `bf16` that is nearest to a decimal number.
pub fn bfloat_of_decimal(d: &Decimal) -> bf16 {
    let nearest = d.to_f64();
    // As above.
    bfloat_of(if (1e-42..1e40).contains(&nearest.abs()) { decimal_to_odd(d, nearest) } else { nearest })
}

/// A decimal number rounded to odd, from the nearest `double`.
fn decimal_to_odd(d: &Decimal, nearest: f64) -> f64 {
    let (m, e, _) = Float::integer_decode(nearest);
    let power = |base: u8, by: i32| BigInt::from(base).pow(u32::try_from(by).unwrap_or(0));
    let (ten, two) = (d.exponent(), i32::from(e));
    let given = d.mantissa().abs() * power(10, ten) * power(2, -two);
    let found = BigInt::from(m) * power(2, two) * power(10, -ten);
    let odd = |bits: u64| f64::from_bits(bits | 1);
    match found.cmp(&given) {
        Ordering::Less => odd(nearest.to_bits()),
        Ordering::Greater => odd(nearest.to_bits() - 1),
        Ordering::Equal => nearest,
    }
}

/// Two operands brought to one type. C11 6.3.1.8 (usual arithmetic conversions).
enum Pair {
    F16(f16, f16),
    BF16(bf16, bf16),
    F32(f32, f32),
    F64(f64, f64),
    Int(i32, i32),
}

fn converted(a: Machine, b: Machine) -> Pair {
    match (a, b) {
        (Machine::F64(_), _) | (_, Machine::F64(_)) => Pair::F64(a.to_f64(), b.to_f64()),
        (Machine::F32(_), _) | (_, Machine::F32(_)) => Pair::F32(a.to_f32(), b.to_f32()),
        // Neither holds the other.
        (Machine::F16(_), Machine::BF16(_)) | (Machine::BF16(_), Machine::F16(_)) => {
            Pair::F32(a.to_f32(), b.to_f32())
        }
        (Machine::BF16(_), _) | (_, Machine::BF16(_)) => Pair::BF16(a.to_bf16(), b.to_bf16()),
        (Machine::F16(_), _) | (_, Machine::F16(_)) => Pair::F16(a.to_f16(), b.to_f16()),
        (Machine::Int(a), Machine::Int(b)) => Pair::Int(a, b),
    }
}

fn float_arith<T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>>(
    op: Arith,
    a: T,
    b: T,
) -> T {
    match op {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        Arith::Mul => a * b,
        Arith::Div => a / b,
    }
}

/// Integer arithmetic wraps; division truncates and is ⊥ where C's is undefined.
fn int_arith(op: Arith, a: i32, b: i32) -> Datum<Machine> {
    let result = match op {
        Arith::Add => Some(a.wrapping_add(b)),
        Arith::Sub => Some(a.wrapping_sub(b)),
        Arith::Mul => Some(a.wrapping_mul(b)),
        Arith::Div => a.checked_div(b),
    };
    result.map_or(Datum::Unknown, |x| Datum::Known(Machine::Int(x)))
}

fn less(a: Machine, b: Machine) -> bool {
    match converted(a, b) {
        Pair::F16(a, b) => a < b,
        Pair::BF16(a, b) => a < b,
        Pair::F32(a, b) => a < b,
        Pair::F64(a, b) => a < b,
        Pair::Int(a, b) => a < b,
    }
}

/// A function of the C library: of `float` on floats, of `double` on doubles and, for want of another,
/// on integers. On `_Float16` and `bf16` the `float` function, rounded.
fn library(x: Machine, single: fn(f32) -> f32, double: fn(f64) -> f64) -> Machine {
    match x {
        Machine::F16(x) => Machine::F16(f16::from_f32(single(x.to_f32()))),
        Machine::BF16(x) => Machine::BF16(bf16::from_f32(single(x.to_f32()))),
        Machine::F32(x) => Machine::F32(single(x)),
        Machine::F64(x) => Machine::F64(double(x)),
        Machine::Int(x) => Machine::F64(double(f64::from(x))),
    }
}

/// The other operand when one is not a number, as `fmax` and `fmin` have it.
fn extreme(x: Machine, y: Machine, smaller: bool) -> Machine {
    let take_first = if smaller { less(x, y) } else { less(y, x) };
    let first = if x.to_f64().is_nan() { false } else { take_first || y.to_f64().is_nan() };
    let picked = if first { x } else { y };
    match converted(x, y) {
        Pair::F16(..) => Machine::F16(picked.to_f16()),
        Pair::BF16(..) => Machine::BF16(picked.to_bf16()),
        Pair::F32(..) => Machine::F32(picked.to_f32()),
        Pair::F64(..) => Machine::F64(picked.to_f64()),
        Pair::Int(..) => picked,
    }
}

/// `a * b + c`, rounded once: `fma` of doubles, `fmaf` of floats and, rounded again, of `_Float16` and `bf16`.
fn fma(a: Machine, b: Machine, c: Machine) -> Machine {
    match (converted(a, b), converted(b, c), converted(c, a)) {
        (Pair::Int(a, b), Pair::Int(_, c), Pair::Int(..)) => Machine::Int(a.wrapping_mul(b).wrapping_add(c)),
        (Pair::F64(..), ..) | (_, Pair::F64(..), _) => {
            Machine::F64(a.to_f64().mul_add(b.to_f64(), c.to_f64()))
        }
        (Pair::F32(..), ..) | (_, Pair::F32(..), _) => {
            Machine::F32(a.to_f32().mul_add(b.to_f32(), c.to_f32()))
        }
        (Pair::BF16(..), ..) | (_, Pair::BF16(..), _) => {
            Machine::BF16(bf16::from_f32(a.to_f32().mul_add(b.to_f32(), c.to_f32())))
        }
        (Pair::F16(..) | Pair::Int(..), ..) => {
            Machine::F16(f16::from_f32(a.to_f32().mul_add(b.to_f32(), c.to_f32())))
        }
    }
}

/// A `float` whose denormals are zeros.
fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0.0_f32.copysign(x) } else { x }
}

/// `a * b + c` in `f32`, rounded once, denormals being zeros; the result in the precision of the arguments. A result is
/// denormal if it is when rounded to 24 bits: what is rounded up to the least normal number because denormals have fewer bits
/// is so, too.
fn fma_ftz(a: Machine, b: Machine, c: Machine) -> Machine {
    let [x, y, z] = [a, b, c].map(|x| flushed(x.to_f32()));
    let sum = x.mul_add(y, z);
    let sum = if sum.abs() == f32::MIN_POSITIVE && z.abs() < 1e-27 {
        // Then one factor is small as well: 2^32 times all this, which has the bits.
        let scale = 4_294_967_296.0_f32;
        let (x, y) = if x.abs() < y.abs() { (x * scale, y) } else { (x, y * scale) };
        let scaled = x.mul_add(y, z * scale);
        if scaled.abs() < f32::MIN_POSITIVE * scale { 0.0_f32.copysign(sum) } else { sum }
    } else {
        flushed(sum)
    };
    match (converted(a, b), converted(b, c)) {
        (Pair::F64(..), _) | (_, Pair::F64(..)) => Machine::F64(sum.into()),
        (Pair::F32(..) | Pair::Int(..), _) | (_, Pair::F32(..)) => Machine::F32(sum),
        (Pair::BF16(..), _) => Machine::BF16(bf16::from_f32(sum)),
        (Pair::F16(..), _) => Machine::F16(f16::from_f32(sum)),
    }
}

impl DataDomain for MachineDomain {
    type Value = Machine;

    const ROUNDS: bool = true;

    fn literal(decimal: &Decimal, typ: DataType) -> Machine {
        Machine::literal(decimal, typ)
    }

    fn input(_: Name, _: &[i64], given: &Decimal, typ: DataType) -> Machine {
        let literal = Machine::literal(given, typ);
        match literal.cast(typ) {
            Datum::Known(value) => value,
            Datum::Unknown => literal,
        }
    }

    fn cast(value: Machine, typ: DataType) -> Datum<Machine> {
        value.cast(typ)
    }

    fn neg(value: Machine) -> Machine {
        match value {
            Machine::F16(x) => Machine::F16(-x),
            Machine::BF16(x) => Machine::BF16(-x),
            Machine::F32(x) => Machine::F32(-x),
            Machine::F64(x) => Machine::F64(-x),
            Machine::Int(x) => Machine::Int(x.wrapping_neg()),
        }
    }

    fn arith(op: Arith, a: Machine, b: Machine) -> Datum<Machine> {
        match converted(a, b) {
            // `half` computes in f32 and rounds: with 24 bits against 11 the second rounding is harmless.
            Pair::F16(a, b) => Datum::Known(Machine::F16(float_arith(op, a, b))),
            Pair::BF16(a, b) => {
                let exact = float_arith(op, a.to_f32(), b.to_f32());
                Datum::Known(Machine::BF16(bf16::from_f32(exact)))
            }
            Pair::F32(a, b) => Datum::Known(Machine::F32(float_arith(op, a, b))),
            Pair::F64(a, b) => Datum::Known(Machine::F64(float_arith(op, a, b))),
            Pair::Int(a, b) => int_arith(op, a, b),
        }
    }

    fn call(func: Extern, args: &[Machine]) -> Machine {
        let zero = Machine::Int(0);
        match (func, args) {
            (Extern::Sin, [x]) => library(*x, f32::sin, f64::sin),
            (Extern::Cos, [x]) => library(*x, f32::cos, f64::cos),
            (Extern::Sqrt, [x]) => library(*x, f32::sqrt, f64::sqrt),
            (Extern::Expf, [x]) => library(*x, f32::exp, f64::exp),
            (Extern::Logf, [x]) => library(*x, f32::ln, f64::ln),
            (Extern::Sigmoid, [x]) => library(*x, |x| 1.0 / (1.0 + (-x).exp()), |x| 1.0 / (1.0 + (-x).exp())),
            (Extern::Fabsf, [Machine::Int(x)]) => Machine::Int(x.wrapping_abs()),
            (Extern::Fabsf, [x]) => library(*x, f32::abs, f64::abs),
            (Extern::Fmaxf, [x, y]) => extreme(*x, *y, false),
            (Extern::Fminf, [x, y]) => extreme(*x, *y, true),
            (Extern::Relu, [x]) if less(zero, *x) => *x,
            (Extern::Relu, [x]) => MachineDomain::zero_like(*x),
            (Extern::Select, [a, b, c, d]) => {
                if less(*a, *b) {
                    *c
                } else {
                    *d
                }
            }
            (Extern::Clamp, [Machine::Int(x)]) => Machine::Int((*x).clamp(-128, 127)),
            // `fmax(fmin(rint(x), 127), -128)`: what is not a number becomes 127.
            (Extern::Clamp, [x]) => {
                let upper = library(*x, f32::round_ties_even, f64::round_ties_even);
                let upper = library(upper, |x| x.min(127.0), |x| x.min(127.0));
                library(upper, |x| x.max(-128.0), |x| x.max(-128.0))
            }
            (Extern::Fma, [a, b, c]) => fma(*a, *b, *c),
            (Extern::FmaFtz, [a, b, c]) => fma_ftz(*a, *b, *c),
            (
                Extern::Fma
                | Extern::FmaFtz
                | Extern::Sin
                | Extern::Cos
                | Extern::Sqrt
                | Extern::Expf
                | Extern::Logf
                | Extern::Sigmoid
                | Extern::Fabsf
                | Extern::Fmaxf
                | Extern::Fminf
                | Extern::Relu
                | Extern::Select
                | Extern::Clamp
                | Extern::Foreign(_),
                _,
            ) => Machine::F64(f64::NAN),
        }
    }

    /// Equal as numbers; all that is not a number is equal, and the two zeros are.
    fn compare(a: &Machine, b: &Machine) -> Comparison {
        let (x, y) = (a.to_f64(), b.to_f64());
        if x == y || (x.is_nan() && y.is_nan()) { Comparison::Same } else { Comparison::Different }
    }
}

impl MachineDomain {
    fn zero_like(x: Machine) -> Machine {
        match x {
            Machine::F16(_) => Machine::F16(f16::ZERO),
            Machine::BF16(_) => Machine::BF16(bf16::ZERO),
            Machine::F32(_) => Machine::F32(0.0),
            Machine::F64(_) => Machine::F64(0.0),
            Machine::Int(_) => Machine::Int(0),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Machine::F16(x) => x.fmt(f),
            Machine::BF16(x) => x.fmt(f),
            Machine::F32(x) => x.fmt(f),
            Machine::F64(x) => x.fmt(f),
            Machine::Int(x) => x.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(x: i32) -> Machine {
        Machine::Int(x)
    }

    fn add(a: Machine, b: Machine) -> Datum<Machine> {
        MachineDomain::arith(Arith::Add, a, b)
    }

    #[test]
    fn narrow_integers_wrap_only_when_written() {
        let sum = MachineDomain::arith(Arith::Mul, int(100), int(100));
        assert_eq!(sum, Datum::Known(int(10_000)));
        assert_eq!(sum.lift1(|v| v.cast(DataType::I8)), Datum::Known(int(16)));
        assert_eq!(int(-1).cast(DataType::UI8), Datum::Known(int(255)));
        assert_eq!(int(-1).cast(DataType::UI16), Datum::Known(int(65_535)));
        assert_eq!(add(int(i32::MAX), int(1)), Datum::Known(int(i32::MIN)));
    }

    #[test]
    fn what_c_leaves_undefined_is_unknown() {
        assert_eq!(MachineDomain::arith(Arith::Div, int(1), int(0)), Datum::Unknown);
        assert_eq!(MachineDomain::arith(Arith::Div, int(i32::MIN), int(-1)), Datum::Unknown);
        assert_eq!(MachineDomain::arith(Arith::Div, int(-7), int(2)), Datum::Known(int(-3)));
        assert_eq!(Machine::F32(128.0).cast(DataType::I8), Datum::Unknown);
        assert_eq!(Machine::F32(f32::NAN).cast(DataType::I32), Datum::Unknown);
        assert_eq!(Machine::F64(-0.9).cast(DataType::UI8), Datum::Known(int(0)));
        assert_eq!(Machine::F32(-2.9).cast(DataType::I8), Datum::Known(int(-2)));
    }

    #[test]
    fn every_operation_rounds() {
        let third = MachineDomain::arith(Arith::Div, Machine::F32(1.0), Machine::F32(3.0));
        assert_eq!(third, Datum::Known(Machine::F32(1.0f32 / 3.0)));
        let big = Machine::F16(f16::from_f32(2048.0));
        assert_eq!(add(big, Machine::F16(f16::ONE)), Datum::Known(big));
        assert_eq!(add(Machine::F32(16_777_216.0), int(1)), Datum::Known(Machine::F32(16_777_216.0)));
        assert_eq!(MachineDomain::literal(&Decimal::new(1, -1), DataType::R), Machine::F32(0.1));
    }

    #[test]
    fn a_literal_may_be_negative_zero() {
        let zero = Decimal::new(0, 0).negated();
        for t in [DataType::R, DataType::F16, DataType::BF16, DataType::F32, DataType::F64] {
            assert_eq!(MachineDomain::literal(&zero, t).to_string(), "-0", "{t}");
        }
        assert_eq!(MachineDomain::literal(&zero, DataType::I8), int(0));
    }

    #[test]
    fn the_larger_of_a_number_and_none_is_the_number() {
        let nan = Machine::F32(f32::NAN);
        let one = Machine::F32(1.0);
        for f in [Extern::Fmaxf, Extern::Fminf] {
            assert_eq!(MachineDomain::call(f, &[nan, one]), one);
            assert_eq!(MachineDomain::call(f, &[one, nan]), one);
        }
        assert_eq!(MachineDomain::compare(&nan, &nan), Comparison::Same);
        assert_eq!(MachineDomain::call(Extern::Clamp, &[Machine::F32(2.5)]), Machine::F32(2.0));
        assert_eq!(MachineDomain::call(Extern::Relu, &[Machine::F32(-2.5)]), Machine::F32(0.0));
    }
}

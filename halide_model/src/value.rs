//! Values 𝕍 = ℤ ∪ {ε_rdom, ε_mem} and the operations on them. Thesis §2.4.1, Def. 2.6.

mod math;

use crate::float::{self, Float, Outcome, Precision};
use crate::int::Int;
use crate::op::{Bits, Op};
use crate::typed::{Overflow, Scalar};
use std::fmt;

/// An error value. Greater ones win (Thesis Def. 2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorValue {
    /// ε_rdom: a reduction domain of negative length.
    Rdom,
    /// ε_mem: memory that was never written.
    Mem,
}

/// A value of 𝕍.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An integer.
    Int(Int),
    /// In practice, a number of floating point: [rule: halide.float].
    Float(Float),
    /// The values of a point of a func of several values: [rule: halide.tuple].
    Tuple(Box<[Value]>),
    /// An error value.
    Error(ErrorValue),
}

impl Value {
    /// ε_rdom.
    pub const RDOM: Value = Value::Error(ErrorValue::Rdom);
    /// ε_mem.
    pub const MEM: Value = Value::Error(ErrorValue::Mem);

    /// A small integer.
    pub fn int(v: i64) -> Value {
        Value::Int(Int::Small(v))
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&Int> {
        match self {
            Value::Int(v) => Some(v),
            Value::Float(_) | Value::Tuple(_) | Value::Error(_) => None,
        }
    }

    /// As a machine word, if it is an integer that fits.
    pub fn to_i64(&self) -> Option<i64> {
        self.as_int().and_then(Int::to_i64)
    }

    /// Whether it is an error value.
    pub fn is_error(&self) -> bool {
        matches!(self, Value::Error(_))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(v) => write!(f, "{v}"),
            Value::Float(v) => write!(f, "{v}"),
            Value::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Value::to_string).collect();
                write!(f, "({})", parts.join(", "))
            }
            Value::Error(ErrorValue::Rdom) => f.write_str("rdom-error"),
            Value::Error(ErrorValue::Mem) => f.write_str("mem-error"),
        }
    }
}

/// `op(c̄)`: the greatest error among the arguments if there is one, the operation on integers otherwise.
///
/// `None` when the number of arguments is wrong. Thesis Def. 2.6; spec: [rule: halide.values].
pub fn apply(op: Op, args: &[Value]) -> Option<Value> {
    if args.len() != op.arity() {
        return None;
    }
    let errors = args.iter().filter_map(|v| match v {
        Value::Error(e) => Some(*e),
        Value::Int(_) | Value::Float(_) | Value::Tuple(_) => None,
    });
    if let Some(worst) = errors.max() {
        return Some(Value::Error(worst));
    }
    match (op, args) {
        (Op::Cast(scalar), [v]) => return Some(cast(scalar, v)),
        (Op::Math(m), _) => return math::apply(m, args),
        (Op::Tuple(_), _) => return Some(Value::Tuple(args.into())),
        (Op::Elem(k), [Value::Tuple(parts)]) => return parts.get(k).cloned(),
        // [UPDATE-EVAL] chooses between whole values.
        (Op::Select, [Value::Int(c), a @ Value::Tuple(_), b @ Value::Tuple(_)]) => {
            return Some(if c.is_true() { a.clone() } else { b.clone() });
        }
        (_, args) if args.iter().any(|v| matches!(v, Value::Tuple(_))) => return None,
        _ => {}
    }
    if let Some(precision) = args.iter().filter_map(precision).max() {
        return floating(op, precision, args);
    }
    let ints: Vec<&Int> = args.iter().filter_map(Value::as_int).collect();
    Some(Value::Int(match ints.as_slice() {
        [a] => unary(op, a)?,
        [a, b] => binary(op, a, b)?,
        [c, a, b] => {
            if c.is_true() {
                (*a).clone()
            } else {
                (*b).clone()
            }
        }
        _ => return None,
    }))
}

fn precision(v: &Value) -> Option<Precision> {
    if let Value::Float(v) = v { Some(v.precision) } else { None }
}

impl Scalar {
    /// The value as it is stored, rounded to floating point or made to fit; `None` when it does not fit and that is an
    /// error, or is a number of floating point and must be an integer.
    pub fn stored(self, v: &Value, overflow: Overflow) -> Option<Value> {
        match (self, v) {
            (_, Value::Error(_) | Value::Tuple(_)) => Some(v.clone()),
            (Scalar::Float(p), Value::Int(v)) => Some(Value::Float(Float::of_int(p, v))),
            (Scalar::Float(p), Value::Float(v)) => Some(Value::Float(v.to(p))),
            (Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_), Value::Float(_)) => {
                None
            }
            (Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_), Value::Int(v)) => {
                self.store(v, overflow).map(Value::Int)
            }
        }
    }
}

/// The value made to fit a type: [rule: halide.cast]. Of a number of floating point integers keep what is before the point.
pub fn cast(scalar: Scalar, v: &Value) -> Value {
    let whole = match v {
        Value::Float(f) if !scalar.is_float() => Value::Int(f.truncated()),
        Value::Float(_) | Value::Int(_) | Value::Tuple(_) | Value::Error(_) => v.clone(),
    };
    scalar.stored(&whole, Overflow::Wrap).unwrap_or(whole)
}

/// An operation of which an argument is a number of floating point: the others become numbers of its precision.
/// `None` where a truth value is wanted, and for `mod`: [`crate::valid`] refuses them.
fn floating(op: Op, precision: Precision, args: &[Value]) -> Option<Value> {
    let number = |v: &Value| match v {
        Value::Int(v) => Some(Float::of_int(precision, v)),
        Value::Float(v) => Some(v.to(precision)),
        Value::Tuple(_) | Value::Error(_) => None,
    };
    match args {
        [a] if op == Op::Abs => Some(Value::Float(Float::new(precision, number(a)?.value().abs()))),
        [Value::Int(c), a, b] => Some(Value::Float(number(if c.is_true() { a } else { b })?)),
        [a, b] => Some(match float::binary(op, number(a)?, number(b)?)? {
            Outcome::Float(v) => Value::Float(v),
            Outcome::Truth(v) => Value::Int(Int::truth(v)),
        }),
        _ => None,
    }
}

fn unary(op: Op, a: &Int) -> Option<Int> {
    match op {
        Op::Not => Some(Int::truth(!a.is_true())),
        Op::Abs => Some(a.abs()),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Or | Op::And => None,
        Op::Lt | Op::Gt | Op::Eq | Op::Select | Op::Min | Op::Max => None,
        Op::Cast(_) | Op::Bits(_) | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => None,
    }
}

fn binary(op: Op, a: &Int, b: &Int) -> Option<Int> {
    Some(match op {
        Op::Add => a.add(b),
        Op::Sub => a.sub(b),
        Op::Mul => a.mul(b),
        Op::Div => a.div(b),
        Op::Mod => a.rem(b),
        Op::Or => Int::truth(a.is_true() || b.is_true()),
        Op::And => Int::truth(a.is_true() && b.is_true()),
        Op::Lt => Int::truth(a < b),
        Op::Gt => Int::truth(a > b),
        Op::Eq => Int::truth(a == b),
        Op::Min => a.min(b).clone(),
        Op::Max => a.max(b).clone(),
        Op::Bits(Bits::And) => a.and(b),
        Op::Bits(Bits::Or) => a.or(b),
        Op::Bits(Bits::Xor) => a.xor(b),
        Op::Bits(Bits::Shl) => a.shl(b),
        Op::Bits(Bits::Shr) => a.shl(&Int::ZERO.sub(b)),
        Op::Not | Op::Select | Op::Cast(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_error_wins_and_nothing_short_circuits() {
        let (one, rdom, mem) = (Value::int(1), Value::RDOM, Value::MEM);
        assert_eq!(apply(Op::Add, &[one.clone(), rdom.clone()]), Some(Value::RDOM));
        assert_eq!(apply(Op::Mul, &[mem, rdom.clone()]), Some(Value::MEM));
        assert_eq!(apply(Op::Or, &[one.clone(), rdom.clone()]), Some(Value::RDOM));
        assert_eq!(apply(Op::Select, &[one.clone(), one.clone(), rdom]), Some(Value::RDOM));
        assert_eq!(apply(Op::Add, &[one]), None);
    }
}

//! Halide's types: what a user writes becomes operations on ℤ and casts, so that all that comes after knows one language,
//! in which every operation is exact and a cast is the only place where a value changes. Spec: [rule: halide.promotion].
//!
//! This is the front end, as the parser is: evaluation, lowering, bounds and C all begin with its result. What it is held
//! against are Halide's own types and values.

mod arithmetic;
mod boundary;
mod functions;
mod interpolation;
mod power;

use crate::alg::element;
use crate::expr::{Expr, Var};
use crate::float::{Float, Precision};
use crate::int::Int;
use crate::op::math::Math;
use crate::op::{Bits, Op};
use crate::typed::{Overflow, Scalar, Width};
use crate::value::Value;
use rewright_base::sym::Name;
use std::collections::BTreeMap;

/// The type of coordinates, and of literals that nothing else gives a type.
pub const I32: Scalar = Scalar::Signed(Width::W32);

/// What is written does not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    /// The rule: `halide.type` or `halide.literal`.
    pub rule: &'static str,
    /// What does not fit.
    pub why: String,
}

pub use arithmetic::Comparison;
pub use boundary::Boundary;

type Typed<T> = Result<T, TypeError>;

fn wrong<T>(why: String) -> Typed<T> {
    Err(TypeError { rule: "halide.type", why })
}

/// The types of what is in scope.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// Of funcs and input buffers.
    pub reads: BTreeMap<Name, Scalar>,
    /// Of each value of funcs of several.
    pub parts: BTreeMap<Name, Vec<Scalar>>,
    /// Of parameters.
    pub params: BTreeMap<Name, Scalar>,
}

/// A literal without a type: an integer. One of floating point carries its precision.
pub fn is_literal(e: &Expr) -> bool {
    matches!(e, Expr::Const(Value::Int(_)))
}

impl Types {
    /// The type of an expression.
    pub fn scalar(&self, e: &Expr) -> Scalar {
        match e {
            Expr::Const(Value::Int(_) | Value::Tuple(_) | Value::Error(_)) => I32,
            Expr::Const(Value::Float(v)) => Scalar::Float(v.precision),
            Expr::Var(Var::Param(p)) => self.params.get(p).copied().unwrap_or(I32),
            Expr::Var(_) => I32,
            Expr::Access(a) => self.reads.get(&a.func).copied().unwrap_or(I32),
            Expr::Op(op, args) => self.operation(*op, args),
        }
    }

    fn operation(&self, op: Op, args: &[Expr]) -> Scalar {
        match op {
            Op::Cast(scalar) => scalar,
            // Over ℤ truth values are integers.
            Op::Lt | Op::Gt | Op::Eq | Op::And | Op::Or | Op::Not => match self.first(args) {
                Scalar::Integer => Scalar::Integer,
                Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) | Scalar::Float(_) => Scalar::Bool,
            },
            // A value of several is read under a cast to its type.
            Op::Math(Math::Truncate) | Op::Tuple(_) | Op::Elem(_) => Scalar::Integer,
            Op::Math(m) if m.is_truth() => Scalar::Bool,
            Op::Select => self.first(args.get(1..).unwrap_or_default()),
            Op::Bits(Bits::Shl | Bits::Shr) => self.first(args.get(..1).unwrap_or_default()),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max => self.first(args),
            Op::Bits(Bits::And | Bits::Or | Bits::Xor) | Op::Abs | Op::Math(_) => self.first(args),
        }
    }

    /// The type of the first that is no literal: the others have it, too.
    fn first(&self, args: &[Expr]) -> Scalar {
        args.iter().find(|e| !is_literal(e)).map_or(I32, |e| self.scalar(e))
    }

    /// `elem(k, f[x])`.
    ///
    /// # Errors
    /// That is no value of a func of several.
    pub fn element(&self, k: usize, call: &Expr) -> Typed<Expr> {
        let Expr::Access(a) = call else { return wrong("`elem` wants a call".to_owned()) };
        match self.parts.get(&a.func).and_then(|parts| parts.get(k)) {
            Some(of) => Ok(element(*of, k, call.clone())),
            None => wrong(format!("`{}` has no value number {k}", a.func)),
        }
    }

    /// The types of the values of a stage; a literal alone is an `int32`.
    ///
    /// # Errors
    /// A literal does not fit.
    pub fn values(&self, e: &Expr) -> Typed<Vec<Scalar>> {
        let one = |e: &Expr| self.alone(e).map(|()| self.scalar(e));
        match e {
            Expr::Op(Op::Tuple(_), parts) => parts.iter().map(one).collect(),
            Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => Ok(vec![one(e)?]),
        }
    }

    /// `cast(T, e)`: integers keep their low bits, and of a number of floating point what is before the point.
    pub fn cast(&self, to: Scalar, e: Expr) -> Expr {
        let from = self.scalar(&e);
        match (&e, to) {
            (Expr::Const(Value::Int(v)), Scalar::Float(p)) => Expr::Const(Value::Float(Float::of_int(p, v))),
            (Expr::Const(Value::Float(v)), Scalar::Float(p)) => Expr::Const(Value::Float(v.to(p))),
            _ if from == to && (!is_literal(&e) || to == I32) => e,
            _ if from.is_float() && !to.is_float() => {
                Expr::op(Op::Cast(to), [Expr::op(Op::Math(Math::Truncate), [e])])
            }
            _ => Expr::op(Op::Cast(to), [e]),
        }
    }

    /// A value beside others of type `to`: a literal takes the type, and wraps around where it does not fit.
    fn converted(&self, to: Scalar, e: Expr) -> Expr {
        match &e {
            Expr::Const(v @ Value::Int(_)) if !to.is_float() => {
                let stored = to.stored(v, Overflow::Wrap);
                Expr::Const(stored.unwrap_or_else(|| v.clone()))
            }
            Expr::Const(_) | Expr::Var(_) | Expr::Access(_) | Expr::Op(..) => self.cast(to, e),
        }
    }

    /// A literal that must fit the type of what stands beside it.
    fn fitting(&self, to: Scalar, e: Expr) -> Typed<Expr> {
        if let Expr::Const(Value::Int(v)) = &e
            && !holds(to, v)
        {
            let why = format!("the literal {v} does not fit {to}");
            return Err(TypeError { rule: "halide.literal", why });
        }
        Ok(self.converted(to, e))
    }

    /// Operands of an operator: a literal takes the type of the other one.
    fn operands(&self, a: Expr, b: Expr) -> Typed<(Expr, Expr, Scalar)> {
        match (is_literal(&a), is_literal(&b)) {
            (true, true) => Ok((a, b, I32)),
            (true, false) => {
                let to = self.scalar(&b);
                Ok((self.fitting(to, a)?, b, to))
            }
            (false, true) => {
                let to = self.scalar(&a);
                let b = self.fitting(to, b)?;
                Ok((a, b, to))
            }
            (false, false) => self.matched(a, b),
        }
    }

    /// `match(a, b)`: both get a type that both promote to. Here a literal is an `int32`.
    fn matched(&self, a: Expr, b: Expr) -> Typed<(Expr, Expr, Scalar)> {
        self.alone(&a)?;
        self.alone(&b)?;
        let to = common(self.scalar(&a), self.scalar(&b));
        Ok((self.converted(to, a), self.converted(to, b), to))
    }

    /// A literal to which nothing else gives a type must fit `int32`.
    ///
    /// # Errors
    /// It does not.
    pub fn alone(&self, e: &Expr) -> Typed<()> {
        if is_literal(e) { self.fitting(I32, e.clone()).map(drop) } else { Ok(()) }
    }

    /// An index: an integer of at most 32 bits, in which `int32` is exact.
    ///
    /// # Errors
    /// It is something else.
    pub fn index(&self, e: &Expr) -> Typed<Expr> {
        match self.scalar(e) {
            Scalar::Bool | Scalar::Signed(Width::W8 | Width::W16 | Width::W32) => {}
            Scalar::Integer | Scalar::Unsigned(Width::W8 | Width::W16 | Width::W32) => {}
            other @ (Scalar::Float(_) | Scalar::Signed(Width::W64) | Scalar::Unsigned(Width::W64)) => {
                return wrong(format!("an index of type {other}: it must be an integer of at most 32 bits"));
            }
        }
        let wide = if self.scalar(e) == Scalar::Integer { e.clone() } else { self.cast(I32, e.clone()) };
        Ok(self.control(&wide))
    }

    /// A condition of an update, a loop or a specialization.
    ///
    /// # Errors
    /// It is no truth value.
    pub fn condition(&self, e: &Expr) -> Typed<Expr> {
        match self.scalar(e) {
            Scalar::Bool | Scalar::Integer => Ok(self.control(e)),
            other @ (Scalar::Signed(_) | Scalar::Unsigned(_) | Scalar::Float(_)) => {
                wrong(format!("a condition of type {other}: it must be a truth value"))
            }
        }
    }

    /// Places and conditions do not wrap around at 32 bits: Halide leaves that undefined, and bounds are over ℤ. [H-17];
    /// [rule: halide.exact-control]
    pub fn control(&self, e: &Expr) -> Expr {
        match e {
            Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => e.clone(),
            Expr::Op(Op::Cast(I32), args) => match args.as_ref() {
                [a] if self.scalar(a) == I32 && !is_literal(a) => self.control(a),
                _ => Expr::op(Op::Cast(I32), self.controls(args)),
            },
            // Numbers of floating point are no control.
            Expr::Op(Op::Math(_), _) => e.clone(),
            Expr::Op(op, args) => Expr::op(*op, self.controls(args)),
        }
    }

    fn controls(&self, args: &[Expr]) -> Vec<Expr> {
        args.iter().map(|a| self.control(a)).collect()
    }
}

/// Whether an integer is a value of a type as it is.
fn holds(to: Scalar, v: &Int) -> bool {
    match to {
        Scalar::Float(p) => Float::of_int(p, v).truncated() == *v,
        Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => {
            to.store(v, Overflow::Check).is_some()
        }
    }
}

/// The type that two types promote to: of two of floating point, or two unsigned ones, the wider; floating point beside
/// an integer; otherwise the signed type of the greater width.
pub fn common(a: Scalar, b: Scalar) -> Scalar {
    use Scalar::{Bool, Float, Integer, Signed, Unsigned};
    match (a, b) {
        (Float(p), Float(q)) => Float(p.max(q)),
        (Float(p), _) | (_, Float(p)) => Float(p),
        (Integer, _) | (_, Integer) => Integer,
        (Bool, other) | (other, Bool) => other,
        (Unsigned(v), Unsigned(w)) => Unsigned(v.max(w)),
        (Signed(v) | Unsigned(v), Signed(w) | Unsigned(w)) => Signed(v.max(w)),
    }
}

/// The value wraps around to its type; numbers of floating point are rounded already.
fn wrapped(to: Scalar, e: Expr) -> Expr {
    match to {
        Scalar::Integer | Scalar::Float(_) => e,
        Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => Expr::op(Op::Cast(to), [e]),
    }
}

/// The width of a type of integers.
fn width(s: Scalar) -> Option<Width> {
    match s {
        Scalar::Bool | Scalar::Integer | Scalar::Float(_) => None,
        Scalar::Signed(w) | Scalar::Unsigned(w) => Some(w),
    }
}

/// Which precision functions are computed in: that of the argument, single for integers.
fn precision(s: Scalar) -> Precision {
    match s {
        Scalar::Float(p) => p,
        Scalar::Bool | Scalar::Integer | Scalar::Signed(_) | Scalar::Unsigned(_) => Precision::Single,
    }
}

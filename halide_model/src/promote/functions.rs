//! Functions: `min`, `clamp`, `select`, the ones that widen, halve and saturate, and those on floating point.

use super::arithmetic::{Comparison, widened};
use super::{I32, Typed, Types, is_literal, precision, width, wrapped, wrong};
use crate::expr::Expr;
use crate::float::{Float, Precision};
use crate::int::Int;
use crate::op::math::{Class, Math, Unary};
use crate::op::{Bits, Op};
use crate::typed::{Scalar, Width};
use crate::value::Value;

/// How many nodes a function may stand for, with those of its arguments.
const MOST: usize = 20_000;

/// `int(e)`: the value in ℤ, where nothing wraps around.
pub(super) fn exact(e: &Expr) -> Expr {
    Expr::op(Op::Cast(Scalar::Integer), [e.clone()])
}

/// The number of a literal without a type.
fn literal(e: &Expr) -> Option<&Int> {
    match e {
        Expr::Const(v) => v.as_int(),
        Expr::Var(_) | Expr::Access(_) | Expr::Op(..) => None,
    }
}

/// A literal, or the type of what is none.
fn shown(e: &Expr, scalar: Scalar) -> String {
    literal(e).map_or_else(|| format!("one of type {scalar}"), Int::to_string)
}

/// The unsigned type of the same width.
fn unsigned(s: Scalar) -> Scalar {
    width(s).map_or(s, Scalar::Unsigned)
}

/// Twice the width.
fn wider(w: Width) -> Option<Width> {
    match w {
        Width::W8 => Some(Width::W16),
        Width::W16 => Some(Width::W32),
        Width::W32 => Some(Width::W64),
        Width::W64 => None,
    }
}

/// Between the ends of a type.
fn clamped(to: Scalar, e: Expr) -> Expr {
    match to.range() {
        Some((lo, hi)) => {
            let [lo, hi] = [lo, hi].map(|v| Expr::Const(Value::Int(v)));
            Expr::binary(Op::Max, Expr::binary(Op::Min, e, hi), lo)
        }
        None => e,
    }
}

impl Types {
    /// A function of that name and these arguments; nothing where there is no such function.
    ///
    /// # Errors
    /// The arguments do not fit it.
    pub fn function(&self, name: &str, args: &[Expr]) -> Typed<Option<Expr>> {
        if let (Some(f), [a]) = (Unary::ALL.into_iter().find(|f| f.name() == name), args) {
            return Ok(Some(self.unary(f, a)));
        }
        let out = match (name, args) {
            ("min", [a, b]) => self.extremum(Op::Min, a, b)?,
            ("max", [a, b]) => self.extremum(Op::Max, a, b)?,
            ("clamp", [v, lo, hi]) => self.clamp(v, lo, hi)?,
            ("select", [c, a, b]) => self.select(c, a, b)?,
            ("mux", [i, values @ ..]) if !values.is_empty() => self.mux(i, values)?,
            ("likely", [a]) => a.clone(),
            ("abs", [a]) => self.absolute(a),
            ("absd", [a, b]) => self.difference(a, b)?,
            ("pow", [a, b]) => self.power(a, b)?,
            ("atan2", [a, b]) => self.float_pair(Math::Atan2, a, b),
            ("truncate", [a]) if self.scalar(a).is_float() => Expr::op(Op::Math(Math::Truncate), [a.clone()]),
            ("is_nan", [a]) => self.class(Class::Nan, a)?,
            ("is_inf", [a]) => self.class(Class::Infinite, a)?,
            ("is_finite", [a]) => self.class(Class::Finite, a)?,
            ("saturating_add", [a, b]) => self.saturating(Op::Add, a, b)?,
            ("saturating_sub", [a, b]) => self.saturating(Op::Sub, a, b)?,
            ("halving_add", [a, b]) => self.halving(Op::Add, a, b, 0)?,
            ("halving_sub", [a, b]) => self.halving(Op::Sub, a, b, 0)?,
            ("rounding_halving_add", [a, b]) => self.halving(Op::Add, a, b, 1)?,
            ("widening_add", [a, b]) => self.widening(Op::Add, a, b)?,
            ("widening_sub", [a, b]) => self.widening(Op::Sub, a, b)?,
            ("widening_mul", [a, b]) => self.widening(Op::Mul, a, b)?,
            ("mul_shift_right", [a, b, q]) => self.mul_shift_right(a, b, q)?,
            ("rounding_shift_right", [a, b]) => self.rounding_shift_right(a, b)?,
            ("lerp", [a, b, w]) => self.lerp(a, b, w)?,
            ("popcount" | "count_leading_zeros" | "count_trailing_zeros", [a]) => self.counted(name, a)?,
            ("div_round_to_zero", [a, b]) => self.round_to_zero(Op::Div, a, b)?,
            ("mod_round_to_zero", [a, b]) => self.round_to_zero(Op::Mod, a, b)?,
            _ => return Ok(None),
        };
        // What is written once may stand for many nodes.
        if out.size() > MOST {
            return wrong(format!(
                "`{name}` stands for more than {MOST} operations here: name its arguments as funcs"
            ));
        }
        Ok(Some(out))
    }

    /// How many bits of an integer are set, or are not before the first or after the last that is.
    fn counted(&self, name: &str, a: &Expr) -> Typed<Expr> {
        let scalar = self.scalar(a);
        let Some(w) = width(scalar) else { return wrong(format!("`{name}` of a value of type {scalar}")) };
        let u = exact(&Expr::op(Op::Cast(Scalar::Unsigned(w)), [a.clone()]));
        let power = |k: u32| Expr::Const(Value::Int(Int::ONE.shl(&Int::Small(k.into()))));
        let zero = || Expr::int(0);
        let one = |k: u32| match name {
            "popcount" => {
                let half = Expr::binary(Op::Div, u.clone(), power(k));
                Expr::binary(Op::Mod, half, Expr::int(2))
            }
            // One for each power of 2 that is greater, and for each that divides.
            "count_leading_zeros" => Expr::binary(Op::Lt, u.clone(), power(k)),
            _ => Expr::binary(Op::Eq, Expr::binary(Op::Mod, u.clone(), power(k + 1)), zero()),
        };
        let sum = (0..w.bits()).map(one).reduce(|a, b| Expr::binary(Op::Add, a, b)).unwrap_or_else(zero);
        Ok(Expr::op(Op::Cast(scalar), [sum]))
    }

    /// `saturating_cast`: the nearest value that the type has.
    pub fn saturating_cast(&self, to: Scalar, e: &Expr) -> Expr {
        let from = self.scalar(e);
        match (from, to.range(), from.range()) {
            (Scalar::Float(p), Some((lo, hi)), _) => self.saturated_float(to, p, [&lo, &hi], e),
            (_, Some((lo, hi)), Some((least, most))) => {
                // In the type that it has: only the ends that it can pass are looked at.
                let end = |v: &Int| self.cast(from, Expr::Const(Value::Int(v.clone())));
                let e = if hi < most { Expr::binary(Op::Min, e.clone(), end(&hi)) } else { e.clone() };
                let e = if least < lo { Expr::binary(Op::Max, e, end(&lo)) } else { e };
                self.cast(to, e)
            }
            (_, Some(_), None) => Expr::op(Op::Cast(to), [clamped(to, e.clone())]),
            (Scalar::Float(_), None, _) => match to {
                Scalar::Float(p) => self.between_infinities(p, self.cast(to, e.clone())),
                Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => {
                    self.cast(to, e.clone())
                }
            },
            (_, None, _) => self.cast(to, e.clone()),
        }
    }

    /// Of a number of floating point. A type of fewer bits has ends that the number can be; the greatest of another one may
    /// be rounded up, and what reaches it is the greatest. NaN becomes the greatest value of the former, the least of the latter.
    fn saturated_float(&self, to: Scalar, p: Precision, [lo, hi]: [&Int; 2], e: &Expr) -> Expr {
        let end = |v: &Int| self.cast(Scalar::Float(p), Expr::Const(Value::Int(v.clone())));
        let truncated = |e: Expr| Expr::op(Op::Math(Math::Truncate), [e]);
        let bits = if p == Precision::Single { 32 } else { 64 };
        if width(to).is_none_or(|w| w.bits() < bits) {
            let below = Expr::binary(Op::Min, e.clone(), end(hi));
            return Expr::op(Op::Cast(to), [truncated(Expr::binary(Op::Max, below, end(lo)))]);
        }
        let above = Expr::binary(Op::Max, e.clone(), end(lo));
        let over = Expr::op(Op::Not, [Expr::binary(Op::Math(Math::Less), above.clone(), end(hi))]);
        // Of an unsigned type the greatest is -1 modulo its size.
        let most = if *lo == Int::ZERO { Expr::int(-1) } else { Expr::Const(Value::Int(hi.clone())) };
        Expr::op(Op::Cast(to), [Expr::op(Op::Select, [over, exact(&most), truncated(above)])])
    }

    /// A number of floating point is between the infinities: NaN becomes the greater one.
    fn between_infinities(&self, p: Precision, e: Expr) -> Expr {
        let [most, least] =
            [f64::INFINITY, f64::NEG_INFINITY].map(|v| Expr::Const(Value::Float(Float::new(p, v))));
        Expr::binary(Op::Max, Expr::binary(Op::Min, e, most), least)
    }

    fn extremum(&self, op: Op, a: &Expr, b: &Expr) -> Typed<Expr> {
        let (a, b, _) = self.matched(a.clone(), b.clone())?;
        Ok(Expr::binary(op, a, b))
    }

    /// `max(min(v, hi), lo)`, with the bounds cast without loss.
    fn clamp(&self, v: &Expr, lo: &Expr, hi: &Expr) -> Typed<Expr> {
        let to = self.scalar(v);
        let bound = |e: &Expr| {
            let from = self.scalar(e);
            if is_literal(e) {
                // Beside `min` and `max` the literal alone would be an `int32`.
                return self.fitting(to, e.clone()).map(|e| self.cast(to, e));
            }
            if common_loses(from, to) {
                return wrong(format!("a bound of type {from} is not cast to {to} without loss"));
            }
            Ok(self.cast(to, e.clone()))
        };
        let (lo, hi) = (bound(lo)?, bound(hi)?);
        Ok(Expr::binary(Op::Max, Expr::binary(Op::Min, v.clone(), hi), lo))
    }

    fn select(&self, c: &Expr, a: &Expr, b: &Expr) -> Typed<Expr> {
        let truth = self.scalar(c);
        if !matches!(truth, Scalar::Bool | Scalar::Integer) {
            return wrong(format!("the condition of `select` is {truth}, not a truth value"));
        }
        let mut arms = self.arms("select", &[a.clone(), b.clone()])?;
        let args: Vec<Expr> = std::iter::once(c.clone()).chain(arms.drain(..)).collect();
        Ok(Expr::op(Op::Select, args))
    }

    /// Values of one type: literals take that of the others.
    fn arms(&self, name: &str, values: &[Expr]) -> Typed<Vec<Expr>> {
        let Some(first) = values.iter().find(|e| !is_literal(e)) else { return Ok(values.to_vec()) };
        let to = self.scalar(first);
        if let Some(other) = values.iter().find(|e| !is_literal(e) && self.scalar(e) != to) {
            return wrong(format!("the values of `{name}` are {to} and {}", self.scalar(other)));
        }
        Ok(values.iter().map(|e| self.converted(to, e.clone())).collect())
    }

    fn mux(&self, i: &Expr, values: &[Expr]) -> Typed<Expr> {
        let mut arms = self.arms("mux", values)?;
        let Some(mut out) = arms.pop() else { return wrong("`mux` wants values".to_owned()) };
        for (k, e) in arms.into_iter().enumerate().rev() {
            let k = i64::try_from(k).map_or(Expr::int(0), Expr::int);
            let here = self.compared(Comparison::Equal, i.clone(), k)?;
            out = Expr::op(Op::Select, [here, e, out]);
        }
        Ok(out)
    }

    /// Unsigned at the same width.
    fn absolute(&self, a: &Expr) -> Expr {
        match self.scalar(a) {
            Scalar::Bool | Scalar::Unsigned(_) => a.clone(),
            Scalar::Float(_) | Scalar::Integer => Expr::op(Op::Abs, [a.clone()]),
            to @ Scalar::Signed(_) => Expr::op(Op::Cast(unsigned(to)), [Expr::op(Op::Abs, [exact(a)])]),
        }
    }

    fn difference(&self, a: &Expr, b: &Expr) -> Typed<Expr> {
        let (a, b, to) = self.matched(a.clone(), b.clone())?;
        if to.is_float() {
            return Ok(Expr::op(Op::Abs, [self.arithmetic(Op::Sub, a, b)?]));
        }
        let [most, least] = [Op::Max, Op::Min].map(|op| exact(&Expr::binary(op, a.clone(), b.clone())));
        Ok(wrapped(unsigned(to), Expr::binary(Op::Sub, most, least)))
    }

    /// Both operands in ℤ, and their type, which must be one of integers.
    fn in_integers(&self, name: &str, a: &Expr, b: &Expr) -> Typed<([Expr; 2], Scalar)> {
        let (a, b, to) = self.matched(a.clone(), b.clone())?;
        match width(to) {
            Some(_) => Ok(([exact(&a), exact(&b)], to)),
            None => wrong(format!("`{name}` of {to}: it wants integers")),
        }
    }

    fn saturating(&self, op: Op, a: &Expr, b: &Expr) -> Typed<Expr> {
        let ([a, b], to) = self.in_integers("saturating", a, b)?;
        Ok(Expr::op(Op::Cast(to), [clamped(to, Expr::binary(op, a, b))]))
    }

    /// `(a + b + more) >> 1`
    fn halving(&self, op: Op, a: &Expr, b: &Expr, more: i64) -> Typed<Expr> {
        let ([a, b], to) = self.in_integers("halving", a, b)?;
        let mut sum = Expr::binary(op, a, b);
        if more != 0 {
            sum = Expr::binary(Op::Add, sum, Expr::int(more));
        }
        Ok(Expr::op(Op::Cast(to), [Expr::binary(Op::Div, sum, Expr::int(2))]))
    }

    /// At twice the width of the wider one: a difference is signed, a product when one of its factors is.
    fn widening(&self, op: Op, a: &Expr, b: &Expr) -> Typed<Expr> {
        let (from, other) = (self.scalar(a), self.scalar(b));
        let both = super::common(from, other);
        if let Scalar::Float(p) = both {
            if p == Precision::Double {
                return wrong("there is no type of twice the width of float64".to_owned());
            }
            let wide = |e: &Expr| self.cast(Scalar::Float(Precision::Double), self.cast(both, e.clone()));
            return self.arithmetic(op, wide(a), wide(b));
        }
        let Some(wide) = width(both).and_then(wider) else {
            return wrong(format!("there is no type of twice the width of {both}"));
        };
        let is_signed = |s: Scalar| matches!(s, Scalar::Signed(_));
        if op == Op::Mul {
            // Each factor keeps its own value.
            let signed = is_signed(from) || is_signed(other);
            let wide = if signed { Scalar::Signed(wide) } else { Scalar::Unsigned(wide) };
            return Ok(Expr::op(Op::Cast(wide), [Expr::binary(Op::Mul, exact(a), exact(b))]));
        }
        let (a, b, _) = self.matched(a.clone(), b.clone())?;
        let signed = is_signed(both) || op == Op::Sub;
        let wide = if signed { Scalar::Signed(wide) } else { Scalar::Unsigned(wide) };
        Ok(Expr::op(Op::Cast(wide), [Expr::binary(op, exact(&a), exact(&b))]))
    }

    /// `(a * b) >> q`, saturated; the amount is unsigned, and a wider one widens the type.
    fn mul_shift_right(&self, a: &Expr, b: &Expr, q: &Expr) -> Typed<Expr> {
        let ([a, b], from) = self.in_integers("mul_shift_right", a, b)?;
        let amount = self.scalar(q);
        let unsigned =
            || wrong(format!("`mul_shift_right` wants an unsigned amount, not {}", shown(q, amount)));
        let to = match (literal(q), amount) {
            (Some(k), _) if k.is_negative() => return unsigned(),
            (Some(k), _) => {
                self.distance(from, k)?;
                from
            }
            (None, Scalar::Bool | Scalar::Unsigned(_)) => widened(from, amount),
            (None, Scalar::Integer | Scalar::Signed(_) | Scalar::Float(_)) => return unsigned(),
        };
        if width(to).and_then(wider).is_none() {
            return wrong(format!("`mul_shift_right` of {to}: it wants integers of at most 32 bits"));
        }
        let product = Expr::binary(Op::Bits(Bits::Shr), Expr::binary(Op::Mul, a, b), exact(q));
        Ok(Expr::op(Op::Cast(to), [clamped(to, product)]))
    }

    /// `(a + 2^(b - 1)) >> b`; a wider amount widens the type.
    fn rounding_shift_right(&self, a: &Expr, b: &Expr) -> Typed<Expr> {
        let (from, amount) = (self.scalar(a), self.scalar(b));
        if width(from).is_none() || width(amount).is_none() {
            return wrong(format!("`rounding_shift_right` of {from} by {amount}"));
        }
        let to = match literal(b) {
            Some(k) => {
                self.distance(from, k)?;
                from
            }
            None => widened(from, amount),
        };
        let (a, b) = (self.cast(to, a.clone()), exact(b));
        let power = Expr::binary(Op::Bits(Bits::Shl), exact(&Expr::int(1)), b.clone());
        let half = Expr::binary(Op::Div, power, Expr::int(2));
        let sum = Expr::binary(Op::Add, exact(&a), half);
        Ok(Expr::op(Op::Cast(to), [Expr::binary(Op::Bits(Bits::Shr), sum, b)]))
    }

    fn round_to_zero(&self, op: Op, a: &Expr, b: &Expr) -> Typed<Expr> {
        let (a, b, to) = self.matched(a.clone(), b.clone())?;
        if to.is_float() {
            return wrong(format!("rounding to zero wants integers, not {to}"));
        }
        let (a, b) = (exact(&a), exact(&b));
        let below = |e: &Expr| Expr::binary(Op::Lt, e.clone(), Expr::int(0));
        let size = Expr::binary(op, Expr::op(Op::Abs, [a.clone()]), Expr::op(Op::Abs, [b.clone()]));
        let minus = Expr::binary(Op::Sub, Expr::int(0), size.clone());
        let positive = if op == Op::Div {
            Expr::binary(Op::Eq, below(&a), below(&b))
        } else {
            Expr::op(Op::Not, [below(&a)])
        };
        Ok(wrapped(to, Expr::op(Op::Select, [positive, size, minus])))
    }

    fn unary(&self, f: Unary, a: &Expr) -> Expr {
        let to = Scalar::Float(precision(self.scalar(a)));
        Expr::op(Op::Math(Math::Unary(f)), [self.cast(to, a.clone())])
    }

    /// Two numbers in the precision of the first.
    pub(super) fn float_pair(&self, m: Math, a: &Expr, b: &Expr) -> Expr {
        let to = Scalar::Float(precision(self.scalar(a)));
        Expr::op(Op::Math(m), [self.cast(to, a.clone()), self.cast(to, b.clone())])
    }

    fn class(&self, class: Class, a: &Expr) -> Typed<Expr> {
        let scalar = self.scalar(a);
        if !scalar.is_float() {
            return wrong(format!("this is asked of numbers of floating point, not of {scalar}"));
        }
        Ok(Expr::op(Op::Math(Math::Class(class)), [a.clone()]))
    }
}

/// Whether a value may change when it is cast.
fn common_loses(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        (Scalar::Float(p), Scalar::Float(q)) => p > q,
        (Scalar::Float(_), _) => true,
        // Numbers of floating point hold integers of as many bits as their digits have.
        (_, Scalar::Float(p)) => {
            let most = crate::float::digits(p);
            from == I32 && most < 32 || width(from).is_some_and(|w| w.bits() > most)
        }
        (_, _) => match (from.range(), to.range()) {
            (Some((a, b)), Some((c, d))) => a < c || d < b,
            (None, Some(_)) => true,
            (_, None) => false,
        },
    }
}

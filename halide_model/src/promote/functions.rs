//! Functions: `min`, `clamp`, `select`, the ones that widen, halve and saturate, and those on floating point.

use super::{I32, Typed, Types, is_literal, precision, width, wrapped, wrong};
use crate::expr::Expr;
use crate::float::Precision;
use crate::int::Int;
use crate::op::math::{Class, Math, Unary};
use crate::op::{Bits, Op};
use crate::typed::{Scalar, Width};
use crate::value::Value;

/// `int(e)`: the value in ℤ, where nothing wraps around.
fn exact(e: &Expr) -> Expr {
    Expr::op(Op::Cast(Scalar::Integer), [e.clone()])
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
            ("min", [a, b]) => self.extremum(Op::Min, a, b),
            ("max", [a, b]) => self.extremum(Op::Max, a, b),
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
            ("div_round_to_zero", [a, b]) => self.round_to_zero(Op::Div, a, b)?,
            ("mod_round_to_zero", [a, b]) => self.round_to_zero(Op::Mod, a, b)?,
            _ => return Ok(None),
        };
        Ok(Some(out))
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
            (_, None, _) => self.cast(to, e.clone()),
        }
    }

    /// The greatest number of the type may be rounded up: what reaches it is the greatest.
    fn saturated_float(&self, to: Scalar, p: Precision, [lo, hi]: [&Int; 2], e: &Expr) -> Expr {
        let end = |v: &Int| self.cast(Scalar::Float(p), Expr::Const(Value::Int(v.clone())));
        let inside = Expr::op(Op::Math(Math::Truncate), [Expr::binary(Op::Max, e.clone(), end(lo))]);
        let over = Expr::op(Op::Not, [Expr::binary(Op::Math(Math::Less), e.clone(), end(hi))]);
        let is_number = Expr::op(Op::Not, [Expr::op(Op::Math(Math::Class(Class::Nan)), [e.clone()])]);
        // Of an unsigned type the greatest is -1 modulo its size.
        let most = if *lo == Int::ZERO { Expr::int(-1) } else { Expr::Const(Value::Int(hi.clone())) };
        let over = Expr::binary(Op::And, over, is_number);
        Expr::op(Op::Cast(to), [Expr::op(Op::Select, [over, exact(&most), inside])])
    }

    fn extremum(&self, op: Op, a: &Expr, b: &Expr) -> Expr {
        let (a, b, _) = self.matched(a.clone(), b.clone());
        Expr::binary(op, a, b)
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
            let (i, k, _) = self.operands(i.clone(), k)?;
            out = Expr::op(Op::Select, [Expr::binary(Op::Eq, i, k), e, out]);
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
        let (a, b, to) = self.matched(a.clone(), b.clone());
        if to.is_float() {
            return Ok(Expr::op(Op::Abs, [self.arithmetic(Op::Sub, a, b)?]));
        }
        let [most, least] = [Op::Max, Op::Min].map(|op| exact(&Expr::binary(op, a.clone(), b.clone())));
        Ok(wrapped(unsigned(to), Expr::binary(Op::Sub, most, least)))
    }

    /// Both operands in ℤ, and their type, which must be one of integers with a wider one.
    fn in_integers(&self, name: &str, a: &Expr, b: &Expr) -> Typed<([Expr; 2], Scalar, Width)> {
        let (a, b, to) = self.matched(a.clone(), b.clone());
        match width(to).and_then(wider) {
            Some(wide) => Ok(([exact(&a), exact(&b)], to, wide)),
            None => wrong(format!("`{name}` of {to}: it wants integers of at most 32 bits")),
        }
    }

    fn saturating(&self, op: Op, a: &Expr, b: &Expr) -> Typed<Expr> {
        let ([a, b], to, _) = self.in_integers("saturating", a, b)?;
        Ok(Expr::op(Op::Cast(to), [clamped(to, Expr::binary(op, a, b))]))
    }

    /// `(a + b + more) >> 1`
    fn halving(&self, op: Op, a: &Expr, b: &Expr, more: i64) -> Typed<Expr> {
        let ([a, b], to, _) = self.in_integers("halving", a, b)?;
        let mut sum = Expr::binary(op, a, b);
        if more != 0 {
            sum = Expr::binary(Op::Add, sum, Expr::int(more));
        }
        Ok(Expr::op(Op::Cast(to), [Expr::binary(Op::Div, sum, Expr::int(2))]))
    }

    /// At twice the width: a difference is signed, a product when one of its factors is.
    fn widening(&self, op: Op, a: &Expr, b: &Expr) -> Typed<Expr> {
        if let (Op::Mul, Scalar::Signed(v) | Scalar::Unsigned(v), Scalar::Signed(w) | Scalar::Unsigned(w)) =
            (op, self.scalar(a), self.scalar(b))
        {
            if v != w {
                return wrong(format!("`widening_mul` of {} and {}", self.scalar(a), self.scalar(b)));
            }
            // Each factor keeps its own value.
            let to = super::common(self.scalar(a), self.scalar(b));
            let wide = width(to).and_then(wider);
            let Some(wide) = wide else { return wrong(format!("`widening_mul` of {to}")) };
            let wide = if to == Scalar::Signed(v) { Scalar::Signed(wide) } else { Scalar::Unsigned(wide) };
            return Ok(Expr::op(Op::Cast(wide), [Expr::binary(Op::Mul, exact(a), exact(b))]));
        }
        let ([a, b], to, wide) = self.in_integers("widening", a, b)?;
        let wide = match to {
            Scalar::Unsigned(_) if op != Op::Sub => Scalar::Unsigned(wide),
            Scalar::Unsigned(_) | Scalar::Signed(_) | Scalar::Bool | Scalar::Integer | Scalar::Float(_) => {
                Scalar::Signed(wide)
            }
        };
        Ok(Expr::op(Op::Cast(wide), [Expr::binary(op, a, b)]))
    }

    fn mul_shift_right(&self, a: &Expr, b: &Expr, q: &Expr) -> Typed<Expr> {
        let ([a, b], to, _) = self.in_integers("mul_shift_right", a, b)?;
        let product = Expr::binary(Op::Bits(Bits::Shr), Expr::binary(Op::Mul, a, b), exact(q));
        Ok(Expr::op(Op::Cast(to), [clamped(to, product)]))
    }

    /// `(a + 2^(b - 1)) >> b`
    fn rounding_shift_right(&self, a: &Expr, b: &Expr) -> Typed<Expr> {
        let to = self.scalar(a);
        if width(to).and_then(wider).is_none() || width(self.scalar(b)).is_none() {
            return wrong(format!("`rounding_shift_right` of {to} by {}", self.scalar(b)));
        }
        let b = exact(b);
        let power = Expr::binary(Op::Bits(Bits::Shl), exact(&Expr::int(1)), b.clone());
        let half = Expr::binary(Op::Div, power, Expr::int(2));
        let sum = Expr::binary(Op::Add, exact(a), half);
        Ok(Expr::op(Op::Cast(to), [Expr::binary(Op::Bits(Bits::Shr), sum, b)]))
    }

    fn lerp(&self, a: &Expr, b: &Expr, w: &Expr) -> Typed<Expr> {
        let (a, b, to) = self.matched(a.clone(), b.clone());
        let weight = self.scalar(w);
        if to.is_float() && weight == to {
            let rest = self.arithmetic(Op::Sub, Expr::int(1), w.clone())?;
            let (a, b) = (self.arithmetic(Op::Mul, a, rest)?, self.arithmetic(Op::Mul, b, w.clone())?);
            return self.arithmetic(Op::Add, a, b);
        }
        let (Some(v), Scalar::Unsigned(u)) = (width(to), weight) else {
            return wrong(format!("`lerp` of {to} with a weight of type {weight}"));
        };
        if v.bits() + u.bits() > 48 {
            return wrong(format!(
                "`lerp` of {to} with a weight of type {weight}: both together have at most 48 bits"
            ));
        }
        let most = (1_i64 << u.bits()) - 1;
        let rest = Expr::binary(Op::Sub, Expr::int(most), exact(w));
        let sum = Expr::binary(
            Op::Add,
            Expr::binary(Op::Mul, exact(&a), rest),
            Expr::binary(Op::Mul, exact(&b), exact(w)),
        );
        let sum = Expr::binary(Op::Add, sum, Expr::int(most / 2));
        Ok(Expr::op(Op::Cast(to), [Expr::binary(Op::Div, sum, Expr::int(most))]))
    }

    fn round_to_zero(&self, op: Op, a: &Expr, b: &Expr) -> Typed<Expr> {
        let (a, b, to) = self.operands(a.clone(), b.clone())?;
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
    fn float_pair(&self, m: Math, a: &Expr, b: &Expr) -> Expr {
        let to = Scalar::Float(precision(self.scalar(a)));
        Expr::op(Op::Math(m), [self.cast(to, a.clone()), self.cast(to, b.clone())])
    }

    /// An exponent that is an integer literal is multiplied out.
    fn power(&self, a: &Expr, b: &Expr) -> Typed<Expr> {
        let to = Scalar::Float(precision(self.scalar(a)));
        match b.as_i64().filter(|_| is_literal(b)) {
            Some(n) => self.multiplied(&self.cast(to, a.clone()), n),
            None => Ok(self.float_pair(Math::Pow, a, b)),
        }
    }

    fn multiplied(&self, a: &Expr, n: i64) -> Typed<Expr> {
        let one = || self.cast(self.scalar(a), Expr::int(1));
        match n {
            0 => Ok(one()),
            1 => Ok(a.clone()),
            i64::MIN..0 => self.arithmetic(Op::Div, one(), self.multiplied(a, n.saturating_neg())?),
            2.. => {
                let half = self.multiplied(a, n / 2)?;
                let square = self.arithmetic(Op::Mul, half.clone(), half)?;
                if n % 2 == 0 { Ok(square) } else { self.arithmetic(Op::Mul, square, a.clone()) }
            }
        }
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

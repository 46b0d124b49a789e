//! `lerp`: between two values of one type, by a weight. Spec: [rule: halide.promotion].

use super::functions::exact;
use super::{Typed, Types, is_literal, width, wrong};
use crate::expr::Expr;
use crate::float::{Float, Precision};
use crate::int::Int;
use crate::op::Op;
use crate::op::math::Math;
use crate::typed::{Scalar, Width};
use crate::value::Value;

fn double(v: f64) -> Expr {
    Expr::Const(Value::Float(Float::new(Precision::Double, v)))
}

/// The greatest value of an unsigned type.
fn most(s: Scalar) -> Expr {
    Expr::Const(Value::Int(s.range().map_or(Int::ZERO, |(_, hi)| hi)))
}

impl Types {
    pub(super) fn lerp(&self, a: &Expr, b: &Expr, w: &Expr) -> Typed<Expr> {
        let weight = self.scalar(w);
        if is_literal(w) || !matches!(weight, Scalar::Bool | Scalar::Unsigned(_) | Scalar::Float(_)) {
            return wrong(format!(
                "the weight of `lerp` is an unsigned integer or a number of floating point, not {weight}"
            ));
        }
        // A literal end has the type of the other one.
        let to = self.scalar(if is_literal(a) { b } else { a });
        if let Some(other) = [a, b].into_iter().find(|e| !is_literal(e) && self.scalar(e) != to) {
            return wrong(format!("`lerp` between {to} and {}", self.scalar(other)));
        }
        let [a, b] = [a, b].map(|e| self.converted(to, e.clone()));
        match to {
            Scalar::Float(p) => {
                // In double precision where the weight is.
                let by = if weight == Scalar::Float(Precision::Double) { Precision::Double } else { p };
                let w = self.fraction(by, w)?;
                let rest = self.arithmetic(Op::Sub, Expr::int(1), w.clone())?;
                let (a, b) = (self.arithmetic(Op::Mul, a, rest)?, self.arithmetic(Op::Mul, b, w)?);
                Ok(self.cast(to, self.arithmetic(Op::Add, a, b)?))
            }
            Scalar::Bool => {
                let above = match weight {
                    Scalar::Float(p) => {
                        let half = Expr::Const(Value::Float(Float::new(p, 0.5)));
                        Expr::binary(Op::Math(Math::Less), half, w.clone())
                    }
                    Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => Expr::binary(
                        Op::Gt,
                        exact(w),
                        Expr::binary(Op::Div, exact(&most(weight)), Expr::int(2)),
                    ),
                };
                Ok(Expr::op(Op::Select, [above, b, a]))
            }
            Scalar::Integer | Scalar::Signed(_) | Scalar::Unsigned(_) => match width(to) {
                Some(v) if v != Width::W64 => self.between_integers(to, v, [&a, &b], w),
                _ => wrong(format!("`lerp` of {to}: it wants integers of at most 32 bits")),
            },
        }
    }

    /// A weight as a number of floating point.
    fn fraction(&self, p: Precision, w: &Expr) -> Typed<Expr> {
        let to = Scalar::Float(p);
        let weight = self.scalar(w);
        let Some(bits) = width(weight).map(Width::bits) else { return Ok(self.cast(to, w.clone())) };
        // A weight of 32 bits is divided in double precision.
        let by = if bits == 32 { Scalar::Float(Precision::Double) } else { to };
        let quotient = self.arithmetic(Op::Div, self.cast(by, w.clone()), self.cast(by, most(weight)))?;
        Ok(self.cast(to, quotient))
    }

    /// `(a * (M - w) + b * w) / M`, rounded to nearest, where M is the greatest weight. One of more bits than the values have
    /// is divided first; one of floating point becomes an integer of as many bits.
    fn between_integers(&self, to: Scalar, v: Width, ends: [&Expr; 2], w: &Expr) -> Typed<Expr> {
        let own = Scalar::Unsigned(v);
        let weight = self.scalar(w);
        let (w, most) = match weight {
            Scalar::Float(_) if v == Width::W32 => {
                let scale = Expr::op(Op::Mul, [double(65535.0), double(65537.0)]);
                let w = self.cast(Scalar::Float(Precision::Double), w.clone());
                (exact(&self.cast(own, self.arithmetic(Op::Mul, scale, w)?)), most(own))
            }
            Scalar::Float(p) => {
                let scale = self.cast(Scalar::Float(p), most(own));
                (exact(&self.cast(own, self.arithmetic(Op::Mul, scale, w.clone())?)), most(own))
            }
            Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => {
                match (most(weight).as_i64(), most(own).as_i64()) {
                    (Some(of_weight), Some(of_value)) if of_weight > of_value => {
                        (Expr::binary(Op::Div, exact(w), Expr::int(of_weight / of_value)), most(own))
                    }
                    (Some(_), _) => (exact(w), most(weight)),
                    (None, _) => return wrong(format!("`lerp` with a weight of type {weight}")),
                }
            }
        };
        let half = most.as_i64().map_or(0, |m| m / 2);
        let rest = Expr::binary(Op::Sub, most.clone(), w.clone());
        let [a, b] = ends.map(exact);
        let sum = Expr::binary(Op::Add, Expr::binary(Op::Mul, a, rest), Expr::binary(Op::Mul, b, w));
        let sum = Expr::binary(Op::Add, sum, Expr::int(half));
        Ok(Expr::op(Op::Cast(to), [Expr::binary(Op::Div, sum, most)]))
    }
}

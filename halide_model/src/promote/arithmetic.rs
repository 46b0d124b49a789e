//! Operators: arithmetic, comparisons, logic, bits and shifts.

use super::{Typed, Types, is_literal, width, wrapped, wrong};
use crate::expr::Expr;
use crate::int::Int;
use crate::op::math::Math;
use crate::op::{Bits, Op};
use crate::typed::Scalar;
use crate::value::Value;

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `a < b`
    Less,
    /// `a <= b`
    AtMost,
    /// `a > b`
    Greater,
    /// `a >= b`
    AtLeast,
    /// `a = b`
    Equal,
    /// `a != b`
    Unequal,
}

impl Comparison {
    /// The comparison of that sign.
    pub fn of_sign(sign: &str) -> Option<Comparison> {
        Some(match sign {
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            ">=" => Comparison::AtLeast,
            "=" => Comparison::Equal,
            "!=" => Comparison::Unequal,
            _ => return None,
        })
    }
}

/// Widest factor that a shift by a literal is written as.
const WIDEST: i64 = 62;

impl Types {
    /// `a op b` for `+ - * div mod`.
    ///
    /// # Errors
    /// A literal does not fit the type beside it.
    pub fn arithmetic(&self, op: Op, a: Expr, b: Expr) -> Typed<Expr> {
        let (a, b, to) = self.operands(a, b)?;
        let e = Expr::binary(op, a, b);
        // Neither leaves the type.
        let stays = op == Op::Mod || op == Op::Div && matches!(to, Scalar::Unsigned(_) | Scalar::Bool);
        Ok(if stays { e } else { wrapped(to, e) })
    }

    /// `0 - a`
    ///
    /// # Errors
    /// None: a literal 0 fits every type.
    pub fn negated(&self, a: Expr) -> Typed<Expr> {
        self.arithmetic(Op::Sub, Expr::int(0), a)
    }

    /// A comparison. Nothing is below what is not a number, and so it is at most, and at least, everything; it equals nothing.
    ///
    /// # Errors
    /// A literal does not fit the type beside it.
    pub fn compared(&self, by: Comparison, a: Expr, b: Expr) -> Typed<Expr> {
        let (a, b, to) = self.operands(a, b)?;
        let not = |e| Expr::op(Op::Not, [e]);
        // `a <= b` is that `b` is not below `a`, of what is not a number, too.
        if !to.is_float() {
            return Ok(match by {
                Comparison::Less => Expr::binary(Op::Lt, a, b),
                Comparison::Greater => Expr::binary(Op::Gt, a, b),
                Comparison::Equal => Expr::binary(Op::Eq, a, b),
                Comparison::AtMost => not(Expr::binary(Op::Gt, a, b)),
                Comparison::AtLeast => not(Expr::binary(Op::Lt, a, b)),
                Comparison::Unequal => not(Expr::binary(Op::Eq, a, b)),
            });
        }
        let less = |a: &Expr, b: &Expr| Expr::binary(Op::Math(Math::Less), a.clone(), b.clone());
        let equal = Expr::binary(Op::Math(Math::Equal), a.clone(), b.clone());
        Ok(match by {
            Comparison::Less => less(&a, &b),
            Comparison::Greater => less(&b, &a),
            Comparison::Equal => equal,
            Comparison::Unequal => not(equal),
            Comparison::AtMost => not(less(&b, &a)),
            Comparison::AtLeast => not(less(&a, &b)),
        })
    }

    /// `and`, `or`, `not`.
    ///
    /// # Errors
    /// An operand is no truth value.
    pub fn logic(&self, op: Op, args: Vec<Expr>) -> Typed<Expr> {
        for e in &args {
            let scalar = self.scalar(e);
            if !matches!(scalar, Scalar::Bool | Scalar::Integer) && !is_literal(e) {
                return wrong(format!("`{}` wants truth values, not {scalar}", op.name()));
            }
        }
        Ok(Expr::op(op, args))
    }

    /// `& | ^ << >>`
    ///
    /// # Errors
    /// The operands are no integers, or of unlike signedness; a literal does not fit.
    pub fn bits(&self, bits: Bits, a: Expr, b: Expr) -> Typed<Expr> {
        if let Some(e) = [&a, &b].into_iter().find(|e| self.scalar(e).is_float()) {
            return wrong(format!("`{}` wants integers, not {}", bits.name(), self.scalar(e)));
        }
        if matches!(bits, Bits::Shl | Bits::Shr) {
            return self.shift(bits, a, b);
        }
        let unlike =
            !is_literal(&a) && !is_literal(&b) && is_signed(self.scalar(&a)) != is_signed(self.scalar(&b));
        if unlike {
            return wrong(format!("`{}` of {} and {}", bits.name(), self.scalar(&a), self.scalar(&b)));
        }
        let (a, b, _) = self.operands(a, b)?;
        Ok(Expr::binary(Op::Bits(bits), a, b))
    }

    /// Only the widths are matched; a literal amount changes nothing.
    fn shift(&self, bits: Bits, a: Expr, b: Expr) -> Typed<Expr> {
        if let Expr::Const(Value::Int(k)) = &b {
            let to = self.scalar(&a);
            self.distance(to, k)?;
            let factor = k
                .to_i64()
                .filter(|k| (0..=WIDEST).contains(k))
                .and_then(|k| 1_i64.checked_shl(u32::try_from(k).ok()?));
            let fits =
                |f: &i64| to.range().is_none_or(|(lo, hi)| lo <= Int::Small(*f) && Int::Small(*f) <= hi);
            // Multiplied and divided, which bounds inference knows about.
            if let Some(factor) = factor.filter(fits) {
                let op = if bits == Bits::Shl { Op::Mul } else { Op::Div };
                return self.arithmetic(op, a, Expr::int(factor));
            }
            return Ok(wrapped(to, Expr::binary(Op::Bits(bits), a, b)));
        }
        let amount = self.scalar(&b);
        let to = widened(if is_literal(&a) { amount } else { self.scalar(&a) }, amount);
        let a = if is_literal(&a) { self.fitting(to, a)? } else { self.cast(to, a) };
        Ok(wrapped(to, Expr::binary(Op::Bits(bits), a, b)))
    }

    /// A literal amount has the width of what is shifted, and is unsigned where it is not below zero.
    pub(super) fn distance(&self, of: Scalar, k: &Int) -> Typed<()> {
        let to = match of {
            Scalar::Bool if *k != Int::Small(-1) => Scalar::Bool,
            Scalar::Signed(w) | Scalar::Unsigned(w) if !k.is_negative() => Scalar::Unsigned(w),
            Scalar::Signed(w) | Scalar::Unsigned(w) => Scalar::Signed(w),
            Scalar::Bool | Scalar::Integer | Scalar::Float(_) => return Ok(()),
        };
        self.fitting(to, Expr::Const(Value::Int(k.clone()))).map(drop)
    }

    /// `~a`
    ///
    /// # Errors
    /// It is no integer.
    pub fn complement(&self, a: Expr) -> Typed<Expr> {
        let to = self.scalar(&a);
        match to {
            Scalar::Float(_) => wrong(format!("`~` wants an integer, not {to}")),
            Scalar::Integer | Scalar::Signed(_) => self.arithmetic(Op::Sub, Expr::int(-1), a),
            Scalar::Bool | Scalar::Unsigned(_) => {
                let most = to.range().map_or(Int::ZERO, |(_, hi)| hi);
                self.arithmetic(Op::Sub, Expr::Const(Value::Int(most)), a)
            }
        }
    }
}

/// What is shifted, when the amount has this type: only the widths are matched.
pub(super) fn widened(from: Scalar, amount: Scalar) -> Scalar {
    match (from, width(from), width(amount)) {
        (Scalar::Signed(_), Some(v), Some(w)) => Scalar::Signed(v.max(w)),
        (_, Some(v), Some(w)) => Scalar::Unsigned(v.max(w)),
        (Scalar::Bool, None, Some(w)) => Scalar::Unsigned(w),
        (from, _, _) => from,
    }
}

fn is_signed(s: Scalar) -> bool {
    match s {
        Scalar::Signed(_) | Scalar::Integer => true,
        Scalar::Bool | Scalar::Unsigned(_) | Scalar::Float(_) => false,
    }
}

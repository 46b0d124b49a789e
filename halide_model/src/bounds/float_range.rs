//! Between which numbers an expression of floating point lies, from its constants: what makes an index of it finite.
//! Spec: [rule: halide.float-range].

use crate::expr::{Access, Expr, Var};
use crate::float::{Float, Precision};
use crate::op::Op;
use crate::op::math::{Math, Unary};
use crate::value::Value;

/// Numbers, and perhaps NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Numbers {
    lo: f64,
    hi: f64,
    nan: bool,
}

/// Ends beyond this are none: indices have 32 bits.
const FAR: f64 = 2_147_483_648.0;

impl Numbers {
    const ALL: Numbers = Numbers { lo: f64::NEG_INFINITY, hi: f64::INFINITY, nan: true };

    /// `a < b ? a : b`: b where one of them is not a number.
    fn min(self, b: Numbers) -> Numbers {
        let hi = if self.nan { b.hi } else { self.hi.min(b.hi) };
        Numbers { lo: self.lo.min(b.lo), hi, nan: b.nan }
    }

    /// `b < a ? a : b`: b where one of them is not a number.
    fn max(self, b: Numbers) -> Numbers {
        let lo = if self.nan { b.lo } else { self.lo.max(b.lo) };
        Numbers { lo, hi: self.hi.max(b.hi), nan: b.nan }
    }

    /// An operation that grows or falls in each operand, of numbers between finite ends. It is rounded in one of the
    /// precisions, and rounding keeps the order.
    fn each(self, b: Numbers, f: fn(f64, f64) -> f64) -> Numbers {
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for (x, y) in [(self.lo, b.lo), (self.lo, b.hi), (self.hi, b.lo), (self.hi, b.hi)] {
            if !(x.is_finite() && y.is_finite()) {
                return Numbers::ALL;
            }
            for precision in [Precision::Single, Precision::Double] {
                let v = Float::new(precision, f(x, y)).value();
                (lo, hi) = (lo.min(v), hi.max(v));
            }
        }
        Numbers { lo, hi, nan: self.nan || b.nan }
    }

    fn has_zero(self) -> bool {
        self.lo <= 0.0 && self.hi >= 0.0
    }

    fn map(self, f: fn(f64) -> f64) -> Numbers {
        Numbers { lo: f(self.lo), hi: f(self.hi), ..self }
    }
}

fn numbers(e: &Expr) -> Numbers {
    let (op, args) = match e {
        Expr::Const(Value::Float(v)) => {
            let nan = v.value().is_nan();
            return if nan { Numbers::ALL } else { Numbers { lo: v.value(), hi: v.value(), nan } };
        }
        Expr::Op(op, args) => (op, args.as_ref()),
        Expr::Const(Value::Int(_) | Value::Tuple(_) | Value::Error(_)) => return Numbers::ALL,
        Expr::Var(_) | Expr::Access(_) => return Numbers::ALL,
    };
    match (op, args) {
        (Op::Min, [a, b]) => numbers(a).min(numbers(b)),
        (Op::Max, [a, b]) => numbers(a).max(numbers(b)),
        (Op::Add, [a, b]) => numbers(a).each(numbers(b), |x, y| x + y),
        (Op::Sub, [a, b]) => numbers(a).each(numbers(b), |x, y| x - y),
        (Op::Mul, [a, b]) => numbers(a).each(numbers(b), |x, y| x * y),
        (Op::Div, [a, b]) if !numbers(b).has_zero() => numbers(a).each(numbers(b), |x, y| x / y),
        (Op::Math(Math::Unary(Unary::Floor)), [a]) => numbers(a).map(f64::floor),
        (Op::Math(Math::Unary(Unary::Ceil)), [a]) => numbers(a).map(f64::ceil),
        (Op::Math(Math::Unary(Unary::Round)), [a]) => numbers(a).map(f64::round_ties_even),
        (Op::Math(Math::Unary(Unary::Trunc)), [a]) => numbers(a).map(f64::trunc),
        _ => Numbers::ALL,
    }
}

/// The least and the greatest integer that `truncate(e)` can be.
pub(crate) fn truncated(e: &Expr) -> Option<(i64, i64)> {
    let Numbers { lo, hi, nan } = numbers(e);
    let whole = |v: f64| (v.abs() < FAR).then(|| Float::new(Precision::Double, v).truncated().to_i64())?;
    let (lo, hi) = (whole(lo)?, whole(hi)?);
    // What is not a number becomes 0.
    Some(if nan { (lo.min(0), hi.max(0)) } else { (lo, hi) })
}

/// More corners than this are not looked at.
const MANY: usize = 8;

/// What an expression of floating point is with each part that varies at one of its ends; nothing varies in what is left. All
/// values lie between those of the corners, if these are finite. None where constants say as much, or nothing does.
pub(crate) fn corners(e: &Expr, is_fixed: &dyn Fn(&Access) -> bool) -> Option<Vec<Expr>> {
    if truncated(e).is_some() {
        return None;
    }
    varied(e, is_fixed)
}

fn varied(e: &Expr, is_fixed: &dyn Fn(&Access) -> bool) -> Option<Vec<Expr>> {
    if stands_still(e, is_fixed) {
        return Some(vec![e.clone()]);
    }
    let of = numbers(e);
    if of.lo.is_finite() && of.hi.is_finite() && !of.nan {
        let precision = precision(e)?;
        return Some([of.lo, of.hi].map(|v| Expr::Const(Value::Float(Float::new(precision, v)))).to_vec());
    }
    let Expr::Op(op, args) = e else { return None };
    match (op, args.as_ref()) {
        (Op::Add | Op::Sub | Op::Mul, [a, b]) => {
            let (a, b) = (varied(a, is_fixed)?, varied(b, is_fixed)?);
            let pairs = a.iter().flat_map(|a| b.iter().map(|b| Expr::binary(*op, a.clone(), b.clone())));
            let all: Vec<Expr> = pairs.collect();
            (all.len() <= MANY).then_some(all)
        }
        // What is divided grows or falls; a divisor may pass 0.
        (Op::Div, [a, b]) if stands_still(b, is_fixed) => {
            let a = varied(a, is_fixed)?;
            Some(a.into_iter().map(|a| Expr::binary(*op, a, b.clone())).collect())
        }
        (Op::Math(Math::Unary(Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc)), [a]) => {
            Some(varied(a, is_fixed)?.into_iter().map(|a| Expr::op(*op, [a])).collect())
        }
        _ => None,
    }
}

/// Whether it is the same everywhere in a run.
fn stands_still(e: &Expr, is_fixed: &dyn Fn(&Access) -> bool) -> bool {
    let mut still = true;
    e.visit(&mut |e| match e {
        Expr::Const(_) | Expr::Op(..) | Expr::Var(Var::Param(_)) => {}
        Expr::Access(a) => still &= is_fixed(a),
        Expr::Var(Var::Local(_) | Var::Loop(..) | Var::Window(..) | Var::Hole(_)) => still = false,
    });
    still
}

/// The precision of what has ends by its constants: that of each of them.
fn precision(e: &Expr) -> Option<Precision> {
    match e {
        Expr::Const(Value::Float(v)) => Some(v.precision),
        Expr::Op(_, args) => args.iter().find_map(precision),
        Expr::Const(Value::Int(_) | Value::Tuple(_) | Value::Error(_)) => None,
        Expr::Var(_) | Expr::Access(_) => None,
    }
}

//! Whether an expression grows with a variable.

use crate::bounds::normal::{Normal, Normalizer};
use crate::expr::{Expr, Var};
use crate::op::Op;

/// How an expression depends on a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Monotonicity {
    /// Not at all.
    Constant,
    /// It never falls when the variable grows.
    Increasing,
    /// It never grows when the variable grows.
    Decreasing,
    /// Neither is known.
    Unknown,
}

impl Monotonicity {
    fn and(self, other: Monotonicity) -> Monotonicity {
        match (self, other) {
            (Monotonicity::Constant, x) | (x, Monotonicity::Constant) => x,
            (Monotonicity::Increasing, Monotonicity::Increasing) => Monotonicity::Increasing,
            (Monotonicity::Decreasing, Monotonicity::Decreasing) => Monotonicity::Decreasing,
            (Monotonicity::Increasing | Monotonicity::Decreasing | Monotonicity::Unknown, _) => {
                Monotonicity::Unknown
            }
        }
    }

    fn times(self, sign: i64) -> Monotonicity {
        match (self, sign) {
            (_, 0) => Monotonicity::Constant,
            (Monotonicity::Increasing, 1..) | (Monotonicity::Decreasing, ..0) => Monotonicity::Increasing,
            (Monotonicity::Decreasing, 1..) | (Monotonicity::Increasing, ..0) => Monotonicity::Decreasing,
            (Monotonicity::Constant | Monotonicity::Unknown, _) => self,
        }
    }
}

/// What is known of signs.
pub(super) struct Signs<'a> {
    pub(super) terms: &'a Normalizer,
    /// Whether something is certainly not negative, by what is known where it is asked.
    pub(super) known: &'a dyn Fn(&Normal) -> bool,
}

impl Signs<'_> {
    fn nonnegative(&self, e: &Expr) -> bool {
        let n = self.terms.normalize(e);
        self.terms.nonnegative(&n) || (self.known)(&n)
    }

    /// 1 or -1 as far as it is known which; 0 where it is not.
    fn sign(&self, e: &Expr) -> i64 {
        if self.nonnegative(e) {
            return 1;
        }
        let n = self.terms.scale(&self.terms.normalize(e), -1);
        if self.terms.nonnegative(&n) || (self.known)(&n) { -1 } else { 0 }
    }
}

/// How a normal form depends on `v`; `signs` says what is certainly not negative.
pub(super) fn monotonicity(n: &Normal, v: Var, signs: &Signs<'_>) -> Monotonicity {
    match n {
        Normal::Min(parts) | Normal::Max(parts) => {
            parts.iter().fold(Monotonicity::Constant, |t, p| t.and(monotonicity(p, v, signs)))
        }
        Normal::Sum(s) => {
            s.terms().iter().fold(Monotonicity::Constant, |t, (a, k)| t.and(atom(a, v, signs).times(*k)))
        }
    }
}

fn atom(e: &Expr, v: Var, signs: &Signs<'_>) -> Monotonicity {
    if !e.mentions(v) {
        return Monotonicity::Constant;
    }
    let (op, args) = match e {
        Expr::Var(_) => return Monotonicity::Increasing,
        Expr::Const(_) | Expr::Access(_) => return Monotonicity::Unknown,
        Expr::Op(op, args) => (op, args.as_ref()),
    };
    let of = |e: &Expr| monotonicity(&signs.terms.normalize(e), v, signs);
    let (a, b) = match args {
        [a, b] => (a, b),
        [c, a, b] if *op == Op::Select && !c.mentions(v) => return of(a).and(of(b)),
        _ => return Monotonicity::Unknown,
    };
    match op {
        Op::Mul => match (a.mentions(v), b.mentions(v)) {
            (true, false) => of(a).times(signs.sign(b)).unless_zero(),
            (false, true) => of(b).times(signs.sign(a)).unless_zero(),
            (true, true) | (false, false) => {
                let grow = signs.nonnegative(a) && signs.nonnegative(b);
                if grow { of(a).and(of(b)).unless_zero() } else { Monotonicity::Unknown }
            }
        },
        Op::Div => match b.as_i64() {
            Some(k) => of(a).times(k.signum()),
            None if !b.mentions(v) && signs.nonnegative(b) => of(a),
            None => Monotonicity::Unknown,
        },
        Op::Min | Op::Max => of(a).and(of(b)),
        Op::Add | Op::Sub | Op::Mod | Op::Select | Op::Not => Monotonicity::Unknown,
        Op::Or | Op::And | Op::Lt | Op::Gt | Op::Eq => Monotonicity::Unknown,
        Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => {
            Monotonicity::Unknown
        }
    }
}

impl Monotonicity {
    /// A factor of unknown sign was given as 0: nothing is known then.
    fn unless_zero(self) -> Monotonicity {
        if self == Monotonicity::Constant { Monotonicity::Unknown } else { self }
    }
}

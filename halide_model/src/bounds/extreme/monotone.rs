//! Whether an expression grows with a variable.

use crate::bounds::normal::{Normal, Normalizer};
use crate::expr::{Expr, Var};
use crate::op::Op;

/// How an expression depends on a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trend {
    /// Not at all.
    Constant,
    /// It never falls when the variable grows.
    Up,
    /// It never grows when the variable grows.
    Down,
    /// Neither is known.
    Unknown,
}

impl Trend {
    fn and(self, other: Trend) -> Trend {
        match (self, other) {
            (Trend::Constant, x) | (x, Trend::Constant) => x,
            (Trend::Up, Trend::Up) => Trend::Up,
            (Trend::Down, Trend::Down) => Trend::Down,
            (Trend::Up | Trend::Down | Trend::Unknown, _) => Trend::Unknown,
        }
    }

    fn times(self, sign: i64) -> Trend {
        match (self, sign) {
            (_, 0) => Trend::Constant,
            (Trend::Up, 1..) | (Trend::Down, ..0) => Trend::Up,
            (Trend::Down, 1..) | (Trend::Up, ..0) => Trend::Down,
            (Trend::Constant | Trend::Unknown, _) => self,
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
pub(super) fn trend(n: &Normal, v: Var, signs: &Signs<'_>) -> Trend {
    match n {
        Normal::Min(parts) | Normal::Max(parts) => {
            parts.iter().fold(Trend::Constant, |t, p| t.and(trend(p, v, signs)))
        }
        Normal::Sum(s) => {
            s.terms().iter().fold(Trend::Constant, |t, (a, k)| t.and(atom(a, v, signs).times(*k)))
        }
    }
}

fn atom(e: &Expr, v: Var, signs: &Signs<'_>) -> Trend {
    if !e.mentions(v) {
        return Trend::Constant;
    }
    let (op, args) = match e {
        Expr::Var(_) => return Trend::Up,
        Expr::Const(_) | Expr::Access(_) => return Trend::Unknown,
        Expr::Op(op, args) => (op, args.as_ref()),
    };
    let of = |e: &Expr| trend(&signs.terms.normalize(e), v, signs);
    let (a, b) = match args {
        [a, b] => (a, b),
        [c, a, b] if *op == Op::Select && !c.mentions(v) => return of(a).and(of(b)),
        _ => return Trend::Unknown,
    };
    match op {
        Op::Mul => match (a.mentions(v), b.mentions(v)) {
            (true, false) => of(a).times(signs.sign(b)).unless_zero(),
            (false, true) => of(b).times(signs.sign(a)).unless_zero(),
            (true, true) | (false, false) => {
                let grow = signs.nonnegative(a) && signs.nonnegative(b);
                if grow { of(a).and(of(b)).unless_zero() } else { Trend::Unknown }
            }
        },
        Op::Div => match b.as_i64() {
            Some(k) => of(a).times(k.signum()),
            None if !b.mentions(v) && signs.nonnegative(b) => of(a),
            None => Trend::Unknown,
        },
        Op::Min | Op::Max => of(a).and(of(b)),
        Op::Add | Op::Sub | Op::Mod | Op::Select | Op::Not => Trend::Unknown,
        Op::Or | Op::And | Op::Lt | Op::Gt | Op::Eq => Trend::Unknown,
    }
}

impl Trend {
    /// A factor of unknown sign was given as 0: nothing is known then.
    fn unless_zero(self) -> Trend {
        if self == Trend::Constant { Trend::Unknown } else { self }
    }
}

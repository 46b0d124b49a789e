//! Expressions in the solver's terms.

use super::Prover;
use crate::bounds::float_range;
use crate::expr::{Access, Expr};
use crate::op::math::Math;
use crate::op::{Bits, Op};
use crate::typed::Scalar;
use std::collections::BTreeSet;
use z3::ast::{Bool, Int};

impl Prover<'_> {
    /// `e != 0`
    pub(super) fn truth(&mut self, e: &Expr) -> Bool {
        match e {
            Expr::Op(op, args) if op.is_truth() => self.judgement(*op, args),
            Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => self.int(e).eq(0).not(),
        }
    }

    /// An operation that gives a truth value. With the wrong number of arguments it may be anything.
    fn judgement(&mut self, op: Op, args: &[Expr]) -> Bool {
        let (a, b) = match args {
            _ if matches!(op, Op::Math(_)) => return self.constant().eq(0),
            [a] if op == Op::Not => return self.truth(a).not(),
            [a, b] => (a, b),
            _ => return self.constant().eq(0),
        };
        match op {
            Op::And => Bool::and(&[self.truth(a), self.truth(b)]),
            Op::Or => Bool::or(&[self.truth(a), self.truth(b)]),
            Op::Lt => self.int(a).lt(self.int(b)),
            Op::Gt => self.int(a).gt(self.int(b)),
            Op::Eq => self.int(a).eq(self.int(b)),
            Op::Not | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod => self.constant().eq(0),
            Op::Select | Op::Min | Op::Max => self.constant().eq(0),
            Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => {
                self.constant().eq(0)
            }
        }
    }

    pub(super) fn int(&mut self, e: &Expr) -> Int {
        match e {
            Expr::Const(v) => match v.to_i64() {
                Some(v) => Int::from_i64(v),
                None => self.constant(),
            },
            Expr::Var(v) => match self.vars.iter().rev().find(|(w, _)| w == v) {
                Some((_, x)) => x.clone(),
                // Out of scope: anything.
                None => self.constant(),
            },
            Expr::Access(a) => self.read(a),
            Expr::Op(op, args) if op.is_truth() => {
                self.judgement(*op, args).ite(&Int::from_i64(1), &Int::from_i64(0))
            }
            Expr::Op(op, args) => self.operation(*op, args),
        }
    }

    /// An operation that gives a number. With the wrong number of arguments it may be anything.
    fn operation(&mut self, op: Op, args: &[Expr]) -> Int {
        let (a, b) = match args {
            // Of numbers of floating point only what their constants say is known.
            _ if matches!(op, Op::Math(_)) => return self.truncated(op, args),
            [a, b] => (a, b),
            [a] => return self.unary(op, a),
            [c, a, b] if op == Op::Select => {
                let (c, a, b) = (self.truth(c), self.int(a), self.int(b));
                return c.ite(&a, &b);
            }
            _ => return self.constant(),
        };
        let (x, y) = (self.int(a), self.int(b));
        match op {
            Op::Add => x + y,
            Op::Sub => x - y,
            Op::Mul => x * y,
            Op::Min => x.le(&y).ite(&x, &y),
            Op::Max => x.le(&y).ite(&y, &x),
            Op::Div => total(x.div(&y), &y, b),
            Op::Mod => total(x.modulo(&y), &y, b),
            Op::Bits(bits) => self.bits(bits, x, &y, b),
            Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq | Op::Select => self.constant(),
            Op::Cast(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => self.constant(),
        }
    }

    fn truncated(&mut self, op: Op, args: &[Expr]) -> Int {
        let v = self.constant();
        if let (Op::Math(Math::Truncate), [a]) = (op, args)
            && let Some((lo, hi)) = float_range::truncated(a)
        {
            self.assume(&Bool::and(&[v.ge(lo), v.le(hi)]), None, BTreeSet::new());
        }
        v
    }

    fn unary(&mut self, op: Op, a: &Expr) -> Int {
        match op {
            Op::Cast(Scalar::Integer) => self.int(a),
            Op::Cast(scalar) => {
                let (x, Some((lo, hi))) = (self.int(a), scalar.range()) else { return self.constant() };
                let size = hi.sub(&lo).add(&crate::int::Int::ONE);
                let [lo, size] = [lo, size].map(|v| v.to_string().parse::<Int>().ok());
                match (lo, size) {
                    (Some(lo), Some(size)) => (x - &lo).modulo(size) + lo,
                    (None, _) | (_, None) => self.constant(),
                }
            }
            Op::Abs => {
                let x = self.int(a);
                x.ge(0).ite(&x, &(-&x))
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select => {
                self.constant()
            }
            Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => self.constant(),
            Op::Bits(_) | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => self.constant(),
        }
    }

    /// Of a mask that is not negative, only that the value is between 0 and it; of other operations, nothing.
    fn bits(&mut self, bits: Bits, x: Int, y: &Int, b: &Expr) -> Int {
        let shift = b
            .as_i64()
            .filter(|k| (0..=62).contains(k))
            .and_then(|k| 1_i64.checked_shl(u32::try_from(k).ok()?));
        match (bits, shift) {
            (Bits::Shl, Some(k)) => x * k,
            (Bits::Shr, Some(k)) => x.div(k),
            (Bits::And, _) => {
                let v = self.constant();
                for mask in [&x, y] {
                    let masked = Bool::and(&[v.ge(0), v.le(mask)]);
                    self.assume(&mask.ge(0).implies(masked), None, BTreeSet::new());
                }
                v
            }
            (Bits::Or | Bits::Xor | Bits::Shl | Bits::Shr, _) => self.constant(),
        }
    }

    fn read(&mut self, a: &Access) -> Int {
        let version = self.versions.get(&a.func).copied().unwrap_or(0);
        let key = (a.func, version, a.args.to_vec());
        if let Some((_, known)) = self.reads.iter().find(|(k, _)| *k == key) {
            return known.clone();
        }
        let x = self.constant();
        for up in [false, true] {
            if let Some(end) = self.ranges.end(a.func, up) {
                let end = self.int(&end);
                self.assume(&if up { x.le(end) } else { x.ge(end) }, None, BTreeSet::new());
            }
        }
        self.reads.push((key, x.clone()));
        x
    }
}

/// SMT-LIB's division is Euclidean; by 0 it is anything, and ours is 0.
fn total(result: Int, by: &Int, divisor: &Expr) -> Int {
    let zero = Int::from_i64(0);
    match divisor.as_i64() {
        Some(0) => zero,
        Some(_) => result,
        None => by.eq(0).ite(&zero, &result),
    }
}

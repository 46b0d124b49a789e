//! What a control expression comes to, operator by operator in the order in which C evaluates it, and where
//! it leaves the type that C computes it in.

use super::env::{Env, factors};
use super::interval::Interval;
use crate::c::tree::{CExpr, InfixOp, UnOp};

/// The types that C computes control in: literals alone stay `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Type {
    /// `int`, of 32 bits.
    Int,
    /// `int_fast32_t`.
    Control,
}

/// What an expression comes to.
#[derive(Clone, Copy, Debug)]
struct Value {
    range: Interval,
    typ: Type,
}

/// An operation whose result may leave its type.
#[derive(Clone, Debug)]
pub(super) struct Overflow {
    /// The operation, its operands included.
    pub(super) expr: CExpr,
    /// What it comes to, when the operands are what they may be.
    pub(super) range: Interval,
}

/// Evaluates expressions and notes what may overflow.
pub(super) struct Eval<'a> {
    env: &'a Env,
    /// What may overflow, operands before what they are operands of.
    pub(super) found: Vec<Overflow>,
    /// Whether there is text of a template in it, whose parts are looked at elsewhere.
    pub(super) has_text: bool,
}

/// The values of a control integer.
pub(super) fn interval(env: &Env, e: &CExpr) -> Interval {
    Eval::new(env).control(e)
}

impl<'a> Eval<'a> {
    pub(super) fn new(env: &'a Env) -> Eval<'a> {
        Eval { env, found: Vec::new(), has_text: false }
    }

    /// A control integer.
    pub(super) fn control(&mut self, e: &CExpr) -> Interval {
        self.value(e).range
    }

    /// A control integer, a truth value, or where data is, for what it does on the way.
    pub(super) fn visit(&mut self, e: &CExpr) {
        self.value(e);
    }

    fn control_typed(range: Interval) -> Value {
        Value { range, typ: Type::Control }
    }

    fn value(&mut self, e: &CExpr) -> Value {
        let full = self.env.width.range();
        match e {
            CExpr::Int(n) => {
                let narrow = i32::try_from(*n).is_ok_and(|n| n != i32::MIN);
                let value =
                    Value { range: Interval::point(*n), typ: if narrow { Type::Int } else { Type::Control } };
                self.checked(e, value)
            }
            CExpr::Var(x) => Eval::control_typed(self.env.var(x)),
            CExpr::Arrow(_, path) => Eval::control_typed(self.env.fields.get(path).copied().unwrap_or(full)),
            CExpr::Index(base, index) => {
                if is_strides(base) {
                    return Eval::control_typed(Interval::new(0, self.env.width.cells()));
                }
                self.data(base);
                self.offset(index);
                Eval::control_typed(full)
            }
            CExpr::Bool(_) => Value { range: Interval::new(0, 1), typ: Type::Int },
            CExpr::Unary(UnOp::Neg, x) => {
                let Value { range, typ } = self.value(x);
                self.checked(e, Value { range: range.negated(), typ })
            }
            CExpr::Unary(UnOp::Not, x) => {
                self.value(x);
                Value { range: Interval::new(0, 1), typ: Type::Int }
            }
            CExpr::Infix(op, l, r) => self.infix(e, *op, l, r),
            CExpr::Call(f, args) => self.call(f, args),
            CExpr::Unary(UnOp::Deref | UnOp::Addr, _)
            | CExpr::Literal(_)
            | CExpr::Raw(_)
            | CExpr::Cond(_)
            | CExpr::Member(..)
            | CExpr::Cast(..)
            | CExpr::Window { .. }
            | CExpr::Sizeof(_) => {
                self.data(e);
                Eval::control_typed(full)
            }
        }
    }

    fn infix(&mut self, e: &CExpr, op: InfixOp, l: &CExpr, r: &CExpr) -> Value {
        match op {
            InfixOp::Add | InfixOp::Sub => {
                let (a, b) = (self.value(l), self.value(r));
                let range = if op == InfixOp::Add { a.range.plus(b.range) } else { a.range.minus(b.range) };
                self.checked(e, Value { range, typ: a.typ.max(b.typ) })
            }
            InfixOp::Mul => {
                let (a, b) = (self.value(l), self.value(r));
                let product = self.bounded(a.range.times(b.range), e);
                self.checked(e, Value { range: product, typ: a.typ.max(b.typ) })
            }
            // C's operators stand where the dividend is not negative.
            InfixOp::Div => self.quotient(l, r, Interval::divided),
            InfixOp::Rem => self.quotient(l, r, Interval::remainder),
            InfixOp::Lt
            | InfixOp::Le
            | InfixOp::Gt
            | InfixOp::Ge
            | InfixOp::Eq
            | InfixOp::And
            | InfixOp::Or => {
                self.value(l);
                self.value(r);
                Value { range: Interval::new(0, 1), typ: Type::Int }
            }
        }
    }

    fn quotient(&mut self, l: &CExpr, r: &CExpr, by: impl FnOnce(Interval, i128) -> Interval) -> Value {
        let (a, b) = (self.value(l), self.value(r));
        Value { range: by(a.range, b.range.lo), typ: a.typ.max(b.typ) }
    }

    /// A helper of the unit: rounding down adds or subtracts no more than the type holds.
    fn call(&mut self, f: &str, args: &[CExpr]) -> Value {
        let values: Vec<Interval> = args.iter().map(|e| self.control(e)).collect();
        let [floor_div, floor_mod] = &self.env.helpers;
        let range = match values.as_slice() {
            [a, b] if f == floor_div => a.divided(b.lo),
            [a, b] if f == floor_mod => a.remainder(b.lo),
            _ => self.env.width.range(),
        };
        Eval::control_typed(range)
    }

    /// A product, where a buffer that exists bounds it.
    fn bounded(&self, product: Interval, e: &CExpr) -> Interval {
        if product.is_within(self.env.width.range()) {
            return product;
        }
        match self.env.most(&factors(e)) {
            Some(most) => product.meet(Interval::new(0, most)),
            None => product,
        }
    }

    /// Notes the operation, when its result may leave the type; what is computed further begins inside.
    fn checked(&mut self, e: &CExpr, value: Value) -> Value {
        let range = match value.typ {
            Type::Int => Interval::new(i32::MIN.into(), i32::MAX.into()),
            Type::Control => self.env.width.range(),
        };
        if value.range.is_within(range) {
            return value;
        }
        self.found.push(Overflow { expr: e.clone(), range: value.range });
        Value { range: value.range.meet(range), typ: value.typ }
    }

    /// The index of a cell, or of the first cell of a part, of a buffer without dimensions. What is indexed has
    /// been proved to be in bounds, and that bounds the sum and, as far as they have the same sign, its
    /// terms. A product of two or more variables is an index times its stride, and so no larger than
    /// the buffer.
    pub(super) fn offset(&mut self, e: &CExpr) {
        let mut terms = Vec::new();
        flatten(e, false, &mut terms);
        let most = self.most_added(&terms);
        let mut prefix = Interval::point(0_i128);
        let mut typ = Type::Int;
        for (k, t) in terms.iter().enumerate() {
            let value = self.term(t.term, most.filter(|_| !t.is_subtracted));
            prefix = if t.is_subtracted { prefix.minus(value.range) } else { prefix.plus(value.range) };
            prefix.hi = most.map_or(prefix.hi, |most| prefix.hi.min(most));
            typ = typ.max(value.typ);
            if k > 0 {
                prefix = self.checked(t.sum, Value { range: prefix, typ }).range;
            }
        }
    }

    /// What is added in an offset is together at most this, where none of it is negative: the offset, and
    /// what is subtracted. More dimensions than [`super::Width::parts`] counts are left to the intervals.
    fn most_added(&self, terms: &[Term<'_>]) -> Option<i128> {
        if terms.len() > super::PARTS {
            return None;
        }
        let value = |t: &Term<'_>| Eval::new(self.env).term(t.term, None).range;
        let (subtracted, added): (Vec<&Term<'_>>, Vec<_>) = terms.iter().partition(|t| t.is_subtracted);
        let is_positive = added.into_iter().all(|t| value(t).lo >= 0);
        let start = self.env.width.parts();
        is_positive
            .then(|| subtracted.into_iter().fold(start, |sum, t| sum.saturating_add(value(t).hi.max(0))))
    }

    /// A term of an offset, which is at most `most`.
    fn term(&mut self, e: &CExpr, most: Option<i128>) -> Value {
        let CExpr::Infix(InfixOp::Mul, l, r) = e else { return self.value(e) };
        let (a, b) = (self.value(l), self.value(r));
        let mut range = a.range.times(b.range);
        range.hi = most.map_or(range.hi, |most| range.hi.min(most));
        if unknowns(e) > 1 {
            range = range.meet(Interval::around(self.env.width.cells()));
        }
        self.checked(e, Value { range, typ: a.typ.max(b.typ) })
    }

    /// An expression that is no control integer: what is computed in it to find cells.
    pub(super) fn data(&mut self, e: &CExpr) {
        match e {
            CExpr::Int(_) | CExpr::Literal(_) | CExpr::Bool(_) | CExpr::Var(_) | CExpr::Sizeof(_) => {}
            CExpr::Raw(_) => self.has_text = true,
            CExpr::Unary(_, e) | CExpr::Member(e, _) | CExpr::Arrow(e, _) | CExpr::Cast(_, e) => self.data(e),
            CExpr::Infix(_, l, r) => {
                self.data(l);
                self.data(r);
            }
            CExpr::Cond(parts) => parts.iter().for_each(|e| self.data(e)),
            CExpr::Call(_, args) => args.iter().for_each(|e| self.data(e)),
            CExpr::Index(base, index) => {
                if !is_strides(base) {
                    self.data(base);
                    self.offset(index);
                }
            }
            CExpr::Window { tag: _, data, strides } => {
                self.data(data);
                strides.iter().for_each(|e| {
                    self.value(e);
                });
            }
        }
    }
}

/// How many factors of a product are no literals.
fn unknowns(e: &CExpr) -> usize {
    if let CExpr::Infix(InfixOp::Mul, l, r) = e {
        return unknowns(l).saturating_add(unknowns(r));
    }
    usize::from(!matches!(e, CExpr::Int(_)))
}

/// Whether this is the array of strides in the struct of a window.
fn is_strides(base: &CExpr) -> bool {
    matches!(base, CExpr::Member(_, name) if name == "strides")
}

/// A term of a sum.
struct Term<'e> {
    term: &'e CExpr,
    is_subtracted: bool,
    /// The sum up to here.
    sum: &'e CExpr,
}

/// The terms of a sum in the order in which C adds them.
fn flatten<'e>(e: &'e CExpr, is_subtracted: bool, out: &mut Vec<Term<'e>>) {
    if let CExpr::Infix(op @ (InfixOp::Add | InfixOp::Sub), l, r) = e {
        flatten(l, is_subtracted, out);
        out.push(Term { term: r, is_subtracted: *op == InfixOp::Sub, sum: e });
    } else {
        out.push(Term { term: e, is_subtracted, sum: e });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::range::Width;
    use std::sync::Arc;

    /// `x` of shape `n * m`, an iteration `i` of `n` and `j` of `m`; `p` and `q` are not negative, and `z` is anything.
    fn env() -> Env {
        let mut env =
            Env::new(Width::Narrow, Arc::default(), ["floor_div".to_owned(), "floor_mod".to_owned()]);
        let most = i128::from(i32::MAX);
        for (x, lo) in [("n", 1), ("m", 1), ("p", 0), ("q", 0)] {
            env.bind(x, Interval::new(lo, most));
        }
        env.bind("z", Width::Narrow.range());
        env.exists(&[CExpr::var("n"), CExpr::var("m")], true);
        for (x, of) in [("i", "n"), ("j", "m")] {
            env.bind(x, Interval::new(0, env.var(of).hi - 1));
        }
        env
    }

    fn binary(op: InfixOp) -> impl Fn(CExpr, CExpr) -> CExpr {
        move |l, r| CExpr::infix(op, l, r)
    }

    /// How many operations of an index may leave the type.
    fn overflows(index: CExpr) -> usize {
        let env = env();
        let mut eval = Eval::new(&env);
        eval.data(&CExpr::Index(Box::new(CExpr::var("x")), Box::new(index)));
        eval.found.len()
    }

    #[test]
    fn an_offset_is_bounded_by_the_buffer() {
        let v = |x: &str| CExpr::var(x);
        let (add, sub, mul) = (binary(InfixOp::Add), binary(InfixOp::Sub), binary(InfixOp::Mul));
        let huge = || CExpr::Int(i32::MAX.into());
        assert_eq!(overflows(v("z")), 0);
        assert_eq!(overflows(add(mul(v("m"), v("i")), v("j"))), 0, "a row and a column");
        assert_eq!(overflows(add(v("p"), v("q"))), 0, "terms of one sign are no larger than their sum");
        assert_eq!(overflows(add(v("z"), v("p"))), 1, "a term may be negative");
        assert_eq!(overflows(add(add(v("z"), v("p")), v("q"))), 2, "and each sum is looked at");
        assert_eq!(overflows(sub(v("z"), v("p"))), 1, "what is subtracted may be large");
        assert_eq!(overflows(sub(add(v("p"), v("q")), huge())), 1, "what is added is larger than the offset");
        assert_eq!(overflows(sub(add(v("p"), v("q")), v("j"))), 0, "by what is subtracted, which is small");
        let half = || CExpr::Int(i64::from(i32::MAX / 2) + 10);
        assert_eq!(overflows(sub(add(v("p"), v("q")), half())), 1, "and an offset has eight parts");
        assert_eq!(overflows(mul(CExpr::Int(2), v("z"))), 1, "a multiple of one variable");
        assert_eq!(overflows(mul(CExpr::Int(2), v("p"))), 0, "which is the whole offset");
        let many = (0..9).map(|_| v("p")).reduce(&add).unwrap();
        assert_eq!(overflows(many), 8, "more dimensions than are counted");
        let eight = (0..8).map(|_| v("p")).reduce(&add).unwrap();
        assert_eq!(overflows(eight), 0);
    }

    /// What a product of a buffer's extents comes to, and another product.
    #[test]
    fn products_of_extents_are_bounded() {
        let (env, mul) = (env(), binary(InfixOp::Mul));
        let of = |l, r| interval(&env, &mul(CExpr::var(l), CExpr::var(r)));
        assert_eq!(of("n", "m"), Interval::new(1, Width::Narrow.cells()));
        assert!(of("p", "q").is_within(Width::Narrow.range()), "what is computed further begins inside");
        assert_ne!(of("p", "q"), of("n", "m"));
    }
}

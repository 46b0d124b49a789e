//! A normal form of expressions: minima and maxima outside, below them sums of products with integer factors.
//! Equal sums cancel, so the two ends of a tile that differ by a constant are seen to do so.

use crate::expr::{Access, End, Expr, Hole, Interval, Var};
use crate::op::{Bits, Op};
use crate::value::{Value, apply};

mod memo;
mod sum;

pub use memo::Normalizer;
pub use sum::Sum;

/// A minimum or a maximum of at least two, or a sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Normal {
    /// A sum.
    Sum(Sum),
    /// The least of these.
    Min(Vec<Normal>),
    /// The greatest of these.
    Max(Vec<Normal>),
}

/// How many sums a minimum or maximum may have after distribution.
const MAX_LEAVES: usize = 12;

/// How many parts of a minimum that bounds from above (of a maximum that bounds from below) are kept.
const MAX_PARTS: usize = 3;

/// The expression in normal form: equal in every state.
pub fn simplify(e: &Expr) -> Expr {
    Normalizer::default().simplify(e)
}

impl Normal {
    /// An integer.
    pub fn constant(c: i64) -> Normal {
        Normal::Sum(Sum::of_constant(c))
    }

    /// One atom, left as it is.
    pub fn opaque(e: Expr) -> Normal {
        Normal::Sum(Sum::atom(e))
    }

    /// As an expression.
    pub fn to_expr(&self) -> Expr {
        let fold = |op, parts: &[Normal]| {
            let folded = parts.iter().map(Normal::to_expr).reduce(|a, b| Expr::binary(op, a, b));
            folded.unwrap_or(Expr::int(0))
        };
        match self {
            Normal::Sum(s) => s.to_expr(),
            Normal::Min(parts) => fold(Op::Min, parts),
            Normal::Max(parts) => fold(Op::Max, parts),
        }
    }

    /// How many nodes it has as an expression, about.
    pub fn size(&self) -> usize {
        match self {
            Normal::Sum(s) => 1 + s.atoms().map(|a| 2 + a.size()).sum::<usize>(),
            Normal::Min(parts) | Normal::Max(parts) => parts.iter().map(Normal::size).sum(),
        }
    }

    /// How many sums it has.
    pub fn leaves(&self) -> usize {
        match self {
            Normal::Sum(_) => 1,
            Normal::Min(parts) | Normal::Max(parts) => parts.iter().map(Normal::leaves).sum(),
        }
    }

    /// The same value as one atom.
    fn boxed(n: &Normal) -> Normal {
        match n {
            Normal::Sum(_) => n.clone(),
            Normal::Min(_) | Normal::Max(_) => Normal::opaque(n.to_expr()),
        }
    }

    /// Whether `v` occurs.
    pub fn mentions(&self, v: Var) -> bool {
        match self {
            Normal::Sum(s) => s.atoms().any(|a| a.mentions(v)),
            Normal::Min(parts) | Normal::Max(parts) => parts.iter().any(|p| p.mentions(v)),
        }
    }
}

impl Normalizer {
    /// The expression in normal form: equal in every state.
    pub fn simplify(&self, e: &Expr) -> Expr {
        self.normalize(e).to_expr()
    }

    /// `a <= b` for certain, whatever lengths and other things that are not negative are.
    pub fn at_most(&self, a: &Expr, b: &Expr) -> bool {
        self.not_more(&self.normalize(a), &self.normalize(b))
    }

    /// `a + b`, distributed over minima and maxima while they stay small.
    #[must_use]
    pub fn add(&self, a: &Normal, b: &Normal) -> Normal {
        match (a, b) {
            (Normal::Sum(x), Normal::Sum(y)) => match x.add(y) {
                Some(sum) => Normal::Sum(sum),
                None => Normal::opaque(Expr::binary(Op::Add, x.to_expr(), y.to_expr())),
            },
            _ if a.leaves() * b.leaves() > MAX_LEAVES => self.add(&Normal::boxed(a), &Normal::boxed(b)),
            (Normal::Min(parts), _) => self.minimum(parts.iter().map(|p| self.add(p, b)).collect()),
            (Normal::Max(parts), _) => self.maximum(parts.iter().map(|p| self.add(p, b)).collect()),
            (Normal::Sum(_), Normal::Min(parts)) => {
                self.minimum(parts.iter().map(|p| self.add(a, p)).collect())
            }
            (Normal::Sum(_), Normal::Max(parts)) => {
                self.maximum(parts.iter().map(|p| self.add(a, p)).collect())
            }
        }
    }

    /// `k·n`
    #[must_use]
    pub fn scale(&self, n: &Normal, k: i64) -> Normal {
        match n {
            Normal::Sum(s) => match s.scale(k) {
                Some(s) => Normal::Sum(s),
                None => Normal::opaque(Expr::binary(Op::Mul, Expr::int(k), s.to_expr())),
            },
            _ if k == 0 => Normal::constant(0),
            Normal::Min(parts) | Normal::Max(parts) => {
                let scaled = parts.iter().map(|p| self.scale(p, k)).collect();
                if matches!(n, Normal::Min(_)) == (k > 0) {
                    self.minimum(scaled)
                } else {
                    self.maximum(scaled)
                }
            }
        }
    }

    /// `[by/v]n`: only what mentions `v` is brought into normal form again.
    #[must_use]
    pub fn replaced(&self, n: &Normal, v: Var, by: &Normal) -> Normal {
        if !n.mentions(v) {
            return n.clone();
        }
        match n {
            Normal::Sum(s) => {
                let kept = s.select(|a, _| !a.mentions(v), |k| k, s.constant);
                let value = std::cell::OnceCell::new();
                let changed = s.terms().iter().filter(|(a, _)| a.mentions(v)).map(|(a, k)| {
                    if *a == Expr::Var(v) {
                        return self.scale(by, *k);
                    }
                    let value = value.get_or_init(|| by.to_expr());
                    let new = a.substitute(&|w| (w == v).then(|| value.clone()));
                    self.scale(&self.normalize(&new), *k)
                });
                changed.fold(Normal::Sum(kept), |sum, term| self.add(&sum, &term))
            }
            Normal::Min(parts) => self.minimum(parts.iter().map(|p| self.replaced(p, v, by)).collect()),
            Normal::Max(parts) => self.maximum(parts.iter().map(|p| self.replaced(p, v, by)).collect()),
        }
    }

    /// Something that is at least (`up`) or at most `n`, with few parts where parts can be left out.
    #[must_use]
    pub fn trimmed(&self, n: &Normal, up: bool) -> Normal {
        match n {
            Normal::Sum(_) => n.clone(),
            Normal::Min(parts) | Normal::Max(parts) => {
                let least = matches!(n, Normal::Min(_));
                let mut parts: Vec<Normal> = parts.iter().map(|p| self.trimmed(p, up)).collect();
                if least == up && parts.len() > MAX_PARTS {
                    parts.sort_by_key(|p| p.to_expr().size());
                    parts.truncate(MAX_PARTS);
                }
                if least { self.minimum(parts) } else { self.maximum(parts) }
            }
        }
    }

    /// The least of these: what another one never exceeds is dropped.
    pub fn minimum(&self, parts: Vec<Normal>) -> Normal {
        self.extremum(parts, true)
    }

    /// The greatest of these.
    pub fn maximum(&self, parts: Vec<Normal>) -> Normal {
        self.extremum(parts, false)
    }

    fn extremum(&self, parts: Vec<Normal>, least: bool) -> Normal {
        let mut flat: Vec<Normal> = Vec::new();
        for p in parts {
            match p {
                Normal::Min(inner) if least => flat.extend(inner),
                Normal::Max(inner) if !least => flat.extend(inner),
                Normal::Sum(_) | Normal::Min(_) | Normal::Max(_) => flat.push(p),
            }
        }
        flat.sort();
        flat.dedup();
        let many = flat.iter().map(Normal::leaves).sum::<usize>() > 2 * MAX_LEAVES;
        let mut kept: Vec<Normal> = Vec::new();
        for p in flat {
            if many {
                kept.push(p);
                continue;
            }
            let beats =
                |a: &Normal, b: &Normal| if least { self.not_more(a, b) } else { self.not_more(b, a) };
            if kept.iter().any(|k| beats(k, &p)) {
                continue;
            }
            kept.retain(|k| !beats(&p, k));
            kept.push(p);
        }
        kept.sort();
        match (kept.len(), kept.pop()) {
            (1, Some(only)) => only,
            (_, Some(last)) => {
                kept.push(last);
                if least { Normal::Min(kept) } else { Normal::Max(kept) }
            }
            (_, None) => Normal::constant(0),
        }
    }

    /// `a <= b` for certain, part by part.
    pub(super) fn not_more(&self, a: &Normal, b: &Normal) -> bool {
        match (a, b) {
            (Normal::Sum(x), Normal::Sum(y)) => {
                if x.atoms().chain(y.atoms()).any(is_quotient) {
                    y.plus(-1, x).is_some_and(|d| self.sum_nonnegative(&d))
                } else {
                    y.covers(x, |a| self.never_negative(a))
                }
            }
            _ if a == b => true,
            _ if a.leaves() * b.leaves() > MAX_LEAVES => false,
            (Normal::Max(parts), _) => parts.iter().all(|p| self.not_more(p, b)),
            (_, Normal::Min(parts)) => parts.iter().all(|p| self.not_more(a, p)),
            (Normal::Min(parts), _) => parts.iter().any(|p| self.not_more(p, b)),
            (_, Normal::Max(parts)) => parts.iter().any(|p| self.not_more(a, p)),
        }
    }

    /// Whether it is certainly not negative.
    pub fn nonnegative(&self, n: &Normal) -> bool {
        match n {
            Normal::Sum(s) => self.sum_nonnegative(s),
            Normal::Min(parts) => parts.iter().all(|p| self.nonnegative(p)),
            Normal::Max(parts) => parts.iter().any(|p| self.nonnegative(p)),
        }
    }

    /// Whether it is certainly negative, because its atoms have constant bounds.
    pub fn negative(&self, n: &Normal) -> bool {
        match n {
            Normal::Sum(s) => {
                let mut ends = s.terms().iter().map(|(a, k)| self.most(a, *k));
                let most = ends.try_fold(s.constant, |sum, end| sum.checked_add(end?));
                most.is_some_and(|most| most < 0)
            }
            Normal::Min(parts) => parts.iter().any(|p| self.negative(p)),
            Normal::Max(parts) => parts.iter().all(|p| self.negative(p)),
        }
    }

    /// A constant that `k·a` is at most.
    fn most(&self, a: &Expr, k: i64) -> Option<i64> {
        if k < 0 {
            return self.never_negative(a).then_some(0);
        }
        let Expr::Op(op, args) = a else { return None };
        if *op == Op::Mod {
            let modulus = args.get(1).and_then(Expr::as_i64).filter(|m| *m > 0)?;
            return k.checked_mul(modulus - 1);
        }
        op.is_truth().then_some(k)
    }

    /// Replaces quotients by what they are at least (`k·(x div k) >= x - k + 1`) or at most, then looks at signs.
    fn sum_nonnegative(&self, s: &Sum) -> bool {
        let mut rest = s.clone();
        for _ in 0..4 {
            if rest.constant >= 0 && rest.terms().iter().all(|(a, k)| *k >= 0 && self.never_negative(a)) {
                return true;
            }
            let quotient =
                rest.terms().iter().find_map(|(a, k)| self.below_quotient(a, *k).map(|low| (a, low)));
            let Some((atom, low)) = quotient else { return false };
            let Some(lower) = rest.without(atom).add(&low) else { return false };
            rest = lower;
        }
        false
    }

    /// Something that `k·(x div c)` is at least, when that is affine.
    fn below_quotient(&self, a: &Expr, k: i64) -> Option<Sum> {
        let Expr::Op(Op::Div, args) = a else { return None };
        let [x, c] = args.as_ref() else { return None };
        let c = c.as_i64().filter(|c| *c > 0)?;
        if k % c != 0 {
            return None;
        }
        let Normal::Sum(x) = self.normalize(x) else { return None };
        let scaled = x.scale(k / c)?;
        if k > 0 { scaled.add(&Sum::of_constant((k / c).checked_mul(1 - c)?)) } else { Some(scaled) }
    }

    /// Whether an atom is never negative: lengths, remainders, truth values.
    fn never_negative(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(v) => v.to_i64().is_some_and(|v| v >= 0),
            Expr::Var(v) => match v {
                Var::Window(_, end) | Var::Hole(Hole { end, .. }) => *end == End::Len,
                Var::Param(_) | Var::Local(_) | Var::Loop(..) => false,
            },
            Expr::Access(_) => false,
            Expr::Op(op, args) => match op {
                Op::Mod | Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => true,
                // A sum is an atom only where its factors do not fit: it is its own normal form.
                Op::Add | Op::Mul | Op::Div | Op::Min => {
                    self.sign_of(e, || args.iter().all(|a| self.nonnegative(&self.normalize(a))))
                }
                Op::Sub => false,
                Op::Max => self.sign_of(e, || args.iter().any(|a| self.nonnegative(&self.normalize(a)))),
                Op::Cast(scalar) => scalar.range().is_some_and(|(lo, _)| !lo.is_negative()),
                Op::Bits(Bits::And) => {
                    self.sign_of(e, || args.iter().any(|a| self.nonnegative(&self.normalize(a))))
                }
                Op::Abs => true,
                Op::Math(m) => m.is_truth(),
                Op::Tuple(_) | Op::Elem(_) => false,
                Op::Bits(Bits::Or | Bits::Xor | Bits::Shl | Bits::Shr) => false,
                Op::Select => {
                    self.sign_of(e, || args.iter().skip(1).all(|a| self.nonnegative(&self.normalize(a))))
                }
            },
        }
    }

    /// The normal form.
    pub fn normalize(&self, e: &Expr) -> Normal {
        match e {
            Expr::Const(Value::Int(v)) => {
                v.to_i64().map_or_else(|| Normal::opaque(e.clone()), Normal::constant)
            }
            Expr::Const(Value::Float(_) | Value::Tuple(_) | Value::Error(_)) | Expr::Var(_) => {
                Normal::opaque(e.clone())
            }
            Expr::Access(a) => {
                let args = a.args.iter().map(|a| self.simplify(a)).collect();
                Normal::opaque(Expr::Access(Access { args, ..a.clone() }))
            }
            Expr::Op(op, args) => match op {
                // What depends on numbers of floating point is left as it is.
                Op::Math(_) | Op::Tuple(_) => Normal::opaque(e.clone()),
                Op::Elem(_) => {
                    Normal::opaque(Expr::op(*op, args.iter().map(|a| self.simplify(a)).collect::<Vec<_>>()))
                }
                Op::Add | Op::Sub | Op::Mul | Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => {
                    self.operation(*op, args)
                }
                Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select | Op::Cast(_) | Op::Bits(_) | Op::Abs => {
                    self.form_of(e, || self.operation(*op, args))
                }
            },
        }
    }

    fn operation(&self, op: Op, args: &[Expr]) -> Normal {
        let (a, b) = match args {
            [a, b] => (a, b),
            [c, a, b] if op == Op::Select => return self.selection(c, a, b),
            _ => return self.folded(op, args),
        };
        match op {
            Op::Add => self.add(&self.normalize(a), &self.normalize(b)),
            Op::Sub => self.add(&self.normalize(a), &self.scale(&self.normalize(b), -1)),
            Op::Mul => self.product(&self.normalize(a), &self.normalize(b)),
            Op::Min => self.minimum(vec![self.normalize(a), self.normalize(b)]),
            Op::Max => self.maximum(vec![self.normalize(a), self.normalize(b)]),
            Op::Div => self.quotient(a, b),
            Op::Mod => self.remainder(a, b),
            Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq | Op::Select => self.folded(op, args),
            Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => {
                self.folded(op, args)
            }
        }
    }

    /// The operation on simplified arguments, computed when they are constants.
    fn folded(&self, op: Op, args: &[Expr]) -> Normal {
        let args: Vec<Expr> = args.iter().map(|a| self.simplify(a)).collect();
        let values: Vec<Value> = args.iter().filter_map(|a| a.as_i64().map(Value::int)).collect();
        if values.len() == args.len()
            && let Some(v) = apply(op, &values).and_then(|v| v.to_i64())
        {
            return Normal::constant(v);
        }
        Normal::opaque(Expr::op(op, args))
    }

    fn product(&self, a: &Normal, b: &Normal) -> Normal {
        match (a, b) {
            (Normal::Sum(x), _) if x.as_constant().is_some() => self.scale(b, x.constant),
            (_, Normal::Sum(y)) if y.as_constant().is_some() => self.scale(a, y.constant),
            (Normal::Sum(x), Normal::Sum(y)) if x.terms().len() * y.terms().len() <= MAX_LEAVES => {
                expanded(x, y).unwrap_or_else(|| self.folded(Op::Mul, &[x.to_expr(), y.to_expr()]))
            }
            _ => self.folded(Op::Mul, &[a.to_expr(), b.to_expr()]),
        }
    }

    /// `(k·q + x) div k = q + x div k` for `k > 0`; by 0 it is 0.
    fn quotient(&self, a: &Expr, b: &Expr) -> Normal {
        let k = match self.simplify(b).as_i64() {
            Some(0) => return Normal::constant(0),
            Some(k) if k > 0 => k,
            Some(_) | None if self.simplify(a).as_i64() == Some(0) => return Normal::constant(0),
            Some(_) | None => return self.folded(Op::Div, &[a.clone(), b.clone()]),
        };
        let over =
            |parts: &[Normal]| parts.iter().map(|p| self.quotient(&p.to_expr(), &Expr::int(k))).collect();
        let sum = match self.normalize(a) {
            // Quotients by a positive number grow with what is divided.
            Normal::Min(parts) => return self.minimum(over(&parts)),
            Normal::Max(parts) => return self.maximum(over(&parts)),
            Normal::Sum(sum) => sum,
        };
        let (whole, rest) = divide(&sum, k);
        let part = match rest.as_constant() {
            Some(c) => Normal::constant(c.div_euclid(k)),
            None => Normal::opaque(Expr::binary(Op::Div, rest.to_expr(), Expr::int(k))),
        };
        self.add(&Normal::Sum(whole), &part)
    }

    /// `(k·q + x) mod k = x mod k` for `k > 0`; by 0 it is 0.
    fn remainder(&self, a: &Expr, b: &Expr) -> Normal {
        let divisor = self.simplify(b).as_i64();
        if divisor == Some(0) {
            return Normal::constant(0);
        }
        let (Some(k), Normal::Sum(sum)) = (divisor.filter(|k| *k > 0), self.normalize(a)) else {
            return self.folded(Op::Mod, &[a.clone(), b.clone()]);
        };
        let (_, rest) = divide(&sum, k);
        match rest.as_constant() {
            Some(c) => Normal::constant(c.rem_euclid(k)),
            None => Normal::opaque(Expr::binary(Op::Mod, rest.to_expr(), Expr::int(k))),
        }
    }

    fn selection(&self, c: &Expr, a: &Expr, b: &Expr) -> Normal {
        let (a, b) = (self.normalize(a), self.normalize(b));
        match self.simplify(c).as_i64() {
            Some(c) => {
                if c == 0 {
                    b
                } else {
                    a
                }
            }
            None if a == b => a,
            None => self.folded(Op::Select, &[c.clone(), a.to_expr(), b.to_expr()]),
        }
    }

    /// Both ends simplified.
    pub fn simplify_interval(&self, i: &Interval) -> Interval {
        Interval { min: self.simplify(&i.min), len: self.simplify(&i.len) }
    }
}

fn is_quotient(e: &Expr) -> bool {
    matches!(e, Expr::Op(Op::Div, args) if args.get(1).and_then(Expr::as_i64).is_some())
}

/// The product of two sums as a sum of products.
fn expanded(x: &Sum, y: &Sum) -> Option<Normal> {
    let mut out = Sum::of_constant(x.constant.checked_mul(y.constant)?);
    let atoms = |s: &Sum| s.select(|_, _| true, |k| k, 0);
    out = out.plus(y.constant, &atoms(x))?;
    out = out.plus(x.constant, &atoms(y))?;
    for (a, k) in x.terms() {
        for (b, l) in y.terms() {
            let mut factors = factors(a);
            factors.extend(self::factors(b));
            factors.sort();
            let atom = factors.into_iter().reduce(|a, b| Expr::binary(Op::Mul, a, b))?;
            out = out.add(&Sum::atom(atom).scale(k.checked_mul(*l)?)?)?;
        }
    }
    Some(Normal::Sum(out))
}

/// The factors of a product.
pub fn factors(e: &Expr) -> Vec<Expr> {
    if let Expr::Op(Op::Mul, args) = e {
        return args.iter().flat_map(factors).collect();
    }
    vec![e.clone()]
}

/// `sum = k·whole + rest`, with the terms of `rest` as they were and its constant in `0..k`.
fn divide(sum: &Sum, k: i64) -> (Sum, Sum) {
    let even = |_: &Expr, c: i64| c % k == 0;
    let whole = sum.select(even, |c| c / k, sum.constant.div_euclid(k));
    let rest = sum.select(|a, c| !even(a, c), |c| c, sum.constant.rem_euclid(k));
    (whole, rest)
}

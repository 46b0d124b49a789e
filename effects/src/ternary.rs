//! Ternary logic: Kleene's strong three-valued logic, and a direct evaluator of effect expressions.
//! PLDI'22 §5.1 and App. B; spec: [rule: ternary].
//!
//! The evaluator is the reference that the solver's encoding into pairs is held against.

use crate::effexpr::{CmpOp, EffExpr, Node, Sort, Var};
use rewright_semantics::sym::Sym;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// A truth value: true, false, or unknown (⊥).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// Definitely false.
    False,
    /// ⊥: could be either.
    Unknown,
    /// Definitely true.
    True,
}

impl Truth {
    /// All three, in the order of truth.
    pub const ALL: [Truth; 3] = [Truth::False, Truth::Unknown, Truth::True];

    /// D: whether it is definitely true. PLDI'22 §5.1.
    pub fn definitely(self) -> bool {
        match self {
            Truth::True => true,
            Truth::Unknown | Truth::False => false,
        }
    }

    /// M: whether it may be true. PLDI'22 §5.1.
    pub fn maybe(self) -> bool {
        match self {
            Truth::True | Truth::Unknown => true,
            Truth::False => false,
        }
    }

    /// Conjunction: the lesser in the order false < ⊥ < true.
    #[must_use]
    pub fn and(self, other: Truth) -> Truth {
        self.min(other)
    }

    /// Disjunction: the greater in the order false < ⊥ < true.
    #[must_use]
    pub fn or(self, other: Truth) -> Truth {
        self.max(other)
    }

    /// Implication: `not self or other`.
    #[must_use]
    pub fn implies(self, other: Truth) -> Truth {
        (!self).or(other)
    }

    /// Equality of truth values: ⊥ when either is.
    #[must_use]
    pub fn iff(self, other: Truth) -> Truth {
        if self == Truth::Unknown || other == Truth::Unknown {
            Truth::Unknown
        } else {
            Truth::from(self == other)
        }
    }
}

impl From<bool> for Truth {
    fn from(b: bool) -> Truth {
        if b { Truth::True } else { Truth::False }
    }
}

impl std::ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
            Truth::True => Truth::False,
        }
    }
}

/// The value of an effect expression: an integer or ⊥, or a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TernaryValue {
    /// An integer; `None` is ⊥.
    Int(Option<i128>),
    /// A truth value.
    Bool(Truth),
}

impl TernaryValue {
    /// ⊥ of a sort.
    pub fn unknown(sort: Sort) -> TernaryValue {
        match sort {
            Sort::Int => TernaryValue::Int(None),
            Sort::Bool => TernaryValue::Bool(Truth::Unknown),
        }
    }

    fn int(self) -> Option<i128> {
        match self {
            TernaryValue::Int(v) => v,
            TernaryValue::Bool(_) => None,
        }
    }

    fn truth(self) -> Truth {
        match self {
            TernaryValue::Bool(t) => t,
            TernaryValue::Int(_) => Truth::Unknown,
        }
    }
}

/// Values of the free variables. A variable without a value is ⊥.
pub type Assignment = BTreeMap<Var, TernaryValue>;

/// The value of `ee`, quantifiers ranging over `domain`. App. B, by its meaning and not by its encoding.
///
/// An integer beyond 128 bits is ⊥.
pub fn eval(ee: &EffExpr, assignment: &Assignment, domain: Range<i64>) -> TernaryValue {
    eval_within(ee, assignment, domain, u64::MAX)
}

/// The same, visiting at most `fuel` nodes: what is not reached counts as ⊥, so the result may say less.
pub fn eval_within(ee: &EffExpr, assignment: &Assignment, domain: Range<i64>, fuel: u64) -> TernaryValue {
    let known = FxHashMap::default();
    Evaluator { assignment: assignment.clone(), domain, fuel, binders: 0, known }.eval(ee)
}

/// Expressions of at least this size are evaluated once.
const WORTH_KNOWING: u64 = 16;

struct Evaluator {
    assignment: Assignment,
    domain: Range<i64>,
    fuel: u64,
    /// How many quantifiers are open.
    binders: u32,
    /// Values of shared parts, outside of quantifiers: there they are the same wherever a part occurs.
    known: FxHashMap<usize, TernaryValue>,
}

impl Evaluator {
    fn eval(&mut self, ee: &EffExpr) -> TernaryValue {
        if self.fuel == 0 {
            return TernaryValue::unknown(ee.sort());
        }
        self.fuel -= 1;
        if self.binders > 0 || ee.size() < WORTH_KNOWING {
            return self.rule(ee);
        }
        if let Some(value) = self.known.get(&ee.address()) {
            return *value;
        }
        let value = self.rule(ee);
        self.known.insert(ee.address(), value);
        value
    }

    fn rule(&mut self, ee: &EffExpr) -> TernaryValue {
        match ee.node() {
            Node::Var(v, sort) => self.assignment.get(v).copied().unwrap_or(TernaryValue::unknown(*sort)),
            Node::Int(c) => TernaryValue::Int(Some(i128::from(*c))),
            Node::Bool(b) => TernaryValue::Bool(Truth::from(*b)),
            Node::Unknown(sort) => TernaryValue::unknown(*sort),
            Node::Neg(a) => self.unary(a, i128::checked_neg),
            Node::Scale(k, a) => self.unary(a, |v| v.checked_mul(i128::from(*k))),
            Node::Div(a, k) => self.unary(a, |v| v.checked_div_euclid(i128::from(*k))),
            Node::Mod(a, k) => self.unary(a, |v| v.checked_rem_euclid(i128::from(*k))),
            Node::Add(a, b) => self.binary(a, b, i128::checked_add),
            Node::Sub(a, b) => self.binary(a, b, i128::checked_sub),
            Node::Cmp(op, a, b) => TernaryValue::Bool(self.compare(*op, a, b)),
            Node::Iff(a, b) => TernaryValue::Bool(self.truth(a).iff(self.truth(b))),
            Node::Not(a) => TernaryValue::Bool(!self.truth(a)),
            Node::And(es) => TernaryValue::Bool(!self.any(es, |t| !t)),
            Node::Or(es) => TernaryValue::Bool(self.any(es, |t| t)),
            Node::If(c, a, b) => match self.truth(c) {
                Truth::True => self.eval(a),
                Truth::False => self.eval(b),
                Truth::Unknown => TernaryValue::unknown(ee.sort()),
            },
            Node::Forall(x, a) => TernaryValue::Bool(!self.over(*x, a, |t| !t)),
            Node::Exists(x, a) => TernaryValue::Bool(self.over(*x, a, |t| t)),
            Node::Definitely(a) => TernaryValue::Bool(Truth::from(self.truth(a).definitely())),
            Node::Maybe(a) => TernaryValue::Bool(Truth::from(self.truth(a).maybe())),
        }
    }

    fn truth(&mut self, ee: &EffExpr) -> Truth {
        self.eval(ee).truth()
    }

    fn unary(&mut self, a: &EffExpr, f: impl Fn(i128) -> Option<i128>) -> TernaryValue {
        TernaryValue::Int(self.eval(a).int().and_then(f))
    }

    fn binary(&mut self, a: &EffExpr, b: &EffExpr, f: impl Fn(i128, i128) -> Option<i128>) -> TernaryValue {
        let (a, b) = (self.eval(a).int(), self.eval(b).int());
        TernaryValue::Int(a.zip(b).and_then(|(a, b)| f(a, b)))
    }

    fn compare(&mut self, op: CmpOp, a: &EffExpr, b: &EffExpr) -> Truth {
        let (Some(a), Some(b)) = (self.eval(a).int(), self.eval(b).int()) else { return Truth::Unknown };
        Truth::from(match op {
            CmpOp::Eq => a == b,
            CmpOp::Lt => a < b,
            CmpOp::Le => a <= b,
        })
    }

    /// The disjunction of `f` of each, up to the first that decides it.
    fn any(&mut self, es: &[EffExpr], f: impl Fn(Truth) -> Truth) -> Truth {
        let mut out = Truth::False;
        for e in es {
            out = out.or(f(self.truth(e)));
            if out == Truth::True {
                break;
            }
        }
        out
    }

    /// The disjunction of `f` of the body over the values of a quantifier's variable.
    fn over(&mut self, x: Sym, body: &EffExpr, f: impl Fn(Truth) -> Truth) -> Truth {
        let var = Var::Local(x);
        let saved = self.assignment.get(&var).copied();
        self.binders += 1;
        let mut out = Truth::False;
        for v in self.domain.clone() {
            self.assignment.insert(var, TernaryValue::Int(Some(i128::from(v))));
            out = out.or(f(self.truth(body)));
            if out == Truth::True {
                break;
            }
        }
        self.binders -= 1;
        match saved {
            Some(v) => self.assignment.insert(var, v),
            None => self.assignment.remove(&var),
        };
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_circuits_as_kleene() {
        use Truth::{False, True, Unknown};
        assert_eq!(False.and(Unknown), False);
        assert_eq!(True.or(Unknown), True);
        assert_eq!(True.and(Unknown), Unknown);
        assert_eq!(Unknown.implies(True), True);
        assert_eq!(Unknown.iff(Unknown), Unknown);
        for t in Truth::ALL {
            assert_eq!((!t).definitely(), !t.maybe());
        }
    }

    #[test]
    fn evaluates_with_floor_division() {
        let minus_seven = EffExpr::scale(-7, EffExpr::int_var(Sym::fresh("x")));
        let x = *minus_seven.free_vars().iter().next().expect("x is free");
        let at = Assignment::from([(x, TernaryValue::Int(Some(1)))]);
        assert_eq!(eval(&EffExpr::div(minus_seven.clone(), 2), &at, 0..1), TernaryValue::Int(Some(-4)));
        assert_eq!(eval(&EffExpr::modulo(minus_seven, 2), &at, 0..1), TernaryValue::Int(Some(1)));
    }

    #[test]
    fn quantifiers_meet_and_join() {
        let x = Sym::fresh("x");
        let body =
            EffExpr::or([EffExpr::lt(EffExpr::int_var(x), EffExpr::int(3)), EffExpr::unknown(Sort::Bool)]);
        let all = eval(&EffExpr::forall(x, body.clone()), &Assignment::new(), 0..3);
        assert_eq!(all, TernaryValue::Bool(Truth::True));
        let some = eval(&EffExpr::forall(x, body), &Assignment::new(), 0..4);
        assert_eq!(some, TernaryValue::Bool(Truth::Unknown));
    }
}

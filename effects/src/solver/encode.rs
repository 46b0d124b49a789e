//! The encoding of ternary logic into classical logic. PLDI'22 App. B; spec: [rule: encoding].
//!
//! App. B represents a value by a pair `(x, d)`: the value, and whether there is one. Here integers are
//! such pairs. For truth values the junk `x` under a false `d` is fixed to false, and the pair is kept as
//! `(t, f)` = (definitely true, definitely false), so that `(x, d) = (t, t or f)`. All rules of App. B are
//! then the De Morgan lattice operations on `(t, f)`, and no part is written twice: in App. B's own form
//! the `d` of nested conjunctions doubles at every level [E-21].
//!
//! The image is again an [`EffExpr`], one without ⊥, D and M: a classical formula.

use crate::effexpr::{EffExpr, Node, Sort};
use rustc_hash::FxHashMap;

/// The classical image of a truth value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoolPair {
    /// Whether it is definitely true.
    pub t: EffExpr,
    /// Whether it is definitely false. Never together with `t`.
    pub f: EffExpr,
}

/// The classical image of an integer or ⊥: App. B's `(x, d)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntPair {
    /// The value; meaningless where `d` is false.
    pub x: EffExpr,
    /// Whether there is a value.
    pub d: EffExpr,
}

/// The pair of a truth value.
pub fn encode_bool(ee: &EffExpr) -> BoolPair {
    Encoder::default().boolean(ee)
}

/// The pair of an integer.
pub fn encode_int(ee: &EffExpr) -> IntPair {
    Encoder::default().integer(ee)
}

#[derive(Default)]
struct Encoder {
    bools: FxHashMap<usize, BoolPair>,
    ints: FxHashMap<usize, IntPair>,
}

impl Encoder {
    fn boolean(&mut self, ee: &EffExpr) -> BoolPair {
        if ee.is_plain() && ee.sort() == Sort::Bool {
            return two_valued(ee.clone());
        }
        if let Some(done) = self.bools.get(&ee.address()) {
            return done.clone();
        }
        let out = self.boolean_rule(ee);
        self.bools.insert(ee.address(), out.clone());
        out
    }

    fn boolean_rule(&mut self, ee: &EffExpr) -> BoolPair {
        match ee.node() {
            Node::Var(..) | Node::Bool(_) => two_valued(ee.clone()),
            Node::Cmp(op, a, b) => {
                let (a, b) = (self.integer(a), self.integer(b));
                let holds = EffExpr::cmp(*op, a.x, b.x);
                let d = EffExpr::and([a.d, b.d]);
                BoolPair {
                    t: EffExpr::and([d.clone(), holds.clone()]),
                    f: EffExpr::and([d, EffExpr::not(holds)]),
                }
            }
            Node::Iff(a, b) => iff(self.boolean(a), self.boolean(b)),
            Node::Not(a) => swapped(self.boolean(a)),
            Node::And(es) => self.all(es),
            Node::Or(es) => self.any(es),
            Node::If(c, a, b) => choose(self.boolean(c), self.boolean(a), self.boolean(b)),
            Node::Forall(x, a) => {
                let BoolPair { t, f } = self.boolean(a);
                BoolPair { t: EffExpr::forall(*x, t), f: EffExpr::exists(*x, f) }
            }
            Node::Exists(x, a) => {
                let BoolPair { t, f } = self.boolean(a);
                BoolPair { t: EffExpr::exists(*x, t), f: EffExpr::forall(*x, f) }
            }
            Node::Definitely(a) => two_valued(self.boolean(a).t),
            Node::Maybe(a) => two_valued(EffExpr::not(self.boolean(a).f)),
            // ⊥; and integers, which have no truth value.
            Node::Unknown(_)
            | Node::Int(_)
            | Node::Neg(_)
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Scale(..)
            | Node::Div(..)
            | Node::Mod(..) => BoolPair { t: EffExpr::bool(false), f: EffExpr::bool(false) },
        }
    }

    fn all(&mut self, es: &[EffExpr]) -> BoolPair {
        let pairs: Vec<BoolPair> = es.iter().map(|e| self.boolean(e)).collect();
        BoolPair {
            t: EffExpr::and(pairs.iter().map(|p| p.t.clone())),
            f: EffExpr::or(pairs.iter().map(|p| p.f.clone())),
        }
    }

    fn any(&mut self, es: &[EffExpr]) -> BoolPair {
        let pairs: Vec<BoolPair> = es.iter().map(|e| self.boolean(e)).collect();
        BoolPair {
            t: EffExpr::or(pairs.iter().map(|p| p.t.clone())),
            f: EffExpr::and(pairs.iter().map(|p| p.f.clone())),
        }
    }

    fn integer(&mut self, ee: &EffExpr) -> IntPair {
        if ee.is_plain() && ee.sort() == Sort::Int {
            return IntPair { x: ee.clone(), d: EffExpr::bool(true) };
        }
        if let Some(done) = self.ints.get(&ee.address()) {
            return done.clone();
        }
        let out = self.integer_rule(ee);
        self.ints.insert(ee.address(), out.clone());
        out
    }

    fn integer_rule(&mut self, ee: &EffExpr) -> IntPair {
        match ee.node() {
            Node::Var(..) | Node::Int(_) => IntPair { x: ee.clone(), d: EffExpr::bool(true) },
            Node::Neg(a) => self.strict(a, EffExpr::neg),
            Node::Scale(k, a) => self.strict(a, |x| EffExpr::scale(*k, x)),
            Node::Div(a, k) => self.strict(a, |x| EffExpr::div(x, *k)),
            Node::Mod(a, k) => self.strict(a, |x| EffExpr::modulo(x, *k)),
            Node::Add(a, b) => self.strict2(a, b, EffExpr::add),
            Node::Sub(a, b) => self.strict2(a, b, EffExpr::sub),
            Node::If(c, a, b) => {
                let (c, a, b) = (self.boolean(c), self.integer(a), self.integer(b));
                IntPair {
                    x: EffExpr::ite(c.t.clone(), a.x, b.x),
                    d: EffExpr::or([EffExpr::and([c.t, a.d]), EffExpr::and([c.f, b.d])]),
                }
            }
            // ⊥; and truth values, which are no integers.
            Node::Unknown(_)
            | Node::Bool(_)
            | Node::Cmp(..)
            | Node::Iff(..)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Forall(..)
            | Node::Exists(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => IntPair { x: EffExpr::int(0), d: EffExpr::bool(false) },
        }
    }

    fn strict(&mut self, a: &EffExpr, op: impl FnOnce(EffExpr) -> EffExpr) -> IntPair {
        let IntPair { x, d } = self.integer(a);
        IntPair { x: op(x), d }
    }

    fn strict2(&mut self, a: &EffExpr, b: &EffExpr, op: impl FnOnce(EffExpr, EffExpr) -> EffExpr) -> IntPair {
        let (a, b) = (self.integer(a), self.integer(b));
        IntPair { x: op(a.x, b.x), d: EffExpr::and([a.d, b.d]) }
    }
}

fn two_valued(t: EffExpr) -> BoolPair {
    debug_assert_eq!(t.sort(), Sort::Bool);
    BoolPair { f: EffExpr::not(t.clone()), t }
}

fn swapped(BoolPair { t, f }: BoolPair) -> BoolPair {
    BoolPair { t: f, f: t }
}

fn iff(a: BoolPair, b: BoolPair) -> BoolPair {
    let or_and = |x: &EffExpr, y: &EffExpr, z: &EffExpr, w: &EffExpr| {
        EffExpr::or([EffExpr::and([x.clone(), y.clone()]), EffExpr::and([z.clone(), w.clone()])])
    };
    BoolPair { t: or_and(&a.t, &b.t, &a.f, &b.f), f: or_and(&a.t, &b.f, &a.f, &b.t) }
}

fn choose(c: BoolPair, a: BoolPair, b: BoolPair) -> BoolPair {
    let arm = |x: EffExpr, y: EffExpr| {
        EffExpr::or([EffExpr::and([c.t.clone(), x]), EffExpr::and([c.f.clone(), y])])
    };
    BoolPair { t: arm(a.t, b.t), f: arm(a.f, b.f) }
}

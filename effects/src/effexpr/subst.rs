//! Substitution, avoiding capture. PLDI'22 §5.2.

use super::{EffExpr, Node, Var};
use rewright_semantics::sym::Sym;
use rustc_hash::FxHashMap;

/// A finite map from variables to effect expressions of the same sort; the identity elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Substitution {
    map: FxHashMap<Var, EffExpr>,
}

impl Substitution {
    /// The identity.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// `[v ↦ ee]`
    pub fn one(v: Var, ee: EffExpr) -> Substitution {
        let mut out = Substitution::new();
        out.insert(v, ee);
        out
    }

    /// Adds or changes one entry.
    pub fn insert(&mut self, v: Var, ee: EffExpr) {
        self.map.insert(v, ee);
    }

    /// What `v` is mapped to, if not to itself.
    pub fn get(&self, v: Var) -> Option<&EffExpr> {
        self.map.get(&v)
    }

    /// Whether this is the identity.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The entries, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &EffExpr)> {
        self.map.iter().map(|(v, ee)| (*v, ee))
    }

    fn without(&self, x: Sym) -> Substitution {
        let mut out = self.clone();
        out.map.remove(&Var::Local(x));
        out
    }

    fn mask(&self) -> u64 {
        self.map.keys().fold(0, |m, v| m | v.mask())
    }
}

impl FromIterator<(Var, EffExpr)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (Var, EffExpr)>>(iter: I) -> Substitution {
        Substitution { map: iter.into_iter().collect() }
    }
}

impl EffExpr {
    /// All entries of `sub` put in at once; bound variables are renamed where they would capture.
    #[must_use]
    pub fn substitute(&self, sub: &Substitution) -> EffExpr {
        if sub.is_empty() {
            return self.clone();
        }
        let range = sub.map.values().fold(0, |m, ee| m | ee.0.mask);
        Substituting { sub, mask: sub.mask(), range, memo: FxHashMap::default() }.apply(self)
    }

    /// `[x ↦ ee]`
    #[must_use]
    pub fn replace(&self, x: Sym, ee: EffExpr) -> EffExpr {
        self.substitute(&Substitution::one(Var::Local(x), ee))
    }
}

struct Substituting<'a> {
    sub: &'a Substitution,
    /// Of what is substituted for.
    mask: u64,
    /// Of what is put in.
    range: u64,
    memo: FxHashMap<usize, EffExpr>,
}

impl Substituting<'_> {
    fn apply(&mut self, ee: &EffExpr) -> EffExpr {
        if ee.0.mask & self.mask == 0 {
            return ee.clone();
        }
        if let Some(done) = self.memo.get(&ee.address()) {
            return done.clone();
        }
        let out = self.rebuild(ee);
        self.memo.insert(ee.address(), out.clone());
        out
    }

    fn rebuild(&mut self, ee: &EffExpr) -> EffExpr {
        match ee.node() {
            Node::Var(v, sort) => match self.sub.get(*v) {
                Some(new) if new.sort() == *sort => new.clone(),
                Some(_) => EffExpr::unknown(*sort),
                None => ee.clone(),
            },
            Node::Int(_) | Node::Bool(_) | Node::Unknown(_) => ee.clone(),
            Node::Neg(a) => EffExpr::neg(self.apply(a)),
            Node::Add(a, b) => EffExpr::add(self.apply(a), self.apply(b)),
            Node::Sub(a, b) => EffExpr::sub(self.apply(a), self.apply(b)),
            Node::Scale(k, a) => EffExpr::scale(*k, self.apply(a)),
            Node::Div(a, k) => EffExpr::div(self.apply(a), *k),
            Node::Mod(a, k) => EffExpr::modulo(self.apply(a), *k),
            Node::Cmp(op, a, b) => EffExpr::cmp(*op, self.apply(a), self.apply(b)),
            Node::Iff(a, b) => EffExpr::iff(self.apply(a), self.apply(b)),
            Node::Not(a) => EffExpr::not(self.apply(a)),
            Node::And(es) => EffExpr::and(es.iter().map(|e| self.apply(e)).collect::<Vec<_>>()),
            Node::Or(es) => EffExpr::or(es.iter().map(|e| self.apply(e)).collect::<Vec<_>>()),
            Node::If(c, a, b) => EffExpr::ite(self.apply(c), self.apply(a), self.apply(b)),
            Node::Forall(x, a) => self.under(*x, a, EffExpr::forall),
            Node::Exists(x, a) => self.under(*x, a, EffExpr::exists),
            Node::Definitely(a) => EffExpr::definitely(self.apply(a)),
            Node::Maybe(a) => EffExpr::maybe(self.apply(a)),
        }
    }

    /// Below a binder: its variable is not substituted for, and is renamed if a value put in mentions it.
    fn under(&mut self, x: Sym, body: &EffExpr, make: fn(Sym, EffExpr) -> EffExpr) -> EffExpr {
        let own = Var::Local(x);
        let captured = self.range & own.mask() != 0
            && self.sub.iter().any(|(v, new)| v != own && new.mentions(own) && body.mentions(v));
        if self.sub.get(own).is_none() && !captured {
            return make(x, self.apply(body));
        }
        let mut sub = self.sub.without(x);
        let y = if captured { x.renewed() } else { x };
        if captured {
            sub.insert(own, EffExpr::int_var(y));
        }
        make(y, body.substitute(&sub))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn avoids_capture() {
        let (i, n) = (Sym::fresh("i"), Sym::fresh("n"));
        let below = EffExpr::exists(i, EffExpr::lt(EffExpr::int_var(i), EffExpr::int_var(n)));
        let moved = below.replace(n, EffExpr::int_var(i));
        assert!(moved.mentions(Var::Local(i)), "the i put in stays free");
        assert_eq!(below.replace(i, EffExpr::int(3)), below, "a bound variable is not replaced");
    }
}

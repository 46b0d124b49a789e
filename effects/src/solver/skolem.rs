//! Quantifiers that can go: a formula is valid when it is valid without its outer ∀, and without each ∃
//! that stands under a negation. What was bound becomes free, and takes part in counterexamples.

use crate::effexpr::{EffExpr, Node, Sort, Var};
use rewright_semantics::sym::Sym;
use rustc_hash::FxHashSet;

/// A classical formula that is valid exactly when `formula` is, where no ∀ stands at a positive and no ∃ at
/// a negative place. Each variable that became free has a symbol of its own.
pub(super) fn strip(formula: &EffExpr) -> EffExpr {
    if !formula.is_quantified() {
        return formula.clone();
    }
    let used = formula.free_vars().into_iter().filter_map(local).collect();
    Stripper { used }.strip(formula, true)
}

/// A formula that is satisfiable exactly when `formula` is, without its outer ∃.
pub(super) fn open_witnesses(formula: &EffExpr) -> EffExpr {
    EffExpr::not(strip(&EffExpr::not(formula.clone())))
}

fn local(v: Var) -> Option<Sym> {
    match v {
        Var::Local(x) => Some(x),
        Var::Global(..) | Var::Stride(..) => None,
    }
}

struct Stripper {
    /// Symbols that already mean something: a second binder of one of them is renamed.
    used: FxHashSet<Sym>,
}

impl Stripper {
    fn strip(&mut self, ee: &EffExpr, positive: bool) -> EffExpr {
        if !ee.is_quantified() {
            return ee.clone();
        }
        match ee.node() {
            Node::Not(a) => EffExpr::not(self.strip(a, !positive)),
            Node::And(es) => EffExpr::and(es.iter().map(|e| self.strip(e, positive)).collect::<Vec<_>>()),
            Node::Or(es) => EffExpr::or(es.iter().map(|e| self.strip(e, positive)).collect::<Vec<_>>()),
            Node::Forall(x, a) if positive => self.open(*x, a, positive),
            Node::Exists(x, a) if !positive => self.open(*x, a, positive),
            // The condition counts both ways and stays; the arms count once each.
            Node::If(c, a, b) if ee.sort() == Sort::Bool => {
                EffExpr::ite(c.clone(), self.strip(a, positive), self.strip(b, positive))
            }
            Node::Var(..)
            | Node::Int(_)
            | Node::Bool(_)
            | Node::Unknown(_)
            | Node::Neg(_)
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Scale(..)
            | Node::Div(..)
            | Node::Mod(..)
            | Node::Cmp(..)
            | Node::Iff(..)
            | Node::If(..)
            | Node::Forall(..)
            | Node::Exists(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => ee.clone(),
        }
    }

    fn open(&mut self, x: Sym, body: &EffExpr, positive: bool) -> EffExpr {
        if self.used.insert(x) {
            return self.strip(body, positive);
        }
        let y = x.renewed();
        self.used.insert(y);
        self.strip(&body.replace(x, EffExpr::int_var(y)), positive)
    }
}

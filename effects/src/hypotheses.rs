//! What may be assumed at a place, shared between the questions that are asked along a procedure.
//! Spec: [rule: hypotheses].
//!
//! Cloning is O(1) and adding is O(log n), so that a question costs what it adds, however much is known by then. A long
//! list has an index from variables to the members about them, for [`Hypotheses::near`]: most questions need the few
//! hypotheses that speak of what they speak of.

use crate::effexpr::{CmpOp, EffExpr, Node, Var};
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Lists up to this length have no index: they are assumed as a whole.
pub const FEW: usize = 32;

/// How many hypotheses about one variable are taken into account by [`Hypotheses::near`].
const MOST_OF_ONE: usize = 64;

/// Sentences that may be assumed, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Hypotheses(Arc<List>);

#[derive(Clone, Debug, Default)]
struct List {
    all: im::Vector<EffExpr>,
    /// Of all members, when there are more than [`FEW`].
    index: Index,
}

/// The members that speak of a variable.
#[derive(Clone, Debug, Default)]
struct Index {
    about: im::GenericHashMap<Var, About, FxBuildHasher, im::shared_ptr::DefaultSharedPtr>,
    /// Members without variables.
    closed: im::Vector<usize>,
}

#[derive(Clone, Debug, Default)]
struct About {
    /// The strongest `c <= x`, and where it is.
    least: Option<(i64, usize)>,
    /// The strongest `x <= c`, and where it is.
    most: Option<(i64, usize)>,
    /// The others.
    others: im::Vector<usize>,
}

impl Hypotheses {
    /// Nothing is known.
    pub fn new() -> Hypotheses {
        Hypotheses::default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.all.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.all.is_empty()
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &EffExpr> {
        self.into_iter()
    }

    /// Adds one.
    pub fn push(&mut self, h: EffExpr) {
        Arc::make_mut(&mut self.0).push(h);
    }

    /// Those that have to do with a formula: that share a variable with it, or with one that does, and so on for so
    /// many rounds. Of the bounds of a variable by constants, the strongest; of a variable that very many speak of, the
    /// latest. `None` when that is all of them, or when the list is too short to choose from.
    pub fn near(&self, formula: &EffExpr, rounds: usize) -> Option<Hypotheses> {
        self.0.near(formula, rounds)
    }
}

impl List {
    fn push(&mut self, h: EffExpr) {
        self.all.push_back(h);
        match self.all.len() {
            n if n == FEW + 1 => (0..n).for_each(|at| self.note(at)),
            n if n > FEW + 1 => self.note(n - 1),
            _ => {}
        }
    }

    fn note(&mut self, at: usize) {
        let Some(h) = self.all.get(at) else { return };
        let index = &mut self.index;
        if let Some((v, bound)) = bound_of(h) {
            index.about.entry(v).or_default().bound(bound, at);
            return;
        }
        let vars = h.free_vars();
        if vars.is_empty() {
            index.closed.push_back(at);
        }
        for v in vars {
            index.about.entry(v).or_default().others.push_back(at);
        }
    }

    fn near(&self, formula: &EffExpr, rounds: usize) -> Option<Hypotheses> {
        if self.all.len() <= FEW {
            return None;
        }
        let mut chosen: BTreeSet<usize> = self.index.closed.iter().copied().collect();
        let mut seen: BTreeSet<Var> = formula.free_vars();
        let mut next: Vec<Var> = seen.iter().copied().collect();
        for _ in 0..rounds {
            let mut found = Vec::new();
            for v in std::mem::take(&mut next) {
                let Some(about) = self.index.about.get(&v) else { continue };
                let added = about.strongest().filter(|at| chosen.insert(*at));
                found.extend(added.filter_map(|at| self.all.get(at)));
            }
            let others = found.into_iter().flat_map(EffExpr::free_vars);
            next.extend(others.filter(|v| seen.insert(*v)));
        }
        if chosen.len() == self.all.len() {
            return None;
        }
        Some(chosen.into_iter().filter_map(|at| self.all.get(at).cloned()).collect())
    }
}

impl About {
    fn bound(&mut self, bound: Bound, at: usize) {
        match bound {
            Bound::Least(c) if self.least.is_none_or(|(known, _)| known < c) => self.least = Some((c, at)),
            Bound::Most(c) if self.most.is_none_or(|(known, _)| c < known) => self.most = Some((c, at)),
            Bound::Least(_) | Bound::Most(_) => {}
        }
    }

    fn strongest(&self) -> impl Iterator<Item = usize> {
        let bounds = self.least.iter().chain(&self.most).map(|(_, at)| *at);
        bounds.chain(self.others.iter().rev().take(MOST_OF_ONE).copied())
    }
}

enum Bound {
    Least(i64),
    Most(i64),
}

/// The variable and the bound, of a sentence that bounds a variable by a constant.
fn bound_of(h: &EffExpr) -> Option<(Var, Bound)> {
    let Node::Cmp(op, a, b) = h.node() else { return None };
    let strict = match op {
        CmpOp::Lt => 1,
        CmpOp::Le => 0,
        CmpOp::Eq => return None,
    };
    let variable = |ee: &EffExpr| if let Node::Var(v, _) = ee.node() { Some(*v) } else { None };
    match (a.as_int(), b.as_int()) {
        (Some(c), None) => Some((variable(b)?, Bound::Least(c.checked_add(strict)?))),
        (None, Some(c)) => Some((variable(a)?, Bound::Most(c.checked_sub(strict)?))),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

impl<'a> IntoIterator for &'a Hypotheses {
    type Item = &'a EffExpr;
    type IntoIter = im::vector::Iter<'a, EffExpr, im::shared_ptr::DefaultSharedPtr>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.all.iter()
    }
}

impl Extend<EffExpr> for Hypotheses {
    fn extend<I: IntoIterator<Item = EffExpr>>(&mut self, more: I) {
        more.into_iter().for_each(|h| self.push(h));
    }
}

impl FromIterator<EffExpr> for Hypotheses {
    fn from_iter<I: IntoIterator<Item = EffExpr>>(all: I) -> Hypotheses {
        let mut out = Hypotheses::new();
        out.extend(all);
        out
    }
}

impl From<Vec<EffExpr>> for Hypotheses {
    fn from(all: Vec<EffExpr>) -> Hypotheses {
        all.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::sym::Sym;

    /// Spec: [rule: hypotheses].
    #[test]
    fn what_has_to_do_with_a_formula_is_near() {
        let x: Vec<EffExpr> =
            (0..100).map(|k| EffExpr::int_var(Sym::fresh(format!("x{k}").as_str()))).collect();
        let below: Hypotheses = x.windows(2).map(|w| EffExpr::le(w[0].clone(), w[1].clone())).collect();
        let about = |k: usize| EffExpr::ge(x[k].clone(), EffExpr::int(0));
        let text = |h: Option<Hypotheses>| {
            h.map(|h| h.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")).unwrap_or_default()
        };
        assert_eq!(text(below.near(&about(7), 1)), "x6 <= x7, x7 <= x8");
        assert_eq!(text(below.near(&about(0), 2)), "x0 <= x1, x1 <= x2");
        assert!(below.near(&about(0), 100).is_none(), "all of them");
    }

    #[test]
    fn only_the_strongest_bounds_are_near() {
        let x = EffExpr::int_var(Sym::fresh("x"));
        let known: Hypotheses = (0..100)
            .flat_map(|k| {
                [EffExpr::ge(x.clone(), EffExpr::int(k)), EffExpr::lt(x.clone(), EffExpr::int(900 - k))]
            })
            .collect();
        let near = known.near(&EffExpr::eq(x.clone(), EffExpr::int(5)), 1).unwrap();
        let near: Vec<String> = near.iter().map(ToString::to_string).collect();
        assert_eq!(near, ["99 <= x", "x < 801"]);
    }
}

//! Location sets: symbolic sets of cells and fields. PLDI'22 §5.4 (Def. 5.3) and App. D;
//! spec: [rule: locset].
//!
//! Membership is ternary, so one set bounds a set of places from below (D) and from above (M).

use crate::effexpr::{EffExpr, Sort, Var};
use crate::env::Field;
use crate::obligation::{Model, ModelValue};
use rewright_semantics::sym::{Name, Sym};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What is accessed: a root buffer (an argument or an allocation, never a window) or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// A root buffer.
    Buffer(Sym),
    /// A configuration field, control or data.
    Global(Field),
}

impl Base {
    /// Whether it is a field.
    pub fn is_field(self) -> bool {
        match self {
            Base::Global(_) => true,
            Base::Buffer(_) => false,
        }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Base::Buffer(x) => x.fmt(f),
            Base::Global(field) => field.var().fmt(f),
        }
    }
}

/// A place in the store: a cell of a root buffer, or a field (with no indices).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loc {
    /// What is accessed.
    pub base: Base,
    /// At which indices of the root.
    pub idx: Arc<[EffExpr]>,
}

impl Loc {
    /// A field.
    pub fn field(f: Field) -> Loc {
        Loc { base: Base::Global(f), idx: [].into() }
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.base.fmt(f)?;
        for (k, i) in self.idx.iter().enumerate() {
            write!(f, "{}{i}", if k == 0 { "[" } else { ", " })?;
        }
        f.write_str(if self.idx.is_empty() { "" } else { "]" })
    }
}

/// 𝓛: a set of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocSet {
    /// ∅
    Empty,
    /// One place.
    Cell(Loc),
    /// 𝓛 ∪ …
    Union(Arc<[LocSet]>),
    /// ⋃ over all integers of a variable.
    BigUnion(Sym, Arc<LocSet>),
    /// 𝓛 ∩ 𝓛
    Inter(Arc<LocSet>, Arc<LocSet>),
    /// 𝓛 - 𝓛
    Diff(Arc<LocSet>, Arc<LocSet>),
    /// Those of 𝓛 if the condition holds.
    Filter(EffExpr, Arc<LocSet>),
}

impl LocSet {
    /// 𝓛 ∪ …
    pub fn union(sets: impl IntoIterator<Item = LocSet>) -> LocSet {
        let mut parts: Vec<LocSet> = Vec::new();
        for l in sets {
            match l {
                LocSet::Empty => {}
                LocSet::Union(inner) => parts.extend(inner.iter().cloned()),
                one @ (LocSet::Cell(_)
                | LocSet::BigUnion(..)
                | LocSet::Inter(..)
                | LocSet::Diff(..)
                | LocSet::Filter(..)) => {
                    if !parts.contains(&one) {
                        parts.push(one);
                    }
                }
            }
        }
        match parts.pop() {
            None => LocSet::Empty,
            Some(one) if parts.is_empty() => one,
            Some(last) => {
                parts.push(last);
                LocSet::Union(parts.into())
            }
        }
    }

    /// ⋃ over `x`.
    pub fn big_union(x: Sym, l: LocSet) -> LocSet {
        if l == LocSet::Empty { l } else { LocSet::BigUnion(x, Arc::new(l)) }
    }

    /// 𝓛 ∩ 𝓛
    #[must_use]
    pub fn inter(self, other: LocSet) -> LocSet {
        if self.shares_base(&other) { LocSet::Inter(Arc::new(self), Arc::new(other)) } else { LocSet::Empty }
    }

    /// 𝓛 - 𝓛
    #[must_use]
    pub fn minus(self, other: LocSet) -> LocSet {
        if self.shares_base(&other) { LocSet::Diff(Arc::new(self), Arc::new(other)) } else { self }
    }

    /// filter(ee, 𝓛)
    pub fn filter(ee: EffExpr, l: LocSet) -> LocSet {
        if ee.is_false() || l == LocSet::Empty {
            LocSet::Empty
        } else if ee.is_true() {
            l
        } else {
            LocSet::Filter(ee, Arc::new(l))
        }
    }

    /// The set without any place of these roots.
    #[must_use]
    pub fn without(&self, gone: &[Sym]) -> LocSet {
        if gone.is_empty() {
            return self.clone();
        }
        match self {
            LocSet::Empty => LocSet::Empty,
            LocSet::Cell(loc) => match loc.base {
                Base::Buffer(x) if gone.contains(&x) => LocSet::Empty,
                Base::Buffer(_) | Base::Global(_) => self.clone(),
            },
            LocSet::Union(ls) => LocSet::union(ls.iter().map(|l| l.without(gone))),
            LocSet::BigUnion(x, l) => LocSet::big_union(*x, l.without(gone)),
            LocSet::Inter(a, b) => a.without(gone).inter(b.as_ref().clone()),
            LocSet::Diff(a, b) => a.without(gone).minus(b.as_ref().clone()),
            LocSet::Filter(ee, l) => LocSet::filter(ee.clone(), l.without(gone)),
        }
    }

    /// The places of one base.
    #[must_use]
    pub fn only(&self, base: Base) -> LocSet {
        self.on(&|b| b == base)
    }

    /// The part of the set that is about some bases.
    #[must_use]
    pub fn on(&self, keep: &dyn Fn(Base) -> bool) -> LocSet {
        match self {
            LocSet::Cell(loc) if !keep(loc.base) => LocSet::Empty,
            LocSet::Empty | LocSet::Cell(_) => self.clone(),
            LocSet::Union(ls) => LocSet::union(ls.iter().map(|l| l.on(keep))),
            LocSet::BigUnion(x, l) => LocSet::big_union(*x, l.on(keep)),
            LocSet::Inter(a, b) => a.on(keep).inter(b.as_ref().clone()),
            LocSet::Diff(a, b) => a.on(keep).minus(b.as_ref().clone()),
            LocSet::Filter(ee, l) => LocSet::filter(ee.clone(), l.on(keep)),
        }
    }

    /// The bases that occur, each with its rank.
    pub fn bases(&self) -> BTreeMap<Base, usize> {
        let mut out = BTreeMap::new();
        self.collect_bases(&mut out);
        out
    }

    fn collect_bases(&self, out: &mut BTreeMap<Base, usize>) {
        match self {
            LocSet::Empty => {}
            LocSet::Cell(loc) => {
                out.insert(loc.base, loc.idx.len());
            }
            LocSet::Union(ls) => ls.iter().for_each(|l| l.collect_bases(out)),
            LocSet::BigUnion(_, l) | LocSet::Filter(_, l) | LocSet::Diff(l, _) => l.collect_bases(out),
            LocSet::Inter(a, b) => {
                let right = b.bases();
                out.extend(a.bases().into_iter().filter(|(base, _)| right.contains_key(base)));
            }
        }
    }

    fn shares_base(&self, other: &LocSet) -> bool {
        let mine = self.bases();
        other.bases().keys().any(|b| mine.contains_key(b))
    }

    /// `xs ∈ 𝓛`. App. D.
    pub fn contains(&self, loc: &Loc) -> EffExpr {
        match self {
            LocSet::Empty => EffExpr::bool(false),
            LocSet::Cell(at) => same_place(loc, at),
            LocSet::Union(ls) => EffExpr::or(ls.iter().map(|l| l.contains(loc)).collect::<Vec<_>>()),
            LocSet::BigUnion(x, l) => contains_some(*x, l, loc),
            LocSet::Inter(a, b) => {
                let left = a.contains(loc);
                if left.is_false() { left } else { EffExpr::and([left, b.contains(loc)]) }
            }
            LocSet::Diff(a, b) => {
                let left = a.contains(loc);
                if left.is_false() { left } else { EffExpr::and([left, EffExpr::not(b.contains(loc))]) }
            }
            LocSet::Filter(ee, l) => {
                let inside = l.contains(loc);
                if inside.is_false() { inside } else { EffExpr::and([ee.clone(), inside]) }
            }
        }
    }

    /// `𝓛 = ∅`, that is `∀xs. xs ∉ 𝓛`. App. D.
    pub fn is_empty(&self) -> EffExpr {
        self.for_all(|_, inside| EffExpr::not(inside))
    }

    /// `∀xs. body(xs, xs ∈ 𝓛)`, where `body` must hold of places of bases that do not occur in 𝓛.
    pub fn for_all(&self, body: impl Fn(&Loc, EffExpr) -> EffExpr) -> EffExpr {
        let per_base = self.bases().into_iter().map(|(base, rank)| {
            let (point, xs) = any_place(base, rank);
            let inside = self.contains(&point);
            let sentence = body(&point, inside);
            xs.into_iter().rev().fold(sentence, |ee, x| EffExpr::forall(x, ee))
        });
        EffExpr::and(per_base.collect::<Vec<_>>())
    }
}

/// A place of a base at fresh indices: `x[0]` and `x[1]` for a matrix `x`, which is what [`Cell::of`] reads.
pub(crate) fn any_place(base: Base, rank: usize) -> (Loc, Vec<Sym>) {
    let xs: Vec<Sym> = (0..rank).map(|d| Sym::fresh(Name::new(&format!("{base}[{d}]")))).collect();
    (Loc { base, idx: xs.iter().map(|x| EffExpr::int_var(*x)).collect() }, xs)
}

/// A cell that a counterexample is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The buffer.
    pub buffer: String,
    /// An index per dimension.
    pub at: Vec<i64>,
}

impl Cell {
    /// The cell on whose indices a model hangs; `None` where there is none, or more than one.
    pub fn of(model: &Model) -> Option<Cell> {
        let mut cells: BTreeMap<String, BTreeMap<usize, i64>> = BTreeMap::new();
        for var in &model.decisive {
            let name = var.to_string();
            if let (Some((buffer, dim)), Some(ModelValue::Int(n))) = (index_of(&name), model.get(*var)) {
                let before = cells.entry(buffer.to_owned()).or_default().insert(dim, n);
                if before.is_some_and(|other| other != n) {
                    return None;
                }
            }
        }
        let (buffer, at) = cells.pop_first().filter(|_| cells.is_empty())?;
        let is_whole = at.keys().copied().eq(0..at.len());
        is_whole.then(|| Cell { buffer, at: at.into_values().collect() })
    }

    /// Whether a variable is an index of a place that is any, and none of the program.
    pub fn is_index(var: Var) -> bool {
        index_of(&var.to_string()).is_some()
    }
}

/// The buffer and the dimension of a variable of [`any_place`]. No variable of a program has brackets in its name.
fn index_of(name: &str) -> Option<(&str, usize)> {
    let (buffer, dim) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((buffer, dim.parse().ok()?))
}

/// `x[3, 0]`
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at: Vec<String> = self.at.iter().map(i64::to_string).collect();
        write!(f, "{}[{}]", self.buffer, at.join(", "))
    }
}

fn same_place(a: &Loc, b: &Loc) -> EffExpr {
    if a.base != b.base {
        return EffExpr::bool(false);
    }
    if a.idx.len() != b.idx.len() {
        // No well-typed program gets here.
        return EffExpr::unknown(Sort::Bool);
    }
    EffExpr::and(a.idx.iter().zip(b.idx.iter()).map(|(i, j)| EffExpr::eq(i.clone(), j.clone())))
}

fn contains_some(x: Sym, l: &LocSet, loc: &Loc) -> EffExpr {
    if !loc.idx.iter().any(|i| i.mentions(Var::Local(x))) {
        return EffExpr::exists(x, l.contains(loc));
    }
    // The place mentions the bound variable's name: give it another for the time of the question.
    let aside = x.renewed();
    let moved: Arc<[EffExpr]> = loc.idx.iter().map(|i| i.replace(x, EffExpr::int_var(aside))).collect();
    let inside = EffExpr::exists(x, l.contains(&Loc { base: loc.base, idx: moved }));
    inside.replace(aside, EffExpr::int_var(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ternary::{Assignment, TernaryValue, Truth, eval};

    fn cell(x: Sym, i: EffExpr) -> LocSet {
        LocSet::Cell(Loc { base: Base::Buffer(x), idx: [i].into() })
    }

    fn truth(ee: &EffExpr) -> TernaryValue {
        eval(ee, &Assignment::new(), -4..5)
    }

    #[test]
    fn even_and_odd_cells_do_not_meet() {
        let (x, i, j) = (Sym::fresh("x"), Sym::fresh("i"), Sym::fresh("j"));
        let even = LocSet::big_union(i, cell(x, EffExpr::scale(2, EffExpr::int_var(i))));
        let odd_index = EffExpr::add(EffExpr::scale(2, EffExpr::int_var(j)), EffExpr::int(1));
        let odd = LocSet::big_union(j, cell(x, odd_index));
        assert_eq!(truth(&even.clone().inter(odd.clone()).is_empty()), TernaryValue::Bool(Truth::True));
        assert_eq!(truth(&even.clone().inter(even.clone()).is_empty()), TernaryValue::Bool(Truth::False));
        assert_eq!(truth(&even.clone().minus(even).is_empty()), TernaryValue::Bool(Truth::True));
    }

    #[test]
    fn a_place_named_like_a_bound_variable_is_not_captured() {
        let (x, i) = (Sym::fresh("x"), Sym::fresh("i"));
        let only_zero = LocSet::big_union(
            i,
            LocSet::filter(EffExpr::eq(EffExpr::int_var(i), EffExpr::int(0)), cell(x, EffExpr::int_var(i))),
        );
        let inside = only_zero.contains(&Loc { base: Base::Buffer(x), idx: [EffExpr::int_var(i)].into() });
        let at = |v| Assignment::from([(Var::Local(i), TernaryValue::Int(Some(v)))]);
        assert_eq!(eval(&inside, &at(0), -4..5), TernaryValue::Bool(Truth::True));
        assert_eq!(eval(&inside, &at(1), -4..5), TernaryValue::Bool(Truth::False));
    }
}

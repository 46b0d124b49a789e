//! Sets and multisets of variables: `fv(e)`, `bv(p)` and the environments Δ and Γ.

use rewright_base::sym::Name;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// A set of variables, in the order of their names. Cloning is O(1).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Vars(Arc<[Name]>);

impl Vars {
    /// ∅.
    pub fn empty() -> Vars {
        static EMPTY: LazyLock<Vars> = LazyLock::new(|| Vars(Arc::from([])));
        EMPTY.clone()
    }

    /// {x}.
    pub fn one(x: Name) -> Vars {
        Vars(Arc::from([x]))
    }

    /// Whether this is ∅.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// x ∈ self.
    pub fn contains(&self, x: Name) -> bool {
        self.0.contains(&x)
    }

    /// The members, by name.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Name> + '_ {
        self.0.iter().copied()
    }

    /// self ∪ other.
    #[must_use]
    pub fn union(&self, other: &Vars) -> Vars {
        if other.is_empty() || self == other {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        self.iter().chain(other.iter()).collect()
    }

    /// self ∪ {x}.
    #[must_use]
    pub fn with(&self, x: Name) -> Vars {
        if self.contains(x) { self.clone() } else { self.union(&Vars::one(x)) }
    }

    /// self − {x}.
    #[must_use]
    pub fn without(&self, x: Name) -> Vars {
        if self.contains(x) { self.iter().filter(|y| *y != x).collect() } else { self.clone() }
    }

    /// self ∩ other.
    #[must_use]
    pub fn and(&self, other: &Vars) -> Vars {
        if self.is_subset(other) {
            self.clone()
        } else {
            self.iter().filter(|x| other.contains(*x)).collect()
        }
    }

    /// self − other.
    #[must_use]
    pub fn minus(&self, other: &Vars) -> Vars {
        if self.iter().any(|x| other.contains(x)) {
            self.iter().filter(|x| !other.contains(*x)).collect()
        } else {
            self.clone()
        }
    }

    /// self ⊆ other.
    pub fn is_subset(&self, other: &Vars) -> bool {
        self.iter().all(|x| other.contains(x))
    }
}

impl FromIterator<Name> for Vars {
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Vars {
        let mut all: Vec<Name> = names.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        if all.is_empty() { Vars::empty() } else { Vars(Arc::from(all)) }
    }
}

/// `f, g`; `∅` for the empty set.
impl fmt::Display for Vars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, self.iter())
    }
}

impl fmt::Debug for Vars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A multiset of variables: an owned environment Γ, where each occurrence is one reference.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Bag(BTreeMap<Name, usize>);

impl Bag {
    /// ∅.
    pub fn new() -> Bag {
        Bag::default()
    }

    /// Whether this is ∅.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How often x occurs.
    pub fn count(&self, x: Name) -> usize {
        self.0.get(&x).copied().unwrap_or(0)
    }

    /// x ∈ self.
    pub fn contains(&self, x: Name) -> bool {
        self.0.contains_key(&x)
    }

    /// self, x.
    pub fn add(&mut self, x: Name) {
        *self.0.entry(x).or_insert(0) += 1;
    }

    /// Takes one x away; whether there was one.
    #[must_use]
    pub fn take(&mut self, x: Name) -> bool {
        match self.0.get_mut(&x) {
            None => return false,
            Some(1) => drop(self.0.remove(&x)),
            Some(n) => *n -= 1,
        }
        true
    }

    /// self, other.
    #[must_use]
    pub fn sum(mut self, other: &Bag) -> Bag {
        for (x, n) in &other.0 {
            *self.0.entry(*x).or_insert(0) += n;
        }
        self
    }

    /// The occurrences, by name.
    pub fn iter(&self) -> impl Iterator<Item = Name> + '_ {
        self.0.iter().flat_map(|(x, n)| std::iter::repeat_n(*x, *n))
    }

    /// The members as a set.
    pub fn support(&self) -> Vars {
        self.0.keys().copied().collect()
    }
}

impl FromIterator<Name> for Bag {
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Bag {
        let mut bag = Bag::new();
        names.into_iter().for_each(|x| bag.add(x));
        bag
    }
}

impl From<&Vars> for Bag {
    fn from(set: &Vars) -> Bag {
        set.iter().collect()
    }
}

/// `x, x, y`; `∅` for the empty one.
impl fmt::Display for Bag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, self.iter())
    }
}

impl fmt::Debug for Bag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn list(f: &mut fmt::Formatter<'_>, names: impl Iterator<Item = Name>) -> fmt::Result {
    let mut any = false;
    for x in names {
        if any {
            f.write_str(", ")?;
        }
        write!(f, "{x}")?;
        any = true;
    }
    if any { Ok(()) } else { f.write_str("∅") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> Vars {
        names.split_whitespace().map(Name::new).collect()
    }

    #[test]
    fn sets_behave_as_sets() {
        assert_eq!(set("b a b").to_string(), "a, b");
        assert_eq!(set("a b").union(&set("c b")), set("a b c"));
        assert_eq!(set("a b").and(&set("b c")), set("b"));
        assert_eq!(set("a b").minus(&set("b c")), set("a"));
        assert_eq!(set("").to_string(), "∅");
        assert!(set("a").is_subset(&set("a b")) && !set("a b").is_subset(&set("a")));
        assert_eq!(set("a b").without(Name::new("a")), set("b"));
    }

    #[test]
    fn multisets_count() {
        let x = Name::new("x");
        let mut bag: Bag = [x, x].into_iter().collect();
        assert_eq!(bag.to_string(), "x, x");
        assert!(bag.take(x) && bag.take(x) && !bag.take(x));
        assert!(bag.is_empty());
        assert_eq!(Bag::from(&set("x y")).sum(&[x].into_iter().collect()).count(x), 2);
    }
}

//! Names and symbols.
//!
//! A [`Name`] is text; a [`Sym`] is an occurrence of a binding: text and an identity. Two bindings
//! may share a name (shadowing) and never share a symbol. Spec: [rule: names].

use rustc_hash::FxHashSet;
use std::cmp;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

/// Interned text: an identifier as the programmer wrote it. Comparing two names is comparing text.
#[derive(Clone, Copy, Eq, Hash)]
#[expect(clippy::derived_hash_with_manual_eq, reason = "equal names are one text, and so hash alike")]
pub struct Name(&'static str);

/// There is one text for all names that are equal.
impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// By text. Those that are equal are most of those that are compared.
impl Ord for Name {
    fn cmp(&self, other: &Name) -> cmp::Ordering {
        if self == other { cmp::Ordering::Equal } else { self.0.cmp(other.0) }
    }
}

impl Name {
    /// The interned name with this text. The text is kept for the life of the process.
    pub fn new(text: &str) -> Name {
        static TABLE: OnceLock<RwLock<FxHashSet<&'static str>>> = OnceLock::new();
        let table = TABLE.get_or_init(RwLock::default);
        // Most names occur many times, and readers do not wait for each other.
        if let Some(found) = table.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Name(found);
        }
        let mut table = table.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been first.
        if let Some(found) = table.get(text) {
            return Name(found);
        }
        let kept: &'static str = Box::leak(text.into());
        table.insert(kept);
        Name(kept)
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

/// A bound variable of the object language: its name and an identity that no other binding has.
/// PLDI'22 Def. A.1 (names).
///
/// Ordered by identity, that is by time of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sym {
    id: u64,
    name: Name,
}

impl Sym {
    /// A symbol that is equal to no other, with this name.
    pub fn fresh(name: impl Into<Name>) -> Sym {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Sym { id: NEXT.fetch_add(1, Ordering::Relaxed), name: name.into() }
    }

    /// Another symbol of the same name.
    #[must_use]
    pub fn renewed(self) -> Sym {
        Sym::fresh(self.name)
    }

    /// The name as written in the source.
    pub fn name(self) -> Name {
        self.name
    }

    /// The identity; meaningful only for comparison within one process.
    pub fn id(self) -> u64 {
        self.id
    }
}

impl PartialOrd for Sym {
    fn partial_cmp(&self, other: &Sym) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sym {
    fn cmp(&self, other: &Sym) -> std::cmp::Ordering {
        self.id.cmp(&other.id)
    }
}

impl fmt::Display for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl fmt::Debug for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.name, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_one_name_differ_and_names_of_one_text_agree() {
        let (a, b) = (Sym::fresh("i"), Sym::fresh("i"));
        assert_ne!(a, b);
        assert_eq!(a.name(), b.name());
        assert_eq!(a.renewed().name(), Name::new("i"));
        assert!(a < b);
    }
}

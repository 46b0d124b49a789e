//! The variables in scope. Inner bindings hide outer ones of the same name, to the end of their block.

use crate::ast::Expr;
use crate::sym::{Name, Sym};
use crate::types::DataType;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// In a scope with more names no similar one is looked for.
const MANY: usize = 1000;

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(super) enum Variable {
    /// Its declaration was reported, or it has none and that was.
    Broken,
    /// A control value.
    Control(Sym),
    /// A tensor or a window.
    Buffer(Buffer),
}

/// A buffer in scope.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) sym: Sym,
    pub(super) elem: DataType,
    /// Its extents.
    pub(super) shape: Arc<[Expr]>,
}

/// The bindings, and what the open blocks have hidden.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    bound: FxHashMap<Name, Variable>,
    /// For each binding since, the name and what it hid.
    hidden: Vec<(Name, Option<Variable>)>,
}

/// A point to go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl Scope {
    /// The innermost variable of this name.
    pub(super) fn get(&self, name: Name) -> Option<&Variable> {
        self.bound.get(&name)
    }

    /// Binds a name to the end of the innermost open block.
    pub(super) fn bind(&mut self, name: Name, variable: Variable) {
        let hidden = self.bound.insert(name, variable);
        self.hidden.push((name, hidden));
    }

    /// Gives a name that has no binding one to the end of the procedure.
    pub(super) fn bind_outermost(&mut self, name: Name, variable: Variable) {
        self.bound.insert(name, variable);
    }

    /// Opens a block.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.hidden.len())
    }

    /// Closes the blocks opened since.
    pub(super) fn close(&mut self, mark: Mark) {
        while self.hidden.len() > mark.0 {
            match self.hidden.pop() {
                Some((name, Some(outer))) => drop(self.bound.insert(name, outer)),
                Some((name, None)) => drop(self.bound.remove(&name)),
                None => return,
            }
        }
    }

    /// A name in scope that differs from this one by one letter, the first in alphabetical order.
    pub(super) fn near(&self, name: Name) -> Option<Name> {
        if self.bound.len() > MANY {
            return None;
        }
        let near = self.bound.iter().filter(|(_, v)| !matches!(v, Variable::Broken)).map(|(n, _)| *n);
        near.filter(|other| one_letter_apart(other.as_str(), name.as_str())).min()
    }
}

/// Whether one insertion, deletion or replacement turns one word into the other. Words of one letter
/// are all one apart and count only when they differ in case.
fn one_letter_apart(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().min(b.len()) < 2 || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    head + tail + 1 >= a.len().max(b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_one_letter_apart() {
        assert!(one_letter_apart("acc", "ac"));
        assert!(one_letter_apart("acc", "abc"));
        assert!(one_letter_apart("N", "n"));
        assert!(!one_letter_apart("i", "j"));
        assert!(!one_letter_apart("io", "jo_"));
    }

    #[test]
    fn blocks_hide_and_uncover() {
        let mut scope = Scope::default();
        let (x, y) = (Name::new("x"), Name::new("y"));
        let outer = Sym::fresh(x);
        scope.bind(x, Variable::Control(outer));
        let mark = scope.mark();
        scope.bind(x, Variable::Broken);
        scope.bind(y, Variable::Broken);
        assert!(matches!(scope.get(x), Some(Variable::Broken)));
        scope.close(mark);
        assert!(matches!(scope.get(x), Some(Variable::Control(s)) if *s == outer));
        assert!(scope.get(y).is_none());
    }
}

//! What the generators of programs share: types, of which the language has none, and what is in scope.

use crate::choice::Choice;
use rewright_base::sym::Name;
use std::rc::Rc;

/// Types of what is generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Unit,
    Bool,
    Maybe(Rc<Type>),
    List(Rc<Type>),
    Pair(Rc<Type>, Rc<Type>),
    /// A reference to the next one, perhaps.
    Knot,
    Ref(Rc<Type>),
    Fun(Rc<Type>, Rc<Type>),
}

impl Type {
    /// The constructors of a type and their fields; the smallest first.
    pub(super) fn shapes(&self) -> Vec<(&'static str, Vec<Type>)> {
        match self {
            Type::Unit => vec![("Unit", Vec::new())],
            Type::Bool => vec![("True", Vec::new()), ("False", Vec::new())],
            Type::Maybe(a) => vec![("None", Vec::new()), ("Some", vec![a.as_ref().clone()])],
            Type::List(a) => vec![("Nil", Vec::new()), ("Cons", vec![a.as_ref().clone(), self.clone()])],
            Type::Pair(a, b) => vec![("Pair", vec![a.as_ref().clone(), b.as_ref().clone()])],
            Type::Knot => vec![("Stop", Vec::new()), ("Link", vec![Type::Ref(Rc::new(Type::Knot))])],
            Type::Int | Type::Ref(_) | Type::Fun(..) => Vec::new(),
        }
    }
}

/// What a definition takes behind its fuel, and gives.
#[derive(Clone)]
pub(super) struct Signature {
    pub(super) name: Name,
    pub(super) params: Vec<(Name, Type)>,
    pub(super) result: Type,
}

impl Signature {
    /// The type of the function as a value.
    pub(super) fn curried(&self) -> Type {
        let params = std::iter::once(&Type::Int).chain(self.params.iter().map(|(_, t)| t));
        let all: Vec<&Type> = params.collect();
        all.into_iter().rev().fold(self.result.clone(), |t, a| Type::Fun(Rc::new(a.clone()), Rc::new(t)))
    }
}

/// The name of a definition's first parameter: an integer that each call inside of a definition makes less, so that
/// recursion ends. No other variable has this name.
pub(super) const FUEL: &str = "n";

/// One of these names.
pub(super) fn name<C: Choice>(choice: &mut C, names: &[&str]) -> Name {
    Name::new(names.get(choice.below(names.len())).unwrap_or(&"a"))
}

/// The variables that are bound, the innermost last.
#[derive(Clone, Default)]
pub(super) struct Scope(pub(super) Vec<(Name, Type)>);

impl Scope {
    /// Those that satisfy something, those that are shadowed left out.
    pub(super) fn variables(&self, wanted: impl Fn(&Type) -> bool) -> Vec<(Name, Type)> {
        let visible = |i: usize, x: Name| !self.0.iter().skip(i + 1).any(|(y, _)| *y == x);
        let all = self.0.iter().enumerate();
        all.filter(|(i, (x, t))| wanted(t) && visible(*i, *x)).map(|(_, v)| v.clone()).collect()
    }

    /// One of this type; once in `astray` times, of any.
    pub(super) fn variable<C: Choice>(&self, choice: &mut C, t: &Type, astray: usize) -> Option<Name> {
        let any = choice.one_in(astray);
        let all = self.variables(|u| any || u == t);
        all.get(choice.below(all.len())).map(|(x, _)| *x)
    }

    /// Whether calls are made from inside of a definition.
    pub(super) fn has_fuel(&self) -> bool {
        let fuel = Name::new(FUEL);
        self.0.iter().any(|(x, _)| *x == fuel)
    }
}

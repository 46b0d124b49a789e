//! Values, exceptional values and the information order. PLDI'22 Def. A.2, A.5 and A.6;
//! spec: [rule: values].

use crate::data::Datum;
use crate::store::Window;
use std::fmt;

/// The exceptional values, in the information order: `TypeError ⊑ MemError ⊑ Unknown`, and each of them
/// below every ordinary value. PLDI'22 Def. A.2. Spec: [rule: values.exceptional].
///
/// Unlike the paper, which leaves ε_m and the ⊥ of control values unordered, the order is a chain: see
/// [rule: values.order].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exceptional {
    /// ε_τ: an operation on values of the wrong sort.
    TypeError,
    /// ε_m: an access outside a buffer, or a broken precondition.
    MemError,
    /// ⊥: a value of which nothing is known.
    Unknown,
}

impl fmt::Display for Exceptional {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exceptional::TypeError => "ε_τ",
            Exceptional::MemError => "ε_m",
            Exceptional::Unknown => "⊥",
        })
    }
}

/// A control value or ⊥: `Val_c` of PLDI'22 Def. A.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// An integer: of type `int`, `index`, `size` or `stride`.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// ⊥.
    Unknown,
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Control::Int(n) => n.fmt(f),
            Control::Bool(true) => f.write_str("True"),
            Control::Bool(false) => f.write_str("False"),
            Control::Unknown => f.write_str("⊥"),
        }
    }
}

/// Any value: `Val` of PLDI'22 Def. A.5.
#[derive(Clone, Debug, PartialEq)]
pub enum Val<V> {
    /// A control integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A data value.
    Data(V),
    /// A window into a buffer; a whole buffer is the window that shows all of it.
    Window(Window),
    /// ⊥, ε_m or ε_τ.
    Exceptional(Exceptional),
}

impl<V: PartialEq> Val<V> {
    /// Whether `self ⊑ other`: `other` says all that `self` says. Ordinary values are related only to
    /// themselves.
    pub fn is_below(&self, other: &Val<V>) -> bool {
        match (self, other) {
            (Val::Exceptional(a), Val::Exceptional(b)) => a <= b,
            (Val::Exceptional(_), Val::Int(_) | Val::Bool(_) | Val::Data(_) | Val::Window(_)) => true,
            (
                Val::Int(_) | Val::Bool(_) | Val::Data(_) | Val::Window(_),
                Val::Int(_) | Val::Bool(_) | Val::Data(_) | Val::Window(_) | Val::Exceptional(_),
            ) => self == other,
        }
    }

    /// `self ⊓ other`: the most that both say. Two different values of one sort say nothing in common,
    /// ⊥; two of different sorts meet in ε_τ.
    #[must_use]
    pub fn meet(self, other: Val<V>) -> Val<V> {
        if other.is_below(&self) {
            return other;
        }
        if self.is_below(&other) {
            return self;
        }
        let same_sort = std::mem::discriminant(&self) == std::mem::discriminant(&other);
        Val::Exceptional(if same_sort { Exceptional::Unknown } else { Exceptional::TypeError })
    }
}

impl<V> From<Control> for Val<V> {
    fn from(value: Control) -> Val<V> {
        match value {
            Control::Int(n) => Val::Int(n),
            Control::Bool(b) => Val::Bool(b),
            Control::Unknown => Val::Exceptional(Exceptional::Unknown),
        }
    }
}

impl<V> From<Datum<V>> for Val<V> {
    fn from(value: Datum<V>) -> Val<V> {
        match value {
            Datum::Known(v) => Val::Data(v),
            Datum::Unknown => Val::Exceptional(Exceptional::Unknown),
        }
    }
}

impl<V: fmt::Display> fmt::Display for Val<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Int(n) => n.fmt(f),
            Val::Bool(b) => Control::Bool(*b).fmt(f),
            Val::Data(v) => v.fmt(f),
            Val::Window(w) => w.fmt(f),
            Val::Exceptional(e) => e.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Val<i64>> {
        let mut values =
            vec![Val::Int(0), Val::Int(1), Val::Bool(true), Val::Bool(false), Val::Data(0), Val::Data(1)];
        values.extend(
            [Exceptional::TypeError, Exceptional::MemError, Exceptional::Unknown].map(Val::Exceptional),
        );
        values
    }

    #[test]
    fn the_order_is_an_order_and_the_meet_is_its_meet() {
        for a in all() {
            assert!(a.is_below(&a));
            for b in all() {
                assert!(!(a.is_below(&b) && b.is_below(&a)) || a == b);
                let m = a.clone().meet(b.clone());
                assert!(m.is_below(&a) && m.is_below(&b), "{a} ⊓ {b} = {m}");
                assert_eq!(m, b.clone().meet(a.clone()));
                for c in all() {
                    assert!(!(a.is_below(&b) && b.is_below(&c)) || a.is_below(&c));
                    let same_sort = std::mem::discriminant(&a) == std::mem::discriminant(&b);
                    let bound = c.is_below(&a) && c.is_below(&b);
                    // Across sorts the meet is by definition ε_τ, below the greatest bound.
                    if bound && (same_sort || a.is_below(&b) || b.is_below(&a)) {
                        assert!(c.is_below(&m), "{c} is below {a} and {b}, not below {m}");
                    }
                }
            }
        }
    }

    #[test]
    fn sorts_clash_in_a_type_error() {
        assert_eq!(Val::<i64>::Int(1).meet(Val::Bool(true)), Val::Exceptional(Exceptional::TypeError));
        assert_eq!(Val::<i64>::Int(1).meet(Val::Int(2)), Val::Exceptional(Exceptional::Unknown));
    }
}

//! Effect environments: symbolic stores with respect to control values. PLDI'22 §5.2 (Def. 5.2);
//! spec: [rule: effenv].
//!
//! The paper defines each analysis `F⟦s⟧` in terms of the values on entry to `s`, and composes by
//! substituting `γ(F⟦s⟧)`. Here every analysis takes the environment γ that holds before `s` and yields
//! `γ(F⟦s⟧)` at once: an [`Env`] is γ together with what the names in scope stand for. A window's offsets
//! are values of the moment at which it was made [E-7], which this order of work gives for free.

use crate::effexpr::{EffExpr, Sort, Substitution, Var};
use crate::locset::{Base, Loc};
use rewright_semantics::ast::Config;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ControlType, FieldType};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A configuration field, by the names of its class and itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field {
    /// The class.
    pub config: Name,
    /// The field.
    pub field: Name,
}

impl Field {
    /// The field of a class.
    pub fn of(config: &Config, field: Name) -> Field {
        Field { config: config.name, field }
    }

    /// The field as a variable.
    pub fn var(self) -> Var {
        Var::Global(self.config, self.field)
    }
}

/// The sort of a control type's values.
pub fn sort_of_control(t: ControlType) -> Sort {
    match t {
        ControlType::Bool => Sort::Bool,
        ControlType::Int | ControlType::Index | ControlType::Size | ControlType::Stride => Sort::Int,
    }
}

/// The sort of a field; `None` for data, of which no analysis knows the value.
pub fn sort_of_field(config: &Config, field: Name) -> Option<Sort> {
    match config.field(field)?.typ {
        FieldType::Control(t) => Some(sort_of_control(t)),
        FieldType::Data(_) => None,
    }
}

/// γ: what each control field holds, in terms of the values on entry. Fields not listed hold what they
/// held. PLDI'22 Def. 5.2: "default to mapping x to x, not ⊥".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EffEnv {
    map: im::OrdMap<Field, EffExpr>,
    /// The fields whose value may be ⊥.
    unknown: im::OrdSet<Field>,
}

impl EffEnv {
    /// The identity: nothing has changed.
    pub fn new() -> EffEnv {
        EffEnv::default()
    }

    /// What the field holds.
    pub fn get(&self, field: Field, sort: Sort) -> EffExpr {
        self.map.get(&field).cloned().unwrap_or_else(|| EffExpr::var(field.var(), sort))
    }

    /// What the field holds, if that is not what it held on entry.
    pub fn changed(&self, field: Field) -> Option<&EffExpr> {
        self.map.get(&field)
    }

    /// `γ[x ↦ ee]`
    pub fn set(&mut self, field: Field, ee: EffExpr) {
        if ee.is_definite() {
            if self.unknown.contains(&field) {
                self.unknown.remove(&field);
            }
        } else {
            self.unknown.insert(field);
        }
        self.map.insert(field, ee);
    }

    /// The fields whose value may be ⊥, in order.
    pub fn unknown(&self) -> impl Iterator<Item = Field> {
        self.unknown.iter().copied()
    }

    /// The fields that may hold something else than on entry.
    pub fn fields(&self) -> impl Iterator<Item = Field> {
        self.map.keys().copied()
    }

    /// As a substitution: γ(ee) is `ee.substitute(&γ.substitution())`.
    pub fn substitution(&self) -> Substitution {
        self.map.iter().map(|(f, ee)| (f.var(), ee.clone())).collect()
    }

    /// `c ? self else other`, field by field.
    #[must_use]
    pub fn choose(&self, c: &EffExpr, other: &EffEnv) -> EffEnv {
        let keys: BTreeSet<Field> = self.fields().chain(other.fields()).collect();
        let mut out = EffEnv::new();
        for f in keys {
            let sort = self.map.get(&f).or(other.map.get(&f)).map_or(Sort::Int, EffExpr::sort);
            let (a, b) = (self.get(f, sort), other.get(f, sort));
            out.set(f, if a == b { a } else { EffExpr::ite(c.clone(), a, b) });
        }
        out
    }
}

/// One coordinate of a root buffer, as seen through a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coord {
    /// Fixed by a point access.
    Fixed(EffExpr),
    /// The window's index `of`, shifted.
    Shifted {
        /// Which index of the window.
        of: usize,
        /// By how much.
        by: EffExpr,
    },
}

/// What a data name stands for: a root and the injective translation φ into it, with extents and strides
/// as values. PLDI'22 Def. A.4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The root.
    pub base: Base,
    /// φ: one per dimension of the root.
    pub coords: Vec<Coord>,
    /// Extent of each dimension of the view.
    pub extents: Vec<EffExpr>,
    /// Stride of each dimension of the view, in cells.
    pub strides: Vec<EffExpr>,
    /// Whether its strides are those of a tensor of its extents, whatever they are as expressions: it is all of a tensor,
    /// or of its last dimensions, of which the first may be cut.
    pub is_tensor: bool,
}

impl View {
    /// All of a root that is a tensor.
    pub fn tensor(base: Base, extents: Vec<EffExpr>, strides: Vec<EffExpr>) -> View {
        View { is_tensor: true, ..View::whole(base, extents, strides) }
    }

    /// All of a root.
    pub fn whole(base: Base, extents: Vec<EffExpr>, strides: Vec<EffExpr>) -> View {
        let coords = (0..extents.len()).map(|of| Coord::Shifted { of, by: EffExpr::int(0) }).collect();
        View { base, coords, extents, strides, is_tensor: false }
    }

    /// A root of rank 0.
    pub fn scalar(base: Base) -> View {
        View::whole(base, Vec::new(), Vec::new())
    }

    /// φ(ee, …): the cell of the root that these indices show.
    pub fn locate(&self, idx: &[EffExpr]) -> Loc {
        let at = self.coords.iter().map(|c| match c {
            Coord::Fixed(ee) => ee.clone(),
            Coord::Shifted { of, by } => match idx.get(*of) {
                Some(i) => EffExpr::add(i.clone(), by.clone()),
                None => EffExpr::unknown(Sort::Int),
            },
        });
        Loc { base: self.base, idx: at.collect() }
    }

    /// The part that the coordinates select: `φ ∘ φ_win`.
    pub fn select(&self, coords: &[Selected]) -> View {
        let mut kept = Vec::new();
        let at: Vec<Coord> = coords
            .iter()
            .enumerate()
            .map(|(d, c)| match c {
                Selected::Point(ee) => Coord::Fixed(ee.clone()),
                Selected::Interval(lo, _) => {
                    kept.push(d);
                    Coord::Shifted { of: kept.len() - 1, by: lo.clone() }
                }
            })
            .collect();
        let coords_out = self.coords.iter().map(|c| c.after(&at)).collect();
        let extent = |d: &usize| match coords.get(*d) {
            Some(Selected::Interval(lo, hi)) => EffExpr::sub(hi.clone(), lo.clone()),
            Some(Selected::Point(_)) | None => EffExpr::unknown(Sort::Int),
        };
        let stride = |d: &usize| self.strides.get(*d).cloned().unwrap_or(EffExpr::unknown(Sort::Int));
        let is_tensor = self.is_tensor && self.keeps_last(coords);
        View {
            base: self.base,
            coords: coords_out,
            extents: kept.iter().map(extent).collect(),
            strides: kept.iter().map(stride).collect(),
            is_tensor,
        }
    }

    /// Whether the dimensions that are kept are the last ones, all but the first of them as a whole.
    fn keeps_last(&self, coords: &[Selected]) -> bool {
        let kept = coords.iter().zip(&self.extents).skip_while(|(c, _)| matches!(c, Selected::Point(_)));
        let whole = |c: &Selected, extent: &EffExpr| match c {
            Selected::Point(_) => false,
            Selected::Interval(lo, hi) => *lo == EffExpr::int(0) && hi == extent,
        };
        coords.len() == self.extents.len() && kept.skip(1).all(|(c, extent)| whole(c, extent))
    }
}

impl Coord {
    /// This coordinate where the view's own indices are given by `inner`.
    fn after(&self, inner: &[Coord]) -> Coord {
        match self {
            Coord::Fixed(ee) => Coord::Fixed(ee.clone()),
            Coord::Shifted { of, by } => match inner.get(*of) {
                Some(Coord::Fixed(ee)) => Coord::Fixed(EffExpr::add(ee.clone(), by.clone())),
                Some(Coord::Shifted { of, by: more }) => {
                    Coord::Shifted { of: *of, by: EffExpr::add(more.clone(), by.clone()) }
                }
                None => Coord::Fixed(EffExpr::unknown(Sort::Int)),
            },
        }
    }
}

/// A coordinate of a window expression, lifted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selected {
    /// `e`
    Point(EffExpr),
    /// `lo:hi`
    Interval(EffExpr, EffExpr),
}

/// γ, and what the names in scope stand for. Cloning is O(1) but for γ.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// γ.
    pub globals: EffEnv,
    /// Control variables in scope.
    locals: im::OrdMap<Sym, EffExpr>,
    /// Data names in scope.
    views: im::OrdMap<Sym, Arc<View>>,
    /// How many of them show a part of each root.
    roots: im::OrdMap<Sym, usize>,
}

impl Env {
    /// No name in scope, nothing changed.
    pub fn new() -> Env {
        Env::default()
    }

    /// The value of a control variable; ⊥ when it is not in scope.
    pub fn local(&self, x: Sym) -> EffExpr {
        self.locals.get(&x).cloned().unwrap_or(EffExpr::unknown(Sort::Int))
    }

    /// What a data name stands for. A name not in scope stands for a root of its own, of which nothing
    /// is known.
    pub fn view(&self, x: Sym) -> Option<&View> {
        self.views.get(&x).map(Arc::as_ref)
    }

    /// Whether the name is in scope.
    pub fn binds(&self, x: Sym) -> bool {
        self.locals.contains_key(&x) || self.views.contains_key(&x)
    }

    /// Binds a control variable.
    pub fn bind(&mut self, x: Sym, value: EffExpr) {
        self.hide(x);
        self.locals.insert(x, value);
    }

    /// Binds a data name.
    pub fn bind_view(&mut self, x: Sym, view: View) {
        // Removing makes copies of nodes that are shared, whether there is anything to remove or not.
        if self.locals.contains_key(&x) {
            self.locals.remove(&x);
        }
        self.hide(x);
        if let Base::Buffer(root) = view.base {
            *self.roots.entry(root).or_insert(0) += 1;
        }
        self.views.insert(x, Arc::new(view));
    }

    fn hide(&mut self, x: Sym) {
        if self.views.contains_key(&x)
            && let Some(Base::Buffer(root)) = self.views.remove(&x).map(|view| view.base)
            && let Some(shown) = self.roots.get_mut(&root)
        {
            *shown -= 1;
        }
    }

    /// Whether a name in scope shows a part of the root of this name.
    pub fn has_root(&self, root: Sym) -> bool {
        self.roots.get(&root).is_some_and(|shown| *shown > 0)
    }

    /// The data names in scope.
    pub fn views(&self) -> impl Iterator<Item = (Sym, &View)> {
        self.views.iter().map(|(x, v)| (*x, v.as_ref()))
    }

    /// The same scope with other fields.
    #[must_use]
    pub fn with_globals(&self, globals: EffEnv) -> Env {
        Env { globals, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_windows_add_their_shifts() {
        let x = Base::Buffer(Sym::fresh("x"));
        let int = EffExpr::int;
        let root = View::whole(x, vec![int(8), int(9)], vec![int(9), int(1)]);
        let row = root.select(&[Selected::Point(int(2)), Selected::Interval(int(3), int(8))]);
        let part = row.select(&[Selected::Interval(int(1), int(2))]);
        assert_eq!(part.locate(&[int(0)]).idx[..], [int(2), int(4)]);
        assert_eq!((part.extents[0].clone(), part.strides[0].clone()), (int(1), int(1)));
    }
}

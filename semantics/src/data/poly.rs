//! Polynomials in normal form over the rationals, with atoms for what is not a polynomial.
//!
//! Two polynomials that are equal in normal form are equal functions of their variables, whatever the
//! uninterpreted externs mean. The converse holds for [`Poly::is_free`] ones only: `x*x/x` and `x` are
//! equal functions with two normal forms.

use crate::data::number::Number;
use crate::externs::Extern;
use crate::sym::Name;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A sum of monomials with non-zero coefficients.
#[derive(Clone, Debug)]
pub struct Poly {
    terms: BTreeMap<Monomial, Number>,
    /// At least the size of the terms. Not part of the value.
    size: Size,
}

impl PartialEq for Poly {
    fn eq(&self, other: &Poly) -> bool {
        self.terms == other.terms
    }
}

impl Eq for Poly {}

impl PartialOrd for Poly {
    fn partial_cmp(&self, other: &Poly) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Poly {
    fn cmp(&self, other: &Poly) -> std::cmp::Ordering {
        self.terms.cmp(&other.terms)
    }
}

impl std::hash::Hash for Poly {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.terms.hash(state);
    }
}

/// A product of powers of distinct atoms, in their order; the empty product is 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monomial(Arc<[(Atom, u32)]>);

/// What a polynomial is a polynomial in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// An input.
    Var(Var),
    /// `1 / p`, total: 0 where p is 0. Never of a constant, nor of a single monomial of degree above 1.
    Inverse(Arc<Poly>),
    /// An extern whose value is not known.
    Apply(Extern, Arc<[Poly]>),
}

/// An input: the cell of an argument, or a data field of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var {
    /// The argument or field.
    pub name: Name,
    /// Which cell; empty for a scalar.
    pub index: Arc<[i64]>,
}

/// A bound on the work that handling a polynomial takes; a function of its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Size {
    /// Atoms, written out as a tree.
    nodes: u64,
    /// How deep atoms are nested.
    depth: u32,
}

/// Beyond these, a value is given up: nothing that a person compares grows so large, and shared
/// sub-terms would cost exponential time (`x = sin(x) + cos(x)`, again and again).
const MAX_SIZE: Size = Size { nodes: 1 << 18, depth: 128 };

impl Poly {
    /// A constant.
    pub fn constant(value: Number) -> Poly {
        Poly::normal([(Monomial(Arc::default()), value)]).expect("a constant is small")
    }

    /// One atom; `None` when it is too large to handle.
    pub fn atom(atom: Atom) -> Option<Poly> {
        Poly::normal([(Monomial(Arc::new([(atom, 1)])), Number::ONE)])
    }

    /// A variable.
    pub fn var(name: Name, index: &[i64]) -> Poly {
        Poly::atom(Atom::Var(Var { name, index: index.into() })).expect("a variable is small")
    }

    /// The value, when this is a constant.
    pub fn as_constant(&self) -> Option<Number> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(Number::ZERO),
            (Some((m, c)), None) if m.0.is_empty() => Some(c.clone()),
            (Some(_), None | Some(_)) => None,
        }
    }

    /// `-self`.
    #[must_use]
    pub fn neg(&self) -> Poly {
        let terms = self.terms.iter().map(|(m, c)| (m.clone(), c.neg())).collect();
        Poly { terms, size: self.size }
    }

    /// `self + other`; `None` when it is too large to handle.
    pub fn plus(self, other: &Poly) -> Option<Poly> {
        let mut terms = self.terms;
        for (m, c) in &other.terms {
            accumulate(&mut terms, m.clone(), c)?;
        }
        // The sum of the sizes will do as long as it is no obstacle: measuring at each step would make a
        // long sum quadratic.
        let nodes = self.size.nodes.saturating_add(other.size.nodes);
        let size = Size { nodes, depth: self.size.depth.max(other.size.depth) };
        if size.fits() { Some(Poly { terms, size }) } else { Poly::measured(terms) }
    }

    /// `self * other`; `None` when it is too large to handle.
    pub fn times(&self, other: &Poly) -> Option<Poly> {
        let work = |a: Size, b: Size| a.nodes.saturating_mul(b.nodes);
        let most = MAX_SIZE.nodes.saturating_mul(4);
        if work(self.size, other.size) > most && work(measure(&self.terms), measure(&other.terms)) > most {
            return None;
        }
        let mut terms = BTreeMap::new();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                accumulate(&mut terms, m.times(n)?, &c.mul(d))?;
            }
        }
        Poly::measured(terms)
    }

    /// `1 / self`, total; `None` when it is too large to handle.
    ///
    /// `inv(c * x^a * y^b) = inv(c) * inv(x)^a * inv(y)^b`, and a sum is made to start with coefficient 1.
    pub fn inverse(&self) -> Option<Poly> {
        let Some((first, coefficient)) = self.terms.iter().next() else {
            return Some(Poly::constant(Number::ZERO));
        };
        let scale = coefficient.inverse();
        if self.terms.len() > 1 {
            let monic = self.scaled(&scale);
            return Some(Poly::atom(Atom::Inverse(Arc::new(monic)))?.scaled(&scale));
        }
        let mut result = Poly::constant(scale);
        for (atom, power) in first.0.iter() {
            let inverse = match atom {
                Atom::Inverse(p) => p.as_ref().clone(),
                Atom::Var(_) | Atom::Apply(..) => {
                    Poly::atom(Atom::Inverse(Arc::new(Poly::atom(atom.clone())?)))?
                }
            };
            for _ in 0..*power {
                result = result.times(&inverse)?;
            }
        }
        Some(result)
    }

    /// `self * c`, for `c` not 0.
    fn scaled(&self, c: &Number) -> Poly {
        let terms = self.terms.iter().map(|(m, d)| (m.clone(), d.mul(c))).collect();
        Poly { terms, size: self.size }
    }

    /// Whether different normal forms are different functions: all atoms are variables, or externs
    /// without a fixed meaning of such arguments.
    pub fn is_free(&self) -> bool {
        self.terms.keys().flat_map(|m| m.0.iter()).all(|(atom, _)| match atom {
            Atom::Var(_) => true,
            Atom::Inverse(_) => false,
            Atom::Apply(f, args) => !is_interpreted(*f) && args.iter().all(Poly::is_free),
        })
    }

    /// The monomials with their coefficients; each monomial as atoms and powers.
    pub fn terms(&self) -> impl Iterator<Item = (&[(Atom, u32)], &Number)> {
        self.terms.iter().map(|(m, c)| (m.0.as_ref(), c))
    }

    fn normal(terms: impl IntoIterator<Item = (Monomial, Number)>) -> Option<Poly> {
        Poly::measured(terms.into_iter().filter(|(_, c)| !c.is_zero()).collect())
    }

    fn measured(terms: BTreeMap<Monomial, Number>) -> Option<Poly> {
        let size = measure(&terms);
        let small = terms.values().all(|c| c.bits() <= Number::MAX_BITS);
        (small && size.fits()).then_some(Poly { terms, size })
    }
}

/// The size of terms.
fn measure(terms: &BTreeMap<Monomial, Number>) -> Size {
    let mut size = Size { nodes: 1, depth: 0 };
    for m in terms.keys() {
        size.nodes = size.nodes.saturating_add(1);
        for (atom, _) in m.0.iter() {
            let inner = atom.size();
            size.nodes = size.nodes.saturating_add(inner.nodes);
            size.depth = size.depth.max(inner.depth);
        }
    }
    size
}

impl Size {
    fn fits(self) -> bool {
        self.nodes <= MAX_SIZE.nodes && self.depth <= MAX_SIZE.depth
    }
}

/// Whether an extern is a definite function of rationals (the others are left uninterpreted).
pub fn is_interpreted(func: Extern) -> bool {
    match func {
        Extern::Fabsf
        | Extern::Fmaxf
        | Extern::Fminf
        | Extern::Relu
        | Extern::Select
        | Extern::Clamp
        | Extern::Fma
        | Extern::FmaFtz => true,
        Extern::Sin | Extern::Cos | Extern::Sqrt | Extern::Expf | Extern::Logf | Extern::Sigmoid => false,
        Extern::Foreign(_) => false,
    }
}

/// Adds `c * m`; `None` when the coefficient grows beyond reason.
fn accumulate(terms: &mut BTreeMap<Monomial, Number>, m: Monomial, c: &Number) -> Option<()> {
    use std::collections::btree_map::Entry;
    match terms.entry(m) {
        Entry::Vacant(slot) => {
            slot.insert(c.clone());
        }
        Entry::Occupied(mut slot) => {
            let sum = slot.get().add(c);
            if sum.is_zero() {
                slot.remove();
            } else if sum.bits() > Number::MAX_BITS {
                return None;
            } else {
                slot.insert(sum);
            }
        }
    }
    Some(())
}

impl Monomial {
    /// The product: powers of one atom add up. `None` when a power grows beyond reason.
    fn times(&self, other: &Monomial) -> Option<Monomial> {
        if self.0.is_empty() {
            return Some(other.clone());
        }
        if other.0.is_empty() {
            return Some(self.clone());
        }
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut product = Vec::with_capacity(self.0.len() + other.0.len());
        while let (Some((a, i)), Some((b, j))) = (left.peek(), right.peek()) {
            match a.cmp(b) {
                std::cmp::Ordering::Less => product.extend(left.next().cloned()),
                std::cmp::Ordering::Greater => product.extend(right.next().cloned()),
                std::cmp::Ordering::Equal => {
                    product.push((a.clone(), i.checked_add(*j)?));
                    left.next();
                    right.next();
                }
            }
        }
        product.extend(left.cloned());
        product.extend(right.cloned());
        Some(Monomial(product.into()))
    }
}

impl Atom {
    fn size(&self) -> Size {
        let inner = |ps: &mut dyn Iterator<Item = &Poly>| {
            ps.fold(Size { nodes: 1, depth: 1 }, |s, p| Size {
                nodes: s.nodes.saturating_add(p.size.nodes),
                depth: s.depth.max(p.size.depth + 1),
            })
        };
        match self {
            Atom::Var(_) => Size { nodes: 1, depth: 1 },
            Atom::Inverse(p) => inner(&mut std::iter::once(p.as_ref())),
            Atom::Apply(_, args) => inner(&mut args.iter()),
        }
    }
}

/// `x[0,1]*y + 2*sin(x[0,0])^2 - 1/3`; constants last.
impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        let (constants, rest): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(m, _)| m.0.is_empty());
        for (k, (m, c)) in rest.into_iter().chain(constants).enumerate() {
            let magnitude = if c.is_negative() { c.neg() } else { c.clone() };
            match (k, c.is_negative()) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            if m.0.is_empty() {
                write!(f, "{magnitude}")?;
            } else if magnitude == Number::ONE {
                write!(f, "{m}")?;
            } else {
                write!(f, "{magnitude}*{m}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Monomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, (atom, power)) in self.0.iter().enumerate() {
            if k > 0 {
                f.write_str("*")?;
            }
            write!(f, "{atom}")?;
            if *power > 1 {
                write!(f, "^{power}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Var(var) => var.fmt(f),
            Atom::Inverse(p) => write!(f, "inv({p})"),
            Atom::Apply(func, args) => {
                let args: Vec<String> = args.iter().map(ToString::to_string).collect();
                write!(f, "{func}({})", args.join(", "))
            }
        }
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        if self.index.is_empty() {
            return Ok(());
        }
        let index: Vec<String> = self.index.iter().map(ToString::to_string).collect();
        write!(f, "[{}]", index.join(","))
    }
}

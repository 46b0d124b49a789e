//! Linear normal form of control expressions: an integer combination of atoms.
//!
//! Quasi-affine arithmetic is linear but for floor division by a positive constant, which becomes an
//! opaque atom once everything that can leave it has left; remainders are `e % c = e - c * (e / c)`.
//! Two expressions with the same normal form have the same value in every state in which the
//! configuration fields they read agree. The converse fails on purpose: no solver is asked.
//! Spec: [rule: type.linear].

use crate::ast::{Config, Expr};
use crate::sym::{Name, Sym};
use num_integer::Integer;
use smallvec::SmallVec;
use std::sync::Arc;

/// What a [`Linear`] is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A control variable.
    Var(Sym),
    /// `stride(x, dim)`.
    Stride(Sym, usize),
    /// The value of a configuration field.
    Config(ConfigAtom),
    /// `e / c`, floor division, for `c ≥ 2`: nothing of `e` can be divided exactly any more.
    Div(Arc<Linear>, i64),
}

/// A configuration field at an [`Epoch`]: the same field after a write is another atom.
#[derive(Clone, Debug)]
pub struct ConfigAtom {
    /// The configuration class.
    pub config: Arc<Config>,
    /// The field.
    pub field: Name,
    /// When it was read.
    pub epoch: Epoch,
}

/// Counts the writes to a configuration field along a path through a procedure.
pub type Epoch = u32;

impl ConfigAtom {
    fn key(&self) -> (Name, Name, Epoch) {
        (self.config.name, self.field, self.epoch)
    }
}

impl PartialEq for ConfigAtom {
    fn eq(&self, other: &ConfigAtom) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ConfigAtom {}

impl PartialOrd for ConfigAtom {
    fn partial_cmp(&self, other: &ConfigAtom) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ConfigAtom {
    fn cmp(&self, other: &ConfigAtom) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl std::hash::Hash for ConfigAtom {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// `Σ coefficient * atom + constant`, with no coefficient 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Linear {
    terms: Terms,
    constant: i64,
}

/// Atoms with their coefficients, in the order of the atoms: three or fewer in nearly all programs.
type Terms = SmallVec<[(Atom, i64); 3]>;

/// Why an expression has no linear normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotLinear {
    /// A product of two expressions neither of which is constant.
    #[error("a product of two values that are not constant")]
    Product,
    /// A divisor or modulus that is not a positive constant.
    #[error("a divisor that is not a positive constant")]
    Divisor,
    /// Data, a boolean, or a buffer.
    #[error("not an integer control expression")]
    NotControl,
    /// A coefficient does not fit in 64 bits.
    #[error("a coefficient does not fit in 64 bits")]
    Overflow,
    /// A dividend of more than [`MAX_DIVIDEND`] atoms: remainders of remainders double at each level.
    #[error("too many divisions inside each other")]
    Size,
}

/// How many atoms a dividend may have, those inside of its own divisions included.
pub const MAX_DIVIDEND: usize = 500;

/// Tells the epoch of a configuration field.
pub type EpochOf<'a> = &'a dyn Fn(&Config, Name) -> Epoch;

impl Linear {
    /// A constant.
    pub fn constant(n: i64) -> Linear {
        Linear { terms: Terms::new(), constant: n }
    }

    /// One atom.
    pub fn atom(a: Atom) -> Linear {
        Linear { terms: Terms::from_iter([(a, 1)]), constant: 0 }
    }

    /// The normal form of a control expression, all configuration fields read at one moment.
    pub fn of(e: &Expr) -> Result<Linear, NotLinear> {
        Linear::of_at(e, &|_, _| 0)
    }

    /// The normal form of a control expression, with the epochs of the fields it reads.
    pub fn of_at(e: &Expr, epoch: EpochOf<'_>) -> Result<Linear, NotLinear> {
        let mut sum = Linear::default();
        sum.accumulate(e, 1, epoch)?;
        Ok(sum)
    }

    /// The value, if it is the same in every state.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The atoms and their coefficients (never 0), in a fixed order.
    pub fn terms(&self) -> impl Iterator<Item = (&Atom, i64)> {
        self.terms.iter().map(|(a, k)| (a, *k))
    }

    /// What is added to the atoms.
    pub fn offset(&self) -> i64 {
        self.constant
    }

    /// The coefficient of an atom, 0 where it does not occur (inside of other atoms does not count).
    pub fn coefficient(&self, a: &Atom) -> i64 {
        self.place(a).ok().and_then(|at| self.terms.get(at)).map_or(0, |(_, k)| *k)
    }

    /// Where an atom is, or would be.
    fn place(&self, a: &Atom) -> Result<usize, usize> {
        self.terms.binary_search_by(|(b, _)| b.cmp(a))
    }

    /// The atoms.
    fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.terms.iter().map(|(a, _)| a)
    }

    /// `self + k * other`.
    pub fn plus(mut self, k: i64, other: &Linear) -> Result<Linear, NotLinear> {
        self.add_scaled(k, other)?;
        Ok(self)
    }

    /// `self - other`.
    pub fn minus(self, other: &Linear) -> Result<Linear, NotLinear> {
        self.plus(-1, other)
    }

    /// `k * self`.
    pub fn times(&self, k: i64) -> Result<Linear, NotLinear> {
        Linear::default().plus(k, self)
    }

    /// `self / c`, rounded down. Errors: `c < 1`, overflow, size.
    ///
    /// 1. What is a multiple of `c` leaves: `(c*a + b) / c = a + b / c`, all coefficients of b in `0..c`.
    /// 2. A common factor is cancelled: `(g*b + k) / (g*d) = (b + k / g) / d`.
    /// 3. Nested divisions become one: `(l / d + m) / c = (l + d*m) / (d*c)`.
    pub fn floor_div(&self, c: i64) -> Result<Linear, NotLinear> {
        if c < 1 {
            return Err(NotLinear::Divisor);
        }
        let (quotient, rest) = self.split(c);
        if rest.terms.is_empty() {
            return Ok(quotient);
        }
        rest.atoms_within(MAX_DIVIDEND).ok_or(NotLinear::Size)?;
        let g = rest.terms.iter().fold(c, |g, (_, k)| g.gcd(k));
        let (rest, c) = (rest.split(g).0, c / g);
        let nested = rest.terms.iter().find_map(|(a, k)| match a {
            Atom::Div(l, d) if *k == 1 => Some((a.clone(), Arc::clone(l), *d)),
            Atom::Div(..) | Atom::Var(_) | Atom::Stride(..) | Atom::Config(_) => None,
        });
        let Some((atom, l, d)) = nested else {
            return quotient.plus(1, &Linear::atom(Atom::Div(Arc::new(rest), c)));
        };
        let others = rest.minus(&Linear::atom(atom))?;
        let merged = l.times(1)?.plus(d, &others)?;
        quotient.plus(1, &merged.floor_div(d.checked_mul(c).ok_or(NotLinear::Overflow)?)?)
    }

    /// Replaces atoms, inside of divisions too.
    pub fn substitute(&self, by: &dyn Fn(&Atom) -> Option<Linear>) -> Result<Linear, NotLinear> {
        let mut sum = Linear::constant(self.constant);
        for (a, k) in &self.terms {
            let image = match (by(a), a) {
                (Some(image), _) => image,
                (None, Atom::Div(l, c)) => l.substitute(by)?.floor_div(*c)?,
                (None, Atom::Var(_) | Atom::Stride(..) | Atom::Config(_)) => Linear::atom(a.clone()),
            };
            sum.add_scaled(*k, &image)?;
        }
        Ok(sum)
    }

    /// Whether an atom occurs, inside of divisions too.
    pub fn mentions(&self, a: &Atom) -> bool {
        self.atoms().any(|b| b == a || matches!(b, Atom::Div(l, _) if l.mentions(a)))
    }

    /// Whether this holds of every atom, inside of divisions too.
    pub fn all_atoms(&self, holds: &dyn Fn(&Atom) -> bool) -> bool {
        let inside = |a: &Atom| !matches!(a, Atom::Div(l, _) if !l.all_atoms(holds));
        self.atoms().all(|a| holds(a) && inside(a))
    }

    /// How many of this many atoms are left when all of these are counted; `None` when there are more.
    fn atoms_within(&self, limit: usize) -> Option<usize> {
        self.atoms().try_fold(limit, |left, a| match a {
            Atom::Div(l, _) => l.atoms_within(left.checked_sub(1)?),
            Atom::Var(_) | Atom::Stride(..) | Atom::Config(_) => left.checked_sub(1),
        })
    }

    /// `self = c * quotient + rest` with every coefficient of the rest in `0..c`, for `c ≥ 1`.
    fn split(&self, c: i64) -> (Linear, Linear) {
        let (mut quotient, mut rest) = (Linear::default(), Linear::default());
        for (a, k) in &self.terms {
            let (q, r) = k.div_mod_floor(&c);
            if q != 0 {
                quotient.terms.push((a.clone(), q));
            }
            if r != 0 {
                rest.terms.push((a.clone(), r));
            }
        }
        (quotient.constant, rest.constant) = self.constant.div_mod_floor(&c);
        (quotient, rest)
    }

    fn add_constant(&mut self, n: i64, k: i64) -> Result<(), NotLinear> {
        let scaled = n.checked_mul(k).ok_or(NotLinear::Overflow)?;
        self.constant = self.constant.checked_add(scaled).ok_or(NotLinear::Overflow)?;
        Ok(())
    }

    fn add_term(&mut self, a: Atom, k: i64) -> Result<(), NotLinear> {
        match self.place(&a) {
            Err(_) if k == 0 => {}
            Err(at) => self.terms.insert(at, (a, k)),
            Ok(at) => {
                let Some((_, sum)) = self.terms.get_mut(at) else { return Ok(()) };
                *sum = sum.checked_add(k).ok_or(NotLinear::Overflow)?;
                if *sum == 0 {
                    self.terms.remove(at);
                }
            }
        }
        Ok(())
    }

    fn add_scaled(&mut self, k: i64, other: &Linear) -> Result<(), NotLinear> {
        self.add_constant(other.constant, k)?;
        for (a, c) in &other.terms {
            self.add_term(a.clone(), c.checked_mul(k).ok_or(NotLinear::Overflow)?)?;
        }
        Ok(())
    }
}

mod convert;

#[cfg(test)]
pub(crate) mod tests;

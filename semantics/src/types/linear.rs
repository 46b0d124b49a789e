//! Linear normal form of control expressions: an integer combination of atoms.
//!
//! Quasi-affine arithmetic is linear but for floor division by a positive constant, which becomes an
//! opaque atom once everything that can leave it has left; remainders are `e % c = e - c * (e / c)`.
//! Two expressions with the same normal form have the same value in every state in which the
//! configuration fields they read agree. The converse fails on purpose: no solver is asked.
//! Spec: [rule: type.linear].

use crate::ast::{BinOp, Config, Expr, ExprKind, Literal};
use crate::build;
use crate::sym::{Name, Sym};
use num_integer::Integer;
use std::collections::BTreeMap;
use std::fmt;
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
    terms: BTreeMap<Atom, i64>,
    constant: i64,
}

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
}

/// Tells the epoch of a configuration field.
pub type EpochOf<'a> = &'a dyn Fn(&Config, Name) -> Epoch;

impl Linear {
    /// A constant.
    pub fn constant(n: i64) -> Linear {
        Linear { terms: BTreeMap::new(), constant: n }
    }

    /// One atom.
    pub fn atom(a: Atom) -> Linear {
        Linear { terms: BTreeMap::from([(a, 1)]), constant: 0 }
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
        self.terms.get(a).copied().unwrap_or(0)
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

    /// `self / c`, rounded down. Errors: `c < 1`, overflow.
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
        let g = rest.terms.values().fold(c, |g, k| g.gcd(k));
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
        self.terms.keys().any(|b| b == a || matches!(b, Atom::Div(l, _) if l.mentions(a)))
    }

    /// `self = c * quotient + rest` with every coefficient of the rest in `0..c`, for `c ≥ 1`.
    fn split(&self, c: i64) -> (Linear, Linear) {
        let (mut quotient, mut rest) = (Linear::default(), Linear::default());
        for (a, k) in &self.terms {
            let (q, r) = k.div_mod_floor(&c);
            if q != 0 {
                quotient.terms.insert(a.clone(), q);
            }
            if r != 0 {
                rest.terms.insert(a.clone(), r);
            }
        }
        (quotient.constant, rest.constant) = self.constant.div_mod_floor(&c);
        (quotient, rest)
    }

    /// Adds `k * e`.
    fn accumulate(&mut self, e: &Expr, k: i64, epoch: EpochOf<'_>) -> Result<(), NotLinear> {
        super::deep(|| match &e.kind {
            ExprKind::Read { name, idx } if idx.is_empty() => self.add_term(Atom::Var(*name), k),
            ExprKind::Lit(Literal::Int(n)) => self.add_constant(*n, k),
            ExprKind::Stride { name, dim } => self.add_term(Atom::Stride(*name, *dim), k),
            ExprKind::ReadConfig { config, field } => {
                let epoch = epoch(config, *field);
                self.add_term(
                    Atom::Config(ConfigAtom { config: Arc::clone(config), field: *field, epoch }),
                    k,
                )
            }
            ExprKind::Neg(e) => self.accumulate(e, k.checked_neg().ok_or(NotLinear::Overflow)?, epoch),
            ExprKind::Bin { op, lhs, rhs } => self.accumulate_bin(*op, lhs, rhs, k, epoch),
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
            | ExprKind::Not(_)
            | ExprKind::Extern { .. } => Err(NotLinear::NotControl),
        })
    }

    fn accumulate_bin(
        &mut self,
        op: BinOp,
        lhs: &Expr,
        rhs: &Expr,
        k: i64,
        epoch: EpochOf<'_>,
    ) -> Result<(), NotLinear> {
        match op {
            BinOp::Add => {
                self.accumulate(lhs, k, epoch)?;
                self.accumulate(rhs, k, epoch)
            }
            BinOp::Sub => {
                self.accumulate(lhs, k, epoch)?;
                self.accumulate(rhs, k.checked_neg().ok_or(NotLinear::Overflow)?, epoch)
            }
            BinOp::Mul => {
                let (l, r) = (Linear::of_at(lhs, epoch)?, Linear::of_at(rhs, epoch)?);
                let (c, e) = match (l.as_constant(), r.as_constant()) {
                    (Some(c), _) => (c, r),
                    (None, Some(c)) => (c, l),
                    (None, None) => return Err(NotLinear::Product),
                };
                self.add_scaled(c.checked_mul(k).ok_or(NotLinear::Overflow)?, &e)
            }
            BinOp::Div | BinOp::Mod => {
                let (l, r) = (Linear::of_at(lhs, epoch)?, Linear::of_at(rhs, epoch)?);
                let c = r.as_constant().filter(|c| *c >= 1).ok_or(NotLinear::Divisor)?;
                let quotient = l.floor_div(c)?;
                if op == BinOp::Div {
                    return self.add_scaled(k, &quotient);
                }
                self.add_scaled(k, &l.plus(-c, &quotient)?)
            }
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => {
                Err(NotLinear::NotControl)
            }
        }
    }

    fn add_constant(&mut self, n: i64, k: i64) -> Result<(), NotLinear> {
        let scaled = n.checked_mul(k).ok_or(NotLinear::Overflow)?;
        self.constant = self.constant.checked_add(scaled).ok_or(NotLinear::Overflow)?;
        Ok(())
    }

    fn add_term(&mut self, a: Atom, k: i64) -> Result<(), NotLinear> {
        let sum = self.coefficient(&a).checked_add(k).ok_or(NotLinear::Overflow)?;
        if sum == 0 {
            self.terms.remove(&a);
        } else {
            self.terms.insert(a, sum);
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

    /// An expression with this normal form: positive terms first, in the order of the atoms.
    /// Epochs are forgotten, so it stands for the same value only where the fields have not changed.
    pub fn to_expr(&self) -> Expr {
        let (gains, losses): (Vec<_>, Vec<_>) = self.terms().partition(|(_, k)| *k > 0);
        let mut sum: Option<Expr> = None;
        for (a, k) in gains {
            let term = if k == 1 { a.to_expr() } else { build::mul(k, a.to_expr()) };
            sum = Some(sum.take().map_or(term.clone(), |s| build::add(s, term)));
        }
        if self.constant > 0 || (self.constant == 0 && self.terms.is_empty()) {
            sum = Some(sum.map_or(build::int(self.constant), |s| build::add(s, self.constant)));
        }
        for (a, k) in losses {
            sum = Some(match (sum, k.checked_neg()) {
                (None, _) if k == -1 => build::neg(a.to_expr()),
                (Some(s), Some(1)) => build::sub(s, a.to_expr()),
                (Some(s), Some(m)) => build::sub(s, build::mul(m, a.to_expr())),
                (None, _) => build::mul(k, a.to_expr()),
                (Some(s), None) => build::add(s, build::mul(k, a.to_expr())),
            });
        }
        match (sum, self.constant.checked_neg()) {
            (Some(s), Some(n)) if n > 0 => build::sub(s, n),
            (Some(s), None) => build::add(s, self.constant),
            (Some(s), Some(_)) => s,
            (None, _) => build::int(self.constant),
        }
    }
}

impl Atom {
    fn to_expr(&self) -> Expr {
        match self {
            Atom::Var(x) => build::var(*x),
            Atom::Stride(x, dim) => build::stride(*x, *dim),
            Atom::Config(ConfigAtom { config, field, epoch: _ }) => build::read_config(config, *field),
            Atom::Div(l, c) => build::div(l.to_expr(), *c),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Var(x) => write!(f, "{x}"),
            Atom::Stride(x, dim) => write!(f, "stride({x}, {dim})"),
            Atom::Config(ConfigAtom { config, field, epoch: _ }) => write!(f, "{}.{field}", config.name),
            Atom::Div(l, c) if l.terms.len() == 1 && l.constant == 0 => write!(f, "{l} / {c}"),
            Atom::Div(l, c) => write!(f, "({l}) / {c}"),
        }
    }
}

/// As [`Linear::to_expr`] would print.
impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (gains, losses): (Vec<_>, Vec<_>) = self.terms().partition(|(_, k)| *k > 0);
        let mut first = true;
        let mut sign = |f: &mut fmt::Formatter<'_>, minus: bool| {
            let text = match (std::mem::take(&mut first), minus) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            f.write_str(text)
        };
        let term = |f: &mut fmt::Formatter<'_>, a: &Atom, k: u64| match (a, k) {
            (_, 1) => write!(f, "{a}"),
            (Atom::Div(..), _) => write!(f, "{k} * ({a})"),
            (Atom::Var(_) | Atom::Stride(..) | Atom::Config(_), _) => write!(f, "{k} * {a}"),
        };
        for (a, k) in gains {
            sign(f, false)?;
            term(f, a, k.unsigned_abs())?;
        }
        if self.constant > 0 || (self.constant == 0 && self.terms.is_empty()) {
            sign(f, false)?;
            write!(f, "{}", self.constant)?;
        }
        for (a, k) in losses {
            sign(f, true)?;
            term(f, a, k.unsigned_abs())?;
        }
        if self.constant < 0 {
            sign(f, true)?;
            write!(f, "{}", self.constant.unsigned_abs())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! Linear terms over integers, and the table of what they are linear in: variables and quotients by
//! constants. All arithmetic is checked: an overflow gives up, it never wraps.

use rustc_hash::FxHashMap;

/// Why a stage of the solver stops without an answer: too much work, or numbers too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GiveUp;

pub(super) type Res<T> = Result<T, GiveUp>;

/// An entry of [`Table`]: an integer or boolean variable, or a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id(pub(super) u32);

/// `Σ c·x + constant`. Terms are sorted by variable and no coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lin {
    pub(super) terms: Vec<(Id, i128)>,
    pub(super) constant: i128,
}

impl Lin {
    pub(super) fn constant(constant: i128) -> Lin {
        Lin { terms: Vec::new(), constant }
    }

    pub(super) fn var(x: Id) -> Lin {
        Lin { terms: vec![(x, 1)], constant: 0 }
    }

    pub(super) fn coefficient(&self, x: Id) -> i128 {
        self.terms.binary_search_by_key(&x, |(y, _)| *y).map_or(0, |at| self.terms[at].1)
    }

    /// `self + k * other`
    pub(super) fn plus(&self, k: i128, other: &Lin) -> Res<Lin> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (x, c) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some((x, c)), Some((y, _))) if x < y => (a.next().map(|_| *x).ok_or(GiveUp)?, *c),
                (Some((x, c)), None) => (a.next().map(|_| *x).ok_or(GiveUp)?, *c),
                (Some((x, c)), Some((y, d))) if x == y => {
                    let sum = c.checked_add(k.checked_mul(*d).ok_or(GiveUp)?).ok_or(GiveUp)?;
                    let x = *x;
                    a.next();
                    b.next();
                    (x, sum)
                }
                (_, Some((y, d))) => {
                    let c = k.checked_mul(*d).ok_or(GiveUp)?;
                    let y = *y;
                    b.next();
                    (y, c)
                }
            };
            if c != 0 {
                terms.push((x, small(c)?));
            }
        }
        let constant =
            k.checked_mul(other.constant).and_then(|c| c.checked_add(self.constant)).ok_or(GiveUp)?;
        Ok(Lin { terms, constant: small(constant)? })
    }

    /// Adds `k * x`.
    pub(super) fn add_term(&mut self, k: i128, x: Id) -> Res<()> {
        match self.terms.binary_search_by_key(&x, |(y, _)| *y) {
            Ok(at) => {
                let sum = small(self.terms[at].1.checked_add(k).ok_or(GiveUp)?)?;
                if sum == 0 {
                    self.terms.remove(at);
                } else {
                    self.terms[at].1 = sum;
                }
            }
            Err(_) if k == 0 => {}
            Err(at) => self.terms.insert(at, (x, small(k)?)),
        }
        Ok(())
    }

    pub(super) fn scaled(&self, k: i128) -> Res<Lin> {
        Lin::constant(0).plus(k, self)
    }

    pub(super) fn shifted(mut self, c: i128) -> Res<Lin> {
        self.constant = small(self.constant.checked_add(c).ok_or(GiveUp)?)?;
        Ok(self)
    }

    /// Without the term of `x`.
    pub(super) fn without(&self, x: Id) -> Lin {
        let terms = self.terms.iter().copied().filter(|(y, _)| *y != x).collect();
        Lin { terms, constant: self.constant }
    }

    /// `self[x ↦ by]`
    pub(super) fn replaced(&self, x: Id, by: &Lin) -> Res<Lin> {
        match self.coefficient(x) {
            0 => Ok(self.clone()),
            c => self.without(x).plus(c, by),
        }
    }

    /// The greatest common divisor of the coefficients; 0 when there is none.
    pub(super) fn content(&self) -> i128 {
        self.terms.iter().fold(0, |g, (_, c)| gcd(g, *c))
    }

    pub(super) fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Numbers beyond this are given up, so that negating one never overflows.
const LARGEST: u128 = 1 << 120;

fn small(c: i128) -> Res<i128> {
    if c.unsigned_abs() > LARGEST { Err(GiveUp) } else { Ok(c) }
}

/// The greatest common divisor, ≥ 0.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a.checked_rem(b).unwrap_or(0));
    }
    a.checked_abs().unwrap_or(1)
}

/// What an [`Id`] stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum IdKind {
    /// A variable.
    Variable,
    /// `floor(numerator / divisor)`, the divisor positive.
    Quotient(Lin, i128),
}

/// Variables and quotients by number. Equal quotients have one number.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    kinds: Vec<IdKind>,
    quotients: FxHashMap<(Lin, i128), Id>,
}

/// The index of quotients follows from the kinds.
impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        self.kinds == other.kinds
    }
}

impl Eq for Table {}

impl std::hash::Hash for Table {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.kinds.hash(state);
    }
}

impl Table {
    /// A new variable.
    pub(super) fn fresh(&mut self) -> Res<Id> {
        self.add(IdKind::Variable)
    }

    fn add(&mut self, kind: IdKind) -> Res<Id> {
        let id = Id(u32::try_from(self.kinds.len()).map_err(|_| GiveUp)?);
        self.kinds.push(kind);
        Ok(id)
    }

    pub(super) fn kind(&self, x: Id) -> &IdKind {
        usize::try_from(x.0).ok().and_then(|i| self.kinds.get(i)).unwrap_or(&IdKind::Variable)
    }

    /// `floor(lin / k)` for `k > 0`, with all multiples of `k` taken out and common factors divided away.
    pub(super) fn quotient(&mut self, lin: &Lin, k: i128) -> Res<Lin> {
        let mut whole = Lin::constant(lin.constant.div_euclid(k));
        let mut rest = Lin::constant(lin.constant.rem_euclid(k));
        for (x, c) in &lin.terms {
            if c.div_euclid(k) != 0 {
                whole.terms.push((*x, c.div_euclid(k)));
            }
            if c.rem_euclid(k) != 0 {
                rest.terms.push((*x, c.rem_euclid(k)));
            }
        }
        if rest.is_constant() {
            return Ok(whole);
        }
        let g = gcd(rest.content(), k);
        let reduced = Lin {
            terms: rest.terms.iter().map(|(x, c)| (*x, c / g)).collect(),
            constant: rest.constant.div_euclid(g),
        };
        if k / g == 1 {
            return whole.plus(1, &reduced);
        }
        let id = self.quotient_id(reduced, k / g)?;
        whole.plus(1, &Lin::var(id))
    }

    fn quotient_id(&mut self, numerator: Lin, k: i128) -> Res<Id> {
        let key = (numerator, k);
        if let Some(id) = self.quotients.get(&key) {
            return Ok(*id);
        }
        let id = self.add(IdKind::Quotient(key.0.clone(), k))?;
        self.quotients.insert(key, id);
        Ok(id)
    }

    /// What holds of a quotient `q = floor(n / k)`: `k*q - n <= 0` and `n - k*q - (k-1) <= 0`.
    pub(super) fn quotient_bounds(&self, q: Id) -> Res<Option<[Lin; 2]>> {
        match self.kind(q) {
            IdKind::Variable => Ok(None),
            IdKind::Quotient(n, k) => {
                let below = n.scaled(-1)?.plus(*k, &Lin::var(q))?;
                let above = n.plus(-*k, &Lin::var(q))?.shifted(1 - *k)?;
                Ok(Some([below, above]))
            }
        }
    }

    /// `lin[x ↦ by]`, inside quotients as well.
    pub(super) fn replaced(&mut self, lin: &Lin, x: Id, by: &Lin) -> Res<Lin> {
        let mut out = Lin::constant(lin.constant);
        for (y, c) in &lin.terms {
            let term = match self.kind(*y).clone() {
                _ if *y == x => by.clone(),
                IdKind::Quotient(n, k) if self.mentions(&n, &[x]) => {
                    let n = self.replaced(&n, x, by)?;
                    self.quotient(&n, k)?
                }
                IdKind::Variable | IdKind::Quotient(..) => Lin::var(*y),
            };
            out = out.plus(*c, &term)?;
        }
        Ok(out)
    }

    /// The value of a term; variables without a value are zero, quotients follow from their numerators.
    pub(super) fn value(&self, lin: &Lin, values: &FxHashMap<Id, i128>) -> Option<i128> {
        lin.terms.iter().try_fold(lin.constant, |sum, (x, c)| {
            let v = match self.kind(*x) {
                IdKind::Variable => values.get(x).copied().unwrap_or(0),
                IdKind::Quotient(n, k) => self.value(n, values)?.checked_div_euclid(*k)?,
            };
            c.checked_mul(v).and_then(|p| sum.checked_add(p))
        })
    }

    /// Whether one of `xs` occurs in `lin`, be it inside a quotient.
    pub(super) fn mentions(&self, lin: &Lin, xs: &[Id]) -> bool {
        lin.terms.iter().any(|(x, _)| {
            xs.contains(x)
                || match self.kind(*x) {
                    IdKind::Variable => false,
                    IdKind::Quotient(n, _) => self.mentions(n, xs),
                }
        })
    }
}

//! What a query demands of each region, what stands around a demand, and what is known when it is looked at.

use super::normal::{Normal, Normalizer};
use super::origin::Origin;
use super::tight::branches::Branch;
use crate::expr::{End, Expr, Hole, Interval, Region, Var};
use crate::op::Op;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What stands between a region's quantifier and a demand on it, outermost first.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// `∀v ∈ I`
    Loop(Var, Interval),
    /// `let v = e`
    Let(Var, Expr),
    /// `∃?ℓ`
    Regions(Vec<Region>),
    /// `n >= 0`
    Fact(Normal),
    /// `n >= 0`, which says where a shifted tile's own points begin: known where the loops of its tiles are inside of a region's
    /// scope, the outermost of which stands that deep. In terms of a tile it would say less than the tile does.
    Begins(Normal, usize),
}

/// `lo..=hi` must be in a dimension of a region.
pub(crate) struct Demand {
    pub(crate) region: Region,
    pub(crate) dim: usize,
    pub(crate) lo: Expr,
    pub(crate) hi: Expr,
    pub(crate) path: Rc<[Rc<Step>]>,
    /// What is decided at startup, and where the demand is.
    pub(crate) when: Vec<Branch>,
    pub(crate) origin: Origin,
}

/// The regions that are determined, with the first and the last point of each dimension.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) ends: BTreeMap<Region, Vec<Ends>>,
}

/// The first and the last point.
#[derive(Clone)]
pub(crate) struct Ends {
    pub(crate) lo: Normal,
    pub(crate) hi: Normal,
    /// What divides the length: 1 where nothing is known.
    pub(crate) modulus: i64,
    /// [`Ends::definition`], once it was asked for.
    interval: OnceCell<(Normal, Normal)>,
}

impl Ends {
    pub(crate) fn new(lo: Normal, hi: Normal) -> Ends {
        Ends { lo, hi, modulus: 1, interval: OnceCell::new() }
    }

    /// The same, where a constant divides the length.
    pub(crate) fn aligned(self, modulus: &Expr) -> Ends {
        Ends { modulus: modulus.as_i64().filter(|m| *m > 0).unwrap_or(1), ..self }
    }

    /// [`Ends::interval`] in normal form.
    pub(crate) fn definition(&self, region: Region, dim: usize, terms: &Normalizer) -> &(Normal, Normal) {
        self.interval.get_or_init(|| {
            let i = self.interval(region, dim, terms);
            (terms.normalize(&i.min), terms.normalize(&i.len))
        })
    }

    /// The length where it is the same for all inputs: that of a tile, wherever it is shifted to.
    pub(crate) fn constant_length(&self, terms: &Normalizer) -> Option<i64> {
        let (first, ends): (&Normal, &[Normal]) = match (&self.lo, &self.hi) {
            (Normal::Min(los), Normal::Min(his)) | (Normal::Max(los), Normal::Max(his)) => {
                (los.first()?, his)
            }
            (Normal::Sum(_) | Normal::Min(_) | Normal::Max(_), _) => return None,
        };
        let back = terms.scale(first, -1);
        let apart = ends.iter().filter_map(|end| match terms.add(end, &back) {
            Normal::Sum(d) => d.as_constant(),
            Normal::Min(_) | Normal::Max(_) => None,
        });
        let mut apart = apart.filter(|d| *d >= 0);
        apart.find(|d| terms.add(&self.lo, &Normal::constant(*d)) == self.hi)?.checked_add(1)
    }

    /// `(lo, hi - lo + 1)`; the length in terms of the minimum's own hole where that is shorter.
    pub(crate) fn interval(&self, region: Region, dim: usize, terms: &Normalizer) -> Interval {
        if let Some(len) = self.constant_length(terms) {
            return Interval { min: self.lo.to_expr(), len: Expr::int(len) };
        }
        let min = match &self.lo {
            Normal::Sum(_) => self.lo.clone(),
            Normal::Min(_) | Normal::Max(_) => terms.normalize(&Interval::hole(region, dim).min),
        };
        let len = terms.add(&terms.add(&self.hi, &terms.scale(&min, -1)), &Normal::constant(1));
        let never_negative = matches!((&self.lo, &len), (Normal::Sum(_), n) if terms.nonnegative(n));
        let len = if never_negative { len } else { terms.maximum(vec![len, Normal::constant(0)]) };
        Interval { min: self.lo.to_expr(), len: len.to_expr() }
    }
}

/// With a region's holes replaced by what they stand for.
pub(crate) fn defined(mut n: Normal, region: Region, ends: &[Ends], terms: &Normalizer) -> Normal {
    for (dim, e) in ends.iter().enumerate() {
        for end in [End::Len, End::Min] {
            let hole = Var::Hole(Hole { region, dim, end });
            if n.mentions(hole) {
                let (min, len) = e.definition(region, dim, terms);
                n = terms.replaced(&n, hole, if end == End::Len { len } else { min });
            }
        }
    }
    n
}

/// The last point of an interval: `min + len - 1`.
pub(crate) fn last(i: &Interval, terms: &Normalizer) -> Expr {
    let end = Expr::binary(Op::Add, i.min.clone(), i.len.clone());
    terms.simplify(&Expr::binary(Op::Sub, end, Expr::int(1)))
}

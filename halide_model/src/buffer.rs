//! Values over a box: what executors compute into, and what pipelines are given.

use crate::value::Value;

/// A buffer: values over a box, the first dimension fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// `(min, len)` per dimension.
    pub bounds: Vec<(i64, i64)>,
    /// The values.
    pub values: Vec<Value>,
}

/// How many points one allocation may have.
pub(crate) const MAX_POINTS: usize = 1 << 26;

/// The place of a point in a buffer, if it is inside.
pub(crate) fn offset(bounds: &[(i64, i64)], point: &[i64]) -> Option<usize> {
    let (mut at, mut stride) = (0, 1);
    for ((min, len), i) in bounds.iter().zip(point) {
        let i = i.checked_sub(*min).filter(|i| (0..*len).contains(i))?;
        at += usize::try_from(i).ok()? * stride;
        stride *= usize::try_from(*len).ok()?;
    }
    (bounds.len() == point.len()).then_some(at)
}

/// The same where some dimensions are stored in circles of so many cells.
pub(crate) fn folded_offset(bounds: &[(i64, i64)], folds: &[(usize, i64)], point: &[i64]) -> Option<usize> {
    if folds.is_empty() {
        return offset(bounds, point);
    }
    let (mut at, mut stride) = (0, 1);
    for (d, ((min, len), i)) in bounds.iter().zip(point).enumerate() {
        let inside = i.checked_sub(*min).filter(|i| (0..*len).contains(i))?;
        let circle = folds.iter().find(|(k, _)| *k == d).map(|(_, n)| *n);
        let (here, cells) = match circle {
            Some(n) => (i.checked_rem_euclid(n)?, n),
            None => (inside, *len),
        };
        at += usize::try_from(here).ok()? * stride;
        stride *= usize::try_from(cells).ok()?;
    }
    (bounds.len() == point.len()).then_some(at)
}

/// The box of the cells: a dimension that is stored in a circle has as many as that.
pub(crate) fn folded_bounds(bounds: &[(i64, i64)], folds: &[(usize, i64)]) -> Vec<(i64, i64)> {
    let circle = |d: usize| folds.iter().find(|(k, _)| *k == d).map(|(_, n)| (0, *n));
    bounds.iter().enumerate().map(|(d, b)| circle(d).unwrap_or(*b)).collect()
}

impl Buffer {
    /// Whether a region lies inside; one without points does.
    pub fn covers(&self, region: &[(i64, i64)]) -> bool {
        let inside = |((min, len), (m, n)): (&(i64, i64), &(i64, i64))| min <= m && m + n <= min + len;
        region.iter().any(|(_, len)| *len <= 0) || self.bounds.iter().zip(region).all(inside)
    }

    /// The value of a point; `None` outside.
    pub fn get(&self, point: &[i64]) -> Option<&Value> {
        self.values.get(offset(&self.bounds, point)?)
    }
}

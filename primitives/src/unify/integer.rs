//! Systems of linear equations over the integers, whose right-hand sides are affine forms. Spec:
//! [rule: unification.solve].
//!
//! All forms are integer combinations of the same atoms, so one elimination solves for every coefficient at once:
//! "a linear system in the unknown coefficients of these affine expressions", PLDI'22 §3.4.

use rewright_semantics::types::linear::Linear;

/// `Σ coefficient * unknown = value`
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// One for each unknown.
    pub(super) coefficients: Vec<i64>,
    pub(super) value: Linear,
    /// What the equation is about.
    pub(super) origin: usize,
    /// Whether it is only likely to hold.
    pub(super) likely: bool,
}

/// A system brought into echelon form.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// Unknowns with the row that says what they are; no other pivot occurs in it.
    pivots: Vec<(usize, Row)>,
    /// The unknowns that no equation fixes.
    pub(super) free: Vec<usize>,
}

/// Solves for the unknowns, the first in `order` by preference.
///
/// # Errors
/// The origin of an equation that contradicts the others.
pub(super) fn solve(rows: Vec<Row>, order: &[usize]) -> Result<Solved, usize> {
    let mut left = rows;
    let mut pivots: Vec<(usize, Row)> = Vec::new();
    for u in order {
        // A coefficient of 1 leaves all others whole.
        let best = left
            .iter()
            .enumerate()
            .filter(|(_, r)| at(r, *u) != 0)
            .min_by_key(|(_, r)| at(r, *u).unsigned_abs());
        let Some((k, _)) = best else { continue };
        let pivot = left.remove(k);
        let without = |r: &Row| eliminated(r, &pivot, *u).ok_or(r.origin);
        left = left.iter().map(without).collect::<Result<_, usize>>()?;
        for (_, row) in &mut pivots {
            *row = without(row)?;
        }
        pivots.push((*u, pivot));
    }
    if let Some(wrong) = left.iter().find(|r| r.value != Linear::default()) {
        return Err(wrong.origin);
    }
    let free = order.iter().copied().filter(|u| pivots.iter().all(|(p, _)| p != u)).collect();
    Ok(Solved { pivots, free })
}

fn at(r: &Row, u: usize) -> i64 {
    r.coefficients.get(u).copied().unwrap_or(0)
}

/// The row without an unknown, by means of another row; `None` on overflow.
fn eliminated(r: &Row, pivot: &Row, u: usize) -> Option<Row> {
    let (a, b) = (at(r, u), at(pivot, u));
    if a == 0 {
        return Some(r.clone());
    }
    let pairs = r.coefficients.iter().zip(&pivot.coefficients);
    let coefficients =
        pairs.map(|(x, y)| x.checked_mul(b)?.checked_sub(y.checked_mul(a)?)).collect::<Option<_>>()?;
    let value = r.value.times(b).ok()?.plus(a.checked_neg()?, &pivot.value).ok()?;
    Some(Row { coefficients, value, ..*r })
}

impl Solved {
    /// The unknowns that a free one is added to, each with the sum.
    pub(super) fn sums_with(&self, free: usize) -> impl Iterator<Item = (usize, &Linear)> {
        let added = move |(u, row): &&(usize, Row)| at(row, free) == 1 && at(row, *u) == 1;
        self.pivots.iter().filter(added).map(|(u, row)| (*u, &row.value))
    }

    /// All unknowns, where the free ones have these values.
    ///
    /// # Errors
    /// The origin of an equation that no integer solves.
    pub(super) fn with(&self, count: usize, free: &dyn Fn(usize) -> Linear) -> Result<Vec<Linear>, usize> {
        let mut out = vec![Linear::default(); count];
        for u in &self.free {
            if let Some(slot) = out.get_mut(*u) {
                *slot = free(*u);
            }
        }
        for (u, row) in &self.pivots {
            let value = self
                .free
                .iter()
                .try_fold(row.value.clone(), |sum, f| sum.plus(at(row, *f).checked_neg()?, &free(*f)).ok());
            let value = value.and_then(|v| divided(&v, at(row, *u))).ok_or(row.origin)?;
            if let Some(slot) = out.get_mut(*u) {
                *slot = value;
            }
        }
        Ok(out)
    }
}

/// `l / by`, where nothing is left over.
pub(super) fn divided(l: &Linear, by: i64) -> Option<Linear> {
    let (l, by) = if by < 0 { (l.times(-1).ok()?, by.checked_neg()?) } else { (l.clone(), by) };
    let quotient = l.floor_div(by).ok()?;
    (quotient.times(by).ok()? == l).then_some(quotient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::sym::Sym;
    use rewright_semantics::types::linear::Atom;

    fn row(coefficients: &[i64], value: Linear, origin: usize) -> Row {
        Row { coefficients: coefficients.to_vec(), value, origin, likely: false }
    }

    #[test]
    fn unknowns_are_affine_forms() {
        let n = Linear::atom(Atom::Var(Sym::fresh("n")));
        // u + v = 3 * n + 1, u - v = n + 1
        let rows = vec![
            row(&[1, 1], n.times(3).unwrap().plus(1, &Linear::constant(1)).unwrap(), 0),
            row(&[1, -1], n.clone().plus(1, &Linear::constant(1)).unwrap(), 1),
        ];
        let solved = solve(rows, &[0, 1]).unwrap();
        assert!(solved.free.is_empty());
        let found = solved.with(2, &|_| Linear::default()).unwrap();
        assert_eq!(found, [n.times(2).unwrap().plus(1, &Linear::constant(1)).unwrap(), n]);
    }

    #[test]
    fn contradictions_and_fractions_name_their_equation() {
        let one = Linear::constant(1);
        let wrong = solve(vec![row(&[1], one.clone(), 0), row(&[1], Linear::constant(2), 7)], &[0]);
        assert_eq!(wrong.unwrap_err(), 7);
        let half = solve(vec![row(&[2], one, 3)], &[0]).unwrap();
        assert_eq!(half.with(1, &|_| Linear::default()).unwrap_err(), 3);
    }

    #[test]
    fn what_is_free_may_be_chosen() {
        let rows = vec![row(&[1, 1], Linear::constant(5), 0)];
        let solved = solve(rows.clone(), &[0, 1]).unwrap();
        assert_eq!(solved.free, [1]);
        assert_eq!(solved.with(2, &|_| Linear::constant(2)).unwrap(), [3, 2].map(Linear::constant));
        assert_eq!(solve(rows, &[1, 0]).unwrap().free, [0]);
    }
}

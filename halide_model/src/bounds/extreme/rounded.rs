//! Ends that are rounded, `m + k·((n + k - 1) div k)`: what the quotient takes of its terms goes against what stands beside it. Spec:
//! [rule: halide.not-larger].

use super::{Ends, Path};
use crate::bounds::demand::defined;
use crate::bounds::normal::{Normal, Sum};
use crate::expr::{End, Expr, Hole, Region, Var};
use crate::op::Op;

/// How many forms of one term are looked at.
const FORMS: usize = 4;

impl Path<'_> {
    /// With a region's holes replaced by what they stand for; where its first point is one of several, also as what it is at most
    /// (`up`) or at least without quotients, in which that point may cancel before it is taken apart.
    pub(super) fn defined_forms(
        &self,
        all: Vec<Normal>,
        region: Region,
        ends: &[Ends],
        up: bool,
    ) -> Vec<Normal> {
        let apart = ends.iter().any(|e| !matches!(e.lo, Normal::Sum(_)));
        let mut out = Vec::new();
        for n in all {
            let n = self.lengths_inside(self.whole_tiles(n, region, ends), region, ends);
            let more = apart && out.len() + 1 < FORMS;
            let plain = if more { self.plain(&n, up) } else { None };
            out.extend(plain.into_iter().chain([n]).map(|n| defined(n, region, ends, self.terms)));
        }
        out
    }

    /// With `k·((len + x) div c)` replaced by `(k/c)·len + k·(x div c)` where `len` is a length of the region that `c` divides: tiles of
    /// an aligned region have no tail.
    pub(super) fn whole_tiles(&self, n: Normal, region: Region, ends: &[Ends]) -> Normal {
        let Normal::Sum(s) = n else {
            let of =
                |parts: Vec<Normal>| parts.into_iter().map(|p| self.whole_tiles(p, region, ends)).collect();
            return match n {
                Normal::Min(parts) => self.terms.minimum(of(parts)),
                Normal::Max(parts) => self.terms.maximum(of(parts)),
                Normal::Sum(_) => n,
            };
        };
        let mut out = Normal::constant(s.constant);
        for (atom, k) in s.terms() {
            let whole =
                self.dividend(atom, *k).and_then(|(x, c)| self.without_lengths(&x, c, *k, region, ends));
            let term = whole.unwrap_or_else(|| self.terms.scale(&Normal::opaque(atom.clone()), *k));
            out = self.terms.add(&out, &term);
        }
        out
    }

    /// `k·(x div c)` with a length that `c` divides, and its factor, outside of the quotient.
    fn without_lengths(&self, x: &Expr, c: i64, k: i64, region: Region, ends: &[Ends]) -> Option<Normal> {
        let Normal::Sum(x) = self.terms.normalize(x) else { return None };
        let whole = ends.iter().enumerate().filter(|(_, e)| e.modulus % c == 0);
        let mut lens = whole.map(|(dim, _)| Expr::Var(Var::Hole(Hole { region, dim, end: End::Len })));
        let (len, factor) = lens.find_map(|len| x.factor(&len).map(|factor| (len, factor)))?;
        let rest = Expr::binary(Op::Div, x.without(&len).to_expr(), Expr::int(c));
        let outside = self.terms.scale(&Normal::opaque(len), (k / c).checked_mul(factor)?);
        Some(self.terms.add(&outside, &self.terms.scale(&self.terms.normalize(&rest), k)))
    }

    /// [`Path::without_quotients`] part by part; nothing where no part has another form.
    fn plain(&self, n: &Normal, up: bool) -> Option<Normal> {
        let of = |parts: &[Normal]| {
            let forms: Vec<Option<Normal>> = parts.iter().map(|p| self.plain(p, up)).collect();
            let any = forms.iter().any(Option::is_some);
            let all = forms.into_iter().zip(parts).map(|(form, p)| form.unwrap_or_else(|| p.clone()));
            any.then(|| all.collect::<Vec<_>>())
        };
        match n {
            Normal::Sum(s) => self.without_quotients(s, up),
            Normal::Min(parts) => of(parts).map(|parts| self.terms.minimum(parts)),
            Normal::Max(parts) => of(parts).map(|parts| self.terms.maximum(parts)),
        }
    }

    /// What a sum is at most (`up`) or at least when `c·(x div c)` is replaced by `x` or `x - c + 1`; nothing where no quotient
    /// shares a variable with another term.
    pub(super) fn without_quotients(&self, s: &Sum, up: bool) -> Option<Normal> {
        let mut out = Normal::constant(s.constant);
        let mut changed = false;
        for (atom, k) in s.terms() {
            let term = match self.dividend(atom, *k).filter(|(x, _)| shares(x, atom, s)) {
                Some((x, c)) => {
                    changed = true;
                    let rest = if up == (*k > 0) { 0 } else { 1 - c };
                    let x = self.terms.add(&self.terms.normalize(&x), &Normal::constant(rest));
                    self.terms.scale(&x, k / c)
                }
                None => self.terms.scale(&Normal::opaque(atom.clone()), *k),
            };
            out = self.terms.add(&out, &term);
        }
        changed.then_some(out)
    }

    /// `x` and `c` of `x div c`, where `c` divides the factor.
    fn dividend(&self, atom: &Expr, k: i64) -> Option<(Expr, i64)> {
        let Expr::Op(Op::Div, args) = atom else { return None };
        let [x, c] = args.as_ref() else { return None };
        let c = c.as_i64().filter(|c| *c > 0 && k % c == 0)?;
        Some((x.clone(), c))
    }
}

fn shares(x: &Expr, atom: &Expr, s: &Sum) -> bool {
    let vars = x.vars();
    s.atoms().any(|other| other != atom && vars.iter().any(|v| other.mentions(*v)))
}

//! What is known of control integers at a place: sizes are positive, loop variables lie between their
//! bounds, assertions and guards hold. Enough to see that most dividends are not negative.

use crate::c::affine::{Affine, Atom};
use rewright_semantics::ast::{BinOp, Expr, ExprKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ControlType, FieldType};
use std::collections::BTreeMap;

/// The bounds of a control variable, both inclusive, and when it came into scope.
#[derive(Clone, Debug)]
struct Range {
    order: usize,
    lo: Option<Affine>,
    hi: Option<Affine>,
}

/// Facts about control variables in scope.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    ranges: BTreeMap<Sym, Range>,
    /// Forms known not to be negative.
    nonneg: Vec<Affine>,
    next: usize,
}

/// How many substitutions a proof may take. Each replaces a variable by older ones, so that proofs end by
/// themselves; this is for those that would take too long.
const STEPS: u32 = 2000;

impl Facts {
    /// Nothing is known yet.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// An argument.
    pub fn argument(&mut self, x: Sym, t: ControlType) {
        let lo = match t {
            ControlType::Size => Some(Affine::constant(1)),
            ControlType::Int | ControlType::Index | ControlType::Bool | ControlType::Stride => None,
        };
        self.bind(x, lo, None);
    }

    /// A loop variable, inside its loop.
    pub fn iterate(&mut self, x: Sym, lo: Option<Affine>, hi: Option<Affine>) {
        let last = hi.and_then(|h| h.plus_scaled(-1, &Affine::constant(1)).ok());
        self.bind(x, lo, last);
    }

    fn bind(&mut self, x: Sym, lo: Option<Affine>, hi: Option<Affine>) {
        // A bound that reads a configuration field holds only until the field is written.
        let keep = |a: Option<Affine>| a.filter(|a| !a.reads_config());
        self.ranges.insert(x, Range { order: self.next, lo: keep(lo), hi: keep(hi) });
        self.next += 1;
    }

    /// A condition that holds from here on. Configuration fields change, so what reads them is no fact.
    pub fn assume(&mut self, e: &Expr) {
        if let ExprKind::Bin { op, lhs, rhs } = &e.kind {
            if *op == BinOp::And {
                self.assume(lhs);
                self.assume(rhs);
                return;
            }
            if let (Ok(l), Ok(r)) = (Affine::of(lhs), Affine::of(rhs)) {
                self.compare(*op, &l, &r);
            }
        }
    }

    fn compare(&mut self, op: BinOp, l: &Affine, r: &Affine) {
        let at_least = |a: &Affine, b: &Affine, gap: i64| {
            a.plus_scaled(-1, b).and_then(|d| d.plus_scaled(-gap, &Affine::constant(1))).ok()
        };
        let found = match op {
            BinOp::Lt => [at_least(r, l, 1), None],
            BinOp::Le => [at_least(r, l, 0), None],
            BinOp::Gt => [at_least(l, r, 1), None],
            BinOp::Ge => [at_least(l, r, 0), None],
            BinOp::Eq => [at_least(l, r, 0), at_least(r, l, 0)],
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::And | BinOp::Or => {
                [None, None]
            }
        };
        self.nonneg.extend(found.into_iter().flatten().filter(|f| !f.reads_config()));
    }

    /// Whether `e ≥ 0` is certain: by the ranges alone, or by the ranges and one fact.
    pub fn is_nonneg(&self, e: &Affine) -> bool {
        let steps = &mut { STEPS };
        let mut by_ranges = |e: &Affine| self.least(e, steps).is_some_and(|k| k >= 0);
        by_ranges(e) || self.nonneg.iter().any(|f| e.plus_scaled(-1, f).is_ok_and(|d| by_ranges(&d)))
    }

    /// A form that `e` is never below, in which only atoms that satisfy `keep` are left.
    pub fn lower_form(&self, e: &Affine, keep: &impl Fn(&Atom) -> bool) -> Option<Affine> {
        self.eliminated(e, keep, &mut { STEPS })
    }

    /// A form that `e` is never above, in which only atoms that satisfy `keep` are left.
    pub fn upper_form(&self, e: &Affine, keep: &impl Fn(&Atom) -> bool) -> Option<Affine> {
        self.lower_form(&e.scaled(-1).ok()?, keep)?.scaled(-1).ok()
    }

    /// Makes `copy` a variable with the bounds of `x`.
    pub fn duplicate(&mut self, x: Sym, copy: Sym) {
        if let Some(range) = self.ranges.get(&x).cloned() {
            self.ranges.insert(copy, range);
        }
    }

    /// A constant that `e` is never below.
    fn least(&self, e: &Affine, steps: &mut u32) -> Option<i64> {
        self.eliminated(e, &|_: &Atom| false, steps)?.as_constant()
    }

    /// A constant that `e` is never above.
    fn greatest(&self, e: &Affine, steps: &mut u32) -> Option<i64> {
        self.least(&e.scaled(-1).ok()?, steps)?.checked_neg()
    }

    /// Replaces atoms by their bounds, youngest first: the bounds of a variable speak of older ones only.
    fn eliminated(&self, e: &Affine, keep: &dyn Fn(&Atom) -> bool, steps: &mut u32) -> Option<Affine> {
        let mut e = e.clone();
        loop {
            let others = (0..e.terms.len()).filter(|&k| e.terms.get(k).is_some_and(|(_, a)| !keep(a)));
            let Some(k) = others.max_by_key(|&k| e.terms.get(k).map(|(_, a)| self.age(a))) else {
                return Some(e);
            };
            *steps = steps.checked_sub(1)?;
            let (c, atom) = e.terms.remove(k);
            e = e.plus_scaled(1, &self.bound(c, &atom, steps)?).ok()?;
        }
    }

    fn age(&self, a: &Atom) -> usize {
        match a {
            Atom::Var(x) => self.ranges.get(x).map_or(0, |r| 1 + r.order),
            Atom::Config(..) | Atom::Stride(..) => 0,
            // Divisions first: their bounds are in terms of what they divide.
            Atom::Div(..) | Atom::Mod(..) => usize::MAX,
        }
    }

    /// A form that `c * atom` is never below.
    fn bound(&self, c: i64, atom: &Atom, steps: &mut u32) -> Option<Affine> {
        match atom {
            Atom::Var(x) => {
                let range = self.ranges.get(x)?;
                let end = if c > 0 { range.lo.as_ref() } else { range.hi.as_ref() };
                end?.scaled(c).ok()
            }
            Atom::Config(config, field) => match config.field(*field)?.typ {
                FieldType::Control(ControlType::Size) if c > 0 => Some(Affine::constant(c)),
                FieldType::Control(_) | FieldType::Data(_) => None,
            },
            Atom::Stride(..) => None,
            Atom::Mod(_, m) => Some(Affine::constant(if c > 0 { 0 } else { c.checked_mul(m - 1)? })),
            Atom::Div(e, d) => self.bound_of_quotient(c, e, *d, steps),
        }
    }

    /// A form that `c * ⌊e / d⌋` is never below.
    fn bound_of_quotient(&self, c: i64, e: &Affine, d: i64, steps: &mut u32) -> Option<Affine> {
        if c > 0 {
            return Some(Affine::constant(c.checked_mul(self.least(e, steps)?.div_euclid(d))?));
        }
        if c % d == 0 {
            return e.scaled(c / d).ok();
        }
        if let Some(hi) = self.greatest(e, steps) {
            return Some(Affine::constant(c.checked_mul(hi.div_euclid(d))?));
        }
        if self.least(e, steps)? >= 0 { e.scaled(c).ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::ast::{Config, ConfigField};
    use rewright_semantics::span::Span;
    use std::sync::Arc;

    fn var(x: Sym) -> Affine {
        Affine::atom(Atom::Var(x))
    }

    #[test]
    fn triangular_loops_are_seen_through() {
        let (n, i, j) = (Sym::fresh("n"), Sym::fresh("i"), Sym::fresh("j"));
        let mut facts = Facts::new();
        facts.argument(n, ControlType::Size);
        facts.iterate(i, Some(Affine::constant(0)), Some(var(n)));
        facts.iterate(j, Some(Affine::constant(0)), Some(var(i)));
        let diff = |a: &Affine, b: &Affine| a.plus_scaled(-1, b).unwrap();
        assert!(facts.is_nonneg(&diff(&var(i), &var(j))));
        assert!(facts.is_nonneg(&diff(&diff(&var(n), &var(j)), &Affine::constant(2))));
        assert!(!facts.is_nonneg(&diff(&var(j), &var(i))));
    }

    #[test]
    fn proofs_end_when_facts_speak_of_quotients() {
        let (n, k) = (Sym::fresh("n"), Sym::fresh("k"));
        let mut facts = Facts::new();
        facts.argument(n, ControlType::Int);
        facts.argument(k, ControlType::Int);
        let half = Affine::atom(Atom::Div(Box::new(var(n)), 2));
        facts.nonneg.push(var(k).plus_scaled(-3, &half).unwrap());
        facts.nonneg.push(half.plus_scaled(-1, &var(k)).unwrap());
        assert!(facts.is_nonneg(&half.plus_scaled(-1, &var(k)).unwrap()));
        assert!(!facts.is_nonneg(&half.plus_scaled(-5, &var(k)).unwrap()));
    }

    #[test]
    fn quotients_are_no_larger_than_what_they_divide() {
        let n = Sym::fresh("n");
        let mut facts = Facts::new();
        facts.argument(n, ControlType::Size);
        let quotient = Affine::atom(Atom::Div(Box::new(var(n)), 8));
        assert!(facts.is_nonneg(&quotient));
        assert!(facts.is_nonneg(&var(n).plus_scaled(-8, &quotient).unwrap()));
        assert!(!facts.is_nonneg(&var(n).plus_scaled(-9, &quotient).unwrap()));
    }

    /// The value of a form.
    fn value(e: &Affine, at: &[(Sym, i64)]) -> i64 {
        let atom = |a: &Atom| match a {
            Atom::Var(x) => at.iter().find(|(y, _)| x == y).map_or(0, |(_, v)| *v),
            Atom::Div(e, d) => value(e, at).div_euclid(*d),
            Atom::Mod(e, d) => value(e, at).rem_euclid(*d),
            Atom::Config(..) | Atom::Stride(..) => 0,
        };
        e.terms.iter().fold(e.constant, |sum, (c, a)| sum + c * atom(a))
    }

    /// `for i in seq(0, n): for j in seq(i - 2, 2 * i + 3)`: what is proved of forms of these holds in every iteration,
    /// and of what holds, most is proved.
    #[test]
    fn what_is_proved_holds_in_every_iteration() {
        let [n, i, j] = ["n", "i", "j"].map(Sym::fresh);
        let mut facts = Facts::new();
        facts.argument(n, ControlType::Size);
        facts.iterate(i, Some(Affine::constant(0)), Some(var(n)));
        let low = var(i).plus_scaled(1, &Affine::constant(-2)).unwrap();
        let high = var(i).scaled(2).unwrap().plus_scaled(1, &Affine::constant(3)).unwrap();
        facts.iterate(j, Some(low), Some(high));
        let mut states = Vec::new();
        for a in 1..9 {
            for b in 0..a {
                states.extend((b - 2..2 * b + 3).map(|c| [(n, a), (i, b), (j, c)]));
            }
        }
        let mut random = 7_u64;
        let mut between = |low: i64, high: i64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            low + i64::try_from(random >> 40).unwrap().rem_euclid(high - low + 1)
        };
        let (mut proved, mut missed) = (0, 0);
        for _ in 0..4000 {
            let mut term = |most: i64| {
                let mut e = Affine::constant(between(-4, 6));
                for x in [n, i, j] {
                    e = e.plus_scaled(between(-most, most), &var(x)).unwrap();
                }
                e
            };
            let (inner, mut e) = (term(2), term(2));
            let d = between(2, 4);
            let atom = match between(0, 2) {
                0 => Affine::atom(Atom::Div(Box::new(inner), d)),
                1 => Affine::atom(Atom::Mod(Box::new(inner), d)),
                _ => Affine::constant(0),
            };
            e = e.plus_scaled(between(-3, 3), &atom).unwrap();
            let holds = states.iter().all(|at| value(&e, at) >= 0);
            if facts.is_nonneg(&e) {
                proved += 1;
                assert!(holds, "{e:?} is not always at least 0");
            } else if holds {
                missed += 1;
            }
        }
        assert!(proved > 600 && missed < 170, "{proved} proved, {missed} true and not proved");
    }

    /// A field of type `size` is at least 1, which says nothing of how large it is; another field may be anything.
    #[test]
    fn of_fields_sizes_alone_are_bounded() {
        let field =
            |name: &str, t| ConfigField { name: name.into(), typ: FieldType::Control(t), span: Span::NONE };
        let fields = vec![field("n", ControlType::Size), field("a", ControlType::Index)].into();
        let config = Arc::new(Config { name: "Cfg".into(), fields, direct_access: true, span: Span::NONE });
        let form = |c: i64, name: &str, constant: i64| {
            let atom = Affine::atom(Atom::Config(config.clone(), name.into()));
            atom.scaled(c).unwrap().plus_scaled(1, &Affine::constant(constant)).unwrap()
        };
        let facts = Facts::new();
        assert!(facts.is_nonneg(&form(1, "n", -1)) && facts.is_nonneg(&form(3, "n", -3)));
        assert!(!facts.is_nonneg(&form(1, "n", -2)) && !facts.is_nonneg(&form(-1, "n", 5)));
        assert!(!facts.is_nonneg(&form(1, "a", 0)) && !facts.is_nonneg(&form(-1, "a", 0)));
    }
}

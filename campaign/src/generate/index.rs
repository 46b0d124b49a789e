//! Control expressions: indices in bounds, loop bounds, guards.

use super::affine::{Affine, Known, bin, int, nonnegative, var};
use super::scope::Scope;
use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal};
use rewright_semantics::types::{ControlType, FieldType};
use std::sync::Arc;

impl Scope<'_> {
    /// An index that lies in `0..extent` wherever this scope is entered.
    pub(super) fn index(&mut self, extent: &Affine) -> Expr {
        // Where the guards contradict each other an extent may seem to be anything.
        if let Some(c) = extent.as_constant()
            && c >= 1
            && self.rng.chance(25)
        {
            return bin(BinOp::Mod, self.integer(), int(c));
        }
        let fitting: Vec<Affine> =
            self.candidates(extent).into_iter().filter(|e| self.fits(e, extent)).collect();
        let ranged: Vec<Affine> = fitting.iter().filter(|e| e.as_constant().is_none()).cloned().collect();
        let pool = if ranged.is_empty() || self.rng.chance(15) { &fitting } else { &ranged };
        let e = self.rng.pick(pool).cloned().unwrap_or_default();
        if self.rng.chance(8) {
            return bin(BinOp::Div, e.to_expr(), int(self.rng.between(2, 3)));
        }
        e.to_expr()
    }

    /// Whether `0 ≤ e < extent` is known to hold here.
    pub(super) fn fits(&self, e: &Affine, extent: &Affine) -> bool {
        nonnegative(e, &self.known) && nonnegative(&extent.plus(-1, e).shifted(-1), &self.known)
    }

    fn candidates(&mut self, extent: &Affine) -> Vec<Affine> {
        let mut out = vec![Affine::constant(0), Affine::constant(self.rng.between(0, 3)), extent.shifted(-1)];
        for x in self.integers() {
            let v = Affine::var(x);
            out.extend((-2..=2).map(|k| v.shifted(k)));
            out.push(extent.plus(-1, &v).shifted(-1));
            out.push(v.plus(1, &v));
            for y in self.integers() {
                if x < y {
                    out.push(v.plus(1, &Affine::var(y)));
                    out.push(v.plus(-1, &Affine::var(y)));
                }
            }
        }
        out
    }

    /// Any control integer.
    pub(super) fn integer(&mut self) -> Expr {
        let names = self.integers();
        match (self.rng.below(8), self.rng.pick(&names).copied()) {
            (0 | 1, _) | (_, None) => int(self.rng.between(-3, 6)),
            (2, Some(x)) => bin(BinOp::Mul, int(self.rng.between(2, 3)), var(x)),
            (3, Some(x)) => bin(BinOp::Sub, var(x), int(self.rng.between(1, 4))),
            (4, Some(x)) => {
                let op = if self.rng.chance(50) { BinOp::Div } else { BinOp::Mod };
                bin(op, bin(BinOp::Sub, var(x), int(self.rng.between(0, 3))), int(self.rng.between(1, 4)))
            }
            (5, Some(x)) => self.config_field(ControlType::Index).unwrap_or_else(|| var(x)),
            (6, Some(x)) => bin(BinOp::Add, var(x), self.integer()),
            (_, Some(x)) => var(x),
        }
    }

    /// A read of a configuration field of this type, where there is one.
    pub(super) fn config_field(&mut self, typ: ControlType) -> Option<Expr> {
        let config = self.rng.pick(self.configs)?.clone();
        let field = config.fields.iter().find(|f| f.typ == FieldType::Control(typ))?.name;
        Some(Expr::new(ExprKind::ReadConfig { config, field }))
    }

    /// A condition, and what is known where it holds.
    pub(super) fn condition(&mut self) -> (Expr, Vec<Known>) {
        match self.rng.below(9) {
            0 => match self.rng.pick(&self.flags).copied() {
                Some(b) => (var(b), Vec::new()),
                None => self.comparison(),
            },
            1 => match self.config_field(ControlType::Bool) {
                Some(e) => (e, Vec::new()),
                None => self.comparison(),
            },
            2 => {
                let ((l, mut known), (r, more)) = (self.comparison(), self.comparison());
                known.extend(more);
                (bin(BinOp::And, l, r), known)
            }
            3 => {
                let ((l, _), (r, _)) = (self.comparison(), self.comparison());
                (bin(BinOp::Or, l, r), Vec::new())
            }
            4 => (Expr::new(ExprKind::Not(Arc::new(self.comparison().0))), Vec::new()),
            5 if self.rng.chance(30) => {
                (Expr::new(ExprKind::Lit(Literal::Bool(self.rng.chance(50)))), Vec::new())
            }
            6 => {
                let e = bin(BinOp::Mod, self.integer(), int(self.rng.between(2, 3)));
                (bin(BinOp::Eq, e, int(self.rng.between(0, 1))), Vec::new())
            }
            _ => self.comparison(),
        }
    }

    /// `a < b` and the like over affine forms.
    fn comparison(&mut self) -> (Expr, Vec<Known>) {
        let (a, b) = (self.affine(), self.affine());
        let (l, r) = (a.to_expr(), b.to_expr());
        let fact = |big: &Affine, small: &Affine, k| vec![Known::Fact(big.plus(-1, small).shifted(k))];
        match self.rng.below(5) {
            0 => (bin(BinOp::Lt, l, r), fact(&b, &a, -1)),
            1 => (bin(BinOp::Le, l, r), fact(&b, &a, 0)),
            2 => (bin(BinOp::Gt, l, r), fact(&a, &b, -1)),
            3 => (bin(BinOp::Ge, l, r), fact(&a, &b, 0)),
            _ => (bin(BinOp::Eq, l, r), [fact(&a, &b, 0), fact(&b, &a, 0)].concat()),
        }
    }

    /// A small affine form.
    pub(super) fn affine(&mut self) -> Affine {
        let names = self.integers();
        match (self.rng.below(5), self.rng.pick(&names).copied()) {
            (0, _) | (_, None) => Affine::constant(self.rng.between(-1, 4)),
            (1, Some(x)) => Affine::var(x).shifted(self.rng.between(-2, 2)),
            (2, Some(x)) => match self.rng.pick(&names).copied() {
                Some(y) => Affine::var(x).plus(1, &Affine::var(y)),
                None => Affine::var(x),
            },
            (_, Some(x)) => Affine::var(x),
        }
    }
}

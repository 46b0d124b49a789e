//! Sums and products without one of their operands, and where the others are then.

use crate::cursor::path::ExprStep;
use rewright_semantics::ast::{BinOp, Expr, ExprKind};
use rewright_semantics::build::{add, mul, neg, sub};

/// Where a part of an expression was, and where it is.
pub type Moved = (Vec<ExprStep>, Vec<ExprStep>);

/// An operand of a sum or product, and the rest.
#[derive(Clone, Debug)]
pub struct Without {
    /// The operand.
    pub operand: Expr,
    /// The expression without it.
    pub rest: Expr,
    /// Where the other operands are in that.
    pub moved: Vec<Moved>,
}

const L: ExprStep = ExprStep::Lhs;
const R: ExprStep = ExprStep::Rhs;

/// The terms of a sum that are not subtracted. A sum of one term has none.
pub fn terms(e: &Expr) -> Vec<Without> {
    let ExprKind::Bin { op: op @ (BinOp::Add | BinOp::Sub), lhs, rhs } = &e.kind else { return Vec::new() };
    let (lhs, rhs) = (lhs.as_ref(), rhs.as_ref());
    let plus = *op == BinOp::Add;
    let joined = |a: Expr, b: Expr| Expr { span: e.span, ..if plus { add(a, b) } else { sub(a, b) } };
    let (rest, to) = if plus { (rhs.clone(), vec![]) } else { (neg(rhs.clone()), vec![ExprStep::Operand]) };
    let mut out = vec![Without { operand: lhs.clone(), rest, moved: vec![(vec![R], to)] }];
    out.extend(terms(lhs).into_iter().map(|w| w.beside(R, L, |rest| joined(rest, rhs.clone()))));
    if plus {
        out.push(Without { operand: rhs.clone(), rest: lhs.clone(), moved: vec![(vec![L], vec![])] });
        out.extend(terms(rhs).into_iter().map(|w| w.beside(L, R, |rest| joined(lhs.clone(), rest))));
    }
    out
}

/// The factors of a product. What is no product has none.
pub fn factors(e: &Expr) -> Vec<Without> {
    let ExprKind::Bin { op: BinOp::Mul, lhs, rhs } = &e.kind else { return Vec::new() };
    let (lhs, rhs) = (lhs.as_ref(), rhs.as_ref());
    let joined = |a: Expr, b: Expr| Expr { span: e.span, ..mul(a, b) };
    let mut out: Vec<Without> =
        factors(lhs).into_iter().map(|w| w.beside(R, L, |rest| joined(rest, rhs.clone()))).collect();
    out.push(Without { operand: lhs.clone(), rest: rhs.clone(), moved: vec![(vec![R], vec![])] });
    out.push(Without { operand: rhs.clone(), rest: lhs.clone(), moved: vec![(vec![L], vec![])] });
    out.extend(factors(rhs).into_iter().map(|w| w.beside(L, R, |rest| joined(lhs.clone(), rest))));
    out
}

impl Without {
    /// The same in a larger expression, of which one operand stays and the other one is this.
    fn beside(self, stays: ExprStep, here: ExprStep, joined: impl FnOnce(Expr) -> Expr) -> Without {
        let below = |steps: Vec<ExprStep>| std::iter::once(here).chain(steps).collect();
        let mut moved = vec![(vec![stays], vec![stays])];
        moved.extend(self.moved.into_iter().map(|(from, to)| (below(from), below(to))));
        Without { operand: self.operand, rest: joined(self.rest), moved }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kept::part;
    use rewright_semantics::build::var;
    use rewright_semantics::sym::Sym;

    /// Every other operand is found where it is said to be, and no place is said twice.
    #[test]
    fn operands_are_where_they_are_said_to_be() {
        let x: Vec<Expr> = (0..5).map(|k| var(Sym::fresh(format!("x{k}").as_str()))).collect();
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|k| x[k].clone());
        let sum = add(add(a.clone(), sub(b.clone(), c.clone())), sub(d.clone(), e.clone()));
        let product = mul(mul(a, mul(b, c)), mul(d, e));
        for (whole, all, leaves) in [(&sum, terms(&sum), 3), (&product, factors(&product), 5)] {
            let is_leaf = |w: &&Without| x.contains(&w.operand);
            assert_eq!(all.iter().filter(is_leaf).count(), leaves);
            for w in &all {
                for (from, to) in &w.moved {
                    assert_eq!(part(whole, from), part(&w.rest, to), "{w:?}");
                }
                let places: std::collections::BTreeSet<_> = w.moved.iter().map(|(_, to)| to).collect();
                assert_eq!(places.len(), w.moved.len());
            }
            assert!(all.iter().filter(is_leaf).all(|w| w.moved.len() >= 2));
        }
    }
}

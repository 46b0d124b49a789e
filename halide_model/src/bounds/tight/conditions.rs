//! What conditions around a demand say. Spec: [rule: halide.not-larger].

use super::super::normal::{Normal, Normalizer};
use super::branches::is_integral;
use crate::expr::Expr;
use crate::op::Op;

/// Conditions where they stand.
pub(super) struct Conditions<'a> {
    pub(super) terms: &'a Normalizer,
    /// Whether something is certainly negative, by what stands around.
    pub(super) negative: &'a dyn Fn(&Normal) -> bool,
}

/// What a bound of a quotient says of its dividend: `x div c >= k` where `x >= c·k`, `x div c <= k` where `x <= c·k + c - 1`.
fn dividend(fact: &Normal, terms: &Normalizer) -> Option<Normal> {
    let Normal::Sum(sum) = fact else { return None };
    let [(Expr::Op(Op::Div, args), factor)] = sum.terms() else { return None };
    let [x, c] = args.as_ref() else { return None };
    let c = c.as_i64().filter(|c| *c > 0)?;
    let rest = sum.constant.checked_mul(c)?;
    let rest = match factor {
        1 => rest,
        -1 => rest.checked_add(c - 1)?,
        _ => return None,
    };
    Some(terms.add(&terms.scale(&terms.normalize(x), *factor), &Normal::constant(rest)))
}

impl Conditions<'_> {
    /// What a condition says, as things that are not negative.
    pub(super) fn facts(&self, cond: &Expr) -> Vec<Normal> {
        let mut out = Vec::new();
        self.split(cond, true, &mut out);
        let dividends: Vec<Normal> = out.iter().filter_map(|fact| dividend(fact, self.terms)).collect();
        out.extend(dividends);
        out
    }

    fn split(&self, cond: &Expr, holds: bool, out: &mut Vec<Normal>) {
        let terms = self.terms;
        let (op, args) = match cond {
            Expr::Op(op, args) => (op, args),
            // A value that is not zero, whatever it is.
            Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => return,
        };
        let less = |a: &Expr, b: &Expr, gap: i64| {
            let difference = terms.add(&terms.normalize(b), &terms.scale(&terms.normalize(a), -1));
            terms.add(&difference, &Normal::constant(-gap))
        };
        let (a, b) = match args.as_ref() {
            [a] if *op == Op::Not => return self.split(a, !holds, out),
            [a, b] => (a, b),
            _ => return,
        };
        match (op, holds) {
            (Op::And, true) | (Op::Or, false) => {
                self.split(a, holds, out);
                self.split(b, holds, out);
            }
            (Op::Lt, true) => out.push(less(a, b, 1)),
            (Op::Gt, true) => out.push(less(b, a, 1)),
            (Op::Lt, false) => out.push(less(b, a, 0)),
            (Op::Gt, false) => out.push(less(a, b, 0)),
            (Op::Eq, true) => {
                out.push(less(a, b, 0));
                out.push(less(b, a, 0));
            }
            (Op::And, false) | (Op::Or, true) => {
                // The one that can be, where only one can.
                let can = [a, b].map(|e| !(is_integral(e) && self.never_is(e, holds)));
                match can {
                    [true, false] => self.split(a, holds, out),
                    [false, true] => self.split(b, holds, out),
                    [true, true] | [false, false] => {}
                }
            }
            (Op::Eq, false) => {}
            (
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Not | Op::Select,
                _,
            ) => {}
            (Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_), _) => {}
        }
    }

    /// Whether a condition holds for no values that its variables have: nothing is asked behind it. Halide leaves such an update
    /// out.
    pub(super) fn never(&self, cond: &Expr) -> bool {
        is_integral(cond) && self.never_is(cond, true)
    }

    fn never_is(&self, cond: &Expr, holds: bool) -> bool {
        if let Some(value) = self.terms.simplify(cond).as_i64() {
            return (value != 0) != holds;
        }
        let Expr::Op(op, args) = cond else { return false };
        let never = |holds: bool| args.iter().map(move |a| self.never_is(a, holds));
        match (op, holds) {
            (Op::Not, _) => never(!holds).all(|n| n),
            (Op::And, true) | (Op::Or, false) => never(holds).any(|n| n),
            (Op::And, false) | (Op::Or, true) => never(holds).all(|n| n),
            (Op::Lt | Op::Gt | Op::Eq, _) => {
                let mut said = Vec::new();
                self.split(cond, holds, &mut said);
                said.iter().any(|n| (self.negative)(n))
            }
            (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select, _) => false,
            (Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_), _) => false,
        }
    }
}

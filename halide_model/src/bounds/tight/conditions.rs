//! What conditions around a demand say. Spec: [rule: halide.not-larger].

use super::super::normal::{Normal, Normalizer};
use super::branches::is_integral;
use crate::expr::Expr;
use crate::op::Op;

/// What a condition says, as things that are not negative.
pub(super) fn facts(cond: &Expr, terms: &Normalizer) -> Vec<Normal> {
    let mut out = Vec::new();
    split(cond, true, terms, &mut out);
    let dividends: Vec<Normal> = out.iter().filter_map(|fact| dividend(fact, terms)).collect();
    out.extend(dividends);
    out
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

fn split(cond: &Expr, holds: bool, terms: &Normalizer, out: &mut Vec<Normal>) {
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
        [a] if *op == Op::Not => return split(a, !holds, terms, out),
        [a, b] => (a, b),
        _ => return,
    };
    match (op, holds) {
        (Op::And, true) | (Op::Or, false) => {
            split(a, holds, terms, out);
            split(b, holds, terms, out);
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
            let can = [a, b].map(|e| !(is_integral(e) && never_is(e, holds, terms)));
            match can {
                [true, false] => split(a, holds, terms, out),
                [false, true] => split(b, holds, terms, out),
                [true, true] | [false, false] => {}
            }
        }
        (Op::Eq, false) => {}
        (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Not | Op::Select, _) => {}
        (Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_), _) => {}
    }
}

/// Whether a condition holds for no values of its variables: nothing is asked behind it. Halide leaves such an update out.
pub(super) fn never(cond: &Expr, terms: &Normalizer) -> bool {
    is_integral(cond) && never_is(cond, true, terms)
}

fn never_is(cond: &Expr, holds: bool, terms: &Normalizer) -> bool {
    if let Some(value) = terms.simplify(cond).as_i64() {
        return (value != 0) != holds;
    }
    let Expr::Op(op, args) = cond else { return false };
    let never = |holds: bool| args.iter().map(move |a| never_is(a, holds, terms));
    match (op, holds) {
        (Op::Not, _) => never(!holds).all(|n| n),
        (Op::And, true) | (Op::Or, false) => never(holds).any(|n| n),
        (Op::And, false) | (Op::Or, true) => never(holds).all(|n| n),
        (Op::Lt | Op::Gt | Op::Eq, _) => {
            let mut said = Vec::new();
            split(cond, holds, terms, &mut said);
            said.iter().any(|n| terms.negative(n))
        }
        (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select, _) => false,
        (Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_), _) => false,
    }
}

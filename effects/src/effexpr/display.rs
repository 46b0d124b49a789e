//! Readable notation: `i`, `Cfg.field`, `stride(x, 0)`, `⊥`, `∀i. …`, `D(…)`, with few parentheses.

use super::{CmpOp, EffExpr, Node, Var};
use std::fmt;

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Var::Local(x) => write!(f, "{x}"),
            Var::Global(config, field) => write!(f, "{config}.{field}"),
            Var::Stride(x, dim) => write!(f, "stride({x}, {dim})"),
        }
    }
}

/// How tightly a form binds; an operand that binds less is parenthesised.
mod level {
    pub(super) const QUANTIFIER: u8 = 0;
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const NOT: u8 = 3;
    pub(super) const COMPARE: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const ATOM: u8 = 7;
}

fn level(ee: &EffExpr) -> u8 {
    match ee.node() {
        Node::Forall(..) | Node::Exists(..) | Node::If(..) => level::QUANTIFIER,
        Node::Or(_) => level::OR,
        Node::And(_) => level::AND,
        Node::Not(_) => level::NOT,
        Node::Cmp(..) | Node::Iff(..) => level::COMPARE,
        Node::Add(..) | Node::Sub(..) => level::SUM,
        Node::Neg(_) | Node::Scale(..) | Node::Div(..) | Node::Mod(..) => level::PRODUCT,
        Node::Int(c) if *c < 0 => level::PRODUCT,
        Node::Var(..)
        | Node::Int(_)
        | Node::Bool(_)
        | Node::Unknown(_)
        | Node::Definitely(_)
        | Node::Maybe(_) => level::ATOM,
    }
}

/// What has more nodes than this is shown as `…`: shared parts can make it as long as a library.
const TOO_LONG: u64 = 20_000;

impl fmt::Display for EffExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.size() > TOO_LONG {
            return f.write_str("…");
        }
        match self.node() {
            Node::Var(v, _) => v.fmt(f),
            Node::Int(c) => c.fmt(f),
            Node::Bool(b) => b.fmt(f),
            Node::Unknown(_) => f.write_str("⊥"),
            Node::Neg(a) => write!(f, "-{}", At(a, level::ATOM)),
            Node::Add(a, b) => match b.as_int() {
                Some(c) if c < 0 => write!(f, "{} - {}", At(a, level::SUM), c.unsigned_abs()),
                _ => write!(f, "{} + {}", At(a, level::SUM), At(b, level::PRODUCT)),
            },
            Node::Sub(a, b) => write!(f, "{} - {}", At(a, level::SUM), At(b, level::PRODUCT)),
            Node::Scale(-1, a) => write!(f, "-{}", At(a, level::ATOM)),
            Node::Scale(k, a) => write!(f, "{k}*{}", At(a, level::ATOM)),
            Node::Div(a, k) => write!(f, "{}/{k}", At(a, level::ATOM)),
            Node::Mod(a, k) => write!(f, "{}%{k}", At(a, level::ATOM)),
            Node::Cmp(op, a, b) => {
                write!(f, "{} {} {}", At(a, level::SUM), op.symbol(), At(b, level::SUM))
            }
            Node::Iff(a, b) => write!(f, "{} = {}", At(a, level::SUM), At(b, level::SUM)),
            Node::Not(a) => write!(f, "not {}", At(a, level::COMPARE)),
            Node::And(es) => junction(f, es, " and ", level::NOT),
            Node::Or(es) => junction(f, es, " or ", level::AND),
            Node::If(c, a, b) => {
                write!(f, "{} ? {} else {}", At(c, level::OR), At(a, level::OR), At(b, level::OR))
            }
            Node::Forall(x, a) => write!(f, "∀{x}. {a}"),
            Node::Exists(x, a) => write!(f, "∃{x}. {a}"),
            Node::Definitely(a) => write!(f, "D({a})"),
            Node::Maybe(a) => write!(f, "M({a})"),
        }
    }
}

impl CmpOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            CmpOp::Eq => "=",
            CmpOp::Lt => "<",
            CmpOp::Le => "<=",
        }
    }
}

/// An operand that must bind at least this tightly.
struct At<'a>(&'a EffExpr, u8);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if level(self.0) < self.1 { write!(f, "({})", self.0) } else { self.0.fmt(f) }
    }
}

fn junction(f: &mut fmt::Formatter<'_>, es: &[EffExpr], word: &str, at: u8) -> fmt::Result {
    for (i, e) in es.iter().enumerate() {
        if i > 0 {
            f.write_str(word)?;
        }
        write!(f, "{}", At(e, at))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effexpr::Sort;
    use rewright_semantics::sym::Sym;

    #[test]
    fn prints_with_few_parentheses() {
        let (i, n) = (Sym::fresh("i"), Sym::fresh("n"));
        let (vi, vn) = (EffExpr::int_var(i), EffExpr::int_var(n));
        let sum = EffExpr::sub(EffExpr::add(EffExpr::scale(8, vi.clone()), EffExpr::int(-3)), vn.clone());
        let half = EffExpr::div(sum, 2);
        let body = EffExpr::and([
            EffExpr::le(EffExpr::int(0), vi),
            EffExpr::or([EffExpr::lt(half, vn), EffExpr::unknown(Sort::Bool)]),
        ]);
        let shown = EffExpr::forall(i, EffExpr::definitely(body)).to_string();
        assert_eq!(shown, "∀i. D(0 <= i and ((8*i - 3 - n)/2 < n or ⊥))");
    }
}

//! Each rule of a derivation by itself.

use super::{Derivation, Refusal, Rule};
use crate::deep;
use crate::syntax::{Branch, Expr, ExprKind};
use crate::vars::{Bag, Vars};
use rewright_base::sym::Name;

/// Whether every rule of a derivation is an instance of Fig. 4.5.
///
/// # Errors
/// The first that is none.
pub fn check(d: &Derivation) -> Result<(), Refusal> {
    if !instance(d) {
        let why = format!("{} | {} ⊢ {} is no instance of this rule", d.delta, d.gamma, d.source);
        return Err(Refusal::new(d.rule, &d.output, why));
    }
    d.premises.iter().try_for_each(|p| deep(|| check(p)))
}

/// One rule, its premises as they say they are.
fn instance(d: &Derivation) -> bool {
    let ps = d.premises.as_slice();
    let (delta, gamma) = (&d.delta, &d.gamma);
    match d.rule {
        Rule::Var => match (d.source.kind(), d.output.kind(), ps) {
            (ExprKind::Var(x), ExprKind::Var(y), []) => x == y && *gamma == one(*x),
            _ => false,
        },
        Rule::Int => match (d.source.kind(), d.output.kind(), ps) {
            (ExprKind::Int(m), ExprKind::Int(n), []) => m == n && gamma.is_empty(),
            _ => false,
        },
        Rule::Dup => match (d.output.kind(), ps) {
            (ExprKind::Dup(x, rest), [p]) => {
                (delta.contains(*x) || gamma.contains(*x))
                    && p.delta == *delta
                    && p.gamma == gamma.clone().sum(&one(*x))
                    && derives(p, &d.source, rest)
            }
            _ => false,
        },
        Rule::Drop => match (d.output.kind(), ps) {
            (ExprKind::Drop(x, rest), [p]) => {
                p.delta == *delta && *gamma == p.gamma.clone().sum(&one(*x)) && derives(p, &d.source, rest)
            }
            _ => false,
        },
        Rule::App => match (d.source.kind(), d.output.kind(), ps) {
            (ExprKind::App(e1, e2), ExprKind::App(t1, t2), [p1, p2]) => {
                derives(p1, e1, t1)
                    && derives(p2, e2, t2)
                    && *gamma == p1.gamma.clone().sum(&p2.gamma)
                    && p1.delta == delta.union(&p2.gamma.support())
                    && p2.delta == *delta
            }
            _ => false,
        },
        Rule::Lam => lambda(d),
        Rule::Bind => bind(d),
        Rule::Match => match (d.source.kind(), d.output.kind()) {
            (ExprKind::Match(x, es), ExprKind::Match(y, ts)) => x == y && matching(d, *x, es, ts),
            _ => false,
        },
        Rule::Con => match (d.source.kind(), d.output.kind()) {
            (ExprKind::Con(c), ExprKind::Con(k)) => {
                c.name == k.name && c.at == k.at && operands(d, &c.args, &k.args, c.at)
            }
            _ => false,
        },
        Rule::Prim => match (d.source.kind(), d.output.kind()) {
            (ExprKind::Prim(op, es), ExprKind::Prim(other, ts)) => op == other && operands(d, es, ts, None),
            _ => false,
        },
        Rule::Call => match (d.source.kind(), d.output.kind()) {
            (ExprKind::Call(f, es), ExprKind::Call(g, ts)) => f == g && operands(d, es, ts, None),
            _ => false,
        },
    }
}

fn one(x: Name) -> Bag {
    [x].into_iter().collect()
}

/// Whether a premise is about these expressions.
fn derives(p: &Derivation, e: &Expr, t: &Expr) -> bool {
    p.source == *e && p.output == *t
}

/// ∅ | Γ, x ⊢ e ⇝ e' with Γ = fv(λx. e), and λ^Γ
fn lambda(d: &Derivation) -> bool {
    match (d.source.kind(), d.output.kind(), d.premises.as_slice()) {
        (ExprKind::Lam(e), ExprKind::Lam(t), [p]) => {
            let ys: Bag = t.ys.iter().flatten().copied().collect();
            e.param == t.param
                && derives(p, &e.body, &t.body)
                && d.gamma == Bag::from(d.source.free())
                && (t.ys.is_none() || ys == d.gamma)
                && p.delta.is_empty()
                && p.gamma == d.gamma.clone().sum(&one(e.param))
        }
        _ => false,
    }
}

/// x ∉ Δ, Γ₁, Γ₂; Δ, Γ₂ | Γ₁ ⊢ e₁; Δ | Γ₂, x ⊢ e₂
fn bind(d: &Derivation) -> bool {
    match (d.source.kind(), d.output.kind(), d.premises.as_slice()) {
        (ExprKind::Val(x, e1, e2), ExprKind::Val(y, t1, t2), [p1, p2]) => {
            let mut gamma2 = p2.gamma.clone();
            x == y
                && gamma2.take(*x)
                && !d.delta.contains(*x)
                && !d.gamma.contains(*x)
                && derives(p1, e1, t1)
                && derives(p2, e2, t2)
                && d.gamma == p1.gamma.clone().sum(&gamma2)
                && p1.delta == d.delta.union(&gamma2.support())
                && p2.delta == d.delta
        }
        _ => false,
    }
}

/// Γ, x from Δ | Γ, bv(pᵢ) ⊢ eᵢ; bv(pᵢ) ∩ (Δ, Γ) = ∅
fn matching(d: &Derivation, x: Name, es: &[Branch], ts: &[Branch]) -> bool {
    let mut gamma = d.gamma.clone();
    if !gamma.take(x) || es.len() != ts.len() || es.len() != d.premises.len() {
        return false;
    }
    es.iter().zip(ts).zip(&d.premises).all(|((e, t), p)| {
        let bound = e.pattern.bound();
        let distinct = bound.and(&d.delta.union(&gamma.support())).is_empty();
        e.pattern == t.pattern
            && distinct
            && derives(p, &e.body, &t.body)
            && p.delta == d.delta
            && p.gamma == gamma.clone().sum(&Bag::from(&bound))
    })
}

/// Δ, Γᵢ₊₁, …, Γₙ | Γᵢ ⊢ eᵢ; a token is the constructor's own.
fn operands(d: &Derivation, es: &[Expr], ts: &[Expr], token: Option<Name>) -> bool {
    if es.len() != ts.len() || es.len() != d.premises.len() {
        return false;
    }
    let (mut later, mut owned): (Vars, Bag) = (d.delta.clone(), token.into_iter().collect());
    for ((e, t), p) in es.iter().zip(ts).zip(&d.premises).rev() {
        if !derives(p, e, t) || p.delta != later {
            return false;
        }
        later = later.union(&p.gamma.support());
        owned = owned.sum(&p.gamma);
    }
    owned == d.gamma
}

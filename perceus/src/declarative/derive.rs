//! The derivation of a given translation.
//!
//! Γ is a function of e': each leaf says what it owns, and each rule what its conclusion owns then. So Γ is found from
//! the leaves up, Δ from the root down, and nothing is searched.

use super::{Derivation, Refusal, Rule};
use crate::deep;
use crate::syntax::{Branch, Expr, ExprKind, Lam, Program};
use crate::vars::{Bag, Vars};
use rewright_base::sym::Name;

/// The derivation of Δ | Γ ⊢ e ⇝ e'. Nothing is renamed: e' uses the names of e, and binders are distinct.
///
/// # Errors
/// There is none; the rule that does not apply.
pub fn derive(delta: &Vars, gamma: &Bag, source: &Expr, output: &Expr) -> Result<Derivation, Refusal> {
    let mut d = owned(source, output)?;
    if d.gamma != *gamma {
        return Err(Refusal::new(d.rule, output, format!("owns {} and not {gamma}", d.gamma)));
    }
    borrowed(&mut d, delta)?;
    Ok(d)
}

/// The derivations of a whole program, its definitions first: ∅ | x₁, …, xₙ ⊢ e ⇝ e' for each body.
///
/// # Errors
/// As [`derive()`]; or the definitions are not those of the source.
pub fn derive_program(source: &Program, output: &Program) -> Result<Vec<Derivation>, Refusal> {
    let mut all = Vec::new();
    for def in &source.defs {
        let Some(translated) = output.def(def.name).filter(|d| d.params == def.params) else {
            return Err(Refusal::new(Rule::Call, &def.body, format!("no translation of `{}`", def.name)));
        };
        let params: Bag = def.params.iter().copied().collect();
        all.push(derive(&Vars::empty(), &params, &def.body, &translated.body)?);
    }
    all.push(derive(&Vars::empty(), &Bag::new(), &source.main, &output.main)?);
    Ok(all)
}

/// The derivation with all Γ and no Δ.
fn owned(source: &Expr, output: &Expr) -> Result<Derivation, Refusal> {
    let other = || Refusal::new(Rule::Var, output, format!("is no translation of `{source}`"));
    let built = |rule, gamma, premises| Derivation {
        rule,
        delta: Vars::empty(),
        gamma,
        source: source.clone(),
        output: output.clone(),
        premises,
    };
    deep(|| match (source.kind(), output.kind()) {
        (_, ExprKind::Dup(x, rest)) => {
            let premise = owned(source, rest)?;
            let gamma = less(&premise.gamma, *x)
                .map_err(|()| Refusal::new(Rule::Dup, output, format!("the copy of {x} is not consumed")))?;
            Ok(built(Rule::Dup, gamma, vec![premise]))
        }
        (_, ExprKind::Drop(x, rest)) => {
            let premise = owned(source, rest)?;
            let mut gamma = premise.gamma.clone();
            gamma.add(*x);
            Ok(built(Rule::Drop, gamma, vec![premise]))
        }
        (ExprKind::Var(x), ExprKind::Var(y)) if x == y => {
            Ok(built(Rule::Var, [*x].into_iter().collect(), Vec::new()))
        }
        (ExprKind::Int(m), ExprKind::Int(n)) if m == n => Ok(built(Rule::Int, Bag::new(), Vec::new())),
        (ExprKind::App(e1, e2), ExprKind::App(t1, t2)) => {
            let premises = vec![owned(e1, t1)?, owned(e2, t2)?];
            Ok(built(Rule::App, total(&premises), premises))
        }
        (ExprKind::Lam(e), ExprKind::Lam(t)) if e.param == t.param => {
            let premise = lambda(source, e, t, output)?;
            Ok(built(Rule::Lam, Bag::from(source.free()), vec![premise]))
        }
        (ExprKind::Val(x, e1, e2), ExprKind::Val(y, t1, t2)) if x == y => {
            let (first, second) = (owned(e1, t1)?, owned(e2, t2)?);
            let gamma2 = once(&second.gamma, *x, Rule::Bind, output)?;
            let gamma = first.gamma.clone().sum(&gamma2);
            Ok(built(Rule::Bind, gamma, vec![first, second]))
        }
        (ExprKind::Match(x, es), ExprKind::Match(y, ts)) if x == y && patterns(es).eq(patterns(ts)) => {
            let (gamma, premises) = branches(es, ts, output)?;
            let gamma = gamma.sum(&[*x].into_iter().collect());
            Ok(built(Rule::Match, gamma, premises))
        }
        (ExprKind::Con(c), ExprKind::Con(k))
            if c.name == k.name && c.at == k.at && c.args.len() == k.args.len() =>
        {
            let premises = all(&c.args, &k.args)?;
            let gamma = total(&premises).sum(&c.at.into_iter().collect());
            Ok(built(Rule::Con, gamma, premises))
        }
        (ExprKind::Prim(op, args), ExprKind::Prim(other, ts)) if op == other && args.len() == ts.len() => {
            let premises = all(args, ts)?;
            Ok(built(Rule::Prim, total(&premises), premises))
        }
        (ExprKind::Call(f, args), ExprKind::Call(g, ts)) if f == g && args.len() == ts.len() => {
            let premises = all(args, ts)?;
            Ok(built(Rule::Call, total(&premises), premises))
        }
        (
            ExprKind::Var(_)
            | ExprKind::Int(_)
            | ExprKind::Lam(_)
            | ExprKind::App(..)
            | ExprKind::Val(..)
            | ExprKind::Match(..)
            | ExprKind::Con(_)
            | ExprKind::Prim(..)
            | ExprKind::Call(..)
            | ExprKind::Dup(..)
            | ExprKind::Drop(..),
            _,
        ) => Err(other()),
    })
}

fn all(es: &[Expr], ts: &[Expr]) -> Result<Vec<Derivation>, Refusal> {
    es.iter().zip(ts).map(|(e, t)| owned(e, t)).collect()
}

fn total(premises: &[Derivation]) -> Bag {
    premises.iter().fold(Bag::new(), |sum, p| sum.sum(&p.gamma))
}

/// Γ − x, where x ∈ Γ.
fn less(gamma: &Bag, x: Name) -> Result<Bag, ()> {
    let mut rest = gamma.clone();
    if rest.take(x) { Ok(rest) } else { Err(()) }
}

/// Γ from Γ, x where x occurs exactly once.
fn once(gamma: &Bag, x: Name, rule: Rule, output: &Expr) -> Result<Bag, Refusal> {
    match gamma.count(x) {
        1 => Ok(gamma.iter().filter(|y| *y != x).collect()),
        n => Err(Refusal::new(rule, output, format!("{x} is consumed {n} times"))),
    }
}

/// [LAM]: the body consumes exactly fv(λx. e) and x, and ys says so.
fn lambda(source: &Expr, e: &Lam, t: &Lam, output: &Expr) -> Result<Derivation, Refusal> {
    let captured = Bag::from(source.free());
    if t.ys.as_ref().is_some_and(|ys| ys.iter().copied().collect::<Bag>() != captured) {
        return Err(Refusal::new(Rule::Lam, output, format!("ys is not fv, which is {captured}")));
    }
    let premise = owned(&e.body, &t.body)?;
    let rest = once(&premise.gamma, e.param, Rule::Lam, output)?;
    if rest != captured {
        let why = format!("the body consumes {rest} beside {}, and not {captured}", e.param);
        return Err(Refusal::new(Rule::Lam, output, why));
    }
    Ok(premise)
}

/// The patterns, tokens included.
fn patterns(branches: &[Branch]) -> impl Iterator<Item = &crate::syntax::Pattern> {
    branches.iter().map(|b| &b.pattern)
}

/// [MATCH]: all branches consume the same beside their binders.
fn branches(es: &[Branch], ts: &[Branch], output: &Expr) -> Result<(Bag, Vec<Derivation>), Refusal> {
    let mut agreed: Option<Bag> = None;
    let mut premises = Vec::new();
    for (e, t) in es.iter().zip(ts) {
        let premise = owned(&e.body, &t.body)?;
        let bound = e.pattern.fields().chain(e.pattern.reuse);
        let gamma =
            bound.into_iter().try_fold(premise.gamma.clone(), |g, b| once(&g, b, Rule::Match, output))?;
        if agreed.as_ref().is_some_and(|other| *other != gamma) {
            return Err(Refusal::new(Rule::Match, output, "the branches consume different variables"));
        }
        agreed = Some(gamma);
        premises.push(premise);
    }
    Ok((agreed.unwrap_or_default(), premises))
}

/// Fills in each Δ, and asks what the rules ask of it.
fn borrowed(d: &mut Derivation, delta: &Vars) -> Result<(), Refusal> {
    d.delta = delta.clone();
    let refuse = |why: String| Err(Refusal::new(d.rule, &d.output, why));
    let fresh = |x: Name, gamma: &Bag| !delta.contains(x) && !gamma.contains(x);
    match (d.rule, d.output.kind()) {
        (Rule::Dup, ExprKind::Dup(x, _)) if !delta.contains(*x) && !d.gamma.contains(*x) => {
            return refuse(format!("{x} is neither borrowed nor owned here"));
        }
        (Rule::Bind, ExprKind::Val(x, ..)) if !fresh(*x, &d.gamma) => {
            return refuse(format!("{x} is in Δ, Γ"));
        }
        (Rule::Match, ExprKind::Match(_, branches)) => {
            if let Some(x) = branches.iter().flat_map(|b| b.pattern.fields()).find(|x| !fresh(*x, &d.gamma)) {
                return refuse(format!("{x} is in Δ, Γ"));
            }
        }
        _ => {}
    }
    let mut later = if d.rule == Rule::Lam { Vars::empty() } else { delta.clone() };
    let body = d.premises.len().saturating_sub(1);
    for (i, premise) in d.premises.iter_mut().enumerate().rev() {
        let own = premise.gamma.support();
        deep(|| borrowed(premise, &later))?;
        match (d.rule, d.output.kind()) {
            // The bound expression borrows Γ₂, without the variable.
            (Rule::Bind, ExprKind::Val(x, ..)) if i == body => later = later.union(&own.without(*x)),
            (Rule::App | Rule::Con | Rule::Prim | Rule::Call, _) => later = later.union(&own),
            _ => {}
        }
    }
    Ok(())
}

//! Theorem 4.3: what Perceus makes is derivable. Thesis §4.3.4. Spec: [rule: perceus.sound].
//!
//! The proof as a function: each rule of Fig. 4.8 is a few of Fig. 4.5.

use super::{Derivation, Rule};
use crate::algorithm;
use crate::deep;
use crate::syntax::{Expr, ExprKind};
use crate::vars::{Bag, Vars};
use rewright_base::sym::Name;

/// The derivation by Fig. 4.5 of what a derivation by Fig. 4.8 concludes.
pub fn declarative(d: &algorithm::Derivation) -> Derivation {
    deep(|| step(d))
}

fn step(d: &algorithm::Derivation) -> Derivation {
    let gamma = Bag::from(&d.gamma);
    let bare = |rule, delta: &Vars, gamma: Bag, output: &Expr, premises| Derivation {
        rule,
        delta: delta.clone(),
        gamma,
        source: d.source.clone(),
        output: output.clone(),
        premises,
    };
    let direct =
        |rule| bare(rule, &d.delta, gamma.clone(), &d.output, d.premises.iter().map(declarative).collect());
    match d.rule {
        algorithm::Rule::Var => direct(Rule::Var),
        algorithm::Rule::Int => direct(Rule::Int),
        algorithm::Rule::App => direct(Rule::App),
        algorithm::Rule::Con => direct(Rule::Con),
        algorithm::Rule::Prim => direct(Rule::Prim),
        algorithm::Rule::Call => direct(Rule::Call),
        algorithm::Rule::Bind => direct(Rule::Bind),
        algorithm::Rule::VarDup
        | algorithm::Rule::Lam
        | algorithm::Rule::LamDrop
        | algorithm::Rule::BindDrop
        | algorithm::Rule::Match
        | algorithm::Rule::MatchBorrowed
        | algorithm::Rule::MatchUsed => dups(d, &gamma, &d.output),
    }
}

/// [DUP] for each `dup` in front, then the rule itself.
fn dups(d: &algorithm::Derivation, gamma: &Bag, output: &Expr) -> Derivation {
    let (rule, premises) = match output.kind() {
        ExprKind::Dup(x, rest) => {
            (Rule::Dup, vec![dups(d, &gamma.clone().sum(&[*x].into_iter().collect()), rest)])
        }
        ExprKind::Lam(l) => (Rule::Lam, d.premises.iter().map(|p| drops(p, &l.body)).collect()),
        ExprKind::Val(_, _, body) => {
            let premise = |(i, p): (usize, &algorithm::Derivation)| {
                if i == 0 { declarative(p) } else { drops(p, body) }
            };
            (Rule::Bind, d.premises.iter().enumerate().map(premise).collect())
        }
        ExprKind::Match(_, branches) => {
            let premises = d.premises.iter().zip(branches).map(|(p, b)| drops(p, &b.body));
            (Rule::Match, premises.collect())
        }
        ExprKind::Var(_) => (Rule::Var, Vec::new()),
        ExprKind::Int(_)
        | ExprKind::App(..)
        | ExprKind::Con(_)
        | ExprKind::Prim(..)
        | ExprKind::Call(..)
        | ExprKind::Drop(..) => {
            unreachable!("no rule of Fig. 4.8 puts `dup` in front of {output}")
        }
    };
    Derivation {
        rule,
        delta: d.delta.clone(),
        gamma: gamma.clone(),
        source: d.source.clone(),
        output: output.clone(),
        premises,
    }
}

/// \[DROP\] for each `drop` that a rule put in front of a premise's translation.
pub fn drops(p: &algorithm::Derivation, output: &Expr) -> Derivation {
    match output.kind() {
        // A translation never begins with `drop` by itself.
        ExprKind::Drop(x, rest) => {
            let premise = drops(p, rest);
            let gamma = premise.gamma.clone().sum(&one(*x));
            Derivation {
                rule: Rule::Drop,
                delta: p.delta.clone(),
                gamma,
                source: p.source.clone(),
                output: output.clone(),
                premises: vec![premise],
            }
        }
        ExprKind::Var(_)
        | ExprKind::Int(_)
        | ExprKind::Lam(_)
        | ExprKind::App(..)
        | ExprKind::Val(..)
        | ExprKind::Match(..)
        | ExprKind::Con(_)
        | ExprKind::Prim(..)
        | ExprKind::Call(..)
        | ExprKind::Dup(..) => declarative(p),
    }
}

fn one(x: Name) -> Bag {
    [x].into_iter().collect()
}

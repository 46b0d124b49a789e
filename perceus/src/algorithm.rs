//! Perceus: the syntax-directed rules. Thesis Fig. 4.8. Spec: [rule: perceus.algorithm].
//!
//! Δ | Γ ⊢ₛ e ⇝ e' where Δ is borrowed and Γ owned. At each rule (§4.3.4): (1) Δ ∩ Γ = ∅; (2) Γ ⊆ fv(e);
//! (3) fv(e) ⊆ Δ, Γ; (4) each member of Δ, Γ occurs once, which is why both are sets here. Binders are distinct.
//!
//! A derivation is data: [`Derivation`] keeps Δ, Γ, e and e' of each rule. That it is sound (Theorem 4.3) is
//! [`crate::declarative`]'s business.

use crate::deep;
use crate::syntax::{Branch, Con, Def, Expr, ExprKind, Lam, Program, distinct};
use crate::vars::Vars;
use rewright_base::sym::Name;
use std::fmt;

/// The rules of Fig. 4.8, those of the extensions, and the readings of \[SMATCH\] [P-3], [P-4].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Δ | x ⊢ₛ x ⇝ x
    Var,
    /// Δ, x | ∅ ⊢ₛ x ⇝ dup x; x
    VarDup,
    /// Application.
    App,
    /// A lambda that uses its parameter.
    Lam,
    /// A lambda that does not.
    LamDrop,
    /// A `val` that is used.
    Bind,
    /// A `val` that is not.
    BindDrop,
    /// A match that consumes its scrutinee.
    Match,
    /// A match on what is borrowed.
    MatchBorrowed,
    /// A match on what is owned and used in a branch.
    MatchUsed,
    /// A constructor.
    Con,
    /// An integer.
    Int,
    /// A primitive.
    Prim,
    /// A call.
    Call,
}

impl Rule {
    /// All of them, in the order of the figure.
    pub const ALL: [Rule; 14] = [
        Rule::Var,
        Rule::VarDup,
        Rule::App,
        Rule::Lam,
        Rule::LamDrop,
        Rule::Bind,
        Rule::BindDrop,
        Rule::Match,
        Rule::MatchBorrowed,
        Rule::MatchUsed,
        Rule::Con,
        Rule::Int,
        Rule::Prim,
        Rule::Call,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Var => "SVAR",
            Rule::VarDup => "SVAR-DUP",
            Rule::App => "SAPP",
            Rule::Lam => "SLAM",
            Rule::LamDrop => "SLAM-D",
            Rule::Bind => "SBIND",
            Rule::BindDrop => "SBIND-D",
            Rule::Match => "SMATCH",
            Rule::MatchBorrowed => "SMATCH-BORROWED",
            Rule::MatchUsed => "SMATCH-USED",
            Rule::Con => "SCON",
            Rule::Int => "SINT",
            Rule::Prim => "SPRIM",
            Rule::Call => "SCALL",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Δ | Γ ⊢ₛ e ⇝ e', and the derivations above it.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The rule at the bottom.
    pub rule: Rule,
    /// Δ
    pub delta: Vars,
    /// Γ
    pub gamma: Vars,
    /// e
    pub source: Expr,
    /// e'
    pub output: Expr,
    /// In the order in which the rule lists them.
    pub premises: Vec<Derivation>,
}

/// A program with reference counting, and how it was derived.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The source, with distinct binders.
    pub source: Program,
    /// The program that counts.
    pub program: Program,
    /// The derivation of each definition's body, ∅ | x₁, …, xₙ ⊢ₛ e of those parameters that are used.
    pub defs: Vec<Derivation>,
    /// ∅ | ∅ ⊢ₛ e
    pub main: Derivation,
}

/// Translates a well-formed program ([`crate::syntax::valid`]).
///
/// # Panics
/// When an invariant of §4.3.4 does not hold at a rule, which is a fault of this module, or when the program is not
/// well-formed.
pub fn translate(program: &Program) -> Translation {
    let source = distinct::program(program);
    let main = derive(&Vars::empty(), &Vars::empty(), &source.main);
    let defs: Vec<Derivation> = source.defs.iter().map(definition).collect();
    let translated = source.defs.iter().zip(&defs).map(|(d, derivation)| {
        let unused = d.params.iter().copied().filter(|x| !d.body.free().contains(*x)).collect();
        Def { name: d.name, params: d.params.clone(), body: Expr::drops(&unused, derivation.output.clone()) }
    });
    let program = Program {
        constructors: source.constructors.clone(),
        defs: translated.collect(),
        main: main.output.clone(),
    };
    Translation { source, program, defs, main }
}

/// As the body of a lambda: parameters are owned, and those that are not used are dropped first.
fn definition(d: &Def) -> Derivation {
    let owned: Vars = d.params.iter().copied().collect();
    derive(&Vars::empty(), &owned.and(d.body.free()), &d.body)
}

/// Δ | Γ ⊢ₛ e ⇝ e'
fn derive(delta: &Vars, gamma: &Vars, e: &Expr) -> Derivation {
    assert!(delta.and(gamma).is_empty(), "(1) Δ ∩ Γ = ∅: {delta} | {gamma} at {e}");
    assert!(gamma.is_subset(e.free()), "(2) Γ ⊆ fv(e): {gamma} at {e}");
    assert!(e.free().is_subset(&delta.union(gamma)), "(3) fv(e) ⊆ Δ, Γ: {delta} | {gamma} at {e}");
    let (rule, output, premises) = deep(|| match e.kind() {
        ExprKind::Var(x) => variable(gamma, *x, e),
        ExprKind::Int(_) => (Rule::Int, e.clone(), Vec::new()),
        ExprKind::Lam(l) => lambda(gamma, l, e),
        ExprKind::App(e1, e2) => application(delta, gamma, e1, e2),
        ExprKind::Val(x, e1, e2) => bind(delta, gamma, *x, e1, e2),
        ExprKind::Match(x, branches) => matching(delta, gamma, *x, branches),
        ExprKind::Con(c) => constructor(delta, gamma, c),
        ExprKind::Prim(op, args) => {
            let premises = operands(delta, gamma, args);
            (Rule::Prim, Expr::new(ExprKind::Prim(*op, outputs(&premises))), premises)
        }
        ExprKind::Call(f, args) => {
            let premises = operands(delta, gamma, args);
            (Rule::Call, Expr::new(ExprKind::Call(*f, outputs(&premises))), premises)
        }
        ExprKind::Dup(..) | ExprKind::Drop(..) => panic!("a source program has no dup and no drop: {e}"),
    });
    Derivation { rule, delta: delta.clone(), gamma: gamma.clone(), source: e.clone(), output, premises }
}

/// A rule applied: its name, e', its premises.
type Applied = (Rule, Expr, Vec<Derivation>);

/// [SVAR], [SVAR-DUP]
fn variable(gamma: &Vars, x: Name, e: &Expr) -> Applied {
    if gamma.contains(x) {
        (Rule::Var, e.clone(), Vec::new())
    } else {
        (Rule::VarDup, Expr::dup(x, e.clone()), Vec::new())
    }
}

/// [SAPP]: Γ₂ = Γ ∩ fv(e₂) goes to the argument, and the function borrows it.
fn application(delta: &Vars, gamma: &Vars, e1: &Expr, e2: &Expr) -> Applied {
    let gamma2 = gamma.and(e2.free());
    let first = derive(&delta.union(&gamma2), &gamma.minus(&gamma2), e1);
    let second = derive(delta, &gamma2, e2);
    (Rule::App, Expr::app(first.output.clone(), second.output.clone()), vec![first, second])
}

/// [SLAM], [SLAM-D]: ys = fv(λx. e), of which Δ₁ = ys − Γ is borrowed and must be duplicated.
fn lambda(gamma: &Vars, l: &Lam, e: &Expr) -> Applied {
    let ys = e.free();
    let used = l.body.free().contains(l.param);
    let owned = if used { ys.with(l.param) } else { ys.clone() };
    let body = derive(&Vars::empty(), &owned, &l.body);
    let inner = if used { body.output.clone() } else { Expr::drop(l.param, body.output.clone()) };
    let closure =
        Expr::new(ExprKind::Lam(Lam { ys: Some(ys.iter().collect()), param: l.param, body: inner }));
    let rule = if used { Rule::Lam } else { Rule::LamDrop };
    (rule, Expr::dups(&ys.minus(gamma), closure), vec![body])
}

/// [SBIND], [SBIND-D]: Γ₂ = Γ ∩ (fv(e₂) − x)
fn bind(delta: &Vars, gamma: &Vars, x: Name, e1: &Expr, e2: &Expr) -> Applied {
    assert!(!delta.contains(x) && !gamma.contains(x), "x ∉ Δ, Γ: {x} in {delta} | {gamma}");
    let gamma2 = gamma.and(&e2.free().without(x));
    let first = derive(&delta.union(&gamma2), &gamma.minus(&gamma2), e1);
    let used = e2.free().contains(x);
    let owned = if used { gamma2.with(x) } else { gamma2 };
    let second = derive(delta, &owned, e2);
    let body = if used { second.output.clone() } else { Expr::drop(x, second.output.clone()) };
    let rule = if used { Rule::Bind } else { Rule::BindDrop };
    (rule, Expr::val(x, first.output.clone(), body), vec![first, second])
}

/// [SMATCH]: each branch owns what it uses of Γ, bv(pᵢ), and drops the rest first. A scrutinee that is borrowed, or
/// that a branch still uses, is duplicated before it is consumed.
fn matching(delta: &Vars, gamma: &Vars, x: Name, branches: &[Branch]) -> Applied {
    let is_used = |b: &Branch| b.body.free().minus(&b.pattern.bound()).contains(x);
    let (rule, owned) = if !gamma.contains(x) {
        (Rule::MatchBorrowed, gamma.clone())
    } else if branches.iter().any(is_used) {
        (Rule::MatchUsed, gamma.clone())
    } else {
        (Rule::Match, gamma.without(x))
    };
    let premise = |b: &Branch| {
        let all = owned.union(&b.pattern.bound());
        let own = all.and(b.body.free());
        (derive(delta, &own, &b.body), all.minus(&own))
    };
    let (premises, dropped): (Vec<Derivation>, Vec<Vars>) = branches.iter().map(premise).unzip();
    let branch = |((b, d), dropped): ((&Branch, &Derivation), &Vars)| Branch {
        pattern: b.pattern.clone(),
        body: Expr::drops(dropped, d.output.clone()),
    };
    let output = Expr::case(x, branches.iter().zip(&premises).zip(&dropped).map(branch).collect());
    let output = if rule == Rule::Match { output } else { Expr::dup(x, output) };
    (rule, output, premises)
}

/// [SCON]; a reuse token is consumed by the constructor itself.
fn constructor(delta: &Vars, gamma: &Vars, c: &Con) -> Applied {
    let rest = c.at.map_or_else(|| gamma.clone(), |token| gamma.without(token));
    let premises = operands(delta, &rest, &c.args);
    let con = Con { name: c.name, at: c.at, args: outputs(&premises) };
    (Rule::Con, Expr::new(ExprKind::Con(con)), premises)
}

/// Γᵢ = (Γ − Γᵢ₊₁ − … − Γₙ) ∩ fv(eᵢ); each operand borrows what later ones own.
fn operands(delta: &Vars, gamma: &Vars, args: &[Expr]) -> Vec<Derivation> {
    let (mut rest, mut later) = (gamma.clone(), delta.clone());
    let mut premises = Vec::new();
    for e in args.iter().rev() {
        let own = rest.and(e.free());
        premises.push(derive(&later, &own, e));
        rest = rest.minus(&own);
        later = later.union(&own);
    }
    premises.reverse();
    premises
}

fn outputs(premises: &[Derivation]) -> Vec<Expr> {
    premises.iter().map(|d| d.output.clone()).collect()
}

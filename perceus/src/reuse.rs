//! Reuse analysis. Thesis §4.2.4. Spec: [rule: perceus.reuse].
//!
//! It comes before `dup` and `drop` are inserted. In a branch C b₁ … bₙ → e of `match x` with n ≥ 1 and x ∉ fv(e), the
//! cell of x is paired with constructors of arity n in e, at most one on each path: C b₁ … bₙ @r → e[C' v… := C'@r v…].
//! Fig. 4.8 then treats r as any owned variable: a path without such a constructor drops it.
//!
//! Inner matches choose first. A match chooses the first constructor in order of evaluation that is not paired and not
//! under a lambda. Where some path of an earlier part has it, later parts have it not: on the other paths through the
//! earlier part the token is dropped there.

use crate::deep;
use crate::syntax::{Branch, Con, Def, Expr, Kind, Pattern, Program, distinct};
use rewright_base::sym::Name;
use rustc_hash::FxHashSet;

/// The program with its pairs. Binders are made distinct first.
#[must_use]
pub fn program(p: &Program) -> Program {
    paired(p, false)
}

/// Likewise, where constant constructors need no memory: [rule: perceus.constants].
#[must_use]
pub fn beside_constants(p: &Program) -> Program {
    paired(p, true)
}

fn paired(p: &Program, beside_constants: bool) -> Program {
    let p = distinct::program(p);
    let pair = |e: &Expr| Pairing { known: distinct::names(e), last: 0, beside_constants }.expr(e);
    let def = |d: &Def| Def { name: d.name, params: d.params.clone(), body: pair(&d.body) };
    Program {
        constructors: p.constructors.clone(),
        defs: p.defs.iter().map(def).collect(),
        main: pair(&p.main),
    }
}

/// Whether this is a constructor whose arguments are integers and such constructors.
pub fn is_constant(e: &Expr) -> bool {
    let is_fixed = |a: &Expr| matches!(a.kind(), Kind::Int(_)) || deep(|| is_constant(a));
    matches!(e.kind(), Kind::Con(c) if c.at.is_none() && c.args.iter().all(is_fixed))
}

struct Pairing {
    /// Names that tokens must not have.
    known: FxHashSet<Name>,
    last: u64,
    beside_constants: bool,
}

impl Pairing {
    fn expr(&mut self, e: &Expr) -> Expr {
        deep(|| match e.kind() {
            Kind::Match(x, branches) => Expr::case(*x, branches.iter().map(|b| self.branch(*x, b)).collect()),
            Kind::Var(_)
            | Kind::Int(_)
            | Kind::Lam(_)
            | Kind::App(..)
            | Kind::Val(..)
            | Kind::Con(_)
            | Kind::Prim(..)
            | Kind::Call(..)
            | Kind::Dup(..)
            | Kind::Drop(..) => e.map(|child| self.expr(child)),
        })
    }

    fn branch(&mut self, x: Name, b: &Branch) -> Branch {
        let (arity, body) = (b.pattern.binders.len(), self.expr(&b.body));
        let is_live = body.free().contains(x) && !b.pattern.bound().contains(x);
        if arity > 0 && !is_live {
            let token = self.token();
            if let Some(body) = self.take(&body, arity, token) {
                self.known.insert(token);
                return Branch { pattern: Pattern { reuse: Some(token), ..b.pattern.clone() }, body };
            }
        }
        Branch { pattern: b.pattern.clone(), body }
    }

    /// A name for a token.
    fn token(&mut self) -> Name {
        loop {
            let name = if self.last == 0 { Name::new("ru") } else { Name::new(&format!("ru{}", self.last)) };
            if !self.known.contains(&name) {
                return name;
            }
            self.last += 1;
        }
    }

    /// `e` with the first constructor of this arity built at the token, on each path that has one; `None` if none has.
    fn take(&self, e: &Expr, arity: usize, token: Name) -> Option<Expr> {
        deep(|| match e.kind() {
            Kind::Var(_) | Kind::Int(_) | Kind::Lam(_) => None,
            Kind::Con(_) if self.beside_constants && is_constant(e) => None,
            Kind::Con(c) => match self.first(&c.args, arity, token) {
                Some(args) => Some(Expr::new(Kind::Con(Con { args, ..c.clone() }))),
                None if c.at.is_none() && c.args.len() == arity => {
                    Some(Expr::new(Kind::Con(Con { at: Some(token), ..c.clone() })))
                }
                None => None,
            },
            Kind::Match(x, branches) => {
                let taken: Vec<Option<Expr>> =
                    branches.iter().map(|b| self.take(&b.body, arity, token)).collect();
                let any = taken.iter().any(Option::is_some);
                let branch = |(b, body): (&Branch, Option<Expr>)| Branch {
                    pattern: b.pattern.clone(),
                    body: body.unwrap_or_else(|| b.body.clone()),
                };
                any.then(|| Expr::case(*x, branches.iter().zip(taken).map(branch).collect()))
            }
            Kind::App(..)
            | Kind::Val(..)
            | Kind::Prim(..)
            | Kind::Call(..)
            | Kind::Dup(..)
            | Kind::Drop(..) => {
                let mut taken = false;
                let out = e.map(|child| {
                    let found = if taken { None } else { self.take(child, arity, token) };
                    taken |= found.is_some();
                    found.unwrap_or_else(|| child.clone())
                });
                taken.then_some(out)
            }
        })
    }

    /// In the first of these that has one.
    fn first(&self, args: &[Expr], arity: usize, token: Name) -> Option<Vec<Expr>> {
        let (at, taken) =
            args.iter().enumerate().find_map(|(i, e)| Some((i, self.take(e, arity, token)?)))?;
        let mut out = args.to_vec();
        if let Some(slot) = out.get_mut(at) {
            *slot = taken;
        }
        Some(out)
    }
}

//! Reuse analysis. Thesis §4.2.4. Spec: [rule: perceus.reuse].
//!
//! It comes before `dup` and `drop` are inserted. In a branch C b₁ … bₙ → e of `match x` with n ≥ 1 and x ∉ fv(e), the
//! cell of x is paired with constructors of arity n in e, at most one on each path: C b₁ … bₙ @r → e\[C' v… := C'@r v…\].
//! Fig. 4.8 then treats r as any owned variable: a path without such a constructor drops it.
//!
//! Inner matches choose first. A match chooses the first constructor in order of evaluation that is not paired and not
//! under a lambda. Where some path of an earlier part has it, later parts have it not: on the other paths through the
//! earlier part the token is dropped there.

use crate::deep;
use crate::syntax::{Branch, Con, Def, Expr, ExprKind, Pattern, Program, distinct};
use rewright_base::sym::Name;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

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
    let pair = |e: &Expr| {
        Pairing { known: distinct::names(e), last: 0, beside_constants }.expr(e, &mut Free::default())
    };
    let def = |d: &Def| Def { name: d.name, params: d.params.clone(), body: pair(&d.body) };
    Program {
        constructors: p.constructors.clone(),
        defs: p.defs.iter().map(def).collect(),
        main: pair(&p.main),
    }
}

/// Whether this is a constructor whose arguments are integers and such constructors.
pub fn is_constant(e: &Expr) -> bool {
    let is_fixed = |a: &Expr| matches!(a.kind(), ExprKind::Int(_)) || deep(|| is_constant(a));
    matches!(e.kind(), ExprKind::Con(c) if c.at.is_none() && c.args.iter().all(is_fixed))
}

/// How many constructors of each arity have no token yet, those under lambdas left out: who finds none looks no further.
#[derive(Clone, Debug, Default)]
struct Free(BTreeMap<usize, usize>);

impl Free {
    fn add(&mut self, arity: usize, n: usize) {
        *self.0.entry(arity).or_insert(0) += n;
    }

    fn has(&self, arity: usize) -> bool {
        self.0.get(&arity).is_some_and(|n| *n > 0)
    }
}

struct Pairing {
    /// Names that tokens must not have.
    known: FxHashSet<Name>,
    last: u64,
    beside_constants: bool,
}

impl Pairing {
    /// What is there for those outside goes into `free`.
    fn expr(&mut self, e: &Expr, free: &mut Free) -> Expr {
        deep(|| match e.kind() {
            ExprKind::Match(x, branches) => {
                Expr::case(*x, branches.iter().map(|b| self.branch(*x, b, free)).collect())
            }
            ExprKind::Lam(_) => e.map(|body| self.expr(body, &mut Free::default())),
            ExprKind::Con(_) if self.beside_constants && is_constant(e) => e.clone(),
            ExprKind::Con(c) => {
                free.add(c.args.len(), 1);
                e.map(|child| self.expr(child, free))
            }
            ExprKind::Var(_)
            | ExprKind::Int(_)
            | ExprKind::App(..)
            | ExprKind::Val(..)
            | ExprKind::Prim(..)
            | ExprKind::Call(..)
            | ExprKind::Dup(..)
            | ExprKind::Drop(..) => e.map(|child| self.expr(child, free)),
        })
    }

    fn branch(&mut self, x: Name, b: &Branch, free: &mut Free) -> Branch {
        let mut inside = Free::default();
        let (arity, body) = (b.pattern.binders.len(), self.expr(&b.body, &mut inside));
        let is_live = body.free().contains(x) && !b.pattern.bound().contains(x);
        let mut out = Branch { pattern: b.pattern.clone(), body };
        if arity > 0 && !is_live && inside.has(arity) {
            let token = self.token();
            let mut take = Take { arity, token, beside_constants: self.beside_constants, taken: 0 };
            if let Some(body) = take.expr(&out.body) {
                self.known.insert(token);
                out = Branch { pattern: Pattern { reuse: Some(token), ..out.pattern }, body };
            }
            inside.0.entry(arity).and_modify(|n| *n = n.saturating_sub(take.taken));
        }
        inside.0.into_iter().for_each(|(arity, n)| free.add(arity, n));
        out
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
}

/// A token on its way to the constructors that are built at it.
struct Take {
    arity: usize,
    token: Name,
    beside_constants: bool,
    /// How many it came to.
    taken: usize,
}

impl Take {
    /// `e` with the first constructor of this arity built at the token, on each path that has one; `None` if none has.
    fn expr(&mut self, e: &Expr) -> Option<Expr> {
        deep(|| match e.kind() {
            ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Lam(_) => None,
            ExprKind::Con(_) if self.beside_constants && is_constant(e) => None,
            ExprKind::Con(c) => match self.first(&c.args) {
                Some(args) => Some(Expr::new(ExprKind::Con(Con { args, ..c.clone() }))),
                None if c.at.is_none() && c.args.len() == self.arity => {
                    self.taken += 1;
                    Some(Expr::new(ExprKind::Con(Con { at: Some(self.token), ..c.clone() })))
                }
                None => None,
            },
            ExprKind::Match(x, branches) => {
                let bodies: Vec<Option<Expr>> = branches.iter().map(|b| self.expr(&b.body)).collect();
                let any = bodies.iter().any(Option::is_some);
                let branch = |(b, body): (&Branch, Option<Expr>)| Branch {
                    pattern: b.pattern.clone(),
                    body: body.unwrap_or_else(|| b.body.clone()),
                };
                any.then(|| Expr::case(*x, branches.iter().zip(bodies).map(branch).collect()))
            }
            ExprKind::App(..)
            | ExprKind::Val(..)
            | ExprKind::Prim(..)
            | ExprKind::Call(..)
            | ExprKind::Dup(..)
            | ExprKind::Drop(..) => {
                let mut any = false;
                let out = e.map(|child| {
                    let found = if any { None } else { self.expr(child) };
                    any |= found.is_some();
                    found.unwrap_or_else(|| child.clone())
                });
                any.then_some(out)
            }
        })
    }

    /// In the first of these that has one.
    fn first(&mut self, args: &[Expr]) -> Option<Vec<Expr>> {
        let (at, found) = args.iter().enumerate().find_map(|(i, e)| Some((i, self.expr(e)?)))?;
        let mut out = args.to_vec();
        if let Some(slot) = out.get_mut(at) {
            *slot = found;
        }
        Some(out)
    }
}

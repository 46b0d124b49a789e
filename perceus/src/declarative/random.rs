//! Any derivable translation: each rule of Fig. 4.5 that applies, by choice.
//!
//! At each expression some \[DUP\]s and \[DROP\]s come first that nobody needs, then those that the expression's own rule
//! needs, then that rule with any split of Γ under which the premises have their free variables.

use crate::choice::Choice;
use crate::deep;
use crate::syntax::{Branch, Con, Def, Expr, ExprKind, Lam, Program};
use crate::vars::{Bag, Vars};
use rewright_base::sym::Name;

/// What makes a derivation.
pub struct Maker<'c, C> {
    choice: &'c mut C,
    /// How many \[DUP\]s and \[DROP\]s may still be added that are not needed.
    pub gratuitous: usize,
}

/// A translation of a program with distinct binders that Fig. 4.5 derives.
pub fn program<C: Choice>(p: &Program, choice: &mut C, gratuitous: usize) -> Program {
    let mut maker = Maker { choice, gratuitous };
    let mut def = |d: &Def| {
        let params = d.params.iter().copied().collect();
        Def { name: d.name, params: d.params.clone(), body: maker.expr(&Vars::empty(), params, &d.body) }
    };
    let defs = p.defs.iter().map(&mut def).collect();
    let main = maker.expr(&Vars::empty(), Bag::new(), &p.main);
    Program { constructors: p.constructors.clone(), defs, main }
}

impl<C: Choice> Maker<'_, C> {
    /// Some e' with Δ | Γ ⊢ e ⇝ e', where fv(e) ⊆ Δ, Γ.
    pub fn expr(&mut self, delta: &Vars, mut gamma: Bag, e: &Expr) -> Expr {
        let mut first = Vec::new();
        while self.gratuitous > 0 && self.choice.one_in(6) {
            self.gratuitous -= 1;
            first.extend(self.gratuitous_op(delta, &mut gamma, e));
        }
        let body = deep(|| self.structural(delta, &mut gamma, e, &mut first));
        first.into_iter().rev().fold(body, |e, op| op.before(e))
    }

    fn gratuitous_op(&mut self, delta: &Vars, gamma: &mut Bag, e: &Expr) -> Option<Op> {
        let dups: Vec<Op> = delta.union(&gamma.support()).iter().map(Op::Dup).collect();
        let needed = |x: Name| e.free().contains(x) && !delta.contains(x) && gamma.count(x) < 2;
        let drops = gamma.support().iter().filter(|x| !needed(*x)).map(Op::Drop).collect::<Vec<_>>();
        let ops = [dups, drops].concat();
        let op = *ops.get(self.choice.below(ops.len()))?;
        op.apply(gamma);
        Some(op)
    }

    /// The rule of e's own form, after what it needs.
    fn structural(&mut self, delta: &Vars, gamma: &mut Bag, e: &Expr, first: &mut Vec<Op>) -> Expr {
        let none = Vars::empty();
        match e.kind() {
            ExprKind::Var(x) => {
                self.own_exactly(&Vars::one(*x), gamma, first);
                e.clone()
            }
            ExprKind::Int(_) => {
                self.own_exactly(&none, gamma, first);
                e.clone()
            }
            ExprKind::Lam(l) => {
                self.own_exactly(e.free(), gamma, first);
                let mut inner = gamma.clone();
                inner.add(l.param);
                let body = self.expr(&none, inner, &l.body);
                let ys = Some(e.free().iter().collect());
                Expr::new(ExprKind::Lam(Lam { ys, param: l.param, body }))
            }
            ExprKind::App(e1, e2) => {
                let mut made =
                    self.operands(delta, gamma, &[e1.clone(), e2.clone()], first, Vec::new()).into_iter();
                match (made.next(), made.next()) {
                    (Some(fun), Some(arg)) => Expr::app(fun, arg),
                    _ => e.clone(),
                }
            }
            ExprKind::Val(x, e1, e2) => {
                let made = self.operands(delta, gamma, &[e1.clone(), e2.clone()], first, vec![*x]);
                let mut made = made.into_iter();
                match (made.next(), made.next()) {
                    (Some(bound), Some(body)) => Expr::val(*x, bound, body),
                    _ => e.clone(),
                }
            }
            ExprKind::Match(x, branches) => self.matching(delta, gamma, *x, branches, first),
            ExprKind::Con(c) => {
                let token = c.at.filter(|t| gamma.take(*t));
                let args = self.operands(delta, gamma, &c.args, first, Vec::new());
                Expr::new(ExprKind::Con(Con { name: c.name, at: token, args }))
            }
            ExprKind::Prim(op, args) => {
                Expr::new(ExprKind::Prim(*op, self.operands(delta, gamma, args, first, Vec::new())))
            }
            ExprKind::Call(f, args) => {
                Expr::new(ExprKind::Call(*f, self.operands(delta, gamma, args, first, Vec::new())))
            }
            ExprKind::Dup(..) | ExprKind::Drop(..) => e.clone(),
        }
    }

    /// Makes Γ exactly this set.
    fn own_exactly(&mut self, wanted: &Vars, gamma: &mut Bag, first: &mut Vec<Op>) {
        for x in wanted.iter().filter(|x| !gamma.contains(*x)).collect::<Vec<_>>() {
            first.push(Op::Dup(x));
            gamma.add(x);
        }
        let surplus: Vec<Name> = gamma.support().iter().collect();
        for x in surplus {
            while gamma.count(x) > usize::from(wanted.contains(x)) {
                first.push(Op::Drop(x));
                let _ = gamma.take(x);
            }
        }
    }

    fn matching(
        &mut self,
        delta: &Vars,
        gamma: &mut Bag,
        x: Name,
        branches: &[Branch],
        first: &mut Vec<Op>,
    ) -> Expr {
        let is_used = |b: &Branch| b.body.free().minus(&b.pattern.bound()).contains(x);
        let wanted = if !delta.contains(x) && branches.iter().any(is_used) { 2 } else { 1 };
        while gamma.count(x) < wanted {
            first.push(Op::Dup(x));
            gamma.add(x);
        }
        let mut rest = gamma.clone();
        let _ = rest.take(x);
        let branch = |b: &Branch| {
            let own = rest.clone().sum(&Bag::from(&b.pattern.bound()));
            Branch { pattern: b.pattern.clone(), body: self.expr(delta, own, &b.body) }
        };
        Expr::case(x, branches.iter().map(branch).collect())
    }

    /// Γ split among operands, of which each borrows what later ones own; the last also owns `extra`.
    fn operands(
        &mut self,
        delta: &Vars,
        gamma: &mut Bag,
        es: &[Expr],
        first: &mut Vec<Op>,
        extra: Vec<Name>,
    ) -> Vec<Expr> {
        if es.is_empty() {
            self.own_exactly(&Vars::empty(), gamma, first);
            return Vec::new();
        }
        let mut shares = vec![Bag::new(); es.len()];
        for x in gamma.support().iter() {
            // One occurrence must not come before the last operand that has x free, unless it is borrowed.
            let last = es.iter().rposition(|e| e.free().contains(x)).filter(|_| !delta.contains(x));
            for n in 0..gamma.count(x) {
                let from = if n == 0 { last.unwrap_or(0) } else { 0 };
                let to = from + self.choice.below(es.len() - from);
                if let Some(share) = shares.get_mut(to) {
                    share.add(x);
                }
            }
        }
        let mut later = delta.clone();
        let mut made = Vec::new();
        for (i, (e, share)) in es.iter().zip(&shares).enumerate().rev() {
            let mut own = share.clone();
            if i + 1 == es.len() {
                extra.iter().for_each(|x| own.add(*x));
            }
            made.push(self.expr(&later, own, e));
            later = later.union(&share.support());
        }
        made.reverse();
        made
    }
}

#[derive(Clone, Copy)]
enum Op {
    Dup(Name),
    Drop(Name),
}

impl Op {
    fn before(self, e: Expr) -> Expr {
        match self {
            Op::Dup(x) => Expr::dup(x, e),
            Op::Drop(x) => Expr::drop(x, e),
        }
    }

    fn apply(self, gamma: &mut Bag) {
        match self {
            Op::Dup(x) => gamma.add(x),
            Op::Drop(x) => drop(gamma.take(x)),
        }
    }
}

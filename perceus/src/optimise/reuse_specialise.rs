//! Reuse specialization. Thesis §4.2.5. Spec: [rule: perceus.reuse-specialization].
//!
//! `C@r(a₁, …, aₙ)`, where r is the memory of a cell that was matched as D(b₁, …, bₙ), does not assign the fields i with aᵢ = bᵢ: they
//! are there; and so is a constructor without fields in an arm for it of a match on bᵢ. Condition: at least one is (else nothing changes). The names say it all: data is immutable and binders are distinct,
//! so that bᵢ is what the field holds as long as nobody builds at r; and whoever builds at r consumes it.

use crate::code::owned::Fields;
use crate::code::{Arm, At, Atom, Block, Bound, Code, Con, End, Fun, Instr, Rhs};
use crate::deep;
use rewright_base::sym::Name;
use std::sync::Arc;

/// The code with kept fields marked.
#[must_use]
pub fn code(c: &Code) -> Code {
    c.map(|f| Fun { body: Keep::default().block(&f.body), ..f.clone() })
}

#[derive(Default)]
struct Keep {
    fields: Fields,
    /// What the memory of each token holds.
    tokens: Vec<(Name, Vec<Option<Name>>)>,
    /// Variables that are a constructor without fields here.
    known: Vec<(Name, Name)>,
}

impl Keep {
    fn block(&mut self, b: &Block) -> Block {
        let outside = self.tokens.len();
        let out = deep(|| {
            let mut instrs = Vec::new();
            for i in &b.instrs {
                instrs.push(self.instr(i));
            }
            Block { instrs, end: self.end(&b.end) }
        });
        self.tokens.truncate(outside);
        out
    }

    fn instr(&mut self, i: &Instr) -> Instr {
        match i {
            Instr::Val(x, Bound::Rhs(r)) => Instr::Val(*x, Bound::Rhs(self.rhs(r))),
            Instr::Val(x, Bound::Block(b)) => Instr::Val(*x, Bound::Block(Box::new(self.block(b)))),
            Instr::Token { token, of, .. } => {
                if let Some((_, fields)) = self.fields.iter().rev().find(|(y, _)| y == of) {
                    self.tokens.push((*token, fields.clone()));
                }
                i.clone()
            }
            Instr::Op(_) | Instr::Unique(..) => i.clone(),
        }
    }

    fn end(&mut self, end: &End) -> End {
        match end {
            End::Done(r) => End::Done(self.rhs(r)),
            End::Match(x, arms) => {
                let arm = |a: &Arm| {
                    self.fields.push((*x, a.binders.clone()));
                    let known = a.binders.is_empty().then_some((*x, a.con));
                    self.known.extend(known);
                    let body = self.block(&a.body);
                    self.known.truncate(self.known.len() - usize::from(known.is_some()));
                    self.fields.pop();
                    a.with(body)
                };
                End::Match(*x, arms.iter().map(arm).collect())
            }
        }
    }

    fn rhs(&mut self, r: &Rhs) -> Rhs {
        match r {
            Rhs::Con(c) => Rhs::Con(self.construct(c)),
            Rhs::Lam(l) => {
                let body = Keep::default().block(&l.body);
                Rhs::Lam(Arc::new(l.with(body)))
            }
            Rhs::Atom(_) | Rhs::App(..) | Rhs::Prim(..) | Rhs::Call(..) => r.clone(),
        }
    }

    fn construct(&self, c: &Con) -> Con {
        let Some(At { token, .. }) = &c.at else { return c.clone() };
        let Some((_, fields)) = self.tokens.iter().rev().find(|(t, _)| t == token) else { return c.clone() };
        let same = |(a, b): (&Atom, &Option<Name>)| match (a, b) {
            (Atom::Var(a), Some(b)) => a == b,
            (Atom::Con(c), Some(b)) => self.known.contains(&(*b, *c)),
            (Atom::Int(_) | Atom::Static(_), _) | (_, None) => false,
        };
        let kept: Vec<bool> = c.args.iter().zip(fields).map(same).collect();
        let kept = if kept.contains(&true) { kept } else { Vec::new() };
        Con { at: Some(At { token: *token, kept }), ..c.clone() }
    }
}

//! Reuse at a `drop` that is not the one of its match. Thesis §4.2.4. Spec: [rule: perceus.reuse-drops].
//!
//! The paper's analysis sees a nested pattern whole; λ¹ matches a level at a time, and where a cell is still needed on one path of
//! the arm, [`crate::reuse`] pairs nothing on the others (errata P-11). Here a `drop(x)` inside of an arm C(b₁, …, bₙ) of match(x), n ≥ 1,
//! becomes `val r = drop-reuse(x)` when a constructor of n fields without a token comes behind it in the block: the first on
//! each path, not under a closure. A path that has none begins with `drop-token(r)`.

use super::lower::fresh;
use crate::code::owned::Fields;
use crate::code::{Arm, At, Block, Bound, Code, Con, End, Fun, Instr, Lam, Op, Rhs, scope};
use crate::deep;
use rewright_base::sym::Name;
use std::sync::Arc;

/// The code with these pairs.
#[must_use]
pub fn code(c: &Code) -> Code {
    c.map(|f| {
        let mut taken = scope::names(&f.body);
        taken.extend(&f.params);
        let body = Pairing { taken: &mut taken, fields: Fields::new() }.block(&f.body);
        Fun { body, ..f.clone() }
    })
}

struct Pairing<'t> {
    taken: &'t mut scope::Names,
    fields: Fields,
}

impl Pairing<'_> {
    /// Inner blocks choose first.
    fn block(&mut self, b: &Block) -> Block {
        deep(|| {
            let instrs = b.instrs.iter().map(|i| match i {
                Instr::Val(x, Bound::Rhs(r)) => Instr::Val(*x, Bound::Rhs(self.rhs(r))),
                Instr::Val(x, Bound::Block(b)) => Instr::Val(*x, Bound::Block(Box::new(self.block(b)))),
                Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => i.clone(),
            });
            let instrs = instrs.collect();
            let mut out = Block { instrs, end: self.end(&b.end) };
            for at in 0..out.instrs.len() {
                if let Some(Instr::Op(Op::Drop(x))) = out.instrs.get(at) {
                    self.pair(*x, at, &mut out);
                }
            }
            out
        })
    }

    fn end(&mut self, end: &End) -> End {
        match end {
            End::Done(r) => End::Done(self.rhs(r)),
            End::Match(x, arms) => {
                let arm = |a: &Arm| {
                    self.fields.push((*x, a.binders.clone()));
                    let body = self.block(&a.body);
                    self.fields.pop();
                    Arm { body, ..a.clone() }
                };
                End::Match(*x, arms.iter().map(arm).collect())
            }
        }
    }

    fn rhs(&mut self, r: &Rhs) -> Rhs {
        match r {
            Rhs::Lam(l) => {
                let body = Pairing { taken: self.taken, fields: Fields::new() }.block(&l.body);
                Rhs::Lam(Arc::new(Lam { body, ..l.as_ref().clone() }))
            }
            Rhs::Atom(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..) | Rhs::Call(..) => r.clone(),
        }
    }

    fn pair(&mut self, x: Name, at: usize, b: &mut Block) {
        let known = self.fields.iter().rev().find(|(y, _)| *y == x).map_or(0, |(_, fields)| fields.len());
        if known == 0 {
            return;
        }
        let token = fresh(self.taken, "ru");
        if let Some(rest) = take(b, at + 1, known, token) {
            *b = rest;
            if let Some(i) = b.instrs.get_mut(at) {
                *i = Instr::Token { token, of: x, fork: None };
            }
        } else {
            self.taken.remove(&token);
        }
    }
}

/// The block with the first constructor from `at` on built at the token, on each path that has one; the others begin with
/// `drop-token`. `None` if no path has one.
fn take(b: &Block, at: usize, arity: usize, token: Name) -> Option<Block> {
    for (i, instr) in b.instrs.iter().enumerate().skip(at) {
        let taken = match instr {
            Instr::Val(x, Bound::Rhs(r)) => take_rhs(r, arity, token).map(|r| Instr::Val(*x, Bound::Rhs(r))),
            Instr::Val(x, Bound::Block(inner)) => {
                deep(|| take(inner, 0, arity, token)).map(|b| Instr::Val(*x, Bound::Block(Box::new(b))))
            }
            Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => None,
        };
        if let Some(instr) = taken {
            let mut out = b.clone();
            out.instrs.splice(i..=i, [instr]);
            return Some(out);
        }
    }
    let end = match &b.end {
        End::Done(r) => take_rhs(r, arity, token).map(End::Done),
        End::Match(x, arms) => {
            let taken: Vec<Option<Block>> =
                arms.iter().map(|a| deep(|| take(&a.body, 0, arity, token))).collect();
            let arm = |(a, taken): (&Arm, Option<Block>)| {
                let body = taken.unwrap_or_else(|| {
                    let mut body = a.body.clone();
                    body.instrs.insert(0, Instr::Op(Op::DropToken(token)));
                    body
                });
                Arm { body, ..a.clone() }
            };
            taken
                .iter()
                .any(Option::is_some)
                .then(|| End::Match(*x, arms.iter().zip(taken).map(arm).collect()))
        }
    };
    end.map(|end| Block { instrs: b.instrs.clone(), end })
}

fn take_rhs(r: &Rhs, arity: usize, token: Name) -> Option<Rhs> {
    match r {
        Rhs::Con(c) if c.at.is_none() && c.args.len() == arity => {
            Some(Rhs::Con(Con { at: Some(At { token, kept: Vec::new() }), ..c.clone() }))
        }
        Rhs::Atom(_) | Rhs::Lam(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..) | Rhs::Call(..) => None,
    }
}

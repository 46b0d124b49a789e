//! Reuse at a `drop` that is not the one of its match. Thesis §4.2.4. Spec: [rule: perceus.reuse-drops].
//!
//! The paper's analysis sees a nested pattern whole; λ¹ matches a level at a time, and where a cell is still needed on one path of
//! the arm, [`crate::reuse`] pairs nothing on the others (errata P-11). Here a `drop(x)` inside of an arm C(b₁, …, bₙ) of match(x), n ≥ 1,
//! becomes `val r = drop-reuse(x)` when a constructor of n fields without a token comes behind it in the block: the first on
//! each path, not under a closure. A path that has none begins with `drop-token(r)`.

use super::lower::fresh;
use crate::code::owned::Fields;
use crate::code::walk::Walk;
use crate::code::{At, Block, Bound, Code, End, Fun, Instr, Lam, Op, Rhs, scope};
use crate::deep;
use rewright_base::sym::Name;

/// The code with these pairs.
#[must_use]
pub fn code(c: &Code) -> Code {
    c.map(|f| {
        let mut taken = scope::names(&f.body);
        taken.extend(&f.params);
        let body = Pairing { taken: &mut taken, fields: Fields::new() }.block(f.body.clone());
        Fun { body, ..f.clone() }
    })
}

struct Pairing<'t> {
    taken: &'t mut scope::Names,
    fields: Fields,
}

impl Walk for Pairing<'_> {
    fn fields(&mut self) -> &mut Fields {
        &mut self.fields
    }

    /// The memory of a closure has another use.
    fn captured(&self, _: &Lam) -> Fields {
        Fields::new()
    }

    /// Inner blocks choose first.
    fn block(&mut self, b: Block) -> Block {
        deep(|| {
            let instrs = b.instrs.into_iter().map(|i| self.instr(i)).collect();
            let mut out = Block { instrs, end: self.end(b.end) };
            for at in 0..out.instrs.len() {
                if let Some(Instr::Op(Op::Drop(x))) = out.instrs.get(at) {
                    self.pair(*x, at, &mut out);
                }
            }
            out
        })
    }
}

impl Pairing<'_> {
    fn pair(&mut self, x: Name, at: usize, b: &mut Block) {
        let known = self.fields.iter().rev().find(|(y, _)| *y == x).map_or(0, |(_, fields)| fields.len());
        if known == 0 {
            return;
        }
        let token = fresh(self.taken, "ru");
        if !take(b, at + 1, known, token) {
            self.taken.remove(&token);
        } else if let Some(i) = b.instrs.get_mut(at) {
            *i = Instr::Token { token, of: x, fork: None };
        }
    }
}

/// Builds the first constructor from `at` on at the token, on each path that has one; the others begin with `drop-token`. Whether a path
/// has one: nothing changes if none has.
fn take(b: &mut Block, at: usize, arity: usize, token: Name) -> bool {
    let taken = b.instrs.iter_mut().skip(at).any(|i| match i {
        Instr::Val(_, Bound::Rhs(r)) => take_rhs(r, arity, token),
        Instr::Val(_, Bound::Block(inner)) => deep(|| take(inner, 0, arity, token)),
        Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => false,
    });
    if taken {
        return true;
    }
    match &mut b.end {
        End::Done(r) => take_rhs(r, arity, token),
        End::Match(_, arms) => {
            let taken: Vec<bool> =
                arms.iter_mut().map(|a| deep(|| take(&mut a.body, 0, arity, token))).collect();
            if !taken.contains(&true) {
                return false;
            }
            for (a, _) in arms.iter_mut().zip(taken).filter(|(_, taken)| !taken) {
                a.body.instrs.insert(0, Instr::Op(Op::DropToken(token)));
            }
            true
        }
    }
}

fn take_rhs(r: &mut Rhs, arity: usize, token: Name) -> bool {
    match r {
        Rhs::Con(c) if c.at.is_none() && c.args.len() == arity => {
            c.at = Some(At { token, kept: Vec::new() });
            true
        }
        Rhs::Atom(_) | Rhs::Lam(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..) | Rhs::Call(..) => false,
    }
}

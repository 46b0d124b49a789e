//! Reuse at a `drop` that is not the one of its match. Thesis §4.2.4. Spec: [rule: perceus.reuse-drops].
//!
//! The paper's analysis sees a nested pattern whole; λ¹ matches a level at a time, and where a cell is still needed on one path of
//! the arm, [`crate::reuse`] pairs nothing on the others [P-11]. Here a `drop(x)` inside of an arm C(b₁, …, bₙ) of match(x), n ≥ 1,
//! becomes `val r = drop-reuse(x)` when a constructor of n fields without a token comes behind it in the block: the first on
//! each path, not under a closure. A path that has none begins with `drop-token(r)`.

use super::lower::fresh;
use crate::code::owned::Fields;
use crate::code::walk::Walk;
use crate::code::{At, Block, Bound, Code, End, Fun, Instr, Lam, Op, Rhs, scope};
use crate::deep;
use rewright_base::sym::Name;
use std::collections::BTreeMap;

/// The code with these pairs.
#[must_use]
pub fn code(c: &Code) -> Code {
    c.map(|f| {
        let mut taken = scope::taken(f);
        let mut pass = Pairing { taken: &mut taken, fields: Fields::new(), free: Arities::new() };
        let body = pass.block(f.body.clone());
        Fun { body, ..f.clone() }
    })
}

/// A number for arities.
type Arities = BTreeMap<usize, usize>;
/// For an arity, how many constructors there are in each instruction of a block, the end the last.
type Places = BTreeMap<usize, BTreeMap<usize, usize>>;

struct Pairing<'t> {
    taken: &'t mut scope::Names,
    fields: Fields,
    /// How many constructors without a token were seen.
    free: Arities,
}

impl Walk for Pairing<'_> {
    fn fields(&mut self) -> &mut Fields {
        &mut self.fields
    }

    /// The memory of a closure has another use.
    fn captured(&self, _: &Lam) -> Fields {
        Fields::new()
    }

    fn rhs(&mut self, r: Rhs) -> Rhs {
        match r {
            Rhs::Lam(l) => {
                let outside = std::mem::take(&mut self.free);
                let closure = self.lambda(l);
                self.free = outside;
                closure
            }
            Rhs::Con(c) => {
                *self.free.entry(c.args.len()).or_insert(0) += usize::from(c.at.is_none());
                Rhs::Con(c)
            }
            Rhs::Atom(_) | Rhs::App(..) | Rhs::Prim(..) | Rhs::Call(..) => r,
        }
    }

    /// Inner blocks choose first.
    fn block(&mut self, b: Block) -> Block {
        deep(|| {
            let outside = std::mem::take(&mut self.free);
            let mut places = Places::new();
            let mut instrs = Vec::new();
            for i in b.instrs {
                instrs.push(self.instr(i));
                self.found_at(instrs.len() - 1, &mut places);
            }
            let mut out = Block { instrs, end: self.end(b.end) };
            self.found_at(out.instrs.len(), &mut places);
            for at in 0..out.instrs.len() {
                if let Some(Instr::Op(Op::Drop(x))) = out.instrs.get(at) {
                    self.pair(*x, at, &mut places, &mut out);
                }
            }
            self.free = outside;
            for (arity, places) in places {
                *self.free.entry(arity).or_insert(0) += places.into_values().sum::<usize>();
            }
            out
        })
    }
}

impl Pairing<'_> {
    /// What was found in the instruction at this place, or in the end.
    fn found_at(&mut self, at: usize, places: &mut Places) {
        for (arity, n) in std::mem::take(&mut self.free) {
            places.entry(arity).or_default().insert(at, n);
        }
    }

    fn pair(&mut self, x: Name, at: usize, places: &mut Places, b: &mut Block) {
        let known = self.fields.iter().rev().find(|(y, _)| *y == x).map_or(0, |(_, fields)| fields.len());
        let Some(places) = places.get_mut(&known).filter(|_| known > 0) else { return };
        let Some((place, n)) = places.range_mut(at + 1..).find(|(_, n)| **n > 0) else { return };
        let token = fresh(self.taken, "ru");
        let taken = match b.instrs.get_mut(*place) {
            Some(i) => take_instr(i, known, token),
            None => take_end(&mut b.end, known, token),
        };
        *n = n.saturating_sub(taken);
        if taken == 0 {
            self.taken.remove(&token);
        } else if let Some(i) = b.instrs.get_mut(at) {
            *i = Instr::Token { token, of: x, fork: None };
        }
    }
}

/// Builds the first constructor of this arity at the token, on each path that has one; the others begin with `drop-token`. How many it came
/// to: nothing changes if there are none.
fn take(b: &mut Block, arity: usize, token: Name) -> usize {
    let taken = b.instrs.iter_mut().map(|i| take_instr(i, arity, token)).find(|n| *n > 0);
    taken.unwrap_or_else(|| take_end(&mut b.end, arity, token))
}

fn take_instr(i: &mut Instr, arity: usize, token: Name) -> usize {
    match i {
        Instr::Val(_, Bound::Rhs(r)) => take_rhs(r, arity, token),
        Instr::Val(_, Bound::Block(inner)) => deep(|| take(inner, arity, token)),
        Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => 0,
    }
}

fn take_end(end: &mut End, arity: usize, token: Name) -> usize {
    match end {
        End::Done(r) => take_rhs(r, arity, token),
        End::Match(_, arms) => {
            let taken: Vec<usize> =
                arms.iter_mut().map(|a| deep(|| take(&mut a.body, arity, token))).collect();
            let all = taken.iter().sum();
            for (a, _) in arms.iter_mut().zip(taken).filter(|(_, n)| *n == 0 && all > 0) {
                a.body.instrs.insert(0, Instr::Op(Op::DropToken(token)));
            }
            all
        }
    }
}

fn take_rhs(r: &mut Rhs, arity: usize, token: Name) -> usize {
    match r {
        Rhs::Con(c) if c.at.is_none() && c.args.len() == arity => {
            c.at = Some(At { token, kept: Vec::new() });
            1
        }
        Rhs::Atom(_) | Rhs::Lam(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..) | Rhs::Call(..) => 0,
    }
}

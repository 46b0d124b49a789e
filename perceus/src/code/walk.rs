//! Walks that change code and know, wherever they are, what the fields of cells are called.

use super::owned::Fields;
use super::{Arm, Block, Bound, End, Instr, Lam, Rhs};
use std::sync::Arc;

/// A pass over blocks, from the outside in; blocks are taken and given back, so that nothing is copied on the way.
pub trait Walk {
    /// What the fields of cells are called here, the innermost last.
    fn fields(&mut self) -> &mut Fields;

    /// What becomes of a block.
    fn block(&mut self, b: Block) -> Block;

    /// What is known in the body of a closure.
    fn captured(&self, l: &Lam) -> Fields {
        vec![(l.this, l.ys.iter().map(|y| Some(*y)).collect())]
    }

    /// The blocks and closures in an instruction.
    fn instr(&mut self, i: Instr) -> Instr {
        match i {
            Instr::Val(x, Bound::Rhs(r)) => Instr::Val(x, Bound::Rhs(self.rhs(r))),
            Instr::Val(x, Bound::Block(b)) => Instr::Val(x, Bound::Block(Box::new(self.block(*b)))),
            Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => i,
        }
    }

    /// The arms of a match, each with the names of its fields, or a closure.
    fn end(&mut self, end: End) -> End {
        match end {
            End::Done(r) => End::Done(self.rhs(r)),
            End::Match(x, arms) => {
                let mut walked = Vec::new();
                for Arm { con, binders, body } in arms {
                    self.fields().push((x, binders.clone()));
                    let body = self.block(body);
                    self.fields().pop();
                    walked.push(Arm { con, binders, body });
                }
                End::Match(x, walked)
            }
        }
    }

    /// The body of a closure: what is known outside is not known there.
    fn lambda(&mut self, l: Arc<Lam>) -> Rhs {
        let inside = self.captured(&l);
        let outside = std::mem::replace(self.fields(), inside);
        let body = self.block(l.body.clone());
        *self.fields() = outside;
        Rhs::Lam(Arc::new(l.with(body)))
    }

    /// The body of a closure, where it is one.
    fn rhs(&mut self, r: Rhs) -> Rhs {
        match r {
            Rhs::Lam(l) => self.lambda(l),
            Rhs::Atom(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..) | Rhs::Call(..) => r,
        }
    }
}

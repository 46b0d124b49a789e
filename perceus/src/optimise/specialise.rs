//! Drop specialization and drop-reuse specialization. Thesis §4.2.3, §4.2.4, Fig. 4.1 (c), (f).
//! Spec: [rule: perceus.drop-specialization] [rule: perceus.drop-reuse-specialization].
//!
//! ```text
//! drop(x)                  ⇝  if is-unique(x) then { drop(b₁); …; drop(bₙ); free(x) } else { decref(x) }
//! val r = drop-reuse(x)    ⇝  val r = if is-unique(x) then { drop(b₁); …; drop(bₙ); &x } else { decref(x); NULL }
//! ```
//!
//! Condition: inside of an arm `C(b₁, …, bₙ)` of match(x), or of a closure x that captured the bᵢ; and a `dup` of one of the bᵢ is
//! among the operations right before (§4.2.3: "only if the children are used"). A field without a name gets one, since its
//! reference must go somewhere.

use super::lower::fresh;
use crate::code::owned::Fields;
use crate::code::{Above, Arm, Block, Bound, Code, End, Fork, Fun, Instr, Lam, Op, Rhs, scope};
use crate::deep;
use rewright_base::sym::Name;
use std::sync::Arc;

/// Which operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// `drop`
    Drop,
    /// `drop-reuse`
    DropReuse,
}

/// The code with these operations specialized.
#[must_use]
pub fn code(c: &Code, what: What) -> Code {
    c.map(|f| {
        let named = name_fields(f);
        let body = Specialize { what, fields: Fields::new() }.block(&named);
        let used = scope::names_used(&body);
        let body = body.map(Above::Nothing, &mut |_, b| unname(b, &used));
        Fun { body, ..f.clone() }
    })
}

/// Each field of each arm has a name.
fn name_fields(f: &Fun) -> Block {
    let mut taken = scope::names(&f.body);
    taken.extend(&f.params);
    f.body.map(Above::Nothing, &mut |_, b| {
        arms(b, &mut |a| {
            let binders = a.binders.iter().map(|b| Some(b.unwrap_or_else(|| fresh(&mut taken, "_f"))));
            Arm { binders: binders.collect(), ..a }
        })
    })
}

/// Names of fields that begin with `_` and that nothing uses go again.
fn unname(b: Block, used: &scope::Names) -> Block {
    let keep = |b: &Name| used.contains(b) || !b.as_str().starts_with('_');
    arms(b, &mut |a| Arm { binders: a.binders.iter().map(|b| b.filter(keep)).collect(), ..a })
}

fn arms(b: Block, f: &mut dyn FnMut(Arm) -> Arm) -> Block {
    match b.end {
        End::Match(x, all) => Block { end: End::Match(x, all.into_iter().map(f).collect()), ..b },
        End::Done(_) => b,
    }
}

struct Specialize {
    what: What,
    /// What is known of cells here.
    fields: Fields,
}

impl Specialize {
    fn block(&mut self, b: &Block) -> Block {
        deep(|| {
            let mut instrs = Vec::new();
            for (i, instr) in b.instrs.iter().enumerate() {
                let before = b.instrs.get(..i).unwrap_or_default();
                instrs.push(self.instr(instr, before));
            }
            Block { instrs, end: self.end(&b.end) }
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
                let known = vec![(l.this, l.ys.iter().map(|y| Some(*y)).collect())];
                let body = Specialize { what: self.what, fields: known }.block(&l.body);
                Rhs::Lam(Arc::new(Lam { body, ..l.as_ref().clone() }))
            }
            Rhs::Atom(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..) | Rhs::Call(..) => r.clone(),
        }
    }

    fn instr(&mut self, i: &Instr, before: &[Instr]) -> Instr {
        match (i, self.what) {
            (Instr::Op(Op::Drop(x)), What::Drop) => match self.children(*x, before) {
                Some(children) => Instr::Unique(*x, fork(*x, &children, Some(Op::Free(*x)))),
                None => i.clone(),
            },
            (Instr::Token { token, of, fork: None }, What::DropReuse) => match self.children(*of, before) {
                Some(children) => {
                    Instr::Token { token: *token, of: *of, fork: Some(fork(*of, &children, None)) }
                }
                None => i.clone(),
            },
            (Instr::Val(x, Bound::Rhs(r)), _) => Instr::Val(*x, Bound::Rhs(self.rhs(r))),
            (Instr::Val(x, Bound::Block(b)), _) => Instr::Val(*x, Bound::Block(Box::new(self.block(b)))),
            (Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. }, _) => i.clone(),
        }
    }

    /// The fields of x, where they are known and one was duplicated right before.
    fn children(&self, x: Name, before: &[Instr]) -> Option<Vec<Name>> {
        let (_, binders) = self.fields.iter().rev().find(|(y, _)| *y == x)?;
        let children: Vec<Name> = binders.iter().copied().collect::<Option<_>>()?;
        let run = before.iter().rev().map_while(|i| match i {
            Instr::Op(o) => Some(*o),
            Instr::Val(..) | Instr::Unique(..) | Instr::Token { .. } => None,
        });
        let is_used = run.into_iter().any(|o| match o {
            Op::Dup(y) => children.contains(&y),
            Op::Drop(_) | Op::DecRef(_) | Op::Free(_) | Op::DropToken(_) => false,
        });
        is_used.then_some(children)
    }
}

fn fork(x: Name, children: &[Name], last: Option<Op>) -> Fork {
    let then = children.iter().map(|b| Op::Drop(*b)).chain(last).collect();
    Fork { then, otherwise: vec![Op::DecRef(x)] }
}

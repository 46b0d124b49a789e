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
use crate::code::walk::Walk;
use crate::code::{Above, Arm, Block, Code, End, Fork, Fun, Instr, Op, scope};
use crate::deep;
use rewright_base::sym::Name;

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
        let body = Specialize { what, fields: Fields::new() }.block(named);
        let used = scope::names_used(&body);
        let body = body.map(Above::Nothing, &mut |_, b| unname(b, &used));
        Fun { body, ..f.clone() }
    })
}

/// Each field of each arm has a name.
fn name_fields(f: &Fun) -> Block {
    let mut taken = scope::taken(f);
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

impl Walk for Specialize {
    fn fields(&mut self) -> &mut Fields {
        &mut self.fields
    }

    fn block(&mut self, b: Block) -> Block {
        deep(|| {
            let changed: Vec<Option<Instr>> =
                (0..b.instrs.len()).map(|at| self.changed(&b.instrs, at)).collect();
            let both = b.instrs.into_iter().zip(changed);
            let instrs = both.map(|(i, changed)| changed.unwrap_or_else(|| self.instr(i)));
            let instrs = instrs.collect();
            Block { instrs, end: self.end(b.end) }
        })
    }
}

impl Specialize {
    /// What becomes of the instruction at this place, if it is specialized.
    fn changed(&self, instrs: &[Instr], at: usize) -> Option<Instr> {
        let before = instrs.get(..at).unwrap_or_default();
        match (instrs.get(at)?, self.what) {
            (Instr::Op(Op::Drop(x)), What::Drop) => {
                let children = self.children(*x, before)?;
                Some(Instr::Unique(*x, fork(*x, &children, Some(Op::Free(*x)))))
            }
            (Instr::Token { token, of, fork: None }, What::DropReuse) => {
                let children = self.children(*of, before)?;
                Some(Instr::Token { token: *token, of: *of, fork: Some(fork(*of, &children, None)) })
            }
            (Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } | Instr::Val(..), _) => None,
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

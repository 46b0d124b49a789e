//! Pushing `dup`s down, and `dup`/`drop` fusion. Thesis §4.2.3, Fig. 4.1 (d), (g). Spec: [rule: perceus.fusion].
//!
//! ```text
//! dup(b); if is-unique(x) then { o… } else { o… }   ⇝  if is-unique(x) then { dup(b); o… } else { dup(b); o… }
//! dup(y); match(x) { p -> i… }                      ⇝  match(x) { p -> dup(y); i… }
//! dup(y); val z = { i… }                            ⇝  val z = { dup(y); i… }
//! dup(y); o; …; drop(y)                             ⇝  o; …
//! val r = drop-reuse(x); o; …; drop(x)              ⇝  drop(x); val r = drop-reuse(x); o; …
//! ```
//!
//! Conditions: b is a field of x (a `dup` of x itself, or of another name for it, would change the answer; a field is another cell,
//! since data has no cycles); a `dup` goes into arms and blocks that have its `drop`; fusion stays inside of a run of count
//! operations: anything else might look at y, or at its count, while the reference is missing. The last needs no condition: two
//! references are consumed, so that `drop(x)` frees nothing, and before the test it can only make the answer yes.

use crate::code::owned::Fields;
use crate::code::walk::Walk;
use crate::code::{Atom, Block, Bound, Code, End, Fork, Fun, Instr, Op, Rhs};
use crate::deep;
use rewright_base::sym::Name;

/// The code with its `dup`s pushed down and fused.
#[must_use]
pub fn code(c: &Code) -> Code {
    c.map(|f| Fun { body: Fuse { fields: Fields::new() }.block(f.body.clone()), ..f.clone() })
}

struct Fuse {
    /// What the fields of cells are called here.
    fields: Fields,
}

impl Walk for Fuse {
    fn fields(&mut self) -> &mut Fields {
        &mut self.fields
    }

    fn block(&mut self, mut b: Block) -> Block {
        deep(|| {
            drop_before_tests(&mut b.instrs);
            push_into_blocks(&mut b.instrs);
            self.push_into_forks(&mut b.instrs);
            b.instrs = fused(b.instrs);
            push_into_arms(&mut b);
            let instrs = b.instrs.into_iter().map(|i| match i {
                Instr::Unique(x, fork) => Instr::Unique(x, fuse_fork(fork)),
                Instr::Token { token, of, fork } => Instr::Token { token, of, fork: fork.map(fuse_fork) },
                Instr::Val(..) | Instr::Op(_) => self.instr(i),
            });
            let instrs = instrs.collect();
            Block { instrs, end: self.end(b.end) }
        })
    }
}

impl Fuse {
    /// Moves `dup`s of fields behind the `is-unique` that follows.
    fn push_into_forks(&self, instrs: &mut Vec<Instr>) {
        let mut at = 0;
        while at < instrs.len() {
            let dups =
                instrs.get(..at).map_or(0, |before| before.iter().rev().take_while(|i| is_dup(i)).count());
            let mut moved = Vec::new();
            if let Some(x) = instrs.get(at).and_then(tested) {
                let is_field = |y: Name| self.field(x, y);
                let run: Vec<Instr> = instrs.drain(at - dups..at).collect();
                at -= dups;
                for i in run {
                    if let Instr::Op(Op::Dup(y)) = i
                        && is_field(y)
                    {
                        moved.push(Op::Dup(y));
                    } else {
                        instrs.insert(at, i);
                        at += 1;
                    }
                }
            }
            if let Some(Instr::Unique(_, fork) | Instr::Token { fork: Some(fork), .. }) = instrs.get_mut(at) {
                fork.then.splice(0..0, moved.iter().copied());
                fork.otherwise.splice(0..0, moved);
            }
            at += 1;
        }
    }

    fn field(&self, x: Name, y: Name) -> bool {
        self.fields.iter().rev().find(|(z, _)| *z == x).is_some_and(|(_, fields)| fields.contains(&Some(y)))
    }
}

fn is_dup(i: &Instr) -> bool {
    matches!(i, Instr::Op(Op::Dup(_)))
}

/// Moves a `drop` of what was tested right before before the test.
fn drop_before_tests(instrs: &mut Vec<Instr>) {
    for at in 0..instrs.len() {
        let of = match instrs.get(at) {
            Some(Instr::Token { of, .. } | Instr::Unique(of, _)) => *of,
            Some(Instr::Op(_) | Instr::Val(..)) | None => continue,
        };
        let mut run = instrs.iter().skip(at + 1).take_while(|i| matches!(i, Instr::Op(_)));
        if let Some(behind) = run.position(|i| *i == Instr::Op(Op::Drop(of))) {
            let drop = instrs.remove(at + 1 + behind);
            instrs.insert(at, drop);
        }
    }
}

/// The cell that an `is-unique` is about.
fn tested(i: &Instr) -> Option<Name> {
    match i {
        Instr::Unique(x, _) | Instr::Token { of: x, fork: Some(_), .. } => Some(*x),
        Instr::Token { fork: None, .. } | Instr::Op(_) | Instr::Val(..) => None,
    }
}

fn fuse_fork(fork: Fork) -> Fork {
    Fork { then: fuse_run(fork.then), otherwise: fuse_run(fork.otherwise) }
}

/// Each run of operations, fused.
fn fused(instrs: Vec<Instr>) -> Vec<Instr> {
    let mut out = Vec::new();
    let mut run = Vec::new();
    for i in instrs {
        if let Instr::Op(o) = i {
            run.push(o);
        } else {
            out.extend(fuse_run(std::mem::take(&mut run)).into_iter().map(Instr::Op));
            out.push(i);
        }
    }
    out.extend(fuse_run(run).into_iter().map(Instr::Op));
    out
}

/// Cancels each `dup` with the next `drop` of the same variable.
fn fuse_run(mut run: Vec<Op>) -> Vec<Op> {
    let mut at = 0;
    while let Some(o) = run.get(at).copied() {
        let drop = match o {
            Op::Dup(x) => run.iter().skip(at + 1).position(|o| *o == Op::Drop(x)),
            Op::Drop(_) | Op::DecRef(_) | Op::Free(_) | Op::DropToken(_) => None,
        };
        match drop {
            Some(behind) => {
                run.remove(at + 1 + behind);
                run.remove(at);
            }
            None => at += 1,
        }
    }
    run
}

/// Moves `dup`s into the block of a `val` that follows, where that has the `drop`.
fn push_into_blocks(instrs: &mut Vec<Instr>) {
    let mut at = 0;
    while at < instrs.len() {
        let is_drop_in = |i: &Instr, b: &Block| match i {
            Instr::Op(Op::Dup(y)) => drops(b, *y),
            Instr::Op(_) | Instr::Val(..) | Instr::Unique(..) | Instr::Token { .. } => false,
        };
        let dups = instrs.iter().take(at).rev().take_while(|i| is_dup(i)).count();
        let mut is_inside = Vec::new();
        if let Some(Instr::Val(_, Bound::Block(b))) = instrs.get(at) {
            is_inside.extend(instrs.iter().take(at).skip(at - dups).map(|i| is_drop_in(i, b)));
        }
        if !is_inside.is_empty() {
            let run: Vec<Instr> = instrs.drain(at - dups..at).collect();
            let (mut inside, mut outside) = (Vec::new(), Vec::new());
            for (i, is_inside) in run.into_iter().zip(is_inside) {
                if is_inside { inside.push(i) } else { outside.push(i) }
            }
            at = at - dups + outside.len();
            instrs.splice(at - outside.len()..at - outside.len(), outside);
            if let Some(Instr::Val(_, Bound::Block(b))) = instrs.get_mut(at) {
                b.instrs.splice(0..0, inside);
            }
        }
        at += 1;
    }
}

/// Moves `dup`s at the end of the instructions into the arms, where one of them has the `drop`.
fn push_into_arms(b: &mut Block) {
    let End::Match(_, arms) = &mut b.end else { return };
    let (mut at, mut consumed) = (b.instrs.len(), Vec::new());
    while at > 0 {
        at -= 1;
        match b.instrs.get(at) {
            Some(Instr::Op(Op::Dup(x))) => {
                let x = *x;
                if !consumed.contains(&Atom::Var(x)) && arms.iter().any(|a| drops(&a.body, x)) {
                    b.instrs.remove(at);
                    arms.iter_mut().for_each(|a| a.body.instrs.insert(0, Instr::Op(Op::Dup(x))));
                }
            }
            // An operation on integers releases nothing; one on references may release what x is.
            Some(Instr::Val(_, Bound::Rhs(Rhs::Prim(op, args)))) if !op.is_about_references() => {
                consumed.extend(args);
            }
            Some(Instr::Op(_) | Instr::Val(..) | Instr::Unique(..) | Instr::Token { .. }) | None => return,
        }
    }
}

/// Whether a `drop` of x is in reach of a `dup` at the start of this block.
fn drops(b: &Block, x: Name) -> bool {
    let is_op = |i: &&Instr| matches!(i, Instr::Op(_));
    let run = b.instrs.iter().take_while(is_op).count();
    if b.instrs.iter().take(run).any(|i| *i == Instr::Op(Op::Drop(x))) {
        return true;
    }
    let rest_is_dups = b.instrs.iter().all(is_dup);
    match &b.end {
        End::Match(_, arms) if rest_is_dups => deep(|| arms.iter().any(|a| drops(&a.body, x))),
        End::Match(..) | End::Done(_) => false,
    }
}

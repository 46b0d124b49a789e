//! Which variables the rest of a block needs when count operations are left out: fv(⌊b⌋).

use super::{Block, Bound, End, Fun, Instr, Rhs};
use crate::deep;
use rewright_base::sym::Name;
use rustc_hash::FxHashSet;

/// A set of names.
pub type Names = FxHashSet<Name>;

/// The variables that the instructions from `at` on, and the end, have free, count operations left out.
pub fn used(block: &Block, at: usize) -> Names {
    let mut names = deep(|| of_end(&block.end));
    for i in block.instrs.iter().skip(at).rev() {
        match i {
            Instr::Val(x, bound) => {
                names.remove(x);
                names.extend(match bound {
                    Bound::Rhs(r) => rhs(r),
                    Bound::Block(b) => deep(|| used(b, 0)),
                });
            }
            Instr::Token { token, .. } => drop(names.remove(token)),
            Instr::Op(_) | Instr::Unique(..) => {}
        }
    }
    names
}

fn of_end(end: &End) -> Names {
    match end {
        End::Done(r) => rhs(r),
        End::Match(x, arms) => {
            let mut names: Names = [*x].into_iter().collect();
            for arm in arms {
                let bound: Names = arm.binders.iter().filter_map(|b| *b).collect();
                names.extend(used(&arm.body, 0).into_iter().filter(|y| !bound.contains(y)));
            }
            names
        }
    }
}

fn rhs(r: &Rhs) -> Names {
    r.vars().into_iter().collect()
}

/// All names of variables in a block, those of its closures included.
pub fn names(block: &Block) -> Names {
    let mut all = Names::default();
    block.each(&mut |above, b| {
        if let Some((x, binders)) = above.cell() {
            all.insert(x);
            all.extend(binders.into_iter().flatten());
        }
        if let super::Above::Lam(l) = above {
            all.insert(l.param);
        }
        for i in &b.instrs {
            match i {
                Instr::Val(x, _) => drop(all.insert(*x)),
                Instr::Op(o) => drop(all.insert(o.name())),
                Instr::Unique(x, _) => drop(all.insert(*x)),
                Instr::Token { token, .. } => drop(all.insert(*token)),
            }
            if let Instr::Val(_, Bound::Rhs(r)) = i {
                all.extend(r.vars());
            }
        }
        match &b.end {
            End::Done(r) => all.extend(r.vars()),
            End::Match(x, _) => drop(all.insert(*x)),
        }
    });
    all
}

/// The names that a new variable of a function must not have: those of its variables, and of those that were plain and are gone.
pub fn taken(f: &Fun) -> Names {
    let mut all = names(&f.body);
    all.extend(&f.params);
    all.extend(f.plain.iter());
    all
}

/// The variables that something is done with: all but those that are only bound.
pub fn names_used(block: &Block) -> Names {
    let mut all = Names::default();
    block.each(&mut |_, b| {
        for i in &b.instrs {
            match i {
                Instr::Op(o) => drop(all.insert(o.name())),
                Instr::Unique(x, fork) | Instr::Token { of: x, fork: Some(fork), .. } => {
                    all.insert(*x);
                    all.extend(fork.then.iter().chain(&fork.otherwise).map(|o| o.name()));
                }
                Instr::Token { of, fork: None, .. } => drop(all.insert(*of)),
                Instr::Val(_, Bound::Rhs(r)) => all.extend(r.vars()),
                Instr::Val(_, Bound::Block(_)) => {}
            }
        }
        match &b.end {
            End::Done(r) => all.extend(r.vars()),
            End::Match(x, _) => drop(all.insert(*x)),
        }
    });
    all
}

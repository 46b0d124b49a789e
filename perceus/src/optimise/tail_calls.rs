//! Tail calls: who makes them, and making them again.

use crate::code::{Above, Atom, Block, Bound, Code, End, Instr, Rhs};
use crate::deep;
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

/// How often each function calls each in tail position.
#[derive(Clone, Debug, Default)]
pub struct Tails(BTreeMap<(Name, Name), usize>);

impl Tails {
    /// Those of a program.
    #[must_use]
    pub fn of(code: &Code) -> Tails {
        let mut tails = Tails::default();
        code.all().for_each(|f| tails.block(f.name, &f.body));
        tails
    }

    fn block(&mut self, f: Name, b: &Block) {
        match &b.end {
            End::Done(Rhs::Call(g, _)) => *self.0.entry((f, *g)).or_insert(0) += 1,
            End::Done(Rhs::Atom(_) | Rhs::Lam(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..)) => {}
            End::Match(_, arms) => arms.iter().for_each(|a| deep(|| self.block(f, &a.body))),
        }
    }

    /// How often f calls g so.
    pub fn count(&self, f: Name, g: Name) -> usize {
        self.0.get(&(f, g)).copied().unwrap_or(0)
    }

    /// The functions that f reaches by such calls.
    pub fn reached(&self, f: Name) -> BTreeSet<Name> {
        let (mut seen, mut rest) = (BTreeSet::new(), vec![f]);
        while let Some(g) = rest.pop() {
            rest.extend(
                self.0.keys().filter(|(from, _)| *from == g).map(|(_, to)| *to).filter(|to| seen.insert(*to)),
            );
        }
        seen
    }

    /// The calls of which the callee reaches the caller.
    pub fn loops(&self) -> Vec<(Name, Name)> {
        self.0.keys().copied().filter(|(f, g)| self.reached(*g).contains(f)).collect()
    }
}

/// `val r = e; r` is e.
#[must_use]
pub fn restored(b: &Block) -> Block {
    b.map(Above::Nothing, &mut |_, mut b| {
        if let (Some(Instr::Val(x, Bound::Rhs(r))), End::Done(Rhs::Atom(Atom::Var(y)))) =
            (b.instrs.last(), &b.end)
            && x == y
        {
            b.end = End::Done(r.clone());
            b.instrs.pop();
        }
        b
    })
}

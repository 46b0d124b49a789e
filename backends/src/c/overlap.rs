//! Which arguments share cells in some call of the unit: those cannot be `restrict`.
//! Spec: [rule: c.restrict].

use crate::c::bindings::Bindings;
use crate::c::usage::{ProcId, Program, passed_name};
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_stmt;
use std::collections::BTreeSet;

/// Two arguments of a procedure, by position, the smaller first.
pub(super) type Pair = (usize, usize);

/// All pairs that may overlap: a call passes parts of one buffer for them, or parts of two arguments of
/// the caller that may overlap themselves. Callers come before callees here, so that once is enough.
pub(super) fn pairs(program: &Program) -> BTreeSet<(ProcId, Pair)> {
    let procs: Vec<_> = program.procs().collect();
    let mut found = BTreeSet::new();
    for (id, p, _) in procs.into_iter().rev() {
        let caller = Caller::of(p, id, &found);
        each_stmt(&p.body, &mut |s| {
            if let Some((proc, args)) = s.kind.called()
                && let Some(callee) = program.id(proc)
            {
                found.extend(caller.overlaps(args).into_iter().map(|pair| (callee, pair)));
            }
        });
    }
    found
}

/// A procedure that makes calls.
struct Caller<'a> {
    proc: &'a Proc,
    bindings: Bindings,
    /// Its own arguments that may overlap.
    known: BTreeSet<Pair>,
}

impl Caller<'_> {
    fn of<'a>(proc: &'a Proc, id: ProcId, found: &BTreeSet<(ProcId, Pair)>) -> Caller<'a> {
        let own = (id, (0, 0))..=(id, (usize::MAX, usize::MAX));
        let known = found.range(own).map(|(_, pair)| *pair).collect();
        Caller { proc, bindings: Bindings::of(proc), known }
    }

    /// The pairs of arguments of one call that may overlap.
    fn overlaps(&self, args: &[Expr]) -> Vec<Pair> {
        let roots: Vec<Option<Sym>> = args.iter().map(|e| self.root(e)).collect();
        let mut found = Vec::new();
        for (j, y) in roots.iter().enumerate() {
            for (i, x) in roots.iter().take(j).enumerate() {
                if matches!((x, y), (Some(x), Some(y)) if self.may_meet(*x, *y)) {
                    found.push((i, j));
                }
            }
        }
        found
    }

    /// The buffer that an argument of a call is a part of, if it is data.
    fn root(&self, e: &Expr) -> Option<Sym> {
        let x = passed_name(e)?;
        self.bindings.buffer(x)?;
        Some(self.bindings.root(x))
    }

    fn may_meet(&self, x: Sym, y: Sym) -> bool {
        let position = |x: Sym| self.proc.args.iter().position(|a| a.name == x);
        x == y
            || match (position(x), position(y)) {
                (Some(i), Some(j)) => self.known.contains(&(i.min(j), i.max(j))),
                (Some(_) | None, Some(_) | None) => false,
            }
    }
}

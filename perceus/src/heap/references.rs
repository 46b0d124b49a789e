//! What the counts should be: how often each cell is referred to. Thesis §4.3.3. Spec: [rule: perceus.references].
//!
//! The count of a cell is the number of its occurrences in the values of H, plus its multiplicity in the owned
//! environment Γ under which the state's expression was derived (Fig. 4.5). Γ is a function of the translation, from the
//! leaves up: x owns x, `dup x; e` what e owns but one x, `drop x; e` that and one x, λ^ys its ys, `match x` its x and
//! what a branch owns beyond its binders.

use super::machine::{Control, Frame, Head, Machine, Op};
use super::{CellId, Ref};
use crate::env::Env;
use crate::syntax::{Expr, ExprKind};
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;

/// Counts that may be below 0 on the way.
type Counts<K> = FxHashMap<K, i64>;

/// A cell whose count is not the number of references to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miscount {
    /// The cell.
    pub cell: CellId,
    /// Its count; 0 where it is not alive.
    pub count: i64,
    /// The references to it.
    pub references: i64,
}

impl Machine<'_> {
    /// The cells whose counts are wrong in this state, by number.
    pub fn miscounts(&self) -> Vec<Miscount> {
        let mut refs = Counts::default();
        let mut add = |r: Ref, n: i64| {
            if let Some(c) = r.cell() {
                *refs.entry(c).or_insert(0) += n;
            }
        };
        for (_, cell) in self.heap.cells() {
            cell.content.refs().for_each(|r| add(r, 1));
        }
        self.owned(&mut add);
        let counts =
            self.heap.cells().into_iter().map(|(c, cell)| (c, i64::try_from(cell.count).unwrap_or(i64::MAX)));
        let counts: Counts<CellId> = counts.collect();
        let mut wrong: Vec<Miscount> = refs
            .keys()
            .chain(counts.keys())
            .map(|cell| Miscount {
                cell: *cell,
                count: counts.get(cell).copied().unwrap_or(0),
                references: refs.get(cell).copied().unwrap_or(0),
            })
            .filter(|m| m.count != m.references)
            .collect();
        wrong.sort_unstable_by_key(|m| m.cell);
        wrong.dedup();
        wrong
    }

    /// What E[e] owns.
    fn owned(&self, add: &mut impl FnMut(Ref, i64)) {
        let expr = |e: &Expr, env: &Env<Ref>, but: Option<Name>, add: &mut dyn FnMut(Ref, i64)| {
            let mut names = Counts::default();
            consumed(e, 1, &mut names);
            for (x, n) in names {
                if let Some(r) = env.get(x).filter(|_| but != Some(x)) {
                    add(r, n);
                }
            }
        };
        match &self.control {
            Control::Return(r) => add(*r, 1),
            Control::Eval(e, env) => expr(e, env, None, add),
        }
        for frame in &self.frames {
            match frame {
                Frame::Fun(arg, env) => expr(arg, env, None, add),
                Frame::Arg(f) => add(*f, 1),
                Frame::Val(x, body, env) => expr(body, env, Some(*x), add),
                Frame::Operands { head: Head::Con(..) | Head::Prim(_) | Head::Call(_), done, rest, env } => {
                    done.iter().for_each(|r| add(*r, 1));
                    rest.iter().for_each(|e| expr(e, env, None, add));
                }
            }
        }
        for op in &self.ops {
            match op {
                Op::Dup(r) => add(*r, -1),
                Op::Drop(r) | Op::DropReuse(_, r) => add(*r, 1),
            }
        }
    }
}

/// Adds `sign` times what a translation consumes of its free variables.
fn consumed(e: &Expr, sign: i64, into: &mut Counts<Name>) {
    let mut add = |x: Name, n: i64| *into.entry(x).or_insert(0) += n;
    match e.kind() {
        ExprKind::Int(_) => {}
        ExprKind::Var(x) => add(*x, sign),
        ExprKind::Lam(l) => match &l.ys {
            Some(ys) => ys.iter().for_each(|y| add(*y, sign)),
            None => e.free().iter().for_each(|y| add(y, sign)),
        },
        ExprKind::Dup(x, rest) => {
            add(*x, -sign);
            crate::deep(|| consumed(rest, sign, into));
        }
        ExprKind::Drop(x, rest) => {
            add(*x, sign);
            crate::deep(|| consumed(rest, sign, into));
        }
        ExprKind::Match(x, branches) => {
            add(*x, sign);
            // Every branch consumes the same.
            if let Some(b) = branches.first() {
                let mut inner = Counts::default();
                crate::deep(|| consumed(&b.body, sign, &mut inner));
                let bound = b.pattern.bound();
                inner.into_iter().filter(|(y, _)| !bound.contains(*y)).for_each(|(y, n)| add(y, n));
            }
        }
        ExprKind::Val(x, bound, body) => {
            crate::deep(|| consumed(bound, sign, into));
            let mut inner = Counts::default();
            crate::deep(|| consumed(body, sign, &mut inner));
            for (y, n) in inner {
                if y != *x {
                    *into.entry(y).or_insert(0) += n;
                }
            }
        }
        ExprKind::App(..) | ExprKind::Con(_) | ExprKind::Prim(..) | ExprKind::Call(..) => {
            e.children().for_each(|child| crate::deep(|| consumed(child, sign, into)));
        }
    }
}

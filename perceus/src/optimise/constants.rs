//! Constant constructors, those without fields among them [P-12]. Spec: [rule: perceus.constants].
//!
//! ```text
//! C(a, …)                 ⇝  #s            static #s = C(a, …)
//! val x = a; … x …        ⇝  … a …
//! ```
//!
//! Condition: each a is an integer, a constructor without fields or a static cell, and C has no token. A variable that is such an a is
//! never counted; it stays where something is matched, or its memory asked for, by its name.

use crate::code::{Arm, Atom, Block, Bound, Code, Con, End, Fun, Instr, Lam, Rhs, Static, StaticId};
use crate::deep;
use rewright_base::sym::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The code with constant constructors built once, before it runs.
#[must_use]
pub fn code(c: &Code) -> Code {
    let mut pool = Pool::default();
    for s in &c.statics {
        pool.id(s.clone());
    }
    let funs = c.map(|f| {
        let mut pass = Constants { pool: &mut pool, known: FxHashMap::default(), named: named(&f.body) };
        let body = pass.block(f.body.clone());
        let plain = pass.known.keys().copied().collect();
        Fun { body, plain: f.plain.union(&plain), ..f.clone() }
    });
    Code { statics: pool.all, ..funs }
}

/// Static cells, each once.
#[derive(Default)]
struct Pool {
    all: Vec<Static>,
    ids: FxHashMap<Static, StaticId>,
}

impl Pool {
    fn id(&mut self, s: Static) -> StaticId {
        *self.ids.entry(s).or_insert_with_key(|s| {
            self.all.push(s.clone());
            StaticId(self.all.len() - 1)
        })
    }
}

/// The variables that are matched, or whose memory is asked for.
fn named(b: &Block) -> FxHashSet<Name> {
    let mut all = FxHashSet::default();
    b.each(&mut |_, b| {
        all.extend(b.instrs.iter().filter_map(|i| match i {
            Instr::Token { of, .. } | Instr::Unique(of, _) => Some(*of),
            Instr::Op(_) | Instr::Val(..) => None,
        }));
        if let End::Match(x, _) = &b.end {
            all.insert(*x);
        }
    });
    all
}

struct Constants<'p> {
    pool: &'p mut Pool,
    /// Variables that are an integer, a constructor without fields or a static cell.
    known: FxHashMap<Name, Atom>,
    named: FxHashSet<Name>,
}

impl Constants<'_> {
    fn block(&mut self, b: Block) -> Block {
        deep(|| {
            let instrs = b.instrs.into_iter().filter_map(|i| self.instr(i)).collect();
            let end = match b.end {
                End::Done(r) => End::Done(self.rhs(r)),
                End::Match(x, arms) => {
                    let arm = |Arm { con, binders, body }| Arm { con, binders, body: self.block(body) };
                    End::Match(x, arms.into_iter().map(arm).collect())
                }
            };
            Block { instrs, end }
        })
    }

    fn instr(&mut self, i: Instr) -> Option<Instr> {
        match i {
            Instr::Val(x, Bound::Rhs(r)) => {
                let r = self.rhs(r);
                if let Rhs::Atom(a) = r
                    && a.var().is_none()
                {
                    self.known.insert(x, a);
                    if !self.named.contains(&x) {
                        return None;
                    }
                }
                Some(Instr::Val(x, Bound::Rhs(r)))
            }
            Instr::Val(x, Bound::Block(b)) => {
                let b = self.block(*b);
                Some(Instr::Val(x, Bound::Block(Box::new(b))))
            }
            Instr::Op(o) => (!self.known.contains_key(&o.name())).then_some(i),
            Instr::Unique(..) | Instr::Token { .. } => Some(i),
        }
    }

    fn rhs(&mut self, r: Rhs) -> Rhs {
        match r {
            Rhs::Atom(a) => Rhs::Atom(self.atom(a)),
            Rhs::Lam(l) => Rhs::Lam(Arc::new(self.lambda(&l))),
            Rhs::App(f, a) => Rhs::App(self.atom(f), self.atom(a)),
            Rhs::Con(c) => self.construct(c),
            Rhs::Prim(op, args) => Rhs::Prim(op, self.atoms(args)),
            Rhs::Call(f, args) => Rhs::Call(f, self.atoms(args)),
        }
    }

    fn atom(&self, a: Atom) -> Atom {
        a.var().and_then(|x| self.known.get(&x).copied()).unwrap_or(a)
    }

    fn atoms(&self, args: Vec<Atom>) -> Vec<Atom> {
        args.into_iter().map(|a| self.atom(a)).collect()
    }

    fn construct(&mut self, c: Con) -> Rhs {
        let args = self.atoms(c.args);
        if c.at.is_none() && args.iter().all(|a| a.var().is_none()) {
            return Rhs::Atom(Atom::Static(self.pool.id(Static { con: c.name, args })));
        }
        Rhs::Con(Con { args, ..c })
    }

    /// What is constant is captured only where its name is needed.
    fn lambda(&mut self, l: &Lam) -> Lam {
        let is_needed = |y: &Name| !self.known.contains_key(y) || self.named.contains(y);
        let ys = l.ys.iter().copied().filter(is_needed).collect();
        Lam { ys, ..l.with(self.block(l.body.clone())) }
    }
}

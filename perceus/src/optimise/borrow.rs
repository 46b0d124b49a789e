//! Borrowed parameters: the future work of Thesis §4.5. Spec: [rule: perceus.borrow].
//!
//! A parameter is borrowed when its function only looks at it, and passes it on only to where it is borrowed: it is matched and
//! dropped, and in no closure, no constructor, no result; and its cell is not reused. Who calls keeps the reference and drops it behind
//! the call, and needs no `dup` before it where it keeps the argument anyway:
//!
//! ```text
//! f(… x …)                                  ⇝  val r = f(… x …); drop(x); r
//! fun f(x) { … drop(x); … }                 ⇝  fun f(&x) { … }                one drop less on each path
//! dup(x); val r = f(… x …); drop(x)         ⇝  val r = f(… x …)
//! dup(x); … drop(x); …                      ⇝  … …                           on each path
//! ```
//!
//! Condition of the last two: something else refers to x in the meantime. x is a borrowed parameter, or is consumed behind the block,
//! or (of the call) behind the call, or is a field of what one of these can be said of. Then no `is-unique` on the way says another thing:
//! the other reference is there.
//!
//! A function does not borrow where a loop would end to be one: where a tail call of a function that calls it back in tail position
//! would have to drop an argument behind it.

use super::tail_calls::{self, Tails};
use crate::code::owned::{Fields, Owned, Reader};
use crate::code::{Arm, Atom, Block, Borrows, Bound, Code, End, Fun, Instr, Op, Rhs, scope};
use crate::deep;
use crate::vars::Vars;
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The code with parameters borrowed where that can be.
#[must_use]
pub fn code(c: &Code) -> Code {
    let mut never: BTreeSet<Name> = BTreeSet::new();
    loop {
        let borrowed = parameters(c, &never);
        let out = with(c, &borrowed);
        let lost = lost(c, &out);
        if lost.is_subset(&never) {
            return out;
        }
        never.extend(lost);
    }
}

/// What each function borrows; `never` do not borrow.
fn parameters(c: &Code, never: &BTreeSet<Name>) -> BTreeMap<Name, Vars> {
    let cells = |f: &Fun| f.params.iter().copied().filter(|x| !f.plain.contains(*x)).collect::<Vars>();
    let may = c.funs.iter().filter(|f| !never.contains(&f.name));
    let mut borrowed: BTreeMap<Name, Vars> = may.map(|f| (f.name, cells(f))).collect();
    loop {
        let mut changed = false;
        for f in &c.funs {
            let Some(mine) = borrowed.get(&f.name).cloned().filter(|v| !v.is_empty()) else { continue };
            let consumed = consumed(f, c, &borrowed);
            let left: Vars = mine.iter().filter(|x| !consumed.contains(x)).collect();
            if left != mine {
                borrowed.insert(f.name, left);
                changed = true;
            }
        }
        if !changed {
            return borrowed;
        }
    }
}

/// The variables that a function gives away, or takes apart.
fn consumed(f: &Fun, c: &Code, borrowed: &BTreeMap<Name, Vars>) -> scope::Names {
    let mut all = scope::Names::default();
    let mut look = |r: &Rhs| match r {
        Rhs::Call(g, args) => {
            let params = c.fun(*g).map_or(&[][..], |g| g.params.as_slice());
            let of = borrowed.get(g);
            for (a, p) in args.iter().zip(params) {
                if !of.is_some_and(|of| of.contains(*p)) {
                    all.extend(a.var());
                }
            }
        }
        Rhs::Atom(_) | Rhs::Lam(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..) => all.extend(r.vars()),
    };
    f.body.each(&mut |_, b| {
        for i in &b.instrs {
            if let Instr::Val(_, Bound::Rhs(r)) = i {
                look(r);
            }
        }
        if let End::Done(r) = &b.end {
            look(r);
        }
    });
    f.body.each(&mut |_, b| {
        for i in &b.instrs {
            if let Instr::Token { of: x, .. } | Instr::Unique(x, _) = i {
                all.insert(*x);
            }
        }
    });
    all
}

/// Functions that are called in tail position by those that they call so, and no longer.
fn lost(before: &Code, after: &Code) -> BTreeSet<Name> {
    let (old, new) = (Tails::of(before), Tails::of(after));
    old.loops().into_iter().filter(|(f, g)| new.count(*f, *g) < old.count(*f, *g)).map(|(_, g)| g).collect()
}

fn with(c: &Code, borrowed: &BTreeMap<Name, Vars>) -> Code {
    let marked =
        c.map(|f| Fun { borrowed: borrowed.get(&f.name).cloned().unwrap_or_else(Vars::empty), ..f.clone() });
    let borrows = marked.borrows();
    marked.map(|f| {
        let taken = scope::taken(f);
        let mut pass = Borrow { borrows: &borrows, plain: &f.plain, taken };
        let mut body = f.body.map(crate::code::Above::Nothing, &mut |_, b| pass.keep(b));
        for x in f.borrowed.iter() {
            without_a_drop(&mut body, 0, x, &Reader { plain: &f.plain, borrows: &borrows });
        }
        let mut fuse = Fuse { borrows: &borrows, fun: f, fields: Fields::new(), lasting: Vec::new() };
        let body = fuse.block(&body);
        Fun { body: tail_calls::restored(&body), ..f.clone() }
    })
}

struct Borrow<'b> {
    borrows: &'b Borrows,
    plain: &'b Vars,
    taken: scope::Names,
}

impl Borrow<'_> {
    /// The cells that a call borrows.
    fn lent(&self, r: &Rhs) -> Vec<Op> {
        let lent = lent(self.borrows, r).into_iter();
        lent.filter(|x| !self.plain.contains(*x)).map(Op::Drop).collect()
    }

    /// Behind each call, drops what it borrowed.
    fn keep(&mut self, b: Block) -> Block {
        let mut instrs = Vec::new();
        for i in b.instrs {
            let drops = match &i {
                Instr::Val(_, Bound::Rhs(r)) => self.lent(r),
                Instr::Val(..) | Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => Vec::new(),
            };
            instrs.push(i);
            instrs.extend(drops.into_iter().map(Instr::Op));
        }
        let end = match b.end {
            End::Done(r) => {
                let drops = self.lent(&r);
                if drops.is_empty() {
                    End::Done(r)
                } else {
                    let result = super::lower::fresh(&mut self.taken, "r");
                    instrs.push(Instr::Val(result, Bound::Rhs(r)));
                    instrs.extend(drops.into_iter().map(Instr::Op));
                    End::Done(Rhs::Atom(Atom::Var(result)))
                }
            }
            end @ End::Match(..) => end,
        };
        Block { instrs, end }
    }
}

fn lent(borrows: &Borrows, r: &Rhs) -> Vec<Name> {
    let Rhs::Call(f, args) = r else { return Vec::new() };
    let Some(of) = borrows.get(f) else { return Vec::new() };
    args.iter().zip(of).filter(|(_, b)| **b).filter_map(|(a, _)| a.var()).collect()
}

/// Whether there is a `drop` of x on each path from this instruction on.
fn drops(b: &Block, from: usize, x: Name, reader: &Reader<'_>) -> bool {
    for i in b.instrs.iter().skip(from) {
        match i {
            Instr::Op(Op::Drop(y)) if *y == x => return true,
            Instr::Val(_, Bound::Block(inner)) => {
                let owned = reader.block(inner, 0, &mut Fields::new()).unwrap_or_default();
                if owned.get(&x).is_some_and(|n| *n > 0) {
                    return deep(|| drops(inner, 0, x, reader));
                }
            }
            Instr::Op(_) | Instr::Val(..) | Instr::Unique(..) | Instr::Token { .. } => {}
        }
    }
    match &b.end {
        End::Match(_, arms) => arms.iter().all(|a| deep(|| drops(&a.body, 0, x, reader))),
        End::Done(_) => false,
    }
}

/// Leaves out one `drop` of x on each path from this instruction on: there is one.
fn without_a_drop(b: &mut Block, from: usize, x: Name, reader: &Reader<'_>) {
    for at in from..b.instrs.len() {
        match b.instrs.get_mut(at) {
            Some(Instr::Op(Op::Drop(y))) if *y == x => {
                b.instrs.remove(at);
                return;
            }
            Some(Instr::Val(_, Bound::Block(inner))) => {
                let owned = reader.block(inner, 0, &mut Fields::new()).unwrap_or_default();
                if owned.get(&x).is_some_and(|n| *n > 0) {
                    return deep(|| without_a_drop(inner, 0, x, reader));
                }
            }
            Some(Instr::Op(_) | Instr::Val(..) | Instr::Unique(..) | Instr::Token { .. }) | None => {}
        }
    }
    if let End::Match(_, arms) = &mut b.end {
        arms.iter_mut().for_each(|a| deep(|| without_a_drop(&mut a.body, 0, x, reader)));
    }
}

struct Fuse<'b> {
    borrows: &'b Borrows,
    fun: &'b Fun,
    fields: Fields,
    /// Variables that are consumed behind the block that this one is in.
    lasting: Vec<Name>,
}

impl Fuse<'_> {
    fn reader(&self) -> Reader<'_> {
        Reader { plain: &self.fun.plain, borrows: self.borrows }
    }

    /// Leaves out `dup`s of what is there anyway as long as this block runs, each with one `drop` on each path behind it.
    fn cancel(&self, b: &mut Block) {
        let mut at = 0;
        while at < b.instrs.len() {
            if let Some(Instr::Op(Op::Dup(x))) = b.instrs.get(at) {
                let (x, reader) = (*x, self.reader());
                if self.lasts(x, &Owned::new()) && drops(b, at + 1, x, &reader) {
                    without_a_drop(b, at + 1, x, &reader);
                    b.instrs.remove(at);
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Whether something refers to x that is there until `rest` consumes it, or longer.
    fn lasts(&self, x: Name, rest: &Owned) -> bool {
        let held = |y: Name| {
            self.fun.borrowed.contains(y) || self.lasting.contains(&y) || rest.get(&y).is_some_and(|n| *n > 0)
        };
        let (mut todo, mut seen) = (vec![x], BTreeSet::new());
        while let Some(y) = todo.pop() {
            if held(y) {
                return true;
            }
            if seen.insert(y) {
                let parents = self.fields.iter().filter(|(_, fields)| fields.contains(&Some(y)));
                todo.extend(parents.map(|(parent, _)| *parent));
            }
        }
        false
    }

    fn block(&mut self, b: &Block) -> Block {
        deep(|| {
            let mut b = b.clone();
            self.cancel(&mut b);
            let mut instrs = b.instrs.clone();
            let mut at = 0;
            while at < instrs.len() {
                if !self.fuse_call(&mut instrs, at, &b.end) {
                    at += 1;
                }
            }
            let mut out = Block { instrs, end: b.end.clone() };
            for at in 0..out.instrs.len() {
                self.inside(&mut out, at);
            }
            if let End::Match(x, arms) = &out.end {
                let arm = |a: &Arm| {
                    self.fields.push((*x, a.binders.clone()));
                    let body = self.block(&a.body);
                    self.fields.pop();
                    a.with(body)
                };
                out.end = End::Match(*x, arms.iter().map(arm).collect());
            }
            out
        })
    }

    /// The block of a `val`: what comes behind it lasts in there.
    fn inside(&mut self, b: &mut Block, at: usize) {
        let rest = self.reader().block(b, at + 1, &mut self.fields.clone()).unwrap_or_default();
        let changed = match b.instrs.get(at) {
            Some(Instr::Val(x, Bound::Block(inner))) => {
                let outside = self.lasting.len();
                self.lasting.extend(rest.iter().filter(|(_, n)| **n > 0).map(|(y, _)| *y));
                let inner = self.block(inner);
                self.lasting.truncate(outside);
                Some(Instr::Val(*x, Bound::Block(Box::new(inner))))
            }
            Some(Instr::Val(x, Bound::Rhs(Rhs::Lam(l)))) => {
                // A closure is called when what is around it is gone.
                let fields = vec![(l.this, l.ys.iter().map(|y| Some(*y)).collect())];
                let none = Fun { borrowed: Vars::empty(), ..self.fun.clone() };
                let mut fuse = Fuse { borrows: self.borrows, fun: &none, fields, lasting: Vec::new() };
                let body = fuse.block(&l.body);
                Some(Instr::Val(*x, Bound::Rhs(Rhs::Lam(Arc::new(l.with(body))))))
            }
            Some(Instr::Val(..) | Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. }) | None => None,
        };
        if let (Some(new), Some(old)) = (changed, b.instrs.get_mut(at)) {
            *old = new;
        }
    }

    /// Cancels a `dup` before the call at this place with a `drop` behind it; whether it did.
    fn fuse_call(&self, instrs: &mut Vec<Instr>, at: usize, end: &End) -> bool {
        let Some(Instr::Val(_, Bound::Rhs(r))) = instrs.get(at) else { return false };
        let lent = lent(self.borrows, r);
        let is_drop = |i: &Instr| matches!(i, Instr::Op(Op::Drop(_)));
        let drops = instrs.iter().skip(at + 1).take_while(|i| is_drop(i)).count();
        let dups = instrs.iter().take(at).rev().take_while(|i| matches!(i, Instr::Op(Op::Dup(_)))).count();
        for x in lent {
            let drop_at = (at + 1..at + 1 + drops).find(|i| instrs.get(*i) == Some(&Instr::Op(Op::Drop(x))));
            let dup_at = (at - dups..at).find(|i| instrs.get(*i) == Some(&Instr::Op(Op::Dup(x))));
            let (Some(drop_at), Some(dup_at)) = (drop_at, dup_at) else { continue };
            // What is consumed behind the call, this pair and the drops around it left out.
            let behind =
                Block { instrs: instrs.get(at + 1 + drops..).unwrap_or_default().to_vec(), end: end.clone() };
            let rest = self.reader().block(&behind, 0, &mut self.fields.clone()).unwrap_or_default();
            if self.lasts(x, &rest) {
                instrs.remove(drop_at);
                instrs.remove(dup_at);
                return true;
            }
        }
        false
    }
}

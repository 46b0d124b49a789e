//! What a block owns: how many references to each variable it consumes. Spec: [rule: perceus.code.owned].
//!
//! Read from the end backwards, as Γ is read off a translation in Fig. 4.5: a `dup` makes one, a `drop` takes one, and
//! `free(x)` or `&x` take x apart, so that its fields' references go to the variables that the fields are bound to. Both ways of an
//! `is-unique`, and all arms of a match, must own the same. A function owns its parameters, a closure's body itself and its
//! parameter, once each. An argument that the callee borrows is not consumed.

use super::{Block, Borrows, Bound, Code, End, Fork, Fun, Instr, Op, Rhs};
use crate::deep;
use crate::vars::Vars;
use rewright_base::sym::Name;
use std::collections::BTreeMap;

/// References to each variable; no entry is 0. Below 0: given by what went before.
pub type Owned = BTreeMap<Name, i64>;

/// What the fields of cells are bound to, the innermost binding last.
pub type Fields = Vec<(Name, Vec<Option<Name>>)>;

fn add(owned: &mut Owned, x: Name, n: i64) {
    let now = owned.get(&x).copied().unwrap_or(0) + n;
    if now == 0 {
        owned.remove(&x);
    } else {
        owned.insert(x, now);
    }
}

/// Whether each function owns exactly its parameters.
///
/// # Errors
/// What is not owned once, and in which function.
pub fn check(code: &Code) -> Result<(), String> {
    let borrows = code.borrows();
    code.all().try_for_each(|f| function(f, &borrows).map_err(|why| format!("{}: {why}", f.name)))
}

fn function(f: &Fun, borrows: &Borrows) -> Result<(), String> {
    let owned = Reader { plain: &f.plain, borrows }.block(&f.body, 0, &mut Fields::new())?;
    let own: Vec<Name> = f.params.iter().copied().filter(|x| !f.borrowed.contains(*x)).collect();
    exactly(owned, &own, &f.plain)
}

fn exactly(owned: Owned, wanted: &[Name], plain: &Vars) -> Result<(), String> {
    let mut rest = owned;
    wanted.iter().filter(|x| !plain.contains(**x)).for_each(|x| add(&mut rest, *x, -1));
    match rest.first_key_value() {
        None => Ok(()),
        Some((x, n)) => Err(format!("{x} is consumed {n} times more often than it is owned")),
    }
}

/// Reads blocks.
pub struct Reader<'p> {
    /// Variables that are never a cell.
    pub plain: &'p Vars,
    /// What functions borrow.
    pub borrows: &'p Borrows,
}

impl Reader<'_> {
    fn take(&self, owned: &mut Owned, x: Name, n: i64) {
        if !self.plain.contains(x) {
            add(owned, x, n);
        }
    }

    /// What the instructions from `at` on, and the end, own.
    ///
    /// # Errors
    /// Two ways own different references.
    pub fn block(&self, b: &Block, at: usize, fields: &mut Fields) -> Result<Owned, String> {
        let mut owned = deep(|| self.end(&b.end, fields))?;
        for i in b.instrs.iter().skip(at).rev() {
            self.instr(i, &mut owned, fields)?;
        }
        Ok(owned)
    }

    fn end(&self, end: &End, fields: &mut Fields) -> Result<Owned, String> {
        match end {
            End::Done(r) => {
                let mut owned = Owned::new();
                self.rhs(r, &mut owned)?;
                Ok(owned)
            }
            End::Match(x, arms) => {
                let mut agreed: Option<Owned> = None;
                for arm in arms {
                    fields.push((*x, arm.binders.clone()));
                    let owned = self.block(&arm.body, 0, fields)?;
                    fields.pop();
                    if let Some(b) = arm.binders.iter().flatten().find(|b| owned.contains_key(b)) {
                        return Err(format!("{b}, which is a field of {x}, is owned without a dup"));
                    }
                    if agreed.as_ref().is_some_and(|a| *a != owned) {
                        return Err(format!("the arms of match({x}) own different references"));
                    }
                    agreed = Some(owned);
                }
                Ok(agreed.unwrap_or_default())
            }
        }
    }

    fn instr(&self, i: &Instr, owned: &mut Owned, fields: &mut Fields) -> Result<(), String> {
        match i {
            Instr::Op(o) => self.op(*o, owned, fields),
            Instr::Val(x, bound) => {
                self.take(owned, *x, -1);
                if owned.contains_key(x) {
                    return Err(format!("{x} is not consumed once"));
                }
                match bound {
                    Bound::Rhs(r) => self.rhs(r, owned),
                    Bound::Block(b) => {
                        for (y, n) in self.block(b, 0, fields)? {
                            add(owned, y, n);
                        }
                        Ok(())
                    }
                }
            }
            Instr::Unique(x, fork) => self.fork(*x, fork, false, owned, fields),
            Instr::Token { token, of, fork } => {
                self.take(owned, *token, -1);
                if owned.contains_key(token) {
                    return Err(format!("{token} is not consumed once"));
                }
                match fork {
                    None => self.op(Op::Drop(*of), owned, fields),
                    Some(fork) => self.fork(*of, fork, true, owned, fields),
                }
            }
        }
    }

    fn fork(
        &self,
        x: Name,
        fork: &Fork,
        is_token: bool,
        owned: &mut Owned,
        fields: &mut Fields,
    ) -> Result<(), String> {
        let mut other = owned.clone();
        if is_token {
            self.op(Op::Free(x), owned, fields)?;
        }
        fork.then.iter().rev().try_for_each(|o| self.op(*o, owned, fields))?;
        fork.otherwise.iter().rev().try_for_each(|o| self.op(*o, &mut other, fields))?;
        if *owned == other {
            Ok(())
        } else {
            Err(format!("the ways of is-unique({x}) own different references: {owned:?}, {other:?}"))
        }
    }

    fn op(&self, o: Op, owned: &mut Owned, fields: &Fields) -> Result<(), String> {
        match o {
            Op::Dup(x) => self.take(owned, x, -1),
            Op::Drop(x) | Op::DecRef(x) | Op::DropToken(x) => self.take(owned, x, 1),
            Op::Free(x) => {
                self.take(owned, x, 1);
                let of = fields.iter().rev().find(|(y, _)| *y == x);
                let Some((_, binders)) = of else { return Err(format!("{x} is not looked into")) };
                for b in binders {
                    match b {
                        Some(b) => self.take(owned, *b, -1),
                        None => return Err(format!("a field of {x} has no name and goes nowhere")),
                    }
                }
            }
        }
        Ok(())
    }

    /// The variables that are consumed: all but arguments that are borrowed.
    fn consumed(&self, r: &Rhs) -> Vec<Name> {
        let Rhs::Call(f, args) = r else { return r.vars() };
        let Some(borrowed) = self.borrows.get(f) else { return r.vars() };
        let own = args.iter().zip(borrowed).filter(|(_, b)| !**b);
        own.filter_map(|(a, _)| a.var()).collect()
    }

    fn rhs(&self, r: &Rhs, owned: &mut Owned) -> Result<(), String> {
        self.consumed(r).into_iter().for_each(|x| self.take(owned, x, 1));
        if let Rhs::Lam(l) = r {
            let mut fields = vec![(l.this, l.ys.iter().map(|y| Some(*y)).collect())];
            let inner = self.block(&l.body, 0, &mut fields)?;
            exactly(inner, &[l.this, l.param], self.plain)?;
        }
        Ok(())
    }
}

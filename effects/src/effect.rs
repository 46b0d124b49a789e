//! Effects: what a statement may do to the store, and in which order. PLDI'22 §5.5 (Def. 5.4);
//! spec: [rule: effects].

use crate::effexpr::{EffExpr, Substitution, Var};
use crate::env::View;
use crate::locset::{Base, Loc, LocSet};
use rewright_semantics::sym::Sym;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// How a place is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Its value is used.
    Read,
    /// Its value is replaced.
    Write,
    /// Something is added to its value.
    Reduce,
}

/// a: an effect. `GlobalRead(x)`, `Read(x, ee…)` and so on are [`Effect::Access`] with the respective base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// ∅
    Empty,
    /// a; a
    Seq(Arc<[Effect]>),
    /// Happens if the condition holds.
    Guard(EffExpr, Arc<Effect>),
    /// Happens for every integer value of the variable, in increasing order. The variable is bound, and
    /// is fresh: no other binder of any effect has it.
    Loop(Sym, Arc<Effect>),
    /// One access.
    Access(Access, Loc),
    /// A root begins to exist; what follows in the same sequence and touches it is invisible outside.
    Alloc(Sym),
}

impl Effect {
    /// a; a
    pub fn seq(parts: impl IntoIterator<Item = Effect>) -> Effect {
        let mut flat: Vec<Effect> = Vec::new();
        for a in parts {
            match a {
                Effect::Empty => {}
                Effect::Seq(inner) => flat.extend(inner.iter().cloned()),
                one @ (Effect::Guard(..) | Effect::Loop(..) | Effect::Access(..) | Effect::Alloc(_)) => {
                    flat.push(one);
                }
            }
        }
        match flat.pop() {
            None => Effect::Empty,
            Some(one) if flat.is_empty() => one,
            Some(last) => {
                flat.push(last);
                Effect::Seq(flat.into())
            }
        }
    }

    /// Guard(ee, a): a block of its own, so what it allocates ends with it.
    pub fn guard(ee: EffExpr, a: Effect) -> Effect {
        if ee.is_false() || a == Effect::Empty { Effect::Empty } else { Effect::Guard(ee, Arc::new(a)) }
    }

    /// A block of its own, which a guard is already.
    pub fn block(a: Effect) -> Effect {
        match a {
            Effect::Guard(..) => a,
            Effect::Empty | Effect::Seq(_) | Effect::Loop(..) | Effect::Access(..) | Effect::Alloc(_) => {
                Effect::guard(EffExpr::bool(true), a)
            }
        }
    }

    /// Loop(x, a). `x` must be fresh.
    pub fn over(x: Sym, a: Effect) -> Effect {
        if a == Effect::Empty { a } else { Effect::Loop(x, Arc::new(a)) }
    }

    /// One access.
    pub fn access(kind: Access, loc: Loc) -> Effect {
        Effect::Access(kind, loc)
    }

    /// A: the roots that are allocated by and visible to what follows. §5.5.
    pub fn allocated(&self) -> Vec<Sym> {
        match self {
            Effect::Alloc(x) => vec![*x],
            Effect::Seq(parts) => parts.iter().flat_map(Effect::allocated).collect(),
            Effect::Empty | Effect::Guard(..) | Effect::Loop(..) | Effect::Access(..) => Vec::new(),
        }
    }

    /// Rd: what is read before it is written. §5.5.
    pub fn rd(&self) -> LocSet {
        self.exposed(&[Access::Read])
    }

    /// What is read *or reduced* before it is written: everything whose old value matters.
    pub fn uses(&self) -> LocSet {
        self.exposed(&[Access::Read, Access::Reduce])
    }

    /// Wr: what is written. §5.5.
    pub fn wr(&self) -> LocSet {
        self.touched(Access::Write)
    }

    /// R+_H: what is reduced, whether or not it is also written. §5.5.
    pub fn red_h(&self) -> LocSet {
        self.touched(Access::Reduce)
    }

    /// Mod = Wr ∪ R+_H: what is changed. §5.5.
    pub fn modified(&self) -> LocSet {
        LocSet::union([self.wr(), self.red_h()])
    }

    /// All = Rd ∪ Wr ∪ R+_H: what is touched. §5.5.
    ///
    /// Reads that earlier writes hide need not be taken away: what hides them is in Wr.
    pub fn all(&self) -> LocSet {
        LocSet::union([self.touched(Access::Read), self.modified()])
    }

    /// Every read, hidden by an earlier write or not: a superset of Rd without subtractions.
    pub fn reads(&self) -> LocSet {
        self.touched(Access::Read)
    }

    /// The accesses to one base.
    #[must_use]
    pub fn only(&self, base: Base) -> Effect {
        self.on(&|b| b == base)
    }

    /// The accesses to all bases but one.
    #[must_use]
    pub fn except(&self, base: Base) -> Effect {
        self.on(&|b| b != base)
    }

    /// The part of the effect that is about some bases.
    #[must_use]
    pub fn on(&self, keep: &dyn Fn(Base) -> bool) -> Effect {
        let if_kept = |base| if keep(base) { self.clone() } else { Effect::Empty };
        match self {
            Effect::Empty => Effect::Empty,
            Effect::Seq(parts) => Effect::seq(parts.iter().map(|a| a.on(keep))),
            Effect::Guard(ee, a) => Effect::guard(ee.clone(), a.on(keep)),
            Effect::Loop(x, a) => Effect::over(*x, a.on(keep)),
            Effect::Access(_, loc) => if_kept(loc.base),
            Effect::Alloc(x) => if_kept(Base::Buffer(*x)),
        }
    }

    /// Without what happens to the roots that it allocates itself.
    #[must_use]
    pub fn visible(&self) -> Effect {
        self.without_roots(&mut Vec::new())
    }

    /// `gone`: the roots allocated so far; those that this effect allocates for what follows are added.
    fn without_roots(&self, gone: &mut Vec<Sym>) -> Effect {
        match self {
            Effect::Empty => Effect::Empty,
            Effect::Seq(parts) => {
                Effect::seq(parts.iter().map(|a| a.without_roots(gone)).collect::<Vec<_>>())
            }
            Effect::Guard(ee, a) => Effect::guard(ee.clone(), a.without_roots(&mut gone.clone())),
            Effect::Loop(x, a) => Effect::over(*x, a.without_roots(&mut gone.clone())),
            Effect::Access(_, loc) => match loc.base {
                Base::Buffer(x) if gone.contains(&x) => Effect::Empty,
                Base::Buffer(_) | Base::Global(_) => self.clone(),
            },
            Effect::Alloc(x) => {
                gone.push(*x);
                Effect::Empty
            }
        }
    }

    /// Rd_G: the fields read.
    pub fn rd_g(&self) -> LocSet {
        on_fields(&self.rd())
    }

    /// Wr_G: the fields written.
    pub fn wr_g(&self) -> LocSet {
        on_fields(&self.wr())
    }

    /// `F(a1; a2) = F(a1) ∪ (F(a2) - A(a1))`, for sets in which earlier effects hide nothing.
    fn touched(&self, kind: Access) -> LocSet {
        match self {
            Effect::Empty | Effect::Alloc(_) => LocSet::Empty,
            Effect::Access(k, loc) => {
                if *k == kind {
                    LocSet::Cell(loc.clone())
                } else {
                    LocSet::Empty
                }
            }
            Effect::Guard(ee, a) => LocSet::filter(ee.clone(), a.touched(kind)),
            Effect::Loop(x, a) => LocSet::big_union(*x, a.touched(kind)),
            Effect::Seq(parts) => {
                let mut gone: Vec<Sym> = Vec::new();
                let mut sets = Vec::new();
                for a in parts.iter() {
                    sets.push(a.touched(kind).without(&gone));
                    gone.extend(a.allocated());
                }
                LocSet::union(sets)
            }
        }
    }

    /// `F(a1; a2) = F(a1) ∪ (F(a2) - Wr(a1) - A(a1))`, for sets in which earlier writes hide.
    ///
    /// In a loop, writes of earlier iterations hide nothing [E-5].
    fn exposed(&self, kinds: &[Access]) -> LocSet {
        match self {
            Effect::Empty | Effect::Alloc(_) => LocSet::Empty,
            Effect::Access(k, loc) => {
                if kinds.contains(k) {
                    LocSet::Cell(loc.clone())
                } else {
                    LocSet::Empty
                }
            }
            Effect::Guard(ee, a) => LocSet::filter(ee.clone(), a.exposed(kinds)),
            Effect::Loop(x, a) => LocSet::big_union(*x, a.exposed(kinds)),
            Effect::Seq(parts) => {
                let mut gone: Vec<Sym> = Vec::new();
                let (mut sets, mut written) = (Vec::new(), Vec::new());
                for a in parts.iter() {
                    let set = a.exposed(kinds).without(&gone);
                    let hidden = LocSet::union(written.iter().cloned());
                    sets.push(set.minus(hidden));
                    written.push(a.wr());
                    gone.extend(a.allocated());
                }
                LocSet::union(sets)
            }
        }
    }

    /// The effect with values put in for variables, and views for roots. Binders are fresh, so none captures.
    #[must_use]
    pub fn substitute(&self, sub: &Substitution, views: &BTreeMap<Sym, View>) -> Effect {
        match self {
            Effect::Empty => Effect::Empty,
            Effect::Seq(parts) => Effect::seq(parts.iter().map(|a| a.substitute(sub, views))),
            Effect::Guard(ee, a) => Effect::guard(ee.substitute(sub), a.substitute(sub, views)),
            Effect::Loop(x, a) => {
                let fresh = x.renewed();
                let mut under = sub.clone();
                under.insert(Var::Local(*x), EffExpr::int_var(fresh));
                Effect::over(fresh, a.substitute(&under, views))
            }
            Effect::Access(kind, loc) => {
                let idx: Vec<EffExpr> = loc.idx.iter().map(|i| i.substitute(sub)).collect();
                let at = match loc.base {
                    Base::Buffer(x) if views.contains_key(&x) => views[&x].locate(&idx),
                    Base::Buffer(_) | Base::Global(_) => Loc { base: loc.base, idx: idx.into() },
                };
                Effect::Access(*kind, at)
            }
            Effect::Alloc(x) => Effect::Alloc(*x),
        }
    }
}

/// The part of a set that is about fields.
fn on_fields(set: &LocSet) -> LocSet {
    set.on(&Base::is_field)
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Empty => f.write_str("∅"),
            Effect::Seq(parts) => {
                for (k, a) in parts.iter().enumerate() {
                    write!(f, "{}{a}", if k > 0 { "; " } else { "" })?;
                }
                Ok(())
            }
            Effect::Guard(ee, a) => write!(f, "Guard({ee}, {a})"),
            Effect::Loop(x, a) => write!(f, "Loop({x}, {a})"),
            Effect::Access(kind, loc) => write!(f, "{kind:?}({loc})"),
            Effect::Alloc(x) => write!(f, "Alloc({x})"),
        }
    }
}

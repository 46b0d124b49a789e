//! What variables, fields and results can be: an analysis of the whole program that no order of execution changes.
//! Spec: [rule: perceus.kinds].
//!
//! There is a slot for each variable of each function, each field of each constructor, each result, and one each for what any
//! closure is given and gives. A slot's kind is the least that holds everything that flows into it.

use super::{Atom, Block, Bound, Code, End, Fun, Instr, Rhs};
use crate::deep;
use crate::syntax::Prim;
use crate::vars::Vars;
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What something can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueKinds {
    /// An integer.
    pub int: bool,
    /// A closure.
    pub closure: bool,
    /// A reference.
    pub reference: bool,
    /// A constructor, one of these.
    pub cons: BTreeSet<Name>,
}

impl ValueKinds {
    /// Whether it is an integer, always.
    pub fn is_int(&self) -> bool {
        self.int && self.is_data() && self.cons.is_empty()
    }

    /// Whether it is neither a closure nor a reference.
    pub fn is_data(&self) -> bool {
        !self.closure && !self.reference
    }

    fn join(&mut self, other: &ValueKinds) -> bool {
        let before = (self.int, self.closure, self.reference, self.cons.len());
        self.int |= other.int;
        self.closure |= other.closure;
        self.reference |= other.reference;
        self.cons.extend(&other.cons);
        before != (self.int, self.closure, self.reference, self.cons.len())
    }

    fn con(name: Name) -> ValueKinds {
        ValueKinds { cons: [name].into(), ..ValueKinds::default() }
    }
}

/// Where values flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A variable of a function.
    Var(Name, Name),
    /// A field of a constructor.
    Field(Name, usize),
    /// What a function gives.
    Result(Name),
    /// What closures are given.
    Argument,
    /// What closures give.
    Given,
    /// What references hold.
    Held,
}

/// The kinds of all slots.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    slots: FxHashMap<Slot, ValueKinds>,
    changed: bool,
}

impl Kinds {
    /// Those of a program.
    #[must_use]
    pub fn of(code: &Code) -> Kinds {
        let mut kinds = Kinds::default();
        loop {
            kinds.changed = false;
            for s in &code.statics {
                s.args.iter().enumerate().for_each(|(i, a)| kinds.constant(code, *a, Slot::Field(s.con, i)));
            }
            for f in code.all() {
                kinds.block(f, code, &f.body, Slot::Result(f.name));
            }
            if !kinds.changed {
                return kinds;
            }
        }
    }

    /// The kind of a slot; nothing flows into one that is not known.
    pub fn get(&self, slot: Slot) -> ValueKinds {
        self.slots.get(&slot).cloned().unwrap_or_default()
    }

    fn flow(&mut self, kind: &ValueKinds, to: Slot) {
        let changed = self.slots.entry(to).or_default().join(kind);
        self.changed |= changed;
    }

    fn copy(&mut self, from: Slot, to: Slot) {
        let kind = self.get(from);
        self.flow(&kind, to);
    }

    fn atom(&mut self, f: &Fun, code: &Code, a: Atom, to: Slot) {
        match a {
            Atom::Var(x) => self.copy(Slot::Var(f.name, x), to),
            Atom::Con(_) | Atom::Int(_) | Atom::Static(_) => self.constant(code, a, to),
        }
    }

    fn constant(&mut self, code: &Code, a: Atom, to: Slot) {
        match a {
            Atom::Var(_) => {}
            Atom::Con(c) => self.flow(&ValueKinds::con(c), to),
            Atom::Int(_) => self.flow(&ValueKinds { int: true, ..ValueKinds::default() }, to),
            Atom::Static(s) => code.fixed(s).into_iter().for_each(|s| self.flow(&ValueKinds::con(s.con), to)),
        }
    }

    fn block(&mut self, f: &Fun, code: &Code, b: &Block, to: Slot) {
        for i in &b.instrs {
            match i {
                Instr::Val(x, Bound::Rhs(r)) => self.rhs(f, code, r, Slot::Var(f.name, *x)),
                Instr::Val(x, Bound::Block(b)) => deep(|| self.block(f, code, b, Slot::Var(f.name, *x))),
                Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => {}
            }
        }
        match &b.end {
            End::Done(r) => self.rhs(f, code, r, to),
            End::Match(_, arms) => {
                for arm in arms {
                    for (i, b) in arm.binders.iter().enumerate() {
                        if let Some(b) = b {
                            self.copy(Slot::Field(arm.con, i), Slot::Var(f.name, *b));
                        }
                    }
                    deep(|| self.block(f, code, &arm.body, to));
                }
            }
        }
    }

    fn rhs(&mut self, f: &Fun, code: &Code, r: &Rhs, to: Slot) {
        match r {
            Rhs::Atom(a) => self.atom(f, code, *a, to),
            Rhs::Lam(l) => {
                let closure = ValueKinds { closure: true, ..ValueKinds::default() };
                self.flow(&closure, Slot::Var(f.name, l.this));
                self.copy(Slot::Argument, Slot::Var(f.name, l.param));
                deep(|| self.block(f, code, &l.body, Slot::Given));
                self.flow(&closure, to);
            }
            Rhs::App(_, a) => {
                self.atom(f, code, *a, Slot::Argument);
                self.copy(Slot::Given, to);
            }
            Rhs::Con(c) => {
                c.args.iter().enumerate().for_each(|(i, a)| self.atom(f, code, *a, Slot::Field(c.name, i)));
                self.flow(&ValueKinds::con(c.name), to);
            }
            Rhs::Prim(op, _) if op.is_comparison() => {
                self.flow(
                    &ValueKinds { cons: ["False", "True"].map(Name::new).into(), ..ValueKinds::default() },
                    to,
                );
            }
            Rhs::Prim(Prim::Ref, args) => {
                args.iter().for_each(|a| self.atom(f, code, *a, Slot::Held));
                self.flow(&ValueKinds { reference: true, ..ValueKinds::default() }, to);
            }
            Rhs::Prim(Prim::Get, _) => self.copy(Slot::Held, to),
            Rhs::Prim(Prim::Set, args) => {
                args.iter().skip(1).for_each(|a| self.atom(f, code, *a, Slot::Held));
                self.flow(&ValueKinds::con(Name::new("Unit")), to);
            }
            Rhs::Prim(..) => self.flow(&ValueKinds { int: true, ..ValueKinds::default() }, to),
            Rhs::Call(g, args) => {
                if let Some(callee) = code.fun(*g) {
                    for (x, a) in callee.params.iter().zip(args) {
                        self.atom(f, code, *a, Slot::Var(*g, *x));
                    }
                    self.copy(Slot::Result(*g), to);
                }
            }
        }
    }

    /// The variables of a function that need no counting: always an integer, or always a constructor without fields. One that
    /// is now this and now that holds a word in C, which for an integer of 64 bits is a cell.
    pub fn plain(&self, f: &Fun, code: &Code) -> Vars {
        let mut bound = super::scope::names(&f.body);
        bound.extend(&f.params);
        let tokens = tokens(&f.body);
        let has_fields = |c: &Name| code.constructors.get(c).is_some_and(|n| *n > 0);
        let is_plain = |x: &Name| {
            let kind = self.get(Slot::Var(f.name, *x));
            let is_constant = !kind.int && kind.is_data() && !kind.cons.iter().any(has_fields);
            (kind.is_int() || is_constant) && !tokens.contains(x)
        };
        bound.into_iter().filter(is_plain).collect()
    }
}

/// The tokens of a block.
fn tokens(b: &Block) -> BTreeSet<Name> {
    let mut all = BTreeSet::new();
    b.each(&mut |_, b| {
        all.extend(b.instrs.iter().filter_map(|i| match i {
            Instr::Token { token, .. } => Some(*token),
            Instr::Op(_) | Instr::Unique(..) | Instr::Val(..) => None,
        }));
    });
    all
}

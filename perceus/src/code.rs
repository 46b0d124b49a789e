//! The language that is optimised: λ¹ after Fig. 4.8 with each count operation in sight. Thesis Fig. 4.1 (b) to (g),
//! worked out from the prose [P-13]. Spec: [rule: perceus.code].
//!
//! ```text
//! b   ::= i; … t                                       a block
//! i   ::= val x = r | val x = b | o
//!       | if is-unique(x) then { o; … } else { o; … }
//!       | val r = drop-reuse(x)
//!       | val r = if is-unique(x) then { o; …; &x } else { o; …; NULL }
//! o   ::= dup(x) | drop(x) | decref(x) | free(x) | drop-token(r)
//! t   ::= r | match(x) { C b … -> b … }                what a block ends with: a value, or a branch
//! r   ::= a | C(a, …) | C@r(a, …, f = a, …) | a(a) | f(a, …) | ⊕(a, a) | fn^ys(x) { b }
//! a   ::= x | n | C | #s                                a static cell
//! ```
//!
//! `match` only looks: it neither duplicates the fields nor consumes the scrutinee; the operations behind it do. In `C@r`
//! the fields that are marked as kept are not assigned where r is memory. A constructor without fields is a value that
//! is no cell. A closure's body owns the closure as `self` and duplicates what was captured.

pub mod kinds;
pub mod machine;
pub mod owned;
pub mod print;
pub mod scope;
pub mod value;
pub mod walk;

use crate::syntax::Prim;
use crate::vars::Vars;
use rewright_base::sym::Name;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Functions and the block that is run.
#[derive(Clone, Debug)]
pub struct Code {
    /// The constructors that may occur, with their arities.
    pub constructors: BTreeMap<Name, usize>,
    /// The cells that [`Atom::Static`] may name, each behind those it refers to: [rule: perceus.constants].
    pub statics: Vec<Static>,
    /// The functions that [`Rhs::Call`] may name.
    pub funs: Vec<Fun>,
    /// What is run: a function without parameters.
    pub main: Fun,
}

impl Code {
    /// A static cell.
    pub fn fixed(&self, id: StaticId) -> Option<&Static> {
        self.statics.get(id.0)
    }

    /// The function of this name.
    pub fn fun(&self, name: Name) -> Option<&Fun> {
        self.funs.iter().find(|f| f.name == name)
    }

    /// Which arguments each function borrows, of those that borrow any.
    pub fn borrows(&self) -> Borrows {
        let some = self.funs.iter().filter(|f| !f.borrowed.is_empty());
        some.map(|f| (f.name, f.params.iter().map(|x| f.borrowed.contains(*x)).collect())).collect()
    }

    /// All functions, `main` the last.
    pub fn all(&self) -> impl Iterator<Item = &Fun> {
        self.funs.iter().chain([&self.main])
    }

    /// The same with each function changed.
    #[must_use]
    pub fn map(&self, mut f: impl FnMut(&Fun) -> Fun) -> Code {
        Code {
            constructors: self.constructors.clone(),
            statics: self.statics.clone(),
            funs: self.funs.iter().map(&mut f).collect(),
            main: f(&self.main),
        }
    }
}

/// For a function, whether it borrows each of its arguments.
pub type Borrows = BTreeMap<Name, Vec<bool>>;

/// The number of a static cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StaticId(pub usize);

/// C(a, …) that is there from the start, and that nobody counts. No a is a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Static {
    /// C
    pub con: Name,
    /// The fields.
    pub args: Vec<Atom>,
}

/// A function. Binders are distinct in it, those of its closures included.
#[derive(Clone, Debug)]
pub struct Fun {
    /// f
    pub name: Name,
    /// Its parameters, which it owns.
    pub params: Vec<Name>,
    /// What it does.
    pub body: Block,
    /// Variables that are never a cell, which need no counting.
    pub plain: Vars,
    /// The parameters that it does not own: who calls it keeps them ([rule: perceus.borrow]).
    pub borrowed: Vars,
}

/// Instructions, and an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// In order.
    pub instrs: Vec<Instr>,
    /// What the block gives.
    pub end: End,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instr {
    /// val x = …
    Val(Name, Bound),
    /// An operation on a count.
    Op(Op),
    /// if is-unique(x) then { … } else { … }
    Unique(Name, Fork),
    /// val r = drop-reuse(x), or what it was specialized to.
    Token {
        /// r
        token: Name,
        /// x
        of: Name,
        /// `then` ends with `&x`, `otherwise` with NULL; `None` is `drop-reuse`.
        fork: Option<Fork>,
    },
}

/// The two ways of an `is-unique`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fork {
    /// The count is 1.
    pub then: Vec<Op>,
    /// It is not.
    pub otherwise: Vec<Op>,
}

/// An operation on a count. Each does nothing on what is no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// One more.
    Dup(Name),
    /// One less; at 0 the cell is freed and its children are dropped.
    Drop(Name),
    /// One less, where others are left.
    DecRef(Name),
    /// The memory of a cell whose count is 1 is given back; what its fields own goes to the variables they are bound to.
    Free(Name),
    /// The memory of a token, where it has one, is given back.
    DropToken(Name),
}

impl Op {
    /// The variable it is about.
    pub fn name(self) -> Name {
        match self {
            Op::Dup(x) | Op::Drop(x) | Op::DecRef(x) | Op::Free(x) | Op::DropToken(x) => x,
        }
    }
}

/// What a `val` binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// r
    Rhs(Rhs),
    /// b
    Block(Box<Block>),
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A value; a call or an application here is a tail call.
    Done(Rhs),
    /// match(x) { … }
    Match(Name, Vec<Arm>),
}

/// C b … -> b
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// C
    pub con: Name,
    /// What the fields are called here; `None` is the wildcard.
    pub binders: Vec<Option<Name>>,
    /// The block.
    pub body: Block,
}

impl Arm {
    /// The same arm with another block.
    #[must_use]
    pub fn with(&self, body: Block) -> Arm {
        Arm { con: self.con, binders: self.binders.clone(), body }
    }
}

/// A variable, or a value that nobody counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// x
    Var(Name),
    /// n
    Int(i64),
    /// C, a constructor without fields
    Con(Name),
    /// A static cell.
    Static(StaticId),
}

impl Atom {
    /// The variable, where it is one.
    pub fn var(self) -> Option<Name> {
        match self {
            Atom::Var(x) => Some(x),
            Atom::Int(_) | Atom::Con(_) | Atom::Static(_) => None,
        }
    }
}

/// What is computed in one step. It consumes each variable in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rhs {
    /// a
    Atom(Atom),
    /// fn^ys(x) { b }
    Lam(Arc<Lam>),
    /// a(a)
    App(Atom, Atom),
    /// C(a, …), C@r(a, …)
    Con(Con),
    /// ⊕(a, a)
    Prim(Prim, Vec<Atom>),
    /// f(a, …)
    Call(Name, Vec<Atom>),
}

/// fn^ys(x) { b }
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lam {
    /// What is captured.
    pub ys: Vec<Name>,
    /// The closure itself, as its body calls it.
    pub this: Name,
    /// x
    pub param: Name,
    /// b
    pub body: Block,
}

impl Lam {
    /// The same closure with another body.
    #[must_use]
    pub fn with(&self, body: Block) -> Lam {
        Lam { ys: self.ys.clone(), this: self.this, param: self.param, body }
    }
}

/// C(a, …), C@r(a, …)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Con {
    /// C
    pub name: Name,
    /// The fields.
    pub args: Vec<Atom>,
    /// The memory it is built in.
    pub at: Option<At>,
}

/// The memory that a constructor is built in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// r
    pub token: Name,
    /// The fields that are in that memory already; empty where all are assigned.
    pub kept: Vec<bool>,
}

impl At {
    /// Whether this field is not assigned in reused memory.
    pub fn keeps(&self, field: usize) -> bool {
        self.kept.get(field).copied().unwrap_or(false)
    }
}

impl Rhs {
    /// The variables it consumes, each as often as it is there; the token is one of them.
    pub fn vars(&self) -> Vec<Name> {
        let of = |atoms: &[Atom]| atoms.iter().filter_map(|a| a.var()).collect::<Vec<_>>();
        match self {
            Rhs::Atom(a) => of(&[*a]),
            Rhs::Lam(l) => l.ys.clone(),
            Rhs::App(f, a) => of(&[*f, *a]),
            Rhs::Con(c) => of(&c.args).into_iter().chain(c.at.as_ref().map(|at| at.token)).collect(),
            Rhs::Prim(_, args) | Rhs::Call(_, args) => of(args),
        }
    }
}

impl Block {
    /// The same block with `f` applied to its own instructions and those of every block below it, innermost first. `f` gets
    /// the arm or the closure that the block is the body of.
    #[must_use]
    pub fn map(&self, above: Above<'_>, f: &mut dyn FnMut(Above<'_>, Block) -> Block) -> Block {
        let below = crate::deep(|| {
            let instrs = self.instrs.iter().map(|i| match i {
                Instr::Val(x, Bound::Block(b)) => {
                    Instr::Val(*x, Bound::Block(Box::new(b.map(Above::Nothing, f))))
                }
                Instr::Val(x, Bound::Rhs(r)) => Instr::Val(*x, Bound::Rhs(r.map(f))),
                Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => i.clone(),
            });
            let instrs = instrs.collect();
            let end = match &self.end {
                End::Done(r) => End::Done(r.map(f)),
                End::Match(x, arms) => {
                    let arm = |a: &Arm| a.with(a.body.map(Above::Arm(*x, a), f));
                    End::Match(*x, arms.iter().map(arm).collect())
                }
            };
            Block { instrs, end }
        });
        f(above, below)
    }
}

impl Block {
    /// Shows `f` this block and every block below it, innermost first.
    pub fn each(&self, f: &mut dyn FnMut(Above<'_>, &Block)) {
        drop(self.map(Above::Nothing, &mut |above, b| {
            f(above, &b);
            b
        }));
    }
}

impl Rhs {
    fn map(&self, f: &mut dyn FnMut(Above<'_>, Block) -> Block) -> Rhs {
        match self {
            Rhs::Lam(l) => Rhs::Lam(Arc::new(l.with(l.body.map(Above::Lam(l), f)))),
            Rhs::Atom(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..) | Rhs::Call(..) => self.clone(),
        }
    }
}

/// What a block is the body of.
#[derive(Clone, Copy, Debug)]
pub enum Above<'a> {
    /// A function, or a `val`.
    Nothing,
    /// An arm of a match on this variable.
    Arm(Name, &'a Arm),
    /// A closure.
    Lam(&'a Lam),
}

impl Above<'_> {
    /// The cell that the block begins with looking into, and what its fields are called.
    pub fn cell(&self) -> Option<(Name, Vec<Option<Name>>)> {
        match self {
            Above::Nothing => None,
            Above::Arm(x, arm) => Some((*x, arm.binders.clone())),
            Above::Lam(l) => Some((l.this, l.ys.iter().map(|y| Some(*y)).collect())),
        }
    }
}

//! The syntax of λ¹. Thesis Fig. 4.4. Spec: [rule: perceus.syntax].
//!
//! ```text
//! e ::= v | e e | val x = e; e | match x { p → e … } | dup x; e | drop x; e
//!     | n | ⊕(e …) | f(e …)                                     integers, primitives, calls (extensions)
//! v ::= x | λ^ys x. e | C v₁ … vₙ | C@r v₁ … vₙ
//! p ::= C b₁ … bₙ | C b₁ … bₙ @r        b ::= x | _
//! ```
//!
//! `dup`, `drop`, `ys` and `@r` are only generated: no one writes them. `r` is a *reuse token*, the memory of the cell
//! that was matched (§4.2.4).

pub mod distinct;
pub mod place;
pub mod print;
pub mod valid;

use crate::vars::Vars;
use rewright_base::sym::Name;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// An expression: immutable, shared, and it knows its free variables. Cloning is O(1).
///
/// Invariant: `free` is fv(e), and `used` is fv(⌊e⌋), the free variables once `dup` and `drop` are erased.
#[derive(Clone)]
pub struct Expr(Arc<Node>);

#[derive(Clone)]
struct Node {
    kind: ExprKind,
    free: Vars,
    used: Vars,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// x
    Var(Name),
    /// n: an extension. A value that is no cell.
    Int(i64),
    /// λ^ys x. e
    Lam(Lam),
    /// e₁ e₂: the function first.
    App(Expr, Expr),
    /// val x = e₁; e₂. x is bound in e₂ alone.
    Val(Name, Expr, Expr),
    /// match x { p → e … }
    Match(Name, Vec<Branch>),
    /// C e₁ … eₙ. In a source program, each argument is a value.
    Con(Con),
    /// ⊕(e₁, …): an extension. Operands left to right.
    Prim(Prim, Vec<Expr>),
    /// f(e₁, …, eₙ): an extension. All arguments of a function that is defined at the top, left to right.
    Call(Name, Vec<Expr>),
    /// dup x; e
    Dup(Name, Expr),
    /// drop x; e
    Drop(Name, Expr),
}

/// λ^ys x. e
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lam {
    /// What the closure captures; `None` in a source program, where it is fv(λx. e).
    pub ys: Option<Vec<Name>>,
    /// x
    pub param: Name,
    /// e
    pub body: Expr,
}

/// C e₁ … eₙ, perhaps built in the memory that a token names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Con {
    /// C
    pub name: Name,
    /// The token, where there is one.
    pub at: Option<Name>,
    /// e₁ … eₙ
    pub args: Vec<Expr>,
}

/// p → e
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// p
    pub pattern: Pattern,
    /// e
    pub body: Expr,
}

/// C b₁ … bₙ, perhaps with a token for the memory of the cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// C
    pub con: Name,
    /// `None` is the wildcard.
    pub binders: Vec<Option<Name>>,
    /// The token that the branch gets, where there is one.
    pub reuse: Option<Name>,
}

impl Pattern {
    /// C b₁ … bₙ
    pub fn new(con: impl Into<Name>, binders: Vec<Option<Name>>) -> Pattern {
        Pattern { con: con.into(), binders, reuse: None }
    }

    /// The names of the fields, from left to right.
    pub fn fields(&self) -> impl Iterator<Item = Name> + '_ {
        self.binders.iter().filter_map(|b| *b)
    }

    /// bv(p); the token is one of them.
    pub fn bound(&self) -> Vars {
        self.fields().chain(self.reuse).collect()
    }
}

/// Primitive operations on integers and on references. An extension. Spec: [rule: perceus.mutation].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Prim {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// Division that rounds down.
    Div,
    /// What such a division leaves: the sign of the divisor.
    Mod,
    /// `==`, giving `True` or `False`
    Eq,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `ref(e)`: a reference that holds e.
    Ref,
    /// `!e`: what a reference holds.
    Get,
    /// `e := e`: a reference holds something else from now on. Gives `Unit`.
    Set,
}

impl Prim {
    /// All of them.
    pub const ALL: [Prim; 11] = [
        Prim::Add,
        Prim::Sub,
        Prim::Mul,
        Prim::Div,
        Prim::Mod,
        Prim::Eq,
        Prim::Lt,
        Prim::Le,
        Prim::Ref,
        Prim::Get,
        Prim::Set,
    ];

    /// How many operands it takes.
    pub fn arity(self) -> usize {
        match self {
            Prim::Ref | Prim::Get => 1,
            Prim::Set
            | Prim::Add
            | Prim::Sub
            | Prim::Mul
            | Prim::Div
            | Prim::Mod
            | Prim::Eq
            | Prim::Lt
            | Prim::Le => 2,
        }
    }

    /// Whether it is about references: it has an effect, and what it does to counts depends on what other references refer to.
    pub fn is_about_references(self) -> bool {
        match self {
            Prim::Ref | Prim::Get | Prim::Set => true,
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Mod | Prim::Eq | Prim::Lt | Prim::Le => {
                false
            }
        }
    }

    /// Its name in prefix notation.
    pub fn name(self) -> &'static str {
        match self {
            Prim::Add => "add",
            Prim::Sub => "sub",
            Prim::Mul => "mul",
            Prim::Div => "div",
            Prim::Mod => "mod",
            Prim::Eq => "eq",
            Prim::Lt => "lt",
            Prim::Le => "le",
            Prim::Ref => "ref",
            Prim::Get => "get",
            Prim::Set => "set",
        }
    }

    /// Whether it gives `True` or `False` rather than an integer.
    pub fn is_comparison(self) -> bool {
        match self {
            Prim::Eq | Prim::Lt | Prim::Le => true,
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Mod | Prim::Ref | Prim::Get | Prim::Set => {
                false
            }
        }
    }
}

impl fmt::Display for Prim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A definition at the top, `fun f(x₁, …, xₙ) { e }`: an extension [P-10]. Definitions are closed but for one another, and
/// no cells.
#[derive(Clone, Debug)]
pub struct Def {
    /// f
    pub name: Name,
    /// x₁ … xₙ, distinct.
    pub params: Vec<Name>,
    /// e
    pub body: Expr,
}

/// Definitions, and the closed expression that is the program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The constructors that may occur, with their arities.
    pub constructors: BTreeMap<Name, usize>,
    /// The functions that [`ExprKind::Call`] may name.
    pub defs: Vec<Def>,
    /// What is run.
    pub main: Expr,
}

impl Program {
    /// A program without definitions.
    pub fn of(constructors: BTreeMap<Name, usize>, main: Expr) -> Program {
        Program { constructors, defs: Vec::new(), main }
    }

    /// The definition of this name.
    pub fn def(&self, name: Name) -> Option<&Def> {
        self.defs.iter().find(|d| d.name == name)
    }

    /// ⌊·⌋ of every expression in it.
    #[must_use]
    pub fn erased(&self) -> Program {
        let def = |d: &Def| Def { name: d.name, params: d.params.clone(), body: d.body.erased() };
        Program {
            constructors: self.constructors.clone(),
            defs: self.defs.iter().map(def).collect(),
            main: self.main.erased(),
        }
    }
}

impl Expr {
    /// An expression of this form.
    pub fn new(kind: ExprKind) -> Expr {
        let free = free_of(&kind, Expr::free);
        let used = match &kind {
            ExprKind::Dup(_, e) | ExprKind::Drop(_, e) => e.used().clone(),
            ExprKind::Var(_)
            | ExprKind::Int(_)
            | ExprKind::Lam(_)
            | ExprKind::App(..)
            | ExprKind::Val(..)
            | ExprKind::Match(..)
            | ExprKind::Con(_)
            | ExprKind::Prim(..)
            | ExprKind::Call(..) => {
                let used = free_of(&kind, Expr::used);
                if used == free { free.clone() } else { used }
            }
        };
        Expr(Arc::new(Node { kind, free, used }))
    }

    /// x
    pub fn var(x: impl Into<Name>) -> Expr {
        Expr::new(ExprKind::Var(x.into()))
    }

    /// n
    pub fn int(n: i64) -> Expr {
        Expr::new(ExprKind::Int(n))
    }

    /// λx. e
    pub fn lam(x: impl Into<Name>, body: Expr) -> Expr {
        Expr::new(ExprKind::Lam(Lam { ys: None, param: x.into(), body }))
    }

    /// e₁ e₂
    pub fn app(fun: Expr, arg: Expr) -> Expr {
        Expr::new(ExprKind::App(fun, arg))
    }

    /// val x = e₁; e₂
    pub fn val(x: impl Into<Name>, bound: Expr, body: Expr) -> Expr {
        Expr::new(ExprKind::Val(x.into(), bound, body))
    }

    /// match x { p → e … }
    pub fn case(x: impl Into<Name>, branches: Vec<Branch>) -> Expr {
        Expr::new(ExprKind::Match(x.into(), branches))
    }

    /// C e₁ … eₙ
    pub fn con(name: impl Into<Name>, args: Vec<Expr>) -> Expr {
        Expr::new(ExprKind::Con(Con { name: name.into(), at: None, args }))
    }

    /// dup x; e
    pub fn dup(x: Name, e: Expr) -> Expr {
        Expr::new(ExprKind::Dup(x, e))
    }

    /// drop x; e
    pub fn drop(x: Name, e: Expr) -> Expr {
        Expr::new(ExprKind::Drop(x, e))
    }

    /// dup x₁; …; dup xₙ; e
    pub fn dups(xs: &Vars, e: Expr) -> Expr {
        xs.iter().rev().fold(e, |e, x| Expr::dup(x, e))
    }

    /// drop x₁; …; drop xₙ; e
    pub fn drops(xs: &Vars, e: Expr) -> Expr {
        xs.iter().rev().fold(e, |e, x| Expr::drop(x, e))
    }

    /// Its form.
    pub fn kind(&self) -> &ExprKind {
        &self.0.kind
    }

    /// fv(e)
    pub fn free(&self) -> &Vars {
        &self.0.free
    }

    /// fv(⌊e⌋)
    pub fn used(&self) -> &Vars {
        &self.0.used
    }

    /// Whether this has the form of a value: a variable, an integer, a lambda, a constructor.
    pub fn is_value_form(&self) -> bool {
        match self.kind() {
            ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Lam(_) | ExprKind::Con(_) => true,
            ExprKind::App(..)
            | ExprKind::Val(..)
            | ExprKind::Match(..)
            | ExprKind::Prim(..)
            | ExprKind::Call(..)
            | ExprKind::Dup(..)
            | ExprKind::Drop(..) => false,
        }
    }

    /// x and e of `dup x; e`.
    pub fn as_dup(&self) -> Option<(Name, &Expr)> {
        if let ExprKind::Dup(x, e) = self.kind() { Some((*x, e)) } else { None }
    }

    /// x and e of `drop x; e`.
    pub fn as_drop(&self) -> Option<(Name, &Expr)> {
        if let ExprKind::Drop(x, e) = self.kind() { Some((*x, e)) } else { None }
    }

    /// How many nodes it has.
    pub fn size(&self) -> usize {
        crate::deep(|| 1 + self.children().map(Expr::size).sum::<usize>())
    }

    /// The expressions right below this one, in order of evaluation.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let (first, second, many, branches): (_, _, &[Expr], &[Branch]) = match self.kind() {
            ExprKind::Var(_) | ExprKind::Int(_) => (None, None, &[], &[]),
            ExprKind::Lam(l) => (Some(&l.body), None, &[], &[]),
            ExprKind::App(a, b) | ExprKind::Val(_, a, b) => (Some(a), Some(b), &[], &[]),
            ExprKind::Match(_, branches) => (None, None, &[], branches),
            ExprKind::Con(c) => (None, None, &c.args, &[]),
            ExprKind::Prim(_, args) | ExprKind::Call(_, args) => (None, None, args, &[]),
            ExprKind::Dup(_, e) | ExprKind::Drop(_, e) => (Some(e), None, &[], &[]),
        };
        first.into_iter().chain(second).chain(many).chain(branches.iter().map(|b| &b.body))
    }

    /// The same form over other expressions: `f` is applied to each child, in order of evaluation.
    #[must_use]
    pub fn map(&self, mut f: impl FnMut(&Expr) -> Expr) -> Expr {
        Expr::new(match self.kind() {
            ExprKind::Var(_) | ExprKind::Int(_) => return self.clone(),
            ExprKind::Lam(l) => ExprKind::Lam(Lam { ys: l.ys.clone(), param: l.param, body: f(&l.body) }),
            ExprKind::App(a, b) => {
                let a = f(a);
                ExprKind::App(a, f(b))
            }
            ExprKind::Val(x, a, b) => {
                let a = f(a);
                ExprKind::Val(*x, a, f(b))
            }
            ExprKind::Match(x, branches) => {
                let branch = |b: &Branch| Branch { pattern: b.pattern.clone(), body: f(&b.body) };
                ExprKind::Match(*x, branches.iter().map(branch).collect())
            }
            ExprKind::Con(c) => {
                ExprKind::Con(Con { name: c.name, at: c.at, args: c.args.iter().map(f).collect() })
            }
            ExprKind::Prim(op, args) => ExprKind::Prim(*op, args.iter().map(f).collect()),
            ExprKind::Call(g, args) => ExprKind::Call(*g, args.iter().map(f).collect()),
            ExprKind::Dup(x, e) => ExprKind::Dup(*x, f(e)),
            ExprKind::Drop(x, e) => ExprKind::Drop(*x, f(e)),
        })
    }

    /// ⌊e⌋: the expression without what only translations have, `dup`, `drop`, `ys` and reuse tokens (Thesis §4.3.2).
    #[must_use]
    pub fn erased(&self) -> Expr {
        crate::deep(|| match self.kind() {
            ExprKind::Dup(_, e) | ExprKind::Drop(_, e) => e.erased(),
            ExprKind::Lam(l) => Expr::lam(l.param, l.body.erased()),
            ExprKind::Con(c) => Expr::con(c.name, c.args.iter().map(Expr::erased).collect()),
            ExprKind::Match(x, branches) => {
                let erased = branches.iter().map(|b| Branch {
                    pattern: Pattern { reuse: None, ..b.pattern.clone() },
                    body: b.body.erased(),
                });
                Expr::case(*x, erased.collect())
            }
            ExprKind::Var(_)
            | ExprKind::Int(_)
            | ExprKind::App(..)
            | ExprKind::Val(..)
            | ExprKind::Prim(..)
            | ExprKind::Call(..) => self.map(Expr::erased),
        })
    }
}

/// The free variables of a form, given those of the expressions in it.
fn free_of(kind: &ExprKind, of: impl Fn(&Expr) -> &Vars) -> Vars {
    let all = |es: &[Expr]| es.iter().fold(Vars::empty(), |set, e| set.union(of(e)));
    match kind {
        ExprKind::Var(x) => Vars::one(*x),
        ExprKind::Int(_) => Vars::empty(),
        ExprKind::Lam(l) => of(&l.body).without(l.param),
        ExprKind::App(a, b) => of(a).union(of(b)),
        ExprKind::Val(x, a, b) => of(a).union(&of(b).without(*x)),
        ExprKind::Match(x, branches) => {
            let branch = |b: &Branch| of(&b.body).minus(&b.pattern.bound());
            branches.iter().fold(Vars::one(*x), |set, b| set.union(&branch(b)))
        }
        ExprKind::Con(c) => c.at.iter().fold(all(&c.args), |set, r| set.with(*r)),
        ExprKind::Prim(_, args) | ExprKind::Call(_, args) => all(args),
        ExprKind::Dup(x, e) | ExprKind::Drop(x, e) => of(e).with(*x),
    }
}

/// Deep expressions are taken apart without recursion.
impl Drop for Node {
    fn drop(&mut self) {
        if matches!(self.kind, ExprKind::Var(_) | ExprKind::Int(_)) {
            return;
        }
        let mut rest = Vec::new();
        let take =
            |node: &mut Node, rest: &mut Vec<Expr>| match std::mem::replace(&mut node.kind, ExprKind::Int(0))
            {
                ExprKind::Var(_) | ExprKind::Int(_) => {}
                ExprKind::Lam(l) => rest.push(l.body),
                ExprKind::App(a, b) | ExprKind::Val(_, a, b) => rest.extend([a, b]),
                ExprKind::Match(_, branches) => rest.extend(branches.into_iter().map(|b| b.body)),
                ExprKind::Con(c) => rest.extend(c.args),
                ExprKind::Prim(_, args) | ExprKind::Call(_, args) => rest.extend(args),
                ExprKind::Dup(_, e) | ExprKind::Drop(_, e) => rest.push(e),
            };
        take(self, &mut rest);
        while let Some(Expr(mut node)) = rest.pop() {
            if let Some(node) = Arc::get_mut(&mut node) {
                take(node, &mut rest);
            }
        }
    }
}

/// Letter by letter; [`crate::canon::equal`] is up to names.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.free() == other.free() && crate::deep(|| self.kind() == other.kind())
    }
}

impl Eq for Expr {}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::expr(self))
    }
}

/// `fun f(x, y) { e }`, a line for each definition, then the expression.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for d in &self.defs {
            let params: Vec<&str> = d.params.iter().map(|p| p.as_str()).collect();
            writeln!(f, "fun {}({}) {{ {} }}", d.name, params.join(", "), d.body)?;
        }
        write!(f, "{}", self.main)
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::expr(self))
    }
}

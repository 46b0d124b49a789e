//! Inlining. Thesis §4.2.5: "the compiler inlines the `bal-left` function". Spec: [rule: perceus.inline].
//!
//! It comes first, on λ¹. A call of a definition that does not call itself, not through others either, becomes
//! `val x₁ = e₁; …; val xₙ = eₙ; e`, where e is its body and not larger than [`LARGEST`]. Definitions that nothing calls any more go.
//! Then `val x = y; e` becomes e[x := y].

use crate::deep;
use crate::syntax::{Branch, Def, Expr, ExprKind, Lam, Program, distinct};
use rewright_base::sym::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many nodes a body may have that is inlined.
pub const LARGEST: usize = 400;

/// How many nodes a definition may grow to.
const ROOM: usize = 20_000;

/// The program with calls inlined; binders are distinct.
#[must_use]
pub fn program(p: &Program) -> Program {
    let p = distinct::program(p);
    let mut inline = Inline { bodies: FxHashMap::default(), temporaries: 0 };
    let mut out = p.clone();
    // Callees first, so that what is inlined is inlined already.
    for name in from_the_leaves(&p) {
        let Some(d) = out.defs.iter_mut().find(|d| d.name == name) else { continue };
        d.body = inline.within(&d.body);
        if d.body.size() <= LARGEST && !reaches(&p, name, name) {
            inline.bodies.insert(name, d.clone());
        }
    }
    out.main = inline.within(&out.main);
    let out = distinct::program(&live(&out));
    let copy = |d: &Def| Def { body: copied(&d.body, &mut FxHashMap::default()), ..d.clone() };
    Program {
        constructors: out.constructors.clone(),
        defs: out.defs.iter().map(copy).collect(),
        main: copied(&out.main, &mut FxHashMap::default()),
    }
}

/// The definitions that an expression calls.
fn calls(e: &Expr, into: &mut FxHashSet<Name>) {
    if let ExprKind::Call(f, _) = e.kind() {
        into.insert(*f);
    }
    e.children().for_each(|c| deep(|| calls(c, into)));
}

fn called(p: &Program, name: Name) -> FxHashSet<Name> {
    let mut all = FxHashSet::default();
    p.def(name).into_iter().for_each(|d| calls(&d.body, &mut all));
    all
}

/// Whether `from` calls `to`, perhaps through others.
fn reaches(p: &Program, from: Name, to: Name) -> bool {
    let (mut seen, mut rest) = (FxHashSet::default(), vec![from]);
    while let Some(f) = rest.pop() {
        for g in called(p, f) {
            if g == to {
                return true;
            }
            if seen.insert(g) {
                rest.push(g);
            }
        }
    }
    false
}

/// Definitions, each after those that it calls where these do not call it.
fn from_the_leaves(p: &Program) -> Vec<Name> {
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    fn visit(p: &Program, f: Name, seen: &mut FxHashSet<Name>, order: &mut Vec<Name>) {
        if !seen.insert(f) {
            return;
        }
        let mut callees: Vec<Name> = called(p, f).into_iter().collect();
        callees.sort_unstable();
        callees.into_iter().for_each(|g| deep(|| visit(p, g, seen, order)));
        order.push(f);
    }
    p.defs.iter().for_each(|d| visit(p, d.name, &mut seen, &mut order));
    order
}

/// The program without definitions that are not called from its main expression.
fn live(p: &Program) -> Program {
    let (mut seen, mut rest) = (FxHashSet::default(), FxHashSet::default());
    calls(&p.main, &mut rest);
    while let Some(f) = rest.iter().copied().find(|f| !seen.contains(f)) {
        seen.insert(f);
        rest.extend(called(p, f));
    }
    Program { defs: p.defs.iter().filter(|d| seen.contains(&d.name)).cloned().collect(), ..p.clone() }
}

struct Inline {
    bodies: FxHashMap<Name, Def>,
    temporaries: u64,
}

impl Inline {
    fn within(&mut self, e: &Expr) -> Expr {
        let out = self.expr(e);
        if out.size() <= ROOM { out } else { e.clone() }
    }

    fn expr(&mut self, e: &Expr) -> Expr {
        let e = deep(|| e.map(|c| self.expr(c)));
        match e.kind() {
            ExprKind::Call(f, args) => match self.bodies.get(f).cloned() {
                Some(d) => self.call(&d, args),
                None => e,
            },
            ExprKind::Var(_)
            | ExprKind::Int(_)
            | ExprKind::Lam(_)
            | ExprKind::App(..)
            | ExprKind::Val(..)
            | ExprKind::Match(..)
            | ExprKind::Con(_)
            | ExprKind::Prim(..)
            | ExprKind::Dup(..)
            | ExprKind::Drop(..) => e,
        }
    }

    /// Where an argument has a variable that is called like a parameter, arguments get names that occur nowhere before parameters
    /// get theirs. No name of a program has a dot.
    fn call(&mut self, d: &Def, args: &[Expr]) -> Expr {
        let clash = |x: &Name| args.iter().any(|e| e.free().contains(*x));
        if !d.params.iter().any(clash) {
            return d
                .params
                .iter()
                .zip(args)
                .rev()
                .fold(d.body.clone(), |e, (x, arg)| Expr::val(*x, arg.clone(), e));
        }
        let mut names = Vec::new();
        for _ in args {
            self.temporaries += 1;
            names.push(Name::new(&format!("a.{}", self.temporaries)));
        }
        let body = d
            .params
            .iter()
            .zip(&names)
            .rev()
            .fold(d.body.clone(), |e, (x, t)| Expr::val(*x, Expr::var(*t), e));
        names.iter().zip(args).rev().fold(body, |e, (t, arg)| Expr::val(*t, arg.clone(), e))
    }
}

/// `val x = y; e` is e[x := y]. Binders are distinct, so that a name stands for one thing everywhere.
fn copied(e: &Expr, names: &mut FxHashMap<Name, Name>) -> Expr {
    let name = |x: Name, names: &FxHashMap<Name, Name>| names.get(&x).copied().unwrap_or(x);
    deep(|| match e.kind() {
        ExprKind::Var(x) => Expr::var(name(*x, names)),
        ExprKind::Val(x, bound, body) => {
            let bound = copied(bound, names);
            let ExprKind::Var(y) = bound.kind() else { return Expr::val(*x, bound, copied(body, names)) };
            names.insert(*x, *y);
            copied(body, names)
        }
        ExprKind::Match(x, branches) => {
            let x = name(*x, names);
            let mut branch = |b: &Branch| Branch { pattern: b.pattern.clone(), body: copied(&b.body, names) };
            Expr::case(x, branches.iter().map(&mut branch).collect())
        }
        ExprKind::Lam(l) => Expr::new(ExprKind::Lam(Lam { body: copied(&l.body, names), ..l.clone() })),
        ExprKind::Int(_)
        | ExprKind::App(..)
        | ExprKind::Con(_)
        | ExprKind::Prim(..)
        | ExprKind::Call(..)
        | ExprKind::Dup(..)
        | ExprKind::Drop(..) => e.map(|c| copied(c, names)),
    })
}

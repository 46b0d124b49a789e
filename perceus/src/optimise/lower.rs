//! From what Fig. 4.8 makes to code with each operation in sight. Thesis Fig. 4.1 (b), (e). Spec: [rule: perceus.lower].
//!
//! | λ¹ | code |
//! | --- | --- |
//! | match x { C b … → e } | match(x) { C(b, …) -> dup(b); …; drop(x); e } |
//! | match x { C b … @r → e } | match(x) { C(b, …) -> dup(b); …; val r = drop-reuse(x); e } |
//! | λ^ys x. e | fn^ys(x) as self { dup(y); …; drop(self); e } |
//! | drop r, where r is a token | drop-token(r) |
//! | e₁ e₂, C e …, ⊕(e, e), f(e, …) | operands that are no variables, no integers and no C get a name, from left to right |

use crate::code::{Arm, At, Atom, Block, Bound, Code, Con, End, Fun, Instr, Lam, Op, Rhs};
use crate::deep;
use crate::syntax::{self, Branch, Expr, ExprKind, Program, distinct};
use crate::vars::Vars;
use rewright_base::sym::Name;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The code of a translation ([`crate::algorithm::translate`]), binders distinct in each function.
#[must_use]
pub fn program(translated: &Program) -> Code {
    let fun = |name, params: &[Name], body: &Expr| {
        let mut taken = distinct::names(body);
        taken.extend(params);
        let mut lower = Lower { taken, tokens: FxHashSet::default() };
        Fun {
            name,
            params: params.to_vec(),
            body: lower.block(body),
            plain: Vars::empty(),
            borrowed: Vars::empty(),
        }
    };
    Code {
        constructors: translated.constructors.clone(),
        statics: Vec::new(),
        funs: translated.defs.iter().map(|d| fun(d.name, &d.params, &d.body)).collect(),
        main: fun(Name::new("(main)"), &[], &translated.main),
    }
}

struct Lower {
    taken: FxHashSet<Name>,
    tokens: FxHashSet<Name>,
}

impl Lower {
    fn fresh(&mut self, hint: &str) -> Name {
        fresh(&mut self.taken, hint)
    }

    fn block(&mut self, e: &Expr) -> Block {
        let mut instrs = Vec::new();
        let end = self.into(e, &mut instrs);
        Block { instrs, end }
    }

    /// Puts what comes before the end into `instrs`.
    fn into(&mut self, e: &Expr, instrs: &mut Vec<Instr>) -> End {
        let mut e = e;
        loop {
            match e.kind() {
                ExprKind::Dup(x, rest) => {
                    instrs.push(Instr::Op(Op::Dup(*x)));
                    e = rest;
                }
                ExprKind::Drop(x, rest) => {
                    let op = if self.tokens.contains(x) { Op::DropToken(*x) } else { Op::Drop(*x) };
                    instrs.push(Instr::Op(op));
                    e = rest;
                }
                ExprKind::Val(x, bound, rest) => {
                    let bound = deep(|| self.bound(bound, instrs));
                    instrs.push(Instr::Val(*x, bound));
                    e = rest;
                }
                ExprKind::Match(x, branches) => {
                    return End::Match(*x, branches.iter().map(|b| deep(|| self.arm(*x, b))).collect());
                }
                ExprKind::Var(_)
                | ExprKind::Int(_)
                | ExprKind::Lam(_)
                | ExprKind::App(..)
                | ExprKind::Con(_)
                | ExprKind::Prim(..)
                | ExprKind::Call(..) => return End::Done(self.rhs(e, instrs)),
            }
        }
    }

    fn bound(&mut self, e: &Expr, instrs: &mut Vec<Instr>) -> Bound {
        match self.into(e, instrs) {
            End::Done(r) => Bound::Rhs(r),
            end @ End::Match(..) => Bound::Block(Box::new(Block { instrs: Vec::new(), end })),
        }
    }

    fn rhs(&mut self, e: &Expr, instrs: &mut Vec<Instr>) -> Rhs {
        match e.kind() {
            ExprKind::Var(x) => Rhs::Atom(Atom::Var(*x)),
            ExprKind::Int(n) => Rhs::Atom(Atom::Int(*n)),
            ExprKind::Lam(l) => Rhs::Lam(Arc::new(self.lambda(l, e))),
            ExprKind::App(f, a) => {
                let f = self.atom(f, instrs);
                Rhs::App(f, self.atom(a, instrs))
            }
            ExprKind::Con(c) if c.args.is_empty() => Rhs::Atom(Atom::Con(c.name)),
            ExprKind::Con(c) => {
                let args = self.atoms(&c.args, instrs);
                let at = c.at.map(|token| At { token, kept: Vec::new() });
                Rhs::Con(Con { name: c.name, args, at })
            }
            ExprKind::Prim(op, args) => Rhs::Prim(*op, self.atoms(args, instrs)),
            ExprKind::Call(f, args) => Rhs::Call(*f, self.atoms(args, instrs)),
            ExprKind::Val(..) | ExprKind::Match(..) | ExprKind::Dup(..) | ExprKind::Drop(..) => {
                Rhs::Atom(self.atom(e, instrs))
            }
        }
    }

    fn atoms(&mut self, args: &[Expr], instrs: &mut Vec<Instr>) -> Vec<Atom> {
        args.iter().map(|e| self.atom(e, instrs)).collect()
    }

    fn atom(&mut self, e: &Expr, instrs: &mut Vec<Instr>) -> Atom {
        match deep(|| self.bound(e, instrs)) {
            Bound::Rhs(Rhs::Atom(a)) => a,
            bound @ (Bound::Rhs(_) | Bound::Block(_)) => {
                let v = self.fresh("v");
                instrs.push(Instr::Val(v, bound));
                Atom::Var(v)
            }
        }
    }

    fn lambda(&mut self, l: &syntax::Lam, e: &Expr) -> Lam {
        let ys: Vec<Name> = l.ys.clone().unwrap_or_else(|| e.free().iter().collect());
        let this = self.fresh("self");
        let mut instrs: Vec<Instr> = ys.iter().map(|y| Instr::Op(Op::Dup(*y))).collect();
        instrs.push(Instr::Op(Op::Drop(this)));
        let end = deep(|| self.into(&l.body, &mut instrs));
        Lam { ys, this, param: l.param, body: Block { instrs, end } }
    }

    fn arm(&mut self, x: Name, b: &Branch) -> Arm {
        let mut instrs: Vec<Instr> = b.pattern.fields().map(|b| Instr::Op(Op::Dup(b))).collect();
        instrs.push(match b.pattern.reuse {
            Some(token) => {
                self.tokens.insert(token);
                Instr::Token { token, of: x, fork: None }
            }
            None => Instr::Op(Op::Drop(x)),
        });
        let end = self.into(&b.body, &mut instrs);
        Arm { con: b.pattern.con, binders: b.pattern.binders.clone(), body: Block { instrs, end } }
    }
}

/// A name that is not taken yet.
pub fn fresh(taken: &mut FxHashSet<Name>, hint: &str) -> Name {
    let numbered = (1_u64..).map(|n| Name::new(&format!("{hint}{n}")));
    let name = std::iter::once(Name::new(hint)).chain(numbered).find(|n| !taken.contains(n));
    let name = name.expect("there are more names than binders");
    taken.insert(name);
    name
}

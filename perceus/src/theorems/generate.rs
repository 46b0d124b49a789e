//! Random closed programs: by type, so that most of them get somewhere, with few names, so that they shadow.
//!
//! Definitions at the top recurse, on a first parameter that becomes less.
//!
//! One in thirty places takes a variable of another type: the program may get stuck there, the same way in both
//! semantics.

use super::types::{FUEL, Scope, Signature, Type, name};
use crate::choice::Choice;
use crate::syntax::{Branch, Def, Expr, ExprKind, Pattern, Prim, Program};
use rewright_base::sym::Name;
use std::collections::BTreeMap;
use std::rc::Rc;

/// One variable in so many is of another type.
const ASTRAY: usize = 30;

/// The constructors of generated programs.
pub fn constructors() -> BTreeMap<Name, usize> {
    let all = [
        ("Unit", 0),
        ("True", 0),
        ("False", 0),
        ("None", 0),
        ("Some", 1),
        ("Nil", 0),
        ("Cons", 2),
        ("Pair", 2),
    ];
    all.into_iter().map(|(name, arity)| (Name::new(name), arity)).collect()
}

/// A closed program of about this size, with up to two definitions that may call themselves and each other.
pub fn program<C: Choice>(choice: &mut C, size: usize) -> Program {
    make(
        Generator {
            choice,
            scope: Scope::default(),
            left: size,
            signatures: Vec::new(),
            is_about_data: false,
        },
        size,
    )
}

/// The same, with mostly lists, pairs and matches on them: what the optimisations are about.
pub fn about_data<C: Choice>(choice: &mut C, size: usize) -> Program {
    make(
        Generator {
            choice,
            scope: Scope::default(),
            left: size,
            signatures: Vec::new(),
            is_about_data: true,
        },
        size,
    )
}

fn make<C: Choice>(mut g: Generator<'_, C>, size: usize) -> Program {
    let defs = g.choice.below(3).max(usize::from(g.is_about_data));
    for i in 0..defs {
        let name = Name::new(if i == 0 { "p" } else { "q" });
        let params = g.choice.below(3).max(usize::from(g.is_about_data));
        let params = ["y", "z"].into_iter().take(params).map(|x| (Name::new(x), g.some_type(2)));
        let params = params.collect();
        let result = g.some_type(2);
        g.signatures.push(Signature { name, params, result });
    }
    let defs = g.signatures.clone().iter().map(|s| g.definition(s, size)).collect();
    g.left = size;
    let called = g.signatures.get(g.choice.below(2 * g.signatures.len())).map(|s| s.result.clone());
    let t = called.unwrap_or_else(|| g.some_type(2));
    let main = g.calling(&t);
    Program { constructors: constructors(), defs, main }
}

struct Generator<'c, C> {
    choice: &'c mut C,
    scope: Scope,
    left: usize,
    signatures: Vec<Signature>,
    is_about_data: bool,
}

impl<C: Choice> Generator<'_, C> {
    /// `fun p(n, y, z) { val s = le(n, 0); match s { True -> e, False -> e } }`, where only the second e calls.
    fn definition(&mut self, s: &Signature, size: usize) -> Def {
        let (fuel, stop) = (Name::new(FUEL), Name::new("s"));
        self.scope.0.clone_from(&s.params);
        self.left = 2;
        let signatures = std::mem::take(&mut self.signatures);
        let base = self.expr(&s.result);
        self.signatures = signatures;
        self.scope.0.push((fuel, Type::Int));
        self.left = size;
        let again = self.calling(&s.result);
        self.scope.0.clear();
        let out = Expr::new(ExprKind::Prim(Prim::Le, vec![Expr::var(fuel), Expr::int(0)]));
        let branch = |con: &str, body| Branch { pattern: Pattern::new(con, Vec::new()), body };
        let body = Expr::val(stop, out, Expr::case(stop, vec![branch("True", base), branch("False", again)]));
        let params = std::iter::once(fuel).chain(s.params.iter().map(|(x, _)| *x)).collect();
        Def { name: s.name, params, body }
    }

    /// An expression that half the time begins with a call, where there is something to call.
    fn calling(&mut self, t: &Type) -> Expr {
        let none = self.signatures.is_empty();
        if none || self.choice.below(if self.is_about_data { 6 } else { 2 }) == 0 {
            return self.expr(t);
        }
        let Some(s) = self.signatures.get(self.choice.below(self.signatures.len())).cloned() else {
            return self.expr(t);
        };
        let (x, bound) = (self.name(), self.call(&s.result));
        let body = self.under(vec![(x, s.result)], t);
        bound.map_or(body.clone(), |bound| Expr::val(x, bound, body))
    }

    /// A call of something that gives this type.
    fn call(&mut self, t: &Type) -> Option<Expr> {
        let fitting: Vec<Signature> = self.signatures.iter().filter(|s| s.result == *t).cloned().collect();
        let s = fitting.get(self.choice.below(fitting.len()))?;
        let first = if self.scope.has_fuel() {
            Expr::new(ExprKind::Prim(Prim::Sub, vec![Expr::var(FUEL), Expr::int(1)]))
        } else {
            let least = usize::from(self.is_about_data);
            Expr::int(i64::try_from(least + self.choice.below(4)).unwrap_or(0))
        };
        let mut args = vec![first];
        for (_, t) in &s.params {
            let is_short = self.is_about_data && self.choice.below(2) == 0;
            args.push(if is_short { self.value(t) } else { self.expr(t) });
        }
        Some(Expr::new(ExprKind::Call(s.name, args)))
    }

    fn some_type(&mut self, depth: usize) -> Type {
        let least = if self.is_about_data && depth > 0 && self.choice.below(4) > 0 { 3 } else { 0 };
        match least + self.choice.below(if depth == 0 { 3 } else { 8 - least - least / 2 }) {
            0 => Type::Unit,
            1 => Type::Bool,
            2 => Type::Int,
            3 => Type::Maybe(Rc::new(self.some_type(depth - 1))),
            4 => Type::List(Rc::new(self.some_type(depth - 1))),
            5 => Type::Pair(Rc::new(self.some_type(depth - 1)), Rc::new(self.some_type(depth - 1))),
            _ => Type::Fun(Rc::new(self.some_type(depth - 1)), Rc::new(self.some_type(depth - 1))),
        }
    }

    fn name(&mut self) -> Name {
        name(self.choice, &["a", "b", "c", "d", "e", "f", "g", "h", "x"])
    }

    fn variable(&mut self, t: &Type) -> Option<Expr> {
        self.scope.variable(self.choice, t, ASTRAY).map(Expr::var)
    }

    fn under(&mut self, bound: Vec<(Name, Type)>, t: &Type) -> Expr {
        let outside = self.scope.0.len();
        self.scope.0.extend(bound);
        let e = self.expr(t);
        self.scope.0.truncate(outside);
        e
    }

    fn expr(&mut self, t: &Type) -> Expr {
        if self.left == 0 {
            return self.value(t);
        }
        self.left -= 1;
        if self.is_about_data && self.choice.below(2) == 0 {
            return self.matching(t);
        }
        match self.choice.below(12) {
            0 | 1 => self.value(t),
            10 | 11 => match self.call(t) {
                Some(call) => call,
                None => self.value(t),
            },
            2 | 3 => {
                let a = self.some_type(1);
                let fun = self.expr(&Type::Fun(Rc::new(a.clone()), Rc::new(t.clone())));
                Expr::app(fun, self.expr(&a))
            }
            4 | 5 => {
                let (x, a) = (self.name(), self.some_type(2));
                let bound = self.expr(&a);
                Expr::val(x, bound, self.under(vec![(x, a)], t))
            }
            6..=8 => self.matching(t),
            _ if *t == Type::Int || *t == Type::Bool => {
                let ops: &[Prim] =
                    if *t == Type::Int { &[Prim::Add, Prim::Sub] } else { &[Prim::Lt, Prim::Eq] };
                let op = ops.get(self.choice.below(ops.len())).copied().unwrap_or(Prim::Add);
                Expr::new(ExprKind::Prim(op, vec![self.expr(&Type::Int), self.expr(&Type::Int)]))
            }
            _ => self.value(t),
        }
    }

    /// A match on a variable, bound right here where there is none.
    fn matching(&mut self, t: &Type) -> Expr {
        let is_data = |t: &Type| !t.shapes().is_empty();
        let candidates = self.scope.variables(is_data);
        match candidates.get(self.choice.below(candidates.len())).cloned() {
            Some((x, of)) => {
                let branches = self.branches(&of, t);
                Expr::case(x, branches)
            }
            None => {
                let inner = Rc::new(self.some_type(1));
                let is_list = self.is_about_data && self.choice.below(2) == 0;
                let (x, of) = (self.name(), if is_list { Type::List(inner) } else { Type::Maybe(inner) });
                let bound = if self.is_about_data { self.value(&of) } else { self.expr(&of) };
                let outside = self.scope.0.len();
                self.scope.0.push((x, of.clone()));
                let branches = self.branches(&of, t);
                self.scope.0.truncate(outside);
                Expr::val(x, bound, Expr::case(x, branches))
            }
        }
    }

    fn branches(&mut self, of: &Type, t: &Type) -> Vec<Branch> {
        of.shapes().into_iter().map(|(con, fields)| self.branch(con, fields, t)).collect()
    }

    fn branch(&mut self, con: &'static str, fields: Vec<Type>, t: &Type) -> Branch {
        let mut bound: Vec<(Name, Type)> = Vec::new();
        let mut binders = Vec::new();
        for field in fields {
            let x = self.name();
            let wild = self.choice.one_in(4) || bound.iter().any(|(y, _)| *y == x);
            binders.push((!wild).then_some(x));
            if !wild {
                bound.push((x, field));
            }
        }
        Branch { pattern: Pattern::new(con, binders), body: self.under(bound, t) }
    }

    fn value(&mut self, t: &Type) -> Expr {
        let rather_new = self.is_about_data && matches!(t, Type::Maybe(_) | Type::List(_) | Type::Pair(..));
        if self.choice.below(3) > usize::from(rather_new)
            && let Some(x) = self.variable(t)
        {
            return x;
        }
        let con = |name: &str, args: Vec<Expr>| Expr::con(name, args);
        match t {
            Type::Int => Expr::int(i64::try_from(self.choice.below(4)).unwrap_or(0)),
            Type::Unit => con("Unit", Vec::new()),
            Type::Bool => con(if self.choice.below(2) == 0 { "True" } else { "False" }, Vec::new()),
            Type::Maybe(_) | Type::List(_) | Type::Pair(..) => {
                let all = t.shapes();
                let (name, fields) = all
                    .get(if self.left == 0 {
                        0
                    } else if self.is_about_data && self.choice.below(2) > 0 {
                        all.len() - 1
                    } else {
                        self.choice.below(all.len())
                    })
                    .cloned()
                    .unwrap_or(("Unit", Vec::new()));
                self.left = self.left.saturating_sub(1);
                con(name, fields.iter().map(|f| self.value(f)).collect())
            }
            // Only programs of the surface language have these two.
            Type::Knot => con("Stop", Vec::new()),
            Type::Ref(held) => Expr::new(ExprKind::Prim(Prim::Ref, vec![self.value(held)])),
            Type::Fun(a, b) => {
                let x = self.name();
                Expr::lam(x, self.under(vec![(x, a.as_ref().clone())], b))
            }
        }
    }
}

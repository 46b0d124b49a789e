//! Random programs of the surface language with exceptions and references: most of them typed, so that they get somewhere. References to
//! closures and to `Link`s make cycles.

use super::types::{FUEL, Scope, Signature, Type, name};
use crate::choice::Choice;
use crate::surface::{
    Arm, Constructor, Expr, ExprKind, Field, File, Fun, Op, Param, Pattern, PatternKind, Stmt, TypeDecl,
};
use crate::surface::{check, desugar, print};
use crate::syntax::Program;
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;
use std::rc::Rc;

/// One variable in so many is of another type.
const ASTRAY: usize = 40;

/// A file of about this size, with one or two functions beside `main`.
pub fn file<C: Choice>(choice: &mut C, size: usize) -> File {
    let mut g =
        Generator { choice, scope: Scope::default(), left: size, signatures: Vec::new(), thrown: Type::Int };
    if g.choice.below(2) == 0 {
        g.thrown = Type::List(Rc::new(Type::Int));
    }
    for i in 0..=g.choice.below(2) {
        let params = ["y", "z"].into_iter().take(1 + g.choice.below(2));
        let params = params.map(|x| (Name::new(x), g.some_type(2))).collect();
        let result = g.some_type(2);
        g.signatures.push(Signature { name: Name::new(if i == 0 { "p" } else { "q" }), params, result });
    }
    let mut funs: Vec<Fun> = g.signatures.clone().iter().map(|s| g.function(s, size)).collect();
    g.left = 2 * size;
    g.scope.0.clear();
    let called = g.signatures.get(g.choice.below(2 * g.signatures.len())).map(|s| s.result.clone());
    let t = called.unwrap_or_else(|| g.some_type(2));
    let body = g.block(&t);
    funs.push(Fun { name: Name::new("main"), params: Vec::new(), body, span: Span::NONE });
    File { types: types(), funs }
}

/// The program of λ¹ that a file becomes.
///
/// # Errors
/// What is wrong with the file, and the file: nothing should be.
pub fn program<C: Choice>(choice: &mut C, size: usize) -> Result<Program, String> {
    let file = file(choice, size);
    let refused = |d: &Diagnostic| format!("{}: {}\n{}", d.rule, d.message, print::file(&file));
    match check::check(&file).first() {
        Some(d) => Err(refused(d)),
        None => desugar::desugar(&file).map_err(|d| refused(&d)),
    }
}

fn types() -> Vec<TypeDecl> {
    let constructor = |name: &str, fields: &[&str]| Constructor {
        name: Name::new(name),
        fields: fields.iter().map(|f| Field { name: Name::new(f), span: Span::NONE }).collect(),
        span: Span::NONE,
    };
    let decl = |name: &str, constructors: Vec<Constructor>| TypeDecl {
        name: Name::new(name),
        constructors,
        span: Span::NONE,
    };
    vec![
        decl("maybe", vec![constructor("None", &[]), constructor("Some", &["x"])]),
        decl("list", vec![constructor("Nil", &[]), constructor("Cons", &["head", "tail"])]),
        decl("knot", vec![constructor("Stop", &[]), constructor("Link", &["to"])]),
    ]
}

fn made(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::NONE }
}

fn var(x: Name) -> Expr {
    made(ExprKind::Var(x))
}

fn con(name: &str, args: Vec<Expr>) -> Expr {
    made(ExprKind::Con(Name::new(name), args))
}

fn op(op: Op, a: Expr, b: Expr) -> Expr {
    made(ExprKind::Op(op, Box::new(a), Box::new(b)))
}

fn call(f: Expr, args: Vec<Expr>) -> Expr {
    made(ExprKind::Call(Box::new(f), args))
}

fn set(r: Expr, e: Expr) -> Expr {
    made(ExprKind::Set(Box::new(r), Box::new(e)))
}

fn choose(c: Expr, a: Expr, b: Expr) -> Expr {
    made(ExprKind::If(Box::new(c), Box::new(a), Box::new(b)))
}

fn param(x: Option<Name>) -> Param {
    Param { name: x, span: Span::NONE }
}

fn pattern(kind: PatternKind) -> Pattern {
    Pattern { kind, span: Span::NONE }
}

struct Generator<'c, C> {
    choice: &'c mut C,
    scope: Scope,
    left: usize,
    signatures: Vec<Signature>,
    thrown: Type,
}

impl<C: Choice> Generator<'_, C> {
    /// `fun p(n, y, z) { if n <= 0 then e else e }`, where only the second e calls.
    fn function(&mut self, s: &Signature, size: usize) -> Fun {
        let fuel = Name::new(FUEL);
        self.scope.0.clone_from(&s.params);
        self.left = 3;
        let signatures = std::mem::take(&mut self.signatures);
        let base = self.expr(&s.result);
        self.signatures = signatures;
        self.scope.0.push((fuel, Type::Int));
        self.left = size;
        let again = self.block(&s.result);
        self.scope.0.clear();
        let stop = op(Op::Le, var(fuel), made(ExprKind::Int(0)));
        let params = std::iter::once(fuel).chain(s.params.iter().map(|(x, _)| *x));
        let params = params.map(|x| param(Some(x))).collect();
        Fun { name: s.name, params, body: choose(stop, base, again), span: Span::NONE }
    }

    fn some_type(&mut self, depth: usize) -> Type {
        let inner = |g: &mut Self| Rc::new(g.some_type(depth - 1));
        match self.choice.below(if depth == 0 { 3 } else { 9 }) {
            0 => Type::Int,
            1 => Type::Knot,
            2 => Type::Bool,
            3 => Type::Maybe(inner(self)),
            4 | 5 => Type::List(inner(self)),
            6 | 7 => Type::Ref(inner(self)),
            _ => Type::Fun(inner(self), inner(self)),
        }
    }

    fn name(&mut self) -> Name {
        name(self.choice, &["a", "b", "c", "d", "e", "g", "h", "x"])
    }

    fn variable(&mut self, t: &Type) -> Option<Expr> {
        self.scope.variable(self.choice, t, ASTRAY).map(var)
    }

    fn under(&mut self, bound: Vec<(Name, Type)>, t: &Type) -> Expr {
        let outside = self.scope.0.len();
        self.scope.0.extend(bound);
        let e = self.expr(t);
        self.scope.0.truncate(outside);
        e
    }

    /// Some statements, and an expression.
    fn block(&mut self, t: &Type) -> Expr {
        let outside = self.scope.0.len();
        let stmts: Vec<Stmt> = (0..=self.choice.below(4)).map(|_| self.statement()).collect();
        let last = self.expr(t);
        self.scope.0.truncate(outside);
        made(ExprKind::Block(stmts, Box::new(last)))
    }

    fn statement(&mut self) -> Stmt {
        let nameless = |value| Stmt { bound: param(None), value };
        let refs = self.scope.variables(|t| matches!(t, Type::Ref(_)));
        if let Some((r, t)) = refs.get(self.choice.below(refs.len())).cloned()
            && self.choice.below(2) == 0
        {
            return nameless(self.assignment(r, &t));
        }
        match self.choice.below(8) {
            6 | 7 if !self.signatures.is_empty() => {
                let at = self.choice.below(self.signatures.len());
                let t = self.signatures.get(at).map_or(Type::Int, |s| s.result.clone());
                let (x, value) = (self.name(), self.calling(&t));
                self.scope.0.push((x, t));
                Stmt { bound: param(Some(x)), value }
            }
            0 => {
                let t = self.some_type(1);
                nameless(self.expr(&t))
            }
            1 | 2 => {
                let t = Type::Ref(Rc::new(self.some_type(1)));
                self.binding(t)
            }
            _ => {
                let t = self.some_type(2);
                self.binding(t)
            }
        }
    }

    fn binding(&mut self, t: Type) -> Stmt {
        let (x, value) = (self.name(), self.expr(&t));
        self.scope.0.push((x, t));
        Stmt { bound: param(Some(x)), value }
    }

    /// `r := e`; where it can, one that makes a cycle.
    fn assignment(&mut self, r: Name, t: &Type) -> Expr {
        let Type::Ref(held) = t else { return var(r) };
        let tie = self.choice.below(2) == 0;
        let value = if tie && **held == Type::Knot {
            con("Link", vec![var(r)])
        } else if let Type::Fun(a, b) = held.as_ref()
            && tie
            && **a == Type::Int
        {
            self.again(r, b)
        } else {
            self.expr(held)
        };
        set(var(r), value)
    }

    /// A function that calls what r holds by then, with less.
    fn again(&mut self, r: Name, t: &Type) -> Expr {
        let x = self.name();
        let value = self.value(t);
        if x == r {
            return fun(x, value);
        }
        let less = op(Op::Sub, var(x), made(ExprKind::Int(1)));
        let again = call(made(ExprKind::Get(Box::new(var(r)))), vec![less]);
        fun(x, choose(op(Op::Le, var(x), made(ExprKind::Int(0))), value, again))
    }

    fn expr(&mut self, t: &Type) -> Expr {
        if self.left == 0 {
            return self.value(t);
        }
        self.left -= 1;
        match self.choice.below(20) {
            0 | 1 => self.value(t),
            2..=4 => self.block(t),
            5 => {
                let c = self.expr(&Type::Bool);
                let a = self.expr(t);
                choose(c, a, self.expr(t))
            }
            6..=8 => self.matching(t),
            9 => {
                let thrown = self.thrown.clone();
                made(ExprKind::Throw(Box::new(self.value(&thrown))))
            }
            10 | 11 => {
                let body = self.block(t);
                let (x, thrown) = (self.name(), self.thrown.clone());
                let handler = self.under(vec![(x, thrown)], t);
                made(ExprKind::Try(Box::new(body), param(Some(x)), Box::new(handler)))
            }
            12 | 13 => {
                let r = Type::Ref(Rc::new(t.clone()));
                let r = self.variable(&r).unwrap_or_else(|| self.value(&r));
                made(ExprKind::Get(Box::new(r)))
            }
            14 => {
                let (a, b) = (self.some_type(1), self.some_type(1));
                let rest = Type::Fun(Rc::new(b.clone()), Rc::new(t.clone()));
                let f = self.expr(&Type::Fun(Rc::new(a.clone()), Rc::new(rest)));
                let a = self.expr(&a);
                let b = self.expr(&b);
                self.apply(f, vec![a, b])
            }
            15 => {
                let a = self.some_type(1);
                let f = self.expr(&Type::Fun(Rc::new(a.clone()), Rc::new(t.clone())));
                let a = self.expr(&a);
                self.apply(f, vec![a])
            }
            16 | 17 => self.calling(t),
            _ if *t == Type::Int => {
                let (a, b) = (self.expr(t), self.expr(t));
                op(if self.choice.one_in(8) { Op::Div } else { Op::Add }, a, b)
            }
            _ if *t == Type::Bool => {
                if self.choice.below(3) == 0 {
                    let (a, b) = (self.expr(t), self.expr(t));
                    return op(if self.choice.below(2) == 0 { Op::And } else { Op::Or }, a, b);
                }
                let all = [Op::Lt, Op::Ge, Op::Ne];
                let (a, b) = (self.expr(&Type::Int), self.expr(&Type::Int));
                op(all.get(self.choice.below(all.len())).copied().unwrap_or(Op::Eq), a, b)
            }
            _ => self.value(t),
        }
    }

    /// A function that is used as a value is applied to as many arguments as there are; called by its name it takes all of its own.
    fn apply(&self, f: Expr, args: Vec<Expr>) -> Expr {
        let is_other = |s: &Signature| f.kind == ExprKind::Var(s.name) && s.params.len() + 1 != args.len();
        if self.signatures.iter().any(is_other) {
            return call(made(ExprKind::Block(Vec::new(), Box::new(f))), args);
        }
        call(f, args)
    }

    fn calling(&mut self, t: &Type) -> Expr {
        let fitting: Vec<Signature> = self.signatures.iter().filter(|s| s.result == *t).cloned().collect();
        let Some(s) = fitting.get(self.choice.below(fitting.len())) else { return self.value(t) };
        let first = if self.scope.has_fuel() {
            op(Op::Sub, var(Name::new(FUEL)), made(ExprKind::Int(1)))
        } else {
            made(ExprKind::Int(i64::try_from(1 + self.choice.below(3)).unwrap_or(1)))
        };
        let mut args = vec![first];
        for (_, t) in &s.params {
            args.push(self.expr(t));
        }
        call(var(s.name), args)
    }

    /// A match on a variable, or on something else.
    fn matching(&mut self, t: &Type) -> Expr {
        let all = self.scope.variables(|t| !t.shapes().is_empty());
        let (x, of) = match all.get(self.choice.below(all.len())).cloned() {
            Some((x, of)) if !self.choice.one_in(4) => (var(x), of),
            _ => {
                let of = Type::List(Rc::new(self.some_type(1)));
                (self.expr(&of), of)
            }
        };
        let mut arms = Vec::new();
        for (name, fields) in of.shapes() {
            let (mut args, mut bound) = (Vec::new(), Vec::<(Name, Type)>::new());
            for field in fields {
                let y = self.name();
                if self.choice.one_in(4) || bound.iter().any(|(z, _)| *z == y) {
                    args.push(pattern(PatternKind::Wild));
                } else {
                    args.push(pattern(PatternKind::Var(y)));
                    bound.push((y, field));
                }
            }
            let pattern = pattern(PatternKind::Con(Name::new(name), args));
            arms.push(Arm { pattern, body: self.under(bound, t) });
        }
        made(ExprKind::Match(Box::new(x), arms))
    }

    fn value(&mut self, t: &Type) -> Expr {
        if self.choice.below(3) > 0
            && let Some(x) = self.variable(t)
        {
            return x;
        }
        match t {
            Type::Int => made(ExprKind::Int(i64::try_from(self.choice.below(4)).unwrap_or(0))),
            Type::Bool => con(if self.choice.below(2) == 0 { "True" } else { "False" }, Vec::new()),
            Type::Ref(held) => made(ExprKind::Ref(Box::new(self.value(held)))),
            Type::Fun(a, b) => {
                if let Some(f) = self.signatures.iter().find(|s| s.curried() == *t) {
                    return var(f.name);
                }
                let x = self.name();
                if let Type::Fun(c, d) = b.as_ref()
                    && self.choice.below(2) == 0
                {
                    let y = self.name();
                    let bound = vec![(x, a.as_ref().clone()), (y, c.as_ref().clone())];
                    let params = vec![param(Some(x)), param((x != y).then_some(y))];
                    let bound = bound.into_iter().take(if x == y { 1 } else { 2 }).collect();
                    let body = self.under(bound, d);
                    return made(ExprKind::Fn(params, Box::new(body)));
                }
                fun(x, self.under(vec![(x, a.as_ref().clone())], b))
            }
            Type::Unit | Type::Maybe(_) | Type::List(_) | Type::Pair(..) | Type::Knot => {
                let all = t.shapes();
                let at = if self.left == 0 { 0 } else { self.choice.below(all.len()) };
                self.left = self.left.saturating_sub(1);
                let (name, fields) = all.get(at).cloned().unwrap_or(("None", Vec::new()));
                con(name, fields.iter().map(|f| self.value(f)).collect())
            }
        }
    }
}

fn fun(x: Name, body: Expr) -> Expr {
    made(ExprKind::Fn(vec![param(Some(x))], Box::new(body)))
}

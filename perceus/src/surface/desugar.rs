//! From the surface language to λ¹. Spec: [rule: perceus.desugar] [rule: perceus.exceptions].
//!
//! | surface | λ¹ |
//! | --- | --- |
//! | `fun f(x, y) { e }`, `f(a, b)` | a definition and a call; all definitions may call one another |
//! | `f` as a value | λx. λy. f(x, y) |
//! | `fn(x, y) e`, `g(a, b)` | λx. λy. e, g a b; without parameters, λ_. e and g Unit |
//! | `C(e₁, e₂)` | val v₁ = e₁; val v₂ = e₂; C v₁ v₂, where an argument that is a value stays |
//! | `match(e) { … }` | val s = e; match s { … }, one level of patterns at a time, first match first |
//! | `if a then b else c` | val s = a; match s { True → b; False → c } |
//! | `a && b`, `a \|\| b` | if a then b else False, if a then True else b |
//! | `ref(e)`, `!e`, `a := b` | ref(e), get(e), set(a, b) |
//! | `throw e` | Error e |
//! | `try a catch x b` | val r = a; match r { Error x → b; Ok v → v } |
//! | e\[a\], where a may throw | val r = a; match r { Error x → Error x; Ok v → e\[v\] }: [rule: perceus.throws] |
//! | `a > b`, `a >= b`, `a != b` | val l = a; val r = b; r < l, r <= l; if a == b then False else True |
//!
//! All binders of a definition are distinct afterwards.

mod matching;

use super::check::{Known, MOST_FIELDS, constructors};
use super::throws::{self, Throws};
use super::{Expr, ExprKind, File, Fun, Op, Param};
use crate::deep;
use crate::syntax::{self, Def, Pattern, Prim, Program};
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What each name in scope is called in λ¹.
type Scope = BTreeMap<Name, Name>;
type Core = syntax::Expr;

/// The program of a file that [`super::check`] accepts.
///
/// # Errors
/// Patterns that would become too many branches.
pub fn desugar(f: &File) -> Result<Program, Diagnostic> {
    let known = constructors(f);
    let funs: BTreeMap<Name, usize> = f.funs.iter().map(|f| (f.name, f.params.len())).collect();
    let arities = known.iter().map(|(name, k)| (*name, k.fields.len())).collect();
    let throws = throws::of(f);
    let mut d = Desugar {
        known,
        funs,
        throws,
        taken: FxHashSet::default(),
        next: FxHashMap::default(),
        branches: 0,
        too_many: None,
        too_large: None,
    };
    let defs = f.funs.iter().map(|fun| d.fun(fun)).collect();
    if let Some(span) = d.too_many {
        return Err(Diagnostic::error("perceus.patterns", span, "these patterns become too many branches"));
    }
    if let Some((span, n)) = d.too_large {
        let what = format!("this function captures {n} variables; {MOST_FIELDS} are the most");
        return Err(Diagnostic::error("perceus.limit", span, what));
    }
    Ok(Program {
        constructors: arities,
        defs,
        main: Core::new(syntax::ExprKind::Call(Name::new("main"), Vec::new())),
    })
}

struct Desugar {
    known: BTreeMap<Name, Known>,
    funs: BTreeMap<Name, usize>,
    throws: Throws,
    /// Names of binders of this definition.
    taken: FxHashSet<Name>,
    /// For a name, the next number to try.
    next: FxHashMap<Name, u64>,
    branches: usize,
    /// The match that became too many branches.
    too_many: Option<Span>,
    /// The closure that captures too many variables.
    too_large: Option<(Span, usize)>,
}

/// What an expression became.
enum Made {
    /// It gives its value.
    Plain(Core),
    /// It may throw: it gives `Ok` of its value, or `Error` of what was thrown.
    Result(Core),
}

impl Made {
    fn of(throws: bool, core: Core) -> Made {
        if throws { Made::Result(core) } else { Made::Plain(core) }
    }

    fn throws(&self) -> bool {
        matches!(self, Made::Result(_))
    }

    fn core(&self) -> &Core {
        match self {
            Made::Plain(core) | Made::Result(core) => core,
        }
    }
}

/// What is evaluated before something, and what its value is called.
struct Step {
    name: Name,
    made: Made,
}

impl Desugar {
    fn fun(&mut self, f: &Fun) -> Def {
        self.taken.clear();
        self.next.clear();
        let mut scope = Scope::new();
        let params = f.params.iter().map(|p| self.bind(p, &mut scope)).collect();
        let made = self.expr(&f.body, &scope);
        let throws = self.throws.funs.contains(&f.name);
        Def { name: f.name, params, body: if throws { self.result(made) } else { made.core().clone() } }
    }

    /// A name that no other binder of the definition has.
    fn fresh(&mut self, hint: &str) -> Name {
        let first = Name::new(hint);
        if self.taken.insert(first) {
            return first;
        }
        let next = self.next.entry(first).or_insert(1);
        let fresh = (*next..).find_map(|n| {
            *next = n + 1;
            Some(Name::new(&format!("{hint}{n}"))).filter(|name| self.taken.insert(*name))
        });
        fresh.expect("there are more names than binders")
    }

    fn bind(&mut self, p: &Param, scope: &mut Scope) -> Name {
        let fresh = self.fresh(p.name.map_or("u", Name::as_str));
        scope.extend(p.name.map(|x| (x, fresh)));
        fresh
    }

    fn expr(&mut self, e: &Expr, scope: &Scope) -> Made {
        deep(|| match &e.kind {
            ExprKind::Var(x) => Made::Plain(match scope.get(x) {
                Some(y) => Core::var(*y),
                None => self.function_value(*x),
            }),
            ExprKind::Int(n) => Made::Plain(Core::int(*n)),
            ExprKind::Con(c, args) => {
                let (steps, args) = self.operands(args, scope);
                let made = Made::Plain(self.construct(*c, args));
                self.behind(steps, made)
            }
            ExprKind::Call(f, args) => self.call(f, args, scope),
            ExprKind::Fn(params, body) => {
                let closure = self.lambda(params, body, scope);
                self.limit(e.span, &closure);
                Made::Plain(closure)
            }
            ExprKind::If(c, a, b) => {
                let (steps, c) = self.operand(c, scope);
                let (a, b) = (self.expr(a, scope), self.expr(b, scope));
                let made = self.choose(c, a, b);
                self.behind(steps, made)
            }
            ExprKind::Match(x, arms) => {
                let (steps, scrutinee) = self.operand(x, scope);
                let made = self.naming("s", scrutinee, |d, x| d.matching(e.span, x, arms, scope));
                self.behind(steps, made)
            }
            ExprKind::Block(stmts, last) => {
                let mut scope = scope.clone();
                let mut steps = Vec::new();
                for s in stmts {
                    let made = self.expr(&s.value, &scope);
                    steps.push(Step { name: self.bind(&s.bound, &mut scope), made });
                }
                let last = self.expr(last, &scope);
                self.behind(steps, last)
            }
            ExprKind::Op(op, a, b) => self.operation(*op, a, b, scope),
            ExprKind::Ref(a) => self.primitive(Prim::Ref, &[a], scope),
            ExprKind::Get(a) => self.primitive(Prim::Get, &[a], scope),
            ExprKind::Set(a, b) => self.primitive(Prim::Set, &[a, b], scope),
            ExprKind::Throw(a) => {
                let (steps, a) = self.operand(a, scope);
                let made = Made::Result(self.construct(Name::new("Error"), vec![a]));
                self.behind(steps, made)
            }
            ExprKind::Try(body, x, handler) => self.handled(body, x, handler, scope),
        })
    }

    /// `Ok` of what does not throw.
    fn result(&mut self, made: Made) -> Core {
        match made {
            Made::Result(core) => core,
            Made::Plain(core) => self.construct(Name::new("Ok"), vec![core]),
        }
    }

    /// Steps one after another, then something.
    fn behind(&mut self, steps: Vec<Step>, then: Made) -> Made {
        let throws = then.throws() || steps.iter().any(|s| s.made.throws());
        let last = if throws { self.result(then) } else { then.core().clone() };
        let out = steps.into_iter().rev().fold(last, |body, Step { name, made }| match made {
            Made::Plain(core) => Core::val(name, core, body),
            Made::Result(core) => {
                let (r, err) = (self.fresh("r"), self.fresh("err"));
                let error = Core::con("Error", vec![Core::var(err)]);
                Core::val(r, core, results(r, err, error, name, body))
            }
        });
        Made::of(throws, out)
    }

    fn handled(&mut self, body: &Expr, x: &Param, handler: &Expr, scope: &Scope) -> Made {
        // What does not throw needs no handler.
        let core = match self.expr(body, scope) {
            Made::Plain(core) => return Made::Plain(core),
            Made::Result(core) => core,
        };
        let mut inner = scope.clone();
        let err = self.bind(x, &mut inner);
        let handler = self.expr(handler, &inner);
        let (r, v) = (self.fresh("r"), self.fresh("v"));
        let throws = handler.throws();
        let fine = Made::Plain(Core::var(v));
        let fine = if throws { self.result(fine) } else { fine.core().clone() };
        Made::of(throws, Core::val(r, core, results(r, err, handler.core().clone(), v, fine)))
    }

    fn operand(&mut self, e: &Expr, scope: &Scope) -> (Vec<Step>, Core) {
        let (steps, mut all) = self.all(std::iter::once(e), scope);
        (steps, all.pop().unwrap_or_else(|| Core::con("Unit", Vec::new())))
    }

    fn operands(&mut self, es: &[Expr], scope: &Scope) -> (Vec<Step>, Vec<Core>) {
        self.all(es.iter(), scope)
    }

    /// Operands from left to right. One that may throw is evaluated before the others are used, and so are those before it.
    fn all<'f>(&mut self, es: impl Iterator<Item = &'f Expr>, scope: &Scope) -> (Vec<Step>, Vec<Core>) {
        let made: Vec<Made> = es.map(|e| self.expr(e, scope)).collect();
        let last = made.iter().rposition(Made::throws);
        let (mut steps, mut all) = (Vec::new(), Vec::new());
        for (i, made) in made.into_iter().enumerate() {
            if last.is_some_and(|last| i <= last) && !made.core().is_value_form() || made.throws() {
                let name = self.fresh("v");
                all.push(Core::var(name));
                steps.push(Step { name, made });
            } else {
                all.push(made.core().clone());
            }
        }
        (steps, all)
    }

    fn primitive(&mut self, op: Prim, args: &[&Expr], scope: &Scope) -> Made {
        let (steps, args) = self.all(args.iter().copied(), scope);
        self.behind(steps, Made::Plain(Core::new(syntax::ExprKind::Prim(op, args))))
    }

    /// Gives an expression a name, unless it is one.
    fn naming(&mut self, hint: &str, e: Core, then: impl FnOnce(&mut Desugar, Name) -> Made) -> Made {
        if let syntax::ExprKind::Var(x) = e.kind() {
            return then(self, *x);
        }
        let x = self.fresh(hint);
        match then(self, x) {
            Made::Plain(body) => Made::Plain(Core::val(x, e, body)),
            Made::Result(body) => Made::Result(Core::val(x, e, body)),
        }
    }

    fn function_value(&mut self, f: Name) -> Core {
        let arity = self.funs.get(&f).copied().unwrap_or(0);
        let mut params: Vec<Name> = (0..arity).map(|_| self.fresh("p")).collect();
        let call = Core::new(syntax::ExprKind::Call(f, params.iter().map(|p| Core::var(*p)).collect()));
        if params.is_empty() {
            params.push(self.fresh("u"));
        }
        let throws = self.throws.funs.contains(&f);
        self.curried(&params, Made::of(throws, call))
    }

    fn lambda(&mut self, params: &[Param], body: &Expr, scope: &Scope) -> Core {
        let mut scope = scope.clone();
        let mut names: Vec<Name> = params.iter().map(|p| self.bind(p, &mut scope)).collect();
        if names.is_empty() {
            names.push(self.fresh("u"));
        }
        let body = self.expr(body, &scope);
        self.curried(&names, body)
    }

    /// The closures of λx. λy. … capture at most so many variables.
    fn limit(&mut self, span: Span, closure: &Core) {
        let mut e = closure;
        while let Some(l) = inner(e) {
            let n = e.free().iter().count();
            if n > MOST_FIELDS {
                self.too_large = Some((span, n));
            }
            e = &l.body;
        }
    }

    /// λx. λy. e; where closures may throw, each gives a result.
    fn curried(&mut self, params: &[Name], body: Made) -> Core {
        let mut made = body;
        for x in params.iter().rev() {
            let body = if self.throws.closures { self.result(made) } else { made.core().clone() };
            made = Made::Plain(Core::lam(*x, body));
        }
        made.core().clone()
    }

    fn call(&mut self, f: &Expr, args: &[Expr], scope: &Scope) -> Made {
        if let ExprKind::Var(x) = &f.kind
            && !scope.contains_key(x)
        {
            let (steps, args) = self.operands(args, scope);
            let made = Made::of(self.throws.funs.contains(x), Core::new(syntax::ExprKind::Call(*x, args)));
            return self.behind(steps, made);
        }
        let mut applied = self.expr(f, scope);
        if args.is_empty() {
            return self.applied(applied, Made::Plain(Core::con("Unit", Vec::new())));
        }
        for a in args {
            let a = self.expr(a, scope);
            applied = self.applied(applied, a);
        }
        applied
    }

    /// f a
    fn applied(&mut self, f: Made, a: Made) -> Made {
        let mut steps = Vec::new();
        let mut step = |d: &mut Desugar, made: Made, first: bool| {
            if made.throws() || first && !made.core().is_value_form() {
                let name = d.fresh(if first { "h" } else { "v" });
                steps.push(Step { name, made });
                Core::var(name)
            } else {
                made.core().clone()
            }
        };
        let f = step(self, f, false);
        let a_throws = a.throws();
        let f = if a_throws { step(self, Made::Plain(f), true) } else { f };
        let a = step(self, a, false);
        let made = Made::of(self.throws.closures, Core::app(f, a));
        self.behind(steps, made)
    }

    /// Arguments that are no values are named first, from left to right.
    fn construct(&mut self, c: Name, args: Vec<Core>) -> Core {
        let mut named = Vec::new();
        let mut values = Vec::new();
        for a in args {
            if a.is_value_form() {
                values.push(a);
            } else {
                let x = self.fresh("v");
                values.push(Core::var(x));
                named.push((x, a));
            }
        }
        named.into_iter().rev().fold(Core::con(c, values), |body, (x, a)| Core::val(x, a, body))
    }

    fn choose(&mut self, c: Core, a: Made, b: Made) -> Made {
        let pattern = |con: &str| Pattern::new(con, Vec::new());
        self.naming("s", c, |d, x| d.case(x, vec![(pattern("True"), a), (pattern("False"), b)]))
    }

    fn operation(&mut self, op: Op, a: &Expr, b: &Expr, scope: &Scope) -> Made {
        let truth = |t: bool| Made::Plain(Core::con(if t { "True" } else { "False" }, Vec::new()));
        let prim = match op {
            Op::And | Op::Or => {
                let (steps, a) = self.operand(a, scope);
                let b = self.expr(b, scope);
                let (yes, no) = if op == Op::And { (b, truth(false)) } else { (truth(true), b) };
                let made = self.choose(a, yes, no);
                return self.behind(steps, made);
            }
            Op::Ne => {
                let (steps, args) = self.all([a, b].into_iter(), scope);
                let equal = Core::new(syntax::ExprKind::Prim(Prim::Eq, args));
                let made = self.choose(equal, truth(false), truth(true));
                return self.behind(steps, made);
            }
            Op::Gt => return self.swapped(Prim::Lt, a, b, scope),
            Op::Ge => return self.swapped(Prim::Le, a, b, scope),
            Op::Eq => Prim::Eq,
            Op::Lt => Prim::Lt,
            Op::Le => Prim::Le,
            Op::Add => Prim::Add,
            Op::Sub => Prim::Sub,
            Op::Mul => Prim::Mul,
            Op::Div => Prim::Div,
            Op::Mod => Prim::Mod,
        };
        self.primitive(prim, &[a, b], scope)
    }

    /// a is evaluated first all the same.
    fn swapped(&mut self, op: Prim, a: &Expr, b: &Expr, scope: &Scope) -> Made {
        let (steps, mut args) = self.all([a, b].into_iter(), scope);
        let (b, a) = (args.pop(), args.pop());
        let (Some(a), Some(b)) = (a, b) else { return self.behind(steps, Made::Plain(Core::int(0))) };
        let made = self.naming("l", a, |d, l| {
            d.naming("r", b, |_, r| {
                Made::Plain(Core::new(syntax::ExprKind::Prim(op, vec![Core::var(r), Core::var(l)])))
            })
        });
        self.behind(steps, made)
    }
}

/// λx. e, or Ok λx. e
fn inner(e: &Core) -> Option<&syntax::Lam> {
    match e.kind() {
        syntax::ExprKind::Lam(l) => Some(l),
        syntax::ExprKind::Con(c) => c.args.first().and_then(inner),
        syntax::ExprKind::Var(_)
        | syntax::ExprKind::Int(_)
        | syntax::ExprKind::App(..)
        | syntax::ExprKind::Val(..)
        | syntax::ExprKind::Match(..)
        | syntax::ExprKind::Prim(..)
        | syntax::ExprKind::Call(..)
        | syntax::ExprKind::Dup(..)
        | syntax::ExprKind::Drop(..) => None,
    }
}

/// match r { Error x → e; Ok y → e' }
fn results(r: Name, x: Name, error: Core, y: Name, fine: Core) -> Core {
    let branch = |con: &str, x: Name, body: Core| syntax::Branch {
        pattern: Pattern::new(con, vec![body.free().contains(x).then_some(x)]),
        body,
    };
    Core::case(r, vec![branch("Error", x, error), branch("Ok", y, fine)])
}

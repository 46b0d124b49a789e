//! From the surface language to λ¹. Spec: [rule: perceus.desugar].
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
//! | `a > b`, `a >= b`, `a != b` | val l = a; val r = b; r < l, r <= l; if a == b then False else True |
//!
//! All binders of a definition are distinct afterwards.

use super::check::{Known, constructors};
use super::{Arm, Expr, ExprKind, File, Fun, Op, Param, Pattern, PatternKind};
use crate::deep;
use crate::syntax::{self, Branch, Def, Kind, Prim, Program};
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// How many branches nested patterns may become.
const MAX_BRANCHES: usize = 20_000;

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
    let mut d = Desugar { known, funs, taken: FxHashSet::default(), branches: 0, too_many: None };
    let defs = f.funs.iter().map(|fun| d.fun(fun)).collect();
    if let Some(span) = d.too_many {
        return Err(Diagnostic::error("perceus.patterns", span, "these patterns become too many branches"));
    }
    Ok(Program { constructors: arities, defs, main: Core::new(Kind::Call(Name::new("main"), Vec::new())) })
}

struct Desugar {
    known: BTreeMap<Name, Known>,
    funs: BTreeMap<Name, usize>,
    /// Names of binders of this definition.
    taken: FxHashSet<Name>,
    branches: usize,
    /// The match that became too many branches.
    too_many: Option<Span>,
}

/// A branch on its way: patterns that are still to be matched, one for each scrutinee.
#[derive(Clone)]
struct Row<'f> {
    patterns: Vec<Option<&'f Pattern>>,
    scope: Scope,
    body: &'f Expr,
}

impl Desugar {
    fn fun(&mut self, f: &Fun) -> Def {
        self.taken.clear();
        let mut scope = Scope::new();
        let params = f.params.iter().map(|p| self.bind(p, &mut scope)).collect();
        Def { name: f.name, params, body: self.expr(&f.body, &scope) }
    }

    /// A name that no other binder of the definition has.
    fn fresh(&mut self, hint: &str) -> Name {
        let numbered = (1_u64..).map(|n| Name::new(&format!("{hint}{n}")));
        let name = std::iter::once(Name::new(hint)).chain(numbered).find(|n| !self.taken.contains(n));
        let name = name.expect("there are more names than binders");
        self.taken.insert(name);
        name
    }

    fn bind(&mut self, p: &Param, scope: &mut Scope) -> Name {
        let fresh = self.fresh(p.name.map_or("u", Name::as_str));
        scope.extend(p.name.map(|x| (x, fresh)));
        fresh
    }

    fn expr(&mut self, e: &Expr, scope: &Scope) -> Core {
        deep(|| match &e.kind {
            ExprKind::Var(x) => match scope.get(x) {
                Some(y) => Core::var(*y),
                None => self.function_value(*x),
            },
            ExprKind::Int(n) => Core::int(*n),
            ExprKind::Con(c, args) => {
                let args = args.iter().map(|a| self.expr(a, scope)).collect();
                self.construct(*c, args)
            }
            ExprKind::Call(f, args) => self.call(f, args, scope),
            ExprKind::Fn(params, body) => self.lambda(params, body, scope),
            ExprKind::If(c, a, b) => {
                let (c, a, b) = (self.expr(c, scope), self.expr(a, scope), self.expr(b, scope));
                self.choose(c, a, b)
            }
            ExprKind::Match(x, arms) => {
                let scrutinee = self.expr(x, scope);
                self.naming("s", scrutinee, |d, x| d.matching(e.span, x, arms, scope))
            }
            ExprKind::Block(stmts, last) => {
                let mut scope = scope.clone();
                let mut bound = Vec::new();
                for s in stmts {
                    let value = self.expr(&s.value, &scope);
                    bound.push((self.bind(&s.bound, &mut scope), value));
                }
                let last = self.expr(last, &scope);
                bound.into_iter().rev().fold(last, |body, (x, value)| Core::val(x, value, body))
            }
            ExprKind::Op(op, a, b) => {
                let (a, b) = (self.expr(a, scope), self.expr(b, scope));
                self.operation(*op, a, b)
            }
        })
    }

    /// Gives an expression a name, unless it is one.
    fn naming(&mut self, hint: &str, e: Core, then: impl FnOnce(&mut Desugar, Name) -> Core) -> Core {
        if let Kind::Var(x) = e.kind() {
            return then(self, *x);
        }
        let x = self.fresh(hint);
        let body = then(self, x);
        Core::val(x, e, body)
    }

    fn function_value(&mut self, f: Name) -> Core {
        let arity = self.funs.get(&f).copied().unwrap_or(0);
        let params: Vec<Name> = (0..arity).map(|_| self.fresh("p")).collect();
        let call = Core::new(Kind::Call(f, params.iter().map(|p| Core::var(*p)).collect()));
        if params.is_empty() {
            return Core::lam(self.fresh("u"), call);
        }
        params.into_iter().rev().fold(call, |body, p| Core::lam(p, body))
    }

    fn lambda(&mut self, params: &[Param], body: &Expr, scope: &Scope) -> Core {
        let mut scope = scope.clone();
        let mut names: Vec<Name> = params.iter().map(|p| self.bind(p, &mut scope)).collect();
        if names.is_empty() {
            names.push(self.fresh("u"));
        }
        let body = self.expr(body, &scope);
        names.into_iter().rev().fold(body, |body, x| Core::lam(x, body))
    }

    fn call(&mut self, f: &Expr, args: &[Expr], scope: &Scope) -> Core {
        if let ExprKind::Var(x) = &f.kind
            && !scope.contains_key(x)
        {
            return Core::new(Kind::Call(*x, args.iter().map(|a| self.expr(a, scope)).collect()));
        }
        let fun = self.expr(f, scope);
        if args.is_empty() {
            return Core::app(fun, Core::con("Unit", Vec::new()));
        }
        args.iter().fold(fun, |fun, a| Core::app(fun, self.expr(a, scope)))
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

    fn choose(&mut self, c: Core, a: Core, b: Core) -> Core {
        let arm = |con: &str, body: Core| Branch { pattern: syntax::Pattern::new(con, Vec::new()), body };
        self.naming("s", c, |_, x| Core::case(x, vec![arm("True", a), arm("False", b)]))
    }

    fn operation(&mut self, op: Op, a: Core, b: Core) -> Core {
        let truth = |t: bool| Core::con(if t { "True" } else { "False" }, Vec::new());
        let prim = |op, a, b| Core::new(Kind::Prim(op, vec![a, b]));
        match op {
            Op::And => self.choose(a, b, truth(false)),
            Op::Or => self.choose(a, truth(true), b),
            Op::Ne => self.choose(prim(Prim::Eq, a, b), truth(false), truth(true)),
            Op::Gt => self.swapped(Prim::Lt, a, b),
            Op::Ge => self.swapped(Prim::Le, a, b),
            Op::Eq => prim(Prim::Eq, a, b),
            Op::Lt => prim(Prim::Lt, a, b),
            Op::Le => prim(Prim::Le, a, b),
            Op::Add => prim(Prim::Add, a, b),
            Op::Sub => prim(Prim::Sub, a, b),
            Op::Mul => prim(Prim::Mul, a, b),
            Op::Div => prim(Prim::Div, a, b),
            Op::Mod => prim(Prim::Mod, a, b),
        }
    }

    /// a is evaluated first all the same.
    fn swapped(&mut self, op: Prim, a: Core, b: Core) -> Core {
        self.naming("l", a, |d, l| {
            d.naming("r", b, |_, r| Core::new(Kind::Prim(op, vec![Core::var(r), Core::var(l)])))
        })
    }

    fn matching(&mut self, span: Span, x: Name, arms: &[Arm], scope: &Scope) -> Core {
        let mut rows = Vec::new();
        for Arm { pattern, body } in arms {
            rows.push(Row { patterns: vec![Some(pattern)], scope: scope.clone(), body });
        }
        self.rows(span, &[x], rows)
    }

    /// The first row that matches.
    fn rows(&mut self, span: Span, scrutinees: &[Name], rows: Vec<Row<'_>>) -> Core {
        let Some(first) = rows.first() else { return Core::con("Unit", Vec::new()) };
        self.branches += 1;
        if self.branches > MAX_BRANCHES {
            self.too_many = Some(span);
            return Core::con("Unit", Vec::new());
        }
        let is_con = |p: &Option<&Pattern>| p.is_some_and(|p| matches!(p.kind, PatternKind::Con(..)));
        match first.patterns.iter().position(is_con) {
            None => {
                let scope = named(first, scrutinees);
                deep(|| self.expr(first.body, &scope))
            }
            Some(column) => self.split(span, scrutinees, &rows, column),
        }
    }

    /// A match on one scrutinee: a branch for each constructor of its type, those first that rows are for.
    fn split(&mut self, span: Span, scrutinees: &[Name], rows: &[Row<'_>], column: usize) -> Core {
        let x = scrutinees.get(column).copied().unwrap_or_else(|| Name::new("s"));
        let mut order: Vec<Name> = Vec::new();
        for c in rows.iter().filter_map(|r| head(r, column)) {
            if !order.contains(&c) {
                order.push(c);
            }
        }
        let siblings =
            order.first().and_then(|c| self.known.get(c)).map_or_else(Vec::new, |k| k.siblings.clone());
        order.extend(siblings.into_iter().filter(|c| !order.contains(c)).collect::<Vec<_>>());
        let branches = order.into_iter().map(|c| self.branch(span, scrutinees, rows, column, c)).collect();
        Core::case(x, branches)
    }

    fn branch(
        &mut self,
        span: Span,
        scrutinees: &[Name],
        rows: &[Row<'_>],
        column: usize,
        c: Name,
    ) -> Branch {
        let fields = self.known.get(&c).map_or_else(Vec::new, |k| k.fields.clone());
        let given: Vec<Option<Name>> =
            (0..fields.len()).map(|i| rows.iter().find_map(|r| field_name(r, column, c, i))).collect();
        let names: Vec<Name> = given
            .iter()
            .zip(&fields)
            .map(|(given, field)| self.fresh(given.unwrap_or(*field).as_str()))
            .collect();
        let inner: Vec<Row<'_>> =
            rows.iter().filter_map(|r| specialize(r, scrutinees, column, c, fields.len())).collect();
        let mut below = scrutinees.to_vec();
        below.splice(column..=column, names.iter().copied());
        let body = deep(|| self.rows(span, &below, inner));
        let binder = |(name, given): (&Name, &Option<Name>)| {
            (given.is_some() || body.free().contains(*name)).then_some(*name)
        };
        let binders = names.iter().zip(&given).map(binder).collect();
        Branch { pattern: syntax::Pattern::new(c, binders), body }
    }
}

/// The scope of a row's body: what its patterns name.
fn named(row: &Row<'_>, scrutinees: &[Name]) -> Scope {
    let mut scope = row.scope.clone();
    for (p, x) in row.patterns.iter().zip(scrutinees) {
        if let Some(PatternKind::Var(y)) = p.map(|p| &p.kind) {
            scope.insert(*y, *x);
        }
    }
    scope
}

/// The constructor that a row wants in a column.
fn head(row: &Row<'_>, column: usize) -> Option<Name> {
    match row.patterns.get(column).copied().flatten().map(|p| &p.kind) {
        Some(PatternKind::Con(c, _)) => Some(*c),
        Some(PatternKind::Var(_) | PatternKind::Wild) | None => None,
    }
}

/// What a row calls a field of a constructor.
fn field_name(row: &Row<'_>, column: usize, c: Name, field: usize) -> Option<Name> {
    match row.patterns.get(column).copied().flatten().map(|p| &p.kind) {
        Some(PatternKind::Con(d, args)) if *d == c => match args.get(field).map(|p| &p.kind) {
            Some(PatternKind::Var(x)) => Some(*x),
            Some(PatternKind::Wild | PatternKind::Con(..)) | None => None,
        },
        Some(PatternKind::Con(..) | PatternKind::Var(_) | PatternKind::Wild) | None => None,
    }
}

/// What is left of a row once its column is known to be this constructor; `None` where it wants another.
fn specialize<'f>(
    row: &Row<'f>,
    scrutinees: &[Name],
    column: usize,
    c: Name,
    arity: usize,
) -> Option<Row<'f>> {
    let mut out = row.clone();
    let pattern = row.patterns.get(column).copied().flatten();
    let inner: Vec<Option<&Pattern>> = match pattern.map(|p| &p.kind) {
        Some(PatternKind::Con(d, args)) if *d == c => args.iter().map(Some).collect(),
        Some(PatternKind::Con(..)) => return None,
        Some(PatternKind::Var(y)) => {
            out.scope.extend(scrutinees.get(column).map(|x| (*y, *x)));
            vec![None; arity]
        }
        Some(PatternKind::Wild) | None => vec![None; arity],
    };
    out.patterns.splice(column..=column, inner);
    Some(out)
}

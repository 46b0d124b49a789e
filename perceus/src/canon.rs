//! Alpha-equivalence. Spec: [rule: perceus.alpha].
//!
//! Expressions are brought into a canonical, nameless form (de Bruijn) in a table where equal forms are one entry, so
//! that equality is equality of entries and shared parts are looked at once. Consecutive `dup`s are a multiset there,
//! and so are consecutive `drop`s and each `ys`; a `dup` does not pass a `drop`.

use crate::deep;
use crate::syntax::{Branch, Expr, ExprKind, Prim};
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// An entry of a [`Table`]. Two entries of one table are equal exactly when their expressions are alpha-equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// How many binders are between the variable and its own.
    Bound(usize),
    Free(Name),
    Int(i64),
    Lam(Option<Vec<Id>>, Id),
    App(Id, Id),
    Val(Id, Id),
    Match(Id, Vec<Arm>),
    Con(Name, Option<Id>, Vec<Id>),
    Prim(Prim, Vec<Id>),
    Call(Name, Vec<Id>),
    Dups(Vec<Id>, Id),
    Drops(Vec<Id>, Id),
    /// The n-th reference that is met.
    Location(usize),
    /// A value, and what the references in it hold.
    Store(Id, Vec<Id>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Arm {
    con: Name,
    /// Which fields are named.
    named: Vec<bool>,
    reuse: bool,
    body: Id,
}

/// Canonical forms.
#[derive(Default)]
pub struct Table {
    entries: FxHashMap<Form, Id>,
    forms: Vec<Form>,
    /// Whether a value in the place of a scrutinee counts for its head alone.
    heads: bool,
}

/// What free variables stand for: closed values, already in the table.
pub type Meaning<'m> = dyn Fn(Name) -> Option<Id> + 'm;

impl Table {
    /// No entry.
    pub fn new() -> Table {
        Table::default()
    }

    /// No entry yet; of a value that was substituted for a scrutinee, only the head is kept: cases cannot write more,
    /// since a scrutinee is a name there [P-7]. A constructor's name and an integer stand for themselves, any
    /// other free name for a lambda.
    pub fn of_heads() -> Table {
        Table { heads: true, ..Table::default() }
    }

    /// The entry of an expression whose free variables stand for themselves.
    pub fn expr(&mut self, e: &Expr) -> Id {
        self.open(e, &|_| None)
    }

    /// The entry of an expression with its free variables replaced.
    pub fn open(&mut self, e: &Expr, meaning: &Meaning<'_>) -> Id {
        self.form(e, &mut Vec::new(), meaning)
    }

    /// The entry of λx. e with its free variables replaced.
    pub fn lambda(&mut self, x: Name, body: &Expr, meaning: &Meaning<'_>) -> Id {
        let body = self.form(body, &mut vec![x], meaning);
        self.entry(Form::Lam(None, body))
    }

    /// The entry of an integer.
    pub fn int(&mut self, n: i64) -> Id {
        self.entry(Form::Int(n))
    }

    /// The entry of C v₁ … vₙ.
    pub fn con(&mut self, name: Name, args: Vec<Id>) -> Id {
        self.entry(Form::Con(name, None, args))
    }

    /// The entry of the n-th reference that is met.
    pub fn location(&mut self, n: usize) -> Id {
        self.entry(Form::Location(n))
    }

    /// The entry of a value whose references hold these, in the order in which they are met.
    pub fn store(&mut self, value: Id, contents: Vec<Id>) -> Id {
        if contents.is_empty() { value } else { self.entry(Form::Store(value, contents)) }
    }

    fn entry(&mut self, form: Form) -> Id {
        if let Some(id) = self.entries.get(&form) {
            return *id;
        }
        let id = Id(self.forms.len());
        self.forms.push(form.clone());
        self.entries.insert(form, id);
        id
    }

    fn scrutinee(&mut self, x: Name, scope: &[Name], meaning: &Meaning<'_>) -> Id {
        let id = self.variable(x, scope, meaning);
        let Some(form) = self.forms.get(id.0).filter(|_| self.heads) else { return id };
        let is_head =
            |x: Name| x.as_str().starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '-');
        let head = match form {
            Form::Bound(_) => return id,
            Form::Free(x) if is_head(*x) => return id,
            Form::Con(name, ..) => *name,
            Form::Int(n) => Name::new(&n.to_string()),
            Form::Free(_)
            | Form::Lam(..)
            | Form::App(..)
            | Form::Val(..)
            | Form::Match(..)
            | Form::Prim(..)
            | Form::Call(..)
            | Form::Dups(..)
            | Form::Drops(..)
            | Form::Location(_)
            | Form::Store(..) => Name::new("λ"),
        };
        self.entry(Form::Free(head))
    }

    fn variable(&mut self, x: Name, scope: &[Name], meaning: &Meaning<'_>) -> Id {
        match scope.iter().rev().position(|y| *y == x) {
            Some(between) => self.entry(Form::Bound(between)),
            None => meaning(x).unwrap_or_else(|| self.entry(Form::Free(x))),
        }
    }

    fn form(&mut self, e: &Expr, scope: &mut Vec<Name>, meaning: &Meaning<'_>) -> Id {
        let form = deep(|| match e.kind() {
            ExprKind::Var(x) => Err(self.variable(*x, scope, meaning)),
            ExprKind::Int(n) => Ok(Form::Int(*n)),
            ExprKind::Lam(l) => {
                let ys = l.ys.as_ref().map(|ys| self.multiset(ys, scope, meaning));
                Ok(Form::Lam(ys, self.under(&[l.param], &l.body, scope, meaning)))
            }
            ExprKind::App(a, b) => Ok(Form::App(self.form(a, scope, meaning), self.form(b, scope, meaning))),
            ExprKind::Val(x, a, b) => {
                Ok(Form::Val(self.form(a, scope, meaning), self.under(&[*x], b, scope, meaning)))
            }
            ExprKind::Match(x, branches) => {
                let x = self.scrutinee(*x, scope, meaning);
                Ok(Form::Match(x, branches.iter().map(|b| self.arm(b, scope, meaning)).collect()))
            }
            ExprKind::Con(c) => {
                let at = c.at.map(|r| self.variable(r, scope, meaning));
                Ok(Form::Con(c.name, at, self.all(&c.args, scope, meaning)))
            }
            ExprKind::Prim(op, args) => Ok(Form::Prim(*op, self.all(args, scope, meaning))),
            ExprKind::Call(f, args) => Ok(Form::Call(*f, self.all(args, scope, meaning))),
            ExprKind::Dup(..) => {
                let (run, rest) = run_of(e, Expr::as_dup);
                Ok(Form::Dups(self.multiset(&run, scope, meaning), self.form(rest, scope, meaning)))
            }
            ExprKind::Drop(..) => {
                let (run, rest) = run_of(e, Expr::as_drop);
                Ok(Form::Drops(self.multiset(&run, scope, meaning), self.form(rest, scope, meaning)))
            }
        });
        form.map_or_else(|id| id, |form| self.entry(form))
    }

    fn all(&mut self, es: &[Expr], scope: &mut Vec<Name>, meaning: &Meaning<'_>) -> Vec<Id> {
        es.iter().map(|e| self.form(e, scope, meaning)).collect()
    }

    fn multiset(&mut self, names: &[Name], scope: &[Name], meaning: &Meaning<'_>) -> Vec<Id> {
        let mut ids: Vec<Id> = names.iter().map(|x| self.variable(*x, scope, meaning)).collect();
        ids.sort_unstable();
        ids
    }

    fn under(&mut self, bound: &[Name], e: &Expr, scope: &mut Vec<Name>, meaning: &Meaning<'_>) -> Id {
        let outside = scope.len();
        scope.extend(bound);
        let id = self.form(e, scope, meaning);
        scope.truncate(outside);
        id
    }

    fn arm(&mut self, b: &Branch, scope: &mut Vec<Name>, meaning: &Meaning<'_>) -> Arm {
        let bound: Vec<Name> = b.pattern.fields().chain(b.pattern.reuse).collect();
        Arm {
            con: b.pattern.con,
            named: b.pattern.binders.iter().map(Option::is_some).collect(),
            reuse: b.pattern.reuse.is_some(),
            body: self.under(&bound, &b.body, scope, meaning),
        }
    }
}

/// The names of a run of one instruction, and what follows it.
fn run_of<'e>(e: &'e Expr, one: impl Fn(&'e Expr) -> Option<(Name, &'e Expr)>) -> (Vec<Name>, &'e Expr) {
    let (mut run, mut rest) = (Vec::new(), e);
    while let Some((x, next)) = one(rest) {
        run.push(x);
        rest = next;
    }
    (run, rest)
}

/// The references that are met in a value, and what is known of its parts: names for what has identity, by the order in which a walk
/// from left to right finds it.
pub struct Met<K> {
    /// Entries of values.
    pub known: FxHashMap<K, Id>,
    /// References, as they are met.
    pub locations: Vec<K>,
}

impl<K: Copy + Eq + Hash> Met<K> {
    /// Nothing.
    pub fn new() -> Met<K> {
        Met { known: FxHashMap::default(), locations: Vec::new() }
    }

    /// The entry of a reference.
    pub fn reference(&mut self, table: &mut Table, r: K) -> Id {
        self.locations.push(r);
        table.location(self.locations.len() - 1)
    }
}

impl<K: Copy + Eq + Hash> Default for Met<K> {
    fn default() -> Met<K> {
        Met::new()
    }
}

/// The free variables of λx. e in the order in which they occur first: it does not depend on names.
pub fn captured(x: Name, e: &Expr) -> Vec<Name> {
    let mut out = Vec::new();
    occurrences(e, &mut vec![x], &mut out);
    out
}

fn occurrences(e: &Expr, scope: &mut Vec<Name>, out: &mut Vec<Name>) {
    let outside = scope.len();
    let see = |x: &Name, scope: &[Name], out: &mut Vec<Name>| {
        if !scope.contains(x) && !out.contains(x) {
            out.push(*x);
        }
    };
    deep(|| match e.kind() {
        ExprKind::Var(x) => see(x, scope, out),
        ExprKind::Val(x, a, b) => {
            occurrences(a, scope, out);
            scope.push(*x);
            occurrences(b, scope, out);
        }
        ExprKind::Lam(l) => {
            scope.push(l.param);
            occurrences(&l.body, scope, out);
        }
        ExprKind::Match(x, branches) => {
            see(x, scope, out);
            for b in branches {
                let outside = scope.len();
                scope.extend(b.pattern.fields().chain(b.pattern.reuse));
                occurrences(&b.body, scope, out);
                scope.truncate(outside);
            }
        }
        ExprKind::Int(_)
        | ExprKind::App(..)
        | ExprKind::Con(_)
        | ExprKind::Prim(..)
        | ExprKind::Call(..)
        | ExprKind::Dup(..)
        | ExprKind::Drop(..) => e.children().for_each(|c| occurrences(c, scope, out)),
    });
    scope.truncate(outside);
}

/// Whether two expressions are alpha-equivalent.
pub fn equal(a: &Expr, b: &Expr) -> bool {
    let mut table = Table::new();
    table.expr(a) == table.expr(b)
}

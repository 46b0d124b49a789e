//! What is wrong with a program: names, arities, patterns. Spec: [rule: perceus.surface.check].

use super::throws;
use super::{Constructor, Expr, ExprKind, File, Param, Pattern, PatternKind};
use crate::deep;
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many fields a constructor may have, and how many variables a closure may capture.
pub const MOST_FIELDS: usize = 255;

/// How many constructors a file may have.
const MOST_CONSTRUCTORS: usize = 20_000;

/// How much work a match may be.
const WORK: u32 = 200_000;

/// A constructor as others see it.
#[derive(Clone, Debug)]
pub struct Known {
    /// The names of its fields.
    pub fields: Vec<Name>,
    /// The constructors of its type, in order.
    pub siblings: Rc<[Name]>,
    /// Its place among them.
    pub place: usize,
}

/// The types that are always there, and that of results, which is there where something throws: constructors and their fields.
fn built_in(f: &File) -> Vec<Vec<(Name, Vec<Name>)>> {
    let named = |all: &[(&str, &[&str])]| {
        let names = |fields: &[&str]| fields.iter().map(|f| Name::new(f)).collect();
        all.iter().map(|(name, fields)| (Name::new(name), names(fields))).collect()
    };
    let mut types = vec![named(&[("False", &[]), ("True", &[])]), named(&[("Unit", &[])])];
    if throws::is_used(f) {
        types.push(named(&[("Error", &["error"]), ("Ok", &["value"])]));
    }
    types
}

/// The constructors of a file, and those that are built in.
pub fn constructors(f: &File) -> BTreeMap<Name, Known> {
    let declared = f.types.iter().map(|t| {
        let fields = |c: &Constructor| c.fields.iter().map(|f| f.name).collect();
        t.constructors.iter().map(|c| (c.name, fields(c))).collect()
    });
    let mut all = BTreeMap::new();
    for of in built_in(f).into_iter().chain(declared.collect::<Vec<_>>()) {
        let siblings: Rc<[Name]> = of.iter().map(|(name, _)| *name).collect();
        for (place, (name, fields)) in of.into_iter().enumerate() {
            all.entry(name).or_insert(Known { fields, siblings: Rc::clone(&siblings), place });
        }
    }
    all
}

/// Everything that is wrong with a file.
pub fn check(f: &File) -> Vec<Diagnostic> {
    let mut c = Check { constructors: constructors(f), funs: BTreeMap::new(), found: Vec::new() };
    c.declarations(f);
    for fun in &f.funs {
        let mut scope = Vec::new();
        c.params(&fun.params, &mut scope);
        c.expr(&fun.body, &mut scope);
    }
    c.main(f);
    c.found
}

struct Check {
    constructors: BTreeMap<Name, Known>,
    /// Functions and how many parameters they have.
    funs: BTreeMap<Name, usize>,
    found: Vec<Diagnostic>,
}

impl Check {
    fn error(&mut self, rule: &'static str, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(rule, span, message));
    }

    fn declarations(&mut self, f: &File) {
        let built_in = built_in(f).into_iter().flatten();
        let mut seen: BTreeMap<Name, Span> = built_in.map(|(name, _)| (name, Span::NONE)).collect();
        let mut types = BTreeMap::new();
        if let Some(c) = f.types.iter().flat_map(|t| &t.constructors).nth(MOST_CONSTRUCTORS) {
            self.error(
                "perceus.limit",
                c.span,
                format!("there are more than {MOST_CONSTRUCTORS} constructors"),
            );
        }
        for t in &f.types {
            self.twice(t.name, t.span, &mut types, "type");
            for Constructor { name, span, fields } in &t.constructors {
                self.twice(*name, *span, &mut seen, "constructor");
                let mut of = BTreeMap::new();
                fields.iter().for_each(|f| self.twice(f.name, f.span, &mut of, "field"));
                if fields.len() > MOST_FIELDS {
                    let n = fields.len();
                    self.error(
                        "perceus.limit",
                        *span,
                        format!("`{name}` has {n} fields; {MOST_FIELDS} are the most"),
                    );
                }
            }
        }
        let mut seen = BTreeMap::new();
        for fun in &f.funs {
            self.twice(fun.name, fun.span, &mut seen, "function");
            self.funs.insert(fun.name, fun.params.len());
        }
    }

    fn twice(&mut self, name: Name, span: Span, seen: &mut BTreeMap<Name, Span>, what: &str) {
        let Some(first) = seen.insert(name, span) else { return };
        let d = Diagnostic::error("perceus.duplicate", span, format!("there are two {what}s `{name}`"));
        self.found.push(if first.is_none() {
            d.note("this one is built in")
        } else {
            d.also(first, "the first is here")
        });
    }

    fn main(&mut self, f: &File) {
        match f.funs.iter().find(|fun| fun.name.as_str() == "main") {
            None => {
                let d = Diagnostic::error("perceus.main", Span::NONE, "there is no function `main`");
                self.found.push(d.help("write `fun main() { … }`"));
            }
            Some(fun) if !fun.params.is_empty() => {
                self.error("perceus.main", fun.span, "`main` takes no arguments");
            }
            Some(_) => {}
        }
    }

    fn params(&mut self, params: &[Param], scope: &mut Vec<Name>) {
        let mut seen = BTreeMap::new();
        for p in params {
            if let Some(x) = p.name {
                self.twice(x, p.span, &mut seen, "parameter");
                scope.push(x);
            }
        }
    }

    fn arity(&mut self, what: &str, name: Name, span: Span, wanted: usize, found: usize) {
        if wanted != found {
            let s = if wanted == 1 { "" } else { "s" };
            self.error(
                "perceus.arity",
                span,
                format!("{what} `{name}` takes {wanted} argument{s}, not {found}"),
            );
        }
    }

    fn exprs(&mut self, es: &[Expr], scope: &mut Vec<Name>) {
        es.iter().for_each(|e| self.expr(e, scope));
    }

    fn expr(&mut self, e: &Expr, scope: &mut Vec<Name>) {
        let outside = scope.len();
        deep(|| match &e.kind {
            ExprKind::Var(x) => {
                if !scope.contains(x) && !self.funs.contains_key(x) {
                    self.error("perceus.unbound", e.span, format!("`{x}` is not defined"));
                }
            }
            ExprKind::Int(_) => {}
            ExprKind::Con(c, args) => {
                self.constructor(*c, e.span, args.len());
                self.exprs(args, scope);
            }
            ExprKind::Call(f, args) => {
                if let ExprKind::Var(x) = &f.kind
                    && let Some(wanted) = self.funs.get(x).copied().filter(|_| !scope.contains(x))
                {
                    self.arity("function", *x, e.span, wanted, args.len());
                } else {
                    self.expr(f, scope);
                }
                self.exprs(args, scope);
            }
            ExprKind::Fn(params, body) => {
                self.params(params, scope);
                self.expr(body, scope);
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e, scope)),
            ExprKind::Op(_, a, b) => [a, b].into_iter().for_each(|e| self.expr(e, scope)),
            ExprKind::Ref(e) | ExprKind::Get(e) | ExprKind::Throw(e) => self.expr(e, scope),
            ExprKind::Set(a, b) => [a, b].into_iter().for_each(|e| self.expr(e, scope)),
            ExprKind::Try(body, x, handler) => {
                self.expr(body, scope);
                scope.extend(x.name);
                self.expr(handler, scope);
            }
            ExprKind::Block(stmts, last) => {
                for s in stmts {
                    self.expr(&s.value, scope);
                    scope.extend(s.bound.name);
                }
                self.expr(last, scope);
            }
            ExprKind::Match(x, arms) => {
                self.expr(x, scope);
                let mut sound = true;
                for arm in arms {
                    let mut bound = BTreeMap::new();
                    sound &= self.pattern(&arm.pattern, &mut bound);
                    let outside = scope.len();
                    scope.extend(bound.keys());
                    self.expr(&arm.body, scope);
                    scope.truncate(outside);
                }
                if sound && self.one_type(&arms.iter().map(|a| &a.pattern).collect::<Vec<_>>()) {
                    self.coverage(e.span, &arms.iter().map(|a| &a.pattern).collect::<Vec<_>>());
                }
            }
        });
        scope.truncate(outside);
    }

    fn constructor(&mut self, c: Name, span: Span, args: usize) -> bool {
        match self.constructors.get(&c).map(|k| k.fields.len()) {
            None => self.error("perceus.unknown-constructor", span, format!("there is no constructor `{c}`")),
            Some(wanted) => {
                self.arity("constructor", c, span, wanted, args);
                return wanted == args;
            }
        }
        false
    }

    /// Whether the pattern can be looked at further.
    fn pattern(&mut self, p: &Pattern, bound: &mut BTreeMap<Name, Span>) -> bool {
        deep(|| match &p.kind {
            PatternKind::Wild => true,
            PatternKind::Var(x) => {
                self.twice(*x, p.span, bound, "binder");
                true
            }
            PatternKind::Con(c, args) => {
                let fine = self.constructor(*c, p.span, args.len());
                args.iter().fold(fine, |fine, arg| self.pattern(arg, bound) && fine)
            }
        })
    }

    /// Whether all constructors in one place of a match are of one type.
    fn one_type(&mut self, patterns: &[&Pattern]) -> bool {
        let mut inside: BTreeMap<Name, Vec<&[Pattern]>> = BTreeMap::new();
        let mut first: Option<Name> = None;
        for p in patterns {
            let PatternKind::Con(c, args) = &p.kind else { continue };
            let of = first.get_or_insert(*c);
            let siblings = |c: &Name| self.constructors.get(c).map(|k| &k.siblings);
            if let (Some(a), Some(b)) = (siblings(of), siblings(c))
                && !Rc::ptr_eq(a, b)
            {
                let d = format!("`{of}` and `{c}` are constructors of different types");
                self.error("perceus.pattern-types", p.span, d);
                return false;
            }
            inside.entry(*c).or_default().push(args);
        }
        inside.into_values().all(|rows| {
            let fields = rows.first().map_or(0, |r| r.len());
            (0..fields).all(|i| {
                let column: Vec<&Pattern> = rows.iter().filter_map(|r| r.get(i)).collect();
                deep(|| self.one_type(&column))
            })
        })
    }

    /// Exhaustive, and each branch reached by something.
    fn coverage(&mut self, span: Span, patterns: &[&Pattern]) {
        let mut work = Coverage { constructors: &self.constructors, left: WORK };
        let rows: Vec<Vec<Pat>> = patterns.iter().map(|p| vec![simple(p)]).collect();
        let missing = work.missing(&rows, &[Pat::Wild]);
        let useless: Vec<usize> = (0..rows.len())
            .filter(|i| {
                let (before, row) =
                    (rows.get(..*i).unwrap_or_default(), rows.get(*i).map_or(&[][..], Vec::as_slice));
                work.missing(before, row).is_none()
            })
            .collect();
        if work.left == 0 {
            return self.error("perceus.patterns", span, "these patterns are too many to be looked through");
        }
        if let Some(witness) = missing {
            let shown = witness.first().map_or_else(String::new, Pat::to_string);
            let d = Diagnostic::error("perceus.not-exhaustive", span, format!("no branch is for `{shown}`"));
            self.found.push(d.help(format!("add `{shown} -> …`")));
        }
        for p in useless.into_iter().filter_map(|i| patterns.get(i)) {
            let d = Diagnostic::error(
                "perceus.overlapping",
                p.span,
                "the branches before leave nothing for this one",
            );
            self.found.push(d.help("branches are tried from the first to the last"));
        }
    }
}

/// A pattern without names.
#[derive(Clone, Debug)]
enum Pat {
    Wild,
    Con(Name, Vec<Pat>),
}

impl std::fmt::Display for Pat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pat::Wild => f.write_str("_"),
            Pat::Con(c, args) if args.is_empty() => write!(f, "{c}"),
            Pat::Con(c, args) => {
                let args: Vec<String> = args.iter().map(|p| deep(|| p.to_string())).collect();
                write!(f, "{c}({})", args.join(", "))
            }
        }
    }
}

fn simple(p: &Pattern) -> Pat {
    match &p.kind {
        PatternKind::Wild | PatternKind::Var(_) => Pat::Wild,
        PatternKind::Con(c, args) => Pat::Con(*c, args.iter().map(|p| deep(|| simple(p))).collect()),
    }
}

/// Maranget's usefulness, with a bound on the work.
struct Coverage<'c> {
    constructors: &'c BTreeMap<Name, Known>,
    left: u32,
}

impl Coverage<'_> {
    /// Values of the shape of `row` that no row before matches.
    fn missing(&mut self, rows: &[Vec<Pat>], row: &[Pat]) -> Option<Vec<Pat>> {
        self.left = self.left.saturating_sub(1);
        let Some((first, rest)) = row.split_first() else {
            return rows.is_empty().then(Vec::new);
        };
        if self.left == 0 {
            return None;
        }
        deep(|| match first {
            Pat::Con(c, args) => self.under(*c, args, rows, rest),
            Pat::Wild => {
                let heads: Vec<Name> = rows.iter().filter_map(|r| head(r)).collect();
                let siblings = heads.first().map_or_else(Vec::new, |c| self.siblings(*c));
                let present: BTreeSet<Name> = heads.into_iter().collect();
                match siblings.iter().copied().find(|c| !present.contains(c)) {
                    None if !siblings.is_empty() => siblings.into_iter().find_map(|c| {
                        let args = vec![Pat::Wild; self.arity(c)];
                        self.under(c, &args, rows, rest)
                    }),
                    absent => {
                        let others: Vec<Vec<Pat>> = rows
                            .iter()
                            .filter(|r| head(r).is_none())
                            .map(|r| r.iter().skip(1).cloned().collect())
                            .collect();
                        let mut witness = self.missing(&others, rest)?;
                        let shown = absent.map_or(Pat::Wild, |c| Pat::Con(c, vec![Pat::Wild; self.arity(c)]));
                        witness.insert(0, shown);
                        Some(witness)
                    }
                }
            }
        })
    }

    /// Likewise, where the first is this constructor.
    fn under(&mut self, c: Name, args: &[Pat], rows: &[Vec<Pat>], rest: &[Pat]) -> Option<Vec<Pat>> {
        let arity = args.len();
        let inner: Vec<Vec<Pat>> = rows.iter().filter_map(|r| specialize(r, c, arity)).collect();
        let row: Vec<Pat> = args.iter().chain(rest).cloned().collect();
        let mut witness = self.missing(&inner, &row)?;
        let rest = witness.split_off(arity);
        Some([vec![Pat::Con(c, witness)], rest].concat())
    }

    fn siblings(&self, c: Name) -> Vec<Name> {
        self.constructors.get(&c).map_or_else(Vec::new, |k| k.siblings.to_vec())
    }

    fn arity(&self, c: Name) -> usize {
        self.constructors.get(&c).map_or(0, |k| k.fields.len())
    }
}

fn head(row: &[Pat]) -> Option<Name> {
    match row.first() {
        Some(Pat::Con(c, _)) => Some(*c),
        Some(Pat::Wild) | None => None,
    }
}

/// What is left of a row where its first pattern is for this constructor.
fn specialize(row: &[Pat], c: Name, arity: usize) -> Option<Vec<Pat>> {
    let (first, rest) = row.split_first()?;
    let args = match first {
        Pat::Wild => vec![Pat::Wild; arity],
        Pat::Con(d, args) if *d == c => args.clone(),
        Pat::Con(..) => return None,
    };
    Some(args.into_iter().chain(rest.iter().cloned()).collect())
}

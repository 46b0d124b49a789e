//! What may throw [P-14]. Spec: [rule: perceus.throws].
//!
//! A function may throw when, outside of the bodies of `try`, there is a `throw` in it, a call of a function that may, or an
//! application, where a closure may. All closures are one: they may throw when the body of one of them does, or a function that is used
//! as a value.

use super::{Expr, ExprKind, File, Param, Pattern, PatternKind};
use crate::deep;
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

/// What may throw in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Throws {
    /// These functions.
    pub funs: BTreeSet<Name>,
    /// Closures.
    pub closures: bool,
}

/// Whether there is a `throw` or a `try`: only then is there a type of results.
pub fn is_used(f: &File) -> bool {
    f.funs.iter().any(|f| uses(&f.body))
}

fn uses(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Throw(_) | ExprKind::Try(..) => true,
        ExprKind::Var(_)
        | ExprKind::Int(_)
        | ExprKind::Con(..)
        | ExprKind::Call(..)
        | ExprKind::Fn(..)
        | ExprKind::If(..)
        | ExprKind::Match(..)
        | ExprKind::Block(..)
        | ExprKind::Op(..)
        | ExprKind::Ref(_)
        | ExprKind::Get(_)
        | ExprKind::Set(..) => e.children().into_iter().any(|e| deep(|| uses(e))),
    }
}

/// What may throw.
pub fn of(f: &File) -> Throws {
    let mut graph = Graph { funs: f.funs.iter().map(|f| f.name).collect(), ..Graph::default() };
    for fun in &f.funs {
        let mut scope = fun.params.iter().filter_map(|p| p.name).collect();
        graph.expr(&fun.body, &mut scope, Some(Node::Fun(fun.name)));
    }
    let (mut throws, mut rest) = (graph.throwing.clone(), graph.throwing.iter().copied().collect::<Vec<_>>());
    while let Some(node) = rest.pop() {
        for caller in graph.callers.get(&node).into_iter().flatten() {
            if throws.insert(*caller) {
                rest.push(*caller);
            }
        }
    }
    let funs = throws.iter().filter_map(|n| match n {
        Node::Fun(f) => Some(*f),
        Node::Closures => None,
    });
    Throws { funs: funs.collect(), closures: throws.contains(&Node::Closures) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Fun(Name),
    Closures,
}

#[derive(Default)]
struct Graph {
    funs: BTreeSet<Name>,
    /// Those with a `throw` in them.
    throwing: BTreeSet<Node>,
    /// Who throws what each throws.
    callers: BTreeMap<Node, BTreeSet<Node>>,
}

impl Graph {
    /// `within` throws what `node` throws; `None` in the body of a `try`.
    fn call(&mut self, node: Node, within: Option<Node>) {
        self.callers.entry(node).or_default().extend(within);
    }

    fn expr(&mut self, e: &Expr, scope: &mut Vec<Name>, within: Option<Node>) {
        let outside = scope.len();
        deep(|| match &e.kind {
            ExprKind::Var(x) => {
                if !scope.contains(x) && self.funs.contains(x) {
                    self.call(Node::Fun(*x), Some(Node::Closures));
                }
            }
            ExprKind::Call(f, args) => {
                if let ExprKind::Var(x) = &f.kind
                    && !scope.contains(x)
                {
                    self.call(Node::Fun(*x), within);
                } else {
                    self.call(Node::Closures, within);
                    self.expr(f, scope, within);
                }
                args.iter().for_each(|e| self.expr(e, scope, within));
            }
            ExprKind::Fn(params, body) => {
                scope.extend(params.iter().filter_map(|p| p.name));
                self.expr(body, scope, Some(Node::Closures));
            }
            ExprKind::Block(stmts, last) => {
                for s in stmts {
                    self.expr(&s.value, scope, within);
                    scope.extend(s.bound.name);
                }
                self.expr(last, scope, within);
            }
            ExprKind::Match(x, arms) => {
                self.expr(x, scope, within);
                for arm in arms {
                    let outside = scope.len();
                    binders(&arm.pattern, scope);
                    self.expr(&arm.body, scope, within);
                    scope.truncate(outside);
                }
            }
            ExprKind::Try(body, Param { name, .. }, handler) => {
                self.expr(body, scope, None);
                scope.extend(*name);
                self.expr(handler, scope, within);
            }
            ExprKind::Throw(e) => {
                self.throwing.extend(within);
                self.expr(e, scope, within);
            }
            ExprKind::Int(_)
            | ExprKind::Con(..)
            | ExprKind::If(..)
            | ExprKind::Op(..)
            | ExprKind::Ref(_)
            | ExprKind::Get(_)
            | ExprKind::Set(..) => {
                e.children().into_iter().for_each(|e| self.expr(e, scope, within));
            }
        });
        scope.truncate(outside);
    }
}

fn binders(p: &Pattern, scope: &mut Vec<Name>) {
    match &p.kind {
        PatternKind::Wild => {}
        PatternKind::Var(x) => scope.push(*x),
        PatternKind::Con(_, args) => args.iter().for_each(|p| deep(|| binders(p, scope))),
    }
}

//! Binders made distinct, so that no two variables share a name [P-2]. Spec: [rule: perceus.distinct].
//!
//! \[SBIND\] asks for x ∉ Δ, Γ, and \[LAM\], \[MATCH\], \[SLAM\], \[SMATCH\] need the same of what they bind: otherwise
//! (Γ, bv(p)) would take two variables of one name for one.

use super::{Branch, Con, Def, Expr, ExprKind, Lam, Pattern, Program};
use crate::deep;
use rewright_base::sym::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// The program with distinct binders, each definition by itself. A binder keeps its name when no earlier one has it.
#[must_use]
pub fn program(p: &Program) -> Program {
    let def = |d: &Def| {
        let mut names = Distinct::new(&d.body);
        let scope: Scope = d.params.iter().map(|x| (*x, names.binder(*x))).collect();
        let params = d.params.iter().map(|x| scope.get(x).copied().unwrap_or(*x)).collect();
        Def { name: d.name, params, body: names.expr(&d.body, &scope) }
    };
    let main = Distinct::new(&p.main).expr(&p.main, &Scope::default());
    Program { constructors: p.constructors.clone(), defs: p.defs.iter().map(def).collect(), main }
}

/// What each name in scope is called.
type Scope = FxHashMap<Name, Name>;

struct Distinct {
    /// Names that occur anywhere.
    known: FxHashSet<Name>,
    /// Names of binders so far.
    taken: FxHashSet<Name>,
}

impl Distinct {
    fn new(e: &Expr) -> Distinct {
        Distinct { known: names(e), taken: FxHashSet::default() }
    }

    /// The name of a binder that is met.
    fn binder(&mut self, x: Name) -> Name {
        if self.taken.insert(x) {
            return x;
        }
        let fresh = (1_u64..)
            .map(|n| Name::new(&format!("{x}{n}")))
            .find(|y| !self.known.contains(y) && !self.taken.contains(y))
            .expect("there are more names than binders");
        self.taken.insert(fresh);
        fresh
    }

    fn expr(&mut self, e: &Expr, scope: &Scope) -> Expr {
        let name = |x: &Name| scope.get(x).copied().unwrap_or(*x);
        deep(|| {
            Expr::new(match e.kind() {
                ExprKind::Var(x) => ExprKind::Var(name(x)),
                ExprKind::Int(n) => ExprKind::Int(*n),
                ExprKind::Lam(l) => {
                    let ys = l.ys.as_ref().map(|ys| ys.iter().map(name).collect());
                    let (param, scope) = self.extend(l.param, scope);
                    ExprKind::Lam(Lam { ys, param, body: self.expr(&l.body, &scope) })
                }
                ExprKind::App(a, b) => {
                    let a = self.expr(a, scope);
                    ExprKind::App(a, self.expr(b, scope))
                }
                ExprKind::Val(x, a, b) => {
                    let (x, inner) = self.extend(*x, scope);
                    let a = self.expr(a, scope);
                    ExprKind::Val(x, a, self.expr(b, &inner))
                }
                ExprKind::Match(x, branches) => {
                    ExprKind::Match(name(x), branches.iter().map(|b| self.branch(b, scope)).collect())
                }
                ExprKind::Con(c) => {
                    let args = self.all(&c.args, scope);
                    ExprKind::Con(Con { name: c.name, at: c.at.as_ref().map(name), args })
                }
                ExprKind::Prim(op, args) => ExprKind::Prim(*op, self.all(args, scope)),
                ExprKind::Call(f, args) => ExprKind::Call(*f, self.all(args, scope)),
                ExprKind::Dup(x, e) => ExprKind::Dup(name(x), self.expr(e, scope)),
                ExprKind::Drop(x, e) => ExprKind::Drop(name(x), self.expr(e, scope)),
            })
        })
    }

    fn all(&mut self, es: &[Expr], scope: &Scope) -> Vec<Expr> {
        es.iter().map(|e| self.expr(e, scope)).collect()
    }

    fn extend(&mut self, x: Name, scope: &Scope) -> (Name, Scope) {
        let (fresh, mut scope) = (self.binder(x), scope.clone());
        scope.insert(x, fresh);
        (fresh, scope)
    }

    fn branch(&mut self, b: &Branch, scope: &Scope) -> Branch {
        let mut scope = scope.clone();
        let mut bind = |x: Name| {
            let fresh = self.binder(x);
            scope.insert(x, fresh);
            fresh
        };
        let binders = b.pattern.binders.iter().map(|x| x.map(&mut bind)).collect();
        let reuse = b.pattern.reuse.map(&mut bind);
        Branch { pattern: Pattern { con: b.pattern.con, binders, reuse }, body: self.expr(&b.body, &scope) }
    }
}

/// All names of variables in an expression.
pub fn names(e: &Expr) -> FxHashSet<Name> {
    let mut known = FxHashSet::default();
    collect(e, &mut known);
    known
}

fn collect(e: &Expr, known: &mut FxHashSet<Name>) {
    deep(|| {
        known.extend(e.free().iter());
        match e.kind() {
            ExprKind::Lam(l) => drop(known.insert(l.param)),
            ExprKind::Val(x, _, _) => drop(known.insert(*x)),
            ExprKind::Match(_, branches) => {
                known.extend(branches.iter().flat_map(|b| b.pattern.fields().chain(b.pattern.reuse)))
            }
            ExprKind::Var(_)
            | ExprKind::Int(_)
            | ExprKind::App(..)
            | ExprKind::Con(_)
            | ExprKind::Prim(..)
            | ExprKind::Call(..)
            | ExprKind::Dup(..)
            | ExprKind::Drop(..) => {}
        }
        e.children().for_each(|child| collect(child, known));
    });
}

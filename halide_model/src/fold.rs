//! Folds that hold: a pass on completed programs, which proves of each circle that it holds what one production stores, in
//! all iterations and for all inputs, and takes away the assertion of it. Spec: [rule: halide.fold].
//!
//! What is refuted or not decided keeps its assertion.

use crate::bounds::verify::{Known, Verification, follows};
use crate::expr::{Expr, Var};
use crate::op::Op;
use crate::text::print;
use crate::tgt::{Block, Claim, For, Program, Stmt};
use crate::unmet::{Condition, Unmet};
use rewright_base::sym::Name;
use std::collections::BTreeSet;

/// A window of six rows in a circle of four overwrites itself.
pub const FITS: Condition = Condition {
    id: "fold-storage.fits",
    rule: "a circle holds all that one production stores",
    fails: "does not fit its circle",
};

/// A completed program without the assertions of folds that hold, to be run: its bounds are proved faster with them. And the
/// folds that do not hold, with values for which they do not; those that are not decided, for they depend on memory or the
/// solver gave up, have none.
pub fn fold(completed: &Program) -> (Program, Vec<Unmet>) {
    if completed.folds.is_empty() {
        return (completed.clone(), Vec::new());
    }
    let mut pass = Pass { t: completed, known: Vec::new(), unmet: Vec::new(), told: BTreeSet::new() };
    let body = pass.block(&completed.body);
    let unmet = pass.unmet;
    (Program { body, ..completed.clone() }, unmet)
}

struct Pass<'a> {
    t: &'a Program,
    /// What holds where the pass is.
    known: Vec<Known>,
    unmet: Vec<Unmet>,
    told: BTreeSet<(Name, usize)>,
}

impl Pass<'_> {
    fn block(&mut self, b: &Block) -> Block {
        let outside = self.known.len();
        let mut out = Vec::new();
        for s in b {
            if let Stmt::Assert { cond, claim } = s {
                if *claim == Claim::Fold && self.holds(cond) {
                    continue;
                }
                self.known.push(Known::Holds(cond.clone()));
            }
            out.push(self.stmt(s));
        }
        self.known.truncate(outside);
        out
    }

    fn within(&mut self, known: Known, b: &Block) -> Block {
        self.known.push(known);
        let out = self.block(b);
        self.known.pop();
        out
    }

    fn stmt(&mut self, s: &Stmt) -> Stmt {
        match s {
            Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } => s.clone(),
            Stmt::If { cond, then, other } => Stmt::If {
                cond: cond.clone(),
                then: self.within(Known::Holds(cond.clone()), then),
                other: self.within(Known::Holds(Expr::op(Op::Not, [cond.clone()])), other),
            },
            Stmt::For(l) => {
                let body = self.within(Known::Ranges(l.variable(), l.domain.clone()), &l.body);
                Stmt::For(For { body, ..l.clone() })
            }
            Stmt::Let { var, value, body } => {
                let body = self.within(Known::Is(*var, value.clone()), body);
                Stmt::Let { var: *var, value: value.clone(), body }
            }
            Stmt::Label { label, body } => Stmt::Label { label: *label, body: self.block(body) },
        }
    }

    /// Whether the assertion of a fold holds here; if not, it is told.
    fn holds(&mut self, cond: &Expr) -> bool {
        let Some((func, dim)) = folded(cond) else { return false };
        let (why, model) = match follows(self.t, &self.known, cond) {
            Verification::Verified(_) => return true,
            Verification::Refuted { model, .. } if self.is_settled(cond) => {
                let cells = self.t.folds.get(&(func, dim)).copied().unwrap_or_default();
                (format!("one production may store more than {cells} points of it"), model)
            }
            Verification::Refuted { .. } => ("it depends on what is read from memory".to_owned(), Vec::new()),
            Verification::Unknown(_) | Verification::OutOfScope(_) => {
                (format!("the solver gave up on {}", print::expr(cond)), Vec::new())
            }
        };
        if self.told.insert((func, dim)) {
            let var = self.t.variable(func, dim);
            self.unmet.push(Unmet { func, var, condition: FITS, why, model });
        }
        false
    }

    /// Whether a refutation is one: what is read from memory is any number to the solver.
    fn is_settled(&self, cond: &Expr) -> bool {
        let known = self.known.iter().all(|k| match k {
            Known::Ranges(_, i) => i.min.accesses().is_empty() && i.len.accesses().is_empty(),
            Known::Is(_, e) | Known::Holds(e) => e.accesses().is_empty(),
        });
        known && cond.accesses().is_empty()
    }
}

/// The dimension whose compute bounds a condition is about.
fn folded(cond: &Expr) -> Option<(Name, usize)> {
    cond.vars().into_iter().find_map(|v| match v {
        Var::Hole(hole) => Some((hole.region.func(), hole.dim)),
        Var::Param(_) | Var::Local(_) | Var::Loop(..) | Var::Window(..) => None,
    })
}

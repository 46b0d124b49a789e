//! What holds of every scheduled program: loops have unique names (Thesis Lemma 2.4), producers dominate consumers
//! (Lemma 2.5), variables are bound, and no storage is shared by the iterations of a parallel loop.

use super::{Block, Label, LoopName, Order, Program, Stmt};
use crate::expr::{Expr, Var};
use rewright_base::sym::Name;
use std::collections::BTreeSet;

/// A broken invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Two loops have one name.
    LoopName(LoopName),
    /// A func is used where what computes it has not run.
    Dominance {
        /// The func.
        func: Name,
        /// Who uses it.
        user: Name,
    },
    /// A func is computed or used where it is not allocated.
    Allocation(Name),
    /// A variable that nothing binds.
    Unbound(Var),
    /// A func is allocated outside a parallel loop inside which it is computed.
    SharedStorage {
        /// The func.
        func: Name,
        /// The loop.
        at: LoopName,
    },
}

/// Lemma 2.4: a loop is identified by func, specialization, stage and induction variable. [rule: halide.loop-names]
pub fn loop_names(t: &Program) -> Option<Broken> {
    let mut seen = BTreeSet::new();
    t.loops().into_iter().find(|l| !seen.insert(*l)).map(Broken::LoopName)
}

/// Lemma 2.5: the loops of a func dominate every use outside of them, its allocation dominates its loops.
/// Funcs that nothing computes any more (inlined ones) are not used. [rule: halide.dominance]
pub fn dominance(t: &Program) -> Option<Broken> {
    // Input buffers are there from the beginning.
    let computed = t.algorithm.inputs.iter().map(|i| i.name).collect();
    Scope { allocated: Vec::new(), computed, inside: None }.block(&t.body).err()
}

struct Scope {
    allocated: Vec<Name>,
    computed: Vec<Name>,
    /// The func that is being computed.
    inside: Option<Name>,
}

impl Scope {
    /// What a block establishes holds for what follows in it and inside, not after it.
    fn block(&mut self, b: &Block) -> Result<(), Broken> {
        let (allocated, computed) = (self.allocated.len(), self.computed.len());
        b.iter().try_for_each(|s| self.stmt(s))?;
        self.allocated.truncate(allocated);
        self.computed.truncate(computed);
        Ok(())
    }

    fn stmt(&mut self, s: &Stmt) -> Result<(), Broken> {
        for e in s.exprs() {
            self.uses(e)?;
        }
        match s {
            Stmt::Allocate { func, .. } => {
                self.allocated.push(*func);
            }
            Stmt::Store { site, .. } if !self.allocated.contains(&site.func) => {
                return Err(Broken::Allocation(site.func));
            }
            Stmt::Label { label: Label::Func(f), body } => {
                let around = self.inside.replace(*f);
                self.block(body)?;
                self.inside = around;
                self.computed.push(*f);
            }
            Stmt::Assert { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::For(_) => self.inner(s)?,
            Stmt::Let { .. } | Stmt::Label { label: Label::Stage(_), .. } => self.inner(s)?,
        }
        Ok(())
    }

    fn inner(&mut self, s: &Stmt) -> Result<(), Broken> {
        s.blocks().into_iter().try_for_each(|b| self.block(b))
    }

    fn uses(&self, e: &Expr) -> Result<(), Broken> {
        for a in e.accesses() {
            if self.inside != Some(a.func) && !self.computed.contains(&a.func) {
                let user = self.inside.unwrap_or(a.func);
                return Err(Broken::Dominance { func: a.func, user });
            }
            if !self.allocated.contains(&a.func) {
                return Err(Broken::Allocation(a.func));
            }
        }
        Ok(())
    }
}

/// Each variable is bound around its use, holes aside unless the program is `complete`.
pub fn scoping(t: &Program, complete: bool) -> Option<Broken> {
    let mut bound: Vec<Var> = Vec::new();
    scoped(&t.body, &mut bound, complete).err()
}

fn scoped(b: &Block, bound: &mut Vec<Var>, complete: bool) -> Result<(), Broken> {
    for s in b {
        for v in s.exprs().into_iter().flat_map(Expr::vars) {
            let fine = match v {
                Var::Param(_) | Var::Window(..) => true,
                Var::Hole(_) => !complete || bound.contains(&v),
                Var::Loop(..) => bound.contains(&v),
                Var::Local(_) => false,
            };
            if !fine {
                return Err(Broken::Unbound(v));
            }
        }
        let var = match s {
            Stmt::For(l) => Some(l.variable()),
            Stmt::Let { var, .. } => Some(*var),
            Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } => None,
            Stmt::If { .. } | Stmt::Label { .. } => None,
        };
        bound.extend(var);
        for inner in s.blocks() {
            scoped(inner, bound, complete)?;
        }
        if var.is_some() {
            bound.pop();
        }
    }
    Ok(())
}

/// No func is allocated outside a parallel loop and computed inside: iterations would overwrite each other's values.
/// The papers have no such rule. [H-12]; [rule: halide.shared-storage]
pub fn shared_storage(t: &Program) -> Option<Broken> {
    shared(t, &t.body, &mut Vec::new()).err()
}

/// What stands around a statement, outermost first.
#[derive(Clone, Copy)]
enum Enclosing {
    Allocated(Name),
    Parallel(LoopName),
}

fn shared(t: &Program, b: &Block, around: &mut Vec<Enclosing>) -> Result<(), Broken> {
    let depth = around.len();
    for s in b {
        let inner = around.len();
        match s {
            // Memory that was taken before counts from there on.
            Stmt::Allocate { func, .. } if t.hoisted.contains_key(func) => {}
            Stmt::Allocate { func, .. } => {
                around.push(Enclosing::Allocated(*func));
                continue;
            }
            Stmt::For(l) if l.order == Order::Parallel || l.order == Order::Vectorized => {
                around.push(Enclosing::Parallel(l.name()));
            }
            Stmt::Label { label: Label::Func(f), .. } => {
                let since = around.iter().rposition(|a| matches!(a, Enclosing::Allocated(g) if g == f));
                let after = around.iter().skip(since.map_or(0, |i| i + 1));
                if let Some(at) = after.rev().find_map(|a| match a {
                    Enclosing::Parallel(l) => Some(*l),
                    Enclosing::Allocated(_) => None,
                }) {
                    return Err(Broken::SharedStorage { func: *f, at });
                }
            }
            Stmt::For(_) | Stmt::Label { .. } | Stmt::Assert { .. } | Stmt::Store { .. } => {}
            Stmt::If { .. } | Stmt::Let { .. } => {}
        }
        if let Stmt::For(l) = s {
            let taken = t.hoisted.iter().filter(|(_, at)| **at == l.name());
            around.extend(taken.map(|(f, _)| Enclosing::Allocated(*f)));
        }
        for block in s.blocks() {
            shared(t, block, around)?;
        }
        around.truncate(inner);
    }
    around.truncate(depth);
    Ok(())
}

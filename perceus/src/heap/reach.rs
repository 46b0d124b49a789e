//! Reachability. Thesis Definition 4.1. Spec: [rule: perceus.reach].
//!
//! x is reachable from H | e when x ∈ fv(e), or when y is and x ∈ fv(v) for y ↦ⁿ v in H.

use super::machine::{Control, Frame, Head, Machine, Op};
use super::{CellId, Content, Ref};
use crate::cycles::kept_by_none;
use crate::env::Env;
use crate::syntax::Expr;
use crate::vars::Vars;
use rustc_hash::FxHashSet;

/// Whose free variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// e, as Theorem 4.2 has it.
    Whole,
    /// ⌊e⌋, as Theorem 4.4 has it.
    Erased,
}

impl View {
    fn variables(self, e: &Expr) -> &Vars {
        match self {
            View::Whole => e.free(),
            View::Erased => e.used(),
        }
    }
}

impl Machine<'_> {
    /// fv(E\[e\]), as what they stand for.
    pub fn roots(&self, view: View) -> Vec<Ref> {
        let mut roots = Vec::new();
        let of = |roots: &mut Vec<Ref>, vars: &Vars, env: &Env<Ref>| {
            roots.extend(env.iter().filter(|(x, _)| vars.contains(*x)).map(|(_, r)| r));
        };
        match &self.control {
            Control::Return(r) => roots.push(*r),
            Control::Eval(e, env) => of(&mut roots, view.variables(e), env),
        }
        for frame in &self.frames {
            match frame {
                Frame::Fun(arg, env) => of(&mut roots, view.variables(arg), env),
                Frame::Arg(f) => roots.push(*f),
                Frame::Val(x, body, env) => of(&mut roots, &view.variables(body).without(*x), env),
                Frame::Operands { head, done, rest, env } => {
                    roots.extend(done);
                    rest.iter().for_each(|e| of(&mut roots, view.variables(e), env));
                    if let Head::Con(_, Some(token)) = head {
                        of(&mut roots, &Vars::one(*token), env);
                    }
                }
            }
        }
        if view == View::Whole {
            roots.extend(self.ops.iter().map(|op| match op {
                Op::Dup(r) | Op::Drop(r) | Op::DropReuse(_, r) => *r,
            }));
        }
        roots
    }

    /// The cells that are alive and not reachable.
    pub fn garbage(&self, view: View) -> Vec<CellId> {
        let mut reached: FxHashSet<CellId> = FxHashSet::default();
        let mut rest: Vec<CellId> = self.roots(view).into_iter().filter_map(Ref::cell).collect();
        while let Some(c) = rest.pop() {
            if reached.insert(c)
                && let Some(cell) = self.heap.get(c)
            {
                rest.extend(cell.content.refs().filter_map(Ref::cell));
            }
        }
        if self.heap.len() == reached.len() && self.heap.cells.keys().all(|c| reached.contains(c)) {
            return Vec::new();
        }
        self.heap.cells().into_iter().map(|(c, _)| c).filter(|c| !reached.contains(c)).collect()
    }

    /// Of cells that are not reachable, those that no cycle of such cells keeps alive: [rule: perceus.cycles].
    pub fn unexplained(&self, garbage: &[CellId]) -> Vec<CellId> {
        let refs = |c: CellId| {
            let content = self.heap.get(c).map(|cell| cell.content.refs().filter_map(Ref::cell).collect());
            content.unwrap_or_default()
        };
        kept_by_none(garbage, refs)
    }

    /// Whether each cycle of the heap goes through a reference.
    pub fn cycles_have_references(&self) -> bool {
        let cells: Vec<CellId> = self.heap.cells().into_iter().map(|(c, _)| c).collect();
        let refs = |c: CellId| match self.heap.get(c).map(|cell| &cell.content) {
            Some(content @ (Content::Con(..) | Content::Lam { .. })) => {
                content.refs().filter_map(Ref::cell).collect()
            }
            Some(Content::Ref(_)) | None => Vec::new(),
        };
        kept_by_none(&cells, refs).len() == cells.len()
    }
}

//! Completed programs: holes are bound by lets where their scope begins. Spec: [rule: halide.complete].

use super::Solution;
use super::query::cpu_regions;
use crate::expr::{End, Expr, Hole, Region, Var};
use crate::tgt::together::fused_here;
use crate::tgt::{Block, Claim, For, Label, Program, Stmt};

/// `[Γ]T`
#[must_use]
pub fn complete(t: &Program, solution: &Solution) -> Program {
    Program { body: block(t, &t.body, solution), together: Vec::new(), ..t.clone() }
}

/// What an engine without bounds answers: the body is `assert false` (Thesis §2.7.2).
#[must_use]
pub fn failed(t: &Program) -> Program {
    Program {
        body: vec![Stmt::Assert { cond: Expr::int(0), claim: Claim::NoBounds }],
        together: Vec::new(),
        ..t.clone()
    }
}

fn block(t: &Program, b: &Block, solution: &Solution) -> Block {
    let mut out: Block = Vec::new();
    // From the end, for an allocation's bounds are in scope of all that follows it.
    for s in fused_here(t, b).iter().rev() {
        out.insert(0, stmt(t, s, solution));
        match s {
            Stmt::Label { label: Label::Func(_), .. } => {
                for region in cpu_regions(t, &labels(s)) {
                    let checks = solution.checks.get(&region).into_iter().flatten();
                    let checks = checks.map(|c| Stmt::Assert { cond: c.clone(), claim: Claim::Bounds });
                    out.splice(0..0, checks);
                }
            }
            Stmt::Allocate { func, .. } => out = bind(Region::Mem(*func), solution, out),
            Stmt::Assert { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::For(_) | Stmt::Let { .. } => {}
            Stmt::Label { label: Label::Stage(_), .. } => {}
        }
    }
    cpu_regions(t, b).into_iter().rev().fold(out, |out, region| bind(region, solution, out))
}

/// The labels of the funcs that a statement computes, each around the next when they are computed together.
fn labels(s: &Stmt) -> Vec<Stmt> {
    let mut out = vec![s.clone()];
    while let Some(Stmt::Label { label: Label::Func(_), body }) = out.last()
        && let [inner @ Stmt::Label { label: Label::Func(_), .. }] = body.as_slice()
    {
        let inner = inner.clone();
        out.push(inner);
    }
    out
}

/// Binds the holes of a region around a block.
fn bind(region: Region, solution: &Solution, mut out: Block) -> Block {
    let bounds = solution.regions.get(&region).map(Vec::as_slice).unwrap_or_default();
    for (dim, i) in bounds.iter().enumerate().rev() {
        for (end, value) in [(End::Len, &i.len), (End::Min, &i.min)] {
            let var = Var::Hole(Hole { region, dim, end });
            out = vec![Stmt::Let { var, value: value.clone(), body: out }];
        }
    }
    out
}

fn stmt(t: &Program, s: &Stmt, solution: &Solution) -> Stmt {
    match s {
        Stmt::Assert { .. } | Stmt::Store { .. } | Stmt::Allocate { .. } => s.clone(),
        Stmt::If { cond, then, other } => {
            Stmt::If { cond: cond.clone(), then: block(t, then, solution), other: block(t, other, solution) }
        }
        Stmt::For(l) => Stmt::For(For { body: block(t, &l.body, solution), ..l.clone() }),
        Stmt::Let { var, value, body } => {
            Stmt::Let { var: *var, value: value.clone(), body: block(t, body, solution) }
        }
        // Funcs that are computed together: their regions are bound around all of them.
        Stmt::Label { label, body } if labels(s).len() > 1 => {
            let body = body.iter().map(|s| stmt(t, s, solution)).collect();
            Stmt::Label { label: *label, body }
        }
        Stmt::Label { label, body } => Stmt::Label { label: *label, body: block(t, body, solution) },
    }
}

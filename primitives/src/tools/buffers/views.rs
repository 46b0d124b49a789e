//! Windows of a buffer, and who can tell the strides of it: `stride(w, d)`, and callees that ask about the
//! strides of what they are given. Spec: [rule: buffers].

use crate::cursor::path::{ExprStep, Hole, Step, stmt_at};
use crate::tools::buffers::uses::{What, uses_of};
use rewright_semantics::ast::{Expr, Proc, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_child;
use rewright_semantics::types::ArgType;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A name that shows a buffer or a part of it.
#[derive(Clone, Debug)]
pub struct View {
    /// The name.
    pub name: Sym,
    /// For each dimension of the name, the dimension of the buffer that it runs along.
    pub dims: Vec<usize>,
}

/// A place that can tell how far apart neighbours along a dimension of a buffer are.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The dimension of the buffer.
    pub dim: usize,
    /// The name by which it is seen.
    pub name: Sym,
    /// The path of the statement.
    pub stmt: Vec<Step>,
    /// The place in the source.
    pub span: Span,
}

/// The buffer `x` of so many dimensions, and all windows that are made of it, directly or not, in a run of
/// statements.
pub fn views_of(p: &Proc, run: &Hole, x: Sym, rank: usize) -> Vec<View> {
    let mut out = vec![View { name: x, dims: (0..rank).collect() }];
    let mut next = 0;
    while let Some(view) = out.get(next).cloned() {
        next += 1;
        for u in uses_of(p, run, view.name) {
            if let What::Viewed(name, w) = u.what {
                out.push(View { name, dims: kept_dims(&w, &view.dims) });
            }
        }
    }
    out
}

/// The dimensions that a window keeps.
fn kept_dims(w: &WindowExpr, dims: &[usize]) -> Vec<usize> {
    let kept = w.idx.iter().zip(dims).filter(|(c, _)| matches!(c, WinCoord::Interval(..)));
    kept.map(|(_, d)| *d).collect()
}

/// Where a run of statements can tell strides of the buffer `x`, through any of its windows.
pub fn observations(p: &Proc, run: &Hole, x: Sym, rank: usize) -> Vec<Observation> {
    let mut out = Vec::new();
    for view in views_of(p, run, x, rank) {
        for u in uses_of(p, run, view.name) {
            let passed = match &u.what {
                What::Stride(d) => {
                    out.extend(view.dims.get(*d).map(|dim| Observation {
                        dim: *dim,
                        name: view.name,
                        stmt: u.stmt.clone(),
                        span: u.span,
                    }));
                    continue;
                }
                What::Passed { .. } => view.dims.clone(),
                What::PartPassed(w) => kept_dims(w, &view.dims),
                What::Assigned(_)
                | What::Reduced(_)
                | What::Read(_)
                | What::CellPassed(_)
                | What::Viewed(..) => continue,
            };
            let observed = observed_by_callee(p, &u.stmt, &u.steps);
            out.extend(observed.into_iter().filter_map(|d| passed.get(d)).map(|dim| Observation {
                dim: *dim,
                name: view.name,
                stmt: u.stmt.clone(),
                span: u.span,
            }));
        }
    }
    out
}

/// The dimensions of which the callee at a place asks the stride.
fn observed_by_callee(p: &Proc, stmt: &[Step], steps: &[ExprStep]) -> BTreeSet<usize> {
    let (Some(s), Some(ExprStep::Arg(k))) = (stmt_at(p, stmt), steps.first()) else { return BTreeSet::new() };
    match s.kind.as_ref() {
        StmtKind::Call { proc, args: _ } => strides_asked(proc, *k),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => BTreeSet::new(),
    }
}

/// The dimensions of a formal argument of which a procedure, or what it calls, asks the stride.
pub fn strides_asked(p: &Arc<Proc>, arg: usize) -> BTreeSet<usize> {
    let Some(formal) = p.args.get(arg) else { return BTreeSet::new() };
    let ArgType::Data { typ, mem: _ } = &formal.typ else { return BTreeSet::new() };
    let all = Hole { path: vec![Step::Body(0)], len: p.body.len() };
    let mut out: BTreeSet<usize> =
        observations(p, &all, formal.name, typ.rank()).into_iter().map(|o| o.dim).collect();
    p.preds.iter().for_each(|e| strides_in(e, formal.name, &mut out));
    out
}

fn strides_in(e: &Expr, x: Sym, out: &mut BTreeSet<usize>) {
    if let Some((name, dim)) = e.kind.stride_of()
        && name == x
    {
        out.insert(dim);
    }
    each_child(e, &mut |_, inner| strides_in(inner, x, out));
}

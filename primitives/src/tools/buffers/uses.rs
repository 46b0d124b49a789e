//! Every place where a buffer is mentioned, by what is done with it there. A primitive that changes a buffer
//! decides about each form; none is left to a default. Windows made from the buffer are listed as such, and
//! what is done through them by [`crate::tools::buffers::views`]. Spec: [rule: buffers].

use crate::cursor::path::each_stmt_at;
use crate::cursor::path::{ExprPath, ExprStep, Hole, Step, block_of, expr_at, run_at, shifted, stmt_at};
use crate::edit::Edit;
use crate::kept::{Dims, Kept, Parts};
use crate::tools::syntax::stmt_views::Write;
use rewright_semantics::ast::{Expr, ExprKind, Proc, Stmt, StmtKind, WindowExpr};
use rewright_semantics::build::{block, read};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_child, each_operand};
use rewright_semantics::types::ArgType;
use std::sync::Arc;

/// One mention of a buffer.
#[derive(Clone, Debug)]
pub struct Use {
    /// The path of its statement.
    pub stmt: Vec<Step>,
    /// The expression in it; empty for the destination of a write and for a window statement.
    pub steps: Vec<ExprStep>,
    /// What is done.
    pub what: What,
    /// Its place in the source.
    pub span: Span,
}

/// What is done with a buffer `x`.
#[derive(Clone, Debug)]
pub enum What {
    /// `x[i] = …`
    Assigned(Arc<[Expr]>),
    /// `x[i] += …`
    Reduced(Arc<[Expr]>),
    /// `… x[i] …`: the value of a cell.
    Read(Arc<[Expr]>),
    /// `f(x[i])`, or `f(x)` of a scalar: a cell by reference.
    CellPassed(Arc<[Expr]>),
    /// `f(x)` of an array: all of it by reference.
    Passed {
        /// Whether the callee takes a window, which has strides of its own.
        as_window: bool,
    },
    /// `f(x[0:4])`: a part by reference.
    PartPassed(WindowExpr),
    /// `w = x[0:4]`: a part under another name.
    Viewed(Sym, WindowExpr),
    /// `stride(x, d)`
    Stride(usize),
}

/// What a mention of one buffer becomes: a mention of another, or of the same one otherwise.
#[derive(Clone, Debug)]
pub enum Spelling {
    /// A cell, where a cell was.
    Cell(Sym, Vec<Expr>),
    /// A part, where a part or a whole was.
    Part(WindowExpr),
    /// A whole buffer, where a whole one was.
    Whole(Sym),
    /// Any expression, for a value.
    Value(Expr),
}

/// The statements after the one at a path, up to the end of its block: the scope of what it binds.
pub fn rest_of_block(p: &Proc, path: &[Step]) -> Hole {
    let first = shifted(path, 1);
    let end = block_of(p, path).map_or(0, |b| b.len());
    let len = first.last().map_or(0, |step| end.saturating_sub(step.index()));
    Hole { path: first, len }
}

/// The mentions of `x` in a run of statements, in the order of the text.
pub fn uses_of(p: &Proc, run: &Hole, x: Sym) -> Vec<Use> {
    let mut out = Vec::new();
    each_stmt_at(&run_at(p, run).unwrap_or_default(), &run.path, &mut |s, path| {
        in_stmt(s, path, x, &mut out)
    });
    out
}

/// Whether `x` is mentioned in a run of statements.
pub fn is_used(p: &Proc, run: &Hole, x: Sym) -> bool {
    !uses_of(p, run, x).is_empty()
}

fn in_stmt(s: &Stmt, path: &[Step], x: Sym, out: &mut Vec<Use>) {
    let mut note = |steps: &[ExprStep], what: What, span: Span| {
        out.push(Use { stmt: path.to_vec(), steps: steps.to_vec(), what, span });
    };
    each_operand(s, &mut |step, e| match s.kind.as_ref() {
        StmtKind::Call { proc, .. } => {
            let nth = if let ExprStep::Arg(k) = step { Some(k) } else { None };
            let formal = nth.and_then(|k| proc.args.get(k)).map(|a| &a.typ);
            match formal {
                Some(ArgType::Data { typ, mem: _ }) => {
                    let as_window = typ.kind == rewright_semantics::types::ArrayKind::Window;
                    in_argument(e, step, x, as_window && typ.rank() > 0, typ.rank(), &mut note);
                }
                Some(ArgType::Control(_)) | None => in_expr(e, &mut vec![step], x, &mut note),
            }
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => in_expr(e, &mut vec![step], x, &mut note),
    });
    match s.kind.as_ref() {
        StmtKind::Assign { name, idx, .. } if *name == x => note(&[], What::Assigned(idx.clone()), s.span),
        StmtKind::Reduce { name, idx, .. } if *name == x => note(&[], What::Reduced(idx.clone()), s.span),
        StmtKind::WindowStmt { name, rhs } if rhs.name == x => {
            note(&[], What::Viewed(*name, rhs.clone()), s.span);
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => {}
    }
}

/// An argument for a formal of data: what is passed is passed by reference.
fn in_argument(
    e: &Expr,
    step: ExprStep,
    x: Sym,
    as_window: bool,
    rank: usize,
    note: &mut impl FnMut(&[ExprStep], What, Span),
) {
    match &e.kind {
        ExprKind::Read { name, idx } if *name == x => {
            let cell = !idx.is_empty() || rank == 0;
            let what = if cell { What::CellPassed(idx.clone()) } else { What::Passed { as_window } };
            note(&[step], what, e.span);
        }
        ExprKind::Window(w) if w.name == x => note(&[step], What::PartPassed(w.clone()), e.span),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => in_expr(e, &mut vec![step], x, note),
    }
}

fn in_expr(e: &Expr, at: &mut Vec<ExprStep>, x: Sym, note: &mut impl FnMut(&[ExprStep], What, Span)) {
    match &e.kind {
        ExprKind::Read { name, idx } if *name == x => note(at, What::Read(idx.clone()), e.span),
        ExprKind::Window(w) if w.name == x => note(at, What::PartPassed(w.clone()), e.span),
        ExprKind::Stride { name, dim } if *name == x => note(at, What::Stride(*dim), e.span),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => {}
    }
    each_child(e, &mut |step, inner| {
        at.push(step);
        in_expr(inner, at, x, note);
        at.pop();
    });
}

impl Use {
    /// The indices, where a cell is meant.
    pub fn cell(&self) -> Option<&Arc<[Expr]>> {
        match &self.what {
            What::Assigned(idx) | What::Reduced(idx) | What::Read(idx) | What::CellPassed(idx) => Some(idx),
            What::Passed { .. } | What::PartPassed(_) | What::Viewed(..) | What::Stride(_) => None,
        }
    }

    /// The edit that spells this mention anew; `None` when the spelling does not fit the form. `dims` says where each
    /// dimension of what was mentioned is in what is.
    pub fn respell(&self, p: &Proc, new: Spelling, dims: &Dims) -> Option<Edit> {
        let replace = |e: Expr| {
            let at = ExprPath { stmt: self.stmt.clone(), steps: self.steps.clone() };
            let kept = Parts::along(dims, expr_at(p, &at)?, &e);
            Some(Edit::ReplaceExpr { at, with: Expr::at(e.kind, self.span), kept })
        };
        let reshape = |kind: StmtKind| {
            let old = stmt_at(p, &self.stmt)?;
            Some(Edit::Reshape {
                run: Hole::stmt(self.stmt.clone()),
                old: block([old.clone()]),
                stmts: block([Stmt::at(kind, old.span)]),
                kept: Kept::along(dims.clone()),
            })
        };
        match (&self.what, new) {
            (What::Assigned(_) | What::Reduced(_), Spelling::Cell(name, idx)) => {
                let old = Write::of(stmt_at(p, &self.stmt)?)?;
                let new = Write { name, idx: idx.into(), ..old }.stmt();
                reshape(new.kind.as_ref().clone())
            }
            (What::Viewed(name, _), Spelling::Part(rhs)) => {
                reshape(StmtKind::WindowStmt { name: *name, rhs })
            }
            (What::Read(_) | What::CellPassed(_), Spelling::Cell(name, idx)) => replace(read(name, idx)),
            (What::PartPassed(_) | What::Passed { .. }, Spelling::Part(w)) => {
                replace(Expr::new(ExprKind::Window(w)))
            }
            (What::Passed { .. } | What::PartPassed(_), Spelling::Whole(name)) => replace(read(name, [])),
            (What::Read(_) | What::Stride(_), Spelling::Value(e)) => replace(e),
            (
                What::Assigned(_)
                | What::Reduced(_)
                | What::Read(_)
                | What::CellPassed(_)
                | What::Passed { .. }
                | What::PartPassed(_)
                | What::Viewed(..)
                | What::Stride(_),
                Spelling::Cell(..) | Spelling::Part(_) | Spelling::Whole(_) | Spelling::Value(_),
            ) => None,
        }
    }
}

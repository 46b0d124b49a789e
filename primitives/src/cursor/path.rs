//! Places in a procedure's tree: the spatial half of a cursor. ASPLOS'25 §5.2 (Implementation).
//!
//! A statement is named by the blocks and indices on the way to it ([`Step`], shared with the contexts of the
//! effect analysis); an expression by its statement and the children on the way.

use rewright_semantics::ast::{Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::syntax::walk::{child_of, each_operand, with_child, with_operand};

pub use rewright_effects::context::{Hole, Step};
pub use rewright_semantics::syntax::walk::ExprStep;

/// Where an expression stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprPath {
    /// The path to its statement.
    pub stmt: Vec<Step>,
    /// The children from there; never empty.
    pub steps: Vec<ExprStep>,
}

/// Which side of its anchor a gap is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Before the anchor.
    Before,
    /// After the anchor.
    After,
}

/// A place between statements, tied to the statement it moves with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap {
    /// The path to the anchor.
    pub anchor: Vec<Step>,
    /// Which side of it.
    pub side: Side,
}

impl Gap {
    /// The path whose last index says before which statement of its block the gap is.
    pub fn position(&self) -> Vec<Step> {
        match self.side {
            Side::Before => self.anchor.clone(),
            Side::After => shifted(&self.anchor, 1),
        }
    }
}

/// What a cursor points at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A statement.
    Stmt(Vec<Step>),
    /// A run of one or more statements of one block.
    Block(Hole),
    /// Between statements.
    Gap(Gap),
    /// An expression.
    Expr(ExprPath),
    /// A formal argument, by position.
    Arg(usize),
}

/// The path with its last index moved by `by`. The root path stays as it is.
pub fn shifted(path: &[Step], by: isize) -> Vec<Step> {
    let mut out = path.to_vec();
    if let Some(last) = out.last_mut() {
        *last = last.moved(by);
    }
    out
}

/// The path to the `k`-th statement of a run.
pub fn member(run: &Hole, k: usize) -> Vec<Step> {
    shifted(&run.path, isize::try_from(k).unwrap_or(isize::MAX))
}

/// The path of a child block's statement.
pub fn child(path: &[Step], step: Step) -> Vec<Step> {
    let mut out = path.to_vec();
    out.push(step);
    out
}

/// The block that the last step of a path indexes; `None` when the path leads nowhere or is empty.
pub fn block_of<'a>(p: &'a Proc, path: &[Step]) -> Option<&'a Block> {
    let (last, up) = path.split_last()?;
    if up.is_empty() {
        return matches!(last, Step::Body(_)).then_some(&p.body);
    }
    child_block(stmt_at(p, up)?, *last)
}

/// The block of a statement that a step enters.
pub fn child_block(s: &Stmt, step: Step) -> Option<&Block> {
    match (s.kind.as_ref(), step) {
        (StmtKind::For { body, .. } | StmtKind::If { body, .. }, Step::Body(_)) => Some(body),
        (StmtKind::If { orelse, .. }, Step::Orelse(_)) => Some(orelse),
        (StmtKind::For { .. }, Step::Orelse(_))
        | (
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. },
            _,
        ) => None,
    }
}

/// The statement at a path.
pub fn stmt_at<'a>(p: &'a Proc, path: &[Step]) -> Option<&'a Stmt> {
    let (first, rest) = path.split_first()?;
    if !matches!(first, Step::Body(_)) {
        return None;
    }
    rest.iter().try_fold(p.body.get(first.index())?, |s, step| child_block(s, *step)?.get(step.index()))
}

/// The statements of a run.
pub fn run_at(p: &Proc, run: &Hole) -> Option<Block> {
    let block = block_of(p, &run.path)?;
    let first = run.path.last()?.index();
    let end = first.checked_add(run.len).filter(|end| *end <= block.len())?;
    Some(block.focus().narrow(first..end).into_iter().cloned().collect())
}

/// The expression that is a child of a statement or of an expression, and so on down.
pub fn expr_in<'a>(s: &'a Stmt, steps: &[ExprStep]) -> Option<&'a Expr> {
    let (first, rest) = steps.split_first()?;
    let mut found = None;
    each_operand(s, &mut |step, e| {
        if step == *first {
            found = Some(e);
        }
    });
    rest.iter().try_fold(found?, |e, step| child_of(e, *step))
}

/// The expression at a path.
pub fn expr_at<'a>(p: &'a Proc, at: &ExprPath) -> Option<&'a Expr> {
    expr_in(stmt_at(p, &at.stmt)?, &at.steps)
}

/// The statement with another expression in a place; `None` when the place does not exist.
pub fn with_expr_in(s: &Stmt, steps: &[ExprStep], new: Expr) -> Option<Stmt> {
    let (first, rest) = steps.split_first()?;
    let old = expr_in(s, &[*first])?;
    Some(with_operand(s, *first, with_expr(old, rest, new)?))
}

fn with_expr(e: &Expr, steps: &[ExprStep], new: Expr) -> Option<Expr> {
    let Some((first, rest)) = steps.split_first() else { return Some(new) };
    Some(with_child(e, *first, with_expr(child_of(e, *first)?, rest, new)?))
}

/// Whether the place exists in the procedure.
pub fn exists(p: &Proc, place: &Place) -> bool {
    match place {
        Place::Stmt(path) => stmt_at(p, path).is_some(),
        Place::Block(run) => {
            let end = run.path.last().and_then(|first| first.index().checked_add(run.len));
            run.len > 0 && block_of(p, &run.path).zip(end).is_some_and(|(block, end)| end <= block.len())
        }
        Place::Gap(gap) => stmt_at(p, &gap.anchor).is_some(),
        Place::Expr(at) => expr_at(p, at).is_some(),
        Place::Arg(i) => *i < p.args.len(),
    }
}

/// Visits every statement of a run and of the blocks in it with its path, outer ones first; `first` is the path
/// of the run's first statement.
pub fn each_stmt_at(b: &Block, first: &[Step], f: &mut impl FnMut(&Stmt, &[Step])) {
    for (k, s) in b.iter().enumerate() {
        let path = shifted(first, isize::try_from(k).unwrap_or(isize::MAX));
        f(s, &path);
        match s.kind.as_ref() {
            StmtKind::If { cond: _, body, orelse } => {
                each_stmt_at(body, &child(&path, Step::Body(0)), f);
                each_stmt_at(orelse, &child(&path, Step::Orelse(0)), f);
            }
            StmtKind::For { body, .. } => each_stmt_at(body, &child(&path, Step::Body(0)), f),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }
}

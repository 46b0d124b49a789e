//! The atomic edits, as data. ASPLOS'25 §5.2 (insert, delete, replace, move, wrap); spec: [rule: edits].
//!
//! A rewrite is a list of edits, each in the coordinates of what the ones before it left. [`apply`] makes the
//! edit; [`crate::forward`] says where each place goes. Replacement comes in four forms, which differ in what
//! survives: statements by unrelated ones, by statements of the same shape, an expression, and the procedure's
//! head. Where a place is not what it was for certain, the edit says what is kept, as data ([`crate::kept`]), and an
//! edit that says what is not so does not fit. [`Edit::Redirect`] and [`Edit::RedirectExpr`] change nothing and state a
//! forwarding that no edit implies.

use crate::cursor::path::{ExprPath, Hole, Step, block_of, expr_at, run_at, stmt_at, with_expr_in};
use crate::kept::{Kept, Parts};
use rewright_semantics::ast::{Arg, Block, Expr, Instr, LoopMode, Proc, Stmt, StmtKind};
use rewright_semantics::build;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::walk::map_blocks;

/// One atomic change of a procedure.
#[derive(Clone, Debug)]
pub enum Edit {
    /// New statements before the one at this path; the index may be the block's length.
    Insert {
        /// Where.
        at: Vec<Step>,
        /// What.
        stmts: Block,
    },
    /// A run of statements goes. What is left must not be an empty body.
    Delete {
        /// Which.
        run: Hole,
    },
    /// A run of statements gives way to others, of which none is one of the old ones.
    Replace {
        /// Which.
        run: Hole,
        /// By what.
        stmts: Block,
        /// Whether the new ones together are what the old ones together were: a call and its callee's body.
        as_whole: bool,
    },
    /// A run of statements gives way to as many with blocks of the same lengths in the same places: only what
    /// they are made of differs.
    Reshape {
        /// Which.
        run: Hole,
        /// The statements that are there.
        old: Block,
        /// By what.
        stmts: Block,
        /// What makes an expression of the one an expression of the other.
        kept: Kept,
    },
    /// An expression gives way to another.
    ReplaceExpr {
        /// Which.
        at: ExprPath,
        /// By what.
        with: Expr,
        /// What of it is kept.
        kept: Parts,
    },
    /// A run of statements moves to before the statement at `to`, a path of the procedure as it is before the
    /// move, and not inside the run.
    Move {
        /// Which.
        run: Hole,
        /// Where to.
        to: Vec<Step>,
    },
    /// A run of statements becomes the block of a new statement.
    Wrap {
        /// Which.
        run: Hole,
        /// In what.
        in_: Wrapper,
    },
    /// Name, arguments, preconditions and instruction text change.
    Head {
        /// The new head.
        head: Head,
        /// Where each former argument is now; `None` when it is gone.
        args: Vec<Option<usize>>,
    },
    /// Cursors to the statement at `from` go to the statement at `to`; those into it too, where both have blocks of
    /// the same lengths in the same places.
    Redirect {
        /// The path of a statement.
        from: Vec<Step>,
        /// The path of another.
        to: Vec<Step>,
        /// The statement at `from`.
        old: Stmt,
        /// The statement at `to`.
        new: Stmt,
        /// What makes an expression of the one an expression of the other.
        kept: Kept,
    },
    /// Cursors to the expression at `from`, and into it, go to the one at `to`, which is the same.
    RedirectExpr {
        /// Where an expression is.
        from: ExprPath,
        /// Where it is again.
        to: ExprPath,
    },
}

/// A statement with one hole, for a block.
#[derive(Clone, Debug)]
pub enum Wrapper {
    /// `for iter in mode(lo, hi): _`
    For {
        /// The loop variable.
        iter: Sym,
        /// First value.
        lo: Expr,
        /// One past the last value.
        hi: Expr,
        /// Sequential or parallel.
        mode: LoopMode,
    },
    /// `if cond: _ else: orelse`
    If {
        /// The condition.
        cond: Expr,
        /// The other branch; may be empty.
        orelse: Block,
    },
    /// `if cond: body else: _`
    Else {
        /// The condition.
        cond: Expr,
        /// The first branch.
        body: Block,
    },
}

impl Wrapper {
    /// The block that the hole is.
    pub fn step(&self) -> Step {
        match self {
            Wrapper::For { .. } | Wrapper::If { .. } => Step::Body(0),
            Wrapper::Else { .. } => Step::Orelse(0),
        }
    }

    /// The statement with its hole filled.
    pub fn around(&self, inner: Block) -> Stmt {
        Stmt::new(match self {
            Wrapper::For { iter, lo, hi, mode } => {
                StmtKind::For { iter: *iter, lo: lo.clone(), hi: hi.clone(), body: inner, mode: *mode }
            }
            Wrapper::If { cond, orelse } => {
                StmtKind::If { cond: cond.clone(), body: inner, orelse: orelse.clone() }
            }
            Wrapper::Else { cond, body } => {
                StmtKind::If { cond: cond.clone(), body: body.clone(), orelse: inner }
            }
        })
    }
}

/// All of a procedure but its body.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its name.
    pub name: Name,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// Its preconditions.
    pub preds: Vec<Expr>,
    /// Its C text, for an instruction.
    pub instr: Option<Instr>,
}

impl Head {
    /// The head of a procedure.
    pub fn of(p: &Proc) -> Head {
        let Proc { name, args, preds, body: _, instr, span: _ } = p;
        Head { name: *name, args: args.clone(), preds: preds.clone(), instr: instr.clone() }
    }
}

/// The procedure after an edit; `None` when the edit does not fit it: a bug of the rewrite that made it.
pub fn apply(p: &Proc, edit: &Edit) -> Option<Proc> {
    match edit {
        Edit::Insert { at, stmts } => splice(p, at, 0, stmts),
        Edit::Delete { run } => splice(p, &run.path, run.len, &Block::new()),
        Edit::Replace { run, stmts, as_whole: _ } => splice(p, &run.path, run.len, stmts),
        Edit::Reshape { run, old, stmts, kept: _ } => {
            let there = run_at(p, run)? == *old;
            (there && same_shape(old, stmts)).then(|| splice(p, &run.path, run.len, stmts))?
        }
        Edit::ReplaceExpr { at, with, kept } => {
            if !fits(expr_at(p, at)?, at, with, kept) {
                return None;
            }
            let s = with_expr_in(stmt_at(p, &at.stmt)?, &at.steps, with.clone())?;
            splice(p, &at.stmt, 1, &build::block([s]))
        }
        Edit::Move { run, to } => {
            let stmts = run_at(p, run)?;
            let target = crate::forward::gap_after_delete(to, run)?;
            splice(&splice_loosely(p, &run.path, run.len, &Block::new())?, &target, 0, &stmts)
        }
        Edit::Wrap { run, in_ } => {
            let stmts = run_at(p, run)?;
            splice(p, &run.path, run.len, &build::block([in_.around(stmts)]))
        }
        Edit::Head { head, args: _ } => {
            let Head { name, args, preds, instr } = head.clone();
            Some(Proc { name, args, preds, instr, ..p.clone() })
        }
        Edit::Redirect { from, to, old, new, kept: _ } => {
            (stmt_at(p, from)? == old && stmt_at(p, to)? == new).then(|| p.clone())
        }
        Edit::RedirectExpr { from, to } => (expr_at(p, from)? == expr_at(p, to)?).then(|| p.clone()),
    }
}

/// Whether what is said to be kept of an expression is: the parts are there, and no expression around one that has
/// another value is said to be what it was.
fn fits(old: &Expr, at: &ExprPath, with: &Expr, kept: &Parts) -> bool {
    kept.are_found(old, with) && (kept.whole || at.steps.len() == 1)
}

/// Replaces statements of one block; what is left must not be an empty body.
fn splice(p: &Proc, path: &[Step], len: usize, by: &Block) -> Option<Proc> {
    let out = splice_loosely(p, path, len, by)?;
    let left = block_of(&out, path)?;
    (!left.is_empty() || matches!(path.last(), Some(Step::Orelse(_)))).then_some(out)
}

fn splice_loosely(p: &Proc, path: &[Step], len: usize, by: &Block) -> Option<Proc> {
    let (first, rest) = path.split_first()?;
    if !matches!(first, Step::Body(_)) {
        return None;
    }
    Some(Proc { body: splice_block(&p.body, *first, rest, len, by)?, ..p.clone() })
}

fn splice_block(b: &Block, step: Step, rest: &[Step], len: usize, by: &Block) -> Option<Block> {
    let k = step.index();
    if let Some((next, rest)) = rest.split_first() {
        let s = splice_stmt(b.get(k)?, *next, rest, len, by)?;
        return Some(b.update(k, s));
    }
    let end = k.checked_add(len).filter(|end| *end <= b.len())?;
    let mut out = b.clone();
    if by.len() == len {
        // Cutting and joining copies more, and leaves blocks that are not packed.
        (k..end).zip(by).for_each(|(at, s)| drop(out.set(at, s.clone())));
        return Some(out);
    }
    let after = out.clone().split_off(end);
    out.truncate(k);
    out.append(by.clone());
    out.append(after);
    Some(out)
}

fn splice_stmt(s: &Stmt, step: Step, rest: &[Step], len: usize, by: &Block) -> Option<Stmt> {
    let new = splice_block(crate::cursor::path::child_block(s, step)?, step, rest, len, by)?;
    // The branches are visited in order: body first.
    let mut branch = 0;
    let wanted = usize::from(matches!(step, Step::Orelse(_)));
    Some(map_blocks(s, &mut |b| {
        branch += 1;
        if branch - 1 == wanted { new.clone() } else { b.clone() }
    }))
}

/// Whether statements pair up, with blocks of equal lengths in equal places.
pub fn same_shape(a: &Block, b: &Block) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(s, t)| a.ptr_eq(b) || same_shape_stmt(s, t))
}

/// The same of one statement.
pub fn same_shape_stmt(s: &Stmt, t: &Stmt) -> bool {
    match (s.kind.as_ref(), t.kind.as_ref()) {
        (StmtKind::For { body: b, .. }, StmtKind::For { body: c, .. }) => same_shape(b, c),
        (StmtKind::If { cond: _, body: b, orelse: d }, StmtKind::If { cond: _, body: c, orelse: e }) => {
            same_shape(b, c) && same_shape(d, e)
        }
        (StmtKind::For { .. } | StmtKind::If { .. }, _) | (_, StmtKind::For { .. } | StmtKind::If { .. }) => {
            false
        }
        (
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. },
            _,
        ) => true,
    }
}

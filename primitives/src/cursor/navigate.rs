//! Moves in space: from a cursor to what is around it or in it, in the same version. ASPLOS'25 §5.2;
//! spec: [rule: cursors].
//!
//! A move that leads nowhere is an [`InvalidCursor`] that says what was asked of what.

use super::Cursor;
use super::kinds::Node;
use super::path::{
    ExprPath, ExprStep, Gap, Hole, Place, Side, Step, block_of, child, child_block, member, shifted,
};
use crate::error::InvalidCursor;
use rewright_semantics::ast::{ExprKind, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::syntax::walk::{each_child, each_operand};
use std::ops::Range;

type Result<T> = std::result::Result<T, InvalidCursor>;

/// A coordinate of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coord {
    /// `e`
    Point(Cursor),
    /// `lo:hi`
    Interval(Cursor, Cursor),
}

impl Cursor {
    fn to(&self, place: Place) -> Result<Cursor> {
        Cursor::new(self.proc(), place)
    }

    /// The statement around it; for an expression, the expression or statement of which it is a part.
    ///
    /// # Errors
    /// It is an argument, or stands at the top of the procedure.
    pub fn parent(&self) -> Result<Cursor> {
        self.up().ok_or_else(|| match self.place() {
            Place::Arg(_) => self.lacks("parent"),
            Place::Stmt(_) | Place::Block(_) | Place::Gap(_) | Place::Expr(_) => InvalidCursor::new(format!(
                "{} stands at the top of `{}`",
                self.describe(),
                self.proc().name()
            )),
        })
    }

    /// [`Cursor::parent`], without words on why there is none: they take longer than the move.
    pub fn up(&self) -> Option<Cursor> {
        let path = match self.place() {
            Place::Stmt(path) => path,
            Place::Block(run) => &run.path,
            Place::Gap(gap) => &gap.anchor,
            Place::Arg(_) => return None,
            Place::Expr(at) => {
                let (_, steps) = at.steps.split_last()?;
                let stmt = at.stmt.clone();
                let above = if steps.is_empty() {
                    Place::Stmt(stmt)
                } else {
                    Place::Expr(ExprPath { stmt, steps: steps.to_vec() })
                };
                return self.to(above).ok();
            }
        };
        let (_, up) = path.split_last().filter(|(_, up)| !up.is_empty())?;
        self.to(Place::Stmt(up.to_vec())).ok()
    }

    /// The statement so many statements further.
    ///
    /// # Errors
    /// The block ends before, or this is no statement.
    pub fn next(&self, by: usize) -> Result<Cursor> {
        self.stmt_path("next statement")?;
        self.beside(isize::try_from(by).unwrap_or(isize::MAX)).ok_or_else(|| self.beyond("comes after"))
    }

    /// The statement so many statements before.
    ///
    /// # Errors
    /// The block starts after it, or this is no statement.
    pub fn prev(&self, by: usize) -> Result<Cursor> {
        self.stmt_path("previous statement")?;
        let back = -isize::try_from(by).unwrap_or(isize::MAX);
        self.beside(back).ok_or_else(|| self.beyond("comes before"))
    }

    /// [`Cursor::next`], or [`Cursor::prev`] where `by` is negative, without words on why there is none.
    pub fn beside(&self, by: isize) -> Option<Cursor> {
        let Place::Stmt(path) = self.place() else { return None };
        let last = path.last().map_or(0, |step| step.index());
        last.checked_add_signed(by)?;
        self.to(Place::Stmt(shifted(path, by))).ok()
    }

    fn beyond(&self, which: &str) -> InvalidCursor {
        InvalidCursor::new(format!("no such statement {which} {} in its block", self.describe()))
    }

    fn stmt_path(&self, what: &str) -> Result<&[Step]> {
        match self.place() {
            Place::Stmt(path) => Ok(path),
            Place::Block(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => Err(self.lacks(what)),
        }
    }

    /// The gap before a statement or a run of them; it moves with the first.
    ///
    /// # Errors
    /// It is neither.
    pub fn before(&self) -> Result<Cursor> {
        let run = self.run("gap before it")?;
        self.to(Place::Gap(Gap { anchor: run.path, side: Side::Before }))
    }

    /// The gap after a statement or a run of them; it moves with the last.
    ///
    /// # Errors
    /// It is neither.
    pub fn after(&self) -> Result<Cursor> {
        let run = self.run("gap after it")?;
        self.to(Place::Gap(Gap { anchor: member(&run, run.len.saturating_sub(1)), side: Side::After }))
    }

    /// The statement or the statements pointed at.
    fn run(&self, what: &str) -> Result<Hole> {
        match self.place() {
            Place::Stmt(path) => Ok(Hole::stmt(path.as_slice())),
            Place::Block(run) => Ok(run.clone()),
            Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => Err(self.lacks(what)),
        }
    }

    /// The statement that a gap moves with.
    ///
    /// # Errors
    /// This is no gap.
    pub fn anchor(&self) -> Result<Cursor> {
        match self.place() {
            Place::Gap(gap) => self.to(Place::Stmt(gap.anchor.clone())),
            Place::Stmt(_) | Place::Block(_) | Place::Expr(_) | Place::Arg(_) => Err(self.lacks("anchor")),
        }
    }

    /// The side of its anchor on which a gap is.
    ///
    /// # Errors
    /// This is no gap.
    pub fn side(&self) -> Result<Side> {
        match self.place() {
            Place::Gap(gap) => Ok(gap.side),
            Place::Stmt(_) | Place::Block(_) | Place::Expr(_) | Place::Arg(_) => Err(self.lacks("side")),
        }
    }

    /// The body of a loop, the first branch of an `if`.
    ///
    /// # Errors
    /// It is neither.
    pub fn body(&self) -> Result<Cursor> {
        self.branch(Step::Body(0), "body")
    }

    /// The else branch of an `if`.
    ///
    /// # Errors
    /// It has none, or is no `if`.
    pub fn orelse(&self) -> Result<Cursor> {
        self.branch(Step::Orelse(0), "else branch")
    }

    fn branch(&self, step: Step, what: &str) -> Result<Cursor> {
        let inside = self.inside(step).ok_or_else(|| self.lacks(what))?;
        self.to(inside)
    }

    /// The statements of a block of this statement, if it has one that is not empty.
    fn inside(&self, step: Step) -> Option<Place> {
        let (Place::Stmt(path), Some(Node::Stmt(s))) = (self.place(), self.node()) else { return None };
        let len = child_block(s, step)?.len();
        (len > 0).then(|| Place::Block(Hole { path: child(path, step), len }))
    }

    /// A run of statements with so many more before and after, as far as the block goes; all of them for
    /// `None`.
    ///
    /// # Errors
    /// This is neither a statement nor a run of them.
    pub fn expand(&self, before: Option<usize>, after: Option<usize>) -> Result<Cursor> {
        let run = self.run("statements around it")?;
        let whole = block_of(self.proc().ast(), &run.path).map_or(0, |b| b.len());
        let first = run.path.last().map_or(0, |step| step.index());
        let start = before.map_or(0, |n| first.saturating_sub(n));
        let end = after.map_or(whole, |n| (first + run.len).saturating_add(n).min(whole));
        self.of_block(&run, start..end)
    }

    /// The statements of the run's block with these indices.
    fn of_block(&self, run: &Hole, range: Range<usize>) -> Result<Cursor> {
        let Some((last, up)) = run.path.split_last() else { return Err(self.lacks("block")) };
        let len = range.end.saturating_sub(range.start);
        self.to(Place::Block(Hole { path: child(up, last.at(range.start)), len }))
    }

    /// A run of statements that is this one alone; a run is itself.
    ///
    /// # Errors
    /// It is neither.
    pub fn as_block(&self) -> Result<Cursor> {
        let run = self.run("statements")?;
        self.to(Place::Block(run))
    }

    /// How many statements a run has.
    ///
    /// # Errors
    /// This is no run.
    pub fn length(&self) -> Result<usize> {
        match self.place() {
            Place::Block(run) => Ok(run.len),
            Place::Stmt(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => Err(self.lacks("length")),
        }
    }

    /// A statement of a run, counted from 0; from the end when negative.
    ///
    /// # Errors
    /// There is none, or this is no run.
    pub fn at(&self, i: isize) -> Result<Cursor> {
        let len = self.length()?;
        let k = index(i, len).filter(|k| *k < len);
        let Some(k) = k else {
            return Err(InvalidCursor::new(format!("{} has no statement number {i}", self.describe())));
        };
        self.to(Place::Stmt(member(&self.run("statements")?, k)))
    }

    /// The statements of a run from one index to before another, as Python slices.
    ///
    /// # Errors
    /// There are none, or this is no run.
    pub fn slice(&self, from: Option<isize>, to: Option<isize>) -> Result<Cursor> {
        let len = self.length()?;
        let clamp = |i: isize| match index(i, len) {
            Some(k) => k.min(len),
            None => 0,
        };
        let (start, end) = (from.map_or(0, clamp), to.map_or(len, clamp));
        if start >= end {
            return Err(InvalidCursor::new(format!("a slice of {} that has no statement", self.describe())));
        }
        let run = self.run("statements")?;
        self.to(Place::Block(Hole { path: member(&run, start), len: end - start }))
    }

    /// The statements of a run; of a statement, itself.
    ///
    /// # Errors
    /// It is neither.
    pub fn stmts(&self) -> Result<Vec<Cursor>> {
        let run = self.run("statements")?;
        (0..run.len).map(|k| self.to(Place::Stmt(member(&run, k)))).collect()
    }

    /// What this is made of: the expressions of a statement and then the statements of its blocks; the parts of
    /// an expression; the statements of a run. Nothing else has parts.
    pub fn children(&self) -> Vec<Cursor> {
        let steps = self.operand_steps();
        let mut out: Vec<Cursor> =
            steps.into_iter().filter_map(|step| self.part(step, "part").ok()).collect();
        let blocks = [Step::Body(0), Step::Orelse(0)].map(|step| self.inside(step).map(|at| self.to(at)));
        for block in blocks.into_iter().flatten().flatten() {
            out.extend(block.stmts().unwrap_or_default());
        }
        if let Place::Block(_) = self.place() {
            out.extend(self.stmts().unwrap_or_default());
        }
        out
    }

    fn operand_steps(&self) -> Vec<ExprStep> {
        let mut steps = Vec::new();
        match self.node() {
            Some(Node::Stmt(s)) => each_operand(s, &mut |step, _| steps.push(step)),
            Some(Node::Expr(e)) => each_child(e, &mut |step, _| steps.push(step)),
            Some(Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {}
        }
        steps
    }

    /// The expression one step down.
    fn part(&self, step: ExprStep, what: &str) -> Result<Cursor> {
        let at = match self.place() {
            Place::Stmt(path) => ExprPath { stmt: path.clone(), steps: vec![step] },
            Place::Expr(at) => {
                let mut at = at.clone();
                at.steps.push(step);
                at
            }
            Place::Block(_) | Place::Gap(_) | Place::Arg(_) => return Err(self.lacks(what)),
        };
        self.to(Place::Expr(at)).map_err(|_| self.lacks(what))
    }

    /// The lower bound of a loop.
    ///
    /// # Errors
    /// This is no loop.
    pub fn lo(&self) -> Result<Cursor> {
        self.part(ExprStep::Lo, "lower bound")
    }

    /// The upper bound of a loop.
    ///
    /// # Errors
    /// This is no loop.
    pub fn hi(&self) -> Result<Cursor> {
        self.part(ExprStep::Hi, "upper bound")
    }

    /// The condition of an `if`.
    ///
    /// # Errors
    /// This is no `if`.
    pub fn cond(&self) -> Result<Cursor> {
        self.part(ExprStep::Cond, "condition")
    }

    /// The right-hand side of an assignment, a reduction, a write to a field, or an operator.
    ///
    /// # Errors
    /// It is none of these.
    pub fn rhs(&self) -> Result<Cursor> {
        self.part(ExprStep::Rhs, "right-hand side")
    }

    /// The left operand of an operator.
    ///
    /// # Errors
    /// This is none.
    pub fn lhs(&self) -> Result<Cursor> {
        self.part(ExprStep::Lhs, "left-hand side")
    }

    /// The operand of `-` or `not`.
    ///
    /// # Errors
    /// It is neither.
    pub fn arg(&self) -> Result<Cursor> {
        self.part(ExprStep::Operand, "operand")
    }

    /// The indices of an assignment, a reduction or a read. See [`Cursor::coords`] for windows.
    ///
    /// # Errors
    /// It is none of these.
    pub fn idx(&self) -> Result<Vec<Cursor>> {
        let count = match self.node() {
            Some(Node::Stmt(s)) => match s.kind.as_ref() {
                StmtKind::Assign { idx, .. } | StmtKind::Reduce { idx, .. } => Some(idx.len()),
                StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. }
                | StmtKind::Call { .. } => None,
            },
            Some(Node::Expr(e)) => match &e.kind {
                ExprKind::Read { idx, .. } => Some(idx.len()),
                ExprKind::Window(_)
                | ExprKind::Lit(_)
                | ExprKind::Neg(_)
                | ExprKind::Not(_)
                | ExprKind::Bin { .. }
                | ExprKind::Extern { .. }
                | ExprKind::Stride { .. }
                | ExprKind::ReadConfig { .. } => None,
            },
            Some(Node::Arg(_) | Node::Block(_) | Node::Gap) | None => None,
        };
        self.parts(count, ExprStep::Idx, "indices")
    }

    /// The arguments of a call or of an extern.
    ///
    /// # Errors
    /// It is neither.
    pub fn args(&self) -> Result<Vec<Cursor>> {
        let count = match self.node() {
            Some(Node::Stmt(Stmt { kind, .. })) => match kind.as_ref() {
                StmtKind::Call { args, .. } => Some(args.len()),
                StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. } => None,
            },
            Some(Node::Expr(e)) => match &e.kind {
                ExprKind::Extern { args, .. } => Some(args.len()),
                ExprKind::Read { .. }
                | ExprKind::Window(_)
                | ExprKind::Lit(_)
                | ExprKind::Neg(_)
                | ExprKind::Not(_)
                | ExprKind::Bin { .. }
                | ExprKind::Stride { .. }
                | ExprKind::ReadConfig { .. } => None,
            },
            Some(Node::Arg(_) | Node::Block(_) | Node::Gap) | None => None,
        };
        self.parts(count, ExprStep::Arg, "arguments")
    }

    /// The extents of an allocation.
    ///
    /// # Errors
    /// This is none.
    pub fn shape(&self) -> Result<Vec<Cursor>> {
        let count = self.allocated().map(|typ| typ.rank());
        self.parts(count, ExprStep::Extent, "shape to point into")
    }

    fn parts(
        &self,
        count: Option<usize>,
        step: impl Fn(usize) -> ExprStep,
        what: &str,
    ) -> Result<Vec<Cursor>> {
        let count = count.ok_or_else(|| self.lacks(what))?;
        (0..count).map(|k| self.part(step(k), what)).collect()
    }

    /// The coordinates of a window, of a window statement or of an argument.
    ///
    /// # Errors
    /// It is none of these.
    pub fn coords(&self) -> Result<Vec<Coord>> {
        let window: Option<&WindowExpr> = self.window();
        let coords = window.ok_or_else(|| self.lacks("coordinates"))?;
        let one = |(k, c): (usize, &WinCoord)| match c {
            WinCoord::Point(_) => self.part(ExprStep::Idx(k), "coordinate").map(Coord::Point),
            WinCoord::Interval(..) => Ok(Coord::Interval(
                self.part(ExprStep::From(k), "coordinate")?,
                self.part(ExprStep::To(k), "coordinate")?,
            )),
        };
        coords.idx.iter().enumerate().map(one).collect()
    }

    /// Whether the other is this, or a part of it.
    pub fn is_ancestor_of(&self, other: &Cursor) -> bool {
        self.proc().id() == other.proc().id() && contains(self.place(), other.place())
    }
}

/// Whether a place is another, or around it.
fn contains(here: &Place, there: &Place) -> bool {
    if here == there {
        return true;
    }
    // The innermost statement that is it or around it.
    let at: &[Step] = match there {
        Place::Stmt(path) => path,
        Place::Expr(at) => &at.stmt,
        Place::Block(Hole { path, .. }) | Place::Gap(Gap { anchor: path, .. }) => {
            path.split_last().map_or(&[], |(_, up)| up)
        }
        Place::Arg(_) => return false,
    };
    match here {
        Place::Stmt(path) => {
            let is_alone = match there {
                Place::Block(run) => run.len == 1 && run.path == *path,
                Place::Stmt(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => false,
            };
            is_alone || at.starts_with(path)
        }
        Place::Block(run) => {
            let Some((first, up)) = run.path.split_last() else { return false };
            at.strip_prefix(up).and_then(<[Step]>::first).is_some_and(|step| {
                step.same_block(*first) && (first.index()..first.index() + run.len).contains(&step.index())
            })
        }
        Place::Expr(at) => match there {
            Place::Expr(inner) => at.stmt == inner.stmt && inner.steps.starts_with(&at.steps),
            Place::Stmt(_) | Place::Block(_) | Place::Gap(_) | Place::Arg(_) => false,
        },
        Place::Gap(_) | Place::Arg(_) => false,
    }
}

/// Python's index: from the end when negative; `None` before the start.
fn index(i: isize, len: usize) -> Option<usize> {
    if i < 0 { len.checked_sub(i.unsigned_abs()) } else { usize::try_from(i).ok() }
}

//! Rows of a matrix in blocks of as many as a register has lanes. The columns that all rows of a block have are vectors,
//! of which each row has a register of sums; these are added up by one instruction, into a register with the sum of each
//! row. In the triangle on the diagonal, rows are vectors of which the first or the last lanes work.

use super::lanes::{Begin, InLanes, row_cell, written_out};
use super::shape::Columns;
use crate::ops::lanes_for_reductions;
use crate::target::{Lanes, Op};
use crate::vectorize::to_instructions;
use crate::{Target, inspect};
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Occurrences, Staging, Tail};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;

pub(super) const BLOCKS: &str = "blocks";

/// Rows of which columns are done at once.
const AT_ONCE: i64 = 8;

/// The blocks of a schedule.
pub(super) struct Blocks<'a> {
    pub(super) rows: InLanes<'a>,
    pub(super) columns: Columns,
}

fn in_triangle(columns: Columns) -> Lanes {
    match columns {
        Columns::After { .. } => Lanes::Last,
        Columns::Before { .. } => Lanes::First,
    }
}

impl<'a> Blocks<'a> {
    /// Blocks for a target that has what they take.
    pub(super) fn of(target: &'a Target, columns: Columns) -> Option<Blocks<'a>> {
        let triangle =
            [Op::Load, Op::Fma, Op::FmaBroadcast].into_iter().all(|op| target.has(op, in_triangle(columns)));
        InLanes::of(target, AT_ONCE).filter(|_| triangle).map(|rows| Blocks { rows, columns })
    }

    /// The columns beside the triangle, of whose rows multiples are added to x. Registers of x begin where blocks do: one that
    /// holds parts of what two blocks have written would be waited for. The columns that no such register holds are the same
    /// for all blocks, and stay in one.
    pub(super) fn far_multiples(&self, p: &Proc, far: &Cursor) -> Result<Proc> {
        let (p, whole) = self.edge_multiples(p, far)?;
        self.whole_multiples(&p, &whole)
    }

    /// The columns of [`far_multiples`](Self::far_multiples) that registers of x hold.
    pub(super) fn whole_multiples(&self, p: &Proc, whole: &Cursor) -> Result<Proc> {
        let begin = match self.columns {
            Columns::Before { forward: false } => Begin::Last,
            Columns::Before { forward: true } | Columns::After { .. } => Begin::First,
        };
        self.rows.far_from(p, whole, begin)
    }

    /// The other columns. The cursor is at the loop over those that registers of x hold.
    pub(super) fn edge_multiples(&self, p: &Proc, far: &Cursor) -> Result<(Proc, Cursor)> {
        let far = p.forward(far)?;
        let block = far.parent()?.parent()?;
        let some = format!("n % {}", self.lanes());
        let (cut, window) = match self.columns {
            Columns::Before { .. } => (some.clone(), format!("x[0:{some}]")),
            Columns::After { .. } => {
                (format!("{} - {some}", expr_to_string(&far.hi()?.expr()?)), format!("x[n - {some}:n]"))
            }
        };
        let p = p.cut_loop(&far, cut.as_str())?;
        let first = p.forward(&far)?;
        let second = first.next(1)?;
        let p = p.shift_loop(&second, 0)?.simplify()?;
        let p = p.fission(p.forward(&first)?.after()?, 1)?;
        let (edge, whole) = match self.columns {
            Columns::Before { .. } => (first, second),
            Columns::After { .. } => (second, first),
        };
        let p = p.stage_mem(p.forward(&block)?, window, "edge", Staging::Copy)?;
        let p = p.resize_dim("edge", 0, self.lanes(), 0, Indices::Shifted)?;
        let p = p.set_memory("edge", self.memory())?;
        let block = p.forward(&block)?;
        let p = [block.prev(1)?, block.next(1)?].into_iter().try_fold(p, |p, copied| {
            let (p, lanes) = self.rows.guarded(&p, &copied)?;
            self.rows.lane_loop(&p, &lanes, Lanes::First)
        })?;
        let p = self.rows.edge(&p, &edge, "edge")?;
        let whole = p.forward(&whole)?;
        Ok((p, whole))
    }

    /// The lanes that work in a row of the triangle.
    pub(super) fn in_triangle(&self) -> Lanes {
        in_triangle(self.columns)
    }

    pub(super) fn lanes(&self) -> i64 {
        self.rows.lanes()
    }

    /// The memory of registers.
    pub(super) fn memory(&self) -> &'static str {
        self.rows.target.memory()
    }

    /// The loop over rows, of which whole blocks are left: the rows that remain are those with the fewest columns, and where
    /// they come first they have a loop of their own.
    pub(super) fn whole_blocks(&self, p: &Proc) -> Result<(Proc, Cursor)> {
        let rows = p.find_loop("j")?.parent()?;
        if self.columns.are_few_in_the_rest() {
            return Ok((p.clone(), rows));
        }
        let p = p.cut_loop(&rows, format!("n % {}", self.lanes()).as_str())?;
        let whole = p.forward(&rows)?.next(1)?;
        let p = p.shift_loop(&whole, 0)?;
        let whole = p.forward(&whole)?;
        Ok((p, whole))
    }

    /// The first column of the triangle of block `io`.
    pub(super) fn corner(&self) -> String {
        let lanes = self.lanes();
        match self.columns {
            Columns::After { forward: true } => format!("{lanes} * io"),
            Columns::Before { forward: true } => format!("{lanes} * io + n % {lanes}"),
            Columns::After { forward: false } => format!("n - n % {lanes} - {lanes} * io - {lanes}"),
            Columns::Before { forward: false } => format!("n - {lanes} * io - {lanes}"),
        }
    }

    /// Blocks, and in their rows a loop for the triangle, from its first column, and one for the columns beside it, from 0.
    pub(super) fn divided(&self, p: &Proc, rows: &Cursor, cells: &Cursor) -> Result<(Proc, Cursor, Cursor)> {
        let lanes = self.lanes();
        let tail = if self.columns.are_few_in_the_rest() { Tail::Cut } else { Tail::Perfect };
        let p = p.divide_loop(rows, lanes, ["io", "ir"], tail)?.simplify()?;
        let corner = self.corner();
        let boundary = match self.columns {
            Columns::Before { .. } => corner.clone(),
            Columns::After { .. } => format!("{corner} + {lanes}"),
        };
        let p = p.cut_loop(p.forward(cells)?, boundary.as_str())?;
        let first = p.forward(cells)?;
        let second = first.next(1)?;
        let (far, near, start) = match self.columns {
            Columns::Before { .. } => (first, second, "0".to_owned()),
            Columns::After { forward: true } => {
                let from = format!("{} - {corner}", expr_to_string(&first.lo()?.expr()?));
                (second, first, from)
            }
            Columns::After { forward: false } => (second, first, format!("{lanes} - ir")),
        };
        let p = p.shift_loop(near.clone(), start.as_str())?;
        let p = p.shift_loop(p.forward(&far)?, 0)?.simplify()?;
        let (near, far) = (p.forward(&near)?, p.forward(&far)?);
        Ok((p, near, far))
    }

    /// The sum of a row in lanes, those of the triangle included: what these add to the sum goes to the lanes of the others.
    pub(super) fn summed_in_lanes(&self, p: &Proc, far: &Cursor, summed: &Cursor) -> Result<(Proc, Cursor)> {
        let p = lanes_for_reductions(p, far, self.lanes(), self.memory())?;
        let whole = p.forward(far)?.next(1)?;
        let near = p.forward(summed)?.parent()?;
        let lanes = whole.body()?.at(0)?.rhs()?.name()?.to_string();
        let edge = match self.columns {
            Columns::Before { .. } => near.hi()?,
            Columns::After { .. } => near.lo()?,
        };
        let p = p.cut_loop(&whole, &edge.expr()?)?;
        let first = p.forward(&whole)?;
        let second = first.next(1)?;
        let (p, both, other) = match self.columns {
            Columns::Before { .. } => (p.reorder_stmts(second.expand(Some(0), Some(1))?)?, first, second),
            Columns::After { .. } => (p, second, first),
        };
        let p = p.fuse(p.forward(&both)?, p.forward(&near)?)?;
        let (p, summed) = self.through_lanes(&p, &both, &lanes)?;
        let (both, other) = (p.forward(&both)?, p.forward(&other)?);
        let p = match self.columns {
            Columns::Before { .. } => p.join_loops(both.next(1)?, other)?,
            Columns::After { .. } => {
                let total = both.next(1)?;
                let p = p.reorder_stmts(other.expand(Some(0), Some(1))?)?;
                p.join_loops(p.forward(&other)?, p.forward(&total)?)?
            }
        };
        let summed = p.forward(&summed)?;
        Ok((p, summed))
    }

    /// Of a loop with `s += lanes[i]; s += e`, one with `lanes[i] += e` and one with `s += lanes[i]`.
    fn through_lanes(&self, p: &Proc, both: &Cursor, lanes: &str) -> Result<(Proc, Cursor)> {
        let both = p.forward(both)?;
        let iter = both.name()?.to_string();
        let stmt = both.body()?.at(0)?;
        let p = p.merge_writes(stmt.expand(Some(0), Some(1))?)?;
        let name = inspect::fresh(&p, "w");
        let rhs = p.forward(&stmt)?.rhs()?;
        let p = p.bind_expr(vec![At::from(&rhs)], &name, Occurrences::These)?;
        let made = p.forward(&stmt)?.prev(1)?;
        let alloc = made.prev(1)?;
        let p = p.expand_dim(&alloc, self.lanes(), iter.as_str())?;
        let p = p.lift_alloc(p.forward(&alloc)?, 1)?;
        let p = p.set_memory(p.forward(&alloc)?, self.memory())?;
        let p = p.reuse_buffer(p.find(&format!("{lanes}: _"))?, p.forward(&alloc)?)?;
        let p = p.fold_into_reduce(p.forward(&made)?)?;
        let p = p.fission(p.forward(&made)?.after()?, 1)?;
        Ok((p, made))
    }

    /// A nest over rows of the triangle without the row that has no cell, where an instruction would ask for one.
    pub(super) fn without_empty_row(&self, p: &Proc, nest: &Cursor) -> Result<(Proc, Cursor)> {
        let nest = p.forward(nest)?;
        let (p, rest) = match self.columns {
            Columns::After { .. } => return Ok((p.clone(), nest)),
            Columns::Before { forward: true } => {
                let p = p.cut_loop(&nest, 1)?;
                let rest = p.forward(&nest)?.next(1)?;
                (p, rest)
            }
            Columns::Before { forward: false } => (p.cut_loop(&nest, self.lanes() - 1)?, nest),
        };
        let p = p.simplify()?;
        let rest = p.forward(&rest)?;
        Ok((p, rest))
    }

    /// Rows of the triangle as vectors: a nest over rows, then columns. The part of x beside it is in a register.
    pub(super) fn triangle(&self, p: &Proc, nest: &Cursor) -> Result<(Proc, Cursor)> {
        let (p, nest) = &self.without_empty_row(p, nest)?;
        let cells = nest.body()?.at(-1)?;
        let p = p.bind_expr(row_cell(&cells.body()?.stmts()?)?, "a", Occurrences::These)?;
        let p = self.window(&p, &p.forward(nest)?, "x", "near")?;
        let p = self.rows.lane_loop(&p, &cells, self.in_triangle())?;
        let nest = p.forward(nest)?;
        Ok((p, nest))
    }

    /// A vector's part beside the triangle in a register, for statements.
    pub(super) fn window(&self, p: &Proc, at: &Cursor, vector: &str, name: &str) -> Result<Proc> {
        let (corner, lanes) = (self.corner(), self.lanes());
        let window = format!("{vector}[{corner}:{corner} + {lanes}]");
        p.stage_mem(at, window, name, Staging::Copy)?.set_memory(name, self.memory())?.simplify()
    }

    /// Instructions, and rows and what is left of the triangle written out.
    pub(super) fn finished(&self, p: &Proc, block: &Cursor) -> Result<Proc> {
        let p = written_out(&to_instructions(p, self.rows.target)?, block, "ir")?;
        self.rows.cells_written_out(&p, block)
    }

    /// The rows before the first block, written out, each where there are so many: how many columns one has is known then.
    /// The cursor is at the condition that there are any.
    pub(super) fn rest_written_out(&self, p: &Proc, rows: &Cursor) -> Result<(Proc, Cursor)> {
        let rows = p.forward(rows)?;
        let p = p.divide_loop(&rows, self.lanes(), ["iw", "ii"], Tail::CutAndGuard)?;
        let some = p.forward(&rows)?.next(1)?;
        let p = p.simplify()?;
        let some = p.forward(&some)?;
        let rows = some.body()?.at(0)?;
        let p = p.shift_loop(rows.find_loop("j")?, 0)?;
        let p = p.divide_loop(p.forward(&rows)?, self.lanes(), ["io", "ir"], Tail::Guard)?.simplify()?;
        let p = p.unroll_loop(p.forward(&rows)?)?;
        let p = written_out(&p, &some, "ir")?;
        Ok((p, some))
    }
}

//! Rows of a matrix in blocks of as many as a register has lanes. The columns that all rows of a block have are vectors,
//! of which each row has a register of sums; these are added up by one instruction, into a register with the sum of each
//! row. In the triangle on the diagonal, rows are vectors of which the first or the last lanes work.

use super::shape::Columns;
use crate::ops::{fission_into_singles, lanes_for_reductions, stage_operations};
use crate::target::{Lanes, Op};
use crate::vectorize::to_instructions;
use crate::{Target, inspect};
use rewright_primitives::cursor::{At, CursorKind};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Occurrences, Staging, Tail};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;

pub(super) const BLOCKS: &str = "blocks";

/// The blocks of a schedule.
pub(super) struct Blocks<'a> {
    pub(super) target: &'a Target,
    pub(super) columns: Columns,
    /// The instruction that adds up the registers of all rows.
    sums: &'a Proc,
}

impl<'a> Blocks<'a> {
    /// Blocks for a target that has what they take.
    pub(super) fn of(target: &'a Target, columns: Columns) -> Option<Blocks<'a>> {
        let part = match columns {
            Columns::After { .. } => Lanes::Last,
            Columns::Before { .. } => Lanes::First,
        };
        let needed = [Op::Load, Op::Fma, Op::FmaBroadcast];
        let has = |lanes| needed.into_iter().all(|op| target.has(op, lanes));
        let sums = target.sums().filter(|_| has(Lanes::All) && has(Lanes::First) && has(part))?;
        Some(Blocks { target, columns, sums })
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

    pub(super) fn on_stack(&self, p: &Proc, alloc: &Cursor) -> Result<Proc> {
        p.set_memory(p.forward(alloc)?, "DRAM_STACK")
    }

    pub(super) fn lanes(&self) -> i64 {
        self.target.lanes()
    }

    /// The first column of the triangle of block `io`.
    fn corner(&self) -> String {
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
            Columns::Before { .. } => corner,
            Columns::After { .. } => format!("{corner} + {lanes}"),
        };
        let p = p.cut_loop(p.forward(cells)?, boundary.as_str())?;
        let first = p.forward(cells)?;
        let second = first.next(1)?;
        let (far, near, start) = match self.columns {
            Columns::Before { .. } => (first, second, "0".to_owned()),
            Columns::After { forward: true } => (second, first, "ir + 1".to_owned()),
            Columns::After { forward: false } => (second, first, format!("{lanes} - ir")),
        };
        let p = p.shift_loop(near.clone(), start.as_str())?;
        let p = p.shift_loop(p.forward(&far)?, 0)?.simplify()?;
        let (near, far) = (p.forward(&near)?, p.forward(&far)?);
        Ok((p, near, far))
    }

    /// The sum of a row in lanes, those of the triangle included: what these add to the sum goes to the lanes of the others.
    pub(super) fn summed_in_lanes(&self, p: &Proc, far: &Cursor, summed: &Cursor) -> Result<(Proc, Cursor)> {
        let p = lanes_for_reductions(p, far, self.lanes(), self.target.memory())?;
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
        let p = p.set_memory(p.forward(&alloc)?, self.target.memory())?;
        let p = p.reuse_buffer(p.find(&format!("{lanes}: _"))?, p.forward(&alloc)?)?;
        let p = p.fold_into_reduce(p.forward(&made)?)?;
        let p = p.fission(p.forward(&made)?.after()?, 1)?;
        Ok((p, made))
    }

    /// The columns that all rows of a block have: a nest over rows, then columns.
    pub(super) fn far(&self, p: &Proc, far: &Cursor) -> Result<Proc> {
        let p = p.reorder_loops(p.forward(far)?.parent()?)?;
        let columns = p.forward(far)?;
        let rows = columns.body()?.at(0)?;
        let stmts = rows.body()?.stmts()?;
        let cell = row_cell(&stmts)?;
        let p = p.bind_expr(cell, "a", Occurrences::These)?;
        let p = staged(&p, &rows, "y", "added")?;
        let p = staged(&p, &rows, "x", "xs")?;
        let columns = p.forward(&columns)?;
        let name = columns.name()?;
        let names = [format!("{name}o"), format!("{name}i")];
        let p =
            p.divide_loop(&columns, self.lanes(), [&names[0], &names[1]], Tail::CutAndGuard)?.simplify()?;
        let whole = p.forward(&columns)?;
        let rest = whole.next(1)?;
        let p = self.lane_nest(&p, &whole.body()?.at(0)?, Lanes::All)?;
        if rest.is_if() { self.lane_nest(&p, &p.forward(&rest)?.body()?.at(0)?, Lanes::First) } else { Ok(p) }
    }

    /// A loop over lanes, with a loop over rows in it, whose statements are operations on registers.
    fn lane_nest(&self, p: &Proc, at: &Cursor, which: Lanes) -> Result<Proc> {
        let lanes = Some(self.lanes());
        let at = p.forward(at)?;
        let allocs: Vec<Cursor> =
            at.body()?.stmts()?.into_iter().filter(|c| c.kind() == CursorKind::Alloc).collect();
        let (p, singles) = fission_into_singles(p, &at, lanes)?;
        let mut p = self.registers(&p, &allocs)?;
        for one in singles {
            let here = p.forward(&one)?;
            let inner = here.body()?.at(0)?;
            if !inner.is_loop() {
                continue;
            }
            p = p.reorder_loops(&here)?;
            let inner = p.forward(&one)?;
            p = self.lane_loop(&p, &inner, which)?;
        }
        Ok(p)
    }

    /// A loop over lanes, whose statements become operations on registers.
    fn lane_loop(&self, p: &Proc, at: &Cursor, which: Lanes) -> Result<Proc> {
        let (p, around) = stage_operations(p, &p.forward(at)?, self.target, which, true)?;
        Ok(fission_into_singles(&p, &around, Some(self.lanes()))?.0)
    }

    fn registers(&self, p: &Proc, allocs: &[Cursor]) -> Result<Proc> {
        allocs.iter().try_fold(p.clone(), |p, at| p.set_memory(p.forward(at)?, self.target.memory()))
    }

    /// A nest over rows of the triangle without the row that has no cell, where an instruction would ask for one.
    fn without_empty_row(&self, p: &Proc, nest: &Cursor) -> Result<(Proc, Cursor)> {
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
        let cells = nest.body()?.at(0)?;
        let p = p.bind_expr(row_cell(&cells.body()?.stmts()?)?, "a", Occurrences::These)?;
        let p = self.window(&p, &p.forward(nest)?, "x", "near")?;
        let which = match self.columns {
            Columns::After { .. } => Lanes::Last,
            Columns::Before { .. } => Lanes::First,
        };
        let p = self.lane_loop(&p, &cells, which)?;
        let nest = p.forward(nest)?;
        Ok((p, nest))
    }

    /// A vector's part beside the triangle in a register, for statements.
    pub(super) fn window(&self, p: &Proc, at: &Cursor, vector: &str, name: &str) -> Result<Proc> {
        let (corner, lanes) = (self.corner(), self.lanes());
        let window = format!("{vector}[{corner}:{corner} + {lanes}]");
        p.stage_mem(at, window, name, Staging::Copy)?.set_memory(name, self.target.memory())?.simplify()
    }

    /// A loop over all rows of a block as one over lanes.
    pub(super) fn rows_as_lanes(&self, p: &Proc, at: &Cursor) -> Result<Proc> {
        self.lane_loop(p, at, Lanes::All)
    }

    /// Sums of rows, made by statements from `from` to `to`, in a register, and in memory after that.
    pub(super) fn totals(&self, p: &Proc, from: &Cursor, to: &Cursor) -> Result<Proc> {
        let all = through(&p.forward(from)?, &p.forward(to)?)?;
        let window = format!("sum[0:{}]", self.lanes());
        p.stage_mem(&all, window, "totals", Staging::Copy)?.set_memory("totals", self.target.memory())
    }

    /// Instructions, and rows and what is left of the triangle written out.
    pub(super) fn finished(&self, p: &Proc, block: &Cursor) -> Result<Proc> {
        let p = written_out(&to_instructions(p, self.target)?, block, "ir")?;
        self.cells_written_out(&p, block)
    }

    /// The cells that are left of the triangle of rows that are written out, and the sums of all registers at once.
    pub(super) fn cells_written_out(&self, p: &Proc, block: &Cursor) -> Result<Proc> {
        let p = written_out(p, block, "j")?;
        let block = p.forward(block)?;
        let sums = ["sum", "totals"].map(|x| block.find(&format!("for _ in _:\n    {x}[_] += sums0[_, _]")));
        match sums.into_iter().find_map(std::result::Result::ok) {
            Some(first) => {
                let rest = usize::try_from(self.lanes() - 1).unwrap_or_default();
                p.replace(first.expand(Some(0), Some(rest))?, self.sums)
            }
            None => Ok(p),
        }
    }
}

/// Loops of this name and of constant length in a block, written out.
pub(super) fn written_out(p: &Proc, block: &Cursor, name: &str) -> Result<Proc> {
    let loops = counted(p, block, name)?;
    loops.iter().try_fold(p.clone(), |p, at| p.unroll_loop(p.forward(at)?))?.simplify()
}

/// The loops of this name and of constant length in a block.
pub(super) fn counted(p: &Proc, block: &Cursor, name: &str) -> Result<Vec<Cursor>> {
    let is_named = |at: &Cursor| at.name().is_ok_and(|x| x.as_str() == name);
    let mut loops = inspect::inner_loops(&p.forward(block)?);
    loops.retain(|at| is_named(at) && inspect::trip_count(at).is_some());
    Ok(loops)
}

/// Statements from one to another.
pub(super) fn through(first: &Cursor, last: &Cursor) -> Result<Cursor> {
    let mut count = 0;
    while first.next(count)? != *last {
        count += 1;
    }
    Ok(first.expand(Some(0), Some(count))?)
}

/// The occurrences of a row's cell `A[_, _]` in statements.
fn row_cell(stmts: &[Cursor]) -> Result<Vec<At>> {
    let mut found = Vec::new();
    for s in stmts {
        found.extend(s.find_all("A[_, _]")?.iter().map(At::from));
    }
    Ok(found)
}

/// A cell of a vector, read or added to in a loop with the same index everywhere, through a scalar.
fn staged(p: &Proc, rows: &Cursor, vector: &str, name: &str) -> Result<Proc> {
    let here = p.forward(rows)?;
    let Some(access) = inspect::accesses(&here).into_iter().find(|a| a.name.name().as_str() == vector) else {
        return Ok(p.clone());
    };
    let idx: Vec<String> = access.idx.iter().map(expr_to_string).collect();
    p.stage_mem(&here, format!("{vector}[{}]", idx.join(", ")), name, Staging::Copy)
}

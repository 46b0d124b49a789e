//! Unknowns of a block of equations in the lanes of a register: each is taken from its lane, and its multiples go to the lanes
//! beside it, and to a register with the unknowns of the next block, which waits for no more than these.

use super::blocks::{BLOCKS, Blocks};
use super::lanes::row_cell;
use super::shape::Columns;
use crate::refusal::refuse;
use crate::target::{LaneMoves, Lanes};
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Occurrences, Staging};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;

impl Blocks<'_> {
    /// All blocks: the rows of one, with the columns of the triangle, and `whole`, its columns in whole registers, in a nest of
    /// their own. The last block has none of these.
    pub(super) fn unknowns_in_registers(
        &self,
        p: &Proc,
        moves: &LaneMoves,
        [near, whole]: [&Cursor; 2],
    ) -> Result<Proc> {
        let lanes = self.lanes();
        let blocks = p.forward(near)?.parent()?.parent()?;
        let p = p.specialize(&blocks, &[format!("n >= {lanes}").as_str()])?;
        let some = p.forward(&blocks)?.parent()?;
        let p = p.eliminate_dead_code(some.orelse()?.at(0)?)?;
        let p = p.cut_loop(p.forward(&blocks)?, format!("n / {lanes} - 1").as_str())?;
        let last = p.forward(&blocks)?.next(1)?;
        let p = p.simplify()?;
        let p = self.unknowns(&p, moves, &p.forward(&last)?.find_loop("ir")?, None)?;
        let (p, next, rest) = self.beside(&p, near, whole)?;
        let p = self.whole_multiples(&p, &rest)?;
        let p = self.unknowns(&p, moves, &p.forward(near)?.parent()?, Some(&next))?;
        let p = self.finished(&p, &p.forward(&blocks)?)?;
        self.finished(&p, &p.forward(&last)?)
    }

    /// The columns of the next block's unknowns in the nest over rows of the triangle: the loop over them, and the one over the
    /// other columns.
    fn beside(&self, p: &Proc, near: &Cursor, whole: &Cursor) -> Result<(Proc, Cursor, Cursor)> {
        let (lanes, columns) = (self.lanes(), p.forward(whole)?);
        let cut = match self.columns {
            Columns::After { .. } => lanes.to_string(),
            Columns::Before { .. } => format!("{} - {lanes}", expr_to_string(&columns.hi()?.expr()?)),
        };
        let p = p.cut_loop(&columns, cut.as_str())?;
        let first = p.forward(&columns)?;
        let second = first.next(1)?;
        let p = p.shift_loop(&second, 0)?.simplify()?;
        let mut p = p.fission(p.forward(&first)?.after()?, 1)?;
        let (next, rest) = match self.columns {
            Columns::After { .. } => (first, second),
            Columns::Before { .. } => (second, first),
        };
        let rows = p.forward(near)?.parent()?;
        loop {
            let moved = p.forward(&next)?.parent()?;
            if moved.prev(1)? == p.forward(&rows)? {
                p = p.fuse(p.forward(&rows)?, &moved)?;
                break;
            }
            p = p.reorder_stmts(moved.expand(Some(1), Some(0))?)?;
        }
        let (next, rest) = (p.forward(&next)?, p.forward(&rest)?);
        Ok((p, next, rest))
    }

    /// The columns of x that the next block has.
    fn next_window(&self) -> String {
        let (corner, lanes) = (self.corner(), self.lanes());
        match self.columns {
            Columns::After { .. } => format!("x[{corner} + {lanes}:{corner} + {}]", 2 * lanes),
            Columns::Before { .. } => format!("x[{corner} - {lanes}:{corner}]"),
        }
    }

    /// The rows of a block: an unknown is made, stored where it was divided, and its multiples are added to what is beside it, and
    /// to the next block's.
    fn unknowns(&self, p: &Proc, moves: &LaneMoves, rows: &Cursor, next: Option<&Cursor>) -> Result<Proc> {
        let (mut p, rows) = (p.clone(), p.forward(rows)?);
        let stmts = rows.body()?.stmts()?;
        let count = stmts.len() - usize::from(next.is_some());
        let Some([made, stored @ .., cells]) = stmts.get(..count) else {
            return refuse(BLOCKS, "looking at a row", format!("{} makes no unknown", rows.describe()));
        };
        if next.is_some() {
            p = p.stage_mem(&rows, self.next_window(), "next", Staging::Copy)?;
            p = p.set_memory("next", self.memory())?.simplify()?;
        }
        let (mut p, rows) = self.without_empty_row(&p, &p.forward(&rows)?)?;
        let apart = next.and_then(|_| self.row_apart(&p, &rows));
        for part in next.into_iter().chain(&apart) {
            let part = p.forward(part)?;
            p = p.bind_expr(row_cell(&part.body()?.stmts()?)?, "a", Occurrences::These)?;
            p = self.rows.lane_loop(&p, &part, Lanes::All)?;
        }
        let which = self.in_triangle();
        let p = p.bind_expr(row_cell(&p.forward(cells)?.body()?.stmts()?)?, "a", Occurrences::These)?;
        let p = self.window(&p, &p.forward(&rows)?, "x", "near")?;
        let p = self.rows.lane_loop(&p, cells, which)?;
        let Some(stored) = stored.first() else { return eliminated(&p, moves, made, which) };
        let p = p.replace(p.forward(stored)?, &moves.into)?;
        let lane = p.forward(made)?.rhs()?.lhs()?;
        let p = p.bind_expr(vec![At::from(&lane)], "lane", Occurrences::These)?;
        let taken = p.forward(made)?.prev(1)?;
        p.replace(taken, &moves.out)
    }

    /// The next block's columns in the row that has no cell in the triangle, where that has been cut off.
    fn row_apart(&self, p: &Proc, rows: &Cursor) -> Option<Cursor> {
        match self.columns {
            Columns::After { .. } => None,
            Columns::Before { .. } => p.forward(rows).ok()?.next(1).ok()?.body().ok()?.at(-1).ok(),
        }
    }
}

/// An unknown that is taken from its lane, and whose multiples are taken from lanes beside it: one instruction, where there is one.
fn eliminated(p: &Proc, moves: &LaneMoves, made: &Cursor, which: Lanes) -> Result<Proc> {
    let Some(eliminate) = moves.eliminate(which) else { return p.replace(p.forward(made)?, &moves.out) };
    let multiples = p.forward(made)?.parent()?.find("near[_] += _")?.parent()?;
    let mut p = p.clone();
    while p.forward(made)?.next(1)? != p.forward(&multiples)? {
        p = p.reorder_stmts(p.forward(made)?.expand(Some(0), Some(1))?)?;
    }
    p.replace(p.forward(made)?.expand(Some(0), Some(1))?, eliminate)
}

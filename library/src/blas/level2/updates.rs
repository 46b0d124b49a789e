//! `syr syr2` above the diagonal, by blocks of rows. There a row begins anywhere, and vectors that begin where it does lie in two
//! lines of a cache each. Those of a block begin at multiples of their length: in its triangle the last lanes work, and the
//! columns beside that are those of all its rows.

use super::blocks::{BLOCKS, Blocks};
use super::lanes::{staged, written_out};
use super::shape::Columns;
use crate::ops::add_at_once;
use crate::refusal::refuse;
use crate::target::{Lanes, Op};
use crate::vectorize::to_instructions;
use crate::{Options, Target, vectorize};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// Multiples of vectors that are added to the rows of the triangle above the diagonal, where the target has what that takes.
pub(in crate::blas) fn updated_rows(p: &Proc, target: &Target) -> Option<Result<Proc>> {
    let blocks = Blocks::of(target, Columns::After { forward: true })?;
    target.has(Op::Store, blocks.in_triangle()).then(|| blocks.updated(p, target))
}

/// Rows for which vectors are loaded once. Each has a register for every vector's multiple.
fn rows_at_once(target: &Target) -> i64 {
    target.registers() / 8
}

impl Blocks<'_> {
    fn updated(&self, p: &Proc, target: &Target) -> Result<Proc> {
        let (p, rows) = self.whole_blocks(p)?;
        let stmts = rows.body()?.stmts()?;
        let [multiples @ .., cells] = &stmts[..] else {
            return refuse(BLOCKS, "looking at a row", format!("{} is empty", rows.describe()));
        };
        let p = add_at_once(&p, cells)?;
        let (p, near, far) = self.divided(&p, &rows, cells)?;
        let block = p.forward(&rows)?;
        let rest = block.next(1)?;
        let p = self.rows.own_buffers(&p, &near.parent()?)?;
        let p = multiples.iter().step_by(2).try_fold(p, |p, alloc| self.rows.on_stack(&p, alloc))?;
        let p = p.fission(p.forward(&near)?.before()?, 1)?;
        let p = p.fission(p.forward(&near)?.after()?, 1)?;
        let p = self.rows.rows_as_lanes(&p, &p.forward(&near)?.parent()?.prev(1)?)?;
        let p = self.beside_the_triangle(&p, &far, target)?;
        let p = self.updated_triangle(&p, &near)?;
        let p = written_out(&to_instructions(&p, target)?, &block, "ir")?;
        let cells = p.forward(&rest)?.find_loop("j")?;
        let p = p.shift_loop(&cells, 0)?.simplify()?;
        to_instructions(&self.rows.lane_loop(&p, &cells, Lanes::First)?, target)
    }

    /// The rows of the triangle: their parts of vectors are in registers.
    fn updated_triangle(&self, p: &Proc, near: &Cursor) -> Result<Proc> {
        let nest = |p: &Proc| p.forward(near)?.parent();
        let mut p = p.clone();
        for (vector, name) in [("x", "near_x"), ("y", "near_y")] {
            if nest(&p)?.find(&format!("{vector}[_]")).is_ok() {
                p = self.window(&p, &nest(&p)?, vector, name)?;
            }
        }
        self.rows.lane_loop(&p, near, self.in_triangle())
    }

    /// The columns beside the triangle, for a few rows at once.
    fn beside_the_triangle(&self, p: &Proc, far: &Cursor, target: &Target) -> Result<Proc> {
        let rows = p.forward(far)?.parent()?;
        let p = p.divide_loop(&rows, rows_at_once(target), ["iq", "ir"], Tail::Perfect)?;
        let p = p.reorder_loops(p.forward(far)?.parent()?)?;
        let columns = p.forward(far)?;
        let rows = columns.body()?.at(0)?;
        let p = staged(&p, &rows, "x", "xs", Staging::Copy)?;
        let p = staged(&p, &rows, "y", "ys", Staging::Copy)?;
        let p = p.unroll_loop(p.forward(&rows)?)?;
        Ok(vectorize(&p, &columns, target, Options::of(target))?.0)
    }
}

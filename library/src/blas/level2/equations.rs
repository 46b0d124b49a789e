//! `trsv` by blocks of rows: the unknowns of a block are found one by one, and the sums and multiples of the columns outside
//! the block all at once.

use super::blocks::{BLOCKS, Blocks};
use super::lanes::{counted, written_out};
use super::shape::Columns;
use crate::inspect;
use crate::refusal::refuse;
use crate::vectorize::to_instructions;
use rewright_primitives::error::Result;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::syntax::fold;

impl Blocks<'_> {
    /// `A x = b`, where A is triangular: sums of rows over what is known.
    pub(super) fn solved_by_sums(&self, p: &Proc) -> Result<Proc> {
        let (p, rows) = self.whole_blocks(p)?;
        let rest = rows.prev(1)?;
        let stmts = rows.body()?.stmts()?;
        let [t, made, cells, ..] = &stmts[..] else {
            return refuse(BLOCKS, "looking at a row", format!("{} is no row of `trsv`", rows.describe()));
        };
        let (p, near, far) = self.divided(&p, &rows, cells)?;
        let p = match self.columns {
            Columns::Before { .. } => p,
            Columns::After { .. } => p.reorder_stmts(near.expand(Some(0), Some(1))?)?,
        };
        let p = self.rows.added_sums(&p, [t, made, &far])?;
        let block = p.forward(&near)?.parent()?.parent()?;
        let (p, rest) = self.rest_written_out(&p, &rest)?;
        match self.columns {
            Columns::Before { .. } => {
                let p = written_out(&p, &rest, "j")?;
                self.finished(&p, &block)
            }
            Columns::After { .. } => {
                let p = written_out(&to_instructions(&p, self.rows.target)?, &block, "ir")?;
                let p = sums_from_the_last(&sums_from_the_last(&p, &rest)?, &block)?;
                let p = written_out(&p, &rest, "j")?;
                self.rows.cells_written_out(&p, &block)
            }
        }
    }

    /// `A' x = b`: multiples of rows, once an unknown is known.
    pub(super) fn solved_by_multiples(&self, p: &Proc) -> Result<Proc> {
        let (p, rows) = self.whole_blocks(p)?;
        let stmts = rows.body()?.stmts()?;
        let [t, _, .., cells] = &stmts[..] else {
            return refuse(BLOCKS, "looking at a row", format!("{} is no row of `trsv`", rows.describe()));
        };
        let (p, near, far) = self.divided(&p, &rows, cells)?;
        let p = match self.columns {
            Columns::Before { .. } => p.reorder_stmts(far.expand(Some(0), Some(1))?)?,
            Columns::After { .. } => p,
        };
        let p = self.rows.own_buffers(&p, &p.forward(&far)?.parent()?)?;
        let p = p.fission(p.forward(&far)?.before()?, 1)?;
        let p = self.rows.on_stack(&p, t)?;
        let (p, whole) = self.edge_multiples(&p, &far)?;
        let Some(moves) = self.rows.target.lane_moves() else {
            let p = self.whole_multiples(&p, &whole)?;
            return self.finished(&p, &p.forward(&near)?.parent()?.parent()?);
        };
        self.unknowns_in_registers(&p, moves, [&near, &whole])
    }
}

/// The sums of constant length in a block from their last terms to their first.
fn sums_from_the_last(p: &Proc, block: &Cursor) -> Result<Proc> {
    counted(p, block, "j")?.iter().try_fold(p.clone(), |p, at| from_the_last(&p, at))
}

/// A sum of constant length from its last term to its first: the unknown that has been found last is waited for last.
fn from_the_last(p: &Proc, at: &Cursor) -> Result<Proc> {
    let first = p.forward(at)?;
    let half = inspect::trip_count(&first).unwrap_or_default() / 2;
    let Some(lo) = fold::as_int(&first.lo()?.expr()?).filter(|_| half > 0) else { return Ok(p.clone()) };
    let p = p.cut_loop(&first, lo + half)?;
    let first = p.forward(at)?;
    let second = first.next(1)?;
    let p = p.reorder_stmts(first.expand(Some(0), Some(1))?)?;
    from_the_last(&from_the_last(&p, &first)?, &second)
}

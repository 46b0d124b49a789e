//! `trsv` by blocks of rows: the unknowns of a block are found one by one, and the sums and multiples of the columns outside
//! the block all at once.

use super::blocks::{BLOCKS, Blocks};
use super::lanes::{counted, written_out};
use super::shape::Columns;
use crate::inspect;
use crate::refusal::refuse;
use crate::target::LaneMoves;
use crate::vectorize::to_instructions;
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::Occurrences;
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
        let [t, made, stored @ .., cells] = &stmts[..] else {
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
        let p = self.far_multiples(&p, &far)?;
        let block = p.forward(&near)?.parent()?.parent()?;
        let p = self.unknowns_in_a_register(&p, [made, &near], stored.first())?;
        self.finished(&p, &block)
    }

    /// The unknowns of a block in the lanes of a register: each is taken from its lane, and its multiples go to those beside it.
    /// Where one is divided, it is stored, too.
    fn unknowns_in_a_register(
        &self,
        p: &Proc,
        [made, near]: [&Cursor; 2],
        stored: Option<&Cursor>,
    ) -> Result<Proc> {
        let Some(LaneMoves { out, into }) = self.rows.target.lane_moves() else { return Ok(p.clone()) };
        let (p, _) = self.triangle(p, &p.forward(near)?.parent()?)?;
        let Some(stored) = stored else { return p.replace(p.forward(made)?, out) };
        let p = p.replace(p.forward(stored)?, into)?;
        let lane = p.forward(made)?.rhs()?.lhs()?;
        let p = p.bind_expr(vec![At::from(&lane)], "lane", Occurrences::These)?;
        let taken = p.forward(made)?.prev(1)?;
        p.replace(taken, out)
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

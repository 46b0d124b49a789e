//! `symv trmv` by blocks of rows.

use super::blocks::{BLOCKS, Blocks};
use super::lanes::{through, written_out};
use super::shape::Columns;
use crate::ops::fission_into_singles;
use crate::refusal::refuse;
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::Occurrences;
use rewright_primitives::{Cursor, Proc};

impl Blocks<'_> {
    /// `y += alpha A x`, where A is symmetric.
    pub(super) fn symmetric(&self, p: &Proc) -> Result<Proc> {
        let (p, rows) = self.whole_blocks(p)?;
        let p = bound_diagonal(&p, &rows.body()?.at(-2)?)?;
        let stmts = p.forward(&rows)?.body()?.stmts()?;
        let [t, made, sum, _, cells, d, _, diagonal, last] = &stmts[..] else {
            return refuse(BLOCKS, "looking at a row", format!("{} is no row of `symv`", rows.describe()));
        };
        let (p, near, far) = self.divided(&p, &rows, cells)?;
        let [added, summed] = [near.body()?.at(0)?, near.body()?.at(1)?];
        let p = self.parted(&p, &far, &added, &summed)?;
        let (p, summed) = self.summed_in_lanes(&p, &far, &summed)?;
        let (p, _) = fission_into_singles(&p, &p.forward(&far)?.parent()?, None)?;
        let p = p.set_memory(p.forward(sum)?, self.memory())?;
        let p = self.rows.on_stack(&self.rows.on_stack(&p, t)?, d)?;
        let p = self.rows.far(&p, &far)?;
        let (p, nest) = self.near(&p, &added, &summed)?;
        let p = self.window(&p, &through(&nest, &p.forward(last)?.parent()?)?, "y", "out")?;
        let (p, triangle) = self.triangle(&p, &nest)?;
        let p = self.in_lanes(&p, &[made, diagonal, last])?;
        self.finished(&p, &p.forward(&triangle)?.parent()?)
    }

    /// `x = A x`, where A is triangular: sums of rows.
    pub(super) fn sums_of_rows(&self, p: &Proc) -> Result<Proc> {
        let (p, rows) = self.whole_blocks(p)?;
        let stmts = rows.body()?.stmts()?;
        let [sum, zero, cells, diagonal @ .., last] = &stmts[..] else {
            return refuse(BLOCKS, "looking at a row", format!("{} is no row of `trmv`", rows.describe()));
        };
        let p = if self.is_ascending() { self.diagonals(&p, diagonal)? } else { p };
        let (p, near, far) = self.divided(&p, &rows, cells)?;
        let p = match self.columns {
            Columns::Before { .. } => p,
            Columns::After { .. } => p.reorder_stmts(near.expand(Some(0), Some(1))?)?,
        };
        let (p, summed) = self.summed_in_lanes(&p, &far, &near.body()?.at(0)?)?;
        let total = p.forward(&summed)?.parent()?.next(1)?.body()?.at(0)?;
        let (p, _) = fission_into_singles(&p, &p.forward(&far)?.parent()?, None)?;
        let nest = |p: &Proc, at: &Cursor| p.forward(at)?.parent()?.parent();
        let p = self.rows.on_stack(&p, sum)?;
        let p = self.diagonals_on_stack(&p, diagonal)?;
        let p = self.rows.totals(&p, &p.forward(zero)?.parent()?, &nest(&p, &total)?)?;
        let p = self.rows.far(&p, &far)?;
        let (p, triangle) = self.triangle(&p, &nest(&p, &summed)?)?;
        let ends: Vec<&Cursor> = diagonal.iter().chain([last]).collect();
        let p = if self.is_ascending() { self.in_lanes(&p, &ends)? } else { p };
        let p = self.rows.rows_as_lanes(&p, &p.forward(zero)?.parent()?)?;
        self.finished(&p, &p.forward(&triangle)?.parent()?)
    }

    /// `x = A' x`, where A is triangular: multiples of rows.
    pub(super) fn multiples_of_rows(&self, p: &Proc) -> Result<Proc> {
        let (p, rows) = self.whole_blocks(p)?;
        let rest = rows.prev(1)?;
        let stmts = rows.body()?.stmts()?;
        let [t, made, cells, diagonal @ ..] = &stmts[..] else {
            return refuse(BLOCKS, "looking at a row", format!("{} is no row of `trmv`", rows.describe()));
        };
        // What is added to a cell of x is added to what the diagonal has made of it.
        let p = match diagonal {
            [] => p,
            _ => p.reorder_stmts(p.forward(cells)?.expand(Some(0), Some(1))?)?,
        };
        let p = if self.is_ascending() { self.diagonals(&p, diagonal)? } else { p };
        let (p, near, far) = self.divided(&p, &rows, cells)?;
        let added = near.body()?.at(0)?;
        let (p, _) = fission_into_singles(&p, &p.forward(&far)?.parent()?, None)?;
        let p = self.diagonals_on_stack(&self.rows.on_stack(&p, t)?, diagonal)?;
        let p = self.far_multiples(&p, &far)?;
        let nest = p.forward(&added)?.parent()?.parent()?;
        let (p, triangle) = self.triangle(&p, &nest)?;
        let p = if self.is_ascending() {
            let all: Vec<&Cursor> = [made].into_iter().chain(diagonal).collect();
            self.in_lanes(&p, &all)?
        } else {
            p
        };
        let block = p.forward(&triangle)?.parent()?;
        let (p, rest) = self.rest_written_out(&p, &rest)?;
        let p = written_out(&p, &rest, "j")?;
        self.finished(&p, &block)
    }

    /// Whether rows are done in the order of their cells in memory.
    fn is_ascending(&self) -> bool {
        match self.columns {
            Columns::After { forward } | Columns::Before { forward } => forward,
        }
    }

    /// The cells of A on the diagonal, each read first.
    fn diagonals(&self, p: &Proc, stmts: &[Cursor]) -> Result<Proc> {
        stmts.iter().try_fold(p.clone(), |p, at| bound_diagonal(&p, &p.forward(at)?))
    }

    fn diagonals_on_stack(&self, p: &Proc, stmts: &[Cursor]) -> Result<Proc> {
        match p.find("d: _") {
            Ok(_) if !stmts.is_empty() => {
                let block = p.forward(&stmts[0])?.parent()?.parent()?;
                self.rows.on_stack(p, &block.find("d: _")?)
            }
            _ => Ok(p.clone()),
        }
    }

    /// Loops of statements over all rows as loops over lanes.
    fn in_lanes(&self, p: &Proc, stmts: &[&Cursor]) -> Result<Proc> {
        stmts.iter().try_fold(p.clone(), |p, at| self.rows.rows_as_lanes(&p, &p.forward(at)?.parent()?))
    }

    /// The two things that are done in the triangle in a loop each: what is added to a vector, the other columns, the sum.
    fn parted(&self, p: &Proc, far: &Cursor, added: &Cursor, summed: &Cursor) -> Result<Proc> {
        let p = p.fission(p.forward(added)?.after()?, 1)?;
        let first = match self.columns {
            Columns::Before { .. } => p.forward(far)?,
            Columns::After { .. } => p.forward(summed)?.parent()?,
        };
        p.reorder_stmts(first.expand(Some(0), Some(1))?)
    }

    /// The triangle: both things that are done in it in one nest, beside the sums.
    fn near(&self, p: &Proc, added: &Cursor, summed: &Cursor) -> Result<(Proc, Cursor)> {
        let nest = |p: &Proc, at: &Cursor| p.forward(at)?.parent()?.parent();
        let (first, second) = (nest(p, added)?, nest(p, summed)?);
        let mut p = p.clone();
        while p.forward(&first)?.next(1)? != p.forward(&second)? {
            p = p.reorder_stmts(p.forward(&first)?.expand(Some(0), Some(1))?)?;
        }
        let p = p.fuse(p.forward(&first)?, p.forward(&second)?)?;
        let cells = p.forward(&first)?.body()?.at(0)?;
        let p = p.fuse(&cells, cells.next(1)?)?;
        let first = p.forward(&first)?;
        Ok((p, first))
    }
}

/// The cell of A in a statement, read first.
fn bound_diagonal(p: &Proc, stmt: &Cursor) -> Result<Proc> {
    p.bind_expr(vec![At::from(stmt.find("A[_, _]")?)], "d", Occurrences::These)
}

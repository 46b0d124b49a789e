//! A triangle of a sum, of which the second factor is in panels, by squares as wide as one of these, or some.

use super::Triangle;
use crate::blas::Uplo;
use crate::gemm::{Kernel, PANELS, branches, by_threads, call, panel_columns, panel_width};
use rewright_primitives::error::Result;
use rewright_primitives::ops::Tail;
use rewright_primitives::{Cursor, Proc};

/// What there is of as many rows as a panel has columns, nest by nest.
struct Strip {
    /// The square on the diagonal.
    square: Cursor,
    /// The panels beside it that are whole.
    panels: Option<Cursor>,
    /// The last columns, fewer than those of a panel.
    ragged: Option<Cursor>,
}

impl Triangle<'_> {
    /// A triangle of a sum of at most so many products as are done at once, by squares of so many rows.
    ///
    /// # Errors
    /// A primitive refuses: a bug.
    pub(super) fn of_panels(
        &self,
        plain: &Proc,
        side: i64,
        square: &Kernel,
        panel: &Kernel,
    ) -> Result<Kernel> {
        let name = plain.name();
        let plain = plain.rename(&format!("{name}_part"))?;
        let plain = plain.add_assertion(format!("K <= {}", self.g.sizes.depth))?;
        let p = plain.rename(&format!("{name}_by_{side}"))?;
        let p = p.divide_loop("i", side, ["io", "ii"], Tail::Cut)?;
        let (strips, first) = (p.find_loop("io")?, p.find_loop("ii")?);
        let last = strips.next(1)?;
        let p = p.specialize(&last, &[&format!("M % {side} > 0")])?;
        let (rest, none) = branches(&p, &last, 1)?;
        let p = p.eliminate_dead_code(none)?;
        let (mut p, mut all) = (p, Vec::new());
        let done = format!("{side} * (M / {side})");
        let whole = format!("{width} * (M / {width})", width = self.width());
        for (rows, before) in
            [(&first, format!("{side} * io"))].into_iter().chain(rest.iter().map(|r| (r, done.clone())))
        {
            let (next, strip) = match self.uplo {
                Uplo::Lower => self.below(&p, rows, &before)?,
                Uplo::Upper if rows == &first => self.above(&p, rows, side, &whole)?,
                Uplo::Upper => self.corner(&p, rows)?,
            };
            p = next;
            all.push(strip);
        }
        let p = p.simplify()?;
        let fast = all.iter().try_fold(p, |p, strip| self.called(&p, strip, square, panel))?.simplify()?;
        Ok(Kernel { plain, fast })
    }

    /// The columns of a panel.
    fn width(&self) -> i64 {
        panel_columns(&self.g.target)
    }

    /// Rows of a lower triangle: panels, and a square after them.
    fn below(&self, p: &Proc, rows: &Cursor, square: &str) -> Result<(Proc, Strip)> {
        let (p, panels, square) = apart(p, rows, square)?;
        let p = p.shift_loop(square.body()?.at(0)?, self.first())?;
        let (p, panels) = self.by_panels(&p, &panels)?;
        Ok((p, Strip { square, panels: Some(panels), ragged: None }))
    }

    /// Rows of an upper triangle: a square, the panels after it, the last columns.
    fn above(&self, p: &Proc, rows: &Cursor, side: i64, last: &str) -> Result<(Proc, Strip)> {
        let (p, square, others) = apart(p, rows, &format!("{side} * io + {side}"))?;
        let (p, panels, ragged) = apart(&p, &others, last)?;
        let p = p.shift_loop(p.forward(&square)?.body()?.at(0)?, self.first())?;
        let p = p.shift_loop(p.forward(&ragged)?.body()?.at(0)?, 0)?;
        let (p, panels) = self.by_panels(&p, &panels)?;
        Ok((p, Strip { square, panels: Some(panels), ragged: Some(ragged) }))
    }

    /// The last rows of an upper triangle: a square.
    fn corner(&self, p: &Proc, rows: &Cursor) -> Result<(Proc, Strip)> {
        let p = p.shift_loop(p.forward(rows)?.body()?.at(0)?, self.first())?;
        Ok((p, Strip { square: rows.clone(), panels: None, ragged: None }))
    }

    /// Whole panels of rows, the panels outside.
    fn by_panels(&self, p: &Proc, rows: &Cursor) -> Result<(Proc, Cursor)> {
        let cells = p.forward(rows)?.body()?.at(0)?;
        let p = p.shift_loop(&cells, 0)?;
        let p = p.divide_loop(&cells, self.width(), ["jo", "ji"], Tail::Perfect)?;
        let panels = p.forward(&cells)?;
        let p = p.reorder_loops(p.forward(rows)?)?;
        let panels = p.forward(&panels)?;
        Ok((p, panels))
    }

    /// The nests of rows as calls.
    fn called(&self, p: &Proc, strip: &Strip, square: &Kernel, panel: &Kernel) -> Result<Proc> {
        let p = call(p, &p.forward(&strip.square)?, square)?;
        let p = match &strip.panels {
            Some(panels) => {
                let least = 2 * PANELS * panel_width(&self.g.target);
                let (p, both) = by_threads(&p, panels, &format!("M >= {least} and K >= {least}"))?;
                let call = |p: Proc, at: &Cursor| call(&p, &p.forward(at)?.body()?.at(0)?, panel);
                both.iter().try_fold(p, call)?
            }
            None => p,
        };
        let Some(ragged) = &strip.ragged else { return Ok(p) };
        let ragged = p.forward(ragged)?;
        let p = p.specialize(&ragged, &[&format!("M % {} > 0", self.width())])?;
        let (some, none) = branches(&p, &ragged, 1)?;
        let p = p.reorder_loops(none.clone())?;
        let p = p.eliminate_dead_code(p.forward(&none)?)?;
        some.iter().try_fold(p, |p, at| call(&p, at, self.product))
    }
}

/// The columns of rows before one of them, and those from it on, in nests of their own.
fn apart(p: &Proc, rows: &Cursor, at: &str) -> Result<(Proc, Cursor, Cursor)> {
    let cells = p.forward(rows)?.body()?.at(0)?;
    let p = p.cut_loop(&cells, at)?;
    let p = p.fission(p.forward(&cells)?.after()?, 1)?;
    let one = p.forward(&cells)?.parent()?;
    let other = one.next(1)?;
    Ok((p, one, other))
}

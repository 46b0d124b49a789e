//! A triangle of a sum, of which the second factor is in panels, by squares as wide as one of these, or some.

use super::{Triangle, large};
use crate::blas::Uplo;
use crate::gemm::{Kernel, branches, by_threads, call, panel_columns};
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

/// Some rows of a triangle.
struct Rows {
    /// The loop over them.
    rows: Cursor,
    /// How many rows come before them.
    before: String,
    /// Whether they are as many as a square has.
    whole: bool,
    by: By,
}

/// As many rows as a square has.
fn whole_rows(rows: Cursor, before: &str, by: By) -> Rows {
    Rows { rows, before: before.to_owned(), whole: true, by }
}

/// Whether a triangle may be large enough for several threads.
#[derive(Clone, Copy)]
pub(super) enum Threads {
    /// It is not.
    One,
    /// It may be.
    Many,
}

/// Which threads do some rows.
#[derive(Clone, Copy)]
enum By {
    /// One of them.
    One,
    /// All, panel by panel.
    All,
    /// All where there is enough to do.
    AllIfLarge,
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
        threads: Threads,
        [square, panel]: [&Kernel; 2],
    ) -> Result<Kernel> {
        let name = plain.name();
        let plain = plain.rename(&format!("{name}_part"))?;
        let plain = plain.add_assertion(format!("K <= {}", self.g.sizes.depth))?;
        let p = plain.rename(&format!("{name}_by_{side}"))?;
        let p = p.divide_loop("i", side, ["io", "ii"], Tail::Cut)?;
        let strips = p.find_loop("io")?;
        let last = strips.next(1)?;
        let p = p.specialize(&last, &[&format!("M % {side} > 0")])?;
        let (rest, none) = branches(&p, &last, 1)?;
        let p = p.eliminate_dead_code(none)?;
        let (p, mut all) = match threads {
            Threads::Many => self.shared(&p, &strips, side)?,
            Threads::One => (p, vec![whole_rows(strips.body()?.at(0)?, &format!("{side} * io"), By::One)]),
        };
        let by = match threads {
            Threads::Many => By::AllIfLarge,
            Threads::One => By::One,
        };
        let done = format!("{side} * (M / {side})");
        all.extend(rest.into_iter().map(|rows| Rows { rows, before: done.clone(), whole: false, by }));
        let whole = format!("{width} * (M / {width})", width = self.width());
        let (mut p, mut strips) = (p, Vec::new());
        for Rows { rows, before, whole: is_whole, by } in &all {
            let (next, strip) = match self.uplo {
                Uplo::Lower => self.below(&p, rows, before)?,
                Uplo::Upper if *is_whole => self.above(&p, rows, &format!("{before} + {side}"), &whole)?,
                Uplo::Upper => self.corner(&p, rows)?,
            };
            p = next;
            strips.push((strip, *by));
        }
        let p = p.simplify()?;
        let called = |p: Proc, (strip, by): &(Strip, By)| self.called(&p, strip, *by, [square, panel]);
        let fast = strips.iter().try_fold(p, called)?.simplify()?;
        Ok(Kernel { plain, fast })
    }

    /// Strips of rows: where there is enough to do, threads share them, a short one with a long one at a time, so that they
    /// have equal parts. One in the middle may be left.
    fn shared(&self, p: &Proc, strips: &Cursor, side: i64) -> Result<(Proc, Vec<Rows>)> {
        let p = p.specialize(strips, &[&large(&self.g.target, ["M", "K"])])?;
        let around = p.forward(strips)?.parent()?;
        let (many, few) = (around.body()?.at(0)?, around.orelse()?.at(0)?);
        let (number, pairs) = (format!("M / {side}"), format!("M / {side} / 2"));
        let p = p.cut_loop(&many, pairs.as_str())?;
        let others = p.forward(&many)?.next(1)?;
        let p = p.cut_loop(&others, format!("{number} - {pairs}").as_str())?;
        let middle = p.forward(&others)?;
        let last = middle.next(1)?;
        let p = p.reorder_stmts(middle.expand(Some(0), Some(1))?)?;
        let p = p.reverse_loop(p.forward(&last)?)?;
        let p = p.shift_loop(p.forward(&last)?, 0)?.simplify()?;
        let (first, second) = (p.forward(&many)?.body()?.at(0)?, p.forward(&last)?.body()?.at(0)?);
        let p = p.fuse(p.forward(&many)?, p.forward(&last)?)?;
        let p = p.parallelize_loop(p.forward(&many)?)?;
        let strip = format!("{side} * io");
        let reversed = format!("{side} * ({number} - 1 - io)");
        let all = vec![
            whole_rows(first, &strip, By::One),
            whole_rows(second, &reversed, By::One),
            whole_rows(p.forward(&middle)?.body()?.at(0)?, &strip, By::All),
            whole_rows(few.body()?.at(0)?, &strip, By::One),
        ];
        Ok((p, all))
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
    fn above(&self, p: &Proc, rows: &Cursor, after: &str, last: &str) -> Result<(Proc, Strip)> {
        let (p, square, others) = apart(p, rows, after)?;
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
    fn called(&self, p: &Proc, strip: &Strip, by: By, [square, panel]: [&Kernel; 2]) -> Result<Proc> {
        let p = call(p, &p.forward(&strip.square)?, square)?;
        let p = match &strip.panels {
            Some(panels) => {
                let (p, each) = match by {
                    By::One => (p, vec![panels.clone()]),
                    By::All => (p.parallelize_loop(p.forward(panels)?)?, vec![panels.clone()]),
                    By::AllIfLarge => {
                        let (p, both) = by_threads(&p, panels, &large(&self.g.target, ["M", "K"]))?;
                        (p, both.to_vec())
                    }
                };
                let call = |p: Proc, at: &Cursor| call(&p, &p.forward(at)?.body()?.at(0)?, panel);
                each.iter().try_fold(p, call)?
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

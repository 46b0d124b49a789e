//! The cells of an image that a convolution of 3 by 3 uses, zeros where there is no image: by loads of what there is.
//! Spec: [rule: kernels.gemmini-conv].

use crate::definitions::Definitions;
use rewright_primitives::error::Result;
use rewright_primitives::{Cursor, Proc};

/// A row of the image is there, for the row of the weights that the loops are at.
const ROW: &str = "y + r + ky >= 1 and y + r + ky <= height";

/// The loops that fill rows in the scratchpad, the outermost at `rows`: each row is loaded where it is in the image, but
/// for a first or a last cell outside of it, and set to zeros elsewhere.
///
/// ```text
/// for p in seq(0, n):                        if … and x + kx < 1:
///     for ci in seq(0, 16):                      zero(v[0])
///         v[p, ci] = 0.0              ~>         if n > 1: load(v[1:n])
///         if … and x + p + kx >= 1:          else:
///             v[p, ci] = image[…]                …
/// ```
pub(super) fn filled(d: &Definitions, p: &Proc, rows: &Cursor) -> Result<Proc> {
    let all = format!("{ROW} and x + kx >= 1 and x + kx + n <= width + 1");
    let left = format!("{ROW} and x + kx < 1");
    let row = p.forward(rows)?.body()?.at(0)?;
    let p = p.specialize(row, &[&all, &left, ROW])?;
    let all = p.forward(rows)?.body()?.at(0)?;
    let left = all.orelse()?.at(0)?;
    let right = left.orelse()?.at(0)?;
    let [none, right, left, all] =
        [right.orelse()?.at(0)?, right.body()?.at(0)?, left.body()?.at(0)?, all.body()?.at(0)?];
    let p = outside(d, &p, &none)?;
    let p = p.cut_loop(right.clone(), "n - 1")?;
    let last = p.forward(&right)?.next(1)?;
    let p = p.shift_loop(last.clone(), 0)?;
    let p = some(d, &outside(d, &p, &last)?, &right)?;
    let p = p.cut_loop(p.forward(&left)?, 1)?;
    let first = p.forward(&left)?;
    let p = p.shift_loop(first.next(1)?, 0)?;
    let p = some(d, &p, &p.forward(&first)?.next(1)?)?;
    inside(d, &outside(d, &p, &first)?, &all)
}

/// Cells that may be none, in the image.
fn some(d: &Definitions, p: &Proc, cells: &Cursor) -> Result<Proc> {
    let p = p.specialize(p.forward(cells)?, &["n > 1"])?;
    let guard = p.forward(cells)?;
    let guard = if guard.is_if() { guard } else { guard.parent()? };
    let (those, none) = (guard.body()?.at(0)?, guard.orelse()?.at(0)?);
    inside(d, &p.eliminate_dead_code(none)?, &those)
}

/// Cells in the image are loaded.
fn inside(d: &Definitions, p: &Proc, cells: &Cursor) -> Result<Proc> {
    let (p, zero) = decided(p, cells)?;
    let p = p.merge_writes(zero.expand(Some(0), Some(1))?)?;
    p.replace(p.forward(cells)?, &d.instruction("gemmini_mvin"))
}

/// Cells outside the image are zeros.
fn outside(d: &Definitions, p: &Proc, cells: &Cursor) -> Result<Proc> {
    let (p, _) = decided(p, cells)?;
    let p = p.delete_pass()?;
    p.replace(p.forward(cells)?, &d.instruction("gemmini_zero"))
}

/// Whether cells are in the image is the same for all of them. The statement that sets one to zero.
fn decided(p: &Proc, cells: &Cursor) -> Result<(Proc, Cursor)> {
    let zero = p.forward(cells)?.body()?.at(0)?.body()?.at(0)?;
    let p = p.eliminate_dead_code(zero.next(1)?)?;
    let zero = p.forward(&zero)?;
    Ok((p, zero))
}

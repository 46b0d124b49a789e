//! How a window argument lies within a larger buffer.

use super::Layout;
use super::rng::Rng;
use crate::store::{Dim, Loc, Window};

/// A layout of a window of this shape, with the given strides where there are any: `None` inside for a
/// dense one from the start, `None` outside when no two cells could stay apart.
///
/// Strides grow outwards, as those of a part of a row-major buffer do. Where some are given, the others
/// are as small as can be.
pub(super) fn random(
    shape: &[i64],
    given: &dyn Fn(usize) -> Option<i64>,
    rng: &mut Rng,
) -> Option<Option<Layout>> {
    let constrained = (0..shape.len()).any(|d| given(d).is_some());
    let plain = rng.one_in(3);
    let room = |rng: &mut Rng| if constrained || plain { 0 } else { rng.between(0, 3) };
    let mut strides = vec![0; shape.len()];
    let mut next = 1i64;
    for d in (0..shape.len()).rev() {
        // The innermost dimension is mostly contiguous: that is what most code assumes or asserts.
        let slack = if d + 1 == shape.len() && !rng.one_in(4) { 0 } else { room(rng) };
        strides[d] = given(d).or_else(|| next.checked_add(slack))?;
        next = strides[d].checked_mul(shape[d].max(1))?.max(1);
    }
    let offset = if plain { 0 } else { rng.between(0, 7) };
    checked(shape, offset, strides)
}

/// The layout of a window of this shape that takes the least room.
pub(super) fn tight(shape: &[i64], given: &dyn Fn(usize) -> Option<i64>) -> Option<Option<Layout>> {
    let mut strides = vec![0; shape.len()];
    let mut next = 1i64;
    for d in (0..shape.len()).rev() {
        strides[d] = given(d).unwrap_or(next);
        next = strides[d].checked_mul(shape[d].max(1))?.max(1);
    }
    checked(shape, 0, strides)
}

fn checked(shape: &[i64], offset: i64, strides: Vec<i64>) -> Option<Option<Layout>> {
    let dims = shape.iter().zip(&strides).map(|(extent, stride)| Dim { extent: *extent, stride: *stride });
    let window = Window { loc: Loc(0), offset, dims: dims.collect() };
    let length = usize::try_from(length(&window)).ok().filter(|n| *n <= 1 << 24)?;
    if !window.fits(length) {
        return None;
    }
    let dense = offset == 0 && window.dims == crate::store::dense(shape);
    Some(if dense { None } else { Some(Layout { offset, strides }) })
}

/// How many cells the buffer has that a window shows a part of: some more than the window needs, so that
/// what lies behind it can be watched.
pub(super) fn length(window: &Window) -> i64 {
    let reach = window.dims.iter().try_fold(0i64, |sum, dim| {
        sum.checked_add(dim.stride.checked_mul(dim.extent.saturating_sub(1).max(0))?)
    });
    reach
        .and_then(|n| n.checked_add(window.offset))
        .and_then(|n| n.checked_add(1 + window.offset.clamp(0, 8)))
        .unwrap_or(i64::MAX)
}

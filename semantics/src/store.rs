//! Stores: buffers, windows, and the three parts of a state. PLDI'22 Def. A.3, A.4, A.7 and A.8;
//! spec: [rule: stores].
//!
//! A store is persistent: cloning is O(1), and clones do not see each other's writes. The cells of a
//! buffer are one dense vector, copied on the first write after a clone. A tree of cells would copy less
//! and make every access slower; programs write most of the cells they own, so the copy is soon paid back.

use crate::data::Datum;
use crate::sym::{Name, Sym};
use crate::types::DataType;
use crate::value::Val;
use std::fmt;
use std::sync::Arc;

/// The name of a buffer in the heap: `Name_data` of PLDI'22 Def. A.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loc(pub(crate) usize);

/// A buffer: cells over the box `0 ≤ u_i < shape_i`, row-major. PLDI'22 Def. A.3.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer<V> {
    /// What it is called in explanations.
    pub name: Name,
    /// The type of a cell.
    pub elem: DataType,
    /// Extent of each dimension, none negative.
    pub shape: Arc<[i64]>,
    cells: Arc<Vec<Datum<V>>>,
}

impl<V: Clone> Buffer<V> {
    /// A buffer whose cells are all ⊥; `None` when the extents are negative or there are more than
    /// `limit` cells.
    pub fn unknown(name: Name, elem: DataType, shape: &[i64], limit: u64) -> Option<Buffer<V>> {
        let count = cell_count(shape).filter(|n| *n <= limit)?;
        let cells = vec![Datum::Unknown; usize::try_from(count).ok()?];
        Some(Buffer { name, elem, shape: shape.into(), cells: Arc::new(cells) })
    }

    /// A buffer with these cells; `None` unless there are as many as the shape has.
    pub fn new(name: Name, elem: DataType, shape: &[i64], cells: Vec<Datum<V>>) -> Option<Buffer<V>> {
        let count = usize::try_from(cell_count(shape)?).ok()?;
        (count == cells.len()).then(|| Buffer { name, elem, shape: shape.into(), cells: Arc::new(cells) })
    }

    /// All cells, row-major.
    pub fn cells(&self) -> &[Datum<V>] {
        &self.cells
    }

    pub(crate) fn cells_mut(&mut self) -> &mut Vec<Datum<V>> {
        Arc::make_mut(&mut self.cells)
    }

    /// The indices of the cell at this place of [`Buffer::cells`].
    pub fn indices_of(&self, place: usize) -> Vec<i64> {
        let mut rest = i64::try_from(place).unwrap_or(i64::MAX);
        let mut indices = vec![0; self.shape.len()];
        for (index, extent) in indices.iter_mut().zip(self.shape.iter()).rev() {
            *index = rest % extent.max(&1);
            rest /= extent.max(&1);
        }
        indices
    }
}

/// The number of cells, or `None` when an extent is negative or the number too large.
pub fn cell_count(shape: &[i64]) -> Option<u64> {
    let extents: Option<Vec<u64>> = shape.iter().map(|e| u64::try_from(*e).ok()).collect();
    let extents = extents?;
    if extents.contains(&0) {
        return Some(0);
    }
    extents.into_iter().try_fold(1u64, u64::checked_mul).filter(|n| i64::try_from(*n).is_ok())
}

/// One dimension of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim {
    /// How many indices it has.
    pub extent: i64,
    /// How far apart, in cells of the buffer, neighbours are.
    pub stride: i64,
}

/// A window: a buffer and the map from its own indices to the buffer's cells, `(ℓ, φ)` of PLDI'22
/// Def. A.4. Spec: [rule: stores.windows].
///
/// φ is kept composed with the buffer's row-major layout: index `i` shows the cell
/// `offset + Σ i_d * stride_d`. Windows made by the language are injective translations in the paper's
/// sense; windows given as arguments may have any strides that keep φ injective.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// Which buffer.
    pub loc: Loc,
    /// The cell shown at index 0.
    pub offset: i64,
    /// The dimensions, outermost first.
    pub dims: Vec<Dim>,
}

impl Window {
    /// The window `(ℓ, id)` that shows all of a buffer.
    pub fn whole(loc: Loc, shape: &[i64]) -> Window {
        Window { loc, offset: 0, dims: dense(shape) }
    }

    /// The extents.
    pub fn shape(&self) -> Vec<i64> {
        self.dims.iter().map(|d| d.extent).collect()
    }

    /// Whether cells lie densely in row-major order, as a tensor's do.
    pub fn is_dense(&self) -> bool {
        let shape = self.shape();
        let dense = dense(&shape);
        shape.contains(&0) || self.dims.iter().zip(&dense).all(|(d, e)| d.extent <= 1 || d.stride == e.stride)
    }

    /// The cell at these indices, or `None` when they are outside.
    pub fn cell(&self, index: &[i64]) -> Option<usize> {
        if index.len() != self.dims.len() {
            return None;
        }
        let mut cell = self.offset;
        for (i, dim) in index.iter().zip(&self.dims) {
            if *i < 0 || *i >= dim.extent {
                return None;
            }
            cell = cell.checked_add(i.checked_mul(dim.stride)?)?;
        }
        usize::try_from(cell).ok()
    }

    /// The indices that show a cell, in a window that fits its buffer; `None` where none do.
    pub fn indices_of(&self, cell: usize) -> Option<Vec<i64>> {
        // A stride is larger than all that the smaller ones reach together.
        let mut order: Vec<usize> = (0..self.dims.len()).filter(|d| self.dims[*d].extent > 1).collect();
        order.sort_by_key(|d| std::cmp::Reverse(self.dims[*d].stride));
        let mut rest = i64::try_from(cell).ok()?.checked_sub(self.offset)?;
        let mut index = vec![0; self.dims.len()];
        for d in order {
            index[d] = rest.checked_div(self.dims[d].stride)?;
            rest -= index[d] * self.dims[d].stride;
        }
        (self.cell(&index) == Some(cell)).then_some(index)
    }

    /// All indices, in row-major order.
    pub fn indices(&self) -> impl Iterator<Item = Vec<i64>> + use<> {
        all_indices(&self.shape())
    }

    /// Whether every index shows a cell of a buffer of this many cells, and no two the same cell.
    pub fn fits(&self, cells: usize) -> bool {
        if self.dims.iter().any(|d| d.extent < 0) {
            return false;
        }
        if self.dims.iter().any(|d| d.extent == 0) {
            return true;
        }
        let mut dims: Vec<Dim> = self.dims.iter().copied().filter(|d| d.extent > 1).collect();
        dims.sort_by_key(|d| d.stride);
        let mut reach: i64 = 0;
        for dim in dims {
            let Some(step) = dim.stride.checked_mul(dim.extent - 1) else { return false };
            if dim.stride <= reach {
                return false;
            }
            let Some(sum) = reach.checked_add(step) else { return false };
            reach = sum;
        }
        let last = self.offset.checked_add(reach).and_then(|n| usize::try_from(n).ok());
        self.offset >= 0 && last.is_some_and(|n| n < cells)
    }
}

/// All index tuples of a box, in row-major order.
pub fn all_indices(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let shape: Vec<i64> = shape.to_vec();
    let mut next = shape.iter().all(|e| *e > 0).then(|| vec![0; shape.len()]);
    std::iter::from_fn(move || {
        let current = next.take()?;
        let mut following = current.clone();
        for d in (0..shape.len()).rev() {
            following[d] += 1;
            if following[d] < shape[d] {
                next = Some(following);
                break;
            }
            following[d] = 0;
        }
        Some(current)
    })
}

/// The dimensions of a dense row-major array.
pub(crate) fn dense(shape: &[i64]) -> Vec<Dim> {
    let mut stride = 1i64;
    let mut dims: Vec<Dim> = Vec::with_capacity(shape.len());
    for extent in shape.iter().rev() {
        dims.push(Dim { extent: *extent, stride });
        stride = stride.saturating_mul(*extent);
    }
    dims.reverse();
    dims
}

/// `buffer 2, from cell 5: [4 by 8, 3 by 1]`: extents by strides.
impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<String> = self.dims.iter().map(|d| format!("{} by {}", d.extent, d.stride)).collect();
        write!(f, "buffer {}, from cell {}: [{}]", self.loc.0, self.offset, dims.join(", "))
    }
}

/// A configuration field: `Name_global` of PLDI'22 Def. A.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigKey {
    /// The class.
    pub config: Name,
    /// The field.
    pub field: Name,
}

impl fmt::Display for ConfigKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.config, self.field)
    }
}

/// A store that is not an error: `Σ_data × Σ_local × Σ_global` of PLDI'22 Def. A.7. Error stores are
/// [`crate::denote::Fault`]s.
#[derive(Clone, Debug, PartialEq)]
pub struct Store<V: Clone> {
    data: im::Vector<Buffer<V>>,
    local: im::OrdMap<Sym, Val<V>>,
    global: im::OrdMap<ConfigKey, Val<V>>,
}

impl<V: Clone> Default for Store<V> {
    fn default() -> Store<V> {
        Store::new()
    }
}

impl<V: Clone> Store<V> {
    /// The store with no buffer, no local and no global.
    pub fn new() -> Store<V> {
        Store { data: im::Vector::new(), local: im::OrdMap::new(), global: im::OrdMap::new() }
    }

    /// Adds a buffer at a fresh name.
    pub fn allocate(&mut self, buffer: Buffer<V>) -> Loc {
        self.data.push_back(buffer);
        Loc(self.data.len() - 1)
    }

    /// The buffer of this name.
    pub fn buffer(&self, loc: Loc) -> Option<&Buffer<V>> {
        self.data.get(loc.0)
    }

    /// The buffers, in order of allocation.
    pub fn buffers(&self) -> impl Iterator<Item = (Loc, &Buffer<V>)> {
        self.data.iter().enumerate().map(|(n, b)| (Loc(n), b))
    }

    /// The cell a window shows at these indices; `None` outside.
    pub fn read(&self, window: &Window, index: &[i64]) -> Option<&Datum<V>> {
        self.buffer(window.loc)?.cells.get(window.cell(index)?)
    }

    /// Writes a cell; `false` when the indices are outside.
    pub fn write(&mut self, window: &Window, index: &[i64], value: Datum<V>) -> bool {
        let Some(place) = window.cell(index) else { return false };
        let Some(buffer) = self.data.get_mut(window.loc.0) else { return false };
        let Some(cell) = buffer.cells_mut().get_mut(place) else { return false };
        *cell = value;
        true
    }

    /// The value of a local name.
    pub fn local(&self, x: Sym) -> Option<&Val<V>> {
        self.local.get(&x)
    }

    /// The local names and their values, in order.
    pub fn locals(&self) -> impl Iterator<Item = (Sym, &Val<V>)> {
        self.local.iter().map(|(x, v)| (*x, v))
    }

    /// Binds a local name.
    pub fn bind(&mut self, x: Sym, value: Val<V>) {
        self.local.insert(x, value);
    }

    /// The value of a field; `None` when it was never set, which counts as ⊥.
    pub fn global(&self, key: ConfigKey) -> Option<&Val<V>> {
        self.global.get(&key)
    }

    /// The fields and their values, in order.
    pub fn globals(&self) -> impl Iterator<Item = (ConfigKey, &Val<V>)> {
        self.global.iter().map(|(k, v)| (*k, v))
    }

    /// Sets a field.
    pub fn set_global(&mut self, key: ConfigKey, value: Val<V>) {
        self.global.insert(key, value);
    }

    /// `heap(σ)`: the store without its locals. PLDI'22 Def. A.8.
    #[must_use]
    pub fn heap(&self) -> Store<V> {
        Store { local: im::OrdMap::new(), ..self.clone() }
    }

    pub(crate) fn take_data(&mut self) -> im::Vector<Buffer<V>> {
        std::mem::take(&mut self.data)
    }

    pub(crate) fn set_data(&mut self, data: im::Vector<Buffer<V>>) {
        self.data = data;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(shape: &[i64]) -> Buffer<i64> {
        let count = i64::try_from(cell_count(shape).unwrap()).unwrap();
        Buffer::new("x".into(), DataType::R, shape, (0..count).map(Datum::Known).collect()).unwrap()
    }

    #[test]
    fn clones_do_not_see_each_other() {
        let mut st = Store::new();
        let loc = st.allocate(buffer(&[2, 3]));
        let w = Window::whole(loc, &[2, 3]);
        let before = st.clone();
        assert!(st.write(&w, &[1, 2], Datum::Known(50)));
        assert_eq!(before.read(&w, &[1, 2]), Some(&Datum::Known(5)));
        assert_eq!(st.read(&w, &[1, 2]), Some(&Datum::Known(50)));
        assert_eq!(st.read(&w, &[2, 0]), None);
        assert!(!st.write(&w, &[0, 3], Datum::Unknown));
    }

    #[test]
    fn places_and_indices_are_inverse() {
        let b = buffer(&[2, 3, 4]);
        let w = Window::whole(Loc(0), &b.shape);
        for (place, index) in w.indices().enumerate() {
            assert_eq!(w.cell(&index), Some(place));
            assert_eq!(b.indices_of(place), index);
        }
        assert_eq!(w.indices().count(), 24);
        assert_eq!(Window::whole(Loc(0), &[]).indices().count(), 1);
        assert_eq!(Window::whole(Loc(0), &[3, 0]).indices().count(), 0);
    }

    #[test]
    fn a_cell_has_the_indices_that_show_it() {
        let dim = |(extent, stride): (i64, i64)| Dim { extent, stride };
        for dims in [vec![(2, 1), (3, 4), (1, 0)], vec![(3, 7), (2, 3)], vec![(4, 1)], vec![]] {
            let w = Window { loc: Loc(0), offset: 5, dims: dims.into_iter().map(dim).collect() };
            assert!(w.fits(40));
            for cell in 0..40 {
                assert_eq!(w.indices_of(cell), w.indices().find(|i| w.cell(i) == Some(cell)));
            }
        }
    }

    #[test]
    fn a_window_fits_when_inside_and_injective() {
        let w = |offset, dims: &[(i64, i64)]| Window {
            loc: Loc(0),
            offset,
            dims: dims.iter().map(|(extent, stride)| Dim { extent: *extent, stride: *stride }).collect(),
        };
        assert!(w(3, &[(2, 8), (3, 1)]).fits(14));
        assert!(!w(3, &[(2, 8), (3, 1)]).fits(13));
        assert!(!w(0, &[(2, 2), (3, 1)]).fits(100));
        assert!(w(0, &[(3, 1), (2, 3)]).fits(6));
        assert!(!w(-1, &[(2, 1)]).fits(6));
        assert!(w(0, &[(1, -7), (2, 1)]).fits(2));
        assert!(!w(0, &[(2, i64::MAX), (3, i64::MAX)]).fits(2));
    }

    #[test]
    fn counting_cells_does_not_overflow() {
        assert_eq!(cell_count(&[i64::MAX, 2]), None);
        assert_eq!(cell_count(&[i64::MAX, i64::MAX, 0]), Some(0));
        assert_eq!(cell_count(&[-1]), None);
        assert_eq!(cell_count(&[]), Some(1));
    }
}

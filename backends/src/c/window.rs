//! Buffers in C: where a cell is, what a window is, and how both are passed on.
//! Spec: [rule: c.buffers], [rule: c.windows], [rule: c.indices].

use crate::c::affine::{Affine, NotAffine};
use crate::c::control::{Product, sum};
use crate::c::lower::Lower;
use crate::c::part::{PartExpr, part_of};
use crate::c::style::Style;
use crate::c::tree::{CExpr, CStmt, CType};
use crate::c::unit::WindowType;
use crate::memory::{Cell, Refusal, Source};
use rewright_semantics::ast::{Expr, WinCoord, WindowExpr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArrayKind, BufferType, DataType, MemName};

/// A buffer variable in C.
#[derive(Clone, Debug)]
pub(crate) struct BufferRef {
    /// The variable.
    pub(crate) name: Sym,
    /// What cells are found from: a pointer or an array; for a scalar, the cell itself.
    pub(crate) base: CExpr,
    /// The type of a cell.
    pub(crate) elem: DataType,
    /// Where it lives.
    pub(crate) mem: MemName,
    /// The distance between neighbours, per dimension of what `base` points to.
    pub(crate) strides: Vec<Product>,
    /// The extents of what `base` points to, one per dimension; none where they are not known.
    pub(crate) extents: Vec<Affine>,
    /// The struct variable, for windows that have one, and whether its cells are const.
    pub(crate) window: Option<(String, bool)>,
    /// For a window of a buffer without addresses: how its coordinates become the buffer's.
    pub(crate) view: Option<Vec<Coord>>,
}

impl BufferRef {
    /// A scalar; or a dense buffer whose shape is yet to be said.
    pub(crate) fn dense(name: Sym, base: CExpr, elem: DataType, mem: MemName) -> BufferRef {
        BufferRef {
            name,
            base,
            elem,
            mem,
            strides: Vec::new(),
            extents: Vec::new(),
            window: None,
            view: None,
        }
    }
}

/// Whether a parameter of this type is a struct with a pointer and strides.
pub(crate) fn is_struct(typ: &BufferType) -> bool {
    typ.kind == ArrayKind::Window && typ.rank() > 0
}

/// One coordinate of a buffer, seen through a window.
#[derive(Clone, Debug)]
pub(crate) enum Coord {
    /// Fixed.
    Point(Affine),
    /// The window's next coordinate, shifted; and how many there are.
    Shifted(Affine, Option<Affine>),
}

/// A part of a buffer, all of it included.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) place: BufferRef,
    /// Its first cell.
    pub(crate) first: Vec<Affine>,
    /// Which dimensions of the buffer it keeps.
    pub(crate) kept: Vec<usize>,
    /// The extents of those, where they are known.
    pub(crate) extents: Vec<Option<Affine>>,
    /// Where the program speaks of it.
    pub(crate) span: Span,
}

impl Part {
    /// Whether it is all of a buffer that is no window.
    fn is_named(&self) -> bool {
        let place = &self.place;
        let is_all =
            self.kept.len() == place.strides.len() && self.first.iter().all(|a| *a == Affine::default());
        place.window.is_none() && place.view.is_none() && is_all
    }

    /// Per dimension of the buffer, whether all of it is kept.
    fn whole(&self) -> Vec<bool> {
        let is_whole = |d: usize| {
            let k = self.kept.iter().position(|kept| *kept == d)?;
            let (extent, all) = (self.extents.get(k)?.as_ref()?, self.place.extents.get(d)?);
            let difference = all.plus_scaled(-1, extent).ok()?.without_remainders().ok()?;
            let is_equal = difference.as_constant() == Some(0);
            Some(is_equal && !all.reads_config() && *self.first.get(d)? == Affine::default())
        };
        (0..self.first.len()).map(|d| is_whole(d).unwrap_or(false)).collect()
    }
}

impl Lower<'_> {
    /// `stride(x, dim)`
    pub(crate) fn stride(&mut self, x: Sym, dim: usize) -> CExpr {
        let stride = self.place(x).and_then(|p| p.strides.get(*shown_dims(&p).get(dim)?).cloned());
        stride.map_or(CExpr::Int(1), stride_expr)
    }

    /// The part of a buffer that an expression names: a cell, a window, the whole.
    pub(crate) fn part(&mut self, e: &Expr) -> Option<Part> {
        match part_of(e)? {
            PartExpr::Read(name, []) => self.whole(name, e.span),
            PartExpr::Read(name, idx) => {
                let idx = idx.iter().map(|e| self.affine(e)).collect();
                let place = self.place(name)?;
                let first = self.through(&place, idx, e.span)?;
                Some(Part { first, place, kept: Vec::new(), extents: Vec::new(), span: e.span })
            }
            PartExpr::Window(w) => self.window_part(w, e.span),
        }
    }

    fn whole(&mut self, x: Sym, span: Span) -> Option<Part> {
        let place = self.place(x)?;
        let (kept, extents) = (shown_dims(&place), shown_extents(&place));
        let first = self.through(&place, vec![Affine::default(); kept.len()], span)?;
        Some(Part { place, first, kept, extents, span })
    }

    /// The part that a window shows.
    pub(crate) fn window_part(&mut self, w: &WindowExpr, span: Span) -> Option<Part> {
        let place = self.place(w.name)?;
        let outer = shown_dims(&place);
        let (mut first, mut kept, mut extents) = (Vec::new(), Vec::new(), Vec::new());
        for (k, coord) in w.idx.iter().enumerate() {
            match coord {
                WinCoord::Point(e) => first.push(self.affine(e)),
                WinCoord::Interval(lo, hi) => {
                    let (lo, hi) = (self.affine(lo), self.affine(hi));
                    extents.push(hi.plus_scaled(-1, &lo).ok());
                    first.push(lo);
                    kept.extend(outer.get(k).copied());
                }
            }
        }
        let first = self.through(&place, first, span)?;
        Some(Part { first, place, kept, extents, span })
    }

    /// Coordinates of a window as coordinates of its buffer; what does not fit is reported.
    fn through(&mut self, place: &BufferRef, idx: Vec<Affine>, span: Span) -> Option<Vec<Affine>> {
        match through_view(place, idx) {
            Ok(first) => Some(first),
            Err(why) => {
                self.not_affine(span, why);
                None
            }
        }
    }

    /// Finds the first cell of a part and asks its memory to do something with it.
    pub(crate) fn with_cell<T>(
        &mut self,
        part: &Part,
        f: impl FnOnce(&dyn crate::memory::Memory, &Cell<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let place = &part.place;
        let Some(memory) = self.unit.memories.get(place.mem).cloned() else {
            return Err(Refusal::new(format!("the back end has no memory called {}", place.mem)));
        };
        self.unit.used_memories.insert(place.mem);
        let offset = self.linear(&part.first, &place.strides);
        let indices: Vec<CExpr> = part.first.iter().map(|a| self.affine_expr(a)).collect();
        let strides: Vec<CExpr> = place.strides.iter().cloned().map(stride_expr).collect();
        if memory.is_text() {
            self.ranges.fill(&place.base.clone().index(offset.clone()));
            indices.iter().chain(&strides).for_each(|e| self.ranges.fill(e));
        }
        let shape = self.bindings().buffer(place.name).map(|b| b.shape.clone()).unwrap_or_default();
        let source = Source { buffer: place.name, shape: &shape, span: part.span, stored: None };
        let cell = Cell {
            base: &place.base,
            elem: place.elem,
            indices: &indices,
            strides: &strides,
            offset: &offset,
            kept: &part.kept,
            whole: &part.whole(),
            source,
        };
        f(&*memory, &cell)
    }

    /// `Σ index * stride`: dimensions with symbolic strides first, outermost first; the others, whose
    /// strides are constants, together as one normal form.
    fn linear(&mut self, idx: &[Affine], strides: &[Product]) -> CExpr {
        let mut flat = Affine::default();
        let mut products = Vec::new();
        for (index, stride) in idx.iter().zip(strides) {
            let together =
                if stride.factors.is_empty() { flat.plus_scaled(stride.constant, index).ok() } else { None };
            match together {
                Some(sum) => flat = sum,
                None => products.extend(self.index_times_stride(index, stride)),
            }
        }
        products.extend(self.products(&flat));
        sum(products, flat.constant)
    }

    fn index_times_stride(&mut self, index: &Affine, stride: &Product) -> Option<Product> {
        let single = match (index.terms.as_slice(), index.constant) {
            ([], 0) => return None,
            ([], k) => Some((k, Vec::new())),
            ([(k, _)], 0) => Some((*k, self.products(index).into_iter().flat_map(|p| p.factors).collect())),
            _ => None,
        };
        let (k, inner) = match single {
            Some((k, inner)) if inner.is_empty() || leaves_room(k, &stride.factors) => (k, inner),
            Some(_) | None => (1, vec![self.affine_expr(index)]),
        };
        let mut factors = stride.factors.clone();
        let constant = match stride.constant.checked_mul(k) {
            Some(c) => c,
            None => {
                factors.push(CExpr::Int(k));
                stride.constant
            }
        };
        factors.extend(inner);
        Some(Product { constant, factors })
    }

    /// A pointer to the first cell of a part.
    pub(crate) fn pointer(&mut self, part: &Part) -> Result<CExpr, Refusal> {
        if !self.unit.memories.is_addressable(part.place.mem, part.place.strides.len()) {
            return Err(Refusal::new(format!("buffers in {} have no address", part.place.mem)));
        }
        if self.unit.memories.get(part.place.mem).is_none()
            && part.first.iter().all(|a| *a == Affine::default())
        {
            return Ok(part.place.base.clone());
        }
        self.with_cell(part, |memory, cell| memory.window(cell)).map(CExpr::address)
    }

    /// What is passed for a dense buffer: a pointer to its first cell. In Exo that is the buffer as it is named, whatever a pointer to
    /// a cell is in its memory.
    pub(crate) fn dense_value(&mut self, part: &Part) -> Result<CExpr, Refusal> {
        match self.unit.style {
            Style::Exo if part.is_named() => {
                let base = part.place.base.clone();
                Ok(if part.place.strides.is_empty() { base.address() } else { base })
            }
            Style::Exo | Style::Rewright => self.pointer(part),
        }
    }

    /// A window as a struct; a variable where one has the very type.
    pub(crate) fn window_value(&mut self, part: &Part, is_const: bool) -> Result<CExpr, Refusal> {
        if let Some((name, constness)) = &part.place.window
            && *constness == is_const
            && part.kept.len() == part.place.strides.len()
            && part.first.iter().all(|a| *a == Affine::default())
        {
            return Ok(CExpr::var(name));
        }
        let data = self.pointer(part)?;
        if part.kept.is_empty() {
            return Ok(data);
        }
        let typ = WindowType { rank: part.kept.len(), elem: part.place.elem, is_const };
        let tag = self.unit.window_tag(typ);
        Ok(CExpr::Window { tag, data: Box::new(data), strides: part_strides(part) })
    }

    /// `y = x[…]`: a struct, or, where there are no addresses, only a way to see `x`.
    pub(crate) fn window_stmt(&mut self, y: Sym, w: &WindowExpr, span: Span) -> Vec<CStmt> {
        let Some(part) = self.window_part(w, span) else { return Vec::new() };
        if !self.unit.memories.is_addressable(part.place.mem, part.place.strides.len()) {
            self.view(y, part, span);
            return Vec::new();
        }
        let is_const = !self.usage.written.contains(&y);
        let init = match self.pointer(&part) {
            Ok(data) => data,
            Err(why) => {
                self.refuse("backend.memory-window", span, &why);
                return Vec::new();
            }
        };
        let elem = part.place.elem;
        let name = self.declare(y);
        let strides = part.kept.iter().filter_map(|&d| part.place.strides.get(d).cloned());
        let (typ, init, place) = if part.kept.is_empty() {
            let place = BufferRef::dense(y, CExpr::var(&name).deref(), elem, part.place.mem);
            (CType::pointer(CType::Data(elem), is_const), init, place)
        } else {
            let typ = WindowType { rank: part.kept.len(), elem, is_const };
            let tag = self.unit.window_tag(typ);
            let known = strides.enumerate().map(|(k, s)| member_stride(&name, k, s)).collect();
            let values = part_strides(&part);
            // A memory that looks at extents has no structs.
            let place = self.struct_window(y, &name, elem, part.place.mem, known, is_const);
            let init = CExpr::Window { tag: tag.clone(), data: Box::new(init), strides: values };
            (CType::Named(format!("struct {tag}")), init, place)
        };
        self.bind_buffer(y, place);
        vec![CStmt::Decl { is_const: false, typ, name, init: Some(init) }]
    }

    /// The place of a window in a struct variable.
    pub(crate) fn struct_window(
        &mut self,
        x: Sym,
        name: &str,
        elem: DataType,
        mem: MemName,
        strides: Vec<Product>,
        is_const: bool,
    ) -> BufferRef {
        let base = CExpr::var(name).member("data");
        let window = Some((name.to_owned(), is_const));
        BufferRef { name: x, base, elem, mem, strides, extents: Vec::new(), window, view: None }
    }

    fn view(&mut self, y: Sym, part: Part, span: Span) {
        if part.first.iter().any(Affine::reads_config) {
            let why = Refusal::new(format!(
                "a window of a buffer in {} cannot begin at a place that a configuration field says",
                part.place.mem
            ));
            self.refuse("backend.memory-window", span, &why);
        }
        let coords = part.first.iter().enumerate().map(|(d, first)| {
            match part.kept.iter().position(|kept| *kept == d) {
                Some(k) => Coord::Shifted(first.clone(), part.extents.get(k).cloned().flatten()),
                None => Coord::Point(first.clone()),
            }
        });
        let view = Some(coords.collect());
        self.bind_buffer(y, BufferRef { view, ..part.place });
    }
}

/// Whether `k * stride`, which comes before the index it is multiplied with, leaves room where the index is
/// small: strides come to a sixteenth of the range, but one that is an extent is seldom large.
fn leaves_room(k: i64, stride: &[CExpr]) -> bool {
    let most = if matches!(stride, [] | [CExpr::Var(_)]) { 64 } else { 8 };
    k.unsigned_abs() <= most
}

/// The strides of a dense buffer: products of the inner extents.
pub(crate) fn dense_strides(shape: &[CExpr]) -> Vec<Product> {
    let mut stride = Product { constant: 1, factors: Vec::new() };
    let mut strides = Vec::new();
    for extent in shape.iter().rev() {
        strides.push(stride.clone());
        let folded = if let CExpr::Int(k) = extent { stride.constant.checked_mul(*k) } else { None };
        match folded {
            Some(product) => stride.constant = product,
            None => stride.factors.insert(0, extent.clone()),
        }
    }
    strides.reverse();
    strides
}

/// The stride of dimension `k` of a window variable: the constant, where it is one.
pub(crate) fn member_stride(name: &str, k: usize, known: Product) -> Product {
    if known.factors.is_empty() {
        return known;
    }
    let index = CExpr::Int(i64::try_from(k).unwrap_or(i64::MAX));
    Product { constant: 1, factors: vec![CExpr::var(name).member("strides").index(index)] }
}

/// A stride as an expression.
pub(crate) fn stride_expr(p: Product) -> CExpr {
    if p.factors.is_empty() { CExpr::Int(p.constant) } else { sum(vec![p], 0) }
}

/// The strides of the dimensions that a part keeps.
pub(crate) fn part_strides(part: &Part) -> Vec<CExpr> {
    part.kept.iter().filter_map(|&d| part.place.strides.get(d).cloned()).map(stride_expr).collect()
}

/// The dimensions of what `base` points to that the variable shows.
fn shown_dims(p: &BufferRef) -> Vec<usize> {
    let is_shown =
        |d: &usize| p.view.as_ref().is_none_or(|view| matches!(view.get(*d), Some(Coord::Shifted(..))));
    (0..p.strides.len()).filter(is_shown).collect()
}

/// The extents of the dimensions that the variable shows.
fn shown_extents(p: &BufferRef) -> Vec<Option<Affine>> {
    match &p.view {
        None => (0..p.strides.len()).map(|d| p.extents.get(d).cloned()).collect(),
        Some(view) => view
            .iter()
            .filter_map(|c| match c {
                Coord::Shifted(_, extent) => Some(extent.clone()),
                Coord::Point(_) => None,
            })
            .collect(),
    }
}

/// Coordinates of a window as coordinates of its buffer.
fn through_view(place: &BufferRef, idx: Vec<Affine>) -> Result<Vec<Affine>, NotAffine> {
    let Some(view) = &place.view else { return Ok(idx) };
    let mut idx = idx.into_iter();
    view.iter()
        .map(|c| match c {
            Coord::Point(e) => Ok(e.clone()),
            Coord::Shifted(lo, _) => lo.plus_scaled(1, &idx.next().unwrap_or_default()),
        })
        .collect()
}

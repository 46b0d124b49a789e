//! Parts of buffers, cell by cell: which cells an access may touch, through windows too.

use crate::c::range::Interval;
use fixedbitset::FixedBitSet;
use rewright_semantics::ast::{Expr, ExprKind, Literal};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::BufferType;

/// A buffer has its cells told apart if there are at most this many, and their number is a constant.
const MOST: usize = 4096;

/// The extents of a buffer whose cells are told apart. A scalar, and a buffer whose cells are not, has no dimension
/// and one cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape(Vec<usize>);

impl Shape {
    pub(super) fn of(typ: &BufferType) -> Shape {
        let extents: Option<Vec<usize>> = typ.shape.iter().map(constant).collect();
        let told_apart = |all: &Vec<usize>| {
            let cells = all.iter().try_fold(1usize, |n, e| n.checked_mul(*e));
            cells.is_some_and(|n| (1..=MOST).contains(&n))
        };
        Shape(extents.filter(told_apart).unwrap_or_default())
    }

    /// How many cells there are.
    pub(super) fn count(&self) -> usize {
        self.0.iter().product()
    }

    pub(super) fn all(&self) -> FixedBitSet {
        let mut cells = FixedBitSet::with_capacity(self.count());
        cells.insert_range(..);
        cells
    }
}

fn constant(e: &Expr) -> Option<usize> {
    match e.kind {
        ExprKind::Lit(Literal::Int(n)) => usize::try_from(n).ok(),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

/// One coordinate of an access, or of a view of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Coord {
    /// An index, which may come to each of these.
    At(Interval),
    /// A dimension that is kept: its indices from here to there, exclusive; what both may come to.
    From(Interval, Interval),
}

impl Coord {
    /// All indices that it may mean.
    fn hull(self) -> Interval {
        match self {
            Coord::At(i) => i,
            Coord::From(lo, hi) => Interval::new(lo.lo, hi.hi.saturating_sub(1)),
        }
    }

    /// The same in a dimension that begins at `lo`, all of it within `hull`.
    fn shifted(self, lo: Interval, hull: Interval) -> Coord {
        match self {
            Coord::At(i) => Coord::At(i.plus(lo).meet(hull)),
            Coord::From(a, b) => {
                let end = Interval::point(hull.hi.saturating_add(1));
                Coord::From(a.plus(lo).meet(hull), b.plus(lo).meet(Interval::new(hull.lo, end.hi)))
            }
        }
    }
}

/// A part of a buffer: a coordinate per dimension of its shape.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) root: Sym,
    coords: Vec<Coord>,
}

impl View {
    /// All of a buffer.
    pub(super) fn whole(root: Sym, shape: &Shape) -> View {
        let dim = |n: &usize| {
            Coord::From(Interval::point(0), Interval::point(i128::try_from(*n).unwrap_or(i128::MAX)))
        };
        View { root, coords: shape.0.iter().map(dim).collect() }
    }

    /// A part of this part; without coordinates, all of it.
    pub(super) fn at(&self, coords: &[Coord]) -> View {
        let mut given = coords.iter();
        let dim = |c: &Coord| match *c {
            Coord::At(_) => *c,
            Coord::From(lo, _) => given.next().map_or(*c, |inner| inner.shifted(lo, c.hull())),
        };
        View { root: self.root, coords: self.coords.iter().map(dim).collect() }
    }

    /// The cells that it may be of, in row-major order.
    pub(super) fn cells(&self, shape: &Shape) -> FixedBitSet {
        let mut cells = FixedBitSet::with_capacity(shape.count());
        let bound = |n: i128, extent: usize| usize::try_from(n.max(0)).map_or(extent, |n| n.min(extent));
        let dims = self.coords.iter().zip(&shape.0).map(|(c, extent)| {
            let hull = c.hull();
            (*extent, bound(hull.lo, *extent), bound(hull.hi.saturating_add(1), *extent))
        });
        insert(&mut cells, 0, &dims.collect::<Vec<_>>());
        cells
    }
}

/// Inserts the cells of a box: per dimension its extent, and the indices from one to another, exclusive.
fn insert(cells: &mut FixedBitSet, start: usize, dims: &[(usize, usize, usize)]) {
    match dims {
        [] => cells.insert(start),
        [(extent, lo, hi)] => cells.insert_range(start * extent + lo..start * extent + hi),
        [(extent, lo, hi), inner @ ..] => (*lo..*hi).for_each(|i| insert(cells, start * extent + i, inner)),
    }
}

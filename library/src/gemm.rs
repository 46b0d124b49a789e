//! Matrix products for all sizes, of any machine with vectors: a micro-kernel whose sums fill the registers, its edge
//! variants, panels of all columns of a packed B, blocks of rows, and strips. The sizes come from the target's record:
//! registers, lanes, caches. PLDI'22 §7.2; ASPLOS'25 §6.2.3. Spec: [rule: kernels].

mod blocks;
mod column;
pub(super) mod image;
mod packing;
pub(super) mod panels;
mod strips;
pub(super) mod triangle;

use super::definitions::{Definitions, vectorize};
use crate::refusal::refuse;
use crate::target::{Lanes, Nearer, Op, Target};
use blocks::Parts;
use rayon::prelude::*;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::registry::Value;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::types::DataType;
use strips::strips;

/// The definitions, of floats in columns of 64.
pub(super) const SOURCE: &str = include_str!("sgemm.py");

/// Rows of the micro-kernel: with two vectors or more, as many sums as it takes to keep the multiply-adds busy.
const ROWS: i64 = 6;
/// Bytes of a row of A, and of a column of B, that are multiplied at once.
const REACH: i64 = 4096;

/// So few rows do not make up for a copy of B.
const FEW_ROWS: i64 = 16;
/// A row of a panel that is shorter, in bytes, is copied together with those of the panels beside it: rows that are read in
/// such short pieces come late, and push each other out of the caches where their distance is a power of two.
const SHORT: i64 = 256;
/// Where panels have long rows, so little of K: strips of them have as many columns as the second cache has room for.
const LITTLE: i64 = 64;
/// Rows of B that are read at once where no copy is made.
const SHALLOW: i64 = 16;

/// Memory that is there before a program begins.
const STATIC: &str = "DRAM_STATIC";

/// So many panels, and as many blocks of rows, are worth several threads.
pub(super) const PANELS: i64 = 4;

/// How a product is cut up for a target.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Lanes of a register.
    lanes: i64,
    /// Registers beside each other in the micro-kernel: as many as leave one for A beside the sums and the vectors of B.
    vectors: i64,
    /// Columns of the micro-kernel and of a panel.
    columns: i64,
    /// Rows that are done before the next panel, where the rows of panels are short: their part of A stays in the second cache
    /// beside the panels.
    block: i64,
    /// Rows of B that are packed at once.
    depth: i64,
    /// As many columns lie close enough together without being packed.
    narrow: i64,
    /// Columns of a product of few rows that are done at once: their cells of C stay in the second cache.
    flat: i64,
    /// Columns of B that are packed at once, more than are not: they stay in the second cache.
    width: i64,
    /// The same of little depth: panels of all of them fill the second cache, and of less depth a part of it; the more there
    /// are, the longer are the parts of rows of C that are read in the order in which they lie.
    wide: i64,
    /// So few rows do not make up for a copy of B.
    few: i64,
    /// Whether the rows of panels are short, and B is copied before the first rows of a product are done.
    short: bool,
    /// So little of K is done row by row: panels of so many rows stay in the second cache.
    little: i64,
}

impl Sizes {
    fn of(target: &Target) -> Sizes {
        let bytes = target.bytes();
        let (lanes, vectors) = (target.lanes(), (target.registers() - 1) / (ROWS + 1));
        let columns = lanes * vectors;
        let second = target.second_cache();
        let flat = columns * (second / 4 / (FEW_ROWS * bytes) / columns).max(1);
        let short = columns * bytes < SHORT;
        let few = if short { ROWS } else { FEW_ROWS };
        let block = ROWS * ((second / 2 / REACH + ROWS / 2) / ROWS).max(1);
        let (depth, narrow) = (REACH / bytes, if short { 2 * columns } else { columns });
        let width = (columns * (second / REACH / columns)).max(narrow + columns);
        let little = if short { (second / 4 / (width * bytes)).max(1) } else { LITTLE };
        let wide = width.max(columns * (second / (little * bytes * columns)));
        Sizes { lanes, vectors, columns, block, depth, narrow, flat, width, wide, few, short, little }
    }

    /// How deep strips are at most, and how many columns they have: the less there is of K, the more columns have room in the
    /// second cache.
    fn strips(&self) -> Vec<[i64; 2]> {
        let half = [self.depth / 2, 2 * self.width];
        let deep = if self.short { vec![] } else { vec![half] };
        [vec![[self.little, self.wide]], deep, vec![[self.depth, self.width]]].concat()
    }
}

/// A target, how a product is cut up for it, and the definitions for that.
pub(super) struct Gemm<'a> {
    d: &'a Definitions,
    target: Target,
    sizes: Sizes,
    /// Where parts of B are packed.
    packed: &'static str,
    /// Whether large products are for several threads.
    parallel: bool,
}

/// Rows of a matrix are worth reading for so many columns of a product at least.
const WIDE: i64 = 48;

/// How many columns of a product are done at a time where those of its second factor are copied: some micro-kernels'.
pub(super) fn panel_width(target: &Target) -> i64 {
    let columns = Sizes::of(target).columns;
    columns * ((WIDE + columns - 1) / columns)
}

/// How many columns a panel has: as many as the micro-kernel takes.
pub(super) fn panel_columns(target: &Target) -> i64 {
    Sizes::of(target).columns
}

/// The definitions in a target's precision, with panels of its columns.
pub(super) fn source(target: &Target) -> String {
    let letter = if target.precision() == DataType::F64 { "d" } else { "s" };
    of_target(SOURCE, target).replace("def sgemm", &format!("def {letter}gemm"))
}

/// Definitions of floats in columns of 64, in a target's precision, with panels of its columns.
fn of_target(source: &str, target: &Target) -> String {
    let text = source.replace("64", &Sizes::of(target).columns.to_string());
    text.replace("f32", &target.precision().to_string())
}

impl Gemm<'_> {
    /// A product on a target, of its definitions.
    ///
    /// # Errors
    /// The target has no instructions, or not those that a product needs.
    pub(super) fn with<'a>(d: &'a Definitions, target: &Target) -> Result<Gemm<'a>> {
        for op in OPERATIONS {
            for lanes in [Lanes::All, Lanes::First] {
                if !target.has(op, lanes) {
                    let why = format!("{} has no {op:?} of {}, {lanes:?}", target.name(), target.precision());
                    return refuse("gemm", "looking at the target", why);
                }
            }
        }
        Ok(Gemm { d, target: target.clone(), sizes: Sizes::of(target), packed: STATIC, parallel: false })
    }

    /// The same for several threads: each call packs in memory of its own, and has panels done at the same time.
    fn parallel(self) -> Self {
        Self { packed: "DRAM", parallel: true, ..self }
    }

    /// Whether the panels of a strip are for several threads, which share it.
    fn panels_by_threads(&self) -> bool {
        self.parallel && self.sizes.short
    }

    /// Whether strips of so much depth are for several threads: each copies what it multiplies.
    fn strips_by_threads(&self, depth: i64) -> bool {
        self.parallel && !self.sizes.short && depth > self.sizes.little
    }

    /// Instructions, as far as there are some.
    fn instructions(&self, all: &[(Op, Lanes)]) -> Vec<Proc> {
        all.iter().filter_map(|(op, lanes)| self.target.instruction(*op, *lanes).cloned()).collect()
    }

    /// Those of the operations of a product, and others.
    fn with_others(&self, others: &[(Op, Lanes)]) -> Vec<Proc> {
        let own = [Lanes::All, Lanes::First].into_iter().flat_map(|lanes| OPERATIONS.map(|op| (op, lanes)));
        self.instructions(&own.chain(others.iter().copied()).collect::<Vec<_>>())
    }
}

/// What a product does with registers.
const OPERATIONS: [Op; 5] = [Op::Load, Op::Zero, Op::FmaBroadcast, Op::Accumulate, Op::Store];

/// A product, or a part of one: as a program, and as it runs.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// What it computes.
    pub(super) plain: Proc,
    /// How.
    pub(super) fast: Proc,
}

/// The columns of a micro-kernel.
#[derive(Clone, Copy)]
enum Width {
    /// So many registers.
    Whole(i64),
    /// So many registers, the last of them full or not.
    Ragged(i64),
}

/// A definition whose cells are sums.
#[derive(Clone, Copy)]
struct Sum {
    /// What it is called.
    name: &'static str,
    /// The loops over the terms of a sum, from the outermost.
    terms: &'static [&'static str],
    /// The indices of a row of B, in these.
    row: &'static str,
}

/// The product of matrices.
const PRODUCT: Sum = Sum { name: "gemm", terms: &["k"], row: "k" };

/// A sum on `rows` rows.
fn kernel(g: &Gemm<'_>, Sum { name, terms, row }: Sum, rows: i64, width: Width) -> Result<Kernel> {
    let vectors = match width {
        Width::Whole(n) | Width::Ragged(n) => n,
    };
    let (columns, full) = (g.sizes.lanes * vectors, g.sizes.lanes * (vectors - 1));
    let plain = match width {
        Width::Whole(_) => {
            let p = g.d.proc(name).rename(&format!("{name}_{rows}x{columns}"))?;
            p.partial_eval(&sizes(&[("M", rows), ("N", columns)]))?
        }
        Width::Ragged(_) => {
            let p = g.d.proc(name).rename(&format!("{name}_{rows}x{columns}_edge"))?;
            let p = p.partial_eval(&sizes(&[("M", rows)]))?;
            let p = p.add_assertion(format!("{full} < N"))?;
            p.add_assertion(format!("N <= {columns}"))?
        }
    };
    let end = match width {
        Width::Whole(_) => columns.to_string(),
        Width::Ragged(_) => "N".to_owned(),
    };
    let p = plain.rename(plain.name().as_str().replace("gemm", "kernel").as_str())?;
    let p = terms.iter().try_fold(p, |p, k| {
        let p = p.reorder_loops(format!("j {k}").as_str())?;
        p.reorder_loops(format!("i {k}").as_str())
    })?;
    let (all, of_row) = (p.find_loop(terms.first().unwrap_or(&"k"))?, p.find_loop("i")?);
    let p = p.stage_mem(of_row, format!("B[{row}, 0:{end}]"), "b", Staging::Copy)?;
    let fast = sums_in_registers(g, &p, &all, rows, (&end, vectors))?;
    Ok(Kernel { plain, fast })
}

/// Steps over the terms of sums, of so many rows and of the columns up to `end`, in so many registers: the sums begin as
/// zero and are added to C at the end, so that nothing waits for its cells, which are brought nearer meanwhile. A row of B is
/// in `b`.
fn sums_in_registers(
    g: &Gemm<'_>,
    p: &Proc,
    steps: &Cursor,
    rows: i64,
    (end, vectors): (&str, i64),
) -> Result<Proc> {
    let (lanes, covers) = (g.sizes.lanes, end != "N");
    let p = p.stage_mem(steps, format!("C[0:{rows}, 0:{end}]"), "acc", Staging::Accumulate)?;
    let (cleared, added) = (p.forward(steps)?.prev(1)?, p.forward(steps)?.next(1)?);
    let row = format!("C[{}, 0:{end}]", added.name()?);
    let p = p.stage_mem(added.body()?.at(0)?, row, "c", Staging::Copy)?;
    let p = [("acc", 1), ("b", 0), ("c", 0)].into_iter().try_fold(p, |p, (buffer, dim)| {
        let p = p.resize_dim(buffer, dim, lanes * vectors, 0, Indices::Shifted)?;
        let p = p.divide_dim(buffer, dim, lanes)?;
        p.set_memory(buffer, g.target.memory())
    })?;
    let loops =
        [p.find_all("for _ in _:\n    _[_] = _")?, p.find_all("for _ in _:\n    _[_] += _")?].concat();
    let p = loops.iter().try_fold(p, |p, at| vectorize(&p, at, lanes, vectors - 1, covers))?;
    let p = p.simplify()?.replace_all(&g.with_others(&[]))?;
    if covers { nearer(g, &p, &cleared, vectors) } else { Ok(p) }
}

/// Brings the cells of C to the first cache where the sums are cleared: a vector at a time, and the last cell of each row, which may
/// be in a line of its own.
fn nearer(g: &Gemm<'_>, p: &Proc, cleared: &Cursor, vectors: i64) -> Result<Proc> {
    let [first, last] = [Nearer::FirstCache, Nearer::FirstCacheEnd].map(|to| g.target.prefetch(to));
    let row = p.forward(cleared)?;
    let (lanes, vector) = (g.sizes.lanes, row.body()?.at(0)?);
    let (i, j) = (row.name()?, vector.name()?);
    let p = last.into_iter().try_fold(p.clone(), |p, prefetch| {
        let cells = format!("C[{i}, {}:{}]", lanes * (vectors - 1), lanes * vectors);
        p.insert_noop_call(vector.after()?, prefetch, &[&cells])
    })?;
    first.into_iter().try_fold(p, |p, prefetch| {
        let cells = format!("C[{i}, {lanes} * {j}:{lanes} * {j} + {lanes}]");
        p.insert_noop_call(p.forward(&vector)?.body()?.at(0)?.before()?, prefetch, &[&cells])
    })
}

/// The micro-kernel: 6 by 64 cells of C.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn micro_kernel(g: &Gemm<'_>) -> Result<Proc> {
    kernel(g, PRODUCT, ROWS, Width::Whole(g.sizes.vectors)).map(|k| k.fast)
}

/// An edge of so many rows and registers, the last of which may be partly used.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn edge_kernel(g: &Gemm<'_>, rows: i64, vectors: i64) -> Result<Proc> {
    kernel(g, PRODUCT, rows, Width::Ragged(vectors)).map(|k| k.fast)
}

/// A product of few columns which has a kernel of its own for a square as wide as a register.
///
/// # Errors
/// A primitive refuses: a bug.
fn square_or(g: &Gemm<'_>, others: &Kernel) -> Result<Kernel> {
    let lanes = g.sizes.lanes;
    let square = kernel(g, PRODUCT, lanes, Width::Whole(1))?;
    let plain = others.plain.rename("gemm_square_or_narrow")?;
    let p = plain.rename("square_or_narrow")?;
    let all = p.find_loop("i")?;
    let p = p.specialize(all.clone(), &[&format!("M == {lanes} and N == {lanes}")])?;
    let (one, other) = branches(&p, &all, 1)?;
    let p = call(&p, &other, others)?;
    let p = one.iter().try_fold(p, |p, rows| {
        let rows = p.forward(rows)?;
        let p = p.rewrite_expr(rows.hi()?, lanes)?;
        let columns = p.forward(&rows)?.body()?.at(0)?;
        let p = p.rewrite_expr(columns.hi()?, lanes)?;
        call(&p, &p.forward(&rows)?, &square)
    })?;
    Ok(Kernel { plain, fast: p })
}

/// Replaces a statement by a call of what a kernel says, and lets it call what runs.
pub(super) fn call(p: &Proc, at: &Cursor, kernel: &Kernel) -> Result<Proc> {
    let p = p.replace(at.clone(), &kernel.plain)?;
    p.call_eqv(format!("{}(_)", kernel.plain.name()).as_str(), &kernel.fast)
}

/// A loop over rows by micro-kernels: as many whole ones as there are, and one of those for the rest.
fn by_rows(p: &Proc, rows: &Cursor, kernels: &[Kernel]) -> Result<Proc> {
    let Some((whole, parts)) = kernels.split_last() else { return Ok(p.clone()) };
    let p = p.divide_loop(rows.clone(), ROWS, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(rows)?;
    let rest = blocks.next(1)?;
    let p = call(&p, &blocks.body()?.at(0)?, whole)?;
    let conditions: Vec<String> = (1..ROWS).map(|r| format!("M % {ROWS} == {r}")).collect();
    let p = p.specialize(rest.clone(), &conditions.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (branches, none) = branches(&p, &rest, parts.len())?;
    let p = branches.iter().zip(parts).zip(1..).try_fold(p, |p, ((at, kernel), rows)| {
        let p = p.rewrite_expr(at.hi()?, rows)?;
        call(&p, at, kernel)
    })?;
    p.eliminate_dead_code(none)
}

/// The copies of a statement that was specialized, in order, and the last.
pub(super) fn branches(p: &Proc, first: &Cursor, n: usize) -> Result<(Vec<Cursor>, Cursor)> {
    let mut at = p.forward(first)?.parent()?;
    let mut all = Vec::new();
    for _ in 0..n {
        all.push(at.body()?.at(0)?);
        at = at.orelse()?.at(0)?;
    }
    Ok((all, at))
}

/// The kernels of all widths, for one row to all of them.
struct Kernels {
    full: Vec<Kernel>,
    /// Those of the last columns, by their registers: the widest first.
    ragged: Vec<Vec<Kernel>>,
}

impl Kernels {
    /// Those of a product.
    fn new(g: &Gemm<'_>) -> Result<Kernels> {
        Kernels::of(g, PRODUCT)
    }

    /// Those of a sum: none needs another.
    fn of(g: &Gemm<'_>, sum: Sum) -> Result<Kernels> {
        let of = |width| {
            (1..=ROWS).into_par_iter().map(|rows| kernel(g, sum, rows, width)).collect::<Result<Vec<_>>>()
        };
        let widths: Vec<i64> = (1..=g.sizes.vectors).rev().collect();
        let ragged = || widths.par_iter().map(|n| of(Width::Ragged(*n))).collect::<Result<_>>();
        let (full, ragged) = rayon::join(|| of(Width::Whole(g.sizes.vectors)), ragged);
        Ok(Kernels { full: full?, ragged: ragged? })
    }
}

/// What makes of a loop over rows calls of kernels for one row to all that the micro-kernel has.
type Rows = fn(&Proc, &Cursor, &[Kernel]) -> Result<Proc>;

/// As many rows as the micro-kernel has.
fn all_rows(p: &Proc, rows: &Cursor, kernels: &[Kernel]) -> Result<Proc> {
    kernels.last().map_or(Ok(p.clone()), |whole| call(p, &p.forward(rows)?, whole))
}

/// A product in the columns of a panel and the rest, as in `gemm_packed`: by kernels.
fn by_columns(g: &Gemm<'_>, p: &Proc, kernels: &Kernels, by_rows: Rows) -> Result<Proc> {
    let p = p.fission(p.find_loop("jo")?.after()?, 1)?;
    let edge = p.find_loop("i #1")?;
    let p = p.reorder_loops("i jo")?;
    let rows = p.find_loop("i")?;
    let p = by_rows(&p, &rows, &kernels.full)?;
    let p = p.specialize(edge.clone(), &[&format!("N % {} > 0", g.sizes.columns)])?;
    let (_, none) = branches(&p, &edge, 1)?;
    let p = p.reorder_loops(none.clone())?.eliminate_dead_code(none.body()?.at(0)?)?;
    let conditions: Vec<String> = (1..g.sizes.vectors)
        .rev()
        .map(|n| format!("N % {} > {}", g.sizes.columns, g.sizes.lanes * n))
        .collect();
    let p = p.specialize(edge.clone(), &conditions.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (mut all, last) = branches(&p, &edge, conditions.len())?;
    all.push(last);
    all.iter().zip(&kernels.ragged).try_fold(p, |p, (rows, kernels)| by_rows(&p, rows, kernels))
}

/// `gemm` where B is packed in panels.
fn panel(g: &Gemm<'_>, kernels: &Kernels) -> Result<Kernel> {
    let plain = g.d.proc("gemm_packed");
    let p = by_columns(g, &plain.rename("panel")?, kernels, by_rows)?;
    let fast = if g.panels_by_threads() { beside_each_other(g, &p, &p.find_loop("jo")?)? } else { p };
    Ok(Kernel { plain, fast })
}

/// The same, row by row: panels of B stay in the second cache, what is read of A is near for all of them, and rows of C go by
/// in the order in which they lie.
fn row_by_row(g: &Gemm<'_>, kernels: &Kernels, panel: &Kernel) -> Result<Kernel> {
    let plain = g.d.proc("gemm_packed");
    let strip = plain.rename("gemm_packed_strip")?.partial_eval(&sizes(&[("M", ROWS)]))?;
    let strip = Kernel { fast: by_columns(g, &strip.rename("strip")?, kernels, all_rows)?, plain: strip };
    let p = plain.rename("row_by_row")?;
    let rows = p.find_loop("i")?;
    let p = p.divide_loop(&rows, ROWS, ["io", "ii"], Tail::Cut)?;
    let strips = p.forward(&rows)?;
    let rest = strips.next(1)?;
    let p = call(&p, &strips.body()?.at(0)?, &strip)?;
    let p = p.specialize(&rest, &[&format!("M % {ROWS} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    Ok(Kernel { plain, fast: call(&p.eliminate_dead_code(none)?, &rest, panel)? })
}

/// Panels by several threads, where there is so much to do that it is worth to start them.
fn beside_each_other(g: &Gemm<'_>, p: &Proc, panels: &Cursor) -> Result<Proc> {
    let (least, rows) = (PANELS * g.sizes.columns, PANELS * ROWS);
    Ok(by_threads(p, panels, &format!("N >= {least} and M >= {rows} and K >= {least}"))?.0)
}

/// A loop by several threads where that is worth it; the loop for them, and the one where it is not.
pub(super) fn by_threads(p: &Proc, at: &Cursor, large: &str) -> Result<(Proc, [Cursor; 2])> {
    let p = p.specialize(at, &[large])?;
    let around = p.forward(at)?.parent()?;
    let (many, few) = (around.body()?.at(0)?, around.orelse()?.at(0)?);
    let p = p.parallelize_loop(&many)?;
    Ok((p, [many, few]))
}

/// `gemm` with B where it is: for few columns, which lie close enough together.
fn narrow(g: &Gemm<'_>, kernels: &Kernels) -> Result<Kernel> {
    let plain = g.d.proc("gemm").rename("gemm_narrow")?;
    let p = plain.rename("narrow")?.divide_loop("j", g.sizes.columns, ["jo", "ji"], Tail::Cut)?;
    Ok(Kernel { plain, fast: by_columns(g, &p, kernels, by_rows)? })
}

/// `gemm` with so many columns, those of some micro-kernels.
fn whole(g: &Gemm<'_>, kernels: &Kernels, width: i64) -> Result<Kernel> {
    let plain = g.d.proc("gemm").rename("gemm_whole")?.partial_eval(&sizes(&[("N", width)]))?;
    let p = plain.rename("whole")?.divide_loop("j", g.sizes.columns, ["jo", "ji"], Tail::Perfect)?;
    let p = p.reorder_loops("i jo")?;
    Ok(Kernel { plain, fast: by_rows(&p, &p.find_loop("i")?, &kernels.full)? })
}

/// A product of whole matrices for all sizes, `sgemm` or `dgemm`: `C += A B`, row by row.
///
/// # Errors
/// The target lacks what a product needs; or a primitive refuses: a bug.
pub fn gemm(target: &Target) -> Result<Proc> {
    let d = Definitions::of(&source(target));
    let g = Gemm::with(&d, target)?;
    let name = if target.precision() == DataType::F64 { "dgemm" } else { "sgemm" };
    by_depth(&g, &g.d.proc(name))
}

/// The same of windows: parts of larger matrices whose rows lie anywhere, under a name.
///
/// # Errors
/// As [`gemm`].
pub fn gemm_of_windows(target: &Target, name: &str) -> Result<Proc> {
    let d = Definitions::of(&source(target));
    let g = Gemm::with(&d, target)?;
    by_depth(&g, &g.d.proc("gemm").rename(name)?)
}

/// The product of windows, to be called by other schedules; several threads may do so.
///
/// # Errors
/// As [`gemm`].
pub(super) fn callable(target: &Target) -> Result<Kernel> {
    let d = Definitions::of(&source(target));
    let g = Gemm::with(&d, target)?.parallel();
    let plain = g.d.proc("gemm");
    let fast = by_depth(&g, &plain.rename("product")?)?;
    Ok(Kernel { plain, fast })
}

/// A product by parts of K; one of few rows and many columns by shallow parts. What needs nothing of each other is scheduled at
/// the same time.
pub(super) fn by_depth(g: &Gemm<'_>, p: &Proc) -> Result<Proc> {
    let parts = Parts::new(g)?;
    let (strips, flat) = rayon::join(|| strips(g, &parts), || flat(g, &parts.narrow));
    let (strips, flat, rows) = (strips?, flat?, p.find_loop("i")?);
    let p = p.specialize(&rows, &[&format!("M <= {} and N >= {}", g.sizes.few, g.sizes.flat)])?;
    let around = p.forward(&rows)?.parent()?;
    let (few, many) = (around.body()?.at(0)?, around.orelse()?.at(0)?);
    let p = by_parts(&p, &many, g.sizes.depth, &strips)?;
    call(&p, &p.forward(&few)?, &flat)
}

/// `gemm` of few rows with B where it is: as many of its rows as a cell of C is loaded for are read at once, a good part of
/// each, so that there is as little to wait for as where memory is copied.
fn flat(g: &Gemm<'_>, narrow: &Kernel) -> Result<Kernel> {
    let thin = g.d.proc("gemm").rename("gemm_thin")?;
    let p = thin.rename("thin")?;
    let thin = Kernel { fast: by_parts(&p, &p.find_loop("i")?, SHALLOW, narrow)?, plain: thin };
    let plain = g.d.proc("gemm").rename("gemm_flat")?;
    let p = plain.rename("flat")?;
    let p = p.divide_loop("j", g.sizes.flat, ["jo", "ji"], Tail::Cut)?;
    let p = p.fission(p.find_loop("jo")?.after()?, 1)?;
    let rest = p.find_loop("i #1")?;
    let p = p.reorder_loops("i jo")?;
    let p = call(&p, &p.find_loop("i")?, &thin)?;
    let p = p.specialize(rest.clone(), &[&format!("N % {} > 0", g.sizes.flat)])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let p = p.reorder_loops(none.clone())?.eliminate_dead_code(none.body()?.at(0)?)?;
    Ok(Kernel { plain, fast: call(&p, &rest, &thin)? })
}

/// A nest by parts of K of this depth, by a kernel for a part.
fn by_parts(p: &Proc, rows: &Cursor, depth: i64, part: &Kernel) -> Result<Proc> {
    let k = p.forward(rows)?.body()?.at(0)?.body()?.at(0)?;
    let p = p.divide_loop(&k, depth, ["ko", "ki"], Tail::Cut)?;
    let p = p.fission(p.forward(&k)?.after()?, 2)?;
    let first = p.forward(&k)?.parent()?.parent()?;
    let rest = first.next(1)?;
    let p = p.reorder_loops(first.body()?.at(0)?)?;
    let p = p.reorder_loops(p.forward(&k)?.parent()?)?;
    let p = call(&p, &p.forward(&k)?.body()?.at(0)?, part)?;
    let p = p.specialize(rest.clone(), &[&format!("K % {depth} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let (second, third) = (none.body()?.at(0)?, none.body()?.at(0)?.body()?.at(0)?);
    let p = p.reorder_loops(second)?.reorder_loops(none)?;
    let p = p.eliminate_dead_code(third)?;
    let p = call(&p, &rest, part)?;
    p.simplify()
}

/// Values of sizes, by their names.
pub(super) fn sizes(all: &[(&str, i64)]) -> Value {
    Value::Named(all.iter().map(|(name, n)| ((*name).to_owned(), Value::Int(*n))).collect())
}

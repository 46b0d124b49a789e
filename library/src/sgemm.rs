//! SGEMM on AVX-512 for all sizes: a micro-kernel of 6 by 64 cells, its edge variants, panels of all columns of a packed
//! B, blocks of rows, and strips of 1024 columns and 512 in K. PLDI'22 §7.2.

use super::column;
use super::definitions::{Definitions, vectorize};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::registry::Value;
use rewright_primitives::{Cursor, Proc};

/// The definitions.
pub const SOURCE: &str = include_str!("sgemm.py");

/// Lanes of a register.
pub(super) const LANES: i64 = 16;
/// Registers beside each other in the micro-kernel.
const VECTORS: i64 = 4;
/// Rows of the micro-kernel: 24 accumulators, four vectors of B and one of A are 29 of 32 registers.
const ROWS: i64 = 6;
/// Columns of the micro-kernel and of a panel.
const COLUMNS: i64 = LANES * VECTORS;
/// Rows that are done before the next columns: 264 rows of 512 floats are half a megabyte, which stays in the second
/// cache beside the columns of B.
const BLOCK: i64 = 44 * ROWS;
/// Rows of B that are packed at once: 512 rows of 64 floats are 128 KiB, which stay in the second cache.
pub(super) const DEPTH: i64 = 512;
/// As many columns lie close enough together without being packed.
const NARROW: i64 = 2 * COLUMNS;
/// Columns of B that are packed at once.
const WIDTH: i64 = 1024;

const INSTRUCTIONS: [&str; 6] = [
    "mm512_loadu_ps",
    "mm512_fmadd_set1_ps",
    "mm512_storeu_ps",
    "mm512_mask_loadu_ps",
    "mm512_mask_fmadd_set1_ps",
    "mm512_mask_storeu_ps",
];

/// A part of the product with a fixed number of rows: as a program, and as it runs.
struct Kernel {
    plain: Proc,
    fast: Proc,
}

/// The columns of a micro-kernel.
#[derive(Clone, Copy)]
enum Width {
    /// All of them.
    Full,
    /// So many registers, the last of them full or not.
    Ragged(i64),
}

/// `gemm` on `rows` rows.
fn kernel(d: &Definitions, rows: i64, width: Width) -> Result<Kernel> {
    let vectors = match width {
        Width::Full => VECTORS,
        Width::Ragged(n) => n,
    };
    let (columns, full) = (LANES * vectors, LANES * (vectors - 1));
    let plain = match width {
        Width::Full => {
            let p = d.proc("gemm").rename(&format!("gemm_{rows}x{columns}"))?;
            p.partial_eval(&sizes(&[("M", rows), ("N", columns)]))?
        }
        Width::Ragged(_) => {
            let p = d.proc("gemm").rename(&format!("gemm_{rows}x{columns}_edge"))?;
            let p = p.partial_eval(&sizes(&[("M", rows)]))?;
            let p = p.add_assertion(format!("{full} < N"))?;
            p.add_assertion(format!("N <= {columns}"))?
        }
    };
    let end = match width {
        Width::Full => columns.to_string(),
        Width::Ragged(_) => "N".to_owned(),
    };
    let covers = matches!(width, Width::Full);
    let p = plain.rename(plain.name().as_str().replace("gemm", "kernel").as_str())?;
    let p = p.reorder_loops("j k")?;
    let p = p.reorder_loops("i k")?;
    let (row, column) = (p.find_loop("i")?, p.find_loop("j")?);
    let p = p.stage_mem("for k in _: _", format!("C[0:{rows}, 0:{end}]"), "acc", Staging::Copy)?;
    let p = p.stage_mem(row, format!("B[k, 0:{end}]"), "b", Staging::Copy)?;
    let (load_b, load_c, store_c) = (p.find_loop("i0 #1")?, p.find_loop("i1")?, p.find_loop("i1 #1")?);
    let p = [("acc", 1), ("b", 0)].into_iter().try_fold(p, |p, (buffer, dim)| {
        let p = p.resize_dim(buffer, dim, columns, 0, Indices::Shifted)?;
        let p = p.divide_dim(buffer, dim, LANES)?;
        p.set_memory(buffer, "AVX512")
    })?;
    let p = [load_c, load_b, column, store_c]
        .iter()
        .try_fold(p, |p, c| vectorize(&p, c, LANES, vectors - 1, covers))?;
    let p = p.simplify()?;
    let fast = p.replace_all(&d.instructions(&INSTRUCTIONS))?;
    Ok(Kernel { plain, fast })
}

/// The micro-kernel: 6 by 64 cells of C.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn micro_kernel(d: &Definitions) -> Result<Proc> {
    kernel(d, ROWS, Width::Full).map(|k| k.fast)
}

/// An edge of so many rows and registers, the last of which may be partly used.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn edge_kernel(d: &Definitions, rows: i64, vectors: i64) -> Result<Proc> {
    kernel(d, rows, Width::Ragged(vectors)).map(|k| k.fast)
}

/// Replaces a statement by a call of what a kernel says, and lets it call what runs.
fn call(p: &Proc, at: &Cursor, kernel: &Kernel) -> Result<Proc> {
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
fn branches(p: &Proc, first: &Cursor, n: usize) -> Result<(Vec<Cursor>, Cursor)> {
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
    fn new(d: &Definitions) -> Result<Kernels> {
        let of = |width| (1..=ROWS).map(|rows| kernel(d, rows, width)).collect::<Result<Vec<_>>>();
        let ragged = (1..=VECTORS).rev().map(|n| of(Width::Ragged(n))).collect::<Result<_>>()?;
        Ok(Kernels { full: of(Width::Full)?, ragged })
    }
}

/// A product in columns of 64 and the rest, as in `gemm_packed`: by kernels.
fn by_columns(p: &Proc, kernels: &Kernels) -> Result<Proc> {
    let p = p.fission(p.find_loop("jo")?.after()?, 1)?;
    let edge = p.find_loop("i #1")?;
    let p = p.reorder_loops("i jo")?;
    let rows = p.find_loop("i")?;
    let p = by_rows(&p, &rows, &kernels.full)?;
    let p = p.specialize(edge.clone(), &[&format!("N % {COLUMNS} > 0")])?;
    let (_, none) = branches(&p, &edge, 1)?;
    let p = p.reorder_loops(none.clone())?.eliminate_dead_code(none.body()?.at(0)?)?;
    let conditions: Vec<String> =
        (1..VECTORS).rev().map(|n| format!("N % {COLUMNS} > {}", LANES * n)).collect();
    let p = p.specialize(edge.clone(), &conditions.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (mut all, last) = branches(&p, &edge, conditions.len())?;
    all.push(last);
    all.iter().zip(&kernels.ragged).try_fold(p, |p, (rows, kernels)| by_rows(&p, rows, kernels))
}

/// `gemm` where B is packed in columns of 64.
fn panel(d: &Definitions, kernels: &Kernels) -> Result<Kernel> {
    let plain = d.proc("gemm_packed");
    let fast = by_columns(&plain.rename("panel")?, kernels)?;
    Ok(Kernel { plain, fast })
}

/// `gemm` with B where it is: for few columns, which lie close enough together.
fn narrow(d: &Definitions, kernels: &Kernels) -> Result<Kernel> {
    let plain = d.proc("gemm").rename("gemm_narrow")?;
    let p = plain.rename("narrow")?.divide_loop("j", COLUMNS, ["jo", "ji"], Tail::Cut)?;
    Ok(Kernel { plain, fast: by_columns(&p, kernels)? })
}

/// Copies B to memory of its own, in columns of 64, before a loop over rows.
fn pack(p: &Proc, rows: &Cursor) -> Result<Proc> {
    let p = p.divide_loop(p.forward(rows)?.body()?.at(0)?, COLUMNS, ["jo", "ji"], Tail::Cut)?;
    let p = p.stage_mem(rows.clone(), "B[0:K, 0:N]", "packed", Staging::Copy)?;
    let p = p.resize_dim("packed", 0, DEPTH, 0, Indices::Shifted)?;
    let p = p.resize_dim("packed", 1, WIDTH + COLUMNS, 0, Indices::Shifted)?;
    let p = p.divide_dim("packed", 1, COLUMNS)?;
    let p = p.rearrange_dim("packed", &[1, 0, 2])?;
    let p = p.set_memory("packed", "DRAM_STATIC")?;
    let p = p.divide_loop("i1", COLUMNS, ["jo", "ji"], Tail::Cut)?;
    p.simplify()
}

/// `gemm` of at most 512 in K and 1024 in N: few columns as they are, more of them packed, in blocks of rows.
fn blocks(d: &Definitions) -> Result<Kernel> {
    let kernels = Kernels::new(d)?;
    let plain = d.proc("gemm").rename("gemm_blocks")?.add_assertion(format!("K <= {DEPTH}"))?;
    let plain = plain.add_assertion(format!("N <= {WIDTH}"))?;
    let p = plain.rename("blocks")?;
    let rows = p.find_loop("i")?;
    let p = p.specialize(rows.clone(), &["N == 1", &format!("N <= {NARROW}")])?;
    let (few, many) = branches(&p, &rows, 2)?;
    let columns = few.first().map(|at| at.body()?.at(0)?.hi()).transpose()?;
    let p = columns.into_iter().try_fold(p, |p, n| p.rewrite_expr(n, 1))?;
    let single = Kernel { plain: column::plain(d)?, fast: column::fast(d)? };
    let p = few.iter().zip([single, narrow(d, &kernels)?]).try_fold(p, |p, (at, k)| call(&p, at, &k))?;
    let p = pack(&p, &many)?;
    let panel = panel(d, &kernels)?;
    let p = p.divide_loop(many.clone(), BLOCK, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(&many)?;
    let rest = blocks.next(1)?;
    let p = call(&p, &blocks.body()?.at(0)?, &panel)?;
    let p = p.specialize(rest.clone(), &[&format!("M % {BLOCK} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let p = p.eliminate_dead_code(none)?;
    Ok(Kernel { plain, fast: call(&p, &rest, &panel)? })
}

/// `gemm` of at most 512 in K, in columns of 1024.
fn strips(d: &Definitions) -> Result<Kernel> {
    let blocks = blocks(d)?;
    let plain = d.proc("gemm").rename("gemm_strips")?.add_assertion(format!("K <= {DEPTH}"))?;
    let p = plain.rename("strips")?;
    let p = p.divide_loop("j", WIDTH, ["jo", "ji"], Tail::Cut)?;
    let p = p.fission(p.find_loop("jo")?.after()?, 1)?;
    let rest = p.find_loop("i #1")?;
    let p = p.reorder_loops("i jo")?;
    let p = call(&p, &p.find_loop("i")?, &blocks)?;
    let p = p.specialize(rest.clone(), &[&format!("N % {WIDTH} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let p = p.reorder_loops(none.clone())?.eliminate_dead_code(none.body()?.at(0)?)?;
    Ok(Kernel { plain, fast: call(&p, &rest, &blocks)? })
}

/// SGEMM for all sizes.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn sgemm(d: &Definitions) -> Result<Proc> {
    let strips = strips(d)?;
    let p = d.proc("sgemm");
    let p = p.divide_loop("k", DEPTH, ["ko", "ki"], Tail::Cut)?;
    let p = p.fission(p.find_loop("ko")?.after()?, 2)?;
    let rest = p.find_loop("i #1")?;
    let p = p.reorder_loops("j ko")?;
    let p = p.reorder_loops("i ko")?;
    let p = call(&p, &p.find_loop("i")?, &strips)?;
    let p = p.specialize(rest.clone(), &[&format!("K % {DEPTH} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let (second, third) = (none.body()?.at(0)?, none.body()?.at(0)?.body()?.at(0)?);
    let p = p.reorder_loops(second)?.reorder_loops(none)?;
    let p = p.eliminate_dead_code(third)?;
    let p = call(&p, &rest, &strips)?;
    p.simplify()
}

pub(super) fn sizes(all: &[(&str, i64)]) -> Value {
    Value::Named(all.iter().map(|(name, n)| ((*name).to_owned(), Value::Int(*n))).collect())
}

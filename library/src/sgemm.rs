//! SGEMM on AVX-512 for all sizes: a micro-kernel of 6 by 64 cells, its edge variants, panels of all columns of a packed
//! B, blocks of rows, and strips of 1024 columns and 512 in K. PLDI'22 §7.2.

use super::column;
use super::definitions::{Definitions, vectorize};
use rewright_primitives::error::Result;
use rewright_primitives::ops::add_assertion::add_assertion;
use rewright_primitives::ops::call_eqv::call_eqv;
use rewright_primitives::ops::divide_dim::divide_dim;
use rewright_primitives::ops::divide_loop::{Tail, divide_loop};
use rewright_primitives::ops::eliminate_dead_code::eliminate_dead_code;
use rewright_primitives::ops::fission::fission;
use rewright_primitives::ops::partial_eval::partial_eval;
use rewright_primitives::ops::rearrange_dim::rearrange_dim;
use rewright_primitives::ops::rename::rename;
use rewright_primitives::ops::reorder_loops::reorder_loops;
use rewright_primitives::ops::replace::replace;
use rewright_primitives::ops::replace_all::replace_all;
use rewright_primitives::ops::resize_dim::resize_dim;
use rewright_primitives::ops::rewrite_expr::rewrite_expr;
use rewright_primitives::ops::set_memory::set_memory;
use rewright_primitives::ops::simplify::simplify;
use rewright_primitives::ops::specialize::specialize;
use rewright_primitives::ops::stage_mem::stage_mem;
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
            let p = rename(&d.proc("gemm"), &format!("gemm_{rows}x{columns}"))?;
            partial_eval(&p, &sizes(&[("M", rows), ("N", columns)]))?
        }
        Width::Ragged(_) => {
            let p = rename(&d.proc("gemm"), &format!("gemm_{rows}x{columns}_edge"))?;
            let p = partial_eval(&p, &sizes(&[("M", rows)]))?;
            let p = add_assertion(&p, &format!("{full} < N"))?;
            add_assertion(&p, &format!("N <= {columns}"))?
        }
    };
    let end = match width {
        Width::Full => columns.to_string(),
        Width::Ragged(_) => "N".to_owned(),
    };
    let covers = matches!(width, Width::Full);
    let p = rename(&plain, plain.name().as_str().replace("gemm", "kernel").as_str())?;
    let p = reorder_loops(&p, "j k")?;
    let p = reorder_loops(&p, "i k")?;
    let (row, column) = (p.find_loop("i")?, p.find_loop("j")?);
    let p = stage_mem(&p, "for k in _: _", &format!("C[0:{rows}, 0:{end}]"), "acc", false)?;
    let p = stage_mem(&p, row, &format!("B[k, 0:{end}]"), "b", false)?;
    let (load_b, load_c, store_c) = (p.find_loop("i0 #1")?, p.find_loop("i1")?, p.find_loop("i1 #1")?);
    let p = [("acc", 1), ("b", 0)].into_iter().try_fold(p, |p, (buffer, dim)| {
        let p = resize_dim(&p, buffer, dim, &columns.to_string(), "0", false)?;
        let p = divide_dim(&p, buffer, dim, LANES)?;
        set_memory(&p, buffer, "AVX512")
    })?;
    let p = [load_c, load_b, column, store_c]
        .iter()
        .try_fold(p, |p, c| vectorize(&p, c, LANES, vectors - 1, covers))?;
    let p = simplify(&p)?;
    let fast = replace_all(&p, &d.instructions(&INSTRUCTIONS))?;
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
    let p = replace(p, at.clone(), &kernel.plain)?;
    call_eqv(&p, format!("{}(_)", kernel.plain.name()).as_str(), &kernel.fast)
}

/// A loop over rows by micro-kernels: as many whole ones as there are, and one of those for the rest.
fn by_rows(p: &Proc, rows: &Cursor, kernels: &[Kernel]) -> Result<Proc> {
    let Some((whole, parts)) = kernels.split_last() else { return Ok(p.clone()) };
    let p = divide_loop(p, rows.clone(), ROWS, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(rows)?;
    let rest = blocks.next(1)?;
    let p = call(&p, &blocks.body()?.at(0)?, whole)?;
    let conditions: Vec<String> = (1..ROWS).map(|r| format!("M % {ROWS} == {r}")).collect();
    let p = specialize(&p, rest.clone(), &conditions.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (branches, none) = branches(&p, &rest, parts.len())?;
    let p = branches.iter().zip(parts).zip(1..).try_fold(p, |p, ((at, kernel), rows)| {
        let p = rewrite_expr(&p, at.hi()?, &i64::to_string(&rows))?;
        call(&p, at, kernel)
    })?;
    eliminate_dead_code(&p, none)
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
    let p = fission(p, p.find_loop("jo")?.after()?, 1)?;
    let edge = p.find_loop("i #1")?;
    let p = reorder_loops(&p, "i jo")?;
    let rows = p.find_loop("i")?;
    let p = by_rows(&p, &rows, &kernels.full)?;
    let p = specialize(&p, edge.clone(), &[&format!("N % {COLUMNS} > 0")])?;
    let (_, none) = branches(&p, &edge, 1)?;
    let p = eliminate_dead_code(&reorder_loops(&p, none.clone())?, none.body()?.at(0)?)?;
    let conditions: Vec<String> =
        (1..VECTORS).rev().map(|n| format!("N % {COLUMNS} > {}", LANES * n)).collect();
    let p = specialize(&p, edge.clone(), &conditions.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (mut all, last) = branches(&p, &edge, conditions.len())?;
    all.push(last);
    all.iter().zip(&kernels.ragged).try_fold(p, |p, (rows, kernels)| by_rows(&p, rows, kernels))
}

/// `gemm` where B is packed in columns of 64.
fn panel(d: &Definitions, kernels: &Kernels) -> Result<Kernel> {
    let plain = d.proc("gemm_packed");
    let fast = by_columns(&rename(&plain, "panel")?, kernels)?;
    Ok(Kernel { plain, fast })
}

/// `gemm` with B where it is: for few columns, which lie close enough together.
fn narrow(d: &Definitions, kernels: &Kernels) -> Result<Kernel> {
    let plain = rename(&d.proc("gemm"), "gemm_narrow")?;
    let p = divide_loop(&rename(&plain, "narrow")?, "j", COLUMNS, ["jo", "ji"], Tail::Cut)?;
    Ok(Kernel { plain, fast: by_columns(&p, kernels)? })
}

/// Copies B to memory of its own, in columns of 64, before a loop over rows.
fn pack(p: &Proc, rows: &Cursor) -> Result<Proc> {
    let p = divide_loop(p, p.forward(rows)?.body()?.at(0)?, COLUMNS, ["jo", "ji"], Tail::Cut)?;
    let p = stage_mem(&p, rows.clone(), "B[0:K, 0:N]", "packed", false)?;
    let p = resize_dim(&p, "packed", 0, &DEPTH.to_string(), "0", false)?;
    let p = resize_dim(&p, "packed", 1, &(WIDTH + COLUMNS).to_string(), "0", false)?;
    let p = divide_dim(&p, "packed", 1, COLUMNS)?;
    let p = rearrange_dim(&p, "packed", &[1, 0, 2])?;
    let p = set_memory(&p, "packed", "DRAM_STATIC")?;
    let p = divide_loop(&p, "i1", COLUMNS, ["jo", "ji"], Tail::Cut)?;
    simplify(&p)
}

/// `gemm` of at most 512 in K and 1024 in N: few columns as they are, more of them packed, in blocks of rows.
fn blocks(d: &Definitions) -> Result<Kernel> {
    let kernels = Kernels::new(d)?;
    let plain = add_assertion(&rename(&d.proc("gemm"), "gemm_blocks")?, &format!("K <= {DEPTH}"))?;
    let plain = add_assertion(&plain, &format!("N <= {WIDTH}"))?;
    let p = rename(&plain, "blocks")?;
    let rows = p.find_loop("i")?;
    let p = specialize(&p, rows.clone(), &["N == 1", &format!("N <= {NARROW}")])?;
    let (few, many) = branches(&p, &rows, 2)?;
    let columns = few.first().map(|at| at.body()?.at(0)?.hi()).transpose()?;
    let p = columns.into_iter().try_fold(p, |p, n| rewrite_expr(&p, n, "1"))?;
    let single = Kernel { plain: column::plain(d)?, fast: column::fast(d)? };
    let p = few.iter().zip([single, narrow(d, &kernels)?]).try_fold(p, |p, (at, k)| call(&p, at, &k))?;
    let p = pack(&p, &many)?;
    let panel = panel(d, &kernels)?;
    let p = divide_loop(&p, many.clone(), BLOCK, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(&many)?;
    let rest = blocks.next(1)?;
    let p = call(&p, &blocks.body()?.at(0)?, &panel)?;
    let p = specialize(&p, rest.clone(), &[&format!("M % {BLOCK} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let p = eliminate_dead_code(&p, none)?;
    Ok(Kernel { plain, fast: call(&p, &rest, &panel)? })
}

/// `gemm` of at most 512 in K, in columns of 1024.
fn strips(d: &Definitions) -> Result<Kernel> {
    let blocks = blocks(d)?;
    let plain = add_assertion(&rename(&d.proc("gemm"), "gemm_strips")?, &format!("K <= {DEPTH}"))?;
    let p = rename(&plain, "strips")?;
    let p = divide_loop(&p, "j", WIDTH, ["jo", "ji"], Tail::Cut)?;
    let p = fission(&p, p.find_loop("jo")?.after()?, 1)?;
    let rest = p.find_loop("i #1")?;
    let p = reorder_loops(&p, "i jo")?;
    let p = call(&p, &p.find_loop("i")?, &blocks)?;
    let p = specialize(&p, rest.clone(), &[&format!("N % {WIDTH} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let p = eliminate_dead_code(&reorder_loops(&p, none.clone())?, none.body()?.at(0)?)?;
    Ok(Kernel { plain, fast: call(&p, &rest, &blocks)? })
}

/// SGEMM for all sizes.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn sgemm(d: &Definitions) -> Result<Proc> {
    let strips = strips(d)?;
    let p = d.proc("sgemm");
    let p = divide_loop(&p, "k", DEPTH, ["ko", "ki"], Tail::Cut)?;
    let p = fission(&p, p.find_loop("ko")?.after()?, 2)?;
    let rest = p.find_loop("i #1")?;
    let p = reorder_loops(&p, "j ko")?;
    let p = reorder_loops(&p, "i ko")?;
    let p = call(&p, &p.find_loop("i")?, &strips)?;
    let p = specialize(&p, rest.clone(), &[&format!("K % {DEPTH} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let (second, third) = (none.body()?.at(0)?, none.body()?.at(0)?.body()?.at(0)?);
    let p = reorder_loops(&reorder_loops(&p, second)?, none)?;
    let p = eliminate_dead_code(&p, third)?;
    let p = call(&p, &rest, &strips)?;
    simplify(&p)
}

pub(super) fn sizes(all: &[(&str, i64)]) -> Value {
    Value::Named(all.iter().map(|(name, n)| ((*name).to_owned(), Value::Int(*n))).collect())
}

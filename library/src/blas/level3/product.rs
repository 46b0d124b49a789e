//! The product that level 3 is made of: `C += A B` for all sizes, for the registers of a target. A micro-kernel in
//! registers, its edge variants, panels of all columns of a packed B, blocks of rows, strips of columns and parts of K.

use crate::Target;
use crate::blas::Precision;
use crate::definitions::{Definitions, vectorize};
use crate::target::{Lanes, Op};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::registry::Value;
use rewright_primitives::{Cursor, Proc};

/// Rows of the micro-kernel.
const ROWS: i64 = 6;
/// Columns of B that are packed at once.
const WIDTH: i64 = 1024;

/// What depends on the target: the definitions, and how large the parts are.
struct Shape {
    definitions: Definitions,
    /// Lanes of a register.
    lanes: i64,
    /// Registers beside each other in the micro-kernel: with six rows of them, those of B and one of A they are
    /// as many as there are.
    vectors: i64,
    /// Columns of the micro-kernel and of a panel.
    columns: i64,
    /// As many columns lie close enough together without being packed.
    narrow: i64,
    /// Rows of B that are packed at once.
    depth: i64,
    /// Rows that are done before the next columns: with `depth` they stay in the second cache, beside the columns of B.
    block: i64,
    memory: &'static str,
    instructions: Vec<Proc>,
}

impl Shape {
    fn vectors(target: &Target) -> i64 {
        (target.registers() - 2) / (ROWS + 1)
    }

    fn of(precision: Precision, target: &Target) -> Shape {
        let vectors = Shape::vectors(target);
        let columns = vectors * target.lanes();
        let ops = [Op::Load, Op::FmaBroadcast, Op::Store];
        let instructions = [Lanes::All, Lanes::First]
            .into_iter()
            .flat_map(|lanes| ops.map(|op| target.instruction(op, lanes).cloned()))
            .flatten()
            .collect();
        let depth = match precision {
            Precision::F32 => 512,
            Precision::F64 => 256,
        };
        Shape {
            definitions: Definitions::of(&source(precision, columns)),
            lanes: target.lanes(),
            vectors,
            columns,
            narrow: 2 * columns,
            depth,
            block: 44 * ROWS,
            memory: target.memory(),
            instructions,
        }
    }

    fn proc(&self, name: &str) -> Proc {
        self.definitions.proc(name)
    }
}

/// The definitions: on windows, and with B in columns of so many.
fn source(precision: Precision, columns: i64) -> String {
    TEXT.replace("[T]", &format!("[{}]", precision.name())).replace("COLUMNS", &columns.to_string())
}

const TEXT: &str = "
@proc
def gemm(M: size, N: size, K: size, A: [T][M, K], B: [T][K, N], C: [T][M, N]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]

@proc
def gemm_packed(M: size, N: size, K: size, A: [T][M, K], P: [T][N / COLUMNS + 1, K, COLUMNS], C: [T][M, N]):
    assert stride(A, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for jo in seq(0, N / COLUMNS):
            for ji in seq(0, COLUMNS):
                for k in seq(0, K):
                    C[i, COLUMNS * jo + ji] += A[i, k] * P[jo, k, ji]
        for ji in seq(0, N % COLUMNS):
            for k in seq(0, K):
                C[i, COLUMNS * (N / COLUMNS) + ji] += A[i, k] * P[N / COLUMNS, k, ji]
";

/// A part of the product with a fixed number of rows: as a program, and as it runs.
#[derive(Clone, Debug)]
pub(in crate::blas) struct Kernel {
    /// What it computes.
    pub(super) plain: Proc,
    /// How.
    pub(super) fast: Proc,
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
fn kernel(d: &Shape, rows: i64, width: Width) -> Result<Kernel> {
    let vectors = match width {
        Width::Full => d.vectors,
        Width::Ragged(n) => n,
    };
    let (columns, full) = (d.lanes * vectors, d.lanes * (vectors - 1));
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
        let p = p.divide_dim(buffer, dim, d.lanes)?;
        p.set_memory(buffer, d.memory)
    })?;
    let p = [load_c, load_b, column, store_c]
        .iter()
        .try_fold(p, |p, c| vectorize(&p, c, d.lanes, vectors - 1, covers))?;
    let p = p.simplify()?;
    let fast = p.replace_all(&d.instructions)?;
    Ok(Kernel { plain, fast })
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
    fn new(d: &Shape) -> Result<Kernels> {
        let of = |width| (1..=ROWS).map(|rows| kernel(d, rows, width)).collect::<Result<Vec<_>>>();
        let ragged = (1..=d.vectors).rev().map(|n| of(Width::Ragged(n))).collect::<Result<_>>()?;
        Ok(Kernels { full: of(Width::Full)?, ragged })
    }
}

/// A product in columns of a micro-kernel and the rest, as in `gemm_packed`: by kernels.
fn by_columns(d: &Shape, p: &Proc, kernels: &Kernels) -> Result<Proc> {
    let p = p.fission(p.find_loop("jo")?.after()?, 1)?;
    let edge = p.find_loop("i #1")?;
    let p = p.reorder_loops("i jo")?;
    let rows = p.find_loop("i")?;
    let p = by_rows(&p, &rows, &kernels.full)?;
    let p = p.specialize(edge.clone(), &[&format!("N % {} > 0", d.columns)])?;
    let (_, none) = branches(&p, &edge, 1)?;
    let p = p.reorder_loops(none.clone())?.eliminate_dead_code(none.body()?.at(0)?)?;
    let conditions: Vec<String> =
        (1..d.vectors).rev().map(|n| format!("N % {} > {}", d.columns, d.lanes * n)).collect();
    let p = p.specialize(edge.clone(), &conditions.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (mut all, last) = branches(&p, &edge, conditions.len())?;
    all.push(last);
    all.iter().zip(&kernels.ragged).try_fold(p, |p, (rows, kernels)| by_rows(&p, rows, kernels))
}

/// `gemm` where B is packed in columns of a micro-kernel.
fn panel(d: &Shape, kernels: &Kernels) -> Result<Kernel> {
    let plain = d.proc("gemm_packed");
    let fast = by_columns(d, &plain.rename("panel")?, kernels)?;
    Ok(Kernel { plain, fast })
}

/// `gemm` with B where it is: for few columns, which lie close enough together.
fn narrow(d: &Shape, kernels: &Kernels) -> Result<Kernel> {
    let plain = d.proc("gemm").rename("gemm_narrow")?;
    let p = plain.rename("narrow")?.divide_loop("j", d.columns, ["jo", "ji"], Tail::Cut)?;
    Ok(Kernel { plain, fast: by_columns(d, &p, kernels)? })
}

/// Copies B to memory of its own, in columns of a micro-kernel, before a loop over rows.
fn pack(d: &Shape, p: &Proc, rows: &Cursor) -> Result<Proc> {
    let p = p.divide_loop(p.forward(rows)?.body()?.at(0)?, d.columns, ["jo", "ji"], Tail::Cut)?;
    let p = p.stage_mem(rows.clone(), "B[0:K, 0:N]", "packed", Staging::Copy)?;
    let p = p.resize_dim("packed", 0, d.depth, 0, Indices::Shifted)?;
    let p = p.resize_dim("packed", 1, WIDTH + d.columns, 0, Indices::Shifted)?;
    let p = p.divide_dim("packed", 1, d.columns)?;
    let p = p.rearrange_dim("packed", &[1, 0, 2])?;
    let p = p.divide_loop("i1", d.columns, ["jo", "ji"], Tail::Cut)?;
    p.simplify()
}

/// `gemm` of limited depth and 1024 in N: few columns as they are, more of them packed, in blocks of rows.
fn blocks(d: &Shape) -> Result<Kernel> {
    let kernels = Kernels::new(d)?;
    let plain = d.proc("gemm").rename("gemm_blocks")?.add_assertion(format!("K <= {}", d.depth))?;
    let plain = plain.add_assertion(format!("N <= {WIDTH}"))?;
    let p = plain.rename("blocks")?;
    let rows = p.find_loop("i")?;
    let p = p.specialize(rows.clone(), &[&format!("N <= {}", d.narrow)])?;
    let (few, many) = branches(&p, &rows, 1)?;
    let narrow = narrow(d, &kernels)?;
    let p = few.iter().try_fold(p, |p, at| call(&p, at, &narrow))?;
    let p = pack(d, &p, &many)?;
    let panel = panel(d, &kernels)?;
    let p = p.divide_loop(many.clone(), d.block, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(&many)?;
    let rest = blocks.next(1)?;
    let p = call(&p, &blocks.body()?.at(0)?, &panel)?;
    let p = p.specialize(rest.clone(), &[&format!("M % {} > 0", d.block)])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let p = p.eliminate_dead_code(none)?;
    Ok(Kernel { plain, fast: call(&p, &rest, &panel)? })
}

/// `gemm` of limited depth, in columns of 1024.
fn strips(d: &Shape) -> Result<Kernel> {
    let blocks = blocks(d)?;
    let plain = d.proc("gemm").rename("gemm_strips")?.add_assertion(format!("K <= {}", d.depth))?;
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

impl Kernel {
    /// The product for all sizes.
    ///
    /// # Errors
    /// A primitive refuses: a bug.
    pub(in crate::blas) fn new(precision: Precision, target: &Target) -> Result<Kernel> {
        let d = &Shape::of(precision, target);
        let strips = strips(d)?;
        let plain = d.proc("gemm");
        let p = plain.rename("product")?;
        let p = p.divide_loop("k", d.depth, ["ko", "ki"], Tail::Cut)?;
        let p = p.fission(p.find_loop("ko")?.after()?, 2)?;
        let rest = p.find_loop("i #1")?;
        let p = p.reorder_loops("j ko")?;
        let p = p.reorder_loops("i ko")?;
        let p = call(&p, &p.find_loop("i")?, &strips)?;
        let p = p.specialize(rest.clone(), &[&format!("K % {} > 0", d.depth)])?;
        let (_, none) = branches(&p, &rest, 1)?;
        let (second, third) = (none.body()?.at(0)?, none.body()?.at(0)?.body()?.at(0)?);
        let p = p.reorder_loops(second)?.reorder_loops(none)?;
        let p = p.eliminate_dead_code(third)?;
        let p = call(&p, &rest, &strips)?;
        Ok(Kernel { plain, fast: p.simplify()? })
    }
}

/// The definitions that the product begins with.
pub(in crate::blas) fn definitions(precision: Precision, target: &Target) -> String {
    source(precision, Shape::vectors(target) * target.lanes())
}

fn sizes(all: &[(&str, i64)]) -> Value {
    Value::Named(all.iter().map(|(name, n)| ((*name).to_owned(), Value::Int(*n))).collect())
}

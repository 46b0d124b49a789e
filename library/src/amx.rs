//! Products of matrices on the tiles of AMX, for all sizes: the right operand is packed by columns of tiles, as the tiles
//! take it, once for all rows; tiles are configured once. ASPLOS'25 §6. Spec: [rule: kernels.amx].

use super::definitions::Definitions;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// The definitions.
pub const SOURCE: &str = include_str!("amx.py");

/// Rows of a tile, and its columns of four bytes.
const TILE: i64 = 16;

/// What is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Signed bytes; sums of 32 bits.
    I8,
    /// Numbers of 16 bits; sums of `f32`, rounded as the tiles round.
    Bf16,
}

impl Cells {
    /// What the names of programs end in.
    fn suffix(self) -> &'static str {
        match self {
            Cells::I8 => "i8",
            Cells::Bf16 => "bf16",
        }
    }

    /// How many of them are four bytes.
    fn group(self) -> i64 {
        match self {
            Cells::I8 => 4,
            Cells::Bf16 => 2,
        }
    }

    /// The instruction that loads sums, the one that stores them, and the product.
    fn instructions(self) -> [&'static str; 3] {
        match self {
            Cells::I8 => ["amx_tileload_c_i32", "amx_tilestore_i32", "amx_tdpbssd"],
            Cells::Bf16 => ["amx_tileload_c_f32", "amx_tilestore_f32", "amx_tdpbf16ps"],
        }
    }
}

/// A part of the product: as a program, and as it runs.
struct Kernel {
    plain: Proc,
    fast: Proc,
}

fn plain(d: &Definitions, cells: Cells, part: &str) -> Proc {
    d.proc(&format!("{part}_{}", cells.suffix()))
}

/// A loop in steps of a tile, and what is left, where there is some: both, as blocks of their own inside as many loops.
fn by_tiles(
    p: &Proc,
    at: &Cursor,
    names: [&str; 2],
    extent: &str,
    depth: i64,
) -> Result<(Proc, [Cursor; 2])> {
    let p = p.divide_loop(at.clone(), TILE, names, Tail::Cut)?;
    let whole = p.forward(at)?;
    let rest = whole.next(1)?;
    let p = if depth > 0 { p.fission(whole.after()?, depth)? } else { p };
    let nest = (0..depth).try_fold(p.forward(&rest)?, |c, _| c.parent())?;
    let p = p.specialize(nest, &[&format!("{extent} % {TILE} > 0")])?;
    Ok((p, [whole, rest]))
}

/// Sums of at most a tile stay in one while the products of its row are added.
fn tile(d: &Definitions, cells: Cells) -> Result<Kernel> {
    let plain = plain(d, cells, "tile");
    let p = plain.rename(&format!("amx_tile_{}", cells.suffix()))?;
    let (p, [whole, rest]) = by_tiles(&p, &p.find_loop("l")?, ["lo", "l"], "g", 2)?;
    let p = p.reorder_loops("j lo")?.reorder_loops("i lo")?;
    let [load, store, product] = cells.instructions();
    let group = cells.group();
    let all = p.body()?.at(0)?.expand(Some(0), Some(1))?;
    let p = p.stage_mem(all, "C[0:n, 0:m]", "c", Staging::Copy)?.set_memory("c", "AMX_C")?;
    let p = p.replace(p.find("c[_] = _")?.parent()?.parent()?, &d.instruction(load))?;
    let p = p.replace(p.find("C[_] = _")?.parent()?.parent()?, &d.instruction(store))?;
    let columns = TILE * group;
    let first = format!("{columns} * (g / {TILE})");
    let of_whole = [
        format!("A[0:n, {columns} * lo:{columns} * lo + {columns}]"),
        format!("B[{TILE} * lo:{TILE} * lo + {TILE}, 0:{group} * m]"),
    ];
    let of_rest = [
        format!("A[0:n, {first}:{first} + {group} * (g % {TILE})]"),
        format!("B[{TILE} * (g / {TILE}):{TILE} * (g / {TILE}) + g % {TILE}, 0:{group} * m]"),
    ];
    let whole = p.forward(&whole)?.body()?.at(0)?;
    let rest = p.forward(&rest)?.parent()?.parent()?;
    let p = operands(d, cells, &p, &whole, &of_whole, product)?;
    let fast = operands(d, cells, &p, &rest, &of_rest, product)?.simplify()?;
    Ok(Kernel { plain, fast })
}

/// A product and its operands in tiles.
fn operands(
    d: &Definitions,
    cells: Cells,
    p: &Proc,
    at: &Cursor,
    windows: &[String; 2],
    product: &str,
) -> Result<Proc> {
    let mut p = p.clone();
    for (x, memory, window) in [("a", "AMX_A", &windows[0]), ("b", "AMX_B", &windows[1])] {
        p = p.stage_mem(p.forward(at)?, window.as_str(), x, Staging::Copy)?.simplify()?;
        let alloc = p.forward(at)?.prev(2)?;
        p = p.set_memory(alloc, memory)?;
        let fill = p.forward(at)?.prev(1)?;
        p = p.replace(fill, &d.instruction(&format!("amx_tileload_{x}_{}", cells.suffix())))?;
    }
    p.replace(p.forward(at)?, &d.instruction(product))
}

/// The right operand is packed: a row holds as many rows of the matrix as make four bytes, cells of a column side by side.
fn columns(d: &Definitions, cells: Cells, tile: &Kernel) -> Result<Kernel> {
    let plain = plain(d, cells, "columns");
    let group = cells.group();
    let p = plain.rename(&format!("amx_columns_{}", cells.suffix()))?;
    let (p, [whole, rest]) = by_tiles(&p, &p.find_loop("i")?, ["it", "i"], "n", 0)?;
    let all = p.body()?.at(0)?.expand(Some(0), Some(1))?;
    let p = p.stage_mem(all, format!("B[0:{group} * g, 0:m]"), "packed", Staging::Copy)?;
    let p =
        p.divide_dim("packed", 0, group)?.rearrange_dim("packed", &[0, 2, 1])?.mult_dim("packed", 1, 2)?;
    let fill = p.find("packed[_] = _")?.parent()?.parent()?;
    let p = p.divide_loop(fill, group, ["l", "q"], Tail::Perfect)?.simplify()?;
    let p = call(&p, &p.forward(&whole)?.body()?.at(0)?, tile)?;
    let fast = call(&p, &p.forward(&rest)?, tile)?;
    Ok(Kernel { plain, fast })
}

/// The product for all sizes, added to C. Equivalent to the plain one modulo the configuration of the tiles.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn matmul(d: &Definitions, cells: Cells) -> Result<Proc> {
    let kernel = columns(d, cells, &tile(d, cells)?)?;
    let group = cells.group();
    let p = plain(d, cells, "matmul").rename(&format!("amx_matmul_{}", cells.suffix()))?;
    // Rows of A in groups, and what is left of them, which plain loops add.
    let groups = p.find_loop("l")?;
    let p = p.divide_loop(groups.clone(), group, ["l", "q"], Tail::Cut)?;
    let p = p.fission(p.forward(&groups)?.after()?, 2)?;
    let nest = p.forward(&groups)?.parent()?.parent()?;
    let p = p.specialize(nest.clone(), &[&format!("k / {group} > 0")])?;
    let nest = p.forward(&nest)?;
    let (p, [whole, rest]) = by_tiles(&p, &nest.body()?.at(0)?, ["jt", "j"], "m", 1)?;
    let p = p.reorder_loops(p.forward(&whole)?.parent()?)?;
    let p = configured(d, &p)?;
    let p = call(&p, &p.forward(&whole)?.body()?.at(0)?, &kernel)?;
    call(&p, &p.forward(&rest)?.parent()?, &kernel)?.simplify()
}

/// The tiles are configured once, before all loops.
fn configured(d: &Definitions, p: &Proc) -> Result<Proc> {
    let tiles = d.config("AmxTiles");
    let fields = [("depth", "16"), ("cols", "16"), ("rows", "16"), ("palette", "1")];
    let p = fields.into_iter().try_fold(p.clone(), |p, (field, value)| {
        p.write_config(p.body()?.at(0)?.before()?, &tiles, field, value)
    })?;
    let first = p.body()?.at(0)?;
    p.replace(first.expand(Some(0), Some(3))?, &d.instruction("amx_tile_config"))
}

/// Puts a call in place of a nest.
fn call(p: &Proc, at: &Cursor, kernel: &Kernel) -> Result<Proc> {
    let p = p.replace(p.forward(at)?, &kernel.plain)?;
    p.call_eqv(format!("{}(_)", kernel.plain.name()).as_str(), &kernel.fast)
}

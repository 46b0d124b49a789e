//! Products of bytes: blocks of 64 by 64 sums, whose operands are brought in while the products before are computed, and
//! strips and tiles of at most 16 rows around them. PLDI'22 §7.1; ASPLOS'25 §6.1.2. Spec: [rule: kernels.gemmini].

use super::registers::{Hoisting, Setting, configured};
use super::{BLOCK, Kernel, TILE, TILES, by_size, call, sizes};
use crate::definitions::Definitions;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// The definitions.
pub const SOURCE: &str = include_str!("matmul.py");

/// When registers are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registers {
    /// By each block, strip and tile for itself. PLDI'22 §2.4, before hoisting.
    Each,
    /// Once before everything.
    Once(Hoisting),
}

/// How much of the result a kernel computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Rows and columns of a block.
    Block,
    /// Up to the rows of a tile, the columns of a block.
    Strip,
    /// Up to the rows and columns of a tile.
    Tile,
}

/// The kernels.
struct Kernels {
    block: Kernel,
    strip: Kernel,
    tile: Kernel,
}

const EXTENTS: [Extent; 3] = [Extent::Block, Extent::Strip, Extent::Tile];

impl Extent {
    /// The loops over the sums of a tile, and, outermost last, those over tiles.
    fn loops(self) -> &'static [(&'static str, i64)] {
        match self {
            Extent::Block => &[("ji", TILE), ("ii", TILE), ("it", TILES), ("jt", TILES)],
            Extent::Strip => &[("ji", TILE), ("i", TILE), ("jt", TILES)],
            Extent::Tile => &[("j", TILE), ("i", TILE)],
        }
    }

    /// How many there are, as [`fission`](Proc::fission) counts.
    fn depth(self) -> i64 {
        i64::try_from(self.loops().len()).unwrap_or(i64::MAX)
    }

    /// The number of rows, and of columns.
    fn extents(self) -> [String; 2] {
        match self {
            Extent::Block => [BLOCK.to_string(), BLOCK.to_string()],
            Extent::Strip => ["n".to_owned(), BLOCK.to_string()],
            Extent::Tile => ["n".to_owned(), "m".to_owned()],
        }
    }

    /// Whether the columns are a block's.
    fn is_wide(self) -> bool {
        match self {
            Extent::Block | Extent::Strip => true,
            Extent::Tile => false,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Extent::Block => "block",
            Extent::Strip => "strip",
            Extent::Tile => "tile",
        }
    }

    /// A definition for this extent alone.
    fn of(self, p: &Proc) -> Result<Proc> {
        let p = p.rename(&format!("{}_of_{}", p.name(), self.name()))?;
        match self {
            Extent::Block => p.partial_eval(&sizes(&[("n", BLOCK), ("m", BLOCK)])),
            Extent::Strip => p.partial_eval(&sizes(&[("m", BLOCK)]))?.add_assertion(format!("n <= {TILE}")),
            Extent::Tile => p.add_assertion(format!("n <= {TILE}"))?.add_assertion(format!("m <= {TILE}")),
        }
    }
}

/// A kernel whose registers are set before it.
fn kernel(d: &Definitions, extent: Extent) -> Result<Kernel> {
    let plain = extent.of(&d.proc("product"))?;
    let p = plain.rename(&format!("gemmini_{}", extent.name()))?;
    let p = summed(&tiled(&p, extent)?, extent)?;
    let zeros = p.find("res[_] = 0.0")?.parent()?.parent()?;
    let p = p.replace(zeros, &d.instruction("gemmini_zero_acc"))?;
    let p = staged(d, &p, extent)?;
    let tile = p.find("t = _")?.parent()?.parent()?;
    Ok(Kernel { plain, fast: p.replace(tile, &d.instruction("gemmini_mvout"))? })
}

/// One that sets them itself.
fn configuring(d: &Definitions, extent: Extent) -> Result<Kernel> {
    let plain = extent.of(&d.proc("part"))?;
    let p = plain.rename(&format!("gemmini_{}_alone", extent.name()))?;
    let p = configured(d, &p, &SETTING, Hoisting::Steps)?;
    Ok(Kernel { plain, fast: call(&p, &p.find_loop("i")?, &kernel(d, extent)?)? })
}

const SETTING: Setting =
    Setting { loads: ["stride(A, 0)", "stride(B, 0)"], repeats: false, store: "stride(C, 0)" };

/// Loops over tiles, where there are several: over columns outside.
fn tiled(p: &Proc, extent: Extent) -> Result<Proc> {
    match extent {
        Extent::Block => {
            let p = p.divide_loop("i", TILE, ["it", "ii"], Tail::Perfect)?;
            let p = p.divide_loop("j", TILE, ["jt", "ji"], Tail::Perfect)?;
            p.reorder_loops("ii jt")?.reorder_loops("it jt")
        }
        Extent::Strip => p.divide_loop("j", TILE, ["jt", "ji"], Tail::Perfect)?.reorder_loops("i jt"),
        Extent::Tile => Ok(p.clone()),
    }
}

/// Sums in the accumulator: they are set to 0, added to for 16 of K at a time and for what is left, and stored.
fn summed(p: &Proc, extent: Extent) -> Result<Proc> {
    let (loops, depth) = (extent.loops(), extent.depth());
    let p = p.divide_loop("l", TILE, ["lo", "li"], Tail::Cut)?;
    let p = loops.iter().try_fold(p, |p, (x, n)| p.expand_dim("res", *n, *x))?;
    let p = p.lift_alloc("res", depth)?.set_memory("res", "GEMM_ACCUM")?;
    let (lo, rest) = (p.find_loop("lo")?, p.find_loop("li #1")?);
    let p = p.fission(p.find("res[_] = 0.0")?.after()?, depth)?;
    let p = p.fission(p.forward(&lo)?.after()?, depth)?;
    let p = p.fission(p.forward(&rest)?.after()?, depth)?;
    let p = loops.iter().try_fold(p, |p, (x, _)| p.reorder_loops(format!("{x} lo")))?;
    let rest = (0..depth).try_fold(p.forward(&rest)?, |c, _| c.parent())?;
    p.specialize(rest, &[&format!("k % {TILE} > 0")])?.simplify()
}

/// Operands in the scratchpad, and products by the array.
fn staged(d: &Definitions, p: &Proc, extent: Extent) -> Result<Proc> {
    let [rows, columns] = extent.extents();
    let whole = p.find_loop("lo")?.body()?.at(0)?;
    let rest = p.find(&format!("if k % {TILE} > 0: _"))?.body()?.at(0)?;
    let from = |at: &Cursor| {
        if *at == whole {
            format!("{TILE} * lo:{TILE} * lo + {TILE}")
        } else {
            format!("{TILE} * (k / {TILE}):k")
        }
    };
    let mut p = p.clone();
    for (at, a, b) in [(&whole, "a_tiles", "b_tiles"), (&rest, "a_rest", "b_rest")] {
        p = p.stage_mem(at.clone(), format!("A[0:{rows}, {}]", from(at)), a, Staging::Copy)?;
        p = p.stage_mem(at.clone(), format!("B[{}, 0:{columns}]", from(at)), b, Staging::Copy)?;
        p = p.set_memory(a, "GEMM_SCRATCH")?.set_memory(b, "GEMM_SCRATCH")?;
        if a == "a_rest" {
            p = p.resize_dim(a, 1, TILE, 0, Indices::Shifted)?;
        }
        if !extent.is_wide() {
            p = p.resize_dim(b, 1, TILE, 0, Indices::Shifted)?;
        }
        if extent == Extent::Block {
            p = p.divide_dim(a, 0, TILE)?;
        }
        if extent.is_wide() {
            p = p.divide_dim(b, 1, TILE)?.rearrange_dim(b, &[1, 0, 2])?;
        }
        p = loaded(d, &p, extent, at, [a, b])?;
    }
    Ok(p)
}

/// The loops that fill a pair of operands, and the product.
fn loaded(d: &Definitions, p: &Proc, extent: Extent, product: &Cursor, [a, b]: [&str; 2]) -> Result<Proc> {
    let is_whole = a == "a_tiles";
    let fill = |p: &Proc, x: &str| p.find(&format!("{x}[_] = _"))?.parent()?.parent();
    let (rows, columns) = (fill(p, a)?, fill(p, b)?);
    let p = if extent == Extent::Block {
        let p = p.divide_loop(rows.clone(), TILE, ["r", "i"], Tail::Perfect)?.simplify()?;
        p.replace(p.forward(&rows)?.body()?.at(0)?, &d.instruction("gemmini_mvin"))?
    } else {
        p.replace(rows, &d.instruction("gemmini_mvin"))?
    };
    let p = if extent.is_wide() {
        let inner = p.forward(&columns)?.body()?.at(0)?;
        let p = p.divide_loop(inner, TILE, ["r", "j"], Tail::Perfect)?;
        let p = p.reorder_loops(p.forward(&columns)?)?.simplify()?;
        let tiles = p.find(&format!("{b}[_] = _"))?.parent()?.parent()?;
        if is_whole {
            p.replace(tiles.parent()?, &d.instruction("gemmini_mvin2_blocks"))?
        } else {
            p.replace(tiles, &d.instruction("gemmini_mvin2"))?
        }
    } else {
        p.replace(p.forward(&columns)?, &d.instruction("gemmini_mvin2"))?
    };
    let tile = p.forward(product)?;
    let p = match extent {
        Extent::Block => p.replace(tile.body()?.at(0)?, &d.instruction("gemmini_matmul_acc_blocks"))?,
        Extent::Strip => p.replace(tile.body()?.at(0)?, &d.instruction("gemmini_matmul_acc"))?,
        Extent::Tile => p.replace(tile, &d.instruction("gemmini_matmul_acc"))?,
    };
    if !is_whole {
        return Ok(p);
    }
    // Two of each: one is filled while the other is used.
    let p = [a, b].into_iter().try_fold(p, |p, x| p.expand_dim(x, 2, "lo % 2")?.lift_alloc(x, 1))?;
    p.simplify()
}

/// The product for all sizes. Equivalent to the plain one modulo the registers.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn matmul(d: &Definitions, registers: Registers) -> Result<Proc> {
    let p = d.proc("matmul").rename("gemmini_matmul")?;
    let (p, [block, strip, tile]) = match registers {
        Registers::Each => (p, EXTENTS.map(|e| configuring(d, e))),
        Registers::Once(by) => (configured(d, &p, &SETTING, by)?, EXTENTS.map(|e| kernel(d, e))),
    };
    let kernels = Kernels { block: block?, strip: strip?, tile: tile? };
    let (p, [blocks, tiles, rest]) = by_size(&p, &p.find_loop("i")?, ["ib", "it"])?;
    let parts = [(blocks, Part::Blocks), (tiles, Part::Tiles), (rest, Part::Rest)];
    parts.iter().try_fold(p, |p, (rows, part)| by_columns(&p, rows, *part, &kernels))?.simplify()
}

/// Rows, or columns, of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Whole blocks.
    Blocks,
    /// Whole tiles.
    Tiles,
    /// What is left.
    Rest,
}

/// The columns of some rows, which the loop at `rows` runs over: nests of their own.
fn by_columns(p: &Proc, rows: &Cursor, part: Part, kernels: &Kernels) -> Result<Proc> {
    let (rows, depth) = match part {
        Part::Blocks | Part::Tiles => (p.forward(rows)?.body()?.at(0)?, 2),
        Part::Rest => (p.forward(rows)?, 1),
    };
    let (p, columns) = by_size(p, &rows.body()?.at(0)?, ["jb", "jt"])?;
    let [blocks, tiles, rest] = columns;
    let p = p.fission(p.forward(&blocks)?.after()?, depth)?;
    let p = p.fission(p.forward(&tiles)?.after()?, depth)?;
    let parts = [(blocks, Part::Blocks), (tiles, Part::Tiles), (rest, Part::Rest)];
    parts.iter().try_fold(p, |p, (columns, of)| {
        let nest = p.forward(columns)?.parent()?;
        by_kernel(&p, &nest, [part, *of], kernels)
    })
}

/// A nest over rows and columns, by calls of a kernel.
fn by_kernel(p: &Proc, nest: &Cursor, [rows, columns]: [Part; 2], kernels: &Kernels) -> Result<Proc> {
    if rows == Part::Blocks && columns == Part::Blocks {
        let p = p.reorder_loops(nest.clone())?;
        return call(&p, nest, &kernels.block);
    }
    // Blocks beside what is less are tiles, too.
    let p = match rows {
        Part::Blocks => p.divide_loop(nest.clone(), TILE, ["it", "i"], Tail::Perfect)?,
        Part::Tiles | Part::Rest => p.clone(),
    };
    let mut at = p.forward(nest)?;
    if rows == Part::Blocks {
        at = at.body()?.at(0)?;
    }
    let (p, kernel) = match columns {
        Part::Blocks => (p.reorder_loops(at.clone())?, &kernels.strip),
        Part::Tiles => (p.reorder_loops(at.clone())?, &kernels.tile),
        Part::Rest => (p, &kernels.tile),
    };
    let guards = [("n", rows), ("m", columns)].into_iter().filter(|(_, part)| *part == Part::Rest);
    let guards: Vec<String> = guards.map(|(x, _)| format!("{x} % {TILE} > 0")).collect();
    let p = guards.iter().try_fold(p, |p, guard| p.specialize(at.clone(), &[guard]))?;
    call(&p, &at, kernel)
}

//! Products of bytes on Gemmini, for all sizes: blocks of 64 by 64 sums, whose operands are brought in while the products
//! before are computed, and tiles of at most 16 by 16 around them. PLDI'22 §7.1; ASPLOS'25 §6.1.2. Spec: [rule: kernels.gemmini].

use super::definitions::Definitions;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::registry::Value;
use rewright_primitives::{Cursor, Proc};

/// The definitions.
pub const SOURCE: &str = include_str!("gemmini.py");

/// Rows and columns of the array.
const TILE: i64 = 16;
/// Tiles beside each other, and below each other, in a block.
const TILES: i64 = 4;
/// Rows and columns of a block: its sums are a quarter of the accumulator.
const BLOCK: i64 = TILE * TILES;

/// When registers are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registers {
    /// By each block and each tile for itself. PLDI'22 §2.4, before hoisting.
    Each,
    /// Once before all blocks. Tiles around them set their own.
    Once,
}

/// How much of the result a kernel computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Rows and columns of a block.
    Block,
    /// Up to the rows and columns of a tile.
    Tile,
}

/// A part of the product: as a program, and as it runs.
struct Kernel {
    plain: Proc,
    fast: Proc,
}

/// Both, and what becomes of their registers.
struct Kernels {
    block: Kernel,
    tile: Kernel,
    registers: Registers,
}

/// The loops of a kernel, and the windows of its operands.
struct Names {
    /// The loops over the sums of a tile, and, outermost last, those over tiles.
    loops: Vec<(&'static str, i64)>,
    /// The number of rows, and of columns.
    rows: String,
    columns: String,
}

impl Extent {
    fn names(self) -> Names {
        match self {
            Extent::Block => Names {
                loops: vec![("ji", TILE), ("ii", TILE), ("jt", TILES), ("it", TILES)],
                rows: BLOCK.to_string(),
                columns: BLOCK.to_string(),
            },
            Extent::Tile => {
                Names { loops: vec![("j", TILE), ("i", TILE)], rows: "n".to_owned(), columns: "m".to_owned() }
            }
        }
    }

    fn plain(self, d: &Definitions) -> Result<Proc> {
        let p = d.proc("product");
        match self {
            Extent::Block => {
                p.rename("product_of_block")?.partial_eval(&sizes(&[("n", BLOCK), ("m", BLOCK)]))
            }
            Extent::Tile => {
                let p = p.rename("product_of_tile")?.add_assertion(format!("n <= {TILE}"))?;
                p.add_assertion(format!("m <= {TILE}"))
            }
        }
    }
}

fn sizes(all: &[(&str, i64)]) -> Value {
    Value::Named(all.iter().map(|(name, n)| ((*name).to_owned(), Value::Int(*n))).collect())
}

fn kernel(d: &Definitions, extent: Extent) -> Result<Kernel> {
    let plain = extent.plain(d)?;
    let p = plain.rename(&plain.name().as_str().replace("product_of", "gemmini"))?;
    let p = tiled(&p, extent)?;
    let p = configured(d, &summed(&p, &extent.names())?)?;
    let zeros = p.find("res[_] = 0.0")?.parent()?.parent()?;
    let p = p.replace(zeros, &d.instruction("gemmini_zero_acc"))?;
    let p = staged(d, &p, extent)?;
    Ok(Kernel { plain, fast: stored(d, &p, &extent.names())? })
}

/// A loop over tiles, where there are several.
fn tiled(p: &Proc, extent: Extent) -> Result<Proc> {
    match extent {
        Extent::Block => {
            let p = p.divide_loop("i", TILE, ["it", "ii"], Tail::Perfect)?;
            p.divide_loop("j", TILE, ["jt", "ji"], Tail::Perfect)?.reorder_loops("ii jt")
        }
        Extent::Tile => Ok(p.clone()),
    }
}

/// Sums in the accumulator: they are set to 0, added to for 16 of K at a time and for what is left, and stored.
fn summed(p: &Proc, names: &Names) -> Result<Proc> {
    let depth = i64::try_from(names.loops.len()).unwrap_or(i64::MAX);
    let p = p.divide_loop("l", TILE, ["lo", "li"], Tail::Cut)?;
    let p = names.loops.iter().try_fold(p, |p, (x, n)| p.expand_dim("res", *n, *x))?;
    let p = p.lift_alloc("res", depth)?.set_memory("res", "GEMM_ACCUM")?;
    let (lo, rest) = (p.find_loop("lo")?, p.find_loop("li #1")?);
    let p = p.fission(p.find("res[_] = 0.0")?.after()?, depth)?;
    let p = p.fission(p.forward(&lo)?.after()?, depth)?;
    let p = p.fission(p.forward(&rest)?.after()?, depth)?;
    let p = names.loops.iter().try_fold(p, |p, (x, _)| p.reorder_loops(format!("{x} lo")))?;
    let rest = (0..depth).try_fold(p.forward(&rest)?, |c, _| c.parent())?;
    p.specialize(rest, &[&format!("k % {TILE} > 0")])?.simplify()
}

/// Operands in the scratchpad, and products by the array.
fn staged(d: &Definitions, p: &Proc, extent: Extent) -> Result<Proc> {
    let Names { rows, columns, .. } = extent.names();
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
        for (x, dim) in [(a, 1), (b, 1)] {
            p = p.set_memory(x, "GEMM_SCRATCH")?;
            if x == "a_rest" || extent == Extent::Tile && x != "a_tiles" {
                p = p.resize_dim(x, dim, TILE, 0, Indices::Shifted)?;
            }
        }
        if extent == Extent::Block {
            p = p.divide_dim(a, 0, TILE)?.divide_dim(b, 1, TILE)?.rearrange_dim(b, &[1, 0, 2])?;
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
    let p = match extent {
        Extent::Tile => {
            let p = p.replace(rows, &d.instruction("gemmini_mvin"))?;
            p.replace(columns, &d.instruction("gemmini_mvin2"))?
        }
        Extent::Block => {
            let p = p.divide_loop(rows.clone(), TILE, ["r", "i"], Tail::Perfect)?;
            let inner = p.forward(&columns)?.body()?.at(0)?;
            let p = p
                .divide_loop(inner, TILE, ["r", "j"], Tail::Perfect)?
                .reorder_loops(columns.clone())?
                .simplify()?;
            let p = p.replace(p.forward(&rows)?.body()?.at(0)?, &d.instruction("gemmini_mvin"))?;
            let tiles = p.find(&format!("{b}[_] = _"))?.parent()?.parent()?;
            if is_whole {
                p.replace(tiles.parent()?, &d.instruction("gemmini_mvin2_blocks"))?
            } else {
                p.replace(tiles, &d.instruction("gemmini_mvin2"))?
            }
        }
    };
    let mut tile = p.forward(product)?;
    for _ in 0..extent.names().loops.len() - 2 {
        tile = tile.body()?.at(0)?;
    }
    let p = p.replace(tile, &d.instruction("gemmini_matmul_acc"))?;
    if !is_whole {
        return Ok(p);
    }
    // Two of each: one is filled while the other is used.
    let p = [a, b].into_iter().try_fold(p, |p, x| p.expand_dim(x, 2, "lo % 2")?.lift_alloc(x, 1))?;
    p.simplify()
}

/// Sums are stored by instructions: what they need of the state is set in front of the loops.
fn stored(d: &Definitions, p: &Proc, names: &Names) -> Result<Proc> {
    let st = d.config("GemminiSt");
    let p = p.bind_config(p.find("s = s * scale")?.rhs()?.rhs()?, &st, "scale")?;
    let p = to_front(&p, "GemminiSt.scale = _")?;
    let p = p.bind_config(p.find("if act == True: _")?.cond()?.lhs()?, &st, "act")?;
    let p = to_front(&p, "GemminiSt.act = _")?;
    let p = p.write_config(p.find("GemminiSt.act = _")?.before()?, &st, "dst_stride", "stride(C, 0)")?;
    let p = p.write_config(p.find("GemminiSt.scale = _")?.after()?, &st, "wide", "False")?;
    let p = alone(&p, "GemminiSt.wide = _", names.loops.len())?;
    let first = p.find("GemminiSt.dst_stride = _")?;
    let p = p.replace(first.expand(Some(0), Some(3))?, &d.instruction("gemmini_config_st"))?;
    let p = to_front(&p, "gemmini_config_st(_)")?;
    let tile = p.find("t = _")?.parent()?.parent()?;
    p.replace(tile, &d.instruction("gemmini_mvout"))
}

/// A statement goes to the front of its block.
fn to_front(p: &Proc, text: &str) -> Result<Proc> {
    let statement = p.find(text)?;
    let mut p = p.clone();
    while let Ok(before) = p.forward(&statement)?.prev(1) {
        p = p.reorder_stmts(before.expand(Some(0), Some(1))?)?;
    }
    Ok(p)
}

/// What stands up to a statement at the front of so many loops runs once, before them.
fn alone(p: &Proc, last: &str, loops: usize) -> Result<Proc> {
    let depth = i64::try_from(loops).unwrap_or(i64::MAX);
    let p = p.fission(p.find(last)?.after()?, depth)?;
    (0..loops).try_fold(p, |p, _| {
        let mut at = p.find(last)?.parent()?;
        while !at.is_loop() {
            at = at.parent()?;
        }
        p.remove_loop(at)
    })
}

/// The registers of the loads and of the array.
fn configured(d: &Definitions, p: &Proc) -> Result<Proc> {
    let set = [
        ("GemminiLd1", "src_stride", "stride(B, 0)", "gemmini_config_ld1"),
        ("GemminiLd0", "src_stride", "stride(A, 0)", "gemmini_config_ld0"),
        ("GemminiEx", "weight_stationary", "True", "gemmini_config_ex_ws"),
    ];
    set.into_iter().try_fold(p.clone(), |p, (config, field, value, instruction)| {
        let p = p.write_config(p.body()?.at(0)?.before()?, &d.config(config), field, value)?;
        p.replace(p.body()?.at(0)?, &d.instruction(instruction))
    })
}

/// The product for all sizes. Equivalent to the plain one modulo the registers.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn matmul(d: &Definitions, registers: Registers) -> Result<Proc> {
    let kernels = Kernels { block: kernel(d, Extent::Block)?, tile: kernel(d, Extent::Tile)?, registers };
    let p = d.proc("matmul").rename("gemmini_matmul")?;
    let (p, [blocks, tiles, rest]) = by_size(&p, &p.find_loop("i")?, ["ib", "it"])?;
    let parts = [(blocks, Part::Blocks), (tiles, Part::Tiles), (rest, Part::Rest)];
    parts.iter().try_fold(p, |p, (rows, part)| by_columns(&p, rows, *part, &kernels))?.simplify()
}

/// A loop as one over blocks, one over tiles, and what is left.
fn by_size(p: &Proc, at: &Cursor, [block, tile]: [&str; 2]) -> Result<(Proc, [Cursor; 3])> {
    let name = at.name()?;
    let p = p.divide_loop(at.clone(), BLOCK, [block, name.as_str()], Tail::Cut)?;
    let blocks = p.forward(at)?;
    let tiles = blocks.next(1)?;
    let p = p.divide_loop(tiles.clone(), TILE, [tile, name.as_str()], Tail::Cut)?;
    let (blocks, tiles) = (p.forward(&blocks)?, p.forward(&tiles)?);
    let rest = tiles.next(1)?;
    Ok((p, [blocks, tiles, rest]))
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
        let p = call(&p, nest, &kernels.block)?;
        return match kernels.registers {
            Registers::Each => Ok(p),
            Registers::Once => hoisted(&p, kernels),
        };
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
    let p = match columns {
        Part::Blocks => {
            let inner = at.body()?.at(0)?.body()?.at(0)?;
            let p = p.reorder_loops(at.clone())?.divide_loop(inner, TILE, ["jt", "j"], Tail::Perfect)?;
            p.reorder_loops(at.clone())?
        }
        Part::Tiles => p.reorder_loops(at.clone())?,
        Part::Rest => p,
    };
    let guards = [("n", rows), ("m", columns)].into_iter().filter(|(_, part)| *part == Part::Rest);
    let guards: Vec<String> = guards.map(|(x, _)| format!("{x} % {TILE} > 0")).collect();
    let p = guards.iter().try_fold(p, |p, guard| p.specialize(at.clone(), &[guard]))?;
    call(&p, &at, &kernels.tile)
}

/// The kernel of blocks in its place, and what it sets before all of them.
fn hoisted(p: &Proc, kernels: &Kernels) -> Result<Proc> {
    let call = p.find(&format!("{}(_)", kernels.block.fast.name()))?;
    let p = p.inline(call)?;
    let p = ["A", "B", "C"].into_iter().try_fold(p, |p, x| p.inline_window(p.find(&format!("{x} = _"))?))?;
    alone(&p, "gemmini_config_ld1(_)", 2)
}

/// Puts a call in place of a nest.
fn call(p: &Proc, at: &Cursor, kernel: &Kernel) -> Result<Proc> {
    let p = p.replace(at.clone(), &kernel.plain)?;
    p.call_eqv(format!("{}(_)", kernel.plain.name()).as_str(), &kernel.fast)
}

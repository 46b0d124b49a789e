//! Convolutions of bytes, of 3 by 3 with a border of zeros and of 1 by 1: blocks of up to 8 rows, 16 columns and 64
//! channels out, whose sums stay in the accumulator. What is loaded of the image is used for four tiles of channels, and
//! the weights of a tile are brought into the array once for all rows. PLDI'22 §7.1. Spec: [rule: kernels.gemmini-conv].

use super::padding::filled;
use super::registers::{Hoisting, Setting, configured};
use super::{BLOCK, Kernel, TILE, TILES, by_size, call, sizes};
use crate::definitions::Definitions;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// Rows of the image in a block, at most.
const ROWS: i64 = 8;

/// A convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv {
    /// Rows, and columns, of its weights.
    pub taps: Taps,
    /// Whether sums begin with a bias.
    pub bias: bool,
}

/// Rows, and columns, of the weights of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taps {
    /// 1 by 1.
    One,
    /// 3 by 3, with one row and column of zeros around the image.
    Three,
}

impl Taps {
    /// Loops over rows and columns of the weights.
    fn loops(self) -> usize {
        match self {
            Taps::One => 0,
            Taps::Three => 2,
        }
    }

    /// The row and column of the weights that the loops are at.
    fn place(self) -> &'static str {
        match self {
            Taps::One => "0, 0",
            Taps::Three => "ky, kx",
        }
    }
}

impl Conv {
    /// Its definitions.
    pub fn definitions(self) -> Definitions {
        let lines = include_str!("conv.py").lines();
        let (kept, dropped) =
            if self.bias { ("  # bias", "  # no bias") } else { ("  # no bias", "  # bias") };
        let lines = lines.filter(|l| !l.ends_with(dropped));
        let lines: Vec<&str> = lines.map(|l| l.strip_suffix(kept).unwrap_or(l)).collect();
        Definitions::of(&lines.join("\n"))
    }

    /// The name of its plain definition.
    pub fn name(self) -> &'static str {
        match self.taps {
            Taps::One => "conv1x1",
            Taps::Three => "conv3x3",
        }
    }
}

/// How many channels out a kernel computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Channels {
    /// Those of a block.
    Block,
    /// Up to those of a tile.
    Tile,
}

impl Channels {
    /// The loops over the sums of a tile, and, outermost last, those over tiles.
    fn loops(self) -> &'static [(&'static str, i64)] {
        match self {
            Channels::Block => &[("oi", TILE), ("p", TILE), ("r", ROWS), ("ot", TILES)],
            Channels::Tile => &[("o", TILE), ("p", TILE), ("r", ROWS)],
        }
    }

    /// The loops over channels, the innermost first.
    fn of_channels(self) -> &'static [&'static str] {
        match self {
            Channels::Block => &["oi", "ot"],
            Channels::Tile => &["o"],
        }
    }

    fn depth(self) -> i64 {
        i64::try_from(self.loops().len()).unwrap_or(i64::MAX)
    }

    fn name(self) -> &'static str {
        match self {
            Channels::Block => "block",
            Channels::Tile => "tile",
        }
    }

    fn extent(self) -> String {
        match self {
            Channels::Block => BLOCK.to_string(),
            Channels::Tile => "m".to_owned(),
        }
    }
}

/// A kernel whose registers are set before it.
fn kernel(d: &Definitions, conv: Conv, channels: Channels) -> Result<Kernel> {
    let plain = d.proc(&format!("{}_part", conv.name()));
    let plain = plain.rename(&format!("{}_{}", conv.name(), channels.name()))?;
    let plain = match channels {
        Channels::Block => plain.partial_eval(&sizes(&[("m", BLOCK)]))?,
        Channels::Tile => plain.add_assertion(format!("m <= {TILE}"))?,
    };
    let p = plain.rename(&format!("gemmini_{}", plain.name()))?;
    let p = summed(&tiled(&p, channels)?, conv, channels)?;
    let p = begun(d, &p, conv)?;
    let p =
        [Inputs::Whole, Inputs::Rest].into_iter().try_fold(p, |p, of| staged(d, &p, conv, channels, of))?;
    let tile = p.find("t = _")?.parent()?.parent()?;
    Ok(Kernel { plain, fast: p.replace(tile, &d.instruction("gemmini_mvout"))? })
}

/// Loops over tiles of channels, where there are several, outside.
fn tiled(p: &Proc, channels: Channels) -> Result<Proc> {
    match channels {
        Channels::Block => {
            let p = p.divide_loop("o", TILE, ["ot", "oi"], Tail::Perfect)?;
            p.reorder_loops("p ot")?.reorder_loops("r ot")
        }
        Channels::Tile => Ok(p.clone()),
    }
}

/// Channels in: those of whole tiles, 16 at a time, or what is left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inputs {
    Whole,
    Rest,
}

/// Sums in the accumulator: they begin, are added to by place of the weights and channels in, and are stored.
fn summed(p: &Proc, conv: Conv, channels: Channels) -> Result<Proc> {
    let (loops, depth, taps) = (channels.loops(), channels.depth(), conv.taps.loops());
    let p = p.divide_loop("c", TILE, ["co", "ci"], Tail::Cut)?;
    let p = loops.iter().try_fold(p, |p, (x, n)| p.expand_dim("res", *n, *x))?;
    let p = p.lift_alloc("res", depth)?.set_memory("res", "GEMM_ACCUM")?;
    let (whole, rest) = (p.find_loop("co")?, p.find_loop("ci #1")?);
    let p = p.fission(p.find("res[_] = _")?.after()?, depth)?;
    let products = up(&p, &whole, taps)?;
    let p = match conv.taps {
        Taps::One => p.fission(p.forward(&rest)?.after()?, depth)?,
        Taps::Three => p.fission(products.after()?, depth)?,
    };
    let p = p.fission(p.forward(&whole)?.after()?, depth + i64::try_from(taps).unwrap_or(0))?;
    // Rows of the weights, then columns, then channels in.
    let p = (0..=taps).rev().try_fold(p, |p, k| outward(&p, &up(&p, &whole, k)?, loops.len()))?;
    let p = (1..=taps).rev().try_fold(p, |p, k| outward(&p, &up(&p, &rest, k)?, loops.len()))?;
    let rest = up(&p, &rest, loops.len() + taps)?;
    p.specialize(rest, &[&format!("ic % {TILE} > 0")])?.simplify()
}

/// So many statements around one.
fn up(p: &Proc, at: &Cursor, levels: usize) -> Result<Cursor> {
    (0..levels).try_fold(p.forward(at)?, |c, _| Ok(c.parent()?))
}

/// So many statements in one, each the first.
fn down(at: &Cursor, levels: usize) -> Result<Cursor> {
    (0..levels).try_fold(at.clone(), |c, _| Ok(c.body()?.at(0)?))
}

/// A loop, so many loops further out.
fn outward(p: &Proc, at: &Cursor, loops: usize) -> Result<Proc> {
    (0..loops).try_fold(p.clone(), |p, _| p.reorder_loops(p.forward(at)?.parent()?))
}

/// What sums begin with.
fn begun(d: &Definitions, p: &Proc, conv: Conv) -> Result<Proc> {
    let tile = p.find("res[_] = _")?.parent()?.parent()?;
    let instruction = if conv.bias { "gemmini_mvin3_repeated" } else { "gemmini_zero_acc" };
    p.replace(tile, &d.instruction(instruction))
}

/// Operands in the scratchpad, and products by the array.
fn staged(d: &Definitions, p: &Proc, conv: Conv, channels: Channels, of: Inputs) -> Result<Proc> {
    let (f, at, from) = match of {
        Inputs::Whole => {
            ("f_tiles", p.find_loop("co")?.body()?.at(0)?, format!("{TILE} * co:{TILE} * co + {TILE}"))
        }
        Inputs::Rest => {
            let guard = p.find(&format!("if ic % {TILE} > 0: _"))?;
            ("f_rest", down(&guard, 1 + conv.taps.loops())?, format!("{TILE} * (ic / {TILE}):ic"))
        }
    };
    let window = format!("weights[{}, {from}, 0:{}]", conv.taps.place(), channels.extent());
    let p = p.stage_mem(at.clone(), window, f, Staging::Copy)?.set_memory(f, "GEMM_SCRATCH")?;
    let p = weighted(d, &p, channels, of, f)?;
    let (p, product, v) = apart(d, &p, &p.forward(&at)?, conv, channels)?;
    let tile = p.forward(&product)?;
    let tile = match channels {
        Channels::Block => tile.body()?.at(0)?,
        Channels::Tile => tile,
    };
    let p = p.replace(tile, &d.instruction("gemmini_matmul_acc_blocks"))?;
    match of {
        Inputs::Rest => Ok(p),
        // Two of each: one is filled while the other is used.
        Inputs::Whole => {
            let lifts = i64::try_from(conv.taps.loops() + 1).unwrap_or(1);
            let f = p.find_alloc_or_arg(f)?;
            let p = [v, f].into_iter().try_fold(p, |p, x| {
                let p = p.expand_dim(p.forward(&x)?, 2, "co % 2")?;
                p.lift_alloc(p.forward(&x)?, lifts)
            })?;
            p.simplify()
        }
    }
}

/// The loops that bring weights into the scratchpad.
fn weighted(d: &Definitions, p: &Proc, channels: Channels, of: Inputs, f: &str) -> Result<Proc> {
    let fill = |p: &Proc| p.find(&format!("{f}[_] = _"))?.parent()?.parent();
    let p = match channels {
        Channels::Tile => {
            let p = p.resize_dim(f, 1, TILE, 0, Indices::Shifted)?;
            return p.replace(fill(&p)?, &d.instruction("gemmini_mvin2"));
        }
        Channels::Block => p.divide_dim(f, 1, TILE)?.rearrange_dim(f, &[1, 0, 2])?,
    };
    let rows = fill(&p)?;
    let p = p.divide_loop(rows.body()?.at(0)?, TILE, ["t", "j"], Tail::Perfect)?;
    let p = p.reorder_loops(p.forward(&rows)?)?.simplify()?;
    let tile = fill(&p)?;
    match of {
        Inputs::Whole => p.replace(tile.parent()?, &d.instruction("gemmini_mvin2_blocks")),
        Inputs::Rest => p.replace(tile, &d.instruction("gemmini_mvin2")),
    }
}

/// The cells of the image that the products of a nest use are computed before it, in the scratchpad: the nest of
/// products, and the allocation.
fn apart(
    d: &Definitions,
    p: &Proc,
    nest: &Cursor,
    conv: Conv,
    channels: Channels,
) -> Result<(Proc, Cursor, Cursor)> {
    let loops = channels.loops().len() + 1;
    let alloc = down(nest, loops)?;
    let last = match conv.taps {
        Taps::One => alloc.next(1)?,
        Taps::Three => alloc.next(2)?,
    };
    let add = alloc.parent()?.body()?.at(-1)?;
    let depth = channels.depth() + 1;
    let dims = [("ci", TILE), ("p", TILE), ("r", ROWS)];
    let p = dims.into_iter().try_fold(p.clone(), |p, (x, n)| p.expand_dim(p.forward(&alloc)?, n, x))?;
    let p = p.lift_alloc(p.forward(&alloc)?, depth)?;
    let p = p.set_memory(p.forward(&alloc)?, "GEMM_SCRATCH")?;
    let p = p.fission(p.forward(&last)?.after()?, depth)?;
    let product = up(&p, &add, loops)?;
    let mut p = p;
    for x in channels.of_channels() {
        let mut at = p.forward(&last)?;
        while !at.is_loop() || at.name()?.as_str() != *x {
            at = at.parent()?;
        }
        p = p.remove_loop(at)?;
    }
    let rows = up(&p, &last, 3)?;
    let p = match conv.taps {
        Taps::One => p.replace(rows.body()?.at(0)?, &d.instruction("gemmini_mvin"))?,
        Taps::Three => filled(d, &p, &rows)?,
    };
    Ok((p, product, alloc))
}

/// The convolution for all sizes. Equivalent to the plain one modulo the registers.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn conv(conv: Conv) -> Result<Proc> {
    let d = conv.definitions();
    let p = d.proc(conv.name()).rename(&format!("gemmini_{}", conv.name()))?;
    let setting = Setting {
        loads: ["stride(image, 2)", "stride(weights, 2)"],
        repeats: conv.bias,
        store: "stride(out, 2)",
    };
    let p = configured(&d, &p, &setting, Hoisting::Combined)?;
    let kernels = [kernel(&d, conv, Channels::Block)?, kernel(&d, conv, Channels::Tile)?];
    let y = p.find_loop("y")?;
    let p = p.divide_loop(y.clone(), ROWS, ["yb", "y"], Tail::Cut)?;
    let blocks = p.forward(&y)?;
    let parts = [(blocks.body()?.at(0)?, None), (blocks.next(1)?, Some(format!("height % {ROWS} > 0")))];
    parts.into_iter().try_fold(p, |p, (rows, guard)| by_columns(&p, &rows, guard, &kernels))?.simplify()
}

/// The columns of some rows, which the loop at `rows` runs over, 16 at a time, and what is left.
fn by_columns(p: &Proc, rows: &Cursor, guard: Option<String>, kernels: &[Kernel; 2]) -> Result<Proc> {
    let x = p.forward(rows)?.body()?.at(0)?;
    let p = p.divide_loop(x.clone(), TILE, ["xb", "x"], Tail::Cut)?;
    let (whole, rest) = (p.forward(&x)?, p.forward(&x)?.next(1)?);
    let p = p.fission(whole.after()?, 1)?;
    let p = outward(&p, &whole, 1)?;
    let whole = p.forward(&whole)?.body()?.at(0)?;
    let rest = p.forward(&rest)?.parent()?;
    let guards: Vec<String> = guard.into_iter().collect();
    let narrow = [guards.as_slice(), &[format!("width % {TILE} > 0")]].concat();
    let p = by_channels(&p, &whole, &guards, kernels)?;
    by_channels(&p, &rest, &narrow, kernels)
}

/// The channels out of some rows and columns: by blocks, by tiles, and what is left.
fn by_channels(p: &Proc, nest: &Cursor, guards: &[String], [block, tile]: &[Kernel; 2]) -> Result<Proc> {
    let nest = p.forward(nest)?;
    let (p, [blocks, tiles, rest]) = by_size(p, &down(&nest, 2)?, ["ob", "ot"])?;
    let p = p.fission(p.forward(&blocks)?.after()?, 2)?;
    let p = p.fission(p.forward(&tiles)?.after()?, 2)?;
    let p = outward(&outward(&p, &blocks, 2)?, &tiles, 2)?;
    let (blocks, tiles) = (down(&p.forward(&blocks)?, 1)?, down(&p.forward(&tiles)?, 1)?);
    let rest = up(&p, &rest, 2)?;
    let p = guarded(&p, &blocks, guards, block)?;
    let p = guarded(&p, &tiles, guards, tile)?;
    guarded(&p, &rest, &[guards, &[format!("oc % {TILE} > 0")]].concat(), tile)
}

/// A call in place of a nest, under guards.
fn guarded(p: &Proc, nest: &Cursor, guards: &[String], kernel: &Kernel) -> Result<Proc> {
    let nest = p.forward(nest)?;
    let p = guards.iter().try_fold(p.clone(), |p, guard| p.specialize(nest.clone(), &[guard]))?;
    call(&p, &nest, kernel)
}

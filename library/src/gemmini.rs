//! Products and convolutions of bytes on Gemmini, for all sizes. PLDI'22 §7.1; ASPLOS'25 §6.1.2.
//! Spec: [rule: kernels.gemmini], [rule: kernels.gemmini-conv].

mod conv;
mod matmul;
mod padding;
mod registers;

pub use conv::{Conv, Taps, conv};
pub use matmul::{Registers, SOURCE, matmul};
pub use registers::{Hoisting, hoisted};

use rewright_primitives::error::Result;
use rewright_primitives::ops::Tail;
use rewright_primitives::registry::Value;
use rewright_primitives::{Cursor, Proc};

/// Rows and columns of the array.
const TILE: i64 = 16;
/// Tiles beside each other in a block.
const TILES: i64 = 4;
/// Columns of a block.
const BLOCK: i64 = TILE * TILES;

/// A part of a computation: as a program, and as it runs.
struct Kernel {
    plain: Proc,
    fast: Proc,
}

/// Values of arguments, by name.
fn sizes(all: &[(&str, i64)]) -> Value {
    Value::Named(all.iter().map(|(name, n)| ((*name).to_owned(), Value::Int(*n))).collect())
}

/// Puts a call in place of a nest.
fn call(p: &Proc, at: &Cursor, kernel: &Kernel) -> Result<Proc> {
    let p = p.replace(at.clone(), &kernel.plain)?;
    p.call_eqv(format!("{}(_)", kernel.plain.name()).as_str(), &kernel.fast)
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

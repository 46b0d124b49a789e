//! The GEMM of PLDI'22 §2 on the accelerator: operands in the scratchpad, results in the accumulator, and the two
//! registers for strides set once, before all loops.

use super::definitions::Definitions;
use rewright_primitives::Proc;
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};

/// The definitions.
pub const SOURCE: &str = include_str!("accelerator.py");

/// Rows and columns of a tile.
const TILE: i64 = 16;

/// The GEMM, equivalent to the plain one modulo the two registers.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn gemm(d: &Definitions) -> Result<Proc> {
    let p = staged(&tiled(&d.proc("gemm").rename("accelerator_gemm")?)?)?;
    let p = configured(d, &p)?;
    let p = instructed(d, &p)?;
    hoisted(&p)
}

/// Tiles: three loops over them, three inside.
fn tiled(p: &Proc) -> Result<Proc> {
    let tiled =
        |p: Proc, x: &str| p.divide_loop(x, TILE, [&format!("{x}o"), &format!("{x}i")], Tail::Perfect);
    let p = ["i", "j", "k"].into_iter().try_fold(p.clone(), tiled)?;
    ["ii jo", "ji ko", "ii ko"].into_iter().try_fold(p, |p, two| p.reorder_loops(two))
}

/// A tile of C in the accumulator while `ko` runs, and tiles of A and B in the scratchpad.
fn staged(p: &Proc) -> Result<Proc> {
    let tile = |x: &str, row: &str, column: &str| {
        format!("{x}[{TILE} * {row}:{TILE} * {row} + {TILE}, {TILE} * {column}:{TILE} * {column} + {TILE}]")
    };
    let product = p.find_loop("ii")?;
    let p = p.stage_mem(p.find_loop("ko")?, tile("C", "io", "jo"), "res", Staging::Copy)?;
    let p = p.stage_mem(product.clone(), tile("A", "io", "ko"), "a", Staging::Copy)?;
    let p = p.stage_mem(product, tile("B", "ko", "jo"), "b", Staging::Copy)?;
    let homes = [("res", "ACCEL_ACCUM"), ("a", "ACCEL_SCRATCH"), ("b", "ACCEL_SCRATCH")];
    let p = homes.into_iter().try_fold(p, |p, (x, memory)| p.set_memory(x, memory))?;
    p.simplify()
}

/// The registers are set before the first load, and before the store.
fn configured(d: &Definitions, p: &Proc) -> Result<Proc> {
    let load = p.find("res: _")?.before()?;
    let p = p.write_config(load, &d.config("ConfigLoad"), "src_stride", "stride(A, 0)")?;
    let store = p.find("for i0 in _: _ #3")?.before()?;
    p.write_config(store, &d.config("ConfigStore"), "dst_stride", "stride(C, 0)")
}

/// Loops and writes of registers become instructions.
fn instructed(d: &Definitions, p: &Proc) -> Result<Proc> {
    let places = [
        ("ConfigLoad.src_stride = _", "accel_config_ld"),
        ("ConfigStore.dst_stride = _", "accel_config_st"),
        ("for i0 in _: _", "accel_mvin_acc"),
        ("for i0 in _: _", "accel_mvin"),
        ("for i0 in _: _", "accel_mvin"),
        ("for ii in _: _", "accel_matmul"),
        ("for i0 in _: _", "accel_mvout"),
    ];
    places.into_iter().try_fold(p.clone(), |p, (at, name)| p.replace(at, &d.instruction(name)))
}

/// The registers are set before all loops: the statements go to the front of the body of `jo`, get loops of their own,
/// and these loops go.
fn hoisted(p: &Proc) -> Result<Proc> {
    let st = p.find("accel_config_st(_)")?;
    let mut p = p.clone();
    while p.forward(&st)?.prev(1).is_ok() {
        let before = p.forward(&st)?.prev(1)?;
        p = p.reorder_stmts(before.expand(Some(0), Some(1))?)?;
    }
    for name in ["accel_config_st(_)", "accel_config_ld(_)"] {
        let set: At = p.find(name)?.after()?.into();
        p = p.fission(set, 2)?;
        p = p.remove_loop(p.find(name)?.parent()?)?;
        p = p.remove_loop(p.find(name)?.parent()?)?;
    }
    Ok(p)
}

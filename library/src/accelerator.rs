//! The GEMM of PLDI'22 §2 on the accelerator: operands in the scratchpad, results in the accumulator, and the two
//! registers for strides set once, before all loops.

use super::definitions::Definitions;
use rewright_primitives::Proc;
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::divide_loop::{Tail, divide_loop};
use rewright_primitives::ops::fission::fission;
use rewright_primitives::ops::remove_loop::remove_loop;
use rewright_primitives::ops::rename::rename;
use rewright_primitives::ops::reorder_loops::reorder_loops;
use rewright_primitives::ops::reorder_stmts::reorder_stmts;
use rewright_primitives::ops::replace::replace;
use rewright_primitives::ops::set_memory::set_memory;
use rewright_primitives::ops::simplify::simplify;
use rewright_primitives::ops::stage_mem::stage_mem;
use rewright_primitives::ops::write_config::write_config;

/// The definitions.
pub const SOURCE: &str = include_str!("accelerator.py");

/// Rows and columns of a tile.
const TILE: i64 = 16;

/// The GEMM, equivalent to the plain one modulo the two registers.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn gemm(d: &Definitions) -> Result<Proc> {
    let p = staged(&tiled(&rename(&d.proc("gemm"), "accelerator_gemm")?)?)?;
    let p = configured(d, &p)?;
    let p = instructed(d, &p)?;
    hoisted(&p)
}

/// Tiles: three loops over them, three inside.
fn tiled(p: &Proc) -> Result<Proc> {
    let tiled =
        |p: Proc, x: &str| divide_loop(&p, x, TILE, [&format!("{x}o"), &format!("{x}i")], Tail::Perfect);
    let p = ["i", "j", "k"].into_iter().try_fold(p.clone(), tiled)?;
    ["ii jo", "ji ko", "ii ko"].into_iter().try_fold(p, |p, two| reorder_loops(&p, two))
}

/// A tile of C in the accumulator while `ko` runs, and tiles of A and B in the scratchpad.
fn staged(p: &Proc) -> Result<Proc> {
    let tile = |x: &str, row: &str, column: &str| {
        format!("{x}[{TILE} * {row}:{TILE} * {row} + {TILE}, {TILE} * {column}:{TILE} * {column} + {TILE}]")
    };
    let product = p.find_loop("ii")?;
    let p = stage_mem(p, p.find_loop("ko")?, &tile("C", "io", "jo"), "res", false)?;
    let p = stage_mem(&p, product.clone(), &tile("A", "io", "ko"), "a", false)?;
    let p = stage_mem(&p, product, &tile("B", "ko", "jo"), "b", false)?;
    let homes = [("res", "GEMM_ACCUM"), ("a", "GEMM_SCRATCH"), ("b", "GEMM_SCRATCH")];
    let p = homes.into_iter().try_fold(p, |p, (x, memory)| set_memory(&p, x, memory))?;
    simplify(&p)
}

/// The registers are set before the first load, and before the store.
fn configured(d: &Definitions, p: &Proc) -> Result<Proc> {
    let load = p.find("res: _")?.before()?;
    let p = write_config(p, load, &d.config("ConfigLoad"), "src_stride", "stride(A, 0)")?;
    let store = p.find("for i0 in _: _ #3")?.before()?;
    write_config(&p, store, &d.config("ConfigStore"), "dst_stride", "stride(C, 0)")
}

/// Loops and writes of registers become instructions.
fn instructed(d: &Definitions, p: &Proc) -> Result<Proc> {
    let places = [
        ("ConfigLoad.src_stride = _", "gemmini_config_ld"),
        ("ConfigStore.dst_stride = _", "gemmini_config_st"),
        ("for i0 in _: _", "gemmini_mvin_acc"),
        ("for i0 in _: _", "gemmini_mvin"),
        ("for i0 in _: _", "gemmini_mvin"),
        ("for ii in _: _", "gemmini_matmul"),
        ("for i0 in _: _", "gemmini_mvout"),
    ];
    places.into_iter().try_fold(p.clone(), |p, (at, name)| replace(&p, at, &d.instruction(name)))
}

/// The registers are set before all loops: the statements go to the front of the body of `jo`, get loops of their own,
/// and these loops go.
fn hoisted(p: &Proc) -> Result<Proc> {
    let st = p.find("gemmini_config_st(_)")?;
    let mut p = p.clone();
    while p.forward(&st)?.prev(1).is_ok() {
        let before = p.forward(&st)?.prev(1)?;
        p = reorder_stmts(&p, before.expand(Some(0), Some(1))?)?;
    }
    for name in ["gemmini_config_st(_)", "gemmini_config_ld(_)"] {
        let set: At = p.find(name)?.after()?.into();
        p = fission(&p, set, 2)?;
        p = remove_loop(&p, p.find(name)?.parent()?)?;
        p = remove_loop(&p, p.find(name)?.parent()?)?;
    }
    Ok(p)
}

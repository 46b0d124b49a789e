//! SGEMM on AVX-512: the product of [`crate::gemm`] with the record of that machine. PLDI'22 §7.2.

use super::definitions::Definitions;
use super::gemm::{self, Gemm};
use crate::target::Target;
use rewright_machines::MACHINES;
use rewright_primitives::Proc;
use rewright_primitives::error::Result;
use rewright_semantics::types::DataType;

/// The definitions.
pub const SOURCE: &str = gemm::SOURCE;

/// The product on AVX-512.
fn avx512(d: &Definitions) -> Result<Gemm<'_>> {
    let machine = MACHINES.iter().copied().find(|m| m.name == "avx512");
    let target = machine.and_then(|m| Target::of(m, DataType::F32).ok());
    Gemm::with(d, &target.unwrap_or_else(|| Target::portable(DataType::F32)))
}

/// The micro-kernel: 6 by 64 cells of C.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn micro_kernel(d: &Definitions) -> Result<Proc> {
    gemm::micro_kernel(&avx512(d)?)
}

/// An edge of so many rows and registers, the last of which may be partly used.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn edge_kernel(d: &Definitions, rows: i64, vectors: i64) -> Result<Proc> {
    gemm::edge_kernel(&avx512(d)?, rows, vectors)
}

/// SGEMM for all sizes.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn sgemm(d: &Definitions) -> Result<Proc> {
    gemm::by_depth(&avx512(d)?, &d.proc("sgemm"))
}

//! Kernels scheduled in Rust, with primitives and small functions: from a plain program to an instruction set.
//! PLDI'22 §2 and §7; what Exo 2 calls a user's library, ASPLOS'25 §6. Spec: [rule: kernels], [rule: library.operations].
//!
//! What must stay true at this boundary: a schedule is made of primitives, and of nothing that a user could not write.

pub mod accelerator;
pub mod amx;
pub mod blas;
pub mod definitions;
pub mod gemm;
pub mod gemmini;
pub mod images;
pub mod inspect;
pub mod ops;
pub mod refusal;
pub mod sgemm;
pub mod target;
pub mod vectorize;

pub use target::Target;
pub use vectorize::{Options, Tail, vectorize};

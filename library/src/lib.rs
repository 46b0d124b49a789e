//! Kernels scheduled in Rust, with primitives and small functions: from a plain program to an instruction set.
//! PLDI'22 §2 and §7; what Exo 2 calls a user's library, ASPLOS'25 §6. Spec: [rule: kernels].
//!
//! What must stay true at this boundary: a schedule is made of primitives, and of nothing that a user could not write.

pub mod accelerator;
mod column;
pub mod definitions;
pub mod sgemm;

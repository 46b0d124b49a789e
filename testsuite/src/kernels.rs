//! Kernels scheduled in Rust, with primitives and small functions: from a plain program to an instruction set.
//! PLDI'22 §2 and §7; spec: [rule: kernels].

pub mod accelerator;
mod column;
pub mod library;
pub mod measure;
pub mod reference;
pub mod sgemm;

//! Image pipelines, scheduled as in Halide: stages are loop nests, one after the other, and each writes a buffer; its name
//! is the stage's. ASPLOS'25 §6.3.2. Spec: [rule: library.images], [rule: kernels.images].

mod blur;
mod footprint;
mod stages;
mod unsharp;

pub use blur::{BLUR, blur};
pub use stages::{compute_and_store_at, compute_at, inline, parallel, store_at, store_in, tile, vectorize};
pub use unsharp::{UNSHARP, unsharp};

use crate::Target;
use rewright_primitives::Proc;
use rewright_primitives::error::Result;
use rewright_semantics::types::DataType;

/// A pipeline: its plain program and its schedule, which serves every target with vectors of its pixels.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// What its procedure is called.
    pub name: &'static str,
    /// The definition of that.
    pub text: &'static str,
    /// Of its pixels.
    pub precision: DataType,
    /// What makes it fast.
    pub schedule: fn(&Proc, &Target) -> Result<Proc>,
}

/// All of them.
pub const PIPELINES: [Pipeline; 2] = [
    Pipeline { name: "blur", text: BLUR, precision: DataType::UI16, schedule: blur },
    Pipeline { name: "unsharp", text: UNSHARP, precision: DataType::F32, schedule: unsharp },
];

//! Instructions, memories and kernels of machines: their C against their bodies.

mod amx;
mod bf16;
mod gemmini;
mod instructions;
mod instructions_edited;
mod kernels;
mod memories;
mod models;
mod own_machine;
mod programs;
mod targets;

// `own_machine/dsp.rs` is written as in the crate of the machines.
use rewright_machines::{Definitions, Machine, Run};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

//! The Halide model: its meaning, its schedules, its bounds and its C.

mod c;
mod cases;
mod closed;
mod compute_with;
mod confluence;
mod expressions;
mod float_index;
mod fold;
mod golden;
mod model;
mod mutants;
mod orders;
mod peer;
mod practice;
mod promotion;
mod proofs;
mod regions;
mod scheduled;
mod slide;
mod text;
mod typed;
mod typed_cases;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

//! Effects, conditions and the solver, on random programs and on the corpus.

mod abstraction;
mod conditions;
mod contexts;
mod exprs;
mod frontend;
mod hard_questions;
mod workload;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

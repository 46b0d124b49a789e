//! Random programs, and the campaigns over them.

mod accepted;
mod forms;
mod generated;
mod generated_c;
mod machines;
mod saved;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

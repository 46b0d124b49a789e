//! The pages of the specification, and the shape of the workspace, hold what the code does.

mod coverage;
mod errata;
mod frontend;
mod layers;
mod links;
mod module_graph;
mod mutants;
mod tutorial;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

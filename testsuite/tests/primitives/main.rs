//! Rewrites: what each does to programs, to cursors and to versions, and what it refuses.

mod cursor_laws;
mod exact_steps;
mod families;
mod forwarding;
mod forwarding_examples;
mod forwarding_pieces;
mod hoisting;
mod huge;
mod local_steps;
mod long_blocks;
mod mutants;
mod refusals;
mod replace_finds;
mod rounding;
mod schedules;
mod sessions;
mod simplify;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

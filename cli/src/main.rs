//! The command `rewright`, with the primitives that it comes with.

use mimalloc::MiMalloc;
use rewright_primitives::registry::Registry;
use std::process::ExitCode;

/// Programs are many small nodes: the system's allocator takes a quarter of the time to read them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    rewright_cli::main(&Registry::standard())
}

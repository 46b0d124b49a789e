//! `rewright` with one primitive more.

mod merge_repeats;

use rewright_primitives::registry::{NameTaken, Registry};
use std::process::ExitCode;

fn main() -> Result<ExitCode, NameTaken> {
    let primitives = Registry::standard().with(&merge_repeats::MERGE_REPEATS)?;
    Ok(rewright_cli::main(&primitives))
}

//! The command line of `rewright perceus`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Perceus: precise reference counting, from the linear resource calculus.
#[derive(Debug, Args)]
pub(crate) struct Perceus {
    #[command(subcommand)]
    pub(crate) command: PerceusCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PerceusCommand {
    Case(PerceusCase),
}

impl PerceusCommand {
    /// As it is given on the command line.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            PerceusCommand::Case(_) => "perceus case",
        }
    }
}

/// Hold reference cases against the calculus.
///
/// Ends with 0 when everything comes out as the cases state, with 3 when something differs, with 1 when a file is
/// broken.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  rewright perceus case k_applied.json map.json")]
pub(crate) struct PerceusCase {
    /// Cases in JSON.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

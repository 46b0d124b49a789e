//! The command line of `rewright halide`.

use clap::{Args, Subcommand, ValueEnum};
use rewright_halide_model::confluence::Engine;
use std::path::PathBuf;

/// The Halide model: evaluate, lower, schedule and bound algorithms, and check cases against it.
#[derive(Debug, Args)]
pub(crate) struct Halide {
    #[command(subcommand)]
    pub(crate) command: HalideCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HalideCommand {
    Check(HalideCheck),
    Eval(HalideRun),
    Lower(HalideFile),
    Schedule(HalideFile),
    Bounds(HalideRun),
}

/// Hold cases against the model: by rule, by execution under each bounds engine, by compiled C.
///
/// Ends with 0 exactly when every case comes out as it states.
#[derive(Debug, Args)]
pub(crate) struct HalideCheck {
    /// Cases in JSON.
    #[arg(required = true, value_name = "CASE")]
    pub(crate) files: Vec<PathBuf>,
    /// Leave the C compiler out.
    #[arg(long)]
    pub(crate) no_c: bool,
    /// Tell what was done for each case, and why cases are refused.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// A pipeline: a case in JSON, or text.
#[derive(Debug, Args)]
pub(crate) struct HalideFile {
    /// The pipeline.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Refuse directives that are not in the order of their phases, rather than sorting them.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// A pipeline and what to do with it.
#[derive(Debug, Args)]
pub(crate) struct HalideRun {
    #[command(flatten)]
    pub(crate) pipeline: HalideFile,
    /// Which bounds engine.
    #[arg(long, value_enum, default_value_t = EngineArg::Tight)]
    pub(crate) engine: EngineArg,
    /// Print the C of the completed program.
    #[arg(long)]
    pub(crate) c: bool,
}

/// A bounds engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArg {
    Baseline,
    Tight,
    Oracle,
}

impl EngineArg {
    pub(crate) fn engine(self) -> Engine {
        match self {
            EngineArg::Baseline => Engine::Baseline,
            EngineArg::Tight => Engine::Tight,
            EngineArg::Oracle => Engine::Oracle,
        }
    }
}

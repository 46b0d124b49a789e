//! The command line of `rewright halide`.

use clap::{Args, Subcommand, ValueEnum};
use rewright_halide_model::confluence::Engine;
use std::path::PathBuf;
use std::time::Duration;

/// The Halide model: evaluate, lower, schedule and bound algorithms, and check cases against it.
#[derive(Debug, Args)]
pub(crate) struct Halide {
    #[command(subcommand)]
    pub(crate) command: HalideCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HalideCommand {
    Check(HalideCheck),
    /// Print the algorithm's values over the window, and whether the scheduled program computes the same.
    #[command(after_help = "Example:\n  rewright halide eval blur.halide")]
    Eval(HalideEval),
    /// Print the lowered program, without its schedule.
    #[command(after_help = "Example:\n  rewright halide lower blur.halide")]
    Lower(HalideFile),
    /// Apply the schedule and print the program, its bounds still open; or say which rule refuses it.
    #[command(after_help = "Example:\n  rewright halide schedule blur.halide --strict")]
    Schedule(HalideFile),
    Bounds(HalideBounds),
    Explain(HalideExplain),
    Diff(HalideDiff),
}

impl HalideCommand {
    /// As it is given on the command line.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            HalideCommand::Check(_) => "halide check",
            HalideCommand::Eval(_) => "halide eval",
            HalideCommand::Lower(_) => "halide lower",
            HalideCommand::Schedule(_) => "halide schedule",
            HalideCommand::Bounds(_) => "halide bounds",
            HalideCommand::Explain(_) => "halide explain",
            HalideCommand::Diff(_) => "halide diff",
        }
    }
}

/// Hold cases against the model: by rule, by execution under each bounds engine, by compiled C.
///
/// Ends with 0 exactly when every case comes out as it states.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
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
}

/// A pipeline to evaluate.
#[derive(Debug, Args)]
pub(crate) struct HalideEval {
    #[command(flatten)]
    pub(crate) run: HalideRun,
    /// A value that does not fit the type of its func is an error, rather than wrapped around.
    #[arg(long)]
    pub(crate) checked: bool,
}

/// Complete the scheduled program with inferred bounds and verify them with z3; print it, or its C.
#[derive(Debug, Args)]
#[command(after_help = BOUNDS_EXAMPLES)]
pub(crate) struct HalideBounds {
    #[command(flatten)]
    pub(crate) run: HalideRun,
    /// Print the C of the completed program.
    #[arg(long)]
    pub(crate) c: bool,
    #[command(flatten)]
    pub(crate) proof: Proof,
}

/// Print the loop nest of the completed program: the regions of each func where they begin, and the demands that force them.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  rewright halide explain blur.halide")]
pub(crate) struct HalideExplain {
    #[command(flatten)]
    pub(crate) pipeline: HalideFile,
    #[command(flatten)]
    pub(crate) proof: Proof,
}

/// Whether bounds are verified, and how long that may take.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Proof {
    /// Leave the solver out: the bounds are told as they were found.
    #[arg(long)]
    pub(crate) no_verify: bool,
    /// How long the solver may take; there is no answer after that.
    #[arg(long, value_name = "SECONDS", conflicts_with = "no_verify")]
    pub(crate) timeout: Option<u32>,
}

impl Proof {
    /// The time that there is.
    pub(crate) fn time(self) -> Option<Duration> {
        self.timeout.map(|s| Duration::from_secs(u64::from(s)))
    }
}

/// Run a pipeline here and in Halide itself: values, the regions of all funcs, what is refused.
///
/// It asks the Python module `rewright.halide`, and that Halide's package; where values differ it shows a smaller pipeline
/// of which they do, too.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  rewright halide diff blur.halide")]
pub(crate) struct HalideDiff {
    /// The pipeline, a text with a `realize(…)`.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The interpreter that has both modules.
    #[arg(long, default_value = "python3", value_name = "COMMAND")]
    pub(crate) python: String,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  rewright halide check blur.json
  rewright halide check --explain --no-c blur.json";

const BOUNDS_EXAMPLES: &str = "\
Examples:
  rewright halide bounds blur.halide
  rewright halide bounds blur.halide --engine baseline
  rewright halide bounds blur.halide --c";

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

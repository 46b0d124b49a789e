//! The command line of `rewright perceus`.

use clap::{Args, Subcommand};
use rewright_perceus::optimise::Pass;
use std::path::PathBuf;

/// Perceus: precise reference counting, from the linear resource calculus.
#[derive(Debug, Args)]
pub(crate) struct Perceus {
    #[command(subcommand)]
    pub(crate) command: PerceusCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PerceusCommand {
    /// Check files: names, arities, patterns; print what is wrong with them.
    #[command(after_help = "Example:\n  rewright perceus check map.kk")]
    Check(PerceusCheck),
    Run(PerceusRun),
    /// Print the program with its `dup`s and `drop`s.
    #[command(after_help = "Example:\n  rewright perceus translate map.kk --reuse")]
    Translate(PerceusFile),
    Optimise(PerceusOptimise),
    Compile(PerceusCompile),
    Explain(PerceusExplain),
    Case(PerceusCase),
    Fuzz(PerceusFuzz),
}

impl PerceusCommand {
    /// As it is given on the command line.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            PerceusCommand::Check(_) => "perceus check",
            PerceusCommand::Run(_) => "perceus run",
            PerceusCommand::Translate(_) => "perceus translate",
            PerceusCommand::Optimise(_) => "perceus optimise",
            PerceusCommand::Compile(_) => "perceus compile",
            PerceusCommand::Explain(_) => "perceus explain",
            PerceusCommand::Case(_) => "perceus case",
            PerceusCommand::Fuzz(_) => "perceus fuzz",
        }
    }
}

/// Files to check.
#[derive(Debug, Args)]
pub(crate) struct PerceusCheck {
    /// Programs.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// A program.
#[derive(Debug, Args)]
pub(crate) struct PerceusFile {
    /// The program.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Let matched cells give their memory to constructors (reuse analysis).
    #[arg(long)]
    pub(crate) reuse: bool,
}

/// Run a program in both semantics; say what was allocated, freed and counted.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  rewright perceus run map.kk --reuse")]
pub(crate) struct PerceusRun {
    #[command(flatten)]
    pub(crate) program: PerceusFile,
    /// Give up after so many steps.
    #[arg(long, default_value_t = 10_000_000)]
    pub(crate) steps: u64,
}

/// Which passes run.
#[derive(Debug, Args)]
pub(crate) struct PerceusPasses {
    /// Run these passes alone: inline, constants, reuse, plain, fuse, drop-specialize, drop-reuse-specialize, reuse-specialize.
    #[arg(long, value_name = "PASS", value_delimiter = ',', conflicts_with = "without")]
    pub(crate) only: Option<Vec<Pass>>,
    /// Leave these passes out.
    #[arg(long, value_name = "PASS", value_delimiter = ',')]
    pub(crate) without: Vec<Pass>,
    /// Let functions borrow what they only look at: less counting, and cells live longer.
    #[arg(long)]
    pub(crate) borrow: bool,
}

/// Print the program with its count operations after the optimisations, and hold it against the standard semantics.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  rewright perceus optimise map.kk\n  rewright perceus optimise map.kk --stages\n  \
                  rewright perceus optimise map.kk --only reuse,fuse --fun map"
)]
pub(crate) struct PerceusOptimise {
    /// The program.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) passes: PerceusPasses,
    /// Print it after each pass.
    #[arg(long)]
    pub(crate) stages: bool,
    /// Print this function alone.
    #[arg(long, value_name = "NAME")]
    pub(crate) fun: Option<String>,
    /// Give up after so many steps.
    #[arg(long, default_value_t = 10_000_000)]
    pub(crate) steps: u64,
}

/// Write C: the program, optimised, and the header of its runtime.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  rewright perceus compile map.kk -o out && cc -O2 -DRW_COUNT out/map.c -o map && ./map"
)]
pub(crate) struct PerceusCompile {
    /// The program.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The folder for the files; it is made where there is none.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) passes: PerceusPasses,
}

/// Print the derivation: each rule of Perceus with its environments, Δ | Γ.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  rewright perceus explain map.kk\n  rewright perceus explain map.kk --heap"
)]
pub(crate) struct PerceusExplain {
    #[command(flatten)]
    pub(crate) program: PerceusFile,
    /// The derivation by the declarative rules instead.
    #[arg(long)]
    pub(crate) declarative: bool,
    /// The heap at each step as well.
    #[arg(long)]
    pub(crate) heap: bool,
    /// At most so many steps.
    #[arg(long, default_value_t = 1_000)]
    pub(crate) steps: u64,
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

/// Hold the theorems against random closed programs, and print what these contain.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  rewright perceus fuzz --programs 100000\n  rewright perceus fuzz --optimise --programs 100000"
)]
pub(crate) struct PerceusFuzz {
    /// How many programs.
    #[arg(long, default_value_t = 10_000)]
    pub(crate) programs: u64,
    /// How many derivations by the declarative rules for each, beside Perceus's.
    #[arg(long, default_value_t = 3)]
    pub(crate) derivations: usize,
    /// Hold the optimisations against the standard semantics instead, under random selections of passes.
    #[arg(long)]
    pub(crate) optimise: bool,
    /// How large programs are, roughly in nodes.
    #[arg(long, default_value_t = 12)]
    pub(crate) size: usize,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

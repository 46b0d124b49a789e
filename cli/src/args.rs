//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

mod halide;
mod perceus;
mod scheduling;

pub(crate) use halide::{
    Halide, HalideBounds, HalideCheck, HalideCommand, HalideDiff, HalideEval, HalideExplain, HalideFile,
};
pub(crate) use perceus::{
    Perceus, PerceusCase, PerceusCheck, PerceusCommand, PerceusCompile, PerceusExplain, PerceusFile,
    PerceusFuzz, PerceusOptimise, PerceusPasses, PerceusRun,
};
pub(crate) use scheduling::{Audit, Emit, Fuzz, Ledger, Machines, Primitives, Script};

/// Check, interpret, compare and compile programs of the Exo object language.
#[derive(Debug, Parser)]
#[command(name = "rewright", version, arg_required_else_help = true, after_help = CODES)]
pub(crate) struct Cli {
    /// Print one JSON object, errors included: outcome, diagnostics with places, result.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const CODES: &str = "\
A file `-` is standard input.

Exit codes:
    0  fine: what was asked was done, and it is so
    1  the input is wrong: usage, a file, its text, its types, what could not be proved of it
    2  a rewrite or a directive was refused
    3  a difference was found
    4  no answer: a limit was reached, or there was nothing to compare
  101  a bug in Rewright (please report it)

Messages are coloured on a terminal, unless NO_COLOR is set or TERM is `dumb`; CLICOLOR_FORCE=1 colours them anywhere.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Run(Run),
    Equiv(Equiv),
    Compile(Compile),
    Script(Script),
    Audit(Audit),
    Ledger(Ledger),
    Primitives(Primitives),
    Machines(Machines),
    Fuzz(Fuzz),
    Halide(Halide),
    Perceus(Perceus),
    Completions(Completions),
    Man(Man),
}

impl Command {
    /// As it is given on the command line.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::Check(_) => "check",
            Command::Run(_) => "run",
            Command::Equiv(_) => "equiv",
            Command::Compile(_) => "compile",
            Command::Script(_) => "script",
            Command::Audit(_) => "audit",
            Command::Ledger(_) => "ledger",
            Command::Primitives(_) => "primitives",
            Command::Machines(_) => "machines",
            Command::Fuzz(_) => "fuzz",
            Command::Halide(Halide { command }) => command.name(),
            Command::Perceus(Perceus { command }) => command.name(),
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
        }
    }
}

/// Print a script that completes this command line in a shell.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  rewright completions bash > rewright.bash")]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Print the manual page, or write it with those of all commands.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  rewright man > rewright.1\n  rewright man -o man1")]
pub(crate) struct Man {
    /// Write the pages of all commands into this directory.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Check files: syntax, types, bounds, sizes, calls, aliasing, races. Print what is wrong with them.
///
/// What needs proof is put to a solver. What is refused comes with a state in which it goes wrong, and with
/// the `rewright run` that shows it, where that was found.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct Check {
    /// Files of Exo definitions, as they are in Python.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print each file's definitions as Rewright understood them.
    #[arg(long)]
    pub(crate) print: bool,
    /// Refuse what Exo refuses though it runs safely: loops that may end before they begin, arguments with extents
    /// below 1, assertions that nothing satisfies.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print what had to be proved, from which assumptions, and who proved it.
    #[arg(long)]
    pub(crate) explain: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  rewright check gemm.py blur.py
  rewright check --explain gemm.py";

/// Run a procedure in the definitional interpreter.
///
/// Arguments that are not given are chosen at random, so that the assertions hold.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct Run {
    /// A file of Exo definitions, and perhaps of scheduling lines.
    pub(crate) file: PathBuf,
    /// The procedure to run: a definition, or what a scheduling line binds. The last one when it is left out.
    ///
    /// `p@2` is the second version that a line binds to `p`, `p@0` the definition.
    #[arg(value_name = "PROC")]
    pub(crate) proc: Option<String>,
    /// Arguments by name: `n=4`, `x=[1,2.5,3]`, `A=[[1,2],[3,4]]`, `Cfg.scale=2`; `Cfg.scale=_` is not set.
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) inputs: Vec<String>,
    /// The procedure to run, as PROC.
    #[arg(long = "proc", value_name = "NAME")]
    pub(crate) named: Option<String>,
    /// What data values are.
    #[arg(long, value_enum, default_value_t = Domain::Rational)]
    pub(crate) domain: Domain,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Give up after so many statements.
    #[arg(long, default_value_t = 100_000_000)]
    pub(crate) steps: u64,
}

impl Run {
    /// The procedure that is asked for, if one is, and the arguments.
    pub(crate) fn words(&self) -> Result<(Option<&str>, Vec<String>), String> {
        let mut inputs = self.inputs.clone();
        let first = match self.proc.as_deref() {
            Some(input) if input.contains('=') => {
                inputs.insert(0, input.to_owned());
                None
            }
            name => name,
        };
        match (first, self.named.as_deref()) {
            (Some(a), Some(b)) => Err(format!("one procedure is run, not both {a} and {b}")),
            (a, b) => Ok((a.or(b), inputs)),
        }
    }
}

const RUN_EXAMPLES: &str = "\
Examples:
  rewright run sgemm.py sgemm M=2 N=2 K=4
  rewright run gemv_staged.py M=8 N=8                the last version that the script binds
  rewright run blur.py blur --domain symbolic        results as polynomials of the inputs
  rewright run axpy.py axpy n=3 'x=[1,2,3]' --json";

/// The data domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Domain {
    /// Exact arithmetic.
    Rational,
    /// What the generated C computes: rounding and wrapping by precision.
    Machine,
    /// Inputs are variables, results are polynomials: equality for all data.
    Symbolic,
}

/// Compare two procedures of a file on random inputs; show a small input on which they differ.
///
/// Each is a definition or what a scheduling line binds. One alone is compared with the definition that it was made
/// from; without names, the last one that a line binds is.
///
/// Numbers are exact: what integers of a machine do where they wrap, and floats where they round, is not compared.
#[derive(Debug, Args)]
#[command(after_help = EQUIV_EXAMPLES)]
pub(crate) struct Equiv {
    /// A file of Exo definitions, and perhaps of scheduling lines.
    pub(crate) file: PathBuf,
    /// The one procedure. `p@2` is the second version that a line binds to `p`, `p@0` the definition.
    #[arg(value_name = "A")]
    pub(crate) first: Option<String>,
    /// The other, of the same signature.
    #[arg(value_name = "B")]
    pub(crate) second: Option<String>,
    /// Compare the program before the line of the script that is refused with what would have come of it.
    #[arg(long, conflicts_with_all = ["first", "second", "modulo"])]
    pub(crate) refused: bool,
    /// Configuration fields that may differ.
    #[arg(long, value_name = "CFG.FIELD", num_args = 1..)]
    pub(crate) modulo: Vec<String>,
    /// How many inputs to try.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) trials: u64,
    /// Give up on a trial after so many statements of one run.
    #[arg(long, default_value_t = 20_000_000)]
    pub(crate) steps: u64,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

const EQUIV_EXAMPLES: &str = "\
Examples:
  rewright equiv gemm_orders.py gemm_ikj gemm_kji --trials 20
  rewright equiv gemv_staged.py                      what the script made, and what it made it of";

/// Write C11 source and header: for every procedure of a file that `check` accepts, or for what its script makes.
///
/// Where scheduling lines bind versions, it is the last one that is written, with all that it calls.
#[derive(Debug, Args)]
#[command(after_help = COMPILE_EXAMPLES)]
pub(crate) struct Compile {
    /// A file of Exo definitions, and perhaps of scheduling lines.
    pub(crate) file: PathBuf,
    /// Where to write NAME.c, NAME.h and NAME.d.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Write this procedure alone, with all that it calls: a definition, or what a scheduling line binds. May be given
    /// several times.
    #[arg(long = "proc", value_name = "NAME")]
    pub(crate) procs: Vec<String>,
    #[command(flatten)]
    pub(crate) cc: CcCheck,
}

const COMPILE_EXAMPLES: &str = "\
Examples:
  rewright compile sgemm.py -o build --cc-check
  rewright compile gemv_staged.py -o build --proc g";

/// Whether and how C is held against the interpreter.
#[derive(Debug, Args)]
pub(crate) struct CcCheck {
    /// Compile the C with every compiler found, warnings denied; run it on random inputs, also under
    /// sanitizers; compare with the interpreter.
    ///
    /// This runs code from the file: the texts of its instructions, memories and externs are C as they stand.
    #[arg(long)]
    pub(crate) cc_check: bool,
    /// More flags for the compilers of `--cc-check`, separated by blanks: `--cflags='-mavx2 -DN=4'`.
    ///
    /// What memories and instructions declare with `cflags` is passed in any case.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, requires = "cc_check")]
    pub(crate) cflags: Vec<String>,
    /// How many inputs per procedure with `--cc-check`.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) trials: u64,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

//! The commands about schedules.

use super::CcCheck;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

/// Run the schedule in a file: definitions, then scheduling calls as Exo's users write them.
#[derive(Debug, Args)]
#[command(after_help = SCRIPT_EXAMPLES)]
pub(crate) struct Script {
    /// Definitions followed by lines such as `p = divide_loop(p, "i", 8, ["io", "ii"])`.
    pub(crate) file: PathBuf,
    /// Write into this directory instead of printing.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// What to write: procedures, C, or the derivation.
    #[arg(long, value_enum, default_value_t = Emit::Procs)]
    pub(crate) emit: Emit,
    /// Print the version that each line binds, not only the last one of each name.
    #[arg(long)]
    pub(crate) all: bool,
    /// Print, or make C of, this version alone. May be given several times.
    #[arg(long = "proc", value_name = "NAME")]
    pub(crate) procs: Vec<String>,
    /// Write into the derivation how long each step took: no two runs give the same record, then.
    #[arg(long)]
    pub(crate) times: bool,
    #[command(flatten)]
    pub(crate) cc: CcCheck,
}

const SCRIPT_EXAMPLES: &str = "\
Examples:
  rewright script gemm_schedule.py
  rewright script gemm_schedule.py --emit derivation > gemm.json && rewright audit gemm.json
  rewright script gemm_schedule.py --emit c -o build --cc-check

A refused rewrite ends with exit code 2, its condition and a counterexample.";

/// What `script` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The last version of each name that a line binds, `# NAME` above its text.
    Procs,
    /// C for the last version of each name: source and header; with `-o`, what they depend on as well.
    C,
    /// The record that `rewright audit` checks.
    Derivation,
}

/// Check a derivation: run its script again, make every step again, put every version before the front end, ask every
/// condition again, compare every pair of versions.
///
/// A derivation of which nothing could be compared is not `ok`: the exit code is 3, and the message says why.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  rewright audit gemm.json --solver /usr/bin/cvc5")]
pub(crate) struct Audit {
    /// What `rewright script --emit derivation` wrote.
    pub(crate) derivation: PathBuf,
    /// Another SMT-LIB solver to ask, besides z3. It gets a file name as its only argument.
    #[arg(long, value_name = "PATH")]
    pub(crate) solver: Option<PathBuf>,
    /// How many inputs each pair of versions is compared on, where there are small ones.
    #[arg(long, default_value_t = 20)]
    pub(crate) trials: u64,
    /// Give up on a run after so many statements, where there are no small inputs.
    #[arg(long, default_value_t = 2_000_000)]
    pub(crate) steps: u64,
}

/// Write a schedule as a page for a browser: steps, programs before and after, conditions and what was asked, C, dependences.
///
/// The page is one file that needs no other and no network. What it shows is what the derivation records.
#[derive(Debug, Args)]
#[command(after_help = LEDGER_EXAMPLES)]
pub(crate) struct Ledger {
    /// What `rewright script --emit derivation` wrote, or a file with a script, which is run first.
    pub(crate) file: PathBuf,
    /// The page, FILE.html, or a directory for it.
    #[arg(short, long, value_name = "DIR|FILE.html")]
    pub(crate) out: PathBuf,
    /// Show how long each step of the script took. A derivation says so by itself, or does not.
    #[arg(long)]
    pub(crate) times: bool,
}

const LEDGER_EXAMPLES: &str = "\
Examples:
  rewright ledger gemv_staged.py -o gemv.html
  rewright script gemm_schedule.py --emit derivation --times > gemm.json && rewright ledger gemm.json -o pages

Each step has an address: gemv.html#step-17. The key `?` lists the keys.";

/// List the primitives, or describe one.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  rewright primitives divide_loop")]
pub(crate) struct Primitives {
    /// The primitive to describe.
    pub(crate) name: Option<String>,
}

/// List the machines, or describe one: its memories, its instructions, how they are run here.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  rewright machines avx2")]
pub(crate) struct Machines {
    /// The machine to describe.
    pub(crate) name: Option<String>,
}

/// Apply primitives at random to random programs, and compare whatever is accepted with the interpreter.
///
/// Every accepted rewrite is compared with exact values on random inputs (also where configuration fields were never
/// set), with polynomials at small sizes, and with the machine's values where integers play a part. Its C is looked at
/// only for the rewrites of --c.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  rewright fuzz --primitive fission --cases 2000\n  rewright fuzz --cases 500 --c 20 --save found"
)]
pub(crate) struct Fuzz {
    /// Only this primitive.
    #[arg(long, value_name = "NAME")]
    pub(crate) primitive: Option<String>,
    /// How many applications to try: as many are tried, and those that the last programs need to the end.
    #[arg(long, default_value_t = 10_000)]
    pub(crate) cases: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Every N-th seed from the I-th on: to share a campaign between machines.
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    pub(crate) shard: Shard,
    /// Write what is found into this directory as a case of the corpus, named after primitive and condition.
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Stop after so many seconds.
    #[arg(long, value_name = "S")]
    pub(crate) time: Option<u64>,
    /// Compile about so many of the accepted rewrites, before and after, and compare what the C leaves with the
    /// interpreter: at most one rewrite of each program, about a hundred in one shared object.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) c: u64,
}

/// `I/N`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u64,
    pub(crate) count: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, count)) if index < count => Ok(Shard { index, count }),
            Some(_) | None => Err(format!("`{text}` is not I/N with I < N, such as 0/4")),
        }
    }
}

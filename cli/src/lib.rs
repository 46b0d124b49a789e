//! The command `rewright`, for programs that add primitives of their own to it.
//!
//! ```no_run
//! use rewright_primitives::registry::Registry;
//!
//! fn main() -> std::process::ExitCode {
//!     rewright_cli::main(&Registry::standard())
//! }
//! ```

mod args;
mod audit;
mod cc_check;
mod check;
mod compile;
mod equiv;
mod fuzz;
mod halide;
mod halide_diff;
mod input;
mod ledger;
mod load;
mod machines;
mod output;
mod pages;
mod perceus;
mod primitives;
mod run;
mod scheduled;
mod script;
mod show;
mod versions;

use args::{Cli, Command};
use clap::Parser;
use output::{Outcome, complain, error, finish, speak_json};
use rewright_primitives::registry::Registry;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Trees as deep as the parser lets through are walked recursively.
const STACK: usize = 1 << 28;

/// The command, with these primitives: reads the arguments of the process, does what they ask, says how it ended.
pub fn main(primitives: &Registry) -> ExitCode {
    ExitCode::from(run(std::env::args_os().collect(), primitives))
}

/// The command with these arguments, of which the first is its own name: does what they ask, gives the code that the process
/// should end with. What it has to say is collected in one place: it runs once in a process. Spec: [rule: cli.codes].
pub fn run(args: Vec<OsString>, primitives: &Registry) -> u8 {
    // Threads walk trees, too. Only the first pool counts, and this is the first.
    drop(rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global());
    stacker::grow(STACK, || match Cli::try_parse_from(&args) {
        Ok(cli) => {
            if cli.json {
                speak_json();
            }
            let name = cli.command.name();
            let ended = catch_unwind(AssertUnwindSafe(|| dispatch(cli, primitives)));
            let outcome = ended.unwrap_or_else(|_| {
                error(
                    "this is a bug in Rewright: please report the command, its input and the message above",
                );
                Outcome::Bug
            });
            finish(Some(name), outcome)
        }
        Err(why) => usage(&why, &args),
    })
}

fn dispatch(cli: Cli, primitives: &Registry) -> Outcome {
    match cli.command {
        Command::Check(c) => check::check(&c),
        Command::Run(c) => run::run(&c, primitives),
        Command::Equiv(c) => equiv::equiv(&c, primitives),
        Command::Compile(c) => compile::compile(&c, primitives),
        Command::Script(c) => script::script(&c, primitives),
        Command::Audit(c) => audit::audit(&c, primitives),
        Command::Ledger(c) => ledger::ledger(&c, primitives),
        Command::Primitives(c) => primitives::primitives(&c, primitives),
        Command::Machines(c) => machines::machines(&c),
        Command::Fuzz(c) => fuzz::fuzz(&c, primitives),
        Command::Halide(c) => halide::halide(&c),
        Command::Perceus(c) => perceus::perceus(&c),
        Command::Completions(c) => pages::completions(&c),
        Command::Man(c) => pages::man(&c),
    }
}

/// Wrong usage is wrong input: exit code 1, not clap's 2, which means a refused rewrite.
fn usage(why: &clap::Error, args: &[OsString]) -> u8 {
    if !why.use_stderr() {
        // Nothing is left to say where even the help cannot be printed.
        drop(why.print());
        return Outcome::Fine.code();
    }
    let wants_json = args.iter().take_while(|a| *a != "--").any(|a| a == "--json");
    if wants_json {
        speak_json();
        let text = why.to_string();
        let (message, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
        error(message.strip_prefix("error: ").unwrap_or(message));
        if !rest.is_empty() {
            complain(rest);
        }
    } else {
        drop(why.print());
    }
    finish(None, Outcome::WrongInput)
}

//! The command `rewright`.
//!
//! Exit codes: 0 fine, 1 the input is wrong, 2 a rewrite was refused, 3 a difference was found, 101
//! internal error (a panic: a bug in Rewright, never the user's).

mod args;
mod audit;
mod check;
mod compile;
mod equiv;
mod fuzz;
mod halide;
mod load;
mod output;
mod primitives;
mod run;
mod scheduled;
mod script;
mod show;

use clap::Parser;
use mimalloc::MiMalloc;
use output::Outcome;
use std::process::ExitCode;

/// Programs are many small nodes: the system's allocator takes a quarter of the time to read them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Trees as deep as the parser lets through are walked recursively.
const STACK: usize = 1 << 28;

fn main() -> ExitCode {
    stacker::grow(STACK, || match args::Cli::try_parse() {
        Ok(cli) => dispatch(cli).exit_code(),
        Err(error) => usage(&error),
    })
}

fn dispatch(cli: args::Cli) -> Outcome {
    match cli.command {
        args::Command::Check(c) => check::check(&c),
        args::Command::Run(c) => run::run(&c),
        args::Command::Equiv(c) => equiv::equiv(&c),
        args::Command::Compile(c) => compile::compile(&c),
        args::Command::Script(c) => script::script(&c),
        args::Command::Audit(c) => audit::audit(&c),
        args::Command::Primitives(c) => primitives::primitives(&c),
        args::Command::Fuzz(c) => fuzz::fuzz(&c),
        args::Command::Halide(c) => halide::halide(&c),
    }
}

/// Wrong usage is wrong input: exit code 1, not clap's 2, which means a refused rewrite.
fn usage(error: &clap::Error) -> ExitCode {
    let wanted_help = !error.use_stderr();
    // Nothing is left to say where even the message cannot be printed.
    drop(error.print());
    if wanted_help { ExitCode::SUCCESS } else { Outcome::WrongInput.exit_code() }
}

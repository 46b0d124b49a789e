//! The C of a completed program, compiled and run. Spec: [rule: halide.c].

use rewright_backends::toolchain::{Compiler, Family, Finished, Product, ToolError, run};
use rewright_halide_model::alg::Input;
use rewright_halide_model::c;
use rewright_halide_model::tgt::Program;
use std::process::Command;
use std::time::Duration;

/// How long a compiled pipeline may run.
const LIMIT: Duration = Duration::from_secs(60);

/// What a compiled pipeline did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It computed the window.
    Values(Vec<i64>),
    /// It ended with this code and these words.
    Failed(Option<i32>, String),
}

/// Compiles a completed program strictly and runs it on one input.
///
/// # Errors
/// There is no compiler, or what it has to say.
pub fn execute(t: &Program, z: &Input) -> Result<Ran, String> {
    executed(t, z, true)
}

/// The same for programs that were made at random, of which compilers say that a comparison is always false and the like.
///
/// # Errors
/// There is no compiler, or what it has to say.
pub fn execute_unchecked(t: &Program, z: &Input) -> Result<Ran, String> {
    executed(t, z, false)
}

fn executed(t: &Program, z: &Input, strictly: bool) -> Result<Ran, String> {
    let compiler =
        Compiler::find(Family::Gcc).or_else(|| Compiler::find(Family::Clang)).ok_or("no C compiler")?;
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = c::unit(t) + &c::main_for(t, z);
    std::fs::write(dir.path().join("p.c"), source).map_err(|e| e.to_string())?;
    let compile =
        |product, flags: &[&str], out: &str| compiler.compile(dir.path(), &["p.c"], product, flags, out);
    if strictly {
        compile(Product::Check, &[], "").map_err(|e: ToolError| e.to_string())?;
    }
    let flags = ["-O1", "-fwrapv", "-ffp-contract=off", "-fopenmp", "-o", "p"];
    let mut link = Command::new(&compiler.path);
    link.current_dir(dir.path()).args(["-std=c11", "-w"]).args(flags).arg("p.c");
    run(&mut link, LIMIT).and_then(Finished::success).map_err(|e| e.to_string())?;
    let done =
        Command::new(dir.path().join("p")).env("OMP_NUM_THREADS", "2").output().map_err(|e| e.to_string())?;
    if !done.status.success() {
        return Ok(Ran::Failed(done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned()));
    }
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let values = text.lines().map(|l| l.parse::<i64>().map_err(|e| e.to_string()));
    Ok(Ran::Values(values.collect::<Result<_, _>>()?))
}

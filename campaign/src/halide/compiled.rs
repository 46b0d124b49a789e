//! The C of a completed program, compiled and run. Spec: [rule: halide.c].

use rewright_backends::toolchain::{Compiler, Family, Finished, Product, ToolError, run};
use rewright_halide_model::alg::Input;
use rewright_halide_model::c;
use rewright_halide_model::tgt::Program;
use std::process::Command;
use std::time::Duration;

/// How long a compiled pipeline may run.
const LIMIT: Duration = Duration::from_secs(60);

/// What is watched while it runs.
const SANITIZE: &str = "-fsanitize=address,undefined";

/// Arrays of a gigabyte and more are refused, as by a small machine.
const WATCH: &str = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024";

/// What a compiled pipeline did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It computed the window.
    Values(Vec<i64>),
    /// It ended with this code and these words.
    Failed(Option<i32>, String),
}

/// Compiles a completed program strictly with every compiler there is, and runs it on one input.
///
/// # Errors
/// The program has no C, there is no compiler, or what a compiler has to say.
pub fn execute(t: &Program, z: &Input) -> Result<Ran, String> {
    let source = c::unit(t).map_err(|e| e.to_string())? + &c::main_for(t, z);
    let compilers: Vec<Compiler> =
        [Family::Gcc, Family::Clang].into_iter().filter_map(Compiler::find).collect();
    let compiler = compilers.first().ok_or("no C compiler")?;
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    std::fs::write(dir.path().join("p.c"), source).map_err(|e| e.to_string())?;
    for c in &compilers {
        c.compile(dir.path(), &["p.c"], Product::Check, &[], "").map_err(|e: ToolError| e.to_string())?;
    }
    let flags =
        ["-O1", "-fwrapv", "-ffp-contract=off", "-fopenmp", SANITIZE, "-fno-sanitize-recover=all", "-o", "p"];
    let mut link = Command::new(&compiler.path);
    link.current_dir(dir.path()).args(["-std=c11", "-w"]).args(flags).args(["p.c", "-lm"]);
    run(&mut link, LIMIT).and_then(Finished::success).map_err(|e| e.to_string())?;
    let mut command = Command::new(dir.path().join("p"));
    command.envs([("OMP_NUM_THREADS", "2"), ("ASAN_OPTIONS", WATCH)]);
    let Finished { is_success, code, text, .. } = run(&mut command, LIMIT).map_err(|e| e.to_string())?;
    if !is_success {
        return Ok(Ran::Failed(code, text));
    }
    let values = text.lines().map(|l| l.parse::<i64>().map_err(|e| e.to_string()));
    Ok(Ran::Values(values.collect::<Result<_, _>>()?))
}

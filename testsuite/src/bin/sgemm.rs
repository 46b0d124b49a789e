//! The end of `make demo`: a matrix product, scheduled for AVX-512, its derivation in numbers, a page of its C, the
//! comparison with the interpreter, and its speed.

#![expect(clippy::print_stdout, reason = "it shows something")]

use rewright_backends::c::CUnit;
use rewright_library::definitions::{Definitions, by_primitive, steps_of, unit_of};
use rewright_library::sgemm;
use rewright_primitives::Proc;
use rewright_primitives::version::Reason;
use rewright_semantics::pretty::proc_to_string;
use rewright_testsuite::kernels::measure::measure;
use rewright_testsuite::kernels::reference::{Checked, check};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Shapes that the demonstration compares.
const SHAPES: usize = 40;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let d = Definitions::of(sgemm::SOURCE);
    let plain = d.proc("sgemm");
    println!("The program:\n\n{}", proc_to_string(plain.ast()));
    println!("The schedule of its micro-kernel (library/src/sgemm.rs):\n");
    println!("{}", excerpt());
    let start = Instant::now();
    let p = sgemm::sgemm(&d).map_err(|e| e.to_string())?;
    println!("Scheduled in {:.0?}. {}", start.elapsed(), derivation(&p));
    let unit = unit_of("sgemm", &p);
    println!("\nThe micro-kernel in C:\n\n{}", function(&unit, "kernel_6x64"));
    if let Some(dir) = std::env::args_os().nth(1) {
        let files = write(Path::new(&dir), &unit).map_err(|e| format!("{}: {e}", dir.display()))?;
        println!("All of it: {}", files.display());
    }
    let Checked { shapes, cells, not_run } = check(&plain, &p, SHAPES)?;
    match not_run {
        None => println!(
            "The C agrees with the interpreter of the plain program: {shapes} shapes, {cells} cells."
        ),
        Some(why) => {
            println!(
                "The schedule agrees with the plain program on {shapes} shapes. Its C was not run: {why}."
            );
        }
    }
    match measure(&unit) {
        Ok(found) => {
            let fastest = found.rows.iter().map(|(_, ours, _)| *ours).fold(0.0, f64::max);
            let (peak, share) = (found.peak, 100.0 * fastest / found.peak);
            println!(
                "Its best speed is {fastest:.0} GFLOP/s on one core, {share:.0} % of what multiply-adds alone reach ({peak:.0})."
            );
        }
        Err(why) => println!("Its speed is not measured: {why}"),
    }
    Ok(())
}

/// The part of the schedule's source that makes a micro-kernel.
fn excerpt() -> &'static str {
    let text = include_str!("../../../library/src/sgemm.rs");
    let from = text.find("    let p = reorder_loops(&p, \"j k\")?;").unwrap_or(0);
    let rest = text.get(from..).unwrap_or(text);
    rest.find("    Ok(Kernel").and_then(|to| rest.get(..to)).unwrap_or(rest)
}

/// Leaves the C in a folder. Gives its source file.
fn write(dir: &Path, unit: &CUnit) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(dir)?;
    std::fs::write(dir.join("sgemm.h"), &unit.header)?;
    let source = dir.join("sgemm.c");
    std::fs::write(&source, &unit.source)?;
    Ok(source)
}

/// The derivation in numbers.
fn derivation(p: &Proc) -> String {
    let steps = steps_of([p]);
    let conditions = steps.iter().flat_map(|s| &s.discharged);
    let (mut solver, mut syntax) = (0, 0);
    for c in conditions {
        match c.by {
            Reason::Solver { .. } => solver += 1,
            Reason::Syntax => syntax += 1,
            Reason::Omitted | Reason::Postponed { .. } => {}
        }
    }
    let primitives = by_primitive([p]).len();
    format!(
        "The derivation: {} steps of {primitives} primitives, {} conditions, {solver} of them proved by the solver.",
        steps.len(),
        solver + syntax
    )
}

/// The text of one function.
fn function<'a>(unit: &'a CUnit, name: &str) -> &'a str {
    let text = &unit.source;
    let from = text.find(&format!("\nstatic void {name}(")).map_or(0, |k| k + 1);
    let rest = text.get(from..).unwrap_or(text);
    rest.find("\n}\n").and_then(|to| rest.get(..to + 3)).unwrap_or(rest)
}

//! Writes the BLAS into a folder, as C with a makefile: `rewright-blas FOLDER`. Spec: [rule: blas.package].

use mimalloc::MiMalloc;
use rewright_library::blas::Precision;
use rewright_library::blas::package::{Processor, derivations, kernels, others, tables, unit};
use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Schedules are many small nodes: the system's allocator takes a sixth of the time to make them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let folder = std::env::args_os().nth(1).filter(|a| !a.to_string_lossy().starts_with('-'));
    let Some(folder) = folder.map(PathBuf::from) else {
        drop(writeln!(stderr(), "usage: rewright-blas FOLDER"));
        return ExitCode::FAILURE;
    };
    match write_all(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            drop(writeln!(stderr(), "error: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// Every unit on a thread of its own.
fn write_all(folder: &Path) -> Result<(), String> {
    let started = Instant::now();
    let units = Precision::ALL.into_iter().flat_map(|p| Processor::ALL.map(|on| (p, on)));
    let mut written = 0;
    std::thread::scope(|scope| {
        let big = || std::thread::Builder::new().stack_size(1 << 28);
        let workers: Vec<_> =
            units.map(|(p, on)| big().spawn_scoped(scope, move || write_unit(folder, p, on))).collect();
        for (path, text) in [others(), tables()].concat() {
            write_file(folder, &path, &text)?;
            written += 1;
        }
        for worker in workers {
            let worker = worker.map_err(|e| e.to_string())?;
            written += worker.join().map_err(|_| "a schedule panicked".to_owned())??;
        }
        Ok::<(), String>(())
    })?;
    let took = started.elapsed().as_secs_f64();
    drop(writeln!(stdout(), "wrote {written} files to {} in {took:.1} s", folder.display()));
    Ok(())
}

/// Writes what comes of a precision and a processor; how many files that is.
fn write_unit(folder: &Path, precision: Precision, processor: Processor) -> Result<usize, String> {
    let kernels = kernels(precision, processor).map_err(|e| e.to_string())?;
    let mut written = 0;
    for (path, text) in unit(precision, processor, &kernels)? {
        write_file(folder, &path, &text)?;
        written += 1;
    }
    for (name, derivation) in derivations::of_unit(precision, processor, &kernels) {
        let text = serde_json::to_string(&derivation).map_err(|e| e.to_string())?;
        write_file(folder, &format!("derivations/{name}.json"), &text)?;
        written += 1;
    }
    Ok(written)
}

/// Writes a file, unless it holds just that.
fn write_file(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(name);
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(&path, text)).map_err(|e| format!("cannot write {name}: {e}"))
}

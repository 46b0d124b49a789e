//! Writes the BLAS into a folder, as C with a makefile: `rewright-blas FOLDER`. Spec: [rule: blas.package].

use mimalloc::MiMalloc;
use rewright_library::blas::Precision;
use rewright_library::blas::package::{File, Processor, kernels, others, tables, unit};
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
    let workers: Vec<_> = units
        .map(|(p, on)| std::thread::Builder::new().stack_size(1 << 28).spawn(move || made(p, on)))
        .collect();
    let mut files = [others(), tables()].concat();
    for worker in workers {
        let unit = worker.map_err(|e| e.to_string())?.join().map_err(|_| "a schedule panicked".to_owned())?;
        files.extend(unit?);
    }
    for (path, text) in &files {
        write_file(&folder.join(path), text).map_err(|e| format!("cannot write {path}: {e}"))?;
    }
    let took = started.elapsed().as_secs_f64();
    drop(writeln!(stdout(), "wrote {} files to {} in {took:.1} s", files.len(), folder.display()));
    Ok(())
}

fn made(precision: Precision, processor: Processor) -> Result<Vec<File>, String> {
    let kernels = kernels(precision, processor).map_err(|e| e.to_string())?;
    unit(precision, processor, &kernels)
}

/// Writes a file, unless it holds just that.
fn write_file(path: &Path, text: &str) -> std::io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

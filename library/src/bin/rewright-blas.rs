//! Writes the BLAS into a folder, as C with a makefile: `rewright-blas [--profile] FOLDER`. Spec: [rule: blas.package].

use mimalloc::MiMalloc;
use rewright_library::blas::Precision;
use rewright_library::blas::package::{Processor, derivations, kernels, others, tables, unit};
use rewright_library::definitions::by_primitive;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{fmt, fs};

/// Schedules are many small nodes: the system's allocator takes a sixth of the time to make them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const USAGE: &str = "usage: rewright-blas [--profile] FOLDER

Writes a BLAS into a folder: C for each processor, what it takes to compile it, and the derivations.

  --profile  schedules for one processor and precision after another, and says how often each primitive was used
             and how long that took";

fn main() -> ExitCode {
    let (flags, folders): (Vec<_>, Vec<_>) =
        std::env::args_os().skip(1).partition(|a| a.to_string_lossy().starts_with('-'));
    if flags.iter().any(|f| f == "--help" || f == "-h") {
        drop(writeln!(stdout(), "{USAGE}"));
        return ExitCode::SUCCESS;
    }
    let profiled = flags.iter().any(|f| f == "--profile");
    let ([folder], true) = (&folders[..], flags.len() == usize::from(profiled)) else {
        drop(writeln!(stderr(), "{USAGE}"));
        return ExitCode::FAILURE;
    };
    match write_all(Path::new(folder), profiled) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            drop(writeln!(stderr(), "error: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// Every unit on a thread of its own; one after another where times are asked for, which threads would take from each other.
fn write_all(folder: &Path, profiled: bool) -> Result<(), String> {
    let started = Instant::now();
    let units: Vec<_> = Precision::ALL.into_iter().flat_map(|p| Processor::ALL.map(|on| (p, on))).collect();
    let mut all = Written::default();
    for some in units.chunks(if profiled { 1 } else { units.len() }) {
        write_units(folder, some)?.into_iter().for_each(|unit| all.add(unit));
    }
    for (path, text) in [others(), tables()].concat() {
        write_file(folder, &path, &text)?;
        all.files += 1;
    }
    let took = started.elapsed().as_secs_f64();
    if profiled {
        drop(writeln!(stdout(), "{all}"));
    }
    drop(writeln!(stdout(), "wrote {} files to {} in {took:.1} s", all.files, folder.display()));
    Ok(())
}

/// What was written.
#[derive(Default)]
struct Written {
    files: usize,
    /// By primitive, how often it was used, and how long that took.
    steps: BTreeMap<&'static str, (usize, Duration)>,
}

impl Written {
    fn add(&mut self, other: Written) {
        self.files += other.files;
        for (name, (n, time)) in other.steps {
            let (all, in_all) = self.steps.entry(name).or_default();
            *all += n;
            *in_all += time;
        }
    }
}

/// What took longest first.
impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: Vec<_> = self.steps.iter().collect();
        rows.sort_by_key(|(_, (_, time))| Reverse(*time));
        writeln!(f, "{:<22} {:>6} {:>8}", "primitive", "steps", "s")?;
        for (name, (n, time)) in &rows {
            writeln!(f, "{name:<22} {n:>6} {:>8.2}", time.as_secs_f64())?;
        }
        let n: usize = rows.iter().map(|(_, (n, _))| n).sum();
        let time: Duration = rows.iter().map(|(_, (_, time))| time).sum();
        write!(f, "{:<22} {n:>6} {:>8.2}", "in all", time.as_secs_f64())
    }
}

/// Several units at once.
fn write_units(folder: &Path, units: &[(Precision, Processor)]) -> Result<Vec<Written>, String> {
    std::thread::scope(|scope| {
        let big = || std::thread::Builder::new().stack_size(1 << 28);
        let workers: Vec<_> = units
            .iter()
            .map(|&(p, on)| big().spawn_scoped(scope, move || write_unit(folder, p, on)))
            .collect();
        let joined = workers.into_iter().map(|worker| {
            let worker = worker.map_err(|e| e.to_string())?;
            worker.join().map_err(|_| "a schedule panicked".to_owned())?
        });
        joined.collect()
    })
}

/// What comes of a precision and a processor.
fn write_unit(folder: &Path, precision: Precision, processor: Processor) -> Result<Written, String> {
    let kernels = kernels(precision, processor).map_err(|e| e.to_string())?;
    let steps = by_primitive(kernels.iter().map(|k| &k.fast));
    let steps = steps.into_iter().map(|(name, n, time)| (name, (n, time))).collect();
    let mut written = Written { files: 0, steps };
    for (path, text) in unit(precision, processor, &kernels)? {
        write_file(folder, &path, &text)?;
        written.files += 1;
    }
    for (name, derivation) in derivations::of_unit(precision, processor, &kernels) {
        let text = serde_json::to_string(&derivation).map_err(|e| e.to_string())?;
        write_file(folder, &format!("derivations/{name}.json"), &text)?;
        written.files += 1;
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

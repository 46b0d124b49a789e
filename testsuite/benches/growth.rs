//! What a unit costs, for each family of growing programs: CPU time and peak memory of the command as its users run
//! it, and the exponent of growth. Spec: [rule: growth].
//!
//! `cargo bench --bench growth -- [--most N] [PART OF A NAME]…`; `REWRIGHT` names another binary than the one that
//! is built here.

#![expect(clippy::print_stdout, reason = "benchmarks print what they measured")]

use rewright_testsuite::growth::{FAMILIES, Family, Question};
use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wait4::Wait4;

/// Sizes that are measured, in units.
const SIZES: [usize; 5] = [1, 100, 1_000, 10_000, 100_000];

/// The largest exponent that is wanted.
const WANTED: f64 = 1.2;

/// What is spent on one run, at most: seconds, and kilobytes of address space.
const LIMITS: &str = "ulimit -t 15; ulimit -v 6000000; exec \"$0\" \"$@\"";

/// How often each is run; the quickest counts, since whatever else the machine does adds.
const TIMES: usize = 4;

/// Below this many seconds, differences are noise.
const NOISE: f64 = 0.004;

fn main() -> Result<(), Box<dyn Error>> {
    let (most, names) = arguments()?;
    let (command, dir) = (command()?, tempfile::tempdir()?);
    println!("CPU seconds and peak MB by units; the exponent from the first size that is more than noise\n");
    let mut missed = 0;
    for family in FAMILIES.iter().filter(|f| names.is_empty() || names.iter().any(|n| f.title().contains(n)))
    {
        let runs = runs(family, most, &command, dir.path())?;
        missed += usize::from(!report(family, &runs));
    }
    println!("\n{missed} families above {WANTED}");
    Ok(())
}

/// The largest size, and which families.
fn arguments() -> Result<(usize, Vec<String>), Box<dyn Error>> {
    let (mut most, mut names) = (10_000, Vec::new());
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(arg) = args.next() {
        if arg == "--most" {
            most = args.next().ok_or("--most takes a number")?.parse()?;
        } else {
            names.push(arg);
        }
    }
    Ok((most, names))
}

/// The binary, built like this one.
fn command() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(path) = std::env::var_os("REWRIGHT") {
        return Ok(path.into());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo).args(["build", "--release", "--quiet", "-p", "rewright-cli"]).status()?;
    if !built.success() {
        return Err("the command could not be built".into());
    }
    let deps = std::env::current_exe()?;
    Ok(deps.ancestors().nth(2).ok_or("no target folder")?.join("rewright"))
}

/// What one run took.
#[derive(Clone, Copy, Debug)]
struct Run {
    units: usize,
    seconds: f64,
    megabytes: u64,
    finished: bool,
}

/// Runs of growing size, up to the first that does not come to its end.
fn runs(family: &Family, most: usize, command: &Path, dir: &Path) -> Result<Vec<Run>, Box<dyn Error>> {
    let most = most.min(family.most);
    let mut sizes: Vec<usize> = SIZES.iter().copied().filter(|n| *n <= most).collect();
    if sizes.last().is_some_and(|last| *last < most) && most < 1_000 {
        sizes.push(most);
    }
    let mut runs: Vec<Run> = Vec::new();
    for units in sizes {
        let mut run = run(family, units, command, dir)?;
        for _ in 1..TIMES {
            if run.finished {
                run = quicker(run, self::run(family, units, command, dir)?);
            }
        }
        runs.push(run);
        if !run.finished {
            break;
        }
    }
    Ok(runs)
}

fn quicker(one: Run, other: Run) -> Run {
    if other.finished && other.seconds < one.seconds { other } else { one }
}

fn run(family: &Family, units: usize, command: &Path, dir: &Path) -> Result<Run, Box<dyn Error>> {
    let (file, out) = (dir.join("grown.py"), dir.join("out"));
    std::fs::write(&file, (family.text)(units))?;
    let mut sh = Command::new("sh");
    sh.args(["-c", LIMITS]).arg(command);
    match family.question {
        Question::Check => sh.arg("check").arg(&file),
        Question::Print => sh.args(["check", "--print"]).arg(&file),
        Question::Compile => sh.arg("compile").arg(&file).arg("-o").arg(&out),
        Question::Script => sh.arg("script").arg(&file).args(["--emit", "c", "-o"]).arg(&out),
        Question::Derivation => sh.arg("script").arg(&file).args(["--emit", "derivation", "-o"]).arg(&out),
        Question::Equiv => sh.arg("equiv").arg(&file).args(["p", "q", "--trials", "3"]),
    };
    let mut child = sh.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_string(&mut said)?;
    }
    let used = child.wait4()?;
    if !used.status.success() {
        let first: String = said.lines().take(4).collect::<Vec<_>>().join(" | ").chars().take(300).collect();
        println!("  {} with {units} units: {}: {first}", family.title(), used.status);
    }
    let seconds = used.rusage.utime.as_secs_f64() + used.rusage.stime.as_secs_f64();
    Ok(Run { units, seconds, megabytes: used.rusage.maxrss / 1_000_000, finished: used.status.success() })
}

/// Prints the runs of a family; whether it grows as wanted.
fn report(family: &Family, runs: &[Run]) -> bool {
    let cells: Vec<String> = runs
        .iter()
        .map(|r| {
            format!(
                "{}: {:.3} s {} MB{}",
                r.units,
                r.seconds,
                r.megabytes,
                if r.finished { "" } else { " STOPPED" }
            )
        })
        .collect();
    let exponent = exponent(runs);
    let finished = runs.iter().all(|r| r.finished);
    let fine = finished && exponent.is_none_or(|e| e <= WANTED);
    let shown = exponent.map_or("-".to_owned(), |e| format!("{e:.2}"));
    println!("{:<44} {shown:>5} {} {}", family.title(), if fine { " " } else { "!" }, cells.join(", "));
    fine
}

/// The exponent of growth: from the first run that is more than noise to the last, without what a program of one
/// unit takes.
#[expect(clippy::as_conversions, reason = "units fit an f64")]
fn exponent(runs: &[Run]) -> Option<f64> {
    let (start, grown) = runs.split_first()?;
    let own = |r: &Run| r.seconds - start.seconds;
    let first = grown.iter().find(|r| own(r) > NOISE)?;
    let last = runs.last()?;
    let ratio = last.units as f64 / first.units as f64;
    (ratio > 1.0).then(|| (own(last) / own(first)).ln() / ratio.ln())
}

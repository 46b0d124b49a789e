//! Thesis §4.4: rbtree, rbtree-ck, deriv, nqueens and cfold in C from our source, beside passes left out, OCaml and C++, and
//! Fig. 4.3 beside Fig. 4.2. Spec: [rule: perceus.benchmarks].
//!
//! `cargo bench -p rewright-perceus --bench perceus -- [--runs N] [--write] [PART OF A NAME]…`; `--write` puts the tables into
//! `spec/perceus/benchmarks.md`. What is not installed (ocamlopt, g++, mimalloc) is left out.

#![expect(clippy::print_stdout, reason = "benchmarks print what they measured")]

use rewright_base::span::SourceMap;
use rewright_perceus::optimise::{self, Pass, Passes};
use rewright_perceus::{c, surface};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wait4::Wait4;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The benchmarks of §4.4, and the traversal.
const PROGRAMS: [&str; 6] = ["rbtree", "rbtree-ck", "deriv", "nqueens", "cfold", "tmap"];

/// Something that is run.
struct Variant {
    name: String,
    binary: PathBuf,
    seconds: Vec<f64>,
    megabytes: f64,
    output: String,
}

fn main() -> Result<()> {
    let (mut runs, mut write, mut names) = (5, false, Vec::new());
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--runs" => runs = args.next().ok_or("--runs takes a number")?.parse()?,
            "--write" => write = true,
            _ => names.push(arg),
        }
    }
    let dir = tempfile::tempdir()?;
    fs::write(dir.path().join(c::RUNTIME_NAME), c::RUNTIME)?;
    let mut tables = String::new();
    for program in PROGRAMS {
        if names.is_empty() || names.iter().any(|n| program.contains(n.as_str())) {
            let table = measure(program, runs, dir.path())?;
            println!("{table}");
            tables.push_str(&table);
            tables.push('\n');
        }
    }
    if write {
        write_tables(tables.trim_end())?;
    }
    Ok(())
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs")
}

/// What is built with a command, where that is there and works.
fn build(name: &str, binary: &Path, command: &mut Command) -> Option<Variant> {
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success());
    done.then(|| Variant {
        name: name.to_owned(),
        binary: binary.to_owned(),
        seconds: Vec::new(),
        megabytes: 0.0,
        output: String::new(),
    })
}

/// C from our source.
fn ours(
    name: &str,
    program: &str,
    passes: &Passes,
    compiler: &str,
    flags: &[&str],
    dir: &Path,
) -> Result<Variant> {
    let mut sources = SourceMap::new();
    let file = sources.add(program, fs::read_to_string(programs().join(format!("{program}.kk")))?);
    let p = surface::load(file, &sources).map_err(|d| format!("{program}: {}", d.len()))?;
    let stem: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let (source, binary) = (dir.join(format!("{program}-{stem}.c")), dir.join(format!("{program}-{stem}")));
    fs::write(&source, c::emit(&optimise::code(&p, passes))?)?;
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-O2"]).args(flags).arg(&source).arg("-o").arg(&binary);
    if flags.contains(&"-DRW_MALLOC") {
        command.args(["-Wl,--no-as-needed", "-lmimalloc"]);
    }
    build(name, &binary, &mut command).ok_or_else(|| format!("{compiler} does not compile {program}").into())
}

fn variants(program: &str, dir: &Path) -> Result<Vec<Variant>> {
    let all = Passes::all();
    let mut out = vec![ours("Rewright, gcc", program, &all, "gcc", &[], dir)?];
    out.extend(ours("Rewright, clang", program, &all, "clang", &[], dir).ok());
    out.extend(ours("Rewright, gcc, mimalloc", program, &all, "gcc", &["-DRW_MALLOC"], dir).ok());
    let none = [Pass::Reuse, Pass::DropSpecialize, Pass::DropReuseSpecialize, Pass::ReuseSpecialize];
    out.push(ours(
        "no-opt (no reuse, no specialization)",
        program,
        &Passes::without(&none),
        "gcc",
        &[],
        dir,
    )?);
    for pass in Pass::ALL {
        out.push(ours(&format!("without {pass}"), program, &Passes::without(&[pass]), "gcc", &[], dir)?);
    }
    out.push(ours("with borrow", program, &Passes::all().and(Pass::Borrow), "gcc", &[], dir)?);
    let binary = dir.join(format!("{program}-ocaml"));
    let ocaml = dir.join(format!("{}.ml", program.replace('-', "_")));
    if fs::copy(programs().join(format!("{program}.ml")), &ocaml).is_ok() {
        out.extend(
            build("OCaml", &binary, Command::new("ocamlopt").arg("-O3").arg(&ocaml).arg("-o").arg(&binary))
                .or_else(|| {
                    build("OCaml", &binary, Command::new("ocamlopt").arg(&ocaml).arg("-o").arg(&binary))
                }),
        );
    }
    let cpp = programs().join(format!("{program}.cpp"));
    for (name, flags) in
        [("C++ std::map", &[][..]), ("C++ std::map, mimalloc", &["-Wl,--no-as-needed", "-lmimalloc"][..])]
    {
        let binary = dir.join(format!("{program}-cpp{}", flags.len()));
        if cpp.is_file() {
            out.extend(build(
                name,
                &binary,
                Command::new("g++").arg("-O3").arg(&cpp).arg("-o").arg(&binary).args(flags),
            ));
        }
    }
    if program == "tmap" {
        let binary = dir.join("morris");
        out.extend(build(
            "C, Morris (Fig. 4.2)",
            &binary,
            Command::new("gcc").arg("-O2").arg(programs().join("morris.c")).arg("-o").arg(&binary),
        ));
    }
    Ok(out)
}

/// Runs the variants in turn, so that a busy machine is busy for all of them.
fn measure(program: &str, runs: usize, dir: &Path) -> Result<String> {
    let mut all = variants(program, dir)?;
    for _ in 0..runs {
        for v in &mut all {
            run(v)?;
        }
    }
    let first = all.first().ok_or("there is one")?;
    let (time, memory, output) = (median(&first.seconds), first.megabytes, first.output.clone());
    let mut table =
        format!("## {program}\n\n| | seconds | × | MB | × |\n| --- | ---: | ---: | ---: | ---: |\n");
    for v in &all {
        if v.output != output {
            return Err(format!("{program}, {}: {} and not {output}", v.name, v.output).into());
        }
        let seconds = median(&v.seconds);
        writeln!(
            table,
            "| {} | {seconds:.2} | {:.2} | {:.0} | {:.2} |",
            v.name,
            seconds / time,
            v.megabytes,
            v.megabytes / memory
        )?;
    }
    Ok(table)
}

fn run(v: &mut Variant) -> Result<()> {
    // Recursion that is not in tail position is the C stack's business.
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -s unlimited; exec \"$0\""])
        .arg(&v.binary)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut output = String::new();
    if let Some(out) = child.stdout.as_mut() {
        std::io::Read::read_to_string(out, &mut output)?;
    }
    let used = child.wait4()?;
    if !used.status.success() {
        return Err(format!("{} fails", v.name).into());
    }
    v.seconds.push((used.rusage.utime + used.rusage.stime).as_secs_f64());
    let bytes: f64 = u32::try_from(used.rusage.maxrss / 1024).map(f64::from)?;
    v.megabytes = v.megabytes.max(bytes / 1024.0);
    v.output = output.trim().to_owned();
    Ok(())
}

fn median(seconds: &[f64]) -> f64 {
    let mut all = seconds.to_vec();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

/// Replaces what is behind the marker of the page.
fn write_tables(tables: &str) -> Result<()> {
    const MARKER: &str = "<!-- written by the benchmark -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/perceus/benchmarks.md");
    let page = fs::read_to_string(&path)?;
    let (before, _) = page.split_once(MARKER).ok_or("the page has a marker")?;
    fs::write(&path, format!("{before}{MARKER}\n{tables}\n"))?;
    Ok(())
}

//! What is printed does not depend on hashing, on threads or on the process: C, derivations, diagnostics and the programs
//! of the Halide model come out with the same bytes.
//!
//! The tables of `std` hash with a seed of the process; the others with none, but by symbols, whose numbers depend on
//! what the process has done before: each symbol that is made in between is another seed for them.

use libtest_mimic::{Arguments, Failed, Trial};
use rewright_backends::c::{Options, compile_module};
use rewright_campaign::corpus;
use rewright_effects::frontend;
use rewright_halide_model::bounds::verify::verify_bounds;
use rewright_halide_model::confluence::Engine;
use rewright_halide_model::lower::lower;
use rewright_halide_model::schedule::{Rules, Sequence, schedule};
use rewright_halide_model::{c, case, tgt, valid};
use rewright_primitives::derivation::of_script;
use rewright_primitives::{ops, script};
use rewright_semantics::diag::has_errors;
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Sym;
use rewright_semantics::typecheck::check_module;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::thread;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Where this stands in the environment, the outcomes are printed, and nothing is tested.
const PRINT: &str = "REWRIGHT_OUTCOMES";

/// Between two outcomes that are printed.
const END: &str = "\0";

const THREADS: usize = 3;
const PROCESSES: usize = 2;

/// Stack of a thread: programs are walked recursively.
const STACK: usize = 1 << 26;

type Test = fn() -> Result<(), Failed>;

fn main() {
    if std::env::var_os(PRINT).is_some() {
        let out = outcomes(&programs(), 0);
        let written = std::io::Write::write_all(&mut std::io::stdout(), out.join(END).as_bytes());
        std::process::exit(i32::from(written.is_err()));
    }
    let tests: [(&str, Test); 3] = [
        ("programs of every kind are among them", of_every_kind),
        ("other symbols and threads side by side", other_symbols),
        ("other processes", other_processes),
    ];
    let trials = tests.map(|(name, test)| Trial::test(name, test)).into();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// A program and what to do with it.
struct Program {
    name: String,
    text: String,
    outcome: fn(&str) -> String,
}

/// A choice of the corpus: of the cases of a primitive, the first that is accepted and the last that is refused.
fn programs() -> Vec<Program> {
    let mut out = Vec::new();
    let mut add = |folder: &str, every: usize, outcome: fn(&str) -> String| {
        for path in files(folder).iter().step_by(every) {
            let text = std::fs::read_to_string(path).expect("a readable file");
            out.push(Program { name: path.display().to_string(), text, outcome });
        }
    };
    add("ok", 4, exo);
    add("bad", 6, exo);
    add("schedules", 1, exo);
    add("halide/valid", 6, halide);
    add("halide/invalid", 2, halide);
    for p in ops::ALL {
        let path = corpus_of("primitives").join(p.name).with_extension("py");
        let text = std::fs::read_to_string(&path).expect("the cases of the primitive");
        let cases = corpus::read(&text).expect("cases");
        let accepted = |c: &&corpus::Case| c.expect == corpus::Expect::Accept;
        let (first, last) = (cases.iter().find(accepted), cases.iter().rfind(|c| !accepted(c)));
        for case in first.into_iter().chain(last) {
            let name = format!("{}::{}", p.name, case.name);
            out.push(Program { name, text: case.text.clone(), outcome: exo });
        }
    }
    out
}

fn corpus_of(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(folder)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(corpus_of(folder)).expect("the corpus");
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "py" || e == "json"));
    files.sort();
    files
}

/// What is printed for definitions and the script after them: diagnostics, the program, the derivation, the C.
fn exo(text: &str) -> String {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add("program.py", text);
    let parsed = parse_module(file, &sources, &prelude);
    let mut found = parsed.diagnostics;
    found.extend(check_module(&parsed.module));
    if !has_errors(&found) {
        found.extend(frontend::check_module(&parsed.module).iter().flat_map(|c| c.refusals(&sources)));
    }
    let mut out = render(&found, &sources, false);
    if has_errors(&found) {
        return out;
    }
    let mut module = parsed.module;
    match script::parse(file, text) {
        Ok(lines) => {
            let ran = script::run(&module, &prelude, &lines);
            if let Some(e) = &ran.error {
                out.push_str(&render(&[e.diagnostic()], &sources, false));
            }
            let derivation =
                serde_json::to_string_pretty(&of_script(text, &ran)).expect("a derivation in JSON");
            out.push_str(&derivation);
            module.procs.extend(ran.bindings.last().map(|b| b.proc.ast().clone()));
        }
        Err(e) => out.push_str(&render(&[e.diagnostic()], &sources, false)),
    }
    out.push_str(&module_to_string(&module));
    match compile_module(&module, &Options::new("program")) {
        Ok(unit) => out.push_str(&(unit.header + &unit.source + &unit.depends)),
        Err(found) => out.push_str(&render(&found, &sources, false)),
    }
    out
}

/// What is printed for a pipeline of the Halide model: what is wrong with it, or each program down to the C, and what
/// verifies its bounds.
fn halide(text: &str) -> String {
    let case = match case::read(text) {
        Ok(case) => case,
        Err(e) => return e.to_string(),
    };
    let found = valid::check(&case.algorithm);
    let mut out: String = found.iter().map(|d| format!("{}: {}\n", d.rule, d.message)).collect();
    if !found.is_empty() {
        return out;
    }
    let p = Arc::new(case.algorithm);
    out.push_str(&tgt::print::program(&lower(&p), None));
    let scheduled = match schedule(&p, &case.schedule, Sequence::Sorted, Rules::default()) {
        Ok(scheduled) => scheduled,
        Err(refusal) => return format!("{out}{refusal}"),
    };
    for engine in [Engine::Baseline, Engine::Tight, Engine::Oracle] {
        let (completed, none) = engine.complete(&scheduled);
        let _ = writeln!(out, "{none:?}\n{}", tgt::print::program(&completed, None));
        if engine == Engine::Tight {
            let _ =
                writeln!(out, "{}\n{:?}", c::unit(&completed).unwrap_or_default(), verify_bounds(&completed));
        }
    }
    out
}

/// The outcome of each program, each with its name above it; the programs run in order from this one on.
fn outcomes(programs: &[Program], from: usize) -> Vec<String> {
    let n = programs.len();
    let mut out = vec![String::new(); n];
    for k in (from..n).chain(0..from) {
        let p = &programs[k];
        out[k] = format!("==== {}\n{}\n", p.name, (p.outcome)(&p.text));
    }
    out
}

fn same(programs: &[Program], expected: &[String], found: &[String]) -> Result<(), Failed> {
    if expected.len() != found.len() {
        return Err(format!("{} outcomes of {}", found.len(), expected.len()).into());
    }
    for (p, (expected, found)) in programs.iter().zip(expected.iter().zip(found)) {
        if expected != found {
            let lines = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
            return Err(format!("{}: {lines:#?}", p.name).into());
        }
    }
    Ok(())
}

fn of_every_kind() -> Result<(), Failed> {
    let all = expected().concat();
    let kinds = [
        ("C", "\nvoid ", 100),
        ("derivations with steps", "\"primitive\": ", 50),
        ("questions to the solver", "(check-sat)", 50),
        ("diagnostics", "error", 80),
        ("refused rewrites", "refused by", 30),
        ("pipelines", "Verified(", 10),
    ];
    for (what, mark, least) in kinds {
        let n = all.matches(mark).count();
        if n < least {
            return Err(format!("{what}: only {n}").into());
        }
    }
    Ok(())
}

/// The outcomes that others are held against.
fn expected() -> &'static [String] {
    static EXPECTED: OnceLock<Vec<String>> = OnceLock::new();
    EXPECTED.get_or_init(|| outcomes(&programs(), 0))
}

/// The programs again, in threads side by side that begin at different ones, with symbols made in between.
fn other_symbols() -> Result<(), Failed> {
    let (programs, expected) = (programs(), expected());
    let n = programs.len();
    thread::scope(|scope| {
        let run = |k: usize| {
            let programs = &programs;
            let work = move || {
                (0..1000 * k + 7).for_each(|_| _ = Sym::fresh("between"));
                outcomes(programs, k * n / THREADS)
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread")
        };
        let threads: Vec<_> = (0..THREADS).map(run).collect();
        threads.into_iter().try_for_each(|t| match t.join() {
            Ok(found) => same(&programs, expected, &found),
            Err(_) => Err("a thread panicked".into()),
        })
    })
}

/// Processes of their own, with other seeds and other addresses.
fn other_processes() -> Result<(), Failed> {
    let exe = std::env::current_exe()?;
    let run = |_| {
        let mut command = Command::new(&exe);
        command.env(PRINT, "1").env("RUST_MIN_STACK", STACK.to_string()).stdout(Stdio::piped()).spawn()
    };
    let children: Vec<_> = (0..PROCESSES).map(run).collect::<Result<_, _>>()?;
    let found = children.into_iter().map(|child| child.wait_with_output());
    let found: Vec<_> = found.collect::<Result<_, _>>()?;
    let (programs, expected) = (programs(), expected());
    for output in &found {
        if !output.status.success() {
            return Err(format!("a process ends with {}", output.status).into());
        }
        let text = String::from_utf8(output.stdout.clone())?;
        let found: Vec<String> = text.split(END).map(str::to_owned).collect();
        same(&programs, expected, &found)?;
    }
    Ok(())
}

//! Every kernel of `corpus/ok`: checked, printed and parsed back, run in the three domains, compiled by
//! every compiler and held against the interpreter; its printed form and its C are snapshots in
//! `corpus/golden`. One named test per file; adding a kernel is adding a file.
//!
//! After a change that is meant: `INSTA_UPDATE=always cargo test -p rewright-testsuite --test corpus_ok`,
//! then read what `git diff testsuite/corpus/golden` shows.

#![expect(clippy::print_stdout, reason = "tests report what they used")]

use libtest_mimic::{Arguments, Failed, Trial};
use rewright_backends::c::{Options, compile_module};
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_semantics::alpha::alpha_eq;
use rewright_semantics::ast::{Module, Proc};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Interpreted, Limits};
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Data, Given, Input, Search, generate};
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Inputs per procedure, the first also under the first compiler's sanitizers.
const INPUTS: u64 = 3;
/// Statement instances after which a run is not worth the time.
const STEPS: u64 = 3_000_000;

fn main() {
    let args = Arguments::from_args();
    let compilers = Compiler::available();
    for c in &compilers {
        println!("with {} ({})", c.family, c.version);
    }
    let mut trials: Vec<Trial> = files()
        .into_iter()
        .map(|path| {
            let compilers = compilers.clone();
            Trial::test(stem(&path), move || kernel(&path, &compilers).map_err(Failed::from))
        })
        .collect();
    trials.push(Trial::test("there are compilers and kernels", move || {
        let n = files().len();
        if compilers.is_empty() || n < 80 { Err(format!("{n} kernels").into()) } else { Ok(()) }
    }));
    libtest_mimic::run(&args, trials).exit();
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ok");
    let entries = fs::read_dir(folder).expect("the corpus is there");
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "py"));
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}

fn kernel(path: &Path, compilers: &[Compiler]) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let m = read(&stem(path), &text)?;
    let printed = module_to_string(&m);
    round_trip(&m, &printed)?;
    let unit = compile_module(&m, &Options::new(stem(path))).map_err(|d| format!("{d:?}"))?;
    golden(&stem(path), &format!("{printed}\n----- C -----\n{}", narrowed(&stem(path), &unit.source)?));
    for p in &m.procs {
        run(p)?;
    }
    let exact = !covers(&text, "rounds") && !covers(&text, "wraps");
    for (k, compiler) in compilers.iter().enumerate() {
        in_c(&m, compiler, exact, k == 0)?;
    }
    Ok(())
}

fn read(name: &str, text: &str) -> Result<Module, String> {
    let mut sources = SourceMap::new();
    let file = sources.add(format!("{name}.py"), text);
    let prelude = rewright_machines::prelude(&mut sources);
    let parsed = parse_module(file, &sources, &prelude);
    let mut found = parsed.diagnostics;
    found.extend(check_module(&parsed.module));
    if found.is_empty() { Ok(parsed.module) } else { Err(render(&found, &sources, false)) }
}

fn round_trip(m: &Module, printed: &str) -> Result<(), String> {
    let again = read("printed", printed)?;
    if again.procs.len() != m.procs.len() {
        return Err(format!("printing loses definitions:\n{printed}"));
    }
    for (p, q) in m.procs.iter().zip(&again.procs) {
        if !alpha_eq(p, q) {
            return Err(format!("{} changes when printed and parsed:\n{printed}", p.name));
        }
    }
    if module_to_string(&again) == printed {
        Ok(())
    } else {
        Err(format!("printing is not stable:\n{printed}"))
    }
}

/// The kernel whose golden has the texts at the head of a C file in full.
const WHOLE: &str = "copy";

/// C with the texts at its head cut to their first lines, where they are those of the kernel [`WHOLE`].
fn narrowed(name: &str, source: &str) -> Result<String, String> {
    static HEAD: OnceLock<Result<Vec<String>, String>> = OnceLock::new();
    if name == WHOLE {
        return Ok(source.to_owned());
    }
    let head = HEAD.get_or_init(head).as_ref().map_err(Clone::clone)?;
    let mut out = source.to_owned();
    for text in head {
        let first = text.lines().next().unwrap_or_default();
        out = out.replace(text, &format!("{first} …"));
    }
    Ok(out)
}

/// The texts of several lines before the first function.
fn head() -> Result<Vec<String>, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ok").join(WHOLE).with_extension("py");
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let unit = compile_module(&read(WHOLE, &text)?, &Options::new(WHOLE)).map_err(|d| format!("{d:?}"))?;
    let paragraphs = unit.source.split("\n\n").take_while(|p| !p.contains("\nvoid "));
    let head: Vec<String> = paragraphs.filter(|p| p.contains('\n')).map(str::to_owned).collect();
    if head.len() < 2 { Err(format!("`{WHOLE}` has no texts at its head")) } else { Ok(head) }
}

fn golden(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../corpus/golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Whether the header says that this word applies.
fn covers(text: &str, word: &str) -> bool {
    text.lines()
        .take_while(|l| l.starts_with('#'))
        .filter_map(|l| l.strip_prefix("# covers:"))
        .any(|l| l.split(',').any(|w| w.trim() == word))
}

fn inputs(p: &Proc) -> Result<Vec<Input>, String> {
    let search = Search { max_cells: 1 << 15, ..Search::default() };
    let find = |seed| generate(p, &Given::default(), seed, search).map_err(|e| e.to_string());
    let first = find(0)?;
    let large = first.to_string().len() > 50_000;
    let mut all = vec![first];
    for seed in 1..if large { 1 } else { INPUTS } {
        all.push(find(seed)?);
    }
    Ok(all)
}

/// Runs without an error, equal to itself, exactly and for all data.
fn run(p: &Proc) -> Result<(), String> {
    for input in inputs(p)? {
        itself::<RationalDomain>(p, &input, STEPS)?;
        itself::<SymbolicDomain>(p, &input, 2_000)?;
    }
    Ok(())
}

fn itself<D: Interpreted>(p: &Proc, input: &Input, steps: u64) -> Result<(), String> {
    let comparer = Comparer::<D>::new(p, p, BTreeSet::new(), Limits::statements(steps))
        .map_err(|why| why.to_string())?;
    match comparer.compare(input) {
        Same::Equal | Same::GaveUp(_) | Same::Undecided { .. } => Ok(()),
        other @ (Same::Refines { .. } | Same::Differs(_) | Same::InputRejected(_) | Same::OldFails(_)) => {
            Err(format!("{}: {other:?}\n{input}", p.name))
        }
    }
}

/// Spec: [rule: c.agrees], [rule: c.toolchain], [rule: c.externs].
fn in_c(m: &Module, compiler: &Compiler, exact: bool, sanitize: bool) -> Result<(), String> {
    let family = compiler.family;
    let built = match Built::new(m, compiler) {
        Ok(built) => built,
        Err(why @ HarnessError::Unsupported(_)) => {
            println!("skipped: {why}");
            return Ok(());
        }
        Err(why) => return Err(format!("{family}: {why}")),
    };
    built.check().map_err(|why| format!("{family}: {why}"))?;
    for f in &built.unit().functions {
        let p = &f.proc;
        for (k, input) in inputs(p)?.iter().enumerate() {
            let modes = if k == 0 && sanitize { vec![Mode::Fast, Mode::Sanitized] } else { vec![Mode::Fast] };
            for mode in modes {
                let found = built.agree(p.name.as_str(), input, mode);
                match found.map_err(|why| format!("{family}, {mode:?}: {why}\n{input}"))? {
                    Verdict::Agrees { compared, exact: same } if !exact || compared == same => {}
                    bad @ (Verdict::Agrees { .. }
                    | Verdict::Differs(_)
                    | Verdict::InputRejected(_)
                    | Verdict::Faulty(_)
                    | Verdict::TooLarge(_)
                    | Verdict::NeedsState(_)) => {
                        return Err(format!("{family}, {mode:?}, {}: {bad:?}\n{input}", p.name));
                    }
                }
            }
            for (seed, data) in (0..).zip([Data::Inexact, Data::Special]) {
                let input = input.with_data(p, data, seed);
                match built.agree(p.name.as_str(), &input, Mode::Fast) {
                    Ok(Verdict::Agrees { .. }) => {}
                    bad => return Err(format!("{family}, {data:?}, {}: {bad:?}\n{input}", p.name)),
                }
            }
        }
    }
    Ok(())
}

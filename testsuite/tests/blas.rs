//! The BLAS: its programs are accepted, what is scheduled is what they say, the C is what is scheduled, and programs of
//! others link what is made of it. Spec: [rule: blas], [rule: blas.schedules], [rule: blas.package],
//! [rule: blas.interface].

#[path = "blas/page.rs"]
mod page;
#[path = "blas/threads.rs"]
mod threads;

use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::{Compiler, Family};
use rewright_campaign::rng::Rng;
use rewright_effects::frontend::check_module;
use rewright_library::blas::package::derivations::{derivation, of_unit};
use rewright_library::blas::package::{self, Kernel, Processor, others, tables, unit};
use rewright_library::blas::{Plan, Precision, Program, programs};
use rewright_library::definitions::{Definitions, by_primitive, unit_of};
use rewright_primitives::Proc;
use rewright_primitives::derivation::Derivation;
use rewright_primitives::derivation::audit::{Options, audit};
use rewright_primitives::registry::Registry;
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Given, Input, InputValue, Search, generate};
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use rewright_semantics::types::ArgType;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Lengths around those of registers, and primes.
const LENGTHS: [i64; 12] = [1, 2, 3, 4, 7, 8, 13, 16, 17, 31, 33, 48];

fn module_of<'a>(procs: impl IntoIterator<Item = &'a Proc>) -> Module {
    let mut module = Module::default();
    module.procs.extend(procs.into_iter().map(|p| p.ast().clone()));
    module
}

/// 94 programs of each precision and a convolution, whose accesses are all within bounds. Spec: [rule: blas.convolution].
#[test]
fn the_programs_are_accepted() {
    for precision in Precision::ALL {
        let programs = programs(precision);
        assert_eq!(programs.len(), 95, "{precision:?}");
        for program in programs {
            let plain = Definitions::of(&program.text).proc(&program.proc_name(precision));
            let checked = check_module(&module_of([&plain]));
            let findings: Vec<_> = checked.iter().flat_map(|c| &c.findings).collect();
            assert!(!findings.is_empty(), "nothing was required of {}", program.text);
            for finding in findings {
                assert!(finding.verdict.is_proved(), "{}\n{finding:?}", program.text);
            }
        }
    }
}

/// The kernels of a precision for a processor, scheduled once.
fn kernels(precision: Precision, processor: Processor) -> &'static [Kernel] {
    static ALL: [[OnceLock<Vec<Kernel>>; 3]; 2] = [const { [const { OnceLock::new() }; 3] }; 2];
    let p = Precision::ALL.into_iter().position(|p| p == precision).expect("a precision");
    let k = Processor::ALL.into_iter().position(|k| k == processor).expect("a processor");
    ALL[p][k].get_or_init(|| package::kernels(precision, processor).unwrap_or_else(|e| panic!("{e}")))
}

/// An input: vectors of up to 200 cells, matrices of up to 48 rows, small images.
fn input(p: &Proc, seed: u64) -> Input {
    let mut rng = Rng::new(seed);
    let has = |x: &str| p.ast().args.iter().any(|a| a.name.to_string() == x);
    let is_convolution = has("kh");
    let matrices = is_convolution || ["m", "k", "A"].into_iter().any(has);
    let mut length = || match rng.below(4) {
        0 if !matrices => rng.between(1, 200),
        _ => LENGTHS[rng.below(LENGTHS.len())],
    };
    let mut size = |name: &str| match name {
        "n" | "kh" | "kw" if is_convolution => 1 + length() % 3,
        "h" | "w" if is_convolution => 1 + length() % 8,
        _ => length(),
    };
    let control = p.ast().args.iter().filter(|a| matches!(a.typ, ArgType::Control(_)));
    let names = control.map(|a| a.name.to_string());
    let sizes = names.filter(|name| ["m", "n", "k", "h", "w", "kh", "kw", "c", "f"].contains(&name.as_str()));
    let args = sizes.map(|name| (Name::new(&name), InputValue::Int(size(&name)))).collect();
    let search = Search { max_cells: 1 << 16, ..Search::default() };
    generate(p.ast(), &Given { args, ..Given::default() }, seed, search).expect("an input")
}

/// The C of a precision's kernels for a processor, compiled once: by the first compiler there is or by the last; or why it
/// cannot run here.
fn built(precision: Precision, processor: Processor) -> &'static Mutex<Result<Built, String>> {
    type Once = OnceLock<Mutex<Result<Built, String>>>;
    static ALL: [[Once; 3]; 2] = [const { [const { Once::new() }; 3] }; 2];
    let p = Precision::ALL.into_iter().position(|p| p == precision).expect("a precision");
    let k = Processor::ALL.into_iter().position(|k| k == processor).expect("a processor");
    let all = Compiler::available();
    let compiler = match (processor, precision) {
        (Processor::Avx512, _) | (Processor::Portable, Precision::F64) => &all[0],
        (Processor::Avx2, _) | (Processor::Portable, Precision::F32) => &all[all.len() - 1],
    };
    ALL[p][k].get_or_init(|| Mutex::new(compiled(precision, processor, compiler)))
}

fn compiled(precision: Precision, processor: Processor, compiler: &Compiler) -> Result<Built, String> {
    match Built::new(&module_of(kernels(precision, processor).iter().map(|k| &k.fast)), compiler) {
        Ok(built) => Ok(built),
        Err(HarnessError::Unsupported(what)) => {
            Err(format!("{precision:?} {processor:?}: not run, this processor has no {what}"))
        }
        Err(e) => panic!("{e}"),
    }
}

/// Holds a kernel that was scheduled against its plain program, and its C against the interpreter; how many cells of that
/// were compared.
fn agrees(kernel: &Kernel, inputs: impl IntoIterator<Item = Input>, built: &Result<Built, String>) -> usize {
    let (plain, fast) = (kernel.plain.ast(), kernel.fast.ast());
    let comparer = (kernel.fast.history().len() > 2).then(|| {
        Comparer::<RationalDomain>::new(plain, fast, BTreeSet::new(), Limits::default())
            .expect("one signature")
    });
    let mut cells = 0;
    for input in inputs {
        if let Some(comparer) = &comparer {
            assert_eq!(comparer.compare(&input), Same::Equal, "{} on {input}", fast.name);
        }
        let Ok(built) = built else { continue };
        match built.agree(fast.name.as_str(), &input, Mode::Fast).expect("the C runs") {
            Verdict::Agrees { compared, .. } => cells += compared,
            verdict @ (Verdict::Differs(_)
            | Verdict::InputRejected(_)
            | Verdict::Faulty(_)
            | Verdict::TooLarge(_)
            | Verdict::NeedsState(_)) => panic!("{}: {verdict:?} on {input}", fast.name),
        }
    }
    cells
}

/// The same for all kernels, on small inputs.
fn check(precision: Precision, processor: Processor, built: &Result<Built, String>, inputs: u64) -> String {
    let kernels = kernels(precision, processor);
    let some = |k: &Kernel| (0..inputs).map(|seed| input(&k.fast, seed)).collect::<Vec<_>>();
    let cells: usize = kernels.iter().map(|k| agrees(k, some(k), built)).sum();
    let scheduled = kernels.iter().filter(|k| k.fast.history().len() > 2).count();
    match built {
        Ok(_) => {
            assert!(cells > 1000);
            format!("{precision:?} {processor:?}: {scheduled} scheduled, {cells} cells")
        }
        Err(why) => why.clone(),
    }
}

/// Each schedule in one precision, the portable C in both; the test below has the others.
#[test]
fn kernels_are_their_programs() {
    for (precision, processor) in
        SCHEDULED.into_iter().chain(Precision::ALL.map(|precision| (precision, Processor::Portable)))
    {
        println!("{}", check(precision, processor, &locked(precision, processor), 4));
    }
}

fn locked(precision: Precision, processor: Processor) -> MutexGuard<'static, Result<Built, String>> {
    built(precision, processor).lock().expect("no test has failed")
}

/// Triangles whose diagonal has squares of every size, and parts of them.
#[test]
fn triangles_of_several_squares() {
    for (precision, processor) in SCHEDULED {
        let has_squares =
            |plan| matches!(plan, Plan::Triangle { .. } | Plan::Triangular { .. } | Plan::Solution { .. });
        let all = kernels(precision, processor).iter();
        let triangles: Vec<&Kernel> = all.filter(|k| has_squares(k.plan)).collect();
        assert_eq!(triangles.len(), 40);
        let built = locked(precision, processor);
        for (kernel, n) in triangles.into_iter().zip([97, 97, 97, 401, 97, 97, 97].into_iter().cycle()) {
            agrees(kernel, [sized(kernel, n)], &built);
        }
    }
}

/// Triangles of sums as long as one part and as several: [rule: blas.schedules].
#[test]
fn triangles_of_several_parts() {
    for (precision, processor) in SCHEDULED {
        let built = locked(precision, processor);
        for (name, k) in [("syrk_ut", 511), ("syrk_lt", 512), ("syr2k_ut", 777), ("syr2k_lt", 1024)] {
            let kernel = named(name, precision, processor);
            agrees(kernel, [of_sizes(kernel, &[("n", 13), ("k", k)])], &built);
        }
    }
}

/// Triangular factors of whole panels of columns and a part of one: [rule: blas.schedules].
#[test]
fn panels_of_columns() {
    for (precision, processor) in SCHEDULED {
        let all = kernels(precision, processor).iter();
        let triangular: Vec<&Kernel> = all.filter(|k| matches!(k.plan, Plan::Triangular { .. })).collect();
        assert_eq!(triangular.len(), 16);
        let built = locked(precision, processor);
        for kernel in triangular {
            let fast = kernel.fast.ast();
            let [m, n] = if fast.name.to_string().contains("m_r") { [133, 20] } else { [20, 133] };
            agrees(kernel, [of_sizes(kernel, &[("m", m), ("n", n)])], &built);
        }
    }
}

/// Products whose copies are made with the first rows, before them, strip by strip and part by part, in blocks of rows and
/// in what is left of them; of little depth also in strips of columns; and those of a copy that is in panels.
#[test]
fn products_of_every_depth() {
    for (precision, processor) in SCHEDULED {
        let built = locked(precision, processor);
        for name in ["gemm_one", "gemm_nt"] {
            let kernel = named(name, precision, processor);
            for [m, n, k] in [
                [9, 143, 30],
                [13, 150, 131],
                [7, 135, 521],
                [133, 19, 131],
                [6, 140, 140],
                [127, 130, 5],
                [13, 523, 7],
                [14, 270, 70],
                [13, 130, 600],
            ] {
                agrees(kernel, [of_sizes(kernel, &[("m", m), ("n", n), ("k", k)])], &built);
            }
        }
    }
}

/// Symmetric matrices of several tiles, and of more columns than a strip has: [rule: blas.schedules].
#[test]
fn symmetric_matrices_of_several_tiles() {
    for (precision, processor) in SCHEDULED {
        let built = locked(precision, processor);
        for (name, m, n) in [("symm_lu", 83, 7), ("symm_ll", 83, 7), ("symm_ru", 7, 141), ("symm_rl", 7, 141)]
        {
            let kernel = named(name, precision, processor);
            agrees(kernel, [of_sizes(kernel, &[("m", m), ("n", n)])], &built);
        }
    }
}

/// Filters of whole panels and a part of one, and no more than whole panels: [rule: blas.convolution].
#[test]
fn panels_of_filters() {
    for (precision, processor) in SCHEDULED {
        let built = locked(precision, processor);
        let kernel = named("conv", precision, processor);
        for (w, filters) in [(7, 133), (13, 128)] {
            let image = [("n", 2), ("h", 2), ("w", w), ("kh", 3), ("kw", 2), ("c", 5), ("f", filters)];
            agrees(kernel, [of_sizes(kernel, &image)], &built);
        }
    }
}

/// The kernel of a program.
fn named(name: &str, precision: Precision, processor: Processor) -> &'static Kernel {
    let name = format!("{}{name}_{}", precision.letter(), processor.name());
    let mut all = kernels(precision, processor).iter();
    all.find(|k| k.fast.name().as_str() == name).expect("there is")
}

/// An input of these sizes.
fn of_sizes(kernel: &Kernel, sizes: &[(&str, i64)]) -> Input {
    let args = sizes.iter().map(|(name, n)| (Name::new(name), InputValue::Int(*n))).collect();
    let search = Search { max_cells: 1 << 19, ..Search::default() };
    generate(kernel.fast.ast(), &Given { args, ..Given::default() }, 1, search).expect("an input")
}

/// An input for triangles of so many rows.
fn sized(kernel: &Kernel, rows: i64) -> Input {
    let p = &kernel.fast;
    let has = |name: &str| p.ast().args.iter().any(|a| a.name.to_string() == name);
    let sizes = match p.name().as_str().split_once("m_r") {
        _ if has("k") => [("n", rows), ("k", 2)],
        Some(_) => [("m", 3), ("n", rows)],
        None => [("m", rows), ("n", 3)],
    };
    of_sizes(kernel, &sizes)
}

/// Every precision, processor and compiler, on more inputs: minutes.
#[test]
#[ignore = "minutes: make nightly"]
fn all_kernels_are_their_programs() {
    for precision in Precision::ALL {
        for processor in Processor::ALL {
            for compiler in Compiler::available() {
                let built = compiled(precision, processor, &compiler);
                println!("{}", check(precision, processor, &built, 12));
            }
        }
    }
}

/// The programs as they are: what links does not depend on schedules.
fn unscheduled(precision: Precision, processor: Processor) -> Vec<Kernel> {
    let kernel = |program: Program| {
        let plain = Definitions::of(&program.text).proc(&program.proc_name(precision));
        let fast = plain.rename(&format!("{}_{}", plain.name(), processor.name())).expect("a name");
        Kernel { definitions: vec![program.text], plain, fast, plan: program.plan }
    };
    programs(precision).into_iter().map(kernel).collect()
}

/// What is compiled in seconds: of AVX2 the kernels of levels 1 and 2, and programs for the rest.
fn soon_compiled(precision: Precision, processor: Processor) -> Vec<Kernel> {
    let mut all = unscheduled(precision, processor);
    let of_matrices = ["gemm", "symm", "syrk", "syr2k", "trmm", "trsm", "conv"];
    let is_vectors = |k: &&Kernel| !of_matrices.iter().any(|m| k.plain.name().as_str()[1..].starts_with(m));
    if processor == Processor::Avx2 {
        for kernel in kernels(precision, processor).iter().filter(is_vectors) {
            let same = |k: &&mut Kernel| k.plain.name() == kernel.plain.name();
            *all.iter_mut().find(same).expect("its program") = kernel.clone();
        }
    }
    all
}

/// The package, compiled and installed. Spec: [rule: blas.scratch].
fn installed(folder: &Path) {
    let package = folder.join("package");
    let mut files = [others(), tables()].concat();
    for precision in Precision::ALL {
        for processor in Processor::ALL {
            files.extend(unit(precision, processor, &soon_compiled(precision, processor)).expect("C"));
        }
    }
    for (path, text) in files {
        let path = package.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    }
    let prefix = format!("PREFIX={}", folder.join("installed").display());
    run(Command::new("make")
        .args(["--quiet", "-j2", "CFLAGS=-O1 -Wall -Werror", &prefix, "install"])
        .current_dir(package));
}

fn run(command: &mut Command) -> String {
    let out = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{command:?}: {said}");
    said
}

const PROGRAM: &str = "#include <cblas.h>
#include <stdio.h>

int main(void) {
    double a[] = { 1, 2, 3, 4 }, x[] = { 5, 6 }, y[] = { 7, 8 };
    cblas_dgemv(CblasRowMajor, CblasNoTrans, 2, 2, 1.0, a, 2, x, 1, 2.0, y, 1);
    printf(\"%g %g %g %s\\n\", y[0], y[1], cblas_dnrm2(2, x, 1), rewright_blas_kernels());
    return 0;
}
";

const CMAKE: &str = "cmake_minimum_required(VERSION 3.13)
project(user C)
find_package(RewrightBlas 0.1 CONFIG REQUIRED)
find_package(RewrightBlas 99 CONFIG QUIET)
if(RewrightBlas_FOUND)
  message(FATAL_ERROR \"any version will do\")
endif()
add_executable(user user.c)
target_link_libraries(user RewrightBlas::blas)
add_executable(static user.c)
target_link_libraries(static RewrightBlas::blas_static)
";

/// Divisions in lanes that are left out raise nothing; what is no number stays none; any positive flag is that of 1; where
/// there is no memory for a copy, that is said.
const EDGES: &str = include_str!("blas/edges.c");

/// A program of ten lines by pkg-config, statically too, with the kernels of every processor; and by CMake, where that is.
#[test]
fn programs_link_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    installed(at);
    fs::write(at.join("user.c"), PROGRAM).expect("written");
    let prefix = at.join("installed");
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|out| out.status.success());
    let expected = "31 55 7.81025";
    if has("pkg-config") {
        let flags = run(Command::new("pkg-config")
            .args(["--cflags", "--libs", "rewright_blas"])
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")));
        run(Command::new("cc")
            .arg("user.c")
            .args(flags.split_whitespace())
            .args(["-o", "user"])
            .current_dir(at));
        for processor in Processor::ALL {
            let program = || {
                let mut command = Command::new(at.join("user"));
                command.env("LD_LIBRARY_PATH", prefix.join("lib")).env_remove("REWRIGHT_BLAS_KERNELS");
                command
            };
            let best = run(&mut program());
            let said = run(program().env("REWRIGHT_BLAS_KERNELS", processor.name()));
            let of_this = format!("{expected} {}\n", processor.name());
            let of_another =
                format!("{best}rewright_blas: this processor cannot run the kernels of {}", processor.name());
            assert!(said == of_this || said.starts_with(&of_another), "{said}");
        }
    }
    let archive = prefix.join("lib/librewright_blas.a");
    let include = format!("-I{}", prefix.join("include/rewright").display());
    run(Command::new("cc")
        .args(["user.c", &include])
        .arg(&archive)
        .args(["-lm", "-o", "static"])
        .current_dir(at));
    assert!(run(&mut Command::new(at.join("static"))).starts_with(expected));
    edges(at, &include, &archive);
    errors(at, &include, &archive);
    thin(at, &include, &archive);
    if has("cmake") {
        fs::write(at.join("CMakeLists.txt"), CMAKE).expect("written");
        let found = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
        run(Command::new("cmake").args(["-S", ".", "-B", "build", &found]).current_dir(at));
        run(Command::new("cmake").args(["--build", "build"]).current_dir(at));
        for user in ["build/user", "build/static"] {
            assert!(run(&mut Command::new(at.join(user))).starts_with(expected), "{user}");
        }
    } else {
        println!("no cmake: not tried");
    }
}

fn edges(at: &Path, include: &str, archive: &Path) {
    fs::write(at.join("edges.c"), EDGES).expect("written");
    run(Command::new("cc")
        .args(["edges.c", include])
        .arg(archive)
        .args(["-lm", "-o", "edges"])
        .current_dir(at));
    let mut copies = 0;
    for processor in Processor::ALL {
        let program = || {
            let mut command = Command::new(at.join("edges"));
            command.env("REWRIGHT_BLAS_KERNELS", processor.name());
            command
        };
        let out = program().output().expect("a program");
        let said = String::from_utf8_lossy(&out.stdout);
        assert_eq!(said, "33 33 33 33 33 33 33 33 33 1 111 6 12", "{}", processor.name());
        let without = program().arg("no memory").output().expect("a program");
        let told = String::from_utf8_lossy(&without.stderr);
        assert!(without.status.success() || told.contains("no memory for a copy"), "{told}");
        copies += usize::from(!without.status.success());
    }
    assert!(copies > 0, "no kernels copy");
    let unknown =
        Command::new(at.join("edges")).env("REWRIGHT_BLAS_KERNELS", "sse").output().expect("a program");
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("=sse is none of avx512, avx2, portable"));
}

/// What a program says whose own `xerbla_` is the only one that it has: errors of both interfaces are told to it.
const ERRORS: &str = include_str!("blas/errors.c");

/// Both ways to link.
fn errors(at: &Path, include: &str, archive: &Path) {
    fs::write(at.join("errors.c"), ERRORS).expect("written");
    let libraries = archive.parent().expect("a folder");
    for library in [archive.to_owned(), libraries.join("librewright_blas.so")] {
        run(Command::new("cc")
            .args(["errors.c", include])
            .arg(&library)
            .args(["-lm", "-o", "errors"])
            .current_dir(at));
        let said = run(Command::new(at.join("errors")).env("LD_LIBRARY_PATH", libraries));
        assert_eq!(said, "cblas_dgemv4 cblas_dgemm1 DGER  9 1", "{}", library.display());
    }
}

/// Level 3 on few rows, columns and products: the interface takes other kernels for them, and parts of others.
fn thin(at: &Path, include: &str, archive: &Path) {
    fs::write(at.join("thin.c"), include_str!("blas/thin.c")).expect("written");
    run(Command::new("cc")
        .args(["-std=c99", "-pedantic-errors", "-O1", "thin.c", include])
        .arg(archive)
        .args(["-lm", "-o", "thin"])
        .current_dir(at));
    for processor in Processor::ALL {
        let out = Command::new(at.join("thin"))
            .env("REWRIGHT_BLAS_KERNELS", processor.name())
            .output()
            .expect("a program");
        assert_eq!(String::from_utf8_lossy(&out.stdout), "4208 calls", "{}", processor.name());
    }
}

/// Sanitizers are silent about kernels of every level.
#[test]
fn sanitizers_are_silent() {
    let Some(compiler) = Compiler::find(Family::Gcc) else { return };
    let chosen = ["dot", "gemv_t", "trsv_unn", "symm_lu", "gemm_nn"];
    for (precision, processor) in [(Precision::F32, Processor::Avx512), (Precision::F64, Processor::Avx2)] {
        let all = kernels(precision, processor);
        let of = |k: &&Kernel| chosen.contains(&&k.plain.name().as_str()[1..]);
        let kernels: Vec<&Kernel> = all.iter().filter(of).collect();
        assert_eq!(kernels.len(), chosen.len());
        let built = match Built::new(&module_of(kernels.iter().map(|k| &k.fast)), &compiler) {
            Ok(built) => built,
            Err(HarnessError::Unsupported(what)) => {
                println!("{precision:?} {processor:?}: not run, this processor has no {what}");
                continue;
            }
            Err(e) => panic!("{e}"),
        };
        for kernel in kernels {
            let verdict = built.agree(kernel.fast.name().as_str(), &input(&kernel.fast, 1), Mode::Sanitized);
            assert!(matches!(verdict, Ok(Verdict::Agrees { .. })), "{}: {verdict:?}", kernel.fast.name());
        }
    }
}

/// One derivation of each level is audited: its steps are made again, and its versions compared.
#[test]
fn derivations_are_audited() {
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let registry = Registry::standard();
    for (name, precision, processor) in [
        ("daxpy", Precision::F64, Processor::Avx2),
        ("strmv_utn", Precision::F32, Processor::Avx512),
        ("dsymm_lu", Precision::F64, Processor::Avx2),
        ("dsyrk_un", Precision::F64, Processor::Avx2),
    ] {
        let all = kernels(precision, processor);
        let kernel = all.iter().find(|k| k.plain.name().as_str() == name).expect("it is there");
        let options = Options { inputs: 1, ..Options::new(&prelude, &registry) };
        let summary = audit(&derivation([kernel]), &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("{name}: {} steps, {} conditions", summary.steps, summary.conditions);
        assert!(summary.steps > 10, "{name}");
    }
}

/// All of the package's, as they are read from its files.
#[test]
#[ignore = "minutes: make nightly"]
fn all_derivations_are_audited() {
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let registry = Registry::standard();
    let mut audited = 0;
    for (precision, processor) in Precision::ALL.into_iter().flat_map(|p| Processor::ALL.map(|on| (p, on))) {
        let all = kernels(precision, processor);
        for (name, made) in of_unit(precision, processor, all) {
            let text = serde_json::to_string(&made).expect("it is written");
            let read = Derivation::of_json(&text).expect("it is read");
            let options = Options { inputs: 1, ..Options::new(&prelude, &registry) };
            let summary = audit(&read, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
            audited += summary.chains;
        }
        let scheduled = all.iter().filter(|k| k.fast.history().len() > 2).count();
        println!("{precision:?} {processor:?}: {scheduled} kernels");
    }
    println!("{audited} chains");
    assert!(audited > 300);
}

/// What was scheduled: the kernels of one precision for each target.
const SCHEDULED: [(Precision, Processor); 2] =
    [(Precision::F32, Processor::Avx512), (Precision::F64, Processor::Avx2)];

/// How each kernel came about: the primitives of its derivation, those of what it calls among them.
#[test]
fn summaries_of_derivations() {
    for (precision, processor) in SCHEDULED {
        let of = |k: &Kernel| {
            let primitives = by_primitive([&k.fast]);
            let steps: usize = primitives.iter().map(|(_, n, _)| n).sum();
            let words: Vec<String> = primitives.iter().map(|(name, n, _)| format!("{name} {n}")).collect();
            format!("{}: {steps} steps, {}\n", k.fast.name(), words.join(", "))
        };
        let all: String = kernels(precision, processor).iter().map(of).collect();
        insta::assert_snapshot!(format!("derivations_{precision:?}_{processor:?}"), all);
    }
}

/// The C of a kernel of level 1 and of two of level 2.
#[test]
fn golden_c() {
    for (name, precision, processor) in [
        ("saxpy", Precision::F32, Processor::Avx512),
        ("dger", Precision::F64, Processor::Avx2),
        ("sgemv_t", Precision::F32, Processor::Avx512),
    ] {
        let kernel = kernels(precision, processor).iter().find(|k| k.plain.name().as_str() == name);
        insta::assert_snapshot!(name, unit_of(name, &kernel.expect("it is there").fast).source);
    }
}

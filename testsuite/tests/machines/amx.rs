//! The products on the tiles of AMX: as programs, in the model, and against the plain products. Spec: [rule: kernels.amx],
//! [rule: machines.amx].

use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::Compiler;
use rewright_library::amx::{self, Cells};
use rewright_library::definitions::{Definitions, unit_of};
use rewright_primitives::Proc;
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Data, Given, Input, InputValue, Search, generate};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

/// What makes the C of AMX the processor's instructions.
const HARDWARE: [&str; 4] = ["-DAMX_HARDWARE", "-mamx-tile", "-mamx-int8", "-mamx-bf16"];

const ALL: [Cells; 2] = [Cells::I8, Cells::Bf16];

fn product(cells: Cells) -> Proc {
    amx::matmul(&Definitions::of(amx::SOURCE), cells).unwrap_or_else(|e| panic!("{e}"))
}

/// Where the C of a product is, with a file of functions.
fn written(dir: &Path, cells: Cells, main: &str) {
    let p = product(cells);
    let unit = unit_of(p.name().as_str(), &p);
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("written");
    write(&format!("{}.h", p.name()), &unit.header);
    write(&format!("{}.c", p.name()), &unit.source);
    write("main.c", main);
}

fn compiled(dir: &Path, compiler: &Compiler, flags: &[&str]) -> Output {
    let mut build = Command::new(&compiler.path);
    build.current_dir(dir).args([
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-Wno-unused-function",
    ]);
    build.args(flags).output().expect("the compiler runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_product_of_bytes() {
    insta::assert_snapshot!(shown(Cells::I8));
}

#[test]
fn the_product_of_bf16() {
    insta::assert_snapshot!(shown(Cells::Bf16));
}

/// The program, and the C of its functions. The model, which is long, is in the golden of `machine_amx`.
fn shown(cells: Cells) -> String {
    let p = product(cells);
    let source = unit_of(p.name().as_str(), &p).source;
    let functions = source.find("static void amx_").expect("functions");
    format!("{}\n…\n{}", proc_to_string(p.ast()), source.get(functions..).unwrap_or_default())
}

/// Compiles a product and a program, and runs it: what it says.
fn ran(cells: Cells, main: &str, compiler: &Compiler, flags: &[&str]) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    written(dir.path(), cells, main);
    let built = compiled(dir.path(), compiler, &[flags, &["-O2", "main.c", "-o", "main", "-lm"]].concat());
    assert!(built.status.success(), "{}", said(&built));
    said(&Command::new(dir.path().join("main")).output().expect("the program runs"))
}

/// All remainders of the sizes: the sums, bit for bit, one configuration, and no more products of tiles than there must be;
/// and how sums of `bf16` are rounded.
fn computes_as_specified(compiler: &Compiler, flags: &[&str]) {
    for (cells, main, expected) in [
        (
            Cells::I8,
            include_str!("../../kernels/run_amx_i8.c"),
            "16384 products of all remainders, 0 wrong\n",
        ),
        (
            Cells::Bf16,
            include_str!("../../kernels/run_amx_bf16.c"),
            "8192 products of all remainders, 0 wrong\n",
        ),
        (Cells::Bf16, include_str!("../../kernels/run_amx_rounding.c"), "0 wrong\n"),
    ] {
        assert_eq!(ran(cells, main, compiler, flags), expected, "{cells:?}, {}", compiler.family);
    }
}

/// By every compiler, by the first under sanitizers.
#[test]
fn amx_multiplies_in_all_sizes_and_is_configured_once() {
    for (k, compiler) in Compiler::available().iter().enumerate() {
        computes_as_specified(compiler, if k == 0 { &["-fsanitize=address,undefined"] } else { &[] });
    }
}

/// Whether this processor has tiles, as Linux tells.
fn processor_has_tiles() -> bool {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    ["amx_tile", "amx_int8", "amx_bf16"].iter().all(|flag| told.contains(flag))
}

#[test]
fn the_processor_computes_what_the_model_does() {
    if processor_has_tiles() {
        Compiler::available().iter().for_each(|compiler| computes_as_specified(compiler, &HARDWARE));
    } else {
        eprintln!("skipped: this processor has no AMX");
    }
}

/// With the switch the same text is the processor's instructions, of the real header.
#[test]
fn the_switch_takes_the_processors_instructions() {
    if !cfg!(target_arch = "x86_64") {
        eprintln!("skipped: no x86-64");
        return;
    }
    let hardware = [&HARDWARE[..], &["-O2", "-S"]].concat();
    for compiler in Compiler::available() {
        let dir = tempfile::tempdir().expect("a folder");
        written(dir.path(), Cells::I8, "#include <immintrin.h>\n");
        let knows = compiled(dir.path(), &compiler, &[&hardware[1..], &["main.c", "-o", "main.s"]].concat());
        if !knows.status.success() {
            eprintln!("{}: skipped: it knows no AMX", compiler.family);
            continue;
        }
        for (cells, name) in [(Cells::I8, "tdpbssd"), (Cells::Bf16, "tdpbf16ps")] {
            let unit = product(cells).name().to_string();
            written(dir.path(), cells, "");
            let built = compiled(
                dir.path(),
                &compiler,
                &[&hardware[..], &[&format!("{unit}.c"), "-o", "out.s"]].concat(),
            );
            assert!(built.status.success(), "{}", said(&built));
            let assembly = std::fs::read_to_string(dir.path().join("out.s")).expect("assembly");
            for instruction in ["ldtilecfg", "tileloadd", "tilestored", name] {
                assert!(assembly.contains(instruction), "{}: no {instruction}", compiler.family);
            }
        }
    }
}

fn sized(p: &Proc, sizes: [i64; 3], seed: u64) -> Input {
    let args = ["n", "m", "k"].map(Name::new).into_iter().zip(sizes.map(InputValue::Int)).collect();
    let given = Given { args, ..Given::default() };
    generate(p.ast(), &given, seed, Search { max_cells: 1 << 16, ..Search::default() }).expect("an input")
}

#[test]
fn the_products_are_the_plain_ones_but_for_the_configuration() {
    let d = Definitions::of(amx::SOURCE);
    let config = Name::new("AmxTiles");
    let fields = ["palette", "rows", "cols", "depth"];
    let modulo: BTreeSet<ConfigKey> = fields.map(|f| ConfigKey { config, field: Name::new(f) }).into();
    for (cells, name) in [(Cells::I8, "matmul_i8"), (Cells::Bf16, "matmul_bf16")] {
        let (plain, fast) = (d.proc(name), product(cells));
        let compare = |modulo: BTreeSet<ConfigKey>, sizes: [i64; 3]| {
            let comparer =
                Comparer::<RationalDomain>::new(plain.ast(), fast.ast(), modulo, Limits::default());
            comparer.expect("one signature").compare(&sized(&fast, sizes, 1))
        };
        for sizes in [[1, 1, 1], [16, 16, 64], [17, 3, 33], [15, 33, 66], [32, 16, 3], [5, 40, 129]] {
            assert_eq!(compare(modulo.clone(), sizes), Same::Equal, "{name}, {sizes:?}");
        }
        assert_ne!(compare(BTreeSet::new(), [3, 4, 5]), Same::Equal, "tiles are left as they were");
    }
}

/// In machine arithmetic the interpreter computes what the instructions do, on special values too.
#[test]
fn the_model_agrees_with_the_interpreter() {
    for compiler in Compiler::available() {
        for cells in ALL {
            let p = product(cells);
            let mut module = Module::default();
            module.procs.push(p.ast().clone());
            let built = Built::new(&module, &compiler).expect("C");
            let mut compared = 0;
            for (seed, sizes) in (0..).zip([[1, 1, 2], [16, 16, 64], [17, 3, 33], [15, 33, 70], [33, 18, 7]])
            {
                for data in [Data::Special, Data::Inexact] {
                    let input = sized(&p, sizes, seed).with_data(p.ast(), data, seed);
                    let nans = [(3, 1), (4, 0)];
                    match built.agree_without_numbers(p.name().as_str(), &input, &nans, Mode::Fast) {
                        Ok(Verdict::Agrees { compared: n, .. }) => compared += n,
                        other => panic!("{cells:?}, {sizes:?}, {data:?}: {other:?}"),
                    }
                }
            }
            println!("{cells:?}, {}: {compared} cells agree", compiler.family);
            assert!(compared > 2000, "{compared}");
        }
    }
}

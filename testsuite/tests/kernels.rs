//! The kernels that are scheduled in Rust: their programs, obligations and C as snapshots, and their C against the
//! plain programs. Spec: [rule: kernels].

use rewright_backends::toolchain::Compiler;
use rewright_library::definitions::{Definitions, by_primitive, steps_of, unit_of};
use rewright_library::gemmini::Registers;
use rewright_library::{accelerator, gemmini, sgemm};
use rewright_primitives::Proc;
use rewright_primitives::version::Reason;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Given, InputValue, Search};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_testsuite::kernels::reference::check;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

/// A program, what was required on the way to it, and its C.
fn snapshot(p: &Proc) -> String {
    let mut out = format!("{}\n", proc_to_string(p.ast()));
    for (name, steps, _) in by_primitive(p) {
        writeln!(out, "{steps:>4} {name}").expect("text");
    }
    let mut required: Vec<String> = Vec::new();
    for step in steps_of(p) {
        for c in &step.discharged {
            if let Reason::Solver { obligation, .. } = &c.by {
                required.push(format!("{}.{}: {}", step.primitive, c.condition, obligation.sentence));
            }
        }
    }
    writeln!(out, "{} conditions proved by the solver, such as", required.len()).expect("text");
    required.sort();
    required.dedup_by(|a, b| a.split(':').next() == b.split(':').next());
    required.iter().for_each(|r| writeln!(out, "  {r}").expect("text"));
    out + "\n" + &unit_of(p.name().as_str(), p).source
}

#[test]
fn the_micro_kernel_of_sgemm() {
    let d = Definitions::of(sgemm::SOURCE);
    insta::assert_snapshot!(snapshot(&sgemm::micro_kernel(&d).expect("the schedule")));
}

#[test]
fn an_edge_of_sgemm() {
    let d = Definitions::of(sgemm::SOURCE);
    insta::assert_snapshot!(snapshot(&sgemm::edge_kernel(&d, 5, 3).expect("the schedule")));
}

#[test]
fn sgemm_is_the_plain_product() {
    let d = Definitions::of(sgemm::SOURCE);
    let plain = d.proc("sgemm");
    let fast = sgemm::sgemm(&d).expect("the schedule");
    let checked = check(&plain, &fast, 500).expect("they agree");
    println!("{checked:?}");
    assert!(checked.shapes == 500 && (checked.cells > 100_000 || checked.not_run.is_some()), "{checked:?}");
}

#[test]
fn the_gemm_of_the_accelerator() {
    let d = Definitions::of(accelerator::SOURCE);
    let p = accelerator::gemm(&d).unwrap_or_else(|e| panic!("{e}"));
    insta::assert_snapshot!(snapshot(&p));
}

/// 4 by 4 tiles of C, each of which is the sum of 4 products: the registers are set once each.
#[test]
fn the_accelerator_is_configured_once() {
    let p = accelerator::gemm(&Definitions::of(accelerator::SOURCE)).expect("the schedule");
    let unit = unit_of("accelerator_gemm", &p);
    for compiler in Compiler::available() {
        let dir = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
        write("accelerator_gemm.h", &unit.header);
        write("accelerator_gemm.c", &unit.source);
        write("main.c", include_str!("../kernels/run_accelerator.c"));
        let mut build = Command::new(&compiler.path);
        build.current_dir(dir.path()).args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
        build.args(["-Wno-unused-function", "-O1", "-fsanitize=address,undefined", "main.c", "-o", "main"]);
        let built = build.output().expect("the compiler runs");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let ran = Command::new(dir.path().join("main")).output().expect("the program runs");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
        assert_eq!(
            said, "wrong 0 config_ld 1 config_st 1 mvin 144 mvout 16 matmul 64\n",
            "{}",
            compiler.family
        );
    }
}

#[test]
fn the_gemm_of_the_accelerator_is_the_plain_product_but_for_the_registers() {
    let d = Definitions::of(accelerator::SOURCE);
    let (plain, fast) = (d.proc("gemm"), accelerator::gemm(&d).expect("the schedule"));
    let registers = [("ConfigLoad", "src_stride"), ("ConfigStore", "dst_stride")];
    let key = |(config, field)| ConfigKey { config: Name::new(config), field: Name::new(field) };
    let modulo: BTreeSet<ConfigKey> = registers.map(key).into();
    let compare = |modulo: BTreeSet<ConfigKey>, n: i64| {
        let limits = Limits::default();
        let comparer =
            Comparer::<RationalDomain>::new(plain.ast(), fast.ast(), modulo, limits).expect("one signature");
        let args = [(Name::new("n"), InputValue::Int(n))].into();
        let given = Given { args, ..Given::default() };
        let search = Search { max_cells: 1 << 16, ..Search::default() };
        let input = comparer.subject().generate(&given, 1, search).expect("an input");
        comparer.compare(&input)
    };
    for n in [16, 32, 48] {
        assert_eq!(compare(modulo.clone(), n), Same::Equal, "n = {n}");
    }
    assert_ne!(compare(BTreeSet::new(), 32), Same::Equal, "the registers are left at something else");
}

#[test]
fn the_product_of_gemmini() {
    let d = Definitions::of(gemmini::SOURCE);
    let p = gemmini::matmul(&d, Registers::Once).unwrap_or_else(|e| panic!("{e}"));
    let shown = snapshot(&p);
    let (program, rest) = shown.split_once("#include \"").expect("C");
    let (_, functions) = rest.split_once("static void gemmini_tile(").expect("the tile");
    // The model, which is long, is in the golden of `machine_gemmini`.
    insta::assert_snapshot!(format!("{program}…\nstatic void gemmini_tile({functions}"));
}

/// What the driver says of the product in the model: for all remainders of the sizes by 16, or `layers` of ResNet-50.
fn in_the_model(compiler: &Compiler, registers: Registers, layers: bool) -> String {
    let p = gemmini::matmul(&Definitions::of(gemmini::SOURCE), registers).expect("the schedule");
    let unit = unit_of("gemmini_matmul", &p);
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
    write("gemmini_matmul.h", &unit.header);
    write("gemmini_matmul.c", &unit.source);
    write("main.c", include_str!("../kernels/run_gemmini.c"));
    let mut build = Command::new(&compiler.path);
    build.current_dir(dir.path()).args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    build.args(["-Wno-unused-function", "-O2", "main.c", "-o", "main", "-lm"]);
    build.args(if layers { &[][..] } else { &["-fsanitize=address,undefined"] });
    let built = build.output().expect("the compiler runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let what = if layers { "layers" } else { "remainders" };
    let ran = Command::new(dir.path().join("main")).arg(what).output().expect("the program runs");
    String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr)
}

/// The number in front of a word.
fn number(line: &str, word: &str) -> f64 {
    let before = line.split(word).next().and_then(|l| l.split_whitespace().last());
    before.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no number before `{word}`: {line}"))
}

#[test]
fn gemmini_multiplies_in_all_sizes() {
    for compiler in Compiler::available() {
        let said = in_the_model(&compiler, Registers::Once, false);
        println!("{}: {said}", compiler.family);
        assert_eq!(said, "2621 products of all remainders, 0 cells wrong\n");
    }
}

#[test]
fn gemmini_is_configured_once() {
    let Some(compiler) = Compiler::available().into_iter().next() else { return };
    let [once, each] = [Registers::Once, Registers::Each].map(|r| in_the_model(&compiler, r, true));
    println!("set once\n{once}set by each block\n{each}");
    for said in [&once, &each] {
        assert_eq!(said.lines().filter(|l| l.contains(": 0 wrong,")).count(), 9, "{said}");
    }
    for (once, each) in once.lines().zip(each.lines()) {
        // Whole blocks alone: what is set is set once.
        let is_whole = once.starts_with("12544 ") || once.starts_with("3136 ");
        assert_eq!(is_whole, number(once, " flushes") == 4.0, "{once}");
        assert!(number(once, " flushes") < number(each, " flushes"), "{once}\n{each}");
        assert!(number(once, " %") > number(each, " %"), "{once}\n{each}");
    }
}

#[test]
fn the_product_of_gemmini_is_the_plain_one_but_for_the_registers() {
    let d = Definitions::of(gemmini::SOURCE);
    let (plain, fast) = (d.proc("matmul"), gemmini::matmul(&d, Registers::Once).expect("the schedule"));
    let registers = [
        ("GemminiEx", "weight_stationary"),
        ("GemminiLd0", "src_stride"),
        ("GemminiLd1", "src_stride"),
        ("GemminiSt", "dst_stride"),
        ("GemminiSt", "act"),
        ("GemminiSt", "scale"),
        ("GemminiSt", "wide"),
    ];
    let key = |(config, field)| ConfigKey { config: Name::new(config), field: Name::new(field) };
    let modulo: BTreeSet<ConfigKey> = registers.map(key).into();
    let compare = |modulo: BTreeSet<ConfigKey>, sizes: [i64; 3]| {
        let comparer = Comparer::<RationalDomain>::new(plain.ast(), fast.ast(), modulo, Limits::default());
        let comparer = comparer.expect("one signature");
        let args = ["n", "m", "k"].map(Name::new).into_iter().zip(sizes.map(InputValue::Int)).collect();
        let given = Given { args, ..Given::default() };
        let search = Search { max_cells: 1 << 16, ..Search::default() };
        let input = comparer.subject().generate(&given, 1, search).expect("an input");
        comparer.compare(&input)
    };
    for sizes in [[1, 1, 1], [16, 16, 16], [17, 3, 33], [64, 64, 5], [70, 81, 20], [83, 64, 31]] {
        assert_eq!(compare(modulo.clone(), sizes), Same::Equal, "{sizes:?}");
    }
    assert_ne!(compare(BTreeSet::new(), [17, 3, 5]), Same::Equal, "the registers are left at something else");
}

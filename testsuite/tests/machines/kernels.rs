//! The kernels that are scheduled in Rust: their programs, obligations and C as snapshots, and their C against the
//! plain programs. Spec: [rule: kernels].

use rewright_backends::toolchain::Compiler;
use rewright_library::definitions::{Definitions, unit_of};
use rewright_library::{accelerator, sgemm};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Given, InputValue, Search};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_testsuite::kernels::reference::check;
use rewright_testsuite::kernels::shown::shown;
use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn the_micro_kernel_of_sgemm() {
    let d = Definitions::of(sgemm::SOURCE);
    insta::assert_snapshot!(shown(&sgemm::micro_kernel(&d).expect("the schedule")));
}

#[test]
fn an_edge_of_sgemm() {
    let d = Definitions::of(sgemm::SOURCE);
    insta::assert_snapshot!(shown(&sgemm::edge_kernel(&d, 5, 3).expect("the schedule")));
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
    insta::assert_snapshot!(shown(&p));
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
        write("main.c", include_str!("../../kernels/run_accelerator.c"));
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

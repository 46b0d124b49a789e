//! The machine of `spec/machines/own.md`, from nothing: its definitions are right, its kernel is scheduled, audited and
//! run. Spec: [rule: machines.own].

mod dsp;

use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::Compiler;
use rewright_machines::{Known, known};
use rewright_primitives::{Proc, script};
use rewright_semantics::ast::Module;
use rewright_semantics::diag::has_errors;
use rewright_semantics::inputs::{Given, InputValue, Search, generate};
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;

const KERNEL: &str = include_str!("own_machine/dot.py");

/// The machine beside the others, and the kernel as its schedule leaves it.
fn scheduled() -> (Known, Proc) {
    let mut sources = SourceMap::new();
    let known = known(&mut sources, &[&dsp::MACHINE]);
    assert!(known.wrong.is_empty(), "{:?}", known.wrong);
    let file = sources.add("dot.py", KERNEL);
    let module = parse_module(file, &sources, &known.prelude);
    assert!(!has_errors(&module.diagnostics), "{:?}", module.diagnostics);
    let lines = script::parse(file, KERNEL).expect("a script");
    let ran = script::run(&module.module, &known.prelude, &lines);
    assert!(ran.error.is_none(), "{:?}", ran.error.map(|e| e.diagnostic()));
    let p = ran.bindings.last().expect("a procedure").proc.clone();
    (known, p)
}

#[test]
fn the_page_shows_what_is_run() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/machines/own.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let (_, p) = scheduled();
    let result = proc_to_string(p.ast());
    for text in [
        include_str!("own_machine/dsp.rs"),
        include_str!("own_machine/instructions.py"),
        include_str!("own_machine/model.h"),
        KERNEL,
        &result,
    ] {
        assert!(page.contains(text.trim()), "spec/machines/own.md lacks\n{text}");
    }
}

#[test]
fn its_kernel_agrees_in_the_model() {
    let (known, p) = scheduled();
    let memories = known.modules.iter().flat_map(|(_, m)| m.memories.iter().cloned()).collect();
    let module = Module { procs: vec![p.ast().clone()], memories, ..Module::default() };
    for compiler in Compiler::available() {
        let built = Built::new(&module, &compiler).unwrap_or_else(|e| panic!("{e}"));
        let mut cells = 0;
        for (seed, n) in (0..).zip([8, 16, 72, 8, 40]) {
            let args = [(Name::new("n"), InputValue::Int(n))].into();
            let given = Given { args, ..Given::default() };
            let input = generate(p.ast(), &given, seed, Search::default()).expect("an input");
            match built.agree("dot", &input, Mode::Sanitized) {
                Ok(Verdict::Agrees { compared, .. }) => cells += compared,
                other => panic!("{}: {other:?}\n{input}", compiler.family),
            }
        }
        println!("{}: {cells} cells agree", compiler.family);
        assert!(cells > 100, "{cells}");
    }
}

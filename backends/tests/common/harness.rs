//! Generated C, compiled and run beside the interpreter.

use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::Compiler;
use rewright_semantics::inputs::{Given, Input, Search, generate};

/// The compiler that these tests are run with, where one is enough.
pub(crate) fn compiler() -> Compiler {
    Compiler::available().into_iter().next().expect("these tests need a C compiler")
}

/// A made-up input of a procedure.
pub(crate) fn input(built: &Built, proc: &str, seed: u64) -> Input {
    let (_, f) = built.function(proc).expect("a function");
    generate(&f.proc, &Given::default(), seed, Search::default()).expect("an input")
}

/// C and the interpreter agree, and every cell that is compared is exact.
#[track_caller]
pub(crate) fn assert_agrees(built: &Built, proc: &str, seed: u64, mode: Mode) {
    match built.agree(proc, &input(built, proc, seed), mode) {
        Ok(Verdict::Agrees { compared, exact }) => assert_eq!(compared, exact, "{proc}, seed {seed}"),
        other => panic!("{proc}, seed {seed}, {mode:?}: {other:?}\n{}", built.unit().source),
    }
}

/// C and the interpreter agree; not all cells need be exact, where a program is about fractions or wrapping.
#[track_caller]
pub(crate) fn assert_in_corpus(built: &Built, proc: &str, seed: u64, mode: Mode) {
    let verdict = built.agree(proc, &input(built, proc, seed), mode);
    assert!(matches!(verdict, Ok(Verdict::Agrees { .. })), "{proc}, seed {seed}, {mode:?}: {verdict:?}");
}

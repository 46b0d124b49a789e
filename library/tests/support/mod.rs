//! What the tests of the library share: programs by text, and whether two of them do the same.

#![allow(dead_code, reason = "each test uses a part")]

use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::Compiler;
use rewright_library::Target;
use rewright_library::definitions::Definitions;
use rewright_machines::{MACHINES, Machine};
use rewright_primitives::Proc;
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Given, InputValue, Search, generate};
use rewright_semantics::sym::Name;
use rewright_semantics::types::DataType;
use std::collections::BTreeSet;

/// A machine by name.
pub(crate) fn machine(name: &str) -> &'static Machine {
    MACHINES.iter().copied().find(|m| m.name == name).expect("a machine")
}

/// Its record.
pub(crate) fn target(name: &str, precision: DataType) -> Target {
    match name {
        "portable" => Target::portable(precision),
        _ => Target::of(machine(name), precision).expect("vectors"),
    }
}

/// The only procedure of a text.
pub(crate) fn proc(text: &str) -> Proc {
    let d = Definitions::of(text);
    let name = text.split("def ").last().and_then(|t| t.split('(').next()).expect("a name");
    d.proc(name)
}

/// Inputs with these control arguments.
pub(crate) fn given(sizes: &[(&str, i64)]) -> Given {
    let args = sizes.iter().map(|(x, n)| (Name::new(x), InputValue::Int(*n))).collect();
    Given { args, ..Given::default() }
}

/// How many inputs of these sizes two versions agree on, over the rationals.
pub(crate) fn same(plain: &Proc, fast: &Proc, sizes: &[&[(&str, i64)]]) -> usize {
    let comparer =
        Comparer::<RationalDomain>::new(plain.ast(), fast.ast(), BTreeSet::new(), Limits::default())
            .expect("one signature");
    let search = Search { max_cells: 1 << 18, ..Search::default() };
    let mut compared = 0;
    for (seed, sizes) in (0..).zip(sizes) {
        let Ok(input) = comparer.subject().generate(&given(sizes), seed, search) else { continue };
        let verdict = comparer.compare(&input);
        assert_eq!(verdict, Same::Equal, "{sizes:?}");
        compared += 1;
    }
    compared
}

/// The C of versions, compiled in one unit, against the interpreter of the same versions: bit for bit.
pub(crate) fn same_in_c(all: &[Proc], sizes: &[&[(&str, i64)]]) {
    let mut module = Module::default();
    module.procs.extend(all.iter().map(|p| p.ast().clone()));
    let compiler = Compiler::available().into_iter().next().expect("a C compiler");
    let built = Built::new(&module, &compiler).expect("C");
    built.check().expect("no warnings");
    let search = Search { max_cells: 1 << 18, ..Search::default() };
    for p in all {
        for (seed, sizes) in (0..).zip(sizes) {
            let Ok(input) = generate(p.ast(), &given(sizes), seed, search) else { continue };
            let c = built.agree(p.name().as_str(), &input, Mode::Fast).expect("it runs");
            assert!(matches!(c, Verdict::Agrees { .. }), "{} {sizes:?}: {c:?}", p.name());
        }
    }
}

//! The C of random programs compiles without a warning under every compiler, runs cleanly under
//! sanitizers, and leaves what the interpreter says, bit for bit.

#![expect(clippy::print_stdout, reason = "tests report what they covered")]

use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_campaign::generate::{Shape, joined};
use rewright_semantics::ast::Module;
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::pretty::{module_to_string, proc_to_string};
use rewright_semantics::types::DataType;
use std::sync::Mutex;
use std::thread;

/// Modules, each of so many generated programs: compiling is what costs, not running.
const MODULES: u64 = 6;
const PROGRAMS: u64 = 10;
/// Inputs per procedure; the first also runs under sanitizers, for one procedure in four.
const INPUTS: u64 = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    calls: usize,
    cells: usize,
    exact: usize,
    sanitized: usize,
}

#[test]
fn c_agrees_with_the_interpreter_on_generated_programs() {
    let compilers = Compiler::available();
    assert!(!compilers.is_empty(), "no C compiler was found");
    for c in &compilers {
        println!("with {} ({})", c.family, c.version);
    }
    let (next, total) = (Mutex::new(0), Mutex::new(Tally::default()));
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                loop {
                    let k = {
                        let mut next = next.lock().unwrap();
                        *next += 1;
                        *next - 1
                    };
                    if k >= MODULES {
                        return;
                    }
                    let m = joined(k * PROGRAMS..(k + 1) * PROGRAMS, &shape(k));
                    for compiler in &compilers {
                        let one = hold(&m, compiler);
                        let mut all = total.lock().unwrap();
                        all.calls += one.calls;
                        all.cells += one.cells;
                        all.exact += one.exact;
                        all.sanitized += one.sanitized;
                    }
                }
            });
        }
    });
    let all = total.into_inner().unwrap();
    println!("{all:?}");
    assert!(all.cells > 10_000 && all.sanitized > 20, "next to nothing was compared: {all:?}");
}

/// Every other module is without `f16`, which not every compiler has.
fn shape(k: u64) -> Shape {
    let mut shape = Shape::default();
    if k.is_multiple_of(2) {
        shape.elems.retain(|t| *t != DataType::F16);
    }
    shape
}

/// Spec: [rule: c.agrees], [rule: c.toolchain], [rule: c.calls].
fn hold(m: &Module, compiler: &Compiler) -> Tally {
    let family = compiler.family;
    let built = match Built::new(m, compiler) {
        Ok(built) => built,
        Err(why @ HarnessError::Unsupported(_)) => {
            println!("skipped: {why}");
            return Tally::default();
        }
        Err(why) => panic!("{family}: {why:?}\n{}", module_to_string(m)),
    };
    built.check().unwrap_or_else(|why| panic!("{family}: {why}\n{}", built.unit().source));
    let mut tally = Tally::default();
    for (k, p) in m.procs.iter().enumerate() {
        for (seed, data) in (0..INPUTS).zip([Data::Whole, Data::Inexact, Data::Special].into_iter().cycle()) {
            let search = Search { max_cells: 64, ..Search::default() };
            let Ok(input) = generate(p, &Given::default(), seed, search) else { continue };
            let input = input.with_data(p, data, seed);
            let also = seed == 0 && k % 4 == 0;
            let modes = if also { vec![Mode::Fast, Mode::Sanitized] } else { vec![Mode::Fast] };
            for mode in modes {
                tally.sanitized += usize::from(mode == Mode::Sanitized);
                match built.agree(p.name.as_str(), &input, mode) {
                    Ok(Verdict::Agrees { compared, exact }) => {
                        tally.calls += 1;
                        tally.cells += compared;
                        tally.exact += exact;
                    }
                    Ok(Verdict::InputRejected(_) | Verdict::TooLarge(_)) => {}
                    bad
                    @ (Ok(Verdict::Differs(_) | Verdict::Faulty(_) | Verdict::NeedsState(_)) | Err(_)) => {
                        panic!("{family}, {mode:?}: {bad:?}\n{input}\n{}", proc_to_string(p));
                    }
                }
            }
        }
    }
    tally
}

//! A part of `make demo`: a kernel of level 1 of the BLAS and one of level 2, scheduled for this processor: the plain program,
//! the derivation in numbers, the C, and the comparison of both versions and of the C.

#![expect(clippy::print_stdout, reason = "it shows something")]

use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_library::blas::{Precision, Schedules, programs};
use rewright_library::definitions::{Definitions, steps_of, unit_of};
use rewright_machines::{MACHINES, Machine};
use rewright_primitives::Proc;
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Given, Input, InputValue, Search, generate};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::sym::Name;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Instant;

/// One of level 1, and one of level 2.
const KERNELS: [&str; 2] = ["axpy", "gemv_t"];

/// Lengths: of less than a register, of several, and no multiple of one.
const LENGTHS: [i64; 4] = [1, 16, 37, 150];

fn main() -> ExitCode {
    match KERNELS.iter().try_for_each(|name| show(name)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn show(name: &str) -> Result<(), String> {
    let program = programs(Precision::F32).into_iter().find(|p| p.name == name).ok_or("no such program")?;
    let plain = Definitions::of(&program.text).proc(&program.proc_name(Precision::F32));
    println!("\n=== s{name} ===\n\n{}", proc_to_string(plain.ast()));
    let machine = here()?;
    let schedules = Schedules::new(machine, Precision::F32).map_err(|e| e.to_string())?;
    let start = Instant::now();
    let fast = schedules.schedule(&plain, program.plan).map_err(|e| e.to_string())?;
    println!("Scheduled for {} in {:.0?}, {} steps.", machine.name, start.elapsed(), steps_of([&fast]).len());
    println!(
        "\nThe first lines of its C:\n\n{}",
        excerpt(&unit_of(name, &fast).source, fast.name().as_str())
    );
    let inputs = LENGTHS.iter().map(|n| input(&fast, *n)).collect::<Result<Vec<_>, _>>()?;
    same(&plain, &fast, &inputs)?;
    println!("{}", in_c(&fast, &inputs)?);
    Ok(())
}

/// The vectors of this processor.
fn here() -> Result<&'static Machine, String> {
    let all = ["avx512", "avx2"].into_iter().filter_map(|n| MACHINES.iter().copied().find(|m| m.name == n));
    let fits = all.into_iter().find(|m| m.runs_here());
    fits.or_else(|| MACHINES.iter().copied().find(|m| m.name == "avx2"))
        .ok_or_else(|| "no machine".to_owned())
}

/// The first lines of a function.
fn excerpt(source: &str, name: &str) -> String {
    let from = source.find(&format!("void {name}(")).unwrap_or(0);
    source.get(from..).unwrap_or_default().lines().take(24).map(|l| format!("{l}\n")).collect()
}

/// Vectors of this length; of a matrix, some rows of them.
fn input(p: &Proc, n: i64) -> Result<Input, String> {
    let sizes = [("n", n), ("m", n.min(20))];
    let args = sizes.into_iter().map(|(x, n)| (Name::new(x), InputValue::Int(n)));
    let names: Vec<Name> = p.ast().args.iter().map(|a| a.name.name()).collect();
    let args = args.filter(|(x, _)| names.contains(x)).collect();
    let seed = n.unsigned_abs();
    generate(p.ast(), &Given { args, ..Given::default() }, seed, Search::default()).map_err(|e| e.to_string())
}

/// That the schedule does what the program says, in exact arithmetic.
fn same(plain: &Proc, fast: &Proc, inputs: &[Input]) -> Result<(), String> {
    let comparer =
        Comparer::<RationalDomain>::new(plain.ast(), fast.ast(), BTreeSet::new(), Limits::default())
            .map_err(|e| e.to_string())?;
    for input in inputs {
        let verdict = comparer.compare(input);
        if verdict != Same::Equal {
            return Err(format!("{}: {verdict:?} on {input}", fast.name()));
        }
    }
    println!("It is equal to the program on {} inputs, in exact arithmetic.", inputs.len());
    Ok(())
}

/// That its C leaves what the interpreter says.
fn in_c(fast: &Proc, inputs: &[Input]) -> Result<String, String> {
    let mut module = Module::default();
    module.procs.push(fast.ast().clone());
    let compiler = Compiler::available().into_iter().next().ok_or("no C compiler")?;
    let built = match Built::new(&module, &compiler) {
        Ok(built) => built,
        Err(HarnessError::Unsupported(what)) => {
            return Ok(format!("Its C was not run: this processor has no {what}."));
        }
        Err(e) => return Err(e.to_string()),
    };
    let mut cells = 0;
    for input in inputs {
        let verdict = built.agree(fast.name().as_str(), input, Mode::Fast).map_err(|e| e.to_string())?;
        let Verdict::Agrees { compared, .. } = verdict else {
            return Err(format!("{}: {verdict:?} on {input}", fast.name()));
        };
        cells += compared;
    }
    Ok(format!("Its C agrees with the interpreter, bit for bit: {cells} cells."))
}

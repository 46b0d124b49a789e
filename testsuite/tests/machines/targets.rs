//! One schedule, four machines: loops into vectors by a target's record alone, run by this processor or by an emulator,
//! against the interpreter. Spec: [rule: library.targets], [rule: machines.rvv].

use rayon::prelude::*;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_campaign::rng::Rng;
use rewright_library::definitions::Definitions;
use rewright_library::{Options, Target, vectorize};
use rewright_machines::MACHINES;
use rewright_primitives::Proc;
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Data, Given, InputValue, Search, generate};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{ArgType, ControlType, DataType};
use std::collections::BTreeSet;

/// The programs, with the loop that becomes one over vectors.
const PROGRAMS: [(&str, &str, &str); 7] = [
    (
        "axpy",
        "i",
        "(n: size, a: T, x: T[n], y: T[n]):
    for i in seq(0, n):
        y[i] += a * x[i]
",
    ),
    (
        "dot",
        "i",
        "(n: size, x: T[n], y: T[n], s: T[1]):
    for i in seq(0, n):
        s[0] += x[i] * y[i]
",
    ),
    (
        "axpy_part",
        "i",
        "(n: index, a: T, x: T[CAPACITY], y: T[CAPACITY]):
    assert 0 <= n and n <= CAPACITY
    for i in seq(0, n):
        y[i] += a * x[i]
",
    ),
    (
        "dot_part",
        "i",
        "(n: index, x: T[CAPACITY], y: T[CAPACITY], s: T[1]):
    assert 0 <= n and n <= CAPACITY
    for i in seq(0, n):
        s[0] += x[i] * y[i]
",
    ),
    (
        "gemv_n",
        "j",
        "(m: size, n: size, A: T[m, n], x: T[n], y: T[m]):
    for i in seq(0, m):
        sum: T
        sum = 0.0
        for j in seq(0, n):
            sum += A[i, j] * x[j]
        y[i] += sum
",
    ),
    (
        "gemv_t",
        "j",
        "(m: size, n: size, A: T[m, n], x: T[m], y: T[n]):
    for i in seq(0, m):
        for j in seq(0, n):
            y[j] += A[i, j] * x[i]
",
    ),
    (
        "gemm",
        "j",
        "(m: size, n: size, k: size, A: T[m, k], B: T[k, n], C: T[m, n]):
    for i in seq(0, m):
        for l in seq(0, k):
            for j in seq(0, n):
                C[i, j] += A[i, l] * B[l, j]
",
    ),
];

/// The longest vectors: more than four of the longest registers.
const LONGEST: i64 = 70;

struct Scheduled {
    plain: Proc,
    fast: Proc,
}

fn scheduled(target: &Target, elem: DataType) -> Vec<Scheduled> {
    let one = |(name, at, text): &(&str, &str, &str)| {
        let text = format!(
            "@proc\ndef {name}{}",
            text.replace("CAPACITY", &LONGEST.to_string())
                .replace("T[", &format!("{elem}["))
                .replace(": T", &format!(": {elem}"))
        );
        let plain = Definitions::of(&text).proc(name);
        let (fast, _) = vectorize(&plain, *at, target, Options::of(target))
            .unwrap_or_else(|e| panic!("{name} of {elem} for {}: {e}", target.name()));
        Scheduled { plain, fast }
    };
    PROGRAMS.iter().map(one).collect()
}

/// The sizes that a program is tried with: all lengths, 0 among them where it may be, or shapes, of which some have a
/// size of 1 and some are random.
fn sizes(p: &Proc, step: usize) -> Vec<Given> {
    let args = p.ast().args.iter().take_while(|a| matches!(a.typ, ArgType::Control(_)));
    let sizes: Vec<(Name, ControlType)> = args
        .filter_map(|a| match a.typ {
            ArgType::Control(typ) => Some((a.name.name(), typ)),
            ArgType::Data { .. } => None,
        })
        .collect();
    let given = |values: &[i64]| {
        let values = values.iter().copied().map(InputValue::Int);
        Given { args: sizes.iter().map(|(name, _)| *name).zip(values).collect(), ..Given::default() }
    };
    match *sizes {
        [(_, typ)] => {
            let least = i64::from(typ == ControlType::Size);
            (least..=LONGEST).step_by(step).map(|n| given(&[n])).collect()
        }
        _ => {
            let fixed =
                [[1, 1, 1], [3, 16, 2], [2, 17, 5], [5, 33, 1], [4, 8, 7], [1, 47, 3], [7, 5, 4], [2, 64, 2]];
            let mut rng = Rng::new(16);
            let random = (0..16).map(|_| [rng.between(1, 9), rng.between(1, LONGEST), rng.between(1, 20)]);
            fixed.into_iter().chain(random).map(|s| given(&s)).collect()
        }
    }
}

/// How many inputs and cells agree, or the first input on which they do not.
fn agreed(built: &Built, p: &Proc, given: &[Given]) -> Result<(usize, usize), String> {
    let mut cells = 0;
    for (seed, given) in (0..).zip(given) {
        let input = generate(p.ast(), given, seed, Search::default()).map_err(|e| format!("{e:?}"))?;
        let data = if seed % 2 == 0 { Data::Inexact } else { Data::Whole };
        let input = input.with_data(p.ast(), data, seed);
        match built.agree(p.name().as_str(), &input, Mode::Fast) {
            Ok(Verdict::Agrees { compared, .. }) => cells += compared,
            other => return Err(format!("{}: {other:?}\n{input}", p.name())),
        }
    }
    Ok((given.len(), cells))
}

/// The schedule is the program over the reals.
fn is_the_program(s: &Scheduled, given: &[Given]) {
    let comparer =
        Comparer::<RationalDomain>::new(s.plain.ast(), s.fast.ast(), BTreeSet::new(), Limits::default())
            .expect("one signature");
    for (seed, given) in (0..).zip(given) {
        let input = comparer.subject().generate(given, seed, Search::default()).expect("an input");
        assert_eq!(comparer.compare(&input), Same::Equal, "{}\n{input}", s.fast);
    }
}

#[test]
fn every_machine_by_its_record() {
    let mut ran = BTreeSet::new();
    for machine in MACHINES.iter().filter(|m| m.registers.is_some()) {
        for elem in [DataType::F32, DataType::F64] {
            let target = Target::of(machine, elem).expect("vectors");
            let all = scheduled(&target, elem);
            let tried: Vec<Vec<Given>> = {
                let step = if elem == DataType::F32 { 1 } else { 3 };
                all.iter().map(|s| sizes(&s.plain, step)).collect()
            };
            all.par_iter().zip(&tried).for_each(|(s, given)| is_the_program(s, given));
            let module =
                Module { procs: all.iter().map(|s| s.fast.ast().clone()).collect(), ..Module::default() };
            let compilers = match Compiler::of_machine(machine) {
                Ok(compilers) => compilers,
                Err(why) => {
                    eprintln!("{}: skipped: {why}", machine.name);
                    continue;
                }
            };
            let found: Vec<String> = compilers
                .par_iter()
                .filter_map(|compiler| {
                    let label = format!("{}, {elem}, {}", machine.name, compiler.label());
                    let built = match Built::new(&module, compiler) {
                        Ok(built) => built,
                        Err(why @ HarnessError::Unsupported(_)) => {
                            eprintln!("{label}: skipped: {why}");
                            return None;
                        }
                        Err(why) => panic!("{label}: {why}"),
                    };
                    let mut cells = 0;
                    let mut runs = 0;
                    for (s, given) in all.iter().zip(&tried) {
                        let (r, c) =
                            agreed(&built, &s.fast, given).unwrap_or_else(|why| panic!("{label}: {why}"));
                        (runs, cells) = (runs + r, cells + c);
                    }
                    println!("{label}: {} programs, {runs} runs, {cells} cells agree", all.len());
                    assert!(cells > 2000, "{cells}");
                    Some(machine.name.to_owned())
                })
                .collect();
            ran.extend(found);
        }
    }
    println!("{ran:?}");
    assert!(ran.is_empty() || ran.len() > 1, "{ran:?}");
}

/// Three programs, as machines have them.
#[test]
fn one_schedule_three_machines() {
    for (name, programs) in
        [("avx512", &["dot"][..]), ("neon", &["dot", "axpy", "gemm"]), ("rvv", &["dot", "axpy", "gemm"])]
    {
        let machine = MACHINES.iter().find(|m| m.name == name).expect("a machine");
        let target = Target::of(machine, DataType::F32).expect("vectors");
        let all = scheduled(&target, DataType::F32);
        for program in programs {
            let found = all.iter().find(|s| s.fast.name().as_str() == *program).expect("a program");
            let unit = rewright_library::definitions::unit_of(program, &found.fast);
            let (_, function) = unit.source.split_once(&format!("\nvoid {program}(")).expect("a function");
            insta::assert_snapshot!(
                format!("{program}_{name}"),
                format!("{}\nvoid {program}({function}", proc_to_string(found.fast.ast()))
            );
        }
    }
}

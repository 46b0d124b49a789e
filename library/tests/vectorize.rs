//! Loops into vectors: one schedule for all targets and precisions, held against the interpreter and in C.
//! Spec: [rule: library.vectorize].

mod support;

use rewright_library::definitions::unit_of;
use rewright_library::{Options, Tail, Target, inspect, vectorize};
use rewright_primitives::Proc;
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::types::DataType;
use support::{machine, proc, same, same_in_c, target};

/// Loops like those of the first level of BLAS, by name.
const LOOPS: &[(&str, &str)] = &[
    (
        "axpy",
        "(n: size, a: T, x: [T][n], y: [T][n]):\n    assert stride(x, 0) == 1\n    assert stride(y, 0) == 1\n    for i in seq(0, n):\n        y[i] += a * x[i]\n",
    ),
    (
        "dot",
        "(n: size, x: T[n], y: T[n], s: T):\n    s = 0.0\n    for i in seq(0, n):\n        s += x[i] * y[i]\n",
    ),
    ("scal", "(n: size, a: T, x: T[n]):\n    for i in seq(0, n):\n        x[i] = a * x[i]\n"),
    ("copy", "(n: size, x: T[n], y: T[n]):\n    for i in seq(0, n):\n        y[i] = x[i]\n"),
    ("asum", "(n: size, x: T[n], s: T):\n    s = 0.0\n    for i in seq(0, n):\n        s += fabsf(x[i])\n"),
    (
        "rot",
        "(n: size, c: T, s: T, x: T[n], y: T[n]):\n    for i in seq(0, n):\n        t: T\n        t = c * x[i] + s * y[i]\n        y[i] = c * y[i] - s * x[i]\n        x[i] = t\n",
    ),
    (
        "swap",
        "(n: size, x: T[n], y: T[n]):\n    for i in seq(0, n):\n        t: T\n        t = x[i]\n        x[i] = y[i]\n        y[i] = t\n",
    ),
];

fn text(name: &str, rest: &str, precision: DataType) -> String {
    let t = precision.to_string();
    format!(
        "@proc\ndef {name}{}",
        rest.replace("T[", &format!("{t}["))
            .replace("[T]", &format!("[{t}]"))
            .replace(": T", &format!(": {t}"))
    )
}

const SIZES: &[&[(&str, i64)]] = &[
    &[("n", 1)],
    &[("n", 3)],
    &[("n", 7)],
    &[("n", 8)],
    &[("n", 16)],
    &[("n", 17)],
    &[("n", 31)],
    &[("n", 64)],
    &[("n", 131)],
    &[("n", 200)],
];

/// The loops of a precision, vectorized for a target, each with its plain program.
fn vectorized(target: &Target, options: Options) -> Vec<(Proc, Proc)> {
    let one = |(op, rest): &(&str, &str)| {
        let plain = proc(&text(op, rest, target.precision()));
        let made = vectorize(&plain, "i", target, options);
        let (fast, vectors) = made.unwrap_or_else(|e| panic!("{} {op}: {e}", target.name()));
        assert!(vectors.is_loop() && inspect::encloses(&vectors, &vectors), "{op}");
        (plain, fast)
    };
    LOOPS.iter().map(one).collect()
}

#[test]
fn loops_of_one_schedule_for_all_targets() {
    let mut done = 0;
    for name in ["avx2", "avx512", "neon", "rvv", "portable"] {
        for precision in [DataType::F32, DataType::F64] {
            let target = target(name, precision);
            // RISC-V's registers make no arrays, which vectors beside each other are.
            let choices: &[i64] = if name == "rvv" { &[1] } else { &[1, 4] };
            for interleave in choices.iter().copied() {
                let all = vectorized(&target, Options::of(&target).interleaved(interleave));
                for (plain, fast) in &all {
                    assert_eq!(same(plain, fast, SIZES), SIZES.len(), "{name} {}", plain.name());
                    done += 1;
                }
                let fast: Vec<Proc> = all.into_iter().map(|(_, fast)| fast).collect();
                if name != "portable" && !machine(name).runs_here() {
                    assert!(fast.iter().all(|p| !unit_of("kernel", p).source.is_empty()));
                } else if interleave > 1 {
                    same_in_c(&fast, SIZES);
                }
            }
        }
    }
    println!("{done} versions agree with their plain programs");
}

/// Each choice of tail, where it is possible, is equal to the plain program, and has its form.
#[test]
fn every_tail_is_equal() {
    let dot = LOOPS.iter().find(|(op, _)| *op == "dot").expect("dot").1;
    let axpy = LOOPS.iter().find(|(op, _)| *op == "axpy").expect("axpy").1;
    for name in ["avx2", "avx512"] {
        let target = target(name, DataType::F32);
        for (tail, form) in [
            (Tail::Scalar, "_fmadd_ps"),
            (Tail::Predicated, "_below_fmadd_ps"),
            (Tail::Masked, "_mask_fmadd_ps"),
        ] {
            let mut all = Vec::new();
            for (op, rest) in [("dot", dot), ("axpy", axpy)] {
                let plain = proc(&text(op, rest, DataType::F32));
                let options = Options::of(&target).with_tail(tail).interleaved(2);
                let (fast, _) = vectorize(&plain, "i", &target, options)
                    .unwrap_or_else(|e| panic!("{name} {op} {tail:?}: {e}"));
                assert!(proc_to_string(fast.ast()).contains(form), "{name} {op} {tail:?}");
                assert_eq!(same(&plain, &fast, SIZES), SIZES.len(), "{name} {op} {tail:?}");
                all.push(fast);
            }
            if machine(name).runs_here() {
                same_in_c(&all, SIZES);
            }
        }
        let plain = proc(&text("axpy", axpy, DataType::F32));
        let refused = vectorize(&plain, "i", &target, Options::of(&target).with_tail(Tail::Perfect));
        let said = refused.expect_err("n is any number").to_string();
        assert!(
            said.starts_with("vectorize: divide_loop:") && said.contains("dividing the loop by the lanes"),
            "{said}"
        );
    }
}

/// Floats that are added up as doubles are loaded as such.
#[test]
fn floats_are_added_up_as_doubles() {
    let plain = proc(
        "@proc
def dsdot(n: size, x: f32[n], y: f32[n], s: f64):
    s = 0.0
    for i in seq(0, n):
        a: f64
        a = x[i]
        b: f64
        b = y[i]
        s += a * b
",
    );
    for name in ["avx2", "avx512"] {
        let target = target(name, DataType::F64);
        let (fast, _) =
            vectorize(&plain, "i", &target, Options::of(&target).interleaved(2)).expect("vectors");
        assert!(proc_to_string(fast.ast()).contains("_mask_cvt_loadu_ps_pd("), "{name}");
        assert_eq!(same(&plain, &fast, SIZES), SIZES.len(), "{name}");
        if machine(name).runs_here() {
            same_in_c(&[fast], SIZES);
        }
    }
}

/// An operation that a machine lacks is refused by name, and an order that matters by the step that asked for it.
#[test]
fn refusals_name_the_step() {
    let target = target("avx2", DataType::F32);
    let refused = |body: &str| {
        let plain = proc(&format!(
            "@proc\ndef p(n: size, x: f32[n + 1], y: f32[n + 1]):\n    for i in seq(0, n):\n        {body}\n"
        ));
        vectorize(&plain, "i", &target, Options::of(&target)).expect_err("refused").to_string()
    };
    let said = refused("y[i] = sin(x[i])");
    assert!(said.contains("avx2 has no instruction that does `R = sin(R)`"), "{said}");
    let said = refused("x[i + 1] = x[i] * 2.0");
    assert!(said.contains("fission") && said.contains("giving each operation a loop"), "{said}");
}

/// Nothing is left over of a length that is a multiple of the lanes: there is one loop, with or without being told.
#[test]
fn whole_vectors_have_no_tail() {
    let plain = proc(
        "@proc
def p(m: size, x: f32[m, 64], y: f32[m, 64], s: f32[m]):
    for j in seq(0, m):
        for i in seq(0, 64):
            y[j, i] = x[j, i] * x[j, i]
            s[j] += fmaxf(x[j, i], 0.0)
",
    );
    let sizes: &[&[(&str, i64)]] = &[&[("m", 1)], &[("m", 3)]];
    for name in ["avx2", "avx512"] {
        let target = target(name, DataType::F32);
        for options in [Options::of(&target), Options::of(&target).with_tail(Tail::Perfect).interleaved(2)] {
            let (fast, vectors) = vectorize(&plain, "i", &target, options).expect("vectors");
            let shown = proc_to_string(fast.ast());
            assert!(!shown.contains("mask") && !shown.contains('%'), "{shown}");
            let count = 64 / target.lanes() / options.interleave;
            assert_eq!(inspect::trip_count(&vectors), Some(count), "{shown}");
            assert_eq!(same(&plain, &fast, sizes), sizes.len(), "{name}");
            if machine(name).runs_here() {
                same_in_c(&[fast], sizes);
            }
        }
    }
}

/// Where it is known how many are left over, they are one masked vector, without a guard.
#[test]
fn a_known_rest_is_one_vector() {
    let plain = proc(
        "@proc
def p(m: size, x: f32[m, 70], y: f32[m, 70], s: f32[m]):
    for j in seq(0, m):
        for i in seq(0, 70):
            y[j, i] = x[j, i] * 3.0
            s[j] += x[j, i]
",
    );
    let sizes: &[&[(&str, i64)]] = &[&[("m", 1)], &[("m", 3)]];
    for name in ["avx2", "avx512"] {
        let target = target(name, DataType::F32);
        for beside in [1, 2] {
            let options = Options::of(&target).interleaved(beside);
            let (fast, _) = vectorize(&plain, "i", &target, options).unwrap_or_else(|e| panic!("{e}"));
            let shown = proc_to_string(fast.ast());
            assert!(shown.contains("mask") && !shown.contains("if "), "{shown}");
            assert_eq!(same(&plain, &fast, sizes), sizes.len(), "{name}");
            if machine(name).runs_here() {
                same_in_c(&[fast], sizes);
            }
        }
        let short =
            proc("@proc\ndef p(x: f32[3], y: f32[3]):\n    for i in seq(0, 3):\n        y[i] = x[i]\n");
        let said =
            vectorize(&short, "i", &target, Options::of(&target)).expect_err("a short loop").to_string();
        assert!(said.contains("runs 3 times, which fills no vector"), "{said}");
    }
}

//! Matrix products: one schedule for all machines and precisions, held against the interpreter and in C.
//! Spec: [rule: kernels].

mod support;

use rewright_library::definitions::{Definitions, steps_of};
use rewright_library::{Target, gemm};
use rewright_machines::MACHINES;
use rewright_semantics::types::DataType;
use std::time::Instant;
use support::{machine, same, same_in_c, target};

/// Around the sizes of micro-kernels, with ones, a column, and more in K than is packed at once; packed, with no rows but the
/// first ones, with some more, and with more than a block of them, of little depth and of more; few rows of many columns.
const SHAPES: &[[i64; 3]] = &[
    [1, 1, 1],
    [6, 64, 3],
    [7, 33, 5],
    [13, 70, 4],
    [5, 1, 37],
    [2, 130, 3],
    [12, 16, 9],
    [1, 3, 520],
    [4, 9, 33],
    [6, 140, 3],
    [7, 130, 5],
    [8, 200, 70],
    [13, 129, 65],
    [26, 192, 20],
    [140, 161, 3],
    [7, 129, 1030],
    [14, 270, 70],
    [13, 130, 600],
    [3, 2100, 18],
    [16, 2050, 17],
];

#[test]
fn one_schedule_multiplies_on_all_machines() {
    let d = Definitions::of(rewright_library::sgemm::SOURCE);
    for name in ["avx2", "avx512"] {
        for precision in [DataType::F32, DataType::F64] {
            let start = Instant::now();
            let fast =
                gemm::gemm(&target(name, precision)).unwrap_or_else(|e| panic!("{name} {precision}: {e}"));
            println!("{name} {precision}: {:?}, {} steps", start.elapsed(), steps_of([&fast]).len());
            let sizes: Vec<Vec<(&str, i64)>> =
                SHAPES.iter().map(|s| ["M", "N", "K"].into_iter().zip(*s).collect()).collect();
            let sizes: Vec<&[(&str, i64)]> = sizes.iter().map(Vec::as_slice).collect();
            let plain = if precision == DataType::F32 {
                d.proc("sgemm")
            } else {
                support::proc(
                    "@proc\ndef dgemm(M: size, N: size, K: size, A: f64[M, K], B: f64[K, N], C: f64[M, N]):\n    \
                     for i in seq(0, M):\n        for j in seq(0, N):\n            for k in seq(0, K):\n                \
                     C[i, j] += A[i, k] * B[k, j]\n",
                )
            };
            assert_eq!(same(&plain, &fast, &sizes), SHAPES.len(), "{name} {precision}");
            if machine(name).runs_here() {
                same_in_c(&[fast], &sizes);
            }
        }
    }
}

/// Another second-level cache makes strips of other sizes: one with hardly any room, and a larger one.
#[test]
fn a_cache_decides_how_wide_strips_are() {
    let d = Definitions::of(rewright_library::sgemm::SOURCE);
    let sizes = [[13, 70, 70], [8, 200, 5], [14, 270, 70]];
    let sizes = sizes.map(|s| ["M", "N", "K"].into_iter().zip(s).collect::<Vec<_>>());
    let sizes: Vec<&[(&str, i64)]> = sizes.iter().map(Vec::as_slice).collect();
    for (name, bytes) in [("avx2", 4 << 10), ("avx512", 4 << 10), ("avx512", 2 << 20)] {
        let target = target(name, DataType::F32).with_second_cache(bytes);
        let fast = gemm::gemm(&target).unwrap_or_else(|e| panic!("{name}, {bytes} bytes: {e}"));
        assert_eq!(same(&d.proc("sgemm"), &fast, &sizes), sizes.len(), "{name}, {bytes} bytes");
    }
}

/// What a machine lacks is said: masks on Neon, instructions in plain C.
#[test]
fn a_machine_without_masks_is_refused() {
    let neon = MACHINES.iter().copied().find(|m| m.name == "neon").expect("Neon");
    for target in [Target::of(neon, DataType::F32).expect("vectors"), Target::portable(DataType::F64)] {
        let said = gemm::gemm(&target).expect_err("no masks").to_string();
        assert!(said.contains(target.name()) && said.contains("Load"), "{said}");
    }
}

//! `symv`, `trmv` and `trsv` by blocks of rows, on targets that add up several registers at once and on one that does not.
//! Spec: [rule: blas.schedules].

mod support;

use rewright_library::blas::{Plan, Precision, Schedules, programs};
use rewright_library::definitions::Definitions;
use support::{machine, same, target};

/// Fewer rows than a block has, whole blocks, and some that are left over.
const ROWS: [i64; 7] = [1, 3, 4, 9, 16, 21, 35];

#[test]
fn blocks_of_rows_are_their_programs() {
    for (name, sums) in
        [("neon", None), ("avx2", Some("mm256_add_sums_pd")), ("avx512", Some("mm512_add_sums_pd"))]
    {
        let precision = Precision::F64;
        let schedules = Schedules::new(machine(name), precision).expect("vectors");
        let mut scheduled = 0;
        for program in programs(precision) {
            let Plan::SeveralRows { .. } = program.plan else { continue };
            let plain = Definitions::of(&program.text).proc(&program.proc_name(precision));
            let fast =
                schedules.schedule(&plain, program.plan).unwrap_or_else(|e| panic!("{}: {e}", plain.name()));
            let sizes: Vec<[(&str, i64); 1]> = ROWS.iter().map(|n| [("n", *n)]).collect();
            let sizes: Vec<&[(&str, i64)]> = sizes.iter().map(|s| &s[..]).collect();
            assert_eq!(same(&plain, &fast, &sizes), ROWS.len(), "{name}: {}", plain.name());
            let is_sum = !program.name.contains("v_ut") && !program.name.contains("v_lt");
            let found = sums.is_some_and(|sums| fast.find(&format!("{sums}(_)")).is_ok());
            assert_eq!(found, sums.is_some() && is_sum, "{name}: {}", plain.name());
            scheduled += 1;
        }
        assert_eq!(scheduled, 18, "{name}");
    }
}

/// Rows and columns: fewer and more than a block has rows, and than one strip and all strips have columns; and as many as are done
/// in parts, of which one is left over or none.
const SHAPES: [(i64, i64); 16] = [
    (1, 1),
    (2, 7),
    (3, 16),
    (5, 17),
    (8, 40),
    (15, 9),
    (16, 8),
    (21, 5),
    (35, 3),
    (4, 127),
    (5, 128),
    (2, 129),
    (3, 300),
    (9, 530),
    (577, 513),
    (512, 512),
];

#[test]
fn products_with_vectors_are_their_programs() {
    for (name, adds_sums) in [("neon", None), ("avx2", Some("mm256")), ("avx512", Some("mm512"))] {
        for precision in Precision::ALL {
            let schedules = Schedules::new(machine(name), precision).expect("vectors");
            for program in programs(precision).into_iter().filter(|p| p.name.starts_with("gemv")) {
                let plain = Definitions::of(&program.text).proc(&program.proc_name(precision));
                let fast = schedules
                    .schedule(&plain, program.plan)
                    .unwrap_or_else(|e| panic!("{}: {e}", plain.name()));
                let sizes = SHAPES.map(|(m, n)| [("m", m), ("n", n)]);
                let sizes: Vec<&[(&str, i64)]> = sizes.iter().map(|s| &s[..]).collect();
                assert_eq!(same(&plain, &fast, &sizes), SHAPES.len(), "{name}: {}", plain.name());
                let part = match (program.plan, adds_sums) {
                    (Plan::SumsOfRows, Some(prefix)) => {
                        format!("{prefix}_add_sums_p{}(_)", precision.letter())
                    }
                    (Plan::SumsOfRows, None) => "sum: f32[4]".replace("f32", precision.name()),
                    (Plan::SumOfRows, _) => {
                        let lanes = target(name, precision.data_type()).lanes();
                        format!("{}_of_rows_to_{lanes}_in_registers(_)", plain.name())
                    }
                    (other, _) => panic!("{other:?} is no plan for {}", plain.name()),
                };
                let expected = program.plan == Plan::SumsOfRows || adds_sums.is_some();
                let call = fast.find(&format!("{}_of_rows(_)", plain.name())).expect("parts of rows");
                let rows = call.subproc().expect("a procedure");
                assert_eq!(rows.find(&part).is_ok(), expected, "{name}: {part}");
            }
        }
    }
}

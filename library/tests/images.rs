//! Image pipelines: their schedules are the plain programs, by the interpreter and in C; what the directives refuse.
//! Spec: [rule: library.images], [rule: kernels.images].

mod support;

use rewright_library::definitions::{Definitions, steps_of};
use rewright_library::images::{self, PIPELINES, Pipeline};
use rewright_primitives::derivation::audit::{self, audit};
use rewright_primitives::derivation::{Derivation, record};
use rewright_primitives::registry::Registry;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::inputs::Search;
use rewright_semantics::span::SourceMap;
use rewright_semantics::types::DataType;
use std::collections::BTreeSet;
use std::time::Instant;
use support::{given, proc, same, same_in_c, target};

/// One tile, tiles beside and below each other; a width that no vector divides.
const SIZES: [&[(&str, i64)]; 4] =
    [&[("H", 32), ("W", 256)], &[("H", 32), ("W", 512)], &[("H", 64), ("W", 256)], &[("H", 32), ("W", 45)]];

/// Those that a pipeline admits: blur's are multiples of its tiles.
fn sizes(name: &str) -> &'static [&'static [(&'static str, i64)]] {
    if name == "blur" { &SIZES[..3] } else { &SIZES }
}

#[test]
fn pipelines_are_the_plain_programs() {
    for Pipeline { name, text, precision, schedule } in PIPELINES {
        let plain = Definitions::of(text).proc(name);
        for machine in ["avx2", "avx512", "portable"] {
            let start = Instant::now();
            let fast =
                schedule(&plain, &target(machine, precision)).unwrap_or_else(|e| panic!("{name}: {e}"));
            println!("{name} {machine}: {:?}, {} steps", start.elapsed(), steps_of([&fast]).len());
            let sizes = sizes(name);
            assert_eq!(same(&plain, &fast, sizes), sizes.len(), "{name} {machine}");
            if machine == "portable" || support::machine(machine).runs_here() {
                same_in_c(&[fast], sizes);
            }
        }
    }
}

/// Another machine is another record.
#[test]
fn blur_is_the_plain_program_on_neon() {
    let plain = Definitions::of(images::BLUR).proc("blur");
    let fast = images::blur(&plain, &target("neon", DataType::UI16)).expect("the schedule");
    assert!(fast.find("neon_third_u16(_)").is_ok());
    assert_eq!(same(&plain, &fast, &SIZES[..1]), 1);
}

/// Sums of three pixels wrap at 16 bits in both: no result is another.
#[test]
fn pixels_wrap_as_in_the_plain_program() {
    let plain = Definitions::of(images::BLUR).proc("blur");
    let fast = images::blur(&plain, &target("avx2", DataType::UI16)).expect("the schedule");
    let comparer =
        Comparer::<MachineDomain>::new(plain.ast(), fast.ast(), BTreeSet::new(), Limits::default())
            .expect("one signature");
    let search = Search { max_cells: 1 << 18, ..Search::default() };
    let input = comparer.subject().generate(&given(SIZES[0]), 1, search).expect("an input");
    assert_eq!(comparer.compare(&input), Verdict::Equal);
}

#[test]
fn derivations_are_accepted_by_an_audit() {
    let Pipeline { name, text, precision, schedule } = PIPELINES[0];
    let fast = schedule(&Definitions::of(text).proc(name), &target("avx2", precision)).expect("the schedule");
    let written = serde_json::to_string(&record(text, [(name, &fast)])).expect("written");
    let read: Derivation = serde_json::from_str(&written).expect("read");
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let registry = Registry::standard();
    let options = audit::Options { inputs: 1, ..audit::Options::new(&prelude, &registry) };
    let summary = audit(&read, &options).unwrap_or_else(|found| panic!("{found}"));
    println!("{summary:?}");
    assert!(summary.chains == 1);
}

const PLAIN: &str = "@proc
def p(n: size, x: f32[4 * n + 4], y: f32[4 * n + 4, 4 * n + 4], b: f32[4 * n]):
    a: f32[4 * n + 4]
    for i in seq(0, 4 * n + 4):
        a[i] = x[i]
    d: f32[4 * n + 4, 4 * n + 4]
    for i in seq(0, 4 * n + 4):
        for j in seq(0, 4 * n + 4):
            d[i, j] = y[i, j]
    for io in seq(0, n):
        for ii in seq(0, 4):
            b[4 * io + ii] = VALUE
";

/// What an iteration needs decides: each refusal says what is in the way.
#[test]
fn directives_refuse_what_they_cannot_do() {
    let with = |value: &str| proc(&PLAIN.replace("VALUE", value));
    let cases: &[(&str, &str, &str)] = &[
        ("a[4 * io + ii] + a[4 * io + ii + 2]", "a", ""),
        ("a[4 * n + 3 - (4 * io + ii)]", "a", "do not begin a fixed number further in each iteration: -4"),
        ("a[4 * io + ii + 1]", "a", ""),
        ("d[4 * io + ii, 4 * io + ii]", "d", "moves with `for io in seq(0, n):` in 2 dimensions, not in one"),
        ("a[ii]", "a", "in 0 dimensions"),
        ("a[0]", "c", "nothing writes `c`"),
    ];
    for (value, producer, expected) in cases {
        let p = with(value);
        let made = images::compute_at(&p, producer, "b", "io");
        match made {
            Ok(q) => {
                assert!(expected.is_empty(), "{value} was accepted");
                assert_eq!(same(&p, &q, &[&[("n", 1)], &[("n", 3)]]), 2, "{value}");
            }
            Err(e) => assert!(!expected.is_empty() && e.to_string().contains(expected), "{value}: {e}"),
        }
    }
    let p = with("a[4 * io + ii]");
    let missing = images::tile(&p, "b", &[("k", 4)]).expect_err("there is no such loop").to_string();
    assert!(missing.contains("`b` is in no loop over `k`"), "{missing}");
    let rvv = target("rvv", DataType::F32);
    let floats =
        images::blur(&Definitions::of(images::BLUR).proc("blur"), &rvv).expect_err("no integers").to_string();
    assert!(floats.contains("`sum` is ui16, and would be f32"), "{floats}");
}

//! What the library makes has a derivation that an audit accepts: every step is one that a user could write.
//! Spec: [rule: library.operations].

mod support;

use rewright_library::{Options, ops, vectorize};
use rewright_primitives::derivation::audit::{self, audit};
use rewright_primitives::derivation::{Derivation, record};
use rewright_primitives::registry::Registry;
use rewright_semantics::span::SourceMap;
use rewright_semantics::types::DataType;
use support::{proc, target};

const TEXT: &str = "@proc
def gemv(m: size, n: size, A: f32[m, n], x: f32[n], y: f32[m]):
    assert n <= 40
    for i in seq(0, m):
        for j in seq(0, n):
            y[i] += A[i, j] * x[j]
";

#[test]
fn derivations_are_accepted_by_an_audit() {
    let plain = proc(TEXT);
    let t = target("avx2", DataType::F32);
    let i = plain.find_loop("i").expect("the rows");
    let (jammed, inner) = ops::unroll_and_jam(&plain, &i, 2).expect("rows beside each other");
    let shared = ops::cse_loads(&jammed, &inner).expect("loads once");
    let (fast, _) = vectorize(&shared, &inner, &t, Options::of(&t)).expect("vectors");
    let written = serde_json::to_string(&record(TEXT, [("fast", &fast)])).expect("written");
    let read: Derivation = serde_json::from_str(&written).expect("read");
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let registry = Registry::standard();
    let options =
        audit::Options { inputs: 2, statements: 300_000, ..audit::Options::new(&prelude, &registry) };
    let summary = audit(&read, &options).unwrap_or_else(|found| panic!("{found}"));
    println!("{summary:?}");
    assert!(summary.chains == 1);
}

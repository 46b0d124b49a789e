//! What is found out about programs, on a small one and on the corpus. Spec: [rule: library.inspection].

mod support;

use rewright_library::inspect;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;
use rewright_semantics::types::DataType;
use support::proc;

const GEMV: &str = "@proc
def gemv(m: size, n: size, a: f32, A: f32[m, n], x: f64[n], y: f32[m]):
    for i in seq(0, m):
        t: f32
        t = 0.0
        for j in seq(0, n):
            t += A[i, j] * x[j]
        for k in seq(0, 4):
            y[i] += a * t
";

fn names(all: &[Cursor]) -> String {
    all.iter().map(|c| c.name().expect("a name").to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_nest_is_what_it_is() {
    let p = proc(GEMV);
    let (i, j, k) =
        (p.find_loop("i").expect("i"), p.find_loop("j").expect("j"), p.find_loop("k").expect("k"));
    let add = p.find("t += _").expect("the sum");
    assert_eq!(names(&inspect::enclosing_loops(&add)), "j i");
    assert_eq!(names(&inspect::inner_loops(&i)), "j k");
    assert_eq!(names(&inspect::innermost_loops(&i)), "j k");
    assert!(inspect::encloses(&i, &add) && !inspect::encloses(&k, &add));
    assert_eq!((inspect::trip_count(&i), inspect::trip_count(&k)), (None, Some(4)));
    assert!(inspect::is_parallelizable(&i) && !inspect::is_parallelizable(&j));
    assert!(inspect::is_reduction(&j) && inspect::is_reduction(&k) && !inspect::is_reduction(&i));
    let sums: Vec<String> = inspect::accumulators(&j).iter().map(|a| a.name.name().to_string()).collect();
    assert_eq!(sums, ["t"]);
    let fixed: Vec<String> = inspect::invariants(&k).iter().map(|a| a.name.name().to_string()).collect();
    assert_eq!(fixed, ["a", "t"]);
    let beside = |loop_: &Cursor| -> Vec<String> {
        let x = loop_.sym().expect("a variable");
        let all = inspect::accesses(loop_);
        all.iter().filter(|a| inspect::is_unit_stride(a, x)).map(|a| a.name.name().to_string()).collect()
    };
    assert_eq!(beside(&j), ["A", "x"]);
    assert_eq!(beside(&i), ["y"]);
    assert_eq!(inspect::precisions(&j).into_iter().collect::<Vec<_>>(), [DataType::F32, DataType::F64]);
    let live: Vec<String> = inspect::live_buffers(&add).iter().map(|(x, _)| x.name().to_string()).collect();
    assert_eq!(live, ["a", "A", "x", "y", "t"]);
    assert_eq!(inspect::fresh(&p, "t"), "t0");
}

/// What factors an index has decides whether cells lie beside each other.
#[test]
fn strides_are_those_of_the_index() {
    let p = proc(
        "@proc
def p(x: f32[64], y: f32[64, 64]):
    for i in seq(0, 4):
        x[i] = 0.0
        x[2 * i] = 0.0
        x[3 * i - 2 * i + 7] = 0.0
        x[i / 2] = 0.0
        x[63 - i] = 0.0
        y[i, i] = 0.0
        y[i, 3] = 0.0
        y[3, i + 1] = 0.0
",
    );
    let i = p.find_loop("i").expect("i");
    let x = i.sym().expect("a variable");
    let unit: Vec<bool> = inspect::accesses(&i).iter().map(|a| inspect::is_unit_stride(a, x)).collect();
    assert_eq!(unit, [true, false, true, false, false, false, false, true]);
}

/// On every procedure of the corpus the questions have answers that fit together.
#[test]
fn answers_about_the_corpus_fit_together() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/ok");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the corpus").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let (mut loops, mut parallel, mut sums, mut unit, mut known) = (0, 0, 0, 0, 0);
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "py")) {
        let mut sources = SourceMap::new();
        let prelude = rewright_machines::prelude(&mut sources);
        let file = sources.add("corpus.py", std::fs::read_to_string(path).expect("a text"));
        for p in parse_module(file, &sources, &prelude).module.procs {
            let p = Proc::root(p);
            for at in inspect::inner_loops(&p.body().expect("a body")) {
                loops += 1;
                let x = at.sym().expect("a variable");
                for inner in inspect::inner_loops(&at) {
                    assert!(inspect::enclosing_loops(&inner).contains(&at));
                    assert!(inspect::encloses(&at, &inner) && !inspect::encloses(&inner, &at));
                }
                let all = inspect::accesses(&at);
                for a in &all {
                    assert!(inspect::encloses(&at, &a.at) && inspect::buffer(&p, a.name).is_some());
                    unit += usize::from(inspect::is_unit_stride(a, x));
                }
                let independent = inspect::is_parallelizable(&at);
                // A loop that runs more than once and adds to one cell is not parallel.
                let adds = !inspect::accumulators(&at).is_empty();
                let often = inspect::trip_count(&at).is_none_or(|n| n > 1);
                assert!(!(independent && adds && often && all.iter().all(|a| !is_local(&p, &at, a))));
                parallel += usize::from(independent);
                sums += usize::from(inspect::is_reduction(&at));
                known += usize::from(inspect::trip_count(&at).is_some());
            }
        }
    }
    println!(
        "{loops} loops: {parallel} parallel, {sums} sums, {known} of known length, {unit} accesses beside each other"
    );
    assert!(loops > 100 && parallel > 20 && sums > 10 && known > 20 && unit > 50);
}

/// Whether a buffer is allocated inside a loop.
fn is_local(p: &Proc, at: &Cursor, a: &inspect::Access) -> bool {
    let outside = inspect::live_buffers(&p.forward(at).expect("it is of this version"));
    !outside.iter().any(|(x, _)| *x == a.name)
}

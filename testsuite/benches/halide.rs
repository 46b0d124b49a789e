//! The Halide model: from algorithm to completed program, and executing it.

#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use mimalloc::MiMalloc;
use rewright_halide_model::alg::{Algorithm, Input};
use rewright_halide_model::confluence::Engine;
use rewright_halide_model::exec::fast::Compiled;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::parse;
use rewright_semantics::span::SourceMap;
use rewright_testsuite::throughput::{Unit, measure};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    ten_stages(Engine::Tight, Some(Duration::from_millis(2)));
    ten_stages(Engine::Baseline, None);
    blur("executor on blur", "");
    blur(
        "executor on blur, in strips of 32 rows",
        "schedule: split(<by, y>, yo, yi, 32, guard); compute-at(bx, <by, yo>); compute-at(src, <by, yo>);",
    );
}

fn read(text: &str) -> (Arc<Algorithm>, Vec<Directive>) {
    let mut sources = SourceMap::new();
    let file = sources.add("bench", text);
    let parsed = parse(file, &sources).unwrap_or_else(|d| panic!("{}", d.message));
    (Arc::new(parsed.algorithm), parsed.schedule.into_iter().map(|(d, _)| d).collect())
}

/// Ten stages in a chain, in tiles, the first half per tile.
fn chain() -> (Arc<Algorithm>, Vec<Directive>) {
    let mut text = "pipeline s9():\n  fun s0(x, y) = x * 3 + y;\n".to_owned();
    for i in 1..10 {
        let g = i - 1;
        text.push_str(&format!("  fun s{i}(x, y) = s{g}[x - 1, y] + s{g}[x, y] + s{g}[x + 1, y + 1];\n"));
    }
    text.push_str(
        "schedule: split(<s9, x>, xo, xi, 32, guard); split(<s9, y>, yo, yi, 8, guard); swap(<s9, yi>);",
    );
    for i in (4..9).rev() {
        text.push_str(&format!("compute-at(s{i}, <s9, xo>);"));
    }
    for i in 4..9 {
        text.push_str(&format!("store-at(s{i}, <s9, xo>);"));
    }
    read(&text)
}

/// How often each engine is timed.
const RUNS: usize = 200;

/// Goal: under 2 ms with the tight engine.
fn ten_stages(engine: Engine, goal: Option<Duration>) {
    let (p, s) = chain();
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let t = schedule(&p, &s, Sequence::Strict, Rules::default()).unwrap_or_else(|r| panic!("{r}"));
        let (completed, none) = engine.complete(&t);
        times.push(start.elapsed());
        assert!(engine == Engine::Baseline || none.is_none());
        drop(black_box(completed));
    }
    times.sort_unstable();
    let median = times.get(RUNS / 2).copied().unwrap_or_default();
    let goal = goal.map_or(String::new(), |g| {
        let met = if median < g { "met" } else { "missed" };
        format!(", goal under {g:.0?} ({met})")
    });
    let (fastest, slowest) = (times.first().copied(), times.last().copied());
    println!(
        "lower, schedule and bounds of ten stages, {}: {median:.2?}{goal}, from {:.2?} to {:.2?} in {RUNS} runs",
        engine.name(),
        fastest.unwrap_or_default(),
        slowest.unwrap_or_default(),
    );
}

const BLUR: &str = "pipeline by():
  fun src(x, y) = (x * 7 + y * 3) mod 29;
  fun bx(x, y) = (src[x, y] + src[x + 1, y] + src[x + 2, y]) div 3;
  fun by(x, y) = (bx[x, y] + bx[x, y + 1] + bx[x, y + 2]) div 3;
";

/// Goal: at least ten million points per second, of all stages.
fn blur(what: &str, directives: &str) {
    let (p, s) = read(&format!("{BLUR}{directives}"));
    let t = schedule(&p, &s, Sequence::Strict, Rules::default()).unwrap_or_else(|r| panic!("{r}"));
    let code = Compiled::new(&Engine::Tight.complete(&t).0).unwrap_or_else(|e| panic!("{e}"));
    let z = Input::new(Vec::new(), vec![(0, 512), (0, 256)]);
    let points: usize = 514 * 258 + 512 * 258 + 512 * 256;
    measure(what, Unit::Points, points, Some(10.0), || code.run(&z).unwrap_or_else(|e| panic!("{e}")));
}

//! Constants near the ends of 32 and 64 bits, in programs and in the arguments of rewrites: what C is made of runs
//! as the interpreter says, and the sanitizers have nothing to say. Spec: [rule: c.range],
//! [rule: backend.range].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use rewright_backends::c::{Options, compile_module};
use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::{Compiler, Product};
use rewright_campaign::generate::{Shape, module};
use rewright_campaign::rng::Rng;
use rewright_primitives::script;
use rewright_semantics::ast::{Module, Proc};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{FaultClass, FaultKind, Limits, call_proc};
use rewright_semantics::diag::has_errors;
use rewright_semantics::inputs::{Given, Search, generate};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use rewright_semantics::typecheck::check_module;
use rewright_testsuite::huge::{Replaced, constant, enlarged};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug, Default)]
struct Tally {
    replaced: Replaced,
    programs: usize,
    /// What the back end refused, by rule.
    refused: BTreeMap<&'static str, usize>,
    /// Programs that became C, those with a check, and those for 64 bits only.
    accepted: usize,
    checked: usize,
    wide_only: usize,
    /// Runs that the interpreter gives up, since 64 bits are too few for it.
    beyond: usize,
    /// Runs with 64 bits, and with 32.
    runs: [usize; 2],
    cells: usize,
}

/// How many programs: a few here, many when asked.
fn programs() -> u64 {
    std::env::var("REWRIGHT_HUGE").ok().and_then(|n| n.parse().ok()).unwrap_or(50)
}

#[test]
fn generated_programs() {
    let mut tally = Tally::default();
    let mut batch = Batch::default();
    for seed in 0..programs() {
        let mut rng = Rng::new(seed);
        let shape = Shape { procs: 1, prefix: format!("s{seed}_"), ..Shape::floating() };
        let made = module(seed, &shape);
        let (p, replaced) = enlarged(made.procs.last().unwrap(), &mut rng);
        tally.replaced.integers += replaced.integers;
        tally.replaced.comparisons += replaced.comparisons;
        tally.replaced.loops += replaced.loops;
        batch.add(Module { procs: vec![Arc::new(p)], ..made }, &mut tally);
    }
    batch.run(&mut tally);
    println!("{tally:?}");
    assert!(
        tally.refused.keys().all(|rule| ["backend.range", "backend.control"].contains(rule)),
        "{tally:?}"
    );
    assert!(tally.accepted * 4 > tally.programs && tally.refused.len() == 2, "{tally:?}");
    assert!(tally.wide_only > 0 && tally.wide_only < tally.accepted, "{tally:?}");
    assert!(tally.runs[0] > 30 && tally.runs[1] > 20 && tally.cells > 500, "{tally:?}");
}

/// Programs that became C: all of them, and those for either width of `int_fast32_t`.
#[derive(Default)]
struct Batch {
    all: Module,
    either: Module,
}

/// What makes `int_fast32_t` have 32 bits.
const NARROW: &str = "\
#include <stdint.h>
#define int_fast32_t int32_t
#undef INT_FAST32_MAX
#define INT_FAST32_MAX INT32_MAX
";

impl Batch {
    /// Compiles a program, and keeps it if there is C for it.
    fn add(&mut self, alone: Module, tally: &mut Tally) {
        tally.programs += 1;
        let Some(needs_wide) = compiled(&alone, tally) else { return };
        let keep = |to: &mut Module| {
            to.configs.extend(alone.configs.iter().cloned());
            to.procs.extend(alone.procs.iter().cloned());
        };
        keep(&mut self.all);
        if !needs_wide {
            keep(&mut self.either);
        }
    }

    fn run(&self, tally: &mut Tally) {
        let header = Path::new(env!("CARGO_TARGET_TMPDIR")).join("narrow.h");
        std::fs::write(&header, NARROW).unwrap();
        run(&self.all, &[], 0, tally);
        run(&self.either, &["-include", header.to_str().unwrap()], 1, tally);
        // A unit that needs more says so.
        let compiler = Compiler::available().into_iter().next().unwrap();
        let built = Built::with_flags(&self.all, &compiler, &["-include", header.to_str().unwrap()]).unwrap();
        let refused = built.check().map_err(|why| why.to_string());
        assert!(tally.wide_only == 0 || refused.unwrap_err().contains("integers of 64 bits"));
    }
}

/// Whether a program becomes C, and then, whether for 64 bits only.
fn compiled(m: &Module, tally: &mut Tally) -> Option<bool> {
    let found = check_module(m);
    assert!(!has_errors(&found), "{found:?}\n{}", proc_to_string(m.procs.last().unwrap()));
    match compile_module(m, &Options::new("unit")) {
        Ok(unit) => {
            tally.accepted += 1;
            tally.checked += usize::from(unit.source.contains("REQUIRE("));
            tally.wide_only += usize::from(unit.needs_wide);
            Some(unit.needs_wide)
        }
        Err(found) => {
            let rules: std::collections::BTreeSet<&str> = found.iter().map(|d| d.rule).collect();
            for rule in rules {
                *tally.refused.entry(rule).or_insert(0) += 1;
            }
            None
        }
    }
}

/// Runs each procedure of a module under sanitizers.
fn run(m: &Module, flags: &[&str], width: usize, tally: &mut Tally) {
    let compiler = Compiler::available().into_iter().next().unwrap();
    let built = Built::with_flags(m, &compiler, flags).unwrap();
    for p in &m.procs {
        for seed in 0..2 {
            let search = Search { max_cells: 64, budget: 2000 };
            let Ok(input) = generate(p, &Given::default(), seed, search) else { continue };
            match built.agree(p.name.as_str(), &input, Mode::Sanitized) {
                Ok(Verdict::Agrees { compared, .. }) => {
                    tally.runs[width] += 1;
                    tally.cells += compared;
                }
                Ok(Verdict::Faulty(fault)) if fault.class() == FaultClass::Limit => tally.beyond += 1,
                Ok(Verdict::InputRejected(_) | Verdict::TooLarge(_)) => {}
                bad @ (Ok(Verdict::Differs(_) | Verdict::Faulty(_) | Verdict::NeedsState(_)) | Err(_)) => {
                    panic!("{bad:?}\n{input}\n{}\n{}", proc_to_string(p), built.unit().source);
                }
            }
        }
    }
}

/// Procedures and the rewrites of them that take a number, as `{}`.
const REWRITES: [(&str, &[&str]); 4] = [
    (
        "@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = y[i] * 2.0
",
        &[
            "shift_loop(p, \"i\", {})",
            "divide_loop(p, \"i\", {}, [\"io\", \"ii\"], tail=\"guard\")",
            "divide_loop(p, \"i\", {}, [\"io\", \"ii\"], tail=\"cut\")",
            "divide_loop(p, \"i\", {}, [\"io\", \"ii\"], tail=\"cut_and_guard\")",
            "cut_loop(p, \"i\", {})",
            "cut_loop(p, \"i\", \"n - {}\")",
            "add_loop(p, \"x[_] = _\", \"k\", {})",
            "specialize(p, \"x[_] = _\", \"i < {}\")",
            "rewrite_expr(p, \"y[_]\", \"y[i + {} - {}]\")",
            "simplify(rewrite_expr(p, \"n\", \"n + {} - {}\"))",
            "stage_mem(p, \"x[_] = _\", \"x[i - {} + {}:i + 1]\", \"t\")",
        ],
    ),
    (
        "@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        t: f32
        t = x[i]
        x[i] = t + 1.0
",
        &[
            "expand_dim(p, \"t\", {}, \"i\")",
            "expand_dim(p, \"t\", {}, \"0\")",
            "lift_alloc(expand_dim(p, \"t\", {}, \"i % {}\"), \"t\")",
            "expand_dim(expand_dim(p, \"t\", {}, \"0\"), \"t\", {}, \"0\")",
        ],
    ),
    (
        "@proc
def p(n: size, x: f32[16]):
    t: f32[16]
    for i in seq(0, 16):
        t[i] = x[i] + 1.0
    for i in seq(0, 16):
        x[i] = t[i]
",
        &[
            "divide_dim(p, \"t\", 0, {})",
            "resize_dim(p, \"t\", 0, {}, 0)",
            "resize_dim(p, \"t\", 0, {}, \"0 - {}\")",
            "cut_loop(p, \"i\", {})",
            "shift_loop(p, \"i\", -{})",
            "unroll_loop(shift_loop(p, \"i\", {}), \"i\")",
        ],
    ),
    (
        "@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = x[i, j] + 1.0
",
        &[
            "shift_loop(shift_loop(p, \"i\", {}), \"j\", {})",
            "divide_loop(divide_loop(p, \"i\", {}, [\"io\", \"ii\"], tail=\"cut\"), \"j\", {}, [\"jo\", \"ji\"], tail=\"guard\")",
            "simplify(shift_loop(p, \"j\", {}))",
        ],
    ),
];

/// More numbers of this kind.
fn constants(count: usize) -> impl Iterator<Item = i128> {
    let mut rng = Rng::new(1);
    (0..count).map(move |_| i128::from(constant(&mut rng)))
}

#[derive(Debug, Default)]
struct Rewritten {
    refused: usize,
    /// Lines that are not scripts: numbers of more than 64 bits.
    wrong: usize,
    accepted: usize,
    same: usize,
}

/// Spec: [rule: c.range], [rule: run.overflow].
#[test]
fn rewrites_with_huge_arguments() {
    let mut numbers: Vec<i128> =
        vec![3, 1 << 24, (1 << 31) - 1, 1 << 32, 1 << 60, 1 << 62, (1 << 63) - 1, 1 << 64];
    numbers.extend(constants(std::env::var_os("REWRIGHT_HUGE").map_or(0, |_| 20)));
    let (mut rewritten, mut tally) = (Rewritten::default(), Tally::default());
    let mut batch = Batch::default();
    for (definition, calls) in REWRITES {
        for call in calls {
            for k in &numbers {
                let line = call.replace("{}", &k.to_string());
                let text = format!("{definition}\nq = {line}\n");
                let start = std::time::Instant::now();
                let found = rewrite(&text, &mut rewritten);
                if start.elapsed().as_millis() > 1000 {
                    println!("{line}: {:?}", start.elapsed());
                }
                let Some((before, after)) = found else { continue };
                let after = Proc { name: Name::new(&format!("q{}", tally.programs)), ..after };
                let ends = compare(&before, &after, &line, &mut rewritten);
                let alone = Module { procs: vec![Arc::new(after)], ..Module::default() };
                if ends {
                    batch.add(alone, &mut tally);
                } else {
                    compiled(&alone, &mut tally);
                }
            }
        }
    }
    batch.run(&mut tally);
    println!("{rewritten:?}\n{tally:?}");
    assert!(rewritten.wrong > 10 && rewritten.refused > 30 && rewritten.same > 100, "{rewritten:?}");
    assert!(
        tally.accepted > 80
            && tally.refused["backend.range"] > 15
            && tally.cells > 1000
            && tally.runs[1] > 50,
        "{tally:?}"
    );
}

/// The procedure before and after a script of one line.
fn rewrite(text: &str, rewritten: &mut Rewritten) -> Option<(Proc, Proc)> {
    let mut sources = SourceMap::new();
    let file = sources.add("huge.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(!has_errors(&parsed.diagnostics), "{:?}", parsed.diagnostics);
    let Ok(lines) = script::parse(file, text) else {
        rewritten.wrong += 1;
        return None;
    };
    let ran = script::run(&parsed.module, &rewright_machines::prelude(&mut SourceMap::new()), &lines);
    match ran.error {
        None => {
            rewritten.accepted += 1;
            let before = Proc::clone(parsed.module.procs.last()?);
            Some((before, Proc::clone(ran.bindings.last()?.proc.ast())))
        }
        Some(e) => {
            let d = e.diagnostic();
            assert!(d.rule != "script.internal" && !d.message.is_empty(), "{text}\n{d:?}");
            if e.is_refusal() {
                rewritten.refused += 1
            } else {
                rewritten.wrong += 1
            }
            None
        }
    }
}

/// The interpreter says the same of both, unless 64 bits or the cells it may have are too few for it.
/// Whether it says something.
fn compare(before: &Proc, after: &Proc, line: &str, rewritten: &mut Rewritten) -> bool {
    let mut ends = true;
    for seed in 0..2 {
        let search = Search { max_cells: 64, budget: 2000 };
        let Ok(input) = generate(before, &Given::default(), seed, search) else { continue };
        let outcome = |p: &Proc| {
            let (args, st) = input.store::<RationalDomain>(p);
            let limits = Limits { cells: 1 << 12, ..Limits::statements(20_000) };
            call_proc::<RationalDomain>(p, &args, st, limits)
        };
        match (outcome(before), outcome(after)) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a.store.heap(), b.store.heap(), "{line} on {input}");
                rewritten.same += 1;
            }
            (_, Err(fault)) => {
                ends = false;
                assert!(
                    matches!(
                        fault.kind,
                        FaultKind::Overflow { .. }
                            | FaultKind::OutOfFuel { .. }
                            | FaultKind::OutOfMemory { .. }
                    ),
                    "{line} on {input}: {fault}"
                );
            }
            (Err(fault), Ok(_)) => panic!("{line} on {input}: {fault} before"),
        }
    }
    ends
}

/// What a rewrite makes of constants is refused by the back end with its place, the expression and its values.
/// Spec: [rule: backend.range].
#[test]
fn refusals_have_a_place_an_expression_and_values() {
    let expected = [
        (
            REWRITES[0].0,
            "shift_loop(p, \"i\", 9223372036854775807)",
            "`n + 9223372036854775807LL` is too large for C to compute with",
            "it is between 9223372036854775808 and 9223373136366403582",
            "`n` is between 1 and 1099511627775",
        ),
        (
            REWRITES[0].0,
            "divide_loop(p, \"i\", 9223372036854775807, [\"io\", \"ii\"], tail=\"guard\")",
            "`n + 9223372036854775806LL` may be too large for C to compute with",
            "it is between 9223372036854775807 and 9223373136366403581",
            "`n` is between 1 and 1099511627775",
        ),
        (
            REWRITES[1].0,
            "expand_dim(p, \"t\", 1152921504606846976, \"0\")",
            "`t` is too large for C to allocate",
            "it has at least 1152921504606846976 cells, and C's buffers have at most 576460752303423487",
            "",
        ),
    ];
    for (definition, line, message, label, note) in expected {
        let text = format!("{definition}\nq = {line}\n");
        let (_, after) = rewrite(&text, &mut Rewritten::default()).unwrap();
        let alone = Module { procs: vec![Arc::new(after)], ..Module::default() };
        let found = compile_module(&alone, &Options::new("unit")).unwrap_err();
        let d = found.first().unwrap();
        assert_eq!((d.rule, d.message.as_str(), d.primary.text.as_str()), ("backend.range", message, label));
        assert!(note.is_empty() || d.notes.iter().any(|n| n == note), "{d:?}");
        assert!(!d.primary.span.is_none(), "{line}: {d:?}");
    }
}

/// An allocation that no argument bounds stands behind a check that holds both for the product and for what
/// it may not be; with the numbers that it is there for, the run ends instead of going on.
/// Spec: [rule: c.require].
#[test]
fn allocations_are_checked() {
    let text = "@proc
def p(n: size, m: size, x: f32):
    t: f32[n, m]
    t[0, 0] = x
    x = t[n - 1, m - 1]

@proc
def q(n: size, m: size, x: f32[n, m]):
    t: f32[n, m]
    for i in seq(0, n):
        for j in seq(0, m):
            t[i, j] = x[i, j]
    x[0, 0] = t[n - 1, m - 1]
";
    let mut sources = SourceMap::new();
    let file = sources.add("allocations.py", text);
    let m = parse_module(file, &sources, &Prelude::standard()).module;
    let unit = compile_module(&m, &Options::new("unit")).unwrap();
    assert_eq!(unit.source.matches("REQUIRE((double)n * m < INT_FAST32_MAX / 16 + 1);").count(), 1);
    let main = "
#include \"unit.c\"
int main(void) {
    float x = 1.0f;
    p(((int_fast32_t)1 << 39) + 1, (int_fast32_t)1 << 25, &x);
    return 0;
}
";
    for (define, ends) in
        [("", "aborted"), ("#include <stdlib.h>\n#define REQUIRE(c) ((c) ? (void)0 : exit(7))\n", "7")]
    {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("allocations");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("unit.h"), &unit.header).unwrap();
        std::fs::write(dir.join("unit.c"), &unit.source).unwrap();
        std::fs::write(dir.join("main.c"), format!("{define}{main}")).unwrap();
        let compiler = Compiler::available().into_iter().next().unwrap();
        compiler.compile(&dir, &["main.c"], Product::Sanitized, &[], "main").unwrap();
        let status = std::process::Command::new(dir.join("main")).status().unwrap();
        assert_eq!(status.code().map_or("aborted".to_owned(), |c| c.to_string()), ends);
    }
}

/// What is taken for granted of one buffer does not bound another where a field changed in between, an extent may
/// be 0, or an instruction wrote the field. Spec: [rule: c.require], [rule: c.range].
#[test]
fn facts_hold_where_they_are_used() {
    let unit = |text: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add("facts.py", text);
        let parsed = parse_module(file, &sources, &Prelude::standard());
        assert!(!has_errors(&parsed.diagnostics), "{:?}", parsed.diagnostics);
        compile_module(&parsed.module, &Options::new("unit"))
    };
    let config = "@config\nclass Cfg:\n    n: size\n\n";
    let changed = unit(&format!(
        "{config}@proc
def p(m: size, x: f32[Cfg.n, m], y: f32):
    Cfg.n = m
    t: f32[Cfg.n, m]
    t[0, 0] = y
    y = t[0, 0]
"
    ));
    assert!(changed.unwrap().source.contains("REQUIRE((double)"), "the field may be larger than it was");
    let empty = unit(
        "@proc
def p(n: size, m: size, x: f32):
    t: f32[n, m - 1, 1073741824]
    for i in seq(0, m - 1):
        t[0, i, 0] = x
        x = t[0, i, 0]
    if 8589934592 * n < 5:
        x = 0.0
",
    );
    let found = empty.unwrap_err();
    assert!(found.iter().any(|d| d.message.starts_with("`8589934592LL * n`")), "{found:?}");
    let instruction = unit(&format!(
        "{config}@instr(\"ctxt->Cfg.n = {{n}};\")
def set_n(n: size):
    Cfg.n = n

@proc
def p(n: size, x: f32):
    set_n(1048576 * n)
    if 16 * Cfg.n < 5:
        x = 0.0
"
    ));
    assert!(instruction.unwrap().source.contains("REQUIRE((double)16 * ctxt->Cfg.n"), "2^64 is too large");
}

/// Sums are added in the order of C, in which `n - 2^62 + m` begins with `n + m`.
/// Spec: [rule: c.range], [rule: c.control].
#[test]
fn the_order_of_c_is_what_counts() {
    let text = |bound: &str| {
        format!(
            "@proc
def p(n: index, m: index, x: f32):
    assert n <= {bound} and m <= {bound} and n >= 0 and m >= 0
    if n - 4611686018427387904 + m < 0:
        x = 1.0
"
        )
    };
    let compiled = |bound: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add("order.py", text(bound));
        let parsed = parse_module(file, &sources, &Prelude::standard());
        let mut tally = Tally::default();
        compiled(&parsed.module, &mut tally)
    };
    // What callers promise is less than what the assertion allows.
    assert_eq!(compiled("9223372036854775807"), Some(true));
    assert_eq!(compiled("1000"), Some(true));
    let unit = |text: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add("order.py", text);
        compile_module(&parse_module(file, &sources, &Prelude::standard()).module, &Options::new("unit"))
    };
    let source = unit(&text("1000")).unwrap().source;
    assert!(source.contains("if (n + m - 4611686018427387904LL < 0)"), "{source}");
    // From within the unit more may come: 2^62 and 2^62 are added before 2^62 leaves.
    let within = format!(
        "{}
@proc
def q(x: f32):
    p(4611686018427387904, 4611686018427387904, x)
",
        text("9223372036854775807")
    );
    let found = unit(&within).unwrap_err();
    assert_eq!(
        found.iter().map(|d| (d.rule, d.message.as_str())).collect::<Vec<_>>(),
        [("backend.range", "`n + m` may be too large for C to compute with")]
    );
}

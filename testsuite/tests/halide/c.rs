//! The C of the model: no compiler warns, and what does not fit 64 bits is noticed. Spec: `spec/halide/c.md`.

use rewright_campaign::halide::compiled::{self, Ran};
use rewright_campaign::rng::Rng;
use rewright_halide_model::bounds::verify::verify_bounds;
use rewright_halide_model::c;
use rewright_halide_model::confluence::{Engine, reference};
use rewright_halide_model::exec::Stuck;
use rewright_halide_model::exec::fast::Compiled;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::{Parsed, parse};
use rewright_halide_model::tgt::Program;
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::SourceMap;
use std::collections::BTreeMap;
use std::sync::Arc;

fn attempt(text: &str) -> Result<Parsed, Box<Diagnostic>> {
    let mut sources = SourceMap::new();
    let file = sources.add("c", text);
    parse(file, &sources).map_err(Box::new)
}

fn read(text: &str) -> Parsed {
    let parsed = attempt(text).unwrap_or_else(|d| panic!("{}: {text}", d.message));
    let found = valid::check(&parsed.algorithm);
    assert!(found.is_empty(), "{found:?}\n{text}");
    parsed
}

fn completed(parsed: &Parsed) -> Option<Program> {
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm.clone());
    let t = schedule(&p, &directives, Sequence::Strict, Rules::default()).unwrap_or_else(|r| panic!("{r}"));
    let (completed, none) = Engine::Tight.complete(&t);
    none.is_none().then_some(completed)
}

/// What the algorithm computes, where it fits 64 bits.
fn expected(parsed: &Parsed) -> Option<Vec<i64>> {
    let z = parsed.input.as_ref().expect("an input");
    let values = reference(&Arc::new(parsed.algorithm.clone()), z).ok()?;
    values.iter().map(Value::to_i64).collect()
}

/// Truth values as numbers, numbers as truth values, constants on both sides, chains: whatever compilers have a warning
/// for. [rule: halide.c]
#[test]
fn random_conditions_compile_without_a_warning() {
    let mut rng = Rng::new(5);
    for _ in 0..8 {
        let mut text = "pipeline f(p, q):\n  fun g(x) = x * p - q;\n".to_owned();
        for i in 0..4 {
            text.push_str(&format!("  fun h{i}(x) = {};\n", condition(&mut rng, 4)));
        }
        let cond = condition(&mut rng, 3);
        text.push_str(&format!("  fun f(x) = {{h0[x] + h1[x] * h2[x]; (x) <- f[x] + h3[x] if {cond}}};\n"));
        text.push_str("realize((-3, 7); p = 2, q = 3)\n");
        let parsed = read(&text);
        let t = completed(&parsed).expect("bounds");
        let z = parsed.input.as_ref().expect("an input");
        let wanted = expected(&parsed).expect("small numbers");
        assert_eq!(compiled::execute(&t, z), Ok(Ran::Values(wanted)), "{text}");
    }
}

fn condition(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 {
        let leaves = ["x", "p", "q", "0", "1", "-2", "7", "2147483647", "g[x]", "g[x + 1]"];
        return (*rng.pick(&leaves).expect("a leaf")).to_owned();
    }
    let a = condition(rng, depth - 1);
    let b = if rng.chance(15) { a.clone() } else { condition(rng, depth - 1) };
    match rng.below(12) {
        0 => format!("({a} and {b})"),
        1 => format!("({a} or {b})"),
        2 => format!("(not {a})"),
        3 => format!("({a} < {b})"),
        4 => format!("({a} >= {b})"),
        5 => format!("({a} = {b})"),
        6 => format!("({a} + {b})"),
        7 => format!("({a} - {b})"),
        8 => format!("(({a} * {b}) mod 1000)"),
        9 => format!("select({a}, {b}, 3)"),
        10 => format!("min({a}, {b})"),
        _ => format!("({a} div {b})"),
    }
}

/// Numbers around the ends of 32 and 64 bits.
const HUGE: [i64; 9] = [
    2_147_483_647,
    2_147_483_648,
    4_294_967_295,
    4_294_967_297,
    1 << 45,
    1 << 62,
    i64::MAX,
    -(1 << 32),
    -(1 << 62),
];

/// Programs whose control has huge numbers: C agrees, or ends with one of the codes for what does not fit; it never leaves
/// its arrays (the sanitizers would say so). [rule: halide.c-range] [rule: halide.range]
#[test]
fn huge_numbers_never_go_unnoticed() {
    let mut rng = Rng::new(23);
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for round in 0..24 {
        let text = huge(&mut rng, round % FORMS);
        let parsed = read(&text);
        let Some(t) = completed(&parsed).filter(|t| verify_bounds(t).is_verified()) else {
            *outcomes.entry("not verified").or_default() += 1;
            continue;
        };
        let z = parsed.input.as_ref().expect("an input");
        let outcome = match (compiled::execute(&t, z), expected(&parsed)) {
            (Ok(Ran::Values(found)), Some(wanted)) if found == wanted => "equal",
            // Values of funcs wrap around, unlike coordinates; the fast executor says so.
            (Ok(Ran::Values(_)), _)
                if VALUES.contains(&(round % FORMS))
                    && Compiled::new(&t).and_then(|c| c.run(z)) == Err(Stuck::Overflow) =>
            {
                "values beyond 64 bits"
            }
            (Ok(Ran::Failed(Some(15 | 16), _)), _) => "noticed when run",
            (Ok(Ran::Failed(Some(10), _)), _) => "an assertion of the schedule",
            (other, _) => panic!("{other:?}\n{text}\n{}", c::unit(&t).expect("C")),
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{outcomes:?}");
    for wanted in ["equal", "noticed when run"] {
        assert!(outcomes.get(wanted).is_some_and(|n| *n >= 3), "{outcomes:?}");
    }
}

const FORMS: usize = 12;

/// The forms in which a func has values that may not fit.
const VALUES: [usize; 3] = [4, 5, 11];

fn huge(rng: &mut Rng, form: usize) -> String {
    let mut k = || HUGE[rng.below(HUGE.len())];
    let (k, l) = (k(), k());
    let g = "fun g(x) = x mod 1009;";
    let h = format!("fun h(x) = (x + 3) * {k} * {l} + x;");
    let (body, schedule) = match form {
        0 => (format!("fun g(x, y) = x mod 7 + y mod 5; fun f(x) = g[x * {k}, x * {k}];"), String::new()),
        1 => (format!("{g} fun f(x) = g[(x * {k}) mod 7];"), String::new()),
        2 => (format!("{g} fun f(x) = g[(x * {k} * {l}) mod 7 + p];"), String::new()),
        3 => (format!("{g} fun f(x) = g[(x * {k} + {l}) div {k}];"), String::new()),
        4 => (format!("{g} {h} fun f(x) = g[min(max(h[x], 0), 9)];"), String::new()),
        5 => (format!("{g} {h} fun f(x) = g[h[x] mod 9];"), String::new()),
        6 => (format!("{g} fun f(x) = g[x];"), format!("bound(g, x, p * {k}, {});", l.abs().max(1 << 40))),
        7 => (
            format!("{g} fun f(x) = g[x] + g[x + {k}];"),
            format!("split(<f, x>, xo, xi, {}, guard);", i64::MAX),
        ),
        8 => (format!("{g} fun f(x) = g[x * p * q + {k}];"), "compute-at(g, <f, x>);".to_owned()),
        9 => {
            (format!("{g} fun f(x) = {{g[x]; (x) <- f[x] + 1 if x * {k} > {l} - p * q * p}};"), String::new())
        }
        10 => (
            format!("{g} fun f(x) = g[x + 1];"),
            format!("specialize(f, p * q * {k} > {l}); split(<f, 0, 1, x>, xo, xi, 4, guard);"),
        ),
        _ => (
            format!(
                "{g} fun h(x): uint64 = 0 - x; fun f(x) = g[min(h[x], 9)] + g[min(h[x] * p, {k}) mod 5];"
            ),
            String::new(),
        ),
    };
    let minima = [0, 5, -3, 2_147_483_640, -2_147_483_648];
    let (min, p, q) = (minima[rng.below(5)], minima[rng.below(5)], minima[rng.below(5)]);
    let schedule = if schedule.is_empty() { schedule } else { format!("schedule: {schedule}") };
    format!("pipeline f(p, q): {body} {schedule} realize(({min}, {}); p = {p}, q = {q})", rng.between(1, 6))
}

/// [rule: halide.c-range]
#[test]
fn ordinary_programs_have_no_checks() {
    let text = "pipeline f(p): fun g(x, y) = x * x + y; fun h(x, y) = g[x - 1, y] + g[x + p, y];
        fun f(x, y) = h[x, y - 1] + h[2 * x, y + 1];
        schedule: split(<f, x>, xo, xi, 8, shift); split(<f, y>, yo, yi, 4, guard); swap(<f, yi>);
        compute-at(h, <f, xo>); compute-at(g, <h, y>); realize((0, 9), (0, 9); p = 1)";
    let t = completed(&read(text)).expect("bounds");
    let unit = c::unit(&t).expect("C");
    assert!(!unit.contains("checked_") && !unit.contains("inside"), "{unit}");
}

/// Compilers vectorize neither comparisons of 128 bits nor stores under conditions.
/// [rule: halide.c-exact] [rule: halide.c-cut]
#[test]
fn guards_end_loops_and_have_64_bits() {
    let text = "typed pipeline f(a(_0, _1): uint16): fun f(x, y) = a[x, y] + a[y, x];
        schedule: split(<f, x>, xo, xi, 8, guard); split(<f, y>, yo, yi, 4, guard); swap(<f, yi>);
        vectorize(<f, xi>);";
    let unit = c::unit(&completed(&read(text)).expect("bounds")).expect("C");
    assert!(!unit.contains("128"), "{unit}");
    assert!(unit.contains("f_xi < least(8, ") && unit.contains("f_yi < least(4, "), "{unit}");
    assert!(!unit.contains("if (f_"), "{unit}");
    // A guard that reads what the loop stores does not end it.
    let text = "pipeline f(): fun f(x) = {x; rdom(r = (0, 5)) in (x) <- f[x] + 1 if r < f[x]};";
    let unit = c::unit(&completed(&read(text)).expect("bounds")).expect("C");
    assert!(unit.contains("f_1_r < 5;") && unit.contains("if (f_1_r < f["), "{unit}");
}

/// Boxes that are empty, or beside the window; indices that go by more than one, and backwards; tiles whose loop inside is
/// constant, and the last of which is moved back. [rule: halide.c-inside]
#[test]
fn loops_at_the_edges_run_in_three_parts() {
    let mut rng = Rng::new(3);
    let schedules = [
        "",
        "split(<f, x>, xo, xi, 4, round);",
        "split(<f, x>, xo, xi, 3, guard);",
        "split(<f, x>, xo, xi, 5, shift); vectorize(<f, xi>);",
        "split(<f, x>, xo, xi, 3, shift); split(<f, xo>, xa, xb, 2, shift);",
    ];
    let (mut parts, mut whole, mut shifted) = (0, 0, 0);
    for k in 0..35 {
        let clamp = |rng: &mut Rng| {
            let factor = [1, 1, 2, 3, -1].get(rng.below(5)).copied().unwrap_or(1);
            let index = format!("{factor} * x + y - {}", rng.below(4));
            let [inner, lo] = [format!("min({index}, p - 1)"), rng.between(-2, 3).to_string()];
            if rng.chance(50) { format!("max({inner}, {lo})") } else { format!("max({lo}, {inner})") }
        };
        let [a, b] = [clamp(&mut rng), clamp(&mut rng)];
        let schedule = schedules.get(k % schedules.len()).expect("a schedule");
        let [min, len, p] = [rng.between(-9, 2), rng.between(0, 24), rng.between(-1, 9)];
        let text = format!(
            "pipeline f(p): fun g(x) = x * x + 7 * x; fun f(x, y) = g[{a}] + 1000 * g[{b}]; schedule: {schedule} realize(({min}, {len}), (0, 2); p = {p})"
        );
        let parsed = read(&text);
        let t = completed(&parsed).expect("bounds");
        let unit = c::unit(&t).expect("C");
        *(if unit.contains("_inside;") { &mut parts } else { &mut whole }) += 1;
        shifted += usize::from(schedule.contains("shift") && unit.contains("_inside;"));
        let z = parsed.input.as_ref().expect("an input");
        let wanted = expected(&parsed).expect("small numbers");
        assert_eq!(compiled::execute(&t, z), Ok(Ran::Values(wanted)), "{text}\n{unit}");
    }
    println!("{parts} programs in three parts, {shifted} of them with shifted tiles, {whole} whole");
    assert!(
        parts > 12 && shifted > 4 && whole > 0,
        "{parts} in three parts, {shifted} shifted, {whole} whole"
    );
}

/// A tile that is moved back may reach below what the one before is inside of; of a maximum one operand may be too great.
/// [rule: halide.c-inside]
#[test]
fn every_operand_of_an_index_is_inside() {
    let g = "fun g(x) = x * x + 7 * x;";
    let split = "schedule: split(<f, x>, xo, xi, 3, shift);";
    for (body, schedule, window) in [
        ("g[max(min(x, 8), 0)]", split, "(-3, 4)"),
        ("g[max(min(x, 1), -9)]", split, "(-3, 7)"),
        ("g[max(min(max(x, p), 6), 2)]", "", "(0, 12)"),
        ("g[max(min(min(x, p - 9), 6), 2)]", "", "(0, 12)"),
    ] {
        let text = format!("pipeline f(p): {g} fun f(x) = {body}; {schedule} realize({window}; p = 9)");
        let parsed = read(&text);
        let t = completed(&parsed).expect("bounds");
        assert!(c::unit(&t).expect("C").contains("_inside;"), "{text}");
        let z = parsed.input.as_ref().expect("an input");
        let wanted = expected(&parsed).expect("small numbers");
        assert_eq!(compiled::execute(&t, z), Ok(Ran::Values(wanted)), "{text}");
    }
}

/// Where a clamp ends needs numbers that are in no part of the program. [rule: halide.c-inside]
#[test]
fn the_middle_of_a_loop_needs_no_greater_numbers() {
    let text = "pipeline f(p, q): fun f(x) = max(min(x + 2 * p * q - q, 0 - p * q), 0 - p * q - 5);
        realize((0, 3); p = 2147483647, q = 2147483647)";
    let parsed = read(text);
    let t = completed(&parsed).expect("bounds");
    let wanted = expected(&parsed).expect("numbers of 64 bits");
    let z = parsed.input.as_ref().expect("an input");
    assert_eq!(compiled::execute(&t, z), Ok(Ran::Values(wanted)));
}

/// Each thread has an array of its own; copies of a loop, one after the other, take theirs anew.
/// [rule: halide.c-storage]
#[test]
fn memory_is_kept_over_iterations() {
    let text = "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, y] + g[x, y + 1];
        schedule: split(<f, y>, yo, yi, 4, guard); traverse(<f, yo>, ORDER);
        compute-at(g, <f, yi>); store-at(g, <f, yi>);";
    let unit =
        |order: &str| c::unit(&completed(&read(&text.replace("ORDER", order))).expect("bounds")).expect("C");
    let within = |unit: &str| {
        let (take, rest) = unit.split_once("*g = NULL;").expect("the array");
        let (_, rest) = rest.split_once("for (int64_t f_yi").expect("a loop");
        assert!(
            take.contains("for (int64_t f_yo")
                && rest.contains("if (g_cells < ")
                && rest.contains("free(g);")
        );
    };
    within(&unit("serial"));
    within(&unit("parallel"));
    assert!(!unit("parallel").contains("    THREADS\n"));
    let strips = text.replace("<f, yi>);", "<f, yo>);").replace("ORDER", "parallel");
    let unit = c::unit(&completed(&read(&strips)).expect("bounds")).expect("C");
    let order = [
        "    THREADS\n",
        "*g = NULL;",
        "    SHARED\n",
        "for (int64_t f_yo",
        "if (g_cells < ",
        "    free(g);\n    }\n",
    ];
    let mut rest = unit.as_str();
    for part in order {
        let at = rest.find(part).unwrap_or_else(|| panic!("no {part} in {unit}"));
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
}

/// [rule: halide.c]
#[test]
fn without_bounds_there_is_no_c() {
    let parsed =
        read("pipeline f(): fun g(x) = x; fun h(x) = x * x * x; fun f(x) = g[h[x]]; realize((0, 3))");
    let directives: Vec<Directive> = Vec::new();
    let p = Arc::new(parsed.algorithm.clone());
    let t = schedule(&p, &directives, Sequence::Strict, Rules::default()).expect("a program");
    let (failed, none) = Engine::Baseline.complete(&t);
    assert!(none.is_some());
    assert_eq!(c::unit(&failed), Err(c::NoC::Unbounded));
}

/// [rule: halide.range]
#[test]
fn windows_and_parameters_have_32_bits() {
    let text = |window: &str, p: &str| format!("pipeline f(p): fun f(x) = x + p; realize({window}; p = {p})");
    for (window, p) in [("(2147483647, 1)", "0"), ("(-2147483648, 2147483647)", "2147483647")] {
        assert!(attempt(&text(window, p)).is_ok());
    }
    for (window, p) in [
        ("(9223372036854775800, 7)", "0"),
        ("(2147483647, 2)", "0"),
        ("(0, 2147483648)", "0"),
        ("(0, -1)", "0"),
        ("(0, 1)", "2147483648"),
    ] {
        let refused = attempt(&text(window, p)).expect_err("too large");
        assert_eq!(refused.rule, "halide.realize", "{window} {p}");
    }
}

/// Names of the headers, of their macros and of the unit's own helpers are not taken by a program's. [rule: halide.c]
#[test]
fn names_keep_clear_of_the_headers() {
    let names = [
        "int64_t",
        "INT64_MAX",
        "uint8_t",
        "INT64_C",
        "EOF",
        "stdout",
        "BUFSIZ",
        "size_t",
        "EXIT_FAILURE",
        "NULL",
        "FLT_MAX",
        "rand",
        "abs",
        "puts",
        "PARALLEL",
        "SIMD",
        "checked_add",
        "points",
        "linux",
        "unix",
        "asm",
        "bool",
        "main",
        "out",
        "window",
        "params",
        "item0",
        "INT_FAST32_MAX",
        "PTRDIFF_MAX",
        "strtoull",
    ];
    for chunk in names.chunks(8).chain([&["run_f"][..]]) {
        let mut text = "pipeline f():\n".to_owned();
        for n in chunk {
            text.push_str(&format!("  fun {n}({n}) = {n} * 2;\n"));
        }
        let sum: Vec<String> = chunk.iter().map(|n| format!("{n}[x + 1]")).collect();
        text.push_str(&format!("  fun f(x) = {};\nrealize((0, 3))\n", sum.join(" + ")));
        let parsed = read(&text);
        let t = completed(&parsed).expect("bounds");
        let z = parsed.input.as_ref().expect("an input");
        assert_eq!(compiled::execute(&t, z), Ok(Ran::Values(expected(&parsed).expect("small"))), "{text}");
    }
}

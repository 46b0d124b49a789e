//! `rounds="fused"` is read twice: by the interpreter, on code from the leaves up, and by `replace`, on syntax from the
//! root down. Bodies at random mean one thing to both, bit for bit. Spec: [rule: instructions.rounding].

use rewright_campaign::rng::Rng;
use rewright_primitives::tools::alongside::is_rounding;
use rewright_semantics::ast::Proc;
use rewright_semantics::data::machine::{Machine, MachineDomain};
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Difference, Spot, Verdict};
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::rounding::as_rounded;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use rewright_semantics::value::Val;
use std::collections::BTreeSet;

const BODIES: u64 = 400;
const INPUTS: u64 = 6;

/// An expression over `a`, `b`, `c` and the loop's `x[i]`.
fn expr(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 || rng.chance(10) {
        return rng
            .pick(&["a[0]", "b[0]", "c[0]", "x[i]", "y[i]", "0.3", "1.0"])
            .unwrap_or(&"a[0]")
            .to_string();
    }
    let mut sub = || expr(rng, depth - 1);
    let (l, r) = (sub(), sub());
    match rng.below(10) {
        0 | 1 => format!("({l} + {r})"),
        2 => format!("({l} - {r})"),
        3..=5 => format!("({l} * {r})"),
        6 | 7 => format!("(-{l})"),
        8 => format!("select({l}, {r}, {l}, {r})"),
        _ => format!("({l} / 3.0)"),
    }
}

fn body(rng: &mut Rng) -> String {
    let (one, two) = (expr(rng, 4), expr(rng, 3));
    let op = if rng.chance(60) { "+=" } else { "=" };
    format!(
        "    for i in seq(0, 3):\n        y[i] {op} {one}\n        if i < 2:\n            y[i + 1] += {two}\n        else:\n            y[0] = -y[0]\n"
    )
}

#[test]
fn both_readings_agree() {
    let (mut read, mut compared, mut differ) = (0, 0, 0);
    for seed in 0..BODIES {
        let body = body(&mut Rng::new(seed));
        let text = format!(
            "@instr(\"f();\", rounds=\"fused\")\ndef f(y: [f32][3], x: [f32][3], a: [f32][1], b: [f32][1], c: [f32][1]):\n{body}"
        );
        let mut sources = SourceMap::new();
        let file = sources.add("random.py", text.as_str());
        let parsed = parse_module(file, &sources, &Prelude::standard());
        // A body without a product in a sum may not say that it is fused.
        if let Some(error) = parsed.diagnostics.first() {
            assert!(error.message.contains("no product is added"), "{error:?}\n{text}");
            continue;
        }
        let p = parsed.module.procs.last().expect("the instruction");
        let Some(stated) = as_rounded(p) else { panic!("not fused:\n{text}") };
        let as_written = Proc { instr: None, ..Proc::clone(p) };
        let limits = Limits::default;
        let readings =
            Comparer::<MachineDomain>::new(p, &stated, BTreeSet::new(), limits()).expect("one signature");
        let plain =
            Comparer::<MachineDomain>::new(p, &as_written, BTreeSet::new(), limits()).expect("one signature");
        read += 1;
        let mut is_seen = false;
        for seed in 0..INPUTS {
            let data = if seed == 0 { Data::Special } else { Data::Inexact };
            let input = generate(p, &Given::default(), seed, Search::default()).expect("an input");
            let input = input.with_data(p, data, seed);
            let found = readings.compare(&input);
            assert!(matches!(found, Verdict::Equal), "{found:?}\n{text}\n{input}");
            compared += 1;
            is_seen |= matches!(plain.compare(&input), Verdict::Differs(_));
        }
        differ += usize::from(is_seen);
    }
    println!(
        "{read} fused bodies, {compared} comparisons; {differ} bodies differ from what they would be unfused"
    );
    assert!(read > 200 && differ > 100, "{read} bodies, {differ} differ");
}

/// Spec: [rule: audit.compare].
#[test]
fn whole_numbers_are_rounded_where_a_type_does_not_hold_them() {
    let text = "@proc\ndef f(x: f32, k: i32):\n    x = 1.0\n    k = 1.0\n\n@proc\ndef g(x: f64):\n    t: f16\n    t = x\n    x = t\n";
    let mut sources = SourceMap::new();
    let file = sources.add("whole.py", text);
    let module = parse_module(file, &sources, &Prelude::standard()).module;
    let differ = |p: &Proc, arg: &str, old: f64, new: f64| {
        let at = Spot::Cell { arg: Name::new(arg), index: Vec::new() };
        let [old, new] = [old, new].map(|x| Val::Data(Machine::F64(x)));
        is_rounding(&Difference::Values { at, old, new }, p)
    };
    let [f, g] = [&module.procs[0], &module.procs[1]];
    let large = f64::from(1 << 24);
    assert!(differ(f, "x", large, large + 2.0) && differ(f, "x", 0.1, 0.100_001));
    assert!(!differ(f, "x", 3.0, 4.0) && !differ(f, "x", large - 2.0, large - 1.0));
    assert!(!differ(f, "k", large, large + 2.0), "integers do not round");
    assert!(differ(g, "x", 4096.0, 4098.0), "a cell of `f16` may have held them");
    assert!(!differ(g, "x", 1024.0, 1025.0) && !differ(g, "x", 4096.0, 4200.0));
}

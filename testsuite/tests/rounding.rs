//! `rounds="fused"` is read twice: by the interpreter, on code from the leaves up, and by `replace`, on syntax from the
//! root down. Bodies at random mean one thing to both, bit for bit. Spec: [rule: instructions.rounding].

use rewright_campaign::rng::Rng;
use rewright_semantics::ast::Proc;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::rounding::as_rounded;
use rewright_semantics::span::SourceMap;
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

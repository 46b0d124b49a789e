//! Operations on random nests: what is accepted is equal to what it was made from, over the rationals. Counts of what
//! was accepted are printed, and none is too small. Spec: [rule: library.operations], [rule: library.vectorize].

mod support;

use rewright_library::target::Target;
use rewright_library::{Options, Tail, ops, vectorize};
use rewright_primitives::error::{Error, Result};
use rewright_primitives::ops::{self as primitives, Staging};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::types::DataType;
use std::collections::BTreeMap;
use support::{proc, same, target};

/// How many nests.
const NESTS: u64 = 40;

const SIZES: &[&[(&str, i64)]] = &[
    &[("m", 1), ("n", 1)],
    &[("m", 3), ("n", 5)],
    &[("m", 4), ("n", 8)],
    &[("m", 9), ("n", 19)],
    &[("m", 2), ("n", 33)],
];

/// Numbers that look random: multiplication with a remainder.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        let n = self.below(u64::try_from(all.len()).expect("a length"));
        all[usize::try_from(n).expect("an index")]
    }

    fn operand(&mut self) -> &'static str {
        self.of(&[
            "x[i]", "y[i]", "A[j, i]", "c", "b[j]", "x[i + 1]", "0.0", "2.0", "y[i + 1]", "A[j, i]", "s",
            "z[i]", "x[i]", "y[i]",
        ])
    }

    fn value(&mut self) -> String {
        let (a, b, c) = (self.operand(), self.operand(), self.operand());
        match self.below(8) {
            0 => a.to_owned(),
            1 => format!("{a} + {b}"),
            2 | 3 => format!("{a} * {b}"),
            4 => format!("{a} * {b} + {c}"),
            5 => format!("{a} - {b} * {c}"),
            6 => format!("-{a}"),
            _ => format!("fabsf({a})"),
        }
    }

    fn statement(&mut self) -> String {
        let place = self.of(&["y[i]", "y[i]", "z[i]", "s", "d[j]", "B[j, i]", "B[j, i]"]);
        let op = if place == "s" || place == "d[j]" || self.below(2) == 0 { "+=" } else { "=" };
        format!("{place} {op} {}", self.value())
    }

    /// Two nested loops, the outer one over rows.
    fn nest(&mut self) -> String {
        let mut text = "@proc\ndef p(m: size, n: size, c: f32, s: f32, x: f32[n + 1], y: f32[n + 1], z: f32[n], b: f32[m], d: f32[m], \
                        A: f32[m, n], B: f32[m, n]):\n"
            .to_owned();
        let outer = self.of(&["seq(0, m)", "seq(0, m)", "seq(1, m)"]);
        let inner = self.of(&["seq(0, n)", "seq(0, n)", "seq(2, n)"]);
        text += &format!("    for j in {outer}:\n        for i in {inner}:\n");
        for _ in 0..=self.below(3) {
            text += &format!("            {}\n", self.statement());
        }
        text
    }
}

type Operation = (&'static str, fn(&Proc, &Target) -> Result<Proc>);

fn inner(p: &Proc) -> Result<Cursor> {
    Ok(p.find_loop("i")?)
}

fn outer(p: &Proc) -> Result<Cursor> {
    Ok(p.find_loop("j")?)
}

fn vector(p: &Proc, target: &Target, options: Options) -> Result<Proc> {
    vectorize(p, "i", target, options).map(|(p, _)| p)
}

const OPERATIONS: &[Operation] = &[
    ("tile", |p, _| ops::tile(p, &[(outer(p)?, 3), (inner(p)?, 4)], primitives::Tail::Cut).map(|(p, _)| p)),
    ("unroll_and_jam", |p, _| ops::unroll_and_jam(p, &outer(p)?, 2).map(|(p, _)| p)),
    ("hoist_all", |p, _| ops::hoist_all(p, &inner(p)?).map(|(p, _)| p)),
    ("cse_loads", |p, _| ops::cse_loads(p, &inner(p)?)),
    ("add_at_once", |p, _| ops::add_at_once(p, &inner(p)?)),
    ("round_up", |p, _| ops::round_up(p, &inner(p)?, 4)),
    ("cut_tail", |p, _| ops::cut_tail(p, &inner(p)?, 4).map(|(p, _)| p)),
    ("stage", |p, _| ops::stage(p, &inner(p)?, "y[0:n]", "t", "DRAM", Staging::Copy)),
    ("fission_into_singles", |p, _| ops::fission_into_singles(p, &inner(p)?, None).map(|(p, _)| p)),
    ("lanes_for_reductions", |p, _| ops::lanes_for_reductions(p, &inner(p)?, 4, "DRAM")),
    ("vectorize, masked", |p, t| vector(p, t, Options::of(t))),
    ("vectorize, masked, interleaved", |p, t| vector(p, t, Options::of(t).interleaved(2))),
    ("vectorize, scalar tail", |p, t| vector(p, t, Options::of(t).with_tail(Tail::Scalar))),
    ("vectorize, without fma", |p, t| vector(p, t, Options { fma: false, ..Options::of(t) })),
    ("vectorize, portable", |p, _| {
        vector(p, &Target::portable(DataType::F32), Options::of(&Target::portable(DataType::F32)))
    }),
];

#[test]
fn what_is_accepted_is_equal_to_its_input() {
    let avx2 = target("avx2", DataType::F32);
    let mut accepted: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..NESTS {
        let text = Draw(seed * 7919 + 1).nest();
        let plain = proc(&text);
        for (name, operation) in OPERATIONS {
            match operation(&plain, &avx2) {
                Ok(made) => {
                    let compared = same(&plain, &made, SIZES);
                    assert!(compared > 0, "{name}: no inputs for\n{text}");
                    *accepted.entry(name).or_default() += 1;
                }
                Err(bug @ Error::Internal { .. }) => panic!("{name}: {bug}\n{text}"),
                Err(Error::Scheduling(_) | Error::InvalidCursor(_)) => {}
            }
        }
    }
    for (name, _) in OPERATIONS {
        let n = accepted.get(name).copied().unwrap_or(0);
        println!("{n:>4} of {NESTS} {name}");
        assert!(n >= 10, "{name}: {n}");
    }
}

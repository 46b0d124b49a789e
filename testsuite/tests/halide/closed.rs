//! Regions that ask something of themselves, and that no engine answers with bounds that are wrong.
//! Spec: [rule: halide.closed], [rule: halide.bounds].

use crate::scheduled;

use rayon::prelude::*;
use rewright_campaign::halide::{generate, schedules};
use rewright_campaign::rng::Rng;
use rewright_halide_model::alg::{Algorithm, Update, access};
use rewright_halide_model::bounds::verify::{Verification, verify_bounds, verify_within};
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::expr::Expr;
use rewright_halide_model::lower::lower;
use rewright_halide_model::op::Op;
use rewright_halide_model::schedule::{self, Directive, Fuse, Rules, Split, Swap};
use rewright_halide_model::text::print;
use rewright_halide_model::tgt::{LoopName, Program};
use rewright_halide_model::valid;
use rewright_semantics::sym::Name;
use scheduled::read;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A predicate reads what it decides about, behind the end of the region [H-18].
const ALGORITHM: &str =
    "pipeline f(): fun f(x, y) = {x + y; (x, y) <- f[x, y] + 1 if f[x, y] mod 3 > 0}; schedule:";

/// Schedules of [`ALGORITHM`] under which its region asks for more of itself.
const SCHEDULES: &[(&str, &str)] = &[
    ("a rounded tail", "split(<f, 1, 0, y>, yo, yi, 5, round);"),
    ("of which the inner loop is fused", "split(<f, 1, 0, y>, yo, yi, 5, round); fuse(<f, 1, 0, yi>, z);"),
    (
        "two of them",
        "split(<f, 1, 0, y>, yo, yi, 5, round); split(<f, 1, 0, x>, xo, xi, 4, round); fuse(<f, 1, 0, yi>, z);",
    ),
    ("tiles of tiles", "split(<f, 1, 0, y>, yo, yi, 5, round); split(<f, 1, 0, yo>, ya, yb, 3, round);"),
    ("in an aligned region", "split(<f, 1, 0, y>, yo, yi, 5, round); align-bounds(f, y, 5, 1);"),
    ("in a window that is given", "split(<f, 1, 0, y>, yo, yi, 5, round); bound(f, y, 0, 10);"),
];

/// [rule: halide.closed]
#[test]
fn a_region_contains_what_it_asks_of_itself() {
    for (what, schedule) in SCHEDULES {
        let text = format!("{ALGORITHM} {schedule} realize((0, 3), (0, 4))");
        let (parsed, t) = read(&text);
        let z = parsed.input.as_ref().expect("an input");
        let expected = reference(&parsed.algorithm, z).expect("values");
        let (completed, none) = Engine::Tight.complete(&t);
        assert_eq!(none, None, "{what}");
        let answer = verify_bounds(&completed);
        assert!(answer.is_verified(), "{what}: {answer:?}");
        let run = execute(&completed, z, &mut Recorder::default());
        assert_eq!(compare(z, &expected, &run), Verdict::Equal, "{what}");
        let (completed, none) = Engine::Baseline.complete(&t);
        let answer = verify_bounds(&completed);
        assert!(none.is_some() || answer.is_verified(), "{what}: {answer:?}");
    }
}

/// No region of four rows and a multiple of them ends where a tile of five does, unless it has twenty: each asks for more.
/// [rule: halide.closed]
#[test]
fn a_region_that_always_asks_for_more_has_no_bounds() {
    let (_, t) =
        read(&format!("{ALGORITHM} split(<f, 1, 0, y>, yo, yi, 5, round); align-bounds(f, y, 4, 1);"));
    let none = Engine::Tight.complete(&t).1.expect("no bounds").to_string();
    assert!(none.contains("depend on them (a condition reads f^0[f^1.x, f^1.y])"), "{none}");
}

/// Updates whose predicates read the point that they decide about.
fn deciding(mut p: Algorithm, rng: &mut Rng) -> Algorithm {
    for f in &mut p.funcs {
        let name = f.name;
        let decides = |u: &Update| {
            let own = Expr::binary(Op::Mod, access(name, u.lhs.clone()), Expr::int(3));
            Expr::binary(Op::Gt, own, Expr::int(0))
        };
        for u in f.updates.iter_mut().filter(|_| rng.chance(70)) {
            u.cond = decides(u);
        }
    }
    p
}

/// Loops of updates that are rounded up, fused and swapped.
fn tailed(rng: &mut Rng, p: &Arc<Algorithm>) -> (Vec<Directive>, Program) {
    let (mut directives, mut t) = (Vec::new(), lower(p));
    for i in 0..8 {
        let updates: Vec<LoopName> = t.loops().into_iter().filter(|l| l.site.stage > 0).collect();
        let Some(of) = rng.pick(&updates).copied() else { break };
        let name = |stem| Name::new(&format!("{stem}{i}"));
        let factor = Expr::int(rng.between(2, 5));
        let d = match rng.below(4) {
            0 | 1 => {
                Split { of, outer: name("o"), inner: name("i"), factor, tail: schedule::Tail::Round }.into()
            }
            2 => Fuse { of, into: name("f") }.into(),
            _ => Directive::from(Swap { of }),
        };
        if let Ok(new) = schedule::apply(&d, &t, Rules::default()) {
            t = new;
            directives.push(d);
        }
    }
    (directives, t)
}

/// What an engine answers is verified, or z3 does not know in the time that it has; it is never refuted, and what is not
/// known is tried on some inputs. `REWRIGHT_BOUNDS=5000` tries more, `REWRIGHT_SEED` others.
/// [rule: halide.bounds] [rule: halide.closed]
#[test]
fn no_engine_answers_with_wrong_bounds() {
    let number = |name: &str| std::env::var(name).ok().and_then(|s| s.parse::<u64>().ok());
    let (wanted, from) = (number("REWRIGHT_BOUNDS").unwrap_or(150), number("REWRIGHT_SEED").unwrap_or(0));
    let found: Vec<BTreeMap<&'static str, u64>> =
        (from * 1_000_000..from * 1_000_000 + wanted).into_par_iter().map(answers).collect();
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    found.iter().flatten().for_each(|(what, n)| *all.entry(what).or_default() += n);
    println!("{wanted} schedules: {all:?}");
    // A machine that has much else to do proves few of them in their time.
    for (what, least) in [("verified", wanted / 15), ("equal", wanted)] {
        assert!(all.get(what).is_some_and(|n| *n > least), "{what}: {all:?}");
    }
}

fn answers(seed: u64) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    let mut rng = Rng::new(seed);
    let p = generate::algorithm(&mut rng);
    let p = Arc::new(deciding(p, &mut rng));
    assert!(valid::check(&p).is_empty(), "seed {seed}");
    let (schedule, program) = if seed.is_multiple_of(2) {
        let drawn = schedules::draw(&mut rng, &p, Rules::default());
        (drawn.schedule, drawn.program)
    } else {
        tailed(&mut rng, &p)
    };
    for engine in [Engine::Tight, Engine::Baseline] {
        let (completed, none) = engine.complete(&program);
        if none.is_some() {
            *counts.entry("no bounds").or_default() += 1;
            continue;
        }
        let text = || format!("{}{}", print::algorithm(&p), schedule::print(&schedule));
        let answer = verify_within(&completed, Some(Duration::from_millis(400)));
        *counts
            .entry(match answer {
                Verification::Verified(_) => "verified",
                Verification::Unknown(_) => "unknown",
                Verification::Refuted { .. } | Verification::OutOfScope(_) => {
                    panic!("seed {seed}, {}: {answer:?}\n{}", engine.name(), text())
                }
            })
            .or_default() += 1;
        for _ in 0..3 {
            let z = generate::input(&mut rng, &p);
            let Ok(expected) = reference(&p, &z) else { continue };
            let verdict = compare(&z, &expected, &execute(&completed, &z, &mut Recorder::default()));
            let wrong = matches!(verdict, Verdict::Different(_));
            assert!(!wrong, "seed {seed}, {}: {verdict:?}\n{z:?}\n{}", engine.name(), text());
            *counts.entry("equal").or_default() += u64::from(verdict == Verdict::Equal);
        }
    }
    counts
}

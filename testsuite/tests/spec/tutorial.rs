//! The tutorial of `spec/tutorial.md`, run: a new primitive whose first version is unsound, and the sound one.
//! Spec: [rule: tutorial].

mod sound;
mod unsound;

use rewright_campaign::holes::paths;
use rewright_campaign::{Plan, refute};
use rewright_effects::names::expr_names;
use rewright_primitives::tools::syntax::stmt_views::{Write, WriteKind};
use rewright_primitives::version::session::Session;

/// Programs that are tried.
const PROGRAMS: u64 = 2_000;

#[test]
fn the_first_version_is_refuted_by_a_small_program() {
    let failure = refute(&Plan::of(vec![&unsound::MERGE_REPEATS]), PROGRAMS).expect_err("it is unsound");
    let shown = failure.to_string();
    println!("{shown}");
    let uses_its_own = |w: &Write| w.kind == WriteKind::Reduce || expr_names(&w.rhs).contains(&w.name);
    let mut writes = failure.old.ast().body.iter().filter_map(Write::of);
    assert!(writes.any(|w| uses_its_own(&w)), "a statement that uses what it writes breaks it");
    // The head, however many lines its arguments take, and the body.
    let statements = paths(failure.old.ast()).len();
    assert!(statements <= 4, "the program is small: {statements} statements");
}

#[test]
fn the_second_version_is_not_refuted_and_not_useless() {
    let report = refute(&Plan::of(vec![&sound::MERGE_REPEATS]), PROGRAMS).expect("it is sound");
    println!("{report}");
    let row = &report.rows["merge_repeats"];
    assert!(row.accepted >= 20, "it was accepted {} times", row.accepted);
}

#[test]
fn without_its_condition_the_second_version_is_refuted_too() {
    let session = Session::for_mutants([("merge_repeats", "idempotent")]);
    let plan = Plan { session, ..Plan::of(vec![&sound::MERGE_REPEATS]) };
    assert!(refute(&plan, PROGRAMS).is_err(), "the condition is needed");
}

#[test]
fn the_text_shows_the_code_that_is_run() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/tutorial.md"));
    let text = text.expect("the tutorial is there");
    for code in [include_str!("tutorial/unsound.rs"), include_str!("tutorial/sound.rs")] {
        for part in code.split("\n\n") {
            assert!(text.contains(part.trim()), "spec/tutorial.md lacks\n{part}");
        }
    }
}

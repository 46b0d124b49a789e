//! What a campaign finds becomes a case of the corpus that shows it again. Spec: [rule: campaign.save].

use rewright_campaign::corpus;
use rewright_campaign::{Plan, refute, saved};
use rewright_primitives::ops;
use rewright_primitives::registry::{Guards, Primitive};
use rewright_primitives::version::session::Session;

/// Primitives with a condition that programs at random need soon.
const MUTANTS: [(&str, &str); 6] = [
    ("fission", "commute"),
    ("reorder_stmts", "commute"),
    ("remove_loop", "runs"),
    ("divide_loop", "divides"),
    ("delete_buffer", "unused"),
    ("fuse", "commute"),
];

#[test]
fn a_failure_is_a_case_named_after_its_condition() {
    let mut shown = 0;
    for (name, condition) in MUTANTS {
        let primitive: &'static Primitive = ops::by_name(name).expect("a primitive");
        let guard = primitive.condition(condition);
        if guard.is_none_or(|c| c.guards != Guards::Meaning) {
            continue;
        }
        let session = Session::for_mutants([(name, guard.map_or("", |c| c.id))]);
        let Err(failure) = refute(&Plan { session, ..Plan::of(vec![primitive]) }, 400) else { continue };
        let saved = saved(&failure);
        println!("{}\n{}", saved.name, saved.text);
        let case = corpus::read(&saved.text).expect("a case").remove(0);
        assert!(saved.shows_it, "{}\n{failure}", saved.text);
        // With the condition, the case comes out as it expects.
        assert_eq!(saved.name, format!("{name}.{condition}"));
        corpus::verify(&case).unwrap_or_else(|why| panic!("{why}\n{}", saved.text));
        shown += 1;
    }
    println!("{shown} of {} mutants were found and saved", MUTANTS.len());
    assert!(shown >= 5, "only {shown}");
}

//! What a refusal tells: the run that shows what its condition is for. Spec: [rule: refusals.confirmed].

use rewright_campaign::corpus::{Case, Expect, read, run};
use rewright_primitives::error::{Error, Found};
use rewright_primitives::ops;
use rewright_primitives::registry::{Guards, Primitive};
use rewright_primitives::script::Cause;
use std::path::Path;

/// What became of the refusals.
#[derive(Debug, Default)]
struct Counts {
    confirmed: u64,
    /// Of those, the ones without values.
    by_form: u64,
    open: u64,
    /// Without these conditions there is no program.
    form: u64,
}

fn cases(p: &Primitive) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/primitives");
    let text = std::fs::read_to_string(folder.join(p.name).with_extension("py")).expect("the cases");
    read(&text).expect("the cases can be read")
}

/// What is refused because it is wrong is shown to be.
#[test]
fn a_refusal_is_confirmed_by_a_run() {
    let (mut counts, mut missed) = (Counts::default(), Vec::new());
    for p in ops::ALL {
        for case in cases(p) {
            let Expect::Refuse(id) = &case.expect else { continue };
            let ran = run(&case).expect("a case");
            let error = ran.error.expect("it is refused");
            let Cause::Refused(Error::Scheduling(refusal)) = &error.cause else { continue };
            match error.confirmed() {
                Some((tentative, difference)) => {
                    assert_ne!(tentative.before, tentative.after, "{}: {difference}", case.name);
                    counts.confirmed += 1;
                    counts.by_form += u64::from(matches!(refusal.found, Found::Form { .. }));
                }
                None if p.condition(id).is_none_or(|c| c.guards == Guards::Form) => counts.form += 1,
                None => {
                    counts.open += 1;
                    // Somebody says that it is wrong without the condition.
                    if case.breaks.as_deref() == Some(id.as_str()) {
                        missed.push(format!("{}.{id}: {}", p.name, case.name));
                    }
                }
            }
        }
    }
    println!("{counts:?}; not shown: {missed:#?}");
    assert!(missed.len() * 50 < usize::try_from(counts.confirmed).unwrap_or(0), "{missed:#?}");
    assert!(counts.confirmed > 350, "{counts:?}");
}

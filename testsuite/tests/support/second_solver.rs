//! Scripts whose expected answer is `unsat`, before cvc5.

#[path = "../../../effects/tests/support/cvc5.rs"]
mod cvc5;

use std::collections::BTreeSet;

/// Asks cvc5, which may leave a script open but not answer `sat`. How many it confirmed, and how many it left.
pub(crate) fn confirm(scripts: BTreeSet<String>) -> (usize, usize) {
    assert!(cvc5::cvc5_folder().join("ready").exists(), "run `make audit`, which installs cvc5");
    let scripts: Vec<String> = scripts.into_iter().collect();
    let (mut agreed, mut open) = (0, 0);
    for part in scripts.chunks(200) {
        let answers = cvc5::ask_cvc5(part);
        assert_eq!(answers.len(), part.len());
        for (script, answer) in part.iter().zip(&answers) {
            match answer.as_str() {
                "unsat" => agreed += 1,
                "unknown" | "timeout" => open += 1,
                _ => panic!("`{answer}`:\n{script}"),
            }
        }
    }
    (agreed, open)
}

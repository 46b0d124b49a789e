//! Exported obligations before a second solver. Ignored by `cargo test`: `make audit` installs cvc5 and runs it.

mod support;

use rewright_effects::obligation::{Obligation, Verdict};
use rewright_effects::solver::{Solver, smtlib};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Formulas, asks, typical};

/// Reads scripts named on the command line with cvc5's own parser; prints one answer per line.
const DRIVER: &str = r#"
import sys, cvc5
for name in sys.argv[1:]:
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", "3000")
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, name)
    symbols, answer = parser.getSymbolManager(), "none"
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        out = command.invoke(solver, symbols).strip()
        if out in ("sat", "unsat", "unknown", "timeout") or out.startswith("(error"):
            answer = out
    print(answer.replace("\n", " "))
"#;

fn cvc5_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.deps/cvc5")
}

/// One answer of cvc5 for each script.
fn ask_cvc5(scripts: &[String]) -> Vec<String> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit");
    std::fs::create_dir_all(&dir).expect("a folder for the scripts");
    let files: Vec<PathBuf> = (0..scripts.len()).map(|i| dir.join(format!("{i}.smt2"))).collect();
    for (file, script) in files.iter().zip(scripts) {
        std::fs::write(file, script).expect("the script is written");
    }
    let out = Command::new("python3")
        .args(["-c", DRIVER])
        .args(&files)
        .env("PYTHONPATH", cvc5_folder())
        .output()
        .expect("python3 runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).lines().map(str::to_owned).collect()
}

#[test]
#[ignore = "needs cvc5: run `make audit`"]
fn audit_of_the_solver_by_cvc5() {
    assert!(cvc5_folder().join("ready").exists(), "run `make audit`, which installs cvc5");
    let mut solver = Solver::new();
    let random = (0..150).map(|seed| asks(Formulas::new(seed, seed % 2 == 0).formula(3)));
    let questions: Vec<Obligation> = typical().into_iter().map(|(_, o, _)| o).chain(random).collect();
    // cvc5 takes another answer than the expected one for an error, and some of these do not hold.
    let script = |q| smtlib::script(q).replace("(set-info :status unsat)\n", "");
    let scripts: Vec<String> = questions.iter().map(script).collect();
    let answers = ask_cvc5(&scripts);
    assert_eq!(answers.len(), questions.len());
    let (mut agreed, mut open) = (0, 0);
    for ((question, script), answer) in questions.iter().zip(&scripts).zip(&answers) {
        let verdict = solver.decide(question);
        match (&verdict, answer.as_str()) {
            (Verdict::Proved { .. }, "unsat") | (Verdict::Refuted { .. }, "sat") => agreed += 1,
            (Verdict::Proved { .. } | Verdict::Refuted { .. }, "unknown" | "timeout") => open += 1,
            (Verdict::Unknown { .. }, "sat" | "unsat" | "unknown" | "timeout") => open += 1,
            _ => panic!("{verdict:?} against `{answer}`:\n{script}"),
        }
    }
    println!("agreed {agreed}, undecided by one of them {open}");
    assert!(agreed * 10 > questions.len() * 9, "agreed {agreed} of {}", questions.len());
}

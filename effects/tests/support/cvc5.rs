//! Scripts before cvc5, from its Python package in `.deps/cvc5`.

use std::path::{Path, PathBuf};
use std::process::Command;

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

pub(crate) fn cvc5_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.deps/cvc5")
}

/// One answer of cvc5 for each script.
pub(crate) fn ask_cvc5(scripts: &[String]) -> Vec<String> {
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

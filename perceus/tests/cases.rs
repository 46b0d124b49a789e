//! The reference cases: what an independent implementation makes of a program, held against the calculus.

mod support;

use rewright_perceus::case;
use std::fs;
use support::paths;

/// [rule: perceus.case] [rule: perceus.alpha] [rule: perceus.valid]
#[test]
fn every_case_comes_out_as_it_states() {
    let files = paths("cases");
    assert!(files.len() >= 100, "only {} cases", files.len());
    let mut told = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a readable file");
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        match case::read(&text) {
            Err(why) => told.push(format!("{name}: broken: {why}")),
            Ok(case) => told.extend(case.differences().into_iter().map(|d| format!("{name}: {d}"))),
        }
    }
    assert!(told.is_empty(), "{} differences:\n{}", told.len(), told.join("\n"));
}

//! What is printed does not depend on hashing, on threads or on the process: diagnostics, derivations, each stage of the
//! optimiser and the C come out with the same bytes.

mod support;

use rewright_perceus::optimise::{Passes, code, stages};
use rewright_perceus::{algorithm, c, code::print, explain, reuse};
use std::fs;
use std::process::Command;
use std::thread;
use support::{checked, files};

/// Where the outcomes are to be written.
const FILE: &str = "REWRIGHT_OUTCOMES";

/// Stack of a thread: programs are walked recursively.
const STACK: usize = 1 << 26;

/// What is printed for a program.
fn outcome(text: &str) -> String {
    let program = match checked(text) {
        Ok(program) => program,
        Err(why) => return why,
    };
    let translation = algorithm::translate(&reuse::program(&program));
    let mut out = translation.program.to_string();
    translation.defs.iter().for_each(|d| out.push_str(&explain::algorithm(d)));
    for stage in stages(&program, &Passes::all()) {
        out.push_str(&format!("-- {}\n{}", stage.name, print::code(&stage.code)));
    }
    out.push_str(&c::emit(&code(&program, &Passes::all())).unwrap_or_else(|why| why));
    out
}

/// The outcomes of all programs; the programs run in order from this share of them on.
fn outcomes(from: usize, shares: usize) -> Vec<String> {
    let programs: Vec<(String, String)> = ["programs", "bad"].into_iter().flat_map(files).collect();
    let n = programs.len();
    let mut out = vec![String::new(); n];
    for k in (0..n).map(|k| (k + from * n / shares) % n) {
        let (name, text) = &programs[k];
        out[k] = format!("==== {name}\n{}\n", outcome(text));
    }
    out
}

#[track_caller]
fn same(expected: &[String], found: &[String]) {
    assert_eq!(expected.len(), found.len());
    for (expected, found) in expected.iter().zip(found) {
        let lines = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
        assert!(expected == found, "{}: {lines:#?}", expected.lines().next().unwrap_or_default());
    }
}

/// Names are interned in another order by each.
#[test]
fn threads_side_by_side() {
    let expected = outcomes(0, 1);
    assert!(expected.len() > 100, "only {} programs", expected.len());
    assert!(expected.iter().filter(|text| text.contains("\nint main(")).count() > 60);
    thread::scope(|scope| {
        let run = |k| {
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || outcomes(k, 3)).expect("a thread")
        };
        let threads: Vec<_> = (0..3).map(run).collect();
        threads.into_iter().for_each(|t| same(&expected, &t.join().expect("outcomes")));
    });
}

/// With other seeds and other addresses.
#[test]
fn other_processes() {
    let folder = tempfile::tempdir().expect("a folder");
    let expected = outcomes(0, 1);
    for k in 0..3 {
        let file = folder.path().join(k.to_string());
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args(["--ignored", "--exact", "outcomes_are_written"]).env(FILE, &file);
        let done = command.output().expect("a process");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
        let text = fs::read_to_string(&file).expect("outcomes");
        same(&expected, &text.split('\0').map(str::to_owned).collect::<Vec<_>>());
    }
}

#[test]
#[ignore = "what `other_processes` runs"]
fn outcomes_are_written() {
    let Some(file) = std::env::var_os(FILE) else { return };
    fs::write(file, outcomes(1, 2).join("\0")).expect("a file");
}

//! Rewright as a library: a primitive that a program of its own adds. Spec: [rule: library].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

#[path = "../../examples/own_primitive/src/merge_repeats.rs"]
mod merge_repeats;

use merge_repeats::MERGE_REPEATS;
use rewright_campaign::{Plan, refute};
use rewright_primitives::derivation::audit::{Options, audit};
use rewright_primitives::derivation::record;
use rewright_primitives::registry::{NameTaken, Registry};
use rewright_primitives::version::session::Session;
use rewright_primitives::{ops, script};
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn example() -> PathBuf {
    root().join("examples/own_primitive")
}

#[test]
fn scripts_derivations_and_campaigns_know_it() {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let text = fs::read_to_string(example().join("repeats.py")).unwrap();
    let file = sources.add("repeats.py", text.as_str());
    let parsed = parse_module(file, &sources, &prelude);
    let lines = script::parse(file, &text).unwrap();
    let extended = Registry::standard().with(&MERGE_REPEATS).unwrap();

    let unknown = script::run(&parsed.module, &prelude, &lines);
    assert!(unknown.error.unwrap().diagnostic().message.contains("no primitive `merge_repeats`"));
    let ran = script::run_with(&Session::new(), &extended, &parsed.module, &prelude, &lines);
    assert!(ran.error.is_none(), "{:?}", ran.error);
    let bound = &ran.bindings[0];
    assert_eq!(bound.proc.to_string().matches("x[i] = 0.0").count(), 1, "{}", bound.proc);

    let derivation = record(text, [(bound.name.as_str(), &bound.proc)]);
    let options = |primitives| Options { inputs: 3, ..Options::new(&prelude, primitives) };
    audit(&derivation, &options(&extended)).unwrap();
    let standard = Registry::standard();
    let finding = audit(&derivation, &options(&standard)).unwrap_err();
    assert!(finding.to_string().contains("there is no primitive `merge_repeats`"), "{finding}");

    let report = refute(&Plan::of(vec![extended.by_name("merge_repeats").unwrap()]), 300).unwrap();
    println!("{report}");
    assert!(report.rows["merge_repeats"].tried > 100);
}

#[test]
fn a_name_is_taken_once() {
    let twice = Registry::standard().with(&MERGE_REPEATS).and_then(|r| r.with(&MERGE_REPEATS));
    assert_eq!(twice.unwrap_err(), NameTaken("merge_repeats"));
    let standard = Registry::standard().with(ops::ALL[0]);
    assert_eq!(standard.unwrap_err(), NameTaken(ops::ALL[0].name));
}

#[test]
fn the_page_shows_the_example() {
    let page = fs::read_to_string(root().join("spec/library.md")).unwrap();
    let main = fs::read_to_string(example().join("src/main.rs")).unwrap();
    assert!(page.contains(&main), "spec/library.md does not show src/main.rs");
    let cargo = fs::read_to_string(example().join("Cargo.toml")).unwrap();
    let lines = cargo.split("[dependencies]").nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(page.contains(lines), "spec/library.md does not show the dependencies");
    let sound = fs::read_to_string(root().join("testsuite/tests/spec/tutorial/sound.rs")).unwrap();
    let own = fs::read_to_string(example().join("src/merge_repeats.rs")).unwrap();
    assert_eq!(own, sound, "the example is the tutorial's");
}

fn done(command: &mut Command) -> String {
    let out = command.output().unwrap();
    let (told, printed) = (String::from_utf8_lossy(&out.stderr), String::from_utf8_lossy(&out.stdout));
    assert!(out.status.success(), "{command:?}: {printed}{told}");
    printed.into_owned()
}

/// The example in a folder that has nothing to do with this workspace, built without network and run. The first build
/// takes minutes: `make library`.
#[test]
#[ignore = "builds all crates once more: `make library`"]
fn a_program_outside_builds_and_knows_it() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    for name in ["src/main.rs", "src/merge_repeats.rs", "repeats.py"] {
        fs::copy(example().join(name), dir.path().join(name)).unwrap();
    }
    let cargo = fs::read_to_string(example().join("Cargo.toml")).unwrap();
    let cargo = cargo.replace("\"../../", &format!("\"{}/", root().display()));
    fs::write(dir.path().join("Cargo.toml"), cargo).unwrap();
    // The versions that are here already.
    fs::copy(root().join("Cargo.lock"), dir.path().join("Cargo.lock")).unwrap();
    let began = Instant::now();
    let target = root().join("target/library");
    let mut build = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("Z3") || name.contains("RUSTFLAGS"))
    {
        build.env_remove(name);
    }
    done(
        build
            .args(["build", "--offline", "--quiet"])
            .env("CARGO_TARGET_DIR", &target)
            .current_dir(dir.path()),
    );
    println!("built in {:.0} s", began.elapsed().as_secs_f64());

    let own = |args: &[&str]| {
        done(Command::new(target.join("debug/own-primitive")).args(args).current_dir(dir.path()))
    };
    assert!(own(&["primitives", "merge_repeats"]).contains("running the statement again changes nothing"));
    println!("{}", own(&["fuzz", "--primitive", "merge_repeats", "--cases", "500"]));
    assert!(own(&["script", "repeats.py"]).contains("x[i] = 0.0"));
    own(&["script", "repeats.py", "--emit", "derivation", "-o", "out"]);
    assert!(own(&["audit", "out/derivation.json"]).contains("ok (1 schedules, 1 steps"));
    let mut plain = Command::new(env!("CARGO_BIN_EXE_rewright"));
    let refused = plain.args(["audit", "out/derivation.json"]).current_dir(dir.path()).output().unwrap();
    assert_eq!(refused.status.code(), Some(3), "{}", String::from_utf8_lossy(&refused.stderr));
}

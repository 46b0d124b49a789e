//! Every condition that guards the meaning is needed: without it, random programs show a wrong rewrite.
//! Spec: [rule: mutants].
//!
//! The whole table takes minutes and is made by `make mutants`, which writes `MUTANTS.md`.

use rewright_primitives::registry::{Guards, Primitive};
use rewright_primitives::{ops, session};
use rewright_testsuite::campaign::{Failure, Plan, Report, cases, shrunk};
use rewright_testsuite::cases::{Mutant, mutant, read};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long random programs are tried for one mutant.
const BUDGET: Duration = Duration::from_secs(30);

/// What killed a mutant.
struct Killed {
    /// Random applications until then; `None` when a case of the corpus did.
    cases: Option<u64>,
    /// The program, small.
    program: String,
}

#[test]
#[ignore = "takes minutes: make mutants"]
fn every_mutant_is_killed() {
    let mut table = String::from(HEAD);
    let mut programs = String::new();
    let mut survivors = Vec::new();
    // One primitive alone, or all; the table is of all.
    let only = std::env::var("REWRIGHT_PRIMITIVE").ok();
    for p in ops::ALL.iter().filter(|p| only.as_ref().is_none_or(|name| name == p.name)) {
        for c in p.conditions.iter().filter(|c| c.guards == Guards::Meaning) {
            let name = format!("{}.{}", p.name, c.id);
            match kill(p, c.id) {
                Some(Killed { cases, program }) => {
                    let (by, cases) = match cases {
                        Some(n) => ("a random program", n.to_string()),
                        None => ("a case of the corpus", "—".to_owned()),
                    };
                    let _ = writeln!(table, "| `{}` | `{}` | {by} | {cases} |", p.name, c.id);
                    let _ = writeln!(programs, "\n## {name}\n\n```text\n{}\n```", program.trim_end());
                }
                None => {
                    let _ = writeln!(table, "| `{}` | `{}` | **nothing** | |", p.name, c.id);
                    survivors.push(name);
                }
            }
        }
    }
    if only.is_some() {
        println!("{table}{programs}");
    } else {
        let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("MUTANTS.md");
        std::fs::write(out, format!("{table}{programs}")).expect("the table can be written");
    }
    assert!(survivors.is_empty(), "these conditions are untested or unnecessary: {survivors:?}");
}

const HEAD: &str = "\
# Mutants

Written by `make mutants`. A mutant is a primitive without one of its conditions; it is killed by a program that
it changes. \"Cases\" counts the random applications that were needed.

| primitive | condition | killed by | cases |
| --- | --- | --- | --- |
";

fn kill(p: &'static Primitive, condition: &'static str) -> Option<Killed> {
    by_chance(p, condition).or_else(|| by_corpus(p, condition))
}

fn by_chance(p: &'static Primitive, condition: &'static str) -> Option<Killed> {
    let plan = Plan { attempts: 8, ..Plan::of(vec![p]) };
    let began = Instant::now();
    let mut report = Report::default();
    for seed in 0.. {
        if began.elapsed() > BUDGET {
            break;
        }
        let found = session::without_condition(p.name, condition, || {
            let failure = cases(seed, &plan, &mut report).into_iter().find(|f| f.primitive.name == p.name)?;
            Some(shrunk(failure, 300))
        });
        if let Some(failure) = found {
            return Some(Killed { cases: Some(report.tried()), program: shown(&failure) });
        }
    }
    None
}

fn shown(f: &Failure) -> String {
    let what = f.what.lines().next().unwrap_or_default();
    format!("{}\n# {}({})\n# {what}", f.old, f.primitive.name, f.args)
}

fn by_corpus(p: &'static Primitive, condition: &'static str) -> Option<Killed> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/primitives").join(p.name).with_extension("py");
    let cases = read(&std::fs::read_to_string(file).ok()?).ok()?;
    cases.into_iter().filter(|c| c.breaks.as_deref() == Some(condition)).find_map(|case| {
        match mutant(&case, p.name, condition) {
            Ok(Mutant::Killed(_)) => Some(Killed { cases: None, program: case.text.trim().to_owned() }),
            Ok(Mutant::Refused(_) | Mutant::Survived) | Err(_) => None,
        }
    })
}

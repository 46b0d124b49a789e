//! Every condition that guards the meaning is needed: without it, random programs show a wrong rewrite.
//! Spec: [rule: mutants].
//!
//! The whole table takes minutes and is made by `make mutants`, which writes `MUTANTS.md`.

use rewright_campaign::corpus::{Mutant, mutant, read};
use rewright_campaign::rng::Rng;
use rewright_campaign::{Failure, Plan, Report, cases, shrunk};
use rewright_primitives::ops;
use rewright_primitives::registry::{Guards, Primitive};
use rewright_primitives::version::session::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long random programs are tried for one mutant.
const BUDGET: Duration = Duration::from_secs(25);

/// Stack of a worker: programs are walked recursively.
const STACK: usize = 1 << 26;

/// What killed a mutant.
struct Killed {
    /// Random applications until then; `None` when a case of the corpus did.
    cases: Option<u64>,
    /// The program, small.
    program: String,
}

/// A mutant: a primitive and the condition that it is without.
type Mutation = (&'static Primitive, &'static str);

#[test]
#[ignore = "takes minutes: make mutants"]
fn every_mutant_is_killed() {
    // One primitive alone, or all; the table is of all.
    let only = std::env::var("REWRIGHT_PRIMITIVE").ok();
    let mutants: Vec<Mutation> = ops::ALL
        .iter()
        .copied()
        .filter(|p| only.as_ref().is_none_or(|name| name == p.name))
        .flat_map(meaning)
        .collect();
    let mut table = String::from(HEAD);
    let mut survivors = Vec::new();
    for ((p, condition), killed) in mutants.iter().zip(all_killed(&mutants, BUDGET)) {
        let name = format!("{}.{condition}", p.name);
        match killed {
            Some(Killed { cases, program }) => {
                let (by, cases) = match cases {
                    Some(n) => ("a random program", n.to_string()),
                    None => ("a case of the corpus", "—".to_owned()),
                };
                let _ = writeln!(table, "| `{}` | `{condition}` | {by} | {cases} |", p.name);
                println!("{name}\n\n{}\n", program.trim_end());
            }
            None => {
                let _ = writeln!(table, "| `{}` | `{condition}` | **nothing** | |", p.name);
                survivors.push(name);
            }
        }
    }
    if only.is_some() {
        println!("{table}");
    } else {
        std::fs::write(MUTANTS, table).expect("the table can be written");
    }
    assert!(survivors.is_empty(), "these conditions are untested or unnecessary: {survivors:?}");
}

/// The table is of all conditions that guard the meaning, and each was killed when it was written.
#[test]
fn the_table_has_a_row_for_each_mutant() {
    let text = std::fs::read_to_string(MUTANTS).expect("the table");
    let head = HEAD.lines().count();
    let rows: BTreeSet<&str> = text.lines().skip(head).collect();
    let of = |(p, condition): Mutation| format!("| `{}` | `{condition}` | ", p.name);
    let all: Vec<String> = ops::ALL.iter().copied().flat_map(meaning).map(of).collect();
    for row in &all {
        let killed = ["a case of the corpus", "a random program"].map(|by| format!("{row}{by} | "));
        let found = rows.iter().any(|r| killed.iter().any(|k| r.starts_with(k)));
        assert!(found, "no row begins with `{row}` and names a killer: make mutants");
    }
    assert_eq!(text.lines().count(), head + all.len(), "rows of what is no condition any more: make mutants");
}

/// A few mutants, others for each `REWRIGHT_SLICE`: continuous integration takes a number that changes.
#[test]
fn a_slice_of_the_mutants_is_killed() {
    let slice =
        std::env::var("REWRIGHT_SLICE").ok().and_then(|s| u64::from_str_radix(&s, 16).ok()).unwrap_or(1);
    let mut rng = Rng::new(slice);
    let all: Vec<Mutation> = ops::ALL.iter().copied().flat_map(meaning).collect();
    let chosen: Vec<Mutation> = (0..SLICE).map(|_| all[rng.below(all.len())]).collect();
    for ((p, condition), killed) in chosen.iter().zip(all_killed(&chosen, BUDGET)) {
        let Some(Killed { cases, .. }) = killed else {
            panic!("nothing shows that {}.{condition} is needed", p.name)
        };
        println!(
            "{}.{condition}: {}",
            p.name,
            cases.map_or("a case".to_owned(), |n| format!("{n} random programs"))
        );
    }
}

/// How many.
const SLICE: usize = 6;

fn meaning(p: &'static Primitive) -> impl Iterator<Item = Mutation> {
    p.conditions.iter().filter(|c| c.guards == Guards::Meaning).map(move |c| (p, c.id))
}

/// What killed each of them.
fn all_killed(mutants: &[Mutation], budget: Duration) -> Vec<Option<Killed>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some((p, condition)) = mutants.get(k) else { return };
            let killed = kill(p, condition, budget);
            done.lock().expect("no thread has panicked").insert(k, killed);
        }
    };
    thread::scope(|s| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            thread::Builder::new().stack_size(STACK).spawn_scoped(s, work).expect("a thread");
        }
    });
    done.into_inner().expect("no thread has panicked").into_values().collect()
}

/// The table.
const MUTANTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/MUTANTS.md");

const HEAD: &str = "\
# Mutants

Written by `make mutants`. A mutant is a primitive without one of its conditions; it is killed by a program that
it changes. \"Cases\" counts the random applications that were needed. For each condition `corpus/primitives` has a
case that goes wrong without it, marked `# breaks: CONDITION`.

| primitive | condition | killed by | cases |
| --- | --- | --- | --- |
";

fn kill(p: &'static Primitive, condition: &'static str, budget: Duration) -> Option<Killed> {
    by_chance(p, condition, budget).or_else(|| by_corpus(p, condition))
}

fn by_chance(p: &'static Primitive, condition: &'static str, budget: Duration) -> Option<Killed> {
    let session = Session::for_mutants([(p.name, condition)]);
    let plan = Plan { attempts: 8, session, ..Plan::of(vec![p]) };
    let began = Instant::now();
    let mut report = Report::default();
    for seed in 0.. {
        if began.elapsed() > budget {
            break;
        }
        let found = cases(seed, &plan, &mut report).into_iter().find(|f| f.primitive.name == p.name);
        if let Some(failure) = found.map(|f| shrunk(f, 300)) {
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
        match mutant(&case, &Session::for_mutants([(p.name, condition)])) {
            Ok(Mutant::Killed(_)) => Some(Killed { cases: None, program: case.text.trim().to_owned() }),
            Ok(Mutant::Refused(_) | Mutant::Survived) | Err(_) => None,
        }
    })
}

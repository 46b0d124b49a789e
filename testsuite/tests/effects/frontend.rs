//! The front end: every good program is accepted, and what is accepted does not fault. Spec:
//! [rule: frontend], [rule: frontend.sound].

use rewright_campaign::generate::{Shape, module};
use rewright_campaign::perturb::{Change, perturb};
use rewright_campaign::rng::Rng;
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::{Checked, check_module, check_proc, confirm, decide, explain};
use rewright_effects::obligation::Verdict;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::{Module, Proc};
use rewright_semantics::denote::FaultClass;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::{module_to_string, proc_to_string};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::{check_module as types, faults};
use rewright_testsuite::abstraction::Run;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A file of a folder of the corpus: its name and text.
fn corpus(folder: &str) -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(dir).expect("the corpus").flatten().map(|f| f.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "py"));
    files.sort();
    let read = |f: std::path::PathBuf| (f.display().to_string(), std::fs::read_to_string(f).expect("text"));
    files.into_iter().map(read).collect()
}

fn parse(name: &str, text: &str) -> (Module, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let prelude = rewright_machines::prelude(&mut sources);
    let parsed = parse_module(file, &sources, &prelude);
    let mut found = parsed.diagnostics;
    found.extend(types(&parsed.module));
    assert!(found.is_empty(), "{}", render(&found, &sources, false));
    (parsed.module, sources)
}

#[test]
fn every_good_program_is_accepted() {
    let (mut requirements, mut refused, mut slowest) = (0, String::new(), (0.0, String::new()));
    let files: Vec<_> = corpus("ok").into_iter().chain(corpus("accepted")).collect();
    assert!(files.len() >= 290, "only {} programs", files.len());
    let mut all = 0.0;
    for (name, text) in &files {
        let (m, sources) = parse(name, text);
        let start = Instant::now();
        let checked = check_module(&m);
        let took = start.elapsed().as_secs_f64() * 1e3;
        all += took;
        if took > slowest.0 {
            slowest = (took, name.clone());
        }
        assert_eq!(checked.len(), m.procs.len(), "{name}: all procedures are checked");
        requirements += checked.iter().map(|c| c.findings.len()).sum::<usize>();
        for c in &checked {
            refused.push_str(&render(&c.refusals(&sources), &sources, false));
        }
    }
    println!("{} files, {requirements} requirements, {all:.0} ms; slowest {slowest:?}", files.len());
    assert!(refused.is_empty(), "{refused}");
    assert!(requirements > 2000, "only {requirements} requirements");
}

#[test]
fn near_misses_of_bad_programs_run() {
    let files = corpus("accepted");
    assert!(files.len() >= 40, "only {} programs", files.len());
    for (name, text) in files {
        let (m, _) = parse(&name, &text);
        for p in &m.procs {
            let mut runs = 0;
            for seed in 0..30 {
                let Some(run) = Run::random(p, seed) else { continue };
                assert_eq!(run.fault(), None, "{name}: {:?}", run.input);
                runs += 1;
            }
            assert!(runs > 0, "{name}: `{}` has no input", p.name);
        }
    }
}

/// Random programs are right by construction: none is refused.
#[test]
fn programs_that_are_right_by_construction_are_accepted() {
    let (mut accepted, mut requirements, mut needless) = (0, 0, String::new());
    for seed in 0..400 {
        let m = module(seed, &Shape { stmts: 10, ..Shape::default() });
        for Checked { proc, findings } in check_module(&m) {
            requirements += findings.len();
            let refused: Vec<_> = findings.iter().filter(|f| !f.verdict.is_proved()).collect();
            if refused.is_empty() {
                accepted += 1;
            }
            for f in refused {
                let why = f.counterexample().unwrap_or_default();
                let line = format!("seed {seed}, {}: {} ({why})\n", proc.name, f.requirement.danger);
                needless.push_str(&line);
                if std::env::var_os("REWRIGHT_SHOW").is_some() {
                    println!("{line}{}", proc_to_string(&proc));
                }
            }
        }
    }
    println!("{accepted} procedures accepted, {requirements} requirements, needless refusals: {needless:?}");
    assert!(accepted > 1000, "only {accepted} procedures");
    assert!(needless.is_empty(), "{needless}");
}

/// What became of the programs with one kind of change.
#[derive(Debug, Default)]
struct Count {
    accepted: u32,
    refused: u32,
    confirmed: u32,
    undecided: u32,
    runs: u32,
}

/// The property: whatever the front end accepts never faults, on many random inputs.
#[test]
fn what_is_accepted_never_faults() {
    let an = Analysis::new();
    let mut counts: BTreeMap<Change, Count> = BTreeMap::new();
    for seed in 0..campaign() {
        let mut rng = Rng::new(seed);
        let m = module(seed, &Shape { stmts: 8, ..Shape::floating() });
        let solver = Solver::new();
        for p in &m.procs {
            for _ in 0..6 {
                let Some((change, changed)) = perturb(p, &mut rng) else { continue };
                if !faults(&changed).is_empty() {
                    continue;
                }
                let count = counts.entry(change).or_default();
                let findings = decide(&an, &solver, &changed);
                match findings.iter().find(|f| !f.verdict.is_proved()) {
                    Some(f) => {
                        count.refused += 1;
                        count.undecided += u32::from(matches!(f.verdict, Verdict::Unknown { .. }));
                        count.confirmed += u32::from(confirm(&changed, f).is_some());
                    }
                    None => {
                        count.accepted += 1;
                        count.runs += runs_well(seed, &m, &changed);
                    }
                }
            }
        }
    }
    let total = |f: fn(&Count) -> u32| counts.values().map(f).sum::<u32>();
    for (change, count) in &counts {
        println!("{change:?}: {count:?}");
    }
    let (accepted, refused) = (total(|c| c.accepted), total(|c| c.refused));
    let (confirmed, runs) = (total(|c| c.confirmed), total(|c| c.runs));
    let undecided = total(|c| c.undecided);
    println!(
        "{accepted} accepted ({runs} runs), {refused} refused: {confirmed} confirmed, {undecided} undecided"
    );
    assert!(undecided * 200 < refused, "{undecided} of {refused} refusals for want of a verdict");
    assert_eq!(counts.len(), 14, "every change is drawn");
    assert!(accepted > 600 && runs > 7000 && refused > 400, "too few programs");
    assert!(confirmed * 2 > refused, "few refusals are confirmed");
}

/// How many modules are perturbed; more with `REWRIGHT_SEEDS=5000`.
fn campaign() -> u64 {
    std::env::var("REWRIGHT_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

/// Runs an accepted procedure; the number of inputs found.
fn runs_well(seed: u64, m: &Module, p: &Proc) -> u32 {
    let mut runs = 0;
    for input in 0..12 {
        let Some(run) = Run::random(p, input) else { continue };
        match run.fault() {
            None | Some(FaultClass::Limit) => runs += 1,
            Some(fault @ (FaultClass::MemError | FaultClass::Race | FaultClass::TypeError)) => panic!(
                "seed {seed}: accepted, and faults ({fault:?}) on {}\n{}\n{}",
                run.input,
                proc_to_string(p),
                module_to_string(m)
            ),
        }
    }
    runs
}

/// The obligations themselves, without the solver: they hold on every input of a right program.
#[test]
fn obligations_of_right_programs_hold_on_their_inputs() {
    let an = Analysis::new();
    let (mut held, mut missed) = (0_u64, 0_u64);
    for seed in 0..150 {
        let m = module(seed, &Shape { stmts: 8, ..Shape::floating() });
        for p in &m.procs {
            let Some(run) = Run::random(p, seed).filter(|run| run.fault().is_none()) else { continue };
            for requirement in check_proc(&an, p) {
                let holds = run.holds(&requirement.obligation.sentence_formula());
                *(if holds { &mut held } else { &mut missed }) += 1;
            }
        }
    }
    println!("{held} obligations hold, {missed} do not or take too long to try");
    assert!(held > 2000, "only {held} obligations");
    assert!(missed * 50 < held, "{missed} of {held} obligations do not hold, or take too long to try");
}

/// The interpreter gives a meaning to a procedure that is passed one buffer twice; the front end refuses it.
#[test]
fn aliasing_has_a_meaning_and_is_refused() {
    let text = "\
@proc
def shift(x: f32[4], y: f32[4]):
    for i in seq(0, 3):
        y[i + 1] = x[i]


@proc
def smear(x: f32[4]):
    shift(x, x)
";
    let (m, sources) = parse("smear.py", text);
    let p = m.proc("smear").expect("it is there");
    let run = Run::random(p, 1).expect("an input");
    assert_eq!(run.fault(), None, "the interpreter runs it");
    let refusals: Vec<_> = check_module(&m).iter().flat_map(|c| c.refusals(&sources)).collect();
    assert_eq!(refusals.iter().map(|d| d.rule).collect::<Vec<_>>(), ["call.alias"]);
}

/// A procedure that calls an ill-typed one is not looked at: what is said there would make no sense.
#[test]
fn what_is_ill_typed_is_left_alone() {
    let text = "\
@proc
def wrong(n: size, x: f32[n]):
    x[0] = n


@proc
def caller(n: size, x: f32[n]):
    wrong(n, x)
    x[n] = 0.0


@proc
def other(n: size, x: f32[n]):
    x[0] = 0.0
";
    let mut sources = SourceMap::new();
    let file = sources.add("some.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let checked = check_module(&parsed.module);
    assert_eq!(checked.iter().map(|c| c.proc.name.as_str()).collect::<Vec<_>>(), ["other"]);
}

#[test]
fn explanations_read_well() {
    let text = include_str!("../../corpus/ok/tile_tail.py");
    let (m, sources) = parse("tile_tail.py", text);
    let bad = include_str!("../../corpus/bad/bounds-tile-tail.py");
    let (refused, places) = parse("bounds-tile-tail.py", bad);
    let explained = |m: &Module, sources: &SourceMap| {
        let one = |c: &Checked| explain(c.proc.name.as_str(), &c.findings, sources);
        check_module(m).iter().map(one).collect::<String>()
    };
    insta::assert_snapshot!("explain_accepted", explained(&m, &sources));
    insta::assert_snapshot!("explain_refused", explained(&refused, &places));
}

/// Verdicts do not depend on what was asked before.
#[test]
fn verdicts_do_not_depend_on_the_order_of_questions() {
    let mut verdicts: Vec<Vec<bool>> = Vec::new();
    for backwards in [false, true] {
        let (an, solver) = (Analysis::new(), Solver::new());
        let mut procs: Vec<Arc<Proc>> =
            (0..40).flat_map(|seed| module(seed, &Shape::default()).procs).collect();
        if backwards {
            procs.reverse();
        }
        let mut found: Vec<Vec<bool>> = Vec::new();
        for p in &procs {
            let of = |v: &Verdict| v.is_proved();
            found.push(decide(&an, &solver, p).iter().map(|f| of(&f.verdict)).collect());
        }
        if backwards {
            found.reverse();
        }
        verdicts.push(found.concat());
    }
    assert_eq!(verdicts[0], verdicts[1]);
}

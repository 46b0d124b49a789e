//! `rewright perceus`.

mod fuzz;

use crate::args::{
    Perceus, PerceusCase, PerceusCheck, PerceusCommand, PerceusCompile, PerceusExplain, PerceusFile,
    PerceusOptimise, PerceusPasses, PerceusRun,
};
use crate::input::{name_of, read};
use crate::output::{Outcome, diagnose, error, no_answer, put, say};
use rewright_base::span::SourceMap;
use rewright_base::sym::Name;
use rewright_perceus::algorithm::{self, Translation};
use rewright_perceus::canon::Table;
use rewright_perceus::code::print;
use rewright_perceus::declarative::sound;
use rewright_perceus::heap::machine::Machine;
use rewright_perceus::optimise::agree::{Ended, agree};
use rewright_perceus::optimise::{Pass, Passes};
use rewright_perceus::stuck::{self, Stuck};
use rewright_perceus::syntax::Program;
use rewright_perceus::{c, case, explain, optimise, reuse, standard, surface};
use serde_json::json;
use std::path::Path;

/// How many states are audited.
const AUDITED: u64 = 1_000;

pub(crate) fn perceus(args: &Perceus) -> Outcome {
    match &args.command {
        PerceusCommand::Check(c) => check(c),
        PerceusCommand::Run(c) => run(c),
        PerceusCommand::Translate(c) => translate(c),
        PerceusCommand::Optimise(c) => or_outcome(optimised(c)),
        PerceusCommand::Compile(c) => or_outcome(compiled(c)),
        PerceusCommand::Explain(c) => explained(c),
        PerceusCommand::Case(c) => cases(c),
        PerceusCommand::Fuzz(c) => fuzz::fuzz(c),
    }
}

/// A program of λ¹, or what is wrong with the file.
fn load(path: &Path) -> Result<Program, Outcome> {
    let text = read(path).map_err(|why| error(&why))?;
    let mut sources = SourceMap::new();
    let file = sources.add(name_of(path), text);
    surface::load(file, &sources).map_err(|found| {
        diagnose(&found, &sources);
        Outcome::WrongInput
    })
}

fn translated(args: &PerceusFile) -> Result<(Program, Translation), Outcome> {
    let program = load(&args.file)?;
    let translation =
        algorithm::translate(&if args.reuse { reuse::program(&program) } else { program.clone() });
    Ok((program, translation))
}

fn or_outcome(done: Result<Outcome, Outcome>) -> Outcome {
    done.unwrap_or_else(|outcome| outcome)
}

fn check(args: &PerceusCheck) -> Outcome {
    let one = |path: &std::path::PathBuf| match load(path) {
        Ok(p) => {
            say(&format!(
                "{}: ok ({} functions, {} constructors)",
                name_of(path),
                p.defs.len(),
                p.constructors.len()
            ));
            Outcome::Fine
        }
        Err(outcome) => outcome,
    };
    args.files.iter().map(one).fold(Outcome::Fine, Outcome::max)
}

fn translate(args: &PerceusFile) -> Outcome {
    or_outcome(translated(args).map(|(_, t)| {
        say(&t.program.to_string());
        Outcome::Fine
    }))
}

fn run(args: &PerceusRun) -> Outcome {
    or_outcome(translated(&args.program).map(|(program, t)| both(&program, &t.program, args.steps)))
}

/// The result, and whether the two semantics agree on it.
fn both(source: &Program, output: &Program, limit: u64) -> Outcome {
    let mut machine = Machine::new(output);
    let outcome = machine.run(limit, |_, _| {});
    let standard = standard::run(source, limit);
    let c = machine.heap.counters;
    let counted = format!(
        "{} steps; {} allocated, {} freed, {} reused, {} at most alive; {} dups, {} drops",
        machine.steps, c.allocs, c.frees, c.reused, c.peak, c.dups, c.drops
    );
    match (outcome, standard.outcome) {
        (stuck::Outcome::Value(r), stuck::Outcome::Value(v)) => {
            let mut table = Table::new();
            say(&explain::value(&machine, r));
            say(&counted);
            if standard.canonical(&mut table, v) == machine.heap.canonical(&mut table, r) {
                return Outcome::Fine;
            }
            error(&format!("the standard semantics says {}", standard.shown(v)));
            Outcome::Difference
        }
        (stuck::Outcome::Stuck(a), stuck::Outcome::Stuck(b)) if a == b => {
            error(&format!("{}, after {} steps", words(a), machine.steps))
        }
        (stuck::Outcome::Unfinished, _) | (_, stuck::Outcome::Unfinished) => {
            no_answer(&format!("the program has not ended after {limit} steps"))
        }
        (a, b) => {
            error(&format!("the heap semantics ends with {a:?}, the standard semantics with {b:?}"));
            Outcome::Difference
        }
    }
}

fn passes(args: &PerceusPasses) -> Passes {
    let passes = args.only.as_ref().map_or_else(|| Passes::without(&args.without), |only| Passes::only(only));
    if args.borrow { passes.and(Pass::Borrow) } else { passes }
}

fn optimised(args: &PerceusOptimise) -> Result<Outcome, Outcome> {
    let program = load(&args.file)?;
    let mut stages = optimise::stages(&program, &passes(&args.passes));
    let last = stages.last().map(|s| s.code.clone()).ok_or(Outcome::Bug)?;
    if !args.stages {
        stages = stages.pop().into_iter().collect();
    }
    let mut rows = Vec::new();
    for stage in &stages {
        let text = match &args.fun {
            None => print::code(&stage.code),
            Some(name) => match stage.code.fun(Name::new(name)) {
                Some(f) => print::fun(f),
                None => return Err(error(&format!("no function `{name}` is left"))),
            },
        };
        if args.stages {
            say(&format!("-- {}", stage.name));
        }
        say(text.trim_end());
        rows.push(json!({ "name": stage.name, "code": text }));
    }
    put("stages", rows);
    let found = agree(&program, &last, args.steps, AUDITED).map_err(|why| {
        error(&why);
        Outcome::Difference
    })?;
    let c = found.dropped;
    put(
        "counters",
        json!({
            "allocs": c.allocs, "frees": c.frees, "reuses": c.reuses, "dups": c.dups, "drops": c.drops,
            "tests": c.tests, "writes": c.writes, "peak": c.peak
        }),
    );
    if found.garbage > 0 {
        put("garbage", found.garbage);
        say(&format!("-- of {} states {} have cells that nothing needs", found.audited, found.garbage));
    }
    match found.end {
        Ended::Value(v) => {
            put("value", v.as_str());
            say(&format!("-- {v}"));
            say(&format!(
                "-- {} allocated, {} freed, {} reused, {} at most alive; {} dups, {} drops, {} tests, {} fields written",
                c.allocs, c.frees, c.reuses, c.peak, c.dups, c.drops, c.tests, c.writes
            ));
            Ok(Outcome::Fine)
        }
        Ended::Stuck(why) => Ok(error(words(why))),
        Ended::Unfinished => Ok(no_answer(&format!("the program has not ended after {} steps", args.steps))),
    }
}

fn compiled(args: &PerceusCompile) -> Result<Outcome, Outcome> {
    let program = load(&args.file)?;
    let text = c::emit(&optimise::code(&program, &passes(&args.passes))).map_err(|why| error(&why))?;
    let stem = args.file.file_stem().map_or_else(|| "program".into(), |s| s.to_string_lossy().into_owned());
    let write = |name: &str, text: &str| {
        let path = args.output.join(name);
        std::fs::write(&path, text).map_err(|e| error(&format!("{}: {e}", name_of(&path))))
    };
    std::fs::create_dir_all(&args.output).map_err(|e| error(&format!("{}: {e}", name_of(&args.output))))?;
    let file = format!("{stem}.c");
    write(&file, &text)?;
    write(c::RUNTIME_NAME, c::RUNTIME)?;
    put("files", json!([file, c::RUNTIME_NAME]));
    say(&format!("wrote {}/{{{file},{}}}", name_of(&args.output), c::RUNTIME_NAME));
    Ok(Outcome::Fine)
}

/// What a stuck program did.
fn words(why: Stuck) -> &'static str {
    match why {
        Stuck::ApplyNonFunction => "something is applied that is no function",
        Stuck::MatchNonConstructor => "something is matched that is no constructor",
        Stuck::NoBranch => "no branch is for this constructor",
        Stuck::PrimNonInteger => "an operand is no integer",
        Stuck::NotAReference => "something is read or assigned that is no reference",
        Stuck::IntegerOverflow => "an integer needs more than 64 bits",
        Stuck::DivisionByZero => "a division by 0",
        Stuck::UseAfterFree => "a cell is used after it was freed",
        Stuck::NegativeCount => "a cell is dropped after it was freed",
        Stuck::Unbound => "a variable has no value",
    }
}

fn explained(args: &PerceusExplain) -> Outcome {
    or_outcome(translated(&args.program).map(|(_, t)| {
        for (def, d) in t.program.defs.iter().zip(&t.defs) {
            let params: Vec<&str> = def.params.iter().map(|p| p.as_str()).collect();
            say(&format!("fun {}({})", def.name, params.join(", ")));
            say(&if args.declarative {
                explain::declarative(&sound::drops(d, &def.body))
            } else {
                explain::algorithm(d)
            });
        }
        if args.heap {
            say(&explain::run(&t.program, args.steps));
        }
        Outcome::Fine
    }))
}

/// One broken file outweighs any difference.
fn cases(args: &PerceusCase) -> Outcome {
    let (mut broken, mut fine) = (0_usize, 0_usize);
    let mut rows = Vec::new();
    for path in &args.files {
        let differences = match read(path).and_then(|text| case::read(&text)) {
            Ok(case) => case.differences(),
            Err(why) => {
                error(&format!("{}: broken: {why}", name_of(path)));
                broken += 1;
                rows.push(json!({ "file": name_of(path), "ok": false, "differences": [] }));
                continue;
            }
        };
        fine += usize::from(differences.is_empty());
        let told: Vec<String> = differences.iter().map(ToString::to_string).collect();
        rows.push(json!({ "file": name_of(path), "ok": told.is_empty(), "differences": told }));
        for d in differences {
            error(&format!("{}: {d}", name_of(path)));
        }
    }
    put("cases", rows);
    put("fine", fine);
    let all = args.files.len();
    say(&format!("{fine} of {all} cases come out as they state; {broken} broken"));
    match (broken, fine) {
        (0, n) if n == all => Outcome::Fine,
        (0, _) => Outcome::Difference,
        (_, _) => Outcome::WrongInput,
    }
}

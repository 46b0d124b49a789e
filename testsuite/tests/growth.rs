//! What is asked about a program costs as much as the program is large. Spec: [rule: growth].
//!
//! Time depends on the machine; here allocations, bytes and questions to the solver are counted, of small members of
//! each family. A cost that grows with the square of the size makes twice the difference that is allowed.

use allocation_counter::measure;
use rewright_backends::c::{Options, compile_module};
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::{self, Checked};
use rewright_effects::solver::Solver;
use rewright_primitives::derivation;
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{parse, run_with};
use rewright_primitives::version::session::Session;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck;
use rewright_testsuite::growth::{FAMILIES, Family, Question};

/// One of the things that are counted.
type Part = fn(&Work) -> u64;

/// The largest member that is looked at; the others are a half and a quarter of it.
const LARGEST: usize = 240;

/// How much more the second doubling may cost than the first. It is 2 for a cost that grows with the size, 4 for one
/// that grows with its square.
const MOST: f64 = 2.9;

/// What was spent.
#[derive(Clone, Copy, Debug)]
struct Work {
    allocations: u64,
    bytes: u64,
    questions: u64,
}

#[test]
fn no_family_grows_with_the_square() {
    let mut told = Vec::new();
    // What has a limit in the language does not grow.
    for family in FAMILIES.iter().filter(|f| f.most == usize::MAX) {
        // What is made once in a process is made before.
        work(family, 1);
        let [a, b, c] = [LARGEST / 4, LARGEST / 2, LARGEST].map(|n| work(family, n));
        println!("{:<44} {c:?}", family.title());
        let parts: [(&str, Part); 3] =
            [("allocations", |w| w.allocations), ("bytes", |w| w.bytes), ("questions", |w| w.questions)];
        for (what, of) in parts {
            let (first, second) = (of(&b).saturating_sub(of(&a)), of(&c).saturating_sub(of(&b)));
            if as_float(second) > MOST * as_float(first.max(64)) {
                told.push(format!("{}: {what} {}, {}, {}", family.title(), of(&a), of(&b), of(&c)));
            }
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[expect(clippy::as_conversions, reason = "counts fit an f64")]
fn as_float(n: u64) -> f64 {
    n as f64
}

/// What one question about a member of a family costs, in a session of its own.
fn work(family: &Family, units: usize) -> Work {
    let mut sources = SourceMap::new();
    let file = sources.add("grown.py", (family.text)(units));
    let prelude = rewright_machines::prelude(&mut sources);
    let mut questions = 0;
    let spent = measure(|| questions = asked(family, &sources, file, &prelude));
    Work { allocations: spent.count_total, bytes: spent.bytes_total, questions }
}

/// Asks; how many questions went to the solver.
fn asked(
    family: &Family,
    sources: &SourceMap,
    file: rewright_semantics::span::FileId,
    prelude: &Prelude,
) -> u64 {
    let parsed = parse_module(file, sources, prelude);
    let module = parsed.module;
    assert!(typecheck::check_module(&module).is_empty(), "{}", family.title());
    let (an, solver) = (Analysis::new(), Solver::new());
    for proc in &module.procs {
        let findings = frontend::decide(&an, &solver, proc);
        let checked = Checked { proc: proc.clone(), findings };
        assert!(checked.refusals(sources).is_empty(), "{}", family.title());
    }
    let session = Session::new();
    let script = |text: &str| {
        let lines = parse(file, text).expect("a script");
        let ran = run_with(&session, &Registry::standard(), &module, prelude, &lines);
        assert!(ran.error.is_none(), "{}: {:?}", family.title(), ran.error);
        ran
    };
    let text = sources.get(file).map_or("", |f| &f.text);
    match family.question {
        Question::Check => {}
        Question::Print => drop(module_to_string(&module)),
        Question::Compile => drop(compile_module(&module, &Options::new("grown")).expect("it compiles")),
        Question::Script => drop(script(text)),
        Question::Derivation => {
            let ran = script(text);
            drop(derivation::record(text, ran.bindings.last().map(|b| (b.name.as_str(), &b.proc))));
        }
        // What the interpreter does is statements, not allocations.
        Question::Equiv => {}
    }
    let (counts, of_steps) = (solver.counts(), session.counts());
    [counts, of_steps].iter().map(|c| c.fast + c.linear + c.quantified + c.unknown).sum()
}

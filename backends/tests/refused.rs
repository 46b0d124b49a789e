//! Every program of `corpus/bad` whose header begins with `# command: compile` is well-typed and refused by the
//! back end, for the reasons that follow there: lines `# expect: <rule> <line>:<column> <beginning of the
//! message>`, in the order of the text. `REWRIGHT_SHOW=1` prints what was found.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use rewright_backends::c::{Options, compile_module};
use rewright_semantics::diag::{Diagnostic, Severity};
use rewright_semantics::parse::parse_module;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::collections::BTreeSet;
use std::path::Path;

/// A program and what the back end says about it.
struct Refused {
    name: String,
    text: String,
    found: Vec<Diagnostic>,
    sources: SourceMap,
}

/// The first line of a program that is for the back end.
const COMMAND: &str = "# command: compile\n";

/// The files of `corpus/bad`, by name.
fn corpus() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/bad");
    let paths = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<_> = paths
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn programs() -> Vec<Refused> {
    let programs = corpus().into_iter().filter(|(_, text)| text.starts_with(COMMAND)).map(|(name, text)| {
        let mut sources = SourceMap::new();
        let prelude = rewright_machines::prelude(&mut sources);
        let file = sources.add(&name, &*text);
        let parsed = parse_module(file, &sources, &prelude);
        let mut early = parsed.diagnostics;
        early.extend(check_module(&parsed.module));
        assert!(early.iter().all(|d| d.severity == Severity::Warning), "{}", render(&early, &sources, false));
        let mut found = compile_module(&parsed.module, &Options::new("unit")).err().unwrap_or_default();
        found.sort_by_key(|d| d.primary.span.start);
        Refused { name, text, found, sources }
    });
    programs.collect()
}

/// `<rule> <line>:<column> <message>`
fn summary(d: &Diagnostic, sources: &SourceMap) -> String {
    let (line, column) = sources.line_col(d.primary.span).unwrap_or((0, 0));
    format!("{} {line}:{column} {}", d.rule, d.message)
}

#[test]
fn every_program_is_refused_for_its_reasons() {
    let mut complaints = String::new();
    for Refused { name, text, found, sources } in programs() {
        if std::env::var_os("REWRIGHT_SHOW").is_some() {
            eprintln!("{}", render(&found, &sources, false));
        }
        let expected: Vec<&str> = text.lines().skip(1).map_while(|l| l.strip_prefix("# expect: ")).collect();
        let found: Vec<String> = found.iter().map(|d| summary(d, &sources)).collect();
        let is_met = !expected.is_empty()
            && expected.len() == found.len()
            && expected.iter().zip(&found).all(|(e, f)| f.starts_with(e));
        if !is_met {
            complaints.push_str(&format!("{name}: found\n"));
            found.iter().for_each(|f| complaints.push_str(&format!("# expect: {f}\n")));
        }
    }
    assert!(complaints.is_empty(), "expectations not met:\n{complaints}");
}

/// What the type checker refuses is refused here, too. Spec: [rule: backend.window], [rule: c.control].
#[test]
fn shapes_and_control_are_checked_once_more() {
    let rules = |body: &str| {
        let text = format!(
            "@proc\ndef g(x: f32[4]):\n    pass\n\n@proc\ndef f(n: size, A: f32[4, 8], x: f32[n]):\n    {body}\n"
        );
        let mut sources = SourceMap::new();
        let prelude = rewright_machines::prelude(&mut sources);
        let file = sources.add("built.py", text);
        let parsed = parse_module(file, &sources, &prelude);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let found = compile_module(&parsed.module, &Options::new("unit")).err().unwrap_or_default();
        found.iter().map(|d| d.rule).collect::<BTreeSet<_>>()
    };
    assert_eq!(rules("g(A[:, 0:4])"), BTreeSet::from(["backend.window"]));
    assert_eq!(rules("g(A)"), BTreeSet::from(["backend.window"]));
    assert_eq!(rules("x[n * n - 1] = 0.0"), BTreeSet::from(["backend.control"]));
}

/// Whatever is handed to the back end, type-checked or not: it answers.
#[test]
fn ill_typed_programs_are_answered() {
    let mut count = 0;
    for (_, text) in corpus() {
        let mut sources = SourceMap::new();
        let prelude = rewright_machines::prelude(&mut sources);
        let file = sources.add("bad.py", text);
        let module = parse_module(file, &sources, &prelude).module;
        // The answer may be C, where the parser left out what was wrong.
        let _ = compile_module(&module, &Options::new("unit"));
        count += 1;
    }
    assert!(count > 100, "only {count} programs");
}

#[test]
fn messages_are_one_sentence_and_have_a_place() {
    for Refused { name, found, sources, .. } in programs() {
        for d in found {
            assert!(sources.slice(d.primary.span).is_some_and(|s| !s.is_empty()), "{name}: {d:?}");
            assert!(!d.message.ends_with('.') && !d.message.is_empty(), "{name}: {}", d.message);
        }
    }
}

#[test]
fn every_rule_of_the_back_end_refuses_some_program() {
    let programs = programs();
    let rules: BTreeSet<&str> = programs.iter().flat_map(|p| p.found.iter().map(|d| d.rule)).collect();
    let expected = [
        "backend.argument-precision",
        "backend.config-access",
        "backend.memory-access",
        "backend.memory-alloc",
        "backend.memory-window",
        "backend.parallel",
        "backend.precision",
        "backend.processor",
        "backend.range",
    ];
    assert_eq!(rules, expected.into_iter().collect());
}

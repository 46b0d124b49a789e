//! Every program of `corpus/bad` gives the diagnostics that its header expects, and no other error.
//!
//! A header line is `# expect: <rule> <line>:<column> <fragment of the message>`, one for each error,
//! in the order of the text. `REWRIGHT_SHOW=1` prints what was found for each file.

use rewright_semantics::diag::{Diagnostic, Severity};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/bad")
}

/// One expected or found error.
struct Finding {
    rule: String,
    place: String,
    message: String,
}

impl Finding {
    /// From a header line, without its `# expect: `.
    fn read(line: &str) -> Option<Finding> {
        let mut words = line.splitn(3, ' ').map(str::to_owned);
        Some(Finding { rule: words.next()?, place: words.next()?, message: words.next()? })
    }

    fn of(d: &Diagnostic, sources: &SourceMap) -> Finding {
        let (line, column) = sources.line_col(d.primary.span).unwrap_or((0, 0));
        Finding { rule: d.rule.to_owned(), place: format!("{line}:{column}"), message: d.message.clone() }
    }

    fn is_met_by(&self, found: &Finding) -> bool {
        self.rule == found.rule && self.place == found.place && found.message.contains(&self.message)
    }
}

/// The errors of a text in the order of their places, those of the parser first at one place.
fn errors(name: &str, text: &str) -> (Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let mut all = parsed.diagnostics;
    all.extend(check_module(&parsed.module));
    all.retain(|d| d.severity == Severity::Error);
    all.sort_by_key(|d| d.primary.span.start);
    (all, sources)
}

/// What is wrong with one file's expectations; empty when nothing is.
fn complaints(name: &str, text: &str) -> String {
    let mut out = String::new();
    let header = text.lines().map_while(|l| l.strip_prefix("# expect: "));
    let expected: Vec<Option<Finding>> = header.map(Finding::read).collect();
    let (found, sources) = errors(name, text);
    let found: Vec<Finding> = found.iter().map(|d| Finding::of(d, &sources)).collect();
    let met = expected.len() == found.len()
        && expected.iter().zip(&found).all(|(e, f)| e.as_ref().is_some_and(|e| e.is_met_by(f)));
    if expected.is_empty() || !met {
        writeln!(out, "{name}: found").expect("a string takes all");
        for f in &found {
            writeln!(out, "# expect: {} {} {}", f.rule, f.place, f.message).expect("a string takes all");
        }
    }
    out
}

fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(corpus()).expect("the corpus is there") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        files.push((name, std::fs::read_to_string(&path).expect("readable text")));
    }
    // The back end's programs are its own tests'.
    files.retain(|(_, text)| !text.starts_with("# command: compile"));
    files.sort();
    files
}

#[test]
fn every_bad_program_gives_its_diagnostics() {
    let files = files();
    assert!(files.len() >= 130, "only {} programs", files.len());
    if std::env::var_os("REWRIGHT_SHOW").is_some() {
        show(&files);
    }
    let complaints: String = files.iter().map(|(name, text)| complaints(name, text)).collect();
    assert!(complaints.is_empty(), "expectations not met:\n{complaints}");
}

/// The words of a text that could be names, with their places.
fn words(text: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let mut words = Vec::new();
    let mut at = 0;
    for piece in text.split_inclusive(|c| !is_part(c)) {
        let word = piece.trim_end_matches(|c| !is_part(c));
        if !word.is_empty() {
            words.push((at, word));
        }
        at += piece.len();
    }
    words
}

/// Each program with each word replaced by each other of its words: whatever that is, it is answered, and
/// what is said is about a place of the text.
#[test]
fn mutilated_programs_are_answered() {
    let mut programs = 0;
    for (name, text) in files() {
        let body: String = text.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
        if body.len() > 600 {
            continue;
        }
        let words = words(&body);
        let replacements: BTreeSet<&str> = words.iter().map(|(_, w)| *w).collect();
        for (at, word) in &words {
            for other in replacements.iter().filter(|w| *w != word) {
                let (before, after) = (&body[..*at], &body[at + word.len()..]);
                let (found, sources) = errors(&name, &format!("{before}{other}{after}"));
                for d in found {
                    assert!(sources.slice(d.primary.span).is_some(), "{name}: {d:?} has no place");
                }
                programs += 1;
            }
        }
    }
    assert!(programs > 20_000, "only {programs} programs");
}

/// Prints every finding in full, for reading.
fn show(files: &[(String, String)]) {
    for (name, text) in files {
        let (found, sources) = errors(name, text);
        for d in found {
            let place = Finding::of(&d, &sources).place;
            eprintln!("{name} {place} [{}] {}", d.rule, d.message);
            eprintln!(
                "    | {} | {}",
                sources.slice(d.primary.span).unwrap_or("").replace('\n', "\\n"),
                d.primary.text
            );
            eprintln!("    = {}", d.help.unwrap_or_default());
        }
    }
}

/// The rules that a program of the corpus breaks, one at least for each.
const RULES: &[&str] = &[
    "instr.placeholder",
    "name.duplicate-argument",
    "name.duplicate-definition",
    "name.duplicate-field",
    "name.unbound",
    "name.unknown-extern",
    "name.unknown-field",
    "name.unknown-memory",
    "name.unknown-procedure",
    "name.window-rebinds",
    "syntax.assert",
    "syntax.config",
    "syntax.decorator",
    "syntax.expression",
    "syntax.instr",
    "syntax.literal",
    "syntax.loop",
    "syntax.memory-class",
    "syntax.nesting",
    "syntax.python",
    "syntax.signature",
    "syntax.statement",
    "syntax.toplevel",
    "syntax.type",
    "syntax.undecorated",
    "type.alloc-window",
    "type.argument",
    "type.argument-precision",
    "type.argument-rank",
    "type.argument-shape",
    "type.arity",
    "type.assign-control",
    "type.bool-arithmetic",
    "type.bool-expected",
    "type.comparison",
    "type.config-field",
    "type.control-expected",
    "type.data-comparison",
    "type.data-expected",
    "type.data-modulo",
    "type.divisor",
    "type.extent",
    "type.extern-argument",
    "type.extern-arity",
    "type.index",
    "type.nonaffine",
    "type.not-a-buffer",
    "type.not-operand",
    "type.rank",
    "type.scalar-argument",
    "type.size-literal",
    "type.stride-arithmetic",
    "type.stride-dim",
    "type.tensor-value",
    "type.window-annotation",
    "type.window-to-tensor",
];

#[test]
fn every_rule_is_broken_by_some_program() {
    let files = files();
    let lines = files.iter().flat_map(|(_, text)| text.lines().filter_map(|l| l.strip_prefix("# expect: ")));
    let broken: BTreeSet<&str> = lines.filter_map(|l| l.split(' ').next()).collect();
    let listed: BTreeSet<&str> = RULES.iter().copied().collect();
    assert_eq!(broken, listed);
}

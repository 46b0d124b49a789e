//! Every program of `corpus/bad` gives the diagnostics that its header expects, and no other error. One named test per
//! file: `cargo test --test corpus_bad alias-cells`; adding a program is adding a file.
//!
//! The header is the comment at the top. A line of it is `# expect: <rule> <line>:<column> <fragment of the
//! message>`, one for each error, in the order of the text. What the front end refuses is also told why, and
//! how to see it happen: `# because: <words under the place>` and `# run: <procedure and arguments>`, which
//! stands there exactly when a run confirmed the refusal. Other lines say what the file is about.
//! `REWRIGHT_SHOW=1` prints what was found for each file that is asked for.

use libtest_mimic::{Arguments, Failed, Trial};
use rewright_effects::frontend;
use rewright_semantics::diag::{Diagnostic, Severity, has_errors};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Names and texts.
type Files = [(String, String)];
/// A test of all files together.
type OfAll = fn(&Files) -> Result<(), Failed>;

fn main() {
    let args = Arguments::from_args();
    let files: Arc<Files> = files().into();
    let mut trials: Vec<Trial> = files
        .iter()
        .map(|(name, text)| {
            let (name, text) = (name.clone(), text.clone());
            Trial::test(name.trim_end_matches(".py").to_owned(), move || program(&name, &text))
        })
        .collect();
    let all: [(&str, OfAll); 3] = [
        ("there are programs", there_are_programs),
        ("mutilated programs are answered", mutilated_programs_are_answered),
        ("every rule is broken by some program", every_rule_is_broken_by_some_program),
    ];
    trials.extend(all.map(|(name, test)| {
        let files = files.clone();
        Trial::test(name, move || test(&files))
    }));
    libtest_mimic::run(&args, trials).exit();
}

fn there_are_programs(files: &Files) -> Result<(), Failed> {
    if files.len() >= 400 { Ok(()) } else { Err(format!("only {} programs", files.len()).into()) }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/bad")
}

/// One expected or found error.
#[derive(Default)]
struct Finding {
    rule: String,
    place: String,
    message: String,
    because: Option<String>,
    run: Option<String>,
}

impl Finding {
    /// From a header line, without its `# expect: `.
    fn read(line: &str) -> Option<Finding> {
        let mut words = line.splitn(3, ' ').map(str::to_owned);
        let (rule, place, message) = (words.next()?, words.next()?, words.next()?);
        Some(Finding { rule, place, message, ..Finding::default() })
    }

    fn of(d: &Diagnostic, sources: &SourceMap) -> Finding {
        let (line, column) = sources.line_col(d.primary.span).unwrap_or((0, 0));
        let proved = frontend::REQUIREMENTS.iter().any(|id| id.0 == d.rule);
        let command = |note: &String| {
            let (command, _) = note.strip_prefix("`rewright run ")?.split_once('`')?;
            Some(command.split_once(' ')?.1.to_owned())
        };
        Finding {
            rule: d.rule.to_owned(),
            place: format!("{line}:{column}"),
            message: d.message.clone(),
            because: proved.then(|| d.primary.text.clone()),
            run: d.notes.iter().find_map(command),
        }
    }

    fn is_met_by(&self, found: &Finding) -> bool {
        self.rule == found.rule
            && self.place == found.place
            && found.message.contains(&self.message)
            && self.because == found.because
            && self.run == found.run
    }

    /// The header lines that expect this.
    fn header(&self) -> String {
        let mut out = format!("# expect: {} {} {}\n", self.rule, self.place, self.message);
        for (key, value) in [("because", &self.because), ("run", &self.run)] {
            if let Some(value) = value {
                writeln!(out, "# {key}: {value}").expect("a string takes all");
            }
        }
        out
    }
}

/// What a header expects; `None` for a line that cannot be read.
fn expected(text: &str) -> Option<Vec<Finding>> {
    let mut out: Vec<Finding> = Vec::new();
    for line in text.lines().map_while(|l| l.strip_prefix('#')) {
        if let Some(line) = line.strip_prefix(" expect: ") {
            out.push(Finding::read(line)?);
        } else if let Some(line) = line.strip_prefix(" because: ") {
            out.last_mut()?.because = Some(line.to_owned());
        } else if let Some(line) = line.strip_prefix(" run: ") {
            out.last_mut()?.run = Some(line.to_owned());
        }
    }
    Some(out)
}

/// The errors of a text in the order of their places, those of the parser first at one place; with proofs
/// where nothing else is wrong.
fn errors(name: &str, text: &str, prove: bool) -> (Vec<Diagnostic>, SourceMap) {
    static KNOWN: OnceLock<(SourceMap, Prelude)> = OnceLock::new();
    let (known, prelude) = KNOWN.get_or_init(|| {
        let mut sources = SourceMap::new();
        let prelude = rewright_machines::prelude(&mut sources);
        (sources, prelude)
    });
    let mut sources = known.clone();
    let file = sources.add(name, text);
    let parsed = parse_module(file, &sources, prelude);
    let mut all = parsed.diagnostics;
    let understood = !has_errors(&all);
    all.extend(check_module(&parsed.module));
    if understood && prove {
        for checked in frontend::check_module(&parsed.module) {
            all.extend(checked.refusals(&sources));
        }
    }
    all.retain(|d| d.severity == Severity::Error);
    all.sort_by_key(|d| d.primary.span.start);
    (all, sources)
}

/// One file's expectations are met.
fn program(name: &str, text: &str) -> Result<(), Failed> {
    if std::env::var_os("REWRIGHT_SHOW").is_some() {
        show(name, text);
    }
    let Some(expected) = expected(text) else { return Err("the header cannot be read".into()) };
    let (found, sources) = errors(name, text, true);
    let found: Vec<Finding> = found.iter().map(|d| Finding::of(d, &sources)).collect();
    let met = expected.len() == found.len() && expected.iter().zip(&found).all(|(e, f)| e.is_met_by(f));
    if !found.is_empty() && met {
        return Ok(());
    }
    Err(format!("found\n{}", found.iter().map(Finding::header).collect::<String>()).into())
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
fn mutilated_programs_are_answered(files: &Files) -> Result<(), Failed> {
    let mut programs = 0;
    for (name, text) in files {
        let body: String = text.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
        if body.len() > 600 {
            continue;
        }
        let words = words(&body);
        let replacements: BTreeSet<&str> = words.iter().map(|(_, w)| *w).collect();
        for (at, word) in &words {
            for other in replacements.iter().filter(|w| *w != word) {
                let (before, after) = (&body[..*at], &body[at + word.len()..]);
                let (found, sources) = errors(name, &format!("{before}{other}{after}"), false);
                for d in found {
                    if sources.slice(d.primary.span).is_none() {
                        return Err(format!("{name}, `{other}` at {at}: {d:?} has no place").into());
                    }
                }
                programs += 1;
            }
        }
    }
    if programs > 20_000 { Ok(()) } else { Err(format!("only {programs} programs").into()) }
}

/// Prints every finding of a file in full, for reading.
fn show(name: &str, text: &str) {
    let (found, sources) = errors(name, text, true);
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

/// The rules that a program of the corpus breaks, one at least for each.
const RULES: &[&str] = &[
    "bounds.access",
    "bounds.extent",
    "bounds.window",
    "call.alias",
    "call.assert",
    "call.dense",
    "call.shape",
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
    "par.race",
    "size.positive",
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
];

fn every_rule_is_broken_by_some_program(files: &Files) -> Result<(), Failed> {
    let lines = files.iter().flat_map(|(_, text)| text.lines().filter_map(|l| l.strip_prefix("# expect: ")));
    let broken: BTreeSet<&str> = lines.filter_map(|l| l.split(' ').next()).collect();
    let listed: BTreeSet<&str> = RULES.iter().copied().collect();
    match broken.symmetric_difference(&listed).collect::<Vec<_>>()[..] {
        [] => Ok(()),
        ref odd => Err(format!("broken and not listed, or listed and not broken: {odd:?}").into()),
    }
}

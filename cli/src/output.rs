//! What a command says and how it ends: text for a reader, or one JSON object. Spec: [rule: cli.codes],
//! [rule: cli.json].
//!
//! A process has one standard output, and so there is one report: what is said goes to it at once as text, or is
//! kept for [`finish`], which prints the object.

use anstream::{AutoStream, ColorChoice};
use rewright_effects::locset::Cell;
use rewright_effects::obligation::ModelValue;
use rewright_primitives::{Found, SchedulingError};
use rewright_semantics::diag::{Diagnostic, Label, Severity};
use rewright_semantics::render::render;
use rewright_semantics::span::{SourceMap, Span};
use serde_json::{Map, Value, json};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// The version of the form that `--json` prints.
const SCHEMA: u32 = 1;
/// How many findings `--json` lists; the others are counted.
const MAX_LISTED: usize = 1_000;
/// How many bytes of one message are shown.
const MAX_MESSAGE: usize = 1 << 14;

/// How a command ended, from good to bad: a command that does several things ends as the worst of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// What was asked was done, and it is so.
    Fine,
    /// A limit was reached, or there was nothing to compare: neither yes nor no.
    NoAnswer,
    /// The input is wrong.
    WrongInput,
    /// A rewrite or a directive was refused.
    Refused,
    /// Two things that must agree do not.
    Difference,
    /// Rewright is wrong.
    Bug,
}

impl Outcome {
    /// The exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Outcome::Fine => 0,
            Outcome::WrongInput => 1,
            Outcome::Refused => 2,
            Outcome::Difference => 3,
            Outcome::NoAnswer => 4,
            Outcome::Bug => 101,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Outcome::Fine => "fine",
            Outcome::NoAnswer => "no-answer",
            Outcome::WrongInput => "wrong-input",
            Outcome::Refused => "refused",
            Outcome::Difference => "difference",
            Outcome::Bug => "bug",
        }
    }
}

/// What has been said, where that is to become JSON.
#[derive(Default)]
struct Report {
    json: bool,
    diagnostics: Vec<Value>,
    omitted: usize,
    /// The rewrite that was refused.
    refusal: Option<Value>,
    result: Map<String, Value>,
    /// Why standard output did not take what was said.
    unwritten: Option<io::Error>,
}

static REPORT: LazyLock<Mutex<Report>> = LazyLock::new(Mutex::default);

fn report() -> MutexGuard<'static, Report> {
    REPORT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Report {
    fn list(&mut self, finding: Value) {
        if self.diagnostics.len() < MAX_LISTED {
            self.diagnostics.push(finding);
        } else {
            self.omitted += 1;
        }
    }

    fn print(&mut self, text: &str) {
        if self.unwritten.is_none() {
            let mut out = io::stdout().lock();
            self.unwritten = writeln!(out, "{text}").and_then(|()| out.flush()).err();
        }
    }
}

/// From here on what is said is kept for one JSON object.
pub(crate) fn speak_json() {
    report().json = true;
}

/// Writes to standard output, for a reader. A reader that went away (`| head`) is no error.
pub(crate) fn say(text: &str) {
    let mut report = report();
    if !report.json {
        report.print(text.trim_end_matches('\n'));
    }
}

/// A part of what `--json` tells as the result.
pub(crate) fn put(key: &str, value: impl Into<Value>) {
    report().result.insert(key.to_owned(), value.into());
}

/// The rewrite that was refused, as data; with a difference that a run has shown, and the command that shows it.
pub(crate) fn put_refusal(e: &SchedulingError, confirmed: Option<(String, Option<String>)>) {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("primitive", json!(e.primitive));
    put("condition", json!(e.condition));
    put("why", json!(e.found.to_string()));
    if let Some(advice) = e.advice {
        put("advice", json!(advice));
    }
    match &e.found {
        Found::Refuted { asked, values, cell } => {
            put("found", json!("refuted"));
            put("asked", json!(asked));
            put("values", values.iter().map(|(name, value)| (name.clone(), plain(*value))).collect());
            if let Some(Cell { buffer, at }) = cell {
                put("cell", json!({ "buffer": buffer, "at": at }));
            }
        }
        Found::Unknown { asked, why: _ } => {
            put("found", json!("undecided"));
            put("asked", json!(asked));
        }
        Found::Form { why: _ } => {
            put("found", json!("form"));
        }
    }
    if let Some((difference, command)) = confirmed {
        let mut shown = json!({ "difference": difference });
        if let (Some(command), Value::Object(shown)) = (command, &mut shown) {
            shown.insert("command".to_owned(), json!(command));
        }
        put("confirmed", shown);
    }
    report().refusal = Some(Value::Object(object));
}

fn plain(value: ModelValue) -> Value {
    match value {
        ModelValue::Int(n) => json!(n),
        ModelValue::Bool(b) => json!(b),
    }
}

/// One line about something that is not a place in a source text.
pub(crate) fn error(message: &str) -> Outcome {
    remark("error", message);
    Outcome::WrongInput
}

/// Why there is no answer: a limit that was reached, or nothing to compare.
pub(crate) fn no_answer(message: &str) -> Outcome {
    remark("error", message);
    Outcome::NoAnswer
}

/// Something to know that changes nothing.
pub(crate) fn complain(text: &str) {
    remark("note", text);
}

/// What would be printed, where what is printed is for another program. JSON has a place of its own for it.
pub(crate) fn aside(text: &str) {
    if !report().json {
        drop(writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n')));
    }
}

/// A finding without a place; only errors and warnings are marked as such in text.
fn remark(severity: &str, message: &str) {
    let mut report = report();
    let message = cut(message.trim_end_matches('\n'), MAX_MESSAGE);
    if report.json {
        report.list(json!({ "severity": severity, "message": message }));
        return;
    }
    let mark = if severity == "note" { String::new() } else { format!("{severity}: ") };
    drop(writeln!(io::stderr().lock(), "{mark}{message}"));
}

/// At most so many bytes of a text, and how many were left out.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let kept = text.get(..text.floor_char_boundary(most)).unwrap_or("");
    format!("{kept}… ({} more bytes)", text.len() - kept.len())
}

/// Findings about source texts.
pub(crate) fn diagnose(findings: &[Diagnostic], sources: &SourceMap) {
    if findings.is_empty() {
        return;
    }
    let mut report = report();
    if report.json {
        findings.iter().for_each(|d| report.list(finding(d, sources)));
    } else {
        let text = render(findings, sources, color());
        drop(writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n')));
    }
}

fn finding(d: &Diagnostic, sources: &SourceMap) -> Value {
    let Diagnostic { rule, severity, message, primary, secondary, notes, help } = d;
    let mut out = Map::new();
    out.insert(
        "severity".to_owned(),
        json!(match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }),
    );
    out.insert("rule".to_owned(), json!(rule));
    out.insert("message".to_owned(), json!(cut(message, MAX_MESSAGE)));
    if let Some(place) = place(primary.span, sources) {
        out.insert("place".to_owned(), place);
    }
    if !primary.text.is_empty() {
        out.insert("label".to_owned(), json!(primary.text));
    }
    let related = |l: &Label| Some(json!({ "place": place(l.span, sources)?, "label": l.text }));
    let related: Vec<Value> = secondary.iter().filter_map(related).collect();
    if !related.is_empty() {
        out.insert("related".to_owned(), json!(related));
    }
    if !notes.is_empty() {
        out.insert("notes".to_owned(), json!(notes));
    }
    if let Some(help) = help {
        out.insert("help".to_owned(), json!(help));
    }
    Value::Object(out)
}

/// A place in a source text: lines and columns are counted from 1, columns in characters.
pub(crate) fn place(span: Span, sources: &SourceMap) -> Option<Value> {
    let file = sources.get(span.file)?;
    let (line, column) = sources.line_col(span)?;
    let end = sources.line_col(Span { start: span.end, ..span });
    let mut out = json!({ "file": file.name, "line": line, "column": column });
    if let (Some((end_line, end_column)), Some(fields)) = (end, out.as_object_mut()) {
        fields.insert("end_line".to_owned(), json!(end_line));
        fields.insert("end_column".to_owned(), json!(end_column));
    }
    Some(out)
}

/// Ends a command: prints the JSON object where one is asked for. Output that could not be written is an error of
/// its own, unless the reader went away.
pub(crate) fn finish(command: Option<&str>, outcome: Outcome) -> u8 {
    let mut report = report();
    if report.json {
        let mut object = json!({
            "rewright": env!("CARGO_PKG_VERSION"),
            "schema": SCHEMA,
            "command": command,
            "outcome": outcome.word(),
            "exit_code": outcome.code(),
            "diagnostics": std::mem::take(&mut report.diagnostics),
            "result": Value::Object(std::mem::take(&mut report.result)),
        });
        if let (1.., Some(fields)) = (report.omitted, object.as_object_mut()) {
            fields.insert("diagnostics_omitted".to_owned(), json!(report.omitted));
        }
        if let (Some(refusal), Some(fields)) = (report.refusal.take(), object.as_object_mut()) {
            fields.insert("refusal".to_owned(), refusal);
        }
        report.print(&object.to_string());
    }
    match report.unwritten.take() {
        Some(why) if why.kind() != ErrorKind::BrokenPipe => {
            drop(writeln!(io::stderr().lock(), "error: standard output cannot be written: {why}"));
            outcome.max(Outcome::WrongInput).code()
        }
        Some(_) | None => outcome.code(),
    }
}

/// Whether messages are coloured: on a terminal that has colours, unless `NO_COLOR` is set; anywhere with
/// `CLICOLOR_FORCE`.
pub(crate) fn color() -> bool {
    // Elsewhere `CLICOLOR_FORCE=0` is as good as any other value.
    let unforced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v == "0") && !is_drawn_on();
    !unforced && AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Whether a progress bar can be drawn.
pub(crate) fn draws_progress() -> bool {
    is_drawn_on() && !report().json
}

/// Whether standard error is a terminal that can do more than print.
fn is_drawn_on() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stderr().is_terminal() && !dumb
}

/// At most a few lines of an input; `--json` has it whole.
pub(crate) fn short(input: &str) -> String {
    const MOST: usize = 400;
    match input.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}… (whole with --json)", &input[..cut]),
        None => input.to_owned(),
    }
}

//! The table of conditions: small programs, each with a place, a condition there, and the verdict that
//! must be reached. `corpus/README.md` describes the files; spec: [rule: conditions.table].

mod confirm;
mod question;

pub use confirm::{Found, confirm};
pub use question::{CONDITIONS, Pair, Question, main_id};

use rewright_campaign::holes::{block_at, paths};
use rewright_effects::context::{Hole, Step};
use rewright_semantics::ast::{Module, Proc};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What must become of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// All its obligations are proved.
    Proved,
    /// One is refuted: the first that is not proved has this id.
    Refuted(String),
}

/// One case of the table.
#[derive(Clone, Debug)]
pub struct Case {
    /// The condition: the name of its folder, which is the function's in `rewright_effects::conditions`.
    pub condition: String,
    /// What it is about, as a sentence.
    pub name: String,
    /// What must become of it.
    pub expect: Expect,
    /// The program, and what it needs.
    pub text: String,
}

/// A case, read.
#[derive(Clone, Debug)]
pub struct Program {
    /// All definitions.
    pub module: Module,
    /// The last procedure, which the case is about.
    pub proc: Arc<Proc>,
    /// The statements marked `# here`, `# first` and `# second`.
    marks: BTreeMap<&'static str, Vec<Vec<Step>>>,
}

/// The words that mark a statement, at the end of its first line.
const MARKS: [&str; 3] = ["here", "first", "second"];

/// All cases, in the order of folders and files.
///
/// # Panics
/// The corpus cannot be read.
pub fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conditions");
    let mut out = Vec::new();
    for folder in sorted(&root) {
        let condition = stem(&folder);
        for file in sorted(&folder) {
            let text = fs::read_to_string(&file).expect("a readable file");
            out.extend(split_cases(&condition, &text));
        }
    }
    out
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the corpus");
    let mut out: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    out.sort();
    out
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}

/// A file is what its cases share, then cases, each from its header to the next.
fn split_cases(condition: &str, text: &str) -> Vec<Case> {
    let mut shared = String::new();
    let mut out: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some((expect, name)) = header(condition, line) {
            let (condition, text) = (condition.to_owned(), shared.clone());
            out.push(Case { condition, name, expect, text });
        } else {
            let into = out.last_mut().map_or(&mut shared, |case| &mut case.text);
            into.push_str(line);
            into.push('\n');
        }
    }
    out
}

/// `# proved: name`, `# refuted: name` or `# refuted (id): name`.
fn header(condition: &str, line: &str) -> Option<(Expect, String)> {
    if let Some(name) = line.strip_prefix("# proved: ") {
        return Some((Expect::Proved, name.to_owned()));
    }
    let rest = line.strip_prefix("# refuted")?;
    let (id, name) = match rest.strip_prefix(" (") {
        Some(rest) => rest.split_once("): ")?,
        None => (question::main_id(condition), rest.strip_prefix(": ")?),
    };
    Some((Expect::Refuted(id.to_owned()), name.to_owned()))
}

impl Case {
    /// Reads the program.
    ///
    /// # Errors
    /// What is wrong with it, rendered.
    pub fn read(&self) -> Result<Program, String> {
        let mut sources = SourceMap::new();
        let file = sources.add(format!("{}.py", self.condition), self.text.as_str());
        let parsed = parse_module(file, &sources, &Prelude::standard());
        let mut found = parsed.diagnostics;
        found.extend(check_module(&parsed.module));
        if !found.is_empty() {
            return Err(render(&found, &sources, false));
        }
        let module = parsed.module;
        let proc = module.procs.last().cloned().ok_or("there is no procedure")?;
        let mut marks: BTreeMap<&'static str, Vec<Vec<Step>>> = BTreeMap::new();
        for path in paths(&proc) {
            let Some(s) = block_at(&proc, &path).and_then(|(b, i)| b.get(i)) else { continue };
            let line = sources.line_col(s.span).and_then(|(line, _)| self.text.lines().nth(line - 1));
            if let Some(mark) = line.and_then(mark) {
                marks.entry(mark).or_default().push(path);
            }
        }
        Ok(Program { module, proc, marks })
    }
}

fn mark(line: &str) -> Option<&'static str> {
    let (_, comment) = line.rsplit_once('#')?;
    MARKS.into_iter().find(|m| comment.trim() == *m)
}

impl Program {
    /// The hole of the statements with a mark, which stand side by side.
    fn hole(&self, mark: &str) -> Result<Hole, String> {
        let all = self.marks.get(mark).ok_or_else(|| format!("nothing is marked `# {mark}`"))?;
        let (path, len) = all.first().map(|p| (p.clone(), all.len())).ok_or("no mark")?;
        Ok(Hole { path, len })
    }

    /// The hole of two runs of statements, the first and the second.
    fn two_holes(&self) -> Result<(Hole, Hole), String> {
        let (first, second) = (self.hole("first")?, self.hole("second")?);
        Ok((first, second))
    }
}

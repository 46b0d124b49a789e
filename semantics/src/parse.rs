//! From text to [`crate::ast`]: Python's grammar (`ruff_python_parser`), the object language's part of
//! it ([`surface`]), and its names ([`resolve`]). Spec: `spec/syntax.md`.
//!
//! What must stay true: no input makes this panic or overflow the stack, every error has a place, and
//! one mistake is reported once: whatever hangs on a name that was reported is left out in silence.

mod discard;
mod error;
pub mod fragment;
mod nesting;
mod resolve;
mod surface;
mod template;
mod tree;

pub use error::{Refusal, SyntaxError, SyntaxErrorKind, UnknownCallee};
pub use resolve::wrong_placeholder;
pub(crate) use surface::method_parameters;
pub use template::{Field, Piece, placeholders};

use crate::ast::{Arg, Config, Decimal, Module, Proc};
use crate::diag::Diagnostic;
use crate::externs::Extern;
use crate::span::{FileId, SourceMap, Span};
use crate::sym::Name;
use crate::syntax::configs::configs_of;
use crate::types::{ArgType, MemName};
use ruff_python_ast::{Stmt, Suite};
use ruff_python_parser::{Mode, ParseOptions, Parsed as RuffParsed, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};
use std::sync::Arc;

/// How deep blocks and expressions of an accepted program nest, together. Whatever walks a program may
/// recurse.
pub const MAX_DEPTH: usize = 400;

/// How many errors of Python's grammar are shown for one file.
const MAX_PYTHON_ERRORS: usize = 50;

/// Where a text of Python's syntax nests more deeply than a parser may recurse; `None` when it does not.
pub fn too_deep(text: &str) -> Option<u32> {
    nesting::check(text).err()
}

/// The names that a file may use without defining them.
#[derive(Clone, Debug, Default)]
pub struct Prelude {
    /// Configuration classes.
    pub configs: Vec<Arc<Config>>,
    /// Memories.
    pub memories: Vec<MemName>,
    /// Procedures: the machines' instructions.
    pub procs: Vec<Arc<Proc>>,
    /// What names of the surroundings stand for, whatever it is called at home; before all of the above.
    pub scope: Vec<(Name, Outer)>,
}

/// What a name of the surroundings stands for. Spec: [rule: python.scope].
#[derive(Clone, Debug)]
pub enum Outer {
    /// An integer.
    Int(i64),
    /// Any other number.
    Float(Decimal),
    /// `True` or `False`
    Bool(bool),
    /// A string.
    Text(Arc<str>),
    /// A configuration class.
    Config(Arc<Config>),
    /// A memory.
    Memory(MemName),
    /// A procedure or an instruction.
    Proc(Arc<Proc>),
    /// An extern.
    Extern(Extern),
}

impl Prelude {
    /// The procedures beside classes of these names, and the names of the others: those that speak of the prelude's configuration
    /// classes or memories of the same names are hidden with them, since state and cells go by their name.
    /// Spec: [rule: name.hidden-state].
    pub fn procs_beside(
        &self,
        config: impl Fn(Name) -> bool,
        memory: impl Fn(Name) -> bool,
    ) -> (Vec<Arc<Proc>>, Vec<Name>) {
        let configs: Vec<Name> = self.configs.iter().map(|c| c.name).filter(|name| config(*name)).collect();
        let memories: Vec<MemName> = self.memories.iter().copied().filter(|m| memory(m.0)).collect();
        if configs.is_empty() && memories.is_empty() {
            return (self.procs.clone(), Vec::new());
        }
        let stored = |a: &Arg| match &a.typ {
            ArgType::Data { mem, .. } => memories.contains(mem),
            ArgType::Control(_) => false,
        };
        let (hidden, seen): (Vec<_>, Vec<_>) = self.procs.iter().cloned().partition(|p| {
            p.args.iter().any(stored) || configs_of(p).iter().any(|c| configs.contains(&c.name))
        });
        (seen, hidden.iter().map(|p| p.name).collect())
    }

    /// Those beside the classes of a file.
    pub fn procs_beside_file(&self, file: &Module) -> Vec<Arc<Proc>> {
        let config = |name| file.configs.iter().any(|c| c.name == name);
        let memory = |name| file.memories.iter().any(|m| m.name.0 == name);
        self.procs_beside(config, memory).0
    }

    /// The standard memories and nothing else.
    pub fn standard() -> Prelude {
        let memories = ["DRAM", "DRAM_STACK", "DRAM_STATIC"];
        Prelude {
            configs: Vec::new(),
            memories: memories.into_iter().map(|m| MemName(Name::new(m))).collect(),
            procs: Vec::new(),
            scope: Vec::new(),
        }
    }
}

/// What came of a file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The definitions, as far as they could be read: with errors among the diagnostics, definitions and
    /// statements are missing, and what is there is good for finding further errors only.
    pub module: Module,
    /// Errors and warnings, in order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file of definitions. An unknown `file` is an empty one.
///
/// Source: PLDI'22 §3; spec: [rule: syntax].
pub fn parse_module(file: FileId, sources: &SourceMap, prelude: &Prelude) -> Parsed {
    parse(file, sources, prelude, |body| body)
}

/// Reads definitions that stand in a block of Python, and in their columns, after `if True:`.
pub fn parse_in_block(file: FileId, sources: &SourceMap, prelude: &Prelude) -> Parsed {
    parse(file, sources, prelude, |body| body.into_iter().flat_map(without_block).collect())
}

fn without_block(s: Stmt) -> Suite {
    if let Stmt::If(block) = s { block.body } else { Suite::from_iter([s]) }
}

fn parse(file: FileId, sources: &SourceMap, prelude: &Prelude, definitions: fn(Suite) -> Suite) -> Parsed {
    let text = sources.get(file).map_or("", |f| &f.text);
    let mut errors = Vec::new();
    let module = match nesting::check(text) {
        Ok(()) => read(file, text, prelude, definitions, &mut errors),
        Err(at) => {
            errors.push(SyntaxError {
                kind: SyntaxErrorKind::Nesting,
                span: Span::new(file, at, at),
                first: None,
            });
            Module::default()
        }
    };
    errors.sort_by_key(|e| (e.span.start, e.kind.severity()));
    Parsed { module, diagnostics: errors.into_iter().map(Diagnostic::from).collect() }
}

/// Reads a text that does not nest too deeply.
fn read(
    file: FileId,
    text: &str,
    prelude: &Prelude,
    definitions: fn(Suite) -> Suite,
    errors: &mut Vec<SyntaxError>,
) -> Module {
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let damaged = python_errors(file, text, &parsed, errors);
    let Some(parsed) = parsed.try_into_module() else { return Module::default() };
    let deep = discard::may_be_deep(parsed.tokens());
    let body = definitions(parsed.into_syntax().body);
    resolve::module(file, text, body, Damage { places: &damaged, deep }, prelude, errors)
}

/// What is unusual about a tree of Python's.
#[derive(Clone, Copy, Debug)]
struct Damage<'a> {
    /// Where Python's parser found errors, in order.
    places: &'a [TextRange],
    /// Whether it must be freed without recursion.
    deep: bool,
}

impl Damage<'_> {
    /// Whether a statement has an error in it or at its edge.
    fn touches(&self, s: TextRange) -> bool {
        let first = self.places.partition_point(|d| d.end() < s.start());
        self.places.get(first).is_some_and(|d| d.start() <= s.end())
    }
}

/// Reports what is not even Python, once per line; returns the places.
fn python_errors<T>(
    file: FileId,
    text: &str,
    parsed: &RuffParsed<T>,
    errors: &mut Vec<SyntaxError>,
) -> Vec<TextRange> {
    let mut damaged = Vec::new();
    let mut last_end = None;
    for error in parsed.errors() {
        let range = error.range();
        damaged.push(range);
        let start = usize::from(range.start());
        let same_line = last_end.is_some_and(|end| {
            end >= start || text.as_bytes().get(end..start).is_some_and(|gap| !gap.contains(&b'\n'))
        });
        last_end = Some(usize::from(range.end()).max(start));
        if same_line || errors.len() >= MAX_PYTHON_ERRORS {
            continue;
        }
        let span = Span::new(file, range.start().into(), range.end().into());
        let mut message = error.error.to_string();
        if let Some(first) = message.get(..1) {
            message.replace_range(..1, &first.to_ascii_lowercase());
        }
        errors.push(SyntaxError { kind: SyntaxErrorKind::Python(message), span, first: None });
    }
    damaged
}

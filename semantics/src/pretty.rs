//! From [`crate::ast`] to text: Exo's syntax in 80 columns. Spec: [rule: syntax.printing].
//!
//! What must stay true: the text parses back to the same program up to symbols, and the same program
//! always gives the same text. [`names`] chooses names, [`expr`], [`stmt`] and [`items`] lay out.

mod expr;
mod items;
mod lines;
mod listing;
mod names;
mod stmt;

pub use names::is_keyword;

use crate::ast::{Block, Config, Expr, MemoryDef, Module, Proc, Stmt};
use crate::build;
use crate::sym::{Name, Sym};
use crate::syntax::walk::map_blocks;
use crate::types::DataType;
use lines::Lines;
use listing::{Marker, Trace};
use names::Names;
use pretty::{Arena, DocBuilder};
use rustc_hash::FxHashMap;

pub use lines::VersionPrinter;
pub use listing::{Listing, part_listing, proc_listing};

/// How an `else` that holds one `if` and nothing more is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Branches {
    /// As `elif`.
    #[default]
    Elif,
    /// As it stands, which gives the statement a line and a level of its own.
    Nested,
}

/// Columns of a page.
const WIDTH: usize = 80;
/// Columns of a page without an edge; the printer counts in `isize`.
const ONE_LINE: usize = usize::MAX >> 2;
/// Columns of a level.
const INDENT: usize = 4;

/// A document.
type Doc<'d> = DocBuilder<'d, Arena<'d>>;

/// A file: configurations, memories, procedures.
pub fn module_to_string(module: &Module) -> String {
    let Module { configs, memories, procs } = module;
    let configs = configs.iter().map(|c| config_to_string(c));
    let memories = memories.iter().map(|m| memory_to_string(m));
    let procs = procs.iter().map(|p| proc_to_string(p));
    configs.chain(memories).chain(procs).collect::<Vec<String>>().join("\n\n")
}

/// A procedure or an instruction.
pub fn proc_to_string(p: &Proc) -> String {
    let mut printer = Printer::default();
    printer.procedure(p);
    printer.out
}

/// A procedure or an instruction without `elif`.
pub fn proc_to_nested_string(p: &Proc) -> String {
    proc_listing(p, None, Branches::Nested).text
}

/// The names that [`proc_to_string`] gives to the variables of a procedure.
pub fn names_of_proc(p: &Proc) -> FxHashMap<Sym, Name> {
    let mut printer = Printer::default();
    printer.procedure(p);
    printer.names.chosen
}

/// A configuration class.
pub fn config_to_string(config: &Config) -> String {
    let mut printer = Printer::default();
    printer.config(config);
    printer.out
}

/// A memory class. What Rewright does not understand of it is `...`.
pub fn memory_to_string(memory: &MemoryDef) -> String {
    let mut printer = Printer::default();
    printer.memory(memory);
    printer.out
}

/// A statement, with a line break at its end. Variables from outside keep their names as far as they
/// differ.
pub fn stmt_to_string(s: &Stmt) -> String {
    block_to_string(&Block::unit(s.clone()))
}

/// The first line of a statement, without the blocks inside.
pub fn head_to_string(s: &Stmt) -> String {
    first_line(&stmt_to_string(&headed(s)))
}

/// The first line of [`stmt_to_string`]; what is inside is not written, though names may hang on it.
pub fn first_line_of_stmt(s: &Stmt) -> String {
    let mut printer = Printer::default();
    printer.names.bind_free_of_block(&Block::unit(s.clone()));
    printer.block(&Block::unit(headed(s)));
    first_line(&printer.out)
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// The statement with a `pass` in each block inside.
fn headed(s: &Stmt) -> Stmt {
    map_blocks(s, &mut |b| if b.is_empty() { b.clone() } else { Block::unit(build::pass()) })
}

/// A block, with a line break at its end.
pub fn block_to_string(b: &Block) -> String {
    let mut printer = Printer::default();
    printer.names.bind_free_of_block(b);
    printer.block(b);
    printer.out
}

/// An expression, on one line however long.
pub fn expr_to_string(e: &Expr) -> String {
    let mut printer = Printer::default();
    printer.names.bind_free_of_expr(e);
    let arena = Arena::new();
    let doc = printer.expr(&arena, e, expr::Level::LOWEST);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = doc.group().render_fmt(ONE_LINE, &mut out);
    out
}

/// Writes lines.
#[derive(Default)]
struct Printer {
    out: String,
    /// Columns of indentation.
    indent: usize,
    names: Names,
    /// The element types of the buffers seen, for windows of one cell.
    elems: FxHashMap<Sym, DataType>,
    trace: Trace,
    branches: Branches,
    /// Where versions are printed: what they may have in common.
    lines: Option<Lines>,
}

impl Printer {
    /// Writes a line that may be broken inside brackets.
    fn line<'d>(&mut self, doc: Doc<'d>) {
        let indent = isize::try_from(self.indent).unwrap_or(isize::MAX);
        let arena = doc.0;
        let line = arena_text(arena, " ".repeat(self.indent)).append(doc.nest(indent));
        // Writing to a string cannot fail.
        let _ = line.render_raw(WIDTH, &mut Marker { out: &mut self.out, trace: &mut self.trace });
        self.out.push('\n');
    }

    /// Writes a line as it stands.
    fn plain(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Writes something one level deeper.
    fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += INDENT;
        write(self);
        self.indent -= INDENT;
    }
}

/// A text as a document.
fn arena_text<'d>(arena: &'d Arena<'d>, text: impl Into<std::borrow::Cow<'d, str>>) -> Doc<'d> {
    pretty::DocAllocator::text(arena, text)
}

/// Recurses with more stack where little is left.
fn grown<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, f)
}

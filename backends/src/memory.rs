//! Memories: where a buffer lives decides how C allocates it, finds a cell and accesses it.
//!
//! PLDI'22 §3.2.1. A memory is a library, not a part of the compiler: whatever it does not allow, it
//! refuses in a sentence, and the compiler turns that into a diagnostic at the offending statement.
//! Spec: [rule: c.memory], [rule: backend.memory-alloc].

mod dram;
mod template;
mod vector;

use crate::c::tree::{CExpr, CStmt};
use rewright_machines::{MACHINES, Machine};
use rewright_semantics::ast::{Expr, MemoryDef, Module};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{DataType, MemName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use dram::{Dram, DramStack, DramStatic};
pub use template::TemplateMemory;
pub use vector::Vectors;

/// Why a memory does not do what was asked, and what would help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// One lower-case sentence without full stop.
    pub why: String,
    /// Advice.
    pub help: Option<String>,
}

impl Refusal {
    /// A refusal for this reason.
    pub fn new(why: impl Into<String>) -> Refusal {
        Refusal { why: why.into(), help: None }
    }

    /// With advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Refusal {
        Refusal { help: Some(help.into()), ..self }
    }
}

/// What the program says at an access: what memories are told whose C is made of more than indices.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The buffer, or the window of one.
    pub buffer: Sym,
    /// Its extents.
    pub shape: &'a [Expr],
    /// Where it is accessed.
    pub span: Span,
    /// The cell that is written to, and what is stored.
    pub stored: Option<(&'a [Expr], &'a Expr)>,
}

/// A buffer to be allocated or freed.
#[derive(Clone, Debug)]
pub struct Allocation<'a> {
    /// Its name in C.
    pub name: &'a str,
    /// The type of a cell.
    pub elem: DataType,
    /// Its extents, outermost first; empty for a scalar.
    pub shape: &'a [CExpr],
    /// The extents, where they are constants.
    pub extents: &'a [Option<i64>],
    /// Whether its cells must begin with some value, because some may be read before they are written.
    pub zeroed: bool,
    /// The statement that allocates it, or after which it is given back.
    pub span: Span,
}

/// A cell of a buffer, or the first cell of a window of it.
#[derive(Clone, Debug)]
pub struct Cell<'a> {
    /// The buffer: a pointer, an array, or the data of a window.
    pub base: &'a CExpr,
    /// The type of a cell.
    pub elem: DataType,
    /// One index per dimension of the buffer.
    pub indices: &'a [CExpr],
    /// One stride per dimension of the buffer.
    pub strides: &'a [CExpr],
    /// `Σ index * stride`.
    pub offset: &'a CExpr,
    /// The dimensions of the buffer that a window keeps; none for a single cell.
    pub kept: &'a [usize],
    /// Per dimension of the buffer, whether the window keeps all of it.
    pub whole: &'a [bool],
    /// What the program says.
    pub source: Source<'a>,
}

impl<'a> Cell<'a> {
    /// The cell, when something is stored there: its indices in the program, and a value.
    #[must_use]
    pub fn storing(&self, idx: &'a [Expr], rhs: &'a Expr) -> Cell<'a> {
        let mut cell = self.clone();
        cell.source.stored = Some((idx, rhs));
        cell
    }

    /// The cell in memory that C can address: `base[offset]`, and `base` itself for a scalar.
    pub fn lvalue(&self) -> CExpr {
        if self.indices.is_empty() { self.base.clone() } else { self.base.clone().index(self.offset.clone()) }
    }
}

/// A memory. Every method may refuse; the defaults are those of memory that C can address.
pub trait Memory: std::fmt::Debug {
    /// C that stands once at the head of each unit that uses the memory.
    fn global(&self) -> Option<String> {
        None
    }

    /// What a compiler must be told to accept the memory's types. Spec: [rule: c.flags].
    fn flags(&self) -> Vec<String> {
        Vec::new()
    }

    /// The machine that the memory is a part of, where it is one that is known.
    fn machine(&self) -> Option<&'static Machine> {
        None
    }

    /// Whether the cells of buffers of this rank have addresses, so that windows of them are structs with a pointer.
    fn is_addressable(&self, rank: usize) -> bool {
        let _ = rank;
        true
    }

    /// Whether its buffers may be passed where those of another memory are asked for, as they are of its kind.
    fn serves_as(&self, expected: MemName) -> bool {
        let _ = expected;
        false
    }

    /// Whether buffers are arrays of registers. No instruction chooses a register at run time, so loops that do are to
    /// be unrolled.
    fn is_registers(&self) -> bool {
        false
    }

    /// Whether C is made from templates, whose text computes with indices, strides and extents.
    fn is_text(&self) -> bool {
        false
    }

    /// Whether a buffer allocated here is one object, however often its statement runs.
    fn is_static(&self) -> bool {
        false
    }

    /// The methods, and what they name, by which a buffer or an access shares with others: a function that is not of the standard
    /// library and gives a buffer, or one of these names, by which global text reaches an object of its own.
    fn shares(&self, reaching: &BTreeSet<String>) -> Vec<(&'static str, String)> {
        let _ = reaching;
        Vec::new()
    }

    /// The words in its templates, which may declare names of their own.
    fn words(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }

    /// Whether giving a buffer back depends on what else was allocated meanwhile, so that it is asked for at the end.
    fn is_stateful(&self) -> bool {
        false
    }

    /// Whether buffers are handed out by a list of those that are free, which says nothing of a caller's.
    fn is_handed_out(&self) -> bool {
        false
    }

    /// Declares the buffer.
    fn alloc(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal>;

    /// Gives the buffer back at the end of its block.
    fn free(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal>;

    /// The cell as an lvalue: what instructions and windows are given.
    fn window(&self, at: &Cell<'_>) -> Result<CExpr, Refusal> {
        Ok(at.lvalue())
    }

    /// The cell's value.
    fn read(&self, at: &Cell<'_>) -> Result<CExpr, Refusal> {
        self.window(at)
    }

    /// Stores a value into the cell.
    fn write(&self, at: &Cell<'_>, rhs: CExpr) -> Result<Vec<CStmt>, Refusal> {
        Ok(vec![CStmt::Assign(self.window(at)?, rhs)])
    }

    /// Adds a value to the cell.
    fn reduce(&self, at: &Cell<'_>, rhs: CExpr) -> Result<Vec<CStmt>, Refusal> {
        Ok(vec![CStmt::AddAssign(self.window(at)?, rhs)])
    }
}

/// Whether a memory is one of the kinds of main memory, which C sees as one.
pub(crate) fn is_main(name: MemName) -> bool {
    matches!(name.0.as_str(), "DRAM" | "DRAM_STACK" | "DRAM_STATIC")
}

/// The machine with a model that has a memory of this name.
pub fn modelled(name: MemName) -> Option<&'static Machine> {
    let mut machines = rewright_machines::modules().iter().filter(|(machine, _)| machine.model.is_some());
    let found = machines.find(|(_, module)| module.memories.iter().any(|m| m.name == name));
    found.map(|(machine, _)| *machine)
}

/// The memories of a unit by name: the standard ones and the module's own, which win.
#[derive(Clone, Debug)]
pub struct Memories {
    map: BTreeMap<MemName, Arc<dyn Memory + Send + Sync>>,
}

impl Memories {
    /// `DRAM`, `DRAM_STACK`, `DRAM_STATIC`, and those of the machines.
    pub fn standard() -> Memories {
        let mut all = Memories { map: BTreeMap::new() };
        all.add("DRAM", Arc::new(Dram));
        all.add("DRAM_STACK", Arc::new(DramStack));
        all.add("DRAM_STATIC", Arc::new(DramStatic));
        for registers in MACHINES.iter().filter_map(|m| Vectors::of(m)) {
            all.add(registers.name(), Arc::new(registers));
        }
        all.declare(rewright_machines::memories());
        all
    }

    /// The standard memories and those that a module declares.
    pub fn of(module: &Module) -> Memories {
        let mut all = Memories::standard();
        all.declare(&module.memories);
        all
    }

    fn declare<'a>(&mut self, defs: impl IntoIterator<Item = &'a Arc<MemoryDef>>) {
        for def in defs {
            self.map.insert(def.name, Arc::new(TemplateMemory::new(def.clone())));
        }
    }

    /// Adds a memory, or replaces the one of this name.
    pub fn add(&mut self, name: &str, memory: Arc<dyn Memory + Send + Sync>) {
        self.map.insert(MemName(name.into()), memory);
    }

    /// The memory of this name.
    pub fn get(&self, name: MemName) -> Option<&Arc<dyn Memory + Send + Sync>> {
        self.map.get(&name)
    }

    /// The machine whose model, or whose hardware, has the memory, where it is one that is known.
    pub fn device(&self, name: MemName) -> Option<&'static Machine> {
        self.get(name)?;
        modelled(name)
    }

    /// Whether buffers there are arrays of registers.
    pub fn is_registers(&self, name: MemName) -> bool {
        self.get(name).is_some_and(|m| m.is_registers())
    }

    /// Whether buffers there are handed out by a list of those that are free.
    pub fn is_handed_out(&self, name: MemName) -> bool {
        self.get(name).is_some_and(|m| m.is_handed_out())
    }

    /// Whether windows of buffers of this rank there are structs. True of memories that are not known: nothing can
    /// be allocated in them, but arguments may be passed on.
    pub fn is_addressable(&self, name: MemName, rank: usize) -> bool {
        self.get(name).is_none_or(|m| m.is_addressable(rank))
    }

    /// Whether a buffer in one memory may be passed where another is expected: C sees main memory as one.
    pub fn serves_as(&self, actual: MemName, expected: MemName) -> bool {
        let is_of_its_kind = || self.get(actual).is_some_and(|m| m.serves_as(expected));
        actual == expected || (is_main(actual) && is_main(expected)) || is_of_its_kind()
    }
}

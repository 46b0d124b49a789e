//! Reference cases in JSON: a program and what must come out. Spec: [rule: perceus.case].

mod expr;
mod read;
mod reuse;
mod run;

use crate::syntax::{Expr, Program};
use rewright_base::sym::Name;
use std::fmt;

/// A case, read.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The program and what is expected of it.
    pub kind: CaseKind,
}

/// The kinds of cases.
#[derive(Clone, Debug)]
pub enum CaseKind {
    /// A program, its translation and its runs.
    Core(Program, Core),
    /// A program and what may be a translation of it.
    Derivation(Program, Expr, Derivation),
    /// A program that is ill-formed in one place.
    Bad(Program, Bad),
    /// Two programs that make one call, with an argument that nobody else holds and with one that is kept.
    Reuse {
        /// Nobody else holds it.
        unique: (Program, Option<Reuse>),
        /// It is kept.
        shared: (Program, Option<Reuse>),
    },
}

/// What is expected of a core case. What is absent is not compared.
#[derive(Clone, Debug, Default)]
pub struct Core {
    /// The run by Fig. 4.6.
    pub standard: Option<Standard>,
    /// The output of Fig. 4.8.
    pub perceus: Option<Expr>,
    /// The run by Fig. 4.7.
    pub heap: Option<Heap>,
}

/// How a run by Fig. 4.6 ends.
#[derive(Clone, Debug)]
pub struct Standard {
    /// Its end.
    pub end: StandardEnd,
    /// Reductions done.
    pub steps: Option<u64>,
}

/// How it ends.
#[derive(Clone, Debug)]
pub enum StandardEnd {
    /// With a value.
    Value(Expr),
    /// Stuck.
    Stuck(String),
    /// Not within so many reductions.
    Diverges(u64),
}

/// How a run by Fig. 4.7 ends, and what was counted.
#[derive(Clone, Debug)]
pub struct Heap {
    /// Its end.
    pub end: HeapEnd,
    /// Numbers, by name.
    pub counts: Vec<(Count, u64)>,
    /// The heap at the end.
    pub cells: Option<Vec<Cell>>,
}

/// How it ends.
#[derive(Clone, Debug)]
pub enum HeapEnd {
    /// With a value.
    Result(Operand),
    /// Stuck.
    Stuck(String),
    /// Not within so many steps.
    Diverges(u64),
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// lam_r, con_r
    Allocs,
    /// dlam_r, dcon_r
    Frees,
    /// dup_r
    Dups,
    /// drop_r, dlam_r, dcon_r
    Drops,
    /// Most cells alive at once.
    Peak,
    /// States not at a dup or drop in which some cell is not reachable from the erased expression.
    GarbageStates,
}

impl Count {
    /// All of them.
    pub const ALL: [Count; 6] =
        [Count::Allocs, Count::Frees, Count::Dups, Count::Drops, Count::Peak, Count::GarbageStates];

    /// Its name in cases.
    pub fn name(self) -> &'static str {
        match self {
            Count::Allocs => "allocs",
            Count::Frees => "frees",
            Count::Dups => "dups",
            Count::Drops => "drops",
            Count::Peak => "peak",
            Count::GarbageStates => "garbage_states",
        }
    }
}

/// A reference in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operand {
    /// A cell.
    Cell(u64),
    /// An integer.
    Int(i64),
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Cell(n) => write!(f, "#{n}"),
            Operand::Int(n) => n.fmt(f),
        }
    }
}

/// A cell at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its number.
    pub cell: u64,
    /// Its count.
    pub rc: u64,
    /// What it holds.
    pub content: Content,
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A constructor and its fields.
    Con(Name, Vec<Operand>),
    /// A closure and what it captured, in ascending order.
    Lam(Vec<Operand>),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |of: &[Operand]| of.iter().map(|o| format!(" {o}")).collect::<String>();
        match &self.content {
            Content::Con(name, args) => write!(f, "#{} ↦{} {name}{}", self.cell, self.rc, list(args)),
            Content::Lam(ys) => write!(f, "#{} ↦{} a closure of{}", self.cell, self.rc, list(ys)),
        }
    }
}

/// What is expected of a derivation case.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// Does Fig. 4.5 derive it?
    pub derivable: Option<bool>,
    /// Is it what Fig. 4.8 makes?
    pub perceus_output: Option<bool>,
    /// Are there no garbage states?
    pub garbage_free: Option<bool>,
    /// The run of the source by Fig. 4.6.
    pub standard: Option<Standard>,
    /// The run of the translation by Fig. 4.7.
    pub heap: Option<Heap>,
}

/// What is wrong with a program, and where.
#[derive(Clone, Debug)]
pub struct Bad {
    /// What.
    pub error: String,
    /// The name it is about.
    pub name: Option<String>,
    /// A JSON pointer into the case.
    pub at: String,
}

/// What is expected of a program with reuse.
#[derive(Clone, Debug)]
pub struct Reuse {
    /// Its value.
    pub value: Option<Expr>,
    /// Constructor cells with fields that were allocated.
    pub fresh: Option<u64>,
    /// Those that were built in the memory of a matched cell.
    pub reused: Option<u64>,
}

/// Reads a case.
///
/// # Errors
/// What is not as the format wants it, and where.
pub fn read(text: &str) -> Result<Case, String> {
    read::read(text)
}

impl Case {
    /// What does not come out as the case states: nothing when it is fine.
    pub fn differences(&self) -> Vec<String> {
        run::differences(self)
    }
}

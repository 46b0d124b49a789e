//! Lowering one procedure to one C function. Spec: [rule: c.procedures], [rule: c.statements].

use crate::c::affine::Affine;
use crate::c::bindings::{Binding, Bindings};
use crate::c::emit;
use crate::c::facts::Facts;
use crate::c::names::{LocalNames, identifiers};
use crate::c::range::Ranges;
use crate::c::tree::{CExpr, CStmt};
use crate::c::unit::Unit;
use crate::c::unset::read_unset;
use crate::c::usage::Usage;
use crate::c::window::BufferRef;
use crate::instr::without_placeholders;
use crate::memory::{Allocation, Memory, Refusal};
use rewright_semantics::ast::Proc;
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::{FileId, Span};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::memories::memories_of;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ControlType, DataType};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A variable in C.
#[derive(Clone, Debug)]
enum CVar {
    Control { name: String, order: usize },
    Buffer(BufferRef),
}

/// What gives a buffer back after its last use.
pub(crate) enum Free {
    /// These statements.
    Known(Vec<CStmt>),
    /// What the memory says then.
    Later {
        /// The memory.
        memory: Arc<dyn Memory + Send + Sync>,
        /// The buffer in C.
        name: String,
        /// The type of a cell.
        elem: DataType,
        /// The extents.
        shape: Vec<CExpr>,
        /// The extents, where they are constants.
        extents: Vec<Option<i64>>,
        /// Where it was allocated.
        span: Span,
    },
}

/// The state of lowering one procedure.
pub(crate) struct Lower<'a> {
    pub(crate) unit: &'a mut Unit,
    pub(crate) usage: Usage,
    bindings: Bindings,
    /// The arguments, in order.
    pub(crate) arguments: Vec<Sym>,
    /// Buffers that may be read before they are written.
    pub(crate) read_unset: BTreeSet<Sym>,
    names: LocalNames,
    vars: BTreeMap<Sym, CVar>,
    facts: Facts,
    next_order: usize,
    /// Where the procedure is.
    pub(crate) span: Span,
    /// Between what control values lie.
    pub(crate) ranges: Ranges,
    /// What gives buffers back, in order of allocation.
    frees: Vec<(Sym, Free)>,
}

impl<'a> Lower<'a> {
    /// Begins a procedure.
    pub(crate) fn new(unit: &'a mut Unit, p: &Proc, usage: Usage) -> Lower<'a> {
        let read_unset = read_unset(&p.body, &unit.first_uses, &unit.memories);
        let names = LocalNames::new(&unit.names, template_words(p, unit));
        let ranges = Ranges::new(unit);
        Lower {
            unit,
            usage,
            bindings: Bindings::of(p),
            arguments: p.args.iter().map(|a| a.name).collect(),
            read_unset,
            names,
            vars: BTreeMap::new(),
            facts: Facts::new(),
            next_order: 0,
            span: p.span,
            ranges,
            frees: Vec::new(),
        }
    }

    /// Adds a finding.
    pub(crate) fn report(&mut self, d: Diagnostic) {
        if self.unit.diagnostics.iter().all(|known| identity(known) != identity(&d)) {
            self.unit.diagnostics.push(d);
        }
    }

    /// Reports what a memory does not do.
    pub(crate) fn refuse(&mut self, rule: &'static str, span: Span, why: &Refusal) {
        let d = Diagnostic { help: why.help.clone(), ..Diagnostic::error(rule, span, &*why.why) };
        self.report(d);
    }

    /// The facts that hold at this place.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Learns more facts.
    pub(crate) fn facts_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }

    /// Runs `f` in a block of its own: names, facts and buffers end with it.
    pub(crate) fn block(&mut self, f: impl FnOnce(&mut Self) -> Vec<CStmt>) -> Vec<CStmt> {
        let facts = self.facts.clone();
        self.names.open();
        self.ranges.open();
        let body = f(self);
        self.names.close();
        self.ranges.close();
        self.facts = facts;
        with_unused(body)
    }

    /// Says what must run after the last use of a buffer.
    pub(crate) fn after_use(&mut self, x: Sym, free: Free) {
        self.frees.push((x, free));
    }

    /// Gives back the buffers that `is_over` is true of, the last one first, after the statement that is there.
    pub(crate) fn give_back(&mut self, is_over: impl Fn(Sym) -> bool, last: Span) -> Vec<CStmt> {
        let (over, kept) = std::mem::take(&mut self.frees).into_iter().partition(|(x, _)| is_over(*x));
        self.frees = kept;
        let over: Vec<(Sym, Free)> = over;
        over.into_iter().rev().flat_map(|(_, free)| self.free(free, last)).collect()
    }

    fn free(&mut self, free: Free, last: Span) -> Vec<CStmt> {
        match free {
            Free::Known(stmts) => stmts,
            Free::Later { memory, name, elem, shape, extents, span } => {
                let (shape, extents) = (&shape, &extents);
                let a = Allocation { name: &name, elem, shape, extents, zeroed: false, span: last };
                memory.free(&a).unwrap_or_else(|why| {
                    self.refuse("backend.memory-alloc", span, &why);
                    Vec::new()
                })
            }
        }
    }

    /// A name in C for a variable, in scope to the end of the block.
    pub(crate) fn declare(&mut self, x: Sym) -> String {
        self.names.declare(x.name().as_str())
    }

    /// A name in C for something without a variable.
    pub(crate) fn declare_text(&mut self, text: &str) -> String {
        self.names.declare(text)
    }

    /// Makes a control variable known.
    pub(crate) fn bind_control(&mut self, x: Sym, name: String) {
        self.vars.insert(x, CVar::Control { name, order: self.next_order });
        self.next_order += 1;
    }

    /// Makes a buffer known.
    pub(crate) fn bind_buffer(&mut self, x: Sym, place: BufferRef) {
        self.vars.insert(x, CVar::Buffer(place));
    }

    /// A control variable's value.
    pub(crate) fn control_var(&self, x: Sym) -> CExpr {
        match self.vars.get(&x) {
            Some(CVar::Control { name, .. }) => CExpr::var(name),
            Some(CVar::Buffer(_)) | None => CExpr::var(x.name().as_str()),
        }
    }

    /// When a control variable came into scope.
    pub(crate) fn var_order(&self, x: Sym) -> usize {
        match self.vars.get(&x) {
            Some(CVar::Control { order, .. }) => *order,
            Some(CVar::Buffer(_)) | None => usize::MAX,
        }
    }

    /// A control variable's type.
    pub(crate) fn control_type(&self, x: Sym) -> Option<ControlType> {
        match self.bindings.get(x)? {
            Binding::Control(t) => Some(*t),
            Binding::Buffer(_) => None,
        }
    }

    /// A buffer in C.
    pub(crate) fn place(&self, x: Sym) -> Option<BufferRef> {
        match self.vars.get(&x)? {
            CVar::Buffer(place) => Some(place.clone()),
            CVar::Control { .. } => None,
        }
    }

    /// The variables of the procedure.
    pub(crate) fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// The normal forms of extents.
    pub(crate) fn extents(&mut self, shape: &[rewright_semantics::ast::Expr]) -> Vec<Affine> {
        shape.iter().map(|e| self.affine(e)).collect()
    }
}

/// What tells findings apart: the rule, the message and the place. Spans alone are all equal.
fn identity(d: &Diagnostic) -> (&str, &str, FileId, u32, u32) {
    let Span { file, start, end } = d.primary.span;
    (d.rule, &d.message, file, start, end)
}

/// Says of each variable that no later statement of its block does more with than to assign to it that this is meant: of a
/// register that is loaded and never used, too.
fn with_unused(body: Vec<CStmt>) -> Vec<CStmt> {
    let (mut later, mut out) = (BTreeSet::new(), Vec::new());
    for s in body.into_iter().rev() {
        let idle = s.declared().filter(|x| !later.contains(*x)).map(CExpr::var);
        out.extend(idle.map(CStmt::Unused));
        let mut text = String::new();
        emit::stmts(std::slice::from_ref(&s), 0, &mut text);
        later.extend(text.lines().flat_map(|line| identifiers(without_target(line))));
        out.push(s);
    }
    out.reverse();
    out
}

/// A line without the variable that it assigns to, where it is an assignment to one or a cell of one: `x = …`, `x[i] = …`.
fn without_target(line: &str) -> &str {
    let trimmed = line.trim_start();
    let Some((target, _)) = trimmed.split_once(" = ") else { return line };
    let name = target.split('[').next().unwrap_or_default();
    let is_place = target.len() == name.len() || target.ends_with(']');
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_name && is_place { trimmed.get(name.len()..).unwrap_or_default() } else { line }
}

/// The words in the templates that a procedure uses, of instructions and of memories: its own names keep clear of them.
fn template_words(p: &Proc, unit: &Unit) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    each_stmt(&p.body, &mut |s| {
        if let Some((proc, _)) = s.kind.called()
            && let Some(instr) = &proc.instr
        {
            words.extend(identifiers(&without_placeholders(&instr.c_instr)));
        }
    });
    words.extend(memories_of(p).into_iter().filter_map(|m| unit.memories.get(m)).flat_map(|m| m.words()));
    words.retain(|w| !unit.functions.values().any(|f| f == w));
    words
}

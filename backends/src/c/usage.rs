//! What procedures write, and which configuration fields they touch, through windows, calls and
//! instructions: what decides over `const`, `restrict` and the context argument.
//! Spec: [rule: c.const], [rule: c.restrict], [rule: c.context].

use crate::c::bindings::Bindings;
use crate::c::names::identifiers;
use crate::c::overlap;
use crate::c::part::{PartExpr, part_of};
use rewright_semantics::ast::{
    Block, Config, Expr, ExprKind, Module, Proc, Stmt, StmtKind, WinCoord, WindowExpr,
};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::walk::{each_expr, each_stmt, operands};
use rewright_semantics::types::ArgType;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The name of the context argument, also in templates of instructions.
pub const CONTEXT: &str = "ctxt";

/// One configuration field.
pub type Field = (Name, Name);

/// Which of a unit's procedures, counted callees first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcId(pub usize);

/// What is known about a procedure.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// Buffers, arguments and local ones, that are written: themselves, or through a window of them.
    pub written: BTreeSet<Sym>,
    /// Variables whose value or address is used.
    pub read: BTreeSet<Sym>,
    /// Configuration fields read, also by callees.
    pub config_reads: BTreeSet<Field>,
    /// Configuration fields written, also by callees.
    pub config_writes: BTreeSet<Field>,
    /// Whether C code reads the context, itself or in a callee.
    pub needs_context: bool,
    /// Whether C code writes the context, itself or in a callee.
    pub writes_context: bool,
    /// Pairs of arguments, by position and the smaller first, that some call in the unit lets overlap.
    pub overlaps: BTreeSet<(usize, usize)>,
}

/// The procedures of a unit: those of the module and all that they call, callees first.
#[derive(Clone, Debug, Default)]
pub struct Program {
    procs: Vec<(Arc<Proc>, Usage)>,
    /// By address; the list keeps them alive.
    by_place: BTreeMap<usize, ProcId>,
    /// The procedures of a name, in order.
    by_name: BTreeMap<Name, Vec<ProcId>>,
}

impl Program {
    /// The procedures of a module and what they do.
    pub fn of(module: &Module) -> Program {
        let mut program = Program::default();
        module.procs.iter().for_each(|p| program.add(p));
        for (callee, pair) in overlap::pairs(&program) {
            if let Some((_, usage)) = program.procs.get_mut(callee.0) {
                usage.overlaps.insert(pair);
            }
        }
        program
    }

    /// Gives every function the context.
    pub(crate) fn give_context(&mut self) {
        for (p, usage) in &mut self.procs {
            usage.needs_context |= p.instr.is_none();
        }
    }

    /// Every procedure, callees before callers.
    pub fn procs(&self) -> impl Iterator<Item = (ProcId, &Arc<Proc>, &Usage)> {
        self.procs.iter().enumerate().map(|(k, (p, u))| (ProcId(k), p, u))
    }

    /// The procedure of this number, and what is known about it.
    pub fn get(&self, id: ProcId) -> Option<(&Arc<Proc>, &Usage)> {
        self.procs.get(id.0).map(|(p, u)| (p, u))
    }

    /// Which procedure this is.
    pub fn id(&self, p: &Arc<Proc>) -> Option<ProcId> {
        let same = |id: &&ProcId| self.get(**id).is_some_and(|(q, _)| p == q);
        let by_place = self.by_place.get(&Arc::as_ptr(p).addr());
        by_place.or_else(|| self.by_name.get(&p.name)?.iter().find(same)).copied()
    }

    /// What is known about a procedure; nothing, when it is not of this unit.
    pub fn usage(&self, p: &Arc<Proc>) -> Usage {
        self.usage_ref(p).cloned().unwrap_or_default()
    }

    fn usage_ref(&self, p: &Arc<Proc>) -> Option<&Usage> {
        self.id(p).and_then(|id| self.procs.get(id.0)).map(|(_, u)| u)
    }

    fn add(&mut self, p: &Arc<Proc>) {
        if self.id(p).is_some() {
            return;
        }
        each_stmt(&p.body, &mut |s| {
            if let Some((proc, _)) = s.kind.called() {
                self.add(proc);
            }
        });
        let usage = Collect { program: self, bindings: Bindings::of(p), usage: Usage::default() }.run(p);
        let id = ProcId(self.procs.len());
        self.by_place.insert(Arc::as_ptr(p).addr(), id);
        self.by_name.entry(p.name).or_default().push(id);
        self.procs.push((p.clone(), usage));
    }

    /// Which arguments of the procedure are written.
    pub fn writes_argument(&self, p: &Arc<Proc>, k: usize) -> bool {
        match (self.usage_ref(p), p.args.get(k)) {
            (Some(u), Some(a)) => u.written.contains(&a.name),
            _ => true,
        }
    }

    /// The configuration fields that a block writes, also by calls.
    pub fn config_writes(&self, b: &Block) -> BTreeSet<Field> {
        let mut found = BTreeSet::new();
        each_stmt(b, &mut |s| match &*s.kind {
            StmtKind::WriteConfig { config, field, .. } => {
                found.insert((config.name, *field));
            }
            StmtKind::Call { proc, .. } => {
                found.extend(self.usage_ref(proc).into_iter().flat_map(|u| u.config_writes.iter().copied()));
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => {}
        });
        found
    }
}

/// The variable that an argument of a call names, if it can be a buffer.
pub fn passed_name(e: &Expr) -> Option<Sym> {
    part_of(e).map(PartExpr::name)
}

/// Collects the usage of one procedure, whose callees are known.
struct Collect<'a> {
    program: &'a Program,
    bindings: Bindings,
    usage: Usage,
}

impl Collect<'_> {
    fn run(mut self, p: &Proc) -> Usage {
        for a in &p.args {
            if let ArgType::Data { typ, .. } = &a.typ {
                typ.shape.iter().for_each(|e| each_expr(e, &mut |e| self.expr(e)));
            }
        }
        each_stmt(&p.body, &mut |s| self.stmt(s));
        if let Some(instr) = &p.instr {
            self.usage.needs_context = identifiers(&instr.c_instr).contains(CONTEXT);
            self.usage.writes_context = self.usage.needs_context;
        }
        self.usage
    }

    fn stmt(&mut self, s: &Stmt) {
        operands(s).into_iter().for_each(|e| each_expr(e, &mut |e| self.expr(e)));
        match &*s.kind {
            StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => self.write(*name),
            StmtKind::WriteConfig { config, field, .. } => {
                self.usage.config_writes.insert((config.name, *field));
                self.touch_context(config, true);
            }
            StmtKind::WindowStmt { rhs, .. } => {
                self.usage.read.insert(rhs.name);
            }
            StmtKind::Call { proc, args } => self.call(proc, args),
            StmtKind::Pass | StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::Alloc { .. } => {}
        }
    }

    fn call(&mut self, proc: &Arc<Proc>, args: &[Expr]) {
        let callee = self.program.usage(proc);
        for (formal, actual) in proc.args.iter().zip(args) {
            if callee.written.contains(&formal.name)
                && let Some(x) = passed_name(actual)
            {
                self.write(x);
            }
        }
        self.usage.config_reads.extend(callee.config_reads);
        self.usage.config_writes.extend(callee.config_writes);
        self.usage.needs_context |= callee.needs_context;
        self.usage.writes_context |= callee.writes_context;
    }

    /// Marks a buffer and all that it is a window of.
    fn write(&mut self, x: Sym) {
        let mut next = Some(x);
        while let Some(x) = next {
            self.usage.written.insert(x);
            next = self.bindings.buffer(x).and_then(|b| b.source.as_ref()).map(|w| w.name);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Read { name, .. } | ExprKind::Window(WindowExpr { name, .. }) => {
                self.usage.read.insert(*name);
            }
            ExprKind::Stride { name, .. } => {
                self.usage.read.insert(*name);
            }
            ExprKind::ReadConfig { config, field } => {
                self.usage.config_reads.insert((config.name, *field));
                self.touch_context(config, false);
            }
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. } => {}
        }
    }

    fn touch_context(&mut self, config: &Arc<Config>, writes: bool) {
        if config.direct_access {
            self.usage.needs_context = true;
            self.usage.writes_context |= writes;
        }
    }
}

/// The number of intervals of a window: its rank.
pub fn window_rank(w: &WindowExpr) -> usize {
    w.idx.iter().filter(|c| matches!(c, WinCoord::Interval(..))).count()
}

/// The configurations of a unit: those of the module, then others that procedures mention.
pub fn configs(module: &Module, program: &Program) -> Vec<Arc<Config>> {
    let mut all: Vec<Arc<Config>> = module.configs.clone();
    program.procs().for_each(|(_, p, _)| mentioned(&p.body, &[], &mut all));
    once_each(all)
}

/// The configurations that procedures mention, in assertions, too, and not those of what they call; by name.
pub fn configs_by_name(procs: &[Arc<Proc>]) -> Vec<Arc<Config>> {
    let mut all = Vec::new();
    for p in procs {
        let shapes = p.args.iter().filter_map(|a| match &a.typ {
            ArgType::Data { typ, .. } => Some(&typ.shape),
            ArgType::Control(_) => None,
        });
        let heads: Vec<&Expr> = shapes.flat_map(|shape| shape.iter()).chain(&p.preds).collect();
        mentioned(&p.body, &heads, &mut all);
    }
    let mut found = once_each(all);
    found.sort_by_key(|c| c.name);
    found
}

/// Adds the configurations of a block and of expressions, as often as they occur.
fn mentioned(body: &Block, heads: &[&Expr], all: &mut Vec<Arc<Config>>) {
    let mut read = |e: &Expr| {
        each_expr(e, &mut |e| all.extend(e.kind.field_read().map(|(config, _)| config.clone())));
    };
    heads.iter().for_each(|e| read(e));
    each_stmt(body, &mut |s| operands(s).into_iter().for_each(&mut read));
    each_stmt(body, &mut |s| all.extend(s.kind.field_written().map(|(config, _)| config.clone())));
}

/// The first of each name.
fn once_each(all: Vec<Arc<Config>>) -> Vec<Arc<Config>> {
    let mut seen = BTreeSet::new();
    all.into_iter().filter(|c| seen.insert(c.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::parse::{Prelude, parse_module};
    use rewright_semantics::span::SourceMap;

    /// Of two procedures of one name, what is built like one of them is that one, wherever it is.
    #[test]
    fn a_procedure_is_known_by_what_it_is() {
        let text = "@proc\ndef f(x: f32):\n    x = 1.0\n\n@proc\ndef f(x: f32):\n    x = 2.0\n";
        let mut sources = SourceMap::new();
        let file = sources.add("test.py", text);
        let module = parse_module(file, &sources, &Prelude::standard()).module;
        let program = Program::of(&module);
        let [first, second] = module.procs.as_slice() else { panic!("two procedures") };
        for (p, id) in [(first, ProcId(0)), (second, ProcId(1))] {
            assert_eq!(program.id(p), Some(id));
            assert_eq!(program.id(&Arc::new(Proc::clone(p))), Some(id));
        }
        let mut other = Proc::clone(first);
        other.args = Vec::new();
        assert_eq!(program.id(&Arc::new(other)), None);
    }
}

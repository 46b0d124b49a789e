//! What iterations share that are each to have their own: static buffers, accelerators, objects behind a memory's templates, and
//! the state of the hardware. Spec: [rule: backend.parallel].

use super::Walk;
use rewright_semantics::ast::{Arg, Expr, ExprKind, Proc, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::walk::{each_expr, each_stmt, operands};
use rewright_semantics::types::{ArgType, MemName};

/// Why iterations of a parallel loop cannot each have a buffer of their own.
#[derive(Clone)]
pub(super) enum Sharing {
    /// It is one static object.
    Static,
    /// It is in an accelerator, of which there is one.
    Device(String),
    /// A method of its memory uses what all threads may have the same of.
    Taken { mem: MemName, method: &'static str, by: String },
}

impl Walk<'_> {
    pub(super) fn sharing(&self, mem: MemName) -> Option<Sharing> {
        let memory = self.memories.get(mem)?;
        if memory.is_static() {
            return Some(Sharing::Static);
        }
        if let Some(machine) = self.memories.device(mem) {
            return Some(Sharing::Device(machine.name.to_owned()));
        }
        let (method, by) = memory.shares(self.shared).into_iter().next()?;
        Some(Sharing::Taken { mem, method, by })
    }

    /// The accelerator whose instructions a call executes: one that is passed a buffer there is one of them.
    pub(super) fn device_of(&self, p: &Proc) -> Option<String> {
        let of = |a: &Arg| match &a.typ {
            ArgType::Data { mem, .. } => match self.sharing(*mem)? {
                Sharing::Device(machine) => Some(machine),
                Sharing::Taken { mem, .. } if p.instr.is_some() => Some(format!("what has memory {mem}")),
                Sharing::Taken { .. } | Sharing::Static => None,
            },
            ArgType::Control(_) => None,
        };
        p.args.iter().find_map(of)
    }

    /// Why buffers that a call allocates are shared, if one is.
    pub(super) fn allocates_shared(&self, p: &Proc) -> Option<Sharing> {
        if p.instr.is_some() {
            return None;
        }
        let mut found = None;
        each_stmt(&p.body, &mut |s| match &*s.kind {
            StmtKind::Alloc { mem, .. } => found = found.take().or_else(|| self.sharing(*mem)),
            StmtKind::Call { proc, .. } => found = found.take().or_else(|| self.allocates_shared(proc)),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::WindowStmt { .. } => {}
        });
        found
    }

    pub(super) fn shared_buffer(&mut self, name: &str, sharing: Sharing, span: Span) {
        let (message, help) = match sharing {
            Sharing::Static => (
                format!("{name} is static: one object, shared by all iterations of the parallel loop"),
                "allocate it on the stack or in DRAM",
            ),
            Sharing::Device(machine) => (
                format!(
                    "{name} is in a memory of {machine}, whose places all threads would take at the same time"
                ),
                "make the loop `seq`",
            ),
            Sharing::Taken { mem, method, by } => (
                format!(
                    "{name} is in memory {mem}, whose `{method}` uses {by}: threads may take the same place"
                ),
                "make the loop `seq`",
            ),
        };
        self.found.push(Diagnostic::error("backend.parallel", span, message).help(help));
    }

    /// An access itself may go through an object that all threads share.
    pub(super) fn access(&mut self, root: Sym, span: Span) {
        let Some(mem) = self.bindings.buffer(root).map(|b| b.mem).filter(|_| !self.loops.is_empty()) else {
            return;
        };
        let shares = self.memories.get(mem).map(|m| m.shares(self.shared)).unwrap_or_default();
        let of_access = |(method, _): &(&str, String)| matches!(*method, "read" | "write" | "reduce");
        if let Some((method, by)) = shares.into_iter().find(of_access) {
            let message =
                format!("{root} is in memory {mem}, whose `{method}` uses {by}, which threads share");
            let d = Diagnostic::error("backend.parallel", span, message).help("make the loop `seq`");
            if !self.found.iter().any(|o| o.primary.span == d.primary.span && o.message == d.message) {
                self.found.push(d);
            }
        }
    }
}

/// The first instruction that a call executes which `asks` finds something in, and what.
pub(super) fn state_of(p: &Proc, asks: fn(&Proc) -> Option<String>) -> Option<(Name, String)> {
    if p.instr.is_some() {
        return asks(p).map(|field| (p.name, field));
    }
    let mut found = None;
    each_stmt(&p.body, &mut |s| {
        if let Some((proc, _)) = s.kind.called()
            && found.is_none()
        {
            found = state_of(proc, asks);
        }
    });
    found
}

/// A field of the hardware that an instruction reads, or asks for. Others are a struct that all threads see.
pub(super) fn state_read(p: &Proc) -> Option<String> {
    let mut found = None;
    let mut asked = |e: &Expr| {
        if let ExprKind::ReadConfig { config, field } = &e.kind
            && !config.direct_access
        {
            found.get_or_insert_with(|| format!("{}.{field}", config.name));
        }
    };
    p.preds.iter().for_each(|e| each_expr(e, &mut asked));
    each_stmt(&p.body, &mut |s| operands(s).into_iter().for_each(|e| each_expr(e, &mut asked)));
    found
}

/// A field of the hardware that an instruction sets.
pub(super) fn state_written(p: &Proc) -> Option<String> {
    let mut found = None;
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::WriteConfig { config, field, .. } = &*s.kind
            && !config.direct_access
        {
            found.get_or_insert_with(|| format!("{}.{field}", config.name));
        }
    });
    found
}

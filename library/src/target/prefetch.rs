//! Instructions that bring cells of memory nearer.

use rewright_primitives::Proc;
use rewright_semantics::ast::{self, Module, StmtKind};
use rewright_semantics::syntax::fold;
use rewright_semantics::types::{ArgType, DataType};

/// The instruction of a module that takes so many cells of memory of a precision, and does nothing.
pub(super) fn prefetch(module: &Module, precision: DataType, lanes: i64) -> Option<Proc> {
    let instructions = module.procs.iter().filter(|p| p.instr.is_some());
    instructions
        .filter(|p| takes_cells(p, precision, lanes))
        .find(|p| is_empty(p))
        .map(|p| Proc::root(p.clone()))
}

fn takes_cells(p: &ast::Proc, precision: DataType, lanes: i64) -> bool {
    let [cells] = &p.args[..] else { return false };
    let ArgType::Data { typ, mem } = &cells.typ else { return false };
    let [extent] = &typ.shape[..] else { return false };
    typ.elem == precision && mem.to_string() == "DRAM" && fold::as_int(extent) == Some(lanes)
}

fn is_empty(p: &ast::Proc) -> bool {
    let only = p.body.get(0).filter(|_| p.body.len() == 1);
    only.is_some_and(|s| matches!(s.kind.as_ref(), StmtKind::Pass))
}

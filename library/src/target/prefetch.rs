//! Instructions that bring cells of memory nearer.

use rewright_primitives::Proc;
use rewright_semantics::ast::{self, Module, StmtKind};
use rewright_semantics::syntax::fold;
use rewright_semantics::types::{ArgType, DataType};
use std::collections::BTreeMap;

/// Where to cells are brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearer {
    /// To the first cache: they are used within some hundred cycles.
    FirstCache,
    /// The last of them to the first cache: it may be in another line of it than the first.
    FirstCacheEnd,
    /// To the second: later.
    SecondCache,
}

impl Nearer {
    const ALL: [Nearer; 3] = [Nearer::FirstCache, Nearer::FirstCacheEnd, Nearer::SecondCache];

    /// Whether C tells the processor so: the hint, and whether the address is that of the first cell.
    fn is_told_by(self, c: &str) -> bool {
        let (hint, first) = match self {
            Nearer::FirstCache => ("_MM_HINT_T0", true),
            Nearer::FirstCacheEnd => ("_MM_HINT_T0", false),
            Nearer::SecondCache => ("_MM_HINT_T1", true),
        };
        c.contains(hint) && c.contains("{x_data},") == first
    }
}

/// The instructions of a module that take so many cells of memory of a precision, and do nothing. In the state of a program they
/// are all one: their C tells them apart.
pub(super) fn prefetches(module: &Module, precision: DataType, lanes: i64) -> BTreeMap<Nearer, Proc> {
    let all = module.procs.iter().filter(|p| takes_cells(p, precision, lanes) && is_empty(p));
    let all = all.filter_map(|p| {
        let text = &p.instr.as_ref()?.c_instr;
        Nearer::ALL.into_iter().find(|to| to.is_told_by(text)).map(|to| (to, Proc::root(p.clone())))
    });
    all.collect()
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

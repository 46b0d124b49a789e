//! The memories in which a procedure stores.

use super::walk::each_stmt;
use crate::ast::{Proc, StmtKind};
use crate::types::{ArgType, MemName};
use std::collections::BTreeSet;

/// The memories of a procedure's arguments and buffers, without those of its callees.
pub fn memories_of(p: &Proc) -> BTreeSet<MemName> {
    let args = p.args.iter().filter_map(|a| match &a.typ {
        ArgType::Data { mem, .. } => Some(*mem),
        ArgType::Control(_) => None,
    });
    let mut found: BTreeSet<MemName> = args.collect();
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Alloc { mem, .. } = &*s.kind {
            found.insert(*mem);
        }
    });
    found
}

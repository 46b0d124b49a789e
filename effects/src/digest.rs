//! A digest of a run of statements: what it binds, calls and writes, as far as later ones and other versions ask. Spec: [rule: growth.runs].

use crate::analysis::Analysis;
use crate::env::{Field, sort_of_field};
use crate::names::{bound_names, callees, fields_in_stmt, fields_written};
use rewright_semantics::ast::{Block, Config, Proc, Stmt, StmtKind};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ControlType, FieldType};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What a run of statements binds, calls and writes.
#[derive(Debug, Default)]
pub struct Digest {
    /// Names by which a statement is known: loop variables, buffers, windows, what is written, procedures that are called.
    pub names: FxHashSet<Name>,
    /// Procedures that are called, each once.
    pub(crate) callees: Vec<Arc<Proc>>,
    /// Fields of type size that are mentioned.
    pub(crate) sizes: FxHashSet<Field>,
    /// Whether a statement of the run binds a name for those after it.
    pub binds: bool,
    /// Whether a control field is written other than by a call.
    writes: bool,
}

impl Digest {
    /// That of these statements.
    pub(crate) fn of(stmts: &[Stmt]) -> Digest {
        let mut out = Digest::default();
        let mut seen = FxHashSet::default();
        for s in stmts {
            out.binds |= !bound_names([s]).is_empty();
            let alone = Block::unit(s.clone());
            fields_written(&alone, &mut |config, field| out.writes |= sort_of_field(config, field).is_some());
            callees(&alone, &mut |p| {
                if seen.insert(Arc::as_ptr(p)) {
                    out.callees.push(p.clone());
                }
            });
            fields_in_stmt(s, &mut |config, field| out.sizes.extend(size_field(config, field)));
            known_by(s, &mut out.names);
        }
        out
    }

    /// Whether nothing is known differently after the statements than before them.
    pub(crate) fn is_quiet(&self, an: &Analysis) -> bool {
        !self.binds && !self.writes && self.callees.iter().all(|p| an.summary(p).changed.is_empty())
    }
}

/// The field, if it is of type size.
pub(crate) fn size_field(config: &Config, field: Name) -> Option<Field> {
    let is_size = config.field(field)?.typ == FieldType::Control(ControlType::Size);
    is_size.then(|| Field::of(config, field))
}

fn known_by(s: &Stmt, out: &mut FxHashSet<Name>) {
    let name: fn(&Sym) -> Name = |x| x.name();
    match s.kind.as_ref() {
        StmtKind::Assign { name: x, .. }
        | StmtKind::Reduce { name: x, .. }
        | StmtKind::Alloc { name: x, .. }
        | StmtKind::WindowStmt { name: x, .. } => drop(out.insert(name(x))),
        StmtKind::Call { proc, args: _ } => drop(out.insert(proc.name)),
        StmtKind::For { iter, body, .. } => {
            out.insert(name(iter));
            body.iter().for_each(|s| known_by(s, out));
        }
        StmtKind::If { cond: _, body, orelse } => body.iter().chain(orelse).for_each(|s| known_by(s, out)),
        StmtKind::WriteConfig { .. } | StmtKind::Pass => {}
    }
}

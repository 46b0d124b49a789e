//! Which buffers are read before they are written: reading ⊥ is allowed in the language, and must be
//! harmless in C. Such buffers begin with zeros. Spec: [rule: c.unset].

use crate::c::usage::{Program, passed_name};
use crate::c::walk::{each_expr, exprs_of};
use rewright_semantics::ast::{Block, ExprKind, Stmt, StmtKind, WindowExpr};
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;

/// What is known of a buffer at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing was written.
    Unset,
    /// Something was written: for a scalar, on every way here.
    Set,
    /// It was read while unset.
    ReadUnset,
}

/// The buffers of a block, and of those inside it, that may be read before they are written.
///
/// Of a scalar every way through the program counts. Of an array only whether anything at all is written
/// to it earlier in the text: which of its cells are, types do not tell.
pub(crate) fn read_unset(b: &Block, program: &Program) -> BTreeSet<Sym> {
    let mut found = BTreeSet::new();
    for (k, s) in b.iter().enumerate() {
        match &*s.kind {
            StmtKind::Alloc { name, typ, .. } => {
                let search = Search { x: *name, is_scalar: typ.rank() == 0, program };
                if search.all(State::Unset, b.iter().skip(k + 1)) == State::ReadUnset {
                    found.insert(*name);
                }
            }
            StmtKind::If { body, orelse, .. } => {
                found.extend(read_unset(body, program));
                found.extend(read_unset(orelse, program));
            }
            StmtKind::For { body, .. } => found.extend(read_unset(body, program)),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }
    found
}

struct Search<'a> {
    x: Sym,
    is_scalar: bool,
    program: &'a Program,
}

impl Search<'_> {
    fn all<'a>(&self, state: State, stmts: impl Iterator<Item = &'a Stmt>) -> State {
        let mut state = state;
        for s in stmts {
            if state != State::Unset {
                break;
            }
            state = self.stmt(s);
        }
        state
    }

    /// The state after a statement that finds the buffer unset.
    fn stmt(&self, s: &Stmt) -> State {
        let is_call = matches!(&*s.kind, StmtKind::Call { .. } | StmtKind::WindowStmt { .. });
        if !is_call && self.is_read(s) {
            return State::ReadUnset;
        }
        match &*s.kind {
            StmtKind::Assign { name, .. } if *name == self.x => State::Set,
            StmtKind::Reduce { name, .. } if *name == self.x => State::ReadUnset,
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. } => State::Unset,
            StmtKind::If { body, orelse, .. } => {
                let (a, b) = (self.all(State::Unset, body.iter()), self.all(State::Unset, orelse.iter()));
                self.joined(a, b)
            }
            StmtKind::For { body, .. } => {
                let after = self.all(State::Unset, body.iter());
                self.joined(after, State::Unset)
            }
            // From here on it may be written under another name.
            StmtKind::WindowStmt { rhs: WindowExpr { name, .. }, .. } => {
                if *name == self.x {
                    State::Set
                } else {
                    State::Unset
                }
            }
            StmtKind::Call { proc, args } => {
                let passed: Vec<usize> =
                    (0..args.len()).filter(|k| args.get(*k).and_then(passed_name) == Some(self.x)).collect();
                if passed.is_empty() {
                    State::Unset
                } else if proc.instr.is_some()
                    || passed.iter().any(|k| self.program.writes_argument(proc, *k))
                {
                    State::Set
                } else {
                    State::ReadUnset
                }
            }
        }
    }

    /// After one of two ways.
    fn joined(&self, a: State, b: State) -> State {
        match (a, b) {
            (State::ReadUnset, _) | (_, State::ReadUnset) => State::ReadUnset,
            (State::Set, State::Set) => State::Set,
            (State::Set, State::Unset) | (State::Unset, State::Set) if !self.is_scalar => State::Set,
            (State::Set | State::Unset, State::Set | State::Unset) => State::Unset,
        }
    }

    fn is_read(&self, s: &Stmt) -> bool {
        let mut found = false;
        for e in exprs_of(s) {
            each_expr(e, &mut |e| found |= matches!(&e.kind, ExprKind::Read { name, .. } if *name == self.x));
        }
        found
    }
}

//! Which buffers are read before they are written: reading ⊥ is allowed in the language, and must be
//! harmless in C. Such buffers begin with zeros. Spec: [rule: c.unset].

use crate::c::usage::{Program, passed_name};
use crate::c::walk::{each_expr, exprs_of};
use crate::memory::Memories;
use rewright_semantics::ast::{Block, Expr, ExprKind, Literal, Proc, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, MemName};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

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

/// What a procedure finds out about the arguments of others, each once.
struct Known<'a> {
    program: &'a Program,
    memories: &'a Memories,
    arguments: RefCell<BTreeMap<(*const Proc, usize), State>>,
}

/// The buffers of a block, and of those inside it, that may be read before they are written.
///
/// Of a scalar every way through the program counts. Of an array only whether anything at all is written
/// to it earlier in the text: which of its cells are, types do not tell. Of registers, whether an instruction's body
/// writes a whole one: its C may read what its body leaves alone.
pub(crate) fn read_unset(b: &Block, program: &Program, memories: &Memories) -> BTreeSet<Sym> {
    let known = Known { program, memories, arguments: RefCell::default() };
    let mut found = BTreeSet::new();
    in_block(b, &known, &mut found);
    found
}

fn in_block(b: &Block, known: &Known<'_>, found: &mut BTreeSet<Sym>) {
    for (k, s) in b.iter().enumerate() {
        match &*s.kind {
            StmtKind::Alloc { name, typ, mem } => {
                let mut search = Search::of(*name, typ.rank() == 0, *mem, known);
                if search.all(State::Unset, b.iter().skip(k + 1)) == State::ReadUnset {
                    found.insert(*name);
                }
            }
            StmtKind::If { body, orelse, .. } => {
                in_block(body, known, found);
                in_block(orelse, known, found);
            }
            StmtKind::For { body, .. } => in_block(body, known, found),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }
}

struct Search<'a> {
    /// The buffer, and windows of it.
    names: BTreeSet<Sym>,
    is_scalar: bool,
    is_registers: bool,
    known: &'a Known<'a>,
}

impl<'a> Search<'a> {
    fn of(x: Sym, is_scalar: bool, mem: MemName, known: &'a Known<'a>) -> Search<'a> {
        let is_registers = known.memories.is_registers(mem);
        Search { names: BTreeSet::from([x]), is_scalar, is_registers, known }
    }

    fn all<'b>(&mut self, state: State, stmts: impl Iterator<Item = &'b Stmt>) -> State {
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
    fn stmt(&mut self, s: &Stmt) -> State {
        let is_call = matches!(&*s.kind, StmtKind::Call { .. } | StmtKind::WindowStmt { .. });
        if !is_call && self.is_read(s) {
            return State::ReadUnset;
        }
        match &*s.kind {
            StmtKind::Assign { name, .. } if self.names.contains(name) => State::Set,
            StmtKind::Reduce { name, .. } if self.names.contains(name) => State::ReadUnset,
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
            StmtKind::WindowStmt { name, rhs } => {
                if self.names.contains(&rhs.name) {
                    self.names.insert(*name);
                }
                State::Unset
            }
            StmtKind::Call { proc, args } => self.call(proc, args),
        }
    }

    /// After a call: what the callee does first with what it is passed.
    fn call(&self, proc: &Arc<Proc>, args: &[Expr]) -> State {
        let is_ours = |e: &Expr| passed_name(e).is_some_and(|x| self.names.contains(&x));
        let states: Vec<State> = (0..args.len())
            .filter(|k| args.get(*k).is_some_and(is_ours))
            .map(|k| match self.known.argument(proc, k) {
                State::Set if self.is_registers && !overwrites(proc, k) => State::ReadUnset,
                state @ (State::Unset | State::Set | State::ReadUnset) => state,
            })
            .collect();
        if states.contains(&State::ReadUnset) {
            State::ReadUnset
        } else if states.contains(&State::Set) {
            State::Set
        } else {
            State::Unset
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
            each_expr(e, &mut |e| {
                found |= matches!(&e.kind, ExprKind::Read { name, .. } if self.names.contains(name));
            });
        }
        found
    }
}

impl Known<'_> {
    /// What a procedure does first with an argument, when nothing was written to it.
    fn argument(&self, p: &Arc<Proc>, k: usize) -> State {
        let key = (Arc::as_ptr(p), k);
        if let Some(state) = self.arguments.borrow().get(&key) {
            return *state;
        }
        let state = match p.args.get(k).map(|a| (a.name, &a.typ)) {
            Some((x, ArgType::Data { typ, mem })) => {
                let mut search = Search::of(x, typ.rank() == 0, *mem, self);
                match search.all(State::Unset, p.body.iter()) {
                    // An array that is written on some ways is not read, as far as types tell.
                    State::Unset if self.program.writes_argument(p, k) && typ.rank() > 0 => State::Set,
                    state @ (State::Unset | State::Set | State::ReadUnset) => state,
                }
            }
            Some((_, ArgType::Control(_))) | None => State::Unset,
        };
        self.arguments.borrow_mut().insert(key, state);
        state
    }
}

/// Whether a procedure writes all of a vector that it is given: in a loop over it that assigns each cell.
fn overwrites(p: &Proc, k: usize) -> bool {
    let Some((x, ArgType::Data { typ, .. })) = p.args.get(k).map(|a| (a.name, &a.typ)) else { return false };
    let [extent] = &*typ.shape else { return false };
    p.body.iter().any(|s| match &*s.kind {
        StmtKind::For { iter, lo, hi, body, .. } => {
            matches!(lo.kind, ExprKind::Lit(Literal::Int(0)))
                && hi.kind == extent.kind
                && assigns(body, x, *iter)
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => false,
    })
}

/// Whether every way through a block assigns to `x[i]`.
fn assigns(b: &Block, x: Sym, i: Sym) -> bool {
    let is_i = |e: &Expr| matches!(&e.kind, ExprKind::Read { name, idx } if *name == i && idx.is_empty());
    b.iter().any(|s| match &*s.kind {
        StmtKind::Assign { name, idx, .. } => *name == x && matches!(&**idx, [e] if is_i(e)),
        StmtKind::If { body, orelse, .. } => assigns(body, x, i) && assigns(orelse, x, i),
        StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => false,
    })
}

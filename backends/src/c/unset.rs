//! Which buffers are read before they are written: reading ⊥ is allowed in the language, and must be
//! harmless in C. Such buffers begin with zeros. Spec: [rule: c.unset].

use crate::c::usage::{Program, passed_name};
use crate::c::walk::{each_expr, exprs_of};
use crate::memory::Memories;
use rewright_semantics::ast::{Arg, Block, Expr, ExprKind, Literal, Proc, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, MemName};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is known of a buffer at a place; of two arguments of a call that are one buffer, the greater counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    /// Nothing was written.
    Unset,
    /// Something was written: for a scalar, on every way here.
    Set,
    /// It was read while unset.
    ReadUnset,
}

/// A buffer that is followed.
#[derive(Clone, Copy, Debug)]
struct Buffer {
    is_scalar: bool,
    is_registers: bool,
}

/// What each procedure of a program does first with each of its arguments, when nothing was written to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstUses(FxHashMap<*const Proc, Vec<State>>);

impl FirstUses {
    /// Of all procedures of a program.
    pub(crate) fn of(program: &Program, memories: &Memories) -> FirstUses {
        let mut out = FirstUses::default();
        for (_, p, usage) in program.procs() {
            let mut flow = Flow::new(&out, memories);
            for arg in &p.args {
                if let ArgType::Data { typ, mem } = &arg.typ {
                    flow.follow(arg.name, typ.rank() == 0, *mem);
                }
            }
            flow.block(&p.body);
            let state = |arg: &Arg| match flow.state(arg.name) {
                // An array that is written on some ways is not read, as far as types tell.
                State::Unset if is_array(&arg.typ) && usage.written.contains(&arg.name) => State::Set,
                state @ (State::Unset | State::Set | State::ReadUnset) => state,
            };
            let states = p.args.iter().map(state).collect();
            out.0.insert(Arc::as_ptr(p), states);
        }
        out
    }

    fn of_argument(&self, p: &Arc<Proc>, k: usize) -> State {
        self.0.get(&Arc::as_ptr(p)).and_then(|states| states.get(k)).copied().unwrap_or(State::Unset)
    }
}

/// The buffers of a block, and of those inside it, that may be read before they are written.
///
/// Of scalars and registers every way through the program counts. Of an array only whether anything at all is written
/// to it earlier in the text: which of its cells are, types do not tell. Of registers, also whether an instruction's body
/// writes a whole one: its C may read what its body leaves alone.
pub(crate) fn read_unset(b: &Block, callees: &FirstUses, memories: &Memories) -> BTreeSet<Sym> {
    let mut flow = Flow::new(callees, memories);
    flow.block(b);
    flow.found
}

/// One way through a program, all buffers at once: what a branch costs is what it changes.
struct Flow<'a> {
    callees: &'a FirstUses,
    memories: &'a Memories,
    buffers: FxHashMap<Sym, Buffer>,
    /// Windows, and the buffers that they look at.
    roots: FxHashMap<Sym, Sym>,
    /// Of buffers that are not unset any more.
    states: FxHashMap<Sym, State>,
    /// Buffers, in the order in which they got their states.
    changed: Vec<Sym>,
    /// Those that were read while unset.
    found: BTreeSet<Sym>,
}

impl<'a> Flow<'a> {
    fn new(callees: &'a FirstUses, memories: &'a Memories) -> Flow<'a> {
        Flow {
            callees,
            memories,
            buffers: FxHashMap::default(),
            roots: FxHashMap::default(),
            states: FxHashMap::default(),
            changed: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    fn follow(&mut self, x: Sym, is_scalar: bool, mem: MemName) {
        let is_registers = self.memories.is_registers(mem);
        self.buffers.insert(x, Buffer { is_scalar, is_registers });
        self.states.remove(&x);
    }

    fn root(&self, x: Sym) -> Sym {
        self.roots.get(&x).copied().unwrap_or(x)
    }

    fn state(&self, root: Sym) -> State {
        self.states.get(&root).copied().unwrap_or(State::Unset)
    }

    /// A buffer is read or written here; only the first time counts.
    fn becomes(&mut self, root: Sym, state: State) {
        if state != State::Unset && self.buffers.contains_key(&root) && self.state(root) == State::Unset {
            self.states.insert(root, state);
            self.changed.push(root);
            if state == State::ReadUnset {
                self.found.insert(root);
            }
        }
    }

    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        match &*s.kind {
            StmtKind::Call { proc, args } => return self.call(proc, args),
            StmtKind::WindowStmt { name, rhs } => {
                self.roots.insert(*name, self.root(rhs.name));
                return;
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. } => self.reads(s),
        }
        match &*s.kind {
            StmtKind::Assign { name, .. } => self.becomes(self.root(*name), State::Set),
            StmtKind::Reduce { name, .. } => self.becomes(self.root(*name), State::ReadUnset),
            StmtKind::If { body, orelse, .. } => {
                let (a, b) = (self.branch(body), self.branch(orelse));
                self.join(&a, &b);
            }
            StmtKind::For { lo, hi, body, .. } => {
                let after = self.branch(body);
                let skipped = FxHashMap::default();
                self.join(&after, if runs(lo, hi) { &after } else { &skipped });
            }
            StmtKind::Alloc { name, typ, mem } => self.follow(*name, typ.rank() == 0, *mem),
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }

    fn reads(&mut self, s: &Stmt) {
        for e in exprs_of(s) {
            each_expr(e, &mut |e| {
                if let ExprKind::Read { name, .. } = &e.kind {
                    self.becomes(self.root(*name), State::ReadUnset);
                }
            });
        }
    }

    /// What becomes of the buffers that a block changes, all of which are unset again afterwards.
    fn branch(&mut self, b: &Block) -> FxHashMap<Sym, State> {
        let before = self.changed.len();
        self.block(b);
        let changed = self.changed.split_off(before);
        changed.into_iter().filter_map(|x| Some((x, self.states.remove(&x)?))).collect()
    }

    /// After one of two ways.
    fn join(&mut self, a: &FxHashMap<Sym, State>, b: &FxHashMap<Sym, State>) {
        let state = |way: &FxHashMap<Sym, State>, x| way.get(&x).copied().unwrap_or(State::Unset);
        let both = a.keys().chain(b.keys().filter(|x| !a.contains_key(x)));
        for x in both {
            let on_every_way = self.buffers.get(x).is_some_and(|b| b.is_scalar || b.is_registers);
            self.becomes(*x, joined(state(a, *x), state(b, *x), on_every_way));
        }
    }

    /// After a call: what the callee does first with what it is passed.
    fn call(&mut self, p: &Arc<Proc>, args: &[Expr]) {
        let mut after: BTreeMap<Sym, State> = BTreeMap::new();
        for (k, e) in args.iter().enumerate() {
            let Some(root) = passed_name(e).map(|x| self.root(x)) else { continue };
            let Some(buffer) = self.buffers.get(&root) else { continue };
            let state = match self.callees.of_argument(p, k) {
                State::Set if buffer.is_registers && !overwrites(p, k) => State::ReadUnset,
                state @ (State::Unset | State::Set | State::ReadUnset) => state,
            };
            let worst = after.entry(root).or_insert(State::Unset);
            *worst = (*worst).max(state);
        }
        after.into_iter().for_each(|(root, state)| self.becomes(root, state));
    }
}

/// Whether a loop runs at least once, by its text.
fn runs(lo: &Expr, hi: &Expr) -> bool {
    let (ExprKind::Lit(Literal::Int(lo)), ExprKind::Lit(Literal::Int(hi))) = (&lo.kind, &hi.kind) else {
        return false;
    };
    lo < hi
}

fn joined(a: State, b: State, on_every_way: bool) -> State {
    match (a, b) {
        (State::ReadUnset, _) | (_, State::ReadUnset) => State::ReadUnset,
        (State::Set, State::Set) => State::Set,
        (State::Set, State::Unset) | (State::Unset, State::Set) if !on_every_way => State::Set,
        (State::Set | State::Unset, State::Set | State::Unset) => State::Unset,
    }
}

fn is_array(typ: &ArgType) -> bool {
    match typ {
        ArgType::Data { typ, mem: _ } => typ.rank() > 0,
        ArgType::Control(_) => false,
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

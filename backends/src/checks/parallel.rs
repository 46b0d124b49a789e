//! Iterations of a parallel loop never meet in a cell or a field that one of them writes. What cannot be seen to hold is asked of the solver, and what it cannot prove is refused.
//! Spec: [rule: backend.parallel].
//!
//! Two accesses are apart when, in some dimension, the index is `c * i + f` with the same `c` and `f`
//! confined to fewer than `|c|` values, or when one index lies below the other whatever the iterations. A loop that
//! runs once at most has no two iterations.
//! Each parallel loop around an access is looked at by itself: loops inside it are just loops.

mod access;
mod sharing;

use crate::c::affine::{Affine, Atom};
use crate::c::bindings::Bindings;
use crate::c::facts::Facts;
use crate::c::usage::Program;
use crate::memory::Memories;
use access::{AccessKind, AccessRange, coordinates, of_call};
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::check_races_from_outside;
use rewright_effects::obligation::Obligation;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::{Block, Expr, ExprKind, LoopMode, Proc, Stmt, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::walk::{each_expr, operands};
use rewright_semantics::types::ArgType;
use sharing::{state_of, state_read, state_written};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Every way in which iterations of a parallel loop of the procedure may interfere.
pub fn check(
    p: &Proc,
    bindings: &Bindings,
    program: &Program,
    memories: &Memories,
    shared: &BTreeSet<String>,
) -> Vec<Diagnostic> {
    let mut facts = Facts::new();
    for a in &p.args {
        if let ArgType::Control(t) = &a.typ {
            facts.argument(a.name, *t);
        }
    }
    p.preds.iter().for_each(|e| facts.assume(e));
    let (loops, found, met) = (Vec::new(), Vec::new(), Vec::new());
    let mut walk = Walk { bindings, program, memories, shared, facts, loops, found, met };
    walk.block(&p.body);
    let Walk { mut found, met, .. } = walk;
    if !met.is_empty() && !are_proved_apart(p) {
        found.extend(met);
    }
    found
}

/// Whether the solver knows better: calls, for instance, touch less than all that they are given.
fn are_proved_apart(p: &Proc) -> bool {
    let (an, solver) = (Analysis::new(), Solver::new());
    let holds = |ob: &Obligation| solver.decide(ob).is_proved();
    check_races_from_outside(&an, p, holds).iter().all(|r| holds(&r.obligation))
}

/// A parallel loop around the statement at hand.
struct Loop {
    iter: Sym,
    /// Variables and buffers that each iteration has for itself.
    own: BTreeSet<Sym>,
    accesses: Vec<AccessRange>,
    /// The facts at its body's start.
    facts: Facts,
}

struct Walk<'a> {
    bindings: &'a Bindings,
    program: &'a Program,
    memories: &'a Memories,
    /// The names by which global text reaches objects of its own.
    shared: &'a BTreeSet<String>,
    facts: Facts,
    loops: Vec<Loop>,
    found: Vec<Diagnostic>,
    /// Where iterations are not seen to be apart, in cells or fields.
    met: Vec<Diagnostic>,
}

impl Walk<'_> {
    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        if !self.loops.is_empty() {
            self.reads(s);
        }
        match &*s.kind {
            StmtKind::Assign { name, idx, .. } => self.cell(*name, idx, AccessKind::Write, s.span),
            StmtKind::Reduce { name, idx, .. } => self.cell(*name, idx, AccessKind::Reduce, s.span),
            StmtKind::WriteConfig { config, field, .. } => {
                self.config_write(&format!("{}.{field}", config.name), s.span);
            }
            StmtKind::Pass => {}
            StmtKind::If { cond, body, orelse } => {
                let before = self.facts.clone();
                self.facts.assume(cond);
                self.block(body);
                self.facts = before;
                self.block(orelse);
            }
            StmtKind::For { iter, lo, hi, body, mode } => self.loop_(*iter, lo, hi, body, *mode),
            StmtKind::Alloc { name, mem, .. } => {
                if let Some(sharing) = self.sharing(*mem).filter(|_| !self.loops.is_empty()) {
                    self.shared_buffer(&name.to_string(), sharing, s.span);
                }
                self.loops.iter_mut().for_each(|l| {
                    l.own.insert(*name);
                });
            }
            StmtKind::WindowStmt { .. } => {}
            StmtKind::Call { proc, args } => {
                if self.loops.is_empty() {
                    return;
                }
                of_call(proc, args, self.program)
                    .into_iter()
                    .for_each(|(e, kind)| self.part(e, kind, s.span));
                if let Some((config, field)) = self.program.usage(proc).config_writes.first() {
                    self.config_write(&format!("{config}.{field}"), s.span);
                }
                if let Some(sharing) = self.allocates_shared(proc) {
                    self.shared_buffer(&format!("a buffer of {}", proc.name), sharing, s.span);
                }
                if let Some((instruction, field)) = state_of(proc, state_read) {
                    let what = format!(
                        "{instruction} relies on {field}, which the thread that runs an iteration need not have set"
                    );
                    self.state(what, s.span);
                } else if let Some((instruction, field)) = state_of(proc, state_written) {
                    let what = format!(
                        "{instruction} sets {field} of the thread that runs an iteration, not of others"
                    );
                    self.state(what, s.span);
                } else if let Some(machine) = self.device_of(proc) {
                    self.device(proc.name, &machine, s.span);
                }
            }
        }
    }

    fn loop_(&mut self, iter: Sym, lo: &Expr, hi: &Expr, body: &Block, mode: LoopMode) {
        let before = self.facts.clone();
        let one_at_most = self.runs_once_at_most(lo, hi);
        self.facts.iterate(iter, Affine::of(lo).ok(), Affine::of(hi).ok());
        self.loops.iter_mut().for_each(|l| {
            l.own.insert(iter);
        });
        if mode == LoopMode::Par {
            let facts = self.facts.clone();
            self.loops.push(Loop { iter, own: BTreeSet::new(), accesses: Vec::new(), facts });
        }
        self.block(body);
        if mode == LoopMode::Par
            && let Some(done) = self.loops.pop()
            && !one_at_most
        {
            for (root, d) in conflicts(&done) {
                // The text of an instruction may touch all of a register, whatever lanes its body names.
                let registers = self.bindings.buffer(root).is_some_and(|b| {
                    self.memories.is_registers(b.mem) || !self.memories.is_addressable(b.mem, b.rank)
                });
                if registers { self.found.push(d) } else { self.met.push(d) }
            }
        }
        self.facts = before;
    }

    /// Whether there are no two iterations that could meet.
    fn runs_once_at_most(&self, lo: &Expr, hi: &Expr) -> bool {
        let (Ok(lo), Ok(hi)) = (Affine::of(lo), Affine::of(hi)) else { return false };
        let left = lo.plus_scaled(-1, &hi).and_then(|d| d.plus_scaled(1, &Affine::constant(1)));
        left.is_ok_and(|l| self.facts.is_nonneg(&l))
    }

    /// The cells that a statement's own expressions read.
    fn reads(&mut self, s: &Stmt) {
        if s.kind.called().is_some() {
            return;
        }
        for e in operands(s) {
            let mut cells = Vec::new();
            each_expr(e, &mut |e| {
                if let Some((name, _)) = e.kind.read()
                    && self.bindings.buffer(name).is_some()
                {
                    cells.push(e);
                }
            });
            cells.into_iter().for_each(|e| self.part(e, AccessKind::Read, s.span));
        }
    }

    fn cell(&mut self, x: Sym, idx: &[Expr], kind: AccessKind, span: Span) {
        self.part(&Expr::at(ExprKind::Read { name: x, idx: idx.into() }, span), kind, span);
    }

    /// Notes an access in each parallel loop around it.
    fn part(&mut self, e: &Expr, kind: AccessKind, span: Span) {
        let Some((root, coords)) = coordinates(e, self.bindings) else { return };
        let span = if e.span.is_none() { span } else { e.span };
        self.access(root, span);
        for l in &mut self.loops {
            if l.own.contains(&root) {
                continue;
            }
            let kept = |a: &Atom| is_outer(a, &l.own);
            let range = |(lo, hi): &(Affine, Affine)| {
                Some((self.facts.lower_form(lo, &kept)?, self.facts.upper_form(hi, &kept)?))
            };
            let ranges = coords.iter().map(|c| c.as_ref().and_then(range)).collect();
            l.accesses.push(AccessRange { root, kind, ranges, span });
        }
    }

    fn config_write(&mut self, field: &str, span: Span) {
        if self.loops.is_empty() {
            return;
        }
        let message = format!("iterations of a parallel loop may meet in {field}, which is written here");
        self.met.push(Diagnostic::error("backend.parallel", span, message).help("make the loop `seq`"));
    }

    /// The state of the hardware is each thread's own, or that of one device, which is no thread's.
    fn state(&mut self, message: String, span: Span) {
        self.found.push(Diagnostic::error("backend.parallel", span, message).help("make the loop `seq`"));
    }

    fn device(&mut self, callee: Name, machine: &str, span: Span) {
        let message = format!("{callee} is executed by {machine}, of which there is one for all threads");
        self.found.push(Diagnostic::error("backend.parallel", span, message).help("make the loop `seq`"));
    }
}

/// Whether an atom is the same in all of one iteration: it is bound outside the loop's body.
fn is_outer(a: &Atom, own: &BTreeSet<Sym>) -> bool {
    match a {
        Atom::Var(x) | Atom::Stride(x, _) => !own.contains(x),
        Atom::Config(..) => true,
        Atom::Div(e, _) | Atom::Mod(e, _) => e.terms.iter().all(|(_, a)| is_outer(a, own)),
    }
}

/// The first conflict on each buffer.
fn conflicts(l: &Loop) -> Vec<(Sym, Diagnostic)> {
    let mut on: BTreeMap<Sym, Vec<(usize, &AccessRange)>> = BTreeMap::new();
    for (k, a) in l.accesses.iter().enumerate() {
        on.entry(a.root).or_default().push((k, a));
    }
    let first = |(root, on): (Sym, Vec<(usize, &AccessRange)>)| {
        let (at, a, b) = first_conflict(&on, l)?;
        Some((at, root, conflict(a, b, l.iter)))
    };
    let mut found: Vec<(usize, Sym, Diagnostic)> = on.into_iter().filter_map(first).collect();
    found.sort_by_key(|(at, ..)| *at);
    found.into_iter().map(|(_, root, d)| (root, d)).collect()
}

/// The first two accesses to one buffer that may meet, and where the one is.
fn first_conflict<'a>(
    on: &[(usize, &'a AccessRange)],
    l: &Loop,
) -> Option<(usize, &'a AccessRange, &'a AccessRange)> {
    if !on.iter().any(|(_, a)| a.kind.writes()) || all_spread_apart(on, l.iter) {
        return None;
    }
    // Over a pair decide the ranges, and whether one of the two writes: one access of each kind is enough to see that
    // there is no conflict.
    let mut seen = HashSet::new();
    let kinds: Vec<(usize, &AccessRange)> =
        on.iter().copied().filter(|(_, a)| seen.insert((&a.ranges, a.kind.writes()))).collect();
    first_pair(&kinds, l)?;
    first_pair(on, l)
}

fn first_pair<'a>(
    on: &[(usize, &'a AccessRange)],
    l: &Loop,
) -> Option<(usize, &'a AccessRange, &'a AccessRange)> {
    on.iter().enumerate().find_map(|(k, (at, a))| {
        let meets = |b: &&AccessRange| (a.kind.writes() || b.kind.writes()) && !apart(a, b, l);
        on.iter().skip(k).map(|(_, b)| *b).find(meets).map(|b| (*at, *a, b))
    })
}

/// Whether in some dimension all of them are `c * i + g + f`, `f` confined to fewer than `|c|` values.
fn all_spread_apart(on: &[(usize, &AccessRange)], i: Sym) -> bool {
    let Some(((_, first), others)) = on.split_first() else { return true };
    (0..first.ranges.len()).any(|d| {
        let range = |a: &AccessRange| a.ranges.get(d).cloned().flatten();
        let Some(x) = range(first) else { return false };
        let apart = |(_, a): &(usize, &AccessRange)| range(a).and_then(|y| offsets(&x, &y));
        let offsets: Option<Vec<(i64, i64)>> =
            std::iter::once(offsets(&x, &x)).chain(others.iter().map(apart)).collect();
        offsets.is_some_and(|all| {
            let least = all.iter().map(|(min, _)| *min).min().unwrap_or(0);
            let most = all.iter().map(|(_, max)| *max).max().unwrap_or(0);
            is_spread(&x.0, i, least, most)
        })
    })
}

/// Whether two accesses of different iterations never meet.
fn apart(a: &AccessRange, b: &AccessRange, l: &Loop) -> bool {
    a.ranges.iter().zip(&b.ranges).any(|(x, y)| match (x, y) {
        (Some(x), Some(y)) => spread_apart(x, y, l.iter) || ordered_apart(x, y, l),
        _ => false,
    })
}

/// `c * i + g + f` on both sides, `f` confined to fewer than `|c|` values.
fn spread_apart(x: &(Affine, Affine), y: &(Affine, Affine), i: Sym) -> bool {
    offsets(x, y).is_some_and(|(min, max)| is_spread(&x.0, i, min, max))
}

/// The least and the greatest of the ends of two ranges, counted from the first, where these are constants.
fn offsets(x: &(Affine, Affine), y: &(Affine, Affine)) -> Option<(i64, i64)> {
    let ends = [&x.0, &x.1, &y.0, &y.1];
    let differences: Option<Vec<i64>> =
        ends.iter().map(|e| e.plus_scaled(-1, &x.0).ok().and_then(|d| d.as_constant())).collect();
    let values = differences?;
    Some((values.iter().min().copied()?, values.iter().max().copied()?))
}

/// Whether `from + f` for different `i` is different, `min <= f <= max`.
fn is_spread(from: &Affine, i: Sym, min: i64, max: i64) -> bool {
    let stride = factor(from, i);
    // The loop variable must not hide in a quotient or a remainder of what is left.
    let mut rest = from.clone();
    rest.terms.retain(|(_, a)| *a != Atom::Var(i));
    !rest.mentions(i) && max.checked_sub(min).is_some_and(|width| width < stride.saturating_abs())
}

fn factor(e: &Affine, i: Sym) -> i64 {
    e.terms.iter().find(|(_, a)| *a == Atom::Var(i)).map_or(0, |(c, _)| *c)
}

/// One index below the other, for any two iterations.
fn ordered_apart(x: &(Affine, Affine), y: &(Affine, Affine), l: &Loop) -> bool {
    let other = l.iter.renewed();
    let mut facts = l.facts.clone();
    facts.duplicate(l.iter, other);
    let below = |low: &Affine, high: &Affine| {
        let Some(high) = renamed(high, l.iter, other) else { return false };
        let gap = high.plus_scaled(-1, low).and_then(|d| d.plus_scaled(-1, &Affine::constant(1)));
        gap.is_ok_and(|g| facts.is_nonneg(&g))
    };
    below(&x.1, &y.0) || below(&y.1, &x.0)
}

/// The form with the variable of another iteration; none where it hides in a quotient or a remainder.
fn renamed(e: &Affine, from: Sym, to: Sym) -> Option<Affine> {
    let mut out = e.clone();
    for (_, atom) in &mut out.terms {
        if *atom == Atom::Var(from) {
            *atom = Atom::Var(to);
        }
    }
    (!out.mentions(from)).then_some(out)
}

fn conflict(a: &AccessRange, b: &AccessRange, iter: Sym) -> Diagnostic {
    let (writer, other) = if a.kind.writes() { (a, b) } else { (b, a) };
    let message =
        format!("iterations of the parallel loop over {iter} may meet in a cell of {}", writer.root);
    let mut d = Diagnostic::error("backend.parallel", writer.span, message).label(writer.kind.describe());
    if !std::ptr::eq(a, b) {
        d = d.also(other.span, other.kind.describe());
    }
    d.help(match writer.kind {
        AccessKind::Reduce => "make the loop `seq`, or add into a buffer with a cell for each iteration",
        AccessKind::Write | AccessKind::Read => {
            "make the loop `seq`, or give each iteration cells of its own"
        }
    })
}

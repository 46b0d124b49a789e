//! Whether a completed program can be computed in 64 bits: walks it with what each variable and each func can hold.
//! Spec: [rule: halide.c-range].

use super::value_range::{Known, ValueRange, stored};
use crate::bounds::normal::simplify;
use crate::expr::{Access, End, Expr, Var};
use crate::index;
use crate::op::Op;
use crate::tgt::{Block, For, Program, Stmt};
use crate::typed::{Scalar, Width};
use rewright_base::sym::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// What may not fit in a program.
#[derive(Default)]
pub(super) struct Overflows {
    /// Control expressions that may leave the range of 64 bits: computed with checks.
    pub(super) exprs: FxHashSet<Expr>,
    /// Funcs whose values may have wrapped around when they were stored: an index that reads one is checked.
    pub(super) wrapped: FxHashSet<Name>,
    /// What variables hold, wherever they are bound.
    pub(super) vars: FxHashMap<Var, ValueRange>,
}

/// Finds what cannot be shown to have 64 bits in a completed program.
pub(super) fn overflows(t: &Program) -> Overflows {
    let mut walk = Walk { t, known: Known::default(), overflows: Overflows::default(), grown: false };
    walk.inputs();
    // What memory can hold depends on what is stored, which depends on what memory can hold.
    for round in 0.. {
        walk.grown = false;
        walk.block(&t.body);
        if !walk.grown {
            break;
        }
        if round == ROUNDS {
            let names: Vec<Name> = walk.known.memory.keys().copied().collect();
            for f in names {
                walk.known.memory.insert(f, stored(walk.scalar(f), ValueRange::ANY));
                walk.overflows.wrapped.insert(f);
            }
        }
    }
    walk.overflows
}

/// After so many rounds whatever still grows may be anything.
const ROUNDS: usize = 4;

struct Walk<'a> {
    t: &'a Program,
    known: Known,
    overflows: Overflows,
    grown: bool,
}

impl Walk<'_> {
    fn inputs(&mut self) {
        for i in &self.t.algorithm.inputs {
            self.known.memory.insert(i.name, stored(i.scalar, ValueRange::ANY));
            // Points of 64 unsigned bits are read as signed numbers.
            if i.scalar == Scalar::Unsigned(Width::W64) {
                self.overflows.wrapped.insert(i.name);
            }
        }
        for p in &self.t.algorithm.params {
            self.holds(Var::Param(*p), ValueRange::input());
        }
        for corner in index::asserted(self.t) {
            self.holds(corner.var, ValueRange::input());
        }
        for d in 0..self.t.algorithm.window_rank() {
            self.holds(Var::Window(d, End::Min), ValueRange::input());
            self.holds(Var::Window(d, End::Len), ValueRange::LEN);
        }
    }

    fn scalar(&self, f: Name) -> Scalar {
        self.t.algorithm.scalar(f)
    }

    /// An expression whose value itself is used.
    fn control(&mut self, e: &Expr) {
        self.held(e, false);
        self.indices(e);
    }

    fn held(&mut self, e: &Expr, ring: bool) {
        if !self.known.held(e, ring).0 {
            self.overflows.exprs.insert(e.clone());
        }
    }

    /// The indices of a func: on a circle the number itself is wanted.
    fn point(&mut self, f: Name, args: &[Expr]) {
        for (d, e) in args.iter().enumerate() {
            if self.t.folds.contains_key(&(f, d)) {
                self.held(e, false);
            } else {
                self.index(e);
            }
        }
    }

    /// An index: what is wanted is its distance from the first cell, which is in bounds. What is read inside of it is
    /// left to [`Walk::indices`].
    fn index(&mut self, e: &Expr) {
        self.held(e, true);
    }

    /// All indices inside, those of indices among them.
    fn indices(&mut self, e: &Expr) {
        for Access { func, args, .. } in e.accesses() {
            self.point(*func, args);
        }
    }

    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Assert { cond, .. } => self.control(cond),
            Stmt::Allocate { bounds, .. } => {
                bounds.iter().flat_map(|i| [&i.min, &i.len]).for_each(|e| self.control(e));
            }
            Stmt::Store { site, args, value } => self.store(site.func, args, value),
            Stmt::If { cond, then, other } => {
                self.control(cond);
                self.block(then);
                self.block(other);
            }
            Stmt::For(l) => self.for_loop(l),
            Stmt::Let { var, value, body } => {
                self.control(value);
                self.bound(*var, self.known.reach(value).checked(), body);
            }
            Stmt::Label { body, .. } => self.block(body),
        }
    }

    fn for_loop(&mut self, l: &For) {
        let end = simplify(&Expr::binary(Op::Add, l.domain.min.clone(), l.domain.len.clone()));
        self.control(&l.domain.min);
        self.control(&l.domain.len);
        self.control(&end);
        let (first, end) = (self.known.reach(&l.domain.min).checked(), self.known.reach(&end).checked());
        self.bound(l.variable(), ValueRange::new(first.lo, end.hi.saturating_sub(1).max(first.lo)), &l.body);
    }

    fn bound(&mut self, var: Var, reach: ValueRange, body: &Block) {
        let before = self.holds(var, reach);
        self.block(body);
        match before {
            Some(before) => self.known.vars.insert(var, before),
            None => self.known.vars.remove(&var),
        };
    }

    /// What a variable holds from here on; what was known of it before.
    fn holds(&mut self, var: Var, reach: ValueRange) -> Option<ValueRange> {
        self.overflows.vars.entry(var).and_modify(|all| *all = all.hull(reach)).or_insert(reach);
        self.known.vars.insert(var, reach)
    }

    /// Data wrap around; which funcs may hold such values is noted.
    fn store(&mut self, f: Name, args: &[Expr], value: &Expr) {
        self.point(f, args);
        args.iter().for_each(|e| self.indices(e));
        self.indices(value);
        // Of several values nothing is known but what their casts say.
        if self.t.algorithm.scalars(f).len() > 1 {
            self.grown |= self.overflows.wrapped.insert(f);
            return;
        }
        let scalar = self.scalar(f);
        if scalar.is_float() {
            return;
        }
        let (fits, reach) = self.known.held(value, false);
        let reads = value.accesses().iter().any(|a| self.overflows.wrapped.contains(&a.func));
        let doubtful = scalar == Scalar::Integer && (!fits || reads);
        // Points of 64 unsigned bits are read as signed numbers.
        if doubtful || scalar == Scalar::Unsigned(Width::W64) {
            self.grown |= self.overflows.wrapped.insert(f);
        }
        let holds = stored(scalar, if fits { reach } else { ValueRange::ANY });
        let before = self.known.memory.get(&f).copied();
        let now = before.map_or(holds, |b| b.hull(holds));
        if before != Some(now) {
            self.known.memory.insert(f, now);
            self.grown = true;
        }
    }
}

//! What statements need of the values around them to be safe, as far as it can be written as assertions: that indices are
//! within extents, intervals are intervals, and callees are given what they assert. Where an index mentions a loop of the
//! statements themselves, the first and the last iteration stand for all.
//!
//! These are proposals: whoever asserts one shows that it holds, and the front end decides whether they are enough.

use rewright_effects::names::expr_names;
use rewright_semantics::ast::{Arg, Block, Expr, ExprKind, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::build::{eq, int, le, lt, stride};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::sub;
use rewright_semantics::syntax::subst::subst_expr;
use rewright_semantics::syntax::walk::{each_child, operands, rebuild};
use rewright_semantics::types::{ArgType, ControlType};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Proposals that only mention `names`, each once, in the order of the statements.
pub fn needs(args: &[Arg], body: &Block, names: &BTreeSet<Sym>) -> Vec<Expr> {
    let mut found = Needs { names, shapes: BTreeMap::new(), loops: Vec::new(), out: Vec::new() };
    for arg in args {
        match &arg.typ {
            ArgType::Data { typ, mem: _ } => {
                found.shapes.insert(arg.name, typ.shape.to_vec());
            }
            ArgType::Control(_) => {}
        }
    }
    found.block(body);
    found.out
}

struct Needs<'a> {
    names: &'a BTreeSet<Sym>,
    shapes: BTreeMap<Sym, Vec<Expr>>,
    /// Those around the place, the innermost last.
    loops: Vec<Loop>,
    out: Vec<Expr>,
}

impl Needs<'_> {
    fn block(&mut self, b: &Block) {
        for s in b {
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        operands(s).into_iter().for_each(|e| self.expr(e));
        match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs: _ } | StmtKind::Reduce { name, idx, rhs: _ } => {
                self.cell(*name, idx);
            }
            StmtKind::WriteConfig { .. } | StmtKind::Pass => {}
            StmtKind::If { cond: _, body, orelse } => {
                self.block(body);
                self.block(orelse);
            }
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                self.loops.push(Loop { iter: *iter, first: lo.clone(), last: sub(hi.clone(), int(1)) });
                self.block(body);
                self.loops.pop();
            }
            StmtKind::Alloc { name, typ, mem: _ } => {
                typ.shape.iter().for_each(|e| self.propose(&lt(int(0), e.clone())));
                self.shapes.insert(*name, typ.shape.to_vec());
            }
            StmtKind::WindowStmt { name, rhs } => {
                self.window(rhs);
                self.shapes.insert(*name, extents(rhs));
            }
            StmtKind::Call { proc, args } => self.call(proc, args),
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let Some((name, idx)) = e.kind.read() {
            self.cell(name, idx);
        }
        if let ExprKind::Window(w) = &e.kind {
            self.window(w);
        }
        each_child(e, &mut |_, child| self.expr(child));
    }

    fn cell(&mut self, x: Sym, idx: &[Expr]) {
        let shape = self.shapes.get(&x).cloned().unwrap_or_default();
        for (e, extent) in idx.iter().zip(shape) {
            self.propose(&le(int(0), e.clone()));
            self.propose(&lt(e.clone(), extent));
        }
    }

    fn window(&mut self, w: &WindowExpr) {
        let shape = self.shapes.get(&w.name).cloned().unwrap_or_default();
        for (coord, extent) in w.idx.iter().zip(shape) {
            match coord {
                WinCoord::Point(e) => {
                    self.propose(&le(int(0), e.clone()));
                    self.propose(&lt(e.clone(), extent));
                }
                WinCoord::Interval(lo, hi) => {
                    self.propose(&le(int(0), lo.clone()));
                    self.propose(&lt(lo.clone(), hi.clone()));
                    self.propose(&le(hi.clone(), extent));
                }
            }
        }
    }

    /// Sizes are positive, extents are those of the buffers, and what the callee asserts holds.
    fn call(&mut self, callee: &Arc<Proc>, args: &[Expr]) {
        let given = |e: &Expr| {
            let pairs = callee.args.iter().zip(args);
            pairs.fold(e.clone(), |e, (formal, actual)| passed(&e, formal.name, actual))
        };
        for (formal, actual) in callee.args.iter().zip(args) {
            match &formal.typ {
                ArgType::Control(ControlType::Size) => self.propose(&lt(int(0), actual.clone())),
                ArgType::Control(_) => {}
                ArgType::Data { typ, mem: _ } => {
                    let shape = self.shape_of(actual);
                    for (wanted, extent) in typ.shape.iter().zip(shape) {
                        self.propose(&eq(extent, given(wanted)));
                    }
                }
            }
        }
        callee.preds.iter().for_each(|pred| self.propose(&given(pred)));
    }

    /// The extents of what is passed.
    fn shape_of(&self, actual: &Expr) -> Vec<Expr> {
        if let ExprKind::Window(w) = &actual.kind {
            return extents(w);
        }
        actual.kind.read().and_then(|(x, _)| self.shapes.get(&x).cloned()).unwrap_or_default()
    }

    /// Proposes it for the first and for the last iterations of the loops that it mentions.
    fn propose(&mut self, e: &Expr) {
        for is_last in [false, true] {
            let at = |l: &Loop| if is_last { l.last.clone() } else { l.first.clone() };
            let of = self.loops.iter().rev().fold(e.clone(), |e, l| subst_expr(&e, l.iter, &at(l)));
            if expr_names(&of).is_subset(self.names) && !self.out.contains(&of) {
                self.out.push(of);
            }
        }
    }
}

/// A loop of the statements themselves.
struct Loop {
    iter: Sym,
    first: Expr,
    last: Expr,
}

/// What a callee says of a formal argument, said of the actual one: of its value, or of its strides.
fn passed(e: &Expr, formal: Sym, actual: &Expr) -> Expr {
    let of_actual = |d: usize| {
        let ExprKind::Window(w) = &actual.kind else {
            return actual.kind.read().map(|(x, _)| stride(x, d));
        };
        let kept = |(_, coord): &(usize, &WinCoord)| matches!(coord, WinCoord::Interval(..));
        w.idx.iter().enumerate().filter(kept).nth(d).map(|(at, _)| stride(w.name, at))
    };
    let strides =
        rebuild(e, &mut |e| e.kind.stride_of().filter(|(x, _)| *x == formal).and_then(|(_, d)| of_actual(d)));
    subst_expr(&strides, formal, actual)
}

/// The extents of a window: those of its intervals.
fn extents(w: &WindowExpr) -> Vec<Expr> {
    let of = |coord: &WinCoord| match coord {
        WinCoord::Point(_) => None,
        WinCoord::Interval(lo, hi) => Some(sub(hi.clone(), lo.clone())),
    };
    w.idx.iter().filter_map(of).collect()
}

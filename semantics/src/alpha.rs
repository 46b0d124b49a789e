//! Equality up to the choice of symbols: two programs are alpha-equal when one is the other with its
//! bound variables renamed. Spec: [rule: names].
//!
//! The walk keeps the pairs of symbols bound so far. Names do not matter; free symbols must be the same.

use crate::ast::{
    Arg, Block, Expr, ExprKind, Instr, Module, Proc, Rounds, Stmt, StmtKind, WinCoord, WindowExpr,
};
use crate::sym::Sym;
use crate::types::{ArgType, BufferType};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Whether two files define the same.
pub fn alpha_eq_module(a: &Module, b: &Module) -> bool {
    let mut alpha = Alpha::default();
    a.configs == b.configs
        && a.memories == b.memories
        && a.procs.len() == b.procs.len()
        && a.procs.iter().zip(&b.procs).all(|(p, q)| alpha.callee(p, q))
}

/// Whether two procedures are the same, the procedures they call included.
pub fn alpha_eq(p: &Proc, q: &Proc) -> bool {
    Alpha::default().procedure(p, q)
}

/// Whether two blocks are the same.
pub fn alpha_eq_block(a: &Block, b: &Block) -> bool {
    Alpha::default().block(a, b)
}

/// Whether a procedure asserts nothing but these, which speak of arguments in its own order.
pub fn asserts_only(q: &Proc, args: &[Arg], preds: &[Expr]) -> bool {
    let mut alpha = Alpha::default();
    let bound = q.args.iter().zip(args).all(|(a, b)| alpha.bind(a.name, b.name));
    bound && q.preds.iter().all(|e| preds.iter().any(|known| alpha.expr(e, known)))
}

/// The pairs of symbols bound so far.
#[derive(Default)]
struct Alpha {
    left: FxHashMap<Sym, Sym>,
    right: FxHashMap<Sym, Sym>,
    /// Pairs of procedures found equal, by address: shared callees are compared once.
    equal: FxHashSet<(usize, usize)>,
}

impl Alpha {
    /// Binds a pair.
    fn bind(&mut self, x: Sym, y: Sym) -> bool {
        self.left.insert(x, y);
        self.right.insert(y, x);
        true
    }

    /// Whether two occurrences mean the same variable.
    fn sym(&self, x: Sym, y: Sym) -> bool {
        match (self.left.get(&x), self.right.get(&y)) {
            (Some(y0), Some(x0)) => *y0 == y && *x0 == x,
            (None, None) => x == y,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Called procedures, with bindings of their own.
    fn callee(&mut self, p: &Arc<Proc>, q: &Arc<Proc>) -> bool {
        let key = (Arc::as_ptr(p).addr(), Arc::as_ptr(q).addr());
        if Arc::ptr_eq(p, q) || self.equal.contains(&key) {
            return true;
        }
        let mut inner = Alpha { equal: std::mem::take(&mut self.equal), ..Alpha::default() };
        let same = inner.procedure(p, q);
        self.equal = inner.equal;
        if same {
            self.equal.insert(key);
        }
        same
    }

    /// Procedures.
    fn procedure(&mut self, p: &Proc, q: &Proc) -> bool {
        let Proc { name, args, preds, body, instr, span: _ } = p;
        let bound =
            args.len() == q.args.len() && args.iter().zip(&q.args).all(|(a, b)| self.bind(a.name, b.name));
        bound
            && *name == q.name
            && self.instr(instr.as_ref(), q.instr.as_ref())
            && args.iter().zip(&q.args).all(|(a, b)| self.arg(a, b))
            && preds.len() == q.preds.len()
            && preds.iter().zip(&q.preds).all(|(a, b)| self.expr(a, b))
            && self.block(body, &q.body)
    }

    /// What makes a procedure an instruction.
    fn instr(&mut self, a: Option<&Instr>, b: Option<&Instr>) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return a.is_none() && b.is_none() };
        let Instr { c_instr, c_global, cflags, rounds } = a;
        *c_instr == b.c_instr
            && *c_global == b.c_global
            && *cflags == b.cflags
            && match (rounds, &b.rounds) {
                (Rounds::Like(p), Rounds::Like(q)) => self.callee(p, q),
                (Rounds::AsWritten, Rounds::AsWritten) | (Rounds::Fused, Rounds::Fused) => true,
                (Rounds::AsWritten | Rounds::Fused | Rounds::Like(_), _) => false,
            }
    }

    /// Arguments.
    fn arg(&mut self, a: &Arg, b: &Arg) -> bool {
        match (&a.typ, &b.typ) {
            (ArgType::Control(s), ArgType::Control(t)) => s == t,
            (ArgType::Data { typ: s, mem: m }, ArgType::Data { typ: t, mem: n }) => {
                m == n && self.buffer(s, t)
            }
            (ArgType::Control(_), ArgType::Data { .. }) | (ArgType::Data { .. }, ArgType::Control(_)) => {
                false
            }
        }
    }

    /// Types of buffers.
    fn buffer(&mut self, a: &BufferType, b: &BufferType) -> bool {
        let BufferType { elem, shape, kind } = a;
        *elem == b.elem && *kind == b.kind && self.exprs(shape, &b.shape)
    }

    /// Blocks.
    fn block(&mut self, a: &Block, b: &Block) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(s, t)| grown(|| self.stmt(s, t)))
    }

    /// Statements.
    fn stmt(&mut self, a: &Stmt, b: &Stmt) -> bool {
        match (&*a.kind, &*b.kind) {
            (StmtKind::Assign { name: x, idx: i, rhs: e }, StmtKind::Assign { name: y, idx: j, rhs: f })
            | (StmtKind::Reduce { name: x, idx: i, rhs: e }, StmtKind::Reduce { name: y, idx: j, rhs: f }) => {
                self.sym(*x, *y) && self.exprs(i, j) && self.expr(e, f)
            }
            (
                StmtKind::WriteConfig { config: c, field: x, rhs: e },
                StmtKind::WriteConfig { config: d, field: y, rhs: f },
            ) => c == d && x == y && self.expr(e, f),
            (StmtKind::Pass, StmtKind::Pass) => true,
            (StmtKind::If { cond: e, body: s, orelse: o }, StmtKind::If { cond: f, body: t, orelse: u }) => {
                self.expr(e, f) && self.block(s, t) && self.block(o, u)
            }
            (
                StmtKind::For { iter: x, lo: l, hi: h, body: s, mode: m },
                StmtKind::For { iter: y, lo: k, hi: g, body: t, mode: n },
            ) => m == n && self.expr(l, k) && self.expr(h, g) && self.bind(*x, *y) && self.block(s, t),
            (StmtKind::Alloc { name: x, typ: s, mem: m }, StmtKind::Alloc { name: y, typ: t, mem: n }) => {
                m == n && self.buffer(s, t) && self.bind(*x, *y)
            }
            (StmtKind::WindowStmt { name: x, rhs: v }, StmtKind::WindowStmt { name: y, rhs: w }) => {
                self.window(v, w) && self.bind(*x, *y)
            }
            (StmtKind::Call { proc: p, args: a }, StmtKind::Call { proc: q, args: b }) => {
                self.callee(p, q) && self.exprs(a, b)
            }
            (
                StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. }
                | StmtKind::Call { .. },
                _,
            ) => false,
        }
    }

    /// Windows.
    fn window(&mut self, a: &WindowExpr, b: &WindowExpr) -> bool {
        self.sym(a.name, b.name)
            && a.idx.len() == b.idx.len()
            && a.idx.iter().zip(b.idx.iter()).all(|(v, w)| match (v, w) {
                (WinCoord::Point(e), WinCoord::Point(f)) => self.expr(e, f),
                (WinCoord::Interval(l, h), WinCoord::Interval(k, g)) => self.expr(l, k) && self.expr(h, g),
                (WinCoord::Point(_), WinCoord::Interval(..))
                | (WinCoord::Interval(..), WinCoord::Point(_)) => false,
            })
    }

    /// Lists of expressions.
    fn exprs(&mut self, a: &[Expr], b: &[Expr]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(e, f)| self.expr(e, f))
    }

    /// Expressions.
    fn expr(&mut self, a: &Expr, b: &Expr) -> bool {
        grown(|| match (&a.kind, &b.kind) {
            (ExprKind::Read { name: x, idx: i }, ExprKind::Read { name: y, idx: j }) => {
                self.sym(*x, *y) && self.exprs(i, j)
            }
            (ExprKind::Window(v), ExprKind::Window(w)) => self.window(v, w),
            (ExprKind::Lit(k), ExprKind::Lit(l)) => k == l,
            (ExprKind::Neg(e), ExprKind::Neg(f)) | (ExprKind::Not(e), ExprKind::Not(f)) => self.expr(e, f),
            (ExprKind::Bin { op: o, lhs: e, rhs: f }, ExprKind::Bin { op: p, lhs: g, rhs: h }) => {
                o == p && self.expr(e, g) && self.expr(f, h)
            }
            (ExprKind::Extern { func: f, args: a }, ExprKind::Extern { func: g, args: b }) => {
                f == g && self.exprs(a, b)
            }
            (ExprKind::Stride { name: x, dim: d }, ExprKind::Stride { name: y, dim: e }) => {
                d == e && self.sym(*x, *y)
            }
            (ExprKind::ReadConfig { config: c, field: x }, ExprKind::ReadConfig { config: d, field: y }) => {
                c == d && x == y
            }
            (
                ExprKind::Read { .. }
                | ExprKind::Window(_)
                | ExprKind::Lit(_)
                | ExprKind::Neg(_)
                | ExprKind::Not(_)
                | ExprKind::Bin { .. }
                | ExprKind::Extern { .. }
                | ExprKind::Stride { .. }
                | ExprKind::ReadConfig { .. },
                _,
            ) => false,
        })
    }
}

/// Recurses with more stack where little is left.
fn grown<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Prelude, parse_module};
    use crate::span::SourceMap;

    fn read(text: &str) -> Module {
        let mut sources = SourceMap::new();
        let file = sources.add("test", text);
        parse_module(file, &sources, &Prelude::standard()).module
    }

    fn same(a: &str, b: &str) -> bool {
        let head = "@proc\ndef f(n: size, m: size, x: f32[n, m]):\n";
        alpha_eq_module(&read(&format!("{head}{a}")), &read(&format!("{head}{b}")))
    }

    #[test]
    fn names_of_bound_variables_do_not_matter() {
        assert!(same(
            "    for i in seq(0, n):\n        x[i, 0] = 1\n",
            "    for j in seq(0, n):\n        x[j, 0] = 1.0\n"
        ));
        assert!(same("    t: f32\n    t = 1\n", "    u: f32\n    u = 1\n"));
        assert!(same("    t = x[0]\n    t[1] = 0\n", "    u = x[0, 0:m]\n    u[1] = 0\n"));
    }

    #[test]
    fn everything_else_does() {
        let body = "    for i in seq(0, n):\n        for j in seq(0, m):\n            x[i, j] = 1\n";
        for (from, to) in [
            ("x[i, j]", "x[j, i]"),
            ("seq(0, n)", "par(0, n)"),
            ("seq(0, n)", "seq(1, n)"),
            ("seq(0, n)", "seq(0, m)"),
            ("= 1", "+= 1"),
            ("= 1", "= 2"),
            ("= 1", "= x[i, j]"),
            ("x[i, j] = 1", "pass"),
        ] {
            assert!(body.contains(from));
            assert!(!same(body, &body.replacen(from, to, 1)), "{from} -> {to}");
        }
        assert!(!same("    t: f32\n", "    t: f64\n"));
        assert!(!same("    t: f32\n", "    t: f32 @ DRAM_STACK\n"));
    }

    #[test]
    fn one_variable_is_not_two() {
        let apart = "    for i in seq(0, n):\n        for j in seq(0, n):\n            x[i, 0] = x[j, 0]\n";
        assert!(!same(apart, &apart.replace("x[j, 0]", "x[i, 0]")));
    }
}

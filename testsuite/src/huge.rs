//! Programs with constants near the ends of 32 and 64 bits: generated ones, whose control expressions are
//! replaced by others of the same value over ℤ. Spec: [rule: c.range].

use rewright_campaign::rng::Rng;
use rewright_semantics::ast::{
    BinOp, Block, Expr, ExprKind, LoopMode, OpClass, Proc, Stmt, StmtKind, WinCoord, WindowExpr,
};
use rewright_semantics::build::{add, bin, div, int, mul, rem, sub};
use rewright_semantics::types::{ArgType, ControlType};
use std::sync::Arc;

/// The constants, and those next to them.
const NEAR: [i64; 9] = [1 << 24, 1 << 31, 1 << 32, 1 << 40, 1 << 53, 1 << 59, 1 << 60, 1 << 62, i64::MAX];

/// A constant near the end of some range.
pub fn constant(rng: &mut Rng) -> i64 {
    let near = rng.pick(&NEAR).copied().unwrap_or(i64::MAX);
    near.saturating_add(rng.between(-2, 2))
}

/// What was replaced, to be counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replaced {
    /// Integers.
    pub integers: usize,
    /// Comparisons.
    pub comparisons: usize,
    /// Loops that count from elsewhere.
    pub loops: usize,
}

/// The procedure with some of its control expressions replaced; half of the time its sizes are bounded by an
/// assertion.
pub fn enlarged(p: &Proc, rng: &mut Rng) -> (Proc, Replaced) {
    let mut enlarge = Enlarge { rng, replaced: Replaced::default() };
    let mut out = p.clone();
    if enlarge.rng.chance(50) {
        for a in &p.args {
            if let ArgType::Control(ControlType::Size) = a.typ {
                out.preds.push(bin(BinOp::Le, a.name, 40));
            }
        }
    }
    out.body = enlarge.block(&p.body);
    (out, enlarge.replaced)
}

struct Enlarge<'r> {
    rng: &'r mut Rng,
    replaced: Replaced,
}

impl Enlarge<'_> {
    fn block(&mut self, b: &Block) -> Block {
        b.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&mut self, s: &Stmt) -> Stmt {
        let kind = match &*s.kind {
            StmtKind::Assign { name, idx, rhs } => {
                StmtKind::Assign { name: *name, idx: self.all(idx), rhs: self.data(rhs) }
            }
            StmtKind::Reduce { name, idx, rhs } => {
                StmtKind::Reduce { name: *name, idx: self.all(idx), rhs: self.data(rhs) }
            }
            StmtKind::If { cond, body, orelse } => {
                StmtKind::If { cond: self.truth(cond), body: self.block(body), orelse: self.block(orelse) }
            }
            // Whether iterations are apart is seen from the indices as they are.
            StmtKind::For { mode: LoopMode::Par, .. } => (*s.kind).clone(),
            StmtKind::For { iter, lo, hi, body, mode } => {
                let shift = if self.rng.chance(25) { constant(self.rng) } else { 0 };
                let (mut lo, mut hi) = (self.integer(lo), self.integer(hi));
                let mut body = self.block(body);
                if shift != 0 {
                    self.replaced.loops += 1;
                    (lo, hi) = (add(lo, shift), add(hi, shift));
                    let by = sub(*iter, shift);
                    body = rewright_semantics::syntax::subst::subst_block(&body, *iter, &by);
                }
                StmtKind::For { iter: *iter, lo, hi, body, mode: *mode }
            }
            StmtKind::WindowStmt { name, rhs } => StmtKind::WindowStmt { name: *name, rhs: self.window(rhs) },
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::Call { .. } => (*s.kind).clone(),
        };
        Stmt { kind: kind.into(), span: s.span }
    }

    fn all(&mut self, es: &[Expr]) -> Arc<[Expr]> {
        es.iter().map(|e| self.integer(e)).collect()
    }

    fn window(&mut self, w: &WindowExpr) -> WindowExpr {
        let idx = w.idx.iter().map(|c| match c {
            WinCoord::Point(e) => WinCoord::Point(self.integer(e)),
            WinCoord::Interval(..) => c.clone(),
        });
        WindowExpr { name: w.name, idx: idx.collect() }
    }

    /// The indices in a data expression.
    fn data(&mut self, e: &Expr) -> Expr {
        let kind = match &e.kind {
            ExprKind::Read { name, idx } => ExprKind::Read { name: *name, idx: self.all(idx) },
            ExprKind::Neg(e) => ExprKind::Neg(Arc::new(self.data(e))),
            ExprKind::Bin { op, lhs, rhs } => {
                ExprKind::Bin { op: *op, lhs: Arc::new(self.data(lhs)), rhs: Arc::new(self.data(rhs)) }
            }
            ExprKind::Extern { func, args } => {
                ExprKind::Extern { func: *func, args: args.iter().map(|e| self.data(e)).collect() }
            }
            ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Not(_)
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => e.kind.clone(),
        };
        Expr { kind, span: e.span }
    }

    /// A condition: both sides of a comparison of integers are shifted or scaled.
    fn truth(&mut self, e: &Expr) -> Expr {
        let ExprKind::Bin { op, lhs, rhs } = &e.kind else { return e.clone() };
        if matches!(op, BinOp::And | BinOp::Or) {
            return bin(*op, self.truth(lhs), self.truth(rhs));
        }
        if op.class() != OpClass::Comparison || *op == BinOp::Eq || !self.rng.chance(40) {
            return e.clone();
        }
        self.replaced.comparisons += 1;
        let k = constant(self.rng);
        let (l, r) = ((**lhs).clone(), (**rhs).clone());
        match self.rng.below(3) {
            0 => bin(*op, add(l, k), add(r, k)),
            1 => bin(*op, sub(l, k), sub(r, k)),
            _ => bin(*op, mul(k, l), mul(k, r)),
        }
    }

    /// An integer of the same value.
    fn integer(&mut self, e: &Expr) -> Expr {
        if !self.rng.chance(20) {
            return e.clone();
        }
        self.replaced.integers += 1;
        let k = constant(self.rng);
        let e = e.clone();
        match self.rng.below(7) {
            0 => sub(add(e, k), k),
            1 => sub(add(int(k), e), k),
            2 => add(sub(e, k), k),
            3 => div(mul(k, e), k),
            4 => div(add(mul(k, e), k - 1), k),
            5 => add(rem(mul(k, e.clone()), k), e),
            _ => sub(mul(k, e.clone()), mul(k - 1, e)),
        }
    }
}

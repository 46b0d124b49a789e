//! Calls of procedures that were generated before: actual arguments that satisfy the callee's
//! assertions, agree with its shapes and do not alias.

use super::affine::Affine;
use super::scope::{Buffer, Scope};
use super::stmts::declare;
use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, ControlType};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Scope<'_> {
    /// A call, preceded by the allocations it needs; nothing when no callee fits.
    pub(super) fn call(&mut self) -> Vec<Stmt> {
        let Some(callee) = self.rng.pick(self.callees).cloned() else { return Vec::new() };
        let Some(sizes) = self.actual_sizes(&callee) else { return Vec::new() };
        let (mut before, mut args, mut used) = (Vec::new(), Vec::new(), Vec::new());
        for formal in &callee.args {
            let actual = match &formal.typ {
                ArgType::Control(t) => match sizes.get(&formal.name) {
                    Some(size) => size.to_expr(),
                    None => self.control_actual(*t),
                },
                ArgType::Data { typ, .. } => self.data_actual(typ, &sizes, &mut used, &mut before),
            };
            args.push(actual);
        }
        before.push(Stmt::new(StmtKind::Call { proc: callee, args: args.into() }));
        before
    }

    /// A value for each size of the callee: any size in scope, or literals that satisfy its assertions.
    fn actual_sizes(&mut self, callee: &Proc) -> Option<BTreeMap<Sym, Affine>> {
        let formals: Vec<Sym> = callee
            .args
            .iter()
            .filter(|a| a.typ == ArgType::Control(ControlType::Size))
            .map(|a| a.name)
            .collect();
        let about_sizes: Vec<&Expr> = callee.preds.iter().filter(|p| !about_strides(p)).collect();
        if about_sizes.is_empty() {
            return Some(formals.into_iter().map(|x| (x, self.size_actual())).collect());
        }
        for _ in 0..30 {
            let values: BTreeMap<Sym, i64> = formals.iter().map(|&x| (x, self.rng.between(1, 8))).collect();
            if about_sizes.iter().all(|p| holds(p, &values)) {
                return Some(values.into_iter().map(|(x, k)| (x, Affine::constant(k))).collect());
            }
        }
        None
    }

    fn size_actual(&mut self) -> Affine {
        if self.rng.chance(40) { Affine::constant(self.rng.between(1, 4)) } else { self.extent() }
    }

    fn control_actual(&mut self, t: ControlType) -> Expr {
        match t {
            ControlType::Bool => self.condition().0,
            ControlType::Int | ControlType::Index | ControlType::Stride => self.integer(),
            ControlType::Size => self.extent().to_expr(),
        }
    }

    fn data_actual(
        &mut self,
        formal: &BufferType,
        sizes: &BTreeMap<Sym, Affine>,
        used: &mut Vec<Sym>,
        before: &mut Vec<Stmt>,
    ) -> Expr {
        let shape: Vec<Affine> = formal.shape.iter().map(|e| substituted(e, sizes)).collect();
        let fitting: Vec<Buffer> = self
            .buffers
            .iter()
            .filter(|b| b.writable && b.readable && b.elem == formal.elem && !used.contains(&b.root))
            .filter(|b| fits(b, formal.kind, &shape))
            .cloned()
            .collect();
        if let Some(b) = self.rng.pick(&fitting).cloned() {
            used.push(b.root);
            return whole(&b, formal.kind, self.rng.chance(40));
        }
        // A tensor is given rows now and then: all of the last dimensions of a larger one.
        let part = formal.kind == ArrayKind::Window || shape.is_empty() || self.rng.chance(50);
        if part
            && self.rng.chance(80)
            && let Some(actual) = self.part(formal, &shape, used)
        {
            return actual;
        }
        let rows = formal.kind == ArrayKind::Tensor && !shape.is_empty() && self.rng.chance(60);
        let rows = rows.then(|| self.rng.between(1, 3));
        let shape = rows.map(Affine::constant).into_iter().chain(shape).collect();
        let b = self.new_buffer(Sym::fresh("arg"), formal.elem, shape);
        before.push(declare(&b));
        before.push(self.initialise(&b));
        used.push(b.root);
        self.buffers.push(b.clone());
        match rows {
            Some(rows) => {
                let at = self.rng.between(0, rows - 1);
                row(&b, at)
            }
            None => whole(&b, formal.kind, false),
        }
    }

    /// A window of the wanted extents onto a buffer that is large enough, one dimension at a time.
    fn part(&mut self, formal: &BufferType, shape: &[Affine], used: &mut Vec<Sym>) -> Option<Expr> {
        let fitting: Vec<Buffer> = self
            .buffers
            .iter()
            .filter(|b| b.writable && b.readable && b.elem == formal.elem && !used.contains(&b.root))
            .filter(|b| b.shape.len() >= shape.len() && b.kind == ArrayKind::Tensor)
            .filter(|b| formal.kind == ArrayKind::Window || are_rows(b, shape))
            .cloned()
            .collect();
        let b = self.rng.pick(&fitting)?.clone();
        let extra = b.shape.len() - shape.len();
        let mut idx = Vec::new();
        for (d, extent) in b.shape.iter().enumerate() {
            let Some(want) = d.checked_sub(extra).map(|k| &shape[k]) else {
                idx.push(WinCoord::Point(self.index(extent)));
                continue;
            };
            let lo = Affine::constant(self.rng.between(0, 1));
            let hi = lo.plus(1, want);
            let (lo, hi) =
                if self.ends_within(&hi, extent) { (lo, hi) } else { (Affine::default(), want.clone()) };
            if !self.ends_within(&hi, extent) {
                return None;
            }
            idx.push(WinCoord::Interval(lo.to_expr(), hi.to_expr()));
        }
        used.push(b.root);
        if let Some(cell) = cell(&idx) {
            return Some(Expr::new(ExprKind::Read { name: b.name, idx: cell }));
        }
        Some(Expr::new(ExprKind::Window(WindowExpr { name: b.name, idx: idx.into() })))
    }

    fn ends_within(&self, hi: &Affine, extent: &Affine) -> bool {
        super::affine::nonnegative(&extent.plus(-1, hi), &self.known)
    }
}

/// The indices, when all dimensions are fixed: one cell, passed by reference.
fn cell(idx: &[WinCoord]) -> Option<Arc<[Expr]>> {
    let point = |w: &WinCoord| match w {
        WinCoord::Point(e) => Some(e.clone()),
        WinCoord::Interval(..) => None,
    };
    idx.iter().map(point).collect()
}

/// Whether parts of `b` of this shape are dense: they have all of its dimensions but for the first that they keep.
fn are_rows(b: &Buffer, shape: &[Affine]) -> bool {
    let kept = b.shape.iter().skip(b.shape.len() - shape.len());
    kept.zip(shape).skip(1).all(|(has, want)| has == want)
}

/// Whether the whole of `b` can be passed. The last dimension of a window may be strided, which an
/// assertion of the callee may forbid, so only dense buffers are passed for windows.
fn fits(b: &Buffer, kind: ArrayKind, shape: &[Affine]) -> bool {
    let dense = b.kind == ArrayKind::Tensor || shape.is_empty();
    b.shape == shape && dense && (kind == ArrayKind::Window || b.kind == ArrayKind::Tensor)
}

fn whole(b: &Buffer, kind: ArrayKind, sliced: bool) -> Expr {
    if kind == ArrayKind::Window && sliced && !b.shape.is_empty() {
        let all = |n: &Affine| WinCoord::Interval(Affine::constant(0).to_expr(), n.to_expr());
        let idx: Vec<WinCoord> = b.shape.iter().map(all).collect();
        return Expr::new(ExprKind::Window(WindowExpr { name: b.name, idx: idx.into() }));
    }
    Expr::new(ExprKind::Read { name: b.name, idx: Arc::from([]) })
}

/// One row of `b`.
fn row(b: &Buffer, at: i64) -> Expr {
    let all = |n: &Affine| WinCoord::Interval(Affine::constant(0).to_expr(), n.to_expr());
    let mut idx = vec![WinCoord::Point(Affine::constant(at).to_expr())];
    idx.extend(b.shape.iter().skip(1).map(all));
    Expr::new(ExprKind::Window(WindowExpr { name: b.name, idx: idx.into() }))
}

fn about_strides(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Stride { .. } => true,
        ExprKind::Bin { lhs, rhs, .. } => about_strides(lhs) || about_strides(rhs),
        ExprKind::Neg(e) | ExprKind::Not(e) => about_strides(e),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Extern { .. }
        | ExprKind::ReadConfig { .. } => false,
    }
}

/// A shape of the callee in the caller's terms. Generated shapes are sums of sizes and literals.
fn substituted(e: &Expr, sizes: &BTreeMap<Sym, Affine>) -> Affine {
    match &e.kind {
        ExprKind::Read { name, .. } => sizes.get(name).cloned().unwrap_or_else(|| Affine::var(*name)),
        ExprKind::Lit(Literal::Int(k)) => Affine::constant(*k),
        ExprKind::Neg(e) => Affine::default().plus(-1, &substituted(e, sizes)),
        ExprKind::Bin { op, lhs, rhs } => {
            let (l, r) = (substituted(lhs, sizes), substituted(rhs, sizes));
            match (op, l.as_constant(), r.as_constant()) {
                (BinOp::Sub, _, _) => l.plus(-1, &r),
                (BinOp::Mul, Some(k), _) => Affine::default().plus(k, &r),
                (BinOp::Mul, None, Some(k)) => Affine::default().plus(k, &l),
                _ => l.plus(1, &r),
            }
        }
        ExprKind::Window(_)
        | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => unreachable!("generated extents are affine"),
    }
}

/// Whether a generated assertion about sizes holds.
fn holds(e: &Expr, values: &BTreeMap<Sym, i64>) -> bool {
    let ExprKind::Bin { op, lhs, rhs } = &e.kind else { return false };
    let (l, r) = (integer(lhs, values), integer(rhs, values));
    if *op == BinOp::Eq { l == r } else { *op == BinOp::Le && l <= r }
}

fn integer(e: &Expr, values: &BTreeMap<Sym, i64>) -> i64 {
    match &e.kind {
        ExprKind::Lit(Literal::Int(k)) => *k,
        ExprKind::Read { name, .. } => values.get(name).copied().unwrap_or(0),
        ExprKind::Bin { op: BinOp::Mod, lhs, rhs } => {
            integer(lhs, values).rem_euclid(integer(rhs, values).max(1))
        }
        ExprKind::Bin { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => unreachable!("generated assertions compare sizes and remainders"),
    }
}

//! Equality of statements up to bound names and the form of integers: what two runs of statements that are congruent
//! do is the same, operation by operation. Spec: [rule: unification.congruent].
//!
//! Integers are compared in linear normal form, comparisons as `e ≥ 0` and `e = 0`, parts of buffers by coordinates.
//! An integer of the second may read no field that its counterpart does not read: one that cancels may not be set.

use super::pairs::{self, Pair};
use crate::cursor::path::{Step, child_block};
use crate::tools::requires::equal::fields;
use rewright_semantics::ast::{Block, Expr, ExprKind, Stmt, WinCoord, WindowExpr};
use rewright_semantics::build::int;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::comparison::{Comparison, Sign};
use rewright_semantics::types::env::{Part, TypeEnv};
use rewright_semantics::types::linear::{Atom, Linear};
use rustc_hash::FxHashMap;

/// Whether `second` does what `first` does, which stands where the names of `env` are in scope.
///
/// # Errors
/// The first statements that differ.
pub fn congruent(env: &TypeEnv, first: &Block, second: &Block) -> Result<(), Box<(Stmt, Stmt)>> {
    let mut c = Congruence { bound: FxHashMap::default(), wrong: None };
    if c.block(env, first, second) {
        return Ok(());
    }
    let pass = rewright_semantics::build::pass();
    Err(Box::new(c.wrong.unwrap_or((pass.clone(), pass))))
}

struct Congruence {
    /// What the second binds, with what the first binds there.
    bound: FxHashMap<Sym, Sym>,
    wrong: Option<(Stmt, Stmt)>,
}

impl Congruence {
    fn block(&mut self, env: &TypeEnv, a: &Block, b: &Block) -> bool {
        let mut env = env.clone();
        a.len() == b.len()
            && a.iter().zip(b).all(|(s, t)| {
                let same = self.stmt(&env, s, t);
                if !same && self.wrong.is_none() {
                    self.wrong = Some((s.clone(), t.clone()));
                }
                env.pass(s);
                same
            })
    }

    fn stmt(&mut self, env: &TypeEnv, s: &Stmt, t: &Stmt) -> bool {
        let Some(parts) = pairs::heads(s, t) else { return false };
        parts.into_iter().all(|part| self.pair(env, part)) && self.blocks(env, s, t)
    }

    fn pair(&mut self, env: &TypeEnv, pair: Pair<'_>) -> bool {
        match pair {
            Pair::Cell(a, b) => self.cell(a, b),
            Pair::Window((x, v), (y, w)) => self.same_sym(x, y) && self.coords(v, w),
            Pair::Data(e, d) => self.value(e, d),
            Pair::Int(e, d) => self.int(e, d),
            Pair::Truth(e, d) => self.truth(e, d),
            Pair::Place(e, d) => self.place(env, e, d),
            Pair::Bound(x, y) => {
                self.bound.insert(y, x);
                true
            }
        }
    }

    /// The blocks of two statements of one head.
    fn blocks(&mut self, env: &TypeEnv, s: &Stmt, t: &Stmt) -> bool {
        let within = [(Part::Body, Step::Body(0)), (Part::Orelse, Step::Orelse(0))];
        within.into_iter().all(|(part, step)| match (child_block(s, step), child_block(t, step)) {
            (Some(b), Some(c)) => self.block(&env.within(s, part), b, c),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        })
    }

    fn name(&self, y: Sym) -> Sym {
        self.bound.get(&y).copied().unwrap_or(y)
    }

    fn same_sym(&self, x: Sym, y: Sym) -> bool {
        x == self.name(y)
    }

    fn linear(&self, e: &Expr) -> Option<Linear> {
        let by = |a: &Atom| match a {
            Atom::Var(x) => self.bound.get(x).map(|y| Linear::atom(Atom::Var(*y))),
            Atom::Stride(x, d) => self.bound.get(x).map(|y| Linear::atom(Atom::Stride(*y, *d))),
            Atom::Config(_) | Atom::Div(..) => None,
        };
        Linear::of(e).ok()?.substitute(&by).ok()
    }

    /// Two integers.
    fn int(&self, a: &Expr, b: &Expr) -> bool {
        let same = Linear::of(a).ok().zip(self.linear(b)).is_some_and(|(l, m)| l == m);
        same && reads_no_more(a, b)
    }

    fn ints(&self, a: &[Expr], b: &[Expr]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(e, d)| self.int(e, d))
    }

    fn cell(&self, (x, i): (Sym, &[Expr]), (y, j): (Sym, &[Expr])) -> bool {
        self.same_sym(x, y) && self.ints(i, j)
    }

    fn coords(&self, v: &[WinCoord], w: &[WinCoord]) -> bool {
        v.len() == w.len()
            && v.iter().zip(w).all(|pair| match pair {
                (WinCoord::Point(e), WinCoord::Point(d)) => self.int(e, d),
                (WinCoord::Interval(l, h), WinCoord::Interval(k, g)) => self.int(l, k) && self.int(h, g),
                (WinCoord::Point(_), WinCoord::Interval(..))
                | (WinCoord::Interval(..), WinCoord::Point(_)) => false,
            })
    }

    /// Two places that are passed by reference: all of a buffer is the part from 0 to its extents.
    fn place(&self, env: &TypeEnv, e: &Expr, d: &Expr) -> bool {
        if let (ExprKind::Read { name: x, idx: i }, ExprKind::Read { name: y, idx: j }) = (&e.kind, &d.kind)
            && i.len() == j.len()
        {
            return self.cell((*x, i), (*y, j));
        }
        let whole = |x: Sym| {
            let shape = env.buffer(x)?.shape.clone();
            let known = shape.iter().all(|e| fields(e).is_empty());
            known.then(|| shape.iter().map(|n| WinCoord::Interval(int(0), n.clone())).collect::<Vec<_>>())
        };
        let part = |e: &Expr| match &e.kind {
            ExprKind::Read { name, idx } if idx.is_empty() => Some((*name, whole(self.name(*name))?)),
            ExprKind::Read { name, idx } => Some((*name, idx.iter().cloned().map(WinCoord::Point).collect())),
            ExprKind::Window(WindowExpr { name, idx }) => Some((*name, idx.to_vec())),
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => None,
        };
        match (part(e), part(d)) {
            (Some((x, v)), Some((y, w))) => self.same_sym(x, y) && self.coords(&v, &w),
            (None, _) | (_, None) => false,
        }
    }

    /// Two data values.
    fn value(&self, e: &Expr, d: &Expr) -> bool {
        let same = |pair| match pair {
            Pair::Cell(a, b) => self.cell(a, b),
            Pair::Data(a, b) => self.value(a, b),
            // No data is made of these.
            Pair::Window(..) | Pair::Int(..) | Pair::Truth(..) | Pair::Place(..) | Pair::Bound(..) => false,
        };
        pairs::data(e, d).is_some_and(|parts| parts.into_iter().all(same))
    }

    /// Two truth values.
    fn truth(&self, e: &Expr, d: &Expr) -> bool {
        if let (Some(a), Some(b)) = (Comparison::of(e), Comparison::of(d)) {
            let turned = a.sign == Sign::Zero && self.opposite(&a.value, &b.value);
            return a.sign == b.sign && reads_no_more(e, d) && (self.int(&a.value, &b.value) || turned);
        }
        match (&e.kind, &d.kind) {
            (ExprKind::Not(a), ExprKind::Not(b)) => self.truth(a, b),
            (ExprKind::Bin { op, lhs: a, rhs: b }, ExprKind::Bin { op: other, lhs: c, rhs: g }) => {
                op == other && self.truth(a, c) && self.truth(b, g)
            }
            (ExprKind::Read { .. }, ExprKind::Read { .. })
            | (ExprKind::Lit(_), ExprKind::Lit(_))
            | (ExprKind::ReadConfig { .. }, ExprKind::ReadConfig { .. }) => self.value(e, d),
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
        }
    }

    /// `a = -b`
    fn opposite(&self, a: &Expr, b: &Expr) -> bool {
        let turned = self.linear(b).and_then(|m| m.times(-1).ok());
        Linear::of(a).ok().zip(turned).is_some_and(|(l, m)| l == m)
    }
}

/// Whether the second expression reads only fields that the first reads.
fn reads_no_more(a: &Expr, b: &Expr) -> bool {
    let known = fields(a);
    fields(b).iter().all(|f| known.contains(f))
}

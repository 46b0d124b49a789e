//! The structural half: statements and data must match exactly, integers are equations. Spec:
//! [rule: unification.match].

use super::MOST_ORDERS;
use super::problem::{Equation, Mismatch, Order, Problem, WindowEquation};
use crate::cursor::path::{Step, child, child_block, shifted};
use crate::tools::syntax::pairs::{self, Pair};
use rewright_semantics::ast::{BinOp, Block, Expr, ExprKind, Literal, Proc, Stmt, WinCoord, WindowExpr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::comparison::Comparison;
use rewright_semantics::types::ArgType;

type Found = Result<Vec<Problem>, Mismatch>;
type Done = Result<(), Mismatch>;

/// The ways in which a block has the form of a procedure's body: with its statements in that order, or in any.
pub(super) fn matches(callee: &Proc, block: &Block, first: &[Step], any_order: bool) -> Found {
    Matcher { callee, any_order }.block(Problem::default(), &callee.body, block, (first, Span::NONE))
}

/// Whether statements that stand alone in their blocks are of the same kinds, one inside the other: no names are asked for.
///
/// # Errors
/// They are not: the first two that differ.
pub(super) fn alike(callee: &Proc, block: &Block) -> Done {
    let alone = |b: &'_ Block| if b.len() == 1 { b.front().cloned() } else { None };
    let (mut f, mut s) = (alone(&callee.body), alone(block));
    while let (Some(one), Some(other)) = (&f, &s) {
        if pairs::heads(one, other).is_none() {
            return Err(Mismatch::differ(callee.name, one, other));
        }
        let inside = |s: &Stmt| child_block(s, Step::Body(0)).and_then(alone);
        (f, s) = (inside(one), inside(other));
    }
    Ok(())
}

/// Whether a block, or one in it, has statements that could stand in another order.
pub(super) fn has_orders(b: &Block) -> bool {
    let inner = |s| [Step::Body(0), Step::Orelse(0)].into_iter().filter_map(move |step| child_block(s, step));
    b.len() > 1 || b.iter().flat_map(inner).any(has_orders)
}

struct Matcher<'a> {
    callee: &'a Proc,
    any_order: bool,
}

impl Matcher<'_> {
    fn formal(&self, x: Sym) -> Option<&ArgType> {
        self.callee.args.iter().find(|a| a.name == x).map(|a| &a.typ)
    }

    fn block(&self, problem: Problem, f: &Block, s: &Block, (first, outer): (&[Step], Span)) -> Found {
        if f.len() != s.len() {
            let at = s.iter().fold(Span::NONE, |span, s| span.to(s.span));
            let why = format!("`{}` has {} here, and the block {}", self.callee.name, count(f), count(s));
            return Err(Mismatch::new(if at.is_none() { outer } else { at }, why));
        }
        if !self.any_order || f.len() < 2 {
            let mut states = vec![problem];
            for (k, (f, s)) in f.iter().zip(s).enumerate() {
                let path = at_index(first, k);
                states = self.each(states, |state| self.stmt(state, f, s, &path))?;
            }
            let of: Vec<usize> = (0..f.len()).collect();
            return Ok(ordered(states.into_iter().map(|p| (of.clone(), p)).collect(), first));
        }
        let mut states = vec![(Vec::new(), problem)];
        for f in f {
            let mut next = Vec::new();
            let mut wrong = None;
            for (taken, state) in &states {
                for (j, s) in s.iter().enumerate().filter(|(j, _)| !taken.contains(j)) {
                    match self.stmt(state.clone(), f, s, &at_index(first, j)) {
                        Ok(found) => next.extend(found.into_iter().map(|p| {
                            let mut taken = taken.clone();
                            taken.push(j);
                            (taken, p)
                        })),
                        Err(e) => drop(wrong.get_or_insert(e)),
                    }
                }
            }
            next.truncate(MOST_ORDERS);
            match wrong {
                Some(e) if next.is_empty() => return Err(e),
                Some(_) | None => states = next,
            }
        }
        Ok(ordered(states, first))
    }

    /// What comes of every state, or the first reason why nothing does.
    fn each(&self, states: Vec<Problem>, mut f: impl FnMut(Problem) -> Found) -> Found {
        let (mut out, mut wrong) = (Vec::new(), None);
        for state in states {
            match f(state) {
                Ok(found) => out.extend(found),
                Err(e) => drop(wrong.get_or_insert(e)),
            }
        }
        match wrong {
            Some(e) if out.is_empty() => Err(e),
            Some(_) | None => Ok(out),
        }
    }

    fn stmt(&self, mut p: Problem, f: &Stmt, s: &Stmt, path: &[Step]) -> Found {
        let parts = pairs::heads(f, s).ok_or_else(|| self.differ(f, s))?;
        parts.into_iter().try_for_each(|part| self.pair(&mut p, part, s.span))?;
        let mut states = vec![p];
        for step in [Step::Body(0), Step::Orelse(0)] {
            if let (Some(b), Some(c)) = (child_block(f, step), child_block(s, step)) {
                states = self.each(states, |p| self.block(p, b, c, (&child(path, step), s.span)))?;
            }
        }
        Ok(states)
    }

    fn pair(&self, p: &mut Problem, pair: Pair<'_>, at: Span) -> Done {
        match pair {
            Pair::Cell(a, b) => self.cell(p, a, b, at),
            Pair::Window((x, v), (y, w)) => self.part(p, (x, Some(v)), (y, Some(w)), at),
            Pair::Data(e, d) => self.data(p, e, d, at),
            Pair::Truth(e, d) => self.truth(p, e, d, at),
            Pair::Place(e, d) => self.place(p, e, d, at),
            Pair::Int(e, d) => {
                equation(p, e, d, at);
                Ok(())
            }
            Pair::Bound(x, y) => {
                p.bound.insert(x, y);
                Ok(())
            }
        }
    }

    fn differ(&self, f: &Stmt, s: &Stmt) -> Mismatch {
        Mismatch::differ(self.callee.name, f, s)
    }

    /// `x[i]` of the procedure is `y[j]` of the block.
    fn cell(&self, p: &mut Problem, (x, i): (Sym, &[Expr]), (y, j): (Sym, &[Expr]), at: Span) -> Done {
        let points = |idx: &[Expr]| idx.iter().cloned().map(WinCoord::Point).collect::<Vec<_>>();
        self.part(p, (x, Some(&points(i))), (y, Some(&points(j))), at)
    }

    /// A part of a buffer of the procedure is one of the block.
    fn part(
        &self,
        p: &mut Problem,
        (x, v): (Sym, Option<&[WinCoord]>),
        (y, w): (Sym, Option<&[WinCoord]>),
        at: Span,
    ) -> Done {
        if self.formal(x).is_some() {
            if p.is_inner(y) {
                let why =
                    format!("`{x}` of `{}` would be `{y}`, which the block itself defines", self.callee.name);
                return Err(Mismatch::new(at, why));
            }
            let (callee, block) = (v.map(<[WinCoord]>::to_vec), w.map(<[WinCoord]>::to_vec));
            p.accesses.push(WindowEquation { formal: x, callee, buffer: y, block, at });
            return Ok(());
        }
        if p.bound.get(&x) != Some(&y) {
            let why = format!("`{x}` of `{}` is not `{y}` of the block", self.callee.name);
            return Err(Mismatch::new(at, why));
        }
        let (v, w) = match (v, w) {
            (Some(v), Some(w)) => (v, w),
            // All of a buffer may be written as a part: that is seen when the arguments are known.
            (None, None) | (Some(_), None) | (None, Some(_)) => return Ok(()),
        };
        for pair in v.iter().zip(w) {
            match pair {
                (WinCoord::Point(e), WinCoord::Point(d)) => equation(p, e, d, at),
                (WinCoord::Interval(l, h), WinCoord::Interval(k, g)) => {
                    equation(p, l, k, at);
                    equation(p, h, g, at);
                }
                (WinCoord::Point(_), WinCoord::Interval(..))
                | (WinCoord::Interval(..), WinCoord::Point(_)) => {
                    return Err(Mismatch::new(at, format!("different dimensions of `{y}` are kept")));
                }
            }
        }
        Ok(())
    }

    fn place(&self, p: &mut Problem, f: &Expr, s: &Expr, at: Span) -> Done {
        match (passed(f), passed(s)) {
            (Some((x, v)), Some((y, w))) => self.part(p, (x, v.as_deref()), (y, w.as_deref()), at),
            (None, _) | (_, None) => Err(self.unlike(f, s, at)),
        }
    }

    fn unlike(&self, f: &Expr, s: &Expr, at: Span) -> Mismatch {
        Mismatch::unlike(if s.span.is_none() { at } else { s.span }, self.callee.name, f, s)
    }

    /// A data value of the procedure is one of the block.
    fn data(&self, p: &mut Problem, f: &Expr, s: &Expr, at: Span) -> Done {
        let parts = pairs::data(f, s).ok_or_else(|| self.unlike(f, s, at))?;
        parts.into_iter().try_for_each(|part| self.pair(p, part, at))
    }

    /// A truth value of the procedure is one of the block.
    fn truth(&self, p: &mut Problem, f: &Expr, s: &Expr, at: Span) -> Done {
        if let ExprKind::Read { name, .. } = &f.kind
            && self.formal(*name).is_some()
        {
            p.truths.push((*name, s.clone(), at));
            return Ok(());
        }
        if let (Some(a), Some(b)) = (Comparison::of(f), Comparison::of(s)) {
            if a.sign != b.sign {
                return Err(self.unlike(f, s, at));
            }
            equation(p, &a.value, &b.value, at);
            return Ok(());
        }
        match (&f.kind, &s.kind) {
            (ExprKind::Lit(Literal::Bool(a)), ExprKind::Lit(Literal::Bool(b))) if a == b => Ok(()),
            (ExprKind::Not(a), ExprKind::Not(b)) => self.truth(p, a, b, at),
            (ExprKind::Bin { op, lhs: a, rhs: b }, ExprKind::Bin { op: other, lhs: c, rhs: d })
                if op == other && matches!(op, BinOp::And | BinOp::Or | BinOp::Eq) =>
            {
                self.truth(p, a, c, at)?;
                self.truth(p, b, d, at)
            }
            (ExprKind::ReadConfig { config: c, field: x }, ExprKind::ReadConfig { config: d, field: y })
                if c.name == d.name && x == y =>
            {
                Ok(())
            }
            (ExprKind::Read { name: x, .. }, ExprKind::Read { name: y, .. }) if x == y => Ok(()),
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
            ) => Err(self.unlike(f, s, at)),
        }
    }
}

/// The states with the order in which each took the statements.
fn ordered(states: Vec<(Vec<usize>, Problem)>, first: &[Step]) -> Vec<Problem> {
    states
        .into_iter()
        .map(|(of, mut p)| {
            p.orders.push(Order { first: first.to_vec(), of });
            p
        })
        .collect()
}

fn at_index(first: &[Step], k: usize) -> Vec<Step> {
    shifted(first, isize::try_from(k).unwrap_or(isize::MAX))
}

fn equation(p: &mut Problem, callee: &Expr, block: &Expr, at: Span) {
    let at = if block.span.is_none() { at } else { block.span };
    p.equations.push(Equation { callee: callee.clone(), block: block.clone(), at });
}

/// What an argument of data shows: all of a buffer, or a part.
fn passed(e: &Expr) -> Option<(Sym, Option<Vec<WinCoord>>)> {
    match &e.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => Some((*name, None)),
        ExprKind::Read { name, idx } => {
            Some((*name, Some(idx.iter().cloned().map(WinCoord::Point).collect())))
        }
        ExprKind::Window(WindowExpr { name, idx }) => Some((*name, Some(idx.to_vec()))),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

fn count(b: &Block) -> String {
    match b.len() {
        0 => "nothing".to_owned(),
        1 => "one statement".to_owned(),
        n => format!("{n} statements"),
    }
}

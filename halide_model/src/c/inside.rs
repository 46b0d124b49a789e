//! Loops over a box and its edges run in three parts: `max(min(e, hi), lo)` is `e` in the iterations in the middle, which a
//! compiler can vectorize. Spec: [rule: halide.c-inside].

use super::cut::is_plain;
use super::range::overflows;
use super::value_range::Known;
use crate::bounds::normal::{Normal, Normalizer, Sum, simplify};
use crate::expr::{Expr, Interval, Var};
use crate::op::Op;
use crate::tgt::walk::map_block;
use crate::tgt::{Block, For, Order, Program, Stmt};
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

/// A loop with more different clamps is left as it is: its ends would be a minimum of so many.
const MOST: usize = 8;

/// A program with its innermost loops in three parts, where they clamp.
pub(super) fn inside(t: &Program) -> Block {
    let known = Known { vars: overflows(t).vars, ..Known::default() };
    Pass { t, known }.block(&t.body)
}

struct Pass<'a> {
    t: &'a Program,
    /// What variables hold.
    known: Known,
}

impl Pass<'_> {
    fn block(&self, b: &Block) -> Block {
        b.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&self, s: &Stmt) -> Stmt {
        match s {
            Stmt::Let { var, value, body } => {
                Stmt::Let { var: *var, value: value.clone(), body: self.block(body) }
            }
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: cond.clone(), then: self.block(then), other: self.block(other) }
            }
            Stmt::Label { label, body } => Stmt::Label { label: *label, body: self.block(body) },
            Stmt::For(l) => {
                self.parts(l).unwrap_or_else(|| Stmt::For(For { body: self.block(&l.body), ..l.clone() }))
            }
            Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } => s.clone(),
        }
    }

    /// A loop in three parts.
    fn parts(&self, l: &For) -> Option<Stmt> {
        let ordered = match l.order {
            Order::Serial | Order::Vectorized => true,
            Order::Parallel | Order::Unrolled => false,
        };
        if !ordered || l.domain.len.as_i64().is_some() || self.t.hoisted.values().any(|at| *at == l.name()) {
            return None;
        }
        let Interval { min, len } = l.domain.clone();
        let end = simplify(&Expr::binary(Op::Add, min.clone(), len));
        let mut found = Clamps {
            v: l.variable(),
            ends: [min.clone(), end.clone()],
            inner: BTreeMap::new(),
            lets: Vec::new(),
            plain: BTreeMap::new(),
            other: BTreeSet::new(),
        };
        found.block(&l.body)?;
        let Clamps { plain, other, .. } = found;
        let taken: BTreeMap<Expr, (Expr, Vec<Middle>)> =
            plain.into_iter().filter(|(e, _)| !other.contains(e)).collect();
        let middles: BTreeSet<&Middle> = taken.values().flat_map(|(_, m)| m).collect();
        if middles.is_empty() || middles.len() > MOST {
            return None;
        }
        let body =
            map_block(&l.body, &mut |e| e.rewrite(&mut |e| taken.get(e).map(|(index, _)| index.clone())));
        let first = middles.iter().fold(min.clone(), |a, m| Expr::binary(Op::Max, a, m.first.clone()));
        let first = simplify(&Expr::binary(Op::Min, first, end.clone()));
        let [from, to] =
            ["inside", "outside"].map(|w| Var::Loop(l.site, Name::new(&format!("{} {w}", l.var))));
        let last = middles.iter().fold(end.clone(), |a, m| Expr::binary(Op::Min, a, m.end.clone()));
        let last = simplify(&Expr::binary(Op::Max, Expr::Var(from), last));
        // No number is met that the program does not have.
        if ![&first, &last].into_iter().all(|e| self.known.held(e, false).0) {
            return None;
        }
        let part = |min: Expr, end: Expr, body: &Block| {
            let len = simplify(&Expr::binary(Op::Sub, end, min.clone()));
            Stmt::For(For { domain: Interval { min, len }, body: body.clone(), ..l.clone() })
        };
        let [from_here, to_here] = [Expr::Var(from), Expr::Var(to)];
        let loops = vec![
            part(min, from_here.clone(), &l.body),
            part(from_here, to_here.clone(), &body),
            part(to_here, end, &l.body),
        ];
        let rest = Stmt::Let { var: to, value: last, body: loops };
        Some(Stmt::Let { var: from, value: first, body: vec![rest] })
    }
}

/// The iterations in which an index needs no clamp.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Middle {
    first: Expr,
    /// Behind the last one.
    end: Expr,
}

/// The clamps in the body of a loop.
struct Clamps {
    v: Var,
    /// The loop's first iteration, and what is behind its last one.
    ends: [Expr; 2],
    /// The first and the last values of variables of loops inside.
    inner: BTreeMap<Var, (i64, i64)>,
    /// What is bound inside, in terms of what is not.
    lets: Vec<(Var, Expr)>,
    /// Clamps, the index, and where it is inside, for each place where they stand.
    plain: BTreeMap<Expr, (Expr, Vec<Middle>)>,
    /// Expressions like them of which no more is known.
    other: BTreeSet<Expr>,
}

impl Clamps {
    /// Nothing where it is no innermost loop: loops inside have constant ranges, and nothing is allocated or asserted.
    fn block(&mut self, b: &Block) -> Option<()> {
        b.iter().try_for_each(|s| self.stmt(s))
    }

    fn stmt(&mut self, s: &Stmt) -> Option<()> {
        s.exprs().into_iter().for_each(|e| self.expr(e));
        match s {
            Stmt::Store { .. } => Some(()),
            Stmt::Assert { .. } | Stmt::Allocate { .. } => None,
            Stmt::If { then, other, .. } => {
                self.block(then)?;
                self.block(other)
            }
            Stmt::Label { body, .. } => self.block(body),
            Stmt::Let { var, value, body } => {
                self.lets.push((*var, self.outside(value)));
                self.block(body)?;
                self.lets.pop();
                Some(())
            }
            Stmt::For(l) => {
                let (first, count) = (l.domain.min.as_i64()?, l.domain.len.as_i64()?);
                let last = first.checked_add(count)?.checked_sub(1)?;
                if let Some(known) = self.inner.insert(l.variable(), (first, last))
                    && known != (first, last)
                {
                    return None;
                }
                self.block(&l.body)
            }
        }
    }

    fn outside(&self, e: &Expr) -> Expr {
        let value = |v: Var| self.lets.iter().rev().find(|(bound, _)| *bound == v).map(|(_, e)| e.clone());
        e.substitute(&value)
    }

    fn expr(&mut self, e: &Expr) {
        let mut clamps = Vec::new();
        e.visit(&mut |e| clamps.extend(clamped(e).map(|parts| (e.clone(), parts))));
        for (e, candidates) in clamps {
            let known = candidates
                .iter()
                .find_map(|[index, hi, lo]| Some((index.clone(), self.middle(index, hi, lo)?)));
            match known {
                Some((index, middle)) => {
                    let (same, middles) =
                        self.plain.entry(e.clone()).or_insert_with(|| (index.clone(), Vec::new()));
                    if *same == index {
                        middles.push(middle);
                    } else {
                        self.other.insert(e);
                    }
                }
                None => drop(self.other.insert(e)),
            }
        }
    }

    /// Where `lo <= index <= hi` for all values of what is inside.
    fn middle(&self, index: &Expr, hi: &Expr, lo: &Expr) -> Option<Middle> {
        let [index, hi, lo] = [index, hi, lo].map(|e| self.outside(e));
        let is_inside = |v: Var| v == self.v || self.inner.contains_key(&v);
        if ![&index, &hi, &lo].into_iter().all(is_plain) || hi.has_var(&is_inside) || lo.has_var(&is_inside) {
            return None;
        }
        let index = Normalizer::default().normalize(&index);
        index.mentions(self.v).then(|| self.within(&index, &hi, &lo))?
    }

    /// Where a value that does not fall from one iteration to the next lies between two that stay. One of the operands is
    /// enough for a minimum that is not too great, and for a maximum that is not too small.
    fn within(&self, index: &Normal, hi: &Expr, lo: &Expr) -> Option<Middle> {
        let each = |parts: &[Normal]| {
            let parts: Option<Vec<Middle>> = parts.iter().map(|n| self.within(n, hi, lo)).collect();
            parts.unwrap_or_default()
        };
        let all = |op: Op| {
            move |a: Middle, b: Middle| {
                let of = |a, b| simplify(&Expr::binary(op, a, b));
                Middle { first: of(a.first, b.first), end: of(a.end, b.end) }
            }
        };
        match index {
            Normal::Sum(sum) => self.sum_within(sum, hi, lo),
            Normal::Min(parts) => each(parts).into_iter().reduce(all(Op::Max)),
            Normal::Max(parts) => each(parts).into_iter().reduce(all(Op::Min)),
        }
    }

    /// The same for a sum: everywhere or nowhere, where it does not have the loop's variable.
    fn sum_within(&self, sum: &Sum, hi: &Expr, lo: &Expr) -> Option<Middle> {
        let step = sum.factor(&Expr::Var(self.v)).unwrap_or(0);
        let mut rest: Sum = sum.without(&Expr::Var(self.v));
        let (mut least, mut most) = (0_i64, 0_i64);
        for (v, (first, last)) in &self.inner {
            let Some(k) = sum.factor(&Expr::Var(*v)) else { continue };
            rest = rest.without(&Expr::Var(*v));
            let ends = [k.checked_mul(*first)?, k.checked_mul(*last)?];
            least = least.checked_add(*ends.iter().min()?)?;
            most = most.checked_add(*ends.iter().max()?)?;
        }
        if step < 0 || rest.atoms().any(|e| e.has_var(&|v| v == self.v || self.inner.contains_key(&v))) {
            return None;
        }
        let plus = |k: i64| Expr::binary(Op::Add, rest.to_expr(), Expr::int(k));
        if step == 0 {
            let [begin, end] = &self.ends;
            let if_less = |a: Expr, b: Expr, then: &Expr, other: &Expr| {
                Expr::op(Op::Select, [Expr::binary(Op::Lt, a, b), then.clone(), other.clone()])
            };
            let first = if_less(plus(least), lo.clone(), end, begin);
            let end = if_less(hi.clone(), plus(most), begin, end);
            return Some(Middle { first, end });
        }
        let down = |a: Expr| if step == 1 { a } else { Expr::binary(Op::Div, a, Expr::int(step)) };
        let less = |a: Expr, k: i64| Expr::binary(Op::Sub, a, plus(k));
        let first = down(less(Expr::binary(Op::Add, lo.clone(), Expr::int(step - 1)), least));
        let end = Expr::binary(Op::Add, down(less(hi.clone(), most)), Expr::int(1));
        Some(Middle { first: simplify(&first), end: simplify(&end) })
    }
}

/// What `max(min(e, hi), lo)` may be: its operands have no order.
fn clamped(e: &Expr) -> Option<Vec<[Expr; 3]>> {
    let of = |e: &Expr, op: Op| match e {
        Expr::Op(found, args) if *found == op => match args.as_ref() {
            [a, b] => Some([a.clone(), b.clone()]),
            _ => None,
        },
        Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => None,
    };
    let [a, b] = of(e, Op::Max)?;
    let mut out = Vec::new();
    for (inner, lo) in [(&a, &b), (&b, &a)] {
        if let Some([x, y]) = of(inner, Op::Min) {
            out.push([x.clone(), y.clone(), lo.clone()]);
            out.push([y, x, lo.clone()]);
        }
    }
    (!out.is_empty()).then_some(out)
}

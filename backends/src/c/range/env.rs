//! What is known of the control variables in scope: the interval of each, and products that are bounded
//! because buffers of that shape exist.

use super::Width;
use super::interval::Interval;
use crate::c::emit;
use crate::c::tree::{CExpr, InfixOp, UnOp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A product of extents of a buffer that exists: `constant * Π factors` is at most [`Width::cells`].
#[derive(Clone, Debug)]
struct Bounded {
    constant: i128,
    /// The factors as C text, and whether each is known to be at least 1.
    factors: Vec<(String, bool)>,
}

/// A constant and the texts of the other factors of a product.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    pub(super) constant: i128,
    pub(super) others: Vec<CExpr>,
}

/// The factors of a product, however it is nested.
pub(super) fn factors(e: &CExpr) -> Factors {
    let mut all = Factors { constant: 1, others: Vec::new() };
    collect(e, &mut all);
    all
}

fn collect(e: &CExpr, all: &mut Factors) {
    if let CExpr::Infix(InfixOp::Mul, l, r) = e {
        collect(l, all);
        collect(r, all);
    } else if let CExpr::Int(k) = e {
        all.constant = all.constant.saturating_mul((*k).into());
    } else {
        all.others.push(e.clone());
    }
}

/// The product of the factors that are no literals; 0 where there is none.
fn without_constant(e: &CExpr) -> CExpr {
    let all = factors(e).others.into_iter();
    all.reduce(|l, r| CExpr::infix(InfixOp::Mul, l, r)).unwrap_or(CExpr::Int(0))
}

/// Whether a configuration field is read.
pub(super) fn reads_field(e: &CExpr) -> bool {
    match e {
        CExpr::Arrow(..) => true,
        CExpr::Infix(_, l, r) => reads_field(l) || reads_field(r),
        CExpr::Unary(_, e) | CExpr::Cast(_, e) => reads_field(e),
        CExpr::Call(_, args) => args.iter().any(reads_field),
        CExpr::Var(_)
        | CExpr::Index(..)
        | CExpr::Int(_)
        | CExpr::Literal(_)
        | CExpr::Bool(_)
        | CExpr::Raw(_)
        | CExpr::Cond(_)
        | CExpr::Member(..)
        | CExpr::Window { .. }
        | CExpr::Sizeof(_) => false,
    }
}

/// A scope: what to restore at its end.
#[derive(Clone, Debug, Default)]
struct Scope {
    before: Vec<(String, Option<Interval>)>,
    products: usize,
}

/// The intervals of control variables, by their names in C.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    pub(super) width: Width,
    vars: BTreeMap<String, Interval>,
    /// Control fields, by their path in the context.
    pub(super) fields: Arc<BTreeMap<String, Interval>>,
    /// The names of the helpers for quotient and remainder.
    pub(super) helpers: [String; 2],
    products: Vec<Bounded>,
    scopes: Vec<Scope>,
}

impl Env {
    /// No variable.
    pub(super) fn new(width: Width, fields: Arc<BTreeMap<String, Interval>>, helpers: [String; 2]) -> Env {
        Env { width, vars: BTreeMap::new(), fields, helpers, products: Vec::new(), scopes: Vec::new() }
    }

    /// Begins a block.
    pub(super) fn open(&mut self) {
        self.scopes.push(Scope { before: Vec::new(), products: self.products.len() });
    }

    /// Ends a block: all that was learnt in it is forgotten.
    pub(super) fn close(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        for (name, before) in scope.before.into_iter().rev() {
            match before {
                Some(interval) => self.vars.insert(name, interval),
                None => self.vars.remove(&name),
            };
        }
        self.products.truncate(scope.products);
    }

    /// Says between what a variable lies.
    pub(super) fn bind(&mut self, name: &str, interval: Interval) {
        let before = self.vars.insert(name.to_owned(), interval);
        if let Some(scope) = self.scopes.last_mut() {
            scope.before.push((name.to_owned(), before));
        }
    }

    /// The interval of a variable; all that its type holds, where nothing is known.
    pub(super) fn var(&self, name: &str) -> Interval {
        self.vars.get(name).copied().unwrap_or_else(|| self.width.range())
    }

    /// The variable, where it is a control integer.
    pub(super) fn known(&self, name: &str) -> Option<Interval> {
        self.vars.get(name).copied()
    }

    /// Says that a buffer of this shape exists. Extents of 0 count as 1 in what is promised of
    /// arguments.
    pub(super) fn exists(&mut self, shape: &[CExpr], is_argument: bool) {
        // A field may change while the buffer does not.
        if shape.iter().any(|e| reads_field(e) || factors(e).constant < 1) {
            return;
        }
        let is_positive = |e: &CExpr| is_argument || super::eval::interval(self, e).lo >= 1;
        let mut product = Bounded { constant: 1, factors: Vec::new() };
        for e in shape {
            let own = factors(e);
            product.constant = product.constant.saturating_mul(own.constant.max(1));
            product.factors.extend(own.others.iter().map(|f| (emit::expr(f), is_positive(f))));
        }
        // One of several extents is bounded only where none of the others is 0.
        let most = self.width.cells().div_euclid(product.constant.max(1));
        if (product.factors.len() == 1 || product.factors.iter().all(|(_, positive)| *positive))
            && let Ok(most) = i64::try_from(most)
        {
            shape.iter().for_each(|e| self.at_least(&CExpr::Int(most), &without_constant(e), 0));
        }
        if product.factors.len() > 1 {
            self.products.push(product);
        }
    }

    /// The most that a product of extents comes to, where a buffer has it among its own.
    pub(super) fn most(&self, product: &Factors) -> Option<i128> {
        let wanted: Vec<String> = product.others.iter().map(emit::expr).collect();
        self.products.iter().rev().filter_map(|p| self.most_by(p, product.constant, &wanted)).min()
    }

    fn most_by(&self, p: &Bounded, constant: i128, wanted: &[String]) -> Option<i128> {
        let mut left = p.factors.clone();
        for w in wanted {
            let k = left.iter().position(|(f, _)| f == w)?;
            left.swap_remove(k);
        }
        let rest_is_positive = left.iter().all(|(_, positive)| *positive);
        let cells = self.width.cells().div_euclid(p.constant.max(1));
        (rest_is_positive && constant > 0).then(|| cells.saturating_mul(constant))
    }

    /// Learns that a condition holds.
    pub(super) fn assume(&mut self, e: &CExpr, holds: bool) {
        if let CExpr::Unary(UnOp::Not, e) = e {
            return self.assume(e, !holds);
        }
        let CExpr::Infix(op, l, r) = e else { return };
        if (*op == InfixOp::And && holds) || (*op == InfixOp::Or && !holds) {
            self.assume(l, holds);
            self.assume(r, holds);
        } else {
            self.compare(*op, l, r, holds);
        }
    }

    fn compare(&mut self, op: InfixOp, l: &CExpr, r: &CExpr, holds: bool) {
        match (op, holds) {
            (InfixOp::Lt, true) | (InfixOp::Ge, false) => self.at_least(r, l, 1),
            (InfixOp::Le, true) | (InfixOp::Gt, false) => self.at_least(r, l, 0),
            (InfixOp::Gt, true) | (InfixOp::Le, false) => self.at_least(l, r, 1),
            (InfixOp::Ge, true) | (InfixOp::Lt, false) => self.at_least(l, r, 0),
            (InfixOp::Eq, true) => {
                self.at_least(l, r, 0);
                self.at_least(r, l, 0);
            }
            (InfixOp::Eq, false)
            | (
                InfixOp::And
                | InfixOp::Or
                | InfixOp::Mul
                | InfixOp::Div
                | InfixOp::Rem
                | InfixOp::Add
                | InfixOp::Sub,
                _,
            ) => {}
        }
    }

    /// Learns that `a - b ≥ gap`: of each variable, what follows when the others are at their ends.
    pub(super) fn at_least(&mut self, a: &CExpr, b: &CExpr, gap: i128) {
        let mut sum = Sum::default();
        sum.add(self, a, 1);
        sum.add(self, b, -1);
        for (name, k) in &sum.vars {
            let others = sum.vars.iter().filter(|(n, _)| *n != name);
            let rest = others.fold(sum.rest, |s, (n, k)| s.plus(self.var(n).times(Interval::point(*k))));
            // k * x ≥ gap - rest.hi
            let least = gap.saturating_sub(rest.hi);
            let old = self.var(name);
            let new = match *k {
                0 => old,
                k if k > 0 => Interval { lo: old.lo.max(ceil_div(least, k)), hi: old.hi },
                k => Interval {
                    lo: old.lo,
                    hi: old.hi.min(least.saturating_neg().div_euclid(k.saturating_neg())),
                },
            };
            // What can never be is no reason to conclude anything.
            if new != old && new.lo <= new.hi {
                self.bind(name, new);
            }
        }
    }
}

fn ceil_div(a: i128, b: i128) -> i128 {
    a.saturating_neg().div_euclid(b).saturating_neg()
}

/// `Σ k * variable + rest`.
#[derive(Clone, Debug)]
struct Sum {
    vars: BTreeMap<String, i128>,
    rest: Interval,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum { vars: BTreeMap::new(), rest: Interval::point(0_i128) }
    }
}

impl Sum {
    fn add(&mut self, env: &Env, e: &CExpr, k: i128) {
        if let CExpr::Infix(op @ (InfixOp::Add | InfixOp::Sub), l, r) = e {
            self.add(env, l, k);
            self.add(env, r, if *op == InfixOp::Sub { k.saturating_neg() } else { k });
        } else if let CExpr::Unary(UnOp::Neg, e) = e {
            self.add(env, e, k.saturating_neg());
        } else if let CExpr::Infix(InfixOp::Mul, l, r) = e
            && let CExpr::Int(c) = **l
        {
            self.add(env, r, k.saturating_mul(c.into()));
        } else if let CExpr::Var(x) = e
            && env.known(x).is_some()
        {
            let own = self.vars.entry(x.clone()).or_insert(0);
            *own = own.saturating_add(k);
        } else {
            self.rest = self.rest.plus(super::eval::interval(env, e).times(Interval::point(k)));
        }
    }
}

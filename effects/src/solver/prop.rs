//! Classical formulas in negation normal form over linear terms, and how a classical [`EffExpr`] becomes
//! one. Variables are numbered in the order in which they are met, so alpha-equal formulas become equal.

use super::linear::{GiveUp, Id, IdKind, Lin, Res, Table};
use crate::effexpr::{CmpOp, EffExpr, Node, Sort, Var};
use rewright_semantics::sym::Sym;
use rustc_hash::{FxHashMap, FxHashSet};

/// How large a formula may be, written out as a tree, to be brought into normal form.
const MAX_TREE: u64 = 20_000;
/// How many cases an integer with conditionals may have.
const MAX_CASES: usize = 64;

/// A formula in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Prop {
    /// `lin <= 0`, `lin = 0` or `lin != 0`.
    Atom(Atom),
    /// A boolean variable or its negation.
    Bool(Id, bool),
    /// Conjunction; true when empty.
    And(Vec<Prop>),
    /// Disjunction; false when empty.
    Or(Vec<Prop>),
    /// For all integers.
    Forall(Id, Box<Prop>),
    /// For some integer.
    Exists(Id, Box<Prop>),
}

/// An atom of linear arithmetic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Atom {
    /// `lin <= 0`
    Le(Lin),
    /// `lin = 0`
    Eq(Lin),
    /// `lin != 0`
    Ne(Lin),
}

impl Atom {
    pub(super) fn lin(&self) -> &Lin {
        match self {
            Atom::Le(l) | Atom::Eq(l) | Atom::Ne(l) => l,
        }
    }

    /// The same relation of another term, in normal form.
    pub(super) fn with(&self, lin: Lin) -> Res<Literal> {
        match self {
            Atom::Le(_) => le(lin),
            Atom::Eq(_) => eq(lin, true),
            Atom::Ne(_) => eq(lin, false),
        }
    }
}

/// An atom, or what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    /// Its truth does not depend on variables.
    Truth(bool),
    /// It does.
    Atom(Atom),
}

impl From<Literal> for Prop {
    fn from(literal: Literal) -> Prop {
        match literal {
            Literal::Truth(b) => Prop::truth(b),
            Literal::Atom(a) => Prop::Atom(a),
        }
    }
}

pub(super) const TRUE: Prop = Prop::And(Vec::new());
pub(super) const FALSE: Prop = Prop::Or(Vec::new());

impl Prop {
    pub(super) fn truth(b: bool) -> Prop {
        if b { TRUE } else { FALSE }
    }

    pub(super) fn is_true(&self) -> bool {
        matches!(self, Prop::And(ps) if ps.is_empty())
    }

    pub(super) fn is_false(&self) -> bool {
        matches!(self, Prop::Or(ps) if ps.is_empty())
    }
}

/// `lin <= 0`, divided by its content: integers allow the constant to be rounded up.
pub(super) fn le(lin: Lin) -> Res<Literal> {
    match lin.content() {
        0 => Ok(Literal::Truth(lin.constant <= 0)),
        1 => Ok(Literal::Atom(Atom::Le(lin))),
        g => Ok(Literal::Atom(Atom::Le(divided(&lin, g, ceil_div(lin.constant, g)?)))),
    }
}

/// `lin = 0` or `lin != 0`: decided where the content does not divide the constant; the first
/// coefficient is made positive.
pub(super) fn eq(lin: Lin, equal: bool) -> Res<Literal> {
    let g = lin.content();
    if g == 0 {
        return Ok(Literal::Truth((lin.constant == 0) == equal));
    }
    if lin.constant.rem_euclid(g) != 0 {
        return Ok(Literal::Truth(!equal));
    }
    let mut lin = divided(&lin, g, lin.constant.div_euclid(g));
    if lin.terms.first().is_some_and(|(_, c)| *c < 0) {
        lin = lin.scaled(-1)?;
    }
    Ok(Literal::Atom(if equal { Atom::Eq(lin) } else { Atom::Ne(lin) }))
}

fn divided(lin: &Lin, g: i128, constant: i128) -> Lin {
    Lin { terms: lin.terms.iter().map(|(x, c)| (*x, c.div_euclid(g))).collect(), constant }
}

/// `ceil(a / g)` for `g > 0`.
pub(super) fn ceil_div(a: i128, g: i128) -> Res<i128> {
    a.checked_neg().and_then(|n| n.div_euclid(g).checked_neg()).ok_or(GiveUp)
}

/// The conjunction, flattened, without repetitions.
pub(super) fn and(ps: impl IntoIterator<Item = Prop>) -> Prop {
    junction(true, ps)
}

/// The disjunction, flattened, without repetitions.
pub(super) fn or(ps: impl IntoIterator<Item = Prop>) -> Prop {
    junction(false, ps)
}

fn junction(conjunction: bool, ps: impl IntoIterator<Item = Prop>) -> Prop {
    let mut out: Vec<Prop> = Vec::new();
    let mut known: FxHashSet<Prop> = FxHashSet::default();
    let mut add = |q: Prop| {
        if is_new(&q, &out, &mut known) {
            out.push(q);
        }
    };
    for p in ps {
        match (p, conjunction) {
            (Prop::And(qs), true) | (Prop::Or(qs), false) => qs.into_iter().for_each(&mut add),
            (p, _) if p.is_true() || p.is_false() => return p,
            (p, _) => add(p),
        }
    }
    match out.pop() {
        Some(only) if out.is_empty() => only,
        Some(last) => {
            out.push(last);
            if conjunction { Prop::And(out) } else { Prop::Or(out) }
        }
        None => Prop::truth(conjunction),
    }
}

/// Up to so many parts, looking through all is faster than a table of them.
const FEW: usize = 16;

/// Whether a part is not yet among these, which are in the table when there are many.
fn is_new(q: &Prop, among: &[Prop], known: &mut FxHashSet<Prop>) -> bool {
    if among.len() < FEW {
        return !among.contains(q);
    }
    if known.is_empty() {
        known.extend(among.iter().cloned());
    }
    known.insert(q.clone())
}

/// The negation.
pub(super) fn negate(p: &Prop) -> Res<Prop> {
    Ok(match p {
        Prop::Atom(Atom::Le(l)) => le(l.scaled(-1)?.shifted(1)?)?.into(),
        Prop::Atom(Atom::Eq(l)) => Prop::Atom(Atom::Ne(l.clone())),
        Prop::Atom(Atom::Ne(l)) => Prop::Atom(Atom::Eq(l.clone())),
        Prop::Bool(x, b) => Prop::Bool(*x, !b),
        Prop::And(ps) => or(ps.iter().map(negate).collect::<Res<Vec<_>>>()?),
        Prop::Or(ps) => and(ps.iter().map(negate).collect::<Res<Vec<_>>>()?),
        Prop::Forall(x, q) => Prop::Exists(*x, Box::new(negate(q)?)),
        Prop::Exists(x, q) => Prop::Forall(*x, Box::new(negate(q)?)),
    })
}

/// A formula in normal form, with the meaning of its numbers.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    pub(super) prop: Prop,
    pub(super) table: Table,
    /// The free variables in the order in which they were met.
    pub(super) free: Vec<(Var, Sort, Id)>,
}

/// The negation of a classical formula, in normal form.
pub(super) fn negation_of(formula: &EffExpr) -> Res<Normal> {
    if formula.size() > MAX_TREE {
        return Err(GiveUp);
    }
    let mut n = Normalizer {
        table: Table::default(),
        free: Vec::new(),
        numbers: FxHashMap::default(),
        bound: Vec::new(),
    };
    let prop = n.prop(formula, false)?;
    Ok(Normal { prop, table: n.table, free: n.free })
}

struct Normalizer {
    table: Table,
    free: Vec<(Var, Sort, Id)>,
    numbers: FxHashMap<Var, Id>,
    bound: Vec<(Sym, Id)>,
}

impl Normalizer {
    /// `ee`, or its negation.
    fn props(&mut self, es: &[EffExpr], positive: bool) -> Res<Vec<Prop>> {
        es.iter().map(|e| self.prop(e, positive)).collect()
    }

    fn prop(&mut self, ee: &EffExpr, positive: bool) -> Res<Prop> {
        match ee.node() {
            Node::Var(v, Sort::Bool) => Ok(Prop::Bool(self.number(*v, Sort::Bool)?, positive)),
            Node::Bool(b) => Ok(Prop::truth(*b == positive)),
            Node::Cmp(op, a, b) => self.comparison(*op, a, b, positive),
            Node::Iff(a, b) => {
                let same = and([self.prop(a, true)?, self.prop(b, positive)?]);
                Ok(or([same, and([self.prop(a, false)?, self.prop(b, !positive)?])]))
            }
            Node::Not(a) => self.prop(a, !positive),
            Node::And(es) => {
                let ps = self.props(es, positive)?;
                Ok(if positive { and(ps) } else { or(ps) })
            }
            Node::Or(es) => {
                let ps = self.props(es, positive)?;
                Ok(if positive { or(ps) } else { and(ps) })
            }
            Node::If(c, a, b) => {
                let yes = and([self.prop(c, true)?, self.prop(a, positive)?]);
                Ok(or([yes, and([self.prop(c, false)?, self.prop(b, positive)?])]))
            }
            Node::Forall(x, a) => self.quantified(*x, a, positive, positive),
            Node::Exists(x, a) => self.quantified(*x, a, positive, !positive),
            Node::Var(_, Sort::Int)
            | Node::Int(_)
            | Node::Unknown(_)
            | Node::Neg(_)
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Scale(..)
            | Node::Div(..)
            | Node::Mod(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => Err(GiveUp),
        }
    }

    fn quantified(&mut self, x: Sym, body: &EffExpr, positive: bool, universal: bool) -> Res<Prop> {
        let id = self.table.fresh()?;
        self.bound.push((x, id));
        let body = self.prop(body, positive);
        self.bound.pop();
        let body = Box::new(body?);
        if body.is_true() || body.is_false() {
            return Ok(*body);
        }
        Ok(if universal { Prop::Forall(id, body) } else { Prop::Exists(id, body) })
    }

    fn comparison(&mut self, op: CmpOp, a: &EffExpr, b: &EffExpr, positive: bool) -> Res<Prop> {
        let mut difference = Lin::constant(0);
        if self.add(a, 1, &mut difference)? && self.add(b, -1, &mut difference)? {
            return Ok(compared(op, difference, positive)?.into());
        }
        let (left, right) = (self.cases(a)?, self.cases(b)?);
        let cases = product(&left, &right, |a, b| a.plus(-1, b))?;
        let mut out = Vec::new();
        for (guard, d) in cases {
            out.push(and([guard, compared(op, d, positive)?.into()]));
        }
        Ok(or(out))
    }

    /// Adds `k` times an integer to a linear term; false, with part of it added, where a condition chooses what it is.
    fn add(&mut self, ee: &EffExpr, k: i128, to: &mut Lin) -> Res<bool> {
        let times = |c: &i64| i128::from(*c).checked_mul(k).ok_or(GiveUp);
        match ee.node() {
            Node::Var(v, Sort::Int) => {
                let x = self.number(*v, Sort::Int)?;
                to.add_term(k, x)?;
                Ok(true)
            }
            Node::Int(c) => {
                *to = std::mem::take(to).shifted(times(c)?)?;
                Ok(true)
            }
            Node::Neg(a) => self.add(a, times(&-1)?, to),
            Node::Scale(c, a) => self.add(a, times(c)?, to),
            Node::Add(a, b) => Ok(self.add(a, k, to)? && self.add(b, k, to)?),
            Node::Sub(a, b) => Ok(self.add(a, k, to)? && self.add(b, times(&-1)?, to)?),
            Node::Div(a, m) => {
                let mut dividend = Lin::constant(0);
                let known = self.add(a, 1, &mut dividend)?;
                if known {
                    let q = self.table.quotient(&dividend, i128::from(*m))?;
                    *to = to.plus(k, &q)?;
                }
                Ok(known)
            }
            Node::Mod(a, m) => {
                let mut dividend = Lin::constant(0);
                let known = self.add(a, 1, &mut dividend)?;
                if known {
                    let q = self.table.quotient(&dividend, i128::from(*m))?;
                    let rest = dividend.plus(-i128::from(*m), &q)?;
                    *to = to.plus(k, &rest)?;
                }
                Ok(known)
            }
            Node::If(..) => Ok(false),
            Node::Var(_, Sort::Bool)
            | Node::Bool(_)
            | Node::Unknown(_)
            | Node::Cmp(..)
            | Node::Iff(..)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Forall(..)
            | Node::Exists(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => Err(GiveUp),
        }
    }

    /// The linear terms an integer can be, each with the condition under which it is that one; exactly one
    /// of the conditions holds.
    fn cases(&mut self, ee: &EffExpr) -> Res<Vec<(Prop, Lin)>> {
        match ee.node() {
            Node::Var(v, Sort::Int) => Ok(vec![(TRUE, Lin::var(self.number(*v, Sort::Int)?))]),
            Node::Int(c) => Ok(vec![(TRUE, Lin::constant(i128::from(*c)))]),
            Node::Neg(a) => mapped(self.cases(a)?, |l| l.scaled(-1)),
            Node::Scale(k, a) => mapped(self.cases(a)?, |l| l.scaled(i128::from(*k))),
            Node::Add(a, b) => product(&self.cases(a)?, &self.cases(b)?, |a, b| a.plus(1, b)),
            Node::Sub(a, b) => product(&self.cases(a)?, &self.cases(b)?, |a, b| a.plus(-1, b)),
            Node::Div(a, k) => {
                let cases = self.cases(a)?;
                mapped(cases, |l| self.table.quotient(&l, i128::from(*k)))
            }
            Node::Mod(a, k) => {
                let (cases, k) = (self.cases(a)?, i128::from(*k));
                mapped(cases, |l| {
                    let q = self.table.quotient(&l, k)?;
                    l.plus(-k, &q)
                })
            }
            Node::If(c, a, b) => self.conditional(c, a, b),
            Node::Var(_, Sort::Bool)
            | Node::Bool(_)
            | Node::Unknown(_)
            | Node::Cmp(..)
            | Node::Iff(..)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Forall(..)
            | Node::Exists(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => Err(GiveUp),
        }
    }

    fn conditional(&mut self, c: &EffExpr, a: &EffExpr, b: &EffExpr) -> Res<Vec<(Prop, Lin)>> {
        let (yes, no) = (self.prop(c, true)?, self.prop(c, false)?);
        let mut out = Vec::new();
        for (condition, arm) in [(yes, a), (no, b)] {
            for (guard, lin) in self.cases(arm)? {
                out.push((and([condition.clone(), guard]), lin));
            }
        }
        limited(out)
    }

    fn number(&mut self, v: Var, sort: Sort) -> Res<Id> {
        if let Var::Local(x) = v
            && let Some((_, id)) = self.bound.iter().rev().find(|(y, _)| *y == x)
        {
            return Ok(*id);
        }
        if let Some(id) = self.numbers.get(&v) {
            return Ok(*id);
        }
        let id = self.table.fresh()?;
        self.numbers.insert(v, id);
        self.free.push((v, sort, id));
        Ok(id)
    }
}

/// How `d` compares with 0, or that it does not.
fn compared(op: CmpOp, d: Lin, positive: bool) -> Res<Literal> {
    match (op, positive) {
        (CmpOp::Eq, _) => eq(d, positive),
        (CmpOp::Lt, true) => le(d.shifted(1)?),
        (CmpOp::Le, true) => le(d),
        (CmpOp::Lt, false) => le(d.scaled(-1)?),
        (CmpOp::Le, false) => le(d.scaled(-1)?.shifted(1)?),
    }
}

type Cases = Vec<(Prop, Lin)>;

fn mapped(cases: Cases, mut f: impl FnMut(Lin) -> Res<Lin>) -> Res<Cases> {
    cases.into_iter().map(|(guard, l)| Ok((guard, f(l)?))).collect()
}

fn product(a: &Cases, b: &Cases, f: impl Fn(&Lin, &Lin) -> Res<Lin>) -> Res<Cases> {
    let mut out = Vec::new();
    for (g, x) in a {
        for (h, y) in b {
            out.push((and([g.clone(), h.clone()]), f(x, y)?));
        }
    }
    limited(out)
}

fn limited(mut cases: Cases) -> Res<Cases> {
    cases.retain(|(guard, _)| !guard.is_false());
    if cases.len() > MAX_CASES { Err(GiveUp) } else { Ok(cases) }
}

impl Normal {
    /// The formula as a classical [`EffExpr`] again: for `z3`, and for the direct evaluator.
    pub(super) fn to_effexpr(&self, prop: &Prop) -> Res<EffExpr> {
        let mut names: FxHashMap<Id, (Var, Sort)> =
            self.free.iter().map(|(v, sort, id)| (*id, (*v, *sort))).collect();
        self.prop_back(prop, &mut names)
    }

    fn prop_back(&self, p: &Prop, names: &mut FxHashMap<Id, (Var, Sort)>) -> Res<EffExpr> {
        let all = |ps: &[Prop], names: &mut FxHashMap<Id, (Var, Sort)>| {
            ps.iter().map(|q| self.prop_back(q, names)).collect::<Res<Vec<_>>>()
        };
        let zero = EffExpr::int(0);
        Ok(match p {
            Prop::Atom(Atom::Le(l)) => EffExpr::le(self.lin_back(l, names)?, zero),
            Prop::Atom(Atom::Eq(l)) => EffExpr::eq(self.lin_back(l, names)?, zero),
            Prop::Atom(Atom::Ne(l)) => EffExpr::not(EffExpr::eq(self.lin_back(l, names)?, zero)),
            Prop::Bool(x, b) => {
                let (v, sort) = names.get(x).copied().ok_or(GiveUp)?;
                let e = EffExpr::var(v, sort);
                if *b { e } else { EffExpr::not(e) }
            }
            Prop::And(ps) => EffExpr::and(all(ps, names)?),
            Prop::Or(ps) => EffExpr::or(all(ps, names)?),
            Prop::Forall(x, q) => EffExpr::forall(bind(*x, names), self.prop_back(q, names)?),
            Prop::Exists(x, q) => EffExpr::exists(bind(*x, names), self.prop_back(q, names)?),
        })
    }

    fn lin_back(&self, l: &Lin, names: &mut FxHashMap<Id, (Var, Sort)>) -> Res<EffExpr> {
        let mut sum = EffExpr::int(small(l.constant)?);
        for (x, c) in &l.terms {
            let term = match self.table.kind(*x) {
                IdKind::Quotient(n, k) => EffExpr::div(self.lin_back(n, names)?, small(*k)?),
                IdKind::Variable => {
                    let (v, sort) = names.get(x).copied().ok_or(GiveUp)?;
                    EffExpr::var(v, sort)
                }
            };
            sum = EffExpr::add(EffExpr::scale(small(*c)?, term), sum);
        }
        Ok(sum)
    }
}

fn bind(x: Id, names: &mut FxHashMap<Id, (Var, Sort)>) -> Sym {
    let sym = Sym::fresh("x");
    names.insert(x, (Var::Local(sym), Sort::Int));
    sym
}

fn small(c: i128) -> Res<i64> {
    i64::try_from(c).map_err(|_| GiveUp)
}

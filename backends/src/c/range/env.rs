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

#[cfg(test)]
mod tests {
    use super::super::eval::interval;
    use super::*;

    const BOX: i64 = 5;

    fn env() -> Env {
        Env::new(Width::Narrow, Arc::default(), ["floor_div".to_owned(), "floor_mod".to_owned()])
    }

    /// SplitMix64, between two numbers.
    fn between(state: &mut u64, low: i64, high: i64) -> i64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + i64::try_from((z ^ (z >> 31)) >> 1).unwrap().rem_euclid(high - low + 1)
    }

    fn number(rng: &mut u64, depth: usize) -> CExpr {
        let pick = between(rng, 0, if depth == 0 { 2 } else { 8 });
        let (literal, divisor) = (between(rng, -4, 4), between(rng, 2, 3));
        let mut part = || Box::new(number(rng, depth.saturating_sub(1)));
        match pick {
            0 => CExpr::var("a"),
            1 => CExpr::var("b"),
            2 => CExpr::Int(literal),
            3 | 4 => CExpr::Infix(InfixOp::Add, part(), part()),
            5 => CExpr::Infix(InfixOp::Sub, part(), part()),
            6 => CExpr::Unary(UnOp::Neg, part()),
            7 => CExpr::Infix(InfixOp::Mul, Box::new(CExpr::Int(literal)), part()),
            _ => {
                let helper = if literal > 0 { "floor_div" } else { "floor_mod" };
                CExpr::Call(helper.to_owned(), vec![*part(), CExpr::Int(divisor)])
            }
        }
    }

    fn condition(rng: &mut u64, depth: usize) -> CExpr {
        let pick = between(rng, 0, if depth == 0 { 4 } else { 7 });
        let comparison = [InfixOp::Lt, InfixOp::Le, InfixOp::Gt, InfixOp::Ge, InfixOp::Eq];
        match pick {
            5 => CExpr::Unary(UnOp::Not, Box::new(condition(rng, depth - 1))),
            6 | 7 => {
                let op = if pick == 6 { InfixOp::And } else { InfixOp::Or };
                CExpr::infix(op, condition(rng, depth - 1), condition(rng, depth - 1))
            }
            op => CExpr::infix(comparison[usize::try_from(op).unwrap()], number(rng, 2), number(rng, 1)),
        }
    }

    /// The value of what is built here; 1 for true.
    fn value(e: &CExpr, a: i64, b: i64) -> i64 {
        let of = |e: &CExpr| value(e, a, b);
        if let CExpr::Int(k) = e {
            return *k;
        }
        if let CExpr::Var(x) = e {
            return if x == "a" { a } else { b };
        }
        if let CExpr::Unary(op, e) = e {
            return if *op == UnOp::Neg { -of(e) } else { 1 - of(e) };
        }
        if let CExpr::Call(f, args) = e {
            let (l, r) = (of(&args[0]), of(&args[1]));
            return if f == "floor_div" { l.div_euclid(r) } else { l.rem_euclid(r) };
        }
        let CExpr::Infix(op, l, r) = e else { panic!("not built here: {e:?}") };
        let (l, r) = (of(l), of(r));
        match op {
            InfixOp::Add => l + r,
            InfixOp::Sub => l - r,
            InfixOp::Mul => l * r,
            InfixOp::And => l & r,
            InfixOp::Or => l | r,
            InfixOp::Lt => i64::from(l < r),
            InfixOp::Le => i64::from(l <= r),
            InfixOp::Gt => i64::from(l > r),
            InfixOp::Ge => i64::from(l >= r),
            InfixOp::Eq => i64::from(l == r),
            InfixOp::Div | InfixOp::Rem => panic!("not built here: {e:?}"),
        }
    }

    fn within(v: i64, i: Interval) -> bool {
        Interval::point(v).is_within(i)
    }

    /// Wherever a condition is what it is said to be, each variable is where it is then said to be, and an expression
    /// comes to what it may come to; and often something is learnt.
    #[test]
    fn what_is_learnt_of_a_condition_holds() {
        let start = Interval::new((-BOX).into(), BOX.into());
        let (mut narrowed, mut exact) = (0, 0);
        for seed in 0..3000_u64 {
            let rng = &mut (seed << 20);
            let (e, c, holds) = (number(rng, 3), condition(rng, 2), between(rng, 0, 1) == 0);
            let mut env = env();
            env.bind("a", start);
            env.bind("b", start);
            env.open();
            env.assume(&c, holds);
            let (in_a, in_b, in_e) = (env.var("a"), env.var("b"), interval(&env, &e));
            assert!(in_a.lo <= in_a.hi && in_b.lo <= in_b.hi, "nothing is concluded of what can never be");
            let mut met = [false; 2];
            for (a, b) in (-BOX..=BOX).flat_map(|a| (-BOX..=BOX).map(move |b| (a, b))) {
                if (value(&c, a, b) == 1) == holds {
                    assert!(within(a, in_a) && within(b, in_b), "{c:?} is {holds}: {a}, {b}, {in_a}, {in_b}");
                    assert!(within(value(&e, a, b), in_e), "{e:?} at {a}, {b} in {in_e}");
                    met = [met[0] || i128::from(a) == in_a.lo, met[1] || i128::from(a) == in_a.hi];
                }
            }
            narrowed += u32::from(in_a != start) + u32::from(in_b != start);
            exact += u32::from(in_a != start && met == [true; 2]);
            env.close();
            assert_eq!(
                (env.var("a"), env.var("b")),
                (start, start),
                "what is learnt in a block ends with it"
            );
        }
        assert!(narrowed > 1850 && exact > 780, "{narrowed} narrowed, {exact} to the very ends");
    }

    #[test]
    fn extents_are_bounded_by_the_cells_of_a_buffer() {
        let cells = Width::Narrow.cells();
        let times = |l, r| CExpr::infix(InfixOp::Mul, l, r);
        let (n, m, k) = (|| CExpr::var("n"), || CExpr::var("m"), || CExpr::var("k"));
        let known = |is_argument: bool, least: i64, shape: &[CExpr]| {
            let mut env = env();
            for x in ["n", "m", "k"] {
                env.bind(x, Interval::new(least.into(), i32::MAX.into()));
            }
            env.exists(shape, is_argument);
            env
        };
        let free = i128::from(i32::MAX);
        let ends = |env: &Env| [env.var("n").hi, env.var("m").hi];
        assert_eq!(ends(&known(true, 0, &[n()])), [cells, free]);
        assert_eq!(ends(&known(false, 0, &[times(CExpr::Int(4), n())])), [cells / 4, free]);
        assert_eq!(ends(&known(true, 0, &[n(), m()])), [cells, cells]);
        assert_eq!(ends(&known(false, 1, &[n(), m()])), [cells, cells]);
        // One of them may be 0, and the other anything.
        assert_eq!(ends(&known(false, 0, &[n(), m()])), [free, free]);
        let field = CExpr::Arrow(Box::new(CExpr::var("ctxt")), "n".to_owned());
        for unknown in [vec![n(), field], vec![n(), CExpr::Int(0)]] {
            assert_eq!(ends(&known(true, 1, &unknown)), [free, free], "{unknown:?}");
        }
        let most = |env: &Env, e: &CExpr| env.most(&factors(e));
        let two = known(true, 1, &[times(CExpr::Int(2), n()), m()]);
        assert_eq!(most(&two, &times(n(), m())), Some(cells / 2));
        assert_eq!(most(&two, &times(m(), times(CExpr::Int(6), n()))), Some(cells / 2 * 6));
        assert_eq!(most(&two, &times(CExpr::Int(-1), times(n(), m()))), None);
        assert_eq!(most(&two, &times(n(), n())), None, "not of this buffer");
        let three = known(true, 1, &[n(), m(), k()]);
        assert_eq!(most(&three, &times(n(), k())), Some(cells), "what is left is at least 1");
        let empty = known(false, 0, &[n(), m(), k()]);
        assert_eq!(most(&empty, &times(n(), k())), None, "what is left may be 0");
        assert_eq!(most(&empty, &times(n(), times(m(), k()))), Some(cells));
        assert_eq!(most(&known(true, 1, &[n()]), &n()), None, "a single extent is a variable's own end");
    }
}

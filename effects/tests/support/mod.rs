//! What the solver's tests share: a random source, random formulas, and obligations as programs make them.
#![allow(dead_code, reason = "each test binary uses a part")]

use rewright_effects::effexpr::{CmpOp, EffExpr, Node, Sort, Var};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::sym::Sym;

/// SplitMix64.
pub(crate) struct Rng(pub u64);

impl Rng {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    fn index(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("64 bits");
        usize::try_from(self.below(n)).expect("less than n")
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.index(of.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, of: &mut [T]) {
        for i in (1..of.len()).rev() {
            of.swap(i, self.index(i + 1));
        }
    }
}

/// Random formulas over two integers and a truth value.
pub(crate) struct Formulas {
    pub(crate) rng: Rng,
    ints: Vec<Sym>,
    bools: Vec<Sym>,
    /// Whether quantifiers range over a few values only, so that enumeration is exact.
    bounded: bool,
    quantifiers: u32,
}

/// Bounded quantifiers range over `0..SPAN`.
pub(crate) const SPAN: i64 = 3;

impl Formulas {
    pub(crate) fn new(seed: u64, bounded: bool) -> Formulas {
        Formulas {
            rng: Rng(seed),
            ints: vec![Sym::fresh("x"), Sym::fresh("y")],
            bools: vec![Sym::fresh("b")],
            bounded,
            quantifiers: 2,
        }
    }

    pub(crate) fn free(&self) -> Vec<(Var, Sort)> {
        let ints = self.ints.iter().map(|x| (Var::Local(*x), Sort::Int));
        ints.chain(self.bools.iter().map(|b| (Var::Local(*b), Sort::Bool))).collect()
    }

    pub(crate) fn formula(&mut self, depth: u32) -> EffExpr {
        self.quantifiers = 2;
        self.boolean(depth)
    }

    fn boolean(&mut self, depth: u32) -> EffExpr {
        if depth == 0 {
            return match self.rng.below(10) {
                0 => EffExpr::bool_var(*self.rng.pick(&self.bools.clone())),
                1 => EffExpr::unknown(Sort::Bool),
                _ => self.comparison(1),
            };
        }
        let d = depth - 1;
        match self.rng.below(14) {
            0..=2 => EffExpr::and([self.boolean(d), self.boolean(d)]),
            3..=5 => EffExpr::or([self.boolean(d), self.boolean(d)]),
            6 => EffExpr::not(self.boolean(d)),
            7 => EffExpr::implies(self.boolean(d), self.boolean(d)),
            8 => EffExpr::iff(self.boolean(d), self.boolean(d)),
            9 => EffExpr::ite(self.boolean(0), self.boolean(d), self.boolean(d)),
            10 => EffExpr::definitely(self.boolean(d)),
            11 => EffExpr::maybe(self.boolean(d)),
            _ if self.quantifiers > 0 => self.quantifier(d),
            _ => self.comparison(2),
        }
    }

    fn quantifier(&mut self, depth: u32) -> EffExpr {
        self.quantifiers -= 1;
        let x = Sym::fresh("q");
        self.ints.push(x);
        let body = self.boolean(depth);
        self.ints.retain(|y| *y != x);
        let v = EffExpr::int_var(x);
        let inside =
            EffExpr::and([EffExpr::le(EffExpr::int(0), v.clone()), EffExpr::lt(v, EffExpr::int(SPAN))]);
        match (self.rng.below(2), self.bounded) {
            (0, true) => EffExpr::forall(x, EffExpr::implies(inside, body)),
            (0, false) => EffExpr::forall(x, body),
            (_, true) => EffExpr::exists(x, EffExpr::and([inside, body])),
            (_, false) => EffExpr::exists(x, body),
        }
    }

    fn comparison(&mut self, depth: u32) -> EffExpr {
        let (a, b) = (self.integer(depth), self.integer(depth));
        match self.rng.below(3) {
            0 => EffExpr::eq(a, b),
            1 => EffExpr::lt(a, b),
            _ => EffExpr::le(a, b),
        }
    }

    fn integer(&mut self, depth: u32) -> EffExpr {
        if depth == 0 {
            return match self.rng.below(12) {
                0..=7 => EffExpr::int_var(*self.rng.pick(&self.ints.clone())),
                8 => EffExpr::unknown(Sort::Int),
                _ => EffExpr::int(*self.rng.pick(&[-4, -3, -2, -1, 0, 1, 2, 3, 4])),
            };
        }
        let d = depth - 1;
        let k = *self.rng.pick(&[2, 3, 4]);
        match self.rng.below(9) {
            0 | 1 => EffExpr::add(self.integer(d), self.integer(d)),
            2 => EffExpr::sub(self.integer(d), self.integer(d)),
            3 => EffExpr::scale(k - 5, self.integer(d)),
            4 => EffExpr::scale(k, self.integer(d)),
            5 => EffExpr::div(self.integer(d), k),
            6 => EffExpr::modulo(self.integer(d), k),
            7 => EffExpr::ite(self.boolean(0), self.integer(d), self.integer(d)),
            _ => self.integer(0),
        }
    }
}

/// The same meaning written differently, at random places.
pub(crate) fn rewritten(rng: &mut Rng, ee: &EffExpr) -> EffExpr {
    let keep = rng.below(3) == 0;
    match ee.node() {
        Node::Var(..) | Node::Int(_) | Node::Bool(_) | Node::Unknown(_) => ee.clone(),
        Node::Neg(a) => EffExpr::neg(rewritten(rng, a)),
        Node::Scale(k, a) => EffExpr::scale(*k, rewritten(rng, a)),
        Node::Add(a, b) if keep => EffExpr::add(rewritten(rng, a), rewritten(rng, b)),
        Node::Add(a, b) => EffExpr::add(rewritten(rng, b), rewritten(rng, a)),
        Node::Sub(a, b) if keep => EffExpr::sub(rewritten(rng, a), rewritten(rng, b)),
        Node::Sub(a, b) => EffExpr::add(EffExpr::scale(-1, rewritten(rng, b)), rewritten(rng, a)),
        Node::Div(a, k) if keep => EffExpr::div(rewritten(rng, a), *k),
        Node::Div(a, k) => {
            let a = rewritten(rng, a);
            EffExpr::sub(EffExpr::div(EffExpr::add(EffExpr::scale(*k, a.clone()), a.clone()), *k), a)
        }
        Node::Mod(a, k) if keep => EffExpr::modulo(rewritten(rng, a), *k),
        Node::Mod(a, k) => {
            let a = rewritten(rng, a);
            EffExpr::sub(a.clone(), EffExpr::scale(*k, EffExpr::div(a, *k)))
        }
        Node::Cmp(CmpOp::Eq, a, b) if !keep => {
            let (a, b) = (rewritten(rng, a), rewritten(rng, b));
            EffExpr::and([EffExpr::le(a.clone(), b.clone()), EffExpr::le(b, a)])
        }
        Node::Cmp(CmpOp::Le, a, b) if !keep => {
            EffExpr::lt(rewritten(rng, a), EffExpr::add(rewritten(rng, b), EffExpr::int(1)))
        }
        Node::Cmp(op, a, b) => EffExpr::cmp(*op, rewritten(rng, a), rewritten(rng, b)),
        Node::Iff(a, b) => EffExpr::iff(rewritten(rng, b), rewritten(rng, a)),
        Node::Not(a) => EffExpr::not(rewritten(rng, a)),
        Node::And(es) if !keep => EffExpr::not(EffExpr::or(
            es.iter().rev().map(|e| EffExpr::not(rewritten(rng, e))).collect::<Vec<_>>(),
        )),
        Node::And(es) => EffExpr::and(es.iter().map(|e| rewritten(rng, e)).collect::<Vec<_>>()),
        Node::Or(es) => EffExpr::or(es.iter().rev().map(|e| rewritten(rng, e)).collect::<Vec<_>>()),
        Node::If(c, a, b) => EffExpr::ite(rewritten(rng, c), rewritten(rng, a), rewritten(rng, b)),
        Node::Forall(x, a) if keep => EffExpr::forall(*x, rewritten(rng, a)),
        Node::Forall(x, a) => EffExpr::not(EffExpr::exists(*x, EffExpr::not(rewritten(rng, a)))),
        Node::Exists(x, a) => EffExpr::exists(*x, rewritten(rng, a)),
        Node::Definitely(a) => EffExpr::not(EffExpr::maybe(EffExpr::not(rewritten(rng, a)))),
        Node::Maybe(a) => EffExpr::maybe(rewritten(rng, a)),
    }
}

/// An obligation without hypotheses.
pub(crate) fn asks(formula: EffExpr) -> Obligation {
    Obligation::new(ConditionId("test"), "a formula of a test", formula)
}

/// `lo <= x < hi`
pub(crate) fn within(lo: EffExpr, x: EffExpr, hi: EffExpr) -> EffExpr {
    EffExpr::and([EffExpr::le(lo, x.clone()), EffExpr::lt(x, hi)])
}

/// Obligations in the shapes that programs give rise to, each with whether it holds.
pub(crate) fn typical() -> Vec<(&'static str, Obligation, bool)> {
    let s = |n: &str| Sym::fresh(n);
    let v = EffExpr::int_var;
    let c = EffExpr::int;
    let (n, m) = (s("n"), s("m"));
    let (i, j, k, l, p, q) = (s("i"), s("j"), s("k"), s("l"), s("p"), s("q"));
    let size = |x: Sym| EffExpr::le(c(1), v(x));
    let trip = |x: Sym, hi: EffExpr| within(c(0), v(x), hi);
    let tile = |io: Sym, ii: Sym, f: i64| EffExpr::add(EffExpr::scale(f, v(io)), v(ii));
    let div = |a: Sym, f| EffExpr::div(v(a), f);
    let modulo = |a: Sym, f| EffExpr::modulo(v(a), f);
    let exists = |xs: &[Sym], e: EffExpr| xs.iter().rev().fold(e, |e, x| EffExpr::exists(*x, e));
    let not = EffExpr::not;
    let and = |es: Vec<EffExpr>| EffExpr::and(es);
    let writes_reverse = |at: Sym, it: Sym| {
        exists(
            &[it],
            and(vec![trip(it, v(n)), EffExpr::eq(v(at), EffExpr::sub(EffExpr::add(v(n), c(-1)), v(it)))]),
        )
    };
    let writes_all = |at: Sym, it: Sym| exists(&[it], and(vec![trip(it, v(n)), EffExpr::eq(v(at), v(it))]));
    let writes_tiled = |at: Sym, io: Sym, ii: Sym, f: i64| {
        let inside = and(vec![trip(io, div(n, f)), trip(ii, c(f)), EffExpr::eq(v(at), tile(io, ii, f))]);
        exists(&[io, ii], inside)
    };
    let config = EffExpr::global("Cfg".into(), "stride".into(), Sort::Int);
    let mut out: Vec<(&'static str, Obligation, bool)> = Vec::new();
    let mut add =
        |name, hyps: Vec<EffExpr>, e: EffExpr, holds| out.push((name, asks(e).assuming(hyps), holds));

    add("bounds of a loop", vec![size(n), trip(i, v(n))], within(c(0), v(i), v(n)), true);
    add(
        "bounds of a neighbour",
        vec![size(n), trip(i, v(n))],
        within(c(0), EffExpr::add(v(i), c(1)), v(n)),
        false,
    );
    add(
        "bounds of a tile",
        vec![size(n), trip(i, div(n, 8)), trip(j, c(8))],
        within(c(0), tile(i, j, 8), v(n)),
        true,
    );
    add(
        "bounds of a rounded tile",
        vec![size(n), trip(i, EffExpr::div(EffExpr::add(v(n), c(7)), 8)), trip(j, c(8))],
        within(c(0), tile(i, j, 8), v(n)),
        false,
    );
    add(
        "bounds of a guarded rounded tile",
        vec![
            size(n),
            trip(i, EffExpr::div(EffExpr::add(v(n), c(7)), 8)),
            trip(j, c(8)),
            EffExpr::lt(tile(i, j, 8), v(n)),
        ],
        within(c(0), tile(i, j, 8), v(n)),
        true,
    );
    add(
        "quotient and remainder",
        vec![],
        EffExpr::eq(EffExpr::add(EffExpr::scale(4, div(i, 4)), modulo(i, 4)), v(i)),
        true,
    );
    add("remainder is small", vec![], within(c(0), modulo(i, 4), c(4)), true);
    add("remainder of what is small", vec![trip(i, c(4))], EffExpr::eq(modulo(i, 4), v(i)), true);
    add(
        "remainder without a lower bound",
        vec![EffExpr::lt(v(i), c(4))],
        EffExpr::eq(modulo(i, 4), v(i)),
        false,
    );
    add(
        "multiple of 8 divides",
        vec![size(n), EffExpr::eq(modulo(n, 8), c(0))],
        EffExpr::eq(EffExpr::scale(8, div(n, 8)), v(n)),
        true,
    );
    add("quotient of a quotient", vec![], EffExpr::eq(EffExpr::div(div(i, 4), 2), div(i, 8)), true);
    add(
        "two iterations write different cells",
        vec![trip(i, v(n)), trip(j, v(n)), not(EffExpr::eq(v(i), v(j)))],
        not(EffExpr::eq(
            EffExpr::add(EffExpr::scale(2, v(i)), c(1)),
            EffExpr::add(EffExpr::scale(2, v(j)), c(1)),
        )),
        true,
    );
    add(
        "even and odd",
        vec![trip(i, v(n)), trip(j, v(n))],
        not(EffExpr::eq(EffExpr::scale(2, v(i)), EffExpr::add(EffExpr::scale(2, v(j)), c(1)))),
        true,
    );
    add(
        "stencil iterations collide",
        vec![size(n), trip(i, v(n)), trip(j, v(n)), EffExpr::lt(v(i), v(j))],
        not(EffExpr::eq(EffExpr::add(v(i), c(1)), v(j))),
        false,
    );
    add(
        "tiles do not overlap",
        vec![trip(i, v(n)), trip(j, v(n)), trip(k, c(8)), trip(l, c(8)), not(EffExpr::eq(v(i), v(j)))],
        not(EffExpr::eq(tile(i, k, 8), tile(j, l, 8))),
        true,
    );
    add(
        "long tiles overlap",
        vec![trip(i, v(n)), trip(j, v(n)), trip(k, c(9)), trip(l, c(9)), not(EffExpr::eq(v(i), v(j)))],
        not(EffExpr::eq(tile(i, k, 8), tile(j, l, 8))),
        false,
    );
    add(
        "no cell in common: halves",
        vec![size(n)],
        EffExpr::forall(
            p,
            not(and(vec![
                exists(&[i], and(vec![trip(i, v(n)), EffExpr::eq(v(p), v(i))])),
                exists(&[j], and(vec![trip(j, v(n)), EffExpr::eq(v(p), EffExpr::add(v(j), v(n)))])),
            ])),
        ),
        true,
    );
    add(
        "all cells are written backwards",
        vec![size(n)],
        EffExpr::forall(p, EffExpr::implies(trip(p, v(n)), writes_reverse(p, i))),
        true,
    );
    add(
        "all cells are written in tiles",
        vec![size(n), EffExpr::eq(modulo(n, 8), c(0))],
        EffExpr::forall(p, EffExpr::implies(writes_all(p, i), writes_tiled(p, j, k, 8))),
        true,
    );
    add(
        "tiles leave a rest",
        vec![size(n)],
        EffExpr::forall(p, EffExpr::implies(writes_all(p, i), writes_tiled(p, j, k, 8))),
        false,
    );
    add(
        "tiles stay inside",
        vec![size(n)],
        EffExpr::forall(p, EffExpr::implies(writes_tiled(p, j, k, 8), writes_all(p, i))),
        true,
    );
    add(
        "every other cell is not every cell",
        vec![size(n)],
        EffExpr::forall(
            p,
            EffExpr::implies(
                writes_all(p, i),
                exists(&[j], and(vec![trip(j, v(n)), EffExpr::eq(v(p), EffExpr::scale(2, v(j)))])),
            ),
        ),
        false,
    );
    add(
        "two dimensions are covered",
        vec![size(n), size(m)],
        EffExpr::forall(
            p,
            EffExpr::forall(
                q,
                EffExpr::implies(
                    and(vec![trip(p, v(n)), trip(q, v(m))]),
                    exists(
                        &[i, j],
                        and(vec![
                            trip(i, v(n)),
                            trip(j, v(m)),
                            EffExpr::eq(v(p), v(i)),
                            EffExpr::eq(v(q), v(j)),
                        ]),
                    ),
                ),
            ),
        ),
        true,
    );
    add("runs at least once", vec![size(n)], EffExpr::lt(c(0), v(n)), true);
    add(
        "a rounded loop runs at least once",
        vec![size(n)],
        EffExpr::lt(c(0), EffExpr::div(EffExpr::add(v(n), c(7)), 8)),
        true,
    );
    add("a tiled loop may not run", vec![size(n)], EffExpr::lt(c(0), div(n, 8)), false);
    add(
        "a known value stays",
        vec![EffExpr::eq(config.clone(), c(4))],
        EffExpr::eq(config.clone(), c(4)),
        true,
    );
    add(
        "an unknown value is not known",
        vec![],
        EffExpr::eq(EffExpr::unknown(Sort::Int), config.clone()),
        false,
    );
    add(
        "a loop that changes nothing",
        vec![EffExpr::eq(config.clone(), v(n))],
        EffExpr::eq(
            EffExpr::ite(
                EffExpr::forall(i, EffExpr::implies(trip(i, v(m)), EffExpr::eq(v(n), config.clone()))),
                config.clone(),
                EffExpr::unknown(Sort::Int),
            ),
            v(n),
        ),
        true,
    );
    add(
        "a loop that may change something",
        vec![],
        EffExpr::eq(
            EffExpr::ite(
                EffExpr::forall(i, EffExpr::implies(trip(i, v(m)), EffExpr::eq(v(n), config.clone()))),
                config.clone(),
                EffExpr::unknown(Sort::Int),
            ),
            config.clone(),
        ),
        false,
    );
    add("strides are opaque", vec![], EffExpr::eq(EffExpr::stride(p, 0), c(1)), false);
    add(
        "an asserted stride",
        vec![EffExpr::eq(EffExpr::stride(p, 0), c(1))],
        EffExpr::eq(EffExpr::stride(p, 0), c(1)),
        true,
    );
    add(
        "triangle",
        vec![size(n), trip(i, v(n)), within(EffExpr::add(v(i), c(1)), v(j), v(n))],
        and(vec![not(EffExpr::eq(v(i), v(j))), within(c(0), v(j), v(n))]),
        true,
    );
    add(
        "a window of a window",
        vec![size(n), within(c(0), v(i), EffExpr::add(v(n), c(-3))), trip(j, c(4))],
        within(c(0), EffExpr::add(v(i), v(j)), v(n)),
        true,
    );
    out
}

//! The parts of the first tier beside the trial of all values: what it claims is so, and of small questions it leaves
//! hardly one open. Spec: [rule: solving].

use super::Solver;
use super::cube::{self, Cube, Order, Values};
use super::eliminate::eliminate;
use super::fast::{self, Answer};
use super::linear::{GiveUp, Id, Lin, Table, gcd};
use super::prop::{Atom, FALSE, Literal, Prop, TRUE, and, ceil_div, eq, le, negate, negation_of, or};
use super::skolem::{open_witnesses, strip};
use crate::effexpr::{EffExpr, Var};
use crate::obligation::{ModelValue, Verdict};
use crate::ternary::{Assignment, TernaryValue, Truth, eval};
use rewright_semantics::sym::Sym;
use std::collections::BTreeMap;

/// The values of two truth values.
const BOTH: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

/// SplitMix64.
pub(super) struct Rng(pub(super) u64);

impl Rng {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `low..=high`.
    pub(super) fn between(&mut self, low: i128, high: i128) -> i128 {
        low + i128::from(self.bits()).rem_euclid(high - low + 1)
    }

    pub(super) fn one_in(&mut self, n: i128) -> bool {
        self.between(1, n) == 1
    }
}

/// Some variables, and the box that they range over.
struct Space {
    table: Table,
    vars: Vec<Id>,
    most: i128,
}

impl Space {
    fn new(vars: usize, most: i128) -> Space {
        let mut table = Table::default();
        let vars = (0..vars).map(|_| table.fresh().expect("a few variables")).collect();
        Space { table, vars, most }
    }

    /// A term over some of the variables, now and then with a quotient.
    fn term(&mut self, rng: &mut Rng, of: &[Id], quotients: bool) -> Lin {
        let mut lin = Lin::constant(rng.between(-6, 6));
        for x in of {
            lin = lin.plus(rng.between(-3, 3), &Lin::var(*x)).expect("small numbers");
        }
        if quotients && rng.one_in(3) {
            let inner = self.term(rng, of, false);
            let quotient = self.table.quotient(&inner, rng.between(2, 4)).expect("small numbers");
            lin = lin.plus(rng.between(-2, 2), &quotient).expect("small numbers");
        }
        lin
    }

    fn literal(&mut self, rng: &mut Rng, of: &[Id], quotients: bool) -> Literal {
        let lin = self.term(rng, of, quotients);
        match rng.between(0, 3) {
            0 => eq(lin, true),
            1 => eq(lin, false),
            _ => le(lin),
        }
        .expect("small numbers")
    }

    /// A formula without quantifiers.
    fn formula(&mut self, rng: &mut Rng, depth: usize, quotients: bool) -> Prop {
        let of = self.vars.clone();
        if depth == 0 || rng.one_in(4) {
            return self.literal(rng, &of, quotients).into();
        }
        let parts: Vec<Prop> =
            (0..rng.between(2, 3)).map(|_| self.formula(rng, depth - 1, quotients)).collect();
        if rng.one_in(2) { and(parts) } else { or(parts) }
    }

    /// `-most <= x <= most`
    fn bounds(&self, x: Id) -> [Atom; 2] {
        [1, -1].map(|sign| Atom::Le(Lin { terms: vec![(x, sign)], constant: -self.most }))
    }

    fn inside(&self, xs: &[Id]) -> Vec<Atom> {
        xs.iter().flat_map(|x| self.bounds(*x)).collect()
    }

    /// All values of some variables.
    fn all(&self, xs: &[Id]) -> Vec<Values> {
        xs.iter().fold(vec![Values::default()], |known, x| {
            let more = known.iter().flat_map(|values| {
                (-self.most..=self.most).map(move |v| {
                    let mut next = values.clone();
                    next.insert(*x, v);
                    next
                })
            });
            more.collect()
        })
    }

    fn atom(&self, a: &Atom, at: &Values) -> bool {
        let v = self.table.value(a.lin(), at).expect("small numbers");
        match a {
            Atom::Le(_) => v <= 0,
            Atom::Eq(_) => v == 0,
            Atom::Ne(_) => v != 0,
        }
    }

    /// The truth of a formula; quantifiers range over the box.
    fn truth(&self, p: &Prop, at: &Values, bools: &BTreeMap<Id, bool>) -> bool {
        let with = |x: &Id, v: i128| {
            let mut next = at.clone();
            next.insert(*x, v);
            next
        };
        let mut values = -self.most..=self.most;
        match p {
            Prop::Atom(a) => self.atom(a, at),
            Prop::Bool(x, b) => bools.get(x).copied().unwrap_or(false) == *b,
            Prop::And(ps) => ps.iter().all(|q| self.truth(q, at, bools)),
            Prop::Or(ps) => ps.iter().any(|q| self.truth(q, at, bools)),
            Prop::Forall(x, q) => values.all(|v| self.truth(q, &with(x, v), bools)),
            Prop::Exists(x, q) => values.any(|v| self.truth(q, &with(x, v), bools)),
        }
    }

    fn holds(&self, p: &Prop, at: &Values) -> bool {
        self.truth(p, at, &BTreeMap::new())
    }

    /// `∃x.` of a formula, `x` within the box.
    fn some(&self, x: Id, p: Prop) -> Prop {
        let inside = self.bounds(x).into_iter().map(Prop::Atom);
        Prop::Exists(x, Box::new(and(inside.chain([p]))))
    }

    /// `∀x.` of a formula, `x` within the box.
    fn every(&self, x: Id, p: &Prop) -> Prop {
        negate(&self.some(x, negate(p).expect("small numbers"))).expect("small numbers")
    }
}

fn lin(constant: i128, terms: &[(Id, i128)]) -> Lin {
    Lin { terms: terms.to_vec(), constant }
}

#[test]
fn a_conjunction_is_decided_as_by_trying_all_values() {
    let (mut contradictions, mut models, mut open) = (0, 0, 0);
    for seed in 0..3000 {
        let mut rng = Rng(seed);
        let mut space = Space::new(3, 4);
        let vars = space.vars.clone();
        let mut atoms = space.inside(&vars);
        for _ in 0..rng.between(2, 7) {
            if let Literal::Atom(a) = space.literal(&mut rng, &vars, seed % 2 == 0) {
                atoms.push(a);
            }
        }
        let satisfied = |at: &Values| atoms.iter().all(|a| space.atom(a, at));
        let possible = space.all(&vars).iter().any(satisfied);
        let found = [Order::Cheapest, Order::Exact].map(|order| cube::decide(&space.table, &atoms, order));
        for one in &found {
            match one {
                Ok(Cube::Contradiction) => {
                    contradictions += 1;
                    assert!(!possible, "seed {seed}: no contradiction: {atoms:?}");
                }
                Ok(Cube::Candidate(values)) => {
                    models += 1;
                    assert!(satisfied(values), "seed {seed}: {values:?} does not satisfy {atoms:?}");
                }
                Ok(Cube::Open) | Err(GiveUp) => {}
            }
        }
        open += usize::from(found.iter().all(|one| matches!(one, Ok(Cube::Open) | Err(GiveUp))));
    }
    println!("{contradictions} contradictions, {models} models, {open} of 3000 left open");
    assert!(contradictions > 1800 && models > 3800, "{contradictions} contradictions, {models} models");
    assert!(open <= 35, "{open} of 3000 are left open");
}

/// `n / 8 % 4` is 2 or more for 16: the cheapest order has given `n` a value before it comes to the quotients.
#[test]
fn what_is_eliminated_exactly_leaves_quotients_their_values() {
    let (n, two) = (Sym::fresh("n"), EffExpr::int(2));
    let digit = EffExpr::modulo(EffExpr::div(EffExpr::int_var(n), 8), 4);
    let size = EffExpr::le(EffExpr::int(1), EffExpr::int_var(n));
    let small = EffExpr::implies(size.clone(), EffExpr::lt(digit.clone(), two));
    let bit =
        EffExpr::eq(EffExpr::modulo(digit, 2), EffExpr::modulo(EffExpr::div(EffExpr::int_var(n), 8), 2));
    let solver = Solver::new();
    let refuted = solver.decide_formula(&small);
    let Verdict::Refuted { model } = &refuted else { panic!("{refuted:?}") };
    assert_eq!(model.get(Var::Local(n)), Some(ModelValue::Int(16)));
    assert!(solver.decide_formula(&EffExpr::implies(size, bit)).is_proved());
    assert_eq!((solver.counts().fast, solver.counts().linear), (2, 0));
}

/// Bounds that only an equation gives, coefficients that no one shares, and inequations that leave nothing.
#[test]
fn contradictions_over_the_integers_are_found() {
    let space = Space::new(3, 0);
    let [x, y, z] = [0, 1, 2].map(|k| space.vars[k]);
    let le = |constant, terms: &[(Id, i128)]| Atom::Le(lin(constant, terms));
    let cases: [(&str, Vec<Atom>); 6] = [
        ("2x = 2y + 1", vec![Atom::Eq(lin(-1, &[(x, 2), (y, -2)]))]),
        (
            "6x + 10y + 15z = 1, z = 0 mod 2, …",
            vec![Atom::Eq(lin(-1, &[(x, 6), (y, 10), (z, 15)])), Atom::Eq(lin(0, &[(z, 1)]))],
        ),
        ("0 <= x <= 2, x not one of them", {
            let mut atoms = vec![le(-2, &[(x, 1)]), le(0, &[(x, -1)])];
            atoms.extend((0..3).map(|v| Atom::Ne(lin(-v, &[(x, 1)]))));
            atoms
        }),
        ("3 <= 2x - 4y <= 3", vec![le(-3, &[(x, 2), (y, -4)]), le(3, &[(x, -2), (y, 4)])]),
        (
            "x < y < z < x",
            vec![le(1, &[(x, 1), (y, -1)]), le(1, &[(y, 1), (z, -1)]), le(1, &[(x, -1), (z, 1)])],
        ),
        (
            "x <= y, y <= x, x != y",
            vec![le(0, &[(x, 1), (y, -1)]), le(0, &[(x, -1), (y, 1)]), Atom::Ne(lin(0, &[(x, 1), (y, -1)]))],
        ),
    ];
    for (what, atoms) in cases {
        for order in [Order::Cheapest, Order::Exact] {
            assert_eq!(cube::decide(&space.table, &atoms, order), Ok(Cube::Contradiction), "{what}");
        }
    }
}

#[test]
fn a_formula_is_searched_as_by_trying_all_values() {
    let (mut unsatisfiable, mut models, mut open) = (0, 0, 0);
    for seed in 0..1500 {
        let mut rng = Rng(seed);
        let mut space = Space::new(2, 4);
        let vars = space.vars.clone();
        let flags = [0, 1].map(|_| space.table.fresh().expect("a few variables"));
        let mut parts: Vec<Prop> = space.inside(&vars).into_iter().map(Prop::Atom).collect();
        for _ in 0..rng.between(1, 3) {
            let flag = Prop::Bool(flags[usize::from(rng.one_in(2))], rng.one_in(2));
            let formula = space.formula(&mut rng, 2, seed % 2 == 0);
            parts.push(if rng.one_in(2) { or([flag, formula]) } else { and([flag, formula]) });
        }
        let p = and(parts);
        let possible = space
            .all(&vars)
            .iter()
            .any(|at| BOTH.iter().any(|bs| space.truth(&p, at, &flags.into_iter().zip(*bs).collect())));
        match fast::search(&space.table, &p) {
            Answer::Unsatisfiable => {
                unsatisfiable += 1;
                assert!(!possible, "seed {seed}: {p:?}");
            }
            Answer::Candidate { ints, bools } => {
                models += 1;
                assert!(space.truth(&p, &ints, &bools), "seed {seed}: {ints:?} {bools:?} in {p:?}");
            }
            Answer::Open => open += 1,
        }
    }
    assert!(unsatisfiable > 350 && models > 1000, "{unsatisfiable} unsatisfiable, {models} models");
    assert!(open <= 4, "{open} of 1500 are left open");
}

/// Two witnesses of one number are two: what one of them must be says nothing of the other.
#[test]
fn a_witness_is_opened_once() {
    let space = Space::new(1, 0);
    let x = space.vars[0];
    let some = |constant, sign| Prop::Exists(x, Box::new(Prop::Atom(Atom::Le(lin(constant, &[(x, sign)])))));
    assert_ne!(fast::search(&space.table, &and([some(1, 1), some(1, -1)])), Answer::Unsatisfiable);
    assert!(matches!(fast::search(&space.table, &some(1, 1)), Answer::Candidate { .. }));
}

/// What the normal form is made from: each kind of classical formula, beside the direct evaluator.
#[test]
fn a_normal_form_is_the_negation() {
    let (x, y, p, q) = (Sym::fresh("x"), Sym::fresh("y"), Sym::fresh("p"), Sym::fresh("q"));
    let (int, flag) = (EffExpr::int_var, EffExpr::bool_var);
    let less = EffExpr::lt(int(x), int(y));
    let choice = EffExpr::ite(flag(p), EffExpr::neg(int(x)), EffExpr::modulo(int(y), 3));
    let formulas = [
        EffExpr::iff(flag(p), flag(q)),
        EffExpr::iff(less.clone(), EffExpr::not(flag(p))),
        EffExpr::ite(flag(p), less.clone(), flag(q)),
        EffExpr::le(EffExpr::neg(int(x)), EffExpr::scale(2, int(y))),
        EffExpr::eq(EffExpr::div(EffExpr::sub(int(x), int(y)), 2), EffExpr::int(-1)),
        EffExpr::eq(choice.clone(), EffExpr::int(1)),
        EffExpr::lt(EffExpr::add(choice.clone(), choice), int(x)),
        EffExpr::not(EffExpr::or([flag(q), EffExpr::and([less, flag(p)])])),
    ];
    let space = Space::new(2, 3);
    for formula in formulas {
        let normal = negation_of(&formula).expect("a small formula");
        let within = Space { table: normal.table.clone(), ..Space::new(0, 3) };
        for at in space.all(&space.vars) {
            for [b, c] in BOTH {
                let numbers = [(x, space.vars[0]), (y, space.vars[1])];
                let value = |v: Var| match numbers.iter().find(|(s, _)| v == Var::Local(*s)) {
                    Some((_, id)) => TernaryValue::Int(at.get(id).copied()),
                    None => TernaryValue::Bool(Truth::from(if v == Var::Local(p) { b } else { c })),
                };
                let given: Assignment = [x, y, p, q].map(Var::Local).map(|v| (v, value(v))).into();
                let (mut ints, mut bools) = (Values::default(), BTreeMap::new());
                for (v, _, id) in &normal.free {
                    match value(*v) {
                        TernaryValue::Int(i) => drop(ints.insert(*id, i.expect("a value"))),
                        TernaryValue::Bool(t) => drop(bools.insert(*id, t.definitely())),
                    }
                }
                let is_false = eval(&formula, &given, 0..1) == TernaryValue::Bool(Truth::False);
                assert_eq!(within.truth(&normal.prop, &ints, &bools), is_false, "{formula} at {given:?}");
            }
        }
    }
}

#[test]
fn what_is_left_of_a_quantifier_says_the_same() {
    let (mut eliminated, mut given_up) = (0, 0);
    for seed in 0..1200 {
        let mut rng = Rng(seed);
        let mut space = Space::new(3, 3);
        let (x, free) = (space.vars[0], [space.vars[1], space.vars[2]]);
        let p = space.formula(&mut rng, 2, seed % 2 == 0);
        // Truth values are no business of the quantifier's.
        let flags = [space.table.fresh().expect("a variable")];
        let flag = Prop::Bool(flags[0], rng.one_in(2));
        let p = if rng.one_in(2) { or([flag, p]) } else { and([flag, p]) };
        let question = match seed % 3 {
            0 => space.every(x, &p),
            1 => space.every(free[0], &space.some(x, p)),
            _ => negate(&space.every(x, &space.every(free[0], &p))).expect("small numbers"),
        };
        // An ∃ on the outside stays: it is put below a ∀ that binds nothing.
        let question = Prop::Forall(space.table.fresh().expect("a variable"), Box::new(question));
        let Ok(plain) = eliminate(&mut space.table, &question) else {
            given_up += 1;
            continue;
        };
        eliminated += 1;
        for (at, value) in space.all(&free).iter().flat_map(|at| [(at, false), (at, true)]) {
            let bools = flags.iter().map(|x| (*x, value)).collect();
            let (before, after) = (space.truth(&question, at, &bools), space.truth(&plain, at, &bools));
            assert_eq!(before, after, "seed {seed} at {at:?}: {question:?}\n{plain:?}");
        }
    }
    assert!(eliminated >= 885, "{eliminated} eliminated, {given_up} given up");
}

#[test]
fn a_quotient_is_rounded_down_and_has_one_number() {
    for seed in 0..400 {
        let mut rng = Rng(seed);
        let mut space = Space::new(2, 7);
        let vars = space.vars.clone();
        let (inner, k) = (space.term(&mut rng, &vars, true), rng.between(1, 6));
        let quotient = space.table.quotient(&inner, k).expect("small numbers");
        let by = space.term(&mut rng, &[vars[1]], false);
        let replaced = space.table.replaced(&quotient, vars[0], &by).expect("small numbers");
        assert!(!space.table.mentions(&replaced, &[vars[0]]), "seed {seed}");
        for at in space.all(&vars) {
            let value = |l: &Lin, at: &Values| space.table.value(l, at).expect("small numbers");
            assert_eq!(value(&quotient, &at), value(&inner, &at).div_euclid(k), "seed {seed} at {at:?}");
            let mut moved = at.clone();
            moved.insert(vars[0], value(&by, &at));
            assert_eq!(value(&replaced, &at), value(&quotient, &moved), "seed {seed} at {at:?}");
        }
    }
    let mut space = Space::new(2, 0);
    let [x, y] = [0, 1].map(|k| space.vars[k]);
    let mut of = |constant, terms: &[(Id, i128)], k| space.table.quotient(&lin(constant, terms), k);
    let half = of(0, &[(x, 1)], 2);
    assert_eq!(of(0, &[(x, 3)], 6), half, "a common factor");
    assert_eq!(of(1, &[(x, 2)], 4), half, "what rounding drops");
    assert_eq!(of(6, &[(x, 1), (y, 2)], 2), of(0, &[(x, 1)], 2).and_then(|h| h.plus(1, &lin(3, &[(y, 1)]))));
    assert_ne!(of(0, &[(x, 1)], 3), half);
    assert_eq!(of(3, &[(x, 4)], 2), Ok(lin(1, &[(x, 2)])), "a divisor of all");
}

#[test]
fn two_tables_are_equal_when_their_quotients_are() {
    let with = |k| {
        let mut space = Space::new(1, 0);
        let x = space.vars[0];
        space.table.quotient(&Lin::var(x), k).expect("small numbers");
        space.table
    };
    assert_eq!(with(2), with(2));
    assert_ne!(with(2), with(3));
}

#[test]
fn an_atom_is_divided_by_what_its_coefficients_share() {
    let space = Space::new(2, 0);
    let [x, y] = [0, 1].map(|k| space.vars[k]);
    let atom = |a| Ok(Literal::Atom(a));
    assert_eq!(le(lin(3, &[(x, 4), (y, -6)])), atom(Atom::Le(lin(2, &[(x, 2), (y, -3)]))));
    assert_eq!(le(lin(0, &[])), Ok(Literal::Truth(true)));
    assert_eq!(le(lin(1, &[])), Ok(Literal::Truth(false)));
    assert_eq!(eq(lin(4, &[(x, -2), (y, 6)]), true), atom(Atom::Eq(lin(-2, &[(x, 1), (y, -3)]))));
    assert_eq!(eq(lin(3, &[(x, 2)]), true), Ok(Literal::Truth(false)));
    assert_eq!(eq(lin(3, &[(x, 2)]), false), Ok(Literal::Truth(true)));
    assert_eq!(eq(lin(0, &[]), true), Ok(Literal::Truth(true)));
    assert_eq!(eq(lin(1, &[]), false), Ok(Literal::Truth(true)));
    assert_eq!([gcd(0, 0), gcd(0, -3), gcd(12, -18), gcd(7, 5)], [0, 3, 6, 1]);
    assert_eq!([(7, 2), (-7, 2), (6, 2), (0, 5)].map(|(a, g)| ceil_div(a, g)), [Ok(4), Ok(-3), Ok(3), Ok(0)]);
    assert_eq!(le(lin(i128::MIN, &[(x, 3)])), Err(GiveUp));
}

#[test]
fn junctions_are_flat_and_repeat_nothing() {
    let [p, q, r] = [0, 1, 2].map(|k| Prop::Bool(Id(k), true));
    assert_eq!(and([]), TRUE);
    assert_eq!(or([]), FALSE);
    assert_eq!(and([p.clone(), TRUE, p.clone()]), p);
    assert_eq!(and([p.clone(), FALSE, q.clone()]), FALSE);
    assert_eq!(or([p.clone(), TRUE]), TRUE);
    assert_eq!(or([FALSE, p.clone()]), p);
    let both = Prop::And(vec![p.clone(), q.clone()]);
    assert_eq!(and([both.clone(), and([r.clone(), p.clone()])]), Prop::And(vec![p.clone(), q.clone(), r]));
    assert_eq!(or([both.clone(), p.clone()]), Prop::Or(vec![both, p]));
    let many: Vec<Prop> = (0..40).map(|k| Prop::Bool(Id(k), false)).collect();
    let twice = many.iter().chain(&many).cloned();
    assert_eq!(and(twice), Prop::And(many));
}

#[test]
fn a_negation_is_true_where_the_formula_is_not() {
    for seed in 0..300 {
        let mut rng = Rng(seed);
        let mut space = Space::new(2, 4);
        let (x, y) = (space.vars[0], space.vars[1]);
        let p = space.formula(&mut rng, 2, true);
        let p = if seed % 2 == 0 { p } else { space.some(x, p) };
        let not = negate(&p).expect("small numbers");
        for at in space.all(&[x, y]) {
            assert_ne!(space.holds(&p, &at), space.holds(&not, &at), "seed {seed} at {at:?}: {p:?}");
        }
    }
}

/// Of `∀x. x < y`, `∃x. x < y` below a negation, and both below a choice, nothing is left but the free variable.
#[test]
fn outer_quantifiers_go() {
    let (x, y) = (Sym::fresh("x"), Sym::fresh("y"));
    let less = EffExpr::lt(EffExpr::int_var(x), EffExpr::int_var(y));
    let (every, some) = (EffExpr::forall(x, less.clone()), EffExpr::exists(x, less.clone()));
    assert!(every.is_quantified() && EffExpr::not(some.clone()).is_quantified() && !less.is_quantified());
    assert!(EffExpr::and([less.clone(), EffExpr::or([less.clone(), every.clone()])]).is_quantified());
    for formula in [
        every.clone(),
        EffExpr::not(some.clone()),
        EffExpr::implies(some.clone(), EffExpr::or([less.clone(), every.clone()])),
        EffExpr::ite(less.clone(), every.clone(), EffExpr::not(some.clone())),
    ] {
        assert!(!strip(&formula).is_quantified(), "{}", strip(&formula));
    }
    assert_eq!(strip(&some), some, "a witness is no counterexample");
    assert_eq!(strip(&EffExpr::not(every.clone())), EffExpr::not(every));
    assert_eq!(strip(&less), less);
    assert_eq!(open_witnesses(&some), less);
}

/// A binder that has the symbol of a free variable, and two binders of one symbol, are three variables.
#[test]
fn a_variable_that_becomes_free_has_a_symbol_of_its_own() {
    let x = Sym::fresh("x");
    let below = |k| EffExpr::lt(EffExpr::int_var(x), EffExpr::int(k));
    let every = |k| EffExpr::forall(x, below(k));
    assert_eq!(strip(&EffExpr::or([EffExpr::not(below(0)), every(0)])).free_vars().len(), 2);
    assert_eq!(strip(&EffExpr::or([every(0), every(1)])).free_vars().len(), 2);
}

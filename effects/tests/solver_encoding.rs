//! The encoding of App. B against the direct evaluator: all small expressions, all small assignments.

use rewright_effects::effexpr::{EffExpr, Node, Sort, Var};
use rewright_effects::solver::encode::{encode_bool, encode_int};
use rewright_effects::ternary::{Assignment, TernaryValue, Truth, eval};
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;

struct Space {
    x: Sym,
    assignments: Vec<Assignment>,
}

impl Space {
    fn check_bool(&self, ee: &EffExpr) {
        let pair = encode_bool(ee);
        assert!(pair.t.is_definite() && pair.f.is_definite(), "{ee}");
        for at in &self.assignments {
            let direct = eval(ee, at, -2..3);
            let (t, f) = (eval(&pair.t, at, -2..3), eval(&pair.f, at, -2..3));
            let truth = match (t, f) {
                (TernaryValue::Bool(Truth::True), TernaryValue::Bool(Truth::False)) => Truth::True,
                (TernaryValue::Bool(Truth::False), TernaryValue::Bool(Truth::True)) => Truth::False,
                (TernaryValue::Bool(Truth::False), TernaryValue::Bool(Truth::False)) => Truth::Unknown,
                other => panic!("{ee}: {other:?} is no pair"),
            };
            assert_eq!(TernaryValue::Bool(truth), direct, "{ee} at {at:?}");
        }
    }

    fn check_int(&self, ee: &EffExpr) {
        let pair = encode_int(ee);
        assert!(pair.x.is_definite() && pair.d.is_definite(), "{ee}");
        for at in &self.assignments {
            let d = eval(&pair.d, at, -2..3) == TernaryValue::Bool(Truth::True);
            let encoded = if d { eval(&pair.x, at, -2..3) } else { TernaryValue::Int(None) };
            assert_eq!(encoded, eval(ee, at, -2..3), "{ee} at {at:?}");
        }
    }
}

fn leaves() -> (Space, Vec<EffExpr>, Vec<EffExpr>) {
    let (x, b) = (Sym::fresh("x"), Sym::fresh("b"));
    let mut assignments = Vec::new();
    for i in -3..4 {
        for t in [Truth::True, Truth::False] {
            assignments.push(Assignment::from([
                (Var::Local(x), TernaryValue::Int(Some(i))),
                (Var::Local(b), TernaryValue::Bool(t)),
            ]));
        }
    }
    let ints = vec![EffExpr::int_var(x), EffExpr::int(1), EffExpr::unknown(Sort::Int)];
    let bools = vec![EffExpr::bool_var(b), EffExpr::bool(true), EffExpr::unknown(Sort::Bool)];
    (Space { x, assignments }, ints, bools)
}

fn int_forms(ints: &[EffExpr], conditions: &[EffExpr]) -> Vec<EffExpr> {
    let mut out = ints.to_vec();
    for a in ints {
        out.push(EffExpr::neg(a.clone()));
        out.push(EffExpr::scale(-3, a.clone()));
        out.push(EffExpr::div(a.clone(), 2));
        out.push(EffExpr::modulo(a.clone(), 2));
        for b in ints {
            out.push(EffExpr::add(a.clone(), b.clone()));
            out.push(EffExpr::sub(a.clone(), b.clone()));
            out.extend(conditions.iter().map(|c| EffExpr::ite(c.clone(), a.clone(), b.clone())));
        }
    }
    dedup(out)
}

fn bool_forms(x: Sym, bools: &[EffExpr]) -> Vec<EffExpr> {
    let mut out = bools.to_vec();
    for a in bools {
        out.push(EffExpr::not(a.clone()));
        out.push(EffExpr::definitely(a.clone()));
        out.push(EffExpr::maybe(a.clone()));
        out.push(EffExpr::forall(x, a.clone()));
        out.push(EffExpr::exists(x, a.clone()));
        for b in bools {
            out.push(EffExpr::and([a.clone(), b.clone()]));
            out.push(EffExpr::or([a.clone(), b.clone()]));
            out.push(EffExpr::iff(a.clone(), b.clone()));
        }
    }
    dedup(out)
}

fn dedup(es: Vec<EffExpr>) -> Vec<EffExpr> {
    let mut seen = std::collections::HashSet::new();
    es.into_iter().filter(|e| seen.insert(e.clone())).collect()
}

/// Spec: [rule: encoding].
#[test]
fn integers_of_depth_two_are_encoded_faithfully() {
    let (space, ints, bools) = leaves();
    let one = int_forms(&ints, &bools);
    for e in int_forms(&one, &bools[..1]).iter().chain(&int_forms(&one[..12], &bools)) {
        space.check_int(e);
    }
}

#[test]
fn comparisons_of_all_integers_of_depth_one_are_encoded_faithfully() {
    let (space, ints, bools) = leaves();
    let one = int_forms(&ints, &bools);
    for a in &one {
        for b in &one {
            space.check_bool(&EffExpr::eq(a.clone(), b.clone()));
            space.check_bool(&EffExpr::lt(a.clone(), b.clone()));
            space.check_bool(&EffExpr::le(a.clone(), b.clone()));
        }
    }
}

/// Spec: [rule: encoding], [rule: ternary].
#[test]
fn truth_values_of_depth_two_are_encoded_faithfully() {
    let (space, ints, mut bools) = leaves();
    bools.push(EffExpr::lt(ints[0].clone(), ints[1].clone()));
    bools.push(EffExpr::or([EffExpr::lt(ints[0].clone(), EffExpr::int(0)), EffExpr::unknown(Sort::Bool)]));
    let one = bool_forms(space.x, &bools);
    let two = bool_forms(space.x, &one);
    assert!(two.len() > 2000, "{} forms", two.len());
    two.iter().for_each(|e| space.check_bool(e));
    for c in &one {
        for (a, b) in [(0, 1), (2, 3), (4, 0), (3, 2)] {
            space.check_bool(&EffExpr::ite(c.clone(), bools[a].clone(), bools[b].clone()));
        }
    }
}

/// What a walk finds: free variables, and whether there is a quantifier.
fn walked(ee: &EffExpr, bound: &[Sym], free: &mut BTreeSet<Var>, quantified: &mut bool) {
    let mut bound = bound.to_vec();
    match ee.node() {
        Node::Var(Var::Local(x), Sort::Int) if bound.contains(x) => {}
        Node::Var(v, _) => {
            free.insert(*v);
        }
        Node::Forall(x, _) | Node::Exists(x, _) => {
            *quantified = true;
            bound.push(*x);
        }
        Node::Int(_)
        | Node::Bool(_)
        | Node::Unknown(_)
        | Node::Neg(_)
        | Node::Add(..)
        | Node::Sub(..)
        | Node::Scale(..)
        | Node::Div(..)
        | Node::Mod(..)
        | Node::Cmp(..)
        | Node::Iff(..)
        | Node::Not(_)
        | Node::And(_)
        | Node::Or(_)
        | Node::If(..)
        | Node::Definitely(_)
        | Node::Maybe(_) => {}
    }
    ee.children(|c| walked(c, &bound, free, quantified));
}

#[test]
fn what_an_expression_knows_of_itself_is_what_a_walk_finds() {
    let (space, ints, mut bools) = leaves();
    let y = Sym::fresh("y");
    bools.push(EffExpr::lt(ints[0].clone(), EffExpr::int_var(y)));
    bools.push(EffExpr::eq(EffExpr::int_var(y), EffExpr::int_var(Sym::fresh("z"))));
    let one = bool_forms(space.x, &bools);
    let two = [bool_forms(space.x, &one), bool_forms(y, &one)].concat();
    let mut kinds = BTreeSet::new();
    for e in &two {
        let (mut free, mut quantified) = (BTreeSet::new(), false);
        walked(e, &[], &mut free, &mut quantified);
        assert_eq!((e.free_vars(), e.is_quantified()), (free.clone(), quantified), "{e}");
        assert!(
            [space.x, y].iter().all(|v| e.mentions(Var::Local(*v)) == free.contains(&Var::Local(*v))),
            "{e}"
        );
        assert!(!e.is_plain() || (encode_bool(e).t == *e && !quantified), "{e}");
        kinds.insert((free.len(), quantified, e.is_plain()));
    }
    println!("free variables, quantified, plain: {kinds:?}");
    assert!(kinds.len() >= 12, "{kinds:?}");
}

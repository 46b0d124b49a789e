use super::*;
use crate::ast::{BinOp, ExprKind, Literal};
use crate::build::{add, div, int, mul, neg, rem, sub, var};

fn norm(e: &Expr) -> Linear {
    Linear::of(e).expect("quasi-affine")
}

/// The value of an expression at `x = vx`, `y = vy`; floor division.
pub(crate) fn eval(e: &Expr, env: &[(Sym, i64)]) -> i64 {
    let go = |e: &Expr| eval(e, env);
    match &e.kind {
        ExprKind::Read { name, .. } => env.iter().find(|(x, _)| x == name).map(|(_, v)| *v).expect("bound"),
        ExprKind::Lit(Literal::Int(n)) => *n,
        ExprKind::Neg(e) => -go(e),
        ExprKind::Bin { op, lhs, rhs } => match op {
            BinOp::Add => go(lhs) + go(rhs),
            BinOp::Sub => go(lhs) - go(rhs),
            BinOp::Mul => go(lhs) * go(rhs),
            BinOp::Div => Integer::div_floor(&go(lhs), &go(rhs)),
            BinOp::Mod => Integer::mod_floor(&go(lhs), &go(rhs)),
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => {
                panic!("not an integer")
            }
        },
        ExprKind::Window(_)
        | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => panic!("not an integer"),
    }
}

/// All expressions of one more level over these.
fn level(es: &[Expr]) -> Vec<Expr> {
    let mut out = es.to_vec();
    for a in es {
        out.push(neg(a.clone()));
        for c in [2, 3, 4] {
            out.extend([mul(c, a.clone()), div(a.clone(), c), rem(a.clone(), c)]);
        }
        for b in es {
            out.extend([add(a.clone(), b.clone()), sub(a.clone(), b.clone())]);
        }
    }
    out
}

/// Spec: [rule: type.linear].
#[test]
fn the_normal_form_has_the_value_of_the_expression() {
    let (x, y) = (Sym::fresh("x"), Sym::fresh("y"));
    let exprs = level(&level(&[var(x), var(y), int(1)]));
    assert!(exprs.len() > 2_000, "{}", exprs.len());
    for e in exprs {
        let normal = norm(&e).to_expr();
        for (vx, vy) in [(0, 0), (1, -1), (7, 3), (-5, 4), (12, -9), (23, 17)] {
            let env = [(x, vx), (y, vy)];
            assert_eq!(eval(&e, &env), eval(&normal, &env), "{e:?} became {}", norm(&e));
        }
    }
}

#[test]
fn a_normal_form_is_its_own_normal_form() {
    let (x, y) = (Sym::fresh("x"), Sym::fresh("y"));
    for e in level(&level(&[var(x), var(y), int(1)])) {
        assert_eq!(norm(&e), norm(&norm(&e).to_expr()));
    }
}

/// Spec: [rule: type.linear].
#[test]
fn equal_expressions_meet() {
    let n = Sym::fresh("n");
    let same = |a: Expr, b: Expr| assert_eq!(norm(&a), norm(&b));
    same(sub(add(n, 8), 8), var(n));
    same(add(mul(8, div(n, 8)), rem(n, 8)), var(n));
    same(div(add(mul(8, n), 3), 8), var(n));
    same(div(div(n, 4), 2), div(n, 8));
    same(div(rem(n, 8), 4), rem(div(n, 4), 2));
    same(rem(rem(n, 8), 4), rem(n, 4));
    same(div(add(mul(2, n), 1), 4), div(n, 2));
    same(sub(mul(n, 4), mul(4, n)), int(0));
}

#[test]
fn what_is_not_quasi_affine_is_told_apart() {
    let (n, m) = (Sym::fresh("n"), Sym::fresh("m"));
    let of = |e: Expr| Linear::of(&e);
    assert_eq!(of(mul(n, m)), Err(NotLinear::Product));
    assert_eq!(of(div(n, m)), Err(NotLinear::Divisor));
    assert_eq!(of(rem(n, 0)), Err(NotLinear::Divisor));
    assert_eq!(of(div(n, -2)), Err(NotLinear::Divisor));
    assert_eq!(of(mul(mul(n, i64::MAX), 2)), Err(NotLinear::Overflow));
    assert_eq!(of(crate::build::boolean(true)), Err(NotLinear::NotControl));
}

#[test]
fn remainders_of_remainders_end() {
    let mut e = var(Sym::fresh("n"));
    for p in [101, 97, 89, 83, 79, 73, 71, 67, 61, 59, 53, 47, 43, 41, 37, 31, 29, 23, 19, 17, 13, 11, 7, 5] {
        e = rem(e, p);
    }
    assert_eq!(Linear::of(&e), Err(NotLinear::Size));
}

#[test]
fn normal_forms_read_as_people_write() {
    let (n, m) = (Sym::fresh("n"), Sym::fresh("m"));
    let show = |e: Expr| norm(&e).to_string();
    assert_eq!(show(int(0)), "0");
    assert_eq!(show(sub(m, n)), "m - n");
    assert_eq!(show(sub(mul(8, n), 1)), "8 * n - 1");
    assert_eq!(show(neg(n)), "-n");
    assert_eq!(show(sub(4, n)), "4 - n");
    assert_eq!(show(div(add(n, 7), 8)), "(n + 7) / 8");
    assert_eq!(show(mul(8, div(n, 8))), "8 * (n / 8)");
    assert_eq!(show(sub(n, mul(8, div(n, 8)))), "n % 8");
    assert_eq!(show(add(mul(3, rem(add(n, 2), 8)), m)), "3 * ((n + 2) % 8) + m");
    assert_eq!(show(sub(add(m, 3), rem(n, 2))), "m + 3 - n % 2");
    assert_eq!(show(sub(int(-3), n)), "-n - 3");
}

//! Which points beside a region the loops of a stage visit. Spec:
//! [rule: halide.not-larger].

use super::super::demand::Step;
use crate::expr::{Expr, Interval, Var};
use crate::op::Op;
use rewright_base::sym::Name;
use std::rc::Rc;

/// What becomes of the last tiles of a dimension.
pub(super) struct Tail {
    /// Whether nothing behind the end is visited: a condition on the variable itself holds it back, or its own tiles are shifted.
    pub(super) ends: bool,
    /// Whether a tile is shifted below the start.
    pub(super) shifted: bool,
    /// How deep the outermost of the loops stands that the variable is made of.
    pub(super) loops: usize,
}

/// The tail of a coordinate that is the variable of loops which were split or fused.
pub(super) fn tail(path: &[Rc<Step>], e: &Expr) -> Option<(Name, Tail)> {
    let Expr::Var(v @ Var::Loop(_, name)) = e else { return None };
    let mut out = Tail { ends: false, shifted: false, loops: path.len() };
    let (mut made_of, mut split) = (vec![*v], false);
    for (i, step) in path.iter().enumerate().rev() {
        match step.as_ref() {
            Step::Let(w, value) if made_of.contains(w) => {
                let shifted = is_of(value, Op::Min);
                out.ends |= w == v && (shifted || has_condition(path.get(i..).unwrap_or_default(), *w));
                out.shifted |= shifted && !is_single(path, value);
                made_of.extend(value.vars());
                split = true;
            }
            Step::Loop(w, _) if made_of.contains(w) => out.loops = i,
            Step::Let(..) | Step::Loop(..) | Step::Regions(_) | Step::Fact(_) | Step::Begins(..) => {}
        }
    }
    split.then_some((*name, out))
}

/// Whether a tile is one point: then none is shifted.
fn is_single(path: &[Rc<Step>], tile: &Expr) -> bool {
    let Expr::Op(Op::Add, parts) = tile else { return false };
    let Some(Expr::Var(inner)) = parts.get(1) else { return false };
    let one = |domain: &Interval| domain.len.as_i64() == Some(1);
    path.iter().any(|s| matches!(s.as_ref(), Step::Loop(w, domain) if w == inner && one(domain)))
}

fn has_condition(path: &[Rc<Step>], v: Var) -> bool {
    path.iter().any(|s| matches!(s.as_ref(), Step::Fact(n) if n.mentions(v)))
}

fn is_of(value: &Expr, op: Op) -> bool {
    let mut found = false;
    value.visit(&mut |e| found |= matches!(e, Expr::Op(o, _) if *o == op));
    found
}

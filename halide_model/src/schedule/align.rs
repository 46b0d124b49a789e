//! `align-bounds(f, x, m, r)`. Thesis §2.8.5; spec: [rule: halide.align].
//!
//! `label f: s` ~> `assert ?cpu f_x.min mod m = r mod m; assert ?cpu f_x.len mod m = 0; label f: s`. Bounds inference
//! widens the window until this holds.
//!
//! - `bound.dimension`, `bound.startup` as for `bound`.
//! - `align-bounds.positive`: `m` is positive; one known only at startup is asserted. Without: nothing but the empty
//!   window has a length that 0 divides, and modulo 0 everything is aligned.

use super::bound::{assert_before, hole, startup};
use super::refusal::{ALIGN_POSITIVE, Refusal, Site};
use crate::expr::Expr;
use crate::op::Op;
use crate::text::print;
use crate::tgt::Program;
use rewright_base::sym::Name;

pub(super) fn align_bounds(
    at: &Site<'_>,
    func: Name,
    var: Name,
    modulus: &Expr,
    remainder: &Expr,
) -> Result<Program, Refusal> {
    let ends = hole(at, func, var)?;
    startup(at, [modulus, remainder].into_iter())?;
    at.require(ALIGN_POSITIVE, modulus.as_i64().is_none_or(|m| m > 0), || {
        format!("modulus `{}` is not positive", print::expr(modulus))
    })?;
    let rest = |e: &Expr| Expr::binary(Op::Mod, e.clone(), modulus.clone());
    let claims = vec![
        Expr::binary(Op::Eq, rest(&ends.min), rest(remainder)),
        Expr::binary(Op::Eq, rest(&ends.len), Expr::int(0)),
    ];
    assert_before(at, func, claims)
}

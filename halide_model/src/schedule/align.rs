//! `align-bounds(f, x, m, r)`. Thesis §2.8.5; spec: [rule: halide.align].
//!
//! `label f: s` ~> `assert ?cpu f_x.min mod m = r mod m; assert ?cpu f_x.len mod m = 0; label f: s`. Bounds inference
//! widens the window until this holds.
//!
//! - `bound.dimension`, `bound.startup` as for `bound`.
//! - `align-bounds.positive`: `m` is positive; one known only at startup is asserted. Without: nothing but the empty
//!   window has a length that 0 divides, and modulo 0 everything is aligned.

use super::bound::{DIMENSION, STARTUP, assert_before, hole, startup};
use super::directive::{Form, Phase, Source};
use super::refusal::{Context, Refusal, Restriction};
use crate::expr::Expr;
use crate::op::Op;
use crate::text::print;
use crate::tgt::{LoopName, Program};
use rewright_base::sym::Name;

const POSITIVE: Restriction = Restriction::new("align-bounds.positive", "the modulus is positive");

/// `align-bounds(f, x, m, r)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignBounds {
    /// The func.
    pub func: Name,
    /// The pure variable.
    pub var: Name,
    /// What divides the length.
    pub modulus: Expr,
    /// The minimum's remainder.
    pub remainder: Expr,
}

impl Form for AlignBounds {
    const NAMES: &'static [&'static str] = &["align-bounds"];
    const PHASE: Phase = Phase::Bounds;
    const RESTRICTIONS: &'static [Restriction] = &[DIMENSION, STARTUP, POSITIVE];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        let (func, var) = (from.func()?, from.variable("var")?);
        Ok(AlignBounds { func, var, modulus: from.expr("modulus")?, remainder: from.expr("remainder")? })
    }

    fn name(&self) -> &'static str {
        "align-bounds"
    }

    fn arguments(&self) -> String {
        let AlignBounds { func, var, modulus, remainder } = self;
        format!("{func}, {var}, {}, {}", print::expr(modulus), print::expr(remainder))
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        align_bounds(at, self.func, self.var, &self.modulus, &self.remainder)
    }
}

fn align_bounds(
    at: &Context<'_>,
    func: Name,
    var: Name,
    modulus: &Expr,
    remainder: &Expr,
) -> Result<Program, Refusal> {
    let ends = hole(at, func, var)?;
    startup(at, [modulus, remainder].into_iter())?;
    at.require(POSITIVE, modulus.as_i64().is_none_or(|m| m > 0), || {
        format!("modulus `{}` is not positive", print::expr(modulus))
    })?;
    let rest = |e: &Expr| Expr::binary(Op::Mod, e.clone(), modulus.clone());
    let claims = vec![
        Expr::binary(Op::Eq, rest(&ends.min), rest(remainder)),
        Expr::binary(Op::Eq, rest(&ends.len), Expr::int(0)),
    ];
    assert_before(at, func, claims)
}

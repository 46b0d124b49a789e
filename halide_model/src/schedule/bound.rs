//! `bound(f, x, m, n)` and `bound-extent(f, x, n)`. Thesis §2.8.5; spec: [rule: halide.bound].
//!
//! `label f: s` ~> `assert ?cpu f_x = (m, n); label f: s` (resp. the length alone). The claim may fail when the program
//! runs: confluence allows it.
//!
//! - `schedule.func`, `bound.dimension`: there is such a func, and `x` is one of its pure variables. Without: the assertion is
//!   about a hole that nothing binds.
//! - `bound.startup`: `m` and `n` are startup expressions. Without: the assertion has no meaning outside f's loops.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, Refusal, Restriction};
use crate::expr::{Expr, Interval};
use crate::op::Op;
use crate::text::print;
use crate::tgt::{Claim, LoopName, Program, Stmt};
use crate::valid::{is_startup, not_startup};
use rewright_base::sym::Name;

pub(super) const DIMENSION: Restriction =
    Restriction::new("bound.dimension", "the variable is one of the func's pure variables");
pub(super) const STARTUP: Restriction = Restriction::new("bound.startup", "bounds are startup expressions");

/// `bound(f, x, m, n)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The func.
    pub func: Name,
    /// The pure variable.
    pub var: Name,
    /// The minimum.
    pub min: Expr,
    /// The length.
    pub len: Expr,
}

/// `bound-extent(f, x, n)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundExtent {
    /// The func.
    pub func: Name,
    /// The pure variable.
    pub var: Name,
    /// The length.
    pub len: Expr,
}

impl Form for Bound {
    const NAMES: &'static [&'static str] = &["bound"];
    const PHASE: Phase = Phase::Bounds;
    const RESTRICTIONS: &'static [Restriction] = &[DIMENSION, STARTUP];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        let (func, var) = (from.func()?, from.variable("var")?);
        Ok(Bound { func, var, min: from.expr("min")?, len: from.expr("len")? })
    }

    fn name(&self) -> &'static str {
        "bound"
    }

    fn arguments(&self) -> String {
        let Bound { func, var, min, len } = self;
        format!("{func}, {var}, {}, {}", print::expr(min), print::expr(len))
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        bound(at, self.func, self.var, Some(&self.min), &self.len)
    }
}

impl Form for BoundExtent {
    const NAMES: &'static [&'static str] = &["bound-extent"];
    const PHASE: Phase = Phase::Bounds;
    const RESTRICTIONS: &'static [Restriction] = &[DIMENSION, STARTUP];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        let (func, var) = (from.func()?, from.variable("var")?);
        Ok(BoundExtent { func, var, len: from.expr("len")? })
    }

    fn name(&self) -> &'static str {
        "bound-extent"
    }

    fn arguments(&self) -> String {
        format!("{}, {}, {}", self.func, self.var, print::expr(&self.len))
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        bound(at, self.func, self.var, None, &self.len)
    }
}

fn bound(
    at: &Context<'_>,
    func: Name,
    var: Name,
    min: Option<&Expr>,
    len: &Expr,
) -> Result<Program, Refusal> {
    let ends = hole(at, func, var)?;
    startup(at, min.into_iter().chain([len]))?;
    let equal = |a: &Expr, b: &Expr| Expr::binary(Op::Eq, a.clone(), b.clone());
    let mut claims = Vec::new();
    claims.extend(min.map(|m| equal(&ends.min, m)));
    claims.push(equal(&ends.len, len));
    assert_before(at, func, claims)
}

pub(super) fn startup<'e>(at: &Context<'_>, es: impl Iterator<Item = &'e Expr>) -> Result<(), Refusal> {
    for e in es {
        at.require(STARTUP, is_startup(e), || {
            format!("`{}` is not known at startup: {}", print::expr(e), not_startup(e))
        })?;
    }
    Ok(())
}

/// `?cpu f_x`
pub(super) fn hole(at: &Context<'_>, func: Name, var: Name) -> Result<Interval, Refusal> {
    let f = at.program.algorithm.func(func);
    at.require(FUNC, f.is_some(), || format!("there is no func `{func}`"))?;
    let vars = f.map(|f| f.vars.clone()).unwrap_or_default();
    let d = vars.iter().position(|x| *x == var);
    at.require(DIMENSION, f.is_none() || d.is_some(), || {
        let known: Vec<&str> = vars.iter().map(|x| x.as_str()).collect();
        format!("`{var}` is not a variable of `{func}`, which has {}", known.join(", "))
    })?;
    Ok(Interval::hole(at.program.last_region(func), d.unwrap_or(vars.len())))
}

/// Asserts something just before a func is computed.
pub(super) fn assert_before(at: &Context<'_>, func: Name, claims: Vec<Expr>) -> Result<Program, Refusal> {
    let new = at.program.replace_first(&mut |s| {
        if !s.computes(func) {
            return None;
        }
        let asserts = claims.iter().map(|c| Stmt::Assert { cond: c.clone(), claim: Claim::Bounds });
        Some(asserts.chain([s.clone()]).collect())
    });
    if let Some(new) = new {
        return Ok(new);
    }
    at.require(FUNC, false, || format!("nothing computes func `{func}`"))?;
    let asserts = claims.into_iter().map(|cond| Stmt::Assert { cond, claim: Claim::Bounds });
    Ok(Program { body: asserts.chain(at.program.body.iter().cloned()).collect(), ..at.program.clone() })
}

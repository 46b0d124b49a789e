//! `fuse(ℓ, x)`. Thesis §2.8.2; spec: [rule: halide.fuse].
//!
//! ```text
//! for a in (m1, n1) do for b in (m2, n2) do s
//!   ~>  for x in (0, n1 * n2) do let a = m1 + x div n2 in let b = m2 + x mod n2 in s
//! ```
//!
//! A loop stands immediately inside, lets and guards of a split aside.
//!
//! - `fuse.same-kind`: both pure or both reduction loops; the result is of that kind. Without: the result of fusing a
//!   reduction loop into a pure one passes for a pure loop, and may run in parallel [H-15].

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, LOOP, Refusal, Restriction};
use super::split::{fresh, no_loop};
use crate::expr::{Expr, Interval, Var};
use crate::op::Op;
use crate::tgt::{For, LoopName, Order, Program, Stmt};
use rewright_base::sym::Name;

const SAME_KIND: Restriction =
    Restriction::new("fuse.same-kind", "both loops are pure or both are reduction loops");

/// `fuse(ℓ, x)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fuse {
    /// The outer loop.
    pub of: LoopName,
    /// The new variable.
    pub into: Name,
}

impl Form for Fuse {
    const NAMES: &'static [&'static str] = &["fuse"];
    const PHASE: Phase = Phase::Loops;
    const RESTRICTIONS: &'static [Restriction] = &[SAME_KIND];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(Fuse { of: from.loop_name()?, into: from.variable("into")? })
    }

    fn name(&self) -> &'static str {
        "fuse"
    }

    fn arguments(&self) -> String {
        format!("{}, {}", self.of, self.into)
    }

    fn marked(&self) -> Option<LoopName> {
        Some(self.of)
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        fuse(at, self.of, self.into)
    }
}

fn fuse(at: &Context<'_>, of: LoopName, into: Name) -> Result<Program, Refusal> {
    let Some(outer) = at.program.find_loop(of) else { return Err(no_loop(at, of)) };
    let Some(inner) = outer.inner_loop() else {
        return Err(at.refuse(LOOP, format!("no loop stands immediately inside {of}")));
    };
    at.require(SAME_KIND, outer.pure == inner.pure, || {
        let kind = |l: &For| if l.pure { "a pure loop" } else { "a reduction loop" };
        format!("`{}` is {}, `{}` is {}", outer.var, kind(outer), inner.var, kind(&inner))
    })?;
    fresh(at, of, &[into])?;
    let new = fused(outer, &inner, into);
    let t = at.program.replace_first(&mut |s| s.is_loop(of).then(|| vec![new.clone()]));
    t.ok_or_else(|| no_loop(at, of))
}

fn fused(outer: &For, inner: &For, into: Name) -> Stmt {
    let (Interval { min: m1, len: n1 }, Interval { min: m2, len: n2 }) = (&outer.domain, &inner.domain);
    let x = || Expr::Var(Var::Loop(outer.site, into));
    let value = |m: &Expr, op| Expr::binary(Op::Add, m.clone(), Expr::binary(op, x(), n2.clone()));
    let b = Stmt::Let { var: inner.variable(), value: value(m2, Op::Mod), body: inner.body.clone() };
    let a = Stmt::Let { var: outer.variable(), value: value(m1, Op::Div), body: vec![b] };
    let len = Expr::binary(Op::Mul, n1.clone(), n2.clone());
    Stmt::For(For {
        site: outer.site,
        var: into,
        domain: Interval { min: Expr::int(0), len },
        order: Order::Serial,
        pure: outer.pure,
        edge: outer.edge,
        lead: outer.lead,
        blended: outer.blended || inner.blended,
        body: vec![a],
    })
}

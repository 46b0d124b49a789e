//! `split(ℓ, xo, xi, e, φ)`. Thesis §2.8.2; spec: [rule: halide.split].
//!
//! `for v in (m, n) do s` becomes `for xo in (0, (n+e-1) div e) do for xi in (0, e) do …`
//! ```text
//! Guard:  let v = m + e*xo + xi in if v < m + n then s
//! Shift:  let v = min(m + e*xo, m + n - e) + xi in s
//! Round:  let v = m + e*xo + xi in s
//! ```
//!
//! - `split.startup`: the factor is a startup expression. Without: `split(<f, x>, xo, xi, y, guard)` is unbound.
//! - `split.positive`: the factor is positive; one that is known only at startup is asserted. Without: factor 0 runs no
//!   iteration at all, since n div 0 = 0 [H-6].
//! - `split.shift-pure-stage`, `split.round-pure-stage`: guard everywhere else. Without: `f[x] <- f[x] + 1` runs twice
//!   for the points of the shifted tile; rounding a reduction runs updates that the algorithm has not.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FRESH, LOOP, Refusal, Restriction};
use crate::expr::{Expr, Interval, Var};
use crate::op::Op;
use crate::text::print;
use crate::tgt::{Block, Claim, For, LoopName, Order, Program, Stmt};
use crate::valid::{is_startup, not_startup};
use rewright_base::sym::Name;

const STARTUP: Restriction = Restriction::new("split.startup", "the factor is a startup expression");
const POSITIVE: Restriction = Restriction::new("split.positive", "the factor is positive");
const SHIFT: Restriction =
    Restriction::new("split.shift-pure-stage", "the shift tail is for the pure stage only");
const ROUND: Restriction =
    Restriction::new("split.round-pure-stage", "the round tail is for the pure stage only");

/// Tail strategies φ of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tail {
    /// The body is guarded by an `if`.
    Guard,
    /// The last tile is shifted inwards and recomputes.
    Shift,
    /// The extent is rounded up and more is computed.
    Round,
}

impl Tail {
    /// All of them.
    pub const ALL: [Tail; 3] = [Tail::Guard, Tail::Shift, Tail::Round];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Tail::Guard => "guard",
            Tail::Shift => "shift",
            Tail::Round => "round",
        }
    }
}

/// `split(ℓ, xo, xi, e, φ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The loop.
    pub of: LoopName,
    /// The new outer variable.
    pub outer: Name,
    /// The new inner variable.
    pub inner: Name,
    /// A startup expression.
    pub factor: Expr,
    /// What becomes of the remainder.
    pub tail: Tail,
}

impl Form for Split {
    const NAMES: &'static [&'static str] = &["split"];
    const PHASE: Phase = Phase::Loops;
    const RESTRICTIONS: &'static [Restriction] = &[STARTUP, POSITIVE, SHIFT, ROUND];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        let (of, outer, inner) = (from.loop_name()?, from.variable("outer")?, from.variable("inner")?);
        let factor = from.expr("factor")?;
        let tail = from.word("tail", &Tail::ALL.map(|t| (t.name(), t)), Some(Tail::Guard))?;
        Ok(Split { of, outer, inner, factor, tail })
    }

    fn name(&self) -> &'static str {
        "split"
    }

    fn arguments(&self) -> String {
        let Split { of, outer, inner, factor, tail } = self;
        format!("{of}, {outer}, {inner}, {}, {}", print::expr(factor), tail.name())
    }

    fn marked(&self) -> Option<LoopName> {
        Some(self.of)
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        split(at, self)
    }
}

fn split(at: &Context<'_>, directive: &Split) -> Result<Program, Refusal> {
    let Split { of, outer, inner, factor, tail } = directive;
    let of = *of;
    let Some(l) = at.program.find_loop(of) else { return Err(no_loop(at, of)) };
    at.require(STARTUP, is_startup(factor), || {
        format!("factor `{}` is not known at startup: {}", print::expr(factor), not_startup(factor))
    })?;
    let positive = factor.as_i64().is_none_or(|e| e > 0);
    at.require(POSITIVE, positive, || format!("factor `{}` is not positive", print::expr(factor)))?;
    match tail {
        Tail::Guard => {}
        Tail::Shift => at.require(SHIFT, of.site.stage == 0, || not_pure(of))?,
        Tail::Round => at.require(ROUND, of.site.stage == 0, || not_pure(of))?,
    }
    fresh(at, of, &[*outer, *inner])?;
    let new = nest(l, directive);
    let t = at.program.replace_first(&mut |s| s.is_loop(of).then(|| vec![new.clone()]));
    let mut t = t.ok_or_else(|| no_loop(at, of))?;
    if factor.as_i64().is_none() && at.rules.has(POSITIVE) {
        let cond = Expr::binary(Op::Gt, factor.clone(), Expr::int(0));
        let check = Stmt::Assert { cond, claim: Claim::Factor };
        if !t.body.contains(&check) {
            t.body.insert(0, check);
        }
    }
    Ok(t)
}

fn not_pure(of: LoopName) -> String {
    format!("loop {of} belongs to update stage {}", of.site.stage)
}

pub(super) fn no_loop(at: &Context<'_>, of: LoopName) -> Refusal {
    let known: Vec<String> = at.program.loops().iter().map(LoopName::to_string).collect();
    at.refuse(LOOP, format!("there is no loop {of}; the loops are {}", known.join(", ")))
}

/// "All variable names introduced by these directives must be new, unique, and non-conflicting."
pub(super) fn fresh(at: &Context<'_>, of: LoopName, names: &[Name]) -> Result<(), Refusal> {
    let bound = at.program.bound_in(of.site);
    for (i, x) in names.iter().enumerate() {
        let taken = bound.contains(x) || names.iter().take(i).any(|y| y == x);
        at.require(FRESH, !taken, || format!("variable `{x}` is bound in this stage already"))?;
    }
    Ok(())
}

fn nest(l: &For, split: &Split) -> Stmt {
    let Split { of: _, outer, inner, factor: e, tail } = split;
    let Interval { min: m, len: n } = &l.domain;
    let variable = |x| Expr::Var(Var::Loop(l.site, x));
    let add = |a: Expr, b: Expr| Expr::binary(Op::Add, a, b);
    let end = add(m.clone(), n.clone());
    let base = add(m.clone(), Expr::binary(Op::Mul, e.clone(), variable(*outer)));
    let base = match tail {
        Tail::Guard | Tail::Round => base,
        Tail::Shift => Expr::binary(Op::Min, base, Expr::binary(Op::Sub, end.clone(), e.clone())),
    };
    let body: Block = match tail {
        Tail::Guard => {
            let cond = Expr::binary(Op::Lt, variable(l.var), end);
            vec![Stmt::If { cond, then: l.body.clone(), other: Block::new() }]
        }
        Tail::Shift | Tail::Round => l.body.clone(),
    };
    let tile = Stmt::Let { var: l.variable(), value: add(base, variable(*inner)), body };
    let up = match e.as_i64() {
        Some(1) => n.clone(),
        Some(e) => add(n.clone(), Expr::int(e.saturating_sub(1))),
        None => Expr::binary(Op::Sub, add(n.clone(), e.clone()), Expr::int(1)),
    };
    let count = Expr::binary(Op::Div, up, e.clone());
    let looped = |var, len, order, body| {
        Stmt::For(For {
            site: l.site,
            var,
            domain: Interval { min: Expr::int(0), len },
            order,
            pure: l.pure,
            body,
        })
    };
    let tiles = looped(*inner, e.clone(), Order::Serial, vec![tile]);
    looped(*outer, count, l.order, vec![tiles])
}

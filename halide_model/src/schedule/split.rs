//! `split(ℓ, xo, xi, e, φ)`. Thesis §2.8.2; spec: [rule: halide.split]. Spec: [rule: halide.blend].
//!
//! `for v in (m, n) do s` becomes `for xo in (0, (n+e-1) div e) do for xi in (0, e) do …`
//! ```text
//! Guard:  let v = m + e*xo + xi in if v < m + n then s
//! Shift:  let v = min(m + e*xo, m + n - e) + xi in s
//! Round:  let v = m + e*xo + xi in s
//! ShiftBlend, RoundBlend:  as these, and f[ē] <- e becomes f[ē] <- select(c, e, f[ē]), with c the condition that the
//!   iteration is this tile's own: v >= m + e*xo, or v < m + n
//! ```
//!
//! - `split.startup`: the factor is a startup expression. Without: `split(<f, x>, xo, xi, y, guard)` is unbound.
//! - `split.positive`: the factor is positive; one that is known only at startup is asserted. Without: factor 0 runs no
//!   iteration at all, since n div 0 = 0 [H-6].
//! - `split.shift-pure-stage`: in updates points are not computed twice. Without: `f[x] <- f[x] + 1` runs twice for the
//!   points of the shifted tile.
//! - `split.round-edge`: in updates only a pure loop behind whose last iteration nothing of the func is left is rounded up.
//!   Without: rounding a reduction runs updates that the algorithm has not, and rounding the inner loop of a split runs
//!   those of the next tile twice.
//! - `split.blend-edge`: such a loop of an update, in which there are values to blend with. Without: a pure stage blends with
//!   memory that nobody has written.
//! - `split.blend-lead`: a tile that is shifted and blends is no greater than the range, unless nothing of the func lies before that.
//!   Without: it begins in the tile before, and writes back what that changes in parallel.
//! - `split.blend-serial`: tiles that are shifted and blend are those of a serial loop, whose order the outer loop keeps. Without: in
//!   a parallel one, each writes back what another has changed meanwhile.
//!
//! A split whose factor divides a constant extent leaves nothing over, whatever its tail.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FRESH, LOOP, Refusal, Restriction};
use crate::bounds::normal::simplify;
use crate::expr::{Access, Expr, Interval, Place, Site, Var};
use crate::op::Op;
use crate::text::print;
use crate::tgt::{Block, Claim, For, LoopName, Order, Program, Stmt};
use crate::valid::{is_startup, not_startup};
use rewright_base::sym::Name;
use std::sync::Arc;

const STARTUP: Restriction = Restriction::new("split.startup", "the factor is a startup expression");
pub(super) const POSITIVE: Restriction = Restriction::new("split.positive", "the factor is positive");
const SHIFT: Restriction =
    Restriction::new("split.shift-pure-stage", "the shift tail is for the pure stage only");
const ROUND: Restriction = Restriction::new(
    "split.round-edge",
    "the round tail is for the pure stage, and for pure loops behind whose end nothing is left of the func",
);
const BLEND: Restriction = Restriction::new(
    "split.blend-edge",
    "tails that blend are for pure loops of updates behind whose end nothing is left of the func",
);

const SERIAL: Restriction =
    Restriction::new("split.blend-serial", "tiles that are shifted and blend run one after the other");

const LEAD: Restriction = Restriction::new(
    "split.blend-lead",
    "no tile that is shifted and blends begins before the range of its loop",
);

/// Tail strategies φ of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tail {
    /// The body is guarded by an `if`.
    Guard,
    /// The last tile is shifted inwards and recomputes.
    Shift,
    /// The extent is rounded up and more is computed.
    Round,
    /// The last tile is shifted inwards, and keeps what others have computed. [rule: halide.blend]
    ShiftBlend,
    /// The extent is rounded up, and what is beyond is kept. [rule: halide.blend]
    RoundBlend,
}

impl Tail {
    /// All of them.
    pub const ALL: [Tail; 5] = [Tail::Guard, Tail::Shift, Tail::Round, Tail::ShiftBlend, Tail::RoundBlend];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Tail::Guard => "guard",
            Tail::Shift => "shift",
            Tail::Round => "round",
            Tail::ShiftBlend => "shift-blend",
            Tail::RoundBlend => "round-blend",
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
    const RESTRICTIONS: &'static [Restriction] = &[STARTUP, POSITIVE, SHIFT, ROUND, BLEND, LEAD, SERIAL];

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
    let exact = divides(factor, &l.domain.len);
    let update = of.site.stage > 0;
    match tail {
        Tail::Guard => {}
        Tail::Shift => at.require(SHIFT, !update || exact, || not_pure(of))?,
        Tail::Round => {
            at.require(ROUND, !update || l.edge || exact, || {
                format!("{}, and is no pure loop that ends where `{}` does", not_pure(of), of.site.func)
            })?;
        }
        Tail::ShiftBlend | Tail::RoundBlend => at.require(BLEND, update && l.edge, || {
            format!("loop {of} is no pure loop of an update that ends where `{}` does", of.site.func)
        })?,
    }
    let before = l.lead || exact || is_at_least(&l.domain.len, factor);
    at.require(LEAD, *tail != Tail::ShiftBlend || before, || {
        format!(
            "a tile of `{}` may be greater than the range of {of}, and begin in the tile before",
            print::expr(factor)
        )
    })?;
    let keeps = *tail != Tail::ShiftBlend || matches!(l.order, Order::Serial | Order::Unrolled);
    at.require(SERIAL, keeps, || {
        format!("loop {of} is not serial, and neighbouring tiles would write back what they overlap in")
    })?;
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

/// Whether a constant extent is no less than the factor.
fn is_at_least(len: &Expr, factor: &Expr) -> bool {
    matches!((factor.as_i64(), simplify(len).as_i64()), (Some(e), Some(n)) if e <= n)
}

/// Whether a constant extent is a multiple of the factor.
fn divides(factor: &Expr, len: &Expr) -> bool {
    matches!((factor.as_i64(), len.as_i64()), (Some(e), Some(n)) if e > 0 && n % e == 0)
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
    let own = add(m.clone(), Expr::binary(Op::Mul, e.clone(), variable(*outer)));
    let within = Expr::binary(Op::Lt, variable(l.var), end.clone());
    let shifted = Expr::binary(Op::Min, own.clone(), Expr::binary(Op::Sub, end, e.clone()));
    let (base, body): (Expr, Block) = match tail {
        Tail::Guard => (own, vec![Stmt::If { cond: within, then: l.body.clone(), other: Block::new() }]),
        Tail::Shift => (shifted, l.body.clone()),
        Tail::Round => (own, l.body.clone()),
        Tail::ShiftBlend => {
            let is_own = Expr::op(Op::Not, [Expr::binary(Op::Lt, variable(l.var), own)]);
            (shifted, blended(&l.body, &is_own))
        }
        Tail::RoundBlend => (own, blended(&l.body, &within)),
    };
    let tile = Stmt::Let { var: l.variable(), value: add(base, variable(*inner)), body };
    let up = match e.as_i64() {
        Some(1) => n.clone(),
        Some(e) => add(n.clone(), Expr::int(e.saturating_sub(1))),
        None => Expr::binary(Op::Sub, add(n.clone(), e.clone()), Expr::int(1)),
    };
    let count = Expr::binary(Op::Div, up, e.clone());
    let looped = |var, len, order, body| For {
        site: l.site,
        var,
        domain: Interval { min: Expr::int(0), len },
        order,
        pure: l.pure,
        edge: false,
        lead: false,
        blended: l.blended,
        body,
    };
    let tiles = Stmt::For(looped(*inner, e.clone(), Order::Serial, vec![tile]));
    // Behind the last tile a guard holds back what is left; a shifted one would be computed again.
    let edge = match tail {
        Tail::Guard | Tail::RoundBlend => l.pure,
        Tail::Round => l.edge,
        Tail::Shift | Tail::ShiftBlend => false,
    };
    let blended = l.blended || *tail == Tail::ShiftBlend;
    Stmt::For(For { edge, lead: l.lead, blended, ..looped(*outer, count, l.order, vec![tiles]) })
}

/// Stores keep what is there where the condition does not hold.
fn blended(b: &Block, cond: &Expr) -> Block {
    b.iter().map(|s| blended_stmt(s, cond)).collect()
}

fn blended_stmt(s: &Stmt, cond: &Expr) -> Stmt {
    match s {
        Stmt::Store { site, args, value } => {
            let previous = Site { stage: site.stage.saturating_sub(1), ..*site };
            let place: Arc<[Expr]> = args.clone().into();
            let old = Expr::Access(Access {
                func: site.func,
                site: Some(previous),
                args: place,
                span: Place::NONE,
            });
            let choose = |new: &Expr, old: Expr| Expr::op(Op::Select, [cond.clone(), new.clone(), old]);
            let value = match value {
                Expr::Op(Op::Tuple(n), parts) => {
                    let part = |(k, new): (usize, &Expr)| {
                        let old = Expr::op(Op::Elem(k), [old.clone()]);
                        choose(
                            new,
                            if let Expr::Op(cast @ Op::Cast(_), _) = new {
                                Expr::op(*cast, [old])
                            } else {
                                old
                            },
                        )
                    };
                    Expr::op(Op::Tuple(*n), parts.iter().enumerate().map(part).collect::<Vec<_>>())
                }
                Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => choose(value, old),
            };
            Stmt::Store { site: *site, args: args.clone(), value }
        }
        Stmt::If { cond: c, then, other } => {
            Stmt::If { cond: c.clone(), then: blended(then, cond), other: blended(other, cond) }
        }
        Stmt::For(l) => Stmt::For(For { body: blended(&l.body, cond), ..l.clone() }),
        Stmt::Let { var, value, body } => {
            Stmt::Let { var: *var, value: value.clone(), body: blended(body, cond) }
        }
        Stmt::Label { label, body } => Stmt::Label { label: *label, body: blended(body, cond) },
        Stmt::Assert { .. } | Stmt::Allocate { .. } => s.clone(),
    }
}

//! `traverse(ℓ, τ)`, and the extensions `vectorize(ℓ)` and `unroll(ℓ)`. Thesis §2.8.2, §2.8.6;
//! spec: [rule: halide.traverse].
//!
//! - `traverse.pure`: only pure loops; `unroll` keeps the order of iterations and is for all loops. Without: the
//!   iterations of `s[x] <- s[x] + g[r]` race.
//! - `traverse.blend`: tiles that overlap and write back what others have written stay one after the other. Without: one
//!   writes back what another has changed meanwhile.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, Refusal, Restriction};
use super::split::no_loop;
use crate::tgt::{For, LoopName, Order, Program, Stmt};
use rewright_base::sym::Name;

const BLEND: Restriction = Restriction::new("traverse.blend", "tiles that blend run one after the other");
const PURE: Restriction = Restriction::new("traverse.pure", "only pure loops have a traversal order");

/// `traverse(ℓ, τ)`, `vectorize(ℓ)`, `unroll(ℓ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traverse {
    /// The loop.
    pub of: LoopName,
    /// The order.
    pub order: Order,
}

impl Form for Traverse {
    const NAMES: &'static [&'static str] = &["traverse", "vectorize", "unroll"];
    const PHASE: Phase = Phase::Loops;
    const RESTRICTIONS: &'static [Restriction] = &[PURE, BLEND];

    fn read<S: Source>(name: &str, from: &mut S) -> Result<Self, S::Error> {
        let of = from.loop_name()?;
        let order = match name {
            "vectorize" => Order::Vectorized,
            "unroll" => Order::Unrolled,
            _ => from.word("order", &[("serial", Order::Serial), ("parallel", Order::Parallel)], None)?,
        };
        Ok(Traverse { of, order })
    }

    fn name(&self) -> &'static str {
        match self.order {
            Order::Serial | Order::Parallel => "traverse",
            Order::Vectorized => "vectorize",
            Order::Unrolled => "unroll",
        }
    }

    fn arguments(&self) -> String {
        match self.order {
            Order::Serial => format!("{}, serial", self.of),
            Order::Parallel => format!("{}, parallel", self.of),
            Order::Vectorized | Order::Unrolled => self.of.to_string(),
        }
    }

    fn marked(&self) -> Option<LoopName> {
        Some(self.of)
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        traverse(at, self.of, self.order)
    }
}

fn traverse(at: &Context<'_>, of: LoopName, order: Order) -> Result<Program, Refusal> {
    let Some(l) = at.program.find_loop(of) else { return Err(no_loop(at, of)) };
    let any = l.pure || order == Order::Unrolled || at.program.is_atomic(of.site);
    at.require(PURE, any, || format!("{of} is a reduction loop: its iterations depend on each other"))?;
    let keeps = matches!(order, Order::Serial | Order::Unrolled);
    at.require(BLEND, keeps || !l.blended, || {
        format!("the tiles of {of} overlap, and each writes back what others have written")
    })?;
    let new = Stmt::For(For { order, ..l.clone() });
    let t = at.program.replace_first(&mut |s| s.is_loop(of).then(|| vec![new.clone()]));
    t.ok_or_else(|| no_loop(at, of))
}

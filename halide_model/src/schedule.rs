//! The scheduling language. Thesis §2.8, Fig. 2.11; spec: [rule: halide.schedule].

mod align;
mod apply;
mod bound;
mod compute_at;
mod compute_with;
mod fuse;
mod inline;
pub mod refusal;
mod specialize;
mod split;
mod store_at;
mod swap;
mod traverse;

pub use apply::{Sequence, apply, schedule, seal};
pub use refusal::{Refusal, Restriction, Rules};

use crate::expr::Expr;
use crate::tgt::{LoopName, Order};
use rewright_base::sym::Name;
use std::fmt;

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

/// A scheduling directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Extension: the pure func is substituted into its uses before lowering.
    Inline {
        /// The func.
        func: Name,
    },
    /// The func's code is duplicated behind conditions.
    Specialize {
        /// The func.
        func: Name,
        /// Startup expressions.
        conds: Vec<Expr>,
    },
    /// A loop becomes two.
    Split {
        /// The loop.
        of: LoopName,
        /// The new outer variable.
        outer: Name,
        /// The new inner variable.
        inner: Name,
        /// A startup expression.
        factor: Expr,
        /// What becomes of the remainder.
        tail: Tail,
    },
    /// Two nested loops become one.
    Fuse {
        /// The outer loop.
        of: LoopName,
        /// The new variable.
        into: Name,
    },
    /// A loop is exchanged with the one immediately inside.
    Swap {
        /// The outer loop.
        of: LoopName,
    },
    /// The traversal order of a loop.
    Traverse {
        /// The loop.
        of: LoopName,
        /// The order.
        order: Order,
    },
    /// A func is computed just inside a loop.
    ComputeAt {
        /// The func.
        func: Name,
        /// The loop.
        at: LoopName,
    },
    /// A func is allocated just inside a loop.
    StoreAt {
        /// The func.
        func: Name,
        /// The loop.
        at: LoopName,
    },
    /// Extension: the loops of a stage are fused with those of a stage of another func.
    ComputeWith {
        /// The func whose stage goes along.
        func: Name,
        /// The stage.
        stage: usize,
        /// The innermost loop that is shared; it and those around it give their names.
        with: LoopName,
    },
    /// The compute bounds of a dimension are given.
    Bound {
        /// The func.
        func: Name,
        /// The pure variable.
        var: Name,
        /// The minimum.
        min: Expr,
        /// The length.
        len: Expr,
    },
    /// The length of a dimension is given.
    BoundExtent {
        /// The func.
        func: Name,
        /// The pure variable.
        var: Name,
        /// The length.
        len: Expr,
    },
    /// Position and length of a dimension are constrained modulo a number.
    AlignBounds {
        /// The func.
        func: Name,
        /// The pure variable.
        var: Name,
        /// What divides the length.
        modulus: Expr,
        /// The minimum's remainder.
        remainder: Expr,
    },
}

/// Phases, in their order. Thesis Fig. 2.11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Extension: inlining, before lowering.
    Inline,
    /// §2.8.1
    Specialization,
    /// §2.8.2
    Loops,
    /// §2.8.3
    Compute,
    /// §2.8.4
    Storage,
    /// Extension: loops of different funcs are fused.
    Together,
    /// §2.8.5
    Bounds,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Inline => "inlining",
            Phase::Specialization => "specialization",
            Phase::Loops => "loops",
            Phase::Compute => "compute",
            Phase::Storage => "storage",
            Phase::Together => "compute-with",
            Phase::Bounds => "bounds",
        })
    }
}

impl Directive {
    /// Its phase.
    pub fn phase(&self) -> Phase {
        match self {
            Directive::Inline { .. } => Phase::Inline,
            Directive::Specialize { .. } => Phase::Specialization,
            Directive::Split { .. } | Directive::Fuse { .. } | Directive::Swap { .. } => Phase::Loops,
            Directive::Traverse { .. } => Phase::Loops,
            Directive::ComputeAt { .. } => Phase::Compute,
            Directive::StoreAt { .. } => Phase::Storage,
            Directive::ComputeWith { .. } => Phase::Together,
            Directive::Bound { .. } | Directive::BoundExtent { .. } | Directive::AlignBounds { .. } => {
                Phase::Bounds
            }
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Directive::Inline { .. } => "inline",
            Directive::Specialize { .. } => "specialize",
            Directive::Split { .. } => "split",
            Directive::Fuse { .. } => "fuse",
            Directive::Swap { .. } => "swap",
            Directive::Traverse { order, .. } => match order {
                Order::Serial | Order::Parallel => "traverse",
                Order::Vectorized => "vectorize",
                Order::Unrolled => "unroll",
            },
            Directive::ComputeAt { .. } => "compute-at",
            Directive::StoreAt { .. } => "store-at",
            Directive::ComputeWith { .. } => "compute-with",
            Directive::Bound { .. } => "bound",
            Directive::BoundExtent { .. } => "bound-extent",
            Directive::AlignBounds { .. } => "align-bounds",
        }
    }
}

//! The target language, with holes and without. Thesis Fig. 2.7; spec: [rule: halide.tgt].

pub mod invariant;
pub mod print;
pub mod together;
pub mod walk;

pub use together::Together;

use crate::alg::Algorithm;
use crate::expr::{Expr, Interval, Site, Var};
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// `pipeline f(p̄, x̄_min, x̄_len) : s`, and the algorithm it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The algorithm: where the program's loops come from.
    pub algorithm: Arc<Algorithm>,
    /// The body.
    pub body: Block,
    /// Stages that are computed together, in the order of the directives: their loops are fused when the program is
    /// completed. Until then each func stands for itself, and so it does for bounds inference.
    pub together: Vec<Together>,
    /// Update stages whose stores happen at once with what they read. [rule: halide.atomic]
    pub atomic: BTreeSet<(Name, usize)>,
    /// Dimensions that are stored in a circle of so many cells. [rule: halide.fold]
    pub folds: BTreeMap<(Name, usize), i64>,
    /// Funcs whose memory is taken outside of where they are stored: once for each iteration of a loop. [rule: halide.hoist]
    pub hoisted: BTreeMap<Name, LoopName>,
    /// Dimensions of which only what is new is to be computed: those that are still to slide. [rule: halide.slide]
    pub slides: BTreeSet<(Name, usize)>,
}

/// Statements in sequence; none at all is `nop`.
pub type Block = Vec<Stmt>;

/// What an assertion is about, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// A directive of the bounds phase.
    Bounds,
    /// Bounds inference failed: `assert false`.
    NoBounds,
    /// A split factor is positive.
    Factor,
    /// A reduction domain has no negative length, checked at startup: its failure is an rdom failure.
    Rdom,
    /// A loop that is vectorized or unrolled has the extent it was given.
    Extent,
    /// None of the conditions of a specialization holds, and one must. [rule: halide.specialize-fail]
    Special,
    /// What the pipeline requires of its parameters. [rule: halide.require]
    Required,
    /// A folded dimension holds what is live. [rule: halide.fold]
    Fold,
    /// An end of an index that is truncated is a number of 32 bits. [rule: halide.float-index]
    Index,
}

/// A statement. Sequences are blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// `assert e`
    Assert {
        /// The condition.
        cond: Expr,
        /// What it is about.
        claim: Claim,
    },
    /// `allocate f(I₁, …, Iₙ)`
    Allocate {
        /// The func.
        func: Name,
        /// One interval for each dimension.
        bounds: Vec<Interval>,
    },
    /// `f^{i,j}[e₁, …, eₙ] <- e₀`
    Store {
        /// Func, stage and specialization.
        site: Site,
        /// The point.
        args: Vec<Expr>,
        /// The value.
        value: Expr,
    },
    /// `if e then s₁ else s₂`
    If {
        /// The condition.
        cond: Expr,
        /// s₁
        then: Block,
        /// s₂
        other: Block,
    },
    /// `for^τ x in I do s`
    For(For),
    /// `let x = e in s`
    Let {
        /// The variable.
        var: Var,
        /// Its value.
        value: Expr,
        /// s
        body: Block,
    },
    /// `label ℓ : s`
    Label {
        /// The label.
        label: Label,
        /// s
        body: Block,
    },
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct For {
    /// Func, stage and specialization.
    pub site: Site,
    /// The induction variable; `⟨site, var⟩` is the loop's name.
    pub var: Name,
    /// What it ranges over.
    pub domain: Interval,
    /// The traversal order.
    pub order: Order,
    /// Whether it is a pure loop (Thesis Def. 2.16).
    pub pure: bool,
    /// Whether iterations after its last would do nothing, or touch points outside of the compute bounds alone.
    pub edge: bool,
    /// Whether iterations before its first would touch points outside of the compute bounds alone.
    pub lead: bool,
    /// Whether its tiles overlap and write back what others have written: they keep their order. [rule: halide.blend]
    pub blended: bool,
    /// The body.
    pub body: Block,
}

/// A loop's name `⟨f, i, j, v⟩`: func, stage, specialization, variable. Thesis Lemma 2.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopName {
    /// Func, stage and specialization.
    pub site: Site,
    /// The induction variable.
    pub var: Name,
}

impl fmt::Display for LoopName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Site { func, stage, spec } = self.site;
        write!(f, "<{func}, {stage}, {spec}, {}>", self.var)
    }
}

/// In which order a loop is traversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// One iteration after the other.
    Serial,
    /// In any interleaving.
    Parallel,
    /// Extension: in the lanes of vectors; constant extent.
    Vectorized,
    /// Extension: written out; constant extent.
    Unrolled,
}

/// What a label marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// All that computes a func.
    Func(Name),
    /// One stage of a specialization.
    Stage(Site),
}

impl For {
    /// Its name.
    pub fn name(&self) -> LoopName {
        LoopName { site: self.site, var: self.var }
    }

    /// The induction variable as it occurs in expressions.
    pub fn variable(&self) -> Var {
        Var::Loop(self.site, self.var)
    }
}

impl Program {
    /// Whether the stores of a stage happen at once with what they read.
    pub fn is_atomic(&self, site: Site) -> bool {
        self.atomic.contains(&(site.func, site.stage))
    }

    /// The dimensions of a func that are stored in circles, and of how many cells.
    pub fn folds_of(&self, f: Name) -> Vec<(usize, i64)> {
        self.folds.range((f, 0)..=(f, usize::MAX)).map(|((_, d), n)| (*d, *n)).collect()
    }

    /// The variable of a dimension of a func.
    pub fn variable(&self, f: Name, dim: usize) -> Name {
        self.algorithm.func(f).and_then(|f| f.vars.get(dim)).copied().unwrap_or(f)
    }

    /// How many stages a func has.
    pub fn stages(&self, f: Name) -> usize {
        self.algorithm.func(f).map_or(1, crate::alg::Func::stages)
    }

    /// The region of a func that its consumers refer to: the compute bounds of its last stage.
    pub fn last_region(&self, f: Name) -> crate::expr::Region {
        let stages = self.stages(f);
        crate::expr::Region::cpu(Site { func: f, stage: stages.saturating_sub(1), spec: 0 }, stages)
    }
}

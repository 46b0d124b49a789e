//! Why a directive is refused, and the restrictions that can be switched off to test them.

use super::{Directive, Phase};
use crate::text::print;
use crate::tgt::{LoopName, Program};
use std::fmt;

/// A restriction of a directive: its id and the sentence a user reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Restriction {
    /// `directive.what`
    pub id: &'static str,
    /// The rule, as a sentence.
    pub rule: &'static str,
}

macro_rules! restrictions {
    ($($name:ident = $id:literal, $rule:literal;)*) => {
        $(
            #[doc = $rule]
            pub const $name: Restriction = Restriction { id: $id, rule: $rule };
        )*
        /// All restrictions.
        pub const ALL: &[Restriction] = &[$($name),*];
    };
}

restrictions! {
    PHASE = "schedule.phase", "directives come in the order of their phases";
    FUNC = "schedule.func", "the func is computed by the program";
    LOOP = "schedule.loop", "the loops that are needed exist, one immediately inside the other where two are";
    FRESH = "schedule.fresh", "new variables are different from each other and from all others of the stage";
    SHARED = "schedule.shared-storage", "what is computed inside a parallel loop is stored inside it";
    INLINE_PURE = "inline.pure", "only funcs without update stages, and not the output, are inlined";
    INLINE_INTEGER = "inline.integer", "only funcs whose points hold integers of any size are inlined";
    SPECIALIZE_STARTUP = "specialize.startup", "conditions are startup expressions";
    SPECIALIZE_ONCE = "specialize.once", "a func is specialized at most once";
    SPLIT_STARTUP = "split.startup", "the factor is a startup expression";
    SPLIT_POSITIVE = "split.positive", "the factor is positive";
    SPLIT_SHIFT = "split.shift-pure-stage", "the shift tail is for the pure stage only";
    SPLIT_ROUND = "split.round-pure-stage", "the round tail is for the pure stage only";
    FUSE_KINDS = "fuse.same-kind", "both loops are pure or both are reduction loops";
    SWAP_REDUCTIONS = "swap.reductions", "two reduction loops keep their order";
    TRAVERSE_PURE = "traverse.pure", "only pure loops have a traversal order";
    COMPUTE_OWN = "compute-at.own-loop", "a func is not computed inside its own loops";
    COMPUTE_DOMINATES = "compute-at.dominates", "a func is computed before every use outside of it";
    STORE_OUTPUT = "store-at.output", "the output is allocated at the top";
    STORE_DOMINATES = "store-at.dominates", "a func is allocated around all of its uses";
    WITH_SIBLINGS = "compute-with.siblings", "both funcs are computed in one block";
    WITH_INDEPENDENT = "compute-with.independent", "neither func uses the other, directly or through others";
    WITH_SPECIALIZED = "compute-with.specializations", "both funcs are specialized with the same conditions";
    WITH_STAGES = "compute-with.stage-order", "the stages of each func keep their order";
    WITH_ORDER = "compute-with.same-order", "loops that become one are both serial or both parallel";
    BOUND_DIMENSION = "bound.dimension", "the variable is one of the func's pure variables";
    BOUND_STARTUP = "bound.startup", "bounds are startup expressions";
    ALIGN_POSITIVE = "align-bounds.positive", "the modulus is positive";
}

/// A directive that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The directive; `None` for what is checked at the end.
    pub directive: Option<Directive>,
    /// Which rule is broken.
    pub restriction: Restriction,
    /// How.
    pub why: String,
    /// The loop nest, with the place marked.
    pub nest: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { directive, restriction, why, nest } = self;
        match directive {
            Some(d) => writeln!(f, "`{}` is refused: {why}", print::directive(d))?,
            None => writeln!(f, "the schedule is refused: {why}")?,
        }
        writeln!(f, "  rule {}: {}", restriction.id, restriction.rule)?;
        for line in nest.lines() {
            writeln!(f, "  | {line}")?;
        }
        Ok(())
    }
}

/// Which restrictions are in force: all, but for tests that switch one off to see what it is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// The id of the one that is off.
    pub off: Option<&'static str>,
}

impl Rules {
    /// Whether a restriction is in force.
    pub fn has(&self, r: Restriction) -> bool {
        self.off != Some(r.id)
    }
}

/// What a directive sees while it is applied.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// The directive.
    pub directive: &'a Directive,
    /// The program as given.
    pub program: &'a Program,
    /// The restrictions in force.
    pub rules: Rules,
    /// The loop that messages mark.
    pub marked: Option<LoopName>,
}

impl Site<'_> {
    /// A refusal.
    pub fn refuse(&self, restriction: Restriction, why: impl Into<String>) -> Refusal {
        Refusal {
            directive: Some(self.directive.clone()),
            restriction,
            why: why.into(),
            nest: crate::tgt::print::program(self.program, self.marked),
        }
    }

    /// Refuses unless the restriction is met or switched off.
    ///
    /// # Errors
    /// The refusal.
    pub fn require(
        &self,
        restriction: Restriction,
        met: bool,
        why: impl FnOnce() -> String,
    ) -> Result<(), Refusal> {
        if met || !self.rules.has(restriction) { Ok(()) } else { Err(self.refuse(restriction, why())) }
    }
}

/// A directive that comes after one of a later phase.
pub(super) fn out_of_phase(d: &Directive, t: &Program, now: Phase) -> Refusal {
    let why = format!("it belongs to the {} phase, and the {now} phase has begun", d.phase());
    let nest = crate::tgt::print::program(t, None);
    Refusal { directive: Some(d.clone()), restriction: PHASE, why, nest }
}

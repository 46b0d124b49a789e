//! Why a directive is refused, and the restrictions that can be switched off to test them.

use super::{Directive, Phase};
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

impl Restriction {
    /// A restriction: `directive.what`, and the rule as a sentence.
    pub(super) const fn new(id: &'static str, rule: &'static str) -> Restriction {
        Restriction { id, rule }
    }
}

/// The directives come in the order of their phases.
pub const PHASE: Restriction =
    Restriction::new("schedule.phase", "directives come in the order of their phases");
/// The func is there.
pub const FUNC: Restriction = Restriction::new("schedule.func", "the func is computed by the program");
/// The loops are there.
pub const LOOP: Restriction = Restriction::new(
    "schedule.loop",
    "the loops that are needed exist, one immediately inside the other where two are",
);
/// New variables are new.
pub const FRESH: Restriction = Restriction::new(
    "schedule.fresh",
    "new variables are different from each other and from all others of the stage",
);
/// No storage is shared by the iterations of a parallel loop.
pub const SHARED: Restriction = Restriction::new(
    "schedule.shared-storage",
    "what is computed inside a parallel loop is stored inside it",
);

/// The restrictions of schedules, whatever their directives.
pub(super) const GENERAL: [Restriction; 5] = [PHASE, FUNC, LOOP, FRESH, SHARED];

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
            Some(d) => writeln!(f, "`{d}` is refused: {why}")?,
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
pub struct Context<'a> {
    /// The directive.
    pub directive: &'a Directive,
    /// The program as given.
    pub program: &'a Program,
    /// The restrictions in force.
    pub rules: Rules,
    /// The loop that messages mark.
    pub marked: Option<LoopName>,
}

impl Context<'_> {
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

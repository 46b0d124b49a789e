//! What a directive is: all that parsing, printing, ordering and applying schedules ask of one. Each is a file that
//! implements [`Form`] and a line of the list in `schedule.rs`.

use super::refusal::{Context, Refusal, Restriction};
use crate::expr::Expr;
use crate::tgt::{LoopName, Program};
use rewright_base::sym::Name;
use std::fmt;

/// A kind of directive.
pub(super) trait Form: Sized {
    /// What it is called: one name, or one for each of its variants.
    const NAMES: &'static [&'static str];

    /// Its phase.
    const PHASE: Phase;

    /// What it is refused for, besides the restrictions of all schedules.
    const RESTRICTIONS: &'static [Restriction];

    /// Reads its arguments, in the order in which a text gives them.
    fn read<S: Source>(name: &str, from: &mut S) -> Result<Self, S::Error>;

    /// Its name among [`Form::NAMES`].
    fn name(&self) -> &'static str;

    /// Its arguments as a text gives them.
    fn arguments(&self) -> String;

    /// The loop that messages mark.
    fn marked(&self) -> Option<LoopName>;

    /// The func whose consumers' directives of the same phase come first when a schedule is sorted.
    fn after_consumers_of(&self) -> Option<Name>;

    /// 𝓢(s, T).
    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal>;
}

/// Where the arguments of a directive are read from: a text, where they come in order, or a case in JSON, where they
/// have names.
pub trait Source {
    /// What is not as it should be.
    type Error;

    /// A func.
    ///
    /// # Errors
    /// There is none.
    fn func(&mut self) -> Result<Name, Self::Error>;

    /// A variable.
    ///
    /// # Errors
    /// There is none.
    fn variable(&mut self, field: &str) -> Result<Name, Self::Error>;

    /// A loop.
    ///
    /// # Errors
    /// There is none.
    fn loop_name(&mut self) -> Result<LoopName, Self::Error>;

    /// A stage; in a text 0 where it is left out.
    ///
    /// # Errors
    /// There is none.
    fn stage(&mut self) -> Result<usize, Self::Error>;

    /// An expression over parameters.
    ///
    /// # Errors
    /// There is none.
    fn expr(&mut self, field: &str) -> Result<Expr, Self::Error>;

    /// All funcs that follow; in a case there may be none.
    ///
    /// # Errors
    /// Something else stands among them.
    fn funcs(&mut self, field: &str) -> Result<Vec<Name>, Self::Error>;

    /// All expressions that follow.
    ///
    /// # Errors
    /// Something else stands among them.
    fn exprs(&mut self, field: &str) -> Result<Vec<Expr>, Self::Error>;

    /// All pairs of variables that follow: `r = u`.
    ///
    /// # Errors
    /// Something else stands among them.
    fn pairs(&mut self, field: &str) -> Result<Vec<(Name, Name)>, Self::Error>;

    /// One of several words; in a text `otherwise` where it is left out.
    ///
    /// # Errors
    /// There is none of them.
    fn word<T: Copy>(
        &mut self,
        field: &str,
        words: &[(&'static str, T)],
        otherwise: Option<T>,
    ) -> Result<T, Self::Error>;
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

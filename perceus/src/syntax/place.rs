//! Where in an expression something stands.

use std::fmt;

/// One step down. Printed as in a JSON pointer into a case ([rule: perceus.case]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The body of a lambda.
    Body,
    /// The function of an application.
    Fun,
    /// The argument of an application.
    Arg,
    /// What a `val` binds.
    Bound,
    /// What stands below a `val`, a `dup` or a `drop`.
    In,
    /// The scrutinee's name.
    Scrutinee,
    /// A branch.
    Branch(usize),
    /// The constructor of a branch.
    PatternCon,
    /// A binder of a branch.
    Binder(usize),
    /// The body of a branch.
    BranchBody,
    /// An argument of a constructor, a primitive or a call.
    Operand(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Body | Step::BranchBody => f.write_str("/body"),
            Step::Fun => f.write_str("/app/0"),
            Step::Arg => f.write_str("/app/1"),
            Step::Bound => f.write_str("/be"),
            Step::In => f.write_str("/in"),
            Step::Scrutinee => f.write_str("/match"),
            Step::Branch(i) => write!(f, "/branches/{i}"),
            Step::PatternCon => f.write_str("/con"),
            Step::Binder(i) => write!(f, "/binders/{i}"),
            Step::Operand(i) => write!(f, "/args/{i}"),
        }
    }
}

/// The way down from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| step.fmt(f))
    }
}

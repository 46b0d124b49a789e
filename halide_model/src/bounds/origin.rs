//! What asks that a point be in a region. Spec: [rule: halide.explain].

use crate::expr::{Access, Expr, Site, Var};
use crate::text::print;
use rewright_base::sym::Name;
use std::fmt;

/// Where a demand of 𝓑(T) comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The window of an output.
    Window(Name),
    /// A stage is computed inside the region of the one before it [H-5].
    Stage(Site),
    /// A stage stores the point.
    Store(Site),
    /// The point is read.
    Read {
        /// What reads it.
        by: Reader,
        /// How it is written there.
        access: Access,
    },
}

/// What reads a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The value of a stage.
    Value(Site),
    /// The point at which a stage stores.
    Index(Site),
    /// A condition.
    Condition,
    /// The value of a variable.
    Let(Var),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Window(output) => write!(f, "the window of `{output}`"),
            Origin::Stage(site) => write!(f, "`{}` comes after it", stage(*site)),
            Origin::Store(site) => write!(f, "`{}` stores there", stage(*site)),
            Origin::Read { by, access } => {
                let read = print::expr(&Expr::Access(access.clone()));
                match by {
                    Reader::Value(site) => write!(f, "`{}` reads {read}", stage(*site)),
                    Reader::Index(site) => write!(f, "`{}` stores where {read} says", stage(*site)),
                    Reader::Condition => write!(f, "a condition reads {read}"),
                    Reader::Let(v) => write!(f, "`{}` is made of {read}", print::var(*v)),
                }
            }
        }
    }
}

/// `f`, or `f^i,j` where that is not 0.
fn stage(site: Site) -> String {
    let Site { func, stage, spec } = site;
    if (stage, spec) == (0, 0) { func.to_string() } else { format!("{func}{}", print::tag(stage, spec)) }
}

//! What a pass on completed programs proves of each, and tells where it does not hold: sliding windows ([`crate::slide`]) and
//! folds ([`crate::fold`]).

use rewright_base::sym::Name;
use std::fmt;

/// A condition of a pass: an id and the sentence that a user reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    /// `slide.what`
    pub id: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// What is said of a func that does not meet it: `does not slide`.
    pub fails: &'static str,
}

/// A dimension of a func that does not meet a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The func.
    pub func: Name,
    /// Its variable.
    pub var: Name,
    /// What it does not meet.
    pub condition: Condition,
    /// How.
    pub why: String,
    /// Parameters, window and variables for which it does not; none where that needs none, or is not known.
    pub model: Vec<(String, i64)>,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unmet { func, var, condition, why, model } = self;
        write!(f, "`{func}` {} along `{var}`: {why}", condition.fails)?;
        if !model.is_empty() {
            // Regions follow from the rest.
            let given = model.iter().filter(|(x, _)| !x.starts_with('?'));
            let at: Vec<String> = given.map(|(x, v)| format!("{x} = {v}")).collect();
            write!(f, ", for example when {}", at.join(", "))?;
        }
        write!(f, "\n  rule {}: {}", condition.id, condition.rule)
    }
}

//! Comparing two procedures on many random inputs. Spec: [rule: equiv.trials].

use super::{Comparer, Difference, SignatureMismatch, Verdict};
use crate::ast::Proc;
use crate::data::rational::RationalDomain;
use crate::data::symbolic::SymbolicDomain;
use crate::denote::{Interpreted, Limits};
use crate::inputs::{Given, Input, NoInput, Search, Subject};
use crate::store::ConfigKey;
use crate::syntax::walk::each_expr;
use std::collections::BTreeSet;
use std::fmt;

/// Candidates tried to make a counterexample smaller.
const SHRINKS: u64 = 2_000;
/// After trials that took too many statements, and so many together, nobody waits for more.
const PATIENCE: u64 = 100_000_000;
/// Inputs of at most so many cells are compared for all data at once, too.
const SYMBOLIC_CELLS: u64 = 64;
/// After so many inputs in a row whose polynomials decide nothing, no more of them are made: those of a program that multiplies
/// again and again take seconds each.
const MOST_TOO_LARGE: u64 = 3;
const SEARCH: Search = Search { max_cells: 1 << 16, budget: 20_000 };

/// How two procedures are to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Trials {
    /// How many inputs are drawn.
    pub count: u64,
    /// The seed of the first; each has the next one.
    pub seed: u64,
    /// What a run may take.
    pub limits: Limits,
    /// Whether the inputs are those that the new procedure admits: it may admit fewer.
    pub restricted: bool,
}

/// What came of all trials, where no difference was found.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Inputs on which both leave the same.
    pub equal: u64,
    /// Inputs on which the new one defines more.
    pub refined: u64,
    /// Inputs on which they leave the same for all data.
    pub for_all_data: u64,
    /// Inputs on which they leave the same where some fields were never set.
    pub unset: u64,
    /// Inputs that said nothing.
    pub skipped: u64,
    /// Of those skipped, the ones that took too many statements.
    pub gave_up: u64,
    /// The first place that the new one alone defines, and the input.
    pub first_refinement: Option<String>,
    /// Why an input was skipped, for the first of them.
    pub first_skip: Option<String>,
    /// Inputs in a row whose polynomials decided nothing.
    too_large: u64,
}

/// A difference, on an input that was made small.
#[derive(Clone, Debug)]
pub struct Found {
    /// The number of the trial.
    pub trial: u64,
    /// What differs.
    pub what: String,
    /// On which input.
    pub input: Input,
    /// Data were variables.
    pub all_data: bool,
}

/// What came of comparing two procedures.
#[derive(Clone, Debug)]
pub enum Compared {
    /// No input told them apart.
    Agree(Tally),
    /// One did.
    Differ(Found),
}

/// Why two procedures cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCompared {
    /// They do not take the same arguments.
    #[error(transparent)]
    Signature(#[from] SignatureMismatch),
    /// No input was found.
    #[error(transparent)]
    Input(#[from] NoInput),
}

/// What an input is compared in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Numbers.
    Numbers,
    /// The same where some fields were never set.
    Unset,
    /// Data as variables.
    AllData,
}

/// Compares two procedures on random inputs: as numbers, once more where some fields were never set, and small ones for all
/// data at once. Fields in `modulo` are left out.
///
/// # Errors
/// Their signatures differ, or no input satisfies the assertions.
pub fn on_trials(
    old: &Proc,
    new: &Proc,
    modulo: &BTreeSet<ConfigKey>,
    trials: Trials,
) -> Result<Compared, NotCompared> {
    let exact = Comparer::<RationalDomain>::new(old, new, modulo.clone(), trials.limits)?;
    let symbolic = Comparer::<SymbolicDomain>::new(old, new, modulo.clone(), trials.limits)?;
    let admitted = Subject::pair(new, old);
    let subject = if trials.restricted { &admitted } else { exact.subject() };
    // A version that a field's value restricts admits no input without it.
    let sets_fields = trials.restricted && asserts_of_fields(new);
    let stopped = || trials.limits.stop.is_some_and(|stop| stop());
    let most = trials.limits.statements.unwrap_or(0);
    let mut tally = Tally::default();
    for trial in 0..trials.count {
        if stopped() || tally.gave_up.saturating_mul(most) >= PATIENCE {
            break;
        }
        let seed = trials.seed.wrapping_add(trial);
        let input = subject.generate(&Given::default(), seed, SEARCH)?;
        let mut asked = vec![(Kind::Numbers, input.clone())];
        asked.extend(
            subject.with_fields_unset(&input, seed).filter(|_| !sets_fields).map(|i| (Kind::Unset, i)),
        );
        asked.extend((input.cells() <= SYMBOLIC_CELLS).then_some((Kind::AllData, input)));
        for (kind, input) in asked {
            let difference = match kind {
                Kind::Numbers | Kind::Unset => tally.trial(&exact, subject, &input, kind),
                Kind::AllData if tally.too_large >= MOST_TOO_LARGE => None,
                Kind::AllData => tally.trial(&symbolic, subject, &input, kind),
            };
            if let Some((what, input)) = difference {
                return Ok(Compared::Differ(Found { trial, what, input, all_data: kind == Kind::AllData }));
            }
        }
    }
    Ok(Compared::Agree(tally))
}

/// Whether an assertion reads a field.
fn asserts_of_fields(p: &Proc) -> bool {
    let mut reads = false;
    p.preds.iter().for_each(|e| each_expr(e, &mut |e| reads |= e.kind.field_read().is_some()));
    reads
}

impl Tally {
    /// One comparison; what differs and on which input, where something does.
    fn trial<D: Interpreted>(
        &mut self,
        comparer: &Comparer<'_, D>,
        subject: &Subject<'_>,
        input: &Input,
        kind: Kind,
    ) -> Option<(String, Input)> {
        match comparer.compare(input) {
            Verdict::Equal => match kind {
                Kind::Numbers => self.equal += 1,
                Kind::Unset => self.unset += 1,
                Kind::AllData => {
                    self.for_all_data += 1;
                    self.too_large = 0;
                }
            },
            Verdict::Refines { first, .. } => {
                match kind {
                    Kind::Numbers => self.refined += 1,
                    Kind::Unset => self.unset += 1,
                    Kind::AllData => {}
                }
                self.first_refinement.get_or_insert_with(|| format!("{first} on {input}"));
            }
            Verdict::Differs(_) => return smaller(comparer, subject, input),
            Verdict::Undecided { at, old, new } => {
                let why = format!("it cannot be told whether {at} is the same: {old}, {new}");
                self.skipped(why, kind);
            }
            Verdict::InputRejected(fault) => {
                self.skipped(format!("the input is not one of the first: {fault}"), kind);
            }
            Verdict::OldFails(fault) => self.skipped(format!("the first fails: {fault}"), kind),
            Verdict::GaveUp(fault) => {
                self.gave_up += u64::from(kind == Kind::Numbers);
                self.skipped(fault.to_string(), kind);
            }
        }
        None
    }

    /// Polynomials decide less than numbers do, and what reads a field that is not set fails: what they leave open was compared
    /// with numbers.
    fn skipped(&mut self, why: String, kind: Kind) {
        match kind {
            Kind::Numbers => {
                self.skipped += 1;
                self.first_skip.get_or_insert(why);
            }
            Kind::AllData => self.too_large += 1,
            Kind::Unset => {}
        }
    }
}

fn smaller<D: Interpreted>(
    comparer: &Comparer<'_, D>,
    subject: &Subject<'_>,
    input: &Input,
) -> Option<(String, Input)> {
    let mut still = |i: &Input| matches!(comparer.compare(i), Verdict::Differs(_));
    let small = subject.shrink(input, &mut still, SHRINKS);
    match comparer.compare(&small) {
        Verdict::Differs(difference) => Some((difference.to_string(), small)),
        Verdict::Equal
        | Verdict::Refines { .. }
        | Verdict::Undecided { .. }
        | Verdict::InputRejected(_)
        | Verdict::OldFails(_)
        | Verdict::GaveUp(_) => None,
    }
}

impl<V: fmt::Display> fmt::Display for Difference<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Values { at, old, new } => {
                write!(f, "{at} is {old} in the first and {new} in the second")
            }
            Difference::NewFails(fault) => write!(f, "the second fails: {fault}"),
        }
    }
}

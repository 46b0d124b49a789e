//! Holding the programs before and after a step against the interpreter. Spec: [rule: audit.compare], [rule: refusals.confirmed].

use crate::tools::alongside::{general, integers, is_rounding};
use crate::tools::buffers::declared::with_types_of;
use crate::version::{Relation, Step};
use rewright_effects::solver::nobody_waits;
use rewright_semantics::ast;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Interpreted, Limits};
use rewright_semantics::equiv::{Comparer, Difference, Verdict};
use rewright_semantics::inputs::{Given, Input, NoInput, Search};
use rewright_semantics::store::ConfigKey;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// How much is compared.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    /// Inputs of small sizes.
    pub(crate) inputs: u64,
    /// Statements of one run, where small sizes do not do.
    pub(crate) statements: u64,
    /// Cells of one argument.
    pub(crate) cells: u64,
    /// Statements and cells of all runs together.
    pub(crate) work: u64,
    /// What is given of the inputs; the rest is drawn.
    pub(crate) given: Given,
}

impl Effort {
    /// As many inputs, whatever that takes.
    pub(crate) fn thorough(inputs: u64, statements: u64) -> Effort {
        Effort { inputs, statements, cells: MOST_CELLS, work: u64::MAX, given: Given::default() }
    }
}

/// How two versions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Differ {
    /// How, and on which input.
    pub(crate) what: String,
    /// Where: in exact arithmetic they may be the same.
    pub(crate) domain: Domain,
}

/// What the cells hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// Fractions.
    Exact,
    /// Polynomials of what the cells hold on entry.
    Polynomials,
    /// What a machine computes with.
    Machine,
}

impl fmt::Display for Differ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.domain {
            Domain::Exact => {}
            Domain::Polynomials => f.write_str("with data as variables, ")?,
            Domain::Machine => f.write_str("in machine arithmetic (`--domain machine`), ")?,
        }
        f.write_str(&self.what)
    }
}

/// What came of it, where no difference was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// Inputs on which both ran to their ends and left the same.
    pub(crate) inputs: u64,
    /// Those among them where some fields were never set.
    pub(crate) unset: u64,
    /// Why an input said nothing: the first of them.
    pub(crate) silent: Option<String>,
}

/// Compares the two programs that a step is between.
///
/// # Errors
/// They differ: how, and on which input.
pub(crate) fn compare(
    old: &Arc<ast::Proc>,
    new: &Arc<ast::Proc>,
    step: &Step,
    effort: &Effort,
) -> Result<Compared, Differ> {
    let modulo: BTreeSet<ConfigKey> =
        step.modulo.iter().map(|f| ConfigKey { config: f.config, field: f.field }).collect();
    let left = Cell::new(effort.work);
    let pair = |first, second, refines| Pair { first, second, refines, modulo: &modulo, effort, left: &left };
    match step.relation {
        Relation::Equivalent => pair(old, new, true).hold(integers(old) > 0),
        // In exact arithmetic the precisions are only notes, those of integers too.
        Relation::Rounded => pair(old, new, true).hold(false),
        // Where the new version is defined, which the old one is as well.
        Relation::Restricted => pair(new, old, false).hold(false),
        Relation::Specialised => {
            let values = step.args.iter().find(|(name, _)| *name == "values");
            let whole = general(old, new, values.map(|(_, v)| v));
            pair(&whole, old, false).hold(false)
        }
    }
}

/// Two procedures of one signature; `refines` says whether the second may define more.
struct Pair<'a> {
    first: &'a ast::Proc,
    second: &'a ast::Proc,
    refines: bool,
    modulo: &'a BTreeSet<ConfigKey>,
    effort: &'a Effort,
    /// What is left of [`Effort::work`].
    left: &'a Cell<u64>,
}

/// Which inputs are drawn, and how long a run may be.
#[derive(Clone, Copy)]
struct Draw {
    inputs: u64,
    cells: u64,
    statements: u64,
    unset: bool,
}

/// Few cells, for polynomials.
const POLYNOMIAL: Draw = Draw { inputs: 1, cells: 9, statements: 250, unset: false };
/// Cells of one argument, statements of one run.
const SMALL: (u64, u64) = (1 << 8, 200_000);
/// Cells of one argument, where no input has so few.
const LARGER: [u64; 4] = [1 << 8, 1 << 12, 1 << 16, MOST_CELLS];
const MOST_CELLS: u64 = 1 << 22;
/// What a run costs that does nothing, as a number of statements.
const RUN: u64 = 1 << 8;
/// Cells of all that is allocated.
const CELLS: u64 = 1 << 22;
/// Runs to make an input smaller.
const SHRINKS: u64 = 300;

impl Pair<'_> {
    fn hold(&self, machine: bool) -> Result<Compared, Differ> {
        let Effort { inputs, statements, cells: most, .. } = *self.effort;
        let (cells, short) = SMALL;
        let small = Draw { inputs, cells, statements: short.min(statements), unset: false };
        let mut done = self.run::<RationalDomain>(Domain::Exact, small)?;
        let mut taken = small;
        for cells in LARGER {
            if done.inputs > 0 || cells > most {
                break;
            }
            taken = Draw { inputs: inputs.min(2), cells, statements, unset: false };
            let more = self.run::<RationalDomain>(Domain::Exact, taken)?;
            // What stands in the way of large inputs is what there is to say.
            done = Compared { silent: more.silent.or(done.silent), ..more };
        }
        let unset = Draw { inputs: taken.inputs.div_ceil(2), unset: true, ..taken };
        let unset = self.run::<RationalDomain>(Domain::Exact, unset)?;
        done.add(Compared { unset: unset.inputs, ..unset });
        done.add(self.run::<SymbolicDomain>(Domain::Polynomials, POLYNOMIAL)?);
        if machine {
            done.add(self.run::<MachineDomain>(Domain::Machine, taken)?);
        }
        Ok(done)
    }

    fn run<D: Interpreted>(&self, domain: Domain, draw: Draw) -> Result<Compared, Differ> {
        let differ = |what| Differ { what, domain };
        let limits = Limits { cells: CELLS, ..Limits::statements(draw.statements) };
        let second = with_types_of(self.second, self.first);
        let comparer: Comparer<'_, D> = Comparer::new(self.first, &second, self.modulo.clone(), limits)
            .map_err(|e| differ(e.to_string()))?;
        let mut done = Compared::default();
        let search = Search { max_cells: draw.cells, budget: 2_000 };
        for seed in 0..draw.inputs {
            if self.left.get() == 0 {
                done.silent.get_or_insert("it would take too long".to_owned());
                break;
            }
            let input = match self.drawn(&comparer, seed, search) {
                Ok(input) => input,
                Err(none) => {
                    done.silent.get_or_insert(none.to_string());
                    continue;
                }
            };
            if !draw.unset {
                self.judge(&comparer, &input, &mut done).map_err(differ)?;
            } else if let Some(input) = comparer.subject().with_fields_unset(&input, seed) {
                self.judge(&comparer, &input, &mut done).map_err(differ)?;
            }
        }
        Ok(done)
    }

    /// An input; where there is a budget, sizes that are given are no reason to exceed it.
    fn drawn<D: Interpreted>(
        &self,
        comparer: &Comparer<'_, D>,
        seed: u64,
        search: Search,
    ) -> Result<Input, NoInput> {
        let Effort { work, cells, given, .. } = self.effort;
        if *work == u64::MAX {
            return comparer.subject().generate(given, seed, search);
        }
        let max_cells = if given.args.is_empty() { search.max_cells } else { *cells };
        comparer.subject().generate_within(given, seed, Search { max_cells, ..search })
    }

    /// Compares on one input, and takes what that costs from what is left.
    fn verdict<D: Interpreted>(&self, comparer: &Comparer<'_, D>, input: &Input) -> Verdict<D::Value> {
        if nobody_waits() {
            self.left.set(0);
        }
        let (verdict, statements) = comparer.compare_counting(input);
        let cost = statements.saturating_add(input.cells()).saturating_add(RUN);
        self.left.set(self.left.get().saturating_sub(cost));
        verdict
    }

    fn judge<D: Interpreted>(
        &self,
        comparer: &Comparer<'_, D>,
        input: &Input,
        done: &mut Compared,
    ) -> Result<(), String> {
        let silent = match self.verdict(comparer, input) {
            Verdict::Equal => None,
            Verdict::Refines { .. } if self.refines => None,
            Verdict::Differs(difference) if is_rounding(&difference, comparer.subject().procedure()) => None,
            Verdict::Differs(_) | Verdict::Refines { .. } => return Err(self.shown(comparer, input)),
            // The front end has accepted it, which says that it does not fail where its fields are set.
            Verdict::OldFails(_) if !input.fields.values().any(|v| v.is_unset()) => {
                return Err(self.shown(comparer, input));
            }
            Verdict::OldFails(fault) => Some(format!("it fails before and after: {fault}")),
            Verdict::InputRejected(fault) => Some(format!("the input is not admitted: {fault}")),
            Verdict::GaveUp(fault) => Some(format!("the interpreter gave up: {fault}")),
            Verdict::Undecided { at, .. } => Some(format!("whether {at} is the same could not be told")),
        };
        match silent {
            None => done.inputs += 1,
            Some(why) => {
                done.silent.get_or_insert(why);
            }
        }
        Ok(())
    }

    /// How the two differ, on a small input.
    fn shown<D: Interpreted>(&self, comparer: &Comparer<'_, D>, input: &Input) -> String {
        let mut still = |input: &Input| self.left.get() > 0 && self.difference(comparer, input).is_some();
        let small = comparer.subject().shrink(input, &mut still, SHRINKS);
        let what = self.difference(comparer, &small).unwrap_or_default();
        format!("{what}, on the input {}", small.brief())
    }

    fn difference<D: Interpreted>(&self, comparer: &Comparer<'_, D>, input: &Input) -> Option<String> {
        // The pair is turned around where the new version admits fewer inputs.
        let [first, second] = if self.refines { ["before", "after"] } else { ["after", "before"] };
        match self.verdict(comparer, input) {
            Verdict::Differs(difference) if is_rounding(&difference, comparer.subject().procedure()) => None,
            Verdict::Differs(difference) => Some(worded(&difference, first, second)),
            Verdict::Refines { first: at, .. } if !self.refines => {
                Some(format!("the versions differ: {at} is not defined any more"))
            }
            Verdict::OldFails(fault) if !input.fields.values().any(|v| v.is_unset()) => {
                Some(format!("the version {first} the step fails: {fault}"))
            }
            Verdict::Equal
            | Verdict::Refines { .. }
            | Verdict::OldFails(_)
            | Verdict::InputRejected(_)
            | Verdict::GaveUp(_)
            | Verdict::Undecided { .. } => None,
        }
    }
}

fn worded<V: fmt::Display>(difference: &Difference<V>, first: &str, second: &str) -> String {
    match difference {
        Difference::Values { at, old, new } => {
            format!("the versions differ: {at} is {old} {first} the step and {new} {second} it")
        }
        Difference::NewFails(fault) => format!("the version {second} the step fails: {fault}"),
    }
}

impl Compared {
    fn add(&mut self, more: Compared) {
        self.inputs += more.inputs;
        self.unset += more.unset;
        self.silent = self.silent.take().or(more.silent);
    }
}

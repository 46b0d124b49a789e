//! One application, held against the interpreter.

use super::arguments::describe;
use crate::rng::Rng;
use rewright_primitives::Proc;
use rewright_primitives::error::Error;
use rewright_primitives::registry::{Args, Primitive};
use rewright_primitives::tools::alongside::{general, is_rounding};
use rewright_primitives::tools::buffers::declared::with_types_of;
use rewright_primitives::version::Relation;
use rewright_semantics::ast::{self, Module, StmtKind};
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Interpreted, Limits};
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::inputs::{Given, Input, Search};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ArgType, DataType};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What became of an application.
#[derive(Debug)]
pub enum Outcome {
    /// The program has nothing of the kind.
    NoTarget,
    /// A condition did not hold.
    Refused {
        /// Which.
        condition: &'static str,
        /// In words.
        why: String,
    },
    /// The cursor or pattern led nowhere.
    InvalidCursor,
    /// It was accepted, and no difference was found.
    Accepted {
        /// The new version.
        new: Proc,
        /// How it was compared.
        checked: Checked,
    },
    /// It was accepted and is wrong, or broke.
    Wrong(Box<Failure>),
}

/// On how many inputs two versions were compared, and with which result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The same values everywhere.
    pub equal: u64,
    /// The new version defines more.
    pub refines: u64,
    /// The input says nothing: rejected, or in error before.
    pub silent: u64,
    /// How many comparisons each oracle decided.
    pub by: Tally,
}

/// A number for each way in which the interpreter is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Exact values, at random.
    pub rational: u64,
    /// Exact values, where some configuration fields were never set.
    pub unset: u64,
    /// Polynomials in the inputs, at small sizes: all data at once.
    pub symbolic: u64,
    /// The machine's values, where integers play a part.
    pub machine: u64,
}

impl Tally {
    /// Adds number by number.
    pub fn add(&mut self, more: Tally) {
        let Tally { rational, unset, symbolic, machine } = more;
        self.rational += rational;
        self.unset += unset;
        self.symbolic += symbolic;
        self.machine += machine;
    }

    /// 1 for each number that is not 0.
    #[must_use]
    pub fn any(self) -> Tally {
        let Tally { rational, unset, symbolic, machine } = self;
        let any = |n: u64| n.min(1);
        Tally { rational: any(rational), unset: any(unset), symbolic: any(symbolic), machine: any(machine) }
    }
}

impl Checked {
    fn add(&mut self, more: Checked) {
        self.equal += more.equal;
        self.refines += more.refines;
        self.silent += more.silent;
        self.by.add(more.by);
    }

    /// How many comparisons were decided.
    fn decided(&self) -> u64 {
        self.equal + self.refines
    }
}

/// An application that changed the meaning.
#[derive(Debug)]
pub struct Failure {
    /// The primitive.
    pub primitive: &'static Primitive,
    /// Its arguments, in words.
    pub args: String,
    /// Its arguments, where they are known.
    pub values: Option<Args>,
    /// The program it was applied to.
    pub old: Proc,
    /// What came of it; `None` when it broke.
    pub new: Option<Proc>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}({}): {}", self.primitive.name, self.args, self.what)?;
        writeln!(f, "--- before\n{}", text_of(&self.old))?;
        match &self.new {
            Some(new) => writeln!(f, "--- after\n{new}"),
            None => Ok(()),
        }
    }
}

/// A procedure with everything it calls.
fn text_of(p: &Proc) -> String {
    let mut m = Module::default();
    collect(p.ast(), &mut m);
    module_to_string(&m)
}

fn collect(p: &Arc<ast::Proc>, m: &mut Module) {
    each_stmt(&p.body, &mut |s| match s.kind.as_ref() {
        StmtKind::Call { proc, .. } => {
            if !m.procs.iter().any(|q| Arc::ptr_eq(q, proc)) {
                collect(proc, m);
            }
        }
        StmtKind::WriteConfig { config, .. } => {
            if !m.configs.iter().any(|c| Arc::ptr_eq(c, config)) {
                m.configs.push(config.clone());
            }
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => {}
    });
    m.procs.push(p.clone());
}

/// Arguments for readers.
pub(super) fn in_words(p: &Proc, args: &Args) -> String {
    let all = args.iter().map(|(param, v)| format!("{}={}", param.name, describe(p, v)));
    all.collect::<Vec<_>>().join(", ")
}

/// Applies a primitive and compares what comes of it with the program it was applied to.
pub fn apply(p: &Proc, primitive: &'static Primitive, args: &Args, seed: u64, inputs: u64) -> Outcome {
    let failure = |new: Option<Proc>, what: String| {
        Outcome::Wrong(Box::new(Failure {
            primitive,
            args: in_words(p, args),
            values: Some(args.clone()),
            old: p.clone(),
            new,
            what,
        }))
    };
    match (primitive.run)(p, args) {
        Ok(new) => match check(p, &new, seed, inputs) {
            Ok(checked) => Outcome::Accepted { new, checked },
            Err(what) => failure(Some(new), what),
        },
        Err(Error::Scheduling(e)) => Outcome::Refused { condition: e.condition, why: e.found.to_string() },
        Err(Error::InvalidCursor(_)) => Outcome::InvalidCursor,
        Err(Error::Internal { primitive: _, what }) => failure(None, format!("internal error: {what}")),
    }
}

/// Compares two versions on random inputs. Versions that are not equivalent but related in another way are
/// compared on the inputs that the new one admits.
///
/// # Errors
/// They differ: how, and on which input.
pub fn check(old: &Proc, new: &Proc, seed: u64, inputs: u64) -> Result<Checked, String> {
    let origin = new.origin().map(|o| o.step.as_ref());
    let modulo = origin.map(|step| step.modulo.iter().map(key_of).collect()).unwrap_or_default();
    let pair = |old, new, refines| Pair { old, new, modulo: &modulo, refines, seed };
    match origin.map_or(Relation::Equivalent, |step| step.relation) {
        Relation::Equivalent => {
            let pair = pair(old.ast(), new.ast(), true);
            let mut checked = pair.exact(inputs)?;
            // Exact arithmetic knows neither wrapping nor casts.
            if integers(old.ast()) > 0 {
                checked.add(pair.machine(inputs)?);
            }
            Ok(checked)
        }
        Relation::Rounded => {
            let pair = pair(old.ast(), new.ast(), true);
            let mut checked = pair.exact(inputs)?;
            // What rounds otherwise may be cut off otherwise; but no integer comes or goes, unless it is what becomes of
            // `R`, which is no type of the machine.
            let came = |count: fn(&ast::Proc) -> usize| {
                (
                    count(new.ast()).saturating_sub(count(old.ast())),
                    count(old.ast()).saturating_sub(count(new.ast())),
                )
            };
            if came(integers) != (0, 0) && came(integers) != (came(abstracts).1, 0) {
                checked.add(pair.machine(inputs)?);
            }
            Ok(checked)
        }
        Relation::Restricted => pair(new.ast(), old.ast(), false).exact(inputs),
        Relation::Specialised => {
            let values = origin.and_then(|step| step.args.iter().find(|(name, _)| *name == "values"));
            let whole = general(old.ast(), new.ast(), values.map(|(_, v)| v));
            pair(&whole, old.ast(), false).exact(inputs)
        }
    }
}

/// Compares two versions on random inputs both ways: neither may define more than the other, on the inputs that both
/// admit.
///
/// # Errors
/// They differ: how, and on which input.
pub fn check_exact(old: &Proc, new: &Proc, seed: u64, inputs: u64) -> Result<Checked, String> {
    let origin = new.origin().map(|o| o.step.as_ref());
    let modulo = origin.map(|step| step.modulo.iter().map(key_of).collect()).unwrap_or_default();
    let both = [(new, old), (old, new)].map(|(old, new)| Pair {
        old: old.ast(),
        new: new.ast(),
        modulo: &modulo,
        refines: false,
        seed,
    });
    let restricted = origin.is_some_and(|step| step.relation == Relation::Restricted);
    let mut checked = Checked::default();
    for pair in both.iter().take(if restricted { 1 } else { 2 }) {
        checked.add(pair.compare::<RationalDomain>(0..inputs, Sizes::Random)?);
    }
    Ok(checked)
}

/// Two procedures of one signature; `refines` says whether the second may define more.
struct Pair<'a> {
    old: &'a ast::Proc,
    new: &'a ast::Proc,
    modulo: &'a BTreeSet<ConfigKey>,
    refines: bool,
    seed: u64,
}

/// What inputs are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sizes {
    /// Any of moderate size.
    Random,
    /// As before, but each field may be unset.
    Unset,
    /// Few cells.
    Small,
}

impl Pair<'_> {
    /// With exact values: numbers, numbers where fields are unset, and polynomials.
    fn exact(&self, inputs: u64) -> Result<Checked, String> {
        let mut checked = self.compare::<RationalDomain>(0..inputs, Sizes::Random)?;
        checked.by.rational = checked.decided();
        let mut unset = self.compare::<RationalDomain>(0..inputs.div_ceil(2), Sizes::Unset)?;
        unset.by.unset = unset.decided();
        checked.add(unset);
        // One run stands for all data of its sizes.
        let mut symbolic =
            self.compare::<SymbolicDomain>(inputs..inputs + inputs.div_ceil(8), Sizes::Small)?;
        symbolic.by.symbolic = symbolic.decided();
        checked.add(symbolic);
        Ok(checked)
    }

    /// As the machine computes.
    fn machine(&self, inputs: u64) -> Result<Checked, String> {
        let mut machine = self.compare::<MachineDomain>(0..inputs, Sizes::Random)?;
        machine.by.machine = machine.decided();
        Ok(machine)
    }

    fn compare<D: Interpreted>(&self, inputs: Range<u64>, sizes: Sizes) -> Result<Checked, String> {
        let mut checked = Checked::default();
        let limits = if sizes == Sizes::Small { FEW } else { LIMITS };
        let new = with_types_of(self.new, self.old);
        let comparer: Comparer<'_, D> = match Comparer::new(self.old, &new, self.modulo.clone(), limits) {
            Ok(comparer) => comparer,
            // A primitive that changes the signature on purpose is compared by tests of its own.
            Err(_) => return Ok(checked),
        };
        if sizes == Sizes::Unset && comparer.subject().fields().next().is_none() {
            return Ok(checked);
        }
        for k in inputs {
            match self.input(&comparer, k, sizes) {
                Some(input) => self.judge(comparer.compare(&input), &input, &mut checked)?,
                None => checked.silent += 1,
            }
        }
        Ok(checked)
    }

    fn input<D: Interpreted>(&self, comparer: &Comparer<'_, D>, k: u64, sizes: Sizes) -> Option<Input> {
        let seed = self.seed ^ (k << 48);
        let search = if sizes == Sizes::Small { SMALL } else { SEARCH };
        let mut input = comparer.subject().generate(&Given::default(), seed, search).ok()?;
        if sizes == Sizes::Unset {
            let mut rng = Rng::new(seed);
            input.fields.retain(|_, _| rng.chance(50));
        }
        Some(input)
    }

    fn judge<V: fmt::Display + fmt::Debug>(
        &self,
        verdict: Verdict<V>,
        input: &Input,
        checked: &mut Checked,
    ) -> Result<(), String> {
        match verdict {
            Verdict::Equal => checked.equal += 1,
            Verdict::Refines { .. } if self.refines => checked.refines += 1,
            Verdict::Refines { first, .. } => {
                return Err(format!("{first} is not defined any more\non {input}"));
            }
            Verdict::Differs(difference) if is_rounding(&difference, self.old) => checked.equal += 1,
            Verdict::Differs(difference) => return Err(format!("{difference:?}\non {input}")),
            Verdict::Undecided { .. }
            | Verdict::InputRejected(_)
            | Verdict::OldFails(_)
            | Verdict::GaveUp(_) => checked.silent += 1,
        }
        Ok(())
    }
}

/// How many arguments and allocations of a procedure are of integers.
fn integers(p: &ast::Proc) -> usize {
    declared(p, DataType::is_integer)
}

/// How many are of `R`.
fn abstracts(p: &ast::Proc) -> usize {
    declared(p, |t| t == DataType::R)
}

/// How many arguments and allocations of a procedure have such a type.
fn declared(p: &ast::Proc, is: impl Fn(DataType) -> bool) -> usize {
    let arg = |a: &&ast::Arg| matches!(&a.typ, ArgType::Data { typ, .. } if is(typ.elem));
    let mut found = p.args.iter().filter(arg).count();
    each_stmt(&p.body, &mut |s| {
        found += usize::from(matches!(s.kind.as_ref(), StmtKind::Alloc { typ, .. } if is(typ.elem)));
    });
    found
}

const LIMITS: Limits = Limits { statements: Some(20_000), cells: 1 << 16, stop: None };
const SEARCH: Search = Search { max_cells: 64, budget: 2_000 };

/// For polynomials, which grow.
const FEW: Limits = Limits { statements: Some(250), cells: 1 << 8, stop: None };
const SMALL: Search = Search { max_cells: 9, budget: 500 };

fn key_of(f: &rewright_effects::env::Field) -> ConfigKey {
    ConfigKey { config: f.config, field: f.field }
}

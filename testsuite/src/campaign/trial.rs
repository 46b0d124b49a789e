//! One application, held against the interpreter.

use super::arguments::describe;
use rewright_primitives::Proc;
use rewright_primitives::error::Error;
use rewright_primitives::registry::{Args, Primitive};
use rewright_primitives::tools::declared::with_types_of;
use rewright_primitives::tools::walk::each_stmt;
use rewright_primitives::version::Relation;
use rewright_semantics::ast::{self, Module, StmtKind};
use rewright_semantics::data::DataDomain;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Difference, Verdict};
use rewright_semantics::inputs::{Given, Search};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::types::ArgType;
use rewright_semantics::value::Val;
use std::collections::BTreeSet;
use std::fmt;
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
}

impl Checked {
    fn add(&mut self, more: Checked) {
        self.equal += more.equal;
        self.refines += more.refines;
        self.silent += more.silent;
    }
}

/// An application that changed the meaning.
#[derive(Debug)]
pub struct Failure {
    /// The primitive.
    pub primitive: &'static Primitive,
    /// Its arguments, in words.
    pub args: String,
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

/// Applies a primitive and compares what comes of it with the program it was applied to.
pub fn apply(p: &Proc, primitive: &'static Primitive, args: &Args, seed: u64, inputs: u64) -> Outcome {
    let failure = |new: Option<Proc>, what: String| {
        let args = args.iter().map(|(param, v)| format!("{}={}", param.name, describe(p, v)));
        let args = args.collect::<Vec<_>>().join(", ");
        Outcome::Wrong(Box::new(Failure { primitive, args, old: p.clone(), new, what }))
    };
    match (primitive.run)(p, args) {
        Ok(new) => match check(p, &new, seed, inputs) {
            Ok(checked) => Outcome::Accepted { new, checked },
            Err(what) => failure(Some(new), what),
        },
        Err(Error::Scheduling(e)) => Outcome::Refused { condition: e.condition, why: e.why },
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
    match origin.map_or(Relation::Equivalent, |step| step.relation) {
        Relation::Equivalent => {
            let mut checked = compare::<RationalDomain>(old.ast(), new.ast(), &modulo, true, seed, inputs)?;
            // Exact arithmetic knows neither wrapping nor casts.
            if integers(old.ast()) > 0 {
                checked.add(compare::<MachineDomain>(old.ast(), new.ast(), &modulo, true, seed, inputs)?);
            }
            Ok(checked)
        }
        Relation::Rounded => {
            let mut checked = compare::<RationalDomain>(old.ast(), new.ast(), &modulo, true, seed, inputs)?;
            // What rounds otherwise may be cut off otherwise; but no integer comes or goes.
            if integers(old.ast()) != integers(new.ast()) {
                checked.add(compare::<MachineDomain>(old.ast(), new.ast(), &modulo, true, seed, inputs)?);
            }
            Ok(checked)
        }
        Relation::Restricted => compare::<RationalDomain>(new.ast(), old.ast(), &modulo, false, seed, inputs),
        Relation::Specialised => {
            let values = origin.and_then(|step| step.args.iter().find(|(name, _)| *name == "values"));
            let general = super::general::general(old.ast(), new.ast(), values.map(|(_, v)| v));
            compare::<RationalDomain>(&general, old.ast(), &modulo, false, seed, inputs)
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
    let mut checked = compare::<RationalDomain>(new.ast(), old.ast(), &modulo, false, seed, inputs)?;
    if origin.is_none_or(|step| step.relation != Relation::Restricted) {
        checked.add(compare::<RationalDomain>(old.ast(), new.ast(), &modulo, false, seed, inputs)?);
    }
    Ok(checked)
}

/// Compares two procedures of one signature; `refines` says whether the second may define more.
fn compare<D: DataDomain>(
    old: &ast::Proc,
    new: &ast::Proc,
    modulo: &BTreeSet<ConfigKey>,
    refines: bool,
    seed: u64,
    inputs: u64,
) -> Result<Checked, String> {
    let mut checked = Checked::default();
    let new = with_types_of(new, old);
    let comparer: Comparer<'_, D> = match Comparer::new(old, &new, modulo.clone(), LIMITS) {
        Ok(comparer) => comparer,
        // A primitive that changes the signature on purpose is compared by tests of its own.
        Err(_) => return Ok(checked),
    };
    for k in 0..inputs {
        let Ok(input) = comparer.subject().generate(&Given::default(), seed ^ (k << 48), SEARCH) else {
            checked.silent += 1;
            continue;
        };
        match comparer.compare(&input) {
            Verdict::Equal => checked.equal += 1,
            Verdict::Refines { .. } if refines => checked.refines += 1,
            Verdict::Refines { first, .. } => {
                return Err(format!("{first} is not defined any more\non {input}"));
            }
            Verdict::Differs(difference) if is_rounding(&difference) => checked.equal += 1,
            Verdict::Differs(difference) => {
                return Err(format!("{difference:?}\non {input}"));
            }
            Verdict::Undecided { .. }
            | Verdict::InputRejected(_)
            | Verdict::OldFails(_)
            | Verdict::GaveUp(_) => checked.silent += 1,
        }
    }
    Ok(checked)
}

/// How many arguments and allocations of a procedure are of integers.
fn integers(p: &ast::Proc) -> usize {
    let arg = |a: &&ast::Arg| matches!(&a.typ, ArgType::Data { typ, .. } if typ.elem.is_integer());
    let mut found = p.args.iter().filter(arg).count();
    each_stmt(&p.body, &mut |s| {
        found += usize::from(matches!(s.kind.as_ref(), StmtKind::Alloc { typ, .. } if typ.elem.is_integer()));
    });
    found
}

/// Whether two values differ only as floating-point numbers may that were rounded in another order.
fn is_rounding<V: fmt::Display>(difference: &Difference<V>) -> bool {
    let Difference::Values { at: _, old: Val::Data(old), new: Val::Data(new) } = difference else {
        return false;
    };
    // In the machine's domain; exact values print as fractions.
    let (Ok(old), Ok(new)) = (old.to_string().parse::<f64>(), new.to_string().parse::<f64>()) else {
        return false;
    };
    let whole = old.fract() == 0.0 && new.fract() == 0.0;
    !old.is_finite() || !new.is_finite() || (!whole && (old - new).abs() <= 1e-3 * old.abs().max(new.abs()))
}

const LIMITS: Limits = Limits { statements: Some(20_000), cells: 1 << 16 };
const SEARCH: Search = Search { max_cells: 64, budget: 2_000 };

fn key_of(f: &rewright_effects::env::Field) -> ConfigKey {
    ConfigKey { config: f.config, field: f.field }
}

//! Conditions before the interpreter: on random programs, what a condition admits leaves them equal. Spec:
//! [rule: conditions.properties].

use crate::abstraction::Run;
use crate::residue::ResidueDomain;
use rewright_campaign::generate::{Shape, module};
use rewright_campaign::holes::{block_at, edit, paths, replace};
use rewright_effects::analysis::Analysis;
use rewright_effects::context::{Context, Hole};
use rewright_effects::effexpr::EffExpr;
use rewright_effects::obligation::{Obligation, Verdict as Answer};
use rewright_effects::solver::Solver;
use rewright_semantics::ast::{Block, Module, Proc, Stmt};
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::pretty::{module_to_string, proc_to_string};
use rewright_semantics::store::ConfigKey;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A rewrite of the statements at a hole, and what it requires.
pub struct Rewrite {
    /// What must be valid.
    pub obligations: Vec<Obligation>,
    /// How many statements from the hole on are replaced.
    pub count: usize,
    /// By these.
    pub by: Vec<Stmt>,
    /// Fields in which the procedures may differ.
    pub modulo: BTreeSet<ConfigKey>,
}

impl Rewrite {
    /// A rewrite after which everything must be equal.
    pub fn new(obligations: Vec<Obligation>, count: usize, by: Vec<Stmt>) -> Rewrite {
        Rewrite { obligations, count, by, modulo: BTreeSet::new() }
    }
}

/// What became of the rewrites that were proposed.
#[derive(Debug, Default)]
pub struct Tally {
    cases: AtomicU64,
    proved: AtomicU64,
    refuted: AtomicU64,
    unknown: AtomicU64,
    on_an_input: AtomicU64,
    held: AtomicU64,
}

impl Tally {
    /// How often programs were run before and after a rewrite whose conditions are proved, be it for all
    /// inputs or for the one at hand.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// Whether hardly any were not decided: at most one in a thousand, or one.
    pub fn is_decided(&self) -> bool {
        let [unknown, cases] = [&self.unknown, &self.cases].map(|of| of.load(Ordering::Relaxed));
        unknown <= 1 + cases / 1000
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = |of: &AtomicU64| of.load(Ordering::Relaxed);
        write!(
            f,
            "{} cases: proved {}, refuted {}, unknown {}; refuted but proved for one input {}; \
             held against the interpreter {} times",
            n(&self.cases),
            n(&self.proved),
            n(&self.refuted),
            n(&self.unknown),
            n(&self.on_an_input),
            n(&self.held)
        )
    }
}

/// Random programs for a property, made by all cores.
pub struct Programs {
    /// How many modules.
    pub count: u64,
    /// Their kind.
    pub shape: Shape,
}

impl Default for Programs {
    fn default() -> Programs {
        Programs { count: 200, shape: Shape { procs: 2, stmts: 8, ..Shape::floating() } }
    }
}

impl Programs {
    /// Calls `check` with each module and its seed.
    ///
    /// # Panics
    /// When `check` does.
    pub fn each(&self, check: impl Fn(&Module, u64) + Sync) {
        let next = AtomicU64::new(0);
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= self.count {
                            break;
                        }
                        let shape = Shape { uninitialised: seed.is_multiple_of(4), ..self.shape.clone() };
                        check(&module(seed, &shape), seed);
                    }
                });
            }
        });
    }

    /// Tries the rewrites that `propose` makes at every place of each program.
    ///
    /// # Panics
    /// A rewrite whose conditions are proved changes a program.
    pub fn hold(&self, len: usize, propose: impl Fn(&Context, &Block) -> Vec<Rewrite> + Sync) -> Tally {
        let tally = Tally::default();
        self.each(|m, seed| {
            let an = Analysis::new();
            let solver = Solver::new();
            for p in &m.procs {
                let runs = runs(p, seed);
                for path in paths(p) {
                    let place = Focus { an: &an, proc: p, hole: Hole { path, len }, runs: &runs };
                    if let Err(why) = place.hold(&solver, &tally, &propose) {
                        panic!("seed {seed}, {} at {:?}: {why}\n{}", p.name, place.hole, module_to_string(m));
                    }
                }
            }
        });
        tally
    }
}

/// A place in a procedure.
pub struct Focus<'a> {
    /// The summaries in use.
    pub an: &'a Analysis,
    /// The procedure.
    pub proc: &'a Arc<Proc>,
    /// The hole.
    pub hole: Hole,
    /// Its inputs.
    pub runs: &'a [Run<'a>],
}

/// Inputs of a procedure.
pub fn runs(p: &Proc, seed: u64) -> Vec<Run<'_>> {
    (0..2).filter_map(|k| Run::random(p, seed + 7 * k)).collect()
}

impl Focus<'_> {
    /// Tries rewrites at this place.
    ///
    /// # Errors
    /// A rewrite whose conditions are proved changes the program.
    pub fn hold(
        &self,
        solver: &Solver,
        tally: &Tally,
        propose: &impl Fn(&Context, &Block) -> Vec<Rewrite>,
    ) -> Result<(), String> {
        let Some((b, i)) = block_at(self.proc, &self.hole.path) else { return Ok(()) };
        let rest = b.clone().slice(i..);
        // At the end of a block there may be too few statements for the hole.
        let Some(ctx) = Context::of(self.an, self.proc, &self.hole) else { return Ok(()) };
        for rw in propose(&ctx, &rest) {
            self.try_one(solver, tally, &rw)?;
        }
        Ok(())
    }

    fn try_one(&self, solver: &Solver, tally: &Tally, rw: &Rewrite) -> Result<(), String> {
        let count = |of: &AtomicU64| {
            of.fetch_add(1, Ordering::Relaxed);
        };
        count(&tally.cases);
        let verdict = verdict(solver, rw.obligations.iter().map(Obligation::sentence_formula));
        match verdict {
            Answer::Proved { .. } => count(&tally.proved),
            Answer::Refuted { .. } => count(&tally.refuted),
            Answer::Unknown { .. } => count(&tally.unknown),
        }
        let new = edit(self.proc, &self.hole.path, &|b, i| replace(b, i, rw.count, &rw.by));
        let limits = Limits::statements(5_000);
        let comparer = Comparer::<ResidueDomain>::new(self.proc, &new, rw.modulo.clone(), limits)
            .map_err(|why| why.to_string())?;
        for run in self.runs {
            // What does not hold for all inputs may hold for this one: then the rewrite must be right on it.
            let here = rw.obligations.iter().map(|ob| run.at_values(&ob.sentence_formula()));
            if !verdict.is_proved() && !self::verdict(solver, here).is_proved() {
                continue;
            }
            match comparer.compare(&run.input) {
                Verdict::Equal | Verdict::Refines { .. } => count(&tally.held),
                Verdict::Differs(difference) => {
                    return Err(format!("{difference:?}\n{:?}\n{}", run.input, proc_to_string(&new)));
                }
                Verdict::Undecided { .. }
                | Verdict::InputRejected(_)
                | Verdict::OldFails(_)
                | Verdict::GaveUp(_) => continue,
            }
            if !verdict.is_proved() {
                count(&tally.on_an_input);
            }
        }
        Ok(())
    }
}

/// The first verdict that is not `Proved`, if there is one.
fn verdict(solver: &Solver, formulas: impl IntoIterator<Item = EffExpr>) -> Answer {
    let mut out = Answer::Proved { by: rewright_effects::obligation::Tier::Fast };
    for f in formulas {
        let answer = solver.decide_formula(&f);
        if !answer.is_proved() {
            out = answer;
            break;
        }
    }
    out
}

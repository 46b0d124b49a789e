//! The theorems of Thesis §4.3 as properties of programs. Spec: [rule: perceus.theorems].
//!
//! | theorem | what is asked of a closed program e |
//! | --- | --- |
//! | 4.1 | every e' that Fig. 4.5 derives ends with \[H\]x = v when e ends with v, up to erasure and names [P-8]; stuck where e is stuck |
//! | 4.2 | at every state of such a run, each cell is reachable from e', or kept alive by a cycle that is not and that has a reference in it; its count is the number of references to it |
//! | 4.3 | what Perceus makes has a derivation by Fig. 4.5, which is constructed and checked |
//! | 4.4 | at every state of Perceus's run that is not at a `dup` or `drop`, each cell is reachable from ⌊e'⌋, or kept alive by such a cycle [P-9] |
//! | least | at every such state, no other e' has fewer cells alive, or has done fewer `dup`s |

pub mod effects;
pub mod generate;
mod types;

use crate::algorithm::{self, Translation};
use crate::canon::Table;
use crate::choice::Choice;
use crate::declarative::{self, random, sound};
use crate::heap::machine::{Machine, Rule};
use crate::heap::reach::View;
use crate::standard;
use crate::stuck::Outcome;
use crate::syntax::{Expr, ExprKind, Program, valid};
use crate::tally::Tally;
use std::fmt;

/// A theorem that does not hold of a program.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Which.
    pub theorem: &'static str,
    /// What is not as it says.
    pub why: String,
    /// The program.
    pub source: String,
    /// Its translation.
    pub output: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n  e  = {}\n  e' = {}", self.theorem, self.why, self.source, self.output)
    }
}

/// How far runs go.
const STEPS: u64 = 4_000;
/// How many `dup`s and `drop`s a random derivation has that nobody needs.
const GRATUITOUS: usize = 4;

/// Every theorem, of a program and of some derivations of it.
///
/// # Errors
/// The first that does not hold, or that the program is not well-formed.
pub fn examine<C: Choice>(
    p: &Program,
    others: usize,
    choice: &mut C,
    seen: &mut Tally,
) -> Result<(), Violation> {
    well_formed(p).map_err(|why| Violation {
        theorem: "well-formed",
        why,
        source: p.to_string(),
        output: "none".to_owned(),
    })?;
    let perceus = algorithm::translate(p);
    derivable_by_construction(&perceus)?;
    let least = states(&perceus.source, &perceus.program, true, seen)?;
    for _ in 0..others {
        let other = random::program(&perceus.source, choice, GRATUITOUS);
        any(&perceus, &other, &least, seen)?;
    }
    cover(&perceus, seen);
    Ok(())
}

/// Whether a program is one that theorems and passes are about: [rule: perceus.valid].
///
/// # Errors
/// Its first fault.
pub fn well_formed(p: &Program) -> Result<(), String> {
    valid::check(p).first().map_or(Ok(()), |fault| Err(fault.to_string()))
}

/// What is asked of any derivable translation.
///
/// # Errors
/// The first theorem that does not hold.
pub fn any(
    perceus: &Translation,
    other: &Program,
    least: &[State],
    seen: &mut Tally,
) -> Result<(), Violation> {
    let refuse = |theorem, why: String| Violation {
        theorem,
        why,
        source: perceus.source.to_string(),
        output: other.to_string(),
    };
    let derivations =
        declarative::derive_program(&perceus.source, other).map_err(|r| refuse("Fig. 4.5", r.to_string()))?;
    derivations.iter().try_for_each(declarative::check).map_err(|r| refuse("Fig. 4.5", r.to_string()))?;
    let found = states(&perceus.source, other, false, seen)?;
    if let Some(i) = (0..least.len().min(found.len())).find(|i| match (least.get(*i), found.get(*i)) {
        (Some(a), Some(b)) => a.alive > b.alive || a.dups > b.dups,
        (None, _) | (_, None) => false,
    }) {
        return Err(refuse("least", format!("at state {i}, {:?} and not {:?}", least.get(i), found.get(i))));
    }
    seen.add("other derivations", 1);
    Ok(())
}

/// Theorem 4.3.
fn derivable_by_construction(t: &Translation) -> Result<(), Violation> {
    let derivations =
        t.source.defs.iter().zip(&t.defs).zip(&t.program.defs).map(|((_, d), to)| sound::drops(d, &to.body));
    let all: Vec<declarative::Derivation> = derivations.chain([sound::declarative(&t.main)]).collect();
    let wanted = t.source.defs.iter().zip(&t.program.defs).map(|(s, o)| (&s.body, &o.body));
    for (d, (e, output)) in all.iter().zip(wanted.chain([(&t.source.main, &t.program.main)])) {
        let why = match declarative::check(d) {
            Err(refusal) => refusal.to_string(),
            Ok(()) if d.source != *e || d.output != *output || !d.delta.is_empty() => {
                "it is about something else".to_owned()
            }
            Ok(()) => continue,
        };
        return Err(Violation { theorem: "4.3", why, source: e.to_string(), output: output.to_string() });
    }
    Ok(())
}

/// A state that is not at a `dup` or `drop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Cells alive.
    pub alive: usize,
    /// `dup`s done.
    pub dups: u64,
}

/// Theorems 4.1, 4.2 and, if asked for, 4.4; the states that are not at a `dup` or `drop`.
///
/// # Errors
/// The first that does not hold.
pub fn states(
    source: &Program,
    output: &Program,
    garbage_free: bool,
    seen: &mut Tally,
) -> Result<Vec<State>, Violation> {
    let violated = |theorem, why: String| Violation {
        theorem,
        why,
        source: source.to_string(),
        output: output.to_string(),
    };
    let mut wrong = None;
    let mut states = Vec::new();
    let (mut count, mut calls, mut referring, mut cyclic) = (0, 0, 0, 0);
    let mut machine = Machine::new(output);
    let outcome = machine.run(STEPS, |m, next| {
        count += 1;
        if wrong.is_none() {
            match fault(m, garbage_free && !next.is_some_and(|r| r.is_counting())) {
                Err(found) => wrong = Some(found),
                Ok(lost) => cyclic += u64::from(lost),
            }
        }
        calls += u64::from(next == Some(Rule::Call));
        referring += u64::from(matches!(next, Some(Rule::Get | Rule::Set)));
        if !next.is_some_and(|r| r.is_counting()) {
            states.push(State { alive: m.heap.len(), dups: m.heap.counters.dups });
        }
    });
    seen.add("states", count);
    seen.add("calls", calls);
    seen.add("runs that recurse", u64::from(calls > 1));
    seen.add("runs that read or assign references", u64::from(referring > 0));
    seen.add("states with cells that only a cycle keeps alive", cyclic);
    seen.add("runs that lose a cycle", u64::from(cyclic > 0));
    if let Some((theorem, why)) = wrong {
        return Err(violated(theorem, why));
    }
    let run = standard::run(source, STEPS);
    let mut table = Table::new();
    match (run.outcome, outcome) {
        (Outcome::Value(v), Outcome::Value(r)) => {
            seen.add("ends with a value", 1);
            if run.canonical(&mut table, v) != machine.heap.canonical(&mut table, r) {
                return Err(violated("4.1", format!("the value is not {}", run.shown(v))));
            }
        }
        (Outcome::Stuck(a), Outcome::Stuck(b)) if a == b => seen.add("stuck", 1),
        (_, Outcome::Unfinished) | (Outcome::Unfinished, _) => seen.add("unfinished", 1),
        (a, b) => return Err(violated("4.1", format!("{a:?} in the standard semantics, {b:?} in the heap"))),
    }
    Ok(states)
}

/// Which theorem does not hold of a state, and why.
type Wrong = (&'static str, String);

/// Whether cells are alive that only a cycle keeps alive: [rule: perceus.cycles].
fn fault(m: &Machine<'_>, garbage_free: bool) -> Result<bool, Wrong> {
    let lost = m.garbage(View::Whole);
    let after = m.steps;
    if let Some(c) = m.unexplained(&lost).first() {
        return Err(("4.2", format!("cell {} is not reachable after {after} steps", c.0)));
    }
    if !lost.is_empty() && !m.cycles_have_references() {
        return Err(("4.2 (cycles)", format!("a cycle has no reference in it after {after} steps")));
    }
    if let Some(wrong) = m.miscounts().first() {
        return Err(("4.2 (counts)", format!("{wrong:?} after {after} steps")));
    }
    let garbage = if garbage_free { m.garbage(View::Erased) } else { Vec::new() };
    match m.unexplained(&garbage).first() {
        None => Ok(!lost.is_empty()),
        Some(c) => {
            let why = format!("cell {} is not reachable from the erased expression after {after} steps", c.0);
            Err(("4.4", why))
        }
    }
}

/// Counts what a program contains.
fn cover(t: &Translation, seen: &mut Tally) {
    seen.add("programs", 1);
    let mut rules = Vec::new();
    collect(&t.main, &mut rules);
    t.defs.iter().for_each(|d| collect(d, &mut rules));
    for rule in algorithm::Rule::ALL {
        seen.add(rule.name(), u64::from(rules.contains(&rule)));
    }
    let mut shape = Shape::default();
    shape.look(&t.program.main, 0);
    t.program.defs.iter().for_each(|d| shape.look(&d.body, 0));
    seen.add("closures that capture", u64::from(shape.capturing));
    seen.add("nested matches", u64::from(shape.nested));
    seen.add("dup of a shared cell", u64::from(shape.dups));
    seen.add(
        "unused binders",
        u64::from(rules.iter().any(|r| matches!(r, algorithm::Rule::LamDrop | algorithm::Rule::BindDrop))),
    );
}

fn collect(d: &algorithm::Derivation, into: &mut Vec<algorithm::Rule>) {
    if !into.contains(&d.rule) {
        into.push(d.rule);
    }
    d.premises.iter().for_each(|p| crate::deep(|| collect(p, into)));
}

#[derive(Default)]
struct Shape {
    capturing: bool,
    nested: bool,
    dups: bool,
}

impl Shape {
    fn look(&mut self, e: &Expr, matches: usize) {
        let mut inside = matches;
        match e.kind() {
            ExprKind::Lam(l) => self.capturing |= l.ys.as_ref().is_some_and(|ys| !ys.is_empty()),
            ExprKind::Dup(..) => self.dups = true,
            ExprKind::Match(..) => {
                self.nested |= matches > 0;
                inside += 1;
            }
            ExprKind::Var(_)
            | ExprKind::Int(_)
            | ExprKind::App(..)
            | ExprKind::Val(..)
            | ExprKind::Con(_)
            | ExprKind::Prim(..)
            | ExprKind::Call(..)
            | ExprKind::Drop(..) => {}
        }
        e.children().for_each(|c| crate::deep(|| self.look(c, inside)));
    }
}

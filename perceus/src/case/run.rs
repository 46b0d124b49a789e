//! Holds a case against the calculus.

use super::{
    Bad, Case, CaseKind, Cell, Content, Core, Count, Derivation, Heap, HeapEnd, Operand, Standard,
    StandardEnd, reuse,
};
use crate::algorithm;
use crate::canon::{self, Table};
use crate::declarative;
use crate::heap::machine::Machine;
use crate::heap::reach::View;
use crate::heap::{CellId, Content as HeapContent, Ref};
use crate::standard;
use crate::stuck::Outcome;
use crate::syntax::{Expr, Program, valid};
use crate::vars::{Bag, Vars};
use rewright_base::sym::Name;

/// How many steps a run may take whose end the case does not bound.
pub(super) const LIMIT: u64 = 20_000_000;

pub(super) fn differences(case: &Case) -> Vec<String> {
    let mut out = Vec::new();
    match &case.kind {
        CaseKind::Bad(program, wanted) => bad(program, wanted, &mut out),
        CaseKind::Core(program, wanted) => {
            if well_formed(program, &mut out) {
                core(program, wanted, &mut out);
            }
        }
        CaseKind::Derivation(program, translation, wanted) => {
            if well_formed(program, &mut out) {
                derivation(program, translation, wanted, &mut out);
            }
        }
        CaseKind::Reuse { unique, shared } => {
            for (label, (program, wanted)) in [("unique", unique), ("shared", shared)] {
                if well_formed(program, &mut out)
                    && let Some(wanted) = wanted
                {
                    reuse::compare(label, program, wanted, &mut out);
                }
            }
        }
    }
    out
}

fn well_formed(program: &Program, out: &mut Vec<String>) -> bool {
    let faults = valid::check(program);
    out.extend(faults.iter().map(|f| format!("the program is ill-formed: {f}")));
    faults.is_empty()
}

fn bad(program: &Program, wanted: &Bad, out: &mut Vec<String>) {
    let faults = valid::check(program);
    let found: Vec<(String, Option<String>, String)> = faults
        .iter()
        .map(|f| (f.reason.to_string(), f.name.map(|n| n.to_string()), format!("/program{}", f.place)))
        .collect();
    if found != [(wanted.error.clone(), wanted.name.clone(), wanted.at.clone())] {
        let name = wanted.name.as_deref().unwrap_or("null");
        let found: Vec<String> = faults
            .iter()
            .map(|f| {
                format!(
                    "{} `{}` at /program{}",
                    f.reason,
                    f.name.map_or("null".to_owned(), |n| n.to_string()),
                    f.place
                )
            })
            .collect();
        let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
        out.push(format!("expected {} `{name}` at {}, found {found}", wanted.error, wanted.at));
    }
}

fn core(program: &Program, wanted: &Core, out: &mut Vec<String>) {
    if let Some(wanted) = &wanted.standard {
        standard(program, wanted, out);
    }
    let translation = algorithm::translate(program);
    let output = &translation.program.main;
    if let Some(wanted) = &wanted.perceus
        && !canon::equal(wanted, output)
    {
        out.push(format!("perceus: expected {wanted}, found {output}"));
    }
    if let Some(wanted) = &wanted.heap {
        heap(&translation.program, wanted, out);
    }
}

fn derivation(program: &Program, translation: &Expr, wanted: &Derivation, out: &mut Vec<String>) {
    let found = declarative::derive(&Vars::empty(), &Bag::new(), &program.main, translation)
        .and_then(|d| declarative::check(&d));
    if let Some(wanted) = wanted.derivable
        && wanted != found.is_ok()
    {
        let why = found.as_ref().err().map_or("it is".to_owned(), ToString::to_string);
        out.push(format!("derivable: expected {wanted}, but {why}"));
    }
    if let Some(wanted) = wanted.perceus_output {
        let made = algorithm::translate(program).program.main;
        if wanted != canon::equal(&made, translation) {
            out.push(format!("perceus_output: expected {wanted}; Perceus makes {made}"));
        }
    }
    if let Some(wanted) = &wanted.standard {
        standard(program, wanted, out);
    }
    let translated = Program::of(program.constructors.clone(), translation.clone());
    if let Some(wanted) = wanted.garbage_free {
        let found = counted(&translated, LIMIT).garbage_states;
        if wanted != (found == 0) {
            out.push(format!("garbage_free: expected {wanted}, found {found} garbage states"));
        }
    }
    if let Some(wanted) = &wanted.heap {
        heap(&translated, wanted, out);
    }
}

fn standard(program: &Program, wanted: &Standard, out: &mut Vec<String>) {
    let limit = match (&wanted.end, wanted.steps) {
        (StandardEnd::Diverges(n), _) => *n,
        (StandardEnd::Value(_) | StandardEnd::Stuck(_), Some(n)) => n.saturating_add(1),
        (StandardEnd::Value(_) | StandardEnd::Stuck(_), None) => LIMIT,
    };
    let run = standard::run(program, limit.min(LIMIT));
    let mut table = Table::of_heads();
    let (ends, shown) = match (&wanted.end, run.outcome) {
        (StandardEnd::Value(v), Outcome::Value(found)) => {
            let same = table.expr(v) == run.canonical(&mut table, found);
            (same, format!("the value {v}"))
        }
        (StandardEnd::Stuck(why), Outcome::Stuck(found)) => (why == found.name(), format!("stuck, {why}")),
        (StandardEnd::Diverges(n), Outcome::Unfinished) => (limit == *n, "no end".to_owned()),
        (StandardEnd::Value(v), Outcome::Stuck(_) | Outcome::Unfinished) => (false, format!("the value {v}")),
        (StandardEnd::Stuck(why), Outcome::Value(_) | Outcome::Unfinished) => {
            (false, format!("stuck, {why}"))
        }
        (StandardEnd::Diverges(n), Outcome::Value(_) | Outcome::Stuck(_)) => {
            (false, format!("no end within {n} steps"))
        }
    };
    if !ends {
        let found = match run.outcome {
            Outcome::Value(v) => format!("a value after {} steps: {}", run.steps, run.shown(v)),
            Outcome::Stuck(why) => format!("stuck after {} steps: {why}", run.steps),
            Outcome::Unfinished => format!("no end within {limit} steps"),
        };
        out.push(format!("standard: expected {shown}; found {found}"));
    }
    if let Some(steps) = wanted.steps.filter(|n| *n != run.steps) {
        out.push(format!("standard.steps: expected {steps}, found {}", run.steps));
    }
}

/// A run in the heap semantics, with what is counted.
struct Counted<'p> {
    machine: Machine<'p>,
    outcome: Outcome<Ref>,
    garbage_states: u64,
}

fn counted(program: &Program, limit: u64) -> Counted<'_> {
    let mut machine = Machine::new(program);
    let mut garbage_states = 0;
    let outcome = machine.run(limit, |m, next| {
        if !next.is_some_and(|rule| rule.is_counting()) {
            garbage_states += u64::from(!m.garbage(View::Erased).is_empty());
        }
    });
    Counted { machine, outcome, garbage_states }
}

impl Counted<'_> {
    fn count(&self, count: Count) -> u64 {
        let c = self.machine.heap.counters;
        match count {
            Count::Allocs => c.allocs,
            Count::Frees => c.frees,
            Count::Dups => c.dups,
            Count::Drops => c.drops,
            Count::Peak => c.peak,
            Count::GarbageStates => self.garbage_states,
        }
    }

    fn cells(&self) -> Vec<Cell> {
        let operands = |of: &mut dyn Iterator<Item = Ref>| of.map(operand).collect::<Vec<_>>();
        let cell = |(CellId(cell), found): (CellId, &crate::heap::Cell)| {
            let content = match &found.content {
                HeapContent::Ref(held) => Content::Con(Name::new("ref"), vec![operand(*held)]),
                HeapContent::Con(name, fields) => Content::Con(*name, operands(&mut fields.iter().copied())),
                HeapContent::Lam { ys, .. } => {
                    let mut ys = operands(&mut ys.iter().map(|(_, r)| *r));
                    ys.sort_unstable();
                    Content::Lam(ys)
                }
            };
            Cell { cell, rc: found.count, content }
        };
        self.machine.heap.cells().into_iter().map(cell).collect()
    }
}

/// A reference as cases have it. Tokens are not in what cases run.
fn operand(r: Ref) -> Operand {
    match r {
        Ref::Cell(CellId(n)) => Operand::Cell(n),
        Ref::Int(n) => Operand::Int(n),
        Ref::Token(memory) => Operand::Cell(memory.map_or(0, |CellId(n)| n)),
    }
}

fn heap(program: &Program, wanted: &Heap, out: &mut Vec<String>) {
    let limit = match wanted.end {
        HeapEnd::Diverges(n) => n,
        HeapEnd::Result(_) | HeapEnd::Stuck(_) => LIMIT,
    };
    let run = counted(program, limit.min(LIMIT));
    let (ends, shown) = match &wanted.end {
        HeapEnd::Result(r) => (matches!(run.outcome, Outcome::Value(v) if operand(v) == *r), r.to_string()),
        HeapEnd::Stuck(why) => {
            (matches!(run.outcome, Outcome::Stuck(found) if found.name() == why), format!("stuck, {why}"))
        }
        HeapEnd::Diverges(n) => {
            (run.outcome == Outcome::Unfinished && limit <= LIMIT, format!("no end within {n} steps"))
        }
    };
    if !ends {
        let found = match run.outcome {
            Outcome::Value(v) => v.to_string(),
            Outcome::Stuck(why) => format!("stuck, {why}"),
            Outcome::Unfinished => format!("no end within {limit} steps"),
        };
        out.push(format!("heap: expected {shown}, found {found}"));
    }
    for (count, wanted) in &wanted.counts {
        let found = run.count(*count);
        if found != *wanted {
            out.push(format!("heap.{}: expected {wanted}, found {found}", count.name()));
        }
    }
    if let Some(wanted) = &wanted.cells {
        let (mut wanted, found) = (wanted.clone(), run.cells());
        wanted.sort_by_key(|c| c.cell);
        if wanted != found {
            let list = |cells: &[Cell]| cells.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            out.push(format!("heap.cells: expected {}; found {}", list(&wanted), list(&found)));
        }
    }
}

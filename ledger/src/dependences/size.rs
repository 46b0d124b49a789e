//! A small input in which the loops of a program run.

use super::{Place, place};
use rewright_semantics::ast::{Proc, StmtKind};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{Denotation, Limits, Trace};
use rewright_semantics::inputs::{Given, Input, InputValue, Search, Subject};
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ArgType, ControlType};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Values that all sizes are given, one after the other.
const SIZES: [i64; 16] = [2, 3, 4, 5, 6, 8, 9, 12, 16, 17, 24, 32, 48, 64, 96, 128];
/// Values that one of them is given besides.
const LARGER: [i64; 6] = [192, 256, 257, 512, 513, 1024];
/// Cells of one argument, where sizes are given.
const GIVEN: u64 = 1 << 16;
/// Cells of one argument, where nothing is given.
const CELLS: [u64; 4] = [64, 1 << 8, 1 << 12, 1 << 16];
const LIMITS: Limits = Limits { statements: Some(300_000), cells: 1 << 20, stop: None };

/// How good an input is: loops that run, loops that run twice, accesses (the fewer, the better).
type Score = (usize, usize, Reverse<usize>);

/// Looks for an input.
struct Hunt<'p> {
    subject: Subject<'p>,
    denotation: Denotation<RationalDomain>,
    best: Option<(Score, Given, Input, Trace)>,
    /// Why the first input that was no good was none.
    why: Option<String>,
    /// Inputs that may still be tried.
    left: usize,
}

/// Inputs that are tried.
const TRIES: usize = 60;

/// An input as text, and what the program touches on it. First all sizes are the same; then one of them grows where
/// more loops run then.
pub(super) fn small_run(p: &Proc) -> Result<(String, Trace), String> {
    let mut loops = FxHashSet::default();
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::For { .. } = s.kind.as_ref() {
            loops.insert(place(s.span));
        }
    });
    let denotation = Denotation::<RationalDomain>::of(p);
    let mut hunt = Hunt { subject: Subject::of(p), denotation, best: None, why: None, left: TRIES };
    let done = |hunt: &Hunt<'_>| hunt.best.as_ref().is_some_and(|(score, ..)| score.1 == loops.len());
    let names = names_of_sizes(p);
    let given = |values: &BTreeMap<Name, i64>| Given {
        args: values.iter().map(|(name, n)| (*name, InputValue::Int(*n))).collect(),
        ..Given::default()
    };
    for n in SIZES.iter().filter(|_| !names.is_empty()) {
        hunt.try_input(&given(&names.iter().map(|name| (*name, *n)).collect()), GIVEN);
        if done(&hunt) {
            break;
        }
    }
    for cells in CELLS {
        if names.is_empty() || hunt.best.is_none() {
            hunt.try_input(&Given::default(), cells);
        }
    }
    for name in &names {
        let Some((_, known, ..)) = &hunt.best else { break };
        let base = known.clone();
        for n in SIZES.iter().chain(&LARGER) {
            if done(&hunt) {
                break;
            }
            let mut more = base.clone();
            more.args.insert(*name, InputValue::Int(*n));
            hunt.try_input(&more, GIVEN);
        }
    }
    let Hunt { best, why, .. } = hunt;
    let (_, _, input, trace) = best.ok_or_else(|| why.unwrap_or_else(|| "no input was found".to_owned()))?;
    Ok((sizes(&input), trace))
}

impl Hunt<'_> {
    fn try_input(&mut self, given: &Given, max_cells: u64) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let search = Search { max_cells, budget: 2_000 };
        let ran = self.subject.generate_within(given, 0, search).map_err(|none| none.to_string());
        let ran = ran.and_then(|input| {
            let (args, st) = input.store_for::<RationalDomain>(&self.subject);
            let trace = self.denotation.trace(&args, st, LIMITS).map_err(|fault| fault.to_string())?;
            Ok((input, trace))
        });
        match ran {
            Err(why) => {
                self.why.get_or_insert(why);
            }
            Ok((input, trace)) => {
                let score = score(&trace);
                if self.best.as_ref().is_none_or(|(known, ..)| score > *known) {
                    self.best = Some((score, given.clone(), input, trace));
                }
            }
        }
    }
}

/// The control arguments.
fn sizes(input: &Input) -> String {
    let of = |(name, value): &(Name, InputValue)| match value {
        InputValue::Int(n) => Some(format!("{name}={n}")),
        InputValue::Bool(b) => Some(format!("{name}={b}")),
        InputValue::Data(_) => None,
    };
    let fields = input.fields.iter().map(|(key, v)| (key.to_string(), v));
    let fields = fields.filter_map(|(key, v)| match v {
        InputValue::Int(n) => Some(format!("{key}={n}")),
        InputValue::Bool(b) => Some(format!("{key}={b}")),
        InputValue::Data(_) => None,
    });
    input.args.iter().filter_map(of).chain(fields).collect::<Vec<_>>().join(" ")
}

fn names_of_sizes(p: &Proc) -> Vec<Name> {
    let size = |a: &rewright_semantics::ast::Arg| match &a.typ {
        ArgType::Control(ControlType::Size) => Some(a.name.name()),
        ArgType::Control(ControlType::Index | ControlType::Int | ControlType::Bool | ControlType::Stride)
        | ArgType::Data { .. } => None,
    };
    p.args.iter().filter_map(size).collect()
}

fn score(trace: &Trace) -> Score {
    let mut runs: FxHashMap<(Place, Option<usize>), usize> = FxHashMap::default();
    for i in &trace.iterations {
        *runs.entry((place(i.span), i.around)).or_default() += 1;
    }
    let ran: FxHashSet<Place> = runs.keys().map(|(at, _)| *at).collect();
    let twice: FxHashSet<Place> = runs.iter().filter(|(_, n)| **n > 1).map(|((at, _), _)| *at).collect();
    (ran.len(), twice.len(), Reverse(trace.accesses.len()))
}

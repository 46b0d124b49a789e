//! Making an input smaller while something stays true of it.

use super::generate::{Filler, Search};
use super::solve::{Assignment, Key, Variable};
use super::{Given, Input, InputBuffer, InputValue, Subject};
use crate::ast::Decimal;
use crate::types::ArgType;
use crate::value::Control;

impl Subject<'_> {
    /// A smaller input of which `still` is true, found with at most `budget` questions: sizes first, then
    /// layouts, then data, whose cells become 0 or 1. Returns the input given when nothing smaller will do.
    pub fn shrink(&self, input: &Input, still: &mut dyn FnMut(&Input) -> bool, budget: u64) -> Input {
        let mut shrinking = Shrinking { subject: self, best: input.clone(), still, left: budget };
        while shrinking.controls() {}
        shrinking.layouts();
        shrinking.data();
        shrinking.data_fields();
        shrinking.best
    }
}

struct Shrinking<'a> {
    subject: &'a Subject<'a>,
    best: Input,
    still: &'a mut dyn FnMut(&Input) -> bool,
    left: u64,
}

impl Shrinking<'_> {
    /// Whether a candidate is smaller and will do; it is then the best.
    fn accept(&mut self, candidate: Input) -> bool {
        if self.left == 0 || candidate == self.best {
            return false;
        }
        self.left -= 1;
        let good = (self.still)(&candidate);
        if good {
            self.best = candidate;
        }
        good
    }

    /// Lowers one control variable, and lets the others follow as the assertions demand.
    fn controls(&mut self) -> bool {
        // A field that is not set stays so.
        let unset = self.best.fields.iter().filter(|(_, value)| value.is_unset());
        let fields = unset.map(|(key, value)| (*key, value.clone())).collect();
        let given = Given { fields, ..Given::default() };
        let problem = self.subject.problem(&given, Search::default());
        for variable in &problem.variables {
            let Some(current) = self.value(variable.key) else { continue };
            for lower in simpler(current) {
                let mut problem = problem.clone();
                problem.fix(variable.key, lower);
                let values: Assignment =
                    problem.variables.iter().filter_map(|v| Some((v.key, self.value(v.key)?))).collect();
                let found = problem.solve(&mut |v, candidates| no_larger(v, candidates, &values), 500);
                let Ok(found) = found else { continue };
                let like = self.best.clone();
                let filler = &mut Filler::Like(&like);
                let candidate = self.subject.complete(&given, &problem, &found, filler);
                if candidate.is_some_and(|c| self.accept(c)) {
                    return true;
                }
            }
        }
        false
    }

    /// The value a control variable has in the best input.
    fn value(&self, key: Key) -> Option<Control> {
        match key {
            Key::Field(field) => self.best.fields.get(&field)?.control(),
            Key::Arg(x) => {
                let place = self.subject.proc.args.iter().position(|a| a.name == x)?;
                self.best.args.get(place)?.1.control()
            }
            Key::Stride(x, d) => {
                let place = self.subject.proc.args.iter().position(|a| a.name == x)?;
                match &self.best.args.get(place)?.1 {
                    InputValue::Data(b) => b.dims().get(d).map(|dim| Control::Int(dim.stride)),
                    InputValue::Int(_) | InputValue::Bool(_) => None,
                }
            }
        }
    }

    /// Makes windows dense.
    fn layouts(&mut self) {
        for n in 0..self.subject.proc.args.len() {
            let mut candidate = self.best.clone();
            if let Some((_, InputValue::Data(buffer))) = candidate.args.get_mut(n) {
                buffer.layout = None;
                self.accept(candidate);
            }
        }
    }

    /// Makes cells 0 or 1: all of an argument at once, then halves, down to single cells.
    fn data(&mut self) {
        for n in 0..self.subject.proc.args.len() {
            match &self.subject.proc.args[n].typ {
                ArgType::Control(_) => {}
                ArgType::Data { .. } => {
                    let cells = match self.best.args.get(n) {
                        Some((_, InputValue::Data(b))) => b.cells.len(),
                        Some((_, InputValue::Int(_) | InputValue::Bool(_))) | None => 0,
                    };
                    self.cells(n, 0, cells);
                }
            }
        }
    }

    /// Makes data fields 0 or 1.
    fn data_fields(&mut self) {
        let keys: Vec<_> = self.best.fields.keys().copied().collect();
        for key in keys {
            for value in [0, 1] {
                let mut candidate = self.best.clone();
                if let Some(InputValue::Data(buffer)) =
                    candidate.fields.get_mut(&key).filter(|v| !v.is_unset())
                {
                    *buffer = InputBuffer::scalar(Decimal::new(value, 0));
                }
                if candidate == self.best || self.accept(candidate) {
                    break;
                }
            }
        }
    }

    fn cells(&mut self, arg: usize, from: usize, to: usize) {
        if from >= to || self.left == 0 || self.are_simple(arg, from, to) {
            return;
        }
        for value in [0, 1] {
            let mut candidate = self.best.clone();
            if let Some((_, InputValue::Data(buffer))) = candidate.args.get_mut(arg) {
                buffer.cells[from..to].fill(Some(Decimal::new(value, 0)));
            }
            if self.accept(candidate) {
                return;
            }
        }
        if to - from > 1 {
            let middle = from + (to - from) / 2;
            self.cells(arg, from, middle);
            self.cells(arg, middle, to);
        }
    }

    /// Whether nothing is left to do in a range of cells.
    fn are_simple(&self, arg: usize, from: usize, to: usize) -> bool {
        match self.best.args.get(arg) {
            Some((_, InputValue::Data(b))) => {
                b.cells[from..to].iter().all(|c| *c == Some(Decimal::new(0, 0)))
            }
            Some((_, InputValue::Int(_) | InputValue::Bool(_))) | None => true,
        }
    }
}

/// Simpler values than this one, the simplest first.
fn simpler(value: Control) -> Vec<Control> {
    match value {
        Control::Bool(true) => vec![Control::Bool(false)],
        Control::Bool(false) | Control::Unknown => Vec::new(),
        Control::Int(n) => {
            let mut lower: Vec<i64> = vec![0, 1, 2, 3, n / 2, n - n.signum()];
            if n < 0 {
                lower.push(n.saturating_neg());
            }
            lower.retain(|m| (m.unsigned_abs(), *m < 0) < (n.unsigned_abs(), n < 0));
            lower.dedup();
            lower.into_iter().map(Control::Int).collect()
        }
    }
}

/// The value a variable has, then smaller ones: shrinking one variable must not let another grow.
fn no_larger(variable: &Variable, mut candidates: Vec<Control>, values: &Assignment) -> Vec<Control> {
    let Some(current) = values.get(&variable.key) else { return candidates };
    let magnitude = |v: &Control| match v {
        Control::Int(n) => n.unsigned_abs(),
        Control::Bool(b) => u64::from(*b),
        Control::Unknown => 0,
    };
    candidates.retain(|v| v != current && magnitude(v) <= magnitude(current));
    let mut ordered = vec![*current];
    ordered.extend(candidates);
    ordered
}

//! From requirements to verdicts, and from verdicts to words. Spec: [rule: frontend.refusals].

use super::confirm::{Confirmation, confirm};
use super::subject::State;
use super::{
    ASSERT_SATISFIABLE, BOUNDS_ACCESS, BOUNDS_EXTENT, BOUNDS_WINDOW, CALL_ALIAS, CALL_ASSERT, CALL_DENSE,
    CALL_SHAPE, CONFIG_ITERATION, LOOP_BOUNDS, Mode, PAR_RACE, Requirement, SIZE_POSITIVE,
    check_proc_from_outside, strict,
};
use crate::analysis::Analysis;
use crate::effexpr::{EffExpr, Var};
use crate::names::callees;
use crate::obligation::{Model, ModelValue, Obligation, Verdict};
use crate::solver::Solver;
use crate::ternary::{Assignment, TernaryValue, Truth};
use rewright_semantics::ast::{Module, Proc};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::{SourceMap, Span};
use rewright_semantics::typecheck::{Fault, IllTyped, faults};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A requirement and what became of it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is required.
    pub requirement: Requirement,
    /// What the solver says.
    pub verdict: Verdict,
}

/// A procedure, and what was found about it.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The procedure.
    pub proc: Arc<Proc>,
    /// One for each of its requirements.
    pub findings: Vec<Finding>,
}

/// All procedures of a module that are well-typed, and call well-typed ones only.
pub fn check_module(m: &Module) -> Vec<Checked> {
    check_module_in(m, Mode::Standard)
}

/// All procedures of a module that are well-typed, and call well-typed ones only, in a mode. What is called is so but for the
/// precisions of arguments, which nothing here depends on, and in the strict mode the procedures are: Exo looks at them when it
/// makes C.
pub fn check_module_in(m: &Module, mode: Mode) -> Vec<Checked> {
    let (an, solver) = (Analysis::new(), Solver::new());
    let mut well_typed = WellTyped { mode, known: FxHashMap::default() };
    let sound = m.procs.iter().filter(|p| well_typed.of(p));
    sound.map(|p| Checked { proc: p.clone(), findings: decide_in(&an, &solver, p, mode) }).collect()
}

/// Which procedures are well-typed, with all that they call.
struct WellTyped {
    mode: Mode,
    known: FxHashMap<*const Proc, bool>,
}

impl WellTyped {
    fn of(&mut self, p: &Proc) -> bool {
        match self.mode {
            Mode::Standard => faults(p).is_empty() && self.but_for_precisions(p),
            Mode::Strict => self.but_for_precisions(p),
        }
    }

    fn but_for_precisions(&mut self, p: &Proc) -> bool {
        if let Some(known) = self.known.get(&std::ptr::from_ref(p)) {
            return *known;
        }
        let is_late = |f: &IllTyped| matches!(f.kind, Fault::ArgumentPrecision { .. });
        let mut fine = faults(p).iter().all(is_late);
        let mut called = Vec::new();
        callees(&p.body, &mut |callee| called.push(callee));
        for callee in called {
            fine = fine && self.but_for_precisions(callee);
        }
        self.known.insert(std::ptr::from_ref(p), fine);
        fine
    }
}

/// All requirements of a procedure, decided.
pub fn decide(an: &Analysis, solver: &Solver, p: &Proc) -> Vec<Finding> {
    decide_in(an, solver, p, Mode::Standard)
}

/// All requirements of a procedure in a mode, decided.
pub fn decide_in(an: &Analysis, solver: &Solver, p: &Proc, mode: Mode) -> Vec<Finding> {
    let decided = |requirement: Requirement| {
        let verdict = solver.decide(&requirement.obligation);
        Finding { requirement, verdict }
    };
    let mut out = match mode {
        Mode::Standard => Vec::new(),
        Mode::Strict => strict::refused(an, solver, p),
    };
    let holds = |ob: &Obligation| solver.decide(ob).is_proved();
    out.extend(check_proc_from_outside(an, p, mode, holds).into_iter().map(decided));
    out
}

impl Checked {
    /// The refusals, each confirmed by a run where that is possible.
    pub fn refusals(&self, sources: &SourceMap) -> Vec<Diagnostic> {
        let file = sources.get(self.proc.span.file).map_or("FILE", |f| f.name.as_str());
        // `<scheduled>` is no file that a command could be given.
        self.refused((!file.starts_with('<')).then_some(file))
    }

    /// The same of a program that stands in a file of another language, which no command reads.
    pub fn refusals_within(&self) -> Vec<Diagnostic> {
        self.refused(None)
    }

    fn refused(&self, file: Option<&str>) -> Vec<Diagnostic> {
        let Checked { proc, findings } = self;
        let refused = findings.iter().filter(|f| !f.verdict.is_proved());
        refused.map(|f| f.refusal(proc, confirm(proc, f).as_ref(), file)).collect()
    }
}

impl Finding {
    /// The state in which the requirement is not met, and how it fails there: one line, in the words of the
    /// program. `None` unless the requirement was refuted.
    pub fn counterexample(&self) -> Option<String> {
        let Verdict::Refuted { model } = &self.verdict else { return None };
        let failure = self.requirement.subject.failure(&state(model));
        let values = self.values(model);
        Some(if values.is_empty() { failure } else { format!("for {values}: {failure}") })
    }

    /// `n = 3, i = 2`: the values that bear on the requirement, in the order of the program.
    fn values(&self, model: &Model) -> String {
        let own: BTreeSet<Var> = self.requirement.subject.own().iter().flat_map(EffExpr::free_vars).collect();
        let shown = self.relevant();
        let twin = |name: &str| shown.iter().filter(|w| w.to_string() == name).count() > 1;
        let worded = |v: &Var, value: &str| {
            let name = v.to_string();
            match v {
                Var::Global(..) if twin(&name) => format!("{name} = {value} on entry"),
                // A field in the middle of the procedure: the analysis knows no better.
                Var::Local(_) if name.contains('.') => format!("{name} = {value} as far as is known"),
                Var::Local(_) | Var::Global(..) | Var::Stride(..) => format!("{name} = {value}"),
            }
        };
        let of = |value: &ModelValue| match value {
            ModelValue::Int(n) => n.to_string(),
            ModelValue::Bool(b) => if *b { "True" } else { "False" }.to_owned(),
        };
        let listed = model.values.iter().filter(|(v, _)| shown.contains(v) && !own.contains(v));
        listed.map(|(v, value)| worded(v, &of(value))).collect::<Vec<_>>().join(", ")
    }

    /// The variables of the formula, and those that a hypothesis connects with them; all, when the formula
    /// mentions none.
    fn relevant(&self) -> BTreeSet<Var> {
        let ob = &self.requirement.obligation;
        let mut found = ob.formula.free_vars();
        let mut rest: Vec<BTreeSet<Var>> = ob.hypotheses.iter().map(EffExpr::free_vars).collect();
        if found.is_empty() {
            return rest.into_iter().flatten().collect();
        }
        loop {
            let before = rest.len();
            let (near, far): (Vec<_>, Vec<_>) = rest.into_iter().partition(|h| !h.is_disjoint(&found));
            found.extend(near.into_iter().flatten());
            rest = far;
            if rest.len() == before {
                return found;
            }
        }
    }

    /// As a diagnostic; `confirmed` is a run that fails in this place, which a command shows where the program is in a file.
    pub fn refusal(&self, p: &Proc, confirmed: Option<&Confirmation>, file: Option<&str>) -> Diagnostic {
        let Requirement { obligation: ob, subject: _, danger } = &self.requirement;
        let at = ob.locations.first().map_or(Span::NONE, |(at, _)| *at);
        let mut out = Diagnostic::error(ob.id.0, at, danger.clone());
        out = match &self.verdict {
            Verdict::Proved { .. } => out,
            Verdict::Refuted { .. } => out.label(self.counterexample().unwrap_or_default()),
            Verdict::Unknown { why } => out.label(format!("this could not be decided: {why}")),
        };
        for (span, role) in ob.locations.iter().skip(1) {
            out = out.also(*span, role.clone());
        }
        if let Some(run) = confirmed {
            out = out.note(match (file, run.args.as_slice()) {
                (Some(file), _) => format!("`{}` fails: {}", run.command(file), run.fault),
                (None, []) => format!("a run fails: {}", run.fault),
                (None, args) => format!("a run for {} fails: {}", args.join(", "), run.fault),
            });
        }
        out.help(self.help(p))
    }

    fn help(&self, p: &Proc) -> String {
        let name = p.name;
        match self.requirement.obligation.id {
            PAR_RACE => "make the loop `seq`, or give each iteration cells of its own".to_owned(),
            CALL_ALIAS => "pass buffers, or windows, that do not overlap".to_owned(),
            CALL_SHAPE => format!(
                "pass a window of that extent, or let an assertion of `{name}` say that the two are equal"
            ),
            CALL_DENSE => format!(
                "declare the argument as a window, `[f32][n]`, pass a whole buffer or rows of one, or let an assertion of `{name}` say what the strides are"
            ),
            CALL_ASSERT => format!("let an assertion of `{name}` or a guard say so"),
            CONFIG_ITERATION => "give the field a value that is the same in every iteration".to_owned(),
            ASSERT_SATISFIABLE => "change it, or one of those above it".to_owned(),
            BOUNDS_ACCESS | BOUNDS_WINDOW | BOUNDS_EXTENT | SIZE_POSITIVE | LOOP_BOUNDS => {
                format!("guard this place, or let an assertion of `{name}` rule it out")
            }
            other => format!("see {other}"),
        }
    }
}

/// A counterexample as values; quantifiers that are left range around its numbers.
fn state(model: &Model) -> State {
    let mut values = Assignment::new();
    let (mut low, mut high) = (0_i64, 0_i64);
    for (v, value) in &model.values {
        let value = match value {
            ModelValue::Int(n) => {
                (low, high) = (low.min(*n), high.max(*n));
                TernaryValue::Int(Some(i128::from(*n)))
            }
            ModelValue::Bool(b) => TernaryValue::Bool(Truth::from(*b)),
        };
        values.insert(*v, value);
    }
    State { values, domain: low.saturating_sub(8)..high.saturating_add(9) }
}

//! Obligations as programs give rise to them: of the corpus, of the table of conditions, of random programs.

use crate::rewrites::shadows;
use crate::table::cases;
use rewright_campaign::generate::{Shape, module};
use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{
    commutes, fission, fuse_loops, idempotent, in_bounds, parallel, remove_loop, reorder_loops,
    runs_at_least_once,
};
use rewright_effects::context::{Context, Hole, Step};
use rewright_effects::obligation::{Obligation, Tier};
use rewright_effects::solver::{Counts, Solver};
use rewright_semantics::ast::{Block, Proc, StmtKind};
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// All procedures of the corpus, in the order of its files.
///
/// # Panics
/// The corpus cannot be read.
pub fn corpus() -> Vec<Arc<Proc>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ok");
    let mut files: Vec<_> = std::fs::read_dir(dir).expect("the corpus").flatten().map(|f| f.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "py"));
    files.sort();
    let mut out = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let mut sources = SourceMap::new();
        let id = sources.add(file.display().to_string(), text);
        let prelude = rewright_machines::prelude(&mut sources);
        out.extend(parse_module(id, &sources, &prelude).module.procs);
    }
    out
}

/// The obligations of all conditions at all statements of a procedure.
pub fn obligations(an: &Analysis, p: &Proc) -> Vec<Obligation> {
    let mut out = Vec::new();
    visit(an, p, &p.body, &[], Step::Body, &mut out);
    out
}

fn visit(
    an: &Analysis,
    p: &Proc,
    b: &Block,
    path: &[Step],
    step: fn(usize) -> Step,
    out: &mut Vec<Obligation>,
) {
    for (i, s) in b.iter().enumerate() {
        let mut here = path.to_vec();
        here.push(step(i));
        let Some(ctx) = Context::of(an, p, &Hole::stmt(here.clone())) else { continue };
        out.push(idempotent(&ctx, &Block::unit(s.clone())));
        match &*s.kind {
            StmtKind::Assign { name, idx, rhs: _ } | StmtKind::Reduce { name, idx, rhs: _ } => {
                out.push(in_bounds(&ctx, *name, idx));
            }
            StmtKind::For { body, .. } => {
                out.push(runs_at_least_once(&ctx, s));
                out.extend(parallel(&ctx, s));
                out.extend(remove_loop(&ctx, s));
                out.extend(reorder_loops(&ctx, s));
                (1..body.len()).for_each(|at| out.extend(fission(&ctx, s, at)));
                visit(an, p, body, &here, Step::Body, out);
            }
            StmtKind::If { body, orelse, .. } => {
                visit(an, p, body, &here, Step::Body, out);
                visit(an, p, orelse, &here, Step::Orelse, out);
            }
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
        if let Some(next) = b.get(i + 1) {
            let hole = Hole { path: here, len: 2 };
            let Some(ctx) = Context::of(an, p, &hole) else { continue };
            let (one, two) = (Block::unit(s.clone()), Block::unit(next.clone()));
            out.extend(commutes(&ctx, &one, &two));
            out.extend(shadows(&ctx, &one, &two));
            if matches!((&*s.kind, &*next.kind), (StmtKind::For { .. }, StmtKind::For { .. })) {
                out.extend(fuse_loops(&ctx, s, next));
            }
        }
    }
}

/// The obligations of the corpus.
pub fn of_the_corpus() -> Vec<Obligation> {
    let an = Analysis::new();
    corpus().iter().flat_map(|p| obligations(&an, p)).collect()
}

/// The obligations of the table of conditions.
///
/// # Panics
/// A case is not well formed.
pub fn of_the_table() -> Vec<Obligation> {
    let mut out = Vec::new();
    for case in cases() {
        let question = case.read().and_then(|p| p.question(&case.condition));
        out.extend(question.expect("the table's own test says more").obligations);
    }
    out
}

/// The obligations of random programs.
pub fn of_random_programs(seeds: Range<u64>) -> Vec<Obligation> {
    let an = Analysis::new();
    let shape = Shape { procs: 2, stmts: 8, ..Shape::floating() };
    let programs: Vec<_> = seeds.flat_map(|seed| module(seed, &shape).procs).collect();
    programs.iter().flat_map(|p| obligations(&an, p)).collect()
}

/// The answers to some questions, each asked anew.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    times: Vec<(Option<Tier>, Duration)>,
}

impl Timing {
    /// Decides each question; the solver should keep no answers.
    pub fn of(solver: &Solver, questions: &[Obligation]) -> Timing {
        let mut times = Vec::with_capacity(questions.len());
        for o in questions {
            let (start, before) = (Instant::now(), solver.counts());
            solver.decide(o);
            times.push((decided_by(before, solver.counts()), start.elapsed()));
        }
        Timing { times }
    }

    /// How many a stage decided; `None` for those that none did.
    pub fn count(&self, tier: Option<Tier>) -> usize {
        self.times.iter().filter(|(t, _)| *t == tier).count()
    }

    /// The time that this many per cent of the questions that a stage decided took at most.
    pub fn percentile(&self, tier: Option<Tier>, of_hundred: usize) -> Duration {
        percentile(self.times.iter().filter(|(t, _)| *t == tier), of_hundred)
    }

    /// The same, of all questions.
    pub fn percentile_of_all(&self, of_hundred: usize) -> Duration {
        percentile(self.times.iter(), of_hundred)
    }
}

fn percentile<'a>(times: impl Iterator<Item = &'a (Option<Tier>, Duration)>, of_hundred: usize) -> Duration {
    let mut times: Vec<Duration> = times.map(|(_, d)| *d).collect();
    times.sort();
    let last = times.len().saturating_sub(1);
    times.get(last * of_hundred / 100).copied().unwrap_or_default()
}

fn decided_by(before: Counts, after: Counts) -> Option<Tier> {
    if after.fast > before.fast {
        Some(Tier::Fast)
    } else if after.linear > before.linear {
        Some(Tier::Linear)
    } else if after.quantified > before.quantified {
        Some(Tier::Quantified)
    } else {
        None
    }
}

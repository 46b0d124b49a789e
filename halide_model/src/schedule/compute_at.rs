//! `compute-at(f, ℓ)`. Thesis §2.8.3; spec: [rule: halide.compute-at].
//!
//! `label f: …` moves to the front of ℓ's body, before everything but the funcs defined before `f` that are computed
//! there already [H-9].
//!
//! - `schedule.loop`, `compute-at.own-loop`: there is such a loop, and not inside the func itself. Without: nothing computes
//!   the output, which no use protects.
//! - `compute-at.dominates`: every use outside still comes after, of `f` and of all other funcs. Without: one of two
//!   consumers reads memory that was never written. The output stays at the top: it is allocated last.
//! - `compute-at.output`: so does an output that others read. Without: where nothing else is asked for, it is not computed.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, LOOP, Refusal, Restriction};
use super::split::no_loop;
use crate::alg::Algorithm;
use crate::tgt::invariant::{Broken, dominance};
use crate::tgt::{Block, Label, LoopName, Program, Stmt};
use rewright_base::sym::Name;

const OWN_LOOP: Restriction =
    Restriction::new("compute-at.own-loop", "a func is not computed inside its own loops");
const OUTPUT: Restriction = Restriction::new("compute-at.output", "outputs are computed at the top");
const DOMINATES: Restriction =
    Restriction::new("compute-at.dominates", "a func is computed before every use outside of it");

/// `compute-at(f, ℓ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputeAt {
    /// The func.
    pub func: Name,
    /// The loop.
    pub at: LoopName,
}

impl Form for ComputeAt {
    const NAMES: &'static [&'static str] = &["compute-at"];
    const PHASE: Phase = Phase::Compute;
    const RESTRICTIONS: &'static [Restriction] = &[OWN_LOOP, OUTPUT, DOMINATES];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(ComputeAt { func: from.func()?, at: from.loop_name()? })
    }

    fn name(&self) -> &'static str {
        "compute-at"
    }

    fn arguments(&self) -> String {
        format!("{}, {}", self.func, self.at)
    }

    fn marked(&self) -> Option<LoopName> {
        Some(self.at)
    }

    fn after_consumers_of(&self) -> Option<Name> {
        Some(self.func)
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        compute_at(at, self.func, self.at)
    }
}

fn compute_at(at: &Context<'_>, func: Name, l: LoopName) -> Result<Program, Refusal> {
    let t = at.program;
    let nothing = || at.refuse(FUNC, format!("nothing computes func `{func}`"));
    if t.find_loop(l).is_none() && at.rules.has(LOOP) {
        return Err(no_loop(at, l));
    }
    let mut taken = None;
    let without = t.replace_first(&mut |s| {
        if !s.computes(func) {
            return None;
        }
        taken = Some(s.clone());
        Some(Block::new())
    });
    let (Some(without), Some(label)) = (without, taken) else { return Err(nothing()) };
    let own = t.find_loop(l).is_some() && without.find_loop(l).is_none();
    at.require(OWN_LOOP, !own, || format!("loop {l} is part of what computes `{func}`"))?;
    at.require(OUTPUT, !t.algorithm.also.contains(&func), || format!("`{func}` is an output"))?;
    let new = without.replace_first(&mut |s| {
        let mut new = s.as_loop().filter(|inner| inner.name() == l)?.clone();
        new.body.insert(place(&t.algorithm, &new.body, func), label.clone());
        Some(vec![Stmt::For(new)])
    });
    let new = new.unwrap_or(without);
    match dominance(&new) {
        None => Ok(new),
        Some(broken) => {
            at.require(DOMINATES, false, || told(&broken))?;
            Ok(new)
        }
    }
}

fn told(broken: &Broken) -> String {
    match broken {
        Broken::Dominance { func, user } => format!("`{user}` uses `{func}` where it has not been computed"),
        Broken::Allocation(f) => format!("`{f}` is computed where it is not allocated"),
        Broken::LoopName(l) => format!("two loops are called {l}"),
        Broken::Unbound(v) => format!("nothing binds {v:?}"),
        Broken::SharedStorage { func, at } => format!("`{func}` is shared by the iterations of {at}"),
    }
}

/// Where in a block a func is computed: after the funcs defined before it that stand at the front.
fn place(p: &Algorithm, body: &Block, func: Name) -> usize {
    let mine = p.index(func);
    let before = |s: &&Stmt| match s {
        Stmt::Label { label: Label::Func(g), .. } => p.index(*g) < mine,
        Stmt::Allocate { .. } => true,
        Stmt::Assert { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::For(_) => false,
        Stmt::Let { .. } | Stmt::Label { label: Label::Stage(_), .. } => false,
    };
    body.iter().take_while(before).count()
}

//! `compute-with(g, k, ℓ, α)`, an extension: stage `k` of `g` goes along with the loops of another func's stage, from the
//! outermost one to `ℓ = ⟨f, i, j, v⟩`. Spec: [rule: halide.compute-with].
//!
//! ```text
//! label f: …; for a in (m1, n1) do s1; …     label g: …; for b in (m2, n2) do s2; …
//!   ~>  label f: label g: …;
//!       for a in (min(m1, m2), max(m1 + n1, m2 + n2) - min(m1, m2)) do
//!         if m1 <= a < m1 + n1 then s1;
//!         if m2 <= a < m2 + n2 then let b = a in s2; …
//! ```
//!
//! What stands between the two is put before or after, so that whatever shares memory keeps its order. The program
//! remembers the pair and fuses when it is completed: bounds are inferred for each func on its own.
//!
//! - `compute-with.siblings`: both are computed in one block. Without: a func that others use moves into a loop.
//! - `compute-with.independent`: neither func uses the other, nor through funcs between them. Without: `g[x] = f[x + 1]`
//!   reads what the next iteration computes.
//! - `compute-with.specializations`: both have the same conditions, so that each branch computes both. Without: `g` is
//!   computed in one branch of `f`'s alone.
//! - `compute-with.stage-order`: the stages of each func keep their order: two of one func are never fused, and pairs do not
//!   cross. Without: a pure stage runs after an update (the practical system's fault, Thesis §2.9), or `(r) <- f[r + 1]` reads
//!   points that its own pure stage has not reached.
//! - `compute-with.same-order`: loops that become one are both serial or both parallel. Without: a reduction loop that goes
//!   along with a parallel loop races.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, LOOP, Refusal, Restriction};
use super::split::no_loop;
use crate::expr::Site;
use crate::tgt::together::{self, Align, Obstacle, Together, beside, find, pair_fused, position, siblings};
use crate::tgt::{Label, LoopName, Program};
use rewright_base::sym::Name;

const SIBLINGS: Restriction =
    Restriction::new("compute-with.siblings", "both funcs are computed in one block");
const INDEPENDENT: Restriction =
    Restriction::new("compute-with.independent", "neither func uses the other, directly or through others");
const SPECIALIZATIONS: Restriction =
    Restriction::new("compute-with.specializations", "both funcs are specialized with the same conditions");
const STAGE_ORDER: Restriction =
    Restriction::new("compute-with.stage-order", "the stages of each func keep their order");
const SAME_ORDER: Restriction =
    Restriction::new("compute-with.same-order", "loops that become one are both serial or both parallel");

/// `compute-with(g, k, ℓ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputeWith {
    /// The func whose stage goes along.
    pub func: Name,
    /// The stage.
    pub stage: usize,
    /// The innermost loop that is shared; it and those around it give their names.
    pub with: LoopName,
    /// Which iterations run beside each other.
    pub align: Align,
}

impl Form for ComputeWith {
    const NAMES: &'static [&'static str] = &["compute-with"];
    const PHASE: Phase = Phase::Together;
    const RESTRICTIONS: &'static [Restriction] =
        &[SIBLINGS, INDEPENDENT, SPECIALIZATIONS, STAGE_ORDER, SAME_ORDER];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        let (func, stage, with) = (from.func()?, from.stage()?, from.loop_name()?);
        let align = from.word("align", &Align::ALL.map(|a| (a.name(), a)), Some(Align::None))?;
        Ok(ComputeWith { func, stage, with, align })
    }

    fn name(&self) -> &'static str {
        "compute-with"
    }

    fn arguments(&self) -> String {
        let ComputeWith { func, stage, with, align } = self;
        let stage = if *stage == 0 { String::new() } else { format!("{stage}, ") };
        let align = if *align == Align::None { String::new() } else { format!(", {}", align.name()) };
        format!("{func}, {stage}{with}{align}")
    }

    fn marked(&self) -> Option<LoopName> {
        Some(self.with)
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        compute_with(at, self)
    }
}

fn compute_with(at: &Context<'_>, directive: &ComputeWith) -> Result<Program, Refusal> {
    let ComputeWith { func, stage, with: l, align } = *directive;
    let t = at.program;
    let guest = Site { func, stage, spec: l.site.spec };
    at.require(FUNC, t.has_label(Label::Func(func)), || format!("nothing computes func `{func}`"))?;
    let now = together::fused(t);
    if now.find_loop(l).is_none() {
        return Err(no_loop(&Context { program: &now, ..*at }, l));
    }
    let mut t = t.clone();
    if !siblings(&t.body, func, l.site.func) {
        let why = || format!("`{func}` and `{}` are not computed in one block", l.site.func);
        at.require(SIBLINGS, false, why)?;
        beside(&mut t, func, l.site.func);
    }
    let now = together::fused(&t);
    let pair = Together { host: l, guest, align };
    let (mut obstacles, mut found) = (Vec::new(), None);
    find(&now.body, &mut |b| {
        let both = position(b, func).is_some() && position(b, l.site.func).is_some();
        if both {
            found = Some(pair_fused(b, pair, &mut obstacles));
        }
        both
    });
    for (obstacle, why) in obstacles {
        at.require(restriction(obstacle), false, || why.clone())?;
    }
    let missing = || Err(format!("stage {stage} of `{func}` is not found"));
    found.unwrap_or_else(missing).map_err(|why| at.refuse(LOOP, why))?;
    t.together.push(pair);
    Ok(t)
}

fn restriction(obstacle: Obstacle) -> Restriction {
    match obstacle {
        Obstacle::Dependent => INDEPENDENT,
        Obstacle::Specializations => SPECIALIZATIONS,
        Obstacle::StageOrder => STAGE_ORDER,
        Obstacle::LoopOrder => SAME_ORDER,
    }
}

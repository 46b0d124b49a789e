//! `specialize(f, e₁, …, eₙ)`. Thesis §2.8.1; spec: [rule: halide.specialize].
//!
//! ```text
//! label f: s  ~>  label f: if e₁ then s¹ else if e₂ then s² … else s⁰
//! ```
//! where sʲ is `s` with its loops, func references and compute holes tagged with specialization `j`; the holes of
//! the last stage stay shared. The label stays around the branches, so that one scope holds the shared holes and
//! `compute-at` moves one statement [H-4].
//!
//! - `specialize.startup`: conditions are startup expressions. Without: `specialize(f, x > 3)` has no meaning outside
//!   f's loops.
//! - `specialize.once`: one specialization for each func. Without: loop names are no longer unique.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, Refusal, Restriction};
use crate::expr::{Access, Expr, Hole, Region, Site, Var};
use crate::text::print;
use crate::tgt::walk::map_block;
use crate::tgt::{Block, Claim, For, Label, LoopName, Program, Stmt};
use crate::valid::{is_startup, not_startup};
use rewright_base::sym::Name;

const STARTUP: Restriction = Restriction::new("specialize.startup", "conditions are startup expressions");
const ONCE: Restriction = Restriction::new("specialize.once", "a func is specialized at most once");

/// `specialize(f, e₁, …, eₙ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specialize {
    /// The func.
    pub func: Name,
    /// Startup expressions.
    pub conds: Vec<Expr>,
}

impl Form for Specialize {
    const NAMES: &'static [&'static str] = &["specialize"];
    const PHASE: Phase = Phase::Specialization;
    const RESTRICTIONS: &'static [Restriction] = &[STARTUP, ONCE];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(Specialize { func: from.func()?, conds: from.exprs("conds")? })
    }

    fn name(&self) -> &'static str {
        "specialize"
    }

    fn arguments(&self) -> String {
        std::iter::once(self.func.to_string())
            .chain(self.conds.iter().map(print::expr))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        specialize(at, self.func, &self.conds)
    }
}

/// `specialize-fail(f)`. Spec: [rule: halide.specialize-fail].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecializeFail {
    /// The func.
    pub func: Name,
}

impl Form for SpecializeFail {
    const NAMES: &'static [&'static str] = &["specialize-fail"];
    const PHASE: Phase = Phase::Specialization;
    const RESTRICTIONS: &'static [Restriction] = &[];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(SpecializeFail { func: from.func()? })
    }

    fn name(&self) -> &'static str {
        "specialize-fail"
    }

    fn arguments(&self) -> String {
        self.func.to_string()
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    /// The default branch begins with an assertion that fails.
    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        let func = self.func;
        let default = Label::Stage(Site { func, stage: 0, spec: 0 });
        let new = at.program.replace_first(&mut |s| {
            let is_default = |b: &Block| b.first().and_then(Stmt::label) == Some(default);
            let failing = |b: &Block| {
                let check = Stmt::Assert { cond: Expr::int(0), claim: Claim::Special };
                std::iter::once(check).chain(b.iter().cloned()).collect()
            };
            match s {
                Stmt::If { cond, then, other } if is_default(other) => {
                    Some(vec![Stmt::If { cond: cond.clone(), then: then.clone(), other: failing(other) }])
                }
                Stmt::Label { label, body } if *label == Label::Func(func) && is_default(body) => {
                    Some(vec![Stmt::Label { label: *label, body: failing(body) }])
                }
                Stmt::If { .. } | Stmt::Label { .. } | Stmt::Assert { .. } | Stmt::Allocate { .. } => None,
                Stmt::Store { .. } | Stmt::For(_) | Stmt::Let { .. } => None,
            }
        });
        new.ok_or_else(|| at.refuse(FUNC, format!("nothing computes func `{func}`, or it fails already")))
    }
}

fn specialize(at: &Context<'_>, func: Name, conds: &[Expr]) -> Result<Program, Refusal> {
    let t = at.program;
    at.require(FUNC, t.has_label(Label::Func(func)), || format!("nothing computes func `{func}`"))?;
    for e in conds {
        at.require(STARTUP, is_startup(e), || {
            format!("`{}` is not known at startup: {}", print::expr(e), not_startup(e))
        })?;
    }
    let again = t.loops().iter().any(|l| l.site.func == func && l.site.spec > 0)
        || t.has_label(Label::Stage(Site { func, stage: 0, spec: 1 }));
    at.require(ONCE, !again, || format!("func `{func}` is specialized already"))?;
    let stages = t.stages(func);
    let new = t.replace_first(&mut |s| {
        let Stmt::Label { label, body } = s else { return None };
        if *label != Label::Func(func) {
            return None;
        }
        let branches = conds.iter().enumerate().rev();
        let chain = branches.fold(tagged(body, func, 0, stages), |other, (j, cond)| {
            vec![Stmt::If { cond: cond.clone(), then: tagged(body, func, j + 1, stages), other }]
        });
        Some(vec![Stmt::Label { label: Label::Func(func), body: chain }])
    });
    new.ok_or_else(|| at.refuse(FUNC, format!("nothing computes func `{func}`")))
}

/// `sʲ`: everything of `func` in a block belongs to specialization `spec`.
fn tagged(b: &Block, func: Name, spec: usize, stages: usize) -> Block {
    let renamed: Block = b.iter().map(|s| retag(s, func, spec)).collect();
    map_block(&renamed, &mut |e| tagged_expr(e, func, spec, stages))
}

fn retag(s: &Stmt, func: Name, spec: usize) -> Stmt {
    let site = |site: Site| if site.func == func { Site { spec, ..site } } else { site };
    let block = |b: &Block| -> Block { b.iter().map(|s| retag(s, func, spec)).collect() };
    match s {
        Stmt::Assert { .. } | Stmt::Allocate { .. } => s.clone(),
        Stmt::Store { site: at, args, value } => {
            Stmt::Store { site: site(*at), args: args.clone(), value: value.clone() }
        }
        Stmt::If { cond, then, other } => {
            Stmt::If { cond: cond.clone(), then: block(then), other: block(other) }
        }
        Stmt::For(l) => Stmt::For(For { site: site(l.site), body: block(&l.body), ..l.clone() }),
        Stmt::Let { var, value, body } => {
            let var = if let Var::Loop(at, x) = var { Var::Loop(site(*at), *x) } else { *var };
            Stmt::Let { var, value: value.clone(), body: block(body) }
        }
        Stmt::Label { label, body } => {
            let label = if let Label::Stage(at) = label { Label::Stage(site(*at)) } else { *label };
            Stmt::Label { label, body: block(body) }
        }
    }
}

fn tagged_expr(e: &Expr, func: Name, spec: usize, stages: usize) -> Expr {
    let own = |site: Site| (site.func == func).then_some(Site { spec, ..site });
    e.rewrite(&mut |e| match e {
        Expr::Var(Var::Loop(site, x)) => own(*site).map(|s| Expr::Var(Var::Loop(s, *x))),
        Expr::Var(Var::Hole(h)) => {
            let Region::Cpu(site) = h.region else { return None };
            own(site).map(|s| Expr::Var(Var::Hole(Hole { region: Region::cpu(s, stages), ..*h })))
        }
        Expr::Access(a) => {
            let args = a.args.iter().map(|e| tagged_expr(e, func, spec, stages)).collect();
            Some(Expr::Access(Access { args, site: a.site.map(|s| own(s).unwrap_or(s)), ..a.clone() }))
        }
        Expr::Var(_) | Expr::Const(_) | Expr::Op(..) => None,
    })
}

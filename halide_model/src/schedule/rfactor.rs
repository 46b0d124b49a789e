//! `split-rdom(f, k, r, ro, ri, e)` and `rfactor(f, k, h, r = u, …)`, extensions, before lowering: a reduction in parts. Spec: [rule: halide.rfactor].
//!
//! ```text
//! split-rdom:  rdom(…, r = (m, n), …) in (ē) <- e₀ if p
//!         ~>   rdom(…, ri = (0, e), ro = (0, (n + e - 1) div e), …) in (ē') <- e₀' if v < m + n and p'
//!              with v = m + e * ro + ri for r
//! rfactor:     rdom(r, s) in (ē) <- f[ē] ⊕ e₀ if p
//!         ~>   fun h(x̄, u) = {identity of ⊕; rdom(s) in (ē', u) <- h[ē', u] ⊕ e₀' if p'}   with u for r
//!              and in f: rdom(r) in (x̄) <- f[x̄] ⊕ h[x̄, r]
//! ```
//!
//! - `rfactor.combines`: as for `atomic`. Without: `f[] <- 3 * f[] + r` is summed in another order.
//! - `rfactor.identity`: the operation has an identity in the type. Without: the parts begin with something.
//! - `split.positive`: the factor is a positive number.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FRESH, FUNC, LOOP, Refusal, Restriction, out_of_phase};
use super::split::POSITIVE;
use crate::alg::{Algorithm, Func, RVar, Update, access, local};
use crate::combine::Combination;
use crate::expr::{Expr, Interval, Place, Var};
use crate::lower::lower;
use crate::op::Op;
use crate::text::print;
use crate::tgt::{LoopName, Program};
use rewright_base::sym::Name;
use std::sync::Arc;

const COMBINES: Restriction = Restriction::new("rfactor.combines", "only updates that combine have parts");
const IDENTITY: Restriction =
    Restriction::new("rfactor.identity", "the operation has a value that changes nothing");

/// `split-rdom(f, k, r, ro, ri, e)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitRdom {
    /// The func.
    pub func: Name,
    /// Its update stage.
    pub stage: usize,
    /// The reduction variable.
    pub var: Name,
    /// The new outer variable.
    pub outer: Name,
    /// The new inner variable.
    pub inner: Name,
    /// A positive number.
    pub factor: Expr,
}

impl Form for SplitRdom {
    const NAMES: &'static [&'static str] = &["split-rdom"];
    const PHASE: Phase = Phase::Inline;
    const RESTRICTIONS: &'static [Restriction] = &[POSITIVE];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        let (func, stage, var) = (from.func()?, from.stage()?, from.variable("var")?);
        let (outer, inner) = (from.variable("outer")?, from.variable("inner")?);
        Ok(SplitRdom { func, stage, var, outer, inner, factor: from.expr("factor")? })
    }

    fn name(&self) -> &'static str {
        "split-rdom"
    }

    fn arguments(&self) -> String {
        let SplitRdom { func, stage, var, outer, inner, factor } = self;
        format!("{func}, {stage}, {var}, {outer}, {inner}, {}", print::expr(factor))
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        let positive = self.factor.as_i64().is_some_and(|e| e > 0);
        at.require(POSITIVE, positive, || {
            format!("factor `{}` is no positive number", print::expr(&self.factor))
        })?;
        let (f, u) = update(at, self.func, self.stage)?;
        let Some(i) = u.rdom.iter().position(|r| r.var == self.var) else {
            return Err(no_rvar(at, self.func, self.stage, self.var));
        };
        for (k, x) in [self.outer, self.inner].into_iter().enumerate() {
            // One of them may have the name of the variable that is split.
            let taken = x != self.var && is_taken(&at.program.algorithm, f, u, x) || k > 0 && x == self.outer;
            at.require(FRESH, !taken, || format!("variable `{x}` is bound in this stage already"))?;
        }
        let new = self.split(u, i);
        relowered(at, with_update(&at.program.algorithm, self.func, self.stage, new))
    }
}

impl SplitRdom {
    fn split(&self, u: &Update, i: usize) -> Update {
        let Some(r) = u.rdom.get(i) else { return u.clone() };
        let Interval { min: m, len: n } = &r.domain;
        let (e, add) = (&self.factor, |a, b| Expr::binary(Op::Add, a, b));
        let tile = Expr::binary(Op::Mul, e.clone(), local(self.outer));
        let v = add(add(m.clone(), tile), local(self.inner));
        let up = Expr::binary(Op::Sub, add(n.clone(), e.clone()), Expr::int(1));
        let count = match (n.as_i64(), e.as_i64()) {
            (Some(n), Some(e)) if e > 0 => Expr::int(n.saturating_add(e - 1).div_euclid(e)),
            // Negative where the domain's length is, which is an error.
            _ => Expr::binary(Op::Min, n.clone(), Expr::binary(Op::Div, up, e.clone())),
        };
        let rvar = |var, len| RVar { var, domain: Interval { min: Expr::int(0), len }, span: r.span };
        let mut rdom = u.rdom.clone();
        rdom.splice(i..=i, [rvar(self.inner, e.clone()), rvar(self.outer, count)]);
        let exact = matches!((n.as_i64(), e.as_i64()), (Some(n), Some(e)) if e > 0 && n % e == 0);
        let within = Expr::binary(Op::Lt, v.clone(), add(m.clone(), n.clone()));
        let new = substituted(u, &[(self.var, v)]);
        let cond = match (exact, &new.cond) {
            (true, cond) => cond.clone(),
            (false, cond) if *cond == Expr::int(1) => within,
            (false, cond) => Expr::binary(Op::And, within, cond.clone()),
        };
        Update { rdom, cond, ..new }
    }
}

/// `rfactor(f, k, h, r = u, …)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rfactor {
    /// The func.
    pub func: Name,
    /// Its update stage.
    pub stage: usize,
    /// The func of the parts.
    pub into: Name,
    /// Reduction variables that stay, and the pure variables that they are in the parts.
    pub keep: Vec<(Name, Name)>,
}

impl Form for Rfactor {
    const NAMES: &'static [&'static str] = &["rfactor"];
    const PHASE: Phase = Phase::Inline;
    const RESTRICTIONS: &'static [Restriction] = &[COMBINES, IDENTITY];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        let (func, stage, into) = (from.func()?, from.stage()?, from.variable("into")?);
        Ok(Rfactor { func, stage, into, keep: from.pairs("keep")? })
    }

    fn name(&self) -> &'static str {
        "rfactor"
    }

    fn arguments(&self) -> String {
        let keep = self.keep.iter().map(|(r, u)| format!(", {r} = {u}"));
        format!("{}, {}, {}{}", self.func, self.stage, self.into, keep.collect::<String>())
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        let p = &at.program.algorithm;
        let (f, u) = update(at, self.func, self.stage)?;
        let known =
            p.func(self.into).is_some() || p.input(self.into).is_some() || p.params.contains(&self.into);
        at.require(FRESH, !known, || format!("there is something called `{}` already", self.into))?;
        for (i, (r, x)) in self.keep.iter().enumerate() {
            if u.rdom.iter().all(|v| v.var != *r) || self.keep.iter().take(i).any(|(s, _)| s == r) {
                return Err(no_rvar(at, self.func, self.stage, *r));
            }
            let taken = is_taken(p, f, u, *x) || self.keep.iter().take(i).any(|(_, y)| y == x);
            at.require(FRESH, !taken, || format!("variable `{x}` is bound in this stage already"))?;
        }
        let combination = self.combination(at, f, u)?;
        let identity = combination.identity();
        at.require(IDENTITY, identity.is_some(), || {
            format!(
                "what `{}` combines with has no value of type {} that changes nothing",
                self.func, f.scalar
            )
        })?;
        let parts = self.parts(f, u, &combination, identity.unwrap_or_else(|| Expr::int(0)));
        let merged = self.merged(f, u, &combination);
        let mut new = with_update(p, self.func, self.stage, merged);
        let place = p.index(self.func).unwrap_or(0);
        new.funcs.insert(place, parts);
        relowered(at, new)
    }
}

impl Rfactor {
    fn combination(&self, at: &Context<'_>, f: &Func, u: &Update) -> Result<Combination, Refusal> {
        if let Some(found) = Combination::of(f, u, at.program.algorithm.typed) {
            return Ok(found);
        }
        let why = format!(
            "stage {} of `{}` is not of the form `{}[…] <- {}[…] op e` with `op` of integers, associative and commutative",
            self.stage, self.func, self.func, self.func
        );
        at.require(COMBINES, false, || why.clone())?;
        // What would be wrong: the last operand is combined whatever the operation.
        Combination::loose(f, u, at.program.algorithm.typed).ok_or_else(|| at.refuse(COMBINES, why))
    }

    /// `fun h(x̄, ū) = {identity; rdom(the others) in (ē, ū) <- h[ē, ū] ⊕ e if p}`, with ū for what is kept.
    fn parts(&self, f: &Func, u: &Update, by: &Combination, identity: Expr) -> Func {
        let kept: Vec<(Name, Expr)> = self.keep.iter().map(|(r, x)| (*r, local(*x))).collect();
        let here = substituted(u, &kept);
        let with = replaced(&by.with, &kept);
        let new = self.keep.iter().map(|(_, x)| *x);
        let point: Vec<Expr> = here.lhs.iter().cloned().chain(new.clone().map(local)).collect();
        let rdom = u.rdom.iter().filter(|r| kept.iter().all(|(k, _)| *k != r.var)).cloned().collect();
        let rhs = by.apply(access(self.into, point.clone()), with);
        let update = Update { rdom, lhs: point, rhs, cond: here.cond, span: u.span };
        Func {
            name: self.into,
            vars: f.vars.iter().copied().chain(new).collect(),
            scalar: f.scalar,
            parts: Vec::new(),
            pure: identity,
            updates: vec![update],
            span: f.span,
        }
    }

    /// `rdom(what is kept) in (x̄) <- f[x̄] ⊕ h[x̄, r̄]`
    fn merged(&self, f: &Func, u: &Update, by: &Combination) -> Update {
        let point: Vec<Expr> = f.vars.iter().map(|x| local(*x)).collect();
        let rdom: Vec<RVar> =
            self.keep.iter().filter_map(|(r, _)| u.rdom.iter().find(|v| v.var == *r).cloned()).collect();
        let part = point.iter().cloned().chain(rdom.iter().map(|r| local(r.var))).collect();
        let rhs = by.apply(access(f.name, point.clone()), access(self.into, part));
        Update { rdom, lhs: point, rhs, cond: Expr::int(1), span: Place::NONE }
    }
}

/// An update stage, counted from 1.
fn update<'t>(at: &Context<'t>, func: Name, stage: usize) -> Result<(&'t Func, &'t Update), Refusal> {
    let f = at.program.algorithm.func(func);
    let u = f.and_then(|f| Some((f, f.updates.get(stage.checked_sub(1)?)?)));
    u.ok_or_else(|| at.refuse(FUNC, format!("func `{func}` has no update stage {stage}")))
}

fn no_rvar(at: &Context<'_>, func: Name, stage: usize, r: Name) -> Refusal {
    at.refuse(
        LOOP,
        format!("stage {stage} of `{func}` has no reduction variable `{r}`, or it is named twice"),
    )
}

/// Whether a variable has a meaning in a stage.
fn is_taken(p: &Algorithm, f: &Func, u: &Update, x: Name) -> bool {
    f.vars.contains(&x) || u.rdom.iter().any(|r| r.var == x) || p.params.contains(&x)
}

fn with_update(p: &Algorithm, func: Name, stage: usize, new: Update) -> Algorithm {
    let mut p = p.clone();
    let f = p.funcs.iter_mut().find(|f| f.name == func);
    if let Some(place) = f.and_then(|f| f.updates.get_mut(stage.saturating_sub(1))) {
        *place = new;
    }
    p
}

/// The program of another algorithm: nothing else has been scheduled yet.
fn relowered(at: &Context<'_>, p: Algorithm) -> Result<Program, Refusal> {
    if *at.program != lower(&at.program.algorithm) {
        return Err(out_of_phase(at.directive, at.program, Phase::Loops));
    }
    Ok(lower(&Arc::new(p)))
}

fn replaced(e: &Expr, by: &[(Name, Expr)]) -> Expr {
    e.substitute(&|v| {
        let Var::Local(x) = v else { return None };
        by.iter().find(|(r, _)| *r == x).map(|(_, e)| e.clone())
    })
}

/// The point, the value and the predicate with expressions for variables.
fn substituted(u: &Update, by: &[(Name, Expr)]) -> Update {
    Update {
        lhs: u.lhs.iter().map(|e| replaced(e, by)).collect(),
        rhs: replaced(&u.rhs, by),
        cond: replaced(&u.cond, by),
        ..u.clone()
    }
}

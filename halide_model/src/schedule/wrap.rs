//! `in(g, h, f…)` and `clone-in(g, h, f…)`, extensions: consumers read another func instead of `g`, a copy of its values or
//! one that computes them again.
//!
//! `fun f(y) = … g[a] …` ~> `fun h(x) = g[x]; fun f(y) = … h[a] …`, or `fun h = g` with its stages
//!
//! The new func stands behind `g`. Without consumers all that read `g` are meant. An input may be wrapped, not cloned. What
//! does not read `g` is refused (`schedule.func`), and a name that is taken (`schedule.fresh`).

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FRESH, FUNC, Refusal, Restriction, out_of_phase};
use crate::alg::{Algorithm, Func, Update, access, element, local, tuple};
use crate::expr::{Access, Expr, Place};
use crate::lower::lower;
use crate::text::print;
use crate::tgt::{LoopName, Program};
use rewright_base::sym::Name;
use std::sync::Arc;

/// `in(g, h, f…)` and `clone-in(g, h, f…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrap {
    /// Whether the new func computes the values again.
    pub is_clone: bool,
    /// The func or input.
    pub func: Name,
    /// The new func.
    pub into: Name,
    /// Those that read the new one; all if there are none.
    pub consumers: Vec<Name>,
}

impl Form for Wrap {
    const NAMES: &'static [&'static str] = &["in", "clone-in"];
    const PHASE: Phase = Phase::Inline;
    const RESTRICTIONS: &'static [Restriction] = &[];

    fn read<S: Source>(name: &str, from: &mut S) -> Result<Self, S::Error> {
        let (func, into) = (from.func()?, from.variable("into")?);
        Ok(Wrap { is_clone: name == "clone-in", func, into, consumers: from.funcs("consumers")? })
    }

    fn name(&self) -> &'static str {
        if self.is_clone { "clone-in" } else { "in" }
    }

    fn arguments(&self) -> String {
        let names = [self.func, self.into].into_iter().chain(self.consumers.iter().copied());
        names.map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        let t = at.program;
        let algorithm = self.wrapped(&t.algorithm, at)?;
        if *t != lower(&t.algorithm) {
            return Err(out_of_phase(at.directive, t, Phase::Loops));
        }
        Ok(lower(&Arc::new(algorithm)))
    }
}

impl Wrap {
    /// The algorithm with the new func. Spec: [rule: halide.wrap].
    fn wrapped(&self, p: &Algorithm, at: &Context<'_>) -> Result<Algorithm, Refusal> {
        let refuse = |restriction: Restriction, why: String| Refusal {
            directive: Some(at.directive.clone()),
            restriction,
            why,
            nest: print::algorithm(p),
        };
        let Wrap { is_clone, func, into, .. } = *self;
        let taken = p.func(into).is_some() || p.input(into).is_some() || p.params.contains(&into);
        if at.rules.has(FRESH) && taken {
            return Err(refuse(FRESH, format!("there is something called `{into}` already")));
        }
        let new = match (p.func(func), p.input(func)) {
            (Some(g), _) if is_clone => renamed(g, into),
            (Some(g), _) => copy(p, func, into, g.vars.clone(), g.span),
            (None, Some(image)) if !is_clone => {
                let vars = (0..image.rank).map(|d| Name::new(&format!("_{d}"))).collect();
                copy(p, func, into, vars, image.span)
            }
            (None, Some(_)) => return Err(refuse(FUNC, format!("`{func}` is an input: it is not computed"))),
            (None, None) => return Err(refuse(FUNC, format!("there is no func `{func}`"))),
        };
        let reads = |f: &&Func| f.name != func && f.references().contains(&func);
        let all: Vec<Name> = p.funcs.iter().filter(reads).map(|f| f.name).collect();
        if let Some(other) = self.consumers.iter().find(|f| !all.contains(f)).filter(|_| at.rules.has(FUNC)) {
            return Err(refuse(FUNC, format!("`{other}` is no func that reads `{func}`")));
        }
        let chosen = if self.consumers.is_empty() { &all } else { &self.consumers };
        if chosen.is_empty() {
            return Err(refuse(FUNC, format!("nothing reads `{func}`")));
        }
        let mut funcs: Vec<Func> = p
            .funcs
            .iter()
            .map(|f| if chosen.contains(&f.name) { reading(f, func, into) } else { f.clone() })
            .collect();
        funcs.insert(p.index(func).map_or(0, |i| i + 1), new);
        Ok(Algorithm { funcs, ..p.clone() })
    }
}

/// `fun into(x) = func[x]`
fn copy(p: &Algorithm, func: Name, into: Name, vars: Vec<Name>, span: Place) -> Func {
    let parts = p.func(func).map(|f| f.parts.clone()).unwrap_or_default();
    let call = access(func, vars.iter().map(|x| local(*x)).collect());
    let values = parts.iter().enumerate().map(|(k, s)| element(*s, k, call.clone()));
    let pure = if parts.is_empty() { call.clone() } else { tuple(values.collect()) };
    Func { name: into, scalar: p.scalar(func), parts, pure, vars, updates: Vec::new(), span }
}

/// The same func under another name, which its updates read, too.
fn renamed(g: &Func, into: Name) -> Func {
    Func { name: into, ..reading(g, g.name, into) }
}

/// A func that reads one func instead of another.
fn reading(f: &Func, from: Name, to: Name) -> Func {
    let updates = f.updates.iter().map(|u| Update {
        lhs: u.lhs.iter().map(|e| redirected(e, from, to)).collect(),
        rhs: redirected(&u.rhs, from, to),
        cond: redirected(&u.cond, from, to),
        ..u.clone()
    });
    Func { pure: redirected(&f.pure, from, to), updates: updates.collect(), ..f.clone() }
}

fn redirected(e: &Expr, from: Name, to: Name) -> Expr {
    e.rewrite(&mut |e| match e {
        Expr::Access(a) if a.func == from => {
            let args = a.args.iter().map(|e| redirected(e, from, to)).collect();
            Some(Expr::Access(Access { func: to, args, ..a.clone() }))
        }
        Expr::Access(_) | Expr::Const(_) | Expr::Var(_) | Expr::Op(..) => None,
    })
}

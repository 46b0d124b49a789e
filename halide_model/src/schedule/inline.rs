//! `inline(f)`, an extension: a pure func is substituted into its uses.
//!
//! `fun g(x) = e; fun f(y) = … g[a] …` ~> `fun f(y) = … [a/x]e …`
//!
//! - `inline.integer`: `g` holds integers of ℤ, or the algorithm has types, so that its value is of its type already. Without: storing makes values fit or rounds them, and substituting does not.
//! - `inline.pure`: `g` has no update stages and is not the output. Without: updates would be lost.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, Refusal, Restriction, out_of_phase};
use crate::alg::{Algorithm, Func, Update};
use crate::expr::{Expr, Var};
use crate::lower::lower;
use crate::op::Op;
use crate::text::print;
use crate::tgt::{LoopName, Program};
use crate::typed::Scalar;
use rewright_base::sym::Name;
use std::sync::Arc;

const PURE: Restriction =
    Restriction::new("inline.pure", "only funcs without update stages, and not the output, are inlined");
const INTEGER: Restriction =
    Restriction::new("inline.integer", "only funcs whose points hold integers of any size are inlined");

/// `inline(f)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// The func.
    pub func: Name,
}

impl Form for Inline {
    const NAMES: &'static [&'static str] = &["inline"];
    const PHASE: Phase = Phase::Inline;
    const RESTRICTIONS: &'static [Restriction] = &[INTEGER, PURE];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(Inline { func: from.func()? })
    }

    fn name(&self) -> &'static str {
        "inline"
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

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        let t = at.program;
        let algorithm = inline(&t.algorithm, self.func, at)?;
        if *t != lower(&t.algorithm) {
            return Err(out_of_phase(at.directive, t, Phase::Loops));
        }
        Ok(lower(&Arc::new(algorithm)))
    }
}

/// The algorithm without the func. Spec: [rule: halide.inline].
///
/// # Errors
/// The func is not there, is the output, or has updates.
fn inline(p: &Algorithm, func: Name, at: &Context<'_>) -> Result<Algorithm, Refusal> {
    let refuse = |restriction: Restriction, why: String| Refusal {
        directive: Some(at.directive.clone()),
        restriction,
        why,
        nest: print::algorithm(p),
    };
    let Some(g) = p.func(func) else {
        return Err(refuse(FUNC, format!("there is no func `{func}`")));
    };
    if at.rules.has(PURE) && (!g.updates.is_empty() || p.is_output(func)) {
        return Err(refuse(PURE, format!("func `{func}` is the output or has update stages")));
    }
    if at.rules.has(INTEGER) && g.scalar != Scalar::Integer && !p.typed {
        return Err(refuse(INTEGER, format!("func `{func}` holds values of type {}", g.scalar)));
    }
    let funcs = p.funcs.iter().filter(|f| f.name != func).map(|f| into(f, g)).collect();
    Ok(Algorithm { funcs, ..p.clone() })
}

fn into(f: &Func, g: &Func) -> Func {
    let updates = f.updates.iter().map(|u| Update {
        lhs: u.lhs.iter().map(|e| substituted(e, g)).collect(),
        rhs: substituted(&u.rhs, g),
        cond: substituted(&u.cond, g),
        ..u.clone()
    });
    Func { pure: substituted(&f.pure, g), updates: updates.collect(), ..f.clone() }
}

fn substituted(e: &Expr, g: &Func) -> Expr {
    e.rewrite(&mut |e| {
        let a = match e {
            Expr::Access(a) if a.func == g.name => a,
            // One of the values that stand where the func was.
            Expr::Op(Op::Elem(k), args) => {
                let of = args.first().map(|e| substituted(e, g))?;
                return match of {
                    Expr::Op(Op::Tuple(_), parts) => parts.get(*k).cloned(),
                    other @ (Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_)) => {
                        Some(Expr::op(Op::Elem(*k), [other]))
                    }
                };
            }
            Expr::Access(_) | Expr::Const(_) | Expr::Var(_) | Expr::Op(..) => return None,
        };
        let args: Vec<Expr> = a.args.iter().map(|e| substituted(e, g)).collect();
        Some(g.pure.substitute(&|v| {
            let Var::Local(x) = v else { return None };
            let i = g.vars.iter().position(|y| *y == x)?;
            args.get(i).cloned()
        }))
    })
}

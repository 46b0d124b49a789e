//! `inline(f)`, an extension: a pure func is substituted into its uses.
//!
//! `fun g(x) = e; fun f(y) = … g[a] …` ~> `fun f(y) = … [a/x]e …`
//!
//! - `inline.integer`: `g` holds integers of ℤ. Without: storing makes values fit or rounds them, and substituting does not.
//! - `inline.pure`: `g` has no update stages and is not the output. Without: updates would be lost.

use super::Directive;
use super::refusal::{INLINE_INTEGER, INLINE_PURE, Refusal, Restriction, Rules};
use crate::alg::{Algorithm, Func, Update};
use crate::expr::{Expr, Var};
use crate::text::print;
use crate::typed::Scalar;
use rewright_base::sym::Name;

/// The algorithm without the func. Spec: [rule: halide.inline].
///
/// # Errors
/// The func is not there, is the output, or has updates.
pub(super) fn inline(p: &Algorithm, func: Name, d: &Directive, rules: Rules) -> Result<Algorithm, Refusal> {
    let refuse = |restriction: Restriction, why: String| Refusal {
        directive: Some(d.clone()),
        restriction,
        why,
        nest: print::algorithm(p),
    };
    let Some(g) = p.func(func) else {
        return Err(refuse(super::refusal::FUNC, format!("there is no func `{func}`")));
    };
    if rules.has(INLINE_PURE) && (!g.updates.is_empty() || p.output == func) {
        return Err(refuse(INLINE_PURE, format!("func `{func}` is the output or has update stages")));
    }
    if rules.has(INLINE_INTEGER) && g.scalar != Scalar::Integer {
        return Err(refuse(INLINE_INTEGER, format!("func `{func}` holds values of type {}", g.scalar)));
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
        let Expr::Access(a) = e else { return None };
        if a.func != g.name {
            return None;
        }
        let args: Vec<Expr> = a.args.iter().map(|e| substituted(e, g)).collect();
        Some(g.pure.substitute(&|v| {
            let Var::Local(x) = v else { return None };
            let i = g.vars.iter().position(|y| *y == x)?;
            args.get(i).cloned()
        }))
    })
}

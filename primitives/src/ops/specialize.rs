//! ```text
//! s     ~>    if e1: s
//!             else:
//!                 if e2: s
//!                 else: s
//! ```
//! A field of the conditions that the procedure does not mention becomes part of its input: the new version asserts that
//! it is set (`Cfg.k == Cfg.k`), and is related to the old one as [`Restricted`](crate::version::Relation::Restricted).
//!
//! Source: ASPLOS'25 App. A.3. Spec: [rule: specialize].

use crate::cursor::path::{Place, run_at};
use crate::cursor::{At, resolve};
use crate::edit::{Head, Wrapper};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, form, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::definitely_assigned::assigned_first;
use crate::tools::syntax::stmt_views::If;
use crate::version::{Proc, Relation};
use rewright_effects::analysis::shapes;
use rewright_effects::effexpr::Sort;
use rewright_effects::env::{Field, sort_of_field};
use rewright_effects::names::{bound_names, callees, fields_in_block, fields_in_expr, fields_written};
use rewright_semantics::ast::{self, Block, Config, Expr, ExprKind};
use rewright_semantics::build::{block, eq, not, or};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::configs::configs_of;
use rewright_semantics::syntax::subst::fresh_copy;
use rewright_semantics::syntax::walk::each_child;

const SCOPE: Condition = form("scope", "nothing that the statements define is used after them");

/// The entry of [`specialize`].
pub static SPECIALIZE: Primitive = Primitive {
    name: "specialize",
    summary: "repeats statements under each of several conditions and under none",
    source: "ASPLOS'25 App. A.3",
    params: &[required("block", ArgKind::Block), required("conds", ArgKind::Conds)],
    conditions: &[SCOPE, READABLE],
    exact: Exact::Never,
    run: |p, args| {
        let conds = args.texts("conds")?;
        let conds: Vec<&str> = conds.iter().map(String::as_str).collect();
        specialize(p, args.at("block")?, &conds)
    },
};

/// Repeats statements under each of several conditions and under none.
///
/// # Errors
/// A condition fails, there are no conditions, or one cannot be read.
pub fn specialize(p: &Proc, at: impl Into<At>, conds: &[&str]) -> Result<Proc> {
    let run = resolve::block(p, &at.into())?;
    let mut rw = Rewrite::new(p, &SPECIALIZE);
    rw.at("block", Place::Block(run.clone()));
    rw.arg("conds", conds);
    let conds = conds.iter().map(|c| rw.cond(&run.path, c)).collect::<Result<Vec<Expr>>>()?;
    let Some((first, rest)) = conds.split_first() else {
        return Err(rw.wrong_argument("needs at least one condition"));
    };
    let body = run_at(p.ast(), &run).ok_or_else(|| rw.internal("the statements are gone"))?;
    let ctx = rw.context(&run)?;
    let kept = bound_names(&body).into_iter().find(|x| ctx.later().contains(x));
    rw.require_that(&SCOPE, kept.is_none(), || match kept {
        Some(x) => format!("`{x}` is defined here and used afterwards"),
        None => String::new(),
    })?;
    let foreign = unmentioned(p.ast(), &conds);
    let mut also = assigned_first(&body);
    also.extend(foreign.iter().cloned());
    rw.require_readable(&run.path, &conds.iter().collect::<Vec<_>>(), &also, None)?;
    if !foreign.is_empty() {
        let mut head = Head::of(p.ast());
        head.preds.extend(foreign.into_iter().map(is_set));
        rw.set_head(head, (0..p.ast().args.len()).map(Some).collect());
        rw.relation(Relation::Restricted);
    }
    rw.wrap(&run, Wrapper::If { cond: first.clone(), orelse: otherwise(rest, &body) });
    rw.finish()
}

impl Proc {
    /// Repeats statements under each of several conditions and under none: [`specialize`](fn@specialize).
    ///
    /// # Errors
    /// As the function.
    pub fn specialize(&self, at: impl Into<At>, conds: &[&str]) -> Result<Proc> {
        specialize(self, at, conds)
    }
}

/// The control fields that conditions read, and the procedure and what it calls do not mention: they hold what they
/// held on entry.
fn unmentioned(p: &ast::Proc, conds: &[Expr]) -> Vec<Expr> {
    let known = configs_of(p);
    let mut out: Vec<Expr> = Vec::new();
    for cond in conds {
        each_field(cond, &mut |e, config, field| {
            let mentioned =
                known.iter().any(|c| c.name == config.name) && mentions(p, Field::of(config, field));
            if !mentioned && !out.contains(e) {
                out.push(e.clone());
            }
        });
    }
    out
}

fn each_field<'a>(e: &'a Expr, f: &mut impl FnMut(&'a Expr, &'a Config, Name)) {
    if let ExprKind::ReadConfig { config, field } = &e.kind {
        f(e, config, *field);
    }
    each_child(e, &mut |_, inner| each_field(inner, f));
}

/// Whether a procedure, or one that it calls, reads or writes a field.
fn mentions(p: &ast::Proc, wanted: Field) -> bool {
    let mut found = false;
    let mut note = |config: &Config, field| found = found || Field::of(config, field) == wanted;
    shapes(p).chain(p.preds.iter()).for_each(|e| fields_in_expr(e, &mut note));
    fields_in_block(&p.body, &mut note);
    fields_written(&p.body, &mut note);
    callees(&p.body, &mut |callee| found = found || mentions(callee, wanted));
    found
}

/// `f == f`, for a truth value `f or not f`: what was never set is not equal to itself.
fn is_set(field: Expr) -> Expr {
    let truth = match &field.kind {
        ExprKind::ReadConfig { config, field } => sort_of_field(config, *field) == Some(Sort::Bool),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. } => false,
    };
    if truth { or(field.clone(), not(field)) } else { eq(field.clone(), field) }
}

/// The statements under the conditions that are left.
fn otherwise(conds: &[Expr], body: &Block) -> Block {
    match conds.split_first() {
        None => fresh_copy(body),
        Some((cond, rest)) => {
            let (cond, orelse) = (cond.clone(), otherwise(rest, body));
            block([If { cond, body: fresh_copy(body), orelse, span: Span::NONE }.stmt()])
        }
    }
}

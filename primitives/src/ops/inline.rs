//! ```text
//! f(e, A[lo:hi, j])    ~>    x = A[lo:hi, j]
//!                            s[k ↦ e]
//! ```
//! for `def f(k: index, x: [T][n]): s`. Parts of buffers get names by window statements, as in Exo; whole buffers and
//! cells stand for themselves. What `f` asserts held at the call, and is not written down.
//!
//! Where `f` is an instruction that rounds otherwise than its body, the versions are related as
//! [`Rounded`](crate::version::Relation::Rounded).
//!
//! Source: ASPLOS'25 App. A.4; PLDI'22 §3.3. Spec: [rule: inline].

use crate::cursor::At;
use crate::cursor::path::Hole;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::precision::{computed_otherwise, require_numbers};
use crate::tools::syntax::inlining::{Actual, Actuals, actuals, body_with, name_parts};
use crate::tools::syntax::stmt_views::Call;
use crate::version::Proc;
use rewright_effects::env::Field;
use rewright_effects::names::{fields_in_expr, free_names};
use rewright_semantics::ast::{self, Expr};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::rounding;
use std::collections::BTreeSet;

const STABLE: Condition = condition("stable", "no control argument reads a field that the callee changes");

const PRECISION: Condition =
    form("precision", "no buffer of integers is passed for one of `R`, or conversely");

/// The entry of [`inline`].
pub static INLINE: Primitive = Primitive {
    name: "inline",
    summary: "puts the body of a procedure in place of a call",
    source: "ASPLOS'25 App. A.4",
    params: &[required("call_cursor", ArgKind::Call)],
    conditions: &[STABLE, PRECISION],
    exact: Exact::WithoutFields,
    run: |p, args| inline(p, args.at("call_cursor")?),
};

/// Puts the body of a procedure in place of a call.
///
/// # Errors
/// A control argument may change on the way, or there is no call.
pub fn inline(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Call)?;
    let mut rw = Rewrite::new(p, &INLINE);
    rw.at_stmt("call_cursor", &path);
    let call = Call::of(&rw.given(&path)?).ok_or_else(|| rw.internal("no call"))?;
    let mut by = actuals(&call.proc, &call.args).ok_or_else(|| rw.internal("an argument is no place"))?;
    let written = p.session().analysis().touched_fields(&call.proc.body);
    let unstable = unstable(&call.proc, &by, &written);
    rw.require_that(&STABLE, unstable.is_none(), || match &unstable {
        Some(e) => format!("`{}` reads a field that `{}` changes", expr_to_string(e), call.proc.name),
        None => String::new(),
    })?;
    let otherwise = p.env_at(&path).and_then(|env| computed_otherwise(&env, &call.proc, &call.args));
    require_numbers(&mut rw, &PRECISION, otherwise)?;
    let mut stmts = name_parts(&mut by, &call.proc, |idx| idx.iter().any(|e| reads_any(e, &written)));
    stmts.append(body_with(&call.proc, &by));
    rw.replace(&Hole::stmt(path), stmts);
    if let Some(what) = rounding::difference(&call.proc) {
        rw.rounds(format!("{what}, and its body after each operation"));
    }
    rw.finish()
}

impl Proc {
    /// Puts the body of a procedure in place of a call: [`inline`](fn@inline).
    ///
    /// # Errors
    /// As the function.
    pub fn inline(&self, at: impl Into<At>) -> Result<Proc> {
        inline(self, at)
    }
}

/// A control argument that is used, and reads one of the fields.
fn unstable<'a>(p: &ast::Proc, by: &'a Actuals, fields: &BTreeSet<Field>) -> Option<&'a Expr> {
    let used = free_names(&p.body);
    p.args.iter().filter(|formal| used.contains(&formal.name)).find_map(|formal| match by.get(&formal.name) {
        Some(Actual::Control(e)) if reads_any(e, fields) => Some(e),
        Some(Actual::Control(_) | Actual::Buffer(_) | Actual::Cell(..) | Actual::Part(_)) | None => None,
    })
}

fn reads_any(e: &Expr, fields: &BTreeSet<Field>) -> bool {
    let mut found = false;
    fields_in_expr(e, &mut |config, field| found = found || fields.contains(&Field::of(config, field)));
    found
}

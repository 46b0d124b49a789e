//! ```text
//! s     ~>    if e1: s
//!             else:
//!                 if e2: s
//!                 else: s
//! ```
//! - `scope`: nothing that `s` defines is used afterwards.
//! - `readable`: the fields of the conditions are set, and no parallel loop around `s` writes one. Breaks without it: `Cfg.on` in
//!   `for k in par(0, 2): if k == 0: Cfg.on = True; x[k] = 1.0`.
//!
//! Source: ASPLOS'25 App. A.3. Spec: [rule: specialize].

use crate::cursor::path::{Place, run_at};
use crate::cursor::{At, resolve};
use crate::edit::Wrapper;
use crate::error::Result;
use crate::registry::{Kind, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::decided::decided_first;
use crate::tools::parts::If;
use crate::tools::subst::fresh_copy;
use crate::version::Proc;
use rewright_effects::names::bound_names;
use rewright_semantics::ast::{Block, Expr};
use rewright_semantics::build::block;
use rewright_semantics::span::Span;

/// The entry of [`specialize`].
pub static SPECIALIZE: Primitive = Primitive {
    name: "specialize",
    summary: "repeats statements under each of several conditions and under none",
    source: "ASPLOS'25 App. A.3",
    params: &[required("block", Kind::Block), required("conds", Kind::Conds)],
    conditions: &[
        form("scope", "nothing that the statements define is used after them"),
        condition("readable", "what is evaluated anew is set, and no other thread writes it"),
    ],
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
    let kept = bound_names(&body).into_iter().find(|x| ctx.later.contains(x));
    rw.require_that("scope", kept.is_none(), || match kept {
        Some(x) => format!("`{x}` is defined here and used afterwards"),
        None => String::new(),
    })?;
    rw.require_readable(&run.path, &conds.iter().collect::<Vec<_>>(), &decided_first(&body), None)?;
    rw.wrap(&run, Wrapper::If { cond: first.clone(), orelse: otherwise(rest, &body) });
    rw.finish()
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

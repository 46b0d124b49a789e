//! Exo's `add_unsafe_guard`, which only programs of Exo's have. Spec: [rule: assumptions].

use crate::cursor::path::Place;
use crate::cursor::{At, resolve};
use crate::edit::Wrapper;
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::obligation::Obligation;

const HOLDS: Condition = condition("holds", "the condition holds whenever the statements run");

/// The entry of `add_unsafe_guard`: `s ~> if e: s`.
pub static ADD_UNSAFE_GUARD: Primitive = Primitive {
    name: "add_unsafe_guard",
    summary: "runs statements under a condition",
    source: "Exo 1.0.0",
    params: &[required("block_cursor", ArgKind::Block), required("var_expr", ArgKind::Cond)],
    conditions: &[HOLDS],
    exact: Exact::Never,
    run: |p, args| add_unsafe_guard(p, args.at("block_cursor")?, &args.text("var_expr")?),
};

fn add_unsafe_guard(p: &Proc, at: impl Into<At>, cond: &str) -> Result<Proc> {
    let run = resolve::block(p, &at.into())?;
    let mut rw = Rewrite::new(p, &ADD_UNSAFE_GUARD);
    rw.at("block_cursor", Place::Block(run.clone()));
    rw.arg("var_expr", cond);
    let cond = rw.cond(&run.path, cond)?;
    let ctx = rw.context(&run)?;
    let sentence = HOLDS.sentence.to_owned();
    rw.require(&HOLDS, [Obligation { sentence, ..conditions::holds(&ctx, &cond) }])?;
    rw.wrap(&run, Wrapper::If { cond, orelse: Default::default() });
    rw.finish()
}

//! ```text
//! s1; Cfg.f = e; s2    ~>    s1; s2
//! s1; set(e); s2       ~>    s1; s2
//! ```
//! The versions agree in everything but `Cfg.f`, or what `set` writes, or in that too where it is overwritten afterwards in
//! any case, or holds the value already.
//!
//! Source: ASPLOS'25 App. A.8; PLDI'22 §6.2. Spec: [rule: delete_config].

use crate::cursor::At;
use crate::cursor::path::Hole;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::context_extension::{differing, require_unread};
use crate::version::Proc;
use rewright_effects::context::Context;
use rewright_effects::eff::eff_block;
use rewright_effects::env::Field;
use rewright_effects::locset::Base;
use rewright_semantics::ast::Block;
use rewright_semantics::build::block;
use std::collections::BTreeSet;

const FIELDS: Condition = condition("fields", "a call that is removed changes fields alone");
const SAME: Condition =
    condition("same", "the field holds the value already, where it may be read afterwards");
const UNREAD: Condition = condition("unread", "nothing afterwards reads the field before it is overwritten");

/// The entry of [`delete_config`].
pub static DELETE_CONFIG: Primitive = Primitive {
    name: "delete_config",
    summary: "removes a write to a configuration field, or a call that writes fields alone; equivalent modulo them",
    source: "ASPLOS'25 App. A.8",
    params: &[required("stmt_cursor", ArgKind::WriteConfig)],
    conditions: &[FIELDS, SAME, UNREAD],
    exact: Exact::WithoutFields,
    run: |p, args| delete_config(p, args.at("stmt_cursor")?),
};

/// The fields that a statement may write, if it does nothing else.
fn fields_written(ctx: &Context, s: &Block) -> Option<BTreeSet<Field>> {
    let touched = eff_block(&ctx.analysis, &ctx.env, s).visible().modified().bases();
    let fields = touched.into_keys().map(|base| match base {
        Base::Global(field) => Some(field),
        Base::Buffer(_) => None,
    });
    fields.collect()
}

/// Removes a write to a configuration field, or a call that writes fields alone.
///
/// # Errors
/// A field may be read afterwards, the call does more, or there is no such statement.
pub fn delete_config(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::WriteConfig)?;
    let mut rw = Rewrite::new(p, &DELETE_CONFIG);
    rw.at_stmt("stmt_cursor", &path);
    let old = block([rw.given(&path)?]);
    let ctx = rw.context_of(&path)?;
    let fields = fields_written(&ctx, &old);
    rw.require_that(&FIELDS, fields.is_some(), || "the call changes buffers, not fields alone")?;
    let left =
        differing(&mut rw, &SAME, p.ast(), (&path, &ctx), fields.unwrap_or_default(), [&old, &block([])])?;
    if !left.is_empty() {
        require_unread(&mut rw, &UNREAD, (&path, &ctx), &left, &[])?;
    }
    rw.delete(&Hole::stmt(path));
    rw.finish()
}

impl Proc {
    /// Removes a write to a configuration field; equivalent modulo the field: [`delete_config`](fn@delete_config).
    ///
    /// # Errors
    /// As the function.
    pub fn delete_config(&self, at: impl Into<At>) -> Result<Proc> {
        delete_config(self, at)
    }
}

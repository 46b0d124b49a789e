//! ```text
//! s1; s2    ~>    s1; Cfg.f = e; s2
//! ```
//! The versions agree in everything but `Cfg.f`, or in that too where it is overwritten afterwards in any case, or holds
//! the value already.
//!
//! Source: ASPLOS'25 App. A.8; PLDI'22 §5.8 (new config write). Spec: [rule: write_config].

use crate::cursor::At;
use crate::cursor::fragment::{self, Sort};
use crate::cursor::path::{Hole, Place};
use crate::cursor::resolve;
use crate::edit::Edit;
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, ExprArg, Primitive, Value, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::context_extension::{
    differing, field_of, is_control, require_no_races, require_positive, require_unread,
};
use crate::tools::requires::definitely_assigned::is_definitely_assigned;
use crate::tools::requires::values::{each_cell, in_bounds};
use crate::version::Proc;
use rewright_effects::env::Field;
use rewright_semantics::ast::Config;
use rewright_semantics::build::{self, block};
use std::sync::Arc;

const SAME: Condition =
    condition("same", "the field holds the value already, where it may be read afterwards");
const UNREAD: Condition = condition("unread", "nothing afterwards reads the field before it is overwritten");
const POSITIVE: Condition = condition("positive", "the value for a size is at least 1");
const BOUNDS: Condition = condition("bounds", "the cells that the value reads exist");
const PARALLEL: Condition =
    condition("parallel", "no other thread writes what the value reads, or touches the field");

/// The entry of [`write_config`].
pub static WRITE_CONFIG: Primitive = Primitive {
    name: "write_config",
    summary: "writes a value to a configuration field; equivalent modulo the field",
    source: "ASPLOS'25 App. A.8",
    params: &[
        required("gap_cursor", ArgKind::Gap),
        required("config", ArgKind::Config),
        required("field", ArgKind::Field),
        required("rhs", ArgKind::NewExpr),
    ],
    conditions: &[SAME, UNREAD, POSITIVE, BOUNDS, PARALLEL],
    exact: Exact::Always,
    run: |p, args| {
        let (config, field, rhs) = (args.config("config")?, args.text("field")?, args.text("rhs")?);
        write_config(p, args.at("gap_cursor")?, &config, &field, &rhs)
    },
};

/// Writes a value to a configuration field.
///
/// # Errors
/// A condition fails, there is no gap or field, or the text cannot be read.
pub fn write_config(
    p: &Proc,
    at: impl Into<At>,
    config: &Arc<Config>,
    field: &str,
    rhs: impl Into<ExprArg>,
) -> Result<Proc> {
    let rhs: &str = &rhs.into().0;
    let gap = resolve::gap(p, &at.into())?;
    let mut rw = Rewrite::new(p, &WRITE_CONFIG);
    rw.at("gap_cursor", Place::Gap(gap.clone()));
    rw.arg("config", Value::Config(config.clone()));
    rw.arg("field", field);
    rw.arg("rhs", rhs);
    let (name, typ) = field_of(&rw, config, field)?;
    let path = gap.position();
    let names = fragment::names(p, &path, rhs, std::slice::from_ref(config));
    let e = rewright_semantics::parse::fragment::expr(rhs, &names, Sort::of_field(typ))
        .map_err(|e| rw.wrong_argument(e.to_string()))?;

    let ctx = rw.context(&Hole { path: path.clone(), len: 0 })?;
    let new = block([build::write_config(config, name, e.clone())]);
    let fields = [Field::of(config, name)];
    let left = differing(&mut rw, &SAME, p.ast(), (&path, &ctx), fields, [&block([]), &new])?;
    if !left.is_empty() {
        require_unread(&mut rw, &UNREAD, (&path, &ctx), &left, std::slice::from_ref(&new))?;
    }
    require_positive(&mut rw, &POSITIVE, p.ast(), (&path, &ctx), (config, name, &e), &[])?;
    if !is_control(config, name) {
        let mut set = true;
        each_cell(&e, &mut |_, idx| {
            set = set && idx.iter().all(|i| is_definitely_assigned(p.ast(), &path, i, &[]))
        });
        rw.refuse_unless(&BOUNDS, set, || "an index reads a field that may not be set")?;
        rw.require(&BOUNDS, in_bounds(&ctx, &e))?;
    }
    let edit = Edit::Insert { at: path.clone(), stmts: new };
    require_no_races(&mut rw, &PARALLEL, p.ast(), &path, std::slice::from_ref(&edit))?;
    rw.edit(edit);
    rw.finish()
}

impl Proc {
    /// Writes a value to a configuration field; equivalent modulo the field: [`write_config`](fn@write_config).
    ///
    /// # Errors
    /// As the function.
    pub fn write_config(
        &self,
        at: impl Into<At>,
        config: &Arc<Config>,
        field: &str,
        rhs: impl Into<ExprArg>,
    ) -> Result<Proc> {
        write_config(self, at, config, field, rhs)
    }
}

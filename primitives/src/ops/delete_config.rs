//! ```text
//! s1; Cfg.f = e; s2    ~>    s1; s2
//! ```
//! The versions agree in everything but `Cfg.f`, or in that too where it is overwritten afterwards in any case, or holds
//! the value already.
//!
//! Source: ASPLOS'25 App. A.8; PLDI'22 §6.2. Spec: [rule: delete_config].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::context_extension::{is_control, require_unread};
use crate::tools::requires::definitely_assigned::is_definitely_assigned;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::env::Field;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{Config, Expr, ExprKind, StmtKind};
use rewright_semantics::sym::Name;
use std::sync::Arc;

const SAME: Condition =
    condition("same", "the field holds the value already, where it may be read afterwards");
const UNREAD: Condition = condition("unread", "nothing afterwards reads the field before it is overwritten");

/// The entry of [`delete_config`].
pub static DELETE_CONFIG: Primitive = Primitive {
    name: "delete_config",
    summary: "removes a write to a configuration field; equivalent modulo the field",
    source: "ASPLOS'25 App. A.8",
    params: &[required("stmt_cursor", ArgKind::WriteConfig)],
    conditions: &[SAME, UNREAD],
    exact: Exact::WithoutFields,
    run: |p, args| delete_config(p, args.at("stmt_cursor")?),
};

/// Whether the field is set, and to the value that is written.
fn holds_already(
    rw: &mut Rewrite,
    p: &Proc,
    path: &[Step],
    ctx: &Context,
    (config, field, rhs): (&Arc<Config>, Name, &Expr),
) -> Result<bool> {
    let own = Expr::new(ExprKind::ReadConfig { config: config.clone(), field });
    // Of data, no value is known; and a field that was never set holds none.
    let known = is_control(config, field) && is_definitely_assigned(p.ast(), path, &own, &[]);
    let same = conditions::equal_exprs(ctx, &own, rhs);
    let formula = if known { same.formula.clone() } else { EffExpr::bool(false) };
    rw.holds(&SAME, [Obligation { formula, ..same }])
}

/// Removes a write to a configuration field.
///
/// # Errors
/// The field may be read afterwards, or there is no such write.
pub fn delete_config(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::WriteConfig)?;
    let mut rw = Rewrite::new(p, &DELETE_CONFIG);
    rw.at_stmt("stmt_cursor", &path);
    let StmtKind::WriteConfig { config, field, rhs } = rw.given(&path)?.kind.as_ref().clone() else {
        return Err(rw.internal("no write to a field"));
    };
    let ctx = rw.context_of(&path)?;
    if !holds_already(&mut rw, p, &path, &ctx, (&config, field, &rhs))? {
        require_unread(&mut rw, &UNREAD, &ctx, &[Field::of(&config, field)])?;
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

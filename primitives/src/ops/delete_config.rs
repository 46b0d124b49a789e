//! ```text
//! s1; Cfg.f = e; s2    ~>    s1; s2
//! ```
//! The versions agree in everything but `Cfg.f`, or in that too where it is overwritten afterwards in any case.
//!
//! - `unread`: nothing afterwards reads `Cfg.f` before it is overwritten: not in a later iteration either. Breaks
//!   without it: `Cfg.f = 1; if Cfg.f == 1: x[0] = 1.0`.
//!
//! Source: ASPLOS'25 App. A.8; PLDI'22 §6.2. Spec: [rule: delete_config].

use crate::cursor::At;
use crate::cursor::path::Hole;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::registry::{Kind, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::pollution::require_unread;
use crate::version::Proc;
use rewright_effects::env::Field;
use rewright_semantics::ast::StmtKind;

/// The entry of [`delete_config`].
pub static DELETE_CONFIG: Primitive = Primitive {
    name: "delete_config",
    summary: "removes a write to a configuration field; equivalent modulo the field",
    source: "ASPLOS'25 App. A.8",
    params: &[required("stmt_cursor", Kind::WriteConfig)],
    conditions: &[condition("unread", "nothing afterwards reads the field before it is overwritten")],
    run: |p, args| delete_config(p, args.at("stmt_cursor")?),
};

/// Removes a write to a configuration field.
///
/// # Errors
/// The field may be read afterwards, or there is no such write.
pub fn delete_config(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::WriteConfig)?;
    let mut rw = Rewrite::new(p, &DELETE_CONFIG);
    rw.at_stmt("stmt_cursor", &path);
    let StmtKind::WriteConfig { config, field, rhs: _ } = rw.given(&path)?.kind.as_ref().clone() else {
        return Err(rw.internal("no write to a field"));
    };
    let ctx = rw.context_of(&path)?;
    require_unread(&mut rw, "unread", &ctx, &[Field::of(&config, field)])?;
    rw.delete(&Hole::stmt(path));
    rw.finish()
}

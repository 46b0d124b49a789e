//! ```text
//! s1
//! s2    ~>    s2
//!             s1
//! ```
//! `s1` and `s2` are two statements or runs of statements, one right after the other. Where each sets a register, which nothing
//! but instructions sets, the versions agree in everything but that, or in that too where it is set again.
//!
//! Source: ASPLOS'25 App. A.2; PLDI'22 §5.7. Spec: [rule: reorder_stmts].

use crate::cursor::At;
use crate::cursor::path::{Hole, Place, member, run_at};
use crate::cursor::resolve;
use crate::error::{InvalidCursor, Result};
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::context_extension::require_unread;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::env::Field;
use rewright_effects::names::{bound_names, free_names};

const SCOPE: Condition = form("scope", "the second statement does not use what the first defines");
const COMMUTE: Condition = condition("commute", "neither statement touches a place that the other changes");
const UNREAD: Condition =
    condition("unread", "no register that both set is read afterwards before it is set again");

/// The entry of [`reorder_stmts`].
pub static REORDER_STMTS: Primitive = Primitive {
    name: "reorder_stmts",
    summary: "swaps two statements that stand one after the other",
    source: "ASPLOS'25 App. A.2",
    params: &[required("block_cursor", ArgKind::StmtPair)],
    conditions: &[SCOPE, COMMUTE, UNREAD],
    exact: Exact::Always,
    run: |p, args| reorder_stmts(p, args.at("block_cursor")?),
};

/// `s1; s2 ~> s2; s1`. The block that is pointed at has two statements.
///
/// # Errors
/// The statements do not commute, or there are not two.
pub fn reorder_stmts(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let pair = resolve::block(p, &at.into())?;
    if pair.len != 2 {
        return Err(InvalidCursor::new(format!("expected two statements, got {}", pair.len)).into());
    }
    let mut rw = Rewrite::new(p, &REORDER_STMTS);
    rw.at("block_cursor", Place::Block(pair.clone()));
    let ctx = rw.context(&pair)?;
    let second = member(&pair, 1);
    let one = |path: &[_]| run_at(p.ast(), &Hole::stmt(path)).unwrap_or_default();
    let (s1, s2) = (one(&pair.path), one(&second));
    let used = bound_names(&s1).into_iter().find(|x| free_names(&s2).contains(x));
    rw.require_that(&SCOPE, used.is_none(), || match used {
        Some(x) => format!("`{x}` is defined by the first statement and used by the second"),
        None => String::new(),
    })?;
    let commute = |registers: &[Field]| {
        let all = conditions::commutes_but_for(&ctx, &s1, &s2, registers);
        all.into_iter().filter(|ob| ob.id.0 != "scope").collect::<Vec<_>>()
    };
    let registers = conditions::registers_of_both(&ctx, &s1, &s2);
    if registers.is_empty() || !rw.holds(&COMMUTE, commute(&[]))? {
        rw.require(&COMMUTE, commute(&registers))?;
        require_unread(&mut rw, &UNREAD, (&pair.path, &ctx), &registers, &[])?;
    }
    rw.move_to(&Hole::stmt(second), &pair.path);
    rw.finish()
}

impl Proc {
    /// Swaps two statements that stand one after the other: [`reorder_stmts`](fn@reorder_stmts).
    ///
    /// # Errors
    /// As the function.
    pub fn reorder_stmts(&self, at: impl Into<At>) -> Result<Proc> {
        reorder_stmts(self, at)
    }
}

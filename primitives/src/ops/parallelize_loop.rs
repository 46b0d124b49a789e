//! ```text
//! for i in seq(lo, hi): s    ~>    for i in par(lo, hi): s
//! ```
//! Source: ASPLOS'25 App. A.7, which leaves it to the back end. Spec: [rule: parallelize_loop].

use crate::cursor::At;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions::parallel_from_outside;
use rewright_semantics::ast::LoopMode;

const RACES: Condition = condition("races", "no two iterations touch a place that one of them changes");

/// The entry of [`parallelize_loop`].
pub static PARALLELIZE_LOOP: Primitive = Primitive {
    name: "parallelize_loop",
    summary: "lets the iterations of a loop run at once",
    source: "ASPLOS'25 App. A.7",
    params: &[required("loop_cursor", ArgKind::Loop)],
    conditions: &[RACES],
    exact: Exact::Always,
    run: |p, args| parallelize_loop(p, args.at("loop_cursor")?),
};

/// Lets the iterations of a loop run at once.
///
/// # Errors
/// Two iterations may meet, or there is no loop.
pub fn parallelize_loop(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &PARALLELIZE_LOOP);
    rw.at_stmt("loop_cursor", &path);
    let l = rw.given_loop(&path)?;
    let ctx = rw.context_of(&path)?;
    let session = rw.session();
    let apart = parallel_from_outside(&ctx, &l.clone().stmt(), |ob| session.decide(ob).is_proved());
    rw.require(&RACES, apart)?;
    rw.reshape_stmt(&path, Kept::unchanged(), |s| match For::of(s) {
        Some(l) => For { mode: LoopMode::Par, ..l }.stmt(),
        None => s.clone(),
    });
    rw.finish()
}

impl Proc {
    /// Lets the iterations of a loop run at once: [`parallelize_loop`](fn@parallelize_loop).
    ///
    /// # Errors
    /// As the function.
    pub fn parallelize_loop(&self, at: impl Into<At>) -> Result<Proc> {
        parallelize_loop(self, at)
    }
}

use rewright_effects::conditions;
use rewright_primitives::cursor::path::{Hole, Place, member, run_at};
use rewright_primitives::cursor::{At, resolve};
use rewright_primitives::error::{InvalidCursor, Result};
use rewright_primitives::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use rewright_primitives::{Proc, Rewrite};

const EQUAL: Condition = form("equal", "both statements are the same");
const IDEMPOTENT: Condition = condition("idempotent", "running the statement again changes nothing");

/// `s; s ~> s`: a statement that is written twice is run once.
pub(super) static MERGE_REPEATS: Primitive = Primitive {
    name: "merge_repeats",
    summary: "runs a statement once that is written twice",
    source: "the tutorial",
    params: &[required("block_cursor", ArgKind::StmtPair)],
    conditions: &[EQUAL, IDEMPOTENT],
    exact: Exact::Never,
    run: |p, args| merge_repeats(p, args.at("block_cursor")?),
};

fn merge_repeats(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let pair = resolve::block(p, &at.into())?;
    if pair.len != 2 {
        return Err(InvalidCursor::new("expected two statements").into());
    }
    let (first, second) = (Hole::stmt(pair.path.clone()), Hole::stmt(member(&pair, 1)));
    let mut rw = Rewrite::new(p, &MERGE_REPEATS);
    rw.at("block_cursor", Place::Block(pair));
    let (s, t) = (run_at(p.ast(), &first).unwrap_or_default(), run_at(p.ast(), &second).unwrap_or_default());
    rw.require_that(&EQUAL, s == t, || "the statements differ")?;
    let ctx = rw.context(&first)?;
    rw.require(&IDEMPOTENT, [conditions::idempotent(&ctx, &s)])?;
    rw.delete(&second);
    rw.finish()
}

//! ```text
//! w = a[lo:hi, j]
//! s[w[i]]         ~>      s[a[lo + i, j]]
//! ```
//! Windows and arguments made from `w` become ones made from `a`, and `stride(w, 0)` becomes `stride(a, 0)`.
//!
//! Source: ASPLOS'25 App. A.6. Spec: [rule: inline_window].

use crate::cursor::At;
use crate::cursor::path::Hole;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Dims;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::buffers::relayout::{Contexts, respell_all};
use crate::tools::buffers::uses::{Spelling, Use, What, rest_of_block, uses_of};
use crate::tools::syntax::windows::{cell, composed, ends, kept};
use crate::version::Proc;
use rewright_effects::context::Context;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Expr, StmtKind, WindowExpr};
use rewright_semantics::build::stride;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::Form;

const STABLE: Condition =
    condition("stable", "the coordinates of the window are the same at every use of it");

/// The entry of [`inline_window`].
pub static INLINE_WINDOW: Primitive = Primitive {
    name: "inline_window",
    summary: "uses the buffer itself instead of a window of it",
    source: "ASPLOS'25 App. A.6",
    params: &[required("winstmt_cursor", ArgKind::WindowStmt)],
    conditions: &[STABLE, READABLE],
    exact: Exact::Never,
    run: |p, args| inline_window(p, args.at("winstmt_cursor")?),
};

/// Replaces a window by what it shows.
///
/// # Errors
/// A condition fails, or there is no window statement.
pub fn inline_window(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::WindowStmt)?;
    let mut rw = Rewrite::new(p, &INLINE_WINDOW);
    rw.at_stmt("winstmt_cursor", &path);
    let (w, shown) = parts(&rw, &path)?;
    let made = rw.context_of(&path)?;
    let (mut spellings, mut same, mut contexts) = (Vec::new(), Vec::new(), Contexts::default());
    for u in uses_of(p.ast(), &rest_of_block(p.ast(), &path), w) {
        same.extend(same_coords(&made, contexts.at(&rw, &u.stmt)?, &u, &shown));
        let new =
            spelt(rw.form(), &u, &shown).ok_or_else(|| rw.internal("a use of the window cannot be spelt"))?;
        spellings.push((u, new));
    }
    rw.require(&STABLE, same)?;
    for (u, _) in &spellings {
        rw.require_no_race(&u.stmt, &ends(&shown))?;
    }
    let dims = Dims::new(shown.idx.len(), |d| kept(&shown, d));
    respell_all(&mut rw, spellings, &dims);
    rw.delete(&Hole::stmt(path));
    rw.finish()
}

impl Proc {
    /// Uses the buffer itself instead of a window of it: [`inline_window`](fn@inline_window).
    ///
    /// # Errors
    /// As the function.
    pub fn inline_window(&self, at: impl Into<At>) -> Result<Proc> {
        inline_window(self, at)
    }
}

fn parts(rw: &Rewrite, path: &[crate::cursor::path::Step]) -> Result<(Sym, WindowExpr)> {
    match rw.given(path)?.kind.as_ref() {
        StmtKind::WindowStmt { name, rhs } => Ok((*name, rhs.clone())),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::Call { .. } => Err(rw.internal("no window statement")),
    }
}

/// What a use of the window is in terms of the buffer.
fn spelt(form: Form, u: &Use, shown: &WindowExpr) -> Option<Spelling> {
    Some(match &u.what {
        What::Assigned(idx) | What::Reduced(idx) | What::Read(idx) | What::CellPassed(idx) => {
            Spelling::Cell(shown.name, cell(form, shown, idx))
        }
        What::Viewed(_, inner) | What::PartPassed(inner) => {
            Spelling::Part(WindowExpr { name: shown.name, idx: composed(form, shown, &inner.idx).into() })
        }
        What::Passed { .. } => Spelling::Part(shown.clone()),
        What::Stride(d) => Spelling::Value(stride(shown.name, kept(shown, *d)?)),
    })
}

/// The coordinates have at a use the values that they have where the window is made; nothing is asked where that
/// is plain.
fn same_coords(made: &Context, here: &Context, u: &Use, shown: &WindowExpr) -> Vec<Obligation> {
    let same = |e: &Expr| {
        let formula = EffExpr::definitely(EffExpr::eq(made.lift(e), here.lift(e)));
        let sentence = "the coordinates of the window have the same value at this use";
        (!formula.is_true())
            .then(|| here.obligation(ConditionId("equal"), sentence, formula).at(u.span, "this use"))
    };
    ends(shown).into_iter().filter_map(same).collect()
}

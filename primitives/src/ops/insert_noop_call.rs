//! ```text
//! s1; s2    ~>    s1; f(e, …); s2
//! ```
//! where `f` does nothing: a prefetch, for example, that is modelled so (PLDI'22 §3.2.2); or nothing that is needed: the lanes of a
//! register behind the last column, which are cheaper to compute than to leave out.
//!
//! Source: Exo. Spec: [rule: insert_noop_call].

use crate::cursor::path::{Hole, Place, Step, stmt_at};
use crate::cursor::{At, fragment, resolve};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, Value, condition, form, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::calls::{Required, safely};
use crate::tools::requires::noop::does_nothing;
use crate::tools::requires::tentative::parallel_around;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::analysis::Analysis;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::names::{fields_in_block, fields_in_expr};
use rewright_semantics::ast::{self, Block, Expr, StmtKind};
use rewright_semantics::build::{block, call};
use rewright_semantics::span::Span;
use rewright_semantics::syntax::walk::each_stmt;

const NOOP: Condition =
    condition("noop", "the procedure reads and writes no field, and nothing needs the cells that it changes");
const SIZES: Condition = condition("sizes", "the sizes that are passed are at least 1");
const WINDOWS: Condition = condition("windows", "the parts of buffers that are passed exist");
const ASSERTS: Condition = condition("asserts", "the assertions of the procedure hold");
const BOUNDS: Condition = condition("bounds", "the procedure accesses only what it is given");
const ALIASING: Condition = form("aliasing", "what the procedure changes is passed to it once");
const THREADS: Condition = condition(
    "threads",
    "no other iteration of a parallel loop touches what the procedure changes or changes what it reads",
);

/// The entry of [`insert_noop_call`].
pub static INSERT_NOOP_CALL: Primitive = Primitive {
    name: "insert_noop_call",
    summary: "calls a procedure that does nothing that is needed",
    source: "Exo",
    params: &[
        required("gap_cursor", ArgKind::Gap),
        required("instr", ArgKind::Proc),
        required("args", ArgKind::Arguments),
    ],
    conditions: &[NOOP, SIZES, WINDOWS, ASSERTS, BOUNDS, ALIASING, READABLE, THREADS],
    exact: Exact::Always,
    run: |p, args| {
        let texts = args.texts("args")?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        insert_noop_call(p, args.at("gap_cursor")?, &args.proc("instr")?, &texts)
    },
};

/// Calls a procedure that does nothing, or changes only what nothing needs.
///
/// # Errors
/// A condition fails, there is no gap, or an argument cannot be read.
pub fn insert_noop_call(p: &Proc, at: impl Into<At>, instr: &Proc, args: &[&str]) -> Result<Proc> {
    let gap = resolve::gap(p, &at.into())?;
    let mut rw = Rewrite::new(p, &INSERT_NOOP_CALL);
    rw.at("gap_cursor", Place::Gap(gap.clone()));
    rw.arg("instr", Value::Proc(instr.clone()));
    rw.arg("args", args);
    let callee = instr.ast();
    if callee.name == p.name() {
        return Err(rw.wrong_argument(format!("`{}` would call a procedure of its own name", p.name())));
    }
    if callee.args.len() != args.len() {
        let (name, takes) = (callee.name, callee.args.len());
        return Err(rw.wrong_argument(format!("`{name}` takes {takes} arguments, not {}", args.len())));
    }
    let path = gap.position();
    let read = |(text, formal): (&&str, &ast::Arg)| {
        fragment::argument(p, &path, text, &formal.typ).map_err(|e| rw.wrong_argument(e.to_string()))
    };
    let exprs = args.iter().zip(&callee.args).map(read).collect::<Result<Vec<Expr>>>()?;

    let ctx = rw.context(&Hole { path: path.clone(), len: 0 })?;
    rw.require_readable(&path, &exprs.iter().collect::<Vec<_>>(), &[], None)?;
    let Required { sizes, windows, asserts, aliasing } = Required::of(&ctx, callee, &exprs, Span::NONE);
    let touches_field = touches_field(&ctx.analysis, callee);
    rw.require_that(&NOOP, !touches_field, || format!("`{}` reads or writes a field", callee.name))?;
    rw.require(&SIZES, sizes)?;
    rw.require(&WINDOWS, windows)?;
    rw.require(&ASSERTS, asserts)?;
    let new = block([call(callee, exprs.clone())]);
    if !callee.body.iter().all(does_nothing) {
        rw.require(&BOUNDS, safely(p.session(), &ctx, callee, &exprs))?;
        rw.require(&ALIASING, aliasing)?;
        rw.require(&NOOP, [conditions::dead_changes(&ctx, &new)])?;
        require_no_threads(&mut rw, &path, &ctx, &new)?;
    }
    rw.insert(&path, new);
    rw.finish()
}

/// No iteration of a parallel loop around the gap shares with another one a buffer that the call changes, or of which it reads
/// what they change.
fn require_no_threads(rw: &mut Rewrite, path: &[Step], ctx: &Context, new: &Block) -> Result<()> {
    for at in parallel_around(rw.ast(), path) {
        let Some(around) = stmt_at(rw.ast(), &at).and_then(For::of) else { continue };
        let outside = rw.context(&Hole::stmt(at))?;
        let shared = conditions::shared_by_iterations(ctx, new, &outside, &around.body);
        rw.require_that(&THREADS, shared.is_none(), || match shared {
            Some(x) => format!("the iterations of the parallel loop over `{}` share `{x}`", around.iter),
            None => String::new(),
        })?;
    }
    Ok(())
}

impl Proc {
    /// Calls a procedure that does nothing: [`insert_noop_call`](fn@insert_noop_call).
    ///
    /// # Errors
    /// As the function.
    pub fn insert_noop_call(&self, at: impl Into<At>, instr: &Proc, args: &[&str]) -> Result<Proc> {
        insert_noop_call(self, at, instr, args)
    }
}

/// Whether a procedure, or one that it calls, reads or writes a field.
fn touches_field(an: &Analysis, p: &ast::Proc) -> bool {
    let mut found = !an.touched_fields(&p.body).is_empty();
    fields_in_block(&p.body, &mut |_, _| found = true);
    let asked = rewright_effects::analysis::shapes(p).chain(&p.preds);
    asked.for_each(|e| fields_in_expr(e, &mut |_, _| found = true));
    let mut called = Vec::new();
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Call { proc, .. } = s.kind.as_ref() {
            called.push(proc.clone());
        }
    });
    found || called.iter().any(|p| touches_field(an, p))
}

//! ```text
//! s1; s2    ~>    s1; f(e, …); s2
//! ```
//! where `f` does nothing: a prefetch, for example, that is modelled so. PLDI'22 §3.2.2.
//!
//! Source: Exo. Spec: [rule: insert_noop_call].

use crate::cursor::path::{Hole, Place};
use crate::cursor::{At, fragment, resolve};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, Value, condition, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::calls::Required;
use crate::tools::requires::noop::does_nothing;
use crate::version::Proc;
use rewright_effects::names::{fields_in_block, fields_in_expr};
use rewright_semantics::ast::{self, Expr};
use rewright_semantics::build::{block, call};
use rewright_semantics::span::Span;

const NOOP: Condition = condition("noop", "the procedure does nothing, and reads no field");
const SIZES: Condition = condition("sizes", "the sizes that are passed are at least 1");
const WINDOWS: Condition = condition("windows", "the parts of buffers that are passed exist");
const ASSERTS: Condition = condition("asserts", "the assertions of the procedure hold");

/// The entry of [`insert_noop_call`].
pub static INSERT_NOOP_CALL: Primitive = Primitive {
    name: "insert_noop_call",
    summary: "calls a procedure that does nothing",
    source: "Exo",
    params: &[
        required("gap_cursor", ArgKind::Gap),
        required("instr", ArgKind::Proc),
        required("args", ArgKind::Arguments),
    ],
    conditions: &[NOOP, SIZES, WINDOWS, ASSERTS, READABLE],
    exact: Exact::Always,
    run: |p, args| {
        let texts = args.texts("args")?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        insert_noop_call(p, args.at("gap_cursor")?, &args.proc("instr")?, &texts)
    },
};

/// Calls a procedure that does nothing.
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

    rw.require_that(&NOOP, is_noop(callee), || format!("`{}` may do something", callee.name))?;
    let ctx = rw.context(&Hole { path: path.clone(), len: 0 })?;
    rw.require_readable(&path, &exprs.iter().collect::<Vec<_>>(), &[], None)?;
    let Required { sizes, windows, asserts, aliasing: _ } = Required::of(&ctx, callee, &exprs, Span::NONE);
    rw.require(&SIZES, sizes)?;
    rw.require(&WINDOWS, windows)?;
    rw.require(&ASSERTS, asserts)?;
    rw.insert(&path, block([call(callee, exprs)]));
    rw.finish()
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

/// Whether a procedure does nothing whatever the state.
fn is_noop(p: &ast::Proc) -> bool {
    let mut reads = false;
    fields_in_block(&p.body, &mut |_, _| reads = true);
    rewright_effects::analysis::shapes(p)
        .chain(&p.preds)
        .for_each(|e| fields_in_expr(e, &mut |_, _| reads = true));
    !reads && p.body.iter().all(does_nothing)
}

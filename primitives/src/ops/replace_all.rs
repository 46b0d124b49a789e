//! ```text
//! s1; for i: s2    ~>    f(…); for i: g(…)
//! ```
//! Replaces every run of statements that is the body of one of the procedures, those that come first in the list
//! first, and outer statements before inner ones. Each is a step of `replace`, with its conditions; what is refused
//! stays as it is. So does what lives in other memories than the procedure takes: by its body alone, a load cannot be
//! told from a store.
//!
//! Source: Exo. Spec: [rule: replace_all].

use super::replace::{lengths, replace_if_of_form};
use crate::cursor::path::{Hole, Step, block_of, child, shifted, stmt_at};
use crate::error::{Error, Result};
use crate::registry::{ArgKind, Exact, Primitive, required};
use crate::tools::syntax::stmt_views::Call;
use crate::version::Proc;
use rewright_semantics::ast::{self, ExprKind, WindowExpr};
use rewright_semantics::types::{ArgType, MemName};
/// The entry of [`replace_all`].
pub static REPLACE_ALL: Primitive = Primitive {
    name: "replace_all",
    summary: "puts calls in place of all statements that are the body of one of some procedures",
    source: "Exo",
    params: &[required("subprocs", ArgKind::Procs)],
    conditions: &[],
    exact: Exact::Never,
    run: |p, args| replace_all(p, &args.procs("subprocs")?),
};

/// Puts calls in place of all statements that are the body of one of the procedures.
///
/// # Errors
/// A bug of `replace`: what it refuses stays as it is.
pub fn replace_all(p: &Proc, subprocs: &[Proc]) -> Result<Proc> {
    let (first, mut p) = (p, p.clone());
    let own = p.name();
    for subproc in subprocs.iter().filter(|f| f.name() != own) {
        let mut next = Some(vec![Step::Body(0)]);
        while let Some(path) = next {
            for len in lengths(subproc) {
                let run = Hole { path: path.clone(), len };
                if let Some(new) = replaced(&p.going_on(first), &run, subproc)? {
                    p = new;
                    break;
                }
            }
            next = after(p.ast(), &path);
        }
    }
    Ok(p)
}

impl Proc {
    /// Puts calls in place of all statements that are the body of one of some procedures: [`replace_all`](fn@replace_all).
    ///
    /// # Errors
    /// As the function.
    pub fn replace_all(&self, subprocs: &[Proc]) -> Result<Proc> {
        replace_all(self, subprocs)
    }
}

/// The version with a call in place of this run of statements, if they are its body.
fn replaced(p: &Proc, run: &Hole, subproc: &Proc) -> Result<Option<Proc>> {
    if !exists(p, run) {
        return Ok(None);
    }
    match replace_if_of_form(p, run, subproc)? {
        Some(Ok(new)) => Ok(lives_right(&new, &run.path).then_some(new)),
        Some(Err(Error::Scheduling(_) | Error::InvalidCursor(_))) | None => Ok(None),
        Some(Err(bug @ Error::Internal { .. })) => Err(bug),
    }
}

/// The path of the statement that comes after this one in the text, what is in it first.
fn after(p: &ast::Proc, path: &[Step]) -> Option<Vec<Step>> {
    let exists = |path: Vec<Step>| stmt_at(p, &path).is_some().then_some(path);
    let within = |path: &[Step], step: Step| exists(child(path, step));
    if let Some(inside) = within(path, Step::Body(0)).or_else(|| within(path, Step::Orelse(0))) {
        return Some(inside);
    }
    let mut path = path.to_vec();
    loop {
        if let Some(neighbour) = exists(shifted(&path, 1)) {
            return Some(neighbour);
        }
        let left = path.pop()?;
        if path.is_empty() {
            return None;
        }
        if let Some(orelse) = within(&path, Step::Orelse(0)).filter(|_| matches!(left, Step::Body(_))) {
            return Some(orelse);
        }
    }
}

/// Whether the buffers that a call passes live where the callee takes them.
fn lives_right(p: &Proc, path: &[Step]) -> bool {
    let (Some(env), Some(call)) = (p.env_at(path), stmt_at(p.ast(), path).and_then(Call::of)) else {
        return false;
    };
    let in_main = |m: MemName| matches!(m.0.as_str(), "DRAM" | "DRAM_STACK" | "DRAM_STATIC");
    call.proc.args.iter().zip(call.args.iter()).all(|(formal, e)| match (&formal.typ, &e.kind) {
        (
            ArgType::Data { mem, .. },
            ExprKind::Read { name, .. } | ExprKind::Window(WindowExpr { name, .. }),
        ) => env.memory(*name).is_some_and(|m| m == *mem || (in_main(m) && in_main(*mem))),
        (ArgType::Data { .. } | ArgType::Control(_), _) => true,
    })
}

fn exists(p: &Proc, run: &Hole) -> bool {
    let left = block_of(p.ast(), &run.path).zip(run.path.last());
    left.is_some_and(|(b, first)| first.index() + run.len <= b.len())
}

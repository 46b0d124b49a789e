//! An argument whose two dimensions are swapped: Exo's `Procedure.transpose`.

use crate::failure::Failure;
use crate::handles::{Cursor, Proc};
use crate::task::work;
use pyo3::prelude::*;
use rewright_primitives::cursor::path::Step;
use rewright_primitives::ops::rearrange_dim::rearrange_dim;
use rewright_semantics::ast::{self, Expr, ExprKind, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_expr, rebuild};
use rewright_semantics::types::{ArgType, ArrayKind, BufferType};

/// The procedure with the dimensions of an argument swapped; nothing relates it to the one before.
///
/// # Errors
/// The program tells the layouts apart.
#[pyfunction]
pub(crate) fn transposed(py: Python<'_>, proc: &Proc, arg: &Cursor) -> PyResult<Proc> {
    work(py, || {
        let name = arg.cursor.name()?;
        let made = swapped(&proc.proc, name.as_str())?;
        let root = proc.proc.session().root_among(made, proc.proc.configs().iter().cloned());
        Ok(Proc { proc: root, env: proc.env.clone() })
    })
}

/// The argument becomes an allocation, whose dimensions are put in the other order, and an argument again.
fn swapped(p: &rewright_primitives::Proc, name: &str) -> Result<ast::Proc, Failure> {
    let old = p.ast();
    let missing = || Failure::argument(format!("`{name}` is no argument with two dimensions"));
    let at = old.args.iter().position(|a| a.name.name().as_str() == name).ok_or_else(missing)?;
    let formal = old.args.get(at).ok_or_else(missing)?;
    let ArgType::Data { typ, mem } = &formal.typ else { return Err(missing()) };
    let is_window = typ.kind == ArrayKind::Window;
    let dense = BufferType { kind: ArrayKind::Tensor, ..typ.clone() };
    let alloc = Stmt::new(StmtKind::Alloc { name: formal.name, typ: dense, mem: *mem });
    let mut inner = ast::Proc::clone(old);
    inner.args.remove(at);
    inner.preds.retain(|e| !strides_of(e, formal.name));
    inner.body.push_front(alloc);
    inner.instr = None;
    let inner = p.session().root_among(inner, p.configs().iter().cloned());
    let place = rewright_primitives::Cursor::new(
        &inner,
        rewright_primitives::cursor::path::Place::Stmt(vec![Step::Body(0)]),
    )?;
    let done = rearrange_dim(&inner, place, &[1, 0])?;
    let mut made = ast::Proc::clone(done.ast());
    let shape = match made.body.pop_front().as_ref().map(|s| s.kind.as_ref()) {
        Some(StmtKind::Alloc { typ, .. }) => typ.shape.clone(),
        Some(_) | None => return Err(missing()),
    };
    let typ = ArgType::Data { typ: BufferType { shape, ..typ.clone() }, mem: *mem };
    made.args.insert(at, ast::Arg { typ, ..formal.clone() });
    made.preds = old
        .preds
        .iter()
        .map(|e| if is_window { swapped_strides(e, formal.name) } else { e.clone() })
        .collect();
    made.instr = old.instr.clone();
    Ok(made)
}

/// Whether an assertion speaks of the strides of an argument.
fn strides_of(e: &Expr, name: Sym) -> bool {
    let mut found = false;
    each_expr(e, &mut |e| found |= e.kind.stride_of().is_some_and(|(x, _)| x == name));
    found
}

/// The assertion with the strides of an argument swapped. Those of one that is no window are what its shape says.
fn swapped_strides(e: &Expr, name: Sym) -> Expr {
    rebuild(e, &mut |e| {
        let (name, dim) = e.kind.stride_of().filter(|(x, _)| *x == name)?;
        Some(Expr::at(ExprKind::Stride { name, dim: 1 - dim }, e.span))
    })
}

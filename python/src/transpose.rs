//! An argument whose two dimensions are swapped: Exo's `Procedure.transpose`.

use crate::failure::Failure;
use crate::handles::{Cursor, Proc};
use crate::task::work;
use pyo3::prelude::*;
use rewright_primitives::cursor::path::Step;
use rewright_primitives::ops::rearrange_dim::rearrange_dim;
use rewright_semantics::ast::{self, Stmt, StmtKind};
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
    let dense = BufferType { kind: ArrayKind::Tensor, ..typ.clone() };
    let alloc = Stmt::new(StmtKind::Alloc { name: formal.name, typ: dense, mem: *mem });
    let mut inner = ast::Proc::clone(old);
    inner.args.remove(at);
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
    made.instr = old.instr.clone();
    Ok(made)
}

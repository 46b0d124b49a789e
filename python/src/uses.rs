//! What statements do with a buffer. Spec: [rule: python.exo-operations].

use crate::handles::Cursor;
use crate::task::work;
use pyo3::prelude::*;
use rewright_primitives::cursor::path::{Hole, Place, Step};
use rewright_primitives::tools::buffers::uses::{Use, What, uses_of};
use rewright_semantics::pretty::names_of_proc;
use rewright_semantics::sym::{Name, Sym};

/// Whether a statement mentions, reads, assigns and adds to a buffer, and how many dimensions its accesses show. A window of a
/// buffer, and a buffer that is passed, counts as read.
type Uses = (bool, bool, bool, bool, Option<usize>);

/// For each of the statements, what it does with the buffer of a name: the innermost whose own it is, or the one that is printed
/// so.
///
/// # Errors
/// The cursor points at no statements.
#[pyfunction]
pub(crate) fn uses(py: Python<'_>, at: &Cursor, name: &str) -> PyResult<Vec<Uses>> {
    work(py, || {
        let p = at.cursor.proc();
        let of_stmt = |path: &Vec<Step>| {
            let run = Hole::stmt(path.clone());
            let found = buffer(p, path, name).map(|x| uses_of(p.ast(), &run, x)).unwrap_or_default();
            found.iter().fold((false, false, false, false, None), with)
        };
        let stmts = at.cursor.stmts()?;
        Ok(stmts
            .iter()
            .filter_map(|c| if let Place::Stmt(path) = c.place() { Some(of_stmt(path)) } else { None })
            .collect())
    })
}

/// What a name means just before a statement.
fn buffer(p: &rewright_primitives::Proc, path: &[Step], name: &str) -> Option<Sym> {
    let (visible, env) = (p.visible_at(path)?, p.env_at(path)?);
    let mut buffers = visible.iter().rev().copied().filter(|x| env.buffer(*x).is_some());
    let own = buffers.clone().find(|x| x.name().as_str() == name);
    own.or_else(|| {
        let printed = names_of_proc(p.ast());
        buffers.find(|x| printed.get(x) == Some(&Name::new(name)))
    })
}

fn with((_, reads, assigns, reduces, rank): Uses, of: &Use) -> Uses {
    let (read, assigned, reduced, indices) = match &of.what {
        What::Assigned(idx) => (false, true, false, idx.len()),
        What::Reduced(idx) => (false, false, true, idx.len()),
        What::Read(idx) | What::CellPassed(idx) => (true, false, false, idx.len()),
        What::PartPassed(w) | What::Viewed(_, w) => (true, false, false, w.idx.len()),
        What::Passed { .. } => (true, false, false, 0),
        What::Stride(_) => (false, false, false, 0),
    };
    let rank = rank.or((indices > 0).then_some(indices));
    (true, reads || read, assigns || assigned, reduces || reduced, rank)
}

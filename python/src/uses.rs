//! What statements do with a buffer. Spec: [rule: python.exo-operations].

use crate::handles::Cursor;
use crate::task::work;
use pyo3::prelude::*;
use rewright_semantics::ast::{Expr, ExprKind, Stmt, StmtKind, WindowExpr};
use rewright_semantics::build::block;
use rewright_semantics::pretty::names_of_proc;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::walk::{each_expr, each_operand, each_stmt};

/// Whether a statement mentions, reads, assigns and adds to a buffer, and how many dimensions its accesses show. A window of a
/// buffer, and a buffer that is passed, counts as read.
type Uses = (bool, bool, bool, bool, Option<usize>);

/// For each of the statements, what it does with the buffers of a name: their own, or that by which they are printed.
///
/// # Errors
/// The cursor points at no statements.
#[pyfunction]
pub(crate) fn uses(py: Python<'_>, at: &Cursor, name: &str) -> PyResult<Vec<Uses>> {
    work(py, || {
        let stmts = at.cursor.stmts()?.into_iter().map(|c| c.stmt()).collect::<Result<Vec<_>, _>>()?;
        let name = Name::new(name);
        // Only a number makes a printed name another one than the variable's own.
        let numbered = name.as_str().rsplit('_').next().is_some_and(|n| n.parse::<u64>().is_ok());
        let printed = numbered.then(|| names_of_proc(at.cursor.proc().ast()));
        let meant =
            |x: Sym| x.name() == name || printed.as_ref().is_some_and(|names| names.get(&x) == Some(&name));
        Ok(stmts.into_iter().map(|s| of_stmt(s, &meant)).collect())
    })
}

fn of_stmt(s: Stmt, meant: &impl Fn(Sym) -> bool) -> Uses {
    let mut found = Found { meant, uses: (false, false, false, false, None) };
    each_stmt(&block([s]), &mut |s| {
        found.stmt(s);
        each_operand(s, &mut |_, e| each_expr(e, &mut |e| found.expr(e)));
    });
    found.uses
}

struct Found<'m, M> {
    meant: &'m M,
    uses: Uses,
}

impl<M: Fn(Sym) -> bool> Found<'_, M> {
    /// Notes an access with so many indices; what kind it is, the caller notes.
    fn accessed(&mut self, x: Sym, indices: usize) -> bool {
        let is_meant = (self.meant)(x);
        if is_meant {
            self.uses.0 = true;
            self.uses.4 = self.uses.4.or((indices > 0).then_some(indices));
        }
        is_meant
    }

    fn stmt(&mut self, s: &Stmt) {
        match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs: _ } => self.uses.2 |= self.accessed(*name, idx.len()),
            StmtKind::Reduce { name, idx, rhs: _ } => self.uses.3 |= self.accessed(*name, idx.len()),
            StmtKind::WindowStmt { name: _, rhs } => self.window(rhs),
            StmtKind::Alloc { name, typ: _, mem: _ } => {
                self.accessed(*name, 0);
            }
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Call { .. } => {}
        }
    }

    fn window(&mut self, w: &WindowExpr) {
        self.uses.1 |= self.accessed(w.name, w.idx.len());
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Read { name, idx } => self.uses.1 |= self.accessed(*name, idx.len()),
            ExprKind::Window(w) => self.window(w),
            ExprKind::Stride { name, dim: _ } => {
                self.accessed(*name, 0);
            }
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::ReadConfig { .. } => {}
        }
    }
}

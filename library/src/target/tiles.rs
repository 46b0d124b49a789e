//! Instructions on tiles of a matrix in memory.

use rewright_primitives::Proc;
use rewright_semantics::ast::{self, Expr, Module, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;
use rewright_semantics::types::{ArgType, DataType, MemName};

/// The instruction of a module that transposes a square tile of a precision in memory, and how many rows that has.
pub(super) fn transposition(module: &Module, precision: DataType) -> Option<(i64, Proc)> {
    let instructions = module.procs.iter().filter(|p| p.instr.is_some());
    instructions
        .filter(|p| has_precision(p, precision))
        .find_map(|p| Some((transposed(p)?, Proc::root(p.clone()))))
}

fn has_precision(p: &ast::Proc, precision: DataType) -> bool {
    p.args.iter().all(
        |a| matches!(&a.typ, ArgType::Data { typ, mem } if typ.elem == precision && *mem == MemName::dram()),
    )
}

/// The rows of the tile, if a procedure is `for i in seq(0, n): for j in seq(0, n): x[j, i] = y[i, j]`.
fn transposed(p: &ast::Proc) -> Option<i64> {
    let (i, n, body) = counted(only(&p.body)?)?;
    let (j, m, body) = counted(only(body)?)?;
    let StmtKind::Assign { idx, rhs, .. } = only(body)?.kind.as_ref() else { return None };
    let (_, read) = rhs.kind.read()?;
    (n == m && variables(idx) == [Some(j), Some(i)] && variables(read) == [Some(i), Some(j)]).then_some(n)
}

fn only(body: &ast::Block) -> Option<&Stmt> {
    body.get(0).filter(|_| body.len() == 1)
}

/// The variable, the number of iterations and the body of a loop that counts from 0 to a number.
fn counted(s: &Stmt) -> Option<(Sym, i64, &ast::Block)> {
    let StmtKind::For { iter, lo, hi, body, .. } = s.kind.as_ref() else { return None };
    (fold::as_int(lo) == Some(0)).then_some((*iter, fold::as_int(hi)?, body))
}

fn variables(idx: &[Expr]) -> Vec<Option<Sym>> {
    idx.iter().map(|e| e.kind.read().filter(|(_, idx)| idx.is_empty()).map(|(x, _)| x)).collect()
}

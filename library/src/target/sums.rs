//! Instructions that add up the lanes of several registers at once.

use super::read;
use rewright_primitives::Proc;
use rewright_semantics::ast::{self, Module, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;
use rewright_semantics::types::{ArgType, DataType, MemName};

/// The instruction of a module that adds the lanes of each of its registers, from the second, to a lane of the first.
pub(super) fn sums(module: &Module, memory: MemName, precision: DataType, lanes: i64) -> Option<Proc> {
    let has_registers = |p: &ast::Proc| {
        let is_register = |arg: &ast::Arg| matches!(&arg.typ, ArgType::Data { typ, mem } if *mem == memory && typ.elem == precision);
        i64::try_from(p.args.len()) == Ok(lanes + 1) && p.args.iter().all(is_register)
    };
    let instructions = module.procs.iter().filter(|p| p.instr.is_some() && has_registers(p));
    instructions.filter(|p| adds_up(p, lanes)).map(|p| Proc::root(p.clone())).next()
}

/// Whether a procedure is `for i in seq(0, n): dst[k] += r[i]` for each lane k, with another r for each.
fn adds_up(p: &ast::Proc, lanes: i64) -> bool {
    let [dst, registers @ ..] = &p.args[..] else { return false };
    let is_sum = |(k, (s, register)): (i64, (&Stmt, &ast::Arg))| {
        sum(s, lanes).is_some_and(|found| found == (dst.name, k, register.name))
    };
    p.body.len() == registers.len() && (0..).zip(p.body.iter().zip(registers)).all(is_sum)
}

/// The names x and y and the number k of `for i in seq(0, lanes): x[k] += y[i]`.
fn sum(s: &Stmt, lanes: i64) -> Option<(Sym, i64, Sym)> {
    let StmtKind::For { iter, lo, hi, body, .. } = s.kind.as_ref() else { return None };
    let only = body.get(0).filter(|_| body.len() == 1)?;
    let StmtKind::Reduce { name, idx, rhs } = only.kind.as_ref() else { return None };
    let ([k], (y, [i])) = (&idx[..], rhs.kind.read()?) else { return None };
    let whole = fold::as_int(lo) == Some(0) && fold::as_int(hi) == Some(lanes) && read(i) == Some(*iter);
    Some((*name, fold::as_int(k)?, y)).filter(|_| whole)
}

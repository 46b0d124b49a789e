//! Instructions that move one lane of a register.

use super::read;
use rewright_primitives::Proc;
use rewright_semantics::ast::{self, Module, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, DataType, MemName};

/// What moves a lane out of a register, into a scalar in memory, and what moves one in.
#[derive(Clone, Debug)]
pub(crate) struct LaneMoves {
    pub(crate) out: Proc,
    pub(crate) into: Proc,
}

/// Those of a module for registers of a precision.
pub(super) fn moves(module: &Module, memory: MemName, precision: DataType) -> Option<LaneMoves> {
    let found = |place| {
        let instructions = module.procs.iter().filter(|p| p.instr.is_some());
        instructions
            .filter(|p| lane(p, memory, precision) == Some(place))
            .map(|p| Proc::root(p.clone()))
            .next()
    };
    Some(LaneMoves { out: found(Register::Read)?, into: found(Register::Written)? })
}

/// What becomes of the register.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Register {
    Read,
    Written,
}

/// Whether a procedure is `x = v[k]` or `v[k] = x`, where all of k, v and x are its arguments.
fn lane(p: &ast::Proc, memory: MemName, precision: DataType) -> Option<Register> {
    let only = p.body.get(0).filter(|_| p.body.len() == 1)?;
    let StmtKind::Assign { name, idx, rhs } = only.kind.as_ref() else { return None };
    let (y, j) = rhs.kind.read()?;
    let is_index = |e| read(e).is_some_and(|k| p.args.iter().any(|a| a.name == k && is_control(&a.typ)));
    let is_register = |x: Sym| {
        p.args.iter().any(|a| {
            a.name == x
                && matches!(&a.typ, ArgType::Data { typ, mem } if *mem == memory && typ.elem == precision)
        })
    };
    match (&idx[..], j) {
        ([], [k]) if is_index(k) && is_register(y) => Some(Register::Read),
        ([k], []) if is_index(k) && is_register(*name) => Some(Register::Written),
        _ => None,
    }
}

fn is_control(t: &ArgType) -> bool {
    match t {
        ArgType::Control(_) => true,
        ArgType::Data { .. } => false,
    }
}

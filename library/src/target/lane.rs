//! Instructions that move one lane of a register.

use super::{Lanes, home, read, shape_of};
use rewright_primitives::Proc;
use rewright_semantics::ast::{self, Module, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;
use rewright_semantics::types::{ArgType, DataType, MemName};

/// What moves a lane out of a register, into a scalar in memory, and what moves one in.
#[derive(Clone, Debug)]
pub(crate) struct LaneMoves {
    pub(crate) out: Proc,
    pub(crate) into: Proc,
    /// What moves one out, and adds its negated multiples to the first lanes, or to the last.
    eliminate: Vec<(Lanes, Proc)>,
}

impl LaneMoves {
    /// The instruction that moves a lane out, and adds its negated multiples to some lanes: `x = v[k]`, then `v[i] += -(x * w[i])`.
    pub(crate) fn eliminate(&self, lanes: Lanes) -> Option<&Proc> {
        self.eliminate.iter().find(|(of, _)| *of == lanes).map(|(_, p)| p)
    }
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
    let eliminate = module.procs.iter().filter(|p| p.instr.is_some());
    let eliminate =
        eliminate.filter_map(|p| Some((eliminates(p, memory, precision)?, Proc::root(p.clone()))));
    Some(LaneMoves {
        out: found(Register::Read)?,
        into: found(Register::Written)?,
        eliminate: eliminate.collect(),
    })
}

/// To which lanes a procedure adds negated multiples of one, after `x = v[k]`.
fn eliminates(p: &ast::Proc, memory: MemName, precision: DataType) -> Option<Lanes> {
    let [first, second] = [0, 1].map(|k| p.body.get(k));
    let (StmtKind::Assign { name, rhs, .. }, StmtKind::For { iter, lo, hi, body, .. }) =
        (first?.kind.as_ref(), second.filter(|_| p.body.len() == 2)?.kind.as_ref())
    else {
        return None;
    };
    let taken = lane_of(first?, p, memory, precision) == Some(Register::Read);
    let lookup = |x: Sym| {
        let arg = p.args.iter().find(|a| a.name == x)?;
        match &arg.typ {
            ArgType::Data { typ, mem } => Some(home(memory, precision, *mem, typ.elem)),
            ArgType::Control(_) => None,
        }
    };
    let shape = shape_of(body.get(0).filter(|_| body.len() == 1)?, *iter, &lookup)?;
    let changes = body.get(0).is_some_and(|s| matches!(s.kind.as_ref(), StmtKind::Reduce { name: v, .. } if Some(*v) == rhs.kind.read().map(|(v, _)| v)));
    let multiplies = format!("{shape}") == "R += -(S * R)" && p.args.iter().any(|a| a.name == *name);
    if !(taken && changes && multiplies) {
        return None;
    }
    Some(if fold::as_int(lo) == Some(0) && fold::as_int(hi).is_none() { Lanes::First } else { Lanes::Last })
}

/// What becomes of the register.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Register {
    Read,
    Written,
}

/// What becomes of the register in a procedure that is `x = v[k]` or `v[k] = x`.
fn lane(p: &ast::Proc, memory: MemName, precision: DataType) -> Option<Register> {
    lane_of(p.body.get(0).filter(|_| p.body.len() == 1)?, p, memory, precision)
}

/// What becomes of the register in `x = v[k]` or `v[k] = x`, where all of k, v and x are arguments.
fn lane_of(s: &ast::Stmt, p: &ast::Proc, memory: MemName, precision: DataType) -> Option<Register> {
    let StmtKind::Assign { name, idx, rhs } = s.kind.as_ref() else { return None };
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

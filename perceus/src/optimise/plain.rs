//! No counting of what is never a cell. Spec: [rule: perceus.plain].
//!
//! Condition: the variable's [kind](crate::code::kinds) is integers alone, or constructors without fields alone. Its operations go.

use crate::code::kinds::Kinds;
use crate::code::{Above, Block, Code, Fork, Fun, Instr, Op};
use crate::vars::Vars;

/// The code without these operations; it says which variables are plain.
#[must_use]
pub fn code(c: &Code) -> Code {
    let kinds = Kinds::of(c);
    c.map(|f| {
        let plain = kinds.plain(f, c).union(&f.plain);
        let body = f.body.map(Above::Nothing, &mut |_, b| block(b, &plain));
        Fun { body, plain, ..f.clone() }
    })
}

fn block(b: Block, plain: &Vars) -> Block {
    let counts = |o: &Op| !plain.contains(o.name());
    let ops = |all: Vec<Op>| all.into_iter().filter(counts).collect();
    let fork = |f: Fork| Fork { then: ops(f.then), otherwise: ops(f.otherwise) };
    let instrs = b.instrs.into_iter().filter_map(|i| match i {
        Instr::Op(o) => counts(&o).then_some(Instr::Op(o)),
        Instr::Unique(x, _) if plain.contains(x) => None,
        Instr::Unique(x, f) => Some(Instr::Unique(x, fork(f))),
        Instr::Token { token, of, fork: f } => Some(Instr::Token { token, of, fork: f.map(fork) }),
        Instr::Val(..) => Some(i),
    });
    Block { instrs: instrs.collect(), end: b.end }
}

//! Loops that choose registers. Spec: [rule: c.unrolled].

use crate::c::lower::Lower;
use crate::c::part::{PartExpr, part_of};
use rewright_semantics::ast::{Block, Expr, ExprKind, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{coords, each_expr, each_stmt, operands};

/// Loops of more iterations are not asked to be written out.
pub(crate) const MOST_WRITTEN_OUT: i64 = 256;

impl Lower<'_> {
    /// Whether the loop variable chooses a register in the body, which has been lowered before.
    pub(crate) fn chooses_registers(&self, iter: Sym, body: &Block) -> bool {
        let mut found = false;
        each_stmt(body, &mut |s| {
            let mut in_expr = |e: &Expr| {
                found |= match part_of(e) {
                    Some(PartExpr::Read(name, idx)) => self.is_in_registers(name) && any_mentions(idx, iter),
                    Some(PartExpr::Window(w)) => {
                        self.is_in_registers(w.name) && any_mentions(coords(w), iter)
                    }
                    None => false,
                };
            };
            operands(s).into_iter().for_each(|e| each_expr(e, &mut in_expr));
            if let StmtKind::WindowStmt { rhs, .. } = &*s.kind {
                found |= self.is_in_registers(rhs.name) && any_mentions(coords(rhs), iter);
            }
        });
        found
    }

    fn is_in_registers(&self, x: Sym) -> bool {
        self.place(x).is_some_and(|place| self.unit.memories.is_registers(place.mem))
    }
}

fn any_mentions<'a>(exprs: impl IntoIterator<Item = &'a Expr>, x: Sym) -> bool {
    let mut found = false;
    for e in exprs {
        each_expr(e, &mut |e| found |= matches!(&e.kind, ExprKind::Read { name, .. } if *name == x));
    }
    found
}

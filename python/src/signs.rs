//! A minus before a number is part of the number, as Exo reads it: `-(7)` and `-F` of a constant `F`.
//! Spec: [rule: python.exo-scope].

use rewright_semantics::ast::{Block, Expr, ExprKind, Literal, Proc, Stmt};
use rewright_semantics::syntax::walk::{map_blocks, map_children, map_operands};

/// The procedure with each minus that stands before a number drawn into it.
pub(crate) fn drawn_in(p: &Proc) -> Proc {
    let mut drawn = p.clone();
    drawn.preds = p.preds.iter().map(expr).collect();
    drawn.body = block(&p.body);
    drawn
}

fn block(b: &Block) -> Block {
    b.iter().map(stmt).collect()
}

fn stmt(s: &Stmt) -> Stmt {
    map_blocks(&map_operands(s, &mut |_, e| expr(e)), &mut block)
}

fn expr(e: &Expr) -> Expr {
    let e = map_children(e, &mut |_, child| expr(child));
    let ExprKind::Neg(operand) = &e.kind else { return e };
    let literal = match &operand.kind {
        ExprKind::Lit(Literal::Int(k)) => k.checked_neg().map(Literal::Int),
        ExprKind::Lit(Literal::Data(number)) => Some(Literal::Data(number.negated())),
        ExprKind::Lit(Literal::Bool(_))
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    };
    literal.map_or(e.clone(), |literal| Expr::at(ExprKind::Lit(literal), e.span))
}

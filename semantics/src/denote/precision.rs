//! The precision of a data expression, which its literals take. Spec: [rule: data.literal].

use super::resolve::deeper;
use crate::ast::{Expr, ExprKind, Literal};
use crate::sym::Sym;
use crate::types::{DataType, FieldType};

/// The precision an expression is computed in: that of what it reads, `None` when it reads nothing. Where
/// it reads several, the one that C's conversions lead to.
pub(crate) fn of_expr(e: &Expr, elem: &dyn Fn(Sym) -> Option<DataType>) -> Option<DataType> {
    match &e.kind {
        ExprKind::Read { name, idx: _ } => elem(*name),
        ExprKind::Window(w) => elem(w.name),
        ExprKind::ReadConfig { config, field } => match config.field(*field)?.typ {
            FieldType::Data(typ) => Some(typ),
            FieldType::Control(_) => None,
        },
        ExprKind::Neg(e) => deeper(|| of_expr(e, elem)),
        ExprKind::Bin { op: _, lhs, rhs } => {
            joined(deeper(|| of_expr(lhs, elem)), deeper(|| of_expr(rhs, elem)))
        }
        ExprKind::Extern { func: _, args } => {
            args.iter().map(|e| deeper(|| of_expr(e, elem))).fold(None, joined)
        }
        ExprKind::Lit(_) | ExprKind::Not(_) | ExprKind::Stride { .. } => None,
    }
}

fn joined(a: Option<DataType>, b: Option<DataType>) -> Option<DataType> {
    match (a, b) {
        (Some(a), Some(b)) if a == b => Some(a),
        // Neither holds the other.
        (Some(DataType::F16), Some(DataType::BF16)) | (Some(DataType::BF16), Some(DataType::F16)) => {
            Some(DataType::F32)
        }
        (Some(a), Some(b)) => Some(if rank(a) >= rank(b) { a } else { b }),
        (Some(a), None) | (None, Some(a)) => Some(a),
        (None, None) => None,
    }
}

/// C's conversion rank; all integers compute as `int`.
fn rank(typ: DataType) -> u8 {
    match typ {
        DataType::I8 | DataType::UI8 | DataType::UI16 | DataType::I32 => 0,
        DataType::F16 | DataType::BF16 => 1,
        DataType::R | DataType::F32 => 2,
        DataType::F64 => 3,
    }
}

/// Whether an arithmetic expression is one of data though it reads nothing.
pub(crate) fn has_data_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(Literal::Data(_)) | ExprKind::Extern { .. } => true,
        ExprKind::Neg(e) => deeper(|| has_data_literal(e)),
        ExprKind::Bin { op: _, lhs, rhs } => {
            deeper(|| has_data_literal(lhs)) || deeper(|| has_data_literal(rhs))
        }
        ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Not(_)
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    /// [rule: run.type]: arithmetic on data is in the wider of two precisions.
    #[test]
    fn arithmetic_is_in_the_wider_precision() {
        let [n, y, z] = ["n", "y", "z"].map(Sym::fresh);
        let typ = |x: Sym| (x != n).then_some(if x == y { DataType::F32 } else { DataType::F64 });
        for (a, b, wider) in [
            (y, z, Some(DataType::F64)),
            (z, y, Some(DataType::F64)),
            (y, y, Some(DataType::F32)),
            (n, y, Some(DataType::F32)),
            (n, n, None),
        ] {
            let sum = build::add(build::var(a), build::var(b));
            assert_eq!(of_expr(&sum, &typ), wider, "{sum:?}");
        }
    }
}

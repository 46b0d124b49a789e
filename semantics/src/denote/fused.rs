//! Sums of products that hardware rounds once. Spec: [rule: instructions.rounding].
//!
//! This reads the rule once more, on code and from the leaves up: [`crate::rounding`], which `replace` looks at, is not
//! to be its own judge.

use super::code::{CellRef, Code, DataExpr};
use crate::data::Arith;
use crate::externs::Extern;
use crate::types::DataType;

/// A product ±(a · b), its sign moved to a.
struct Product<V>(DataExpr<V>, DataExpr<V>);

/// `dst += rhs`
pub(super) fn reduce<V>(dst: CellRef, elem: DataType, rhs: DataExpr<V>) -> Code<V> {
    match product(rhs) {
        Ok(p) => Code::Assign { dst: dst.clone(), elem, rhs: p.plus(DataExpr::Read(dst)) },
        Err(rhs) => Code::Reduce { dst, elem, rhs },
    }
}

/// `lhs op rhs`; of two products that are added or subtracted, the first is the one that is not rounded.
pub(super) fn bin<V>(op: Arith, lhs: Box<DataExpr<V>>, rhs: Box<DataExpr<V>>) -> DataExpr<V> {
    let negates = match op {
        Arith::Add => false,
        Arith::Sub => true,
        Arith::Mul | Arith::Div => return DataExpr::Bin { op, lhs, rhs },
    };
    let lhs = match product(*lhs) {
        Ok(p) => return p.plus(if negates { negated(*rhs) } else { *rhs }),
        Err(lhs) => lhs,
    };
    match product(*rhs) {
        Ok(Product(a, b)) => Product(if negates { negated(a) } else { a }, b).plus(lhs),
        Err(rhs) => DataExpr::Bin { op, lhs: Box::new(lhs), rhs: Box::new(rhs) },
    }
}

fn product<V>(e: DataExpr<V>) -> Result<Product<V>, DataExpr<V>> {
    match e {
        DataExpr::Bin { op: Arith::Mul, lhs, rhs } => Ok(Product(*lhs, *rhs)),
        DataExpr::Neg(inner) => match product(*inner) {
            Ok(Product(a, b)) => Ok(Product(negated(a), b)),
            Err(inner) => Err(negated(inner)),
        },
        DataExpr::Bin { .. }
        | DataExpr::Lit(_)
        | DataExpr::Read(_)
        | DataExpr::Field(..)
        | DataExpr::Extern { .. }
        | DataExpr::Ill(_) => Err(e),
    }
}

impl<V> Product<V> {
    fn plus(self, c: DataExpr<V>) -> DataExpr<V> {
        DataExpr::Extern { func: Extern::Fma, args: [self.0, self.1, c].into() }
    }
}

fn negated<V>(e: DataExpr<V>) -> DataExpr<V> {
    DataExpr::Neg(Box::new(e))
}

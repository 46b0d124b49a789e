//! Data expressions: one precision throughout, finite values, no division by zero.

use super::scope::{Buffer, Scope};
use rewright_semantics::ast::{BinOp, Decimal, Expr, ExprKind, Literal};
use rewright_semantics::externs::Extern;
use rewright_semantics::types::{DataType, FieldType};
use std::sync::Arc;

impl Scope<'_> {
    /// What may be written into a cell of type `target`: mostly of that type, sometimes of another
    /// that is cast when written.
    pub(super) fn rhs(&mut self, target: DataType) -> Expr {
        let others: Vec<Buffer> =
            self.buffers.iter().filter(|b| b.elem != target && b.readable).cloned().collect();
        let Some(b) = self.rng.pick(&others).cloned().filter(|_| self.rng.chance(20)) else {
            return self.data(target, 3);
        };
        // A literal takes the precision of what it stands beside, so something that has one must be there.
        let e = op(BinOp::Add, self.read(&b), self.data(b.elem, 2));
        if target.is_integer() && !b.elem.is_integer() { held(e, target) } else { e }
    }

    /// An expression of this precision, at most `depth` operators high.
    pub(super) fn data(&mut self, elem: DataType, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(30) {
            return self.leaf(elem);
        }
        match self.rng.below(12) {
            0..=3 => self.bin(BinOp::Add, elem, depth),
            4 | 5 => self.bin(BinOp::Sub, elem, depth),
            6 | 7 => op(BinOp::Mul, self.data(elem, depth - 1), self.factor(elem)),
            8 => Expr::new(ExprKind::Neg(Arc::new(self.data(elem, depth - 1)))),
            9 if !elem.is_integer() => {
                let halves = literal(self.rng.between(1, 2) * 2);
                op(BinOp::Div, self.data(elem, depth - 1), halves)
            }
            10 | 11 if !elem.is_integer() => self.call_extern(elem, depth),
            _ => self.leaf(elem),
        }
    }

    fn bin(&mut self, o: BinOp, elem: DataType, depth: usize) -> Expr {
        op(o, self.data(elem, depth - 1), self.data(elem, depth - 1))
    }

    /// A literal, or a cell that is never written: repeated products then grow by a few bits each time,
    /// not twofold, and exact arithmetic stays cheap.
    fn factor(&mut self, elem: DataType) -> Expr {
        let constant: Vec<Buffer> =
            self.buffers.iter().filter(|b| b.elem == elem && b.constant).cloned().collect();
        match self.rng.pick(&constant).cloned() {
            Some(b) if self.rng.chance(70) => self.read(&b),
            _ => literal(self.rng.between(if elem.is_integer() { 0 } else { -3 }, 3)),
        }
    }

    fn leaf(&mut self, elem: DataType) -> Expr {
        let fitting: Vec<Buffer> =
            self.buffers.iter().filter(|b| b.elem == elem && b.readable).cloned().collect();
        match self.rng.pick(&fitting).cloned() {
            Some(b) if self.rng.chance(75) => self.read(&b),
            _ => match self.config_data(elem) {
                Some(e) if self.rng.chance(20) => e,
                _ if elem.is_integer() => literal(self.rng.between(0, 3)),
                _ if self.rng.chance(15) => {
                    Expr::new(ExprKind::Lit(Literal::Data(Decimal::new(self.rng.between(-3, 3) * 5, -1))))
                }
                _ => literal(self.rng.between(-3, 3)),
            },
        }
    }

    /// A read of one cell.
    pub(super) fn read(&mut self, b: &Buffer) -> Expr {
        let idx: Vec<Expr> = b.shape.iter().map(|n| self.index(n)).collect();
        Expr::new(ExprKind::Read { name: b.name, idx: idx.into() })
    }

    fn config_data(&mut self, elem: DataType) -> Option<Expr> {
        let config = self.rng.pick(self.configs)?.clone();
        let field = config.fields.iter().find(|f| f.typ == FieldType::Data(elem))?.name;
        Some(Expr::new(ExprKind::ReadConfig { config, field }))
    }

    fn call_extern(&mut self, elem: DataType, depth: usize) -> Expr {
        let exact = [Extern::Relu, Extern::Fmaxf, Extern::Fminf, Extern::Select, Extern::Fabsf];
        let smooth = [Extern::Sin, Extern::Cos];
        let pool = if self.settings.irrational && self.rng.chance(30) { &smooth[..] } else { &exact[..] };
        let func = self.rng.pick(pool).copied().unwrap_or(Extern::Relu);
        let args: Vec<Expr> = (0..func.arity()).map(|_| self.data(elem, depth - 1)).collect();
        Expr::new(ExprKind::Extern { func, args: args.into() })
    }
}

/// `e` held to values that every integer type of the target's signedness can represent.
fn held(e: Expr, target: DataType) -> Expr {
    let low = if target == DataType::UI8 || target == DataType::UI16 { 0 } else { -100 };
    let call = |func, args: Vec<Expr>| Expr::new(ExprKind::Extern { func, args: args.into() });
    call(Extern::Fmaxf, vec![call(Extern::Fminf, vec![e, literal(100)]), literal(low)])
}

fn op(op: BinOp, lhs: Expr, rhs: Expr) -> Expr {
    Expr::new(ExprKind::Bin { op, lhs: Arc::new(lhs), rhs: Arc::new(rhs) })
}

/// A data literal.
pub(super) fn literal(k: i64) -> Expr {
    Expr::new(ExprKind::Lit(Literal::Data(Decimal::new(k, 0))))
}

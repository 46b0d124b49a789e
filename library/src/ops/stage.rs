//! Computations taken apart into operations that a machine has. ASPLOS'25 §6.1.1, Fig. 4.

use super::hoist;
use crate::inspect;
use crate::refusal::{During, refuse};
use crate::target::{Home, Lanes, Op, Shape, Target, shape_of};
use rewright_primitives::cursor::{At, CursorKind};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Occurrences, Staging};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::ast::{BinOp, ExprKind};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Sym;

const STAGE: &str = "stage_operations";

/// Takes the statements of a loop over lanes apart until each is one operation: what is read from memory, every
/// intermediate result and every cell that is added to goes through a scalar in the target's registers. With `fma`, a
/// product that is added stays with its sum. Numbers are set before the loop. The cursor given back is at the loop.
///
/// ```text
/// for i in seq(0, 8):              for i in seq(0, 8):
///     y[i] += a[0] * x[i]              v0: f32 @ AVX2
///                                      v0 = y[i]
///                                      v1: f32 @ AVX2
///                          ~>          v1 = a[0]
///                                      v2: f32 @ AVX2
///                                      v2 = x[i]
///                                      v0 += v1 * v2
///                                      y[i] = v0
/// ```
///
/// # Errors
/// A statement is neither an assignment nor a reduction, is of another precision, or cannot be taken apart.
pub fn stage_operations(
    p: &Proc,
    at: &Cursor,
    target: &Target,
    lanes: Lanes,
    fma: bool,
) -> Result<(Proc, Cursor)> {
    let around = p.forward(at)?;
    let stager = Stager { target, lanes, fma, lane: around.sym()? };
    let body = around.body()?.stmts()?;
    let body = match body.as_slice() {
        [only] if only.is_if() => only.body()?.stmts()?,
        _ => body,
    };
    let mut p = p.clone();
    for stmt in &body {
        p = if stmt.kind() == CursorKind::Alloc {
            stager.enregister(&p, stmt)?
        } else {
            stager.write(&p, stmt)?
        };
    }
    let last = body.last().map(|s| p.forward(s)).transpose()?;
    let around = match last.and_then(|s| inspect::enclosing_loops(&s).into_iter().next()) {
        Some(found) => found,
        None => p.forward(at)?,
    };
    Ok((p, around))
}

struct Stager<'a> {
    target: &'a Target,
    lanes: Lanes,
    fma: bool,
    lane: Sym,
}

impl Stager<'_> {
    /// Puts a buffer into the registers.
    fn enregister(&self, p: &Proc, alloc: &Cursor) -> Result<Proc> {
        let here = p.forward(alloc)?;
        let p = if here.elem()? == self.target.precision() {
            p.clone()
        } else {
            let precision = self.target.precision().to_string();
            p.set_precision(&here, &precision)
                .during(STAGE, "giving a result the precision of the registers")?
        };
        p.set_memory(p.forward(alloc)?, self.target.memory())
    }

    fn home(&self, p: &Proc, x: Sym) -> Option<Home> {
        inspect::buffer(p, x).map(|b| self.target.home(b.memory, b.elem))
    }

    fn is_register(&self, p: &Proc, x: Sym) -> Option<bool> {
        self.home(p, x).map(|home| home == Home::Register)
    }

    fn shape(&self, p: &Proc, stmt: &Cursor) -> Result<Option<Shape>> {
        Ok(shape_of(&stmt.stmt()?, self.lane, &|x| self.home(p, x)))
    }

    /// Whether a machine has one instruction for a statement as it is.
    fn is_operation(&self, p: &Proc, stmt: &Cursor) -> Result<bool> {
        let shape = self.shape(p, stmt)?;
        Ok(shape.is_some_and(|s| self.target.by_shape(&s, self.lanes).is_some()))
    }

    /// Takes an assignment or a reduction apart.
    fn write(&self, p: &Proc, stmt: &Cursor) -> Result<Proc> {
        let here = p.forward(stmt)?;
        if self.is_operation(p, &here)? {
            return Ok(p.clone());
        }
        let in_register = here.sym().ok().and_then(|x| self.is_register(p, x));
        match (here.kind(), in_register) {
            (CursorKind::Reduce, Some(false)) => {
                let p = self.through_register(p, &here)?;
                self.write(&p, stmt)
            }
            (CursorKind::Reduce, Some(true)) => self.added(p, stmt),
            (CursorKind::Assign, Some(false)) => self.bound(p, stmt, &here.rhs()?),
            (CursorKind::Assign, Some(true)) => self.assigned(p, stmt),
            _ => refuse(
                STAGE,
                "taking a statement apart",
                format!("{} is no assignment and no reduction", here.describe()),
            ),
        }
    }

    /// Brings the cell that a reduction adds to into a register, and out again.
    fn through_register(&self, p: &Proc, stmt: &Cursor) -> Result<Proc> {
        let idx = stmt.idx()?.iter().map(|c| Ok(expr_to_string(&c.expr()?))).collect::<Result<Vec<_>>>()?;
        let cell = if idx.is_empty() {
            stmt.name()?.to_string()
        } else {
            format!("{}[{}]", stmt.name()?, idx.join(", "))
        };
        let name = inspect::fresh(p, "v");
        let p = p
            .stage_mem(stmt, cell, &name, Staging::Copy)
            .during(STAGE, "bringing what is added to into a register")?;
        self.enregister(&p, &p.forward(stmt)?.prev(2)?)
    }

    /// What is added to a register: a product stays where it is, of operands in registers.
    fn added(&self, p: &Proc, stmt: &Cursor) -> Result<Proc> {
        let rhs = p.forward(stmt)?.rhs()?;
        let negated = rhs.arg().ok().filter(|e| product(e) && self.has(Op::Fnma));
        let fused = if product(&rhs) { Some(rhs.clone()) } else { negated };
        match fused.filter(|_| self.fma && self.has(Op::Fma)) {
            Some(e) => self.operands(p, stmt, &e),
            None => self.bound(p, stmt, &rhs),
        }
    }

    fn has(&self, op: Op) -> bool {
        self.target.has(op, self.lanes)
    }

    /// What is assigned to a register: a sum with a product in two steps, others of operands in registers.
    fn assigned(&self, p: &Proc, stmt: &Cursor) -> Result<Proc> {
        let rhs = p.forward(stmt)?.rhs()?;
        if rhs.kind() == CursorKind::Literal {
            return self.literal(p, stmt, &rhs);
        }
        let sum = rhs.op().is_ok_and(|op| op == BinOp::Add);
        let (left, right) = (sum && product(&rhs.lhs()?), sum && product(&rhs.rhs()?));
        if !(self.fma && self.has(Op::Fma) && (left || right)) {
            return self.operands(p, stmt, &rhs);
        }
        let p = if right { p.clone() } else { p.commute_expr(&[At::from(&rhs)])? };
        let p = p.split_write(p.forward(stmt)?).during(STAGE, "parting a product from its sum")?;
        let first = p.forward(stmt)?;
        let second = first.next(1)?;
        let p = self.write(&p, &first)?;
        self.write(&p, &second)
    }

    /// A number that is not zero: by way of memory, and one cell of it where that can be put into all lanes.
    fn literal(&self, p: &Proc, stmt: &Cursor, value: &Cursor) -> Result<Proc> {
        let name = inspect::fresh(p, "c");
        let p =
            p.bind_expr(vec![At::from(value)], &name, Occurrences::These).during(STAGE, "naming a number")?;
        let alloc = p.forward(stmt)?.prev(2)?;
        let p = if alloc.elem().is_ok_and(|t| t == self.target.precision()) {
            p
        } else {
            p.set_precision(alloc, &self.target.precision().to_string())?
        };
        let set = p.forward(stmt)?.prev(1)?;
        if !(self.has(Op::Broadcast) && set.parent()?.is_loop()) {
            return Ok(p);
        }
        Ok(hoist(&p, &set).during(STAGE, "setting a number once for all lanes")?.0)
    }

    /// The operands of an expression, each in a register.
    fn operands(&self, p: &Proc, stmt: &Cursor, e: &Cursor) -> Result<Proc> {
        let parts = match &e.expr()?.kind {
            ExprKind::Bin { .. } => vec![e.lhs()?, e.rhs()?],
            ExprKind::Neg(_) => vec![e.arg()?],
            ExprKind::Extern { .. } => e.args()?,
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Not(_)
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => {
                let why = format!("{} is nothing that {} computes", e.describe(), self.target.name());
                return refuse(STAGE, "taking an expression apart", why);
            }
        };
        let mut p = p.clone();
        for part in parts {
            // An equal operand before may have taken this one along.
            let now = p.forward(&part).unwrap_or(part);
            p = self.bound(&p, stmt, &now)?;
        }
        Ok(p)
    }

    /// An expression of a statement, computed into a register of its own, unless it is read from one.
    fn bound(&self, p: &Proc, stmt: &Cursor, e: &Cursor) -> Result<Proc> {
        let Ok(here) = p.forward(e) else { return Ok(p.clone()) };
        if here.kind() == CursorKind::Read
            && here.sym().ok().and_then(|x| self.is_register(p, x)) == Some(true)
        {
            return Ok(p.clone());
        }
        let name = inspect::fresh(p, "v");
        let p = p
            .bind_expr(vec![At::from(&here)], &name, Occurrences::All)
            .during(STAGE, "computing a part of an expression first")?;
        let value = p.forward(stmt)?.prev(1)?;
        let p = self.enregister(&p, &value.prev(1)?)?;
        let value = p.forward(&value)?;
        self.write(&p, &value)
    }
}

/// Whether an expression is a product, and no number's.
fn product(e: &Cursor) -> bool {
    e.op().is_ok_and(|op| op == BinOp::Mul)
}

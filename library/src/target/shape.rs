//! What a statement does in a lane, as far as it tells instructions apart.

use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_expr;
use rewright_semantics::types::DataType;
use std::fmt;

/// A statement in which only the kinds of its operands are told: `R += (R * M)`.
///
/// `R` is the lane of a register, `M` a cell of memory that goes with the lane, `S` one that is the same for all lanes,
/// `0` zero and `L` another literal, but for what something is divided by, which is told. What is not of the precision of the registers has its own told: `M:f32`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape(String);

impl Shape {
    /// A shape as it is written.
    pub fn new(text: &str) -> Shape {
        Shape(text.to_owned())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a buffer is, as far as it matters to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the target's registers.
    Register,
    /// In memory, in the target's precision.
    Memory,
    /// In another precision, wherever it is.
    Other(DataType),
}

/// Where the buffer is that a variable stands for; `None` for what is no buffer.
pub type Lookup<'a> = dyn Fn(Sym) -> Option<Home> + 'a;

/// The shape of an assignment or a reduction in a loop over lanes. Nothing else has one.
pub fn shape_of(s: &Stmt, lane: Sym, lookup: &Lookup<'_>) -> Option<Shape> {
    let (name, idx, rhs, op) = match s.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs } => (name, idx, rhs, "="),
        StmtKind::Reduce { name, idx, rhs } => (name, idx, rhs, "+="),
        StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => return None,
    };
    let cell = place(*name, idx, lane, lookup)?;
    Some(Shape(format!("{cell} {op} {}", value(rhs, lane, lookup)?)))
}

/// A cell that is read or written. A scalar in a register is a register that has not got its lanes yet.
fn place(name: Sym, idx: &[Expr], lane: Sym, lookup: &Lookup<'_>) -> Option<String> {
    let with_lane = if idx.iter().any(|e| mentions(e, lane)) { "M" } else { "S" };
    match lookup(name)? {
        Home::Memory => Some(with_lane.to_owned()),
        Home::Other(t) => Some(format!("{with_lane}:{t}")),
        Home::Register => {
            let is_lane = |e: &Expr| e.kind.read().is_some_and(|(x, idx)| x == lane && idx.is_empty());
            idx.last().is_none_or(is_lane).then(|| "R".to_owned())
        }
    }
}

/// Whether a variable occurs in an expression.
pub(crate) fn mentions(e: &Expr, x: Sym) -> bool {
    let mut found = false;
    each_expr(e, &mut |e| found |= e.kind.read().is_some_and(|(y, _)| x == y));
    found
}

fn value(e: &Expr, lane: Sym, lookup: &Lookup<'_>) -> Option<String> {
    let of = |e: &Expr| value(e, lane, lookup);
    Some(match &e.kind {
        ExprKind::Read { name, idx } => place(*name, idx, lane, lookup)?,
        ExprKind::Lit(Literal::Data(x)) if x.to_f64() == 0.0 => "0".to_owned(),
        ExprKind::Lit(Literal::Data(_)) => "L".to_owned(),
        ExprKind::Neg(a) => format!("-{}", of(a)?),
        ExprKind::Bin { op: BinOp::Div, lhs, rhs } => {
            format!("({} / {})", of(lhs)?, number(rhs).map_or_else(|| of(rhs), Some)?)
        }
        ExprKind::Bin { op, lhs, rhs } => format!("({} {} {})", of(lhs)?, sign(*op)?, of(rhs)?),
        ExprKind::Extern { func, args } => {
            let args = args.iter().map(of).collect::<Option<Vec<_>>>()?;
            format!("{}({})", func.name(), args.join(", "))
        }
        ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
        | ExprKind::Window(_)
        | ExprKind::Not(_)
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => return None,
    })
}

/// The number that an expression is.
fn number(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Lit(Literal::Data(x)) => Some(x.to_f64().to_string()),
        ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

fn sign(op: BinOp) -> Option<&'static str> {
    match op {
        BinOp::Add => Some("+"),
        BinOp::Sub => Some("-"),
        BinOp::Mul => Some("*"),
        BinOp::Div => Some("/"),
        BinOp::Mod | BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => {
            None
        }
    }
}

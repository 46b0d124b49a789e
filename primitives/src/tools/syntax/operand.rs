//! Where an expression stands, and which numbers it computes with. Spec: [rule: numbers].
//!
//! A literal takes its precision from what the *whole* right-hand side reads, and integers wrap. So a rewrite of
//! data is exact on integers and correct up to rounding on floating point as long as everything in it is of one
//! of the two; where they mix, `0.5 + (a - a)` and `0.5` differ by a half.

use crate::cursor::path::{ExprPath, ExprStep, expr_in, stmt_at};
use crate::version::Proc;
use rewright_semantics::ast::{Expr, ExprKind, Stmt, StmtKind};
use rewright_semantics::syntax::walk::each_child;
use rewright_semantics::typecheck::Type;
use rewright_semantics::types::env::TypeEnv;
use rewright_semantics::types::{DataType, FieldType};

/// An operand of a statement, and what is known of its names.
#[derive(Debug)]
pub struct Operand {
    /// The statement.
    pub stmt: Stmt,
    /// The names before the statement.
    pub env: TypeEnv,
    /// The whole expression of the statement in which the place is.
    pub whole: Expr,
    /// The type of what a data value is written to; `None` where the operand is no data value.
    pub target: Option<DataType>,
}

impl Operand {
    /// Around a place.
    pub fn of(p: &Proc, at: &ExprPath) -> Option<Operand> {
        let stmt = stmt_at(p.ast(), &at.stmt)?.clone();
        let env = p.env_at(&at.stmt)?;
        let first = at.steps.first().copied()?;
        let whole = expr_in(&stmt, &[first])?.clone();
        let target = if first == ExprStep::Rhs { target(&env, &stmt) } else { None };
        Some(Operand { stmt, env, whole, target })
    }

    /// Whether an expression is a data value here.
    pub fn is_data(&self, e: &Expr) -> bool {
        matches!(self.env.type_of(e), Type::Data(_))
    }

    /// The numbers of the operand; `None` where they mix. Floating for what is no data value.
    pub fn numbers(&self) -> Option<Numbers> {
        match self.target {
            Some(target) => common(&self.env, target, [&self.whole]),
            None => Some(Numbers::Floating),
        }
    }
}

/// The type of what a statement writes a data value to.
pub fn target(env: &TypeEnv, s: &Stmt) -> Option<DataType> {
    match s.kind.as_ref() {
        StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => env.buffer(*name).map(|t| t.elem),
        StmtKind::WriteConfig { config, field, rhs: _ } => match config.field(*field)?.typ {
            FieldType::Data(t) => Some(t),
            FieldType::Control(_) => None,
        },
        StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => None,
    }
}

/// The two sorts of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// `R`, `f16`, `bf16`, `f32`, `f64`: the reals, up to rounding.
    Floating,
    /// Integers modulo a power of two.
    Integers,
}

impl Numbers {
    /// The sort of a type.
    pub fn of(t: DataType) -> Numbers {
        if t.is_integer() { Numbers::Integers } else { Numbers::Floating }
    }
}

/// The numbers of the target and of all that the expressions read; `None` where they mix.
pub fn common<'a>(
    env: &TypeEnv,
    target: DataType,
    es: impl IntoIterator<Item = &'a Expr>,
) -> Option<Numbers> {
    let wanted = Numbers::of(target);
    let mut same = true;
    for e in es {
        each_data_read(e, &mut |read| same = same && elem(env, read).map(Numbers::of) == Some(wanted));
    }
    same.then_some(wanted)
}

/// The type of a cell or data field that is read.
fn elem(env: &TypeEnv, read: &Expr) -> Option<DataType> {
    match &read.kind {
        ExprKind::Read { name, .. } => env.buffer(*name).map(|t| t.elem),
        ExprKind::ReadConfig { config, field } => match config.field(*field)?.typ {
            FieldType::Data(t) => Some(t),
            FieldType::Control(_) => None,
        },
        ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. } => None,
    }
}

/// Visits the cells and data fields that a data expression reads.
pub fn each_data_read<'a>(e: &'a Expr, f: &mut impl FnMut(&'a Expr)) {
    match &e.kind {
        ExprKind::Read { .. } | ExprKind::ReadConfig { .. } => f(e),
        ExprKind::Neg(_) | ExprKind::Bin { .. } | ExprKind::Extern { .. } => {
            each_child(e, &mut |_, inner| each_data_read(inner, f));
        }
        ExprKind::Window(_) | ExprKind::Lit(_) | ExprKind::Not(_) | ExprKind::Stride { .. } => {}
    }
}

/// Why a rewrite of mixed numbers is refused.
pub const MIXED: &str = "integers and floating-point numbers mix here";

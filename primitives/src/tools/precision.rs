//! Data expressions that move between a statement and a buffer: whether storing a value first, or not storing it,
//! changes it. Machine arithmetic is meant; over the reals there is nothing to ask. Spec: [rule: buffers].
//!
//! A float operation has the precision of its operands, so a value of one precision survives in a cell of it.
//! Integers narrower than `int` are computed as `int` (spec: data.machine), so only a cell itself does. A literal has
//! the precision of the expression of the statement that it is in (spec: data.literal).

use super::scope::env_at;
use super::walk::each_child;
use crate::cursor::path::{Step, stmt_at};
use rewright_semantics::ast::{Expr, ExprKind, Literal, Proc, Stmt, StmtKind};
use rewright_semantics::typecheck::{Precision, Type};
use rewright_semantics::types::env::TypeEnv;
use rewright_semantics::types::{DataType, FieldType};

/// The precision of which cells hold the value of `e` unchanged, where it stands in the statement at a path; `None`
/// when there is no such.
pub fn lossless(p: &Proc, stmt: &[Step], e: &Expr) -> Option<DataType> {
    let env = env_at(p, stmt)?;
    let whole = of_statement(&env, stmt_at(p, stmt)?);
    match env.type_of(e) {
        Type::Data(Precision::Of(t)) => {
            let literal = mentions(e, &|e| matches!(e.kind, ExprKind::Lit(Literal::Data(_))));
            (survives(e, t) && (!literal || whole == Some(t))).then_some(t)
        }
        Type::Data(Precision::Literal) => whole.filter(|t| !t.is_integer() || *t == DataType::I32),
        Type::Data(Precision::Mixed) | Type::Control(_) | Type::Buffer(_) | Type::Error => None,
    }
}

fn survives(e: &Expr, t: DataType) -> bool {
    let plain = matches!(e.kind, ExprKind::Read { .. } | ExprKind::ReadConfig { .. });
    let calls = mentions(e, &|e| matches!(e.kind, ExprKind::Extern { .. }));
    plain || !t.is_integer() || (t == DataType::I32 && !calls)
}

/// Whether the value of `e`, which is stored in cells of type `t`, is the same where it stands in place of a cell in
/// the statement at a path.
pub fn survives_inlining(p: &Proc, from: &[Step], e: &Expr, t: DataType, to: &[Step]) -> bool {
    let literal = mentions(e, &|e| matches!(e.kind, ExprKind::Lit(Literal::Data(_))));
    let Some(there) = env_at(p, to) else { return false };
    let Some(s) = stmt_at(p, to) else { return false };
    lossless(p, from, e) == Some(t)
        && (!literal || (of_statement(&there, s) == Some(t) && destination(&there, s) == Some(t)))
}

/// The precision of a statement's value: that of what it reads, or else that of where it goes.
fn of_statement(env: &TypeEnv, s: &Stmt) -> Option<DataType> {
    let rhs = match s.kind.as_ref() {
        StmtKind::Assign { rhs, .. } | StmtKind::Reduce { rhs, .. } | StmtKind::WriteConfig { rhs, .. } => {
            rhs
        }
        StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => return None,
    };
    match env.type_of(rhs) {
        Type::Data(Precision::Of(t)) => Some(t),
        Type::Data(Precision::Literal) => destination(env, s),
        Type::Data(Precision::Mixed) | Type::Control(_) | Type::Buffer(_) | Type::Error => None,
    }
}

fn destination(env: &TypeEnv, s: &Stmt) -> Option<DataType> {
    match s.kind.as_ref() {
        StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => Some(env.buffer(*name)?.elem),
        StmtKind::WriteConfig { config, field, .. } => match config.field(*field)?.typ {
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

fn mentions(e: &Expr, what: &impl Fn(&Expr) -> bool) -> bool {
    let mut found = what(e);
    each_child(e, &mut |_, inner| found = found || mentions(inner, what));
    found
}

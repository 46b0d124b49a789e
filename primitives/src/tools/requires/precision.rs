//! Data expressions that move between a statement and a buffer: whether storing a value first, or not storing it,
//! changes it. Machine arithmetic is meant; over the reals there is nothing to ask. Spec: [rule: buffers.precision].
//!
//! A float operation has the precision of its operands, so a value of one precision survives in a cell of it.
//! Integers narrower than `int` are computed as `int` (spec: data.machine), so only a cell or a literal that fits does:
//! or any value of which no more is used than a cell holds ([`only_low_bits`]). A literal has the precision of the
//! expression of the statement that it is in (spec: data.literal).

use crate::cursor::path::{ExprPath, ExprStep, Step, expr_in, stmt_at};
use crate::error::Result;
use crate::registry::Condition;
use crate::rewrite::Rewrite;
use crate::tools::syntax::operand::{Numbers, common, target};
use crate::version::Proc;
use rewright_semantics::ast::{self, BinOp, Expr, ExprKind, Literal, Stmt, StmtKind, WindowExpr};
use rewright_semantics::syntax::walk::{each_child, each_expr};
use rewright_semantics::typecheck::{Precision, Type};
use rewright_semantics::types::env::TypeEnv;
use rewright_semantics::types::{ArgType, DataType, FieldType};

/// The precision of `e`, if the statement does the same when it reads the value of `e` at this place from a cell of that
/// precision; `None` when it does not, or `e` has no precision.
pub fn kept_by(p: &Proc, at: &ExprPath, e: &Expr) -> Option<DataType> {
    let (env, s) = (p.env_at(&at.stmt)?, stmt_at(p.ast(), &at.stmt)?);
    lossless(p, &at.stmt, e).or_else(|| natural(&env, s, e).filter(|t| only_low_bits(&env, s, &at.steps, *t)))
}

/// The precision of which cells hold the value of `e` unchanged, where it stands in the statement at a path; `None`
/// when there is no such.
fn lossless(p: &Proc, stmt: &[Step], e: &Expr) -> Option<DataType> {
    let env = p.env_at(stmt)?;
    let whole = of_statement(&env, stmt_at(p.ast(), stmt)?);
    match env.type_of(e) {
        Type::Data(Precision::Of(t)) => {
            let literal = mentions(e, &|e| matches!(e.kind, ExprKind::Lit(Literal::Data(_))));
            (survives(e, t) && (!literal || whole == Some(t))).then_some(t)
        }
        Type::Data(Precision::Literal) => {
            whole.filter(|t| !t.is_integer() || *t == DataType::I32 || literal_fits(e, *t))
        }
        Type::Data(Precision::Mixed) | Type::Control(_) | Type::Buffer(_) | Type::Error => None,
    }
}

/// The precision of an expression at a place, whether or not cells of it hold its value: where it mixes several, that of
/// the first thing that it reads.
pub fn natural_at(p: &Proc, at: &ExprPath, e: &Expr) -> Option<DataType> {
    let env = p.env_at(&at.stmt)?;
    let first = || match env.type_of(e) {
        Type::Data(Precision::Mixed) => first_read(&env, e),
        Type::Data(Precision::Of(_) | Precision::Literal)
        | Type::Control(_)
        | Type::Buffer(_)
        | Type::Error => None,
    };
    natural(&env, stmt_at(p.ast(), &at.stmt)?, e).or_else(first)
}

/// What a call may compute otherwise than its body in the place of it.
pub enum Otherwise {
    /// Integers, which are as numbers of `R` in one of the two.
    Integers(String),
    /// Floats, which are rounded to another precision.
    Floats(String),
}

/// Whether an argument of a call is a buffer of `R` for one of another precision, or conversely. As `R` is computed in `f32`,
/// these two are one.
pub fn computed_otherwise(env: &TypeEnv, callee: &ast::Proc, args: &[Expr]) -> Option<Otherwise> {
    let single = |t: DataType| if t == DataType::R { DataType::F32 } else { t };
    let each = callee.args.iter().zip(args).filter_map(|(formal, actual)| {
        let ArgType::Data { typ, .. } = &formal.typ else { return None };
        let name = match &actual.kind {
            ExprKind::Read { name, .. } | ExprKind::Window(WindowExpr { name, .. }) => *name,
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => return None,
        };
        let (there, here) = (typ.elem, env.buffer(name)?.elem);
        let formal = formal.name.name();
        if !there.meets(here) || single(there) == single(here) {
            return None;
        }
        let what = format!(
            "`{formal}` of `{}` is of type {there}, and `{}` of type {here}",
            callee.name,
            name.name()
        );
        let integers = there.is_integer() || here.is_integer();
        Some(if integers { Otherwise::Integers(what) } else { Otherwise::Floats(what) })
    });
    let mut found: Vec<Otherwise> = each.collect();
    let worst = found.iter().position(|o| matches!(o, Otherwise::Integers(_))).unwrap_or(0);
    (!found.is_empty()).then(|| found.swap_remove(worst))
}

/// Requires that no integers are passed for numbers of `R`, or conversely; of floats it is recorded that they are rounded
/// otherwise.
///
/// # Errors
/// Integers are: a refusal.
pub fn require_numbers(rw: &mut Rewrite, condition: &Condition, otherwise: Option<Otherwise>) -> Result<()> {
    let (integers, floats) = match otherwise {
        Some(Otherwise::Integers(what)) => (Some(what), None),
        Some(Otherwise::Floats(what)) => (None, Some(what)),
        None => (None, None),
    };
    rw.require_that(condition, integers.is_none(), || integers.unwrap_or_default())?;
    floats.into_iter().for_each(|what| rw.rounds(what));
    Ok(())
}

fn first_read(env: &TypeEnv, e: &Expr) -> Option<DataType> {
    let mut found = None;
    each_expr(e, &mut |part| {
        if let (None, Type::Data(Precision::Of(t))) = (found, env.type_of(part)) {
            found = Some(t);
        }
    });
    found
}

/// The precision of an expression in a statement.
fn natural(env: &TypeEnv, s: &Stmt, e: &Expr) -> Option<DataType> {
    match env.type_of(e) {
        Type::Data(Precision::Of(t)) => Some(t),
        Type::Data(Precision::Literal) => of_statement(env, s),
        Type::Data(Precision::Mixed) | Type::Control(_) | Type::Buffer(_) | Type::Error => None,
    }
}

/// Whether a statement uses no more of the value of `e`, at a place, than its low bits, as many as an integer of type
/// `t` has: it is computed with by sums, differences and products alone, among integers, on the way to a cell or field
/// of no more bits. To drop the high bits then commutes with all of these.
fn only_low_bits(env: &TypeEnv, s: &Stmt, steps: &[ExprStep], t: DataType) -> bool {
    let (Some(to), Some(rhs), Some(kept)) = (target(env, s), expr_in(s, &[ExprStep::Rhs]), bits(t)) else {
        return false;
    };
    let above = (1..steps.len()).filter_map(|len| expr_in(s, steps.get(..len)?));
    steps.first() == Some(&ExprStep::Rhs)
        && bits(to).is_some_and(|n| n <= kept)
        && integers_only(env, to, rhs)
        && above.into_iter().all(is_ring)
}

/// Whether an expression computes with integers alone, in `int`.
fn integers_only(env: &TypeEnv, to: DataType, e: &Expr) -> bool {
    // Some externs give a float whatever they are given.
    let calls = mentions(e, &|e| matches!(e.kind, ExprKind::Extern { .. }));
    !calls && common(env, to, [e]) == Some(Numbers::Integers)
}

fn is_ring(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Neg(_) => true,
        ExprKind::Bin { op, .. } => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => false,
    }
}

/// How many bits an integer type has.
fn bits(t: DataType) -> Option<u32> {
    match t {
        DataType::I8 | DataType::UI8 => Some(8),
        DataType::UI16 => Some(16),
        DataType::I32 => Some(32),
        DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => None,
    }
}

/// Whether the integer part of a literal is a value of an integer type.
fn literal_fits(e: &Expr, t: DataType) -> bool {
    let ExprKind::Lit(Literal::Data(decimal)) = &e.kind else { return false };
    let n = decimal.to_f64().trunc();
    match t {
        DataType::I8 => (-128.0..=127.0).contains(&n),
        DataType::UI8 => (0.0..=255.0).contains(&n),
        DataType::UI16 => (0.0..=65_535.0).contains(&n),
        DataType::I32 => (-2_147_483_648.0..=2_147_483_647.0).contains(&n),
        DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => false,
    }
}

fn survives(e: &Expr, t: DataType) -> bool {
    let plain = matches!(e.kind, ExprKind::Read { .. } | ExprKind::ReadConfig { .. });
    let calls = mentions(e, &|e| matches!(e.kind, ExprKind::Extern { .. }));
    plain || !t.is_integer() || (t == DataType::I32 && !calls)
}

/// Whether a statement does the same with `e` in the place of a cell of type `t`, to which the statement at `from` assigns
/// `e`.
pub fn survives_inlining(p: &Proc, from: &[Step], e: &Expr, t: DataType, to: &ExprPath) -> bool {
    let literal = mentions(e, &|e| matches!(e.kind, ExprKind::Lit(Literal::Data(_))));
    let (Some(here), Some(there), Some(s)) = (p.env_at(from), p.env_at(&to.stmt), stmt_at(p.ast(), &to.stmt))
    else {
        return false;
    };
    let unchanged = lossless(p, from, e) == Some(t)
        && (!literal || (of_statement(&there, s) == Some(t) && destination(&there, s) == Some(t)));
    unchanged || (integers_only(&here, t, e) && only_low_bits(&there, s, &to.steps, t))
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

//! `trmv trsv`: in place.

use super::{Columns, Rows, Work};
use crate::blas::{Diag, Plan, Precision, Program, Trans, Uplo};

/// Rows that are done at once.
const ROWS: i64 = 4;

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    let mut all = Vec::new();
    for uplo in Uplo::ALL {
        for trans in Trans::ALL {
            for diag in Diag::ALL {
                all.extend([trmv(p, uplo, trans, diag), trsv(p, uplo, trans, diag)]);
            }
        }
    }
    all
}

const PARAMETERS: &str = "n: size, A: [T][n, n], x: [T][n]";
const UNIT: [&str; 2] = ["stride(A, 1) == 1", "stride(x, 0) == 1"];

fn name(routine: &str, uplo: Uplo, trans: Trans, diag: Diag) -> String {
    format!("{routine}_{}{}{}", uplo.letter(), trans.letter(), diag.letter())
}

/// The row that is done in iteration `ii`, first to last or last to first.
fn order(forward: bool) -> &'static str {
    if forward { "ii" } else { "n - 1 - ii" }
}

/// The columns beside the diagonal in that row.
fn beside(uplo: Uplo, i: &str) -> String {
    match uplo {
        Uplo::Upper => format!("seq({i} + 1, n)"),
        Uplo::Lower => format!("seq(0, {i})"),
    }
}

fn plan(of: Rows, uplo: Uplo, trans: Trans, forward: bool) -> Plan {
    let columns = uplo.of(Columns::After { forward }, Columns::Before { forward });
    let work = match trans {
        Trans::No => Work::Sum,
        Trans::Yes => Work::Add,
    };
    Plan::SeveralRows { of, rows: ROWS, columns, work }
}

/// `x = op(A) x`. A row of A is read as it lies: it is multiplied with x, or x's cell with it.
fn trmv(p: Precision, uplo: Uplo, trans: Trans, diag: Diag) -> Program {
    // A cell of x is done while those that it needs, or those that need it, are still as they were.
    let forward = matches!((uplo, trans), (Uplo::Upper, Trans::No) | (Uplo::Lower, Trans::Yes));
    let i = order(forward);
    let columns = beside(uplo, i);
    let diagonal = diag.unless_unit(format!("x[{i}] = A[{i}, {i}] * x[{i}]"));
    let body = match trans {
        Trans::No => format!(
            "
for ii in seq(0, n):
    sum: T
    sum = 0.0
    for j in {columns}:
        sum += A[{i}, j] * x[j]
    {diagonal}
    x[{i}] += sum
"
        ),
        Trans::Yes => format!(
            "
for ii in seq(0, n):
    t: T
    t = x[{i}]
    for j in {columns}:
        x[j] += t * A[{i}, j]
    {diagonal}
"
        ),
    };
    Program::new(p, &name("trmv", uplo, trans, diag), PARAMETERS, &UNIT, &body).planned(plan(
        Rows::Product,
        uplo,
        trans,
        forward,
    ))
}

/// `op(A) x = b`, where x holds b before and the solution after.
fn trsv(p: Precision, uplo: Uplo, trans: Trans, diag: Diag) -> Program {
    let forward = matches!((uplo, trans), (Uplo::Lower, Trans::No) | (Uplo::Upper, Trans::Yes));
    let i = order(forward);
    let columns = beside(uplo, i);
    let stored = diag.unless_unit(format!("x[{i}] = t"));
    let solved = match diag {
        Diag::Unit => String::new(),
        Diag::NonUnit => format!(" / A[{i}, {i}]"),
    };
    let body = match trans {
        Trans::No => format!(
            "
for ii in seq(0, n):
    t: T
    t = x[{i}]
    for j in {columns}:
        t += -(A[{i}, j] * x[j])
    x[{i}] = t{solved}
"
        ),
        Trans::Yes => format!(
            "
for ii in seq(0, n):
    t: T
    t = x[{i}]{solved}
    {stored}
    for j in {columns}:
        x[j] += -(t * A[{i}, j])
"
        ),
    };
    Program::new(p, &name("trsv", uplo, trans, diag), PARAMETERS, &UNIT, &body).planned(plan(
        Rows::Equations,
        uplo,
        trans,
        forward,
    ))
}

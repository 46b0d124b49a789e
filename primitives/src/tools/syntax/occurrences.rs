//! Occurrences of an expression, and the statements of one block that hold some places.

use crate::cursor::path::each_stmt_at;
use crate::cursor::path::{ExprPath, ExprStep, Hole, Step, run_at};
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::syntax::walk::{each_child, each_operand};

/// The smallest run of statements of one block that holds all these places; `None` when there are none.
pub fn common_run(places: &[ExprPath]) -> Option<Hole> {
    let first = &places.first()?.stmt;
    let mut depth = first.len() - 1;
    let (mut low, mut high) = (first.last()?.index(), first.last()?.index());
    for at in places.iter().skip(1) {
        let shared = first.iter().zip(&at.stmt).take_while(|(a, b)| a == b).count();
        let here = (first.get(shared), at.stmt.get(shared));
        // In different branches of one `if`, or one inside the other: the statement around both.
        let level = match here {
            (Some(a), Some(b)) if a.same_block(*b) => shared,
            (Some(_) | None, Some(_) | None) => shared.checked_sub(1)?,
        };
        let index = |path: &[Step], depth: usize| path.get(depth).map(|step| step.index());
        if level < depth {
            depth = level;
            (low, high) = (index(first, depth)?, index(first, depth)?);
        }
        // Deeper than the block found so far, both are in the same statement of it.
        let (a, b) = (index(first, depth)?, index(&at.stmt, depth)?);
        (low, high) = (low.min(a).min(b), high.max(a).max(b));
    }
    let mut path = first.get(..=depth)?.to_vec();
    if let Some(last) = path.last_mut() {
        *last = last.at(low);
    }
    Some(Hole { path, len: high - low + 1 })
}

/// Where an expression occurs in a run of statements.
pub fn occurrences(p: &Proc, run: &Hole, wanted: &Expr) -> Vec<ExprPath> {
    let mut out = Vec::new();
    each_stmt_at(&run_at(p, run).unwrap_or_default(), &run.path, &mut |s, path| {
        let mut steps = Vec::new();
        each_operand(s, &mut |step, e| {
            within(e, step, wanted, &mut steps, &mut |steps| {
                out.push(ExprPath { stmt: path.to_vec(), steps: steps.to_vec() });
            })
        });
    });
    out
}

fn within(
    e: &Expr,
    step: ExprStep,
    wanted: &Expr,
    steps: &mut Vec<ExprStep>,
    found: &mut impl FnMut(&[ExprStep]),
) {
    steps.push(step);
    if e == wanted {
        found(steps);
    } else {
        each_child(e, &mut |step, inner| within(inner, step, wanted, steps, found));
    }
    steps.pop();
}

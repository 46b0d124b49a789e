//! Statements that are the same in every iteration go to before the loop.

use crate::inspect;
use crate::refusal::{During, refuse};
use rewright_primitives::cursor::CursorKind;
use rewright_primitives::error::Result;
use rewright_primitives::hof::is_caught;
use rewright_primitives::{Cursor, Proc};

const HOIST: &str = "hoist";

/// Moves a statement that every iteration repeats to before its loop, with the allocation of what it writes. Where the
/// loop may not run, so may the statement: a guard is left around it. The cursor given back is what is left of the loop.
///
/// ```text
/// for i in seq(0, 8):          t: f32
///     t: f32                   t = a[0]
///     t = a[0]          ~>     for i in seq(0, 8):
///     y[i] += t                    y[i] += t
/// ```
///
/// # Errors
/// The statement names the loop's variable, or changes something that is used in a way that the order matters.
pub fn hoist(p: &Proc, stmt: &Cursor) -> Result<(Proc, Option<Cursor>)> {
    let (s, around) = in_loop(p, stmt)?;
    let names = inspect::names_in(&s);
    if names.contains(&around.sym()?) {
        return refuse(
            HOIST,
            "looking at the statement",
            format!("{} is not the same in every iteration", s.describe()),
        );
    }
    let mut p = p.clone();
    while let Ok(before) = p.forward(stmt)?.prev(1) {
        let needed = before.kind() == CursorKind::Alloc && names.contains(&before.sym()?);
        p = if needed {
            p.lift_alloc(before, 1).during(HOIST, "moving an allocation out of the loop")?
        } else {
            let both = before.expand(Some(0), Some(1))?;
            p.reorder_stmts(both).during(HOIST, "bringing the statement to the front")?
        };
    }
    let s = p.forward(stmt)?;
    let after = s.next(1).ok();
    if after.is_some() {
        p = p.fission(s.after()?, 1).during(HOIST, "parting it from the rest of the loop")?;
    }
    let alone = p.forward(stmt)?.parent()?;
    let p = p.remove_loop(alone).during(HOIST, "running it once")?;
    let rest = after.map(|c| p.forward(&c)?.parent()).transpose()?;
    Ok((p, rest))
}

fn in_loop(p: &Proc, stmt: &Cursor) -> Result<(Cursor, Cursor)> {
    let s = p.forward(stmt)?;
    match s.parent() {
        Ok(around) if around.is_loop() => Ok((s, around)),
        Ok(_) | Err(_) => {
            refuse(HOIST, "looking at the statement", format!("{} is not in a loop", s.describe()))
        }
    }
}

/// Hoists every statement of a loop that can be, but for allocations that none of them needs.
///
/// ```text
/// for i in seq(0, 8):          t: f32
///     t: f32                   t = a[0]
///     t = a[0]          ~>     for i in seq(0, 8):
///     y[i] = t                     y[i] = t
///     y[i] += 1.0                  y[i] += 1.0
/// ```
///
/// # Errors
/// The cursor is at no loop.
pub fn hoist_all(p: &Proc, at: &Cursor) -> Result<(Proc, Cursor)> {
    let (mut p, mut around) = (p.clone(), p.forward(at)?);
    for stmt in around.body()?.stmts()? {
        if stmt.kind() == CursorKind::Alloc || around.body()?.length()? == 1 {
            continue;
        }
        match hoist(&p, &stmt) {
            Ok((next, Some(rest))) => (p, around) = (next, rest),
            Ok((_, None)) => {}
            Err(e) if is_caught(&e) => {}
            Err(bug) => return Err(bug),
        }
    }
    Ok((p, around))
}

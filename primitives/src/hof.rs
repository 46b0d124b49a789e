//! Higher-order scheduling: operations on a procedure and a cursor, and ways to put them together.
//! ASPLOS'25 §3.4 and §6.3.1; spec: [rule: hof].
//!
//! An [`Op`] takes a procedure and a cursor and gives both back. What refuses, or leads nowhere, can be caught;
//! an internal error never is.

pub mod traverse;

use crate::cursor::Cursor;
use crate::error::{Error, Found, InvalidCursor, Result, SchedulingError};
use crate::version::Proc;
use std::sync::Arc;
use traverse::Top;

/// How often [`repeat`] does what it repeats: operations that undo themselves would go on for ever.
pub const MAX_REPEATS: usize = 10_000;

/// What an operation does.
type Run = dyn Fn(&Proc, &Cursor) -> Result<(Proc, Cursor)> + Send + Sync;

/// An operation. Cloning shares it.
#[derive(Clone)]
pub struct Op(Arc<Run>);

impl Op {
    /// An operation that says itself where the cursor goes.
    pub fn new(f: impl Fn(&Proc, &Cursor) -> Result<(Proc, Cursor)> + Send + Sync + 'static) -> Op {
        Op(Arc::new(f))
    }

    /// Runs it.
    ///
    /// # Errors
    /// Those of what it does.
    pub fn run(&self, p: &Proc, c: &Cursor) -> Result<(Proc, Cursor)> {
        (self.0)(p, c)
    }

    /// Runs it; the procedure alone.
    ///
    /// # Errors
    /// Those of what it does.
    pub fn on(&self, p: &Proc, c: &Cursor) -> Result<Proc> {
        self.run(p, c).map(|(p, _)| p)
    }
}

/// Whether an error may be caught: a refusal or a move that leads nowhere, not a bug.
pub fn is_caught(e: &Error) -> bool {
    match e {
        Error::Scheduling(_) | Error::InvalidCursor(_) => true,
        Error::Internal { .. } => false,
    }
}

/// `λ(p, c). (op(p, c), c)`. The cursor is carried along to the new procedure as far as it survives; one that does
/// not is given back as it is, and is an error only for who uses it.
pub fn lift(f: impl Fn(&Proc, &Cursor) -> Result<Proc> + Send + Sync + 'static) -> Op {
    Op::new(move |p, c| {
        let new = f(p, c)?;
        let kept = new.forward(c).unwrap_or_else(|_| c.clone());
        Ok((new, kept))
    })
}

/// Does nothing.
pub fn skip() -> Op {
    Op::new(|p, c| Ok((p.clone(), c.clone())))
}

/// One after the other, each where the one before left the cursor.
pub fn seq(ops: impl IntoIterator<Item = Op>) -> Op {
    let ops: Vec<Op> = ops.into_iter().collect();
    Op::new(move |p, c| ops.iter().try_fold((p.clone(), c.clone()), |(p, c), op| op.run(&p, &c)))
}

/// Again and again until it fails, and the last that was well.
///
/// It fails itself only for bugs, and when it is still possible after [`MAX_REPEATS`] times.
pub fn repeat(op: Op) -> Op {
    repeat_within(MAX_REPEATS, op)
}

/// As [`repeat`], with a limit of one's own.
pub fn repeat_within(limit: usize, op: Op) -> Op {
    Op::new(move |p, c| {
        let (mut p, mut c) = (p.clone(), c.clone());
        for _ in 0..limit {
            match op.run(&p, &c) {
                Ok(next) => (p, c) = next,
                Err(e) if is_caught(&e) => return Ok((p, c)),
                Err(e) => return Err(e),
            }
        }
        Err(SchedulingError {
            primitive: "repeat",
            condition: crate::error::ARGUMENT,
            found: Found::Form { why: format!("the operation was still possible after {limit} times") },
            advice: None,
            places: Vec::new(),
            depth: p.depth(),
        }
        .into())
    })
}

/// The first, or where it fails the second, from the same procedure and cursor.
pub fn try_else(op: Op, otherwise: Op) -> Op {
    Op::new(move |p, c| match op.run(p, c) {
        Err(e) if is_caught(&e) => otherwise.run(p, c),
        done => done,
    })
}

/// The operation, or where it fails nothing.
pub fn attempt(op: Op) -> Op {
    try_else(op, skip())
}

/// The operation where a question is answered by yes, elsewhere nothing.
pub fn when(holds: impl Fn(&Cursor) -> bool + Send + Sync + 'static, op: Op) -> Op {
    Op::new(move |p, c| {
        let here = p.forward(c)?;
        if holds(&here) { op.run(p, &here) } else { Ok((p.clone(), here)) }
    })
}

/// At each cursor of a traversal in turn, all of them taken before the first rewrite. The cursor given back is the
/// last one.
pub fn reduce(op: Op, top: Top) -> Op {
    Op::new(move |p, c| {
        let start = p.forward(c)?;
        top.run(&start)?.into_iter().try_fold((p.clone(), start), |(p, _), c| op.run(&p, &c))
    })
}

/// At each of these cursors in turn; the cursor stays where it is.
pub fn apply(op: Op, cursors: impl IntoIterator<Item = Cursor>) -> Op {
    let cursors: Vec<Cursor> = cursors.into_iter().collect();
    lift(move |p, _| cursors.iter().try_fold(p.clone(), |p, c| op.on(&p, c)))
}

/// At the first cursor of a traversal where it is possible; fails where there is none.
pub fn first(op: Op, top: Top) -> Op {
    Op::new(move |p, c| {
        for at in top.run(&p.forward(c)?)? {
            match op.run(p, &at) {
                Err(e) if is_caught(&e) => {}
                done => return done,
            }
        }
        Err(InvalidCursor::new(format!("nowhere in {} is the operation possible", c.describe())).into())
    })
}

/// At the first place in what is pointed at, itself included, from the outside in.
pub fn top_down(op: Op) -> Op {
    first(op, traverse::self_and(traverse::nlr()))
}

/// At the first place in what is pointed at, itself included, from the inside out.
pub fn bottom_up(op: Op) -> Op {
    first(op, traverse::and_self(traverse::lrn()))
}

/// Wherever it is possible among the cursors of a traversal.
pub fn try_all(op: Op, top: Top) -> Op {
    reduce(attempt(op), top)
}

/// Moves the frame of reference: forwards the cursor, then moves it.
pub fn nav(to: impl Fn(&Cursor) -> std::result::Result<Cursor, InvalidCursor> + Send + Sync + 'static) -> Op {
    Op::new(move |p, c| Ok((p.clone(), to(&p.forward(c)?)?)))
}

/// The operation, and then the frame of reference from before it.
pub fn savec(op: Op) -> Op {
    lift(move |p, c| op.on(p, c))
}

/// The operation at another place, relative to the cursor.
pub fn reframe(
    to: impl Fn(&Cursor) -> std::result::Result<Cursor, InvalidCursor> + Send + Sync + 'static,
    op: Op,
) -> Op {
    savec(seq([nav(to), op]))
}

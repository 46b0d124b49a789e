//! Handles of cursors.

use crate::failure::Failure;
use crate::handles::{Config, Cursor, Memory, Proc};
use crate::passed::{self, Passed};
use crate::task::{look, work};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use rewright_primitives::cursor::text::place_to_text;
use rewright_primitives::cursor::{Coord, CursorKind};
use rewright_primitives::error::InvalidCursor;
use rewright_semantics::ast::{Literal, LoopMode};
use rewright_semantics::typecheck::{Precision, Type};
use rewright_semantics::types::MemName;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a move gives.
type Moved = Result<rewright_primitives::Cursor, InvalidCursor>;

/// A coordinate of a window: a point, or where an interval begins and ends.
type Ends = (Cursor, Option<Cursor>);

/// Where a buffer is, and the type of its cells in a word.
type Held = (Memory, &'static str);

impl Cursor {
    fn one(
        &self,
        py: Python<'_>,
        to: impl FnOnce(&rewright_primitives::Cursor) -> Moved,
    ) -> PyResult<Cursor> {
        Ok(self.own(look(py, || Ok(to(&self.cursor)?))?))
    }

    fn many(
        &self,
        py: Python<'_>,
        to: impl FnOnce(&rewright_primitives::Cursor) -> Result<Vec<rewright_primitives::Cursor>, InvalidCursor>,
    ) -> PyResult<Vec<Cursor>> {
        let cursors = look(py, || Ok(to(&self.cursor)?))?;
        Ok(cursors.into_iter().map(|cursor| self.own(cursor)).collect())
    }

    fn perhaps(
        &self,
        py: Python<'_>,
        to: impl FnOnce(&rewright_primitives::Cursor) -> Option<rewright_primitives::Cursor>,
    ) -> PyResult<Option<Cursor>> {
        let found = look(py, || Ok(to(&self.cursor)))?;
        Ok(found.map(|cursor| self.own(cursor)))
    }

    fn told<T>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&rewright_primitives::Cursor) -> Result<T, InvalidCursor>,
    ) -> PyResult<T> {
        look(py, || Ok(ask(&self.cursor)?))
    }

    /// What takes as long as the program is large: a search, a text, a type.
    fn worked<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&rewright_primitives::Cursor) -> Result<T, InvalidCursor> + Send,
    ) -> PyResult<T> {
        work(py, || Ok(ask(&self.cursor)?))
    }

    fn own(&self, cursor: rewright_primitives::Cursor) -> Cursor {
        Cursor { cursor, env: self.env.clone() }
    }

    fn memory(&self, name: MemName) -> Memory {
        let declared = self.env.memories.iter().find(|m| m.name == name).cloned();
        Memory { name, declared }
    }
}

/// Moves without arguments, by name.
fn step(c: &rewright_primitives::Cursor, name: &str) -> Option<Moved> {
    Some(match name {
        "parent" => c.parent(),
        "before" => c.before(),
        "after" => c.after(),
        "anchor" => c.anchor(),
        "body" => c.body(),
        "orelse" => c.orelse(),
        "lo" => c.lo(),
        "hi" => c.hi(),
        "cond" => c.cond(),
        "rhs" => c.rhs(),
        "lhs" => c.lhs(),
        "arg" => c.arg(),
        "as_block" => c.as_block(),
        _ => return None,
    })
}

#[pymethods]
impl Cursor {
    /// Where a move leads.
    #[pyo3(name = "move")]
    fn go(&self, py: Python<'_>, name: &str) -> PyResult<Cursor> {
        let moved = look(py, || match step(&self.cursor, name) {
            Some(moved) => Ok(moved?),
            None => Err(Failure::argument(format!("there is no move `{name}`"))),
        })?;
        Ok(self.own(moved))
    }

    /// The statement so many further; before, where that is negative.
    fn along(&self, py: Python<'_>, by: i64) -> PyResult<Cursor> {
        self.one(py, |c| {
            let distance = usize::try_from(by.unsigned_abs()).unwrap_or(usize::MAX);
            if by < 0 { c.prev(distance) } else { c.next(distance) }
        })
    }

    /// What this is a part of; `None` at the top.
    fn up(&self, py: Python<'_>) -> PyResult<Option<Cursor>> {
        self.perhaps(py, rewright_primitives::Cursor::up)
    }

    /// The statement so many further, or before; `None` where there is none.
    fn beside(&self, py: Python<'_>, by: isize) -> PyResult<Option<Cursor>> {
        self.perhaps(py, |c| c.beside(by))
    }

    /// The run of statements with so many more on each side; `None` for all there are.
    fn expand(&self, py: Python<'_>, before: Option<usize>, after: Option<usize>) -> PyResult<Cursor> {
        self.one(py, |c| c.expand(before, after))
    }

    /// The first place inside that a pattern describes.
    fn find(&self, py: Python<'_>, pattern: &str) -> PyResult<Cursor> {
        Ok(self.own(self.worked(py, |c| c.find(pattern))?))
    }

    /// Every place inside that a pattern describes.
    fn find_all(&self, py: Python<'_>, pattern: &str) -> PyResult<Vec<Cursor>> {
        let found = self.worked(py, |c| c.find_all(pattern))?;
        Ok(found.into_iter().map(|cursor| self.own(cursor)).collect())
    }

    /// The first loop inside that a pattern describes.
    fn find_loop(&self, py: Python<'_>, pattern: &str) -> PyResult<Cursor> {
        Ok(self.own(self.worked(py, |c| c.find_loop(pattern))?))
    }

    /// The indices of a cell.
    fn idx(&self, py: Python<'_>) -> PyResult<Vec<Cursor>> {
        self.many(py, |c| c.idx())
    }

    /// The arguments of a call.
    fn args(&self, py: Python<'_>) -> PyResult<Vec<Cursor>> {
        self.many(py, |c| c.args())
    }

    /// The extents of an allocation.
    fn shape(&self, py: Python<'_>) -> PyResult<Vec<Cursor>> {
        self.many(py, |c| c.shape())
    }

    /// What this is made of.
    fn children(&self, py: Python<'_>) -> PyResult<Vec<Cursor>> {
        self.many(py, |c| Ok(c.children()))
    }

    /// The statements of a run.
    fn stmts(&self, py: Python<'_>) -> PyResult<Vec<Cursor>> {
        self.many(py, |c| c.stmts())
    }

    /// The coordinates of a window: a point, or two ends.
    fn coords(&self, py: Python<'_>) -> PyResult<Vec<Ends>> {
        let coords = self.told(py, |c| c.coords())?;
        let ends = coords.into_iter().map(|c| match c {
            Coord::Point(at) => (self.own(at), None),
            Coord::Interval(from, to) => (self.own(from), Some(self.own(to))),
        });
        Ok(ends.collect())
    }

    /// The run that a slice is.
    fn slice(&self, py: Python<'_>, start: Option<isize>, stop: Option<isize>) -> PyResult<Cursor> {
        self.one(py, |c| c.slice(start, stop))
    }

    /// Whether the other is this or a part of it.
    fn is_ancestor_of(&self, other: &Cursor) -> bool {
        self.cursor.is_ancestor_of(&other.cursor)
    }

    /// What it points at: `For`, `Assign`, ….
    fn kind(&self) -> &'static str {
        match self.cursor.kind() {
            CursorKind::For => "For",
            CursorKind::If => "If",
            CursorKind::Assign => "Assign",
            CursorKind::Reduce => "Reduce",
            CursorKind::WriteConfig => "WriteConfig",
            CursorKind::Pass => "Pass",
            CursorKind::Alloc => "Alloc",
            CursorKind::WindowStmt => "WindowStmt",
            CursorKind::Call => "Call",
            CursorKind::Block => "Block",
            CursorKind::Gap => "Gap",
            CursorKind::Arg => "Arg",
            CursorKind::Read => "Read",
            CursorKind::Window => "Window",
            CursorKind::Literal => "Literal",
            CursorKind::Negation => "Negation",
            CursorKind::Not => "Not",
            CursorKind::Binary => "Binary",
            CursorKind::Extern => "Extern",
            CursorKind::Stride => "Stride",
            CursorKind::ReadConfig => "ReadConfig",
        }
    }

    /// The name of what it points at.
    fn name(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.told(py, |c| c.name().map(|n| n.as_str()))
    }

    /// The memory of a buffer.
    fn mem(&self, py: Python<'_>) -> PyResult<Memory> {
        Ok(self.memory(self.told(py, |c| c.mem())?))
    }

    /// For each argument of a call for which the callee takes data: where that is and what it is of, if it is a buffer, and
    /// what the callee asks for. The arguments around the call are those of a version. Another name is a `KeyError`.
    fn passed_buffers(&self, py: Python<'_>, proc: &Proc) -> PyResult<Vec<(Option<Held>, Held)>> {
        let held = |(memory, word): passed::Held| (self.memory(memory), word);
        let each = |(passed, asked)| match passed {
            Passed::Buffer(given) => Ok((Some(held(given)), held(asked))),
            Passed::Value => Ok((None, held(asked))),
            Passed::Unknown(name) => Err(PyKeyError::new_err(name.to_string())),
        };
        look(py, || Ok(passed::buffers(&self.cursor, proc.proc.ast())?))?.into_iter().map(each).collect()
    }

    /// Whether a buffer has dimensions.
    fn is_tensor(&self, py: Python<'_>) -> PyResult<bool> {
        self.told(py, |c| c.is_tensor())
    }

    /// The type, in a word: of a cell or a value; `None` where a value is of no one type.
    fn typ(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.worked(py, |c| {
            Ok(match c.typ()? {
                Type::Buffer(t) => Some(t.elem.keyword()),
                Type::Data(Precision::Of(t)) => Some(t.keyword()),
                Type::Control(t) => Some(t.keyword()),
                Type::Data(Precision::Literal | Precision::Mixed) | Type::Error => None,
            })
        })
    }

    /// The operator of an operation.
    fn op(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.told(py, |c| c.op().map(|op| op.symbol()))
    }

    /// The value of a literal: an integer, a truth value, or the digits of a number.
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.told(py, |c| c.value())? {
            Literal::Int(n) => Ok(n.into_pyobject(py)?.into_any()),
            Literal::Bool(b) => Ok(b.into_pyobject(py)?.to_owned().into_any()),
            Literal::Data(d) => Ok(d.to_string().into_pyobject(py)?.into_any()),
        }
    }

    /// The configuration class that is read or written.
    fn config(&self, py: Python<'_>) -> PyResult<Config> {
        self.told(py, |c| c.config()).map(Config)
    }

    /// The field that is read or written.
    fn field(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.told(py, |c| c.field().map(|n| n.as_str()))
    }

    /// The dimension of a stride.
    fn dim(&self, py: Python<'_>) -> PyResult<usize> {
        self.told(py, |c| c.dim())
    }

    /// Whether the iterations of a loop may run side by side.
    fn is_parallel(&self, py: Python<'_>) -> PyResult<bool> {
        self.told(py, |c| {
            c.loop_mode().map(|mode| match mode {
                LoopMode::Seq => false,
                LoopMode::Par => true,
            })
        })
    }

    /// The procedure that is called.
    fn subproc(&self, py: Python<'_>) -> PyResult<Proc> {
        let proc = self.told(py, |c| c.subproc())?;
        Ok(Proc { proc, env: self.env.clone() })
    }

    /// The procedure at the version that it points into.
    fn proc(&self) -> Proc {
        Proc { proc: self.cursor.proc().clone(), env: self.env.clone() }
    }

    /// What stands there, as text.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.worked(py, |c| Ok(c.text()))
    }

    /// Where it is: `body[0].body[1]`.
    fn place(&self) -> String {
        place_to_text(self.cursor.place())
    }

    /// What it points at, in words.
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        self.worked(py, |c| Ok(c.describe()))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.worked(py, |c| Ok(c.to_string()))
    }

    /// As text, with an `if` in the `else` for each `elif`.
    fn nested(&self, py: Python<'_>) -> PyResult<String> {
        self.worked(py, |c| Ok(c.nested().to_string()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Cursor>().is_ok_and(|other| self.cursor == other.get().cursor)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.cursor.proc().id(), self.cursor.place()).hash(&mut hasher);
        hasher.finish()
    }
}

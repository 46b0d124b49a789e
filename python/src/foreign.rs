//! C that objects of Python write: memories whose methods are Python, and externs. Spec: [rule: python.exo-memories].
//!
//! The interpreter's lock is taken for each question. What Python raises there is what the compilation raises.

use crate::failure::Failure;
use crate::handles::{Extern, Memory};
use crate::task::work;
use crate::world::World;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rewright_backends::c::emit;
use rewright_backends::c::style::Style;
use rewright_backends::c::tree::{CExpr, CStmt, data_type_name};
use rewright_backends::c::{CUnit, Options};
use rewright_backends::externs::ForeignC;
use rewright_backends::memory::{Allocation, Cell, Memory as CMemory, Refusal};
use rewright_semantics::ast::{Expr, MemoryDef, MemoryMethod};
use rewright_semantics::externs::{self as known, Foreign};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{DataType, MemName};
use std::sync::{Arc, Mutex, PoisonError};

/// An object of Python that is asked, and what it raised first.
#[derive(Clone, Debug)]
pub(crate) struct Author {
    object: Arc<Py<PyAny>>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Author {
    /// One that has not been asked.
    pub(crate) fn new(object: Py<PyAny>) -> Author {
        Author { object: Arc::new(object), raised: Arc::default() }
    }

    /// What a method returns.
    fn ask<T: for<'py> FromPyObject<'py, 'py, Error = PyErr>>(
        &self,
        method: &str,
        args: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyTuple>>,
    ) -> Result<T, Refusal> {
        Python::attach(|py| {
            let asked = args(py).and_then(|args| self.object.bind(py).call_method1(method, args));
            asked.and_then(|found| found.extract::<T>()).map_err(|e| {
                let why = e.value(py).to_string();
                self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
                Refusal::new(why)
            })
        })
    }

    /// Does some work that asks; what was raised is raised.
    ///
    /// # Errors
    /// The work fails, or the object raised.
    pub(crate) fn work<T: Send>(
        &self,
        py: Python<'_>,
        task: impl FnOnce() -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = work(py, task);
        match self.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(e) => Err(e),
            None => done,
        }
    }

    /// Options with the memories of these names that the object knows, and its externs.
    ///
    /// # Errors
    /// The object raises.
    pub(crate) fn options(&self, py: Python<'_>, unit: &str, names: &[MemName]) -> PyResult<Options> {
        let foreign: Option<Arc<dyn ForeignC + Send + Sync>> = Some(Arc::new(self.clone()));
        let mut options = Options { foreign, style: Style::Exo, ..Options::new(unit) };
        for name in names {
            if self.object.bind(py).call_method1("knows", (name.0.as_str(),))?.extract()? {
                let memory = Written { name: *name, author: self.clone() };
                options.memories.push((*name, Arc::new(memory)));
            }
        }
        Ok(options)
    }
}

/// A memory whose C an object of Python writes.
#[derive(Clone, Debug)]
struct Written {
    name: MemName,
    author: Author,
}

impl Written {
    fn name(&self) -> &'static str {
        self.name.0.as_str()
    }

    fn allocation(&self, method: &str, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        let shape: Vec<String> = a.shape.iter().map(emit::operand).collect();
        let place = place(a.span);
        let text: Option<String> = self
            .author
            .ask(method, |py| (self.name(), a.name, c_type(a.elem), shape, place).into_pyobject(py))?;
        Ok(lines(text))
    }

    fn store(&self, method: &str, at: &Cell<'_>, rhs: &CExpr) -> Result<Vec<CStmt>, Refusal> {
        let (lhs, rhs) = (emit::expr(&at.lvalue()), emit::expr(rhs));
        let (idx, value) = match at.source.stored {
            Some((idx, value)) => (texts(idx), expr_to_string(value)),
            None => (Vec::new(), String::new()),
        };
        let said = (buffer(at), c_type(at.elem), idx, value, place(at.source.span));
        let text: Option<String> =
            self.author.ask(method, |py| (self.name(), said, lhs, rhs).into_pyobject(py))?;
        Ok(lines(text))
    }
}

/// The buffer of a cell, as the program calls it.
fn buffer(at: &Cell<'_>) -> &'static str {
    at.source.buffer.name().as_str()
}

fn texts(all: &[Expr]) -> Vec<String> {
    all.iter().map(expr_to_string).collect()
}

/// A file, a line, the column in the text that was read, counted from 0, and how far that line is indented there.
type Place = (String, usize, usize, usize);

/// Where the program speaks of something; nowhere, if no one wrote that.
fn place(span: Span) -> Option<Place> {
    let sources = World::get().sources();
    let (line, column) = sources.line_col(span)?;
    let file = sources.get(span.file)?;
    let text = file.text.lines().nth(line.checked_sub(1)?)?;
    let indent = text.chars().take_while(|c| c.is_whitespace()).count();
    Some((file.name.clone(), line, column.saturating_sub(1), indent))
}

/// The word of C for a type of data, as Exo has it.
fn c_type(t: DataType) -> &'static str {
    match t {
        DataType::F16 => "_Float16",
        DataType::R
        | DataType::BF16
        | DataType::F32
        | DataType::F64
        | DataType::I8
        | DataType::UI8
        | DataType::UI16
        | DataType::I32 => data_type_name(t),
    }
}

fn lines(text: Option<String>) -> Vec<CStmt> {
    text.filter(|t| !t.trim().is_empty()).map(CStmt::Raw).into_iter().collect()
}

impl CMemory for Written {
    fn global(&self) -> Option<String> {
        self.author.ask("global_", |py| (self.name(),).into_pyobject(py)).ok()
    }

    fn flags(&self) -> Vec<String> {
        self.author.ask("cflags", |py| (self.name(),).into_pyobject(py)).unwrap_or_default()
    }

    fn is_addressable(&self, rank: usize) -> bool {
        self.author.ask("is_addressable", |py| (self.name(), rank).into_pyobject(py)).unwrap_or(true)
    }

    fn serves_as(&self, expected: MemName) -> bool {
        self.author
            .ask("serves_as", |py| (self.name(), expected.0.as_str()).into_pyobject(py))
            .unwrap_or(false)
    }

    fn is_text(&self) -> bool {
        true
    }

    fn is_stateful(&self) -> bool {
        true
    }

    fn is_handed_out(&self) -> bool {
        self.author.ask("is_handed_out", |py| (self.name(),).into_pyobject(py)).unwrap_or(false)
    }

    fn alloc(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        self.allocation("alloc", a)
    }

    fn free(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        self.allocation("free", a)
    }

    fn window(&self, at: &Cell<'_>) -> Result<CExpr, Refusal> {
        if at.indices.is_empty() {
            return Ok(at.base.clone());
        }
        let text = |all: &[CExpr]| all.iter().map(emit::expr).collect::<Vec<_>>();
        let (indices, strides) = (text(at.indices), text(at.strides));
        let (elem, base) = (c_type(at.elem), emit::operand(at.base));
        let (shape, place) = (texts(at.source.shape), place(at.source.span));
        let found: String = self.author.ask("window", |py| {
            (self.name(), elem, base, indices, strides, shape, place).into_pyobject(py)
        })?;
        Ok(CExpr::Raw(found))
    }

    fn read(&self, at: &Cell<'_>) -> Result<CExpr, Refusal> {
        let place = place(at.source.span);
        self.author.ask::<bool>("read", |py| (self.name(), buffer(at), place).into_pyobject(py))?;
        Ok(at.lvalue())
    }

    fn write(&self, at: &Cell<'_>, rhs: CExpr) -> Result<Vec<CStmt>, Refusal> {
        self.store("write", at, &rhs)
    }

    fn reduce(&self, at: &Cell<'_>, rhs: CExpr) -> Result<Vec<CStmt>, Refusal> {
        self.store("reduce", at, &rhs)
    }
}

impl ForeignC for Author {
    fn call(&self, f: Foreign, args: &[String], t: DataType) -> Result<String, Refusal> {
        self.ask("extern_call", |py| (f.id(), args.to_vec(), c_type(t)).into_pyobject(py))
    }

    fn global(&self, f: Foreign, t: DataType) -> Result<String, Refusal> {
        self.ask("extern_global", |py| (f.id(), c_type(t)).into_pyobject(py))
    }

    fn shown(&self, value: &str, is_cell: bool, how: &str) -> Result<String, Refusal> {
        self.ask("shown", |py| (value, is_cell, how).into_pyobject(py))
    }
}

/// A memory of this name, whose C an object of Python writes.
#[pyfunction]
pub(crate) fn memory(name: &str) -> Memory {
    let name = MemName(Name::new(name));
    // It is declared, and what its methods do is not known here.
    let methods = ["alloc", "free", "window", "can_read", "write", "reduce", "global_"];
    let methods = methods.into_iter().map(|m| (Name::new(m), MemoryMethod::Opaque)).collect();
    Memory { name, declared: Some(Arc::new(MemoryDef { name, methods, span: Span::NONE })) }
}

/// An extern of this name, whose C an object of Python writes, and its number.
#[pyfunction]
pub(crate) fn extern_(name: &str, arity: usize) -> (Extern, u64) {
    let declared = Foreign::declare(name, arity);
    (Extern(known::Extern::Foreign(declared)), declared.id())
}

/// The findings of a unit that are warnings, as text.
pub(crate) fn warned(unit: &CUnit) -> Vec<String> {
    let sources = World::get().sources();
    let text = |d| {
        rewright_semantics::render::render(std::slice::from_ref(d), &sources, false).trim_end().to_owned()
    };
    unit.warnings.iter().map(text).collect()
}

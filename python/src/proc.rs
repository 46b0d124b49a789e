//! Handles of procedures.

use crate::definitions::written;
use crate::env::{Assumption, assumptions};
use crate::failure::{Failure, to_py};
use crate::forward::as_exo;
use crate::handles::{Cursor, Proc};
use crate::task::{look, work};
use pyo3::prelude::*;
use rewright_effects::frontend;
use rewright_primitives::cursor::text::place_to_text;
use rewright_primitives::derivation::record;
use rewright_primitives::ops::replace::{has_form_of, next_of_form};
use rewright_primitives::registry::Value as Argument;
use rewright_primitives::version::Reason;
use rewright_semantics::ast::{self, Module, StmtKind};
use rewright_semantics::pretty::{expr_to_string, proc_to_nested_string};
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ArgType, ArrayKind, DataType};
use serde_json::{Value, json};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl Proc {
    fn own(&self, cursor: rewright_primitives::Cursor) -> Cursor {
        Cursor { cursor, env: self.env.clone() }
    }
}

#[pymethods]
impl Proc {
    /// Its name.
    fn name(&self) -> &'static str {
        self.proc.name().as_str()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || Ok(self.proc.to_string()))
    }

    /// As text, with an `if` in the `else` for each `elif`.
    fn nested(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || Ok(proc_to_nested_string(self.proc.ast())))
    }

    /// The same version.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Proc>().is_ok_and(|other| self.proc.id() == other.get().proc.id())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.proc.id().hash(&mut hasher);
        hasher.finish()
    }

    /// How many steps lie between the definition and this version.
    fn depth(&self) -> usize {
        self.proc.depth()
    }

    /// The versions from the definition to this one.
    fn history(&self) -> Vec<Proc> {
        let own = |proc| Proc { proc, env: self.env.clone() };
        self.proc.history().into_iter().map(own).collect()
    }

    /// The step that made it: the primitive, and its arguments as text; nothing for a definition.
    fn step(&self) -> Option<(&'static str, Vec<(&'static str, String)>)> {
        let step = &self.proc.origin()?.step;
        let text = |value: &Argument| match value {
            Argument::Cursor(c) => place_to_text(c.place()),
            Argument::None
            | Argument::Bool(_)
            | Argument::Int(_)
            | Argument::Text(_)
            | Argument::List(_)
            | Argument::Proc(_)
            | Argument::Config(_)
            | Argument::Named(_) => value.to_string(),
        };
        Some((step.primitive, step.args.iter().map(|(name, value)| (*name, text(value))).collect()))
    }

    /// Whether calls become the text of an instruction.
    fn is_instr(&self) -> bool {
        self.proc.is_instr()
    }

    /// The text of the instruction: of a call, and what a file has once.
    fn instr(&self) -> Option<(String, String)> {
        self.proc.ast().instr.as_ref().map(|i| (i.c_instr.to_string(), i.c_global.to_string()))
    }

    /// How many seconds the step took that made it, without what Python adds; nothing for a definition.
    fn took(&self) -> Option<f64> {
        Some(self.proc.origin()?.step.took.as_secs_f64())
    }

    /// What the steps up to this version assume: how many versions are before it, the primitive, the condition.
    fn assumptions(&self) -> Vec<Assumption> {
        assumptions(&self.proc)
    }

    /// What versions of other procedures assume that were in its surroundings: which procedure, and what.
    fn assumptions_of_others(&self) -> Vec<(&'static str, Assumption)> {
        self.env.assumed.iter().map(|(name, a)| (name.as_str(), *a)).collect()
    }

    /// Whether the other has the same syntax, names included.
    fn same(&self, other: &Proc) -> bool {
        std::sync::Arc::ptr_eq(self.proc.ast(), other.proc.ast()) || self.proc.ast() == other.proc.ast()
    }

    /// The assertions.
    fn preds(&self) -> Vec<String> {
        self.proc.preds().iter().map(expr_to_string).collect()
    }

    /// The arguments: name, type, extents (nothing for control), and whether it is a window.
    fn signature(&self) -> Vec<(&'static str, &'static str, Option<Vec<String>>, bool)> {
        let row = |a: &ast::Arg| match &a.typ {
            ArgType::Control(t) => (a.name.name().as_str(), t.keyword(), None, false),
            ArgType::Data { typ, mem: _ } => {
                let shape = typ.shape.iter().map(expr_to_string).collect();
                (a.name.name().as_str(), typ.elem.keyword(), Some(shape), typ.kind == ArrayKind::Window)
            }
        };
        self.proc.ast().args.iter().map(row).collect()
    }

    /// The whole body.
    fn body(&self, py: Python<'_>) -> PyResult<Cursor> {
        look(py, || Ok(self.own(self.proc.body()?)))
    }

    /// The arguments.
    fn args(&self) -> Vec<Cursor> {
        self.proc.args().into_iter().map(|c| self.own(c)).collect()
    }

    /// The argument of a name.
    fn get_arg(&self, py: Python<'_>, name: &str) -> PyResult<Cursor> {
        work(py, || Ok(self.own(self.proc.get_arg(name)?)))
    }

    /// The first place that a pattern describes.
    fn find(&self, py: Python<'_>, pattern: &str) -> PyResult<Cursor> {
        work(py, || Ok(self.own(self.proc.find(pattern)?)))
    }

    /// Every place that a pattern describes.
    fn find_all(&self, py: Python<'_>, pattern: &str) -> PyResult<Vec<Cursor>> {
        work(py, || Ok(self.proc.find_all(pattern)?.into_iter().map(|c| self.own(c)).collect()))
    }

    /// The first loop that a pattern describes.
    fn find_loop(&self, py: Python<'_>, pattern: &str) -> PyResult<Cursor> {
        work(py, || Ok(self.own(self.proc.find_loop(pattern)?)))
    }

    /// The allocation or the data argument that a pattern describes.
    fn find_alloc_or_arg(&self, py: Python<'_>, pattern: &str) -> PyResult<Cursor> {
        work(py, || Ok(self.own(self.proc.find_alloc_or_arg(pattern)?)))
    }

    /// Where a cursor of this version or an earlier one is in this one.
    fn forward(&self, py: Python<'_>, cursor: &Cursor) -> PyResult<Cursor> {
        work(py, || Ok(self.own(self.proc.forward(&cursor.cursor)?)))
    }

    /// The same as Exo has it: [`crate::forward`].
    fn forward_kept(&self, py: Python<'_>, cursor: &Cursor) -> PyResult<Cursor> {
        work(py, || Ok(self.own(as_exo(&self.proc, &cursor.cursor)?)))
    }

    /// Whether a call of a procedure may stand here, by what is known around both.
    fn may_call(&self, subproc: &Proc) -> bool {
        self.proc.name() != subproc.proc.name() && self.env.with(&subproc.env).is_ok()
    }

    /// Whether statements have the form of the body of a procedure: where they have not, `replace` refuses for that reason. Where
    /// it has another that comes before, this says that they have it.
    fn has_form_of(&self, py: Python<'_>, at: &Cursor, subproc: &Proc) -> PyResult<bool> {
        if !self.may_call(subproc) {
            return Ok(true);
        }
        work(py, || Ok(has_form_of(&self.proc, at.cursor.clone(), &subproc.proc)?))
    }

    /// The next match of a pattern, from this one on, where statements begin that have the form of the body of a procedure: which it
    /// is, and the statements. The procedure has another name, and what it knows does not contradict what is known here.
    fn next_of_form(
        &self,
        py: Python<'_>,
        pattern: &str,
        at: usize,
        subproc: &Proc,
    ) -> PyResult<Option<(usize, Cursor)>> {
        let found = work(py, || Ok(next_of_form(&self.proc, pattern, at, &subproc.proc)?))?;
        Ok(found.map(|(k, cursor)| (k, self.own(cursor))))
    }

    /// Whether this version does all that an earlier one does, by the steps between: no field may differ, nothing is rounded
    /// otherwise, and nothing is assumed. What `R` is may be chosen.
    fn does_as(&self, earlier: &Proc) -> bool {
        let mut version = self.proc.clone();
        while !Arc::ptr_eq(version.ast(), earlier.proc.ast()) {
            let Some(origin) = version.origin() else { return false };
            let step = &origin.step;
            let is_assumed = step.discharged.iter().any(|d| matches!(d.by, Reason::Omitted));
            let rounds = !step.rounding.is_empty() && !is_choice(origin.parent.ast(), version.ast());
            if is_assumed || !step.modulo.is_empty() || rounds {
                return false;
            }
            version = origin.parent.clone();
        }
        true
    }

    /// Whether this and another version do the same on every input, as far as the steps between them say.
    fn is_eq(&self, py: Python<'_>, other: &Proc) -> PyResult<bool> {
        work(py, || Ok(self.proc.is_eq(&other.proc)))
    }

    /// The record of the steps, as JSON.
    fn derivation(&self, py: Python<'_>, binding: &str) -> PyResult<String> {
        work(py, || {
            let (text, called) = written(self)?;
            let record = record(text, [(binding, &self.proc)]).calling(called);
            let written = serde_json::to_string_pretty(&record);
            written.map_err(|e| Failure::internal(&e.to_string()))
        })
    }

    /// Proves what the front end asks of it: one row for each requirement.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = work(py, || {
            let module = Module { procs: vec![self.proc.ast().clone()], ..Module::default() };
            let types = rewright_semantics::typecheck::check_module(&module);
            if rewright_semantics::diag::has_errors(&types) {
                return Err(Failure::findings("ProgramError", &types));
            }
            let checked = frontend::check_module(&module);
            let rows = checked.iter().flat_map(|c| &c.findings).map(|f| {
                let asked = &f.requirement.obligation;
                json!({
                    "rule": asked.id.to_string(),
                    "sentence": asked.sentence,
                    "proved": f.verdict.is_proved(),
                    "counterexample": f.counterexample(),
                })
            });
            Ok(Value::Array(rows.collect()))
        })?;
        to_py(py, &rows)
    }
}

/// Whether two versions differ only in what has become of `R`.
fn is_choice(before: &ast::Proc, after: &ast::Proc) -> bool {
    let (before, after) = (declared(before), declared(after));
    before != after
        && before.len() == after.len()
        && before.iter().zip(&after).all(|(a, b)| a == b || *a == DataType::R)
}

/// The types of the cells of arguments and allocations, in order.
fn declared(p: &ast::Proc) -> Vec<DataType> {
    let of_arg = |a: &ast::Arg| match &a.typ {
        ArgType::Data { typ, mem: _ } => Some(typ.elem),
        ArgType::Control(_) => None,
    };
    let mut types: Vec<DataType> = p.args.iter().filter_map(of_arg).collect();
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Alloc { typ, .. } = s.kind.as_ref() {
            types.push(typ.elem);
        }
    });
    types
}

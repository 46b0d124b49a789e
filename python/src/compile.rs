//! C of procedures, and compiled code to call.

use crate::control::{Actuals, Control, fits};
use crate::env::Env;
use crate::failure::{Failure, to_py};
use crate::foreign::{Author, warned};
use crate::handles::Proc;
use crate::task::work;
use pyo3::prelude::*;
use rewright_backends::c::tree::CType;
use rewright_backends::c::usage::Program;
use rewright_backends::c::{CUnit, Options, compile_module};
use rewright_backends::harness::{self, Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_semantics::ast::{self, Module};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::inputs::Subject;
use rewright_semantics::types::{ArgType, ControlType, DataType, FieldType};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// The module of some procedures: what surrounds any of them.
fn module_of(procs: &[Proc]) -> Result<Module, Failure> {
    let env = procs.iter().try_fold(Env::default(), |env, p| env.with(&p.env))?;
    let mut out = Vec::new();
    for p in procs.iter().map(|p| p.proc.ast()) {
        match out.iter().find(|q: &&Arc<ast::Proc>| q.name == p.name) {
            None => out.push(p.clone()),
            Some(same) if Arc::ptr_eq(same, p) => {}
            Some(_) => return Err(Failure::argument(format!("two procedures are called `{}`", p.name))),
        }
    }
    Ok(Module { configs: env.configs, memories: env.memories, procs: out })
}

/// A type of data by its word.
fn precision(word: Option<&str>) -> Result<Option<DataType>, Failure> {
    word.map(|word| {
        DataType::from_keyword(word).ok_or_else(|| Failure::argument(format!("`{word}` is no type of data")))
    })
    .transpose()
}

fn refused(found: &[Diagnostic]) -> Failure {
    Failure::findings("CodegenError", found)
}

/// No C is made of procedures in which something is open. Spec: [rule: left-open].
fn refuse_left_open(procs: &[Proc]) -> Result<(), Failure> {
    let found: Vec<Diagnostic> = procs.iter().flat_map(|p| p.proc.left_open_in_c()).collect();
    if found.is_empty() { Ok(()) } else { Err(refused(&found)) }
}

/// Does some work with options in which C is that of `author`, where there is one.
fn with_options<T: Send>(
    py: Python<'_>,
    author: Option<Py<PyAny>>,
    unit: &str,
    module: &Module,
    task: impl FnOnce(&Options) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let Some(author) = author.map(Author::new) else {
        let options = Options::new(unit);
        return work(py, || task(&options));
    };
    let names: Vec<_> = module.memories.iter().map(|m| m.name).collect();
    let options = author.options(py, unit, &names)?;
    author.work(py, || task(&options))
}

/// The C of procedures: source, header, what a compiler must be told besides, and warnings.
///
/// `author` writes the C of memories and externs of Python's; every function takes the context then, as in Exo. `real` is what
/// `R` is, and `header` what the source includes.
///
/// # Errors
/// The back end refuses them.
#[pyfunction]
#[pyo3(signature = (procs, unit, author=None, real=None, header=None))]
pub(crate) fn c_code(
    py: Python<'_>,
    procs: Vec<PyRef<'_, Proc>>,
    unit: &str,
    author: Option<Py<PyAny>>,
    real: Option<&str>,
    header: Option<String>,
) -> PyResult<(String, String, Vec<String>, Vec<String>)> {
    let real = precision(real).map_err(|e| e.raised(py))?;
    let procs: Vec<Proc> = procs.iter().map(|p| Proc::clone(p)).collect();
    let has_author = author.is_some();
    let module = module_of(&procs).map_err(|e| e.raised(py))?;
    with_options(py, author, unit, &module, |options| {
        refuse_left_open(&procs)?;
        let options = options.clone();
        let options = Options { always_context: has_author, real: real.or(options.real), header, ..options };
        let made = compile_module(&module, &options).map_err(|found| refused(&found))?;
        let warned = warned(&made);
        let CUnit { source, header, flags, .. } = made;
        Ok((source, header, flags, warned))
    })
}

/// A procedure, compiled to a shared object, which is gone when this is.
#[pyclass(frozen, module = "rewright._rewright")]
pub(crate) struct Compiled {
    built: Mutex<Built>,
    proc: Proc,
    path: String,
    entry: String,
    /// For each argument, whether it is passed with its strides.
    strided: Vec<bool>,
    /// The fields that are passed, with their types.
    fields: Vec<(String, &'static str)>,
    /// The arguments that are written.
    written: Vec<String>,
}

/// Compiles a procedure for this machine.
///
/// # Errors
/// The back end refuses it, there is no compiler, or the machine lacks what it uses.
#[pyfunction]
#[pyo3(signature = (proc, author=None))]
pub(crate) fn build(py: Python<'_>, proc: &Proc, author: Option<Py<PyAny>>) -> PyResult<Compiled> {
    let module = module_of(std::slice::from_ref(proc)).map_err(|e| e.raised(py))?;
    with_options(py, author, "unit", &module, |options| {
        refuse_left_open(std::slice::from_ref(proc))?;
        let compilers = Compiler::available();
        let compiler = compilers.first().ok_or_else(|| {
            Failure::new("CompileError", "no C compiler was found: install gcc or clang, or set CC")
        })?;
        let built = Built::with_options(&module, compiler, &[], options.clone()).map_err(|e| failed(&e))?;
        let path = built.shared().map_err(|e| failed(&e))?.display().to_string();
        let name = proc.proc.name();
        let (k, f) = built.function(name.as_str()).map_err(|e| failed(&e))?;
        let strided = f.params.iter().map(|p| matches!(p.typ, CType::Named(_))).collect();
        let fields = if f.needs_context { built.unit().fields.as_slice() } else { &[] };
        let fields = fields.iter().filter_map(|x| {
            let field = x.config.fields.get(x.index)?;
            let word = match field.typ {
                FieldType::Control(t) => t.keyword(),
                FieldType::Data(t) => t.keyword(),
            };
            Some((format!("{}.{}", x.config.name, field.name), word))
        });
        let (entry, fields) = (harness::entry(k), fields.collect());
        let (program, ast) = (Program::of(&module), proc.proc.ast());
        let args = ast.args.iter().enumerate().filter(|(k, _)| program.writes_argument(ast, *k));
        let written = args.map(|(_, a)| a.name.name().to_string()).collect();
        Ok(Compiled { strided, path, entry, fields, written, proc: proc.clone(), built: Mutex::new(built) })
    })
}

fn failed(e: &HarnessError) -> Failure {
    match e {
        HarnessError::Refused(found) => refused(found),
        HarnessError::Tool(_)
        | HarnessError::Stopped(_)
        | HarnessError::Emulator(_)
        | HarnessError::Load(_)
        | HarnessError::Unsupported(_)
        | HarnessError::NoProcedure(_)
        | HarnessError::BadInput(_) => Failure::new("CompileError", e.to_string()),
    }
}

#[pymethods]
impl Compiled {
    /// The procedure.
    fn proc(&self) -> Proc {
        self.proc.clone()
    }

    /// Where the shared object is.
    fn path(&self) -> &str {
        &self.path
    }

    /// The function to call: `void entry(void **args, const int64_t *ctl)`.
    fn entry(&self) -> &str {
        &self.entry
    }

    /// For each argument, whether it is passed with its strides.
    fn strided(&self) -> Vec<bool> {
        self.strided.clone()
    }

    /// The fields that are passed, with their types.
    fn fields(&self) -> Vec<(String, &'static str)> {
        self.fields.clone()
    }

    /// The fields that the procedure mentions.
    fn mentioned(&self) -> Vec<String> {
        Subject::of(self.proc.proc.ast()).fields().map(|(key, _)| key.to_string()).collect()
    }

    /// The arguments that are written.
    fn written(&self) -> Vec<String> {
        self.written.clone()
    }

    /// The C source.
    fn source(&self, py: Python<'_>) -> PyResult<String> {
        work(py, || {
            let built = self.built.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            Ok(built.unit().source.clone())
        })
    }

    /// Whether a call is one of the procedure's: control values and fields by name; for each buffer its extents, and its
    /// strides in elements.
    fn check(
        &self,
        py: Python<'_>,
        control: Vec<(String, i64)>,
        buffers: Vec<(String, Vec<i64>, Vec<i64>)>,
    ) -> PyResult<()> {
        work(py, || {
            let p = self.proc.proc.ast();
            let mut actuals = Actuals::default();
            for arg in &p.args {
                let name = arg.name.name();
                let given = control.iter().find(|(x, _)| x == name.as_str());
                match (&arg.typ, given) {
                    (ArgType::Control(_), Some((_, value))) => actuals.bind(arg.name, *value),
                    (ArgType::Control(_), None) => {
                        return Err(Failure::argument(format!("{}: there is no value for `{name}`", p.name)));
                    }
                    (ArgType::Data { .. }, _) => {
                        let found = buffers.iter().find(|(x, ..)| x == name.as_str());
                        let Some((_, shape, strides)) = found else {
                            let why = format!("{}: there is no array for `{name}`", p.name);
                            return Err(Failure::argument(why));
                        };
                        actuals.show(arg.name, shape.clone(), strides.clone());
                    }
                }
            }
            for (name, value) in control.iter().filter(|(name, _)| name.contains('.')) {
                let kind = self.fields.iter().find(|(field, _)| field == name).map(|(_, kind)| *kind);
                if kind == Some(ControlType::Size.keyword()) && *value < 1 {
                    let why = format!("{}: the field `{name}` is {value}: sizes are above 0", p.name);
                    return Err(Failure::argument(why));
                }
                let truth = kind == Some(ControlType::Bool.keyword());
                actuals.set(name, if truth { Control::Bool(*value != 0) } else { Control::Int(*value) });
            }
            fits(p, &actuals).map_err(Failure::argument)
        })
    }
}

/// The compilers of this machine.
///
/// # Errors
/// None.
#[pyfunction]
pub(crate) fn compilers(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let found = work(py, || {
        let row = |c: &Compiler| json!({ "path": c.path.display().to_string(), "version": c.version });
        Ok(Value::Array(Compiler::available().iter().map(row).collect()))
    })?;
    to_py(py, &found)
}

//! Definitions: from text, and what names of the surroundings stand for, to procedures. Spec: [rule: python.definitions].

use crate::env::{Env, OfMachines};
use crate::failure::Failure;
use crate::handles::{self, Config, Handle, Memory, Proc, handle};
use crate::task::work;
use crate::value::{float_text, plain};
use crate::world::World;
use crate::{prefixes, signs, written};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use rewright_effects::frontend::{self, Checked, Mode};
use rewright_primitives::left_open::is_left_open;
use rewright_primitives::version::session::Session;
use rewright_semantics::ast::{self, Decimal, Module};
use rewright_semantics::diag::{Diagnostic, has_errors};
use rewright_semantics::parse::{Outer, Prelude, parse_in_block, parse_module};
use rewright_semantics::sym::Name;
use rewright_semantics::typecheck::check_proc;
use std::sync::Arc;

/// What a text defines.
type Defined = (Vec<Proc>, Vec<Config>, Vec<Memory>);

/// How a text is read.
#[derive(Clone, Copy, Default)]
struct How {
    /// It is the text of a file, which a derivation holds; else a derivation prints the definitions.
    whole: bool,
    /// It is asked what Exo asks, and the placeholders of instructions are left to the calls.
    strict: bool,
    /// Definitions stand in a block, after `if True:`.
    in_block: bool,
    /// Variables of one name are told apart by numbers, which they lose.
    quoted: bool,
}

/// The definitions of a text. `scope` is what names of its surroundings stand for; other objects in it are left out.
/// `whole`, `strict` and `in_block`: how it is read.
///
/// # Errors
/// The text is not understood, or its programs are refused.
#[pyfunction]
#[pyo3(signature = (text, filename, scope, whole, strict=false, in_block=false))]
pub(crate) fn module(
    py: Python<'_>,
    text: String,
    filename: &str,
    scope: Vec<(String, Bound<'_, PyAny>)>,
    whole: bool,
    strict: bool,
    in_block: bool,
) -> PyResult<Defined> {
    read(py, text, filename, &scope, How { whole, strict, in_block, quoted: false })
}

/// The definitions of a text in which quotes were filled in: strictly.
///
/// # Errors
/// As [`module`].
#[pyfunction]
pub(crate) fn filled_in(
    py: Python<'_>,
    text: String,
    filename: &str,
    scope: Vec<(String, Bound<'_, PyAny>)>,
) -> PyResult<Defined> {
    read(py, text, filename, &scope, How { strict: true, quoted: true, ..How::default() })
}

fn read(
    py: Python<'_>,
    text: String,
    filename: &str,
    scope: &[(String, Bound<'_, PyAny>)],
    How { whole, strict, in_block, quoted }: How,
) -> PyResult<Defined> {
    let (mut names, mut env, mut own) = (Vec::new(), Env::default(), Vec::new());
    for (name, object) in scope {
        if let Some(Handle::Memory(Memory { name, declared: Some(_) })) = handle(object) {
            own.push(name);
        }
        if let Some(outer) = outer(name, object, &mut env)? {
            names.push((Name::new(name), outer));
        }
    }
    work(py, move || {
        let world = World::get();
        let file = world.add(filename, &text);
        let prelude = Prelude { scope: names, ..world.prelude().clone() };
        let parse = if in_block { parse_in_block } else { parse_module };
        let parsed = parse(file, &world.sources(), &prelude);
        let found: Vec<Diagnostic> =
            parsed.diagnostics.into_iter().filter(|d| !is_no_matter(d, strict)).collect();
        if has_errors(&found) {
            return Err(Failure::findings("ParseError", &found));
        }
        let mut module = parsed.module;
        if strict {
            module.procs.iter_mut().for_each(|p| *p = Arc::new(prefixes::shortened(&signs::drawn_in(p))));
        }
        if quoted {
            module.procs.iter_mut().for_each(|p| *p = Arc::new(written::names(p)));
        }
        own.extend(module.memories.iter().map(|m| m.name));
        prove(&module, if strict { Mode::Strict } else { Mode::Standard }, whole)?;
        env = env.with(&Env {
            configs: module.configs.clone(),
            memories: module.memories.clone(),
            text: None,
            machines: OfMachines::of_text(&module.procs, &own),
            assumed: Vec::new(),
        })?;
        // A text that stands for itself: what its names stand for elsewhere is not in it.
        env.text = (whole && prelude.scope.is_empty()).then(|| Arc::from(text.as_str()));
        Ok(handles(&module, &prelude, env))
    })
}

/// Whether a finding does not keep a text from being read.
fn is_no_matter(d: &Diagnostic, strict: bool) -> bool {
    d.rule == "syntax.skipped" || (strict && d.rule == "instr.placeholder")
}

/// Refuses what is ill-typed, and what is not proved; in the strict mode, which is Exo's, but for calls and races that C is refused for.
/// Spec: [rule: left-open].
fn prove(module: &Module, mode: Mode, whole: bool) -> Result<(), Failure> {
    let is_late = |p: &ast::Proc, d: &Diagnostic| match mode {
        Mode::Standard => false,
        Mode::Strict => is_left_open(p, d),
    };
    let of = |p: &Arc<ast::Proc>| {
        let found = check_proc(p);
        found.into_iter().filter(|d| !is_late(p, d)).collect::<Vec<_>>()
    };
    let types: Vec<Diagnostic> = module.procs.iter().flat_map(of).collect();
    if has_errors(&types) {
        return Err(Failure::findings("ProgramError", &types));
    }
    let refused: Vec<Diagnostic> = {
        let sources = World::get().sources();
        let checked = frontend::check_module_in(module, mode);
        let refused = |c: &Checked| {
            let found = if whole { c.refusals(&sources) } else { c.refusals_within() };
            found.into_iter().filter(|d| !is_late(&c.proc, d)).collect::<Vec<_>>()
        };
        checked.iter().flat_map(refused).collect()
    };
    if has_errors(&refused) { Err(Failure::findings("ProgramError", &refused)) } else { Ok(()) }
}

fn handles(module: &Module, prelude: &Prelude, env: Env) -> Defined {
    let session = Session::new();
    let env = Arc::new(env);
    let known = prelude.configs.iter().filter(|c| env.configs.iter().all(|own| own.name != c.name));
    let configs: Vec<_> = env.configs.iter().chain(known).cloned().collect();
    let proc = |p: &Arc<_>| Proc {
        proc: session.root_among(Arc::clone(p), configs.iter().cloned()),
        env: env.clone(),
    };
    let memory =
        |m: &Arc<rewright_semantics::ast::MemoryDef>| Memory { name: m.name, declared: Some(m.clone()) };
    (
        module.procs.iter().map(proc).collect(),
        module.configs.iter().cloned().map(Config).collect(),
        module.memories.iter().map(memory).collect(),
    )
}

/// What a name of the surroundings stands for; nothing for objects that programs cannot speak of.
///
/// # Errors
/// It is a number that programs cannot hold.
fn outer(name: &str, of: &Bound<'_, PyAny>, env: &mut Env) -> PyResult<Option<Outer>> {
    let held = |found: Option<Outer>| {
        let why = || format!("`{name}` is {of}, which is no number of a program");
        found.map(Some).ok_or_else(|| Failure::argument(why()).raised(of.py()))
    };
    if let Ok(b) = of.cast::<PyBool>() {
        return Ok(Some(Outer::Bool(b.is_true())));
    }
    if of.is_instance_of::<PyInt>() {
        return held(of.extract().ok().map(Outer::Int));
    }
    if let Ok(x) = of.cast::<PyFloat>() {
        return held(decimal(&float_text(x)?).map(Outer::Float));
    }
    if let Ok(text) = of.cast::<PyString>() {
        return Ok(Some(Outer::Text(Arc::from(text.extract::<String>()?))));
    }
    let Some(known) = handle(of) else {
        return plain(of)?.map_or(Ok(None), |scalar| outer(name, &scalar, env));
    };
    *env = env.with(&handles::surroundings(&known)).map_err(|e| Failure::from(e).raised(of.py()))?;
    Ok(match known {
        Handle::Proc(p, _) => Some(Outer::Proc(p.ast().clone())),
        Handle::Config(c) => Some(Outer::Config(c)),
        Handle::Memory(m) => Some(Outer::Memory(m.name)),
        Handle::Extern(f) => Some(Outer::Extern(f)),
        Handle::Cursor(..) => None,
    })
}

/// A number as Python writes it: `-1.5e-07`; `None` for what is not finite.
fn decimal(text: &str) -> Option<Decimal> {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = format!("{whole}{fraction}").parse::<i128>().ok()?.checked_abs()?;
    let exponent = exponent.parse::<i32>().ok()?;
    let number = Decimal::new(mantissa, exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?);
    Some(if text.starts_with('-') { number.negated() } else { number })
}

/// The same procedure, of which nothing is remembered but its surroundings, to which configurations are added.
///
/// # Errors
/// Two configurations of one name are different.
#[pyfunction]
pub(crate) fn rerooted(py: Python<'_>, proc: &Proc, configs: Vec<PyRef<'_, Config>>) -> PyResult<Proc> {
    let added = Env { configs: configs.iter().map(|c| c.0.clone()).collect(), ..Env::default() };
    let env = added.with(&proc.env).map_err(|e| Failure::from(e).raised(py))?;
    let known = proc.proc.configs().iter().filter(|c| added.configs.iter().all(|a| a.name != c.name));
    let among: Vec<_> = added.configs.iter().chain(known).cloned().collect();
    let proc = proc.proc.session().root_among(proc.proc.ast().clone(), among);
    Ok(Proc { proc, env: Arc::new(env) })
}

/// What is known by name everywhere: the machines' memories, configurations and instructions.
///
/// # Errors
/// None.
#[pyfunction]
pub(crate) fn machines(py: Python<'_>) -> PyResult<Defined> {
    work(py, || {
        let Prelude { procs, configs, memories, .. } = World::get().prelude();
        let session = Session::new();
        let proc = |p: &Arc<_>| Proc {
            proc: session.root_among(Arc::clone(p), configs.iter().cloned()),
            env: Arc::new(Env { machines: OfMachines::of([p]), ..Env::default() }),
        };
        let memory = |name| Memory { name, declared: None };
        Ok((
            procs.iter().map(proc).collect(),
            configs.iter().cloned().map(Config).collect(),
            memories.iter().copied().map(memory).collect(),
        ))
    })
}

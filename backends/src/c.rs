//! From the object language to C11. PLDI'22 §3.1.2; Thesis ch. 5.1; spec: `spec/c.md`.
//!
//! Three languages, one arrow each: a procedure is checked (`crate::checks`), lowered to a small tree
//! of C ([`tree`], by `function`, `stmt`, `expr`, `control`, `window`, `call`), and printed ([`emit`]).

pub mod affine;
pub mod bindings;
mod call;
mod comment;
mod control;
pub mod emit;
mod expr;
pub mod facts;
mod file;
mod function;
mod global;
mod layout;
mod lifetime;
mod lower;
pub mod names;
pub mod number;
mod overlap;
pub mod part;
pub mod range;
mod stmt;
pub mod style;
pub mod tree;
pub mod unit;
mod unroll;
mod unset;
pub mod usage;
mod window;

use crate::checks;
use crate::externs::{ForeignC, Helper};
use crate::memory::{Memories, Memory};
use names::{FieldNames, FileNames};
use rewright_machines::{Machine, RegisterFile};
use rewright_semantics::ast::{Config, Module, Proc};
use rewright_semantics::diag::{Diagnostic, has_errors};
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::memories::memories_of;
use rewright_semantics::types::{ControlType, DataType, FieldType, MemName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use style::Style;
use tree::CFunction;
use unit::Unit;
use unset::FirstUses;
use usage::{ProcId, Program};

/// How a module is compiled.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the unit: of its files, its include guard, its context struct.
    pub unit: String,
    /// What the C file includes for its header, where that is not the unit's name with `.h`.
    pub header: Option<String>,
    /// Whose names it has.
    pub style: Style,
    /// Procedures that only others of the unit call: `static`, and absent where none does.
    pub private: BTreeSet<String>,
    /// What `R` is in C; with `None`, buffers of `R` are refused.
    pub real: Option<DataType>,
    /// The files that the module comes from, for the dependency file.
    pub sources: Vec<String>,
    /// Whether every function takes the context, and not only those that need it; it is a `void *` where there is none.
    pub always_context: bool,
    /// Memories besides those of the module, which they replace.
    pub memories: Vec<(MemName, Arc<dyn Memory + Send + Sync>)>,
    /// Who knows the C of foreign functions.
    pub foreign: Option<Arc<dyn ForeignC + Send + Sync>>,
}

impl Options {
    /// A unit of this name: every procedure public, `R` as `float`.
    pub fn new(unit: impl Into<String>) -> Options {
        Options {
            unit: unit.into(),
            header: None,
            style: Style::Rewright,
            private: BTreeSet::new(),
            real: Some(DataType::F32),
            sources: Vec::new(),
            always_context: false,
            memories: Vec::new(),
            foreign: None,
        }
    }
}

/// A compiled module.
#[derive(Clone, Debug)]
pub struct CUnit {
    /// The text of `unit.h`.
    pub header: String,
    /// The text of `unit.c`.
    pub source: String,
    /// The text of `unit.d`: which files the two were made from.
    pub depends: String,
    /// What the author may want to know.
    pub warnings: Vec<Diagnostic>,
    /// The parameters of each public function, in order: what the harness calls it with.
    pub functions: Vec<PublicFunction>,
    /// The fields of the context struct, in order: class, field, type, and the path in C.
    pub fields: Vec<ContextField>,
    /// The name of the context struct.
    pub context: String,
    /// What a compiler must be told besides: what memories and instructions declare.
    pub flags: Vec<String>,
    /// The machines whose registers the unit uses.
    pub machines: Vec<&'static Machine>,
    /// Whether the target's `int_fast32_t` must have 64 bits. Spec: [rule: c.range].
    pub needs_wide: bool,
}

/// A function that others may call.
#[derive(Clone, Debug)]
pub struct PublicFunction {
    /// Its name in C.
    pub name: String,
    /// Its procedure.
    pub proc: Arc<Proc>,
    /// Whether its first parameter is the context.
    pub needs_context: bool,
    /// Its parameters, without the context.
    pub params: Vec<tree::CParam>,
}

/// A field of the context struct.
#[derive(Clone, Debug)]
pub struct ContextField {
    /// The configuration class.
    pub config: Arc<Config>,
    /// Which of its fields.
    pub index: usize,
    /// Where it is in the struct: `ConfigLoad.stride`.
    pub path: String,
}

/// Compiles the procedures of a module, and what they call, to one C file and its header.
///
/// The module must have passed the type checker; what is wrong beyond types is found here, and all of
/// it is reported. Spec: [rule: c.unit].
pub fn compile_module(module: &Module, options: &Options) -> Result<CUnit, Vec<Diagnostic>> {
    let mut program = Program::of(module);
    if options.always_context {
        program.give_context();
    }
    let mut memories = Memories::of(module);
    for (name, memory) in &options.memories {
        memories.add(name.0.as_str(), memory.clone());
    }
    let mut diagnostics = {
        let global = global_code(options.style, &program, &memories);
        checks::check(&program, &memories, &global, options.real)
    };
    let mut unit = start(module, options, program, memories);
    let public = public_procs(module, &unit.program, options);
    let (mut functions, is_public) = (Vec::new(), public.iter().copied().collect::<BTreeSet<_>>());
    for id in reachable(&unit.program, &public) {
        let Some((p, usage)) = unit.program.get(id) else { continue };
        let (p, usage) = (p.clone(), usage.clone());
        let f = function::function(&mut unit, &p, usage, !is_public.contains(&id));
        functions.push((id, f));
    }
    global::ask_externs(&mut unit);
    diagnostics.append(&mut unit.diagnostics);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    Ok(finish(&unit, options, &public, functions, diagnostics, module))
}

fn start(module: &Module, options: &Options, program: Program, memories: Memories) -> Unit {
    let mut names = FileNames::new();
    let global = global_code(options.style, &program, &memories);
    global
        .iter()
        .flat_map(|g| [names::functions(g), names::defined(g)])
        .flatten()
        .for_each(|w| names.reserve(w));
    let included = |r: &&RegisterFile| global.iter().any(|g| g.contains(r.header));
    rewright_machines::register_files().filter(included).for_each(|r| names.include(r));
    let mut functions = BTreeMap::new();
    // What is public keeps its name; of several procedures of one name, the last is public.
    let public = public_procs(module, &program, options);
    let known: BTreeSet<ProcId> = public.iter().copied().collect();
    let private = program.procs().map(|(id, _, _)| id).filter(|id| !known.contains(id));
    for id in public.iter().copied().chain(private) {
        if let Some((p, _)) = program.get(id).filter(|(p, _)| p.instr.is_none()) {
            functions.insert(id, names.declare(p.name.as_str()));
        }
    }
    let context = names.declare(&options.style.context(&options.unit));
    let helper_names = Helper::all().into_iter().map(|h| (h, names.declare(&h.base_name()))).collect();
    let classes = context_classes(module, &program, options);
    let fields = context_fields(&classes, options, &program, &memories);
    let has_context = match options.style {
        Style::Rewright => !fields.is_empty(),
        Style::Exo => !classes.is_empty(),
    };
    let control_fields = control_fields(&fields);
    let entry = range::Width::ALL.map(|w| range::Entry::of(&program, &known, w, &control_fields));
    let fields = fields
        .into_iter()
        .filter_map(|f| Some(((f.config.name, f.config.fields.get(f.index)?.name), f.path)));
    let first_uses = FirstUses::of(&program, &memories);
    Unit {
        style: options.style,
        fields: fields.collect(),
        first_uses,
        program,
        memories,
        real: options.real.unwrap_or(DataType::F32),
        foreign: options.foreign.clone(),
        names,
        functions,
        context,
        has_context,
        helper_names,
        helpers: BTreeSet::new(),
        headers: BTreeSet::new(),
        windows: BTreeSet::new(),
        used_memories: BTreeSet::new(),
        globals: Vec::new(),
        externs: BTreeMap::new(),
        extern_globals: Vec::new(),
        flags: BTreeSet::new(),
        diagnostics: Vec::new(),
        entry,
        control_fields,
        needs_wide: false,
    }
}

/// The control fields of the context by their paths.
fn control_fields(fields: &[ContextField]) -> BTreeMap<String, (usage::Field, ControlType)> {
    let control = fields.iter().filter_map(|f| {
        let field = f.config.fields.get(f.index)?;
        match field.typ {
            FieldType::Control(t) => Some((f.path.clone(), ((f.config.name, field.name), t))),
            FieldType::Data(_) => None,
        }
    });
    control.collect()
}

/// All global code that may stand in the unit.
fn global_code(style: Style, program: &Program, memories: &Memories) -> Vec<String> {
    let of_instructions =
        program.procs().filter_map(|(_, p, _)| p.instr.as_ref()).map(|i| i.c_global.to_string());
    let used: BTreeSet<MemName> = program.procs().flat_map(|(_, p, _)| memories_of(p)).collect();
    let of_memories = used.into_iter().filter_map(|m| style.global(memories, m));
    of_instructions.chain(of_memories).collect()
}

/// The procedures that get a public function, in order of definition.
fn public_procs(module: &Module, program: &Program, options: &Options) -> Vec<ProcId> {
    let last: BTreeMap<Name, &Arc<Proc>> = module.procs.iter().map(|p| (p.name, p)).collect();
    let is_public = |p: &Arc<Proc>| {
        let is_last = last.get(&p.name).is_some_and(|q| Arc::ptr_eq(p, q) || p == *q);
        p.instr.is_none() && is_last && !options.private.contains(p.name.as_str())
    };
    let mut seen = BTreeSet::new();
    let public = module.procs.iter().filter(|p| is_public(p)).filter_map(|p| program.id(p));
    public.filter(|id| seen.insert(*id)).collect()
}

/// The public procedures and all that they call, callees first.
fn reachable(program: &Program, public: &[ProcId]) -> Vec<ProcId> {
    let procs: Vec<_> = program.procs().collect();
    let mut wanted: BTreeSet<ProcId> = public.iter().copied().collect();
    for (id, p, _) in procs.iter().rev() {
        if wanted.contains(id) {
            rewright_semantics::syntax::walk::each_stmt(&p.body, &mut |s| {
                if let Some((proc, _)) = s.kind.called()
                    && proc.instr.is_none()
                {
                    wanted.extend(program.id(proc));
                }
            });
        }
    }
    wanted.into_iter().collect()
}

/// What is compiled, and the instructions that it calls, by name.
fn spoken_of(program: &Program, public: &[ProcId]) -> Vec<Arc<Proc>> {
    let compiled: Vec<_> = reachable(program, public).into_iter().filter_map(|id| program.get(id)).collect();
    let mut ids = BTreeSet::new();
    for (p, _) in &compiled {
        rewright_semantics::syntax::walk::each_stmt(&p.body, &mut |s| {
            ids.extend(
                s.kind
                    .called()
                    .filter(|(proc, _)| proc.instr.is_some())
                    .and_then(|(proc, _)| program.id(proc)),
            );
        });
    }
    let instructions = ids.into_iter().filter_map(|id| program.get(id));
    let mut all: Vec<Arc<Proc>> = compiled.into_iter().chain(instructions).map(|(p, _)| p.clone()).collect();
    all.sort_by_key(|p| p.name);
    all
}

/// The configuration classes that there is a context for, in its order.
fn context_classes(module: &Module, program: &Program, options: &Options) -> Vec<Arc<Config>> {
    match options.style {
        Style::Rewright => {
            let all = usage::configs(module, program).into_iter();
            all.filter(|c| c.direct_access).collect()
        }
        Style::Exo => usage::configs_by_name(&spoken_of(program, &public_procs(module, program, options))),
    }
}

/// The fields of these configurations that C may access, in order.
fn context_fields(
    classes: &[Arc<Config>],
    options: &Options,
    program: &Program,
    memories: &Memories,
) -> Vec<ContextField> {
    let macros =
        global_code(options.style, program, memories).iter().flat_map(|text| names::macros(text)).collect();
    let mut names = FieldNames::new(&macros);
    let mut found = Vec::new();
    for config in classes.iter().filter(|c| c.direct_access) {
        let class = names.declare(config.name.as_str());
        let mut inner = FieldNames::new(&macros);
        for (index, field) in config.fields.iter().enumerate() {
            let name = inner.declare(field.name.as_str());
            found.push(ContextField { config: config.clone(), index, path: format!("{class}.{name}") });
        }
    }
    found
}

fn finish(
    unit: &Unit,
    options: &Options,
    public: &[ProcId],
    functions: Vec<(ProcId, CFunction)>,
    warnings: Vec<Diagnostic>,
    module: &Module,
) -> CUnit {
    let classes = context_classes(module, &unit.program, options);
    let fields = context_fields(&classes, options, &unit.program, &unit.memories);
    let by_id: BTreeMap<ProcId, &CFunction> = functions.iter().map(|(id, f)| (*id, f)).collect();
    let in_order: Vec<&CFunction> = public.iter().filter_map(|id| by_id.get(id).copied()).collect();
    let in_header = match unit.style {
        Style::Rewright => file::signature_windows(unit, &in_order),
        Style::Exo => unit.windows.clone(),
    };
    let globals = global::code(unit, &spoken_of(&unit.program, public));
    let floats = file::floats_of(&in_order, &in_header, &fields);
    let renamed = by_id.iter().filter(|(id, _)| public.contains(id)).filter_map(|(id, f)| {
        let (proc, _) = unit.program.get(*id)?;
        (f.name != proc.name.as_str()).then(|| {
            let what = format!(
                "the function of `{}` is called `{}` in C, where its name is taken",
                proc.name, f.name
            );
            Diagnostic::warning("backend.name", proc.span, what)
        })
    });
    let warnings = warnings.into_iter().chain(renamed).collect();
    let public_functions = public.iter().zip(&in_order).filter_map(|(id, f)| {
        let (proc, usage) = unit.program.get(*id)?;
        let params = f.params.iter().skip(usize::from(usage.needs_context)).cloned().collect();
        Some(PublicFunction {
            name: f.name.clone(),
            proc: proc.clone(),
            needs_context: usage.needs_context,
            params,
        })
    });
    let memories = || unit.used_memories.iter().filter_map(|m| unit.memories.get(*m));
    let flags: BTreeSet<String> =
        memories().flat_map(|m| m.flags()).chain(unit.flags.iter().cloned()).collect();
    CUnit {
        header: file::header(unit, options, &in_order, &in_header, &fields),
        source: file::source(unit, options, &functions, &in_header, &floats, &globals),
        depends: file::depends(options),
        functions: public_functions.collect(),
        fields,
        context: unit.context.clone(),
        needs_wide: unit.needs_wide,
        flags: flags.into_iter().collect(),
        machines: memories().filter_map(|m| m.machine()).collect(),
        warnings,
    }
}

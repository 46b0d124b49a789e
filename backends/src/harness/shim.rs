//! Shims: functions of one signature that call the generated ones. Their names are of the kind that generated
//! code does not use.

use crate::c::emit::declare;
use crate::c::names::identifiers;
use crate::c::range::REQUIRE;
use crate::c::tree::{CType, data_type_name};
use crate::c::{CUnit, ContextField, PublicFunction};
use rewright_semantics::types::{ArgType, FieldType};
use std::fmt::Write;

/// The name of the shim of a function.
pub(super) fn name(k: usize) -> String {
    format!("_Rewright_shim_{k}")
}

/// What is printed when a check of the C fails, with the check after it.
pub(super) const STOPPED: &str = "stopped by REQUIRE: ";

/// Ends the program where a check fails: in [`super::program`]'s, which says so. Nothing else is called in this
/// process ([`super::agree`]).
const STOP: &str = "\
_Noreturn void _Rewright_stop(const char *condition);
#define REQUIRE(condition) ((condition) ? (void)0 : _Rewright_stop(#condition))

";

/// What stands for it where that program is not.
const STOP_HERE: &str = "\
__attribute__((weak)) void _Rewright_stop(const char *condition) {
    (void)condition;
    __builtin_trap();
}

";

/// A C file with the unit, a shim for each public function, in order, and the table of them that
/// [`super::program`]'s program reads. Pointers come in the order of the data arguments, then the fields
/// of the context; control integers in the order of the arguments, a window's strides at its place.
///
/// The unit is included, not linked: starting a C compiler costs more than compiling most units.
pub(super) fn shims(unit: &CUnit) -> String {
    let may_stop = identifiers(&unit.source).contains(REQUIRE);
    let (before, after) = if may_stop { (STOP, STOP_HERE) } else { ("", "") };
    let mut out = format!("{before}#include \"unit.c\"\n\n{after}");
    for (k, f) in unit.functions.iter().enumerate() {
        let shim = name(k);
        let _ = write!(
            out,
            "void {shim}(void **_Args, const int64_t *_Ctl);\nvoid {shim}(void **_Args, const int64_t *_Ctl) {{\n"
        );
        out.push_str("    (void)_Args;\n    (void)_Ctl;\n");
        out.push_str(&call(unit, f));
        out.push_str("}\n\n");
    }
    let names: Vec<String> = (0..unit.functions.len()).map(name).chain(["0".to_owned()]).collect();
    let _ = writeln!(
        out,
        "extern void (*const _Rewright_shims[])(void **, const int64_t *);\n\
         void (*const _Rewright_shims[])(void **, const int64_t *) = {{ {} }};",
        names.join(", ")
    );
    out
}

fn call(unit: &CUnit, f: &PublicFunction) -> String {
    let (mut args, mut pointers, mut integers) = (Vec::new(), 0_usize, 0_usize);
    for (param, formal) in f.params.iter().zip(&f.proc.args) {
        let rank = match &formal.typ {
            ArgType::Data { typ, .. } => typ.rank(),
            ArgType::Control(_) => 0,
        };
        args.push(match &param.typ {
            CType::Named(tag) => {
                let strides: Vec<String> =
                    (integers..integers + rank).map(|k| format!("_Ctl[{k}]")).collect();
                integers += rank;
                pointers += 1;
                format!("({tag}){{ _Args[{}], {{ {} }} }}", pointers - 1, strides.join(", "))
            }
            CType::Pointer { .. } => {
                pointers += 1;
                format!("_Args[{}]", pointers - 1)
            }
            CType::Bool => {
                integers += 1;
                format!("_Ctl[{}] != 0", integers - 1)
            }
            CType::Int | CType::Uint32 | CType::Int64 | CType::Data(_) => {
                integers += 1;
                format!("_Ctl[{}]", integers - 1)
            }
        });
    }
    if !f.needs_context {
        return format!("    {}({});\n", f.name, args.join(", "));
    }
    let mut out = format!("    {};\n", declare(&CType::Named(unit.context.clone()), "ctxt"));
    let field = |x: &ContextField, k: usize| format!("*({} *)_Args[{}]", stored(x), pointers + k);
    for (k, x) in unit.fields.iter().enumerate() {
        let _ = writeln!(out, "    ctxt.{} = {};", x.path, as_field(x, &field(x, k)));
    }
    args.insert(0, "&ctxt".to_owned());
    let _ = writeln!(out, "    {}({});", f.name, args.join(", "));
    for (k, x) in unit.fields.iter().enumerate() {
        let _ = writeln!(out, "    {} = ctxt.{};", field(x, k), x.path);
    }
    out
}

/// The type in which a field is handed over: control values as 64 bits.
fn stored(x: &ContextField) -> &'static str {
    match x.config.fields.get(x.index).map(|f| f.typ) {
        Some(FieldType::Data(t)) => data_type_name(t),
        Some(FieldType::Control(_)) | None => "int64_t",
    }
}

fn as_field(x: &ContextField, value: &str) -> String {
    use rewright_semantics::types::ControlType;
    match x.config.fields.get(x.index).map(|f| f.typ) {
        Some(FieldType::Control(ControlType::Bool)) => format!("{value} != 0"),
        Some(FieldType::Control(_) | FieldType::Data(_)) | None => value.to_owned(),
    }
}

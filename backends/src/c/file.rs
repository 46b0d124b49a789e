//! The two files of a unit: what stands around the functions. Spec: [rule: c.unit], [rule: c.header].

use super::range::REQUIRE;
use super::style::Style;
use super::tree::{CFunction, CType};
use super::unit::{Unit, WindowType};
use super::usage::ProcId;
use super::{ContextField, Options, emit, function, names, tree};
use rewright_semantics::types::{ControlType, DataType, FieldType};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The window structs that public signatures mention.
pub(super) fn signature_windows(unit: &Unit, functions: &[&CFunction]) -> BTreeSet<WindowType> {
    let mentioned: BTreeSet<String> = functions
        .iter()
        .flat_map(|f| &f.params)
        .filter_map(|p| match &p.typ {
            CType::Named(n) => n.strip_prefix("struct ").map(str::to_owned),
            CType::Int
            | CType::Bool
            | CType::Uint32
            | CType::Int64
            | CType::Data(_)
            | CType::Pointer { .. } => None,
        })
        .collect();
    let is_mentioned = |w: &WindowType| mentioned.contains(&w.tag(unit.style));
    unit.windows.iter().copied().filter(is_mentioned).collect()
}

fn window_struct(w: WindowType, style: Style, out: &mut String) {
    let (tag, elem) = (w.tag(style), tree::data_type_name(w.elem));
    let guard = style.window_guard(&tag);
    let constness = if w.is_const { "const " } else { "" };
    // Whichever of two headers comes first has the struct for both.
    let fixed = match style {
        Style::Rewright => "",
        Style::Exo => "const ",
    };
    let _ = write!(
        out,
        "#ifndef {guard}\n#define {guard}\nstruct {tag} {{\n    {constness}{elem} *{fixed}data;\n    \
         {fixed}int_fast32_t strides[{}];\n}};\n#endif\n\n",
        w.rank
    );
}

fn context_struct(unit: &Unit, fields: &[ContextField], out: &mut String) {
    let _ = writeln!(out, "typedef struct {} {{", unit.context);
    if fields.is_empty() {
        // No struct of C is empty.
        out.push_str("    char none;\n");
    }
    let mut open: Option<&str> = None;
    for f in fields {
        let Some((class, name)) = f.path.split_once('.') else { continue };
        if open != Some(class) {
            if let Some(previous) = open {
                let _ = writeln!(out, "    }} {previous};");
            }
            let _ = match unit.style {
                Style::Rewright => writeln!(out, "    struct {{"),
                Style::Exo => writeln!(out, "    struct {class} {{"),
            };
            open = Some(class);
        }
        let typ = match f.config.fields.get(f.index).map(|x| x.typ) {
            Some(FieldType::Control(ControlType::Bool)) => "bool",
            Some(FieldType::Data(t)) => tree::data_type_name(unit.concrete(t)),
            Some(FieldType::Control(_)) | None => "int_fast32_t",
        };
        let _ = writeln!(out, "        {typ} {name};");
    }
    if let Some(last) = open {
        let _ = writeln!(out, "    }} {last};");
    }
    let _ = writeln!(out, "}} {};\n", unit.context);
}

/// The text of the header.
pub(super) fn header(
    unit: &Unit,
    options: &Options,
    functions: &[&CFunction],
    windows: &BTreeSet<WindowType>,
    fields: &[ContextField],
) -> String {
    let guard = unit.style.header_guard(&options.unit);
    let mut out =
        format!("#ifndef {guard}\n#define {guard}\n\n#include <stdbool.h>\n#include <stdint.h>\n\n");
    out.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    let types = floats_of(functions, windows, fields);
    types.iter().for_each(|t| out.push_str(declaration(*t)));
    windows.iter().for_each(|w| window_struct(*w, unit.style, &mut out));
    if unit.has_context {
        context_struct(unit, fields, &mut out);
    }
    if functions.iter().any(|f| f.params.iter().any(is_restricted)) {
        out.push_str("// What pointers lead to must not overlap where a function writes it.\n\n");
    }
    for f in functions {
        emit::comment(&f.comment, &mut out);
        emit::signature(f, false, ");", &mut out);
        out.push('\n');
    }
    out.push_str("#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

/// The types that C does not have, and that the header speaks of.
pub(super) fn floats_of(
    functions: &[&CFunction],
    windows: &BTreeSet<WindowType>,
    fields: &[ContextField],
) -> Vec<DataType> {
    let mut signatures = String::new();
    functions.iter().for_each(|f| emit::signature(f, false, ");", &mut signatures));
    let words: BTreeSet<String> = names::identifiers(&signatures);
    let in_field = |t: DataType| {
        let is = |f: &ContextField| f.config.fields.get(f.index).is_some_and(|x| x.typ == FieldType::Data(t));
        fields.iter().any(is)
    };
    let in_window = |t: DataType| windows.iter().any(|w| w.elem == t);
    let is_spoken_of =
        |t: &DataType| words.contains(tree::data_type_name(*t)) || in_window(*t) || in_field(*t);
    OWN_FLOATS.into_iter().filter(is_spoken_of).collect()
}

/// The types of floating point that are declared where they are used.
const OWN_FLOATS: [DataType; 2] = [DataType::F16, DataType::BF16];

/// What declares one of [`OWN_FLOATS`].
fn declaration(t: DataType) -> &'static str {
    match t {
        DataType::F16 => F16,
        DataType::BF16 => BF16,
        DataType::R
        | DataType::F32
        | DataType::F64
        | DataType::I8
        | DataType::UI8
        | DataType::UI16
        | DataType::I32 => "",
    }
}

fn is_restricted(p: &tree::CParam) -> bool {
    matches!(p.typ, CType::Pointer { restrict: true, .. })
}

/// What tells the compiler that a condition holds.
const ASSUME: &str = "\
#if defined(__GNUC__)
#define ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())
#elif defined(_MSC_VER)
#define ASSUME(condition) __assume(condition)
#else
#define ASSUME(condition) ((void)0)
#endif

";

/// What keeps every operation rounded by itself. GCC does not know the pragma of C; Clang knows no other. Machines that
/// compute `float` in more digits than it has cannot keep to it. Spec: [rule: c.rounding].
const ROUNDING: &str = "\
// Each operation is rounded by itself: no product and sum in one.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize(\"fp-contract=off\")
#endif
#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2)
#error \"float must be computed as float: with GCC for x86, -msse2 -mfpmath=sse\"
#endif

";

/// What ends a run whose numbers C cannot compute with.
const REQUIRE_MACRO: &str = "\
// What is too large to compute with ends the run, unless this is defined to do something else.
#ifndef REQUIRE
#define REQUIRE(condition) ((condition) ? (void)0 : abort())
#endif

";

/// Global code of an instruction or memory. Of a model, a unit may use a part only.
fn global(text: &str, out: &mut String) {
    let text = text.trim_end();
    if !names::identifiers(text).contains("static") {
        let _ = writeln!(out, "{text}\n");
        return;
    }
    let _ = write!(
        out,
        "#if defined(__GNUC__)\n#pragma GCC diagnostic push\n\
         #pragma GCC diagnostic ignored \"-Wunused-function\"\n\
         #pragma GCC diagnostic ignored \"-Wunused-variable\"\n#endif\n\
         {text}\n\
         #if defined(__GNUC__)\n#pragma GCC diagnostic pop\n#endif\n\n"
    );
}

/// What keeps a unit from targets whose `int_fast32_t` is too narrow for it.
const NEEDS_WIDE: &str = "\
_Static_assert(INT_FAST32_MAX >= INT64_MAX, \"this unit computes with integers of 64 bits\");

";

/// The declaration of [`tree::F16`].
const F16: &str = "\
#ifndef REWRIGHT_FLOAT16
#define REWRIGHT_FLOAT16
__extension__ typedef _Float16 float16;
#endif

";

/// The declaration of [`tree::BF16`].
const BF16: &str = "\
#ifndef REWRIGHT_BFLOAT16
#define REWRIGHT_BFLOAT16
typedef struct { uint16_t bits; } bfloat16;
#endif

";

/// The text of the C file.
pub(super) fn source(
    unit: &Unit,
    options: &Options,
    functions: &[(ProcId, CFunction)],
    in_header: &BTreeSet<WindowType>,
    in_header_floats: &[DataType],
    globals: &[String],
) -> String {
    let bodies: Vec<String> = functions.iter().map(|(_, f)| emit::function(f)).collect();
    let words: BTreeSet<String> = bodies.iter().flat_map(|b| names::identifiers(b)).collect();
    let header = options.header.clone().unwrap_or_else(|| format!("{}.h", options.unit));
    let mut out = format!("#include \"{header}\"\n\n");
    if ["float", "double", tree::F16, tree::BF16].iter().any(|w| words.contains(*w)) {
        out.push_str(ROUNDING);
    }
    let mut headers = unit.headers.clone();
    if ["malloc", "calloc", "free", REQUIRE].iter().any(|w| words.contains(*w)) {
        headers.insert("stdlib.h");
    }
    headers.iter().for_each(|h| out.push_str(&format!("#include <{h}>\n")));
    if !headers.is_empty() {
        out.push('\n');
    }
    if unit.needs_wide {
        out.push_str(NEEDS_WIDE);
    }
    let wanted = |w: &&WindowType| words.contains(&w.tag(unit.style));
    let windows: Vec<WindowType> = unit.windows.difference(in_header).filter(wanted).copied().collect();
    let is_spoken_of =
        |t: &DataType| words.contains(tree::data_type_name(*t)) || windows.iter().any(|w| w.elem == *t);
    let own = OWN_FLOATS.into_iter().filter(|t| is_spoken_of(t) && !in_header_floats.contains(t));
    own.for_each(|t| out.push_str(declaration(t)));
    windows.iter().for_each(|w| window_struct(*w, unit.style, &mut out));
    globals.iter().for_each(|text| global(text, &mut out));
    if words.contains(function::ASSUME) {
        out.push_str(ASSUME);
    }
    if words.contains(REQUIRE) {
        out.push_str(REQUIRE_MACRO);
    }
    for helper in &unit.helpers {
        let name = unit.helper_names.get(helper).cloned().unwrap_or_else(|| helper.base_name());
        // What was computed and then not needed has left no trace.
        if !words.contains(&name) {
            continue;
        }
        out.push_str(&helper.definition(&name));
        out.push('\n');
    }
    out.push_str(&bodies.join("\n"));
    out
}

/// A rule for `make`: the two files depend on the sources.
pub(super) fn depends(options: &Options) -> String {
    let escape = |s: &String| s.replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ");
    let sources: Vec<String> = options.sources.iter().map(escape).collect();
    let unit = escape(&options.unit);
    let mut out = format!("{unit}.c {unit}.h:");
    for s in &sources {
        out.push_str(" \\\n    ");
        out.push_str(s);
    }
    out.push('\n');
    out
}

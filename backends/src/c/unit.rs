//! What the functions of one C file share: names, memories, helpers, window structs, findings.

use crate::c::names::FileNames;
use crate::c::range::Entry;
use crate::c::style::Style;
use crate::c::unset::FirstUses;
use crate::c::usage::{Field, ProcId, Program};
use crate::externs::{ForeignC, Helper};
use crate::memory::Memories;
use rewright_semantics::ast::{Config, Proc};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::externs::Foreign;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{ControlType, DataType, MemName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A struct for windows: of an element type and a rank, to const or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WindowType {
    /// Number of dimensions, at least 1.
    pub rank: usize,
    /// The type of a cell.
    pub elem: DataType,
    /// Whether cells are const.
    pub is_const: bool,
}

impl WindowType {
    /// The struct's tag: `win_2f32`, `win_2f32c`.
    pub fn tag(self, style: Style) -> String {
        let constness = if self.is_const { "c" } else { "" };
        format!("{}{}{}{constness}", style.window_prefix(), self.rank, self.elem.keyword())
    }
}

/// What is gathered while functions are lowered.
#[derive(Clone)]
pub struct Unit {
    /// Whose names it has.
    pub style: Style,
    /// All procedures, callees first.
    pub program: Program,
    /// The memories.
    pub memories: Memories,
    /// What procedures do first with their arguments.
    pub(crate) first_uses: FirstUses,
    /// The type that stands for `R`.
    pub real: DataType,
    /// Who knows the C of foreign functions.
    pub foreign: Option<Arc<dyn ForeignC + Send + Sync>>,
    /// Names at file scope.
    pub names: FileNames,
    /// The name of each procedure's function.
    pub functions: BTreeMap<ProcId, String>,
    /// The name of the context struct.
    pub context: String,
    /// Whether there is one.
    pub has_context: bool,
    /// Where each configuration field with direct access is, as `ConfigLoad.stride`.
    pub fields: BTreeMap<Field, String>,
    /// The name of each helper, whether used or not.
    pub helper_names: BTreeMap<Helper, String>,
    /// The helpers used.
    pub helpers: BTreeSet<Helper>,
    /// Standard headers used by the source.
    pub headers: BTreeSet<&'static str>,
    /// Window structs used.
    pub windows: BTreeSet<WindowType>,
    /// Memories used, whose global code is needed.
    pub used_memories: BTreeSet<MemName>,
    /// Global code of instructions used, each once, in order of use.
    pub globals: Vec<String>,
    /// The externs called, by name and type.
    pub externs: BTreeMap<(String, u64), (Foreign, DataType)>,
    /// Global code of these, in this order.
    pub extern_globals: Vec<String>,
    /// What the instructions used ask a compiler for.
    pub flags: BTreeSet<String>,
    /// Findings.
    pub diagnostics: Vec<Diagnostic>,
    /// What holds where functions are entered, for both widths of `int_fast32_t`.
    pub entry: [Entry; 2],
    /// The control fields of the context by their paths.
    pub control_fields: BTreeMap<String, (Field, ControlType)>,
    /// Whether something was emitted that only an `int_fast32_t` of 64 bits holds.
    pub needs_wide: bool,
}

impl Unit {
    /// The type that data of this type has in C.
    pub fn concrete(&self, t: DataType) -> DataType {
        if t == DataType::R { self.real } else { t }
    }

    /// The name of a helper, which from here on is used.
    pub fn helper(&mut self, h: Helper) -> String {
        self.helpers.insert(h);
        self.helper_names.get(&h).cloned().unwrap_or_else(|| h.base_name().to_owned())
    }

    /// The tag of a window struct, which from here on is used.
    pub fn window_tag(&mut self, w: WindowType) -> String {
        self.windows.insert(w);
        w.tag(self.style)
    }

    /// The function of a procedure.
    pub fn function(&self, p: &Arc<Proc>) -> String {
        let name = self.program.id(p).and_then(|id| self.functions.get(&id));
        name.cloned().unwrap_or_else(|| p.name.as_str().to_owned())
    }

    /// Where the field is in the context struct, when C may access it.
    pub fn field(&self, config: &Config, field: Name) -> Option<&String> {
        self.fields.get(&(config.name, field))
    }

    /// Says that a compiler needs these flags, which blanks separate.
    pub fn add_flags(&mut self, text: &str) {
        self.flags.extend(text.split_whitespace().map(str::to_owned));
    }

    /// Says that global code is needed.
    pub fn add_global(&mut self, text: &str) {
        let text = text.trim_end();
        if !text.trim().is_empty() && !self.globals.iter().any(|g| g == text) {
            self.globals.push(text.to_owned());
        }
    }
}

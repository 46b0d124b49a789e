//! Memories that a file declares: `class ACC(Memory)` with templates for methods.
//!
//! Every placeholder is an operand: in parentheses unless it is a name, a literal, a call or a cell.
//!
//! Placeholders are the parameters of Exo's own methods: `new_name` (or `name`), `prim_type`,
//! `shape[k]`, and `size` (or `sz`), the number of cells, in `alloc` and `free`; `baseptr`,
//! `indices[k]`, `strides[k]`, `offset` and `prim_type` in `window`; `lhs` and `rhs` in `write` and
//! `reduce`; `lhs` in `read`. `cflags` has no placeholders: it is what a compiler must be told. A method that is missing is
//! a refusal, save for `window`, `free`, `global_` and `cflags`.
//!
//! A `window` that mentions neither `offset` nor `indices[k]` leaves dimension `k` out: it is the inside of a register,
//! which only operands have that are all of it, and which no address leads to.

use super::{Allocation, Cell, Memory, Refusal};
use crate::c::emit;
use crate::c::names::{functions, identifiers};
use crate::c::tree::{CExpr, CStmt, InfixOp, data_type_name};
use crate::instr::{Placeholder, Template, without_placeholders};
use rewright_semantics::ast::{MemoryDef, MemoryMethod};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What looks like a call in an `alloc` and takes nothing from anywhere, or from where all threads may take.
const OF_THE_LANGUAGE: [&str; 10] = [
    "sizeof",
    "_Alignas",
    "alignas",
    "__attribute__",
    "aligned",
    "alloca",
    "malloc",
    "calloc",
    "aligned_alloc",
    "_mm_malloc",
];

/// The methods that are templates of what stands in functions.
const METHODS: [&str; 6] = ["alloc", "free", "window", "read", "write", "reduce"];

/// A memory made of templates.
#[derive(Clone, Debug)]
pub struct TemplateMemory {
    def: Arc<MemoryDef>,
}

impl TemplateMemory {
    /// The memory of this declaration.
    pub fn new(def: Arc<MemoryDef>) -> TemplateMemory {
        TemplateMemory { def }
    }

    fn method(&self, name: &str) -> Option<&MemoryMethod> {
        self.def.methods.iter().find(|(n, _)| n.as_str() == name).map(|(_, m)| m)
    }

    /// The template of a method; `None` when there is no such method.
    fn template(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.method(name) {
            Some(MemoryMethod::Template(text)) => Ok(Some(text)),
            Some(MemoryMethod::Refuse(why)) => Err(Refusal::new(why.to_string())),
            Some(MemoryMethod::Flag(true)) | None => Ok(None),
            Some(MemoryMethod::Flag(false)) => Err(self.refusal(&format!("does not allow `{name}`"))),
            Some(MemoryMethod::Opaque) => {
                let what = format!("has a method `{name}` that is no template");
                let help = format!("let `{name}` return one string or f-string{}", names_of(name));
                Err(self.refusal(&what).help(help))
            }
        }
    }

    fn refusal(&self, what: &str) -> Refusal {
        Refusal::new(format!("memory {} {what}", self.def.name))
    }

    fn fill(
        &self,
        method: &str,
        text: &str,
        value: impl Fn(&Placeholder) -> Option<String>,
    ) -> Result<String, Refusal> {
        let broken = |why: String| self.refusal(&format!("has a method `{method}` that {why}"));
        let template = Template::parse(text).map_err(|e| broken(format!("is no template: {e}")))?;
        template.fill(value).map_err(|p| broken(format!("has no value for `{{{p}}}`")))
    }

    /// The dimensions, of so many, that `window` leaves out.
    fn left_out(&self, rank: usize) -> Vec<usize> {
        let Ok(Some(text)) = self.template("window") else { return Vec::new() };
        let Ok(template) = Template::parse(text) else { return Vec::new() };
        let says = |wanted: &Placeholder| template.places().any(|p| p == wanted);
        if says(&Placeholder::Name("offset".to_owned())) {
            return Vec::new();
        }
        (0..rank).filter(|k| !says(&Placeholder::Item("indices".to_owned(), *k))).collect()
    }

    /// Whether a cell of a window is where `window` finds it from the window's first cell: it subscripts once, and adds no number
    /// to a distance.
    fn is_linear(&self) -> bool {
        let Ok(Some(text)) = self.template("window") else { return true };
        let Ok(template) = Template::parse(text) else { return true };
        let filled = template.fill(|_| Some("x".to_owned())).unwrap_or_default();
        !filled.replace(char::is_whitespace, "").contains("][") && !adds_a_number(&filled)
    }

    /// Whether an `alloc` that counts extents counts all of those that `window` tells apart.
    fn allocates_all(&self, text: &str, a: &Allocation<'_>) -> Result<(), Refusal> {
        let Ok(template) = Template::parse(text) else { return Ok(()) };
        let is_size = |p: &Placeholder| matches!(p, Placeholder::Name(n) if n == "size" || n == "sz");
        let counted = |k: usize| {
            template.places().any(|p| matches!(p, Placeholder::Item(n, j) if n == "shape" && *j == k))
        };
        let rank = a.shape.len();
        let extents = template.places().filter_map(|p| match p {
            Placeholder::Item(n, k) if n == "shape" => Some(k + 1),
            Placeholder::Item(..)
            | Placeholder::Name(_)
            | Placeholder::Data(_)
            | Placeholder::Pointer(_)
            | Placeholder::Stride(..) => None,
        });
        let extents = extents.max().unwrap_or(0);
        if extents > 0 && self.left_out(rank).len() == rank && extents != rank {
            let why = format!("holds buffers of {extents} dimensions, and this one has {rank}");
            return Err(self.refusal(&why));
        }
        if template.places().any(is_size) || !(0..rank).any(counted) {
            return Ok(());
        }
        let inside = self.left_out(rank);
        match (0..rank).find(|k| !counted(*k) && !inside.contains(k)) {
            None => Ok(()),
            Some(k) => Err(self
                .refusal(&format!("has an `alloc` that leaves out dimension {k} of this buffer, of {rank}"))
                .help("let it use `{size}`, the number of cells, or every `{shape[k]}`")),
        }
    }

    fn allocation(&self, method: &str, text: &str, a: &Allocation<'_>) -> Result<String, Refusal> {
        self.fill(method, text, |p| match p {
            Placeholder::Name(n) => match n.as_str() {
                "new_name" | "name" => Some(a.name.to_owned()),
                "prim_type" => Some(data_type_name(a.elem).to_owned()),
                "size" | "sz" => Some(emit::operand(&cells(a.shape))),
                _ => None,
            },
            Placeholder::Item(n, k) if n == "shape" => a.shape.get(*k).map(emit::operand),
            Placeholder::Item(..)
            | Placeholder::Data(_)
            | Placeholder::Pointer(_)
            | Placeholder::Stride(..) => None,
        })
    }

    fn access(&self, method: &str, text: &str, at: &Cell<'_>) -> Result<String, Refusal> {
        self.fill(method, text, |p| match p {
            Placeholder::Name(n) => match n.as_str() {
                "baseptr" => Some(emit::operand(at.base)),
                "prim_type" | "basetype" => Some(data_type_name(at.elem).to_owned()),
                "offset" => Some(emit::operand(at.offset)),
                _ => None,
            },
            Placeholder::Item(n, k) if n == "indices" => at.indices.get(*k).map(emit::operand),
            Placeholder::Item(n, k) if n == "strides" => at.strides.get(*k).map(emit::operand),
            Placeholder::Item(..)
            | Placeholder::Data(_)
            | Placeholder::Pointer(_)
            | Placeholder::Stride(..) => None,
        })
    }

    fn store(&self, method: &str, at: &Cell<'_>, rhs: &CExpr) -> Result<Vec<CStmt>, Refusal> {
        let Some(text) = self.template(method)? else {
            let why = self.refusal(&format!("has no `{method}`: only instructions change it"));
            return Err(why.help(format!("call an @instr, or define `{method}` in {}", self.def.name)));
        };
        let lhs = emit::operand(&self.window(at)?);
        let filled = self.fill(method, text, |p| match p {
            Placeholder::Name(n) if n == "lhs" => Some(lhs.clone()),
            Placeholder::Name(n) if n == "rhs" => Some(emit::operand(rhs)),
            Placeholder::Name(_)
            | Placeholder::Item(..)
            | Placeholder::Data(_)
            | Placeholder::Pointer(_)
            | Placeholder::Stride(..) => None,
        })?;
        Ok(vec![CStmt::Raw(filled)])
    }
}

/// Whether C text adds a number to something, or subtracts one; a factor is none that is added.
fn adds_a_number(text: &str) -> bool {
    let text: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')')).collect();
    let is_word = |c: &char| *c == '_' || c.is_ascii_alphanumeric();
    let mut at = 0_usize;
    text.split(|c| !is_word(c)).any(|word| {
        let around = [at.checked_sub(1).and_then(|k| text.get(k)), text.get(at + word.len())];
        at += word.len() + 1;
        let beside = |signs: [char; 2]| around.iter().flatten().any(|c| signs.contains(c));
        word.first().is_some_and(char::is_ascii_digit) && beside(['+', '-']) && !beside(['*', '/'])
    })
}

/// What the template of a method may name.
fn names_of(method: &str) -> &'static str {
    match method {
        "alloc" | "free" => " over `new_name`, `prim_type`, `shape[k]` and `size`",
        "window" => " over `baseptr`, `indices[k]`, `strides[k]`, `offset` and `prim_type`",
        "write" | "reduce" => " over `lhs` and `rhs`",
        "read" => " over `lhs`",
        _ => "",
    }
}

/// The number of cells.
fn cells(shape: &[CExpr]) -> CExpr {
    let product = shape.iter().cloned().reduce(|l, r| CExpr::infix(InfixOp::Mul, l, r));
    product.unwrap_or(CExpr::Int(1))
}

impl Memory for TemplateMemory {
    fn global(&self) -> Option<String> {
        let text = self.template("global_").ok().flatten()?;
        // Text with braces of its own is no template, and stands as it is.
        Some(self.fill("global_", text, |_| None).unwrap_or_else(|_| text.to_owned()))
    }

    fn flags(&self) -> Vec<String> {
        let text = self.template("cflags").ok().flatten().unwrap_or("");
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn is_text(&self) -> bool {
        true
    }

    fn is_static(&self) -> bool {
        let text = self.template("alloc").ok().flatten().unwrap_or_default();
        identifiers(text).contains("static")
    }

    fn shares(&self, reaching: &BTreeSet<String>) -> Vec<(&'static str, String)> {
        let text = |method| self.template(method).ok().flatten().unwrap_or_default();
        let gives = functions(text("alloc")).into_iter().find(|f| !OF_THE_LANGUAGE.contains(&f.as_str()));
        let reaches = |method| {
            let found = identifiers(text(method)).intersection(reaching).next().cloned();
            found.map(|word| (method, word))
        };
        gives.map(|f| ("alloc", f)).into_iter().chain(METHODS.into_iter().filter_map(reaches)).collect()
    }

    fn words(&self) -> BTreeSet<String> {
        let text = |method| self.template(method).ok().flatten().map(without_placeholders);
        METHODS.into_iter().filter_map(text).flat_map(|text| identifiers(&text)).collect()
    }

    fn is_addressable(&self, rank: usize) -> bool {
        self.template("window").is_ok() && self.left_out(rank).is_empty() && self.is_linear()
    }

    fn alloc(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        let text = self.template("alloc")?.ok_or_else(|| self.refusal("has no `alloc`"))?;
        self.allocates_all(text, a)?;
        Ok(vec![CStmt::Raw(self.allocation("alloc", text, a)?)])
    }

    fn free(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        let Some(text) = self.template("free")? else { return Ok(Vec::new()) };
        let filled = self.allocation("free", text, a)?;
        Ok(if filled.trim().is_empty() { Vec::new() } else { vec![CStmt::Raw(filled)] })
    }

    fn window(&self, at: &Cell<'_>) -> Result<CExpr, Refusal> {
        let inside = self.left_out(at.indices.len());
        let is_whole = |d: &usize| at.whole.get(*d).is_some_and(|w| *w);
        if let Some(d) = inside.iter().find(|d| !is_whole(d)) {
            let why = format!("has a `window` that leaves out dimension {d}, and this is not all of it");
            return Err(self.refusal(&why).help("an operand there is one whole register"));
        }
        if !inside.is_empty() && at.kept != inside {
            return Err(self.refusal("has registers, and this is several of them"));
        }
        match self.template("window")? {
            Some(text) => Ok(CExpr::Raw(self.access("window", text, at)?)),
            None => Ok(at.lvalue()),
        }
    }

    fn read(&self, at: &Cell<'_>) -> Result<CExpr, Refusal> {
        if let Some(text) = self.template("read")? {
            let lhs = emit::operand(&self.window(at)?);
            let filled = self
                .fill("read", text, |p| (*p == Placeholder::Name("lhs".to_owned())).then(|| lhs.clone()))?;
            return Ok(CExpr::Raw(filled));
        }
        match self.method("can_read") {
            Some(MemoryMethod::Flag(true)) => self.window(at),
            Some(MemoryMethod::Refuse(why)) => Err(Refusal::new(why.to_string())),
            Some(MemoryMethod::Flag(false) | MemoryMethod::Template(_) | MemoryMethod::Opaque) | None => {
                let why = self.refusal("has no `can_read`: only instructions read it");
                Err(why.help(format!("call an @instr, or let `can_read` of {} return True", self.def.name)))
            }
        }
    }

    fn write(&self, at: &Cell<'_>, rhs: CExpr) -> Result<Vec<CStmt>, Refusal> {
        self.store("write", at, &rhs)
    }

    fn reduce(&self, at: &Cell<'_>, rhs: CExpr) -> Result<Vec<CStmt>, Refusal> {
        self.store("reduce", at, &rhs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_added() {
        for (text, adds) in [
            ("x[x]", false),
            ("*(x + x)", false),
            ("*(float *)((uint32_t)x + (uint32_t)(x / 16))", false),
            ("x[2 * x]", false),
            ("x[x * 64 + x]", false),
            ("x[x + 64 * x]", false),
            ("x[x * 3 + 1]", true),
            ("x[1 + x]", true),
            ("*(x - (8) + x)", true),
            ("x2[x]", false),
        ] {
            assert_eq!(adds_a_number(text), adds, "{text}");
        }
    }
}

//! Memory classes: methods that are templates, flags or refusals are read; the rest is known to exist.
//! Spec: [rule: syntax.memory-class].

use super::super::error::SyntaxErrorKind;
use super::{Reader, refusal};
use crate::ast::{MemoryDef, MemoryMethod};
use crate::parse::tree::Constant;
use crate::sym::Name;
use crate::types::MemName;
use ruff_python_ast as py;
use rustc_hash::FxHashMap;

/// The parameters of each method after `cls`. A class may call them otherwise; templates use these.
pub(crate) fn method_parameters(method: &str) -> Option<&'static [&'static str]> {
    match method {
        "global_" | "cflags" | "can_read" => Some(&[]),
        "alloc" | "free" => Some(&["new_name", "prim_type", "shape", "srcinfo"]),
        "window" => Some(&["basetyp", "baseptr", "indices", "strides", "srcinfo"]),
        "read" => Some(&["s", "lhs"]),
        "write" | "reduce" => Some(&["s", "lhs", "rhs"]),
        _ => None,
    }
}

impl Reader<'_> {
    /// `class M(Memory): …`.
    pub(super) fn memory(&mut self, class: &py::StmtClassDef) -> MemoryDef {
        let name = self.ident(&class.name);
        let mut methods: Vec<(Name, MemoryMethod)> = Vec::new();
        for s in &class.body {
            if let Some((name, method)) = self.member(s) {
                // As in Python, the last method of a name is the method.
                methods.retain(|(other, _)| *other != name);
                methods.push((name, method));
            }
        }
        MemoryDef { name: MemName(name.name), methods, span: name.span }
    }

    /// One statement of the class.
    fn member(&mut self, s: &py::Stmt) -> Option<(Name, MemoryMethod)> {
        match s {
            py::Stmt::Pass(_) => None,
            py::Stmt::Expr(e) if e.value.is_string_literal_expr() || e.value.is_ellipsis_literal_expr() => {
                None
            }
            py::Stmt::FunctionDef(def) => {
                let method = self.constant_method(def).unwrap_or_else(|| method(def));
                let is_known = !matches!(method, MemoryMethod::Opaque | MemoryMethod::Flag(_));
                if is_fixed(def.name.as_str()) && !is_known && !is_elsewhere(def) {
                    let refused = refusal(
                        "what this method gives is no text that is known here",
                        "return a string, or a constant of the file that is one",
                    );
                    self.report(&def.name, SyntaxErrorKind::MemoryClass(refused));
                }
                Some((Name::new(def.name.as_str()), method))
            }
            other => {
                let refused = refusal(
                    "a memory class holds methods only",
                    "write `@classmethod` and `def alloc(cls, …):`",
                );
                self.report(other, SyntaxErrorKind::MemoryClass(refused));
                None
            }
        }
    }

    /// A method that gives a text made of constants of the file, `return MODEL` or `return HEADERS + MODEL`.
    fn constant_method(&mut self, def: &py::StmtFunctionDef) -> Option<MemoryMethod> {
        let py::Stmt::Return(result) = def.body.last()? else { return None };
        let e = result
            .value
            .as_deref()
            .filter(|e| e.is_name_expr() || e.is_bin_op_expr() || is_fixed(def.name.as_str()))?;
        method_parameters(def.name.as_str())?;
        let Constant::Text(text) = self.constant(e)? else { return None };
        let mut out = String::new();
        push_literal(&mut out, &text);
        Some(MemoryMethod::Template(out.into()))
    }
}

/// Whether a method is `...`: what it gives is known to whoever wrote this.
fn is_elsewhere(def: &py::StmtFunctionDef) -> bool {
    matches!(&*def.body, [py::Stmt::Expr(e)] if e.value.is_ellipsis_literal_expr())
}

/// Whether what a method gives is the same text wherever the memory is used.
fn is_fixed(method: &str) -> bool {
    matches!(method, "global_" | "cflags")
}

/// What a method does.
fn method(def: &py::StmtFunctionDef) -> MemoryMethod {
    let is_doc = |s: &&py::Stmt| !s.as_expr_stmt().is_some_and(|e| e.value.is_string_literal_expr());
    let mut body = def.body.iter().filter(is_doc);
    let (Some(only), None) = (body.next(), body.next()) else { return MemoryMethod::Opaque };
    let Some(canonical) = method_parameters(def.name.as_str()) else { return MemoryMethod::Opaque };
    let written = def.parameters.args.iter().map(|p| p.parameter.name.as_str()).skip(1);
    let mut names: FxHashMap<&str, &str> = written.zip(canonical.iter().copied()).collect();
    for name in more_names(def.name.as_str()) {
        names.entry(name).or_insert(name);
    }
    if let py::Stmt::Return(result) = only {
        return match result.value.as_deref() {
            Some(py::Expr::BooleanLiteral(b)) => MemoryMethod::Flag(b.value),
            Some(e) => template(e, &names).map_or(MemoryMethod::Opaque, |t| MemoryMethod::Template(t.into())),
            None => MemoryMethod::Opaque,
        };
    }
    refusal_text(only, &names).map_or(MemoryMethod::Opaque, |t| MemoryMethod::Refuse(t.into()))
}

/// What a method's text may name that is no parameter of Exo's: the number of cells; the type of a cell, and its
/// distance from the first one.
fn more_names(method: &str) -> &'static [&'static str] {
    match method {
        "alloc" | "free" => &["size"],
        "window" => &["offset", "prim_type"],
        _ => &[],
    }
}

/// The message of `raise MemGenError("…")`. The place that Exo puts in front of it is left out.
fn refusal_text(s: &py::Stmt, names: &FxHashMap<&str, &str>) -> Option<String> {
    let call = s.as_raise_stmt()?.exc.as_ref()?.as_call_expr()?;
    if super::last_name(&call.func)? != "MemGenError" {
        return None;
    }
    let [message] = &*call.arguments.args else { return None };
    let text = template(message, names)?;
    let text = text.strip_prefix("{srcinfo}: ").unwrap_or(&text);
    let plain = text.replace("{{", "").replace("}}", "");
    (!plain.contains(['{', '}'])).then(|| text.replace("{{", "{").replace("}}", "}"))
}

/// A string or an f-string over the parameters as a template.
fn template(e: &py::Expr, names: &FxHashMap<&str, &str>) -> Option<String> {
    let mut out = String::new();
    match e {
        py::Expr::StringLiteral(text) => push_literal(&mut out, text.value.to_str()),
        py::Expr::FString(text) => {
            for part in &text.value {
                match part {
                    py::FStringPart::Literal(literal) => push_literal(&mut out, literal.as_str()),
                    py::FStringPart::FString(inner) => {
                        for element in &inner.elements {
                            push_element(&mut out, element, names)?;
                        }
                    }
                }
            }
        }
        _ => return None,
    }
    Some(out)
}

/// Text in which braces stand for themselves.
fn push_literal(out: &mut String, text: &str) {
    out.push_str(&text.replace('{', "{{").replace('}', "}}"));
}

/// One piece of an f-string.
fn push_element(
    out: &mut String,
    element: &py::InterpolatedStringElement,
    names: &FxHashMap<&str, &str>,
) -> Option<()> {
    let hole = match element {
        py::InterpolatedStringElement::Literal(literal) => {
            push_literal(out, literal);
            return Some(());
        }
        py::InterpolatedStringElement::Interpolation(hole) => hole,
    };
    if hole.debug_text.is_some() || hole.format_spec.is_some() || hole.conversion != py::ConversionFlag::None
    {
        return None;
    }
    let (name, index) = match (&*hole.expression, hole.expression.as_subscript_expr()) {
        (py::Expr::Name(name), _) => (name, None),
        (_, Some(subscript)) => {
            let number = subscript.slice.as_number_literal_expr()?;
            let py::Number::Int(index) = &number.value else { return None };
            (subscript.value.as_name_expr()?, Some(index.as_usize()?))
        }
        (_, None) => return None,
    };
    let canonical = names.get(name.id.as_str())?;
    match index {
        None => out.push_str(&format!("{{{canonical}}}")),
        Some(index) => out.push_str(&format!("{{{canonical}[{index}]}}")),
    }
    Some(())
}

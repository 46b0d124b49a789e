//! Procedures, configurations and memories.

use super::expr::listed;
use super::{Doc, Printer};
use crate::ast::{Arg, Config, ConfigField, Instr, MemoryDef, MemoryMethod, Proc};
use crate::parse::method_parameters;
use crate::sym::Name;
use crate::types::ArgType;
use pretty::{Arena, DocAllocator};
use std::fmt::Write;

impl Printer {
    /// `@proc def p(…): …`.
    pub(super) fn procedure(&mut self, p: &Proc) {
        let Proc { name, args, preds, body, instr, span: _ } = p;
        self.names.reserve_globals_of(p);
        match instr {
            None => self.plain("@proc"),
            Some(instr) => self.instr(instr),
        }
        // All arguments have names before the first type is written: shapes may mention later ones.
        for arg in args {
            self.names.bind_argument(arg.name);
        }
        let arena = Arena::new();
        let formals = args.iter().map(|arg| self.formal(&arena, arg)).collect();
        self.line(arena.text(format!("def {name}")).append(listed(&arena, "(", formals, ")")).append(":"));
        self.indented(|printer| {
            for pred in preds {
                let arena = Arena::new();
                let pred = printer.wrapped(&arena, pred);
                printer.line(arena.text("assert ").append(pred));
            }
            printer.block(body);
        });
    }

    /// `x: f32[n] @ DRAM`.
    fn formal<'d>(&mut self, arena: &'d Arena<'d>, arg: &Arg) -> Doc<'d> {
        let Arg { name, typ, span: _ } = arg;
        let head = arena.text(format!("{}: ", self.names.get(*name)));
        match typ {
            ArgType::Control(t) => head.append(t.keyword()),
            ArgType::Data { typ, mem } => {
                self.elems.insert(*name, typ.elem);
                head.append(self.buffer_type(arena, typ)).append(format!(" @ {mem}"))
            }
        }
    }

    /// `@instr("…", "…")`.
    fn instr(&mut self, instr: &Instr) {
        let Instr { c_instr, c_global } = instr;
        let arena = Arena::new();
        let mut texts = vec![string(&arena, "", c_instr)];
        if !c_global.is_empty() {
            texts.push(string(&arena, "", c_global));
        }
        self.line(arena.text("@instr").append(listed(&arena, "(", texts, ")")));
    }

    /// `@config class C: …`.
    pub(super) fn config(&mut self, config: &Config) {
        let Config { name, fields, direct_access, span: _ } = config;
        self.plain(if *direct_access { "@config" } else { "@config(readwrite=False)" });
        self.plain(&format!("class {name}:"));
        self.indented(|p| {
            for ConfigField { name, typ, span: _ } in fields {
                p.plain(&format!("{name}: {typ}"));
            }
            if fields.is_empty() {
                p.plain("pass");
            }
        });
    }

    /// `class M(Memory): …`.
    pub(super) fn memory(&mut self, memory: &MemoryDef) {
        let MemoryDef { name, methods, span: _ } = memory;
        self.plain(&format!("class {name}(Memory):"));
        self.indented(|p| {
            for (at, (name, method)) in methods.iter().enumerate() {
                if at > 0 {
                    p.out.push('\n');
                }
                p.method(*name, method);
            }
            if methods.is_empty() {
                p.plain("pass");
            }
        });
    }

    /// One method of a memory.
    fn method(&mut self, name: Name, method: &MemoryMethod) {
        self.plain("@classmethod");
        let mut parameters = "cls".to_owned();
        for parameter in method_parameters(name.as_str()).unwrap_or(&["*args"]) {
            parameters.push_str(", ");
            parameters.push_str(parameter);
        }
        self.plain(&format!("def {name}({parameters}):"));
        self.indented(|p| match method {
            MemoryMethod::Flag(true) => p.plain("return True"),
            MemoryMethod::Flag(false) => p.plain("return False"),
            MemoryMethod::Opaque => p.plain("..."),
            MemoryMethod::Refuse(text) => {
                let arena = Arena::new();
                let text = vec![string(&arena, "", text)];
                p.line(arena.text("raise MemGenError").append(listed(&arena, "(", text, ")")));
            }
            MemoryMethod::Template(text) => {
                let arena = Arena::new();
                let prefix = if text.contains(['{', '}']) { "f" } else { "" };
                let doc = match is_long(text) {
                    true => listed(&arena, "(", vec![string(&arena, prefix, text)], ")"),
                    false => string(&arena, prefix, text),
                };
                p.line(arena.text("return ").append(doc));
            }
        });
    }
}

/// Whether a string is written as several.
fn is_long(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n')
}

/// A string literal; one of several lines as a literal for each.
fn string<'d>(arena: &'d Arena<'d>, prefix: &'static str, text: &str) -> Doc<'d> {
    if !is_long(text) {
        return arena.text(format!("{prefix}\"{}\"", escaped(text)));
    }
    let lines = text.split_inclusive('\n').map(|line| arena.text(format!("{prefix}\"{}\"", escaped(line))));
    arena.intersperse(lines, arena.hardline())
}

/// A text between the quotes of a Python string.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

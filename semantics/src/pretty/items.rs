//! Procedures, configurations and memories.

use super::expr::listed;
use super::{Doc, Printer};
use crate::ast::{Arg, Config, ConfigField, Instr, MemoryDef, MemoryMethod, Proc, Rounds};
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

    /// `@instr("…", "…", cflags="…")`.
    fn instr(&mut self, instr: &Instr) {
        let Instr { c_instr, c_global, cflags, rounds } = instr;
        let arena = Arena::new();
        let width = self.room(1, "\"\",");
        let mut texts = vec![string(&arena, "", c_instr, width)];
        if !c_global.is_empty() {
            texts.push(string(&arena, "", c_global, width));
        }
        if !cflags.is_empty() {
            texts.push(string(&arena, "cflags=", cflags, width));
        }
        match rounds {
            Rounds::AsWritten => {}
            Rounds::Fused => texts.push(arena.text("rounds=\"fused\"")),
            Rounds::Like(q) => texts.push(arena.text(format!("rounds={}", q.name))),
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
                let text = vec![string(&arena, "", text, p.room(1, "\"\""))];
                p.line(arena.text("raise MemGenError").append(listed(&arena, "(", text, ")")));
            }
            MemoryMethod::Template(text) => {
                let arena = Arena::new();
                let prefix = if text.contains(['{', '}']) { "f" } else { "" };
                let doc = match pieces(text, p.room(0, "return f\"\"")).len() {
                    1 => string(&arena, prefix, text, usize::MAX),
                    _ => listed(&arena, "(", vec![string(&arena, prefix, text, p.room(1, "f\"\""))], ")"),
                };
                p.line(arena.text("return ").append(doc));
            }
        });
    }

    /// Columns for the text of a string, so many levels deeper and beside other characters.
    fn room(&self, levels: usize, others: &str) -> usize {
        super::WIDTH.saturating_sub(self.indent + levels * super::INDENT + others.len())
    }
}

/// A string literal; a long one as several, one for each line, broken at spaces and inside long words.
fn string<'d>(arena: &'d Arena<'d>, prefix: &'static str, text: &str, width: usize) -> Doc<'d> {
    let pieces = pieces(text, width).into_iter().map(|piece| arena.text(format!("{prefix}\"{piece}\"")));
    arena.intersperse(pieces, arena.hardline())
}

/// The literals of a string, escaped; at least one.
fn pieces(text: &str, width: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for line in text.split_inclusive('\n') {
        if piece.ends_with("\\n") && line != "\n" {
            pieces.push(std::mem::take(&mut piece));
        }
        for word in line.split_inclusive(' ') {
            let word = escaped(word);
            if !piece.is_empty() && columns(&piece) + columns(&word) > width {
                pieces.push(std::mem::take(&mut piece));
            }
            for unit in units(&word) {
                if !piece.is_empty() && columns(&piece) + columns(unit) > width {
                    pieces.push(std::mem::take(&mut piece));
                }
                piece.push_str(unit);
            }
        }
    }
    if !piece.is_empty() || pieces.is_empty() {
        pieces.push(piece);
    }
    pieces
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

/// The parts of an escaped word between which it may be broken: escapes, fields in braces and doubled
/// braces stay whole.
fn units(word: &str) -> Vec<&str> {
    let (mut units, mut rest) = (Vec::new(), word);
    while let Some(first) = rest.chars().next() {
        let field = || rest.find('}').map(|end| end + 1);
        let length = match first {
            '\\' if rest.starts_with("\\u") => 6,
            '\\' => 2,
            '{' | '}' if rest.chars().nth(1) == Some(first) => 2,
            '{' => field().unwrap_or(1),
            c => c.len_utf8(),
        };
        let (unit, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
        units.push(unit);
        rest = tail;
    }
    units
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_break_after_lines_and_at_spaces() {
        const WIDTH: usize = 68;
        let pieces = |text: &str| pieces(text, WIDTH);
        assert_eq!(pieces(""), [""]);
        assert_eq!(pieces("a \"b\"\n"), ["a \\\"b\\\"\\n"]);
        assert_eq!(pieces("a\n\nb\n"), ["a\\n\\n", "b\\n"]);
        for long in ["word ".repeat(40), "x".repeat(200), "{x_data}[{x.strides[0]}]{{}}".repeat(9)] {
            let broken = pieces(&long);
            assert_eq!(broken.concat(), long);
            assert!(broken.len() > 1 && broken.iter().all(|p| p.chars().count() <= WIDTH), "{broken:?}");
            assert!(broken.iter().all(|p| p.matches('{').count() == p.matches('}').count()), "{broken:?}");
        }
        let escapes = pieces(&"\\\t\u{1}".repeat(50));
        assert!(
            escapes.iter().all(|p| p.starts_with("\\\\") || p.starts_with("\\t") || p.starts_with("\\u"))
        );
    }
}

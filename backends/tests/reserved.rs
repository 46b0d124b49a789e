//! The names that C's headers define, and that compilers know without a header: `c_names.txt` of the base has them all.
//! `REWRIGHT_RESERVED=write` adds those that are missing. Spec: [rule: c.names].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod common;

use common::module;
use rewright_backends::c::{Options, compile_module};
use rewright_backends::toolchain::{Compiler, Family, run};
use rewright_base::c_names::keywords;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The headers of C11.
const HEADERS: &str = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign \
    stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype";

/// The dialects: C11, and what both compilers take C for when they are told nothing.
const DIALECTS: [&[&str]; 3] = [&["-std=c11"], &["-std=gnu11"], &["-std=gnu11", "-D_GNU_SOURCE"]];

fn includes() -> String {
    HEADERS.split_whitespace().map(|h| format!("#include <{h}.h>\n")).collect()
}

fn listed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../base/src/c_names.txt")
}

/// Class by name; a name of two classes has the one that keeps more names clear of it.
type Names = BTreeMap<String, &'static str>;

fn add(names: &mut Names, class: &'static str, name: &str) {
    let rank = |c: &str| ["function", "name", "macro"].iter().position(|k| *k == c);
    let is_ours = name.starts_with('_') || name.is_empty();
    if !is_ours && names.get(name).is_none_or(|old| rank(old) < rank(class)) {
        names.insert(name.to_owned(), class);
    }
}

/// What a compiler prints, warnings included.
fn printed(c: &Compiler, dir: &Path, flags: &[&str], file: &str) -> String {
    let mut command = Command::new(&c.path);
    command.current_dir(dir).env("LC_ALL", "C").args(flags).arg(file);
    run(&mut command, Duration::from_secs(60)).unwrap().text
}

fn scan(c: &Compiler, dir: &Path, names: &mut Names) {
    std::fs::write(dir.join("all.c"), includes()).unwrap();
    for dialect in DIALECTS {
        let flags = |more: &[&'static str]| dialect.iter().chain(more).copied().collect::<Vec<_>>();
        for line in printed(c, dir, &flags(&["-dM", "-E"]), "all.c").lines() {
            let Some(definition) = line.strip_prefix("#define ") else { continue };
            let end = definition.find([' ', '(']).unwrap_or(definition.len());
            let class = if definition[end..].starts_with('(') { "function" } else { "macro" };
            add(names, class, &definition[..end]);
        }
        declarations(&printed(c, dir, &flags(&["-E", "-P"]), "all.c"), names);
    }
}

/// Words and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let word = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let end = if word(c) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
        let (token, tail) = rest.split_at(end);
        out.push(token);
        rest = tail.trim_start();
    }
    out
}

/// What declarations declare outside of braces, and the constants of enumerations.
fn declarations(text: &str, names: &mut Names) {
    let (mut statement, mut depth, mut in_enum, mut is_first) = (Vec::new(), 0_usize, false, false);
    for token in tokens(text) {
        match token {
            "{" => {
                depth += 1;
                in_enum = depth == 1 && statement.contains(&"enum");
                is_first = true;
            }
            "}" => {
                depth = depth.saturating_sub(1);
                let is_type = ["struct", "union", "enum"].iter().any(|k| statement.contains(k));
                if depth == 0 && !is_type {
                    declared(&statement, names);
                    statement.clear();
                }
                in_enum = false;
            }
            _ if in_enum && depth == 1 => {
                if is_first {
                    add(names, "name", token);
                }
                is_first = token == ",";
            }
            _ if depth > 0 => {}
            ";" => {
                declared(&statement, names);
                statement.clear();
            }
            _ => statement.push(token),
        }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
}

fn declared(statement: &[&str], names: &mut Names) {
    let is_typedef = statement.contains(&"typedef");
    let (mut depth, mut last) = (0_usize, None);
    for (k, token) in statement.iter().enumerate() {
        let next = statement.get(k + 1).copied().unwrap_or_default();
        let before = k.checked_sub(1).and_then(|k| statement.get(k)).copied().unwrap_or_default();
        match *token {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            t if t.starts_with("__") => {}
            // `void (*name)(int)`
            t if is_word(t) && depth == 1 && before == "*" && next == ")" => {
                add(names, if is_typedef { "name" } else { "function" }, t);
                return;
            }
            t if is_word(t) && depth == 0 && next == "(" => {
                add(names, "function", t);
                return;
            }
            t if is_word(t) && depth == 0 => last = Some(t),
            _ => {}
        }
    }
    if let Some(name) = last.filter(|_| is_typedef || statement.contains(&"extern")) {
        add(names, "name", name);
    }
}

/// Functions that a compiler takes for its own when it meets them: those among these of whose other types it complains.
fn builtins(c: &Compiler, dir: &Path, candidates: &BTreeSet<String>, names: &mut Names) {
    let mut text = String::from("struct _S;\n");
    for name in candidates {
        writeln!(text, "void {name}(struct _S *, const struct _S *, char);").unwrap();
    }
    std::fs::write(dir.join("probe.c"), text).unwrap();
    let found = printed(
        c,
        dir,
        &["-std=gnu11", "-fsyntax-only", "-Wall", "-ferror-limit=0"]
            [..if c.family == Family::Gcc { 3 } else { 4 }],
        "probe.c",
    );
    for line in found.lines().filter(|l| {
        l.contains("built-in function") || l.contains("library function") || l.contains("builtin function")
    }) {
        let name = line.split(['\'', '`', '‘', '’']).nth(1).unwrap_or_default();
        add(names, "function", name);
    }
}

/// The words after `__builtin_` in GCC's own program: what it may know by name.
fn known_to(gcc: &Compiler) -> BTreeSet<String> {
    let printed =
        run(Command::new(&gcc.path).arg("-print-prog-name=cc1"), Duration::from_secs(60)).unwrap().text;
    let Ok(bytes) = std::fs::read(printed.trim()) else { return BTreeSet::new() };
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    bytes
        .split(|b| !is_word(b))
        .filter_map(|w| w.strip_prefix(b"__builtin_"))
        .filter_map(|w| String::from_utf8(w.to_vec()).ok())
        .filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase()) && w.len() < 24)
        .collect()
}

/// Keywords, which are in a list of their own.
fn is_keyword(name: &str) -> bool {
    keywords().any(|k| k == name)
}

#[test]
fn the_names_of_headers_and_compilers_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let mut found = Names::new();
    let compilers = Compiler::available();
    for c in &compilers {
        scan(c, dir.path(), &mut found);
    }
    let mut candidates: BTreeSet<String> = found.keys().cloned().collect();
    candidates.extend(compilers.iter().filter(|c| c.family == Family::Gcc).flat_map(known_to));
    candidates.retain(|n| found.get(n).is_none_or(|class| *class == "function") && !is_keyword(n));
    for c in &compilers {
        builtins(c, dir.path(), &candidates, &mut found);
    }
    let text = std::fs::read_to_string(listed()).unwrap_or_default();
    let mut all: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let lines: BTreeSet<String> =
        found.iter().filter(|(n, _)| !is_keyword(n)).map(|(n, class)| format!("{class} {n}")).collect();
    println!("{} names, {} listed", lines.len(), all.len());
    assert!(lines.len() > 1500, "only {} names were found", lines.len());
    let missing: Vec<String> = lines.difference(&all).cloned().collect();
    if missing.is_empty() {
        return;
    }
    if std::env::var("REWRIGHT_RESERVED").is_ok_and(|v| v == "write") {
        all.extend(missing);
        std::fs::write(listed(), all.into_iter().map(|l| l + "\n").collect::<String>()).unwrap();
        return;
    }
    // Headers of another day define a few names more; a list that is out of date by many is not one of this language.
    println!("not listed: {missing:?}");
    assert!(
        missing.len() * 50 < lines.len(),
        "not in base/src/c_names.txt (REWRIGHT_RESERVED=write adds them): {missing:?}"
    );
}

/// Procedures, arguments, loops, buffers and fields with these names, after all headers, in every dialect.
#[test]
fn programs_may_use_any_of_these_names() {
    let text = std::fs::read_to_string(listed()).unwrap();
    // What Python takes for itself can be no name.
    let usable = |n: &&str| !["assert", "raise"].contains(n);
    let names: Vec<&str> =
        text.lines().filter_map(|l| l.split_once(' ')).map(|(_, n)| n).filter(usable).collect();
    let mut program = String::from("@config\nclass Cfg:\n");
    for name in &names {
        writeln!(program, "    {name}: index").unwrap();
    }
    for (k, three) in names.chunks(3).enumerate() {
        let [a, b, c] = three else { continue };
        write!(
            program,
            "\n\n@proc\ndef {a}({b}: size, {c}: f32[{b}], x_{k}: f32):\n    for {a} in seq(0, {b}):\n        {b}: f32\n        \
             {b} = {c}[{a}]\n        x_{k} += {b}\n    Cfg.{a} = 1\n"
        )
        .unwrap();
    }
    let unit = compile_module(&module(&program), &Options::new("unit")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("unit.h"), &unit.header).unwrap();
    std::fs::write(dir.path().join("unit.c"), &unit.source).unwrap();
    std::fs::write(dir.path().join("all.c"), format!("{}#include \"unit.c\"\n", includes())).unwrap();
    for c in Compiler::available() {
        for dialect in DIALECTS {
            let flags: Vec<&str> =
                dialect.iter().copied().chain(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]).collect();
            for file in ["unit.c", "all.c"] {
                let found = printed(&c, dir.path(), &flags, file);
                assert!(
                    found.is_empty(),
                    "{} {dialect:?} {file}:\n{}",
                    c.family,
                    found.chars().take(3000).collect::<String>()
                );
            }
        }
    }
    println!("{} names in {} procedures", names.len(), unit.functions.len());
}

//! Families of programs that grow by one unit at a time, to see what a unit costs. Spec: [rule: growth].
//!
//! Each family is a program of any number of units and what is asked about it. A unit is what the family's name says:
//! a loop, a buffer, a call, a step of a schedule.

use std::fmt::Write;

/// What is asked about a program: a command, as its users write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `rewright check`
    Check,
    /// `rewright check --print`
    Print,
    /// `rewright compile -o DIR`
    Compile,
    /// `rewright script --emit c -o DIR`
    Script,
    /// `rewright script --emit derivation -o DIR`
    Derivation,
    /// `rewright equiv FILE p q --trials 3`
    Equiv,
}

/// Programs that grow.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What a unit is.
    pub name: &'static str,
    /// What is asked.
    pub question: Question,
    /// How many units are asked for at most: a limit of the language, such as that of nesting.
    pub most: usize,
    /// The program of so many units.
    pub text: fn(usize) -> String,
}

impl Family {
    /// The name, with the question.
    pub fn title(&self) -> String {
        format!("{} ({})", self.name, format!("{:?}", self.question).to_lowercase())
    }
}

/// No limit of the language.
const ANY: usize = usize::MAX;

const fn family(name: &'static str, question: Question, text: fn(usize) -> String) -> Family {
    Family { name, question, most: ANY, text }
}

const fn up_to(most: usize, family: Family) -> Family {
    Family { most, ..family }
}

/// All families.
pub const FAMILIES: &[Family] = &[
    family("size arguments", Question::Check, size_arguments),
    family("size arguments", Question::Compile, size_arguments),
    family("arguments of one size", Question::Check, arguments_of_one_size),
    family("assertions about one size", Question::Check, assertions_about_one_size),
    family("assertions about one size", Question::Compile, assertions_about_one_size),
    family("assertions in a chain", Question::Check, assertions_in_a_chain),
    family("a chain of calls", Question::Check, call_chain),
    family("a chain of calls", Question::Compile, call_chain),
    family("a chain of calls with loops", Question::Check, call_chain_with_loops),
    family("calls of one procedure", Question::Check, calls_of_one),
    family("calls of one procedure", Question::Compile, calls_of_one),
    family("configuration fields", Question::Check, config_fields),
    family("configuration fields", Question::Compile, config_fields),
    family("fields written by loops", Question::Check, fields_written_by_loops),
    family("statements", Question::Check, statements),
    family("statements", Question::Compile, statements),
    family("statements", Question::Print, statements),
    family("statements", Question::Equiv, statements),
    family("statements in a parallel loop", Question::Check, parallel_statements),
    family("statements in a parallel loop", Question::Compile, parallel_statements),
    family("buffers", Question::Check, buffers),
    family("buffers", Question::Compile, buffers),
    family("windows", Question::Check, windows),
    family("windows", Question::Compile, windows),
    family("windows of windows", Question::Check, windows_of_windows),
    family("windows of windows", Question::Compile, windows_of_windows),
    family("loops", Question::Check, loops),
    family("loops", Question::Compile, loops),
    family("conditionals", Question::Check, conditionals),
    family("conditionals", Question::Compile, conditionals),
    up_to(40, family("nested loops", Question::Check, nested_loops)),
    up_to(40, family("nested loops", Question::Compile, nested_loops)),
    up_to(300, family("terms of a sum", Question::Check, terms)),
    up_to(300, family("terms of a sum", Question::Compile, terms)),
    up_to(300, family("terms of an index", Question::Check, terms_of_an_index)),
    family("procedures", Question::Check, procedures),
    family("procedures", Question::Compile, procedures),
    family("occurrences for replace_all", Question::Script, occurrences),
    family("steps, each on its own loop", Question::Script, steps_on_own_loops),
    family("steps on one loop", Question::Script, steps_on_one_loop),
    family("steps on one loop", Question::Derivation, steps_on_one_loop),
    family("cursors forwarded", Question::Script, cursors_forwarded),
];

/// Lines of text.
#[derive(Default)]
struct Text(String);

impl Text {
    fn new() -> Text {
        Text("from exo import *\n".to_owned())
    }

    fn line(&mut self, line: impl AsRef<str>) -> &mut Text {
        self.0.push_str(line.as_ref());
        self.0.push('\n');
        self
    }

    fn lines(&mut self, n: usize, mut line: impl FnMut(usize) -> String) -> &mut Text {
        for k in 0..n {
            let text = line(k);
            self.line(text);
        }
        self
    }

    fn proc(&mut self, head: impl AsRef<str>) -> &mut Text {
        self.line("\n@proc").line(format!("def {}:", head.as_ref()))
    }

    fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// `f(0), f(1), …`
fn list(n: usize, mut f: impl FnMut(usize) -> String) -> String {
    let mut out = String::new();
    for k in 0..n {
        let _ = write!(out, "{}{}", if k > 0 { ", " } else { "" }, f(k));
    }
    out
}

fn size_arguments(n: usize) -> String {
    let args = list(n, |k| format!("n{k}: size, x{k}: f32[n{k}]"));
    Text::new().proc(format!("p({args})")).lines(n, |k| format!("    x{k}[n{k} - 1] = 0.0")).take()
}

fn arguments_of_one_size(n: usize) -> String {
    let args = list(n, |k| format!("x{k}: f32[n]"));
    Text::new().proc(format!("p(n: size, {args})")).lines(n, |k| format!("    x{k}[n - 1] = 0.0")).take()
}

fn assertions_about_one_size(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n])").lines(n, |k| format!("    assert n >= {k}"));
    text.lines(n, |k| format!("    x[{k} - {}] = 0.0", k.min(1))).take()
}

fn assertions_in_a_chain(n: usize) -> String {
    let args = list(n + 1, |k| format!("n{k}: size, x{k}: f32[n{k}]"));
    let mut text = Text::new();
    text.proc(format!("p({args})")).lines(n, |k| format!("    assert n{} <= n{k}", k + 1));
    text.lines(n, |k| format!("    x{k}[n{} - 1] = 0.0", k + 1)).take()
}

fn call_chain(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p0(n: size, x: [f32][n])").line("    for i in seq(0, n):").line("        x[i] = 0.0");
    for k in 0..n {
        text.proc(format!("p{}(n: size, x: [f32][n])", k + 1)).line(format!("    p{k}(n, x[0:n])"));
    }
    text.take()
}

fn call_chain_with_loops(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p0(n: size, x: [f32][n])").line("    for i in seq(0, n):").line("        x[i] = 0.0");
    for k in 0..n {
        text.proc(format!("p{}(n: size, x: [f32][n])", k + 1));
        text.line("    for i in seq(0, n):").line("        x[i] += 1.0").line(format!("    p{k}(n, x[0:n])"));
    }
    text.take()
}

fn calls_of_one(n: usize) -> String {
    let mut text = Text::new();
    text.proc("f(n: size, x: [f32][n])").line("    for i in seq(0, n):").line("        x[i] += 1.0");
    text.proc("p(n: size, x: f32[n])").lines(n, |_| "    f(n, x[0:n])".to_owned()).take()
}

fn config_fields(n: usize) -> String {
    let mut text = Text::new();
    text.line("\n@config").line("class Cfg:").lines(n, |k| format!("    f{k}: size"));
    text.proc("p(n: size, x: f32[n])")
        .lines(n, |k| format!("    Cfg.f{k} = n"))
        .lines(n, |k| format!("    x[Cfg.f{k} - 1] = 0.0"));
    text.take()
}

fn fields_written_by_loops(n: usize) -> String {
    let mut text = Text::new();
    text.line("\n@config").line("class Cfg:").lines(n, |k| format!("    f{k}: index"));
    text.proc("p(n: size, x: f32[n])");
    text.lines(n, |k| {
        format!("    for i in seq(0, n):\n        Cfg.f{k} = i\n    if 0 <= Cfg.f{k} and Cfg.f{k} < n:\n        x[Cfg.f{k}] = 0.0")
    });
    text.take()
}

fn statements(n: usize) -> String {
    let mut text = Text::new();
    for name in ["p", "q"] {
        text.proc(format!("{name}(n: size, x: f32[n])")).lines(n, |k| match k % 2 {
            0 => "    x[0] = x[n - 1] + 1.0".to_owned(),
            _ => "    x[n - 1] += 2.0".to_owned(),
        });
    }
    text.take()
}

fn parallel_statements(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n, 4])").line("    for i in par(0, n):");
    text.lines(n, |k| format!("        x[i, {}] += x[i, {}]", k % 4, (k + 1) % 4)).take()
}

fn buffers(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n])");
    text.lines(n, |k| format!("    b{k}: f32[n]\n    b{k}[n - 1] = 0.0\n    x[0] += b{k}[n - 1]")).take()
}

fn windows(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n + 4])");
    text.lines(n, |k| format!("    w{k} = x[{}:n + {}]\n    w{k}[n - 1] = 0.0", k % 4, k % 4)).take()
}

fn windows_of_windows(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n])").line("    w0 = x[0:n]");
    text.lines(n, |k| format!("    w{} = w{k}[0:n]", k + 1)).line(format!("    w{n}[n - 1] = 0.0")).take()
}

fn loops(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n])");
    text.lines(n, |k| format!("    for i{k} in seq(0, n):\n        x[i{k}] += 1.0")).take()
}

fn conditionals(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n])");
    text.lines(n, |k| format!("    if n > {k}:\n        x[{k}] += 1.0\n    else:\n        x[0] += 1.0"))
        .take()
}

fn nested_loops(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n])");
    text.lines(n, |k| format!("{}for i{k} in seq(0, n):", "    ".repeat(k + 1)));
    text.lines(n, |k| format!("{}x[i{k}] += 1.0", "    ".repeat(n + 1))).take()
}

fn terms(n: usize) -> String {
    let sum: Vec<String> = (0..n).map(|k| format!("x[n - 1] * {k}.0")).collect();
    Text::new().proc("p(n: size, x: f32[n], y: f32)").line(format!("    y = {}", sum.join(" + "))).take()
}

fn terms_of_an_index(n: usize) -> String {
    let sum: Vec<String> = (0..n).map(|k| format!("n{k}")).collect();
    let (args, sum) = (list(n, |k| format!("n{k}: size")), sum.join(" + "));
    let mut text = Text::new();
    text.proc(format!("p({args}, x: f32[{sum}])")).line(format!("    x[{sum} - 1] = 0.0")).take()
}

fn procedures(n: usize) -> String {
    let mut text = Text::new();
    for k in 0..n {
        text.proc(format!("p{k}(n: size, x: f32[n])"));
        text.line("    for i in seq(0, n):").line("        x[i] += 1.0");
    }
    text.take()
}

fn occurrences(n: usize) -> String {
    let mut text = Text::new();
    text.proc("copy(dst: [f32][8], src: [f32][8])")
        .line("    for l in seq(0, 8):")
        .line("        dst[l] = src[l]");
    text.proc("p(m: size, x: f32[8 * m], y: f32[8 * m])").line(format!("    assert m >= {}", n.max(1)));
    text.lines(n, |k| format!("    for l in seq(0, 8):\n        y[8 * {k} + l] = x[8 * {k} + l]"));
    text.line("\np = replace_all(p, [copy])").take()
}

fn steps_on_own_loops(n: usize) -> String {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[8 * n])");
    text.lines(n, |k| format!("    for i{k} in seq(0, 8 * n):\n        x[i{k}] += 1.0"));
    text.line("")
        .lines(n, |k| format!("p = divide_loop(p, \"i{k}\", 8, [\"io{k}\", \"ii{k}\"], perfect=True)"));
    text.take()
}

/// A nest whose loops change places again and again: the program does not grow, only its history does.
fn nest() -> Text {
    let mut text = Text::new();
    text.proc("p(n: size, x: f32[n, n])").line("    for i in seq(0, n):").line("        for j in seq(0, n):");
    text.line("            x[i, j] = 0.0").line("");
    text
}

fn steps_on_one_loop(n: usize) -> String {
    nest()
        .lines(n, |k| format!("p = reorder_loops(p, \"{}\")", if k % 2 == 0 { "i j" } else { "j i" }))
        .take()
}

fn cursors_forwarded(n: usize) -> String {
    let mut text = nest();
    text.line("c = p.find(\"x[_] = _\")");
    text.lines(n, |k| {
        let step = format!("p = reorder_loops(p, \"{}\")", if k % 2 == 0 { "i j" } else { "j i" });
        format!("{step}\nc = p.forward(c)")
    });
    text.take()
}

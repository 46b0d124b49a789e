//! What Python allows and the object language does not: for each construct the rule and the place.

use rewright_semantics::diag::Diagnostic;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;

/// The rule of each diagnostic, and the text it marks.
fn findings(text: &str) -> Vec<(&'static str, String)> {
    let mut sources = SourceMap::new();
    let file = sources.add("test", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let marked = |d: &Diagnostic| sources.slice(d.primary.span).unwrap_or("?").to_owned();
    parsed.diagnostics.iter().map(|d| (d.rule, marked(d))).collect()
}

/// A body of a procedure with a size, a tensor, a scalar and a window.
fn in_body(body: &str) -> Vec<(&'static str, String)> {
    let lines: String = body.lines().map(|line| format!("    {line}\n")).collect();
    findings(&format!("@proc\ndef f(n: size, x: f32[n, n], y: f32, w: [f32][n], b: bool):\n{lines}"))
}

fn check(cases: &[(&str, &str, &str)], find: impl Fn(&str) -> Vec<(&'static str, String)>) {
    for (text, rule, marked) in cases {
        assert_eq!(find(text), [(*rule, (*marked).to_owned())], "{text}");
    }
}

#[test]
fn statements() {
    let s = "syntax.statement";
    check(
        &[
            ("while b:\n    pass", s, "while b:"),
            ("with y:\n    pass", s, "with y:"),
            ("match y:\n    case 1:\n        pass", s, "match y:"),
            ("try:\n    pass\nexcept E:\n    pass", s, "try:"),
            ("raise E", s, "raise E"),
            ("return", s, "return"),
            ("del y", s, "del y"),
            ("import os", s, "import os"),
            ("from os import path", s, "from os import path"),
            ("global y", s, "global y"),
            ("nonlocal y", s, "nonlocal y"),
            ("break", s, "break"),
            ("continue", s, "continue"),
            ("type T = f32", s, "type T = f32"),
            ("def g():\n    pass", s, "def g():"),
            ("class C:\n    pass", s, "class C:"),
            ("y -= 1.0", s, "y -= 1.0"),
            ("y *= 2.0", s, "y *= 2.0"),
            ("y /= 2.0", s, "y /= 2.0"),
            ("y //= 2", s, "y //= 2"),
            ("y @= 2", s, "y @= 2"),
            ("y = y = 1.0", s, "y = y = 1.0"),
            ("y, z = 1.0, 2.0", s, "y, z"),
            ("[y, z] = 1.0, 2.0", s, "[y, z]"),
            ("*y = 1.0", s, "*y"),
            ("y().z = 1.0", s, "y().z"),
            ("x[0:2, 0] = 1.0", s, "x[0:2, 0]"),
            ("z: f32 = 0.0", s, "z: f32 = 0.0"),
            ("z: f32[4] @ DRAM = 0.0", s, "z: f32[4] @ DRAM = 0.0"),
            ("x[0]: f32", s, "x[0]"),
            ("y == 1.0", s, "y == 1.0"),
            ("y", s, "y"),
            ("...", s, "..."),
            ("y.f()", s, "y.f()"),
            ("y: index", "syntax.type", "index"),
        ],
        |text| {
            let mut found = in_body(text);
            // A tuple or a call on the other side is a finding of its own.
            found.retain(|(rule, _)| *rule != "syntax.expression");
            found
        },
    );
}

#[test]
fn loops() {
    let s = "syntax.loop";
    check(
        &[
            ("for i in range(n):\n    pass", s, "range(n)"),
            ("for i in n:\n    pass", s, "n"),
            ("for i in seq(n):\n    pass", s, "seq(n)"),
            ("for i in seq(0, n, 2):\n    pass", s, "seq(0, n, 2)"),
            ("for i in seq():\n    pass", s, "seq()"),
            ("for i in seq(0, hi=n):\n    pass", s, "hi=n"),
            ("for i in seq(*n):\n    pass", s, "seq(*n)"),
            ("for i in loop(0, n):\n    pass", s, "loop(0, n)"),
            ("for i, j in seq(0, n):\n    pass", s, "i, j"),
            ("for x[0] in seq(0, n):\n    pass", s, "x[0]"),
            ("for i in seq(0, n):\n    pass\nelse:\n    pass", s, "pass"),
        ],
        in_body,
    );
}

#[test]
fn expressions() {
    let s = "syntax.expression";
    check(
        &[
            ("y = (z := 1.0)", s, "z := 1.0"),
            ("y = lambda: 1.0", s, "lambda: 1.0"),
            ("y = 1.0 if b else 2.0", s, "1.0 if b else 2.0"),
            ("y = {}", s, "{}"),
            ("y = {1.0}", s, "{1.0}"),
            ("y = [1.0]", s, "[1.0]"),
            ("y = (1.0, 2.0)", s, "(1.0, 2.0)"),
            ("y = [z for z in y]", s, "[z for z in y]"),
            ("y = {z for z in y}", s, "{z for z in y}"),
            ("y = {z: z for z in y}", s, "{z: z for z in y}"),
            ("y = (z for z in y)", s, "(z for z in y)"),
            ("y = await y", s, "await y"),
            ("y = yield", s, "yield"),
            ("y = yield from y", s, "yield from y"),
            ("y = f'{y}'", s, "f'{y}'"),
            ("y = 'text'", s, "'text'"),
            ("y = b'text'", s, "b'text'"),
            ("y = None", s, "None"),
            ("y = ...", s, "..."),
            ("y = +y", s, "+y"),
            ("y = ~y", s, "~y"),
            ("y = y // 2.0", s, "y // 2.0"),
            ("y = y ** 2", s, "y ** 2"),
            ("y = y @ y", s, "y @ y"),
            ("y = y << 1", s, "y << 1"),
            ("y = y >> 1", s, "y >> 1"),
            ("y = y | y", s, "y | y"),
            ("y = y ^ y", s, "y ^ y"),
            ("y = y & y", s, "y & y"),
            ("if n != 1:\n    pass", s, "n != 1"),
            ("if n is 1:\n    pass", s, "n is 1"),
            ("if n is not 1:\n    pass", s, "n is not 1"),
            ("if n in x:\n    pass", s, "n in x"),
            ("if n not in x:\n    pass", s, "n not in x"),
            ("if 1 < (1 < n < 3) < 4:\n    pass", s, "1 < n < 3"),
            ("y = x[0][1]", s, "x[0]"),
            ("y = sin(x)[0]", s, "sin(x)"),
            ("y = x[0:4:2, 0]", s, "2"),
            ("y = x[*w, 0]", s, "*w"),
            ("y = a.b.c", s, "a.b.c"),
            ("y = y.sin()", s, "y.sin"),
            ("y = sin(x=y)", s, "x=y"),
            ("y = sin(*y)", s, "*y"),
            ("y = stride(x)", s, "stride(x)"),
            ("y = stride(x, n)", s, "n"),
            ("y = stride(x[0], 0)", s, "x[0]"),
            ("y = stride(x, -1)", s, "-1"),
            ("z: [f32] = 1.0", s, "1.0"),
            ("z: [f32] = x[0]", s, "x[0]"),
            ("y = 1j", "syntax.literal", "1j"),
            ("y = 1e9999", "syntax.literal", "1e9999"),
            ("y = x[9223372036854775808, 0]", "syntax.literal", "9223372036854775808"),
        ],
        in_body,
    );
}

#[test]
fn names() {
    check(
        &[
            ("y = z", "name.unbound", "z"),
            ("y = z + z * z\ny = z", "name.unbound", "z"),
            ("z = 1.0\nz = 2.0", "name.unbound", "z"),
            ("z += 1.0\ny = z", "name.unbound", "z"),
            ("z = x[0, 0]", "name.unbound", "z"),
            ("y = C.f", "name.unbound", "C"),
            ("C.f = 1", "name.unbound", "C"),
            ("w = x[0, 0:n]", "name.window-rebinds", "w"),
            ("n = x[0, 0:n]", "name.window-rebinds", "n"),
            ("z: f32 @ HBM", "name.unknown-memory", "HBM"),
            ("f(n)", "name.unknown-procedure", "f"),
            ("print(y)", "name.unknown-procedure", "print"),
            ("sin(y)", "name.unknown-procedure", "sin"),
            ("y = f(y)", "name.unknown-extern", "f"),
            ("y = tan(y)", "name.unknown-extern", "tan"),
            ("z = n[0:4]", "type.not-a-buffer", "n"),
            ("z = w[0, 0:4]", "type.rank", "w[0, 0:4]"),
            ("z: [f64] = x[0, 0]", "type.window-annotation", "[f64]"),
        ],
        |text| {
            let mut found = in_body(text);
            // An unbound window base or target leaves nothing else to say.
            found.dedup();
            found
        },
    );
}

#[test]
fn signatures_and_types() {
    let proc = |line: &str| findings(&format!("@proc\n{line}\n    pass\n"));
    let (s, t) = ("syntax.signature", "syntax.type");
    check(
        &[
            ("def f(n):", s, "n"),
            ("def f(n: size = 4):", s, "4"),
            ("def f(*n: size):", s, "*n: size"),
            ("def f(**n: size):", s, "**n: size"),
            ("def f(*, n: size):", s, "n: size"),
            ("def f(n: size, /):", s, "n: size"),
            ("def f() -> f32:", s, "f32"),
            ("def f[T](n: size):", s, "[T]"),
            ("async def f(n: size):", s, "f"),
            ("def f(x: float):", t, "float"),
            ("def f(x: 'f32'):", t, "'f32'"),
            ("def f(x: size[4]):", t, "size[4]"),
            ("def f(x: [size][4]):", t, "[size]"),
            ("def f(x: size @ DRAM):", t, "DRAM"),
            ("def f(x: f32[0:4]):", t, "0:4"),
            ("def f(x: f32[()]):", t, "()"),
            ("def f(x: f32[4][4]):", t, "f32[4]"),
            ("def f(x: [f32, f64][4]):", t, "[f32, f64]"),
            ("def f(x: [][4]):", t, "[]"),
            ("def f(x: f32(4)):", t, "f32(4)"),
            ("def f(x: f32 @ DRAM @ DRAM):", t, "f32 @ DRAM"),
            ("def f(x: f32 @ 'DRAM'):", t, "'DRAM'"),
            ("def f(x: 4):", t, "4"),
            ("def f(x: f32[n]):", "name.unbound", "n"),
            ("def f(x: f32[2 * N + M, N]):", "name.implicit-size", "N"),
            ("def f(n: size, n: size):", "name.duplicate-argument", "n"),
        ],
        |text| {
            let mut found = proc(text);
            found.truncate(1);
            found
        },
    );
}

#[test]
fn top_level() {
    let s = "syntax.toplevel";
    check(
        &[
            ("def f():\n    pass", "syntax.undecorated", "f"),
            ("@proc\n@proc\ndef f():\n    pass", "syntax.decorator", "@proc"),
            ("@proc()\ndef f():\n    pass", "syntax.decorator", "@proc()"),
            ("@config\ndef f():\n    pass", "syntax.decorator", "@config"),
            ("@jit\ndef f():\n    pass", "syntax.decorator", "@jit"),
            ("@instr\ndef f():\n    pass", "syntax.instr", "@instr"),
            ("@instr()\ndef f():\n    pass", "syntax.instr", "instr()"),
            ("@instr(f())\ndef f():\n    pass", "syntax.instr", "f()"),
            ("@instr('a', c_instr='b')\ndef f():\n    pass", "syntax.instr", "c_instr='b'"),
            ("@instr('a', c='b')\ndef f():\n    pass", "syntax.instr", "c='b'"),
            ("@instr('{')\ndef f():\n    pass", "instr.placeholder", "'{'"),
            ("@proc\nclass C:\n    pass", "syntax.decorator", "@proc"),
            ("class C:\n    pass", s, "C"),
            ("class C(Base):\n    pass", "syntax.memory-class", "C"),
            ("class C(Extern):\n    pass", "syntax.skipped", "C"),
            ("class C(Memory):\n    x = 1", "syntax.memory-class", "x = 1"),
            ("@config(readwrite=1)\nclass C:\n    pass", "syntax.decorator", "@config(readwrite=1)"),
            ("@config\nclass C(Base):\n    pass", "syntax.config", "(Base)"),
            ("@config\nclass C:\n    x: f32 = 1.0", "syntax.config", "1.0"),
            ("@config\nclass C:\n    x: f32[4]", "syntax.config", "f32[4]"),
            ("@config\nclass C:\n    x: float", "syntax.type", "float"),
            ("@config\nclass C:\n    x = 1", "syntax.config", "x = 1"),
            ("@config\nclass C:\n    x: f32\n    x: f32", "name.duplicate-field", "x"),
            ("x: f32", s, "x: f32"),
            ("x = {1: 2}", s, "x = {1: 2}"),
            ("x = y / 2", s, "x = y / 2"),
            ("x = [i for i in y]", s, "x = [i for i in y]"),
            ("x = lambda y: y", s, "x = lambda y: y"),
            ("x = 1 + 'a'", s, "x = 1 + 'a'"),
            ("x.y += 1", s, "x.y += 1"),
            ("x += y or 1", s, "x += y or 1"),
            ("if b:\n    pass", s, "if b:"),
            ("for i in x:\n    pass", s, "for i in x:"),
            ("while b:\n    pass", s, "while b:"),
            ("with b:\n    pass", s, "with b:"),
            ("try:\n    pass\nfinally:\n    pass", s, "try:"),
            ("assert b", s, "assert b"),
            ("del b", s, "del b"),
            ("x", s, "x"),
            ("print(x)\nx = f(x)\nx = x.y\n(a, b) = f(x)[0]", "syntax.skipped", "print(x)"),
            ("x = [1]", "syntax.skipped", "x = [1]"),
            ("x = 2 * y\nx += 1\ny = f\"{x}\"", "syntax.skipped", "x = 2 * y"),
            ("if __name__ == '__main__':\n    f(x)", "syntax.skipped", "if __name__ == '__main__':"),
        ],
        findings,
    );
}

#[test]
fn python_errors_spoil_their_own_definition_only() {
    let text = "@proc\ndef f(x: f32):\n    x = = 1.0\n\n\n@proc\ndef g(x: f32):\n    f(x)\n    x = z\n";
    assert_eq!(findings(text), [("syntax.python", "=".to_owned()), ("name.unbound", "z".to_owned())]);
}

#[test]
fn what_a_scheduling_line_binds_is_no_size() {
    for line in ["N = [4]", "N = f(4)", "N = M + 4"] {
        let text = format!("{line}\n\n\n@proc\ndef f(x: f32[N]):\n    x[0] = 0.0\n");
        assert_eq!(findings(&text), [("syntax.skipped", line.to_owned()), ("name.unbound", "N".to_owned())]);
    }
    let text = "N = 4\nN += 4\n\n\n@proc\ndef f(x: f32[N]):\n    x[0] = 0.0\n";
    assert_eq!(findings(text), [("syntax.skipped", "N += 4".to_owned()), ("name.unbound", "N".to_owned())]);
}

#[test]
fn one_mistake_is_reported_once() {
    let once = |text: &str, rule: &str| {
        let found = findings(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(found[0].0, rule);
    };
    once("@proc\ndef f(x: float):\n    x = 1.0\n    x += x\n    y = x[0:4]\n    y[0] = 1.0\n", "syntax.type");
    once("@proc\ndef f(n):\n    x: f32[n]\n    x[0] = n\n", "syntax.signature");
    once("@proc\ndef f(x: f32 @ HBM):\n    y: f32\n    y = x\n", "name.unknown-memory");
    once(
        "@proc\ndef f(x: f32 = 1.0):\n    x = 1.0\n\n\n@proc\ndef g(x: f32):\n    f(x)\n",
        "syntax.signature",
    );
    once("def f(x: f32):\n    x = 1.0\n\n\n@proc\ndef g(x: f32):\n    f(x)\n", "syntax.undecorated");
    once("@proc\ndef f(x: f32):\n    for i in range(4):\n        x = i\n", "syntax.loop");
    once("@proc\ndef f(x: f32):\n    a, b = x, x\n    x = a + b\n    x = a\n", "syntax.statement");
    once("@proc\ndef f(x: f32):\n    t: f32[k]\n    t[0] = x\n    t[1] = t[0] + k\n", "name.unbound");
    once("@config\nclass C:\n    a: float\n\n\n@proc\ndef f():\n    C.a = 1\n    C.a = C.a\n", "syntax.type");
    once("@jit\nclass C:\n    a: f32\n\n\n@proc\ndef f():\n    C.a = 1\n", "syntax.decorator");
    once("class M(Foo):\n    pass\n\n\n@proc\ndef f():\n    x: f32 @ M\n", "syntax.memory-class");
    once("N = {4}\n\n\n@proc\ndef f(x: f32[N]):\n    x[0] = N\n", "syntax.toplevel");
}

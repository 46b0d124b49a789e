//! Values of scripts are Python's. Spec: [rule: scripts.values].

use rewright_primitives::registry::Value;
use rewright_primitives::script::{Run, parse, run};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;

fn ran(text: &str) -> Run {
    let mut sources = SourceMap::new();
    let file = sources.add("test", text);
    let module = parse_module(file, &sources, &Prelude::standard()).module;
    match parse(file, text) {
        Ok(lines) => run(&module, &Prelude::standard(), &lines),
        Err(error) => Run { error: Some(error), ..Run::default() },
    }
}

/// What Python prints for `print(e)` after some lines. Spec: [rule: scripts.values].
const VALUES: [(&str, &str, &str); 34] = [
    ("", "2 + 3 * 4", "14"),
    ("", "-7 // 2", "-4"),
    ("", "-7 % 2", "1"),
    ("", "7 // -2", "-4"),
    ("", "7 % -2", "-1"),
    ("", "-6 // 3", "-2"),
    ("", "5 % -1", "0"),
    ("", "5 // -1", "-5"),
    ("", "-9223372036854775808", "-9223372036854775808"),
    ("", "2 * -3", "-6"),
    ("n = 4", "-n", "-4"),
    ("n = 4", "--n", "4"),
    ("n = 4", "n * (n - 1) // 2", "6"),
    ("n = 4\nn += 1\nn *= 2", "n", "10"),
    ("n = 17\nn //= 4\nn -= 1\nn %= 2", "n", "1"),
    ("", "\"a\" + 'b'", "ab"),
    ("", "'a' 'b'", "ab"),
    ("", "'ab' * 3", "ababab"),
    ("", "2 * 'ab'", "abab"),
    ("", "'ab' * -1", ""),
    ("s = 'i'\ns += 'o'", "s", "io"),
    ("n = 3", "f'x{n}'", "x3"),
    ("n = 3", "f'{n}{n + 1}_{{n}}' f'.' 'y'", "34_{n}.y"),
    ("s = 'a'", "f'{s}|{[s, 1]}|{None}|{True}'", "a|['a', 1]|None|True"),
    ("", "[1, 2] + [3]", "[1, 2, 3]"),
    ("", "[1] * 3", "[1, 1, 1]"),
    ("xs = [4, 8, 16]", "xs[0] + xs[-1]", "20"),
    ("xs = [4, 8, 16]", "xs[1:]", "[8, 16]"),
    ("xs = [4, 8, 16]", "xs[:-1]", "[4, 8]"),
    ("xs = [4, 8, 16]", "xs[-9:9]", "[4, 8, 16]"),
    ("xs = [4, 8, 16]", "xs[2:1]", "[]"),
    ("xs = [4, 8, 16]", "len(xs) + len('ab')", "5"),
    ("a, b = [1, 'two']", "b + str(a)", "two1"),
    ("a = 'it\\'s'", "[a, 'x']", "[\"it's\", 'x']"),
];

#[test]
fn values_are_pythons() {
    for (lines, e, expected) in VALUES {
        let done = ran(&format!("{lines}\nprint({e})\n"));
        assert!(done.error.is_none(), "{lines}; {e}: {:?}", done.error);
        assert_eq!(done.printed, [expected], "{lines}; {e}");
    }
}

/// Spec: [rule: scripts.values], [rule: scripts.computed].
#[test]
fn what_has_no_value_is_an_error_at_its_place() {
    for (text, why) in [
        ("n = 1 // 0", "1 // 0 has no value"),
        ("n = 1 % 0", "1 % 0 has no value"),
        ("n = 9223372036854775807 + 1", "does not fit into 64 bits"),
        ("n = -(-9223372036854775807 - 1)", "does not fit into 64 bits"),
        ("n = (-9223372036854775807 - 1) // -1", "does not fit into 64 bits"),
        ("n = 9223372036854775808", "64 bits"),
        ("n = 1.5", "64 bits"),
        ("n = 'a' * 99999999999", "longer than"),
        ("n = [1] * 99999999999", "longer than"),
        ("n = 'a' + 1", "`+` does not take a string and an integer"),
        ("n = 'a' - 'b'", "`-` does not take"),
        ("n = '%s' % 1", "`%` does not take a string"),
        ("n = True + 1", "`+` does not take a truth value"),
        ("n = -'a'", "`-` does not take a string"),
        ("n = len(3)", "an integer has no length"),
        ("n = str()", "takes one argument"),
        ("n = str(1, base=2)", "takes no `base`"),
        ("n = 4 / 2", "this operator is not part"),
        ("n = 4 ** 2", "this operator is not part"),
        ("n = f'{3:02d}'", "values are not formatted"),
        ("n = f'{3!r}'", "values are not formatted"),
        ("n = [k for k in []]", "a script is a sequence of calls"),
        ("n = lambda k: k", "a script is a sequence of calls"),
        ("n = 1 if True else 2", "a script is a sequence of calls"),
        ("n += 1", "nothing is called `n`"),
    ] {
        let error = ran(text).error.unwrap_or_else(|| panic!("{text} has a value"));
        assert!(error.diagnostic().message.contains(why), "{text}: {}", error.diagnostic().message);
        assert!(!error.is_refusal() && !error.span.is_none(), "{text}");
    }
}

#[test]
fn arguments_are_computed() {
    let text = "\
T = 4
NAMES = ['io', 'ii']

@proc
def f(x: f32[32]):
    for i in seq(0, 32):
        x[i] = 0.0

p = divide_loop(f, 'i', 2 * T, NAMES, tail='perfect')
p = unroll_loop(p, NAMES[1])
p = rename(p, f'{f.name()}_by_{2 * T}')
";
    let done = ran(text);
    assert!(done.error.is_none(), "{:?}", done.error);
    let p = &done.bindings.last().expect("a procedure").proc;
    assert_eq!(p.name().as_str(), "f_by_8");
    assert_eq!(p.body().and_then(|b| b.at(0)?.body()).map(|b| b.children().len()), Ok(8), "{p}");
    assert!(matches!(done.names.get("T"), Some(Value::Int(4))));
}

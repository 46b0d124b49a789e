//! What the values of scripts do by themselves: arithmetic, strings and lists, as in Python. Spec: [rule: scripts.values].
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a value of any other sort, of today or tomorrow, is not computed with"
)]

use super::syntax::Operator;
use crate::registry::Value;
use num_integer::Integer;

/// Most characters of a string, most elements of a list.
const LONGEST: usize = 1 << 16;

/// `a op b`, or why there is no such value.
pub(super) fn binary(op: Operator, a: Value, b: Value) -> Result<Value, String> {
    match (op, a, b) {
        (op, Value::Int(a), Value::Int(b)) => integer(op, a, b).map(Value::Int),
        (Operator::Add, Value::Text(a), Value::Text(b)) => {
            fits(a.len().saturating_add(b.len()))?;
            Ok(Value::Text(a + &b))
        }
        (Operator::Add, Value::List(mut a), Value::List(b)) => {
            fits(a.len().saturating_add(b.len()))?;
            a.extend(b);
            Ok(Value::List(a))
        }
        (Operator::Mul, Value::Text(text), Value::Int(n))
        | (Operator::Mul, Value::Int(n), Value::Text(text)) => {
            let n = times(text.len(), n)?;
            Ok(Value::Text(text.repeat(n)))
        }
        (Operator::Mul, Value::List(items), Value::Int(n))
        | (Operator::Mul, Value::Int(n), Value::List(items)) => {
            let n = times(items.len(), n)?;
            Ok(Value::List(items.iter().cycle().take(items.len() * n).cloned().collect()))
        }
        (op, a, b) => Err(format!("`{op}` does not take {} and {}", sort(&a), sort(&b))),
    }
}

fn integer(op: Operator, a: i64, b: i64) -> Result<i64, String> {
    let value = match op {
        Operator::Add => a.checked_add(b),
        Operator::Sub => a.checked_sub(b),
        Operator::Mul => a.checked_mul(b),
        Operator::Div | Operator::Mod if b == 0 => return Err(format!("{a} {op} 0 has no value")),
        Operator::Div | Operator::Mod if b == -1 => match op {
            Operator::Mod => Some(0),
            _ => a.checked_neg(),
        },
        Operator::Div => Some(Integer::div_floor(&a, &b)),
        Operator::Mod => Some(Integer::mod_floor(&a, &b)),
    };
    value.ok_or_else(|| format!("{a} {op} {b} does not fit into 64 bits"))
}

/// `-a`
pub(super) fn minus(a: &Value) -> Result<Value, String> {
    match a {
        Value::Int(n) => {
            n.checked_neg().map(Value::Int).ok_or_else(|| format!("-({n}) does not fit into 64 bits"))
        }
        other => Err(format!("`-` does not take {}", sort(other))),
    }
}

/// How often something of this length is repeated; less than once is never.
fn times(length: usize, n: i64) -> Result<usize, String> {
    let n = usize::try_from(n.max(0)).map_err(|_| too_long())?;
    fits(length.checked_mul(n).ok_or_else(too_long)?)?;
    Ok(n)
}

fn fits(length: usize) -> Result<(), String> {
    if length <= LONGEST { Ok(()) } else { Err(too_long()) }
}

fn too_long() -> String {
    format!("this is longer than {LONGEST}")
}

/// What `str` makes of a value, what an f-string puts in, and what `print` prints.
pub(super) fn text(v: &Value) -> String {
    match v {
        Value::Text(text) => text.clone(),
        Value::Proc(p) => p.to_string(),
        Value::Cursor(c) => c.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(in_list).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// As Python shows a value in a list.
fn in_list(v: &Value) -> String {
    match v {
        Value::Text(text) => {
            let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
            let escaped = text.replace('\\', "\\\\").replace('\n', "\\n");
            let escaped = if quote == '\'' { escaped.replace('\'', "\\'") } else { escaped };
            format!("{quote}{escaped}{quote}")
        }
        other => text(other),
    }
}

/// Whether a name is one of Python's functions that scripts have.
pub(super) fn is_builtin(name: &str) -> bool {
    matches!(name, "str" | "len")
}

/// `str(x)`, `len(x)`
pub(super) fn call_builtin(name: &str, args: &[Value], named: &[(String, Value)]) -> Result<Value, String> {
    if let Some((given, _)) = named.first() {
        return Err(format!("`{name}` takes no `{given}`"));
    }
    match (name, args) {
        ("str", [v]) => Ok(Value::Text(text(v))),
        ("len", [Value::List(items)]) => Ok(Value::Int(i64::try_from(items.len()).unwrap_or(i64::MAX))),
        ("len", [Value::Text(text)]) => {
            Ok(Value::Int(i64::try_from(text.chars().count()).unwrap_or(i64::MAX)))
        }
        ("len", [other]) => Err(format!("{} has no length", sort(other))),
        (name, args) => Err(format!("`{name}` takes one argument, not {}", args.len())),
    }
}

/// What a value is, for a message.
fn sort(v: &Value) -> &'static str {
    match v {
        Value::None => "None",
        Value::Bool(_) => "a truth value",
        Value::Int(_) => "an integer",
        Value::Text(_) => "a string",
        Value::List(_) => "a list",
        Value::Cursor(_) => "a cursor",
        Value::Proc(_) => "a procedure",
        Value::Config(_) => "a configuration class",
        Value::Named(_) => "named values",
    }
}

#[cfg(test)]
mod tests {
    use crate::registry::Value;
    use crate::script::{Run, parse, run};
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
}

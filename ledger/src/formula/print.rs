//! Notation: few parentheses, names without the numbers that make them unique in SMT-LIB, long formulas over several
//! lines.

use super::sexp::Sexp;
use rustc_hash::FxHashMap;

/// What variables are called: as in the program, with primes where several have a name.
#[derive(Default)]
pub(crate) struct Names {
    shown: FxHashMap<String, String>,
    taken: FxHashMap<String, usize>,
}

impl Names {
    /// A variable of the script.
    pub(crate) fn add(&mut self, name: &str) {
        let numbered = name.rsplit_once('_').filter(|(_, n)| n.chars().all(|c| c.is_ascii_digit()));
        let base = plain(numbered.map_or(name, |(base, _)| base));
        let primes = self.taken.entry(base.clone()).or_default();
        let shown = match primes {
            0 => base,
            1 => format!("{base}′"),
            2 => format!("{base}″"),
            3 => format!("{base}‴"),
            _ => name.to_owned(),
        };
        *primes += 1;
        self.shown.insert(name.to_owned(), shown);
    }

    /// What it is called.
    pub(crate) fn of(&self, name: &str) -> String {
        self.shown.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }
}

/// A name without the marks that scripts have for primes: `i?` is another `i`, and `x?0?` the first index of `x`.
fn plain(name: &str) -> String {
    let name = name.trim_end_matches('?');
    match name.split_once('?') {
        Some((x, dim)) if !dim.is_empty() && dim.chars().all(|c| c.is_ascii_digit()) => {
            let below = |c: char| c.to_digit(10).and_then(|d| char::from_u32(0x2080 + d)).unwrap_or(c);
            format!("{x}{}", dim.chars().map(below).collect::<String>())
        }
        Some(_) | None => name.replace('?', "′"),
    }
}

/// How tightly a form binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Quantifier,
    Implies,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Atom,
}

/// A formula on its way to the page: text, or operands between which lines may be broken.
struct Shown {
    level: Level,
    text: Text,
}

enum Text {
    Flat(String),
    Joined(&'static str, Vec<Shown>),
}

/// What is longer is broken.
const WIDTH: usize = 96;

/// A formula as text; more than one line where it is long.
pub(crate) fn formula(e: &Sexp, names: &mut Names) -> String {
    laid_out(&shown(e, names), 0)
}

/// `a ≤ x` and `x < b` as `a ≤ x < b`.
fn chain(first: &str, second: &str) -> Option<String> {
    fn sides(fact: &str) -> Option<(&str, &str, &str)> {
        if fact.contains(['∧', '∨', '⟹', '∀', '∃', '¬', '\n']) || fact.contains("if ") {
            return None;
        }
        let mut found = [" ≤ ", " < "].into_iter().filter_map(|op| {
            let (a, b) = fact.split_once(op)?;
            Some((a, op, b))
        });
        match (found.next(), found.next()) {
            (Some(sides), None) => Some(sides),
            (Some(_), Some(_)) | (None, _) => None,
        }
    }
    let (a, op, x) = sides(first)?;
    let (y, next, b) = sides(second)?;
    (x == y).then(|| format!("{a}{op}{x}{next}{b}"))
}

/// Such facts, where one comes after the other.
pub(crate) fn chained(facts: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for fact in facts {
        match out.last().and_then(|last| chain(last, &fact)) {
            Some(joined) => {
                out.pop();
                out.push(joined);
            }
            None => out.push(fact),
        }
    }
    out
}

fn flat(level: Level, text: String) -> Shown {
    Shown { level, text: Text::Flat(text) }
}

fn shown(e: &Sexp, names: &mut Names) -> Shown {
    match e {
        Sexp::Atom(text) => flat(Level::Atom, names.of(text)),
        Sexp::List(items) => match items.split_first() {
            Some((Sexp::Atom(head), args)) => applied(head, args, names),
            Some((Sexp::List(_), _)) | None => {
                let parts: Vec<String> = items.iter().map(|e| inline(&shown(e, names))).collect();
                flat(Level::Atom, format!("({})", parts.join(" ")))
            }
        },
    }
}

fn applied(head: &str, args: &[Sexp], names: &mut Names) -> Shown {
    match (head, args) {
        ("and", [_, ..]) => joined(Level::And, " ∧ ", args, names),
        ("or", [_, ..]) => joined(Level::Or, " ∨ ", args, names),
        ("=>", [a, b]) => {
            let (a, b) = (at(shown(a, names), Level::Or), shown(b, names));
            Shown { level: Level::Implies, text: Text::Joined(" ⟹ ", vec![a, b]) }
        }
        ("not", [e]) => match e.applied("=") {
            Some([a, b]) => infix(Level::Compare, " ≠ ", a, b, names),
            Some(_) | None => {
                let inner = inline(&at(shown(e, names), Level::Atom));
                flat(Level::Compare, format!("¬{inner}"))
            }
        },
        ("=", [a, b]) => infix(Level::Compare, " = ", a, b, names),
        ("<", [a, b]) => infix(Level::Compare, " < ", a, b, names),
        ("<=", [a, b]) => infix(Level::Compare, " ≤ ", a, b, names),
        ("+", [a, b]) => match b.applied("-") {
            Some([b]) => infix(Level::Sum, " − ", a, b, names),
            Some(_) | None => sum(" + ", a, b, names),
        },
        ("-", [e]) => {
            let inner = inline(&at(shown(e, names), Level::Atom));
            flat(Level::Product, format!("−{inner}"))
        }
        ("-", [a, b]) => infix(Level::Sum, " − ", a, b, names),
        ("*", [a, b]) => infix(Level::Product, "·", a, b, names),
        ("div", [a, b]) => {
            let (a, b) = (inline(&at(shown(a, names), Level::Product)), inline(&shown(b, names)));
            flat(Level::Atom, format!("⌊{a} / {b}⌋"))
        }
        ("mod", [a, b]) => infix(Level::Product, " mod ", a, b, names),
        ("ite", [c, a, b]) => {
            let [c, a, b] = [c, a, b].map(|e| inline(&at(shown(e, names), Level::Or)));
            flat(Level::Quantifier, format!("if {c} then {a} else {b}"))
        }
        ("forall", [bound, body]) => quantified("∀", bound, body, names),
        ("exists", [bound, body]) => quantified("∃", bound, body, names),
        _ => {
            let args: Vec<String> = args.iter().map(|e| inline(&shown(e, names))).collect();
            flat(Level::Atom, format!("{head}({})", args.join(", ")))
        }
    }
}

fn sum(op: &'static str, a: &Sexp, b: &Sexp, names: &mut Names) -> Shown {
    let (a, b) = (inline(&at(shown(a, names), Level::Sum)), inline(&at(shown(b, names), Level::Sum)));
    flat(Level::Sum, format!("{a}{op}{b}"))
}

/// Of two operands, the second of which binds more tightly.
fn infix(level: Level, op: &'static str, a: &Sexp, b: &Sexp, names: &mut Names) -> Shown {
    let tighter = match level {
        Level::Quantifier | Level::Implies | Level::Or | Level::And | Level::Compare => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product | Level::Atom => Level::Atom,
    };
    let left = if level == Level::Sum { Level::Sum } else { tighter };
    let (a, b) = (inline(&at(shown(a, names), left)), inline(&at(shown(b, names), tighter)));
    flat(level, format!("{a}{op}{b}"))
}

fn joined(level: Level, op: &'static str, args: &[Sexp], names: &mut Names) -> Shown {
    let tighter = if level == Level::Or { Level::And } else { Level::Compare };
    let mut parts: Vec<Shown> = Vec::new();
    for e in args {
        let part = at(shown(e, names), tighter);
        let joined = match (level, parts.last(), &part.text) {
            (Level::And, Some(Shown { text: Text::Flat(a), .. }), Text::Flat(b)) => chain(a, b),
            _ => None,
        };
        match joined {
            Some(text) => {
                parts.pop();
                parts.push(flat(Level::Compare, text));
            }
            None => parts.push(part),
        }
    }
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(part) => {
            parts.push(part);
            Shown { level, text: Text::Joined(op, parts) }
        }
        None => flat(Level::Atom, String::new()),
    }
}

fn quantified(sign: &str, bound: &Sexp, body: &Sexp, names: &mut Names) -> Shown {
    let bound: Vec<&str> =
        bound.list().into_iter().flatten().filter_map(|b| b.list()?.first()?.atom()).collect();
    bound.iter().for_each(|name| names.add(name));
    let variables: Vec<String> = bound.iter().map(|name| names.of(name)).collect();
    let head = format!("{sign}{}. ", variables.join(", "));
    let body = shown(body, names);
    match body.text {
        Text::Flat(text) => flat(Level::Quantifier, format!("{head}{text}")),
        Text::Joined(op, mut parts) => {
            let rest = match parts.is_empty() {
                true => flat(Level::Atom, String::new()),
                false => parts.remove(0),
            };
            parts.insert(0, flat(Level::Atom, format!("{head}{}", inline(&rest))));
            Shown { level: Level::Quantifier, text: Text::Joined(op, parts) }
        }
    }
}

/// In parentheses, unless it binds at least this tightly.
fn at(e: Shown, level: Level) -> Shown {
    if e.level >= level {
        return e;
    }
    match e.text {
        Text::Flat(text) => flat(Level::Atom, format!("({text})")),
        Text::Joined(..) => Shown { level: Level::Atom, text: Text::Joined("", vec![e]) },
    }
}

fn inline(e: &Shown) -> String {
    match &e.text {
        Text::Flat(text) => text.clone(),
        Text::Joined("", parts) => format!("({})", parts.iter().map(inline).collect::<String>()),
        Text::Joined(op, parts) => parts.iter().map(inline).collect::<Vec<_>>().join(op),
    }
}

/// The text, indented from the second line on.
fn laid_out(e: &Shown, indent: usize) -> String {
    let line = inline(e);
    if indent + line.chars().count() <= WIDTH {
        return line;
    }
    match &e.text {
        Text::Flat(text) => text.clone(),
        Text::Joined("", parts) => {
            let inner: String = parts.iter().map(|p| laid_out(p, indent + 1)).collect();
            format!("({inner})")
        }
        Text::Joined(op, parts) => {
            let op = op.trim();
            let mut out = String::new();
            for (k, part) in parts.iter().enumerate() {
                if k > 0 {
                    out.push_str(&format!("\n{}{op} ", " ".repeat(indent)));
                }
                out.push_str(&laid_out(part, indent + 2));
            }
            out
        }
    }
}

//! Effect expressions as text, in the notation in which they are printed: what the blocks of the chapter on ternary
//! logic consist of.
//!
//! Variables whose name starts with `p`, `q` or `r` are truth values, all others integers.

use rewright_effects::effexpr::{EffExpr, Sort};
use rewright_semantics::sym::{Name, Sym};
use std::collections::BTreeMap;

/// A formula, before the sorts of its ⊥ are known.
#[derive(Clone, Debug)]
enum Tree {
    Int(i64),
    Bool(bool),
    Bottom,
    Name(String),
    Field(String, String),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
    Quantified(bool, String, Box<Tree>),
}

/// Reads an expression of a sort.
///
/// # Errors
/// What cannot be read.
pub(crate) fn parse(text: &str, sort: Sort) -> Result<EffExpr, String> {
    let mut names = BTreeMap::new();
    elaborate(&tree(text)?, sort, &mut names)
}

/// Reads an expression; its sort is that of its operator.
///
/// # Errors
/// What cannot be read.
pub(crate) fn parse_any(text: &str) -> Result<EffExpr, String> {
    let tree = tree(text)?;
    elaborate(&tree, sort_of(&tree).unwrap_or(Sort::Bool), &mut BTreeMap::new())
}

/// Reads truth values that share their variables.
///
/// # Errors
/// What cannot be read.
pub(crate) fn parse_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Vec<EffExpr>, String> {
    let mut names = BTreeMap::new();
    texts.into_iter().map(|t| elaborate(&tree(t)?, Sort::Bool, &mut names)).collect()
}

fn tree(text: &str) -> Result<Tree, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    let tree = parser.formula()?;
    match parser.peek() {
        None => Ok(tree),
        Some(t) => Err(format!("`{t}` is unexpected in `{text}`")),
    }
}

const SIGNS: [&str; 20] =
    ["<=", ">=", "⇒", "∀", "∃", "⊥", "<", ">", "=", "+", "-", "*", "/", "%", "?", "(", ")", ".", ",", "≤"];

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let (mut rest, mut out) = (text.trim_start(), Vec::new());
    while !rest.is_empty() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let sign = SIGNS.iter().find(|s| rest.starts_with(**s)).map_or(0, |s| s.len());
        let len = word.max(sign);
        if len == 0 {
            return Err(format!("cannot read `{rest}`"));
        }
        let (token, after) = rest.split_at(len);
        out.push(token.to_owned());
        rest = after.trim_start();
    }
    Ok(out)
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

/// Operators of one level, loosest first; those of a level associate to the left.
const LEVELS: [&[&str]; 5] = [&["or"], &["and"], &["=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn next(&mut self) -> Result<String, String> {
        let token = self.tokens.get(self.at).cloned().ok_or("the formula ends too early")?;
        self.at += 1;
        Ok(token)
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.accept(token) { Ok(()) } else { Err(format!("`{token}` is missing at {:?}", self.peek())) }
    }

    /// `∀x. e`, `a ⇒ b`, `c ? a else b`
    fn formula(&mut self) -> Result<Tree, String> {
        for (sign, all) in [("∀", true), ("∃", false)] {
            if self.accept(sign) {
                let x = self.next()?;
                self.expect(".")?;
                return Ok(Tree::Quantified(all, x, Box::new(self.formula()?)));
            }
        }
        let left = self.level(0)?;
        if self.accept("⇒") {
            return Ok(Tree::Binary("⇒", Box::new(left), Box::new(self.formula()?)));
        }
        if self.accept("?") {
            let yes = self.level(0)?;
            self.expect("else")?;
            return Ok(Tree::Choice(Box::new(left), Box::new(yes), Box::new(self.level(0)?)));
        }
        Ok(left)
    }

    fn level(&mut self, n: usize) -> Result<Tree, String> {
        let Some(operators) = LEVELS.get(n) else { return self.unary() };
        if n == 2 && self.accept("not") {
            return Ok(Tree::Unary("not", Box::new(self.level(2)?)));
        }
        let mut left = self.level(n + 1)?;
        while let Some(op) = operators.iter().find(|op| self.peek() == Some(**op)) {
            self.at += 1;
            left = Tree::Binary(op, Box::new(left), Box::new(self.level(n + 1)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Tree, String> {
        if self.accept("-") {
            return Ok(Tree::Unary("-", Box::new(self.unary()?)));
        }
        if self.accept("(") {
            let inner = self.formula()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let word = self.next()?;
        for op in ["D", "M"] {
            if word == op && self.accept("(") {
                let inner = self.formula()?;
                self.expect(")")?;
                return Ok(Tree::Unary(if op == "D" { "D" } else { "M" }, Box::new(inner)));
            }
        }
        Ok(match word.as_str() {
            "true" | "false" => Tree::Bool(word == "true"),
            "⊥" => Tree::Bottom,
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
                Tree::Int(word.parse().map_err(|_| format!("`{word}` is no number"))?)
            }
            _ if self.accept(".") => Tree::Field(word, self.next()?),
            _ => Tree::Name(word),
        })
    }
}

/// The sort of an expression; `None` for ⊥.
fn sort_of(tree: &Tree) -> Option<Sort> {
    match tree {
        Tree::Bottom => None,
        Tree::Int(_) => Some(Sort::Int),
        Tree::Bool(_) | Tree::Quantified(..) => Some(Sort::Bool),
        Tree::Name(x) | Tree::Field(_, x) => {
            let logical = x.starts_with(['p', 'q', 'r']);
            Some(if logical { Sort::Bool } else { Sort::Int })
        }
        Tree::Unary(op, _) => Some(if *op == "-" { Sort::Int } else { Sort::Bool }),
        Tree::Binary(op, ..) => {
            let arithmetic = matches!(*op, "+" | "-" | "*" | "/" | "%");
            Some(if arithmetic { Sort::Int } else { Sort::Bool })
        }
        Tree::Choice(_, a, b) => sort_of(a).or_else(|| sort_of(b)),
    }
}

fn elaborate(tree: &Tree, sort: Sort, names: &mut BTreeMap<String, Sym>) -> Result<EffExpr, String> {
    Ok(match tree {
        Tree::Int(c) => EffExpr::int(*c),
        Tree::Bool(b) => EffExpr::bool(*b),
        Tree::Bottom => EffExpr::unknown(sort),
        Tree::Name(x) => {
            let sym = *names.entry(x.clone()).or_insert_with(|| Sym::fresh(x.as_str()));
            if sort_of(tree) == Some(Sort::Bool) { EffExpr::bool_var(sym) } else { EffExpr::int_var(sym) }
        }
        Tree::Field(config, field) => {
            let sort = sort_of(tree).unwrap_or(sort);
            EffExpr::global(Name::new(config), Name::new(field), sort)
        }
        Tree::Unary("-", a) => EffExpr::neg(elaborate(a, Sort::Int, names)?),
        Tree::Unary(op, a) => {
            let a = elaborate(a, Sort::Bool, names)?;
            match *op {
                "D" => EffExpr::definitely(a),
                "M" => EffExpr::maybe(a),
                _ => EffExpr::not(a),
            }
        }
        Tree::Binary(op, a, b) => binary(op, a, b, names)?,
        Tree::Choice(c, a, b) => EffExpr::ite(
            elaborate(c, Sort::Bool, names)?,
            elaborate(a, sort, names)?,
            elaborate(b, sort, names)?,
        ),
        Tree::Quantified(all, x, body) => {
            let (sym, outer) = (Sym::fresh(x.as_str()), names.get(x).copied());
            names.insert(x.clone(), sym);
            let body = elaborate(body, Sort::Bool, names)?;
            match outer {
                Some(outer) => names.insert(x.clone(), outer),
                None => names.remove(x),
            };
            if *all { EffExpr::forall(sym, body) } else { EffExpr::exists(sym, body) }
        }
    })
}

fn binary(op: &str, a: &Tree, b: &Tree, names: &mut BTreeMap<String, Sym>) -> Result<EffExpr, String> {
    let operands = match op {
        "and" | "or" | "⇒" => Sort::Bool,
        "=" => sort_of(a).or_else(|| sort_of(b)).unwrap_or(Sort::Int),
        _ => Sort::Int,
    };
    let (a, b) = (elaborate(a, operands, names)?, elaborate(b, operands, names)?);
    let by_constant = |make: fn(EffExpr, i64) -> EffExpr, a: EffExpr| {
        b.as_int().map_or(EffExpr::unknown(Sort::Int), |k| make(a, k))
    };
    Ok(match op {
        "and" => EffExpr::and([a, b]),
        "or" => EffExpr::or([a, b]),
        "⇒" => EffExpr::implies(a, b),
        "=" => EffExpr::eq(a, b),
        "<" => EffExpr::lt(a, b),
        "<=" => EffExpr::le(a, b),
        ">" => EffExpr::gt(a, b),
        ">=" => EffExpr::ge(a, b),
        "+" => EffExpr::add(a, b),
        "-" => EffExpr::sub(a, b),
        "*" => EffExpr::mul(a, b),
        "/" => by_constant(EffExpr::div, a),
        "%" => by_constant(EffExpr::modulo, a),
        other => return Err(format!("`{other}` is no operator")),
    })
}

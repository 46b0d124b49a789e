//! Schedules.

use super::super::lex::Token;
use super::{Parse, Parser};
use crate::expr::{Expr, Site};
use crate::schedule::{Directive, Source};
use crate::tgt::LoopName;
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;

/// Directives by the names that practice gives them, and what is meant.
const FOREIGN: [(&str, &str); 17] = [
    ("compute_at", "write `compute-at(f, <g, y>)`"),
    ("store_at", "write `store-at(f, <g, y>)`"),
    ("compute_with", "write `compute-with(f, <g, y>)`"),
    ("compute_root", "a func without `compute-at` is computed at the root"),
    ("store_root", "a func without `store-at` is stored at the root"),
    ("compute_inline", "write `inline(f)`"),
    (
        "reorder",
        "write `swap(<f, y>)`, which exchanges a loop with the one right inside; several give any order",
    ),
    ("tile", "write two `split`s and a `swap`"),
    ("parallel", "write `traverse(<f, y>, parallel)`"),
    ("serial", "write `traverse(<f, y>, serial)`"),
    ("fold_storage", "write `fold-storage(f, x, n)`"),
    ("hoist_storage", "write `hoist-storage(f, <g, y>)`"),
    ("specialize_fail", "write `specialize-fail(f)`"),
    ("clone_in", "write `clone-in(g, h, f)`"),
    ("bound_extent", "write `bound-extent(f, x, n)`"),
    ("align_bounds", "write `align-bounds(f, x, m, r)`"),
    ("update", "name the stage in the loop: `<f, 1, 0, x>` is a loop of the first update"),
];

impl Parser {
    pub(super) fn schedule(&mut self) -> Parse<Vec<(Directive, Span)>> {
        let mut out = Vec::new();
        if !self.take("schedule") {
            return Ok(out);
        }
        self.eat(":")?;
        while !matches!(self.token(), Token::End) && !self.is_word("realize") {
            let start = self.span();
            let directive = self.directive()?;
            out.push((directive, self.since(start).0));
            if !self.take(";") {
                break;
            }
        }
        Ok(out)
    }

    /// A directive's name may have dashes.
    fn dashed(&mut self) -> Parse<String> {
        let mut out = self.name("a directive")?.as_str().to_owned();
        while self.take("-") {
            out.push('-');
            out.push_str(self.name("the rest of a directive's name")?.as_str());
        }
        Ok(out)
    }

    pub(super) fn directive(&mut self) -> Parse<Directive> {
        let start = self.span();
        let word = self.dashed()?;
        self.eat("(")?;
        let Some(directive) = Directive::read(&word, &mut Arguments { parser: self, first: true })? else {
            return Err(unknown(&word, self.since(start).0));
        };
        self.eat(")")?;
        Ok(directive)
    }

    /// `<f, i, j, v>`; stage and specialization are 0 when they are left out.
    fn loop_name(&mut self) -> Parse<LoopName> {
        self.eat("<")?;
        let func = self.name("a func")?;
        let mut numbers = Vec::new();
        self.eat(",")?;
        while let Token::Int(v) = self.token() {
            let Some(n) = v.to_i64().and_then(|v| usize::try_from(v).ok()) else {
                return self.wrong("a stage");
            };
            numbers.push(n);
            self.at += 1;
            self.eat(",")?;
        }
        let number = |i: usize| numbers.get(i).copied().unwrap_or(0);
        let site = Site { func, stage: number(0), spec: number(1) };
        let var = self.name("a loop variable")?;
        self.eat(">")?;
        Ok(LoopName { site, var })
    }
}

fn unknown(name: &str, at: Span) -> Diagnostic {
    let found = Diagnostic::error("halide.syntax", at, format!("`{name}` is not a directive"));
    match FOREIGN.into_iter().find(|(foreign, _)| *foreign == name) {
        Some((_, meant)) => found.help(meant),
        None => found.help(format!("the directives are {}", listed(&Directive::names(), "and"))),
    }
}

/// `a, b and c`
fn listed(words: &[impl AsRef<str>], conjunction: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} {conjunction} {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The arguments of a directive, with commas between them.
struct Arguments<'p> {
    parser: &'p mut Parser,
    /// Whether the next one comes without a comma.
    first: bool,
}

impl Arguments<'_> {
    fn next(&mut self) -> Parse<&mut Parser> {
        if !std::mem::take(&mut self.first) {
            self.parser.eat(",")?;
        }
        Ok(self.parser)
    }
}

impl Source for Arguments<'_> {
    type Error = Diagnostic;

    fn func(&mut self) -> Parse<Name> {
        self.next()?.name("a func")
    }

    fn variable(&mut self, _: &str) -> Parse<Name> {
        self.next()?.name("a variable")
    }

    fn loop_name(&mut self) -> Parse<LoopName> {
        self.next()?.loop_name()
    }

    fn stage(&mut self) -> Parse<usize> {
        let parser = self.next()?;
        let Token::Int(v) = parser.token() else {
            self.first = true;
            return Ok(0);
        };
        let Some(stage) = v.to_i64().and_then(|v| usize::try_from(v).ok()) else {
            return parser.wrong("a stage");
        };
        parser.at += 1;
        Ok(stage)
    }

    fn expr(&mut self, _: &str) -> Parse<Expr> {
        let parser = self.next()?;
        let e = parser.expr(&[])?;
        Ok(parser.types.as_ref().map_or(e.clone(), |t| t.control(&e)))
    }

    fn funcs(&mut self, _: &str) -> Parse<Vec<Name>> {
        let mut out = Vec::new();
        while self.parser.is_sign(",") {
            out.push(self.func()?);
        }
        Ok(out)
    }

    fn pairs(&mut self, _: &str) -> Parse<Vec<(Name, Name)>> {
        let mut out = Vec::new();
        while self.parser.is_sign(",") {
            let parser = self.next()?;
            let r = parser.name("a reduction variable")?;
            parser.eat("=")?;
            out.push((r, parser.name("a pure variable")?));
        }
        Ok(out)
    }

    fn exprs(&mut self, field: &str) -> Parse<Vec<Expr>> {
        let mut out = Vec::new();
        while self.parser.is_sign(",") {
            out.push(self.expr(field)?);
        }
        Ok(out)
    }

    fn word<T: Copy>(&mut self, _: &str, words: &[(&'static str, T)], otherwise: Option<T>) -> Parse<T> {
        if let Some(value) = otherwise
            && !self.parser.is_sign(",")
        {
            return Ok(value);
        }
        let parser = self.next()?;
        let before = parser.at;
        let given = parser.dashed().unwrap_or_default();
        let Some((_, value)) = words.iter().find(|(word, _)| *word == given) else {
            parser.at = before;
            let words: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            return parser.wrong(&listed(&words, "or"));
        };
        Ok(*value)
    }
}

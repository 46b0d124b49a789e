//! The parser: pipelines here, expressions, schedules and realizations below. Spec: [rule: halide.text].

mod directive;
mod expr;
mod function;
mod realize;
mod values;

use super::lex::{Token, tokens};
use crate::alg::{Algorithm, Func, Image, Input, RVar, Update};
use crate::expr::{Expr, Place};
use crate::int::Int;
use crate::promote::Types;
use crate::schedule::Directive;
use crate::typed::Scalar;
use rewright_base::diag::Diagnostic;
use rewright_base::span::{FileId, SourceMap, Span};
use rewright_base::sym::Name;

/// What a text holds.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The directives, in order, with their places.
    pub schedule: Vec<(Directive, Span)>,
    /// The realization, if there is one.
    pub input: Option<Input>,
}

/// Reads a text: a pipeline, perhaps a schedule, perhaps a realization. Names that nothing binds are left
/// to [`crate::valid`].
///
/// # Errors
/// The first place that is not as the grammar wants it (`halide.syntax`).
pub fn parse(file: FileId, sources: &SourceMap) -> Result<Parsed, Diagnostic> {
    let mut parser = Parser::new(file, sources)?;
    let algorithm = parser.pipeline()?;
    let schedule = parser.schedule()?;
    let input = parser.realize(&algorithm)?;
    parser.eat_end()?;
    Ok(Parsed { algorithm, schedule, input })
}

/// Reads one directive for a pipeline with these parameters.
///
/// # Errors
/// The first place that is not as the grammar wants it (`halide.syntax`).
pub fn parse_directive(file: FileId, sources: &SourceMap, params: &[Name]) -> Result<Directive, Diagnostic> {
    let mut parser = Parser::new(file, sources)?;
    parser.params = params.to_vec();
    let directive = parser.directive()?;
    parser.eat_end()?;
    Ok(directive)
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    params: Vec<Name>,
    /// The types of what is in scope, if the pipeline has types.
    types: Option<Types>,
    /// Funcs and input buffers so far.
    known: Vec<Name>,
    /// Inputs without dimensions.
    scalars: Vec<Name>,
    /// Names of the expression that is read.
    lets: Vec<(Name, Expr)>,
    /// How deeply the expression that is read is nested, and how many operators it has so far.
    depth: usize,
    operators: usize,
}

type Parse<T> = Result<T, Diagnostic>;

impl Parser {
    fn new(file: FileId, sources: &SourceMap) -> Parse<Parser> {
        let text = sources.get(file).map(|f| f.text.clone()).unwrap_or_default();
        let tokens = tokens(file, &text).map_err(|e| Diagnostic::error("halide.syntax", e.span, e.why))?;
        Ok(Parser {
            tokens,
            at: 0,
            params: Vec::new(),
            types: None,
            known: Vec::new(),
            scalars: Vec::new(),
            lets: Vec::new(),
            depth: 0,
            operators: 0,
        })
    }

    fn token(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(t, _)| t)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(Span::NONE, |(_, s)| *s)
    }

    /// From a place to the end of what was read last.
    fn since(&self, start: Span) -> Place {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        Place(last.map_or(start, |(_, s)| start.to(*s)))
    }

    fn wrong<T>(&self, wanted: &str) -> Parse<T> {
        let found = self.token().shown();
        Err(Diagnostic::error("halide.syntax", self.span(), format!("expected {wanted}, found {found}")))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(s) if *s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Name(n) if n == word)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign) || self.is_word(sign);
        if found {
            self.at += 1;
        }
        found
    }

    fn eat(&mut self, sign: &str) -> Parse<()> {
        if self.take(sign) { Ok(()) } else { self.wrong(&format!("`{sign}`")) }
    }

    fn eat_end(&mut self) -> Parse<()> {
        if *self.token() == Token::End { Ok(()) } else { self.wrong("the end of the text") }
    }

    fn name(&mut self, what: &str) -> Parse<Name> {
        let Token::Name(n) = self.token() else { return self.wrong(what) };
        let name = Name::new(n);
        self.at += 1;
        Ok(name)
    }

    fn int(&mut self) -> Parse<i64> {
        let minus = self.take("-");
        let Token::Int(v) = self.token() else { return self.wrong("a number") };
        let v = if minus { Int::ZERO.sub(v) } else { v.clone() };
        let Some(v) = v.to_i64() else { return self.wrong("a number of 64 bits, with its sign") };
        self.at += 1;
        Ok(v)
    }

    /// `item, item, …` up to `end`, which is taken.
    fn list<T>(&mut self, end: &str, mut item: impl FnMut(&mut Parser) -> Parse<T>) -> Parse<Vec<T>> {
        let mut out = Vec::new();
        while !self.take(end) {
            if !out.is_empty() {
                self.eat(",")?;
            }
            out.push(item(self)?);
        }
        Ok(out)
    }

    fn pipeline(&mut self) -> Parse<Algorithm> {
        let start = self.span();
        let typed = self.take("typed");
        self.eat("pipeline")?;
        let output = self.name("the name of the output func")?;
        let mut also = Vec::new();
        while self.take(",") {
            also.push(self.name("the name of an output func")?);
        }
        self.eat("(")?;
        let mut declared = Algorithm { typed, also, ..Algorithm::new(output, Vec::new(), Vec::new()) };
        self.list(")", |p| p.declared(&mut declared))?;
        self.declare(&declared);
        if !self.take(":") {
            self.eat("=")?;
        }
        let span = self.since(start);
        while self.take("require") {
            declared.requires.push(self.condition(&[])?);
            self.eat(";")?;
        }
        let mut funcs = Vec::new();
        while self.is_word("fun") {
            funcs.push(self.func()?);
        }
        Ok(Algorithm { span, funcs, ..declared })
    }

    /// `p`, `p: uint8`, or an input buffer `img(x, y): uint8`.
    fn declared(&mut self, p: &mut Algorithm) -> Parse<()> {
        let start = self.span();
        let name = self.name("a parameter")?;
        let dims = if self.take("(") { Some(self.list(")", |p| p.name("a dimension"))?) } else { None };
        let scalar = if self.take(":") { Some(self.scalar()?) } else { None };
        match (dims, scalar) {
            (Some(dims), Some(scalar)) => {
                p.inputs.push(Image { name, scalar, rank: dims.len(), span: self.since(start) });
            }
            (Some(_), None) => return self.wrong("the type of an input buffer, such as `: uint8`"),
            (None, Some(scalar)) if scalar.is_float() || p.typed && scalar.is_data() => {
                p.inputs.push(Image { name, scalar, rank: 0, span: self.since(start) });
            }
            (None, scalar) => {
                p.params.push(name);
                p.types.extend(scalar.filter(|s| *s != Scalar::Integer).map(|s| (name, s)));
            }
        }
        Ok(())
    }

    /// What is declared is in scope from here on.
    pub(super) fn declare(&mut self, p: &Algorithm) {
        self.params.clone_from(&p.params);
        self.known = p.inputs.iter().map(|i| i.name).chain(p.funcs.iter().map(|f| f.name)).collect();
        self.scalars = p.inputs.iter().filter(|i| i.rank == 0).map(|i| i.name).collect();
        self.types = p.typed.then(|| {
            let inputs = p.inputs.iter().map(|i| (i.name, i.scalar));
            let reads = inputs.chain(p.funcs.iter().map(|f| (f.name, f.scalar))).collect();
            let parts = p.funcs.iter().map(|f| (f.name, f.parts.clone())).collect();
            Types { reads, parts, params: p.types.clone() }
        });
    }

    fn func(&mut self) -> Parse<Func> {
        let start = self.span();
        self.eat("fun")?;
        let name = self.name("the name of a func")?;
        self.eat("(")?;
        let vars = self.list(")", |p| p.name("a pure variable"))?;
        let span = self.since(start);
        let given = self.given_types()?;
        self.eat("=")?;
        let mut updates = Vec::new();
        let braces = self.take("{");
        let value = self.span();
        let pure = self.expr(&vars)?;
        let (scalar, parts) = self.holds(name, value, &pure, given)?;
        self.known.push(name);
        if let Some(types) = &mut self.types {
            types.reads.insert(name, scalar);
            types.parts.insert(name, parts.clone());
        }
        if braces {
            while self.take(";") && !self.is_sign("}") {
                updates.push(self.update(&vars, scalar, &parts)?);
            }
            self.eat("}")?;
        }
        if !self.take(";") && !matches!(self.token(), Token::End | Token::Name(_)) {
            return self.wrong("`;`");
        }
        Ok(Func { name, vars, scalar, parts, pure, updates, span })
    }

    fn scalar(&mut self) -> Parse<Scalar> {
        let Token::Name(n) = self.token() else { return self.wrong("a type such as `int32`") };
        let Some(scalar) = Scalar::of_name(n) else { return self.wrong("a type such as `int32`") };
        self.at += 1;
        Ok(scalar)
    }

    fn update(&mut self, vars: &[Name], scalar: Scalar, parts: &[Scalar]) -> Parse<Update> {
        let start = self.span();
        let mut rdom = Vec::new();
        if self.take("rdom") {
            self.eat("(")?;
            rdom = self.list(")", |p| p.rvar(vars))?;
            self.eat("in")?;
        }
        let scope: Vec<Name> = vars.iter().copied().chain(rdom.iter().map(|r| r.var)).collect();
        self.eat("(")?;
        let lhs = self.list(")", |p| p.index(&scope))?;
        self.eat("<-")?;
        let value = self.span();
        let rhs = self.expr(&scope)?;
        self.updated(value, &rhs, scalar, parts)?;
        let cond = if self.take("if") { self.condition(&scope)? } else { Expr::int(1) };
        Ok(Update { rdom, lhs, rhs, cond, span: self.since(start) })
    }

    fn rvar(&mut self, vars: &[Name]) -> Parse<RVar> {
        let start = self.span();
        let var = self.name("a reduction variable")?;
        self.eat("=")?;
        let domain = self.interval(vars)?;
        Ok(RVar { var, domain, span: self.since(start) })
    }
}

//! The parser.

use super::lex::{Token, tokens};
use crate::alg::{Algorithm, Func, Input, RVar, Update};
use crate::expr::{Access, Expr, Interval, Place, Site, Var};
use crate::float::{Float, Precision};
use crate::schedule::{Directive, LoopName, Order, Tail};
use crate::typed::Scalar;
use crate::value::{Op, Value};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::{FileId, SourceMap, Span};
use rewright_semantics::sym::Name;

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
    parser.expect_end()?;
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
    parser.expect_end()?;
    Ok(directive)
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    params: Vec<Name>,
    /// How deeply expressions are nested.
    depth: usize,
}

/// How deeply expressions may be nested.
const MAX_DEPTH: usize = 200;

type Parse<T> = Result<T, Diagnostic>;

/// Comparisons, and whether they stand for a negation.
const COMPARISONS: [(&str, Op, bool); 6] = [
    ("<=", Op::Gt, true),
    (">=", Op::Lt, true),
    ("!=", Op::Eq, true),
    ("<", Op::Lt, false),
    (">", Op::Gt, false),
    ("=", Op::Eq, false),
];

impl Parser {
    fn new(file: FileId, sources: &SourceMap) -> Parse<Parser> {
        let text = sources.get(file).map(|f| f.text.clone()).unwrap_or_default();
        let tokens = tokens(file, &text).map_err(|e| Diagnostic::error("halide.syntax", e.span, e.why))?;
        Ok(Parser { tokens, at: 0, params: Vec::new(), depth: 0 })
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

    fn expect(&mut self, sign: &str) -> Parse<()> {
        if self.take(sign) { Ok(()) } else { self.wrong(&format!("`{sign}`")) }
    }

    fn expect_end(&mut self) -> Parse<()> {
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
        let v = if minus { -*v } else { *v };
        self.at += 1;
        Ok(v)
    }

    /// `item, item, …` up to `end`, which is taken.
    fn list<T>(&mut self, end: &str, mut item: impl FnMut(&mut Parser) -> Parse<T>) -> Parse<Vec<T>> {
        let mut out = Vec::new();
        while !self.take(end) {
            if !out.is_empty() {
                self.expect(",")?;
            }
            out.push(item(self)?);
        }
        Ok(out)
    }

    fn pipeline(&mut self) -> Parse<Algorithm> {
        let start = self.span();
        self.expect("pipeline")?;
        let output = self.name("the name of the output func")?;
        self.expect("(")?;
        self.params = self.list(")", |p| p.name("a parameter"))?;
        if !self.take(":") {
            self.expect("=")?;
        }
        let span = self.since(start);
        let mut funcs = Vec::new();
        while self.is_word("fun") {
            funcs.push(self.func()?);
        }
        Ok(Algorithm { output, params: self.params.clone(), funcs, span })
    }

    fn func(&mut self) -> Parse<Func> {
        let start = self.span();
        self.expect("fun")?;
        let name = self.name("the name of a func")?;
        self.expect("(")?;
        let vars = self.list(")", |p| p.name("a pure variable"))?;
        let span = self.since(start);
        let scalar = if self.take(":") { self.scalar()? } else { Scalar::Integer };
        self.expect("=")?;
        let mut updates = Vec::new();
        let pure;
        if self.take("{") {
            pure = self.expr(&vars)?;
            while self.take(";") && !self.is_sign("}") {
                updates.push(self.update(&vars)?);
            }
            self.expect("}")?;
        } else {
            pure = self.expr(&vars)?;
        }
        if !self.take(";") && !matches!(self.token(), Token::End | Token::Name(_)) {
            return self.wrong("`;`");
        }
        Ok(Func { name, vars, scalar, pure, updates, span })
    }

    fn scalar(&mut self) -> Parse<Scalar> {
        let Token::Name(n) = self.token() else { return self.wrong("a type such as `int32`") };
        let Some(scalar) = Scalar::of_name(n) else { return self.wrong("a type such as `int32`") };
        self.at += 1;
        Ok(scalar)
    }

    fn update(&mut self, vars: &[Name]) -> Parse<Update> {
        let start = self.span();
        let mut rdom = Vec::new();
        if self.take("rdom") {
            self.expect("(")?;
            rdom = self.list(")", |p| p.rvar(vars))?;
            self.expect("in")?;
        }
        let scope: Vec<Name> = vars.iter().copied().chain(rdom.iter().map(|r| r.var)).collect();
        self.expect("(")?;
        let lhs = self.list(")", |p| p.expr(&scope))?;
        self.expect("<-")?;
        let rhs = self.expr(&scope)?;
        let cond = if self.take("if") { self.expr(&scope)? } else { Expr::int(1) };
        Ok(Update { rdom, lhs, rhs, cond, span: self.since(start) })
    }

    fn rvar(&mut self, vars: &[Name]) -> Parse<RVar> {
        let start = self.span();
        let var = self.name("a reduction variable")?;
        self.expect("=")?;
        let domain = self.interval(vars)?;
        Ok(RVar { var, domain, span: self.since(start) })
    }

    fn interval(&mut self, scope: &[Name]) -> Parse<Interval> {
        self.expect("(")?;
        let min = self.expr(scope)?;
        self.expect(",")?;
        let len = self.expr(scope)?;
        self.expect(")")?;
        Ok(Interval { min, len })
    }

    fn expr(&mut self, scope: &[Name]) -> Parse<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong("a less deeply nested expression");
        }
        let out = self.disjunction(scope);
        self.depth -= 1;
        out
    }

    fn disjunction(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut e = self.conjunction(scope)?;
        while self.take("or") {
            e = Expr::binary(Op::Or, e, self.conjunction(scope)?);
        }
        Ok(e)
    }

    fn conjunction(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut e = self.negation(scope)?;
        while self.take("and") {
            e = Expr::binary(Op::And, e, self.negation(scope)?);
        }
        Ok(e)
    }

    fn negation(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut negations = 0;
        while self.take("not") {
            negations += 1;
        }
        let mut e = self.comparison(scope)?;
        for _ in 0..negations {
            e = Expr::op(Op::Not, [e]);
        }
        Ok(e)
    }

    fn comparison(&mut self, scope: &[Name]) -> Parse<Expr> {
        let a = self.sum(scope)?;
        let Some((_, op, negated)) = COMPARISONS.into_iter().find(|(sign, ..)| self.is_sign(sign)) else {
            return Ok(a);
        };
        self.at += 1;
        let e = Expr::binary(op, a, self.sum(scope)?);
        Ok(if negated { Expr::op(Op::Not, [e]) } else { e })
    }

    fn sum(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut e = self.product(scope)?;
        loop {
            let op = if self.take("+") {
                Op::Add
            } else if self.take("-") {
                Op::Sub
            } else {
                return Ok(e);
            };
            e = Expr::binary(op, e, self.product(scope)?);
        }
    }

    fn product(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut e = self.unary(scope)?;
        loop {
            let op = if self.take("*") {
                Op::Mul
            } else if self.take("div") {
                Op::Div
            } else if self.take("mod") {
                Op::Mod
            } else {
                return Ok(e);
            };
            e = Expr::binary(op, e, self.unary(scope)?);
        }
    }

    fn unary(&mut self, scope: &[Name]) -> Parse<Expr> {
        if !self.is_sign("-") {
            return self.primary(scope);
        }
        if matches!(self.tokens.get(self.at + 1), Some((Token::Int(_), _))) {
            return Ok(Expr::int(self.int()?));
        }
        self.at += 1;
        if let Token::Float(bits) = self.token() {
            let e = float(-f64::from_bits(*bits));
            self.at += 1;
            return Ok(e);
        }
        Ok(Expr::binary(Op::Sub, Expr::int(0), self.primary(scope)?))
    }

    fn primary(&mut self, scope: &[Name]) -> Parse<Expr> {
        if self.take("(") {
            let e = self.expr(scope)?;
            self.expect(")")?;
            return Ok(e);
        }
        if let Token::Float(bits) = self.token() {
            let e = float(f64::from_bits(*bits));
            self.at += 1;
            return Ok(e);
        }
        if let Token::Int(v) = self.token() {
            let e = Expr::int(*v);
            self.at += 1;
            return Ok(e);
        }
        let start = self.span();
        let name = self.name("an expression")?;
        let call = [Op::Select, Op::Min, Op::Max].into_iter().find(|op| op.name() == name.as_str());
        if let (Some(op), true) = (call, self.is_sign("(")) {
            self.at += 1;
            let args = self.list(")", |p| p.expr(scope))?;
            if args.len() != op.arity() {
                let why = format!("`{name}` takes {} arguments, not {}", op.arity(), args.len());
                return Err(Diagnostic::error("halide.syntax", self.since(start).0, why));
            }
            return Ok(Expr::op(op, args));
        }
        let end = if self.take("[") {
            "]"
        } else if self.take("(") {
            ")"
        } else {
            return Ok(Expr::Var(self.variable(name, scope)));
        };
        let args = self.list(end, |p| p.expr(scope))?;
        Ok(Expr::Access(Access { func: name, site: None, args: args.into(), span: self.since(start) }))
    }

    /// What a name stands for: the variables of the stage hide the parameters.
    fn variable(&self, name: Name, scope: &[Name]) -> Var {
        if !scope.contains(&name) && self.params.contains(&name) {
            Var::Param(name)
        } else {
            Var::Local(name)
        }
    }

    fn schedule(&mut self) -> Parse<Vec<(Directive, Span)>> {
        let mut out = Vec::new();
        if !self.take("schedule") {
            return Ok(out);
        }
        self.expect(":")?;
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

    fn directive(&mut self) -> Parse<Directive> {
        let start = self.span();
        let word = self.dashed()?;
        self.expect("(")?;
        let directive = self.arguments(&word, start)?;
        self.expect(")")?;
        Ok(directive)
    }

    fn arguments(&mut self, word: &str, start: Span) -> Parse<Directive> {
        Ok(match word {
            "inline" => Directive::Inline { func: self.name("a func")? },
            "specialize" => {
                let func = self.name("a func")?;
                let mut conds = Vec::new();
                while self.take(",") {
                    conds.push(self.expr(&[])?);
                }
                Directive::Specialize { func, conds }
            }
            "split" => {
                let of = self.loop_name()?;
                let outer = self.then_name()?;
                let inner = self.then_name()?;
                let factor = self.then_expr()?;
                let tail = if self.is_sign(",") { self.then_tail()? } else { Tail::Guard };
                Directive::Split { of, outer, inner, factor, tail }
            }
            "fuse" => Directive::Fuse { of: self.loop_name()?, into: self.then_name()? },
            "swap" => Directive::Swap { of: self.loop_name()? },
            "traverse" => Directive::Traverse { of: self.loop_name()?, order: self.then_order()? },
            "vectorize" => Directive::Traverse { of: self.loop_name()?, order: Order::Vectorized },
            "unroll" => Directive::Traverse { of: self.loop_name()?, order: Order::Unrolled },
            "compute-at" => Directive::ComputeAt { func: self.name("a func")?, at: self.then_loop()? },
            "store-at" => Directive::StoreAt { func: self.name("a func")?, at: self.then_loop()? },
            "compute-with" => {
                let func = self.name("a func")?;
                self.expect(",")?;
                let mut stage = 0;
                if let Token::Int(v) = self.token() {
                    let Ok(n) = usize::try_from(*v) else { return self.wrong("a stage") };
                    stage = n;
                    self.at += 1;
                    self.expect(",")?;
                }
                Directive::ComputeWith { func, stage, with: self.loop_name()? }
            }
            "bound" => {
                let (func, var) = (self.name("a func")?, self.then_name()?);
                Directive::Bound { func, var, min: self.then_expr()?, len: self.then_expr()? }
            }
            "bound-extent" => {
                let (func, var) = (self.name("a func")?, self.then_name()?);
                Directive::BoundExtent { func, var, len: self.then_expr()? }
            }
            "align-bounds" => {
                let (func, var) = (self.name("a func")?, self.then_name()?);
                let (modulus, remainder) = (self.then_expr()?, self.then_expr()?);
                Directive::AlignBounds { func, var, modulus, remainder }
            }
            other => {
                let why = format!("`{other}` is not a directive");
                return Err(Diagnostic::error("halide.syntax", self.since(start).0, why));
            }
        })
    }

    fn then_name(&mut self) -> Parse<Name> {
        self.expect(",")?;
        self.name("a variable")
    }

    fn then_expr(&mut self) -> Parse<Expr> {
        self.expect(",")?;
        self.expr(&[])
    }

    fn then_loop(&mut self) -> Parse<LoopName> {
        self.expect(",")?;
        self.loop_name()
    }

    fn then_tail(&mut self) -> Parse<Tail> {
        self.expect(",")?;
        let Some(tail) = Tail::ALL.into_iter().find(|t| self.is_word(t.name())) else {
            return self.wrong("`guard`, `shift` or `round`");
        };
        self.at += 1;
        Ok(tail)
    }

    fn then_order(&mut self) -> Parse<Order> {
        self.expect(",")?;
        if self.take("serial") {
            Ok(Order::Serial)
        } else if self.take("parallel") {
            Ok(Order::Parallel)
        } else {
            self.wrong("`serial` or `parallel`")
        }
    }

    /// `<f, i, j, v>`; stage and specialization are 0 when they are left out.
    fn loop_name(&mut self) -> Parse<LoopName> {
        self.expect("<")?;
        let func = self.name("a func")?;
        let mut numbers = Vec::new();
        self.expect(",")?;
        while let Token::Int(v) = self.token() {
            let Ok(n) = usize::try_from(*v) else { return self.wrong("a stage") };
            numbers.push(n);
            self.at += 1;
            self.expect(",")?;
        }
        let number = |i: usize| numbers.get(i).copied().unwrap_or(0);
        let site = Site { func, stage: number(0), spec: number(1) };
        let var = self.name("a loop variable")?;
        self.expect(">")?;
        Ok(LoopName { site, var })
    }

    fn realize(&mut self, algorithm: &Algorithm) -> Parse<Option<Input>> {
        let start = self.span();
        if !self.take("realize") {
            return Ok(None);
        }
        self.expect("(")?;
        let mut window = Vec::new();
        while self.is_sign("(") {
            self.expect("(")?;
            let min = self.int()?;
            self.expect(",")?;
            let len = self.int()?;
            self.expect(")")?;
            window.push((min, len));
            if !self.take(",") {
                break;
            }
        }
        let mut given: Vec<(Name, i64)> = Vec::new();
        if self.take(";") {
            while !self.is_sign(")") {
                let p = self.name("a parameter")?;
                self.expect("=")?;
                given.push((p, self.int()?));
                if !self.take(",") {
                    break;
                }
            }
        }
        self.expect(")")?;
        let wrong = |why: String| Err(Diagnostic::error("halide.realize", start, why));
        let mut params = Vec::new();
        for p in &algorithm.params {
            match given.iter().find(|(q, _)| q == p) {
                Some((_, v)) => params.push(*v),
                None => return wrong(format!("parameter `{p}` has no value")),
            }
        }
        if let Some((p, _)) = given.iter().find(|(p, _)| !algorithm.params.contains(p)) {
            return wrong(format!("the pipeline has no parameter `{p}`"));
        }
        let rank = algorithm.output_func().map_or(window.len(), |f| f.vars.len());
        if window.len() != rank {
            return wrong(format!("the output has {rank} dimensions, the window {}", window.len()));
        }
        if window.iter().any(|(_, len)| *len < 0) {
            return wrong("a window has no negative length".to_owned());
        }
        Ok(Some(Input { params, window }))
    }
}

fn float(v: f64) -> Expr {
    Expr::Const(Value::Float(Float::new(Precision::Double, v)))
}

//! The parser: recursive descent, one place per error, a bound on nesting.

use super::lex::{Token, TokenKind, lex};
use super::{
    Arm, Constructor, Expr, ExprKind, Field, File, Fun, Op, Param, Pattern, PatternKind, Stmt, TypeDecl,
};
use crate::deep;
use rewright_base::diag::Diagnostic;
use rewright_base::span::{FileId, Span};
use rewright_base::sym::Name;

/// How deep a program may be nested.
pub const MAX_DEPTH: usize = 1_000;
/// How many statements a block may have.
const MAX_STATEMENTS: usize = 5_000;

type Parsed<T> = Result<T, Diagnostic>;

/// Reads a file.
///
/// # Errors
/// The first thing that is no program, and where.
pub fn parse(file: FileId, text: &str) -> Parsed<File> {
    let tokens = lex(file, text)?;
    let mut p = Parser { tokens: &tokens, at: 0, depth: 0 };
    let mut out = File::default();
    while p.peek().kind != TokenKind::End {
        if p.eat("type") {
            out.types.push(p.type_decl()?);
        } else if p.eat("fun") {
            out.funs.push(p.fun()?);
        } else if !p.eat(";") {
            return p.expected("`type` or `fun`");
        }
    }
    Ok(out)
}

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    depth: usize,
}

impl<'t> Parser<'_, 't> {
    fn peek(&self) -> Token<'t> {
        let last = self.tokens.len() - 1;
        *self.tokens.get(self.at.min(last)).expect("the end is a token")
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// Whether a keyword or sign is next.
    fn sees(&self, text: &str) -> bool {
        let t = self.peek();
        matches!(t.kind, TokenKind::Keyword | TokenKind::Sign) && t.text == text
    }

    fn eat(&mut self, text: &str) -> bool {
        let there = self.sees(text);
        self.at += usize::from(there);
        there
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let t = self.peek();
        let found =
            if t.kind == TokenKind::End { "the end of the file".to_owned() } else { format!("`{}`", t.text) };
        Err(Diagnostic::error("perceus.syntax", t.span, format!("expected {what}, found {found}")))
    }

    fn need(&mut self, text: &str) -> Parsed<Span> {
        let span = self.peek().span;
        if self.eat(text) { Ok(span) } else { self.expected(&format!("`{text}`")) }
    }

    fn word(&mut self, kind: TokenKind, what: &str) -> Parsed<(Name, Span)> {
        if self.peek().kind != kind {
            return self.expected(what);
        }
        let t = self.next();
        Ok((Name::new(t.text), t.span))
    }

    /// Items between brackets, separated by commas.
    fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            self.few(items.len(), MAX_DEPTH)?;
            items.push(item(self)?);
            if !self.eat(",") && !self.sees(close) {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
        Ok(items)
    }

    /// What stands in a row ends with its line, with `;`, or before `}`.
    fn ended(&mut self) -> Parsed<()> {
        if !self.sees(";") && !self.sees("}") && !self.peek().starts_line {
            return self.expected("`;` or a new line");
        }
        while self.eat(";") {}
        Ok(())
    }

    /// Refuses one more of what there are already too many of in a row.
    fn few(&self, count: usize, most: usize) -> Parsed<()> {
        if count < most {
            return Ok(());
        }
        let what = format!("there are more than {most} of these in a row");
        Err(Diagnostic::error("perceus.syntax", self.peek().span, what))
    }

    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let what = format!("this is nested more than {MAX_DEPTH} deep");
            return Err(Diagnostic::error("perceus.syntax", self.peek().span, what));
        }
        self.depth += 1;
        let out = deep(|| part(self));
        self.depth -= 1;
        out
    }

    /// A type, which means nothing: `list<a>`, `(a, b) -> e c`.
    fn skip_type(&mut self) -> Parsed<()> {
        self.nested(|p| {
            let mut any = false;
            loop {
                if p.peek().kind == TokenKind::Name && !(any && p.peek().starts_line) {
                    p.next();
                    if p.eat("<") {
                        p.list(">", Parser::skip_type)?;
                    }
                } else if p.sees("(") && !(any && p.peek().starts_line) {
                    p.next();
                    p.list(")", Parser::skip_type)?;
                } else if any && p.eat("->") {
                    return p.skip_type();
                } else if any {
                    return Ok(());
                } else {
                    return p.expected("a type");
                }
                any = true;
            }
        })
    }

    fn annotation(&mut self) -> Parsed<()> {
        if self.eat(":") { self.skip_type() } else { Ok(()) }
    }

    fn type_decl(&mut self) -> Parsed<TypeDecl> {
        let (name, span) = self.word(TokenKind::Name, "the name of a type")?;
        if self.eat("<") {
            self.list(">", |p| p.word(TokenKind::Name, "a type variable"))?;
        }
        self.need("{")?;
        let mut constructors = Vec::new();
        while !self.eat("}") {
            if self.eat(";") {
                continue;
            }
            let (name, span) = self.word(TokenKind::Con, "a constructor or `}`")?;
            let fields = if self.eat("(") { self.list(")", Parser::field)? } else { Vec::new() };
            constructors.push(Constructor { name, fields, span });
            self.ended()?;
        }
        Ok(TypeDecl { name, constructors, span })
    }

    fn field(&mut self) -> Parsed<Field> {
        let (name, span) = self.word(TokenKind::Name, "the name of a field")?;
        self.annotation()?;
        Ok(Field { name, span })
    }

    fn fun(&mut self) -> Parsed<Fun> {
        let (name, span) = self.word(TokenKind::Name, "the name of a function")?;
        let params = self.params()?;
        self.annotation()?;
        let body = self.block()?;
        Ok(Fun { name, params, body, span })
    }

    fn params(&mut self) -> Parsed<Vec<Param>> {
        self.need("(")?;
        self.list(")", |p| {
            let param = p.param()?;
            p.annotation()?;
            Ok(param)
        })
    }

    fn param(&mut self) -> Parsed<Param> {
        let span = self.peek().span;
        if self.eat("_") {
            return Ok(Param { name: None, span });
        }
        let (name, span) = self.word(TokenKind::Name, "a name or `_`")?;
        Ok(Param { name: Some(name), span })
    }

    /// `{ val x = e; e; … e }`
    fn block(&mut self) -> Parsed<Expr> {
        let open = self.need("{")?;
        self.nested(|p| {
            let mut stmts = Vec::new();
            loop {
                while p.eat(";") {}
                p.few(stmts.len(), MAX_STATEMENTS)?;
                let span = p.peek().span;
                if p.eat("val") {
                    let bound = p.param()?;
                    p.annotation()?;
                    p.need("=")?;
                    stmts.push(Stmt { bound, value: p.expr()? });
                    p.ended()?;
                    continue;
                }
                let value = p.expr()?;
                p.ended()?;
                let end = p.peek().span;
                if p.eat("}") {
                    if stmts.is_empty() {
                        return Ok(value);
                    }
                    return Ok(Expr { kind: ExprKind::Block(stmts, Box::new(value)), span: open.to(end) });
                }
                stmts.push(Stmt { bound: Param { name: None, span }, value });
            }
        })
    }

    fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let left = p.binary(0)?;
            if !p.eat(":=") {
                return Ok(left);
            }
            let right = p.expr()?;
            let span = left.span.to(right.span);
            Ok(Expr { kind: ExprKind::Set(Box::new(left), Box::new(right)), span })
        })
    }

    /// What binds tighter than a level.
    fn binary(&mut self, above: u8) -> Parsed<Expr> {
        let mut left = self.postfix()?;
        let mut count = 0;
        while let Some(op) = self.operator().filter(|op| op.level() > above) {
            self.few(count, MAX_DEPTH)?;
            count += 1;
            self.next();
            let right = self.nested(|p| p.binary(op.level()))?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Op(op, Box::new(left), Box::new(right)), span };
            if op.level() == Op::Eq.level() && self.operator().is_some_and(|next| next.level() == op.level())
            {
                return self.expected("brackets around one of two comparisons");
            }
        }
        Ok(left)
    }

    /// The operator that is next. A `-` at the start of a line begins something new.
    fn operator(&self) -> Option<Op> {
        let t = self.peek();
        let op = Op::ALL.into_iter().find(|op| t.kind == TokenKind::Sign && op.text() == t.text)?;
        (op != Op::Sub || !t.starts_line).then_some(op)
    }

    /// Calls, and `!`, which is looser. A bracket at the start of a line begins something new.
    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        if self.eat("!") {
            let e = self.nested(Parser::postfix)?;
            let span = start.to(e.span);
            return Ok(Expr { kind: ExprKind::Get(Box::new(e)), span });
        }
        let mut e = self.atom()?;
        let mut calls = 0;
        while self.sees("(") && !self.peek().starts_line {
            self.next();
            let args = self.list(")", Parser::expr)?;
            let span = e.span.to(self.last_span());
            self.few(calls, MAX_DEPTH)?;
            calls += 1;
            e = Expr { kind: ExprKind::Call(Box::new(e), args), span };
        }
        Ok(e)
    }

    fn last_span(&self) -> Span {
        self.tokens.get(self.at.saturating_sub(1)).map_or(Span::NONE, |t| t.span)
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let t = self.peek();
        let made = |kind, span| Ok(Expr { kind, span });
        match (t.kind, t.text) {
            (TokenKind::Name, _) => {
                self.next();
                made(ExprKind::Var(Name::new(t.text)), t.span)
            }
            (TokenKind::Con, _) => {
                self.next();
                let has_args = self.sees("(") && !self.peek().starts_line;
                self.at += usize::from(has_args);
                let args = if has_args { self.list(")", Parser::expr)? } else { Vec::new() };
                made(ExprKind::Con(Name::new(t.text), args), t.span.to(self.last_span()))
            }
            (TokenKind::Int, _) => self.int(false),
            (TokenKind::Sign, "-") => {
                self.next();
                self.int(true)
            }
            (TokenKind::Sign, "(") => {
                self.next();
                if self.eat(")") {
                    return made(ExprKind::Con(Name::new("Unit"), Vec::new()), t.span.to(self.last_span()));
                }
                let e = self.expr()?;
                self.need(")")?;
                Ok(e)
            }
            (TokenKind::Sign, "{") => self.block(),
            (TokenKind::Keyword, "fn") => {
                self.next();
                let params = self.params()?;
                let body = self.expr()?;
                let span = t.span.to(body.span);
                made(ExprKind::Fn(params, Box::new(body)), span)
            }
            (TokenKind::Keyword, "if") => self.conditional(),
            (TokenKind::Keyword, "match") => self.matching(),
            (TokenKind::Keyword, "ref") => {
                self.next();
                self.need("(")?;
                let e = self.expr()?;
                self.need(")")?;
                made(ExprKind::Ref(Box::new(e)), t.span.to(self.last_span()))
            }
            (TokenKind::Keyword, "throw") => {
                self.next();
                let e = self.expr()?;
                let span = t.span.to(e.span);
                made(ExprKind::Throw(Box::new(e)), span)
            }
            (TokenKind::Keyword, "try") => self.trying(),
            _ => self.expected("an expression"),
        }
    }

    fn int(&mut self, negative: bool) -> Parsed<Expr> {
        let t = self.peek();
        if t.kind != TokenKind::Int {
            return self.expected("a number");
        }
        self.next();
        let text = if negative { format!("-{}", t.text) } else { t.text.to_owned() };
        match text.parse() {
            Ok(n) => Ok(Expr { kind: ExprKind::Int(n), span: t.span }),
            Err(_) => Err(Diagnostic::error("perceus.syntax", t.span, "this number needs more than 64 bits")),
        }
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let cond = self.expr()?;
        self.need("then")?;
        let yes = self.expr()?;
        let no = if self.sees("elif") {
            self.nested(Parser::conditional)?
        } else {
            self.need("else")?;
            self.expr()?
        };
        let span = start.to(no.span);
        Ok(Expr { kind: ExprKind::If(Box::new(cond), Box::new(yes), Box::new(no)), span })
    }

    fn trying(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let body = self.block()?;
        self.need("catch")?;
        let x = self.param()?;
        let handler = self.block()?;
        let span = start.to(self.last_span());
        Ok(Expr { kind: ExprKind::Try(Box::new(body), x, Box::new(handler)), span })
    }

    fn matching(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        self.need("(")?;
        let scrutinee = self.expr()?;
        self.need(")")?;
        self.need("{")?;
        let mut arms = Vec::new();
        while !self.eat("}") {
            if self.eat(";") || self.eat(",") {
                continue;
            }
            self.few(arms.len(), MAX_DEPTH)?;
            let pattern = self.pattern()?;
            // As in Koka, `->` may be left out before a block.
            let body = if self.sees("{") {
                self.block()?
            } else {
                self.need("->")?;
                self.expr()?
            };
            arms.push(Arm { pattern, body });
            if !self.eat(",") {
                self.ended()?;
            }
        }
        let span = start.to(self.last_span());
        Ok(Expr { kind: ExprKind::Match(Box::new(scrutinee), arms), span })
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(|p| {
            let t = p.peek();
            let kind = match (t.kind, t.text) {
                (TokenKind::Sign, "_") => {
                    p.next();
                    PatternKind::Wild
                }
                (TokenKind::Name, _) => {
                    p.next();
                    PatternKind::Var(Name::new(t.text))
                }
                (TokenKind::Con, _) => {
                    p.next();
                    let args = if p.eat("(") { p.list(")", Parser::pattern)? } else { Vec::new() };
                    PatternKind::Con(Name::new(t.text), args)
                }
                (TokenKind::Int, _) => {
                    return Err(Diagnostic::error("perceus.syntax", t.span, "a number is no pattern")
                        .help("compare with `==`"));
                }
                _ => return p.expected("a pattern or `}`"),
            };
            Ok(Pattern { kind, span: t.span.to(p.last_span()) })
        })
    }
}

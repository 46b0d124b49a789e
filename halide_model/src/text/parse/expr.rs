//! Expressions.

use super::super::lex::Token;
use super::{Parse, Parser};
use crate::expr::{Access, Expr, Interval, Var};
use crate::float::{Float, Precision};
use crate::op::Op;
use crate::value::Value;
use rewright_base::diag::Diagnostic;
use rewright_base::sym::Name;

/// How deeply expressions may be nested.
const MAX_DEPTH: usize = 200;

/// How many operators an expression may have: a sum is as deep a tree as it has terms, and trees are walked recursively.
const MAX_OPERATORS: usize = 5_000;

/// Comparisons, and whether they stand for a negation.
const COMPARISONS: [(&str, Op, bool); 6] = [
    ("<=", Op::Gt, true),
    (">=", Op::Lt, true),
    ("!=", Op::Eq, true),
    ("<", Op::Lt, false),
    (">", Op::Gt, false),
    ("=", Op::Eq, false),
];

/// Operators of other languages, and what is meant.
const FOREIGN: [(&str, &str); 7] = [
    ("/", "the quotient is `a div b`, rounded so that the remainder is not negative"),
    ("%", "the remainder is `a mod b`, never negative"),
    ("==", "equality is `a = b`"),
    ("&&", "the conjunction is `a and b`"),
    ("||", "the disjunction is `a or b`"),
    ("!", "the negation is `not a`"),
    ("?", "a choice is `select(c, a, b)`"),
];

impl Parser {
    pub(super) fn interval(&mut self, scope: &[Name]) -> Parse<Interval> {
        self.eat("(")?;
        let min = self.expr(scope)?;
        self.eat(",")?;
        let len = self.expr(scope)?;
        self.eat(")")?;
        Ok(Interval { min, len })
    }

    pub(super) fn expr(&mut self, scope: &[Name]) -> Parse<Expr> {
        if self.depth == 0 {
            self.operators = 0;
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong("a less deeply nested expression");
        }
        let out = self.disjunction(scope);
        self.depth -= 1;
        self.no_foreign_operator()?;
        out
    }

    /// Takes an operator if it stands here, and counts it.
    fn operator(&mut self, sign: &str) -> Parse<bool> {
        let found = self.take(sign);
        self.operators += usize::from(found);
        if self.operators > MAX_OPERATORS {
            let why = format!("an expression has at most {MAX_OPERATORS} operators");
            let help = "name parts of it: a func of its own for each";
            return Err(Diagnostic::error("halide.syntax", self.span(), why).help(help));
        }
        Ok(found)
    }

    /// What follows an expression is no operator of another language.
    fn no_foreign_operator(&self) -> Parse<()> {
        let found = FOREIGN.into_iter().find(|(sign, _)| self.is_sign(sign));
        found.map_or(Ok(()), |(sign, help)| {
            let why = format!("`{sign}` is not an operator of this language");
            Err(Diagnostic::error("halide.syntax", self.span(), why).help(help))
        })
    }

    fn disjunction(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut e = self.conjunction(scope)?;
        while self.operator("or")? {
            e = Expr::binary(Op::Or, e, self.conjunction(scope)?);
        }
        Ok(e)
    }

    fn conjunction(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut e = self.negation(scope)?;
        while self.operator("and")? {
            e = Expr::binary(Op::And, e, self.negation(scope)?);
        }
        Ok(e)
    }

    fn negation(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut negations = 0;
        while self.operator("not")? {
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
        self.operators += 1;
        let e = Expr::binary(op, a, self.sum(scope)?);
        Ok(if negated { Expr::op(Op::Not, [e]) } else { e })
    }

    fn sum(&mut self, scope: &[Name]) -> Parse<Expr> {
        let mut e = self.product(scope)?;
        loop {
            let op = if self.operator("+")? {
                Op::Add
            } else if self.operator("-")? {
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
            let op = if self.operator("*")? {
                Op::Mul
            } else if self.operator("div")? {
                Op::Div
            } else if self.operator("mod")? {
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
            self.eat(")")?;
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
}

fn float(v: f64) -> Expr {
    Expr::Const(Value::Float(Float::new(Precision::Double, v)))
}

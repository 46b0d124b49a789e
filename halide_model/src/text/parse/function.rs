//! Casts and functions, and what is named for the rest of an expression.

use super::expr::mismatch;
use super::{Parse, Parser};
use crate::expr::Expr;
use crate::op::Op;
use crate::op::math::Math;
use crate::promote::Boundary;
use crate::typed::Scalar;
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;

impl Parser {
    /// `let x = e in e`: each `x` stands for the first expression.
    pub(super) fn let_in(&mut self, scope: &[Name]) -> Parse<Expr> {
        self.eat("let")?;
        let name = self.name("a name")?;
        self.eat("=")?;
        let value = self.expr(scope)?;
        self.eat("in")?;
        self.lets.push((name, value));
        let body = self.expr(scope);
        self.lets.pop();
        let body = body?;
        if body.size() > super::expr::MAX_OPERATORS {
            return self.wrong("an expression that is smaller where its lets stand for their values");
        }
        Ok(body)
    }

    /// A cast or a function, if that is what the name is, and no func.
    pub(super) fn function(&mut self, name: Name, start: Span, scope: &[Name]) -> Parse<Option<Expr>> {
        if !self.is_sign("(") || self.known.contains(&name) {
            return Ok(None);
        }
        if let Some(e) = self.several(name, start, scope)? {
            return Ok(Some(e));
        }
        if let Some(kind) = Boundary::ALL.into_iter().find(|b| b.name() == name.as_str())
            && self.types.is_some()
        {
            return self.bounded(kind, start, scope).map(Some);
        }
        if name.as_str() == "saturating_cast" && self.types.is_some() {
            return self.saturating_cast(scope).map(Some);
        }
        if let Some(to) = Scalar::of_name(name.as_str()) {
            self.eat("(")?;
            let e = self.expr(scope)?;
            self.eat(")")?;
            return Ok(Some(match &self.types {
                Some(types) => types.cast(to, e),
                None => Expr::op(Op::Cast(to), [e]),
            }));
        }
        let before = self.at;
        let op = primitive(name.as_str());
        if self.types.is_none() && op.is_none() {
            return Ok(None);
        }
        self.eat("(")?;
        let args = self.list(")", |p| p.expr(scope))?;
        let found = match (&self.types, op) {
            (Some(types), _) => {
                types.function(name.as_str(), &args).map_err(|w| mismatch(w, self.since(start).0))?
            }
            (None, Some(op)) if args.len() == op.arity() => Some(Expr::op(op, args)),
            (None, _) => None,
        };
        match (found, op) {
            (Some(e), _) => Ok(Some(e)),
            (None, Some(op)) => {
                let why = format!("`{name}` takes {} arguments, another number is given", op.arity());
                Err(Diagnostic::error("halide.syntax", self.since(start).0, why))
            }
            (None, None) => {
                self.at = before;
                Ok(None)
            }
        }
    }

    /// `repeat_edge(f, (m, n), …)[e, …]`: what is read of `f` where it is given in this box alone.
    fn bounded(&mut self, kind: Boundary, start: Span, scope: &[Name]) -> Parse<Expr> {
        self.eat("(")?;
        let of = self.name("a func or an input")?;
        let mut value = None;
        if kind == Boundary::ConstantExterior {
            self.eat(",")?;
            value = Some(self.expr(&[])?);
        }
        let mut inner = Vec::new();
        while self.take(",") {
            inner.push(self.interval(&[])?);
        }
        self.eat(")")?;
        self.eat("[")?;
        let at = self.list("]", |p| p.index(scope))?;
        let types = self.types.clone().unwrap_or_default();
        let found = types.bounded(kind, of, value.as_ref(), &inner, &at);
        found.map_err(|w| mismatch(w, self.since(start).0))
    }

    fn saturating_cast(&mut self, scope: &[Name]) -> Parse<Expr> {
        self.eat("(")?;
        let to = self.scalar()?;
        self.eat(",")?;
        let e = self.expr(scope)?;
        self.eat(")")?;
        Ok(self.types.as_ref().map_or(e.clone(), |t| t.saturating_cast(to, &e)))
    }
}

/// The operation that is written as a call.
fn primitive(name: &str) -> Option<Op> {
    let plain = [Op::Select, Op::Min, Op::Max, Op::Abs];
    let math = Math::all().into_iter().map(Op::Math);
    plain.into_iter().chain(math).find(|op| op.name() == name)
}

//! What funcs hold: one value or several. Spec: [rule: halide.tuple].

use super::super::lex::Token;
use super::expr::mismatch;
use super::{Parse, Parser};
use crate::alg::tuple;
use crate::expr::Expr;
use crate::op::Op;
use crate::typed::Scalar;
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;

impl Parser {
    /// `: uint8` or `: (int32, uint8)`, if it stands here.
    pub(super) fn given_types(&mut self) -> Parse<Option<Vec<Scalar>>> {
        if !self.take(":") {
            return Ok(None);
        }
        if self.take("(") {
            return self.list(")", Parser::scalar).map(Some);
        }
        Ok(Some(vec![self.scalar()?]))
    }

    /// What a func holds: one value, or several.
    pub(super) fn holds(
        &self,
        name: Name,
        start: Span,
        pure: &Expr,
        given: Option<Vec<Scalar>>,
    ) -> Parse<(Scalar, Vec<Scalar>)> {
        let count = if let Expr::Op(Op::Tuple(n), _) = pure { Some(*n) } else { None };
        let found = match &self.types {
            Some(types) => Some(types.values(pure).map_err(|w| mismatch(w, self.since(start).0))?),
            None => None,
        };
        let untyped = || vec![Scalar::Integer; count.unwrap_or(1)];
        let types = found.clone().or_else(|| given.clone()).unwrap_or_else(untyped);
        let fits = given.is_none_or(|given| given == types) && types.len() == count.unwrap_or(1);
        if !fits {
            let shown: Vec<String> = types.iter().map(Scalar::to_string).collect();
            let why = format!("the value of func `{name}` is of type {}", shown.join(", "));
            return Err(Diagnostic::error("halide.type", self.since(start).0, why));
        }
        match (count, types.first()) {
            (None, Some(one)) => Ok((*one, Vec::new())),
            (None, None) | (Some(_), _) => Ok((Scalar::Integer, types)),
        }
    }

    /// The value of an update has the type of its func.
    pub(super) fn updated(&self, start: Span, rhs: &Expr, scalar: Scalar, parts: &[Scalar]) -> Parse<()> {
        let Some(types) = &self.types else { return Ok(()) };
        let found = types.values(rhs).map_err(|w| mismatch(w, self.since(start).0))?;
        let one = [scalar];
        let wanted = if parts.is_empty() { &one } else { parts };
        // Another number of values is what validity speaks of.
        match wanted.iter().zip(&found).find(|(a, b)| a != b).filter(|_| wanted.len() == found.len()) {
            Some((wanted, found)) => {
                let why = format!("a func of type {wanted} is updated with a value of type {found}");
                Err(Diagnostic::error("halide.type", self.since(start).0, why))
            }
            None => Ok(()),
        }
    }

    /// `tuple(e, …)` and `elem(k, f[e])`, if that is what the name is, and no func.
    pub(super) fn several(&mut self, name: Name, start: Span, scope: &[Name]) -> Parse<Option<Expr>> {
        match name.as_str() {
            "tuple" => {
                self.eat("(")?;
                Ok(Some(tuple(self.list(")", |p| p.expr(scope))?)))
            }
            "elem" => {
                self.eat("(")?;
                let Token::Int(k) = self.token() else { return self.wrong("the number of a value") };
                let Some(k) = k.to_i64().and_then(|k| usize::try_from(k).ok()) else {
                    return self.wrong("the number of a value");
                };
                self.at += 1;
                self.eat(",")?;
                let call = self.expr(scope)?;
                self.eat(")")?;
                match &self.types {
                    Some(types) => {
                        types.element(k, &call).map(Some).map_err(|w| mismatch(w, self.since(start).0))
                    }
                    None => Ok(Some(Expr::op(Op::Elem(k), [call]))),
                }
            }
            _ => Ok(None),
        }
    }
}

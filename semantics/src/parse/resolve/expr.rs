//! Expressions, and whether an integer literal is control or data. Spec: [rule: expr.literal],
//! [rule: expr.negation], [rule: expr.not], [rule: expr.binary].

use super::super::Refusal;
use super::super::error::{SyntaxErrorKind, UnknownCallee};
use super::super::tree::{self, Constant, Coord, Ident};
use super::Resolver;
use super::globals::Callee;
use super::scope::Variable;
use crate::ast::{BinOp, Config, Decimal, Expr, ExprKind, Literal};
use crate::span::Span;
use crate::sym::{Name, Sym};
use crate::types::{ArgType, FieldType};
use num_bigint::BigInt;
use std::sync::Arc;

/// What an expression is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// An index, a bound, a guard: integers are control.
    Control,
    /// A value: integers are data.
    Data,
}

impl Resolver<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, e: &tree::Expr, want: Want) -> Option<Expr> {
        let span = e.span;
        let kind = match &e.kind {
            tree::ExprKind::Broken => return None,
            tree::ExprKind::Name(name) => return self.name(*name, span, want),
            tree::ExprKind::Index(base, coords) => self.indexed(base, coords, span)?,
            tree::ExprKind::Int(value) => ExprKind::Lit(match want {
                Want::Control => Literal::Int(*value),
                Want::Data => Literal::Data(Decimal::integer(*value)),
            }),
            tree::ExprKind::Long(value) => return self.integer(value, span, want),
            tree::ExprKind::Float(value) => ExprKind::Lit(Literal::Data(value.clone())),
            tree::ExprKind::Bool(value) => ExprKind::Lit(Literal::Bool(*value)),
            tree::ExprKind::Neg(operand) => ExprKind::Neg(Arc::new(self.expr(operand, want)?)),
            tree::ExprKind::Not(operand) => ExprKind::Not(Arc::new(self.expr(operand, Want::Control)?)),
            tree::ExprKind::Bin(op, lhs, rhs) => {
                let lhs = self.expr(lhs, want);
                let rhs = self.expr(rhs, want);
                ExprKind::Bin { op: *op, lhs: Arc::new(lhs?), rhs: Arc::new(rhs?) }
            }
            tree::ExprKind::Chain(first, rest) => return self.chain(first, rest, span),
            tree::ExprKind::Field(part) => {
                let (config, field) = part.as_ref();
                let (config, field, _) = self.config_field(config, field)?;
                ExprKind::ReadConfig { config, field }
            }
            tree::ExprKind::Call(func, args) => return self.call_expr(func, args, span),
        };
        Some(Expr::at(kind, span))
    }

    /// Several expressions; all are looked at before the first error counts.
    pub(super) fn exprs(&mut self, es: &[tree::Expr], want: Want) -> Option<Arc<[Expr]>> {
        if es.is_empty() {
            return Some([].into());
        }
        collect_all(es, |e| self.expr(e, want))
    }

    /// The variable of a name. A name without a binding is reported once in a procedure.
    pub(super) fn variable(&mut self, x: &Ident) -> Option<Variable> {
        match self.scope.get(x.name) {
            Some(found) => Some(found.clone()),
            None => self.unbound(x),
        }
    }

    /// The symbol of a name.
    fn symbol(&mut self, x: &Ident) -> Option<Sym> {
        match self.scope.get(x.name) {
            Some(Variable::Buffer(buffer)) => Some(buffer.sym),
            Some(Variable::Control(sym)) => Some(*sym),
            Some(Variable::Broken) => None,
            None => self.unbound(x),
        }
    }

    /// Reports a name without a binding. Spec: [rule: name.unbound].
    fn unbound<T>(&mut self, x: &Ident) -> Option<T> {
        let near = self.scope.near(x.name);
        if !self.globals.is_broken(x.name) {
            self.report(x.span, SyntaxErrorKind::Unbound { name: x.name, near });
        }
        self.scope.bind_outermost(x.name, Variable::Broken);
        None
    }

    /// `x`: a variable or a constant.
    fn name(&mut self, name: Name, span: Span, want: Want) -> Option<Expr> {
        if self.scope.get(name).is_none()
            && let Some(value) = self.globals.consts.get(&name)
        {
            return self.constant(&value.clone(), span, want);
        }
        Some(read(self.symbol(&Ident { name, span })?, span))
    }

    /// A constant's value.
    fn constant(&mut self, value: &Constant, span: Span, want: Want) -> Option<Expr> {
        match value {
            Constant::Int(n) => self.integer(n, span, want),
            Constant::Float(x) => Some(Expr::at(ExprKind::Lit(Literal::Data(x.clone())), span)),
            Constant::Bool(b) => Some(Expr::at(ExprKind::Lit(Literal::Bool(*b)), span)),
            Constant::Text(_) => {
                self.report(
                    span,
                    SyntaxErrorKind::Expression(Refusal {
                        what: "this constant is a string",
                        instead: "strings are for `@instr` only",
                    }),
                );
                None
            }
        }
    }

    /// An integer literal.
    fn integer(&mut self, value: &BigInt, span: Span, want: Want) -> Option<Expr> {
        let literal = match (want, i64::try_from(value)) {
            (Want::Data, _) => Literal::Data(Decimal::integer(value.clone())),
            (Want::Control, Ok(value)) => Literal::Int(value),
            (Want::Control, Err(_)) => {
                self.report(
                    span,
                    SyntaxErrorKind::Literal(Refusal {
                        what: "this literal does not fit a control integer",
                        instead: "control integers lie between -2^63 and 2^63 - 1",
                    }),
                );
                return None;
            }
        };
        Some(Expr::at(ExprKind::Lit(literal), span))
    }

    /// `x[i, j]` as a value: a cell, or a window where it is written as one. Spec: [rule: expr.read].
    fn indexed(&mut self, base: &Ident, coords: &[Coord], span: Span) -> Option<ExprKind> {
        if coords.iter().any(Coord::is_range) {
            return self.window(base, coords, span).map(ExprKind::Window);
        }
        let name = self.symbol(base);
        let idx = collect_all(coords, |coord| match coord {
            Coord::Point(e) => self.expr(e, Want::Control),
            Coord::Range(..) => None,
        });
        Some(ExprKind::Read { name: name?, idx: idx? })
    }

    /// `a <= b < c` as `a <= b and b < c`. The operands in the middle occur twice.
    /// Spec: [rule: expr.chain].
    fn chain(&mut self, first: &tree::Expr, rest: &[(BinOp, tree::Expr)], span: Span) -> Option<Expr> {
        let mut operands = vec![self.expr(first, Want::Control)];
        for (at, (_, operand)) in rest.iter().enumerate() {
            if at + 1 < rest.len() && has_chain(operand) {
                self.report(
                    operand.span,
                    SyntaxErrorKind::Expression(Refusal {
                        what: "chains of comparisons do not nest",
                        instead: "write the outer chain out with `and`",
                    }),
                );
                return None;
            }
            operands.push(self.expr(operand, Want::Control));
        }
        let operands: Option<Vec<Expr>> = operands.into_iter().collect();
        let operands = operands?;
        let links = rest.iter().zip(operands.windows(2)).filter_map(|((op, _), pair)| match pair {
            [lhs, rhs] => {
                let span = lhs.span.to(rhs.span);
                Some(bin(*op, lhs.clone(), rhs.clone(), span))
            }
            _ => None,
        });
        links.reduce(|all, link| bin(BinOp::And, all, link, span))
    }

    /// The class and the field of `Cfg.field`, and what may be written there. Spec:
    /// [rule: expr.read-config], [rule: name.unknown-field].
    pub(super) fn config_field(
        &mut self,
        config: &Ident,
        field: &Ident,
    ) -> Option<(Arc<Config>, Name, Want)> {
        let Some(found) = self.globals.config(config.name).cloned() else {
            if !self.globals.is_broken(config.name) {
                self.report(config.span, SyntaxErrorKind::UnknownConfig(config.name));
            }
            return None;
        };
        match found.field(field.name).map(|f| f.typ) {
            Some(FieldType::Control(_)) => Some((found, field.name, Want::Control)),
            Some(FieldType::Data(_)) => Some((found, field.name, Want::Data)),
            None => {
                if !self.globals.is_broken_field(found.name, field.name) {
                    let known = found.fields.iter().map(|f| f.name).collect();
                    let kind = SyntaxErrorKind::UnknownField { config: found.name, field: field.name, known };
                    self.report(field.span, kind);
                }
                None
            }
        }
    }

    /// `f(e, …)` as a value: `stride`, or an extern. Spec: [rule: expr.extern], [rule: name.unknown-extern].
    fn call_expr(&mut self, func: &Ident, args: &[tree::Expr], span: Span) -> Option<Expr> {
        if func.name.as_str() == "stride" {
            return self.stride(args, span);
        }
        let found = self.globals.extern_of(func.name, args.len());
        if found.is_none() {
            match self.globals.callee(func.name, self.current) {
                Ok(Callee::Known(_)) => {
                    let kind =
                        SyntaxErrorKind::UnknownProcedure { name: func.name, why: UnknownCallee::AsValue };
                    self.report(func.span, kind);
                }
                Ok(Callee::Broken) => {}
                Err(_) => self.report(func.span, SyntaxErrorKind::UnknownExtern(func.name)),
            }
        }
        let args = self.exprs(args, Want::Data);
        Some(Expr::at(ExprKind::Extern { func: found?, args: args? }, span))
    }

    /// `stride(x, d)`. Spec: [rule: expr.stride].
    fn stride(&mut self, args: &[tree::Expr], span: Span) -> Option<Expr> {
        const FORM: Refusal = Refusal {
            what: "`stride` takes a buffer and the number of a dimension",
            instead: "write `stride(x, 0)`",
        };
        let [buffer, dim] = args else {
            self.report(span, SyntaxErrorKind::Expression(FORM));
            return None;
        };
        let tree::ExprKind::Name(name) = &buffer.kind else {
            self.report(buffer.span, SyntaxErrorKind::Expression(FORM));
            return None;
        };
        let dim = self.literal(dim)?;
        let variable = self.variable(&Ident { name: *name, span: buffer.span })?;
        let Some(dim) = dim else {
            self.report(args.last().map_or(span, |e| e.span), SyntaxErrorKind::Expression(FORM));
            return None;
        };
        match variable {
            Variable::Buffer(buffer) => Some(Expr::at(ExprKind::Stride { name: buffer.sym, dim }, span)),
            Variable::Control(_) => {
                self.report(buffer.span, SyntaxErrorKind::NotABuffer(*name));
                None
            }
            Variable::Broken => None,
        }
    }

    /// The number that a literal or a constant is, where it counts something.
    fn literal(&self, e: &tree::Expr) -> Option<Option<usize>> {
        match &e.kind {
            tree::ExprKind::Broken => None,
            tree::ExprKind::Int(n) => Some(usize::try_from(*n).ok()),
            tree::ExprKind::Name(n) if self.scope.get(*n).is_none() => match self.globals.consts.get(n) {
                Some(Constant::Int(n)) => Some(usize::try_from(n).ok()),
                Some(Constant::Float(_) | Constant::Bool(_) | Constant::Text(_)) | None => Some(None),
            },
            tree::ExprKind::Name(_)
            | tree::ExprKind::Index(..)
            | tree::ExprKind::Long(_)
            | tree::ExprKind::Float(_)
            | tree::ExprKind::Bool(_)
            | tree::ExprKind::Neg(_)
            | tree::ExprKind::Not(_)
            | tree::ExprKind::Bin(..)
            | tree::ExprKind::Chain(..)
            | tree::ExprKind::Field(..)
            | tree::ExprKind::Call(..) => Some(None),
        }
    }

    /// An argument of a call, given what the callee declares.
    pub(super) fn argument(&mut self, e: &tree::Expr, formal: Option<&ArgType>) -> Option<Expr> {
        match (formal, &e.kind) {
            (Some(ArgType::Data { .. }) | None, tree::ExprKind::Index(base, coords)) if self.is_window(e) => {
                let window = self.window(base, coords, e.span)?;
                Some(Expr::at(ExprKind::Window(window), e.span))
            }
            (Some(ArgType::Data { .. }), _) => self.expr(e, Want::Data),
            (Some(ArgType::Control(_)) | None, _) => self.expr(e, Want::Control),
        }
    }
}

/// All results, when there are all; in one allocation, and looking at every part.
fn collect_all<T>(parts: &[T], mut resolve: impl FnMut(&T) -> Option<Expr>) -> Option<Arc<[Expr]>> {
    let mut whole = true;
    let resolved = parts.iter().map(|part| {
        resolve(part).unwrap_or_else(|| {
            whole = false;
            Expr::new(ExprKind::Lit(Literal::Int(0)))
        })
    });
    let resolved: Arc<[Expr]> = resolved.collect();
    whole.then_some(resolved)
}

/// `lhs op rhs`.
fn bin(op: BinOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
    Expr::at(ExprKind::Bin { op, lhs: Arc::new(lhs), rhs: Arc::new(rhs) }, span)
}

/// Whether an expression contains a chain: its copies would double at each level.
fn has_chain(e: &tree::Expr) -> bool {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        match &e.kind {
            tree::ExprKind::Chain(..) => return true,
            tree::ExprKind::Neg(e) | tree::ExprKind::Not(e) => work.push(e),
            tree::ExprKind::Bin(_, lhs, rhs) => work.extend([&**lhs, &**rhs]),
            tree::ExprKind::Call(_, args) => work.extend(args),
            tree::ExprKind::Index(_, coords) => {
                for coord in coords {
                    match coord {
                        Coord::Point(e) => work.push(e),
                        Coord::Range(lo, hi, _) => work.extend(lo.iter().chain(hi)),
                    }
                }
            }
            tree::ExprKind::Broken
            | tree::ExprKind::Name(_)
            | tree::ExprKind::Int(_)
            | tree::ExprKind::Long(_)
            | tree::ExprKind::Float(_)
            | tree::ExprKind::Bool(_)
            | tree::ExprKind::Field(..) => {}
        }
    }
    false
}

/// A whole buffer or a control variable.
fn read(name: Sym, span: Span) -> Expr {
    Expr::at(ExprKind::Read { name, idx: [].into() }, span)
}

//! Calls: sizes positive, shapes equal, tensors dense, assertions satisfied. PLDI'22 §3.1 (6); spec: [rule: frontend.calls].

use super::{CALL_ASSERT, CALL_DENSE, CALL_SHAPE, Checker, SIZE_POSITIVE, Subject, Words};
use crate::analysis::{bindings, entry};
use crate::effexpr::{EffExpr, Sort, Substitution, Var};
use crate::env::{Env, View};
use crate::lift::{dense_strides, lift};
use rewright_semantics::ast::{Arg, Expr, Proc};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, ControlType};

impl Checker<'_> {
    /// What a callee asks of its caller.
    pub(super) fn call(&mut self, env: &Env, p: &Proc, args: &[Expr], at: Span) {
        let (sub, views) = bindings(env, p, args);
        let formals = entry(p);
        for (formal, e) in p.args.iter().zip(args) {
            let at = if e.span.is_none() { at } else { e.span };
            match &formal.typ {
                ArgType::Control(ControlType::Size) => self.size(&sub, p, formal, e, at),
                ArgType::Control(
                    ControlType::Int | ControlType::Index | ControlType::Bool | ControlType::Stride,
                ) => {}
                ArgType::Data { typ, mem: _ } => {
                    if let Some(view) = views.get(&formal.name) {
                        self.shape(&formals, &sub, (p, formal, typ), view, at);
                    }
                }
            }
        }
        for (k, pred) in p.preds.iter().enumerate() {
            let holds = lift(&formals, pred).substitute(&sub);
            let (name, text) = (p.name, expr_to_string(pred));
            let words = || Words {
                id: CALL_ASSERT,
                sentence: format!("the assertion `{text}` of `{name}` holds: {holds}"),
                danger: format!("assertion {} of `{name}` may not hold here: `{text}`", k + 1),
                at,
                role: "this call",
            };
            self.require(Subject::Holds(holds.clone()), words);
        }
    }

    /// What a callee asks of the shapes of its arguments alone.
    pub(super) fn shapes(&mut self, env: &Env, p: &Proc, args: &[Expr], at: Span) {
        let (sub, views) = bindings(env, p, args);
        let formals = entry(p);
        for (formal, e) in p.args.iter().zip(args) {
            let at = if e.span.is_none() { at } else { e.span };
            match (&formal.typ, views.get(&formal.name)) {
                (ArgType::Data { typ, mem: _ }, Some(view)) => {
                    self.shape(&formals, &sub, (p, formal, typ), view, at);
                }
                (ArgType::Data { .. } | ArgType::Control(_), _) => {}
            }
        }
    }

    fn size(&mut self, sub: &Substitution, p: &Proc, formal: &Arg, e: &Expr, at: Span) {
        let Some(value) = sub.get(Var::Local(formal.name)).cloned() else { return };
        let (x, name) = (formal.name, p.name);
        let words = || Words {
            id: SIZE_POSITIVE,
            sentence: format!("the size `{x}` of `{name}`, {value}, is at least 1"),
            danger: format!("the size `{x}` of `{name}` may be below 1: `{}`", expr_to_string(e)),
            at,
            role: "this argument",
        };
        self.require(Subject::AtLeast(value.clone(), 1), words);
    }

    fn shape(
        &mut self,
        formals: &Env,
        sub: &Substitution,
        (p, formal, typ): (&Proc, &Arg, &BufferType),
        view: &View,
        at: Span,
    ) {
        let (x, name) = (formal.name, p.name);
        for (d, (e, found)) in typ.shape.iter().zip(&view.extents).enumerate() {
            let expected = lift(formals, e).substitute(sub);
            let words = || Words {
                id: CALL_SHAPE,
                sentence: format!(
                    "extent {d} of `{x}` of `{name}`, {expected}, is that of the argument, {found}"
                ),
                danger: format!(
                    "the argument for `{x}` of `{name}` may have another extent in dimension {d} than `{}`",
                    expr_to_string(e)
                ),
                at,
                role: "this argument",
            };
            self.require(Subject::Equal { expected: expected.clone(), found: found.clone() }, words);
        }
        if typ.kind == ArrayKind::Tensor && !view.is_tensor {
            self.dense((p, formal), view, at);
        }
    }

    /// The cells of a window are as dense as those of a tensor: every stride is the product of the extents below it. A
    /// stride along an extent of 1 is no exception, since the callee may ask for it.
    fn dense(&mut self, (p, formal): (&Proc, &Arg), view: &View, at: Span) {
        let (x, name) = (formal.name, p.name);
        let dense = dense_strides(&view.extents, |_| EffExpr::unknown(Sort::Int));
        let strides: Vec<_> = view.strides.iter().cloned().zip(dense).collect();
        let words = || Words {
            id: CALL_DENSE,
            sentence: format!("the strides of the argument for `{x}` of `{name}` are those of a tensor"),
            danger: format!("the argument for `{x}` of `{name}` may not be dense, as a tensor is"),
            at,
            role: "this argument",
        };
        self.require(Subject::Dense { strides }, words);
    }
}

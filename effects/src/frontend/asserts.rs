//! Calls: sizes positive, shapes equal, assertions satisfied. PLDI'22 §3.1 (6); spec: [rule: frontend.calls].

use super::{CALL_ASSERT, CALL_SHAPE, Checker, SIZE_POSITIVE};
use crate::analysis::{bindings, entry};
use crate::effexpr::{EffExpr, Var};
use crate::env::Env;
use crate::lift::lift;
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::span::Span;
use rewright_semantics::types::{ArgType, ControlType};

impl Checker<'_> {
    /// What a callee asks of its caller.
    pub(super) fn call(&mut self, env: &Env, p: &Proc, args: &[Expr], at: Span) {
        let (sub, views) = bindings(env, p, args);
        let formals = entry(p);
        for (k, formal) in p.args.iter().enumerate() {
            let span = args.get(k).map_or(at, |e| if e.span.is_none() { at } else { e.span });
            match &formal.typ {
                ArgType::Control(ControlType::Size) => {
                    let Some(value) = sub.get(Var::Local(formal.name)).cloned() else { continue };
                    let sentence =
                        format!("the size `{}` of `{}`, {value}, is at least 1", formal.name, p.name);
                    self.require(
                        SIZE_POSITIVE,
                        sentence,
                        EffExpr::ge(value, EffExpr::int(1)),
                        span,
                        "this argument",
                    );
                }
                ArgType::Control(
                    ControlType::Int | ControlType::Index | ControlType::Bool | ControlType::Stride,
                ) => {}
                ArgType::Data { typ, mem: _ } => {
                    let Some(view) = views.get(&formal.name) else { continue };
                    for (d, (e, extent)) in typ.shape.iter().zip(&view.extents).enumerate() {
                        let expected = lift(&formals, e).substitute(&sub);
                        let sentence = format!(
                            "extent {d} of `{}` of `{}`, {expected}, is that of the argument, {extent}",
                            formal.name, p.name
                        );
                        let same = EffExpr::eq(expected, extent.clone());
                        self.require(CALL_SHAPE, sentence, same, span, "this argument");
                    }
                }
            }
        }
        for pred in &p.preds {
            let holds = lift(&formals, pred).substitute(&sub);
            let sentence = format!("the assertion of `{}` holds here: {holds}", p.name);
            self.require(CALL_ASSERT, sentence, holds, at, "this call");
        }
    }
}

//! What a call that a rewrite makes requires. Spec: [rule: replace].

use crate::version::session::Session;
use rewright_effects::context::Context;
use rewright_effects::frontend::{
    BOUNDS_ACCESS, BOUNDS_WINDOW, CALL_ALIAS, CALL_ASSERT, CALL_DENSE, CALL_SHAPE, SIZE_POSITIVE, check_call,
    check_called,
};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::span::Span;
use std::sync::Arc;

/// What must hold for a call to be one.
#[derive(Clone, Debug, Default)]
pub struct Required {
    /// Sizes are at least 1.
    pub sizes: Vec<Obligation>,
    /// What is passed exists, and has the shape that is declared.
    pub windows: Vec<Obligation>,
    /// The callee's assertions hold, and its tensors are dense.
    pub asserts: Vec<Obligation>,
    /// What the callee changes is passed to it once.
    pub aliasing: Vec<Obligation>,
}

/// What must hold for nothing to go wrong in the body of a procedure that is called at the hole of a context, its
/// preconditions given: nothing, where that is so on every input.
pub fn safely(session: &Session, ctx: &Context, p: &Arc<Proc>, args: &[Expr]) -> Vec<Obligation> {
    if session.is_safe(p) {
        return Vec::new();
    }
    check_called(ctx, p, args).into_iter().map(|r| r.obligation).collect()
}

impl Required {
    /// Of a call at the hole of a context.
    pub fn of(ctx: &Context, p: &Arc<Proc>, args: &[Expr], at: Span) -> Required {
        let mut out = Required::default();
        for r in check_call(ctx, p, args, at) {
            let list = match r.obligation.id {
                SIZE_POSITIVE => &mut out.sizes,
                CALL_ASSERT | CALL_DENSE => &mut out.asserts,
                CALL_ALIAS => &mut out.aliasing,
                BOUNDS_ACCESS | BOUNDS_WINDOW | CALL_SHAPE => &mut out.windows,
                ConditionId(_) => &mut out.windows,
            };
            list.push(r.obligation);
        }
        out
    }
}

//! What changes places.

use crate::context::Context;
use crate::eff::eff_block;
use crate::effect::Effect;
use crate::env::Env;
use rewright_semantics::ast::Block;

/// One of two pieces of program that change places.
pub(super) struct Piece<'a> {
    /// What it runs in, its iteration variables among the names.
    pub(super) env: Env,
    /// What runs.
    pub(super) body: &'a Block,
    /// What it does.
    pub(super) effect: Effect,
}

impl<'a> Piece<'a> {
    pub(super) fn of(ctx: &Context, env: Env, body: &'a Block) -> Piece<'a> {
        let effect = eff_block(&ctx.analysis, &env, body);
        Piece { env, body, effect }
    }
}

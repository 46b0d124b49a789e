//! What statements touch, as far as messages about races need it: which cells is for effects to say.

use super::Checker;
use crate::analysis::bindings;
use crate::env::{Env, Field};
use crate::locset::Base;
use rewright_semantics::ast::{Config, Expr, Proc};
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use std::sync::Arc;

/// A place in the text at which a root or field is touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) base: Base,
    pub(super) writes: bool,
    pub(super) at: Span,
}

impl Checker<'_> {
    fn touch(&mut self, base: Base, writes: bool, at: Span) {
        if self.parallel > 0 {
            self.touches.push(Touch { base, writes, at });
        }
    }

    pub(super) fn touch_buffer(&mut self, env: &Env, x: Sym, writes: bool, at: Span) {
        if let Some(view) = env.view(x) {
            self.touch(view.base, writes, at);
        }
    }

    pub(super) fn touch_field(&mut self, config: &Config, field: Name, writes: bool, at: Span) {
        self.touch(Base::Global(Field::of(config, field)), writes, at);
    }

    /// What a callee touches, seen from its caller.
    pub(super) fn touch_call(&mut self, env: &Env, p: &Arc<Proc>, args: &[Expr], at: Span) {
        if self.parallel == 0 {
            return;
        }
        let (_, views) = bindings(env, p, args);
        let (changed, touched) = self.an.bases(p);
        for base in touched.into_keys() {
            let outside = match base {
                Base::Buffer(x) => views.get(&x).map(|v| v.base),
                Base::Global(_) => Some(base),
            };
            if let Some(outside) = outside {
                self.touch(outside, changed.contains_key(&base), at);
            }
        }
    }
}

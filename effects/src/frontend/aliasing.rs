//! Aliasing between the arguments of a call. Spec: [rule: frontend.aliasing].
//!
//! Every analysis and every rewrite of a procedure takes its arguments for different buffers. So two data
//! arguments may show cells of one root only if these cells are different, or if the callee changes
//! neither argument.

use super::{CALL_ALIAS, Checker};
use crate::analysis::bindings;
use crate::conditions::cells_of;
use crate::effexpr::EffExpr;
use crate::env::{Env, View};
use crate::locset::Base;
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use std::sync::Arc;

impl Checker<'_> {
    /// Arguments that a callee changes are apart from its other arguments, and from the fields it touches.
    pub(super) fn aliasing(&mut self, env: &Env, p: &Arc<Proc>, args: &[Expr], at: Span) {
        let (_, views) = bindings(env, p, args);
        let summary = self.an.summary(p);
        let (changed, touched) = (summary.effect.modified().bases(), summary.effect.all().bases());
        let changes = |base: Base| changed.contains_key(&base);
        let data: Vec<(Sym, &View)> =
            p.args.iter().filter_map(|a| views.get(&a.name).map(|v| (a.name, v))).collect();
        for (k, (x, v)) in data.iter().enumerate() {
            for (y, w) in data.iter().skip(k + 1) {
                let matters = changes(Base::Buffer(*x)) || changes(Base::Buffer(*y));
                if v.base == w.base && matters {
                    let sentence = format!(
                        "the arguments `{x}` and `{y}` of `{}`, which changes one of them, do not overlap",
                        p.name
                    );
                    let apart = cells_of(v).inter(cells_of(w)).is_empty();
                    self.require(CALL_ALIAS, sentence, apart, at, "this call");
                }
            }
            let field = matches!(v.base, Base::Global(_)) && touched.contains_key(&v.base);
            if field && (changes(v.base) || changes(Base::Buffer(*x))) {
                let sentence =
                    format!("`{}` does not use {}, which is its argument `{x}`, by itself", p.name, v.base);
                self.require(CALL_ALIAS, sentence, EffExpr::bool(false), at, "this call");
            }
        }
    }
}

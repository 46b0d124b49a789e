//! Aliasing between the arguments of a call. Spec: [rule: frontend.aliasing].
//!
//! Every analysis and every rewrite of a procedure takes its arguments for different buffers. So two data
//! arguments may show cells of one root only if these cells are different, or if the callee changes
//! neither argument.

use super::{CALL_ALIAS, Checker, Subject, Words};
use crate::analysis::bindings;
use crate::conditions::cells_of;
use crate::env::{Env, View};
use crate::locset::{Base, any_place};
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Checker<'_> {
    /// Arguments that a callee changes are apart from its other arguments, and from the fields it touches.
    pub(super) fn aliasing(&mut self, env: &Env, p: &Arc<Proc>, args: &[Expr], at: Span) {
        let (_, views) = bindings(env, p, args);
        let data: Vec<(Sym, &View)> =
            p.args.iter().filter_map(|a| views.get(&a.name).map(|v| (a.name, v))).collect();
        let mut seen = BTreeSet::new();
        let mut suspicious = |v: &View| v.base.is_field() || !seen.insert(v.base);
        if !data.iter().any(|(_, v)| suspicious(v)) {
            return;
        }
        let (changed, touched) = self.an.bases(p);
        let changes = |base: Base| changed.contains_key(&base);
        for (k, (x, v)) in data.iter().enumerate() {
            for (y, w) in data.iter().skip(k + 1).filter(|(_, w)| v.base == w.base) {
                let victim = [*x, *y].into_iter().find(|x| changes(Base::Buffer(*x)));
                if let Some(victim) = victim {
                    self.apart((*x, v), (*y, w), victim, p, at);
                }
            }
            let field = v.base.is_field() && touched.contains_key(&v.base);
            if field && (changes(v.base) || changes(Base::Buffer(*x))) {
                let words = || Words {
                    id: CALL_ALIAS,
                    sentence: format!(
                        "`{}` does not use `{}`, which is its argument `{x}`, by itself",
                        p.name, v.base
                    ),
                    danger: format!("`{}` uses `{}` itself and gets it as `{x}`", p.name, v.base),
                    at,
                    role: "this call",
                };
                self.require(Subject::Never, words);
            }
        }
    }

    fn apart(&mut self, (x, v): (Sym, &View), (y, w): (Sym, &View), victim: Sym, p: &Proc, at: Span) {
        let (place, _) = any_place(v.base, v.coords.len());
        let shown = (cells_of(v).contains(&place), cells_of(w).contains(&place));
        let words = || Words {
            id: CALL_ALIAS,
            sentence: format!(
                "the arguments `{x}` and `{y}` of `{}`, which changes `{victim}`, do not overlap",
                p.name
            ),
            danger: format!(
                "the arguments `{x}` and `{y}` of `{}` may overlap in `{}`, and it changes `{victim}`",
                p.name, v.base
            ),
            at,
            role: "this call",
        };
        self.require(Subject::Apart { place: place.clone(), shown: shown.clone() }, words);
    }
}

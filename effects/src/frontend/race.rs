//! Parallel loops are free of conflicts. PLDI'22 §9; [E-19]; spec: [rule: frontend.races].
//!
//! One requirement per root and field that some iteration changes, so that a refusal can say which.

use super::access::Touch;
use super::{Checker, PAR_RACE, Subject, Words};
use crate::conditions::TwoIterations;
use crate::env::Env;
use crate::locset::any_place;
use rewright_semantics::ast::{Block, Expr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;

impl Checker<'_> {
    /// No two iterations touch a place that one of them changes.
    pub(super) fn races(
        &mut self,
        env: &Env,
        iter: Sym,
        bounds: (&Expr, &Expr),
        body: &Block,
        touched: &[Touch],
        head: Span,
    ) {
        let two = TwoIterations::of(self.an, env, iter, bounds, body);
        let sets = [&two.effects.0, &two.effects.1].map(|a| (a.modified(), a.all()));
        let [(changes1, all1), (changes2, all2)] = &sets;
        let mut bases = changes1.bases();
        bases.extend(changes2.bases());
        for (base, rank) in bases {
            let (place, _) = any_place(base, rank);
            let at = |set: &crate::locset::LocSet| set.contains(&place);
            let subject = Subject::Race {
                iter,
                iterations: (two.first.clone(), two.second.clone()),
                run: two.run.clone(),
                changes: (at(changes1), at(changes2)),
                touches: (at(all1), at(all2)),
                place: place.clone(),
            };
            let here = || touched.iter().filter(|t| t.base == base);
            let writer = here().find(|t| t.writes).map_or(head, |t| t.at);
            let words = || Words {
                id: PAR_RACE,
                sentence: format!("no two iterations over `{iter}` meet in `{base}` where one changes it"),
                danger: format!("iterations of the parallel loop over `{iter}` may meet in `{base}`"),
                at: writer,
                role: "this change",
            };
            let before = self.out.len();
            self.require(subject, words);
            if let Some(made) = self.out.get_mut(before) {
                let other = here().find(|t| !same(t.at, writer));
                let also = other.map(|t| (t.at, if t.writes { "also changed here" } else { "read here" }));
                let places = also.into_iter().chain([(head, "the parallel loop")]);
                made.obligation.locations.extend(places.map(|(at, role)| (at, role.to_owned())));
            }
        }
    }
}

/// Spans are never unequal for `==`.
fn same(a: Span, b: Span) -> bool {
    (a.file, a.start, a.end) == (b.file, b.start, b.end)
}

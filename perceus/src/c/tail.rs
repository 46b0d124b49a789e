//! Which functions become one loop: those that call one another in tail position.

use crate::code::{Block, Code, End, Rhs};
use crate::deep;
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

/// The functions that a block calls in tail position.
fn tail_calls(b: &Block, into: &mut BTreeSet<Name>) {
    match &b.end {
        End::Done(Rhs::Call(f, _)) => drop(into.insert(*f)),
        End::Done(Rhs::Atom(_) | Rhs::Lam(_) | Rhs::App(..) | Rhs::Con(_) | Rhs::Prim(..)) => {}
        End::Match(_, arms) => arms.iter().for_each(|a| deep(|| tail_calls(&a.body, into))),
    }
}

/// Functions, those together that reach each other by tail calls; `true` where there is such a call.
pub(super) fn groups(code: &Code, live: &BTreeSet<Name>) -> Vec<(Vec<Name>, bool)> {
    let mut calls: BTreeMap<Name, BTreeSet<Name>> = BTreeMap::new();
    for f in code.all().filter(|f| live.contains(&f.name)) {
        tail_calls(&f.body, calls.entry(f.name).or_default());
    }
    let reach: BTreeMap<Name, BTreeSet<Name>> = calls.keys().map(|f| (*f, reached(*f, &calls))).collect();
    let (mut out, mut done) = (Vec::new(), BTreeSet::<Name>::new());
    for (f, from_f) in &reach {
        if done.contains(f) {
            continue;
        }
        let is_together = |g: &Name| from_f.contains(g) && reach.get(g).is_some_and(|r| r.contains(f));
        let mut group: Vec<Name> = reach.keys().copied().filter(|g| g != f && is_together(g)).collect();
        let is_loop = from_f.contains(f);
        group.insert(0, *f);
        done.extend(&group);
        out.push((group, is_loop));
    }
    out
}

fn reached(f: Name, calls: &BTreeMap<Name, BTreeSet<Name>>) -> BTreeSet<Name> {
    let (mut seen, mut rest) = (BTreeSet::new(), vec![f]);
    while let Some(g) = rest.pop() {
        for h in calls.get(&g).into_iter().flatten() {
            if seen.insert(*h) {
                rest.push(*h);
            }
        }
    }
    seen
}

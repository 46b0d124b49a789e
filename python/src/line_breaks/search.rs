//! The cheapest layout: Dijkstra's algorithm over the layouts of the beginnings of a line.

use super::layout::{Layout, Line};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Once so many layouts were made, those that are at one place are taken for one.
const MANY: usize = 10_000;
/// After so many layouts a line stays as it is: some tenths of a second, and a hundred megabytes.
const MOST: usize = 200_000;

struct Made {
    layout: Layout,
    from: Option<usize>,
    is_broken: bool,
}

/// Before which tokens but the first a break is in the cheapest layout, of those that cost as much the first that is found;
/// nothing where the rules admit none, or too many have to be tried.
pub(super) fn cheapest(line: &Line) -> Option<Vec<bool>> {
    let mut made = vec![Made { layout: Layout::start(line), from: None, is_broken: false }];
    let mut queue = BinaryHeap::from([Reverse((0, 0))]);
    let mut seen: FxHashMap<_, Vec<(usize, bool)>> = FxHashMap::default();
    while let Some(Reverse((cost, at))) = queue.pop() {
        let layout = &made[at].layout;
        if made.len() > MOST {
            return None;
        }
        if layout.next == line.tokens.len() {
            return Some(path(&made, at));
        }
        let counts_for_all = made.len() > MANY;
        let there = seen.entry(layout.place()).or_default();
        let is_known = |&(other, for_all): &(usize, bool)| {
            counts_for_all || for_all || layout.goes_on_as(&made[other].layout)
        };
        if there.iter().any(is_known) {
            continue;
        }
        there.push((at, counts_for_all));
        let must_break = layout.must_break(line);
        for is_broken in [false, true] {
            let is_admitted = if is_broken { line.may_break(made[at].layout.next) } else { !must_break };
            if is_admitted {
                let mut layout = made[at].layout.clone();
                let cost = cost + layout.add(line, is_broken, must_break);
                queue.push(Reverse((cost, made.len())));
                made.push(Made { layout, from: Some(at), is_broken });
            }
        }
    }
    None
}

fn path(made: &[Made], last: usize) -> Vec<bool> {
    let mut breaks = Vec::new();
    let mut at = last;
    while let Some(from) = made[at].from {
        breaks.push(made[at].is_broken);
        at = from;
    }
    breaks.reverse();
    breaks
}

//! Which cells a cycle keeps alive. Spec: [rule: perceus.cycles].

use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// Of these cells, those that no cycle among them refers to, not through others either: `refs` gives what a cell refers to.
pub fn kept_by_none<K: Copy + Eq + Hash>(cells: &[K], refs: impl Fn(K) -> Vec<K>) -> Vec<K> {
    let all: FxHashSet<K> = cells.iter().copied().collect();
    let inside = |c: K| refs(c).into_iter().filter(|d| all.contains(d)).collect::<Vec<K>>();
    let mut referrers: FxHashMap<K, usize> = FxHashMap::default();
    for d in cells.iter().flat_map(|c| inside(*c)) {
        *referrers.entry(d).or_insert(0) += 1;
    }
    let none = |c: &K, referrers: &FxHashMap<K, usize>| referrers.get(c).is_none_or(|n| *n == 0);
    let mut out: Vec<K> = cells.iter().copied().filter(|c| none(c, &referrers)).collect();
    let mut at = 0;
    while let Some(c) = out.get(at).copied() {
        at += 1;
        for d in inside(c) {
            referrers.entry(d).and_modify(|n| *n -= 1);
            if none(&d, &referrers) {
                out.push(d);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_on_a_cycle_is_kept_and_what_holds_one_is_not() {
        // 1 → 2 ⇄ 3 → 4, 5 → 4, 6 → 6, 7 → 8
        let refs = |c: u8| match c {
            1 => vec![2],
            2 => vec![3],
            3 => vec![2, 4],
            5 => vec![4],
            6 => vec![6],
            7 => vec![8, 8],
            _ => vec![],
        };
        let mut none = kept_by_none(&[1, 2, 3, 4, 5, 6, 7, 8], refs);
        none.sort_unstable();
        assert_eq!(none, [1, 5, 7, 8]);
    }
}

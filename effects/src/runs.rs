//! What long blocks hold, remembered by the runs of statements that the versions of a program share.
//! Spec: [rule: growth.runs].
//!
//! A rewrite of one statement of ten thousand makes a block that shares all but a few dozen of them with the old one.
//! What is gathered from a shared run need not be gathered again. A run is known by its address, which cannot be
//! another's while a block that holds it is kept; a kept block is shared, so that nothing changes it in place.

use rewright_semantics::ast::{Block, Stmt};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Shorter blocks are gathered anew: only the runs of longer ones are shared for certain, not copied with the block.
const LONG: usize = 128;

/// How many blocks are kept before all is forgotten.
const MOST_KEPT: usize = 1 << 14;

/// What was gathered from runs of statements.
#[derive(Debug)]
pub struct Runs<T> {
    known: FxHashMap<(usize, usize), Arc<T>>,
    kept: Vec<Block>,
    /// The block that was asked for last: of one version much is asked.
    last: Option<(Block, Arc<[Run<T>]>)>,
}

/// A run's place in its block, and what it holds.
pub type Run<T> = (Range<usize>, Arc<T>);

impl<T> Default for Runs<T> {
    fn default() -> Runs<T> {
        Runs { known: FxHashMap::default(), kept: Vec::new(), last: None }
    }
}

impl<T> Runs<T> {
    /// The runs of a long block, each with its place in the block and what `gather` finds in it; `None` of a short one.
    pub fn of(&mut self, b: &Block, gather: impl Fn(&[Stmt]) -> T) -> Option<Arc<[Run<T>]>> {
        if b.len() <= LONG {
            return None;
        }
        if let Some((_, runs)) = self.last.as_ref().filter(|(last, _)| last.ptr_eq(b)) {
            return Some(runs.clone());
        }
        if self.kept.len() >= MOST_KEPT {
            *self = Runs::default();
        }
        let (mut out, mut start, mut is_new) = (Vec::new(), 0, false);
        for run in b.leaves() {
            let end = start + run.len();
            let digest = self.known.entry((run.as_ptr().addr(), run.len())).or_insert_with(|| {
                is_new = true;
                Arc::new(gather(run))
            });
            out.push((start..end, digest.clone()));
            start = end;
        }
        if is_new {
            self.kept.push(b.clone());
        }
        let runs: Arc<[Run<T>]> = out.into();
        self.last = Some((b.clone(), runs.clone()));
        Some(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::ast::StmtKind;
    use std::cell::Cell;

    #[test]
    fn a_changed_statement_costs_its_run() {
        let pass = || Stmt::new(StmtKind::Pass);
        let mut block: Block = (0..10_000).map(|_| pass()).collect();
        let (mut runs, gathered) = (Runs::default(), Cell::new(0));
        for k in 0..500 {
            let count = |stmts: &[Stmt]| {
                gathered.set(gathered.get() + stmts.len());
                stmts.len()
            };
            let mut seen = 0;
            for (range, count) in &*runs.of(&block, count).unwrap() {
                assert_eq!((range.start, range.len()), (seen, **count));
                seen = range.end;
            }
            assert_eq!(seen, block.len());
            block.set(k * 17, pass());
        }
        assert!(gathered.get() <= 10_000 + 500 * 64, "{}", gathered.get());
        // Cutting and joining moves statements to other runs, but few of them.
        gathered.set(0);
        for k in 0..100 {
            block.insert(k * 97, pass());
            let digest = runs.of(&block, |stmts| {
                gathered.set(gathered.get() + stmts.len());
                stmts.len()
            });
            assert_eq!(digest.unwrap().iter().map(|(_, count)| **count).sum::<usize>(), block.len());
        }
        println!("{} statements were gathered again for 100 insertions", gathered.get());
        assert!(gathered.get() < 100 * 10_000 / 2, "{}", gathered.get());
    }
}

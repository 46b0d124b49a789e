//! Statements side by side.

use super::Draw;
use rewright_primitives::cursor::path::{Step, stmt_at};
use rewright_primitives::cursor::resolve::Sort;

impl Draw<'_> {
    /// Two statements of one sort, or a write and a loop, one after the other: each combination as often as any.
    pub(super) fn likely_pair(&mut self) -> Option<Vec<Step>> {
        let sort = |path: &[Step]| {
            let s = stmt_at(self.p.ast(), path)?;
            [Sort::Assign, Sort::Reduce, Sort::Loop, Sort::If]
                .into_iter()
                .position(|sort| sort.admits(&s.kind))
        };
        let next = |path: &[Step]| rewright_primitives::cursor::path::shifted(path, 1);
        let sorts = |path: &Vec<Step>| Some((sort(path)?, sort(&next(path))?));
        let pairs: Vec<((usize, usize), &Vec<Step>)> =
            self.stmts.iter().filter_map(|path| Some((sorts(path)?, path))).collect();
        let likely = |(a, b): (usize, usize)| a == b || (a < 2 && b < 3);
        let mut kinds: Vec<(usize, usize)> =
            pairs.iter().map(|(kind, _)| *kind).filter(|k| likely(*k)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let kind = *self.rng.pick(&kinds)?;
        let fitting: Vec<&Vec<Step>> =
            pairs.into_iter().filter(|(k, _)| *k == kind).map(|(_, path)| path).collect();
        self.rng.pick(&fitting).map(|path| (*path).clone())
    }
}

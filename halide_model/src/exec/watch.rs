//! Watching a run: what is allocated and stored, and races between the iterations of parallel loops.

use crate::case::Bounds;
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;

/// What the fast executor tells about a run. The default is to look at nothing.
pub trait Watch {
    /// Whether it looks at nothing, so that many iterations may run at once.
    const SILENT: bool = false;
    /// A func is allocated; `id` names the buffer.
    fn allocate(&mut self, _func: Name, _id: usize, _bounds: &[(i64, i64)]) {}
    /// A point is stored.
    fn store(&mut self, _func: Name, _id: usize, _at: usize, _point: &[i64], _value: i64) {}
    /// A point is read.
    fn load(&mut self, _id: usize, _at: usize) {}
    /// What comes next happens at once, or no longer does.
    fn atomic(&mut self, _on: bool) {}
    /// An iteration of a parallel loop begins; the loops around it are still running.
    fn iteration(&mut self, _depth: usize, _index: i64) {}
    /// A parallel loop ends.
    fn end(&mut self, _depth: usize) {}
}

/// Looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl Watch for Blind {
    const SILENT: bool = true;
}

/// The regions of one func.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// The union of its allocations.
    pub allocated: Option<Bounds>,
    /// The bounding box of its stores.
    pub stored: Option<Bounds>,
    /// How many stores there were.
    pub stores: u64,
    /// How many allocations.
    pub realizations: u64,
}

/// Two iterations of a parallel loop touched one cell, and the outcome may depend on their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The func whose cell it is.
    pub func: Name,
    /// The iterations.
    pub iterations: (i64, i64),
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = self.iterations;
        write!(f, "a race: iterations {a} and {b} of a parallel loop touch one cell of `{}`", self.func)
    }
}

/// Who touched a cell inside one parallel loop.
#[derive(Clone, Copy, Debug)]
struct Touched {
    writer: Option<(i64, i64)>,
    readers: Option<(i64, i64)>,
    /// Whether all of it was atomic.
    atomic: bool,
}

/// A parallel loop that runs: how many buffers were there when it began, the iteration, and who touched which cell.
type Active = (usize, i64, FxHashMap<(usize, usize), Touched>);

/// A cell: the number of its buffer, and where it is there. Points of a circle may share one.
pub type Cell = (usize, usize);

/// Records regions and races. Two iterations that store the same value do not race: a shifted tile recomputes points.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// Regions per func.
    pub regions: BTreeMap<Name, Regions>,
    /// The first race, if there was one.
    pub race: Option<Race>,
    /// The cells whose value depends on which iteration stores last, with the last point stored there.
    pub unsettled: BTreeMap<Cell, Vec<i64>>,
    /// Whether one iteration read what another stored.
    pub read_early: bool,
    funcs: Vec<Name>,
    active: Vec<Active>,
    atomic: bool,
}

impl Recorder {
    fn touch(&mut self, id: usize, at: usize, written: Option<(&[i64], i64)>) {
        let (point, written) = (written.map(|(point, _)| point), written.map(|(_, v)| v));
        for (known, iteration, cells) in &mut self.active {
            if id >= *known {
                continue;
            }
            let touched =
                cells.entry((id, at)).or_insert(Touched { writer: None, readers: None, atomic: true });
            touched.atomic &= self.atomic;
            let other_writer = touched.writer.filter(|(i, v)| *i != *iteration && written != Some(*v));
            let other_reader =
                touched.readers.filter(|(lo, hi)| written.is_some() && (lo != iteration || hi != iteration));
            let conflict = other_writer
                .map(|(i, _)| i)
                .or(other_reader.map(|(lo, hi)| if lo == *iteration { hi } else { lo }));
            let conflict = conflict.filter(|_| !touched.atomic);
            if conflict.is_some() {
                self.read_early |= other_reader.is_some() || point.is_none();
                self.unsettled.extend(point.map(|point| ((id, at), point.to_vec())));
            }
            if let (Some(other), None, Some(func)) = (conflict, &self.race, self.funcs.get(id)) {
                self.race = Some(Race { func: *func, iterations: (other, *iteration) });
            }
            match written {
                Some(v) => touched.writer = Some((*iteration, v)),
                // What an iteration wrote itself it may read.
                None if touched.writer.is_some_and(|(i, _)| i == *iteration) => {}
                None => {
                    let (lo, hi) = touched.readers.unwrap_or((*iteration, *iteration));
                    touched.readers = Some((lo.min(*iteration), hi.max(*iteration)));
                }
            }
        }
    }
}

impl Watch for Recorder {
    fn allocate(&mut self, func: Name, id: usize, bounds: &[(i64, i64)]) {
        self.funcs.resize(id, func);
        self.funcs.push(func);
        let entry = self.regions.entry(func).or_default();
        entry.realizations += 1;
        entry.allocated = Some(hull(entry.allocated.take(), bounds));
    }

    fn store(&mut self, func: Name, id: usize, at: usize, point: &[i64], value: i64) {
        let entry = self.regions.entry(func).or_default();
        entry.stores += 1;
        let one: Vec<(i64, i64)> = point.iter().map(|i| (*i, 1)).collect();
        entry.stored = Some(hull(entry.stored.take(), &one));
        self.touch(id, at, Some((point, value)));
    }

    fn atomic(&mut self, on: bool) {
        self.atomic = on;
    }

    fn load(&mut self, id: usize, at: usize) {
        self.touch(id, at, None);
    }

    fn iteration(&mut self, depth: usize, index: i64) {
        match self.active.get_mut(depth) {
            Some((_, iteration, _)) => *iteration = index,
            None => self.active.push((self.funcs.len(), index, FxHashMap::default())),
        }
    }

    fn end(&mut self, depth: usize) {
        self.active.truncate(depth);
    }
}

/// The smallest box around two; empty ones do not count.
pub fn hull(a: Option<Bounds>, b: &[(i64, i64)]) -> Bounds {
    let Some(a) = a.filter(|a| a.iter().all(|(_, n)| *n > 0)) else { return b.to_vec() };
    if b.iter().any(|(_, n)| *n <= 0) {
        return a;
    }
    a.iter()
        .zip(b)
        .map(|((m, n), (k, l))| {
            let (lo, hi) = (*m.min(k), (m + n).max(k + l));
            (lo, hi - lo)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an iteration stored at another point of a circle is unsettled, too, for its cell is.
    #[test]
    fn points_of_a_circle_share_a_cell() {
        let mut recorder = Recorder::default();
        let g = Name::new("g");
        recorder.allocate(g, 0, &[(0, 8)]);
        for (iteration, point, value) in [(0, 0, 5), (1, 4, 6)] {
            recorder.iteration(0, iteration);
            recorder.store(g, 0, 0, &[point], value);
        }
        assert_eq!(recorder.race, Some(Race { func: g, iterations: (0, 1) }));
        assert_eq!(recorder.unsettled.keys().collect::<Vec<_>>(), [&(0, 0)]);
    }
}

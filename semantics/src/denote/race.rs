//! Races: two iterations of one `par` loop touch a place, and one of them writes it.
//! Spec: [rule: run.par].
//!
//! Each `par` loop under way keeps, for each place older than itself, which iterations have read and
//! written it. A reduction counts as a write: in C it is a read and a write. Buffers allocated inside the
//! loop belong to one iteration and are not recorded.

use super::code::FieldSlot;
use crate::sym::Name;
use rustc_hash::FxHashMap;

/// What was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Touched {
    /// A cell, by buffer and place.
    Cell(usize, usize),
    /// A configuration field.
    Field(FieldSlot),
}

/// How it was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessMode {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Reduced into.
    Reduce,
}

impl AccessMode {
    /// Whether it leaves something else there.
    pub fn writes(self) -> bool {
        match self {
            AccessMode::Read => false,
            AccessMode::Write | AccessMode::Reduce => true,
        }
    }
}

/// Which iterations have touched a place. Two readers are enough: whichever iteration writes later, one
/// of the two is another. There is at most one writer, or the loop has ended in a race.
#[derive(Clone, Copy, Debug, Default)]
struct Log {
    writer: Option<i64>,
    readers: [Option<i64>; 2],
}

/// A conflict: the earlier iteration and whether it writes, and whether the later one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub first: i64,
    pub first_writes: bool,
    pub second: i64,
    pub second_writes: bool,
}

impl Log {
    fn touch(&mut self, iteration: i64, access: AccessMode) -> Option<Conflict> {
        let second_writes = access.writes();
        let conflict =
            |first, first_writes| Conflict { first, first_writes, second: iteration, second_writes };
        let other = |first: &i64| *first != iteration;
        if let Some(first) = self.writer.filter(other) {
            return Some(conflict(first, true));
        }
        match access {
            AccessMode::Write | AccessMode::Reduce => {
                if let Some(first) = self.readers.iter().flatten().copied().find(other) {
                    return Some(conflict(first, false));
                }
                self.writer = Some(iteration);
            }
            AccessMode::Read => match self.readers {
                [None, _] => self.readers[0] = Some(iteration),
                [Some(first), None] if first != iteration => self.readers[1] = Some(iteration),
                [Some(_), None | Some(_)] => {}
            },
        }
        None
    }
}

/// A `par` loop under way.
#[derive(Clone, Debug)]
pub(crate) struct ParLoop {
    pub iter: Name,
    /// The iteration under way.
    pub at: i64,
    /// How many buffers there were when it began.
    buffers: usize,
    logs: FxHashMap<Touched, Log>,
}

impl ParLoop {
    pub(crate) fn new(iter: Name, buffers: usize) -> ParLoop {
        ParLoop { iter, at: 0, buffers, logs: FxHashMap::default() }
    }

    /// Records an access by the iteration under way.
    pub(crate) fn touch(&mut self, touched: Touched, access: AccessMode) -> Option<Conflict> {
        match touched {
            Touched::Cell(loc, _) if loc >= self.buffers => None,
            Touched::Cell(..) | Touched::Field(_) => {
                self.logs.entry(touched).or_default().touch(self.at, access)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sequences of four accesses by three iterations, against the definition.
    #[test]
    fn a_conflict_is_found_exactly_when_there_is_one() {
        let steps: Vec<(i64, AccessMode)> =
            (0..3).flat_map(|i| [(i, AccessMode::Read), (i, AccessMode::Write)]).collect();
        for code in 0..6usize.pow(4) {
            let sequence: Vec<_> = (0..4u32).map(|k| steps[code / 6usize.pow(k) % 6]).collect();
            let mut log = Log::default();
            for (n, (i, a)) in sequence.iter().enumerate() {
                let expected = sequence[..n]
                    .iter()
                    .any(|(j, b)| i != j && (*a == AccessMode::Write || *b == AccessMode::Write));
                let found = log.touch(*i, *a);
                assert_eq!(found.is_some(), expected, "{sequence:?} at {n}");
                if expected {
                    break;
                }
            }
        }
    }
}

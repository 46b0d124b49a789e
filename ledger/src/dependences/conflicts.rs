//! Conflicts between iterations of a trace.

use super::{Loop, Place, place};
use rewright_semantics::denote::{AccessMode, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// How two accesses of a cell conflict, the earlier one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    WriteRead,
    ReadWrite,
    WriteWrite,
    Reduce,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [Kind::WriteRead, Kind::ReadWrite, Kind::WriteWrite, Kind::Reduce];

    /// A reduction beside a read or a write reads and writes.
    fn of(first: AccessMode, second: AccessMode) -> Option<Kind> {
        match (first, second) {
            (AccessMode::Read, AccessMode::Read) => None,
            (AccessMode::Read, AccessMode::Write | AccessMode::Reduce) => Some(Kind::ReadWrite),
            (AccessMode::Write | AccessMode::Reduce, AccessMode::Read)
            | (AccessMode::Write, AccessMode::Reduce) => Some(Kind::WriteRead),
            (AccessMode::Write | AccessMode::Reduce, AccessMode::Write) => Some(Kind::WriteWrite),
            (AccessMode::Reduce, AccessMode::Reduce) => Some(Kind::Reduce),
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::WriteRead => "written, then read",
            Kind::ReadWrite => "read, then written",
            Kind::WriteWrite => "written twice",
            Kind::Reduce => "reduced into by both",
        }
    }
}

/// What two iterations fight over: the kinds, and cells by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conflict {
    pub(crate) kinds: BTreeSet<Kind>,
    pub(crate) cells: BTreeSet<String>,
    /// How many cells there are, those without a name here included.
    pub(crate) count: usize,
}

/// Cells that are named.
const NAMED: usize = 4;

/// Pairs of iterations, the earlier one first, by their places in a list.
pub(crate) type Pairs = BTreeMap<(usize, usize), Conflict>;

/// Some iterations, and which of them conflict.
pub(crate) struct Rows {
    pub(crate) labels: Vec<String>,
    pub(crate) pairs: Pairs,
    /// How many iterations there are, those that are not shown included.
    pub(crate) all: usize,
}

/// One loop, the first time that it runs more than once.
pub(crate) struct Level {
    pub(crate) head: String,
    /// The iterations around it.
    pub(crate) within: String,
    pub(crate) rows: Rows,
}

/// Two loops, one of which is the body of the other.
pub(crate) struct Grid {
    pub(crate) outer: String,
    pub(crate) inner: String,
    /// The values of both variables.
    pub(crate) points: Vec<(i64, i64)>,
    pub(crate) pairs: Pairs,
    pub(crate) cut: bool,
}

/// A loop with all that is in it.
pub(crate) struct Nest {
    /// All innermost iterations that touch something.
    pub(crate) all: Rows,
    pub(crate) levels: Vec<Level>,
    /// The outermost two loops that are nested perfectly.
    pub(crate) grid: Option<Grid>,
}

/// Iterations in the picture of all, of one loop, and along a side of a grid.
const ALL: usize = 64;
const LEVEL: usize = 12;
const SIDE: i64 = 8;

impl Nest {
    /// The loops of a nest, the outermost one first; `None` where it does not run.
    pub(crate) fn of(trace: &Trace, loops: &[Loop]) -> Option<Nest> {
        let places: FxHashSet<Place> = loops.iter().map(|l| l.place).collect();
        let inside = |i: usize| places.contains(&place(trace.iterations[i].span));
        if !(0..trace.iterations.len()).any(inside) {
            return None;
        }
        let touching: BTreeSet<usize> = trace.accesses.iter().filter_map(|a| a.iteration).collect();
        let touching: Vec<usize> = touching.into_iter().filter(|i| inside(*i)).collect();
        let all = rows(trace, &touching, ALL, |i| path(trace, i));
        let levels = loops.iter().filter_map(|l| level(trace, l)).collect();
        let grid = loops.iter().position(|l| l.perfect).and_then(|k| grid(trace, loops, k));
        Some(Nest { all, levels, grid })
    }
}

/// `i=0 j=1`
fn path(trace: &Trace, i: usize) -> String {
    let mut out = Vec::new();
    let mut at = Some(i);
    while let Some(k) = at {
        let iteration = &trace.iterations[k];
        out.push(format!("{}={}", iteration.iter, iteration.value));
        at = iteration.around;
    }
    out.reverse();
    out.join(" ")
}

fn level(trace: &Trace, l: &Loop) -> Option<Level> {
    let mut runs: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (k, i) in trace.iterations.iter().enumerate().filter(|(_, i)| place(i.span) == l.place) {
        runs.entry(i.around).or_default().push(k);
    }
    let longest = runs.values().map(Vec::len).max()?;
    let (around, run) = runs.into_iter().find(|(_, run)| run.len() == longest)?;
    let rows = rows(trace, &run, LEVEL, |i| trace.iterations[i].value.to_string());
    Some(Level { head: l.head.clone(), within: around.map_or_else(String::new, |i| path(trace, i)), rows })
}

fn grid(trace: &Trace, loops: &[Loop], k: usize) -> Option<Grid> {
    let (outer, inner) = (loops.get(k)?, loops.get(k + 1)?);
    let run = trace.iterations.iter().find(|i| place(i.span) == outer.place)?.around;
    let mut chosen = Vec::new();
    let (mut points, mut cut) = (Vec::new(), false);
    let mut first: Option<(i64, i64)> = None;
    for (k, i) in trace.iterations.iter().enumerate().filter(|(_, i)| place(i.span) == inner.place) {
        let Some(o) = i.around.map(|o| &trace.iterations[o]).filter(|o| o.around == run) else { continue };
        let (o0, i0) = *first.get_or_insert((o.value, i.value));
        if o.value - o0 >= SIDE || i.value - i0 >= SIDE {
            cut = true;
            continue;
        }
        points.push((o.value, i.value));
        chosen.push(k);
    }
    let pairs = nearest(trace, &chosen);
    (points.len() > 1).then(|| Grid {
        outer: outer.head.clone(),
        inner: inner.head.clone(),
        points,
        pairs,
        cut,
    })
}

fn rows(trace: &Trace, iterations: &[usize], most: usize, label: impl Fn(usize) -> String) -> Rows {
    let shown = iterations.get(..most).unwrap_or(iterations);
    let mut pairs = Pairs::new();
    for (place, touched) in by_place(trace, shown) {
        for (n, (b, second)) in touched.iter().enumerate() {
            for (a, first) in touched.iter().take(n).filter(|(a, _)| a != b) {
                add(&mut pairs, trace, (*a, *b), Kind::of(*first, *second), place);
            }
        }
    }
    Rows { labels: shown.iter().map(|i| label(*i)).collect(), pairs, all: iterations.len() }
}

/// Conflicts with the last writer, and of a writer with those who have read since: the others follow from these.
fn nearest(trace: &Trace, iterations: &[usize]) -> Pairs {
    let mut pairs = Pairs::new();
    for (place, touched) in by_place(trace, iterations) {
        let mut writer: Option<(usize, AccessMode)> = None;
        let mut readers: Vec<usize> = Vec::new();
        for (b, second) in touched {
            if let Some((a, first)) = writer.filter(|(a, _)| *a != b) {
                add(&mut pairs, trace, (a, b), Kind::of(first, second), place);
            }
            if second.writes() {
                for a in readers.drain(..).filter(|a| *a != b) {
                    add(&mut pairs, trace, (a, b), Kind::of(AccessMode::Read, second), place);
                }
                writer = Some((b, second));
            } else {
                readers.push(b);
            }
        }
    }
    pairs
}

/// The accesses of each cell by some iterations, which are known by their places in the list; each way of touching once.
fn by_place(trace: &Trace, iterations: &[usize]) -> BTreeMap<usize, Vec<(usize, AccessMode)>> {
    let at: FxHashMap<usize, usize> = iterations.iter().enumerate().map(|(n, i)| (*i, n)).collect();
    let mut out: BTreeMap<usize, Vec<(usize, AccessMode)>> = BTreeMap::new();
    for access in &trace.accesses {
        let mut i = access.iteration;
        while let Some(k) = i {
            if let Some(n) = at.get(&k) {
                let touched = out.entry(access.place).or_default();
                if !touched.iter().rev().take_while(|(m, _)| m == n).any(|(_, mode)| *mode == access.mode) {
                    touched.push((*n, access.mode));
                }
                break;
            }
            i = trace.iterations[k].around;
        }
    }
    out
}

fn add(pairs: &mut Pairs, trace: &Trace, pair: (usize, usize), kind: Option<Kind>, place: usize) {
    let Some(kind) = kind else { return };
    let conflict = pairs.entry(pair).or_default();
    conflict.kinds.insert(kind);
    let name = trace.places.get(place).map(|at| at.to_string().replace('`', "")).unwrap_or_default();
    if conflict.cells.contains(&name) {
        return;
    }
    conflict.count += 1;
    if conflict.cells.len() < NAMED {
        conflict.cells.insert(name);
    }
}

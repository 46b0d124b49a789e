//! States as they should be, and values as text.

use crate::cycles::kept_by_none;

use super::super::owned::{Fields, Reader};
use super::super::value::{Cell, CellId, Content, Fault, Value};
use super::super::{Borrows, scope};
use super::{At, Machine};
use rewright_base::sym::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a state refers to.
#[derive(Default)]
struct References {
    /// How many references there are to each cell.
    counts: FxHashMap<CellId, i64>,
    /// Cells that what comes needs.
    roots: Vec<CellId>,
}

impl References {
    /// Those of a block that is on its way; `but` has no value yet.
    fn see(&mut self, place: &At<'_>, but: Option<Name>, borrows: &Borrows) {
        let mut fields: Fields = place.fields.iter().map(|(x, n)| (*x, n.to_vec())).collect();
        let owned = Reader { plain: place.plain, borrows }.block(place.block, place.at, &mut fields);
        let used = scope::used(place.block, place.at);
        for (x, v) in place.env.iter().filter(|(x, _)| Some(*x) != but) {
            let Value::Cell(id) = v else { continue };
            let n = owned.as_ref().map_or(0, |o| o.get(&x).copied().unwrap_or(0));
            *self.counts.entry(id).or_insert(0) += n;
            if used.contains(&x) {
                self.roots.push(id);
            }
        }
    }
}

fn cells(content: &Content<'_>) -> impl Iterator<Item = CellId> {
    content.fields().iter().filter_map(|v| match v {
        Value::Cell(id) => Some(*id),
        Value::Int(_) | Value::Con(_) | Value::Static(_) | Value::Token(_) => None,
    })
}

impl<'p> Machine<'p> {
    /// Whether each count is the number of references and each cell is needed by what comes, or kept alive by a cycle that is not: how many
    /// are so.
    ///
    /// # Errors
    /// [`Fault::Miscount`], [`Fault::Garbage`].
    pub fn audit(&self) -> Result<usize, Fault> {
        let mut found = References::default();
        match self.ended {
            Some(Value::Cell(id)) => {
                found.counts.insert(id, 1);
                found.roots.push(id);
            }
            Some(Value::Int(_) | Value::Con(_) | Value::Static(_) | Value::Token(_)) => {}
            None => found.see(&self.place, None, &self.borrows),
        }
        self.frames.iter().for_each(|f| found.see(&f.place, Some(f.name), &self.borrows));
        let live: Vec<(CellId, &Cell<'p>)> =
            self.heap.cells().into_iter().filter(|(_, c)| c.count > 0).collect();
        let References { mut counts, mut roots } = found;
        for id in live.iter().flat_map(|(_, c)| cells(&c.content)) {
            *counts.entry(id).or_insert(0) += 1;
        }
        if live.iter().any(|(id, c)| counts.get(id).copied() != i64::try_from(c.count).ok()) {
            return Err(Fault::Miscount);
        }
        let mut reached: FxHashSet<CellId> = FxHashSet::default();
        while let Some(id) = roots.pop() {
            if reached.insert(id)
                && let Ok(cell) = self.heap.get(id)
            {
                roots.extend(cells(&cell.content));
            }
        }
        let lost: Vec<CellId> = live.iter().map(|(id, _)| *id).filter(|id| !reached.contains(id)).collect();
        if self.unexplained(&lost).is_empty() { Ok(lost.len()) } else { Err(Fault::Garbage) }
    }

    /// Of cells that nothing needs, those that no cycle of such cells keeps alive: [rule: perceus.cycles].
    pub(super) fn unexplained(&self, lost: &[CellId]) -> Vec<CellId> {
        let refs = |id: CellId| match self.heap.memory(id) {
            Some(cell) if cell.count > 0 => cells(&cell.content).collect(),
            Some(_) | None => Vec::new(),
        };
        kept_by_none(lost, refs)
    }

    /// A value as text, cut where it is long: as [`crate::explain::value`].
    pub fn text(&self, v: Value) -> String {
        const NODES: usize = 2_000;
        self.shown(v, &mut NODES.clone())
    }

    fn shown(&self, v: Value, left: &mut usize) -> String {
        if *left == 0 {
            return "…".to_owned();
        }
        *left -= 1;
        let id = match v {
            Value::Int(n) => return n.to_string(),
            Value::Con(name) => return name.to_string(),
            Value::Token(_) => return "&".to_owned(),
            Value::Static(s) => {
                return self.fixed(s).map_or_else(String::new, |(name, fields)| {
                    crate::deep(|| self.applied(name, &fields, left))
                });
            }
            Value::Cell(id) => id,
        };
        crate::deep(|| match self.heap.get(id).map(|c| &c.content) {
            Err(_) => "dangling".to_owned(),
            Ok(Content::Lam(..)) => "<closure>".to_owned(),
            Ok(Content::Ref(_)) => "<ref>".to_owned(),
            Ok(Content::Con(name, fields)) => self.applied(*name, fields, left),
        })
    }

    fn applied(&self, name: Name, fields: &[Value], left: &mut usize) -> String {
        let fields: Vec<String> = fields.iter().map(|f| self.shown(*f, left)).collect();
        format!("{name}({})", fields.join(", "))
    }
}

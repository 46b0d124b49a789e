//! Values, cells and faults of the language that is optimised. Spec: [rule: perceus.code.heap].

use super::{Lam, StaticId};
use crate::stuck::Stuck;
use crate::vars::Vars;
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use std::fmt;

/// A cell: its number, from 1 in order of construction. No number is used twice, also where memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId(pub u64);

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A cell.
    Cell(CellId),
    /// An integer.
    Int(i64),
    /// A constructor without fields.
    Con(Name),
    /// A static cell, which has no count.
    Static(StaticId),
    /// A token: memory, or NULL.
    Token(Option<CellId>),
}

/// What a cell holds.
#[derive(Clone, Debug)]
pub enum Content<'p> {
    /// C v …
    Con(Name, Vec<Value>),
    /// A closure, the plain variables of the function it is in, and what each of its ys is.
    Lam(&'p Lam, &'p Vars, Vec<Value>),
    /// A reference, and what it holds.
    Ref(Value),
}

impl Content<'_> {
    /// The fields.
    pub fn fields(&self) -> &[Value] {
        match self {
            Content::Con(_, fields) | Content::Lam(_, _, fields) => fields,
            Content::Ref(held) => std::slice::from_ref(held),
        }
    }
}

/// A cell with memory.
#[derive(Clone, Debug)]
pub struct Cell<'p> {
    /// How many references there are said to be; 0 for memory that a token holds, whose fields are as they were.
    pub count: u64,
    /// What it holds.
    pub content: Content<'p>,
}

/// Why there is no next step, or what is wrong at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// As in the standard semantics: the program is to blame.
    Stuck(Stuck),
    /// A cell that was freed is looked into, applied, duplicated or tested.
    UseAfterFree,
    /// A cell that was freed is dropped.
    NegativeCount,
    /// `free` or `&x` of a cell with other references.
    FreeOfShared,
    /// `decref` takes the last reference.
    LastReference,
    /// A token is what is no token, is used twice, or its memory has another size.
    BadToken,
    /// A field that is said to be in the memory is not.
    StaleField,
    /// A variable that is said to be never a cell is one.
    NotPlain,
    /// A count is not the number of references.
    Miscount,
    /// A cell is alive that nothing needs.
    Garbage,
    /// Memory is left at the end.
    Leak,
}

impl Fault {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Stuck(why) => why.name(),
            Fault::UseAfterFree => "use-after-free",
            Fault::NegativeCount => "negative-count",
            Fault::FreeOfShared => "free-of-shared",
            Fault::LastReference => "last-reference",
            Fault::BadToken => "bad-token",
            Fault::StaleField => "stale-field",
            Fault::NotPlain => "not-plain",
            Fault::Miscount => "miscount",
            Fault::Garbage => "garbage",
            Fault::Leak => "leak",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Stuck> for Fault {
    fn from(why: Stuck) -> Fault {
        Fault::Stuck(why)
    }
}

/// What was executed. The C that is generated counts the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Memory obtained for a cell.
    pub allocs: u64,
    /// Memory given back.
    pub frees: u64,
    /// Cells built in the memory of a token.
    pub reuses: u64,
    /// Counts that went up.
    pub dups: u64,
    /// Counts that went down, or would have: of `drop`, of the children of what a `drop` freed, and of `decref`.
    pub drops: u64,
    /// `is-unique`s, and those in `drop-reuse`.
    pub tests: u64,
    /// Fields assigned.
    pub writes: u64,
    /// Most cells with memory at once.
    pub peak: u64,
}

/// The heap.
#[derive(Clone, Debug, Default)]
pub struct Heap<'p> {
    cells: FxHashMap<CellId, Cell<'p>>,
    last: u64,
    /// What was executed.
    pub counters: Counters,
}

impl<'p> Heap<'p> {
    /// Cells with memory, in order of their numbers.
    pub fn cells(&self) -> Vec<(CellId, &Cell<'p>)> {
        let mut all: Vec<_> = self.cells.iter().map(|(id, c)| (*id, c)).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// Whether there is no memory in use.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// A cell that is alive.
    ///
    /// # Errors
    /// [`Fault::UseAfterFree`].
    pub fn get(&self, id: CellId) -> Result<&Cell<'p>, Fault> {
        self.cells.get(&id).filter(|c| c.count > 0).ok_or(Fault::UseAfterFree)
    }

    /// A cell, or what memory that a token holds was.
    pub fn memory(&self, id: CellId) -> Option<&Cell<'p>> {
        self.cells.get(&id)
    }

    fn live(&mut self, id: CellId, fault: Fault) -> Result<&mut Cell<'p>, Fault> {
        self.cells.get_mut(&id).filter(|c| c.count > 0).ok_or(fault)
    }

    fn put(&mut self, content: Content<'p>) -> Value {
        self.last += 1;
        let id = CellId(self.last);
        self.cells.insert(id, Cell { count: 1, content });
        let used = u64::try_from(self.cells.len()).expect("cells fit in memory");
        self.counters.peak = self.counters.peak.max(used);
        Value::Cell(id)
    }

    /// A cell in fresh memory.
    pub fn alloc(&mut self, content: Content<'p>) -> Value {
        self.counters.allocs += 1;
        self.counters.writes += u64::try_from(content.fields().len()).expect("fields fit in memory");
        self.put(content)
    }

    /// What a reference holds.
    ///
    /// # Errors
    /// [`Stuck::NotAReference`], [`Fault::UseAfterFree`].
    pub fn held(&self, v: Value) -> Result<Value, Fault> {
        let Value::Cell(id) = v else { return Err(Stuck::NotAReference.into()) };
        match &self.get(id)?.content {
            Content::Ref(held) => Ok(*held),
            Content::Con(..) | Content::Lam(..) => Err(Stuck::NotAReference.into()),
        }
    }

    /// A reference holds something else from now on; what it held.
    ///
    /// # Errors
    /// [`Stuck::NotAReference`], [`Fault::UseAfterFree`].
    pub fn assign(&mut self, v: Value, new: Value) -> Result<Value, Fault> {
        let old = self.held(v)?;
        if let Value::Cell(id) = v {
            self.live(id, Fault::UseAfterFree)?.content = Content::Ref(new);
        }
        self.counters.writes += 1;
        Ok(old)
    }

    /// A constructor in the memory that a token holds, whose kept fields must be there.
    ///
    /// # Errors
    /// [`Fault::BadToken`], [`Fault::StaleField`].
    pub fn reuse(
        &mut self,
        id: CellId,
        name: Name,
        fields: Vec<Value>,
        kept: &[bool],
    ) -> Result<Value, Fault> {
        let old = self.cells.remove(&id).filter(|c| c.count == 0).ok_or(Fault::BadToken)?;
        let old = old.content.fields();
        if old.len() != fields.len() {
            return Err(Fault::BadToken);
        }
        let mut writes = 0;
        for (i, (new, old)) in fields.iter().zip(old).enumerate() {
            let keeps = kept.get(i).copied().unwrap_or(false);
            if keeps && new != old {
                return Err(Fault::StaleField);
            }
            writes += u64::from(!keeps);
        }
        self.counters.reuses += 1;
        self.counters.writes += writes;
        Ok(self.put(Content::Con(name, fields)))
    }

    /// `dup`
    ///
    /// # Errors
    /// [`Fault::UseAfterFree`].
    pub fn dup(&mut self, v: Value) -> Result<(), Fault> {
        if let Value::Cell(id) = v {
            self.live(id, Fault::UseAfterFree)?.count += 1;
            self.counters.dups += 1;
        }
        Ok(())
    }

    /// `drop`, with all that follows.
    ///
    /// # Errors
    /// [`Fault::NegativeCount`].
    pub fn drop(&mut self, v: Value) -> Result<(), Fault> {
        let mut rest = vec![v];
        while let Some(v) = rest.pop() {
            let Value::Cell(id) = v else { continue };
            let cell = self.live(id, Fault::NegativeCount)?;
            if cell.count > 1 {
                cell.count -= 1;
            } else {
                rest.extend(cell.content.fields().iter().rev());
                self.cells.remove(&id);
                self.counters.frees += 1;
            }
            self.counters.drops += 1;
        }
        Ok(())
    }

    /// `decref`
    ///
    /// # Errors
    /// [`Fault::NegativeCount`], [`Fault::LastReference`].
    pub fn decref(&mut self, v: Value) -> Result<(), Fault> {
        let Value::Cell(id) = v else { return Ok(()) };
        let cell = self.live(id, Fault::NegativeCount)?;
        if cell.count == 1 {
            return Err(Fault::LastReference);
        }
        cell.count -= 1;
        self.counters.drops += 1;
        Ok(())
    }

    /// `is-unique`; what is no cell is not.
    ///
    /// # Errors
    /// [`Fault::UseAfterFree`].
    pub fn is_unique(&mut self, v: Value) -> Result<bool, Fault> {
        let Value::Cell(id) = v else { return Ok(false) };
        let unique = self.get(id)?.count == 1;
        self.counters.tests += 1;
        Ok(unique)
    }

    /// `&x`: the memory of a cell that nothing else refers to; its fields stay as they are.
    ///
    /// # Errors
    /// [`Fault::UseAfterFree`], [`Fault::FreeOfShared`].
    pub fn take(&mut self, v: Value) -> Result<Option<CellId>, Fault> {
        let Value::Cell(id) = v else { return Ok(None) };
        let cell = self.live(id, Fault::UseAfterFree)?;
        if cell.count > 1 {
            return Err(Fault::FreeOfShared);
        }
        cell.count = 0;
        Ok(Some(id))
    }

    /// `free`, and `drop-token` of memory.
    ///
    /// # Errors
    /// [`Fault::BadToken`] where no token holds the memory.
    pub fn release(&mut self, token: Option<CellId>) -> Result<(), Fault> {
        let Some(id) = token else { return Ok(()) };
        self.cells.remove(&id).filter(|c| c.count == 0).ok_or(Fault::BadToken)?;
        self.counters.frees += 1;
        Ok(())
    }
}

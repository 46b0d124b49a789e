//! The reference-counted heap semantics. Thesis Fig. 4.7, whose picture is lost: reconstructed from the prose of
//! §4.3.2 and the theorems [P-1]; fields that the pattern does not name go with the cell [P-5], and `ys` is a list [P-6]. Spec:
//! [rule: perceus.heap].
//!
//! ```text
//! H : x ↦ (count ≥ 1, λ^ys x. e | C x₁ … xₙ | ref x)
//! E ::= □ | E e | x E | val x = E; e | C x … E e … | ⊕(x …, E, e …) | f(x …, E, e …)
//! (lam_r)   H | λ^ys x. e          →  H, f ↦¹ λ^ys x. e | f                 f fresh
//! (con_r)   H | C x₁ … xₙ          →  H, z ↦¹ C x₁ … xₙ | z                 z fresh
//! (app_r)   H | f z                →  H | dup ys; drop f; e[x:=z]           f ↦ λ^ys x. e in H
//! (match_r) H | match x { p → e }  →  H | dup z; drop x; eᵢ[bⱼ:=xⱼ]         x ↦ C x₁ … xₙ in H, pᵢ = C b₁ … bₙ, z the xⱼ with bⱼ ≠ _
//! (bind_r)  H | val x = y; e       →  H | e[x:=y]
//! (dup_r)   H, x ↦ⁿ v | dup x; e   →  H, x ↦ⁿ⁺¹ v | e
//! (drop_r)  H, x ↦ⁿ⁺¹ v | drop x; e →  H, x ↦ⁿ v | e                         n ≥ 1
//! (dlam_r)  H, x ↦¹ λ^ys y. e' | drop x; e  →  H | drop ys; e
//! (dcon_r)  H, x ↦¹ C x₁ … xₙ | drop x; e   →  H | drop x₁ … drop xₙ; e
//! ```
//!
//! Extensions: integers are no cells, so that to `dup` or `drop` one is to do nothing; (prim_r); (call_r), which like
//! (bind_r) only substitutes; and reuse, where a matched cell of count 1 gives its memory (§4.2.4):
//!
//! ```text
//! (match_r@) H | match x { p @r → e } →  H | dup z; val r = drop-reuse x; eᵢ[bⱼ:=xⱼ]
//!            H, x ↦¹ C x₁ … xₙ | val r = drop-reuse x; e    →  H | drop x₁ … drop xₙ; e[r:=&x]
//!            H, x ↦ⁿ⁺¹ v | val r = drop-reuse x; e          →  H, x ↦ⁿ v | e[r:=NULL]         n ≥ 1
//! (con_r@)   H | C@&x x₁ … xₙ  →  H, x ↦¹ C x₁ … xₙ | x;    H | C@NULL x₁ … xₙ as (con_r)
//! ```
//!
//! and references, whose reads and assignments own what they are given [P-15]:
//!
//! ```text
//! (ref_r)  H | ref(x)                  →  H, r ↦¹ ref x | r                        r fresh
//! (get_r)  H | get(r)                  →  H | dup x; drop r; x                     r ↦ⁿ ref x in H
//! (set_r)  H, r ↦ⁿ ref y | set(r, x)   →  H, r ↦ⁿ ref x | drop y; drop r; Unit
//! (dref_r) H, r ↦¹ ref x | drop r; e   →  H | drop x; e
//! ```
//!
//! [`Heap`] is H with its counters, [`machine`] the steps, [`reach`] Definition 4.1, [`references`] what counts should be.

pub mod machine;
pub mod reach;
pub mod references;

use crate::canon::{self, Id, Met, Table};
use crate::env::Env;
use crate::stuck::Stuck;
use crate::syntax::Expr;
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use std::fmt;

/// A cell: its number, from 1 in order of allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId(pub u64);

/// What a variable stands for at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ref {
    /// A cell.
    Cell(CellId),
    /// An integer, which is no cell.
    Int(i64),
    /// A reuse token: the memory of a cell, or NULL.
    Token(Option<CellId>),
}

impl Ref {
    /// The cell, where this is one.
    pub fn cell(self) -> Option<CellId> {
        match self {
            Ref::Cell(c) => Some(c),
            Ref::Int(_) | Ref::Token(_) => None,
        }
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ref::Cell(CellId(n)) => write!(f, "#{n}"),
            Ref::Int(n) => write!(f, "{n}"),
            Ref::Token(Some(CellId(n))) => write!(f, "&#{n}"),
            Ref::Token(None) => f.write_str("NULL"),
        }
    }
}

/// What a cell holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// λ^ys x. e. Two of the ys may be one cell: each is a reference.
    Lam {
        /// What each captured variable stands for.
        ys: Vec<(Name, Ref)>,
        /// x
        param: Name,
        /// e
        body: Expr,
    },
    /// C x₁ … xₙ
    Con(Name, Vec<Ref>),
    /// ref x
    Ref(Ref),
}

impl Content {
    /// The references in it.
    pub fn refs(&self) -> Box<dyn Iterator<Item = Ref> + '_> {
        match self {
            Content::Lam { ys, .. } => Box::new(ys.iter().map(|(_, r)| *r)),
            Content::Con(_, fields) => Box::new(fields.iter().copied()),
            Content::Ref(held) => Box::new(std::iter::once(*held)),
        }
    }
}

/// A cell that is alive.
#[derive(Clone, Debug)]
pub struct Cell {
    /// How many references there are said to be.
    pub count: u64,
    /// What it holds.
    pub content: Content,
}

/// What was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Cells allocated: lam_r, con_r.
    pub allocs: u64,
    /// Cells freed: dlam_r, dcon_r.
    pub frees: u64,
    /// dup_r.
    pub dups: u64,
    /// drop_r, dlam_r, dcon_r.
    pub drops: u64,
    /// Most cells alive at once.
    pub peak: u64,
    /// Constructor cells of arity at least 1 that were allocated.
    pub fresh: u64,
    /// Constructor cells of arity at least 1 built in the memory of a matched cell.
    pub reused: u64,
}

/// H.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    cells: FxHashMap<CellId, Cell>,
    last: u64,
    /// What was executed.
    pub counters: Counters,
}

impl Heap {
    /// ∅.
    pub fn new() -> Heap {
        Heap::default()
    }

    /// The cells alive, in order of their numbers.
    pub fn cells(&self) -> Vec<(CellId, &Cell)> {
        let mut all: Vec<(CellId, &Cell)> = self.cells.iter().map(|(c, cell)| (*c, cell)).collect();
        all.sort_unstable_by_key(|(c, _)| *c);
        all
    }

    /// How many cells are alive.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether no cell is alive.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// A cell that is alive.
    pub fn get(&self, c: CellId) -> Option<&Cell> {
        self.cells.get(&c)
    }

    /// x ↦¹ content, in a fresh cell.
    pub fn alloc(&mut self, content: Content) -> CellId {
        self.last += 1;
        let c = CellId(self.last);
        self.counters.allocs += 1;
        self.counters.fresh += u64::from(is_sizeable(&content));
        self.put(c, content);
        c
    }

    /// x ↦¹ content, in the memory that a token names; allocated freshly for NULL.
    pub fn alloc_at(&mut self, token: Option<CellId>, content: Content) -> CellId {
        let Some(c) = token else { return self.alloc(content) };
        self.counters.reused += u64::from(is_sizeable(&content));
        self.put(c, content);
        c
    }

    fn put(&mut self, c: CellId, content: Content) {
        self.cells.insert(c, Cell { count: 1, content });
        let alive = u64::try_from(self.cells.len()).expect("cells fit in memory");
        self.counters.peak = self.counters.peak.max(alive);
    }

    /// (dup_r). Integers and tokens are no cells.
    ///
    /// # Errors
    /// [`Stuck::UseAfterFree`].
    pub fn dup(&mut self, r: Ref) -> Result<(), Stuck> {
        if let Some(c) = r.cell() {
            self.cells.get_mut(&c).ok_or(Stuck::UseAfterFree)?.count += 1;
            self.counters.dups += 1;
        }
        Ok(())
    }

    /// (drop_r), (dlam_r) or (dcon_r): what must be dropped next, in order, if the cell was freed.
    ///
    /// # Errors
    /// [`Stuck::NegativeCount`].
    pub fn drop(&mut self, r: Ref) -> Result<Vec<Ref>, Stuck> {
        let Some(c) = r.cell() else { return Ok(Vec::new()) };
        let cell = self.cells.get_mut(&c).ok_or(Stuck::NegativeCount)?;
        self.counters.drops += 1;
        cell.count -= 1;
        if cell.count > 0 {
            return Ok(Vec::new());
        }
        self.counters.frees += 1;
        let cell = self.cells.remove(&c).ok_or(Stuck::NegativeCount)?;
        Ok(cell.content.refs().collect())
    }

    /// What a reference holds.
    ///
    /// # Errors
    /// [`Stuck::NotAReference`], [`Stuck::UseAfterFree`].
    pub fn held(&self, r: Ref) -> Result<Ref, Stuck> {
        let c = r.cell().ok_or(Stuck::NotAReference)?;
        match &self.cells.get(&c).ok_or(Stuck::UseAfterFree)?.content {
            Content::Ref(held) => Ok(*held),
            Content::Lam { .. } | Content::Con(..) => Err(Stuck::NotAReference),
        }
    }

    /// A reference holds something else from now on; what it held.
    ///
    /// # Errors
    /// [`Stuck::NotAReference`], [`Stuck::UseAfterFree`].
    pub fn assign(&mut self, r: Ref, new: Ref) -> Result<Ref, Stuck> {
        let old = self.held(r)?;
        if let Some(cell) = r.cell().and_then(|c| self.cells.get_mut(&c)) {
            cell.content = Content::Ref(new);
        }
        Ok(old)
    }

    /// `drop-reuse`: the token, and what must be dropped next.
    ///
    /// # Errors
    /// [`Stuck::NegativeCount`].
    pub fn drop_reuse(&mut self, r: Ref) -> Result<(Option<CellId>, Vec<Ref>), Stuck> {
        let c = r.cell().ok_or(Stuck::MatchNonConstructor)?;
        let alive = self.cells.len();
        let children = self.drop(r)?;
        Ok(((self.cells.len() < alive).then_some(c), children))
    }

    /// \[H\]x in canonical form, `dup` and `drop` erased.
    pub fn canonical(&self, table: &mut Table, r: Ref) -> Id {
        let (mut met, mut contents) = (Met::new(), Vec::new());
        let value = self.canon(table, r, &mut met);
        while let Some(r) = met.locations.get(contents.len()).copied() {
            let held = self.held(r).unwrap_or(r);
            contents.push(self.canon(table, held, &mut met));
        }
        table.store(value, contents)
    }

    fn canon(&self, table: &mut Table, r: Ref, met: &mut Met<Ref>) -> Id {
        if let Some(id) = met.known.get(&r) {
            return *id;
        }
        let id = crate::deep(|| match r {
            Ref::Int(n) => table.int(n),
            Ref::Token(_) => table.con(Name::new("&"), Vec::new()),
            Ref::Cell(c) => match self.get(c).map(|cell| &cell.content) {
                None => table.con(Name::new("dangling"), Vec::new()),
                Some(Content::Con(name, fields)) => {
                    let fields = fields.iter().map(|f| self.canon(table, *f, met)).collect();
                    table.con(*name, fields)
                }
                Some(Content::Lam { ys, param, body }) => {
                    let (body, all): (Expr, Env<Ref>) = (body.erased(), ys.iter().copied().collect());
                    let captured = canon::captured(*param, &body).into_iter();
                    let captured = captured.filter_map(|y| Some((y, all.get(y)?)));
                    let env: Env<Id> = captured.map(|(y, r)| (y, self.canon(table, r, met))).collect();
                    table.lambda(*param, &body, &|y| env.get(y))
                }
                Some(Content::Ref(_)) => met.reference(table, r),
            },
        });
        met.known.insert(r, id);
        id
    }
}

/// Whether this is a constructor with fields: one that has memory to reuse.
fn is_sizeable(content: &Content) -> bool {
    match content {
        Content::Con(_, fields) => !fields.is_empty(),
        Content::Lam { .. } | Content::Ref(_) => false,
    }
}

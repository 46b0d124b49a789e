//! Which buffers are read before they are written: reading ⊥ is allowed in the language, and must be
//! harmless in C. Such buffers begin with zeros. Spec: [rule: c.unset].

mod cells;

use crate::c::part::{PartExpr, part_of};
use crate::c::range::{self, Interval, Leaf};
use crate::c::usage::Program;
use crate::memory::Memories;
use cells::{Coord, Shape, View};
use fixedbitset::FixedBitSet;
use rewright_semantics::ast::{Block, Expr, ExprKind, Literal, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_expr, operands};
use rewright_semantics::types::{ArgType, BufferType, MemName};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A buffer that is followed.
#[derive(Clone, Debug)]
struct Buffer {
    shape: Shape,
    /// Whether it counts as written only where every way through the program writes it: a scalar, registers.
    on_every_way: bool,
    is_registers: bool,
}

/// What a procedure does with an argument to which nothing was written.
#[derive(Clone, Debug, Default)]
struct FirstUse {
    /// Whether it reads what it did not write.
    reads: bool,
    /// Whether it writes any of it, on some way.
    writes: bool,
    /// The cells that are written when it returns.
    written: FixedBitSet,
}

/// What each procedure of a program does first with each of its arguments, when nothing was written to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstUses(FxHashMap<*const Proc, Vec<FirstUse>>);

impl FirstUses {
    /// Of all procedures of a program.
    pub(crate) fn of(program: &Program, memories: &Memories) -> FirstUses {
        let mut out = FirstUses::default();
        for (_, p, usage) in program.procs() {
            let mut flow = Flow::new(&out, memories);
            for arg in &p.args {
                if let ArgType::Data { typ, mem } = &arg.typ {
                    flow.follow(arg.name, typ, *mem);
                }
            }
            flow.block(&p.body);
            let first_use = |x: Sym| FirstUse {
                reads: flow.found.contains(&x),
                writes: usage.written.contains(&x),
                written: flow.written.get(&x).cloned().unwrap_or_default(),
            };
            let uses = p.args.iter().map(|a| first_use(a.name)).collect();
            out.0.insert(Arc::as_ptr(p), uses);
        }
        out
    }

    fn of_argument(&self, p: &Arc<Proc>, k: usize) -> FirstUse {
        self.0.get(&Arc::as_ptr(p)).and_then(|uses| uses.get(k)).cloned().unwrap_or_default()
    }
}

/// The buffers of a block, and of those inside it, that may be read before they are written.
///
/// Of scalars and registers every way through the program counts. Of an array in memory it counts what is written to it
/// on any way, each loop's iterator taken for every number between its bounds: which cells a guard or a size leaves
/// out, no type tells. Of registers, also whether an instruction's body writes a whole one: its C may read what its
/// body leaves alone.
pub(crate) fn read_unset(b: &Block, callees: &FirstUses, memories: &Memories) -> BTreeSet<Sym> {
    let mut flow = Flow::new(callees, memories);
    flow.block(b);
    flow.found
}

/// What was written to each buffer, at a place.
type Written = FxHashMap<Sym, FixedBitSet>;

/// One way through a program, all buffers at once: what a branch costs is what it changes.
struct Flow<'a> {
    callees: &'a FirstUses,
    memories: &'a Memories,
    buffers: FxHashMap<Sym, Buffer>,
    /// What buffers and windows are of which buffers.
    views: FxHashMap<Sym, View>,
    /// What the iterators of the loops come to.
    iters: FxHashMap<Sym, Interval>,
    /// Of buffers that something was written to.
    written: Written,
    /// What was written to a buffer before that changed, in the order of the changes.
    before: Vec<(Sym, Option<FixedBitSet>)>,
    /// Those that were read where they were not written.
    found: BTreeSet<Sym>,
}

impl<'a> Flow<'a> {
    fn new(callees: &'a FirstUses, memories: &'a Memories) -> Flow<'a> {
        Flow {
            callees,
            memories,
            buffers: FxHashMap::default(),
            views: FxHashMap::default(),
            iters: FxHashMap::default(),
            written: Written::default(),
            before: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    fn follow(&mut self, x: Sym, typ: &BufferType, mem: MemName) {
        let shape = Shape::of(typ);
        let is_registers = self.memories.is_registers(mem);
        self.views.insert(x, View::whole(x, &shape));
        self.buffers.insert(x, Buffer { shape, on_every_way: is_registers || typ.rank() == 0, is_registers });
        self.set(x, None);
    }

    fn set(&mut self, x: Sym, cells: Option<FixedBitSet>) {
        let old = match cells {
            Some(cells) => self.written.insert(x, cells),
            None => self.written.remove(&x),
        };
        self.before.push((x, old));
    }

    fn is_all_written(&self, x: Sym) -> bool {
        let count = self.buffers.get(&x).map(|b| b.shape.count());
        self.written.get(&x).map(|cells| cells.count_ones(..)) == count
    }

    fn writes(&mut self, x: Sym, cells: &FixedBitSet) {
        let mut all = self.written.get(&x).cloned().unwrap_or_default();
        all.union_with(cells);
        if self.written.get(&x) != Some(&all) {
            self.set(x, Some(all));
        }
    }

    /// A part is read; only the first time that it is found unset counts.
    fn reads(&mut self, x: Sym, buffer: &Buffer, cells: &FixedBitSet) {
        if !self.written.get(&x).is_some_and(|written| cells.is_subset(written)) {
            self.found.insert(x);
            self.set(x, Some(buffer.shape.all()));
        }
    }

    /// What an expression is a part of, if that is followed.
    fn part(&self, name: Sym, coords: &[Coord]) -> Option<(View, Buffer)> {
        let view = self.views.get(&name)?;
        Some((view.at(coords), self.buffers.get(&view.root)?.clone()))
    }

    fn reads_at(&mut self, name: Sym, idx: &[Expr]) {
        if self.views.get(&name).is_none_or(|v| self.is_all_written(v.root)) {
            return;
        }
        if let Some((view, buffer)) = self.part(name, &self.points(idx)) {
            self.reads(view.root, &buffer, &view.cells(&buffer.shape));
        }
    }

    fn writes_at(&mut self, name: Sym, idx: &[Expr]) {
        if self.views.get(&name).is_none_or(|v| self.is_all_written(v.root)) {
            return;
        }
        if let Some((view, buffer)) = self.part(name, &self.points(idx)) {
            self.writes(view.root, &view.cells(&buffer.shape));
        }
    }

    fn points(&self, idx: &[Expr]) -> Vec<Coord> {
        idx.iter().map(|e| Coord::At(self.value(e))).collect()
    }

    fn coords(&self, w: &WindowExpr) -> Vec<Coord> {
        let coord = |c: &WinCoord| match c {
            WinCoord::Point(e) => Coord::At(self.value(e)),
            WinCoord::Interval(lo, hi) => Coord::From(self.value(lo), self.value(hi)),
        };
        w.idx.iter().map(coord).collect()
    }

    /// What a control expression may come to.
    fn value(&self, e: &Expr) -> Interval {
        let any = Interval::new(i64::MIN.into(), i64::MAX.into());
        range::value(e, &|leaf| match leaf {
            Leaf::Var(x) => self.iters.get(&x).copied().unwrap_or(any),
            Leaf::Stride | Leaf::Field(..) | Leaf::Data => any,
        })
    }

    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        match &*s.kind {
            StmtKind::Call { proc, args } => self.call(proc, args),
            StmtKind::WindowStmt { name, rhs } => {
                if let Some((view, _)) = self.part(rhs.name, &self.coords(rhs)) {
                    self.views.insert(*name, view);
                }
            }
            StmtKind::Assign { name, idx, .. } => {
                self.exprs(s);
                self.writes_at(*name, idx);
            }
            StmtKind::Reduce { name, idx, .. } => {
                self.exprs(s);
                self.reads_at(*name, idx);
            }
            StmtKind::If { body, orelse, .. } => {
                self.exprs(s);
                let (a, b) = (self.branch(body), self.branch(orelse));
                self.join(&a, &b);
            }
            StmtKind::For { iter, lo, hi, body, .. } => {
                self.for_(*iter, &self.value(lo), &self.value(hi), body)
            }
            StmtKind::Alloc { name, typ, mem } => self.follow(*name, typ, *mem),
            StmtKind::WriteConfig { .. } => self.exprs(s),
            StmtKind::Pass => {}
        }
    }

    fn for_(&mut self, iter: Sym, lo: &Interval, hi: &Interval, body: &Block) {
        self.iters.insert(iter, Interval::new(lo.lo, hi.hi.saturating_sub(1)));
        let after = self.branch(body);
        let never_runs = hi.hi <= lo.lo;
        if never_runs {
            // Its C is there all the same, and compilers complain of what it would read.
            return;
        }
        let surely_runs = lo.hi < hi.lo;
        let skipped = Written::default();
        self.join(&after, if surely_runs { &after } else { &skipped });
    }

    fn exprs(&mut self, s: &Stmt) {
        for e in operands(s) {
            each_expr(e, &mut |e| {
                if let Some((name, idx)) = e.kind.read() {
                    self.reads_at(name, idx);
                }
            });
        }
    }

    /// What is written after a block, of the buffers that it changes; all of them are as before again.
    fn branch(&mut self, b: &Block) -> Written {
        let start = self.before.len();
        self.block(b);
        let changes = self.before.split_off(start);
        let after = changes.iter().filter_map(|(x, _)| Some((*x, self.written.get(x)?.clone()))).collect();
        for (x, old) in changes.into_iter().rev() {
            match old {
                Some(cells) => self.written.insert(x, cells),
                None => self.written.remove(&x),
            };
        }
        after
    }

    /// After one of two ways, from here.
    fn join(&mut self, a: &Written, b: &Written) {
        let both = a.keys().chain(b.keys().filter(|x| !a.contains_key(x)));
        for x in both {
            let here = self.written.get(x);
            let mut cells = a.get(x).or(here).cloned().unwrap_or_default();
            let other = b.get(x).or(here).cloned().unwrap_or_default();
            if self.buffers.get(x).is_some_and(|b| b.on_every_way) {
                cells.intersect_with(&other);
            } else {
                cells.union_with(&other);
            }
            if here != Some(&cells) {
                self.set(*x, Some(cells));
            }
        }
    }

    /// After a call: what the callee does first with what it is passed.
    fn call(&mut self, p: &Arc<Proc>, args: &[Expr]) {
        let passed: Vec<(FirstUse, bool, View, Buffer)> = (0..)
            .zip(args)
            .filter_map(|(k, e)| {
                let (view, buffer) = self.passed(e)?;
                Some((self.callees.of_argument(p, k), overwrites(p, k), view, buffer))
            })
            .collect();
        for (first, overwrites, view, buffer) in &passed {
            if first.reads || buffer.is_registers && first.writes && !overwrites {
                self.reads(view.root, buffer, &view.cells(&buffer.shape));
            }
        }
        for (first, _, view, buffer) in &passed {
            if !first.written.is_clear() {
                self.writes(view.root, &through(&first.written, &view.cells(&buffer.shape)));
            }
        }
    }

    /// The part of a buffer that an argument is.
    fn passed(&self, e: &Expr) -> Option<(View, Buffer)> {
        match part_of(e)? {
            PartExpr::Read(name, idx) => self.part(name, &self.points(idx)),
            PartExpr::Window(w) => self.part(w.name, &self.coords(w)),
        }
    }
}

/// Cells of an argument as cells of the buffer that a part of is passed: one by one where that part is known to have as
/// many, otherwise the whole part.
fn through(cells: &FixedBitSet, part: &FixedBitSet) -> FixedBitSet {
    if cells.len() != part.count_ones(..) {
        return part.clone();
    }
    let mut all = FixedBitSet::with_capacity(part.len());
    all.extend(part.ones().zip(0..).filter_map(|(at, k)| cells.contains(k).then_some(at)));
    all
}

/// Whether a procedure writes all of a vector that it is given: in a loop over it that assigns each cell.
fn overwrites(p: &Proc, k: usize) -> bool {
    let Some((x, ArgType::Data { typ, .. })) = p.args.get(k).map(|a| (a.name, &a.typ)) else { return false };
    let [extent] = &*typ.shape else { return false };
    p.body.iter().any(|s| match &*s.kind {
        StmtKind::For { iter, lo, hi, body, .. } => {
            matches!(lo.kind, ExprKind::Lit(Literal::Int(0)))
                && hi.kind == extent.kind
                && assigns(body, x, *iter)
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => false,
    })
}

/// Whether every way through a block assigns to `x[i]`.
fn assigns(b: &Block, x: Sym, i: Sym) -> bool {
    let is_i = |e: &Expr| matches!(&e.kind, ExprKind::Read { name, idx } if *name == i && idx.is_empty());
    b.iter().any(|s| match &*s.kind {
        StmtKind::Assign { name, idx, .. } => *name == x && matches!(&**idx, [e] if is_i(e)),
        StmtKind::If { body, orelse, .. } => assigns(body, x, i) && assigns(orelse, x, i),
        StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => false,
    })
}

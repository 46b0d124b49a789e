//! Whether what a configuration field holds depends on iterations of loops: Exo 1.0.0 asks that none does, in whatever order the
//! statements stand. Spec: [rule: frontend.strict].

use super::{Finding, Requirement, Subject};
use crate::effexpr::EffExpr;
use crate::env::Field;
use crate::names::{expr_names, fields_in_expr};
use crate::obligation::{ConditionId, Model, Obligation, Verdict};
use rewright_semantics::ast::{Block, Expr, ExprKind, Proc, Stmt, StmtKind, WindowExpr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{coords, each_expr, each_operand, each_stmt};
use rewright_semantics::types::ArgType;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

/// A field that is given what depends on a loop.
pub const CONFIG_ITERATION: ConditionId = ConditionId("config.iteration");

/// The fields whose values may depend on a loop of the procedure, each where it is first given such a value.
pub(super) fn fields_by_iteration(p: &Proc) -> Vec<Finding> {
    let mut flow = Flow::default();
    flow.block(&p.body);
    let mut reported = BTreeSet::new();
    let mut out = Vec::new();
    for write in &flow.writes {
        let found = flow.loop_behind(&write.from);
        if let Some(path) = found.filter(|_| reported.insert(write.field)) {
            out.push(refused(p, write, &path));
        }
    }
    out
}

/// `path` leads from what the write reads to the variable of a loop.
fn refused(p: &Proc, write: &Write, path: &[Place]) -> Finding {
    let field = write.field.var();
    let iter = path.last().map(ToString::to_string).unwrap_or_default();
    let sentence = format!("what `{field}` is given does not depend on iterations of `{}`", p.name);
    let obligation =
        Obligation::new(CONFIG_ITERATION, sentence, EffExpr::bool(false)).at(write.at, "this write");
    let danger = format!("`{field}` is given what may depend on the loop over `{iter}`");
    let path = path.iter().map(ToString::to_string).collect();
    let requirement = Requirement { obligation, subject: Subject::Dependent { path }, danger };
    Finding { requirement, verdict: Verdict::Refuted { model: Model::default() } }
}

/// What has a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// A buffer, whatever window shows it, an argument, or the variable of a loop.
    Local(Sym),
    Global(Field),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Local(x) => write!(f, "{x}"),
            Place::Global(field) => write!(f, "{}", field.var()),
        }
    }
}

/// A statement that gives a field a value, itself or in a procedure that it calls.
struct Write {
    field: Field,
    at: Span,
    /// What the value, and whether there is one, directly depends on.
    from: BTreeSet<Place>,
}

/// What a procedure does with the names of its arguments, and fields.
#[derive(Default)]
struct Use {
    /// The names in its expressions.
    read: BTreeSet<Sym>,
    /// The names that it assigns, reduces, or passes to a procedure that does.
    written: BTreeSet<Sym>,
    fields_read: BTreeSet<Field>,
    fields_written: BTreeSet<Field>,
}

/// What depends directly on what, gathered on the way through a procedure.
#[derive(Default)]
struct Flow {
    /// The buffers that windows show.
    shown: BTreeMap<Sym, Sym>,
    on: BTreeMap<Place, BTreeSet<Place>>,
    /// What decides whether the statement at hand runs.
    control: BTreeSet<Place>,
    loops: BTreeSet<Sym>,
    writes: Vec<Write>,
    uses: FxHashMap<*const Proc, Arc<Use>>,
}

impl Flow {
    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs } | StmtKind::Reduce { name, idx, rhs } => {
                let from = self.places(idx.iter().chain([rhs]));
                self.depends(Place::Local(self.buffer(*name)), &from);
            }
            StmtKind::WriteConfig { config, field, rhs } => {
                let from = self.places([rhs]);
                self.write(Field::of(config, *field), s.span, &from);
            }
            StmtKind::WindowStmt { name, rhs } => {
                let buffer = self.buffer(rhs.name);
                self.shown.insert(*name, buffer);
                let from = self.window(rhs);
                self.on.entry(Place::Local(buffer)).or_default().extend(from);
            }
            StmtKind::If { cond, body, orelse } => {
                let before = self.control.clone();
                self.control.extend(self.places([cond]));
                self.block(body);
                self.block(orelse);
                self.control = before;
            }
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                let before = self.control.clone();
                let bounds = self.places([lo, hi]);
                self.loops.insert(*iter);
                self.on.entry(Place::Local(*iter)).or_default().extend(bounds.iter().copied());
                self.control.extend(bounds);
                self.block(body);
                self.control = before;
            }
            StmtKind::Call { proc, args } => self.call(proc, args, s.span),
            StmtKind::Pass | StmtKind::Alloc { .. } => {}
        }
    }

    /// All that a callee writes may depend on all that it reads.
    fn call(&mut self, callee: &Arc<Proc>, args: &[Expr], at: Span) {
        let used = self.used(callee);
        let mut from: BTreeSet<Place> = used.fields_read.iter().copied().map(Place::Global).collect();
        for (formal, actual) in callee.args.iter().zip(args) {
            if matches!(formal.typ, ArgType::Control(_)) || used.read.contains(&formal.name) {
                from.extend(self.places([actual]));
            }
        }
        for (formal, actual) in callee.args.iter().zip(args) {
            if let Some(name) = actual.kind.passed_buffer().filter(|_| used.written.contains(&formal.name)) {
                self.depends(Place::Local(self.buffer(name)), &from);
            }
        }
        used.fields_written.iter().for_each(|field| self.write(*field, at, &from));
    }

    fn depends(&mut self, place: Place, from: &BTreeSet<Place>) {
        let on = self.on.entry(place).or_default();
        on.extend(from);
        on.extend(&self.control);
    }

    fn write(&mut self, field: Field, at: Span, from: &BTreeSet<Place>) {
        self.depends(Place::Global(field), from);
        let from = from.union(&self.control).copied().collect();
        self.writes.push(Write { field, at, from });
    }

    fn buffer(&self, x: Sym) -> Sym {
        self.shown.get(&x).copied().unwrap_or(x)
    }

    fn window(&self, w: &WindowExpr) -> BTreeSet<Place> {
        let mut out = self.places(coords(w));
        out.insert(Place::Local(self.buffer(w.name)));
        out
    }

    /// What expressions read. A stride belongs to no value.
    fn places<'a>(&self, es: impl IntoIterator<Item = &'a Expr>) -> BTreeSet<Place> {
        let mut out = BTreeSet::new();
        for e in es {
            each_expr(e, &mut |e| match &e.kind {
                ExprKind::Read { name, idx: _ } => out.extend([Place::Local(self.buffer(*name))]),
                ExprKind::Window(w) => out.extend([Place::Local(self.buffer(w.name))]),
                ExprKind::ReadConfig { config, field } => {
                    out.extend([Place::Global(Field::of(config, *field))]);
                }
                ExprKind::Lit(_)
                | ExprKind::Neg(_)
                | ExprKind::Not(_)
                | ExprKind::Bin { .. }
                | ExprKind::Extern { .. }
                | ExprKind::Stride { .. } => {}
            });
        }
        out
    }

    fn used(&mut self, p: &Arc<Proc>) -> Arc<Use> {
        if let Some(known) = self.uses.get(&Arc::as_ptr(p)) {
            return known.clone();
        }
        let mut out = Use::default();
        each_stmt(&p.body, &mut |s| {
            each_operand(s, &mut |_, e| out.reads(e));
            match s.kind.as_ref() {
                StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => {
                    out.written.insert(*name);
                }
                // A register that an instruction sets, and nothing else can, is no one's value.
                StmtKind::WriteConfig { config, .. } if p.instr.is_some() && !config.direct_access => {}
                StmtKind::WriteConfig { config, field, rhs: _ } => {
                    out.fields_written.insert(Field::of(config, *field));
                }
                StmtKind::WindowStmt { name: _, rhs } => {
                    out.read.insert(rhs.name);
                }
                StmtKind::Call { proc, args } => {
                    let inner = self.used(proc);
                    out.fields_read.extend(&inner.fields_read);
                    out.fields_written.extend(&inner.fields_written);
                    let passed = proc.args.iter().zip(args.iter());
                    let changed = passed.filter(|(formal, _)| inner.written.contains(&formal.name));
                    out.written.extend(changed.filter_map(|(_, actual)| actual.kind.passed_buffer()));
                }
                StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::Pass | StmtKind::Alloc { .. } => {}
            }
        });
        let out = Arc::new(out);
        self.uses.insert(Arc::as_ptr(p), out.clone());
        out
    }

    /// The shortest way from what a value depends on to the variable of a loop.
    fn loop_behind(&self, from: &BTreeSet<Place>) -> Option<Vec<Place>> {
        let mut seen = from.clone();
        let mut paths: VecDeque<Vec<Place>> = from.iter().map(|place| vec![*place]).collect();
        while let Some(path) = paths.pop_front() {
            let last = *path.last()?;
            if matches!(last, Place::Local(x) if self.loops.contains(&x)) {
                return Some(path);
            }
            for next in self.on.get(&last).into_iter().flatten() {
                if seen.insert(*next) {
                    paths.push_back(path.iter().copied().chain([*next]).collect());
                }
            }
        }
        None
    }
}

impl Use {
    fn reads(&mut self, e: &Expr) {
        self.read.extend(expr_names(e));
        fields_in_expr(e, &mut |config, field| {
            self.fields_read.insert(Field::of(config, field));
        });
    }
}

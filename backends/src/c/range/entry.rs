//! What is known where a function is entered: what its callers promise, and what the calls in the unit pass.
//! Spec: [rule: c.entry].

use super::Width;
use super::control::{self, Leaf};
use super::interval::Interval;
use crate::c::usage::{Field, ProcId, Program};
use rewright_semantics::ast::{Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, ControlType, FieldType};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The intervals of control arguments and fields at the entry of each function of a unit.
#[derive(Clone, Debug)]
pub struct Entry {
    width: Width,
    /// What is called from outside.
    public: BTreeSet<ProcId>,
    arguments: BTreeMap<(ProcId, usize), Interval>,
    fields: BTreeMap<Field, Interval>,
    /// The control fields of the context by their paths.
    pub(super) by_path: Arc<BTreeMap<String, Interval>>,
}

/// How often the fields are looked at again before one that still grows may be anything.
const ROUNDS: usize = 3;

impl Entry {
    /// The intervals of a program: from outside comes what is promised, where a function is `public`, from calls in
    /// the unit what these pass, and fields are what is promised or written.
    pub(crate) fn of(
        program: &Program,
        public: &BTreeSet<ProcId>,
        width: Width,
        paths: &BTreeMap<String, (Field, ControlType)>,
    ) -> Entry {
        let (arguments, fields) = (BTreeMap::new(), BTreeMap::new());
        let mut entry = Entry { width, public: public.clone(), arguments, fields, by_path: Arc::default() };
        for round in 0_usize.. {
            let before = entry.fields.clone();
            entry.pass(program);
            let grown: Vec<Field> =
                entry.fields.iter().filter(|(f, i)| before.get(*f) != Some(i)).map(|(f, _)| *f).collect();
            if grown.is_empty() {
                break;
            }
            if round >= ROUNDS {
                entry.fields.extend(grown.into_iter().map(|f| (f, width.half())));
            }
        }
        let by_path = paths.iter().map(|(path, (f, t))| (path.clone(), entry.field(*f, *t))).collect();
        entry.by_path = Arc::new(by_path);
        entry
    }

    /// What a caller promises of a control value of this type.
    pub(crate) fn promised(width: Width, t: ControlType) -> Interval {
        let most = i128::from(width.argument());
        match t {
            ControlType::Size => Interval::new(1, most),
            ControlType::Int | ControlType::Index => Interval::around(most),
            ControlType::Stride => Interval::around(width.cells()),
            ControlType::Bool => Interval::new(0, 1),
        }
    }

    /// A control argument, where its function is entered.
    pub(crate) fn argument(&self, id: ProcId, k: usize, t: ControlType) -> Interval {
        let promised = Entry::promised(self.width, t);
        let all = match self.arguments.get(&(id, k)) {
            Some(passed) if self.public.contains(&id) => passed.hull(promised),
            Some(passed) => *passed,
            None => promised,
        };
        self.held(all, t)
    }

    /// A control field.
    pub(crate) fn field(&self, f: Field, t: ControlType) -> Interval {
        let promised = Entry::promised(self.width, t);
        let all = self.fields.get(&f).map_or(promised, |written| written.hull(promised));
        self.held(all, t)
    }

    /// What a field is held to: all that is written, or half of the range where that is not enough.
    fn kept(&self, all: Interval) -> Interval {
        if all.is_within(self.width.half()) { all } else { self.width.half() }
    }

    /// What of an interval can be a value of this type: what is beyond has been refused where it was made.
    fn held(&self, all: Interval, t: ControlType) -> Interval {
        let range = self.width.range();
        let least = if t == ControlType::Size { 1 } else { range.lo };
        all.meet(Interval::new(least, range.hi))
    }

    /// Goes through all procedures once, callers before callees.
    fn pass(&mut self, program: &Program) {
        // What an instruction does, its body says.
        let procs: Vec<_> = program.procs().collect();
        for (id, p, _) in procs.into_iter().rev() {
            let mut vars = BTreeMap::new();
            for (k, a) in p.args.iter().enumerate() {
                if let ArgType::Control(t) = a.typ {
                    vars.insert(a.name, self.argument(id, k, t));
                }
            }
            self.block(&p.body, &mut vars, program);
        }
    }

    fn block(&mut self, b: &Block, vars: &mut BTreeMap<Sym, Interval>, program: &Program) {
        b.iter().for_each(|s| self.stmt(s, vars, program));
    }

    fn stmt(&mut self, s: &Stmt, vars: &mut BTreeMap<Sym, Interval>, program: &Program) {
        match &*s.kind {
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                let (lo, hi) = (self.value(lo, vars), self.value(hi, vars));
                vars.insert(*iter, Interval::new(lo.lo, hi.hi.saturating_sub(1)));
                self.block(body, vars, program);
            }
            StmtKind::If { cond: _, body, orelse } => {
                self.block(body, vars, program);
                self.block(orelse, vars, program);
            }
            StmtKind::WriteConfig { config, field, rhs } => {
                if let Some(FieldType::Control(_)) = config.field(*field).map(|f| f.typ) {
                    let value = self.value(rhs, vars);
                    let key = (config.name, *field);
                    let all = self.fields.get(&key).map_or(value, |old| old.hull(value));
                    // What does not fit is checked or refused where it is written.
                    self.fields.insert(key, self.kept(all));
                }
            }
            StmtKind::Call { proc, args } => {
                if let Some(id) = program.id(proc) {
                    self.call(id, proc, args, vars);
                }
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => {}
        }
    }

    fn call(&mut self, id: ProcId, callee: &Proc, args: &[Expr], vars: &BTreeMap<Sym, Interval>) {
        for (k, (formal, actual)) in callee.args.iter().zip(args).enumerate() {
            if let ArgType::Control(_) = formal.typ {
                let value = self.value(actual, vars);
                let all = self.arguments.get(&(id, k)).map_or(value, |old| old.hull(value));
                self.arguments.insert((id, k), all);
            }
        }
    }

    /// What a control expression comes to.
    fn value(&self, e: &Expr, vars: &BTreeMap<Sym, Interval>) -> Interval {
        control::value(e, &|leaf| match leaf {
            Leaf::Var(x) => vars.get(&x).copied().unwrap_or_else(|| self.width.range()),
            Leaf::Stride => Interval::new(0, self.width.cells()),
            Leaf::Field(config, field) => match config.field(field).map(|f| f.typ) {
                Some(FieldType::Control(t)) => self.field((config.name, field), t),
                Some(FieldType::Data(_)) | None => self.width.range(),
            },
            Leaf::Data => self.width.range(),
        })
    }
}

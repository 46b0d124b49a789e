//! Random arguments for a primitive, from the kinds of its parameters and from what the program holds.

mod callees;
mod memories;
mod pairs;

use crate::rng::Rng;
use memories::memories;
use rewright_primitives::cursor::fragment::printed_if_hidden;
use rewright_primitives::cursor::path::{
    ExprPath, ExprStep, Gap, Hole, Place, Side, Step, block_of, expr_in, member, stmt_at,
};
use rewright_primitives::cursor::resolve::Sort;
use rewright_primitives::registry::{ArgKind, Args, Param, Primitive, Value};
use rewright_primitives::tools::buffers::uses::{Use, is_used, uses_of};
use rewright_primitives::tools::syntax::stmt_views::{Write, WriteKind};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::ast::{Expr, ExprKind, Stmt, StmtKind};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::walk::{each_child, each_operand, each_stmt};
use rewright_semantics::types::{ArgType, ControlType, FieldType};

/// Arguments for one application; `None` when the program has nothing to point at.
pub fn arguments(rng: &mut Rng, p: &Proc, primitive: &'static Primitive) -> Option<Args> {
    let pairs = primitive.params.windows(2).any(|two| two[0].kind == two[1].kind);
    let dims = primitive.params.iter().filter(|param| matches!(param.kind, ArgKind::Dim)).count();
    let calls = primitive.params.iter().any(|param| param.kind == ArgKind::Proc);
    let (taken, texts) = (Vec::new(), Vec::new());
    let mut draw = Draw { rng, p, stmts: stmts(p), target: None, pairs, dims, taken, texts, calls };
    let mut named = Vec::new();
    for param in primitive.params {
        if param.default.is_some() && draw.rng.chance(40) {
            continue;
        }
        named.push((param.name.to_owned(), draw.value(param)?));
    }
    Args::bind(primitive, Vec::new(), named).ok()
}

/// Every statement's path.
fn stmts(p: &Proc) -> Vec<Vec<Step>> {
    crate::holes::paths(p.ast())
}

struct Draw<'a> {
    rng: &'a mut Rng,
    p: &'a Proc,
    stmts: Vec<Vec<Step>>,
    /// The place that the first cursor points at: the others are drawn near it.
    target: Option<Place>,
    /// Whether the primitive takes two places of one kind: statements side by side are then preferred.
    pairs: bool,
    /// How many dimensions of a buffer the primitive takes: a buffer that has them is preferred.
    dims: usize,
    /// The dimensions drawn so far: another one is preferred.
    taken: Vec<i64>,
    /// Arguments that go with the procedure drawn before.
    texts: Vec<String>,
    /// Whether the primitive takes a procedure: what an instruction does is then preferred.
    calls: bool,
}

impl Draw<'_> {
    fn value(&mut self, param: &Param) -> Option<Value> {
        let place = match param.kind {
            ArgKind::Loop => self.stmt(Sort::Loop),
            ArgKind::LoopPair => self.loop_pair(),
            ArgKind::Scope => self.stmt(Sort::Scope),
            ArgKind::Stmt => self.stmt(Sort::Stmt),
            ArgKind::Block => self.run(1, 3),
            ArgKind::StmtPair => self.run(2, 2),
            ArgKind::Accumulation => self.accumulation(),
            ArgKind::Gap => self.gap(),
            ArgKind::Alloc => self.alloc(),
            ArgKind::Buffer => self.buffer(),
            ArgKind::Arg => self.argument(),
            ArgKind::Assign => self.stmt(Sort::Assign),
            ArgKind::Reduce => self.stmt(Sort::Reduce),
            ArgKind::Write => self.stmt(Sort::Write),
            ArgKind::Call => self.stmt(Sort::Call),
            ArgKind::WindowStmt => self.stmt(Sort::WindowStmt),
            ArgKind::WriteConfig => self.stmt(Sort::WriteConfig),
            ArgKind::DataExpr => self.expr(true),
            ArgKind::Expr => self.expr(false),
            ArgKind::Exprs => return self.exprs(),
            ArgKind::Int => return Some(Value::Int(self.rng.between(1, 5).min(self.rng.between(1, 5)))),
            ArgKind::Dim => return Some(Value::Int(self.dim())),
            ArgKind::Permutation => return Some(self.permutation()),
            ArgKind::Bool => return Some(Value::Bool(self.rng.chance(50))),
            ArgKind::NewName => return Some(self.new_name()),
            ArgKind::NewNames(n) => return Some(Value::List((0..n).map(|_| self.new_name()).collect())),
            ArgKind::Choice(words) => return self.rng.pick(words).map(|w| Value::Text((*w).to_owned())),
            ArgKind::Control => return Some(Value::Text(self.control())),
            ArgKind::Cond => return Some(Value::Text(self.cond())),
            ArgKind::Conds => {
                let n = 1 + self.rng.below(2);
                return Some(Value::List((0..n).map(|_| Value::Text(self.cond())).collect()));
            }
            ArgKind::NewExpr => return Some(Value::Text(self.new_expr())),
            ArgKind::Window => return self.window(),
            ArgKind::Values => return self.values(),
            ArgKind::Memory => {
                return self.rng.pick(memories()).map(|m| Value::Text(m.to_string()));
            }
            ArgKind::Precision => {
                return self
                    .rng
                    .pick(&["R", "f32", "f64", "f16", "bf16", "i8", "i32"])
                    .map(|w| Value::Text((*w).to_owned()));
            }
            ArgKind::Config => return self.config(),
            ArgKind::Field => {
                if let Some(field) = self.fitting_field().filter(|_| self.rng.chance(70)) {
                    return Some(Value::Text(field.to_owned()));
                }
                let fields = ["count", "offset", "whole", "flag", "pitch", "scale"];
                return self.rng.pick(&fields).map(|w| Value::Text((*w).to_owned()));
            }
            ArgKind::Proc => return self.proc(),
            ArgKind::Procs => return self.procs(),
            ArgKind::Version => return self.version(),
            ArgKind::Arguments => {
                let texts = std::mem::take(&mut self.texts);
                return Some(Value::List(texts.into_iter().map(Value::Text).collect()));
            }
            ArgKind::Template => {
                let texts = ["f();", "f({x});", "f({x_data}, {n});", "{{ f({y.strides[0]}); }}", ""];
                return self.rng.pick(&texts).map(|t| Value::Text((*t).to_owned()));
            }
        }?;
        if self.target.is_none() {
            self.target = Some(place.clone());
        }
        Cursor::new(self.p, place).ok().map(Value::Cursor)
    }

    /// A statement of a sort; after the first target, mostly the next one in its block.
    fn stmt(&mut self, sort: Sort) -> Option<Place> {
        let admitted = |path: &[Step]| stmt_at(self.p.ast(), path).is_some_and(|s| sort.admits(&s.kind));
        if let Some(Place::Stmt(first)) = &self.target {
            let next = rewright_primitives::cursor::path::shifted(first, 1);
            if admitted(&next) && self.rng.chance(80) {
                return Some(Place::Stmt(next));
            }
        }
        let mut all: Vec<&Vec<Step>> = self.stmts.iter().filter(|path| admitted(path)).collect();
        if self.pairs {
            let next = |path: &[Step]| rewright_primitives::cursor::path::shifted(path, 1);
            let paired: Vec<&Vec<Step>> = all.iter().copied().filter(|path| admitted(&next(path))).collect();
            all = if paired.is_empty() { all } else { paired };
        }
        self.rng.pick(&all).map(|path| Place::Stmt((*path).clone()))
    }

    /// A loop, by preference one with a loop as its only statement.
    fn loop_pair(&mut self) -> Option<Place> {
        let nested = |path: &&Vec<Step>| match stmt_at(self.p.ast(), path).map(|s| s.kind.as_ref()) {
            Some(StmtKind::For { body, .. }) => body.len() == 1 && Sort::Loop.admits(&body[0].kind),
            _ => false,
        };
        let all: Vec<&Vec<Step>> = self.stmts.iter().filter(nested).collect();
        match self.rng.pick(&all) {
            Some(path) if self.rng.chance(90) => Some(Place::Stmt((*path).clone())),
            _ => self.stmt(Sort::Loop),
        }
    }

    fn run(&mut self, least: usize, most: usize) -> Option<Place> {
        if self.calls
            && self.rng.chance(60)
            && let Some(run) = self.instruction_body()
        {
            return Some(Place::Block(run));
        }
        if least == 2
            && self.rng.chance(80)
            && let Some(path) = self.likely_pair()
        {
            return Some(Place::Block(Hole { path, len: 2 }));
        }
        for _ in 0..8 {
            let path = self.rng.pick(&self.stmts)?.clone();
            let left = block_of(self.p.ast(), &path)?.len() - path.last()?.index();
            let len = least + self.rng.below(most - least + 1);
            if len <= left {
                return Some(Place::Block(Hole { path, len }));
            }
        }
        None
    }

    /// An assignment and a loop that adds to what it assigns, mostly.
    fn accumulation(&mut self) -> Option<Place> {
        let adds = |path: &&Vec<Step>| {
            let next = rewright_primitives::cursor::path::shifted(path, 1);
            let assigned = stmt_at(self.p.ast(), path).and_then(Write::of);
            match (assigned, stmt_at(self.p.ast(), &next)) {
                (Some(w), Some(s)) if w.kind == WriteKind::Assign && Sort::Loop.admits(&s.kind) => {
                    let mut found = false;
                    each_stmt(&std::iter::once(s.clone()).collect(), &mut |t| {
                        found |= matches!(t.kind.as_ref(), StmtKind::Reduce { name, .. } if *name == w.name);
                    });
                    found
                }
                _ => false,
            }
        };
        let fitting: Vec<&Vec<Step>> = self.stmts.iter().filter(adds).collect();
        match self.rng.pick(&fitting) {
            Some(path) if self.rng.chance(90) => Some(Place::Block(Hole { path: (*path).clone(), len: 2 })),
            _ => self.run(2, 2),
        }
    }

    fn gap(&mut self) -> Option<Place> {
        let many = |path: &[Step]| block_of(self.p.ast(), path).is_some_and(|b| b.len() > 1);
        let inner: Vec<&Vec<Step>> = self.stmts.iter().filter(|path| path.len() > 1 && many(path)).collect();
        let from = if inner.is_empty() || self.rng.chance(10) { self.stmts.iter().collect() } else { inner };
        let anchor = (*self.rng.pick(&from)?).clone();
        // Mostly between two statements.
        let first = anchor.last().is_some_and(|step| step.index() == 0);
        let side = if first == self.rng.chance(10) { Side::Before } else { Side::After };
        Some(Place::Gap(Gap { anchor, side }))
    }

    fn buffer(&mut self) -> Option<Place> {
        if self.rng.chance(40) || !self.stmts.iter().any(|s| self.is_alloc(s)) {
            return self.argument();
        }
        self.stmt(Sort::Alloc)
    }

    /// A data argument.
    fn argument(&mut self) -> Option<Place> {
        let args = self.p.ast().args.iter().enumerate();
        let data: Vec<usize> =
            args.filter(|(_, a)| matches!(a.typ, ArgType::Data { .. })).map(|(k, _)| k).collect();
        self.rng.pick(&data).map(|k| Place::Arg(*k))
    }

    fn is_alloc(&self, path: &[Step]) -> bool {
        stmt_at(self.p.ast(), path).is_some_and(|s| Sort::Alloc.admits(&s.kind))
    }

    fn expr(&mut self, data: bool) -> Option<Place> {
        let mut all = Vec::new();
        for path in &self.stmts {
            let Some(s) = stmt_at(self.p.ast(), path) else { continue };
            for steps in places_in(s, data) {
                all.push(ExprPath { stmt: path.clone(), steps });
            }
        }
        // Mostly operators, and often those of several operands.
        let operator = |at: &ExprPath, deep: bool| {
            let e = stmt_at(self.p.ast(), &at.stmt).and_then(|s| expr_in(s, &at.steps));
            match e.map(|e| &e.kind) {
                Some(ExprKind::Bin { op, lhs: _, rhs }) => {
                    !deep || matches!(&rhs.kind, ExprKind::Bin { op: inner, .. } if inner == op)
                }
                _ => false,
            }
        };
        let wanted = self.rng.below(10);
        if wanted < 6 {
            let some: Vec<ExprPath> = all.iter().filter(|at| operator(at, wanted < 2)).cloned().collect();
            all = if some.is_empty() { all } else { some };
        }
        self.rng.pick(&all).cloned().map(Place::Expr)
    }

    /// An expression of data, alone or with some of the others that are equal to it.
    fn exprs(&mut self) -> Option<Value> {
        let data = self.rng.chance(95);
        let Some(Place::Expr(first)) = self.expr(data) else { return None };
        let mut places = vec![first.clone()];
        let wanted = stmt_at(self.p.ast(), &first.stmt).and_then(|s| expr_in(s, &first.steps)).cloned();
        if let Some(wanted) = wanted.filter(|_| self.rng.chance(50)) {
            let all = Hole { path: vec![Step::Body(0)], len: self.p.ast().body.len() };
            for at in
                rewright_primitives::tools::syntax::occurrences::occurrences(self.p.ast(), &all, &wanted)
            {
                if !places.contains(&at) && self.rng.chance(60) {
                    places.push(at);
                }
            }
        }
        self.target = Some(Place::Expr(first));
        let cursors =
            places.into_iter().map(|at| Cursor::new(self.p, Place::Expr(at)).ok().map(Value::Cursor));
        cursors.collect::<Option<Vec<Value>>>().map(Value::List)
    }

    fn permutation(&mut self) -> Value {
        let rank = self.target_rank().max(1);
        let mut left: Vec<i64> = (0..i64::try_from(rank).unwrap_or(1)).collect();
        let mut out = Vec::new();
        while !left.is_empty() {
            out.push(Value::Int(left.remove(self.rng.below(left.len()))));
        }
        Value::List(out)
    }

    /// An allocation, mostly one with as many dimensions as the primitive takes, and mostly one in a loop or guard;
    /// after a first one, one that comes later in the text.
    fn alloc(&mut self) -> Option<Place> {
        let rank = |path: &[Step]| match stmt_at(self.p.ast(), path).map(|s| s.kind.as_ref()) {
            Some(StmtKind::Alloc { typ, .. }) => typ.rank(),
            _ => 0,
        };
        let mut fitting: Vec<&Vec<Step>> = self.stmts.iter().filter(|path| self.is_alloc(path)).collect();
        if let Some(Place::Stmt(first)) = &self.target {
            fitting.retain(|path| *path > first);
        }
        let enough = |path: &&Vec<Step>| rank(path) >= self.dims;
        if fitting.iter().any(enough) && self.rng.chance(90) {
            fitting.retain(enough);
        }
        if fitting.iter().any(|path| path.len() > 1) && self.rng.chance(60) {
            fitting.retain(|path| path.len() > 1);
        }
        self.rng.pick(&fitting).map(|path| Place::Stmt((*path).clone()))
    }

    /// A dimension of the target, mostly one that was not drawn before.
    fn dim(&mut self) -> i64 {
        let rank = i64::try_from(self.target_rank()).unwrap_or(1).max(1);
        let mut dim = self.rng.between(0, rank);
        for _ in 0..4 {
            if dim < rank && !self.taken.contains(&dim) {
                break;
            }
            dim = self.rng.between(0, rank);
        }
        self.taken.push(dim);
        dim
    }

    fn target_rank(&self) -> usize {
        match &self.target {
            Some(Place::Stmt(path)) => match stmt_at(self.p.ast(), path).map(|s| s.kind.as_ref()) {
                Some(StmtKind::Alloc { typ, .. }) => typ.rank(),
                _ => 0,
            },
            Some(Place::Arg(k)) => match self.p.ast().args.get(*k).map(|a| &a.typ) {
                Some(ArgType::Data { typ, .. }) => typ.rank(),
                Some(ArgType::Control(_)) | None => 0,
            },
            Some(Place::Block(_) | Place::Gap(_) | Place::Expr(_)) | None => 0,
        }
    }

    /// Often a name that is in use already.
    fn new_name(&mut self) -> Value {
        let names = ["io", "ii", "jo", "tmp", "i", "j", "n", "x", "acc"];
        Value::Text(self.rng.pick(&names).map_or("t", |n| n).to_owned())
    }

    /// The statement that the first cursor is at or in.
    fn near(&self) -> Vec<Step> {
        match &self.target {
            Some(Place::Stmt(path)) => path.clone(),
            Some(Place::Block(run)) => run.path.clone(),
            Some(Place::Gap(gap)) => gap.anchor.clone(),
            Some(Place::Expr(at)) => at.stmt.clone(),
            Some(Place::Arg(_)) | None => vec![Step::Body(0)],
        }
    }

    /// The control variables in scope at the target, by what a text calls them.
    fn variables(&self) -> Vec<Name> {
        let Some(env) = self.p.env_at(&self.near()) else { return Vec::new() };
        let mut all: Vec<Sym> =
            env.names().filter(|x| env.control(*x).is_some_and(|t| t.is_indexable())).collect();
        all.sort();
        printed_if_hidden(self.p.ast(), &all)
    }

    /// A control expression: a bound or index of the program near the target, or a made-up one.
    fn control(&mut self) -> String {
        if self.rng.chance(35) {
            let mut found = Vec::new();
            if let Some(s) = stmt_at(self.p.ast(), &self.near()) {
                controls_of(s, &mut found);
            }
            if let Some(e) = self.rng.pick(&found) {
                return e.clone();
            }
        }
        let small = self.rng.between(0, 5);
        let vars = self.variables();
        let Some(x) = self.rng.pick(&vars).copied() else { return small.to_string() };
        match self.rng.below(7) {
            0 | 1 => small.to_string(),
            2 | 3 => x.to_string(),
            4 => format!("{x} + {small}"),
            5 => format!("{x} / {}", small.max(1)),
            _ => format!("{x} % {}", small.max(1)),
        }
    }

    fn cond(&mut self) -> String {
        if self.rng.chance(20)
            && let Some(field) = self.field_cond()
        {
            return field;
        }
        let (a, b) = (self.control(), self.control());
        let op = self.rng.pick(&["<", "<=", "==", ">", ">="]).map_or("<", |op| op);
        format!("{a} {op} {b}")
    }

    /// A condition on a configuration field, whether the program mentions it or not.
    fn field_cond(&mut self) -> Option<String> {
        let config = self.rng.pick(self.p.configs())?;
        let field = self.rng.pick(&config.fields)?;
        match field.typ {
            FieldType::Control(ControlType::Bool) => Some(format!("{}.{}", config.name, field.name)),
            FieldType::Control(ControlType::Int | ControlType::Index | ControlType::Size) => {
                Some(format!("{}.{} < {}", config.name, field.name, self.rng.between(0, 4)))
            }
            FieldType::Control(ControlType::Stride) | FieldType::Data(_) => None,
        }
    }

    fn new_expr(&mut self) -> String {
        let old = match &self.target {
            Some(Place::Expr(at)) => stmt_at(self.p.ast(), &at.stmt).and_then(|s| expr_in(s, &at.steps)),
            Some(Place::Stmt(_) | Place::Block(_) | Place::Gap(_) | Place::Arg(_)) | None => None,
        };
        let Some(old) = old.cloned() else { return self.control() };
        let parts = if let ExprKind::Bin { op, lhs, rhs } = &old.kind {
            Some((*op, expr_to_string(lhs), expr_to_string(rhs)))
        } else {
            None
        };
        let old = expr_to_string(&old);
        match (self.rng.below(10), parts) {
            (0..=3, Some((op, a, b))) => {
                let op = op.symbol();
                match self.rng.below(4) {
                    0 => format!("({b}) {op} ({a})"),
                    1 => format!("({a}) {op} ({b}) + ({a}) - ({a})"),
                    2 => format!("({a}) {op} ({b}) + 0 * ({b})"),
                    _ => format!("({a}) + ({b})"),
                }
            }
            (0 | 4, _) => old,
            (1 | 5, _) => format!("({old}) + 0"),
            (2 | 6, _) => format!("2 * ({old}) / 2"),
            (3, _) => format!("({old}) and True"),
            (7, _) => format!("({old}) - 1 + 1"),
            _ => self.control(),
        }
    }

    /// A window, mostly of a buffer that the first target mentions, and often around a cell of it.
    fn window(&mut self) -> Option<Value> {
        let env = self.p.env_at(&self.near())?;
        let mut buffers: Vec<Sym> = env.names().filter(|x| env.buffer(*x).is_some()).collect();
        buffers.sort();
        let run = match &self.target {
            Some(Place::Block(run)) => run.clone(),
            Some(Place::Stmt(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_)) | None => {
                Hole::stmt(self.near())
            }
        };
        let mentioned: Vec<Sym> =
            buffers.iter().copied().filter(|x| is_used(self.p.ast(), &run, *x)).collect();
        let from = if mentioned.is_empty() || self.rng.chance(10) { &buffers } else { &mentioned };
        let x = *self.rng.pick(from)?;
        let shape = env.buffer(x)?.shape.clone();
        let uses = uses_of(self.p.ast(), &run, x);
        let cells: Vec<_> =
            uses.iter().filter_map(Use::cell).filter(|idx| idx.len() == shape.len()).collect();
        let cell = self.rng.pick(&cells).filter(|_| self.rng.chance(50)).map(|idx| idx.to_vec());
        let coords: Vec<String> = shape
            .iter()
            .enumerate()
            .map(|(d, extent)| {
                let around = cell.as_ref().and_then(|idx| idx.get(d)).map(expr_to_string);
                match (self.rng.below(6), around) {
                    (0 | 1, Some(i)) => i,
                    (2, Some(i)) => format!("{i}:{i} + {}", self.rng.between(1, 3)),
                    (0, None) => self.control(),
                    (1, None) => format!("{}:{}", self.rng.between(0, 2), self.control()),
                    (3, _) => format!("0:{} - {}", expr_to_string(extent), self.rng.between(0, 1)),
                    _ => format!("0:{}", expr_to_string(extent)),
                }
            })
            .collect();
        let inner = if coords.is_empty() { String::new() } else { format!("[{}]", coords.join(", ")) };
        Some(Value::Text(format!("{x}{inner}")))
    }

    fn values(&mut self) -> Option<Value> {
        let sizes: Vec<String> = self
            .p
            .ast()
            .args
            .iter()
            .filter(|a| matches!(a.typ, ArgType::Control(t) if t.is_indexable()))
            .map(|a| a.name.to_string())
            .collect();
        let name = self.rng.pick(&sizes)?.clone();
        Some(Value::Named(vec![(name, Value::Int(self.rng.between(1, 5)))]))
    }

    fn config(&mut self) -> Option<Value> {
        let mut found = None;
        for path in &self.stmts {
            if let Some(StmtKind::WriteConfig { config, .. }) =
                stmt_at(self.p.ast(), path).map(|s| s.kind.as_ref())
            {
                found = Some(config.clone());
            }
        }
        found.map(Value::Config)
    }
}

/// Texts of the control expressions of a statement.
fn controls_of(s: &Stmt, out: &mut Vec<String>) {
    match s.kind.as_ref() {
        StmtKind::For { lo, hi, .. } => out.extend([expr_to_string(lo), expr_to_string(hi)]),
        StmtKind::Alloc { typ, .. } => out.extend(typ.shape.iter().map(expr_to_string)),
        StmtKind::Assign { idx, .. } | StmtKind::Reduce { idx, .. } => {
            out.extend(idx.iter().map(expr_to_string));
        }
        StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => {}
    }
}

/// The places of expressions in a statement: of its data only, or all.
pub fn places_in(s: &Stmt, data: bool) -> Vec<Vec<ExprStep>> {
    let mut out = Vec::new();
    let mut stack: Vec<(Vec<ExprStep>, &Expr)> = Vec::new();
    each_operand(s, &mut |step, e| {
        if !data || step == ExprStep::Rhs {
            stack.push((vec![step], e));
        }
    });
    while let Some((at, e)) = stack.pop() {
        each_child(e, &mut |step, child| {
            if !(data && matches!(step, ExprStep::Idx(_))) {
                let mut deeper = at.clone();
                deeper.push(step);
                stack.push((deeper, child));
            }
        });
        out.push(at);
    }
    out.sort();
    out
}

/// The statements of a run, for readers of failures.
pub(super) fn describe(p: &Proc, value: &Value) -> String {
    let Value::Cursor(c) = value else { return value.to_string() };
    let line = |path: &[Step]| {
        let text = stmt_at(p.ast(), path).map(rewright_semantics::pretty::stmt_to_string).unwrap_or_default();
        text.lines().next().unwrap_or("").to_owned()
    };
    match c.place() {
        Place::Stmt(path) => format!("<{} at {path:?}>", line(path)),
        Place::Block(run) => {
            format!("<{} … {} at {:?}>", line(&run.path), line(&member(run, run.len - 1)), run.path)
        }
        Place::Gap(gap) => format!("<{:?} {}>", gap.side, line(&gap.anchor)),
        Place::Expr(at) => {
            let text = stmt_at(p.ast(), &at.stmt).and_then(|s| expr_in(s, &at.steps)).map(expr_to_string);
            format!("<{} in {}>", text.unwrap_or_default(), line(&at.stmt))
        }
        Place::Arg(k) => p.ast().args.get(*k).map(|a| a.name.to_string()).unwrap_or_default(),
    }
}

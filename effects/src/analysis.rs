//! Summaries of procedures, computed once each. PLDI'22 App. E, extended to calls by substitution
//! [E-11]; spec: [rule: summaries].

mod outline;

pub use outline::from_outside;

use crate::digest::{Digest, size_field};
use crate::eff::eff_block;
use crate::effect::Effect;
use crate::effexpr::{EffExpr, Sort, Substitution, Var};
use crate::env::{Env, Field, View, sort_of_control, sort_of_field};
use crate::hypotheses::Hypotheses;
use crate::lift::{dense_strides, lift, lift_argument};
use crate::locset::Base;
use crate::names;
use crate::runs::{Run, Runs};
use crate::valg::{unknown_view, val_g_block};
use rewright_semantics::ast::{Arg, Block, Config, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ArgType, ArrayKind, ControlType};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What the callers of a procedure need to know of it, in terms of its formal arguments and of the fields
/// on entry.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its effect, once someone has asked. It lists what all its callees do, in its own words, and dataflow does not
    /// need it.
    effect: OnceLock<Effect>,
    /// The bases that it changes, and all that it touches, once someone has asked.
    bases: OnceLock<(Bases, Bases)>,
    /// What it may do to the buffers that it is given, once someone has asked.
    outline: OnceLock<Option<Arc<Proc>>>,
    /// The control fields that it may change, with what they hold afterwards.
    pub changed: BTreeMap<Field, EffExpr>,
    /// The fields of type size that it mentions, or a procedure that it calls.
    sizes: im::OrdSet<Field>,
}

/// Roots and fields, with their ranks.
pub type Bases = BTreeMap<Base, usize>;

/// A summary in terms of a call's arguments.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The effect of the call, without the evaluation of the arguments.
    pub effect: Effect,
    /// The control fields that may have changed, with what they hold afterwards.
    pub changed: BTreeMap<Field, EffExpr>,
}

/// The summaries made so far. Cloning shares them.
///
/// A procedure is known by its address, which cannot be another's while the table keeps it alive; versions
/// of a procedure are different procedures.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    table: Arc<Mutex<Table>>,
    roots: Arc<Mutex<Roots>>,
    runs: Arc<Mutex<Runs<Digest>>>,
    entered: Arc<Mutex<Option<OnEntry>>>,
}

/// What is known on entry to a procedure, and all of the procedure that this depends on. A schedule asks it again and again of
/// versions with the same head.
#[derive(Clone, Debug)]
struct OnEntry {
    args: Vec<Arg>,
    preds: Vec<Expr>,
    sizes: im::OrdSet<Field>,
    env: Env,
    facts: Hypotheses,
}

impl OnEntry {
    /// Whether it is that of a procedure that mentions these fields of type size.
    fn is_of(&self, p: &Proc, sizes: &im::OrdSet<Field>) -> bool {
        self.args == p.args && self.preds == p.preds && self.sizes == *sizes
    }
}

/// For a symbol that is allocated where a root of its name is in sight already: the names of the further roots.
type Roots = FxHashMap<Sym, Vec<Sym>>;

/// Below so many bytes of stack a summary gets more: chains of calls are as long as programs are.
const RED_ZONE: usize = 128 * 1024;
/// How much it gets.
const STACK_STEP: usize = 2 * 1024 * 1024;

/// Summaries by address of the procedure, which is kept alive beside its summary.
type Table = FxHashMap<usize, (Arc<Proc>, Arc<Summary>)>;

impl Analysis {
    /// No summary yet.
    pub fn new() -> Analysis {
        Analysis::default()
    }

    /// The summary of a procedure.
    pub fn summary(&self, p: &Arc<Proc>) -> Arc<Summary> {
        let key = Arc::as_ptr(p).addr();
        if let Some((_, found)) = self.table.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return found.clone();
        }
        // Not under the lock: the callees' summaries go into the same table.
        let made = Arc::new(stacker::maybe_grow(RED_ZONE, STACK_STEP, || self.summarise(p)));
        self.table.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (p.clone(), made.clone()));
        made
    }

    /// The root of an allocation of a symbol that is allocated more than once, while others of its roots can be
    /// seen: always the same one for the same place. Programs as they are parsed have no such allocations.
    pub(crate) fn root_beside(&self, name: Sym, env: &Env) -> Sym {
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        let known = roots.entry(name).or_default();
        if let Some(free) = known.iter().find(|root| !env.has_root(**root)) {
            return *free;
        }
        let more = name.renewed();
        known.push(more);
        more
    }

    fn summarise(&self, p: &Proc) -> Summary {
        let after = val_g_block(self, &entry(p), &p.body).globals;
        let changed = after.fields().filter_map(|f| after.changed(f).map(|ee| (f, ee.clone()))).collect();
        Summary {
            effect: OnceLock::new(),
            bases: OnceLock::new(),
            outline: OnceLock::new(),
            changed,
            sizes: self.size_fields(p),
        }
    }

    /// The effect of a procedure, the reads of its preconditions and shapes included.
    pub fn effect(&self, p: &Arc<Proc>) -> Effect {
        self.summary(p).effect.get_or_init(|| self.made_effect(p)).clone()
    }

    fn made_effect(&self, p: &Proc) -> Effect {
        let env = entry(p);
        let mut reads = Vec::new();
        for e in shapes(p).chain(p.preds.iter()) {
            crate::eff::eff_expr(&env, e, &mut reads);
        }
        reads.push(stacker::maybe_grow(RED_ZONE, STACK_STEP, || eff_block(self, &env, &p.body)));
        // What the callee allocates is no one's business, and its names may be those of a caller's roots.
        Effect::seq(reads).visible()
    }

    /// The roots and fields that a procedure changes, and all that it touches.
    pub fn bases(&self, p: &Arc<Proc>) -> (Bases, Bases) {
        let made = || {
            let effect = self.effect(p);
            (effect.modified().bases(), effect.all().bases())
        };
        self.summary(p).bases.get_or_init(made).clone()
    }

    /// A procedure that touches every cell of each buffer that a given one touches; `None` where that one touches a field.
    pub(crate) fn outline(&self, p: &Arc<Proc>) -> Option<Arc<Proc>> {
        self.summary(p).outline.get_or_init(|| outline::outline(p, &self.bases(p))).clone()
    }

    /// The fields of type size that a procedure mentions, or a procedure that it calls. They hold at least 1
    /// whenever they hold anything.
    pub(crate) fn size_fields(&self, p: &Proc) -> im::OrdSet<Field> {
        let mut out = im::OrdSet::new();
        let (mut own, mut called) = (FxHashSet::default(), Vec::new());
        match self.runs(&p.body) {
            Some(runs) => {
                for (_, digest) in &*runs {
                    called.extend(digest.callees.iter().cloned());
                    own.extend(digest.sizes.iter().copied());
                }
            }
            None => {
                names::callees(&p.body, &mut |callee| called.push(callee.clone()));
                names::fields_in_block(&p.body, &mut |config, field| own.extend(size_field(config, field)));
            }
        }
        let mut seen = FxHashSet::default();
        for callee in called.iter().filter(|q| seen.insert(Arc::as_ptr(q))) {
            let theirs = self.summary(callee).sizes.clone();
            // The larger one is shared, not copied.
            let (large, small) = if theirs.len() > out.len() { (theirs, out) } else { (out, theirs) };
            out = large;
            if !out.ptr_eq(&small) {
                out.extend(small);
            }
        }
        for e in shapes(p).chain(p.preds.iter()) {
            names::fields_in_expr(e, &mut |config, field| own.extend(size_field(config, field)));
        }
        out.extend(own);
        out
    }

    /// The environment on entry to a procedure, and what holds there: [`entry`] and [`entry_facts`].
    pub(crate) fn on_entry(&self, p: &Proc) -> (Env, Hypotheses) {
        let sizes = self.size_fields(p);
        let mut kept = self.entered.lock().unwrap_or_else(PoisonError::into_inner);
        // Both are functions of what is compared: arguments, assertions, and the fields that are sizes.
        if let Some(known) = kept.as_ref().filter(|known| known.is_of(p, &sizes)) {
            return (known.env.clone(), known.facts.clone());
        }
        let env = entry(p);
        let facts = Hypotheses::from(facts_of(p, &env, sizes.clone()));
        let (args, preds) = (p.args.clone(), p.preds.clone());
        *kept = Some(OnEntry { args, preds, sizes, env: env.clone(), facts: facts.clone() });
        (env, facts)
    }

    /// The runs of statements that a long block consists of, and what each holds; `None` of a short block.
    /// Spec: [rule: growth.runs].
    pub fn runs(&self, b: &Block) -> Option<Arc<[Run<Digest>]>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).of(b, Digest::of)
    }

    /// The first `count` statements of a block, but for runs in which there is nothing of interest.
    pub fn before<'b>(
        &self,
        b: &'b Block,
        count: usize,
        interests: impl Fn(&Digest) -> bool,
    ) -> Vec<&'b Stmt> {
        let Some(runs) = self.runs(b) else { return b.iter().take(count).collect() };
        let runs = runs.iter().filter(|(range, digest)| range.start < count && interests(digest));
        runs.flat_map(|(range, _)| b.focus().narrow(range.start..range.end.min(count))).collect()
    }

    /// The summary of `p` where it is called with these arguments.
    pub fn instantiate(&self, env: &Env, p: &Arc<Proc>, args: &[Expr]) -> Instance {
        let summary = self.summary(p);
        let (sub, views) = bindings(env, p, args);
        Instance {
            // What the callee allocates ends with it.
            effect: Effect::block(self.effect(p).substitute(&sub, &views)),
            changed: summary.changed.iter().map(|(f, ee)| (*f, ee.substitute(&sub))).collect(),
        }
    }

    /// The control fields that a call of `p` with these arguments may change, with what they hold afterwards: the
    /// part of [`Analysis::instantiate`] that dataflow asks for.
    pub fn changes(&self, env: &Env, p: &Arc<Proc>, args: &[Expr]) -> BTreeMap<Field, EffExpr> {
        let summary = self.summary(p);
        if summary.changed.is_empty() {
            return BTreeMap::new();
        }
        let (sub, _) = bindings(env, p, args);
        summary.changed.iter().map(|(f, ee)| (*f, ee.substitute(&sub))).collect()
    }

    /// The control fields that the block may write, calls included.
    pub fn written_fields(&self, b: &Block) -> BTreeMap<Field, Sort> {
        let mut out = BTreeMap::new();
        self.collect_written(b, &mut out);
        out
    }

    /// The data fields that a write in the block or in a callee names.
    pub fn written_data_fields(&self, b: &Block) -> BTreeSet<Field> {
        let mut out = BTreeSet::new();
        each_write(b, &mut |config, field| {
            if sort_of_field(config, field).is_none() {
                out.insert(Field::of(config, field));
            }
        });
        out
    }

    /// Whether the block may write a control field.
    pub(crate) fn writes_fields(&self, b: &Block) -> bool {
        b.iter().any(|s| match s.kind.as_ref() {
            StmtKind::WriteConfig { config, field, rhs: _ } => sort_of_field(config, *field).is_some(),
            StmtKind::If { cond: _, body, orelse } => self.writes_fields(body) || self.writes_fields(orelse),
            StmtKind::For { body, .. } => self.writes_fields(body),
            StmtKind::Call { proc, args: _ } => !self.summary(proc).changed.is_empty(),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => false,
        })
    }

    /// The fields that a write in the block or in a callee names, whatever they hold afterwards: another thread may see
    /// what a callee puts back.
    pub fn touched_fields(&self, b: &Block) -> BTreeSet<Field> {
        let mut out = BTreeSet::new();
        each_write(b, &mut |config, field| {
            out.insert(Field::of(config, field));
        });
        out
    }

    /// The fields of classes without direct access that a write in the block or in a callee names.
    pub(crate) fn registers(&self, b: &Block) -> BTreeSet<Field> {
        let mut out = BTreeSet::new();
        each_write(b, &mut |config, field| {
            if !config.direct_access {
                out.insert(Field::of(config, field));
            }
        });
        out
    }

    fn collect_written(&self, b: &Block, out: &mut BTreeMap<Field, Sort>) {
        for s in b {
            match s.kind.as_ref() {
                StmtKind::WriteConfig { config, field, rhs: _ } => {
                    if let Some(sort) = sort_of_field(config, *field) {
                        out.insert(Field::of(config, *field), sort);
                    }
                }
                StmtKind::If { cond: _, body, orelse } => {
                    self.collect_written(body, out);
                    self.collect_written(orelse, out);
                }
                StmtKind::For { body, .. } => self.collect_written(body, out),
                StmtKind::Call { proc, args: _ } => {
                    let summary = self.summary(proc);
                    out.extend(summary.changed.iter().map(|(f, ee)| (*f, ee.sort())));
                }
                StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::Pass
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. } => {}
            }
        }
    }
}

/// What a callee's names stand for where it is called: values for control arguments, strides and fields;
/// views for data arguments.
pub fn bindings(env: &Env, p: &Proc, args: &[Expr]) -> (Substitution, BTreeMap<Sym, View>) {
    let mut sub = env.globals.substitution();
    let mut views: BTreeMap<Sym, View> = BTreeMap::new();
    for (k, formal) in p.args.iter().enumerate() {
        match &formal.typ {
            ArgType::Control(t) => {
                let value = args.get(k).map_or(EffExpr::unknown(sort_of_control(*t)), |e| lift(env, e));
                sub.insert(Var::Local(formal.name), value);
            }
            ArgType::Data { typ, mem: _ } => {
                let view = args
                    .get(k)
                    .and_then(|e| lift_argument(env, e))
                    .filter(|v| v.extents.len() == typ.rank())
                    .unwrap_or_else(|| unknown_view(formal.name, typ.rank()));
                for (d, stride) in view.strides.iter().enumerate() {
                    sub.insert(Var::Stride(formal.name, d), stride.clone());
                }
                views.insert(formal.name, view);
            }
        }
    }
    (sub, views)
}

/// The environment on entry to a procedure: each argument stands for itself.
pub fn entry(p: &Proc) -> Env {
    let mut env = Env::new();
    for arg in &p.args {
        if let ArgType::Control(t) = &arg.typ {
            env.bind(arg.name, EffExpr::var(Var::Local(arg.name), sort_of_control(*t)));
        }
    }
    // Shapes may mention control arguments that come later, so data comes second.
    let scope = env.clone();
    for arg in &p.args {
        if let ArgType::Data { typ, mem: _ } = &arg.typ {
            let extents: Vec<EffExpr> = typ.shape.iter().map(|e| lift(&scope, e)).collect();
            let own = |d| EffExpr::stride(arg.name, d);
            let base = Base::Buffer(arg.name);
            let view = match typ.kind {
                ArrayKind::Tensor => {
                    let strides = dense_strides(&extents, own);
                    View::tensor(base, extents, strides)
                }
                ArrayKind::Window => {
                    let strides = (0..extents.len()).map(own).collect();
                    View::whole(base, extents, strides)
                }
            };
            env.bind_view(arg.name, view);
        }
    }
    env
}

/// Calls `f` on each field that a write in the block or in a callee names.
fn each_write(b: &Block, f: &mut impl FnMut(&Config, Name)) {
    let (mut todo, mut seen) = (vec![b], FxHashSet::default());
    while let Some(b) = todo.pop() {
        names::fields_written(b, f);
        names::callees(b, &mut |callee| {
            if seen.insert(Arc::as_ptr(callee)) {
                todo.push(&callee.body);
            }
        });
    }
}

/// What holds on entry to a procedure: sizes are at least 1, fields of type size too, extents of buffers
/// that exist are not negative, and the assertions hold. PLDI'22 §3.1 (6).
pub fn entry_facts(an: &Analysis, p: &Proc, env: &Env) -> Vec<EffExpr> {
    facts_of(p, env, an.size_fields(p))
}

/// The same, of a procedure that mentions these fields of type size.
fn facts_of(p: &Proc, env: &Env, sizes: im::OrdSet<Field>) -> Vec<EffExpr> {
    let mut out = size_facts(p, env, sizes);
    let mut said: FxHashSet<EffExpr> = out.iter().cloned().collect();
    for extent in shapes(p).map(|e| lift(env, e)) {
        let exists = EffExpr::ge(extent.clone(), EffExpr::int(0));
        if !exists.is_true() && !said.contains(&positive(extent)) && said.insert(exists.clone()) {
            out.push(exists);
        }
    }
    out.extend(p.preds.iter().map(|e| lift(env, e)));
    out
}

/// Arguments of type size, and these fields, are at least 1.
pub(crate) fn size_facts(p: &Proc, env: &Env, sizes: im::OrdSet<Field>) -> Vec<EffExpr> {
    let is_size = |arg: &&Arg| arg.typ == ArgType::Control(ControlType::Size);
    let mut out: Vec<EffExpr> =
        p.args.iter().filter(is_size).map(|arg| positive(env.local(arg.name))).collect();
    out.extend(sizes.into_iter().map(|f| positive(EffExpr::var(f.var(), Sort::Int))));
    out
}

fn positive(ee: EffExpr) -> EffExpr {
    EffExpr::ge(ee, EffExpr::int(1))
}

/// The extents of a procedure's arguments.
pub fn shapes(p: &Proc) -> impl Iterator<Item = &Expr> {
    p.args.iter().flat_map(|arg| match &arg.typ {
        ArgType::Data { typ, mem: _ } => typ.shape.iter(),
        ArgType::Control(_) => [].iter(),
    })
}

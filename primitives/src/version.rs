//! Versions of procedures: the temporal half of a cursor. ASPLOS'25 §5.1 (branching time), §5.2;
//! spec: [rule: versions].
//!
//! Each rewrite makes a version whose parent is the one it was made from, with the edits between them and the
//! record of what was required. A version never changes, so that versions form a tree and old ones stay alive.

mod cursor;
pub mod session;
mod step;
mod value;

pub use cursor::Cursor;
pub use step::{Discharged, Exact, Reason, Relation, Step};
pub use value::Value;

use crate::cursor::path::{self, Place};
use crate::error::InvalidCursor;
use crate::forward::forward;
use crate::tools::syntax::scope;
use rewright_semantics::ast;
use rewright_semantics::pretty;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::fold::Form;
use rewright_semantics::types::env::TypeEnv;
use rustc_hash::FxHashMap;
use session::{Assumed, Session};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A procedure at a version. Cloning shares it.
#[derive(Clone)]
pub struct Proc(Arc<Version>);

/// The versions that rewrites have made, by the address of their syntax: a call knows only that of its callee.
/// A version keeps its syntax alive, so that no other can have its address while it is here.
#[derive(Default)]
pub(crate) struct Known(Mutex<FxHashMap<usize, Weak<Version>>>);

/// Threads may rewrite versions of one tree side by side.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Proc>();
    shared::<Session>();
};

/// The identity of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VersionId(u64);

struct Version {
    id: VersionId,
    ast: Arc<ast::Proc>,
    /// How many rewrites lie between the root and this.
    depth: usize,
    origin: Option<Origin>,
    /// For a root that was made of another procedure's statements: the version that calls it.
    source: Option<Proc>,
    /// The configuration classes around the root, which texts may name though the procedure does not.
    configs: Arc<[Arc<ast::Config>]>,
    session: Session,
    /// For one that asks less of its next step: itself, which does not.
    plain: Option<Proc>,
}

/// How a version came about.
#[derive(Clone)]
pub struct Origin {
    /// The version that was rewritten.
    pub parent: Proc,
    /// What was done to it.
    pub step: Arc<Step>,
}

impl Proc {
    /// A procedure that no rewrite has made: the root of a tree of versions, in a session of its own.
    pub fn root(ast: impl Into<Arc<ast::Proc>>) -> Proc {
        Session::new().root(ast)
    }

    /// A root that stands among these configuration classes: texts about it and its versions may name them.
    pub fn root_among(
        ast: impl Into<Arc<ast::Proc>>,
        configs: impl IntoIterator<Item = Arc<ast::Config>>,
    ) -> Proc {
        Session::new().root_among(ast, configs)
    }

    /// A root in a session.
    pub(crate) fn root_in(session: Session, ast: Arc<ast::Proc>, configs: Arc<[Arc<ast::Config>]>) -> Proc {
        let id = VersionId::next();
        Proc(Arc::new(Version {
            id,
            ast,
            depth: 0,
            origin: None,
            source: None,
            configs,
            session,
            plain: None,
        }))
    }

    /// A root that was made of statements of another procedure, of which `caller` is the version that calls it.
    pub(crate) fn extracted(ast: Arc<ast::Proc>, caller: &Proc) -> Proc {
        let Version { configs, session, .. } = &*caller.0;
        let (configs, session) = (configs.clone(), session.clone());
        let (id, source) = (VersionId::next(), Some(caller.clone()));
        Proc(Arc::new(Version { id, ast, depth: 0, origin: None, source, configs, session, plain: None }))
    }

    /// For a root that was made of another procedure's statements: the version that calls it.
    pub fn source(&self) -> Option<&Proc> {
        self.0.source.as_ref()
    }

    /// The configuration classes around the root.
    pub fn configs(&self) -> &[Arc<ast::Config>] {
        &self.0.configs
    }

    /// What this version shares with the others of its tree.
    pub fn session(&self) -> &Session {
        &self.0.session
    }

    /// This version, for one step that assumes what it cannot prove of its meaning: what it makes is recorded as made so
    /// ([`Reason::Omitted`]), and the steps after it prove everything again. Spec: [rule: assumptions].
    #[must_use]
    pub fn assuming(&self, assumed: Assumed) -> Proc {
        self.in_session(self.session().assuming(assumed))
    }

    /// This version, for one step that may leave calls and races open, as Exo's steps do: what it makes is recorded as made
    /// so ([`Reason::Postponed`]), and is no program for C or the interpreter until later steps have put them right.
    /// Spec: [rule: left-open].
    #[must_use]
    pub fn postponing(&self) -> Proc {
        self.in_session(self.session().postponing())
    }

    /// This version, for one step that writes the arithmetic which it makes so. Spec: [rule: forms].
    #[must_use]
    pub fn writing(&self, form: Form) -> Proc {
        self.in_session(self.session().writing(form))
    }

    /// This version, for one more step that leaves open what that of another version may, and writes arithmetic so: the next one of
    /// a primitive that takes several.
    #[must_use]
    pub(crate) fn going_on(&self, first: &Proc) -> Proc {
        let (session, as_first) =
            (self.session().writing(first.session().form()), first.session().postpones());
        self.in_session(if as_first { session.postponing() } else { session })
    }

    /// This version, for one step in another session.
    fn in_session(&self, session: Session) -> Proc {
        let Version { id, depth, .. } = *self.0;
        let Version { ast, origin, source, configs, plain, .. } = &*self.0;
        let (ast, origin, source, configs) = (ast.clone(), origin.clone(), source.clone(), configs.clone());
        let plain = Some(plain.clone().unwrap_or_else(|| self.clone()));
        Proc(Arc::new(Version { id, ast, depth, origin, source, configs, session, plain }))
    }

    /// What the steps up to this version assume, which nobody proved: the version after each step, and the condition.
    pub fn assumptions(&self) -> Vec<(Proc, &'static str)> {
        let omitted = |step: &Step| {
            let omitted = step.discharged.iter().filter(|d| matches!(d.by, Reason::Omitted));
            omitted.map(|d| d.condition).collect::<BTreeSet<_>>()
        };
        let steps = self.history().into_iter().filter_map(|v| Some((omitted(&v.origin()?.step), v)));
        steps.flat_map(|(found, v)| found.into_iter().map(move |c| (v.clone(), c))).collect()
    }

    /// The version after a step.
    pub(crate) fn derived(parent: Proc, ast: Arc<ast::Proc>, step: Step) -> Proc {
        let parent = parent.0.plain.clone().unwrap_or(parent);
        let (depth, configs) = (parent.0.depth + 1, parent.0.configs.clone());
        let session = parent.0.session.clone();
        let origin = Some(Origin { parent, step: Arc::new(step) });
        let id = VersionId::next();
        let made =
            Proc(Arc::new(Version { id, ast, depth, origin, source: None, configs, session, plain: None }));
        made.session().known().insert(&made);
        made
    }

    /// The names in scope just before the statement at a path, with their types; `None` when the path leads nowhere.
    pub fn env_at(&self, path: &[path::Step]) -> Option<TypeEnv> {
        scope::env_at(self.session().analysis(), self.ast(), path)
    }

    /// The symbols in scope just before the statement at a path, outermost first; `None` when it leads nowhere.
    pub fn visible_at(&self, path: &[path::Step]) -> Option<Vec<Sym>> {
        scope::visible_at(self.session().analysis(), self.ast(), path)
    }

    /// The syntax.
    pub fn ast(&self) -> &Arc<ast::Proc> {
        &self.0.ast
    }

    /// The name.
    pub fn name(&self) -> Name {
        self.0.ast.name
    }

    /// The identity of this version.
    pub fn id(&self) -> VersionId {
        self.0.id
    }

    /// The rewrite that made it; `None` for a root.
    pub fn origin(&self) -> Option<&Origin> {
        self.0.origin.as_ref()
    }

    /// How many rewrites lie between the root and this version.
    pub fn depth(&self) -> usize {
        self.0.depth
    }

    /// The versions from the root to this one.
    pub fn history(&self) -> Vec<Proc> {
        let mut out = vec![self.clone()];
        while let Some(origin) = out.last().and_then(Proc::origin) {
            let parent = origin.parent.clone();
            out.push(parent);
        }
        out.reverse();
        out
    }

    /// Where a cursor of this version or of an earlier one is in this version.
    ///
    /// # Errors
    /// The cursor is of a version that this one does not come from, or what it points at is gone.
    pub fn forward(&self, c: &Cursor) -> Result<Cursor, InvalidCursor> {
        let mut steps: Vec<&Step> = Vec::with_capacity(self.0.depth.saturating_sub(c.proc().0.depth));
        let mut here = self;
        while here.id() != c.proc().id() {
            let Some(origin) = here.origin().filter(|_| here.0.depth > c.proc().0.depth) else {
                return Err(InvalidCursor::new(format!(
                    "the cursor points into another version of `{}`, from which this one was not made",
                    c.proc().name()
                )));
            };
            steps.push(&origin.step);
            here = &origin.parent;
        }
        let mut place: Place = c.place().clone();
        for step in steps.into_iter().rev() {
            for edit in &step.edits {
                place = forward(edit, &place).ok_or_else(|| {
                    InvalidCursor::new(format!(
                        "what the cursor points at was removed by `{}`",
                        step.primitive
                    ))
                })?;
            }
        }
        Cursor::new(self, place)
    }
}

impl Known {
    pub(crate) fn of_syntax(&self, ast: &Arc<ast::Proc>) -> Option<Proc> {
        self.table().get(&Arc::as_ptr(ast).addr())?.upgrade().map(Proc)
    }

    fn insert(&self, made: &Proc) {
        let mut table = self.table();
        // Now and then: a power of two is met once for each doubling.
        if table.len() >= 1024 && table.len().is_power_of_two() {
            table.retain(|_, version| version.strong_count() > 0);
        }
        table.insert(Arc::as_ptr(made.ast()).addr(), Arc::downgrade(&made.0));
    }

    fn table(&self) -> MutexGuard<'_, FxHashMap<usize, Weak<Version>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl VersionId {
    fn next() -> VersionId {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        VersionId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The procedure in surface syntax.
impl fmt::Display for Proc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&pretty::proc_to_string(self.ast()))
    }
}

impl fmt::Debug for Proc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name(), self.0.id.0)
    }
}

/// A long history is freed without recursion.
impl Drop for Version {
    fn drop(&mut self) {
        let mut next = self.origin.take();
        while let Some(Origin { parent, step }) = next {
            // Its arguments point into the parent: they go while the parent is still held here.
            drop(step);
            next = Arc::into_inner(parent.0).and_then(|mut version| version.origin.take());
        }
    }
}

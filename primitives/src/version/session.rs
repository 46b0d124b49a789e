//! What the versions of a tree share: the solver with its cache, the summaries of callees, and which version has which
//! syntax. None of it can be seen in a verdict. Spec: [rule: sessions].

use super::{Known, Proc};
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::{Mode, check_proc_from_outside};
use rewright_effects::names::callees;
use rewright_effects::obligation::{Obligation, Verdict};
use rewright_effects::solver::{Counts, Solver};
use rewright_semantics::ast;
use rewright_semantics::syntax::fold::Form;
use rewright_semantics::syntax::walk::has_parallel_loop;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// What is kept between the rewrites of one tree of versions, or of several. Cloning shares it, and so may threads:
/// questions of different threads are decided side by side.
#[derive(Clone, Default)]
pub struct Session {
    shared: Arc<Shared>,
    /// What is assumed of the next step where it is not proved.
    assumes: Assumed,
    /// Whether the next step may leave calls and races open.
    postpones: bool,
    /// How the next step writes the arithmetic that it makes.
    form: Form,
}

#[derive(Default)]
struct Shared {
    solver: Solver,
    analysis: Analysis,
    /// Procedures by address, each kept alive beside the answer.
    safe: Mutex<FxHashMap<usize, (Arc<ast::Proc>, bool)>>,
    /// Which procedures have a parallel loop, themselves or in what they call: by address, too.
    parallel: Mutex<FxHashMap<usize, (Arc<ast::Proc>, bool)>>,
    /// Versions of other trees that are called here, and after whose last step nothing was open: by address.
    closed: Mutex<FxHashMap<usize, Arc<ast::Proc>>>,
    known: Known,
    omitted: Vec<Omitted>,
    /// The least depth of the versions for which they are not.
    omitted_from: usize,
}

/// What a step assumes of the conditions on its meaning that it cannot prove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Assumed {
    /// Nothing: it is refused.
    #[default]
    Nothing,
    /// All of them.
    Everything,
    /// Those of these ids.
    These(Arc<[String]>),
}

impl Assumed {
    /// Whether it assumes a condition.
    fn holds(&self, condition: &str) -> bool {
        match self {
            Assumed::Nothing => false,
            Assumed::Everything => true,
            Assumed::These(ids) => ids.iter().any(|id| id == condition),
        }
    }
}

/// A condition that is not asked for: the primitive's name, and the condition's id.
pub type Omitted = (&'static str, &'static str);

impl Session {
    /// A session in which nothing is known yet.
    pub fn new() -> Session {
        Session::default()
    }

    fn of(shared: Shared) -> Session {
        Session { shared: Arc::new(shared), assumes: Assumed::Nothing, postpones: false, form: Form::Short }
    }

    /// This session, for a step that assumes what cannot be proved of it.
    #[must_use]
    pub(crate) fn assuming(&self, assumes: Assumed) -> Session {
        Session { assumes, ..self.clone() }
    }

    /// This session, for a step that may leave calls and races open.
    #[must_use]
    pub(crate) fn postponing(&self) -> Session {
        Session { postpones: true, ..self.clone() }
    }

    /// This session, for a step that writes the arithmetic which it makes so.
    #[must_use]
    pub(crate) fn writing(&self, form: Form) -> Session {
        Session { form, ..self.clone() }
    }

    /// How the next step writes the arithmetic that it makes. Spec: [rule: forms].
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// Whether the next step may leave calls and races open. Spec: [rule: left-open].
    pub(crate) fn postpones(&self) -> bool {
        self.postpones
    }

    /// Whether the next step assumes a condition that cannot be proved of it.
    pub(crate) fn assumes(&self, condition: &str) -> bool {
        self.assumes.holds(condition)
    }

    /// A session in which some conditions are not asked for: what it makes may be wrong, and says so in its derivation.
    /// Tests show by it which programs need which condition. Spec: [rule: mutants].
    #[cfg(feature = "mutants")]
    pub fn for_mutants(omitted: impl IntoIterator<Item = Omitted>) -> Session {
        Session::of(Shared { omitted: omitted.into_iter().collect(), ..Shared::default() })
    }

    /// A session in which one condition is not asked for in the steps from the one on that follows so many others. For
    /// what does not leave this crate as a version.
    pub(crate) fn omitting(omitted: Omitted, omitted_from: usize) -> Session {
        Session::of(Shared { omitted: vec![omitted], omitted_from, ..Shared::default() })
    }

    /// Another session like this one, in which nothing is known yet.
    #[must_use]
    pub fn fresh(&self) -> Session {
        let Shared { omitted, omitted_from, .. } = &*self.shared;
        let (omitted, omitted_from) = (omitted.clone(), *omitted_from);
        Session::of(Shared { omitted, omitted_from, ..Shared::default() })
    }

    /// A procedure that no rewrite has made: the root of a tree of versions.
    pub fn root(&self, ast: impl Into<Arc<ast::Proc>>) -> Proc {
        self.root_among(ast, [])
    }

    /// A root that stands among these configuration classes: texts about it and its versions may name them.
    pub fn root_among(
        &self,
        ast: impl Into<Arc<ast::Proc>>,
        configs: impl IntoIterator<Item = Arc<ast::Config>>,
    ) -> Proc {
        Proc::root_in(self.clone(), ast.into(), configs.into_iter().collect())
    }

    /// Whether the obligation is valid.
    pub fn decide(&self, ob: &Obligation) -> Verdict {
        self.shared.solver.decide(ob)
    }

    /// How many obligations each stage of the solver has decided.
    pub fn counts(&self) -> Counts {
        self.shared.solver.counts()
    }

    /// The summaries.
    pub fn analysis(&self) -> &Analysis {
        &self.shared.analysis
    }

    /// Whether nothing goes wrong in a procedure on any input that it admits: what the front end asks of it is proved.
    pub fn is_safe(&self, p: &Arc<ast::Proc>) -> bool {
        let key = Arc::as_ptr(p).addr();
        let table = || self.shared.safe.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = table().get(&key) {
            return *known;
        }
        let holds = |ob: &Obligation| self.decide(ob).is_proved();
        let required = check_proc_from_outside(self.analysis(), p, Mode::Standard, holds);
        let safe = required.iter().all(|r| holds(&r.obligation));
        table().insert(key, (p.clone(), safe));
        safe
    }

    /// Whether a procedure has a parallel loop, itself or in what it calls.
    pub(crate) fn is_parallel(&self, p: &Arc<ast::Proc>) -> bool {
        let key = Arc::as_ptr(p).addr();
        let table = || self.shared.parallel.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = table().get(&key) {
            return *known;
        }
        let mut found = has_parallel_loop(&p.body);
        callees(&p.body, &mut |callee| found = found || self.is_parallel(callee));
        table().insert(key, (p.clone(), found));
        found
    }

    /// Notes that a version, of any tree, comes to be called in this session.
    pub(crate) fn calls(&self, version: &Proc) {
        if version.step_leaves_none_open() {
            let key = Arc::as_ptr(version.ast()).addr();
            let mut table = self.shared.closed.lock().unwrap_or_else(PoisonError::into_inner);
            table.insert(key, version.ast().clone());
        }
    }

    /// Whether a procedure is known to be a version in which nothing is open, nor in what it calls.
    pub(crate) fn is_closed(&self, p: &Arc<ast::Proc>) -> bool {
        let table = self.shared.closed.lock().unwrap_or_else(PoisonError::into_inner);
        table.contains_key(&Arc::as_ptr(p).addr())
            || self.version_of(p).is_some_and(|version| version.step_leaves_none_open())
    }

    /// The version that has this syntax, this very one, if it was made by a rewrite and is still in use.
    pub fn version_of(&self, ast: &Arc<ast::Proc>) -> Option<Proc> {
        self.shared.known.of_syntax(ast)
    }

    /// Whether a condition is left out.
    pub(crate) fn omits(&self, primitive: &str, condition: &str) -> bool {
        self.shared.omitted.iter().any(|(p, c)| *p == primitive && *c == condition)
    }

    /// Whether it is left out where a version of this depth is rewritten.
    pub(crate) fn omits_at(&self, depth: usize, primitive: &str, condition: &str) -> bool {
        depth >= self.shared.omitted_from && self.omits(primitive, condition)
    }

    /// The versions that rewrites have made.
    pub(crate) fn known(&self) -> &Known {
        &self.shared.known
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({:?})", self.counts())
    }
}

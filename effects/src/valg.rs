//! Dataflow of configuration fields. PLDI'22 §5.3 and App. C (ValG); spec: [rule: valg].
//!
//! `val_g(γ, s)` is `γ · ValG⟦s⟧`, with the names that `s` binds: the environment before a statement is the argument, so
//! that nothing can be composed in the wrong order [E-3].

use crate::analysis::Analysis;
use crate::effexpr::{EffExpr, Node, Sort, Substitution, Var};
use crate::env::{Env, Field, View, sort_of_field};
use crate::lift::{dense_strides, lift, lift_window};
use crate::locset::Base;
use rewright_semantics::ast::{Block, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use std::collections::{BTreeMap, BTreeSet};

/// `γ · ValG⟦s⟧`. What `s` allocates becomes a root of its own name, so that it is one root in every context in
/// which it is in scope, however these contexts were found: effects of two of them may be compared.
/// Spec: [rule: effenv.roots].
pub fn val_g(an: &Analysis, env: &Env, s: &Stmt) -> Env {
    let mut out = env.clone();
    val_g_in_place(an, &mut out, s);
    out
}

/// [`val_g`], in place.
fn val_g_in_place(an: &Analysis, env: &mut Env, s: &Stmt) {
    match s.kind.as_ref() {
        StmtKind::Assign { .. } | StmtKind::Reduce { .. } | StmtKind::Pass => {}
        StmtKind::WriteConfig { config, field, rhs } => {
            if sort_of_field(config, *field).is_some() {
                env.globals.set(Field::of(config, *field), lift(env, rhs));
            }
        }
        StmtKind::If { cond, body, orelse } => {
            if an.writes_fields(body) || an.writes_fields(orelse) {
                let then = val_g_block(an, env, body).globals;
                let other = val_g_block(an, env, orelse).globals;
                env.globals = then.choose(&lift(env, cond), &other);
            }
        }
        StmtKind::For { iter, lo, hi, body, mode: _ } => {
            if an.writes_fields(body) {
                let flow = LoopFlow::of(an, env, *iter, &lift(env, lo), body);
                env.globals = flow.before(env, &lift(env, hi)).globals;
            }
        }
        StmtKind::Alloc { name, typ, mem: _ } => {
            let root = if env.has_root(*name) { an.root_beside(*name, env) } else { *name };
            let extents: Vec<EffExpr> = typ.shape.iter().map(|e| lift(env, e)).collect();
            let strides = dense_strides(&extents, |_| EffExpr::unknown(Sort::Int));
            env.bind_view(*name, View::tensor(Base::Buffer(root), extents, strides));
        }
        StmtKind::WindowStmt { name, rhs } => {
            let view = lift_window(env, rhs).unwrap_or_else(|| unknown_view(rhs.name, rhs.idx.len()));
            env.bind_view(*name, view);
        }
        StmtKind::Call { proc, args } => {
            for (field, ee) in an.changes(env, proc, args) {
                env.globals.set(field, ee);
            }
        }
    }
}

/// What a name stands for that is not in scope: a root of that name, of which nothing else is known.
pub fn unknown_view(name: Sym, rank: usize) -> View {
    let unknown = || vec![EffExpr::unknown(Sort::Int); rank];
    View::whole(Base::Buffer(name), unknown(), unknown())
}

/// `γ · ValG⟦s1; s2; …⟧`, with the names bound up to the end of the block.
pub fn val_g_block(an: &Analysis, env: &Env, b: &Block) -> Env {
    let mut env = env.clone();
    b.iter().for_each(|s| val_g_in_place(an, &mut env, s));
    env
}

/// γ after the first `count` statements of a block.
pub fn val_g_first(an: &Analysis, env: &Env, b: &Block, count: usize) -> Env {
    let mut out = env.clone();
    let stmts = an.before(b, count, |digest| !digest.is_quiet(an));
    stmts.into_iter().for_each(|s| val_g_in_place(an, &mut out, s));
    out
}

/// How large a value after a loop may be, written out. Each nested loop multiplies it; beyond this it is ⊥.
pub(crate) const MAX_VALUE: u64 = 20_000;

/// What a loop does to the fields: one iteration as a function of the fields before it.
pub struct LoopFlow {
    lo: EffExpr,
    /// The loop variable in `step`.
    iter: Sym,
    /// For each control field that the body writes: a variable for its value before an iteration, and its
    /// value after, in terms of these variables, of `iter`, and of what the loop does not change.
    step: BTreeMap<Field, (Sym, EffExpr)>,
}

impl LoopFlow {
    /// The flow of `for iter in …: body` from γ.
    pub fn of(an: &Analysis, env: &Env, iter: Sym, lo: &EffExpr, body: &Block) -> LoopFlow {
        let fresh = iter.renewed();
        let (mut inside, before) = havoc(an, env, body);
        if before.is_empty() {
            return LoopFlow { lo: lo.clone(), iter: fresh, step: BTreeMap::new() };
        }
        inside.bind(iter, EffExpr::int_var(fresh));
        let after = val_g_block(an, &inside, body).globals;
        let step = before.into_iter().map(|(f, (x, sort))| (f, (x, after.get(f, sort)))).collect();
        LoopFlow { lo: lo.clone(), iter: fresh, step }
    }

    /// γ at the start of iteration `at`, which is γ after the loop when `at` is its upper bound.
    ///
    /// Three rules, in order [E-4]: a field that no iteration changes keeps its value; a
    /// field whose new value depends on nothing that the loop changes has it from the last iteration;
    /// otherwise the field keeps its value if no iteration changes it *or any field its value depends on*,
    /// and is ⊥ else.
    pub fn before(&self, env: &Env, at: &EffExpr) -> Env {
        let mut globals = env.globals.clone();
        for (field, (own, after)) in &self.step {
            let sort = after.sort();
            let start = env.globals.get(*field, sort);
            if *after == EffExpr::var(Var::Local(*own), sort) {
                continue;
            }
            let value = if self.depends(after).is_empty() {
                let last = after.replace(self.iter, EffExpr::sub(at.clone(), EffExpr::int(1)));
                EffExpr::ite(EffExpr::lt(self.lo.clone(), at.clone()), last, start)
            } else {
                EffExpr::ite(self.fixed(env, *field, at), start, EffExpr::unknown(sort))
            };
            let value = if value.size() > MAX_VALUE { EffExpr::unknown(sort) } else { value };
            globals.set(*field, value);
        }
        env.with_globals(globals)
    }

    /// What is known of a field at the start of iteration `at`, besides its value: it holds what it held
    /// before the loop, or what some iteration wrote. Says nothing where what is written depends on what the
    /// loop changes. Spec: [rule: valg.written].
    pub fn written(&self, env: &Env, field: Field, value: &EffExpr, at: &EffExpr) -> Option<EffExpr> {
        let (own, after) = self.step.get(&field)?;
        let mut leaves = Vec::new();
        arms(after, &mut leaves);
        leaves.retain(|leaf| **leaf != EffExpr::var(Var::Local(*own), leaf.sort()));
        if leaves.iter().any(|leaf| !leaf.is_definite() || !self.depends(leaf).is_empty()) {
            return None;
        }
        let i = EffExpr::int_var(self.iter);
        let runs = [EffExpr::le(self.lo.clone(), i.clone()), EffExpr::lt(i, at.clone())];
        let some = EffExpr::or(leaves.into_iter().map(|leaf| same_value(value, leaf)).collect::<Vec<_>>());
        let wrote = EffExpr::exists(self.iter, EffExpr::and(runs.into_iter().chain([some])));
        Some(EffExpr::or([same_value(value, &env.globals.get(field, after.sort())), wrote]))
    }

    /// The fields of the loop on which a value after an iteration depends.
    fn depends(&self, ee: &EffExpr) -> BTreeSet<Field> {
        let free = ee.free_vars();
        let mentioned = |x: &Sym| free.contains(&Var::Local(*x));
        self.step.iter().filter(|(_, (x, _))| mentioned(x)).map(|(f, _)| *f).collect()
    }

    /// No iteration in `lo..at` changes the field or any field that it depends on, directly or not.
    fn fixed(&self, env: &Env, field: Field, at: &EffExpr) -> EffExpr {
        let mut closure = BTreeSet::from([field]);
        let mut todo = vec![field];
        while let Some(f) = todo.pop() {
            let Some((_, after)) = self.step.get(&f) else { continue };
            todo.extend(self.depends(after).into_iter().filter(|g| closure.insert(*g)));
        }
        let start: Substitution = self
            .step
            .iter()
            .map(|(f, (x, after))| (Var::Local(*x), env.globals.get(*f, after.sort())))
            .collect();
        let i = EffExpr::int_var(self.iter);
        let runs = EffExpr::and([EffExpr::le(self.lo.clone(), i.clone()), EffExpr::lt(i, at.clone())]);
        let same = closure.iter().filter_map(|f| {
            let (_, after) = self.step.get(f)?;
            let before = env.globals.get(*f, after.sort());
            Some(EffExpr::surely_equal(&after.substitute(&start), &before))
        });
        // Only whether it surely holds matters: where it does not, the value is ⊥.
        let body =
            EffExpr::or([EffExpr::definitely(EffExpr::not(runs)), EffExpr::and(same.collect::<Vec<_>>())]);
        EffExpr::forall(self.iter, body)
    }
}

/// The values that a conditional may have.
fn arms<'a>(ee: &'a EffExpr, out: &mut Vec<&'a EffExpr>) {
    if let Node::If(_, a, b) = ee.node() {
        arms(a, out);
        arms(b, out);
    } else {
        out.push(ee);
    }
}

/// `a = b`, of either sort.
pub(crate) fn same_value(a: &EffExpr, b: &EffExpr) -> EffExpr {
    match a.sort() {
        Sort::Int => EffExpr::eq(a.clone(), b.clone()),
        Sort::Bool => EffExpr::iff(a.clone(), b.clone()),
    }
}

/// γ in which every control field that `body` may write holds an arbitrary value, each a fresh variable.
pub fn havoc(an: &Analysis, env: &Env, body: &Block) -> (Env, BTreeMap<Field, (Sym, Sort)>) {
    let mut globals = env.globals.clone();
    let mut fresh = BTreeMap::new();
    for (field, sort) in an.written_fields(body) {
        // Named like the field, for whoever reads a counterexample.
        let x = Sym::fresh(field.var().to_string().as_str());
        globals.set(field, EffExpr::var(Var::Local(x), sort));
        fresh.insert(field, (x, sort));
    }
    (env.with_globals(globals), fresh)
}
